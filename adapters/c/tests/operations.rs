//! Every name that `docs/operations.md` has for C is called, as C calls it, with the cases of
//! `tests/data/operations.jsonl`.
#![expect(unsafe_code, reason = "calls the functions as C does")]
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "each pointer is null or that of a variable, with its length"
)]
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::collections::BTreeMap;
use std::ffi::c_char;
use std::ptr;

use serde_json::{Value, json};
use simd_iri::{Rule, document::Format};
use simd_iri_c::*;

#[path = "../../../tests/operations/table.rs"]
mod table;

use table::Case;

#[test]
fn each_name_for_c_has_its_answers() {
    table::check("C", |operation, name, case| {
        Some(match name {
            "simd_iri_is_valid" => {
                let (start, length) = of(case.input());
                json!(unsafe { simd_iri_is_valid(rule(case, "iri"), start, length) })
            }
            "simd_iri_error" => json!(parsed(case, "iri").err().map(|error| named(&error))),
            "simd_iri_parse" => json!(components(case).map(Value::from_iter)),
            "simd_iri_parts" => json!(component(case, operation)),
            "simd_iri_compare" if operation == "order" => json!(compared(case)),
            "simd_iri_compare" => json!(compared(case).map(|order| order == SIMD_IRI_EQUAL)),
            "simd_iri_violations" => violations(case),
            "simd_iri_host_kind" => {
                let kinds = ["reg-name", "ipv4", "ipv6", "ipvfuture"];
                let kind = usize::try_from(number_of(case, simd_iri_host_kind)).ok();
                json!(kind.map(|kind| *kinds.get(kind).unwrap()))
            }
            "simd_iri_port" => json!(u16::try_from(number_of(case, simd_iri_port)).ok()),
            "simd_iri_is_hostname" => json!(is_hostname(0, case)),
            "simd_iri_is_hostname(SIMD_IRI_FLAG_IDNA, …)" => {
                json!(is_hostname(SIMD_IRI_FLAG_IDNA, case))
            }
            "simd_iri_fingerprint" => json!(fingerprint(case)),
            "simd_iri_target_parse" => {
                let (start, length) = of(case.input());
                let (parts, error) = (ptr::null_mut(), ptr::null_mut());
                json!(unsafe { simd_iri_target_parse(start, length, parts, error) })
            }
            "simd_iri_template_match" => json!(matched(case)),
            // What is written is the range because of which the address is refused.
            "simd_iri_judge_address" => json!(written(name, case)?.is_none()),
            _ => json!(written(name, case)?),
        })
    });
}

/// These are not operations on a text: they read and end rules, describe an error or the library, or work on many items at once.
const OTHERS: [&str; 11] = [
    "simd_iri_query_rules_new",
    "simd_iri_query_rules_free",
    "simd_iri_query_rules_skipped",
    "simd_iri_error_message",
    "simd_iri_error_name",
    "simd_iri_error_component",
    "simd_iri_cpu_level",
    "simd_iri_version",
    "simd_iri_validate_lines",
    "simd_iri_validate_offsets32",
    "simd_iri_validate_offsets64",
];

#[test]
fn the_page_has_each_function_of_the_header() {
    let lines = include_str!("../include/simd_iri.h").lines();
    let declared = lines.filter(|line| line.starts_with(char::is_alphabetic));
    let before = declared.filter_map(|line| Some(line.split_once('(')?.0));
    let functions: Vec<_> = before.filter_map(|before| before.rsplit([' ', '*']).next()).collect();
    assert!(functions.len() > OTHERS.len());
    let named = table::names("C");
    for function in functions {
        let is_named = named.contains(function) || OTHERS.contains(&function);
        assert!(is_named, "docs/operations.md lacks {function}");
    }
}

/// The text that a function writes, or `None` if it refuses its arguments. The outer `None`: no call is known.
fn written(name: &str, case: &Case) -> Option<Option<String>> {
    let (text, size) = of(case.input());
    let call: &dyn Fn(*mut c_char, usize, *mut Error) -> isize = match name {
        "simd_iri_to_uri" => {
            &|to, room, error| unsafe { simd_iri_to_uri(0, text, size, to, room, error) }
        }
        "simd_iri_to_uri(SIMD_IRI_FLAG_IDNA, …)" => &|to, room, error| unsafe {
            simd_iri_to_uri(SIMD_IRI_FLAG_IDNA, text, size, to, room, error)
        },
        "simd_iri_to_iri" => {
            &|to, room, error| unsafe { simd_iri_to_iri(0, text, size, to, room, error) }
        }
        "simd_iri_to_iri(SIMD_IRI_FLAG_IDNA, …)" => &|to, room, error| unsafe {
            simd_iri_to_iri(SIMD_IRI_FLAG_IDNA, text, size, to, room, error)
        },
        "simd_iri_normalize" => &|to, room, error| unsafe {
            let rule = rule(case, "iri-reference");
            simd_iri_normalize(rule, level(case), text, size, to, room, error)
        },
        "simd_iri_resolve" => &|to, room, error| {
            let (base, length) = of(case.get("base").unwrap());
            unsafe { simd_iri_resolve(0, base, length, text, size, to, room, error) }
        },
        "simd_iri_prepare" => &|to, room, error| unsafe {
            simd_iri_prepare(profile(case), 0, text, size, to, room, error)
        },
        "simd_iri_key" => {
            &|to, room, error| unsafe { simd_iri_key(level(case), text, size, to, room, error) }
        }
        "simd_iri_host_to_unicode" => {
            &|to, room, error| unsafe { simd_iri_host_to_unicode(text, size, to, room, error) }
        }
        "simd_iri_target_names" => {
            &|to, room, error| unsafe { simd_iri_target_names(text, size, to, room, error) }
        }
        "simd_iri_target_transform(SIMD_IRI_FLAG_REPAIR, …)" => &|to, room, error| unsafe {
            simd_iri_target_transform(SIMD_IRI_FLAG_REPAIR, text, size, to, room, error)
        },
        "simd_iri_target_transform(SIMD_IRI_FLAG_NORMALIZE, …)" => &|to, room, error| unsafe {
            simd_iri_target_transform(SIMD_IRI_FLAG_NORMALIZE, text, size, to, room, error)
        },
        "simd_iri_host_to_ascii" => {
            &|to, room, error| unsafe { simd_iri_host_to_ascii(text, size, to, room, error) }
        }
        "simd_iri_origin" => {
            &|to, room, error| unsafe { simd_iri_origin(text, size, to, room, error) }
        }
        "simd_iri_masked" => {
            &|to, room, error| unsafe { simd_iri_masked(text, size, to, room, error) }
        }
        "simd_iri_redact" => &|to, room, error| {
            let (part, none) = (SIMD_IRI_PART_REFERENCE, ptr::null());
            unsafe { simd_iri_redact(part, 0, none, 0, text, size, to, room, error) }
        },
        "simd_iri_archive_key" => &|to, room, error| {
            let profile = SIMD_IRI_ARCHIVE_PYWB;
            unsafe { simd_iri_archive_key(profile, text, size, to, room, error) }
        },
        "simd_iri_judge" => &|to, room, error| {
            let verdict = ptr::null_mut();
            unsafe { simd_iri_judge(0, text, size, to, room, verdict, error) }
        },
        "simd_iri_judge_address" => {
            &|to, room, error| unsafe { simd_iri_judge_address(text, size, to, room, error) }
        }
        "simd_iri_unwrap" => &|to, room, error| unsafe {
            simd_iri_unwrap(1, ptr::null(), text, size, to, room, error)
        },
        "simd_iri_query_rules_apply" => &|to, room, error| unsafe {
            let (rules, length) = of(case.get("rules").unwrap());
            let format = SIMD_IRI_RULES_TOML;
            let rules = simd_iri_query_rules_new(format, 0, rules, length, ptr::null_mut());
            let made = simd_iri_query_rules_apply(rules, text, size, to, room, error);
            simd_iri_query_rules_free(rules);
            made
        },
        "simd_iri_template_expand" => &|to, room, error| {
            let (by, by_size) = of("/users/{id}{?q}");
            let key = Text { start: ptr::null(), length: 0 };
            let named: BTreeMap<String, String> = serde_json::from_str(case.input()).unwrap();
            let made: Vec<_> = named
                .iter()
                .map(|(name, value)| Variable { name: of_text(name), value: of_text(value), key })
                .collect();
            let (first, count) = (made.as_ptr(), made.len());
            unsafe { simd_iri_template_expand(0, by, by_size, first, count, to, room, error) }
        },
        "simd_iri_query_value" => &|to, room, error| {
            let (name, length) = of(case.get("name").unwrap());
            unsafe { simd_iri_query_value(name, length, text, size, to, room, error) }
        },
        "simd_iri_drop_query_pairs" => &|to, room, error| {
            let (name, length) = of(case.get("name").unwrap());
            unsafe { simd_iri_drop_query_pairs(name, length, text, size, to, room, error) }
        },
        "simd_iri_relativize" => &|to, room, error| {
            let (base, length) = of(case.get("base").unwrap());
            unsafe { simd_iri_relativize(base, length, text, size, to, room, error) }
        },
        "simd_iri_to_uri_in_charset" => &|to, room, error| {
            let (charset, length) = of(case.get("charset").unwrap());
            unsafe { simd_iri_to_uri_in_charset(charset, length, text, size, to, room, error) }
        },
        "simd_iri_interpret" => &|to, room, error| {
            let (charset, length) = of(case.get("charset").unwrap());
            unsafe { simd_iri_interpret(charset, length, text, size, to, room, error) }
        },
        "simd_iri_set_component" => &|to, room, error| {
            let (component, (value, length)) =
                (SIMD_IRI_COMPONENT_PATH, of(case.get("value").unwrap()));
            unsafe { simd_iri_set_component(component, value, length, text, size, to, room, error) }
        },
        "simd_iri_build" => &|to, room, error| {
            let none = Text { start: ptr::null(), length: 0 };
            let text = |text| {
                let (start, length) = of(text);
                Text { start, length }
            };
            let components = Components {
                scheme: text("http"),
                userinfo: none,
                host: text("a"),
                port: none,
                path: text(case.input()),
                query: none,
                fragment: none,
            };
            unsafe { simd_iri_build(0, &raw const components, to, room, error) }
        },
        "simd_iri_percent_encode" => &|to, room, error| unsafe {
            simd_iri_percent_encode(SIMD_IRI_PLACE_SEGMENT, text, size, to, room, error)
        },
        "simd_iri_percent_decode" => {
            &|to, room, error| unsafe { simd_iri_percent_decode(text, size, to, room, error) }
        }
        "simd_iri_from_posix_path" => {
            &|to, room, error| unsafe { simd_iri_from_posix_path(text, size, to, room, error) }
        }
        "simd_iri_to_posix_path" => {
            &|to, room, error| unsafe { simd_iri_to_posix_path(text, size, to, room, error) }
        }
        "simd_iri_from_windows_path" => {
            &|to, room, error| unsafe { simd_iri_from_windows_path(text, size, to, room, error) }
        }
        "simd_iri_to_windows_path" => {
            &|to, room, error| unsafe { simd_iri_to_windows_path(text, size, to, room, error) }
        }
        "simd_iri_escape" => &|to, room, error| unsafe {
            simd_iri_escape(format(case), 0, text, size, to, room, error)
        },
        "simd_iri_unescape" => &|to, room, error| unsafe {
            simd_iri_unescape(format(case), text, size, to, room, error)
        },
        "simd_iri_field_to_uri" => &|to, room, error| {
            let (field, length) = of(case.get("field").unwrap());
            let left = ptr::null_mut();
            unsafe { simd_iri_field_to_uri(0, field, length, text, size, to, room, left, error) }
        },
        _ => return None,
    };
    let Ok(length) = usize::try_from(call(ptr::null_mut(), 0, ptr::null_mut())) else {
        return Some(None);
    };
    let mut room = vec![0; length + 1];
    call(room.as_mut_ptr().cast(), room.len(), ptr::null_mut());
    room.pop();
    Some(Some(String::from_utf8(room).unwrap()))
}

/// The values that the template of the page finds, as a text of JSON.
fn matched(case: &Case) -> Option<String> {
    let ((by, by_size), (text, size)) = (of("/users/{id}{?q}"), of(case.input()));
    let mut found = [Capture::default(); 2];
    let (room, capacity, error) = (found.as_mut_ptr(), found.len(), ptr::null_mut());
    let count =
        unsafe { simd_iri_template_match(0, by, by_size, text, size, room, capacity, error) };
    let found = found.get(..usize::try_from(count).ok()?).unwrap();
    let mut values = serde_json::Map::new();
    for one in found {
        let name = "/users/{id}{?q}".get(one.name as usize..one.name_end as usize).unwrap();
        let raw = case.input().get(one.start as usize..one.end as usize).unwrap();
        let value = json!(simd_iri::percent::decode(raw).lossy());
        match values.get_mut(name).and_then(Value::as_array_mut) {
            Some(list) => list.push(value),
            None if one.is_item == 1 => drop(values.insert(name.to_owned(), json!([value]))),
            None => drop(values.insert(name.to_owned(), value)),
        }
    }
    Some(serde_json::to_string(&values).unwrap())
}

/// A text of the caller, for a structure.
fn of_text(text: &str) -> Text {
    let (start, length) = of(text);
    Text { start, length }
}

/// A text as C passes it.
fn of(text: &str) -> (*const c_char, usize) {
    (text.as_ptr().cast(), text.len())
}

/// The number of a name in a list, as in the header.
fn number<'a>(mut names: impl Iterator<Item = &'a str>, name: &str) -> u32 {
    u32::try_from(names.position(|known| known.eq_ignore_ascii_case(name)).unwrap()).unwrap()
}

fn rule(case: &Case, default: &str) -> u32 {
    number(Rule::ALL.iter().map(|rule| rule.name()), case.get("rule").unwrap_or(default))
}

fn level(case: &Case) -> u32 {
    let names = ["simple", "syntax", "scheme", "scheme-idna"];
    number(names.into_iter(), case.get("level").unwrap_or("scheme"))
}

fn profile(case: &Case) -> u32 {
    let names = ["strict", "leiri", "browser-like", "crawler", "rdf"];
    number(names.into_iter(), case.get("profile").unwrap_or("browser-like"))
}

fn format(case: &Case) -> u32 {
    number(Format::ALL.iter().map(|format| format.name()), case.get("format").unwrap())
}

fn number_of(
    case: &Case,
    call: unsafe extern "C" fn(*const c_char, usize, *mut Error) -> i32,
) -> i32 {
    let (start, length) = of(case.input());
    unsafe { call(start, length, ptr::null_mut()) }
}

fn is_hostname(flags: u32, case: &Case) -> bool {
    let (start, length) = of(case.input());
    unsafe { simd_iri_is_hostname(flags, start, length) }
}

/// The starts of all violations: first their number, then they themselves.
fn violations(case: &Case) -> Value {
    let (start, length) = of(case.input());
    let rule = rule(case, "iri");
    let store = |errors: &mut [Error]| {
        let (room, capacity, error) = (errors.as_mut_ptr(), errors.len(), ptr::null_mut());
        unsafe { simd_iri_violations(rule, start, length, room, capacity, error) }
    };
    let mut errors = vec![Error::default(); usize::try_from(store(&mut [])).unwrap()];
    store(&mut errors);
    json!(errors.iter().map(|error| error.start).collect::<Vec<_>>())
}

fn parsed(case: &Case, default: &str) -> Result<Parts, Error> {
    let (mut parts, mut error) = (Parts::default(), Error::default());
    let (start, length) = of(case.input());
    let rule = rule(case, default);
    let is_valid = unsafe { simd_iri_parse(rule, start, length, &raw mut parts, &raw mut error) };
    if is_valid { Ok(parts) } else { Err(error) }
}

/// The components of the input by the rules of the header, which says when a component is there.
fn components(case: &Case) -> Option<[(&'static str, Option<&str>); 8]> {
    let Parts { scheme_end, authority, host, host_end, path, path_end, query_end, end } =
        parsed(case, "iri-reference").ok()?;
    let part = |is_there: bool, from: u32, to: u32| {
        let part = case.input().get(from as usize..to as usize);
        is_there.then(|| part.unwrap())
    };
    let after_scheme = if scheme_end > 0 { scheme_end + 1 } else { 0 };
    let has_authority = authority > after_scheme;
    Some([
        ("scheme", part(scheme_end > 0, 0, scheme_end)),
        ("authority", part(has_authority, authority, path)),
        ("userinfo", part(authority < host, authority, host.saturating_sub(1))),
        ("host", part(has_authority, host, host_end)),
        ("port", part(host_end < path, host_end + 1, path)),
        ("path", part(true, path, path_end)),
        ("query", part(path_end < query_end, path_end + 1, query_end)),
        ("fragment", part(query_end < end, query_end + 1, end)),
    ])
}

fn component<'a>(case: &'a Case, operation: &str) -> Option<&'a str> {
    let name = if operation == "user information" { "userinfo" } else { operation };
    components(case)?.into_iter().find(|(known, _)| *known == name).unwrap().1
}

fn compared(case: &Case) -> Option<i32> {
    let (first, length) = of(case.input());
    let (second, second_length) = of(case.get("other").unwrap());
    let error = ptr::null_mut();
    let order =
        unsafe { simd_iri_compare(level(case), first, length, second, second_length, error) };
    (order < SIMD_IRI_FIRST_REFUSED).then_some(order)
}

/// The lower half of the fingerprint.
fn fingerprint(case: &Case) -> Option<String> {
    let (start, length) = of(case.input());
    let mut halves = [0; 2];
    let error = ptr::null_mut();
    let is_made =
        unsafe { simd_iri_fingerprint(level(case), start, length, halves.as_mut_ptr(), error) };
    is_made.then(|| halves.first().unwrap().to_string())
}

/// An error in the form of the cases.
fn named(error: &Error) -> Value {
    let name = |write: unsafe extern "C" fn(*const Error, *mut c_char, usize) -> usize| {
        let mut room = [0; 64];
        let length = unsafe { write(error, room.as_mut_ptr().cast(), room.len()) };
        String::from_utf8(room.get(..length).unwrap().to_vec()).unwrap()
    };
    json!({
        "kind": name(simd_iri_error_name), "start": error.start, "end": error.end,
        "component": name(simd_iri_error_component),
    })
}
