//! `iri archive-key`, `iri cdxj`, and `dedup` and `join` by the keys of web archives. The tests of the library check the keys.

#![expect(clippy::indexing_slicing, clippy::string_slice, reason = "a failure is a failed test")]

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::{GzDecoder, MultiGzDecoder};
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::records::compressed;
use crate::{TempFile, run};

#[test]
fn keys_are_printed_in_the_place_of_addresses() {
    let found = run(&["archive-key"], "https://www.A.example/b/\nurn:a\nhttp://a:b/\n\u{E9}.fr\n");
    assert_eq!(found.lines(), ["example,a)/b", "urn:a", "http://a:b/", "fr,xn--9ca)/"]);
    assert_eq!(found.code, 0, "{}", found.err);
    let table = run(
        &["archive-key", "--from", "csv", "--field", "url", "--add", "key"],
        "n,url\n1,http://b.example/?c&a\n",
    );
    assert_eq!(table.lines(), ["n,url,key", "1,http://b.example/?c&a,\"example,b)/?a&c\""]);
    let objects = run(&["archive-key", "--json", "-i", "http://a:b/", "a.b"], "").json();
    assert_eq!(objects[0]["rejected"], json!(true));
    assert_eq!(objects[0]["output"], json!("http://a:b/"));
    assert_eq!((objects[1].get("rejected"), &objects[1]["output"]), (None, &json!("b,a)/")));
    let wrong = run(&["archive-key"], b"http://a/\xFF\n");
    assert_eq!(wrong.code, 1, "{}", wrong.err);
}

#[test]
fn options_change_keys() {
    let of = |args: &[&str]| {
        let args = [&["archive-key", "-i", "http://www.1.example/B/?c&a"], args].concat();
        run(&args, "").text().trim_end().to_owned()
    };
    assert_eq!(of(&[]), "example,1)/b?a&c");
    assert_eq!(of(&["--www", "keep"]), "example,1,www)/b?a&c");
    assert_eq!(of(&["--with", "slash,scheme"]), "http://(example,1)/b/?a&c");
    assert_eq!(of(&["--without", "sort", "--without", "case"]), "example,1)/B?c&a");
    assert_eq!(of(&["--profile", "heritrix"]), "http://(example,1,www,)/b/?c&a");
    assert_eq!(of(&["--profile", "urlcanon", "--with", "aggressive"]), "http://(example,1,)/b?a&c");
    assert_eq!(of(&["--profile", "ssurt"]), "example,1,www,//http:/B/?c&a");
    assert_eq!(of(&["--range", "host"]), "example,1)/\texample,1*");
    let none = run(&["archive-key", "--range", "domain", "-i", "urn:a"], "");
    assert_eq!(none.code, 1);
    assert!(none.err.contains("the key has no host"), "{}", none.err);
    assert_eq!(run(&["archive-key", "--profile", "surt"], "").code, 2);
}

#[test]
fn dedup_and_join_compare_by_the_keys_of_archives() {
    let lines = "http://www.a.example/b/\nhttps://a.example/B\nhttp://a.example/c\nhttp://a:b/\nhttp://a:b/\n";
    let found = run(&["dedup", "--by", "archive-key=pywb"], lines);
    let kept = ["http://www.a.example/b/", "http://a.example/c", "http://a:b/"];
    assert_eq!(found.lines(), kept, "{}", found.err);
    // Without the option, a key is that of a comparison, which knows no archives.
    assert_eq!(run(&["dedup", "-q"], lines).lines().len(), 3);
    let (a, b) =
        (TempFile::new("archive-a.txt", lines), TempFile::new("archive-b.txt", "a.example/b?\n"));
    let args = ["join", "-q", "--by", "archive-key=wayback", a.name(), b.name()];
    assert_eq!(run(&args, "").lines(), ["http://www.a.example/b/", "https://a.example/B"]);
    for wrong in [
        &["--by", "archive-key"][..],
        &["--by", "archive-key=surt"],
        &["--by", "archive-key=pywb", "--level", "simple"],
    ] {
        assert_eq!(run(&[&["dedup"], wrong].concat(), "a\n").code, 2, "{wrong:?}");
    }
}

/// A record of a web archive.
fn record(fields: &[(&str, &str)], content: &str) -> String {
    let fields: String =
        fields.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!("WARC/1.1\r\n{fields}Content-Length: {}\r\n\r\n{content}\r\n\r\n", content.len())
}

/// An archive with a record of each kind.
fn records() -> Vec<String> {
    let time = ("WARC-Date", "2026-11-27T01:02:03.5Z");
    let http = ("Content-Type", "application/http; msgtype=response");
    let target = |uri| ("WARC-Target-URI", uri);
    let kind = |kind| ("WARC-Type", kind);
    let answer = "HTTP/1.1 200 OK\r\ncontent-type: Text/HTML; charset=utf-8\r\n\r\n";
    vec![
        record(&[kind("warcinfo"), time], "software: x\r\n"),
        record(
            &[
                kind("response"),
                time,
                target("http://www.a.example/b?d&c"),
                http,
                ("WARC-Payload-Digest", "sha1:ABC"),
            ],
            &format!("{answer}{}", "x".repeat(200_000)),
        ),
        record(
            &[kind("request"), time, target("http://www.a.example/b?d&c")],
            "GET / HTTP/1.1\r\n\r\n",
        ),
        record(
            &[kind("revisit"), time, target("<http://a.example/>"), http],
            "HTTP/1.1 304\r\n\r\n",
        ),
        record(&[kind("resource"), time, target("urn:A"), ("Content-Type", "image/gif")], ""),
        record(
            &[kind("metadata"), time, target("a:/"), ("Content-Type", "application/warc-fields")],
            "",
        ),
        record(&[kind("response"), time, target("http://a b:c/"), http], "HTTP/1.1 404 No\r\n\r\n"),
        record(&[kind("conversion"), time, target("http://a.example/")], ""),
    ]
}

/// The line of each record without its length, offset and file.
const LINES: [(usize, &str, &str); 4] = [
    (
        1,
        "example,a)/b?c&d",
        r#"{"url":"http://www.a.example/b?d&c","mime":"Text/HTML","status":"200","digest":"sha1:ABC"}"#,
    ),
    (3, "example,a)/", r#"{"url":"http://a.example/","mime":"warc/revisit","status":"304"}"#),
    (4, "urn:a", r#"{"url":"urn:A","mime":"image/gif"}"#),
    (6, "http://a%20b:c/", r#"{"url":"http://a b:c/","status":"404"}"#),
];

fn gzip(text: &str) -> Vec<u8> {
    let mut member = GzEncoder::new(Vec::new(), Compression::default());
    member.write_all(text.as_bytes()).unwrap();
    member.finish().unwrap()
}

#[test]
fn an_index_has_the_place_of_each_record() {
    let records = records();
    let plain: Vec<u8> = records.concat().into_bytes();
    let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    for (ending, bytes) in [(".warc", &plain), (".warc.gz", &members)] {
        let file = TempFile::new(&format!("archive{ending}"), bytes);
        let found = run(&["cdxj", file.name()], "");
        assert_eq!(found.code, 0, "{}", found.err);
        assert!(
            found.err.contains("8 records, 4 indexed, 4 of other types, 0 failed"),
            "{}",
            found.err
        );
        assert_eq!(found.lines().len(), LINES.len());
        for (line, (number, key, wanted)) in found.lines().iter().zip(LINES) {
            let (found, rest) = line.split_once(" 20261127010203 ").unwrap();
            assert_eq!(found, key);
            let mut object: Value = serde_json::from_str(rest).unwrap();
            let fields = object.as_object_mut().unwrap();
            let mut take = |name| fields.remove(name).unwrap().as_str().unwrap().to_owned();
            let (offset, length) = (take("offset"), take("length"));
            assert!(file.name().ends_with(&take("filename")));
            assert_eq!(object, serde_json::from_str::<Value>(wanted).unwrap());
            // The place has the record and nothing else.
            let (offset, length): (usize, usize) =
                (offset.parse().unwrap(), length.parse().unwrap());
            let stored = &bytes[offset..offset + length];
            if ending == ".warc" {
                assert_eq!([stored, b"\r\n\r\n"].concat(), records[number].as_bytes());
            } else {
                let mut text = String::new();
                GzDecoder::new(stored).read_to_string(&mut text).unwrap();
                assert_eq!(text, records[number]);
            }
        }
        // The index is a format of the program.
        let index = TempFile::new("archive.cdxj", &found.out);
        assert_eq!(run(&["check", "--count", "--as", "iri", index.name()], "").code, 1);
        assert_eq!(run(&["archive-key", "-q", index.name()], "").lines().len(), LINES.len());
    }
}

#[test]
fn an_archive_that_has_no_places_is_refused() {
    let records = records();
    let several = [gzip(&records[0]), gzip(&records[1..3].concat())].concat();
    let cut = gzip(&records[1]);
    let zstd = compressed(records[1].as_bytes(), "zstd");
    let cases: [(&str, &[u8], i32, &str); 9] = [
        ("warc.gz", &several, 2, "a member has several records"),
        ("warc.gz", &cut[..cut.len() - 9], 2, "the member at byte 0"),
        ("warc", &records[1].as_bytes()[..90], 2, "the archive ends within a record, at byte 0"),
        ("warc", b"WAR", 2, "the archive ends within a record, at byte 0"),
        ("warc.gz", &gzip("not an archive"), 1, "byte 0: a record begins with WARC/"),
        ("warc", b"not an archive", 1, "byte 0: a record begins with WARC/"),
        ("warc.gz", b"\x1F\x8B", 2, "gzip is cut off"),
        ("warc.gz", b"", 2, "the file is empty, and its name says gzip"),
        ("warc.zst", &zstd, 2, "this is zstd"),
    ];
    for (ending, bytes, code, message) in cases {
        let file = TempFile::new(&format!("archive-refused.{ending}"), bytes);
        let found = run(&["cdxj", file.name()], "");
        assert_eq!((found.code, found.text()), (code, ""), "{message}: {}", found.err);
        assert!(found.err.contains(message), "{message}: {}", found.err);
    }
    // What the message says helps.
    let file = TempFile::new("archive-refused.warc.gz", &several);
    let made = run(&["normalize", "-q", "--from", "warc", file.name()], "");
    let mut text = String::new();
    MultiGzDecoder::new(&several[..]).read_to_string(&mut text).unwrap();
    assert_eq!(made.text().len(), text.len());
    // No time: the record fails, and the others are indexed.
    let without = records[3].replace("WARC-Date", "X-Date");
    let found = run(&["cdxj"], [without, records[4].clone()].concat());
    assert_eq!((found.code, found.lines().len()), (1, 1), "{}", found.err);
    let empty = run(&["cdxj"], "");
    assert_eq!((empty.code, empty.text()), (0, ""));
}

/// A small generator of numbers below a limit.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// A record of an archive that is made, and whether its length is right.
struct Made {
    text: Vec<u8>,
    /// Its length without the line breaks after its content.
    length: usize,
    is_right: bool,
    /// Where its content ends, if its length is believed.
    stated: usize,
}

/// A capture with some content, whose stated length may be wrong, in an archive whose lines end with `newline`.
fn made(dice: &mut Dice, number: usize, newline: &str) -> Made {
    const PIECES: [&str; 7] = ["a", "\r\n", "\n\n", "x\nWARC/", "\r\n\r\n", "<p>", "0"];
    let mut content = format!("HTTP/1.1 200 OK\r\n\r\n{number}");
    (0..dice.below(20)).for_each(|_| content += PIECES[dice.below(PIECES.len())]);
    // Without a `WARC/` of its own in a line of the content, a wrong length leads to the next record.
    let is_right = dice.below(3) > 0;
    let content = if is_right { content } else { content.replace("WARC/", "") + "." };
    let length = content.len();
    let wrong = match dice.below(3) {
        0 => length.saturating_sub(1 + dice.below(30)),
        1 => length + 1 + dice.below(30),
        _ => length + 1 + dice.below(2_000),
    };
    let stated = if is_right { length } else { wrong };
    let head = [
        "WARC/1.1",
        "WARC-Type: response",
        &format!("WARC-Target-URI: http://a.example/{number}"),
        "WARC-Date: 2026-11-27T01:02:03Z",
        "Content-Type: application/http; msgtype=response",
        &format!("Content-Length: {stated}"),
        "",
        "",
    ];
    let head = head.join(newline);
    let text = [&head[..], &content, newline, newline].concat().into_bytes();
    Made { text, length: head.len() + length, is_right, stated: head.len() + stated }
}

/// A reader that is not the program's looks at each line of the index: at the offset begins a record that was made, with
/// this address, and the length is that of the record. No record whose length is right is missing, but for those after
/// the place where a length leads out of the file.
#[test]
fn each_line_of_an_index_points_to_a_record() {
    let (mut dice, mut wrong_lengths, mut lines) = (Dice(51), 0, 0);
    let archives = std::env::var("IRI_ARCHIVES").map_or(220, |count| count.parse().unwrap());
    for number in 0..archives {
        let newline = ["\r\n", "\n"][dice.below(2)];
        let records: Vec<Made> =
            (0..1 + dice.below(6)).map(|n| made(&mut dice, n, newline)).collect();
        let is_gzip = dice.below(2) == 0;
        // What stands between two records.
        let junk = ["", "", "junk\n", "\r\n"][dice.below(4)];
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        for record in &records {
            let start = bytes.len();
            match is_gzip {
                true => {
                    let text = String::from_utf8(record.text.clone()).unwrap();
                    bytes.extend(gzip(&text));
                    places.push((start, bytes.len() - start));
                }
                false => {
                    bytes.extend_from_slice(&record.text);
                    places.push((start, record.length));
                    bytes.extend_from_slice(junk.as_bytes());
                }
            }
        }
        // A wrong length that ends before line breaks by chance is right.
        let is_chance = records.iter().zip(&places).any(|(record, (start, _))| {
            let rest = match is_gzip {
                true => record.text.get(record.stated..),
                false => bytes.get(start + record.stated..),
            };
            let rest = rest.unwrap_or_default();
            !record.is_right && (rest.starts_with(b"\r\n\r\n") || rest.starts_with(b"\n\n"))
        });
        if is_chance {
            continue;
        }
        let cut = match dice.below(4) {
            0 => dice.below(bytes.len()),
            _ => bytes.len(),
        };
        bytes.truncate(cut);
        let ending = if is_gzip { ".warc.gz" } else { ".warc" };
        let file = TempFile::new(&format!("made{ending}"), &bytes);
        let found = match dice.below(2) {
            0 => run(&["cdxj", file.name()], ""),
            _ => run(&["cdxj"], &bytes),
        };
        let mut seen = Vec::new();
        for line in found.lines() {
            let object: Value = serde_json::from_str(line.splitn(3, ' ').nth(2).unwrap()).unwrap();
            let of = |name: &str| object[name].as_str().unwrap().to_owned();
            let place: (usize, usize) =
                (of("offset").parse().unwrap(), of("length").parse().unwrap());
            let stored = &bytes[place.0..place.0 + place.1];
            let mut text = stored.to_vec();
            if is_gzip {
                text.clear();
                GzDecoder::new(stored).read_to_end(&mut text).unwrap();
            }
            assert!(text.starts_with(b"WARC/1.1"), "{number}: {line}");
            let target = format!("WARC-Target-URI: {}", of("url"));
            assert!(String::from_utf8(text).unwrap().contains(&target), "{number}: {line}");
            let made = places.iter().position(|made| *made == place);
            let made = made.unwrap_or_else(|| panic!("{number}: no record was made there: {line}"));
            assert!(records[made].is_right, "{number}: {line}");
            seen.push(made);
            lines += 1;
        }
        // The line breaks after a record.
        let ends = if is_gzip { 0 } else { 2 * newline.len() };
        // Each record that is whole and right has a line. After a length that leads out of the file, none is looked for.
        let is_cut = cut < places.last().map_or(0, |(start, length)| start + length + ends);
        let whole = |at: usize| {
            let (start, length) = places[at];
            start + length + ends <= cut
        };
        let expected: Vec<usize> =
            (0..records.len()).filter(|at| records[*at].is_right && whole(*at)).collect();
        let wrong = records.iter().filter(|record| !record.is_right).count();
        wrong_lengths += wrong;
        match found.code {
            2 => assert!(
                expected.starts_with(&seen) && (is_cut || wrong > 0 && !is_gzip),
                "{number}: {seen:?}, not {expected:?}, cut at {cut}: {} {}",
                found.err,
                bytes.escape_ascii()
            ),
            _ => assert_eq!(seen, expected, "{number}: {}", found.err),
        }
        if found.code == 0 {
            // What is wrong may be cut off.
            let is_wrong =
                |(record, (start, _)): (&Made, &(usize, usize))| !record.is_right && *start < cut;
            let is_wrong = records.iter().zip(&places).any(is_wrong);
            let has_junk =
                !is_gzip && junk == "junk\n" && bytes.windows(5).any(|part| part == b"junk\n");
            assert!(!is_wrong && !has_junk, "{number}: {}", found.err);
        }
        // The other commands find the same records and the same faults, but for members, which only an index needs.
        if !is_gzip {
            let checked = run(&["check", "--count", "--from", "warc", "-j", "2"], &bytes);
            assert_eq!(checked.code, found.code, "{number}: {}", checked.err);
            assert_eq!(
                run(&["normalize", "--to", "lines", "--from", "warc", file.name()], "")
                    .lines()
                    .len(),
                seen.len(),
                "{number}"
            );
        }
    }
    assert!(wrong_lengths > 150 && lines > 250, "{wrong_lengths} {lines}");
}
