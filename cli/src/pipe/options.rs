//! The input of a run besides the files, and its result.

use std::io::Write;

use crate::format::Layout;
use crate::format::columnar::Tables;
use crate::io::interrupt;
use crate::output::report::Outcome;
use crate::output::summary::Kinds;

/// The input of a run besides the files.
pub(crate) struct Options {
    /// The run stops after this many records that fail.
    pub(crate) failures: u64,
    /// Whether the names of the fields of each file are wanted.
    pub(crate) names: bool,
    /// Whether each name must be of one field.
    pub(crate) distinct: bool,
    /// Whether records must have a place for a new field.
    pub(crate) additions: bool,
    /// The name of the new field, which the records do not have yet.
    pub(crate) add: Option<String>,
    /// The layout of all files; without it, the arguments and the name of a file decide.
    pub(crate) layout: Option<Layout>,
    /// Whether records are written as text. Rows of columns cannot be.
    pub(crate) copies: bool,
    /// Whether the bytes of records that are too long are wanted.
    pub(crate) wants_long: bool,
    /// Whether the output takes the place of the input, whose other bytes must stay.
    pub(crate) replaces: bool,
    /// Whether a block writes nothing, so that blocks need not wait for each other.
    pub(crate) only_counts: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            failures: u64::MAX,
            names: false,
            distinct: false,
            additions: false,
            add: None,
            layout: None,
            copies: false,
            wants_long: false,
            replaces: false,
            only_counts: false,
        }
    }
}

/// The destinations of a run besides its output.
#[derive(Default)]
pub(crate) struct Beside<'o> {
    /// The destination of records that fail.
    pub(crate) errors: Option<&'o mut (dyn Write + Send)>,
    /// The destination of tables.
    pub(crate) tables: Option<Tables<'o>>,
}

/// The result of a run.
#[derive(Default)]
pub(crate) struct Ended<T> {
    pub(crate) tally: T,
    /// The kinds of the errors.
    pub(crate) kinds: Kinds,
    /// Whether all input could be read.
    pub(crate) complete: bool,
    /// Whether the run stopped because of its limits, or because of a signal.
    pub(crate) stopped: bool,
}

impl<T> Ended<T> {
    /// Returns the outcome of a run in which some records failed.
    pub(crate) fn outcome(&self, failed: u64) -> Outcome {
        Outcome::new(self.complete, self.stopped, failed)
    }
}

/// Returns what the summary says about a run that stopped before the end of its input: too many records failed, or an
/// interrupt came. Otherwise returns an empty text.
pub(crate) fn stopped(is_stopped: bool, failures: u64) -> String {
    match (is_stopped, failures) {
        (false, _) => String::new(),
        _ if interrupt::has_come() => "; interrupted".to_owned(),
        (true, 1) => "; stopped at the first error".to_owned(),
        (true, most) => format!("; stopped after {most} that failed"),
    }
}
