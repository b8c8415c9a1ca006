//! The error of an item, in the form that all commands share. Not here: the words of the library's messages, and how
//! errors are printed.

use std::borrow::Cow;
use std::fmt::{self, Debug, Display, Formatter};
use std::ops::Range;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use simd_iri::{Error, document::EscapeError};
use simd_iri_lint::Finding;

/// A message. It becomes text where it is written, so that an error that nobody prints costs no text.
#[derive(Clone)]
pub(crate) enum Message {
    Text(Cow<'static, str>),
    /// The message of the library about a reference.
    Reference(Error),
    /// The message of the library about a finding.
    Finding(Finding),
    /// Another message that is not made yet.
    Other(Arc<dyn Display + Send + Sync>),
}

impl Message {
    /// Returns a message that `display` writes.
    pub(crate) fn other(display: impl Display + Send + Sync + 'static) -> Self {
        Self::Other(Arc::new(display))
    }

    /// Returns a message that `write` writes. What `write` holds is cheap to make, in contrast to the text.
    pub(crate) fn made(
        write: impl Fn(&mut Formatter<'_>) -> fmt::Result + Send + Sync + 'static,
    ) -> Self {
        Self::other(Made(write))
    }
}

/// A function that writes a message.
struct Made<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for Made<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(write) = self;
        write(f)
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Reference(error) => Display::fmt(error, f),
            Self::Finding(finding) => Display::fmt(finding, f),
            Self::Other(other) => Display::fmt(other, f),
        }
    }
}

impl Debug for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// Serializes the text, piece by piece.
impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            _ => serializer.collect_str(self),
        }
    }
}

impl From<&'static str> for Message {
    fn from(text: &'static str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

/// An error of an item, or of one of its columns.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ItemError {
    pub(crate) kind: &'static str,
    pub(crate) message: Message,
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
    pub(crate) fn whole(kind: &'static str, message: impl Into<Message>, item: &[u8]) -> Self {
        Self::at(kind, message, 0..item.len())
    }

    /// Returns an error with a span.
    pub(crate) fn at(
        kind: &'static str,
        message: impl Into<Message>,
        Range { start, end }: Range<usize>,
    ) -> Self {
        Self { kind, message: message.into(), start, end, component: None, of: None }
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
            message: Message::Reference(error),
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
        let start = error.at();
        Self::at("bad-escape", Message::other(error), start..start + 1)
    }
}
