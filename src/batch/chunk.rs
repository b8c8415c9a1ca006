//! A chunk of up to 256 items: where they lie, and the results so far.
//!
//! Not here: where items come from (`items`), and what the batch does with them.

use core::ops::Range;

use super::bitset::ROOM;
use super::found::Found;
use crate::scan::utf8_whole;

/// Consecutive items of a source.
///
/// Invariant: the sets `null`, `ill_formed`, `unsure` and `wrong` are disjoint, and hold only numbers below
/// `found.len`. An item in none of the sets matches the rule.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Where the items lie and, if the caller wants them, the offsets of the items that are valid.
    pub(super) found: Found,
    /// The items that are null. They have no bytes.
    pub(super) null: Bits,
    /// The items that are not well-formed UTF-8.
    pub(super) ill_formed: Bits,
    /// The items that the ordinary parser must read.
    pub(super) unsure: Bits,
    /// The items that are known not to match the rule.
    pub(super) wrong: Bits,
}

impl Chunk {
    /// No item.
    pub(super) const EMPTY: Self = Self {
        found: Found::NONE,
        null: Bits::NONE,
        ill_formed: Bits::NONE,
        unsure: Bits::NONE,
        wrong: Bits::NONE,
    };

    /// Where each item lies.
    pub(super) fn spans(&self) -> impl Iterator<Item = Range<usize>> {
        self.found.spans.first(self.found.len)
    }

    /// Finds the items that are not UTF-8.
    #[cold]
    pub(super) fn find_ill_formed(&mut self, buffer: &[u8]) {
        let mut ill_formed = Bits::NONE;
        for (number, span) in self.spans().enumerate() {
            let is_utf8 = buffer.get(span).is_some_and(|item| utf8_whole(item).is_some());
            ill_formed.set(number as u8, !is_utf8);
        }
        self.ill_formed = ill_formed;
    }

    /// Takes over from a search which of the first `len` items are unsure, and which are wrong.
    pub(super) fn judge(&mut self, len: usize) {
        let all = Bits::below(len).without(self.null).without(self.ill_formed);
        self.unsure = all.and(Bits(self.found.unsure));
        self.wrong = all.and(Bits(self.found.wrong)).without(self.unsure);
    }

    /// The items that are known to be valid without the ordinary parser.
    pub(super) fn sure(&self) -> Bits {
        let all = Bits::below(self.found.len).without(self.null).without(self.ill_formed);
        all.without(self.unsure).without(self.wrong)
    }
}

/// A set of items of a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bits(pub(super) [u64; ROOM / 64]);

impl Bits {
    /// No item.
    pub(super) const NONE: Self = Self([0; ROOM / 64]);

    /// The first `len` items.
    pub(super) fn below(len: usize) -> Self {
        let mut all = Self::NONE;
        for (word, base) in all.0.iter_mut().zip((0..).step_by(64)) {
            *word = match len.saturating_sub(base) {
                rest @ 0..64 => !(!0 << rest),
                _ => !0,
            };
        }
        all
    }

    /// Adds an item if `there` is true.
    #[inline(always)]
    pub(super) fn set(&mut self, number: u8, there: bool) {
        if let Some(word) = self.0.get_mut(usize::from(number / 64)) {
            *word |= u64::from(there) << (number % 64);
        }
    }

    /// Tells whether an item is in the set.
    #[inline(always)]
    pub(super) fn contains(&self, number: u8) -> bool {
        self.0.get(usize::from(number / 64)).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// The number of items.
    pub(super) fn size(self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Tells whether there is no item.
    pub(super) fn is_empty(self) -> bool {
        self.0 == Self::NONE.0
    }

    /// The items that are not in `others`.
    pub(super) fn without(self, others: Self) -> Self {
        let mut rest = self;
        rest.0.iter_mut().zip(others.0).for_each(|(word, other)| *word &= !other);
        rest
    }

    /// The items that are in both sets.
    pub(super) fn and(self, others: Self) -> Self {
        let mut both = self;
        both.0.iter_mut().zip(others.0).for_each(|(word, other)| *word &= other);
        both
    }

    /// The items that are in either set.
    pub(super) fn or(self, other: Self) -> Self {
        let mut both = self;
        both.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
        both
    }
}

/// Removes and returns the first item.
impl Iterator for Bits {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let (at, word) = self.0.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        let number = at as u8 * 64 + word.trailing_zeros() as u8;
        *word &= *word - 1;
        Some(number)
    }
}
