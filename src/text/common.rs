//! The common link, seen in masks alone: a plain host after `http://` or `https://`, perhaps a port, and
//! nothing that needs a thought up to the white space after it. The way of `detect` finds the same, step by
//! step.

use super::candidates::Candidate;
use super::hosts::NAME;
use super::reader::count;
use super::stretch::{Sets, Stretch};
use crate::scan::{BLOCK, Block, Job, Simd, below};
use crate::tables::AsciiSet;

const DOT: AsciiSet = AsciiSet::just(b'.');
const HYPHEN: AsciiSet = AsciiSet::just(b'-');

/// The common link whose scheme ends at `colon` and begins no earlier than `floor`, if there is one; or
/// the host of a link that needs more.
#[cfg_attr(optimized, inline(always))]
pub(super) fn common_link<S: Simd>(
    simd: S,
    text: &[u8],
    colon: usize,
    floor: usize,
    sets: &Sets,
) -> Option<Candidate> {
    let start = scheme_start(text, colon).filter(|start| *start >= floor)?;
    let host = colon + 3;
    if host >= text.len() {
        return None;
    }
    let block = simd.load(text, host);
    let name = block.ascii(&NAME);
    let length = (!name).trailing_zeros() as usize;
    if length == 0 || length == BLOCK {
        return None;
    }
    let inside = below(length);
    let (dots, hyphens) = (block.ascii(&DOT) & inside, block.ascii(&HYPHEN) & inside);
    let first = dots << 1 | 1;
    let last = dots >> 1 | 1 << (length - 1);
    // An empty label, a hyphen at an end of one, or two together, as in ACE forms.
    if (first | last) & (dots | hyphens) & inside != 0 || hyphens & hyphens << 1 != 0 {
        return None;
    }
    let mut end = host + length;
    if text.get(end) == Some(&b':') {
        let port = text.get(end + 1..).unwrap_or_default();
        let digits = port.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return None;
        }
        end += 1 + digits;
    }
    let is_over = |at: usize| text.get(at).is_none_or(|byte| *byte <= b' ');
    if is_over(end) {
        return Some(Candidate::Link(start..end));
    }
    if !matches!(text.get(end), Some(b'/' | b'?' | b'#')) {
        return None;
    }
    let (stop, safe) = Stretch { text, from: end, sets }.run(simd);
    count(stop - host);
    Some(if is_over(stop) { Candidate::Link(start..safe) } else { Candidate::Host(start..end) })
}

/// Where `http` or `https` begins before a colon with two slashes, if nothing before belongs to the word.
#[cfg_attr(optimized, inline(always))]
fn scheme_start(text: &[u8], colon: usize) -> Option<usize> {
    let (before, after) = text.split_at_checked(colon)?;
    let lower = |name: &[u8; 4]| u32::from_le_bytes(*name) | 0x2020_2020;
    const HTTP: u32 = u32::from_le_bytes(*b"http");
    let without_s = match before {
        [start @ .., b's' | b'S'] => start,
        _ => before,
    };
    let (before, name) = without_s.split_last_chunk::<4>()?;
    let is_apart = match before.last() {
        Some(byte) => byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"-+".contains(byte),
        None => true,
    };
    (after.starts_with(b"://") && lower(name) == HTTP && is_apart).then_some(before.len())
}
