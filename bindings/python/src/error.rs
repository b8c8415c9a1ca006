//! Raises `simd_iri.IriError`, which is a class of Python: the stable ABI lets no native class extend an exception.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use simd_iri::{Error, ErrorKind};

use crate::text::Characters;

/// The Python exception for an error about a text with these bytes.
#[cold]
pub(crate) fn raised(py: Python<'_>, error: Error, bytes: &[u8]) -> PyErr {
    match instance(py, error, bytes) {
        Ok(exception) => PyErr::from_value(exception),
        Err(other) => other,
    }
}

fn instance<'py>(py: Python<'py>, error: Error, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "simd_iri._error", "IriError")?;
    let span = error.span();
    let mut characters = Characters::of(bytes);
    let (start, end) = (characters.before(span.start), characters.before(span.end));
    let message = error.to_string();
    let message = if error.kind() == ErrorKind::TooLong {
        message
    } else {
        in_characters(&message, span.start, start)
    };
    // The library writes the reason, a semicolon, and the correction.
    let hint = message.split_once("; ").map(|(_, hint)| hint.to_owned());
    let (kind, component) = (error.kind().name(), error.component().name());
    class.call1((message, kind, start, end, component, hint))
}

/// A message of the library with its place in characters instead of bytes.
pub(crate) fn in_characters(message: &str, byte: usize, character: usize) -> String {
    message.replacen(&format!("byte {byte}"), &format!("character {character}"), 1)
}
