//! Prints the answers of Rust for the lines for which `tests/runner.c` prints the answers of C: a start rule, a text in
//! hexadecimal, and the eight offsets or the four numbers of the error. The texts are the inputs of all cases; see
//! `tests/cases.rs`.
#![expect(clippy::unwrap_used, reason = "a program for tests")]

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;
use simd_iri::Rule;

fn texts(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) if !text.is_empty() && !text.contains('\0') => out.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| texts(value, out)),
        Value::Object(values) => values.values().for_each(|value| texts(value, out)),
        _ => {}
    }
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = env::var_os("SIMD_IRI_CASES").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|| root.join("../shared/cases"));
    let mut all = Vec::new();
    let mut folders = vec![root.join("conformance/cases"), root.join("tests/data"), shared];
    folders.retain(|folder| folder.is_dir());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                for line in fs::read_to_string(&path).unwrap().lines() {
                    let case: Value = serde_json::from_str(line).unwrap();
                    for name in ["input", "base", "reference", "expected", "a", "b"] {
                        texts(case.get(name).unwrap_or(&Value::Null), &mut all);
                    }
                }
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    for text in &all {
        let digits: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        for (number, rule) in Rule::ALL.iter().enumerate() {
            let numbers = match rule.parse(text) {
                Ok(parts) => parts.offsets().to_vec(),
                Err(error) => error.to_words().to_vec(),
            };
            let numbers: Vec<_> = numbers.iter().map(u32::to_string).collect();
            println!("{number} {digits} {}", numbers.join(" "));
        }
    }
}
