//! Checks each line of a file, prints what is wrong with those that are no IRIs, and counts.
//!
//! `cargo run --release -p simd-iri --example check -- cli/sample/references.txt`

use std::error::Error;
use std::{env, fs};

use simd_iri::Iri;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: check FILE")?;
    let (mut valid, mut invalid) = (0, 0);
    for (number, line) in (1..).zip(fs::read_to_string(&path)?.lines()) {
        match Iri::parse(line) {
            Ok(_) => valid += 1,
            Err(error) => {
                invalid += 1;
                println!("{path}:{number}: {error}");
            }
        }
    }
    println!("{valid} valid, {invalid} invalid");
    Ok(())
}
