//! One set of options: each holds for every command for which it can mean something, and the others say what to use.

use std::fs;
use std::io::{Read, Seek};

use super::{TempFile, run};

/// The options of the set.
const SET: [&str; 9] = [
    "--output",
    "--in-place",
    "--to",
    "--add",
    "--errors",
    "--keep",
    "--max-errors",
    "--recursive",
    "--json",
];

/// The commands that read records.
const COMMANDS: [&str; 23] = [
    "check",
    "parse",
    "lint",
    "stats",
    "extract",
    "to-uri",
    "to-iri",
    "normalize",
    "dedup",
    "join",
    "resolve",
    "relativize",
    "prepare",
    "display",
    "redact",
    "bidi",
    "escape",
    "host",
    "interpret",
    "judge",
    "skeleton",
    "archive-key",
    "unescape",
];

#[test]
fn each_option_holds_or_says_what_to_use() {
    for command in COMMANDS {
        let help = run(&[command, "--help"], "").text().to_owned();
        for option in SET {
            let has_it = help.lines().any(|line| {
                let words = line.trim_start();
                words.starts_with('-') && words.split([' ', ',']).any(|word| word == option)
            });
            if has_it {
                continue;
            }
            let found = run(&[command, option, "x"], "");
            assert_eq!(found.code, 2, "{command} {option}");
            let advice = found.err.split_once("  tip: ").map(|(_, advice)| advice.trim());
            let advice = advice.unwrap_or_else(|| panic!("{command} {option}: {}", found.err));
            assert!(
                advice.contains("iri ") || advice.contains('-'),
                "{command} {option}: {advice}"
            );
        }
    }
    // An option that another command has is named with that command.
    let found = run(&["explain", "--redirects", "x"], "");
    assert!(found.err.contains("these commands have --redirects: dedup, join"), "{}", found.err);
    // A slip of a finger is no option of another command.
    for (typed, meant) in
        [("--form", "--from"), ("--fom", "--from"), ("--frm", "--from"), ("--feild", "--field")]
    {
        let found = run(&["check", typed, "x"], "");
        assert!(found.err.contains(&format!("'{meant}'")), "{typed} {}", found.err);
        assert!(!found.err.contains("these commands"), "{typed} {}", found.err);
    }
    let found = run(&["check", "--no-such-option"], "");
    assert!(!found.err.contains("these commands"), "{}", found.err);
}

/// The names under which people look for a command.
#[test]
fn a_command_is_found_under_other_names() {
    for (typed, command) in [
        ("validate", "check"),
        ("is-valid", "check"),
        ("Verify", "check"),
        ("canonicalize", "normalize"),
        ("canonicalise", "normalize"),
        ("sort", "normalize"),
        ("count", "stats"),
        ("uniq", "dedup"),
        ("links", "extract"),
        ("url_decode", "decode"),
        ("punycode", "host"),
        ("urljoin", "resolve"),
        ("fix", "prepare"),
        ("ssrf", "judge"),
        ("anonymize", "redact"),
    ] {
        for before in [&[][..], &["-q"]] {
            let found = run(&[before, &[typed, "-i", "http://a"]].concat(), "");
            assert_eq!(found.code, 2, "{typed}");
            assert!(found.err.contains(&format!("'{command}'")), "{typed} {}", found.err);
            assert_eq!(found.err.matches("tip:").count(), 1, "{typed} {}", found.err);
            assert_eq!(run(&[command, "--help"], "").code, 0, "{command}");
        }
    }
    // What clap finds stays, and the commands of a command are its own.
    let found = run(&["normalise"], "");
    assert!(found.err.contains("'normalize'"), "{}", found.err);
    let found = run(&["template", "validate"], "");
    assert!(!found.err.contains("'check'"), "{}", found.err);
}

/// What `parse` makes of an item is a result like that of the other commands.
#[test]
fn parse_makes_fields_and_files() {
    let table = "n,url\n1,http://b.example/x\n2,a b\n3,\"http://c.example/\"\n";
    let csv = ["--from", "csv", "--field", "url"];
    let with =
        |options: &[&str]| run(&[&["parse", "-g", "{host}"], &csv[..], options].concat(), table);
    let added = with(&["--add", "host", "--keep", "input"]);
    assert_eq!(
        added.text(),
        "n,url,host\n1,http://b.example/x,b.example\n2,a b,\n3,\"http://c.example/\",c.example\n"
    );
    assert_eq!(added.code, 1);
    assert_eq!(
        with(&["--to", "jsonl"]).text(),
        "{\"n\":\"1\",\"url\":\"b.example\"}\n{\"n\":\"3\",\"url\":\"c.example\"}\n"
    );
    // Without another place, the text is a line, as without these options.
    let errors = TempFile::new("options-errors", "");
    let aside = with(&["--errors", errors.name()]);
    assert_eq!(aside.text(), with(&[]).text());
    let errors = fs::read_to_string(errors.name()).unwrap();
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.contains("2,a b"), "{errors}");
    // The place of an item is known there too.
    let places = run(&["parse", "-g", "{file}:{line} {path}", "--to", "lines"], "x:a\n\nx:b\n");
    assert_eq!(places.text(), "<stdin>:1 a\n<stdin>:2 \n<stdin>:3 b\n");
    for option in ["--add=x", "--to=csv", "--errors=x", "--keep=empty"] {
        let refused = run(&["parse", option], "x:a\n");
        assert_eq!(refused.code, 2);
        assert!(refused.err.contains("-g '{host}'"), "{option}: {}", refused.err);
    }
    let file = TempFile::new("options-parse", "http://b/1\na b\nhttp://c/2\n");
    assert_eq!(run(&["parse", "-g", "{host}", "--in-place", file.name()], "").code, 1);
    assert_eq!(fs::read_to_string(file.name()).unwrap(), "b\na b\nc\n");
}

/// In place, a file gets what is printed otherwise. The second run changes nothing.
#[test]
fn a_file_gets_what_is_printed() {
    let lines = "http://a.example:80/%7e\nhttp://A.example/~\na b\nhttp://a.example/~\n";
    let page = "<p><a href=\"http://a.example:80/%7e\">x</a> <a href='a b'>y</a>\n";
    for (words, from, input) in [
        (&["lint", "--fix-all"][..], "lines", lines),
        (&["lint", "--fix"], "lines", lines),
        (&["lint", "--fix-all"], "html", page),
        (&["dedup", "--keep", "input"], "lines", lines),
        (&["dedup", "--level", "scheme", "--keep", "input"], "lines", lines),
    ] {
        let printed = run(&[words, &["--from", from]].concat(), input);
        let file = TempFile::new("options-in-place", input);
        let in_place = |options: &[&str]| {
            let all = [words, &["--from", from, "--in-place"], options, &[file.name()]].concat();
            run(&all, "")
        };
        let backup = format!(".{}", words.len() * 10 + from.len());
        let first = in_place(&["--backup", &backup]);
        assert_eq!(first.code, printed.code, "{words:?} {}", first.err);
        assert_eq!(first.text(), "");
        assert_eq!(fs::read_to_string(file.name()).unwrap(), printed.text(), "{words:?}");
        let old = format!("{}{backup}", file.name());
        assert_eq!(fs::read_to_string(&old).unwrap(), input, "{words:?}");
        fs::remove_file(old).unwrap();
        assert_eq!(in_place(&[]).code, printed.code, "{words:?}");
        assert_eq!(fs::read_to_string(file.name()).unwrap(), printed.text(), "{words:?}");
        // A run that stops early leaves the file as it is.
        fs::write(file.name(), input).unwrap();
        assert_eq!(in_place(&["--fail-fast"]).code, 2, "{words:?}");
        assert_eq!(fs::read_to_string(file.name()).unwrap(), input, "{words:?}");
    }
    // What is set aside is not in the file.
    let file = TempFile::new("options-aside", lines);
    let errors = TempFile::new("options-aside-errors", "");
    let options = ["lint", "--fix", "--in-place", "--errors", errors.name(), file.name()];
    assert_eq!(run(&options, "").code, 1);
    let printed = run(&["lint", "--fix"], lines.replace("a b\n", ""));
    assert_eq!(fs::read_to_string(file.name()).unwrap(), printed.text());
    assert!(fs::read_to_string(errors.name()).unwrap().contains("\"record\":\"a b\""));
    let page = TempFile::new("options-page", page);
    let refused = run(&["dedup", "--from", "html", "--in-place", page.name()], "");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("use -o"), "{}", refused.err);
    for option in ["--add=x", "--to=csv", "--errors=x", "--keep=empty"] {
        let refused = run(&["lint", option], "x:a\n");
        assert!(
            refused.code == 2 && refused.err.contains("add --fix"),
            "{option}: {}",
            refused.err
        );
    }
}

/// A command that stops has counted what it printed.
#[test]
fn a_run_stops_after_its_limit() {
    let input: String = (0..5_000)
        .map(
            |number| {
                if number % 10 == 7 { format!("a b{number}\n") } else { format!("x:{number}\n") }
            },
        )
        .collect();
    for words in [
        &["parse", "--json"][..],
        &["lint", "--json"],
        &["dedup"],
        &["lint", "--fix"],
        &["parse", "-g{path}"],
    ] {
        for (jobs, most) in [("1", 1_usize), ("2", 3), ("2", 100)] {
            let most_text = most.to_string();
            let options = ["-v", "-j", jobs, "--max-errors", &most_text];
            let found = run(&[words, &options].concat(), &input);
            assert_ne!(found.code, 0, "{words:?}");
            // The record of the last error is the last one.
            let items = (most - 1) * 10 + 8;
            let counted = format!("{items} items, ");
            assert!(found.err.contains(&counted), "{words:?} {most}: {}", found.err);
        }
    }
}

/// A folder is read as its files are.
#[test]
fn extract_reads_folders() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("a/page.html", "<a href='b/c'> http://shown.example/ </a>\n");
    write("a/notes.md", "[x](http://d.example/) `http://code.example/`\n");
    write("b.txt", "see http://e.example/ and f.com\n");
    write(".hidden.txt", "http://hidden.example/\n");
    write("g.bin", "http://unknown.example/\n");
    write("h.parquet", "http://columns.example/\n");
    let name = folder.path().to_str().unwrap();
    let found = run(&["extract", "-r", name], "");
    assert_eq!(found.text(), "http://d.example/\nb/c\nhttp://e.example/\nf.com\n", "{}", found.err);
    assert!(found.err.contains("1 file is left out"), "{}", found.err);
    let all = run(&["extract", "-r", "--context", "plain", name], "");
    assert!(all.text().contains("http://unknown.example/"), "{}", all.text());
    assert!(!all.text().contains("columns"), "{}", all.text());
    // The name decides for a file that is named, too; an option decides against it.
    let page = folder.path().join("a/page.html");
    let page = page.to_str().unwrap();
    assert_eq!(run(&["extract", page], "").text(), "b/c\n");
    assert_eq!(run(&["extract", "--from", "plain", page], "").text(), "http://shown.example/\n");
    assert_eq!(run(&["extract", "--from", "md"], "[x](y)").text(), "y\n");
}

/// Runs the program with standard output and standard error in one file. Returns what both print.
fn run_joined(args: &[&str]) -> String {
    let mut output = tempfile::tempfile().unwrap();
    let [out, err] = [(); 2].map(|()| output.try_clone().unwrap());
    super::iri(args).stdout(out).stderr(err).status().unwrap();
    let mut text = String::new();
    output.rewind().unwrap();
    output.read_to_string(&mut text).unwrap();
    text
}

/// No report is written to a file that is replaced, wherever reports go.
#[test]
fn reports_belong_to_no_file() {
    let input = "http://a.example:80/\na b\nhttp://a.example/\n";
    for words in [
        &["normalize"][..],
        &["to-uri"],
        &["prepare", "--profile", "strict"],
        &["parse", "-g", "{input}"],
        &["lint", "--fix"],
        &["dedup"],
    ] {
        let files =
            ["apart", "joined"].map(|name| TempFile::new(&format!("options-{name}"), input));
        run(&[words, &["--in-place", files[0].name()]].concat(), "");
        let printed = run_joined(&[words, &["--in-place", files[1].name()]].concat());
        let [apart, joined] = files.each_ref().map(|file| fs::read_to_string(file.name()).unwrap());
        assert_eq!(joined, apart, "{words:?}");
        assert!(printed.contains(":2:") && joined.contains("a b\n"), "{words:?} {printed}");
    }
}

/// A record of a file that is replaced stays if its result has no place, and a row of any length keeps its columns.
#[test]
fn no_record_is_lost_for_its_new_field() {
    let file =
        TempFile::new("options-add", "{\"u\":\"http://a/\"}\n{\"u\":\"http://b/\",\"h\":1}\n");
    let add = ["parse", "-g{host}", "--from", "jsonl", "--field", "/u", "--add", "h", "--in-place"];
    assert_eq!(run(&[&add[..], &[file.name()]].concat(), "").code, 1);
    assert_eq!(
        fs::read_to_string(file.name()).unwrap(),
        "{\"u\":\"http://a/\",\"h\":\"a\"}\n{\"u\":\"http://b/\",\"h\":1}\n"
    );
    let broken = "{\"u\":\"A:b\"}{\n\"}\n{\"u\":\"A:c\"}\n{\"u\":\"a b\"}\n";
    let keep = ["normalize", "--from", "jsonl", "--field", "/u", "--add", "n", "--keep", "input"];
    assert_eq!(
        run(&keep, broken).text(),
        "{\"u\":\"A:b\"}{\n\"}\n{\"u\":\"A:c\",\"n\":\"a:c\"}\n{\"u\":\"a b\",\"n\":\"\"}\n"
    );
    let rows = "u,m,n\nhttp://a/,1,2\nhttp://b/\nhttp://c/,1,2,3\nhttp://a/,\"x\ny\",2\n";
    let csv = ["--from", "csv", "--field", "u"];
    let added = run(&[&["parse", "-g{host}", "--add", "h"], &csv[..]].concat(), rows);
    assert_eq!(added.text(), "u,m,n,h\nhttp://a/,1,2,a\nhttp://b/,,,b\nhttp://a/,\"x\ny\",2,a\n");
    assert!(added.err.contains("surplus-field") || added.err.contains("number 4"), "{}", added.err);
    let counted = run(&[&["dedup", "--count"], &csv[..]].concat(), rows);
    assert_eq!(counted.text(), "u,m,n,count\nhttp://a/,1,2,2\nhttp://b/,,,1\n", "{}", counted.err);
    // What --keep empty says is about records that fail.
    let empty =
        run(&[&["normalize", "--add", "k", "--keep", "empty"], &csv[..]].concat(), "u\nA:\na b\n");
    assert_eq!(empty.text(), "u,k\nA:,a:\na b,\n");
    assert_eq!(run(&["normalize", "--in-place", "--to", "csv", "x"], "").code, 2);
}

/// A run that stops prints nothing after it.
#[test]
fn nothing_is_printed_after_the_stop() {
    let input: String =
        (0..40_000)
            .map(|number| {
                if number % 700 == 699 {
                    "a b\n".to_owned()
                } else {
                    format!("x:{}\n", number % 900)
                }
            })
            .collect();
    let known: String = (0..450).map(|number| format!("x:{number}\n")).collect();
    let known = TempFile::new("options-known", &known);
    for words in [
        &["dedup"][..],
        &["dedup", "--count"],
        &["dedup", "--groups"],
        &["dedup", "--memory", "64K"],
        &["join", "-", known.name()],
        &["join", "--only-a", "-", known.name()],
    ] {
        for (most, jobs) in [(1, "1"), (3, "2"), (40, "2")] {
            let most_text = most.to_string();
            let found = run(&[words, &["-j", jobs, "--max-errors", &most_text]].concat(), &input);
            // The same records alone.
            let rest: String = input.split_inclusive('\n').take(most * 700 - 1).collect();
            let expected = run(words, &rest);
            let count = |text: &str| text.lines().filter(|line| !line.is_empty()).count();
            assert_eq!(count(found.text()), count(expected.text()), "{words:?} {most}");
            let words_of_end =
                if most == 1 { "stopped at the first error" } else { "; stopped after" };
            assert!(found.err.contains(words_of_end), "{words:?}: {}", found.err);
        }
    }
    // Without all of B, nobody knows what A alone has.
    let missing = run(&["join", "--only-a", "-", "/no/such/file"], &input);
    assert_eq!((missing.code, missing.text()), (2, ""));
}

/// A dry run says what a run would do.
#[test]
fn a_dry_run_is_a_run() {
    let file = TempFile::new("options-dry", "HTTP://a/1\na b\nHTTP://a/2\na b\n");
    for (options, code) in [(&["--max-errors", "1"][..], 2), (&["--from", "jsonl"], 2), (&[], 1)] {
        let all = [&["normalize", "--in-place"], options, &[file.name()]].concat();
        let before = fs::read_to_string(file.name()).unwrap();
        let dry = run(&[&all[..], &["--dry-run"]].concat(), "");
        assert_eq!(fs::read_to_string(file.name()).unwrap(), before);
        let real = run(&all, "");
        assert_eq!((dry.code, real.code), (code, code), "{options:?}: {}", dry.err);
        let is_changed = fs::read_to_string(file.name()).unwrap() != before;
        assert_eq!(!dry.text().is_empty(), is_changed, "{options:?}: {}", dry.text());
    }
}

/// An old file that is kept is no other output.
#[test]
fn a_backup_is_an_output() {
    let file = TempFile::new("options-backup", "HTTP://a/\na b\n");
    let errors = format!("{}.old", file.name());
    for words in [&["normalize"][..], &["dedup"], &["lint", "--fix"], &["parse", "-g{host}"]] {
        let options = ["--in-place", "--backup", ".old", "--errors", &errors, file.name()];
        let found = run(&[words, &options].concat(), "");
        assert_eq!(found.code, 2, "{words:?}");
        assert!(found.err.contains("the same file"), "{words:?}: {}", found.err);
        assert_eq!(fs::read_to_string(file.name()).unwrap(), "HTTP://a/\na b\n");
        assert!(fs::metadata(&errors).is_err());
    }
}

/// A value of a query with the end of a line does not make two lines.
#[test]
fn a_value_does_not_end_a_line() {
    for (input, options) in [
        ("http://a/?q=x%0Ay\nhttp://a/?q=z\n", &[][..]),
        ("http://a/?q=x%0Ay\nhttp://a/?q=z\n", &["--to", "lines"]),
        ("http://a/?q=x%00y\0http://a/?q=z\0", &["-0"]),
    ] {
        let found = run(&[&["parse", "-g{query:q}"], options].concat(), input);
        assert_eq!(
            (found.code, found.text().trim_end_matches(['\n', '\0'])),
            (1, "z"),
            "{options:?}"
        );
    }
    let csv = run(&["parse", "-g{query:q}", "--to", "csv"], "http://a/?q=x%0Ay\n");
    assert_eq!((csv.code, csv.text()), (0, "iri\n\"x\ny\"\n"));
}

/// What separates words is not what separates candidates of images.
#[test]
fn a_comma_is_part_of_a_word() {
    let page = "<a ping='HTTP://c/, HTTP://d/'><img srcset='HTTP://e/ 1x, HTTP://f/ 2x'>";
    let found = run(&["normalize", "--from", "html"], page);
    assert_eq!(found.text(), page.replace("HTTP", "http"));
}

/// A file that is replaced keeps each record, whatever `--keep` says.
#[test]
fn no_record_leaves_its_file() {
    let long = "b".repeat(100);
    let rows = format!("u,n\nHTTP://a/,1\nHTTP://b/,2,3\nHTTP://c/{long},4\n");
    let objects = format!(
        "{{\"u\":\"HTTP://a/\",\"k\":1}}\n{{\"u\":\"HTTP://b/\"}}\n{{\"u\":\"HTTP://c/{long}\"}}\n"
    );
    let page = format!("<urlset><url><loc>HTTP://a/</loc></url><!-- {long} --></urlset>\n");
    for (from, field, input) in
        [("csv", "u", &rows), ("jsonl", "/u", &objects), ("sitemap", "", &page)]
    {
        for keep in [&["--keep", "empty"][..], &["--keep", "input"], &[]] {
            for add in [&["--add", "k"][..], &[]] {
                if from == "sitemap" && !add.is_empty() {
                    continue;
                }
                let file = TempFile::new("options-kept", input);
                let field = if field.is_empty() { vec![] } else { vec!["--field", field] };
                let options = ["normalize", "--in-place", "--max-record", "64", "--from", from];
                run(&[&options[..], &field, keep, add, &[file.name()]].concat(), "");
                let after = fs::read_to_string(file.name()).unwrap();
                let lower = after.to_lowercase();
                let hosts = ["a", "b", "c"].map(|host| format!("http://{host}/"));
                let is_kept = |host: &String| {
                    lower.contains(host.as_str()) || !input.to_lowercase().contains(host.as_str())
                };
                assert!(hosts.iter().all(is_kept), "{from} {keep:?} {add:?}: {after}");
                assert!(after.contains(&long), "{from} {keep:?} {add:?}: {after}");
            }
        }
    }
}

/// Without an order, the records are the same.
#[test]
fn no_two_records_become_one() {
    let input: String =
        (0..60_000).map(|number| format!("HTTP://a/{}/{number}\n", "b".repeat(20))).collect();
    let input = input.trim_end();
    for words in
        [&["normalize"][..], &["check", "--valid"], &["to-uri"], &["dedup"], &["parse", "-g{path}"]]
    {
        let lines = |options: &[&str]| {
            let found = run(&[words, options].concat(), input);
            let mut lines: Vec<String> = found.text().lines().map(str::to_owned).collect();
            lines.sort_unstable();
            lines
        };
        assert_eq!(lines(&["--unordered", "-j", "4"]), lines(&[]), "{words:?}");
    }
    for words in [["normalize", "--in-place"], ["dedup", "--in-place"]] {
        assert_eq!(run(&[&words[..], &["--unordered", "x"]].concat(), "").code, 2);
    }
    // The first record of a class is kept.
    let spelled: String = (0..40_000)
        .map(|number| {
            format!("{}://a/{}\n", if number < 20_000 { "HTTP" } else { "http" }, number % 20_000)
        })
        .collect();
    let found = run(&["dedup", "--unordered", "-j", "4"], spelled);
    assert!(found.text().lines().count() == 20_000 && !found.text().contains("http:"));
}

/// A file in another charset is not replaced, because its other bytes would change.
#[test]
fn a_charset_is_not_changed_in_place() {
    let input = b"HTTP://b/\xe9\ncaf\xe9\n";
    for words in [&["normalize"][..], &["dedup"], &["lint", "--fix"], &["normalize", "--dry-run"]] {
        let file = TempFile::new("options-charset", input);
        let options = ["--in-place", "--charset", "latin1", file.name()];
        let found = run(&[words, &options].concat(), "");
        assert_eq!(found.code, 2, "{words:?}");
        assert!(found.err.contains("write UTF-8 to another file"), "{words:?}: {}", found.err);
        assert_eq!(fs::read(file.name()).unwrap(), input);
    }
    let archive = run(&["normalize", "--from", "warc", "--charset", "latin1"], "WARC/1.0\r\n");
    assert!(archive.code == 2 && archive.err.contains("leave out --charset"), "{}", archive.err);
}

/// The difference of a dry run has no reports in it, and a file that is not replaced has none.
#[test]
fn a_difference_is_only_a_difference() {
    let file = TempFile::new("options-diff", "HTTP://a/\na b\n");
    let dry = ["normalize", "--in-place", "--dry-run", file.name()];
    let apart = run(&dry, "");
    let joined = run_joined(&dry);
    assert!(joined.contains(apart.text()) && !joined.contains("+options"), "{joined}");
    assert!(
        !joined.lines().any(|line| line.starts_with('+') && line.contains("error")),
        "{joined}"
    );
    #[cfg(unix)]
    {
        let other = format!("{}.link", file.name());
        fs::hard_link(file.name(), &other).unwrap();
        let refused = run(&dry, "");
        fs::remove_file(other).unwrap();
        assert_eq!((refused.code, refused.text()), (2, ""), "{}", refused.err);
    }
}

/// An archive that ends within a record is not complete, and a record that is not one hides no other.
#[test]
fn an_archive_is_whole_or_not_complete() {
    let record = |name: &str| {
        format!("WARC/1.0\r\nWARC-Target-URI: HTTP://{name}/\r\nContent-Length: 1\r\n\r\nx\r\n\r\n")
    };
    let (one, two, three) = (record("a"), record("b"), record("c"));
    let complete = |input: &str| {
        let found = run(&["check", "-q", "--summary", "json", "--from", "warc"], input);
        let summary =
            &serde_json::from_str::<serde_json::Value>(found.err.lines().last().unwrap()).unwrap();
        (summary["complete"].as_bool().unwrap(), summary["valid"].as_u64().unwrap(), found.code)
    };
    assert_eq!(complete(&[&*one, &two, &three].concat()), (true, 3, 0));
    assert_eq!(complete(&[&*one, &two, &three, "\r\n"].concat()), (true, 3, 0));
    for length in 1..three.len() {
        let (is_complete, valid, code) =
            complete(&[&*one, &two, three.get(..length).unwrap()].concat());
        assert_eq!((is_complete, valid, code), (false, 2, 2), "{length}");
    }
    let broken = two.replace("WARC/1.0", "GARBAGE");
    assert_eq!(complete(&[&*one, &broken, &three].concat()), (true, 2, 1));
    // A record that is too long, and cut, is not the end either.
    let long = ["check", "-q", "--summary", "json", "--from", "warc", "--max-record", "256"];
    let cut = format!("WARC/1.0\r\nContent-Length: 5000\r\n\r\n{}", "x".repeat(4_000));
    assert_eq!(run(&long, [&*one, &cut].concat()).code, 2);
    let whole = format!("{cut}{}\r\n\r\n", "x".repeat(1_000));
    assert_eq!(run(&long, [&*one, &whole, &two].concat()).code, 1);
    let missing = two.replace("Content-Length", "Content");
    assert_eq!(complete(&[&*one, &missing, &three].concat()), (true, 2, 1));
}

/// A mapping command stops within a document, and its output is a beginning of the whole output.
#[test]
fn a_mapping_stops_within_a_document() {
    let links: String = (0..30)
        .map(|number| {
            if number % 3 == 2 {
                format!("<a href='http://b/%zz{number}'>x</a>\n")
            } else {
                format!("<a href='HTTP://a/{number}'>x</a>\n")
            }
        })
        .collect();
    for words in [
        &["normalize"][..],
        &["to-uri"],
        &["lint", "--fix"],
        &["normalize", "--to", "lines"],
        &["normalize", "--json"],
        &["parse", "-g{path}"],
    ] {
        let from = ["--from", "html", "-v"];
        let whole = run(&[words, &from].concat(), &links);
        for most in [1_usize, 3, 7] {
            let most_text = most.to_string();
            let found = run(&[words, &from, &["--max-errors", &most_text]].concat(), &links);
            assert!(
                found.err.contains(&format!("{} items, ", most * 3)),
                "{words:?} {most}: {}",
                found.err
            );
            assert!(whole.text().starts_with(found.text()), "{words:?} {most}: {}", found.text());
            assert!(found.text().len() < whole.text().len(), "{words:?} {most}");
        }
    }
}

/// What is decoded does not end a line.
#[test]
fn what_is_decoded_does_not_end_a_line() {
    let found = run(&["unescape", "--format", "html"], "http://x/&#10;y\nhttp://x/&amp;\n");
    assert_eq!((found.code, found.text()), (1, "http://x/&\n"));
    assert_eq!(run(&["interpret", "--in-place", "x"], "").code, 2);
}

/// The limit is that of the run, and not of each file.
#[test]
fn files_have_one_limit() {
    let input = "HTTP://a/\na b\nHTTP://b/\na b\nHTTP://c/\n";
    for words in [&["normalize"][..], &["lint", "--fix"], &["dedup"], &["parse", "-g{path}"]] {
        let files =
            ["1", "2", "3"].map(|name| TempFile::new(&format!("options-limit-{name}"), input));
        let names = files.each_ref().map(TempFile::name);
        let options = ["-v", "--in-place", "--max-errors", "5"];
        let found = run(&[words, &options, &names].concat(), "");
        assert_eq!(found.code, 2, "{words:?} {}", found.err);
        assert!(found.err.contains("stopped after 5"), "{words:?} {}", found.err);
        // The run stops in the third file, which stays.
        assert_eq!(fs::read_to_string(names[2]).unwrap(), input, "{words:?}");
    }
}

/// Advice is found wherever the command stands, and whatever bytes the arguments are.
#[cfg(unix)]
#[test]
fn advice_needs_no_order_and_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let found = run(&["-q", "check", "--keep", "input"], "");
    assert!(found.code == 2 && found.err.contains("tip: --valid"), "{}", found.err);
    let bytes = std::ffi::OsStr::from_bytes(b"\xff");
    for arguments in [&["check", "--keep"][..], &["--nothing"], &["check"]] {
        let output = super::iri(arguments).arg(bytes).arg("--no-such").output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let output = super::iri(&[]).arg(bytes).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

/// A result that is more than one line fails where its place is a line, and has a place everywhere else.
#[test]
fn a_result_is_one_line_where_its_place_is_a_line() {
    let archive = |query: &str| {
        format!(
            "WARC/1.0\r\nWARC-Target-URI: http://a/?q={query}\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
        )
    };
    for (value, fits_line, fits_header) in
        [("b", true, true), ("b%0Ac", false, false), ("b%0Dc", true, false), ("b%00c", true, true)]
    {
        let get = ["parse", "-g", "{query:q}", "--keep", "input"];
        let file = TempFile::new("one-line.warc", archive(value));
        let found = run(&[&get[..], &["--in-place", file.name()]].concat(), "");
        assert_eq!(found.code, i32::from(!fits_header), "{value} {}", found.err);
        let header = fs::read_to_string(file.name()).unwrap();
        assert_eq!(header.matches("\r\n").count(), 6, "{header:?}");
        assert_eq!(header == archive(value), !fits_header, "{header:?}");
        for to in [&["--to", "lines"][..], &[]] {
            let found = run(&[&get[..], to].concat(), format!("http://a/?q={value}\n"));
            assert_eq!((found.lines().len(), found.code), (1, i32::from(!fits_line)), "{value}");
        }
        for to in ["csv", "jsonl"] {
            let found = run(&[&get[..], &["--to", to]].concat(), format!("http://a/?q={value}\n"));
            assert_eq!(found.code, 0, "{value} {to} {}", found.err);
            let is_quoted = to == "jsonl" || value.contains("%0A") || value.contains("%0D");
            assert_eq!(found.text().contains("\"b"), is_quoted, "{value} {to} {}", found.text());
        }
        let nul =
            run(&[&get[..], &["-0", "--to", "lines"]].concat(), format!("http://a/?q={value}\0"));
        assert_eq!(nul.out.iter().filter(|byte| **byte == 0).count(), 1, "{value} {:?}", nul.out);
        assert_eq!(nul.code, i32::from(value == "b%00c"), "{value}");
    }
}

/// A statement with several addresses that fail is one record that fails, with the kind of the first.
#[test]
fn a_record_has_one_kind_of_error() {
    let statements = "<a b> <c%zz> <d:e> .\n<a:b> <c d> <e%> .\n<a:b> <c:d> <e:f> .\n";
    let found = run(&["normalize", "--from", "nt", "-q", "--summary", "json"], statements);
    let summary: serde_json::Value = serde_json::from_str(&found.err).unwrap();
    assert_eq!((&summary["items"], &summary["failed"]), (&3.into(), &2.into()), "{summary}");
    let kinds = summary["kinds"].as_object().unwrap().values();
    assert_eq!(kinds.filter_map(serde_json::Value::as_u64).sum::<u64>(), 2, "{summary}");
}

/// A new field is in one column, whether the columns have names or not.
#[test]
fn a_new_field_is_in_one_column() {
    let rows = "1,HTTP://a/,x\n2,HTTP://b/\n3\n4,HTTP://c/,x,y\n";
    for (head, options) in [("n,u,t\n", &[][..]), ("", &["--no-header"])] {
        let args = ["normalize", "-q", "--from", "csv", "--field", "2", "--add", "v"];
        let found =
            run(&[&args[..], options, &["--keep", "input"]].concat(), format!("{head}{rows}"));
        let last: Vec<&str> =
            found.lines().into_iter().filter(|line| !line.starts_with('n')).collect();
        let expected =
            ["1,HTTP://a/,x,http://a/", "2,HTTP://b/,,http://b/", "3,,,", "4,HTTP://c/,x,y"];
        assert_eq!((last, found.code), (expected.to_vec(), 1), "{options:?}");
    }
    // A blank line is not a row.
    let args = ["normalize", "--from", "csv", "--no-header", "--field", "2", "--add", "v"];
    let found = run(&args, "\u{FEFF}\n\r\n1,HTTP://a/\n");
    assert_eq!(
        (found.text(), found.code),
        ("\u{FEFF}\n\r\n1,HTTP://a/,http://a/\n", 0),
        "{}",
        found.err
    );
    let nulls = "{\"u\":null}\n{\"u\":\"HTTP://a/\"}\n";
    let found = run(&["normalize", "--from", "jsonl", "--field", "/u", "--add", "v"], nulls);
    assert_eq!(
        found.text(),
        "{\"u\":null,\"v\":null}\n{\"u\":\"HTTP://a/\",\"v\":\"http://a/\"}\n"
    );
}

/// A block that has no record but one that is too long has no names, and no table.
#[test]
fn a_long_record_comes_before_the_names() {
    let long = "x".repeat(100_000);
    for (args, input) in [
        (&["--from", "lines"][..], format!("{long}\nA:b\n")),
        (
            &["--from", "jsonl", "--field", "/u"],
            format!("{{\"v\":\"{long}\"}}\n{{\"u\":\"A:b\"}}\n"),
        ),
        (&["--from", "csv", "--no-header", "--field", "1"], format!("{long}\nA:b\n")),
    ] {
        for to in ["lines", "csv", "jsonl", "arrow", "parquet"] {
            if cfg!(not(feature = "columnar")) && ["arrow", "parquet"].contains(&to) {
                continue;
            }
            let options = ["normalize", "-v", "--max-record", "4K", "--to", to];
            for input in [input.clone(), format!("{long}\n")] {
                let found = run(&[&options[..], args].concat(), &input);
                // Without a record there are no columns.
                let has_none = !input.contains("A:b") && ["arrow", "parquet"].contains(&to);
                assert_eq!(found.code, if has_none { 2 } else { 1 }, "{args:?} {to} {}", found.err);
                assert_eq!(found.err.contains("there is no record"), has_none, "{}", found.err);
            }
        }
    }
}
