//! The regions of a text: stretches of source that are read in one way.
//!
//! Plain text and logs are one region. Of HTML and Markdown, `html` and `markdown` know the structure. A text
//! may come in pieces: then a region is given out only if nothing that follows could change it.
//! Not here: what is found in a region (`finder`).

use core::ops::Range;

use super::reading::Reading;
use super::{html, markdown};
use crate::text::Markup;

/// A stretch of source.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// With the quotes or brackets around it, which say where a link in it ends.
    pub(crate) span: Range<usize>,
    pub(crate) reading: Reading,
    /// The part of it that is one reference by the rules of the markup.
    pub(crate) reference: Option<Reference>,
}

/// A stretch that is a reference, whatever is in it.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) span: Range<usize>,
    /// It is the base of those after it.
    pub(crate) is_base: bool,
}

impl Region {
    /// Running text.
    pub(crate) const fn text(span: Range<usize>, reading: Reading) -> Self {
        Self { span, reading, reference: None }
    }

    /// Nothing but structure up to a place.
    pub(crate) const fn nothing(at: usize) -> Self {
        Self::text(at..at, Reading::Literal)
    }
}

/// Where in the structure of a text the next region begins.
#[derive(Clone, Copy, Debug)]
pub(crate) enum State {
    Words(Reading),
    Html(html::State),
    Markdown(markdown::State),
}

impl State {
    pub(crate) const fn new(markup: Markup) -> Self {
        match markup {
            Markup::Plain => Self::Words(Reading::Literal),
            Markup::Log => Self::Words(Reading::Backslash),
            Markup::Markdown => Self::Markdown(markdown::State::new()),
            Markup::Html => Self::Html(html::State::Data),
        }
    }

    /// The region at a place, and where the one after it begins; `None` if there is nothing, or if only the
    /// rest of the text, which is not whole, can tell.
    pub(crate) fn next(
        &mut self,
        text: &str,
        at: usize,
        is_whole: bool,
    ) -> Option<(Region, usize)> {
        if at >= text.len() {
            return None;
        }
        match self {
            Self::Words(reading) => {
                let end = words_end(text, at, is_whole)?;
                Some((Region::text(at..end, *reading), end))
            }
            Self::Html(state) => state.next(text, at, is_whole),
            Self::Markdown(state) => state.next(text, at, is_whole),
        }
    }
}

/// Where the last word from a place on ends that nothing after the text can change.
pub(crate) fn words_end(text: &str, at: usize, is_whole: bool) -> Option<usize> {
    if is_whole {
        return Some(text.len());
    }
    let words = text.as_bytes().get(at..)?;
    words.iter().rposition(|byte| is_white(*byte)).map(|last| at + last + 1)
}

/// White space that no link goes on over in running text, and no escape has in it.
pub(crate) const fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}
