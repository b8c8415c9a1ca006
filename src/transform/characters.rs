//! Reasons against a character by itself, and the places where a normal form may be cut.
//!
//! The properties are those of `icu_properties`, the normal forms those of `unicode-normalization`.
//! Not here: what is made of it (`triplets`, `check`).

use core::iter;

use icu_properties::props::{DefaultIgnorableCodePoint, Deprecated, GeneralCategory, WhiteSpace};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::bidi_controls::is_bidi_control;

/// What speaks against writing a character as itself (RFC 3987, section 6.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Oddity {
    /// Unicode deprecates it.
    Deprecated,
    /// It is white space.
    Space,
    /// It is no character yet.
    Unassigned,
    /// It is not seen.
    Invisible,
    /// It means nothing to others.
    Private,
    /// Normalization form KC replaces it by others.
    Compatibility,
}

/// What speaks against a character; nothing if it is ASCII, or directs the order of display.
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

/// Tells whether no text before this character changes what normalization form C makes of it, and of
/// what follows.
pub(super) fn starts_anew(c: char) -> bool {
    canonical_combining_class(c) == 0 && is_nfc_quick(iter::once(c)) == IsNormalized::Yes
}
