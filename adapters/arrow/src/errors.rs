//! The errors of each row that does not match.

use std::sync::Arc;

use arrow_array::builder::UInt32Builder;
use arrow_array::{Array, ArrayRef, ListArray, StructArray};
use arrow_buffer::{NullBuffer, NullBufferBuilder};
use arrow_schema::{ArrowError, DataType, Field};
use simd_iri::{Error, Rule};

use crate::input::with_values;
use crate::lists::list_of;
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
        let mut errors = Errors::with_capacity(input.len());
        let mut there = NullBufferBuilder::new(input.len());
        for row in input.rows() {
            let error = row.and_then(|row| rule.parse_bytes(row.bytes).err());
            there.append(error.is_some());
            errors.push(error);
        }
        errors.finish(there.finish())
    })
}

/// Returns every violation of `rule` in each row, in the order of the row, as a list of structs: those of [`error`]. A
/// row that matches has an empty list. A row that is null is null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these; or there are 2^31 violations or more.
///
/// ```
/// use arrow_array::{Array, StringArray};
/// use arrow_array::cast::AsArray;
/// use arrow_array::types::UInt32Type;
/// use simd_iri_arrow::{Rule, violations};
///
/// let errors = violations(&StringArray::from(vec!["http://a/b|c?d|e", "http://a/"]), Rule::Iri)?;
/// let first = errors.value(0);
/// let starts = first.as_struct().column_by_name("start").unwrap();
/// assert_eq!(starts.as_primitive::<UInt32Type>().values(), &[10, 14]);
/// assert!(errors.value(1).is_empty());
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn violations(array: &dyn Array, rule: Rule) -> Result<ListArray, ArrowError> {
    with_values(array, |input| {
        let mut errors = Errors::with_capacity(0);
        let mut lengths = Vec::with_capacity(input.len());
        for row in input.rows() {
            lengths.push(row.map(|row| {
                let found = rule.violations_bytes(row.bytes);
                found.map(|error| errors.push(Some(error))).count()
            }));
        }
        list_of(Arc::new(errors.finish(None)?), &lengths, "violations")
    })
}

/// The columns of a struct of errors.
struct Errors {
    kind: Views,
    start: UInt32Builder,
    end: UInt32Builder,
    component: Views,
    message: Views,
}

impl Errors {
    fn with_capacity(rows: usize) -> Self {
        let text = || Views::new(rows, Vec::new());
        let number = || UInt32Builder::with_capacity(rows);
        Self { kind: text(), start: number(), end: number(), component: text(), message: text() }
    }

    /// Appends an error, or nulls.
    fn push(&mut self, error: Option<Error>) {
        self.kind.push_option(error.map(|error| error.kind().name()), 0);
        self.component.push_option(error.map(|error| error.component().name()), 0);
        self.message.push_option(error.map(|error| error.to_string()).as_deref(), 0);
        // A row has fewer than 4 GiB: lengths in Arrow have 31 bits, and the parser refuses longer texts.
        let place = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        self.start.append_option(error.map(|error| place(error.span().start)));
        self.end.append_option(error.map(|error| place(error.span().end)));
    }

    /// The structs, some of which are null.
    fn finish(mut self, nulls: Option<NullBuffer>) -> Result<StructArray, ArrowError> {
        let field = |name, form| Field::new(name, form, true);
        let fields = [
            field("kind", DataType::Utf8View),
            field("start", DataType::UInt32),
            field("end", DataType::UInt32),
            field("component", DataType::Utf8View),
            field("message", DataType::Utf8View),
        ];
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.kind.finish()),
            Arc::new(self.start.finish()),
            Arc::new(self.end.finish()),
            Arc::new(self.component.finish()),
            Arc::new(self.message.finish()),
        ];
        StructArray::try_new(fields.to_vec().into(), columns, nulls)
    }
}
