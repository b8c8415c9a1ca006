//! The functions over one text.

use std::fmt::{self, Write};

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use simd_iri::{
    Base, Error, Host, Iri, IriRef, IriRefBuf, Rule, ToIri, ToUri, charset::Unmappable, kind,
};
use simd_iri_archive::Keys;
use simd_iri_lint::{DisplayRule, Lint};
use simd_iri_text::{Extract, Prepare};

use crate::error::{in_characters, lone_surrogates, raised, raised_about_dots};
use crate::names;
use crate::text::{Characters, Text};

/// A link: its text, kind, start and end, and the reference that it means, if there is one. Offsets are in characters.
type Link<'py> = (Bound<'py, PyAny>, &'static str, usize, usize, Option<String>);

/// A finding: its code, severity, start, end, component and message. Offsets are in characters.
type Finding = (&'static str, &'static str, usize, usize, &'static str, String);

/// A repair: its kind, start and end. Offsets are in characters.
type Repair = (&'static str, usize, usize);

/// Reads an IRI reference.
pub(crate) fn view<'a>(py: Python<'_>, text: &'a Text<'_>) -> PyResult<IriRef<'a>> {
    view_as(py, Rule::IriReference, text)
}

/// Reads a text that matches `rule`.
pub(crate) fn view_as<'a>(py: Python<'_>, rule: Rule, text: &'a Text<'_>) -> PyResult<IriRef<'a>> {
    parsed(py, rule, text, |utf8| IriRef::parse_as(rule, utf8))
}

/// Reads a base.
pub(crate) fn base<'a>(py: Python<'_>, text: &'a Text<'_>) -> PyResult<Base<'a, kind::Iri>> {
    parsed(py, Rule::Iri, text, Base::parse)
}

/// Parses a text with `parse`, a function of the library for texts that match `rule`.
pub(crate) fn parsed<'a, T>(
    py: Python<'_>,
    rule: Rule,
    text: &'a Text<'_>,
    parse: impl FnOnce(&'a str) -> Result<T, Error>,
) -> PyResult<T> {
    match text.utf8().map(parse) {
        Some(Ok(made)) => Ok(made),
        Some(Err(error)) => Err(raised(py, error, text.bytes())),
        None => Err(violation(py, rule, text)),
    }
}

/// The exception about a text with lone surrogates: its first violation of `rule`.
#[cold]
fn violation(py: Python<'_>, rule: Rule, text: &Text<'_>) -> PyErr {
    match rule.parse_bytes(text.bytes()) {
        Err(error) => raised(py, error, text.bytes()),
        Ok(_) => lone_surrogates(py, text.bytes()),
    }
}

/// Tells whether a text matches a start rule of the grammar: ``"iri"``, ``"iri-reference"``, ``"absolute-iri"``,
/// ``"irelative-ref"``, ``"uri"``, ``"uri-reference"``, ``"absolute-uri"`` or ``"relative-ref"``, in any case of
/// letters.
///
/// >>> is_valid("http://例え.jp/"), is_valid("http://例え.jp/", "uri"), is_valid("a|b")
/// (True, False, False)
#[pyfunction]
#[pyo3(signature = (text, rule=None))]
pub(crate) fn is_valid(text: Text<'_>, rule: Option<&str>) -> PyResult<bool> {
    let rule = rule.map_or(Ok(Rule::Iri), names::rule)?;
    Ok(text.utf8().is_some_and(|text| rule.is_valid(text)))
}

/// Normalizes an IRI reference (RFC 3987, section 5.3). The level is ``"simple"``, which changes nothing, ``"syntax"``,
/// ``"scheme"``, or ``"scheme-idna"``, by which hosts are domain names too. Raises ``IriError``.
///
/// >>> normalize("HTTP://Example.org:80/a/../%7Eb"), normalize("HTTP://Example.org:80/", "syntax")
/// ('http://example.org/~b', 'http://example.org:80/')
#[pyfunction]
#[pyo3(signature = (text, level="scheme"))]
pub(crate) fn normalize(py: Python<'_>, text: Text<'_>, level: &str) -> PyResult<String> {
    match names::normalize(level)?.map(view(py, &text)?) {
        Ok(normal) => Ok(normal.as_str().to_owned()),
        Err(error) => Err(raised(py, error, text.bytes())),
    }
}

/// Maps an IRI reference to a URI reference (RFC 3987, section 3.1). With ``idna``, hosts become domain names in ASCII
/// by UTS #46. Raises ``IriError``.
///
/// >>> to_uri("http://bücher.example/é"), to_uri("http://bücher.example/é", idna=True)
/// ('http://b%C3%BCcher.example/%C3%A9', 'http://xn--bcher-kva.example/%C3%A9')
#[pyfunction]
#[pyo3(signature = (text, *, idna=false))]
pub(crate) fn to_uri(py: Python<'_>, text: Text<'_>, idna: bool) -> PyResult<String> {
    match ToUri::new().idna(idna).map(view(py, &text)?) {
        Ok(uri) => Ok(uri.as_str().to_owned()),
        Err(error) => Err(raised(py, error, text.bytes())),
    }
}

/// Maps a URI reference to an IRI reference: decodes triplets of characters that an IRI may hold (RFC 3987, section
/// 3.2). With ``idna``, hosts that are domain names in ASCII become readable. Raises ``IriError``.
///
/// >>> to_iri("http://xn--bcher-kva.example/%C3%A9", idna=True)
/// 'http://bücher.example/é'
#[pyfunction]
#[pyo3(signature = (text, *, idna=false))]
pub(crate) fn to_iri(py: Python<'_>, text: Text<'_>, idna: bool) -> PyResult<String> {
    Ok(ToIri::new().idna(idna).map(view(py, &text)?).as_str().to_owned())
}

/// Resolves a reference relative to a base, which is an IRI (RFC 3986, section 5.2). Raises ``IriError``.
///
/// >>> resolve("http://a/b/c", "../d?é")
/// 'http://a/d?é'
#[pyfunction]
pub(crate) fn resolve(py: Python<'_>, base: Text<'_>, reference: Text<'_>) -> PyResult<String> {
    let base = self::base(py, &base)?;
    match base.resolve(view(py, &reference)?) {
        Ok(iri) => Ok(iri.into_string()),
        Err(error) => Err(raised(py, error, reference.bytes())),
    }
}

/// Returns the shortest reference that resolves to a target, relative to a base. Both are IRIs. Raises ``IriError``,
/// also if the path of the target has a dot segment, because no reference resolves to that target.
///
/// >>> relativize("http://a/b/c", "http://a/b/d?e")
/// 'd?e'
#[pyfunction]
pub(crate) fn relativize(py: Python<'_>, base: Text<'_>, target: Text<'_>) -> PyResult<String> {
    let base = self::base(py, &base)?;
    let made = base.relativize(parsed(py, Rule::Iri, &target, Iri::parse)?);
    made.map(|made| made.into_string()).map_err(|dots| raised_about_dots(py, dots, target.bytes()))
}

/// Returns the text as it is best read: an IRI in which nothing is invisible and no label of a host misleads. With the
/// policy ``"chromium"`` or ``"firefox"``, the labels of the host are in Unicode that this browser shows in Unicode. Raises
/// ``IriError`` if the text does not match the rule.
///
/// >>> display("http://xn--bcher-kva.example/%C3%A9")
/// 'http://bücher.example/é'
/// >>> display("http://b%C3%BCcher.example/"), display("http://tᴡitter.com/", policy="chromium")
/// ('http://bücher.example/', 'http://xn--titter-345b.com/')
#[pyfunction]
#[pyo3(signature = (text, rule="iri", *, policy=None))]
pub(crate) fn display(
    py: Python<'_>,
    text: Text<'_>,
    rule: &str,
    policy: Option<&str>,
) -> PyResult<String> {
    match names::display(policy)?.map(view_as(py, names::rule(rule)?, &text)?) {
        Ok(shown) => Ok(shown.as_str().to_owned()),
        Err(error) => Err(raised(py, error, text.bytes())),
    }
}

/// Returns the rule by which a browser shows an A-label (``xn--``) in the host; ``None`` if it shows every label in Unicode.
/// The policy is ``"chromium"`` or ``"firefox"``. Raises ``IriError`` if the text does not match the rule of the grammar.
///
/// >>> display_rule("http://аст.com/", "chromium"), display_rule("http://аст.ru/", "chromium")
/// ('whole-script', None)
#[pyfunction]
#[pyo3(signature = (text, policy, rule="iri"))]
pub(crate) fn display_rule(
    py: Python<'_>,
    text: Text<'_>,
    policy: &str,
    rule: &str,
) -> PyResult<Option<&'static str>> {
    let policy = names::policy(policy)?;
    let host = view_as(py, names::rule(rule)?, &text)?.host_str();
    Ok(host.and_then(|host| policy.judge(host).rule()).map(DisplayRule::name))
}

/// Returns the key by which a web archive finds a text; ``None`` if the profile rejects the text. The profile is
/// ``"wayback"``, ``"pywb"``, ``"heritrix"``, ``"urlcanon"`` or ``"ssurt"``. The text need not be a reference.
///
/// >>> archive_key("http://www.Example.com/A/?b&a#f"), archive_key("http://a.com:99999/")
/// ('com,example)/a?a&b', None)
/// >>> archive_key("http://www.a.example/", "heritrix")
/// 'http://(example,a,www,)/'
#[pyfunction]
#[pyo3(signature = (text, profile="pywb"))]
pub(crate) fn archive_key(text: Text<'_>, profile: &str) -> PyResult<Option<String>> {
    let keys = Keys::new(names::archive_profile(profile)?);
    let key = text.utf8().map(|text| keys.key(text)).filter(|key| !key.is_rejected());
    Ok(key.map(simd_iri_archive::Key::into_string))
}

/// Returns the registrable domain, by the list of public suffixes; ``None`` if the text has none. Raises ``IriError`` if
/// the text does not match the rule.
///
/// >>> registrable_domain("http://www.example.co.uk/"), registrable_domain("urn:a")
/// ('example.co.uk', None)
#[pyfunction]
#[pyo3(signature = (text, rule="iri"))]
pub(crate) fn registrable_domain(
    py: Python<'_>,
    text: Text<'_>,
    rule: &str,
) -> PyResult<Option<String>> {
    let view = view_as(py, names::rule(rule)?, &text)?;
    Ok(view.registrable_domain().map(|domain| domain.into_owned()))
}

/// Returns the origin (RFC 6454), in ASCII; ``None`` if it is opaque. Raises ``IriError`` if the text does not match the
/// rule.
///
/// >>> origin("HTTP://A:80/b"), origin("urn:a")
/// ('http://a', None)
#[pyfunction]
#[pyo3(signature = (text, rule="iri"))]
pub(crate) fn origin(py: Python<'_>, text: Text<'_>, rule: &str) -> PyResult<Option<String>> {
    Ok(view_as(py, names::rule(rule)?, &text)?.origin().map(|origin| origin.to_string()))
}

/// Returns the decoded value of the first pair with a name in the query; ``None`` if there is no such pair. A plus sign
/// is a plus sign. Raises ``IriError`` if the text does not match the rule.
///
/// >>> query_value("http://a/?q=%C3%A9&b", "q"), query_value("http://a/", "q")
/// ('é', None)
#[pyfunction]
#[pyo3(signature = (text, name, rule="iri"))]
pub(crate) fn query_value(
    py: Python<'_>,
    text: Text<'_>,
    name: &str,
    rule: &str,
) -> PyResult<Option<String>> {
    Ok(first_value(view_as(py, names::rule(rule)?, &text)?, name))
}

/// The decoded value of the first pair with this name.
pub(crate) fn first_value(view: IriRef<'_>, name: &str) -> Option<String> {
    view.query_value(name).map(std::borrow::Cow::into_owned)
}

/// Returns a number of 64 bits, the same for texts that are equivalent at a level: ``"simple"``, ``"syntax"``,
/// ``"scheme"`` or ``"scheme-idna"``. Raises ``IriError`` if the text does not match the rule.
///
/// >>> fingerprint("HTTP://a/%7e") == fingerprint("http://A/~")
/// True
#[pyfunction]
#[pyo3(signature = (text, level="scheme", rule="iri"))]
pub(crate) fn fingerprint(
    py: Python<'_>,
    text: Text<'_>,
    level: &str,
    rule: &str,
) -> PyResult<u64> {
    bits(view_as(py, names::rule(rule)?, &text)?, level)
}

/// The lower 64 bits of a fingerprint, as in a column.
pub(crate) fn bits(view: IriRef<'_>, level: &str) -> PyResult<u64> {
    Ok(names::compare(level)?.fingerprint64(view))
}

/// Returns the key of a reference: the same text for references that are equivalent at a level. The levels are those of
/// ``fingerprint``. Raises ``IriError`` if the text does not match the rule.
///
/// >>> key("HTTP://a/%7e")
/// 'http://a/~'
#[pyfunction]
#[pyo3(signature = (text, level="scheme", rule="iri"))]
pub(crate) fn key(py: Python<'_>, text: Text<'_>, level: &str, rule: &str) -> PyResult<String> {
    let view = view_as(py, names::rule(rule)?, &text)?;
    names::compare(level)?.key(view).map_err(|error| raised(py, error, text.bytes()))
}

/// Returns the kind of the host: ``"ipv4"``, ``"ipv6"``, ``"ipvfuture"`` or ``"reg-name"``; ``None`` without a host. Raises
/// ``IriError`` if the text does not match the rule.
///
/// >>> host_kind("http://[::1]/")
/// 'ipv6'
#[pyfunction]
#[pyo3(signature = (text, rule="iri"))]
pub(crate) fn host_kind(
    py: Python<'_>,
    text: Text<'_>,
    rule: &str,
) -> PyResult<Option<&'static str>> {
    Ok(view_as(py, names::rule(rule)?, &text)?.host().map(Host::kind))
}

/// Returns a text without the pairs of the query that have one of these decoded names. Raises ``IriError`` if the text is
/// not an IRI reference.
///
/// >>> drop_query_pairs("http://a/?q=1&utm_source=x", ["utm_source"])
/// 'http://a/?q=1'
#[pyfunction]
pub(crate) fn drop_query_pairs(
    py: Python<'_>,
    text: Text<'_>,
    names: Vec<String>,
) -> PyResult<String> {
    let mut reference = view(py, &text)?.to_buf();
    reference.drop_query_pairs(|name| names.iter().any(|dropped| dropped == name));
    Ok(reference.into_string())
}

/// Returns an IRI reference with these components. What a component cannot hold is percent-encoded, percent signs too.
/// Raises ``IriError`` if the components do not fit together, or if the scheme is not valid.
///
/// >>> build(scheme="https", host="a.example", path="/100% é")
/// 'https://a.example/100%25%20é'
#[pyfunction]
#[pyo3(signature = (*, scheme=None, userinfo=None, host=None, port=None, path="", query=None, fragment=None))]
#[expect(clippy::too_many_arguments, reason = "they are named where they are given")]
pub(crate) fn build(
    py: Python<'_>,
    scheme: Option<&str>,
    userinfo: Option<&str>,
    host: Option<&str>,
    port: Option<u16>,
    path: &str,
    query: Option<&str>,
    fragment: Option<&str>,
) -> PyResult<String> {
    let builder = IriRefBuf::builder().scheme(scheme).userinfo(userinfo).host(host).port(port);
    let built = builder.path(path).query(query).fragment(fragment).build();
    // The place of the error is in a component, and not in a text.
    built.map(IriRefBuf::into_string).map_err(|error| raised(py, error, b""))
}

/// Returns every reason why a text does not match a rule, in the order of the text: an ``IriError`` for each, which is not
/// raised.
///
/// >>> [error.start for error in violations("http://a/b|c?d|e")]
/// [10, 14]
#[pyfunction]
#[pyo3(signature = (text, rule="iri"))]
pub(crate) fn violations(py: Python<'_>, text: Text<'_>, rule: &str) -> PyResult<Vec<Py<PyAny>>> {
    let errors = names::rule(rule)?.violations_bytes(text.bytes());
    let raised = errors.map(|error| raised(py, error, text.bytes()).into_value(py).into_any());
    Ok(raised.collect())
}

/// Returns a reference in which each finding of a profile is corrected, if its correction means the same. Raises
/// ``IriError`` if the text does not match the rule.
///
/// >>> fix("HTTP://a/%7e", "crawler")
/// 'http://a/~'
#[pyfunction]
#[pyo3(signature = (text, profile="rfc", rule="iri-reference"))]
pub(crate) fn fix(py: Python<'_>, text: Text<'_>, profile: &str, rule: &str) -> PyResult<String> {
    let view = view_as(py, names::rule(rule)?, &text)?;
    let fixed = Lint::new(names::profile(profile)?).fix(view);
    fixed.map(|fixed| fixed.as_str().to_owned()).map_err(|error| raised(py, error, text.bytes()))
}

/// The links of a text.
#[pyfunction]
#[pyo3(signature = (text, markup="plain", *, ends="strict"))]
pub(crate) fn extract<'py>(
    py: Python<'py>,
    text: Text<'_>,
    markup: &str,
    ends: &str,
) -> PyResult<Vec<Link<'py>>> {
    let search = Extract::new().markup(names::markup(markup)?).ends(names::ends(ends)?);
    let replaced = text.replaced();
    let mut characters = Characters::of(replaced.as_bytes());
    let links = search.links(&replaced).map(|link| {
        let span = link.span();
        let (start, end) = (characters.before(span.start), characters.before(span.end));
        let reference = link.prepare().ok().map(|made| made.view().as_str().to_owned());
        Ok((text.part(py, span, start..end)?, link.kind().name(), start, end, reference))
    });
    links.collect()
}

/// A repaired text, and its repairs.
#[pyfunction]
#[pyo3(signature = (text, profile="browser-like"))]
pub(crate) fn prepare(
    py: Python<'_>,
    text: Text<'_>,
    profile: &str,
) -> PyResult<(String, Vec<Repair>)> {
    let prepare = Prepare::new(names::repairs(profile)?);
    match prepare.prepare_bytes(text.bytes()) {
        Ok(prepared) => {
            let mut characters = Characters::of(text.bytes());
            let repairs = prepared.repairs().iter().map(|repair| {
                let span = repair.span();
                let (start, end) = (characters.before(span.start), characters.before(span.end));
                (repair.kind().name(), start, end)
            });
            let repairs = repairs.collect();
            if text.utf8().is_some() {
                return Ok((prepared.into_reference().as_str().to_owned(), repairs));
            }
            // A lone surrogate is U+FFFD, as in the URL Standard, and not the byte in its place.
            let replaced = text.replaced();
            let prepared = prepare.prepare(&replaced);
            let prepared = prepared.map_err(|error| raised(py, error, replaced.as_bytes()))?;
            Ok((prepared.into_reference().as_str().to_owned(), repairs))
        }
        Err(error) => Err(raised(py, error, text.bytes())),
    }
}

/// The findings about a text.
#[pyfunction]
#[pyo3(signature = (text, profile="rfc", rule="iri-reference"))]
pub(crate) fn lint(
    py: Python<'_>,
    text: Text<'_>,
    profile: &str,
    rule: &str,
) -> PyResult<Vec<Finding>> {
    let lint = Lint::new(names::profile(profile)?);
    let view = view_as(py, names::rule(rule)?, &text)?;
    let mut characters = Characters::of(text.bytes());
    let mut findings = Vec::new();
    lint.each(view, |finding| {
        let span = finding.span();
        let (start, end) = (characters.before(span.start), characters.before(span.end));
        findings.push((
            finding.code().name(),
            finding.severity().name(),
            start,
            end,
            finding.component().name(),
            in_characters(&finding.to_string(), span.start, start),
        ));
    });
    Ok(findings)
}

/// Returns a text with ``***`` in place of what may be a password, for logs. The text need not be a reference.
///
/// >>> masked("ftp://me:s3cret@a/b"), masked("u:p w@h")
/// ('ftp://me:***@a/b', 'u:***@h')
#[pyfunction]
pub(crate) fn masked<'py>(py: Python<'py>, text: Text<'_>) -> PyResult<Bound<'py, PyAny>> {
    let replaced = text.replaced();
    let masked = simd_iri::masked(&replaced);
    if text.utf8().is_some() {
        return Ok(PyString::new(py, &masked.to_string()).into_any());
    }
    let mut parts = Parts { text: &text, replaced: &replaced, made: PyList::empty(py) };
    // A part of the text is there.
    let _ = write!(parts, "{masked}");
    PyString::new(py, "").call_method1("join", (parts.made,))
}

/// What is written, as parts of the text where it is a part of it.
struct Parts<'a, 'py> {
    text: &'a Text<'a>,
    replaced: &'a str,
    made: Bound<'py, PyList>,
}

impl Write for Parts<'_, '_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let py = self.made.py();
        let start = (part.as_ptr() as usize).wrapping_sub(self.replaced.as_ptr() as usize);
        let span = start..start.wrapping_add(part.len());
        let made = if self.replaced.get(span.clone()) == Some(part) {
            let mut characters = Characters::of(self.replaced.as_bytes());
            let place = characters.before(span.start)..characters.before(span.end);
            self.text.part(py, span, place)
        } else {
            Ok(PyString::new(py, part).into_any())
        };
        made.and_then(|made| self.made.append(made)).map_err(|_| fmt::Error)
    }
}

/// Returns the port of a reference as a number; without a port, the port that its scheme implies, or ``None``. Raises
/// ``IriError`` if the text does not match the rule.
///
/// >>> port_or_default("https://a.example/"), port_or_default("https://a.example:8443/")
/// (443, 8443)
#[pyfunction]
#[pyo3(signature = (text, rule="iri"))]
pub(crate) fn port_or_default(py: Python<'_>, text: Text<'_>, rule: &str) -> PyResult<Option<u16>> {
    Ok(view_as(py, names::rule(rule)?, &text)?.port_or_default())
}

/// Returns a host without a port in ASCII, as the DNS needs it: by UTS #46, or an address as it is. Raises ``IriError``.
///
/// >>> host_to_ascii("bücher.example")
/// 'xn--bcher-kva.example'
#[pyfunction]
pub(crate) fn host_to_ascii(py: Python<'_>, host: Text<'_>) -> PyResult<String> {
    of_host(py, &host, simd_iri::domain::host_to_ascii)
}

/// Returns a host without a port in Unicode, as people read it. Raises ``IriError``.
///
/// >>> host_to_unicode("xn--bcher-kva.example")
/// 'bücher.example'
#[pyfunction]
pub(crate) fn host_to_unicode(py: Python<'_>, host: Text<'_>) -> PyResult<String> {
    of_host(py, &host, simd_iri::domain::host_to_unicode)
}

/// Calls a function of a host.
fn of_host(
    py: Python<'_>,
    host: &Text<'_>,
    call: fn(&str) -> Result<String, Error>,
) -> PyResult<String> {
    let text = host.utf8().ok_or_else(|| lone_surrogates(py, host.bytes()))?;
    call(text).map_err(|error| raised(py, error, host.bytes()))
}

/// Maps an IRI reference to a URI reference whose query is in a charset, such as ``"windows-1252"`` (WHATWG Encoding
/// Standard). Raises ``IriError``, also for a character that the charset does not have.
///
/// >>> to_uri_in_charset("http://a/é?é", "windows-1252")
/// 'http://a/%C3%A9?%E9'
#[pyfunction]
pub(crate) fn to_uri_in_charset(py: Python<'_>, text: Text<'_>, charset: &str) -> PyResult<String> {
    let map = ToUri::new().query_charset(names::charset(charset)?, Unmappable::Error);
    match map.map(view(py, &text)?) {
        Ok(uri) => Ok(uri.as_str().to_owned()),
        Err(error) => Err(raised(py, error, text.bytes())),
    }
}

/// Returns what a reference means if its triplets are in a charset (RFC 3987, section 7.7); ``None`` without a meaning. The
/// text may have ``%uHHHH``. Raises ``IriError``.
///
/// >>> interpret("/caf%E9", "windows-1252"), interpret("/%83A", "shift_jis")
/// ('/café', '/ア')
#[pyfunction]
pub(crate) fn interpret(py: Python<'_>, text: Text<'_>, charset: &str) -> PyResult<Option<String>> {
    let charset = names::charset(charset)?;
    let utf8 = text.utf8().ok_or_else(|| lone_surrogates(py, text.bytes()))?;
    match simd_iri_lint::interpret(utf8, &[charset]) {
        Ok(found) => Ok(found.first().map(|meaning| meaning.view().as_str().to_owned())),
        Err(error) => Err(raised(py, error, text.bytes())),
    }
}

/// Tells whether a text is the name of a host (RFC 1123, section 2.1): the format ``hostname`` of JSON Schema.
///
/// >>> is_hostname("www.example.com"), is_hostname("-a"), is_hostname("é")
/// (True, False, False)
#[pyfunction]
pub(crate) fn is_hostname(text: Text<'_>) -> bool {
    text.utf8().is_some_and(simd_iri::domain::is_hostname)
}

/// Tells whether a text is the name of a host with letters of all scripts, by IDNA2008: the format ``idn-hostname`` of
/// JSON Schema.
///
/// >>> is_idn_hostname("例え.jp"), is_idn_hostname("☃.example")
/// (True, False)
#[pyfunction]
pub(crate) fn is_idn_hostname(text: Text<'_>) -> bool {
    text.utf8().is_some_and(simd_iri::domain::is_idn_hostname)
}
