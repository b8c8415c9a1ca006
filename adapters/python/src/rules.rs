//! Wrapped links, and rules for queries: `unwrap` and the class `QueryRules`.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use simd_iri_rules::{RuleError, Unwrap};

use crate::error::{raised_about_rules, surrogates_in_rules};
use crate::functions::view;
use crate::names;
use crate::text::Text;

/// A call that makes an object again, and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (&'py str, &'static str));

/// Takes a link out of the wrappers that mail filters and sites have put around it; returns the text itself if it is not
/// wrapped, or if its wrapper holds no link. Up to ``levels`` wrappers around one another are unwrapped, at most 5. With
/// ``rules``, the wrappers of these rules are unwrapped, too. Nothing is fetched. ``docs/query-rules.md`` lists the wrappers.
/// Raises ``IriError`` if the text is not an IRI reference.
///
/// >>> unwrap("https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F%3Fb&data=05")
/// 'https://a.example/?b'
/// >>> unwrap("https://www.google.com/url?q=https://l.instagram.com/?u=https://a.example", 2)
/// 'https://a.example'
#[pyfunction]
#[pyo3(signature = (text, levels=1, *, rules=None))]
pub(crate) fn unwrap(
    py: Python<'_>,
    text: Text<'_>,
    levels: u8,
    rules: Option<PyRef<'_, QueryRules>>,
) -> PyResult<String> {
    let view = view(py, &text)?;
    Ok(with(levels, rules.as_deref(), |unwrap| unwrap.apply(view).reference().as_str().to_owned()))
}

/// Calls `call` with the unwrapping of so many levels.
pub(crate) fn with<R>(
    levels: u8,
    rules: Option<&QueryRules>,
    call: impl FnOnce(Unwrap<'_>) -> R,
) -> R {
    let rules: Vec<_> = rules.iter().map(|rules| &rules.rules).collect();
    call(Unwrap::new().levels(levels).rules(&rules))
}

/// Rules that remove pairs of queries, from a text that is read once. The format is ``"toml"``, which ``docs/query-rules.md``
/// describes, ``"clearurls"``, or ``"adguard"`` for a filter list of AdGuard or uBlock Origin. It is immutable.
///
/// >>> rules = QueryRules("$removeparam=utm_source\n||shop.example^$removeparam=/^ref_/", "adguard")
/// >>> rules.apply("https://shop.example/?ref_a=1&q=%71&utm_source=x#b")
/// 'https://shop.example/?q=%71#b'
///
/// - ``allow_referral`` keeps the pairs that say who referred a buyer: ``referralMarketing`` of ClearURLs.
/// - ``keep_mark`` keeps the ``?`` of a query if all its pairs go.
///
/// Raises ``RuleError``, a ``ValueError`` with the line and the column, about a text that does not follow its format.
#[pyclass(frozen, weakref, module = "simd_iri")]
pub(crate) struct QueryRules {
    pub(crate) rules: simd_iri_rules::QueryRules,
    /// What the rules are made of again: the text and the options.
    text: String,
    allow_referral: bool,
    keep_mark: bool,
}

#[pymethods]
impl QueryRules {
    #[new]
    #[pyo3(signature = (text, format="toml", *, allow_referral=false, keep_mark=false))]
    fn new(
        py: Python<'_>,
        text: Text<'_>,
        format: &str,
        allow_referral: bool,
        keep_mark: bool,
    ) -> PyResult<Self> {
        let format = names::rule_format(format)?;
        let utf8 = text.utf8().ok_or_else(|| surrogates_in_rules(py, text.bytes()))?;
        let text = utf8.to_owned();
        let rules = simd_iri_rules::QueryRules::parse(&text, format);
        let rules = rules.map_err(|error| raised_about_rules(py, error))?;
        let rules = rules.allow_referral(allow_referral).keep_mark(keep_mark);
        Ok(Self { rules, text, allow_referral, keep_mark })
    }

    /// The format of the text.
    #[getter]
    fn format(&self) -> &'static str {
        self.rules.format().name()
    }

    /// How many rules there are: names, patterns, wrappers, or lines of a filter list.
    ///
    /// >>> QueryRules("[[drop]]\nnames = ['utm_*', 'ref']").count
    /// 2
    #[getter]
    fn count(&self) -> usize {
        self.rules.count()
    }

    /// Why lines of a filter list are not applied: a ``RuleError`` for each, which is not raised.
    ///
    /// >>> rules = QueryRules("$removeparam=a,domain=b.example\n$removeparam=/(?!a)/", "adguard")
    /// >>> [(error.line, error.kind) for error in rules.skipped]
    /// [(1, 'modifier'), (2, 'look-around')]
    #[getter]
    fn skipped(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        let raised = |error: &RuleError| raised_about_rules(py, *error).into_value(py).into_any();
        self.rules.skipped().iter().map(raised).collect()
    }

    /// Returns a reference without the pairs of the query that the rules name; the text itself if they name none. Raises
    /// ``IriError`` if the text is not an IRI reference.
    ///
    /// >>> rules = QueryRules("[[drop]]\nhost = '*.shop.example'\nnames = ['ref_*']")
    /// >>> rules.apply("https://www.shop.example/?ref_1=a&b=c"), rules.apply("/?ref_1=a")
    /// ('https://www.shop.example/?b=c', '/?ref_1=a')
    fn apply(&self, py: Python<'_>, text: Text<'_>) -> PyResult<String> {
        Ok(self.rules.apply(view(py, &text)?).reference().as_str().to_owned())
    }

    /// Not the text, which may be long.
    fn __repr__(&self) -> String {
        format!("<QueryRules: {} rules in the format {}>", self.count(), self.format())
    }

    /// For ``copy`` and ``pickle``.
    fn __reduce__<'py>(rules: &'py Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let options = PyDict::new(rules.py());
        options.set_item("allow_referral", rules.get().allow_referral)?;
        options.set_item("keep_mark", rules.get().keep_mark)?;
        let partial = rules.py().import("functools")?.getattr("partial")?;
        let call = partial.call((rules.get_type(),), Some(&options))?;
        Ok((call, (&rules.get().text, rules.get().format())))
    }
}
