//! Whether a rare authority matches: what comes after the byte at which a cursor of a batch has stopped.
//!
//! Not here: the cursors (`cursor`), and the parser, which decides what this file leaves unsure (`grammar`).
#![forbid(unsafe_code)]

/*
The cursor of a name stops at the first byte that a name cannot hold, and the cursor of a port stops at the first byte
that is not a digit. If the authority does not end there, the text is rare, and the bytes from there on tell what it is:

    //[::1]:8/      an IP literal
    //a@b:8/        the `@` of user information
    //a:8b@c/       a part of user information
    //a:8b/         a port that is not a number: wrong, because no `@` comes before the end of the authority
    //a[/           a bracket in a name: wrong, because neither a name nor user information may hold it
    //a b/          a character that nothing may hold: wrong
    //a@b@c/        a second `@`: wrong

A slash and an `@` stop every cursor. So a slash before a bracket shows that the authority begins with the bracket.

# Invariants

- All bytes of the authority before the place are of `NAME`, triplets, colons, or outside ASCII: user information may
  hold all of them.
- Triplets and characters outside ASCII are not checked here.
*/

use super::ip;
use crate::tables::END;

/// What is known of a rare text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rare {
    /// The authority matches, and ends at `end`. If its host is an IP literal, the places of the brackets. The byte
    /// before and the bytes up to `end`, with the byte there, decide this: after the same bytes, the answer is the same.
    Host { literal: Option<(u32, u32)>, end: u32 },
    /// The text does not match.
    Wrong,
    /// Only the parser can tell.
    Unsure,
}

/// Which of the 64 bytes from a place on are in which set. The bits of bytes after the text mean nothing.
#[derive(Clone, Copy)]
pub(crate) struct Near {
    /// `NAME`, the percent sign and all bytes outside ASCII.
    pub(crate) name: u64,
    /// The colon.
    pub(crate) colon: u64,
    /// `HEXDIG`.
    pub(crate) hexdig: u64,
    /// `DIGIT`.
    pub(crate) digit: u64,
}

impl Near {
    /// The number of bytes for which the masks have bits.
    const LEN: usize = 64;
}

/// Decides about a text, from the byte on at which a cursor of its authority has stopped, which is ASCII. `before` is
/// the byte before. The places of a result are relative to the start of `rest`.
// One function for all levels.
#[inline(never)]
pub(crate) fn decide(rest: &[u8], before: u8, near: Near) -> Rare {
    let mut host = 0;
    if !(rest.first() == Some(&b'[') && before == b'/') {
        let user = (near.name | near.colon).trailing_ones() as usize;
        match rest.get(user) {
            _ if user == Near::LEN => return Rare::Unsure,
            Some(b'@') => host = user + 1,
            _ => return Rare::Wrong,
        }
    }
    let run = |mask: u64, from: usize| {
        let moved = if from < Near::LEN { mask >> from } else { 0 };
        from + moved.trailing_ones() as usize
    };
    let (end, literal) = if rest.get(host) == Some(&b'[') {
        // Nearly all literals are digits and colons up to the closing bracket.
        let close = run(near.hexdig | near.colon, host + 1);
        let close = match rest.get(close) {
            Some(b']') => close,
            _ => match rest.iter().position(|byte| *byte == b']') {
                Some(close) => close,
                None => return Rare::Wrong,
            },
        };
        let literal = rest.get(host..=close).unwrap_or_default();
        let moved = |mask: u64| mask.checked_shr(host as u32 + 1).unwrap_or_default();
        if !ip::is_literal(literal, (moved(near.hexdig), moved(near.colon))) {
            return Rare::Wrong;
        }
        (close + 1, Some((host as u32, close as u32)))
    } else {
        (run(near.name, host), None)
    };
    let end = if rest.get(end) == Some(&b':') { run(near.digit, end + 1) } else { end };
    match rest.get(end) {
        _ if end >= Near::LEN => Rare::Unsure,
        Some(byte) if !END.contains(*byte) => Rare::Wrong,
        _ => Rare::Host { literal, end: end as u32 },
    }
}
