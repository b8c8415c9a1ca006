//! `iri check`: reports which items are invalid, with position and reason.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use encoding_rs::Encoding;
use memchr::{memchr, memchr_iter};
use simd_iri::Rule;
use simd_iri::batch::{Batch, Separated};

use crate::args::input::InputArgs;
use crate::args::kind;
use crate::args::limit::LimitArgs;
use crate::format::{Layout, Record};
use crate::invariant::present;
use crate::io::files::Outputs;
use crate::io::text;
use crate::item_error::ItemError;
use crate::output::columns::Columns;
use crate::output::report::{self, Outcome, Place, Remarks, Style, Verbosity};
use crate::output::summary::{self, Summary};
use crate::output::{json, screen};
use crate::pipe::block::{Block, Position};
use crate::pipe::copy::Copy;
use crate::pipe::long::Long;
use crate::pipe::sink::{Sink, Tally};
use crate::pipe::{self, Beside, Options};

const EXAMPLES: &str = "\
Examples:
  iri check links.txt                     report the lines that are not IRIs
  iri check --all --as uri links.txt      every violation of each line, for plain URIs
  grep -o 'http[^ ]*' log | iri check     check what another program found
  iri check --valid links.txt > good.txt  keep the good ones
  iri check --errors bad.jsonl links.txt  write the bad records to a file, with their errors
  iri check -q --summary json links.txt   only the counts, by kind of error
  iri check --charset utf-16 export.txt   check a file that is not UTF-8
  iri check -i a.test http://a.test       check two items instead of a file";

/// Report invalid items, with position and reason
///
/// Prints FILE:LINE:COLUMN: error: MESSAGE for every invalid item, and a summary on standard
/// error. Columns count characters.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,

    /// The kind that every item must be; by default iri, and iri-reference for the targets of a log
    #[arg(long = "as", value_name = "KIND", value_parser = kind::kind())]
    kind: Option<Rule>,

    /// Report every violation of an item, not only its first
    #[arg(long, group = "form")]
    all: bool,

    /// Print the valid items instead, byte for byte
    #[arg(long, group = "form")]
    valid: bool,

    /// Print the invalid items instead, byte for byte
    #[arg(long, group = "form")]
    invalid: bool,

    /// Print only the number of items, of valid items and of invalid items
    #[arg(long, group = "form")]
    count: bool,

    /// Print a JSON object for each invalid item, one a line
    #[arg(long, group = "form")]
    json: bool,

    /// Write invalid records to this file, instead of a report
    ///
    /// Each is a JSON object with the record, its place and its first error.
    #[arg(help_heading = "Output", long, value_name = "FILE", conflicts_with_all = ["all", "count", "json"])]
    pub(super) errors: Option<PathBuf>,

    #[command(flatten)]
    limit: LimitArgs,
}

impl CheckArgs {
    /// Tells whether records are copied to the output.
    const fn copies(&self) -> bool {
        self.valid || self.invalid
    }

    /// Tells whether invalid items are reported for people.
    fn reports(&self) -> bool {
        let is_silent = self.copies() || self.count || self.json || self.errors.is_some();
        !is_silent && report::says(Verbosity::Usual)
    }

    /// Tells whether the error of an item is wanted.
    fn wants_errors(&self) -> bool {
        self.writes_errors() || summary::has_kinds()
    }

    /// Tells whether errors are written, and so need their places and messages. The summary only counts their kinds.
    fn writes_errors(&self) -> bool {
        self.reports() || self.json || self.errors.is_some()
    }
}

pub(crate) fn run(args: &CheckArgs, out: &mut Outputs) -> io::Result<Outcome> {
    let terminal = out.is_terminal();
    let style = Style::new(terminal.then(screen::stdout_width));
    let work = |record: &mut Record, block: &Block, sink: &mut Sink<'_, '_, Checked>| {
        let usual = if block.file.layout.has_targets() { Rule::IriReference } else { Rule::Iri };
        let kind = args.kind.unwrap_or(usual);
        let checker = Checker { args, rule: kind, terminal, style };
        // A carriage return before a newline is not part of a line, but it is part of an item of a batch.
        let is_plain = block.long.is_none() && memchr(b'\r', block.bytes()).is_none();
        match block.file.layout {
            Layout::Lines(separator) if is_plain && args.limit.failures() == u64::MAX => {
                checker.lines(separator, block, sink)
            }
            _ => checker.records(record, block, sink),
        }?;
        sink.tally.kinds = vec![kind];
        Ok(())
    };
    let options = Options {
        failures: args.limit.failures(),
        copies: args.copies(),
        wants_long: args.errors.is_some() || args.invalid,
        only_counts: args.count && args.limit.failures() == u64::MAX,
        ..Options::default()
    };
    let (mut main, errors) = out.parts();
    let errors = errors.map(|errors| errors as &mut (dyn Write + Send));
    let beside = Beside { errors, ..Beside::default() };
    let ended = pipe::run(&args.input, &options, &mut main, beside, Record::default, work)?;
    let Checked { valid, invalid, ref kinds } = ended.tally;
    let items = report::counted(valid + invalid, args.input.counted());
    let kinds: Vec<_> = kinds.iter().map(|&kind| kind::name(kind)).collect();
    let kind = if kinds.is_empty() {
        kind::name(args.kind.unwrap_or(Rule::Iri)).to_owned()
    } else {
        kinds.join(" or ")
    };
    let stopped = pipe::stopped(ended.stopped, args.limit.failures());
    let text = format!("{items}, {valid} valid, {invalid} invalid as {kind}{stopped}");
    let counts = [("items", valid + invalid), ("valid", valid), ("invalid", invalid)];
    let complete = ended.complete && !ended.stopped;
    let summary = Summary { text, counts: &counts, kinds: &ended.kinds, complete };
    if args.count {
        writeln!(out, "{summary}")?;
    } else {
        // The output is flushed, so that the reports come before the summary even if both go to the same file.
        out.flush()?;
        if !args.json || summary::is_asked() {
            summary.print();
        }
    }
    Ok(ended.outcome(invalid))
}

/// The numbers of valid and of invalid records.
#[derive(Default)]
struct Checked {
    valid: u64,
    invalid: u64,
    /// The kinds that the items should have.
    kinds: Vec<Rule>,
}

impl Tally for Checked {
    fn add(&mut self, block: &Self) {
        self.valid += block.valid;
        self.invalid += block.invalid;
        for kind in &block.kinds {
            if !self.kinds.contains(kind) {
                self.kinds.push(*kind);
            }
        }
    }

    fn failed(&self) -> u64 {
        self.invalid
    }
}

/// Checks the records of blocks.
struct Checker<'a> {
    args: &'a CheckArgs,
    rule: Rule,
    terminal: bool,
    /// How remarks are shown.
    style: Style,
}

impl Checker<'_> {
    /// Checks lines in a batch. Only invalid lines are parsed again.
    fn lines(
        &self,
        separator: u8,
        block: &Block,
        sink: &mut Sink<'_, '_, Checked>,
    ) -> io::Result<()> {
        let bytes = block.bytes();
        let lines = present(bytes.get(block.range.clone()));
        let items = Separated::new(lines, separator).unwrap_or(Separated::lines(lines));
        let batch = Batch::new(self.rule);
        if self.args.count && !self.args.wants_errors() {
            let count = batch.count(items);
            sink.tally.valid = count.valid;
            sink.tally.invalid = count.invalid;
            return Ok(());
        }
        let mut copy = self.copy(block, sink)?;
        let mut position = block.start();
        let mut invalid = 0;
        for item in batch.invalid(items) {
            invalid += 1;
            let start = block.range.start + (item.as_ptr().addr() - lines.as_ptr().addr());
            if let Some(copy) = &mut copy {
                let whole = start..end_of_line(bytes, start, separator);
                match self.args.valid {
                    true => copy.replace(whole, b"", sink)?,
                    false => copy.only(whole, sink)?,
                }
            }
            if self.args.wants_errors() {
                let is_written = self.args.writes_errors();
                let place = is_written.then(|| block.place(&mut position, start));
                if let (Some(error), Some(place)) =
                    (self.invalid((place, block.file.charset), item, sink)?, place)
                {
                    self.set_aside(place, item, &error, sink)?;
                }
            }
        }
        let ends = memchr_iter(separator, lines).count() as u64;
        let is_open = !lines.is_empty() && !lines.ends_with(&[separator]);
        sink.tally.valid = ends + u64::from(is_open) - invalid;
        sink.tally.invalid = invalid;
        match copy.filter(|_| self.args.valid) {
            Some(copy) => copy.finish(sink),
            None => Ok(()),
        }
    }

    /// Checks the fields of records. A record is valid if all its fields are valid.
    fn records(
        &self,
        record: &mut Record,
        block: &Block,
        sink: &mut Sink<'_, '_, Checked>,
    ) -> io::Result<()> {
        let mut position = block.start();
        let mut copy = self.copy(block, sink)?;
        let mut written = Ok(());
        let flow = block.each(record, |record| {
            written = self.record(block, record, &mut position, copy.as_mut(), sink);
            match written.is_err() || sink.is_full() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        written?;
        if let Some(copy) = copy.filter(|_| self.args.valid && flow.is_continue()) {
            copy.finish(sink)?;
        }
        match block.long() {
            Some((place, long)) if !sink.is_full() => self.long(place, long, sink),
            _ => Ok(()),
        }
    }

    /// Returns the copy of the records of a block, if they are wanted.
    fn copy<'b>(
        &self,
        block: &'b Block,
        sink: &mut Sink<'_, '_, Checked>,
    ) -> io::Result<Option<Copy<'b>>> {
        self.args.copies().then(|| Copy::new(block, self.terminal, sink)).transpose()
    }

    /// Counts a record that is too long, or not closed.
    fn long(
        &self,
        place: Place<'_>,
        long: &Long,
        sink: &mut Sink<'_, '_, Checked>,
    ) -> io::Result<()> {
        sink.tally.invalid += 1;
        if self.args.invalid {
            let terminal = self.terminal;
            sink.in_turn(|out| long.write(place, terminal, out))?;
        }
        self.invalid_as(Some(place), b"", long.error(), sink)?;
        if self.args.errors.is_some() {
            return sink.aside_in_turn(|out| long.set_aside(place, out));
        }
        Ok(())
    }

    fn record(
        &self,
        block: &Block,
        record: &Record,
        position: &mut Position,
        copy: Option<&mut Copy<'_>>,
        sink: &mut Sink<'_, '_, Checked>,
    ) -> io::Result<()> {
        if record.is_filler {
            return Ok(());
        }
        let bytes = block.bytes();
        let body = present(bytes.get(record.body.clone()));
        let is_document = block.file.layout.is_document();
        let mut first = None;
        // PERF: the places of valid records are not wanted.
        let is_wanted = record.error.is_some() || self.args.errors.is_some();
        let start = is_wanted.then(|| block.place(position, record.body.start));
        if let (Some(error), Some(start)) = (&record.error, start) {
            self.invalid_as(Some(start), body, error.clone(), sink)?;
            // The error of a document counts as a record. Its addresses are counted by themselves.
            if is_document {
                sink.tally.invalid += 1;
                self.set_aside(start, body, error, sink)?;
            } else {
                first = Some(error.clone());
            }
        }
        let mut is_valid = record.error.is_none();
        for field in &record.fields {
            if is_document && sink.is_full() {
                break;
            }
            let raw = present(bytes.get(field.span.clone()));
            let decoded = block.file.layout.item(bytes, record, field);
            let field_is_valid = decoded.as_ref().is_ok_and(|item| self.rule.is_valid_bytes(item));
            if is_document {
                let count =
                    if field_is_valid { &mut sink.tally.valid } else { &mut sink.tally.invalid };
                *count += 1;
            }
            is_valid &= field_is_valid;
            if field_is_valid || !self.args.wants_errors() {
                continue;
            }
            let is_written = self.args.writes_errors();
            let place = is_written.then(|| block.place(position, field.span.start));
            let error = match &decoded {
                Ok(item) => self.invalid((place, block.file.charset), item, sink)?,
                Err(error) => {
                    self.invalid_as(place, raw, error.clone(), sink)?;
                    Some(error.clone())
                }
            };
            // An address of a document is its own record.
            match (error, place) {
                (Some(error), Some(place)) if is_document => {
                    let item = decoded.as_deref().unwrap_or(raw);
                    self.set_aside(place, item, &error, sink)?;
                }
                (error, _) => first = first.or(error),
            }
        }
        // A record that does not need an address, and does not have one, is not counted.
        let is_item = !record.fields.is_empty() || !is_valid;
        if is_item && !is_document {
            *(if is_valid { &mut sink.tally.valid } else { &mut sink.tally.invalid }) += 1;
        }
        if let (Some(error), Some(start)) = (first, start) {
            self.set_aside(start, body, &error, sink)?;
        }
        match copy {
            Some(copy) if self.args.valid && !is_valid => {
                copy.replace(record.body.start..record.end, b"", sink)
            }
            Some(copy) if self.args.invalid && !is_valid => {
                copy.only(record.body.start..record.end, sink)
            }
            _ => Ok(()),
        }
    }

    /// Reports why an item is invalid: all violations, if they are wanted, otherwise the first. Returns the first
    /// error.
    fn invalid(
        &self,
        (place, charset): (Option<Place<'_>>, Option<&'static Encoding>),
        item: &[u8],
        sink: &mut Sink<'_, '_, Checked>,
    ) -> io::Result<Option<ItemError>> {
        if let Some(error) = text::ill_formed(charset, item) {
            self.invalid_as(place, item, error.clone(), sink)?;
            return Ok(Some(error));
        }
        // PERF: the parser finds the first error in half the time.
        if !self.args.all {
            let error = self.rule.parse_bytes(item).err();
            if let Some(error) = error {
                self.invalid_as(place, item, error.into(), sink)?;
            }
            return Ok(error.map(ItemError::from));
        }
        let mut errors = self.rule.violations_bytes(item).map(ItemError::from);
        let Some(first) = errors.next() else { return Ok(None) };
        let mut remarks = place.map(|place| Remarks::new(place, item, self.style));
        self.say(remarks.as_mut(), first.clone(), sink)?;
        for error in errors {
            self.say(remarks.as_mut(), error, sink)?;
        }
        Ok(Some(first))
    }

    /// Reports that an item is invalid, with this error alone.
    fn invalid_as(
        &self,
        place: Option<Place<'_>>,
        item: &[u8],
        error: ItemError,
        sink: &mut Sink<'_, '_, Checked>,
    ) -> io::Result<()> {
        self.say(place.map(|place| Remarks::new(place, item, self.style)).as_mut(), error, sink)
    }

    /// Counts an error of an item, and reports it if reports are wanted. `remarks` has the place if errors are written.
    fn say(
        &self,
        remarks: Option<&mut Remarks<'_>>,
        error: ItemError,
        sink: &mut Sink<'_, '_, Checked>,
    ) -> io::Result<()> {
        sink.kinds.note(error.kind);
        match remarks {
            Some(Remarks { place, item, .. }) if self.args.json => {
                let columns = Columns { names: &["input"], texts: &[*item] };
                json::write_transformed::<()>(sink, *place, columns, Err(error))
            }
            Some(remarks) if self.args.reports() => {
                sink.append(|out| remarks.append_error(out, &error))
            }
            _ => Ok(()),
        }
    }

    /// Writes a record to the output of invalid records, if there is one.
    fn set_aside(
        &self,
        place: Place<'_>,
        record: &[u8],
        error: &ItemError,
        sink: &mut Sink<'_, '_, Checked>,
    ) -> io::Result<()> {
        match &self.args.errors {
            Some(_) => sink.set_aside(|out| json::write_set_aside(out, place, record, error)),
            None => Ok(()),
        }
    }
}

/// Returns the end of the line that begins at `start`, with its separator.
fn end_of_line(bytes: &[u8], start: usize, separator: u8) -> usize {
    let rest = present(bytes.get(start..));
    memchr(separator, rest).map_or(bytes.len(), |length| start + length + 1)
}
