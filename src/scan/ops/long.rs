//! What batches want of a kernel besides masks: numbers of 512 bits ([`Words`]), which are the masks of eight blocks,
//! and the places of the bits of a mask.

use core::ops::{BitAnd, BitOr, Not};

use super::mask::Mask;
use super::{BLOCK, Block, Simd};
use crate::tables::{AsciiSet, Eight};

/// The number of blocks whose masks are one number.
pub(crate) const GROUP: usize = 8;

/// The masks of eight blocks as one number, whose lowest bit is the first byte.
pub(crate) trait Words: Mask {
    /// The masks of the eight blocks.
    fn masks(self) -> [u64; GROUP];

    /// Which of the eight masks have a bit that is set.
    fn some(self) -> u8;

    /// The number of bits that are set.
    fn count(self) -> u32;
}

/// Which bytes of eight blocks are in which set.
#[derive(Clone, Copy)]
pub(crate) struct Members<W> {
    /// The members of each of the eight sets.
    pub(crate) of: [W; 8],
    /// The bytes that are the separator. Zeros after the end of the text may be among them.
    pub(crate) separators: W,
    /// The bytes from 0x80 up.
    pub(crate) non_ascii: W,
}

/// What a kernel can do with numbers of 512 bits and with the bits of a mask. The batches want it.
pub(crate) trait Long: Simd {
    /// A number of 512 bits in the registers of this family.
    type Words: Words;

    /// The number of these masks.
    fn words(self, masks: &[u64; GROUP]) -> Self::Words;

    /// Finds the members of eight sets in eight blocks. The separator, which is ASCII, is not a member of any set.
    fn members(
        self,
        blocks: &[[u8; BLOCK]; GROUP],
        separator: u8,
        sets: &Eight,
    ) -> Members<Self::Words>;

    /// Writes the place of each bit of a mask, plus `at`, to `places`, in order. The entries after these places have no
    /// meaning afterwards.
    #[inline(always)]
    fn put(self, mask: u64, at: u32, places: &mut [u32; BLOCK]) {
        let mut bits = mask;
        // Always two places, whether there are two bits or not: the number of bits is hard to predict.
        let twos: &mut [[u32; 2]; BLOCK / 2] = bytemuck::must_cast_mut(places);
        for two in twos {
            for place in two {
                *place = at.wrapping_add(bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
            }
            if bits == 0 {
                break;
            }
        }
    }
}

/// The definition of [`Words`]: eight masks.
#[derive(Clone, Copy)]
pub(crate) struct EightMasks(pub(in crate::scan) [u64; GROUP]);

impl BitAnd for EightMasks {
    type Output = Self;

    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(mask, other)| *mask &= other);
        self
    }
}

impl BitOr for EightMasks {
    type Output = Self;

    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(mask, other)| *mask |= other);
        self
    }
}

impl Not for EightMasks {
    type Output = Self;

    #[inline(always)]
    fn not(mut self) -> Self {
        self.0.iter_mut().for_each(|mask| *mask = !*mask);
        self
    }
}

impl Mask for EightMasks {
    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().fold(0, |all, mask| all | mask) != 0
    }

    #[inline(always)]
    fn ahead<const N: u32>(self, before: &mut Self) -> Self {
        let [.., mut last] = before.0;
        *before = self;
        let mut moved = self;
        for mask in &mut moved.0 {
            (*mask, last) = (*mask << N | last >> (BLOCK as u32 - N), *mask);
        }
        moved
    }

    #[inline(always)]
    fn plus(mut self, other: Self, carry: &mut Self) -> Self {
        let [.., highest] = &mut carry.0;
        for (mask, other) in self.0.iter_mut().zip(other.0) {
            let (sum, over) = mask.overflowing_add(other);
            let (sum, more) = sum.overflowing_add(*highest);
            (*mask, *highest) = (sum, u64::from(over | more));
        }
        self
    }
}

impl Words for EightMasks {
    #[inline(always)]
    fn masks(self) -> [u64; GROUP] {
        self.0
    }

    #[inline(always)]
    fn some(self) -> u8 {
        self.0.iter().rev().fold(0, |some, mask| some << 1 | u8::from(*mask != 0))
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|mask| mask.count_ones()).sum()
    }
}

/// The definition of [`Long::members`].
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "the number of a block is below eight")]
pub(in crate::scan) fn members<S: Long>(
    simd: S,
    blocks: &[[u8; BLOCK]; GROUP],
    separator: u8,
    sets: &Eight,
) -> Members<S::Words> {
    let [mut separators, mut non_ascii] = [[0; GROUP]; 2];
    let mut of = [[0; GROUP]; 8];
    for (i, bytes) in blocks.iter().enumerate() {
        let block = simd.load(bytes, 0);
        separators[i] = block.ascii(&AsciiSet::just(separator));
        non_ascii[i] = block.non_ascii();
        let masks = simd.eight(bytes, separator, sets);
        of.iter_mut().zip(masks).for_each(|(of, mask)| of[i] = mask);
    }
    let [a, b, c, d, e, f, g, h] = &of;
    // Not `map`: without LTO, its closure is compiled without the instructions of the kernel.
    let [a, b, c, d] = [simd.words(a), simd.words(b), simd.words(c), simd.words(d)];
    let [e, f, g, h] = [simd.words(e), simd.words(f), simd.words(g), simd.words(h)];
    let (separators, non_ascii) = (simd.words(&separators), simd.words(&non_ascii));
    Members { of: [a, b, c, d, e, f, g, h], separators, non_ascii }
}
