//! Raises `simd_iri.IriError`, which is a class of Python: the stable ABI lets no native class extend an exception.

use std::ops::Range;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use simd_iri::{Component, Error, ErrorKind, errors::DotSegment};
use simd_iri_rules::RuleError;

use crate::text::{Characters, SURROGATE};

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

/// The Python exception about the first lone surrogate of a text with these bytes.
#[cold]
pub(crate) fn lone_surrogates(py: Python<'_>, bytes: &[u8]) -> PyErr {
    let span = first_surrogate(bytes);
    exception(py, "", ErrorKind::IllFormedUtf8.name(), span, Component::Reference, bytes)
}

/// The place of the first lone surrogate.
fn first_surrogate(bytes: &[u8]) -> Range<usize> {
    let start = bytes.iter().position(|byte| *byte == SURROGATE).unwrap_or(0);
    start..start + 1
}

/// The message about a lone surrogate.
fn about_surrogate(character: usize) -> String {
    format!(
        "a lone surrogate at character {character} stands for no character; remove it, or replace it by '\\ufffd'"
    )
}

/// The Python exception about the first lone surrogate of a template with these bytes.
#[cold]
pub(crate) fn surrogates_in_template(py: Python<'_>, bytes: &[u8]) -> PyErr {
    raised_about_template(py, "", first_surrogate(bytes), bytes)
}

/// The Python exception about the first lone surrogate of rules with these bytes.
#[cold]
pub(crate) fn surrogates_in_rules(py: Python<'_>, bytes: &[u8]) -> PyErr {
    let at = first_surrogate(bytes).start;
    let before = bytes.get(..at).unwrap_or_default();
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let column = 1 + Characters::of(before.get(start..).unwrap_or_default()).before(at - start);
    let message = about_surrogate(Characters::of(bytes).before(at));
    let message = format!("line {line}, column {column}: {message}");
    rule_error(py, (message, ErrorKind::IllFormedUtf8.name(), line, column))
}

/// The Python exception about a span of a template with these bytes.
#[cold]
pub(crate) fn raised_about_template(
    py: Python<'_>,
    message: &str,
    span: Range<usize>,
    template: &[u8],
) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let mut characters = Characters::of(template);
    let (start, end) = (characters.before(span.start), characters.before(span.end));
    let message = of_python(message, span.start, start, template);
    let class = CLASS.import(py, "simd_iri._error", "TemplateError");
    match class.and_then(|class| class.call1((message, start, end))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(other) => other,
    }
}

/// The Python exception for an error of a file of rules.
#[cold]
pub(crate) fn raised_about_rules(py: Python<'_>, error: RuleError) -> PyErr {
    let place = (error.line(), error.column());
    rule_error(py, (error.to_string(), error.kind().name(), place.0, place.1))
}

/// The Python exception with the message, the kind, the line and the column.
fn rule_error(py: Python<'_>, fields: (String, &str, usize, usize)) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "simd_iri._error", "RuleError");
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
    let message = of_python(message, span.start, start, bytes);
    // The library writes the reason, a semicolon, and the correction.
    let hint = message.split_once("; ").map(|(_, hint)| hint.to_owned());
    let class = CLASS.import(py, "simd_iri._error", "IriError");
    let fields = (message, kind, start, end, component.name(), hint);
    match class.and_then(|class| class.call1(fields)) {
        Ok(exception) => PyErr::from_value(exception),
        Err(other) => other,
    }
}

/// A message of the library for a user of Python, about a byte of a text with these bytes.
fn of_python(message: &str, byte: usize, character: usize, bytes: &[u8]) -> String {
    if bytes.get(byte) == Some(&SURROGATE) {
        return about_surrogate(character);
    }
    in_characters(message, byte, character)
}

/// A message of the library with its place in characters instead of bytes.
pub(crate) fn in_characters(message: &str, byte: usize, character: usize) -> String {
    message.replacen(&format!("byte {byte}"), &format!("character {character}"), 1)
}
