//! Finds the common link by masks: a plain host or an IP literal after `http://` or `https://`, perhaps a
//! port, and only plain characters up to the next white space. `detect` finds the same links step by step.

use core::ops::Range;

use super::hosts::ip_literal_end;
use super::inside::APART;
use super::reader::count;
use super::stretch::{LinkSets, Stretch};
use crate::Ends;
use simd_iri::low::{AsciiSet, BLOCK, Block, Cpu, DOMAIN_NAME, Job, below, slice};

const DOT: AsciiSet = AsciiSet::just(b'.');
const HYPHEN: AsciiSet = AsciiSet::just(b'-');

/// A place where a link may be, or a link.
pub(crate) enum Candidate {
    /// A place where a link may be: a colon, an at sign, or the last byte of a dot. Or the last byte of the control with
    /// which a sequence of a terminal begins.
    At(usize),
    /// A common link.
    Link(Range<usize>),
    /// A link up to the end of its host and port; more of the link follows.
    Host(Range<usize>),
}

/// Returns the common link whose scheme ends at `colon` and that begins at or after `floor`. If the end of the
/// link needs other rules, returns the link up to its host and port. Returns `None` if there is no plain host.
#[inline(always)]
pub(crate) fn common_link<S: Cpu>(
    simd: S,
    text: &str,
    colon: usize,
    floor: usize,
    sets: &LinkSets,
    ends: Ends,
) -> Option<Candidate> {
    let bytes = text.as_bytes();
    let start = scheme_start(bytes, colon).filter(|start| *start >= floor)?;
    let host = colon + 3;
    let mut end = match bytes.get(host)? {
        b'[' => ip_literal_end(bytes, host)?,
        _ => host + plain_host(simd, bytes, host)?,
    };
    if bytes.get(end) == Some(&b':') {
        let port = slice::bytes(bytes, end + 1..);
        let digits = port.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return None;
        }
        end += 1 + digits;
    }
    let is_over = |at: usize| bytes.get(at).is_none_or(|byte| *byte <= b' ');
    if is_over(end) {
        return Some(Candidate::Link(start..end));
    }
    if !matches!(bytes.get(end), Some(b'/' | b'?' | b'#')) {
        return None;
    }
    let (stop, safe) = Stretch { text, from: end, sets, ends }.run(simd, &[]);
    Some(if is_over(stop) { Candidate::Link(start..safe) } else { Candidate::Host(start..end) })
}

/// Returns the length of the name of a host that begins at `host`, if the name is plain: it is short, and
/// no label is empty, has a hyphen at an end, or has two hyphens together, as A-labels have.
///
/// ```text
/// text      a - b . c d
/// dots      0 0 0 1 0 0
/// hyphens   0 1 0 0 0 0
/// first     1 0 0 0 1 0    the first byte of each label: after a dot, and at the start
/// last      0 0 1 0 0 1    the last byte of each label: before a dot, and at the end
/// ```
///
/// If `first` or `last` has a dot, a label is empty. If it has a hyphen, the hyphen is at an end of a label.
#[inline(always)]
fn plain_host<S: Cpu>(simd: S, text: &[u8], host: usize) -> Option<usize> {
    let block = simd.load(text, host);
    let length = (!block.ascii(&DOMAIN_NAME)).trailing_zeros() as usize;
    count(length);
    if length == 0 || length == BLOCK {
        return None;
    }
    // An underscore at the end may be emphasis, which depends on the markup.
    if text.get(host + length - 1) == Some(&b'_') {
        return None;
    }
    let inside = below(length);
    let (dots, hyphens) = (block.ascii(&DOT) & inside, block.ascii(&HYPHEN) & inside);
    let first = dots << 1 | 1;
    let last = dots >> 1 | 1 << (length - 1);
    let is_plain = (first | last) & (dots | hyphens) & inside == 0 && hyphens & hyphens << 1 == 0;
    is_plain.then_some(length)
}

/// Returns the offset at which `http` or `https` begins before a colon and two slashes, if nothing before
/// it belongs to the same word or to an address.
#[inline(always)]
fn scheme_start(text: &[u8], colon: usize) -> Option<usize> {
    let (before, after) = text.split_at_checked(colon)?;
    let lower = |name: &[u8; 4]| u32::from_le_bytes(*name) | 0x2020_2020;
    const HTTP: u32 = u32::from_le_bytes(*b"http");
    let s = usize::from(matches!(before.last(), Some(b's' | b'S')));
    let (before, name) = before.get(..before.len() - s)?.split_last_chunk::<4>()?;
    let is_apart = match before.last() {
        Some(byte) => APART.contains(*byte),
        None => true,
    };
    (after.starts_with(b"://") && lower(name) == HTTP && is_apart).then_some(before.len())
}
