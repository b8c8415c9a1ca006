//! The values of components: the kind of a host, the form of a path, and its segments.

use core::fmt;
use core::iter::FusedIterator;
use core::net::{Ipv4Addr, Ipv6Addr};

use crate::error::named;

/// A host, by the first alternative of `ihost` that matches it (RFC 3986, section 3.2.2).
///
/// ```
/// use core::net::{Ipv4Addr, Ipv6Addr};
/// use simd_iri::{Host, Iri};
///
/// let host = |text| Iri::parse(text).ok().and_then(|iri| iri.host());
/// assert_eq!(host("http://127.0.0.1/"), Some(Host::Ipv4(Ipv4Addr::LOCALHOST)));
/// assert_eq!(host("http://[::1]/"), Some(Host::Ipv6(Ipv6Addr::LOCALHOST)));
/// assert_eq!(host("http://[v1.x]/"), Some(Host::IpvFuture("v1.x")));
/// assert_eq!(host("http://127.0.0.256/"), Some(Host::RegName("127.0.0.256")));
/// assert_eq!(host("file:///"), Some(Host::RegName("")));
/// assert_eq!(host("urn:a"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Host<'a> {
    /// `IPv4address`
    Ipv4(Ipv4Addr),
    /// `IPv6address`, in brackets in the text
    Ipv6(Ipv6Addr),
    /// `IPvFuture`, without the brackets that it has in the text
    IpvFuture(&'a str),
    /// `ireg-name`, as it is written; it may be empty
    RegName(&'a str),
}

impl<'a> Host<'a> {
    /// Returns the value of a valid `ihost`.
    pub(super) fn of(host: &'a str) -> Self {
        match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            // An `IPvFuture` begins with `v` or `V`, and an `IPv6address` does not. The standard library reads every
            // `IPv6address`.
            Some(literal) => literal.parse().map_or(Self::IpvFuture(literal), Self::Ipv6),
            // The standard library reads an `IPv4address` and nothing else.
            None => host.parse().map_or(Self::RegName(host), Self::Ipv4),
        }
    }

    /// Returns the name of the alternative: `ipv4`, `ipv6`, `ipvfuture` or `reg-name`.
    ///
    /// ```
    /// # use simd_iri::Host;
    /// assert_eq!(Host::RegName("a").kind(), "reg-name");
    /// ```
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Ipv4(_) => "ipv4",
            Self::Ipv6(_) => "ipv6",
            Self::IpvFuture(_) => "ipvfuture",
            Self::RegName(_) => "reg-name",
        }
    }
}

/// Writes the host as it stands in a reference, with the brackets of an `IP-literal`.
///
/// ```
/// # use simd_iri::iri;
/// assert_eq!(iri!("http://[::1]/").host().unwrap().to_string(), "[::1]");
/// assert_eq!(iri!("http://[v1.x]/").host().unwrap().to_string(), "[v1.x]");
/// ```
impl fmt::Display for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ipv4(address) => address.fmt(f),
            Self::Ipv6(address) => write!(f, "[{address}]"),
            Self::IpvFuture(literal) => write!(f, "[{literal}]"),
            Self::RegName(name) => f.pad(name),
        }
    }
}

/// The five forms of `ipath` (RFC 3986, section 3.3).
///
/// ```
/// use simd_iri::{IriRef, component::PathForm};
///
/// let form = |text| IriRef::parse(text).map(|reference| reference.path_form());
/// assert_eq!(form("http://a"), Ok(PathForm::Abempty));
/// assert_eq!(form("file:/a"), Ok(PathForm::Absolute));
/// assert_eq!(form("a/b:c"), Ok(PathForm::Noscheme));
/// assert_eq!(form("urn:a"), Ok(PathForm::Rootless));
/// assert_eq!(form("?a"), Ok(PathForm::Empty));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PathForm {
    /// `ipath-abempty`: after an authority; begins with `/` or is empty
    Abempty,
    /// `ipath-absolute`: begins with `/` but not with `//`
    Absolute,
    /// `ipath-noscheme`: begins with a segment without a colon
    Noscheme,
    /// `ipath-rootless`: after a scheme; begins with a segment
    Rootless,
    /// `ipath-empty`
    Empty,
}

named! {
    /// Returns the name of the rule in the ABNF, without `ipath-`.
    "simd_iri::component::PathForm" PathForm {
        Abempty = "abempty",
        Absolute = "absolute",
        Noscheme = "noscheme",
        Rootless = "rootless",
        Empty = "empty",
    }
}

/// The segments of a path, from either end. A slash at the start is not a separator. A slash at the end makes the
/// last segment empty. An empty path has no segment.
///
/// ```
/// use simd_iri::IriRef;
///
/// let segments = |text| IriRef::parse(text).map(|r| r.segments().collect::<Vec<_>>());
/// assert_eq!(segments("/a//b/"), Ok(vec!["a", "", "b", ""]));
/// assert_eq!(segments("a/b"), Ok(vec!["a", "b"]));
/// assert_eq!(segments("/"), Ok(vec![""]));
/// assert_eq!(segments("//host"), Ok(vec![]));
/// ```
#[derive(Clone, Debug)]
pub struct Segments<'a>(core::iter::Flatten<core::option::IntoIter<core::str::Split<'a, char>>>);

impl<'a> Segments<'a> {
    /// Returns the segments of a valid `ipath`.
    pub(super) fn of(path: &'a str) -> Self {
        let split = path.strip_prefix('/').unwrap_or(path).split('/');
        Self((!path.is_empty()).then_some(split).into_iter().flatten())
    }
}

impl<'a> Iterator for Segments<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.0.next()
    }
}

impl DoubleEndedIterator for Segments<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }
}

impl FusedIterator for Segments<'_> {}
