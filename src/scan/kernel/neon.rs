//! The kernel for NEON: two registers for half a block, and a byte shuffle for each set.

use core::arch::aarch64::{
    uint8x16_t, vandq_u8, vbicq_u8, vceqq_u8, vcltzq_s8, vcombine_u8, vcreate_u8, vdupq_n_u8,
    veorq_u8, vgetq_lane_u64, vld1q_u8, vpaddq_u8, vqtbl1q_u8, vreinterpretq_s8_u8,
    vreinterpretq_u64_u8, vshrq_n_u8, vtstq_u8,
};

use super::BLOCK;
use super::halves::{self, Half, Halves};
use crate::tables::Eight;

/// The proof that the CPU has NEON. Only [`CpuLevel::run`](crate::CpuLevel) makes one.
#[derive(Clone, Copy)]
pub(crate) struct Neon(());

impl Neon {
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
#[target_feature(enable = "neon")]
unsafe fn eight(block: &[u8; BLOCK], but: u8, sets: &Eight) -> [u64; 8] {
    halves::eight(Neon(()), block, but, sets)
}

/// 32 bytes. Only [`Neon`] loads them, so that a value proves that the instructions are there.
#[derive(Clone, Copy)]
pub(crate) struct HalfBytes(uint8x16_t, uint8x16_t);

impl Halves for Neon {
    type Half = HalfBytes;

    #[cfg_attr(optimized, inline(always))]
    fn eight(self, block: &[u8; BLOCK], but: u8, sets: &Eight) -> [u64; 8] {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { eight(block, but, sets) }
    }

    #[cfg_attr(optimized, inline(always))]
    fn load32(self, bytes: &[u8; 32]) -> HalfBytes {
        let low = bytes.as_ptr();
        // SAFETY: `self` shows that the instructions are there; the loads are of 32 bytes.
        unsafe { HalfBytes(vld1q_u8(low), vld1q_u8(low.add(16))) }
    }

    #[cfg_attr(optimized, inline(always))]
    fn load16(self, bytes: &[u8; 16]) -> HalfBytes {
        // SAFETY: `self` shows that the instructions are there; the load is of 16 bytes.
        unsafe { HalfBytes(vld1q_u8(bytes.as_ptr()), vdupq_n_u8(0)) }
    }

    #[cfg_attr(optimized, inline(always))]
    fn load8(self, bytes: u64) -> HalfBytes {
        // SAFETY: `self` shows that the instructions are there. They take the lowest byte of a word
        // for the first one, whatever the order in memory.
        unsafe { HalfBytes(vcombine_u8(vcreate_u8(bytes), vcreate_u8(0)), vdupq_n_u8(0)) }
    }
}

impl Half for HalfBytes {
    #[cfg_attr(optimized, inline(always))]
    fn same(self, byte: u8) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let byte = vdupq_n_u8(byte);
            Self(vceqq_u8(self.0, byte), vceqq_u8(self.1, byte))
        }
    }

    #[cfg_attr(optimized, inline(always))]
    fn members(self, nibbles: &[u8; 16]) -> Self {
        Self(self.members_of(self.0, nibbles), self.members_of(self.1, nibbles))
    }

    #[cfg_attr(optimized, inline(always))]
    fn non_ascii(self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let (low, high) = (vreinterpretq_s8_u8(self.0), vreinterpretq_s8_u8(self.1));
            Self(vcltzq_s8(low), vcltzq_s8(high))
        }
    }

    #[cfg_attr(optimized, inline(always))]
    fn flipped(self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let highest = vdupq_n_u8(0x80);
            Self(veorq_u8(self.0, highest), veorq_u8(self.1, highest))
        }
    }

    #[cfg_attr(optimized, inline(always))]
    fn masked(self, mask: u8) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let mask = vdupq_n_u8(mask);
            Self(vandq_u8(self.0, mask), vandq_u8(self.1, mask))
        }
    }

    #[cfg_attr(optimized, inline(always))]
    fn without(self, answer: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { Self(vbicq_u8(self.0, answer.0), vbicq_u8(self.1, answer.1)) }
    }

    #[cfg_attr(optimized, inline(always))]
    fn masks(low: Self, high: Self) -> (u32, u32) {
        // Each answer becomes one bit of eight; adding neighbours three times collects the bits.
        const PLACES: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        // SAFETY: the halves show that the instructions are there; the load is of 16 bytes.
        let mask = unsafe {
            let places = vld1q_u8(PLACES.as_ptr());
            let low = vpaddq_u8(vandq_u8(low.0, places), vandq_u8(low.1, places));
            let high = vpaddq_u8(vandq_u8(high.0, places), vandq_u8(high.1, places));
            let both = vpaddq_u8(low, high);
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(both, both)))
        };
        (mask as u32, (mask >> 32) as u32)
    }
}

impl HalfBytes {
    /// The members of a set among the 16 bytes of `quarter`.
    #[cfg_attr(optimized, inline(always))]
    fn members_of(self, quarter: uint8x16_t, nibbles: &[u8; 16]) -> uint8x16_t {
        // For a byte from 0x80 up, no bit is tested.
        const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
        // SAFETY: `self` shows that the instructions are there; the loads are of 16 bytes.
        unsafe {
            let bit = vqtbl1q_u8(vld1q_u8(BITS.as_ptr()), vshrq_n_u8::<4>(quarter));
            let low = vandq_u8(quarter, vdupq_n_u8(15));
            vtstq_u8(vqtbl1q_u8(vld1q_u8(nibbles.as_ptr()), low), bit)
        }
    }
}
