//! A record in another format.

use std::borrow::Cow;
use std::io;

use super::{Made, Scratch, Writer};
use crate::args::keep::Keep;
use crate::args::output::To;
use crate::format::columnar::Table;
use crate::format::{Field, Layout, Record, Value, convert};
use crate::invariant::present;
use crate::output::escape;
use crate::pipe::block::{Block, Position};
use crate::pipe::sink::Sink;
use crate::transform::item::{Done, ItemOutput};

impl<const N: usize, T: ItemOutput> Writer<'_, N, T> {
    /// Writes a record in another format. Returns `false` if it failed.
    pub(super) fn convert(
        &mut self,
        record: &Record,
        failed: bool,
        (to, names, place): (To, &[String], usize),
        mut table: Option<&mut Table<'_>>,
        position: &mut Position,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<bool> {
        let block = self.block;
        let bytes = block.bytes();
        let layout = &block.file.layout;
        let keep = self.args.keep;
        if failed && keep.is_none() {
            return Ok(false);
        }
        self.scratch.encoded.clear();
        let body = present(bytes.get(record.body.clone()));
        let is_unread = record.error.is_some() && !layout.is_document();
        if is_unread && (to == To::Lines || !layout.has_values(body)) {
            return self.unread(body, (to, names, place), table, sink).map(|()| false);
        }
        let is_whole = matches!(layout, Layout::Csv(_) | Layout::Json(_) | Layout::Log(_));
        let Scratch { texts, results, encoded, .. } = &mut *self.scratch;
        // If the fields of the format have names, a record is a row. Otherwise each address is a row.
        // For example, a row of CSV is one row. A statement of N-Triples with two addresses is two rows, and each
        // row has the values of its own address.
        let rows = if is_whole { 1 } else { results.len() };
        for row in 0..rows {
            let field = record.fields.get(row).cloned();
            let values = if to == To::Lines {
                Ok(Vec::new())
            } else if is_whole {
                convert::values(layout, &block.file.names, bytes, record)
            } else {
                let alone =
                    Record { fields: field.clone().into_iter().collect(), ..Record::default() };
                convert::values(layout, &block.file.names, bytes, &alone)
            };
            let old = field.and_then(|Field { span, coding }| {
                Some(coding.decode(bytes.get(span)?).ok()?.into_owned())
            });
            let text = match results.get(row) {
                // The record does not need an address, and does not have one.
                None if !failed => None,
                Some(Made::Other(span)) => Some(present(texts.get(span.clone())).to_vec()),
                Some(Made::Same) => Some(old.unwrap_or_default()),
                Some(Made::Failed) if keep == Some(Keep::Input) => Some(old.unwrap_or_default()),
                _ => Some(Vec::new()),
            };
            if matches!(results.get(row), Some(Made::Gone)) {
                continue;
            }
            if matches!(results.get(row), Some(Made::Failed)) && keep.is_none() {
                continue;
            }
            let charset = block.file.charset;
            let values = values.and_then(|values| {
                // What is converted from a charset becomes UTF-8, in each format.
                if to.is_typed() || charset.is_some() {
                    convert::all_text(names, &values, place, charset)?;
                }
                Ok(values)
            });
            match values {
                Ok(values) => {
                    let row = (&*values, text.as_deref());
                    add(row, (to, names, place), table.as_deref_mut(), block, encoded);
                }
                Err(error) => {
                    if !failed {
                        self.fail(|| block.place(position, record.body.start), body, error, sink)?;
                    }
                    return self.unread(body, (to, names, place), table, sink).map(|()| false);
                }
            }
        }
        escape::write_text(sink, encoded, self.terminal)?;
        Ok(!failed)
    }

    /// Writes the rest of a record whose fields have no place in another format. With `--keep input`, the text of the
    /// record is in the place of the address. With `--keep empty`, this place is empty.
    ///
    /// The rows that the record has already are kept, in a table and in a text.
    pub(super) fn unread(
        &mut self,
        body: &[u8],
        (to, names, place): (To, &[String], usize),
        table: Option<&mut Table<'_>>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        let text = match self.args.keep {
            None => return Ok(()),
            Some(Keep::Input) => self.kept(body),
            Some(Keep::Empty) => Cow::Borrowed(&b""[..]),
        };
        let encoded = &mut self.scratch.encoded;
        add((&[], Some(&text)), (to, names, place), table, self.block, encoded);
        escape::write_text(sink, encoded, self.terminal)
    }
}

/// Adds a row to the table of a block, or to its text. A text of the address that the format cannot hold becomes null:
/// it is the text of an item that fails, and is reported.
fn add(
    (values, text): (&[Value<'_>], Option<&[u8]>),
    (to, names, place): (To, &[String], usize),
    table: Option<&mut Table<'_>>,
    block: &Block,
    encoded: &mut Vec<u8>,
) {
    let text = text.filter(|text| !to.is_typed() || std::str::from_utf8(text).is_ok());
    match table {
        Some(table) => table.add(values, (text, place)),
        None => {
            let separator = block.file.separator;
            convert::write(to, names, values, (text, place), separator, encoded);
        }
    }
}
