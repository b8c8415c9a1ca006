//! The scanners of formats, for the fuzz targets, which compare them with other parsers. Not a public
//! interface.

use std::ops::Range;

use crate::format::csv::{self, Row};
use crate::format::cut::{Cut, Quotes};
use crate::format::json;

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
        // A blank line is no row.
        if row.body_end > at {
            let field = |span| csv::decode(text.get(span).unwrap_or_default()).into_owned();
            rows.push(spans.into_iter().map(field).collect());
        }
        at = row.end;
    }
    Some(rows)
}

/// Returns a field of CSV with a text, written over a field that was `raw`.
#[must_use]
pub fn csv_field(raw: &[u8], text: &[u8], delimiter: u8) -> Vec<u8> {
    let mut out = Vec::new();
    csv::encode(raw, text, delimiter, &mut out);
    out
}

/// Returns the ends of the first and of the last record of CSV that comes in two parts.
#[must_use]
pub fn csv_ends(text: &[u8], delimiter: u8, cut: usize) -> (Option<usize>, Option<usize>) {
    let mut quotes = Cut::Csv(Quotes::new(delimiter));
    let (a, b) = text.split_at(cut.min(text.len()));
    let (first, second) = (quotes.scan(a), quotes.scan(b));
    let moved = |at: Option<usize>| at.map(|at| at + a.len());
    (first.first.or(moved(second.first)), moved(second.last).or(first.last))
}

/// Finds the value that a pointer names in a JSON text. `Err` says that the text is no JSON.
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
