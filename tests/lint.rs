//! Findings in references: the cases of `data/findings.jsonl`, the laws of findings and fixes, and that a reference
//! without findings costs no allocation.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use allocation_counter::measure;
use proptest::prelude::*;
use serde::Deserialize;
use simd_iri::{Compare, Component, Iri, IriRef, Level, Rule, UriRef, percent};
use simd_iri_lint::{Code, Finding, Lint, Profile, Report, Severity};

use crate::support::*;

/// A text and, for a profile, its findings.
#[derive(Deserialize)]
struct Case {
    id: String,
    input: String,
    profile: String,
    #[serde(default)]
    divided: bool,
    /// Codes that are also reported, although no profile reports them.
    #[serde(default)]
    also: Vec<String>,
    /// All findings, in the order of their positions.
    findings: Vec<Expected>,
    /// Codes that one might expect, and that are not reported.
    #[serde(default)]
    without: Vec<String>,
    /// The text after the fix, if it changes.
    fixed: Option<String>,
    fixed_all: Option<String>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Expected {
    code: String,
    start: usize,
    end: usize,
    component: String,
}

impl From<Finding> for Expected {
    fn from(finding: Finding) -> Self {
        Self {
            code: finding.code().name().to_owned(),
            start: finding.span().start,
            end: finding.span().end,
            component: finding.component().name().to_owned(),
        }
    }
}

impl Case {
    fn lint(&self) -> Lint {
        let profile = Profile::ALL.iter().copied().find(|profile| profile.name() == self.profile);
        let lint = Lint::new(profile.unwrap_or_else(|| panic!("{}: no profile", self.id)));
        let with = |lint: Lint, code: &String| {
            lint.severity(code.parse().unwrap(), Some(Severity::Warning))
        };
        self.also.iter().fold(lint.divided(self.divided), with)
    }

    /// The findings, whether or not the text is a reference.
    fn found(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        match IriRef::parse(&self.input) {
            Ok(iri) => findings.extend(self.lint().report(iri)),
            Err(_) => self.lint().each_of_invalid(&self.input, |finding| findings.push(finding)),
        }
        findings
    }
}

fn cases() -> Vec<Case> {
    let path = Path::new(crate::ROOT).join("tests/data/findings.jsonl");
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_case_is_found_where_it_is() {
    let cases = cases();
    for case in &cases {
        let found: Vec<Expected> = case.found().into_iter().map(Expected::from).collect();
        assert_eq!(found, case.findings, "{}", case.id);
        for code in &case.without {
            assert!(code.parse::<Code>().is_ok(), "{}: {code}", case.id);
            assert!(found.iter().all(|found| found.code != *code), "{}: {code}", case.id);
        }
    }
    println!("{} cases", cases.len());
}

#[test]
fn every_code_has_a_case_that_fires_and_one_that_does_not() {
    let cases = cases();
    let mut seen: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for case in &cases {
        for found in &case.findings {
            seen.entry(found.code.as_str()).or_default()[0] += 1;
        }
        for code in &case.without {
            seen.entry(code.as_str()).or_default()[1] += 1;
        }
    }
    for code in Code::ALL {
        let counts = seen.remove(code.name()).unwrap_or_default();
        assert!(counts.iter().all(|count| *count > 0), "{code}: {counts:?}");
    }
    assert!(seen.is_empty(), "no codes: {seen:?}");
}

#[test]
fn every_case_is_fixed_as_it_says() {
    for case in &cases() {
        let Ok(iri) = IriRef::parse(&case.input) else { continue };
        let lint = case.lint();
        let fixed = case.fixed.as_ref().unwrap_or(&case.input);
        assert_eq!(lint.fix(iri).unwrap(), fixed.as_str(), "{}", case.id);
        let all = case.fixed_all.as_ref().unwrap_or(fixed);
        assert_eq!(lint.fix_all(iri).unwrap(), all.as_str(), "{}", case.id);
    }
}

#[test]
fn codes_have_stable_names_and_say_where_they_come_from() {
    for code in Code::ALL {
        let (check, what) = code.name().split_once('.').unwrap();
        assert!(["bidi", "repertoire", "spoof", "scheme", "preferred"].contains(&check), "{code}");
        assert!(what.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
        assert!(code.section().contains("section"), "{code}");
        assert_eq!(code.name().parse(), Ok(*code));
        // Every code that some profile reports is reported by the strict profile. One code must be asked for.
        let strict = code.severity(Profile::Strict);
        assert_eq!(strict >= Some(Severity::Warning), *code != Code::SpoofDigit, "{code}");
        for &profile in Profile::ALL {
            assert!(code.severity(profile) <= strict, "{code}");
        }
    }
}

#[test]
fn messages_are_one_line_that_can_be_shown() {
    let mut seen = 0;
    for case in cases() {
        for finding in case.found() {
            let message = finding.to_string();
            let is_shown = |c: char| !c.is_control() && !('\u{2028}'..='\u{202E}').contains(&c);
            assert!(message.chars().all(is_shown), "{message:?}");
            assert!(!message.ends_with('.') && message.len() > 20, "{message}");
            assert!(!message.contains(['{', '}']), "a value has no name of those: {message}");
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// The laws of every reference and every lint.
fn obey(text: &str) -> Result<(), TestCaseError> {
    let Ok(iri) = IriRef::parse(text) else {
        let mut last = 0;
        Lint::new(Profile::Strict).each_of_invalid(text, |finding| {
            assert!(text.get(finding.span()).is_some());
            last = last.max(finding.span().end);
        });
        prop_assert!(last <= text.len());
        return Ok(());
    };
    for lint in
        Profile::ALL.iter().copied().map(Lint::new).flat_map(|lint| [lint, lint.divided(true)])
    {
        let report = lint.report(iri);
        let spans = report.iter().map(|finding| finding.span());
        prop_assert!(spans.clone().all(|span| iri.as_str().get(span).is_some()), "{iri}");
        prop_assert!(spans.map(|span| span.start).is_sorted(), "{iri}");

        let codes = |view: IriRef<'_>| -> BTreeSet<Code> {
            lint.report(view).iter().map(|finding| finding.code()).collect()
        };
        let has_new = |fixed: IriRef<'_>| codes(fixed).difference(&codes(iri)).next().copied();
        for finding in &report {
            let Some(suggestion) = finding.suggestion() else { continue };
            let (text, span) = (iri.as_str(), finding.span());
            let part = suggestion.apply(&text[span.clone()]);
            let text = format!("{}{part}{}", &text[..span.start], &text[span.end..]);
            let fixed = IriRef::parse(&text);
            prop_assert!(fixed.is_ok(), "{} {:?}: {}", iri, finding, text);
            {
                prop_assert_eq!(suggestion.keeps_meaning(), suggestion.level().is_some());
                if let Some(level) = suggestion.level() {
                    let fixed = fixed.unwrap();
                    prop_assert!(iri.is_equivalent(fixed, level), "{} {:?}: {}", iri, level, text);
                    let by = Compare::by(simd_iri::Normalize::scheme().idna(true).urn(true));
                    prop_assert!(by.equivalent(iri, fixed), "{} {}", iri, text);
                }
            }
        }

        let fixed = lint.fix(iri).unwrap();
        prop_assert_eq!(has_new(fixed.view()), None, "{} {}", iri, fixed);
        prop_assert_eq!(Rule::IriReference.parse(fixed.as_str()), Ok(fixed.view().parts()));
        let level = Level::SchemeIdna;
        prop_assert!(Compare::new(level).equivalent(iri, fixed.view()), "{iri} {fixed}");
        // A suggestion that is left would cause another finding, by itself or together with those that follow from
        // it.
        prop_assert_eq!(lint.fix(fixed.view()).unwrap(), fixed.as_str(), "{}", iri);
        nothing_is_hidden(iri, &report, &lint.report(fixed.view()))?;

        let all = lint.fix_all(iri).unwrap();
        let is_twice = |report: &Report| report.iter().any(|it| it.code() == Code::SchemeTwice);
        prop_assert_eq!(is_twice(&report), is_twice(&lint.report(all.view())), "{}: {}", iri, all);
        prop_assert_eq!(has_new(all.view()), None, "{} {}", iri, all);
        prop_assert_eq!(Rule::IriReference.parse(all.as_str()), Ok(all.view().parts()));
        prop_assert_eq!(lint.fix_all(all.view()).unwrap(), all.as_str(), "{}", iri);
        if let Ok(uri) = UriRef::parse(text) {
            prop_assert!(lint.fix_all(uri).unwrap().as_str().is_ascii());
        }
    }
    Ok(())
}

/// A fix makes no look-alike, and does not hide a host that is one.
fn nothing_is_hidden(
    iri: IriRef<'_>,
    before: &Report,
    after: &Report,
) -> Result<(), TestCaseError> {
    let has = |report: &Report, code: Code| report.iter().any(|finding| finding.code() == code);
    for code in Code::ALL.iter().filter(|code| code.name().starts_with("spoof.")) {
        prop_assert!(has(before, *code) || !has(after, *code), "{iri}: {code} is new");
    }
    for code in [
        Code::SpoofLabel,
        Code::SpoofWholeScript,
        Code::SpoofIpv4,
        Code::SpoofInternalHost,
        Code::SpoofUserinfo,
        Code::SchemeTwice,
    ] {
        prop_assert_eq!(has(before, code), has(after, code), "{}: {} is lost", iri, code);
    }
    // The normal form of a domain name has ordinary full stops.
    let count = |report: &Report| {
        let is_one = |finding: &Finding| {
            finding.code() == Code::SpoofLookAlike && finding.component() == Component::Host
        };
        report.iter().filter(|finding| is_one(finding)).count()
    };
    let has_full_stop = iri.host_str().is_some_and(|host| {
        host.contains(['\u{2024}', '\u{3002}', '\u{FE52}', '\u{FF0E}', '\u{FF61}'])
    });
    prop_assert!(has_full_stop || count(before) == count(after), "{iri}: a look-alike is hidden");
    Ok(())
}

/// References of parts that matter here: directions, triplets, scripts, dots, hosts.
fn references() -> impl Strategy<Value = String> {
    const STARTS: &[&str] = &[
        "",
        "http://",
        "HTTPS://a.",
        "ws://u:p@",
        "ftp://",
        "file:",
        "mailto:",
        "data:",
        "urn:",
        "tag:",
        "a:",
        "//",
        "/",
        "http://0x7f.1:25/",
        "http://xn--bcher-kva.",
        "urn:example:",
        "tag:a.b,2020:",
        "mailto:a@",
        "data:,",
        "a:/",
        "file:///",
        "http://a/%D0%B0",
        "http://a.b@",
        "mailto:x@",
        "http://http:",
        "HTTP://https//",
        "ftp://%48ttp%3a",
        "https:ws:",
        "https://mailto:",
        "mailto:Mailto:",
        "file:///http:",
    ];
    const PIECES: &[&str] = &[
        "a",
        "B",
        "1",
        ".",
        "..",
        "-",
        "/",
        "?",
        "#",
        ":",
        "@",
        ",",
        ";",
        "=",
        "%41",
        "%c3%a9",
        "%2f",
        "%C0%AF",
        "%E4",
        "%00",
        "%2e",
        "%d7%90",
        "%D9%A1",
        "é",
        "e\u{301}",
        "א",
        "ב",
        "٣",
        "ا",
        "с",
        "ａ",
        "ﬁ",
        "\u{A0}",
        "\u{200D}",
        "\u{202E}",
        "\u{E000}",
        "\u{378}",
        "\u{301}",
        "%CC%81",
        "中",
        "\u{3002}",
        "ſ",
        "ß",
        "\u{37E}",
        "\u{212A}",
        "İ",
        "а",
        "%D0%B0",
        "ノ",
        "ﾉ",
        "\u{2215}",
        "%E2%88%95",
        "／",
        "℀",
        "%E3%80%82",
        "127",
        "0.0.1",
        "localhost",
        ":80",
        "%25",
        "%32",
        "Ã©",
        "%C3%83%C2%A9",
        "Ã",
        "©",
        "xn--pypal-4ve",
        "\u{200C}",
        "क",
        "\u{94D}",
        "👩",
    ];
    let pieces = proptest::collection::vec(proptest::sample::select(PIECES), 0..10);
    (proptest::sample::select(STARTS), pieces)
        .prop_map(|(start, pieces)| format!("{start}{}", pieces.concat()))
}

#[test]
fn random_references_obey_every_law() {
    // The most common references, which a prescan finds to have no finding. The prescan itself asserts that the
    // checks agree.
    let common =
        "(http|https|file|ws|HTTP)://(u@)?[a.1_-]{0,6}(\\[::1\\])?(:[0-9]{0,5})?[/.a]{0,3}(\\?a)?";
    random(3_000, common, |text| obey(&text));
    random(3_000, references(), |text| obey(&text));
    random(500, texts(), |text| obey(&text));
}

/// An address is an address and an internal name is internal, however many zeros or labels come before it: no resolver
/// has to accept the length.
#[test]
fn neighbours_that_are_wrong_are_one_finding() {
    // All lists of up to six parts, of which one is a mail address or a field, and two are not.
    for (code, before, delimiter, parts) in [
        (Code::SchemeMailtoAddress, "mailto:", ',', ["a@b.example", "", "c"]),
        (Code::SchemeMailtoField, "mailto:a@b.example?", '&', ["cc=d", "", "e"]),
    ] {
        for number in 0..3_usize.pow(6) {
            let list: Vec<_> =
                (0..1 + number % 6).map(|at| parts[number / 3_usize.pow(at as u32) % 3]).collect();
            let text = format!("{before}{}", list.join(&delimiter.to_string()));
            let mut expected: Vec<std::ops::Range<usize>> = Vec::new();
            let mut at = before.len();
            for part in &list {
                let is_wrong = *part != parts[0];
                match expected.last_mut() {
                    Some(last) if is_wrong && last.end + 1 == at && at > before.len() => {
                        last.end = at + part.len();
                    }
                    _ if is_wrong => expected.push(at..at + part.len()),
                    _ => {}
                }
                at += part.len() + 1;
            }
            // An empty path or query has no list.
            if text.ends_with(':') {
                expected.clear();
            }
            let report = simd_iri_lint::lint(IriRef::parse(&text).unwrap(), Profile::Rfc);
            let found = report.findings().iter().filter(|finding| finding.code() == code);
            let found: Vec<_> = found.map(|finding| finding.span()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}

#[test]
fn a_long_host_is_judged_as_an_address_and_as_an_internal_name() {
    let found = |host: &str| {
        let text = format!("http://{host}/");
        let report = simd_iri_lint::lint(IriRef::parse(&text).unwrap(), Profile::Strict);
        let codes: Vec<_> = report.iter().map(|finding| finding.code()).collect();
        [Code::SpoofIpv4, Code::SpoofInternalHost].map(|code| codes.contains(&code))
    };
    for zeros in [1, 2, 50, 61, 62, 63, 64, 65, 100, 250, 255, 300, 900, 2_000] {
        for (before, after) in [
            ("", "177.0.0.1"),
            ("", "177.0.0.1."),
            ("%30", "%31%37%37%2E0.0.1"),
            ("0x", "7f000001"),
            ("0X", "7F.1"),
            ("%30x", "7f.0.0.1"),
            ("127.0.0.", "1"),
        ] {
            let host = [before, &"0".repeat(zeros), after].concat();
            assert_eq!(found(&host), [true, true], "{host}");
        }
    }
    for zeros in [1, 20, 21, 22, 63, 64, 250, 300] {
        for (before, after) in
            [("", "１７７.0.0.1"), ("", "177。0。0。1"), ("0ｘ", "7f000001"), ("", "177．0．0．①")]
        {
            let host = [before, &"０".repeat(zeros), after].concat();
            assert_eq!(found(&host), [true, true], "{host}");
        }
    }
    for length in [1, 62, 63, 64, 65, 250, 900] {
        for end in ["localhost", "LOCALHOST.", "%6Cocalhost", "xn--a.localhost", "b.internal"] {
            let host = format!("{}.{end}", "a".repeat(length));
            assert_eq!(found(&host), [false, true], "{host}");
        }
        let many = "a.".repeat(length) + "localhost";
        assert_eq!(found(&many), [false, true], "{many}");
    }
}

/// A host that is too long for the DNS stands for no name, so that nothing is found in its letters.
#[test]
fn a_host_that_is_too_long_is_not_judged_by_its_letters() {
    let of_name = [Code::SpoofLabel, Code::SpoofWholeScript, Code::SpoofLookAlike];
    let found = |host: &str| {
        let text = format!("http://{host}/");
        let report = simd_iri_lint::lint(IriRef::parse(&text).unwrap(), Profile::Strict);
        let codes: Vec<_> = report.iter().map(|finding| finding.code()).collect();
        (codes.contains(&Code::SchemeDomain), codes.iter().any(|code| of_name.contains(code)))
    };
    // An A-label of Cyrillic letters that look like `apple`, and labels in ASCII.
    let (label, apple) = ("a".repeat(63), "xn--80ak6aa92e");
    let long = [label.as_str(), &label, &label, apple].join(".");
    for (host, expected) in [
        (apple.to_owned(), (false, true)),
        (format!("{label}.{apple}"), (false, true)),
        (format!("{label}a.{apple}"), (true, false)),
        (format!("{long}.{}", "b".repeat(253 - long.len() - 1)), (false, true)),
        (format!("{long}.{}", "b".repeat(255 - long.len() - 1)), (true, false)),
        (format!("{apple}.{}", "é".repeat(64)), (true, false)),
        (format!("{apple}{}", "a".repeat(50)), (true, false)),
    ] {
        assert_eq!(found(&host), expected, "{host}");
    }
    let pieces = proptest::sample::select(
        &[
            "a",
            "xn--80ak6aa92e",
            "xn--bcher-kva",
            "аррӏе",
            "a∕b",
            "%D0%B0",
            "e\u{301}",
            "\u{AD}",
            "localhost",
            "·",
            "ﬃ",
        ][..],
    );
    let labels = proptest::collection::vec(proptest::collection::vec(pieces, 1..4), 1..60);
    random(2_000, labels, |labels| {
        let labels: Vec<String> = labels.iter().map(|label| label.concat()).collect();
        let host = labels.join(".");
        let is_plain = |label: &String| label.is_ascii() && !label.contains('%');
        let is_long = labels.iter().any(|label| is_plain(label) && label.len() > 63);
        let (is_no_domain, has_finding) = found(&host);
        prop_assert!(!is_long || is_no_domain && !has_finding, "{}", host);
        Ok(())
    });
}

/// With debug assertions, each lint asserts that the prescan loses no finding.
#[test]
fn the_prescan_and_the_checks_agree_on_every_short_host() {
    const PIECES: [&str; 12] =
        ["", "a", ".", "-", "1", "A", "%2E", "local", "[::1]", "é", "\u{3002}", "host"];
    assert!(std::hint::black_box(cfg!(debug_assertions)));
    let mut count = 0;
    for scheme in ["http", "wss", "file", "a"] {
        for tail in ["", "/", "/.?q", ":80/", ":8080/a"] {
            for number in 0..PIECES.len().pow(3) {
                let piece = |power| PIECES[number / PIECES.len().pow(power) % PIECES.len()];
                let text = format!("{scheme}://{}{}{}{tail}", piece(2), piece(1), piece(0));
                if let Ok(iri) = IriRef::parse(&text) {
                    let _ = simd_iri_lint::lint(iri, Profile::Strict);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 20_000);
}

#[test]
fn ordinary_words_look_like_no_delimiter() {
    // Modifier letters, middle dots, apostrophes, and the punctuation of Chinese and Japanese.
    for word in [
        "Hawaiʻi",
        "l’Hospitalet",
        "col·legi",
        "Skwx̱wú7mesh",
        "ʔeləwaʔ",
        "Kʷak̓ʷala",
        "シー・エム",
        "ノート",
        "你好，世界。",
        "「はじめに」：概要",
        "何ですか？",
        "C＃入門",
        "Ֆիլմ։",
        "שלום׃",
        "مرحبا؟",
        "कथा।",
        "Ελλάδα;",
        "F♯",
        "Å–Ø",
        "9½",
        "№1",
        "Ⅳ",
        "ⅷ",
        "Ünïcödé",
        "Đặng",
        "ʼn",
    ] {
        let text = format!("http://a/{word}?{word}#{word}");
        let Ok(iri) = IriRef::parse(&text) else { panic!("{text}") };
        for finding in &simd_iri_lint::lint(iri, Profile::Strict) {
            let code = finding.code();
            assert!(
                ![Code::SpoofLookAlike, Code::SpoofMojibake].contains(&code),
                "{text}: {finding}"
            );
        }
    }
}

#[test]
fn every_look_alike_is_named_by_its_code_point() {
    for (text, number) in [
        ("http://a\u{2215}b.example/", "U+2215"),
        ("http://a%E2%81%84b.example/", "U+2044"),
        ("http://a/b\u{A789}", "U+A789"),
        ("http://p\u{430}ypal.example/", "U+0430"),
        ("http://ѕсоре.example/", "U+0455"),
        ("http://a/п\u{61}", "U+043F"),
    ] {
        let report = simd_iri_lint::lint(IriRef::parse(text).unwrap(), Profile::Rfc);
        assert!(report.iter().any(|finding| finding.to_string().contains(number)), "{text}");
    }
}

/// The meaning of a text by each of the charsets with a name.
fn interpreted(text: &str, charsets: &[&str]) -> Vec<(String, &'static str)> {
    let charset = |label: &&str| encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    let charsets: Vec<_> = charsets.iter().map(charset).collect();
    let names = simd_iri_lint::interpret(text, &charsets).unwrap();
    names.iter().map(|name| (name.view().to_string(), name.charset().name())).collect()
}

#[test]
fn legacy_escapes_are_names_by_some_charsets() {
    let all = ["utf-8", "shift_jis", "euc-jp", "windows-1252", "windows-1251", "iso-2022-jp"];
    for (text, expected) in [
        // The same by all of these charsets.
        ("http://a/b?c=%26#d", &[("http://a/b?c=%26#d", "UTF-8")][..]),
        ("/%E4", &[("/ä", "windows-1252"), ("/д", "windows-1251")]),
        // The text of an octet may be partly ASCII, and delimiters stay delimiters.
        (
            "/%83%5C%2F/",
            &[
                ("/ソ%2F/", "Shift_JIS"),
                ("/ƒ%5C%2F/", "windows-1252"),
                ("/ѓ%5C%2F/", "windows-1251"),
            ],
        ),
        (
            "/%C6%FC%CB%DC?%A4%A2",
            &[("/日本?あ", "EUC-JP"), ("/ÆüËÜ?¤¢", "windows-1252"), ("/ЖьЛЬ?¤ў", "windows-1251")],
        ),
        // Code units of UTF-16, one and a pair.
        ("%u3042/%ud83d%uDE00#%u0041", &[("あ/😀#A", "UTF-8")]),
        // The host is not read by a charset; a charset without the octet gives nothing.
        ("//%E4.example/%81", &[("//%E4.example/Ѓ", "windows-1251")]),
        ("/%FF%FF%81%98", &[]),
    ] {
        let names = interpreted(text, &all);
        let found: Vec<_> = names.iter().map(|(name, charset)| (name.as_str(), *charset)).collect();
        assert_eq!(found, expected, "{text}");
    }
    for (text, span) in [("a b", 1..2), ("%u", 0..1), ("/%ud83d", 1..2), ("/%u202E", 1..2)] {
        let error = simd_iri_lint::interpret(text, &[encoding_rs::UTF_8]).unwrap_err();
        assert_eq!(error.span(), span, "{text}");
    }
}

/// The meanings by several charsets are those by each of them, in order, and none twice.
#[test]
fn several_charsets_give_what_each_of_them_gives() {
    let all = [
        "utf-8",
        "windows-1252",
        "koi8-r",
        "shift_jis",
        "euc-jp",
        "gb18030",
        "big5",
        "euc-kr",
        "utf-16le",
        "iso-2022-jp",
    ];
    let pieces = ["%C3", "%A9", "%83", "%5C", "%41", "%2F", "%25", "%1B", "%7E", "a", "/", "é", ""];
    let (mut texts, mut several) = (0, 0);
    for first in pieces {
        for (second, third) in pieces.iter().flat_map(|a| pieces.map(|b| (a, b))) {
            let text = format!("/{first}{second}?{third}");
            let mut expected: Vec<(String, &str)> = Vec::new();
            for found in all.iter().flat_map(|charset| interpreted(&text, &[charset])) {
                if expected.iter().all(|(name, _)| *name != found.0) {
                    expected.push(found);
                }
            }
            assert_eq!(interpreted(&text, &all), expected, "{text}");
            texts += 1;
            several += usize::from(expected.len() > 1);
        }
    }
    println!("{texts} texts, {several} of them with several meanings");
    assert!(several > 200);
}

/// A second scheme has its code and no other remedy, however it is spelled, and what only looks like one has no such code.
#[test]
fn a_scheme_that_is_there_twice_is_said_so() {
    let names = ["http", "https", "ws", "wss", "ftp", "HTTP", "Https", "h%74tp"];
    let (mut twice, mut once) = (0, 0);
    for first in ["http", "HTTPS", "ws", "wss", "ftp"] {
        for name in names {
            for (between, after, is_twice) in [
                ("://", "://a.example/x", true),
                ("://", "://", true),
                ("://", ":///a.example", true),
                ("://", "//a.example/x", true),
                ("://", "//../x", true),
                ("://", ":/a.example", true),
                ("://", "%3A//a.example", true),
                ("://u@", "://a.example", true),
                (":", "://a.example", !name.contains('%')),
                (":/", "://a.example", !name.contains('%')),
                (":///", ":a.example", !name.contains('%')),
                ("://", "/a.example", false),
                ("://", "", false),
                ("://", ":80//a.example", false),
                ("://", ".example://a.example", false),
                ("://", "s2://a.example", false),
                ("://a.example/", "://b.example", false),
                ("://a.example?", "://b.example", false),
                ("://", "@a.example//b", false),
                ("://", ":secret@a.example//b", false),
            ] {
                let text = format!("{first}{between}{name}{after}");
                let iri = IriRef::parse(&text).unwrap();
                let report = Lint::new(Profile::Rfc).report(iri);
                let found: Vec<_> =
                    report.iter().filter(|it| it.code() == Code::SchemeTwice).collect();
                assert_eq!(found.len(), usize::from(is_twice), "{text}");
                if is_twice {
                    let span = found[0].span();
                    let written = percent::decode(&text[span]).lossy().to_ascii_lowercase();
                    let name = percent::decode(name).lossy().to_ascii_lowercase();
                    assert_eq!(written.trim_end_matches(':'), name, "{text}");
                    let hides = |code| matches!(code, Code::PreferredPort | Code::PreferredDots);
                    assert!(!report.iter().any(|it| hides(it.code())), "{text}");
                    twice += 1;
                } else {
                    once += 1;
                }
            }
        }
    }
    assert!(twice > 300 && once > 300, "{twice} {once}");
}

#[test]
fn what_a_scheme_means_is_kept() {
    // Texts that are right as they are, in schemes without a hierarchy, and in schemes that decode nothing.
    for text in [
        "urn:example:a/../b",
        "urn:example:%41%7e",
        "urn:example:%41%7E",
        "urn:/a/../b",
        "data:,a/../b",
        "data:./b",
        "tag:a.b,2020:x/../../y",
        "tag:a.b,2020:%41%7e",
        "mailto:a/../b@c",
        "a:b/./c",
        "a:%2e%2e/b",
        "../%2e%2e/b",
    ] {
        let iri = IriRef::parse(text).unwrap();
        let fixed = Lint::new(Profile::Strict).fix(iri).unwrap();
        let is_urn = text.starts_with("urn:");
        let expected = match text {
            "a:%2e%2e/b" => "a:../b".to_owned(),
            "../%2e%2e/b" => "../../b".to_owned(),
            _ if is_urn => text.replace("%7e", "%7E"),
            _ => text.to_owned(),
        };
        assert_eq!(fixed, expected.as_str());
    }
}

#[test]
fn nothing_is_allocated_where_there_is_nothing_to_say() {
    let iri = Iri::parse("https://www.example.org:8080/a/b.c/d?e=f&g=h#i").unwrap();
    let mut empty = false;
    let count = measure(|| empty = simd_iri_lint::lint(iri, Profile::Rfc).is_empty()).count_total;
    assert!(empty);
    assert_eq!(count, 0);
}

#[test]
fn long_references_take_linear_time() {
    for piece in ["%c3%a9", "%C0%AF", "א1", "/../", "ａe\u{301}", "%D7%90/", "\u{202E}(", "с-a"]
    {
        let text = format!("http://a/{}", piece.repeat(5_000));
        let iri = Iri::parse(&text).unwrap();
        let report = simd_iri_lint::lint(iri, Profile::Strict);
        assert!(!report.is_empty(), "{piece}");
        assert!(Lint::new(Profile::Strict).fix_all(iri).is_ok());
    }
}
