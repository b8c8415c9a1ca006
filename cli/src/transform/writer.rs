//! Writes the records of a block with the results of their items.
//!
//! A record is written in one of three forms: as a JSON object for each item; unchanged except for its fields, which
//! are replaced by other texts; or in another format. Not here: the loop over files.

use std::io::{self, Write};
use std::ops::{ControlFlow, Range};

use memchr::memchr;
use simd_iri::batch::{Batch, Selected, Separated};
use simd_iri::{Normalize, Rule};

use crate::args::keep::Keep;
use crate::args::output::{OutputArgs, To};
use crate::args::transform::TransformArgs;
use crate::format::columnar::{Format, Table};
use crate::format::{Coding, Field, Layout, Record, convert};
use crate::invariant::present;
use crate::io::text;
use crate::item_error::ItemError;
use crate::output::columns::{self, Columns};
use crate::output::report::{self, Place, Style};
use crate::output::{escape, json};
use crate::pipe::block::{Block, File, Position, separators};
use crate::pipe::copy::Copy;
use crate::pipe::long::Long;
use crate::pipe::sink::Sink;
use crate::transform::item::{Done, ItemOutput};

/// The state that a thread keeps from record to record.
#[derive(Default)]
pub(crate) struct Scratch<T> {
    made: T,
    /// The results of the fields of a record, one after another, and the kind of each result.
    texts: Vec<u8>,
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
    /// There is no line of output.
    Gone,
    Failed,
}

/// How to find the items that are their own results, without a call for each.
#[derive(Clone, Copy)]
pub(crate) enum Unchanged {
    /// In a block for which `holds` is true, all that match the rule.
    Matches { rule: Rule, holds: fn(&[u8]) -> bool },
    /// All that match the rule and are in normal form by these rules.
    Normal(Rule, Normalize),
}

impl Unchanged {
    /// Returns the other lines of a block.
    fn others(self, lines: Separated<'_>) -> Selected<'_, Separated<'_>> {
        match self {
            Self::Matches { rule, .. } => Batch::new(rule).invalid(lines),
            Self::Normal(rule, rules) => Batch::new(rule).not_normal(lines, rules),
        }
    }
}

/// Writes the results of a block.
pub(crate) struct Writer<'a, const N: usize, T, M> {
    pub(crate) args: &'a TransformArgs,
    pub(crate) names: [&'static str; N],
    pub(crate) unchanged: Option<Unchanged>,
    pub(crate) make: &'a M,
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
    /// In another format: the names of the fields, and the number of the result among them. Where the format has columns,
    /// also the table of the block.
    Convert(To, Vec<String>, usize, Option<Table<'b>>),
}

impl<'a, const N: usize, T, M> Writer<'a, N, T, M>
where
    T: ItemOutput,
    M: Fn([&[u8]; N], &mut T) -> Result<(), ItemError>,
{
    /// Writes the records of the block.
    ///
    /// # Errors
    /// The output cannot be written.
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
            // The last record may be one that is kept.
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

    /// Writes a record that is not worked on: to the output if it is kept there, to the output of the records that fail,
    /// or to the reports.
    fn long(
        &mut self,
        place: Place<'_>,
        long: &Long,
        is_copied: bool,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        sink.tally.failed += 1;
        self.scratch.is_noted = false;
        // After a quote that is never closed, nobody knows what fails.
        let is_kept = self.keep() == Some(Keep::Input) || self.is_kept();
        if is_copied && (long.is_damage() || is_kept) {
            let terminal = self.terminal;
            sink.in_turn(|out| long.write(place, terminal, out))?;
        }
        if self.args.output.errors.is_some() && !self.args.json {
            sink.kinds.note(long.error().kind);
            return sink.aside_in_turn(|out| long.set_aside(place, out));
        }
        self.fail(place, b"", long.error(), sink)?;
        sink.report(&std::mem::take(&mut self.scratch.reports))
    }

    /// Writes the next record, which is simple or not.
    fn next(
        &mut self,
        record: &Record,
        is_simple: bool,
        position: &mut Position,
        form: &mut Form<'_>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        if let (Form::Copy(copy), true) = (&mut *form, is_simple) {
            if self.simple(record.body.clone(), record.end, position, copy, sink)? {
                return Ok(());
            }
        }
        self.record(record, position, form, sink)
    }

    /// Returns which lines are their own results, if the block is lines and comes back as it is.
    fn unchanged_lines(&self, form: &Form<'_>) -> Option<(Unchanged, u8)> {
        let block = self.block;
        let bytes = present(block.bytes().get(block.range.clone()));
        let Layout::Lines(separator) = block.file.layout else { return None };
        let unchanged = self.unchanged?;
        let holds = match unchanged {
            Unchanged::Matches { holds, .. } => holds(bytes),
            Unchanged::Normal(..) => true,
        };
        let is_copied = matches!(form, Form::Copy(_)) && self.args.output.add.is_none();
        // A carriage return is part of an item of a batch, and not of a line.
        let is_plain = block.long.is_none() && memchr(b'\r', bytes).is_none();
        (is_copied && is_plain && holds).then_some((unchanged, separator))
    }

    /// Writes lines, most of which are their own results. Only the other lines are transformed, one by one.
    fn lines(
        &mut self,
        unchanged: Unchanged,
        separator: u8,
        record: &mut Record,
        mut form: Form<'_>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        let block = self.block;
        let bytes = block.bytes();
        let lines = present(bytes.get(block.range.clone()));
        let mut position = block.start();
        let mut others = 0;
        let items = Separated::new(lines, separator).unwrap_or(Separated::lines(lines));
        let is_simple = self.has_simple_records();
        for item in unchanged.others(items) {
            let start = block.range.start + (item.as_ptr().addr() - lines.as_ptr().addr());
            let body = start..start + item.len();
            // The last line may have no terminator.
            let end = bytes.len().min(body.end + 1);
            others += 1;
            if let (Form::Copy(copy), true) = (&mut form, is_simple) {
                if self.simple(body, end, &mut position, copy, sink)? {
                    continue;
                }
            }
            block.file.layout.next(bytes, start, record);
            self.record(record, &mut position, &mut form, sink)?;
            if sink.is_full() {
                let before = present(bytes.get(block.range.start..end));
                sink.tally.made += separators(separator, before) - others;
                if let Form::Copy(mut copy) = form {
                    copy.until(end, sink)?;
                }
                return Ok(());
            }
        }
        let is_open = !lines.is_empty() && !lines.ends_with(&[separator]);
        sink.tally.made += block.separators + u64::from(is_open) - others;
        match form {
            Form::Copy(copy) => copy.finish(sink),
            Form::Json | Form::Rows(_) | Form::Convert(..) => Ok(()),
        }
    }

    /// Tells whether each record is one item as it is written, and nothing is added to it.
    fn has_simple_records(&self) -> bool {
        let File { layout, charset, .. } = &*self.block.file;
        let is_line = matches!(layout, Layout::Lines(_)) && charset.is_none();
        N == 1 && is_line && self.args.output.add.is_none()
    }

    /// Writes a record that is one item, which lies at a span of a record with an end. Returns `false` without a trace if it fails or needs its place: then
    /// [`record`](Self::record) does the work.
    ///
    /// PERF: this does a part of the steps of `record`, whose work for a line costs half as much as normalizing
    /// it.
    fn simple(
        &mut self,
        span: Range<usize>,
        end: usize,
        position: &mut Position,
        copy: &mut Copy<'_>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<bool> {
        let block = self.block;
        let start = span.start;
        let item = present(block.bytes().get(span.clone()));
        let made = &mut self.scratch.made;
        if T::NEEDS_PLACE || (self.make)([item; N], made).is_err() || made.has_places() {
            return Ok(false);
        }
        if !made.is_item() {
            let separator = block.file.separator;
            if !is_written(made, &[separator]) {
                return Ok(false);
            }
            write_lines(made, item, (span, end, separator), copy, sink)?;
        }
        sink.tally.made += 1;
        if self.remark(start, item, position, sink)? {
            self.report(end, copy, sink)?;
        }
        Ok(true)
    }

    /// Writes the messages about a record, after the record, which ends at `end`.
    fn report(
        &mut self,
        end: usize,
        copy: &mut Copy<'_>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        // If both go to one place, the record comes before its messages.
        copy.until(end, sink)?;
        sink.report(&self.scratch.reports)?;
        self.scratch.reports.clear();
        Ok(())
    }

    /// Returns the form, after the text before the first record.
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
            let named = convert::output_names(layout, names, output.add.as_deref());
            // The reader has checked the names.
            let (names, place) = named.map_err(io::Error::other)?;
            if block.is_first {
                let mut line = Vec::new();
                convert::write_names(to, &names, &mut line);
                sink.write_all(&line)?;
            }
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
            let place = block.place(position, record.body.start);
            self.fail(place, body, error.clone(), sink)?;
            // A document has its other addresses nevertheless.
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
                    let direct = match form {
                        Form::Copy(copy) if is_alone && self.args.output.add.is_none() => {
                            Some(copy)
                        }
                        _ => None,
                    };
                    self.item(&item, field, record.end, position, direct, sink)?
                }
                Err(error) => {
                    let place = block.place(position, field.span.start);
                    self.fail(place, raw, error, sink)?;
                    Made::Failed
                }
            };
            if is_document {
                let failed = matches!(made, Made::Failed);
                *(if failed { &mut sink.tally.failed } else { &mut sink.tally.made }) += 1;
            }
            self.scratch.results.push(made);
        }
        let failed = self.scratch.error.is_some();
        let failed = failed || self.scratch.results.iter().any(|made| matches!(made, Made::Failed));
        let failed = failed || (record.error.is_some() && !is_document);
        let mut failed = failed && !is_document;
        match form {
            Form::Json => {}
            Form::Copy(copy) => {
                let had_error = self.scratch.error.is_some();
                failed = !self.copy(record, failed, copy, sink)?;
                if let Some(error) = self.scratch.error.clone().filter(|_| !had_error) {
                    // The record has no place for the result.
                    let place = block.place(position, record.body.start);
                    self.fail(place, body, error, sink)?;
                }
            }
            Form::Rows(table) => self.row(record, failed, table, sink)?,
            Form::Convert(to, names, place, table) => {
                let to = (*to, &**names, *place);
                failed = !self.convert(record, failed, to, table.as_mut(), position, sink)?;
            }
        }
        // A record that has no address, and needs none, is not an item.
        let is_item = failed || !record.fields.is_empty();
        if !is_document && is_item {
            *(if failed { &mut sink.tally.failed } else { &mut sink.tally.made }) += 1;
        }
        if let (true, Some(_), Some(error)) =
            (failed, &self.args.output.errors, self.scratch.error.take())
        {
            let place = block.place(position, record.body.start);
            sink.set_aside(|out| json::write_set_aside(out, place, body, &error))?;
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

    /// Returns the end of the part of a record that is written: in a document in which the run stops, that of the last
    /// address.
    fn end(&self, record: &Record) -> usize {
        let made = self.scratch.results.len();
        let is_cut = self.block.file.layout.is_document() && made < record.fields.len();
        let last = made.checked_sub(1).and_then(|last| record.fields.get(last));
        last.filter(|_| is_cut).map_or(record.end, |field| field.span.end)
    }

    /// Writes a record unchanged, except that the results replace its fields. Returns `false` if it failed.
    fn copy(
        &mut self,
        record: &Record,
        failed: bool,
        copy: &mut Copy<'_>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<bool> {
        let output = &self.args.output;
        let block = self.block;
        let keep = self.keep();
        if failed && keep.is_none() {
            copy.replace(record.body.start..record.end, b"", sink)?;
            return Ok(false);
        }
        let Scratch { texts, results, encoded, .. } = &mut *self.scratch;
        if let Some(name) = &output.add {
            if failed && record.error.is_some() && !block.file.layout.is_table() {
                // Nobody knows where its fields are.
                return Ok(false);
            }
            encoded.clear();
            let text = match (results.first(), record.fields.first()) {
                _ if failed => Some(Vec::new()),
                (Some(Made::Other(span)), _) => Some(present(texts.get(span.clone())).to_vec()),
                (Some(Made::Same), Some(field)) => {
                    let raw = present(block.bytes().get(field.span.clone()));
                    field.coding.decode(raw).map(std::borrow::Cow::into_owned).ok()
                }
                // The record has no address, and needs none.
                (None, _) => None,
                _ => Some(Vec::new()),
            };
            let layout = &block.file.layout;
            match layout.addition(block.bytes(), record, (name, text.as_deref()), encoded) {
                Ok(at) => copy.replace(at..at, encoded, sink)?,
                Err(_) if failed => {}
                Err(error) => {
                    if keep != Some(Keep::Input) && !self.is_kept() {
                        copy.replace(record.body.start..record.end, b"", sink)?;
                    }
                    self.scratch.error = Some(error);
                    return Ok(false);
                }
            }
            return Ok(!failed);
        }
        for (field, made) in record.fields.iter().zip(results.iter()) {
            let raw = present(block.bytes().get(field.span.clone()));
            encoded.clear();
            match made {
                Made::Same => {}
                Made::Other(span) if !failed => {
                    field.coding.encode(raw, present(texts.get(span.clone())), encoded);
                    copy.replace(field.span.clone(), encoded, sink)?;
                }
                // The terminator goes too.
                Made::Gone if !failed => {
                    copy.replace(field.span.start..record.end, b"", sink)?;
                }
                Made::Failed if keep == Some(Keep::Empty) => {
                    field.coding.encode(raw, b"", encoded);
                    copy.replace(field.span.clone(), encoded, sink)?;
                }
                Made::Other(_) | Made::Gone | Made::Failed => {}
            }
        }
        Ok(!failed)
    }

    /// Tells whether a record that fails has no other place than its file. Then no option removes it.
    fn is_kept(&self) -> bool {
        self.args.output.in_place && self.args.output.errors.is_none()
    }

    /// Returns the text that is written instead of an item that fails.
    fn keep(&self) -> Option<Keep> {
        match self.args.keep {
            // Without another place for it, a record that fails stays in its file.
            None if self.is_kept() => Some(Keep::Input),
            keep => keep,
        }
    }

    /// Writes a row of columns with its result. In the place of an item that fails or is gone, there is a null, the item,
    /// or no row.
    fn row(
        &self,
        record: &Record,
        failed: bool,
        table: &mut Table<'_>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        let Scratch { texts, results, .. } = &*self.scratch;
        let item = || present(self.block.bytes().get(record.body.clone()));
        let is_null = results.is_empty();
        let new = match (results.first(), self.keep()) {
            // A null has no result.
            (None, _) if !failed => Some(None),
            (Some(Made::Same), _) => Some(Some(item())),
            (Some(Made::Other(span)), _) => Some(texts.get(span.clone())),
            (Some(Made::Failed), Some(Keep::Input)) => Some(Some(item())),
            (Some(Made::Failed), Some(Keep::Empty)) => Some(None),
            _ => None,
        };
        match new {
            Some(text) => table.keep(text),
            None => table.leave_out(),
        }
        if self.args.output.dry_run && !is_null && new != Some(Some(item())) {
            let row = self.block.place(&mut self.block.start(), record.body.start).line;
            writeln!(sink, "@@ row {row} @@")?;
            for (mark, text) in [("-", Some(item())), ("+", new.flatten())] {
                let Some(text) = text else { continue };
                sink.write_all(mark.as_bytes())?;
                escape::write_text(sink, text, self.terminal)?;
                sink.write_all(b"\n")?;
            }
        }
        Ok(())
    }

    /// Writes a record in another format. Returns `false` if it failed.
    fn convert(
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
        let body = present(bytes.get(record.body.clone()));
        let is_unread = record.error.is_some() && !layout.is_document();
        if is_unread && (to == To::Lines || !layout.has_values(body)) {
            return self.unread(body, (to, names, place), table, sink).map(|()| false);
        }
        let is_whole = matches!(layout, Layout::Csv(_) | Layout::Json(_) | Layout::Log(_));
        let Scratch { texts, results, encoded, .. } = &mut *self.scratch;
        encoded.clear();
        // A record with names is a row; otherwise every address is.
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
                // The record has no address, and needs none.
                None if !failed => None,
                Some(Made::Other(span)) => Some(present(texts.get(span.clone())).to_vec()),
                Some(Made::Same) => Some(old.unwrap_or_default()),
                Some(Made::Failed) if keep == Some(Keep::Input) => Some(old.unwrap_or_default()),
                _ => Some(Vec::new()),
            };
            let text = text.as_deref();
            if matches!(results.get(row), Some(Made::Gone)) {
                continue;
            }
            if matches!(results.get(row), Some(Made::Failed)) && keep.is_none() {
                continue;
            }
            let written = values.and_then(|values| match &mut table {
                Some(table) => table.add(&values, (text, place)),
                None => {
                    let separator = block.file.separator;
                    convert::write(to, names, &values, (text, place), separator, encoded);
                    Ok(())
                }
            });
            if let Err(error) = written {
                if !failed {
                    let here = block.place(position, record.body.start);
                    self.fail(here, body, error, sink)?;
                }
                return self.unread(body, (to, names, place), table, sink).map(|()| false);
            }
        }
        escape::write_text(sink, encoded, self.terminal)?;
        Ok(!failed)
    }

    /// Writes a record whose fields have no place in another format. If records that fail are kept, its text is in the place of
    /// the address, or nothing is.
    fn unread(
        &mut self,
        body: &[u8],
        (to, names, place): (To, &[String], usize),
        table: Option<&mut Table<'_>>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        let text = match self.args.keep {
            None => return Ok(()),
            Some(Keep::Input) => body,
            Some(Keep::Empty) => b"",
        };
        let (encoded, separator) = (&mut self.scratch.encoded, self.block.file.separator);
        encoded.clear();
        match table {
            Some(table) => {
                // A text that is not UTF-8 has no place in a table.
                let text = std::str::from_utf8(text).ok().map(str::as_bytes);
                let _ = table.add(&[], (text, place));
            }
            None => convert::write(to, names, &[], (Some(text), place), separator, encoded),
        }
        escape::write_text(sink, encoded, self.terminal)
    }

    /// Makes the result of an item. An item that fails is reported.
    ///
    /// If `direct` is set, the record is this item alone and needs no escapes. Then its lines go straight to
    /// the output, which takes no memory for a result as long as a file.
    fn item(
        &mut self,
        item: &[u8],
        field: &Field,
        end: usize,
        position: &mut Position,
        direct: Option<&mut Copy<'_>>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<Made> {
        let block = self.block;
        let names = self.names;
        let texts = match text::ill_formed(block.file.charset, item) {
            Some(error) => Err(error),
            None => columns::split(&names, item),
        };
        let (columns, result) = match &texts {
            Ok(texts) => {
                if T::NEEDS_PLACE {
                    self.scratch.made.at(block.place(position, field.span.start));
                }
                let result = (self.make)(*texts, &mut self.scratch.made);
                (Columns { names: &names, texts }, result)
            }
            Err(error) => (Columns { names: &["input"], texts: &[item] }, Err(error.clone())),
        };
        let result = result.and_then(|()| {
            self.scratch.made.complete(item);
            let is_written = is_written(&self.scratch.made, self.line_ends(field));
            is_written.then_some(()).ok_or_else(|| ItemError::lines(item))
        });
        if self.args.json {
            let place = block.place(position, field.span.start);
            let made = if result.is_err() { Made::Failed } else { Made::Same };
            if let Err(error) = &result {
                self.note(error, sink);
            }
            json::write_transformed(sink, place, columns, result.map(|()| &self.scratch.made))?;
            return Ok(made);
        }
        if let Err(error) = result {
            let start = error.of.map_or(0, |name| columns.start(name));
            let place = block.place(position, field.span.start);
            self.fail(place, item, error.within(start), sink)?;
            return Ok(Made::Failed);
        }
        let Scratch { made, texts, .. } = &mut *self.scratch;
        let mut lines = 0_usize;
        let separator = block.file.separator;
        let place = made.has_places().then(|| block.place(position, field.span.start));
        let span = &field.span;
        let result = if let (None, Some(copy)) = (place, direct) {
            write_lines(made, item, (span.clone(), end, separator), copy, sink)?;
            Made::Same
        } else {
            let start = texts.len();
            made.each_line(&mut |line| {
                if lines > 0 {
                    texts.push(separator);
                }
                lines += 1;
                if let Some(place) = place {
                    write!(texts, "{}:{}:1: ", place.name, place.line)?;
                }
                texts.extend_from_slice(line);
                Ok(())
            })?;
            match lines {
                0 => Made::Gone,
                _ if texts.get(start..) == Some(item) && !block.file.layout.changes_items() => {
                    Made::Same
                }
                _ => Made::Other(start..texts.len()),
            }
        };
        self.remark(span.start, item, position, sink)?;
        Ok(result)
    }

    /// Returns the bytes that would end the place of a result: a line, or a field of the header of WARC.
    fn line_ends(&self, field: &Field) -> &'a [u8] {
        let File { layout, separator, .. } = &*self.block.file;
        let OutputArgs { to, add, .. } = &self.args.output;
        let is_copied = to.is_none() && add.is_none() && field.coding == Coding::Raw;
        match to {
            _ if self.args.json => &[],
            Some(To::Lines) => std::slice::from_ref(separator),
            _ if is_copied && matches!(layout, Layout::Warc) => b"\r\n",
            _ if is_copied => std::slice::from_ref(separator),
            _ => &[],
        }
    }

    /// Counts the error of a record, or of an address that is its own record. A record with several errors has the kind of its
    /// first error.
    fn note(&mut self, error: &ItemError, sink: &mut Sink<'_, '_, Done>) {
        let is_noted = std::mem::replace(&mut self.scratch.is_noted, true);
        if !is_noted || self.block.file.layout.is_document() {
            sink.kinds.note(error.kind);
        }
    }

    /// Says that a record failed.
    fn fail(
        &mut self,
        place: Place<'_>,
        item: &[u8],
        error: ItemError,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        self.note(&error, sink);
        if self.args.json {
            let columns = Columns { names: &["input"], texts: &[item] };
            return json::write_transformed::<T>(sink, place, columns, Err(error));
        }
        let remarks =
            self.scratch.made.failure(item, error.clone(), &mut sink.tally, &mut sink.kinds);
        if self.args.output.errors.is_none() {
            self.scratch.error.get_or_insert(error);
            let reports = &mut self.scratch.reports;
            return report::write_remarks(reports, place, item, remarks, Style::stderr());
        }
        if self.block.file.layout.is_document() {
            // An address of a document is its own record.
            return sink.set_aside(|out| json::write_set_aside(out, place, item, &error));
        }
        self.scratch.error.get_or_insert(error);
        Ok(())
    }

    /// Writes the remarks about a result to the reports of the record. Its item begins at a place. Returns whether there
    /// are any.
    fn remark(
        &mut self,
        start: usize,
        item: &[u8],
        position: &mut Position,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<bool> {
        let Scratch { made, reports, .. } = &mut *self.scratch;
        let remarks = made.remarks(item);
        if remarks.is_empty() {
            return Ok(false);
        }
        made.count(&mut sink.tally, &mut sink.kinds);
        let (place, text) = (self.block.place(position, start), made.remarked(item));
        report::write_remarks(reports, place, text, remarks, Style::stderr())?;
        Ok(true)
    }
}

/// Tells whether no line of a result has one of some bytes.
fn is_written<T: ItemOutput>(made: &T, ends: &[u8]) -> bool {
    let written = made.each_line(&mut |line| {
        let has_end = ends.iter().any(|end| memchr(*end, line).is_some());
        if has_end { Err(io::ErrorKind::InvalidData.into()) } else { Ok(()) }
    });
    written.is_ok()
}

/// Writes the lines of a result instead of an item, which lies at a span of a record with an end. A result without a
/// line takes the terminator of the record with it.
fn write_lines<T: ItemOutput>(
    made: &T,
    item: &[u8],
    (span, end, separator): (Range<usize>, usize, u8),
    copy: &mut Copy<'_>,
    sink: &mut Sink<'_, '_, Done>,
) -> io::Result<()> {
    let mut lines = 0_usize;
    made.each_line(&mut |line| {
        lines += 1;
        if lines > 1 {
            copy.replace(span.end..span.end, &[separator], sink)?;
            copy.replace(span.end..span.end, line, sink)
        } else if line == item {
            Ok(())
        } else {
            copy.replace(span.clone(), line, sink)
        }
    })?;
    if lines == 0 { copy.replace(span.start..end, b"", sink) } else { Ok(()) }
}
