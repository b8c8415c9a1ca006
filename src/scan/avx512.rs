//! The kernel for AVX-512 with VBMI: a masked load for any length, and one permutation that finds
//! the classes of 64 bytes, of which each hot set is then a test of a bit.

use core::arch::x86_64::{
    __m512i, _mm_loadu_si128, _mm512_and_si512, _mm512_broadcast_i32x4, _mm512_cmpeq_epi8_mask,
    _mm512_loadu_si512, _mm512_maskz_loadu_epi8, _mm512_movepi8_mask, _mm512_permutex2var_epi8,
    _mm512_set1_epi8, _mm512_shuffle_epi8, _mm512_srli_epi16, _mm512_test_epi8_mask,
    _mm512_xor_si512,
};

use super::{BLOCK, Block, Job, Simd};
use crate::tables::{AsciiSet, CLASSES, HighSet};

/// The proof that AVX-512 F, BW, VL and VBMI may be used: only [`run`] makes one.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

/// Does a job with this kernel.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn run<J: Job>(job: J) -> J::Output {
    job.run(Avx512(()))
}

impl Simd for Avx512 {
    type Block = Bytes;

    #[inline(always)]
    fn load(self, text: &[u8], at: usize) -> Bytes {
        let rest = text.get(at..).unwrap_or_default();
        let there = if rest.len() < BLOCK { !(!0 << rest.len()) } else { !0 };
        // SAFETY: `self` shows that the instructions are there. The first load touches the bytes of
        // its mask alone, which are the first 64 of `rest`, or all of them if they are fewer. The
        // others are of 64 bytes, of the first 128 of the classes.
        unsafe {
            let bytes = _mm512_maskz_loadu_epi8(there, rest.as_ptr().cast());
            let low = _mm512_loadu_si512(CLASSES.as_ptr().cast());
            let high = _mm512_loadu_si512(CLASSES.as_ptr().add(BLOCK).cast());
            let classes = _mm512_permutex2var_epi8(low, bytes, high);
            Bytes { bytes, classes, non_ascii: _mm512_movepi8_mask(bytes) }
        }
    }
}

/// 64 bytes, zeros after the end, which are of no class; their classes, which mean nothing for a
/// byte from 0x80 up; and which bytes are such.
#[derive(Clone, Copy)]
pub(super) struct Bytes {
    bytes: __m512i,
    classes: __m512i,
    non_ascii: u64,
}

/// A table of 16 bytes, in each quarter of a register.
#[inline(always)]
fn table(bytes: &[u8; 16], _: Bytes) -> __m512i {
    // SAFETY: a block shows that the instructions are there; the load is of 16 bytes.
    unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

/// The bytes of `bytes` below 0x80 that are members of the set in shuffle form: for any other, the
/// shuffle gives a row without a bit.
#[inline(always)]
fn members(nibbles: &[u8; 16], bytes: __m512i, block: Bytes) -> u64 {
    const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
    // SAFETY: a block shows that the instructions are there.
    unsafe {
        let high = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), _mm512_set1_epi8(15));
        let bit = _mm512_shuffle_epi8(table(&BITS, block), high);
        _mm512_test_epi8_mask(_mm512_shuffle_epi8(table(nibbles, block), bytes), bit)
    }
}

/// The bytes of `block` that are `byte`.
#[inline(always)]
fn same(byte: u8, block: Bytes) -> u64 {
    // SAFETY: a block shows that the instructions are there.
    unsafe { _mm512_cmpeq_epi8_mask(block.bytes, _mm512_set1_epi8(byte.cast_signed())) }
}

impl Bytes {
    /// The members of a set that has a class, and perhaps bytes from 0x80 up.
    #[inline(always)]
    fn classed(self, set: &AsciiSet) -> u64 {
        // SAFETY: a block shows that the instructions are there.
        unsafe { _mm512_test_epi8_mask(self.classes, _mm512_set1_epi8(set.class.cast_signed())) }
    }
}

impl Block for Bytes {
    #[inline(always)]
    fn ascii(self, set: &AsciiSet) -> u64 {
        if let Some(byte) = set.only {
            same(byte, self)
        } else if set.class != 0 {
            self.classed(set) & !self.non_ascii
        } else {
            members(&set.nibbles, self.bytes, self)
        }
    }

    #[inline(always)]
    fn foreign(self, set: &AsciiSet) -> u64 {
        let inside = if set.class != 0 { self.classed(set) } else { self.ascii(set) };
        !(inside | self.non_ascii)
    }

    #[inline(always)]
    fn high(self, set: &HighSet) -> u64 {
        if let Some(byte) = set.only {
            return same(byte, self);
        }
        // SAFETY: a block shows that the instructions are there.
        let flipped = unsafe { _mm512_xor_si512(self.bytes, _mm512_set1_epi8(i8::MIN)) };
        members(&set.nibbles, flipped, self)
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        self.non_ascii
    }
}
