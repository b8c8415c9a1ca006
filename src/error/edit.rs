//! A change of a text: which bytes to replace, and by what. Not here: which change corrects an error (`error`).
#![forbid(unsafe_code)]

use core::{fmt, ops::Range};

/// A change of a text: the bytes to replace, and the text to put in their place.
///
/// ```
/// use simd_iri::Iri;
///
/// let text = "http://example.org/a|b";
/// let edit = Iri::parse(text).unwrap_err().suggestion().unwrap();
/// assert_eq!((edit.span(), edit.as_str()), (20..21, "%7C"));
/// assert_eq!(edit.apply(text).unwrap(), "http://example.org/a%7Cb");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edit {
    start: u32,
    end: u32,
    /// The new text, which is ASCII, and zeros after it.
    bytes: [u8; LONGEST],
}

/// The length of the longest new text: the triplets of a character of four bytes.
const LONGEST: usize = 12;

impl Edit {
    /// Returns the change that puts `text` in the place of the bytes from `start` to `end`. A text of more than 12 bytes
    /// is cut off.
    pub(crate) fn new(start: u32, end: u32, text: &str) -> Self {
        let mut bytes = [0; LONGEST];
        bytes.iter_mut().zip(text.bytes()).for_each(|(place, byte)| *place = byte);
        Self { start, end, bytes }
    }

    /// Returns the change that writes a character as triplets.
    pub(crate) fn triplets(start: u32, end: u32, ch: char) -> Self {
        let (mut bytes, mut utf8) = ([0; LONGEST], [0; 4]);
        let digit = |value: u8| if value < 10 { b'0' + value } else { b'A' - 10 + value };
        let octets = ch.encode_utf8(&mut utf8).bytes();
        for (place, octet) in bytes.chunks_exact_mut(3).zip(octets) {
            place.copy_from_slice(&[b'%', digit(octet >> 4), digit(octet & 15)]);
        }
        Self { start, end, bytes }
    }

    /// Returns the bytes to replace: byte offsets into the text, the end excluded. An empty range inserts.
    ///
    /// ```
    /// # use simd_iri::Iri;
    /// assert_eq!(Iri::parse("http://a/100%").unwrap_err().suggestion().unwrap().span(), 12..13);
    /// ```
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the new text, which is ASCII. It is empty if the bytes are to be removed.
    ///
    /// ```
    /// # use simd_iri::Iri;
    /// assert_eq!(Iri::parse("http://a/100%").unwrap_err().suggestion().unwrap().as_str(), "%25");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        let length = self.bytes.iter().position(|byte| *byte == 0).unwrap_or(LONGEST);
        self.bytes
            .get(..length)
            .and_then(|text| core::str::from_utf8(text).ok())
            .unwrap_or_default()
    }

    /// Returns the text after this change. Returns `None` if the bytes to replace are not whole characters of `text`.
    ///
    /// ```
    /// # use simd_iri::Iri;
    /// let edit = Iri::parse("a:b c").unwrap_err().suggestion().unwrap();
    /// assert_eq!(edit.apply("a:b c").as_deref(), Some("a:b%20c"));
    /// assert_eq!(edit.apply("a"), None);
    /// ```
    #[must_use]
    pub fn apply(&self, text: &str) -> Option<alloc::string::String> {
        let Range { start, end } = self.span();
        text.get(start..end)?;
        Some([text.get(..start)?, self.as_str(), text.get(end..)?].concat())
    }
}

/// Writes the new text.
impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edit").field("span", &self.span()).field("text", &self.as_str()).finish()
    }
}
