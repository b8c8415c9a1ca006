//! IRI → URI (RFC 3987, section 3.1).
//!
//! Not here: the expansion of bytes to triplets (`scan`), and what a host is to the DNS (`idna`).

use alloc::string::String;
use core::marker::PhantomData;

#[cfg(feature = "charset")]
use super::charset::{QueryCharset, has_query_charset};
#[cfg(feature = "idna")]
use super::domains::{Domains, ascii_host, encode_with_host, with_host};
use crate::error::{Error, ErrorKind};
use crate::parse::{Parts, Rule};
use crate::reference::kind::{IriReference, Kind};
use crate::reference::{AsView, Buf, IntoView, Mapped, UriRefBuf, View};
use crate::scan::{encode_with_places, is_ascii, position, slice, triplet_text};
use crate::tables::AsciiSet;

impl<'a, K: Kind> View<'a, K> {
    /// Maps this reference to a URI (RFC 3987, section 3.1): each character outside ASCII becomes the triplets of its
    /// UTF-8 octets, and nothing else changes. A URI is mapped to itself.
    ///
    /// One pass; allocates only if something changes. [`ToUri`] has the options.
    ///
    /// # Errors
    /// The result has 4 GiB or more.
    ///
    /// ```
    /// use simd_iri::iri;
    ///
    /// let uri = iri!("http://www.example.org/red%09rosé#red").to_uri()?;
    /// assert_eq!(uri, "http://www.example.org/red%09ros%C3%A9#red");
    /// assert!(uri.view().to_uri()?.is_borrowed());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    ///
    /// A field of HTTP such as `Location` holds a URI. With the feature `http`, its value is made of the URI:
    ///
    /// ```
    /// # #[cfg(feature = "http")] {
    /// use http::HeaderValue;
    ///
    /// let location = HeaderValue::try_from(simd_iri::iri!("http://a/é").to_uri()?)?;
    /// assert_eq!(location, "http://a/%C3%A9");
    /// # }
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[doc(alias = "toASCIIString")]
    #[doc(alias = "encode")]
    #[inline]
    pub fn to_uri(self) -> Result<Mapped<'a, K::Uri>, Error> {
        ToUri::new().map(self)
    }
}

/// The mapping of IRIs to URIs, with its options.
///
/// ```
/// use simd_iri::{ToUri, iri};
///
/// assert_eq!(ToUri::new().map(iri!("http://é/"))?, "http://%C3%A9/");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ToUri<'s> {
    #[cfg(feature = "idna")]
    domains: Option<Domains<'s>>,
    #[cfg(feature = "charset")]
    pub(crate) query: Option<QueryCharset>,
    schemes: PhantomData<&'s str>,
}

impl<'s> ToUri<'s> {
    /// The mapping without options: characters outside ASCII are percent-encoded in every component, also in the host.
    ///
    /// ```
    /// # use simd_iri::{ToUri, iri};
    /// assert_eq!(ToUri::new().map(iri!("a:é"))?, "a:%C3%A9");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self {
            #[cfg(feature = "idna")]
            domains: None,
            #[cfg(feature = "charset")]
            query: None,
            schemes: PhantomData,
        }
    }

    /// Sets whether the host is mapped to an ASCII domain name by UTS #46 if the scheme is `http`, `https`, `ws`, `wss`
    /// or `ftp`, whose hosts are looked up in the DNS. A host that UTS #46 refuses is an error, such as `-a.com`,
    /// `a..b`, `xn--a`, or a label of 64 bytes. Any other host that is in ASCII without triplets stays as it is, even
    /// its upper-case letters.
    ///
    /// An ASCII label may have an underscore, which UTS #46 refuses by its strict rules.
    ///
    /// ```
    /// # use simd_iri::{ErrorKind, ToUri, iri};
    /// let map = ToUri::new().idna(true);
    /// assert_eq!(map.map(iri!("http://R\u{E9}sum\u{E9}.example"))?, "http://xn--rsum-bpad.example");
    /// assert_eq!(map.map(iri!("other://é"))?, "other://%C3%A9");
    /// let error = map.map(iri!("http://é_/")).unwrap_err();
    /// assert_eq!((error.kind(), error.span()), (ErrorKind::BadDomain, 7..10));
    /// assert!(map.map(iri!("http://xn--a/")).is_err());
    /// assert!(map.map(iri!("http://a_b.example/"))?.is_borrowed());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[cfg(feature = "idna")]
    #[must_use]
    pub const fn idna(self, on: bool) -> Self {
        Self { domains: if on { Some(Domains::Known) } else { None }, ..self }
    }

    /// Maps the host to an ASCII domain name, as [`idna`](Self::idna) does, but for these schemes instead. Their names
    /// are compared without regard to case.
    ///
    /// ```
    /// # use simd_iri::{ToUri, iri};
    /// let map = ToUri::new().idna_for(&["ssh"]);
    /// assert_eq!(map.map(iri!("ssh://bücher.example"))?, "ssh://xn--bcher-kva.example");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[cfg(feature = "idna")]
    #[must_use]
    pub const fn idna_for(self, schemes: &'s [&'s str]) -> Self {
        Self { domains: Some(Domains::Named(schemes)), ..self }
    }

    /// Replaces the schemes of [`idna`](Self::idna) by other schemes, if that option is on.
    #[cfg(feature = "idna")]
    pub(super) const fn with_known(self, schemes: &'s [&'s str]) -> Self {
        match self.domains {
            Some(Domains::Known) => self.idna_for(schemes),
            _ => self,
        }
    }

    /// Maps a reference. One pass; allocates only if something changes.
    ///
    /// # Errors
    /// The result has 4 GiB or more, or the host or a character of the query cannot be mapped as an option asks.
    ///
    /// ```
    /// # use simd_iri::{ToUri, iri_ref};
    /// assert_eq!(ToUri::new().map(iri_ref!("../é"))?, "../%C3%A9");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    pub fn map<'a, K: Kind>(
        self,
        view: impl IntoView<'a, Kind = K>,
    ) -> Result<Mapped<'a, K::Uri>, Error> {
        let view = view.into_view();
        let given = View::new(view.as_str(), view.parts());
        // Of the options, only the mapping of hosts may change a URI.
        #[cfg(feature = "idna")]
        let may_have_domain = self.domains.is_some() && view.authority().is_some();
        #[cfg(not(feature = "idna"))]
        let may_have_domain = false;
        if !may_have_domain && is_ascii(view.as_str()) {
            return Ok(Mapped::Borrowed(given));
        }
        self.mapped(view)
    }

    /// [`map`](Self::map) of a reference that may change. It is not inlined, so that `map` can be inlined.
    #[inline(never)]
    fn mapped<'a, K: Kind>(self, view: View<'a, K>) -> Result<Mapped<'a, K::Uri>, Error> {
        let mut text = String::new();
        let parts = self.map_to(view, &mut text)?;
        Ok(Mapped::of(View::new(view.as_str(), view.parts()), Buf::new(text, parts)))
    }

    /// Replaces the content of `text` with the result of [`map`](Self::map), and returns a view of it. Nothing is
    /// allocated if `text` has room for the result and 256 bytes, and no option changes the host or the query.
    ///
    /// # Errors
    /// Those of [`map`](Self::map). `text` is empty then.
    ///
    /// ```
    /// # use simd_iri::{ToUri, iri};
    /// let mut text = String::new();
    /// let uri = ToUri::new().map_into(iri!("a:é#b"), &mut text)?;
    /// assert_eq!((uri.path(), uri.fragment()), ("%C3%A9", Some("b")));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    pub fn map_into<'t, K: Kind>(
        self,
        view: impl AsView<Kind = K>,
        text: &'t mut String,
    ) -> Result<View<'t, K::Uri>, Error> {
        let view = view.as_view();
        text.clear();
        let (given, places) = (view.as_str(), view.as_parts().as_offsets());
        let parts = if self.has_options() || is_long(given) {
            self.map_to(view, text)?
        } else {
            match encode_with_places(given.as_bytes(), places, text) {
                Some(places) => Parts::at(places),
                None => view.parts(),
            }
        };
        Ok(View::new(text, parts))
    }

    /// Tells whether any option is set.
    const fn has_options(&self) -> bool {
        #[cfg(feature = "idna")]
        if self.domains.is_some() {
            return true;
        }
        #[cfg(feature = "charset")]
        if self.query.is_some() {
            return true;
        }
        false
    }

    /// Parses and maps a text that may contain the printable ASCII characters that no reference can hold: `<`, `>`,
    /// `"`, space, `{`, `}`, `|`, `\`, `^` and the grave accent. They are percent-encoded, as RFC 3987, section 3.1
    /// allows. A backslash becomes `%5C`, not a slash. Allocates the encoded text and the result.
    ///
    /// # Errors
    /// Those of [`map`](Self::map); or the first reason, other than these characters, why the text is not an
    /// `IRI-reference`, with its byte offsets in `text`.
    ///
    /// ```
    /// # use simd_iri::ToUri;
    /// assert_eq!(ToUri::new().map_lenient("http://a/b c|é")?, "http://a/b%20c%7C%C3%A9");
    /// assert_eq!(ToUri::new().map_lenient("a b%").unwrap_err().span(), 3..4);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn map_lenient(self, text: &str) -> Result<UriRefBuf, Error> {
        let mut encoded = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((kept, after)) =
            rest.split_at_checked(position(rest.as_bytes(), &DISALLOWED))
        {
            encoded.push_str(kept);
            let Some((byte, _)) = after.as_bytes().split_first() else { break };
            encoded.push_str(triplet_text(*byte));
            rest = slice::text(after, 1..);
        }
        match View::<IriReference>::parse(&encoded) {
            Ok(view) => self.map(view).map(Mapped::into_owned),
            // The error of `encoded` has offsets in `encoded`. In `text`, the same error is the first error that is
            // not about a character of `DISALLOWED`.
            Err(error) => {
                let is_other = |error: &Error| {
                    let is_one = error.kind() == ErrorKind::NotAllowed
                        && text
                            .as_bytes()
                            .get(error.span().start)
                            .is_some_and(|byte| DISALLOWED.contains(*byte));
                    !is_one
                };
                let mut errors = Rule::IriReference.violations(text);
                Err(errors.find(is_other).unwrap_or(error))
            }
        }
    }

    /// Appends the result to `text`, which is empty, and returns where its components are.
    #[inline(never)]
    fn map_to<K: Kind>(self, view: View<'_, K>, text: &mut String) -> Result<Parts, Error> {
        let given = view.as_str();
        if is_long(given) && given.len() + 2 * non_ascii(given) > u32::MAX as usize {
            return Err(Error::too_long(u32::MAX));
        }
        #[cfg(feature = "idna")]
        if let Some(host) = self.domains.map_or(Ok(None), |domains| ascii_host(domains, view))? {
            let without = Self { domains: None, ..self };
            // The cold path: the query has a charset, or the reference is so long that the host may make it too long.
            return if without.has_options() || is_long(given) {
                without.map_to(with_host(view, &host).view(), text)
            } else {
                Ok(encode_with_host(view, &host, text))
            };
        }
        #[cfg(feature = "charset")]
        if let Some(charset) = self.query.filter(|_| has_query_charset(view)) {
            return charset.map_to(view, text);
        }
        let places = view.as_parts().as_offsets();
        let moved = encode_with_places(given.as_bytes(), places, text);
        Ok(moved.map_or(view.parts(), Parts::at))
    }
}

/// The printable ASCII that no IRI can hold: the characters that RFC 3987, section 3.1 allows systems to
/// percent-encode.
pub const DISALLOWED: AsciiSet = AsciiSet::of(b"<>\" {}|\\^`");

/// Tells whether a text may become too long for offsets if each of its bytes becomes a triplet.
const fn is_long(text: &str) -> bool {
    text.len() > u32::MAX as usize / 3
}

/// Returns the number of bytes outside ASCII.
fn non_ascii(text: &str) -> usize {
    text.bytes().filter(|byte| !byte.is_ascii()).count()
}
