//! Display policies of browsers: cases, labels of Chromium's own tests where the shared cases are, and the laws that a
//! judgement depends on the name alone, and that a host in Unicode stands for the same name.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use serde::Deserialize;
use simd_iri::{
    IriRef,
    domain::{host_to_ascii, host_to_unicode},
};
use simd_iri_lint::DisplayIri;
use simd_iri_lint::{Code, DisplayPolicy, DisplayRule, Profile, Shown};

use crate::cases::rows;
use crate::support::random;

/// A label, the last label of its host, and the rule of each browser; `None` if the browser shows the label.
#[derive(Deserialize)]
struct Case {
    id: String,
    label: String,
    top: String,
    chromium: Option<String>,
    firefox: Option<String>,
}

/// The rule of a policy for the first label of a host.
fn of_first(shown: Shown) -> Option<DisplayRule> {
    shown.rule().filter(|_| shown.label() == Some(0))
}

#[test]
fn every_label_has_the_rule_of_its_case() {
    let (mut ran, mut rules) = (0, [BTreeSet::new(), BTreeSet::new()]);
    for case in rows::<Case>(&["label", "top"]).into_iter().flat_map(|(_, cases)| cases) {
        let host = format!("{}.{}", case.label, case.top);
        let expected = [case.chromium, case.firefox];
        for ((policy, expected), rules) in DisplayPolicy::ALL.iter().zip(expected).zip(&mut rules) {
            let found = of_first(policy.judge(&host)).map(DisplayRule::name);
            assert_eq!(found, expected.as_deref(), "{}: {policy}, {host:?}", case.id);
            rules.extend(found);
        }
        ran += 1;
    }
    // Each rule decides in a case, except those for which UTS #46 leaves no label.
    let [chromium, firefox] = rules;
    let all: BTreeSet<_> = chromium.union(&firefox).copied().collect();
    let missing: Vec<_> = DisplayRule::ALL
        .iter()
        .map(|rule| rule.name())
        .filter(|rule| !all.contains(rule))
        .collect();
    assert_eq!(missing, ["not-idna", "voicing-mark"]);
    println!("{ran} labels");
}

/// A row of the shared cases: the labels of Chromium's own tests, and own labels.
#[derive(Deserialize)]
struct Row {
    input: String,
    options: Options,
    expected: Expected,
}

#[derive(Deserialize)]
struct Options {
    tld: String,
}

#[derive(Deserialize)]
struct Expected {
    chromium: Option<String>,
    firefox: Option<String>,
}

#[test]
#[ignore = "reads the labels of Chromium's own tests, which are not in the project"]
fn every_label_of_chromium_is_judged_as_there() {
    let named = std::env::var_os("SIMD_IRI_CASES").map(PathBuf::from);
    let shared = named.unwrap_or_else(|| crate::layers::root().join("../shared/cases"));
    let text = fs::read_to_string(shared.join("asked_idn_display.jsonl")).unwrap();
    let (mut count, mut wrong) = (0, Vec::new());
    for line in text.lines() {
        let row: Row = serde_json::from_str(line).unwrap();
        let host = format!("{}.{}", row.input, row.options.tld);
        let expected = [row.expected.chromium, row.expected.firefox];
        for (policy, expected) in DisplayPolicy::ALL.iter().zip(expected) {
            count += 1;
            let rule = of_first(policy.judge(&host));
            if rule.is_none() != (expected.as_deref() == Some("safe")) {
                wrong.push(format!("{policy}: {host}, {rule:?}"));
            }
        }
    }
    println!("{count} answers");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Hosts of letters about which a rule decides, of digits and marks, in labels of one and of several scripts.
fn hosts() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "a",
        "l",
        "1",
        "-",
        ".",
        "é",
        "ł",
        "ı",
        "þ",
        "ə",
        "·",
        "α",
        "ς",
        "а",
        "т",
        "м",
        "ӏ",
        "ж",
        "з",
        "ա",
        "က",
        "ძ",
        "บ",
        "०",
        "৭",
        "א",
        "م",
        "日",
        "一",
        "丶",
        "か",
        "へ",
        "カ",
        "ヘ",
        "ー",
        "・",
        "ヽ",
        "ノ",
        "ㄅ",
        "한",
        "\u{307}",
        "\u{301}",
        "\u{323}",
        "\u{338}",
        "\u{3099}",
        "\u{200D}",
        "ᴡ",
        "💩",
        "ß",
        "ﬁ",
        "xn--a",
        "xn--80ak6aa92e",
    ];
    let label = proptest::collection::vec(proptest::sample::select(PIECES), 1..6);
    const TOPS: [&str; 9] = ["com", "cat", "is", "az", "ru", "рф", "한국", "xn--p1ai", ""];
    (label, proptest::sample::select(&TOPS[..]))
        .prop_map(|(label, top)| format!("{}.{top}", label.concat()))
}

/// The triplets of a text.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The laws of a judgement about a host.
fn obey(host: &str) -> Result<(), TestCaseError> {
    for policy in DisplayPolicy::ALL {
        let shown = policy.judge(host);
        prop_assert_eq!(shown.is_unicode(), shown.rule().is_none());
        prop_assert_eq!(shown.label().is_none(), shown.rule().is_none());
        if host.is_ascii() && !host.contains("--") {
            prop_assert!(shown.is_unicode(), "{}", host);
        }
        // Every spelling of a name has one judgement.
        let text = format!("http://{host}/");
        let Ok(iri) = IriRef::parse(&text) else { return Ok(()) };
        prop_assert_eq!(policy.judge(&encoded(host)), shown, "{}", host);
        prop_assert_eq!(policy.judge(&host.replace('.', "\u{3002}")), shown, "{}", host);
        let Ok(ascii) = host_to_ascii(host) else { continue };
        prop_assert_eq!(policy.judge(&ascii), shown, "{}: {}", host, ascii);
        // The displayed host stands for the same name, and is in Unicode exactly if the policy says so.
        let displayed = DisplayIri::new().policy(*policy).map(iri).unwrap();
        let seen = displayed.view().host_str().unwrap();
        prop_assert_eq!(host_to_ascii(seen).unwrap(), &*ascii.to_ascii_lowercase(), "{}", host);
        let is_seen = seen.split('.').all(|label| !label.starts_with("xn--"));
        prop_assert_eq!(is_seen, shown.is_unicode(), "{}: {}, {:?}", host, seen, shown);
        let again = DisplayIri::new().policy(*policy).map(displayed.view()).unwrap();
        prop_assert!(again.is_borrowed(), "{}: {}, {}", host, seen, again);
    }
    Ok(())
}

#[test]
fn a_judgement_depends_on_the_name_alone() {
    random(8_000, hosts(), |host| obey(&host));
    for case in rows::<Case>(&["label", "top"]).into_iter().flat_map(|(_, cases)| cases) {
        obey(&format!("{}.{}", case.label, case.top)).unwrap();
    }
}

#[test]
fn a_finding_is_a_label_that_both_browsers_hide() {
    let names = |host: &str| {
        let text = format!("http://{host}/");
        let report = simd_iri_lint::lint(IriRef::parse(&text).ok()?, Profile::Rfc);
        Some(report.iter().map(|finding| finding.code()).collect::<Vec<_>>())
    };
    random(4_000, hosts(), |host| {
        let Some(codes) = names(&host).filter(|codes| !codes.contains(&Code::SchemeDomain)) else {
            return Ok(());
        };
        let others = [Code::SpoofLabel, Code::SpoofWholeScript];
        let is_found = codes.contains(&Code::SpoofShown);
        let [chromium, firefox] = [0, 1].map(|place| DisplayPolicy::ALL[place].judge(&host));
        let is_hidden = chromium.rule().is_some() && firefox.rule().is_some();
        prop_assert!(!is_found || is_hidden, "{}", host);
        // Characters and letters of other domains may mislead nobody.
        let misleads = |shown: Shown| {
            let harmless = [DisplayRule::Character, DisplayRule::OtherDomain, DisplayRule::NotIdna];
            shown.rule().is_some_and(|rule| !harmless.contains(&rule))
        };
        if is_hidden && misleads(chromium) && chromium.label() == firefox.label() {
            let is_other = codes.iter().any(|code| others.contains(code));
            prop_assert!(is_found || is_other, "{}: {:?}, {:?}", host, chromium, codes);
        }
        Ok(())
    });
}

#[test]
fn hosts_that_are_not_names() {
    for policy in DisplayPolicy::ALL {
        for host in
            ["", ".", "[::1]", "[v1.a--b]", "127.0.0.1", "a_b", "a--b", "A.B", &"a".repeat(10_000)]
        {
            assert!(policy.judge(host).is_unicode(), "{host}");
        }
        let long = "é".repeat(100_000);
        for host in
            ["xn--99999999", "xn--a", "é\u{FFFD}", "%FF%FE.com", &long, &format!("{long}.com")]
        {
            assert_eq!(policy.judge(host).rule(), Some(DisplayRule::NotIdna), "{host:.40}");
        }
        // A label that is not valid does not hide the others.
        let iri = IriRef::parse("http://xn--a.bücher.example/").unwrap();
        assert_eq!(policy.judge(iri.host_str().unwrap()).label(), Some(0));
        assert_eq!(host_to_unicode("xn--bcher-kva.example").unwrap(), "bücher.example");
    }
    assert_eq!(DisplayPolicy::Chromium.judge("аст.ru.").rule(), Some(DisplayRule::WholeScript));
}
