//! The kernels of simd-iri-arrow as functions of Python. They do not hold the interpreter while they compute.

use std::sync::Arc;

use arrow_array::{Array as _, ArrayRef, Datum, Scalar, StringArray, StringViewArray};
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use simd_iri::{ToIri, ToUri};
use simd_iri_archive::Keys;
use simd_iri_arrow::{self as kernels, Component};
use simd_iri_text::{Extract, Prepare};

use super::input::Rows;
use super::{Array, arrow_error};
use crate::judge::Policy;
use crate::names;
use crate::redaction::with_options;
use crate::rules::{self, QueryRules};
use crate::template;
use crate::text::Text;

/// Runs a kernel over each chunk.
fn each<R: arrow_array::Array + 'static>(
    rows: &Bound<'_, PyAny>,
    kernel: impl Fn(&ArrayRef) -> Result<R, ArrowError> + Send + Sync,
) -> PyResult<Array> {
    let input = Rows::of(rows)?;
    let chunks: Result<Vec<ArrayRef>, ArrowError> = rows.py().detach(|| {
        input.chunks.iter().map(|chunk| Ok(Arc::new(kernel(chunk)?) as ArrayRef)).collect()
    });
    Ok(Array::new(chunks.map_err(arrow_error)?, input.texts))
}

/// Tells for each row whether it matches a rule.
///
/// >>> arrow.is_valid(["http://例え.jp/", "a|b", None]).to_pylist()
/// [True, False, None]
#[pyfunction]
#[pyo3(signature = (array, rule="iri"))]
pub(crate) fn is_valid(array: &Bound<'_, PyAny>, rule: &str) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    each(array, |rows| kernels::is_valid(rows, rule))
}

/// Tells for each row whether it is the name of a host (RFC 1123, section 2.1).
///
/// >>> arrow.is_hostname(["www.example.com", "-a", None]).to_pylist()
/// [True, False, None]
#[pyfunction]
pub(crate) fn is_hostname(array: &Bound<'_, PyAny>) -> PyResult<Array> {
    each(array, |rows| kernels::is_hostname(rows))
}

/// Tells for each row whether it is the name of a host with letters of all scripts, by IDNA2008.
///
/// >>> arrow.is_idn_hostname(["例え.jp", "☃.example", None]).to_pylist()
/// [True, False, None]
#[pyfunction]
pub(crate) fn is_idn_hostname(array: &Bound<'_, PyAny>) -> PyResult<Array> {
    each(array, |rows| kernels::is_idn_hostname(rows))
}

/// Returns the components of each row, as a struct of texts: scheme, authority, userinfo, host, host_kind, port, path,
/// query and fragment. A row that does not match the rule is null.
///
/// >>> arrow.parse(["http://a:1/b"]).to_pylist()[0]["port"]
/// '1'
#[pyfunction]
#[pyo3(signature = (array, rule="iri"))]
pub(crate) fn parse(array: &Bound<'_, PyAny>, rule: &str) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    each(array, |rows| kernels::parse(rows, rule))
}

/// Returns one component of each row: one of the fields of ``parse``. An absent component is null.
///
/// >>> arrow.component(["a:b?", "a:b", "a b"], "query").to_pylist()
/// ['', None, None]
#[pyfunction]
#[pyo3(signature = (array, component, rule="iri"))]
pub(crate) fn component(array: &Bound<'_, PyAny>, component: &str, rule: &str) -> PyResult<Array> {
    let (component, rule) = (names::component(component)?, names::rule(rule)?);
    each(array, |rows| kernels::component(rows, rule, component))
}

/// Makes a function for each component.
macro_rules! components {
    ($($(#[$doc:meta])* $name:ident = $component:expr;)+) => {$(
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(signature = (array, rule="iri"))]
        pub(crate) fn $name(array: &Bound<'_, PyAny>, rule: &str) -> PyResult<Array> {
            let rule = names::rule(rule)?;
            each(array, |rows| kernels::component(rows, rule, $component))
        }
    )+};
}

components! {
    /// Returns the scheme of each row, without its colon.
    ///
    /// >>> arrow.scheme(["http://a/", "a b"]).to_pylist()
    /// ['http', None]
    scheme = Component::Scheme;

    /// Returns the authority of each row, without the two slashes before it.
    ///
    /// >>> arrow.authority(["http://u@a:1/", "urn:a"]).to_pylist()
    /// ['u@a:1', None]
    authority = Component::Authority;

    /// Returns the user information of each row, without the ``@``.
    ///
    /// >>> arrow.userinfo(["http://u@a:1/", "http://a/"]).to_pylist()
    /// ['u', None]
    userinfo = Component::Userinfo;

    /// Returns the host of each row, an IP literal with its brackets.
    ///
    /// >>> arrow.host(["http://例え.jp/a", "http://[::1]/", "urn:a"]).to_pylist()
    /// ['例え.jp', '[::1]', None]
    host = Component::Host;

    /// Returns the kind of the host of each row: ``"reg-name"``, ``"ipv4"``, ``"ipv6"`` or ``"ipvfuture"``.
    ///
    /// >>> arrow.host_kind(["http://a/", "http://127.0.0.1/", "urn:a"]).to_pylist()
    /// ['reg-name', 'ipv4', None]
    host_kind = Component::HostKind;

    /// Returns the port of each row, as text and without its colon.
    ///
    /// >>> arrow.port(["http://a:80/", "http://a:/", "http://a/"]).to_pylist()
    /// ['80', '', None]
    port = Component::Port;

    /// Returns the path of each row, which every reference has.
    ///
    /// >>> arrow.path(["http://a/b", "http://a", "a b"]).to_pylist()
    /// ['/b', '', None]
    path = Component::Path;

    /// Returns the query of each row, without the question mark.
    ///
    /// >>> arrow.query(["a:b?c", "a:b?", "a:b"]).to_pylist()
    /// ['c', '', None]
    query = Component::Query;

    /// Returns the fragment of each row, without the number sign.
    ///
    /// >>> arrow.fragment(["a:b#c", "a:b"]).to_pylist()
    /// ['c', None]
    fragment = Component::Fragment;
}

/// Returns the first violation of a rule in each row, as a struct of kind, start, end, component and message; null in a
/// row that matches. Offsets are in bytes of UTF-8.
///
/// >>> arrow.error(["http://a/b|c"]).to_pylist()[0]["start"]
/// 10
#[pyfunction]
#[pyo3(signature = (array, rule="iri"))]
pub(crate) fn error(array: &Bound<'_, PyAny>, rule: &str) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    each(array, |rows| kernels::error(rows, rule))
}

/// Returns every violation of a rule in each row, in the order of the row, as a list of the structs of ``error``. A row that
/// matches has an empty list. Offsets are in bytes of UTF-8.
///
/// >>> [error["start"] for error in arrow.violations(["http://a/b|c?d|e"]).to_pylist()[0]]
/// [10, 14]
#[pyfunction]
#[pyo3(signature = (array, rule="iri"))]
pub(crate) fn violations(array: &Bound<'_, PyAny>, rule: &str) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    each(array, |rows| kernels::violations(rows, rule))
}

/// Normalizes each row (RFC 3987, section 5.3). The level is ``"simple"``, which changes nothing, ``"syntax"``,
/// ``"scheme"`` or ``"scheme-idna"``.
///
/// >>> arrow.normalize(["HTTP://A/%7e", "a|b"]).to_pylist()
/// ['http://a/~', None]
#[pyfunction]
#[pyo3(signature = (array, level="scheme", rule="iri"))]
pub(crate) fn normalize(array: &Bound<'_, PyAny>, level: &str, rule: &str) -> PyResult<Array> {
    let (rules, rule) = (names::normalize(level)?, names::rule(rule)?);
    each(array, |rows| kernels::normalize(rows, rule, rules))
}

/// Maps each row to a URI (RFC 3987, section 3.1). With ``idna``, hosts become domain names in ASCII by UTS #46.
///
/// >>> arrow.to_uri(["http://bücher.example/é"], idna=True).to_pylist()
/// ['http://xn--bcher-kva.example/%C3%A9']
#[pyfunction]
#[pyo3(signature = (array, *, idna=false, rule="iri"))]
pub(crate) fn to_uri(array: &Bound<'_, PyAny>, idna: bool, rule: &str) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    each(array, |rows| kernels::to_uri(rows, rule, ToUri::new().idna(idna)))
}

/// Maps each row to an IRI (RFC 3987, section 3.2). With ``idna``, hosts that are domain names in ASCII become
/// readable.
///
/// >>> arrow.to_iri(["http://a/%C3%A9"]).to_pylist()
/// ['http://a/é']
#[pyfunction]
#[pyo3(signature = (array, *, idna=false, rule="iri"))]
pub(crate) fn to_iri(array: &Bound<'_, PyAny>, idna: bool, rule: &str) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    each(array, |rows| kernels::to_iri(rows, rule, ToIri::new().idna(idna)))
}

/// Returns each row as it is best read: an IRI in which nothing is invisible and no label of a host misleads. With the
/// policy ``"chromium"`` or ``"firefox"``, the labels of the host are in Unicode that this browser shows in Unicode.
///
/// >>> arrow.display(["http://xn--bcher-kva.example/%C3%A9"]).to_pylist()
/// ['http://bücher.example/é']
/// >>> arrow.display(["http://аст.com/"], policy="chromium").to_pylist()
/// ['http://xn--80a8ad.com/']
#[pyfunction]
#[pyo3(signature = (array, rule="iri", *, policy=None))]
pub(crate) fn display(
    array: &Bound<'_, PyAny>,
    rule: &str,
    policy: Option<&str>,
) -> PyResult<Array> {
    let (rule, shape) = (names::rule(rule)?, names::display(policy)?);
    each(array, |rows| kernels::display(rows, rule, shape))
}

/// Returns the rule by which a browser shows an A-label (``xn--``) in the host of each row. A row is null if the browser
/// shows every label of its host in Unicode. The policy is ``"chromium"`` or ``"firefox"``.
///
/// >>> arrow.display_rule(["http://аст.com/", "http://аст.ru/"], "chromium").to_pylist()
/// ['whole-script', None]
#[pyfunction]
#[pyo3(signature = (array, policy, rule="iri"))]
pub(crate) fn display_rule(array: &Bound<'_, PyAny>, policy: &str, rule: &str) -> PyResult<Array> {
    let (policy, rule) = (names::policy(policy)?, names::rule(rule)?);
    each(array, |rows| kernels::display_rule(rows, rule, policy))
}

/// Returns each row for running text: with as few escapes as the detection of links by UTS #58 allows.
///
/// >>> arrow.display_in_text(["http://a/b.", "a|b"]).to_pylist()
/// ['http://a/b%2E', None]
#[pyfunction]
#[pyo3(signature = (array, rule="iri"))]
pub(crate) fn display_in_text(array: &Bound<'_, PyAny>, rule: &str) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    each(array, |rows| kernels::display_in_text(rows, rule))
}

/// Returns the registrable domain of each row, by the list of public suffixes.
///
/// >>> arrow.registrable_domain(["http://www.example.co.uk/", "urn:a"]).to_pylist()
/// ['example.co.uk', None]
#[pyfunction]
#[pyo3(signature = (array, rule="iri"))]
pub(crate) fn registrable_domain(array: &Bound<'_, PyAny>, rule: &str) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    each(array, |rows| kernels::registrable_domain(rows, rule))
}

/// Returns the origin of each row (RFC 6454), in ASCII. An opaque origin is null.
///
/// >>> arrow.origin(["HTTP://A:80/b", "urn:a"]).to_pylist()
/// ['http://a', None]
#[pyfunction]
#[pyo3(signature = (array, rule="iri"))]
pub(crate) fn origin(array: &Bound<'_, PyAny>, rule: &str) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    each(array, |rows| kernels::origin(rows, rule))
}

/// Returns the decoded value of the first pair with a name in the query of each row.
///
/// >>> arrow.query_value(["http://a/?q=%C3%A9&b", "http://a/"], "q").to_pylist()
/// ['é', None]
#[pyfunction]
#[pyo3(signature = (array, name, rule="iri"))]
pub(crate) fn query_value(array: &Bound<'_, PyAny>, name: &str, rule: &str) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    each(array, |rows| kernels::query_value(rows, rule, name))
}

/// Returns each row without the pairs of the query that have one of these decoded names.
///
/// >>> arrow.drop_query_pairs(["http://a/?q=1&utm_source=x", "a|b"], ["utm_source"]).to_pylist()
/// ['http://a/?q=1', None]
#[pyfunction]
#[pyo3(signature = (array, names, rule="iri"))]
pub(crate) fn drop_query_pairs(
    array: &Bound<'_, PyAny>,
    names: Vec<String>,
    rule: &str,
) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    let is_removed = |name: &str| names.iter().any(|removed| removed == name);
    each(array, |rows| kernels::drop_query_pairs(rows, rule, is_removed))
}

/// Takes the link in each row out of the wrappers that mail filters and sites have put around it. A row that is not wrapped
/// stays as it is. Up to ``levels`` wrappers around one another are unwrapped, at most 5. With ``rules``, which is a
/// ``QueryRules``, the wrappers of these rules are unwrapped, too.
///
/// >>> arrow.unwrap(["https://www.google.com/url?q=https://a.example/", "http://a/", "a|b"]).to_pylist()
/// ['https://a.example/', 'http://a/', None]
#[pyfunction]
#[pyo3(signature = (array, levels=1, rule="iri", *, rules=None))]
pub(crate) fn unwrap(
    array: &Bound<'_, PyAny>,
    levels: u8,
    rule: &str,
    rules: Option<PyRef<'_, QueryRules>>,
) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    rules::with(levels, rules.as_deref(), |unwrap| {
        each(array, |rows| kernels::unwrap(rows, rule, unwrap))
    })
}

/// Returns each row without the pairs of the query that rules name, which is a ``QueryRules``.
///
/// >>> rules = QueryRules("[[drop]]\nnames = ['utm_*']")
/// >>> arrow.apply_query_rules(["http://a/?q=1&utm_id=x", "a|b"], rules).to_pylist()
/// ['http://a/?q=1', None]
#[pyfunction]
#[pyo3(signature = (array, rules, rule="iri"))]
pub(crate) fn apply_query_rules(
    array: &Bound<'_, PyAny>,
    rules: PyRef<'_, QueryRules>,
    rule: &str,
) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    let rules = &rules.rules;
    each(array, |rows| kernels::apply_query_rules(rows, rule, rules))
}

/// Returns each row with ``***`` in place of a password, for logs.
///
/// >>> arrow.masked(["ftp://me:s3cret@a/b", "a|b"]).to_pylist()
/// ['ftp://me:***@a/b', None]
#[pyfunction]
#[pyo3(signature = (array, rule="iri"))]
pub(crate) fn masked(array: &Bound<'_, PyAny>, rule: &str) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    each(array, |rows| kernels::masked(rows, rule))
}

/// Returns a text for each row that is the same for rows that look alike (UTS #39).
///
/// >>> len(set(arrow.skeleton(["http://\u0455cope.example/", "http://scope.example/"]).to_pylist()))
/// 1
#[pyfunction]
#[pyo3(signature = (array, rule="iri"))]
pub(crate) fn skeleton(array: &Bound<'_, PyAny>, rule: &str) -> PyResult<Array> {
    let rule = names::rule(rule)?;
    each(array, |rows| kernels::skeleton(rows, rule))
}

/// Percent-encodes each row, a value, for a place in a URI: ``"userinfo"``, ``"reg-name"``, ``"path"``, ``"segment"``,
/// ``"segment-nc"``, ``"query"``, ``"query-part"`` for a name or a value in a query, ``"fragment"``, or ``"unreserved"``
/// for any component. A row of bytes need not be UTF-8.
///
/// >>> arrow.percent_encode(["50% é/b", "a&b"]).to_pylist(), arrow.percent_encode(["a&b"], "query-part").to_pylist()
/// (['50%25%20%C3%A9%2Fb', 'a&b'], ['a%26b'])
#[pyfunction]
#[pyo3(signature = (array, place="segment"))]
pub(crate) fn percent_encode(array: &Bound<'_, PyAny>, place: &str) -> PyResult<Array> {
    let place = names::place(place)?;
    each(array, |rows| kernels::percent_encode(rows, place))
}

/// Decodes the triplets of each row, a value. A row is null if it has a percent sign without two hexadecimal digits after
/// it, or if what it means is not UTF-8.
///
/// >>> arrow.percent_decode(["50%25%20%C3%A9", "50%", "%FF"]).to_pylist()
/// ['50% é', None, None]
#[pyfunction]
pub(crate) fn percent_decode(array: &Bound<'_, PyAny>) -> PyResult<Array> {
    each(array, |rows| kernels::percent_decode(rows))
}

/// Returns the key of each row: the same text for rows that are equivalent at a level. The levels are those of
/// ``fingerprint``.
///
/// >>> arrow.key(["HTTP://a/%7e", "a|b"]).to_pylist()
/// ['http://a/~', None]
#[pyfunction]
#[pyo3(signature = (array, level="scheme", rule="iri"))]
pub(crate) fn key(array: &Bound<'_, PyAny>, level: &str, rule: &str) -> PyResult<Array> {
    let (by, rule) = (names::compare(level)?, names::rule(rule)?);
    each(array, |rows| kernels::key(rows, rule, by))
}

/// Returns a number of 64 bits for each row, the same for rows that are equivalent at a level: ``"simple"``,
/// ``"syntax"``, ``"scheme"`` or ``"scheme-idna"``.
///
/// >>> len(set(arrow.fingerprint(["HTTP://a/%7e", "http://A/~"]).to_pylist()))
/// 1
#[pyfunction]
#[pyo3(signature = (array, level="scheme", rule="iri"))]
pub(crate) fn fingerprint(array: &Bound<'_, PyAny>, level: &str, rule: &str) -> PyResult<Array> {
    let (by, rule) = (names::compare(level)?, names::rule(rule)?);
    each(array, |rows| kernels::fingerprint(rows, rule, by))
}

/// Repairs each row. The profile is ``"strict"``, ``"leiri"``, ``"browser-like"``, ``"crawler"`` or ``"rdf"``. A row
/// that cannot be repaired is null.
///
/// >>> arrow.prepare([" http:\\\\a\\b c "]).to_pylist()
/// ['http://a/b%20c']
#[pyfunction]
#[pyo3(signature = (array, profile="browser-like"))]
pub(crate) fn prepare(array: &Bound<'_, PyAny>, profile: &str) -> PyResult<Array> {
    let prepare = Prepare::new(names::repairs(profile)?);
    each(array, |rows| kernels::prepare(rows, prepare))
}

/// Returns the codes of the findings about each row, as a list. The profile is ``"rfc"``, ``"rdf"``, ``"json-schema"``,
/// ``"crawler"`` or ``"strict"``.
///
/// >>> arrow.lint(["http://u:p@a/", "http://a/"], "crawler").to_pylist()[1]
/// []
#[pyfunction]
#[pyo3(signature = (array, profile="rfc", rule="iri"))]
pub(crate) fn lint(array: &Bound<'_, PyAny>, profile: &str, rule: &str) -> PyResult<Array> {
    let (profile, rule) = (names::profile(profile)?, names::rule(rule)?);
    each(array, |rows| kernels::lint(rows, rule, profile))
}

/// Returns each row with each finding of a profile corrected, if its correction means the same. The profiles are those of
/// ``lint``.
///
/// >>> arrow.fix(["HTTP://a/%7e", "a|b"], "crawler").to_pylist()
/// ['http://a/~', None]
#[pyfunction]
#[pyo3(signature = (array, profile="rfc", rule="iri"))]
pub(crate) fn fix(array: &Bound<'_, PyAny>, profile: &str, rule: &str) -> PyResult<Array> {
    let (profile, rule) = (names::profile(profile)?, names::rule(rule)?);
    each(array, |rows| kernels::fix(rows, rule, profile))
}

/// Returns the links in each row, a text (UTS #58), as a list of structs of text, kind, start, end and reference. The
/// markup is ``"plain"``, ``"log"``, ``"markdown"`` or ``"html"``. The ends of links are ``"strict"``, ``"tight"`` or
/// ``"ascii"``, for prose without spaces around links. Offsets are in bytes of UTF-8. The reference is null if it cannot be
/// made valid. A row that is not UTF-8 is null.
///
/// >>> arrow.extract(["See example.com.", "no link"]).to_pylist()
/// [[{'text': 'example.com', 'kind': 'domain', 'start': 4, 'end': 15, 'reference': 'https://example.com'}], []]
/// >>> arrow.extract(["見る→http://a.example/b。"], ends="tight").to_pylist()[0][0]["text"]
/// 'http://a.example/b'
#[pyfunction]
#[pyo3(signature = (array, markup="plain", *, ends="strict"))]
pub(crate) fn extract(array: &Bound<'_, PyAny>, markup: &str, ends: &str) -> PyResult<Array> {
    let search = Extract::new().markup(names::markup(markup)?).ends(names::ends(ends)?);
    each(array, |rows| kernels::extract(rows, search))
}

with_options! {
    /// Returns each row without its passwords, signatures and tokens, for logs. A row need not be a reference. A row that is
    /// not UTF-8 is null. The options are those of ``simd_iri.redact``.
    ///
    /// >>> arrow.redact(["ftp://me:pw@a/x y?sig=b", "a|b", None]).to_pylist()
    /// ['ftp://REDACTED:REDACTED@a/x y?sig=REDACTED', 'a|b', None]
    /// >>> arrow.redact(["then /login?code=x, done"], ["oauth"], part="text").to_pylist()
    /// ['then /login?code=REDACTED, done']
    redact<'py>(array: &Bound<'py, PyAny>) -> Array, |_py, redact| {
        each(array, |rows| kernels::redact(rows, redact))
    }
}

/// Returns the key by which a web archive finds each row. The profile is ``"wayback"``, ``"pywb"``, ``"heritrix"``,
/// ``"urlcanon"`` or ``"ssurt"``. A row need not be a reference. A row that the profile rejects is null.
///
/// >>> arrow.archive_key(["http://www.Example.com/A/?b&a#f", "http://a.com:99999/"]).to_pylist()
/// ['com,example)/a?a&b', None]
#[pyfunction]
#[pyo3(signature = (array, profile="pywb"))]
pub(crate) fn archive_key(array: &Bound<'_, PyAny>, profile: &str) -> PyResult<Array> {
    let keys = Keys::new(names::archive_profile(profile)?);
    each(array, |rows| kernels::archive_key(rows, keys))
}

/// Returns the values of the variables of a template (RFC 6570) in each row, as a struct with a field for each variable: a
/// list of decoded texts. A text is a list of one text, and a variable that is undefined is null. A row that the template
/// does not match is null. The template is a ``Template`` or its text, and the options are those of ``Template.match``.
///
/// >>> arrow.template_match(["/users/7?q=a%20b", "/users/7/8"], "/users/{id}{?q}").to_pylist()
/// [{'id': ['7'], 'q': ['a b']}, None]
#[pyfunction]
#[pyo3(signature = (
    array, template, *, query_as_set=false, known_pairs_only=false, single_pairs_only=false
))]
pub(crate) fn template_match(
    array: &Bound<'_, PyAny>,
    template: &Bound<'_, PyAny>,
    query_as_set: bool,
    known_pairs_only: bool,
    single_pairs_only: bool,
) -> PyResult<Array> {
    let template = template::read(template)?;
    let template = &template.get().0;
    let options = template::options(template, query_as_set, known_pairs_only, single_pairs_only)?;
    each(array, |rows| kernels::template_match(rows, template, options))
}

/// What ``template_match`` returns as a map from names to lists of texts, whose type is the same for each template: for
/// functions of SQL.
#[pyfunction]
pub(crate) fn template_map(
    array: &Bound<'_, PyAny>,
    template: &Bound<'_, PyAny>,
    query_as_set: bool,
) -> PyResult<Array> {
    let template = template::read(template)?;
    let template = &template.get().0;
    let options = template::options(template, query_as_set, false, false)?;
    each(array, |rows| kernels::template_map(rows, template, options))
}

/// Returns the verdict about each row before it is fetched, as a struct of decision, reasons, scheme, host_by_rfc,
/// host_by_whatwg, port, address and url_to_send. A reason is a text, such as ``"address 127.0.0.0/8"``. The policy is a
/// ``Policy``; by default, it allows pages of the public web.
///
/// >>> verdicts = arrow.judge(["http://Example.com/a#b", "http://127.0.0.1/"]).to_pylist()
/// >>> verdicts[0]["url_to_send"], verdicts[1]["decision"], verdicts[1]["reasons"]
/// ('http://example.com/a', 'refuse', ['address 127.0.0.0/8'])
#[pyfunction]
#[pyo3(signature = (array, policy=None))]
pub(crate) fn judge(
    array: &Bound<'_, PyAny>,
    policy: Option<PyRef<'_, Policy>>,
) -> PyResult<Array> {
    crate::judge::with(policy.as_deref(), |policy| each(array, |rows| kernels::judge(rows, policy)))
}

/// Resolves each reference relative to a base, which is one text or ``IriRef``, or an array with a base for each row.
///
/// >>> arrow.resolve("http://a/b/c", ["../d", "a|b"]).to_pylist()
/// ['http://a/d', None]
#[pyfunction]
pub(crate) fn resolve(base: &Bound<'_, PyAny>, references: &Bound<'_, PyAny>) -> PyResult<Array> {
    with_base(base, references, kernels::resolve)
}

/// Returns the shortest reference for each target that resolves to it, relative to a base: one text or ``IriRef``, or an
/// array with a base for each row.
///
/// >>> arrow.relativize("http://a/b/c", ["http://a/b/d", "urn:e"]).to_pylist()
/// ['d', 'urn:e']
#[pyfunction]
pub(crate) fn relativize(base: &Bound<'_, PyAny>, targets: &Bound<'_, PyAny>) -> PyResult<Array> {
    with_base(base, targets, kernels::relativize)
}

/// Runs a kernel with a base, which is one text or `IriRef`, or an array with a base for each row.
fn with_base(
    base: &Bound<'_, PyAny>,
    array: &Bound<'_, PyAny>,
    kernel: impl Fn(&dyn Datum, &dyn arrow_array::Array) -> Result<StringViewArray, ArrowError>
    + Send
    + Sync,
) -> PyResult<Array> {
    if let Some(text) = Text::read(base.as_borrowed())? {
        let base = crate::functions::base(base.py(), &text)?;
        let base = Scalar::new(StringArray::from(vec![base.view().as_str()]));
        return each(array, |rows| kernel(&base, rows));
    }
    let (bases, rows) = (Rows::of(base)?, Rows::of(array)?);
    let chunks = base.py().detach(|| in_pairs(&bases.chunks, &rows.chunks, kernel));
    Ok(Array::new(chunks.map_err(arrow_error)?, rows.texts))
}

/// Runs a kernel over two columns, whose chunks may end at different rows. No chunk is copied: together they may have
/// more text than one array can hold.
///
/// For example, chunks of 3 and 2 rows, with chunks of 1 and 4 rows, are three pieces: of 1, 2 and 2 rows.
fn in_pairs(
    bases: &[ArrayRef],
    references: &[ArrayRef],
    kernel: impl Fn(&dyn Datum, &dyn arrow_array::Array) -> Result<StringViewArray, ArrowError>,
) -> Result<Vec<ArrayRef>, ArrowError> {
    let count = |chunks: &[ArrayRef]| chunks.iter().map(|chunk| chunk.len()).sum::<usize>();
    let (base_count, count) = (count(bases), count(references));
    if base_count != count {
        let message = format!("{base_count} bases for {count} references");
        return Err(ArrowError::InvalidArgumentError(message));
    }
    let (Some(mut bases), Some(mut references)) = (Rest::of(bases), Rest::of(references)) else {
        return Ok(Vec::new());
    };
    let mut made: Vec<ArrayRef> = Vec::new();
    loop {
        let length = bases.fill().min(references.fill());
        // Two columns without rows make one piece without rows.
        if length == 0 && !made.is_empty() {
            return Ok(made);
        }
        made.push(Arc::new(kernel(&bases.take(length), &references.take(length))?));
    }
}

/// The rows of a column that are left.
struct Rest<'a> {
    chunk: ArrayRef,
    after: std::slice::Iter<'a, ArrayRef>,
}

impl<'a> Rest<'a> {
    /// All rows of a column, which has at least one chunk.
    fn of(chunks: &'a [ArrayRef]) -> Option<Self> {
        let mut after = chunks.iter();
        Some(Self { chunk: Arc::clone(after.next()?), after })
    }

    /// Goes on to the next chunk if this chunk is used up. Returns the number of rows of the chunk: 0 only at the end.
    fn fill(&mut self) -> usize {
        while self.chunk.is_empty() {
            let Some(next) = self.after.next() else { break };
            self.chunk = Arc::clone(next);
        }
        self.chunk.len()
    }

    /// Takes this number of rows out of the chunk, which has at least that many rows.
    fn take(&mut self, length: usize) -> ArrayRef {
        let taken = self.chunk.slice(0, length);
        self.chunk = self.chunk.slice(length, self.chunk.len() - length);
        taken
    }
}
