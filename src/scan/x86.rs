//! The kernel for AVX2: two registers a block, a byte shuffle for each set.
//!
//! A text of fewer than 64 bytes is loaded as its first and its last 32, 16 or 8 bytes, which
//! overlap, so that nothing past its end is touched and nothing goes through memory again.

use core::arch::x86_64::{
    __m256i, _mm_cvtsi64_si128, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256,
    _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set1_epi8,
    _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_xor_si256, _mm256_zextsi128_si256,
};

use super::{BLOCK, Block, Job, Simd};
use crate::tables::{AsciiSet, HighSet};

/// The proof that AVX2 may be used: only [`run`] makes one.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

/// Does a job with this kernel.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn run<J: Job>(job: J) -> J::Output {
    job.run(Avx2(()))
}

impl Simd for Avx2 {
    type Block = Bytes;

    #[inline(always)]
    fn load(self, text: &[u8], at: usize) -> Bytes {
        let rest = text.get(at..).unwrap_or_default();
        let len = rest.len();
        let (low, high, shift, skip) = if let ([low, high, ..], _) = rest.as_chunks::<32>() {
            (self.load32(low), self.load32(high), 32, 0)
        } else if let (false, (_, [.., low, high])) = (rest.is_empty(), text.as_rchunks::<32>()) {
            // The end of a longer text: a whole block that ends with it, less what came before.
            (self.load32(low), self.load32(high), 32, BLOCK - len)
        } else if let (Some(first), Some(last)) = (rest.first_chunk(), rest.last_chunk()) {
            (self.load32(first), self.load32(last), len - 32, 0)
        } else if let (Some(first), Some(last)) = (rest.first_chunk(), rest.last_chunk()) {
            (self.load16(first), self.load16(last), len - 16, 0)
        } else if let (Some(first), Some(last)) = (rest.first_chunk(), rest.last_chunk()) {
            let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
            (self.load8(first), self.load8(last), len - 8, 0)
        } else {
            // Fewer than 8 bytes: the first ones and, past them, the last ones.
            let bytes = rest.iter().rev().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte));
            (self.load8(bytes), self.load8(0), 0, 0)
        };
        Bytes { low, high, shift, skip }
    }
}

impl Avx2 {
    #[inline(always)]
    fn load32(self, bytes: &[u8; 32]) -> __m256i {
        // SAFETY: `self` shows that the instructions are there; the load is of 32 bytes.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    /// 16 bytes, and zeros.
    #[inline(always)]
    fn load16(self, bytes: &[u8; 16]) -> __m256i {
        // SAFETY: `self` shows that the instructions are there; the load is of 16 bytes.
        unsafe { _mm256_zextsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
    }

    /// 8 bytes, and zeros.
    #[inline(always)]
    fn load8(self, bytes: u64) -> __m256i {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { _mm256_zextsi128_si256(_mm_cvtsi64_si128(bytes.cast_signed())) }
    }
}

/// Two registers of 32 bytes each. The mask of the block is that of `low`, with that of `high`
/// laid over it from bit `shift` on, less its first `skip` bits. Bytes past the end are zeros.
#[derive(Clone, Copy)]
pub(super) struct Bytes {
    low: __m256i,
    high: __m256i,
    shift: usize,
    skip: usize,
}

impl Bytes {
    /// The mask of what a question gave for each register: bytes with their highest bit set.
    #[inline(always)]
    fn mask(self, low: __m256i, high: __m256i) -> u64 {
        // SAFETY: a block shows that the instructions are there.
        let (low, high) = unsafe { (_mm256_movemask_epi8(low), _mm256_movemask_epi8(high)) };
        let both = u64::from(low.cast_unsigned()) | u64::from(high.cast_unsigned()) << self.shift;
        both >> self.skip
    }
}

/// A table of 16 bytes, in each half of a register.
#[inline(always)]
fn table(bytes: &[u8; 16], _: Bytes) -> __m256i {
    // SAFETY: a block shows that the instructions are there; the load is of 16 bytes.
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

/// The bytes of `half` below 0x80 that are members of the set in shuffle form, as bytes of ones.
#[inline(always)]
fn members(nibbles: &[u8; 16], half: __m256i, block: Bytes) -> __m256i {
    // For a byte from 0x80 up the row is 0 and `bit` is not, so that they differ.
    const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 255, 255, 255, 255, 255, 255, 255, 255];
    // SAFETY: a block shows that the instructions are there.
    unsafe {
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(half), _mm256_set1_epi8(15));
        let bit = _mm256_shuffle_epi8(table(&BITS, block), high);
        let row = _mm256_shuffle_epi8(table(nibbles, block), half);
        _mm256_cmpeq_epi8(_mm256_and_si256(row, bit), bit)
    }
}

/// The bytes of `half` that are `byte`, as bytes of ones.
#[inline(always)]
fn same(byte: u8, half: __m256i, _: Bytes) -> __m256i {
    // SAFETY: a block shows that the instructions are there.
    unsafe { _mm256_cmpeq_epi8(half, _mm256_set1_epi8(byte.cast_signed())) }
}

/// `half` with the highest bit of each byte turned around.
#[inline(always)]
fn flipped(half: __m256i, _: Bytes) -> __m256i {
    // SAFETY: a block shows that the instructions are there.
    unsafe { _mm256_xor_si256(half, _mm256_set1_epi8(i8::MIN)) }
}

impl Block for Bytes {
    #[inline(always)]
    fn ascii(self, set: &AsciiSet) -> u64 {
        match set.only {
            Some(byte) => self.mask(same(byte, self.low, self), same(byte, self.high, self)),
            None => self.mask(
                members(&set.nibbles, self.low, self),
                members(&set.nibbles, self.high, self),
            ),
        }
    }

    #[inline(always)]
    fn high(self, set: &HighSet) -> u64 {
        match set.only {
            Some(byte) => self.mask(same(byte, self.low, self), same(byte, self.high, self)),
            None => self.mask(
                members(&set.nibbles, flipped(self.low, self), self),
                members(&set.nibbles, flipped(self.high, self), self),
            ),
        }
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        self.mask(self.low, self.high)
    }
}
