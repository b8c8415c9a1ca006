//! The error of each row that does not match.

use std::sync::Arc;

use arrow_array::builder::UInt32Builder;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_buffer::{NullBuffer, NullBufferBuilder};
use arrow_schema::{ArrowError, DataType, Field};
use simd_iri::Rule;

use crate::input::with_values;
use crate::views::Views;

/// Returns the first violation of `rule` in each row, as a struct: `kind`, `component` and `message` are text, `start`
/// and `end` are `UInt32` offsets in bytes, relative to the start of the row. A row that is null or matches is null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::{Array, StringArray};
/// use arrow_array::cast::AsArray;
/// use arrow_array::types::UInt32Type;
/// use simd_iri_arrow::{Rule, error};
///
/// let errors = error(&StringArray::from(vec!["http://a/b|c", "http://a/"]), Rule::Iri)?;
/// assert_eq!(errors.column_by_name("kind").unwrap().as_string_view().value(0), "character-not-allowed");
/// assert_eq!(errors.column_by_name("start").unwrap().as_primitive::<UInt32Type>().value(0), 10);
/// assert!(errors.is_null(1));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn error(array: &dyn Array, rule: Rule) -> Result<StructArray, ArrowError> {
    with_values(array, |input| {
        let text = || Views::new(input.len(), Vec::new());
        let (mut kind, mut component, mut message) = (text(), text(), text());
        let number = || UInt32Builder::with_capacity(input.len());
        let (mut start, mut end) = (number(), number());
        let mut there = NullBufferBuilder::new(input.len());
        for row in input.rows() {
            let error = row.and_then(|row| rule.parse_bytes(row.bytes).err());
            there.append(error.is_some());
            kind.push_option(error.map(|error| error.kind().name()), 0);
            component.push_option(error.map(|error| error.component().name()), 0);
            message.push_option(error.map(|error| error.to_string()).as_deref(), 0);
            // A row has fewer than 4 GiB: lengths in Arrow have 31 bits, and the parser refuses longer texts.
            let place = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
            start.append_option(error.map(|error| place(error.span().start)));
            end.append_option(error.map(|error| place(error.span().end)));
        }
        let field = |name, form| Field::new(name, form, true);
        let fields = [
            field("kind", DataType::Utf8View),
            field("start", DataType::UInt32),
            field("end", DataType::UInt32),
            field("component", DataType::Utf8View),
            field("message", DataType::Utf8View),
        ];
        let columns: Vec<ArrayRef> = vec![
            Arc::new(kind.finish()),
            Arc::new(start.finish()),
            Arc::new(end.finish()),
            Arc::new(component.finish()),
            Arc::new(message.finish()),
        ];
        let nulls: Option<NullBuffer> = there.finish();
        StructArray::try_new(fields.to_vec().into(), columns, nulls)
    })
}
