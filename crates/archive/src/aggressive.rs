//! The canonical address of urlcanon's aggressive rules, which brozzler and warcprox put into their keys.
//!
//! ```text
//! scheme    http for https, and where there is no scheme; the default port goes
//! host      UTS #46 or IDNA 2003, IPv4 in four decimal numbers, www stripped once
//! path      decoded and encoded once, no dot segments, no empty segments, no ids of sessions, no slash at the end
//! query     decoded and encoded once, no empty pairs, no ids of sessions, sorted
//! fragment  goes
//! ```
//!
//! Not here: the keys of such an address (`surt`).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::{memchr, memchr2};

use super::escape::push_triplet;
use super::options::Www;
use super::parts::{AddressParts, is_special, split};
use super::{host, path};
use simd_iri::low::{AsciiSet, is_scheme, is_too_long, octet, slice};

/// Returns the canonical address of a text by the aggressive rules of urlcanon. A text that has a scheme and no host,
/// such as `urn:a`, stays as it is.
///
/// The result is for archives alone: it is not the normal form of RFC 3986. It never fails.
///
/// Linear in the text, besides the order of the pairs of a query; allocates the result and the parts that change.
///
/// ```
/// use simd_iri_archive::aggressive;
///
/// assert_eq!(aggressive("https://www.Example.com:443/a//b/?C=2&a=1&#f"), "http://example.com/a/b?a=1&c=2");
/// assert_eq!(aggressive("0x7f.1/;jsessionid=E85FAC04E331FFCA"), "http://127.0.0.1/");
/// assert_eq!(aggressive("urn:A"), "urn:A");
/// ```
#[must_use]
pub fn aggressive(text: &str) -> String {
    let mut made = Vec::new();
    aggressive_into(text.as_bytes(), &mut made);
    // The parts of a text in UTF-8 are cut at ASCII, and what is decoded and not ASCII is encoded again.
    String::from_utf8(made).unwrap_or_else(|_| text.into())
}

/// Appends the canonical address of bytes.
pub(super) fn aggressive_into(text: &[u8], out: &mut Vec<u8>) {
    let cleaned = cleaned(text);
    let (has_scheme, with_scheme);
    let parts = match split(&cleaned) {
        Some(parts) => Some(parts),
        None => {
            has_scheme = memchr(b':', &cleaned)
                .is_some_and(|colon| is_scheme(cleaned.get(..colon).unwrap_or_default()));
            with_scheme = [b"http://".as_slice(), &cleaned].concat();
            if has_scheme { None } else { split(&with_scheme) }
        }
    };
    let Some(AddressParts { scheme, user, host, port, rest, .. }) =
        parts.filter(|parts| !parts.host.is_empty())
    else {
        out.extend_from_slice(&cleaned);
        return;
    };
    let scheme = scheme.to_ascii_lowercase();
    out.extend_from_slice(if scheme == b"https" { b"http" } else { &scheme });
    out.extend_from_slice(b"://");
    if let Some(user) = user.filter(|user| !user.is_empty()) {
        out.extend_from_slice(user);
        out.push(b'@');
    }
    push_host(host, out);
    let port = port.map(|port| {
        port.iter().position(|digit| *digit != b'0').and_then(|at| port.get(at..)).unwrap_or(port)
    });
    if let Some(port) = port.filter(|port| !port.is_empty() && default_port(&scheme) != Some(*port))
    {
        out.push(b':');
        out.extend_from_slice(port);
    }
    let end = memchr2(b'?', b'#', rest).unwrap_or(rest.len());
    let (path, after) = rest.split_at_checked(end).unwrap_or((rest, b""));
    push_path(path, is_special(&scheme), out);
    if let Some(query) = after.strip_prefix(b"?") {
        let query = memchr(b'#', query).and_then(|end| query.get(..end)).unwrap_or(query);
        push_query(query, out);
    }
}

/// Returns a text without the bytes up to U+0020 at its ends, and without tabs and ends of lines.
fn cleaned(text: &[u8]) -> Cow<'_, [u8]> {
    let is_kept = |byte: &u8| *byte > b' ';
    let end = text.iter().rposition(is_kept).map_or(0, |last| last + 1);
    let start = text.iter().position(is_kept).unwrap_or_default();
    let inner = text.get(start..end).unwrap_or_default();
    let is_break = |byte: &u8| AsciiSet::BREAKS.contains(*byte);
    if inner.iter().any(is_break) {
        return Cow::Owned(inner.iter().copied().filter(|byte| !is_break(byte)).collect());
    }
    Cow::Borrowed(inner)
}

/// Returns the default port of a scheme in lower case.
fn default_port(scheme: &[u8]) -> Option<&'static [u8]> {
    match scheme {
        b"http" | b"ws" => Some(b"80"),
        b"https" | b"wss" => Some(b"443"),
        b"ftp" => Some(b"21"),
        _ => None,
    }
}

/// Appends a host: decoded once, in ASCII, and without `www`.
fn push_host(host: &[u8], out: &mut Vec<u8>) {
    let decoded = decoded(host);
    let mut name = match core::str::from_utf8(&decoded) {
        Ok(name) if !name.is_ascii() => {
            // Punycode takes quadratic time.
            let ascii = (!is_too_long(name.chars())).then(|| idna::domain_to_ascii(name).ok());
            let ascii = ascii.flatten().or_else(|| host::to_ascii(name));
            ascii.map_or(Cow::Borrowed(name.as_bytes()), |ascii| Cow::Owned(ascii.into_bytes()))
        }
        _ => decoded,
    };
    name.to_mut().make_ascii_lowercase();
    if let Some(address) = host::any_address(&name) {
        host::push_address(address, out);
        return;
    }
    for byte in host::without_www(&name, Www::One) {
        match byte {
            ..=b' ' | b'#' | b'%' | b'/' | b'?' | b'@' | 0x7F.. => push_triplet(*byte, out),
            _ => out.push(*byte),
        }
    }
}

/// Returns a text whose triplets are decoded once.
fn decoded(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'%', text).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(bytes(text).map(|(byte, _)| byte).collect())
}

/// Returns the bytes of a text, and whether each byte was a triplet.
fn bytes(text: &[u8]) -> impl Iterator<Item = (u8, bool)> + '_ {
    let mut rest = text;
    core::iter::from_fn(move || {
        if let Some(octet) = octet(rest, 0) {
            rest = slice::bytes(rest, 3..);
            return Some((octet, true));
        }
        let (first, after) = rest.split_first()?;
        rest = after;
        Some((*first, false))
    })
}

/// Appends a path.
fn push_path(path: &[u8], is_special: bool, out: &mut Vec<u8>) {
    let start = out.len();
    for segment in path.split(|byte| *byte == b'/' || is_special && *byte == b'\\') {
        // An encoded dot is a dot, and an encoded slash is not a delimiter.
        match &*decoded(segment) {
            b"" | b"." => {}
            b".." => {
                let slash = memchr::memrchr(b'/', out.get(start..).unwrap_or_default());
                out.truncate(start + slash.unwrap_or_default());
            }
            _ => {
                out.push(b'/');
                let segment = without_session(segment);
                for (byte, was_triplet) in bytes(segment) {
                    match byte {
                        ..=b' '
                        | b'"'
                        | b'#'
                        | b'%'
                        | b'<'
                        | b'>'
                        | b'?'
                        | b'`'
                        | b'{'
                        | b'}'
                        | 0x7F.. => {
                            push_triplet(byte, out);
                        }
                        b'/' | b'\\' if was_triplet => push_triplet(byte, out),
                        _ => out.push(byte),
                    }
                }
                if segment.is_empty() {
                    out.pop();
                }
            }
        }
    }
    if out.len() == start {
        out.push(b'/');
    }
    path::drop_sessions(start, out);
    out.get_mut(start..).unwrap_or_default().make_ascii_lowercase();
}

/// Returns a segment without the id of a session at its end, such as `;jsessionid=0123456789`.
fn without_session(segment: &[u8]) -> &[u8] {
    const NAME: &[u8] = b";jsessionid=";
    let at = memchr::memrchr(b';', segment).unwrap_or(segment.len());
    match segment.get(at..).and_then(|rest| rest.split_at_checked(NAME.len())) {
        Some((name, id)) if name.eq_ignore_ascii_case(NAME) && is_id(id, 10) => {
            segment.get(..at).unwrap_or(segment)
        }
        _ => segment,
    }
}

/// Tells whether a text can be the id of a session, and has a number of characters at least.
fn is_id(text: &[u8], least: usize) -> bool {
    text.len() >= least && text.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'$')
}

/// Appends a question mark and a query, unless no pair is left.
fn push_query(query: &[u8], out: &mut Vec<u8>) {
    let mut pairs: Vec<Vec<u8>> = Vec::new();
    let mut given = query.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()).peekable();
    while let Some(pair) = given.next() {
        if begins_with(pair, b"cfid=")
            && given.peek().is_some_and(|next| begins_with(next, b"cftoken="))
        {
            given.next();
            continue;
        }
        if is_session(pair) {
            continue;
        }
        let mut kept = Vec::with_capacity(pair.len());
        for (byte, was_triplet) in bytes(pair) {
            match byte {
                ..=b' ' | b'"' | b'#' | b'%' | b'<' | b'>' | 0x7F.. => {
                    push_triplet(byte, &mut kept)
                }
                b'&' | b'=' | b'+' if was_triplet => push_triplet(byte, &mut kept),
                _ => kept.push(byte),
            }
        }
        kept.make_ascii_lowercase();
        pairs.push(kept);
    }
    pairs.sort();
    for (number, pair) in pairs.iter().enumerate() {
        out.push(if number == 0 { b'?' } else { b'&' });
        out.extend_from_slice(pair);
    }
}

/// Tells whether a text begins with a name and has more bytes. The case of letters does not matter.
fn begins_with(text: &[u8], name: &[u8]) -> bool {
    text.len() > name.len()
        && text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// Tells whether a pair is the id of a session.
fn is_session(pair: &[u8]) -> bool {
    let Some((name, value)) =
        memchr(b'=', pair).and_then(|at| Some((pair.get(..at)?, pair.get(at + 1..)?)))
    else {
        return false;
    };
    match &*name.to_ascii_lowercase() {
        b"jsessionid" => is_id(value, 10),
        b"sessionid" | b"phpsessid" | b"sid" => is_id(value, 16),
        name => name.starts_with(b"aspsessionid") && is_id(value, 16),
    }
}
