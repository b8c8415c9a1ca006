//! The parser for constants: plain `const` code over the generated automaton of `IRI-reference`. It finds the same
//! components as the SIMD parser. It is made for texts in source code.
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

/// The reason why a text in source code is refused, as a text of ASCII for the compiler to print.
#[derive(Debug)]
pub struct Refusal {
    bytes: [u8; 128],
    len: usize,
}

impl Refusal {
    /// Returns the reason why `text` does not match `rule`: the first of the reasons of the table, with its byte offset.
    /// The caller knows that the text does not match.
    ///
    /// ```text
    /// no reference continues so        the automaton is dead after the character
    /// it ends within a triplet …       the automaton is alive at the end and does not accept
    /// no scheme, not ASCII, too long   the automaton accepts: only the rule refuses
    /// ```
    pub(crate) const fn of(rule: Rule, text: &str) -> Self {
        let bytes = text.as_bytes();
        let article = if rule.ascii_only() { "not a " } else { "not an " };
        let reason = Self { bytes: [0; 128], len: 0 }.and(article).and(rule.name()).and(": ");
        let alive = dfa::alive_iri_reference(bytes);
        if alive < bytes.len() {
            return reason.and_dead(bytes, alive);
        }
        if !dfa::matches_iri_reference(bytes) {
            return reason.and("it ends within a triplet or an IP literal");
        }
        let mut ascii = 0;
        while ascii < bytes.len() && !is_high(bytes, ascii) {
            ascii += 1;
        }
        if rule.ascii_only() && ascii < bytes.len() {
            return reason.and("the character at byte ").and_number(ascii).and(" is not ASCII");
        }
        match rule.scheme() {
            SchemeRule::Required if !is(bytes, find(bytes, b":/?#", 0, bytes.len()), b':') => {
                reason.and("it has no scheme; begin with a scheme, such as \"https:\"")
            }
            _ => reason.and("the rule does not allow its form"),
        }
    }

    /// Appends the reason that the automaton is dead after the character that holds the byte `at`.
    const fn and_dead(self, bytes: &[u8], at: usize) -> Self {
        if at > 0 && is(bytes, at - 1, b'%') || at > 1 && is(bytes, at - 2, b'%') {
            let percent = if is(bytes, at - 1, b'%') { at - 1 } else { at - 2 };
            let reason = self.and("'%' at byte ").and_number(percent);
            return reason.and(" is not followed by two hexadecimal digits");
        }
        let mut start = at;
        while start > 0 && is_continuation(bytes, start) {
            start -= 1;
        }
        let reason = match bytes.split_at(at).1 {
            [shown @ b' '..=b'~', ..] => self.and("'").and_byte(*shown).and("'"),
            _ => self.and("the character"),
        };
        reason.and(" at byte ").and_number(start).and(" is not allowed there")
    }

    /// Appends a text of ASCII.
    const fn and(self, text: &str) -> Self {
        let (mut reason, mut rest) = (self, text.as_bytes());
        while let [byte, tail @ ..] = rest {
            reason = reason.and_byte(*byte);
            rest = tail;
        }
        reason
    }

    /// Appends a byte, if there is room for it.
    const fn and_byte(mut self, byte: u8) -> Self {
        if self.len < self.bytes.len() {
            #[expect(clippy::indexing_slicing, reason = "compared with the length just before")]
            {
                self.bytes[self.len] = byte;
            }
            self.len += 1;
        }
        self
    }

    /// Appends a number in decimal digits.
    const fn and_number(self, number: usize) -> Self {
        let before = if number < 10 { self } else { self.and_number(number / 10) };
        before.and_byte(b'0' + (number % 10) as u8)
    }

    /// Returns the text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

/// Tells whether the byte at `at` is outside ASCII.
const fn is_high(bytes: &[u8], at: usize) -> bool {
    #[expect(clippy::indexing_slicing, reason = "compared with the length just before")]
    let is_high = at < bytes.len() && bytes[at] >= 0x80;
    is_high
}

/// Tells whether the byte at `at` is inside a character of UTF-8, and not its first byte.
const fn is_continuation(bytes: &[u8], at: usize) -> bool {
    #[expect(clippy::indexing_slicing, reason = "compared with the length just before")]
    let is_inside = at < bytes.len() && bytes[at] & 0xC0 == 0x80;
    is_inside
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
