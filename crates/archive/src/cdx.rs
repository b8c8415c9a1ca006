//! The CDX key of an address: the profiles `wayback` and `pywb`.
//!
//! ```text
//! text      split at the delimiters, as written: scheme, host, port, path, query
//! host      decode, IDNA 2003, dots, IPv4, strip www, reverse the labels
//! path      decode, drop segments, encode, lower case, drop ids of sessions, drop the slash at the end
//! query     decode, encode, drop ids of sessions, lower case, sort
//! key       labels [: port] ) path [? query]
//! ```
//!
//! An unusual text takes more steps: each step first asks whether there is something to do. Not here: the steps
//! themselves (`escape`, `host`, `path`, `query`).

use alloc::borrow::Cow;
use alloc::vec::Vec;

use memchr::{memchr, memchr2, memchr3, memrchr};

use super::escape::{Classes, encode, push_decoded};
use super::options::{Options, Profile};
use super::{host, path, query};
use simd_iri::low::{AsciiSet, is_scheme};

/// Appends the key of a text, or returns `None` if the profile rejects the text. Then `out` may have a part of a key.
pub(super) fn push(options: &Options, text: &[u8], out: &mut Vec<u8>) -> Option<()> {
    if text.is_empty() {
        out.push(b'-');
        return Some(());
    }
    if text.starts_with(b"filedesc") {
        out.extend_from_slice(text);
        return Some(());
    }
    let classes = Classes::of(text);
    if let Some(parts) = usual(text).filter(|_| classes.is_plain()) {
        let host = host::canonical(options, classes, parts.host);
        if !host.is_empty() {
            push_parts(options, classes, HostParts { host: &host, ..parts }, out);
            return Some(());
        }
    }
    if matches!(options.profile, Profile::Wayback) {
        wayback(options, classes, text, out)
    } else {
        pywb(options, classes, text, out)
    }
}

/// The parts of a text that has a host.
struct HostParts<'a> {
    scheme: &'a [u8],
    host: &'a [u8],
    port: Option<u32>,
    /// The path and the query, without the fragment.
    rest: &'a [u8],
}

/// Splits a text of the usual form, which has the same parts in both profiles: `http` or `https` in lower case, and a
/// host of letters, digits, hyphens and dots without a port.
fn usual(text: &[u8]) -> Option<HostParts<'_>> {
    let (scheme, rest) = match text {
        [b'h', b't', b't', b'p', b':', b'/', b'/', rest @ ..] => (&b"http"[..], rest),
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', rest @ ..] => (&b"https"[..], rest),
        _ => return None,
    };
    let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let end = rest.iter().position(|byte| !is_in_name(byte)).unwrap_or(rest.len());
    let (host, rest) = rest.split_at_checked(end)?;
    let is_whole = matches!(rest.first(), None | Some(b'/' | b'?' | b'#'));
    (is_whole && !host.is_empty()).then_some(HostParts { scheme, host, port: None, rest })
}

/// The schemes that Wayback knows. Another text gets `http://` before it.
const KNOWN: [&[u8]; 6] = [b"http", b"https", b"ftp", b"mms", b"rtsp", b"wais"];

fn wayback(options: &Options, classes: Classes, text: &[u8], out: &mut Vec<u8>) -> Option<()> {
    if text.starts_with(b"warcinfo") {
        out.extend_from_slice(text);
        return Some(());
    }
    if let Some(name) = text.strip_prefix(b"dns:") {
        host::push_labels(name, out);
        out.push(b')');
        return Some(());
    }
    let cleaned =
        if classes.has_encoded() { without_breaks(trimmed(text)) } else { Cow::Borrowed(text) };
    let (scheme, mut rest) = known_scheme(&cleaned).unwrap_or((b"http", &cleaned));
    if matches!(scheme, b"http" | b"https") {
        rest = without_slashes(rest);
    }
    let (authority, rest) = split_authority(rest);
    let after = memchr(b'@', authority).and_then(|at| authority.get(at + 1..)).unwrap_or(authority);
    let (host, port) = match after.strip_prefix(b"[") {
        Some(inner) => split_at(inner, b']')
            .map_or((inner, None), |(host, port)| (host, port.strip_prefix(b":"))),
        None => split_at(after, b':').map_or((after, None), |(host, port)| (host, Some(port))),
    };
    let port = match port.filter(|port| !port.is_empty()) {
        Some(port) => Some(number(port).filter(|port| *port <= i32::MAX as u32)?),
        None => None,
    };
    let host = host::canonical(options, classes, host);
    if host.is_empty() {
        return None;
    }
    push_parts(options, classes, HostParts { scheme, host: &host, port, rest }, out);
    Some(())
}

/// Returns a scheme that Wayback knows, and what comes after `://`.
fn known_scheme(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let (scheme, rest) = split_at(text, b':')?;
    let rest = rest.strip_prefix(b"//").filter(|rest| !rest.is_empty())?;
    KNOWN.iter().any(|known| known.eq_ignore_ascii_case(scheme)).then_some((scheme, rest))
}

/// Returns a text without the bytes up to U+0020 at its ends.
fn trimmed(text: &[u8]) -> &[u8] {
    let is_kept = |byte: &u8| *byte > b' ';
    let end = text.iter().rposition(is_kept).map_or(0, |last| last + 1);
    let start = text.iter().position(is_kept).unwrap_or_default();
    text.get(start..end).unwrap_or_default()
}

/// Returns a text without the characters that end a line or are a tab.
fn without_breaks(text: &[u8]) -> Cow<'_, [u8]> {
    let mut kept = Vec::new();
    let (mut done, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = match rest {
            [byte, ..] if AsciiSet::BREAKS.contains(*byte) => 1,
            [0xC2, 0x85, ..] => 2,
            [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
            _ => 0,
        };
        if length > 0 {
            kept.extend_from_slice(text.get(done..at).unwrap_or_default());
            done = at + length;
        }
        at += length.max(1);
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    kept.extend_from_slice(text.get(done..).unwrap_or_default());
    Cow::Owned(kept)
}

/// The rules of pywb. A scheme is any scheme of RFC 3986. Without a host, the key is the text with its scheme.
///
/// If the scheme is `http` or `https` in lower case and there is no host, the first segment of the path is the host:
/// `http:a`, `http:///a` and `http://:/a` have the host `a`.
fn pywb(options: &Options, mut classes: Classes, text: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let mut cleaned = Cow::Borrowed(text);
    if classes.has_encoded() {
        cleaned = without_spaces(text);
        classes = Classes::of(&cleaned);
    }
    if cleaned.is_empty() {
        return None;
    }
    let (scheme, after) = match split_scheme(&cleaned).map(innermost) {
        Some((scheme, rest)) => (scheme, rest.strip_prefix(b"//").ok_or(rest)),
        None => (&b"http"[..], Ok(cleaned.as_ref())),
    };
    let (authority, mut rest) = after.map_or_else(|rest| (&b""[..], rest), split_authority);
    let authority = authority.strip_suffix(b":").unwrap_or(authority);
    let named = memrchr(b'@', authority).and_then(|at| authority.get(at + 1..));
    let named = named.unwrap_or(authority);
    let (mut host, port) = match split_at(named, b'[') {
        Some((_, inner)) => {
            let (host, rest) = split_at(inner, b']').unwrap_or((inner, b""));
            (host, split_at(rest, b':').map(|(_, port)| port))
        }
        None => split_at(named, b':').map_or((named, None), |(host, port)| (host, Some(port))),
    };
    let port = match port.filter(|port| !port.is_empty()) {
        Some(port) => Some(number(port).filter(|port| *port <= u32::from(u16::MAX))?),
        None => None,
    };
    if host.is_empty() && matches!(scheme, b"http" | b"https") {
        let (segment, after) = split_authority(without_slashes(rest));
        if !segment.is_empty() {
            (host, rest) = (segment, after);
        }
    }
    let host = host::canonical(options, classes, host);
    if host.is_empty() {
        out.extend_from_slice(scheme);
        out.push(b':');
        push_rest(options, classes, rest, false, out);
    } else {
        push_parts(options, classes, HostParts { scheme, host: &host, port, rest }, out);
    }
    Some(())
}

/// Returns a text without white space at its ends, and without tabs and ends of lines.
fn without_spaces(text: &[u8]) -> Cow<'_, [u8]> {
    let is_inner = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\n' | 0x0B | 0x0C | b'\r');
    let end = text.iter().rposition(is_inner).map_or(0, |last| last + 1);
    let start = text.iter().position(is_inner).unwrap_or_default();
    let inner = text.get(start..end).unwrap_or_default();
    if memchr3(b'\t', b'\n', b'\r', inner).is_none() {
        return Cow::Borrowed(inner);
    }
    let is_kept = |byte: &u8| !AsciiSet::BREAKS.contains(*byte);
    Cow::Owned(inner.iter().copied().filter(is_kept).collect())
}

/// Returns the scheme of a text, in its case, and what comes after the colon.
fn split_scheme(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let (scheme, rest) = text.split_at_checked(memchr(b':', text)?)?;
    is_scheme(scheme).then_some((scheme, rest.strip_prefix(b":")?))
}

/// Returns the scheme and the rest of the last address, if a text is addresses with `http` and `https` one after the
/// other, such as `http://https://a`.
fn innermost<'a>((mut scheme, mut rest): (&'a [u8], &'a [u8])) -> (&'a [u8], &'a [u8]) {
    while let Some(inner) =
        rest.strip_prefix(b"//").filter(|_| matches!(scheme, b"http" | b"https"))
    {
        let Some((name, after)) = split_at(inner, b':') else { break };
        if !matches!(name, b"http" | b"https") || !after.starts_with(b"//") {
            break;
        }
        (scheme, rest) = (name, after);
    }
    (scheme, rest)
}

/// Returns the authority at the start of a text, and what comes after it.
fn split_authority(text: &[u8]) -> (&[u8], &[u8]) {
    let end = memchr3(b'/', b'?', b'#', text).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, b""))
}

/// Returns what comes before the first place of a byte, and what comes after it.
fn split_at(text: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let at = memchr(byte, text)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Returns a text without the slashes at its start.
fn without_slashes(mut text: &[u8]) -> &[u8] {
    while let Some(rest) = text.strip_prefix(b"/") {
        text = rest;
    }
    text
}

/// Returns the number that a text of digits is.
fn number(digits: &[u8]) -> Option<u32> {
    let digits = core::str::from_utf8(digits).ok()?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// Appends the key of an address that has a host.
fn push_parts(options: &Options, classes: Classes, parts: HostParts<'_>, out: &mut Vec<u8>) {
    let HostParts { scheme, host, port, rest } = parts;
    let start = out.len();
    if options.scheme {
        out.extend_from_slice(scheme);
        out.extend_from_slice(b"://(");
    }
    let host = host::without_www(host, options.www);
    if !options.reverse_ip && host::is_dotted(host) {
        out.extend_from_slice(host);
    } else {
        host::push_labels(host, out);
    }
    if options.comma {
        out.push(b',');
    }
    out.get_mut(start..).unwrap_or_default().make_ascii_lowercase();
    let is_default = match port {
        Some(80) => scheme.eq_ignore_ascii_case(b"http"),
        Some(443) => scheme.eq_ignore_ascii_case(b"https"),
        _ => false,
    };
    if let Some(port) = port.filter(|_| !is_default) {
        out.push(b':');
        host::push_number(port, out);
    }
    out.push(b')');
    push_rest(options, classes, rest, true, out);
}

/// Appends the path and the query of a key. Without a host, the segments of the path stay.
fn push_rest(options: &Options, classes: Classes, rest: &[u8], has_host: bool, out: &mut Vec<u8>) {
    let end = memchr2(b'?', b'#', rest).unwrap_or(rest.len());
    let (path, after) = rest.split_at_checked(end).unwrap_or((rest, b""));
    let query = after
        .strip_prefix(b"?")
        .map(|query| split_at(query, b'#').map_or(query, |(query, _)| query));
    let start = out.len();
    push_text(
        options,
        classes,
        path,
        |start, out| {
            if has_host {
                path::drop_segments(start, out)
            }
        },
        out,
    );
    if !options.session_ids {
        path::drop_sessions(start, out);
    }
    if !options.slash && out.len() > start + 1 && out.ends_with(b"/") {
        out.pop();
    }
    let end = out.len();
    out.push(b'?');
    push_text(options, classes, query.unwrap_or_default(), |_, _| {}, out);
    if !options.session_ids {
        query::drop_sessions(end + 1, out);
    }
    if options.case {
        out.get_mut(start..).unwrap_or_default().make_ascii_lowercase();
    }
    if options.sort {
        query::sort(end + 1, out);
    }
    if out.len() == end + 1 {
        out.truncate(end);
    }
    if end == start && (has_host || out.len() > end) {
        out.insert(start, b'/');
    }
}

/// Appends a path or a query: decoded, changed by `between`, and encoded.
fn push_text(
    options: &Options,
    classes: Classes,
    text: &[u8],
    between: impl Fn(usize, &mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    let start = out.len();
    if classes.is_plain() {
        out.extend_from_slice(text);
        between(start, out);
    } else {
        push_decoded(text, out);
        between(start, out);
        encode(start, matches!(options.profile, Profile::Pywb), out);
    }
}
