//! `iri man`: writes the manual pages of the program.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::io::files::{Named, Output, Outputs};
use crate::io::input::name;
use crate::output::report::{Failure, Outcome};

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

pub(crate) fn run(
    args: &ManArgs,
    program: clap::Command,
    out: &mut Outputs,
) -> Result<Outcome, Failure> {
    std::fs::create_dir_all(&args.folder)
        .map_err(|error| format!("{}: {error}", name(&args.folder)))?;
    for (file, page) in pages(program)? {
        let path = args.folder.join(file);
        let named = Named { option: "man", path, has_partial: false, replaces: None };
        let mut output = Output::open(&named)?;
        output.write_all(&page)?;
        out.pages.push(output);
    }
    Ok(Outcome::AllValid)
}

/// Returns the name and the text of each page: the page of the program, and a page for each command.
fn pages(mut program: clap::Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    program = program.disable_help_subcommand(true);
    program.build();
    let (mut commands, mut pages) = (vec![program], Vec::new());
    while let Some(command) = commands.pop() {
        commands
            .extend(command.get_subcommands().filter(|command| !command.is_hide_set()).cloned());
        let page = clap_mangen::Man::new(command);
        let mut text = Vec::new();
        page.render(&mut text)?;
        pages.push((page.get_filename(), text));
    }
    Ok(pages)
}
