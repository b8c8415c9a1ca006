//! All cases give the same answers through C as through Rust, and as the cases say. The cases are in
//! `conformance/cases` and `tests/data`, and in `$SIMD_IRI_CASES` or `../shared/cases` if these exist.
#![expect(unsafe_code, reason = "calls the functions as C does")]
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "each pointer is null or that of a variable, with its length"
)]
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use std::ffi::c_char;
use std::path::{Path, PathBuf};
use std::{env, fs, ptr};

use serde_json::Value;
use simd_iri::Rule;
use simd_iri_c::*;

/// Calls a function that makes a text: for its length, with a buffer that is too short, and with a buffer that is long
/// enough. All answers must agree.
fn made(call: impl Fn(*mut c_char, usize, *mut Error) -> isize) -> Result<String, Error> {
    let mut error = Error::default();
    let length = call(ptr::null_mut(), 0, &raw mut error);
    let Ok(length) = usize::try_from(length) else { return Err(error) };
    let mut room = vec![b'?'; length + 2];
    let with = |room: &mut [u8], capacity| {
        usize::try_from(call(room.as_mut_ptr().cast(), capacity, ptr::null_mut())).unwrap()
    };
    if length > 0 {
        assert_eq!((with(&mut room, length), room[0], room[1]), (length, 0, b'?'));
    }
    assert_eq!(with(&mut room, length + 1), length);
    assert_eq!(room.split_off(length), [0, b'?']);
    Ok(String::from_utf8(room).unwrap())
}

fn message(error: &Error) -> String {
    let length = unsafe { simd_iri_error_message(error, ptr::null_mut(), 0) };
    let mut room = vec![0; length + 1];
    unsafe { simd_iri_error_message(error, room.as_mut_ptr().cast(), room.len()) };
    room.pop();
    String::from_utf8(room).unwrap()
}

fn parse(number: u32, text: &[u8]) -> Result<Parts, Error> {
    let (mut parts, mut error) = (Parts::default(), Error::default());
    let (start, length) = (text.as_ptr().cast(), text.len());
    let is_valid = unsafe { simd_iri_parse(number, start, length, &raw mut parts, &raw mut error) };
    assert_eq!(unsafe { simd_iri_is_valid(number, start, length) }, is_valid);
    if is_valid { Ok(parts) } else { Err(error) }
}

/// The same answer through C as through Rust, with the same message.
fn is_same(number: u32, text: &[u8]) -> bool {
    let rule = Rule::ALL[number as usize];
    match (parse(number, text), rule.parse_bytes(text)) {
        (Ok(parts), Ok(of_rust)) => {
            let Parts { scheme_end, authority, host, host_end, path, path_end, query_end, end } =
                parts;
            let offsets = [scheme_end, authority, host, host_end, path, path_end, query_end, end];
            assert_eq!(offsets, of_rust.offsets());
            true
        }
        (Err(error), Err(of_rust)) => {
            assert_eq!(
                (error.start as usize, error.end as usize),
                (of_rust.span().start, of_rust.span().end)
            );
            assert_eq!(message(&error), of_rust.to_string());
            false
        }
        (of_c, of_rust) => panic!("{of_c:?} is not {of_rust:?}: {}", text.escape_ascii()),
    }
}

/// The input of a case: a text, bytes in hexadecimal, or texts to be repeated.
fn input(case: &Value, name: &str) -> Option<Vec<u8>> {
    if let Some(digits) = case.get("input_hex").and_then(Value::as_str) {
        let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        return Some((0..digits.len()).step_by(2).map(byte).collect());
    }
    match case.get(name)? {
        Value::String(text) => Some(text.clone().into_bytes()),
        Value::Object(pieces) => Some(
            pieces["repeat"]
                .as_array()
                .unwrap()
                .iter()
                .flat_map(|piece| {
                    piece[0]
                        .as_str()
                        .unwrap()
                        .repeat(piece[1].as_u64().unwrap() as usize)
                        .into_bytes()
                })
                .collect(),
        ),
        _ => None,
    }
}

fn text<'a>(case: &'a Value, name: &str) -> &'a str {
    case.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The level of a normalization or a comparison, which the cases of others have in another field.
fn ladder(case: &Value) -> &str {
    text(case, if case.get("ladder").is_some() { "ladder" } else { "level" })
}

fn syntax(case: &Value) -> bool {
    let (Some(input), Some(valid)) =
        (input(case, "input"), case.get("valid").and_then(Value::as_bool))
    else {
        return false;
    };
    let rule =
        Rule::ALL.iter().position(|rule| rule.name().eq_ignore_ascii_case(text(case, "kind")));
    let Some(rule) = rule else { return false };
    assert_eq!(is_same(rule as u32, &input), valid, "{case}");
    for other in 0..8 {
        is_same(other, &input);
    }
    true
}

fn resolve(case: &Value) -> bool {
    let (Some(base), Some(reference)) = (input(case, "base"), input(case, "reference")) else {
        return false;
    };
    let flags = if text(case, "mode") == "lenient" { SIMD_IRI_FLAG_LENIENT } else { 0 };
    let resolved = made(|buffer, capacity, error| unsafe {
        simd_iri_resolve(
            flags,
            base.as_ptr().cast(),
            base.len(),
            reference.as_ptr().cast(),
            reference.len(),
            buffer,
            capacity,
            error,
        )
    });
    let of_rust = simd_iri::Iri::parse_bytes(&base).unwrap();
    let reference = simd_iri::IriRef::parse_bytes(&reference).unwrap();
    let of_rust = simd_iri::Base::new(of_rust).lenient(flags != 0).resolve(reference).unwrap();
    assert_eq!(resolved.as_deref(), Ok(of_rust.as_str()), "{case}");
    assert_eq!(resolved.as_deref(), Ok(text(case, "expected")), "{case}");
    true
}

fn normalize(case: &Value) -> bool {
    let Some(input) = input(case, "input") else { return false };
    // This shared case was made before it was decided that `a://h:00/` is `a://h:0/`, whatever the scheme.
    if text(case, "id") == "generated-norm-815be644f1" {
        return false;
    }
    let level = match ladder(case) {
        "syntax" => SIMD_IRI_LEVEL_SYNTAX,
        "scheme" => SIMD_IRI_LEVEL_SCHEME,
        _ => return false,
    };
    let rules = match text(case, "pct") {
        "unreserved" => &[SIMD_IRI_RULE_URI_REFERENCE][..],
        "iunreserved" => &[SIMD_IRI_RULE_IRI_REFERENCE],
        _ => &[SIMD_IRI_RULE_IRI_REFERENCE, SIMD_IRI_RULE_URI_REFERENCE],
    };
    for rule in rules.iter().copied().filter(|rule| parse(*rule, &input).is_ok()) {
        let normal = made(|buffer, capacity, error| unsafe {
            simd_iri_normalize(
                rule,
                level,
                input.as_ptr().cast(),
                input.len(),
                buffer,
                capacity,
                error,
            )
        });
        assert_eq!(normal.as_deref(), Ok(text(case, "expected")), "{case}");
    }
    true
}

fn to_uri(case: &Value) -> bool {
    let Some(input) = input(case, "input") else { return false };
    let is_idna = case["options"]["host"] == "idna";
    let flags = if is_idna { SIMD_IRI_FLAG_IDNA } else { 0 };
    let uri = made(|buffer, capacity, error| unsafe {
        simd_iri_to_uri(flags, input.as_ptr().cast(), input.len(), buffer, capacity, error)
    });
    assert_eq!(uri.as_deref().ok(), case["expected"].as_str(), "{case}");
    true
}

fn to_iri(case: &Value) -> bool {
    let Some(input) = input(case, "input") else { return false };
    let iri = made(|buffer, capacity, error| unsafe {
        simd_iri_to_iri(0, input.as_ptr().cast(), input.len(), buffer, capacity, error)
    });
    let of_rust = simd_iri::IriRef::parse_bytes(&input).unwrap().to_iri();
    assert_eq!(iri.as_deref(), Ok(of_rust.view().as_str()), "{case}");
    true
}

fn equivalence(case: &Value) -> bool {
    let (Some(a), Some(b), Some(equal)) =
        (input(case, "a"), input(case, "b"), case.get("equal").and_then(Value::as_bool))
    else {
        return false;
    };
    let level = match ladder(case) {
        "simple" => SIMD_IRI_LEVEL_SIMPLE,
        "syntax" => SIMD_IRI_LEVEL_SYNTAX,
        _ => SIMD_IRI_LEVEL_SCHEME,
    };
    let order = unsafe {
        simd_iri_compare(
            level,
            a.as_ptr().cast(),
            a.len(),
            b.as_ptr().cast(),
            b.len(),
            ptr::null_mut(),
        )
    };
    let print = |text: &[u8]| {
        let mut halves = [0; 2];
        let (start, error) = (text.as_ptr().cast(), ptr::null_mut());
        assert!(unsafe {
            simd_iri_fingerprint(level, start, text.len(), halves.as_mut_ptr(), error)
        });
        halves
    };
    let key = |text: &[u8]| {
        made(|buffer, capacity, error| unsafe {
            simd_iri_key(level, text.as_ptr().cast(), text.len(), buffer, capacity, error)
        })
    };
    let is_equal = order == SIMD_IRI_EQUAL;
    assert_eq!([print(&a) == print(&b), key(&a) == key(&b)], [is_equal; 2], "{case}");
    let views = [&a, &b].map(|text| simd_iri::IriRef::parse_bytes(text).unwrap());
    let by = [simd_iri::Level::Simple, simd_iri::Level::Syntax, simd_iri::Level::Scheme];
    assert_eq!(is_equal, views[0].is_equivalent(views[1], by[level as usize]), "{case}");
    let is_allowed = case["may"] == true || case["level"] == "may";
    assert!(is_equal == equal || is_allowed, "{case}");
    true
}

/// The files of cases: the files of the project, and the files of the shared folder if it exists.
fn files_of_cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = env::var_os("SIMD_IRI_CASES").map(PathBuf::from);
    let is_required = named.is_some();
    let shared = named.unwrap_or_else(|| root.join("../shared/cases"));
    let mut folders = vec![root.join("conformance/cases"), root.join("tests/data")];
    if shared.is_dir() || is_required {
        folders.push(shared);
    } else {
        println!("no shared cases at {}: the cases of the project alone", shared.display());
    }
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { &mut folders } else { &mut files }.push(path);
        }
    }
    files
}

#[test]
fn every_case_has_its_answer_through_c() {
    let (mut ran, mut files) = (0, 0);
    for path in files_of_cases() {
        let name = path.file_stem().unwrap().to_str().unwrap().replace('-', "_");
        // These two lists are not cases of the RFC. The tests of the library say why.
        let is_case = path.extension().is_some_and(|extension| extension == "jsonl")
            && !["crawler_normalize", "defects"].contains(&name.as_str());
        if !is_case {
            continue;
        }
        let lines = fs::read_to_string(&path).unwrap();
        let cases: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        // A case of the project has its operation; the name of a shared file says it.
        let check: fn(&Value) -> bool = match cases[0]["op"].as_str().unwrap_or(&name) {
            name if name.contains("to_uri") => to_uri,
            name if name.contains("to_iri") || name == "from_uri" => to_iri,
            name if name.contains("resolve") => resolve,
            name if name.contains("normalize") => normalize,
            name if name.ends_with("equivalence") || name == "compare" => equivalence,
            _ => syntax,
        };
        let count = cases.iter().filter(|case| check(case)).count();
        println!("{count} cases of {}", path.display());
        ran += count;
        files += usize::from(count > 0);
    }
    println!("{ran} cases of {files} files");
    assert!(ran > 2_000, "{ran} cases of {files} files");
}
