//! The characters of domain names: the dots between labels, and the ASCII that a name can hold.
//!
//! Not here: whether a name is a domain name (`map::idna`, `map::hostname`).

use crate::tables::{AsciiSet, DIGIT, SCHEME_FIRST};

/// The longest label of a domain name, in bytes (RFC 1035, section 2.3.4).
pub const LONGEST_LABEL: usize = 63;

/// The dots that separate the labels of a domain name (RFC 3490, section 3.1): the full stop, and the three
/// characters that UTS #46 maps to it.
pub const LABEL_DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

/// The ASCII that a domain name can hold, with the dot. Some names of the DNS have an underscore, but names of
/// hosts do not.
pub const DOMAIN_NAME: AsciiSet = SCHEME_FIRST.with(&DIGIT).with(&AsciiSet::of(b"-_."));
