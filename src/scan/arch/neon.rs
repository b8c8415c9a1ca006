//! The kernel for NEON: two registers for half a block, and a byte shuffle for each set.

use core::arch::aarch64::{
    uint8x16_t, vaddq_u8, vandq_u8, vbicq_u8, vbslq_u8, vceqq_u8, vcgtq_u8, vcltzq_s8, vcombine_u8,
    vcreate_u8, vdup_n_u8, vdupq_n_u8, veorq_u8, vget_lane_u64, vgetq_lane_u64, vld1q_u8, vorrq_u8,
    vpaddq_u8, vqtbl1q_u8, vreinterpret_u64_u8, vreinterpretq_s8_u8, vreinterpretq_u64_u8,
    vshlq_n_u8, vshrq_n_u8, vst1q_u8, vtbl1_u8, vtstq_u8,
};

use crate::scan::arch::halves;
use crate::scan::arch::halves::{Half, Halves};
use crate::scan::ops::BLOCK;
use crate::scan::ops::long::{EightMasks, GROUP};
use crate::tables::Eight;

/// The proof that the CPU has NEON. Outside this file, only `level` makes it, for a [`CpuLevel`](crate::parser::CpuLevel).
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
    crate::scan::ops::eight(Neon(()), block, but, sets)
}

/// 32 bytes. Only [`Neon`] loads them, so that a value proves that the instructions are there.
#[derive(Clone, Copy)]
pub(crate) struct NeonHalf(uint8x16_t, uint8x16_t);

impl Halves for Neon {
    type Half = NeonHalf;
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
    fn load32(self, bytes: &[u8; 32]) -> NeonHalf {
        let low = bytes.as_ptr();
        // SAFETY: `self` shows that the instructions are there; the loads are of 32 bytes.
        unsafe { NeonHalf(vld1q_u8(low), vld1q_u8(low.add(16))) }
    }

    #[inline(always)]
    fn load16(self, bytes: &[u8; 16]) -> NeonHalf {
        // SAFETY: `self` shows that the instructions are there; the load is of 16 bytes.
        unsafe { NeonHalf(vld1q_u8(bytes.as_ptr()), vdupq_n_u8(0)) }
    }

    #[inline(always)]
    fn load8(self, bytes: u64) -> NeonHalf {
        // SAFETY: `self` shows that the instructions are there. They take the lowest byte of a word
        // for the first one, whatever the order in memory.
        unsafe { NeonHalf(vcombine_u8(vcreate_u8(bytes), vcreate_u8(0)), vdupq_n_u8(0)) }
    }

    #[inline(always)]
    fn four(self, bytes: u64, digits: &[u8; 16], places: &[u8; 16]) -> [u8; 16] {
        // SAFETY: `self` shows that the instructions are there; the loads and the store are of 16 bytes.
        unsafe {
            let load = |table: &[u8; 16]| vld1q_u8(table.as_ptr());
            let bytes = vcombine_u8(vcreate_u8(bytes), vcreate_u8(0));
            let thrice = vqtbl1q_u8(bytes, load(&halves::THRICE));
            let first = vshrq_n_u8::<4>(thrice);
            let second = vandq_u8(thrice, vdupq_n_u8(15));
            let nibbles = vbslq_u8(load(&halves::FIRST), first, second);
            let digits = vqtbl1q_u8(load(digits), nibbles);
            let all = vbslq_u8(load(&halves::WHOLE), thrice, digits);
            let mut written = [0; 16];
            vst1q_u8(written.as_mut_ptr(), vqtbl1q_u8(all, load(places)));
            written
        }
    }

    #[inline(always)]
    fn spread(self, mask: u32) -> NeonHalf {
        // Each byte of the mask eight times, and then one bit of each byte.
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let bits = vcreate_u8(0x8040_2010_0804_0201);
            let bits = vcombine_u8(bits, bits);
            let eight = |byte: u32| vdup_n_u8((mask >> byte) as u8);
            let low = vcombine_u8(eight(0), eight(8));
            let high = vcombine_u8(eight(16), eight(24));
            NeonHalf(vtstq_u8(low, bits), vtstq_u8(high, bits))
        }
    }

    #[inline(always)]
    fn pick(self, bytes: u64, places: u64) -> u64 {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let picked = vtbl1_u8(vcreate_u8(bytes), vcreate_u8(places));
            vget_lane_u64::<0>(vreinterpret_u64_u8(picked))
        }
    }
}

impl Half for NeonHalf {
    #[inline(always)]
    fn same(self, byte: u8) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let byte = vdupq_n_u8(byte);
            Self(vceqq_u8(self.0, byte), vceqq_u8(self.1, byte))
        }
    }

    #[inline(always)]
    fn members(self, nibbles: &[u8; 16]) -> Self {
        Self(self.members_of(self.0, nibbles), self.members_of(self.1, nibbles))
    }

    #[inline(always)]
    fn non_ascii(self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let (low, high) = (vreinterpretq_s8_u8(self.0), vreinterpretq_s8_u8(self.1));
            Self(vcltzq_s8(low), vcltzq_s8(high))
        }
    }

    #[inline(always)]
    fn flipped(self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let highest = vdupq_n_u8(0x80);
            Self(veorq_u8(self.0, highest), veorq_u8(self.1, highest))
        }
    }

    #[inline(always)]
    fn masked(self, mask: u8) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let mask = vdupq_n_u8(mask);
            Self(vandq_u8(self.0, mask), vandq_u8(self.1, mask))
        }
    }

    #[inline(always)]
    fn without(self, answer: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { Self(vbicq_u8(self.0, answer.0), vbicq_u8(self.1, answer.1)) }
    }

    #[inline(always)]
    fn digits(self, nine: u8) -> Self {
        // SAFETY: `self` shows that the instructions are there. Bytes from 0x80 up count as letters, and are not
        // digits.
        unsafe {
            let (top, more, four) = (vdupq_n_u8(nine), vdupq_n_u8(9), vdupq_n_u8(15));
            let low = vandq_u8(vcgtq_u8(self.0, top), more);
            let high = vandq_u8(vcgtq_u8(self.1, top), more);
            let (low_four, high_four) = (vandq_u8(self.0, four), vandq_u8(self.1, four));
            Self(vaddq_u8(low_four, low), vaddq_u8(high_four, high))
        }
    }

    #[inline(always)]
    fn joined(self, low: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let (one, two) = (vshlq_n_u8::<4>(self.0), vshlq_n_u8::<4>(self.1));
            Self(vorrq_u8(one, low.0), vorrq_u8(two, low.1))
        }
    }

    #[inline(always)]
    fn both(self, other: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { Self(vandq_u8(self.0, other.0), vandq_u8(self.1, other.1)) }
    }

    #[inline(always)]
    fn flip(self, other: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { Self(veorq_u8(self.0, other.0), veorq_u8(self.1, other.1)) }
    }

    #[inline(always)]
    fn or_else(self, other: Self, answer: Self) -> Self {
        // SAFETY: `self` shows that the instructions are there.
        unsafe {
            let low = vbslq_u8(answer.0, other.0, self.0);
            Self(low, vbslq_u8(answer.1, other.1, self.1))
        }
    }

    #[inline(always)]
    fn bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let to: *mut u8 = bytes.as_mut_ptr();
        // SAFETY: `self` shows that the instructions are there; the stores are of 32 bytes.
        unsafe {
            vst1q_u8(to, self.0);
            vst1q_u8(to.add(16), self.1);
        }
        bytes
    }

    #[inline(always)]
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

impl NeonHalf {
    /// The members of a set among the 16 bytes of `quarter`.
    #[inline(always)]
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
