//! The rules of normalization one by one, and the names of all codes, for the playground.

use serde::Serialize;
use simd_iri::{ErrorKind, Normalize};
use simd_iri_lint::Code;

use crate::documents::json;
use crate::functions::{Answer, Arguments, Function, made};

pub(crate) const ALL: &[Function] = &[("steps", steps), ("codes", codes)];

/// A rule: its name, its section, and the set that switches it on.
type Rule = (&'static str, &'static str, fn(Normalize) -> Normalize);

/// The rules of the level `scheme-idna`, in the order of the levels.
const RULES: [Rule; 6] = [
    ("case", "RFC 3986, section 6.2.2.1", |rules| rules.case(true)),
    ("percent-encoding", "RFC 3986, section 6.2.2.2", |rules| rules.percent_encoding(true)),
    ("dot-segments", "RFC 3986, section 6.2.2.3", |rules| rules.dot_segments(true)),
    ("port", "RFC 3986, section 6.2.3", |rules| rules.port(true)),
    ("empty-path", "RFC 3986, section 6.2.3", |rules| rules.empty_path(true)),
    ("idna", "UTS #46", |rules| rules.idna(true)),
];

#[derive(Serialize)]
struct Step {
    rule: &'static str,
    section: &'static str,
    text: String,
}

/// Normalizes a reference by the first rule, by the first two, and so on. The last text is the normal form.
fn steps(of: &Arguments<'_>) -> Answer {
    let view = of.reference_of_any_rule()?;
    let mut rules = Normalize::none();
    let mut steps = Vec::new();
    for (rule, section, switch_on) in RULES {
        rules = switch_on(rules);
        let normal = rules.map(view).map_err(|error| of.refused(error))?;
        steps.push(Step { rule, section, text: normal.as_str().to_owned() });
    }
    made(json(&steps))
}

#[derive(Serialize)]
struct Codes {
    errors: Vec<&'static str>,
    findings: Vec<&'static str>,
}

fn codes(_: &Arguments<'_>) -> Answer {
    let errors = ErrorKind::ALL.iter().map(|kind| kind.name()).collect();
    let findings = Code::ALL.iter().map(|code| code.name()).collect();
    made(json(&Codes { errors, findings }))
}
