//! A set of positions among 4096 bytes: one bit for each byte, as one long number whose lowest bit is the
//! first byte.
//!
//! Here: how many bits are set, and where. Not here: what the bits mean (`cursors`).
#![forbid(unsafe_code)]

use crate::scan::{BLOCK, GROUP, Long, Words, below};

/// The largest number of texts that one search finds.
pub(crate) const ROOM: usize = 256;

/// The largest number of texts of a search whose number of texts is known before the search. `Bitset::put` needs room for
/// a whole block after them.
pub(crate) const MOST: usize = ROOM - BLOCK;

/// A place, or another number, for each text.
pub(crate) type Places = [u32; ROOM];

/// The number of blocks of 64 bytes, and of words.
pub(crate) const BLOCKS: usize = 64;

/// One bit for each byte of [`BLOCKS`] blocks: bit `i` of word `j` is byte `64 * j + i`.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Bitset(pub(crate) [u64; BLOCKS]);

impl Bitset {
    /// No bit.
    pub(crate) const ZERO: Self = Self([0; BLOCKS]);

    /// The words, in groups of [`GROUP`] blocks.
    #[inline(always)]
    pub(crate) fn groups(&mut self) -> &mut [[u64; GROUP]; BLOCKS / GROUP] {
        bytemuck::must_cast_mut(&mut self.0)
    }

    /// The bits that are not in `other`.
    #[inline(always)]
    pub(crate) fn without(&self, other: &Self) -> Self {
        let mut rest = *self;
        rest.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
        rest
    }

    /// The 64 bits from place `from` on.
    #[inline(always)]
    pub(crate) fn window(&self, from: usize) -> u64 {
        let word = |at| self.0.get(at).copied().unwrap_or_default();
        let (at, shift) = (from / BLOCK, from % BLOCK);
        word(at) >> shift | word(at + 1) << 1 << (BLOCK - 1 - shift)
    }

    /// Removes the bit at `place`.
    #[inline(always)]
    pub(crate) fn clear(&mut self, place: u32) {
        if let Some(word) = self.0.get_mut(place as usize / BLOCK) {
            *word &= !(1 << (place % BLOCK as u32));
        }
    }

    /// Tells whether there is a bit after `place` and before `end` in the word of `place`.
    #[inline(always)]
    pub(crate) fn has_another(&self, place: u32, end: u32) -> bool {
        let (at, from) = (place as usize / BLOCK, place as usize % BLOCK + 1);
        let within = below((end as usize).saturating_sub(at * BLOCK)) & !below(from);
        self.0.get(at).is_some_and(|word| word & within != 0)
    }

    /// The number of bits that are set.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Which words have a bit: one bit for each word.
    #[inline(always)]
    fn words<S: Long>(&self, simd: S) -> u64 {
        let groups: &[[u64; GROUP]; BLOCKS / GROUP] = bytemuck::must_cast_ref(&self.0);
        let mut words = 0;
        for group in groups.iter().rev() {
            words = words << GROUP | u64::from(simd.words(group).some());
        }
        words
    }

    /// The place of the last bit, or `None` if no bit is set.
    #[inline(always)]
    pub(crate) fn last<S: Long>(&self, simd: S) -> Option<usize> {
        let at = self.words(simd).checked_ilog2()? as usize;
        let word = self.0.get(at)?;
        Some(at * BLOCK + word.ilog2() as usize)
    }

    /// Writes the place of each bit to `places`, in order. Stops if `places` has no room for the bits of a whole
    /// block.
    #[inline(always)]
    pub(crate) fn put<S: Long>(&self, simd: S, places: &mut Places) {
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
    #[inline(always)]
    pub(crate) fn distance(&self, from: u32) -> u32 {
        // The eight bytes that begin with the byte of this bit have the answer most often.
        let bytes: &[u8; BLOCKS * BLOCK / 8] = bytemuck::must_cast_ref(&self.0);
        let near = bytes.get(from as usize / 8..).and_then(|bytes| bytes.first_chunk());
        let near = near.map_or(0, |near| u64::from_le_bytes(*near)) >> (from % 8);
        if cfg!(target_endian = "little") && near != 0 {
            return near.trailing_zeros();
        }
        self.far(from) - from
    }

    /// The place of the first bit at `from` or after it; the end if there is none.
    #[cold]
    fn far(&self, from: u32) -> u32 {
        let (at, end) = (from as usize / BLOCK, (BLOCKS * BLOCK) as u32);
        let [first, rest @ ..] = self.0.get(at..).unwrap_or_default() else { return end };
        let words = [first & !0 << (from % BLOCK as u32)].into_iter().chain(rest.iter().copied());
        let found = words.zip((at as u32 * BLOCK as u32..).step_by(BLOCK));
        let mut found = found.filter(|(word, _)| *word != 0);
        found.next().map_or(end, |(word, at)| at + word.trailing_zeros())
    }

    /// The place of the first bit at `from` or after it; the end if there is none.
    #[inline(always)]
    pub(crate) fn after(&self, from: u32) -> u32 {
        from + self.distance(from)
    }

    /// The place of the last bit before `place`, or `None` if there is none.
    #[inline(always)]
    pub(crate) fn before(&self, place: u32) -> Option<u32> {
        let at = place as usize / BLOCK;
        let (whole, rest) = self.0.split_at_checked(at)?;
        let part = rest.first()? & !(!0 << (place % BLOCK as u32));
        let words = [part].into_iter().chain(whole.iter().rev().copied());
        let found = words.enumerate().find(|(_, word)| *word != 0);
        found.map(|(back, word)| ((at - back) * BLOCK) as u32 + word.ilog2())
    }

    /// Bit *i* of the result tells whether the bit at place *i* is set. Only the first `count` places are read.
    #[inline(always)]
    pub(crate) fn at(&self, places: &Places, count: usize) -> [u64; ROOM / 64] {
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
    /// of these blocks. Each bit is a step.
    #[inline(always)]
    pub(crate) fn each<S: Long>(&self, simd: S, ends: &Self, mut each: impl FnMut(usize, u32)) {
        let (mut words, mut known, mut before) = (self.words(simd), 0, 0);
        while words != 0 {
            let at = words.trailing_zeros() as usize;
            words &= words - 1;
            let (Some(bits), Some(here)) = (self.0.get(at), ends.0.get(at)) else { return };
            // The number of a text is the number of ends before it.
            let skipped = ends.0.get(known..at).unwrap_or_default();
            before += skipped.iter().map(|word| word.count_ones() as usize).sum::<usize>();
            known = at;
            let mut bits = *bits;
            while bits != 0 {
                let below = (bits & bits.wrapping_neg()) - 1;
                let place = (at * BLOCK) as u32 + bits.trailing_zeros();
                each(before + (here & below).count_ones() as usize, place);
                // Clear the bits up to the end of this text, or all bits if the text does not end in this word.
                let end = here & !below;
                bits &= !(end ^ end.wrapping_sub(1));
            }
        }
    }
}
