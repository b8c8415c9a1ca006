//! The percent-encoding of CDX keys: every triplet is decoded, again and again, and few bytes are encoded, once.
//!
//! This is not the percent-encoding of RFC 3986: it decodes delimiters too. Not here: where it is applied (`cdx`).

use alloc::vec::Vec;

use simd_iri::low::octet;

/// What kinds of bytes a text has. A text without a kind needs no step for this kind.
#[derive(Clone, Copy)]
pub(super) struct Classes(u8);

impl Classes {
    /// A percent sign.
    const PERCENT: u8 = 1;
    /// A byte that is always encoded: a control, a space, or a byte outside ASCII.
    const ENCODED: u8 = 2;
    /// U+007F, which some tools encode.
    const DELETE: u8 = 4;
    const OF: [u8; 256] = {
        let mut of = [0; 256];
        let (mut byte, mut rest): (u8, &mut [u8]) = (0, &mut of);
        while let Some((class, others)) = rest.split_first_mut() {
            *class = match byte {
                b'%' => Self::PERCENT,
                ..=b' ' | 0x80.. => Self::ENCODED,
                0x7F => Self::DELETE,
                _ => 0,
            };
            byte = byte.wrapping_add(1);
            rest = others;
        }
        of
    };

    /// Returns the kinds of bytes of a text.
    pub(super) fn of(text: &[u8]) -> Self {
        let is_odd = |byte: u8| byte.wrapping_sub(b'!') > b'~' - b'!' || byte == b'%';
        if !text.iter().fold(false, |odd, byte| odd | is_odd(*byte)) {
            return Self(0);
        }
        let class = |byte: &u8| Self::OF.get(usize::from(*byte)).copied().unwrap_or_default();
        Self(text.iter().fold(0, |classes, byte| classes | class(byte)))
    }

    /// Tells whether decoding and encoding leave the text as it is.
    pub(super) const fn is_plain(self) -> bool {
        self.0 == 0
    }

    /// Tells whether the text has a control, a space, or a byte outside ASCII.
    pub(super) const fn has_encoded(self) -> bool {
        self.0 & Self::ENCODED != 0
    }
}

/// Appends a text whose triplets are decoded until none is left.
// A stack: after each byte, the last three bytes are decoded if they are a triplet. A triplet begins with a percent
// sign, which is not a digit, so no two triplets overlap, and the order in which they are decoded does not matter. Each
// triplet makes the output two bytes shorter, so the time is linear, where a pass for each level of encoding takes
// quadratic time.
//
//     text       %  2  5  4  1
//     output     %  %2 %  %4 A      after 5, `%25` is `%`; after 1, `%41` is `A`
pub(super) fn push_decoded(text: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    for byte in text {
        out.push(*byte);
        while let Some(at) = out.len().checked_sub(3).filter(|at| *at >= start) {
            let Some(octet) = octet(out, at) else { break };
            out.truncate(at);
            out.push(octet);
        }
    }
}

/// Appends the triplet of a byte, in upper case.
pub(super) fn push_triplet(byte: u8, out: &mut Vec<u8>) {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'A' + value - 10 };
    out.extend_from_slice(&[b'%', digit(byte >> 4), digit(byte & 15)]);
}

/// Percent-encodes the bytes of `out` from `start` on that a CDX key does not have: controls, the space, bytes outside
/// ASCII, the number sign and the percent sign; and U+007F if `delete` is set.
pub(super) fn encode(start: usize, delete: bool, out: &mut Vec<u8>) {
    let is_encoded = |byte: u8| match byte {
        ..=b' ' | b'#' | b'%' | 0x80.. => true,
        0x7F => delete,
        _ => false,
    };
    let added = out.get(start..).unwrap_or_default();
    if !added.iter().any(|byte| is_encoded(*byte)) {
        return;
    }
    let decoded = out.split_off(start);
    for byte in decoded {
        if is_encoded(byte) {
            push_triplet(byte, out);
        } else {
            out.push(byte);
        }
    }
}
