//! The type of the texts in a result: views, as the kernels make them, or a copy for programs that do not know views.

use std::sync::Arc;

use arrow_array::builder::GenericStringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, GenericStringArray, ListArray, MapArray, OffsetSizeTrait, StringViewArray,
    StructArray,
};
use arrow_schema::{ArrowError, DataType, Field, Fields};

/// A type of text in Arrow.
#[expect(clippy::exhaustive_enums, reason = "Arrow has these three")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextType {
    /// Offsets of 32 bits: an array has less than 2 GiB of text.
    Utf8,
    /// Offsets of 64 bits.
    LargeUtf8,
    /// Views, which refer to other buffers.
    Utf8View,
}

impl TextType {
    /// The type of the same kind as an input of the kernels: as its strings, its bytes, or the values of its
    /// dictionary. `None` if the kernels do not read the type.
    ///
    /// ```
    /// use arrow_schema::DataType;
    /// use simd_iri_arrow::TextType;
    ///
    /// assert_eq!(TextType::of(&DataType::LargeBinary), Some(TextType::LargeUtf8));
    /// assert_eq!(TextType::of(&DataType::Int8), None);
    /// ```
    #[must_use]
    pub fn of(input: &DataType) -> Option<Self> {
        let values = if let DataType::Dictionary(_, values) = input { values } else { input };
        Some(match values {
            DataType::Utf8 | DataType::Binary => Self::Utf8,
            DataType::LargeUtf8 | DataType::LargeBinary => Self::LargeUtf8,
            DataType::Utf8View | DataType::BinaryView => Self::Utf8View,
            _ => return None,
        })
    }

    /// The type of a result, with this type of texts in it.
    ///
    /// ```
    /// use arrow_schema::DataType;
    /// use simd_iri_arrow::TextType;
    ///
    /// assert_eq!(TextType::Utf8.within(&DataType::Utf8View), DataType::Utf8);
    /// assert_eq!(TextType::Utf8.within(&DataType::Boolean), DataType::Boolean);
    /// ```
    #[must_use]
    pub fn within(self, result: &DataType) -> DataType {
        match result {
            DataType::Utf8View => match self {
                Self::Utf8 => DataType::Utf8,
                Self::LargeUtf8 => DataType::LargeUtf8,
                Self::Utf8View => DataType::Utf8View,
            },
            DataType::Struct(fields) => DataType::Struct(self.within_fields(fields)),
            DataType::List(field) => DataType::List(Arc::new(self.within_field(field))),
            DataType::Map(field, is_sorted) => {
                DataType::Map(Arc::new(self.within_field(field)), *is_sorted)
            }
            other => other.clone(),
        }
    }

    fn within_fields(self, fields: &Fields) -> Fields {
        fields.iter().map(|field| self.within_field(field)).collect()
    }

    fn within_field(self, field: &Field) -> Field {
        field.clone().with_data_type(self.within(field.data_type()))
    }
}

/// Returns a result with another type of texts, also in structs, lists and maps. Other arrays, and views that stay views, are
/// not copied.
///
/// # Errors
/// A column of the result has 2 GiB of text or more, and the type is `Utf8`.
///
/// ```
/// use arrow_array::{Array, StringArray};
/// use arrow_schema::DataType;
/// use simd_iri_arrow::{Component, Rule, TextType, component, with_text_type};
///
/// let hosts = component(&StringArray::from(vec!["http://example.org/"]), Rule::Iri, Component::Host)?;
/// assert_eq!(with_text_type(&hosts, TextType::LargeUtf8)?.data_type(), &DataType::LargeUtf8);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn with_text_type(array: &dyn Array, to: TextType) -> Result<ArrayRef, ArrowError> {
    match array.data_type() {
        DataType::Utf8View => {
            let views = array.as_string_view();
            Ok(match to {
                TextType::Utf8 => Arc::new(copied::<i32>(views)?),
                TextType::LargeUtf8 => Arc::new(copied::<i64>(views)?),
                TextType::Utf8View => Arc::new(views.clone()),
            })
        }
        DataType::Struct(fields) => {
            let array = array.as_struct();
            let columns = array.columns().iter().map(|column| with_text_type(column, to));
            let (fields, nulls) = (to.within_fields(fields), array.nulls().cloned());
            let columns = columns.collect::<Result<_, _>>()?;
            // A struct may have no fields.
            let made = StructArray::try_new_with_length(fields, columns, nulls, array.len())?;
            Ok(Arc::new(made))
        }
        DataType::List(field) => {
            let array = array.as_list::<i32>();
            let values = with_text_type(array.values(), to)?;
            let field = Arc::new(to.within_field(field));
            let (offsets, nulls) = (array.offsets().clone(), array.nulls().cloned());
            Ok(Arc::new(ListArray::try_new(field, offsets, values, nulls)?))
        }
        DataType::Map(field, is_sorted) => {
            let array = array.as_map();
            let entries = with_text_type(array.entries(), to)?;
            let field = Arc::new(to.within_field(field));
            let (offsets, nulls) = (array.offsets().clone(), array.nulls().cloned());
            let entries = entries.as_struct().clone();
            Ok(Arc::new(MapArray::try_new(field, offsets, entries, nulls, *is_sorted)?))
        }
        _ => Ok(array.slice(0, array.len())),
    }
}

/// Copies a result with `Utf8View` arrays, also in structs, lists and maps, into a result with `Utf8` arrays, or with
/// `LargeUtf8` arrays if one array has 2 GiB of text or more.
///
/// # Errors
/// A result of this crate causes no error. Arrow's constructors check the parts again.
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
    let fits = i32::try_from(text_length(array)).is_ok();
    with_text_type(array, if fits { TextType::Utf8 } else { TextType::LargeUtf8 })
}

/// Returns the largest number of bytes of text in a column of a result. Reads the views, not the texts.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_arrow::{Component, Rule, component, text_length};
///
/// let hosts = component(&StringArray::from(vec!["http://ab/", "http://c/"]), Rule::Iri, Component::Host)?;
/// assert_eq!(text_length(&hosts), 3);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
#[must_use]
pub fn text_length(array: &dyn Array) -> u64 {
    match array.data_type() {
        // A view begins with the length of its text, of 32 bits. The length in the view of a null means nothing.
        DataType::Utf8View if array.null_count() == 0 => {
            array.as_string_view().views().iter().map(|view| u64::from(*view as u32)).sum()
        }
        DataType::Utf8View => {
            array.as_string_view().iter().flatten().map(|text| text.len() as u64).sum()
        }
        DataType::Struct(_) => {
            let columns = array.as_struct().columns().iter();
            columns.map(|column| text_length(column)).max().unwrap_or_default()
        }
        DataType::List(_) => text_length(array.as_list::<i32>().values()),
        DataType::Map(..) => text_length(array.as_map().entries()),
        _ => 0,
    }
}

fn copied<O: OffsetSizeTrait>(
    views: &StringViewArray,
) -> Result<GenericStringArray<O>, ArrowError> {
    let length = usize::try_from(text_length(views)).ok();
    let Some(length) = length.filter(|length| O::from_usize(*length).is_some()) else {
        let message = "the texts have 2 GiB or more, which Utf8 cannot hold; use LargeUtf8";
        return Err(ArrowError::InvalidArgumentError(message.to_owned()));
    };
    let mut texts = GenericStringBuilder::<O>::with_capacity(views.len(), length);
    views.iter().for_each(|text| texts.append_option(text));
    Ok(texts.finish())
}
