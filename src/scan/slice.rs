//! Slices of a text or of bytes whose range the caller knows to be right.
//!
//! A range that is wrong breaks an invariant of the caller. With debug assertions, which tests and fuzzing
//! have, that is a panic at the caller's line; without them, the slice is empty.

use core::slice::SliceIndex;

/// Returns the part of `text` in a range of byte offsets that lies in the text, on character boundaries.
#[cfg(feature = "alloc")]
#[cfg_attr(optimized, inline(always))]
#[track_caller]
pub(crate) fn text<R: SliceIndex<str, Output = str>>(text: &str, range: R) -> &str {
    let part = text.get(range);
    debug_assert!(part.is_some(), "the range lies in the text, on character boundaries");
    part.unwrap_or_default()
}

/// [`text()`] of a text that may be changed.
#[cfg(feature = "alloc")]
#[cfg_attr(optimized, inline(always))]
#[track_caller]
pub(crate) fn text_mut<R: SliceIndex<str, Output = str>>(text: &mut str, range: R) -> &mut str {
    let part = text.get_mut(range);
    debug_assert!(part.is_some(), "the range lies in the text, on character boundaries");
    part.unwrap_or_default()
}

/// Returns the parts of `text` before and after a byte offset in it that is a character boundary.
#[cfg(feature = "alloc")]
#[cfg_attr(optimized, inline(always))]
#[track_caller]
pub(crate) fn split(text: &str, at: usize) -> (&str, &str) {
    let parts = text.split_at_checked(at);
    debug_assert!(parts.is_some(), "the offset lies in the text, on a character boundary");
    parts.unwrap_or_default()
}

/// Returns the part of `bytes` in a range that lies in them.
#[cfg_attr(optimized, inline(always))]
#[track_caller]
pub(crate) fn bytes<R: SliceIndex<[u8], Output = [u8]>>(bytes: &[u8], range: R) -> &[u8] {
    let part = bytes.get(range);
    debug_assert!(part.is_some(), "the range lies in the bytes");
    part.unwrap_or_default()
}

/// Returns the part of `text` from the byte `start` to the byte `end`. Returns `None` if they lie outside
/// the text, in the wrong order, or inside a character.
///
/// It is what `str::get` does, which is not `const` in Rust 1.85: components of constants are constants.
#[inline]
pub(crate) const fn slice(text: &str, start: usize, end: usize) -> Option<&str> {
    let Some((head, after)) = text.as_bytes().split_at_checked(end) else { return None };
    let Some((_, part)) = head.split_at_checked(start) else { return None };
    let begins_well = match part {
        // An empty part lies where the text after it begins.
        [] => is_boundary(after),
        part => is_boundary(part),
    };
    if !begins_well || !is_boundary(after) {
        return None;
    }
    // SAFETY: `text` is well-formed UTF-8, and both ends of the part are character boundaries: the bytes
    // there are no continuation bytes, or the text ends there.
    Some(unsafe { core::str::from_utf8_unchecked(part) })
}

/// Tells whether well-formed UTF-8 that ends with `rest` has a character boundary before it.
const fn is_boundary(rest: &[u8]) -> bool {
    match rest {
        [first, ..] => *first & 0b1100_0000 != 0b1000_0000,
        [] => true,
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn it_is_what_the_standard_library_finds() {
        for text in ["", "a", "é", "aé例😀b"] {
            for start in 0..=text.len() + 1 {
                for end in 0..=text.len() + 1 {
                    let expected = if start <= end { text.get(start..end) } else { None };
                    assert_eq!(slice(text, start, end), expected, "{text} {start} {end}");
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

    #[test]
    fn a_wrong_range_panics_with_debug_assertions_and_is_empty_without() {
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
