//! Slices of a text or of bytes whose range the caller knows to be right.
//!
//! A wrong range breaks an invariant of the caller. With debug assertions, as in tests and fuzzing, a wrong range
//! panics at the caller's line. Without debug assertions, the slice is empty.

use core::slice::SliceIndex;

/// Returns the part of `text` in a range of byte offsets that lies in the text, on character boundaries.
#[inline(always)]
#[track_caller]
pub fn text<R: SliceIndex<str, Output = str>>(text: &str, range: R) -> &str {
    let part = text.get(range);
    debug_assert!(part.is_some(), "the range lies in the text, on character boundaries");
    part.unwrap_or_default()
}

/// [`text()`] of a text that may be changed.
#[inline(always)]
#[track_caller]
pub(crate) fn text_mut<R: SliceIndex<str, Output = str>>(text: &mut str, range: R) -> &mut str {
    let part = text.get_mut(range);
    debug_assert!(part.is_some(), "the range lies in the text, on character boundaries");
    part.unwrap_or_default()
}

/// Returns the parts of `text` before and after a byte offset in it that is a character boundary.
#[inline(always)]
#[track_caller]
pub fn split(text: &str, at: usize) -> (&str, &str) {
    let parts = text.split_at_checked(at);
    debug_assert!(parts.is_some(), "the offset lies in the text, on a character boundary");
    parts.unwrap_or_default()
}

/// Returns the part of `bytes` in a range that lies in them.
#[inline(always)]
#[track_caller]
pub fn bytes<R: SliceIndex<[u8], Output = [u8]>>(bytes: &[u8], range: R) -> &[u8] {
    let part = bytes.get(range);
    debug_assert!(part.is_some(), "the range lies in the bytes");
    part.unwrap_or_default()
}

/// Returns the part of `text` from the byte `start` to the byte `end`. Returns the empty text if these offsets lie
/// outside the text, in the wrong order, or inside a character.
///
/// It is [`text()`] with a range, but `str::get` is not `const` in Rust 1.85, and components of constants are
/// constants. An empty part is the empty text wherever it lies, so only a part that is not empty is
/// checked. In such a part, there is a byte at `start`.
///
/// Measured: `docs/performance/notes.md`, "Components of a view".
#[inline]
#[expect(clippy::indexing_slicing, reason = "compared with the length before")]
pub(crate) const fn part(text: &str, start: usize, end: usize) -> &str {
    let bytes = text.as_bytes();
    let is_inside = start < end && end <= bytes.len();
    if !is_inside
        || is_continuation(bytes[start])
        || end < bytes.len() && is_continuation(bytes[end])
    {
        return "";
    }
    // SAFETY: `start < end <= text.len()`, so the part lies in the text. The text is well-formed UTF-8, and
    // both ends of the part are character boundaries: the bytes there are no continuation bytes, or the text
    // ends there.
    unsafe {
        let bytes = core::slice::from_raw_parts(bytes.as_ptr().add(start), end - start);
        core::str::from_utf8_unchecked(bytes)
    }
}

/// Tells whether a byte of well-formed UTF-8 is not the first byte of a character.
const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_the_standard_library_finds() {
        for text in ["", "a", "é", "aé例😀b"] {
            for start in 0..=text.len() + 1 {
                for end in 0..=text.len() + 1 {
                    let expected = if start <= end { text.get(start..end) } else { None };
                    let expected = expected.unwrap_or_default();
                    assert_eq!(part(text, start, end), expected, "{text} {start} {end}");
                }
            }
        }
    }

    #[test]
    fn a_right_range_gives_its_part() {
        assert_eq!(text("aéb", 1..3), "é");
        assert_eq!(text_mut(&mut String::from("aéb"), ..3), "aé");
        assert_eq!(split("aéb", 3), ("aé", "b"));
        assert_eq!(bytes(b"abc", 1..), b"bc");
    }

    #[cfg(panic = "unwind")]
    #[test]
    fn a_wrong_range_panics_with_debug_assertions_and_is_empty_without() {
        use std::panic::catch_unwind;

        let debug = cfg!(debug_assertions);
        let given = [
            catch_unwind(|| text("é", 1..).len()),
            catch_unwind(|| text_mut(&mut String::from("é"), 3..).len()),
            catch_unwind(|| split("é", 1).1.len()),
            catch_unwind(|| bytes(b"abc", 4..).len()),
        ];
        for result in given {
            assert_eq!(result.ok(), (!debug).then_some(0));
        }
    }
}
