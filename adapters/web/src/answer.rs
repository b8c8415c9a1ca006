//! The reasons why texts are refused. All offsets are in UTF-16.

use core::ops::Range;

use simd_iri::{Error, errors::UnknownName};

use crate::utf16;

/// The answer to texts that are refused.
#[cfg_attr(feature = "check", derive(serde::Serialize))]
pub(crate) struct ErrorAnswer {
    message: String,
    #[cfg_attr(feature = "check", serde(skip))]
    is_unknown_name: bool,
    /// Absent for an error that is not about a place in a text.
    place: Option<Place>,
}

#[cfg_attr(feature = "check", derive(serde::Serialize))]
struct Place {
    kind: &'static str,
    component: &'static str,
    start: u32,
    end: u32,
    suggestion: Option<Correction>,
}

/// A text in place of a part of the text of the caller.
#[cfg_attr(feature = "check", derive(serde::Serialize))]
pub(crate) struct Correction {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) text: String,
}

/// The answer for an error about `text`.
#[cold]
pub(crate) fn of_error(error: Error, text: &[u8]) -> ErrorAnswer {
    located(error, |span| utf16::range(text, span))
}

/// The answer for an error about a text in which `range` finds the place of a range of bytes.
pub(crate) fn located(error: Error, range: impl Fn(Range<usize>) -> [u32; 2]) -> ErrorAnswer {
    let span = error.span();
    let [start, end] = range(span.clone());
    let suggestion = error.suggestion().map(|edit| {
        let [start, end] = range(edit.span());
        Correction { start, end, text: edit.as_str().to_owned() }
    });
    ErrorAnswer {
        message: with_place(&error.to_string(), span.start, start),
        is_unknown_name: false,
        place: Some(Place {
            kind: error.kind().name(),
            component: error.component().name(),
            start,
            end,
            suggestion,
        }),
    }
}

/// The answer for an error of another type, about a range of bytes of `text`.
#[cfg(feature = "idna")]
#[cold]
pub(crate) fn at(
    kind: &'static str,
    component: &'static str,
    message: &str,
    span: Range<usize>,
    text: &[u8],
) -> ErrorAnswer {
    let byte = span.start;
    let [start, end] = utf16::range(text, span);
    let place = Place { kind, component, start, end, suggestion: None };
    ErrorAnswer {
        message: with_place(message, byte, start),
        is_unknown_name: false,
        place: Some(place),
    }
}

/// The answer for an error without a place.
#[cold]
pub(crate) fn of_message(message: impl ToString) -> ErrorAnswer {
    ErrorAnswer { message: message.to_string(), is_unknown_name: false, place: None }
}

/// The answer for an argument that is not what the function asks for. Its text is not repeated.
#[cfg(feature = "check")]
#[cold]
pub(crate) fn of_argument(message: impl ToString) -> ErrorAnswer {
    ErrorAnswer { message: message.to_string(), is_unknown_name: true, place: None }
}

/// The most names that a message lists.
const LISTED: usize = 30;

/// The answer for a text that should be a name. The text is not repeated, because an address in its place may have a password.
#[cold]
pub(crate) fn of_unknown_name(error: UnknownName) -> ErrorAnswer {
    let message = match error.names() {
        names if names.len() <= LISTED => {
            format!("no such name; write one of {}", names.join(", "))
        }
        _ => "no such name".to_owned(),
    };
    ErrorAnswer { message, is_unknown_name: true, place: None }
}

/// A message of the library with its place in units instead of bytes.
pub(crate) fn with_place(message: &str, byte: usize, unit: u32) -> String {
    message.replacen(&format!("byte {byte}"), &format!("index {unit}"), 1)
}

impl ErrorAnswer {
    /// The error before the first error.
    pub(crate) const NONE: Self =
        Self { message: String::new(), is_unknown_name: false, place: None };

    /// Tells whether a text is not a name or a value that the function knows, which is a `TypeError` in JavaScript.
    pub(crate) const fn is_unknown_name(&self) -> bool {
        self.is_unknown_name
    }

    /// Returns a line with the fields of the place, separated by spaces, and then the text of the suggestion and the message.
    /// The last field of the line is the length of the suggestion. Without a place, the line is empty.
    pub(crate) fn text(&self) -> String {
        let Some(Place { kind, component, start, end, suggestion }) = &self.place else {
            return format!("\n{}", self.message);
        };
        let place = format!("{kind} {component} {start} {end}");
        match suggestion {
            None => format!("{place}\n{}", self.message),
            Some(Correction { start, end, text }) => {
                let length = utf16::length(text.as_bytes());
                format!("{place} {start} {end} {length}\n{text}{}", self.message)
            }
        }
    }
}
