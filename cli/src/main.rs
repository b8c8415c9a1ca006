//! The program `iri`: reads references, one a line, checks them, takes them apart, transforms them, and
//! finds them in running text.
//!
//! Here: the way from arguments to an exit code. The library decides what is valid. `args` has the
//! arguments, and each command has a file of its own.
#![forbid(unsafe_code)]

mod against;
mod args;
mod cmd;
mod fault;
mod io;
mod output;
mod rules;
mod transform;

use std::io::{BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use args::{Args, Command};
use cmd::*;
use output::report::{self, Outcome};

fn main() -> ExitCode {
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let outcome = match Args::read() {
        Ok(args) => run(&args, &mut out).map(ExitCode::from),
        Err(message) => args::explain(&message, &mut out),
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

fn run(args: &Args, out: &mut impl Write) -> std::io::Result<Outcome> {
    match &args.command {
        Command::Check(args) => check::run(args, out),
        Command::Parse(args) => parse::run(args, out),
        Command::Lint(args) => lint::run(args, out),
        Command::Extract(args) => extract::run(args, out),
        Command::ToUri(args) => to_uri::run(args, out),
        Command::ToIri(args) => to_iri::run(args, out),
        Command::Normalize(args) => normalize::run(args, out),
        Command::Compare(args) => compare::run(args, out),
        Command::Resolve(args) => resolve::run(args, out),
        Command::Relativize(args) => relativize::run(args, out),
        Command::Prepare(args) => prepare::run(args, out),
        Command::Display(args) => display::run(args, out),
        Command::Bidi(args) => bidi::run(args, out),
        Command::Escape(args) => document::escape(args, out),
        Command::Explain(args) => explain::run(args, out),
        Command::File(args) => file::run(args, out),
        Command::Interpret(args) => interpret::run(args, out),
        Command::Skeleton(args) => skeleton::run(args, out),
        Command::Unescape(args) => document::unescape(args, out),
    }
}
