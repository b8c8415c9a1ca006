//! The operations that every kernel has: it loads a block of 64 bytes in the registers of a CPU family, and answers
//! questions about the block with masks. The methods that a trait provides define the answers.
//!
//! A kernel knows bytes and the sets that it is given. Not here: the kernels (`arch`), the choice of the kernel
//! (`level`), and searches in a text (`search`).

pub(crate) mod encode;
pub(super) mod long;
pub(super) mod mask;
pub(crate) mod rewrite;

use core::ops::Range;

use crate::tables::{AsciiSet, Eight, HighSet};

/// The length of a block in bytes, and the number of bits of a mask.
pub const BLOCK: usize = 64;

/// A CPU family: loads blocks, and computes with masks where some families have instructions for it.
///
/// Invariant: a value is the proof that the CPU has the instructions of the family. Outside the file of its kernel,
/// only `level` makes a value, for a level that was detected. The provided methods define the answers. A kernel that
/// replaces a provided method gives the same answers.
pub trait Simd: Copy {
    /// Whether searches ask for masks of blocks, and do not walk over the bytes.
    const MASKS: bool = true;
    /// Whether a question to a block is many instructions, so that work is compiled for one form of texts only.
    const IS_LARGE: bool = false;

    /// A block in the registers of this family.
    type Block: Block;

    /// Loads the block that begins at byte `at` of `text`: 64 bytes, or all that are left.
    fn load(self, text: &[u8], at: usize) -> Self::Block;

    /// Returns the members of eight sets in a block. The byte `but`, which is ASCII, is not a member of any set.
    #[inline(always)]
    fn eight(self, bytes: &[u8; BLOCK], but: u8, sets: &Eight) -> [u64; 8] {
        eight(self, bytes, but, sets)
    }
}

/// The definition of [`Simd::eight`].
#[inline(always)]
pub(super) fn eight<S: Simd>(simd: S, bytes: &[u8; BLOCK], but: u8, sets: &Eight) -> [u64; 8] {
    let block = simd.load(bytes, 0).without(but);
    // Not `map`: without LTO, its closure is compiled without the instructions of the kernel, and each intrinsic is a
    // call. `scripts/inlined` looks for such calls.
    let mut masks = [0; 8];
    for (mask, set) in masks.iter_mut().zip(&sets.sets) {
        *mask = block.ascii(set);
    }
    masks
}

/// At most 64 bytes that answer questions with masks. A mask is computed when it is asked for.
///
/// Invariant: bit `i` of a mask is byte `i` of the block. For a set that holds the byte zero, bits past the end may be
/// set, because the bytes past the end may be zeros. [`find`](crate::scan::find) cuts its answer at the end.
pub trait Block: Copy {
    /// The bytes that are members of `set`, which are ASCII. No bit is set past the end, unless `set` holds the byte
    /// zero.
    fn ascii(self, set: &AsciiSet) -> u64;

    /// The ASCII bytes that are not members of `set`. Every bit past the end is set.
    #[inline(always)]
    fn foreign(self, set: &AsciiSet) -> u64 {
        !(self.ascii(set) | self.non_ascii())
    }

    /// The bytes from 0x80 up that are members of `set`. No bit is set past the end.
    fn high(self, set: &HighSet) -> u64;

    /// The bytes from 0x80 up. No bit is set past the end.
    fn non_ascii(self) -> u64;

    /// The block with zeros in place of `byte`, which is ASCII.
    fn without(self, byte: u8) -> Self;

    /// The bytes that `query` asks for. Which bits past the end are set depends on the query.
    #[inline(always)]
    fn ask(self, query: Query<'_>) -> u64 {
        match query {
            Query::In(set) => self.ascii(set),
            Query::Outside(set) => !self.ascii(set),
            Query::Foreign(set) => self.foreign(set),
            Query::NonAscii => self.non_ascii(),
        }
    }
}

/// A question to a block, as a value. A closure would be compiled without the instructions of the kernel
/// that calls it, and the kernel's functions would not be inlined into it.
#[derive(Clone, Copy)]
pub enum Query<'a> {
    /// The members of a set.
    In(&'a AsciiSet),
    /// The bytes that are not members, ASCII or not.
    Outside(&'a AsciiSet),
    /// The ASCII bytes that are not members.
    Foreign(&'a AsciiSet),
    /// The bytes from 0x80 up.
    NonAscii,
}

/// Returns the mask of the first `count` bytes of a block; of all bytes if `count` is 64 or more.
#[inline(always)]
pub const fn below(count: usize) -> u64 {
    if count < BLOCK { !(!0 << count) } else { !0 }
}

/// Returns the mask of the bytes in `range` that are in the block at offset `at`.
#[inline(always)]
pub(crate) const fn within(range: &Range<usize>, at: usize) -> u64 {
    below(range.end.saturating_sub(at)) & !below(range.start.saturating_sub(at))
}

/// Returns `slice` as arrays of `N` elements, and the rest, which has fewer than `N` elements.
#[inline(always)]
pub fn as_chunks<T, const N: usize>(slice: &[T]) -> (&[[T; N]], &[T]) {
    // The standard library has this from Rust 1.88 on.
    let count = slice.len() / N;
    let (whole, rest) = slice.split_at(count * N);
    // SAFETY: `whole` holds `count` times `N` elements, and an array is as aligned as its elements.
    (unsafe { core::slice::from_raw_parts(whole.as_ptr().cast(), count) }, rest)
}
