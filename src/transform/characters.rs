//! Reasons not to write a character as itself, and the places where a text may be split before it is normalized.
//!
//! The crate `icu_properties` has the properties, and `unicode-normalization` the normal forms. Not here: the use of
//! the answers (`triplets`, `check`).

use core::iter;

use icu_properties::props::{DefaultIgnorableCodePoint, Deprecated, GeneralCategory, WhiteSpace};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_normalization::char::{canonical_combining_class, compose};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::bidi_controls::is_bidi_control;
use super::remembered::Remembered;

/// The reason not to write a character as itself (RFC 3987, section 6.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Oddity {
    /// Unicode deprecates it.
    Deprecated,
    /// It is white space.
    Space,
    /// No character is assigned to the code point.
    Unassigned,
    /// It is invisible: `Default_Ignorable_Code_Point`.
    Invisible,
    /// It is a private-use character, which has no meaning outside an agreement.
    Private,
    /// Normalization form KC replaces it by other characters.
    Compatibility,
}

impl Oddity {
    const ALL: [Self; 6] = [
        Self::Deprecated,
        Self::Space,
        Self::Unassigned,
        Self::Invisible,
        Self::Private,
        Self::Compatibility,
    ];
}

/// Returns the first reason not to write a character as itself. Returns `None` for ASCII characters. Returns `None`
/// for bidi formatting characters too, because they have checks of their own.
///
/// PERF: five tables have the properties. In a text of one script, characters repeat, so the answers are remembered.
pub fn oddity(c: char) -> Option<Oddity> {
    static ANSWERS: Remembered =
        Remembered::new(|c| looked_up(c).map_or(0, |found| found as u32 + 1));
    if c.is_ascii() {
        return None;
    }
    let number = ANSWERS.get(c).checked_sub(1)?;
    Oddity::ALL.into_iter().find(|oddity| *oddity as u32 == number)
}

/// [`oddity`], from the tables.
fn looked_up(c: char) -> Option<Oddity> {
    if c.is_ascii() || is_bidi_control(c) {
        return None;
    }
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    if CodePointSetData::new::<Deprecated>().contains(c) {
        Some(Oddity::Deprecated)
    } else if CodePointSetData::new::<WhiteSpace>().contains(c) {
        Some(Oddity::Space)
    } else if category == GeneralCategory::Unassigned {
        Some(Oddity::Unassigned)
    } else if CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c) {
        Some(Oddity::Invisible)
    } else if category == GeneralCategory::PrivateUse {
        Some(Oddity::Private)
    } else if !iter::once(c).nfkd().eq(iter::once(c).nfd()) {
        Some(Oddity::Compatibility)
    } else {
        None
    }
}

/// Tells whether normalization form C of a text that begins with this character does not depend on the text before
/// it.
pub(super) fn starts_anew(c: char) -> bool {
    !is_reordered(c) && !may_compose(c)
}

/// Tells whether normalization may reorder this character and an adjacent character for which this function holds.
pub fn is_reordered(c: char) -> bool {
    canonical_combining_class(c) != 0
}

/// Tells whether normalization form C may replace this character, alone or after another character.
pub fn may_compose(c: char) -> bool {
    is_nfc_quick(iter::once(c)) != IsNormalized::Yes
}

/// Tells whether normalization form C keeps the character `c` right after the character `before`. For `c`,
/// [`may_compose`] holds and [`is_reordered`] does not. The text up to `before` is in normalization form C.
///
/// A character that is not reordered can only compose with the character right before it (UAX #15, definition D115):
/// U+09BE after U+09AC stays, and after U+09C7 it does not. A character that has a decomposition may come apart, and
/// its first part may compose, as U+113C5 after U+1138B. So a character with a decomposition never counts as a
/// character that stays.
pub fn stays_after(before: char, c: char) -> bool {
    let is_whole = || iter::once(c).nfd().eq(iter::once(c));
    is_nfc_quick(iter::once(c)) == IsNormalized::Maybe && compose(before, c).is_none() && is_whole()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn the_remembered_reason_is_that_of_the_tables() {
        for c in ('\0'..=char::MAX).chain(('\0'..=char::MAX).rev()) {
            assert_eq!(oddity(c), looked_up(c), "{c:?}");
        }
    }
}
