//! A region of a text: a part of the source, and how its characters are read. Not here: where the regions
//! are (`regions`).

use core::ops::Range;

use super::reading::Reading;

/// A part of the source that is read in one way.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// The range, with the quotes or brackets around it, at which a link in it ends.
    pub(crate) span: Range<usize>,
    pub(crate) reading: Reading,
    /// The part that is one reference by the rules of the markup.
    pub(crate) reference: Option<Reference>,
}

/// A part of the source that is a reference, whatever it holds.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) span: Range<usize>,
    /// Whether it is the base of the references after it.
    pub(crate) is_base: bool,
}

impl Region {
    /// Returns a region of running text.
    pub(crate) const fn text(span: Range<usize>, reading: Reading) -> Self {
        Self { span, reading, reference: None }
    }

    /// Returns an empty region at an offset, after a part without text.
    pub(crate) const fn nothing(at: usize) -> Self {
        Self::text(at..at, Reading::Literal)
    }
}

/// Returns the offset after the last word from `at` on that no further text can change.
pub(crate) fn words_end(text: &str, at: usize, is_whole: bool) -> Option<usize> {
    if is_whole {
        return Some(text.len());
    }
    let words = text.as_bytes().get(at..)?;
    words.iter().rposition(|byte| is_white(*byte)).map(|last| at + last + 1)
}

/// Tells whether a byte is white space that ends links in running text, and that no escape holds.
pub(crate) const fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}
