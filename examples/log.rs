//! A file of addresses, read as a whole: prints the number and the error of each invalid line, and counts.
//!
//! `cargo run --release --example log -- FILE` reads a file. A file that is mapped into memory is a `&[u8]`, too.
//! Without a file, it prints:
//!
//! ```text
//! line 2: no scheme at byte 0; begin with one, such as "https:"
//! line 4: '%' at byte 13 in a path is not followed by two hexadecimal digits; write %25 for a literal '%'
//! 2 of 4 lines are IRIs
//! ```

use std::error::Error;
use std::{env, fs};

use simd_iri::Rule;
use simd_iri::batch::{Batch, Outcome, Separated};

const SAMPLE: &str = "http://a.example/\nb\nurn:isbn:0451450523\nhttp://c.d/50%\n";

fn main() -> Result<(), Box<dyn Error>> {
    let log = env::args().nth(1).map_or(Ok(SAMPLE.into()), fs::read)?;
    let (batch, lines) = (Batch::new(Rule::Iri), Separated::lines(&log));
    let count = batch.count(lines);
    for (number, item) in (1..).zip(batch.parse(lines)) {
        if let Outcome::Invalid(error) = item.outcome() {
            println!("line {number}: {error}");
        }
    }
    println!("{} of {} lines are IRIs", count.valid, count.items);
    Ok(())
}
