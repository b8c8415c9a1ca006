//! A region of a text: a part of the source that is read in one way. Not here: where the regions are
//! (`regions`).

use core::ops::Range;

use super::attributes::Form;
use super::escapes::{Escapes, Surroundings, Within};
use super::reading::Reading;

/// A region, and the offset at which the next region begins. `None` at the end of the text, or if the text is not whole
/// and more of it is needed.
pub(crate) type Next = Option<(Region, usize)>;

/// A part of the source that is read in one way.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// The range, without the quotes or brackets around it.
    pub(crate) span: Range<usize>,
    pub(crate) reading: Reading,
    /// The part in which the markup has references.
    pub(crate) reference: Option<Reference>,
}

/// A part of the source that is a reference or holds references, by the rules of the markup.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) span: Range<usize>,
    pub(crate) form: Form,
    pub(crate) escapes: Escapes,
    /// Whether it is the base of the references of its document.
    pub(crate) is_base: bool,
}

impl Reference {
    /// Returns the references in the value of an attribute of HTML. `span` is inside the quotes, if there are quotes.
    pub(crate) const fn in_html(
        form: Form,
        span: Range<usize>,
        quote: Option<u8>,
        is_base: bool,
    ) -> Self {
        let reading = match form {
            Form::Style => Reading::HtmlStyle,
            _ => Reading::HtmlAttribute,
        };
        let escapes = Escapes::new(reading, Surroundings::Attribute(quote, Within::Whole));
        Self { span, form, escapes, is_base }
    }

    /// Returns the region of a destination of Markdown.
    pub(crate) const fn in_markdown(span: Range<usize>, escapes: Escapes) -> Region {
        let reading = escapes.reading();
        let (start, end) = (span.start, span.end);
        let reference = Self { span, form: Form::Exact, escapes, is_base: false };
        Region { span: start..end, reading, reference: Some(reference) }
    }
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

/// Returns the offset after the last word from `at` on that more text cannot change.
pub(crate) fn words_end(text: &str, at: usize, is_whole: bool) -> Option<usize> {
    if is_whole {
        return Some(text.len());
    }
    let words = text.as_bytes().get(at..)?;
    words.iter().rposition(|byte| is_white(*byte)).map(|last| at + last + 1)
}

/// Tells whether a byte is white space that ends links in running text. No escape holds such a byte.
pub(crate) const fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}
