//! The formats `html` and `markdown`: the links that the library finds in a document. Also the escapes
//! that the library knows.

use std::borrow::Cow;

use simd_iri::Document;
use simd_iri::text::{Extract, Markup};

use crate::format::field::{Coding, Field, Record};
use crate::io::text::utf8;
use crate::item_error::ItemError;

/// Finds every link of the document, relative ones too.
pub(crate) fn next(markup: Markup, block: &[u8], at: usize, record: &mut Record) {
    record.body = at..block.len();
    record.end = block.len();
    let coding = if matches!(markup, Markup::Html) { Coding::Html } else { Coding::Raw };
    let extract = Extract::new().markup(markup).relative(true).bare(false);
    let mut offset = at;
    for chunk in block.get(at..).unwrap_or_default().utf8_chunks() {
        for link in extract.links(chunk.valid()) {
            let span = link.span();
            record.fields.push(Field { span: offset + span.start..offset + span.end, coding });
        }
        offset += chunk.valid().len() + chunk.invalid().len();
    }
}

/// Returns the text that a format writes with escapes.
///
/// # Errors
/// The bytes are not UTF-8, or an escape stands for no text.
pub(crate) fn decode(raw: &[u8], format: simd_iri::Format) -> Result<Cow<'_, [u8]>, ItemError> {
    let text = utf8(raw)?;
    Ok(match Document::new(format).read(text)? {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    })
}

/// Appends a text for an attribute or an element of HTML and XML.
pub(crate) fn encode(text: &[u8], out: &mut Vec<u8>) {
    for byte in text {
        match byte {
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            b'"' => out.extend_from_slice(b"&quot;"),
            b'\'' => out.extend_from_slice(b"&#39;"),
            _ => out.push(*byte),
        }
    }
}
