//! Hosts of references as domain names: which schemes have them, and references with another host.
//!
//! Not here: what a host is to the DNS (`idna`).

use alloc::string::String;

use super::idna;
use crate::error::{Component, Error, ErrorKind};
use crate::parse::Parts;
use crate::reference::kind::Kind;
use crate::reference::{Buf, Mapped, View};
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

/// Returns the host as an ASCII domain name; `None` if the scheme has no domain names, or if the host does not change.
pub(super) fn ascii_host<K: Kind>(
    domains: Domains<'_>,
    view: View<'_, K>,
) -> Result<Option<String>, Error> {
    let Some(host) = view.parts().host() else { return Ok(None) };
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
pub(crate) fn with_domain<K: Kind>(view: View<'_, K>) -> Mapped<'_, K> {
    if view.host_str().is_none_or(idna::is_plain) {
        return Mapped::Borrowed(view);
    }
    let host = ascii_host(Domains::Known, view).ok().flatten();
    host.map_or(Mapped::Borrowed(view), |host| Mapped::Owned(with_host(view, &host)))
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
