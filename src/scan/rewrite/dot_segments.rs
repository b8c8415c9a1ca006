//! Finds the bytes of a path that are removed with its dot segments (RFC 3986, section 5.2.4). It uses masks: a `.`
//! is removed with the slash after it, and a `..` is removed with the slash after it and the segment before it.
//!
//! The definition of the removed bytes is `transform::dots`, segment by segment. A test in that file compares both. Not
//! here: the walk over the blocks, and the output of the bytes that stay (`rewrite`).
#![forbid(unsafe_code)]

/*
# The algorithm

    starts = the bytes after a slash                         a segment begins here
    ends   = the bytes before a slash, and the last byte     a segment ends here
    one    = starts & dots & ends                            the dot of a `.`
    two    = starts & dots & (dots & ends) >> 1              the first dot of a `..`
    gone   = one, two, the second dot, and the slash after each
    for each bit of two, the lowest first:                   (rare: `upwards`)
        gone gets the last segment before it that stays, with its slash

    path      /  a  /  .  /  b  b  /  .  .  /  c
    starts       1     1     1        1        1
    ends         1     1        1        1     1
    one                1
    two                               1
    gone               1  1           1  1  1           after the masks
    gone               1  1  1  1  1  1  1  1           after `upwards`
    stays     /  a  /                          c        = "/a/c"

A segment that a `..` removes may begin in a block before. Then it is written already, and `upwards` shortens
the written bytes, back to the slash before the segment. It does not remove the first slash of the path
(`floor`): at the root, a `..` removes only itself.

# Invariants

- The path begins with a slash, which always stays.
- The written bytes of the path have no dot segments and begin with a slash. If the next byte of the path
  begins a segment, the written bytes end with a slash.
- If a block is not the last block, it has 8 bytes more than it judges (`length`). A `..` with its slash has
  3 bytes. So all of a dot segment that is judged is in the masks.
- Each byte is written once and removed at most once: linear time.
*/

use alloc::vec::Vec;
use core::ops::Range;

use crate::scan::{BLOCK, Block, below, slice, within};
use crate::tables::{DOT, SLASH};

const SLASH_BYTE: u8 = b'/';
const NONE: Range<usize> = 0..0;

/// A path whose blocks are read one after the other, each once.
pub(crate) struct PathBlocks<'a> {
    /// Where the path lies in the text. It begins with a slash, or is empty.
    path: &'a Range<usize>,
    /// The offset in the written bytes at which the path begins: `None` before its first block.
    floor: Option<usize>,
    /// 1 if the last byte of the block before is a slash of the path, and otherwise 0.
    slash_before: u64,
}

impl<'a> PathBlocks<'a> {
    /// The state before the first block of a text with this path. A path that does not begin with a
    /// slash keeps its dot segments.
    pub(crate) fn of(text: &[u8], path: &'a Range<usize>) -> Self {
        let path = if text.get(path.start) == Some(&SLASH_BYTE) { path } else { &NONE };
        Self { path, floor: None, slash_before: 0 }
    }

    /// Returns the bytes of the block at offset `at` that are not written: the bytes that are `gone` already, and the
    /// bytes that are removed with the dot segments that begin in the first `length` bytes. The bytes after the first
    /// `length` bytes are only read. `written` holds the bytes that stay of the blocks before. A `..` may shorten
    /// `written`.
    #[inline(always)]
    pub(crate) fn gone<B: Block>(
        &mut self,
        block: B,
        at: usize,
        length: usize,
        gone: u64,
        written: &mut Vec<u8>,
    ) -> u64 {
        let (inside, here) = (within(self.path, at), below(length));
        if inside & here == 0 {
            return gone;
        }
        // In the first block of the path, nothing of the path is written yet, and no floor is needed.
        let above = self.floor;
        if above.is_none() {
            let before = !gone & below(self.path.start - at);
            self.floor = Some(written.len() + before.count_ones() as usize);
        }
        let (slashes, dots) = (block.ascii(&SLASH) & inside, block.ascii(&DOT) & inside);
        let starts = (slashes << 1 | self.slash_before) & here;
        self.slash_before = (slashes & here) >> (length - 1);
        // The bytes right before a slash, and the last byte of the path.
        let ends = slashes >> 1 | inside & !below(self.path.end - at - 1);
        let one = starts & dots & ends;
        let two = starts & dots & (dots & ends) >> 1;
        let gone = gone | one | one << 1 & slashes | two | two << 1 | two << 2 & slashes;
        if two == 0 {
            return gone;
        }
        upwards(two, slashes, inside, gone, above, written)
    }
}

/// Returns `gone` and the segments that the `..` of a block remove. `two` has the first dot of each `..`. `gone` has
/// all other bytes that are removed. If the path begins in a block before, `floor` is the offset of its first slash in
/// `written`.
#[cold]
fn upwards(
    two: u64,
    slashes: u64,
    inside: u64,
    gone: u64,
    floor: Option<usize>,
    written: &mut Vec<u8>,
) -> u64 {
    let (mut gone, mut rest) = (gone, two);
    while rest != 0 {
        let next = rest & rest.wrapping_neg();
        rest ^= next;
        // The bytes of the path that stay before this `..` in this block. They end with a slash. If no byte stays,
        // `written` ends with a slash.
        let kept = inside & (next - 1) & !gone;
        let above = without_highest(kept & slashes);
        if above != 0 {
            // The segment lies in this block: it begins after the last slash but one.
            gone |= kept & !below(BLOCK - above.leading_zeros() as usize);
        } else if let Some(floor) = floor {
            // The segment begins in `written`: its bytes in this block are removed, and the rest is cut off.
            gone |= kept;
            let end = written.len() - usize::from(kept == 0);
            let before = slice::bytes(written, floor..end);
            let slash = memchr::memrchr(SLASH_BYTE, before).unwrap_or_default();
            written.truncate(floor + slash + 1);
        }
    }
    gone
}

/// The mask without its highest bit; 0 if there is none.
const fn without_highest(mask: u64) -> u64 {
    if mask == 0 { 0 } else { mask ^ 1 << mask.ilog2() }
}
