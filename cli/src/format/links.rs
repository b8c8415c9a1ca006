//! The formats `html` and `markdown`: the references that the markup of a document delimits, also relative references.
//! The library finds them, as it does for `iri extract`.

use simd_iri_text::{Extract, Link, LinkStream, Markup};

use crate::format::field::{Coding, Field, Record};

/// Finds every reference of the document.
pub(crate) fn next(markup: Markup, block: &[u8], at: usize, record: &mut Record) {
    record.body = at..block.len();
    record.end = block.len();
    // A reference with bytes that are not UTF-8 is found too, and fails as an item.
    let extract = Extract::new().markup(markup).text(false).relative(true).broken(true);
    let mut add = |start: usize, link: Link<'_>| {
        let start = at + start;
        let place = link.escapes().map(|escapes| Field {
            span: start..start + link.as_str().len(),
            coding: Coding::Markup(escapes),
        });
        record.fields.extend(place);
    };
    let document = block.get(at..).unwrap_or_default();
    match std::str::from_utf8(document) {
        Ok(text) if markup != Markup::Html => {
            extract.links(text).for_each(|link| add(link.span().start, link));
        }
        _ => {
            let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
            let mut stream = LinkStream::new(extract, u32::MAX);
            let mut each = |at: u64, link: Link<'_>| add(place(at), link);
            stream.push(document, &mut each);
            // What the stream keeps is what the end of the document cuts: a word or a tag.
            let kept = place(stream.position());
            stream.finish(each);
            let is_tag = document.get(kept) == Some(&b'<') && markup == Markup::Html;
            record.cut = is_tag.then_some(at + kept..block.len());
        }
    }
}
