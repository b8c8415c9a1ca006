//! References in fields of HTTP messages: where they are in a value, and the value with URIs in their place.
//!
//! `Location` and `Content-Location` are one reference (RFC 9110, sections 8.7 and 10.2.2). `Link` has its targets
//! between `<` and `>` (RFC 8288, section 3). `Refresh` is a number, and a reference as the HTML Standard reads it.
//!
//! Not here: the mapping of a reference (`to_uri`).

use alloc::borrow::Cow as Bytes;
use alloc::vec::Vec;
use core::ops::Range;

use super::to_uri::ToUri;
use crate::error::{Error, debug_without_text, named};
use crate::reference::{IriRef, Mapped};
use crate::scan::slice;

/// The form of a field of an HTTP message that has references in its value.
///
/// ```
/// use simd_iri::http_message::Field;
///
/// let link = b"</a>; rel=next; title=\"<b>\", <c>; rel=last";
/// assert!(Field::Link.references(link).eq([1..3, 30..31]));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    /// The whole value is a reference: `Location`, `Content-Location`.
    Location,
    /// `Link`: links with parameters.
    Link,
    /// `Refresh`: a time, and perhaps a reference after `url=`.
    Refresh,
}

named! {
    /// Returns the name in lower case.
    "simd_iri::http_message::Field" Field {
        Location = "location",
        Link = "link",
        Refresh = "refresh",
    }
}

impl Field {
    /// The schemes whose hosts are domain names in a field of HTTP, for `ToUri::idna_for`: the schemes of
    /// `ToUri::idna`, and the empty name. The empty name stands for a reference that begins with `//`, as in `Location:
    /// //bücher.example`. Such a reference takes the scheme of the request, which is `http` or `https`.
    pub const DOMAIN_SCHEMES: &'static [&'static str] = &["", "http", "https", "ws", "wss", "ftp"];

    /// Returns the form of the field with this name, in any case; `None` if its value has no references, or if this
    /// crate does not know them.
    ///
    /// ```
    /// # use simd_iri::http_message::Field;
    /// assert_eq!(Field::of("Content-Location"), Some(Field::Location));
    /// assert_eq!(Field::of("Content-Type"), None);
    /// ```
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let names = [
            ("location", Self::Location),
            ("content-location", Self::Location),
            ("link", Self::Link),
            ("refresh", Self::Refresh),
        ];
        names
            .into_iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, field)| field)
    }

    /// Returns the byte ranges of the references in a value, from first to last. The references need not be valid.
    ///
    /// The references in the parameters of a link, such as `anchor`, are not among them.
    ///
    /// ```
    /// # use simd_iri::http_message::Field;
    /// assert!(Field::Location.references(b" /a ").eq([1..3]));
    /// assert!(Field::Refresh.references(b"5; URL='/a'").eq([8..10]));
    /// assert_eq!(Field::Refresh.references(b"5").next(), None);
    /// ```
    #[must_use]
    pub const fn references(self, value: &[u8]) -> FieldReferences<'_> {
        FieldReferences { field: self, value, at: Some(0) }
    }

    /// Replaces references in a value by a mapping that the caller supplies. `replace` gets each reference from first
    /// to last, and a function that puts a text in its place. A reference without a new text stays. A reference with an
    /// error is counted in [`MappedField::left`].
    ///
    /// The result lies in `text` if something is replaced; otherwise it is `value` itself. Nothing is allocated if
    /// `text` has room for the result.
    ///
    /// ```
    /// # use simd_iri::{Error, IriRef, ToUri, http_message::Field};
    /// let (mut text, mut uri) = (Vec::new(), String::new());
    /// let mapped = Field::Link.replace_into("</é>, </%>".as_bytes(), &mut text, |given, put| {
    ///     put(ToUri::new().map_into(IriRef::parse_bytes(given)?, &mut uri)?.as_str());
    ///     Ok::<(), Error>(())
    /// });
    /// assert_eq!((&*mapped.value, mapped.left), (&b"</%C3%A9>, </%>"[..], 1));
    /// ```
    pub fn replace_into<'t, E>(
        self,
        value: &'t [u8],
        text: &'t mut Vec<u8>,
        replace: impl FnMut(&[u8], &mut dyn FnMut(&str)) -> Result<(), E>,
    ) -> MappedField<'t> {
        let (is_changed, left) = self.splice(value, text, replace);
        MappedField { value: Bytes::Borrowed(if is_changed { text } else { value }), left }
    }

    /// Does what [`replace_into`](Self::replace_into) says. Returns whether something is replaced, and the number of
    /// errors.
    fn splice<E>(
        self,
        value: &[u8],
        text: &mut Vec<u8>,
        mut replace: impl FnMut(&[u8], &mut dyn FnMut(&str)) -> Result<(), E>,
    ) -> (bool, usize) {
        text.clear();
        // The start of the part of the value that is not yet in `text`; `None` while nothing is replaced.
        let (mut rest, mut left) = (None, 0);
        for place in self.references(value) {
            let mut put = |new: &str| {
                let from = rest.unwrap_or(0);
                // A second text follows the first one.
                text.extend_from_slice(slice::bytes(value, from..place.start.max(from)));
                text.extend_from_slice(new.as_bytes());
                rest = Some(place.end);
            };
            let replaced = replace(slice::bytes(value, place.clone()), &mut put);
            left += usize::from(replaced.is_err());
        }
        if let Some(rest) = rest {
            text.extend_from_slice(slice::bytes(value, rest..));
        }
        (rest.is_some(), left)
    }
}

/// The byte ranges of the references in the value of a [`Field`].
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone)]
pub struct FieldReferences<'v> {
    field: Field,
    value: &'v [u8],
    /// Where the search goes on; `None` at the end.
    at: Option<usize>,
}

debug_without_text!([] FieldReferences<'_>, "FieldReferences", field, at);

impl Iterator for FieldReferences<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let at = self.at.take()?;
        match self.field {
            Field::Location => Some(trimmed(self.value, 0..self.value.len())),
            Field::Refresh => in_refresh(self.value),
            Field::Link => {
                let target = link_target(self.value, at)?;
                self.at = Some(target.end);
                Some(target)
            }
        }
    }
}

/// Returns a range without the white space at its ends.
fn trimmed(value: &[u8], range: Range<usize>) -> Range<usize> {
    let text = slice::bytes(value, range.clone());
    let end = range.start + text.trim_ascii_end().len();
    let start = range.end - text.trim_ascii_start().len();
    start.min(end)..end
}

/// Returns the next target of a link: the text between `<` and `>`, outside quoted strings.
fn link_target(value: &[u8], from: usize) -> Option<Range<usize>> {
    let mut at = from;
    loop {
        let rest = slice::bytes(value, at..);
        at += memchr::memchr2(b'<', b'"', rest)?;
        if value.get(at) == Some(&b'<') {
            let start = at + 1;
            let length = memchr::memchr(b'>', slice::bytes(value, start..))?;
            return Some(start..start + length);
        }
        // To the end of the quoted string, in which a backslash quotes the next byte.
        at += 1;
        loop {
            let rest = slice::bytes(value, at..);
            at += memchr::memchr2(b'"', b'\\', rest)? + 1;
            if value.get(at - 1) == Some(&b'"') {
                break;
            }
            at = value.len().min(at + 1);
        }
    }
}

/// Returns the place of the reference of `Refresh`. It follows a time, a separator and perhaps `url=`, and may be in
/// quotation marks.
pub fn in_refresh(value: &[u8]) -> Option<Range<usize>> {
    let time = value.trim_ascii_start();
    let digits = time.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let after = slice::bytes(time, digits..);
    // White space, a mark, or both separate the time from the rest.
    let rest = after.trim_ascii_start();
    let marked = rest.strip_prefix(b";").or_else(|| rest.strip_prefix(b","));
    if digits == 0 || marked.is_none() && rest.len() == after.len() {
        return None;
    }
    let rest = marked.unwrap_or(rest).trim_ascii_start();
    let rest = after_name(rest).unwrap_or(rest);
    let (rest, length) = match rest.split_first() {
        Some((quote @ (b'"' | b'\''), quoted)) => {
            (quoted, memchr::memchr(*quote, quoted).unwrap_or(quoted.len()))
        }
        _ => (rest, rest.len()),
    };
    let start = value.len() - rest.len();
    let place = trimmed(value, start..start + length);
    (!place.is_empty()).then_some(place)
}

/// Returns the text after `url=`.
fn after_name(text: &[u8]) -> Option<&[u8]> {
    let (name, after) = text.split_at_checked("url".len())?;
    let value = after.trim_ascii_start().strip_prefix(b"=")?;
    name.eq_ignore_ascii_case(b"url").then(|| value.trim_ascii_start())
}

impl ToUri<'_> {
    /// Maps the references in the value of a field of HTTP. An IRI reference becomes a URI reference. A text that is
    /// not an IRI reference, or that cannot be mapped, stays as it is. Nothing else in the value changes. Allocates
    /// only if something changes. With `idna(true)`, the schemes are [`Field::DOMAIN_SCHEMES`].
    ///
    /// ```
    /// # use simd_iri::{ToUri, http_message::Field};
    /// let mapped = ToUri::new().map_field(Field::Link, "</é>; title=\"é\", </%>".as_bytes());
    /// assert_eq!(*mapped.value, *"</%C3%A9>; title=\"é\", </%>".as_bytes());
    /// assert_eq!(mapped.left, 1);
    /// ```
    #[must_use]
    pub fn map_field<'v>(self, field: Field, value: &'v [u8]) -> MappedField<'v> {
        let mut text = Vec::new();
        #[cfg(feature = "idna")]
        let map = self.with_known(Field::DOMAIN_SCHEMES);
        #[cfg(not(feature = "idna"))]
        let map = self;
        let (is_changed, left) = field.splice(value, &mut text, |given, put| {
            if let Mapped::Owned(uri) = map.map(IriRef::parse_bytes(given)?)? {
                put(uri.as_str());
            }
            Ok::<(), Error>(())
        });
        let value = if is_changed { Bytes::Owned(text) } else { Bytes::Borrowed(value) };
        MappedField { value, left }
    }
}

/// The result of [`ToUri::map_field`] and [`Field::replace_into`].
#[non_exhaustive]
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone, PartialEq, Eq)]
pub struct MappedField<'v> {
    /// The value with URIs in place of IRIs. After `map_field`, it is borrowed if nothing changes.
    pub value: Bytes<'v, [u8]>,
    /// The number of references that stay because they are not IRI references, or cannot be mapped.
    pub left: usize,
}

debug_without_text!([] MappedField<'_>, "MappedField", left);
