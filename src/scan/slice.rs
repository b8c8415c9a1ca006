//! A piece of a text between two offsets, in `const` code.
//!
//! `str::get` is not `const` in Rust 1.85, and components of constants are constants.

/// The piece of `text` from the byte `start` to the byte `end`; `None` if they lie outside the text, in
/// the wrong order, or inside a character.
#[inline]
pub(crate) const fn slice(text: &str, start: usize, end: usize) -> Option<&str> {
    let Some((head, after)) = text.as_bytes().split_at_checked(end) else { return None };
    let Some((_, piece)) = head.split_at_checked(start) else { return None };
    let begins_well = match piece {
        // An empty piece lies where the text after it begins.
        [] => is_boundary(after),
        piece => is_boundary(piece),
    };
    if !begins_well || !is_boundary(after) {
        return None;
    }
    // SAFETY: `text` is well-formed UTF-8, and both ends of the piece are character boundaries: the bytes
    // there are no continuation bytes, or the text ends there.
    Some(unsafe { core::str::from_utf8_unchecked(piece) })
}

/// Tells whether a character of well-formed UTF-8 begins where these bytes do, or the text ends there.
const fn is_boundary(rest: &[u8]) -> bool {
    match rest {
        [first, ..] => *first & 0b1100_0000 != 0b1000_0000,
        [] => true,
    }
}

#[cfg(test)]
mod tests {
    use super::slice;

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
}
