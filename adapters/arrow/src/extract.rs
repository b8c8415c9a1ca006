//! The links in each row.

use std::sync::Arc;

use arrow_array::builder::UInt32Builder;
use arrow_array::{Array, ArrayRef, ListArray, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use simd_iri_text::Extract;

use crate::input::{Row, with_values};
use crate::lists::list_of;
use crate::views::Views;

/// Returns the fields of a link in the result of [`extract`]: the link as it is written, its kind, its byte offsets in
/// the row, and the reference that it means.
///
/// ```
/// assert_eq!(simd_iri_arrow::link_type()[4].name(), "reference");
/// ```
#[must_use]
pub fn link_type() -> Fields {
    let field = |(name, data_type, nullable)| Field::new(name, data_type, nullable);
    [
        ("text", DataType::Utf8View, false),
        ("kind", DataType::Utf8View, false),
        ("start", DataType::UInt32, false),
        ("end", DataType::UInt32, false),
        ("reference", DataType::Utf8View, true),
    ]
    .into_iter()
    .map(field)
    .collect()
}

/// Returns the links that `search` finds in each row, as a list of structs ([`link_type`]). A row without links has an
/// empty list. A row that is null or is not UTF-8 is null. A reference that cannot be made valid is null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these; there are 2^31 links or more; or a link ends
/// after the first 4 GiB of its row.
///
/// ```
/// use arrow_array::{Array, StringArray};
/// use arrow_array::cast::AsArray;
/// use simd_iri_text::Extract;
/// use simd_iri_arrow::extract;
///
/// let links = extract(&StringArray::from(vec!["See example.com.", "no link"]), Extract::new())?;
/// let first = links.value(0);
/// let references = first.as_struct().column_by_name("reference").unwrap().as_string_view();
/// assert_eq!(references.value(0), "https://example.com");
/// assert!(links.value(1).is_empty());
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn extract(array: &dyn Array, search: Extract<'_>) -> Result<ListArray, ArrowError> {
    with_values(array, |input| {
        let mut texts = Views::new(0, input.buffers());
        let (mut kinds, mut references) = (Views::new(0, Vec::new()), Views::new(0, Vec::new()));
        let (mut starts, mut ends) = (UInt32Builder::new(), UInt32Builder::new());
        let mut lengths = Vec::with_capacity(input.len());
        for row in input.rows() {
            let text = row.and_then(Row::text);
            let mut length = 0;
            for link in text.map(|text| search.links(text)).into_iter().flatten() {
                let (span, made) = (link.span(), link.prepare());
                texts.push(link.as_str(), row.map_or(0, |row| row.buffer));
                kinds.push(link.kind().name(), 0);
                starts.append_value(offset(span.start)?);
                ends.append_value(offset(span.end)?);
                references.push_option(made.as_ref().ok().map(|made| made.view().as_str()), 0);
                length += 1;
            }
            lengths.push(text.map(|_| length));
        }
        let columns: Vec<ArrayRef> = vec![
            Arc::new(texts.finish()),
            Arc::new(kinds.finish()),
            Arc::new(starts.finish()),
            Arc::new(ends.finish()),
            Arc::new(references.finish()),
        ];
        list_of(Arc::new(StructArray::try_new(link_type(), columns, None)?), &lengths, "links")
    })
}

fn offset(byte: usize) -> Result<u32, ArrowError> {
    u32::try_from(byte).map_err(|_| {
        let message = "a link ends after the first 4 GiB of its row; split the text".to_owned();
        ArrowError::InvalidArgumentError(message)
    })
}
