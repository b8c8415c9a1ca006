//! One region of a text: a stretch of source, and how its characters are read. Not here: where the regions
//! are (`regions`).

use core::ops::Range;

use super::reading::Reading;

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
