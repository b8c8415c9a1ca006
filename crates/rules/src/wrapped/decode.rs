//! How a target is written in a wrapper: with triplets, or by version 2 or 3 of URL Defense of Proofpoint.
//!
//! Not here: where the target is in the link (`wrappers`).

use alloc::string::String;
use alloc::vec::Vec;

use simd_iri::low::{CharacterReferences, slice};
use simd_iri::percent;

/// How a target is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    /// Percent-encoded once.
    Percent,
    /// Percent-encoded, with `-` for `%` and `_` for `/`.
    Proofpoint2,
    /// With stars in the place of characters that stand after the target.
    Proofpoint3,
}

impl Notation {
    /// Returns the target; `None` if it cannot be decoded. One pass; the target is at most one byte longer than the
    /// text.
    pub(super) fn read(self, text: &str) -> Option<String> {
        match self {
            Self::Percent => percent::decode(text).utf8().ok().map(Into::into),
            Self::Proofpoint2 => proofpoint2(text),
            Self::Proofpoint3 => proofpoint3(text),
        }
    }
}

/// Reads a target of version 2: `https-3A__a.example_b-5Fc` is `https://a.example/b_c`.
fn proofpoint2(text: &str) -> Option<String> {
    let written = |c: char| match c {
        '-' => '%',
        '_' => '/',
        other => other,
    };
    let triplets: String = text.chars().map(written).collect();
    let decoded = percent::decode(&triplets).utf8().ok()?;
    // The filter reads links of HTML as they are written there. So `&` is `&amp;` in the target.
    let mut rest: &str = &decoded;
    let mut target = String::with_capacity(rest.len());
    while let Some(at) = rest.find('&') {
        let (before, from) = slice::split(rest, at);
        target.push_str(before);
        let length = match CharacterReferences::Xml.read(from) {
            Ok(Some(character)) => {
                target.extend(character.chars());
                character.length()
            }
            Ok(None) | Err(_) => {
                target.push('&');
                1
            }
        };
        rest = slice::text(from, length..);
    }
    target.push_str(rest);
    Some(target)
}

/*
# Version 3

    __TEXT__;LETTERS!!TOKEN$

LETTERS is base64 with the alphabet for URLs, without padding: the characters that the filter took out of the target, as
UTF-8. In TEXT, a `*` stands for the next character, and `**` with a letter of the alphabet for 2 to 65 next
characters. Characters are counted, not bytes.

For example, `__https://a.example/b**Bx*__;Kiojw6k!!A!B$`: the letters are `**#é`. `**B` stands for three, `**#`, and the
last star for `é`. So the target is `https://a.example/b**#xé`.

A `*` of the target itself is taken out too. So a `*` in TEXT is always a mark. What carries the link may write
characters as triplets: they are decoded first, because the filter itself writes no percent sign. The last `__;` ends
TEXT, because a target may have `__;`, and what follows it may not.
*/

/// Reads a target of version 3. The text begins with `__`.
fn proofpoint3(text: &str) -> Option<String> {
    let decoded = percent::decode(text).utf8().ok()?;
    let (target, after) = decoded.strip_prefix("__")?.rsplit_once("__;")?;
    let (letters, _) = after.split_once('!')?;
    let letters = String::from_utf8(base64(letters)?).ok()?;
    let mut letters = letters.chars();
    let mut read = String::with_capacity(target.len() + letters.as_str().len());
    let mut marks = target.chars();
    while let Some(c) = marks.next() {
        if c != '*' {
            read.push(c);
            continue;
        }
        let count = match marks.as_str().strip_prefix('*') {
            None => 1,
            Some(rest) => {
                marks = rest.chars();
                2 + index(u8::try_from(marks.next()?).ok()?)?
            }
        };
        for _ in 0..count {
            read.push(letters.next()?);
        }
    }
    with_two_slashes(&mut read);
    Some(read)
}

/// Puts back the second slash after `http:` or `https:`, which a server on the way may have removed from the path.
fn with_two_slashes(target: &mut String) {
    let scheme = target.find(':').unwrap_or_default();
    let (name, rest) = slice::split(target, scheme);
    let is_web = name.eq_ignore_ascii_case("http") || name.eq_ignore_ascii_case("https");
    if is_web && rest.starts_with(":/") && !rest.starts_with("://") {
        target.insert(scheme + 1, '/');
    }
}

/// Returns the place of a byte in the alphabet of base64 for URLs (RFC 4648, section 5).
fn index(byte: u8) -> Option<u32> {
    let place = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    };
    Some(place.into())
}

/// Decodes base64 for URLs. Padding may be there. Bits after the last byte are ignored.
fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    if text.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let bits = group.iter().try_fold(0, |bits, byte| Some(bits << 6 | index(*byte)?))?;
        // Four letters are three bytes, three letters two, two letters one.
        let missing = 4 - group.len() as u32;
        let [_, decoded @ ..] = (bits << (6 * missing)).to_be_bytes();
        bytes.extend(decoded.iter().take(group.len() - 1));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_what_the_crate_reads() {
        for (text, bytes) in [
            ("", Some(&b""[..])),
            ("Iw", Some(b"#")),
            ("Iw==", Some(b"#")),
            ("w6k", Some("é".as_bytes())),
            ("-_8A", Some(b"\xFB\xFF\0")),
            ("I", None),
            ("I+", None),
        ] {
            assert_eq!(base64(text).as_deref(), bytes, "{text}");
        }
    }

    #[test]
    fn characters_are_taken_in_order() {
        let read = |text: &str| Notation::Proofpoint3.read(text);
        assert_eq!(read("__a**Bx*__;Kiojw6k!!A!B$").as_deref(), Some("a**#xé"));
        assert_eq!(read("__a__;b__;!!$").as_deref(), Some("a__;b"));
        assert_eq!(read("__https:/a%2A__%3BIw!!$").as_deref(), Some("https://a#"));
        for text in [
            "",
            "__",
            "__a__",
            "__a__;",
            "__a*__;!!",
            "__a**__;Iw!!",
            "__**é__;Iw!!",
            "_a__;!!",
            "__%FF__;!!",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
