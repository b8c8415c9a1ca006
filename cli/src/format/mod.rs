//! Finds the addresses in the records of a format, and writes others in their place. Each format has a
//! file that knows its syntax. Not here: how input is read, and what happens to an address.
//!
//! A format separates *records*: lines, rows, objects. A *field* is the place of an address in it. Every other byte
//! of a record is copied, so a command that changes no address changes no byte.

pub(crate) mod cdxj;
mod coding;
pub(crate) mod columnar;
pub(crate) mod convert;
pub(crate) mod csv;
pub(crate) mod cut;
mod field;
pub(crate) mod json;
mod layout;
pub(crate) mod lines;
pub(crate) mod links;
pub(crate) mod log;
pub(crate) mod ntriples;
pub(crate) mod pages;
pub(crate) mod sitemap;
pub(crate) mod warc;

pub(crate) use field::{Coding, Field, Record};
pub(crate) use layout::Layout;

use crate::args::records::From;

/// Returns the format for the name of a file, without the suffix of a compression.
pub(crate) fn of_name(name: &str) -> Option<From> {
    let name = name.to_ascii_lowercase();
    let compressed = [".gz", ".zst", ".bz2", ".xz"].iter().find_map(|end| name.strip_suffix(end));
    let name = compressed.unwrap_or(&name);
    let (stem, suffix) = name.rsplit_once('.')?;
    Some(match suffix {
        "csv" => From::Csv,
        "tsv" => From::Tsv,
        "jsonl" | "ndjson" => From::Jsonl,
        "log" => From::Log,
        "nt" => From::Nt,
        "nq" => From::Nq,
        "cdxj" => From::Cdxj,
        "parquet" => From::Parquet,
        "arrow" | "feather" => From::Arrow,
        "warc" => From::Warc,
        "html" | "htm" => From::Html,
        "md" | "markdown" => From::Markdown,
        "xml" if stem.contains("sitemap") => From::Sitemap,
        _ => return None,
    })
}
