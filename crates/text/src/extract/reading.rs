//! The meaning of a part of the source: the text in which each escape is replaced by its characters.
//!
//! Links are searched for in meanings, and have their offsets in the source. So there are two texts:
//!
//! ```text
//! source   "http:\/\/a.example\/caf\u00e9"     what the file holds; spans are of this text
//! meaning  "http://a.example/café"             what a reader of the format sees; references are of this text
//! ```
//!
//! A [`Reading`] names the escapes. A part without an escape is its own meaning and is never copied. The
//! meaning of any other part is written once (`read_into`), without a table of offsets: a [`SourceWalk`] reads
//! the source a second time and translates ascending offsets of the meaning into offsets of the source.
//!
//! Invariants:
//! - An escape begins with a mark (`\` or `&`), holds no white space, and consists of whole characters.
//! - Escapes do not overlap, and no escape depends on the text before it, but for the character right before it.
//! - Text that is not an escape means itself.
//! - An offset in the middle of the meaning of an escape belongs to the whole escape.
//! - Reading is linear: each pass reads an escape once, and no escape needs a search.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memchr2};

use super::reader::count;
use simd_iri::low::{CharacterReferences, slice};

/// The escapes that a part of the source has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Reading {
    /// No escapes.
    Literal,
    /// The escapes of JSON strings (RFC 8259, section 7), and `\U` with eight digits of N-Triples.
    Backslash,
    /// Backslashes before punctuation, and character references with a semicolon (CommonMark 0.31, sections
    /// 2.4 and 2.5).
    Markdown,
    /// Character references in the text of HTML.
    HtmlText,
    /// Character references in an attribute of HTML.
    HtmlAttribute,
    /// Character references in an attribute of HTML, and then the escapes of CSS. An escape of CSS may end with white
    /// space, so these escapes are read only in references.
    HtmlStyle,
}

/// The meaning of an escape: one character or two characters.
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

/// An escape: its range in the source, and its meaning.
struct Escape {
    start: usize,
    end: usize,
    meant: Meant,
}

impl Reading {
    /// Returns the offset of the first byte at or after `from` that may begin an escape.
    pub(crate) fn mark(self, source: &str, from: usize) -> Option<usize> {
        let rest = source.as_bytes().get(from..)?;
        let at = match self {
            Self::Literal => None,
            Self::Backslash => memchr(b'\\', rest),
            Self::Markdown | Self::HtmlStyle => memchr2(b'\\', b'&', rest),
            Self::HtmlText | Self::HtmlAttribute => memchr(b'&', rest),
        };
        at.map(|at| from + at)
    }

    /// Returns the first escape at or after `from`.
    fn escape(self, source: &str, mut from: usize) -> Option<Escape> {
        while let Some(start) = self.mark(source, from) {
            count(1);
            let rest = source.get(start..)?;
            let read = match self {
                Self::Literal => None,
                // The end of a sequence of a terminal is ESC and a backslash.
                Self::Backslash if slice::text(source, ..start).ends_with('\u{1B}') => None,
                Self::Backslash => backslash(rest),
                Self::Markdown => markdown(rest),
                Self::HtmlText => html(rest, CharacterReferences::HtmlText),
                Self::HtmlAttribute => html(rest, CharacterReferences::HtmlAttribute),
                Self::HtmlStyle => style(rest),
            };
            if let Some((meant, length)) = read {
                return Some(Escape { start, end: start + length, meant });
            }
            from = start + 1;
        }
        None
    }

    /// Tells whether the source has an escape.
    pub(crate) fn has_escape(self, source: &str) -> bool {
        self.escape(source, 0).is_some()
    }

    /// Returns the meaning of a part of the source. Borrows the part if it has no escape.
    pub(crate) fn meaning(self, source: &str) -> Cow<'_, str> {
        if !self.has_escape(source) {
            return Cow::Borrowed(source);
        }
        let mut meaning = String::new();
        self.read_into(source, &mut meaning);
        Cow::Owned(meaning)
    }

    /// Appends the meaning of a part of the source.
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

    /// Translates spans of the meaning into spans of the source.
    pub(crate) fn to_source(self, source: &str, spans: &mut [Range<usize>]) {
        let mut starts: Vec<_> = spans.iter_mut().map(|span| &mut span.start).collect();
        starts.sort_unstable();
        let mut walk = SourceWalk::new(self, source);
        starts.into_iter().for_each(|start| *start = walk.start(*start));
        let mut ends: Vec<_> = spans.iter_mut().map(|span| &mut span.end).collect();
        ends.sort_unstable();
        let mut walk = SourceWalk::new(self, source);
        ends.into_iter().for_each(|end| *end = walk.end(*end));
    }
}

/// A walk over a source and its meaning at the same time.
///
/// `at` and `meant` are offsets of the same place. From there up to the escape `next`, the source means itself, so
/// both offsets advance by the same distance. For example, for the source `a\u00e9/b` and its meaning `aé/b`:
///
/// ```text
/// offset asked   at, meant   next      answer
/// 1              0, 0        1..7      0 + (1 - 0) = 1: before the escape
/// 2              0, 0        1..7      inside the two bytes of é: 1 as a start, 7 as an end
/// 4              7, 3        none      7 + (4 - 3) = 8: the escape was passed
/// ```
pub(crate) struct SourceWalk<'a> {
    reading: Reading,
    source: &'a str,
    /// Offsets of the same place, in the source and in the meaning.
    at: usize,
    meant: usize,
    /// The first escape after these offsets.
    next: Option<Escape>,
}

impl<'a> SourceWalk<'a> {
    pub(crate) fn new(reading: Reading, source: &'a str) -> Self {
        Self { reading, source, at: 0, meant: 0, next: reading.escape(source, 0) }
    }

    /// Translates an offset of the meaning at which something begins into an offset of the source. Offsets must
    /// not descend.
    pub(crate) fn start(&mut self, offset: usize) -> usize {
        self.source_of(offset, false)
    }

    /// Translates an offset of the meaning at which something ends into an offset of the source. Offsets must
    /// not descend.
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

/// The meaning of an escape, and its length in bytes.
type Read = Option<(Meant, usize)>;

/// Reads the escape at the start of a text, in a JSON string or in N-Triples. A backslash before any other
/// character is not an escape. A number that is not the number of a character is not an escape either.
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

/// Reads a hexadecimal number. A sign, which Rust would accept, is refused.
fn hexadecimal(digits: &str) -> Option<u32> {
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

/// Reads the escape at the start of a text in Markdown.
fn markdown(text: &str) -> Read {
    if let Some(rest) = text.strip_prefix('\\') {
        let c = rest.chars().next().filter(char::is_ascii_punctuation)?;
        return Some((Meant::one(c), 2));
    }
    // CommonMark allows at most seven decimal or six hexadecimal digits.
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

/// Reads the escape at the start of a text in the attribute `style`: a character reference, or an escape of CSS (CSS
/// Syntax 3, section 4.3.7). Each character of an escape of CSS may be written as a character reference.
///
/// ```text
/// \ and 1 to 6 hexadecimal digits, perhaps white space    the character with that number: `\41 ` is A
/// \ and a line break                                      not an escape
/// \ and another character                                 that character: `\)` is )
/// a character reference that is not a backslash           its meaning: `&amp;` is &
/// ```
///
/// `&#92;4&#49; ` is A, too.
fn style(text: &str) -> Read {
    // The character at an offset, and the offset after it.
    let unit = |at: usize| {
        let rest = text.get(at..)?;
        let (meant, length) = html(rest, CharacterReferences::HtmlAttribute)
            .or_else(|| rest.chars().next().map(|c| (Meant::one(c), c.len_utf8())))?;
        Some((meant, at + length))
    };
    let (first, after) = unit(0)?;
    if first.first != '\\' {
        return text.starts_with('&').then_some((first, after)).filter(|_| after > 1);
    }
    let (mut number, mut at) = (None, after);
    for _ in 0..6 {
        let Some((meant, next)) = unit(at) else { break };
        let Some(digit) = meant.first.to_digit(16) else { break };
        number = Some(number.unwrap_or(0) * 16 + digit);
        at = next;
    }
    let Some(number) = number else {
        let (meant, end) = unit(after)?;
        return (!matches!(meant.first, '\n' | '\r' | '\x0C')).then_some((meant, end));
    };
    let space =
        unit(at).filter(|(meant, _)| matches!(meant.first, ' ' | '\t' | '\n' | '\r' | '\x0C'));
    let c = char::from_u32(number).filter(|c| *c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER);
    Some((Meant::one(c), space.map_or(at, |(_, end)| end)))
}

/// Reads the character reference at the start of a text in HTML.
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
        let mut walk = SourceWalk::new(Reading::Backslash, source);
        // a is 0, é is 1 and 2, the slash is 3, b is 4, the backslash is 5.
        let starts = [0, 1, 3, 4, 5, 6].map(|offset| walk.start(offset));
        assert_eq!(starts, [0, 1, 7, 9, 10, 12]);
        let mut walk = SourceWalk::new(Reading::Backslash, source);
        assert_eq!((walk.start(2), walk.end(2)), (1, 7));
    }
}
