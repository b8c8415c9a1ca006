//! Writes an item as a JSON object on one line. Not here: how an item is read.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::ser::{Formatter, Serializer};
use simd_iri::{Host, IriRef};
use simd_iri_lint as check;
use simd_iri_lint::{Code, Finding};

use crate::invariant::present;
use crate::item_error::ItemError;
use crate::output::columns::Columns;
use crate::output::escape::{hides, reference_hides, runs};
use crate::output::report::Place;

/// An item, and its result or its error.
#[derive(Serialize)]
struct Transformed<'a, T> {
    #[serde(flatten)]
    item: Item<'a>,
    #[serde(flatten)]
    result: Option<&'a T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ItemError>,
}

/// An item and its findings.
#[derive(Serialize)]
struct Linted<'a> {
    #[serde(flatten)]
    item: Item<'a>,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ItemError>,
    findings: Vec<Found>,
}

/// A finding in an item.
#[derive(Serialize)]
struct Found {
    severity: &'static str,
    code: &'static str,
    message: String,
    section: &'static str,
    start: usize,
    end: usize,
    component: &'static str,
    /// The text that the suggestion puts in the place of the finding.
    replacement: Option<String>,
    /// The charsets in which the encoded bytes are text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    charsets: Vec<&'static str>,
}

impl Found {
    /// Describes a finding in an item. An item with findings is UTF-8.
    fn of(item: &[u8], finding: Finding) -> Self {
        let Range { start, end } = finding.span();
        let text = present(item.get(start..end).and_then(|text| std::str::from_utf8(text).ok()));
        Self {
            severity: finding.severity().name(),
            code: finding.code().name(),
            message: finding.to_string(),
            section: finding.section(),
            start,
            end,
            component: finding.component().name(),
            replacement: finding.suggestion().map(|suggestion| suggestion.apply(text)),
            charsets: charsets(finding, text),
        }
    }
}

/// A link in a text.
#[derive(Serialize)]
pub(crate) struct Linked<'a> {
    pub(crate) file: &'a str,
    pub(crate) line: u64,
    pub(crate) column: u64,
    /// The first byte of the link in the file.
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) text: &'a str,
    pub(crate) kind: &'static str,
    pub(crate) reference: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<ItemError>,
}

/// An item and its place.
struct Item<'a> {
    place: Place<'a>,
    columns: Columns<'a>,
}

/// Serializes the place, and each column under its name. If a column is not UTF-8, adds its bytes in
/// Base64, unless the input was converted from a charset.
impl Serialize for Item<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("file", self.place.name)?;
        map.serialize_entry("line", &self.place.line)?;
        for (name, bytes) in self.columns.iter() {
            if self.place.charset.is_none() {
                serialize_bytes(&mut map, name, bytes)?;
            } else {
                map.serialize_entry(name, &String::from_utf8_lossy(bytes))?;
            }
        }
        map.end()
    }
}

/// Serializes bytes as text under a name. If they are not UTF-8, adds them in Base64, under the name
/// followed by `_base64`.
pub(crate) fn serialize_bytes<M: SerializeMap>(
    map: &mut M,
    name: &str,
    bytes: &[u8],
) -> Result<(), M::Error> {
    let text = String::from_utf8_lossy(bytes);
    map.serialize_entry(name, &text)?;
    // The text is a copy only if bytes were replaced in it.
    if let Cow::Owned(_) = text {
        map.serialize_entry(&format!("{name}_base64"), &STANDARD.encode(bytes))?;
    }
    Ok(())
}

/// Appends the object of an item that was parsed.
pub(crate) fn append_parsed(
    out: &mut Vec<u8>,
    place: Place<'_>,
    item: &[u8],
    parsed: Result<IriRef<'_>, ItemError>,
) -> io::Result<()> {
    match parsed {
        Ok(iri) => {
            append_valid(out, place, iri);
            Ok(())
        }
        Err(error) => append_invalid(out, place, item, &error),
    }
}

/// Appends the object of an invalid item.
///
/// PERF: a serializer of the whole object takes twice as long.
fn append_invalid(
    out: &mut Vec<u8>,
    place: Place<'_>,
    item: &[u8],
    error: &ItemError,
) -> io::Result<()> {
    append_place(out, place);
    out.extend_from_slice(b",\"input\":");
    let text = String::from_utf8_lossy(item);
    append_string(out, &text);
    if let (Cow::Owned(_), None) = (text, place.charset) {
        out.extend_from_slice(b",\"input_base64\":\"");
        out.extend_from_slice(STANDARD.encode(item).as_bytes());
        out.push(b'"');
    }
    out.extend_from_slice(b",\"valid\":false,\"error\":");
    error.serialize(&mut Serializer::with_formatter(&mut *out, Visible))?;
    out.extend_from_slice(b"}\n");
    Ok(())
}

/// Appends the beginning of the object of an item: the place.
fn append_place(out: &mut Vec<u8>, place: Place<'_>) {
    out.extend_from_slice(b"{\"file\":");
    out.extend_from_slice(place.json_name.as_bytes());
    out.extend_from_slice(b",\"line\":");
    out.extend_from_slice(itoa::Buffer::new().format(place.line).as_bytes());
}

/// Appends the object of a valid item: `null` if a component is absent, `""` if it is empty.
///
/// PERF: a serializer calls a writer for every quote and comma, which takes four times as long. A valid item does not
/// hold a quote, a backslash or a control character. So its components are strings of JSON as they are, unless a
/// character is hidden. Hidden characters are rare, and one pass over the item finds them.
fn append_valid(out: &mut Vec<u8>, place: Place<'_>, iri: IriRef<'_>) {
    append_place(out, place);
    let hides = reference_hides(iri);
    let string = |out: &mut Vec<u8>, text: &str| {
        if hides {
            append_string(out, text);
        } else {
            out.push(b'"');
            out.extend_from_slice(text.as_bytes());
            out.push(b'"');
        }
    };
    let optional = |out: &mut Vec<u8>, text: Option<&str>| match text {
        Some(text) => string(out, text),
        None => out.extend_from_slice(b"null"),
    };
    match (iri.scheme(), iri.authority(), iri.host_str(), iri.host()) {
        // PERF: most references have a scheme and an authority that is a host alone. Their quotes are written together
        // with the names.
        (Some(scheme), Some(authority), Some(name), Some(host))
            if !hides && authority.len() == name.len() =>
        {
            out.extend_from_slice(b",\"input\":\"");
            out.extend_from_slice(iri.as_str().as_bytes());
            out.extend_from_slice(b"\",\"valid\":true,\"scheme\":\"");
            out.extend_from_slice(scheme.as_bytes());
            out.extend_from_slice(b"\",\"authority\":\"");
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"\",\"userinfo\":null,\"host\":\"");
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"\",\"host_kind\":\"");
            out.extend_from_slice(host_kind(host).as_bytes());
            out.extend_from_slice(b"\",\"port\":null,\"path\":\"");
            out.extend_from_slice(iri.path().as_bytes());
            out.push(b'"');
        }
        (scheme, authority, name, host) => {
            out.extend_from_slice(b",\"input\":");
            string(out, iri.as_str());
            out.extend_from_slice(b",\"valid\":true,\"scheme\":");
            optional(out, scheme);
            out.extend_from_slice(b",\"authority\":");
            optional(out, authority);
            out.extend_from_slice(b",\"userinfo\":");
            optional(out, iri.userinfo());
            out.extend_from_slice(b",\"host\":");
            optional(out, name);
            out.extend_from_slice(b",\"host_kind\":");
            optional(out, host.map(host_kind));
            out.extend_from_slice(b",\"port\":");
            optional(out, iri.port());
            out.extend_from_slice(b",\"path\":");
            string(out, iri.path());
        }
    }
    // PERF: most references have neither query nor fragment.
    if let (None, None) = (iri.query(), iri.fragment()) {
        out.extend_from_slice(b",\"query\":null,\"fragment\":null}\n");
        return;
    }
    out.extend_from_slice(b",\"query\":");
    optional(out, iri.query());
    out.extend_from_slice(b",\"fragment\":");
    optional(out, iri.fragment());
    out.extend_from_slice(b"}\n");
}

/// Returns a text as a string, with hidden characters escaped.
pub(crate) fn string(text: &str) -> String {
    let mut out = Vec::new();
    append_string(&mut out, text);
    // The characters of a string and their escapes are UTF-8.
    present(String::from_utf8(out).ok())
}

/// Appends a text as a string, with hidden characters escaped.
fn append_string(out: &mut Vec<u8>, text: &str) {
    let written = text.serialize(&mut Serializer::with_formatter(&mut *out, Visible));
    debug_assert!(written.is_ok(), "a vector takes all bytes");
}

/// Writes the object of an item that a command transformed.
pub(crate) fn write_transformed<T: Serialize>(
    out: &mut impl Write,
    place: Place<'_>,
    columns: Columns<'_>,
    result: Result<&T, ItemError>,
) -> io::Result<()> {
    let (result, error) = match result {
        Ok(result) => (Some(result), None),
        Err(error) => (None, Some(error)),
    };
    write(out, &Transformed { item: Item { place, columns }, result, error })
}

/// A whole record that failed, and its error.
#[derive(Serialize)]
struct SetAside<'a> {
    #[serde(flatten)]
    item: Item<'a>,
    column: u64,
    error: &'a ItemError,
}

/// Writes the object of a record that failed.
pub(crate) fn write_set_aside(
    out: &mut impl Write,
    place: Place<'_>,
    record: &[u8],
    error: &ItemError,
) -> io::Result<()> {
    let columns = Columns { names: &["record"], texts: &[record] };
    write(out, &SetAside { item: Item { place, columns }, column: place.column + 1, error })
}

/// Writes the object of an item that was linted.
pub(crate) fn write_linted(
    out: &mut impl Write,
    place: Place<'_>,
    item: &[u8],
    error: Option<ItemError>,
    findings: &[Finding],
) -> io::Result<()> {
    let columns = Columns { names: &["input"], texts: &[item] };
    let findings = findings.iter().map(|finding| Found::of(item, *finding)).collect();
    let item = Item { place, columns };
    write(out, &Linted { item, valid: error.is_none(), error, findings })
}

/// Writes the object of a link.
pub(crate) fn write_link(out: &mut impl Write, link: &Linked<'_>) -> io::Result<()> {
    write(out, link)
}

/// Writes an object on a line of its own.
pub(crate) fn write(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    object.serialize(&mut Serializer::with_formatter(&mut *out, Visible))?;
    out.write_all(b"\n")
}

/// Returns an object as JSON.
pub(crate) fn text(object: &impl Serialize) -> String {
    let mut out = Vec::new();
    let written = object.serialize(&mut Serializer::with_formatter(&mut out, Visible));
    debug_assert!(written.is_ok(), "a vector takes all bytes");
    present(String::from_utf8(out).ok())
}

/// Returns the charsets in which the encoded bytes of a finding are text.
pub(crate) fn charsets(finding: Finding, text: &str) -> Vec<&'static str> {
    match finding.code() {
        Code::SpoofLegacy => check::charsets(text).map(|charset| charset.name()).collect(),
        _ => Vec::new(),
    }
}

/// Returns the name of a kind of host in JSON and in templates.
pub(crate) fn host_kind(host: Host<'_>) -> &'static str {
    match host {
        Host::Ipv4(_) => "ipv4",
        Host::Ipv6(_) => "ipv6",
        Host::IpvFuture(_) => "ipvfuture",
        Host::RegName(_) => "reg-name",
    }
}

/// Compact JSON with hidden characters escaped. The values are the same, and the text is safe to print.
struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + Write,
    {
        if !hides(fragment) {
            return writer.write_all(fragment.as_bytes());
        }
        for (plain, hidden) in runs(fragment) {
            writer.write_all(plain.as_bytes())?;
            if let Some(hidden) = hidden {
                // Every hidden character fits in the 16 bits of this escape.
                write!(writer, "\\u{:04x}", u32::from(hidden))?;
            }
        }
        Ok(())
    }
}
