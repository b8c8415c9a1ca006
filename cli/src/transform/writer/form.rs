//! The forms in which a record is written: as it is, in another format, or as a row of a file of columns.

use std::borrow::Cow;
use std::io::{self, Write};

use super::{Made, Writer};
use crate::args::keep::Keep;
use crate::args::output::To;
use crate::format::columnar::{Format, Table};
use crate::format::convert::{output_names, write_names};
use crate::format::{Field, Layout, Record, Value, convert};
use crate::invariant::present;
use crate::output::escape;
use crate::pipe::block::File;
use crate::pipe::copy::Copy;
use crate::pipe::sink::Sink;

/// The form in which records are written.
pub(super) enum Form<'b> {
    Json,
    Copy(Copy<'b>),
    /// As the rows of a file of columns, with other texts.
    Rows(Table<'b>),
    Convert(Target<'b>),
}

/// Another format.
pub(super) struct Target<'b> {
    to: To,
    /// The names of the fields.
    names: Vec<String>,
    /// The number of the result among the fields.
    place: usize,
    separator: u8,
    /// The table of the block, if the format has columns.
    table: Option<Table<'b>>,
}

impl Target<'_> {
    /// Adds a row to the table of the block, or to a text. A text of the address that the format cannot hold becomes
    /// null: it is the text of an item that fails, and is reported.
    fn add(&mut self, values: &[Value<'_>], text: Option<&[u8]>, encoded: &mut Vec<u8>) {
        let Self { to, names, place, separator, table } = self;
        let text = text.filter(|text| !to.is_typed() || std::str::from_utf8(text).is_ok());
        match table {
            Some(table) => table.add(values, (text, *place)),
            None => convert::write(*to, names, values, (text, *place), *separator, encoded),
        }
    }

    /// Ends the table of the block.
    pub(super) fn finish(self, sink: &mut Sink<'_>) -> io::Result<()> {
        if let Some(table) = self.table {
            sink.set_table(table.finish()?);
        }
        Ok(())
    }
}

impl<'a> Writer<'a, '_> {
    /// Returns the form, and writes the text before the first record.
    pub(super) fn form(&mut self) -> io::Result<Form<'a>> {
        let (block, terminal) = (self.block, self.run.terminal);
        let output = &self.args().output;
        let File { layout, names, separator, .. } = &*block.file;
        if self.args().json {
            return Ok(Form::Json);
        }
        let format = Format::of_output(output.to).ok().flatten();
        if let (Some(_), Some(rows)) = (format, layout.rows()) {
            return Ok(Form::Rows(Table::of_rows(rows, output.add.as_deref())));
        }
        if let Some(to) = output.to {
            let mut target =
                Target { to, names: Vec::new(), place: 0, separator: *separator, table: None };
            if to != To::Lines {
                let named = output_names(layout, names, output.add.as_deref());
                // The reader has checked the names.
                (target.names, target.place) = named.map_err(io::Error::other)?;
            }
            if block.is_first {
                let mut line = Vec::new();
                write_names(to, &target.names, &mut line);
                // A name is a text of the file, as a row is.
                escape::write_text(self.sink, &line, terminal)?;
            }
            // A block before the first record does not have names, and so it has no table.
            let format = format.filter(|_| !names.is_empty());
            target.table = format.map(|format| Table::of_texts(format, target.names.clone()));
            return Ok(Form::Convert(target));
        }
        let head = present(block.bytes().get(block.head.clone()));
        // The header has a new name at its end.
        let named = output.add.as_deref().and_then(|name| layout.named_head(head, name));
        let head = named.as_deref().unwrap_or(head);
        Ok(Form::Copy(Copy::with_head(block, head, terminal, self.sink)?))
    }

    /// Writes a record in its form. Returns whether it failed: it may have no place for the result.
    pub(super) fn written(
        &mut self,
        record: &Record,
        failed: bool,
        form: &mut Form<'_>,
    ) -> io::Result<bool> {
        match form {
            Form::Json => Ok(failed),
            Form::Copy(copy) => self.copy(record, failed, copy),
            Form::Rows(table) => self.row(record, failed, table),
            Form::Convert(target) => self.convert(record, failed, target),
        }
    }

    /// Returns the text of a result: that of the field, if it is its own result. A record that failed and an address
    /// without a line have an empty text. Returns `None` if the record does not need an address, and does not have one.
    fn text(&self, record: &Record, number: usize, failed: bool) -> Option<Cow<'_, [u8]>> {
        let old = || {
            let Field { span, coding } = record.fields.get(number)?;
            coding.decode(self.block.bytes().get(span.clone())?).ok()
        };
        let old = || Some(old().unwrap_or_default());
        match self.scratch.results.get(number) {
            None if !failed => None,
            Some(Made::Other(span)) => self.scratch.texts.get(span.clone()).map(Cow::Borrowed),
            Some(Made::Same) => old(),
            Some(Made::Failed) if self.keep() == Some(Keep::Input) => old(),
            _ => Some(Cow::Borrowed(b"")),
        }
    }

    /// Writes a record unchanged, except that the results replace its fields, or are in a new field.
    fn copy(&mut self, record: &Record, failed: bool, copy: &mut Copy<'_>) -> io::Result<bool> {
        let (block, keep) = (self.block, self.keep());
        if failed && keep.is_none() {
            copy.replace(record.body.start..record.end, b"", self.sink)?;
            return Ok(true);
        }
        if let Some(name) = &self.args().output.add {
            return self.add(name, record, failed, copy);
        }
        let mut encoded = std::mem::take(&mut self.scratch.encoded);
        // If the record failed and is kept, its good results are not written: the record stays as it is, or its failed
        // fields become empty.
        for (Field { span, coding }, made) in record.fields.iter().zip(&self.scratch.results) {
            let text = match made {
                Made::Other(text) if !failed => present(self.scratch.texts.get(text.clone())),
                // The terminator is left out too.
                Made::Gone if !failed => {
                    copy.replace(span.start..record.end, b"", self.sink)?;
                    continue;
                }
                Made::Failed if keep == Some(Keep::Empty) => b"",
                _ => continue,
            };
            encoded.clear();
            coding.encode(present(block.bytes().get(span.clone())), text, &mut encoded);
            copy.replace(span.clone(), &encoded, self.sink)?;
        }
        self.scratch.encoded = encoded;
        Ok(failed)
    }

    /// Writes a record with its result in a new field.
    fn add(
        &mut self,
        name: &str,
        record: &Record,
        failed: bool,
        copy: &mut Copy<'_>,
    ) -> io::Result<bool> {
        let layout = &self.block.file.layout;
        if failed && record.error.is_some() && !layout.is_table() {
            // The places of its fields are not known, so it does not get a new field.
            return Ok(true);
        }
        let text = if failed { Some(Cow::Borrowed(&b""[..])) } else { self.text(record, 0, false) };
        let bytes = self.block.bytes();
        let mut added = Vec::new();
        match layout.addition(bytes, record, (name, text.as_deref()), &mut added) {
            Ok(at) => copy.replace(at..at, &added, self.sink)?,
            Err(_) if failed => {}
            // The record has no place for the result.
            Err(error) => {
                let body = present(bytes.get(record.body.clone()));
                match self.keep() {
                    Some(Keep::Input) => {
                        copy.replace(record.body.clone(), &self.kept(body), self.sink)?;
                    }
                    _ if self.is_kept() => {}
                    _ => copy.replace(record.body.start..record.end, b"", self.sink)?,
                }
                self.fail(record.body.start, body, error)?;
                return Ok(true);
            }
        }
        Ok(failed)
    }

    /// Writes a record in another format.
    fn convert(
        &mut self,
        record: &Record,
        failed: bool,
        target: &mut Target<'_>,
    ) -> io::Result<bool> {
        let block = self.block;
        let File { layout, names, charset, .. } = &*block.file;
        let keep = self.args().keep;
        if failed && keep.is_none() {
            return Ok(true);
        }
        let mut encoded = std::mem::take(&mut self.scratch.encoded);
        encoded.clear();
        let body = present(block.bytes().get(record.body.clone()));
        let is_unread = record.error.is_some() && !layout.is_document();
        if is_unread && (target.to == To::Lines || !layout.has_values(body)) {
            return self.unread(body, target, encoded);
        }
        // If the fields of the format have names, a record is a row. Otherwise each address is a row.
        // For example, a row of CSV is one row. A statement of N-Triples with two addresses is two rows, and each
        // row has the values of its own address.
        let is_whole = matches!(layout, Layout::Csv(_) | Layout::Json(_) | Layout::Log(_));
        let rows = if is_whole { 1 } else { self.scratch.results.len() };
        for row in 0..rows {
            match self.scratch.results.get(row) {
                Some(Made::Gone) => continue,
                Some(Made::Failed) if keep.is_none() => continue,
                _ => {}
            }
            let alone = record
                .fields
                .get(row)
                .filter(|_| !is_whole)
                .map(|field| Record { fields: vec![field.clone()], ..Record::default() });
            let values = match target.to {
                To::Lines => Ok(Vec::new()),
                _ => {
                    convert::values(layout, names, block.bytes(), alone.as_ref().unwrap_or(record))
                }
            };
            let values = values.and_then(|values| {
                // What is converted from a charset becomes UTF-8, in each format.
                if target.to.is_typed() || charset.is_some() {
                    convert::all_text(&target.names, &values, target.place, *charset)?;
                }
                Ok(values)
            });
            match values {
                Ok(values) => {
                    let text = self.text(record, row, failed);
                    target.add(&values, text.as_deref(), &mut encoded);
                }
                Err(error) => {
                    if !failed {
                        self.fail(record.body.start, body, error)?;
                    }
                    return self.unread(body, target, encoded);
                }
            }
        }
        escape::write_text(self.sink, &encoded, self.run.terminal)?;
        self.scratch.encoded = encoded;
        Ok(failed)
    }

    /// Writes a record whose fields have no place in another format. With `--keep input`, the text of the record is in
    /// the place of the address. With `--keep empty`, this place is empty. Then the rows that the record has already,
    /// in a table or in `encoded`, are kept.
    fn unread(
        &mut self,
        body: &[u8],
        target: &mut Target<'_>,
        mut encoded: Vec<u8>,
    ) -> io::Result<bool> {
        let text = match self.args().keep {
            None => return Ok(true),
            Some(Keep::Input) => self.kept(body),
            Some(Keep::Empty) => Cow::Borrowed(&b""[..]),
        };
        target.add(&[], Some(&text), &mut encoded);
        escape::write_text(self.sink, &encoded, self.run.terminal)?;
        Ok(true)
    }

    /// Writes a row of columns with its result. If an item fails, its place has a null or the item, or the row is left
    /// out. If a result has no line, the row is left out. A null does not have a result, and stays.
    fn row(&mut self, record: &Record, failed: bool, table: &mut Table<'_>) -> io::Result<bool> {
        let keep = self.keep();
        let is_null = self.scratch.results.is_empty();
        let item = present(self.block.bytes().get(record.body.clone()));
        // `None`: the row is left out. `Some(None)`: the place has a null. `Some(Some(text))`: the place has the text.
        let new = match self.scratch.results.first() {
            None if failed => None,
            Some(Made::Gone) => None,
            Some(Made::Failed) => {
                keep.map(|keep| (keep == Keep::Input).then_some(Cow::Borrowed(item)))
            }
            _ => Some(self.text(record, 0, false)),
        };
        match &new {
            Some(text) => table.keep(text.as_deref()),
            None => table.leave_out(),
        }
        let is_changed = !is_null && new != Some(Some(Cow::Borrowed(item)));
        if self.args().output.dry_run && is_changed {
            let new = new.flatten().map(Cow::into_owned);
            let row = self.block.place(&mut self.block.start(), record.body.start).line;
            writeln!(self.sink, "@@ row {row} @@")?;
            for (mark, text) in [("-", Some(item)), ("+", new.as_deref())] {
                let Some(text) = text else { continue };
                self.sink.write_all(mark.as_bytes())?;
                escape::write_text(self.sink, text, self.run.terminal)?;
                self.sink.write_all(b"\n")?;
            }
        }
        Ok(failed)
    }
}
