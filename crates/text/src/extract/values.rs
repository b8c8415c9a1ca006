//! Where the references are in the value of an attribute of HTML: in a set, among the candidates of images, in
//! declarations of CSS, in a refresh. Works on the meaning of the value. Not here: which attributes hold references
//! (`attributes`), and the escapes of the source (`reading`).

use alloc::vec::Vec;
use core::ops::Range;

use super::attributes::Form;
use super::html::is_space;
use simd_iri::low::{in_refresh, slice};

/// Appends the places of the references in the meaning of a value, in order.
pub(crate) fn references(form: Form, value: &str, found: &mut Vec<Range<usize>>) {
    match form {
        Form::Exact => found.push(0..value.len()),
        Form::One => {
            let place = trimmed(value);
            if !place.is_empty() {
                found.push(place);
            }
        }
        Form::Set => {
            let mut at = 0;
            while let Some(place) = word(value.as_bytes(), at) {
                at = place.end;
                found.push(place);
            }
        }
        Form::Candidates => candidates(value.as_bytes(), found),
        Form::Style => style(value.as_bytes(), found),
        Form::Refresh => found.extend(in_refresh(value.as_bytes())),
    }
}

/// Returns the place of a text without the controls and spaces at its ends, which the URL Standard ignores.
fn trimmed(value: &str) -> Range<usize> {
    // NUL means U+FFFD in a page, or a byte that is not text.
    let is_ignored = |c: char| c <= ' ' && c != '\0';
    let start = value.len() - value.trim_start_matches(is_ignored).len();
    start..start + value.trim_matches(is_ignored).len()
}

/// Returns the next word between white space.
fn word(value: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = slice::bytes(value, at..);
    let start = at + rest.iter().position(|byte| !is_space(*byte))?;
    let rest = slice::bytes(value, start..);
    let length = rest.iter().position(|byte| is_space(*byte)).unwrap_or(rest.len());
    Some(start..start + length)
}

/// Reads `srcset` (HTML standard, section 4.8.4.3.11). A comma ends a candidate in two places: at the end of its
/// reference, and in its descriptors outside parentheses.
///
/// ```text
/// a,b.png 1x, c.png, d.png 2x        the references a,b.png and c.png and d.png
/// ```
fn candidates(value: &[u8], found: &mut Vec<Range<usize>>) {
    let mut at = 0;
    loop {
        let rest = slice::bytes(value, at..);
        let Some(lead) = rest.iter().position(|byte| !is_space(*byte) && *byte != b',') else {
            return;
        };
        let Some(place) = word(value, at + lead) else { return };
        at = place.end;
        let reference = slice::bytes(value, place.clone());
        let commas = reference.iter().rev().take_while(|byte| **byte == b',').count();
        found.push(place.start..place.end - commas);
        if commas > 0 {
            continue;
        }
        let mut is_inside = false;
        for byte in slice::bytes(value, at..) {
            at += 1;
            match byte {
                b'(' => is_inside = true,
                b')' => is_inside = false,
                b',' if !is_inside => break,
                _ => {}
            }
        }
    }
}

/// Finds `url(…)` in declarations of CSS (CSS Syntax 3, section 4.3). In strings and comments, and at the end of a
/// longer name, it does not count. A text without quotes that holds a quote, an opening parenthesis or white space is
/// not a URL.
fn style(value: &[u8], found: &mut Vec<Range<usize>>) {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte) || byte >= 0x80;
    let mut at = 0;
    // Whether the byte before `at` belongs to a name.
    let mut in_name = false;
    while let Some(byte) = value.get(at) {
        let rest = slice::bytes(value, at..);
        let was_in_name = in_name;
        in_name = is_name(*byte);
        match byte {
            b'"' | b'\'' => at = string_end(value, at).1,
            b'/' if rest.get(1) == Some(&b'*') => {
                let end = memchr::memmem::find(slice::bytes(rest, 2..), b"*/");
                at += end.map_or(rest.len(), |end| end + 4);
            }
            b'\\' => {
                (at, in_name) = (at + 2, true);
            }
            b'u' | b'U' if !was_in_name && is_url(rest) => {
                at = url(value, at + 4, found);
                in_name = false;
            }
            _ => at += 1,
        }
    }
}

fn is_url(text: &[u8]) -> bool {
    text.first_chunk::<4>().is_some_and(|name| name.eq_ignore_ascii_case(b"url("))
}

/// Returns the end of the text in the quotes that begin at a place, and the place after the string. A line break ends a
/// string that is not closed; such a string has no text.
fn string_end(value: &[u8], at: usize) -> (Option<usize>, usize) {
    let quote = value.get(at);
    let mut here = at + 1;
    loop {
        match value.get(here) {
            None => return (None, here),
            Some(b'\\') => here += 2,
            Some(b'\n' | b'\r' | b'\x0C') => return (None, here),
            byte if byte == quote => return (Some(here), here + 1),
            Some(_) => here += 1,
        }
    }
}

/// Adds the URL that begins at a place, after `url(`. Returns the place after `url(…)`.
fn url(value: &[u8], at: usize, found: &mut Vec<Range<usize>>) -> usize {
    let space = |at: usize| {
        let rest = slice::bytes(value, at..);
        at + rest.iter().take_while(|byte| is_space(**byte)).count()
    };
    let start = space(at);
    if let Some(b'"' | b'\'') = value.get(start) {
        let (end, next) = string_end(value, start);
        found.extend(end.map(|end| start + 1..end).filter(|place| !place.is_empty()));
        return next;
    }
    let mut here = start;
    while let Some(byte) = value.get(here) {
        match byte {
            b')' => break,
            b'\\' if value.get(here + 1).is_some_and(|byte| !b"\n\r\x0C".contains(byte)) => {
                here += 1;
            }
            b'"' | b'\'' | b'(' | b'\\' | ..=0x08 | 0x0B | 0x0E..=0x1F | 0x7F => {
                return bad_url_end(value, here);
            }
            byte if is_space(*byte) => {
                if !matches!(value.get(space(here)), Some(b')') | None) {
                    return bad_url_end(value, here);
                }
                break;
            }
            _ => {}
        }
        here += 1;
    }
    let here = here.min(value.len());
    if here > start {
        found.push(start..here);
    }
    space(here) + 1
}

/// Returns the place after the parenthesis that closes a `url(…)` that does not hold a URL.
fn bad_url_end(value: &[u8], at: usize) -> usize {
    let mut here = at;
    loop {
        match value.get(here) {
            None => return here,
            Some(b')') => return here + 1,
            Some(b'\\') => here += 2,
            Some(_) => here += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_references_of_the_standards() {
        let found = |form, value: &str| {
            let mut found = Vec::new();
            references(form, value, &mut found);
            found.into_iter().map(|place| value.get(place).unwrap().to_owned()).collect::<Vec<_>>()
        };
        for (form, value, expected) in [
            (Form::One, " \n a b\t", &["a b"][..]),
            (Form::One, " ", &[]),
            (Form::Set, " a\tb,c\n", &["a", "b,c"]),
            (
                Form::Candidates,
                "a.png, b.png 2x,c.png 1w (x,y) , ,d,e 1x",
                &["a.png", "b.png", "c.png", "d,e"],
            ),
            (Form::Candidates, ",a,, b ,c", &["a", "b", "c"]),
            (Form::Candidates, "data:a,b 1x", &["data:a,b"]),
            (Form::Refresh, "0; URL = 'a b' c", &["a b"]),
            (Form::Refresh, "5;a", &["a"]),
            (Form::Refresh, "url=a", &[]),
            (Form::Style, "b:url(a);c: URL( 'd)' ) url(\"e\")", &["a", "d)", "e"]),
            (Form::Style, "x:my-url(a) 'url(b)' /* url(c) */ url(d e) url(f\\) g) url(h)", &["h"]),
            (Form::Style, "url(a\\) ) url(", &["a\\)"]),
            (Form::Style, "url(a", &["a"]),
            (Form::Style, "\\url(a) url()url('')", &[]),
        ] {
            assert_eq!(found(form, value), expected, "{value}");
        }
    }
}
