//! The data that is needed to find the fields of a file, for each format.

use std::borrow::Cow;
use std::sync::Arc;

use simd_iri::parser::CpuLevel;

use crate::args::records::{From, RecordArgs};
use crate::format::columnar::{Place, Rows};
use crate::format::csv::Row;
use crate::format::field::{Cell, Coding, Field, Record, Site, exists};
use crate::format::pages::{Pages, Reading};
use crate::format::{cdxj, csv, cut, json, lines, links, log, ntriples, sitemap, warc};
use crate::io::archive::Ending;
use crate::io::decode::BYTE_ORDER_MARK;
use crate::item_error::ItemError;
use crate::spans::Records;
use crate::spans::csv::Known;

/// The format of a file, with the data that is needed to find its fields.
#[derive(Clone, Debug)]
pub(crate) enum Layout {
    /// The block is an item and a byte that ends it.
    Item,
    /// The block is running text, whose links the command finds.
    Text,
    Lines(u8),
    Csv(csv::Layout),
    Json(json::Pointer),
    Log(log::Layout),
    NTriples(ntriples::Layout),
    Cdxj(json::Pointer),
    Sitemap,
    Links(simd_iri_text::Markup),
    Warc(Ending),
    /// An archive whose pages are read.
    WarcLinks(Ending, Reading),
    /// The links of a block of an archive.
    Pages(Arc<Pages>),
    /// A file of columns, whose rows are read.
    Columns(Place),
    /// The rows of a block of a file of columns.
    Rows(Arc<Rows>),
}

/// The place for a new field of a record.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    /// Its offset in the block.
    pub(crate) at: usize,
    /// How many fields the record lacks, compared with the header.
    pub(crate) missing: usize,
}

impl Layout {
    /// Returns the layout of a format.
    ///
    /// # Errors
    /// The arguments do not fit the format.
    pub(crate) fn new(from: From, args: &RecordArgs, separator: u8) -> Result<Self, String> {
        let only = |option: &str, is_set: bool, formats: &[From]| match is_set
            && !formats.contains(&from)
        {
            true => Err(format!("--from {} has no {option}", from.name())),
            false => Ok(()),
        };
        use From::{Arrow, Cdxj, Csv, Jsonl, Log, Nq, Nt, Parquet, Tsv};
        only(
            "--field",
            args.field.is_some(),
            &[Csv, Tsv, Jsonl, Cdxj, Log, Nt, Nq, Parquet, Arrow],
        )?;
        only("--delimiter", args.delimiter.is_some(), &[Csv])?;
        only("--no-header", args.no_header, &[Csv, Tsv])?;
        only("--site", args.site.is_some(), &[Log])?;
        only("--host-field", args.host_field.is_some(), &[Log])?;
        only("--links", args.links, &[From::Warc])?;
        only("--log-format", args.log_format.is_some(), &[Log])?;
        only("--null", separator == 0, &[From::Lines])?;
        let field = args.field.as_deref();
        Ok(match from {
            From::Lines => Self::Lines(separator),
            From::Csv => Self::Csv(csv::Layout::new(args, args.delimiter.unwrap_or(b','))?),
            From::Tsv => Self::Csv(csv::Layout::new(args, b'\t')?),
            From::Jsonl if field.is_none() && args.reads_all => Self::Json(json::Pointer::all()),
            From::Jsonl => {
                let field = field.ok_or("--from jsonl needs --field, such as --field /url")?;
                Self::Json(field.parse()?)
            }
            From::Log => Self::Log(log::Layout::new(args, field)?),
            From::Nt => Self::NTriples(ntriples::Layout::new(field, false)?),
            From::Nq => Self::NTriples(ntriples::Layout::new(field, true)?),
            From::Cdxj => Self::Cdxj(field.unwrap_or("/url").parse()?),
            From::Sitemap | From::Xml => Self::Sitemap,
            From::Html => Self::Links(simd_iri_text::Markup::Html),
            From::Markdown => Self::Links(simd_iri_text::Markup::Markdown),
            From::Warc if args.links => {
                let (longest, encodes_queries) = (args.max_record, args.encodes_queries);
                Self::WarcLinks(Ending::default(), Reading { longest, encodes_queries })
            }
            From::Warc => Self::Warc(Ending::default()),
            From::Parquet | From::Arrow => Self::Columns(Place::new(from, field)?),
        })
    }

    /// Returns the layout of the last block of a file that ends within a record. Only for a web archive.
    pub(crate) fn cut_off(&self) -> Self {
        match self {
            Self::Warc(_) => Self::Warc(Ending::Cut),
            Self::WarcLinks(_, reading) => Self::WarcLinks(Ending::Cut, *reading),
            other => other.clone(),
        }
    }

    /// Finds the record that begins at `at`, which is before the end of the block.
    pub(crate) fn next(&self, block: &[u8], at: usize, record: &mut Record) {
        record.fields.clear();
        record.twins.clear();
        (record.error, record.cut) = (None, None);
        record.site = Site::default();
        record.is_filler = false;
        match self {
            Self::Item => lines::item(block, at, record),
            Self::Text => lines::next(b'\n', block, at, record),
            Self::Lines(separator) => lines::next(*separator, block, at, record),
            Self::Csv(layout) => layout.next(block, at, record),
            Self::Json(pointer) => json::next(pointer, block, at, record),
            Self::Log(layout) => layout.next(block, at, record),
            Self::NTriples(layout) => layout.next(block, at, record),
            Self::Cdxj(pointer) => cdxj::next(pointer, block, at, record),
            Self::Sitemap => sitemap::next(block, at, record),
            Self::Links(markup) => links::next(*markup, block, at, record),
            Self::Warc(ending) | Self::WarcLinks(ending, _) => {
                warc::next(*ending, block, at, record)
            }
            Self::Pages(pages) => pages.next(block, at, record),
            // This is never called: the layout of a block of such a file is `Rows`.
            Self::Columns(_) => lines::next(b'\n', block, at, record),
            Self::Rows(rows) => rows.next(at, record),
        }
    }

    /// Finds the addresses of all records from `from` on, where a record begins. `known` is what is known of the fields of CSV.
    /// Returns `false` if the addresses can only be found one by one.
    pub(crate) fn find(
        &self,
        level: CpuLevel,
        (block, from): (&[u8], usize),
        known: &Known,
        records: &mut Records,
    ) -> bool {
        match self {
            Self::Csv(layout) => layout.find(level, (block, from), known, records),
            Self::Log(layout) => layout.find(level, block, from, records),
            Self::NTriples(layout) => layout.find(level, block, from, records),
            Self::Json(pointer) => pointer.find(level, (block, from), false, records),
            Self::Cdxj(pointer) => pointer.find(level, (block, from), true, records),
            _ => false,
        }
    }

    /// Returns the text of a field: the address that a command reads.
    ///
    /// # Errors
    /// The field has an escape that stands for no text.
    pub(crate) fn item<'b>(
        &self,
        block: &'b [u8],
        record: &Record,
        field: &Field,
    ) -> Result<Cow<'b, [u8]>, ItemError> {
        let item = field.coding.decode(block.get(field.span.clone()).unwrap_or_default())?;
        match self {
            // An authority is not a path of the site.
            Self::Log(layout) if field.coding == Coding::Log => {
                Ok(layout.of_site(item, block, record))
            }
            _ => Ok(item),
        }
    }

    /// Tells whether the addresses are targets of requests, most of which have no scheme.
    pub(crate) fn has_targets(&self) -> bool {
        matches!(self, Self::Log(layout) if layout.has_targets())
    }

    /// Tells whether an item may differ from the text of its field.
    pub(crate) fn changes_items(&self) -> bool {
        matches!(self, Self::Log(layout) if layout.has_site())
    }

    /// Returns the object that finds the ends of records.
    pub(crate) fn cut(&self) -> cut::Cut {
        match self {
            Self::Lines(separator) => cut::Cut::Byte(*separator),
            Self::Text => cut::Cut::Text,
            Self::Csv(layout) => cut::Cut::Csv(cut::Quotes::new(layout.delimiter)),
            Self::Json(_) | Self::Log(_) | Self::NTriples(_) | Self::Cdxj(_) => {
                cut::Cut::Byte(b'\n')
            }
            Self::Item
            | Self::Sitemap
            | Self::Links(_)
            | Self::Pages(_)
            | Self::Columns(_)
            | Self::Rows(_) => cut::Cut::Whole,
            Self::Warc(_) | Self::WarcLinks(..) => cut::Cut::Warc(cut::Records::default()),
        }
    }

    /// Appends a new field in the syntax of the format, and returns the place for it in the block. Without a text, the
    /// field is null, or empty if the format does not have nulls.
    ///
    /// # Errors
    /// The format has no fields with names, or the record is not an object, or it has a field with that name.
    pub(crate) fn addition(
        &self,
        block: &[u8],
        record: &Record,
        (name, text): (&str, Option<&[u8]>),
        out: &mut Vec<u8>,
    ) -> Result<usize, ItemError> {
        let Room { at, missing } = self.room(block, record, name)?;
        self.opening(name, missing, out);
        match (self, text) {
            (Self::Csv(layout), _) => {
                let cell = Cell { delimiter: layout.delimiter, is_alone: false };
                csv::encode(b"", text.unwrap_or_default(), cell, out)
            }
            (_, Some(text)) => json::encode(text, out),
            (_, None) => out.extend_from_slice(b"null"),
        }
        Ok(at)
    }

    /// Returns the place in the block for a new field of a record. No field of the record may have the name yet.
    ///
    /// # Errors
    /// The errors of [`Layout::addition`].
    pub(crate) fn room(
        &self,
        block: &[u8],
        record: &Record,
        name: &str,
    ) -> Result<Room, ItemError> {
        let body = block.get(record.body.clone()).unwrap_or_default();
        let fail = |message: &'static str| Err(ItemError::whole("no-place", message, body));
        match self {
            Self::Csv(layout) => Ok(Room { at: record.body.end, missing: layout.missing(body)? }),
            Self::Json(_) | Self::Cdxj(_) => match json::end_of_members(body) {
                Some(_) if json::has_member(body, name) => {
                    Err(ItemError::whole("name-exists", exists(name), body))
                }
                Some(end) => Ok(Room { at: record.body.start + end, missing: 0 }),
                None => {
                    fail("the record is not a JSON object, so it does not have a place for a field")
                }
            },
            _ => fail("the format has no place for a field; use --to csv or --to jsonl"),
        }
    }

    /// Appends the fields that are missing before a new field, and the text before its value. The format must have a
    /// place for a new field.
    pub(crate) fn opening(&self, name: &str, missing: usize, out: &mut Vec<u8>) {
        match self {
            // For example, the header is `a,b`, and the row is `x`. One field is missing, so two commas come before the
            // new field: `x,,v`.
            Self::Csv(layout) => out.resize(out.len() + missing + 1, layout.delimiter),
            _ => {
                out.push(b',');
                json::encode(name.as_bytes(), out);
                out.push(b':');
            }
        }
    }

    /// Returns the head of a block with a new name at its end, if the head is a line of names. A byte-order mark may
    /// come before it.
    pub(crate) fn named_head(&self, head: &[u8], name: &str) -> Option<Vec<u8>> {
        let Self::Csv(layout) = self else { return None };
        let start = if head.starts_with(&BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        // The name of the new column is a new field of the header, which is a row like others.
        let mut row = Row::new(layout.delimiter, head, start);
        while row.next().is_some() {}
        let record = Record { body: start..row.body_end, ..Record::default() };
        let mut added = Vec::new();
        let at = self.addition(head, &record, (name, Some(name.as_bytes())), &mut added);
        let at = at.ok().filter(|_| layout.has_header && !head.is_empty())?;
        let mut named = head.to_vec();
        named.splice(at..at, added);
        Some(named)
    }

    /// Tells whether the beginning of a file has no record, and so no names.
    pub(crate) fn is_blank(&self, text: &[u8]) -> bool {
        match self {
            // The first row has the names, even if it is blank.
            Self::Csv(layout) if layout.has_header => text.is_empty(),
            Self::Csv(_) => csv::first_row(text).is_none(),
            _ => text.trim_ascii().is_empty(),
        }
    }

    /// Returns the rows, if the block is of a file of columns.
    pub(crate) fn rows(&self) -> Option<&Rows> {
        match self {
            Self::Rows(rows) => Some(rows),
            _ => None,
        }
    }

    /// Returns the number of the field that is the address, if it is a whole field with a name.
    pub(crate) fn address(&self, names: &[String]) -> Option<usize> {
        match self {
            Self::Csv(layout) => layout.number(names),
            // The result is the record, and so it is in the place of no field.
            Self::Json(pointer) if pointer.is_all() => Some(usize::MAX),
            Self::Json(pointer) => {
                let name = pointer.member()?;
                names.iter().position(|known| *known == *name)
            }
            Self::Log(layout) => layout.address(),
            _ => Some(0),
        }
    }

    /// Tells why a new field cannot have a name, whatever the records are.
    pub(crate) fn refuses_name(&self, name: &str) -> Option<String> {
        let is_json = matches!(self, Self::Json(_) | Self::Cdxj(_));
        let name = name.strip_prefix('/').filter(|_| is_json)?;
        Some(format!(
            "--add takes the name of a field, which is not a pointer; write --add '{name}'"
        ))
    }

    /// Tells whether a record that has no address has other fields nevertheless.
    pub(crate) fn has_values(&self, body: &[u8]) -> bool {
        match self {
            Self::Csv(_) => true,
            Self::Json(_) => json::members(body).is_some(),
            _ => false,
        }
    }

    /// Tells whether a record has a place for another field.
    pub(crate) fn has_additions(&self) -> bool {
        matches!(self, Self::Csv(_) | Self::Json(_) | Self::Cdxj(_))
    }

    /// Tells whether addresses are printed one a line, and nothing else of their records.
    pub(crate) fn is_lines(&self) -> bool {
        matches!(self, Self::Item | Self::Lines(_) | Self::Pages(_)) || self.is_document()
    }

    /// Tells whether all records have the same fields, in the same order.
    pub(crate) fn is_table(&self) -> bool {
        matches!(self, Self::Csv(_))
    }

    /// Tells whether the block is one document, whose addresses are its records. An address that fails stays in the
    /// document.
    pub(crate) fn is_document(&self) -> bool {
        matches!(self, Self::Sitemap | Self::Links(_))
    }
}
