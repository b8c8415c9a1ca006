//! Laws on several files, which threads read at once: what is printed, and where, does not depend on the number of
//! threads. The files are compressed or not, short or longer than the memory for results, empty, cut off, or missing.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::faults::dice::Dice;
use super::{TempFile, give, iri, run};

/// Commands that read the lines or rows of many files. The last are those whose results depend on the order of all files.
const COMMANDS: [&[&str]; 18] = [
    &["check"],
    &["check", "--count"],
    &["check", "--json"],
    &["check", "--valid"],
    &["check", "--max-errors", "3"],
    &["normalize"],
    &["normalize", "--keep", "input"],
    &["normalize", "--json"],
    &["to-uri", "-v"],
    &["parse", "--json"],
    &["lint"],
    &["redact"],
    &["stats"],
    &["normalize", "--to", "jsonl"],
    &["extract"],
    &["extract", "--unique"],
    &["dedup"],
    &["dedup", "--count"],
];

/// Lines, some of which fail, change, or are in several files.
fn lines(dice: &mut Dice) -> String {
    let count = *dice.pick(&[0, 1, 2, 60, 6_000, 60_000]);
    let mut text = String::new();
    // Most lines of a file that is read as lines, but is not, fail.
    let is_strange = dice.one_in(6);
    for _ in 0..count {
        let number = dice.below(1 << 20);
        match dice.below(40) {
            _ if is_strange => text += &format!("{{\"url\":\"http://a.example/{number}\"}}\n"),
            0 => text += "http://a.example/|\n",
            1 => text += "HTTP://A.example/%7e\n",
            2 => text += "\n",
            3 => text += "http://é.example/é?token=secret\n",
            _ => text += &format!("http://a.example/{number}\n"),
        }
    }
    if dice.one_in(3) {
        text.truncate(text.trim_end().len());
    }
    text
}

/// A file and its bytes; `None` if the file is missing.
fn file(dice: &mut Dice, round: usize, number: usize, header: &str) -> (String, Option<Vec<u8>>) {
    let mark = if dice.one_in(4) { "\u{FEFF}" } else { "" };
    let header = if dice.one_in(12) { "other\n" } else { header };
    let text = [mark, header, &lines(dice)].concat();
    let name = format!("lanes-{round}-{number}");
    match dice.below(12) {
        0 => (name, None),
        1..4 => (name, Some(text.into())),
        kind => {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all(text.as_bytes()).unwrap();
            let mut bytes = gzip.finish().unwrap();
            if kind == 4 {
                bytes.truncate(bytes.len() / 2);
            }
            (name + ".gz", Some(bytes))
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let dice = &mut Dice::new(3987);
    let (mut outputs, mut failures) = (0, 0);
    for round in 0..36 {
        let command = COMMANDS[round % COMMANDS.len()];
        let is_text = command[0] == "extract";
        let is_csv = !is_text && dice.one_in(2);
        let header = if is_csv { "url\n" } else { "" };
        let count = 1 + dice.below(9);
        let mut files = Vec::new();
        for number in 0..count {
            let (name, bytes) = file(dice, round, number, header);
            let file = TempFile::new(&name, bytes.as_deref().unwrap_or_default());
            if bytes.is_none() {
                fs::remove_file(file.name()).unwrap();
            }
            files.push(file);
        }
        let mut args = command.to_vec();
        if is_csv {
            args.extend(["--from", "csv", "--field", "1"]);
        }
        let aside = TempFile::new(&format!("lanes-{round}-aside"), "");
        if command[0] == "normalize" && !command.contains(&"--json") && dice.one_in(2) {
            args.extend(["--errors", aside.name()]);
        }
        args.extend(files.iter().map(TempFile::name));
        // The same file twice.
        args.extend(files.first().map(TempFile::name).filter(|_| dice.one_in(3)));
        let result = |jobs: &str| {
            let found = run(&[&args[..], &["-j", jobs]].concat(), "");
            (found.out, found.err, found.code, fs::read(aside.name()).unwrap())
        };
        let expected = result("1");
        outputs += expected.0.len();
        failures += usize::from(expected.2 != 0);
        for jobs in ["2", "3", "8", "8"] {
            let found = result(jobs);
            assert!(found.0 == expected.0, "the output of {args:?} with {jobs} threads");
            assert!(found.1 == expected.1, "{args:?} {jobs}\n{}\n{}", found.1, expected.1);
            assert!(found.2 == expected.2 && found.3 == expected.3, "{args:?} {jobs}");
        }
    }
    assert!(outputs > 10 << 20 && failures > 10, "{outputs} {failures}");
}

/// Without a place for temporary files, the workers of later files wait, and the output is the same; without an order, it has
/// the same lines.
#[test]
fn no_record_is_lost() {
    let dice = &mut Dice::new(1952);
    let files: Vec<_> = (0..5)
        .map(|number| {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            let text = (0..60_000).map(|_| format!("HTTP://a.example/{}\n", dice.below(1 << 20)));
            gzip.write_all(text.collect::<String>().as_bytes()).unwrap();
            TempFile::new(&format!("lanes-full-{number}.gz"), gzip.finish().unwrap())
        })
        .collect();
    let args: Vec<_> = ["normalize"].into_iter().chain(files.iter().map(TempFile::name)).collect();
    let expected = run(&[&args[..], &["-j", "1"]].concat(), "");
    assert_eq!((expected.code, expected.err.as_str()), (0, ""));
    for jobs in ["2", "3", "8"] {
        let mut command = iri(&[&args[..], &["-j", jobs]].concat());
        command.env("TMPDIR", "/nonexistent");
        let found = give(command, "");
        assert_eq!((found.code, found.err.as_str()), (0, ""), "{jobs}");
        assert!(found.out == expected.out, "{jobs}");
    }
    // Without an order, the lines are the same.
    let sorted = |text: &[u8]| {
        let mut lines: Vec<_> = text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        lines.sort_unstable();
        lines
    };
    let lines = sorted(&expected.out);
    for round in 0..12 {
        let found = run(&[&args[..], &["-j", "8", "--unordered"]].concat(), "");
        assert_eq!((found.code, found.err.as_str()), (0, ""), "{round}");
        assert!(sorted(&found.out) == lines, "{round}");
    }
    // A compressed output is the same, byte by byte.
    let packed = |jobs: &str| {
        let out = TempFile::new("lanes-packed.gz", "");
        let found = run(&[&args[..], &["-j", jobs, "-o", out.name()]].concat(), "");
        assert_eq!((found.code, found.err.as_str()), (0, ""), "{jobs}");
        fs::read(out.name()).unwrap()
    };
    let expected = packed("1");
    for jobs in ["2", "8"] {
        assert!(packed(jobs) == expected, "{jobs}");
    }
}
