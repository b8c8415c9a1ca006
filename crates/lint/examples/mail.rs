//! A mail composer: finds the addresses in running text, and prints the text and the target of each link.
//!
//! `cargo run -p simd-iri-lint --example mail -- FILE` reads a file. Without a file, it prints:
//!
//! ```text
//! 4..35: http://bücher.example/é -> http://xn--bcher-kva.example/%C3%A9
//! 49..60: https://example.com -> https://example.com
//! 69..84: mailto:ann@example.org -> mailto:ann@example.org
//! ```

use std::error::Error;
use std::{env, fs};

use simd_iri::ToUri;
use simd_iri_lint::DisplayUts58;
use simd_iri_text::Extract;

const SAMPLE: &str =
    "See http://xn--bcher-kva.example/é, then search example.com, or ask ann@example.org!";

fn main() -> Result<(), Box<dyn Error>> {
    let text = env::args().nth(1).map_or(Ok(SAMPLE.to_owned()), fs::read_to_string)?;
    for link in Extract::new().links(&text) {
        let Ok(reference) = link.prepare() else { continue };
        let shown = DisplayUts58::new().map(reference.view());
        let target = ToUri::new().idna(true).map(reference.view())?;
        println!("{:?}: {shown} -> {target}", link.span());
    }
    Ok(())
}
