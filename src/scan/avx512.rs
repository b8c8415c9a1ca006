//! The kernel for AVX-512 with VBMI, VBMI2, VPOPCNTDQ and GFNI: a whole block in one register.
//!
//! Here: the instructions. Not here: what the answers mean (`scalar` defines the masks, `rewrite` and
//! `triplets` define what is written).
#![expect(clippy::incompatible_msrv, reason = "left out where the compiler is older than 1.89")]

/*
# Masks

A masked load reads a text of any length and touches no byte past its end. The register then has zeros
there. One permutation (VBMI) looks up the *class* of each byte in a table of 128 bytes: a bit for each
of the sets that are asked for most. A mask of such a set is then one test of that bit. A set without a
class is asked by two shuffles (`members`): the low four bits of a byte select a row of the set, the high
four bits select the bit in it. A set of one byte is a comparison.

    bytes     h  t  t  p  :  /  /  a
    classes   one byte for each, for example with the bit of SCHEME
    SCHEME    1  1  1  1           1

The table has 128 entries, and the permutation ignores the highest bit of a byte. So the class of a byte
from 0x80 up means nothing, and `non_ascii` is taken away from each answer.

# Eight sets at once (`eights`, `by_set`, `transposed`)

Eight blocks and eight sets are 64 masks. The classes of one block are 64 bytes, of which bit `i` says
whether the byte is in set `i`. Seen as 8 matrices of 8 x 8 bits, one for each eight bytes, they are
turned over, and then the bytes of the same set are put side by side:

    classes of bytes 0 to 7     one GFNI product with        byte i: the members of set i
    (byte j: the sets of        the unit matrix              among bytes 0 to 7
    byte j of the block)        --------------------->

GFNI counts the rows of a matrix from the last byte, therefore the shuffle by `REVERSED` before it. The
product with the unit matrix gives the columns. The permutation by `ORDERS.1` collects byte `i` of each of
the 8 groups: number `i` of the register is then the mask of set `i`. Eight blocks give eight such
registers, and `transposed` exchanges rows and columns of these numbers in three rounds of 1, 2 and 4
apart, so that the caller gets for each set the masks of eight blocks in a row.

# Long additions (`add`)

Eight words are added at once, without the carries between them. A word that overflows (`over`) hands 1
to the next word, and a word of ones (`full`) hands on what it gets. Whether it gets something is itself
an addition, of 8 bits:

    word      7 6 5 4 3 2 1 0
    over      . . . . . . . 1          word 0 overflows
    full      . . . . . 1 1 .          words 1 and 2 are ones
    moved     . . . . 1 . . .          (over << 1 | carry) + full
    more      . . . . 1 1 1 .          moved ^ full: the words that get 1

A word cannot be both: the sum of two words that overflows is at most all ones less 1.

# What was tried

Without gain, as throw-away prototypes: a parse that finds all delimiters at once by compressing
stores, and one that writes its offsets by vector stores. With gain: a set of bytes from 0x80 up that
are alike in some bits is asked by a mask and a comparison instead of the shuffles, 66 ns instead of
71 for URI to IRI of multilingual_uri (in benches: cargo run --release --bin transform).
*/

use core::arch::x86_64::{
    __m128i, __m512i, _mm_loadu_si128, _mm512_add_epi32, _mm512_add_epi64, _mm512_and_si512,
    _mm512_broadcast_i32x4, _mm512_castsi512_si128, _mm512_cmpeq_epi8_mask,
    _mm512_cmpeq_epi64_mask, _mm512_cmplt_epu64_mask, _mm512_cvtepu8_epi32,
    _mm512_gf2p8affine_epi64_epi8, _mm512_loadu_si512, _mm512_mask_sub_epi64,
    _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8, _mm512_maskz_mov_epi8,
    _mm512_maskz_permutex2var_epi8, _mm512_movepi8_mask, _mm512_permutex2var_epi8,
    _mm512_permutex2var_epi64, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_set1_epi32,
    _mm512_set1_epi64, _mm512_shuffle_epi8, _mm512_srli_epi16, _mm512_storeu_si512,
    _mm512_test_epi8_mask, _mm512_xor_si512,
};
#[cfg(feature = "alloc")]
use core::arch::x86_64::{
    _mm_maskz_loadu_epi8, _mm256_loadu_si256, _mm256_mask_mov_epi32, _mm256_set_m128i,
    _mm256_storeu_si256, _mm512_andnot_si512, _mm512_castsi128_si512, _mm512_cmpgt_epu8_mask,
    _mm512_cmple_epu64_mask, _mm512_cvtepi64_epi32, _mm512_cvtepu32_epi64, _mm512_mask_add_epi8,
    _mm512_mask_mov_epi8, _mm512_mask_shuffle_epi8, _mm512_maskz_set1_epi8, _mm512_or_si512,
    _mm512_popcnt_epi64, _mm512_slli_epi16, _mm512_sllv_epi64, _mm512_sub_epi64, _pdep_u64,
};

#[cfg(feature = "alloc")]
use core::{mem::MaybeUninit, ops::Range};

#[cfg(feature = "alloc")]
use super::rewrite::{CASE, Change, NINE};
#[cfg(feature = "alloc")]
use super::triplets::{DIGITS, EXPANDED, PERCENT};
use super::{BLOCK, Block, Job, Simd};
use crate::tables::{AsciiSet, CLASSES, Eight, HighSet};

/// The proof that the CPU has GFNI and AVX-512 F, BW, VL, VBMI, VBMI2 and VPOPCNTDQ. Only [`run`] makes
/// one. Every SAFETY comment of this file that says "`self` shows" relies on that.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

/// Runs a job with this kernel.
///
/// # Safety
/// The CPU has the instructions that are enabled here.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) unsafe fn run<J: Job>(job: J) -> J::Output {
    job.run(Avx512(()))
}

impl Simd for Avx512 {
    type Block = Bytes;

    #[cfg_attr(optimized, inline(always))]
    fn load(self, text: &[u8], at: usize) -> Bytes {
        let rest = text.get(at..).unwrap_or_default();
        let there = if rest.len() < BLOCK { !(!0 << rest.len()) } else { !0 };
        // SAFETY: `self` shows that the instructions are there. The load touches the bytes of its
        // mask alone, which are the first 64 of `rest`, or all of them if they are fewer.
        self.block(unsafe { _mm512_maskz_loadu_epi8(there, rest.as_ptr().cast()) })
    }

    #[cfg_attr(optimized, inline(always))]
    fn eights(self, blocks: &[[u8; BLOCK]; 8], but: u8, sets: &Eight) -> [[u64; 8]; 8] {
        let [a, b, c, d, e, f, g, h] = blocks;
        let row = |bytes: &[u8; BLOCK]| self.load(bytes, 0).without(but).by_set(sets);
        transposed([row(a), row(b), row(c), row(d), row(e), row(f), row(g), row(h)], self)
    }

    #[cfg_attr(optimized, inline(always))]
    fn add<const N: usize>(self, sum: &mut [u64; N], other: &[u64; N]) {
        let mut carry = 0;
        for (sum, other) in sum.as_chunks_mut::<8>().0.iter_mut().zip(other.as_chunks::<8>().0) {
            // SAFETY: `self` shows that the instructions are there; the loads and the store are of
            // 8 numbers.
            unsafe {
                let other = _mm512_loadu_si512(other.as_ptr().cast());
                let words = _mm512_add_epi64(_mm512_loadu_si512(sum.as_ptr().cast()), other);
                let over = _mm512_cmplt_epu64_mask(words, other);
                // A word of ones hands on the carry of the word below. Adding the mask of these words to
                // the mask of the carries finds all words that get 1, as the head of this file shows.
                let ones = _mm512_set1_epi64(-1);
                let full = u32::from(_mm512_cmpeq_epi64_mask(words, ones));
                let moved = (u32::from(over) << 1 | carry) + full;
                let more = (moved ^ full) as u8;
                carry = moved >> 8;
                let words = _mm512_mask_sub_epi64(words, more, words, ones);
                _mm512_storeu_si512(sum.as_mut_ptr().cast(), words);
            }
        }
    }

    #[cfg_attr(optimized, inline(always))]
    fn put(self, mask: u64, at: u32, places: &mut [u32; BLOCK]) {
        // SAFETY: `self` shows that the instructions are there; each store is of 16 places.
        unsafe {
            // Compress the numbers 0 to 63 by the mask, widen them to 32 bits, and add `at`. The first 16
            // are always written, and the others only if there are more.
            let all = _mm512_loadu_si512(ORDERS.0.as_ptr().cast());
            let ones = _mm512_maskz_compress_epi8(mask, all);
            let at = _mm512_set1_epi32(at.cast_signed());
            let [first, rest @ ..] = places.as_chunks_mut::<16>().0 else { return };
            let quarter = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(ones));
            _mm512_storeu_si512(first.as_mut_ptr().cast(), _mm512_add_epi32(quarter, at));
            if mask.count_ones() > 16 {
                let quarters = core::mem::transmute::<__m512i, [__m128i; 4]>(ones);
                for (places, quarter) in rest.iter_mut().zip(quarters.into_iter().skip(1)) {
                    let quarter = _mm512_cvtepu8_epi32(quarter);
                    _mm512_storeu_si512(places.as_mut_ptr().cast(), _mm512_add_epi32(quarter, at));
                }
            }
        }
    }

    #[cfg(feature = "alloc")]
    #[cfg_attr(optimized, inline(always))]
    fn triplets(self, block: &[u8], asked: u64, room: &mut [MaybeUninit<u8>; EXPANDED]) -> usize {
        // Sixteen bytes become 48: each byte becomes itself or a percent sign, and its two digits.
        // The digits of the bytes that are not asked for are then left out by a compression.
        // `FIRST` has the first of each three bytes.
        const FIRST: u64 = 0x2492_4924_9249;
        let mut end = 0;
        for (bytes, at) in block.chunks(16).zip((0..).step_by(16)) {
            let asked = asked >> at & 0xFFFF;
            // SAFETY: `self` shows that the instructions are there. The first load touches the bytes of
            // its mask alone, which are those of `bytes`; the others are of 64 and 16 bytes. Each store
            // is of 64 bytes, and begins at most 48 bytes after the one before: the last of four ends
            // at the latest where the room does.
            unsafe {
                debug_assert!(end + BLOCK <= EXPANDED);
                let there = u16::MAX >> (16 - bytes.len());
                let bytes = _mm_maskz_loadu_epi8(there, bytes.as_ptr().cast());
                // Each byte three times.
                let thrice = _mm512_loadu_si512(THRICE.as_ptr().cast());
                let all = _mm512_permutexvar_epi8(thrice, _mm512_castsi128_si512(bytes));
                // The second byte of each three becomes its high digit, the third its low digit, and the
                // first a percent sign where a triplet is asked for.
                let firsts = _pdep_u64(asked, FIRST);
                let digits = _mm512_broadcast_i32x4(_mm_loadu_si128(DIGITS.as_ptr().cast()));
                let halves = _mm512_mask_mov_epi8(all, FIRST << 1, _mm512_srli_epi16::<4>(all));
                let nibbles = _mm512_and_si512(halves, _mm512_set1_epi8(15));
                let percent = _mm512_set1_epi8(PERCENT.cast_signed());
                let all = _mm512_mask_mov_epi8(all, firsts, percent);
                let all = _mm512_mask_shuffle_epi8(all, !FIRST, digits, nibbles);
                // All first bytes are kept, and the digits of triplets.
                let kept = _pdep_u64(u64::from(there), FIRST) | firsts << 1 | firsts << 2;
                let kept_bytes = _mm512_maskz_compress_epi8(kept, all);
                _mm512_storeu_si512(room.as_mut_ptr().add(end).cast(), kept_bytes);
                end += kept.count_ones() as usize;
            }
        }
        end
    }

    #[cfg(feature = "alloc")]
    #[cfg_attr(optimized, inline(always))]
    fn octets(self, block: Bytes, _: &[u8], triplets: u64) -> Bytes {
        // SAFETY: `self` shows that the instructions are there. The loads are of 64 bytes.
        unsafe {
            // The value of each byte as if it were a digit: its low four bits, and 9 more for a letter.
            // The values of the two bytes after a percent sign make an octet. The shift moves two bytes
            // together, and what it moves out of the byte before a triplet is nothing: that byte has the
            // value of the percent sign, which is 5.
            let nine = _mm512_set1_epi8(NINE.cast_signed());
            let is_letter = _mm512_cmpgt_epu8_mask(block.bytes, nine);
            let values = _mm512_and_si512(block.bytes, _mm512_set1_epi8(15));
            let values = _mm512_mask_add_epi8(values, is_letter, values, _mm512_set1_epi8(9));
            let [first, second] = &NEXT;
            let first = _mm512_loadu_si512(first.as_ptr().cast());
            let second = _mm512_loadu_si512(second.as_ptr().cast());
            let first = _mm512_permutexvar_epi8(first, values);
            let second = _mm512_permutexvar_epi8(second, values);
            let octets = _mm512_or_si512(_mm512_slli_epi16::<4>(first), second);
            self.block(_mm512_maskz_mov_epi8(triplets, octets))
        }
    }

    #[cfg(feature = "alloc")]
    #[cfg_attr(optimized, inline(always))]
    fn write(
        self,
        block: Bytes,
        _: &[u8],
        octets: Bytes,
        change: Change,
        room: &mut [MaybeUninit<u8>; BLOCK],
    ) -> usize {
        // SAFETY: `self` shows that the instructions are there. The store is of 64 bytes.
        unsafe {
            // Octets in place of the percent signs of decoded triplets, then the other case of letters,
            // then the bytes that stay side by side.
            let bytes = _mm512_mask_mov_epi8(block.bytes, change.done, octets.bytes);
            let case = _mm512_maskz_set1_epi8(change.case, CASE.cast_signed());
            let bytes = _mm512_xor_si512(bytes, case);
            let kept = _mm512_maskz_compress_epi8(change.stays, bytes);
            _mm512_storeu_si512(room.as_mut_ptr().cast(), kept);
        }
        change.stays.count_ones() as usize
    }

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
        let (places, rest) = places.as_chunks::<8>();
        let (moved, moved_rest) = moved.as_chunks_mut::<8>();
        for (places, moved) in places.iter().zip(moved) {
            // SAFETY: `self` shows that the instructions are there. The loads and the store are of 8
            // places. Those of `places` are two loads of 16 bytes: the places may just have been stored in
            // parts of that size, and one larger load would wait for these stores.
            unsafe {
                // Eight places as numbers of 64 bits, relative to the block. A place before the block
                // wraps around to a large number, so that one comparison finds those in the block.
                let first = _mm_loadu_si128(places.as_ptr().cast());
                let second = _mm_loadu_si128(places.as_ptr().add(4).cast());
                let places = _mm512_cvtepu32_epi64(_mm256_set_m128i(second, first));
                let start = _mm512_set1_epi64((block.start as u64).cast_signed());
                let before = _mm512_sub_epi64(places, start);
                let length = _mm512_set1_epi64((block.len() as u64).cast_signed());
                let is_here = _mm512_cmple_epu64_mask(before, length);
                // The new offset is the number of bytes that stay before the place, and the base.
                let above = _mm512_sllv_epi64(_mm512_set1_epi64(-1), before);
                let stays = _mm512_set1_epi64(stays.cast_signed());
                let ones = _mm512_popcnt_epi64(_mm512_andnot_si512(above, stays));
                let base = _mm512_set1_epi64((base as u64).cast_signed());
                let here = _mm512_cvtepi64_epi32(_mm512_add_epi64(ones, base));
                let others = _mm256_loadu_si256(moved.as_ptr().cast());
                let all = _mm256_mask_mov_epi32(others, is_here, here);
                _mm256_storeu_si256(moved.as_mut_ptr().cast(), all);
            }
        }
        super::rewrite::follow(rest, block, stays, base, moved_rest);
    }
}

impl Avx512 {
    /// The block of these bytes: looks up their classes.
    #[cfg_attr(optimized, inline(always))]
    fn block(self, bytes: __m512i) -> Bytes {
        // SAFETY: `self` shows that the instructions are there. The loads are of 64 bytes, of the first
        // 128 of the classes.
        unsafe {
            let low = _mm512_loadu_si512(CLASSES.as_ptr().cast());
            let high = _mm512_loadu_si512(CLASSES.as_ptr().add(BLOCK).cast());
            let classes = _mm512_permutex2var_epi8(low, bytes, high);
            Bytes { bytes, classes, non_ascii: _mm512_movepi8_mask(bytes) }
        }
    }
}

/// For each place of a block the next one, and the one after that. The entries of the last places are
/// not used: no triplet begins there.
#[cfg(feature = "alloc")]
const NEXT: [[u8; BLOCK]; 2] = {
    let mut places = [[0; BLOCK]; 2];
    let [mut first, mut second]: [&mut [u8]; 2] = {
        let [first, second] = &mut places;
        [first, second]
    };
    let mut i = 0;
    while let ([one, first_tail @ ..], [two, second_tail @ ..]) = (first, second) {
        (*one, *two) = (i + 1, i + 2);
        (first, second) = (first_tail, second_tail);
        i += 1;
    }
    places
};

/// The places 0, 0, 0, 1, 1, 1 and so on: each byte three times.
#[cfg(feature = "alloc")]
const THRICE: [u8; BLOCK] = {
    let mut places = [0; BLOCK];
    let (mut rest, mut i): (&mut [u8], u8) = (&mut places, 0);
    while let [place, tail @ ..] = rest {
        *place = i / 3;
        (rest, i) = (tail, i + 1);
    }
    places
};

/// A block. Invariants:
/// - `bytes` are zeros past the end of the text, and zero has no class;
/// - `classes` are those of the bytes below 0x80; for other bytes they mean nothing;
/// - `non_ascii` has the bytes from 0x80 up.
#[derive(Clone, Copy)]
pub(super) struct Bytes {
    bytes: __m512i,
    classes: __m512i,
    non_ascii: u64,
}

/// A table of 16 bytes in each quarter of a register.
#[cfg_attr(optimized, inline(always))]
fn table(bytes: &[u8; 16], _: Bytes) -> __m512i {
    // SAFETY: a block shows that the instructions are there; the load is of 16 bytes.
    unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

/// The bytes of `bytes` below 0x80 that are members of a set, given as 16 rows by the low four bits of a
/// byte. For a byte from 0x80 up, no bit is tested.
#[cfg_attr(optimized, inline(always))]
fn members(nibbles: &[u8; 16], bytes: __m512i, block: Bytes) -> u64 {
    const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
    // SAFETY: a block shows that the instructions are there.
    unsafe {
        let high = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), _mm512_set1_epi8(15));
        let bit = _mm512_shuffle_epi8(table(&BITS, block), high);
        _mm512_test_epi8_mask(_mm512_shuffle_epi8(table(nibbles, block), bytes), bit)
    }
}

/// The bytes of `block` that equal `byte`.
#[cfg_attr(optimized, inline(always))]
fn same(byte: u8, block: Bytes) -> u64 {
    // SAFETY: a block shows that the instructions are there.
    unsafe { _mm512_cmpeq_epi8_mask(block.bytes, _mm512_set1_epi8(byte as i8)) }
}

impl Bytes {
    /// The members of a set that has a class. The answer may have bytes from 0x80 up.
    #[cfg_attr(optimized, inline(always))]
    fn classed(self, set: &AsciiSet) -> u64 {
        // SAFETY: a block shows that the instructions are there.
        unsafe { _mm512_test_epi8_mask(self.classes, _mm512_set1_epi8(set.class.cast_signed())) }
    }

    /// The members of eight sets in this block, one number for each set.
    #[cfg_attr(optimized, inline(always))]
    fn by_set(self, sets: &Eight) -> __m512i {
        // In each eight bytes, rows of bits become columns: the product with the unit matrix. Then the
        // bytes of the same set come together.
        const REVERSED: [u8; 16] = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];
        const DIAGONAL: u64 = 0x8040_2010_0804_0201;
        // SAFETY: a block shows that the instructions are there; the loads are of 64 bytes.
        unsafe {
            let low = _mm512_loadu_si512(sets.classes.as_ptr().cast());
            let high = _mm512_loadu_si512(sets.classes.as_ptr().add(BLOCK).cast());
            let classes = _mm512_maskz_permutex2var_epi8(!self.non_ascii, low, self.bytes, high);
            let classes = _mm512_shuffle_epi8(classes, table(&REVERSED, self));
            let diagonal = _mm512_set1_epi64(DIAGONAL.cast_signed());
            let columns = _mm512_gf2p8affine_epi64_epi8::<0>(diagonal, classes);
            _mm512_permutexvar_epi8(_mm512_loadu_si512(ORDERS.1.as_ptr().cast()), columns)
        }
    }
}

/// The places of a block in order; and the places 0, 8, 16 and so on, 1, 9, 17 and so on: rows of eight
/// instead of columns.
const ORDERS: ([u8; BLOCK], [u8; BLOCK]) = {
    let mut orders = ([0; BLOCK], [0; BLOCK]);
    let (mut rest, mut others): (&mut [u8], &mut [u8]) = (&mut orders.0, &mut orders.1);
    let mut i = 0;
    while let ([place, tail @ ..], [other, others_tail @ ..]) = (rest, others) {
        (*place, *other) = (i, i % 8 * 8 + i / 8);
        (rest, others) = (tail, others_tail);
        i += 1;
    }
    orders
};

/// For two rows that are 1, 2 or 4 apart: which of their 16 numbers the first row and the second row
/// get, so that the numbers off the diagonal change places. Numbers from 8 up are of the second row.
const APART: [[[u64; 8]; 2]; 3] = [
    [[0, 8, 2, 10, 4, 12, 6, 14], [1, 9, 3, 11, 5, 13, 7, 15]],
    [[0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]],
    [[0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]],
];

/// Transposes 8 rows of 8 numbers: number `i` of row `j` becomes number `j` of row `i`.
#[cfg_attr(optimized, inline(always))]
fn transposed(rows: [__m512i; 8], _: Avx512) -> [[u64; 8]; 8] {
    // SAFETY: a kernel shows that the instructions are there; the loads are of 8 numbers, and the
    // result is as large as the rows.
    unsafe {
        let pair = |a, b, order: &[[u64; 8]; 2]| {
            let [low, high] =
                order.each_ref().map(|order| _mm512_loadu_si512(order.as_ptr().cast()));
            [_mm512_permutex2var_epi64(a, low, b), _mm512_permutex2var_epi64(a, high, b)]
        };
        let [one, two, four] = &APART;
        let [a, b, c, d, e, f, g, h] = rows;
        let ([a, b], [c, d], [e, f], [g, h]) =
            (pair(a, b, one), pair(c, d, one), pair(e, f, one), pair(g, h, one));
        let ([a, c], [b, d], [e, g], [f, h]) =
            (pair(a, c, two), pair(b, d, two), pair(e, g, two), pair(f, h, two));
        let ([a, e], [b, f], [c, g], [d, h]) =
            (pair(a, e, four), pair(b, f, four), pair(c, g, four), pair(d, h, four));
        core::mem::transmute::<[__m512i; 8], [[u64; 8]; 8]>([a, b, c, d, e, f, g, h])
    }
}

impl Block for Bytes {
    #[cfg_attr(optimized, inline(always))]
    fn ascii(self, set: &AsciiSet) -> u64 {
        if let Some(byte) = set.only {
            same(byte, self)
        } else if set.class != 0 {
            self.classed(set) & !self.non_ascii
        } else {
            members(&set.nibbles, self.bytes, self)
        }
    }

    #[cfg_attr(optimized, inline(always))]
    fn foreign(self, set: &AsciiSet) -> u64 {
        let inside = if set.class != 0 { self.classed(set) } else { self.ascii(set) };
        !(inside | self.non_ascii)
    }

    #[cfg_attr(optimized, inline(always))]
    fn high(self, set: &HighSet) -> u64 {
        if let Some((mask, value)) = set.alike {
            // SAFETY: a block shows that the instructions are there.
            return unsafe {
                let bits = _mm512_and_si512(self.bytes, _mm512_set1_epi8(mask as i8));
                _mm512_cmpeq_epi8_mask(bits, _mm512_set1_epi8(value.cast_signed()))
            };
        }
        // SAFETY: a block shows that the instructions are there.
        let flipped = unsafe { _mm512_xor_si512(self.bytes, _mm512_set1_epi8(i8::MIN)) };
        members(&set.nibbles, flipped, self)
    }

    #[cfg_attr(optimized, inline(always))]
    fn non_ascii(self) -> u64 {
        self.non_ascii
    }

    #[cfg_attr(optimized, inline(always))]
    fn without(self, byte: u8) -> Self {
        let others = !same(byte, self);
        // SAFETY: a block shows that the instructions are there.
        unsafe {
            let bytes = _mm512_maskz_mov_epi8(others, self.bytes);
            let classes = _mm512_maskz_mov_epi8(others, self.classes);
            Self { bytes, classes, ..self }
        }
    }
}
