//! Percent-encoding with byte shuffles, four bytes at a time.

use core::mem::MaybeUninit;

use super::Halves;
use crate::scan::ops::as_chunks;
use crate::scan::ops::encode::{DIGITS, EXPANDED, EncodeBlocks, PERCENT, write};

// SAFETY: each store of `triplets` begins where the bytes before it end. It is of 8 bytes that all count, or of 16
// bytes of which at most 12 count. A block has at most 192 bytes with triplets, so that each store fits into the room.
#[expect(unsafe_code, reason = "the implementation of an unsafe trait, by safe code")]
unsafe impl<K: Halves> EncodeBlocks for K {
    #[inline(always)]
    fn triplets(self, block: &[u8], asked: u64, room: &mut [MaybeUninit<u8>; EXPANDED]) -> usize {
        expand_fours(self, block, asked, room)
    }
}

/// [`expand`](crate::scan::ops::encode::expand) with byte shuffles, four bytes at a time:
///
/// ```text
/// bytes     a  é  é  b                                  `é` has two bytes, C3 A9; both are asked for
/// thrice    a  a  a  C3 C3 C3 A9 A9 A9 b  b  b  %       each byte three times, and a percent sign
/// digits    a  6  1  C3 C  3  A9 A  9  b  6  2  %       of each three, the second and the third
/// FOURS     a  %  C  3  %  A  9  b                      one or three bytes of each three
/// ```
///
/// The kernel computes the third line (`Halves::four`). A table with an entry for each of the 16 masks of four bytes
/// has the places for the last line. Sixteen bytes are always written. The bytes past the result have no meaning.
///
/// Instructions at AVX2 to map an IRI of the generated corpus `non_ascii`: 2,300 byte by byte, 970 in this way.
#[inline(always)]
fn expand_fours<K: Halves>(
    kernel: K,
    block: &[u8],
    asked: u64,
    room: &mut [MaybeUninit<u8>; EXPANDED],
) -> usize {
    let (eights, tail) = as_chunks::<u8, 8>(block);
    let (mut end, mut rest) = (0, asked);
    for eight in eights {
        if rest & 0xFF == 0 {
            write(room, end, *eight);
            end += eight.len();
        } else {
            end += push_eight(kernel, u64::from_le_bytes(*eight), rest & 0xFF, 8, room, end);
        }
        rest >>= eight.len();
    }
    if !tail.is_empty() {
        let bytes = match block.last_chunk() {
            Some(last) => u64::from_le_bytes(*last) >> (64 - 8 * tail.len()),
            None => tail.iter().rev().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte)),
        };
        end += push_eight(kernel, bytes, rest, tail.len(), room, end);
    }
    end
}

/// Writes `length` bytes at `end`, at most eight, and returns how many bytes they become. It is not a closure, because
/// a closure would be compiled without the instructions of the kernel.
#[inline(always)]
fn push_eight<K: Halves>(
    kernel: K,
    bytes: u64,
    asked: u64,
    length: usize,
    room: &mut [MaybeUninit<u8>; EXPANDED],
    end: usize,
) -> usize {
    let (low, high) = (asked & 15, asked >> 4);
    write(room, end, kernel.four(with_percent(bytes as u32), &DIGITS, four(low)));
    let middle = end + 4 + 2 * low.count_ones() as usize;
    write(room, middle, kernel.four(with_percent((bytes >> 32) as u32), &DIGITS, four(high)));
    length + 2 * asked.count_ones() as usize
}

/// Four bytes, and a percent sign after them.
#[inline(always)]
fn with_percent(bytes: u32) -> u64 {
    u64::from(bytes) | u64::from(PERCENT) << 32
}

/// The entry of [`FOURS`] for a mask of four bytes.
#[inline(always)]
fn four(asked: u64) -> &'static [u8; 16] {
    #[expect(clippy::indexing_slicing, reason = "sixteen entries, indexed by four bits")]
    &FOURS[(asked & 15) as usize]
}

/// For each mask of four bytes, the places in `Halves::four` of the written bytes. For a byte that is asked for, these
/// are the places of the percent sign and of the two digits. For another byte, it is the place of the byte. A place
/// from 0x80 up stands for nothing.
#[expect(clippy::indexing_slicing, reason = "indices below the lengths")]
static FOURS: [[u8; 16]; 16] = {
    let mut fours = [[0x80; 16]; 16];
    let mut mask = 0;
    while mask < fours.len() {
        let (mut byte, mut end) = (0, 0);
        while byte < 4 {
            let first = 3 * byte;
            if mask >> byte & 1 != 0 {
                fours[mask][end] = 12;
                fours[mask][end + 1] = first + 1;
                fours[mask][end + 2] = first + 2;
                end += 3;
            } else {
                fours[mask][end] = first;
                end += 1;
            }
            byte += 1;
        }
        mask += 1;
    }
    fours
};
