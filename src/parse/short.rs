//! Whether a short text matches a rule: computes all masks, then combines them, and branches only for rare texts.
//!
//! Not here: the masks of a text (`masked`), and the parser that finds the components (`grammar`).
#![forbid(unsafe_code)]

/*
# Purpose

The parser asks one question after the other, and reads the byte that each answer names. Each answer waits for the one
before it, and each of these bytes decides a branch that the CPU may predict wrongly. A caller that needs only a yes or a
no needs no offsets. So a place is not a number here but one bit of a mask, an `and` tests the byte at a place, and a
common text takes one branch, at the end. The parser is the definition: debug builds compare both.

# Pseudocode

    stop       the lowest byte outside `SCHEME`
    scheme     there is one if `stop` is a colon and a letter comes first
    start      after the colon; without a scheme, the first byte
    slashes    at `start` and after it: there is an authority, and it begins after them
    name_end   the lowest byte of the authority that is ASCII and not in `REG_NAME`; after a colon, the lowest one that is
               no digit
    region     the bytes from `name_end` on; without an authority, from `start` on
    foreign    the bytes of `region` that are ASCII and not in `QUERY`
    sign       the lowest of `foreign`, if it is `#` and the rule allows a fragment
    wrong      `foreign` without `sign`, and the bytes that should be digits of a triplet

The result is `None` if the authority is not a name with or without a port, if a character outside ASCII may be none of
`ucschar`, or if the scheme or the authority does not end in the first block.

# A worked text

    byte       0  1  2  3  4  5  6  7  8  9 10 11
    text       h  t  t  p  :  /  /  a  /  b  ?  c
    stop                   1                            a colon, after a letter: there is a scheme
    start                     1                         slashes at 5 and 6: there is an authority, from 7 on
    name_end                           1                a slash: the authority is a plain name
    region                             1  1  1  1
    foreign                                             none: there is no fragment, and the text matches

# Invariants

- `QUERY` and `FRAGMENT` have the same ASCII bytes, so that `foreign` tells about a fragment, too.
- A place is one bit, or no bit if it is not in the first block. All bytes from a place on are `place.wrapping_neg()`.
- The end of a text is at most bit 63 of its last block. So a digit that the end cuts off a triplet is asked for at the
  end or after it, where no mask has a digit.

# What was tried

Nanoseconds to validate a line, Zen 5, AVX-512 (in benches: ratios --what validate):

                  web_ascii  commoncrawl_references  multilingual_uri  plain  hard
    the parser          6.9                    12.2              12.6   14.4  26.6
    this                6.5                     8.7              11.9   11.6  23.8

Without gain: the same for the parser, which finds the offsets no faster in this way, and its caller waits longer for
them; and a second form of this that knows user information and IP literals.
*/

use core::ops::{BitAnd, BitOr, Not};

use super::rule::{Rule, SchemeRule};
use crate::scan::{BLOCK, Block, Query};
use crate::tables::{
    AsciiSet, COLON, DIGIT, END, FRAGMENT, HEXDIG, NAME, PERCENT, QUERY, QUESTION, REG_NAME,
    SCHEME, SCHEME_FIRST, SLASH,
};

/// A text whose masks are in registers.
pub(super) trait Short: Copy {
    /// A block of the kernel.
    type Block: Block;
    /// A bit for each byte of the text, and one for its end.
    type Mask: Mask;

    /// The first block.
    fn first(self) -> Self::Block;

    /// The bit at the end of the text.
    fn end(self) -> Self::Mask;

    /// The bytes that `query` asks for. Which bits past the end are set depends on the query.
    fn ask(self, query: Query<'_>) -> Self::Mask;

    /// The bytes that begin a character which the masks do not tell to be of `ucschar`.
    fn leads(self) -> Self::Mask;
}

/// A mask of one block or of two.
pub(super) trait Mask:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Whether there are two blocks.
    const HAS_TWO: bool;

    /// The bits of `first` in the first block, and all bits after that.
    fn from_first(first: u64) -> Self;
    /// The bits of the first block.
    fn near(self) -> u64;
    /// The lowest bit, or no bit if there is none.
    fn lowest(self) -> Self;
    /// The bits, `count` bytes on. `count` is 1 or 2.
    fn next(self, count: u32) -> Self;
    /// The bits below the only one.
    fn before(self) -> Self;
    /// Whether no bit is set.
    fn is_empty(self) -> bool;
}

impl Mask for u64 {
    const HAS_TWO: bool = false;

    #[inline(always)]
    fn from_first(first: u64) -> Self {
        first
    }

    #[inline(always)]
    fn near(self) -> u64 {
        self
    }

    #[inline(always)]
    fn lowest(self) -> Self {
        self & self.wrapping_neg()
    }

    #[inline(always)]
    fn next(self, count: u32) -> Self {
        self << count
    }

    #[inline(always)]
    fn before(self) -> Self {
        self.wrapping_sub(1)
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self == 0
    }
}

/// The masks of two blocks. The end of a text is in the second one.
#[derive(Clone, Copy)]
pub(super) struct TwoMasks(pub(super) u64, pub(super) u64);

impl BitAnd for TwoMasks {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0, self.1 & other.1)
    }
}

impl BitOr for TwoMasks {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0, self.1 | other.1)
    }
}

impl Not for TwoMasks {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0, !self.1)
    }
}

impl Mask for TwoMasks {
    const HAS_TWO: bool = true;

    #[inline(always)]
    fn from_first(first: u64) -> Self {
        Self(first, !0)
    }

    #[inline(always)]
    fn near(self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn lowest(self) -> Self {
        Self(self.0.lowest(), if self.0 == 0 { self.1.lowest() } else { 0 })
    }

    #[inline(always)]
    fn next(self, count: u32) -> Self {
        Self(self.0 << count, self.1 << count | self.0 >> (BLOCK as u32 - count))
    }

    #[inline(always)]
    fn before(self) -> Self {
        Self(!0, self.1.before())
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0 | self.1 == 0
    }
}

/// The number sign.
const NUMBER_SIGN: AsciiSet = END.without(&SLASH).without(&QUESTION);
const _: () = assert!(NUMBER_SIGN.only.is_some() && QUERY.bits == FRAGMENT.bits);

// The characters of a registered name are those of `NAME`, and triplets.
const _: () = assert!(REG_NAME.bits == NAME.bits | PERCENT.bits);

/// The bit that letters have. The other characters of a scheme do not have it.
const LETTER: u8 = 64;
const _: () = assert!(SCHEME_FIRST.bits == SCHEME.bits >> LETTER << LETTER);

/// Tells whether a short text, which is UTF-8, matches `rule`. Returns `None` if only the parser can tell.
#[inline(always)]
pub(super) fn matches<T: Short>(masks: T, text: &[u8], rule: Rule) -> Option<bool> {
    let first = masks.first();
    let end = masks.end().near();
    let ends = first.ascii(&END) | end;
    let (colons, slashes) = (first.ascii(&COLON), first.ascii(&SLASH));

    // Scheme: the characters before a colon.
    let stop = (first.ask(Query::Outside(&SCHEME)) | end).lowest();
    // The first byte is a member of `SCHEME`, unless `stop` is that byte.
    let begins = text.first().is_some_and(|byte| byte & LETTER != 0);
    let has_scheme = begins & (stop & colons != 0);
    // Without a scheme, the first segment must not hold a colon.
    let delimiter = (colons | ends).lowest();
    // In a text of two blocks, the colon and two slashes are in the first one.
    if T::Mask::HAS_TWO && (stop << 3 == 0 || !has_scheme & (delimiter == 0)) {
        return None;
    }
    let begins_wrong = match rule.scheme() {
        SchemeRule::Required => !has_scheme,
        SchemeRule::Optional => !has_scheme & (delimiter & colons != 0),
        SchemeRule::Absent => has_scheme | (delimiter & colons != 0),
    };

    // Authority: after two slashes. Most are a name alone.
    let start = if has_scheme { stop << 1 } else { 1 };
    let has_authority = (slashes & start != 0) & (slashes & start << 1 != 0);
    let authority = if has_authority { start << 2 } else { start };
    let percent = masks.ask(Query::In(&PERCENT));
    let others = (first.foreign(&NAME) & !percent.near() | end) & authority.wrapping_neg();
    let mut name_end = if has_authority { others.lowest() } else { authority };
    if has_authority & (name_end & ends == 0) {
        // Port: digits after a colon, or nothing.
        let port = (name_end & colons) << 1;
        name_end = (first.ask(Query::Outside(&DIGIT)) & port.wrapping_neg()).lowest();
        if name_end & ends == 0 {
            return None;
        }
    }

    // Path and query end at the first ASCII byte that neither can hold. If that is a number sign, a fragment follows,
    // which holds the same ASCII bytes.
    let region = T::Mask::from_first(name_end.wrapping_neg()) & masks.end().before();
    let foreign = masks.ask(Query::Foreign(&QUERY)) & region;
    let sign = foreign.lowest() & masks.ask(Query::In(&NUMBER_SIGN));
    let disallowed = if rule.allows_fragment() { foreign & !sign } else { foreign };

    // Triplets and characters outside ASCII, in all components at once.
    let lacking = (percent.next(1) | percent.next(2)) & !masks.ask(Query::In(&HEXDIG));
    if !masks.ask(Query::NonAscii).is_empty() {
        if rule.ascii_only() {
            return Some(false);
        }
        if !masks.leads().is_empty() {
            return None;
        }
    }
    Some((disallowed | lacking).is_empty() & !begins_wrong)
}
