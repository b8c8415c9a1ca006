//! Which bytes of a path are left out when its dot segments are removed (RFC 3986, section 5.2.4), by
//! masks: a `.` goes with the slash after it, a `..` with that and with the segment before it.
//!
//! ```text
//! path    /  a  /  .  /  b  b  /  .  .  /  c
//! `.`              1  1
//! `..`                   1  1  1  1  1  1
//! ```
//!
//! Not here: the walk over the blocks, and what is done with the bytes that stay (`rewrite`).
#![forbid(unsafe_code)]

use alloc::vec::Vec;
use core::ops::Range;

use super::{BLOCK, Block, below, within};
use crate::tables::{AsciiSet, SLASH};

pub(super) const DOT: AsciiSet = AsciiSet::just(b'.');
const SLASH_BYTE: u8 = b'/';
const NONE: Range<usize> = 0..0;

/// A path, of which the blocks are looked at one after the other.
pub(super) struct Segments<'a> {
    /// It begins with a slash, or is empty.
    path: &'a Range<usize>,
    /// Where in what is written it begins, if that is known.
    floor: Option<usize>,
    /// 1 if the block before ended with a slash of it.
    slash_before: u64,
}

impl<'a> Segments<'a> {
    /// Before the first block of a text with this path; without one if it does not begin with a slash.
    pub(super) fn of(text: &[u8], path: &'a Range<usize>) -> Self {
        let path = if text.get(path.start) == Some(&SLASH_BYTE) { path } else { &NONE };
        Self { path, floor: None, slash_before: 0 }
    }

    /// What is left out of the block at `at`, of which these have `gone` already, for the dot segments that begin
    /// in its first bytes, `length` of them; what follows is only seen. `written` is what stays of the blocks
    /// before, and loses what goes of it.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn gone<B: Block>(
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
        let above = self.floor;
        if above.is_none() {
            let before = !gone & below(self.path.start - at);
            self.floor = Some(written.len() + before.count_ones() as usize);
        }
        let (slashes, dots) = (block.ascii(&SLASH) & inside, block.ascii(&DOT) & inside);
        let starts = (slashes << 1 | self.slash_before) & here;
        self.slash_before = (slashes & here) >> (length - 1);
        // What comes right before a slash, or last.
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

/// What is left out of a block with these `..`, of which these have gone, all but the segments before. A path that
/// begins before it does so at `floor` of what is written.
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
        // What stays before it ends with a slash, here or in what is written.
        let kept = inside & (next - 1) & !gone;
        let above = without_highest(kept & slashes);
        if above != 0 {
            gone |= kept & !below(BLOCK - above.leading_zeros() as usize);
        } else if let Some(floor) = floor {
            gone |= kept;
            let end = written.len() - usize::from(kept == 0);
            let before = written.get(floor..end).unwrap_or_default();
            let slash = memchr::memrchr(SLASH_BYTE, before).unwrap_or_default();
            written.truncate(floor + slash + 1);
        }
    }
    gone
}

/// A mask without its highest one.
const fn without_highest(mask: u64) -> u64 {
    if mask == 0 { 0 } else { mask ^ 1 << mask.ilog2() }
}
