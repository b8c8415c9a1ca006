//! Hosts of references as domain names: the options of [`ToUri`] for them, and references with another host.
//!
//! Not here: what a host is to the DNS (`idna`).

use alloc::string::String;

use super::idna;
use super::to_uri::ToUri;
use crate::error::{Component, Error, ErrorKind};
use crate::parse::Parts;
use crate::reference::kind::Kind;
use crate::reference::{Buf, Cow, View};
use crate::scan::{encode_with_places, slice};
use crate::transform::components::rewrite_components;
use crate::transform::schemes::Known;

/// The schemes whose hosts are mapped as domain names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Domains<'s> {
    /// `http`, `https`, `ws`, `wss` and `ftp`.
    Known,
    /// The schemes with these names.
    Named(&'s [&'s str]),
}

impl<'s> ToUri<'s> {
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
    #[must_use]
    pub const fn idna_for(self, schemes: &'s [&'s str]) -> Self {
        Self { domains: Some(Domains::Named(schemes)), ..self }
    }

    /// Replaces the schemes of [`idna`](Self::idna) by other schemes, if that option is on.
    pub(super) const fn with_known(self, schemes: &'s [&'s str]) -> Self {
        match self.domains {
            Some(Domains::Known) => self.idna_for(schemes),
            _ => self,
        }
    }

    /// Returns the host as an ASCII domain name; `None` if no option asks for it, or if the host does not change.
    pub(super) fn ascii_host<K: Kind>(self, view: View<'_, K>) -> Result<Option<String>, Error> {
        let (Some(domains), Some(host)) = (self.domains, view.parts().host()) else {
            return Ok(None);
        };
        // PERF: most hosts stay, whatever the scheme is.
        let name = view.host_str().unwrap_or_default();
        if idna::is_kept(name) {
            return Ok(None);
        }
        let scheme = view.as_iri_ref().scheme().unwrap_or_default();
        let is_domain = match domains {
            Domains::Known => Known::of(scheme).is_some_and(Known::has_domains),
            Domains::Named(names) => names.iter().any(|name| scheme.eq_ignore_ascii_case(name)),
        };
        if !is_domain {
            return Ok(None);
        }
        match idna::other_to_ascii(name) {
            Some(ascii) if ascii == name => Ok(None),
            // A domain name is short, so a reference of at most `MAX` bytes has room for it.
            Some(_) if view.as_str().len() > MAX => Err(Error::too_long(u32::MAX)),
            Some(ascii) => Ok(Some(ascii.into_owned())),
            None => Err(Error::new(ErrorKind::BadDomain, Component::Host, host, 0)),
        }
    }
}

/// Writes the URI that a reference with another host maps to into an empty `text`, and returns where its components
/// are.
pub(super) fn encode_with_host<K: Kind>(view: View<'_, K>, host: &str, text: &mut String) -> Parts {
    let (given, places) = (view.as_str(), view.parts().offsets());
    let [_, authority, start, end, ..] = places;
    let (before, after) = (..start as usize, end as usize..);
    let has_userinfo = authority < start;
    let moved_before = if has_userinfo {
        let in_before = places.map(|place| place.min(start));
        let before = slice::bytes(given.as_bytes(), before);
        encode_with_places(before, &in_before, text).unwrap_or(in_before)
    } else {
        text.push_str(slice::text(given, before));
        places
    };
    text.push_str(host);
    let moved_end = text.len() as u32;
    let in_after = places.map(|place| place.saturating_sub(end));
    let after = slice::bytes(given.as_bytes(), after);
    let moved = encode_with_places(after, &in_after, text);
    let moved = moved.unwrap_or_else(|| in_after.map(|place| place + moved_end));
    let [scheme_end, authority, host, ..] = moved_before;
    let [_, _, _, host_end, path, path_end, query_end, end] = moved;
    Parts::at([scheme_end, authority, host, host_end, path, path_end, query_end, end])
}

/// Returns a reference with its host as an ASCII domain name. The reference stays as it is if hosts of its scheme
/// are not domain names, or if UTS #46 refuses its host.
pub(crate) fn with_domain<K: Kind>(view: View<'_, K>) -> Cow<'_, K> {
    if view.host_str().is_none_or(idna::is_plain) {
        return Cow::Borrowed(view);
    }
    let host = ToUri::new().idna(true).ascii_host(view).ok().flatten();
    host.map_or(Cow::Borrowed(view), |host| Cow::Owned(with_host(view, &host)))
}

/// The length in bytes of the longest text whose host may be replaced.
pub(crate) const MAX: usize = (u32::MAX / 2) as usize;

/// Returns a reference of at most [`MAX`] bytes with its host replaced by `host`.
pub(crate) fn with_host<K: Kind>(view: View<'_, K>, host: &str) -> Buf<K> {
    let mut text = String::with_capacity(view.as_str().len() + host.len());
    let parts = rewrite_components(view, &mut text, |component, value, out| {
        out.push_str(if component == Component::Host { host } else { value });
    });
    Buf::new(text, parts)
}
