//! `iri check`: reports which items are invalid, with position and reason.

use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;

use memchr::memchr;
use simd_iri::batch::{Batch, Separated};
use simd_iri::{Rule, parser::CpuLevel};

use crate::args::input::InputArgs;
use crate::args::kind;
use crate::args::limit::LimitArgs;
use crate::format::Record;
use crate::invariant::present;
use crate::io::files::Outputs;
use crate::io::text;
use crate::item_error::ItemError;
use crate::output::columns::Columns;
use crate::output::report::{self, Failure, Outcome, Place, Remarks, Style, Verbosity};
use crate::output::{json, screen, summary};
use crate::pipe::block::{Block, Position};
use crate::pipe::copy::Copy;
use crate::pipe::long::Long;
use crate::pipe::sink::Sink;
use crate::pipe::tally::Tally;
use crate::pipe::{self, Beside, Options, Worker};
use crate::spans::Records;

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

pub(crate) fn run(args: &CheckArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let terminal = out.is_terminal();
    let style = Style::new(terminal.then(screen::stdout_width));
    let has_limit = args.limit.failures() != u64::MAX;
    let worker = || -> Worker<'_> {
        let (mut record, mut found) = (Record::default(), Records::default());
        Box::new(move |block, sink| {
            let has_targets = block.file.layout.has_targets();
            let usual = if has_targets { Rule::IriReference } else { Rule::Iri };
            let rule = args.kind.unwrap_or(usual);
            let copies = args.valid || args.invalid;
            let copy = copies.then(|| Copy::new(block, terminal, sink)).transpose()?;
            let position = block.start();
            let mut checker = Checker { args, rule, terminal, style, block, position, copy, sink };
            match block.lines().filter(|_| !has_limit) {
                Some((lines, separator)) => checker.lines(lines, separator),
                None => checker.records(&mut record, &mut found),
            }?;
            sink.tally.rules = vec![rule];
            Ok(())
        })
    };
    let options = Options {
        limit: args.limit,
        copies: args.copies(),
        wants_long: args.errors.is_some() || args.invalid,
        only_counts: args.count && !has_limit,
        ..Options::default()
    };
    let (main, errors) = out.parts();
    let errors = errors.map(|errors| errors as &mut (dyn Write + Send));
    let beside = Beside { errors, ..Beside::default() };
    let ended = pipe::run(&args.input, &options, main, beside, &worker)?;
    let Tally { made: valid, failed: invalid, ref rules, .. } = ended.tally;
    let items = report::counted(valid + invalid, args.input.counted());
    let rules = if rules.is_empty() { &[args.kind.unwrap_or(Rule::Iri)] } else { rules.as_slice() };
    let kind = rules.iter().map(|&rule| kind::name(rule)).collect::<Vec<_>>().join(" or ");
    let counts = [("items", valid + invalid), ("valid", valid), ("invalid", invalid)];
    let text = format!("{items}, {valid} valid, {invalid} invalid as {kind}");
    let summary = ended.summary(&text, &counts);
    if args.count {
        writeln!(out, "{summary}")?;
    } else {
        // The output is flushed, so that the reports come before the summary even if both go to the same file.
        out.flush()?;
        if !args.json || summary::is_asked() {
            summary.print();
        }
    }
    Ok(ended.outcome())
}

/// Checks the records of a block.
struct Checker<'a, 's> {
    args: &'a CheckArgs,
    rule: Rule,
    terminal: bool,
    /// How remarks are shown.
    style: Style,
    block: &'a Block,
    /// The place that was asked for last.
    position: Position,
    /// The copy of the records, if they are wanted.
    copy: Option<Copy<'a>>,
    sink: &'a mut Sink<'s>,
}

impl<'a> Checker<'a, '_> {
    /// Checks lines in a batch. Only invalid lines are parsed again.
    fn lines(&mut self, items: Separated<'a>, separator: u8) -> io::Result<()> {
        let batch = Batch::new(self.rule);
        if self.args.count && !self.args.wants_errors() {
            let count = batch.count(items);
            (self.sink.tally.made, self.sink.tally.failed) = (count.valid, count.invalid);
            return Ok(());
        }
        let mut invalid = 0;
        for item in batch.invalid(items) {
            invalid += 1;
            let start = self.block.offset_of(item);
            self.select(start..end_of_line(self.block.bytes(), start, separator))?;
            if self.args.wants_errors() {
                let place = self.place_of_error(start);
                if let (Some(error), Some(place)) = (self.invalid(place, item)?, place) {
                    self.set_aside(place, item, &error)?;
                }
            }
        }
        self.sink.tally.made = self.block.count_lines(separator) - invalid;
        self.sink.tally.failed = invalid;
        self.finish()
    }

    /// Checks the fields of records. A record is valid if all its fields are valid.
    fn records(&mut self, record: &mut Record, found: &mut Records) -> io::Result<()> {
        let (layout, bytes) = (&self.block.file.layout, self.block.bytes());
        let mut at = self.block.range.start;
        let is_found = layout.find(CpuLevel::best(), (bytes, at), &self.block.known, found);
        if let Some(items) = is_found.then(|| found.items(bytes)).flatten() {
            // Only records that may fail are read one by one.
            let valid = found.each(bytes, Batch::new(self.rule).invalid(items), |at| {
                layout.next(bytes, at, record);
                self.record(record)?;
                Ok::<_, io::Error>(!self.sink.is_full())
            })?;
            self.sink.tally.made += valid;
            at = bytes.len();
        }
        while at < bytes.len() {
            layout.next(bytes, at, record);
            at = record.end;
            self.record(record)?;
            if self.sink.is_full() {
                break;
            }
        }
        if self.sink.is_full() {
            return Ok(());
        }
        self.finish()?;
        match self.block.long() {
            Some((place, long)) => self.long(place, long),
            None => Ok(()),
        }
    }

    /// Copies the rest of the block, if the valid records are wanted.
    fn finish(&mut self) -> io::Result<()> {
        match self.copy.take().filter(|_| self.args.valid) {
            Some(copy) => copy.finish(self.sink),
            None => Ok(()),
        }
    }

    /// Leaves an invalid record out of the copy, or copies it alone.
    fn select(&mut self, record: Range<usize>) -> io::Result<()> {
        match &mut self.copy {
            Some(copy) if self.args.valid => copy.replace(record, b"", self.sink),
            Some(copy) => copy.only(record, self.sink),
            None => Ok(()),
        }
    }

    /// Counts a record that is too long, or not closed.
    fn long(&mut self, place: Place<'_>, long: &Long) -> io::Result<()> {
        self.sink.tally.failed += 1;
        if self.args.invalid {
            let terminal = self.terminal;
            self.sink.in_turn(|out| long.write(place, terminal, out))?;
        }
        self.invalid_as(Some(place), b"", long.error())?;
        if self.args.errors.is_some() {
            return self.sink.aside_in_turn(|out| long.set_aside(place, out));
        }
        Ok(())
    }

    fn record(&mut self, record: &Record) -> io::Result<()> {
        if record.is_filler {
            return Ok(());
        }
        let bytes = self.block.bytes();
        let layout = &self.block.file.layout;
        let body = present(bytes.get(record.body.clone()));
        let is_document = layout.is_document();
        let mut first = None;
        // PERF: the places of valid records are not wanted.
        let is_wanted = record.error.is_some() || self.args.errors.is_some();
        let start = is_wanted.then(|| self.place(record.body.start));
        if let (Some(error), Some(start)) = (&record.error, start) {
            self.invalid_as(Some(start), body, error.clone())?;
            // The error of a document counts as a record. Its addresses are counted by themselves.
            if is_document {
                self.sink.tally.failed += 1;
                self.set_aside(start, body, error)?;
            } else {
                first = Some(error.clone());
            }
        }
        let mut is_valid = record.error.is_none();
        for field in &record.fields {
            if is_document && self.sink.is_full() {
                break;
            }
            let raw = present(bytes.get(field.span.clone()));
            let decoded = layout.item(bytes, record, field);
            let field_is_valid = decoded.as_ref().is_ok_and(|item| self.rule.is_valid_bytes(item));
            if is_document {
                self.sink.tally.count(!field_is_valid);
            }
            is_valid &= field_is_valid;
            if field_is_valid || !self.args.wants_errors() {
                continue;
            }
            let place = self.place_of_error(field.span.start);
            let error = match &decoded {
                Ok(item) => self.invalid(place, item)?,
                Err(error) => {
                    self.invalid_as(place, raw, error.clone())?;
                    Some(error.clone())
                }
            };
            // An address of a document is its own record.
            match (error, place) {
                (Some(error), Some(place)) if is_document => {
                    self.set_aside(place, decoded.as_deref().unwrap_or(raw), &error)?;
                }
                (error, _) => first = first.or(error),
            }
        }
        // A record that does not need an address, and does not have one, is not counted.
        let is_item = !record.fields.is_empty() || !is_valid;
        if is_item && !is_document {
            self.sink.tally.count(!is_valid);
        }
        if let (Some(error), Some(start)) = (first, start) {
            self.set_aside(start, body, &error)?;
        }
        if is_valid { Ok(()) } else { self.select(record.body.start..record.end) }
    }

    fn place(&mut self, at: usize) -> Place<'a> {
        self.block.place(&mut self.position, at)
    }

    /// Returns the place of an error, if the error is written.
    fn place_of_error(&mut self, at: usize) -> Option<Place<'a>> {
        self.args.writes_errors().then(|| self.place(at))
    }

    /// Reports why an item is invalid: all violations, if they are wanted, otherwise the first. Returns the first
    /// error.
    fn invalid(&mut self, place: Option<Place<'_>>, item: &[u8]) -> io::Result<Option<ItemError>> {
        let ill_formed = text::ill_formed(self.block.file.charset, item);
        if !self.args.all || ill_formed.is_some() {
            // PERF: the parser finds the first error in half the time.
            let error = ill_formed.or_else(|| self.rule.parse_bytes(item).err().map(Into::into));
            if let Some(error) = &error {
                self.invalid_as(place, item, error.clone())?;
            }
            return Ok(error);
        }
        let mut first = None;
        let mut remarks = place.map(|place| Remarks::new(place, item, self.style));
        for error in self.rule.violations_bytes(item).map(ItemError::from) {
            first.get_or_insert_with(|| error.clone());
            self.say(remarks.as_mut(), error)?;
        }
        Ok(first)
    }

    /// Reports that an item is invalid, with this error alone.
    fn invalid_as(
        &mut self,
        place: Option<Place<'_>>,
        item: &[u8],
        error: ItemError,
    ) -> io::Result<()> {
        self.say(place.map(|place| Remarks::new(place, item, self.style)).as_mut(), error)
    }

    /// Counts an error, and writes it if its place is given.
    fn say(&mut self, remarks: Option<&mut Remarks<'_>>, error: ItemError) -> io::Result<()> {
        self.sink.tally.kinds.note(error.kind);
        match remarks {
            Some(Remarks { place, item, .. }) if self.args.json => {
                let columns = Columns { names: &["input"], texts: &[*item] };
                json::write_transformed::<()>(self.sink, *place, columns, Err(error))
            }
            Some(remarks) if self.args.reports() => {
                self.sink.append(|out| remarks.append_error(out, &error))
            }
            _ => Ok(()),
        }
    }

    /// Sets an invalid record aside, if that is wanted.
    fn set_aside(&mut self, place: Place<'_>, record: &[u8], error: &ItemError) -> io::Result<()> {
        match &self.args.errors {
            Some(_) => self.sink.set_aside(|out| json::write_set_aside(out, place, record, error)),
            None => Ok(()),
        }
    }
}

/// Returns the end of the line that begins at `start`, with its separator.
fn end_of_line(bytes: &[u8], start: usize, separator: u8) -> usize {
    let rest = present(bytes.get(start..));
    memchr(separator, rest).map_or(bytes.len(), |length| start + length + 1)
}
