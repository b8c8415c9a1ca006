//! What a run needs besides its input, and what it returns.

use crate::format::Layout;
use crate::output::report::Outcome;

/// What a run needs besides its input.
pub(crate) struct Options {
    /// After how many records that fail the run stops.
    pub(crate) failures: u64,
    /// Whether the names of the fields of each file are wanted.
    pub(crate) names: bool,
    /// Whether records must have a place for a new field.
    pub(crate) additions: bool,
    /// The layout of all files; without it, the arguments and the name of a file decide.
    pub(crate) layout: Option<Layout>,
    /// Whether a block writes nothing, so that blocks need not wait for each other.
    pub(crate) only_counts: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            failures: u64::MAX,
            names: false,
            additions: false,
            layout: None,
            only_counts: false,
        }
    }
}

/// The result of a run.
pub(crate) struct Ended<T> {
    pub(crate) tally: T,
    /// Whether all input could be read.
    pub(crate) complete: bool,
    /// Whether the run stopped because of its limits.
    pub(crate) stopped: bool,
}

impl<T> Ended<T> {
    /// Returns the outcome of a run in which some records failed.
    pub(crate) fn outcome(&self, failed: u64) -> Outcome {
        Outcome::new(self.complete, failed)
    }
}
