//! Finds the regions of a text: parts of the source that are read in one way.
//!
//! Plain text is one region, and a log is one region. `html` and `markdown` know the structure of their
//! formats. A text may arrive in parts: then a region is returned only if more text cannot change it. Not
//! here: the links of a region (`finder`).

use super::reading::Reading;
use super::region::{Next, Region, words_end};
use super::{html, markdown};
use crate::Markup;

/// The place in the structure of a text where the next region begins.
#[expect(clippy::large_enum_variant, reason = "there is one state for a document")]
#[derive(Clone, Debug)]
pub(crate) enum RegionState {
    Words(Reading),
    Html(html::PageState),
    Markdown(markdown::DocumentState),
}

impl RegionState {
    pub(crate) const fn new(markup: Markup) -> Self {
        match markup {
            Markup::Plain => Self::Words(Reading::Literal),
            Markup::Log => Self::Words(Reading::Backslash),
            Markup::Markdown => Self::Markdown(markdown::DocumentState::new()),
            Markup::Html => Self::Html(html::PageState::new()),
        }
    }

    /// Returns the region at an offset.
    pub(crate) fn next(&mut self, text: &str, at: usize, is_whole: bool) -> Next {
        if at >= text.len() {
            return None;
        }
        match self {
            Self::Words(reading) => {
                let end = words_end(text, at, is_whole)?;
                Some((Region::text(at..end, *reading), end))
            }
            Self::Html(state) => state.next(text, at, is_whole),
            Self::Markdown(state) => state.next(text, is_whole),
        }
    }
}
