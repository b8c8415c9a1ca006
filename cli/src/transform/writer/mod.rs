//! Writes the records of a block with the results of their items.
//!
//! ```text
//! records ──▶ make: the result of each item ──▶ copy: the record, with results in the places of its fields
//!                                           ──▶ convert: another format
//!                                           ──▶ rows: a file of columns
//! lines ──▶ lines: a block of lines, most of which are their own results, or are replaced whole
//! ```
//!
//! With `--json`, `make` writes an object for each item. Not here: the loop over files.

mod convert;
mod copy;
mod lines;
mod make;
mod rows;

use std::borrow::Cow;
use std::io;
use std::ops::{ControlFlow, Range};

use crate::args::keep::Keep;
use crate::args::output::To;
use crate::args::transform::TransformArgs;
use crate::format::columnar::{Format, Table};
use crate::format::convert::{output_names, write_names};
use crate::format::{Coding, Record};
use crate::invariant::present;
use crate::io::text;
use crate::item_error::ItemError;
use crate::output::report::Place;
use crate::output::{escape, json};
use crate::pipe::block::{Block, File, Position};
use crate::pipe::copy::Copy;
use crate::pipe::long::Long;
use crate::pipe::sink::Sink;
use crate::transform::hide::Hide;
use crate::transform::item::Make;
use crate::transform::item::{Done, ItemOutput};

pub(crate) use lines::Unchanged;

/// The state that a thread keeps from record to record.
#[derive(Default)]
pub(crate) struct Scratch<T> {
    made: T,
    /// The results of the fields of a record, one after another.
    texts: Vec<u8>,
    /// The kind of the result of each field.
    results: Vec<Made>,
    /// Lines for standard error about the record.
    reports: Vec<u8>,
    /// The first error of the record.
    error: Option<ItemError>,
    /// Whether an error of the record is counted.
    is_noted: bool,
    /// A text as it is written in a field.
    encoded: Vec<u8>,
}

/// The kind of result of a field.
enum Made {
    /// The result is the text of the field.
    Same,
    /// The result is this part of the texts.
    Other(Range<usize>),
    /// The result has no line.
    Gone,
    Failed,
}

/// Writes the results of a block.
pub(crate) struct Writer<'a, const N: usize, T> {
    pub(crate) args: &'a TransformArgs,
    pub(crate) names: [&'static str; N],
    pub(crate) unchanged: Option<Unchanged>,
    pub(crate) hide: Option<Hide<'a>>,
    pub(crate) make: &'a Make<'a, N, T>,
    pub(crate) block: &'a Block,
    pub(crate) terminal: bool,
    pub(crate) scratch: &'a mut Scratch<T>,
}

/// The form in which records are written.
enum Form<'b> {
    Json,
    Copy(Copy<'b>),
    /// As the rows of a file of columns, with other texts.
    Rows(Table<'b>),
    /// In another format: the names of the fields, and the number of the result among them. If the format has columns,
    /// also the table of the block.
    Convert(To, Vec<String>, usize, Option<Table<'b>>),
}

impl<'a, const N: usize, T: ItemOutput> Writer<'a, N, T> {
    /// Writes the records of the block.
    ///
    /// # Errors
    /// The output cannot be written.
    //     if most lines are their own results: `lines` writes the whole block
    //     otherwise, for each record: `simple` writes it, or `record` does the steps that `simple` does not do
    //     the bytes after the last record, or the table of the block
    //     the long record after the block
    //
    // If the limit is reached, the block ends after the record that reaches the limit.
    pub(crate) fn block(
        &mut self,
        record: &mut Record,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        let block = self.block;
        let mut position = block.start();
        let mut form = self.form(sink)?;
        if let Some((unchanged, separator)) = self.unchanged_lines(&form) {
            return self.lines(unchanged, separator, record, form, sink);
        }
        let mut written = Ok(());
        let is_simple = self.has_simple_records();
        let is_copied = matches!(form, Form::Copy(_));
        let flow = block.each(record, |record| {
            written = self.next(record, is_simple, &mut position, &mut form, sink);
            match written.is_err() || sink.is_full() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        written?;
        match (form, flow) {
            (Form::Copy(copy), ControlFlow::Continue(())) => copy.finish(sink)?,
            // The work ended at the last record that may fail. This record may be kept, so it is copied too.
            (Form::Copy(mut copy), ControlFlow::Break(())) => {
                copy.until(self.end(record), sink)?;
            }
            (Form::Rows(table) | Form::Convert(.., Some(table)), _) => {
                sink.set_table(table.finish()?);
            }
            _ => {}
        }
        match block.long() {
            Some((place, long)) if !sink.is_full() => self.long(place, long, is_copied, sink),
            _ => Ok(()),
        }
    }

    /// Writes a record that is not worked on: to the output if it is kept there, and to the output of the records that
    /// fail or to the reports.
    fn long(
        &mut self,
        place: Place<'_>,
        long: &Long,
        is_copied: bool,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        sink.tally.failed += 1;
        self.scratch.is_noted = false;
        let is_kept = self.keep() == Some(Keep::Input) || self.is_kept();
        if is_copied && (long.is_damage() && T::COPIES_DAMAGE || is_kept) {
            let terminal = self.terminal;
            sink.in_turn(|out| long.write(place, terminal, out))?;
        }
        if self.args.output.errors.is_some() && !self.args.json {
            sink.kinds.note(long.error().kind);
            return sink.aside_in_turn(|out| long.set_aside(place, out));
        }
        self.fail(|| place, b"", long.error(), sink)?;
        sink.report(&std::mem::take(&mut self.scratch.reports))
    }

    /// Writes the next record: in the simple way if that is possible, otherwise by [`record`](Self::record).
    fn next(
        &mut self,
        record: &Record,
        is_simple: bool,
        position: &mut Position,
        form: &mut Form<'_>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        // `simple` has written nothing if it returns false. So `record` may begin anew.
        if let (Form::Copy(copy), true) = (&mut *form, is_simple) {
            if self.simple(record.body.clone(), record.end, position, copy, sink)? {
                return Ok(());
            }
        }
        self.record(record, position, form, sink)
    }

    /// Writes the messages about a record, after the record, which ends at `end`.
    fn report(
        &mut self,
        end: usize,
        copy: &mut Copy<'_>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        // If the output and the messages go to one place, the record comes before its messages.
        copy.until(end, sink)?;
        sink.report(&self.scratch.reports)?;
        self.scratch.reports.clear();
        Ok(())
    }

    /// Returns the form, and writes the text before the first record.
    fn form(&mut self, sink: &mut Sink<'_, '_, Done>) -> io::Result<Form<'a>> {
        let block = self.block;
        let output = &self.args.output;
        if self.args.json {
            return Ok(Form::Json);
        }
        let format = Format::of_output(output.to).ok().flatten();
        if let (Some(_), Some(rows)) = (format, block.file.layout.rows()) {
            return Ok(Form::Rows(Table::of_rows(rows, output.add.as_deref())));
        }
        if output.to == Some(To::Lines) {
            return Ok(Form::Convert(To::Lines, Vec::new(), 0, None));
        }
        if let Some(to) = output.to {
            let File { layout, names, .. } = &*block.file;
            let named = output_names(layout, names, output.add.as_deref());
            // The reader has checked the names.
            let (names, place) = named.map_err(io::Error::other)?;
            if block.is_first {
                let mut line = Vec::new();
                write_names(to, &names, &mut line);
                // A name is a text of the file, as a row is.
                escape::write_text(sink, &line, self.terminal)?;
            }
            // A block before the first record does not have names, and so it has no table.
            let format = format.filter(|_| !block.file.names.is_empty());
            let table = format.map(|format| Table::of_texts(format, names.clone()));
            return Ok(Form::Convert(to, names, place, table));
        }
        let head = present(block.bytes().get(block.head.clone()));
        // The header has a new name at its end.
        let name = output.add.as_deref();
        let Some(named) = name.and_then(|name| block.file.layout.named_head(head, name)) else {
            return Ok(Form::Copy(Copy::new(block, self.terminal, sink)?));
        };
        Ok(Form::Copy(Copy::with_head(block, &named, self.terminal, sink)?))
    }

    /// Writes a record.
    ///
    /// ```text
    /// 1. make the result of each field; report an error of the record or of a field
    /// 2. decide whether the record failed
    /// 3. write the record in its form; this may fail too, if the record has no place for the result
    /// 4. count the record, and set it aside if it failed and --errors is given
    /// 5. write the reports, after the record
    /// ```
    ///
    /// In a document, each address counts as a record: it fails and is set aside by itself, and the rest is written.
    fn record(
        &mut self,
        record: &Record,
        position: &mut Position,
        form: &mut Form<'_>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        if record.is_filler {
            return Ok(());
        }
        let block = self.block;
        let bytes = block.bytes();
        let is_document = block.file.layout.is_document();
        self.scratch.texts.clear();
        self.scratch.results.clear();
        (self.scratch.error, self.scratch.is_noted) = (None, false);
        let body = present(bytes.get(record.body.clone()));
        if let Some(error) = &record.error {
            self.fail(|| block.place(position, record.body.start), body, error.clone(), sink)?;
            // The error of a document counts as a record. Its addresses are counted by themselves.
            sink.tally.failed += u64::from(is_document);
        }
        for field in &record.fields {
            // Each address of a document is a record of its own.
            if is_document && sink.is_full() {
                break;
            }
            let raw = present(bytes.get(field.span.clone()));
            let made = match block.file.layout.item(bytes, record, field) {
                Ok(item) => {
                    let is_alone = record.fields.len() == 1 && field.coding == Coding::Raw;
                    // A result in more than one field must wait for the other fields: if one of them fails, none is
                    // written.
                    let direct = match form {
                        Form::Copy(copy) if is_alone && self.args.output.add.is_none() => {
                            Some(copy)
                        }
                        _ => None,
                    };
                    self.item(&item, field, record.end, position, direct, sink)?
                }
                Err(error) => {
                    self.fail(|| block.place(position, field.span.start), raw, error, sink)?;
                    Made::Failed
                }
            };
            if is_document {
                let failed = matches!(made, Made::Failed);
                *(if failed { &mut sink.tally.failed } else { &mut sink.tally.made }) += 1;
            }
            self.scratch.results.push(made);
        }
        // Bytes of the other fields that are not in the charset have no place in the output, which is UTF-8.
        if self.scratch.error.is_none() && !is_document && !matches!(form, Form::Json) {
            if let Some(error) = text::ill_formed(block.file.charset, body) {
                self.fail(|| block.place(position, record.body.start), body, error, sink)?;
            }
        }
        // For example, a row of CSV has two addresses, and the second address fails. Then the row has failed, and the
        // result of the first address is not written. A document never fails as a whole.
        let failed = self.scratch.error.is_some();
        let failed = failed || self.scratch.results.iter().any(|made| matches!(made, Made::Failed));
        let failed = failed || (record.error.is_some() && !is_document);
        let mut failed = failed && !is_document;
        match form {
            Form::Json => {}
            Form::Copy(copy) => {
                let had_error = self.scratch.error.is_some();
                // `copy` may find that the record has no place for a new field. This error is
                // reported only if the record does not have an error already.
                failed = !self.copy(record, failed, copy, sink)?;
                if let Some(error) = self.scratch.error.clone().filter(|_| !had_error) {
                    // The record has no place for the result.
                    if self.keep() == Some(Keep::Input) {
                        copy.replace(record.body.clone(), &self.kept(body), sink)?;
                    }
                    self.fail(|| block.place(position, record.body.start), body, error, sink)?;
                }
            }
            Form::Rows(table) => self.row(record, failed, table, sink)?,
            Form::Convert(to, names, place, table) => {
                let to = (*to, &**names, *place);
                failed = !self.convert(record, failed, to, table.as_mut(), position, sink)?;
            }
        }
        // A record that does not need an address, and does not have one, is not counted.
        let is_item = failed || !record.fields.is_empty();
        if !is_document && is_item {
            *(if failed { &mut sink.tally.failed } else { &mut sink.tally.made }) += 1;
        }
        // The record is set aside once, with its first error.
        if let (true, Some(_), Some(error)) =
            (failed, &self.args.output.errors, self.scratch.error.take())
        {
            let place = block.place(position, record.body.start);
            let body = self.kept(body);
            sink.set_aside(|out| json::write_set_aside(out, place, &body, &error))?;
        }
        if self.scratch.reports.is_empty() {
            return Ok(());
        }
        if let Form::Copy(copy) = form {
            return self.report(self.end(record), copy, sink);
        }
        sink.report(&self.scratch.reports)?;
        self.scratch.reports.clear();
        Ok(())
    }

    /// Returns the end of the part of a record that is written. In a document in which the run stops, this is the end
    /// of the last address that was made.
    fn end(&self, record: &Record) -> usize {
        let made = self.scratch.results.len();
        let is_cut = self.block.file.layout.is_document() && made < record.fields.len();
        let last = made.checked_sub(1).and_then(|last| record.fields.get(last));
        last.filter(|_| is_cut).map_or(record.end, |field| field.span.end)
    }

    /// Tells whether a record that fails stays in its file: the file is replaced in place, and `--errors` does not name
    /// another place for the record.
    fn is_kept(&self) -> bool {
        self.args.output.in_place && self.args.output.errors.is_none()
    }

    /// Returns the bytes of a record that fails, as they are kept.
    fn kept<'t>(&self, body: &'t [u8]) -> Cow<'t, [u8]> {
        self.hide.map_or(Cow::Borrowed(body), |hide| hide.failed(&self.block.file.layout, body))
    }

    /// Returns the text that is written instead of an item that fails.
    fn keep(&self) -> Option<Keep> {
        match self.args.keep {
            None if self.is_kept() => Some(Keep::Input),
            keep => keep,
        }
    }
}
