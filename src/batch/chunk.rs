//! A chunk of up to 256 items: where they lie, and the results so far.
//!
//! Not here: where items come from (`items`), and what the batch does with them.

use core::ops::Range;

use super::bitset::ROOM;
use super::cursors::Want;
use super::found::Found;
use super::spans::Spans;
use super::window::Window;
use crate::parse::Rule;
use crate::scan::{CpuLevel, slice, utf8_whole};

/// Consecutive items of a source.
///
/// Invariant: the sets `null`, `ill_formed`, `unsure` and `wrong` are disjoint, and hold only numbers below
/// `found.len`. An item in none of the sets matches the rule.
// The window of `bytes` is last (`window`).
#[derive(Clone)]
#[repr(C)]
pub struct Chunk<'a> {
    /// Where the items lie and, if the caller wants them, the offsets of the items that are valid.
    pub(super) found: Found,
    /// The items that are null. They have no bytes.
    pub(super) null: ItemSet,
    /// The items that are not well-formed UTF-8.
    pub(super) ill_formed: ItemSet,
    /// The items that the ordinary parser must read.
    pub(super) unsure: ItemSet,
    /// The items that are known not to match the rule.
    pub(super) wrong: ItemSet,
    /// The bytes of the items.
    pub(super) bytes: ItemBytes<'a>,
}

/// The bytes of the items of a chunk: a buffer in which all items lie, or texts that lie anywhere. If there are such
/// texts, the buffer is empty, and each item is a whole text.
#[derive(Clone)]
#[repr(C)]
pub(crate) struct ItemBytes<'a> {
    pub(super) buffer: &'a [u8],
    pub(super) window: Window<'a>,
}

impl<'a> ItemBytes<'a> {
    /// The bytes of item `number`, whose place is in `spans`.
    #[inline(always)]
    pub(crate) fn of(&self, spans: &Spans, number: u8) -> &'a [u8] {
        match self.window.get(number) {
            Some(text) => text,
            None => slice::bytes(self.buffer, spans.get(number)),
        }
    }
}

impl<'a> Chunk<'a> {
    /// No item.
    // Not a constant, which would be copied as a whole.
    #[inline(always)]
    pub(super) fn empty() -> Self {
        Self {
            bytes: ItemBytes { buffer: &[], window: Window::none() },
            found: Found::none(),
            null: ItemSet::NONE,
            ill_formed: ItemSet::NONE,
            unsure: ItemSet::NONE,
            wrong: ItemSet::NONE,
        }
    }

    /// Where each item lies.
    pub(super) fn spans(&self) -> impl Iterator<Item = Range<usize>> {
        self.found.spans.first(self.found.len)
    }

    /// The bytes of item `number`.
    #[inline(always)]
    pub(super) fn item(&self, number: u8) -> &'a [u8] {
        self.bytes.of(&self.found.spans, number)
    }

    /// Finds the items that are not UTF-8.
    #[cold]
    pub(super) fn find_ill_formed(&mut self) {
        let mut ill_formed = ItemSet::NONE;
        for number in ItemSet::below(self.found.len) {
            ill_formed.set(number, utf8_whole(self.item(number)).is_none());
        }
        self.ill_formed = ill_formed;
    }

    /// Takes the next texts of the window as the items of this chunk, and decides as much as can be decided for all of
    /// them at once. `is_text` is whether each text is known to be UTF-8. Returns false if there are no more texts.
    pub(super) fn take_texts(
        &mut self,
        level: CpuLevel,
        rule: Rule,
        want: Want,
        is_text: bool,
    ) -> bool {
        (self.null, self.ill_formed) = (ItemSet::NONE, ItemSet::NONE);
        self.found.find_apart(level, rule, self.bytes.window.texts(), want);
        // An ASCII separator is not part of another character: if the whole is UTF-8, each item is UTF-8. Items that are
        // not copied are not part of the whole.
        let is_whole = |all| !self.found.has_long && utf8_whole(all).is_some();
        if !is_text && !self.found.is_ascii && !self.found.gathered().is_some_and(is_whole) {
            self.find_ill_formed();
        }
        self.judge(self.found.len);
        self.found.len > 0
    }

    /// Takes over from a search which of the first `len` items are unsure, and which are wrong.
    pub(super) fn judge(&mut self, len: usize) {
        let all = ItemSet::below(len).without(self.null).without(self.ill_formed);
        self.unsure = all.and(ItemSet(self.found.unsure));
        self.wrong = all.and(ItemSet(self.found.wrong)).without(self.unsure);
    }

    /// The items that are known to be valid without the ordinary parser.
    pub(super) fn sure(&self) -> ItemSet {
        let all = ItemSet::below(self.found.len).without(self.null).without(self.ill_formed);
        all.without(self.unsure).without(self.wrong)
    }
}

/// A set of items of a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ItemSet(pub(super) [u64; ROOM / 64]);

impl ItemSet {
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
impl Iterator for ItemSet {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let (at, word) = self.0.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        let number = at as u8 * 64 + word.trailing_zeros() as u8;
        *word &= *word - 1;
        Some(number)
    }
}
