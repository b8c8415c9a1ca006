//! One law for `iri redact`: no secret that is planted in a record is in anything that the program writes, whatever is
//! wrong with the record, and whichever option keeps or reports it: the output, standard error, the file of the records
//! that fail, the file in place. Redacting twice is redacting once, and what is not a secret stays.
//!
//! The inputs are generated: records of every format with everything that a reader of the format cannot read, and
//! references of the generator of the library. `SIMD_IRI_SAMPLE` says how many inputs are left out, and
//! `PROPTEST_RNG_SEED` which inputs are tried.

#![expect(clippy::indexing_slicing, reason = "a failure is a failed test")]

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::planted::{Numbers, planted};
use super::{Run, TempFile, run};

/// A text of a record. `WORD` is a word of running text, `ITEM` is any reference as it is written in a field, `MARK` is a
/// text that stays, and U+00FF is the byte, which is not text. A record with `ITEM` can be read.
type Shape = &'static str;

struct Format {
    name: &'static str,
    args: &'static [&'static str],
    head: Shape,
    records: &'static [Shape],
    ends: &'static [Shape],
    /// Writes a reference in a field.
    item: fn(&[u8]) -> Vec<u8>,
}

/// A string of JSON.
fn json(item: &[u8]) -> Vec<u8> {
    serde_json::to_vec(&String::from_utf8_lossy(item)).unwrap_or_default()
}

/// A field of CSV in quotes.
fn csv(item: &[u8]) -> Vec<u8> {
    let parts: Vec<_> = item.split(|byte| *byte == b'"').collect();
    [&b"\""[..], &parts.join(&b"\"\""[..]), b"\""].concat()
}

fn line(item: &[u8]) -> Vec<u8> {
    item.iter().filter(|byte| !b"\r\n".contains(byte)).copied().collect()
}

/// The words of running text: no byte ends a word.
fn word(item: &[u8]) -> Vec<u8> {
    let is_inside = |byte: u8| byte > b' ' && !b"\"<>`\x7F".contains(&byte);
    item.iter().map(|byte| if is_inside(*byte) { *byte } else { b'_' }).collect()
}

/// A word with another text in the place of each backslash.
fn escaped(item: &[u8], backslash: &str) -> Vec<u8> {
    let word = word(item);
    let parts: Vec<_> = word.split(|byte| *byte == b'\\').collect();
    parts.join(backslash.as_bytes())
}

/// A word without `\u0026`. A format that reads this escape reads `&`, which ends a secret.
fn plain(mut reference: impl FnMut() -> Vec<u8>) -> Vec<u8> {
    let has_escape = |word: &Vec<u8>| word.windows(6).any(|part| part == b"\\u0026");
    std::iter::repeat_with(|| word(&reference())).find(|word| !has_escape(word)).unwrap_or_default()
}

/// Tells whether a reference is one that the request line of a log may have.
fn is_target(reference: &[u8]) -> bool {
    let word = word(reference);
    let scheme = word
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
        .count();
    let has_scheme = word[0].is_ascii_alphabetic() && word.get(scheme) == Some(&b':');
    (word[0] == b'/' || has_scheme) && !word.contains(&b'#')
}

/// A word of a text in UTF-8.
fn text(item: &[u8]) -> Vec<u8> {
    word(String::from_utf8_lossy(item).as_bytes())
}

/// Records that are read whole: a word with a secret is in each place that is no address.
const WHOLE: [Format; 10] = [
    Format {
        name: "csv-whole",
        args: &["--from", "csv"],
        head: "n,x,ITEM\n",
        records: &["MARK,ITEM,ITEM\n", "MARK\n", "MARK,\"a\nb\",ITEM,ITEM\n", "WORD,MARK,WORD\n"],
        ends: &["", "MARK,x,ITEM", "MARK,\"WORD"],
        item: csv,
    },
    Format {
        name: "csv-bare-whole",
        args: &["--from", "csv", "--no-header", "--delimiter", ";"],
        head: "",
        records: &["MARK;ITEM;ITEM\n", "ITEM\n", "\n"],
        ends: &[""],
        item: csv,
    },
    Format {
        name: "tsv-whole",
        args: &["--from", "tsv"],
        head: "n\tu\n",
        records: &["MARK\tITEM\n", "ITEM\tMARK\tITEM\n"],
        ends: &[""],
        item: csv,
    },
    Format {
        name: "jsonl-whole",
        args: &["--from", "jsonl"],
        head: "",
        records: &[
            "{\"n\":\"MARK\",\"u\":ITEM,\"v\":[1,{\"w\":ITEM},[ITEM]]}\n",
            "{ITEM:\"MARK\",\"u\":{ITEM:ITEM}}\n",
            "[\"MARK\",ITEM]\n",
            "ITEM\n",
            "{\"n\":\"MARK\",\"u\":ITEM,\"u\":ITEM}\n",
            "{\"n\":\"MARK\",\"u\":ITEM,}\n",
        ],
        ends: &["", "{\"u\":ITEM"],
        item: json,
    },
    Format {
        name: "cdxj-whole",
        args: &["--from", "cdxj"],
        head: "!meta {\"source\":ITEM}\n",
        records: &["WORD MARK {\"url\":ITEM,\"a\":ITEM,ITEM:[ITEM]}\n"],
        ends: &[""],
        item: json,
    },
    Format {
        name: "log-whole",
        args: &["--from", "log"],
        head: "",
        records: &[
            "MARK ITEM - [t] \"GET /a HTTP/1.1\" 200 5 \"ITEM\" \"x ITEM y\" \"ITEM\" WORD\n",
            "MARK - - [t] \"ITEM\" 200 5 \"ITEM\"\n",
            "MARK - - [t] \"GET ITEM\" 200 5 \"-\" \"ITEM\"\n",
            "MARK - - [t] \"GET /a ITEM HTTP/1.1\" 200 5 \"-\" \"ITEM\"\n",
            "MARK - - [t] \"GET /a HTTP/1.1 ITEM\" 200 5\n",
            "MARK - - [t] \"\\x16\\x03\\x01 ITEM\" 200 5\n",
            "MARK - - [t] \"-\" 200 5 \"ITEM\"\n",
        ],
        ends: &[""],
        item: |item| escaped(item, "\\\\"),
    },
    Format {
        name: "log-format-whole",
        args: &["--from", "log", "--log-format", "$host \"$request\" $a [$b] \"$c\""],
        head: "",
        records: &[
            "MARK \"GET /a HTTP/1.1\" ITEM [ITEM] \"ITEM\" \"ITEM\"\n",
            "MARK \"-\" ITEM [ITEM] \"ITEM\"\n",
        ],
        ends: &[""],
        item: |item| escaped(item, "\\\\"),
    },
    Format {
        name: "nq-whole",
        args: &["--from", "nq"],
        head: "# MARK WORD\n",
        records: &[
            "<a:MARK> <a:p> ITEM .\n",
            "<a:MARK> <a:p> ITEM@en <a:g> . # ITEM\n",
            "<a:MARK> <a:p> ITEM^^<a:t> . # WORD\n",
        ],
        ends: &[""],
        item: |item| [&b"\""[..], &escaped(&text(item), "\\u005C"), b"\""].concat(),
    },
    Format {
        name: "html-whole",
        args: &["--from", "html"],
        head: "<!doctype html><!-- ITEM -->",
        records: &[
            "<a href=\"http://a/\" title='ITEM'>MARK ITEM</a>\n",
            "<a title=\"ITEM\" href='http://a/'>MARK<!-- don't ITEM --></a>",
            "<img alt='ITEM'/>MARK<script>x=\"ITEM\"</script>",
            "<p class=ITEM>MARK (ITEM)</p>\n",
        ],
        ends: &["", "<!-- ITEM"],
        item: text,
    },
    Format {
        name: "warc-whole",
        args: &["--from", "warc"],
        head: "",
        records: &[
            "WARC/1.0\r\nX: ITEM\r\nWARC-Target-URI: http://a/\r\nContent-Length: 4\r\nY: ITEM\r\n\r\nMARK\r\n\r\n",
        ],
        ends: &[""],
        item: word,
    },
];

const FORMATS: [Format; 14] = [
    Format {
        name: "lines",
        args: &["--from", "lines"],
        head: "",
        records: &["ITEM\n", "ITEM\r\n", "MARK\n"],
        ends: &["", "ITEM"],
        item: line,
    },
    Format {
        name: "charset",
        args: &["--from", "lines", "--charset", "shift_jis"],
        head: "",
        records: &["ITEM\n", "MARK\n", "http://u:p\u{FF}@h/\n"],
        ends: &[""],
        item: line,
    },
    Format {
        name: "csv",
        args: &["--from", "csv", "--field", "u"],
        head: "n,x,u\n",
        records: &[
            "MARK,,ITEM\n",
            "WORD,MARK\n",
            "MARK,\"WORD\"\n",
            "MARK\n",
            "\"MARK, WORD\"\n",
            "\n",
            "MARK,\"a\nb\",ITEM,x\n",
        ],
        ends: &["", "MARK,x,ITEM", "MARK,\"WORD", "MARK,x,\"WORD\nMARK,WORD\nWORD,MARK\n"],
        item: csv,
    },
    Format {
        name: "csv-twins",
        args: &["--from", "csv", "--field", "u"],
        head: "n,u,x,u\n",
        records: &["MARK,ITEM,,ITEM\n", "MARK,WORD,x,WORD\n", "MARK,ITEM\n", "\"WORD\"\n"],
        ends: &[""],
        item: csv,
    },
    Format {
        // The first row is read as the header.
        name: "csv-header",
        args: &["--from", "csv", "--field", "2"],
        head: "a WORD,\"WORD\"\n",
        records: &["MARK,ITEM\n", "WORD\n"],
        ends: &[""],
        item: csv,
    },
    Format {
        name: "tsv",
        args: &["--from", "tsv", "--field", "u"],
        head: "n\tu\n",
        records: &["MARK\tITEM\n", "WORD\n", "MARK\n", "\"MARK WORD\"\n"],
        ends: &["", "MARK\t\"WORD\n"],
        item: csv,
    },
    Format {
        name: "jsonl",
        args: &["--from", "jsonl", "--field", "/u"],
        head: "",
        records: &[
            "{\"n\":\"MARK\",\"u\":ITEM}\n",
            "{\"n\":\"MARK\",\"u\":\"WORD\"\n",
            "{\"n\":\"MARK\",\"u\":\"WORD\",}\n",
            "{\"n\":\"MARK\",\"u\":\"WORD\n",
            "{\"n\":\"MARK\",\"u\":[\"WORD\"]}\n",
            "{\"n\":\"MARK\",\"u\":{\"v\":\"WORD\"}}\n",
            "{\"n\":\"MARK\",\"v\":\"WORD\"}\n",
            "[\"MARK\",\"WORD\"]\n",
            "\"MARK WORD\"\n",
            "MARK: WORD\n",
            "{\"n\":\"MARK\",\"u\":\"WORD\\ud800\"}\n",
            "{\"u\":ITEM,\"n\":\"MARK\",\"u\":ITEM}\n",
            "{\"u\":\"WORD\",\"n\":\"MARK\",\"u\":\"WORD\"}\n",
            "{\"u\":ITEM,\"n\":\"MARK\",\"u\":null}\n",
            "{\"u\":ITEM,\"n\":\"MARK\",\"\\u0075\":ITEM}\n",
            "{\"u\":[1,\"WORD\"],\"n\":\"MARK\",\"u\":\"WORD\"}\n",
            "{\"n\":\"MARK WORD\",\"u\":\"\\ud800\"}\n",
            "{\"u\":\"WORD\",\"u\":\"WORD\",\"u\":5,\"n\":\"MARK\"}\n",
        ],
        ends: &["", "{\"n\":\"MARK\",\"u\":ITEM}", "{\"u\":\"WORD"],
        item: json,
    },
    Format {
        name: "jsonl-nested",
        args: &["--from", "jsonl", "--field", "/a/0/u"],
        head: "",
        records: &[
            "{\"n\":\"MARK\",\"a\":[{\"u\":ITEM}]}\n",
            "{\"n\":\"MARK\",\"a\":[{\"u\":ITEM,\"u\":ITEM}],\"a\":[{\"u\":ITEM}]}\n",
            "{\"n\":\"MARK\",\"a\":[{\"u\":\"WORD\"}],\"a\":[{\"u\":\"WORD\"},\n",
            "{\"n\":\"MARK\",\"a\":\"WORD\"}\n",
        ],
        ends: &[""],
        item: json,
    },
    Format {
        name: "cdxj",
        args: &["--from", "cdxj"],
        head: "!meta {\"source\":\"WORD\"}\n",
        records: &[
            "com,MARK)/ 2020 {\"url\":ITEM}\n",
            "com,MARK)/ 2020 {\"url\":ITEM,\"url\":ITEM}\n",
            "com,MARK)/ 2020 {\"url\":\"WORD\n",
            "com,MARK)/ 2020 {\"url\":\"\\ud800\",\"a\":\"WORD\"}\n",
            "MARK WORD\n",
            "!MARK WORD\n",
        ],
        ends: &[""],
        item: json,
    },
    Format {
        name: "log",
        args: &["--from", "log"],
        head: "",
        records: &[
            "MARK - - [t] \"GET ITEM HTTP/1.1\" 200 5\n",
            "MARK - - [t] \"GET ITEM HTTP/1.1\" 200 5 \"-\" \"-\"\n",
            "MARK \"GET WORD HTTP/1.1\" 200 5\n",
            "MARK - - [t] \"WORD\" 200 5\n",
            "MARK - - [t] \"GET WORD HTTP/1.1\n",
            "MARK - - [t WORD\n",
            "WORD\n",
        ],
        ends: &[""],
        item: |item| escaped(item, "\\\\"),
    },
    Format {
        name: "nq",
        args: &["--from", "nq"],
        head: "# MARK <WORD>\n",
        records: &[
            "<http://a/MARK> <a:p> <ITEM> .\n",
            "<ITEM> <ITEM> \"MARK\" .\n",
            "<ITEM> <a:p> <a:\\q> . # MARK\n",
            "<a:s> <a:p> <WORD\\u> . # MARK\n",
            "# MARK WORD\n",
            "<WORD> <a:p> . # MARK\n",
            "<a:MARK> <a:p> <WORD\n",
            "<a:MARK> <a:p> <a:o> <WORD> <WORD> .\n",
            "<a:MARK> \"WORD\" <a:o> .\n",
            "MARK WORD .\n",
            "<a:MARK> <\\uD800> \"WORD\" . # WORD\n",
        ],
        ends: &["", "<a:MARK> <a:p> <WORD> ."],
        item: |item| escaped(&text(item), "\\u005C"),
    },
    Format {
        name: "sitemap",
        args: &["--from", "sitemap"],
        head: "<urlset>",
        records: &[
            "<url><loc>ITEM</loc><x>MARK</x></url>\n",
            "<url><loc>\n ITEM\n</loc><x>MARK</x></url>",
            "<url><loc>WORD&nosuch;</loc><x>MARK</x></url>\n",
            "<url><loc>WORD<b/></loc><x>MARK</x></url>\n",
        ],
        ends: &[
            "</urlset>",
            "<url><loc>WORD",
            "<url><loc>WORD</lo></url></urlset>",
            "<url></x WORD><loc>WORD</loc>",
            "<url><loc>WORD</loc></x><loc>WORD</loc><xhtml:link href='WORD'/><xhtml:link href='WORD",
        ],
        item: text,
    },
    Format {
        name: "html",
        args: &["--from", "html"],
        head: "<!doctype html>",
        records: &[
            "<a href=\"ITEM\">MARK</a>\n",
            "<a href='ITEM'>MARK</a>",
            "<a href=\"WORD\u{FF}\">MARK</a>\n",
            "<p>MARK</p>\n",
        ],
        ends: &[
            "",
            "<a title='MARK' href=\"WORD",
            "<a title='MARK' href='WORD",
            "<a title='MARK' href=WORD",
            "<img title='MARK' href='WORD' src=\"WORD\"",
            "</a title='MARK' href='WORD'",
        ],
        item: text,
    },
    Format {
        name: "warc",
        args: &["--from", "warc"],
        head: "",
        records: &[
            "WARC/1.0\r\nWARC-Target-URI: ITEM\r\nContent-Length: 4\r\n\r\nMARK\r\n\r\n",
            "WARC/1.0\r\nWARC-Target-URI: <ITEM>\r\nContent-Length: 4\r\n\r\nMARK\r\n\r\n",
            "XARC/1.0\r\nWARC-Target-URI: ITEM\r\nX: WORD\r\nContent-Length: 4\r\n\r\nMARK\r\n\r\n",
        ],
        ends: &[
            "",
            "WARC/1.0\r\nWARC-Target-URI: ITEM\r\nX: WORD\r\nContent-Length: 400\r\n\r\nMARK",
            "WARC/1.0\r\nWARC-Target-URI: ITEM\r\n\r\nMARK WORD",
            "WARC/1.0\r\nWARC-Target-URI: WORD\r\n",
            "MARK WORD",
        ],
        item: line,
    },
];

/// The forms of the output. The word `FILE` is the name of a new file.
const MODES: [&[&str]; 19] = [
    &[],
    &["-v", "--jobs", "3"],
    &["--keep", "input"],
    &["--keep", "empty"],
    &["--errors", "FILE"],
    &["--errors", "FILE", "--keep", "input"],
    &["--max-errors", "2", "--errors", "FILE", "--keep", "input"],
    &["--max-errors", "1", "--keep", "input"],
    &["--to", "lines", "--keep", "input"],
    &["--to", "csv", "--keep", "input"],
    &["--to", "tsv", "--errors", "FILE"],
    &["--to", "jsonl", "--keep", "input"],
    &["--add", "new", "--keep", "input"],
    &["--add", "new", "--to", "jsonl", "--keep", "input"],
    &["--max-record", "60", "--keep", "input"],
    &["--max-record", "60", "--errors", "FILE"],
    &["--in-place"],
    &["--in-place", "--errors", "FILE"],
    &["--in-place", "--max-record", "60"],
];

/// An input, and what is planted in it.
struct Input {
    text: Vec<u8>,
    secrets: Vec<Vec<u8>>,
    marks: Vec<String>,
    /// Whether an item is a word with what is around items, without escapes.
    is_plain: bool,
    /// Whether an item is the word of a running text.
    is_text: bool,
}

impl Input {
    /// Appends a record. `reference` returns the references that are planted.
    fn add(&mut self, format: &Format, shape: Shape, mut reference: impl FnMut() -> Vec<u8>) {
        let mut rest = shape;
        while let Some(at) = rest.find(['W', 'I', 'M', '\u{FF}']) {
            let (before, after) = rest.split_at_checked(at).unwrap_or_default();
            self.text.extend_from_slice(before.as_bytes());
            rest = if let Some(after) = after.strip_prefix("WORD") {
                self.text.extend(plain(&mut reference));
                after
            } else if let Some(after) = after.strip_prefix("ITEM") {
                if self.is_plain {
                    let around = (format.item)(b"x");
                    let parts: Vec<_> = around.split(|byte| *byte == b'x').collect();
                    self.text.extend(parts.join(&plain(&mut reference)[..]));
                } else if self.is_text {
                    self.text.extend((format.item)(&plain(&mut reference)));
                } else if format.name == "log" {
                    let mut targets = std::iter::repeat_with(&mut reference);
                    let target = targets.find(|target| is_target(target));
                    self.text.extend((format.item)(&target.unwrap_or_default()));
                } else {
                    self.text.extend((format.item)(&reference()));
                }
                after
            } else if let Some(after) = after.strip_prefix("MARK") {
                // A content of WARC has this length.
                self.marks.push(format!("m{:03}", self.marks.len()));
                self.text.extend(self.marks.last().unwrap_or(&String::new()).bytes());
                after
            } else {
                let letter = after.chars().next().unwrap_or_default();
                match letter {
                    '\u{FF}' => self.text.push(0xFF),
                    _ => self.text.extend(letter.to_string().bytes()),
                }
                after.strip_prefix(letter).unwrap_or_default()
            };
        }
        self.text.extend_from_slice(rest.as_bytes());
    }
}

/// Returns an input of a format.
fn input(
    format: &Format,
    numbers: &mut Numbers,
    is_plain: bool,
    mut reference: impl FnMut(&mut Numbers, &mut Vec<Vec<u8>>) -> Vec<u8>,
) -> Input {
    let (text, secrets, marks) = (Vec::new(), Vec::new(), Vec::new());
    let is_text = format.name.ends_with("-whole");
    let mut made = Input { text, secrets, marks, is_plain, is_text };
    let count = numbers.below(30);
    let records = (0..count).map(|_| numbers.one(format.records)).collect::<Vec<_>>();
    let end = numbers.one(format.ends);
    let mut secrets = Vec::new();
    for shape in [format.head].into_iter().chain(records).chain([end]) {
        made.add(format, shape, || reference(numbers, &mut secrets));
    }
    made.secrets = secrets;
    made
}

/// Runs the program with a file of its own. Returns the run, what it wrote over the file, and all that it wrote.
fn tried(format: &Format, mode: &[&str], input: &[u8]) -> (Run, Vec<u8>, Vec<Vec<u8>>) {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    let file = TempFile::new(&format!("secrets-{number}"), input);
    let errors = TempFile::new(&format!("secrets-errors-{number}"), "");
    let mode = mode.iter().map(|arg| if *arg == "FILE" { errors.name() } else { *arg });
    let args = ["redact"].into_iter().chain(format.args.iter().copied()).chain(mode);
    let found = run(&args.chain([file.name()]).collect::<Vec<_>>(), "");
    let errors = fs::read(errors.name()).unwrap_or_default();
    let in_place = fs::read(file.name()).unwrap_or_default();
    let mut written = vec![found.out.clone(), found.err.clone().into_bytes()];
    for line in errors.split(|byte| *byte == b'\n') {
        let object: Value = serde_json::from_slice(line).unwrap_or_default();
        let bytes = object["record_base64"].as_str().and_then(|text| STANDARD.decode(text).ok());
        written.extend(bytes);
    }
    written.push(errors);
    (found, in_place, written)
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Tells whether a text has these parts in their order.
fn has_all(text: &[u8], parts: &[String]) -> bool {
    let mut rest = text;
    parts.iter().all(|part| {
        let at = rest.windows(part.len()).position(|found| found == part.as_bytes());
        rest = at.map_or(&[][..], |at| &rest[at + part.len()..]);
        at.is_some()
    })
}

const SETS: [&str; 4] =
    ["--set", "otel,aws-sigv4,aws-sigv2,cloudfront,azure-sas,gcs,oauth,common", "--nested", "2"];

#[test]
fn no_planted_secret_is_in_anything_that_is_written() {
    let sample = variable("SIMD_IRI_SAMPLE").unwrap_or(1).clamp(1, 11);
    let seed = variable("PROPTEST_RNG_SEED").unwrap_or(1);
    let mut numbers = Numbers(seed);
    let (mut planted_secrets, mut reports) = (0, 0);
    for format in FORMATS.iter().chain(&WHOLE) {
        let (mut runs, mut accepted) = (0, 0);
        for round in 0..33 / sample {
            for mode in MODES {
                // What is too long is running text.
                let has_long = mode.contains(&"--max-record");
                let input = input(format, &mut numbers, has_long, |numbers, secrets| {
                    let made = planted(numbers.below(usize::MAX), 2);
                    secrets.extend(made.secrets);
                    made.text
                });
                // What names the address of a record is refused where there is none.
                let has_none = ["csv-whole", "csv-bare-whole", "tsv-whole", "jsonl-whole"]
                    .contains(&format.name);
                if has_none && ["--add", "lines"].iter().any(|word| mode.contains(word)) {
                    continue;
                }
                let args = [&SETS[..], mode].concat();
                let (found, in_place, mut written) = tried(format, &args, &input.text);
                let shown = || {
                    let text = input.text.escape_ascii();
                    format!("{} {round} {args:?}\n{text}\n{}", format.name, found.err)
                };
                // A file that is not read to its end stays as it is.
                let is_in_place = mode.contains(&"--in-place");
                if is_in_place && (found.code < 2 || in_place != input.text) {
                    written.push(in_place.clone());
                }
                for secret in &input.secrets {
                    for text in &written {
                        let is_left = text.windows(secret.len()).any(|part| part == &secret[..]);
                        assert!(
                            !is_left,
                            "{} in {} of {}",
                            secret.escape_ascii(),
                            text.escape_ascii(),
                            shown()
                        );
                    }
                }
                planted_secrets += input.secrets.len();
                reports += found.err.lines().count();
                runs += 1;
                accepted += usize::from(found.code < 2);
                let is_read = found.code < 2 || found.err.contains("a quote opens a field");
                let is_whole = !["--to", "--max-errors"].iter().any(|option| mode.contains(option));
                if is_read && is_whole && mode.ends_with(&["--keep", "input"]) {
                    assert!(has_all(&found.out, &input.marks), "{}", shown());
                }
                if found.code < 2 && is_in_place && !mode.contains(&"--errors") {
                    assert!(has_all(&in_place, &input.marks), "{}", shown());
                }
                // The output of a text in a charset is UTF-8. What was too long may be short then.
                let is_once = is_read && format.name != "charset" && !has_long;
                if is_once && *mode == ["--keep", "input"] {
                    let (again, ..) = tried(format, &args, &found.out);
                    // A record is one of its format still.
                    assert_eq!(again.code, found.code, "{}", shown());
                    assert_eq!(
                        again.out.escape_ascii().to_string(),
                        found.out.escape_ascii().to_string(),
                        "{}",
                        shown()
                    );
                }
            }
        }
        // Of the others, most end in what cannot be read.
        assert!(accepted * 6 > runs, "{}: {accepted} of {runs}", format.name);
    }
    assert!(planted_secrets > 10_000 && reports > 1_000, "{planted_secrets} {reports}");
}

#[test]
fn a_record_without_a_secret_stays_as_it_is() {
    let mut numbers = Numbers(variable("PROPTEST_RNG_SEED").unwrap_or(1));
    let formats = FORMATS.iter().chain(&WHOLE);
    for format in formats.filter(|format| format.name != "charset") {
        for _ in 0..super::sampled(20) {
            let input = input(format, &mut numbers, false, |_, _| b"http://h/a?b=c@d".to_vec());
            for mode in [
                &["--keep", "input"][..],
                &["--max-record", "60", "--keep", "input"],
                &["--in-place"],
            ] {
                let args = [&SETS[..], mode].concat();
                let (found, in_place, _) = tried(format, &args, &input.text);
                if found.code == 2 {
                    continue;
                }
                let written = if mode.contains(&"--in-place") { in_place } else { found.out };
                assert_eq!(
                    written.escape_ascii().to_string(),
                    input.text.escape_ascii().to_string(),
                    "{} {mode:?} {}",
                    format.name,
                    found.err
                );
            }
        }
    }
}

#[test]
fn the_line_of_a_report_is_that_of_the_file() {
    // The user has a newline in it.
    let text = "n,u\n1,\"http://u\n:p@h/\"\n2\n3,\"http://a\n\n:b@c/\"\n4\n";
    let file = TempFile::new("secrets-lines.csv", text);
    let found = run(&["redact", "--field", "u", file.name()], "");
    let lines: Vec<_> = found.err.lines().filter_map(|line| line.split(':').nth(1)).collect();
    assert_eq!(&lines[..2], ["4", "8"], "{}", found.err);
    assert_eq!(
        found.text(),
        "n,u\n1,\"http://REDACTED:REDACTED@h/\"\n3,\"http://REDACTED:REDACTED@c/\"\n"
    );
}

#[test]
fn a_word_that_is_too_long_is_replaced() {
    let text = format!("h GET http://u:{}/?a=b x\n", "p".repeat((1 << 24) + (1 << 17)));
    let file = TempFile::new("secrets-word.log", text);
    let keep = ["--keep", "input", "--max-record", "60"];
    let found = run(&[&["redact", "--from", "log"], &keep[..], &[file.name()]].concat(), "");
    assert_eq!((found.text(), found.code), ("h GET REDACTED x\n", 1), "{}", found.err);
}
