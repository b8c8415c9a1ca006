//! Finds the charset that an HTML document declares in a `meta` element within its first 1024 bytes (HTML
//! standard, 13.2.3.2, prescan of a byte stream), and the root element of an XML document. Not here: byte-order marks
//! and decoding.

use std::io::{self, Cursor, Read};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

use crate::io::decode::{BYTE_ORDER_MARK, Source};

/// How many bytes of a document are read for the declaration.
pub(crate) const LENGTH: usize = 1024;

/// How many bytes of an XML document are read for its root element.
pub(crate) const XML_LENGTH: usize = 1 << 14;

/// Reads the beginning of a source. Returns it, and the whole source.
///
/// # Errors
/// The source cannot be read.
pub(crate) fn beginning(mut source: Source, length: usize) -> io::Result<(Vec<u8>, Source)> {
    let mut head = Vec::new();
    source.by_ref().take(length as u64).read_to_end(&mut head)?;
    Ok((head.clone(), Box::new(Cursor::new(head).chain(source))))
}

/// Tells whether an XML document with this beginning is a sitemap or an index of sitemaps (sitemaps.org,
/// protocol 0.9).
pub(crate) fn is_sitemap(head: &[u8]) -> bool {
    root_element(head).is_some_and(|name| name == b"urlset" || name == b"sitemapindex")
}

/// Returns the name of the root element of an XML document without its prefix, if its beginning has it.
pub(crate) fn root_element(head: &[u8]) -> Option<&[u8]> {
    let mut rest = head.strip_prefix(&BYTE_ORDER_MARK).unwrap_or(head);
    loop {
        rest = rest.trim_ascii_start().strip_prefix(b"<")?;
        let end: &[u8] = match rest {
            [b'!', b'-', b'-', ..] => b"-->",
            [b'?', ..] => b"?>",
            // A document type may have declarations between brackets.
            [b'!', ..] if is_before(rest, b'[', b'>') => b"]>",
            [b'!', ..] => b">",
            _ => break,
        };
        rest = rest.get(memmem::find(rest, end)? + end.len()..)?;
    }
    let length = rest.iter().position(|byte| is_space(*byte) || b"/>".contains(byte))?;
    let name = rest.get(..length)?;
    name.rsplit(|byte| *byte == b':').next()
}

/// Tells whether a text has the byte `first`, and no byte `second` before it.
fn is_before(text: &[u8], first: u8, second: u8) -> bool {
    memchr::memchr2(first, second, text).and_then(|at| text.get(at)) == Some(&first)
}

/// Returns the charset that the beginning of an HTML document declares.
// After each `<`:
//
//     !--              a comment: go on after its end
//     meta             read the attributes; stop if they declare a charset
//     name or /name    another tag: pass the attributes, because a value may hold `<`
//     ! or / or ?      go on after the next `>`
//     another byte     the `<` is text
//
// If a comment or a name is cut off, the search ends without a charset.
pub(crate) fn html(head: &[u8]) -> Option<&'static Encoding> {
    let mut rest = head.get(..LENGTH).unwrap_or(head);
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = rest.get(at + 1..)?;
        if rest.starts_with(b"!--") {
            // The two dashes of `<!--` may also belong to the end `-->`, as in `<!-->`.
            rest = rest.get(1..)?;
            let end = rest.windows(3).position(|end| end == b"-->")?;
            rest = rest.get(end + 3..)?;
        } else if rest.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"))
            && rest.get(4).is_some_and(|byte| is_space(*byte) || *byte == b'/')
        {
            rest = rest.get(4..)?;
            let (found, after) = meta(rest);
            if found.is_some() {
                return found;
            }
            rest = after;
        } else if rest
            .strip_prefix(b"/")
            .unwrap_or(rest)
            .first()
            .is_some_and(u8::is_ascii_alphabetic)
        {
            // A quoted attribute may hold `<`.
            let name = rest.iter().position(|byte| is_space(*byte) || *byte == b'>')?;
            rest = rest.get(name..)?;
            while let Some((_, after)) = attribute(rest) {
                rest = after;
            }
        } else if rest.first().is_some_and(|byte| b"!/?".contains(byte)) {
            let end = memchr::memchr(b'>', rest)?;
            rest = rest.get(end + 1..)?;
        }
    }
    None
}

/// Returns the charset that the field `Content-Type` of a header declares.
pub(crate) fn in_header(media: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label(in_content(media)?)
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b'\x0C')
}

/// Returns the charset that the attributes of a `meta` element declare, and the bytes after them.
fn meta(mut rest: &[u8]) -> (Option<&'static Encoding>, &[u8]) {
    let (mut charset, mut content, mut is_content_type) = (None, None, false);
    while let Some(((name, value), after)) = attribute(rest) {
        rest = after;
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        // If a name occurs twice, the first attribute counts.
        if is("http-equiv") {
            is_content_type |= value.eq_ignore_ascii_case(b"content-type");
        } else if is("charset") && charset.is_none() {
            charset = Some(value);
        } else if is("content") && content.is_none() {
            content = in_content(value);
        }
    }
    let label = charset.or(content.filter(|_| is_content_type));
    (label.and_then(declared), rest)
}

/// Returns the charset of a label. The label was read as ASCII, so UTF-16 means UTF-8 (HTML standard).
fn declared(label: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label(label).map(|found| match found {
        _ if found == UTF_16BE || found == UTF_16LE => UTF_8,
        _ if found == X_USER_DEFINED => WINDOWS_1252,
        _ => found,
    })
}

/// Returns the label in a `content` attribute such as `text/html; charset=utf-8` (HTML standard,
/// extracting a character encoding from a meta element).
fn in_content(content: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"charset";
    let mut rest = content;
    loop {
        let at = rest.windows(NAME.len()).position(|name| name.eq_ignore_ascii_case(NAME))?;
        rest = rest.get(at + NAME.len()..)?.trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            let value = value.trim_ascii_start();
            return match value.split_first()? {
                (quote @ (b'"' | b'\''), inside) => inside.get(..memchr::memchr(*quote, inside)?),
                _ => value.split(|byte| is_space(*byte) || *byte == b';').next(),
            };
        }
    }
}

/// The name and the value of an attribute.
type Attribute<'a> = (&'a [u8], &'a [u8]);

/// Returns the first attribute, and the bytes after it; `None` at the end of the tag.
fn attribute(bytes: &[u8]) -> Option<(Attribute<'_>, &[u8])> {
    let until = |bytes: &[u8], ends: &dyn Fn(u8) -> bool| {
        bytes.iter().position(|byte| ends(*byte)).unwrap_or(bytes.len())
    };
    let start = until(bytes, &|byte| !is_space(byte) && byte != b'/');
    let rest = bytes.get(start..).filter(|rest| !rest.is_empty() && !rest.starts_with(b">"))?;
    let length = 1 + until(rest.get(1..)?, &|byte| is_space(byte) || b"=/>".contains(&byte));
    let (name, rest) = rest.split_at(length);
    let after = rest.get(until(rest, &|byte| !is_space(byte))..)?;
    let Some(value) = after.strip_prefix(b"=") else { return Some(((name, b""), rest)) };
    let value = value.get(until(value, &|byte| !is_space(byte))..)?;
    match value.split_first() {
        Some((quote @ (b'"' | b'\''), inside)) => {
            let end = memchr::memchr(*quote, inside)?;
            Some(((name, inside.get(..end)?), inside.get(end + 1..)?))
        }
        _ => {
            let (value, rest) =
                value.split_at(until(value, &|byte| is_space(byte) || byte == b'>'));
            Some(((name, value), rest))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_say_what_they_are_in() {
        for (document, expected) in [
            ("<!DOCTYPE html><html><head><meta charset=windows-1251>", Some("windows-1251")),
            ("<META CharSet = 'Shift_JIS' >", Some("Shift_JIS")),
            (
                "<meta http-equiv=Content-Type content=\"text/html; charset=koi8-r\">",
                Some("KOI8-R"),
            ),
            (
                "<meta content='text/html;charset=\"euc-jp\"' http-equiv='content-type'>",
                Some("EUC-JP"),
            ),
            ("<meta content='text/html;charset=koi8-r'>", None),
            ("<!-- <meta charset=koi8-r> --><meta charset=latin1>", Some("windows-1252")),
            ("<a title='<meta charset=koi8-r>'>", None),
            ("<meta charset=utf-16>", Some("UTF-8")),
            ("<meta charset=nonsense><meta charset=koi8-r>", Some("KOI8-R")),
            ("<metadata charset=koi8-r>", None),
            ("<meta name=a><meta charset=koi8-r", Some("KOI8-R")),
            ("<", None),
            ("", None),
        ] {
            assert_eq!(html(document.as_bytes()).map(Encoding::name), expected, "{document}");
        }
        let late = [" ".repeat(LENGTH).as_str(), "<meta charset=koi8-r>"].concat();
        assert_eq!(html(late.as_bytes()), None);
    }
}
