//! What a run needs besides its input, and what it returns.

use std::io::Write;

use crate::format::Layout;
use crate::format::columnar::Tables;
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
    /// Whether records are written as text. Rows of columns cannot be.
    pub(crate) copies: bool,
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
            copies: false,
            only_counts: false,
        }
    }
}

/// Where a run writes besides its output.
#[derive(Default)]
pub(crate) struct Beside<'o> {
    /// Where records that fail are set aside.
    pub(crate) errors: Option<&'o mut (dyn Write + Send)>,
    /// Where tables are written.
    pub(crate) tables: Option<Tables<'o>>,
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
