//! The characters at and before a place. All of detection reads by these two, so that a test can count
//! how often.

/// The character at a place.
#[inline]
pub(super) fn char_at(text: &str, at: usize) -> Option<char> {
    counted();
    text.get(at..)?.chars().next()
}

/// The character before a place.
#[inline]
pub(super) fn char_before(text: &str, at: usize) -> Option<char> {
    counted();
    text.get(..at)?.chars().next_back()
}

#[cfg(not(all(test, feature = "std")))]
#[inline]
const fn counted() {}

#[cfg(all(test, feature = "std"))]
fn counted() {
    READ.set(READ.get() + 1);
}

#[cfg(all(test, feature = "std"))]
std::thread_local! {
    /// How many characters were read in this thread.
    pub(super) static READ: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}
