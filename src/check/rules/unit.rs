//! The meaning of one triplet, or of several together: a byte of ASCII, a character, or octets that are not
//! UTF-8.

use crate::scan::octet;

/// The meaning of one triplet, or of several together.
pub(crate) enum Unit {
    Ascii(u8),
    Character(char),
    /// UTF-8 with more octets than the character needs, which decoders must refuse (RFC 3629, section 3).
    Overlong,
    /// An octet that is not part of UTF-8.
    Other,
}

/// Returns the meaning of the triplet at `at`, with those after it that belong to the same character, and
/// the number of triplets.
pub(crate) fn unit(bytes: &[u8], at: usize) -> Option<(Unit, usize)> {
    let first = octet(bytes, at)?;
    if first.is_ascii() {
        return Some((Unit::Ascii(first), 1));
    }
    let length = (first.leading_ones() as usize).clamp(1, 4);
    let (mut octets, mut count) = ([first, 0, 0, 0], 1);
    for place in octets.iter_mut().take(length).skip(1) {
        let Some(next) = octet(bytes, at + 3 * count).filter(|next| next & 0xC0 == 0x80) else {
            return Some((Unit::Other, 1));
        };
        *place = next;
        count += 1;
    }
    let text = octets.get(..length).and_then(|octets| core::str::from_utf8(octets).ok());
    if let Some(c) = text.and_then(|text| text.chars().next()) {
        return Some((Unit::Character(c), length));
    }
    let [first, second, ..] = octets;
    let is_overlong = match first {
        0xC0 | 0xC1 => true,
        0xE0 => second < 0xA0,
        0xF0 => second < 0x90,
        _ => false,
    };
    Some(if is_overlong { (Unit::Overlong, length) } else { (Unit::Other, 1) })
}
