//! The meaning of a stretch of source: its escapes, and the text without them.
//!
//! Detection runs on meanings, and what it finds has its place in the source. So there are two texts:
//!
//! ```text
//! source   "http:\/\/a.example\/caf\u00e9"     what the file holds; spans are of this text
//! meaning  "http://a.example/café"             what a reader of the format sees; references are of this text
//! ```
//!
//! A [`Reading`] names the escapes. A stretch without an escape is its own meaning and is never copied. Of
//! others the meaning is written once (`read_into`), and no table of offsets is kept: a [`Walk`] reads the
//! source a second time, next to the meaning, and turns ascending offsets of one into offsets of the other.
//!
//! Invariants:
//! - An escape begins with a mark (`\` or `&`), holds no white space, and is whole characters of the source.
//! - Escapes do not overlap; which ones there are depends on nothing before them in the stretch.
//! - What is no escape means itself, byte by byte.
//! - An offset within the characters of one escape belongs to the whole of this escape.
//! - Reading is linear: no escape is looked at more than once a pass, and none has a search behind it.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memchr2};

use super::reader::count;
use crate::scan::slice;
use crate::transform::CharacterReferences;

/// The escapes that a stretch of source has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Reading {
    /// None.
    Literal,
    /// Those of strings of JSON (RFC 8259, section 7), and `\U` with eight digits of N-Triples.
    Backslash,
    /// Backslashes before punctuation, and character references with a semicolon (CommonMark 0.31, sections
    /// 2.4 and 2.5).
    Markdown,
    /// Character references in the text of HTML.
    HtmlText,
    /// Character references in an attribute of HTML.
    HtmlAttribute,
}

/// What an escape stands for: one character, or two.
#[derive(Clone, Copy)]
pub(crate) struct Meant {
    first: char,
    second: Option<char>,
}

impl Meant {
    const fn one(first: char) -> Self {
        Self { first, second: None }
    }

    fn push(self, text: &mut String) {
        text.push(self.first);
        text.extend(self.second);
    }

    fn len(self) -> usize {
        self.first.len_utf8() + self.second.map_or(0, char::len_utf8)
    }
}

/// An escape: where it is in the source, and what it stands for.
struct Escape {
    start: usize,
    end: usize,
    meant: Meant,
}

impl Reading {
    /// The first byte at or after `from` with which an escape may begin.
    pub(crate) fn mark(self, source: &str, from: usize) -> Option<usize> {
        let rest = source.as_bytes().get(from..)?;
        let at = match self {
            Self::Literal => None,
            Self::Backslash => memchr(b'\\', rest),
            Self::Markdown => memchr2(b'\\', b'&', rest),
            Self::HtmlText | Self::HtmlAttribute => memchr(b'&', rest),
        };
        at.map(|at| from + at)
    }

    /// The first escape at or after `from`.
    fn escape(self, source: &str, mut from: usize) -> Option<Escape> {
        while let Some(start) = self.mark(source, from) {
            count(1);
            let rest = source.get(start..)?;
            let read = match self {
                Self::Literal => None,
                Self::Backslash => backslash(rest),
                Self::Markdown => markdown(rest),
                Self::HtmlText => html(rest, CharacterReferences::HtmlText),
                Self::HtmlAttribute => html(rest, CharacterReferences::HtmlAttribute),
            };
            if let Some((meant, length)) = read {
                return Some(Escape { start, end: start + length, meant });
            }
            from = start + 1;
        }
        None
    }

    /// Tells whether there is an escape.
    pub(crate) fn has_escape(self, source: &str) -> bool {
        self.escape(source, 0).is_some()
    }

    /// What a stretch of source means; borrowed if it has no escape.
    pub(crate) fn meaning(self, source: &str) -> Cow<'_, str> {
        if !self.has_escape(source) {
            return Cow::Borrowed(source);
        }
        let mut meaning = String::new();
        self.read_into(source, &mut meaning);
        Cow::Owned(meaning)
    }

    /// Appends what a stretch of source means.
    pub(crate) fn read_into(self, source: &str, meaning: &mut String) {
        let mut at = 0;
        while let Some(Escape { start, end, meant }) = self.escape(source, at) {
            meaning.push_str(slice::text(source, at..start));
            meant.push(meaning);
            at = end;
        }
        meaning.push_str(slice::text(source, at..));
        count(source.len());
    }

    /// Makes spans of the meaning spans of the source.
    pub(crate) fn to_source(self, source: &str, spans: &mut [Range<usize>]) {
        let mut starts: Vec<_> = spans.iter_mut().map(|span| &mut span.start).collect();
        starts.sort_unstable();
        let mut walk = Walk::new(self, source);
        starts.into_iter().for_each(|start| *start = walk.start(*start));
        let mut ends: Vec<_> = spans.iter_mut().map(|span| &mut span.end).collect();
        ends.sort_unstable();
        let mut walk = Walk::new(self, source);
        ends.into_iter().for_each(|end| *end = walk.end(*end));
    }
}

/// A walk over a source next to its meaning.
pub(crate) struct Walk<'a> {
    reading: Reading,
    source: &'a str,
    /// Two places that belong together.
    at: usize,
    meant: usize,
    /// The first escape after them.
    next: Option<Escape>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(reading: Reading, source: &'a str) -> Self {
        Self { reading, source, at: 0, meant: 0, next: reading.escape(source, 0) }
    }

    /// Where in the source something begins that begins at an offset of the meaning. No offset is less than
    /// the one before it.
    pub(crate) fn start(&mut self, offset: usize) -> usize {
        self.source_of(offset, false)
    }

    /// Where in the source something ends that ends at an offset of the meaning.
    pub(crate) fn end(&mut self, offset: usize) -> usize {
        self.source_of(offset, true)
    }

    fn source_of(&mut self, offset: usize, is_end: bool) -> usize {
        while let Some(Escape { start, end, meant }) = self.next {
            let before = self.meant + (start - self.at);
            if offset <= before {
                break;
            }
            if offset < before + meant.len() {
                return if is_end { end } else { start };
            }
            (self.at, self.meant) = (end, before + meant.len());
            self.next = self.reading.escape(self.source, end);
        }
        self.at + (offset - self.meant)
    }
}

/// What an escape stands for, and its length.
type Read = Option<(Meant, usize)>;

/// The escape at the start of a text, in a string of JSON or in N-Triples. A backslash before anything else is
/// none, and neither is a number that stands for no character.
fn backslash(text: &str) -> Read {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::try_from(hexadecimal(digits)?).ok()
    };
    let single = match text.as_bytes().get(1)? {
        b'u' => {
            let units = [unit(0)?, unit(6).unwrap_or_default()];
            let c = char::decode_utf16(units).next()?.ok()?;
            return Some((Meant::one(c), 6 * c.len_utf16()));
        }
        b'U' => {
            let c = char::from_u32(hexadecimal(text.get(2..10)?)?)?;
            return Some((Meant::one(c), 10));
        }
        b'b' => '\u{8}',
        b'f' => '\u{C}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        same @ (b'"' | b'\\' | b'/') => char::from(*same),
        _ => return None,
    };
    Some((Meant::one(single), 2))
}

/// The number that a text of hexadecimal digits is; numbers of Rust may have a sign.
fn hexadecimal(digits: &str) -> Option<u32> {
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

/// The escape at the start of a text of Markdown.
fn markdown(text: &str) -> Read {
    if let Some(rest) = text.strip_prefix('\\') {
        let c = rest.chars().next().filter(char::is_ascii_punctuation)?;
        return Some((Meant::one(c), 2));
    }
    // At most seven digits, or six hexadecimal ones.
    if let Some(number) = text.strip_prefix("&#") {
        let hex = number.strip_prefix(['x', 'X']);
        let (digits, most) = hex.map_or((number, 7), |digits| (digits, 6));
        let length = digits.bytes().take(most + 1).take_while(u8::is_ascii_hexdigit).count();
        if length > most {
            return None;
        }
    }
    let (meant, length) = html(text, CharacterReferences::HtmlText)?;
    text.get(..length)?.ends_with(';').then_some((meant, length))
}

/// The character reference at the start of a text of HTML.
fn html(text: &str, rules: CharacterReferences) -> Read {
    let reference = rules.read(text).ok().flatten()?;
    let mut chars = reference.chars();
    Some((Meant { first: chars.next()?, second: chars.next() }, reference.length()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_mean_what_the_formats_say() {
        use Reading::{Backslash, HtmlAttribute, HtmlText, Literal, Markdown};
        for (reading, source, meaning) in [
            (Literal, r"a\/&amp;", r"a\/&amp;"),
            (Backslash, r"http:\/\/a\u0026\u00e9\U000000e9", "http://a&éé"),
            (
                Backslash,
                r"\ud83d\ude00\uD83D\u0041\U00110000\u+041\",
                r"😀\uD83DA\U00110000\u+041\",
            ),
            (Backslash, r#"\\\"\q\n&amp;"#, "\\\"\\q\n&amp;"),
            (
                Markdown,
                r"a\_b\)\\\é\&amp;&amp;&#x5F;&amp&#12345678;",
                r"a_b)\\é&amp;&_&amp&#12345678;",
            ),
            (HtmlText, r"a&amp;b&#xE9;&#233;&&;\_&copyb", r"a&béé&&;\_©b"),
            (HtmlAttribute, r"a&copyb&copy=&copy;&NotEqualTilde;", "a&copyb&copy=©\u{2242}\u{338}"),
        ] {
            assert_eq!(reading.meaning(source), meaning, "{source}");
        }
    }

    #[test]
    fn offsets_of_the_meaning_have_their_places_in_the_source() {
        let source = r"a\u00e9\/b\\";
        let mut walk = Walk::new(Reading::Backslash, source);
        // a is 0, é is 1 and 2, the slash is 3, b is 4, the backslash is 5.
        let starts = [0, 1, 3, 4, 5, 6].map(|offset| walk.start(offset));
        assert_eq!(starts, [0, 1, 7, 9, 10, 12]);
        let mut walk = Walk::new(Reading::Backslash, source);
        assert_eq!((walk.start(2), walk.end(2)), (1, 7));
    }
}
