//! How far the authority of a reference goes in running text, and where a word and a scheme begin and end.
//!
//! Here: passwords that hold the end of a word, and passwords that were cut. Not here: the search for references (`words`).

/*
A password may hold the end of a word, because its writer did not encode it. `Reach` tells how far the reference goes
then, or that the password was cut:

    x https://user:pa ss@host/ y     the text after the colon is no port: up to the `@` in the next word
    amqp://user:secret               no `@`: the password was cut
    http://host:8080 a@b             a port
    http://host:PORT a@b             a word that stands for a port
*/

use memchr::memchr_iter;

use super::key::escaped_octet;
use simd_iri::low::{SCHEME, slice};

/// How far an authority of running text goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// As everywhere.
    Usual,
    /// It is a user and a password, and was cut before the `@`.
    Cut,
    /// A password in it has the end of a word. The `@` behind it is before this offset.
    Until(usize),
}

/// The most bytes between the end of a word in a password and the `@` behind it.
const MOST_GAP: usize = 256;

impl Reach {
    /// Reads the authority that begins at `at`, after the scheme and two slashes.
    // The bytes are read up to the next scheme, so that a text with many schemes takes linear time.
    pub(super) fn of(text: &[u8], at: usize) -> Self {
        let rest = slice::bytes(text, at..);
        if begins_with_host(rest) {
            return Self::Usual;
        }
        let is_end = |at: usize| {
            let rest = slice::bytes(rest, at..);
            ends_word_or_is_escape(rest) || is_scheme_end(rest)
        };
        let mut end = 0;
        let is_delimiter = |byte: Option<&u8>| matches!(byte, Some(b'/' | b'?' | b'#'));
        let is_escaped_slash = |at: usize| slice::bytes(rest, at..).starts_with(br"\/");
        while end < rest.len()
            && !is_end(end)
            && !is_delimiter(rest.get(end))
            && !is_escaped_slash(end)
        {
            end += 1;
        }
        let authority = slice::bytes(rest, ..end);
        let is_at_word_end = end == rest.len() || ends_word_or_is_escape(slice::bytes(rest, end..));
        let is_cut = has_password(authority);
        if authority.is_empty() || (!is_at_word_end && !is_cut) {
            return Self::Usual;
        }
        // The word ends where its reference does. An `@` in it ends the user information, also behind an escape.
        let (mut word_end, mut until) = (end, None);
        while is_cut && word_end < rest.len() && !ends_word(slice::bytes(rest, word_end..)) {
            if rest.get(word_end) == Some(&b'@') {
                until = Some(word_end + 1);
                break;
            }
            let begin = scheme_start(text, at + word_end).filter(|begin| *begin > at);
            if let Some(begin) = begin {
                word_end = begin - at;
                break;
            }
            word_end += 1;
        }
        // What is a host already may stand before an address of mail.
        loop {
            if let Some(host) = until {
                word_end = host;
                while word_end < rest.len()
                    && !is_end(word_end)
                    && !is_delimiter(rest.get(word_end))
                {
                    word_end += 1;
                }
                if is_delimiter(rest.get(word_end)) {
                    break;
                }
            }
            match next_sign(rest, word_end, is_cut && until.is_none()) {
                Some(sign) => until = Some(sign + 1),
                None => break,
            }
        }
        match until {
            Some(until) => Self::Until(at + until),
            None if is_cut => Self::Cut,
            None => Self::Usual,
        }
    }
}

/// Tells whether a text begins with a host, perhaps with a port, and what ends an authority.
fn begins_with_host(text: &[u8]) -> bool {
    let ends = |byte: &u8| is_end(*byte) || !byte.is_ascii() || b"/?#:@\\".contains(byte);
    let length = text.iter().position(ends).unwrap_or(text.len());
    let rest = match slice::bytes(text, length..) {
        [b':', port @ ..] => {
            let digits = port.iter().take_while(|byte| byte.is_ascii_digit()).count();
            slice::bytes(port, digits..)
        }
        rest => rest,
    };
    matches!(rest, [b'/' | b'?' | b'#', ..])
}

/// Returns where the authority begins behind a scheme whose colon is at `colon`, if a scheme is there.
pub(super) fn after_scheme(text: &[u8], colon: usize) -> Option<usize> {
    let before = slice::bytes(text, ..colon);
    // Its images have names like `alpine:latest`.
    let is_scheme =
        before.last().is_some_and(u8::is_ascii_alphanumeric) && !before.ends_with(b"docker");
    let after = slice::bytes(text, colon..);
    match after {
        [b':', b'/', b'/', ..] if is_scheme => Some(colon + 3),
        [b':', b'\\', b'/', b'\\', b'/', ..] if is_scheme => Some(colon + 5),
        _ => None,
    }
}

/// Tells whether an authority without an `@` is a user and a password: the text after its first colon is no port.
fn has_password(authority: &[u8]) -> bool {
    let is_trailing = |byte: &&u8| is_trailing(**byte);
    let length = authority.len() - authority.iter().rev().take_while(is_trailing).count();
    let authority = slice::bytes(authority, ..length);
    if authority.contains(&b'@') || authority.starts_with(b"[") {
        return false;
    }
    let Some(colon) = authority.iter().position(|byte| *byte == b':') else { return false };
    let (user, password) = (slice::bytes(authority, ..colon), slice::bytes(authority, colon + 1..));
    if !password.iter().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()) {
        return false;
    }
    // An address of IPv6 without brackets.
    let is_address = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
    if authority.iter().all(is_address)
        && authority.iter().filter(|byte| **byte == b':').count() > 1
    {
        return false;
    }
    // `host:80, and`, `host:80→`, `host:80\u0026`, `12:30pm`
    let digits = password.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_after = |byte: &u8| !byte.is_ascii() || b":,;)]}'|.&\\".contains(byte);
    let is_time = digits == 2 && user.last().is_some_and(u8::is_ascii_digit);
    if digits > 0 && (is_time || password.get(digits).is_some_and(is_after)) {
        return false;
    }
    // `{port}`, `$HTTP_PORT`, `$P`, `%d`, `%(port)s`, `xxxx`
    let letters = password.iter().rev().filter(|byte| byte.is_ascii_alphabetic());
    let is_name = letters.map(u8::to_ascii_lowercase).take(4).eq(*b"trop");
    let is_of_variable = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_';
    let is_placeholder = match password {
        [b'$', name @ ..] => name.iter().all(is_of_variable),
        [b'%', b'(', ..] | [b'%', b'd' | b'i' | b's' | b'u'] => true,
        _ => false,
    };
    let is_masked = |byte: &u8| matches!(byte, b'x' | b'X' | b'*');
    !is_name && !is_placeholder && !password.iter().all(is_masked)
}

/// Returns the offset of the `@` that ends a password, after a word of it that ends at `end`. Without `is_password`, the
/// text behind the `@` must show that it is no address of mail: a path or a port.
fn next_sign(text: &[u8], end: usize, is_password: bool) -> Option<usize> {
    let gap = slice::bytes(text, end..(end + MOST_GAP).min(text.len()));
    let mut words = 0;
    for (at, byte) in gap.iter().enumerate() {
        let rest = slice::bytes(text, end + at..);
        let is_string_end = matches!(rest, [b'"', b',' | b':' | b'}' | b']', ..]);
        let ends_host = !is_password && matches!(byte, b'/' | b'?' | b'#');
        if (*byte < b' ' && *byte != b'\t') || ends_host || is_string_end || is_scheme_end(rest) {
            return None;
        }
        words += usize::from(matches!(byte, b' ' | b'\t'));
        if *byte != b'@' {
            continue;
        }
        let after = slice::bytes(rest, 1..);
        let is_host = |byte: &&u8| {
            byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"-._[]".contains(byte)
        };
        let host = after.iter().take_while(is_host).count();
        let is_no_mail = match slice::bytes(after, host..) {
            [b'/' | b'?' | b'#', ..] => true,
            [b':', digit, ..] => digit.is_ascii_digit(),
            rest => rest.starts_with(br"\/"),
        };
        if host > 0 && (is_no_mail || (is_password && words < 2)) {
            return Some(end + at);
        }
    }
    None
}

/// Tells whether a text begins with the colon of a scheme, and the slashes behind it.
fn is_scheme_end(text: &[u8]) -> bool {
    text.starts_with(b"://") || text.starts_with(br":\/\/")
}

/// Returns where the scheme begins whose colon is at `colon`, if two slashes follow and another reference may begin
/// there.
pub(super) fn scheme_start(text: &[u8], colon: usize) -> Option<usize> {
    let after = slice::bytes(text, colon..);
    if !is_scheme_end(after) {
        return None;
    }
    let before = slice::bytes(text, ..colon);
    let length = before.iter().rev().take_while(|byte| SCHEME.contains(**byte)).count();
    let start = colon - length;
    // These bytes are punctuation at the end of the reference before, too.
    let before = slice::bytes(text, ..start).last();
    let is_start = before.is_none_or(|byte| is_leading(*byte));
    (is_start && length > 0).then_some(start)
}

/// Tells whether a text begins with what ends a word, as it is or as an escape of JSON.
fn ends_word_or_is_escape(text: &[u8]) -> bool {
    ends_word(text)
        || escaped_octet(text).is_some_and(|(octet, _)| is_end(octet))
        || is_escaped_punctuation(text)
}

/// Returns where the first escape of a text begins that stands for the end of a word or for a `#`, and where it ends.
pub(super) fn escaped_end(text: &[u8]) -> Option<(usize, usize)> {
    memchr_iter(b'\\', text).find_map(|at| {
        let rest = slice::bytes(text, at..);
        match escaped_octet(rest) {
            Some((octet, length)) if is_end(octet) || octet == b'#' => Some((at, at + length)),
            _ => is_escaped_punctuation(rest).then_some((at, at + 6)),
        }
    })
}

/// Tells whether a text begins with an escape of JSON for one of [`ENDS`], such as `\u3002`.
fn is_escaped_punctuation(text: &[u8]) -> bool {
    let Some(digits) = text.strip_prefix(br"\u").and_then(|rest| rest.get(..4)) else {
        return false;
    };
    let digits = core::str::from_utf8(digits).ok();
    let c = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32);
    c.is_some_and(|c| ENDS.iter().any(|end| end.starts_with(c)))
}

/// Tells whether the byte or the character at the start of a text ends a word.
pub(super) fn ends_word(text: &[u8]) -> bool {
    match text {
        [byte, ..] if byte.is_ascii() => is_end(*byte),
        [0xE3 | 0xEF, ..] => ENDS.iter().any(|end| text.starts_with(end.as_bytes())),
        _ => false,
    }
}

/// Punctuation that ends a word although no white space follows.
pub(super) const ENDS: [&str; 18] = [
    "\u{3000}", "、", "。", "〈", "〉", "《", "》", "「", "」", "『", "』", "【", "】", "！", "（",
    "）", "，", "；",
];

pub(super) const fn is_end(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'"' | b'<' | b'>' | b'`' | 0x7F)
}

/// Tells whether a byte before a reference is punctuation of the text.
pub(super) const fn is_leading(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b'|' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'\'' | b'*')
}

/// Tells whether a byte at the end of a reference is punctuation of the text. A backslash is there before the quote
/// that ends a string in a string.
pub(super) const fn is_trailing(byte: u8) -> bool {
    matches!(
        byte,
        b'.' | b','
            | b';'
            | b':'
            | b'!'
            | b'?'
            | b'\''
            | b'('
            | b')'
            | b'['
            | b']'
            | b'{'
            | b'}'
            | b'|'
            | b'*'
            | b'\\'
    )
}
