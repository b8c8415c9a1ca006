//! The format `sitemap` (sitemaps.org, protocol 0.9): the text of each `loc` element.

use memchr::memmem;

use crate::format::field::{Coding, Field, Record};

/// Finds every address of the document.
pub(crate) fn next(block: &[u8], at: usize, record: &mut Record) {
    record.body = at..block.len();
    record.end = block.len();
    let mut from = at;
    while let Some(open) = memmem::find(block.get(from..).unwrap_or_default(), b"<") {
        let start = from + open;
        let rest = block.get(start..).unwrap_or_default();
        let passed = if rest.starts_with(b"<!--") {
            memmem::find(rest, b"-->").map(|end| end + 3)
        } else if is_loc(rest) {
            memmem::find(rest, b">").map(|end| {
                let text = rest.get(end + 1..).unwrap_or_default();
                let length = memmem::find(text, b"<").unwrap_or(text.len());
                let text = text.get(..length).unwrap_or_default();
                let lead = text.len() - text.trim_ascii_start().len();
                let first = start + end + 1 + lead;
                let span = first..first + text.trim_ascii().len();
                record.fields.push(Field { span, coding: Coding::Xml });
                end + 1 + length
            })
        } else {
            Some(1)
        };
        match passed {
            Some(passed) => from = start + passed,
            None => break,
        }
    }
}

/// Tells whether a text begins with the tag of an element `loc`, in any namespace.
fn is_loc(text: &[u8]) -> bool {
    let name = text.get(1..).unwrap_or_default();
    let length = name.iter().position(|byte| b" \t\r\n>/".contains(byte)).unwrap_or(name.len());
    let name = name.get(..length).unwrap_or_default();
    name == b"loc" || name.ends_with(b":loc")
}
