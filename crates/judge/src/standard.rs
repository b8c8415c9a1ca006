//! The scheme, the host and the port of a text by the URL Standard (WHATWG), as browsers and many clients read it.
//!
//! The reader follows the sections "URL parsing" (4.4), "StandardHost parsing" (3.5) and "IPv4 parser" of the standard, without
//! a base. What comes after the port never makes a text with a host invalid there, so it is not read. Not here: paths
//! (`send`), and the mapping of UTS #46, which is in the crate `idna`.

/*
# The algorithm

    remove controls and spaces at both ends; remove tabs and line ends everywhere
    the scheme ends at the first colon; without a scheme, the text is refused
    after a special scheme, skip all slashes and backslashes; otherwise, two slashes must follow, or there is no host
    the authority ends at the first `/`, `?` or `#`, and at a backslash after a special scheme
    the last `@` ends the user information; the first colon outside brackets ends the host
    a host in brackets is an IPv6 address
    decode the triplets of another host, map it by UTS #46; if its last label is a number, it is an IPv4 address

For example, ` http:\\a@①27.1\b`: the space is removed and two backslashes are skipped. The authority is `a@①27.1`, its
host is mapped to `127.1`, and the last label is a number. So the host is 127.0.0.1.
*/

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::ops::Range;

use idna::AsciiDenyList;

use simd_iri::low::{
    AsciiSet, default_port, ipv4, is_scheme, is_too_long, octet, range::Groups, slice, triplet_text,
};

/// The characters that a host must not have in any scheme, besides controls (URL Standard, section 3.1: the forbidden
/// host code points).
const FORBIDDEN: &[u8] = b"\0\t\n\r #/:<>?@[\\]^|";

/// A host by the URL Standard.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum StandardHost {
    /// There is no host, or an empty host.
    Empty,
    Address(IpAddr),
    /// A name in ASCII and lower case, without triplets.
    Name(String),
    /// The host of a scheme that the standard does not know. It stays as it is.
    Opaque(String),
    /// A name that is certainly too long for the DNS. It is not mapped.
    TooLong,
}

impl StandardHost {
    /// Returns the host as the standard writes it, with the brackets of an IPv6 address.
    pub(super) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Empty | Self::TooLong => Cow::Borrowed(""),
            Self::Address(IpAddr::V4(address)) => Cow::Owned(address.to_string()),
            Self::Address(IpAddr::V6(address)) => Cow::Owned(format!("[{}]", Groups(*address))),
            Self::Name(name) | Self::Opaque(name) => Cow::Borrowed(name),
        }
    }
}

/// What the URL Standard reads in a text.
pub(super) struct StandardReading {
    /// In lower case.
    pub(super) scheme: String,
    pub(super) has_userinfo: bool,
    pub(super) host: StandardHost,
    /// The port that is written, or the default port of the scheme.
    pub(super) port: Option<u16>,
    /// The byte offsets of the host in the text, if no character before its end is removed.
    pub(super) span: Option<Range<usize>>,
}

/// Reads a text; `None` if the URL Standard refuses it. `reads_names` tells whether the host after a scheme is read as
/// a name even if the standard keeps it as it is: the client looks it up. A few passes, and one more over a host that
/// is not plain ASCII.
pub(super) fn read(text: &str, reads_names: impl Fn(&str) -> bool) -> Option<StandardReading> {
    let is_trimmed = |c: char| c <= ' ';
    let from_start = text.trim_start_matches(is_trimmed);
    let before = text.len() - from_start.len();
    let trimmed = from_start.trim_end_matches(is_trimmed);
    let is_removed = |c: char| u8::try_from(c).is_ok_and(|byte| AsciiSet::BREAKS.contains(byte));
    let cleaned: Cow<'_, str> = match trimmed.contains(is_removed) {
        true => Cow::Owned(trimmed.chars().filter(|c| !is_removed(*c)).collect()),
        false => Cow::Borrowed(trimmed),
    };
    let is_place = matches!(cleaned, Cow::Borrowed(_));
    let (scheme, _) = cleaned.split_once(':').filter(|(scheme, _)| is_scheme(scheme.as_bytes()))?;
    let start = scheme.len() + 1;
    let scheme = scheme.to_ascii_lowercase();
    let rest = slice::text(&cleaned, start..);
    let is_special = matches!(&*scheme, "http" | "https" | "ws" | "wss" | "ftp" | "file");
    let is_slash = |c: char| c == '/' || is_special && c == '\\';
    let slashes = rest.len() - rest.trim_start_matches(is_slash).len();
    let skipped = match &*scheme {
        // A file has a host after two slashes only.
        "file" if slashes < 2 => None,
        "file" => Some(2),
        _ if is_special => Some(slashes),
        _ => rest.starts_with("//").then_some(2),
    };
    let port = default_port(&scheme);
    let Some(skipped) = skipped else {
        return Some(StandardReading {
            scheme,
            has_userinfo: false,
            host: StandardHost::Empty,
            port,
            span: None,
        });
    };
    let after = slice::text(rest, skipped..);
    let is_end = |c: char| matches!(c, '/' | '?' | '#') || is_special && c == '\\';
    let authority = slice::text(after, ..after.find(is_end).unwrap_or(after.len()));
    let start = start + skipped;
    if scheme == "file" {
        let is_drive = |text: &str| matches!(text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
        let host = match authority {
            "" => StandardHost::Empty,
            drive if is_drive(drive) => StandardHost::Empty,
            other => match self::host(other, true)? {
                StandardHost::Name(name) if name == "localhost" => StandardHost::Empty,
                host => host,
            },
        };
        let span = is_place.then(|| before + start..before + start + authority.len());
        return Some(StandardReading { scheme, has_userinfo: false, host, port, span });
    }
    let at = authority.rfind('@');
    let named = slice::text(authority, at.map_or(0, |at| at + 1)..);
    let (name, digits) = match end_of_host(named) {
        Some(end) => (slice::text(named, ..end), Some(slice::text(named, end + 1..))),
        None => (named, None),
    };
    // A host must be there, unless a scheme that the standard does not know has an empty authority.
    let may_be_empty = !is_special && at.is_none() && digits.is_none();
    let host = match name {
        "" if may_be_empty => StandardHost::Empty,
        "" => return None,
        name => self::host(name, is_special || reads_names(&scheme))?,
    };
    let port = match digits {
        None | Some("") => port,
        Some(digits) => Some(port_number(digits)?),
    };
    let start = before + start + authority.len() - named.len();
    let span = is_place.then(|| start..start + name.len());
    Some(StandardReading { scheme, has_userinfo: at.is_some(), host, port, span })
}

/// Returns the offset of the first colon outside brackets.
fn end_of_host(text: &str) -> Option<usize> {
    let mut is_inside = false;
    text.bytes().position(|byte| {
        match byte {
            b'[' => is_inside = true,
            b']' => is_inside = false,
            _ => {}
        }
        byte == b':' && !is_inside
    })
}

/// Returns the number of a port, with any number of zeros before it; `None` if it is not a port.
pub(super) fn port_number(digits: &str) -> Option<u16> {
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let digits = digits.trim_start_matches('0');
    match is_number {
        true if digits.is_empty() => Some(0),
        true => digits.parse().ok(),
        false => None,
    }
}

/// Reads a host that is not empty. `is_name` tells whether it is a name that a client looks up.
pub(super) fn host(text: &str, is_name: bool) -> Option<StandardHost> {
    if let Some(rest) = text.strip_prefix('[') {
        let address: Ipv6Addr = rest.strip_suffix(']')?.parse().ok()?;
        return Some(StandardHost::Address(address.into()));
    }
    if !is_name {
        let is_forbidden = text.bytes().any(|byte| FORBIDDEN.contains(&byte));
        return (!is_forbidden).then(|| StandardHost::Opaque(opaque(text)));
    }
    let name = decoded(text);
    // Punycode takes quadratic time. Plain ASCII may be an address with many zeros.
    let is_mapped = !name.is_ascii() || has_a_label(&name);
    if is_mapped && is_too_long(name.chars()) {
        return Some(StandardHost::TooLong);
    }
    let name = ascii(&name)?;
    let end = name.strip_suffix('.').unwrap_or(&name);
    if ipv4::is_number(end.rsplit('.').next().unwrap_or_default()) {
        let address = Ipv4Addr::from_bits(ipv4::address(&name)?);
        return Some(StandardHost::Address(address.into()));
    }
    Some(StandardHost::Name(name.into_owned()))
}

/// Returns a name in ASCII as the URL Standard maps it ("domain to ASCII"); `None` if the standard refuses it, or if
/// nothing is left.
pub(super) fn ascii(name: &str) -> Option<Cow<'_, str>> {
    let ascii = idna::domain_to_ascii_cow(name.as_bytes(), AsciiDenyList::URL).ok()?;
    (!ascii.is_empty()).then_some(ascii)
}

/// Tells whether a label may be an A-label.
fn has_a_label(name: &str) -> bool {
    name.as_bytes().windows(4).any(|window| window.eq_ignore_ascii_case(b"xn--"))
}

/// Decodes the triplets of a host. Octets that are not UTF-8 become U+FFFD, which no name may have.
fn decoded(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'%', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let (bytes, mut at) = (text.as_bytes(), 0);
    let mut octets = Vec::with_capacity(bytes.len());
    while let Some(byte) = bytes.get(at) {
        let decoded = if *byte == b'%' { octet(bytes, at) } else { None };
        octets.push(decoded.unwrap_or(*byte));
        at += if decoded.is_some() { 3 } else { 1 };
    }
    Cow::Owned(String::from_utf8_lossy(&octets).into_owned())
}

/// Encodes controls and characters outside ASCII, as in the host of a scheme that the standard does not know.
fn opaque(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' '..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(triplet_text(byte)),
        }
    }
    out
}
