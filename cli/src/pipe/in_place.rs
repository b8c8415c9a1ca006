//! Runs that replace their files, one after another.

use std::io;
use std::path::Path;

use crate::args::input::{Decompress, InputArgs};
use crate::args::limit::LimitArgs;
use crate::io::files::{self, Output};
use crate::io::input::{all_files, name};
use crate::output::report;
use crate::pipe::Ended;

/// Calls `run` with each file, the arguments that make it the only input, and what the files before it left of the
/// limit. Returns the result of all runs.
///
/// # Errors
/// The errors of `run`, or the files cannot be found.
pub(crate) fn each_file(
    input: &InputArgs,
    limit: LimitArgs,
    mut run: impl FnMut(&Path, InputArgs, LimitArgs) -> io::Result<Ended>,
) -> io::Result<Ended> {
    let mut total = Ended { complete: true, failures: limit.failures(), ..Ended::default() };
    for file in all_files(input)? {
        let input = InputArgs { found: Some(vec![file.clone()]), ..input.clone() };
        total.add(&run(&file, input, limit.after(total.tally.failed()))?);
        if total.stopped {
            break;
        }
    }
    Ok(total)
}

/// Replaces a file by what `run` writes. A file that is not read to its end, or that cannot be replaced, keeps its
/// old bytes.
///
/// # Errors
/// None: a failure is reported, and the result says that the input is not complete.
pub(crate) fn in_place(
    file: &Path,
    decompress: Decompress,
    backup: Option<&str>,
    run: impl FnOnce(&mut Output) -> io::Result<Ended>,
) -> io::Result<Ended> {
    let mut done = Ended::default();
    let replaced = files::replace(file, decompress, backup, |out| {
        done = run(out)?;
        Ok(done.is_whole())
    });
    if let Err(error) = replaced {
        done.complete = false;
        report::print_message(format_args!("{}: not replaced: {error}", name(file)));
    }
    Ok(done)
}
