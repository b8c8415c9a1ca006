//! Reads the character at or before a position. All of `detect` reads through these functions, so that a
//! test can count the reads.

use crate::scan::{prefix, slice};
use crate::tables::AsciiSet;

/// The character at a place.
#[inline]
pub(crate) fn char_at(text: &str, at: usize) -> Option<char> {
    count(1);
    text.get(at..)?.chars().next()
}

/// The character before a place.
#[inline]
pub(crate) fn char_before(text: &str, at: usize) -> Option<char> {
    count(1);
    text.get(..at)?.chars().next_back()
}

/// How many members of a set follow one another from a place on.
#[inline]
pub(crate) fn run_at(text: &str, at: usize, set: &AsciiSet) -> usize {
    let rest = slice::bytes(text.as_bytes(), at..);
    let length = prefix(rest, set, &AsciiSet::EMPTY);
    count(length + 1);
    length
}

/// How many members of a set follow one another up to a place, from a floor on.
#[inline]
pub(crate) fn run_before(text: &str, at: usize, floor: usize, set: &AsciiSet) -> usize {
    let before = slice::bytes(text.as_bytes(), floor..at);
    let length = before.iter().rev().take_while(|byte| set.contains(**byte)).count();
    count(length + 1);
    length
}

/// Counts characters that were read in another way.
#[cfg(not(all(test, feature = "std")))]
#[inline]
pub(crate) const fn count(_: usize) {}

/// Counts characters that were read in another way.
#[cfg(all(test, feature = "std"))]
pub(crate) fn count(read: usize) {
    READ.set(READ.get() + read);
}

#[cfg(all(test, feature = "std"))]
std::thread_local! {
    /// How many characters were read in this thread.
    pub(crate) static READ: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}
