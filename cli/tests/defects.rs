//! Wrong answers that users found, as commands of a user: the cases of `tests/data/defects.jsonl` that
//! have `args`. The tests of the library run those that have a `call`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::run_in;

/// A run of the program and its expected result. `tests/data/README.md` describes the fields.
#[derive(Deserialize)]
struct Case {
    #[serde(alias = "why")]
    id: String,
    args: Vec<String>,
    stdin: Option<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    want: Option<String>,
    #[serde(default)]
    has: Texts,
    #[serde(default)]
    hasnt: Texts,
    lines: Option<String>,
    exit: Option<i32>,
}

/// A text, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    Several(Vec<String>),
}

impl Default for Texts {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl Texts {
    fn all(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Several(texts) => texts,
        }
    }
}

/// How much of standard output a text without a newline is.
#[derive(Clone, Copy, PartialEq)]
enum Line {
    Only,
    First,
}

impl Case {
    /// Returns how a run differs from the case.
    fn failures(&self, line: Line) -> Vec<String> {
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in &self.files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let run = run_in(folder.path(), &args, self.stdin.as_deref().unwrap_or_default());
        let both = format!("{}{}", run.text(), run.err);
        let mut failures = Vec::new();
        let mut must = |holds: bool, what: String| {
            if !holds {
                failures.push(format!("{}: {what}\n  of {both:?}", self.id));
            }
        };
        if let Some(text) = &self.want {
            // A text with a newline is the whole output.
            let whole = if text.contains('\n') { text.clone() } else { format!("{text}\n") };
            let first = run.text().lines().next().unwrap_or_default();
            let begins = line == Line::First && !text.contains('\n') && first == text;
            must(begins || run.text() == whole, format!("standard output is not {whole:?}"));
        }
        for text in self.has.all() {
            must(both.contains(text), format!("{text:?} is missing"));
        }
        for text in self.hasnt.all() {
            must(!both.contains(text), format!("{text:?} is there"));
        }
        match self.lines.as_deref() {
            None => {}
            Some("all equal") => {
                let lines = run.lines();
                let equal = lines.iter().all(|line| Some(line) == lines.first());
                must(!lines.is_empty() && equal, "the lines of standard output differ".into());
            }
            Some(other) => must(false, format!("no such property of lines: {other}")),
        }
        if let Some(code) = self.exit {
            must(run.code == code, format!("the exit code is {}, not {code}", run.code));
        }
        failures
    }
}

#[test]
fn every_defect_is_fixed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/defects.jsonl");
    let text = fs::read_to_string(path).unwrap();
    let cases = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let cases = cases.filter(|case| case.get("args").is_some());
    let cases: Vec<Case> = cases.map(|case| serde_json::from_value(case).unwrap()).collect();
    assert!(!cases.is_empty());

    let failures: Vec<String> = cases.iter().flat_map(|case| case.failures(Line::Only)).collect();
    println!("{} cases", cases.len());
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// The cases of `faults.jsonl` in `$SIMD_IRI_CASES` or `../shared/cases`: `want` without a newline is the first line.
#[test]
#[ignore = "needs ../shared/cases"]
fn every_fault_is_mended() {
    let named = std::env::var_os("SIMD_IRI_CASES").map(PathBuf::from);
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases");
    let text = fs::read_to_string(named.unwrap_or(shared).join("faults.jsonl")).unwrap();
    let cases: Vec<Case> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!cases.is_empty());
    let failures: Vec<String> = cases.iter().flat_map(|case| case.failures(Line::First)).collect();
    println!("{} cases", cases.len());
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
