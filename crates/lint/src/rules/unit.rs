//! The meaning of one triplet, or of several together: a byte of ASCII, a character, or octets that are not
//! UTF-8.

use simd_iri::low::octet;

/// The meaning of one triplet, or of several together.
pub(crate) enum Unit {
    Ascii(u8),
    Character(char),
    /// UTF-8 with more octets than the character needs, which decoders must refuse (RFC 3629, section 3).
    Overlong,
    /// An octet that is not part of UTF-8.
    Other,
}

/// Returns the meaning of the triplet at `at` and of the triplets after it that belong to the same character. Also
/// returns the number of these triplets. Returns `None` if there is no triplet at `at`.
///
/// ```text
/// %7E          Ascii('~'), 1
/// %C3%A9       Character('é'), 2
/// %C1%A1       Overlong, 2      `a` in two octets
/// %E9          Other, 1         two octets that continue a character must follow
/// %A9          Other, 1         an octet that continues a character cannot be the first octet
/// %ED%A0%80    Other, 1         a surrogate; the next call begins at %A0
/// ```
///
/// The number of ones with which the first octet begins is the number of octets of its character.
pub(crate) fn unit(bytes: &[u8], at: usize) -> Option<(Unit, usize)> {
    let first = octet(bytes, at)?;
    if first.is_ascii() {
        return Some((Unit::Ascii(first), 1));
    }
    let length = (first.leading_ones() as usize).clamp(1, 4);
    let (mut others, mut count) = ([0; 3], 1);
    for place in others.iter_mut().take(length - 1) {
        let Some(next) = octet(bytes, at + 3 * count).filter(|next| next & 0xC0 == 0x80) else {
            return Some((Unit::Other, 1));
        };
        *place = next;
        count += 1;
    }
    let [second, third, fourth] = others;
    if let Some(c) = character([first, second, third, fourth], length) {
        return Some((Unit::Character(c), length));
    }
    let is_overlong = match first {
        0xC0 | 0xC1 => true,
        0xE0 => second < 0xA0,
        0xF0 => second < 0x90,
        _ => false,
    };
    Some(if is_overlong { (Unit::Overlong, length) } else { (Unit::Other, 1) })
}

/// Returns the character of these octets, of which all but the first continue it. Returns `None` if they are not
/// well-formed UTF-8 (RFC 3629, section 3).
pub(super) fn character([first, second, third, fourth]: [u8; 4], length: usize) -> Option<char> {
    let low = |octet: u8| u32::from(octet & 0x3F);
    let (code, least) = match (length, first) {
        (2, 0xC0..=0xDF) => (u32::from(first & 0x1F) << 6 | low(second), 0x80),
        (3, 0xE0..=0xEF) => (u32::from(first & 0xF) << 12 | low(second) << 6 | low(third), 0x800),
        (4, 0xF0..=0xF7) => {
            let high = u32::from(first & 7) << 18 | low(second) << 12;
            (high | low(third) << 6 | low(fourth), 0x1_0000)
        }
        _ => return None,
    };
    // This refuses surrogates and code points beyond the last one.
    char::from_u32(code).filter(|_| code >= least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_those_of_utf8() {
        // All first and second octets, with octets after them that continue a character.
        for number in 0x80_80..=0xFF_BF_u32 {
            for [third, fourth] in
                [[0x80, 0x80], [0x80, 0xBF], [0xBF, 0x80], [0xBF, 0xBF], [0xA5, 0x93]]
            {
                let [_, _, first, second] = number.to_be_bytes();
                let octets = [first, second, third, fourth];
                let length = (first.leading_ones() as usize).clamp(1, 4);
                if second & 0xC0 == 0x80 {
                    let text = core::str::from_utf8(&octets[..length]).ok();
                    let expected = text.and_then(|text| text.chars().next());
                    assert_eq!(character(octets, length), expected, "{octets:02X?}");
                }
            }
        }
    }
}
