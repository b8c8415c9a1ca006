//! A text seen through masks: the questions that the parser asks, whatever the length of the text.
//!
//! A short text ([`One`], [`Two`]) has its blocks in registers, so that a question is arithmetic; a
//! [`Long`] one is walked block by block for each question; without SIMD, any text is walked byte by
//! byte ([`Walk`]). The parser is written once over all of them. Not here: what the questions are for.
#![forbid(unsafe_code)]

use super::walk::Walk;
use crate::scan::{BLOCK, Block, Query, Simd, find};
use crate::tables::{HEXDIG, LEADS, PERCENT};

/// A text seen through masks. All offsets are in bytes; "not found" is the length of the text.
pub(super) trait Masked: Copy {
    /// The first byte at or after `from` that `query` asks for.
    fn find(self, query: Query<'_>, from: usize) -> usize;

    /// The same, where it is most likely in the first block.
    #[cfg_attr(optimized, inline(always))]
    fn find_near(self, query: Query<'_>, from: usize) -> usize {
        self.find(query, from)
    }

    /// Tells whether every percent sign is followed by two hexadecimal digits, and whether `test`
    /// holds for the place of every byte that may begin a character outside `ucschar`: in valid
    /// UTF-8 no other byte can. With `ascii_only`, no byte from 0x80 up may be there at all.
    fn characters_hold(self, ascii_only: bool, test: impl Fn(usize) -> bool) -> bool;
}

/// What is to be found out about a text.
pub(super) trait Visit {
    /// What is found out.
    type Output;

    /// Finds it out. Implementations are `#[cfg_attr(optimized, inline(always))]`.
    fn visit<M: Masked>(self, masks: M) -> Self::Output;
}

/// Shows `text` to `visit` through the masks that fit its length.
#[cfg_attr(optimized, inline(always))]
pub(super) fn visit<S: Simd, V: Visit>(simd: S, text: &[u8], visit: V) -> V::Output {
    let len = text.len();
    if !S::MASKS {
        visit.visit(Walk::new(simd, text))
    } else if S::SHORT_FORMS && len < BLOCK {
        visit.visit(One { block: simd.load(text, 0), end: 1 << len })
    } else if S::SHORT_FORMS && len < 2 * BLOCK {
        let (first, second) = (simd.load(text, 0), simd.load(text, BLOCK));
        visit.visit(Two { first, second, end: 1 << (len - BLOCK) })
    } else {
        visit.visit(Long { simd, text, head: simd.load(text, 0) })
    }
}

/// The place of the lowest bit that is set, 64 if there is none.
#[cfg_attr(optimized, inline(always))]
const fn first(mask: u64) -> usize {
    mask.trailing_zeros() as usize
}

/// Checks the characters of a block that begins at `at`, as [`Masked::characters_hold`] says, given
/// the digits that a percent sign in the block before asks of it. The digits that it asks of the
/// next one, or `None` if something does not hold.
///
/// In a short text most often there is nothing to check, and `PREDICT` spares it for a branch. In
/// a long one there is no telling, and the check costs less than a branch taken wrongly.
#[cfg_attr(optimized, inline(always))]
fn characters<B: Block, const PREDICT: bool>(
    block: B,
    at: usize,
    asked: u64,
    ascii_only: bool,
    test: &impl Fn(usize) -> bool,
) -> Option<u64> {
    let non_ascii = block.non_ascii() != 0;
    if ascii_only && non_ascii {
        return None;
    }
    if non_ascii || !PREDICT {
        let mut leads = block.high(&LEADS);
        while leads != 0 {
            if !test(at + first(leads)) {
                return None;
            }
            leads &= leads - 1;
        }
    }
    let percent = block.ascii(&PERCENT);
    if PREDICT && percent | asked == 0 {
        return Some(0);
    }
    // A triplet that is cut asks for a digit at the end of the text, where there is none.
    let asked = asked | percent << 1 | percent << 2;
    if asked & !block.ascii(&HEXDIG) != 0 {
        return None;
    }
    Some(percent >> (BLOCK - 1) | percent >> (BLOCK - 2))
}

/// A text of fewer than 64 bytes.
#[derive(Clone, Copy)]
struct One<B> {
    block: B,
    /// The bit for the end.
    end: u64,
}

impl<B: Block> Masked for One<B> {
    #[cfg_attr(optimized, inline(always))]
    fn find(self, query: Query<'_>, from: usize) -> usize {
        first((self.block.ask(query) | self.end) & !0 << from)
    }

    #[cfg_attr(optimized, inline(always))]
    fn characters_hold(self, ascii_only: bool, test: impl Fn(usize) -> bool) -> bool {
        characters::<_, true>(self.block, 0, 0, ascii_only, &test).is_some()
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
    #[cfg_attr(optimized, inline(always))]
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

    #[cfg_attr(optimized, inline(always))]
    fn find_near(self, query: Query<'_>, from: usize) -> usize {
        if from < BLOCK {
            let near = self.first.ask(query) & !0 << from;
            if near != 0 {
                return first(near);
            }
        }
        self.find(query, from)
    }

    #[cfg_attr(optimized, inline(always))]
    fn characters_hold(self, ascii_only: bool, test: impl Fn(usize) -> bool) -> bool {
        characters::<_, true>(self.first, 0, 0, ascii_only, &test).is_some_and(|asked| {
            characters::<_, true>(self.second, BLOCK, asked, ascii_only, &test).is_some()
        })
    }
}

/// A text of 128 bytes or more, its first block in registers.
#[derive(Clone, Copy)]
struct Long<'a, S: Simd> {
    simd: S,
    text: &'a [u8],
    head: S::Block,
}

impl<S: Simd> Masked for Long<'_, S> {
    #[cfg_attr(optimized, inline(always))]
    fn find(self, query: Query<'_>, from: usize) -> usize {
        if from >= BLOCK {
            return find(self.simd, self.text, from, query);
        }
        match self.head.ask(query) & !0 << from {
            0 => find(self.simd, self.text, BLOCK, query),
            mask => first(mask),
        }
    }

    #[cfg_attr(optimized, inline(always))]
    fn characters_hold(self, ascii_only: bool, test: impl Fn(usize) -> bool) -> bool {
        let mut asked = characters::<_, false>(self.head, 0, 0, ascii_only, &test);
        let mut at = BLOCK;
        while let (Some(digits), true) = (asked, at < self.text.len()) {
            let block = self.simd.load(self.text, at);
            asked = characters::<_, false>(block, at, digits, ascii_only, &test);
            at += BLOCK;
        }
        asked == Some(0)
    }
}
