//! The seven preferred forms of section 5.4 of draft-duerst-iri-10, which creators of IRIs should use:
//! the scheme in lower case; no needless triplet; upper-case digits in triplets; labels as Nameprep
//! leaves them; components in NFC or NFKC; no dot segments; `/` for an empty path. And no port that is empty or the default.
//!
//! Here: the forms of scheme, host and path. Not here: triplets (`escapes`) and normal forms of characters
//! (`repertoire`).

use alloc::borrow::Cow;
use alloc::string::String;

use crate::code::Code;
use crate::finding::Reporter;
use crate::prescan::LintPrescan;
use crate::suggestion::Suggestion;
use simd_iri::low::{Known, decoded_dots, has_encoded_dot, ipv4, push_without_as, segments};
use simd_iri::{Component, IriRef};

/// Reports parts that are not in the preferred form. `is_meant` tells that no second scheme is after the scheme: otherwise
/// the port and the path are not those that were meant, and their preferred forms would hide the second scheme.
pub(crate) fn check(
    iri: IriRef<'_>,
    scheme: Option<Known>,
    prescan: LintPrescan,
    (is_uri, is_meant): (bool, bool),
    reporter: &mut Reporter<'_>,
) {
    let parts = iri.parts();
    let has_capitals =
        |name: &&str| prescan.case && name.contains(|c: char| c.is_ascii_uppercase());
    if let (Some(_), Some(span)) = (iri.scheme().filter(has_capitals), parts.scheme()) {
        let lower = Some(Suggestion::LowerCase);
        reporter.report(Code::PreferredSchemeCase, Component::Scheme, span, lower, 0);
    }
    let host = iri.host_str().zip(parts.host()).filter(|_| prescan.case || prescan.host);
    if let Some((name, span)) = host {
        let has_domains = scheme.is_some_and(Known::has_domains);
        let suggestion = if has_domains && !is_uri && domain(name).is_some_and(|form| form != name)
        {
            Some(Suggestion::Domain)
        } else if has_upper_case(name) {
            Some(Suggestion::LowerCase)
        } else {
            None
        };
        if suggestion.is_some() {
            reporter.report(Code::PreferredHost, Component::Host, span, suggestion, 0);
        }
    }
    if !is_meant {
        return;
    }
    dots(iri, scheme, prescan, reporter);
    if let (Some(digits), Some(port)) = (iri.port(), parts.port()) {
        let is_default =
            iri.port_u16().is_some_and(|port| scheme.and_then(Known::port) == Some(port));
        if digits.is_empty() || is_default {
            let remove = Some(Suggestion::RemovePort);
            reporter.report(
                Code::PreferredPort,
                Component::Port,
                port.start - 1..port.end,
                remove,
                0,
            );
        }
    }
    // Without a host, the text after the slash would become the host.
    let has_host = iri.host_str().is_some_and(|host| !host.is_empty());
    if has_host && iri.path().is_empty() && scheme.is_some_and(Known::has_root) {
        let slash = Some(Suggestion::Slash);
        reporter.report(Code::PreferredEmptyPath, Component::Path, parts.path(), slash, 0);
    }
}

/// Reports dot segments, encoded or not.
pub(crate) fn dots(
    iri: IriRef<'_>,
    scheme: Option<Known>,
    prescan: LintPrescan,
    reporter: &mut Reporter<'_>,
) {
    let parts = iri.parts();
    // Dots have no meaning in a URN (RFC 8141).
    let has_segments = iri.path().starts_with('/') && scheme != Some(Known::Urn);
    let may_have_dots = prescan.dots && iri.path().contains("/.")
        || prescan.encoded_dot && has_encoded_dot(iri.path());
    if may_have_dots && parts.scheme().is_some() && has_segments {
        let path = without_dots(iri.path());
        // Removing dot segments may leave a path that begins with two slashes. Without an authority, such a path is not
        // allowed, so the dot segment stays. The path of a file should not begin with two slashes either.
        let has_two = path.starts_with("//") && !iri.path().starts_with("//");
        let may_have_two = parts.authority().is_some() && scheme != Some(Known::File);
        if path != iri.path() && (!has_two || may_have_two) {
            let remove = Some(Suggestion::RemoveDots);
            reporter.report(Code::PreferredDots, Component::Path, parts.path(), remove, 0);
        }
    }
}

/// Returns a path without its dot segments, encoded or not (RFC 3986, sections 5.2.4 and 6.2.2.3). A path
/// that does not begin with a slash does not have a hierarchy and keeps its dot segments.
pub(crate) fn without_dots(path: &str) -> String {
    if !path.starts_with('/') {
        return path.into();
    }
    let mut out = String::with_capacity(path.len());
    push_without_as(&mut out, segments(path), decoded_dots, |segment, out| out.push_str(segment));
    out
}

/// Returns the form that UTS #46 gives a domain name with characters outside ASCII. UTS #46 has replaced Nameprep.
/// Returns `None` if the host is in ASCII, has triplets, stands for an IPv4 address, is not a domain name, or certainly has
/// this form.
pub(crate) fn domain(host: &str) -> Option<Cow<'_, str>> {
    use simd_iri::low::{is_unchanged, to_ascii, to_unicode};
    // A host that UTS #46 does not change has no other form.
    if host.is_ascii() || host.contains('%') || is_unchanged(host) {
        return None;
    }
    // A name that stands for an IPv4 address would become that address.
    let ascii = to_ascii(host).filter(|ascii| ipv4::address(ascii).is_none())?;
    Some(Cow::Owned(to_unicode(&ascii).unwrap_or(ascii.into_owned())))
}

/// Tells whether [`lower_case`] changes a text: whether it has an ASCII letter in upper case, except the digits of triplets.
fn has_upper_case(text: &str) -> bool {
    let (bytes, mut at) = (text.as_bytes(), 0);
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_uppercase() {
            return true;
        }
        at += if *byte == b'%' { 3 } else { 1 };
    }
    false
}

/// Returns a text with its ASCII letters in lower case, except the digits of triplets.
pub(crate) fn lower_case(text: &str) -> String {
    // The digits of the last triplet that are still to come.
    let mut digits = 0_u8;
    let lower = text.chars().map(|c| {
        let is_digit = digits > 0;
        digits = if c == '%' { 2 } else { digits.saturating_sub(1) };
        if is_digit { c } else { c.to_ascii_lowercase() }
    });
    lower.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_upper_case_if_lower_case_changes_it() {
        let pieces = ["", "a", "B", "%4A", "%4a", "%c3%A9", "é", "-", "Z"];
        for first in pieces {
            for (second, third) in pieces.iter().flat_map(|a| pieces.map(|b| (a, b))) {
                let text = [first, second, third].concat();
                assert_eq!(has_upper_case(&text), lower_case(&text) != text, "{text}");
            }
        }
    }
}
