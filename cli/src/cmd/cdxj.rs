//! `iri cdxj`: writes the index of web archives, with the places of the records in their files. Not here: the keys of
//! addresses alone (`archive_key`), and indexes as input, which are a format of records.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use memchr::memchr;
use serde::Serialize;
use simd_iri_archive::{Keys, Profile};

use crate::args::archive::profile;
use crate::format::warc::{header_length, target, value};
use crate::io::archive::Fault;
use crate::io::files::Outputs;
use crate::io::input::{files, name};
use crate::io::places::{Placed, each_record};
use crate::output::json;
use crate::output::report::{self, Failure, Outcome};
use crate::output::secrets::quote;
use crate::pipe::Ended;
use crate::pipe::tally::Tally;

const EXAMPLES: &str = "\
Examples:
  iri cdxj crawl.warc.gz | LC_ALL=C sort > index.cdxj         the index that pywb reads
  iri cdxj --profile wayback *.warc.gz | LC_ALL=C sort        with the keys of the Wayback Machine
  iri cdxj crawl.warc.gz | iri join --from cdxj - seen.txt --from-b lines --only-a    captures that are new";

/// Write an index of web archives, in CDXJ
///
/// Prints a line for each record of the types response, revisit, resource and metadata, as pywb does: the key of its
/// address, its time, and a JSON object with url, mime, status, digest, length, offset and filename. The offset and the
/// length are bytes of the file, so that a reader can begin at the record. The lines have the order of the records;
/// sort them by bytes. An address that the profile rejects is its own key. The digest is that of the header; without
/// one, the object has none.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CdxjArgs {
    /// Web archives, not compressed or in gzip with a member for each record; without one, or for -, standard input
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// The tool whose keys are made
    #[arg(long, value_name = "PROFILE", value_parser = profile(), default_value = "pywb")]
    profile: Profile,
}

/// The fields of a line, in the order of pywb.
#[derive(Serialize)]
struct Entry<'a> {
    url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'a str>,
    length: String,
    offset: String,
    filename: &'a str,
}

/// What becomes of a record.
enum Indexed {
    Written,
    /// It has a type that an index does not have.
    Other,
    /// The reason is reported.
    Failed,
}

pub(crate) fn run(args: &CdxjArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let mut ended = Ended { complete: true, ..Ended::default() };
    // Records of types that an index does not have.
    let mut others = 0;
    for file in files(&args.files) {
        let mut unwritten = None;
        let read = each_record(file, |record| {
            let indexed = index(args.profile, file, &record, out).inspect_err(|error| {
                unwritten = Some(error.kind());
            })?;
            match indexed {
                Indexed::Other => others += 1,
                indexed => ended.tally.count(matches!(indexed, Indexed::Failed)),
            }
            Ok(())
        });
        match (read, unwritten) {
            (Err(error), Some(_)) => return Err(error.into()),
            (Err(error), None) => {
                ended.complete = false;
                report::print_message(format_args!("{}: {error}", shown(file)));
            }
            (Ok(()), _) => {}
        }
    }
    out.flush()?;
    let Tally { made, failed, .. } = ended.tally;
    let records = ended.tally.records() + others;
    let all = report::counted(records, "record");
    let text = format!("{all}, {made} indexed, {others} of other types, {failed} failed");
    let counts = [("items", records), ("indexed", made), ("others", others), ("failed", failed)];
    ended.summary(&text, &counts).print();
    Ok(ended.outcome())
}

/// Returns the name of a file for a message. It may be an address that was meant to be an item.
fn shown(file: &Path) -> String {
    quote(&name(file))
}

/// Writes the line of a record, if its type has one.
///
/// # Errors
/// The output cannot be written.
fn index(
    profile: Profile,
    file: &Path,
    record: &Placed<'_>,
    out: &mut Outputs,
) -> io::Result<Indexed> {
    let Placed { offset, record } = record;
    let fail = |message: &str| {
        report::print_message(format_args!("{}: byte {offset}: {message}", shown(file)));
        Ok(Indexed::Failed)
    };
    let (head, length) = match record {
        Ok(record) => record,
        Err(fault) => return fail(fault.message()),
    };
    let Some((header, content)) = header_length(head).and_then(|end| head.split_at_checked(end))
    else {
        return fail(Fault::OpenHeader.message());
    };
    let field = |name| text_of(header, name);
    let kind = field("warc-type").unwrap_or_default();
    let content_type = field("content-type").unwrap_or_default();
    let is_indexed = match kind {
        "response" | "revisit" | "resource" => true,
        // Fields about another record are no capture.
        "metadata" => !content_type.starts_with("application/warc-fields"),
        _ => false,
    };
    if !is_indexed {
        return Ok(Indexed::Other);
    }
    let url = target(header).and_then(|span| header.get(span)).map(std::str::from_utf8);
    let digits =
        |date: &str| date.chars().filter(char::is_ascii_digit).take(14).collect::<String>();
    // A time has a year at least.
    let time = field("warc-date").map(digits).filter(|time| time.len() >= 4);
    let (Some(Ok(url)), Some(time)) = (url, time) else {
        return fail("the record has no time, or no address in UTF-8");
    };
    let has_http = content_type.starts_with("application/http");
    let http =
        if has_http { header_length(content).and_then(|end| content.get(..end)) } else { None };
    let (mime, status) = match (kind, http) {
        ("revisit", http) => (Some("warc/revisit"), http.map(status)),
        ("response", http) => {
            (http.and_then(|http| text_of(http, "content-type")), http.map(status))
        }
        _ => (Some(content_type), None),
    };
    let mime = mime.map(|mime| mime.split(';').next().unwrap_or_default().trim_ascii());
    let file_name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let entry = Entry {
        url,
        mime: mime.filter(|mime| !mime.is_empty()),
        status,
        digest: field("warc-payload-digest"),
        length: length.to_string(),
        offset: offset.to_string(),
        filename: &file_name,
    };
    // The line would be cut at a line break, and its key at a space.
    let key = Keys::new(profile).key(url);
    let key = key.as_str().replace(|c: char| c <= ' ', "%20");
    write!(out, "{key} {time} ")?;
    // Characters that are not seen are escapes, as in all JSON of the program.
    out.write_all(json::text(&entry).as_bytes())?;
    out.write_all(b"\n")?;
    Ok(Indexed::Written)
}

/// Returns the value of a field of a header, if it is there and is UTF-8.
fn text_of<'a>(header: &'a [u8], name: &str) -> Option<&'a str> {
    value(header, name)
        .and_then(|span| header.get(span))
        .and_then(|value| std::str::from_utf8(value).ok())
}

/// Returns the status of a header of HTTP, such as `200`.
fn status(header: &[u8]) -> &str {
    let line = header.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let after = memchr(b' ', line).and_then(|space| line.get(space + 1..)).unwrap_or_default();
    let status = after.trim_ascii().split(|byte| *byte == b' ').next().unwrap_or_default();
    std::str::from_utf8(status).unwrap_or_default()
}
