//! A set of positions among 4096 bytes: one bit for each byte, as one long number whose lowest bit is the
//! first byte.
//!
//! Here: how many bits are set, and where. Not here: what the bits mean (`cursors`).
#![forbid(unsafe_code)]

use crate::scan::{BLOCK, Long};

/// The largest number of texts that one search finds.
pub(crate) const ROOM: usize = 256;

/// One number for each text.
pub(crate) type Column = [u32; ROOM];

/// The number of blocks of 64 bytes, and of words.
pub(crate) const BLOCKS: usize = 64;

/// The number of blocks that are read together.
pub(crate) const GROUP: usize = 8;

/// One bit for each byte of [`BLOCKS`] blocks: bit `i` of word `j` is byte `64 * j + i`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bitset(pub(crate) [u64; BLOCKS]);

impl Bitset {
    /// No bit.
    pub(crate) const ZERO: Self = Self([0; BLOCKS]);

    /// The words, in groups of [`GROUP`] blocks.
    #[cfg_attr(optimized, inline(always))]
    pub(crate) fn groups(&mut self) -> &mut [[u64; GROUP]; BLOCKS / GROUP] {
        bytemuck::must_cast_mut(&mut self.0)
    }

    /// The bits that are not in `other`.
    #[cfg_attr(optimized, inline(always))]
    pub(crate) fn without(&self, other: &Self) -> Self {
        let mut rest = *self;
        rest.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
        rest
    }

    /// Tells whether no bit is set.
    #[cfg_attr(optimized, inline(always))]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The number of bits that are set.
    #[cfg_attr(optimized, inline(always))]
    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The place of the last bit, or `None` if no bit is set.
    #[cfg_attr(optimized, inline(always))]
    pub(crate) fn last(&self) -> Option<usize> {
        let (at, word) = self.0.iter().enumerate().rfind(|(_, word)| **word != 0)?;
        Some(at * BLOCK + word.ilog2() as usize)
    }

    /// Writes the place of each bit to `places`, in order. Stops if `places` has no room for the bits of a whole
    /// block.
    #[cfg_attr(optimized, inline(always))]
    pub(crate) fn put<S: Long>(&self, simd: S, places: &mut Column) {
        let mut count = 0;
        for (word, at) in self.0.iter().zip((0..).step_by(BLOCK)) {
            let Some(free) = places.get_mut(count..).and_then(|free| free.first_chunk_mut()) else {
                return;
            };
            simd.put(*word, at, free);
            count += word.count_ones() as usize;
        }
    }

    /// The distance from the place `from` to the first bit at or after it; to the end if there is none.
    #[cfg_attr(optimized, inline(always))]
    pub(crate) fn distance(&self, from: u32) -> u32 {
        // The 64 bits from `from` on, which lie in two words, most often have the answer.
        let (at, shift) = (from as usize / BLOCK, from % BLOCK as u32);
        let word = |at| self.0.get(at).copied().unwrap_or_default();
        let near = word(at) >> shift | word(at + 1) << 1 << (BLOCK as u32 - 1 - shift);
        if near != 0 { near.trailing_zeros() } else { self.far(at + 1) - from }
    }

    /// The place of the first bit in the word `from` or after it; the end if there is none.
    #[cold]
    fn far(&self, from: usize) -> u32 {
        let mut words = self.0.iter().zip((0..).step_by(BLOCK)).skip(from);
        let found = words.find(|(word, _)| **word != 0);
        found.map_or((BLOCKS * BLOCK) as u32, |(word, at)| at + word.trailing_zeros())
    }

    /// The bits at the first `count` of these places, by the number of the place.
    #[cfg(feature = "alloc")]
    #[cfg_attr(optimized, inline(always))]
    pub(crate) fn at(&self, places: &Column, count: usize) -> [u64; ROOM / 64] {
        let mut found = [0; ROOM / 64];
        for (number, place) in places.iter().take(count).enumerate() {
            let word = self.0.get(*place as usize / BLOCK).copied().unwrap_or_default();
            if let Some(found) = found.get_mut(number / BLOCK) {
                *found |= (word >> (place % BLOCK as u32) & 1) << (number % BLOCK);
            }
        }
        found
    }

    /// Calls `each` with the number of a text and the place of its first bit, for each text with a bit.
    /// `ends` has the end of every text. If a text has bits in several blocks, calls `each` once for each
    /// of these blocks. Made for bits that are rare.
    #[cfg_attr(optimized, inline(always))]
    pub(crate) fn each(&self, ends: &Self, mut each: impl FnMut(usize, u32)) {
        if self.is_empty() {
            return;
        }
        let mut before = 0;
        for ((bits, ends), at) in self.0.iter().zip(ends.0).zip((0..).step_by(BLOCK)) {
            let mut bits = *bits;
            while bits != 0 {
                // The number of a text is the number of ends before it.
                let below = (bits & bits.wrapping_neg()) - 1;
                each(before + (ends & below).count_ones() as usize, at + bits.trailing_zeros());
                // Clear the bits up to the end of this text; all of them if it does not end here.
                let end = ends & !below;
                bits &= !(end ^ end.wrapping_sub(1));
            }
            before += ends.count_ones() as usize;
        }
    }
}
