//! What the crates of products need of the inside of the engine. It is no promise: a product names the exact version of the
//! engine. Each item is explained where it is defined.

use crate::tables;

// Names, messages and `Debug`: every product.
#[cfg(feature = "serde")]
pub use crate::error::ByName;
pub use crate::error::{Shown, UnknownName, debug_without_text, named};
#[cfg(feature = "serde")]
pub use serde;

// Texts, byte by byte: every product.
pub use crate::parse::dfa::{NonAscii, non_ascii};
pub use crate::scan::{octet, prefix, slice, triplet_text};
pub use crate::transform::is_bidi_control;

// Sets of the grammar: templates.
pub use crate::tables::AsciiSet;

/// The digits.
pub const DIGIT: AsciiSet = tables::DIGIT;
/// The delimiters: gen-delims and sub-delims.
pub const RESERVED: AsciiSet = tables::RESERVED;
/// What begins a scheme.
pub const SCHEME_FIRST: AsciiSet = tables::SCHEME_FIRST;
/// The characters that never need a triplet.
pub const UNRESERVED: AsciiSet = tables::UNRESERVED;

// Schemes and paths: archives, verdicts.
pub use crate::tables::is_scheme;
pub use crate::transform::{decoded_dots, default_port, push_without_as, segments};

// Domain names and addresses: archives, verdicts.
pub use crate::network::{addresses, ipv4, names, range};
#[cfg(feature = "idna")]
pub use crate::transform::is_too_long;
pub use crate::transform::{LONGEST_LABEL, is_label_dot};
