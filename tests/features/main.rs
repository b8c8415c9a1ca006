//! What a build with some features of the library answers about generated texts: a line for each text.
//!
//!     features                    prints the answers of this build
//!     features ANSWERS            compares them with the answers of a build with all features, in a file
//!
//! The law: two builds give the same answers, and a lint has the same findings, except those of the codes that it names
//! as not checked. It names no other code: each named code has other findings in a text. A build may know no origin where
//! the build with all features knows one, but it never knows another one.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::ExitCode;

use simd_iri::check::{Code, Lint, Profile, Severity};
use simd_iri::text::{Prepare, RepairSet};
use simd_iri::{Compare, Document, Format, IriRef, Level, ToIri, ToUri};

/// The number of texts.
const TEXTS: u32 = 20_000;

/// Parts of texts, which the codes of a lint are about.
const PIECES: [&str; 64] = [
    "http://",
    "HTTPS://",
    "ws://",
    "mailto:",
    "urn:",
    "file:///",
    "data:,",
    "//",
    "ノ",
    "/",
    ".",
    "?sig=x",
    "@",
    ":",
    "?",
    "#",
    "a",
    "B",
    "example",
    "com",
    "xn--e1afmkfd",
    "xn--80ak6aa92e",
    "localhost",
    "0x7f.1",
    "127.0.0.1",
    "１２７",
    "ａ",
    "。",
    "é",
    "e\u{301}",
    "ß",
    "ж",
    "а",
    "р",
    "аррӏе",
    "ο",
    "例え",
    "אב",
    "ا",
    "1",
    "0",
    "\u{202E}",
    "\u{200D}",
    "\u{3000}",
    "\u{AD}",
    "Ã©",
    "ﬁ",
    "\u{E000}",
    "\u{378}",
    "\u{149}",
    "∕",
    "⁄",
    "℀",
    "%C3%A9",
    "%7E",
    "%2F",
    "%00",
    "%D0%B0",
    "%E2%80%AE",
    "%C3%83%C2%A9",
    "%FF",
    "%2e",
    ":80",
    "..",
];

/// The texts: up to ten parts, chosen by a generator of numbers (xorshift) that begins with the number of the text.
fn texts() -> impl Iterator<Item = String> {
    (1..=TEXTS).map(|number| {
        let mut state = number.wrapping_mul(0x9E37_79B9);
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state as usize
        };
        let length = next() % 10 + 1;
        let scheme = ["http://", "https://a", "", "mailto:x@"][next() >> 5 & 3];
        let pieces = (0..length).map(|_| PIECES[next() >> 3 & 63]);
        [scheme].into_iter().chain(pieces).collect()
    })
}

/// What is written for an opaque origin.
const NO_ORIGIN: &str = "none";

/// The answers about a text that no feature may change, and the origin.
fn answers(text: &str) -> String {
    let mut out = String::new();
    let prepared =
        Prepare::new(RepairSet::BrowserLike).prepare(text).map(|it| it.as_str().to_owned());
    let _ = write!(out, "{prepared:?}\t{:?}", IriRef::parse(text));
    let Ok(reference) = IriRef::parse(text) else { return out + "\t" + NO_ORIGIN };
    let origin = reference.origin().map(|origin| origin.to_string());
    let _ = write!(
        out,
        "\t{:?}\t{:?}\t{:?}\t{:?}\t{:?}\t{}",
        ToUri::new().map(reference).map(|uri| uri.as_str().to_owned()),
        ToIri::new().map(reference).as_str(),
        reference.normalize(simd_iri::Normalize::scheme()).map(|normal| normal.as_str().to_owned()),
        Compare::new(Level::Scheme).key(reference),
        Document::new(Format::Html).ascii(true).write(reference).to_string(),
        origin.as_deref().unwrap_or(NO_ORIGIN),
    );
    out
}

/// The names of the codes that a lint of every code finds in a text.
fn codes(lint: &Lint, text: &str) -> Vec<&'static str> {
    let Ok(reference) = IriRef::parse(text) else { return Vec::new() };
    lint.report(reference).iter().map(|finding| finding.code().name()).collect()
}

/// The codes, the other answers, and the origin of a line.
fn fields(line: &str) -> [&str; 3] {
    let (codes, rest) = line.split_once('\t').expect("a line has a tab");
    let (answers, origin) = rest.rsplit_once('\t').expect("a line has two tabs");
    [codes, answers, origin]
}

fn main() -> ExitCode {
    let every = |lint: Lint, code: &Code| lint.severity(*code, Some(Severity::Note));
    let lint = Code::ALL.iter().fold(Lint::new(Profile::Strict), every);
    let lines =
        texts().map(|text| format!("{}\t{}", codes(&lint, &text).join(" "), answers(&text)));
    let Some(file) = std::env::args().nth(1) else {
        lines.for_each(|line| println!("{line}"));
        return ExitCode::SUCCESS;
    };
    let all = std::fs::read_to_string(&file)
        .expect("the file has the answers of a build with all features");
    let left_out: Vec<_> = lint.not_checked().map(Code::name).collect();
    // The codes that the build has to name: without their features, they have other findings in a text.
    let mut needed = BTreeSet::<&str>::new();
    let checked = |codes: &str| {
        let codes = codes.split_whitespace().filter(|code| !left_out.contains(code));
        codes.map(str::to_owned).collect::<Vec<_>>()
    };
    let mut differences = 0;
    for ((ours, theirs), text) in lines.zip(all.lines()).zip(texts()) {
        let [our_codes, our_answers, our_origin] = fields(&ours);
        let [their_codes, their_answers, their_origin] = fields(theirs);
        let of = |codes: &str, code| codes.split_whitespace().filter(|it| *it == code).count();
        needed.extend(
            left_out.iter().filter(|code| of(our_codes, **code) != of(their_codes, **code)),
        );
        let (our_codes, their_codes) = (checked(our_codes), checked(their_codes));
        let has_other_origin = our_origin != NO_ORIGIN && our_origin != their_origin;
        if our_codes != their_codes || our_answers != their_answers || has_other_origin {
            differences += 1;
            if differences <= 5 {
                println!(
                    "{text:?}\n  {our_codes:?} {our_answers} {our_origin}\n  {their_codes:?} {their_answers} {their_origin}"
                );
            }
        }
    }
    assert_eq!(all.lines().count(), texts().count(), "each text has its line");
    let idle: Vec<_> = left_out.iter().filter(|code| !needed.contains(*code)).collect();
    println!(
        "{TEXTS} texts, {differences} differences besides {} codes that are not checked",
        left_out.len()
    );
    println!("named as not checked, and the same in each text: {idle:?}");
    if differences == 0 && idle.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
