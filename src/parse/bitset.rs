//! A bit for each of 4096 bytes, as one number of which the first byte has the lowest bit: where the
//! ones are, and how many. Not here: what they stand for.
#![forbid(unsafe_code)]

use super::cursors::Column;
use crate::scan::{BLOCK, Simd};

/// How many blocks there are.
pub(super) const BLOCKS: usize = 64;

/// So many blocks are read together.
pub(super) const GROUP: usize = 8;

/// A bit for each byte of so many blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bitset(pub(super) [u64; BLOCKS]);

impl Bitset {
    /// No bit.
    pub(super) const ZERO: Self = Self([0; BLOCKS]);

    /// The words of each group of blocks.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn groups(&mut self) -> &mut [[u64; GROUP]; BLOCKS / GROUP] {
        bytemuck::must_cast_mut(&mut self.0)
    }

    /// The bits that are not of the other.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn without(&self, other: &Self) -> Self {
        let mut rest = *self;
        rest.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
        rest
    }

    #[cfg_attr(optimized, inline(always))]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// How many bits there are.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The place of the last bit.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn last(&self) -> Option<usize> {
        let (at, word) = self.0.iter().enumerate().rfind(|(_, word)| **word != 0)?;
        Some(at * BLOCK + word.ilog2() as usize)
    }

    /// Puts down the place of each bit, as far as there is room for those of one block more.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn put<S: Simd>(&self, simd: S, places: &mut Column) {
        let mut count = 0;
        for (word, at) in self.0.iter().zip((0..).step_by(BLOCK)) {
            let Some(free) = places.get_mut(count..).and_then(|free| free.first_chunk_mut()) else {
                return;
            };
            simd.put(*word, at, free);
            count += word.count_ones() as usize;
        }
    }

    /// How far it is from a place to the first bit there or after it.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn distance(&self, from: u32) -> u32 {
        let (at, shift) = (from as usize / BLOCK, from % BLOCK as u32);
        let word = |at| self.0.get(at).copied().unwrap_or_default();
        let near = word(at) >> shift | word(at + 1) << 1 << (BLOCK as u32 - 1 - shift);
        if near != 0 { near.trailing_zeros() } else { self.far(at + 1) - from }
    }

    /// The place of the first bit from a word on.
    #[cold]
    fn far(&self, from: usize) -> u32 {
        let mut words = self.0.iter().zip((0..).step_by(BLOCK)).skip(from);
        let found = words.find(|(word, _)| **word != 0);
        found.map_or((BLOCKS * BLOCK) as u32, |(word, at)| at + word.trailing_zeros())
    }

    /// Calls `each` with the number and the place of the first bit in every text, for bits that are
    /// rare, where `ends` has the end of every text. In a text of several blocks, the first of each.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn each(&self, ends: &Self, mut each: impl FnMut(usize, u32)) {
        if self.is_empty() {
            return;
        }
        let mut before = 0;
        for ((bits, ends), at) in self.0.iter().zip(ends.0).zip((0..).step_by(BLOCK)) {
            let mut bits = *bits;
            while bits != 0 {
                let below = (bits & bits.wrapping_neg()) - 1;
                each(before + (ends & below).count_ones() as usize, at + bits.trailing_zeros());
                let end = ends & !below;
                bits &= !(end ^ end.wrapping_sub(1));
            }
            before += ends.count_ones() as usize;
        }
    }
}
