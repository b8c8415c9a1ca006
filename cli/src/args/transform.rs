//! The arguments of the commands that make one result of each item.

use crate::args::input::InputArgs;
use crate::args::keep::Keep;

/// The arguments of the commands that make one result of each item.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TransformArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Print a JSON object for every item, one a line, for items that fail too
    ///
    /// Without this option, errors go to standard error.
    #[arg(long)]
    pub(crate) json: bool,

    /// Stop at the first item that fails
    #[arg(long)]
    pub(crate) fail_fast: bool,

    /// Print a line for every item that fails too, so that output lines match input lines
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with = "json")]
    pub(crate) keep: Option<Keep>,
}
