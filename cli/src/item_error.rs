//! The error of an item, in the form that all commands share. Not here: the words of the library's
//! errors, and how errors are printed as lines or JSON.

use serde::Serialize;
use simd_iri::Error;

/// What is wrong with an item, or with one of its columns.
#[derive(Serialize)]
pub(crate) struct ItemError {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    /// Where, in bytes of the text that it is about.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) component: Option<&'static str>,
    /// The name of the column that it is about, if the item was cut into columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) of: Option<&'static str>,
}

impl ItemError {
    /// What is wrong with all of an item.
    pub(crate) fn whole(kind: &'static str, message: &str, item: &[u8]) -> Self {
        let message = message.to_owned();
        Self { kind, message, start: 0, end: item.len(), component: None, of: None }
    }

    /// The same, about a column.
    pub(crate) fn of(self, column: &'static str) -> Self {
        Self { of: Some(column), ..self }
    }

    /// The same, in a text of which its own begins at `at`.
    pub(crate) fn within(self, at: usize) -> Self {
        let (start, end) = (self.start.saturating_add(at), self.end.saturating_add(at));
        Self { start, end, ..self }
    }
}

impl From<Error> for ItemError {
    fn from(error: Error) -> Self {
        let span = error.span();
        Self {
            kind: error.kind().code(),
            message: error.to_string(),
            start: span.start,
            end: span.end,
            component: Some(error.component().name()),
            of: None,
        }
    }
}
