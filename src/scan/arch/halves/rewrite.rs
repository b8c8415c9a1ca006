//! Rewriting with byte shuffles, for the kernels of two halves. `rewrite` defines the result.
#![deny(unsafe_code)]

/*
# The algorithm

`octets` reads the text one byte and two bytes later, so that the digits of a triplet are at the place of its percent
sign. It makes a number of each byte as if the byte were a digit, and joins both numbers:

    text            %  7  e  /  %  C  3
    first digits    7  e  /  %  C  3  .         the text from its second byte on
    second digits   e  /  %  C  3  .  .         the text from its third byte on
    octets          7E .  .  .  C3 .  .         both digits as a number, where a triplet begins

`write` puts the octets of the triplets that are decoded into the block, and then moves the bytes that stay together,
eight bytes at a time. A table with an entry for each of the 256 masks of eight bytes has the places of the bytes that
stay:

    text            a  %  7  e  b  .  .  .
    with octets     a  ~  7  e  b  .  .  .
    stays           1  1  .  .  1
    PLACES          0  1  4
    written         a  ~  b                     eight bytes are stored; the next bytes begin after three bytes

# Invariants

- The store of the eight bytes of group `i` begins at 8 `i` or before it, so it lies in the room of a block.
- The number of the percent sign is 5. `joined` shifts two bytes together. Because 5 is below 16, the byte before a
  triplet does not change the octet of the triplet.
*/

use core::mem::MaybeUninit;

use super::{Half, Halves, HalvesBlock};
use crate::scan::ops::BLOCK;
use crate::scan::ops::rewrite::{CASE, Change, NINE, RewriteBlocks};
use crate::scan::slice;

/// The number of bytes that `octets` reads: a block, and the digits of a triplet that begins with its last byte.
const READ: usize = BLOCK + 2;

// SAFETY: `write` stores the block, or each store of `compress` begins where the bytes that stay before it end.
#[expect(unsafe_code, reason = "the implementation of an unsafe trait, by safe code")]
unsafe impl<K: Halves> RewriteBlocks for K {
    #[inline(always)]
    fn octets(self, _: Self::Block, text: &[u8], triplets: u64) -> Self::Block {
        let mut room = [0; READ];
        let read: &[u8; READ] = padded(text, &mut room);
        HalvesBlock::of(
            octets(self, part(read, 1), part(read, 2), triplets as u32),
            octets(self, part(read, 33), part(read, 34), (triplets >> 32) as u32),
        )
    }

    #[inline(always)]
    fn write(
        self,
        _: Self::Block,
        text: &[u8],
        octets: Self::Block,
        change: Change,
        room: &mut [MaybeUninit<u8>; BLOCK],
    ) -> usize {
        let Change { done, case, stays } = change;
        let mut copy = [0; BLOCK];
        let read: &[u8; BLOCK] = padded(text, &mut copy);
        if done | case | stays & stays.wrapping_add(1) == 0 {
            // The first bytes stay unchanged, and all bytes after them are removed.
            store(room, 0, *read);
            return stays.count_ones() as usize;
        }
        let (low, high) = octets.halves();
        let low = merged(self, part(read, 0), low, done as u32, case as u32);
        let high = merged(self, part(read, 32), high, (done >> 32) as u32, (case >> 32) as u32);
        let low = compress(self, &low, stays as u32, 0, room);
        compress(self, &high, (stays >> 32) as u32, low, room)
    }
}

/// Returns the first `N` bytes of a text; if it has fewer, they are copied to `room`.
#[inline(always)]
fn padded<'a, const N: usize>(text: &'a [u8], room: &'a mut [u8; N]) -> &'a [u8; N] {
    if let Some(whole) = text.first_chunk() {
        return whole;
    }
    if let Some(room) = room.get_mut(..text.len()) {
        room.copy_from_slice(text);
    }
    room
}

/// Returns 32 bytes from `at` on.
#[inline(always)]
fn part(bytes: &[u8], at: usize) -> &[u8; 32] {
    slice::bytes(bytes, at..).first_chunk().unwrap_or(&[0; 32])
}

/// Returns the octets of the triplets in half a block, of which these are the first and the second digits.
#[inline(always)]
fn octets<K: Halves>(kernel: K, first: &[u8; 32], second: &[u8; 32], triplets: u32) -> K::Half {
    let (first, second) = (kernel.load32(first).digits(NINE), kernel.load32(second).digits(NINE));
    first.joined(second).both(kernel.spread(triplets))
}

/// Returns half a block with the octets that are `done`, and with the letters of `case` in the other case.
#[inline(always)]
fn merged<K: Halves>(
    kernel: K,
    bytes: &[u8; 32],
    octets: K::Half,
    done: u32,
    case: u32,
) -> [u8; 32] {
    let bytes = kernel.load32(bytes).or_else(octets, kernel.spread(done));
    bytes.flip(kernel.spread(case).masked(CASE)).bytes()
}

/// Writes the bytes that stay at `end`, and returns where they end.
#[inline(always)]
fn compress<K: Halves>(
    kernel: K,
    bytes: &[u8; 32],
    stays: u32,
    end: usize,
    room: &mut [MaybeUninit<u8>; BLOCK],
) -> usize {
    let (mut end, mut rest) = (end, stays);
    let eights: &[[u8; 8]; 4] = bytemuck::must_cast_ref(bytes);
    for eight in eights {
        let here = rest as u8;
        #[expect(clippy::indexing_slicing, reason = "256 entries, indexed by a byte")]
        let places = PLACES[here as usize];
        store(room, end, kernel.pick(u64::from_le_bytes(*eight), places).to_le_bytes());
        end += here.count_ones() as usize;
        rest >>= 8;
    }
    end
}

/// Writes `bytes` at `at`, if there is room for them.
#[inline(always)]
fn store<const N: usize>(room: &mut [MaybeUninit<u8>; BLOCK], at: usize, bytes: [u8; N]) {
    if let Some(room) = room.get_mut(at..at + N) {
        for (room, byte) in room.iter_mut().zip(bytes) {
            room.write(byte);
        }
    }
}

/// For each mask of eight bytes, the places of its bytes, as a number whose lowest byte is the first place. The other
/// places are 0.
#[expect(clippy::indexing_slicing, reason = "indices below the lengths")]
static PLACES: [u64; 256] = {
    let mut places = [0; 256];
    let mut mask = 0;
    while mask < places.len() {
        let (mut byte, mut end) = (0, 0);
        while byte < 8 {
            if mask >> byte & 1 != 0 {
                places[mask] |= byte << end;
                end += 8;
            }
            byte += 1;
        }
        mask += 1;
    }
    places
};
