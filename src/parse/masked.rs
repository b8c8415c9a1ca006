//! A text seen through masks: the questions that the parser asks, whatever the length of the text.
//!
//! A short text ([`One`], [`Two`]) has its blocks in registers, so that a question is arithmetic; a
//! [`Long`] one is walked block by block for each question. The parser is written once over all of
//! them. Not here: what the questions are for.
#![forbid(unsafe_code)]

use crate::scan::{BLOCK, Block, Query, Simd, find};
use crate::tables::{HEXDIG, LEADS, PERCENT};

/// A text seen through masks. All offsets are in bytes; "not found" is the length of the text.
pub(super) trait Masked: Copy {
    /// The first byte at or after `from` that `query` asks for.
    fn find(self, query: Query<'_>, from: usize) -> usize;

    /// The same, where it is most likely in the first block.
    #[inline(always)]
    fn find_near(self, query: Query<'_>, from: usize) -> usize {
        self.find(query, from)
    }

    /// Tells whether every percent sign is followed by two hexadecimal digits.
    fn triplets_hold(self) -> bool;

    /// Tells whether there is a byte from 0x80 up.
    fn has_non_ascii(self) -> bool;

    /// Tells whether `test` holds for the place of every byte that may begin a character outside
    /// `ucschar`. In valid UTF-8 no other byte can.
    fn leads_hold(self, test: impl FnMut(usize) -> bool) -> bool;
}

/// What is to be found out about a text.
pub(super) trait Visit {
    /// What is found out.
    type Output;

    /// Finds it out. Implementations are `#[inline(always)]`.
    fn visit<M: Masked>(self, masks: M) -> Self::Output;
}

/// Shows `text` to `visit` through the masks that fit its length.
#[inline(always)]
pub(super) fn visit<S: Simd, V: Visit>(simd: S, text: &[u8], visit: V) -> V::Output {
    let len = text.len();
    if len < BLOCK {
        visit.visit(One { block: simd.load(text, 0), end: 1 << len })
    } else if len < 2 * BLOCK {
        let (first, second) = (simd.load(text, 0), simd.load(text, BLOCK));
        visit.visit(Two { first, second, end: 1 << (len - BLOCK) })
    } else {
        visit.visit(Long { simd, text })
    }
}

/// The place of the lowest bit that is set, 64 if there is none.
#[inline(always)]
const fn first(mask: u64) -> usize {
    mask.trailing_zeros() as usize
}

/// Takes in the triplets of one block, given the digits that the block before asks of it: the
/// digits that it asks of the next, or `None` if one is not there.
#[inline(always)]
fn triplets<B: Block>(block: B, asked: u64) -> Option<u64> {
    let percent = block.ascii(&PERCENT);
    if percent | asked == 0 {
        return Some(0);
    }
    let asked = asked | percent << 1 | percent << 2;
    if asked & !block.ascii(&HEXDIG) != 0 {
        return None;
    }
    Some(percent >> (BLOCK - 1) | percent >> (BLOCK - 2))
}

/// Tells whether `test` holds for every lead byte of a block that begins at `at`.
#[inline(always)]
fn leads<B: Block>(block: B, at: usize, test: &mut impl FnMut(usize) -> bool) -> bool {
    let mut leads = block.high(&LEADS);
    while leads != 0 {
        if !test(at + first(leads)) {
            return false;
        }
        leads &= leads - 1;
    }
    true
}

/// A text of fewer than 64 bytes.
#[derive(Clone, Copy)]
struct One<B> {
    block: B,
    /// The bit for the end.
    end: u64,
}

impl<B: Block> Masked for One<B> {
    #[inline(always)]
    fn find(self, query: Query<'_>, from: usize) -> usize {
        first((self.block.ask(query) | self.end) & !0 << from)
    }

    #[inline(always)]
    fn triplets_hold(self) -> bool {
        // A triplet that is cut asks for a digit at the end, where there is none.
        triplets(self.block, 0).is_some()
    }

    #[inline(always)]
    fn has_non_ascii(self) -> bool {
        self.block.non_ascii() != 0
    }

    #[inline(always)]
    fn leads_hold(self, mut test: impl FnMut(usize) -> bool) -> bool {
        leads(self.block, 0, &mut test)
    }
}

/// A text of 64 to 127 bytes.
#[derive(Clone, Copy)]
struct Two<B> {
    first: B,
    second: B,
    /// The bit for the end, in the second block.
    end: u64,
}

impl<B: Block> Masked for Two<B> {
    #[inline(always)]
    fn find(self, query: Query<'_>, from: usize) -> usize {
        let (near, far) = match from.checked_sub(BLOCK) {
            None => (!0 << from, !0),
            Some(from) => (0, !0 << from),
        };
        let near = self.first.ask(query) & near;
        let far = (self.second.ask(query) | self.end) & far;
        // Both are computed, and one is selected: which one is hard to foretell.
        let far = BLOCK + first(far);
        if near != 0 { first(near) } else { far }
    }

    #[inline(always)]
    fn find_near(self, query: Query<'_>, from: usize) -> usize {
        if from < BLOCK {
            let near = self.first.ask(query) & !0 << from;
            if near != 0 {
                return first(near);
            }
        }
        self.find(query, from)
    }

    #[inline(always)]
    fn triplets_hold(self) -> bool {
        triplets(self.first, 0).and_then(|asked| triplets(self.second, asked)).is_some()
    }

    #[inline(always)]
    fn has_non_ascii(self) -> bool {
        self.first.non_ascii() | self.second.non_ascii() != 0
    }

    #[inline(always)]
    fn leads_hold(self, mut test: impl FnMut(usize) -> bool) -> bool {
        leads(self.first, 0, &mut test) && leads(self.second, BLOCK, &mut test)
    }
}

/// A text of any length.
#[derive(Clone, Copy)]
struct Long<'a, S> {
    simd: S,
    text: &'a [u8],
}

impl<S: Simd> Masked for Long<'_, S> {
    #[inline(always)]
    fn find(self, query: Query<'_>, from: usize) -> usize {
        find(self.simd, self.text, from, query)
    }

    #[inline(always)]
    fn triplets_hold(self) -> bool {
        let mut asked = Some(0);
        let mut at = 0;
        while let (Some(digits), true) = (asked, at < self.text.len()) {
            asked = triplets(self.simd.load(self.text, at), digits);
            at += BLOCK;
        }
        asked == Some(0)
    }

    #[inline(always)]
    fn has_non_ascii(self) -> bool {
        find(self.simd, self.text, 0, Query::NonAscii) < self.text.len()
    }

    #[inline(always)]
    fn leads_hold(self, mut test: impl FnMut(usize) -> bool) -> bool {
        let mut at = 0;
        while at < self.text.len() {
            if !leads(self.simd.load(self.text, at), at, &mut test) {
                return false;
            }
            at += BLOCK;
        }
        true
    }
}
