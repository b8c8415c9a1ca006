//! `dedup` and `join`: the right records are kept, their bytes and their order stay, the result does not depend on
//! the memory, and no record is lost.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::{Run, TempFile, run};

/// Returns the last message on standard error.
fn summary(run: &Run) -> &str {
    run.err.lines().last().unwrap_or_default()
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        // Knuth's linear congruence, whose upper bits are the better ones.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % most
    }
}

/// An address of one of many classes at the level syntax, written in one of several ways, and its class.
fn address(random: &mut Random, classes: u64) -> (String, String) {
    let number = random.below(classes);
    let host = format!("h{}.test", number % 97);
    let path = format!("/{}/~{number}", "p".repeat(number as usize % 40));
    let class = format!("http://{host}{path}");
    let written = match random.below(5) {
        0 => class.clone(),
        1 => format!("HTTP://{}{path}", host.to_uppercase()),
        2 => class.replace('~', "%7e"),
        3 => class.replace('~', "./%7E"),
        _ => class.replace('~', "x/../~"),
    };
    (written, class)
}

/// Lines of addresses, some of them invalid; and for each line its class, or `None` if it is invalid.
fn corpus(lines: usize, classes: u64) -> (Vec<String>, Vec<Option<String>>) {
    let mut random = Random(3987);
    let line = |_| match random.below(50) {
        0 => ("http://[".to_owned(), None),
        _ => {
            let (written, class) = address(&mut random, classes);
            (written, Some(class))
        }
    };
    (0..lines).map(line).unzip()
}

#[test]
fn dedup_keeps_what_a_plain_set_keeps() {
    let (lines, classes) = corpus(40_000, 9_000);
    let input = format!("{}\n", lines.join("\n"));
    let mut seen = HashSet::new();
    let mut count: HashMap<&String, usize> = HashMap::new();
    classes.iter().flatten().for_each(|class| *count.entry(class).or_default() += 1);
    let (mut kept, mut counted, mut failed) = (String::new(), String::new(), 0);
    let mut groups: Vec<Vec<&str>> = Vec::new();
    let mut places = HashMap::new();
    for (line, class) in lines.iter().zip(&classes) {
        let Some(class) = class else {
            failed += 1;
            continue;
        };
        if seen.insert(class) {
            writeln!(kept, "{line}").unwrap();
            writeln!(counted, "{}\t{line}", count[class]).unwrap();
            places.insert(class, groups.len());
            groups.push(Vec::new());
        }
        groups[places[class]].push(line);
    }
    let groups: Vec<_> = groups.iter().map(|class| class.join("\n") + "\n").collect();
    let grouped = groups.join("\n");
    let others = lines.len() - failed - seen.len();
    assert!(seen.len() > 8_000 && others > 20_000 && failed > 500, "{} {others}", seen.len());
    for memory in ["1", "100K", "1M", "64M"] {
        for jobs in ["1", "2", "5"] {
            if memory == "1" && jobs != "2" {
                continue;
            }
            for (option, expected, word) in [
                ("--level=syntax", &kept, "kept"),
                ("--count", &counted, "kept"),
                ("--groups", &grouped, "different"),
            ] {
                // With a memory of one key, the input is read thousands of times.
                if memory == "1" && option != "--level=syntax" {
                    continue;
                }
                let found = run(&["dedup", "-j", jobs, "--memory", memory, option], &input);
                assert!(found.text() == expected, "{memory} {jobs} {option}");
                let sum = format!(
                    "iri: 40000 items, {} {word}, {others} duplicates, {failed} failed",
                    seen.len()
                );
                assert_eq!((summary(&found), found.code), (sum.as_str(), 1));
                assert_eq!(found.err.lines().count(), failed + 1);
            }
        }
    }
    // A second run removes nothing more.
    let again = run(&["dedup", "--memory", "100K"], &kept);
    assert_eq!((again.text(), again.code), (kept.as_str(), 0));
}

/// What a plain map makes of lines up to the failed line with the number `most`: the first of each class, with the count of the
/// class, the classes, and the first of each class with the lines that fail in their places.
fn plain(lines: &[String], classes: &[Option<String>], most: usize) -> [String; 4] {
    let mut places: HashMap<&String, usize> = HashMap::new();
    let mut groups: Vec<Vec<&str>> = Vec::new();
    let (mut failed, mut kept) = (0, String::new());
    for (line, class) in lines.iter().zip(classes) {
        let Some(class) = class else {
            failed += 1;
            writeln!(kept, "{line}").unwrap();
            if failed == most {
                break;
            }
            continue;
        };
        let place = *places.entry(class).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
            writeln!(kept, "{line}").unwrap();
        }
        groups.get_mut(place).unwrap().push(line);
    }
    let first = |group: &Vec<&str>| format!("{}\n", group.first().unwrap());
    let counted = groups.iter().map(|group| format!("{}\t{}", group.len(), first(group))).collect();
    let first = groups.iter().map(first).collect();
    let all: Vec<_> = groups.iter().map(|group| group.join("\n") + "\n").collect();
    [first, counted, all.join("\n"), kept]
}

/// Files of several blocks, which threads look up in any order: equal keys, different keys, the same keys again in the other
/// order, and a line that is longer than a block.
#[test]
fn dedup_does_not_depend_on_the_order_in_which_threads_look_up() {
    let (mut lines, mut classes) = corpus(9_000, 1 << 40);
    let again = lines.iter().zip(&classes).rev().map(|(line, class)| (line.clone(), class.clone()));
    let again: Vec<_> = again.collect();
    for (line, class) in again {
        lines.push(line);
        classes.push(class);
    }
    let long = format!("http://a.test/{}", "b".repeat(700_000));
    lines.insert(12_000, long.clone());
    classes.insert(12_000, Some(long));
    for (equal, class) in
        [corpus(9_000, 1), corpus(9_000, 4_000)].into_iter().flat_map(|(a, b)| a.into_iter().zip(b))
    {
        lines.push(equal);
        classes.push(class);
    }
    let input = lines.join("\n") + "\n";
    assert!(input.len() > 8 << 18, "{}", input.len());
    let file = TempFile::new("dedup-order", &input);
    for most in [1, 2, 90, 200, usize::MAX] {
        let [first, counted, groups, kept] = plain(&lines, &classes, most);
        let limit = ["--max-errors", &most.min(1 << 40).to_string()].map(str::to_owned);
        for memory in ["20K", "600K", "3M", "64M"] {
            // The files of a small memory are read again and again.
            if memory == "20K" && most != 200 {
                continue;
            }
            for jobs in ["1", "2", "8"] {
                let options = ["dedup", "-j", jobs, "--memory", memory, &limit[0], &limit[1]];
                let more: [(&[&str], &String); 4] = [
                    (&[], &first),
                    (&["--count"], &counted),
                    (&["--groups"], &groups),
                    (&["--keep", "input"], &kept),
                ];
                for (more, expected) in more {
                    let found = run(&[&options[..], more, &[file.name()]].concat(), "");
                    assert!(found.text() == *expected, "{most} {memory} {jobs} {more:?}");
                }
                if most == usize::MAX {
                    let options = &options[1..5];
                    std::fs::write(file.name(), &input).unwrap();
                    run(&[&["dedup", "--in-place"], options, &[file.name()]].concat(), "");
                    assert!(std::fs::read_to_string(file.name()).unwrap() == kept, "{memory}");
                    std::fs::write(file.name(), &input).unwrap();
                }
            }
        }
    }
    for input in ["", "\n", "a:b", "\n\na:b\nA:b"] {
        let mut seen = HashSet::new();
        let lines = input.split_inclusive('\n');
        let first: String =
            lines.filter(|line| seen.insert(line.trim_end().to_lowercase())).collect();
        for jobs in ["1", "8"] {
            assert_eq!(run(&["dedup", "-j", jobs], input).text(), first, "{input:?}");
        }
    }
}

#[test]
fn join_tells_what_a_plain_set_tells() {
    let (lines, classes) = corpus(12_000, 8_000);
    let (a, b) = lines.split_at(8_000);
    let (of_a, of_b) = classes.split_at(8_000);
    let known: HashSet<_> = of_b.iter().flatten().collect();
    let (mut both, mut only) = (String::new(), String::new());
    for (line, class) in a.iter().zip(of_a) {
        let Some(class) = class else { continue };
        writeln!(if known.contains(class) { &mut both } else { &mut only }, "{line}").unwrap();
    }
    let invalid =
        |classes: &[Option<String>]| classes.iter().filter(|class| class.is_none()).count();
    let sum = format!(
        "iri: A: 8000 items, {} only in A, {} in both, {} failed; B: 4000 items, {} failed",
        only.lines().count(),
        both.lines().count(),
        invalid(of_a),
        invalid(of_b)
    );
    let b = TempFile::new("join-set-b", b.join("\n"));
    for memory in ["30K", "300K", "64M"] {
        for jobs in ["1", "3"] {
            for (option, expected) in [("--only-a", &only), ("--both", &both), ("-0", &both)] {
                let args = ["join", "-", b.name(), "--memory", memory, "-j", jobs, option];
                let args = args.map(|arg| if arg == "-0" { "--level=syntax" } else { arg });
                let found = run(&args, format!("{}\n", a.join("\n")));
                assert!(found.text() == expected, "{memory} {jobs} {option}");
                assert_eq!((summary(&found), found.code), (sum.as_str(), 1));
            }
        }
    }
}

#[test]
fn each_level_ignores_what_compare_ignores() {
    let classes = [
        "http://a.test/é",
        "http://a.test/%C3%A9",
        "http://a.test:80/é",
        "http://a.test/é#f",
        "http://b\u{FC}cher.test/",
        "http://xn--bcher-kva.test/",
        "http://ѕсоре.test/",
        "http://scope.test/",
        "http://[::1]/",
        "http://[0:0::1]/",
    ];
    let input = classes.join("\n") + "\n";
    let table: [(&[&str], &[usize]); 8] = [
        (&["--level", "simple"], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (&["--level", "syntax"], &[0, 2, 3, 4, 5, 6, 7, 8, 9]),
        (&[], &[0, 3, 4, 5, 6, 7, 8, 9]),
        (&["--level", "scheme", "--without-fragment"], &[0, 4, 5, 6, 7, 8, 9]),
        (&["--level", "scheme-idna"], &[0, 3, 4, 6, 7, 8, 9]),
        (&["--level", "skeleton"], &[0, 1, 2, 3, 4, 6, 8, 9]),
        (&["--rule", "ipv6"], &[0, 3, 4, 5, 6, 7, 8]),
        (&["--recipe", "crawler"], &[0, 4, 6, 7, 8]),
    ];
    for (options, expected) in table {
        let found = run(&[&["dedup"], options].concat(), &input);
        let kept: Vec<_> = expected.iter().map(|place| classes[*place]).collect();
        assert_eq!(found.lines(), kept, "{options:?}");
    }
    let found = run(&["dedup", "--base", "http://a.test/b/"], "../c\n/c\nhttp://a.test/d\n/d\nc\n");
    assert_eq!(found.lines(), ["../c", "http://a.test/d", "c"]);
}

#[test]
fn redirects_make_classes_of_pairs() {
    let pairs = TempFile::new(
        "pairs",
        "http://a/\tHTTP://b/\r\n\nhttp://c/\thttp://d/\nhttp://b/\thttp://c/",
    );
    let input = "http://d/\nhttp://x/\nhttp://A/\nhttp://c/\nhttp://x/\n";
    let found = run(&["dedup", "--redirects", pairs.name()], input);
    assert_eq!((found.lines(), found.code), (vec!["http://d/", "http://x/"], 0), "{}", found.err);
    let b = TempFile::new("moved", "http://c/");
    let found = run(&["join", "-", b.name(), "--redirects", pairs.name(), "--only-a"], input);
    assert_eq!(found.lines(), ["http://x/", "http://x/"]);
    for (text, message) in [
        ("a:b\ta:c\na:b\n", ":2: no tab at byte 3; write a and b with one tab between them"),
        ("a:b\ta|c", ":1: b: '|' at byte 1 is not allowed in a path; write %7C"),
    ] {
        let pairs = TempFile::new("bad-pairs", text);
        let found = run(&["dedup", "--redirects", pairs.name()], input);
        assert_eq!((found.code, found.text()), (2, ""));
        assert!(found.err.contains(message), "{}", found.err);
    }
}

#[test]
fn records_of_each_format_come_back() {
    let table: [(&[&str], &[u8], &[u8]); 11] = [
        (&["--from", "lines"], b"\xEF\xBB\xBFa:b\r\nA:b\na:c", b"\xEF\xBB\xBFa:b\r\na:c"),
        (&["-0"], b"a:b\0a:b\0a:c\0", b"a:b\0a:c\0"),
        (
            &["--from", "csv", "--field", "u"],
            b"x, \"u\",u\r\n\"1\n,\"\"\",\"\", \"A:b\"\r\n\"2\n\",,a:b\r\n\"1\n,\"\"\",\"\",a:b\r\n\n3,,\"a:c\"",
            b"x, \"u\",u\r\n\"2\n\",,a:b\r\n\n3,,\"a:c\"",
        ),
        (&["--from", "tsv", "--field", "2"], b"u\tv\nx\tA:b\ny\t\"a:b\"\n", b"u\tv\nx\tA:b\n"),
        (
            &["--from", "jsonl", "--field", "/u"],
            b"{ \"u\":\"a:b\", \"n\":1}\n\n{\"u\":\"\\u0061:b\"}\n{\"u\":\"a:c\"}",
            b"{ \"u\":\"a:b\", \"n\":1}\n\n{\"u\":\"a:c\"}",
        ),
        (
            &["--from", "log"],
            b"1 - - [x] \"GET /a HTTP/1.1\" 200 1\n2 - - [x] \"GET /./a HTTP/1.1\" 200 1\n\
              3 - - [x] \"GET /%61 HTTP/1.1\" 200 1\n",
            b"1 - - [x] \"GET /a HTTP/1.1\" 200 1\n2 - - [x] \"GET /./a HTTP/1.1\" 200 1\n",
        ),
        (
            &["--from", "nt"],
            b"# c\n<a:s> <a:p> \"x\" .\n<A:s> <a:p> \"x\" .\n<a:s> <a:p> \"y\" .\n_:b <a:p> _:c .\n_:b <A:p> _:c .\n",
            b"# c\n<a:s> <a:p> \"x\" .\n<a:s> <a:p> \"y\" .\n_:b <a:p> _:c .\n",
        ),
        (
            &["--from", "nq", "--field", "s"],
            b"<a:s> <a:p> \"x\" <a:g> .\n<A:s> <a:p> \"y\" <a:g> .\n",
            b"<a:s> <a:p> \"x\" <a:g> .\n",
        ),
        (
            &["--from", "warc"],
            b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 3\r\n\r\na\nb\r\n\r\n\
              WARC/1.0\r\nWARC-Target-URI: a:b\r\nContent-Length: 1\r\n\r\nx\r\n\r\n\
              WARC/1.0\r\nWARC-Target-URI: A:b\r\nContent-Length: 1\r\n\r\ny\r\n\r\n",
            b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 3\r\n\r\na\nb\r\n\r\n\
              WARC/1.0\r\nWARC-Target-URI: a:b\r\nContent-Length: 1\r\n\r\nx\r\n\r\n",
        ),
        (
            &["--from", "html"],
            b"<a href=\"http://a/?b&amp;c\">x</a> <a href='HTTP://a/?b&amp;c'>y</a> <img src=/d>",
            b"http://a/?b&c\n/d\n",
        ),
        (
            &["--from", "sitemap"],
            b"<urlset><url><loc>http://a/</loc></url><url><loc>HTTP://a/</loc></url></urlset>",
            b"http://a/\n",
        ),
    ];
    for (args, input, expected) in table {
        for memory in ["1", "1M"] {
            let args = [&["dedup", "--memory", memory], args].concat();
            let found = run(&args, input);
            let (found_text, expected) =
                (found.out.escape_ascii().to_string(), expected.escape_ascii().to_string());
            if args.contains(&"csv") {
                // The space before the quote belongs to the field, which is no reference.
                assert!(
                    found.err.contains("<stdin>:3:9: error") && found.code == 1,
                    "{}",
                    found.err
                );
            } else {
                assert_eq!(found.code, 0, "{args:?} {}", found.err);
            }
            assert_eq!(found_text, expected, "{args:?}");
        }
    }
}

#[test]
fn parts_of_a_statement_do_not_run_together() {
    // The terms and the bytes between them differ, but their concatenations are the same.
    let input = "<a:b> <a:c> \"<a:d>\" .\n<a:b> <a:c> <a:d> .\n<a:b>  <a:c> <a:d> .\n";
    let found = run(&["dedup", "--from", "nt"], input);
    assert_eq!(found.text(), input);
}

#[test]
fn join_prints_the_header_and_the_blank_lines_of_a_alone() {
    let a = TempFile::new("ja.csv", "id,url\n1,http://a/\n\n2,http://b/\n3\n");
    let b = TempFile::new("jb.txt", "HTTP://a/\nhttp://c/\n");
    for memory in ["1", "1M"] {
        let join = ["join", a.name(), b.name(), "--memory", memory, "--field", "url"];
        let found = run(&[&join[..], &["--from-b", "lines"]].concat(), "");
        assert_eq!((found.text(), found.code), ("id,url\n1,http://a/\n\n", 1), "{}", found.err);
        assert_eq!(
            summary(&found),
            "iri: A: 3 items, 1 only in A, 1 in both, 1 failed; B: 2 items, 0 failed"
        );
        let found = run(&[&join[..], &["--from-b", "lines", "--only-a"]].concat(), "");
        assert_eq!(found.text(), "id,url\n\n2,http://b/\n");
    }
    let c = TempFile::new("jc.csv", "x;y\nq;http://b/\n");
    let args = ["join", a.name(), c.name(), "--field", "2", "--field-b", "1", "--delimiter", ","];
    assert_eq!(run(&args, "").code, 1);
    for args in [&["join"][..], &["join", "a"], &["join", "a", "b", "c"], &["join", "-", "-"]] {
        assert_eq!(run(args, "").code, 2, "{args:?}");
    }
}

#[test]
fn groups_have_one_header_and_whole_lines() {
    let input = "id,url\n1,http://a/\n\n2,http://b/\n3,HTTP://a/";
    for memory in ["1", "1M"] {
        let args = ["dedup", "--from", "csv", "--field", "url", "--groups", "--memory", memory];
        assert_eq!(run(&args, input).text(), "id,url\n1,http://a/\n3,HTTP://a/\n\n2,http://b/\n");
    }
    let found = run(&["dedup", "-0", "--groups"], "a:b\0a:c\0A:b");
    assert_eq!(found.text(), "a:b\0A:b\0\0a:c\0");
}

/// A count as a field is that of a plain map, in every format with fields, whatever the memory and the jobs.
#[test]
fn a_count_as_a_field_is_that_of_a_plain_map() {
    let (addresses, classes) = corpus(12_000, 3_000);
    let mut count: HashMap<&String, usize> = HashMap::new();
    classes.iter().flatten().for_each(|class| *count.entry(class).or_default() += 1);
    let first = |number: usize| classes[..number].iter().all(|class| *class != classes[number]);
    let firsts: Vec<_> = (0..addresses.len())
        .filter(|number| classes[*number].is_some() && first(*number))
        .map(|number| (number, count[classes[number].as_ref().unwrap()]))
        .collect();
    assert!(firsts.len() > 2_500 && firsts.iter().any(|(_, count)| *count > 9));
    // Each record before and after the place of its count.
    /// The arguments, the header without a count and with one, and the parts of a record.
    type Format<'f> = (&'f [&'f str], &'f str, &'f str, &'f dyn Fn(usize) -> [String; 2]);
    let formats: [Format<'_>; 4] = [
        (&["csv", "--field", "url"], "url,n\r\n", "url,n,count\r\n", &|number| {
            [format!("{},{number}", addresses[number]), ",\r\n".to_owned()]
        }),
        (&["tsv", "--no-header", "--field", "2"], "", "", &|number| {
            [format!("\"a\nb\"\t{}", addresses[number]), "\t\n".to_owned()]
        }),
        (&["jsonl", "--field", "/a/0"], "", "", &|number| {
            [format!(r#"{{"a": ["{}"]"#, addresses[number]), " }\n".to_owned()]
        }),
        (&["cdxj"], "", "", &|number| {
            [format!(r#"a)/ 20260101 {{"url": "{}""#, addresses[number]), "}\n".to_owned()]
        }),
    ];
    for (from, head, named, parts) in formats {
        let is_table = from[0] == "csv" || from[0] == "tsv";
        let (mut input, mut expected) = (head.to_owned(), named.to_owned());
        for number in 0..addresses.len() {
            let [before, after] = parts(number);
            let after = after.trim_start_matches([',', '\t']);
            input += &format!("{before}{after}");
        }
        for (number, count) in &firsts {
            let [before, after] = parts(*number);
            if is_table {
                let (delimiter, end) = after.split_at(1);
                expected += &format!("{before}{delimiter}{count}{end}");
            } else {
                expected += &format!("{before},\"count\":{count}{after}");
            }
        }
        for memory in ["20K", "100K", "64M"] {
            for jobs in ["1", "2"] {
                let args = ["dedup", "--count", "-j", jobs, "--memory", memory, "--from"];
                let found = run(&[&args[..], from].concat(), &input);
                assert!(found.text() == expected, "{memory} {jobs} {from:?}");
            }
        }
    }
}

#[test]
fn a_count_is_a_field_with_a_name() {
    let csv = "id,url\n1,http://a/\n\n2,HTTP://a/\n3,http://[\n4,\"http://b/\"";
    let args = ["dedup", "--count", "--from", "csv", "--field", "url"];
    let found = run(&[&args[..], &["--add", "how, often"]].concat(), csv);
    let expected = "id,url,\"how, often\"\n1,http://a/,2\n\n4,\"http://b/\",1";
    assert_eq!((found.text(), found.code), (expected, 1));
    // A row that fails has the column, too.
    let found = run(&[&args[..], &["--keep", "input"]].concat(), csv);
    let expected = "id,url,count\n1,http://a/,2\n\n3,http://[,\n4,\"http://b/\",1";
    assert_eq!(found.text(), expected);
    let jsonl = "{\"a\":\"http://a/\"}\n{}\n{\"a\":\"HTTP://a/\"}\n";
    let args = ["dedup", "--count", "--add", "\"", "--from", "jsonl", "--field", "/a"];
    let found = run(&[&args[..], &["--keep", "input"]].concat(), jsonl);
    assert_eq!(found.text(), "{\"a\":\"http://a/\",\"\\\"\":2}\n{}\n");
    // A record that is no object has no place.
    let args = ["dedup", "--count", "--from", "jsonl", "--field", "/0"];
    let found = run(&args, "[\"http://a/\"]\n");
    assert_eq!((found.text(), found.code), ("", 1));
    assert!(found.err.contains("not a JSON object"), "{}", found.err);
    // The header of a second file is not printed again, and its rows have the column.
    let [a, b] = [("a-count.csv", "url\na:b\n"), ("b-count.csv", "url\nA:b\nc:d\n")];
    let files = [a, b].map(|(name, text)| TempFile::new(name, text));
    let names = [files[0].name(), files[1].name()];
    let found = run(&[&["dedup", "--count", "--field", "url"], &names[..]].concat(), "");
    assert_eq!(found.text(), "url,count\na:b,2\nc:d,1\n");
}

#[test]
fn a_count_needs_a_place() {
    let file = TempFile::new("count.nt", "");
    for (args, name) in [
        (&["--from", "log"][..], "log"),
        (&["--from", "nq"], "nq"),
        (&["--from", "warc"], "warc"),
        (&[file.name()], "nt"),
    ] {
        let found = run(&[&["dedup", "--count"], args].concat(), "");
        let message = format!(
            "iri: dedup: {name} has no place for --count; lines, csv, tsv, jsonl and cdxj have one, and iri \
             normalize with --to csv or --to jsonl writes records in such a format\n"
        );
        assert_eq!((found.err, found.code), (message, 2));
    }
    assert_eq!(run(&["dedup", "--add", "n"], "").code, 2);
}

#[test]
fn a_count_is_before_addresses_on_lines() {
    let file = TempFile::new("count.csv", "url\na:b\n");
    let found = run(&["dedup", "--count", file.name(), "--from", "lines"], "");
    assert_eq!(found.text(), "1\turl\n1\ta:b\n");
    let page = "<a href='http://a/?b&amp;c'><img src=d><a href='HTTP://a/?b&amp;c'>";
    let found = run(&["dedup", "--count", "--from", "html"], page);
    assert_eq!(found.text(), "2\thttp://a/?b&c\n1\td\n");
}

#[test]
fn a_charset_is_converted_before_records_are_compared() {
    let input = b"http://a/\xE9\nhttp://a/%C3%A9\nhttp://a/\xE8\n";
    for memory in ["1", "1M"] {
        let found = run(&["dedup", "--charset", "latin1", "--memory", memory], input);
        assert_eq!(found.text(), "http://a/é\nhttp://a/è\n");
    }
}

#[cfg(unix)]
#[test]
fn temporary_files_leave_nothing_behind() {
    let folder = std::env::temp_dir().join(format!("iri-spill-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let (lines, _) = corpus(2_000, 1_000);
    let spill = |folder: &std::path::Path| {
        let mut command = super::iri(&["dedup", "--memory", "10K"]);
        let mut child = command.env("TMPDIR", folder).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = lines.join("\n");
        // The program may end early.
        let writer = std::thread::spawn(move || {
            let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output
    };
    assert_eq!(spill(&folder).status.code(), Some(1));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    std::fs::remove_dir(&folder).unwrap();
    let output = spill(&folder);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    let name = folder.to_str().unwrap();
    assert!(err.contains(&format!("a temporary file in {name}: ")), "{err}");
}

#[cfg(unix)]
#[test]
fn the_examples_of_the_help_run() {
    let folder = std::env::temp_dir().join(format!("iri-examples-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let lines = "http://a.example/\nHTTP://a.example/\nhttp://b.example/?utm_id=1\n";
    let table = "id,url\n1,http://a.example/\n2,http://A.example/\n";
    let log = "1 - - [x] \"GET / HTTP/1.1\" 200 1\n";
    for (name, text) in [
        ("links.txt", lines),
        ("names.txt", lines),
        ("new.txt", lines),
        ("seen.txt", "http://a.example/\n"),
        ("list.csv", table),
        ("crawl.csv", table),
        ("known.csv", table),
        ("moved.tsv", "http://a.example/\thttp://b.example/?utm_id=1\n"),
        ("access.log", log),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_iri")).parent().unwrap();
    let path = format!("{}:{}", program.to_str().unwrap(), std::env::var("PATH").unwrap());
    let mut tried = 0;
    for command in ["dedup", "join", "recipe"] {
        let help = run(&[command, "--help"], "");
        let examples = help.lines().into_iter().skip_while(|line| *line != "Examples:");
        for line in examples.filter_map(|line| line.strip_prefix("  iri ")) {
            let example = line.split("   ").next().unwrap();
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", &format!("iri {example}")]).env("PATH", &path).current_dir(&folder);
            let output = shell.output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success()
                    && (!output.stdout.is_empty()
                        || example.contains('>')
                        || example.contains("--in-place")),
                "{example}: {err}"
            );
            assert!(!err.contains("error"), "{example}: {err}");
            tried += 1;
        }
    }
    assert_eq!(tried, 17);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Records that fail are reported, written to a file or kept, and the sum is the same.
#[test]
fn records_that_fail_go_where_they_should() {
    let csv = "id,u\n1,http://a/\n2,\"http://[\"\n3,HTTP://A/\n4\n5,http://b/\n";
    let aside = TempFile::new("dedup-errors", "");
    let from = ["--from", "csv", "--field", "u"];
    let counts = "iri: 5 items, 2 kept, 1 duplicate, 2 failed";
    let set_aside = || {
        let text = std::fs::read_to_string(aside.name()).unwrap();
        let objects = text.lines().map(|line| serde_json::from_str(line).unwrap());
        objects.collect::<Vec<serde_json::Value>>()
    };
    for jobs in ["1", "2"] {
        let options = ["-j", jobs, "--errors", aside.name()];
        let found = run(&[&["dedup"], &from[..], &options].concat(), csv);
        assert_eq!(found.text(), "id,u\n1,http://a/\n5,http://b/\n");
        assert_eq!((found.err.as_str(), found.code), (format!("{counts}\n").as_str(), 1));
        let records: Vec<_> =
            set_aside().iter().map(|it| (it["line"].clone(), it["record"].clone())).collect();
        assert_eq!(records, [(3.into(), "2,\"http://[\"".into()), (5.into(), "4".into())]);
        let kept = run(&[&["dedup"], &from[..], &["-j", jobs, "--keep", "input"]].concat(), csv);
        assert_eq!(kept.text(), "id,u\n1,http://a/\n2,\"http://[\"\n4\n5,http://b/\n");
        assert_eq!((summary(&kept), kept.err.lines().count() > 1), (counts, true));
        // Records that wait for others, on disk too.
        let groups = run(&[&["dedup", "--groups"], &from[..], &["--keep", "input"]].concat(), csv);
        assert_eq!(
            groups.text(),
            "id,u\n1,http://a/\n3,HTTP://A/\n\n2,\"http://[\"\n\n4\n\n5,http://b/\n"
        );
    }
    let full = run(&["dedup", "--errors", "/no/such/folder"], "");
    assert_eq!(full.code, 2);
    // The records of both inputs of `join` are set aside; those of A are kept.
    let (a, b) =
        (TempFile::new("join-a", "http://a/\n|\nb:c\n"), TempFile::new("join-b", "<\nb:c\n"));
    let found = run(&["join", "--errors", aside.name(), a.name(), b.name()], "");
    assert_eq!((found.text(), found.err.lines().count(), found.code), ("b:c\n", 1, 1));
    let records: Vec<_> = set_aside().iter().map(|it| it["record"].clone()).collect();
    assert_eq!(records, ["<", "|"]);
    for (option, expected) in [("--both", "|\nb:c\n"), ("--only-a", "http://a/\n|\n")] {
        let found = run(&["join", option, "--keep", "input", a.name(), b.name()], "");
        assert_eq!(found.text(), expected, "{option}");
    }
    // An address of a document is a record.
    let page = "<a href='http://a/'><a href='http://['><a href='http://A/'>";
    let found = run(&["dedup", "--from", "html", "--keep", "input"], page);
    assert_eq!(found.text(), "http://a/\nhttp://[\n");
}
