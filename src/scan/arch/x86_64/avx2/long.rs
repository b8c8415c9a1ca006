//! Numbers of 512 bits in two registers of AVX2.

use core::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm256_add_epi64, _mm256_and_si256, _mm256_blend_epi32,
    _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_loadu_si256, _mm256_movemask_pd,
    _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_sll_epi64, _mm256_srl_epi64, _mm256_storeu_si256, _mm256_sub_epi64, _mm256_testz_si256,
    _mm256_xor_si256,
};
use core::ops::{BitAnd, BitOr, Not};

use crate::scan::ops::BLOCK;
use crate::scan::ops::long::{GROUP, Words};
use crate::scan::ops::mask::Mask;

/// The lower and the higher four of eight masks. Only [`Avx2`](super::Avx2) makes them, so that a value proves
/// that the instructions are there.
#[derive(Clone, Copy)]
pub(crate) struct MaskPair(pub(in crate::scan) [__m256i; 2]);

impl BitAnd for MaskPair {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: `self` shows that the instructions are there.
        Self(unsafe { [_mm256_and_si256(a, c), _mm256_and_si256(b, d)] })
    }
}

impl BitOr for MaskPair {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: `self` shows that the instructions are there.
        Self(unsafe { [_mm256_or_si256(a, c), _mm256_or_si256(b, d)] })
    }
}

impl Not for MaskPair {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        let [a, b] = self.0;
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let ones = _mm256_set1_epi64x(-1);
            Self([_mm256_xor_si256(a, ones), _mm256_xor_si256(b, ones)])
        }
    }
}

/// A bit for each of the eight words.
const BITS: [[u64; 4]; 2] = [[1, 2, 4, 8], [16, 32, 64, 128]];

impl MaskPair {
    /// The highest bit of each of the eight masks.
    #[inline(always)]
    fn highest(self) -> u32 {
        let [low, high] = self.0;
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let low = _mm256_movemask_pd(_mm256_castsi256_pd(low));
            let high = _mm256_movemask_pd(_mm256_castsi256_pd(high));
            (low | high << 4) as u32
        }
    }

    /// Ones for each mask that equals `word`, and zeros for each other mask.
    #[inline(always)]
    fn same(self, word: i64) -> Self {
        let [low, high] = self.0;
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let word = _mm256_set1_epi64x(word);
            Self([_mm256_cmpeq_epi64(low, word), _mm256_cmpeq_epi64(high, word)])
        }
    }
}

impl Mask for MaskPair {
    #[inline(always)]
    fn any(self) -> bool {
        let [low, high] = self.0;
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let all = _mm256_or_si256(low, high);
            _mm256_testz_si256(all, all) == 0
        }
    }

    #[inline(always)]
    fn ahead<const N: u32>(self, before: &mut Self) -> Self {
        /// The highest word first.
        const TURNED: i32 = 0b10_01_00_11;
        let ([low, high], [_, last]) = (self.0, before.0);
        *before = self;
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let last = _mm256_permute4x64_epi64::<TURNED>(last);
            let (a, b) =
                (_mm256_permute4x64_epi64::<TURNED>(low), _mm256_permute4x64_epi64::<TURNED>(high));
            // The word below each word. Its highest bits move into the word.
            let below = [_mm256_blend_epi32::<0b11>(a, last), _mm256_blend_epi32::<0b11>(b, a)];
            let (up, down) = (_mm_cvtsi32_si128(N as i32), _mm_cvtsi32_si128(64 - N as i32));
            let moved = |word, below| {
                _mm256_or_si256(_mm256_sll_epi64(word, up), _mm256_srl_epi64(below, down))
            };
            Self([moved(low, below[0]), moved(high, below[1])])
        }
    }

    #[inline(always)]
    fn plus(self, other: Self, carry: &mut Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: `self` shows that the instructions are there; the loads are of 4 words.
        unsafe {
            let [low, high] = [_mm256_add_epi64(a, c), _mm256_add_epi64(b, d)];
            let words = Self([low, high]);
            // As in the kernel for AVX-512. A word overflows if both highest bits are set, or if one of them is set and
            // the highest bit of the sum is not set.
            let over = (self & other | (self | other) & !words).highest();
            let full = words.same(-1).highest();
            let moved = (over << 1 | carry.highest() >> 7) + full;
            let more = _mm256_set1_epi64x(i64::from(moved ^ full));
            let out = _mm256_set1_epi64x(i64::from(moved >> 8) << (BLOCK - 1));
            carry.0 = [_mm256_setzero_si256(), out];
            // A word whose bit is set in `more` gets 1: all ones, which are -1, are subtracted from it.
            let low_bits = _mm256_loadu_si256(BITS[0].as_ptr().cast());
            let high_bits = _mm256_loadu_si256(BITS[1].as_ptr().cast());
            let low_more = _mm256_cmpeq_epi64(_mm256_and_si256(more, low_bits), low_bits);
            let high_more = _mm256_cmpeq_epi64(_mm256_and_si256(more, high_bits), high_bits);
            Self([_mm256_sub_epi64(low, low_more), _mm256_sub_epi64(high, high_more)])
        }
    }
}

impl Words for MaskPair {
    #[inline(always)]
    fn masks(self) -> [u64; GROUP] {
        let mut masks = [[0_u64; 4]; 2];
        for (masks, words) in masks.iter_mut().zip(self.0) {
            // SAFETY: `self` shows that the instructions are there; the store is of 4 masks.
            unsafe { _mm256_storeu_si256(masks.as_mut_ptr().cast(), words) };
        }
        bytemuck::must_cast(masks)
    }

    #[inline(always)]
    fn some(self) -> u8 {
        !self.same(0).highest() as u8
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.masks().iter().map(|mask| mask.count_ones()).sum()
    }
}
