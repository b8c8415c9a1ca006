//! The origin of a web reference: its scheme, host and port (RFC 6454).
//!
//! Not here: whether two hosts belong to the same party (`domain`).

use alloc::string::{String, ToString};
use core::fmt::{self, Write as _};

use crate::reference::kind::Kind;
use crate::reference::{AsView, Host, View};
#[cfg(feature = "idna")]
use crate::transform::map::idna;
use crate::transform::normalize::address::push_ipv6;
use crate::transform::normalize::key::Canonical;
use crate::transform::schemes::Known;

impl<K: Kind> View<'_, K> {
    /// Returns the origin (RFC 6454, section 4): the scheme, the host, and the port, or the default port of the scheme.
    /// The host of a domain name has A-labels, as the RFC assumes. Allocates the host.
    ///
    /// Returns `None` for an opaque origin: the scheme is absent, or is not `http`, `https`, `ws`, `wss` or `ftp`; the
    /// host is absent or empty; the host has characters outside ASCII or triplets of them, and UTS #46 refuses it; or
    /// the port is larger than 65535. Without the feature `idna`, every host with such characters has an opaque origin,
    /// because its A-labels are not known. No two opaque origins are the same, so compare origins with
    /// [`View::is_same_origin`].
    ///
    /// ```
    /// use simd_iri::iri;
    ///
    /// assert_eq!(iri!("HTTP://A:080/b").origin(), iri!("http://u@a").origin());
    /// assert_ne!(iri!("http://a").origin(), iri!("https://a").origin());
    /// assert_eq!(iri!("file:///a").origin(), None);
    /// # #[cfg(feature = "idna")]
    /// assert!(iri!("https://例え.jp/").is_same_origin(iri!("https://xn--r8jz45g.jp/")));
    /// ```
    #[must_use]
    pub fn origin(self) -> Option<Origin> {
        let scheme = self.as_iri_ref().scheme().and_then(Known::of)?;
        let implied = scheme.port()?;
        let port = match self.port() {
            None | Some("") => implied,
            Some(_) => self.port_u16()?,
        };
        let host = match self.host()? {
            Host::RegName("") => return None,
            Host::RegName(name) => ascii_name(name)?,
            Host::Ipv4(address) => address.to_string(),
            Host::Ipv6(address) => {
                let mut host = String::new();
                push_ipv6(address, &mut host);
                host
            }
            Host::IpvFuture(literal) => alloc::format!("[{}]", literal.to_ascii_lowercase()),
        };
        Some(Origin { scheme, host, port })
    }

    /// Tells whether this reference and another have the same origin (RFC 6454, section 5). An opaque origin is not the
    /// same as any origin, not even as itself. Allocates both hosts.
    ///
    /// ```
    /// use simd_iri::iri;
    ///
    /// assert!(iri!("https://a/b").is_same_origin(iri!("https://a:443/c")));
    /// assert!(!iri!("urn:a").is_same_origin(iri!("urn:a")));
    /// ```
    #[must_use]
    pub fn is_same_origin(self, other: impl AsView) -> bool {
        let other = other.as_view();
        self.origin().is_some_and(|origin| Some(origin) == other.origin())
    }
}

/// The origin of a web reference: scheme, host and port. `Display` writes it as RFC 6454, section 6.2 defines: without
/// the port if it is the default port of the scheme.
///
/// Letters are in lower case, and the labels of a domain name are A-labels (`xn--`).
///
/// ```
/// use simd_iri::iri;
///
/// let origin = iri!("HTTPS://Example.org:8080/a").origin().unwrap();
/// assert_eq!(origin.to_string(), "https://example.org:8080");
/// assert_eq!((origin.scheme(), origin.port()), ("https", 8080));
/// # #[cfg(feature = "idna")]
/// assert_eq!(iri!("https://Exämple.org/").origin().unwrap(), "https://xn--exmple-cua.org");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Origin {
    scheme: Known,
    host: String,
    port: u16,
}

impl Origin {
    /// Returns the scheme, in lower case.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("WS://a").origin().map(|origin| origin.scheme()), Some("ws"));
    /// ```
    #[must_use]
    pub fn scheme(&self) -> &'static str {
        self.scheme.name()
    }

    /// Returns the host: a name in lower case, or an address in its shortest form. An IPv6 address is in brackets.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("ws://[0::1]").origin().unwrap().host(), "[::1]");
    /// ```
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the port, or the default port of the scheme if the reference has no port.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("ws://a").origin().map(|origin| origin.port()), Some(80));
    /// ```
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }
}

/// Compares the text of the origin, as [`Display`](fmt::Display) writes it.
///
/// ```
/// # use simd_iri::iri;
/// assert!(iri!("HTTPS://A:443/b").origin().unwrap() == "https://a");
/// assert!(iri!("https://a:8080/b").origin().unwrap() != "https://a:80");
/// ```
impl PartialEq<str> for Origin {
    fn eq(&self, other: &str) -> bool {
        let mut rest = OriginRest(other);
        write!(rest, "{self}").is_ok() && rest.0.is_empty()
    }
}

impl PartialEq<&str> for Origin {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

/// Returns the name of a host in ASCII and in lower case, with A-labels. Returns `None` if the name is not known in
/// ASCII.
fn ascii_name(host: &str) -> Option<String> {
    let bytes = Canonical::of(host, true).flatten();
    let name: String = bytes.map(|byte| char::from(*byte)).collect();
    // A triplet that is left stands for a character that no name of the DNS has in ASCII.
    if name.contains('%') { a_labels(host) } else { Some(name) }
}

/// Returns a host with its labels as A-labels; `None` if UTS #46 refuses the host.
#[cfg(feature = "idna")]
fn a_labels(host: &str) -> Option<String> {
    idna::other_to_ascii(host).map(|name| name.to_ascii_lowercase())
}

/// Without the tables of UTS #46, no A-label is known.
#[cfg(not(feature = "idna"))]
const fn a_labels(_: &str) -> Option<String> {
    None
}

/// The rest of a text, which a text that is written must begin.
struct OriginRest<'a>(&'a str);

impl fmt::Write for OriginRest<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(text).ok_or(fmt::Error)?;
        Ok(())
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scheme, host, port } = self;
        write!(f, "{}://{host}", scheme.name())?;
        if scheme.port() == Some(*port) { Ok(()) } else { write!(f, ":{port}") }
    }
}
