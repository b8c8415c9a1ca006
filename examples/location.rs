//! The `Location` header in a proxy: a value that is relative, or that has UTF-8, becomes a URI.
//!
//! `cargo run --features idna --example location -- FILE` reads a value from each line. Without a file, it prints:
//!
//! ```text
//! https://example.org/v%C3%A4lkommen
//! https://example.org/shop/pay?id=7
//! https://xn--bcher-kva.example/
//! refused: ' ' at byte 5 is not allowed in a path; write %20
//! ```

use std::error::Error;
use std::{env, fs};

use simd_iri::{Base, ToUri};

const SAMPLE: &str = "/välkommen\npay?id=7\nhttps://bücher.example/\n/shop a\n";

fn rewrite(request: Base<'_>, location: &[u8]) -> Result<String, Box<dyn Error>> {
    let target = request.resolve(location)?;
    Ok(ToUri::new().idna(true).map(&target)?.into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let fields = env::args().nth(1).map_or(Ok(SAMPLE.into()), fs::read)?;
    let request = Base::parse("https://example.org/shop/cart?id=7")?;
    for location in fields.trim_ascii_end().split(|byte| *byte == b'\n') {
        match rewrite(request, location) {
            Ok(uri) => println!("{uri}"),
            Err(error) => println!("refused: {error}"),
        }
    }
    Ok(())
}
