//! Compares the speed of the kernels with that of the batch of the library and of a loop over another parser, on the
//! lines of files that are repeated up to a million rows. It compares the answers first. `parse` makes nine columns.
//! The loop makes five, which are all that the other parser returns, and another loop reads these components without
//! making columns.
//!
//! `cargo run --release --example rates -- FILE…`

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};
use std::{env, fs};

use arrow_array::builder::StringViewBuilder;
use arrow_array::{Array, StringArray};
use simd_iri::batch::{Batch, Bitmap, Column, Columns};
use simd_iri_arrow::{Component, Rule, component, is_valid, parse};

/// The number of rows.
const ROWS: usize = 1_000_000;
/// The number of times that each work is done.
const ROUNDS: usize = 7;

/// Work that returns the number of rows that match.
type Work<'a> = (&'static str, Box<dyn Fn() -> usize + 'a>);

fn main() -> Result<(), Box<dyn Error>> {
    let mut lines = Vec::new();
    for path in env::args().skip(1) {
        lines.extend(fs::read_to_string(path)?.lines().map(String::from));
    }
    if lines.is_empty() {
        return Err("usage: rates FILE…".into());
    }
    let rows: StringArray = lines.iter().cycle().take(ROWS).map(Some).collect();
    let column = || Column::new(rows.value_offsets(), rows.value_data());
    column()?;
    let columns = |columns: &mut Columns| {
        columns.clear();
        if let Ok(column) = column() {
            Batch::new(Rule::Iri).columns(column, columns);
        }
        columns.len() - columns.errors().len()
    };
    let reused = std::cell::RefCell::new(Columns::with_capacity(ROWS));
    let works: Vec<Work<'_>> = vec![
        (
            "batch, validity",
            Box::new(|| {
                let mut valid = Bitmap::with_capacity(ROWS);
                if let Ok(column) = column() {
                    Batch::new(Rule::Iri).validity(column, &mut valid);
                }
                valid.count()
            }),
        ),
        ("is_valid", Box::new(|| is_valid(&rows, Rule::Iri).map_or(0, |v| v.true_count()))),
        ("batch, new columns", Box::new(|| columns(&mut Columns::with_capacity(ROWS)))),
        ("batch, columns again", Box::new(|| columns(&mut reused.borrow_mut()))),
        ("parse", Box::new(|| parse(&rows, Rule::Iri).map_or(0, |p| p.len() - p.null_count()))),
        (
            "path",
            Box::new(|| {
                let paths = component(&rows, Rule::Iri, Component::Path);
                paths.map_or(0, |paths| paths.len() - paths.null_count())
            }),
        ),
        (
            "loop, oxiri, no columns",
            Box::new(|| {
                let parts = |iri: oxiri::Iri<&str>| {
                    black_box((
                        iri.scheme().len(),
                        iri.authority().map(str::len),
                        iri.path().len(),
                        iri.query().map(str::len),
                        iri.fragment().map(str::len),
                    ));
                };
                let rows = rows.iter().flatten();
                rows.filter_map(|row| oxiri::Iri::parse(row).ok()).map(parts).count()
            }),
        ),
        (
            "loop, oxiri, 5 columns",
            Box::new(|| {
                let mut columns: [_; 5] =
                    std::array::from_fn(|_| StringViewBuilder::with_capacity(ROWS));
                for row in &rows {
                    let iri = row.and_then(|row| oxiri::Iri::parse(row).ok());
                    let [scheme, authority, path, query, fragment] = &mut columns;
                    scheme.append_option(iri.as_ref().map(|iri| iri.scheme()));
                    authority.append_option(iri.as_ref().and_then(|iri| iri.authority()));
                    path.append_option(iri.as_ref().map(|iri| iri.path()));
                    query.append_option(iri.as_ref().and_then(|iri| iri.query()));
                    fragment.append_option(iri.as_ref().and_then(|iri| iri.fragment()));
                }
                let [_, _, path, ..] = black_box(columns.map(|mut column| column.finish()));
                path.len() - path.null_count()
            }),
        ),
    ];
    let expected = works.iter().map(|(_, work)| work()).collect::<Vec<_>>();
    if expected.iter().any(|valid| Some(valid) != expected.first()) {
        return Err(format!("the answers differ: {expected:?}").into());
    }
    let mut times = vec![Vec::new(); works.len()];
    for _ in 0..ROUNDS {
        for ((_, work), times) in works.iter().zip(&mut times) {
            let start = Instant::now();
            black_box(work());
            times.push(start.elapsed());
        }
    }
    println!("{ROWS} rows, {} match", expected.first().copied().unwrap_or_default());
    for ((name, _), times) in works.iter().zip(&mut times) {
        times.sort_unstable();
        let median = times.get(ROUNDS / 2).copied().unwrap_or(Duration::ZERO);
        println!("{name:<24} {:6.1} ns a row", median.as_nanos() as f64 / ROWS as f64);
    }
    Ok(())
}
