//! One bit for each item of a batch.

use alloc::vec::Vec;

use super::chunk::ItemSet;

/// The number of bits in a word.
const WORD: usize = 64;

/// One bit for each item, in order, in the layout that Apache Arrow has: bit *i* % 64 of word *i* / 64, and
/// the lowest bit first. [`Batch::validity`](super::Batch::validity) fills it.
///
/// ```
/// use simd_iri::{Rule, batch::{Batch, Bitmap, Separated}};
///
/// let mut valid = Bitmap::new();
/// Batch::new(Rule::Iri).validity(Separated::lines(b"a:b\nc\nd:e\n"), &mut valid);
/// assert_eq!((valid.len(), valid.count(), valid.words()), (3, 2, &[0b101][..]));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bitmap {
    /// Invariants: there are as many words as `len` bits need, and the bits from `len` on are 0.
    words: Vec<u64>,
    len: usize,
}

impl Bitmap {
    /// Returns a bitmap without a bit. Allocates nothing.
    ///
    /// ```
    /// # use simd_iri::batch::Bitmap;
    /// assert!(Bitmap::new().is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a bitmap without a bit, with room for `bits` bits. Allocates only this room.
    ///
    /// ```
    /// # use simd_iri::batch::Bitmap;
    /// assert_eq!(Bitmap::with_capacity(1000).len(), 0);
    /// ```
    #[must_use]
    pub fn with_capacity(bits: usize) -> Self {
        Self { words: Vec::with_capacity(bits.div_ceil(WORD)), len: 0 }
    }

    /// Returns the number of bits.
    ///
    /// ```
    /// # use simd_iri::batch::Bitmap;
    /// assert_eq!(Bitmap::new().len(), 0);
    /// ```
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Tells whether there is no bit.
    ///
    /// ```
    /// # use simd_iri::batch::Bitmap;
    /// assert!(Bitmap::new().is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the bit of an item, or `None` if there is no such item.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Bitmap}};
    /// # let mut valid = Bitmap::new();
    /// Batch::new(Rule::Iri).validity(&["a:b", "c"], &mut valid);
    /// assert_eq!([valid.get(0), valid.get(1), valid.get(2)], [Some(true), Some(false), None]);
    /// ```
    #[must_use]
    pub fn get(&self, item: usize) -> Option<bool> {
        let word = self.words.get(item / WORD).filter(|_| item < self.len)?;
        Some(word >> (item % WORD) & 1 == 1)
    }

    /// Returns the number of bits that are set. One pass over the words.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Bitmap}};
    /// # let mut valid = Bitmap::new();
    /// Batch::new(Rule::Iri).validity(&["a:b", "c"], &mut valid);
    /// assert_eq!(valid.count(), 1);
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the bits. The bits after the last item are 0.
    ///
    /// ```
    /// # use simd_iri::batch::Bitmap;
    /// assert!(Bitmap::new().words().is_empty());
    /// ```
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the same bits as [`Bitmap::words`], with their memory. Copies nothing.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Bitmap}};
    /// # let mut valid = Bitmap::new();
    /// Batch::new(Rule::Iri).validity(&["a:b"], &mut valid);
    /// assert_eq!(valid.into_words(), [1]);
    /// ```
    #[must_use]
    pub fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// Removes all bits and keeps the memory.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Bitmap}};
    /// # let mut valid = Bitmap::new();
    /// Batch::new(Rule::Iri).validity(&["a:b"], &mut valid);
    /// valid.clear();
    /// assert!(valid.is_empty());
    /// ```
    pub fn clear(&mut self) {
        self.words.clear();
        self.len = 0;
    }

    /// Appends the first `count` bits of a chunk. The other bits of the chunk are 0.
    pub(super) fn append(&mut self, bits: ItemSet, count: usize) {
        let shift = self.len % WORD;
        self.len += count;
        for word in bits.0.into_iter().take(count.div_ceil(WORD)) {
            match self.words.last_mut() {
                Some(last) if shift > 0 => {
                    *last |= word << shift;
                    self.words.push(word >> (WORD - shift));
                }
                _ => self.words.push(word),
            }
        }
        self.words.truncate(self.len.div_ceil(WORD));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_of_any_length_follow_one_another() {
        for first in 0..=256 {
            for second in [0, 1, 63, 64, 65, 200, 256] {
                let mut bitmap = Bitmap::new();
                let chunk = ItemSet([0x5555_5555_5555_5555, 3, 0, !0]);
                let mut expected = Vec::new();
                for count in [first, second, 3] {
                    bitmap.append(chunk.and(ItemSet::below(count)), count);
                    expected.extend((0..count).map(|item| chunk.contains(item as u8)));
                }
                let bits = (0..bitmap.len()).map(|item| bitmap.get(item) == Some(true));
                assert_eq!(bits.collect::<Vec<_>>(), expected);
                assert_eq!(bitmap.words().len(), bitmap.len().div_ceil(WORD));
                assert_eq!(bitmap.count(), expected.iter().filter(|bit| **bit).count());
            }
        }
    }
}
