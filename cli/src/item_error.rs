//! The error of an item, in the form that all commands share. Not here: the messages of the library's
//! errors, and how errors are printed.

use serde::Serialize;
use simd_iri::{Error, EscapeError};

/// An error of an item, or of one of its columns.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ItemError {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    /// The first byte of the span in the item or the column.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) component: Option<&'static str>,
    /// The name of the column with the error, if the item was split into columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) of: Option<&'static str>,
}

impl ItemError {
    /// Returns an error whose span is the whole item.
    pub(crate) fn whole(kind: &'static str, message: &str, item: &[u8]) -> Self {
        let message = message.to_owned();
        Self { kind, message, start: 0, end: item.len(), component: None, of: None }
    }

    /// Returns the error of a result that is more than one line, where a result must be one line.
    pub(crate) fn lines(item: &[u8]) -> Self {
        let message =
            "the result is more than one line; --to csv and --to jsonl have a place for it";
        Self::whole("separator", message, item)
    }

    /// Returns the same error, in a column.
    pub(crate) fn of(self, column: &'static str) -> Self {
        Self { of: Some(column), ..self }
    }

    /// Returns the same error with its span moved, for a text in which the text of the error begins at
    /// `at`.
    pub(crate) fn within(self, at: usize) -> Self {
        let (start, end) = (self.start.saturating_add(at), self.end.saturating_add(at));
        Self { start, end, ..self }
    }
}

impl From<Error> for ItemError {
    fn from(error: Error) -> Self {
        let span = error.span();
        Self {
            kind: error.kind().name(),
            message: error.to_string(),
            start: span.start,
            end: span.end,
            component: Some(error.component().name()),
            of: None,
        }
    }
}

/// The position is counted in the text with the escape.
impl From<EscapeError> for ItemError {
    fn from(error: EscapeError) -> Self {
        let (start, message) = (error.at(), error.to_string());
        Self { kind: "bad-escape", message, start, end: start + 1, component: None, of: None }
    }
}
