//! Bytes → masks: which bytes of a block of 64 belong to a set, one bit a byte.
//!
//! Here: what a kernel must offer ([`Simd`], [`Block`]), the code that walks a text block by block
//! ([`find`]) or, without SIMD, byte by byte (`words`), one kernel for each CPU family, the choice among them ([`CpuLevel`]) and
//! the walk over a generated automaton ([`dfa`]). Not here: anything about IRIs. A kernel knows
//! bytes and the sets that it is handed.
//!
//! ```text
//! bytes   h  t  t  p  :  /  /  a  .  b  /  c
//! SLASH   .  .  .  .  .  1  1  .  .  .  1  .     bit i of a mask is byte i of the block
//! ```
//!
//! `scalar` defines what a mask is; every other kernel equals it.
// The kernels and the dispatch to them are the one place of the library with `unsafe`.
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
mod scalar;
#[cfg(feature = "alloc")]
mod segments;
#[cfg(feature = "alloc")]
mod settle;
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
pub(crate) use settle::{Changes, Decodable, Settle, UPPER, octet, settle};
pub(crate) use slice::slice;
#[cfg(feature = "alloc")]
pub(crate) use triplets::{LOWER_DIGITS, encode, triplet_text};

use crate::tables::{AsciiSet, Eight, HighSet};
use utf8::IsUtf8;

/// How many bytes make a block.
pub(crate) const BLOCK: usize = 64;

/// A CPU family: the proof that its instructions may be used, and how it loads a block.
pub(crate) trait Simd: Copy {
    /// Whether a mask costs less than a walk over the bytes that are asked about.
    const MASKS: bool = true;

    /// Whether the parser is compiled for short texts apart, whose blocks it keeps in registers. Each
    /// form of it is some kilobytes of code.
    const SHORT_FORMS: bool = true;

    /// A block in the registers of this family.
    type Block: Block;

    /// The block that begins at byte `at` of `text`: 64 bytes, or all that are left.
    fn load(self, text: &[u8], at: usize) -> Self::Block;

    /// The members of eight sets in each of eight blocks, by set and then by block. No byte that is
    /// `but` is one.
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

    /// Adds a number of 64 times `N` bits, a multiple of 8 words, the lowest first.
    #[cfg_attr(optimized, inline(always))]
    fn add<const N: usize>(self, sum: &mut [u64; N], other: &[u64; N]) {
        let mut carry = false;
        for (sum, other) in sum.iter_mut().zip(other) {
            let (word, over) = sum.overflowing_add(*other);
            let (word, more) = word.overflowing_add(u64::from(carry));
            (*sum, carry) = (word, over | more);
        }
    }

    /// Puts down the place of each one of a mask, `at` added to it. What is in `places` past them
    /// means nothing then.
    #[cfg_attr(optimized, inline(always))]
    fn put(self, mask: u64, at: u32, places: &mut [u32; BLOCK]) {
        let mut bits = mask;
        // Always two, whether they are there or not: how many there are is hard to predict.
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

    /// Writes at most 64 bytes, a triplet for each that is asked for, and says how many were
    /// written. What is in `room` past them means nothing then.
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

    /// The octets of triplets of the first block of a text, each where its triplet begins, and zeros.
    #[cfg(feature = "alloc")]
    #[cfg_attr(optimized, inline(always))]
    fn octets(self, _: Self::Block, text: &[u8], triplets: u64) -> Self::Block {
        self.load(&settle::octets(text, triplets), 0)
    }

    /// Writes what becomes of the first block of a text, with these octets, and says how many bytes were
    /// written. What is in `room` past them means nothing then.
    #[cfg(feature = "alloc")]
    #[cfg_attr(optimized, inline(always))]
    fn write(
        self,
        _: Self::Block,
        text: &[u8],
        _: Self::Block,
        change: settle::Change,
        room: &mut [MaybeUninit<u8>; BLOCK],
    ) -> usize {
        settle::write(text, change, room)
    }

    /// For each place in a block of a text, at its end too, what it becomes if this of the block stays and is
    /// written at `base`.
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
        settle::follow(places, block, stays, base, moved);
    }
}

/// At most 64 bytes, of which masks can be asked. Only what is asked for is computed. To a set that
/// holds the byte zero, the bytes past the end may seem to be zeros; [`find`] does not look there.
pub(crate) trait Block: Copy {
    /// The bytes that are members of `set`, ASCII all of them. No bit is set past the end.
    fn ascii(self, set: &AsciiSet) -> u64;

    /// The bytes that are neither members of `set` nor from 0x80 up. Every bit is set past the end.
    #[cfg_attr(optimized, inline(always))]
    fn foreign(self, set: &AsciiSet) -> u64 {
        !(self.ascii(set) | self.non_ascii())
    }

    /// The bytes from 0x80 up that are members of `set`. No bit is set past the end.
    fn high(self, set: &HighSet) -> u64;

    /// The bytes from 0x80 up. No bit is set past the end.
    fn non_ascii(self) -> u64;

    /// The same block with zeros for `byte`, which is ASCII.
    fn without(self, byte: u8) -> Self;

    /// The bytes that `query` asks for. What is set past the end depends on the question.
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

/// A question to a block, as a value: a closure would be compiled without the instructions of the
/// kernel that calls it, and nothing in it would inline.
#[derive(Clone, Copy)]
pub(crate) enum Query<'a> {
    /// The members of a set.
    In(&'a AsciiSet),
    /// What is not a member, ASCII or not.
    Outside(&'a AsciiSet),
    /// What is ASCII and not a member.
    Foreign(&'a AsciiSet),
    /// What is not a member of the first set, or is one of the second.
    OutsideOrIn(&'a AsciiSet, &'a AsciiSet),
    /// What is not ASCII.
    NonAscii,
}

/// A mask of the places below `count`.
#[cfg(feature = "alloc")]
#[cfg_attr(optimized, inline(always))]
pub(crate) const fn below(count: usize) -> u64 {
    if count < BLOCK { !(!0 << count) } else { !0 }
}

/// A mask of what of a range is in the block at `at`.
#[cfg(feature = "alloc")]
#[cfg_attr(optimized, inline(always))]
pub(crate) const fn within(range: &Range<usize>, at: usize) -> u64 {
    below(range.end.saturating_sub(at)) & !below(range.start.saturating_sub(at))
}

/// `slice` as arrays of `N` elements, and the elements that are left over, fewer than `N`.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn as_chunks<T: bytemuck::Pod, const N: usize>(slice: &[T]) -> (&[[T; N]], &[T]) {
    // The standard library has this from Rust 1.88 on.
    let (whole, rest) = slice.split_at(slice.len() - slice.len() % N);
    (bytemuck::cast_slice(whole), rest)
}

/// Work to be done inside the kernel of a CPU family, where its instructions inline.
pub(crate) trait Job {
    /// What the work results in.
    type Output;

    /// Does the work. Implementations are `#[cfg_attr(optimized, inline(always))]`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// The place of the first byte of `text` at or after `from` that `query` asks for; the length of
/// the text if there is none.
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

/// `bytes` as a string if they are UTF-8.
pub(crate) fn utf8(level: CpuLevel, bytes: &[u8]) -> Option<&str> {
    // SAFETY: the bytes are UTF-8, as was just found.
    level.run(IsUtf8(bytes)).then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// `bytes` as a string if they are UTF-8, for many of them at once.
pub(crate) fn utf8_whole(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

/// The place of the first member of `set` in `text`, its length if there is none.
pub(crate) fn position(text: &[u8], set: &AsciiSet) -> usize {
    CpuLevel::best().run(Position { text, set })
}

/// The search.
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

/// The place at or after `from` of a byte that comes first in `text` or right after another one, both
/// ASCII; the length of the text if there is none.
#[cfg(feature = "alloc")]
pub(crate) fn follower(text: &[u8], from: usize, first: u8, second: u8) -> usize {
    CpuLevel::best().run(Follower { text, from, first, second })
}

/// The search.
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

/// How many bytes at the start of `text` are members of `set` and not of `but`.
pub(crate) fn prefix(text: &[u8], set: &AsciiSet, but: &AsciiSet) -> usize {
    CpuLevel::best().run(Prefix { text, set, but })
}

/// The count.
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
