//! The loop of the commands that make one result of each item. A result replaces its item in the record, and every
//! other byte of the record is copied. Not here: how a command makes its result, and how a record is written, which
//! is in `writer`.

mod hide;
mod item;
mod writer;

pub(crate) use hide::{Hide, replace};
pub(crate) use item::{Bytes, ItemOutput, Line, Text};

use std::io::{self, BufReader, Seek, Write};
use std::path::Path;

use serde::Serialize;

use crate::args::keep::Keep;
use crate::args::output::To;
use crate::args::records::From;
use crate::args::transform::TransformArgs;
use crate::format::Record;
use crate::format::columnar::{Format, Tables};
use crate::io::files::{self, Output, Outputs};
use crate::io::input::{Opened, name, open};
use crate::io::{interrupt, temporary};
use crate::item_error::ItemError;
use crate::output::diff;
use crate::output::report::{self, Failure, Outcome};
use crate::output::{screen, summary};
use crate::pipe::block::Block;
use crate::pipe::sink::Sink;
use crate::pipe::tally::{Replaced, Tally};
use crate::pipe::{self, Beside, Ended, Options, Worker};
use crate::transform::item::{Held, Slot};
use crate::transform::writer::{Run, Scratch, Writer};

pub(crate) use writer::{Before, Unchanged};

/// Calls `make` with every item, and prints the result that `make` leaves in its second argument.
///
/// # Errors
/// The output cannot be written, or the arguments are wrong.
pub(crate) fn run<T: ItemOutput + Default + Serialize>(
    args: &TransformArgs,
    out: &mut Outputs,
    make: impl Fn(&[u8], &mut T) -> Result<(), ItemError> + Sync,
) -> Result<Outcome, Failure> {
    run_after(args, Before::default(), out, make)
}

/// Does what [`run`] does, after what comes before it.
///
/// # Errors
/// The errors of [`run`].
pub(crate) fn run_after<T: ItemOutput + Default + Serialize>(
    args: &TransformArgs,
    before: Before<'_>,
    out: &mut Outputs,
    make: impl Fn(&[u8], &mut T) -> Result<(), ItemError> + Sync,
) -> Result<Outcome, Failure> {
    let ended = total(args, before, out, make)?;
    print_summary(&ended, args);
    Ok(ended.outcome())
}

/// Does what [`run`] does, with items that are pairs of columns with a tab between them.
///
/// # Errors
/// The errors of [`run`].
pub(crate) fn pairs<T: ItemOutput + Default + Serialize>(
    args: &TransformArgs,
    names: &'static [&'static str; 2],
    out: &mut Outputs,
    make: impl Fn([&[u8]; 2], &mut T) -> Result<(), ItemError> + Sync,
) -> Result<Outcome, Failure> {
    if args.output.add.is_some() || args.output.to.is_some() {
        return Err("--add and --to do not go with pairs".into());
    }
    let mut args = args.clone();
    // A pair is a line with a tab, whatever the name of the file says.
    args.input.records.from.get_or_insert(From::Lines);
    let slot =
        || -> Box<dyn Slot + '_> { Box::new(Held { names, make: &make, made: T::default() }) };
    let ended = all(&args, Before::default(), out, &slot)?;
    print_summary(&ended, &args);
    Ok(ended.outcome())
}

/// Makes the results of items, and returns their counts.
///
/// # Errors
/// The errors of [`run`].
pub(crate) fn total<T: ItemOutput + Default + Serialize>(
    args: &TransformArgs,
    before: Before<'_>,
    out: &mut Outputs,
    make: impl Fn(&[u8], &mut T) -> Result<(), ItemError> + Sync,
) -> Result<Ended, Failure> {
    let make = |[item, _]: [&[u8]; 2], made: &mut T| make(item, made);
    let slot = || -> Box<dyn Slot + '_> {
        Box::new(Held { names: &["input"], make: &make, made: T::default() })
    };
    all(args, before, out, &slot)
}

/// Returns the result of a thread, whatever its type.
type Slots<'m> = dyn Fn() -> Box<dyn Slot + 'm> + Sync + 'm;

/// Returns a block without its secrets, if they are replaced before the results are made.
fn hidden(
    run: Run<'_>,
    block: &Block,
    record: &mut Record,
    sink: &mut Sink<'_>,
) -> io::Result<Option<Block>> {
    let Some(hide) = run.before.hide else { return Ok(None) };
    let hidden = hide.block(block, &run.args.output, record)?;
    Ok(hidden.map(|(block, replaced)| {
        sink.tally.replaced.get_or_insert_default().add(&replaced);
        block
    }))
}

/// Makes the results of all files.
fn all(
    args: &TransformArgs,
    before: Before<'_>,
    out: &mut Outputs,
    make: &Slots<'_>,
) -> Result<Ended, Failure> {
    let with_columns = |mut args: TransformArgs| {
        if !args.json && args.output.to.is_none() {
            args.output.to = columns(&args);
        }
        args
    };
    Format::of_output(with_columns(args.clone()).output.to)?;
    let is_terminal = out.is_terminal();
    let (out, mut errors) = out.parts();
    if !args.output.in_place {
        return Ok(one(&with_columns(args.clone()), before, (out, is_terminal), errors, make)?);
    }
    // Each file is a run of its own, and is replaced or stays. The limit counts the failures of all files: a file
    // gets what the files before it have left.
    let of_file = |input, limit| with_columns(TransformArgs { input, limit, ..args.clone() });
    let ended = pipe::each_file(&args.input, args.limit, |file, input, limit| {
        let (args, errors) = (of_file(input, limit), errors.as_deref_mut());
        if args.output.dry_run {
            let ended = dry_run(&args, file, before, (out, is_terminal), errors, make)?;
            return Ok(Ended { complete: ended.is_whole(), ..ended });
        }
        let backup = args.output.backup.as_deref();
        pipe::in_place(file, args.input.decompress, backup, |out| {
            one(&args, before, (out, false), errors, make)
        })
    })?;
    Ok(ended)
}

/// Makes the results of a file, and writes the differences.
fn dry_run(
    args: &TransformArgs,
    file: &Path,
    before: Before<'_>,
    (out, terminal): (&mut (dyn Write + Send), bool),
    errors: Option<&mut Output>,
    make: &Slots<'_>,
) -> io::Result<Ended> {
    // Reports are not part of the difference.
    screen::set_apart();
    if let Err(error) = files::check_replaceable(file) {
        report::print_message(format_args!("{}: would not be replaced: {error}", name(file)));
        return Ok(Ended::default());
    }
    if Format::of_output(args.output.to).is_ok_and(|format| format.is_some()) {
        // The writer of rows also writes the rows that change.
        writeln!(out, "--- {0}\n+++ {0}", name(file))?;
        return one(args, before, (out, terminal), errors, make);
    }
    let mut new = temporary::file()?;
    let ended = one(args, before, (&mut new, false), errors, make)?;
    if !ended.is_whole() {
        let name = name(file);
        report::print_message(format_args!(
            "{name}: would not be replaced: the run ended before the end of the file"
        ));
        return Ok(ended);
    }
    new.rewind()?;
    // A file that cannot be read was reported before.
    if let Ok(Opened { name, input, .. }) =
        open(file, args.input.decompress, args.input.charset, None, 1)
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
    make: &Slots<'_>,
) -> io::Result<Ended> {
    let options = Options {
        limit: args.limit,
        names: args.output.to.is_some_and(|to| to != To::Lines),
        distinct: args.output.to.is_some_and(To::is_typed),
        additions: args.output.add.is_some() && args.output.to.is_none(),
        add: args.output.add.clone(),
        // Columns have types, which text does not have.
        copies: !args.json && matches!(args.output.to, None | Some(To::Csv | To::Tsv | To::Jsonl)),
        wants_long: args.keep == Some(Keep::Input)
            || args.output.in_place
            || args.output.errors.is_some(),
        replaces: args.output.in_place,
        ..Options::default()
    };
    let errors = errors.map(|errors| errors as &mut (dyn Write + Send));
    // The bytes of a file of columns are written by `Tables` alone. Other output goes to standard error.
    let (mut messages, mut nowhere) = (io::stderr(), io::sink());
    let (out, tables): (&mut (dyn Write + Send), _) = match Format::of_output(args.output.to) {
        Ok(Some(format)) if args.output.dry_run => (out, Some(Tables::new(format, &mut nowhere))),
        Ok(Some(format)) => (&mut messages, Some(Tables::new(format, out))),
        _ => (out, None),
    };
    let run = Run { args, before, terminal };
    let worker = || -> Worker<'_> {
        let (mut record, mut scratch, mut made) = (Record::default(), Scratch::default(), make());
        Box::new(move |block, sink| {
            // The secrets of a hidden block are replaced: each item is its own result.
            let hidden = hidden(run, block, &mut record, sink)?;
            let (is_hidden, block) = (hidden.is_some(), hidden.as_ref().unwrap_or(block));
            Writer::new(run, (&mut *made, is_hidden), block, &mut scratch, sink).block(&mut record)
        })
    };
    pipe::run(&args.input, &options, out, Beside { errors, tables }, &worker)
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

/// Prints how many records there were, if a record failed, or if records may be missing because the input could
/// not be read to its end. With JSON, records that fail are no reason for a summary.
fn print_summary(ended: &Ended, args: &TransformArgs) {
    let Tally { made, failed, ref replaced, .. } = ended.tally;
    let records = ended.tally.records();
    let is_whole = ended.complete || records == 0;
    let is_usual = is_whole && !interrupt::has_come() && (failed == 0 || args.json);
    // Nobody asked for this.
    let is_partial = replaced.as_ref().is_some_and(Replaced::is_partial);
    let is_usual = is_usual && !(is_partial && args.input.records.field.is_none());
    if is_usual && !summary::is_asked() {
        return;
    }
    let items = report::counted(records, args.input.counted());
    let mut text = format!("{items}, {made} done, {failed} failed");
    let mut counts = vec![("items", records), ("done", made), ("failed", failed)];
    if let Some(replaced) = replaced {
        text += &format!(", {replaced}");
        counts.push(("replaced", replaced.count()));
        counts.extend(replaced.kinds());
    }
    ended.summary(&text, &counts).print();
}
