//! Wrong answers that were found in use: the cases of `data/defects.jsonl` that have a `call` of the library. The
//! tests of the program run the cases that have `args`. A test here checks that every case has an expected result.

use std::fs;
use std::path::Path;

use serde_json::Value;

fn cases() -> Vec<Value> {
    let path = Path::new(crate::ROOT).join("tests/data/defects.jsonl");
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The function with that name.
fn call(name: &str) -> impl Fn(&str) -> String {
    use simd_iri::{IriRef, Normalize};
    use simd_iri_lint::DisplayIri;

    let rules = match name {
        "normalize(Normalize::syntax().urn(true))" => Some(Normalize::syntax().urn(true)),
        "normalize(Normalize::none().urn(true))" => Some(Normalize::none().urn(true)),
        "normalize(Normalize::none().mailto(true))" => Some(Normalize::none().mailto(true)),
        "normalize(Normalize::none().file_localhost(true))" => {
            Some(Normalize::none().file_localhost(true))
        }
        "normalize(Normalize::none().ipv6(true))" => Some(Normalize::none().ipv6(true)),
        "DisplayIri::new().map, twice" => None,
        other => panic!("no such call: {other}"),
    };
    move |text| {
        let iri = IriRef::parse(text).unwrap();
        let result = rules.map_or_else(|| DisplayIri::new().map(iri), |rules| iri.normalize(rules));
        result.unwrap().as_str().to_owned()
    }
}

#[test]
fn every_defect_is_mended() {
    let mut failures = Vec::new();
    let mut ran = 0;
    for case in cases() {
        let text = |field: &str| case.get(field).and_then(Value::as_str);
        let (Some(id), Some(name)) = (text("id"), text("call")) else { continue };
        let call = call(name);
        let once = call(text("input").unwrap());
        if text("want").is_some_and(|want| once != want) {
            failures.push(format!("{id}: {once:?}"));
        }
        let again = call(&once);
        if case.get("same_twice").is_some() && once != again {
            failures.push(format!("{id}: {once:?}, then {again:?}"));
        }
        ran += 1;
    }
    println!("{ran} cases");
    assert!(ran > 0 && failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_case_says_what_must_be() {
    const ASKED: [&str; 5] = ["args", "stdin", "files", "call", "input"];
    const WANTED: [&str; 6] = ["want", "has", "hasnt", "lines", "exit", "same_twice"];
    let mut ids = std::collections::BTreeSet::new();
    for case in cases() {
        let fields: Vec<&str> = case.as_object().unwrap().keys().map(String::as_str).collect();
        let known = |field: &&str| {
            ["id", "per"].contains(field) || ASKED.contains(field) || WANTED.contains(field)
        };
        assert!(fields.iter().all(known), "{case}");
        assert!(fields.iter().any(|field| WANTED.contains(field)), "nothing is wanted: {case}");
        let is_call = fields.contains(&"call");
        assert_eq!(is_call, fields.contains(&"input"), "{case}");
        assert!(is_call != fields.contains(&"args"), "either args or a call: {case}");
        assert!(ids.insert(case["id"].as_str().unwrap().to_owned()), "a second {}", case["id"]);
    }
}
