//! The question whether a text has two bytes side by side, which most texts do not have.

/// Tells whether `is_found` holds for a byte of a text and the byte after it.
// The compiler turns the loop into SIMD if `is_found` has no branch, so `is_found` combines its parts with `&` and `|`.
// The loop does not end early.
#[inline]
pub(super) fn has_pair(text: &[u8], is_found: impl Fn(u8, u8) -> bool) -> bool {
    let seconds = text.get(1..).unwrap_or_default();
    text.iter().zip(seconds).fold(false, |found, (a, b)| found | is_found(*a, *b))
}
