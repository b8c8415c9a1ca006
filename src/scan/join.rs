//! The beginning of one text and the end of another → one text, with the dot segments of the path removed
//! that goes from the one into the other: resolution (RFC 3986, section 5.2) once it is known what of a base
//! there is and what of a reference.
//!
//! Not here: what that is (`transform`), and which bytes go (`segments`).

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::segments::Segments;
use super::settle::{Change, STEP};
use super::{BLOCK, CpuLevel, Job, Simd, below};

/// Two texts that follow one another.
pub(crate) struct Join<'a> {
    pub(crate) head: &'a str,
    pub(crate) tail: &'a str,
    /// Where a path is in `tail`: all of it, and it begins with a slash; or, if there is a `directory`, what
    /// comes after that.
    pub(crate) path: Range<usize>,
    /// Where in `head` the beginning of the path is. It goes to the end, begins and ends with a slash, and has
    /// no dot segments.
    pub(crate) directory: Option<usize>,
}

/// Appends both texts to `out`, with the dot segments of the path removed. One pass. Nothing is allocated if
/// there is room for both and 64 bytes.
#[inline]
pub(crate) fn join(texts: &Join<'_>, out: &mut String) {
    CpuLevel::best().run(Joined { texts, out });
}

/// The walk.
struct Joined<'a> {
    texts: &'a Join<'a>,
    out: &'a mut String,
}

impl Job for Joined<'_> {
    type Output = ();

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Simd>(self, simd: S) {
        let Self { texts, out } = self;
        let Join { head, tail, path, directory } = texts;
        // No string while a character may be cut.
        let mut bytes = mem::take(out).into_bytes();
        bytes.reserve(head.len() + tail.len() + BLOCK);
        let (start, mut at) = (bytes.len(), 0);
        while at < head.len() {
            let length = (head.len() - at).min(BLOCK);
            append(simd, head.as_bytes(), at, below(length), &mut bytes);
            at += length;
        }
        let mut segments = match directory {
            None => Segments::of(tail.as_bytes(), path),
            Some(at) => Segments::after(&bytes, start + at, path),
        };
        let (mut at, mut gone) = (0, 0);
        while at < tail.len() {
            let rest = tail.len() - at;
            let length = if rest > BLOCK { STEP } else { rest };
            let block = simd.load(tail.as_bytes(), at);
            gone = segments.gone(block, at, length, gone, &mut bytes);
            append(simd, tail.as_bytes(), at, below(length) & !gone, &mut bytes);
            gone >>= STEP;
            at += length;
        }
        // SAFETY: what was there is UTF-8, and so are both texts, of which whole segments have gone.
        *out = unsafe { String::from_utf8_unchecked(bytes) };
    }
}

/// Appends some bytes of the block at `at`, for which there is room.
#[cfg_attr(optimized, inline(always))]
fn append<S: Simd>(simd: S, text: &[u8], at: usize, stays: u64, out: &mut Vec<u8>) {
    let rest = text.get(at..).unwrap_or_default();
    let Some(room) = out.spare_capacity_mut().first_chunk_mut() else { return };
    let block = simd.load(rest, 0);
    let written = simd.write(block, rest, block, Change { done: 0, case: 0, stays }, room);
    // SAFETY: there is room for a block, and so many bytes of it were written.
    unsafe { out.set_len(out.len() + written) };
}
