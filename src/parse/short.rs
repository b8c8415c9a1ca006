//! Whether a short text matches a rule: computes all masks, then combines them, and branches only for rare texts.
//!
//! Not here: the masks of a text (`masked`), the steps of the grammar (`cursor`), and the parser that finds the
//! components (`grammar`).
#![forbid(unsafe_code)]

/*
# Purpose

The parser asks one question after the other, and reads the byte that each answer names. Each answer waits for the
answer before it, and each of these bytes decides a branch that the CPU may predict wrongly. A caller that needs only a
yes or a no does not need offsets. So a place is not a number here but one bit of a mask, an `and` tests the byte at a
place, and a common text takes few branches. The parser is the definition: debug builds compare both.

# Pseudocode

    head     the cursors up to the path, in the first block
    wrong    the bytes of the whole text that are wrong

    the text matches    if `head` and `wrong` find nothing wrong
    the result is None  if the authority is not a name with or without a port, if a character outside ASCII may not be
                        of `ucschar`, or if a cursor of the scheme or of the authority leaves the first block

# Invariants

- `QUERY` and `FRAGMENT` have the same ASCII bytes, so that one set serves both.
- The end of a text is at most bit 63 of its last block. So if the end cuts a triplet, the missing digit is asked for at
  the end, where no mask has a digit.

`docs/performance/notes.md`, "Validation", has what was tried.
*/

use super::cursor::{Bounds, HeadBefore, HeadSets, TextBefore, TextSets, head, wrong};
use super::rule::Rule;
use crate::scan::{Block, Mask, Query};
use crate::tables::{
    AsciiSet, COLON, DIGIT, END, FRAGMENT, HEXDIG, NAME, PERCENT, QUERY, QUESTION, REG_NAME,
    SCHEME, SCHEME_FIRST, SLASH,
};

/// A text whose masks are in registers.
pub(super) trait Short: Copy {
    /// Whether there are two blocks.
    const HAS_TWO: bool;
    /// A block of the kernel.
    type Block: Block;
    /// A bit for each byte of the text, and a bit for its end.
    type Mask: Mask;

    /// The first block.
    fn first(self) -> Self::Block;

    /// The bit at the end of the text, if the end is in the first block; otherwise 0.
    fn near_end(self) -> u64;

    /// The bit at the end of the text.
    fn end(self) -> Self::Mask;

    /// The bits of the text, before its end.
    fn all(self) -> Self::Mask;

    /// The bytes that `query` asks for. Which bits past the end are set depends on the query.
    fn ask(self, query: Query<'_>) -> Self::Mask;

    /// The bytes that begin a character for which the masks cannot decide that it is of `ucschar`.
    fn leads(self) -> Self::Mask;
}

/// The number sign.
const NUMBER_SIGN: AsciiSet = END.without(&SLASH).without(&QUESTION);
const _: () = assert!(NUMBER_SIGN.only.is_some() && QUERY.bits == FRAGMENT.bits);

// The characters of a registered name are the members of `NAME`, and triplets.
const _: () = assert!(REG_NAME.bits == NAME.bits | PERCENT.bits);

/// A bit that is set in letters, and not in the other characters of a scheme.
const LETTER: u8 = 64;
const _: () = assert!(SCHEME_FIRST.bits == SCHEME.bits >> LETTER << LETTER);

/// Tells whether a short text, which is UTF-8, matches `rule`. Returns `None` if only the parser can tell.
#[inline(always)]
pub(super) fn matches<T: Short>(masks: T, text: &[u8], rule: Rule) -> Option<bool> {
    let (first, stop) = (masks.first(), masks.near_end());
    let percent = masks.ask(Query::In(&PERCENT));

    // The scheme and the authority, in the first block.
    let sets = HeadSets {
        scheme: first.ascii(&SCHEME),
        colon: first.ascii(&COLON),
        slash: first.ascii(&SLASH),
        end: first.ascii(&END),
        name: !(first.foreign(&NAME) & !first.ascii(&PERCENT) | stop),
        digit: first.ascii(&DIGIT),
    };
    // If the byte has this bit and is not a letter, it is not in `SCHEME`, and the cursor of the scheme stays at the
    // start.
    let begins = text.first().is_some_and(|byte| byte & LETTER != 0);
    let bounds = Bounds { begin: u64::from(begins), no_letter: u64::from(!begins), stop };
    let mut before = HeadBefore::none(0);
    let head = head(rule, sets, bounds, &mut before);
    if head.rare != 0 || T::HAS_TWO && before.has_left() {
        return None;
    }

    // The whole text.
    let (stop, hash) = (masks.end(), masks.ask(Query::In(&NUMBER_SIGN)));
    let sets = TextSets {
        hash,
        percent,
        hexdig: masks.ask(Query::In(&HEXDIG)),
        foreign: masks.ask(Query::Foreign(&QUERY)) & masks.all() & !hash,
    };
    let wrong = wrong(rule, sets, stop, &mut TextBefore::none(stop & !stop));
    if masks.ask(Query::NonAscii).any() {
        if rule.ascii_only() {
            return Some(false);
        }
        if masks.leads().any() {
            return None;
        }
    }
    Some(!wrong.any() & (head.wrong == 0))
}
