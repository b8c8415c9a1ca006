//! The common part of the prescans of `normalize` and of `simd-iri-lint`: the letters of scheme and host, and the dots that
//! begin a segment.
//!
//! Not here: the prescans, which read the blocks.

use crate::scan::{BLOCK, Block, below};
use crate::tables::{DOT, SLASH};

/// Returns the bytes of the block at the offset `at` that lie in the scheme or in the host. The array has
/// the offsets of the end of the scheme, and of the start and the end of the host.
#[inline(always)]
pub fn scheme_and_host(at: usize, [scheme_end, host, host_end]: [usize; 3]) -> u64 {
    before(at, scheme_end) | before(at, host_end) & !before(at, host)
}

/// Returns the bytes of the block at the offset `at` that lie before a place.
#[inline(always)]
pub fn before(at: usize, place: usize) -> u64 {
    below(place.saturating_sub(at))
}

/// Finds out, block by block, whether a dot follows a slash. Only such a dot, or one at the start of a path,
/// begins a dot segment.
#[derive(Default)]
pub struct SegmentDots {
    /// The slashes of the block before.
    slashes_before: u64,
    /// The dots that were found, of all blocks together.
    found: u64,
}

impl SegmentDots {
    /// Reads the next block.
    #[inline(always)]
    pub fn read<B: Block>(&mut self, block: B) {
        self.found |= self.next(block);
    }

    /// Returns the dots of the next block that follow a slash.
    #[inline(always)]
    pub(crate) fn next<B: Block>(&mut self, block: B) -> u64 {
        let slashes = block.ascii(&SLASH);
        let starts = slashes << 1 | self.slashes_before >> (BLOCK - 1);
        self.slashes_before = slashes;
        block.ascii(&DOT) & starts
    }

    /// Tells whether a dot follows a slash in the blocks that were read.
    #[inline(always)]
    pub const fn is_any(&self) -> bool {
        self.found != 0
    }
}
