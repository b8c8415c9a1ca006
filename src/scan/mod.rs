//! Bytes to masks: which bytes of a block of 64 belong to a set, one bit for each byte.
//!
//! Here: what a kernel must offer ([`Simd`], [`Block`]); the search in a text, block by block ([`find`])
//! or, without SIMD, byte by byte (`words`); one kernel for each CPU family and the choice among them
//! ([`CpuLevel`]); and the walk over a generated automaton ([`dfa`]). Not here: the grammar of IRIs. A
//! kernel knows bytes and the sets that it is given.
//!
//! ```text
//! bytes   h  t  t  p  :  /  /  a  .  b  /  c
//! SLASH   .  .  .  .  .  1  1  .  .  .  1  .     bit i of a mask is byte i of the block
//! ```
//!
//! `scalar` defines what a mask is; `agreement` tests that every other kernel gives the same masks.
// The kernels and the dispatch to them are the only place of the library with `unsafe`.
#![expect(unsafe_code, reason = "CPU intrinsics, and loads through pointers")]

#[cfg(test)]
mod agreement;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(avx512)]
mod avx512;
pub(crate) mod dfa;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod halves;
mod level;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(feature = "alloc")]
mod rewrite;
mod scalar;
#[cfg(feature = "alloc")]
mod segments;
mod slice;
#[cfg(target_arch = "x86_64")]
mod sse41;
#[cfg(feature = "alloc")]
mod triplets;
mod utf8;
mod words;

#[cfg(feature = "alloc")]
use core::{mem::MaybeUninit, ops::Range};

pub use level::CpuLevel;
#[cfg(feature = "alloc")]
pub(crate) use rewrite::{Changes, Decodable, Rewrite, UPPER, octet, rewrite};
pub(crate) use slice::slice;
#[cfg(feature = "alloc")]
pub(crate) use triplets::{LOWER_DIGITS, encode, triplet_text};

use crate::tables::{AsciiSet, Eight, HighSet};
use utf8::IsUtf8;

/// The length of a block in bytes, and the number of bits of a mask.
pub(crate) const BLOCK: usize = 64;

/// A CPU family: loads blocks, and does the work on masks that some families have instructions for.
///
/// Invariant: a value is the proof that the CPU has the instructions of the family. Only the function
/// `run` of a kernel makes one, and that is called after detection alone. The provided methods define
/// the answers; a kernel that replaces one gives the same answers.
pub(crate) trait Simd: Copy {
    /// Whether a mask costs less than a walk over the bytes that are asked about.
    const MASKS: bool = true;

    /// A block in the registers of this family.
    type Block: Block;

    /// Loads the block that begins at byte `at` of `text`: 64 bytes, or all that are left.
    fn load(self, text: &[u8], at: usize) -> Self::Block;

    /// Returns the members of eight sets in each of eight blocks: mask `[i][j]` is that of set `i` in
    /// block `j`. The byte `but` is a member of none.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "as many masks as blocks")]
    fn eights(self, blocks: &[[u8; BLOCK]; 8], but: u8, sets: &Eight) -> [[u64; 8]; 8] {
        let mut masks = [[0; 8]; 8];
        for (i, bytes) in blocks.iter().enumerate() {
            let block = self.load(bytes, 0).without(but);
            for (masks, set) in masks.iter_mut().zip(&sets.sets) {
                masks[i] = block.ascii(set);
            }
        }
        masks
    }

    /// Adds `other` to `sum`, both numbers of `N` words of 64 bits, the lowest word first. `N` is a
    /// multiple of 8. A carry out of the highest word is lost.
    #[cfg_attr(optimized, inline(always))]
    fn add<const N: usize>(self, sum: &mut [u64; N], other: &[u64; N]) {
        let mut carry = false;
        for (sum, other) in sum.iter_mut().zip(other) {
            let (word, over) = sum.overflowing_add(*other);
            let (word, more) = word.overflowing_add(u64::from(carry));
            (*sum, carry) = (word, over | more);
        }
    }

    /// Writes the place of each bit of a mask, plus `at`, to `places`, in order. Entries past them mean
    /// nothing afterwards.
    #[cfg_attr(optimized, inline(always))]
    fn put(self, mask: u64, at: u32, places: &mut [u32; BLOCK]) {
        let mut bits = mask;
        // Always two places, whether there are two bits or not: the number of bits is hard to predict.
        let twos: &mut [[u32; 2]; BLOCK / 2] = bytemuck::must_cast_mut(places);
        for two in twos {
            for place in two {
                *place = at.wrapping_add(bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
            }
            if bits == 0 {
                break;
            }
        }
    }

    /// Writes the bytes of `block`, at most 64, to `room`: a triplet for each byte that is `asked` for.
    /// Returns how many bytes are written. What is in `room` past them means nothing afterwards.
    #[cfg(feature = "alloc")]
    #[cfg_attr(optimized, inline(always))]
    fn triplets(
        self,
        block: &[u8],
        asked: u64,
        room: &mut [MaybeUninit<u8>; triplets::EXPANDED],
    ) -> usize {
        triplets::expand(block, asked, room)
    }

    /// Returns a block with the octets of the `triplets` in the first block of `text`, each where its
    /// triplet begins. The other bytes are zeros.
    #[cfg(feature = "alloc")]
    #[cfg_attr(optimized, inline(always))]
    fn octets(self, _: Self::Block, text: &[u8], triplets: u64) -> Self::Block {
        self.load(&rewrite::octets(text, triplets), 0)
    }

    /// Writes the first block of `text`, with this change and the octets of its triplets, to `room`. Returns
    /// how many bytes are written. What is in `room` past them means nothing afterwards.
    #[cfg(feature = "alloc")]
    #[cfg_attr(optimized, inline(always))]
    fn write(
        self,
        _: Self::Block,
        text: &[u8],
        _: Self::Block,
        change: rewrite::Change,
        room: &mut [MaybeUninit<u8>; BLOCK],
    ) -> usize {
        rewrite::write(text, change, room)
    }

    /// Sets the new offset of each place in `block` or at its end, if the bytes of `stays` are written
    /// from offset `base` on. Other entries of `moved` keep their value.
    #[cfg(feature = "alloc")]
    #[cfg_attr(optimized, inline(always))]
    fn follow<const N: usize>(
        self,
        places: &[u32; N],
        block: Range<usize>,
        stays: u64,
        base: usize,
        moved: &mut [u32; N],
    ) {
        rewrite::follow(places, block, stays, base, moved);
    }
}

/// At most 64 bytes that answer questions with masks. Only what is asked for is computed.
///
/// Invariant: bit `i` of a mask is byte `i` of the block. For a set that holds the byte zero, bits past the
/// end may be set, because bytes there may seem to be zeros; [`find`] cuts its answer at the end.
pub(crate) trait Block: Copy {
    /// The bytes that are members of `set`. All are ASCII, and no bit is set past the end.
    fn ascii(self, set: &AsciiSet) -> u64;

    /// The ASCII bytes that are not members of `set`. Every bit past the end is set.
    #[cfg_attr(optimized, inline(always))]
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
    #[cfg_attr(optimized, inline(always))]
    fn ask(self, query: Query<'_>) -> u64 {
        match query {
            Query::In(set) => self.ascii(set),
            Query::Outside(set) => !self.ascii(set),
            Query::Foreign(set) => self.foreign(set),
            Query::OutsideOrIn(set, other) => !self.ascii(set) | self.ascii(other),
            Query::NonAscii => self.non_ascii(),
        }
    }
}

/// A question to a block, as a value. A closure would be compiled without the instructions of the kernel
/// that calls it, and the kernel's functions would not be inlined into it.
#[derive(Clone, Copy)]
pub(crate) enum Query<'a> {
    /// The members of a set.
    In(&'a AsciiSet),
    /// The bytes that are not members, ASCII or not.
    Outside(&'a AsciiSet),
    /// The ASCII bytes that are not members.
    Foreign(&'a AsciiSet),
    /// The bytes that are not members of the first set, or are members of the second.
    OutsideOrIn(&'a AsciiSet, &'a AsciiSet),
    /// The bytes from 0x80 up.
    NonAscii,
}

/// The mask of the places below `count`; all places if `count` is 64 or more.
#[cfg(feature = "alloc")]
#[cfg_attr(optimized, inline(always))]
pub(crate) const fn below(count: usize) -> u64 {
    if count < BLOCK { !(!0 << count) } else { !0 }
}

/// The mask of the part of `range` that is in the block at offset `at`.
#[cfg(feature = "alloc")]
#[cfg_attr(optimized, inline(always))]
pub(crate) const fn within(range: &Range<usize>, at: usize) -> u64 {
    below(range.end.saturating_sub(at)) & !below(range.start.saturating_sub(at))
}

/// Returns `slice` as arrays of `N` elements, and the elements that are left over, fewer than `N`.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn as_chunks<T, const N: usize>(slice: &[T]) -> (&[[T; N]], &[T]) {
    // The standard library has this from Rust 1.88 on.
    let count = slice.len() / N;
    let (whole, rest) = slice.split_at(count * N);
    // SAFETY: `whole` holds `count` times `N` elements, and an array is as aligned as its elements.
    (unsafe { core::slice::from_raw_parts(whole.as_ptr().cast(), count) }, rest)
}

/// Work that is done inside the kernel of a CPU family, where the instructions of that family inline.
pub(crate) trait Job {
    /// The result of the work.
    type Output;

    /// Does the work. Implementations are `#[cfg_attr(optimized, inline(always))]`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Returns the place of the first byte of `text` at or after `from` that `query` asks for, or the length
/// of the text if there is none.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn find<S: Simd>(simd: S, text: &[u8], from: usize, query: Query<'_>) -> usize {
    if !S::MASKS {
        return words::find(text, from, query);
    }
    let mut at = from;
    while at < text.len() {
        let mask = simd.load(text, at).ask(query);
        if mask != 0 {
            return text.len().min(at + mask.trailing_zeros() as usize);
        }
        at += BLOCK;
    }
    text.len()
}

/// Returns `bytes` as a string if they are UTF-8. Made for one text.
pub(crate) fn utf8(level: CpuLevel, bytes: &[u8]) -> Option<&str> {
    // SAFETY: `IsUtf8` just found that the bytes are UTF-8.
    level.run(IsUtf8(bytes)).then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// Returns `bytes` as a string if they are UTF-8. Made for many texts at once.
pub(crate) fn utf8_whole(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

/// Returns the place of the first member of `set` in `text`, or the length of the text if there is none.
pub(crate) fn position(text: &[u8], set: &AsciiSet) -> usize {
    CpuLevel::best().run(Position { text, set })
}

/// [`position`] as a job.
struct Position<'a> {
    text: &'a [u8],
    set: &'a AsciiSet,
}

impl Job for Position<'_> {
    type Output = usize;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Simd>(self, simd: S) -> usize {
        find(simd, self.text, 0, Query::In(self.set))
    }
}

/// Returns the first place at or after `from` at which the byte `second` follows the byte `first` or
/// begins the text, or the length of the text if there is none. Both bytes are ASCII.
#[cfg(feature = "alloc")]
pub(crate) fn follower(text: &[u8], from: usize, first: u8, second: u8) -> usize {
    CpuLevel::best().run(Follower { text, from, first, second })
}

/// [`follower`] as a job.
#[cfg(feature = "alloc")]
struct Follower<'a> {
    text: &'a [u8],
    from: usize,
    first: u8,
    second: u8,
}

#[cfg(feature = "alloc")]
impl Job for Follower<'_> {
    type Output = usize;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Simd>(self, simd: S) -> usize {
        let Self { text, from, first, second } = self;
        let is_before = |at: usize| at.checked_sub(1).is_none_or(|at| text.get(at) == Some(&first));
        let mut at = from;
        if !S::MASKS {
            while at < text.len() && !(text.get(at) == Some(&second) && is_before(at)) {
                at += 1;
            }
            return at.min(text.len());
        }
        let mut before = u64::from(is_before(at));
        while at < text.len() {
            let block = simd.load(text, at);
            let first = block.ascii(&AsciiSet::just(first));
            let found = (first << 1 | before) & block.ascii(&AsciiSet::just(second));
            if found != 0 {
                return at + found.trailing_zeros() as usize;
            }
            before = first >> (BLOCK - 1);
            at += BLOCK;
        }
        text.len()
    }
}

/// Returns how many bytes at the start of `text` are members of `set` and not of `but`.
pub(crate) fn prefix(text: &[u8], set: &AsciiSet, but: &AsciiSet) -> usize {
    CpuLevel::best().run(Prefix { text, set, but })
}

/// [`prefix`] as a job.
struct Prefix<'a> {
    text: &'a [u8],
    set: &'a AsciiSet,
    but: &'a AsciiSet,
}

impl Job for Prefix<'_> {
    type Output = usize;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Simd>(self, simd: S) -> usize {
        find(simd, self.text, 0, Query::OutsideOrIn(self.set, self.but))
    }
}
