//! The search for a byte without SIMD, where a mask would be a step for each of its 64 bytes.
//!
//! Here: a walk that reads only the bytes up to the answer. It reads eight bytes at a time if it searches a single byte
//! or a byte outside ASCII, otherwise one byte after the other. Not here: what a question means (`scalar`).
#![forbid(unsafe_code)]

use super::{Query, as_chunks};

/// [`super::find`] without blocks.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn find(text: &[u8], from: usize, query: Query<'_>) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let steps = match query {
        Query::NonAscii => words(text, rest, |word| word),
        Query::In(set) => match set.only {
            // A byte of `differs` is 0 if it is the byte that is searched. Subtracting 1 from 0 borrows, which sets the
            // highest bit. `& !differs` removes the bytes whose highest bit was set before.
            Some(byte) => words(text, rest, |word| {
                let differs = word ^ (ONES * u64::from(byte));
                differs.wrapping_sub(ONES) & !differs
            }),
            None => walk(rest, |byte| set.contains(byte)),
        },
        Query::Outside(set) => walk(rest, |byte| !set.contains(byte)),
        Query::Foreign(set) => walk(rest, |byte| set.is_foreign(byte)),
    };
    from.saturating_add(steps).min(text.len())
}

/// Returns how many bytes come before the first for which `found` holds.
#[inline(always)]
fn walk(bytes: &[u8], found: impl Fn(u8) -> bool) -> usize {
    let (chunks, tail) = as_chunks::<u8, 8>(bytes);
    let mut at = 0;
    for chunk in chunks {
        // Eight tests in a row instead of a loop that counts.
        for byte in chunk {
            if found(*byte) {
                return at;
            }
            at += 1;
        }
    }
    at + tail.iter().take_while(|byte| !found(**byte)).count()
}

// A word is eight bytes. The first byte is the lowest.
/// A word whose bytes are all 1.
const ONES: u64 = 0x0101_0101_0101_0101;
/// A word with the highest bit of each byte.
const HIGHEST: u64 = ONES << 7;

/// Returns how many bytes of `rest`, which is the end of `text`, come before the first byte whose highest
/// bit `found` sets. `found` may set it wrongly in bytes after that byte.
#[inline(always)]
fn words(text: &[u8], rest: &[u8], found: impl Fn(u64) -> u64) -> usize {
    let (chunks, tail) = as_chunks::<u8, 8>(rest);
    let mut at = 0;
    for chunk in chunks {
        let found = found(u64::from_le_bytes(*chunk)) & HIGHEST;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    // The last bytes: the last word of the text, without the bytes that were read already. In a text of fewer than
    // eight bytes, all bytes one by one.
    let word = match text.last_chunk() {
        Some(last) if !tail.is_empty() => u64::from_le_bytes(*last) >> (64 - 8 * tail.len()),
        _ => tail.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    at + (found(word) & HIGHEST).trailing_zeros() as usize / 8
}
