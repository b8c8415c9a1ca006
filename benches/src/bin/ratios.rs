//! Measures in one run, for each corpus, the time of the fastest strict peer divided by ours. `record` takes longer
//! and writes down everything.
//!
//! `ratios [FILTER] [--what parse|validate|count|columns] [--rounds N]`; `FILTER`
//! is a part of a corpus name, `CORPUS` adds real files.

use std::{env, error::Error};

use simd_iri_benches::{
    agreement,
    corpora::{self, Corpus},
    libraries,
    measure::{Row, fastest_peer, measure},
    work::{Kind, Work},
};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut filter, mut work, mut rounds) = (String::new(), Work::Parse, 15);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => rounds = arguments.next().ok_or("--rounds needs a number")?.parse()?,
            "--what" => {
                let name = arguments.next();
                let named = |work: &Work| Some(work.name()) == name.as_deref();
                let found = Work::ALL.into_iter().find(named);
                work = found.ok_or("--what is parse, validate, count or columns")?;
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
        println!(
            "\n{}: {} {} items as {}, {:.1} bytes an item, {rounds} rounds",
            corpus.name,
            work.name(),
            corpus.items.len(),
            corpus.start.rule(),
            corpus.bytes_an_item(),
        );
        report(corpus, &measure(corpus, &libraries, work, rounds));
    }
    Ok(())
}

fn report(corpus: &Corpus, rows: &[Row]) {
    let ours = rows[0].nanoseconds();
    println!("  {:<18} {:>8} {:>9} {:>7}", "", "valid", "ns/item", "/ ours");
    for row in rows {
        let mark = match row.library.kind {
            Kind::Ours | Kind::Strict => "",
            Kind::Whatwg => "  (WHATWG, not compared)",
            Kind::Newlines => "  (counts line feeds)",
        };
        let (name, accepted, median) = (&row.library.name, row.accepted, row.nanoseconds());
        println!("  {name:<18} {accepted:>8} {median:>9.2} {:>7.2}{mark}", median / ours);
    }
    if let Some(peer) = fastest_peer(rows) {
        let ratio = peer.nanoseconds() / ours;
        println!("  fastest strict peer: {}, {ratio:.2} times the time of ours", peer.library.name);
    }
    let newlines = rows.iter().find(|row| row.library.kind == Kind::Newlines);
    if let Some(newlines) = newlines {
        let (ratio, lines) = (ours / newlines.nanoseconds(), corpus.items.len());
        println!("  ours takes {ratio:.2} times what it takes to count the {lines} line feeds");
    }
}
