//! The kernel for WebAssembly with `simd128`: two vectors for half a block, and a byte shuffle for each set.

use core::arch::wasm32::{
    i8x16_swizzle, u8x16, u8x16_add, u8x16_bitmask, u8x16_eq, u8x16_gt, u8x16_ne, u8x16_shl,
    u8x16_shr, u8x16_splat, u32x4_splat, u64x2, u64x2_extract_lane, v128, v128_and, v128_andnot,
    v128_bitselect, v128_load, v128_or, v128_store, v128_xor,
};

use crate::scan::arch::halves;
use crate::scan::arch::halves::{Half, Halves};
use crate::scan::ops::BLOCK;
use crate::scan::ops::long::{EightMasks, GROUP};
use crate::tables::Eight;

/// The kernel. A value proves nothing: an engine without `simd128` refuses the whole module before it runs.
#[derive(Clone, Copy)]
pub(crate) struct Simd128;

/// [`Halves::eight`], as one function that is not inlined.
#[inline(never)]
fn eight(block: &[u8; BLOCK], but: u8, sets: &Eight) -> [u64; 8] {
    crate::scan::ops::eight(Simd128, block, but, sets)
}

/// Returns the 16 bytes as a vector.
#[inline(always)]
fn vector(bytes: &[u8; 16]) -> v128 {
    // SAFETY: the load is of 16 bytes, at any alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Returns the 16 bytes of a vector.
#[inline(always)]
fn array(vector: v128) -> [u8; 16] {
    let mut bytes = [0; 16];
    // SAFETY: the store is of 16 bytes, at any alignment.
    unsafe { v128_store(bytes.as_mut_ptr().cast(), vector) };
    bytes
}

/// 32 bytes.
#[derive(Clone, Copy)]
pub(crate) struct WasmHalf(v128, v128);

impl Halves for Simd128 {
    type Half = WasmHalf;
    type Words = EightMasks;

    #[inline(always)]
    fn eight(self, block: &[u8; BLOCK], but: u8, sets: &Eight) -> [u64; 8] {
        eight(block, but, sets)
    }

    #[inline(always)]
    fn words(self, masks: &[u64; GROUP]) -> EightMasks {
        EightMasks(*masks)
    }

    #[inline(always)]
    fn load32(self, bytes: &[u8; 32]) -> WasmHalf {
        let [low, high]: &[[u8; 16]; 2] = bytemuck::must_cast_ref(bytes);
        WasmHalf(vector(low), vector(high))
    }

    #[inline(always)]
    fn load16(self, bytes: &[u8; 16]) -> WasmHalf {
        WasmHalf(vector(bytes), u64x2(0, 0))
    }

    #[inline(always)]
    fn load8(self, bytes: u64) -> WasmHalf {
        WasmHalf(u64x2(bytes, 0), u64x2(0, 0))
    }

    #[inline(always)]
    fn four(self, bytes: u64, digits: &[u8; 16], places: &[u8; 16]) -> [u8; 16] {
        let thrice = i8x16_swizzle(u64x2(bytes, 0), vector(&halves::THRICE));
        let (first, second) = (u8x16_shr(thrice, 4), v128_and(thrice, u8x16_splat(15)));
        let nibbles = v128_bitselect(first, second, vector(&halves::FIRST));
        let digits = i8x16_swizzle(vector(digits), nibbles);
        let all = v128_bitselect(thrice, digits, vector(&halves::WHOLE));
        array(i8x16_swizzle(all, vector(places)))
    }

    #[inline(always)]
    fn spread(self, mask: u32) -> WasmHalf {
        // Each byte of the mask eight times, and then one bit of each byte.
        let mask = u32x4_splat(mask);
        let low = u8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
        let high = u8x16_add(low, u8x16_splat(2));
        let bits = u64x2(0x8040_2010_0804_0201, 0x8040_2010_0804_0201);
        let spread = |bytes| u8x16_eq(v128_and(i8x16_swizzle(mask, bytes), bits), bits);
        WasmHalf(spread(low), spread(high))
    }

    #[inline(always)]
    fn pick(self, bytes: u64, places: u64) -> u64 {
        u64x2_extract_lane::<0>(i8x16_swizzle(u64x2(bytes, 0), u64x2(places, 0)))
    }
}

impl WasmHalf {
    /// Applies a function to both vectors.
    #[inline(always)]
    fn each(self, function: impl Fn(v128) -> v128) -> Self {
        Self(function(self.0), function(self.1))
    }

    /// Applies a function to the vectors of both.
    #[inline(always)]
    fn with(self, other: Self, function: impl Fn(v128, v128) -> v128) -> Self {
        Self(function(self.0, other.0), function(self.1, other.1))
    }
}

impl Half for WasmHalf {
    #[inline(always)]
    fn same(self, byte: u8) -> Self {
        self.each(|bytes| u8x16_eq(bytes, u8x16_splat(byte)))
    }

    #[inline(always)]
    fn members(self, nibbles: &[u8; 16]) -> Self {
        // For a byte from 0x80 up, no bit is tested.
        let bits = u8x16(1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0);
        let rows = vector(nibbles);
        self.each(|bytes| {
            let bit = i8x16_swizzle(bits, u8x16_shr(bytes, 4));
            let row = i8x16_swizzle(rows, v128_and(bytes, u8x16_splat(15)));
            u8x16_ne(v128_and(row, bit), u8x16_splat(0))
        })
    }

    #[inline(always)]
    fn non_ascii(self) -> Self {
        self
    }

    #[inline(always)]
    fn flipped(self) -> Self {
        self.each(|bytes| v128_xor(bytes, u8x16_splat(0x80)))
    }

    #[inline(always)]
    fn masked(self, mask: u8) -> Self {
        self.each(|bytes| v128_and(bytes, u8x16_splat(mask)))
    }

    #[inline(always)]
    fn without(self, answer: Self) -> Self {
        self.with(answer, |bytes, answer| v128_andnot(bytes, answer))
    }

    #[inline(always)]
    fn digits(self, nine: u8) -> Self {
        // Bytes from 0x80 up count as letters, and are not digits.
        self.each(|bytes| {
            let more = v128_and(u8x16_gt(bytes, u8x16_splat(nine)), u8x16_splat(9));
            u8x16_add(v128_and(bytes, u8x16_splat(15)), more)
        })
    }

    #[inline(always)]
    fn joined(self, low: Self) -> Self {
        self.with(low, |high, low| v128_or(u8x16_shl(high, 4), low))
    }

    #[inline(always)]
    fn both(self, other: Self) -> Self {
        self.with(other, |one, two| v128_and(one, two))
    }

    #[inline(always)]
    fn flip(self, other: Self) -> Self {
        self.with(other, |one, two| v128_xor(one, two))
    }

    #[inline(always)]
    fn or_else(self, other: Self, answer: Self) -> Self {
        let low = v128_bitselect(other.0, self.0, answer.0);
        Self(low, v128_bitselect(other.1, self.1, answer.1))
    }

    #[inline(always)]
    fn bytes(self) -> [u8; 32] {
        bytemuck::must_cast([array(self.0), array(self.1)])
    }

    #[inline(always)]
    fn masks(low: Self, high: Self) -> (u32, u32) {
        let mask =
            |half: Self| u32::from(u8x16_bitmask(half.0)) | u32::from(u8x16_bitmask(half.1)) << 16;
        (mask(low), mask(high))
    }
}
