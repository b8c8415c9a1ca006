//! The common behaviour of all commands: charsets of the input, closed pipes, full disks, files that are both input
//! and output, and terminals.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use encoding_rs::{EUC_KR, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, WINDOWS_1258};
use serde_json::Value;

use super::{TempFile, iri, run};

/// Commands that read items in each possible way. `@` stands for the input.
const COMMANDS: [&[&str]; 15] = [
    &["check", "--all"],
    &["parse", "--json"],
    &["parse", "--get", "{scheme} {path}"],
    &["lint", "--fix"],
    &["extract", "--context", "log"],
    &["to-uri"],
    &["to-iri"],
    &["normalize"],
    &["compare", "--pairs"],
    &["resolve", "--base", "a:/b"],
    &["prepare", "--json"],
    &["display"],
    &["redact"],
    &["dedup"],
    &["stats"],
];

fn utf16(text: &str, little: bool, mark: bool) -> Vec<u8> {
    let mark = mark.then_some(0xFEFF_u16);
    let units = mark.into_iter().chain(text.encode_utf16());
    units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
}

/// The output for a text in UTF-8 equals the output for the same text in another charset.
#[test]
fn every_command_reads_every_charset() {
    // The text is in NFC, as text from a legacy charset becomes, and long enough for several reads.
    let lines = "http://例え.jp/日本\r\nhttp://a/a b\nhttp://a/é%zz|\n\nhttp://xn--a/\t/é\n";
    let text = format!("{}{}", lines.repeat(900), "http://a/".to_owned() + &"字".repeat(70_000));
    for args in COMMANDS {
        let expected = run(args, &text);
        let same = |label: Option<&str>, input: Vec<u8>| {
            let args = [args, &label.map_or(vec![], |label| vec!["--charset", label])].concat();
            let found = run(&args, input);
            assert!(found.out == expected.out, "{args:?}");
            let notes = found.err.lines().filter(|line| !line.contains("byte-order mark"));
            assert!(notes.eq(expected.err.lines()), "{args:?}");
            assert_eq!(found.code, expected.code, "{args:?}");
        };
        same(Some("utf-8"), text.clone().into_bytes());
        same(None, utf16(&text, true, true));
        same(None, utf16(&text, false, true));
        same(Some("utf-16"), utf16(&text, true, false));
        same(Some("utf-16be"), utf16(&text, false, false));
        // The byte-order mark overrides the option.
        same(Some("windows-1252"), utf16(&text, false, true));
        same(Some("gb18030"), GB18030.encode(&text).0.into_owned());
    }
}

#[test]
fn no_read_waits_for_more_than_a_line() {
    // No byte-order mark begins with "a". A mark may arrive one byte at a time.
    for (input, label) in
        [(&b"a\n"[..], "utf-8"), (b"a\n", "shift_jis"), (b"\xFF\xFEa\0\n\0", "utf-8")]
    {
        let mut child = iri(&["to-uri", "--charset", label]).spawn().unwrap();
        let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        for byte in input {
            stdin.write_all(&[*byte]).unwrap();
            stdin.flush().unwrap();
        }
        let mut line = [0; 2];
        stdout.read_exact(&mut line).unwrap();
        assert_eq!(line, *b"a\n");
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn legacy_text_is_decoded_before_lines_are_split_and_composed() {
    let decoded = |charset: &'static Encoding, bytes: &[u8]| {
        let found = run(&["parse", "-g", "{input}", "--charset", charset.name()], bytes);
        assert_eq!((found.err.as_str(), found.code), ("", 0));
        found.text().to_owned()
    };
    let encoded = |charset: &'static Encoding, text| charset.encode(text).0.into_owned();
    assert_eq!(decoded(ISO_2022_JP, &encoded(ISO_2022_JP, "/日\n/本\n")), "/日\n/本\n");
    assert_eq!(decoded(EUC_KR, &encoded(EUC_KR, "/한")), "/한\n");
    // The second byte of a character may be the byte of a backslash.
    assert_eq!(decoded(SHIFT_JIS, b"/\x95\x5C"), "/表\n");
    // RFC 3987, section 5.3.2.2: text from a legacy charset is normalized to NFC.
    assert_eq!(decoded(SHIFT_JIS, b"/\x81\xF0"), "/\u{C5}\n");
    assert_eq!(decoded(WINDOWS_1258, b"/e\xCC\n"), "/\u{E8}\n");
    // Unicode text is not normalized. No character becomes a delimiter.
    let text = "/e\u{301}\u{37E}\u{212A}";
    assert_eq!(decoded(GB18030, &encoded(GB18030, text)), "/\u{E9}\u{37E}\u{212A}\n");
    let found = run(&["parse", "-g{input}"], utf16(text, true, true));
    assert_eq!(found.text(), format!("{text}\n"));
}

#[test]
fn bytes_outside_the_charset_are_an_error_in_every_command() {
    for args in COMMANDS {
        let args = [args, &["--charset", "shift_jis"]].concat();
        let found = run(&args, b"a:/\x93\xFA\x81\nb:c");
        assert_eq!(found.code, i32::from(!args.contains(&"stats")), "{args:?}");
        if args.contains(&"--json") {
            let object: Value = serde_json::from_str(found.lines()[0]).unwrap();
            assert_eq!(object["error"]["kind"], "ill-formed-charset", "{object}");
            assert_eq!(object["input"], "a:/日\u{FFFD}");
            assert_eq!(object["input_base64"], Value::Null);
            assert_eq!(object["error"]["start"], 6);
        } else if args.contains(&"stats") {
            assert!(found.text().contains("  ill-formed-charset  "), "{}", found.text());
        } else {
            let all = found.err + std::str::from_utf8(&found.out).unwrap();
            assert!(all.contains("<stdin>:1:5: error"), "{args:?} {all}");
        }
    }
    for (charset, input) in
        [("utf-8", &b"/\xE9"[..]), ("utf-16", b"/\0\0\xD8"), ("utf-16", b"/\0a")]
    {
        let found = run(&["prepare", "--charset", charset], input);
        assert_eq!((found.text(), found.code), ("", 1));
    }
    let utf32 = run(&["check"], b"\xFF\xFE\0\0a\0\0\0");
    assert_eq!(utf32.code, 2);
    assert!(utf32.err.starts_with("iri: <stdin>: this is UTF-32"), "{}", utf32.err);
    assert_eq!(run(&["check", "--charset", "hz-gb-2312"], "").code, 2);
}

#[test]
fn a_link_that_is_cut_off_by_another_charset_is_an_error() {
    let latin1 = b"x\nSee http://a.example/caf\xE9/x and http://a.example/na\xEFf\n";
    let found = run(&["extract"], latin1);
    assert_eq!(found.code, 1);
    assert!(found.err.starts_with("<stdin>:2:25: error: "), "{}", found.err);
    assert!(found.err.contains("further parts that are not UTF-8: 1"), "{}", found.err);
    // A long word is not cut inside a character.
    for shift in ["", "a", "ab"] {
        let long = run(&["extract"], shift.to_owned() + &"字".repeat(1 << 20));
        assert_eq!((long.err.as_str(), long.code), ("", 0));
    }
    let found = run(&["extract", "--charset", "latin1"], latin1);
    assert_eq!(found.lines(), ["http://a.example/café/x", "http://a.example/naïf"]);
    assert_eq!((found.err.as_str(), found.code), ("", 0));
}

#[test]
fn keep_prints_a_line_for_an_item_that_fails() {
    let input = b"/a\n|\x1B\n\n/b\xFF\n/c";
    for (args, prefix) in [(&["to-uri"][..], ""), (&["parse", "-g", "<{input}"], "<")] {
        let of = |keep| run(&[args, &["--keep", keep]].concat(), input);
        let empty = of("empty");
        // to-uri keeps the missing newline at the end; lines of a template all have one.
        let end = if prefix.is_empty() { "" } else { "\n" };
        let expected = format!("{prefix}/a\n\n{prefix}\n\n{prefix}/c{end}");
        assert_eq!((empty.text(), empty.code), (expected.as_str(), 1));
        assert!(empty.err.starts_with("<stdin>:2:1: error: "), "{}", empty.err);
        let kept = of("input").out;
        assert_eq!(kept.split(|b| *b == b'\n').nth(1).unwrap(), b"|\x1B");
        assert_eq!(kept.split(|b| *b == b'\n').nth(3).unwrap(), b"/b\xFF");
    }
    assert_eq!(run(&["to-uri", "--keep", "empty", "--json"], "").code, 2);
    assert_eq!(run(&["parse", "--keep", "empty"], "").code, 2);
}

#[test]
fn comparing_two_has_an_exit_code_for_each_answer() {
    let table: [(&[&str], i32); 7] = [
        (&["a:%7E", "A:~"], 0),
        (&["a:b", "a:c"], 1),
        (&["a:b", "a c"], 2),
        (&["--json", "a c", "a:b"], 2),
        (&["--base", "http://a/b/", "../c", "/c"], 0),
        (&["--base", "http://a/b/", "c", "/c"], 1),
        (&["--base", "http://a/b/", "|", "/c"], 2),
    ];
    for (args, code) in table {
        assert_eq!(run(&[&["compare"], args].concat(), "").code, code, "{args:?}");
    }
    assert_eq!(run(&["compare", "c", "./c"], "").code, 1, "without a base they stay relative");
    let pairs = run(&["compare", "--pairs", "--base", "a:/b/"], "c\t./c\nc\td\n");
    assert_eq!((pairs.text(), pairs.code), ("equal\ndifferent\n", 0));
}

#[test]
fn a_missing_file_is_reported() {
    let found = run(&["parse", "http://a/b"], "");
    assert_eq!(found.code, 2);
    assert!(found.err.contains("write -i before it"), "{}", found.err);
    let directory = env!("CARGO_MANIFEST_DIR");
    for args in COMMANDS {
        let found = run(&[args, &[directory]].concat(), "");
        assert_eq!(found.code, 2, "{args:?}");
        assert!(found.err.contains("this is a directory"), "{}", found.err);
    }
}

/// Runs a command line in a shell in which `iri` is the program. Returns its output and its exit code.
#[cfg(target_os = "linux")]
fn shell(line: &str) -> (String, Option<i32>) {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_iri")).parent().unwrap();
    let path = format!("{}:{}", program.to_str().unwrap(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("timeout");
    shell.args(["120", "sh", "-c", line]).env("PATH", path).stdin(Stdio::null());
    let output = shell.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&text).into_owned(), output.status.code())
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_is_not_both_read_and_written() {
    let file = TempFile::new("both", "http://A/\n|\n");
    let name = file.name();
    let ways = [">> {f}", "< {f} >> {f}", "{f} 2>> {f}", "- {f} < /dev/null >> {f}", "{f} 1<> {f}"];
    for args in COMMANDS {
        for way in ways {
            let way = if way.starts_with(">>") { format!("{{f}} {way}") } else { way.to_owned() };
            let args = args.iter().map(|arg| format!("'{arg}'")).collect::<Vec<_>>().join(" ");
            let before = fs::read(name).unwrap();
            let line = format!("iri {args} {}", way.replace("{f}", name));
            assert_eq!(shell(&line).1, Some(2), "{line}");
            // If the file is standard error, the reason is written to it.
            let after = fs::read(name).unwrap();
            assert!(after.len() < before.len() + 200, "{line}");
            fs::write(name, &before).unwrap();
        }
    }
    // A device may be both input and output.
    assert_eq!(shell("iri check < /dev/null > /dev/null 2> /dev/null").1, Some(0));
}

#[test]
#[cfg(target_os = "linux")]
fn errors_before_a_pipe_was_closed_count() {
    let good = TempFile::new("good-pipe", "a:b\n".repeat(300_000));
    let bad = TempFile::new("bad-pipe", "|\n".repeat(10) + &"a:b\n".repeat(300_000));
    for (file, code) in [(good.name(), 0), (bad.name(), 1)] {
        for command in ["to-uri", "parse -g '{input}'", "parse", "lint --json", "parse --json"] {
            let line = format!("(iri {command} {file} 2> /dev/null; echo $? >&2) | head -c 10");
            let (text, _) = shell(&line);
            assert!(text.ends_with(&format!("{code}\n")), "{line}: {text}");
        }
    }
    assert_eq!(shell("(iri --help; echo $? >&2) | true").0, "0\n");
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_trouble() {
    for args in ["--help", "--version", "check --help", "check -i a:b --count", "parse -i a:b"] {
        let (text, code) = shell(&format!("iri {args} > /dev/full"));
        assert_eq!(code, Some(2), "{args}");
        assert!(text.starts_with("iri: cannot write: "), "{args}: {text}");
    }
}

#[test]
fn many_errors_take_few_writes_and_none_is_lost() {
    let count = 100_000;
    let input = "|\n/a\n".repeat(count);
    let found = run(&["to-uri"], &input);
    assert_eq!(found.lines().len(), count);
    assert_eq!(found.err.lines().count(), count + 1);
    // If both go to the same file, they keep their order.
    let file = TempFile::new("mixed", "");
    let out = fs::File::create(file.name()).unwrap();
    let err = out.try_clone().unwrap();
    let input = TempFile::new("mixed-input", input);
    let status = iri(&["to-uri", input.name()]).stdout(out).stderr(err).status().unwrap();
    assert_eq!(status.code(), Some(1));
    let text = fs::read_to_string(file.name()).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 2 * count + 1);
    let is_error = |line: &&str| line.contains(": error: ");
    let mut pairs = lines.chunks_exact(2);
    assert!(pairs.all(|pair| is_error(&pair[0]) && pair[1] == "/a"));
    assert_eq!(
        lines.last().unwrap(),
        &format!("iri: {} items, {count} done, {count} failed", 2 * count)
    );
}

/// Runs a command line on a pseudo-terminal of a width.
#[cfg(target_os = "linux")]
pub(super) fn on_terminal(width: usize, line: &str) -> String {
    let (text, _) =
        shell(&format!("script -qec 'stty cols {width}; export NO_COLOR=1; {line}' /dev/null"));
    text.replace("\r\n", "\n")
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_hidden_reaches_a_terminal() {
    let bad = "a:\u{1B}[31m\u{202E}\u{9B}b c\u{7}\r";
    let file = TempFile::new("hidden", format!("{bad}\nSee http://a.b/\u{1B}]0;x\u{7} {bad}\n"));
    let name = file.name();
    let extract = ["", "--mark", "--json", "--reference", "--with-position", "--schemes any"];
    let commands = COMMANDS.iter().map(|args| args.join("\" \""));
    let commands = commands.map(|args| format!("\"{args}\""));
    let commands = commands.chain(extract.map(|option| format!("extract {option}")));
    let others = [
        "check --invalid",
        "check --valid",
        "lint",
        "lint --json",
        "lint --fix-all",
        "parse",
        "to-uri --keep input",
        "to-uri --lenient",
        "parse -g {path} --keep input",
        "prepare --explain",
    ];
    let commands = commands.chain(others.map(str::to_owned));
    let commands = commands.map(|args| format!("iri {args} {name}"));
    let wrong = [
        "iri check --as \"$(cat N)\"",
        // The base is repaired.
        "iri resolve --base \"$(cat N)\" -i c",
        "iri check \"$(cat N)\"",
    ];
    for line in commands.chain(wrong.map(|line| line.replace('N', name))) {
        let text = on_terminal(80, &line);
        assert!(!text.is_empty(), "{line}");
        let seen = |c: char| (c.is_control() && !"\n\t".contains(c)) || c == '\u{202E}';
        assert!(!text.contains(seen), "{line}: {text:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn pictures_and_excerpts_fit_the_terminal() {
    let items = [
        "http://user:password@subdomain.example.org:8080/a/long/path/with/many/segments?query=1#fragment",
        "http://例え.例え.例え.例え.例え/例え/例え/例え/例え/例え/例え/例え/例え?例え#例え",
        "http://a.example/e\u{301}/\u{202E}/👩\u{200D}👩\u{200D}👧/❤\u{FE0F}❤\u{FE0F}❤\u{FE0F}❤\u{FE0F}❤\u{FE0F}❤\u{FE0F}",
        "http://[v1.abcdefghijklmnopqrstuvwxyz]:1/?#",
        "http://a.example/aaaaaaaaaaaaaaaaaaaa?#",
        "",
        "?#",
    ];
    let long = format!("http://a.example/{}|\u{1B}{}", "例é".repeat(60), "b".repeat(300));
    let file =
        TempFile::new("wide", items.join("\n") + "\n" + &long + "\n|" + &"例".repeat(99) + "\n");
    for width in 40..=100 {
        let text = on_terminal(width, &format!("iri parse {}", file.name()));
        let paths = text.lines().filter(|line| line.starts_with("  path   ")).count();
        assert_eq!(paths, items.len(), "{text}");
        assert_eq!(text.matches('^').count(), 2, "{text}");
        for line in text.lines().filter(|line| !line.contains(": error: ")) {
            assert!(unicode_width::UnicodeWidthStr::width(line) <= width, "{width}: {line}");
        }
    }
    let text = on_terminal(60, &format!("iri check --all {}", file.name()));
    assert!(text.lines().any(|line| line.trim() == "^"), "{text}");
}
