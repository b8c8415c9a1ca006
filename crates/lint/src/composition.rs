//! Whether normalization form C keeps a character after another one.
//!
//! Not here: whether a character may compose at all, which the engine knows (`may_compose`).

use core::iter;

use unicode_normalization::char::compose;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Tells whether normalization form C keeps the character `c` right after the character `before`. For `c`,
/// `may_compose` holds and `is_reordered` does not. The text up to `before` is in normalization form C.
///
/// A character that is not reordered can only compose with the character right before it (UAX #15, definition D115):
/// U+09BE after U+09AC stays, and after U+09C7 it does not. A character that has a decomposition may come apart, and
/// its first part may compose, as U+113C5 after U+1138B. So a character with a decomposition never counts as a
/// character that stays.
pub(crate) fn stays_after(before: char, c: char) -> bool {
    let is_whole = || iter::once(c).nfd().eq(iter::once(c));
    is_nfc_quick(iter::once(c)) == IsNormalized::Maybe && compose(before, c).is_none() && is_whole()
}

#[cfg(test)]
mod tests {
    use super::stays_after;
    use simd_iri::low::{is_reordered, may_compose};

    #[test]
    fn a_character_stays_where_normalization_keeps_it() {
        let all = || '\0'..=char::MAX;
        let joins = |c: &char| may_compose(*c) && !is_reordered(*c);
        let normal = |text: &str| unicode_normalization::is_nfc(text);
        let mut count = [0; 2];
        for c in all().filter(joins) {
            // The characters up to the last character that composes, except ideographs.
            for before in ('\0'..'\u{3400}').chain('\u{A000}'..'\u{17000}') {
                let text = String::from_iter([before, c]);
                if normal(&before.to_string()) {
                    let stays = stays_after(before, c);
                    assert!(!stays || normal(&text), "{text:?}");
                    // Nothing composes with ASCII, so that it stands for any character with which `c` does not.
                    assert!(
                        normal(&text) || !before.is_ascii() || !normal(&c.to_string()),
                        "{text:?}"
                    );
                    count[usize::from(stays)] += 1;
                }
            }
        }
        assert!(count[0] > 1_000 && count[1] > 1_000, "{count:?}");
    }
}
