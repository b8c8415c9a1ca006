//! Where the texts of a chunk lie in their buffer.
#![forbid(unsafe_code)]

use core::ops::Range;

use super::bitset::ROOM;

/// Where texts lie in their buffer, by number. Entries past the last text mean nothing.
#[derive(Clone, Debug)]
pub(crate) struct Spans {
    pub(crate) starts: [usize; ROOM],
    pub(crate) ends: [usize; ROOM],
}

impl Spans {
    /// No text.
    pub(crate) const NONE: Self = Self { starts: [0; ROOM], ends: [0; ROOM] };

    /// The range of text `number`.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "256 entries, indexed by a byte")]
    pub(crate) const fn get(&self, number: u8) -> Range<usize> {
        self.starts[number as usize]..self.ends[number as usize]
    }

    /// The range of each of the first `count` texts.
    pub(crate) fn first(&self, count: usize) -> impl Iterator<Item = Range<usize>> {
        self.starts.iter().zip(&self.ends).take(count).map(|(start, end)| *start..*end)
    }

    /// The range from the start of the first text to the end of the last of `count` texts.
    pub(crate) fn hull(&self, count: usize) -> Range<usize> {
        let end = count.checked_sub(1).and_then(|last| self.ends.get(last));
        let start = self.starts.first();
        start.copied().unwrap_or_default()..end.copied().unwrap_or_default()
    }

    /// Sets where text `number` lies.
    #[inline(always)]
    pub(super) fn put(&mut self, number: usize, span: Range<usize>) {
        if let (Some(start), Some(end)) = (self.starts.get_mut(number), self.ends.get_mut(number)) {
            (*start, *end) = (span.start, span.end);
        }
    }

    /// Sets where the texts lie. The first text begins at `from`. `ends` are relative to `from`, and `gap` bytes are
    /// between two texts. Returns the number of texts.
    #[inline(always)]
    pub(super) fn set(
        &mut self,
        from: usize,
        ends: impl Iterator<Item = usize>,
        gap: usize,
    ) -> usize {
        let count = self.ends.iter_mut().zip(ends).map(|(end, place)| *end = from + place).count();
        let [first, starts @ ..] = &mut self.starts;
        *first = from;
        starts.iter_mut().zip(&self.ends).for_each(|(start, end)| *start = end.wrapping_add(gap));
        count
    }
}
