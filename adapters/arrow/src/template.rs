//! The values that a template of references finds in each row (RFC 6570).
//!
//! A variable is a text or a list, and which of the two may differ from row to row. A column has one type, so a text is a
//! list of one text here.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, MapArray, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use simd_iri_template::{Captures, Match, Template, Value};

use crate::input::{Input, Row, with_values};
use crate::lists::list_of;
use crate::views::Views;

/// Returns the values of the variables of a template in each row, as a struct with a field for each variable: a list of
/// texts. A text is a list of one text, and a variable that is undefined is null. A row that is null, is not UTF-8, or does
/// not match the template is null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these; or there are 2^31 values or more.
///
/// ```
/// use arrow_array::{Array, StringArray};
/// use arrow_array::cast::AsArray;
/// use simd_iri_template::{Match, Template};
/// use simd_iri_arrow::template_match;
///
/// let template = Template::parse("/users/{id}{?q}").unwrap();
/// let urls = StringArray::from(vec!["/users/7?q=a%20b", "/users/7/8"]);
/// let found = template_match(&urls, &template, Match::new())?;
/// let values = found.column_by_name("q").unwrap().as_list::<i32>();
/// assert_eq!(values.value(0).as_string_view().value(0), "a b");
/// assert!(found.is_null(1));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn template_match(
    array: &dyn Array,
    template: &Template,
    options: Match,
) -> Result<StructArray, ArrowError> {
    with_values(array, |input| {
        let variables: Vec<&str> = template.variables().collect();
        let places: BTreeMap<&str, usize> = variables.iter().copied().zip(0..).collect();
        let mut columns: Vec<(Views, Vec<Option<usize>>)> = variables
            .iter()
            .map(|_| (Views::new(0, Vec::new()), Vec::with_capacity(input.len())))
            .collect();
        let mut matched = Vec::with_capacity(input.len());
        for (at, captures) in captures(input, template, options).enumerate() {
            for capture in captures.iter().flat_map(Captures::iter) {
                let place = places.get(capture.name()).copied();
                if let Some((texts, lengths)) = place.and_then(|place| columns.get_mut(place)) {
                    // The rows before are undefined that have no length yet.
                    lengths.resize(at, None);
                    lengths.push(Some(push_value(texts, capture.value())));
                }
            }
            matched.push(captures.is_some());
        }
        let (mut fields, mut arrays) = (Vec::new(), Vec::<ArrayRef>::new());
        for (name, (texts, mut lengths)) in variables.iter().zip(columns) {
            lengths.resize(input.len(), None);
            let list = list_of(Arc::new(texts.finish()), &lengths, "values")?;
            fields.push(Field::new(*name, list.data_type().clone(), true));
            arrays.push(Arc::new(list));
        }
        // A template may have no variables.
        StructArray::try_new_with_length(fields.into(), arrays, nulls(&matched), input.len())
    })
}

/// Returns what [`template_match`] returns as a map from names to lists of texts, whose type is the same for each
/// template. A variable that is undefined has no entry.
///
/// # Errors
/// Those of [`template_match`].
///
/// ```
/// use arrow_array::{Array, StringArray};
/// use arrow_array::cast::AsArray;
/// use simd_iri_template::{Match, Template};
/// use simd_iri_arrow::template_map;
///
/// let template = Template::parse("/users/{id}{?q}").unwrap();
/// let found = template_map(&StringArray::from(vec!["/users/7", "/"]), &template, Match::new())?;
/// assert_eq!(found.value(0).column(0).as_string_view().iter().collect::<Vec<_>>(), [Some("id")]);
/// assert!(found.is_null(1));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn template_map(
    array: &dyn Array,
    template: &Template,
    options: Match,
) -> Result<MapArray, ArrowError> {
    with_values(array, |input| {
        let (mut names, mut texts) = (Views::new(0, Vec::new()), Views::new(0, Vec::new()));
        let (mut lengths, mut entries) = (Vec::new(), Vec::with_capacity(input.len()));
        let mut matched = Vec::with_capacity(input.len());
        for captures in captures(input, template, options) {
            let before = lengths.len();
            for capture in captures.iter().flat_map(Captures::iter) {
                names.push(capture.name(), 0);
                lengths.push(Some(push_value(&mut texts, capture.value())));
            }
            entries.push(lengths.len() - before);
            matched.push(captures.is_some());
        }
        let values = list_of(Arc::new(texts.finish()), &lengths, "values")?;
        let fields: Fields = vec![
            Field::new("key", DataType::Utf8View, false),
            Field::new("value", values.data_type().clone(), true),
        ]
        .into();
        let columns: Vec<ArrayRef> = vec![Arc::new(names.finish()), Arc::new(values)];
        let items = StructArray::try_new(fields.clone(), columns, None)?;
        let item = Arc::new(Field::new("entries", DataType::Struct(fields), false));
        let offsets = OffsetBuffer::from_lengths(entries);
        MapArray::try_new(item, offsets, items, nulls(&matched), false)
    })
}

/// What the template finds in each row.
fn captures<'t, 'a>(
    input: Input<'a>,
    template: &'t Template,
    options: Match,
) -> impl Iterator<Item = Option<Captures<'t, 'a>>> {
    input.rows().map(move |row| options.match_uri(template, row.and_then(Row::text)?))
}

/// Appends the texts of a value. Returns their number.
fn push_value(texts: &mut Views, value: &Value<'_>) -> usize {
    match value {
        Value::Text(text) => {
            texts.push(text, 0);
            1
        }
        Value::List(items) => {
            items.iter().for_each(|item| texts.push(item, 0));
            items.len()
        }
        // A match finds no map.
        Value::Map(_) => 0,
    }
}

/// The nulls of rows without a match.
fn nulls(matched: &[bool]) -> Option<NullBuffer> {
    Some(NullBuffer::from(matched)).filter(|nulls| nulls.null_count() > 0)
}
