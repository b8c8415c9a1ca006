//! The front end of an RDF reader: resolves the IRIs between angle brackets, and prints errors with their positions.
//!
//! `cargo run --example rdf -- FILE.nt` reads a file. Without a file, it prints:
//!
//! ```text
//! http://example.org/data/#ines
//! http://xmlns.com/foaf/0.1/knows
//! http://example.org/é
//! http://example.org/data/#ines
//! line 2: ' ' at byte 14 is not allowed in a path; write %20
//! ```

use std::error::Error;
use std::{env, fs};

use simd_iri::{Base, IriRef};

const SAMPLE: &str = r#"<#ines> <http://xmlns.com/foaf/0.1/knows> </é> .
<#ines> <first name> "a <literal> without escapes" .
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let text = env::args().nth(1).map_or(Ok(SAMPLE.to_owned()), fs::read_to_string)?;
    let base = Base::parse("http://example.org/data/")?;
    for (number, line) in (1..).zip(text.lines()) {
        let mut rest = line;
        while let Some(at) = rest.find(['<', '"']) {
            let (opening, after) = rest.split_at(at + 1);
            if opening.ends_with('"') {
                rest = after.split_once('"').map_or("", |(_literal, after)| after);
                continue;
            }
            let start = line.len() - after.len();
            rest = match IriRef::parse_until(after, b'>') {
                Ok((reference, after)) => {
                    println!("{}", base.resolve(reference)?);
                    after
                }
                Err(error) => {
                    println!("line {number}: {}", error.error().moved_by(start));
                    after.get(error.end()..).unwrap_or_default()
                }
            };
        }
    }
    Ok(())
}
