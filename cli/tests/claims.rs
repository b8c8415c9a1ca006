//! Laws on large plain files, parts of which are read at once: the results are those of the same bytes from a pipe, which one
//! reader reads in order. The files have records that are longer than a part, quotes over several parts, and quotes that are
//! never closed.

use std::fs;
use std::io::Write;

use super::faults::dice::Dice;
use super::{TempFile, iri, run};

/// Commands that read lines; all but the last read CSV, too.
const COMMANDS: [&[&str]; 13] = [
    &["check"],
    &["check", "--count"],
    &["check", "--json"],
    &["check", "--max-errors", "40"],
    &["normalize"],
    &["normalize", "--keep", "input"],
    &["normalize", "--json"],
    &["to-uri"],
    &["parse", "--json"],
    &["lint"],
    &["redact"],
    &["dedup"],
    &["extract"],
];

/// A text of some addresses, most of which are usual.
fn address(dice: &mut Dice, most: usize) -> String {
    let number = dice.below(1 << 24);
    match dice.below(900) {
        0 => format!("http://a.example/{}", "x".repeat(dice.below(most))),
        1..10 => "http://a.example/|".to_owned(),
        10..20 => format!("HTTP://A.example/%7e{number}"),
        20..25 => String::new(),
        25..30 => format!("http://é.example/é?password=secret{number}"),
        _ => format!("http://a.example/a/path/of/some/length/{number}?with=a&query=of#it"),
    }
}

/// A line, or a row of CSV whose second column has the address.
fn record(dice: &mut Dice, is_csv: bool, most: usize) -> String {
    let address = address(dice, most);
    if !is_csv {
        return address;
    }
    let field = match dice.below(8) {
        0..4 => format!("\"{address}\""),
        4 => format!("\"{address}\n\n,\"\"\n\""),
        _ => address,
    };
    let other = match dice.below(400) {
        // A quote that is text, and a quote that nothing closes until the next.
        0 => "a\"b",
        1 if most > 1 << 19 => "\"",
        2..90 => "\"a\n\n\nb\"",
        _ => "a",
    };
    format!("{other},{field}")
}

#[test]
fn a_file_is_read_as_a_pipe_is() {
    let dice = &mut Dice::new(4180);
    let (mut outputs, mut failures, mut rounds) = (0, 0, 0);
    for round in 0..39 {
        let command = COMMANDS[round % COMMANDS.len()];
        let is_csv = command[0] != "extract" && dice.one_in(2);
        let most = *dice.pick(&[100, 1 << 18, 1 << 20]);
        let size = 600_000 + dice.below(1 << 20);
        let mut text = if is_csv { "a,url\n".to_owned() } else { String::new() };
        while text.len() < size {
            text += &record(dice, is_csv, most);
            text += if dice.one_in(60) && !is_csv { "\r\n" } else { "\n" };
        }
        // A file that ends within a record, and blank lines at its start.
        text.truncate(text.len() - dice.below(2));
        let text =
            if dice.one_in(4) && !is_csv { "\n".repeat(dice.below(9)) + &text } else { text };
        let file = TempFile::new("claims", &text);
        let aside = TempFile::new("claims-aside", "");
        let mut args = command.to_vec();
        if is_csv {
            args.extend(["--from", "csv", "--field", "url"]);
        }
        if dice.one_in(2) {
            args.extend(["--max-record", *dice.pick(&["300000", "18446744073709551615"])]);
        }
        let can_set_aside = ["to-uri", "normalize"].contains(&command[0]) && command.len() == 1;
        if can_set_aside && dice.one_in(2) {
            args.extend(["--errors", aside.name()]);
        }
        let result = |args: &[&str], input: &str| {
            let found = run(args, input);
            let name = |text: &str| text.replace(file.name(), "<stdin>");
            let out = name(&String::from_utf8(found.out).unwrap());
            let aside = String::from_utf8(fs::read(aside.name()).unwrap()).unwrap();
            (out, name(&found.err), found.code, name(&aside))
        };
        let expected = result(&[&args[..], &["-j", "1", "-"]].concat(), &text);
        outputs += expected.0.len();
        failures += usize::from(expected.2 != 0);
        for jobs in ["1", "2", "8"] {
            let found = result(&[&args[..], &["-j", jobs, file.name()]].concat(), "");
            assert!(found.0 == expected.0, "the output of {args:?} with {jobs} threads, {round}");
            assert!(found.1 == expected.1, "{args:?} {jobs}\n{}\n{}", found.1, expected.1);
            assert!(found.2 == expected.2 && found.3 == expected.3, "{args:?} {jobs} {round}");
            rounds += 1;
        }
    }
    assert!(outputs > 10 << 20 && failures > 20 && rounds == 117, "{outputs} {failures}");
}

/// Whoever appends to a file that is read adds whole records; whoever cuts it off makes the input incomplete.
#[test]
fn a_file_that_changes_while_it_is_read_is_not_misread() {
    const LINE: &str = "http://a.example/a/path/of/some/length?with=a&query=of#it\n";
    let changed = |jobs: &str, change: &dyn Fn(&mut fs::File)| {
        let file = TempFile::new("claims-changed", LINE.repeat(400_000));
        let mut child = iri(&["normalize", "-j", jobs, file.name()]).spawn().unwrap();
        drop(child.stdin.take());
        // The output is a pipe that nobody reads, so the program stops in the middle of the file.
        std::thread::sleep(std::time::Duration::from_millis(200));
        change(&mut fs::OpenOptions::new().append(true).open(file.name()).unwrap());
        let found = child.wait_with_output().unwrap();
        let out = String::from_utf8(found.stdout).unwrap();
        assert!(out.lines().all(|found| found == LINE.trim_end()), "{jobs}");
        (out.lines().count(), found.status.code(), String::from_utf8(found.stderr).unwrap())
    };
    for jobs in ["1", "2", "8"] {
        let (lines, code, err) = changed(jobs, &|file| file.set_len(1 << 20).unwrap());
        assert!(lines < 400_000 && code == Some(2), "{jobs} {lines} {err}");
        assert!(err.contains("has become shorter while it was read"), "{jobs} {err}");
        assert_eq!(err.matches("shorter").count(), 1, "{jobs} {err}");
        let more = |file: &mut fs::File| file.write_all(LINE.repeat(9_000).as_bytes()).unwrap();
        assert_eq!(changed(jobs, &more), (409_000, Some(0), String::new()), "{jobs}");
    }
}
