//! The functions over one text.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use simd_iri::check::Lint;
use simd_iri::text::{Extract, Prepare};
use simd_iri::{Base, IriRef, Rule, ToIri, ToUri};

use crate::error::{in_characters, raised};
use crate::names;
use crate::text::{Characters, Text};

/// A link: its text, kind, start and end, and the reference that it means, if there is one. Offsets are in characters.
type Link = (String, &'static str, usize, usize, Option<String>);

/// A finding: its code, severity, start, end, component and message. Offsets are in characters.
type Finding = (&'static str, &'static str, usize, usize, &'static str, String);

/// A repair: its kind, start and end. Offsets are in characters.
type Repair = (&'static str, usize, usize);

/// Reads an IRI reference.
pub(crate) fn view<'a>(py: Python<'_>, text: &'a Text<'_>) -> PyResult<IriRef<'a>> {
    view_as(py, Rule::IriReference, text)
}

/// Reads a text that matches `rule`.
fn view_as<'a>(py: Python<'_>, rule: Rule, text: &'a Text<'_>) -> PyResult<IriRef<'a>> {
    match text.utf8().map(|utf8| IriRef::parse_as(rule, utf8)) {
        Some(Ok(view)) => Ok(view),
        Some(Err(error)) => Err(raised(py, error, text.bytes())),
        None => Err(violation(py, rule, text)),
    }
}

/// The exception about a text with lone surrogates: its first violation of `rule`.
#[cold]
pub(crate) fn violation(py: Python<'_>, rule: Rule, text: &Text<'_>) -> PyErr {
    match rule.parse_bytes(text.bytes()) {
        Err(error) => raised(py, error, text.bytes()),
        Ok(_) => PyValueError::new_err("the text has lone surrogates"),
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
pub(crate) fn is_valid(text: &Bound<'_, PyString>, rule: Option<&str>) -> PyResult<bool> {
    let rule = rule.map_or(Ok(Rule::Iri), names::rule)?;
    Ok(Text::of(text)?.utf8().is_some_and(|text| rule.is_valid(text)))
}

/// Normalizes an IRI reference (RFC 3987, section 5.3). The level is ``"simple"``, which changes nothing, ``"syntax"``,
/// ``"scheme"``, or ``"scheme-idna"``, by which hosts are domain names too. Raises ``IriError``.
///
/// >>> normalize("HTTP://Example.org:80/a/../%7Eb"), normalize("HTTP://Example.org:80/", "scheme")
/// ('http://example.org:80/~b', 'http://example.org/')
#[pyfunction]
#[pyo3(signature = (text, level="syntax"))]
pub(crate) fn normalize(text: &Bound<'_, PyString>, level: &str) -> PyResult<String> {
    let (py, text) = (text.py(), Text::of(text)?);
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
pub(crate) fn to_uri(text: &Bound<'_, PyString>, idna: bool) -> PyResult<String> {
    let (py, text) = (text.py(), Text::of(text)?);
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
pub(crate) fn to_iri(text: &Bound<'_, PyString>, idna: bool) -> PyResult<String> {
    let (py, text) = (text.py(), Text::of(text)?);
    Ok(ToIri::new().idna(idna).map(view(py, &text)?).as_str().to_owned())
}

/// Resolves a reference relative to a base, which is an IRI (RFC 3986, section 5.2). Raises ``IriError``.
///
/// >>> resolve("http://a/b/c", "../d?é")
/// 'http://a/d?é'
#[pyfunction]
pub(crate) fn resolve(
    base: &Bound<'_, PyString>,
    reference: &Bound<'_, PyString>,
) -> PyResult<String> {
    let (py, base, text) = (base.py(), Text::of(base)?, Text::of(reference)?);
    let base = match base.utf8().map(Base::parse) {
        Some(Ok(base)) => base,
        Some(Err(error)) => return Err(raised(py, error, base.bytes())),
        None => return Err(violation(py, Rule::Iri, &base)),
    };
    match base.resolve(view(py, &text)?) {
        Ok(iri) => Ok(iri.into_string()),
        Err(error) => Err(raised(py, error, text.bytes())),
    }
}

/// The links of a text.
#[pyfunction]
#[pyo3(signature = (text, markup="plain"))]
pub(crate) fn extract(text: &Bound<'_, PyString>, markup: &str) -> PyResult<Vec<Link>> {
    let search = Extract::new().markup(names::markup(markup)?);
    let text = Text::of(text)?;
    let text = text.replaced();
    let mut characters = Characters::of(text.as_bytes());
    let links = search.links(&text).map(|link| {
        let span = link.span();
        let (start, end) = (characters.before(span.start), characters.before(span.end));
        let reference = link.prepare().ok().map(|made| made.view().as_str().to_owned());
        (link.as_str().to_owned(), link.kind().name(), start, end, reference)
    });
    Ok(links.collect())
}

/// A repaired text, and its repairs.
#[pyfunction]
#[pyo3(signature = (text, profile="browser-like"))]
pub(crate) fn prepare(
    text: &Bound<'_, PyString>,
    profile: &str,
) -> PyResult<(String, Vec<Repair>)> {
    let (py, text) = (text.py(), Text::of(text)?);
    match Prepare::new(names::repairs(profile)?).prepare_bytes(text.bytes()) {
        Ok(prepared) => {
            let mut characters = Characters::of(text.bytes());
            let repairs = prepared.repairs().iter().map(|repair| {
                let span = repair.span();
                let (start, end) = (characters.before(span.start), characters.before(span.end));
                (repair.kind().name(), start, end)
            });
            let repairs = repairs.collect();
            Ok((prepared.into_reference().as_str().to_owned(), repairs))
        }
        Err(error) => Err(raised(py, error, text.bytes())),
    }
}

/// The findings about a text.
#[pyfunction]
#[pyo3(signature = (text, profile="rfc", rule="iri-reference"))]
pub(crate) fn lint(
    text: &Bound<'_, PyString>,
    profile: &str,
    rule: &str,
) -> PyResult<Vec<Finding>> {
    let (py, text) = (text.py(), Text::of(text)?);
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

/// A text for a message: with `***` in place of a password. The library says where the password of an IRI reference is.
/// In another text, the password may be anywhere after the colon of the scheme and before the last `@`.
///
/// For example, `http://u:p/w@h|` becomes `http://u:***@h|`, and `u:p w@h` becomes `u:***@h`.
#[pyfunction]
pub(crate) fn masked(text: &Bound<'_, PyString>) -> PyResult<String> {
    let text = Text::of(text)?;
    let text = text.replaced();
    if let Ok(reference) = IriRef::parse(&text) {
        return Ok(reference.masked().to_string());
    }
    let parts = text.rsplit_once('@').and_then(|(before, after)| {
        let (start, rest) = before.split_once(':')?;
        let is_scheme = start.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
        match rest.strip_prefix("//").filter(|_| is_scheme) {
            // The password begins after the name of the user.
            Some(authority) => {
                let (user, _) = authority.split_once(':')?;
                Some((format!("{start}://{user}"), after))
            }
            None => Some((start.to_owned(), after)),
        }
    });
    Ok(parts.map_or_else(|| text.to_string(), |(before, after)| format!("{before}:***@{after}")))
}

/// Tells whether a text is the name of a host (RFC 1123, section 2.1): the format ``hostname`` of JSON Schema.
///
/// >>> is_hostname("www.example.com"), is_hostname("-a"), is_hostname("é")
/// (True, False, False)
#[pyfunction]
pub(crate) fn is_hostname(text: &Bound<'_, PyString>) -> PyResult<bool> {
    Ok(Text::of(text)?.utf8().is_some_and(simd_iri::is_hostname))
}

/// Tells whether a text is the name of a host with letters of all scripts, by IDNA2008: the format ``idn-hostname`` of
/// JSON Schema.
///
/// >>> is_idn_hostname("例え.jp"), is_idn_hostname("☃.example")
/// (True, False)
#[pyfunction]
pub(crate) fn is_idn_hostname(text: &Bound<'_, PyString>) -> PyResult<bool> {
    Ok(Text::of(text)?.utf8().is_some_and(simd_iri::is_idn_hostname))
}
