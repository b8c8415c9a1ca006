//! An adapter for libraries in Rust: `simd-iri-conformance NAME` answers for one of them. `protocol.md` says what it reads
//! and writes.
//!
//! Here: the protocol. `ours.rs` calls simd-iri, and `peers.rs` the other libraries.

mod ours;
#[cfg(feature = "peers")]
mod peers;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use serde_json::{Map, Value, json};

/// What a library answers.
enum Answer {
    /// The library has no such operation.
    Unsupported,
    /// The library refuses the input of an operation that makes a text.
    Refused(String),
    Invalid,
    Valid(Option<Components>),
    Text(String),
    Equal(bool),
}

/// Components by the names of the protocol. A library that does not have a component leaves it out.
type Components = Map<String, Value>;

/// The components that a library has: each is absent or a text.
fn components<'a>(
    all: impl IntoIterator<Item = (&'static str, Option<&'a str>)>,
) -> Option<Components> {
    Some(all.into_iter().map(|(name, part)| (name.to_owned(), Value::from(part))).collect())
}

/// A library: its first line, and its answers.
struct Library {
    hello: Value,
    answer: fn(&Request) -> Answer,
}

/// A request of the protocol. A text that a request does not have is empty.
struct Request(Value);

impl Request {
    fn text(&self, name: &str) -> &str {
        self.0[name].as_str().unwrap_or_default()
    }

    fn is(&self, name: &str) -> bool {
        self.0[name] == true
    }

    fn op(&self) -> &str {
        self.text("op")
    }

    fn kind(&self) -> &str {
        self.text("kind")
    }

    /// The input as bytes.
    fn bytes(&self) -> Vec<u8> {
        let digits = self.text("input_hex").as_bytes();
        if digits.is_empty() {
            return self.text("input").as_bytes().to_vec();
        }
        let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or_default() as u8;
        digits.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
    }
}

fn library(name: &str) -> Option<Library> {
    if name == "simd-iri" {
        return Some(ours::library());
    }
    #[cfg(feature = "peers")]
    return peers::library(name);
    #[cfg(not(feature = "peers"))]
    None
}

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some(library) = library(&name) else {
        eprintln!("no library {name}");
        return ExitCode::from(2);
    };
    match serve(&library) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(library: &Library) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", json!({"hello": library.hello}))?;
    out.flush()?;
    for line in io::stdin().lock().lines() {
        let request = Request(serde_json::from_str(&line?)?);
        let mut answer = match (library.answer)(&request) {
            Answer::Unsupported => json!({"unsupported": true}),
            Answer::Refused(error) => json!({"error": error}),
            Answer::Invalid => json!({"valid": false}),
            Answer::Valid(None) => json!({"valid": true}),
            Answer::Valid(Some(mut components)) => {
                let host_kind = components.remove("host_kind");
                let mut answer = json!({"valid": true, "components": components});
                if let Some(host_kind) = host_kind {
                    answer["host_kind"] = host_kind;
                }
                answer
            }
            Answer::Text(text) => json!({"result": text}),
            Answer::Equal(equal) => json!({"equal": equal}),
        };
        answer["seq"] = request.0["seq"].clone();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
