//! The format `sitemap` (sitemaps.org, protocol 0.9), and its index: the content of `loc`, and of the elements of
//! Google's extensions for images and videos that hold an address; and the `href` of `xhtml:link`. The crate
//! `quick-xml` reads the XML.
//!
//! An element is known by its local name. Its prefix may be bound to another namespace; then the element means
//! something else.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use simd_iri::document::{Document, Format};

use crate::format::field::{Coding, Field, Record, bytes};
use crate::io::text::utf8;
use crate::item_error::{ItemError, Message};

/// The elements whose content is an address.
const ELEMENTS: [&[u8]; 4] = [b"loc", b"content_loc", b"player_loc", b"thumbnail_loc"];

/// The most bindings of prefixes that are remembered, so that no element is expensive.
const MOST: usize = 64;

/// Finds every address of the document.
pub(crate) fn next(block: &[u8], at: usize, record: &mut Record) {
    record.body = at..block.len();
    record.end = block.len();
    let document = block.get(at..).unwrap_or_default();
    let mut add = |span: Range<usize>, coding| {
        record.fields.push(Field { span: at + span.start..at + span.end, coding });
    };
    if let Err((at, message)) = addresses(document, &mut add) {
        let span = at.min(document.len())..document.len();
        record.error = Some(ItemError::at("not-xml", message, span));
    }
}

/// Calls `add` with the place of each address.
///
/// The depth of the root is 1. An element whose content is an address is noted with its depth when it opens. Its
/// content ends at the end tag of the same depth, so tags in the content do not end it:
///
/// ```text
/// tag     <urlset>  <url>  <loc>          http://a.example/  </loc>                   </url>  </urlset>
/// depth   1         2      3                                 3                        2       1
///                          open = (3, …)                     the content is an address
/// ```
///
/// # Errors
/// The document is not well-formed. The error is the position of the first wrong part, and a message.
fn addresses(
    document: &[u8],
    add: &mut impl FnMut(Range<usize>, Coding),
) -> Result<(), (usize, String)> {
    let mut reader = Reader::from_reader(document);
    // Many sitemaps have `&` for `&amp;`.
    reader.config_mut().allow_dangling_amp = true;
    let place = |position: u64| usize::try_from(position).unwrap_or(usize::MAX);
    let mut bindings = Bindings::default();
    let mut depth = 0_usize;
    // The depth of the open element whose content is an address, and where its content begins.
    let mut open = None;
    loop {
        let before = place(reader.buffer_position());
        let event = reader.read_event();
        let event = event.map_err(|error| (place(reader.error_position()), error.to_string()))?;
        let after = place(reader.buffer_position());
        let malformed = |message: String| (before, message);
        match event {
            Event::Start(tag) => {
                depth += 1;
                bindings.enter(depth, &tag).map_err(malformed)?;
                link(document, &tag, &bindings, add).map_err(malformed)?;
                if open.is_none() && bindings.has_address(&tag) {
                    open = Some((depth, after));
                }
            }
            Event::Empty(tag) => {
                bindings.enter(depth + 1, &tag).map_err(malformed)?;
                link(document, &tag, &bindings, add).map_err(malformed)?;
                bindings.leave(depth + 1);
            }
            Event::End(_) => {
                if let Some((_, start)) = open.filter(|(opened, _)| *opened == depth) {
                    let content = document.get(start..before).unwrap_or_default();
                    let lead = content.len() - content.trim_ascii_start().len();
                    let length = content.trim_ascii().len();
                    if length > 0 {
                        add(start + lead..start + lead + length, Coding::Element);
                    }
                    open = None;
                }
                bindings.leave(depth);
                depth = depth.saturating_sub(1);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    match open {
        Some((_, start)) => Err((start, "the document ends inside an address".to_owned())),
        None => Ok(()),
    }
}

/// Adds the address of an element `link` of XHTML.
fn link(
    document: &[u8],
    tag: &BytesStart<'_>,
    bindings: &Bindings,
    add: &mut impl FnMut(Range<usize>, Coding),
) -> Result<(), String> {
    if tag.local_name().as_ref() != b"link" || !bindings.is_xhtml(tag) {
        return Ok(());
    }
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| error.to_string())?;
        if attribute.key.as_ref() != b"href" || attribute.value.trim_ascii().is_empty() {
            continue;
        }
        let value = attribute.value.trim_ascii();
        // The value is a part of the document.
        let start = value.as_ptr().addr() - document.as_ptr().addr();
        let raw = document.get(..start).unwrap_or_default();
        // The nearest quote before the value is the quote of the attribute: only white space is between them.
        let is_quote = |byte: &&u8| matches!(byte, b'"' | b'\'');
        let quote = raw.iter().rev().find(is_quote).copied().unwrap_or(b'"');
        add(start..start + value.len(), Coding::XmlAttribute(quote));
        break;
    }
    Ok(())
}

/// What a prefix is bound to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Sitemap,
    Xhtml,
    Other,
}

/// The bindings of prefixes in the open elements: the depth of the element, the prefix, and its namespace. The default
/// namespace has the empty prefix.
#[derive(Default)]
struct Bindings(Vec<(usize, Vec<u8>, Space)>);

impl Bindings {
    /// Takes the bindings of an element at a depth.
    fn enter(&mut self, depth: usize, tag: &BytesStart<'_>) -> Result<(), String> {
        if memmem::find(tag, b"xmlns").is_none() {
            return Ok(());
        }
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| error.to_string())?;
            let Some(prefix) = attribute.key.as_ref().strip_prefix(b"xmlns") else { continue };
            let prefix = match prefix.strip_prefix(b":") {
                None if !prefix.is_empty() => continue,
                prefix => prefix.unwrap_or_default().to_vec(),
            };
            let holds = |text: &[u8]| memmem::find(&attribute.value, text).is_some();
            let space = match () {
                // The protocol has had several namespaces, and so have its extensions.
                () if holds(b"/sitemap") => Space::Sitemap,
                () if holds(b"/xhtml") => Space::Xhtml,
                () => Space::Other,
            };
            // A binding that is not remembered has no effect.
            if self.0.len() < MOST {
                self.0.push((depth, prefix, space));
            }
        }
        Ok(())
    }

    /// Forgets the bindings of an element at a depth.
    fn leave(&mut self, depth: usize) {
        while self.0.last().is_some_and(|(bound, ..)| *bound >= depth) {
            self.0.pop();
        }
    }

    /// Returns the namespace of an element, if its prefix is bound.
    fn space(&self, tag: &BytesStart<'_>) -> Option<Space> {
        let prefix = tag.name().prefix();
        let prefix = prefix.as_ref().map(AsRef::as_ref).unwrap_or_default();
        // An inner binding hides an outer binding of the same prefix, so the search begins at the innermost.
        let mut bound = self.0.iter().rev();
        bound.find(|(_, known, _)| known == prefix).map(|(.., space)| *space)
    }

    /// Tells whether the content of an element is an address.
    fn has_address(&self, tag: &BytesStart<'_>) -> bool {
        let name = tag.local_name();
        let is_known = ELEMENTS.contains(&name.as_ref());
        is_known && self.space(tag).is_none_or(|space| space == Space::Sitemap)
    }

    /// Tells whether an element is of XHTML. Without a binding, an element with any prefix is.
    fn is_xhtml(&self, tag: &BytesStart<'_>) -> bool {
        match self.space(tag) {
            Some(space) => space == Space::Xhtml,
            None => tag.name().prefix().is_some(),
        }
    }
}

/// A part of the content of an element.
enum Piece<'c> {
    Text(&'c [u8]),
    Characters(&'c [u8]),
    /// A comment or an instruction.
    Aside(&'c [u8]),
    Element,
}

/// Returns the parts of the content of an element of a well-formed document.
fn pieces(content: &[u8]) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = content;
    std::iter::from_fn(move || {
        let delimited = |start: &[u8], end: &[u8]| {
            let inside = rest.strip_prefix(start)?;
            let length = memmem::find(inside, end)?;
            let (inside, after) = inside.split_at_checked(length)?;
            Some((inside, after.get(end.len()..)?))
        };
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = if !rest.starts_with(b"<") {
            let length = memchr::memchr(b'<', rest).unwrap_or(rest.len());
            let (text, after) = rest.split_at_checked(length)?;
            (Piece::Text(text), after)
        } else if let Some((inside, after)) = delimited(b"<![CDATA[", b"]]>") {
            (Piece::Characters(inside), after)
        } else if let Some((_, after)) = delimited(b"<!--", b"-->").or(delimited(b"<?", b"?>")) {
            (Piece::Aside(rest.get(..rest.len() - after.len())?), after)
        } else {
            (Piece::Element, &[][..])
        };
        rest = after;
        Some(piece)
    })
}

/// Returns the text of an element.
///
/// # Errors
/// The content is not UTF-8, has an element, or has a reference that stands for no text.
pub(crate) fn decode(raw: &[u8]) -> Result<Cow<'_, [u8]>, ItemError> {
    if memchr::memchr2(b'<', b'&', raw).is_none() {
        return Ok(Cow::Borrowed(raw));
    }
    let mut whole = Vec::with_capacity(raw.len());
    for piece in pieces(raw) {
        match piece {
            Piece::Text(text) => whole.extend_from_slice(&decode_text(text)?),
            Piece::Characters(text) => whole.extend_from_slice(text),
            Piece::Aside(_) => {}
            Piece::Element => {
                let message = "there is an element in the address";
                return Err(ItemError::whole("bad-escape", message, raw));
            }
        }
    }
    Ok(Cow::Owned(whole.trim_ascii().to_vec()))
}

/// Returns the text that a part without elements stands for.
///
/// # Errors
/// The text is not UTF-8, or has a reference that stands for no text.
pub(crate) fn decode_text(raw: &[u8]) -> Result<Cow<'_, [u8]>, ItemError> {
    for at in memchr::memchr_iter(b'&', raw) {
        let rest = raw.get(at + 1..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let name = rest.get(..length).unwrap_or_default();
        let is_known = [&b"amp"[..], b"lt", b"gt", b"quot", b"apos"].contains(&name);
        if length > 0 && rest.get(length) == Some(&b';') && !is_known {
            let name = name.to_vec();
            let message = Message::made(move |f| {
                let name = name.escape_ascii();
                write!(f, "&{name}; is not a reference of XML; write the character itself")
            });
            return Err(ItemError::at("bad-escape", message, at..at + length + 2));
        }
    }
    Ok(bytes(Document::new(Format::Xml).read(utf8(raw)?)?))
}

/// Appends a text as the content of an element that was `raw` before. If the content is one CDATA section, it stays a
/// CDATA section. Comments and instructions stay, after the text.
pub(crate) fn encode(raw: &[u8], text: &[u8], out: &mut Vec<u8>) {
    if decode(raw).is_ok_and(|old| *old == *text) {
        out.extend_from_slice(raw);
        return;
    }
    // For example, `<![CDATA[ a ]]>` becomes `<![CDATA[ b ]]>`, with its spaces. `a<!-- c -->` becomes `b<!-- c -->`.
    let mut parts = pieces(raw);
    match (parts.next(), parts.next()) {
        (Some(Piece::Characters(old)), None) if memmem::find(text, b"]]>").is_none() => {
            let lead = old.len() - old.trim_ascii_start().len();
            let trail = old.trim_ascii_end().len();
            out.extend_from_slice(b"<![CDATA[");
            out.extend_from_slice(old.get(..lead).unwrap_or_default());
            out.extend_from_slice(text);
            out.extend_from_slice(old.get(trail.max(lead)..).unwrap_or_default());
            out.extend_from_slice(b"]]>");
        }
        _ => {
            encode_text(text, None, out);
            for piece in pieces(raw) {
                if let Piece::Aside(aside) = piece {
                    out.extend_from_slice(aside);
                }
            }
        }
    }
}

/// Appends a text as the text of an element, or as an attribute with a quote.
pub(crate) fn encode_text(text: &[u8], quote: Option<u8>, out: &mut Vec<u8>) {
    for byte in text {
        match (byte, quote) {
            (b'&', _) => out.extend_from_slice(b"&amp;"),
            (b'<', _) => out.extend_from_slice(b"&lt;"),
            (b'>', None) => out.extend_from_slice(b"&gt;"),
            (b'"', Some(b'"')) => out.extend_from_slice(b"&quot;"),
            (b'\'', Some(b'\'')) => out.extend_from_slice(b"&apos;"),
            _ => out.push(*byte),
        }
    }
}
