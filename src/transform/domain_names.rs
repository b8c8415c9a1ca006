//! The characters of domain names: the dots between labels, and the ASCII that a name can hold.
//!
//! Not here: whether a name is a domain name (`map::idna`, `map::hostname`).

use crate::tables::{AsciiSet, HighSet};

/// The longest label of a domain name, in bytes (RFC 1035, section 2.3.4).
pub const LONGEST_LABEL: usize = 63;

/// The dots that separate the labels of a domain name (RFC 3490, section 3.1): the full stop, and the three
/// characters that UTS #46 maps to it.
pub const LABEL_DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

/// Tells whether a character separates the labels of a domain name.
pub const fn is_label_dot(c: char) -> bool {
    let [full_stop, ideographic, full_width, half_width] = LABEL_DOTS;
    c == full_stop || c == ideographic || c == full_width || c == half_width
}

/// For each of the three bytes of the dots outside ASCII: the set of the bytes that can be there.
pub const LABEL_DOT_BYTES: [HighSet; 3] = {
    let [_, ideographic, full_width, half_width] = LABEL_DOTS;
    let [a, b, c] = [three_bytes(ideographic), three_bytes(full_width), three_bytes(half_width)];
    [
        HighSet::of(&[a[0], b[0], c[0]]),
        HighSet::of(&[a[1], b[1], c[1]]),
        HighSet::of(&[a[2], b[2], c[2]]),
    ]
};

/// Returns the UTF-8 of a character that has three bytes.
const fn three_bytes(c: char) -> [u8; 3] {
    let mut bytes = [0; 3];
    c.encode_utf8(&mut bytes);
    bytes
}

/// The ASCII that a domain name can hold, with the dot. Some names of the DNS have an underscore, but names of
/// hosts do not.
pub const DOMAIN_NAME: AsciiSet =
    AsciiSet::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.");
