//! The URL to send: the serialization of the URL Standard, built from the judged parts.
//!
//! Not here: what is sent (`steps`).

use alloc::string::{String, ToString};

use super::standard::StandardReading;
use simd_iri::Rule;
use simd_iri::low::{decoded_dots, default_port, push_without_as, segments, slice, triplet_text};

/// Writes a valid IRI as the URL Standard does, with the host and the port of a reading. User information and the
/// fragment are left out; dot segments are removed, also where the dots are triplets. One pass over path and query.
///
/// For example, `HTTP://É:080/a/%2e/é?'#f` with the reading `http`, `xn--9ca`, 80 is `http://xn--9ca/a/%C3%A9?%27`.
pub(super) fn url(text: &str, reading: &StandardReading) -> String {
    let StandardReading { scheme, host, port, .. } = reading;
    let mut url = String::with_capacity(text.len());
    url.push_str(scheme);
    url.push_str("://");
    url.push_str(&host.text());
    if let Some(port) = port.filter(|port| default_port(scheme) != Some(*port)) {
        url.push(':');
        url.push_str(&port.to_string());
    }
    // INVARIANT: only a valid IRI has a reading without a reason; with user information that is stripped, too.
    let Ok(parts) = Rule::Iri.parse(text) else { return url };
    let path = slice::text(text, parts.path());
    push_without_as(&mut url, segments(path), decoded_dots, |segment, url| {
        push(segment, |_| false, url);
    });
    let has_root = matches!(&**scheme, "http" | "https" | "ws" | "wss" | "ftp");
    if has_root && path.is_empty() {
        url.push('/');
    }
    if let Some(query) = parts.query() {
        url.push('?');
        push(slice::text(text, query), |byte| has_root && byte == b'\'', &mut url);
    }
    url
}

/// Appends a part with triplets in place of characters outside ASCII and of the bytes that `is_encoded` names.
fn push(part: &str, is_encoded: impl Fn(u8) -> bool, url: &mut String) {
    for byte in part.bytes() {
        if byte.is_ascii() && !is_encoded(byte) {
            url.push(char::from(byte));
        } else {
            url.push_str(triplet_text(byte));
        }
    }
}
