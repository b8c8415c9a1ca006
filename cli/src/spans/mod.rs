//! The addresses of many records at once, found by masks.
//!
//! A record is *regular* if its addresses are parts of it, without escapes. The search finds the spans of the addresses of
//! regular records, for a batch of the library. All other records are left to the reader of the format (`format`), which
//! defines what a record is:
//!
//! ```text
//! a block ──▶ masks ──▶ spans of regular records ──▶ a batch ──▶ the records that fail or change ─┐
//!                  └──▶ other records ─────────────────────────────────────────────────────────────┴─▶ read one by one
//! ```
//!
//! Not here: the reader of a format.

pub(crate) mod csv;
pub(crate) mod json;
pub(crate) mod log;
pub(crate) mod ntriples;

use std::ops::Range;

use memchr::memchr;
use simd_iri::batch::Spanned;
use simd_iri::low::{AsciiSet, BLOCK, Block, Cpu, Job};
use simd_iri::parser::CpuLevel;

/// Where an address begins, and where it ends.
type Span = (u32, u32);

/// Returns a mask whose bit `i` is the parity of the bits of `mask` up to and with bit `i`. If `mask` has the quotes of a
/// block, the result has the bytes inside quotes: each first quote, and not the quote that ends its part.
///
/// ```text
/// bytes       a  ,  "  b  ,  c  "  ,
/// quotes      .  .  1  .  .  .  1  .
/// result      .  .  1  1  1  1  .  .
/// ```
///
/// A multiplication without carries by a mask of ones has the same result. No CPU level of the library has this
/// instruction: `x86-64-v3` and the first CPUs with NEON lack it.
#[inline(always)]
const fn prefix_xor(mask: u64) -> u64 {
    let mask = mask ^ mask << 1;
    let mask = mask ^ mask << 2;
    let mask = mask ^ mask << 4;
    let mask = mask ^ mask << 8;
    let mask = mask ^ mask << 16;
    mask ^ mask << 32
}

/// The lowest bit of a mask, or zero if there is none.
#[inline(always)]
const fn lowest(mask: u64) -> u64 {
    mask & mask.wrapping_neg()
}

/// A format whose records are lines.
pub(crate) trait Lines {
    /// Finds the line that begins at `at`, and appends the spans of its addresses. Returns where the next line begins, or
    /// `None` if the line is not regular or is not found within whole blocks. Then the spans that it appended mean nothing.
    ///
    /// Implementations are `#[inline(always)]`.
    fn line<S: Cpu>(&self, simd: S, text: &[u8], at: usize, spans: &mut Vec<Span>)
    -> Option<usize>;
}

/// Finds the lines from `from` on, where a line begins. Returns `false` if the lines cannot be found by masks: the CPU level
/// has none, or the text is too long.
pub(crate) fn lines(
    level: CpuLevel,
    (text, from): (&[u8], usize),
    format: &impl Lines,
    records: &mut Records,
) -> bool {
    records.clear();
    u32::try_from(text.len()).is_ok() && level.run_on(FindLines { from, format, records }, text)
}

/// [`lines`] as a job.
struct FindLines<'r, L> {
    from: usize,
    format: &'r L,
    records: &'r mut Records,
}

impl<L: Lines> Job for FindLines<'_, L> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> bool {
        if !S::MASKS {
            return false;
        }
        let Self { from: mut at, format, records } = self;
        let Records { spans, starts, ends, others, .. } = records;
        while at < text.len() {
            let before = spans.len();
            if let Some(end) = format.line(simd, text, at, spans) {
                if spans.len() > before {
                    starts.push(at as u32);
                    ends.push(end as u32);
                }
                at = end;
            } else {
                spans.truncate(before);
                others.push(at as u32);
                let rest = text.get(at..).unwrap_or_default();
                at += memchr(b'\n', rest).map_or(rest.len(), |length| length + 1);
            }
        }
        true
    }
}

/// Returns the place of the first member of `set` from `at` on, in whole blocks.
#[inline(always)]
fn first<S: Cpu>(simd: S, text: &[u8], mut at: usize, set: &AsciiSet) -> Option<usize> {
    loop {
        let block = text.get(at..)?.first_chunk::<BLOCK>()?;
        let mask = simd.load(block, 0).ascii(set);
        if mask != 0 {
            return Some(at + mask.trailing_zeros() as usize);
        }
        at += BLOCK;
    }
}

/// The records of a block. Its memory is used again for the next block.
///
/// A record without an address that needs none is in neither list.
#[derive(Debug, Default)]
pub(crate) struct Records {
    /// Where the addresses of the regular records are, in ascending order.
    spans: Vec<Span>,
    /// Where each regular record with an address begins.
    pub(crate) starts: Vec<u32>,
    /// Where each of these records ends.
    ends: Vec<u32>,
    /// Where each other record begins.
    others: Vec<u32>,
    /// A mask for each 64 bytes, if the search has two steps: what the first step found.
    masks: Vec<u64>,
}

impl Records {
    fn clear(&mut self) {
        self.spans.clear();
        self.starts.clear();
        self.ends.clear();
        self.others.clear();
    }

    /// Returns the addresses of the regular records, if the block is the one whose records were found.
    pub(crate) fn items<'b>(&'b self, block: &'b [u8]) -> Option<Spanned<'b>> {
        Spanned::new(block, &self.spans)
    }

    /// Returns the same addresses one by one.
    pub(crate) fn texts<'b>(&'b self, block: &'b [u8]) -> impl Iterator<Item = &'b [u8]> {
        self.spans.iter().filter_map(|(start, end)| block.get(*start as usize..*end as usize))
    }

    /// Returns the regular records and their addresses, if each of them has one address.
    pub(crate) fn pairs(&self) -> Option<impl Iterator<Item = (Range<usize>, Range<usize>)> + '_> {
        let range = |(start, end): (&u32, &u32)| *start as usize..*end as usize;
        let records = self.starts.iter().zip(&self.ends).map(range);
        let spans = self.spans.iter().map(|(start, end)| *start as usize..*end as usize);
        (self.spans.len() == self.starts.len()).then(|| records.zip(spans))
    }

    /// Calls `each` with the start of every record that is not regular or has an address in `selected`, in order, until it
    /// returns `false`. Returns the number of all other records with an address before the end, or before the last call.
    ///
    /// # Errors
    /// The errors of `each`.
    // For example, the regular records begin at 0, 20 and 30, and another at 10. Two addresses of the record at 30 are
    // selected. So `each` is called with 10 and 30, and the number is 2.
    pub(crate) fn each<'b, E>(
        &self,
        block: &'b [u8],
        selected: impl Iterator<Item = &'b [u8]>,
        mut each: impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<u64, E> {
        let Self { starts, others, .. } = self;
        let mut others = others.iter().copied().peekable();
        let (mut next, mut called) = (0, 0);
        // The number of the regular records before a place that were passed by.
        let passed =
            |at: u32, called: u64| starts.partition_point(|start| *start < at) as u64 - called;
        for item in selected {
            // The item is a part of the block, so the difference of the addresses is its offset.
            let offset = item.as_ptr().addr() - block.as_ptr().addr();
            // Its record is the last that does not begin after it.
            let rest = starts.get(next..).unwrap_or_default();
            let count = rest.partition_point(|start| *start as usize <= offset);
            let Some(start) = count.checked_sub(1).and_then(|last| rest.get(last)) else {
                // The record was visited for the address before.
                continue;
            };
            next += count;
            while let Some(other) = others.next_if(|other| other < start) {
                if !each(other as usize)? {
                    return Ok(passed(other, called));
                }
            }
            called += 1;
            if !each(*start as usize)? {
                return Ok(next as u64 - called);
            }
        }
        for other in others {
            if !each(other as usize)? {
                return Ok(passed(other, called));
            }
        }
        Ok(starts.len() as u64 - called)
    }
}

#[cfg(test)]
mod tests {
    use super::prefix_xor;

    #[test]
    fn a_prefix_is_the_parity_of_the_bits_before() {
        let mut mask = 1_u64;
        for _ in 0..10_000 {
            mask = mask.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let parity = |bit: u32| u64::from((mask << (63 - bit)).count_ones() % 2) << bit;
            assert_eq!(prefix_xor(mask), (0..64).map(parity).sum::<u64>(), "{mask:x}");
        }
    }
}
