//! The kernel without SIMD. It defines what the masks are: every other kernel is tested against it.
#![forbid(unsafe_code)]

use super::{BLOCK, Block, Job, Simd};
use crate::tables::{AsciiSet, HighSet};

/// Plain Rust, one byte after the other.
#[derive(Clone, Copy)]
pub(super) struct Scalar;

/// Does a job with this kernel.
pub(super) fn run<J: Job>(job: J) -> J::Output {
    job.run(Scalar)
}

impl Simd for Scalar {
    type Block = Bytes;

    #[inline(always)]
    fn load(self, text: &[u8], at: usize) -> Bytes {
        let mut bytes = [None; BLOCK];
        for (to, from) in bytes.iter_mut().zip(text.iter().skip(at)) {
            *to = Some(*from);
        }
        Bytes(bytes)
    }
}

/// The bytes themselves, and none after the end.
#[derive(Clone, Copy)]
pub(super) struct Bytes([Option<u8>; BLOCK]);

impl Bytes {
    #[inline(always)]
    fn mask(self, member: impl Fn(u8) -> bool) -> u64 {
        let bits =
            self.0.iter().enumerate().map(|(i, byte)| u64::from(byte.is_some_and(&member)) << i);
        bits.fold(0, |mask, bit| mask | bit)
    }
}

impl Block for Bytes {
    #[inline(always)]
    fn ascii(self, set: &AsciiSet) -> u64 {
        self.mask(|byte| set.contains(byte))
    }

    #[inline(always)]
    fn high(self, set: &HighSet) -> u64 {
        self.mask(|byte| set.contains(byte))
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        self.mask(|byte| !byte.is_ascii())
    }
}
