//! No record is lost: each record of the input is in the output or in the file of `--errors`, and the summary has the
//! numbers, for every format and every compression, whatever is wrong with the input or the output. Each record of
//! these inputs has a number that no other has, and the tests find the numbers again without the reader of the
//! program.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::records::compressed;
use super::{Run, TempFile, iri, run};

const COMPRESSIONS: [&str; 5] = ["none", "gzip", "zstd", "bzip2", "xz"];

/// A format and its records. `@` is the place of the number.
#[derive(Debug)]
pub(super) struct Format {
    pub(super) args: &'static [&'static str],
    /// The text before the records.
    pub(super) head: &'static str,
    /// Records that `normalize` changes.
    pub(super) good: &'static [&'static str],
    /// Records that fail: with an invalid address, without the field, or broken.
    pub(super) failing: &'static [&'static str],
    /// Records that have no address and need none. They stay, and are not counted.
    pub(super) bare: &'static [&'static str],
    /// A text that is not a record, and is copied.
    pub(super) filler: &'static str,
    /// Whether the file is one document, whose addresses are its records. One that fails stays in it.
    pub(super) is_document: bool,
}

pub(super) static FORMATS: [Format; 12] = [
    Format {
        args: &["--from", "lines"],
        head: "",
        good: &["HTTP://a/@\n", "http://é/@\r\n"],
        failing: &["http://a/|@\n", "@ \0\n", " @\r\n"],
        bare: &[],
        filler: "",
        is_document: false,
    },
    Format {
        args: &["--from", "csv", "--field", "u"],
        head: "n,u\r\n",
        good: &["\"x,\"\"\n@\",HTTP://a/\n", "@,\"HTTP://b/,\",\0\r\n"],
        failing: &["@,|\n", "\"\n@\"\r\n"],
        bare: &[],
        filler: "\r\n",
        is_document: false,
    },
    Format {
        args: &["--from", "tsv", "--field", "2", "--no-header"],
        head: "",
        good: &["@\tHTTP://a/\n"],
        failing: &["@\t|\n", "@\n"],
        bare: &[],
        filler: "\n",
        is_document: false,
    },
    Format {
        args: &["--from", "jsonl", "--field", "/u"],
        head: "",
        good: &["{\"n\": \"@\", \"u\":\"HTTP:\\/\\/a\\/\" }\r\n", " {\"u\":\"A:@\"}\n"],
        failing: &[
            "{\"u\":\"|@\"}\n",
            "{\"n\":\"@\"}\n",
            "{\"u\":1,\"n\":\"@\"}\n",
            "{\"u\":\"a:b\",@\n",
            "{\"u\":\"\\ud800\",\"n\":\"@\"}\n",
        ],
        bare: &[],
        filler: " \n",
        is_document: false,
    },
    Format {
        args: &["--from", "log"],
        head: "",
        good: &[
            "h - @ [t] \"GET /%7eb HTTP/1.1\" 200 1\n",
            "h - @ [t] \"CONNECT A.example:1 HTTP/1.1\" 200 1 \"-\" \"x\"\r\n",
        ],
        failing: &["h - @ [t] \"GET /| HTTP/1.1\" 200 1\n", "@ [t\n", "h - @ [t] \"GET\" 400 0\n"],
        bare: &[
            "h - @ [t] \"-\" 408 0 \"-\" \"x\"\r\n",
            "h - @ [t] \"OPTIONS * HTTP/1.1\" 200 1\n",
        ],
        filler: "\n",
        is_document: false,
    },
    Format {
        args: &["--from", "nt"],
        head: "# x\n",
        good: &["<A:s> <A:p> \"@\\\"\"^^<A:t> .\n", "_:@ <a:p> <A:o>. # x\r\n"],
        failing: &["<A:s> <A:|> \"@\" .\n", "<A:s> <A:p> \"@ .\n"],
        bare: &[],
        filler: "# <a b>\n",
        is_document: false,
    },
    Format {
        args: &["--from", "nq", "--field", "g"],
        head: "",
        good: &["<A:s> <A:p> \"@\" <A:g> .\n"],
        failing: &["<A:s> <A:p> \"@\" <|> .\n", "<A:s> <A:p> <A:@>\n"],
        bare: &["<a:s> <a:p> <a:@> .\n"],
        filler: "\n",
        is_document: false,
    },
    Format {
        args: &["--from", "cdxj"],
        head: "!meta {}\n",
        good: &["com,a)/ 2020 {\"url\": \"HTTP://a/\", \"n\": \"@\"}\n"],
        failing: &["com,a)/ 2020 {\"url\": \"|@\"}\n", "com,a)/ @\n"],
        bare: &["com,a)/ 2020 {\"url\": null, \"n\": \"@\"}\n"],
        filler: "\n",
        is_document: false,
    },
    Format {
        args: &["--from", "warc"],
        head: "",
        good: &[
            "WARC/1.0\r\nWARC-Target-URI: HTTP://a/@\r\nContent-Length: 3\r\n\r\n\n\0\n\r\n\r\n",
        ],
        failing: &["WARC/1.0\r\nWARC-Target-URI: |@\r\nContent-Length: 0\r\n\r\n\r\n\r\n"],
        bare: &["WARC/1.0\r\nWARC-Type: warcinfo\r\nX: @\r\nContent-Length: 0\r\n\r\n\r\n\r\n"],
        filler: "",
        is_document: false,
    },
    Format {
        args: &["--from", "sitemap"],
        head: "<urlset>",
        good: &["<url><loc> HTTP://a/@?&amp; </loc></url>\n"],
        failing: &["<url><loc>|@</loc></url>\r\n", "<loc>@&nonsense;|</loc>"],
        bare: &[],
        filler: "<!-- <loc>|</loc> -->",
        is_document: true,
    },
    Format {
        args: &["--from", "html"],
        head: "<p title='A:b'>",
        good: &["<a href=\"HTTP://a/@\">x</a>\r\n", "<img src=/@>"],
        failing: &["<a href='http://a/|@'>x</a>\n"],
        bare: &[],
        filler: "<!-- <a href='|'> -->",
        is_document: true,
    },
    Format {
        args: &["--from", "markdown"],
        head: "# x\n",
        good: &["[x](HTTP://a/@)\n", "<HTTP://b/@>\r\n"],
        failing: &["[x](http://a/|@)\n"],
        bare: &[],
        filler: "x `<a:b>`\n\n",
        is_document: true,
    },
];

/// An input and the numbers of its records.
struct Input {
    text: Vec<u8>,
    good: BTreeSet<u32>,
    failing: BTreeSet<u32>,
    bare: BTreeSet<u32>,
}

pub(super) fn mark(number: u32) -> String {
    format!("m{number:06}m")
}

impl Format {
    pub(super) fn name(&self) -> &'static str {
        self.args.get(1).unwrap()
    }

    /// Tells whether the record with a number has no address and needs none.
    fn is_bare(&self, number: u32) -> bool {
        number % 3 == 1 && !self.bare.is_empty()
    }

    /// Returns an input of at least this many bytes.
    fn input(&self, length: usize) -> Input {
        let mut input = Input {
            text: self.head.into(),
            good: BTreeSet::new(),
            failing: BTreeSet::new(),
            bare: BTreeSet::new(),
        };
        let mut number = 0;
        while input.text.len() < length || number < 40 {
            let turn = number as usize;
            let (records, numbers) = match turn % 3 {
                2 => (self.failing, &mut input.failing),
                _ if self.is_bare(number) => (self.bare, &mut input.bare),
                _ => (self.good, &mut input.good),
            };
            numbers.insert(number);
            let record = records.get(turn / 3 % records.len()).unwrap();
            input.text.extend(record.replace('@', &mark(number)).bytes());
            if turn % 7 == 0 {
                input.text.extend(self.filler.bytes());
            }
            number += 1;
        }
        input
    }
}

/// Returns the numbers in a text, in their order.
pub(super) fn marks(text: &[u8]) -> Vec<u32> {
    let number = |found: &[u8]| {
        let digits = found.strip_prefix(b"m")?.strip_suffix(b"m")?;
        let is_mark = digits.iter().all(u8::is_ascii_digit);
        is_mark.then(|| std::str::from_utf8(digits).unwrap().parse().unwrap())
    };
    text.windows(8).filter_map(number).collect()
}

/// Returns the numbers of made and of failed records in the summary.
fn summary(run: &Run) -> (u64, u64) {
    // The names of files that are not written may come after it.
    let line = run.err.lines().rfind(|line| line.contains(" done, ")).unwrap();
    let words: Vec<&str> = line.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
    let number = |name: &str| {
        let mut pairs = words.iter().zip(words.iter().skip(1));
        let found = pairs.find(|(_, word)| word.starts_with(name));
        found.and_then(|(number, _)| number.parse::<u64>().ok())
    };
    let all = number("item").or(number("statement"));
    let (made, failed) = (number("done"), number("failed"));
    assert!(all.is_some() && all == made.zip(failed).map(|(a, b)| a + b), "{}", run.err);
    (made.unwrap(), failed.unwrap())
}

/// Returns the records in the file of `--errors`, or in that of an incomplete run.
fn set_aside(file: &TempFile, is_complete: bool) -> Vec<u8> {
    let mut records = Vec::new();
    let partial = format!("{}.partial", file.name());
    // An output that has nothing leaves nothing.
    let has_partial = fs::exists(&partial).unwrap();
    assert!(!has_partial || !is_complete);
    let text = match (is_complete, has_partial) {
        (true, _) => fs::read_to_string(file.name()).unwrap(),
        (false, true) => fs::read_to_string(&partial).unwrap(),
        (false, false) => String::new(),
    };
    assert!(!has_partial || !text.is_empty());
    if !is_complete {
        assert_eq!(fs::read(file.name()).unwrap(), b"", "the old file stays");
        if has_partial {
            fs::remove_file(partial).unwrap();
        }
    }
    for line in text.lines() {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        records.extend(object.get("record").unwrap().as_str().unwrap().bytes());
        records.push(b'\n');
    }
    records
}

/// The result of a run for an input.
struct Found {
    run: Run,
    out: Vec<u32>,
    aside: Vec<u32>,
}

/// Runs a command with `--errors` and compares its summary with the numbers that are found again.
fn account(format: &Format, options: &[&str], bytes: &[u8]) -> Found {
    let errors = TempFile::new(&format!("loss-errors-{}", format.name()), "");
    let args = [&["normalize", "-v", "--errors", errors.name()], format.args, options].concat();
    let run = run(&args, bytes);
    let (out, aside) = (marks(&run.out), marks(&set_aside(&errors, run.code != 2)));
    assert!(out.is_sorted_by(|a, b| a < b) && aside.is_sorted_by(|a, b| a < b), "{args:?}");
    let (made, failed) = summary(&run);
    let bare = out.iter().filter(|number| format.is_bare(**number)).count();
    let stays = bare + if format.is_document { aside.len() } else { 0 };
    let counted = ((out.len() - stays) as u64, aside.len() as u64);
    assert_eq!((made, failed), counted, "{args:?} {}", run.err);
    Found { run, out, aside }
}

fn compress(text: &[u8], compression: &str) -> Vec<u8> {
    if compression == "none" { text.to_vec() } else { compressed(text, compression) }
}

#[test]
fn every_record_comes_out_or_is_set_aside() {
    for format in &FORMATS {
        let input = format.input(700_000);
        let all: Vec<u32> = input.good.union(&input.failing).copied().collect();
        let good: Vec<u32> = input.good.union(&input.bare).copied().collect();
        let failing: Vec<u32> = input.failing.iter().copied().collect();
        for compression in COMPRESSIONS {
            let bytes = compress(&input.text, compression);
            for jobs in ["1", "2"] {
                let found = account(format, &["-j", jobs], &bytes);
                let name = format.name();
                let expected = if format.is_document { &all } else { &good };
                assert!(found.out == *expected, "{name} {compression} {jobs}");
                assert!(found.aside == failing, "{name} {compression} {jobs}");
                assert_eq!(found.run.code, 1, "{name} {compression} {jobs}");
            }
        }
    }
}

/// The records of an input are kept, whichever command transforms them.
#[test]
fn every_command_accounts_for_its_records() {
    for command in [
        &["to-uri"][..],
        &["to-iri"],
        &["normalize"],
        &["resolve", "--base", "http://base/"],
        &["relativize", "--base", "http://base/"],
        &["prepare"],
        &["display"],
        &["redact"],
        &["lint", "--fix"],
    ] {
        for format in &FORMATS {
            let input = format.input(5000);
            // `lint --fix` keeps records that it cannot fix.
            let is_lint = command[0] == "lint";
            let keep = if is_lint { &["-v"][..] } else { &["-v", "--keep", "input"] };
            let found = run(&[command, format.args, keep].concat(), &input.text);
            let name = (command, format.name());
            let all = input.good.len() + input.failing.len();
            let with_bare = all + input.bare.len();
            assert_eq!(marks(&found.out).len(), with_bare, "{name:?} {}", found.err);
            if is_lint {
                // Its summary counts addresses, of which a record may have none or three.
                continue;
            }
            let (made, failed) = summary(&found);
            assert_eq!(made + failed, all as u64, "{name:?} {}", found.err);
        }
    }
    for format in &FORMATS {
        let input = format.input(5000);
        let all = input.good.len() + input.failing.len();
        let as_reference = ["check", "--as", "iri-reference", "--count"];
        let found = run(&[&as_reference[..], format.args].concat(), &input.text);
        let (good, failing) = (input.good.len(), input.failing.len());
        let items = if format.name() == "nt" { "statements" } else { "items" };
        let expected = format!("{all} {items}, {good} valid, {failing} invalid as IRI reference\n");
        assert_eq!(found.text(), expected, "{} {}", format.name(), found.err);
    }
}

/// A file that ends early: the records before its end are accounted for, and the message says where.
#[test]
fn a_truncated_file_is_trouble_and_what_was_read_counts() {
    for format in &FORMATS {
        let input = format.input(600_000);
        for compression in COMPRESSIONS.into_iter().filter(|name| *name != "none") {
            let bytes = compress(&input.text, compression);
            for jobs in ["1", "2"] {
                let cut = &bytes[..bytes.len() * 2 / 3];
                let found = account(format, &["-j", jobs], cut);
                let Found { run, out, aside } = &found;
                let name = format!("{} {compression} {jobs} {}", format.name(), run.err);
                assert_eq!(run.code, 2, "{name}");
                assert!(run.err.contains("\niri: <stdin>: "), "{name}");
                // The output has all records before the cut, and none after it.
                let seen: BTreeSet<u32> = out.iter().chain(aside).copied().collect();
                let last = seen.last().copied();
                assert!(seen.into_iter().eq(0..last.map_or(0, |last| last + 1)), "{name}");
                // Compression in blocks brings them whole or not at all.
                let is_streaming = ["gzip", "xz"].contains(&compression) && !format.is_document;
                assert!(last.is_some() || !is_streaming, "{name}");
            }
        }
    }
}

/// A small file that is cut at any byte.
#[test]
fn no_place_of_the_cut_goes_unseen() {
    let format = &FORMATS[0];
    let first = format.input(0);
    for compression in COMPRESSIONS.into_iter().filter(|name| *name != "none") {
        let mut bytes = compress(&first.text, compression);
        let member = bytes.len();
        bytes.extend(compress(format!("A:{}\n", mark(900_000)).as_bytes(), compression));
        // A shorter file is not recognised as compressed.
        for length in (8..bytes.len()).step_by(3).filter(|length| *length != member) {
            let found = account(format, &["-j", "1"], &bytes[..length]);
            assert_eq!(found.run.code, 2, "{compression} {length} {}", found.run.err);
        }
    }
}

fn with_checksum(text: &[u8]) -> Vec<u8> {
    let mut zstd = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    zstd.include_checksum(true).unwrap();
    zstd.write_all(text).unwrap();
    zstd.finish().unwrap()
}

/// Members before the damaged one are kept.
#[test]
fn a_damaged_member_is_trouble_and_the_members_before_it_count() {
    let format = &FORMATS[0];
    let part = format.input(300_000);
    let count = part.good.len() + part.failing.len();
    for compression in COMPRESSIONS.into_iter().filter(|name| *name != "none") {
        let member = match compression {
            // Without a checksum, which the program `zstd` writes, zstd does not see all damage.
            "zstd" => with_checksum(&part.text),
            _ => compress(&part.text, compression),
        };
        let mut damaged = member.clone();
        let middle = damaged.len() / 2;
        damaged[middle..middle + 64].fill(0x55);
        let bytes = [&member[..], &damaged, &member].concat();
        for jobs in ["1", "2"] {
            let run = run(&["normalize", "-v", "-j", jobs, "--keep", "input"], &bytes);
            let (made, failed) = summary(&run);
            let name = format!("{compression} {jobs}");
            assert_eq!(run.code, 2, "{name}");
            assert!(run.err.contains("\niri: <stdin>: after line "), "{name} {}", run.err);
            // The checksum of zstd comes after all of its member, but no record of the next one is here.
            let found = marks(&run.out);
            assert!((count..=2 * count).contains(&found.len()), "{name}: {} {count}", found.len());
            assert!(made + failed >= found.len() as u64, "{name}");
        }
    }
}

/// Arguments, input, output, and the numbers of made and of failed records.
type Case = (&'static [&'static str], &'static [u8], &'static [u8], (u64, u64));

/// Bytes that a text should not have: in the address, beside it, and instead of it.
#[test]
fn odd_bytes_stay_in_their_records() {
    let csv = &["--from", "csv", "--field", "u"][..];
    let json = &["--from", "jsonl", "--field", "/u"][..];
    let table: [Case; 17] = [
        (&[], b"\xEF\xBB\xBFA:b\r\nA:c\r\n", b"\xEF\xBB\xBFa:b\r\na:c\r\n", (2, 0)),
        (&[], b"A:\xFF\nA:b\0\nA:c", b"a:c", (1, 2)),
        (&["-0"], b"A:b\0A:\n\0A:c", b"a:b\0a:c", (2, 1)),
        (&[], b"\xFF\xFEA\0:\0b\0\n\0|\0\n\0", b"a:b\n", (1, 1)),
        (
            csv,
            b"\xEF\xBB\xBFu,v\r\nA:b,\0\r\nA:c,\xFF\r\n",
            b"\xEF\xBB\xBFu,v\r\na:b,\0\r\na:c,\xFF\r\n",
            (2, 0),
        ),
        (csv, b"u,v\nA:\xFF,1\nA:\0,2\nA:b,3\n", b"u,v\na:b,3\n", (1, 2)),
        (csv, b"v,u\n1,A:b\n2\n\n3,A:c\n", b"v,u\n1,a:b\n\n3,a:c\n", (2, 1)),
        // The bytes from a quote that nothing closes stay, as one record that fails.
        (csv, b"u,v\nA:b,1\n\"A:c,2\nA:d,3\n", b"u,v\na:b,1\n\"A:c,2\nA:d,3\n", (1, 1)),
        (csv, b"u,v\nA:b,1\"\n\"A:c\"x,2\nA:\"d,3", b"u,v\na:b,1\"\n\"a:cx\",2\n", (2, 1)),
        (json, b"{\"u\":\"A:b\",\"v\":\"\0\"}\n{\"u\":\"A:c\"}", b"{\"u\":\"a:c\"}", (1, 1)),
        (
            json,
            b"{\"u\":\"A:\xFF\"}\n{\"u\":\"A:\\u0000\"}\n{\"u\":\"A:c\"}\n",
            b"{\"u\":\"a:c\"}\n",
            (1, 2),
        ),
        // JSON is UTF-8, beside the address too.
        (json, b"{\"u\":\"A:b\",\"v\":\"\xFF\"}\n", b"", (0, 1)),
        (json, b"{\"u\":\"A:b\n{\"u\":\"A:c\"}\n{\"v\":1}\n", b"{\"u\":\"a:c\"}\n", (1, 2)),
        (
            &["--from", "log"],
            b"\xFF - - [t] \"GET /%7e HTTP/1.1\" 200 1\n\0 - - [t] \"GET /\xFF HTTP/1.1\" 200 1\n",
            b"\xFF - - [t] \"GET /~ HTTP/1.1\" 200 1\n",
            (1, 1),
        ),
        (
            &["--from", "nt"],
            b"<A:s> <A:p> \"\xFF\0\" .\n<A:\xFF> <A:p> <A:o> .\n",
            b"<a:s> <a:p> \"\xFF\0\" .\n",
            (1, 1),
        ),
        (
            &["--from", "warc"],
            b"WARC/1.0\nWARC-Target-URI: A:b\nContent-Length: 9\n\nshort",
            b"",
            (0, 1),
        ),
        (
            &["--from", "sitemap"],
            b"\xFF<loc>A:b</loc><loc>A:\0</loc><loc>\xFF</loc>",
            b"\xFF<loc>a:b</loc><loc>A:\0</loc><loc>\xFF</loc>",
            (1, 2),
        ),
    ];
    for (args, input, expected, counts) in table {
        for jobs in ["1", "2"] {
            let found = run(&[&["normalize", "-v", "-j", jobs], args].concat(), input);
            let name = format!("{args:?} {} {}", input.escape_ascii(), found.err);
            let (out, expected) = (found.out.escape_ascii(), expected.escape_ascii());
            assert_eq!(out.to_string(), expected.to_string(), "{name}");
            assert_eq!(summary(&found), counts, "{name}");
            let cuts = ["a quote opens", "the archive ends"];
            let is_cut = cuts.iter().any(|part| found.err.contains(part));
            assert_eq!(found.code, if is_cut { 2 } else { i32::from(counts.1 > 0) }, "{name}");
            let reports = found.err.lines().filter(|line| line.contains(": error: ")).count();
            assert!(reports as u64 >= counts.1, "{name}");
        }
    }
}

const MB: usize = 1 << 20;

/// A record of 64 MB; `IRI_LONG_RECORD` says how many MB instead.
#[test]
fn a_long_record_is_made_or_counted() {
    let length = std::env::var("IRI_LONG_RECORD").map_or(64, |length| length.parse().unwrap()) * MB;
    let long = "b".repeat(length);
    let parts = |before: &str, after: &str| [before, &long, after].concat();
    for (args, input) in [
        (&["--from", "lines"][..], parts("A:1\nA:", "\nA:2\n")),
        (&["--from", "csv", "--field", "u"], parts("u,v\nA:1,\"\n\"\nA:2,\"", "\"\nA:3,\n")),
        (
            &["--from", "jsonl", "--field", "/u"],
            parts("{\"u\":\"A:1\"}\n{\"u\":\"A:", "\"}\n{\"u\":\"A:2\"}\n"),
        ),
    ] {
        let file = TempFile::new("loss-long", &input);
        let count = 3;
        let whole =
            run(&[&["normalize", "-v", "--max-record", "2G", file.name()], args].concat(), "");
        assert_eq!((summary(&whole), whole.code), ((count, 0), 0), "{args:?} {}", whole.err);
        assert!(whole.out == input.replace("A:", "a:").into_bytes(), "{args:?}");
        for jobs in ["1", "2"] {
            let options = ["normalize", "-j", jobs, "--max-record", "1M", file.name()];
            let cut = run(&[&options, args].concat(), "");
            assert_eq!((summary(&cut), cut.code), ((count - 1, 1), 1), "{args:?} {}", cut.err);
            assert!(cut.err.contains(": error: the record is longer than 1048576 bytes"));
        }
    }
}

/// Records that are too long are kept in their places, however the others are printed.
#[test]
fn long_records_are_kept_where_they_were() {
    let long = |letter: &str| format!("http://c/{}\n", letter.repeat(3 * MB));
    let [first, second] = [long("x"), long("y")];
    let short = |from: usize| -> String {
        (from..from + 2_000).map(|number| format!("http://a/{}\n", number % 900)).collect()
    };
    let input = [&short(0), first.as_str(), &short(500), second.as_str(), &short(100)].concat();
    let file = TempFile::new("loss-keep-long", &input);
    let other = TempFile::new("loss-keep-other", "http://a/1\n");
    let without = input.replace(&first, "").replace(&second, "");
    let without = TempFile::new("loss-keep-none", &without);
    for words in [
        &["dedup"][..],
        &["dedup", "--count"],
        &["dedup", "--groups"],
        // The keys do not fit into the memory.
        &["dedup", "--memory", "64K"],
        &["dedup", "--memory", "64K", "--groups"],
        &["join", "--only-a"],
        &["join", "--only-a", "--memory", "64K"],
        &["join"],
    ] {
        for jobs in ["1", "2"] {
            let other = (words[0] == "join").then(|| other.name());
            let options = ["--from", "lines", "--keep", "input", "-j", jobs, "--max-record", "1M"];
            let run = |file: &TempFile| {
                let names: Vec<_> = [file.name()].into_iter().chain(other).collect();
                run(&[words, &options, &names].concat(), "")
            };
            let (with, expected) = (run(&file), run(&without));
            assert_eq!((with.code, expected.code), (1, 0), "{words:?} {}", with.err);
            let mut out = with.text().to_owned();
            let places = [&first, &second].map(|long| {
                let at = out.find(long.as_str()).unwrap_or_else(|| panic!("{words:?}: it is lost"));
                out.replace_range(at..at + long.len(), "");
                at
            });
            assert!(places[0] <= places[1], "{words:?}");
            // Its group is gone.
            let out = if words.contains(&"--groups") { out.replace("\n\n\n", "\n\n") } else { out };
            assert_eq!(out.trim_end(), expected.text().trim_end(), "{words:?} {jobs}");
        }
    }
}

/// A record that is too long in a file that is damaged after it: both are reported.
#[test]
fn a_long_record_before_the_damage_counts() {
    let text = format!("A:1\nA:{}", "b".repeat(3 * MB));
    let bytes = compress(text.as_bytes(), "gzip");
    for jobs in ["1", "2"] {
        let options = ["normalize", "-v", "-j", jobs, "--max-record", "1M"];
        let found = run(&options, &bytes[..bytes.len() - 12]);
        assert_eq!((summary(&found), found.code), ((1, 1), 2), "{}", found.err);
        assert_eq!(found.text(), "a:1\n");
    }
}

/// A file that another program makes longer: the run ends, and what it read is accounted for.
#[test]
fn a_file_that_grows_is_read_to_its_end_at_the_time() {
    for jobs in ["1", "2"] {
        let file = TempFile::new("loss-grows", "");
        let path = file.0.clone();
        let is_over = AtomicBool::new(false);
        let (found, written) = thread::scope(|scope| {
            let line = |number| format!("HTTP://a/{}\n", mark(number));
            let mut out = fs::File::create(&path).unwrap();
            let first: String = (0..100_000).map(line).collect();
            out.write_all(first.as_bytes()).unwrap();
            let is_over = &is_over;
            let writer = scope.spawn(move || {
                let mut number = 100_000;
                while !is_over.load(Ordering::Relaxed) && number < 999_999 {
                    // The two parts of a line may be read apart.
                    let line = line(number);
                    let (a, b) = line.split_at(9);
                    out.write_all(a.as_bytes()).unwrap();
                    out.write_all(b.as_bytes()).unwrap();
                    number += 1;
                }
                number
            });
            let found = run(&["normalize", "-v", "-j", jobs, file.name()], "");
            is_over.store(true, Ordering::Relaxed);
            (found, writer.join().unwrap())
        });
        let (made, failed) = summary(&found);
        let out = marks(&found.out);
        assert!(out.iter().copied().eq(0..out.len() as u32), "{jobs}");
        assert!((100_000..=written as usize).contains(&out.len()), "{jobs}: {}", out.len());
        // Only a part of the last line may have been in the file.
        let lines = found.out.iter().filter(|byte| **byte == b'\n').count() as u64;
        let last = u64::from(!found.out.ends_with(b"\n"));
        assert_eq!((made, failed, found.code), (lines + last, 0, 0), "{}", found.err);
    }
}

/// The reader of the output ends: the program ends without a message.
#[test]
fn a_closed_pipe_ends_quietly() {
    let lines = "HTTP://a/\n".repeat(500_000);
    let file = TempFile::new("loss-closed", &lines);
    for command in [&["normalize"][..], &["check", "--valid"], &["parse", "--json"], &["extract"]] {
        for jobs in ["1", "2"] {
            let args = [command, &["-j", jobs, file.name()]].concat();
            let mut child = iri(&args).spawn().unwrap();
            let mut out = BufReader::with_capacity(16, child.stdout.take().unwrap());
            let mut first = String::new();
            out.read_line(&mut first).unwrap();
            drop(out);
            let mut err = String::new();
            child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
            let code = child.wait().unwrap().code();
            assert_eq!((err.as_str(), code), ("", Some(0)), "{args:?}");
            assert!(first.to_ascii_lowercase().contains("http://a/"), "{args:?}");
        }
    }
}

/// Complete records of a slow input are written at once. The bound is generous, because other tests run
/// at the same time; `benches/pipeline` measures.
#[test]
fn a_slow_input_is_not_kept_waiting() {
    for compression in ["none", "gzip"] {
        for jobs in ["1", "2"] {
            let mut child = iri(&["normalize", "-j", jobs]).spawn().unwrap();
            let mut input = child.stdin.take().unwrap();
            let mut out = BufReader::new(child.stdout.take().unwrap());
            let mut longest = Duration::ZERO;
            for number in 0..20 {
                let line = format!("HTTP://a/{number}\n");
                let start = Instant::now();
                // A member of an archive holds whole lines.
                let bytes = match compression {
                    "none" => [line.as_bytes(), b"HTTP://inco"].concat(),
                    _ => compressed(line.as_bytes(), "gzip"),
                };
                input.write_all(&bytes).unwrap();
                let mut found = String::new();
                out.read_line(&mut found).unwrap();
                longest = longest.max(start.elapsed());
                assert!(found.ends_with(&format!("http://a/{number}\n")), "{found}");
                if compression == "none" {
                    input.write_all(b"mplete/\n").unwrap();
                    found.clear();
                    out.read_line(&mut found).unwrap();
                    assert_eq!(found, "http://incomplete/\n");
                }
            }
            drop(input);
            assert_eq!(child.wait().unwrap().code(), Some(0));
            eprintln!("{compression}, {jobs} jobs: a line is written after {longest:.1?} at most");
            assert!(longest < Duration::from_secs(1), "{compression} {jobs}: {longest:?}");
        }
    }
}

/// The program is killed while it replaces a file: the whole old file exists, or the whole new one.
#[cfg(unix)]
#[test]
fn a_kill_leaves_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links.txt");
    let name = path.to_str().unwrap();
    let old = "HTTP://a/%7eb\n".repeat(300_000);
    let new = "http://a/~b\n".repeat(300_000);
    fs::write(&path, &old).unwrap();
    let start = Instant::now();
    let found = run(&["normalize", "--in-place", name], "");
    let whole = start.elapsed();
    assert_eq!((fs::read_to_string(&path).unwrap() == new, found.code), (true, 0), "{}", found.err);
    let mut stayed = 0;
    for turn in 0..30_u32 {
        fs::write(&path, &old).unwrap();
        let mut child = iri(&["normalize", "--in-place", name]).spawn().unwrap();
        // At times all over the run and after it, in an irregular order.
        thread::sleep(whole * (turn * 17 % 30) / 15);
        let _ = child.kill();
        child.wait().unwrap();
        let found = fs::read_to_string(&path).unwrap();
        assert!(found == old || found == new, "{turn}: {} bytes", found.len());
        #[cfg(target_os = "linux")]
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "{turn}: a file is left behind"
        );
        stayed += u32::from(found == old);
    }
    eprintln!("30 kills: the old file was there {stayed} times");
    assert!(stayed > 0, "every kill came too late");
}

/// A disk without room for the output. Files stay, and the program reports the reason.
#[cfg(target_os = "linux")]
mod full_disk {
    use super::*;

    const MESSAGE: &str = "No space left on device (os error 28)";

    #[test]
    fn a_device_that_takes_nothing() {
        let lines = "HTTP://a/\n|\n".repeat(50_000);
        for command in [
            &["normalize"][..],
            &["check", "--json"],
            &["check", "--valid"],
            &["check", "--count"],
            &["parse"],
            &["parse", "--json"],
            &["extract"],
            &["lint", "--json"],
        ] {
            for (jobs, input) in [("1", "|\nHTTP://a/\n"), ("1", &lines), ("2", &lines)] {
                let file = TempFile::new("loss-full", input);
                let full = fs::File::create("/dev/full").unwrap();
                let args = [command, &["-q", "-j", jobs, file.name()]].concat();
                let run = iri(&args).stdout(full).output().unwrap();
                let err = String::from_utf8(run.stderr).unwrap();
                let expected = format!("iri: cannot write: {MESSAGE}\n");
                assert_eq!((err, run.status.code()), (expected, Some(2)), "{args:?}");
            }
        }
        for option in ["--output", "--errors"] {
            let found = run(&["normalize", option, "/dev/full"], "HTTP://a/\n|\n");
            assert!(
                found.err.ends_with(&format!("iri: cannot write: /dev/full: {MESSAGE}\n")),
                "{}",
                found.err
            );
            assert_eq!(found.code, 2, "{option}");
        }
    }

    /// A small disk in memory, which is there until the end of the test.
    struct Disk(tempfile::TempDir);

    impl Disk {
        /// Prints a note and returns `None` if only root may mount.
        fn new() -> Option<Self> {
            let folder = tempfile::tempdir().unwrap();
            let mut mount = Command::new("mount");
            mount.args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(folder.path());
            let is_mounted =
                mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
            if !is_mounted {
                eprintln!("not tested: mounting a small disk is not permitted");
            }
            is_mounted.then(|| Self(folder))
        }
    }

    impl Drop for Disk {
        fn drop(&mut self) {
            let _ = Command::new("umount").arg(self.0.path()).status();
        }
    }

    #[test]
    fn a_disk_that_is_nearly_full() {
        let Some(disk) = Disk::new() else { return };
        let at = |name: &str| disk.0.path().join(name).to_str().unwrap().to_owned();
        // Numbers, which cannot be compressed much.
        let lines: String = (0..400_000_u32)
            .map(|number| format!("A:{:08x}\n", number.wrapping_mul(2_654_435_761)))
            .collect();
        let file = TempFile::new("loss-disk", lines);
        for (name, jobs) in [("out", "1"), ("out", "2"), ("out.gz", "1")] {
            let found = run(&["normalize", "-j", jobs, "--output", &at(name), file.name()], "");
            let out = at(name);
            let expected = format!(
                "iri: cannot write: {out}: {MESSAGE}\niri: {out}: not written, because an output cannot be \
                 written; {out}.partial has what was made\n"
            );
            assert_eq!((found.err, found.code), (expected, 2), "{name}");
            assert!(
                !fs::exists(&out).unwrap()
                    && fs::metadata(out.clone() + ".partial").unwrap().len() > 500_000
            );
            fs::remove_file(out + ".partial").unwrap();
        }
        let errors = at("errors");
        let found = run(&["normalize", "--errors", &errors], "|\n".repeat(50_000));
        assert!(found.err.starts_with(&format!("iri: cannot write: {errors}: {MESSAGE}\n")));
        assert_eq!(found.code, 2);
        fs::remove_file(errors + ".partial").unwrap();
        // There is no room for the new file beside the old one, which stays.
        let (place, old) = (at("links.txt"), "HTTP://a/%7eb\n".repeat(50_000));
        fs::write(&place, &old).unwrap();
        let found = run(&["normalize", "--in-place", &place], "");
        let expected = format!("iri: {place}: not replaced: {MESSAGE}");
        assert!(found.err.starts_with(&expected), "{}", found.err);
        assert_eq!(found.code, 2);
        assert!(fs::read_to_string(&place).unwrap() == old);
        let files: Vec<_> = fs::read_dir(disk.0.path()).unwrap().collect();
        assert_eq!(files.len(), 1, "{files:?}");
    }
}

/// Memory does not grow with the input.
#[cfg(target_os = "linux")]
mod memory {
    use super::*;
    use crate::stress::peak;

    const MOST: usize = 256 * MB;

    /// Writes a text many times to the program. Returns the peak of its memory, the end of its output, and the exit
    /// code.
    fn measure(args: &[&str], part: &str, times: usize) -> (usize, Vec<u8>, i32) {
        let mut child = iri(args).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let process = child.id();
        let mut out = child.stdout.take().unwrap();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(move || {
                for _ in 0..times {
                    input.write_all(part.as_bytes()).unwrap();
                }
            });
            let watcher = scope.spawn(|| {
                let mut highest = 0;
                while !is_over.load(Ordering::Relaxed) {
                    highest = highest.max(peak(process));
                    thread::sleep(Duration::from_millis(2));
                }
                highest
            });
            let (mut end, mut buffer) = (Vec::new(), vec![0; MB]);
            loop {
                let count = out.read(&mut buffer).unwrap();
                if count == 0 {
                    break;
                }
                end = buffer.get(..count).unwrap().to_vec();
            }
            let code = child.wait().unwrap().code().unwrap();
            is_over.store(true, Ordering::Relaxed);
            (watcher.join().unwrap(), end, code)
        })
    }

    /// 300 MB through a pipe, so that they are nowhere in memory.
    #[test]
    fn a_long_input_takes_no_more_memory_than_a_short_one() {
        let line = format!("HTTP://a.example/{}\n", "b".repeat(80));
        let part = line.repeat(MB / line.len());
        for command in [
            &["normalize"][..],
            &["check"],
            &["parse", "--json"],
            &["check", "--invalid", "--as", "relative-ref"],
        ] {
            let length = if command[0] == "parse" { 60 } else { 300 };
            let args = [command, &["-j", "2"]].concat();
            let (highest, _, code) = measure(&args, &part, length);
            eprintln!("{command:?}, {length} MB: {} MB of memory", highest / MB);
            assert!(highest < MOST, "{command:?}: {} MB", highest / MB);
            assert_eq!(code, i32::from(command.contains(&"relative-ref")), "{command:?}");
        }
    }

    /// An archive that expands a thousandfold and more, to 1 GB of lines.
    #[test]
    fn an_archive_that_expands_a_thousandfold_takes_no_memory() {
        let line = format!("http://a/{}\n", "b".repeat(1014));
        let mut archive = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
        // The largest window that a decoder accepts without being asked.
        archive.window_log(27).unwrap();
        for _ in 0..1 << 20 {
            archive.write_all(line.as_bytes()).unwrap();
        }
        let bytes = archive.finish().unwrap();
        assert!(bytes.len() < (1 << 20), "{}", bytes.len());
        let file = TempFile::new("loss-bomb.zst", bytes);
        for jobs in ["1", "2"] {
            let args = ["check", "--count", "-j", jobs, file.name()];
            let (highest, out, code) = measure(&args, "", 0);
            eprintln!("1 GB from zstd, {jobs} jobs: {} MB of memory", highest / MB);
            assert!(highest < MOST, "{} MB", highest / MB);
            assert_eq!(
                (out, code),
                (b"1048576 items, 1048576 valid, 0 invalid as IRI\n".to_vec(), 0)
            );
        }
    }
}
