//! Text in a legacy charset, and text that was typed (RFC 3987, section 3.1, step 1, variants a and b);
//! queries in the charset of a document (processing guidelines, section 6.1).
//!
//! Not here: the charsets (`encoding_rs`) and normalization form C (`unicode-normalization`).

/*
# The algorithms

**Normalization** (`composed`). It must neither make nor remove a delimiter. So the text is cut at each ASCII character
that is not a letter or a digit, and after the digits of a triplet. Each run between the cuts is normalized by itself:

    text                     runs                    result
    e U+0301 ? x = U+0338    e U+0301; x; U+0338     é?x= U+0338    the last mark does not compose with `=`
    b U+037E                 b U+037E                b%3B           the normal form of U+037E is `;`

**Queries** (`QueryCharset::push`). ASCII goes to `push_ascii`. Each octet of a character outside ASCII becomes a
triplet. For a character that the charset does not have (`push_run`):

    1. characters that are canonically equivalent to it, if the charset has them (`push_equivalent`)
    2. otherwise an error, or a character reference (`Unmappable`)

`push_equivalent` takes the marks after the character too, and tries in this order:

    a single character with the same normal form, if no marks follow (`singles`)
    the base letter composed with one of the marks, and the other marks
    the base letter, and all marks

For example, windows-1258 does not have U+1EA5, which is `a` with a circumflex and an acute accent. It has `â`, and the
acute accent as a mark of its own. So U+1EA5 becomes the triplets of these two characters.

# Invariant

`push_equivalent` writes only characters that are canonically equivalent to the characters that they replace.
*/

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use encoding_rs::{DecoderResult, EncoderResult, Encoding};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};

use crate::error::{Component, Error, ErrorKind, InvalidText, named};
use crate::parse::Parts;
use crate::reference::kind::Kind;
use crate::reference::{Buf, View};
use crate::scan::{Query, encode, octet, slice, triplet_text};
use crate::transform::ToUri;
use crate::transform::components::rewrite_components;

impl<K: Kind> Buf<K> {
    /// Parses a text that a person typed, after it is put in normalization form C (RFC 3987, section 3.1, step 1,
    /// variant a). No other constructor normalizes.
    ///
    /// Normalization neither makes nor removes a delimiter: a character whose normal form is in ASCII is
    /// percent-encoded, and no character composes with a delimiter before it. Two passes; allocates the text.
    ///
    /// # Errors
    /// The normalized text is not a reference of this kind. The error returns the text.
    ///
    /// ```
    /// use simd_iri::IriBuf;
    ///
    /// assert_eq!(IriBuf::from_typed("http://a/e\u{301}?x=\u{338}").unwrap(), "http://a/é?x=\u{338}");
    /// // The Greek question mark is canonically equivalent to a semicolon.
    /// assert_eq!(IriBuf::from_typed("a:b\u{37E}").unwrap(), "a:b%3B");
    /// ```
    pub fn from_typed(text: &str) -> Result<Self, InvalidText<String>> {
        Self::try_from(composed(text))
    }

    /// Parses bytes in the charset of a document or a system. The bytes are converted to Unicode and put in
    /// normalization form C (RFC 3987, section 3.1, step 1, variant b). Text in UTF-8 or UTF-16 is converted, but not
    /// normalized (variant c). A byte order mark is not interpreted. Allocates the text.
    ///
    /// ```
    /// use simd_iri::{IriBuf, charset::LegacyError};
    ///
    /// let latin = encoding_rs::WINDOWS_1252;
    /// assert_eq!(IriBuf::from_legacy(b"http://a/\xE9", latin).unwrap(), "http://a/é");
    /// let error = IriBuf::from_legacy(b"a:\x81\x20", encoding_rs::SHIFT_JIS).unwrap_err();
    /// assert!(matches!(error, LegacyError::IllFormed { at: 2 }));
    /// ```
    ///
    /// # Errors
    /// The bytes are not text in the charset, or the text is not a reference of this kind.
    pub fn from_legacy(bytes: &[u8], charset: &'static Encoding) -> Result<Self, LegacyError> {
        let text = converted(bytes, charset)?;
        // `encoding_rs` writes UTF-8 in place of UTF-16, so only the encodings of Unicode have this output encoding.
        let is_unicode = charset.output_encoding() == encoding_rs::UTF_8;
        let text = if is_unicode { text } else { composed(&text) };
        Self::try_from(text).map_err(LegacyError::Invalid)
    }
}

/// The reason why bytes in a charset are not a reference.
///
/// ```
/// use simd_iri::{IriBuf, charset::LegacyError};
///
/// let error = IriBuf::from_legacy(b"a:<", encoding_rs::KOI8_R).unwrap_err();
/// let LegacyError::Invalid(refused) = error else { panic!("the charset has all bytes") };
/// assert_eq!(refused.error().span(), 2..3);
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LegacyError {
    /// Some bytes mean nothing in the charset.
    IllFormed {
        /// The byte offset at which these bytes begin.
        at: usize,
    },
    /// The converted text is not a reference. The value holds the text and the error.
    Invalid(InvalidText<String>),
}

impl fmt::Display for LegacyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllFormed { at } => {
                write!(f, "the bytes at {at} mean nothing in the charset; name another one")
            }
            Self::Invalid(refused) => refused.fmt(f),
        }
    }
}

impl core::error::Error for LegacyError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::IllFormed { .. } => None,
            Self::Invalid(refused) => Some(refused),
        }
    }
}

/// Converts bytes in a charset to Unicode.
pub(crate) fn converted(bytes: &[u8], charset: &'static Encoding) -> Result<String, LegacyError> {
    let mut decoder = charset.new_decoder_without_bom_handling();
    let (mut text, mut read) = (String::new(), 0);
    loop {
        let rest = slice::bytes(bytes, read..);
        let room = decoder.max_utf8_buffer_length_without_replacement(rest.len());
        text.reserve(room.unwrap_or(rest.len()));
        let (result, taken) = decoder.decode_to_string_without_replacement(rest, &mut text, true);
        read += taken;
        match result {
            DecoderResult::InputEmpty => return Ok(text),
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(bad, after) => {
                return Err(LegacyError::IllFormed { at: read - usize::from(bad + after) });
            }
        }
    }
}

/// Puts a text in normalization form C: each run between delimiters and triplets by itself.
pub fn composed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric()) {
        let (run, delimiter) = slice::split(rest, at);
        push_composed(run, &mut out);
        // The digits of a triplet stay apart from what follows.
        let length = if octet(delimiter.as_bytes(), 0).is_some() { 3 } else { 1 };
        let (delimiter, after) = slice::split(delimiter, length);
        out.push_str(delimiter);
        rest = after;
    }
    push_composed(rest, &mut out);
    out
}

/// Appends a run in normalization form C. A character whose normal form is in ASCII becomes a triplet.
fn push_composed(run: &str, out: &mut String) {
    let mut start = 0;
    for (at, c) in run.char_indices() {
        let Some(ascii) = ascii_of(c) else { continue };
        let end = at + c.len_utf8();
        let next = slice::text(run, end..).chars().next();
        // A letter and a combining mark after it may compose to a character outside ASCII.
        let is_base = ascii.is_ascii_alphabetic()
            && next.is_some_and(|next| canonical_combining_class(next) != 0);
        if !is_base {
            out.extend(slice::text(run, start..at).nfc());
            out.push_str(triplet_text(ascii));
            start = end;
        }
    }
    out.extend(slice::text(run, start..).nfc());
}

/// Returns the ASCII character to which a character outside ASCII is canonically equivalent, if there is one.
fn ascii_of(c: char) -> Option<u8> {
    let mut composed = core::iter::once(c).nfc();
    let first = composed.next().filter(|first| !c.is_ascii() && first.is_ascii())?;
    u8::try_from(first).ok()
}

/// What happens to a character that the charset of a query does not have.
///
/// ```
/// use simd_iri::{ErrorKind, ToUri, charset::Unmappable, iri};
///
/// let iri = iri!("http://a/?α");
/// let map = ToUri::new().query_charset(encoding_rs::WINDOWS_1252, Unmappable::Error);
/// assert_eq!(map.map(iri).unwrap_err().kind(), ErrorKind::Unmappable);
/// let map = ToUri::new().query_charset(encoding_rs::WINDOWS_1252, Unmappable::Reference);
/// assert_eq!(map.map(iri)?, "http://a/?%26%23945%3B");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unmappable {
    /// It is an error of the mapping.
    Error,
    /// It becomes a percent-encoded character reference of HTML, such as `%26%23945%3B`, as in HTML forms that browsers
    /// submit.
    Reference,
}

named! {
    /// Returns the name in lower case.
    "simd_iri::charset::Unmappable" Unmappable {
        Error = "error",
        Reference = "reference",
    }
}

/// Appends a text. The error is the byte offset of a character that the charset does not have, and that character.
type PushText = fn(QueryCharset, &str, &mut String) -> Result<(), (usize, char)>;

/// The charset of queries, and what happens to a character that the charset does not have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueryCharset {
    charset: &'static Encoding,
    unmappable: Unmappable,
    /// [`QueryCharset::push_octets`]. Only the option takes this function, so that a program that never sets the option does
    /// not have the tables of all charsets: 170 KB of a module of WebAssembly.
    push: PushText,
}

impl ToUri<'_> {
    /// Maps queries of `http` and `https` with the charset of the document that contains the reference: each octet of a
    /// character outside ASCII becomes a triplet. Servers that predate UTF-8 expect this.
    ///
    /// ```
    /// # use simd_iri::{ToUri, charset::Unmappable, iri};
    /// let map = ToUri::new().query_charset(encoding_rs::WINDOWS_1252, Unmappable::Error);
    /// assert_eq!(map.map(iri!("http://a/é?é#é"))?, "http://a/%C3%A9?%E9#%C3%A9");
    /// assert_eq!(map.map(iri!("other://a/?é"))?, "other://a/?%C3%A9");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn query_charset(self, charset: &'static Encoding, unmappable: Unmappable) -> Self {
        let mut map = self;
        map.query = Some(QueryCharset { charset, unmappable, push: QueryCharset::push_octets });
        map
    }
}

/// Tells whether the query of a reference depends on the charset of the document.
pub(crate) fn has_query_charset<K: Kind>(view: View<'_, K>) -> bool {
    let scheme = view.as_iri_ref().scheme().unwrap_or_default();
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    is_web && view.query().is_some_and(|query| !query.is_ascii())
}

impl QueryCharset {
    /// Appends the URI that a reference maps to, and returns where its components are.
    pub(crate) fn map_to<K: Kind>(
        self,
        view: View<'_, K>,
        text: &mut String,
    ) -> Result<Parts, Error> {
        let mut refused = None;
        let parts = rewrite_components(view, text, |component, value, out| {
            if component != Component::Query {
                encode(value.as_bytes(), Query::NonAscii, out);
            } else if let Err((at, c)) = (self.push)(self, value, out) {
                refused = Some((at, c));
            }
        });
        let query = view.parts().query().unwrap_or_default();
        match refused {
            None if u32::try_from(text.len()).is_ok() => Ok(parts),
            None => {
                text.clear();
                Err(Error::too_long(u32::MAX))
            }
            Some((at, c)) => {
                text.clear();
                let span = query.start + at..query.start + at + c.len_utf8();
                Err(Error::new(ErrorKind::Unmappable, Component::Query, span, u32::from(c)))
            }
        }
    }

    /// Creates the charset of queries from the charset of a document. For UTF-16, it is UTF-8.
    pub(crate) fn new(charset: &'static Encoding, unmappable: Unmappable) -> Self {
        Self { charset: charset.output_encoding(), unmappable, push: Self::push_octets }
    }

    /// Appends a text as it is, but its characters outside ASCII as the triplets of their octets.
    fn push_octets(self, text: &str, out: &mut String) -> Result<(), (usize, char)> {
        self.push(text, out, |ascii, out| out.push_str(ascii))
    }

    /// Appends a text: runs of ASCII with `push_ascii`, other characters as triplets of their octets. The error is the
    /// byte offset of a character that the charset does not have, and that character.
    pub(crate) fn push(
        self,
        text: &str,
        out: &mut String,
        push_ascii: impl Fn(&str, &mut String),
    ) -> Result<(), (usize, char)> {
        let mut at = 0;
        while at < text.len() {
            let rest = slice::text(text, at..);
            let is_ascii = |c: char| c.is_ascii();
            let end = rest.find(is_ascii).unwrap_or(rest.len());
            let (run, after) = slice::split(rest, end);
            self.push_run(run, at, out, &push_ascii)?;
            let length = after.find(|c| !is_ascii(c)).unwrap_or(after.len());
            push_ascii(slice::text(after, ..length), out);
            at += end + length;
        }
        Ok(())
    }

    /// Appends a run of characters outside ASCII. `start` is its byte offset, for the error.
    fn push_run(
        self,
        run: &str,
        start: usize,
        out: &mut String,
        push_ascii: impl Fn(&str, &mut String),
    ) -> Result<(), (usize, char)> {
        let mut encoder = self.charset.new_encoder();
        let (mut buffer, mut read) = ([0; 256], 0);
        loop {
            let rest = slice::text(run, read..);
            let (result, taken, written) =
                encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
            read += taken;
            for byte in buffer.iter().take(written) {
                out.push_str(triplet_text(*byte));
            }
            match result {
                EncoderResult::InputEmpty => return Ok(()),
                EncoderResult::OutputFull => {}
                EncoderResult::Unmappable(c) => {
                    let after = slice::text(run, read..);
                    if let Some(marks) = self.push_equivalent(c, after, out, &push_ascii) {
                        read += marks;
                        continue;
                    }
                    if self.unmappable == Unmappable::Error {
                        return Err((start + read - c.len_utf8(), c));
                    }
                    // Writing to a string never fails.
                    let _ = fmt::Write::write_fmt(out, format_args!("%26%23{}%3B", u32::from(c)));
                }
            }
        }
    }
}

/// Returns the characters whose normalization form C is `c`, if a legacy charset may have them in place of `c`: the
/// signs of ohm and angstrom, and the compatibility ideographs of Japanese and Korean charsets.
fn singles(c: char) -> impl Iterator<Item = char> {
    let sign = match c {
        '\u{C5}' => Some('\u{212B}'),
        '\u{3A9}' => Some('\u{2126}'),
        _ => None,
    };
    let is_ideograph = ('\u{3400}'..='\u{9FFF}').contains(&c);
    let ideographs = ('\u{F900}'..='\u{FA6D}').filter(move |single| {
        let mut is_same = false;
        if is_ideograph {
            decompose_canonical(*single, |part| is_same = part == c);
        }
        is_same
    });
    sign.into_iter().chain(ideographs)
}

impl QueryCharset {
    /// Appends characters of the charset that are canonically equivalent to the character `c`, which the charset does
    /// not have. The marks at the start of `after` belong to `c`. Returns the length in bytes of these marks, or `None`
    /// if the charset does not have such characters.
    fn push_equivalent(
        self,
        c: char,
        after: &str,
        out: &mut String,
        push_ascii: &impl Fn(&str, &mut String),
    ) -> Option<usize> {
        let own = after.chars().take_while(|mark| canonical_combining_class(*mark) != 0);
        let taken = own.clone().map(char::len_utf8).sum();
        let mut parts = [c; 8];
        let mut length = 0;
        for part in core::iter::once(c).chain(own).nfd() {
            let place = parts.get_mut(length)?;
            *place = part;
            length += 1;
        }
        let parts = parts.get(..length).unwrap_or_default();
        let single = singles(c).filter(|_| taken == 0).find_map(|single| self.octets(single));
        if let Some((octets, written)) = single {
            octets.iter().take(written).for_each(|octet| out.push_str(triplet_text(*octet)));
            return Some(0);
        }
        let (base, marks) = parts.split_first().filter(|_| length > 1)?;
        let class = |mark: &char| canonical_combining_class(*mark);
        // One mark may be composed with the base: a mark whose combining class no mark before it has.
        let joined = marks.iter().enumerate().filter_map(|(at, mark)| {
            let is_first = marks.iter().take(at).all(|before| class(before) != class(mark));
            Some((compose(*base, *mark).filter(|_| is_first)?, Some(at)))
        });
        let has = |c: char| c.is_ascii() || self.octets(c).is_some();
        let all = joined.chain([(*base, None)]).find(|(letter, used)| {
            let mut rest = marks.iter().enumerate().filter(|(at, _)| Some(*at) != *used);
            has(*letter) && rest.all(|(_, mark)| has(*mark))
        });
        let (letter, used) = all?;
        let rest = marks.iter().enumerate().filter(|(at, _)| Some(*at) != used);
        for c in core::iter::once(letter).chain(rest.map(|(_, mark)| *mark)) {
            match self.octets(c) {
                _ if c.is_ascii() => push_ascii(c.encode_utf8(&mut [0; 4]), out),
                Some((octets, written)) => {
                    octets
                        .iter()
                        .take(written)
                        .for_each(|octet| out.push_str(triplet_text(*octet)));
                }
                None => {}
            }
        }
        Some(taken)
    }

    /// Returns the octets of a character, and their number; `None` if the charset does not have the character.
    fn octets(self, c: char) -> Option<([u8; 16], usize)> {
        let (mut octets, mut buffer) = ([0; 16], [0; 4]);
        let mut encoder = self.charset.new_encoder();
        let text = &*c.encode_utf8(&mut buffer);
        let (result, _, written) =
            encoder.encode_from_utf8_without_replacement(text, &mut octets, true);
        matches!(result, EncoderResult::InputEmpty).then_some((octets, written))
    }
}

/// Decodes a name or a value of a query whose octets are in a charset.
pub(crate) fn decoded(text: &str, charset: &'static Encoding) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut octets, mut at) = (String::with_capacity(text.len()), Vec::new(), 0);
    let flush = |octets: &mut Vec<u8>, out: &mut String| {
        out.push_str(&charset.decode_without_bom_handling(octets).0);
        octets.clear();
    };
    while let Some(byte) = bytes.get(at) {
        if let Some(octet) = octet(bytes, at) {
            octets.push(octet);
            at += 3;
        } else if byte.is_ascii() {
            octets.push(*byte);
            at += 1;
        } else {
            flush(&mut octets, &mut out);
            let c = slice::text(text, at..).chars().next().unwrap_or_default();
            out.push(c);
            at += c.len_utf8();
        }
    }
    flush(&mut octets, &mut out);
    out
}
