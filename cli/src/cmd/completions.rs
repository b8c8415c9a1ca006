//! `iri completions`: prints a script that completes the command line of a shell.

use std::io::Write;

use clap_complete::Shell;

use crate::output::report::{Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  iri completions bash > ~/.local/share/bash-completion/completions/iri
  iri completions fish > ~/.config/fish/completions/iri.fish
  iri completions zsh > ~/.zfunc/_iri";

/// Print a script that completes commands and options in a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(
    args: &CompletionsArgs,
    mut program: clap::Command,
    out: &mut (impl Write + Send),
) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "iri", &mut script);
    out.write_all(&script)?;
    Ok(Outcome::AllValid)
}
