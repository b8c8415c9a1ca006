//! Rewriting and percent-encoding with AVX-512: the operations for which the kernel has instructions. `ops::rewrite`
//! and `ops::encode` define the results.
#![expect(clippy::incompatible_msrv, reason = "left out where the compiler is older than 1.89")]

use core::arch::x86_64::{
    __m128i, __m512i, _mm_loadu_si128, _mm256_add_epi32, _mm256_loadu_si256, _mm256_mask_mov_epi32,
    _mm256_set_m128i, _mm256_storeu_si256, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512,
    _mm512_broadcast_i32x4, _mm512_castsi128_si512, _mm512_cmpgt_epu8_mask,
    _mm512_cmple_epu64_mask, _mm512_cvtepi64_epi32, _mm512_cvtepu32_epi64, _mm512_loadu_si512,
    _mm512_mask_add_epi8, _mm512_mask_mov_epi8, _mm512_mask_shuffle_epi8,
    _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8, _mm512_maskz_mov_epi8,
    _mm512_maskz_set1_epi8, _mm512_max_epi64, _mm512_or_si512, _mm512_permutexvar_epi8,
    _mm512_popcnt_epi64, _mm512_set1_epi8, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_slli_epi16, _mm512_sllv_epi64, _mm512_srli_epi16, _mm512_storeu_si512, _mm512_sub_epi64,
    _mm512_xor_si512, _pdep_u64,
};
use core::mem::MaybeUninit;
use core::ops::Range;

use super::{Avx512, WideBlock};
use crate::scan::ops::encode::{AT_ONCE, DIGITS, EXPANDED, EncodeBlocks, PERCENT};
use crate::scan::ops::rewrite::{CASE, Change, NINE, RewriteBlocks, follow};
use crate::scan::ops::{BLOCK, Simd, below};

// SAFETY: each of the four stores of `triplets` begins where the bytes that are kept before it end. It is of 64 bytes,
// of which at most 48 are kept. `copy` stores the first 64 bytes of a text, and 64 bytes that end with it if it is
// longer.
unsafe impl EncodeBlocks for Avx512 {
    #[inline(always)]
    fn triplets(self, block: &[u8], asked: u64, room: &mut [MaybeUninit<u8>; EXPANDED]) -> usize {
        // Sixteen bytes become 48: each byte becomes itself or a percent sign, and its two digits.
        // The digits of the bytes that are not asked for are then left out by a compression.
        // `FIRST` has the first of each three bytes.
        const FIRST: u64 = 0x2492_4924_9249;
        let mut end = 0;
        let there = below(block.len());
        // SAFETY: both types have 64 bytes.
        let quarters =
            unsafe { core::mem::transmute::<__m512i, [__m128i; 4]>(self.load(block, 0).bytes) };
        // Always four times sixteen bytes, because the number of bytes cannot be predicted.
        for (bytes, at) in quarters.into_iter().zip([0, 16, 32, 48]) {
            let (asked, there) = (asked >> at & 0xFFFF, there >> at & 0xFFFF);
            // SAFETY: `self` shows that the instructions are there. The loads are of 64 and 16 bytes. Each store is of
            // 64 bytes, and begins at most 48 bytes after the one before: the last of four ends at the latest where the
            // room does.
            unsafe {
                debug_assert!(end + BLOCK <= EXPANDED);
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
                let kept = _pdep_u64(there, FIRST) | firsts << 1 | firsts << 2;
                let kept_bytes = _mm512_maskz_compress_epi8(kept, all);
                _mm512_storeu_si512(room.as_mut_ptr().add(end).cast(), kept_bytes);
                end += kept.count_ones() as usize;
            }
        }
        end
    }

    #[inline(always)]
    fn shifted(self, mut moved: [u32; 8], places: &[u32; 8], at: usize, asked: u64) -> [u32; 8] {
        // SAFETY: `self` shows that the instructions are there; the loads and the store are of 8 offsets. Those of
        // `places` are two loads of 16 bytes, as in `follow`.
        unsafe {
            let first = _mm_loadu_si128(places.as_ptr().cast());
            let second = _mm_loadu_si128(places.as_ptr().add(4).cast());
            let places = _mm512_cvtepu32_epi64(_mm256_set_m128i(second, first));
            // How many bytes of the block lie before a place; a shift by 64 or more leaves no bit.
            let inside = _mm512_sub_epi64(places, _mm512_set1_epi64((at as u64).cast_signed()));
            let inside = _mm512_max_epi64(inside, _mm512_setzero_si512());
            let after = _mm512_sllv_epi64(_mm512_set1_epi64(-1), inside);
            let before = _mm512_andnot_si512(after, _mm512_set1_epi64(asked.cast_signed()));
            let count = _mm512_cvtepi64_epi32(_mm512_popcnt_epi64(before));
            let old = _mm256_loadu_si256(moved.as_ptr().cast());
            let new = _mm256_add_epi32(old, _mm256_add_epi32(count, count));
            _mm256_storeu_si256(moved.as_mut_ptr().cast(), new);
        }
        moved
    }

    #[inline(always)]
    fn copy(self, text: &[u8], room: &mut [MaybeUninit<u8>; AT_ONCE]) {
        // The second store is always done, without a branch on the length. The second load ends with the text, because
        // a load waits for each line of the cache that it touches, also where its mask has no bit, and an empty slice
        // may have an address that is not mapped. Measured: `docs/performance/notes.md`, "Short copies".
        let len = text.len();
        let (there, last) = (below(len), len.saturating_sub(BLOCK).min(BLOCK));
        let from = if text.is_empty() { room.as_ptr().cast() } else { text.as_ptr() };
        // SAFETY: `self` shows that the instructions are there. The loads touch the bytes of their mask alone. If the
        // text has fewer than 64 bytes, both loads are of all of them. Otherwise, the loads are of the first 64 bytes
        // and of 64 bytes that end with the text or before its end. `last` is at most 64, the stores are of 64 bytes
        // each, and `room` has 128.
        unsafe {
            let first = _mm512_maskz_loadu_epi8(there, from.cast());
            let second = _mm512_maskz_loadu_epi8(there, from.add(last).cast());
            let to = room.as_mut_ptr().cast::<u8>();
            _mm512_storeu_si512(to.cast(), first);
            _mm512_storeu_si512(to.add(last).cast(), second);
        }
    }
}

// SAFETY: `write` stores 64 bytes, of which the bytes that stay are the first.
unsafe impl RewriteBlocks for Avx512 {
    #[inline(always)]
    fn octets(self, block: WideBlock, _: &[u8], triplets: u64) -> WideBlock {
        // SAFETY: `self` shows that the instructions are there. The loads are of 64 bytes.
        unsafe {
            // The value of each byte as if it were a digit: its low four bits, and 9 more for a letter. The values of
            // the two bytes after a percent sign make an octet. The shift moves two bytes of `first` together. The byte
            // of `first` before a triplet is the value of the percent sign, which is 5. It is below 16, so the shift
            // moves no bit of it into the octet.
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

    #[inline(always)]
    fn write(
        self,
        block: WideBlock,
        _: &[u8],
        octets: WideBlock,
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

    #[inline(always)]
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
                // wraps around to a large number, so that one comparison finds the places in the block.
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
        follow(rest, block, stays, base, moved_rest);
    }
}

/// For each place of a block the next place, and the place after the next. The entries of the last places are not used:
/// no triplet begins at the last places.
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
const THRICE: [u8; BLOCK] = {
    let mut places = [0; BLOCK];
    let (mut rest, mut i): (&mut [u8], u8) = (&mut places, 0);
    while let [place, tail @ ..] = rest {
        *place = i / 3;
        (rest, i) = (tail, i + 1);
    }
    places
};
