//! A host by itself: in ASCII, as the DNS and HTTP need it, and in Unicode, as people read it.
//!
//! Not here: whether a text is the name of a host (`hostname`), and UTS #46 (`idna`).

use alloc::string::String;

use super::to_iri::ToIri;
use super::to_uri::ToUri;
use crate::error::Error;
use crate::parse::ComponentRule;
use crate::reference::Buf;
use crate::reference::kind::Iri;

/// A scheme whose hosts are domain names, before a host.
const BEFORE: &str = "http://";

/// Returns a host (no port) in ASCII, as the DNS and HTTP need it: the domain name that UTS #46 gives, or an address as
/// it is. It is the host of the URI that [`ToUri::idna`] makes.
///
/// Linear in the host; allocates.
///
/// # Errors
/// The text is not an `ihost`, or UTS #46 gives no domain name. The offsets are in `host`.
///
/// ```
/// use simd_iri::{ErrorKind, domain::host_to_ascii};
///
/// assert_eq!(host_to_ascii("bücher.example")?, "xn--bcher-kva.example");
/// assert_eq!(host_to_ascii("[::1]")?, "[::1]");
/// assert_eq!(host_to_ascii("a:80").unwrap_err().span(), 1..2);
/// assert_eq!(host_to_ascii("\u{202E}").unwrap_err().kind(), ErrorKind::BadDomain);
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[doc(alias = "domain_to_ascii")]
#[doc(alias = "punycode")]
pub fn host_to_ascii(host: &str) -> Result<String, Error> {
    let iri = of_host(host)?;
    let uri = ToUri::new().idna(true).map(iri.view());
    let uri = uri.map_err(|error| error.moved_back_by(BEFORE.len()))?;
    Ok(uri.view().host_str().unwrap_or_default().into())
}

/// Returns a host (no port) in Unicode, as people read it: triplets decoded, and labels `xn--…` as their letters where
/// UTS #46 gives the same host back. A character that changes the direction of a text becomes triplets. It is the host
/// of the IRI that [`ToIri::idna`] makes of the URI of the host.
///
/// Linear in the host; allocates.
///
/// # Errors
/// The text is not an `ihost`. The offsets are in `host`.
///
/// ```
/// use simd_iri::domain::host_to_unicode;
///
/// assert_eq!(host_to_unicode("xn--bcher-kva.example")?, "bücher.example");
/// assert_eq!(host_to_unicode("b%C3%BCcher.example")?, "bücher.example");
/// assert_eq!(host_to_unicode("a\u{202E}")?, "a%E2%80%AE");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[doc(alias = "domain_to_unicode")]
pub fn host_to_unicode(host: &str) -> Result<String, Error> {
    let iri = of_host(host)?;
    let uri = ToUri::new().map(iri.view())?;
    let shown = ToIri::new().idna(true).map(uri.view());
    Ok(shown.view().host_str().unwrap_or_default().into())
}

/// Returns an IRI whose host is this text.
fn of_host(host: &str) -> Result<Buf<Iri>, Error> {
    ComponentRule::Ihost.validate(host)?;
    [BEFORE, host].concat().parse()
}
