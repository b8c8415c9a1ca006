//! A block as two halves of 32 bytes: the common part of the kernels without masked loads.
//!
//! A text of 8 to 63 bytes is loaded as its first and its last 32, 16 or 8 bytes, which may overlap. So
//! no byte past the end is read, and no copy goes through memory:
//!
//! ```text
//! text   0 . . . . . . . . . 40        41 bytes
//! low    0 . . . . . . 31              the mask of its bytes, from bit 0 on
//! high       9 . . . . . . . 40        the mask of its bytes, from bit 9 on (`shift`)
//! ```
//!
//! Both masks agree about the bytes that overlap, so an `or` joins the masks. Not here: the instructions of a CPU
//! family.
#![deny(unsafe_code)]

mod encode;
mod rewrite;

use crate::scan::ops::long::{self, GROUP, Long, Members, Words};
use crate::scan::ops::{BLOCK, Block, Simd};
use crate::tables::{AsciiSet, Eight, HighSet};

/// A CPU family that loads half blocks. As with [`Simd`], a value is the proof that the CPU has the
/// instructions.
pub trait Halves: Copy {
    /// [`Simd::IS_LARGE`].
    const IS_LARGE: bool = false;

    /// Half a block in the registers of this family.
    type Half: Half;

    /// [`Simd::eight`]. Implementations call [`eight`](crate::scan::ops::eight) and are not inlined: the code of eight
    /// blocks would be tens of kilobytes.
    fn eight(self, block: &[u8; BLOCK], but: u8, sets: &Eight) -> [u64; 8];

    /// [`Long::Words`](crate::scan::ops::long::Long::Words).
    type Words: Words;

    /// [`Long::words`](crate::scan::ops::long::Long::words).
    fn words(self, masks: &[u64; GROUP]) -> Self::Words;

    /// Loads 32 bytes.
    fn load32(self, bytes: &[u8; 32]) -> Self::Half;

    /// Loads 16 bytes, and zeros after them.
    fn load16(self, bytes: &[u8; 16]) -> Self::Half;

    /// Loads 8 bytes, and zeros after them. The first byte is the lowest byte of the number.
    fn load8(self, bytes: u64) -> Self::Half;

    /// Makes thirteen bytes of five `bytes`: each of the first four bytes with its two `digits` after it, and then the
    /// fifth byte. Returns the bytes at `places` among the thirteen bytes. A place from 0x80 up gives a zero. The first
    /// of the five bytes is the lowest byte of the number.
    fn four(self, bytes: u64, digits: &[u8; 16], places: &[u8; 16]) -> [u8; 16];

    /// Returns a byte of ones for each bit that is set, and a zero for each other bit.
    fn spread(self, mask: u32) -> Self::Half;

    /// Returns the bytes at eight `places` below 8. In both numbers, the first byte is the lowest.
    fn pick(self, bytes: u64, places: u64) -> u64;
}

/// For [`Halves::four`]: for each of the thirteen bytes, the place of the byte from which it is made. The fifth byte
/// comes last.
pub(in crate::scan::arch) const THRICE: [u8; 16] =
    [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 0x80, 0x80, 0x80];

/// Which of the thirteen bytes are not digits.
pub(in crate::scan::arch) const WHOLE: [u8; 16] =
    [0xFF, 0, 0, 0xFF, 0, 0, 0xFF, 0, 0, 0xFF, 0, 0, 0xFF, 0, 0, 0];

/// Which of the thirteen bytes are first digits.
pub(in crate::scan::arch) const FIRST: [u8; 16] =
    [0, 0xFF, 0, 0, 0xFF, 0, 0, 0xFF, 0, 0, 0xFF, 0, 0, 0, 0, 0];

/// 32 bytes, or 32 answers to a question about bytes: a byte of ones means yes, a zero means no.
pub(crate) trait Half: Copy {
    /// Which bytes equal `byte`.
    fn same(self, byte: u8) -> Self;

    /// Which bytes below 0x80 are members of a set, given as 16 rows by the low four bits of a byte.
    fn members(self, nibbles: &[u8; 16]) -> Self;

    /// Which bytes are from 0x80 up. Only the highest bit of each answer counts.
    fn non_ascii(self) -> Self;

    /// The bytes with their highest bit inverted.
    fn flipped(self) -> Self;

    /// The bytes, with only the bits that are in `mask`.
    fn masked(self, mask: u8) -> Self;

    /// The bytes, with zeros where `answer` is yes.
    fn without(self, answer: Self) -> Self;

    /// Each byte as if it were a hexadecimal digit: its low four bits, and 9 more for an ASCII byte above `nine`, the
    /// highest digit that is not a letter.
    fn digits(self, nine: u8) -> Self;

    /// Each byte, moved up by four bits and joined with the byte of `low`. All bytes are below 16. A byte from 16 up
    /// changes the next byte, too.
    fn joined(self, low: Self) -> Self;

    /// The bits that are set in both.
    fn both(self, other: Self) -> Self;

    /// The bits in which both differ.
    fn flip(self, other: Self) -> Self;

    /// The bytes of `other` where `answer` is yes, and these bytes elsewhere.
    fn or_else(self, other: Self, answer: Self) -> Self;

    /// The bytes.
    fn bytes(self) -> [u8; 32];

    /// The answers of two halves as masks: one bit for each answer, which is its highest bit.
    fn masks(low: Self, high: Self) -> (u32, u32);
}

/// A block of two halves. Its mask is the mask of `low`, joined with the mask of `high` from bit `shift`
/// on, without the first `skip` bits. HalvesBlock past the end are zeros.
#[derive(Clone, Copy)]
pub struct HalvesBlock<H> {
    low: H,
    high: H,
    shift: usize,
    skip: usize,
}

/// The two halves of a block.
#[inline(always)]
fn halves(block: &[u8; BLOCK]) -> &[[u8; BLOCK / 2]; 2] {
    bytemuck::must_cast_ref(block)
}

impl<K: Halves> Simd for K {
    const IS_LARGE: bool = K::IS_LARGE;
    type Block = HalvesBlock<K::Half>;

    #[inline(always)]
    fn eight(self, bytes: &[u8; BLOCK], but: u8, sets: &Eight) -> [u64; 8] {
        Halves::eight(self, bytes, but, sets)
    }

    #[inline(always)]
    fn load(self, text: &[u8], at: usize) -> Self::Block {
        let rest = text.get(at..).unwrap_or_default();
        let len = rest.len();
        let (low, high, shift, skip) = if let Some(block) = rest.first_chunk() {
            let [low, high] = halves(block);
            (self.load32(low), self.load32(high), 32, 0)
        } else if let (false, Some(block)) = (rest.is_empty(), text.last_chunk()) {
            // The end of a longer text: the whole block that ends with the text, without the bytes before
            // `at`.
            let [low, high] = halves(block);
            (self.load32(low), self.load32(high), 32, BLOCK - len)
        } else if let (Some(first), Some(last)) = (rest.first_chunk(), rest.last_chunk()) {
            (self.load32(first), self.load32(last), len - 32, 0)
        } else if let (Some(first), Some(last)) = (rest.first_chunk(), rest.last_chunk()) {
            (self.load16(first), self.load16(last), len - 16, 0)
        } else if let (Some(first), Some(last)) = (rest.first_chunk(), rest.last_chunk()) {
            let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
            (self.load8(first), self.load8(last), len - 8, 0)
        } else {
            // A text of fewer than 8 bytes. The bytes go into the high half, and the low half is zeros.
            let bytes = rest.iter().rev().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte));
            (self.load8(0), self.load8(bytes), 0, 0)
        };
        HalvesBlock { low, high, shift, skip }
    }
}

impl<H: Half> HalvesBlock<H> {
    /// A whole block of two halves.
    #[inline(always)]
    pub(crate) const fn of(low: H, high: H) -> Self {
        Self { low, high, shift: 32, skip: 0 }
    }

    /// The two halves of a block that is whole.
    #[inline(always)]
    pub(in crate::scan) const fn halves(self) -> (H, H) {
        (self.low, self.high)
    }

    /// Joins the answers of both halves to one mask. If the set holds the byte zero (`zeros`), the answers about the
    /// zeros after the bytes of the low half are removed: at these places, the high half decides.
    #[inline(always)]
    fn mask(self, low: H, high: H, zeros: bool) -> u64 {
        let (low, high) = H::masks(low, high);
        let there = if zeros { !(!0 << self.shift) } else { !0 };
        (u64::from(low) & there | u64::from(high) << self.shift) >> self.skip
    }
}

impl<H: Half> Block for HalvesBlock<H> {
    #[inline(always)]
    fn ascii(self, set: &AsciiSet) -> u64 {
        let (low, high) = match set.only {
            Some(byte) => (self.low.same(byte), self.high.same(byte)),
            None => (self.low.members(&set.nibbles), self.high.members(&set.nibbles)),
        };
        self.mask(low, high, set.bits & 1 != 0)
    }

    #[inline(always)]
    fn high(self, set: &HighSet) -> u64 {
        let (low, high) = match set.alike {
            Some((mask, value)) => {
                (self.low.masked(mask).same(value), self.high.masked(mask).same(value))
            }
            None => {
                let (low, high) = (self.low.flipped(), self.high.flipped());
                (low.members(&set.nibbles), high.members(&set.nibbles))
            }
        };
        self.mask(low, high, false)
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        self.mask(self.low.non_ascii(), self.high.non_ascii(), false)
    }

    #[inline(always)]
    fn without(self, byte: u8) -> Self {
        let (low, high) = (self.low, self.high);
        Self { low: low.without(low.same(byte)), high: high.without(high.same(byte)), ..self }
    }
}

impl<K: Halves> Long for K {
    type Words = K::Words;

    #[inline(always)]
    fn words(self, masks: &[u64; GROUP]) -> K::Words {
        Halves::words(self, masks)
    }

    #[inline(always)]
    fn members(
        self,
        blocks: &[[u8; BLOCK]; GROUP],
        separator: u8,
        sets: &Eight,
    ) -> Members<K::Words> {
        long::members(self, blocks, separator, sets)
    }
}
