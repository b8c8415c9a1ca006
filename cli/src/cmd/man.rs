//! `iri man`: writes the manual pages of the program.

use std::io;
use std::path::PathBuf;

use crate::output::report::{self, Outcome};

const EXAMPLES: &str = "\
Examples:
  iri man ~/.local/share/man/man1     then man iri-normalize shows a page";

/// Write the manual pages of the program to a folder
///
/// There is a page for the program, and a page for each of its commands.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// The folder, which is made if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(crate) fn run(args: &ManArgs, program: clap::Command) -> io::Result<Outcome> {
    let written = std::fs::create_dir_all(&args.folder)
        .and_then(|()| clap_mangen::generate_to(program, &args.folder));
    match written {
        Ok(()) => Ok(Outcome::AllValid),
        Err(error) => {
            let folder = crate::io::input::name(&args.folder);
            report::print_message(format_args!("{folder}: {error}"));
            Ok(Outcome::Trouble)
        }
    }
}
