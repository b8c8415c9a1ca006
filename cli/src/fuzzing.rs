//! The scanners of formats, for the fuzz targets, which compare them with other parsers. Not a public
//! interface.

use std::borrow::Cow;
use std::ops::Range;

use simd_iri_text::Markup;

use crate::format::csv::{self, Row};
use crate::format::cut::{Cut, Quotes};
use crate::format::{Cell, Field, Layout, Record, json, ntriples};

/// Returns the rows of CSV, and the text of each field; `None` if a quote is not closed.
#[must_use]
pub fn csv_rows(text: &[u8], delimiter: u8) -> Option<Vec<Vec<Vec<u8>>>> {
    let (mut rows, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let mut row = Row::new(delimiter, text, at);
        let spans: Vec<Range<usize>> = row.by_ref().collect();
        if row.is_open {
            return None;
        }
        // A blank line is not a row.
        if row.body_end > at {
            let field = |span| csv::decode(text.get(span).unwrap_or_default()).into_owned();
            rows.push(spans.into_iter().map(field).collect());
        }
        at = row.end;
    }
    Some(rows)
}

/// Returns a field of CSV with a text, written over a field that was `raw`. `is_alone` says that the row has no other.
#[must_use]
pub fn csv_field(raw: &[u8], text: &[u8], delimiter: u8, is_alone: bool) -> Vec<u8> {
    let mut out = Vec::new();
    csv::encode(raw, text, Cell { delimiter, is_alone }, &mut out);
    out
}

/// Returns the ends of the first and of the last record of CSV that comes in two parts.
#[must_use]
pub fn csv_ends(text: &[u8], delimiter: u8, cut: usize) -> (Option<usize>, Option<usize>) {
    let mut quotes = Cut::Csv(Quotes::new(delimiter));
    let (a, b) = text.split_at(cut.min(text.len()));
    let (first, second) = (quotes.scan(a, 0), quotes.scan(b, 0));
    let moved = |at: Option<usize>| at.map(|at| at + a.len());
    (first.first.or(moved(second.first)), moved(second.last).or(first.last))
}

/// Finds the value that a pointer names in a JSON text. `Err` says that the text is not JSON.
///
/// # Errors
/// The position of the first wrong byte.
pub fn json_find(text: &[u8], tokens: &[String]) -> Result<Option<Range<usize>>, usize> {
    json::find(text, tokens)
}

/// Returns the names and the values of the members of an object.
#[must_use]
pub fn json_members(text: &[u8]) -> Option<Vec<(String, Range<usize>)>> {
    json::members(text)
}

/// The formats that [`addresses`] knows.
pub const ADDRESSED: [&str; 4] = ["html", "markdown", "sitemap", "nt"];

fn layout(format: &str) -> Option<Layout> {
    Some(match format {
        "html" => Layout::Links(Markup::Html),
        "markdown" => Layout::Links(Markup::Markdown),
        "sitemap" => Layout::Sitemap,
        "nt" => Layout::NTriples(ntriples::Layout::new(None, false).ok()?),
        _ => return None,
    })
}

/// Returns the records of a document.
fn records(layout: &Layout, document: &[u8]) -> Vec<Record> {
    let (mut records, mut at) = (Vec::new(), 0);
    while at < document.len() {
        let mut record = Record::default();
        layout.next(document, at, &mut record);
        at = record.end.max(at + 1);
        records.push(record);
    }
    records
}

/// Returns the places of the addresses of a document, and their texts. An address with wrong escapes has no text.
#[must_use]
pub fn addresses(format: &str, document: &[u8]) -> Vec<(Range<usize>, Option<Vec<u8>>)> {
    let Some(layout) = layout(format) else { return Vec::new() };
    let records = records(&layout, document);
    let fields =
        records.iter().flat_map(|record| record.fields.iter().map(move |field| (record, field)));
    let text = |(record, field): (&Record, &Field)| {
        let text = layout.item(document, record, field);
        (field.span.clone(), text.ok().map(Cow::into_owned))
    };
    fields.map(text).collect()
}

/// Returns a document with another text at the place of one of its addresses.
#[must_use]
pub fn replaced(format: &str, document: &[u8], number: usize, text: &[u8]) -> Vec<u8> {
    let mut written = document.to_vec();
    let Some(layout) = layout(format) else { return written };
    let records = records(&layout, document);
    if let Some(field) = records.iter().flat_map(|record| &record.fields).nth(number) {
        let raw = document.get(field.span.clone()).unwrap_or_default();
        let mut encoded = Vec::new();
        match field.coding.decode(raw) {
            Ok(old) if *old == *text => encoded.extend_from_slice(raw),
            _ => field.coding.encode(raw, text, &mut encoded),
        }
        written.splice(field.span.clone(), encoded);
    }
    written
}
