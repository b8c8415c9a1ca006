//! The grammar as cursors: single bits that move through masks, one in each text. Written once for one short text
//! (`short`) and for all texts of 4 KiB (`cursors` of the batches).
//!
//! Here: which bytes a cursor passes, and where a cursor is wrong. Not here: where the masks come from, and what
//! becomes of the cursors.
#![forbid(unsafe_code)]

/*
# The algorithm

A place in a text is one bit of a mask. A shift moves a cursor to the next byte. An addition moves a cursor through the
members of a set: the carry runs through the ones, and comes to rest at the first byte that is not a member. So the same
steps serve one text, whose masks are one number of 64 or 128 bits, and all texts of eight blocks, whose masks are
numbers of 512 bits with a cursor for each text.

    head     scheme_end = start + SCHEME, without SCHEME           the start must be a letter
             wrong      = a scheme that the rule forbids; no scheme although the rule requires a scheme; without a
                          scheme, a colon in the first segment
             authority  = scheme_end moved by 3, if it is a colon and `//` follows
             path       = authority + NAME, without NAME           over a `:`, + digits, without digits
             rare       = each cursor of an authority that stops where no authority may end; a batch decides about
                          most of these texts without the parser (`rare`)
    wrong    all foreign bytes; each place where a triplet lacks a digit; each `#` of a text after the first

NAME means this set with triplets and all bytes outside ASCII. After the authority, any text of QUERY with at most one
`#` is a path, a query and a fragment. So `wrong` does not need a cursor that runs through these components.

    text        h t t p : / / a : 8 / b %
    begin       1
    SCHEME      1 1 1 1 . . . 1 . 1 . 1 .
    scheme_end  . . . . 1
    authority   . . . . . . . 1
    name_end    . . . . . . . . 1               the colon before a port
    path        . . . . . . . . . . 1
    wrong       . . . . . . . . . . . . . 1     the end of the text, where a digit is missing

# Where a short text and a batch differ

- The end of a name (`Mask::IS_SHORT`): a short text without an authority skips the steps for an authority. If the name
  is the whole authority, it skips the steps for a port. Among many texts, some text nearly always has an authority, and
  some text a port.
- Each `#` after the first (`Mask::after_first`): in the mask of one text, all bits but the lowest.

# Invariants

- A stop, which is the place after a text, is in no set. So no cursor leaves its text.
- A text with a bit in `rare` may match, whatever `wrong` says. A text of ASCII without a bit in `rare` matches exactly
  if it has no bit in `wrong`.
- The cursors pass every byte outside ASCII. The callers decide which of these characters are allowed.
*/

use super::rule::{Rule, SchemeRule};
use crate::scan::Mask;

/// Which bytes of a scheme and of an authority are in which set.
#[derive(Clone, Copy)]
pub(crate) struct HeadSets<M> {
    /// `SCHEME`.
    pub(crate) scheme: M,
    /// The colon.
    pub(crate) colon: M,
    /// The slash.
    pub(crate) slash: M,
    /// `END`: the slash, the question mark and the number sign.
    pub(crate) end: M,
    /// What a registered name may hold, with the percent sign and all bytes outside ASCII.
    pub(crate) name: M,
    /// `DIGIT`.
    pub(crate) digit: M,
}

/// Which bytes of a text are in which set.
#[derive(Clone, Copy)]
pub(crate) struct TextSets<M> {
    /// The number sign.
    pub(crate) hash: M,
    /// The percent sign.
    pub(crate) percent: M,
    /// `HEXDIG`.
    pub(crate) hexdig: M,
    /// The bytes that no component may hold, and that are not the number sign.
    pub(crate) foreign: M,
}

/// Where the texts begin and end.
#[derive(Clone, Copy)]
pub(crate) struct Bounds<M> {
    /// The starts of the texts that begin with a letter.
    pub(crate) begin: M,
    /// The starts of the other texts.
    pub(crate) no_letter: M,
    /// The place after each text.
    pub(crate) stop: M,
}

/// What [`head`] hands from a group of blocks to the next group: the numbers whose highest bits move, and the carries
/// of the additions.
#[derive(Clone, Copy)]
pub(crate) struct HeadBefore<M> {
    no_letter: M,
    colon: M,
    slash: M,
    two_slashes: M,
    port: M,
    scheme_end: M,
    segment_end: M,
    name_end: M,
    port_end: M,
}

impl<M: Mask> HeadBefore<M> {
    /// The state before the first group of blocks.
    #[inline(always)]
    pub(crate) const fn none(zero: M) -> Self {
        Self {
            no_letter: zero,
            colon: zero,
            slash: zero,
            two_slashes: zero,
            port: zero,
            scheme_end: zero,
            segment_end: zero,
            name_end: zero,
            port_end: zero,
        }
    }
}

impl HeadBefore<u64> {
    /// Tells whether a cursor has left the block. Then the cursors in the block do not decide about the text. The
    /// cursor of an authority is three bytes after the colon of the scheme, and the cursor of a port starts one byte
    /// after its colon.
    #[inline(always)]
    pub(super) const fn has_left(self) -> bool {
        let moved = self.colon >> 61 | self.port >> 63;
        moved | self.scheme_end | self.segment_end | self.name_end | self.port_end != 0
    }
}

/// What [`wrong`] hands from a group of blocks to the next group.
#[derive(Clone, Copy)]
pub(crate) struct TextBefore<M> {
    percent: M,
    digit: M,
    hash: [M; 2],
}

impl<M: Mask> TextBefore<M> {
    /// The state before the first group of blocks.
    #[inline(always)]
    pub(crate) const fn none(zero: M) -> Self {
        Self { percent: zero, digit: zero, hash: [zero; 2] }
    }
}

/// The cursors up to the path.
#[derive(Clone, Copy)]
pub(crate) struct Head<M> {
    /// A bit in each text that does not match because of its scheme or its first segment.
    pub(crate) wrong: M,
    /// A bit in each text that only the parser can decide.
    pub(crate) rare: M,
    /// In each text that begins with a letter, the first byte that a scheme cannot hold.
    pub(crate) scheme_end: M,
    /// The colon after each scheme.
    pub(crate) scheme_colon: M,
    /// The first byte after the two slashes before each authority.
    pub(crate) authority: M,
    /// The colon before each port.
    pub(crate) port: M,
    /// The end of each authority. In a text with a bit in `rare`, the place where its cursor stops.
    pub(crate) path: M,
}

/// Moves the cursors from the start of each text up to its path.
#[inline(always)]
pub(crate) fn head<M: Mask>(
    rule: Rule,
    sets: HeadSets<M>,
    bounds: Bounds<M>,
    before: &mut HeadBefore<M>,
) -> Head<M> {
    let HeadSets { scheme, colon, slash, end, name, digit } = sets;
    let Bounds { begin, no_letter, stop } = bounds;

    // Scheme: it ends at a colon.
    let scheme_end = begin.plus_near(scheme, &mut before.scheme_end) & !scheme;
    let (scheme_colon, no_scheme) = (scheme_end & colon, scheme_end & !colon | no_letter);
    let wrong = if rule.scheme() == SchemeRule::Required {
        no_scheme
    } else {
        // Without a scheme, the first segment must not hold a colon. A scheme is wrong if the rule forbids it.
        let segment = !(colon | end | stop);
        let in_segment = no_scheme.plus(segment, &mut before.segment_end) & colon;
        if rule.scheme() == SchemeRule::Absent { in_segment | scheme_colon } else { in_segment }
    };

    // Authority: two slashes and a name. The name ends where the authority ends, or at the colon before a port.
    let after_slash = slash.next(&mut before.slash);
    let after_slashes = (after_slash & slash).next(&mut before.two_slashes);
    let mut authority = scheme_colon.ahead::<3>(&mut before.colon);
    if rule.scheme() != SchemeRule::Required {
        authority = authority | no_letter.ahead::<2>(&mut before.no_letter);
    }
    let authority = authority & after_slashes;
    let zero = stop & !stop;
    let mut head =
        Head { wrong, rare: zero, scheme_end, scheme_colon, authority, port: zero, path: zero };
    if M::IS_SHORT && !authority.any() {
        return head;
    }
    let name_end = authority.plus_near(name, &mut before.name_end) & !name;
    (head.port, head.path) = (name_end & colon, name_end & !colon);
    let ends = end | stop;
    if M::IS_SHORT && (name_end & ends).any() {
        return head;
    }
    head.rare = head.path & !ends;
    // Port: digits up to the end of the authority. Most groups do not have a port.
    let after_port = head.port.next(&mut before.port);
    if (after_port | before.port_end).any() {
        let port_end = after_port.plus_near(digit, &mut before.port_end) & !digit;
        head.rare = head.rare | port_end & !ends;
        head.path = head.path | port_end;
    }
    head
}

/// Returns the bytes that are wrong wherever the cursors are: foreign bytes, places where a triplet lacks a digit, and
/// each `#` that may not be there.
#[inline(always)]
pub(crate) fn wrong<M: Mask>(
    rule: Rule,
    sets: TextSets<M>,
    stop: M,
    before: &mut TextBefore<M>,
) -> M {
    let TextSets { hash, percent, hexdig, foreign } = sets;
    // Triplets: two hexadecimal digits must follow each percent sign.
    let first = percent.next(&mut before.percent);
    let second = (first & hexdig).next(&mut before.digit);
    let wrong = foreign | (first | second) & !hexdig;
    // Fragment: at most one `#`.
    let signs =
        if rule.allows_fragment() { hash.after_first(stop, &mut before.hash) } else { hash };
    wrong | signs
}
