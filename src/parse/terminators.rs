//! The set of bytes at which a reference inside a longer text ends.
//!
//! Not here: the parser that stops at these bytes (`reference`).
#![forbid(unsafe_code)]

use crate::scan;
use crate::tables::AsciiSet;

/// A set of ASCII bytes at which a reference in a longer text ends. A byte and a Rust reference to an array of bytes
/// convert into it, which takes as long as a short parse. For many calls, make a constant by [`Terminators::new`].
///
/// ```
/// use simd_iri::{Iri, parser::Terminators};
///
/// const SPACE_OR_QUOTE: Terminators = Terminators::new(b" \"\t\r\n").unwrap();
/// let log = "http://example.org/a?b 200";
/// assert_eq!(Iri::parse_until(log, &SPACE_OR_QUOTE)?.1, " 200");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Terminators(AsciiSet);

impl Terminators {
    /// Returns the set of `bytes`, or `None` if a byte is not ASCII.
    ///
    /// ```
    /// # use simd_iri::parser::Terminators;
    /// assert!(Terminators::new(b">").is_some() && Terminators::new(b"\xFF").is_none());
    /// ```
    #[must_use]
    pub const fn new(bytes: &[u8]) -> Option<Self> {
        if bytes.is_ascii() { Some(Self(AsciiSet::of(bytes))) } else { None }
    }

    /// Returns the byte offset of the first terminator in `text`, or the length of the text if there is none.
    pub(crate) fn find(&self, text: &[u8]) -> usize {
        scan::position(text, &self.0)
    }
}

impl From<&Terminators> for Terminators {
    #[inline]
    fn from(set: &Terminators) -> Self {
        *set
    }
}

/// The set of these bytes. A byte outside ASCII is not a member, because it is a part of a character; [`Terminators::new`]
/// refuses such a byte.
impl<const N: usize> From<&[u8; N]> for Terminators {
    fn from(bytes: &[u8; N]) -> Self {
        Self(AsciiSet::of(bytes))
    }
}

/// The set of one byte. A byte outside ASCII makes an empty set, because it is a part of a character.
impl From<u8> for Terminators {
    fn from(byte: u8) -> Self {
        Self::from(&[byte])
    }
}

impl core::fmt::Debug for Terminators {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let members = (0..128).filter(|byte| self.0.contains(*byte)).map(char::from);
        f.debug_set().entries(members).finish()
    }
}
