//! Copies texts that lie anywhere, with a separator after each, so that a search can read them.
#![forbid(unsafe_code)]

use super::bitset::{BLOCKS, Bitset, Places};
use super::cursors::SEPARATOR;
use super::spans::Spans;
use crate::scan::{BLOCK, Cpu, Job};

/// The number of bytes that are copied for each text of at most this length.
const COPIED: usize = 2 * BLOCK;

/// Texts that were brought together, with a separator after each.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    /// The bytes, and room for a copy that is longer than the last text.
    pub(super) bytes: [u8; BLOCKS * BLOCK + COPIED],
    /// Where the texts end.
    pub(super) ends: Bitset,
    /// The number of bytes, with the separators; 0 if no texts were brought together.
    pub(super) len: usize,
}

impl Gathered {
    /// No text.
    pub(super) const NONE: Self =
        Self { bytes: [0; BLOCKS * BLOCK + COPIED], ends: Bitset::ZERO, len: 0 };
}

/// A job that copies texts that touch or lie apart, with a separator after each. Returns the number of bytes. Returns
/// `None` if there is no text, without SIMD, or if the texts do not fit.
///
/// A text of at most 128 bytes is copied as 128 bytes: a few loads and stores, without a branch on its length. The next
/// text overwrites the bytes after the end:
///
/// ```text
/// values   u r n : a u r n : b c h t t p
/// first    u r n : a u r n : b ...
///          u r n : a \n                     the separator
/// second   u r n : a \n u r n : b c h t ...
/// ```
// PERF: copying so many bytes costs less than a call of `memcpy`, which branches on the length, and less than finding
// the separators.
pub(super) struct Gather<'a> {
    pub(super) buffer: &'a [u8],
    pub(super) spans: &'a Spans,
    pub(super) count: usize,
    /// The place of the end of each text.
    pub(super) ends: &'a mut Places,
    pub(super) gathered: &'a mut Gathered,
}

impl Job for Gather<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<S: Cpu>(self, _: S, _: &[u8]) -> Option<usize> {
        let Self { buffer, spans: Spans { starts, ends: stops }, count, ends, gathered } = self;
        if !S::MASKS || count == 0 {
            return None;
        }
        let Gathered { bytes, ends: Bitset(bits), .. } = gathered;
        *bits = [0; BLOCKS];
        let mut at = 0;
        for ((start, stop), end) in starts.iter().zip(stops).zip(ends).take(count) {
            let rest = buffer.get(*start..)?;
            let len = stop.wrapping_sub(*start);
            let (from, to) = (rest.first_chunk::<COPIED>(), bytes.get_mut(at..)?);
            match (from, to.first_chunk_mut::<COPIED>()) {
                (Some(from), Some(to)) if len <= COPIED => *to = *from,
                _ => to.get_mut(..len)?.copy_from_slice(rest.get(..len)?),
            }
            at += len;
            *end = at as u32;
            *bytes.get_mut(at)? = SEPARATOR;
            *bits.get_mut(at / BLOCK)? |= 1 << (at % BLOCK);
            at += 1;
        }
        Some(at)
    }
}
