//! Arrays in and out of Python by the Arrow PyCapsule interface: capsules with the structs of Arrow's C data interface.
//!
//! This file and `quick` have all unsafe code. What a producer of arrays promises by the C data interface (that
//! pointers refer to memory of the right length until they are released) cannot be checked. Everything else is checked:
//! the name of a capsule, whether its struct was used before, the type, and each offset and each view, so that no row
//! lies outside its buffer. Whether text is UTF-8 need not be checked: text is read as bytes here, as the kernels do.
#![expect(unsafe_code, reason = "capsules hold pointers")]

use std::ffi::{CStr, CString, c_char, c_int};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, make_array, new_empty_array, new_null_array};
use arrow_schema::{DataType, Field};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use simd_iri_arrow::{TextType, with_text_type};

use super::arrow_error;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// Reads the type in a capsule.
pub(super) fn read_type(capsule: &Bound<'_, PyCapsule>) -> PyResult<DataType> {
    let pointer = capsule.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    // SAFETY: a capsule with this name, which `pointer_checked` compares, holds a pointer to such a struct, which lives
    // as long as the capsule. The capsule is borrowed, and so is the struct.
    let schema = unsafe { pointer.as_ref() };
    type_of(schema)
}

fn type_of(schema: &FFI_ArrowSchema) -> PyResult<DataType> {
    if schema.release.is_none() || schema.format.is_null() {
        return Err(PyValueError::new_err("the Arrow schema was released before"));
    }
    DataType::try_from(schema).map_err(arrow_error)
}

/// The type with which an array of text or bytes is read: bytes have the same layout as text. The type of a column
/// that holds only nulls may be `Null`.
fn type_to_read(data_type: &DataType) -> PyResult<DataType> {
    Ok(match data_type {
        DataType::Null => DataType::Null,
        DataType::Utf8 | DataType::Binary => DataType::Binary,
        DataType::LargeUtf8 | DataType::LargeBinary => DataType::LargeBinary,
        DataType::Utf8View | DataType::BinaryView => DataType::BinaryView,
        DataType::Dictionary(keys, values)
            if !matches!(**values, DataType::Dictionary(..) | DataType::Null) =>
        {
            DataType::Dictionary(keys.clone(), Box::new(type_to_read(values)?))
        }
        other => {
            let message = format!("expected an array of strings or of bytes, found {other}");
            return Err(PyTypeError::new_err(message));
        }
    })
}

/// Takes the array out of a pair of capsules.
pub(super) fn take_array(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
) -> PyResult<ArrayRef> {
    let data_type = type_to_read(&read_type(schema)?)?;
    let pointer = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: a capsule with this name, which `pointer_checked` compares, holds a pointer to such a struct, which lives
    // as long as the capsule. The interface asks a consumer to move the struct out.
    let array = unsafe { FFI_ArrowArray::from_raw(pointer.as_ptr()) };
    if array.is_released() {
        return Err(PyValueError::new_err("the Arrow array was released before"));
    }
    import(array, data_type)
}

/// Makes an array of a struct that is not released. The type is one of [`type_to_read`].
fn import(array: FFI_ArrowArray, data_type: DataType) -> PyResult<ArrayRef> {
    if data_type == DataType::Null {
        return Ok(new_null_array(&DataType::Binary, array.len()));
    }
    if array.is_empty() {
        // The offsets of an empty slice may lie after its values. arrow-rs then reads no values.
        return Ok(new_empty_array(&data_type));
    }
    // SAFETY: by the C data interface, the producer's buffers are the buffers of an array of its type, and
    // `type_to_read` gives a type with the same layout. Nothing has read the buffers yet; `validate_full` reads them
    // with checks.
    let data = unsafe { from_ffi_and_data_type(array, data_type) }.map_err(arrow_error)?;
    data.validate_full().map_err(arrow_error)?;
    Ok(make_array(data))
}

/// The arrays of a stream.
pub(super) struct Stream {
    stream: FFI_ArrowArrayStream,
    data_type: DataType,
}

impl Stream {
    /// Takes the stream out of a capsule, and asks for its type.
    pub(super) fn take(capsule: &Bound<'_, PyCapsule>) -> PyResult<Self> {
        let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
        // SAFETY: a capsule with this name, which `pointer_checked` compares, holds a pointer to such a struct, which
        // lives as long as the capsule. The interface asks a consumer to move the struct out.
        let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
        let released = || PyValueError::new_err("the Arrow stream was released before");
        let get_schema = stream.get_schema.filter(|_| stream.release.is_some());
        let get_schema = get_schema.ok_or_else(released)?;
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream is not released, and both pointers point to live structs.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        let mut stream = Self { stream, data_type: DataType::Null };
        stream.check(code)?;
        stream.data_type = type_to_read(&type_of(&schema)?)?;
        Ok(stream)
    }

    /// An array of the stream without a row.
    pub(super) fn empty(&self) -> ArrayRef {
        match &self.data_type {
            DataType::Null => new_empty_array(&DataType::Binary),
            data_type => new_empty_array(data_type),
        }
    }

    /// The next array, or `None` at the end.
    pub(super) fn next(&mut self) -> PyResult<Option<ArrayRef>> {
        let Some(get_next) = self.stream.get_next else { return Ok(None) };
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: `take` has found that the stream is not released, and only dropping it releases it. Both pointers
        // point to live structs.
        let code = unsafe { get_next(&raw mut self.stream, &raw mut array) };
        self.check(code)?;
        // By the interface, the end of a stream is an array that is released.
        let array = Some(array).filter(|array| !array.is_released());
        array.map(|array| import(array, self.data_type.clone())).transpose()
    }

    /// Raises the error of the stream if the code is not 0.
    fn check(&mut self, code: c_int) -> PyResult<()> {
        if code == 0 {
            return Ok(());
        }
        let message = self.stream.get_last_error.and_then(|get_last_error| {
            // SAFETY: the stream is not released, as in `next`.
            let message = unsafe { get_last_error(&raw mut self.stream) };
            // SAFETY: by the interface, it is null, which is checked, or a string that ends with a zero byte and lives
            // until the next call.
            (!message.is_null()).then(|| unsafe { CStr::from_ptr(message) }.to_string_lossy())
        });
        let message = message.unwrap_or_default();
        Err(PyValueError::new_err(format!("the Arrow stream failed with code {code}: {message}")))
    }
}

/// The capsule of a type.
pub(super) fn schema_capsule<'py>(
    py: Python<'py>,
    data_type: &DataType,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, schema_of(data_type).map_err(arrow_error)?, SCHEMA)
}

fn schema_of(data_type: &DataType) -> Result<FFI_ArrowSchema, arrow_schema::ArrowError> {
    FFI_ArrowSchema::try_from(&Field::new("", data_type.clone(), true))
}

/// The capsule of an array. Its buffers are shared.
pub(super) fn array_capsule<'py>(
    py: Python<'py>,
    array: &dyn Array,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), ARRAY)
}

/// The capsule of a stream of results of this type, with this type of texts. Each result is copied when the consumer
/// asks for it. If the texts stay views, the buffers are shared instead.
pub(super) fn stream_capsule<'py>(
    py: Python<'py>,
    data_type: DataType,
    arrays: Vec<ArrayRef>,
    texts: TextType,
) -> PyResult<Bound<'py, PyCapsule>> {
    let exported = Exported { data_type, arrays: arrays.into_iter(), texts, error: None };
    let exported = Box::new(exported);
    let stream = FFI_ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(exported).cast(),
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// What `private_data` of a stream of [`stream_capsule`] points to, until `release` is called.
struct Exported {
    data_type: DataType,
    arrays: std::vec::IntoIter<ArrayRef>,
    texts: TextType,
    error: Option<CString>,
}

impl Exported {
    /// Keeps an error for the consumer, and returns its code.
    fn failed(&mut self, error: &arrow_schema::ArrowError) -> c_int {
        self.error = CString::new(error.to_string()).ok();
        INVALID
    }
}

/// The code of errors in the stream interface: `EINVAL` of all systems.
const INVALID: c_int = 22;

unsafe extern "C" fn get_schema(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
    // SAFETY: by the interface, the consumer calls with the stream that it got from `stream_capsule`, one call at a
    // time, and not after `release`, which takes the functions away.
    let exported = unsafe { &mut *(*stream).private_data.cast::<Exported>() };
    match schema_of(&exported.data_type) {
        Ok(schema) => {
            // SAFETY: by the interface, `out` has room for the struct and holds nothing that needs to be released.
            unsafe { out.write(schema) };
            0
        }
        Err(error) => exported.failed(&error),
    }
}

unsafe extern "C" fn get_next(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowArray,
) -> c_int {
    // SAFETY: as in `get_schema`.
    let exported = unsafe { &mut *(*stream).private_data.cast::<Exported>() };
    let next = exported.arrays.next().map(|array| with_text_type(&array, exported.texts));
    let next = match next.transpose() {
        Ok(Some(array)) => FFI_ArrowArray::new(&array.to_data()),
        Ok(None) => FFI_ArrowArray::empty(),
        Err(error) => return exported.failed(&error),
    };
    // SAFETY: by the interface, `out` has room for the struct and holds nothing that needs to be released.
    unsafe { out.write(next) };
    0
}

unsafe extern "C" fn get_last_error(stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    // SAFETY: as in `get_schema`.
    let exported = unsafe { &*(*stream).private_data.cast::<Exported>() };
    exported.error.as_ref().map_or(std::ptr::null(), |error| error.as_ptr())
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: by the interface, the consumer calls with the stream that it got from `stream_capsule`, which is live.
    let stream = unsafe { &mut *stream };
    if stream.release.take().is_some() {
        (stream.get_schema, stream.get_next, stream.get_last_error) = (None, None, None);
        // SAFETY: `stream_capsule` made the pointer by `Box::into_raw`, and this runs once, because `release` was
        // there.
        drop(unsafe { Box::from_raw(stream.private_data.cast::<Exported>()) });
    }
}
