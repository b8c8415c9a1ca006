//! `iri recipe`: prints recipes.

use clap::Subcommand;

use crate::io::files::Outputs;
use crate::output::escape;
use crate::output::report::{Failure, Outcome};
use crate::recipe;

const EXAMPLES: &str = "\
Examples:
  iri recipe show crawler > ours.toml            a recipe to begin with
  iri recipe show ours.toml                      check a recipe, and print it
  iri recipe show tracking                       the names that drop-tracking drops, with their sources
  iri normalize --recipe ours.toml links.txt     use it

A recipe is a TOML file. All of its parts may be absent:
  base = \"http://a.example/\"    every reference is resolved relative to it

  [prepare]                     repairs; without this table, nothing is repaired
  profile = \"crawler\"           as iri prepare --profile
  context = \"html\"              as --context; also spaces and scheme

  [query]                       pairs of queries that are dropped
  drop-tracking = true          those of iri recipe show tracking
  drop = [\"sid\", \"ref_*\"]      others, by name; a star at the end is any text
  keep = [\"id\"]                 or all but these
  drop-fragment = true          also the fragment

  [normalize]                   the normal form; without this table, addresses stay as they are
  level = \"scheme\"              as iri normalize --level
  rules = [\"ipv6\"]              as --rule; also policy

  [key]                         which differences dedup and join ignore
  level = \"scheme\"              as iri dedup --level
  rules = []                    as --rule
  fragment = false              as --without-fragment";

/// Print recipes: how addresses are repaired, normalized and compared
///
/// prepare, normalize, dedup, join and stats take a recipe after --recipe: the name of a file, or crawler, rdf or
/// log. prepare does what its table prepare and its base say; normalize does all steps and prints the
/// address; stats counts these addresses; dedup and join compare by their keys.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RecipeCommandArgs {
    #[command(subcommand)]
    command: RecipeCommand,
}

#[derive(Debug, Subcommand)]
enum RecipeCommand {
    /// Print a recipe, if it is one
    Show {
        /// crawler, rdf, log, tracking, or the name of a file
        #[arg(value_name = "NAME")]
        name: String,
    },
}

pub(crate) fn run(args: &RecipeCommandArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let RecipeCommand::Show { name } = &args.command;
    let text = recipe::shown(name)?;
    let is_terminal = out.is_terminal();
    escape::write_text(out, text.as_bytes(), is_terminal)?;
    Ok(Outcome::AllValid)
}
