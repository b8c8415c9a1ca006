//! What a build with some features of the library answers about generated texts: a line for each text.
//!
//!     features                    prints the answers of this build
//!     features ANSWERS            compares them with the answers of a build with all features, in a file
//!
//! The law: two builds give the same answers. A build may know no origin where the build with all features knows one, but
//! it never knows another one.

use std::fmt::Write;
use std::process::ExitCode;

use simd_iri::{
    Compare, IriRef, Level, ToIri, ToUri,
    document::{Document, Format},
};

/// The number of texts.
const TEXTS: u32 = 20_000;

/// Parts of texts, on which the tables of features may have a say.
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
    let _ = write!(out, "{:?}", IriRef::parse(text));
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

/// The other answers, and the origin of a line.
fn fields(line: &str) -> (&str, &str) {
    line.rsplit_once('\t').expect("a line has a tab")
}

fn main() -> ExitCode {
    let lines = texts().map(|text| answers(&text));
    let Some(file) = std::env::args().nth(1) else {
        lines.for_each(|line| println!("{line}"));
        return ExitCode::SUCCESS;
    };
    let all = std::fs::read_to_string(&file)
        .expect("the file has the answers of a build with all features");
    let mut differences = 0;
    for ((ours, theirs), text) in lines.zip(all.lines()).zip(texts()) {
        let ((our_answers, our_origin), (their_answers, their_origin)) =
            (fields(&ours), fields(theirs));
        let has_other_origin = our_origin != NO_ORIGIN && our_origin != their_origin;
        if our_answers != their_answers || has_other_origin {
            differences += 1;
            if differences <= 5 {
                println!("{text:?}\n  {ours}\n  {theirs}");
            }
        }
    }
    assert_eq!(all.lines().count(), texts().count(), "each text has its line");
    println!("{TEXTS} texts, {differences} differences");
    if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
