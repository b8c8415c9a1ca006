//! An editor: marks every error of a text while a person types it, and applies the suggestions.
//!
//! `cargo run --example editor -- TEXT` reads a text. Without a text, it prints:
//!
//! ```text
//! http://a.example/ä b?c|d#"e"
//!                   ^ ' ' at byte 19 is not allowed in a path; write %20
//!                       ^ '|' at byte 23 is not allowed in a query; write %7C
//!                          ^ '"' at byte 26 is not allowed in a fragment; write %22
//!                            ^ '"' at byte 28 is not allowed in a fragment; write %22
//! http://a.example/ä%20b?c%7Cd#%22e%22
//! ```

use std::env;

use simd_iri::{Iri, Rule};

fn main() {
    let mut text = env::args().nth(1).unwrap_or(r#"http://a.example/ä b?c|d#"e""#.to_owned());
    println!("{text}");
    for error in Rule::Iri.violations(&text) {
        // Offsets are bytes of UTF-8, and an error begins at a character.
        let column = text.get(..error.span().start).map_or(0, |before| before.chars().count());
        println!("{:column$}^ {error}", "");
    }
    // The suggestion of the first error, until there is none.
    while let Some(edited) =
        Iri::parse(&text).err().and_then(|error| error.suggestion()?.apply(&text))
    {
        text = edited;
    }
    println!("{text}");
}
