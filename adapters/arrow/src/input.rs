//! The arrays that the kernels read, as rows of text.

use arrow_array::cast::AsArray;
use arrow_array::types::{ByteArrayType, ByteViewType};
use arrow_array::{
    AnyDictionaryArray, Array, ArrayRef, BinaryArray, BinaryViewArray, GenericByteArray,
    GenericByteViewArray, LargeBinaryArray, LargeStringArray, StringArray, StringViewArray,
};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::{ArrowError, DataType};
use arrow_select::take::take;

/// The number of bytes from one slice of a buffer to the next slice. Offsets in views of Arrow have 31 bits, so a view
/// of a text that begins later in a long buffer refers to a slice of that buffer.
pub(crate) const SLICE: usize = 1 << 30;

/// An array of strings or of bytes.
#[derive(Clone, Copy)]
pub(crate) enum Input<'a> {
    Utf8(&'a StringArray),
    LargeUtf8(&'a LargeStringArray),
    Utf8View(&'a StringViewArray),
    Binary(&'a BinaryArray),
    LargeBinary(&'a LargeBinaryArray),
    BinaryView(&'a BinaryViewArray),
}

/// A row that is not null.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    /// The bytes of the row.
    pub(crate) bytes: &'a [u8],
    /// The number of the buffer among [`Input::buffers`] that holds the bytes. If a view itself holds the bytes, the
    /// number is 0.
    pub(crate) buffer: usize,
}

impl<'a> Row<'a> {
    /// The row as text, or `None` if it is not UTF-8. One pass over the bytes.
    pub(crate) fn text(self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes).ok()
    }
}

impl<'a> Input<'a> {
    /// Reads `array`, which is not a dictionary.
    pub(crate) fn of(array: &'a dyn Array) -> Result<Self, ArrowError> {
        Ok(match array.data_type() {
            DataType::Utf8 => Self::Utf8(array.as_string()),
            DataType::LargeUtf8 => Self::LargeUtf8(array.as_string()),
            DataType::Utf8View => Self::Utf8View(array.as_string_view()),
            DataType::Binary => Self::Binary(array.as_binary()),
            DataType::LargeBinary => Self::LargeBinary(array.as_binary()),
            DataType::BinaryView => Self::BinaryView(array.as_binary_view()),
            other => {
                return Err(ArrowError::InvalidArgumentError(format!(
                    "expected an array of strings or of bytes, found {other}"
                )));
            }
        })
    }

    /// The array itself.
    pub(crate) fn array(self) -> &'a dyn Array {
        match self {
            Self::Utf8(array) => array,
            Self::LargeUtf8(array) => array,
            Self::Utf8View(array) => array,
            Self::Binary(array) => array,
            Self::LargeBinary(array) => array,
            Self::BinaryView(array) => array,
        }
    }

    /// The number of rows.
    pub(crate) fn len(self) -> usize {
        self.array().len()
    }

    /// Row `row`, or `None` if it is null.
    pub(crate) fn row(self, row: usize) -> Option<Row<'a>> {
        if self.array().is_null(row) {
            return None;
        }
        Some(match self {
            Self::Utf8(array) => in_values(array, row),
            Self::LargeUtf8(array) => in_values(array, row),
            Self::Utf8View(array) => in_buffers(array, row),
            Self::Binary(array) => in_values(array, row),
            Self::LargeBinary(array) => in_values(array, row),
            Self::BinaryView(array) => in_buffers(array, row),
        })
    }

    /// The rows in order; `None` for each null.
    pub(crate) fn rows(self) -> impl Iterator<Item = Option<Row<'a>>> {
        (0..self.len()).map(move |row| self.row(row))
    }

    /// The buffers that hold the rows, in slices to which views can refer. Copies nothing.
    pub(crate) fn buffers(self) -> Vec<Buffer> {
        let values = match self {
            Self::Utf8View(array) => return array.data_buffers().to_vec(),
            Self::BinaryView(array) => return array.data_buffers().to_vec(),
            Self::Utf8(array) => array.values(),
            Self::LargeUtf8(array) => array.values(),
            Self::Binary(array) => array.values(),
            Self::LargeBinary(array) => array.values(),
        };
        (0..values.len()).step_by(SLICE).map(|start| values.slice(start)).collect()
    }
}

/// The number of the slice in which a text begins that is `start` bytes after the start of its buffer.
pub(crate) fn slice_at(start: usize) -> usize {
    start / SLICE
}

fn in_values<T: ByteArrayType>(array: &GenericByteArray<T>, row: usize) -> Row<'_> {
    let bytes: &[u8] = array.value(row).as_ref();
    let start = (bytes.as_ptr() as usize).wrapping_sub(array.values().as_ptr() as usize);
    Row { bytes, buffer: slice_at(start) }
}

fn in_buffers<T: ByteViewType>(array: &GenericByteViewArray<T>, row: usize) -> Row<'_> {
    // Bits 64 to 95 of a view are the number of the buffer. If the view holds its text, these bits are a part of the
    // text.
    let buffer = array.views().get(row).map_or(0, |view| (view >> 64) as u32 as usize);
    let buffer = if buffer < array.data_buffers().len() { buffer } else { 0 };
    Row { bytes: array.value(row).as_ref(), buffer }
}

/// Calls `kernel` with `array`. If `array` is a dictionary, calls `kernel` with the values and gives each row the
/// result of its value.
pub(crate) fn with_values<R>(
    array: &dyn Array,
    kernel: impl FnOnce(Input<'_>) -> Result<R, ArrowError>,
) -> Result<R, ArrowError>
where
    R: Array + Clone + 'static,
{
    let Some(dictionary) = array.as_any_dictionary_opt() else { return kernel(Input::of(array)?) };
    let values = kernel(Input::of(dictionary.values().as_ref())?)?;
    let rows: ArrayRef = take(&values, dictionary.keys(), None)?;
    rows.as_any()
        .downcast_ref::<R>()
        .cloned()
        .ok_or_else(|| ArrowError::ComputeError("take has changed the type of an array".to_owned()))
}

/// An array of text, which may be a dictionary, row by row. A dictionary is not written out: its values may be long.
pub(crate) struct Texts<'a> {
    /// The rows, or the values of the dictionary.
    values: Input<'a>,
    /// For each row of a dictionary, the number of its value. The number of a null row means nothing.
    keys: Option<(Vec<usize>, Option<&'a NullBuffer>)>,
}

impl<'a> Texts<'a> {
    pub(crate) fn of(array: &'a dyn Array) -> Result<Self, ArrowError> {
        Ok(match array.as_any_dictionary_opt() {
            Some(dictionary) => Self {
                values: Input::of(dictionary.values().as_ref())?,
                keys: Some((keys_of(dictionary), dictionary.keys().nulls())),
            },
            None => Self { values: Input::of(array)?, keys: None },
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.as_ref().map_or(self.values.len(), |(keys, _)| keys.len())
    }

    /// Row `row`, or `None` if it is null.
    pub(crate) fn row(&self, row: usize) -> Option<Row<'a>> {
        let Some((keys, nulls)) = &self.keys else { return self.values.row(row) };
        if nulls.is_some_and(|nulls| nulls.is_null(row)) {
            return None;
        }
        let value = keys.get(row).filter(|value| **value < self.values.len())?;
        self.values.row(*value)
    }

    /// The rows in order; `None` for each null.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Option<Row<'a>>> {
        (0..self.len()).map(move |row| self.row(row))
    }
}

/// The number of the value of each row.
fn keys_of(dictionary: &dyn AnyDictionaryArray) -> Vec<usize> {
    if dictionary.values().is_empty() {
        // Arrow needs a value here; in a dictionary without values, each row is null.
        return vec![0; dictionary.len()];
    }
    dictionary.normalized_keys()
}
