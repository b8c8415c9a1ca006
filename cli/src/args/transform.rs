//! The arguments of the commands that make one result of each item.

use crate::args::input::InputArgs;
use crate::args::keep::Keep;
use crate::args::limit::LimitArgs;
use crate::args::output::OutputArgs;

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

    #[command(flatten)]
    pub(crate) limit: LimitArgs,

    /// What to print in the place of an item that fails; by default, its record is left out
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with = "json")]
    pub(crate) keep: Option<Keep>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl TransformArgs {
    /// Returns the first option, except --keep, that needs a result for each item.
    pub(crate) fn of_results(&self) -> Option<&'static str> {
        let OutputArgs { add, to, in_place, errors, .. } = &self.output;
        let options = [
            ("--add", add.is_some()),
            ("--to", to.is_some()),
            ("--in-place", *in_place),
            ("--errors", errors.is_some()),
        ];
        options.into_iter().find(|(_, is_set)| *is_set).map(|(option, _)| option)
    }
}
