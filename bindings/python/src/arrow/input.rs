//! Reads arrays of text from Python: capsules, streams of capsules, and lists.

use arrow_array::builder::LargeBinaryBuilder;
use arrow_array::{ArrayRef, new_empty_array};
use arrow_select::concat::concat;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyString};
use std::sync::Arc;

use super::{arrow_error, capsule};
use crate::iri::Iri;
use crate::text::Text;

/// Rows of text, in one chunk or more.
pub(super) struct Rows {
    pub(super) chunks: Vec<ArrayRef>,
}

impl Rows {
    /// Reads an object with `__arrow_c_array__` or `__arrow_c_stream__`, or an iterable of strings, bytes, `Iri` and
    /// `None`.
    pub(super) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
            return Err(PyTypeError::new_err("expected an array or a list, found one text"));
        }
        if let Some(method) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
            let capsules: (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
                method.call0()?.extract()?;
            return Ok(Self { chunks: vec![capsule::take_array(&capsules.0, &capsules.1)?] });
        }
        if let Some(method) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
            let capsule: Bound<'_, PyCapsule> = method.call0()?.extract()?;
            return Self::of_stream(py, &capsule);
        }
        Self::of_items(object)
    }

    fn of_stream(py: Python<'_>, capsule: &Bound<'_, PyCapsule>) -> PyResult<Self> {
        let mut stream = capsule::Stream::take(capsule)?;
        // A producer may compute, or wait for a thread that needs the interpreter.
        py.detach(|| {
            let mut chunks = Vec::new();
            while let Some(chunk) = stream.next()? {
                chunks.push(chunk);
            }
            if chunks.is_empty() {
                chunks.push(new_empty_array(stream.data_type()));
            }
            Ok(Self { chunks })
        })
    }

    fn of_items(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut rows = LargeBinaryBuilder::new();
        for (row, item) in object.try_iter()?.enumerate() {
            let item = item?;
            if item.is_none() {
                rows.append_null();
            } else if let Ok(text) = item.cast::<PyString>() {
                rows.append_value(Text::of(text)?.bytes());
            } else if let Ok(bytes) = item.cast::<PyBytes>() {
                rows.append_value(bytes.as_bytes());
            } else if let Ok(iri) = item.cast::<Iri>() {
                rows.append_value(iri.get().text());
            } else {
                let name = item.get_type().name()?;
                let message = format!("item {row} is a {name}; expected str, bytes, Iri or None");
                return Err(PyTypeError::new_err(message));
            }
        }
        Ok(Self { chunks: vec![Arc::new(rows.finish())] })
    }

    /// The rows as one chunk. Copies them if there are several.
    pub(super) fn into_one(self) -> PyResult<ArrayRef> {
        let chunks: Vec<_> = self.chunks.iter().map(AsRef::as_ref).collect();
        concat(&chunks).map_err(arrow_error)
    }
}
