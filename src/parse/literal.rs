//! The parser for constants: plain `const` code over the generated automaton of `IRI-reference`. It finds the same
//! components as the SIMD parser. It is slow, and made for texts in source code.
//!
//! Not here: the macros that call it.
#![forbid(unsafe_code)]

use super::dfa;
use super::parts::Parts;
use super::rule::{Rule, SchemeRule};

/// [`Rule::parse`] in a constant. Returns `None` instead of a reason on failure.
pub(crate) const fn parse_const(rule: Rule, text: &str) -> Option<Parts> {
    let bytes = text.as_bytes();
    let len = bytes.len();
    if len > u32::MAX as usize
        || !dfa::matches_iri_reference(bytes)
        || rule.ascii_only() && !bytes.is_ascii()
    {
        return None;
    }
    // The automaton has accepted the text, so that the first delimiters decide where components lie.
    let first = find(bytes, b":/?#", 0, len);
    let has_scheme = is(bytes, first, b':');
    let query_end = find(bytes, b"#", 0, len);
    let refused = match rule.scheme() {
        SchemeRule::Required => !has_scheme,
        SchemeRule::Optional => false,
        SchemeRule::Absent => has_scheme,
    };
    if refused || query_end < len && !rule.allows_fragment() {
        return None;
    }
    let after_scheme = if has_scheme { first + 1 } else { 0 };
    let has_authority = is(bytes, after_scheme, b'/') && is(bytes, after_scheme + 1, b'/');
    let authority = if has_authority { after_scheme + 2 } else { after_scheme };
    let path = if has_authority { find(bytes, b"/?#", authority, len) } else { authority };
    let at = find(bytes, b"@", authority, path);
    let host = if at < path { at + 1 } else { authority };
    let literal_end = if is(bytes, host, b'[') { find(bytes, b"]", host, path) } else { host };
    let host_end = find(bytes, b":", literal_end, path);
    let path_end = find(bytes, b"?", path, query_end);
    Some(Parts::at([
        if has_scheme { first as u32 } else { 0 },
        authority as u32,
        host as u32,
        host_end as u32,
        path as u32,
        path_end as u32,
        query_end as u32,
        len as u32,
    ]))
}

/// Tells whether `byte` is at `at`.
const fn is(bytes: &[u8], at: usize, byte: u8) -> bool {
    #[expect(clippy::indexing_slicing, reason = "compared with the length just before")]
    let is = at < bytes.len() && bytes[at] == byte;
    is
}

/// Returns the offset of the first of `delimiters` from `from` on, or `end` if no delimiter is before `end`.
const fn find(bytes: &[u8], delimiters: &[u8], from: usize, end: usize) -> usize {
    let mut at = from;
    while at < end {
        let mut rest = delimiters;
        while let [delimiter, tail @ ..] = rest {
            if is(bytes, at, *delimiter) {
                return at;
            }
            rest = tail;
        }
        at += 1;
    }
    end
}
