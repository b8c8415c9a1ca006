//! Copies texts that lie anywhere, with a separator after each, so that a search can read them.
#![forbid(unsafe_code)]

use super::bitset::{BLOCKS, Bitset, MOST, Places, ROOM};
use super::cursors::SEPARATOR;
use super::spans::Spans;
use crate::scan::{AT_ONCE, BLOCK, Cpu, Job, copy, fetch};

/// A text of more bytes is not copied if it lies anywhere: the parser reads it where it lies.
///
/// Measured: `docs/performance/notes.md`, "Texts that lie anywhere".
const LONGEST: usize = 256;

/// The memory of a text is fetched when the text so many texts before it is copied.
///
/// Measured: `docs/performance/notes.md`, "Texts that lie anywhere".
const AHEAD: usize = 16;

/// Texts that were brought together, with a separator after each.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    /// The bytes, and room for a copy that is longer than the last text.
    pub(super) bytes: [u8; BLOCKS * BLOCK + AT_ONCE],
    /// Where the texts end.
    pub(super) ends: Bitset,
    /// The number of bytes, with the separators; 0 if no texts were brought together.
    pub(super) len: usize,
}

impl Gathered {
    /// No text.
    pub(super) const NONE: Self =
        Self { bytes: [0; BLOCKS * BLOCK + AT_ONCE], ends: Bitset::ZERO, len: 0 };

    /// The texts, with a separator after each.
    pub(super) fn all(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
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
// Measured: `docs/performance/notes.md`, "Texts that lie anywhere".
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
            let (from, to) = (rest.first_chunk::<AT_ONCE>(), bytes.get_mut(at..)?);
            match (from, to.first_chunk_mut::<AT_ONCE>()) {
                (Some(from), Some(to)) if len <= AT_ONCE => *to = *from,
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

/// The texts that [`GatherApart`] took.
pub(super) struct Taken {
    /// The number of texts.
    pub(super) count: usize,
    /// The number of bytes, with the separators.
    pub(super) bytes: usize,
    /// A bit for each text that was not copied.
    pub(super) long: [u64; ROOM / 64],
}

/// A job that copies as many texts as fit, with a separator after each. The texts are not parts of one buffer. A long
/// text is taken, but not copied: in its place, there is only a separator. Returns `None` without SIMD.
///
/// ```text
/// texts    "urn:a"      "a\nb"    257 bytes   ""
/// copies   u r n : a \n a \n b \n \n          \n
/// ends               1        1  1           1      the length decides, and not the separator
/// ```
pub(super) struct GatherApart<'a> {
    pub(super) texts: &'a [Option<&'a [u8]>],
    /// The length of each text.
    pub(super) lens: &'a mut [usize; ROOM],
    /// The place of the end of each copy.
    pub(super) ends: &'a mut Places,
    pub(super) gathered: &'a mut Gathered,
}

impl Job for GatherApart<'_> {
    type Output = Option<Taken>;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> Option<Taken> {
        let Self { texts, lens, ends, gathered } = self;
        let mut ahead = texts.iter().skip(AHEAD);
        if !S::MASKS {
            return None;
        }
        let Gathered { bytes, ends: Bitset(bits), .. } = gathered;
        *bits = [0; BLOCKS];
        let (mut long, mut count, mut at) = ([0; ROOM / 64], 0, 0);
        // The word is kept in a register.
        let (mut block, mut word) = (0, 0);
        for ((text, len), end) in texts.iter().zip(lens).zip(ends).take(MOST) {
            let mut text = text.unwrap_or_default();
            *len = text.len();
            if let Some(Some(next)) = ahead.next() {
                fetch(next);
            }
            if text.len() > LONGEST {
                text = &[];
                if let Some(word) = long.get_mut(count / 64) {
                    *word |= 1_u64 << (count % 64);
                }
            }
            let stop = at + text.len();
            if stop >= BLOCKS * BLOCK {
                break;
            }
            let to = bytes.get_mut(at..)?;
            match to.first_chunk_mut() {
                Some(to) if text.len() <= AT_ONCE => copy(simd, text, to),
                _ => to.get_mut(..text.len())?.copy_from_slice(text),
            }
            *end = stop as u32;
            *bytes.get_mut(stop)? = SEPARATOR;
            word = if stop / BLOCK == block { word } else { 0 } | 1_u64 << (stop % BLOCK);
            block = stop / BLOCK;
            *bits.get_mut(block)? = word;
            at = stop + 1;
            count += 1;
        }
        Some(Taken { count, bytes: at, long })
    }
}
