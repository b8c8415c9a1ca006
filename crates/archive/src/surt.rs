//! The keys that change no component: the SURT of Heritrix, the SURT of urlcanon, and SSURT.
//!
//! Not here: CDX keys (`cdx`), which canonicalize the address.

use alloc::vec::Vec;

use memchr::{memchr, memmem, memrchr};

use super::host;
use super::options::Options;
use super::parts::{AddressParts, split};

/// Appends the SURT of Heritrix, or returns `None` if the text has no such form.
///
/// ```text
/// scheme://user@host:port/rest    →    scheme://(labels,:port@user)/rest
/// ```
pub(super) fn heritrix(options: &Options, text: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let at = memmem::find(text, b"://")?;
    let (scheme, after) = (text.get(..at)?, text.get(at + 3..)?);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    if scheme.is_empty() || !scheme.iter().all(is_word) || after.iter().any(is_space) {
        return None;
    }
    // The user information has no slash and is not empty.
    let authority = memchr(b'/', after).and_then(|end| after.get(..end)).unwrap_or(after);
    let user = memchr(b'@', authority).filter(|at| *at > 0);
    let user = user.and_then(|at| after.get(..at));
    let after = user.map_or(Some(after), |user| after.get(user.len() + 1..))?;
    // A host has a byte at least, so a slash at the start is in the host.
    let end = memchr(b'/', after.get(1..)?).map_or(after.len(), |end| end + 1);
    let (authority, path) = after.split_at_checked(end)?;
    let port = memrchr(b':', authority).filter(|at| {
        let digits = authority.get(at + 1..).unwrap_or_default();
        *at > 0 && !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    });
    let (host, port) = authority.split_at_checked(port.unwrap_or(authority.len()))?;
    let start = out.len();
    if options.scheme {
        out.extend_from_slice(scheme);
        out.extend_from_slice(b"://(");
    }
    push_host(options, host, is_quad(host), out);
    out.extend_from_slice(port);
    if let Some(user) = user {
        out.push(b'@');
        out.extend_from_slice(user);
    }
    out.push(b')');
    out.extend_from_slice(path);
    if options.case {
        to_lower(start, out);
    }
    Some(())
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Tells whether a host is four groups of one to three digits.
fn is_quad(host: &[u8]) -> bool {
    let mut groups = 0;
    let is_group = |group: &[u8]| {
        groups += 1;
        matches!(group.len(), 1..=3) && group.iter().all(u8::is_ascii_digit)
    };
    host.split(|byte| *byte == b'.').all(is_group) && groups == 4
}

/// Makes the letters of `out` from `start` on lower case: those of all scripts if it is UTF-8, and otherwise those of
/// ASCII.
fn to_lower(start: usize, out: &mut Vec<u8>) {
    let added = out.get_mut(start..).unwrap_or_default();
    match core::str::from_utf8(added).ok().filter(|text| !text.is_ascii()).map(str::to_lowercase) {
        Some(lower) => {
            out.truncate(start);
            out.extend_from_slice(lower.as_bytes());
        }
        None => added.make_ascii_lowercase(),
    }
}

/// Appends a host with its labels in reverse. An IP address stays as it is, unless the options say otherwise.
fn push_host(options: &Options, host: &[u8], is_address: bool, out: &mut Vec<u8>) {
    if is_address && !options.reverse_ip {
        out.extend_from_slice(host);
        return;
    }
    host::push_labels(host, out);
    if options.comma {
        out.push(b',');
    }
}

/// Appends the SURT of urlcanon, or returns `None` if the text has no host.
///
/// ```text
/// scheme://user:password@host:port/rest    →    scheme://(labels,:port)/rest
/// ```
pub(super) fn urlcanon(options: &Options, text: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let AddressParts { scheme, slashes, host, port, rest, .. } = split(text)?;
    if options.scheme {
        out.extend_from_slice(scheme);
        out.push(b':');
        out.extend_from_slice(slashes);
        out.push(b'(');
    }
    push_host(options, host, host::is_address(host), out);
    if let Some(port) = port {
        out.push(b':');
        out.extend_from_slice(port);
    }
    out.push(b')');
    out.extend_from_slice(rest);
    Some(())
}

/// Appends the SSURT, or returns `None` if the text has no host.
///
/// ```text
/// scheme://user:password@host:port/rest    →    labels,//port:scheme@user:password:/rest
/// ```
pub(super) fn ssurt(options: &Options, text: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let AddressParts { scheme, user, host, port, rest, .. } = split(text)?;
    if host::is_address(host) && !options.reverse_ip {
        out.extend_from_slice(host);
    } else {
        // A comma of a label becomes a dot, so that the host can be read back.
        let mut rest = host;
        while let Some(dot) = memrchr(b'.', rest) {
            push_label(rest.get(dot + 1..).unwrap_or_default(), out);
            rest = rest.get(..dot).unwrap_or_default();
        }
        push_label(rest, out);
        if !options.comma {
            out.pop();
        }
    }
    out.extend_from_slice(b"//");
    if let Some(port) = port {
        out.extend_from_slice(port);
        out.push(b':');
    }
    out.extend_from_slice(scheme);
    if let Some(user) = user {
        out.push(b'@');
        out.extend_from_slice(user);
    }
    out.push(b':');
    out.extend_from_slice(rest);
    Some(())
}

/// Appends a label, with dots in place of its commas, and a comma.
fn push_label(label: &[u8], out: &mut Vec<u8>) {
    out.extend(label.iter().map(|byte| if *byte == b',' { b'.' } else { *byte }));
    out.push(b',');
}
