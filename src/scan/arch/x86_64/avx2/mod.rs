//! The kernel for AVX2: a register for half a block, and a byte shuffle for each set.

use core::arch::x86_64::{
    __m256i, _mm_cvtsi64_si128, _mm_loadu_si128, _mm256_add_epi8, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8,
    _mm256_cmpgt_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
    _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_shuffle_epi8, _mm256_slli_epi16,
    _mm256_srli_epi16, _mm256_storeu_si256, _mm256_xor_si256, _mm256_zextsi128_si256,
};

use crate::scan::arch::halves::{Half, Halves};
use crate::scan::ops::BLOCK;
use crate::scan::ops::long::GROUP;
mod long;

use crate::tables::Eight;
use long::MaskPair;

/// The proof that the CPU has AVX2. Outside this file, only `level` makes it, for a [`CpuLevel`](crate::parser::CpuLevel).
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Makes the proof.
    ///
    /// # Safety
    /// The CPU has the instructions of this kernel.
    pub(crate) const unsafe fn new() -> Self {
        Self(())
    }
}

/// [`Halves::eight`], as one function that is not inlined.
///
/// # Safety
/// The CPU has the instructions that are enabled here.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn eight(block: &[u8; BLOCK], but: u8, sets: &Eight) -> [u64; 8] {
    crate::scan::ops::eight(Avx2(()), block, but, sets)
}

/// 32 bytes. Only [`Avx2`] loads them, so that a value proves that the instructions are there.
#[derive(Clone, Copy)]
pub(crate) struct Avx2Half(__m256i);

impl Halves for Avx2 {
    type Half = Avx2Half;
    type Words = MaskPair;

    #[inline(always)]
    fn eight(self, block: &[u8; BLOCK], but: u8, sets: &Eight) -> [u64; 8] {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { eight(block, but, sets) }
    }

    #[inline(always)]
    fn words(self, masks: &[u64; GROUP]) -> MaskPair {
        let halves: &[[u64; 4]; 2] = bytemuck::must_cast_ref(masks);
        let [low, high] = halves;
        // SAFETY: `self` shows that the instructions are there; the loads are of 4 masks.
        unsafe {
            let low = _mm256_loadu_si256(low.as_ptr().cast());
            MaskPair([low, _mm256_loadu_si256(high.as_ptr().cast())])
        }
    }

    #[inline(always)]
    fn load32(self, bytes: &[u8; 32]) -> Avx2Half {
        // SAFETY: `self` shows that the instructions are there; the load is of 32 bytes.
        Avx2Half(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load16(self, bytes: &[u8; 16]) -> Avx2Half {
        // SAFETY: `self` shows that the instructions are there; the load is of 16 bytes.
        Avx2Half(unsafe { _mm256_zextsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) })
    }

    #[inline(always)]
    fn load8(self, bytes: u64) -> Avx2Half {
        // SAFETY: `self` shows that the instructions are there.
        Avx2Half(unsafe { _mm256_zextsi128_si256(_mm_cvtsi64_si128(bytes as i64)) })
    }

    #[inline(always)]
    fn four(self, bytes: u64, digits: &[u8; 16], places: &[u8; 16]) -> [u8; 16] {
        // SAFETY: `self` shows that the instructions are there: AVX2 includes them.
        unsafe { crate::scan::arch::x86_64::sse41::four(bytes, digits, places) }
    }

    #[inline(always)]
    fn spread(self, mask: u32) -> Avx2Half {
        // Each byte of the mask eight times, and then one bit of each byte.
        const BYTES: [u64; 4] =
            [0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303];
        // SAFETY: `self` shows that the instructions are there; the load is of 32 bytes.
        unsafe {
            let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let bytes = _mm256_loadu_si256(BYTES.as_ptr().cast());
            let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(mask as i32), bytes);
            Avx2Half(_mm256_cmpeq_epi8(_mm256_and_si256(bytes, bits), bits))
        }
    }

    #[inline(always)]
    fn pick(self, bytes: u64, places: u64) -> u64 {
        // SAFETY: `self` shows that the instructions are there: AVX2 includes them.
        unsafe { crate::scan::arch::x86_64::sse41::pick(bytes, places) }
    }
}

impl Avx2Half {
    /// A table of 16 bytes, in each half of a register.
    #[inline(always)]
    fn table(self, bytes: &[u8; 16]) -> __m256i {
        // SAFETY: `self` shows that the instructions are there; the load is of 16 bytes.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
    }
}

impl Half for Avx2Half {
    #[inline(always)]
    fn same(self, byte: u8) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        Self(unsafe { _mm256_cmpeq_epi8(self.0, _mm256_set1_epi8(byte as i8)) })
    }

    #[inline(always)]
    fn members(self, nibbles: &[u8; 16]) -> Self {
        // For a byte from 0x80 up, the row is 0 and `bit` is not: they differ.
        const BITS: [u8; 16] =
            [1, 2, 4, 8, 16, 32, 64, 128, 255, 255, 255, 255, 255, 255, 255, 255];
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), _mm256_set1_epi8(15));
            let bit = _mm256_shuffle_epi8(self.table(&BITS), high);
            let row = _mm256_shuffle_epi8(self.table(nibbles), self.0);
            Self(_mm256_cmpeq_epi8(_mm256_and_si256(row, bit), bit))
        }
    }

    #[inline(always)]
    fn non_ascii(self) -> Self {
        self
    }

    #[inline(always)]
    fn flipped(self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        Self(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi8(i8::MIN)) })
    }

    #[inline(always)]
    fn masked(self, mask: u8) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        Self(unsafe { _mm256_and_si256(self.0, _mm256_set1_epi8(mask as i8)) })
    }

    #[inline(always)]
    fn without(self, answer: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        Self(unsafe { _mm256_andnot_si256(answer.0, self.0) })
    }

    #[inline(always)]
    fn digits(self, nine: u8) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let is_letter = _mm256_cmpgt_epi8(self.0, _mm256_set1_epi8(nine as i8));
            let low = _mm256_and_si256(self.0, _mm256_set1_epi8(15));
            Self(_mm256_add_epi8(low, _mm256_and_si256(is_letter, _mm256_set1_epi8(9))))
        }
    }

    #[inline(always)]
    fn joined(self, low: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        Self(unsafe { _mm256_or_si256(_mm256_slli_epi16::<4>(self.0), low.0) })
    }

    #[inline(always)]
    fn both(self, other: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn flip(self, other: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or_else(self, other: Self, answer: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        Self(unsafe { _mm256_blendv_epi8(self.0, other.0, answer.0) })
    }

    #[inline(always)]
    fn bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        // SAFETY: `self` shows that the instructions are there; the store is of 32 bytes.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), self.0) }
        bytes
    }

    #[inline(always)]
    fn masks(low: Self, high: Self) -> (u32, u32) {
        // SAFETY: the halves show that the instructions are there.
        let (low, high) = unsafe { (_mm256_movemask_epi8(low.0), _mm256_movemask_epi8(high.0)) };
        (low as u32, high as u32)
    }
}
