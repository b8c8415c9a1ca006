//! The numbers that the table, the JSON object and the page show.

use serde::Serialize;

use crate::stats::bins::Spread;
use crate::stats::counters::Totals;
use crate::stats::distinct::{Distinct, Estimate};
use crate::stats::top::{Ranking, Top};

/// All numbers. As JSON, it is what `--json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    /// The name of the input. It is safe to print.
    pub(crate) source: String,
    /// The kind that every address must be.
    pub(crate) kind: &'static str,
    /// Whether all input could be read.
    pub(crate) complete: bool,
    pub(crate) items: u64,
    pub(crate) valid: u64,
    pub(crate) invalid: u64,
    pub(crate) distinct: DistinctValues,
    pub(crate) schemes: Counted,
    pub(crate) hosts: Counted,
    pub(crate) domains: Counted,
    pub(crate) top_level_domains: Counted,
    pub(crate) ports: Counted,
    pub(crate) query_names: Counted,
    pub(crate) scripts: Counted,
    pub(crate) errors: Counted,
    pub(crate) lengths: Option<Spread>,
    pub(crate) path_depths: Option<Spread>,
}

/// How many distinct values there are among valid addresses.
#[derive(Debug, Serialize)]
pub(crate) struct DistinctValues {
    pub(crate) items: Estimate,
    pub(crate) hosts: Estimate,
    pub(crate) domains: Estimate,
}

/// The most frequent keys. The sum of their counts and of `others` is `counted`.
#[derive(Debug, Serialize)]
pub(crate) struct Counted {
    /// The sum of the counts of all keys.
    pub(crate) counted: u64,
    /// The most by which a count may be too low; 0 if all counts are exact.
    pub(crate) error: u64,
    pub(crate) top: Vec<Row>,
    /// The counts of all other keys.
    pub(crate) others: u64,
    /// The number of other keys, if it is known.
    pub(crate) other_keys: Option<usize>,
}

/// A key and its count.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Row {
    pub(crate) key: Box<str>,
    pub(crate) count: u64,
}

impl Counted {
    fn new(top: Top, most: usize) -> Self {
        let Ranking { first, keys, total, error } = top.ranking(most);
        let other_keys = keys.map(|keys| keys - first.len());
        let shown: u64 = first.iter().map(|(_, count)| count).sum();
        Self {
            counted: total,
            error,
            others: total - shown,
            other_keys,
            top: first.into_iter().map(|(key, count)| Row { key, count }).collect(),
        }
    }

    /// Returns the number of distinct keys: the exact number if the list is exact, otherwise an estimate.
    fn distinct(&self, estimated: &Distinct) -> Estimate {
        match self.other_keys {
            Some(others) => Estimate::exact((self.top.len() + others) as u64),
            None => estimated.estimate(self.counted),
        }
    }
}

impl Summary {
    /// Returns the numbers, with the `most` most frequent keys of each list. All kinds of errors are listed.
    pub(crate) fn new(
        source: String,
        kind: &'static str,
        complete: bool,
        totals: Totals,
        most: usize,
    ) -> Self {
        let valid = totals.counts.valid;
        let invalid = totals.counts.errors.values().sum();
        let mut errors = Top::default();
        totals.counts.errors.iter().for_each(|(kind, count)| errors.add(kind, *count));
        let counted = |top| Counted::new(top, most);
        let hosts = counted(totals.host_names);
        let domains = counted(totals.domain_names);
        Self {
            source,
            kind,
            complete,
            items: valid + invalid,
            valid,
            invalid,
            distinct: DistinctValues {
                items: totals.counts.items.estimate(valid),
                hosts: hosts.distinct(&totals.hosts),
                domains: domains.distinct(&totals.domains),
            },
            schemes: counted(totals.schemes),
            hosts,
            domains,
            top_level_domains: counted(totals.top_levels),
            ports: counted(totals.ports),
            query_names: counted(totals.query_names),
            scripts: counted(totals.scripts),
            errors: Counted::new(errors, usize::MAX),
            lengths: totals.counts.lengths.spread(),
            path_depths: totals.counts.depths.spread(),
        }
    }

    /// Returns the lists, in the order in which they are shown.
    pub(crate) fn lists(&self) -> [List<'_>; 8] {
        const SCHEMES: &str = "with a scheme";
        const HOSTS: &str = "with a host";
        const DOMAINS: &str = "with a registrable domain, which addresses and single labels lack";
        const TOP_LEVELS: &str = "with a registrable domain, whose last label it is";
        const PORTS: &str = "with a port";
        const NAMES: &str = "of names and values in queries";
        const SCRIPTS: &str =
            "if each counts once for every script outside ASCII that it has when displayed";
        const ERRORS: &str = "with an error, of which the first counts";
        let list = |id, title, about, counted| List {
            id,
            title,
            about,
            unit: Unit::Item,
            counted,
            of: self.valid,
        };
        let names = list("query_names", "Query names", NAMES, &self.query_names);
        let errors = list("errors", "Errors", ERRORS, &self.errors);
        [
            list("schemes", "Schemes", SCHEMES, &self.schemes),
            list("hosts", "Hosts", HOSTS, &self.hosts),
            list("domains", "Registrable domains", DOMAINS, &self.domains),
            list("top_level_domains", "Top-level domains", TOP_LEVELS, &self.top_level_domains),
            list("ports", "Ports", PORTS, &self.ports),
            List { unit: Unit::Pair, of: self.query_names.counted, ..names },
            list("scripts", "Scripts", SCRIPTS, &self.scripts),
            List { of: self.invalid, ..errors },
        ]
    }

    /// Returns the histograms, in the order in which they are shown.
    pub(crate) fn histograms(&self) -> impl Iterator<Item = Histogram<'_>> {
        let histogram = |id, title, unit, spread| Histogram { id, title, unit, spread };
        let lengths = self.lengths.iter();
        let depths = self.path_depths.iter();
        lengths.map(move |spread| histogram("lengths", "Lengths", "bytes", spread)).chain(
            depths.map(move |spread| histogram("path_depths", "Path depths", "segments", spread)),
        )
    }
}

/// A list that is shown.
pub(crate) struct List<'a> {
    /// Its name in the JSON object.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// Which items or pairs are counted.
    pub(crate) about: &'static str,
    /// What is counted.
    pub(crate) unit: Unit,
    pub(crate) counted: &'a Counted,
    /// The number that is 100 %.
    pub(crate) of: u64,
}

/// What a list counts.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    Item,
    /// A name and a value in a query.
    Pair,
}

impl Unit {
    /// Returns the word for this number of items or pairs.
    pub(crate) fn of(self, count: u64) -> &'static str {
        match (self, count) {
            (Self::Item, 1) => "item",
            (Self::Item, _) => "items",
            (Self::Pair, 1) => "pair",
            (Self::Pair, _) => "pairs",
        }
    }
}

/// A histogram that is shown.
pub(crate) struct Histogram<'a> {
    /// Its name in the JSON object.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) spread: &'a Spread,
}

/// Returns a number with a comma between groups of three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// Returns a part in per cent, with one decimal. A part between 0 % and 100 % is never shown as 0 % or 100 %.
pub(crate) fn share(part: u64, whole: u64) -> String {
    let permille = u128::from(part) * 1000;
    let whole = u128::from(whole.max(1));
    let rounded = (permille + whole / 2) / whole;
    match rounded {
        0 if part > 0 => "<0.1 %".to_owned(),
        1000.. if permille < whole * 1000 => ">99.9 %".to_owned(),
        _ => format!("{}.{} %", rounded / 10, rounded % 10),
    }
}

/// Returns a number of distinct values, in words.
pub(crate) fn about(estimate: Estimate) -> String {
    let count = grouped(estimate.count);
    match estimate.exact {
        true => count,
        false => {
            format!("about {count} ({} to {})", grouped(estimate.low), grouped(estimate.high))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_shares_are_honest() {
        let numbers = [0, 999, 1000, 12_345, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "12,345", "1,234,567"]);
        let shares = [(0, 9), (1, 2), (1, 100_000), (99_999, 100_000), (9, 9), (0, 0), (2, 3)];
        let shown = shares.map(|(part, whole)| share(part, whole));
        assert_eq!(shown, ["0.0 %", "50.0 %", "<0.1 %", ">99.9 %", "100.0 %", "0.0 %", "66.7 %"]);
    }
}
