//! Finds candidates: the places of a text where a link may be, in one pass over blocks of 64 bytes. Most
//! blocks have none.
//!
//! A candidate is a colon after a scheme, a dot before what may be a top-level domain, an at sign before what may be a
//! host, or the start of a control sequence of a terminal. Not here: whether there is a link (`detect`).

use super::common::{Candidate, common_link};
use super::reader::count;
use super::stretch::LinkSets;
use super::terminal::{C1_LEAD, CSI, ESCAPE, OSC};
use crate::Ends;
use simd_iri::low::{
    AsciiSet, BLOCK, Block, Cpu, DIGIT, HighSet, Job, LABEL_DOTS, SCHEME_FIRST, as_chunks, slice,
};

/// The kinds of links to find.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    /// Whether to find links with schemes other than http, https and mailto.
    pub(crate) schemes: bool,
    /// Whether to find links without a scheme.
    pub(crate) bare: bool,
    /// The sets that find the end of a common link by masks alone; `None` if links of http may not be
    /// wanted.
    pub(crate) common: Option<&'static LinkSets>,
    pub(crate) ends: Ends,
}

/// A job that finds the first candidate at or after `from`.
pub(crate) struct FindCandidate<'a> {
    pub(crate) text: &'a str,
    pub(crate) from: usize,
    pub(crate) wanted: Wanted,
    /// No link begins before this offset.
    pub(crate) floor: usize,
}

const MARKS: AsciiSet = AsciiSet::of(b":.@\x1B");
const ESCAPES: AsciiSet = AsciiSet::just(ESCAPE);
const WHITE: AsciiSet = AsciiSet::of(b" \n\r\t");
/// The last letters of http, https and mailto.
const LAST: AsciiSet = AsciiSet::of(b"pPsSoO");
const LAST_O: AsciiSet = AsciiSet::of(b"oO");
/// ASCII with which a host may begin, and with which a label or a scheme may end.
const ALPHANUMERIC: AsciiSet = LETTERS.with(&DIGIT);
const LETTERS: AsciiSet = SCHEME_FIRST;
/// The second and third bytes of the dots outside ASCII. Their first bytes are among `LEADS`.
/// The characters at which candidates are found.
const AT: AsciiSet = AsciiSet::just(b'@');
const COLON: AsciiSet = AsciiSet::just(b':');
const DOT: AsciiSet = AsciiSet::just(b'.');
const SLASH: AsciiSet = AsciiSet::just(b'/');

/// For each of the three bytes of the dots outside ASCII: the set of the bytes that can be there.
const DOT_BYTES: [HighSet; 3] = {
    let [_, ideographic, full_width, half_width] = LABEL_DOTS;
    let [a, b, c] = [three_bytes(ideographic), three_bytes(full_width), three_bytes(half_width)];
    [
        HighSet::of(&[a[0], b[0], c[0]]),
        HighSet::of(&[a[1], b[1], c[1]]),
        HighSet::of(&[a[2], b[2], c[2]]),
    ]
};

/// Returns the UTF-8 of a character that has three bytes.
const fn three_bytes(c: char) -> [u8; 3] {
    let mut bytes = [0; 3];
    c.encode_utf8(&mut bytes);
    bytes
}

const SECONDS: HighSet = DOT_BYTES[1];
const THIRDS: HighSet = DOT_BYTES[2];
/// The first byte and the last bytes of U+009B and U+009D.
const CONTROL_LEAD: HighSet = HighSet::of(&[C1_LEAD]);
const CONTROLS: HighSet = HighSet::of(&[CSI, OSC]);
/// The first bytes of the dots outside ASCII and of the controls.
const LEADS: HighSet = DOT_BYTES[0].with(&CONTROL_LEAD);

/// The length in bytes that no top-level domain exceeds: the longest, in Tamil, has 33; the longest that
/// begins with a character of Han, kana or Hangul has 18.
pub(crate) const LONGEST_TLD: usize = 40;
pub(crate) const LONGEST_TLD_OF_HAN: usize = 24;

impl Job for FindCandidate<'_> {
    type Output = Option<Candidate>;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> Option<Candidate> {
        let Self { text, mut from, wanted, floor } = self;
        if !S::MASKS {
            return self.walk();
        }
        let bytes = text.as_bytes();
        while from < bytes.len() {
            let block = simd.load(bytes, from);
            count(1);
            let found = self.beyond_ascii(block, from);
            // A full stop before a space is never a candidate.
            let white = precede(block.ascii(&WHITE), WHITE.contains(self.byte(from + BLOCK)));
            let marks = block.ascii(&MARKS) & !white;
            if marks | found != 0 {
                let found = found | self.among(block, from, marks);
                if found != 0 {
                    let at = from + found.trailing_zeros() as usize;
                    // PERF: text without spaces goes on after half of its full stops: 0.8 to 1.4 GB/s
                    // (in benches: cargo run --release --bin extract, "Japanese, no links").
                    if !self.byte(at).is_ascii() && self.is_long_label(at + 1) {
                        from = at + 1;
                        continue;
                    }
                    let link = match wanted.common {
                        Some(sets) => common_link(simd, text, at, floor, sets, wanted.ends),
                        None => None,
                    };
                    return Some(link.unwrap_or(Candidate::At(at)));
                }
            }
            from += BLOCK;
        }
        None
    }
}

impl FindCandidate<'_> {
    /// Returns the marks whose neighbours make them candidates; the bits after the first candidate mean
    /// nothing. No closure uses the block: it would be compiled without the instructions of the kernel.
    #[inline(always)]
    fn among<B: Block>(&self, block: B, at: usize, marks: u64) -> u64 {
        let last = at.checked_sub(1).map_or(b' ', |at| self.byte(at));
        let next = self.byte(at + BLOCK);
        let mut found = 0;
        let colons = marks & block.ascii(&COLON);
        if colons != 0 {
            found = if self.wanted.schemes {
                colons & follow(block.ascii(&ALPHANUMERIC), ALPHANUMERIC.contains(last))
            } else {
                let slashes = precede(block.ascii(&SLASH), next == b'/');
                let after_o = follow(block.ascii(&LAST_O), LAST_O.contains(last));
                let after_last = follow(block.ascii(&LAST), LAST.contains(last));
                colons & (after_o | after_last & slashes)
            };
            // Only the first candidate matters, and the first mark is a candidate.
            if found & marks & marks.wrapping_neg() != 0 {
                return found;
            }
        }
        if marks == colons {
            return found;
        }
        found |= marks & block.ascii(&ESCAPES);
        if self.wanted.bare {
            let high = block.non_ascii();
            let inside = block.ascii(&ALPHANUMERIC) | high;
            let letters = block.ascii(&LETTERS) | high;
            let dots = marks & block.ascii(&DOT) & follow(inside, is_inside(last));
            found |= dots & precede(letters, is_letter(next));
            found |= marks & block.ascii(&AT) & precede(inside, is_inside(next));
        }
        found
    }

    /// Returns the last bytes of the dots outside ASCII, and of the controls outside ASCII that begin a sequence.
    #[inline(always)]
    fn beyond_ascii<B: Block>(&self, block: B, at: usize) -> u64 {
        if block.non_ascii() == 0 {
            return 0;
        }
        let before = |back: usize| at.checked_sub(back).map_or(b' ', |at| self.byte(at));
        let (last, second_last) = (before(1), before(2));
        // The bytes one place and two places after a first byte.
        let leads = follow(block.high(&LEADS), LEADS.contains(last));
        let firsts = follow(leads, LEADS.contains(second_last));
        // PERF: alphabets have no such bytes: Russian without links is 1.25 times as fast (in benches:
        // cargo run --release --bin extract).
        if leads | firsts == 0 {
            return 0;
        }
        let mut found = block.high(&CONTROLS) & leads;
        if found != 0 {
            found &= follow(block.high(&CONTROL_LEAD), last == C1_LEAD);
        }
        if self.wanted.bare {
            let seconds = follow(block.high(&SECONDS), SECONDS.contains(last));
            // No character of three bytes begins with the first byte of a control.
            found |= block.high(&THIRDS) & seconds & firsts;
        }
        found
    }

    /// Tells whether the text from `from` on has more characters of Han and kana than any top-level domain.
    fn is_long_label(&self, from: usize) -> bool {
        let bytes = slice::bytes(self.text.as_bytes(), from..);
        let (characters, _) = as_chunks(bytes);
        characters
            .get(..=LONGEST_TLD_OF_HAN / 3)
            .is_some_and(|label| label.iter().fold(true, |all, c| all & is_han_or_kana(c)))
    }

    /// Returns the byte at an offset, or a space past the end of the text.
    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(b' ')
    }

    /// [`FindCandidate`] without masks: reads byte by byte.
    fn walk(&self) -> Option<Candidate> {
        let Self { text, from, wanted, .. } = *self;
        let before = |at: usize, back: usize| at.checked_sub(back).map_or(b' ', |at| self.byte(at));
        let rest = text.as_bytes().get(from..)?.iter().zip(from..);
        let mut candidates = rest.filter_map(|(&c, at)| {
            let (last, next) = (before(at, 1), self.byte(at + 1));
            let found = match c {
                b':' | b'.' | b'@' | ESCAPE if WHITE.contains(next) => false,
                ESCAPE => true,
                CSI | OSC if last == C1_LEAD => true,
                b':' if wanted.schemes => ALPHANUMERIC.contains(last),
                b':' => LAST_O.contains(last) || LAST.contains(last) && next == b'/',
                b'.' => wanted.bare && is_inside(last) && is_letter(next),
                b'@' => wanted.bare && is_inside(next),
                _ if wanted.bare && THIRDS.contains(c) => {
                    SECONDS.contains(last) && LEADS.contains(before(at, 2))
                }
                _ => false,
            };
            found.then_some(at)
        });
        candidates.next().map(Candidate::At)
    }
}

/// Returns the mask of the bytes after the members of a mask. `last` tells whether the byte before the block is a
/// member.
#[inline(always)]
const fn follow(mask: u64, last: bool) -> u64 {
    mask << 1 | last as u64
}

/// Returns the mask of the bytes before the members of a mask. `next` tells whether the byte after the block is a
/// member.
#[inline(always)]
const fn precede(mask: u64, next: bool) -> u64 {
    mask >> 1 | (next as u64) << (BLOCK - 1)
}

/// Tells whether three bytes are a character of Han or kana that a name can hold. It has no branches.
const fn is_han_or_kana(&[first, second, third]: &[u8; 3]) -> bool {
    let is_han = first >= 0xE4 && first <= 0xE9;
    // The code points before the first hiragana, and two after the last, are not letters.
    let is_hiragana = (second == 0x81) & (third != 0x80);
    let is_either = (second == 0x82) & (third != 0x97) & (third != 0x98);
    is_han | (first == 0xE3) & (is_hiragana | is_either | (second == 0x83))
}

/// Tells whether a top-level domain may begin with this byte.
const fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || !byte.is_ascii()
}

/// Tells whether a label may begin and end with this byte.
const fn is_inside(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::hosts::is_in_name;

    #[test]
    fn names_are_made_of_han_and_kana() {
        let mut bytes = [0; 4];
        let three = ('\u{800}'..='\u{FFFF}').filter(|c| {
            let text = c.encode_utf8(&mut bytes).as_bytes();
            text.first_chunk().is_some_and(is_han_or_kana)
        });
        assert_eq!(
            three.inspect(|c| assert!(is_in_name(*c), "{c:?}")).count(),
            0x6000 + 63 + 62 + 64
        );
    }
}
