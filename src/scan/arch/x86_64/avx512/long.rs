//! Numbers of 512 bits in one register of AVX-512.
#![expect(clippy::incompatible_msrv, reason = "left out where the compiler is older than 1.89")]

/*
# Additions (`plus`)

Eight words are added at once, without the carries between them. A word that overflows (`over`) hands 1
to the next word. A word of ones (`full`) hands 1 to the next word if it gets 1. An addition of 8 bits
finds the words that get 1:

    word      7 6 5 4 3 2 1 0
    over      . . . . . . . 1          word 0 overflows
    full      . . . . . 1 1 .          words 1 and 2 are ones
    moved     . . . . 1 . . .          (over << 1 | carry) + full
    more      . . . . 1 1 1 .          moved ^ full: the words that get 1

A word cannot be both: if the sum of two words overflows, the word is at most all ones less 1.

This takes three moves between vectors and masks, and the next addition waits for them. `plus_near` adds the carries as
numbers (`handed`). If a word of ones got a carry, which needs a name or a scheme that fills 64 bytes, it adds again by
`plus`.
*/

use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_alignr_epi64, _mm512_and_si512, _mm512_cmpeq_epi64_mask,
    _mm512_cmplt_epu64_mask, _mm512_mask_sub_epi64, _mm512_mask_test_epi64_mask, _mm512_or_si512,
    _mm512_popcnt_epi64, _mm512_reduce_add_epi64, _mm512_set1_epi64, _mm512_shldv_epi64,
    _mm512_srli_epi64, _mm512_storeu_si512, _mm512_test_epi64_mask, _mm512_testn_epi64_mask,
    _mm512_xor_si512,
};
use core::ops::{BitAnd, BitOr, Not};

use crate::scan::ops::long::{GROUP, Words};
use crate::scan::ops::mask::Mask;

/// 512 bits. Only [`Avx512`] makes them, so that a value proves that the instructions are there.
#[derive(Clone, Copy)]
pub(crate) struct Wide(pub(in crate::scan) __m512i);

impl BitAnd for Wide {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }
}

impl BitOr for Wide {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }
}

impl Not for Wide {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        Self(unsafe { _mm512_xor_si512(self.0, _mm512_set1_epi64(-1)) })
    }
}

impl Mask for Wide {
    #[inline(always)]
    fn any(self) -> bool {
        self.some() != 0
    }

    #[inline(always)]
    fn ahead<const N: u32>(self, before: &mut Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            // The word below each word. Its highest bits move into the word.
            let below = _mm512_alignr_epi64::<7>(self.0, before.0);
            *before = self;
            Self(_mm512_shldv_epi64(self.0, below, _mm512_set1_epi64(N.into())))
        }
    }

    #[inline(always)]
    fn plus(self, other: Self, carry: &mut Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let carried = u32::from(carry.some()) >> 7;
            let words = _mm512_add_epi64(self.0, other.0);
            let over = _mm512_cmplt_epu64_mask(words, other.0);
            // A word of ones hands on the carry of the word below. Adding the mask of these words to
            // the mask of the carries finds all words that get 1, as the head of this file shows.
            let ones = _mm512_set1_epi64(-1);
            let full = u32::from(_mm512_cmpeq_epi64_mask(words, ones));
            let moved = (u32::from(over) << 1 | carried) + full;
            let more = (moved ^ full) as u8;
            carry.0 = _mm512_set1_epi64((moved >> 8).into());
            Self(_mm512_mask_sub_epi64(words, more, words, ones))
        }
    }

    #[inline(always)]
    fn plus_near(self, other: Self, carry: &mut Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let words = _mm512_add_epi64(self.0, other.0);
            let over = self & other | (self | other) & !Self(words);
            let over = _mm512_srli_epi64::<63>(over.0);
            let handed = _mm512_alignr_epi64::<7>(over, carry.0);
            let sum = _mm512_add_epi64(words, handed);
            // A word that was all ones, and got 1, is zero now.
            if _mm512_mask_test_epi64_mask(_mm512_testn_epi64_mask(sum, sum), handed, handed) != 0 {
                return self.plus(other, carry);
            }
            carry.0 = over;
            Self(sum)
        }
    }
}

impl Words for Wide {
    #[inline(always)]
    fn masks(self) -> [u64; GROUP] {
        let mut masks = [0_u64; GROUP];
        // SAFETY: `self` shows that the instructions are there; the store is of 8 masks.
        unsafe { _mm512_storeu_si512(masks.as_mut_ptr().cast(), self.0) };
        masks
    }

    #[inline(always)]
    fn some(self) -> u8 {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) }
    }

    #[inline(always)]
    fn count(self) -> u32 {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { _mm512_reduce_add_epi64(_mm512_popcnt_epi64(self.0)) as u32 }
    }
}
