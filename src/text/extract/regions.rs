//! The regions of a text: stretches of source that are read in one way.
//!
//! Plain text and logs are one region. Of HTML and Markdown, `html` and `markdown` know the structure. A text
//! may come in pieces: then a region is given out only if nothing that follows could change it.
//! Not here: what is found in a region (`finder`).

use super::reading::Reading;
use super::region::{Region, words_end};
use super::{html, markdown};
use crate::text::Markup;

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
