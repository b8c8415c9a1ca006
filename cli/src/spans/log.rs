//! The addresses in lines of access logs.

/*
# The algorithm

A mask finds the newline. Then the line is read from variable to variable, as its format says. Where the text after a
variable begins, there are bits in the mask of its first byte, and in the masks of its other bytes moved to the first. For
example, a time ends at `] "`:

    bytes          [  2  0  2  4  ]  "  ]     "  G
    ]              .  .  .  .  .  1  .  1  .  .  .
    space, by 1    .  .  .  .  .  .  .  1  .  .  .
    quote, by 2    .  .  .  .  1  .  .  1  .  .  .
    all            .  .  .  .  .  .  .  1  .  .  .

A request is read in three steps: the method to the first byte that no token has, which must be a space; the target to the
first blank, quote, backslash or number sign, which must be a space; a version, such as HTTP/1.1 or HTTP/2, and the text after
the variable.

A line is regular if no quoted value up to the address has a backslash, and the address has neither blanks nor backslashes. A
target must begin with a slash. So `*`, the authority of CONNECT, a target with a scheme and a request without a version are
left to the reader, and so is whatever is wrong. If the variable is the address or the target and is absent, the line has no
span.

# Invariants

- A place is in its line, so a value never goes on in the next line.
- The address is not blank, so the line is not blank.
*/

use std::ops::Range;

use simd_iri::low::{AsciiSet, BLOCK, Block, Cpu, UNRESERVED};

use super::{Lines, Span, first};

const NEWLINE: AsciiSet = AsciiSet::just(b'\n');

const BACKSLASH: AsciiSet = AsciiSet::just(b'\\');

/// What ends the target of a request, or makes the line irregular.
const TARGET: AsciiSet = AsciiSet::of(b"\t\n\x0B\x0C\r \"#\\");

/// What no address has.
const STRANGE: AsciiSet = AsciiSet::of(b"\t\n\x0B\x0C\r \\");

/// What a method consists of: the characters of a token (RFC 9110, section 5.6.2).
pub(crate) const TOKEN: AsciiSet = UNRESERVED.with(&AsciiSet::of(b"!#$%&'*+^`|"));

/// The format of a log up to the address.
pub(crate) struct Format<'l> {
    /// The text before the first variable.
    pub(crate) start: &'l [u8],
    /// The text after each variable before the address.
    pub(crate) before: Vec<&'l [u8]>,
    pub(crate) value: Value,
    /// The text after the value with the address; empty at the end of the line.
    pub(crate) after: &'l [u8],
}

/// What the value with the address is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Request,
    Target,
    Address,
}

impl Format<'_> {
    /// Tells whether masks can find the addresses.
    pub(crate) fn has_masks(&self) -> bool {
        let is_short = |after: &&[u8]| after.is_ascii() && after.len() < BLOCK;
        // The request ends with a quote, which no part of it has.
        let has_end = self.value != Value::Request || self.after.starts_with(b"\"");
        has_end && is_short(&self.after) && self.before.iter().all(is_short)
    }
}

impl Lines for Format<'_> {
    #[inline(always)]
    fn line<S: Cpu>(
        &self,
        simd: S,
        text: &[u8],
        at: usize,
        spans: &mut Vec<Span>,
    ) -> Option<usize> {
        let newline = first(simd, text, at, &NEWLINE)?;
        let line = text.get(at..newline)?;
        // PERF: a call of `memcmp` costs as much as a variable.
        if !self.start.is_empty() && !line.starts_with(self.start) {
            return None;
        }
        let end = newline - usize::from(line.ends_with(b"\r"));
        let mut at = at + self.start.len();
        for after in &self.before {
            at = place(simd, text, at..end, after)? + after.len();
        }
        let span = if self.value == Value::Request {
            request(simd, text, at..end, self.after)?
        } else {
            value(simd, text, at..end, self.after)?
        };
        match text.get(span.clone())? {
            b"" | b"-" => {}
            [first, ..] if *first != b'/' && self.value == Value::Target => return None,
            _ => spans.push((span.start as u32, span.end as u32)),
        }
        Some(newline + 1)
    }
}

/// Returns where `after` begins, the text after the value that begins at the start of `rest`, which is the rest of a line.
#[inline(always)]
fn place<S: Cpu>(simd: S, text: &[u8], rest: Range<usize>, after: &[u8]) -> Option<usize> {
    let (head, tail) = after.split_first()?;
    let mut at = rest.start;
    loop {
        let block = simd.load(text.get(at..)?.first_chunk::<BLOCK>()?, 0);
        let mut found = block.ascii(&AsciiSet::just(*head));
        for (number, byte) in (1..).zip(tail) {
            found &= block.ascii(&AsciiSet::just(*byte)) >> number;
        }
        let before = found.wrapping_sub(1) & !found;
        if *head == b'"' && block.ascii(&BACKSLASH) & before != 0 {
            return None;
        }
        if found != 0 {
            let place = at + found.trailing_zeros() as usize;
            return (place + after.len() <= rest.end).then_some(place);
        }
        // The next block begins with the last bytes of this block that may begin the text.
        at += BLOCK - tail.len();
        if at >= rest.end {
            return None;
        }
    }
}

/// Returns the span of the value that begins at the start of `rest`.
#[inline(always)]
fn value<S: Cpu>(simd: S, text: &[u8], rest: Range<usize>, after: &[u8]) -> Option<Range<usize>> {
    let strange = first(simd, text, rest.start, &STRANGE)?;
    let end = match after {
        // The value ends with the line, or at a space.
        [] if strange == rest.end || text.get(strange) == Some(&b' ') => strange,
        [] => return None,
        _ => place(simd, text, rest.clone(), after)?,
    };
    (end <= strange).then_some(rest.start..end)
}

/// Returns the span of the target of the request that begins at the start of `rest`.
#[inline(always)]
fn request<S: Cpu>(simd: S, text: &[u8], rest: Range<usize>, after: &[u8]) -> Option<Range<usize>> {
    let block = simd.load(text.get(rest.start..)?.first_chunk::<BLOCK>()?, 0);
    let method = rest.start + (!block.ascii(&TOKEN)).trailing_zeros() as usize;
    if method == rest.start || !text.get(method..)?.starts_with(b" /") {
        return None;
    }
    let start = method + 1;
    let end = first(simd, text, start, &TARGET)?;
    let version = text.get(end..rest.end)?.strip_prefix(b" HTTP/")?;
    let ([b'0'..=b'9', b'.', b'0'..=b'9', rest @ ..] | [b'0'..=b'9', rest @ ..]) = version else {
        return None;
    };
    // PERF: no call of `memcmp`, as above.
    let is_end = after.len() <= rest.len() && after.iter().zip(rest).all(|(byte, at)| byte == at);
    is_end.then_some(start..end)
}
