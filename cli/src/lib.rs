//! The program `iri`. It reads references, one a line; checks, parses and transforms them; and finds
//! links in running text.
//!
//! The package is a program. Its code is a library so that `fuzz/` can reach the scanners of formats.
//!
//! This file runs the command and turns its outcome into an exit code. The library decides what is valid. Each room
//! imports only rooms before it: `invariant`, `item_error`, `output` (printing), `args` (arguments that commands
//! share), `recipe` (recipes), `io` (reading files), `format` (addresses in records), `pipe` (blocks, threads and the
//! order of results), `classes` (classes of equivalent records), `extract` (links of running text), `transform` and
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
mod recipe;
mod stats;
mod transform;
mod with_base;

use std::io::{BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use command_line::Args;
use output::report::{self, Outcome};

/// Runs the program with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout());
    let outcome = match Args::read() {
        Ok(args) => cmd::run(&args.command, Args::command(), &mut out).map(ExitCode::from),
        Err(message) => command_line::explain(&message, &mut out),
    };
    let code = match outcome.and_then(|code| out.flush().map(|()| code)) {
        Ok(code) => code,
        // The reader of the output closed it early. This is no error, but the errors before it count.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Outcome::worst(),
        Err(error) => {
            report::print_message(format_args!("cannot write: {error}"));
            Outcome::Trouble.into()
        }
    };
    report::flush();
    if io::interrupt::has_come() { io::interrupt::EXIT_CODE.into() } else { code }
}
