//! The program `iri`: reads references, one a line, checks them, takes them apart, transforms them, and
//! finds them in running text.
//!
//! This file turns the outcome of a command into an exit code. The rooms, each of which imports only rooms
//! before it: `item_error`, `output` (what is printed), `args` (arguments that commands share), `io` (how
//! items are read), `transform` and `with_base` (loops over items), `cmd` (the commands), `command_line`.
//! What is valid, the library decides.
#![forbid(unsafe_code)]

mod args;
mod cmd;
mod command_line;
mod invariant;
mod io;
mod item_error;
mod output;
mod transform;
mod with_base;

use std::io::{BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use command_line::Args;
use output::report::{self, Outcome};

fn main() -> ExitCode {
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let outcome = match Args::read() {
        Ok(args) => cmd::run(&args.command, &mut out).map(ExitCode::from),
        Err(message) => command_line::explain(&message, &mut out),
    };
    let code = match outcome.and_then(|code| out.flush().map(|()| code)) {
        Ok(code) => code,
        // Whoever read the output has seen enough: that is no trouble, but what was wrong before
        // it still counts.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Outcome::worst(),
        Err(error) => {
            report::complain(format_args!("cannot write: {error}"));
            Outcome::Trouble.into()
        }
    };
    report::flush();
    code
}
