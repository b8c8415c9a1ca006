//! Searches in a text for the first byte that a question asks for: block by block, or without SIMD byte by byte
//! (`words`).

use super::kernel::BLOCK;
use super::kernel::{Block, Query, Simd};
use super::level::{Cpu, CpuLevel, Job};
use super::words;
use crate::tables::AsciiSet;

/// Returns the offset of the first byte of `text` at or after `from` that `query` asks for, or the length of the
/// text if there is none.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn find<S: Simd>(simd: S, text: &[u8], from: usize, query: Query<'_>) -> usize {
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

/// Returns the offset of the first member of `set` in `text`, or the length of the text if there is none.
pub(crate) fn position(text: &[u8], set: &AsciiSet) -> usize {
    CpuLevel::best().run(Position { text, set })
}

/// [`position`] as a job.
struct Position<'a> {
    text: &'a [u8],
    set: &'a AsciiSet,
}

impl Job for Position<'_> {
    type Output = usize;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S) -> usize {
        find(simd, self.text, 0, Query::In(self.set))
    }
}

/// Returns the first offset at or after `from` at which the byte `second` follows the byte `first` or
/// begins the text, or the length of the text if there is none. Both bytes are ASCII.
#[cfg(feature = "alloc")]
pub(crate) fn follower(text: &[u8], from: usize, first: u8, second: u8) -> usize {
    CpuLevel::best().run(Follower { text, from, first, second })
}

/// [`follower`] as a job.
#[cfg(feature = "alloc")]
struct Follower<'a> {
    text: &'a [u8],
    from: usize,
    first: u8,
    second: u8,
}

#[cfg(feature = "alloc")]
impl Job for Follower<'_> {
    type Output = usize;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S) -> usize {
        let Self { text, from, first, second } = self;
        let is_before = |at: usize| at.checked_sub(1).is_none_or(|at| text.get(at) == Some(&first));
        let mut at = from;
        if !S::MASKS {
            while at < text.len() && !(text.get(at) == Some(&second) && is_before(at)) {
                at += 1;
            }
            return at.min(text.len());
        }
        let mut before = u64::from(is_before(at));
        while at < text.len() {
            let block = simd.load(text, at);
            let first = block.ascii(&AsciiSet::just(first));
            let found = (first << 1 | before) & block.ascii(&AsciiSet::just(second));
            if found != 0 {
                return at + found.trailing_zeros() as usize;
            }
            before = first >> (BLOCK - 1);
            at += BLOCK;
        }
        text.len()
    }
}

/// Returns the number of bytes at the start of `text` that are members of `set` and not of `but`.
pub(crate) fn prefix(text: &[u8], set: &AsciiSet, but: &AsciiSet) -> usize {
    CpuLevel::best().run(Prefix { text, set, but })
}

/// [`prefix`] as a job.
struct Prefix<'a> {
    text: &'a [u8],
    set: &'a AsciiSet,
    but: &'a AsciiSet,
}

impl Job for Prefix<'_> {
    type Output = usize;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S) -> usize {
        find(simd, self.text, 0, Query::OutsideOrIn(self.set, self.but))
    }
}
