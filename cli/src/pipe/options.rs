//! The input of a run besides the files, and its result.

use std::io::Write;

use crate::args::limit::LimitArgs;
use crate::format::Layout;
use crate::format::columnar::Tables;
use crate::io::interrupt;
use crate::output::report::Outcome;
use crate::output::summary::Summary;
use crate::pipe::tally::Tally;

/// The input of a run besides the files.
#[derive(Clone, Default)]
pub(crate) struct Options {
    /// When the run stops.
    pub(crate) limit: LimitArgs,
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
    /// Whether a worker decides in the order of the whole input, and not only of its file.
    pub(crate) needs_order: bool,
}

/// The destinations of a run besides its output.
#[derive(Default)]
pub(crate) struct Beside<'o> {
    /// The destination of records that fail.
    pub(crate) errors: Option<&'o mut (dyn Write + Send)>,
    /// The destination of tables.
    pub(crate) tables: Option<Tables<'o>>,
}

/// The result of a run, or of several.
#[derive(Default)]
pub(crate) struct Ended {
    pub(crate) tally: Tally,
    /// Whether all input could be read.
    pub(crate) complete: bool,
    /// Whether the run stopped because of its limits, or because of a signal.
    pub(crate) stopped: bool,
    /// The run stops after this many records that fail.
    pub(crate) failures: u64,
}

impl Ended {
    /// Adds the result of another run.
    pub(crate) fn add(&mut self, other: &Self) {
        self.tally.add(&other.tally);
        self.complete &= other.complete;
        self.stopped |= other.stopped;
    }

    /// Tells whether all input was read.
    pub(crate) fn is_whole(&self) -> bool {
        self.complete && !self.stopped
    }

    pub(crate) fn outcome(&self) -> Outcome {
        Outcome::new(self.complete, self.stopped, self.tally.failed())
    }

    /// Returns the summary. Its text ends with the reason, if the run stopped before the end of its input.
    pub(crate) fn summary<'a>(
        &'a self,
        text: &str,
        counts: &'a [(&'static str, u64)],
    ) -> Summary<'a> {
        let stopped = match (self.stopped, self.failures) {
            (false, _) => "",
            _ if interrupt::has_come() => "; interrupted",
            (true, 1) => "; stopped at the first error",
            (true, most) => &format!("; stopped after {most} that failed"),
        };
        let (text, kinds, complete) =
            (format!("{text}{stopped}"), &self.tally.kinds, self.is_whole());
        Summary { text, counts, kinds, complete }
    }
}
