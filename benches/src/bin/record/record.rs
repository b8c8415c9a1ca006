//! The record: facts about the machine and the libraries, and a row for each
//! kind of work, corpus and library, as lines with tabs between the fields.

use std::{error::Error, fmt};

use simd_iri_benches::{
    corpora::Corpus,
    measure,
    median::median,
    work::{Kind, Work},
};

pub struct Record {
    pub facts: Vec<(String, String)>,
    pub rows: Vec<Row>,
}

pub struct Row {
    pub work: String,
    pub corpus: String,
    pub rule: String,
    pub items: usize,
    pub bytes_an_item: f64,
    pub library: String,
    pub kind: String,
    pub accepted: usize,
    /// Nanoseconds for each item, a figure for each run.
    pub runs: Vec<f64>,
}

const HEADING: &str = "work\tcorpus\trule\titems\tbytes\tlibrary\tkind\taccepted\truns\tns\tratio";

impl Row {
    pub fn new(work: Work, corpus: &Corpus, row: &measure::Row) -> Self {
        Self {
            work: work.name().into(),
            corpus: corpus.name.clone(),
            rule: corpus.start.rule().name().into(),
            items: corpus.items.len(),
            bytes_an_item: corpus.bytes_an_item(),
            library: row.library.name.clone(),
            kind: row.library.kind.name().into(),
            accepted: row.accepted,
            runs: vec![row.nanoseconds()],
        }
    }

    fn read(line: &str) -> Result<Self, Box<dyn Error>> {
        let mut fields = line.split('\t').map(str::to_owned);
        let mut field = || fields.next().ok_or_else(|| format!("too few fields: {line}"));
        Ok(Self {
            work: field()?,
            corpus: field()?,
            rule: field()?,
            items: field()?.parse()?,
            bytes_an_item: field()?.parse()?,
            library: field()?,
            kind: field()?,
            accepted: field()?.parse()?,
            runs: field()?.split(' ').map(str::parse).collect::<Result<_, _>>()?,
        })
    }

    /// What identifies the row: it must be the same in all runs.
    fn key(&self) -> (&str, &str, &str, usize) {
        (&self.work, &self.corpus, &self.library, self.accepted)
    }

    pub fn nanoseconds(&self) -> f64 {
        median(&self.runs)
    }

    pub fn is(&self, kind: Kind) -> bool {
        self.kind == kind.name()
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { work, corpus, rule, items, bytes_an_item, library, kind, accepted, runs } = self;
        let runs: Vec<_> = runs.iter().map(|run| format!("{run:.2}")).collect();
        let runs = runs.join(" ");
        write!(f, "{work}\t{corpus}\t{rule}\t{items}\t{bytes_an_item:.1}\t")?;
        write!(f, "{library}\t{kind}\t{accepted}\t{runs}")
    }
}

/// The time of `slow` divided by the time of `fast`: the median of the ratios of the runs.
pub fn ratio(slow: &[f64], fast: &[f64]) -> f64 {
    median(&slow.iter().zip(fast).map(|(slow, fast)| slow / fast).collect::<Vec<_>>())
}

impl Record {
    pub fn new(facts: Vec<(String, String)>) -> Self {
        Self { facts, rows: Vec::new() }
    }

    /// Adds another run. All runs have the same rows in the same order.
    pub fn add_run(&mut self, lines: &str) -> Result<(), Box<dyn Error>> {
        let rows = lines.lines().map(Row::read).collect::<Result<Vec<_>, _>>()?;
        if self.rows.is_empty() {
            self.rows = rows;
            return Ok(());
        }
        if !self.rows.iter().map(Row::key).eq(rows.iter().map(Row::key)) {
            return Err("the runs do not have the same rows and answers".into());
        }
        for (kept, row) in self.rows.iter_mut().zip(rows) {
            kept.runs.extend(row.runs);
        }
        Ok(())
    }

    pub fn read(text: &str) -> Result<Self, Box<dyn Error>> {
        let facts = text.lines().filter_map(|line| line.strip_prefix("# ")?.split_once(": "));
        let facts = facts.map(|(name, value)| (name.into(), value.into())).collect();
        let rows = text.lines().skip_while(|line| *line != HEADING).skip(1);
        Ok(Self { facts, rows: rows.map(Row::read).collect::<Result<_, _>>()? })
    }

    /// The names of the corpora, in their order.
    pub fn corpora(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.rows.iter().map(|row| &*row.corpus).collect();
        names.dedup();
        names
    }

    /// The rows of one kind of work on one corpus. The first is ours with the usual functions.
    pub fn group(&self, work: Work, corpus: &str) -> Vec<&Row> {
        let of_group = |row: &&Row| row.work == work.name() && row.corpus == corpus;
        self.rows.iter().filter(of_group).collect()
    }
}

/// The time of the fastest strict peer in each run.
pub fn fastest_peer(group: &[&Row]) -> Vec<f64> {
    let mut strict = group.iter().filter(|row| row.is(Kind::Strict));
    let first = strict.next().map(|row| row.runs.clone()).unwrap_or_default();
    strict
        .fold(first, |fastest, row| fastest.iter().zip(&row.runs).map(|(a, b)| a.min(*b)).collect())
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# Written by benches/record. runs: ns for each item in each run; ns: their median; ratio: the \
             median of the runs' ratios to simd-iri at its best level"
        )?;
        for (name, value) in &self.facts {
            writeln!(f, "# {name}: {value}")?;
        }
        writeln!(f, "{HEADING}")?;
        for row in &self.rows {
            let ours = self
                .rows
                .iter()
                .find(|ours| (&ours.work, &ours.corpus) == (&row.work, &row.corpus));
            let ratio = ours.map_or(f64::NAN, |ours| ratio(&row.runs, &ours.runs));
            writeln!(f, "{row}\t{:.2}\t{ratio:.3}", row.nanoseconds())?;
        }
        Ok(())
    }
}
