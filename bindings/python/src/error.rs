//! Raises `simd_iri.IriError`, which is a class of Python: the stable ABI lets no native class extend an exception.

use std::ops::Range;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use simd_iri::text::RuleError;
use simd_iri::{Component, DotSegment, Error, ErrorKind};

use crate::text::Characters;

/// The Python exception for an error about a text with these bytes.
#[cold]
pub(crate) fn raised(py: Python<'_>, error: Error, bytes: &[u8]) -> PyErr {
    let (kind, component) = (error.kind().name(), error.component());
    exception(py, &error.to_string(), kind, error.span(), component, bytes)
}

/// The Python exception for a target with these bytes to which no reference resolves.
#[cold]
pub(crate) fn raised_about_dots(py: Python<'_>, error: DotSegment, bytes: &[u8]) -> PyErr {
    let span = error.at()..error.at() + 1;
    exception(py, &error.to_string(), "dot-segment", span, Component::Path, bytes)
}

/// The Python exception about a span of a template.
#[cold]
pub(crate) fn raised_about_template(
    py: Python<'_>,
    message: &str,
    span: Range<usize>,
    template: &str,
) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let mut characters = Characters::of(template.as_bytes());
    let (start, end) = (characters.before(span.start), characters.before(span.end));
    let message = in_characters(message, span.start, start);
    let class = CLASS.import(py, "simd_iri._error", "TemplateError");
    match class.and_then(|class| class.call1((message, start, end))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(other) => other,
    }
}

/// The Python exception for an error of a file of rules.
#[cold]
pub(crate) fn raised_about_rules(py: Python<'_>, error: RuleError) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "simd_iri._error", "RuleError");
    let fields = (error.to_string(), error.kind().name(), error.line(), error.column());
    match class.and_then(|class| class.call1(fields)) {
        Ok(exception) => PyErr::from_value(exception),
        Err(other) => other,
    }
}

/// The Python exception for a port that is out of range.
#[cold]
pub(crate) fn raised_about_port(py: Python<'_>, port: &Bound<'_, PyAny>) -> PyErr {
    let message = format!("the port {port} is out of range; write a number from 0 to 65535");
    exception(py, &message, ErrorKind::BadPort.name(), 0..0, Component::Port, b"")
}

/// An exception about a span of a text with these bytes.
fn exception(
    py: Python<'_>,
    message: &str,
    kind: &str,
    span: Range<usize>,
    component: Component,
    bytes: &[u8],
) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let mut characters = Characters::of(bytes);
    let (start, end) = (characters.before(span.start), characters.before(span.end));
    let message = in_characters(message, span.start, start);
    // The library writes the reason, a semicolon, and the correction.
    let hint = message.split_once("; ").map(|(_, hint)| hint.to_owned());
    let class = CLASS.import(py, "simd_iri._error", "IriError");
    let fields = (message, kind, start, end, component.name(), hint);
    match class.and_then(|class| class.call1(fields)) {
        Ok(exception) => PyErr::from_value(exception),
        Err(other) => other,
    }
}

/// A message of the library with its place in characters instead of bytes.
pub(crate) fn in_characters(message: &str, byte: usize, character: usize) -> String {
    message.replacen(&format!("byte {byte}"), &format!("character {character}"), 1)
}
