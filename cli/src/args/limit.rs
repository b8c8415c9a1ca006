//! The arguments that end a run after some errors.

/// The arguments that end a run after some errors.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct LimitArgs {
    /// Stop at the first record that fails
    #[arg(long)]
    fail_fast: bool,

    /// Stop after this many records that fail
    #[arg(
        help_heading = "Output",
        long,
        value_name = "N",
        conflicts_with = "fail_fast",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    max_errors: Option<u64>,
}

impl LimitArgs {
    /// Returns the number of records that fail after which the run stops.
    pub(crate) fn failures(self) -> u64 {
        if self.fail_fast { 1 } else { self.max_errors.unwrap_or(u64::MAX) }
    }

    /// Returns the same for the next file, after so many records of others have failed.
    pub(crate) fn after(self, failed: u64) -> Self {
        let left = self.max_errors.map(|most| most.saturating_sub(failed));
        Self { max_errors: left, ..self }
    }
}
