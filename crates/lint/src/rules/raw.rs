//! Findings about a text that is not a reference: how browsers read it, and escapes that only some programs
//! know.
//!
//! Not here: why it is not a reference (the engine), and its repair (`simd-iri-text`).

use alloc::string::String;
use core::ops::Range;

use super::scheme::is_second;
use super::spoof::is_active;
use crate::code::Code;
use crate::finding::Reporter;
use simd_iri::Component;
use simd_iri::low::{AsciiSet, Known, slice};

/// The longest text before a colon that is examined as a scheme, in bytes. The limit counts the characters that
/// browsers remove.
const LONGEST_SCHEME: usize = 1024;

/// Reports the places that browsers read in another way than RFC 3986 says. Browsers follow the URL Standard. One pass
/// for each code.
pub(crate) fn check(text: &str, reporter: &mut Reporter<'_>) {
    let mut report = |code, span: Range<usize>| {
        reporter.report(code, Component::Reference, span, None, 0);
    };
    for (at, part) in text.match_indices(['\t', '\n', '\r']) {
        report(Code::SpoofWhitespace, at..at + part.len());
    }
    let scheme = text.split_once(':').map(|(scheme, _)| scheme);
    // Browsers remove controls and spaces before the scheme, and tabs and line breaks inside it.
    if let Some(scheme) = scheme.filter(|scheme| scheme.len() <= LONGEST_SCHEME) {
        let is_kept =
            |c: &char| !u8::try_from(*c).is_ok_and(|byte| AsciiSet::BREAKS.contains(byte));
        let read: String = scheme.chars().filter(is_kept).collect();
        if is_active(read.trim_start_matches(|c: char| c <= ' ')) {
            report(Code::SpoofActiveScheme, 0..scheme.len());
        }
    }
    let scheme = scheme.filter(|scheme| scheme.bytes().all(|b| b.is_ascii_alphanumeric()));
    // Browsers read a backslash as a slash only in references of these schemes. A text without a scheme may be
    // relative to a base with one of these schemes, so it counts as well.
    let is_web = scheme.is_none_or(|name| {
        Known::of(name).is_some_and(|known| known.has_domains() || known == Known::File)
    });
    if is_web {
        let end = text.find(['?', '#']).unwrap_or(text.len());
        for (at, part) in slice::text(text, ..end).match_indices('\\') {
            report(Code::SpoofBackslash, at..at + part.len());
        }
        // After two slashes or more, in either direction, the authority begins. It ends at the next delimiter.
        let start = scheme.map_or(0, |scheme| scheme.len() + 1);
        let rest = slice::text(text, start..);
        let slashes = rest.len() - rest.trim_start_matches(['/', '\\']).len();
        let authority = slice::text(rest, slashes..);
        let authority = authority.split(['/', '\\', '?', '#']).next().unwrap_or_default();
        let at = start + slashes;
        // No digit: the text may be invalid by something behind a host and its port.
        let second = authority.split_once(':').filter(|(_, port)| {
            !port.starts_with(|c: char| c.is_ascii_digit()) && !authority.contains('@')
        });
        let name = second.map(|(name, _)| name).or_else(|| {
            let rest = slice::text(rest, slashes + authority.len()..);
            rest.starts_with("//").then_some(authority)
        });
        let first = scheme.and_then(Known::of);
        if let Some(name) = name.filter(|name| first.is_some_and(|first| is_second(first, name))) {
            report(Code::SchemeTwice, at..at + name.len());
        }
        let ends = authority.find('@').zip(authority.rfind('@'));
        if let (2.., Some((first, last))) = (slashes, ends.filter(|(first, last)| first < last)) {
            report(Code::SpoofSecondAt, at + first..at + last + 1);
        }
    }
    for (at, _) in text.match_indices("%u") {
        let digits = text.get(at + 2..at + 6);
        if digits.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit())) {
            report(Code::SpoofPercentU, at..at + 6);
        }
    }
}
