//! Writes records in another format: the names of their fields, and the texts. Not here: the syntax of a format.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use encoding_rs::Encoding;

use crate::args::output::To;
use crate::format::csv::Row;
use crate::format::field::{Cell, Number, Record, Value, exists, surplus, twin};
use crate::format::layout::Layout;
use crate::format::{csv, json, log};
use crate::item_error::{ItemError, Message};
use crate::output::secrets::quote;

/// The name of the address in formats without names.
const ADDRESS: &str = "iri";

/// Returns the names of the fields of a file. `first` begins with its header or its first record.
///
/// # Errors
/// The first record has no names, or they are not UTF-8.
pub(crate) fn names(layout: &Layout, first: &[u8]) -> Result<Vec<String>, String> {
    match layout {
        Layout::Csv(layout) => {
            let name = |(number, raw): (usize, Range<usize>)| match layout.has_header {
                true => {
                    let name = csv::decode(first.get(raw).unwrap_or_default()).into_owned();
                    let message = "its header is not UTF-8; --charset names the charset";
                    String::from_utf8(name).map_err(|_| message.to_owned())
                }
                false => Ok(format!("field{}", number + 1)),
            };
            let start = if layout.has_header { None } else { csv::first_row(first) };
            let start = start.unwrap_or_default();
            Row::new(layout.delimiter, first, start).enumerate().map(name).collect()
        }
        Layout::Json(_) => {
            let members = json::members(first_line(first));
            let members = members
                .ok_or("the first record is not a JSON object, so it does not have names")?;
            let mut known = HashSet::new();
            let names = members.into_iter().map(|(name, _)| name);
            Ok(names.filter(|name| known.insert(name.clone())).collect())
        }
        Layout::Log(layout) => Ok(layout.names()),
        _ => Ok(vec![ADDRESS.to_owned()]),
    }
}

/// Returns the first line that is not blank, without its terminator.
fn first_line(text: &[u8]) -> &[u8] {
    let line = text.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let line = line.unwrap_or_default();
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns the names of the fields of the output, and the number of the result among them. `added` is the name of the
/// result if it does not replace the address.
///
/// # Errors
/// A field has the name of the result already.
pub(crate) fn output_names(
    layout: &Layout,
    names: &[String],
    added: Option<&str>,
) -> Result<(Vec<String>, usize), String> {
    if let (None, Some(place)) = (added, layout.address(names)) {
        return Ok((names.to_vec(), place));
    }
    let name = added.unwrap_or(ADDRESS);
    if names.iter().any(|known| known == name) {
        return Err(exists(name));
    }
    let names = names.iter().map(String::as_str).chain([name]).map(str::to_owned);
    let names: Vec<_> = names.collect();
    let place = names.len() - 1;
    Ok((names, place))
}

/// Checks that no two fields have one name. In an object, the second of them would replace the first.
///
/// # Errors
/// Two fields have one name.
pub(crate) fn distinct(names: &[String]) -> Result<(), String> {
    let mut known = HashSet::new();
    match names.iter().find(|name| !known.insert(*name)) {
        None => Ok(()),
        Some(name) => Err(format!(
            "two fields are called '{}', and the output has one place for them; give one of them another name, or \
             write --to csv",
            quote(name)
        )),
    }
}

/// Checks that the fields of a record are UTF-8, but for the field with the result.
///
/// # Errors
/// A field is not UTF-8.
pub(crate) fn all_text(
    names: &[String],
    values: &[Value<'_>],
    place: usize,
    charset: Option<&'static Encoding>,
) -> Result<(), ItemError> {
    for (number, (name, value)) in names.iter().zip(values).enumerate() {
        let text = value.text();
        if number == place || std::str::from_utf8(text).is_ok() {
            continue;
        }
        let name = name.clone();
        let message = match charset {
            None => "is not UTF-8; --charset names its charset".to_owned(),
            Some(charset) => format!("has bytes that are invalid in {}", charset.name()),
        };
        let message = Message::made(move |f| write!(f, "the field {} {message}", quote(&name)));
        return Err(ItemError::whole("not-utf-8", message, text));
    }
    Ok(())
}

/// Returns the fields of a record, in the order of the names.
///
/// # Errors
/// The record has a field that the names lack, or two fields with one name.
pub(crate) fn values<'b>(
    layout: &Layout,
    names: &[String],
    block: &'b [u8],
    record: &Record,
) -> Result<Vec<Value<'b>>, ItemError> {
    let body = block.get(record.body.clone()).unwrap_or_default();
    match layout {
        Layout::Csv(layout) => {
            let mut values = Vec::with_capacity(names.len());
            for span in Row::new(layout.delimiter, body, 0) {
                if values.len() == names.len() {
                    return Err(surplus(span.start, Number(names.len() + 1)));
                }
                values.push(Value::Text(csv::decode(body.get(span).unwrap_or_default())));
            }
            values.resize(names.len(), Value::Absent);
            Ok(values)
        }
        Layout::Json(_) => {
            let mut values = vec![Value::Absent; names.len()];
            // PERF: most records have the names in their order. Otherwise, a map of them keeps the time linear.
            let mut places = None;
            for (number, (name, span)) in
                json::members(body).unwrap_or_default().into_iter().enumerate()
            {
                let place = if names.get(number) == Some(&name) {
                    Some(number)
                } else {
                    let places = places.get_or_insert_with(|| places_of(names));
                    places.get(&*name).copied()
                };
                let Some(value) = place.and_then(|place| values.get_mut(place)) else {
                    return Err(surplus(span.start, name));
                };
                if !matches!(value, Value::Absent) {
                    return Err(twin(span, name));
                }
                let raw = body.get(span).unwrap_or_default();
                *value = match raw.starts_with(b"\"") {
                    true => Value::Text(json::decode(raw)?),
                    false => Value::Json(raw),
                };
            }
            Ok(values)
        }
        Layout::Log(layout) => {
            let text = |(number, span)| {
                let raw = body.get(span).unwrap_or_default();
                // The rest may be several values, each with its escapes.
                let is_rest = number >= layout.variables();
                Value::Text(if is_rest { Cow::Borrowed(raw) } else { log::text(raw) })
            };
            Ok(layout.values(body).into_iter().enumerate().map(text).collect())
        }
        _ => {
            let field = record.fields.first();
            let decoded = field.map(|field| {
                let raw = block.get(field.span.clone()).unwrap_or_default();
                Ok(Value::Text(field.coding.decode(raw)?))
            });
            decoded.into_iter().collect()
        }
    }
}

/// Returns the place of each name.
fn places_of(names: &[String]) -> HashMap<&str, usize> {
    names.iter().enumerate().map(|(place, name)| (&**name, place)).collect()
}

/// Appends the line of names, if the format has one.
pub(crate) fn write_names(to: To, names: &[String], out: &mut Vec<u8>) {
    let names = names.iter().map(|name| name.as_bytes());
    match to {
        To::Csv => write_row(b',', names, out),
        To::Tsv => write_row(b'\t', names, out),
        To::Lines | To::Jsonl | To::Parquet | To::Arrow => {}
    }
}

/// Appends a record. `result` is the text of the address, if the record has one, and the number of its field.
/// `separator` ends a line that is an address alone.
pub(crate) fn write(
    to: To,
    names: &[String],
    values: &[Value<'_>],
    (result, place): (Option<&[u8]>, usize),
    separator: u8,
    out: &mut Vec<u8>,
) {
    let is_absent = result.is_none();
    let result = result.unwrap_or_default();
    let texts = || {
        let old = |number: usize| values.get(number).map_or(&[][..], Value::text);
        (0..names.len()).map(move |number| if number == place { result } else { old(number) })
    };
    match to {
        To::Lines if is_absent => {}
        To::Lines => {
            out.extend_from_slice(result);
            out.push(separator);
        }
        To::Csv => write_row(b',', texts(), out),
        To::Tsv => write_row(b'\t', texts(), out),
        To::Jsonl => {
            out.push(b'{');
            for (number, (name, text)) in names.iter().zip(texts()).enumerate() {
                if number > 0 {
                    out.push(b',');
                }
                json::encode(name.as_bytes(), out);
                out.push(b':');
                match values.get(number) {
                    _ if number == place && is_absent => out.extend_from_slice(b"null"),
                    _ if number == place => json::encode(text, out),
                    Some(Value::Text(text)) => json::encode(text, out),
                    Some(Value::Json(json)) => out.extend_from_slice(json),
                    Some(Value::Absent) | None => out.extend_from_slice(b"null"),
                }
            }
            out.extend_from_slice(b"}\n");
        }
        // These records go to a table of `columnar`.
        To::Parquet | To::Arrow => {}
    }
}

fn write_row<'t>(delimiter: u8, texts: impl ExactSizeIterator<Item = &'t [u8]>, out: &mut Vec<u8>) {
    let cell = Cell { delimiter, is_alone: texts.len() == 1 };
    for (number, text) in texts.enumerate() {
        if number > 0 {
            out.push(delimiter);
        }
        csv::encode(b"", text, cell, out);
    }
    out.push(b'\n');
}
