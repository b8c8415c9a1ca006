//! Reasons not to write a character as itself, and the places where a text may be split before it is normalized.
//!
//! The crate `icu_properties` has the properties, and `unicode-normalization` the normal forms. Not here: the use of
//! the answers (`triplets`, `simd-iri-lint`).

use core::iter;

use icu_properties::props::{DefaultIgnorableCodePoint, Deprecated, GeneralCategory, WhiteSpace};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_normalization::char::canonical_combining_class;
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

    /// Returns the first reason not to write a character as itself. Returns `None` for ASCII characters. Returns `None`
    /// for bidi formatting characters too, because they have checks of their own.
    ///
    /// Five tables have the properties. In a text of one script, characters repeat, so the answers are remembered.
    pub fn of(c: char) -> Option<Self> {
        static ANSWERS: Remembered =
            Remembered::new(|c| looked_up(c).map_or(0, |found| found as u32 + 1));
        if c.is_ascii() {
            return None;
        }
        let number = ANSWERS.get(c).checked_sub(1)?;
        Self::ALL.into_iter().find(|oddity| *oddity as u32 == number)
    }
}

/// [`Oddity::of`], from the tables.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remembered_reason_is_that_of_the_tables() {
        for c in ('\0'..=char::MAX).chain(('\0'..=char::MAX).rev()) {
            assert_eq!(Oddity::of(c), looked_up(c), "{c:?}");
        }
    }
}
