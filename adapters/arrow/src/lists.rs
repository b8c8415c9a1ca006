//! Results with a list for each row.

use std::sync::Arc;

use arrow_array::{ArrayRef, ListArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, Field};

/// Divides `items` into lists of these lengths. A row without a length is null. `what` names the items in the error.
///
/// # Errors
/// There are 2^31 items or more.
pub(crate) fn list_of(
    items: ArrayRef,
    lengths: &[Option<usize>],
    what: &str,
) -> Result<ListArray, ArrowError> {
    if i32::try_from(items.len()).is_err() {
        let message = format!("an array has 2^31 {what} or more; pass fewer rows");
        return Err(ArrowError::InvalidArgumentError(message));
    }
    let item = Arc::new(Field::new("item", items.data_type().clone(), false));
    let offsets = OffsetBuffer::from_lengths(lengths.iter().map(|length| length.unwrap_or(0)));
    let nulls: NullBuffer = lengths.iter().map(Option::is_some).collect();
    ListArray::try_new(item, offsets, items, Some(nulls).filter(|nulls| nulls.null_count() > 0))
}
