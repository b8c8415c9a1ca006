//! The program `iri`. It reads references, one a line; checks, parses and transforms them; and finds
//! links in running text.
//!
//! The package is a program. Its code is a library so that `fuzz/` can reach the scanners of formats.
//!
//! This file runs the command and turns its outcome into an exit code. The library decides what is valid. Each room
//! imports only rooms before it: `random` (of tests), `invariant`, `item_error`, `output` (printing), `args` (arguments that
//! commands share), `recipe` (recipes), `io` (reading files), `spans` (addresses of many records at once), `format` (addresses
//! in records), `pipe` (blocks, threads and the order of results), `classes` (classes of equivalent records), `extract` (links of running text), `transform` and
//! `with_base` (the loops over items), `stats` (counts and their output), `cmd` (the commands), `command_line`.
#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod fuzzing;

mod args;
mod classes;
mod cmd;
mod command_line;
mod extract;
mod format;
mod invariant;
mod io;
mod item_error;
mod output;
mod pipe;
#[cfg(test)]
mod random;
mod recipe;
mod spans;
mod stats;
mod transform;
mod with_base;

use std::process::ExitCode;

use clap::CommandFactory;
use command_line::Args;
use io::files::Outputs;
use output::report::{self, Failure, Outcome};

#[cfg(unix)]
#[doc(hidden)]
pub use io::closed::note as note_streams;

/// Runs the program with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let code = match Args::read() {
        Ok(args) => run(args),
        Err(message) => {
            let mut out = Outputs::stdout();
            let outcome = command_line::explain(message, &mut out);
            out.end(outcome)
        }
    };
    report::flush();
    code
}

/// Runs a command: plans its files, opens its outputs, and gives the outputs their names if the run is complete.
fn run(mut args: Args) -> ExitCode {
    if args.summary.is_some() && !args.command.has_summary() {
        let message = "the command has no summary; iri check --summary json counts invalid items by kind of error";
        report::print_message(format_args!("{message}"));
        return Outcome::Refused.into();
    }
    let planned = cmd::plan(&mut args.command, args.output).and_then(|plan| {
        plan.check()?;
        Outputs::open(&plan.outputs)
    });
    match planned {
        Ok(mut out) => {
            let outcome = match cmd::run(&args.command, Args::command(), &mut out) {
                Err(Failure::Refused(message)) => {
                    report::print_message(format_args!("{message}"));
                    Ok(Outcome::Refused)
                }
                Err(Failure::Unwritten(error)) => Err(error),
                Ok(outcome) => Ok(outcome),
            };
            out.end(outcome)
        }
        Err(message) => {
            report::print_message(format_args!("{message}"));
            Outcome::Refused.into()
        }
    }
}
