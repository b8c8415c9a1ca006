//! The functions for logs, fetches, archives, templates, wrapped links and rules have the answers of the cases and of the
//! library.
#![expect(unsafe_code, reason = "calls the functions as C does")]
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "each pointer is null or that of a variable, with its length"
)]
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use std::ffi::c_char;
use std::ptr;

use serde_json::{Value, json};
use simd_iri::IriRef;
use simd_iri::percent;
use simd_iri_archive::Profile;
use simd_iri_c::*;
use simd_iri_judge::{Decision, ReasonKind};
use simd_iri_redact::{Redact, RedactPart, SecretSet};
use simd_iri_rules::{QueryRules, RuleFormat, Unwrap};
use simd_iri_template as template;
use simd_iri_template::{Match, Template, Variables};

/// Returns the cases of a file of `tests/data`.
fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let lines = std::fs::read_to_string(path).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text<'a>(case: &'a Value, name: &str) -> &'a str {
    case[name].as_str().unwrap()
}

fn of(text: &[u8]) -> (*const c_char, usize) {
    (text.as_ptr().cast(), text.len())
}

/// Calls a function that makes a text, for the length and then for the text. A number below 0 is the error.
fn made(call: impl Fn(*mut c_char, usize, *mut Error) -> isize) -> Result<Vec<u8>, isize> {
    let result = call(ptr::null_mut(), 0, ptr::null_mut());
    let length = usize::try_from(result).map_err(|_| result)?;
    let mut room = vec![0; length + 1];
    assert_eq!(call(room.as_mut_ptr().cast(), room.len(), ptr::null_mut()), result);
    assert_eq!(room.pop(), Some(0));
    Ok(room)
}

fn redacted(part: usize, sets: &str, bytes: &[u8]) -> Vec<u8> {
    let ((sets, sets_length), (start, length)) = (of(sets.as_bytes()), of(bytes));
    let part = u32::try_from(part).unwrap();
    let call = |buffer, capacity, error| unsafe {
        simd_iri_redact(part, 0, sets, sets_length, start, length, buffer, capacity, error)
    };
    made(call).unwrap()
}

fn archive_key(profile: usize, bytes: &[u8]) -> Vec<u8> {
    let (start, length) = of(bytes);
    let profile = u32::try_from(profile).unwrap();
    let call = |buffer, capacity, error| unsafe {
        simd_iri_archive_key(profile, start, length, buffer, capacity, error)
    };
    made(call).unwrap()
}

fn judged(bytes: &[u8]) -> (Verdict, Option<Vec<u8>>) {
    let ((start, length), mut verdict) = (of(bytes), Verdict::default());
    let place = &raw mut verdict;
    let call = |buffer, capacity, error| unsafe {
        simd_iri_judge(0, start, length, buffer, capacity, place, error)
    };
    let url = made(call).map(Some).unwrap_or_else(|result| {
        assert_eq!(result, SIMD_IRI_NONE as isize);
        None
    });
    (verdict, url)
}

/// Returns the values that a template finds, or the code of the result.
fn matched(flags: u32, by: &str, bytes: &[u8]) -> Result<Value, isize> {
    let ((template, template_length), (start, length)) = (of(by.as_bytes()), of(bytes));
    let call = |found: &mut [Capture]| unsafe {
        let (room, capacity, error) = (found.as_mut_ptr(), found.len(), ptr::null_mut());
        simd_iri_template_match(
            flags,
            template,
            template_length,
            start,
            length,
            room,
            capacity,
            error,
        )
    };
    let result = call(&mut []);
    let mut found = vec![Capture::default(); usize::try_from(result).map_err(|_| result)?];
    assert_eq!(call(&mut found), result);
    let mut values = json!({});
    for one in &found {
        let name = by.get(one.name as usize..one.name_end as usize).unwrap();
        let raw = bytes.get(one.start as usize..one.end as usize).unwrap();
        let mut value = String::from_utf8(raw.to_vec()).unwrap();
        if one.is_encoded == 1 {
            value = percent::decode(&value).utf8().unwrap().into_owned();
        }
        match values.get_mut(name).and_then(Value::as_array_mut) {
            Some(items) => items.push(json!(value)),
            None => values[name] = if one.is_item == 1 { json!([value]) } else { json!(value) },
        }
    }
    Ok(values)
}

/// The values that the library finds.
fn matched_by_library(options: Match, by: &str, text: &str) -> Option<Value> {
    let template = Template::parse(by).unwrap();
    let captures = options.match_uri(&template, text)?;
    let values = captures.iter().map(|one| {
        let value = match one.value() {
            template::Value::Text(text) => json!(text),
            template::Value::List(items) => json!(items),
            template::Value::Map(_) => panic!("a match has no maps"),
        };
        (one.name().to_owned(), value)
    });
    Some(Value::Object(values.collect()))
}

#[test]
fn each_case_is_redacted_as_it_says() {
    let mut ran = 0;
    for case in cases("redaction.jsonl") {
        let options = case["options"].as_object().unwrap();
        if options.keys().any(|name| !["set", "part"].contains(&name.as_str())) {
            continue;
        }
        let name = |name: &str| options.get(name).and_then(Value::as_str);
        let part: RedactPart =
            name("part").map_or(RedactPart::Reference, |part| part.parse().unwrap());
        let found = redacted(
            part as usize,
            name("set").unwrap_or_default(),
            text(&case, "input").as_bytes(),
        );
        assert_eq!(String::from_utf8(found).unwrap(), text(&case, "redacted"), "{case}");
        ran += 1;
    }
    println!("{ran} cases");
    assert!(ran > 70);
}

#[test]
fn each_address_has_its_keys() {
    for case in cases("archive.jsonl") {
        let address = text(&case, "address");
        for (profile, key) in case["keys"].as_object().unwrap() {
            let profile: Profile = profile.parse().unwrap();
            let found =
                String::from_utf8(archive_key(profile as usize, address.as_bytes())).unwrap();
            assert_eq!(found, key.as_str().unwrap_or(address), "{profile}: {case}");
        }
    }
}

#[test]
fn each_url_has_its_verdict() {
    for case in cases("judge.jsonl") {
        let (verdict, url) = judged(text(&case, "judged").as_bytes());
        let decision: Decision = text(&case, "verdict").parse().unwrap();
        assert_eq!(verdict.decision, decision as u32, "{case}");
        assert_eq!(url.is_none(), decision == Decision::Refuse, "{case}");
        let kind = |name: &Value| {
            let kind: ReasonKind =
                name.as_str().unwrap().split(' ').next().unwrap().parse().unwrap();
            1 << kind as u32
        };
        let reasons = case["reasons"].as_array().unwrap().iter().map(kind);
        assert_eq!(verdict.reasons, reasons.fold(0, |all: u64, bit: u64| all | bit), "{case}");
    }
}

#[test]
fn each_template_finds_its_values() {
    for case in cases("templates.jsonl") {
        let input = text(&case, "input");
        if case["options"]["op"] == "parse" {
            let result = matched(0, input, b"");
            assert_eq!(result != Err(-1), case["expected"].as_bool().unwrap(), "{case}");
            continue;
        }
        let flags = if case["options"]["query"] == "set" { SIMD_IRI_FLAG_QUERY_AS_SET } else { 0 };
        let found = matched(flags, text(&case["options"], "template"), input.as_bytes());
        assert_eq!(found.unwrap_or(Value::Null), case["expected"], "{case}");
    }
}

/// The same numbers in every run, without a pattern.
fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn generated_texts_have_the_answers_of_the_library() {
    const PIECES: [&[u8]; 30] = [
        b"http://",
        b"https:",
        b"//",
        b"u:p@",
        b"a.example",
        b"127.0.0.1",
        b"[::1]",
        b":80",
        b"/",
        b"\\",
        b"?",
        b"#",
        b"&",
        b";",
        b"=",
        b"sig",
        b"s%69g",
        b"code",
        b"REDACTED",
        b"%2F",
        b"%C3%A9",
        "é".as_bytes(),
        b"\xFF",
        b" ",
        b",",
        b"..",
        b"x",
        b"1",
        b"@",
        b"\t",
    ];
    const TEMPLATES: [&str; 6] = [
        "/{a}{/b*}",
        "{+a}{?x,1*}",
        "http://{h}{/p}{#f}",
        "{a,b}{;x}",
        "{a:2}{a}",
        "/x{?sig,code}",
    ];
    let (mut state, mut matches, mut urls) = (3987, 0, 0);
    for round in 0..20_000 {
        let length = random(&mut state) % 10;
        let start: &[u8] = if round % 3 == 0 { b"http://a.example" } else { b"" };
        let pieces = (0..length).flat_map(|_| PIECES[random(&mut state) % PIECES.len()]);
        let bytes: Vec<u8> = start.iter().chain(pieces).copied().collect();
        let shown = bytes.escape_ascii();
        for (number, part) in RedactPart::ALL.iter().enumerate() {
            let of_rust = Redact::none().set(SecretSet::Otel).set(SecretSet::OAuth).part(*part);
            let found = redacted(number, "otel,oauth", &bytes);
            assert_eq!(found, &*of_rust.redact_bytes(&bytes), "{part}: {shown}");
        }
        let mut key = Vec::new();
        for (number, profile) in Profile::ALL.iter().enumerate() {
            simd_iri_archive::Keys::new(*profile).key_bytes_into(&bytes, &mut key);
            assert_eq!(archive_key(number, &bytes), key, "{profile}: {shown}");
        }
        let (verdict, url) = judged(&bytes);
        let of_rust = simd_iri_judge::Policy::public_web().judge_bytes(&bytes);
        assert_eq!(verdict.decision, of_rust.decision() as u32, "{shown}");
        assert_eq!(verdict.reasons == 0, of_rust.reasons().is_empty(), "{shown}");
        assert_eq!(url.as_deref(), of_rust.url_to_send().map(str::as_bytes), "{shown}");
        urls += usize::from(url.is_some());
        let (by, is_set) = (TEMPLATES[round % TEMPLATES.len()], round % 2);
        let found = matched(SIMD_IRI_FLAG_QUERY_AS_SET * is_set as u32, by, &bytes).ok();
        let options = Match::new().query_as_set(is_set == 1);
        let wanted =
            std::str::from_utf8(&bytes).ok().and_then(|text| matched_by_library(options, by, text));
        assert_eq!(found, wanted, "{by}: {shown}");
        matches += usize::from(found.is_some());
    }
    println!("{urls} URLs, {matches} matches");
    assert!(urls > 100 && matches > 1_000);
}

#[test]
fn links_and_rules_have_the_answers_of_the_library() {
    let catalog = r#"{"providers": {"a": {"urlPattern": "example", "rules": ["sig|q"]}}}"#;
    let files = [
        (0, "[[drop]]\nnames = ['q*']\n[[wrapper]]\nhost = 'a.example'\nparameter = 'u'"),
        (1, catalog),
        (2, "$removeparam=sig\n||a.example^$removeparam=q,important\n@@||b.example^$removeparam"),
    ];
    let pieces = [
        "https://a.example/?u=",
        "https://www.google.com/url?q=",
        "https%3A%2F%2Fb.example",
        "http://l.instagram.com/?u=",
        "?sig",
        "&q=1",
        "&",
        "#f",
        "é",
        "|",
    ];
    let (mut state, mut changed) = (3987, [0; 2]);
    for (format, text) in files {
        let of_rust = QueryRules::parse(text, RuleFormat::ALL[format as usize]).unwrap();
        let (start, length) = of(text.as_bytes());
        let rules = unsafe { simd_iri_query_rules_new(format, 0, start, length, ptr::null_mut()) };
        for _ in 0..5_000 {
            let length = random(&mut state) % 6;
            let text: String =
                (0..length).map(|_| pieces[random(&mut state) % pieces.len()]).collect();
            let (start, length) = of(text.as_bytes());
            let applied = made(|buffer, capacity, error| unsafe {
                simd_iri_query_rules_apply(rules, start, length, buffer, capacity, error)
            });
            let levels = random(&mut state) as u32 % 7;
            let unwrapped = made(|buffer, capacity, error| unsafe {
                simd_iri_unwrap(levels, rules, start, length, buffer, capacity, error)
            });
            let Ok(view) = IriRef::parse(&text) else {
                assert_eq!((applied, unwrapped), (Err(-1), Err(-1)), "{text}");
                continue;
            };
            let all = [&of_rust];
            let wanted = [
                of_rust.apply(view).reference().to_string(),
                Unwrap::new().levels(levels as u8).rules(&all).apply(view).to_string(),
            ];
            for (at, (found, wanted)) in [applied, unwrapped].into_iter().zip(wanted).enumerate() {
                changed[at] += usize::from(wanted != text);
                assert_eq!(String::from_utf8(found.unwrap()).unwrap(), wanted, "{text}");
            }
        }
        unsafe { simd_iri_query_rules_free(rules) };
    }
    println!("{changed:?} references changed");
    assert!(changed.iter().all(|count| *count > 100));
}

#[test]
fn a_template_is_expanded_as_by_the_library() {
    let by = "/{a}{/list*}{?keys*,none,empty}{&a:1}";
    let text = |text: &'static str| Text { start: text.as_ptr().cast(), length: text.len() };
    let none = Text { start: ptr::null(), length: 0 };
    let variables = [("a", "é b"), ("list", "x"), ("list", "y,z"), ("empty", "")];
    let mut given: Vec<_> = variables
        .map(|(name, value)| Variable { name: text(name), value: text(value), key: none })
        .to_vec();
    given.push(Variable { name: text("none"), value: none, key: none });
    for (key, value) in [("k", "1"), ("é", "2")] {
        given.push(Variable { name: text("keys"), value: text(value), key: text(key) });
    }
    let mut of_rust = Variables::from([("a", "é b"), ("empty", "")]);
    of_rust.set("list", ["x", "y,z"]).set("keys", [("k", "1"), ("é", "2")]);
    let template = Template::parse(by).unwrap();
    for (flags, wanted) in [
        (0, template.expand(&of_rust).unwrap()),
        (SIMD_IRI_FLAG_IRI, template.expand_iri(&of_rust).unwrap()),
    ] {
        let (start, length) = of(by.as_bytes());
        let call = |buffer, capacity, error| unsafe {
            let (variables, count) = (given.as_ptr(), given.len());
            simd_iri_template_expand(
                flags, start, length, variables, count, buffer, capacity, error,
            )
        };
        assert_eq!(String::from_utf8(made(call).unwrap()).unwrap(), wanted);
    }
}
