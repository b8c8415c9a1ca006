//! Copies results for engines that do not support arrays of views.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, LargeStringArray, ListArray, StringArray, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields};

/// Copies a result with `Utf8View` arrays, also in structs and lists, into one with `Utf8` arrays, or `LargeUtf8` if an
/// array has 2 GiB of text or more. Other arrays stay as they are.
///
/// # Errors
/// None that a result of this crate can cause: Arrow's constructors check the parts again.
///
/// ```
/// use arrow_array::{Array, StringArray};
/// use arrow_schema::DataType;
/// use simd_iri_arrow::{Component, Rule, component, without_views};
///
/// let hosts = component(&StringArray::from(vec!["http://example.org/"]), Rule::Iri, Component::Host)?;
/// assert_eq!(without_views(&hosts)?.data_type(), &DataType::Utf8);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn without_views(array: &dyn Array) -> Result<ArrayRef, ArrowError> {
    match array.data_type() {
        DataType::Utf8View => {
            let texts = array.as_string_view();
            let length: usize = texts.iter().flatten().map(str::len).sum();
            Ok(if i32::try_from(length).is_ok() {
                Arc::new(texts.iter().collect::<StringArray>())
            } else {
                Arc::new(texts.iter().collect::<LargeStringArray>())
            })
        }
        DataType::Struct(fields) => {
            let array = array.as_struct();
            let columns: Result<Vec<_>, _> =
                array.columns().iter().map(|column| without_views(column)).collect();
            let columns = columns?;
            let fields: Fields =
                fields.iter().zip(&columns).map(|(f, c)| with_type(f, c)).collect();
            Ok(Arc::new(StructArray::try_new(fields, columns, array.nulls().cloned())?))
        }
        DataType::List(field) => {
            let array = array.as_list::<i32>();
            let values = without_views(array.values())?;
            let field = Arc::new(with_type(field, &values));
            let (offsets, nulls) = (array.offsets().clone(), array.nulls().cloned());
            Ok(Arc::new(ListArray::try_new(field, offsets, values, nulls)?))
        }
        _ => Ok(array.slice(0, array.len())),
    }
}

/// The field with the type of `array`.
fn with_type(field: &Field, array: &ArrayRef) -> Field {
    field.clone().with_data_type(array.data_type().clone())
}
