//! Values that an invariant of the program guarantees, such as a part of a text between offsets that lie in
//! it. Not for values that may be absent.

/// Returns a value that is never absent. In debug builds, and so in tests, an absent value panics; in
/// release builds it is empty.
#[track_caller]
pub(crate) fn present<T: Default>(value: Option<T>) -> T {
    debug_assert!(value.is_some(), "an invariant is broken");
    value.unwrap_or_default()
}
