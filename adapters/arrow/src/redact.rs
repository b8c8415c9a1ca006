//! Each row without its passwords, signatures and tokens.

use arrow_array::{Array, StringViewArray};
use arrow_schema::ArrowError;
use simd_iri_redact::Redact;

use crate::input::Row;
use crate::percent::each_value;

/// Writes each row without its secrets. A row need not be a reference. A row that is not UTF-8 is null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_redact::Redact;
/// use simd_iri_arrow::redact;
///
/// let urls = StringArray::from(vec!["ftp://me:pw@a/x y?sig=b", "a|b"]);
/// let redacted = redact(&urls, Redact::default())?;
/// assert_eq!(redacted.value(0), "ftp://REDACTED:REDACTED@a/x y?sig=REDACTED");
/// assert_eq!(redacted.value(1), "a|b");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn redact(array: &dyn Array, redact: Redact<'_>) -> Result<StringViewArray, ArrowError> {
    each_value(array, |row: Row<'_>| Some(redact.redact(row.text()?)))
}
