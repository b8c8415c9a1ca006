//! Libraries that write a result for each line, and the comparison of their times and results.

use std::{
    collections::HashMap,
    hint::black_box,
    time::{Duration, Instant},
};

use simd_iri_benches::median::time;

/// Writes one result into the buffer, which is empty. Tells whether there is a result.
type Make = dyn Fn(usize, &mut String) -> bool;

/// Writes all results into the buffer, one after the other. Returns the time.
type Round = dyn Fn(&mut String) -> Duration;

/// A library, with a function for the result of a line by its number, and one for those of all lines. One call does
/// all lines, so that calls are not measured.
pub struct Library {
    name: &'static str,
    make: Box<Make>,
    round: Box<Round>,
}

/// A library that parses each line every time.
pub fn whole(
    name: &'static str,
    lines: &'static [String],
    make: impl Fn(&'static str, &mut String) -> bool + Copy + 'static,
) -> Library {
    let round = move |buffer: &mut String| timed(lines, buffer, |line, buffer| make(line, buffer));
    let make = move |number: usize, buffer: &mut String| make(&lines[number], buffer);
    Library { name, make: Box::new(make), round: Box::new(round) }
}

/// The number of lines that are parsed before they are measured: so small that their values are still in the cache,
/// as in a program that maps what it has just parsed.
const FRESH: usize = 1000;

/// A library for which the lines are parsed before.
pub fn parsed<P: 'static>(
    name: &'static str,
    lines: &'static [String],
    parse: impl Fn(&'static str) -> Option<P> + Copy + 'static,
    make: impl Fn(&P, &mut String) + Copy + 'static,
) -> Library {
    let make = move |value: &Option<P>, buffer: &mut String| match value {
        Some(value) => {
            make(value, buffer);
            true
        }
        None => false,
    };
    let round = move |buffer: &mut String| {
        let mut time = Duration::ZERO;
        for lines in lines.chunks(FRESH) {
            let values: Vec<_> = lines.iter().map(|line| parse(line)).collect();
            time += timed(&values, buffer, make);
        }
        time
    };
    let make = move |number: usize, buffer: &mut String| make(&parse(&lines[number]), buffer);
    Library { name, make: Box::new(make), round: Box::new(round) }
}

/// A library for which the lines are parsed and copied to owners before. Only the edits are measured.
pub fn owned<O: 'static>(
    name: &'static str,
    lines: &'static [String],
    own: impl Fn(&'static str) -> Option<O> + Copy + 'static,
    edit: impl Fn(&mut O) -> bool + Copy + 'static,
    text: impl Fn(&O) -> &str + Copy + 'static,
) -> Library {
    let round = move |_: &mut String| {
        let mut time = Duration::ZERO;
        for lines in lines.chunks(FRESH) {
            let mut owners: Vec<_> = lines.iter().filter_map(|line| own(line)).collect();
            let start = Instant::now();
            for owner in &mut owners {
                black_box(edit(owner));
            }
            time += start.elapsed();
        }
        time
    };
    let make = move |number: usize, buffer: &mut String| {
        let Some(mut owner) = own(&lines[number]) else { return false };
        let is_edited = edit(&mut owner);
        buffer.push_str(text(&owner));
        is_edited
    };
    Library { name, make: Box::new(make), round: Box::new(round) }
}

/// Makes a text of each value in the buffer, and returns the time.
fn timed<'a, V>(
    values: &'a [V],
    buffer: &mut String,
    make: impl Fn(&'a V, &mut String) -> bool,
) -> Duration {
    let (start, mut bytes) = (Instant::now(), 0);
    for value in values {
        buffer.clear();
        make(value, black_box(buffer));
        bytes += buffer.len();
    }
    black_box(bytes);
    start.elapsed()
}

/// Prints the times of the libraries, and how many of their results are others than ours.
pub fn compare(heading: &str, libraries: Vec<Library>, lines: &[String], rounds: usize) {
    let count = lines.len();
    let mut buffer = String::new();
    let answers: Vec<Vec<String>> = libraries
        .iter()
        .map(|library| {
            let answer = |number| {
                buffer.clear();
                let made = (library.make)(number, &mut buffer);
                // If the result is the line itself, nothing is written.
                match (made, buffer.is_empty()) {
                    (true, false) => buffer.clone(),
                    (true, true) => lines[number].clone(),
                    (false, _) => String::new(),
                }
            };
            (0..count).map(answer).collect()
        })
        .collect();
    let mut times: HashMap<&str, Vec<f64>> = HashMap::new();
    for round in 0..rounds {
        for turn in 0..libraries.len() {
            let library = &libraries[(round + turn) % libraries.len()];
            let time = (library.round)(&mut buffer).as_nanos() as f64 / count as f64;
            times.entry(library.name).or_default().push(time);
        }
    }
    let of = |name: &str| times.get(name).map_or(f64::NAN, |times| time(times));
    println!("  {heading}");
    for (library, texts) in libraries.iter().zip(&answers) {
        let others = texts.iter().zip(&answers[0]).filter(|(text, ours)| text != ours).count();
        let (time, is_same) = (of(library.name), others * 100 <= count);
        let (open, close) = if is_same { (' ', ' ') } else { ('(', ')') };
        let ratio = time / of("simd-iri");
        let name = library.name;
        println!("    {name:<16}{open}{time:>8.1} ns {ratio:>6.2}{close} {others} other answers");
    }
}
