//! Embeds a reference in running text: puts formatting characters around the reference, so that it is displayed in its
//! own order, and removes them again (RFC 3987, section 4.1; draft-duerst-iri-01, section 4.2).
//!
//! The formatting characters are not part of the reference.

use alloc::borrow::Cow;
use alloc::string::String;

use unicode_bidi::{BidiClass, Level};

use super::table::class;
use super::visual::ordered;
use crate::rules::components::components;
use simd_iri::low::{debug_without_text, is_bidi_control, named, slice};
use simd_iri::{View, convert::IntoView, kind::Kind};

const LRM: char = '\u{200E}';
const LRE: char = '\u{202A}';
const PDF: char = '\u{202C}';
const LRI: char = '\u{2066}';
const PDI: char = '\u{2069}';

/// The base direction of a paragraph.
///
/// ```
/// use simd_iri_lint::{Direction, Embed};
/// use simd_iri::iri;
///
/// let hebrew = Embed::new(Direction::RightToLeft);
/// assert_eq!(hebrew.map(iri!("http://a/")), "\u{202A}http://a/\u{202C}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Left to right, as in English text.
    LeftToRight,
    /// Right to left, as in Arabic or Hebrew text.
    RightToLeft,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri_lint::Direction" Direction {
        LeftToRight = "left-to-right",
        RightToLeft = "right-to-left",
    }
}

/// The formatting characters that are put around a reference.
///
/// ```
/// use simd_iri_lint::{Direction, Embed, Marks};
/// use simd_iri::iri;
///
/// let embed = Embed::new(Direction::RightToLeft).marks(Marks::Isolate);
/// assert_eq!(embed.map(iri!("http://a/")), "\u{2066}http://a/\u{2069}");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Marks {
    /// U+202A before and U+202C after the reference (LRE…PDF). RFC 3987 names these two.
    #[default]
    Embedding,
    /// U+2066 before and U+2069 after the reference (LRI…PDI). They do not change the order of the text
    /// around the reference.
    Isolate,
    /// U+200E (LRM) before and after each part with right-to-left characters, as draft-duerst-iri-01 says. The order
    /// of display is **not the order** of RFC 3987: the parts are displayed one after the other from left to right.
    EachPart,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri_lint::Marks" Marks {
        Embedding = "embedding",
        Isolate = "isolate",
        EachPart = "each-part",
    }
}

/// How references are embedded in running text: the base direction of the paragraph, the text before and
/// after the reference, and the formatting characters.
///
/// ```
/// use simd_iri_lint::{Direction, Embed, unembed};
/// use simd_iri::iri;
///
/// let iri = iri!("http://ab.אבג/דה");
/// // At the end of an English sentence it would be displayed in its own order anyway.
/// let english = Embed::new(Direction::LeftToRight);
/// assert_eq!(english.before("see ").after(" there").map(iri), iri.as_str());
/// // Not so if something follows that runs from right to left, too.
/// let embedded = english.before("see ").after(" ו").map(iri);
/// assert_eq!(embedded, format!("\u{202A}{iri}\u{202C}"));
/// assert_eq!(unembed(&embedded), iri.as_str());
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Embed<'t> {
    direction: Direction,
    before: &'t str,
    after: &'t str,
    marks: Marks,
}

debug_without_text!([] Embed<'_>, "Embed", direction, marks);

impl<'t> Embed<'t> {
    /// Returns an embedding with LRE…PDF into a paragraph of this base direction, which holds only the reference.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::{Direction, Embed};
    /// assert_eq!(Embed::new(Direction::LeftToRight).map(iri!("a:b")), "a:b");
    /// ```
    #[must_use]
    pub const fn new(direction: Direction) -> Self {
        Self { direction, before: "", after: "", marks: Marks::Embedding }
    }

    /// Returns the embedding with this text between the start of the paragraph and the reference.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_lint::{Direction, Embed};
    /// let embed = Embed::new(Direction::LeftToRight).before("א ");
    /// assert_eq!(embed.map(iri_ref!("a")), "a");
    /// // A number would be displayed before the letter that it follows.
    /// assert_eq!(embed.map(iri_ref!("1")), "\u{202A}1\u{202C}");
    /// ```
    #[must_use]
    pub const fn before(self, before: &'t str) -> Self {
        Self { before, ..self }
    }

    /// Returns the embedding with this text between the reference and the end of the paragraph.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::{Direction, Embed};
    /// let embed = Embed::new(Direction::LeftToRight).after(" ב");
    /// assert_eq!(embed.map(iri!("a:א")), "\u{202A}a:א\u{202C}");
    /// ```
    #[must_use]
    pub const fn after(self, after: &'t str) -> Self {
        Self { after, ..self }
    }

    /// Returns the embedding with these formatting characters.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::{Direction, Embed, Marks};
    /// let embed = Embed::new(Direction::LeftToRight).marks(Marks::EachPart);
    /// assert_eq!(embed.map(iri!("a:א/ב")), "a:\u{200E}א\u{200E}/\u{200E}ב\u{200E}");
    /// ```
    #[must_use]
    pub const fn marks(self, marks: Marks) -> Self {
        Self { marks, ..self }
    }

    /// Returns the text to insert between the text before and the text after. It is the reference itself, borrowed, if
    /// the Unicode Bidirectional Algorithm displays everything in the same order without formatting characters.
    /// Otherwise it is the reference with formatting characters.
    ///
    /// A few passes over the reference and the texts beside it. A reference that holds bidi formatting
    /// characters, which section 4.1 forbids, always gets LRE…PDF or LRI…PDI.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::{Direction, Embed};
    /// let iri = iri!("http://example.org/");
    /// assert_eq!(Embed::new(Direction::LeftToRight).map(iri), iri.as_str());
    /// let embedded = Embed::new(Direction::RightToLeft).map(iri);
    /// assert_eq!(embedded, "\u{202A}http://example.org/\u{202C}");
    /// ```
    #[must_use]
    pub fn map<'a, K: Kind>(&self, view: impl IntoView<'a, Kind = K>) -> Cow<'a, str> {
        let view = view.into_view();
        let text = view.as_str();
        let is_directed = !text.is_ascii() && text.contains(is_bidi_control);
        match self.marks {
            Marks::EachPart if !is_directed => self.each_part(view),
            Marks::Isolate if is_directed || self.is_needed(text, LRI, PDI) => {
                Cow::Owned(between(LRI, text, PDI))
            }
            Marks::Isolate => Cow::Borrowed(text),
            _ if is_directed || self.is_needed(text, LRE, PDF) => {
                Cow::Owned(between(LRE, text, PDF))
            }
            _ => Cow::Borrowed(text),
        }
    }

    /// Tells whether `open` and `close` around the reference change the order of display.
    ///
    /// Computes the order of the paragraph with and without the two characters, each as offsets and characters. Then
    /// leaves `open` and `close` out of the first order, moves its offsets back to the text without them, and compares:
    ///
    /// ```text
    /// before the reference    the same offset
    /// in the reference        less the length of `open`
    /// after the reference     less the lengths of `open` and `close`
    /// ```
    fn is_needed(&self, text: &str, open: char, close: char) -> bool {
        let around = [self.before, text, self.after];
        if self.direction == Direction::LeftToRight && around.iter().all(|text| text.is_ascii()) {
            return false;
        }
        let base = match self.direction {
            Direction::LeftToRight => Level::ltr(),
            Direction::RightToLeft => Level::rtl(),
        };
        let bare = around.concat();
        let marked = [self.before, &between(open, text, close), self.after].concat();
        let opened = self.before.len();
        let closed = opened + open.len_utf8() + text.len();
        let marked = ordered(&marked, base).into_iter();
        let kept = marked.filter(|(at, _)| *at != opened && *at != closed).map(|(at, c)| {
            let shift = if at > closed { open.len_utf8() + close.len_utf8() } else { 0 };
            let inside = at > opened && at < closed;
            (at - if inside { open.len_utf8() } else { shift }, c)
        });
        !kept.eq(ordered(&bare, base))
    }

    /// Returns the reference with LRM before and after each part with right-to-left characters.
    fn each_part<'a, K: Kind>(&self, view: View<'a, K>) -> Cow<'a, str> {
        let text = view.as_str();
        let (mut out, mut done) = (String::new(), 0);
        for part in components(view.as_iri_ref(), true) {
            let is_rtl = |c| matches!(class(c), BidiClass::R | BidiClass::AL);
            if !part.text.is_ascii() && part.text.contains(is_rtl) {
                out.push_str(slice::text(text, done..part.start));
                out.push(LRM);
                out.push_str(part.text);
                out.push(LRM);
                done = part.span().end;
            }
        }
        out.push_str(slice::text(text, done..));
        match self.direction {
            Direction::RightToLeft => Cow::Owned(between(LRE, &out, PDF)),
            Direction::LeftToRight if done == 0 => Cow::Borrowed(text),
            Direction::LeftToRight => Cow::Owned(out),
        }
    }
}

fn between(open: char, text: &str, close: char) -> String {
    let mut out = String::with_capacity(text.len() + open.len_utf8() + close.len_utf8());
    out.extend([open]);
    out.push_str(text);
    out.extend([close]);
    out
}

/// Returns the reference from which [`Embed::map`] made this text: removes LRE…PDF or LRI…PDI around it,
/// and every LRM, which no IRI may hold (RFC 3987, section 4.1).
///
/// One pass; allocates if there is an LRM. The text is not checked: it need not be a reference.
///
/// ```
/// use simd_iri_lint::unembed;
///
/// assert_eq!(unembed("\u{202A}http://a/\u{202C}"), "http://a/");
/// assert_eq!(unembed("\u{2066}http://a/\u{2069}"), "http://a/");
/// assert_eq!(unembed("http://a/"), "http://a/");
/// ```
#[must_use]
pub fn unembed(text: &str) -> Cow<'_, str> {
    let inside = |open: char, close: char| text.strip_prefix(open)?.strip_suffix(close);
    let text = inside(LRE, PDF).or_else(|| inside(LRI, PDI)).unwrap_or(text);
    if text.contains(LRM) {
        Cow::Owned(text.chars().filter(|c| *c != LRM).collect())
    } else {
        Cow::Borrowed(text)
    }
}
