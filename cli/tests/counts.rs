//! One law for every format: all commands agree on the number of items. An item is an address, or a record that should
//! have an address and has none that can be read. A record whose address is absent is not an item: `-` of a log, null
//! of JSON and of a column, the graph of a statement that has none, a record about the archive itself.
//!
//! ```text
//! check      items = valid + invalid
//! stats      items = valid + invalid
//! parse      items = objects of --json; lint, too
//! normalize  items = done + failed; done = lines of --to lines = results of --to jsonl; failed = lines of --errors
//! dedup      items = kept + duplicates + failed
//! join       items of A = only in A + in both + failed
//! ```
//!
//! Where a record may have several addresses, `check`, `normalize` and `dedup` count records, which they call
//! statements, and `parse` and `stats` count addresses.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "a failure is a failed test"
)]

use std::fs;

use super::{Run, TempFile, run};

/// What a record holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    Valid,
    /// Its address is not a reference.
    Invalid,
    /// It needs no address.
    Absent,
    /// It should have an address and has none.
    Broken,
    /// It is no record.
    Filler,
}

use Slot::{Absent, Broken, Filler, Invalid, Valid};

/// Returns the text of a record with a number. `None` if the format has no such record.
pub(super) type Write = fn(Slot, usize) -> Option<String>;

fn address(slot: Slot, number: usize) -> String {
    // Some addresses are equivalent.
    let number = number % 5;
    match slot {
        Invalid => format!("http://a{number}/%zz"),
        _ => format!("HTTP://a{number}/?b"),
    }
}

fn of_address(write: impl Fn(String) -> String, slot: Slot, number: usize) -> Option<String> {
    matches!(slot, Valid | Invalid).then(|| write(address(slot, number)))
}

fn lines(slot: Slot, number: usize) -> Option<String> {
    of_address(|address| address + "\r\n", slot, number)
}

fn csv(slot: Slot, number: usize) -> Option<String> {
    match slot {
        Broken => Some(format!("{number}\n")),
        Filler => Some("\n".to_owned()),
        _ => of_address(|address| format!("{number},\"{address}\",\"x\ny\"\n"), slot, number),
    }
}

fn tsv(slot: Slot, number: usize) -> Option<String> {
    of_address(|address| format!("{number}\t{address}\n"), slot, number)
}

fn jsonl(slot: Slot, number: usize) -> Option<String> {
    match slot {
        Absent => Some("{\"u\": null }\n".to_owned()),
        Broken => {
            Some(["{\"u\":1}\n", "{}\n", "[\n", "{\"u\":\"\\ud800\"}\n"][number % 4].to_owned())
        }
        Filler => Some(" \n".to_owned()),
        _ => of_address(|address| format!("{{\"u\":\"{address}\"}}\n"), slot, number),
    }
}

fn cdxj(slot: Slot, number: usize) -> Option<String> {
    match slot {
        Filler => Some("!meta {}\n".to_owned()),
        Broken => Some("a 2020\n".to_owned()),
        Absent => Some("a 2020 {\"url\":null}\n".to_owned()),
        _ => of_address(|address| format!("a 2020 {{\"url\":\"{address}\"}}\n"), slot, number),
    }
}

fn request(slot: Slot, number: usize) -> Option<String> {
    let request = match slot {
        Filler => return Some("\n".to_owned()),
        Absent => ["-", "OPTIONS * HTTP/1.1", "PRI * HTTP/2.0", ""][number % 4].to_owned(),
        Broken => ["GET", "\\x16\\x03\\x01", "GET  HTTP/1.1"][number % 3].to_owned(),
        Valid if number % 3 == 0 => format!("CONNECT a{number}:443 HTTP/1.1"),
        Invalid if number % 3 == 0 => format!("CONNECT a{number}:b HTTP/1.1"),
        _ => format!("GET {} HTTP/1.1", address(slot, number)),
    };
    let end = ["", " \"-\" \"-\"", " \"http://r/\" \"x \\\"y\\\"\" 7"][number % 3];
    Some(format!("::1 - ann [t] \"{request}\" 200 23{end}\n"))
}

fn referer(slot: Slot, number: usize) -> Option<String> {
    match slot {
        Filler => Some("\n".to_owned()),
        Broken => Some("::1 - - [t] \"GET / HTTP/1.1\" 200 23\n".to_owned()),
        Absent => Some("::1 - - [t] \"GET / HTTP/1.1\" 200 23 \"-\" \"-\"\n".to_owned()),
        _ => of_address(
            |address| format!("::1 - - [t] \"GET / HTTP/1.1\" 200 23 \"{address}\" \"-\"\n"),
            slot,
            number,
        ),
    }
}

fn object(slot: Slot, number: usize) -> Option<String> {
    match slot {
        Filler => Some("# <a b>\n".to_owned()),
        Absent => Some("<a:s> <a:p> \"<a:o>\" .\n".to_owned()),
        Broken => Some("<a:s> <a:p>\n".to_owned()),
        _ => of_address(|address| format!("<a:s> <a:p> <{address}> .\n"), slot, number),
    }
}

fn graph(slot: Slot, number: usize) -> Option<String> {
    match slot {
        Filler => Some("\n".to_owned()),
        Absent => Some("<a:s> <a:p> <a:o> .\n".to_owned()),
        Broken => Some("<a:s> <a:p> <a:o> <a:g> <a:h> .\n".to_owned()),
        _ => of_address(|address| format!("<a:s> <a:p> <a:o> <{address}> .\n"), slot, number),
    }
}

fn warc(slot: Slot, number: usize) -> Option<String> {
    let kind = ["request", "response"][number % 2];
    match slot {
        Absent => {
            Some("WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 1\r\n\r\nx\r\n\r\n".to_owned())
        }
        _ => of_address(
            |address| {
                let header = format!("WARC-Type: {kind}\r\nWARC-Target-URI: {address}");
                format!("WARC/1.1\r\n{header}\r\nContent-Length: 2\r\n\r\n\r\n\r\n\r\n")
            },
            slot,
            number,
        ),
    }
}

fn sitemap(slot: Slot, number: usize) -> Option<String> {
    of_address(|address| format!("<url><loc>{address}</loc></url>\n"), slot, number)
}

fn html(slot: Slot, number: usize) -> Option<String> {
    (slot == Valid).then(|| format!("<p><a href='{}'>x</a>\n", address(slot, number)))
}

fn markdown(slot: Slot, number: usize) -> Option<String> {
    (slot == Valid).then(|| format!("[x]({})\n\n", address(slot, number)))
}

/// Each format: its arguments, the text before its records, a record, and the text after them.
pub(super) const FORMATS: [(&[&str], &str, Write, &str); 13] = [
    (&["--from", "lines"], "", lines, ""),
    (&["--from", "csv", "--field", "u"], "id,u,x\n", csv, ""),
    (&["--from", "tsv", "--field", "2"], "id\tu\n", tsv, ""),
    (&["--from", "jsonl", "--field", "/u"], "", jsonl, ""),
    (&["--from", "cdxj"], "", cdxj, ""),
    (&["--from", "log"], "", request, ""),
    (&["--from", "log", "--field", "referer"], "", referer, ""),
    (&["--from", "nt", "--field", "o"], "", object, ""),
    (&["--from", "nq", "--field", "g"], "", graph, ""),
    (&["--from", "warc"], "", warc, ""),
    (&["--from", "sitemap"], "<urlset>", sitemap, "</urlset>"),
    (&["--from", "html"], "", html, ""),
    (&["--from", "markdown"], "", markdown, ""),
];

/// The same numbers in every run, without a pattern.
pub(super) fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// Returns the number before a word of a text.
fn before(text: &str, word: &str) -> usize {
    let at = text.find(word).unwrap_or_else(|| panic!("{word}: {text}"));
    let number = text[..at].trim_end().rsplit(|c: char| !c.is_ascii_digit()).next().unwrap();
    number.parse().unwrap_or_else(|_| panic!("{word}: {text}"))
}

/// Returns the last line of standard error, which is the summary.
fn summary(run: &Run) -> &str {
    run.err.lines().last().unwrap_or_else(|| panic!("no summary, {}", run.code))
}

/// The numbers of items of each command, which must be the same.
fn counts(with: impl Fn(&[&str]) -> Run) -> Vec<(&'static str, usize)> {
    let checked = with(&["check", "--as", "iri-reference", "--count"]);
    let check = before(checked.text(), "item");
    assert_eq!(check, before(checked.text(), " valid") + before(checked.text(), " invalid"));
    let stats = with(&["stats", "--json"]).json().remove(0);
    let number = |name: &str| stats[name].as_u64().unwrap() as usize;
    assert_eq!(number("items"), number("valid") + number("invalid"));
    let deduped = with(&["dedup"]);
    let dedup = before(summary(&deduped), "item");
    let parts = [" kept", " duplicate", " failed"].map(|word| before(summary(&deduped), word));
    assert_eq!(dedup, parts.iter().sum::<usize>(), "{}", summary(&deduped));
    vec![
        ("check", check),
        ("stats", number("items")),
        ("dedup", dedup),
        ("parse", with(&["parse", "--json"]).lines().len()),
        ("lint", with(&["lint", "--json"]).lines().len()),
        ("normalize --json", with(&["normalize", "--json"]).lines().len()),
    ]
}

#[test]
fn all_commands_agree_on_the_number_of_items() {
    let mut state = 7;
    for round in 0..6 {
        for (args, head, write, tail) in FORMATS {
            let (mut text, mut items, mut made) = (head.to_owned(), 0, 0);
            let length = [0, 1, 2, 7, 40, 300][round];
            for number in 0..length {
                let slot = [Valid, Valid, Invalid, Absent, Broken, Filler][random(&mut state) % 6];
                let Some(record) = write(slot, random(&mut state)) else { continue };
                text += &record;
                made += usize::from(slot == Valid);
                items += usize::from(matches!(slot, Valid | Invalid | Broken));
                assert!(number < length);
            }
            text += tail;
            let with = |command: &[&str]| run(&[command, args].concat(), &text);
            for (command, count) in counts(with) {
                assert_eq!(count, items, "{command} {args:?} {text}");
            }
            let errors = TempFile::new("counts-errors.jsonl", "");
            let normal = with(&["normalize", "-v", "--errors", errors.name()]);
            let said = summary(&normal);
            let numbers = ["item", " done", " failed"].map(|word| before(said, word));
            assert_eq!(numbers, [items, made, items - made], "{args:?} {said} {text}");
            let set_aside = fs::read_to_string(errors.name()).unwrap();
            assert_eq!(set_aside.lines().count(), items - made, "{args:?} {text}");
            let results = with(&["normalize", "-q", "--to", "lines"]);
            assert_eq!(results.lines().len(), made, "{args:?} {text}");
            let check = ["check", "--as", "iri-reference"];
            let valid = with(&[&check[..], &["--valid", "-q", "--errors", errors.name()]].concat());
            assert_eq!((&*valid.err, valid.code), ("", i32::from(made < items)), "{args:?} {text}");
            let set_aside = fs::read_to_string(errors.name()).unwrap();
            assert_eq!(set_aside.lines().count(), items - made, "{args:?} {text}");
            let objects = with(&[&check[..], &["--json"]].concat());
            assert_eq!(objects.json().len(), items - made, "{args:?} {text}");
            for command in [&check[..], &["normalize"], &["dedup"], &["parse", "--json"]] {
                of_json(command, with, [items, made], (args, &text));
            }
            // What is kept in the output is set aside all the same.
            for command in ["normalize", "dedup"] {
                let kept = with(&[command, "-q", "--keep", "input"]);
                let both = with(&[command, "-q", "--keep", "input", "--errors", errors.name()]);
                assert_eq!(
                    (both.out, both.code),
                    (kept.out, kept.code),
                    "{command} {args:?} {text}"
                );
                let set_aside = fs::read_to_string(errors.name()).unwrap();
                assert_eq!(set_aside.lines().count(), items - made, "{command} {args:?} {text}");
            }
            // In another format too, each record that fails has a row if it is kept.
            for to in ["lines", "jsonl"] {
                let convert =
                    |keep: &[&str]| with(&[&["normalize", "-q", "--to", to], keep].concat());
                if convert(&[]).err.contains("the first record is not a JSON object") {
                    continue;
                }
                let rows = |keep: &[&str]| convert(keep).lines().len();
                for keep in ["input", "empty"] {
                    let more = rows(&["--keep", keep]) - rows(&[]);
                    assert_eq!(more, items - made, "{to} {keep} {args:?} {text}");
                }
            }
            let joined = with_two(args, &text);
            let numbers = [" only in A", " in both", " failed;"].map(|word| before(&joined, word));
            assert_eq!(numbers.iter().sum::<usize>(), items, "{args:?} {joined} {text}");
        }
    }
}

/// The summary as JSON has the counts of the summary in words, and the kinds of the errors. With `-q`, it is alone.
fn of_json(
    command: &[&str],
    with: impl Fn(&[&str]) -> Run,
    [items, made]: [usize; 2],
    (args, text): (&[&str], &str),
) {
    let ended = with(&[command, &["-q", "--summary", "json"]].concat());
    let Ok(summary) = serde_json::from_str::<serde_json::Value>(&ended.err) else {
        panic!("{command:?} {args:?} {text}: {}", ended.err);
    };
    let number = |name: &str| summary[name].as_u64().map(|count| count as usize);
    assert_eq!(number("items"), Some(items), "{command:?} {args:?} {text}");
    let failed = number("failed").or(number("invalid"));
    assert_eq!(failed, Some(items - made), "{command:?} {args:?} {text}");
    let kinds = summary["kinds"].as_object().unwrap();
    let of_kinds: u64 = kinds.values().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(of_kinds as usize, items - made, "{command:?} {args:?} {text}");
    assert_eq!(summary["complete"], true);
    let words = with(&[command, &["-q", "-v"]].concat());
    assert!(words.err.lines().count() == 1 && before(&words.err, "item") == items);
    assert_eq!(words.out, ended.out);
}

/// A limit stops each command exactly, wherever it is reached: with a separator after the last line or without it.
#[test]
fn a_limit_counts_the_lines_before_it() {
    let mut runs = 0;
    for (length, kinds) in (1..5).flat_map(|length| (0..1 << length).map(move |k| (length, k))) {
        let is_bad = |line: usize| kinds >> line & 1 == 1;
        // A line that stays as it is, a line that changes, and a line that fails.
        let lines = (0..length).map(|line| match (is_bad(line), line % 2) {
            (true, _) => "a b",
            (false, 0) => "http://a/",
            (false, _) => "HTTP://a/%c3%a9",
        });
        let lines = lines.collect::<Vec<_>>().join("\n");
        for text in [format!("{lines}\n"), lines] {
            for (most, limit) in [(1, &["--fail-fast"][..]), (2, &["--max-errors", "2"])] {
                let last = (0..length).filter(|line| is_bad(*line)).nth(most - 1);
                let items = last.map_or(length, |line| line + 1);
                for command in ["normalize", "to-uri", "to-iri", "check"] {
                    let ended = run(&[&[command, "-v"], limit].concat(), &text);
                    assert_eq!(
                        before(summary(&ended), "item"),
                        items,
                        "{command} {limit:?} {text:?}"
                    );
                    runs += 1;
                }
            }
        }
    }
    assert_eq!(runs, 30 * 2 * 2 * 4);
}

/// A limit stops a check exactly, whatever the format and the number of threads, and the file of the errors has them.
#[test]
fn a_check_stops_after_its_limit() {
    let text: String = (0..40_000)
        .map(|number| format!("http://a{number}/{}\n", if number % 100 == 7 { "%zz" } else { "" }))
        .collect();
    for jobs in ["1", "4"] {
        for (most, limit) in [(1, &["--fail-fast"][..]), (3, &["--max-errors", "3"])] {
            let errors = TempFile::new("counts-limit.jsonl", "");
            let set_aside = ["--valid", "-o", "-", "--errors", errors.name()];
            for options in [&["--json"][..], &[], &set_aside] {
                let ended = run(&[&["check", "-j", jobs], limit, options].concat(), &text);
                let items = (most - 1) * 100 + 8;
                // A named output is not complete if the run stops early.
                let code = if options == set_aside { 2 } else { 1 };
                assert_eq!(ended.code, code, "{limit:?} {options:?} {}", ended.err);
                match options {
                    ["--json"] => assert_eq!(ended.json().len(), most),
                    [] => {
                        assert_eq!(ended.lines().len(), most);
                        assert_eq!(before(summary(&ended), "item"), items);
                    }
                    _ => {
                        assert_eq!(ended.lines().len(), items - most);
                        let partial = format!("{}.partial", errors.name());
                        let made = fs::read_to_string(&partial).unwrap();
                        fs::remove_file(partial).unwrap();
                        assert_eq!(made.lines().count(), most);
                    }
                }
            }
        }
    }
}

/// A document that is cut anywhere has the same items for all commands, and a check of it fails if it reports an error.
#[test]
fn a_document_that_is_cut_has_the_same_items() {
    let sitemap = "<?xml version=\"1.0\"?><urlset><url><loc>http://a/&amp;</loc></url><!-- c --><url>\
                   <loc><![CDATA[http://b/%zz]]></loc></url><url><loc>HTTP://a/?b</loc></url></urlset>";
    let html =
        "<p><a href='http://a/&amp;'>x</a><img src=http://b/%zz><a href=\"HTTP://a/?b\">y</a></p>";
    let markdown = "[x](http://a/) <http://b/%zz>\n\n[y]: HTTP://a/?b\n[y]";
    let mut failures = 0;
    for (from, text) in [("sitemap", sitemap), ("html", html), ("markdown", markdown)] {
        for end in (0..=text.len()).step_by(3) {
            let with = |command: &[&str]| run(&[command, &["--from", from]].concat(), &text[..end]);
            let all = counts(with);
            assert!(all.iter().all(|(_, count)| *count == all[0].1), "{from} {end}: {all:?}");
            let check = ["check", "--as", "iri-reference"];
            let reported = with(&check);
            assert_eq!(reported.code, i32::from(!reported.out.is_empty()), "{from} {end}");
            failures += reported.code;
            let errors = TempFile::new("counts-cut.jsonl", "");
            let aside = with(&[&check[..], &["--errors", errors.name()]].concat());
            let set_aside = fs::read_to_string(errors.name()).unwrap();
            assert_eq!(set_aside.lines().count(), reported.lines().len(), "{from} {end}");
            assert_eq!(aside.code, reported.code);
            let limited = with(&[&check[..], &["--fail-fast"]].concat());
            assert_eq!(limited.lines().len(), reported.lines().len().min(1), "{from} {end}");
        }
    }
    assert!(failures > 20, "{failures}");
}

#[test]
fn a_command_without_a_summary_says_so() {
    let found = run(&["stats", "--summary", "json"], "a:b\n");
    assert!(found.code == 2 && found.err.contains("iri check --summary json"), "{}", found.err);
}

/// Returns the summary of a join of a text with an address.
fn with_two(args: &[&str], text: &str) -> String {
    let b = TempFile::new("counts-b.txt", "http://a1/?b\n");
    let ways = ["join", "--only-a", "-", b.name(), "--from-b", "lines"];
    summary(&run(&[&ways, args].concat(), text)).to_owned()
}

/// An absent address stays absent in every format that knows it, and never becomes an address.
#[test]
fn an_absent_address_stays_absent() {
    let log = "::1 - - [t] \"GET /a HTTP/1.1\" 200 1\n::1 - - [t] \"-\" 408 0\n\
               ::1 - - [t] \"OPTIONS * HTTP/1.1\" 200 1\n";
    let args = ["normalize", "-v", "--from", "log", "--to"];
    let found = run(&[&args[..], &["jsonl"]].concat(), log);
    assert_eq!(found.err, "iri: <stdin>: read as log\niri: 1 item, 1 done, 0 failed\n");
    let results: Vec<_> = found.json().iter().map(|object| object["iri"].clone()).collect();
    assert_eq!(
        results,
        [serde_json::json!("/a"), serde_json::Value::Null, serde_json::Value::Null]
    );
    let again = run(
        &["check", "--from", "jsonl", "--field", "/iri", "--as", "iri-reference", "--count"],
        &found.out,
    );
    assert_eq!(again.text(), "1 item, 1 valid, 0 invalid as IRI reference\n");
    let lines = run(&[&args[..], &["lines"]].concat(), log);
    assert_eq!(lines.text(), "/a\n");
    // A table has every record, and a cell without text.
    let table = run(&[&args[..], &["csv"]].concat(), log);
    let cells: Vec<_> = table.lines().iter().map(|line| line.rsplit(',').next().unwrap()).collect();
    assert_eq!(cells, ["iri", "/a", "", ""]);
}

/// Nulls of columns are no items, and records of other formats without an address become nulls.
#[cfg(feature = "columnar")]
#[test]
fn nulls_of_columns_are_no_items() {
    let mut state = 11;
    for to in ["parquet", "arrow"] {
        for length in [1, 30, 9000] {
            let mut text = String::new();
            let (mut items, mut valid) = (0, 0);
            for number in 0..length {
                let slot = [Valid, Invalid, Absent][random(&mut state) % 3];
                text += &jsonl(slot, number).unwrap();
                items += usize::from(slot != Absent);
                valid += usize::from(slot == Valid);
            }
            let file = TempFile::new(&format!("counts.{to}"), "");
            // An invalid address stays as it is.
            let way = ["normalize", "-q", "--keep", "input", "--from", "jsonl", "--field", "/u"];
            let made = run(&[&way[..], &["--to", to, "-o", file.name()]].concat(), &text);
            assert!(made.code < 2, "{}", made.err);
            let with =
                |command: &[&str]| run(&[command, &["--field", "u", file.name()]].concat(), "");
            let to_lines = with(&["normalize", "-q", "--to", "lines"]);
            assert_eq!(to_lines.lines().len(), valid);
            let normal = TempFile::new(&format!("counts-normal.{to}"), "");
            let said = with(&["normalize", "-v", "-o", normal.name()]);
            let numbers = ["item", " done", " failed"].map(|word| before(summary(&said), word));
            assert_eq!(numbers, [items, valid, items - valid]);
            for command in [&["check", "--count"][..], &["stats", "--json"], &["parse", "--json"]] {
                let found = with(command);
                let count = match command[0] {
                    "check" => before(found.text(), "item"),
                    "stats" => found.json()[0]["items"].as_u64().unwrap() as usize,
                    _ => found.lines().len(),
                };
                assert_eq!(count, items, "{command:?} {to}");
            }
        }
    }
}

/// Statements have several addresses: what is counted has another name.
#[test]
fn statements_are_counted_as_statements() {
    let text = "# c\n<a:s> <a:p> <a:o> .\n<a:s> <a:p> \"x\" .\n<a:s> <a:%> <a:o> .\n<a:s>\n";
    for from in ["nt", "nq"] {
        let with = |command: &[&str]| run(&[command, &["--from", from]].concat(), text);
        let checked = with(&["check", "--count"]);
        assert_eq!(checked.text(), "4 statements, 2 valid, 2 invalid as IRI\n");
        let normal = with(&["normalize", "-v"]);
        assert_eq!(summary(&normal), "iri: 4 statements, 2 done, 2 failed");
        let deduped = with(&["dedup"]);
        assert_eq!(summary(&deduped), "iri: 4 statements, 2 kept, 0 duplicates, 2 failed");
        // Eight addresses, and a statement without an end.
        assert_eq!(with(&["parse", "--json"]).lines().len(), 9);
        assert_eq!(with(&["stats", "--json"]).json()[0]["items"], 9);
    }
}

/// A run that would replace a file says why it stopped, as the run that replaces it.
#[test]
fn a_dry_run_says_why_it_stopped() {
    let file = TempFile::new("counts-dry", "a:b\n|\n|\nc:d\n");
    for (limit, end) in [
        (&["--fail-fast"][..], "; stopped at the first error\n"),
        (&["--max-errors", "2"], "; stopped after 2 that failed\n"),
        (&["--max-errors", "3"], "2 failed\n"),
    ] {
        for dry in [&["--dry-run"][..], &[]] {
            let args = [&["normalize", "--in-place", file.name()], limit, dry].concat();
            let found = run(&args, "");
            assert!(found.err.ends_with(end), "{args:?} {}", found.err);
        }
    }
}
