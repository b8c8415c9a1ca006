//! A configuration with fields that are IRIs: an error names the field, and says what is wrong with its value.
//!
//! `cargo run --features serde --example config -- FILE.json` reads a file. Without a file, it prints:
//!
//! ```text
//! feed: '|' at byte 24 is not allowed in a path; write %7C
//! ```

use std::error::Error;
use std::{env, fs};

use serde::Deserialize;
use simd_iri::IriBuf;

const SAMPLE: &str = r#"{"home": "https://example.org/ü", "feed": "https://example.org/news|all"}"#;

#[derive(Deserialize)]
#[serde(try_from = "Texts")]
struct Config {
    home: IriBuf,
    feed: IriBuf,
}

/// A configuration before its fields are checked. With a format that names the field itself, such as TOML, `Config` alone
/// is enough.
#[derive(Deserialize)]
struct Texts {
    home: String,
    feed: String,
}

impl TryFrom<Texts> for Config {
    type Error = String;

    fn try_from(Texts { home, feed }: Texts) -> Result<Self, String> {
        let iri =
            |name, text: String| IriBuf::parse(&text).map_err(|error| format!("{name}: {error}"));
        Ok(Self { home: iri("home", home)?, feed: iri("feed", feed)? })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = env::args().nth(1).map_or(Ok(SAMPLE.to_owned()), fs::read_to_string)?;
    match serde_json::from_str(&text) {
        Ok(Config { home, feed }) => println!("The home page is {home}, and the feed is {feed}."),
        Err(error) => println!("{error}"),
    }
    Ok(())
}
