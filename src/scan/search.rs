//! Searches in a text for the first byte that a question asks for: block by block, or without SIMD byte by byte
//! (`words`).

use super::level::{Cpu, CpuLevel, Job};
use super::ops::BLOCK;
use super::ops::{Block, Query, Simd, as_chunks};
use super::words;
use crate::tables::AsciiSet;

/// Returns the offset of the first byte of `text` at or after `from` that `query` asks for, or the length of the
/// text if there is none.
#[inline(always)]
pub fn find<S: Simd>(simd: S, text: &[u8], from: usize, query: Query<'_>) -> usize {
    if !S::MASKS {
        return words::find(text, from, query);
    }
    let mut at = from;
    while at < text.len() {
        let mask = simd.load(text, at).ask(query);
        if mask != 0 {
            return text.len().min(at + mask.trailing_zeros() as usize);
        }
        at += BLOCK;
    }
    text.len()
}

/// [`find`] as a separate function in each kernel, for a parser that asks many questions.
#[inline(always)]
pub(crate) fn find_apart<S: Cpu>(simd: S, text: &[u8], from: usize, query: Query<'_>) -> usize {
    simd.apart(Find { text, from, query })
}

/// [`find`] as a job.
struct Find<'a> {
    text: &'a [u8],
    from: usize,
    query: Query<'a>,
}

impl Job for Find<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> usize {
        find(simd, self.text, self.from, self.query)
    }
}

/// Tells whether all bytes of `text` are ASCII.
///
/// `str::is_ascii` branches on the bytes before and after the aligned words.
/// Measured: `docs/performance/notes.md`, "ASCII".
pub(crate) fn is_ascii(text: &str) -> bool {
    CpuLevel::run_best(IsAscii, text.as_bytes(), |job, text| CpuLevel::best().run_on(job, text))
}

/// [`is_ascii`] as a job.
struct IsAscii;

impl Job for IsAscii {
    type Output = bool;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> bool {
        is_ascii_in(simd, text)
    }
}

/// [`is_ascii`] with a kernel.
#[inline(always)]
pub(super) fn is_ascii_in<S: Simd>(simd: S, mut text: &[u8]) -> bool {
    if S::MASKS {
        let (fours, rest) = as_chunks::<u8, { 4 * BLOCK }>(text);
        for four in fours {
            let mut above = 0;
            for at in [0, BLOCK, 2 * BLOCK, 3 * BLOCK] {
                above |= simd.load(four, at).non_ascii();
            }
            if above != 0 {
                return false;
            }
        }
        text = rest;
    }
    find(simd, text, 0, Query::NonAscii) == text.len()
}

/// Returns the offset of the first member of `set` in `text`, or the length of the text if there is none.
pub(crate) fn position(text: &[u8], set: &AsciiSet) -> usize {
    CpuLevel::best().run_wide(Position { text, set })
}

/// [`position`] as a job.
struct Position<'a> {
    text: &'a [u8],
    set: &'a AsciiSet,
}

impl Job for Position<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> usize {
        find(simd, self.text, 0, Query::In(self.set))
    }
}

/// Returns the number of bytes at the start of `text` that are members of `set`.
#[inline]
pub fn prefix(text: &[u8], set: &AsciiSet) -> usize {
    CpuLevel::run_best(Prefix { set }, text, |job, text| CpuLevel::best().run_wide_on(job, text))
}

/// [`prefix`] as a job.
struct Prefix<'a> {
    set: &'a AsciiSet,
}

impl Job for Prefix<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> usize {
        find(simd, text, 0, Query::Outside(self.set))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A byte that is not ASCII, at each place around the ends of blocks.
    #[test]
    fn every_kernel_tells_ascii_as_defined() {
        for length in (0..140_usize).chain([300, 1_000]) {
            for place in (0..length).map(Some).chain([None]) {
                let mut text = alloc::vec![b'a'; length];
                if let Some(place) = place {
                    text[place] = 0xC3;
                }
                for level in CpuLevel::available() {
                    assert_eq!(level.run_on(IsAscii, &text), place.is_none(), "{level} {text:?}");
                }
            }
        }
    }
}
