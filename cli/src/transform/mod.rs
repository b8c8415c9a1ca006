//! The loop of the commands that make one result of each item. A result replaces its item in the record, and every
//! other byte of the record is copied. Not here: how a command makes its result, and how a record is written, which
//! is in `writer`.

mod in_place;
mod item;
mod writer;

pub(crate) use item::{ItemOutput, Line, Text};

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use crate::args::output::To;
use crate::args::records::From;
use crate::args::transform::TransformArgs;
use crate::format::Record;
use crate::format::columnar::{Format, Tables};
use crate::io::input::{all_files, name};
use crate::io::interrupt;
use crate::io::output::{Output, create};
use crate::item_error::ItemError;
use crate::output::report::{self, Outcome, Verbosity};
use crate::pipe::sink::Tally;
use crate::pipe::{self, Beside, Options};
use crate::transform::item::Done;
use crate::transform::writer::{Scratch, Writer};

pub(crate) use writer::Unchanged;

/// Calls `make` with the columns of every item, and prints the result that `make` leaves in its second
/// argument. `names` are the names of the columns.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn run<const N: usize, T: ItemOutput>(
    args: &TransformArgs,
    names: [&'static str; N],
    out: &mut (impl Write + Send),
    make: impl Fn([&[u8]; N], &mut T) -> Result<(), ItemError> + Sync,
) -> io::Result<Outcome> {
    run_unless(args, names, None, out, make)
}

/// Does what [`run`] does. `unchanged` finds the items that are their own results, without a call of `make` for each.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn run_unless<const N: usize, T: ItemOutput>(
    args: &TransformArgs,
    names: [&'static str; N],
    unchanged: Option<Unchanged>,
    out: &mut (impl Write + Send),
    make: impl Fn([&[u8]; N], &mut T) -> Result<(), ItemError> + Sync,
) -> io::Result<Outcome> {
    if N > 1 && (args.output.add.is_some() || args.output.to.is_some()) {
        report::print_message(format_args!("--add and --to do not go with pairs"));
        return Ok(Outcome::Trouble);
    }
    let mut args = args.clone();
    if N > 1 {
        // A pair is a line with a tab, whatever the name of the file says.
        args.input.records.from.get_or_insert(From::Lines);
    }
    if !args.json && args.output.to.is_none() {
        args.output.to = columns(&args);
    }
    let args = &args;
    if let Err(message) = Format::of_output(args.output.to) {
        return Ok(trouble(&message));
    }
    let mut aside = match args.output.errors.as_deref().map(create).transpose() {
        Ok(aside) => aside,
        Err(message) => return Ok(trouble(&message)),
    };
    let mut total = Total::default();
    if args.output.in_place {
        let files = match all_files(&args.input) {
            Ok(files) => files,
            Err(error) => return Ok(trouble(&error.to_string())),
        };
        for file in files {
            let mut args = args.clone();
            args.input.files = vec![file.clone()];
            let replaced = in_place::replace(&file, |out| {
                let ended = one(&args, names, unchanged, out, aside.as_mut(), &make)?;
                let complete = ended.complete;
                total.add(&ended);
                Ok(complete)
            });
            if let Err(error) = replaced {
                let name = name(&file);
                total.complete = false;
                report::print_message(format_args!("{name}: not replaced: {error}"));
            }
            if total.stopped {
                break;
            }
        }
    } else if let Some(file) = &args.output.file {
        let mut out = match create(file) {
            Ok(out) => out,
            Err(message) => return Ok(trouble(&message)),
        };
        total.add(&one(args, names, unchanged, &mut out, aside.as_mut(), &make)?);
        out.finish()?;
    } else {
        total.add(&one(args, names, unchanged, out, aside.as_mut(), &make)?);
    }
    if let Some(aside) = aside {
        aside.finish()?;
    }
    total.print_summary(args);
    Ok(Outcome::new(total.complete, total.done.failed))
}

/// Makes the results of the input, and writes them to an output.
fn one<const N: usize, T: ItemOutput>(
    args: &TransformArgs,
    names: [&'static str; N],
    unchanged: Option<Unchanged>,
    out: &mut (impl Write + Send),
    aside: Option<&mut Output>,
    make: &(impl Fn([&[u8]; N], &mut T) -> Result<(), ItemError> + Sync),
) -> io::Result<pipe::Ended<Done>> {
    let is_file = args.output.file.is_some() || args.output.in_place;
    let terminal = !is_file && io::stdout().is_terminal();
    let failures = if args.fail_fast { 1 } else { args.output.max_errors.unwrap_or(u64::MAX) };
    let options = Options {
        failures,
        names: args.output.to.is_some_and(|to| to != To::Lines),
        additions: args.output.add.is_some() && args.output.to.is_none(),
        add: args.output.add.clone(),
        layout: None,
        // Columns have types that text has not.
        copies: !args.json && matches!(args.output.to, None | Some(To::Csv | To::Tsv | To::Jsonl)),
        only_counts: false,
    };
    let errors = aside.map(|aside| aside as &mut (dyn Write + Send));
    // No message is written between tables.
    let mut messages = io::stderr();
    let (out, tables): (&mut (dyn Write + Send), _) = match Format::of_output(args.output.to) {
        Ok(Some(format)) => (&mut messages, Some(Tables::new(format, out))),
        _ => (out, None),
    };
    let mut out = out;
    pipe::run(
        &args.input,
        &options,
        &mut out,
        Beside { errors, tables },
        || (Record::default(), Scratch::default()),
        |(record, scratch), block, sink| {
            Writer { args, names, unchanged, make, block, terminal, scratch }.block(record, sink)
        },
    )
}

/// Returns the format of the output, if the first file is one of columns.
fn columns(args: &TransformArgs) -> Option<To> {
    let first = args.input.files.first().map_or(Path::new("-"), |file| file);
    match args.input.format(first) {
        From::Parquet => Some(To::Parquet),
        From::Arrow => Some(To::Arrow),
        _ => None,
    }
}

/// The counts of all runs of a command.
#[derive(Default)]
struct Total {
    done: Done,
    complete: bool,
    stopped: bool,
    is_begun: bool,
}

impl Total {
    fn add(&mut self, ended: &pipe::Ended<Done>) {
        self.done.add(&ended.tally);
        self.complete = ended.complete && (self.complete || !self.is_begun);
        self.stopped |= ended.stopped;
        self.is_begun = true;
    }

    /// Prints how many records there were if one failed, or if some may be missing because the input could
    /// not be read to its end. JSON needs no summary.
    fn print_summary(&self, args: &TransformArgs) {
        let Done { made, failed } = self.done;
        let is_whole = self.complete || made + failed == 0;
        let is_usual = is_whole && !interrupt::has_come() && (failed == 0 || args.json);
        if is_usual && !report::says(Verbosity::Verbose) {
            return;
        }
        let items = report::counted(made + failed, args.input.counted());
        let stopped = match (self.stopped, args.output.max_errors) {
            (false, _) => String::new(),
            _ if interrupt::has_come() => "; interrupted".to_owned(),
            (true, None) => "; stopped at the first error".to_owned(),
            (true, Some(most)) => format!("; stopped after {most} that failed"),
        };
        report::print_summary(format_args!("{items}, {made} done, {failed} failed{stopped}"));
    }
}

fn trouble(message: &str) -> Outcome {
    report::print_message(format_args!("{message}"));
    Outcome::Trouble
}
