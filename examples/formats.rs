//! The formats of JSON Schema: prints whether a value has its format, and the reason if it does not.
//!
//! `cargo run --features idna --example formats -- FILE` reads a format and a value from each line. Without a file, it
//! prints:
//!
//! ```text
//! iri http://ƒøø.ßår/?∂éœ=πîx: valid
//! uri http://a.example/b^c: '^' at byte 18 is not allowed in a path; write %5E
//! iri /relative: no scheme at byte 0; begin with one, such as "https:"
//! iri-reference /relative: valid
//! uri-reference a|b: '|' at byte 1 is not allowed in a path; write %7C
//! hostname example.org: valid
//! hostname -a.example: not the name of a host
//! idn-hostname 例え.jp: valid
//! email ann@example.org: not checked
//! ```

use std::error::Error;
use std::{env, fs};

use simd_iri::{
    Rule,
    domain::{is_hostname, is_idn_hostname},
};

const SAMPLE: &str = "\
iri http://ƒøø.ßår/?∂éœ=πîx
uri http://a.example/b^c
iri /relative
iri-reference /relative
uri-reference a|b
hostname example.org
hostname -a.example
idn-hostname 例え.jp
email ann@example.org
";

/// Returns what is wrong with a value, or that it is valid.
fn check(format: &str, value: &str) -> String {
    let by_rule = |rule: Rule| rule.validate(value).map_err(|error| error.to_string());
    let if_host = |is_host: bool| is_host.then_some(()).ok_or("not the name of a host".to_owned());
    let checked = match format {
        "uri" => by_rule(Rule::Uri),
        "uri-reference" => by_rule(Rule::UriReference),
        "iri" => by_rule(Rule::Iri),
        "iri-reference" => by_rule(Rule::IriReference),
        "hostname" => if_host(is_hostname(value)),
        "idn-hostname" => if_host(is_idn_hostname(value)),
        _ => Err("not checked".to_owned()),
    };
    checked.err().unwrap_or("valid".to_owned())
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = env::args().nth(1).map_or(Ok(SAMPLE.to_owned()), fs::read_to_string)?;
    for (format, value) in text.lines().filter_map(|line| line.split_once(' ')) {
        println!("{format} {value}: {}", check(format, value));
    }
    Ok(())
}
