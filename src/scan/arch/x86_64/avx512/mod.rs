//! The kernel for AVX-512 with VBMI, VBMI2, VPOPCNTDQ and GFNI: a whole block in one register.
//!
//! Here: the instructions. Not here: what the answers mean (`scalar` defines the masks, `ops::rewrite` and
//! `ops::encode` define the written bytes).
#![expect(clippy::incompatible_msrv, reason = "left out where the compiler is older than 1.89")]

/*
# Masks

A masked load reads a text of any length and does not touch a byte past its end. The register has zeros past
the end. One permutation (VBMI) looks up the *class* of each byte in a table of 128 bytes. A class has a bit
for each of the sets that are asked for most. A mask of such a set is then one test of its bit. A set without a
class is asked by two shuffles (`members`): the low four bits of a byte select a row of the set, and the high
four bits select the bit in the row. A set of one byte is a comparison.

    bytes     h  t  t  p  :  /  /  a
    classes   one byte for each, for example with the bit of SCHEME
    SCHEME    1  1  1  1           1

The table has 128 entries, and the permutation ignores the highest bit of a byte. So the class of a byte
from 0x80 up has no meaning, and `non_ascii` is removed from each answer.

# Eight sets at once (`members`, `columns`, `transposed`)

Eight blocks and eight sets are 64 masks. The classes of one block are 64 bytes. Bit `i` of a class says
whether the byte is in set `i`. The classes are seen as 8 matrices of 8 x 8 bits, one for each eight bytes. The
matrices are transposed, and then the bytes of the same set are put side by side:

    classes of bytes 0 to 7     one GFNI product with        byte i: the members of set i
    (byte j: the sets of        the unit matrix              among bytes 0 to 7
    byte j of the block)        --------------------->

GFNI counts the rows of a matrix from the last byte, so the shuffle by `REVERSED` comes first. The product
with the unit matrix gives the columns. The permutation by `ORDERS.1` collects byte `i` of each of the 8 groups:
number `i` of the register is then the mask of set `i`. Eight blocks give eight such registers. `transposed`
exchanges the rows and the columns of their numbers in three rounds, with rows that are 1, 2 and 4 apart. So
the caller gets, for each set, the masks of eight blocks in a row.

Set 1 is a part of set 0, and sets 2 and 3 have no byte in common. So two classes do not occur: in set 1 and not in
set 0, and in both of sets 2 and 3. The separator gets the first class, and bytes from 0x80 up get the second class.
`members` reads both classes as two more sets, and removes them from sets 1, 2 and 3.
*/

use core::arch::x86_64::{
    __m128i, __m512i, _mm_loadu_si128, _mm256_add_epi32, _mm256_cvtepu8_epi32, _mm256_set1_epi32,
    _mm256_storeu_si256, _mm512_add_epi32, _mm512_and_si512, _mm512_broadcast_i32x4,
    _mm512_castsi512_si128, _mm512_cmpeq_epi8_mask, _mm512_cvtepu8_epi32,
    _mm512_gf2p8affine_epi64_epi8, _mm512_loadu_si512, _mm512_mask_mov_epi8,
    _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8, _mm512_maskz_mov_epi8,
    _mm512_movepi8_mask, _mm512_permutex2var_epi8, _mm512_permutex2var_epi64,
    _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_set1_epi32, _mm512_set1_epi64,
    _mm512_shuffle_epi8, _mm512_srli_epi16, _mm512_storeu_si512, _mm512_test_epi8_mask,
    _mm512_xor_si512,
};

mod long;
mod rewrite;

use crate::scan::ops::long::{GROUP, Long, Members};
use crate::scan::ops::{BLOCK, Block, Simd};
use crate::tables::{AsciiSet, CLASSES, Eight, HighSet};
use long::Wide;

/// The proof that the CPU has GFNI and AVX-512 F, BW, VL, VBMI, VBMI2 and VPOPCNTDQ. Outside this file, only `level`
/// makes it, for a [`CpuLevel`](crate::parser::CpuLevel). Every SAFETY comment of this file that says "`self` shows" relies on
/// this proof.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// Makes the proof.
    ///
    /// # Safety
    /// The CPU has the instructions of this kernel.
    pub(crate) const unsafe fn new() -> Self {
        Self(())
    }
}

impl Simd for Avx512 {
    type Block = WideBlock;

    #[inline(always)]
    fn load(self, text: &[u8], at: usize) -> WideBlock {
        let rest = text.get(at..).unwrap_or_default();
        let there = if rest.len() < BLOCK { !(!0 << rest.len()) } else { !0 };
        // SAFETY: `self` shows that the instructions are there. The load touches the bytes of its
        // mask alone, which are the first 64 of `rest`, or all of them if they are fewer.
        self.block(unsafe { _mm512_maskz_loadu_epi8(there, rest.as_ptr().cast()) })
    }
}

impl Avx512 {
    /// The block of these bytes: looks up their classes.
    #[inline(always)]
    pub(in crate::scan) fn block(self, bytes: __m512i) -> WideBlock {
        // SAFETY: `self` shows that the instructions are there. The loads are of 64 bytes, of the first
        // 128 of the classes.
        unsafe {
            let low = _mm512_loadu_si512(CLASSES.as_ptr().cast());
            let high = _mm512_loadu_si512(CLASSES.as_ptr().add(BLOCK).cast());
            let classes = _mm512_permutex2var_epi8(low, bytes, high);
            WideBlock { bytes, classes, non_ascii: _mm512_movepi8_mask(bytes) }
        }
    }
}

impl Long for Avx512 {
    type Words = Wide;

    #[inline(always)]
    fn words(self, masks: &[u64; GROUP]) -> Wide {
        // SAFETY: `self` shows that the instructions are there; the load is of 8 masks.
        Wide(unsafe { _mm512_loadu_si512(masks.as_ptr().cast()) })
    }

    #[inline(always)]
    fn members(self, blocks: &[[u8; BLOCK]; GROUP], separator: u8, sets: &Eight) -> Members<Wide> {
        let [a, b, c, d, e, f, g, h] = blocks;
        // SAFETY: `self` shows that the instructions are there; the loads are of 64 bytes, of the first 128 of the
        // classes.
        let classes = unsafe {
            let low = _mm512_loadu_si512(sets.classes.as_ptr().cast());
            let high = _mm512_loadu_si512(sets.classes.as_ptr().add(BLOCK).cast());
            let [here, there] = bytemuck::cast::<u128, [u64; 2]>(1 << (separator & 127));
            let class = _mm512_set1_epi8(Eight::SEPARATOR.cast_signed());
            [_mm512_mask_mov_epi8(low, here, class), _mm512_mask_mov_epi8(high, there, class)]
        };
        let row = |bytes: &[u8; BLOCK]| self.columns(bytes, &classes);
        let rows =
            transposed([row(a), row(b), row(c), row(d), row(e), row(f), row(g), row(h)], self);
        let [zero, one, two, three, four, five, six, seven] = rows;
        let (zero, one, two, three) = (Wide(zero), Wide(one), Wide(two), Wide(three));
        let (four, five, six, seven) = (Wide(four), Wide(five), Wide(six), Wide(seven));
        let (separators, non_ascii) = (one & !zero, two & three);
        let of = [zero, one & zero, two & !three, three & !two, four, five, six, seven];
        Members { of, separators, non_ascii }
    }

    #[inline(always)]
    fn put(self, mask: u64, at: u32, places: &mut [u32; BLOCK]) {
        // SAFETY: `self` shows that the instructions are there; the stores are of 8 and of 16 places.
        unsafe {
            // Compress the numbers 0 to 63 by the mask, widen them to 32 bits, and add `at`. The first 8 numbers are
            // always written. All of them are written only if the mask has more than 8 bits.
            let all = _mm512_loadu_si512(ORDERS.0.as_ptr().cast());
            let ones = _mm512_maskz_compress_epi8(mask, all);
            let [first, ..] = places.as_chunks_mut::<8>().0 else { return };
            let eight = _mm256_cvtepu8_epi32(_mm512_castsi512_si128(ones));
            let eight = _mm256_add_epi32(eight, _mm256_set1_epi32(at.cast_signed()));
            _mm256_storeu_si256(first.as_mut_ptr().cast(), eight);
            if mask.count_ones() > 8 {
                let quarters = core::mem::transmute::<__m512i, [__m128i; 4]>(ones);
                for (places, quarter) in places.as_chunks_mut::<16>().0.iter_mut().zip(quarters) {
                    let quarter = _mm512_cvtepu8_epi32(quarter);
                    let quarter = _mm512_add_epi32(quarter, _mm512_set1_epi32(at.cast_signed()));
                    _mm512_storeu_si512(places.as_mut_ptr().cast(), quarter);
                }
            }
        }
    }
}

/// A block. Invariants:
/// - `bytes` are zeros past the end of the text, and zero has no class;
/// - `classes` are the classes of the bytes below 0x80; for other bytes they have no meaning;
/// - `non_ascii` has the bytes from 0x80 up.
#[derive(Clone, Copy)]
pub(crate) struct WideBlock {
    pub(in crate::scan) bytes: __m512i,
    classes: __m512i,
    non_ascii: u64,
}

/// A table of 16 bytes in each quarter of a register.
#[inline(always)]
fn table(bytes: &[u8; 16], _: WideBlock) -> __m512i {
    // SAFETY: a block shows that the instructions are there; the load is of 16 bytes.
    unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

/// The bytes of `bytes` below 0x80 that are members of a set, given as 16 rows by the low four bits of a
/// byte. For a byte from 0x80 up, no bit is tested.
#[inline(always)]
fn members(nibbles: &[u8; 16], bytes: __m512i, block: WideBlock) -> u64 {
    const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
    // SAFETY: a block shows that the instructions are there.
    unsafe {
        let high = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), _mm512_set1_epi8(15));
        let bit = _mm512_shuffle_epi8(table(&BITS, block), high);
        _mm512_test_epi8_mask(_mm512_shuffle_epi8(table(nibbles, block), bytes), bit)
    }
}

/// The bytes of `block` that equal `byte`.
#[inline(always)]
fn same(byte: u8, block: WideBlock) -> u64 {
    // SAFETY: a block shows that the instructions are there.
    unsafe { _mm512_cmpeq_epi8_mask(block.bytes, _mm512_set1_epi8(byte as i8)) }
}

impl WideBlock {
    /// The members of a set that has a class. The answer may have bytes from 0x80 up.
    #[inline(always)]
    fn classed(self, set: &AsciiSet) -> u64 {
        // SAFETY: a block shows that the instructions are there.
        unsafe { _mm512_test_epi8_mask(self.classes, _mm512_set1_epi8(set.class.cast_signed())) }
    }
}

impl Avx512 {
    /// The members of eight sets in a block, one number for each set, given a class for each ASCII byte.
    #[inline(always)]
    fn columns(self, bytes: &[u8; BLOCK], [low, high]: &[__m512i; 2]) -> __m512i {
        // In each eight bytes, rows of bits become columns: the product with the unit matrix. Then the
        // bytes of the same set come together.
        const REVERSED: [u8; 16] = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];
        const DIAGONAL: u64 = 0x8040_2010_0804_0201;
        // SAFETY: `self` shows that the instructions are there; the loads are of 64 bytes.
        unsafe {
            let bytes = _mm512_loadu_si512(bytes.as_ptr().cast());
            let classes = _mm512_permutex2var_epi8(*low, bytes, *high);
            let other = _mm512_set1_epi8(Eight::NON_ASCII.cast_signed());
            let classes = _mm512_mask_mov_epi8(classes, _mm512_movepi8_mask(bytes), other);
            let reversed = _mm512_broadcast_i32x4(_mm_loadu_si128(REVERSED.as_ptr().cast()));
            let classes = _mm512_shuffle_epi8(classes, reversed);
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
#[inline(always)]
fn transposed(rows: [__m512i; 8], _: Avx512) -> [__m512i; 8] {
    // SAFETY: a kernel shows that the instructions are there; the loads are of 8 numbers.
    unsafe {
        let pair = |a, b, order: &[[u64; 8]; 2]| {
            let [low, high] = order;
            let low = _mm512_loadu_si512(low.as_ptr().cast());
            let high = _mm512_loadu_si512(high.as_ptr().cast());
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
        [a, b, c, d, e, f, g, h]
    }
}

impl Block for WideBlock {
    #[inline(always)]
    fn ascii(self, set: &AsciiSet) -> u64 {
        if let Some(byte) = set.only {
            same(byte, self)
        } else if set.class != 0 {
            self.classed(set) & !self.non_ascii
        } else {
            members(&set.nibbles, self.bytes, self)
        }
    }

    #[inline(always)]
    fn foreign(self, set: &AsciiSet) -> u64 {
        let inside = if set.class != 0 { self.classed(set) } else { self.ascii(set) };
        !(inside | self.non_ascii)
    }

    #[inline(always)]
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

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        self.non_ascii
    }

    #[inline(always)]
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
