//! Writes the records of a block with the results of their items.
//!
//! ```text
//! records ──▶ make: the result of each item ──▶ form: the record, with results in the places of its fields
//!                                                     another format
//!                                                     a file of columns
//! lines ──▶ lines: a block of lines, most of which are their own results, or are replaced whole
//! ```
//!
//! With `--json`, `make` writes an object for each item. Not here: the loop over files.

mod form;
mod lines;
mod make;

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use crate::args::keep::Keep;
use crate::args::output::OutputArgs;
use crate::args::transform::TransformArgs;
use crate::format::{Coding, Field, Record};
use crate::invariant::present;
use crate::io::text;
use crate::item_error::ItemError;
use crate::output::json;
use crate::output::report::Place;
use crate::pipe::block::{Block, Position};
use crate::pipe::long::Long;
use crate::pipe::sink::Sink;
use crate::spans::Records;
use crate::transform::hide::Hide;
use crate::transform::item::Slot;
use form::Form;

pub(crate) use lines::Unchanged;

/// What comes before the results of single items.
#[derive(Clone, Copy, Default)]
pub(crate) struct Before<'r> {
    /// How to find the items that are their own results.
    pub(crate) unchanged: Option<Unchanged>,
    /// How the secrets of a block are replaced.
    pub(crate) hide: Option<Hide<'r>>,
}

/// What a worker of a run is made of.
#[derive(Clone, Copy)]
pub(crate) struct Run<'r> {
    pub(crate) args: &'r TransformArgs,
    pub(crate) before: Before<'r>,
    pub(crate) terminal: bool,
}

/// The state that a thread keeps from record to record.
#[derive(Default)]
pub(crate) struct Scratch {
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
    /// The records of a block.
    found: Records,
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
pub(crate) struct Writer<'a, 's> {
    run: Run<'a>,
    /// The result of the last item, and whether it is always the item itself.
    made: &'a mut dyn Slot,
    is_hidden: bool,
    block: &'a Block,
    scratch: &'a mut Scratch,
    /// The place that was asked for last.
    position: Position,
    sink: &'a mut Sink<'s>,
}

impl<'a, 's> Writer<'a, 's> {
    pub(crate) fn new(
        run: Run<'a>,
        (made, is_hidden): (&'a mut dyn Slot, bool),
        block: &'a Block,
        scratch: &'a mut Scratch,
        sink: &'a mut Sink<'s>,
    ) -> Self {
        Self { run, made, is_hidden, block, scratch, position: block.start(), sink }
    }

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
    pub(crate) fn block(&mut self, record: &mut Record) -> io::Result<()> {
        let mut form = self.form()?;
        if let Some((unchanged, lines)) = self.unchanged_lines(&form) {
            return self.lines(unchanged, lines, record, form);
        }
        let (is_simple, is_copied) = (self.has_simple_records(), matches!(form, Form::Copy(_)));
        let (layout, bytes) = (&self.block.file.layout, self.block.bytes());
        let mut at = self.block.range.start;
        let mut found = std::mem::take(&mut self.scratch.found);
        let unchanged = self.unchanged_records(&form, &mut found);
        if let Some((unchanged, items)) = unchanged.zip(found.items(bytes)) {
            // Only records that may fail or change are read one by one.
            let made = found.each(bytes, unchanged.others(items), |at| {
                layout.next(bytes, at, record);
                self.record(record, &mut form)?;
                Ok::<_, io::Error>(!self.sink.is_full())
            })?;
            self.sink.tally.made += made;
            at = bytes.len();
        }
        self.scratch.found = found;
        while at < bytes.len() {
            layout.next(bytes, at, record);
            at = record.end;
            // `simple` has written nothing if it returns false. So `record` may begin anew.
            if !is_simple || !self.simple(record.body.clone(), at, &mut form)? {
                self.record(record, &mut form)?;
            }
            if self.sink.is_full() {
                break;
            }
        }
        match form {
            // The work ended at the last record that may fail. This record may be kept, so it is copied too.
            Form::Copy(mut copy) if self.sink.is_full() => {
                copy.until(self.end(record), self.sink)?;
            }
            Form::Copy(copy) => copy.finish(self.sink)?,
            Form::Rows(table) => self.sink.set_table(table.finish()?),
            Form::Convert(target) => target.finish(self.sink)?,
            Form::Json => {}
        }
        match self.block.long() {
            Some((place, long)) if !self.sink.is_full() => self.long(place, long, is_copied),
            _ => Ok(()),
        }
    }

    /// Writes a record that is not worked on: to the output if it is kept there, and to the output of the records that
    /// fail or to the reports.
    fn long(&mut self, place: Place<'a>, long: &Long, is_copied: bool) -> io::Result<()> {
        self.sink.tally.failed += 1;
        self.scratch.is_noted = false;
        let is_kept = self.keep() == Some(Keep::Input) || self.is_kept();
        if is_copied && (long.is_damage() && self.made.result().copies_damage() || is_kept) {
            let terminal = self.run.terminal;
            self.sink.in_turn(|out| long.write(place, terminal, out))?;
        }
        if self.args().output.errors.is_some() && !self.args().json {
            self.sink.tally.kinds.note(long.error().kind);
            return self.sink.aside_in_turn(|out| long.set_aside(place, out));
        }
        self.fail_at(|_| place, b"", long.error())?;
        self.sink.report(&std::mem::take(&mut self.scratch.reports))
    }

    /// Writes the messages about a record, after the record, which ends at `end`.
    fn report(&mut self, end: usize, form: &mut Form<'_>) -> io::Result<()> {
        if self.scratch.reports.is_empty() {
            return Ok(());
        }
        // If the output and the messages go to one place, the record comes before its messages.
        if let Form::Copy(copy) = form {
            copy.until(end, self.sink)?;
        }
        self.sink.report(&self.scratch.reports)?;
        self.scratch.reports.clear();
        Ok(())
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
    fn record(&mut self, record: &Record, form: &mut Form<'_>) -> io::Result<()> {
        if record.is_filler {
            return Ok(());
        }
        let is_document = self.block.file.layout.is_document();
        let start = record.body.start;
        let body = present(self.block.bytes().get(record.body.clone()));
        self.scratch.texts.clear();
        self.scratch.results.clear();
        (self.scratch.error, self.scratch.is_noted) = (None, false);
        if let Some(error) = &record.error {
            self.fail(start, body, error.clone())?;
            // The error of a document counts as a record. Its addresses are counted by themselves.
            self.sink.tally.failed += u64::from(is_document);
        }
        for field in &record.fields {
            // Each address of a document is a record of its own.
            if is_document && self.sink.is_full() {
                break;
            }
            let made = self.field(record, field, form)?;
            if is_document {
                self.sink.tally.count(matches!(made, Made::Failed));
            }
            self.scratch.results.push(made);
        }
        // Bytes of the other fields that are not in the charset have no place in the output, which is UTF-8.
        if self.scratch.error.is_none() && !is_document && !matches!(form, Form::Json) {
            if let Some(error) = text::ill_formed(self.block.file.charset, body) {
                self.fail(start, body, error)?;
            }
        }
        // For example, a row of CSV has two addresses, and the second address fails. Then the row has failed, and the
        // result of the first address is not written. A document never fails as a whole.
        let has_failed = |made: &Made| matches!(made, Made::Failed);
        let failed = self.scratch.error.is_some()
            || self.scratch.results.iter().any(has_failed)
            || record.error.is_some();
        let failed = self.written(record, failed && !is_document, form)?;
        // A record that does not need an address, and does not have one, is not counted.
        if !is_document && (failed || !record.fields.is_empty()) {
            self.sink.tally.count(failed);
        }
        // The record is set aside once, with its first error.
        if failed {
            self.set_aside(start, body)?;
        }
        self.report(self.end(record), form)
    }

    /// Sets a record aside that failed, if that is wanted.
    fn set_aside(&mut self, at: usize, body: &[u8]) -> io::Result<()> {
        if self.args().output.errors.is_none() {
            return Ok(());
        }
        let Some(error) = self.scratch.error.take() else { return Ok(()) };
        let (place, body) = (self.place(at), self.kept(body));
        self.sink.set_aside(|out| json::write_set_aside(out, place, &body, &error))
    }

    /// Makes the result of a field, if it can be decoded.
    fn field(&mut self, record: &Record, field: &Field, form: &mut Form<'_>) -> io::Result<Made> {
        let bytes = self.block.bytes();
        match self.block.file.layout.item(bytes, record, field) {
            Ok(item) => {
                let is_alone = record.fields.len() == 1 && field.coding == Coding::Raw;
                // A result in more than one field must wait for the other fields: if one of them fails, none is
                // written.
                let direct = match form {
                    Form::Copy(copy) if is_alone && self.args().output.add.is_none() => Some(copy),
                    _ => None,
                };
                self.item(&item, field, record.end, direct)
            }
            Err(error) => {
                let raw = present(bytes.get(field.span.clone()));
                self.fail(field.span.start, raw, error)?;
                Ok(Made::Failed)
            }
        }
    }

    /// Returns the end of the part of a record that is written. In a document in which the run stops, this is the end
    /// of the last address that was made.
    fn end(&self, record: &Record) -> usize {
        let made = self.scratch.results.len();
        let is_cut = self.block.file.layout.is_document() && made < record.fields.len();
        let last = made.checked_sub(1).and_then(|last| record.fields.get(last));
        last.filter(|_| is_cut).map_or(record.end, |field| field.span.end)
    }

    /// Makes the result of an item.
    fn make(&mut self, columns: [&[u8]; 2]) -> Result<(), ItemError> {
        if self.is_hidden {
            self.made.reset();
            return Ok(());
        }
        self.made.make(columns)
    }

    fn args(&self) -> &'a TransformArgs {
        self.run.args
    }

    /// Returns the place of a byte of the block.
    fn place(&mut self, at: usize) -> Place<'a> {
        self.block.place(&mut self.position, at)
    }

    /// Tells whether a record that fails stays in its file: the file is replaced in place, and `--errors` does not name
    /// another place for the record.
    fn is_kept(&self) -> bool {
        let OutputArgs { in_place, errors, .. } = &self.args().output;
        *in_place && errors.is_none()
    }

    /// Returns the bytes of a record that fails, as they are kept.
    fn kept<'t>(&self, body: &'t [u8]) -> Cow<'t, [u8]> {
        let hide = self.run.before.hide;
        hide.map_or(Cow::Borrowed(body), |hide| hide.failed(&self.block.file.layout, body))
    }

    /// Returns the text that is written instead of an item that fails.
    fn keep(&self) -> Option<Keep> {
        match self.args().keep {
            None if self.is_kept() => Some(Keep::Input),
            keep => keep,
        }
    }
}
