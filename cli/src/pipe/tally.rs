//! The counts of a run, and what it replaced. Not here: how a command prints them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use simd_iri::Rule;

use crate::output::report;
use crate::output::secrets::quote;
use crate::output::summary::Kinds;

/// The counts of a run, or of one of its blocks.
#[derive(Default)]
pub(crate) struct Tally {
    /// Records that are valid, that have a result or a key; links that are printed.
    pub(crate) made: u64,
    pub(crate) failed: u64,
    /// The kinds of the errors.
    pub(crate) kinds: Kinds,
    /// Findings in records that did not fail, as `lint` counts them: errors, warnings and notes. The errors count as
    /// failures.
    pub(crate) found: [u64; 3],
    /// What `redact` replaced.
    pub(crate) replaced: Option<Replaced>,
    /// The kinds of references that `check` compared the records with.
    pub(crate) rules: Vec<Rule>,
}

impl Tally {
    /// Adds the counts of the next block.
    pub(crate) fn add(&mut self, block: &Self) {
        self.made += block.made;
        self.failed += block.failed;
        self.kinds.add(&block.kinds);
        for (count, more) in self.found.iter_mut().zip(block.found) {
            *count += more;
        }
        if let Some(more) = &block.replaced {
            self.replaced.get_or_insert_default().add(more);
        }
        for rule in &block.rules {
            if !self.rules.contains(rule) {
                self.rules.push(*rule);
            }
        }
    }

    /// Counts a record.
    pub(crate) fn count(&mut self, failed: bool) {
        *(if failed { &mut self.failed } else { &mut self.made }) += 1;
    }

    /// Returns the number of records that failed.
    pub(crate) fn failed(&self) -> u64 {
        let [errors, ..] = self.found;
        self.failed + errors
    }

    /// Returns the number of records.
    pub(crate) fn records(&self) -> u64 {
        self.made + self.failed
    }
}

/// How many values were replaced, by the reason, and which fields were not looked at.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Replaced {
    kinds: BTreeMap<&'static str, u64>,
    unseen: BTreeSet<String>,
}

/// The most names of fields that a summary has.
const MOST_UNSEEN: usize = 20;

impl Replaced {
    /// Counts a value.
    pub(crate) fn note(&mut self, kind: &'static str) {
        *self.kinds.entry(kind).or_default() += 1;
    }

    /// Notes the name of a field that was not looked at.
    pub(crate) fn miss(&mut self, name: String) {
        self.unseen.insert(name);
        if self.unseen.len() > MOST_UNSEEN {
            self.unseen.pop_last();
            // It comes after all names that are kept.
            self.unseen.insert("\u{10FFFF}".to_owned());
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (kind, count) in &other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
        other.unseen.iter().cloned().for_each(|name| self.miss(name));
    }

    /// Returns the number of values.
    pub(crate) fn count(&self) -> u64 {
        self.kinds.values().sum()
    }

    /// Returns the counts of each reason, in the order of their names.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.kinds.iter().map(|(kind, count)| (*kind, *count))
    }

    /// Tells whether a field was not looked at.
    pub(crate) fn is_partial(&self) -> bool {
        !self.unseen.is_empty()
    }
}

/// Displays the counts as a part of a summary: `3 values replaced (1 query-key, 2 userinfo); not looked at: n, x`.
impl Display for Replaced {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} replaced", report::counted(self.count(), "value"))?;
        for (number, (kind, count)) in self.kinds().enumerate() {
            write!(f, "{}{count} {kind}", if number == 0 { " (" } else { ", " })?;
        }
        if !self.kinds.is_empty() {
            f.write_str(")")?;
        }
        for (number, name) in self.unseen.iter().enumerate() {
            let name = if name == "\u{10FFFF}" { "…" } else { name };
            let between = if number == 0 { "; not looked at: " } else { ", " };
            write!(f, "{between}{}", quote(name))?;
        }
        Ok(())
    }
}
