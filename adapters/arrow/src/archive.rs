//! The keys by which web archives find each row.

use arrow_array::{Array, StringViewArray};
use arrow_schema::ArrowError;
use simd_iri_archive::Keys;

use crate::input::with_values;
use crate::views::Views;

/// Returns the key of each row, by which a web archive finds it. A row need not be a reference. A row that the profile
/// rejects, or that is not UTF-8, is null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_archive::{Keys, Profile};
/// use simd_iri_arrow::archive_key;
///
/// let urls = StringArray::from(vec!["http://www.Example.com/A/?b&a#f", "http://a.com:99999/"]);
/// let keys = archive_key(&urls, Keys::new(Profile::Pywb))?;
/// assert_eq!(keys.iter().collect::<Vec<_>>(), [Some("com,example)/a?a&b"), None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn archive_key(array: &dyn Array, keys: Keys) -> Result<StringViewArray, ArrowError> {
    with_values(array, |input| {
        let mut texts = Views::new(input.len(), input.buffers());
        let mut key = String::new();
        for row in input.rows() {
            let text = row.and_then(|row| row.text());
            let is_key = text.is_some_and(|text| keys.key_into(text, &mut key));
            texts.push_option(is_key.then_some(key.as_str()), 0);
        }
        Ok(texts.finish())
    })
}
