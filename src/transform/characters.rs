//! Reasons not to write a character as itself, and the places where a text may be split before it is normalized.
//!
//! The crate `icu_properties` has the properties, and `unicode-normalization` the normal forms. Not here: what follows
//! from them (`triplets`, `check`).

use core::iter;

use icu_properties::props::{DefaultIgnorableCodePoint, Deprecated, GeneralCategory, WhiteSpace};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::bidi_controls::is_bidi_control;

/// The reason not to write a character as itself (RFC 3987, section 6.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Oddity {
    /// Unicode deprecates it.
    Deprecated,
    /// It is white space.
    Space,
    /// No character is assigned to the code point.
    Unassigned,
    /// It is invisible: `Default_Ignorable_Code_Point`.
    Invisible,
    /// It is a private-use character, which has no meaning for others.
    Private,
    /// Normalization form KC replaces it by others.
    Compatibility,
}

/// Returns the first reason not to write a character as itself. Returns `None` for ASCII characters, and for bidi
/// formatting characters, which have checks of their own.
pub(crate) fn oddity(c: char) -> Option<Oddity> {
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
    canonical_combining_class(c) == 0 && is_nfc_quick(iter::once(c)) == IsNormalized::Yes
}
