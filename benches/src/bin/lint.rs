//! Measures the time of a lint by the profile `rfc`, divided by that of a parse of the same text. The texts are the
//! IRIs of each corpus in ASCII without `%`, `xn--`, `@` and dot segments, which hardly ever have a finding.
//!
//! `lint [--rounds N]`

use std::{env, error::Error, hint::black_box, time::Instant};

use simd_iri::Iri;
use simd_iri_benches::{corpora, median::median, work::Start};
use simd_iri_lint::{Lint, Profile};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let rounds = match arguments.as_slice() {
        [] => 21,
        [option, number] if option == "--rounds" => number.parse()?,
        _ => return Err("lint [--rounds N]".into()),
    };
    println!("{:<22} {:>7} {:>9} {:>9} {:>9} {:>6}", "", "lines", "findings", "parse", "lint", "");
    for corpus in corpora::all()? {
        let lines: Vec<&str> = corpus.items.iter().copied().filter(|line| is_plain(line)).collect();
        if matches!(corpus.start, Start::Iri) && !lines.is_empty() {
            compare(&corpus.name, &lines, rounds);
        }
    }
    Ok(())
}

/// Tells whether a line belongs to the measured ones.
fn is_plain(line: &str) -> bool {
    let is_simple = line.is_ascii() && !line.contains(['%', '@']) && !line.contains("xn--");
    is_simple && Iri::parse(line).is_ok_and(|iri| iri.segments().all(|s| s != "." && s != ".."))
}

fn compare(name: &str, lines: &[&str], rounds: usize) {
    let lint = Lint::new(Profile::Rfc);
    let parsed: Vec<Iri<'_>> = lines.iter().filter_map(|line| Iri::parse(line).ok()).collect();
    let (mut parsing, mut linting) = (Vec::new(), Vec::new());
    let mut findings = 0;
    for _ in 0..rounds {
        let start = Instant::now();
        for line in lines {
            black_box(Iri::parse(black_box(line)).is_ok());
        }
        parsing.push(start.elapsed().as_nanos() as f64 / lines.len() as f64);
        findings = 0;
        let start = Instant::now();
        for iri in &parsed {
            lint.each(black_box(*iri), |finding| {
                black_box(finding);
                findings += 1;
            });
        }
        linting.push(start.elapsed().as_nanos() as f64 / lines.len() as f64);
    }
    let (parse, lint) = (median(&parsing), median(&linting));
    let count = lines.len();
    println!(
        "{name:<22} {count:>7} {findings:>9} {parse:>6.1} ns {lint:>6.1} ns {:>6.2}",
        lint / parse
    );
}
