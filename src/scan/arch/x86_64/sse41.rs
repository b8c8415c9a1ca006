//! The kernel for SSE4.1: two registers for half a block, and a byte shuffle for each set.

use core::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_and_si128, _mm_andnot_si128, _mm_blendv_epi8, _mm_cmpeq_epi8,
    _mm_cmpgt_epi8, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_movemask_epi8,
    _mm_or_si128, _mm_set1_epi8, _mm_set1_epi64x, _mm_setzero_si128, _mm_shuffle_epi8,
    _mm_slli_epi16, _mm_srli_epi16, _mm_storeu_si128, _mm_xor_si128,
};

use crate::scan::arch::halves;
use crate::scan::arch::halves::{Half, Halves};
use crate::scan::ops::BLOCK;
use crate::scan::ops::long::{EightMasks, GROUP};
use crate::tables::Eight;

/// The proof that the CPU has SSE4.1. Outside this file, only `level` makes it, for a [`CpuLevel`](crate::parser::CpuLevel).
#[derive(Clone, Copy)]
pub(crate) struct Sse41(());

impl Sse41 {
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
#[target_feature(enable = "sse4.1,ssse3,popcnt")]
unsafe fn eight(block: &[u8; BLOCK], but: u8, sets: &Eight) -> [u64; 8] {
    crate::scan::ops::eight(Sse41(()), block, but, sets)
}

/// [`Halves::four`], for the kernels of this CPU family.
///
/// # Safety
/// The CPU has the instructions of the kernel [`Sse41`].
#[inline(always)]
pub(in crate::scan::arch) unsafe fn four(
    bytes: u64,
    digits: &[u8; 16],
    places: &[u8; 16],
) -> [u8; 16] {
    // SAFETY: the caller promises the instructions; the loads are of 16 bytes.
    unsafe {
        let bytes = _mm_cvtsi64_si128(bytes as i64);
        let thrice = _mm_shuffle_epi8(bytes, _mm_loadu_si128(halves::THRICE.as_ptr().cast()));
        // The shift moves two bytes together. The `and` below removes the bits that come from the other byte.
        let first = _mm_srli_epi16::<4>(thrice);
        let nibbles =
            _mm_blendv_epi8(thrice, first, _mm_loadu_si128(halves::FIRST.as_ptr().cast()));
        let nibbles = _mm_and_si128(nibbles, _mm_set1_epi8(15));
        let digits = _mm_shuffle_epi8(_mm_loadu_si128(digits.as_ptr().cast()), nibbles);
        let all = _mm_blendv_epi8(digits, thrice, _mm_loadu_si128(halves::WHOLE.as_ptr().cast()));
        core::mem::transmute(_mm_shuffle_epi8(all, _mm_loadu_si128(places.as_ptr().cast())))
    }
}

/// [`Halves::pick`], for the kernels of this CPU family.
///
/// # Safety
/// The CPU has the instructions of the kernel [`Sse41`].
#[inline(always)]
pub(in crate::scan::arch) unsafe fn pick(bytes: u64, places: u64) -> u64 {
    // SAFETY: the caller promises the instructions.
    unsafe {
        let places = _mm_cvtsi64_si128(places as i64);
        let picked = _mm_shuffle_epi8(_mm_cvtsi64_si128(bytes as i64), places);
        _mm_cvtsi128_si64(picked) as u64
    }
}

/// 32 bytes. Only [`Sse41`] loads them, so that a value proves that the instructions are there.
#[derive(Clone, Copy)]
pub(crate) struct SseHalf(__m128i, __m128i);

impl Halves for Sse41 {
    const IS_LARGE: bool = true;
    type Half = SseHalf;
    type Words = EightMasks;

    #[inline(always)]
    fn eight(self, block: &[u8; BLOCK], but: u8, sets: &Eight) -> [u64; 8] {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { eight(block, but, sets) }
    }

    #[inline(always)]
    fn words(self, masks: &[u64; GROUP]) -> EightMasks {
        EightMasks(*masks)
    }

    #[inline(always)]
    fn load32(self, bytes: &[u8; 32]) -> SseHalf {
        let low = bytes.as_ptr().cast::<__m128i>();
        // SAFETY: `self` shows that the instructions are there; the loads are of 32 bytes.
        unsafe { SseHalf(_mm_loadu_si128(low), _mm_loadu_si128(low.add(1))) }
    }

    #[inline(always)]
    fn load16(self, bytes: &[u8; 16]) -> SseHalf {
        // SAFETY: `self` shows that the instructions are there; the load is of 16 bytes.
        unsafe { SseHalf(_mm_loadu_si128(bytes.as_ptr().cast()), _mm_setzero_si128()) }
    }

    #[inline(always)]
    fn load8(self, bytes: u64) -> SseHalf {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { SseHalf(_mm_cvtsi64_si128(bytes as i64), _mm_setzero_si128()) }
    }

    #[inline(always)]
    fn four(self, bytes: u64, digits: &[u8; 16], places: &[u8; 16]) -> [u8; 16] {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { four(bytes, digits, places) }
    }

    #[inline(always)]
    fn spread(self, mask: u32) -> SseHalf {
        // Each byte of the mask eight times, and then one bit of each byte.
        const BYTES: [u64; 4] =
            [0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303];
        // SAFETY: `self` shows that the instructions are there; the loads are of 32 bytes.
        unsafe {
            let bits = _mm_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let (mask, bytes) = (_mm_cvtsi64_si128(i64::from(mask)), BYTES.as_ptr());
            let low = _mm_shuffle_epi8(mask, _mm_loadu_si128(bytes.cast()));
            let high = _mm_shuffle_epi8(mask, _mm_loadu_si128(bytes.add(2).cast()));
            let (low, high) = (_mm_and_si128(low, bits), _mm_and_si128(high, bits));
            SseHalf(_mm_cmpeq_epi8(low, bits), _mm_cmpeq_epi8(high, bits))
        }
    }

    #[inline(always)]
    fn pick(self, bytes: u64, places: u64) -> u64 {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { pick(bytes, places) }
    }
}

impl Half for SseHalf {
    #[inline(always)]
    fn same(self, byte: u8) -> Self {
        let Self(low, high) = self;
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let byte = _mm_set1_epi8(byte as i8);
            Self(_mm_cmpeq_epi8(low, byte), _mm_cmpeq_epi8(high, byte))
        }
    }

    #[inline(always)]
    fn members(self, nibbles: &[u8; 16]) -> Self {
        Self(self.members_of(self.0, nibbles), self.members_of(self.1, nibbles))
    }

    #[inline(always)]
    fn non_ascii(self) -> Self {
        self
    }

    #[inline(always)]
    fn flipped(self) -> Self {
        let Self(low, high) = self;
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let highest = _mm_set1_epi8(i8::MIN);
            Self(_mm_xor_si128(low, highest), _mm_xor_si128(high, highest))
        }
    }

    #[inline(always)]
    fn masked(self, mask: u8) -> Self {
        let Self(low, high) = self;
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let mask = _mm_set1_epi8(mask as i8);
            Self(_mm_and_si128(low, mask), _mm_and_si128(high, mask))
        }
    }

    #[inline(always)]
    fn without(self, answer: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { Self(_mm_andnot_si128(answer.0, self.0), _mm_andnot_si128(answer.1, self.1)) }
    }

    #[inline(always)]
    fn digits(self, nine: u8) -> Self {
        let Self(low, high) = self;
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let (top, more, four) =
                (_mm_set1_epi8(nine as i8), _mm_set1_epi8(9), _mm_set1_epi8(15));
            let low_more = _mm_and_si128(_mm_cmpgt_epi8(low, top), more);
            let high_more = _mm_and_si128(_mm_cmpgt_epi8(high, top), more);
            let (low, high) = (_mm_and_si128(low, four), _mm_and_si128(high, four));
            Self(_mm_add_epi8(low, low_more), _mm_add_epi8(high, high_more))
        }
    }

    #[inline(always)]
    fn joined(self, low: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let (one, two) = (_mm_slli_epi16::<4>(self.0), _mm_slli_epi16::<4>(self.1));
            Self(_mm_or_si128(one, low.0), _mm_or_si128(two, low.1))
        }
    }

    #[inline(always)]
    fn both(self, other: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { Self(_mm_and_si128(self.0, other.0), _mm_and_si128(self.1, other.1)) }
    }

    #[inline(always)]
    fn flip(self, other: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { Self(_mm_xor_si128(self.0, other.0), _mm_xor_si128(self.1, other.1)) }
    }

    #[inline(always)]
    fn or_else(self, other: Self, answer: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let low = _mm_blendv_epi8(self.0, other.0, answer.0);
            Self(low, _mm_blendv_epi8(self.1, other.1, answer.1))
        }
    }

    #[inline(always)]
    fn bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let to = bytes.as_mut_ptr().cast::<__m128i>();
        // SAFETY: `self` shows that the instructions are there; the stores are of 32 bytes.
        unsafe {
            _mm_storeu_si128(to, self.0);
            _mm_storeu_si128(to.add(1), self.1);
        }
        bytes
    }

    #[inline(always)]
    fn masks(low: Self, high: Self) -> (u32, u32) {
        (low.mask(), high.mask())
    }
}

impl SseHalf {
    /// The members of a set among the 16 bytes of `quarter`.
    #[inline(always)]
    fn members_of(self, quarter: __m128i, nibbles: &[u8; 16]) -> __m128i {
        // For a byte from 0x80 up, the row is 0 and `bit` is not: they differ.
        const BITS: [u8; 16] =
            [1, 2, 4, 8, 16, 32, 64, 128, 255, 255, 255, 255, 255, 255, 255, 255];
        // SAFETY: `self` shows that the instructions are there; the loads are of 16 bytes.
        unsafe {
            let (bits, rows) = (BITS.as_ptr().cast(), nibbles.as_ptr().cast());
            let high = _mm_and_si128(_mm_srli_epi16::<4>(quarter), _mm_set1_epi8(15));
            let bit = _mm_shuffle_epi8(_mm_loadu_si128(bits), high);
            let row = _mm_shuffle_epi8(_mm_loadu_si128(rows), quarter);
            _mm_cmpeq_epi8(_mm_and_si128(row, bit), bit)
        }
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        // SAFETY: `self` shows that the instructions are there.
        let (low, high) = unsafe { (_mm_movemask_epi8(self.0), _mm_movemask_epi8(self.1)) };
        low as u32 | (high as u32) << 16
    }
}
