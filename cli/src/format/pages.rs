//! The links of the pages in a web archive. A page is a response whose body is HTML. Relative links are
//! resolved relative to the base element, or to the address of the page, which is repaired as its links are. A page whose
//! address is no IRI even then is an error; its relative links are left out, unless there is a base element.
//!
//! A block of the archive becomes a block of lines, a link a line. A page with an error has one more line, which is a
//! record with this error:
//!
//! ```text
//! record of the archive ──▶ header, message of HTTP ──▶ header fields, body
//! body ──▶ without chunks ──▶ without compression ──▶ text in its charset ──▶ links ──▶ IRIs
//! ```
//!
//! Not here: what a link is, and where the records of an archive are.

use std::borrow::Cow;
use std::io::{Cursor, Read};
use std::str::FromStr;

use encoding_rs::{Encoding, WINDOWS_1252};
use simd_iri::{Base, Error, IriBuf, IriRefBuf, ToUri, charset::Unmappable};
use simd_iri_text::{Extract, Link, LinkKind, Markup};

use crate::args::base::of_page;
use crate::format::field::Record;
use crate::format::{lines, warc};
use crate::io::{compress, sniff};
use crate::item_error::{ItemError, Message};

/// How pages are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// The most bytes of a page without its compression.
    pub(crate) longest: usize,
    /// Whether the queries of links are encoded in the charset of their page, as browsers do.
    pub(crate) encodes_queries: bool,
}

/// The links of a block of an archive, and where they come from.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    /// The links, a link a line. After the links of a page with an error comes a line with the address of the page.
    pub(crate) text: Vec<u8>,
    /// For each page, the offset of its first line, and the line of the archive in which its record begins.
    origins: Vec<(usize, u64)>,
    /// The lines that stand for errors, in the order of their offsets.
    errors: Vec<(usize, ItemError)>,
}

impl Pages {
    /// Adds the links of a record, which begins in a line of the archive.
    pub(crate) fn add(&mut self, archive: &[u8], record: &Record, line: u64, reading: Reading) {
        let start = self.text.len();
        let bytes = archive.get(record.body.clone()).unwrap_or_default();
        let found = match &record.error {
            Some(error) => Err(error.clone()),
            None => links(bytes, reading, &mut self.text),
        };
        if let Err(error) = found {
            self.errors.push((self.text.len(), error));
            self.text.extend_from_slice(target(bytes).unwrap_or_default());
            self.text.push(b'\n');
        }
        if self.text.len() > start {
            self.origins.push((start, line));
        }
    }

    /// Finds the line that begins at `at`.
    pub(crate) fn next(&self, block: &[u8], at: usize, record: &mut Record) {
        lines::next(b'\n', block, at, record);
        if let Ok(place) = self.errors.binary_search_by_key(&at, |(at, _)| *at) {
            record.error = self.errors.get(place).map(|(_, error)| error.clone());
            record.fields.clear();
        }
    }

    /// Returns the same pages, if another text stands for their lines. `new` is the offset in this text of a line that
    /// begins at an offset.
    pub(crate) fn moved(&self, new: impl Fn(usize) -> usize) -> Self {
        let origins = self.origins.iter().map(|(at, line)| (new(*at), *line)).collect();
        let errors = self.errors.iter().map(|(at, error)| (new(*at), error.clone())).collect();
        Self { text: Vec::new(), origins, errors }
    }

    /// Returns the line of the archive in which the record of a page begins.
    pub(crate) fn line(&self, at: usize) -> u64 {
        let after = self.origins.partition_point(|(start, _)| *start <= at);
        after.checked_sub(1).and_then(|last| self.origins.get(last)).map_or(1, |(_, line)| *line)
    }
}

/// Returns the target address of a record.
fn target(record: &[u8]) -> Option<&[u8]> {
    let header = record.get(..warc::header_length(record)?)?;
    header.get(warc::target(header)?)
}

/// Appends the links of the page in a record, a link a line. A record without a page has no links.
fn links(record: &[u8], reading: Reading, out: &mut Vec<u8>) -> Result<(), ItemError> {
    let Some((header, content)) = headed(record) else { return Ok(()) };
    let is = |header: &[u8], name: &str, expected: &str| {
        let found = warc::value(header, name).and_then(|value| header.get(value));
        found.is_some_and(|found| found.eq_ignore_ascii_case(expected.as_bytes()))
    };
    if !is(header, "warc-type", "response") || !content.starts_with(b"HTTP/") {
        return Ok(());
    }
    let Some((fields, body)) = headed(content) else { return Ok(()) };
    let media = warc::value(fields, "content-type").and_then(|value| fields.get(value));
    let media = media.unwrap_or_default();
    let name = media.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    let is_html = ["text/html", "application/xhtml+xml"]
        .iter()
        .any(|html| name.eq_ignore_ascii_case(html.as_bytes()));
    if !is_html {
        return Ok(());
    }
    let body = match is(fields, "transfer-encoding", "chunked") {
        true => without_chunks(body),
        false => Cow::Borrowed(body),
    };
    let coding = warc::value(fields, "content-encoding").and_then(|value| fields.get(value));
    let (body, outcome) = decompressed(&body, coding.unwrap_or_default(), reading.longest);
    let (text, charset) = text(&body, media);
    let charset = reading.encodes_queries.then_some(charset);
    let address = address(header);
    let mut base = address.as_ref().ok().cloned();
    let extract = Extract::new().markup(Markup::Html).relative(true).text(false);
    // The base element also applies to the links before it.
    if let Some(link) = extract.links(&text).find(Link::is_base) {
        let found = reference(link, base.as_ref());
        base = found.ok().and_then(|found| IriBuf::from_str(found.as_str()).ok()).or(base);
    }
    for link in extract.links(&text) {
        if matches!(link.kind(), LinkKind::Relative) && base.is_none() {
            continue;
        }
        let charset = charset.filter(|_| !link.is_in_style());
        match reference(link, base.as_ref()).and_then(|found| with_query(found, charset)) {
            Ok(reference) => out.extend_from_slice(reference.as_str().as_bytes()),
            // The text of the link is not a reference. It is written nevertheless, so that its record fails.
            Err(_) => out.extend(link.meaning().bytes().filter(|byte| *byte != b'\n')),
        }
        out.push(b'\n');
    }
    outcome.and(address.map(drop))
}

/// Returns the reference of a link, resolved relative to a base.
fn reference(link: Link<'_>, base: Option<&IriBuf>) -> Result<IriRefBuf, Error> {
    let reference = link.prepare()?.into_reference().into_owned();
    match (link.kind(), base) {
        (LinkKind::Relative, Some(base)) => {
            Ok(Base::new(base.view()).resolve(reference.view())?.into())
        }
        _ => Ok(reference),
    }
}

/// Returns the address of the page in a record.
fn address(header: &[u8]) -> Result<IriBuf, ItemError> {
    let Some(found) = warc::target(header).and_then(|target| header.get(target)) else {
        let message = "the page has no address, so its relative links are left out";
        return Err(ItemError::whole("no-page-address", message, &[]));
    };
    let fail = |error: Error| {
        let message = Message::made(move |f| {
            write!(
                f,
                "the address of the page is not an IRI, so its relative links are left out: {error}"
            )
        });
        ItemError { message, ..error.into() }
    };
    of_page(found).map_err(fail)
}

/// Returns a reference whose query is encoded in `charset`, if it is given. A character that the charset does not have
/// becomes a character reference of HTML (HTML standard, "encoding-parse a URL").
fn with_query(
    reference: IriRefBuf,
    charset: Option<&'static Encoding>,
) -> Result<IriRefBuf, Error> {
    let text = reference.as_str();
    let query = reference.view().query().filter(|query| !query.is_ascii());
    let (Some(query), Some(charset)) = (query, charset) else { return Ok(reference) };
    let start = query.as_ptr().addr() - text.as_ptr().addr();
    let map = ToUri::new().query_charset(charset, Unmappable::Reference);
    let mut mapped = String::new();
    let encoded = map.map_into(reference.view(), &mut mapped)?.query().unwrap_or_default();
    let (before, rest) = text.split_at_checked(start).unwrap_or_default();
    let after = rest.get(query.len()..).unwrap_or_default();
    IriRefBuf::from_str(&[before, encoded, after].concat())
}

/// Splits a record, or a message of HTTP, after its header.
fn headed(record: &[u8]) -> Option<(&[u8], &[u8])> {
    record.split_at_checked(warc::header_length(record)?)
}

/// Returns a body without the chunks of its transfer (RFC 9112, section 7.1). A body that the archive stores without
/// chunks stays as it is.
// For example, `3\r\nabc\r\n0\r\n\r\n` is `abc`. A body whose first line is not a size is not in chunks. A body that is
// cut off keeps the bytes that are there.
fn without_chunks(body: &[u8]) -> Cow<'_, [u8]> {
    let mut whole = Vec::new();
    let mut rest = body;
    let mut is_chunked = false;
    while let Some(end) = memchr::memchr(b'\n', rest) {
        let (line, after) = rest.split_at_checked(end + 1).unwrap_or((rest, &[]));
        let size = line.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        let size = std::str::from_utf8(size).ok().filter(|size| !size.starts_with('+'));
        let Some(size) = size.and_then(|size| usize::from_str_radix(size, 16).ok()) else { break };
        is_chunked = true;
        let chunk = after.get(..size).unwrap_or(after);
        whole.extend_from_slice(chunk);
        rest = after.get(chunk.len()..).unwrap_or_default();
        rest = rest.strip_prefix(b"\r\n").or(rest.strip_prefix(b"\n")).unwrap_or(rest);
        if size == 0 {
            break;
        }
    }
    if is_chunked { Cow::Owned(whole) } else { Cow::Borrowed(body) }
}

/// Returns a body without its compression, and the error if the body is incomplete. A body that the archive stores
/// without compression stays as it is.
fn decompressed<'b>(
    body: &'b [u8],
    coding: &[u8],
    longest: usize,
) -> (Cow<'b, [u8]>, Result<(), ItemError>) {
    let is = |name: &str| coding.eq_ignore_ascii_case(name.as_bytes());
    let is_zlib = body
        .first_chunk::<2>()
        .is_some_and(|head| head[0] & 0x0F == 8 && u16::from_be_bytes(*head) % 31 == 0);
    let source = || Box::new(Cursor::new(body.to_vec()));
    // The first bytes of the body decide, because an archive may store a body without the compression that its header
    // names. Only deflate and Brotli need the header: their first bytes are not certain.
    let source: compress::Source = if compress::is_compressed(body) {
        match compress::input(source(), compress::Expected::default()) {
            Ok((source, _)) => source,
            Err(error) => return (Cow::Borrowed(&[]), Err(broken(&error))),
        }
    } else if is("deflate") && is_zlib {
        Box::new(flate2::read::ZlibDecoder::new(source()))
    } else if is("br") && !body.trim_ascii_start().starts_with(b"<") {
        let message = "the page is compressed with Brotli, which this program does not read";
        return (Cow::Borrowed(&[]), Err(ItemError::whole("content-encoding", message, &[])));
    } else {
        return (Cow::Borrowed(body), Ok(()));
    };
    let mut whole = Vec::new();
    // One byte more than allowed is read, so that a page that is too long is seen. The memory stays bounded.
    let read = source.take(longest as u64 + 1).read_to_end(&mut whole);
    let outcome = match read {
        Err(error) => Err(broken(&error)),
        Ok(count) if count > longest => {
            whole.truncate(longest);
            let message = Message::made(move |f| {
                write!(f, "the page is longer than {longest} bytes; allow it with --max-record")
            });
            Err(ItemError::whole("too-long", message, &[]))
        }
        Ok(_) => Ok(()),
    };
    (Cow::Owned(whole), outcome)
}

/// Returns the error of a page that cannot be decompressed to its end.
fn broken(error: &std::io::Error) -> ItemError {
    let message = format!("the page cannot be decompressed to its end: {error}");
    ItemError::whole("content-encoding", message, &[])
}

/// Returns a body as text, and its charset. The byte-order mark decides the charset, then the header, then a `meta`
/// element; the default is windows-1252 (HTML standard, section 13.2.3.2).
fn text<'b>(body: &'b [u8], media: &[u8]) -> (Cow<'b, str>, &'static Encoding) {
    let marked = Encoding::for_bom(body).map(|(charset, _)| charset);
    let charset = marked.or_else(|| sniff::in_header(media)).or_else(|| sniff::html(body));
    let charset = charset.unwrap_or(WINDOWS_1252);
    (charset.decode_with_bom_removal(body).0, charset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_joined() {
        for (body, expected) in [
            (&b"3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n"[..], &b"abc0123456789"[..]),
            (b"3\r\nabc\r\n5\r\nde", b"abcde"),
            (b"<p>abc\n3\r\n", b"<p>abc\n3\r\n"),
            (b"+3\nabc", b"+3\nabc"),
            (b"FFFFFFFFFFFFFFFF\nabc", b"abc"),
            (b"", b""),
        ] {
            assert_eq!(without_chunks(body), expected, "{}", body.escape_ascii());
        }
    }

    #[test]
    fn a_page_has_the_charset_of_its_mark_its_header_or_itself() {
        for (body, media, expected) in [
            (&b"\xEF\xBB\xBF\xC3\xA9"[..], &b"text/html;charset=koi8-r"[..], "é"),
            (
                b"\xC3\xA9<meta charset=koi8-r>",
                b"text/html; charset=\"UTF-8\"",
                "é<meta charset=koi8-r>",
            ),
            (b"<meta charset=koi8-r>\xC1", b"text/html", "<meta charset=koi8-r>а"),
            (b"\xE9\x80", b"text/html; charset=nonsense", "é€"),
        ] {
            assert_eq!(text(body, media).0, expected);
        }
    }
}
