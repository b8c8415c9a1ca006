//! One law for every command: `-q` takes the messages from standard error, and nothing else. The output, the exit code,
//! the summary with its counts by kind, and the file of the records that fail are the same.
//!
//! The inputs are generated: records of every format with errors of every kind. `SIMD_IRI_SAMPLE` says how many inputs are
//! left out, and `PROPTEST_RNG_SEED` which inputs are tried.

#![expect(clippy::indexing_slicing, reason = "a failure is a failed test")]

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::counts::{FORMATS, Slot, random};
use super::{Run, TempFile, run};

/// Texts with each kind of error, and texts without an error.
const ITEMS: [&[u8]; 22] = [
    b"http://a/\xEE\x80\x80b",
    b"http://a/\xF4\x80\x80\x80",
    b"http://a/\xFFb",
    b"http://a/\xC3",
    b"http://a/b|c",
    b"http://a/\xE2\x80\xAE \x07",
    b"http://a/#b#c",
    b"http://a/%zz",
    b"http://[::1::2]/",
    b"http://[::1",
    b"//a/b",
    b"1ttp://a/",
    b":a",
    b"http://a:8x/",
    b"http://a@b@c/",
    b"http://a b/",
    b"",
    b"HTTP://A/%7Eb",
    b"http://a/\xC3\xA9?\xEE\x80\x80",
    b"http://a/%C3%A9",
    b"a/./b",
    b"http://a/",
];

/// Every command that reports items, with its arguments.
const COMMANDS: [&[&str]; 32] = [
    &["normalize"],
    &["normalize", "--as", "uri"],
    &["normalize", "--drop-fragment"],
    &["to-uri"],
    &["to-uri", "--host", "idna"],
    &["to-uri", "--lenient"],
    &["to-iri"],
    &["to-iri", "--private"],
    &["resolve", "--base", "http://b/c"],
    &["relativize", "--base", "http://a/"],
    &["prepare"],
    &["prepare", "--repairs"],
    &["display"],
    &["redact"],
    &["skeleton"],
    &["archive-key"],
    &["archive-key", "--profile", "ssurt"],
    &["interpret"],
    &["template", "match", "{+a}"],
    &["decode"],
    &["file", "--to-name"],
    &["host"],
    &["judge"],
    &["unescape", "--from", "xml"],
    &["lint"],
    &["lint", "--fix"],
    &["check"],
    &["check", "--all"],
    &["parse"],
    &["parse", "-g", "{host}"],
    &["dedup"],
    &["dedup", "--level", "simple", "--count"],
];

/// The forms of the output. The word `FILE` is the name of a new file.
const MODES: [&[&str]; 15] = [
    &[],
    &["--json"],
    &["--keep", "input"],
    &["--keep", "empty"],
    &["--errors", "FILE"],
    &["--errors", "FILE", "--keep", "input"],
    &["--to", "lines"],
    &["--to", "csv", "--keep", "empty"],
    &["--to", "jsonl"],
    &["--add", "new"],
    &["--add", "new", "--keep", "input"],
    &["--max-errors", "3"],
    &["--max-errors", "2", "--errors", "FILE"],
    &["--count"],
    &["--invalid"],
];

/// Returns the number that a variable of the environment has.
fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Returns an input of a format, and its arguments. Lines have errors of every kind.
fn input(state: &mut u64) -> (Vec<u8>, &'static [&'static str]) {
    let count = [0, 1, 3, 40, 200][random(state) % 5];
    let mut text = Vec::new();
    // Half of the inputs are lines.
    let number = random(state) % (2 * FORMATS.len());
    let Some((args, head, write, end)) = FORMATS.get(number) else {
        for _ in 0..count {
            text.extend_from_slice(ITEMS[random(state) % ITEMS.len()]);
            text.extend_from_slice([&b"\n"[..], b"\r\n"][usize::from(random(state) % 9 == 0)]);
        }
        // The last line may have no end.
        let length = text.len().saturating_sub(random(state) % 2);
        text.truncate(length);
        return (text, &[]);
    };
    text.extend_from_slice(head.as_bytes());
    let slots = [Slot::Valid, Slot::Invalid, Slot::Absent, Slot::Broken, Slot::Filler];
    for number in 0..count {
        let record = write(slots[random(state) % slots.len()], number);
        text.extend_from_slice(record.unwrap_or_default().as_bytes());
    }
    text.extend_from_slice(end.as_bytes());
    (text, args)
}

/// Runs a command in one of its forms. Returns the run, its summary, and the content of the file of errors.
fn tried(args: &[&str], input: &[u8], quiet: bool) -> (Run, String, Option<Vec<u8>>) {
    // The tests run at the same time, and each run has a file of its own.
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    let file = args.contains(&"FILE").then(|| TempFile::new(&format!("quiet-{number}"), ""));
    let name = |arg: &&str| match (&file, *arg) {
        (Some(file), "FILE") => file.name().to_owned(),
        (_, arg) => arg.to_owned(),
    };
    let mut args: Vec<String> = args.iter().map(name).collect();
    if quiet {
        args.push("-q".to_owned());
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let run = run(&args, input);
    let summary = run.err.lines().filter(|line| line.starts_with('{')).collect();
    let errors = file.as_ref().map(|file| fs::read(file.name()).unwrap_or_default());
    (run, summary, errors)
}

#[test]
fn quiet_takes_messages_and_nothing_else() {
    let sample = variable("SIMD_IRI_SAMPLE").unwrap_or(1).clamp(1, 11);
    let mut state = variable("PROPTEST_RNG_SEED").unwrap_or(1);
    let (mut accepted, mut failed, mut kinds, mut written) = (0, 0, 0, 0);
    let cases = 2200 / sample;
    for _ in 0..cases {
        let (text, from) = input(&mut state);
        let command = COMMANDS[random(&mut state) % COMMANDS.len()];
        let mode = MODES[random(&mut state) % MODES.len()];
        let jobs = ["1", "4"][random(&mut state) % 2];
        let args = [command, from, mode, &["--summary", "json", "--jobs", jobs]].concat();
        let (loud, loud_summary, loud_errors) = tried(&args, &text, false);
        let (quiet, quiet_summary, quiet_errors) = tried(&args, &text, true);
        let shown = || format!("{args:?} {:?}", String::from_utf8_lossy(&text));
        assert_eq!(quiet.code, loud.code, "{}", shown());
        // The report of `check` and `lint` is their output, and consists of messages.
        let is_report = matches!(command, ["check" | "lint", ..] | ["parse"])
            && !["--json", "--count", "--invalid", "--fix"].iter().any(|form| args.contains(form));
        if !is_report {
            assert_eq!(quiet.out, loud.out, "{}", shown());
        }
        // A run that is refused says why, in any case.
        if loud.code == 2 {
            continue;
        }
        accepted += 1;
        failed += loud.code;
        assert_eq!(quiet_summary, loud_summary, "{}", shown());
        assert_eq!(quiet_errors, loud_errors, "{}", shown());
        kinds += usize::from(loud_summary.contains("\"kinds\":{\""));
        written += usize::from(loud_errors.is_some_and(|errors| !errors.is_empty()));
        let rest: Vec<_> = quiet.err.lines().filter(|line| !line.starts_with('{')).collect();
        assert!(rest.iter().all(|line| line.starts_with("iri: ")), "{rest:?} {}", shown());
    }
    let least = i32::try_from(cases / 20).unwrap_or(i32::MAX);
    assert!(accepted >= 4 * least && failed >= 2 * least, "{accepted} {failed} of {cases}");
    assert!(kinds > 0 && written > 0, "{kinds} {written}");
}

#[test]
fn the_messages_of_errors_are_written_in_json_and_to_the_file_of_errors() {
    let text = b"http://a/\xEE\x80\x80\nhttp://a/b|c\nx\nhttp://a:8x/\n";
    let messages = [
        "private-use character U+E000 at byte 9 is not allowed in a path, only in a query; write \
         %EE%80%80",
        "'|' at byte 10 is not allowed in a path; write %7C",
        "'x' at byte 10 is not allowed in a port; write digits alone",
    ];
    for command in ["normalize", "to-uri", "to-iri"] {
        let (json, ..) = tried(&[command, "--json"], text, true);
        let found: Vec<_> = json.json().iter().map(|it| it["error"]["message"].clone()).collect();
        let expected =
            [messages[0].into(), messages[1].into(), serde_json::Value::Null, messages[2].into()];
        assert_eq!((found.as_slice(), json.err.as_str()), (&expected[..], ""), "{command}");
        let (plain, _, errors) = tried(&[command, "--errors", "FILE"], text, true);
        let errors = String::from_utf8(errors.unwrap_or_default()).unwrap_or_default();
        for (line, message) in errors.lines().zip(messages) {
            let object: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
            assert_eq!(object["error"]["message"], message, "{command}");
        }
        assert_eq!((errors.lines().count(), plain.text(), plain.code), (3, "x\n", 1), "{command}");
    }
}
