//! Calls a function with each text of an array.

use arrow_array::Array;
use arrow_schema::ArrowError;

use crate::input::Texts;

/// Calls `each` with the bytes of every row in order, and with `None` for a null row.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::DictionaryArray;
/// use arrow_array::types::Int8Type;
/// use simd_iri_arrow::each_text;
///
/// let urls: DictionaryArray<Int8Type> = [Some("http://a/"), None, Some("http://a/")].into_iter().collect();
/// let mut rows = Vec::new();
/// each_text(&urls, |row| rows.push(row.map(<[u8]>::len)))?;
/// assert_eq!(rows, [Some(9), None, Some(9)]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn each_text(array: &dyn Array, mut each: impl FnMut(Option<&[u8]>)) -> Result<(), ArrowError> {
    Texts::of(array)?.rows().for_each(|row| each(row.map(|row| row.bytes)));
    Ok(())
}
