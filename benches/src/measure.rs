//! The clock. In each round, every library does the whole work once, and another one is first each time, so that
//! other load on the machine affects all of them. The figure of a library is its median round, or its least with the environment variable `LEAST`.

use std::{hint::black_box, time::Instant};

use crate::{
    corpora::Corpus,
    job::Job,
    libraries::Library,
    median::time,
    work::{Kind, Work},
};

pub struct Row<'a> {
    pub library: &'a Library,
    job: &'a Job,
    pub accepted: usize,
    /// Nanoseconds for each item, a figure for each round.
    rounds: Vec<f64>,
}

impl Row<'_> {
    pub fn nanoseconds(&self) -> f64 {
        time(&self.rounds)
    }
}

/// A row for each library that does the work. The first is ours with the usual functions.
pub fn measure<'a>(
    corpus: &Corpus,
    libraries: &'a [Library],
    work: Work,
    rounds: usize,
) -> Vec<Row<'a>> {
    let mut rows: Vec<Row> = libraries
        .iter()
        .filter_map(|library| Some((library, library.job(work, corpus.start)?)))
        .map(|(library, job)| Row { library, job, accepted: 0, rounds: Vec::new() })
        .collect();
    for round in 0..rounds {
        for turn in 0..rows.len() {
            let position = (round + turn) % rows.len();
            let row = &mut rows[position];
            let start = Instant::now();
            row.accepted = row.job.count(black_box(corpus));
            row.rounds.push(start.elapsed().as_nanos() as f64 / corpus.items.len() as f64);
        }
    }
    rows
}

/// The fastest strict peer.
pub fn fastest_peer<'a>(rows: &'a [Row<'a>]) -> Option<&'a Row<'a>> {
    let strict = rows.iter().filter(|row| row.library.kind == Kind::Strict);
    strict.min_by(|a, b| a.nanoseconds().total_cmp(&b.nanoseconds()))
}
