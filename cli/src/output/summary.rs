//! The summary of a run: the counts of its records, and the counts of their errors by kind.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::output::json;
use crate::output::report::{self, Verbosity};

/// The form of a summary.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SummaryForm {
    /// Words, on standard error
    Text,
    /// A JSON object on a line of standard error, with the counts of errors by kind
    Json,
}

static IS_JSON: AtomicBool = AtomicBool::new(false);
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// Sets the form of the summary, if a summary is asked for.
pub(crate) fn set(form: Option<SummaryForm>) {
    IS_JSON.store(form == Some(SummaryForm::Json), Ordering::Relaxed);
    IS_ASKED.store(form.is_some(), Ordering::Relaxed);
}

/// Tells whether the summary has the kinds of errors.
pub(crate) fn has_kinds() -> bool {
    IS_JSON.load(Ordering::Relaxed)
}

/// Tells whether there is a summary even if no record failed.
pub(crate) fn is_asked() -> bool {
    let is_asked = IS_ASKED.load(Ordering::Relaxed) || report::says(Verbosity::Verbose);
    is_asked || !report::says(Verbosity::Usual)
}

/// How many errors of each kind there were. A record may have several errors. Nothing is counted unless the summary has
/// the counts.
#[derive(Clone, Default, Debug)]
pub(crate) struct Kinds(BTreeMap<&'static str, u64>);

impl Kinds {
    pub(crate) fn note(&mut self, kind: &'static str) {
        if has_kinds() {
            *self.0.entry(kind).or_default() += 1;
        }
    }

    pub(crate) fn add(&mut self, others: &Self) {
        for (kind, count) in &others.0 {
            *self.0.entry(kind).or_default() += count;
        }
    }
}

/// The summary of a run.
pub(crate) struct Summary<'a> {
    /// The counts in words.
    pub(crate) text: String,
    /// The counts with their names.
    pub(crate) counts: &'a [(&'static str, u64)],
    pub(crate) kinds: &'a Kinds,
    /// Whether all records of the input are counted.
    pub(crate) complete: bool,
}

impl Summary<'_> {
    /// Writes the summary to standard error, unless the program is quiet. The caller has flushed standard output.
    pub(crate) fn print(&self) {
        if !report::says(Verbosity::Summary) {
            return;
        }
        if has_kinds() {
            report::to_stderr(format!("{self}\n").as_bytes());
        } else {
            report::print_message(format_args!("{self}"));
        }
    }
}

/// Writes the form that is set.
impl Display for Summary<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&if has_kinds() { json::text(self) } else { self.text.clone() })
    }
}

impl Serialize for Summary<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, count) in self.counts {
            map.serialize_entry(name, count)?;
        }
        map.serialize_entry("complete", &self.complete)?;
        map.serialize_entry("kinds", &self.kinds.0)?;
        map.end()
    }
}
