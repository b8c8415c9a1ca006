//! Every case of syntax, through every entry point and at every level: whether it is valid, its components, and the
//! kind of the host.
//!
//! Not here: the errors of invalid texts (`violations`).

use simd_iri::{Host, IriRef, Parts, Rule, parser::Memo};

use crate::cases::{self, Case, Components};
use crate::support::*;

/// A longer text is not checked by the oracle, which takes a microsecond for each character.
const LONG: usize = 1 << 20;

#[test]
fn every_case_at_every_level() {
    let mut total = 0;
    for file in cases::all() {
        count(file.cases.len(), |job| {
            check(&file.cases[job]);
            1
        });
        total += file.cases.len();
        let valid = file.cases.iter().filter(|case| case.valid).count();
        println!("{} cases ({valid} valid) of {}", file.cases.len(), file.path.display());
    }
    let names: Vec<_> = LEVELS.iter().map(|level| level.name()).collect();
    println!(
        "{total} cases, each at the levels {}, by the automaton and the oracle",
        names.join(", ")
    );
}

#[test]
fn a_memo_finds_what_its_rule_finds() {
    let mut total = 0;
    for &rule in Rule::ALL {
        let mut memo = Memo::new(rule);
        let mut agree = |text: &str| {
            assert_eq!(memo.parse(text), rule.parse(text), "{}: {text:?}", rule.name());
            total += 1;
        };
        for file in cases::all() {
            for text in file.cases.iter().filter_map(Case::text) {
                agree(text);
                if text.len() > 200 {
                    continue;
                }
                // With the remembered text before its path, and with similar texts.
                let path = rule.parse(text).map_or(text.len(), |parts| parts.path().start);
                let start = &text[..path];
                for rest in
                    ["", "/", "/%zz", "?", "?\u{e000}", "#", "#a#", ":80/", "@a/", "a", "é", "%41"]
                {
                    agree(&format!("{start}{rest}"));
                }
                agree(text);
            }
        }
    }
    println!("{total} texts, one after the other");
}

fn check(case: &Case) {
    let Case { id, rule, input, valid, .. } = case;
    let name = rule.name();
    let parsed = start(*rule).agree(input);
    assert_eq!(parsed.is_ok(), *valid, "{id}: {name}: {}", show(input));
    assert_eq!(rule.parse_bytes(input), parsed, "{id}");
    assert_eq!(rule.is_valid_bytes(input), *valid, "{id}");
    let Some(text) = case.text() else {
        assert!(!valid, "{id}: not UTF-8");
        return;
    };
    assert_eq!(rule.parse(text), parsed, "{id}");
    assert_eq!(rule.is_valid(text), *valid, "{id}");
    if text.len() <= LONG {
        assert_eq!(ORACLE.matches(name, text), *valid, "{id}: the oracle");
    }
    match IriRef::parse_as(*rule, text) {
        Err(error) => assert_eq!(Err(error), parsed, "{id}"),
        Ok(view) => {
            let parts = parsed.unwrap();
            assert_eq!(view.parts(), parts, "{id}");
            let found = split(&parts, text);
            assert_eq!(found, accessors(view), "{id}");
            if let Some(components) = &case.components {
                assert_eq!(found, *components, "{id}");
                assert_eq!(host_kind(view), case.host_kind.as_deref(), "{id}");
            }
        }
    }
}

/// The components by their offsets.
fn split(parts: &Parts, text: &str) -> Components {
    assert_eq!(parts.len(), text.len());
    assert!(parts.check(text), "{text}");
    let piece = |range: Option<std::ops::Range<usize>>| range.map(|range| text[range].to_owned());
    Components {
        scheme: piece(parts.scheme()),
        authority: piece(parts.authority()),
        userinfo: piece(parts.userinfo()),
        host: piece(parts.host()),
        port: piece(parts.port()),
        path: text[parts.path()].to_owned(),
        query: piece(parts.query()),
        fragment: piece(parts.fragment()),
    }
}

/// The components as a reference returns them.
fn accessors(view: IriRef<'_>) -> Components {
    Components {
        scheme: view.scheme().map(str::to_owned),
        authority: view.authority().map(str::to_owned),
        userinfo: view.userinfo().map(str::to_owned),
        host: view.host_str().map(str::to_owned),
        port: view.port().map(str::to_owned),
        path: view.path().to_owned(),
        query: view.query().map(str::to_owned),
        fragment: view.fragment().map(str::to_owned),
    }
}

fn host_kind(view: IriRef<'_>) -> Option<&'static str> {
    view.host().map(|host| match host {
        Host::Ipv4(_) => "ipv4",
        Host::Ipv6(_) => "ipv6",
        Host::IpvFuture(_) => "ipvfuture",
        Host::RegName(_) => "reg-name",
    })
}

#[test]
fn the_own_cases_speak_of_every_rule() {
    let files = cases::own();
    let cases: Vec<_> = files.iter().flat_map(|file| &file.cases).collect();
    for &rule in Rule::ALL {
        for valid in [true, false] {
            let found = cases.iter().any(|case| case.rule == rule && case.valid == valid);
            assert!(found, "no case of {} with valid = {valid}", rule.name());
        }
    }
}
