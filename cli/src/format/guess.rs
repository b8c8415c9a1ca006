//! Guesses the format of records that are read as lines, for a hint after some records failed. The guess never changes
//! how a record is read.

use crate::args::records::RecordArgs;
use crate::format::csv::{self, DELIMITERS};
use crate::format::field::Record;
use crate::format::{cdxj, json, log, ntriples};
use crate::io::sniff;
use crate::output::escape::Escaped;
use crate::output::secrets::quote;

/// The most bytes that are looked at.
pub(crate) const LENGTH: usize = 1 << 14;

/// If this many bytes show no format, the bytes after them are not looked at.
pub(crate) const ENOUGH: usize = 1 << 10;

/// Returns what the beginning of a file looks like, and the options that read it.
pub(crate) fn hint(text: &[u8]) -> Option<String> {
    let text = text.get(..LENGTH).unwrap_or(text);
    let lines = text.split(|byte| *byte == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let is_record = |line: &&[u8]| !(line.trim_ascii().is_empty() || line.starts_with(b"#"));
    let mut lines = lines.filter(is_record);
    let first = lines.next()?;
    let (what, options) = guess(text, first, lines.next())?;
    Some(format!("the input looks like {what}; {} reads it", Escaped(options.as_bytes())))
}

fn guess(text: &[u8], first: &[u8], second: Option<&[u8]>) -> Option<(&'static str, String)> {
    let begins = |start: &str| {
        let head = text.trim_ascii_start().get(..start.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
    };
    let of = |what: &'static str, options: &str| Some((what, options.to_owned()));
    if begins("WARC/") {
        return of("a web archive", "--from warc");
    }
    if text.starts_with(b"PAR1") {
        return of("Parquet", "iri with the name of the file and --from parquet --field COLUMN");
    }
    if text.starts_with(b"ARROW1") {
        return of("Arrow", "iri with the name of the file and --from arrow --field COLUMN");
    }
    if sniff::is_sitemap(text) {
        return of("a sitemap", "--from sitemap");
    }
    if begins("<!doctype html") || begins("<html") {
        return of("a page", "--from html");
    }
    if begins("{") || begins("[") {
        return Some(("JSON", of_json(first)?));
    }
    if let Ok(pointer) = "/url".parse() {
        if is_record(|record| cdxj::next(&pointer, first, 0, record)) {
            return of("an index of web archives", "--from cdxj");
        }
    }
    if let Ok(layout) = ntriples::Layout::new(None, true) {
        if is_record(|record| layout.next(first, 0, record)) {
            return of("N-Triples or N-Quads", "--from nq");
        }
    }
    if let Ok(layout) = log::Layout::new(&RecordArgs::lines(None, 0), None) {
        let mut record = Record::default();
        layout.next(first, 0, &mut record);
        // A log may begin with a line of a client that does not speak HTTP.
        let fits = record.error.as_ref().is_none_or(|error| error.kind == log::NO_REQUEST);
        if fits && !record.is_filler {
            return of("a log of a web server", "--from log");
        }
    }
    of_table(first, second)
}

/// Tells whether a format finds a record without an error.
fn is_record(next: impl FnOnce(&mut Record)) -> bool {
    let mut record = Record::default();
    next(&mut record);
    record.error.is_none() && !record.is_filler
}

/// Returns the options for a line of JSON, with a member that is an address.
fn of_json(line: &[u8]) -> Option<String> {
    let Some(members) = json::members(line) else {
        // It may be a text that is more than one line.
        return Some(
            "jq -c, which writes a record a line, and then --from jsonl --field /NAME".to_owned(),
        );
    };
    let is_address = |(_, span): &&(String, std::ops::Range<usize>)| {
        let raw = line.get(span.clone()).unwrap_or_default();
        json::decode(raw).is_ok_and(|text| raw.starts_with(b"\"") && has_scheme(&text))
    };
    let name = members.iter().find(is_address).or(members.first()).map(|(name, _)| name)?;
    let name = quote(name).replace('~', "~0").replace('/', "~1");
    Some(format!("--from jsonl --field {}", quoted(&format!("/{name}"))))
}

/// Returns the options for rows of a table, if one of their columns has addresses.
fn of_table(first: &[u8], second: Option<&[u8]>) -> Option<(&'static str, String)> {
    // A line that is an address may hold any delimiter.
    if has_scheme(first) {
        return None;
    }
    DELIMITERS.iter().find_map(|delimiter| {
        let head = csv::names(first, *delimiter);
        let from = csv::option(*delimiter);
        let is_address = |field: &String| has_scheme(field.as_bytes());
        if let Some(number) = head.iter().position(is_address) {
            return Some(("a table", format!("{from} --no-header --field {}", number + 1)));
        }
        let row = csv::names(second?, *delimiter);
        let number = row.iter().position(is_address).filter(|_| row.len() == head.len())?;
        let name = head.get(number).filter(|_| head.len() > 1)?;
        Some(("a table", format!("{from} --field {}", quoted(&quote(name)))))
    })
}

/// Tells whether a text begins with a scheme and two slashes.
fn has_scheme(text: &[u8]) -> bool {
    let end = memchr::memmem::find(text, b"://");
    end.is_some_and(|end| {
        let scheme = text.get(..end).unwrap_or_default();
        scheme.first().is_some_and(u8::is_ascii_alphabetic)
            && scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
    })
}

/// Returns a text as a word of a shell.
fn quoted(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-/.~".contains(&byte);
    if text.bytes().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
