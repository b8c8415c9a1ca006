//! The program `iri`: reads references a line at a time, checks them, takes them apart, or makes
//! others of them; and finds them in running text.
//!
//! Here: the way from arguments to an exit code. What is valid, and why not, the library knows;
//! `args` says what can be asked, and each sub-command has a file of its own.
#![forbid(unsafe_code)]

mod against;
mod args;
mod bidi;
mod check;
mod columns;
mod compare;
mod display;
mod document;
mod escape;
mod explain;
mod extract;
mod fault;
mod file;
mod input;
mod interpret;
mod json;
mod lint;
mod normalize;
mod parse;
mod picture;
mod prepare;
mod relativize;
mod report;
mod resolve;
mod rules;
mod skeleton;
mod template;
mod to_iri;
mod to_uri;
mod transform;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let outcome = match &args.command {
        Command::Check(args) => check::run(args, &mut out),
        Command::Parse(args) => parse::run(args, &mut out),
        Command::Lint(args) => lint::run(args, &mut out),
        Command::Extract(args) => extract::run(args, &mut out),
        Command::ToUri(args) => to_uri::run(args, &mut out),
        Command::ToIri(args) => to_iri::run(args, &mut out),
        Command::Normalize(args) => normalize::run(args, &mut out),
        Command::Compare(args) => compare::run(args, &mut out),
        Command::Resolve(args) => resolve::run(args, &mut out),
        Command::Relativize(args) => relativize::run(args, &mut out),
        Command::Prepare(args) => prepare::run(args, &mut out),
        Command::Display(args) => display::run(args, &mut out),
        Command::Bidi(args) => bidi::run(args, &mut out),
        Command::Escape(args) => document::escape(args, &mut out),
        Command::Explain(args) => explain::run(args, &mut out),
        Command::File(args) => file::run(args, &mut out),
        Command::Interpret(args) => interpret::run(args, &mut out),
        Command::Skeleton(args) => skeleton::run(args, &mut out),
        Command::Unescape(args) => document::unescape(args, &mut out),
    };
    match outcome.and_then(|outcome| out.flush().map(|()| outcome)) {
        Ok(outcome) => outcome.into(),
        // Whoever read the output has seen enough: that is no trouble, as in ripgrep.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            report::complain(format_args!("cannot write: {error}"));
            report::Outcome::Trouble.into()
        }
    }
}
