//! `iri check`: reports which items are invalid, with position and reason.

use std::io::{self, Write};
use std::ops::ControlFlow;

use memchr::{memchr, memchr_iter};
use simd_iri::Rule;
use simd_iri::batch::{Batch, Separated};

use crate::args::input::InputArgs;
use crate::args::kind::Kind;
use crate::format::{Layout, Record};
use crate::invariant::present;
use crate::io::files::Outputs;
use crate::io::text;
use crate::output::report::{self, Outcome, Style};
use crate::output::screen;
use crate::pipe::block::{Block, Position};
use crate::pipe::copy::Copy;
use crate::pipe::sink::{Sink, Tally};
use crate::pipe::{self, Beside, Options};

const EXAMPLES: &str = "\
Examples:
  iri check links.txt                     report the lines that are not IRIs
  iri check --all --as uri links.txt      every violation of each line, for plain URIs
  grep -o 'http[^ ]*' log | iri check     check what another program found
  iri check --valid links.txt > good.txt  keep the good ones
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
    #[arg(long = "as", value_name = "KIND", value_enum)]
    kind: Option<Kind>,

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
}

pub(crate) fn run(args: &CheckArgs, out: &mut Outputs) -> io::Result<Outcome> {
    let terminal = out.is_terminal();
    let style = Style::new(terminal.then(screen::stdout_width));
    let work = |record: &mut Record, block: &Block, sink: &mut Sink<'_, '_, Checked>| {
        let usual = if block.file.layout.has_targets() { Kind::IriReference } else { Kind::Iri };
        let kind = args.kind.unwrap_or(usual);
        let checker = Checker { args, rule: kind.into(), terminal, style };
        // A carriage return before a newline is not part of a line, but it is part of an item of a batch.
        let is_plain = block.long.is_none() && memchr(b'\r', block.bytes()).is_none();
        match block.file.layout {
            Layout::Lines(separator) if is_plain => checker.lines(separator, block, sink),
            _ => checker.records(record, block, sink),
        }?;
        sink.tally.kinds = vec![kind];
        Ok(())
    };
    let copies = args.valid || args.invalid;
    let options = Options { copies, only_counts: args.count, ..Options::default() };
    let ended = pipe::run(&args.input, &options, out, Beside::default(), Record::default, work)?;
    let Checked { valid, invalid, ref kinds } = ended.tally;
    let items = report::counted(valid + invalid, args.input.counted());
    let kinds: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
    let kind = if kinds.is_empty() {
        args.kind.unwrap_or(Kind::Iri).name().to_owned()
    } else {
        kinds.join(" or ")
    };
    let summary = format!("{items}, {valid} valid, {invalid} invalid as {kind}");
    if args.count {
        writeln!(out, "{summary}")?;
    } else {
        // The reports come before the summary, even if both go to the same file.
        out.flush()?;
        report::print_summary(format_args!("{summary}"));
    }
    Ok(ended.outcome(invalid))
}

/// The numbers of valid and of invalid records.
#[derive(Default)]
struct Checked {
    valid: u64,
    invalid: u64,
    /// The kinds that the items should have.
    kinds: Vec<Kind>,
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
        if self.args.count {
            let count = batch.count(items);
            sink.tally.valid = count.valid;
            sink.tally.invalid = count.invalid();
            return Ok(());
        }
        let is_copied = self.args.valid || self.args.invalid;
        let mut copy = match is_copied {
            true => Some(Copy::new(block, self.terminal, sink)?),
            false => None,
        };
        let mut position = block.start();
        let mut invalid = 0;
        for item in batch.invalid(items) {
            invalid += 1;
            let start = block.range.start + (item.as_ptr().addr() - lines.as_ptr().addr());
            let whole = start..end_of_line(bytes, start, separator);
            match &mut copy {
                Some(copy) if self.args.valid => copy.replace(whole, b"", sink)?,
                Some(copy) => copy.only(whole, sink)?,
                None => self.report(block, &mut position, start, item, sink)?,
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

    /// Checks the fields of records. A record is valid if all its fields are.
    fn records(
        &self,
        record: &mut Record,
        block: &Block,
        sink: &mut Sink<'_, '_, Checked>,
    ) -> io::Result<()> {
        let mut position = block.start();
        let is_copied = self.args.valid || self.args.invalid;
        let mut copy = match is_copied {
            true => Some(Copy::new(block, self.terminal, sink)?),
            false => None,
        };
        let mut written = Ok(());
        let _ = block.each(record, |record| {
            written = self.record(block, record, &mut position, copy.as_mut(), sink);
            if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        written?;
        if let Some(copy) = copy.filter(|_| self.args.valid) {
            copy.finish(sink)?;
        }
        if let Some((place, long)) = block.long() {
            sink.tally.invalid += 1;
            if !(is_copied || self.args.count) {
                report::write_remarks(sink, place, b"", [long.error()], self.style)?;
            }
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
        let is_reported = !(self.args.valid || self.args.invalid || self.args.count);
        let is_document = block.file.layout.is_document();
        let mut is_valid = record.error.is_none();
        if let Some(error) = record.error.clone().filter(|_| is_reported) {
            let body = present(bytes.get(record.body.clone()));
            let place = block.place(position, record.body.start);
            report::write_remarks(sink, place, body, [error], self.style)?;
        }
        for field in &record.fields {
            let raw = present(bytes.get(field.span.clone()));
            let decoded = block.file.layout.item(bytes, record, field);
            let field_is_valid = decoded.as_ref().is_ok_and(|item| self.rule.is_valid_bytes(item));
            if is_document {
                let count =
                    if field_is_valid { &mut sink.tally.valid } else { &mut sink.tally.invalid };
                *count += 1;
            }
            is_valid &= field_is_valid;
            if field_is_valid || !is_reported {
                continue;
            }
            match decoded {
                Ok(item) => self.report(block, position, field.span.start, &item, sink)?,
                Err(error) => {
                    let place = block.place(position, field.span.start);
                    report::write_remarks(sink, place, raw, [error], self.style)?;
                }
            }
        }
        // A record that has no address, and needs none, is not an item.
        let is_item = !record.fields.is_empty() || !is_valid;
        if is_item && !is_document {
            *(if is_valid { &mut sink.tally.valid } else { &mut sink.tally.invalid }) += 1;
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

    /// Reports the violations of an invalid item.
    fn report(
        &self,
        block: &Block,
        position: &mut Position,
        start: usize,
        item: &[u8],
        sink: &mut Sink<'_, '_, Checked>,
    ) -> io::Result<()> {
        let place = block.place(position, start);
        if let Some(error) = text::ill_formed(block.file.charset, item) {
            return report::write_remarks(sink, place, item, [error], self.style);
        }
        let most = if self.args.all { usize::MAX } else { 1 };
        let errors = self.rule.violations(item).take(most);
        report::write_remarks(sink, place, item, errors, self.style)
    }
}

/// Returns the end of the line that begins at `start`, with its separator.
fn end_of_line(bytes: &[u8], start: usize, separator: u8) -> usize {
    let rest = present(bytes.get(start..));
    memchr(separator, rest).map_or(bytes.len(), |length| start + length + 1)
}
