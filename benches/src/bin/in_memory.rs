//! Measures the time of the library alone for the lines of a file in memory, to compare with the time of the whole
//! process `iri check`.
//!
//! `in_memory FILE [RULE]`. RULE is a name of the grammar of the RFC; the default is `IRI`. Reading and splitting are
//! not measured; the time is the median of three passes. If the file is UTF-8, the program also prints how many times
//! as fast a batch over the lines in an Arrow array is as a plain loop, and a batch over a slice of owned strings, in order
//! and in any order.

use std::{env, error::Error, fs, hint::black_box, time::Instant};

use simd_iri::Rule;
use simd_iri_benches::buffers;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let file = arguments.next().ok_or("usage: in_memory FILE [RULE]")?;
    let rule = match arguments.next() {
        Some(name) => name.to_string_lossy().parse::<Rule>().map_err(|error| error.to_string())?,
        None => Rule::Iri,
    };
    let bytes = fs::read(file)?;
    let lines = lines(&bytes);

    let mut valid = 0;
    let mut seconds = [0.0; 3];
    for pass in &mut seconds {
        let start = Instant::now();
        valid = lines.iter().filter(|line| black_box(&rule.parse_bytes(line)).is_ok()).count();
        *pass = start.elapsed().as_secs_f64();
    }
    seconds.sort_by(f64::total_cmp);
    println!("{} items, {valid} valid, {:.3} seconds", lines.len(), seconds[1]);

    let texts = lines.iter().map(|line| std::str::from_utf8(line)).collect::<Result<Vec<_>, _>>();
    if let Ok(texts) = texts {
        let [count, columns] = buffers::arrow_against_loop(rule, &texts, 51);
        println!(
            "an Arrow array: {count:.2} times the plain loop to count, {columns:.2} for columns"
        );
        let [ordered, shuffled] = buffers::slice_against_loop(rule, &texts, 11);
        println!("a slice: {ordered:.2} times the plain loop to count, {shuffled:.2} in any order");
    }
    Ok(())
}

/// Returns the items of a file as `iri check` counts them: a byte-order mark at the start is not part of the first
/// line, LF or CR LF ends a line, and the last line needs no end.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\n").unwrap_or(line))
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .collect()
}
