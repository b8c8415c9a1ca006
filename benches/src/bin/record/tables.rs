//! The tables of `docs/performance.md`, each between `<!-- begin NAME -->` and `<!-- end -->`. The text around them
//! is written by hand.

use std::error::Error;

use simd_iri_benches::{
    median::median,
    work::{Kind, Work},
};

use crate::record::{Record, Row, fastest_peer, ratio};

/// The document with its tables made again.
pub fn refreshed(
    document: &str,
    record: &Record,
    instructions: &str,
) -> Result<String, Box<dyn Error>> {
    let (begin, end) = ("<!-- begin ", "<!-- end -->");
    let mut parts = document.split(begin);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(" -->").ok_or("a mark is not closed")?;
        let (_, after) = rest.split_once(end).ok_or_else(|| format!("{name} has no end"))?;
        let table = named(name, record, instructions)?;
        text += &format!("{begin}{name} -->\n{table}{end}{after}");
    }
    Ok(text)
}

fn named(name: &str, record: &Record, instructions: &str) -> Result<String, Box<dyn Error>> {
    if let Some(work) = Work::ALL.into_iter().find(|work| work.name() == name) {
        return Ok(times(record, work));
    }
    match name {
        "facts" => Ok(facts(record)),
        "corpora" => Ok(corpora(record)),
        "levels" => Ok(levels(record)),
        "whatwg" => Ok(whatwg(record)),
        "instructions" => counted(instructions),
        _ => Err(format!("there is no table {name}").into()),
    }
}

fn table(heading: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    // The first column is a name, the others are figures.
    let rule = format!("| --- |{}\n", " ---: |".repeat(heading.len() - 1));
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    line(heading) + &rule + &rows.map(|cells| line(&cells)).collect::<String>()
}

/// Nanoseconds, with as many digits as are significant.
pub fn figure(nanoseconds: f64) -> String {
    if nanoseconds < 100.0 {
        format!("{nanoseconds:.1}")
    } else {
        grouped(nanoseconds.round() as usize)
    }
}

/// A number with a comma before every three digits.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

fn facts(record: &Record) -> String {
    let rows = record.facts.iter().map(|(name, value)| format!("| {name} | {value} |\n"));
    "| | |\n| --- | --- |\n".to_owned() + &rows.collect::<String>()
}

fn corpora(record: &Record) -> String {
    let heading = ["corpus", "read as", "items", "bytes an item", "valid"].map(String::from);
    let rows = record.corpora().into_iter().map(|corpus| {
        let ours = record.group(Work::Parse, corpus)[0];
        let (items, valid) = (grouped(ours.items), grouped(ours.accepted));
        vec![corpus.into(), ours.rule.clone(), items, format!("{:.1}", ours.bytes_an_item), valid]
    });
    table(&heading, rows)
}

fn times(record: &Record, work: Work) -> String {
    let mut heading = vec!["corpus".to_owned(), "valid".to_owned()];
    let compared = |row: &&&Row| row.library == "simd-iri" || row.is(Kind::Strict);
    let corpora = record.corpora();
    let first = corpora.first().map(|corpus| record.group(work, corpus)).unwrap_or_default();
    heading.extend(first.iter().filter(compared).map(|row| row.library.clone()));
    heading.push("fastest peer / ours".into());
    let has_newlines = first.iter().any(|row| row.is(Kind::Newlines));
    if has_newlines {
        heading.push("ours / newlines".into());
    }
    let rows = corpora.into_iter().map(|corpus| {
        let group = record.group(work, corpus);
        let ours = &group[0].runs;
        let mut cells = vec![corpus.to_owned(), grouped(group[0].accepted)];
        cells.extend(group.iter().filter(compared).map(|row| figure(row.nanoseconds())));
        cells.push(format!("**{:.2}**", ratio(&fastest_peer(&group), ours)));
        let newlines = group.iter().find(|row| row.is(Kind::Newlines));
        cells.extend(newlines.map(|row| format!("{:.1}", ratio(ours, &row.runs))));
        cells
    });
    table(&heading, rows)
}

/// The time to parse at each level, and the time of the fastest peer divided by it.
fn levels(record: &Record) -> String {
    let corpora = record.corpora();
    let at_level = |row: &&&Row| row.library.starts_with("simd-iri/");
    let first = corpora.first().map(|corpus| record.group(Work::Parse, corpus)).unwrap_or_default();
    let names = first.iter().filter(at_level).map(|row| row.library.replace("simd-iri/", ""));
    let heading: Vec<_> =
        ["corpus".into(), "fastest peer".into()].into_iter().chain(names).collect();
    let rows =
        corpora.into_iter().map(|corpus| {
            let group = record.group(Work::Parse, corpus);
            let peer = fastest_peer(&group);
            let mut cells = vec![corpus.to_owned(), figure(median(&peer))];
            cells.extend(group.iter().filter(at_level).map(|row| {
                format!("{} ({:.2})", figure(row.nanoseconds()), ratio(&peer, &row.runs))
            }));
            cells
        });
    table(&heading, rows)
}

fn whatwg(record: &Record) -> String {
    let works = [Work::Parse, Work::Validate];
    let mut heading = vec!["corpus".to_owned(), "simd-iri accepts".to_owned()];
    let shown = |row: &&&Row| row.library == "simd-iri" || row.is(Kind::Whatwg);
    let mut rows = Vec::new();
    for corpus in record.corpora() {
        let groups = works.map(|work| record.group(work, corpus));
        if !groups[0].iter().any(|row| row.is(Kind::Whatwg)) {
            continue;
        }
        let mut cells = vec![corpus.to_owned(), grouped(groups[0][0].accepted)];
        let mut names = Vec::new();
        for row in groups[0].iter().filter(|row| row.is(Kind::Whatwg)) {
            names.push(format!("{} accepts", row.library));
            cells.push(grouped(row.accepted));
        }
        for row in groups.iter().flat_map(|group| group.iter().filter(shown)) {
            names.push(format!("{} {}", row.library, row.work));
            cells.push(figure(row.nanoseconds()));
        }
        heading.truncate(2);
        heading.extend(names);
        rows.push(cells);
    }
    table(&heading, rows.into_iter())
}

/// Instructions for each byte, by input and level, from the record that `scripts/instructions` keeps.
fn counted(instructions: &str) -> Result<String, Box<dyn Error>> {
    let mut heading = vec!["input".to_owned(), "bytes".to_owned()];
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in instructions.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let [level, input, bytes, count] =
            line.split('\t').collect::<Vec<_>>().try_into().map_err(|_| line.to_owned())?;
        if !heading.iter().any(|name| name == level) {
            heading.push(level.into());
        }
        let bytes: usize = bytes.parse()?;
        let a_byte = format!("{:.2}", count.parse::<f64>()? / bytes as f64);
        match rows.iter_mut().find(|row| row[0] == input) {
            Some(row) => row.push(a_byte),
            None => rows.push(vec![input.into(), grouped(bytes), a_byte]),
        }
    }
    Ok(table(&heading, rows.into_iter()))
}
