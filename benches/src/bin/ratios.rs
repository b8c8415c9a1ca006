//! How many times the fastest strict peer's time ours is, for each corpus, from
//! one run: round by round every library reads the whole corpus once, a different
//! one first each time, and a library's figure is its median round.
//!
//! `ratios [FILTER] [--what parse|validate] [--rounds N]`; `FILTER` is a part of
//! a corpus name, `CORPUS` adds real files.

use std::{env, error::Error, hint::black_box, time::Instant};

use simd_iri_benches::{
    agreement,
    corpora::{self, Corpus},
    libraries::{self, Job, Kind, Library, Work},
};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut filter, mut work, mut rounds) = (String::new(), Work::Parse, 15);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => rounds = arguments.next().ok_or("--rounds needs a number")?.parse()?,
            "--what" => {
                work = match arguments.next().as_deref() {
                    Some("parse") => Work::Parse,
                    Some("validate") => Work::Validate,
                    _ => return Err("--what is parse or validate".into()),
                }
            }
            option if option.starts_with('-') => return Err(format!("no option {option}").into()),
            _ => filter = argument,
        }
    }
    if rounds == 0 {
        return Err("at least one round".into());
    }
    let libraries = libraries::all();
    for corpus in corpora::all()?.iter().filter(|corpus| corpus.name.contains(&filter)) {
        agreement::check(corpus, &libraries);
        report(corpus, &libraries, work, rounds);
    }
    Ok(())
}

struct Row<'a> {
    library: &'a Library,
    job: &'a Job,
    valid: usize,
    /// Nanoseconds an item, a figure a round.
    rounds: Vec<f64>,
}

impl Row<'_> {
    fn median(&self) -> f64 {
        let mut sorted = self.rounds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    }
}

fn report(corpus: &Corpus, libraries: &[Library], work: Work, rounds: usize) {
    let mut rows: Vec<Row> = libraries
        .iter()
        .filter_map(|library| Some((library, library.job(work, corpus.start)?)))
        .map(|(library, job)| Row { library, job, valid: 0, rounds: Vec::new() })
        .collect();
    for round in 0..rounds {
        for turn in 0..rows.len() {
            let position = (round + turn) % rows.len();
            let row = &mut rows[position];
            let start = Instant::now();
            row.valid = row.job.count(black_box(&corpus.items));
            row.rounds.push(start.elapsed().as_nanos() as f64 / corpus.items.len() as f64);
        }
    }

    let bytes: usize = corpus.items.iter().map(|item| item.len()).sum();
    println!(
        "\n{}: {work:?} {} items as {}, {:.1} bytes an item, {rounds} rounds",
        corpus.name,
        corpus.items.len(),
        corpus.start.name(),
        bytes as f64 / corpus.items.len() as f64,
    );
    let ours = rows[0].median();
    println!("  {:<18} {:>8} {:>9} {:>7}", "", "valid", "ns/item", "/ ours");
    for row in &rows {
        let mark = if row.library.kind == Kind::Whatwg { "  (WHATWG, not compared)" } else { "" };
        let median = row.median();
        let Row { library: Library { name, .. }, valid, .. } = row;
        println!("  {name:<18} {valid:>8} {median:>9.2} {:>7.2}{mark}", median / ours);
    }
    let strict = rows.iter().filter(|row| row.library.kind == Kind::Strict);
    if let Some(peer) = strict.min_by(|a, b| a.median().total_cmp(&b.median())) {
        let ratio = peer.median() / ours;
        println!("  fastest strict peer: {}, {ratio:.2} times the time of ours", peer.library.name);
    }
}
