//! The functions that write one text for people, documents and file systems, and read it from them.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use simd_iri::{IriBuf, Rule, document::Document};
use simd_iri_lint::DisplayUts58;
use simd_iri_lint::{Direction, Embed};

use crate::error::lone_surrogates;
use crate::functions::{view, view_as};
use crate::names;
use crate::text::Text;

/// Returns the text of a reference for running text: it has as few escapes as the detection of links by UTS #58 allows.
/// Raises ``IriError`` if the text does not match the rule.
///
/// >>> display_in_text("http://a/b.")
/// 'http://a/b%2E'
#[pyfunction]
#[pyo3(signature = (text, rule="iri"))]
pub(crate) fn display_in_text(py: Python<'_>, text: Text<'_>, rule: &str) -> PyResult<String> {
    Ok(DisplayUts58::new().map(view_as(py, names::rule(rule)?, &text)?))
}

/// Returns the characters of a reference in the order of display, from left to right. Raises ``IriError`` if the text is
/// not an IRI reference.
///
/// >>> visual("a:\u05d0\u05d1") == "a:\u05d1\u05d0"
/// True
#[pyfunction]
pub(crate) fn visual(py: Python<'_>, text: Text<'_>) -> PyResult<String> {
    Ok(simd_iri_lint::visual(view(py, &text)?).into_owned())
}

/// Returns the text of a reference for a paragraph whose direction is ``"left-to-right"`` or ``"right-to-left"``, with
/// marks around it only if they are needed. ``before`` and ``after`` are the text around it. The marks are
/// ``"embedding"``, ``"isolate"`` or ``"each-part"``. Raises ``IriError`` if the text is not an IRI reference.
///
/// >>> embed("http://a/", "right-to-left") == "\u202ahttp://a/\u202c"
/// True
#[pyfunction]
#[pyo3(signature = (text, direction, *, marks="embedding", before="", after=""))]
pub(crate) fn embed(
    py: Python<'_>,
    text: Text<'_>,
    direction: &str,
    marks: &str,
    before: &str,
    after: &str,
) -> PyResult<String> {
    let direction: Direction = names::direction(direction)?;
    let embed = Embed::new(direction).marks(names::marks(marks)?).before(before).after(after);
    Ok(embed.map(view(py, &text)?).into_owned())
}

/// Returns a text without the marks of ``embed``. Raises ``IriError`` about a lone surrogate.
///
/// >>> unembed("\u202ahttp://a/\u202c")
/// 'http://a/'
#[pyfunction]
pub(crate) fn unembed(py: Python<'_>, text: Text<'_>) -> PyResult<String> {
    let utf8 = text.utf8().ok_or_else(|| lone_surrogates(py, text.bytes()))?;
    Ok(simd_iri_lint::unembed(utf8).into_owned())
}

/// Returns a text that is the same for references that look alike (UTS #39). Raises ``IriError`` if the text does not
/// match the rule.
///
/// >>> skeleton("http://\u0455cope.example/") == skeleton("http://scope.example/")
/// True
#[pyfunction]
#[pyo3(signature = (text, rule="iri"))]
pub(crate) fn skeleton(py: Python<'_>, text: Text<'_>, rule: &str) -> PyResult<String> {
    Ok(simd_iri_lint::skeleton(view_as(py, names::rule(rule)?, &text)?))
}

/// Returns a reference as a document has it. The format is ``"html"``, ``"xml"``, ``"json"``, ``"css"``, ``"n-triples"``
/// or ``"plain"``. With ``ascii=True``, the document holds only ASCII. Raises ``IriError`` if the text is not an IRI
/// reference.
///
/// >>> escape("http://a/?b&c", "html")
/// 'http://a/?b&amp;c'
#[pyfunction]
#[pyo3(signature = (text, format, *, ascii=false))]
pub(crate) fn escape(
    py: Python<'_>,
    text: Text<'_>,
    format: &str,
    ascii: bool,
) -> PyResult<String> {
    Ok(Document::new(names::format(format)?).ascii(ascii).write(view(py, &text)?))
}

/// Reads a text with the escapes of a document; the result need not be a reference. Raises ``ValueError`` if an escape is
/// not valid, or about a lone surrogate.
///
/// >>> unescape("http://a/?b&amp;c", "html")
/// 'http://a/?b&c'
#[pyfunction]
pub(crate) fn unescape(py: Python<'_>, text: Text<'_>, format: &str) -> PyResult<String> {
    let utf8 = text.utf8().ok_or_else(|| lone_surrogates(py, text.bytes()))?;
    let read = Document::new(names::format(format)?).read(utf8).map(Cow::into_owned);
    read.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The ``file`` IRI of a name of a POSIX system, which is bytes.
#[pyfunction]
pub(crate) fn from_posix_path(name: &[u8]) -> PyResult<String> {
    named(IriBuf::from_posix_path(name).map(IriBuf::into_string))
}

/// The bytes of the name of a POSIX system that a ``file`` IRI has.
#[pyfunction]
pub(crate) fn to_posix_path(py: Python<'_>, text: Text<'_>) -> PyResult<Vec<u8>> {
    named(view_as(py, Rule::Iri, &text)?.to_posix_path())
}

/// Returns the ``file`` IRI of a name of Windows, which begins with a drive or a server. Raises ``ValueError`` if there is
/// none.
///
/// >>> from_windows_path(r"C:\a b")
/// 'file:///C:/a%20b'
#[pyfunction]
pub(crate) fn from_windows_path(name: &str) -> PyResult<String> {
    named(IriBuf::from_windows_path(name).map(IriBuf::into_string))
}

/// Returns the name of Windows that a ``file`` IRI has. Raises ``IriError`` if the text is not an IRI, and ``ValueError``
/// if the IRI has no such name.
///
/// >>> to_windows_path("file:///C:/a%20b")
/// 'C:\\a b'
#[pyfunction]
pub(crate) fn to_windows_path(py: Python<'_>, text: Text<'_>) -> PyResult<String> {
    named(view_as(py, Rule::Iri, &text)?.to_windows_path())
}

/// The result of a function about names of files.
fn named<T>(made: Result<T, simd_iri::errors::FileNameError>) -> PyResult<T> {
    made.map_err(|error| PyValueError::new_err(error.to_string()))
}
