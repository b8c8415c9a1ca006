//! What rewriting wants of a kernel besides masks: the octets of triplets, the bytes that stay, and the new places of
//! offsets. Not here: the walk over a text, and its invariants (`rewrite`).

use core::mem::MaybeUninit;
use core::ops::Range;

use super::encode::PERCENT;
use super::{BLOCK, Simd, below};
use crate::tables::HEXDIG;

/// The highest of the digits that are not letters. The digits `A` to `F` and `a` to `f` are above it.
pub(in crate::scan) const NINE: u8 = b'9';
/// The bit in which an ASCII letter differs from the same letter in the other case.
pub(in crate::scan) const CASE: u8 = b'A' ^ b'a';
/// The definition of [`RewriteBlocks::follow`], place by place.
#[inline(always)]
pub(in crate::scan) fn follow(
    places: &[u32],
    block: Range<usize>,
    stays: u64,
    base: usize,
    moved: &mut [u32],
) {
    for (moved, place) in moved.iter_mut().zip(places) {
        let before = (*place as usize).wrapping_sub(block.start);
        if before <= block.len() {
            *moved = base as u32 + (stays & below(before)).count_ones();
        }
    }
}

/// The masks that define the output of a block.
///
/// Invariants: the two bytes after each bit of `done` are not in `stays`, and no bit of `stays` is past
/// the end of the text. Bits of `done` and `case` outside `stays` have no meaning.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    /// The first bytes of the triplets that are decoded: the octet is written in their place.
    pub(in crate::scan) done: u64,
    /// The letters that are written in the other case. A letter may be a decoded octet.
    pub(in crate::scan) case: u64,
    /// The bytes that are written.
    pub(in crate::scan) stays: u64,
}

/// The definition of [`RewriteBlocks::write`], byte by byte.
#[inline(always)]
fn write(text: &[u8], change: Change, room: &mut [MaybeUninit<u8>; BLOCK]) -> usize {
    let Change { done, case, stays } = change;
    let block = text.get(..BLOCK).unwrap_or(text);
    let mut end = 0;
    let mut push = |bytes: &[u8]| {
        if let Some(room) = room.get_mut(end..end + bytes.len()) {
            for (room, byte) in room.iter_mut().zip(bytes) {
                room.write(*byte);
            }
            end += bytes.len();
        }
    };
    for (bytes, at) in block.chunks(8).zip((0..).step_by(8)) {
        if let (0, Ok(eight)) = ((done | case | !stays) >> at & 0xFF, <[u8; 8]>::try_from(bytes)) {
            push(&eight);
            continue;
        }
        for (byte, at) in bytes.iter().zip(at..) {
            let is = |mask: u64| mask >> at & 1 != 0;
            if is(stays) {
                let octet = octet(block, at).filter(|_| is(done)).unwrap_or(*byte);
                push(&[if is(case) { octet ^ CASE } else { octet }]);
            }
        }
    }
    end
}

/// The definition of [`RewriteBlocks::octets`], triplet by triplet.
#[inline(always)]
fn octets(text: &[u8], triplets: u64) -> [u8; BLOCK] {
    let mut octets = [0; BLOCK];
    let mut rest = triplets;
    while rest != 0 {
        let at = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if let (Some(place), Some(octet)) = (octets.get_mut(at), octet(text, at)) {
            *place = octet;
        }
    }
    octets
}

/// Returns the octet whose triplet stands at `at`, or `None` if there is no triplet.
#[inline]
pub fn octet(bytes: &[u8], at: usize) -> Option<u8> {
    match bytes.get(at..at + 3)? {
        // A byte that is not a digit has a negative value, and makes the result negative.
        [PERCENT, high, low] => u8::try_from(hex(*high) << 4 | hex(*low)).ok(),
        _ => None,
    }
}

/// Returns the value of a hexadecimal digit, or -1 if the byte is not a digit.
#[inline]
fn hex(digit: u8) -> i16 {
    /// The answers for all bytes.
    #[expect(
        clippy::indexing_slicing,
        reason = "past the end it would be an error of the compiler"
    )]
    const VALUES: [i8; 256] = {
        let (mut values, mut digit) = ([-1; 256], 0);
        while digit < 256 {
            if HEXDIG.contains(digit as u8) {
                // The low four bits of `A` and `a` are 1, and their value is 10.
                values[digit] = (digit & 15) as i8 + if digit > NINE as usize { 9 } else { 0 };
            }
            digit += 1;
        }
        values
    };
    VALUES.get(usize::from(digit)).map_or(-1, |value| i16::from(*value))
}

/// The operations of a kernel for rewriting.
///
/// # Safety
/// The walk over a text counts what is written as initialized and as text. An implementation of [`write`](Self::write)
/// initializes as many bytes from the start of `room` as it returns. The bytes are those that the provided method
/// writes. An implementation of [`octets`](Self::octets) returns the block that the provided method returns.
pub(crate) unsafe trait RewriteBlocks: Simd {
    /// Returns a block with the octets of the `triplets` in the first block of `text`, each where its
    /// triplet begins. The other bytes are zeros.
    #[inline(always)]
    fn octets(self, _: Self::Block, text: &[u8], triplets: u64) -> Self::Block {
        self.load(&octets(text, triplets), 0)
    }

    /// Writes the first block of `text`, with this change and the octets of its triplets, to `room`. Returns how many
    /// bytes are written. The bytes of `room` past these have no meaning afterwards.
    #[inline(always)]
    fn write(
        self,
        _: Self::Block,
        text: &[u8],
        _: Self::Block,
        change: Change,
        room: &mut [MaybeUninit<u8>; BLOCK],
    ) -> usize {
        write(text, change, room)
    }

    /// Sets the new offset of each place in `block` or at its end, if the bytes of `stays` are written
    /// from offset `base` on. Other entries of `moved` keep their value.
    #[inline(always)]
    fn follow<const N: usize>(
        self,
        places: &[u32; N],
        block: Range<usize>,
        stays: u64,
        base: usize,
        moved: &mut [u32; N],
    ) {
        follow(places, block, stays, base, moved);
    }
}
