//! IRI → URI (RFC 3987, section 3.1).
//!
//! Not here: the expansion of bytes to triplets (`scan`), and what a host is to the DNS (`idna`).

use alloc::string::String;
use core::marker::PhantomData;

#[cfg(feature = "charset")]
use super::charset::{QueryCharset, has_query_charset};
#[cfg(feature = "idna")]
use super::idna;
#[cfg(feature = "idna")]
use crate::error::Component;
use crate::error::{Error, ErrorKind};
use crate::parse::{Parts, Rule};
use crate::reference::kind::{IriReference, Kind};
use crate::reference::{Buf, Cow, UriRefBuf, View};
use crate::scan::{Query, encode, position, slice, triplet_text};
use crate::tables::AsciiSet;
#[cfg(feature = "idna")]
use crate::transform::components::rewrite;
#[cfg(feature = "idna")]
use crate::transform::schemes::Known;

impl<'a, K: Kind> View<'a, K> {
    /// The URI that this reference is mapped to (RFC 3987, section 3.1): each character outside ASCII
    /// becomes the triplets of its UTF-8 bytes, and nothing else changes. It is the identity on URIs.
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
    #[inline]
    pub fn to_uri(self) -> Result<Cow<'a, K::Uri>, Error> {
        ToUri::new().map(self)
    }
}

/// How IRIs are mapped to URIs.
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

/// Of which schemes the hosts are domain names.
#[cfg(feature = "idna")]
#[derive(Clone, Copy, Debug)]
enum Domains<'s> {
    Known,
    Named(&'s [&'s str]),
}

impl<'s> ToUri<'s> {
    /// Every component is percent-encoded, the host too.
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

    /// The host becomes an ASCII domain name by UTS #46 if the scheme is `http`, `https`, `ws`, `wss` or
    /// `ftp`, whose hosts are looked up in the DNS.
    ///
    /// A host that is in ASCII without triplets stays as it is, unless UTS #46 refuses it: `xn--a`,
    /// `-a.com`, `a..b`, a label of 64 bytes. An underscore in a label in ASCII is allowed.
    ///
    /// ```
    /// # use simd_iri::{ErrorKind, ToUri, iri};
    /// let map = ToUri::new().idna();
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
    pub const fn idna(self) -> Self {
        Self { domains: Some(Domains::Known), ..self }
    }

    /// The same for these schemes, in lower case, instead.
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

    /// Maps a reference. One pass; allocates only if something changes.
    ///
    /// # Errors
    /// The result has 4 GiB or more, or an option refuses something.
    ///
    /// ```
    /// # use simd_iri::{ToUri, iri_ref};
    /// assert_eq!(ToUri::new().map(iri_ref!("../é"))?, "../%C3%A9");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    pub fn map<'a, K: Kind>(self, view: View<'a, K>) -> Result<Cow<'a, K::Uri>, Error> {
        let given = View::new(view.as_str(), view.parts());
        // No option changes what is a URI, but for hosts that are domain names.
        #[cfg(feature = "idna")]
        let may_have_domain = self.domains.is_some() && view.authority().is_some();
        #[cfg(not(feature = "idna"))]
        let may_have_domain = false;
        if view.as_str().is_ascii() && !may_have_domain {
            return Ok(Cow::Borrowed(given));
        }
        self.mapped(view)
    }

    /// What is not in ASCII. Not inlined, so that the rest is.
    #[inline(never)]
    fn mapped<'a, K: Kind>(self, view: View<'a, K>) -> Result<Cow<'a, K::Uri>, Error> {
        let mut text = String::new();
        let parts = self.map_to(view, &mut text)?;
        Ok(Cow::of(View::new(view.as_str(), view.parts()), Buf::new(text, parts)))
    }

    /// Maps a reference and leaves nothing but the result in `text`. Nothing is allocated if there is
    /// room for it and 256 bytes, unless an option has work to do.
    ///
    /// # Errors
    /// As [`map`](Self::map); `text` is empty then.
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
        view: View<'_, K>,
        text: &'t mut String,
    ) -> Result<View<'t, K::Uri>, Error> {
        text.clear();
        let parts = if !self.has_options() && view.as_str().is_ascii() {
            text.push_str(view.as_str());
            view.parts()
        } else {
            self.map_to(view, text)?
        };
        Ok(View::new(text, parts))
    }

    /// Tells whether an option may change what is in ASCII.
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

    /// Maps a text that may hold the printable ASCII characters that no reference does: `<`, `>`, `"`,
    /// space, `{`, `}`, `|`, `\`, `^` and the grave accent are percent-encoded, as section 3.1 lets
    /// systems do that accept more than IRIs. They are not converted otherwise, a backslash not to a
    /// slash either.
    ///
    /// # Errors
    /// As [`map`](Self::map), or what else is wrong with the text as an `IRI-reference`.
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
            Ok(view) => self.map(view).map(Cow::into_buf),
            // It is the first error that is none of these characters, where it is in the text.
            Err(error) => {
                let is_other = |error: &Error| {
                    let is_one = error.kind() == ErrorKind::NotAllowed
                        && text
                            .as_bytes()
                            .get(error.span().start)
                            .is_some_and(|byte| DISALLOWED.contains(*byte));
                    !is_one
                };
                let mut errors = Rule::IriReference.violations(text.as_bytes());
                Err(errors.find(is_other).unwrap_or(error))
            }
        }
    }

    /// Writes the result into `text`, which is empty.
    #[inline(never)]
    fn map_to<K: Kind>(self, view: View<'_, K>, text: &mut String) -> Result<Parts, Error> {
        let given = view.as_str();
        // Only a text that is long enough for it is counted.
        let is_long = given.len() > u32::MAX as usize / 3;
        if is_long && given.len() + 2 * non_ascii(given) > u32::MAX as usize {
            return Err(Error::too_long(u32::MAX));
        }
        #[cfg(feature = "idna")]
        if let Some(named) = self.with_ascii_host(view)? {
            return Self { domains: None, ..self }.map_to(named.view(), text);
        }
        #[cfg(feature = "charset")]
        if let Some(charset) = self.query.filter(|_| has_query_charset(view)) {
            return charset.map_to(view, text);
        }
        if given.is_ascii() {
            text.push_str(given);
            return Ok(view.parts());
        }
        let places = view.parts().offsets();
        Ok(Parts::at(encode(given.as_bytes(), Query::NonAscii, places, text)))
    }

    /// The reference with its host as an ASCII domain name, if it is to be one and is none yet.
    #[cfg(feature = "idna")]
    fn with_ascii_host<K: Kind>(self, view: View<'_, K>) -> Result<Option<Buf<K>>, Error> {
        let scheme = view.as_iri_ref().scheme().unwrap_or_default();
        let is_domain = match self.domains {
            None => false,
            Some(Domains::Known) => Known::of(scheme).is_some_and(Known::has_domains),
            Some(Domains::Named(names)) => {
                names.iter().any(|name| scheme.eq_ignore_ascii_case(name))
            }
        };
        let (Some(host), true) = (view.parts().host(), is_domain) else { return Ok(None) };
        let name = view.host_str().unwrap_or_default();
        match idna::to_ascii(name) {
            Some(ascii) if ascii == name => Ok(None),
            // No name is so long that there is no room for it.
            Some(_) if view.as_str().len() > MAX => Err(Error::too_long(u32::MAX)),
            Some(ascii) => Ok(Some(with_host(view, &ascii))),
            None => Err(Error::new(ErrorKind::BadDomain, Component::Host, host, 0)),
        }
    }
}

/// The printable ASCII characters that section 3.1 names.
const DISALLOWED: AsciiSet = AsciiSet::of(b"<>\" {}|\\^`");

/// A reference with its host as an ASCII domain name, if hosts of its scheme are names and this is one.
#[cfg(feature = "idna")]
pub(crate) fn with_domain<K: Kind>(view: View<'_, K>) -> Cow<'_, K> {
    ToUri::new().idna().with_ascii_host(view).ok().flatten().map_or(Cow::Borrowed(view), Cow::Owned)
}

/// So long a text may get another host.
#[cfg(feature = "idna")]
pub(crate) const MAX: usize = (u32::MAX / 2) as usize;

/// A reference of at most [`MAX`] bytes with another host.
#[cfg(feature = "idna")]
pub(crate) fn with_host<K: Kind>(view: View<'_, K>, host: &str) -> Buf<K> {
    let mut text = String::with_capacity(view.as_str().len() + host.len());
    let parts = rewrite(view, &mut text, |component, value, out| {
        out.push_str(if component == Component::Host { host } else { value });
    });
    Buf::new(text, parts)
}

/// How many bytes are outside ASCII.
fn non_ascii(text: &str) -> usize {
    text.bytes().filter(|byte| !byte.is_ascii()).count()
}
