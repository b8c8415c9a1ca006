//! A text seen through masks: the questions that the parser asks, whatever the length of the text.
//!
//! Here: the answers to the questions ([`Questions`]), for each length of a text. Not here: what the questions are for
//! (`grammar`), and the answers without SIMD ([`Walk`]).
#![forbid(unsafe_code)]

/*
# The algorithm

The parser asks two kinds of questions: where is the next byte of a set, and are all triplets and all
characters outside ASCII allowed. Masks answer both. The answer to the first question is the lowest bit of a
mask:

    find(query, from) = lowest bit of (mask of query | bit for the end) & bits from `from` on

`visit` selects the form once, by the length of the text, and the parser is compiled once for each form:

    One     0 to 63 bytes      one block in registers
    Two     64 to 127 bytes    two blocks in registers
    More    128 bytes or more  the first block in registers; the other blocks are loaded for each question; a
                               long plain stretch after the first block is passed once, for all questions
    Walk    any length         without SIMD, byte by byte

With SSE4.1, and for a single component, `More` is used for every length, so that the code is compiled once.

A text of `One`. The end is bit 12, and every question of the parser is a few instructions:

    text                          h  t  t  p  :  /  /  a  /  b  ?  c
    find(Outside(SCHEME), 0)                  1  1  1     1     1     1    4: the colon
    find(Outside(NAME), 7)                                1     1     1    8: the host ends
    find(In(QUESTION), 8)                                       1     1    10: the path ends
    find(Foreign(QUERY), 8)                                           1    12: the query ends

# Invariants

- An offset is in bytes, and "not found" is the length of the text. The bit for the end makes that
  true, whatever bits a mask has past the end.
- `from` is at most the length of the text, and so at most 63 in `One` and 127 in `Two`: no shift
  overflows. The offset just after a delimiter of the text is at most this length.
- The text is well-formed UTF-8. So a character outside `ucschar` begins with a byte of `LEADS`. For three
  of these bytes, a later byte decides about nearly all characters of `ucschar` (`leads`).

`docs/performance/notes.md`, "Parse", has what was tried.
*/

use core::ops::Range;

use super::leads::{After, At, End, Pair, private, refined};
use super::questions::{Questions, Visit, is_not_plain};
use super::rule::Rule;
use super::short::{self, Short};
use super::walk::Walk;
use crate::scan::{BLOCK, Block, Cpu, Query, find, find_apart, within};
use crate::tables::{AsciiSet, HEXDIG, LEADS, PERCENT, PLAIN};

/// Calls `visit` with the masks that fit the length of `text`.
#[inline(always)]
pub(super) fn visit<S: Cpu, V: Visit>(simd: S, text: &[u8], visit: V) -> V::Output {
    let len = text.len();
    if !S::MASKS || S::IS_LARGE {
        visit_any(simd, text, visit)
    } else if len < BLOCK {
        visit.visit(One { block: simd.load(text, 0), end: 1 << len })
    } else if len < 2 * BLOCK {
        let (first, second) = (simd.load(text, 0), simd.load(text, BLOCK));
        visit.visit(Two { first, second, end: 1 << (len - BLOCK) })
    } else {
        visit_any(simd, text, visit)
    }
}

/// Tells whether a text of fewer than 128 bytes matches `rule`; or `None` if only the parser can tell. `TWO` is whether
/// the text has 64 bytes or more.
#[inline(always)]
pub(super) fn matches<S: Cpu, const TWO: bool>(simd: S, text: &[u8], rule: Rule) -> Option<bool> {
    if TWO {
        let (first, second) = (simd.load(text, 0), simd.load(text, BLOCK));
        short::matches(Two { first, second, end: 1 << (text.len() % BLOCK) }, text, rule)
    } else {
        short::matches(
            One { block: simd.load(text, 0), end: 1 << (text.len() % BLOCK) },
            text,
            rule,
        )
    }
}

/// Calls `visit` with the masks that fit every length, so that the work is compiled once.
#[inline(always)]
pub(super) fn visit_any<S: Cpu, V: Visit>(simd: S, text: &[u8], visit: V) -> V::Output {
    if S::MASKS { visit.visit(More::new(simd, text)) } else { visit.visit(Walk::new(simd, text)) }
}

/// Returns the number of the lowest bit that is set; 64 if there is none.
#[inline(always)]
const fn first(mask: u64) -> usize {
    mask.trailing_zeros() as usize
}

/// The query of a short text for [`characters`]. Its few private-use characters are not worth the code for masks: the
/// automaton is asked about each.
#[inline(always)]
fn no_query(ascii_only: bool) -> Option<&'static Range<usize>> {
    (!ascii_only).then_some(&(0..0))
}

/// Checks the characters of the block at offset `at`, as [`Questions::first_wrong`] says. `asked` has the places of
/// this block at which a percent sign of the block before needs a digit. Returns the places of the next block at which
/// a percent sign of this block needs a digit. The error is the first wrong place. `query` is where masks decide about
/// private-use characters; `None` if only ASCII is allowed.
///
/// Most short texts have nothing to check, and with `predict` a branch skips the check.
#[inline(always)]
fn characters<B: Block>(
    predict: bool,
    block: B,
    after: impl After,
    at: usize,
    asked: u64,
    query: Option<&Range<usize>>,
    test: &impl Fn(usize) -> bool,
) -> Result<u64, usize> {
    let non_ascii = block.non_ascii();
    let mut wrong = 0;
    if non_ascii != 0 || !predict {
        wrong = non_ascii;
        if let Some(query) = query {
            // Each byte that may begin a character outside `ucschar`, and most often does not.
            let mut leads = block.high(&LEADS);
            // A single byte is not refined: the automaton is asked about it.
            if leads & leads.wrapping_sub(1) != 0 {
                leads = refined(block, leads, after);
                let in_query = leads & within(query, at);
                if in_query != 0 {
                    leads &= !(in_query & private(block, after));
                }
            }
            while leads != 0 && test(at + first(leads)) {
                leads &= leads - 1;
            }
            wrong = leads;
        }
    }
    let percent = block.ascii(&PERCENT);
    if predict && percent | asked | wrong == 0 {
        return Ok(0);
    }
    let (asked, lacking) = digits(block, percent, asked);
    match lacking | wrong {
        0 => Ok(asked),
        wrong => Err(at + first(wrong)),
    }
}

/// Returns the bytes of `block` that begin a character for which the masks cannot decide that it is of `ucschar`.
#[inline(always)]
fn leads<B: Block>(block: B, after: impl After) -> u64 {
    match block.high(&LEADS) {
        0 => 0,
        leads => refined(block, leads, after),
    }
}

/// Returns the places of the next block at which a `percent` sign of this block needs a digit; and the places of this
/// block at which a digit is missing. `asked` has the places of this block at which a percent sign of the block before
/// needs a digit.
#[inline(always)]
fn digits<B: Block>(block: B, percent: u64, asked: u64) -> (u64, u64) {
    // Each percent sign needs two digits after it. If the end of the text cuts a triplet, a digit is needed past the
    // end, where no mask has a digit.
    let asked = asked | percent << 1 | percent << 2;
    (percent >> (BLOCK - 1) | percent >> (BLOCK - 2), asked & !block.ascii(&HEXDIG))
}

/// A text of fewer than 64 bytes.
#[derive(Clone, Copy)]
struct One<B> {
    block: B,
    /// The bit at the end of the text.
    end: u64,
}

impl<B: Block> Questions for One<B> {
    #[inline(always)]
    fn find(self, query: Query<'_>, from: usize) -> usize {
        first((self.block.ask(query) | self.end) & !0 << from)
    }

    #[inline(always)]
    fn members(self, one: &AsciiSet, other: &AsciiSet, from: usize) -> (u64, u64) {
        (self.block.ascii(one) >> from, self.block.ascii(other) >> from)
    }

    #[inline(always)]
    fn first_wrong(
        self,
        ascii_only: bool,
        _: &Range<usize>,
        test: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        characters(true, self.block, End(self.block), 0, 0, no_query(ascii_only), &test).err()
    }
}

impl<B: Block> Short for One<B> {
    const HAS_TWO: bool = false;
    type Block = B;
    type Mask = u64;

    #[inline(always)]
    fn first(self) -> B {
        self.block
    }

    #[inline(always)]
    fn near_end(self) -> u64 {
        self.end
    }

    #[inline(always)]
    fn end(self) -> u64 {
        self.end
    }

    #[inline(always)]
    fn all(self) -> u64 {
        self.end - 1
    }

    #[inline(always)]
    fn ask(self, query: Query<'_>) -> u64 {
        self.block.ask(query)
    }

    #[inline(always)]
    fn leads(self) -> u64 {
        leads(self.block, End(self.block))
    }
}

/// A text of 64 to 127 bytes.
#[derive(Clone, Copy)]
struct Two<B> {
    first: B,
    second: B,
    /// The bit at the end of the text, in the second block.
    end: u64,
}

impl<B: Block> Questions for Two<B> {
    #[inline(always)]
    fn find(self, query: Query<'_>, from: usize) -> usize {
        let (near, far) = match from.checked_sub(BLOCK) {
            None => (!0 << from, !0),
            Some(from) => (0, !0 << from),
        };
        let near = self.first.ask(query) & near;
        let far = (self.second.ask(query) | self.end) & far;
        // Both answers are computed, and then one answer is selected.
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
    fn members(self, one: &AsciiSet, other: &AsciiSet, from: usize) -> (u64, u64) {
        // The members in the first block alone: most authorities end in this block.
        if from < BLOCK {
            (self.first.ascii(one) >> from, self.first.ascii(other) >> from)
        } else {
            (0, 0)
        }
    }

    #[inline(always)]
    fn first_wrong(
        self,
        ascii_only: bool,
        _: &Range<usize>,
        test: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let (Self { first, second, .. }, query) = (self, no_query(ascii_only));
        match characters(true, first, Pair(first, second), 0, 0, query, &test) {
            Ok(asked) => {
                let after = End(second);
                characters(true, second, after, BLOCK, asked, query, &test).err()
            }
            Err(wrong) => Some(wrong),
        }
    }
}

/// The masks of two blocks as one number.
#[inline(always)]
const fn two(first: u64, second: u64) -> u128 {
    (second as u128) << BLOCK | first as u128
}

impl<B: Block> Short for Two<B> {
    const HAS_TWO: bool = true;
    type Block = B;
    type Mask = u128;

    #[inline(always)]
    fn first(self) -> B {
        self.first
    }

    #[inline(always)]
    fn near_end(self) -> u64 {
        0
    }

    #[inline(always)]
    fn end(self) -> u128 {
        two(0, self.end)
    }

    #[inline(always)]
    fn all(self) -> u128 {
        two(!0, self.end - 1)
    }

    #[inline(always)]
    fn ask(self, query: Query<'_>) -> u128 {
        two(self.first.ask(query), self.second.ask(query))
    }

    #[inline(always)]
    fn leads(self) -> u128 {
        let Self { first, second, .. } = self;
        two(leads(first, Pair(first, second)), leads(second, End(second)))
    }
}

/// A text with its first block in registers: a text of 128 bytes or more, or of any length ([`visit_any`]).
///
/// Invariant: all bytes from the second block up to `plain` are members of `PLAIN`, and a block begins at `plain`. If
/// there are such bytes, no triplet begins in the last two bytes of the first block.
#[derive(Clone, Copy)]
struct More<'a, S: Cpu> {
    simd: S,
    text: &'a [u8],
    head: S::Block,
    /// The end of the stretch of `PLAIN` bytes after the first block: at least the length of a block.
    plain: usize,
}

/// The length of a text from which on its plain stretch is searched.
const MANY: usize = 5 * BLOCK;

impl<'a, S: Cpu> More<'a, S> {
    /// Loads the first block. In a text of many blocks, finds the plain stretch after it.
    #[inline(always)]
    fn new(simd: S, text: &'a [u8]) -> Self {
        let masks = Self { simd, text, head: simd.load(text, 0), plain: BLOCK };
        if text.len() < MANY || masks.head.ascii(&PERCENT) >> (BLOCK - 2) != 0 {
            return masks;
        }
        let plain = masks.find_far(Query::Outside(&PLAIN), BLOCK);
        Self { plain: plain - plain % BLOCK, ..masks }
    }

    /// [`Questions::find`] after the first block.
    #[inline(always)]
    fn find_far(self, query: Query<'_>, from: usize) -> usize {
        let from = if is_not_plain(query) { from.max(self.plain) } else { from };
        // If a search is many instructions (`IS_LARGE`), there is a call in place of a dozen copies.
        // Measured: `docs/performance/notes.md`, "Size of a program that parses".
        if S::IS_LARGE {
            find_apart(self.simd, self.text, from, query)
        } else {
            find(self.simd, self.text, from, query)
        }
    }
}

impl<S: Cpu> Questions for More<'_, S> {
    #[inline(always)]
    fn find(self, query: Query<'_>, from: usize) -> usize {
        if from >= BLOCK {
            return self.find_far(query, from);
        }
        match self.head.ask(query) & !0 << from {
            0 => self.find_far(query, BLOCK),
            mask => first(mask),
        }
    }

    #[inline(always)]
    fn find_near(self, query: Query<'_>, from: usize) -> usize {
        let near = if from < BLOCK { self.head.ask(query) & !0 << from } else { 0 };
        if near != 0 {
            return first(near);
        }
        self.find_rarely(query, from.max(BLOCK))
    }

    #[inline(always)]
    fn find_rarely(self, query: Query<'_>, from: usize) -> usize {
        // A call. Measured: `docs/performance/notes.md`, "Size of a program that parses".
        find_apart(self.simd, self.text, from, query)
    }

    #[inline(always)]
    fn members(self, _: &AsciiSet, _: &AsciiSet, _: usize) -> (u64, u64) {
        // Two more masks need more code, and a literal is a small part of a long text.
        (0, 0)
    }

    #[inline(always)]
    fn first_wrong(
        self,
        ascii_only: bool,
        query: &Range<usize>,
        test: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let Self { simd, text, plain, .. } = self;
        // If a mask is many instructions, the automaton is asked about each private-use character.
        // Measured: `docs/performance/notes.md`, "Size of a program that parses".
        let query = if S::IS_LARGE { no_query(ascii_only) } else { (!ascii_only).then_some(query) };
        // The first block, and then the blocks from `plain` on: the plain stretch between them is right.
        let (mut asked, mut at, mut step) = (0, 0, plain);
        while at < text.len() {
            let (block, after) = (simd.load(text, at), At { simd, text, at });
            asked = match characters(S::IS_LARGE, block, after, at, asked, query, &test) {
                Ok(asked) => asked,
                Err(wrong) => return Some(wrong),
            };
            at += step;
            step = BLOCK;
        }
        // If the text ends where a block ends, the end may cut the last triplet.
        (asked != 0).then_some(text.len())
    }
}
