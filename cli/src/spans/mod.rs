//! The addresses of many records at once, found by masks.
//!
//! A record is *regular* if its address is a part of it, without escapes. The search finds the spans of the addresses of
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

use std::io;

use simd_iri::batch::Spanned;

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

/// The records of a block. Its memory is used again for the next block.
#[derive(Debug, Default)]
pub(crate) struct Records {
    /// Where the address of each regular record is, in ascending order.
    spans: Vec<(u32, u32)>,
    /// Where each regular record begins.
    pub(crate) starts: Vec<u32>,
    /// Where each other record begins.
    others: Vec<u32>,
}

impl Records {
    fn clear(&mut self) {
        self.spans.clear();
        self.starts.clear();
        self.others.clear();
    }

    /// Returns the addresses of the regular records, if the block is the one whose records were found.
    pub(crate) fn items<'b>(&'b self, block: &'b [u8]) -> Option<Spanned<'b>> {
        Spanned::new(block, &self.spans)
    }

    /// Calls `each` with the start of every record that is not regular or whose address is in `selected`, in order, until
    /// it returns `false`. Returns the number of all other records before the end, or before the last call.
    ///
    /// # Errors
    /// The errors of `each`.
    // For example, the regular records begin at 0, 20 and 30, and another at 10. The address of the record at 30 is
    // selected. So `each` is called with 10 and 30, and the number is 2.
    pub(crate) fn each<'b>(
        &self,
        block: &'b [u8],
        selected: impl Iterator<Item = &'b [u8]>,
        mut each: impl FnMut(usize) -> io::Result<bool>,
    ) -> io::Result<u64> {
        let Self { spans, starts, others } = self;
        let mut others = others.iter().copied().peekable();
        let (mut next, mut called) = (0, 0);
        // The number of the regular records before a place that were passed by.
        let passed =
            |at: u32, called: u64| starts.partition_point(|start| *start < at) as u64 - called;
        for item in selected {
            // The item is a part of the block, so the difference of the addresses is its offset.
            let offset = item.as_ptr().addr() - block.as_ptr().addr();
            let rest = spans.get(next..).unwrap_or_default();
            next += rest.partition_point(|(start, _)| (*start as usize) < offset);
            let start = starts.get(next).copied().unwrap_or_default();
            while let Some(other) = others.next_if(|other| *other < start) {
                if !each(other as usize)? {
                    return Ok(passed(other, called));
                }
            }
            called += 1;
            next += 1;
            if !each(start as usize)? {
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
