//! Which repair a character needs in a component that does not allow it. Not here: where such characters are (`encode` for
//! one character, `runs` for many).

use super::repair::RepairKind;
use simd_iri::Component;
use simd_iri::low::NonAscii;

/// Returns the kind of repair that an ASCII byte needs in a component that does not allow it. It is not `%`.
#[inline]
pub(super) const fn foreign(byte: u8, component: Component) -> Option<RepairKind> {
    match (byte, component) {
        // These characters end a host, or are errors in it.
        (b':' | b'[' | b']' | b'@', Component::Host) => None,
        (_, Component::Host) => Some(RepairKind::InHost),
        (b'@', _) => Some(RepairKind::SecondAt),
        (b'#', _) => Some(RepairKind::SecondHash),
        (b'[' | b']', _) => Some(RepairKind::Bracket),
        (b' ', _) => Some(RepairKind::Space),
        _ if byte.is_ascii_control() => Some(RepairKind::Control),
        _ => Some(RepairKind::NotAllowed),
    }
}

/// Returns the kind of repair that a character outside ASCII needs in a component; `None` if it needs no repair. `bytes`
/// begin with the character, which is UTF-8.
#[inline]
pub(super) fn wide(bytes: &[u8], component: Component) -> Option<RepairKind> {
    const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();
    let is_allowed = match NonAscii::of(bytes) {
        NonAscii::Ucschar => true,
        NonAscii::Private => allows_private(component),
        NonAscii::Other => false,
    };
    let kind = if bytes.starts_with(REPLACEMENT) {
        RepairKind::Replacement
    } else {
        RepairKind::NotUcschar
    };
    (!is_allowed).then_some(kind)
}

/// Tells whether private-use characters are allowed in a component.
pub(super) const fn allows_private(component: Component) -> bool {
    matches!(component, Component::Query)
}
