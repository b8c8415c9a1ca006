//! Reads the character at or before a position. `detect` reads through these functions or calls `count`, so
//! that a test can count the reads.

use simd_iri::low::{AsciiSet, prefix, slice};

/// Returns the character at an offset.
#[inline]
pub(crate) fn char_at(text: &str, at: usize) -> Option<char> {
    count(1);
    text.get(at..)?.chars().next()
}

/// Returns the character before an offset.
#[inline]
pub(crate) fn char_before(text: &str, at: usize) -> Option<char> {
    count(1);
    text.get(..at)?.chars().next_back()
}

/// Returns the number of consecutive members of a set from an offset on.
#[inline]
pub(crate) fn run_at(text: &str, at: usize, set: &AsciiSet) -> usize {
    let rest = slice::bytes(text.as_bytes(), at..);
    let length = prefix(rest, set);
    count(length + 1);
    length
}

/// Returns the number of consecutive members of a set before an offset, at or after `floor`.
#[inline]
pub(crate) fn run_before(text: &str, at: usize, floor: usize, set: &AsciiSet) -> usize {
    let before = slice::bytes(text.as_bytes(), floor..at);
    let length = before.iter().rev().take_while(|byte| set.contains(**byte)).count();
    count(length + 1);
    length
}

/// Counts characters that were read without these functions. Only tests count.
#[cfg(not(test))]
#[inline]
pub(crate) const fn count(_: usize) {}

/// Counts characters that were read without these functions.
#[cfg(test)]
pub(crate) fn count(read: usize) {
    READ.set(READ.get() + read);
}

#[cfg(test)]
std::thread_local! {
    /// The number of characters that were read in this thread.
    pub(crate) static READ: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}
