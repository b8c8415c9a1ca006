//! Reads arrays of text from Python: capsules, streams of capsules, columns of pandas, and lists.

use arrow_array::ArrayRef;
use arrow_array::builder::LargeBinaryBuilder;
use pyo3::exceptions::{PyImportError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyString};
use simd_iri_arrow::TextType;
use std::sync::Arc;

use super::capsule;
use crate::text::Text;

/// Rows of text, in one chunk or more.
pub(super) struct Rows {
    pub(super) chunks: Vec<ArrayRef>,
    /// The type for texts of results.
    pub(super) texts: TextType,
}

impl Rows {
    /// Reads an object with `__arrow_c_array__` or `__arrow_c_stream__`, a column of pandas, or an iterable of strings,
    /// bytes, `IriRef` and nulls.
    pub(super) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
            return Err(PyTypeError::new_err("expected an array or a list, found one text"));
        }
        if is_of_pandas(object)? {
            return match array_in(object)? {
                Some(array) => Self::of(&array),
                None => Self::of_items(object),
            };
        }
        if let Some(method) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
            let capsules: (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
                method.call0()?.extract()?;
            return Ok(Self::new(vec![capsule::take_array(&capsules.0, &capsules.1)?]));
        }
        if let Some(method) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
            let capsule: Bound<'_, PyCapsule> = method.call0()?.extract()?;
            return Self::of_stream(py, &capsule);
        }
        Self::of_items(object)
    }

    /// Rows of arrays that have one type.
    fn new(chunks: Vec<ArrayRef>) -> Self {
        let texts = chunks.first().and_then(|chunk| TextType::of(chunk.data_type()));
        Self { chunks, texts: texts.unwrap_or(TextType::Utf8) }
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
                chunks.push(stream.empty());
            }
            Ok(Self::new(chunks))
        })
    }

    fn of_items(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut rows = LargeBinaryBuilder::new();
        for (row, item) in object.try_iter()?.enumerate() {
            let item = item?;
            if item.is_none() {
                rows.append_null();
            } else if let Some(text) = Text::read(item.as_borrowed())? {
                rows.append_value(text.bytes());
            } else if let Ok(bytes) = item.cast::<PyBytes>() {
                rows.append_value(bytes.as_bytes());
            } else if is_missing(&item)? {
                rows.append_null();
            } else {
                let name = item.get_type().name()?;
                let message = format!(
                    "item {row} is a {name}; expected str, bytes, IriRef, None or a null of pandas"
                );
                return Err(PyTypeError::new_err(message));
            }
        }
        Ok(Self { chunks: vec![Arc::new(rows.finish())], texts: TextType::Utf8 })
    }
}

/// Tells whether an object comes from pandas, such as a series, an index or an array of pandas.
fn is_of_pandas(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let module = object.get_type().getattr(intern!(object.py(), "__module__"))?;
    Ok(module
        .cast::<PyString>()
        .is_ok_and(|name| name.to_cow().is_ok_and(|name| name.split('.').next() == Some("pandas"))))
}

/// The array of pyarrow in a column of pandas, or `None` if the column holds objects.
fn array_in<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    // A series and an index have an array; an array of pandas does not have an array.
    let array = object.getattr_opt(intern!(py, "array"))?.unwrap_or_else(|| object.clone());
    let Some(method) = array.getattr_opt(intern!(py, "__arrow_array__"))? else { return Ok(None) };
    match method.call0() {
        // The column is pandas's own array of strings: pyarrow is not installed.
        Err(error) if error.is_instance_of::<PyImportError>(py) => Ok(None),
        made => made.map(Some),
    }
}

/// Tells whether an object that is not a text stands for a missing text: NaN of any kind and NaT, which are not equal
/// to themselves, and `pandas.NA`, which is neither equal nor unequal to anything.
#[cold]
fn is_missing(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = item.py();
    let pandas = py.import("sys")?.getattr("modules")?.call_method1("get", ("pandas",))?;
    if !pandas.is_none() && pandas.getattr_opt("NA")?.is_some_and(|missing| missing.is(item)) {
        return Ok(true);
    }
    // If a comparison of the object gives no truth value, as for an array, the object is not missing.
    Ok(item.ne(item).unwrap_or(false))
}
