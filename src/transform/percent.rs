//! Percent-encoding of single values (RFC 3986, section 2.1): from text to a component, and back.
//!
//! Encode a value before you put it into a component, so that none of its characters is a delimiter there. Decode a
//! value that you take out of a component, and encode it again before you put it back. To map whole references
//! between URIs and IRIs, which keeps their triplets, use `to_uri` and `to_iri`.
//!
//! ```
//! use simd_iri::percent::{self, Query, Segment};
//!
//! assert_eq!(percent::encode::<Segment>("50% é/b").to_string(), "50%25%20%C3%A9%2Fb");
//! assert_eq!(percent::encode_iri::<Query>("50% é/b").to_string(), "50%25%20é/b");
//! assert_eq!(percent::decode("50%25%20%C3%A9%2Fb").utf8()?, "50% é/b");
//! # Ok::<(), simd_iri::percent::DecodeError>(())
//! ```

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use super::bidi_controls::is_bidi_control;
use crate::error::{debug_without_text, named};
use crate::parse::dfa::NonAscii;
use crate::scan::{self, octet, slice, triplet_text};
use crate::tables::{
    AsciiSet, FRAGMENT, PATH, PERCENT, QUERY, REG_NAME, SEGMENT, SEGMENT_NC, UNRESERVED, USERINFO,
};

use sealed::Kept;

mod sealed {
    use super::AsciiSet;

    /// The characters that are not encoded.
    pub struct Kept {
        pub(super) ascii: AsciiSet,
        /// In an IRI, `iprivate` is not encoded either.
        pub(super) private: bool,
    }

    pub trait Sealed {
        const KEPT: &'static Kept;
    }
}

/// A set of ASCII characters that are not encoded. All other characters of ASCII are percent-encoded, the percent sign
/// too. The trait is sealed.
///
/// ```
/// use simd_iri::percent::{EncodeSet, Unreserved, encode};
///
/// fn encoded<S: EncodeSet>(text: &str) -> String {
///     encode::<S>(text).to_string()
/// }
/// assert_eq!(encoded::<Unreserved>("a=b"), "a%3Db");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of characters that a component keeps",
    label = "not a set of the module `percent`",
    note = "the sets are `percent::Userinfo`, `RegName`, `Segment`, `SegmentNc`, `Path`, `Query`, `QueryPart`, `Fragment` and `Unreserved`",
    note = "a set that is known only at run time is a `percent::Place`: `Place::Segment.encode(text)`"
)]
pub trait EncodeSet: sealed::Sealed {}

/// Writes the type of each set.
macro_rules! sets {
    ($($(#[$doc:meta])+ $name:ident = $set:expr, private: $private:literal;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        impl EncodeSet for $name {}

        impl sealed::Sealed for $name {
            const KEPT: &'static Kept =
                &Kept { ascii: $set.without(&PERCENT), private: $private };
        }
    )+};
}

sets! {
    /// For an `iuserinfo` (RFC 3986, section 3.2.1). Colons are kept, because a colon often separates two values.
    ///
    /// ```
    /// # use simd_iri::percent::{Userinfo, encode};
    /// assert_eq!(encode::<Userinfo>("a:b@c").to_string(), "a:b%40c");
    /// ```
    Userinfo = USERINFO, private: false;

    /// For an `ireg-name` (RFC 3986, section 3.2.2).
    ///
    /// ```
    /// # use simd_iri::percent::{RegName, encode};
    /// assert_eq!(encode::<RegName>("a.b:80").to_string(), "a.b%3A80");
    /// ```
    RegName = REG_NAME, private: false;

    /// For an `ipath` (RFC 3986, section 3.3). Slashes are kept.
    ///
    /// ```
    /// # use simd_iri::percent::{Path, encode};
    /// assert_eq!(encode::<Path>("/a b?").to_string(), "/a%20b%3F");
    /// ```
    Path = PATH, private: false;

    /// For an `isegment` of a path (RFC 3986, section 3.3).
    ///
    /// ```
    /// # use simd_iri::percent::{Segment, encode};
    /// assert_eq!(encode::<Segment>("a/b:c").to_string(), "a%2Fb:c");
    /// ```
    Segment = SEGMENT, private: false;

    /// For an `isegment-nz-nc`, the first segment of a relative path (RFC 3986, section 3.3). Colons are encoded.
    ///
    /// ```
    /// # use simd_iri::percent::{SegmentNc, encode};
    /// assert_eq!(encode::<SegmentNc>("a/b:c").to_string(), "a%2Fb%3Ac");
    /// ```
    SegmentNc = SEGMENT_NC, private: false;

    /// For an `iquery` (RFC 3986, section 3.4).
    ///
    /// ```
    /// # use simd_iri::percent::{Query, encode};
    /// assert_eq!(encode::<Query>("a=b&c#").to_string(), "a=b&c%23");
    /// ```
    Query = QUERY, private: true;

    /// For a name or a value in a query of pairs `name=value&name=value`. Separators of pairs are encoded. The plus
    /// sign is encoded too, because it means a space in many queries.
    ///
    /// ```
    /// # use simd_iri::percent::{QueryPart, encode};
    /// assert_eq!(encode::<QueryPart>("a=b&c+d;e/f").to_string(), "a%3Db%26c%2Bd%3Be/f");
    /// ```
    QueryPart = QUERY.without(&AsciiSet::of(b"&=+;")), private: true;

    /// For an `ifragment` (RFC 3986, section 3.5).
    ///
    /// ```
    /// # use simd_iri::percent::{Fragment, encode};
    /// assert_eq!(encode::<Fragment>("a/b#").to_string(), "a/b%23");
    /// ```
    Fragment = FRAGMENT, private: false;

    /// For any component: only `unreserved` is kept (RFC 3986, section 2.3).
    ///
    /// ```
    /// # use simd_iri::percent::{Unreserved, encode};
    /// assert_eq!(encode::<Unreserved>("~a/b").to_string(), "~a%2Fb");
    /// ```
    Unreserved = UNRESERVED, private: false;
}

/// The set of a component, as a value: for a program that learns the component only at run time.
///
/// ```
/// use simd_iri::percent::Place;
///
/// let place: Place = "query-part".parse().unwrap();
/// assert_eq!(place.encode("a=b c"), "a%3Db%20c");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// The set [`Userinfo`](enum@Userinfo), for an `iuserinfo`.
    Userinfo,
    /// The set [`RegName`](enum@RegName), for an `ireg-name`.
    RegName,
    /// The set [`Path`](enum@Path), for an `ipath`.
    Path,
    /// The set [`Segment`](enum@Segment), for an `isegment`.
    Segment,
    /// The set [`SegmentNc`](enum@SegmentNc), for an `isegment-nz-nc`.
    SegmentNc,
    /// The set [`Query`](enum@Query), for an `iquery`.
    Query,
    /// The set [`QueryPart`](enum@QueryPart), for a name or a value in a query.
    QueryPart,
    /// The set [`Fragment`](enum@Fragment), for an `ifragment`.
    Fragment,
    /// The set [`Unreserved`](enum@Unreserved), for any component.
    Unreserved,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri::percent::Place" Place {
        Userinfo = "userinfo",
        RegName = "reg-name",
        Path = "path",
        Segment = "segment",
        SegmentNc = "segment-nc",
        Query = "query",
        QueryPart = "query-part",
        Fragment = "fragment",
        Unreserved = "unreserved",
    }
}

impl Place {
    /// Percent-encodes bytes, or the UTF-8 of a text, as [`encode`] does with this set. Borrows a text in which nothing has
    /// to be encoded.
    ///
    /// ```
    /// # use simd_iri::percent::Place;
    /// assert_eq!(Place::Path.encode("/é b"), "/%C3%A9%20b");
    /// assert_eq!(Place::Segment.encode(b"/\xFF"), "%2F%FF");
    /// ```
    #[must_use]
    pub fn encode(self, bytes: &(impl AsRef<[u8]> + ?Sized)) -> Cow<'_, str> {
        match self {
            Self::Userinfo => encode::<Userinfo>(bytes).into(),
            Self::RegName => encode::<RegName>(bytes).into(),
            Self::Path => encode::<Path>(bytes).into(),
            Self::Segment => encode::<Segment>(bytes).into(),
            Self::SegmentNc => encode::<SegmentNc>(bytes).into(),
            Self::Query => encode::<Query>(bytes).into(),
            Self::QueryPart => encode::<QueryPart>(bytes).into(),
            Self::Fragment => encode::<Fragment>(bytes).into(),
            Self::Unreserved => encode::<Unreserved>(bytes).into(),
        }
    }
}

/// Percent-encodes bytes, or the UTF-8 of a text, for a URI: every byte outside the set becomes a triplet.
///
/// The result implements `Display` and iterates over parts of the encoded text, without an allocation. It also converts
/// into a [`Cow`], which is borrowed if nothing has to be encoded. [`Place::encode`] returns this `Cow` at once.
///
/// ```
/// use std::borrow::Cow;
/// use simd_iri::percent::{Segment, encode};
///
/// assert_eq!(encode::<Segment>(b"a \xFF").to_string(), "a%20%FF");
/// assert!(encode::<Segment>("a b").eq(["a", "%20", "b"]));
/// assert!(matches!(Cow::from(encode::<Segment>("ab")), Cow::Borrowed("ab")));
/// assert_eq!(String::from(encode::<Segment>("a/b")), "a%2Fb");
/// ```
#[doc(alias = "quote")]
#[doc(alias = "utf8_percent_encode")]
#[doc(alias = "encodeURIComponent")]
pub fn encode<S: EncodeSet>(bytes: &(impl AsRef<[u8]> + ?Sized)) -> Encode<'_, S> {
    Encode { rest: bytes.as_ref(), is_iri: false, set: PhantomData }
}

/// Percent-encodes text for an IRI, as [`encode`] does, but keeps `ucschar`, and in a query also `iprivate`. Bidi
/// formatting characters are encoded (RFC 3987, section 4.1).
///
/// ```
/// use simd_iri::percent::{Query, Segment, encode_iri};
///
/// assert_eq!(encode_iri::<Segment>("日 \u{E000}\u{202E}").to_string(), "日%20%EE%80%80%E2%80%AE");
/// assert_eq!(encode_iri::<Query>("\u{E000}").to_string(), "\u{E000}");
/// ```
#[must_use]
pub fn encode_iri<S: EncodeSet>(text: &str) -> Encode<'_, S> {
    Encode { rest: text.as_bytes(), is_iri: true, set: PhantomData }
}

/// The encoded form of a value, which [`encode`] and [`encode_iri`] return. It is an iterator of the parts of the
/// encoded text.
///
/// ```
/// use simd_iri::percent::{Path, encode};
///
/// let mut url = String::from("/");
/// encode::<Path>("a b").push_to(&mut url);
/// assert_eq!(url, "/a%20b");
/// ```
///
/// `Debug` does not write the text, which may hold a password.
pub struct Encode<'a, S> {
    rest: &'a [u8],
    is_iri: bool,
    set: PhantomData<S>,
}

debug_without_text!([S] Encode<'_, S>, "Encode", is_iri);

impl<S> Clone for Encode<'_, S> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<S: EncodeSet> Encode<'_, S> {
    /// Appends the encoded text to `text`. One pass.
    ///
    /// ```
    /// # use simd_iri::percent::{Fragment, encode};
    /// let mut text = String::from("#");
    /// encode::<Fragment>("é").push_to(&mut text);
    /// assert_eq!(text, "#%C3%A9");
    /// ```
    pub fn push_to(self, text: &mut String) {
        if self.is_iri {
            text.extend(self);
        } else {
            scan::encode(self.rest, scan::Query::Outside(&S::KEPT.ascii), text);
        }
    }

    /// Tells whether nothing is encoded: whether the encoded text is the text.
    pub(crate) fn is_kept(&self) -> bool {
        self.kept() == self.rest.len()
    }

    /// Returns the number of bytes at the start of the rest that are not encoded.
    fn kept(&self) -> usize {
        let mut kept = 0;
        loop {
            let rest = slice::bytes(self.rest, kept..);
            kept += scan::prefix(rest, &S::KEPT.ascii);
            let rest = slice::bytes(self.rest, kept..);
            let is_other = self.is_iri && rest.first().is_some_and(|byte| !byte.is_ascii());
            match is_other.then(|| kept_character::<S>(rest)).flatten() {
                Some(length) => kept += length,
                None => return kept,
            }
        }
    }
}

/// Returns the length in bytes of the character at the start of `bytes`, if it is outside ASCII and an IRI keeps it.
fn kept_character<S: EncodeSet>(bytes: &[u8]) -> Option<usize> {
    let allowed = match NonAscii::of(bytes) {
        NonAscii::Ucschar => true,
        NonAscii::Private => S::KEPT.private,
        NonAscii::Other => false,
    };
    let length = bytes.first()?.leading_ones() as usize;
    let character = core::str::from_utf8(bytes.get(..length)?).ok()?.chars().next()?;
    (allowed && !is_bidi_control(character)).then_some(length)
}

impl<'a, S: EncodeSet> Iterator for Encode<'a, S> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (first, after) = self.rest.split_first()?;
        let (kept, rest) = self.rest.split_at_checked(self.kept())?;
        if kept.is_empty() {
            self.rest = after;
            Some(triplet_text(*first))
        } else {
            self.rest = rest;
            core::str::from_utf8(kept).ok()
        }
    }
}

impl<S: EncodeSet> FusedIterator for Encode<'_, S> {}

impl<S: EncodeSet> fmt::Display for Encode<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.clone().try_for_each(|part| f.write_str(part))
    }
}

impl<'a, S: EncodeSet> From<Encode<'a, S>> for Cow<'a, str> {
    fn from(encode: Encode<'a, S>) -> Self {
        if encode.is_kept() {
            return Cow::Borrowed(core::str::from_utf8(encode.rest).unwrap_or_default());
        }
        let mut text = String::new();
        encode.push_to(&mut text);
        Cow::Owned(text)
    }
}

impl<S: EncodeSet> From<Encode<'_, S>> for String {
    fn from(encode: Encode<'_, S>) -> Self {
        Cow::from(encode).into_owned()
    }
}

/// Decodes triplets. The methods of [`Decode`] return the result as bytes or as text.
///
/// A percent sign without two hexadecimal digits after it is an error in [`bytes`](Decode::bytes) and
/// [`utf8`](Decode::utf8), and stays in [`lossy`](Decode::lossy). A plus sign stays a plus sign.
///
/// ```
/// use simd_iri::percent::decode;
///
/// assert_eq!(decode("a%20b%2F").utf8()?, "a b/");
/// assert_eq!(*decode("%FF").bytes()?, *b"\xFF");
/// assert_eq!(decode("%FF").utf8().unwrap_err().at(), 0);
/// assert_eq!(decode("%FF%zz").lossy(), "\u{FFFD}%zz");
/// # Ok::<(), simd_iri::percent::DecodeError>(())
/// ```
#[doc(alias = "unquote")]
#[doc(alias = "percent_decode_str")]
#[doc(alias = "decodeURIComponent")]
#[must_use]
pub const fn decode(text: &str) -> Decode<'_> {
    Decode { text, given: 0 }
}

/// A text to decode, which [`decode`] returns.
///
/// It is an iterator of the decoded bytes, in which a percent sign without two hexadecimal digits stays. The methods
/// decode the whole text, even after some bytes have been taken from the iterator.
///
/// ```
/// # use simd_iri::percent::decode;
/// assert!(decode("%41%").eq(*b"A%"));
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone)]
pub struct Decode<'a> {
    text: &'a str,
    /// The length in bytes of the text whose decoded bytes the iterator has returned.
    given: usize,
}

debug_without_text!([] Decode<'_>, "Decode", given);

impl<'a> Decode<'a> {
    /// Returns the decoded bytes, borrowed if there is no percent sign. One pass.
    ///
    /// # Errors
    /// There is a percent sign without two hexadecimal digits after it.
    ///
    /// ```
    /// # use simd_iri::percent::decode;
    /// assert_eq!(*decode("%00").bytes()?, [0]);
    /// assert_eq!(decode("100%").bytes().unwrap_err().at(), 3);
    /// # Ok::<(), simd_iri::percent::DecodeError>(())
    /// ```
    pub fn bytes(&self) -> Result<Cow<'a, [u8]>, DecodeError> {
        let (bytes, stray) = self.all();
        match stray {
            Some(at) => Err(DecodeError { at, is_stray: true }),
            None => Ok(bytes),
        }
    }

    /// Returns the decoded text, borrowed if there is no percent sign. Two passes.
    ///
    /// # Errors
    /// There is a percent sign without two hexadecimal digits after it, or the decoded bytes are not UTF-8.
    ///
    /// ```
    /// # use simd_iri::percent::decode;
    /// assert_eq!(decode("%C3%A9").utf8()?, "é");
    /// assert_eq!(decode("a%C3%A9%E9").utf8().unwrap_err().at(), 7);
    /// # Ok::<(), simd_iri::percent::DecodeError>(())
    /// ```
    pub fn utf8(&self) -> Result<Cow<'a, str>, DecodeError> {
        let text = self.text;
        match self.bytes()? {
            Cow::Borrowed(_) => Ok(Cow::Borrowed(text)),
            Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).map_err(|error| {
                // The offset in the text of the first ill-formed byte of the decoded bytes.
                let mut left = error.utf8_error().valid_up_to();
                let mut before = decode(text);
                while left > 0 && before.next().is_some() {
                    left -= 1;
                }
                DecodeError { at: before.given, is_stray: false }
            }),
        }
    }

    /// Returns the decoded text, borrowed if there is no percent sign. Bytes that are not UTF-8 become U+FFFD, and a
    /// percent sign without two hexadecimal digits after it stays. Two passes.
    ///
    /// ```
    /// # use simd_iri::percent::decode;
    /// assert_eq!(decode("%C3%A9%E9 100%").lossy(), "é\u{FFFD} 100%");
    /// ```
    #[must_use]
    pub fn lossy(&self) -> Cow<'a, str> {
        let text = self.text;
        match self.all().0 {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(bytes) => Cow::Owned(
                String::from_utf8(bytes)
                    .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            ),
        }
    }

    /// Returns the decoded bytes, and the byte offset of the first percent sign without two hexadecimal digits.
    fn all(&self) -> (Cow<'a, [u8]>, Option<usize>) {
        let text = self.text.as_bytes();
        let Some(first) = memchr::memchr(b'%', text) else {
            return (Cow::Borrowed(text), None);
        };
        let (mut bytes, mut stray) = (Vec::with_capacity(text.len()), None);
        let mut next = Some(first);
        let mut rest = text;
        while let Some(at) = next {
            bytes.extend_from_slice(slice::bytes(rest, ..at));
            rest = slice::bytes(rest, at..);
            while let Some(octet) = octet(rest, 0) {
                bytes.push(octet);
                rest = slice::bytes(rest, 3..);
            }
            if rest.first() == Some(&b'%') {
                stray = stray.or(Some(text.len() - rest.len()));
                bytes.push(b'%');
                rest = slice::bytes(rest, 1..);
            }
            next = memchr::memchr(b'%', rest);
        }
        bytes.extend_from_slice(rest);
        (Cow::Owned(bytes), stray)
    }
}

impl Iterator for Decode<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.given..)?;
        let (byte, length) = match octet(rest, 0) {
            Some(octet) => (octet, 3),
            None => (*rest.first()?, 1),
        };
        self.given += length;
        Some(byte)
    }
}

impl FusedIterator for Decode<'_> {}

/// The reason why a text cannot be decoded, with a byte offset into the text.
///
/// ```
/// # use simd_iri::percent::decode;
/// let error = decode("a%4").bytes().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "'%' at byte 1 is not followed by two hexadecimal digits; write %25 for a literal '%'"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DecodeError {
    at: usize,
    is_stray: bool,
}

impl DecodeError {
    /// Returns the byte offset of the percent sign without two hexadecimal digits after it, or of the triplet that
    /// begins ill-formed UTF-8.
    ///
    /// ```
    /// # use simd_iri::percent::decode;
    /// assert_eq!(decode("a%").bytes().unwrap_err().at(), 1);
    /// ```
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, is_stray } = self;
        if *is_stray {
            write!(
                f,
                "'%' at byte {at} is not followed by two hexadecimal digits; write %25 for a literal '%'"
            )
        } else {
            write!(f, "the triplet at byte {at} begins ill-formed UTF-8; decode it to bytes")
        }
    }
}

impl core::error::Error for DecodeError {}
