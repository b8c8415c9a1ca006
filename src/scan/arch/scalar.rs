//! The kernel without SIMD. It defines what the masks are, and the tests hold every other kernel to it.
//! Not here: the searches of this CPU level, which are without masks (`words`).
#![deny(unsafe_code)]

use crate::scan::ops::encode::EncodeBlocks;
use crate::scan::ops::long::{self, EightMasks, GROUP, Long, Members};
use crate::scan::ops::rewrite::RewriteBlocks;
use crate::scan::ops::{BLOCK, Block, Simd};
use crate::tables::{AsciiSet, Eight, HighSet};

/// The kernel in plain Rust, one byte after the other.
#[derive(Clone, Copy)]
pub(crate) struct Scalar;

impl Simd for Scalar {
    const MASKS: bool = false;
    type Block = ScalarBlock;

    #[inline(always)]
    fn load(self, text: &[u8], at: usize) -> ScalarBlock {
        let rest = text.get(at..).unwrap_or_default();
        let len = rest.len().min(BLOCK);
        let mut bytes = [0; BLOCK];
        for (to, from) in bytes.iter_mut().zip(rest) {
            *to = *from;
        }
        ScalarBlock { bytes, len }
    }
}

/// The bytes of a block, with zeros past the end; and the number of the bytes.
#[derive(Clone, Copy)]
pub(crate) struct ScalarBlock {
    bytes: [u8; BLOCK],
    len: usize,
}

impl ScalarBlock {
    #[inline(always)]
    fn mask(self, member: impl Fn(u8) -> bool) -> u64 {
        let bytes = self.bytes.iter().take(self.len).rev();
        bytes.fold(0, |mask, byte| mask << 1 | u64::from(member(*byte)))
    }
}

impl Block for ScalarBlock {
    #[inline(never)]
    fn ascii(self, set: &AsciiSet) -> u64 {
        match set.only {
            Some(only) => self.mask(|byte| byte == only),
            None => self.mask(|byte| set.contains(byte)),
        }
    }

    #[inline(never)]
    fn high(self, set: &HighSet) -> u64 {
        self.mask(|byte| set.contains(byte))
    }

    #[inline(never)]
    fn non_ascii(self) -> u64 {
        self.mask(|byte| !byte.is_ascii())
    }

    #[inline(never)]
    fn without(self, byte: u8) -> Self {
        let bytes = self.bytes.map(|other| if other == byte { 0 } else { other });
        Self { bytes, ..self }
    }
}

impl Long for Scalar {
    type Words = EightMasks;

    fn words(self, masks: &[u64; GROUP]) -> EightMasks {
        EightMasks(*masks)
    }

    fn members(
        self,
        blocks: &[[u8; BLOCK]; GROUP],
        separator: u8,
        sets: &Eight,
    ) -> Members<EightMasks> {
        long::members(self, blocks, separator, sets)
    }
}

// SAFETY: the provided methods.
#[expect(unsafe_code, reason = "the implementation of an unsafe trait, by safe code")]
unsafe impl EncodeBlocks for Scalar {}

// SAFETY: the provided methods.
#[expect(unsafe_code, reason = "the implementation of an unsafe trait, by safe code")]
unsafe impl RewriteBlocks for Scalar {}
