//! New texts from each row.
//!
//! A row gives null if it is null, if it does not match the rule, or if there is no result.

use arrow_array::{Array, Datum, StringViewArray, UInt64Array};
use arrow_schema::ArrowError;
use simd_iri::{Base, Compare, Iri, IriRef, Normalize, Rule, ToIri, ToUri, kind};
use simd_iri_lint::{DisplayIri, DisplayUts58};
use simd_iri_lint::{DisplayPolicy, DisplayRule};
use simd_iri_rules::{QueryRules, Unwrap};
use simd_iri_text::Prepare;

use crate::input::{Row, Texts, with_values};
use crate::views::Views;

/// Normalizes each row that matches `rule` by `rules` (RFC 3987, section 5.3).
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri::Normalize;
/// use simd_iri_arrow::{Rule, normalize};
///
/// let urls = StringArray::from(vec!["HTTP://a:80/%7eb/../c", "a b"]);
/// let normal = normalize(&urls, Rule::Iri, Normalize::scheme())?;
/// assert_eq!(normal.iter().collect::<Vec<_>>(), [Some("http://a/c"), None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn normalize(
    array: &dyn Array,
    rule: Rule,
    rules: Normalize,
) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| {
        push(rules.map(view).ok().as_ref().map(|normal| normal.as_str()));
    })
}

/// Maps each row that matches `rule` to a URI (RFC 3987, section 3.1).
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri::ToUri;
/// use simd_iri_arrow::{Rule, to_uri};
///
/// let uris = to_uri(&StringArray::from(vec!["http://bücher.example/é"]), Rule::Iri, ToUri::new().idna(true))?;
/// assert_eq!(uris.value(0), "http://xn--bcher-kva.example/%C3%A9");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn to_uri(
    array: &dyn Array,
    rule: Rule,
    mapping: ToUri<'_>,
) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| push(mapping.map(view).ok().as_ref().map(|uri| uri.as_str())))
}

/// Maps each row that matches `rule` to an IRI (RFC 3987, section 3.2).
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri::ToIri;
/// use simd_iri_arrow::{Rule, to_iri};
///
/// let iris = to_iri(&StringArray::from(vec!["http://a/%C3%A9"]), Rule::Iri, ToIri::new())?;
/// assert_eq!(iris.value(0), "http://a/é");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn to_iri(
    array: &dyn Array,
    rule: Rule,
    mapping: ToIri,
) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| push(Some(mapping.map(view).as_str())))
}

/// Writes each row that matches `rule` as a person reads it best.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_lint::DisplayPolicy;
/// use simd_iri_lint::DisplayIri;
/// use simd_iri_arrow::{Rule, display};
///
/// let urls = StringArray::from(vec!["http://xn--bcher-kva.example/%C3%A9", "http://аст.com/"]);
/// let shown = display(&urls, Rule::Iri, DisplayIri::new())?;
/// assert_eq!(shown.value(0), "http://bücher.example/é");
/// let in_chromium = display(&urls, Rule::Iri, DisplayIri::new().policy(DisplayPolicy::Chromium))?;
/// assert_eq!(in_chromium.value(1), "http://xn--80a8ad.com/");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn display(
    array: &dyn Array,
    rule: Rule,
    shape: DisplayIri,
) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| push(shape.map(view).ok().as_ref().map(|iri| iri.as_str())))
}

/// Returns the name of the rule by which a browser shows an A-label in the host of each row that matches `rule`. A row is
/// null if the browser shows every label of its host in Unicode, or if it has no host.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_lint::DisplayPolicy;
/// use simd_iri_arrow::{Rule, display_rule};
///
/// let urls = StringArray::from(vec!["http://аст.com/", "http://аст.ru/", "a|b"]);
/// let rules = display_rule(&urls, Rule::Iri, DisplayPolicy::Chromium)?;
/// assert_eq!(rules.iter().collect::<Vec<_>>(), [Some("whole-script"), None, None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn display_rule(
    array: &dyn Array,
    rule: Rule,
    policy: DisplayPolicy,
) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| {
        let hidden = view.host_str().and_then(|host| policy.judge(host).rule());
        push(hidden.map(DisplayRule::name));
    })
}

/// Writes each row that matches `rule` for running text: with as few escapes as the detection of links by UTS #58 allows.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_arrow::{Rule, display_in_text};
///
/// let shown = display_in_text(&StringArray::from(vec!["http://a/%C3%A9."]), Rule::Iri)?;
/// assert_eq!(shown.value(0), "http://a/é%2E");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn display_in_text(array: &dyn Array, rule: Rule) -> Result<StringViewArray, ArrowError> {
    let shape = DisplayUts58::new();
    each(array, rule, |view, push| push(Some(kept(view, &shape.map(view)))))
}

/// Returns the registrable domain of each row that matches `rule`, by the list of public suffixes.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_arrow::{Rule, registrable_domain};
///
/// let domains = registrable_domain(&StringArray::from(vec!["http://www.example.co.uk/", "urn:a"]), Rule::Iri)?;
/// assert_eq!(domains.iter().collect::<Vec<_>>(), [Some("example.co.uk"), None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn registrable_domain(array: &dyn Array, rule: Rule) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| push(view.registrable_domain().as_deref()))
}

/// Returns the origin of each row that matches `rule` (RFC 6454), in ASCII. An opaque origin is null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_arrow::{Rule, origin};
///
/// let origins = origin(&StringArray::from(vec!["HTTP://A:080/b", "urn:a"]), Rule::Iri)?;
/// assert_eq!(origins.iter().collect::<Vec<_>>(), [Some("http://a"), None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn origin(array: &dyn Array, rule: Rule) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| push(view.origin().map(|origin| origin.to_string()).as_deref()))
}

/// Returns the decoded value of the first pair with this name in the query of each row that matches `rule`. A plus
/// sign is a plus sign.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_arrow::{Rule, query_value};
///
/// let urls = StringArray::from(vec!["http://a/?q=%C3%A9&r", "http://a/?r=1"]);
/// assert_eq!(query_value(&urls, Rule::Iri, "q")?.iter().collect::<Vec<_>>(), [Some("é"), None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn query_value(
    array: &dyn Array,
    rule: Rule,
    name: &str,
) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| {
        push(view.query_value(name).as_deref());
    })
}

/// Removes the pairs of the query for whose decoded name `is_removed` returns `true` from each row that matches `rule`.
/// All other pairs stay as they are written.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_arrow::{Rule, drop_query_pairs};
///
/// let urls = StringArray::from(vec!["http://a/?utm%5Fid=1&q=%71", "http://a/?utm_id", "a b"]);
/// let clean = drop_query_pairs(&urls, Rule::Iri, |name| name.starts_with("utm_"))?;
/// assert_eq!(clean.iter().collect::<Vec<_>>(), [Some("http://a/?q=%71"), Some("http://a/"), None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn drop_query_pairs(
    array: &dyn Array,
    rule: Rule,
    is_removed: impl Fn(&str) -> bool,
) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| push(Some(view.without_query_pairs(&is_removed).as_str())))
}

/// Takes the link in each row that matches `rule` out of the wrappers that mail filters and sites have put around it. A row
/// that is not wrapped, or whose wrapper holds no link, stays as it is.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_rules::Unwrap;
/// use simd_iri_arrow::{Rule, unwrap};
///
/// let urls = StringArray::from(vec!["https://www.google.com/url?q=https://a.example/", "http://a/", "a b"]);
/// let links = unwrap(&urls, Rule::Iri, Unwrap::new())?;
/// assert_eq!(links.iter().collect::<Vec<_>>(), [Some("https://a.example/"), Some("http://a/"), None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn unwrap(
    array: &dyn Array,
    rule: Rule,
    unwrap: Unwrap<'_>,
) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| push(Some(unwrap.apply(view).reference().as_str())))
}

/// Removes the pairs of the query that rules name from each row that matches `rule`. All other pairs stay as they are
/// written.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_rules::{QueryRules, RuleFormat};
/// use simd_iri_arrow::{Rule, apply_query_rules};
///
/// let rules = QueryRules::parse("[[drop]]\nnames = ['utm_*']", RuleFormat::Toml).unwrap();
/// let urls = StringArray::from(vec!["http://a/?utm_id=1&q=%71", "http://a/?utm_id", "a b"]);
/// let clean = apply_query_rules(&urls, Rule::Iri, &rules)?;
/// assert_eq!(clean.iter().collect::<Vec<_>>(), [Some("http://a/?q=%71"), Some("http://a/"), None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn apply_query_rules(
    array: &dyn Array,
    rule: Rule,
    rules: &QueryRules,
) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| push(Some(rules.apply(view).reference().as_str())))
}

/// Writes each row that matches `rule` with `***` in place of a password, for logs.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_arrow::{Rule, masked};
///
/// let urls = StringArray::from(vec!["ftp://me:s3cret@a/b", "http://a/", "a b"]);
/// let shown = masked(&urls, Rule::Iri)?;
/// assert_eq!(shown.iter().collect::<Vec<_>>(), [Some("ftp://me:***@a/b"), Some("http://a/"), None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn masked(array: &dyn Array, rule: Rule) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| push(Some(kept(view, &view.masked().to_string()))))
}

/// Returns the skeleton of each row that matches `rule` (UTS #39): rows with the same skeleton look alike.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_arrow::{Rule, skeleton};
///
/// let alike = skeleton(&StringArray::from(vec!["http://scope.example/", "http://ѕсоре.example/"]), Rule::Iri)?;
/// assert_eq!(alike.value(0), alike.value(1));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn skeleton(array: &dyn Array, rule: Rule) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| push(Some(kept(view, &simd_iri_lint::skeleton(view)))))
}

/// Returns the key of each row that matches `rule`: rows that `by` finds equivalent have the same key. The order of keys is
/// the order of `by`.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri::{Compare, Level};
/// use simd_iri_arrow::{Rule, key};
///
/// let keys = key(&StringArray::from(vec!["HTTP://a:80/%7e", "a b"]), Rule::Iri, Compare::new(Level::Scheme))?;
/// assert_eq!(keys.iter().collect::<Vec<_>>(), [Some("http://a/~"), None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn key(array: &dyn Array, rule: Rule, by: Compare) -> Result<StringViewArray, ArrowError> {
    each(array, rule, |view, push| {
        push(by.key(view).ok().as_deref().map(|key| kept(view, key)));
    })
}

/// Returns the lower 64 bits of the fingerprint of each row that matches `rule`: rows that `by` finds equivalent have
/// the same bits.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri::{Compare, Level};
/// use simd_iri_arrow::{Rule, fingerprint};
///
/// let keys = fingerprint(&StringArray::from(vec!["http://a", "HTTP://a:80/"]), Rule::Iri, Compare::new(Level::Scheme))?;
/// assert_eq!(keys.value(0), keys.value(1));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn fingerprint(array: &dyn Array, rule: Rule, by: Compare) -> Result<UInt64Array, ArrowError> {
    with_values(array, |input| {
        let rows = input.rows().map(|row| Some(by.fingerprint64(view(rule, row)?)));
        Ok(rows.collect())
    })
}

/// Repairs each row with `prepare`. A row that it cannot repair gives null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_text::{Prepare, RepairSet};
/// use simd_iri_arrow::prepare;
///
/// let urls = StringArray::from(vec![" http://a/b c", "http://a:b/"]);
/// let repaired = prepare(&urls, Prepare::new(RepairSet::BrowserLike))?;
/// assert_eq!(repaired.iter().collect::<Vec<_>>(), [Some("http://a/b%20c"), None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn prepare(array: &dyn Array, prepare: Prepare<'_>) -> Result<StringViewArray, ArrowError> {
    with_values(array, |input| {
        let mut texts = Views::new(input.len(), input.buffers());
        for row in input.rows() {
            match row.and_then(|row| Some((prepare.prepare_bytes(row.bytes).ok()?, row.buffer))) {
                Some((prepared, buffer)) => texts.push(prepared.into_reference().as_str(), buffer),
                None => texts.push_null(),
            }
        }
        Ok(texts.finish())
    })
}

/// Resolves each row of `references` relative to `base` (RFC 3986, section 5), which is one IRI or a column of IRIs.
///
/// # Errors
/// An array is neither of strings, nor of bytes, nor a dictionary of these; a column of bases has another length than
/// the references; or a single base is null or is not an IRI.
///
/// ```
/// use arrow_array::{Scalar, StringArray};
/// use simd_iri_arrow::resolve;
///
/// let references = StringArray::from(vec!["../é", "a b", "http://c/"]);
/// let base = Scalar::new(StringArray::from(vec!["http://a/b/c"]));
/// let iris = resolve(&base, &references)?;
/// assert_eq!(iris.iter().collect::<Vec<_>>(), [Some("http://a/é"), None, Some("http://c/")]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn resolve(base: &dyn Datum, references: &dyn Array) -> Result<StringViewArray, ArrowError> {
    with_base(base, references, Rule::IriReference, |base, reference, text| {
        base.resolve_into(reference, text).ok().is_some()
    })
}

/// Makes each IRI of `targets` relative to `base`, which is one IRI or a column of IRIs: returns the shortest reference
/// that resolves to the target.
///
/// # Errors
/// Those of [`resolve`].
///
/// ```
/// use arrow_array::{Scalar, StringArray};
/// use simd_iri_arrow::relativize;
///
/// let base = Scalar::new(StringArray::from(vec!["http://a/b/c"]));
/// let references = relativize(&base, &StringArray::from(vec!["http://a/b/d", "urn:e"]))?;
/// assert_eq!(references.iter().collect::<Vec<_>>(), [Some("d"), Some("urn:e")]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn relativize(base: &dyn Datum, targets: &dyn Array) -> Result<StringViewArray, ArrowError> {
    with_base(base, targets, Rule::Iri, |base, target, text| {
        let reference = Iri::try_from(target).ok().and_then(|iri| base.relativize(iri).ok());
        if let Some(reference) = &reference {
            text.clear();
            text.push_str(reference.as_str());
        }
        reference.is_some()
    })
}

/// Calls `made` with the base and the reference of each row. `made` writes the result and tells whether there is one.
fn with_base(
    base: &dyn Datum,
    references: &dyn Array,
    rule: Rule,
    made: impl Fn(Base<'_, kind::Iri>, IriRef<'_>, &mut String) -> bool,
) -> Result<StringViewArray, ArrowError> {
    let (base, is_scalar) = base.get();
    let bases = Texts::of(base)?;
    let mut text = String::new();
    let mut row = |base: Option<Base<'_, kind::Iri>>, row: Option<Row<'_>>, texts: &mut Views| {
        let reference = view(rule, row);
        let is_made = base.zip(reference).is_some_and(|(base, view)| made(base, view, &mut text));
        texts.push_option(is_made.then_some(text.as_str()), 0);
    };
    if is_scalar {
        let text = (bases.len() > 0).then(|| bases.row(0)).flatten().and_then(Row::text);
        let invalid = |why: &dyn std::fmt::Display| {
            ArrowError::InvalidArgumentError(format!("the base is not an IRI: {why}"))
        };
        let base = Base::parse(text.ok_or_else(|| invalid(&"it is null"))?);
        let base = base.map_err(|error| invalid(&error))?;
        return with_values(references, |input| {
            let mut texts = Views::new(input.len(), Vec::new());
            input.rows().for_each(|reference| row(Some(base), reference, &mut texts));
            Ok(texts.finish())
        });
    }
    if bases.len() != references.len() {
        return Err(ArrowError::InvalidArgumentError(format!(
            "{} bases for {} references",
            bases.len(),
            references.len()
        )));
    }
    let mut texts = Views::new(references.len(), Vec::new());
    for (base, reference) in bases.rows().zip(Texts::of(references)?.rows()) {
        let base = base.and_then(|base| Base::parse(base.text()?).ok());
        row(base, reference, &mut texts);
    }
    Ok(texts.finish())
}

/// The reference of a row that matches `rule`.
fn view<'a>(rule: Rule, row: Option<Row<'a>>) -> Option<IriRef<'a>> {
    IriRef::parse_as(rule, row?.text()?).ok()
}

/// Returns the text of the row itself if `made` is equal to it, so that the result refers to the input; otherwise `made`.
fn kept<'a>(view: IriRef<'a>, made: &'a str) -> &'a str {
    if made == view.as_str() { view.as_str() } else { made }
}

/// Calls `of` with each row that matches `rule`, and collects what it pushes.
pub(crate) fn each(
    array: &dyn Array,
    rule: Rule,
    of: impl Fn(IriRef<'_>, &mut dyn FnMut(Option<&str>)),
) -> Result<StringViewArray, ArrowError> {
    with_values(array, |input| {
        let mut texts = Views::new(input.len(), input.buffers());
        for row in input.rows() {
            match (view(rule, row), row) {
                (Some(view), Some(row)) => {
                    of(view, &mut |text| texts.push_option(text, row.buffer))
                }
                _ => texts.push_null(),
            }
        }
        Ok(texts.finish())
    })
}
