//! Where in a text a link may be: one pass over blocks of 64 bytes, most of which have no such place.
//!
//! A candidate is a colon after a scheme, a dot before what may be a top-level domain, or an at sign
//! before what may be a host. Not here: whether there is a link (`detect`).

use crate::scan::{BLOCK, Block, Job, Simd};
use crate::tables::{AsciiSet, HighSet};

/// What is looked for.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Schemes other than http, https and mailto.
    pub(super) schemes: bool,
    /// Links without a scheme.
    pub(super) bare: bool,
}

/// The first block at or after `from` with a candidate: where it begins, its candidates, and how many
/// bytes were looked at.
pub(super) struct Search<'a> {
    pub(super) text: &'a [u8],
    pub(super) from: usize,
    pub(super) wanted: Wanted,
}

const MARKS: AsciiSet = AsciiSet::of(b":.@");
const COLON: AsciiSet = AsciiSet::just(b':');
const DOT: AsciiSet = AsciiSet::just(b'.');
const AT: AsciiSet = AsciiSet::just(b'@');
const SLASH: AsciiSet = AsciiSet::just(b'/');
/// The last letters of http, https and mailto.
const LAST: AsciiSet = AsciiSet::of(b"pPsSoO");
const LAST_O: AsciiSet = AsciiSet::of(b"oO");
/// What a host begins with, outside ASCII aside, and what a label or a scheme ends with.
const ALPHANUMERIC: AsciiSet =
    AsciiSet::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
const LETTERS: AsciiSet = AsciiSet::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
/// The bytes of the dots that UTS #46 maps to one: U+3002, U+FF0E and U+FF61.
const FIRSTS: HighSet = HighSet::of(b"\xE3\xEF");
const SECONDS: HighSet = HighSet::of(b"\x80\xBC\xBD");
const THIRDS: HighSet = HighSet::of(b"\x82\x8E\xA1");

impl Job for Search<'_> {
    type Output = Option<(usize, u64, usize)>;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Simd>(self, simd: S) -> Option<(usize, u64, usize)> {
        let Self { text, mut from, .. } = self;
        if !S::MASKS {
            return self.walk();
        }
        while from < text.len() {
            let block = simd.load(text, from);
            let found = self.dots_beyond_ascii(block, from);
            let marks = block.ascii(&MARKS);
            if marks | found != 0 {
                let found = found | self.among(block, from, marks);
                if found != 0 {
                    return Some((from, found, BLOCK));
                }
            }
            from += BLOCK;
        }
        None
    }
}

impl Search<'_> {
    /// Those of the marks that have the right neighbours.
    #[cfg_attr(optimized, inline(always))]
    fn among<B: Block>(&self, block: B, at: usize, marks: u64) -> u64 {
        let before = |is_one: &dyn Fn(u8) -> bool| {
            let byte = at.checked_sub(1).and_then(|at| self.text.get(at));
            u64::from(byte.is_some_and(|byte| is_one(*byte)))
        };
        let after = |is_one: &dyn Fn(u8) -> bool| {
            let byte = self.text.get(at + BLOCK);
            u64::from(byte.is_some_and(|byte| is_one(*byte))) << (BLOCK - 1)
        };
        let high = block.non_ascii();
        let mut found = 0;
        let colons = block.ascii(&COLON);
        if colons != 0 {
            let of =
                |set: &'static AsciiSet| block.ascii(set) << 1 | before(&|byte| set.contains(byte));
            found = if self.wanted.schemes {
                colons & of(&ALPHANUMERIC)
            } else {
                let slashes = block.ascii(&SLASH) >> 1 | after(&|byte| byte == b'/');
                colons & of(&LAST) & (slashes | of(&LAST_O))
            };
        }
        if self.wanted.bare && marks != colons {
            let letters = block.ascii(&LETTERS) | high;
            let inside = block.ascii(&ALPHANUMERIC) | high;
            let is_letter = |byte: u8| LETTERS.contains(byte) || !byte.is_ascii();
            let is_inside = |byte: u8| ALPHANUMERIC.contains(byte) || !byte.is_ascii();
            let dots = block.ascii(&DOT) & (inside << 1 | before(&is_inside));
            found |= dots & (letters >> 1 | after(&is_letter));
            found |= block.ascii(&AT) & (inside >> 1 | after(&is_inside));
        }
        found
    }

    /// The last bytes of dots that are not ASCII, with what may be a label on both sides.
    #[cfg_attr(optimized, inline(always))]
    fn dots_beyond_ascii<B: Block>(&self, block: B, at: usize) -> u64 {
        if !self.wanted.bare || block.non_ascii() == 0 {
            return 0;
        }
        let byte = |back: usize| at.checked_sub(back).and_then(|at| self.text.get(at)).copied();
        let is = |set: &HighSet, back: usize| {
            u64::from(byte(back).is_some_and(|byte| set.contains(byte)))
        };
        let seconds = block.high(&SECONDS) << 1 | is(&SECONDS, 1);
        let thirds = block.high(&THIRDS) & seconds;
        if thirds == 0 {
            return 0;
        }
        thirds & (block.high(&FIRSTS) << 2 | is(&FIRSTS, 1) << 1 | is(&FIRSTS, 2))
    }

    /// The same without masks: byte by byte.
    fn walk(&self) -> Option<(usize, u64, usize)> {
        let Self { text, from, wanted } = *self;
        let byte = |at: usize| text.get(at).copied();
        let is_letter = |at| byte(at).is_some_and(|c| c.is_ascii_alphabetic() || !c.is_ascii());
        let is_inside = |at| byte(at).is_some_and(|c| c.is_ascii_alphanumeric() || !c.is_ascii());
        let rest = text.get(from..)?.iter().zip(from..);
        let mut candidates = rest.filter_map(|(&c, at)| {
            let last = || at.checked_sub(1).and_then(byte);
            let found = match c {
                b':' if wanted.schemes => last().is_some_and(|c| ALPHANUMERIC.contains(c)),
                b':' => last().is_some_and(|c| {
                    LAST_O.contains(c) || LAST.contains(c) && byte(at + 1) == Some(b'/')
                }),
                b'.' => wanted.bare && at > 0 && is_inside(at - 1) && is_letter(at + 1),
                b'@' => wanted.bare && is_inside(at + 1),
                _ if wanted.bare && THIRDS.contains(c) => {
                    let before = |back| at.checked_sub(back).and_then(byte);
                    before(1).is_some_and(|c| SECONDS.contains(c))
                        && before(2).is_some_and(|c| FIRSTS.contains(c))
                }
                _ => false,
            };
            found.then_some(at)
        });
        candidates.next().map(|at| (at, 1, 1))
    }
}
