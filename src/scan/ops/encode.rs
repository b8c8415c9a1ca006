//! What percent-encoding wants of a kernel besides masks: a block with its triplets, and the new places of offsets. Not
//! here: the walk over a text (`encode`).

use core::mem::MaybeUninit;

use super::{BLOCK, Simd, below};
use crate::tables::AsciiSet;

/// The memory for the triplets of a block (192 bytes) and for the bytes that kernels write past them.
pub(crate) const EXPANDED: usize = 4 * BLOCK;

/// The length of the longest text that is copied without a loop: two blocks.
pub(crate) const AT_ONCE: usize = 2 * BLOCK;

/// The hexadecimal digits.
pub(crate) const DIGITS: [u8; 16] = *b"0123456789ABCDEF";

/// The byte that begins a triplet.
pub(crate) const PERCENT: u8 = b'%';

/// The triplet of each byte.
static TRIPLETS: [[u8; 3]; 256] = {
    let mut triplets = [[0; 3]; 256];
    let (mut rest, mut byte): (&mut [[u8; 3]], u8) = (&mut triplets, 0);
    while let [triplet, tail @ ..] = rest {
        *triplet = [PERCENT, digit(byte >> 4), digit(byte & 15)];
        (rest, byte) = (tail, byte.wrapping_add(1));
    }
    triplets
};

/// The digit of a number below 16.
#[expect(clippy::indexing_slicing, reason = "sixteen digits, indexed by four bits")]
const fn digit(number: u8) -> u8 {
    DIGITS[(number & 15) as usize]
}

/// The triplet of a byte.
#[inline(always)]
pub(crate) fn triplet(byte: u8) -> [u8; 3] {
    #[expect(clippy::indexing_slicing, reason = "256 entries, indexed by a byte")]
    TRIPLETS[byte as usize]
}

/// The triplet of a byte, as text.
#[inline]
pub fn triplet_text(byte: u8) -> &'static str {
    #[expect(clippy::indexing_slicing, reason = "256 entries, indexed by a byte")]
    core::str::from_utf8(&TRIPLETS[byte as usize]).unwrap_or_default()
}

/// The hexadecimal digits in lower case.
pub(crate) const LOWER_DIGITS: AsciiSet = AsciiSet::of(b"abcdef");

/// The definition of `EncodeBlocks::triplets`, byte by byte.
#[inline(always)]
pub(in crate::scan) fn expand(
    block: &[u8],
    asked: u64,
    room: &mut [MaybeUninit<u8>; EXPANDED],
) -> usize {
    let mut end = 0;
    for (bytes, at) in block.chunks(8).zip((0..).step_by(8)) {
        let asked = asked >> at & 0xFF;
        if let (0, Ok(bytes)) = (asked, <[u8; 8]>::try_from(bytes)) {
            write(room, end, bytes);
            end += bytes.len();
            continue;
        }
        for (byte, at) in bytes.iter().zip(0..) {
            let is_asked = asked >> at & 1 != 0;
            let [percent, high, low] = triplet(*byte);
            // Always three bytes, so that there is no branch: if one byte is enough, the next byte overwrites the
            // other two.
            write(room, end, [if is_asked { percent } else { *byte }, high, low]);
            end += if is_asked { 3 } else { 1 };
        }
    }
    end
}

/// Writes `bytes` at `at`, if there is room for them.
#[inline(always)]
pub(in crate::scan) fn write<const N: usize>(
    room: &mut [MaybeUninit<u8>; EXPANDED],
    at: usize,
    bytes: [u8; N],
) {
    if let Some(room) = room.get_mut(at..at + N) {
        for (room, byte) in room.iter_mut().zip(bytes) {
            room.write(byte);
        }
    }
}

/// The operations of a kernel for percent-encoding.
///
/// # Safety
/// The walk over a text counts what is written as initialized and as text. An implementation of
/// [`triplets`](Self::triplets) initializes as many bytes from the start of `room` as it returns. An implementation of
/// [`copy`](Self::copy) initializes as many bytes from the start of `room` as the text has. In both, the bytes are
/// those that the provided method writes. `copy` writes no byte that is not initialized.
pub(crate) unsafe trait EncodeBlocks: Simd {
    /// Writes the bytes of `block`, at most 64, to `room`: a triplet for each byte that is `asked` for.
    /// Returns how many bytes are written. The bytes of `room` past these have no meaning afterwards.
    #[inline(always)]
    fn triplets(self, block: &[u8], asked: u64, room: &mut [MaybeUninit<u8>; EXPANDED]) -> usize {
        expand(block, asked, room)
    }

    /// Adds 2 to an offset of `moved` for each byte of the block at `at` that is `asked` for and is before the place of
    /// this offset. Returns the offsets.
    #[inline(always)]
    fn shifted(self, mut moved: [u32; 8], places: &[u32; 8], at: usize, asked: u64) -> [u32; 8] {
        for (moved, place) in moved.iter_mut().zip(places) {
            let before = (*place as usize).saturating_sub(at);
            *moved += 2 * (asked & below(before)).count_ones();
        }
        moved
    }

    /// Writes a text of at most [`AT_ONCE`] bytes to `room`. The bytes of `room` past the text have no meaning
    /// afterwards.
    #[inline(always)]
    fn copy(self, text: &[u8], room: &mut [MaybeUninit<u8>; AT_ONCE]) {
        let Some(room) = room.get_mut(..text.len()) else { return };
        let is_copied = copy_edges::<64>(text, room)
            || copy_edges::<32>(text, room)
            || copy_edges::<16>(text, room)
            || copy_edges::<8>(text, room)
            || copy_edges::<4>(text, room);
        if !is_copied {
            room.iter_mut().zip(text).for_each(|(place, byte)| *place = MaybeUninit::new(*byte));
        }
    }
}

/// Copies the first `N` and the last `N` bytes of a text, which may overlap, to the same places of `room`. Does nothing
/// and returns false if the text has fewer than `N` bytes, or `room` has another length.
#[inline(always)]
fn copy_edges<const N: usize>(text: &[u8], room: &mut [MaybeUninit<u8>]) -> bool {
    let (Some(first), Some(last)) = (text.first_chunk::<N>(), text.last_chunk::<N>()) else {
        return false;
    };
    if room.len() != text.len() {
        return false;
    }
    // SAFETY: both have the same length, which is at least `N`. So the two stores of `N` bytes lie in `room`.
    unsafe {
        let start = room.as_mut_ptr().cast::<[u8; N]>();
        start.write_unaligned(*first);
        start.byte_add(text.len() - N).write_unaligned(*last);
    }
    true
}

/// [`EncodeBlocks::copy`] to bytes that are initialized.
#[inline(always)]
pub(crate) fn copy<S: EncodeBlocks>(simd: S, text: &[u8], to: &mut [u8; AT_ONCE]) {
    // SAFETY: a byte and a `MaybeUninit` of a byte have the same layout, and `copy` writes no byte that is not
    // initialized. So all bytes of `to` are initialized afterwards, too.
    let room = unsafe { &mut *core::ptr::from_mut(to).cast::<[MaybeUninit<u8>; AT_ONCE]>() };
    simd.copy(text, room);
}
