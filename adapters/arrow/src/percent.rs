//! Values percent-encoded for a place in a URI, and decoded (RFC 3986, section 2.1).

use std::borrow::Cow;

use arrow_array::{Array, StringViewArray};
use arrow_schema::ArrowError;
use simd_iri::percent::{Place, decode};

use crate::input::{Row, with_values};
use crate::views::Views;

/// Percent-encodes each row, a value, for `place`. A row need not be UTF-8.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri::percent::Place;
/// use simd_iri_arrow::percent_encode;
///
/// let values = StringArray::from(vec!["50% é/b", "a&b"]);
/// let encoded = percent_encode(&values, Place::QueryPart)?;
/// assert_eq!(encoded.iter().collect::<Vec<_>>(), [Some("50%25%20%C3%A9/b"), Some("a%26b")]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn percent_encode(array: &dyn Array, place: Place) -> Result<StringViewArray, ArrowError> {
    each_value(array, |row| Some(place.encode(row.bytes)))
}

/// Decodes the triplets of each row, a value. A row gives null if it has a percent sign without two hexadecimal digits
/// after it, or if what it means is not UTF-8.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_arrow::percent_decode;
///
/// let values = StringArray::from(vec!["50%25%20%C3%A9", "50%", "%FF"]);
/// assert_eq!(percent_decode(&values)?.iter().collect::<Vec<_>>(), [Some("50% é"), None, None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn percent_decode(array: &dyn Array) -> Result<StringViewArray, ArrowError> {
    each_value(array, |row| decode(row.text()?).utf8().ok())
}

/// Collects what `of` makes of each row.
pub(crate) fn each_value(
    array: &dyn Array,
    of: impl Fn(Row<'_>) -> Option<Cow<'_, str>>,
) -> Result<StringViewArray, ArrowError> {
    with_values(array, |input| {
        let mut texts = Views::new(input.len(), input.buffers());
        for row in input.rows() {
            let buffer = row.map_or(0, |row| row.buffer);
            texts.push_option(row.and_then(&of).as_deref(), buffer);
        }
        Ok(texts.finish())
    })
}
