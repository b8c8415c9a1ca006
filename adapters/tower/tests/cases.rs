//! The cases of the project, and the shared cases if they exist: each case that a message can carry is sent to a
//! server, as a target or as a `Location`, and has the expected answer.

use std::fs;
use std::path::{Path, PathBuf};

use http::{HeaderValue, Request, Response, Uri};
use serde_json::Value;
use simd_iri_tower::simd_iri::IriRef;
use simd_iri_tower::{CheckTarget, NormalizeTarget, UriLocation};
use tower_layer::Layer;

use crate::support::{Answering, Body, Server, told};

/// More than any case that is not about lengths. `http` holds targets of less than 64 KiB, and a test sends two
/// hexadecimal digits a byte.
const LONGEST: usize = 30_000;

/// The rows of all files, from `conformance/cases` and `tests/data`, and from `$SIMD_IRI_CASES` or `../shared/cases`.
fn rows() -> Vec<Value> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = std::env::var_os("SIMD_IRI_CASES").map(PathBuf::from);
    let required = named.is_some();
    let shared = named.unwrap_or_else(|| project.join("../shared/cases"));
    let mut folders = vec![project.join("conformance/cases"), project.join("tests/data")];
    if shared.is_dir() {
        folders.push(shared);
    } else {
        assert!(!required, "SIMD_IRI_CASES names no folder: {}", shared.display());
        println!("no shared cases at {}: the cases of the project alone", shared.display());
    }
    let mut rows = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                let text = fs::read_to_string(path).unwrap();
                rows.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
            }
        }
    }
    rows
}

/// A syntax case: bytes, and whether they match a rule.
struct Syntax {
    id: String,
    kind: String,
    input: Vec<u8>,
    valid: bool,
}

fn hexadecimal(text: &str) -> Vec<u8> {
    let digits = |at| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(digits).collect()
}

/// The input of a row: a text, texts to be repeated, or bytes in hexadecimal.
fn input(row: &Value) -> Option<Vec<u8>> {
    match &row["input"] {
        Value::String(text) => Some(text.as_bytes().to_vec()),
        Value::Object(pieces) => {
            let piece = |piece: &Value| {
                let times = usize::try_from(piece[1].as_u64()?).ok()?;
                Some(piece[0].as_str()?.repeat(times))
            };
            let text: Option<String> = pieces["repeat"].as_array()?.iter().map(piece).collect();
            text.map(String::into_bytes)
        }
        _ => row["input_hex"].as_str().map(hexadecimal),
    }
}

fn syntax_cases() -> Vec<Syntax> {
    const KINDS: [&str; 6] =
        ["iri", "iri-reference", "absolute-iri", "uri", "uri-reference", "absolute-uri"];
    let mut cases = Vec::new();
    for row in rows() {
        let Some(input) = input(&row) else { continue };
        let mut case = |kind: &str, valid| {
            let (id, kind, input) = (row["id"].to_string(), kind.to_owned(), input.clone());
            cases.push(Syntax { id, kind, input, valid });
        };
        if let (Some(kind), Some(valid)) = (row["kind"].as_str(), row["valid"].as_bool()) {
            case(kind, valid);
        } else if let Some(kinds) = row["valid_as"].as_array() {
            for kind in KINDS {
                case(kind, kinds.iter().any(|valid| valid == kind));
            }
        }
    }
    cases.retain(|case| case.input.len() <= LONGEST);
    cases
}

/// Tells whether a request line can carry `input` as a target for which the answer to the case is the same: a path for
/// references, or a text with a scheme and an authority. The bytes of the line's own syntax do not fit in, and `http`
/// cuts a fragment off.
fn is_target(input: &[u8], kind: &str) -> bool {
    if input.iter().any(|byte| matches!(byte, b'\r' | b'\n' | b' ' | b'#')) {
        return false;
    }
    // Targets of HTTP have no user information, and a port of 16 bits; `targets` tests both.
    if input.to_ascii_lowercase().starts_with(b"http") {
        let iri = IriRef::parse_bytes(input).ok();
        let port = iri.and_then(|iri| iri.port()).filter(|port| !port.is_empty());
        if input.contains(&b'@') || port.is_some_and(|port| port.parse::<u16>().is_err()) {
            return false;
        }
    }
    let has_scheme = input
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?'))
        .is_some_and(|at| at > 1 && input[at - 1] == b':' && input[at..].starts_with(b"//"));
    match input {
        [b'/', b'/', ..] => false,
        [b'/', ..] => kind.ends_with("reference") || kind.ends_with("relative-ref"),
        _ => has_scheme && !kind.ends_with("relative-ref"),
    }
}

#[test]
fn targets_are_checked() {
    let tell = |request: Request<_>| Response::new(Body::from(told(&request)));
    let uri = Server::hyper(CheckTarget::new().layer(Answering(tell)), false);
    let iri = Server::hyper(CheckTarget::new().iri(true).layer(Answering(tell)), false);
    let (mut valid, mut invalid, mut unheld) = (0, 0, 0);
    for case in syntax_cases() {
        if !is_target(&case.input, &case.kind) {
            continue;
        }
        let is_iri = case.kind.contains("iri") || case.kind.contains("irelative");
        let answer = if is_iri { iri.get(&case.input) } else { uri.get(&case.input) };
        let text = case.input.escape_ascii();
        if case.valid && answer.status == 400 && answer.body.is_empty() {
            assert!(Uri::try_from(&case.input[..]).is_err(), "{}: {text}", case.id);
            unheld += 1;
        } else {
            let expected = if case.valid { 200 } else { 400 };
            assert_eq!(answer.status, expected, "{}: {text} as {}: {answer:?}", case.id, case.kind);
            *(if case.valid { &mut valid } else { &mut invalid }) += 1;
        }
    }
    assert!(valid > 0 && invalid > 0);
    println!(
        "targets: {valid} valid, {invalid} invalid; {unheld} valid ones that http does not hold"
    );
}

#[test]
fn targets_are_normalized() {
    let tell = |request: Request<_>| Response::new(Body::from(told(&request)));
    let server = Server::hyper(NormalizeTarget::new().layer(Answering(tell)), false);
    let mut ran = 0;
    for row in rows() {
        let (Some(input), Some(expected)) = (row["input"].as_str(), row["expected"].as_str())
        else {
            continue;
        };
        let is_rule = [&row["ladder"], &row["level"]].contains(&&Value::from("syntax"))
            && row["pct"] != "iunreserved";
        let is_held = input.is_ascii() && is_target(input.as_bytes(), "uri");
        if !is_rule || !is_held || Uri::try_from(input).is_err() {
            continue;
        }
        let answer = server.get(input);
        // `http` writes the slash of an empty path.
        let expected = Uri::try_from(expected).unwrap().to_string();
        assert_eq!(answer.body.lines().next(), Some(&*expected), "{}: {input}", row["id"]);
        ran += 1;
    }
    assert!(ran > 0);
    println!("normalization: {ran} cases");
}

/// A server that answers with the bytes whose hexadecimal digits are the path as its `Location`.
fn redirecting(layer: &UriLocation) -> Server {
    let redirect = |request: Request<_>| {
        let location = hexadecimal(request.uri().path().trim_start_matches('/'));
        let mut response = Response::new(Body::default());
        response.headers_mut().insert("location", HeaderValue::from_bytes(&location).unwrap());
        response
    };
    Server::hyper(layer.layer(Answering(redirect)), false)
}

/// The `Location` that the client gets; `None` if a field cannot hold it.
fn location(server: &Server, value: &[u8]) -> Option<Vec<u8>> {
    let held = HeaderValue::from_bytes(value).is_ok() && value.trim_ascii() == value;
    held.then(|| {
        let digits: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
        server.get(format!("/{digits}")).fields("location")[0].to_vec()
    })
}

#[test]
fn locations_become_uris() {
    let layer = UriLocation::new();
    let (left, server) = (layer.left(), redirecting(&layer));
    let (mut same, mut mapped, mut refused) = (0, 0, 0);
    for case in syntax_cases().iter().filter(|case| case.kind.ends_with("-reference")) {
        let before = left.get();
        let Some(found) = location(&server, &case.input) else { continue };
        let is_left = left.get() > before;
        let text = case.input.escape_ascii();
        let message = format!("{}: {text} as {}", case.id, case.kind);
        match (&*case.kind, case.valid) {
            ("iri-reference", true) => {
                let iri = IriRef::parse_bytes(&case.input).unwrap();
                assert_eq!(found, iri.to_uri().unwrap().as_str().as_bytes(), "{message}");
                assert!(!is_left, "{message}");
                mapped += usize::from(found != case.input);
                same += usize::from(found == case.input);
            }
            ("iri-reference", false) => {
                assert!(is_left && found == case.input, "{message}");
                refused += 1;
            }
            (_, true) => {
                assert!(!is_left && found == case.input, "{message}");
                same += 1;
            }
            (_, false) => assert!(is_left != (found != case.input), "{message}"),
        }
    }
    assert!(same > 0 && mapped > 0 && refused > 0);
    println!("locations: {same} are URIs, {mapped} become one, {refused} are left");
}

#[test]
fn locations_are_mapped_as_the_cases_say() {
    let percent = redirecting(&UriLocation::new());
    #[cfg(feature = "idna")]
    let idna = redirecting(&UriLocation::with(simd_iri_tower::simd_iri::ToUri::new().idna(true)));
    let (mut ran, mut others) = (0, 0);
    for row in rows() {
        let (Some(input), Some(expected), Some(host)) =
            (row["input"].as_str(), row["expected"].as_str(), row["options"]["host"].as_str())
        else {
            continue;
        };
        let server = match host {
            "percent" => &percent,
            #[cfg(feature = "idna")]
            "idna" => &idna,
            _ => {
                others += 1;
                continue;
            }
        };
        if let Some(found) = location(server, input.as_bytes()) {
            assert_eq!(found, expected.as_bytes(), "{}: {input}", row["id"]);
            ran += 1;
        }
    }
    assert!(ran > 0);
    println!("mappings: {ran} cases; {others} need the feature idna");
}
