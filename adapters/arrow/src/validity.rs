//! Whether each row matches a rule, or is the name of a host.

use arrow_array::types::{ByteArrayType, ByteViewType};
use arrow_array::{Array, BooleanArray, GenericByteArray, GenericByteViewArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_schema::ArrowError;
use simd_iri::Rule;
use simd_iri::batch::{Batch, Bitmap, ByteSlice, Offset, TextColumn};

use crate::input::{Input, with_values};
use crate::views::ROWS;

/// Tells for each row whether it matches `rule`. Null rows are null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringViewArray;
/// use simd_iri_arrow::{Rule, is_valid};
///
/// let urls = StringViewArray::from(vec!["http://a/", "a"]);
/// assert_eq!(is_valid(&urls, Rule::Iri)?, vec![true, false].into());
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn is_valid(array: &dyn Array, rule: Rule) -> Result<BooleanArray, ArrowError> {
    let batch = Batch::new(rule);
    with_values(array, |input| match input {
        Input::Utf8(array) => in_values(array, rule),
        Input::LargeUtf8(array) => in_values(array, rule),
        Input::Binary(array) => in_values(array, rule),
        Input::LargeBinary(array) => in_values(array, rule),
        Input::Utf8View(array) => {
            Ok(in_views(array, "", |texts, valid| batch.validity(texts, valid)))
        }
        Input::BinaryView(array) => {
            Ok(in_views(array, &[], |texts, valid| batch.validity(ByteSlice::new(texts), valid)))
        }
    })
}

/// Tells for each row whether it is the name of a host (RFC 1123, section 2.1). Null rows are null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_arrow::is_hostname;
///
/// let names = StringArray::from(vec!["www.example.com", "-a", "例え.jp"]);
/// assert_eq!(is_hostname(&names)?, vec![true, false, false].into());
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn is_hostname(array: &dyn Array) -> Result<BooleanArray, ArrowError> {
    each_text(array, simd_iri::domain::is_hostname)
}

/// Tells for each row whether it is the name of a host with letters of all scripts, by IDNA2008. Null rows are null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_arrow::is_idn_hostname;
///
/// let names = StringArray::from(vec!["例え.jp", "☃.example"]);
/// assert_eq!(is_idn_hostname(&names)?, vec![true, false].into());
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn is_idn_hostname(array: &dyn Array) -> Result<BooleanArray, ArrowError> {
    each_text(array, simd_iri::domain::is_idn_hostname)
}

/// Tests each row. A row that is not UTF-8 gives false.
fn each_text(array: &dyn Array, test: impl Fn(&str) -> bool) -> Result<BooleanArray, ArrowError> {
    with_values(array, |input| {
        Ok(input.rows().map(|row| Some(row?.text().is_some_and(&test))).collect())
    })
}

fn in_values<T: ByteArrayType<Offset: Offset>>(
    array: &GenericByteArray<T>,
    rule: Rule,
) -> Result<BooleanArray, ArrowError> {
    let mut valid = Bitmap::with_capacity(array.len());
    Batch::new(rule).validity(column(array)?, &mut valid);
    Ok(booleans(valid, array.nulls()))
}

/// The bits as an array.
fn booleans(valid: Bitmap, nulls: Option<&NullBuffer>) -> BooleanArray {
    let (len, words) = (valid.len(), valid.into_words());
    // Arrow counts bits from the lowest bit of the first byte on. A word in little-endian order has the same order of
    // bits.
    let bytes = if cfg!(target_endian = "little") {
        Buffer::from_vec(words)
    } else {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    };
    BooleanArray::new(BooleanBuffer::new(bytes, 0, len), nulls.cloned())
}

/// The rows of an array for a batch.
pub(crate) fn column<T: ByteArrayType<Offset: Offset>>(
    array: &GenericByteArray<T>,
) -> Result<TextColumn<'_, T::Offset>, ArrowError> {
    let error = |error| ArrowError::InvalidArgumentError(format!("{error}"));
    let column = TextColumn::new(array.value_offsets(), array.value_data()).map_err(error)?;
    match array.nulls() {
        Some(nulls) => column.with_validity(nulls.validity(), nulls.offset()).map_err(error),
        None => Ok(column),
    }
}

/// Calls `validity` with the texts of at most [`ROWS`] rows at a time, with `null` in place of each null.
fn in_views<T: ByteViewType>(
    array: &GenericByteViewArray<T>,
    null: &T::Native,
    validity: impl Fn(&[&T::Native], &mut Bitmap),
) -> BooleanArray {
    let mut valid = Bitmap::with_capacity(array.len());
    let mut texts = Vec::with_capacity(ROWS.min(array.len()));
    let mut rows = array.iter().map(|row| row.unwrap_or(null));
    loop {
        texts.clear();
        texts.extend(rows.by_ref().take(ROWS));
        if texts.is_empty() {
            return booleans(valid, array.nulls());
        }
        validity(&texts, &mut valid);
    }
}
