//! The loop of the commands that make one result of each item. A result replaces its item in the record, and every
//! other byte of the record is copied. Not here: how a command makes its result, and how a record is written, which
//! is in `writer`.

mod hide;
mod item;
mod writer;

pub(crate) use hide::{Hide, replace};
pub(crate) use item::{Bytes, Done, ItemOutput, Line, Replaced, Text};

use std::io::{self, BufReader, Seek, Write};
use std::path::Path;

use crate::args::keep::Keep;
use crate::args::output::To;
use crate::args::records::From;
use crate::args::transform::TransformArgs;
use crate::format::Record;
use crate::format::columnar::{Format, Tables};
use crate::io::files::{self, Output, Outputs};
use crate::io::input::{Opened, all_files, name, open};
use crate::io::interrupt;
use crate::item_error::ItemError;
use crate::output::diff;
use crate::output::report::{self, Outcome};
use crate::output::screen;
use crate::output::summary::{self, Kinds, Summary};
use crate::pipe::block::Block;
use crate::pipe::sink::{Sink, Tally};
use crate::pipe::{self, Beside, Options};
use crate::transform::item::Make;
use crate::transform::writer::{Scratch, Writer};

pub(crate) use writer::Unchanged;

/// What comes before the results of single items.
#[derive(Clone, Copy, Default)]
pub(crate) struct Before<'r> {
    /// How to find the items that are their own results.
    pub(crate) unchanged: Option<Unchanged>,
    /// How the secrets of a block are replaced.
    pub(crate) hide: Option<Hide<'r>>,
}

/// Calls `make` with the columns of every item, and prints the result that `make` leaves in its second
/// argument. `names` are the names of the columns.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn run<const N: usize, T: ItemOutput>(
    args: &TransformArgs,
    names: [&'static str; N],
    out: &mut Outputs,
    make: impl Fn([&[u8]; N], &mut T) -> Result<(), ItemError> + Sync,
) -> io::Result<Outcome> {
    run_after(args, names, Before::default(), out, make)
}

/// Does what [`run`] does. `unchanged` finds the items that are their own results, without a call of `make` for each.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn run_unless<const N: usize, T: ItemOutput>(
    args: &TransformArgs,
    names: [&'static str; N],
    unchanged: Option<Unchanged>,
    out: &mut Outputs,
    make: impl Fn([&[u8]; N], &mut T) -> Result<(), ItemError> + Sync,
) -> io::Result<Outcome> {
    run_after(args, names, Before { unchanged, hide: None }, out, make)
}

/// Does what [`run`] does, after what comes before it.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn run_after<const N: usize, T: ItemOutput>(
    args: &TransformArgs,
    names: [&'static str; N],
    before: Before<'_>,
    out: &mut Outputs,
    make: impl Fn([&[u8]; N], &mut T) -> Result<(), ItemError> + Sync,
) -> io::Result<Outcome> {
    let total = match total(args, names, before, out, make)? {
        Ok(total) => total,
        Err(message) => return Ok(refused(&message)),
    };
    total.print_summary(args);
    Ok(total.outcome())
}

/// Makes the results, and returns their counts. The inner error is the message that the arguments are wrong.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn total<const N: usize, T: ItemOutput>(
    args: &TransformArgs,
    names: [&'static str; N],
    before: Before<'_>,
    out: &mut Outputs,
    make: impl Fn([&[u8]; N], &mut T) -> Result<(), ItemError> + Sync,
) -> io::Result<Result<Total, String>> {
    all(args, N, before, out, &Maker::<N, T> { names, make: &make })
}

/// A function that makes results, and the names of its columns.
struct Maker<'m, const N: usize, T> {
    names: [&'static str; N],
    make: &'m Make<'m, N, T>,
}

/// Makes results, whatever their type: the loop over files and threads is compiled once.
trait Results: Sync {
    /// Returns what writes the results of blocks in a thread.
    fn writer(&self) -> Box<dyn BlockWriter + '_>;
}

/// Writes the results of blocks, and keeps its memory from block to block.
trait BlockWriter {
    /// Writes the results of a block. If `is_hidden`, each item is its own result.
    ///
    /// # Errors
    /// The output cannot be written.
    fn write(
        &mut self,
        run: (&TransformArgs, Before<'_>, bool),
        block: &Block,
        is_hidden: bool,
        record: &mut Record,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()>;
}

/// A maker of results with the memory of a thread.
struct Thread<'m, const N: usize, T> {
    maker: &'m Maker<'m, N, T>,
    scratch: Scratch<T>,
}

impl<const N: usize, T: ItemOutput> Results for Maker<'_, N, T> {
    fn writer(&self) -> Box<dyn BlockWriter + '_> {
        Box::new(Thread { maker: self, scratch: Scratch::default() })
    }
}

impl<const N: usize, T: ItemOutput> BlockWriter for Thread<'_, N, T> {
    fn write(
        &mut self,
        (args, Before { unchanged, hide }, terminal): (&TransformArgs, Before<'_>, bool),
        block: &Block,
        is_hidden: bool,
        record: &mut Record,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        let (&Maker { names, make }, scratch) = (self.maker, &mut self.scratch);
        let same = |_: [&[u8]; N], made: &mut T| {
            *made = T::default();
            Ok(())
        };
        let make = if is_hidden { &same } else { make };
        Writer { args, names, unchanged, hide, make, block, terminal, scratch }.block(record, sink)
    }
}

/// Does what [`total`] does. `count` is the number of columns.
fn all(
    args: &TransformArgs,
    count: usize,
    before: Before<'_>,
    out: &mut Outputs,
    make: &dyn Results,
) -> io::Result<Result<Total, String>> {
    if count > 1 && (args.output.add.is_some() || args.output.to.is_some()) {
        return Ok(Err("--add and --to do not go with pairs".to_owned()));
    }
    let mut args = args.clone();
    if count > 1 {
        // A pair is a line with a tab, whatever the name of the file says.
        args.input.records.from.get_or_insert(From::Lines);
    }
    let asked = args.output.to;
    if !args.json && asked.is_none() {
        args.output.to = columns(&args);
    }
    let args = &args;
    if let Err(message) = Format::of_output(args.output.to) {
        return Ok(Err(message));
    }
    let is_terminal = out.is_terminal() && (!args.output.in_place || args.output.dry_run);
    let (mut out, mut errors) = out.parts();
    let mut total = Total::default();
    if args.output.in_place {
        // Each file is a run of its own, and is replaced or stays. The limit counts the failures of all files: a file
        // gets what the files before it have left.
        for file in all_files(&args.input)? {
            let mut args = args.clone();
            args.input.found = Some(vec![file.clone()]);
            args.limit = args.limit.after(total.done.failed());
            if !args.json && asked.is_none() {
                args.output.to = columns(&args);
            }
            if args.output.dry_run {
                let errors = errors.as_deref_mut();
                let ended = dry_run(&args, before, (out, is_terminal), errors, make)?;
                total.add(&ended);
                total.complete &= !ended.stopped;
                continue;
            }
            let replaced = files::replace(
                &file,
                args.input.decompress,
                args.output.backup.as_deref(),
                |out| {
                    let errors = errors.as_deref_mut();
                    let ended = one(&args, before, (out, false), errors, make)?;
                    // A file that could not be read to its end keeps its old bytes.
                    let is_complete = ended.complete && !ended.stopped;
                    total.add(&ended);
                    Ok(is_complete)
                },
            );
            if let Err(error) = replaced {
                let name = name(&file);
                // `is_begun` keeps this failure, even if all later files are read to their ends.
                (total.complete, total.is_begun) = (false, true);
                report::print_message(format_args!("{name}: not replaced: {error}"));
            }
            if total.stopped {
                break;
            }
        }
    } else {
        total.add(&one(args, before, (&mut out, is_terminal), errors, make)?);
    }
    Ok(Ok(total))
}

/// Makes the results of a file, and writes the differences.
fn dry_run(
    args: &TransformArgs,
    before: Before<'_>,
    (out, terminal): (&mut (dyn Write + Send), bool),
    errors: Option<&mut Output>,
    make: &dyn Results,
) -> io::Result<pipe::Ended<Done>> {
    // Reports are not part of the difference.
    screen::set_apart();
    let file = all_files(&args.input)?.pop().unwrap_or_default();
    if let Err(error) = files::check_replaceable(&file) {
        report::print_message(format_args!("{}: would not be replaced: {error}", name(&file)));
        return Ok(pipe::Ended::default());
    }
    if Format::of_output(args.output.to).is_ok_and(|format| format.is_some()) {
        // The writer of rows also writes the rows that change.
        writeln!(out, "--- {0}\n+++ {0}", name(&file))?;
        return one(args, before, (&mut &mut *out, terminal), errors, make);
    }
    let mut new = tempfile::tempfile()?;
    let ended = one(args, before, (&mut new, false), errors, make)?;
    if !ended.complete || ended.stopped {
        let name = name(&file);
        report::print_message(format_args!(
            "{name}: would not be replaced: the run ended before the end of the file"
        ));
        return Ok(ended);
    }
    new.rewind()?;
    // A file that cannot be read was reported before.
    if let Ok(Opened { name, input, .. }) =
        open(&file, args.input.decompress, args.input.charset, None, false)
    {
        let (old, new) = (BufReader::new(input.source), BufReader::new(new));
        diff::write(&name, old, new, terminal, out)?;
    }
    Ok(ended)
}

/// Makes the results of the input, and writes them to an output.
fn one(
    args: &TransformArgs,
    before: Before<'_>,
    (out, terminal): (&mut (dyn Write + Send), bool),
    errors: Option<&mut Output>,
    make: &dyn Results,
) -> io::Result<pipe::Ended<Done>> {
    let options = Options {
        failures: args.limit.failures(),
        names: args.output.to.is_some_and(|to| to != To::Lines),
        distinct: args.output.to.is_some_and(To::is_typed),
        additions: args.output.add.is_some() && args.output.to.is_none(),
        add: args.output.add.clone(),
        layout: None,
        // Columns have types, which text does not have.
        copies: !args.json && matches!(args.output.to, None | Some(To::Csv | To::Tsv | To::Jsonl)),
        wants_long: args.keep == Some(Keep::Input)
            || args.output.in_place
            || args.output.errors.is_some(),
        replaces: args.output.in_place,
        only_counts: false,
    };
    let errors = errors.map(|errors| errors as &mut (dyn Write + Send));
    // The bytes of a file of columns are written by `Tables` alone. Other output goes to standard error.
    let (mut messages, mut nowhere) = (io::stderr(), io::sink());
    let (out, tables): (&mut (dyn Write + Send), _) = match Format::of_output(args.output.to) {
        Ok(Some(format)) if args.output.dry_run => (out, Some(Tables::new(format, &mut nowhere))),
        Ok(Some(format)) => (&mut messages, Some(Tables::new(format, out))),
        _ => (out, None),
    };
    let mut out = out;
    pipe::run(
        &args.input,
        &options,
        &mut out,
        Beside { errors, tables },
        || (Record::default(), make.writer()),
        |(record, writer), block, sink: &mut Sink<'_, '_, Done>| {
            let hidden = match before.hide {
                Some(hide) => hide.block(block, &args.output, record)?,
                None => None,
            };
            if let Some((_, replaced)) = &hidden {
                sink.tally.replaced.get_or_insert_default().add(replaced);
            }
            let block = hidden.as_ref().map_or(block, |(block, _)| block);
            writer.write((args, before, terminal), block, hidden.is_some(), record, sink)
        },
    )
}

/// Returns the format of the output, if the first file is a file of columns.
fn columns(args: &TransformArgs) -> Option<To> {
    let files = args.input.found.as_ref().unwrap_or(&args.input.files);
    let first = files.first().map_or(Path::new("-"), |file| file);
    match args.input.format(first) {
        From::Parquet => Some(To::Parquet),
        From::Arrow => Some(To::Arrow),
        _ => None,
    }
}

/// The counts of all runs of a command.
#[derive(Default)]
pub(crate) struct Total {
    pub(crate) done: Done,
    pub(crate) kinds: Kinds,
    complete: bool,
    pub(crate) stopped: bool,
    is_begun: bool,
}

impl Total {
    fn add(&mut self, ended: &pipe::Ended<Done>) {
        self.done.add(&ended.tally);
        self.kinds.add(&ended.kinds);
        // Before the first run, `complete` is false by default, and says nothing.
        self.complete = ended.complete && (self.complete || !self.is_begun);
        self.stopped |= ended.stopped;
        self.is_begun = true;
    }

    /// Tells whether all input was read.
    pub(crate) fn is_complete(&self) -> bool {
        self.complete && !self.stopped
    }

    pub(crate) fn outcome(&self) -> Outcome {
        Outcome::new(self.complete, self.stopped, self.done.failed())
    }

    /// Prints how many records there were, if a record failed, or if records may be missing because the input could
    /// not be read to its end. With JSON, records that fail are no reason for a summary.
    fn print_summary(&self, args: &TransformArgs) {
        let Done { made, failed, replaced, .. } = &self.done;
        let (made, failed) = (*made, *failed);
        let is_whole = self.complete || made + failed == 0;
        let is_usual = is_whole && !interrupt::has_come() && (failed == 0 || args.json);
        // Nobody asked for this.
        let is_partial = replaced.as_ref().is_some_and(Replaced::is_partial);
        let is_usual = is_usual && !(is_partial && args.input.records.field.is_none());
        if is_usual && !summary::is_asked() {
            return;
        }
        let items = report::counted(made + failed, args.input.counted());
        let stopped = pipe::stopped(self.stopped, args.limit.failures());
        let values = replaced.as_ref().map(|replaced| format!(", {replaced}"));
        let values = values.unwrap_or_default();
        let text = format!("{items}, {made} done, {failed} failed{values}{stopped}");
        let mut counts = vec![("items", made + failed), ("done", made), ("failed", failed)];
        if let Some(replaced) = replaced {
            counts.push(("replaced", replaced.count()));
            counts.extend(replaced.kinds());
        }
        let complete = self.is_complete();
        Summary { text, counts: &counts, kinds: &self.kinds, complete }.print();
    }
}

fn refused(message: &str) -> Outcome {
    report::print_message(format_args!("{message}"));
    Outcome::Refused
}
