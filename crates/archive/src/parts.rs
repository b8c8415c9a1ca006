//! How urlcanon splits an address: nothing is decoded and nothing is lost.
//!
//! Not here: CDX keys, which split an address as their tools do (`cdx`).

use memchr::{memchr, memrchr};

use simd_iri::low::is_scheme;

/// The parts of an address with a host, as they are written.
#[derive(Clone, Copy)]
pub(super) struct AddressParts<'a> {
    pub(super) scheme: &'a [u8],
    /// The slashes after the colon. A special scheme may have fewer or more than two, and backslashes.
    pub(super) slashes: &'a [u8],
    /// The user information, without the `@`.
    pub(super) user: Option<&'a [u8]>,
    /// The host, with the brackets of an IPv6 address.
    pub(super) host: &'a [u8],
    /// The port, without the colon.
    pub(super) port: Option<&'a [u8]>,
    /// The path, the query and the fragment.
    pub(super) rest: &'a [u8],
}

/// The schemes that the URL Standard calls special and that have a host.
const SPECIAL: [&[u8]; 5] = [b"http", b"https", b"ws", b"wss", b"ftp"];

/// Tells whether a scheme is special by the URL Standard.
pub(super) fn is_special(scheme: &[u8]) -> bool {
    SPECIAL.iter().any(|special| special.eq_ignore_ascii_case(scheme))
}

/// Splits an address. Returns `None` if the text has no scheme or no authority.
pub(super) fn split(text: &[u8]) -> Option<AddressParts<'_>> {
    let colon = memchr(b':', text)?;
    let (scheme, after) = (text.get(..colon)?, text.get(colon + 1..)?);
    if !is_scheme(scheme) {
        return None;
    }
    let is_special = is_special(scheme);
    let is_slash = |byte: &u8| *byte == b'/' || is_special && *byte == b'\\';
    let count = match is_special {
        true => after.iter().position(|byte| !is_slash(byte)).unwrap_or(after.len()),
        false if after.starts_with(b"//") => 2,
        false => return None,
    };
    let (slashes, after) = after.split_at_checked(count)?;
    let is_end = |byte: &u8| matches!(byte, b'?' | b'#') || is_slash(byte);
    let end = after.iter().position(is_end).unwrap_or(after.len());
    let (authority, rest) = after.split_at_checked(end)?;
    let at = memrchr(b'@', authority);
    let user = at.and_then(|at| authority.get(..at));
    let address = at.map_or(Some(authority), |at| authority.get(at + 1..))?;
    // The colons in brackets are those of an IPv6 address.
    let bracket = memrchr(b']', address).unwrap_or_default();
    let colon = address.get(bracket..).and_then(|rest| memchr(b':', rest)).map(|at| at + bracket);
    let host = address.get(..colon.unwrap_or(address.len()))?;
    let port = colon.and_then(|at| address.get(at + 1..));
    Some(AddressParts { scheme, slashes, user, host, port, rest })
}
