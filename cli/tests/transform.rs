//! The commands that make one result of each item: checks the output for each item, its order, and that
//! no item is lost. The cases of the library hold the expected results.

use std::fs::{self, File};
use std::io::{Read, Write};
#[cfg(unix)]
use std::{path::Path, process::Command};

use serde_json::{Value, json};

use super::{Run, TempFile, iri, run};

/// Returns the places and the messages of the reports on standard error, without the summary.
fn reports(run: &Run) -> Vec<(&str, &str)> {
    run.err.lines().filter_map(|line| line.split_once(": error: ")).collect()
}

/// Returns the cases of resolution in one mode: base, reference, and the expected target.
fn cases(mode: &str) -> Vec<[String; 3]> {
    let read = |name| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../conformance/cases/");
        fs::read_to_string(format!("{folder}{name}.jsonl")).unwrap()
    };
    let text: String = [
        "rfc3986/resolve/normal",
        "rfc3986/resolve/abnormal",
        "rfc3986/resolve/own",
        "generated/resolve",
    ]
    .map(read)
    .concat();
    let cases = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let field = |case: &Value, name| case[name].as_str().unwrap().to_owned();
    let of_mode = cases.filter(|case| case["mode"] == mode);
    of_mode.map(|case| ["base", "reference", "expected"].map(|name| field(&case, name))).collect()
}

fn pairs(cases: &[[String; 3]]) -> String {
    cases.iter().map(|[base, reference, _]| format!("{base}\t{reference}\n")).collect()
}

#[test]
fn resolution_is_that_of_the_cases() {
    for (mode, lenient) in [("strict", &[][..]), ("lenient", &["--lenient"])] {
        let cases = cases(mode);
        assert!(!cases.is_empty(), "{mode}");
        let input = pairs(&cases);
        let lines = run(&[&["resolve", "--pairs"], lenient].concat(), &input);
        let expected: String = cases.iter().map(|[.., expected]| format!("{expected}\n")).collect();
        assert_eq!((lines.text(), lines.err.as_str(), lines.code), (expected.as_str(), "", 0));

        let objects = run(&[&["resolve", "--pairs", "--json"], lenient].concat(), &input).items();
        let expected: Vec<_> = cases
            .iter()
            .map(|[base, reference, expected]| {
                json!({"base": base, "reference": reference, "output": expected})
            })
            .collect();
        assert_eq!(objects, expected);

        for [base, reference, expected] in &cases {
            let item = format!("--item={reference}");
            let run = run(&[&["resolve", "--base", base, &item], lenient].concat(), "");
            assert_eq!((run.text().trim_end_matches('\n'), run.code), (expected.as_str(), 0));
        }
    }
}

#[test]
fn a_relative_reference_resolves_to_the_target() {
    let cases = cases("strict");
    let targets: String =
        cases.iter().map(|[base, _, target]| format!("{base}\t{target}\n")).collect();
    for forms in [&[][..], &["--no-network-path"], &["--no-absolute-path", "--no-network-path"]] {
        let args = [&["relativize", "--pairs", "--json"], forms].concat();
        let mut back = String::new();
        let mut expected = String::new();
        for object in run(&args, &targets).json() {
            let (base, target) = (&object["base"], object["reference"].as_str().unwrap());
            let Some(relative) = object["output"].as_str() else {
                assert_eq!(object["error"]["kind"], "dot-segment", "{object}");
                continue;
            };
            assert!(relative.len() <= target.len(), "{object}");
            assert!(forms.is_empty() || !relative.starts_with("//"), "{object}");
            assert!(forms.len() < 2 || !relative.starts_with('/'), "{object}");
            back += &format!("{}\t{relative}\n", base.as_str().unwrap());
            expected += &format!("{target}\n");
        }
        assert!(expected.lines().count() > 80);
        assert_eq!(run(&["resolve", "--pairs"], &back).text(), expected);
    }
}

#[test]
fn each_option_of_resolving_and_relativizing() {
    let table = [
        ("resolve --base http://a/b/c", "http:g", "http:g"),
        ("resolve --lenient --base http://a/b/c", "http:g", "http://a/b/g"),
        ("resolve --base http://a/b?c#d", "", "http://a/b?c"),
        ("resolve --base a://é/b", "//ç?%20", "a://ç?%20"),
        ("relativize --base http://a/b/c/d", "http://a/x", "/x"),
        ("relativize --no-absolute-path --base http://a/b/c/d", "http://a/x", "//a/x"),
        (
            "relativize --no-absolute-path --no-network-path --base http://a/b/c/d",
            "http://a/x",
            "../../x",
        ),
        ("relativize --base http://a/b", "http://c/d", "//c/d"),
        ("relativize --no-network-path --base http://a/b", "http://c/d", "http://c/d"),
        ("relativize --base a:b/c", "a:b/d:e", "./d:e"),
        ("relativize --base a:b", "c:d", "c:d"),
    ];
    for (args, item, expected) in table {
        let args: Vec<_> = args.split(' ').collect();
        let found = run(&args, format!("{item}\n"));
        let expected = format!("{expected}\n");
        assert_eq!((found.text(), found.err.as_str(), found.code), (expected.as_str(), "", 0));
        assert_eq!(run(&[&args[..], &["-i", item]].concat(), "").text(), expected);
    }
}

#[test]
fn errors_are_reported_with_their_place() {
    // The command, an item, the column in the line, the message, and the fields of the JSON error.
    let table: [(&str, &[u8], usize, &str, Value); 13] = [
        (
            "resolve --base a:b",
            "é|".as_bytes(),
            2,
            "'|' at byte 2 is not allowed in a path",
            json!(["character-not-allowed", 2, 3, "path", null]),
        ),
        (
            "resolve --base a:b",
            b"a\tb",
            2,
            "U+0009 at byte 1 is not allowed in a path",
            json!(["character-not-allowed", 1, 2, "path", null]),
        ),
        (
            "resolve --base a:b",
            b"?\xE2\x82",
            2,
            "0xE2 at byte 1 in a query begins ill-formed UTF-8",
            json!(["ill-formed-utf8", 1, 3, "query", null]),
        ),
        (
            "relativize --base a:b",
            b"/c",
            1,
            "no scheme at byte 0",
            json!(["missing-scheme", 0, 0, "scheme", null]),
        ),
        (
            "relativize --base a:b",
            b"a:/\xC3\xA9/../d",
            6,
            "the target has a dot segment at byte 6",
            json!(["dot-segment", 6, 8, "path", null]),
        ),
        (
            "relativize --base a:b",
            b"a:.?..",
            3,
            "the target has a dot segment at byte 2",
            json!(["dot-segment", 2, 3, "path", null]),
        ),
        (
            "resolve --pairs",
            "é:b\tc".as_bytes(),
            1,
            "base: 'é' (U+00E9) at byte 0 is not allowed in a scheme",
            json!(["bad-scheme", 0, 2, "scheme", "base"]),
        ),
        (
            "resolve --pairs",
            b"/b\tc",
            1,
            "base: no scheme at byte 0",
            json!(["missing-scheme", 0, 0, "scheme", "base"]),
        ),
        (
            "resolve --pairs",
            "a:é\tç#|".as_bytes(),
            7,
            "reference: '|' at byte 3 is not allowed in a fragment",
            json!(["character-not-allowed", 3, 4, "fragment", "reference"]),
        ),
        (
            "relativize --pairs",
            "a:é\ta:./b".as_bytes(),
            7,
            "reference: the target has a dot segment at byte 2",
            json!(["dot-segment", 2, 3, "path", "reference"]),
        ),
        (
            "relativize --pairs",
            b"a:b\t",
            5,
            "reference: no scheme at byte 0",
            json!(["missing-scheme", 0, 0, "scheme", "reference"]),
        ),
        (
            "resolve --pairs",
            "a:é".as_bytes(),
            4,
            "no tab at byte 4; write base and reference with one tab between them",
            json!(["not-a-pair", 4, 4, null, null]),
        ),
        (
            "relativize --pairs",
            "a:é\t\t\t".as_bytes(),
            5,
            "a tab too many at byte 5; ",
            json!(["not-a-pair", 5, 6, null, null]),
        ),
    ];
    for (args, item, column, message, fields) in table {
        let args: Vec<_> = args.split(' ').collect();
        let input = [b"|\n", item].concat();
        let found = run(&args, &input);
        let [_, (place, words)] = reports(&found)[..] else { panic!("{}", found.err) };
        assert_eq!(place, format!("<stdin>:2:{column}"), "{}", found.err);
        assert!(words.starts_with(message), "{}", found.err);
        assert!(found.err.ends_with("iri: 2 items, 0 done, 2 failed\n"), "{}", found.err);
        assert_eq!((found.text(), found.code), ("", 1));

        let found = run(&[&args[..], &["--json"]].concat(), &input);
        let error = &found.json()[1]["error"];
        let names = ["kind", "start", "end", "component", "of"];
        assert_eq!(json!(names.map(|name| &error[name])), fields, "{error}");
        let with_column = format!("{}{}", fields[4].as_str().map_or("", |of| of), ": ");
        let words = words.strip_prefix(&with_column).unwrap_or(words);
        assert_eq!(error["message"], words);
        assert_eq!((found.err.as_str(), found.code), ("", 1));
    }
}

#[test]
fn json_is_exact() {
    let found = run(&["resolve", "--base=a:/b", "--json"], b"c\nd\x07\xFF\n");
    let expected = r#"{"file":"<stdin>","line":1,"input":"c","output":"a:/c"}
{"file":"<stdin>","line":2,"input":"d\u0007�","input_base64":"ZAf/","error":{"kind":"character-not-allowed","message":"U+0007 at byte 1 is not allowed in a path; remove it, or write %07","start":1,"end":2,"component":"path"}}
"#;
    assert_eq!(found.text(), expected);

    let found = run(&["resolve", "--pairs", "--json"], b"a:/b\tc\n\xFF:\t\"\xFE\nx\n");
    let expected = r#"{"file":"<stdin>","line":1,"base":"a:/b","reference":"c","output":"a:/c"}
{"file":"<stdin>","line":2,"base":"�:","base_base64":"/zo=","reference":"\"�","reference_base64":"Iv4=","error":{"kind":"ill-formed-utf8","message":"0xFF at byte 0 in a scheme begins ill-formed UTF-8; convert the text to UTF-8","start":0,"end":1,"component":"scheme","of":"base"}}
{"file":"<stdin>","line":3,"input":"x","error":{"kind":"not-a-pair","message":"no tab at byte 1; write base and reference with one tab between them","start":1,"end":1,"component":null}}
"#;
    assert_eq!(found.text(), expected);
}

#[test]
fn no_item_is_lost() {
    // Valid and invalid items, in many buffers, with lengths near the size of a buffer.
    let kinds: [&[u8]; 6] = [b"c", b"", b"|", b"\xFF", "é?ü".as_bytes(), b"a\tb"];
    let mut items: Vec<Vec<u8>> = Vec::new();
    for n in 0..60_000 {
        let mut item = kinds[n % kinds.len()].to_vec();
        item.extend(std::iter::repeat_n(b'z', n % 23));
        items.push(item);
    }
    items.insert(777, vec![b'l'; 600_000]);
    let bad = items.iter().filter(|item| item.iter().any(|b| b"|\xFF\t".contains(b))).count();
    let good = items.len() - bad;
    for (option, separator) in [("--json", b'\n'), ("-0", 0)] {
        let input: Vec<u8> =
            items.iter().flat_map(|i| i.iter().chain([&separator])).copied().collect();
        let found = run(&["resolve", "--base", "a:/b", option], &input);
        if separator == 0 {
            let outputs = found.out.split_inclusive(|byte| *byte == 0).collect::<Vec<_>>();
            assert_eq!((outputs.len(), reports(&found).len()), (good, bad));
            assert!(outputs.iter().all(|output| output.starts_with(b"a:/")));
            let all = items.len();
            assert!(found.err.ends_with(&format!("iri: {all} items, {good} done, {bad} failed\n")));
        } else {
            let objects = found.json();
            assert_eq!(objects.len(), items.len());
            for (object, item) in objects.iter().zip(&items) {
                assert_eq!(object["input"], *String::from_utf8_lossy(item));
                assert_ne!(object["output"].is_null(), object["error"].is_null(), "{object}");
            }
            assert_eq!(objects.iter().filter(|object| object["error"].is_null()).count(), good);
        }
        assert_eq!(found.code, 1);
    }
}

#[test]
fn results_and_errors_keep_their_order() {
    let file = TempFile::new("order", "");
    let out = File::create(file.name()).unwrap();
    let err = out.try_clone().unwrap();
    let items = ["-i", "b", "-i", "|", "-i", "c", "-i", "|", "-i", "d"];
    let args = [&["resolve", "--base", "a:"][..], &items].concat();
    let status = iri(&args).stdout(out).stderr(err).status().unwrap();
    let text = fs::read_to_string(file.name()).unwrap();
    let starts: Vec<_> = text.lines().map(|line| line.split(" error").next().unwrap()).collect();
    let summary = "iri: 5 items, 3 done, 2 failed";
    assert_eq!(starts, ["a:b", "<item>:2:1:", "a:c", "<item>:4:1:", "a:d", summary]);
    assert_eq!(status.code(), Some(1));
}

#[test]
fn fail_fast_stops_there() {
    let file = TempFile::new("fast", "b\nc\n|\nd\n|\n");
    let name = file.name();
    let args = ["resolve", "--base", "a:", "--fail-fast"];
    let found = run(&[&args[..], &[name, name]].concat(), "");
    assert_eq!((found.text(), found.code), ("a:b\na:c\n", 1));
    let [(place, _)] = reports(&found)[..] else { panic!("{}", found.err) };
    assert_eq!(place, format!("{name}:3:1"));
    assert!(found.err.ends_with("iri: 3 items, 2 done, 1 failed; stopped at the first error\n"));

    let objects = run(&[&args[..], &["--json", name, name]].concat(), "").json();
    assert_eq!(objects.len(), 3);
    assert_eq!(objects[2]["error"]["start"], 0);
    let items = run(&[&args[..], &["-ib", "-i|", "-ic"]].concat(), "");
    assert_eq!((items.text(), items.code), ("a:b\n", 1));
    let good = run(&args, "b\nc");
    assert_eq!((good.text(), good.err.as_str(), good.code), ("a:b\na:c", "", 0));
    let missing = format!("{name}-missing");
    assert_eq!(run(&[&args[..], &[&missing, name]].concat(), "").code, 2);
}

#[test]
fn fail_fast_does_not_wait_for_input() {
    let mut child = iri(&["resolve", "--base", "a:", "--fail-fast"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"b\n|\n").unwrap();
    // The program ends although more input may follow.
    assert_eq!(child.wait().unwrap().code(), Some(1));
    drop(stdin);
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "a:b\n");
}

#[test]
fn results_are_printed_as_items_arrive() {
    let mut child = iri(&["resolve", "--pairs"]).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for n in 0..3 {
        writeln!(stdin, "a:/b\t{n}").unwrap();
        let mut line = [0; 5];
        stdout.read_exact(&mut line).unwrap();
        assert_eq!(line, *format!("a:/{n}\n").as_bytes());
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn nul_ends_items() {
    let found = run(&["resolve", "--base", "a:/b", "-0"], "c\0\n\0d\0");
    assert_eq!((found.text(), reports(&found)[0].0), ("a:/c\0a:/d\0", "<stdin>:2:1"));
    let found = run(&["relativize", "--pairs", "--null"], "a:/b\ta:/c\0a:/b\ta:/d");
    assert_eq!(found.text(), "c\0d");
    let found = run(&["relativize", "--pairs", "--null", "--json"], "a:/b\ta:/c\0a:/b\n\ta:/d\0");
    assert_eq!(found.json()[1]["base"], "a:/b\n");
}

#[test]
fn an_unreadable_file_is_trouble() {
    let file = TempFile::new("readable", "b\n");
    let missing = format!("{}-missing", file.name());
    let found = run(&["resolve", "--base", "a:", &missing, file.name()], "");
    assert_eq!((found.text(), found.code), ("a:b\n", 2));
    assert!(found.err.starts_with(&format!("iri: {missing}: ")), "{}", found.err);
}

#[test]
fn a_base_has_a_scheme() {
    for command in ["resolve", "relativize"] {
        let wrong: [(&[&str], &str); 7] = [
            (&[], "--base"),
            (&["--base", "/b"], "no scheme at byte 0"),
            (&["--base", ""], "--base"),
            (&["--base", "http://[/"], "the host ends at byte 8 within an IP literal"),
            (&["--base", "a:", "--pairs"], "--pairs"),
            (&["--base", "a:", "c", "-i", "b"], "--item"),
            (&["--base", "a:", "--as", "iri"], "--as"),
        ];
        for (args, message) in wrong {
            let found = run(&[&[command], args].concat(), "a:b\n");
            assert_eq!((found.text(), found.code), ("", 2), "{args:?}");
            assert!(found.err.contains(message), "{}", found.err);
        }
        let help = run(&[command, "--help"], "");
        assert_eq!((help.err.as_str(), help.code), ("", 0));
    }
    assert_eq!(run(&["relativize", "--base", "a:", "--lenient"], "").code, 2);
    assert_eq!(run(&["resolve", "--base", "a:", "--no-network-path"], "").code, 2);
}

#[test]
fn a_closed_output_is_no_trouble() {
    let file = TempFile::new("made", "a:/b/\ta:/b/c\n".repeat(200_000));
    for (command, option) in [("resolve", "--json"), ("relativize", "--fail-fast")] {
        let args = [command, option, "--pairs", file.name()];
        let mut child = iri(&args).spawn().unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{args:?}");
    }
}

/// The folder of the workspace, in which the commands of documents run.
#[cfg(unix)]
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Runs a command, and returns its output and its errors.
#[cfg(unix)]
fn in_shell(command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_iri")).parent().unwrap();
    let path = format!("{}:{}", program.to_str().unwrap(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("({command}) 2>&1")]).env("PATH", &path).current_dir(ROOT);
    String::from_utf8(shell.output().unwrap().stdout).unwrap()
}

#[test]
#[cfg(unix)]
fn the_examples_of_the_help_are_true() {
    let mut tried = 0;
    for command in [
        "to-uri",
        "to-iri",
        "normalize",
        "compare",
        "resolve",
        "relativize",
        "prepare",
        "display",
        "redact",
        "escape",
        "unescape",
        "file",
        "archive-key",
    ] {
        let help = run(&[command, "--help"], "");
        for line in help.lines() {
            let Some((example, expected)) = line.split_once("  print ") else { continue };
            assert_eq!(in_shell(example), format!("{expected}\n"), "{example}");
            tried += 1;
        }
    }
    assert!(tried >= 18, "{tried}");
}

/// Returns the cases of a file: the input and the expected result.
fn mapped(name: &str, field: impl Fn(&Value) -> bool) -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../conformance/cases/");
    let text = fs::read_to_string(format!("{folder}{name}.jsonl")).unwrap();
    let cases = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let of = |case: &Value, name| case[name].as_str().unwrap().to_owned();
    let cases: Vec<_> =
        cases.filter(field).map(|case| (of(&case, "input"), of(&case, "expected"))).collect();
    assert!(!cases.is_empty(), "{name}");
    cases
}

#[test]
fn mapping_and_normalization_are_those_of_the_cases() {
    let host = |host: &'static str| move |case: &Value| case["options"]["host"] == host;
    let level = |level: &'static str| {
        move |case: &Value| case["ladder"] == level && case["pct"] != "unreserved"
    };
    for (args, cases) in [
        (&["to-uri"][..], mapped("rfc3987/to-uri", host("percent"))),
        (&["to-uri"], mapped("generated/to-uri", host("percent"))),
        (&["to-uri", "--host", "idna"], mapped("rfc3987/to-uri", host("idna"))),
        (&["to-iri"], mapped("rfc3987/from-uri", |_| true)),
        (&["to-iri"], mapped("generated/from-uri", |_| true)),
        (&["normalize", "--level", "syntax"], mapped("rfc3986/normalize", level("syntax"))),
        (&["normalize", "--level", "syntax"], mapped("rfc3987/normalize", level("syntax"))),
        (&["normalize", "--level", "syntax"], mapped("generated/normalize", level("syntax"))),
        (&["normalize", "--level", "scheme"], mapped("rfc3986/normalize", level("scheme"))),
        (&["normalize", "--level=scheme"], mapped("generated/normalize", level("scheme"))),
    ] {
        let input: String = cases.iter().map(|(input, _)| format!("{input}\n")).collect();
        let lines = run(args, &input);
        let expected: String = cases.iter().map(|(_, output)| format!("{output}\n")).collect();
        assert_eq!((lines.text(), lines.err.as_str(), lines.code), (expected.as_str(), "", 0));
        let objects = run(&[args, &["--json"]].concat(), &input).items();
        let expected =
            cases.iter().map(|(input, output)| json!({"input": input, "output": output}));
        assert_eq!(objects, expected.collect::<Vec<_>>());
    }
}

#[test]
fn each_option_of_mapping_and_normalizing() {
    let table: &[(&[&str], &[u8], &str)] = &[
        (&["to-uri", "--lenient"], b"http://a/b c|\xC3\xA9", "http://a/b%20c%7C%C3%A9"),
        (&["to-uri", "--charset", "latin1"], b"/\xE9", "/%C3%A9"),
        (&["to-uri", "--charset", "shift_jis"], b"/\x93\xFA", "/%E6%97%A5"),
        // Text from a legacy charset is normalized to NFC; text in UTF-8 is not.
        (&["to-uri", "--charset", "windows-1258"], b"/e\xEC", "/%C3%A9"),
        (&["to-uri", "--charset", "utf-8"], "/e\u{301}".as_bytes(), "/e%CC%81"),
        (
            &["to-uri", "--query-charset", "shift_jis"],
            "http://a/日?日".as_bytes(),
            "http://a/%E6%97%A5?%93%FA",
        ),
        (
            &["to-uri", "--query-charset", "latin1", "--unmappable", "reference"],
            "http://a/?é日".as_bytes(),
            "http://a/?%E9%26%2326085%3B",
        ),
        (
            &["to-uri", "--host", "idna"],
            "http://bücher.example/é".as_bytes(),
            "http://xn--bcher-kva.example/%C3%A9",
        ),
        (
            &["to-iri", "--host", "idna"],
            b"http://xn--bcher-kva.example/%7e",
            "http://bücher.example/~",
        ),
        (&["to-iri", "--policy", "non-ascii-only"], b"/%7e%c3%a9", "/%7Eé"),
        (&["to-iri", "--private"], b"?%EE%80%80", "?\u{E000}"),
        (&["normalize", "--as", "uri"], b"A:%c3%a9", "a:%C3%A9"),
        (&["normalize"], b"A:%c3%a9", "a:é"),
        (&["normalize", "--level", "scheme"], b"http://A:80", "http://a/"),
        (&["normalize", "--level", "scheme-idna"], b"http://xn--bcher-kva:80", "http://bücher/"),
        (
            &["normalize", "--level", "scheme-idna", "--as", "uri"],
            b"http://b%C3%BCcher",
            "http://xn--bcher-kva/",
        ),
        (&["normalize", "--policy", "non-ascii-only"], b"a:%7e%c3%a9", "a:%7Eé"),
        (&["normalize", "--level", "none"], b"A:%7e", "A:%7e"),
        (&["normalize", "--level", "none", "--rule", "case"], b"A://B/%7e", "a://b/%7e"),
        (&["normalize", "--level", "none", "--rule", "percent-encoding"], b"A:%7e", "A:~"),
        (&["normalize", "--level", "none", "--rule", "dot-segments"], b"A:/b/../c", "A:/c"),
        (&["normalize", "--rule", "rootless-dots"], b"a:b/../c", "a:/c"),
        (&["normalize", "--rule", "rooted-dots"], b"/b/../c", "/c"),
        (&["normalize"], b"a:b/../c", "a:b/../c"),
        (&["normalize", "--level", "syntax", "--rule", "port"], b"http://a:80", "http://a"),
        (
            &["normalize", "--level", "syntax", "--rule", "empty-path"],
            b"http://a:80",
            "http://a:80/",
        ),
        (
            &["normalize", "--level", "syntax", "--rule", "domain"],
            "http://BÜCHER".as_bytes(),
            "http://bücher",
        ),
        (&["normalize", "--rule", "file-localhost"], b"file://localhost/a", "file:///a"),
        (&["normalize", "--rule", "ipv6"], b"a://[0:0::1]", "a://[::1]"),
        (&["normalize", "--rule", "urn"], b"URN:Ex:%7e%41", "urn:ex:%7E%41"),
        (&["normalize", "--rule", "mailto"], b"mailto:A@B", "mailto:A@b"),
        (
            &["normalize", "--level", "syntax", "--rule", "ipv6,port", "--rule", "case"],
            b"http://[0::1]:80",
            "http://[::1]",
        ),
    ];
    for (args, item, expected) in table {
        let found = run(args, [item, &b"\n"[..]].concat());
        let expected = format!("{expected}\n");
        assert_eq!(
            (found.text(), found.err.as_str(), found.code),
            (expected.as_str(), "", 0),
            "{args:?}"
        );
    }
}

#[test]
fn mapping_errors_are_reported_with_their_place() {
    type Row<'a> = (&'a [&'a str], &'a [u8], usize, &'a str, &'a str);
    let table: &[Row<'_>] = &[
        (&["to-uri"], b"a b", 2, "character-not-allowed", "' ' at byte 1"),
        (&["to-uri", "--lenient"], b"a b%", 4, "bad-percent-encoding", "'%' at byte 3"),
        (&["to-uri", "--lenient"], b"a \xFF", 3, "ill-formed-utf8", "0xFF at byte 2"),
        (
            &["to-uri", "--host", "idna"],
            "http://é_/".as_bytes(),
            8,
            "bad-domain",
            "the host at byte 7",
        ),
        (
            &["to-uri", "--charset", "shift_jis"],
            b"a\x81 ",
            2,
            "ill-formed-charset",
            "the bytes at 1",
        ),
        (&["to-iri"], b"%", 1, "bad-percent-encoding", "'%' at byte 0"),
        (&["normalize", "--as", "uri"], "a:é".as_bytes(), 3, "non-ascii", "'é'"),
    ];
    for (args, item, column, kind, words) in table {
        let input = [item, &b"\na:b\n"[..]].concat();
        let found = run(args, &input);
        assert_eq!((found.text(), found.code), ("a:b\n", 1), "{args:?}");
        let (place, message) = reports(&found)[0];
        assert_eq!(place, format!("<stdin>:1:{column}"), "{args:?}");
        assert!(message.contains(words), "{message}");
        let objects = run(&[args, &["--json"][..]].concat(), &input).json();
        assert_eq!(objects.len(), 2);
        assert_eq!(objects[0]["error"]["kind"], *kind, "{args:?}");
    }
    for args in [
        &["to-uri", "--charset", "no-such"][..],
        &["to-uri", "--query-charset", "no-such"],
        &["to-uri", "--unmappable", "reference"],
        &["normalize", "--rule", "no-such"],
        &["compare", "--rule", "no-such", "a", "b"],
    ] {
        let found = run(args, "");
        assert_eq!(found.code, 2, "{args:?}");
        // The message names the accepted values.
        let accepted = ["windows-1252", "file-localhost", "--query-charset"];
        assert!(accepted.iter().any(|word| found.err.contains(word)), "{}", found.err);
    }
}

#[test]
fn a_rule_that_the_level_has_changes_no_comparison() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../conformance/cases/");
    let cases = fs::read_to_string(format!("{folder}rfc3987/compare.jsonl")).unwrap();
    let cases = cases.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let pair =
        |case: Value| format!("{}\t{}\n", case["a"].as_str().unwrap(), case["b"].as_str().unwrap());
    let pairs: String = cases.map(pair).collect();
    for level in ["syntax", "scheme", "scheme-idna"] {
        let args = ["compare", "--pairs", "--level", level];
        let plain = run(&args, &pairs);
        let rule = run(&[&args[..], &["--rule", "case"]].concat(), &pairs);
        assert_eq!((plain.text(), &plain.err), (rule.text(), &rule.err), "{level}");
        assert!(plain.text().contains("equal") && plain.text().contains("different"));
    }
}

#[test]
fn two_references_are_compared() {
    let (a, b) = ("http://a.example/%7Eb", "HTTP://a.example:80/~b");
    for (level, equal) in [("simple", false), ("syntax", false), ("scheme", true)] {
        let words = if equal { "equal\n" } else { "different\n" };
        let found = run(&["compare", "--level", level, a, b], "");
        let code = i32::from(!equal);
        assert_eq!((found.text(), found.err.as_str(), found.code), (words, "", code), "{level}");
        let input = format!("{a}\t{b}\n{a}\t{a}\n");
        let lines = run(&["compare", "--pairs", "--level", level], &input);
        assert_eq!(lines.text(), format!("{words}equal\n"));
        let objects = run(&["compare", "--pairs", "--json", "--level", level], &input).items();
        assert_eq!(
            objects,
            [
                json!({"a": a, "b": b, "level": level, "equal": equal}),
                json!({"a": a, "b": a, "level": level, "equal": true}),
            ]
        );
    }
    let names = ["http://bücher.example/", "http://xn--bcher-kva.example"];
    for (level, words) in [("scheme", "different\n"), ("scheme-idna", "equal\n")] {
        assert_eq!(run(&[&["compare", "--level", level], &names[..]].concat(), "").text(), words);
    }
    for (rule, a, b) in [
        ("ipv6", "a://[::1]", "a://[0:0::1]"),
        ("urn", "urn:ex:a", "URN:EX:a?+b#c"),
        ("mailto", "mailto:A@B.C", "mailto:A@b.c"),
        ("file-localhost", "file:///a", "file://localhost/a"),
        ("rootless-dots", "a:b/./c", "a:b/c"),
        ("domain", "http://bücher/", "http://xn--bcher-kva/"),
        ("port", "http://a:80/", "http://a/"),
    ] {
        let by = ["compare", "--level", "syntax"];
        assert_eq!(run(&[&by[..], &[a, b]].concat(), "").text(), "different\n", "{rule}");
        let found = run(&[&by[..], &["--rule", rule, a, b]].concat(), "");
        assert_eq!(found.text(), "equal\n", "{rule}");
    }
    assert_eq!(run(&["compare", "a:b#c", "A:b#d"], "").text(), "different\n");
    assert_eq!(run(&["compare", "--without-fragment", "a:b#c", "A:b#d"], "").text(), "equal\n");
    let found = run(&["compare", "a:b", "a b"], "");
    assert_eq!((found.text(), found.code), ("", 2));
    assert_eq!(reports(&found)[0].0, "<item>:1:6");
    for args in [&["compare"][..], &["compare", "a:b"], &["compare", "a", "b", "c"]] {
        let found = run(args, "");
        assert_eq!((found.text(), found.code), ("", 2), "{args:?}");
    }
}

/// Sets components: what a component cannot hold is encoded, unless the text is encoded already.
#[test]
fn a_component_is_set_to_its_text() {
    let set = |settings: &[&str], item: &str| {
        let options = settings.iter().flat_map(|setting| ["--set", setting]);
        let arguments = ["normalize", "--level", "none", "--item", item];
        run(&arguments.into_iter().chain(options).collect::<Vec<_>>(), "")
    };
    for (settings, item, expected) in [
        (&["path=/a b%20é?"][..], "http://h/x?q#f", "http://h/a%20b%2520é%3F?q#f"),
        (&["path:=/a%20b"], "http://h/x?q#f", "http://h/a%20b?q#f"),
        (&["query=a=b&c", "fragment=#"], "http://h/x", "http://h/x?a=b&c#%23"),
        (
            &["userinfo=u:p@", "host=é.example", "port=8080"],
            "http:/x",
            "http://u:p%40@é.example:8080/x",
        ),
        (&["scheme=https", "scheme=ftp"], "http://h/x", "ftp://h/x"),
        (&["path=//x"], "a:b", "a:/.//x"),
        (&["query="], "a:b", "a:b?"),
    ] {
        let run = set(settings, item);
        assert_eq!(
            (run.code, run.lines().as_slice()),
            (0, &[expected][..]),
            "{settings:?} {}",
            run.err
        );
    }
    for (settings, item, part) in [
        (&["host=h"][..], "urn:a", "--set: "),
        (&["path:=/a b"], "http://h/", "--set: "),
        (&["scheme=1"], "http://h/", "--set: "),
        (&["userinfo=u"], "/a", "--set: "),
    ] {
        let run = set(settings, item);
        assert!(run.code == 1 && run.err.contains(part), "{settings:?} {} {}", run.code, run.err);
    }
    for setting in ["", "path", "authority=a", "port=65536", "port=", "Path=/a"] {
        assert_eq!(set(&[setting], "http://h/").code, 2, "{setting}");
    }
    // The target of a resolution is edited, and not the reference.
    let run = run(&["resolve", "--base", "http://h/b", "--set", "port=1", "--item", "c"], "");
    assert_eq!(run.lines(), ["http://h:1/c"]);
}

/// The key and the fingerprint of a template are those by which `iri compare` decides.
#[test]
fn a_key_is_the_same_for_what_compare_finds_equal() {
    let items = [
        "http://a",
        "http://A",
        "http://a:80/",
        "HTTP://a/%7e",
        "http://a/~",
        "/b",
        "a:%C3%A9",
        "a:é",
    ];
    for level in ["simple", "syntax", "scheme", "scheme-idna"] {
        let template = format!("{{key:{level}}} {{fingerprint:{level}}}");
        let made = run(&["parse", "-g", &template], items.join("\n"));
        let made = made.lines();
        assert_eq!(made.len(), items.len());
        for (a, first) in items.iter().zip(&made) {
            for (b, second) in items.iter().zip(&made) {
                let compared = run(&["compare", "--level", level, a, b], "");
                assert_eq!(compared.lines() == ["equal"], first == second, "{level} {a} {b}");
            }
        }
    }
    let refused = run(&["parse", "-g", "{key:lax}", "--item", "a:b"], "");
    assert!(refused.code == 2 && refused.err.contains("scheme-idna"), "{}", refused.err);
}
