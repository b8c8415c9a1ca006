//! Runs the program as a shell does, and checks every option, the exit codes, and that no item is lost. The tests of
//! the library check what is valid, and the messages. This file tests the common part of all commands, `check` and
//! `parse`.
#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod archive;
mod bidi;
#[cfg(target_os = "linux")]
mod claims;
mod columnar;
mod counts;
mod dedup;
mod defects;
mod document;
#[cfg(unix)]
mod documents;
mod explain;
mod extract;
#[cfg(target_os = "linux")]
mod faults;
mod file;
mod files;
mod inputs;
mod interpret;
mod judge;
#[cfg(target_os = "linux")]
mod lanes;
mod lint;
mod loss;
mod operations;
mod options;
mod pages;
mod percent;
#[cfg(test)]
#[path = "../../tests/planted.rs"]
mod planted;
mod prepare;
mod program;
mod query_rules;
mod quiet;
mod quoted;
mod recipe;
mod records;
mod redact;
mod secrets;
mod stats;
#[cfg(target_os = "linux")]
mod stress;
#[cfg(target_os = "linux")]
mod tables;
mod template;
mod transform;
mod walk;

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};

/// The result of a run of the program.
struct Run {
    out: Vec<u8>,
    err: String,
    code: i32,
}

impl Run {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    fn lines(&self) -> Vec<&str> {
        self.text().lines().collect()
    }

    fn json(&self) -> Vec<Value> {
        self.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Checks the places in the objects of standard input, and returns the objects without them.
    fn items(&self) -> Vec<Value> {
        let mut objects = self.json();
        for (object, line) in objects.iter_mut().zip(1..) {
            let object = object.as_object_mut().unwrap();
            assert_eq!(object.remove("file").unwrap(), "<stdin>");
            assert_eq!(object.remove("line").unwrap(), line);
        }
        objects
    }
}

fn iri(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_iri"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// [`iri`] that a signal ends. Whoever runs the tests may ignore signals, as `nohup` does, and the program then ignores
/// them, too.
#[cfg(target_os = "linux")]
fn iri_with_signals(args: &[&str]) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_iri")]).args(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Returns how many of a number of random runs are tried: all, or a third if `SIMD_IRI_SAMPLE` asks for a sample.
fn sampled(runs: u64) -> u64 {
    let sample = std::env::var("SIMD_IRI_SAMPLE").map_or(1, |sample| sample.parse().unwrap());
    runs / u64::clamp(sample, 1, 3)
}

/// Runs `iri` with the arguments and gives it the input.
fn run(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    give(iri(args), input)
}

/// [`run`] in a folder.
fn run_in(folder: &Path, args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut command = iri(args);
    command.current_dir(folder);
    give(command, input)
}

/// Runs a command and gives it the input.
fn give(mut command: Command, input: impl AsRef<[u8]>) -> Run {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_ref().to_vec();
    // The program may end before it has read its input.
    let writer = thread::spawn(move || stdin.write_all(&input).is_ok());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    Run { out: output.stdout, err, code: output.status.code().unwrap() }
}

/// A file that is removed at the end of the test.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = std::env::temp_dir().join(format!("iri-{}-{name}", std::process::id()));
        fs::write(&path, content).unwrap();
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        // If the file stays, it does no harm.
        let _ = fs::remove_file(&self.0);
    }
}

/// Returns the lines of a report without their messages.
fn places(run: &Run) -> Vec<&str> {
    run.lines().iter().map(|line| line.split_once(" error: ").unwrap().0).collect()
}

fn sample() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/sample/references.txt")).unwrap()
}

#[test]
fn check_says_where_each_invalid_item_is() {
    let run = run(&["check"], "http://a/\nhttp://a/b|c|\n//a\na:b\n");
    assert_eq!(places(&run), ["<stdin>:2:11:", "<stdin>:3:1:"]);
    assert!(run.text().contains("'|' at byte 10 is not allowed in a path"), "{}", run.text());
    assert_eq!((run.err.as_str(), run.code), ("iri: 4 items, 2 valid, 2 invalid as IRI\n", 1));
}

#[test]
fn check_reports_no_valid_item() {
    let run = run(&["check", "-"], "http://a/");
    assert_eq!(
        (run.text(), run.err.as_str(), run.code),
        ("", "iri: 1 item, 1 valid, 0 invalid as IRI\n", 0)
    );
}

#[test]
fn the_summary_comes_last() {
    let file = TempFile::new("summary", "");
    let out = fs::File::create(file.name()).unwrap();
    let err = out.try_clone().unwrap();
    let status = iri(&["check", "-i|"]).stdout(out).stderr(err).status().unwrap();
    let text = fs::read_to_string(file.name()).unwrap();
    assert!(text.ends_with("\niri: 1 item, 0 valid, 1 invalid as IRI\n"), "{text}");
    assert_eq!(status.code(), Some(1));
}

#[test]
fn check_all_says_where_each_violation_is() {
    let run = run(&["check", "--all"], "a: b|ç ü c\nx:y\n<>");
    let expected = [
        "<stdin>:1:3:",
        "<stdin>:1:5:",
        "<stdin>:1:7:",
        "<stdin>:1:9:",
        "<stdin>:3:1:",
        "<stdin>:3:1:",
        "<stdin>:3:2:",
    ];
    assert_eq!(places(&run), expected, "{}", run.text());
    assert!(run.err.contains("3 items, 1 valid, 2 invalid"));
}

#[test]
fn check_prints_items_byte_for_byte() {
    let input = b"http://a/\r\nb\xFF \r\r\n\nhttp://\xC3\xA7/\r\n";
    let valid = run(&["check", "--valid"], input);
    assert_eq!((valid.out.as_slice(), valid.code), (&b"http://a/\r\nhttp://\xC3\xA7/\r\n"[..], 1));
    let invalid = run(&["check", "--invalid"], input);
    assert_eq!((invalid.out.as_slice(), invalid.code), (&b"b\xFF \r\r\n\n"[..], 1));
    assert_eq!(invalid.err, valid.err);
    assert!(valid.err.contains("4 items, 2 valid, 2 invalid"));
}

#[test]
fn check_counts_items() {
    let run = run(&["check", "--count"], "a:b\nc\n\n");
    assert_eq!(
        (run.text(), run.err.as_str(), run.code),
        ("3 items, 1 valid, 2 invalid as IRI\n", "", 1)
    );
}

#[test]
fn every_kind_is_a_rule() {
    // For each kind, the indices of the items that are valid.
    let input = "a:b#c\na:b\nb#c\nb\nç:b\na:ç#c\na:ç\nç\n";
    let expected = [
        ("iri", "IRI", "1 1 0 0 0 1 1 0"),
        ("iri-reference", "IRI reference", "1 1 1 1 0 1 1 1"),
        ("absolute-iri", "absolute IRI", "0 1 0 0 0 0 1 0"),
        ("irelative-ref", "relative IRI reference", "0 0 1 1 0 0 0 1"),
        ("uri", "URI", "1 1 0 0 0 0 0 0"),
        ("uri-reference", "URI reference", "1 1 1 1 0 0 0 0"),
        ("absolute-uri", "absolute URI", "0 1 0 0 0 0 0 0"),
        ("relative-ref", "relative URI reference", "0 0 1 1 0 0 0 0"),
    ];
    for (kind, name, valid) in expected {
        let objects = run(&["parse", "--json", "--as", kind], input).json();
        let found = objects.iter().map(|object| object["valid"] == true);
        let expected: Vec<_> = valid.split(' ').map(|valid| valid == "1").collect();
        assert_eq!(found.collect::<Vec<_>>(), expected, "{kind}");
        let count = run(&["check", "--count", "--as", kind], input);
        let valid = expected.iter().filter(|valid| **valid).count();
        assert_eq!(
            count.text(),
            format!("8 items, {valid} valid, {} invalid as {name}\n", 8 - valid)
        );
    }
    assert!(run(&["check", "--count"], input).text().contains(" 4 valid"), "iri is for check");
    assert_eq!(
        run(&["parse", "--json"], input).json()[3]["valid"],
        true,
        "iri-reference for parse"
    );
}

#[test]
fn columns_count_characters() {
    let input = "http://é/例え |\nhttp://a/\u{1F600}\u{301}^\n";
    assert_eq!(places(&run(&["check"], input)), ["<stdin>:1:12:", "<stdin>:2:12:"]);
    // An ill-formed sequence counts as one character.
    let run = run(&["check", "--all"], b"a:\xE2\x82\xFFb\xC3\xA7 \n");
    assert_eq!(places(&run), ["<stdin>:1:3:", "<stdin>:1:4:", "<stdin>:1:7:"]);
}

#[test]
fn hidden_characters_are_escaped() {
    let run = run(&["check", "--all"], "a:\u{7}\u{1b}[31m\u{85}\na:\u{202e}\u{e000}\n");
    assert_eq!(run.code, 1);
    let seen = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!run.text().contains(seen), "{:?}", run.text());
    assert_eq!(
        places(&run),
        ["<stdin>:1:3:", "<stdin>:1:4:", "<stdin>:1:5:", "<stdin>:1:9:", "<stdin>:2:4:"]
    );

    let json = self::run(&["parse", "--json"], "a:\u{202e}\na:\u{9f}\u{7f}\n");
    assert!(!json.text().contains(seen), "{:?}", json.text());
    assert_eq!(json.json()[0]["path"], "\u{202e}");
    assert_eq!(json.json()[1]["input"], "a:\u{9f}\u{7f}");
}

#[test]
fn lines_end_in_many_ways() {
    for input in ["a:b\na:c\na:d", "a:b\na:c\na:d\n", "a:b\r\na:c\r\na:d\r\n", "a:b\r\na:c\na:d\r"]
    {
        assert_eq!(run(&["parse", "-g{path}"], input).text(), "b\nc\nd\n", "{input:?}");
    }
    // Of two carriage returns, the first belongs to the item.
    assert_eq!(places(&run(&["check"], "a:b\r\r\n")), ["<stdin>:1:4:"]);
    let empty = run(&["check"], "\n\r\n");
    assert_eq!(places(&empty), ["<stdin>:1:1:", "<stdin>:2:1:"]);
    assert_eq!(run(&["check", "--count"], "").text(), "0 items, 0 valid, 0 invalid as IRI\n");
    assert_eq!(run(&["check"], "").code, 0);
}

#[test]
fn nul_separates_items_in_and_out() {
    let input = "a:b\0a:c\nd\0a:e\r\0\0a:f";
    let run = |args: &[&str]| run(args, input);
    assert_eq!(places(&run(&["check", "-0"])), ["<stdin>:2:4:", "<stdin>:3:4:", "<stdin>:4:1:"]);
    assert_eq!(run(&["check", "--null", "--valid"]).text(), "a:b\0a:f");
    assert_eq!(run(&["check", "-0", "--invalid"]).text(), "a:c\nd\0a:e\r\0\0");
    assert_eq!(run(&["parse", "-0", "-g", "<{path}>"]).text(), "<b>\0<>\0<f>\0");
    // A JSON object has no newline, so each stays on one line.
    let objects = run(&["parse", "-0", "--json"]).json();
    assert_eq!(objects.len(), 5);
    assert_eq!(objects[1]["input"], "a:c\nd");
}

#[test]
fn a_byte_order_mark_is_no_part_of_an_item() {
    let file = TempFile::new("mark", "\u{feff}a: \n\u{feff}a:b\n");
    let name = file.name();
    let run = run(&["check", name, name], "");
    let line = |line, column| format!("{name}:{line}:{column}:");
    assert_eq!(places(&run), [line(1, 3), line(2, 1), line(1, 3), line(2, 1)]);
    assert_eq!(run.err, "iri: 4 items, 0 valid, 4 invalid as IRI\n");
    assert_eq!(self::run(&["parse", "-g{input}"], "\u{feff}a:b").text(), "a:b\n");
    assert_eq!(
        self::run(&["check", "--count"], "\u{feff}").text(),
        "0 items, 0 valid, 0 invalid as IRI\n"
    );
}

#[test]
fn files_are_read_in_turn_and_an_unreadable_file_is_trouble() {
    let good = TempFile::new("good", "a:b\nc\n");
    let empty = TempFile::new("empty", "");
    let (good, empty) = (good.name(), empty.name());
    let missing = format!("{good}-missing");
    let directory = env!("CARGO_MANIFEST_DIR");
    let run = run(&["check", good, &missing, empty, "-", directory, good], "d:\n|");
    let place = format!("{good}:2:1:");
    assert_eq!(places(&run), [place.as_str(), "<stdin>:2:1:", place.as_str()]);
    assert!(run.err.contains(&format!("iri: {missing}: ")), "{}", run.err);
    assert!(run.err.contains(&format!("iri: {directory}: ")), "{}", run.err);
    assert!(run.err.ends_with("6 items, 3 valid, 3 invalid as IRI\n"), "{}", run.err);
    assert_eq!(run.code, 2);
    let parse = self::run(&["parse", "-g{path}", &missing, good], "");
    assert_eq!((parse.text(), parse.code), ("b\nc\n", 2));
}

#[test]
fn items_may_be_arguments() {
    let check = run(&["check", "-i", "a:b", "--item", "", "-i", "--all"], "not read|");
    assert_eq!(places(&check), ["<item>:2:1:", "<item>:3:1:"]);
    let several = run(&["check", "-i", "a:b", "", "c", "--all", "--item=-x", "--as", "iri"], "");
    assert_eq!(places(&several), ["<item>:2:1:", "<item>:3:1:", "<item>:4:1:"]);
    assert_eq!(run(&["parse", "-g{path}", "-i", "-a", "--item", "-b"], "").text(), "-a\n-b\n");
    assert_eq!((check.err.as_str(), check.code), ("iri: 3 items, 1 valid, 2 invalid as IRI\n", 1));
    let parse = run(&["parse", "-0", "-g{path}", "--item=a:b\nc", "-ia:d", "-i", "a:e\r"], "");
    assert_eq!((parse.text(), parse.err.lines().count()), ("d\0", 2));
}

#[test]
#[cfg(unix)]
fn an_argument_is_bytes() {
    use std::os::unix::ffi::OsStrExt;

    let item = std::ffi::OsStr::from_bytes(b"a:\xFF");
    let output = iri(&["parse", "--json", "-i"]).arg(item).output().unwrap();
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["input_base64"], "YTr/");
    assert_eq!(object["error"]["start"], 2);
}

#[test]
fn a_line_may_be_long() {
    // The lengths of lines are near the sizes of reads and buffers; one line has five megabytes.
    let mut lines = Vec::new();
    for length in [1, 5_000_000, 3, (1 << 18) - 10, (1 << 18) - 9, 1 << 16, 1 << 19, 7] {
        lines.push(format!("a:/{}", "é".repeat(length / 2)));
    }
    let input = lines.join("\n");
    let file = TempFile::new("long", &input);
    let run = run(&["check", "--valid", file.name()], "");
    assert!(run.text() == input, "lines changed");
    assert_eq!((run.err.as_str(), run.code), ("iri: 8 items, 8 valid, 0 invalid as IRI\n", 0));

    let broken = format!("{input}|\n").replace("a:/\n", "a:/|\n").replace("é\n", "é \n");
    let columns: Vec<_> = lines.iter().map(|line| line.chars().count() + 1).collect();
    let found = self::run(&["check", "-"], &broken);
    let expected: Vec<_> = columns
        .iter()
        .enumerate()
        .map(|(n, column)| format!("<stdin>:{}:{column}:", n + 1))
        .collect();
    assert_eq!(places(&found), expected);
    assert_eq!(self::run(&["parse", "--json"], &broken).json().len(), 8);
}

#[test]
fn many_violations_in_a_long_line_take_linear_time() {
    let run = run(&["check", "--all"], " ".repeat(300_000));
    let lines = run.lines();
    assert!(lines[lines.len() - 1].starts_with("<stdin>:1:300000: "));
}

#[test]
fn json_is_exact() {
    let run = run(
        &["parse", "--json"],
        b"http://me@[::1]:80/a?q#\n?\n//\xC3\xA7:\nhttp://1.2.3.4\nhttp://[v1.a]/\na|\"\nx:\xFF/\"\n",
    );
    let lines = run.lines();
    let expected = [
        r#"{"file":"<stdin>","line":1,"input":"http://me@[::1]:80/a?q#","valid":true,"scheme":"http","authority":"me@[::1]:80","userinfo":"me","host":"[::1]","host_kind":"ipv6","port":"80","path":"/a","query":"q","fragment":""}"#,
        r#"{"file":"<stdin>","line":2,"input":"?","valid":true,"scheme":null,"authority":null,"userinfo":null,"host":null,"host_kind":null,"port":null,"path":"","query":"","fragment":null}"#,
        r#"{"file":"<stdin>","line":3,"input":"//ç:","valid":true,"scheme":null,"authority":"ç:","userinfo":null,"host":"ç","host_kind":"reg-name","port":"","path":"","query":null,"fragment":null}"#,
        r#"{"file":"<stdin>","line":4,"input":"http://1.2.3.4","valid":true,"scheme":"http","authority":"1.2.3.4","userinfo":null,"host":"1.2.3.4","host_kind":"ipv4","port":null,"path":"","query":null,"fragment":null}"#,
        r#"{"file":"<stdin>","line":5,"input":"http://[v1.a]/","valid":true,"scheme":"http","authority":"[v1.a]","userinfo":null,"host":"[v1.a]","host_kind":"ipvfuture","port":null,"path":"/","query":null,"fragment":null}"#,
    ];
    assert_eq!(lines[..5], expected);
    let objects = run.json();
    let message = &objects[5]["error"]["message"];
    assert!(message.as_str().unwrap().starts_with("'|' at byte 1 "), "{message}");
    let error = json!({"kind": "character-not-allowed", "message": message, "start": 1, "end": 2, "component": "path"});
    assert_eq!(run.items()[5], json!({"input": "a|\"", "valid": false, "error": error}));
    assert!(lines[5].starts_with(
        r#"{"file":"<stdin>","line":6,"input":"a|\"","valid":false,"error":{"kind":"character-not-allowed","message":""#
    ));
    assert!(lines[5].ends_with(r#","start":1,"end":2,"component":"path"}}"#), "{}", lines[5]);
    assert_eq!(objects[6]["input"], "x:\u{fffd}/\"");
    assert_eq!(objects[6]["input_base64"], "eDr/LyI=");
    assert_eq!(objects[6]["error"]["start"], 2);
    assert_eq!((objects.len(), run.err.as_str(), run.code), (7, "", 1));
    assert_eq!(self::run(&["parse", "--json"], "a:b\n\n").code, 0);
}

#[test]
fn templates_choose_components() {
    let all = "{input} {scheme} {authority} {userinfo} {host} {host_kind} {port} {path} {query} {fragment}";
    let text = "a://b@c:1/d?e#f";
    assert_eq!(
        run(&["parse", "-g", all], text).text(),
        "a://b@c:1/d?e#f a b@c:1 b c reg-name 1 /d e f\n"
    );
    assert_eq!(run(&["parse", "--get", "{scheme}|{port}|{query}"], "x?\n").text(), "||\n");
    assert_eq!(run(&["parse", "--get={{{path}}}{{}}"], "x").text(), "{x}{}\n");
    assert_eq!(run(&["parse", "-g", ""], "x\ny").text(), "\n\n");

    let mixed = run(&["parse", "-g{path}"], "x\né |\ny\n");
    assert_eq!((mixed.text(), mixed.code), ("x\ny\n", 1));
    assert!(mixed.err.starts_with("<stdin>:2:2: error: "), "{}", mixed.err);
}

#[test]
fn a_picture_shows_where_components_lie() {
    let run = run(&["parse"], "http://me@例.jp:80/a%20b?q\n\na b\n");
    let expected = "\
http://me@例.jp:80/a%20b?q
┬───   ┬─ ┬──── ┬─┬───── ┬
scheme │  host  │ path   query
       userinfo port
  scheme         0..4  http
  authority     7..19  me@例.jp:80
    userinfo     7..9  me
    host       10..16  例.jp  (a registered name)
    port       17..19  80
  path         19..25  /a%20b
  query        26..27  q


╷
path
  path           0..0  (empty)

<stdin>:3:2: error: ";
    assert!(run.text().starts_with(expected), "{}", run.text());
    assert!(run.text().ends_with("\n  a b\n   ^\n\n"), "{}", run.text());
    assert_eq!((run.err.as_str(), run.code), ("", 1));
}

#[test]
fn the_excerpt_of_a_long_line_is_short() {
    let run = run(&["parse"], format!("{}\u{202e}%zz\t{}", "例".repeat(1000), "b".repeat(1000)));
    let lines = run.lines();
    // Each of these characters takes two cells.
    let cells = |text: &str| text.chars().map(|c| if c == '例' { 2 } else { 1 }).sum::<usize>();
    assert_eq!(cells(lines[1].split_once('%').unwrap().0), lines[2].find('^').unwrap());
    assert!(lines[1].starts_with("  …例") && lines[1].ends_with("b…"), "{}", run.text());
    assert!(lines[1].contains(r"例\u{202e}%zz\u{9}bb"), "{}", run.text());
    assert!(run.text().len() < 400);
}

#[test]
fn wrong_arguments_are_trouble() {
    let wrong: [&[&str]; 11] = [
        &[],
        &["chek"],
        &["check", "--as", "url"],
        &["check", "--all", "--valid"],
        &["check", "--valid", "--invalid"],
        &["check", "--nonsense"],
        &["check", "-", "-i", "a:b"],
        &["check", "-i"],
        &["parse", "--json", "-g", "{host}"],
        &["parse", "-g", "{hots}"],
        &["parse", "-g", "{host"],
    ];
    for args in wrong {
        let run = run(args, "");
        assert_eq!((run.text(), run.code), ("", 2), "{args:?}");
        assert!(!run.err.is_empty(), "{args:?}");
    }
    assert!(run(&["parse", "-g", "{hots}"], "").err.contains("host_kind"), "the names are said");
    for args in [&["--help"][..], &["check", "--help"], &["parse", "-h"], &["--version"]] {
        let run = run(args, "");
        assert_eq!((run.err.as_str(), run.code), ("", 0), "{args:?}");
        assert!(run.text().contains("iri"));
    }
}

#[test]
fn a_closed_output_is_no_trouble() {
    let file = TempFile::new("pipe", "a:b|\n".repeat(200_000));
    // An error before the pipe was closed counts.
    for args in [&["check"][..], &["check", "--invalid"], &["parse", "--json"], &["parse"]] {
        let mut child = iri(args).arg(file.name()).spawn().unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0), "{args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_trouble() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = iri(&["check", "--count"]).stdin(Stdio::null()).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("iri: cannot write: "));
}

#[test]
fn no_item_of_the_sample_is_lost() {
    let sample = sample();
    let items = sample.lines().count();
    let check = run(&["check"], &sample);
    assert_eq!(check.err, format!("iri: {items} items, 14 valid, 9 invalid as IRI\n"));
    assert_eq!(check.lines().len(), 9);
    let valid = run(&["check", "--valid"], &sample);
    let invalid = run(&["check", "--invalid"], &sample);
    let of = |run: &Run| run.lines().iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    let (mut both, mut all) = (
        [of(&valid), of(&invalid)].concat(),
        of(&Run { out: sample.into_bytes(), err: String::new(), code: 0 }),
    );
    both.sort();
    all.sort();
    assert_eq!(both, all);
    let objects = run(&["parse", "--json", "--as=iri"], all.join("\n")).json();
    assert_eq!(
        objects.iter().map(|object| object["input"].as_str().unwrap()).collect::<Vec<_>>(),
        all
    );
}
