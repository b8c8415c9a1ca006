//! Tests that the search of many records by masks gives the records of the reader of the format: the same records in the
//! same order, and for those that it does not leave to the reader the same texts of the addresses.

use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::Range;

use memchr::memchr_iter;
use simd_iri::low::BLOCK;
use simd_iri::{Rule, parser::CpuLevel};

use crate::args::records::RecordArgs;
use crate::format::{Layout, Record, csv, log, ntriples};
use crate::random::Random;
use crate::spans::Records;
use crate::spans::csv::{Before, Known, ends};

impl Random {
    /// A field of a row: usual, or with quotes in any places.
    fn field(&mut self, delimiter: u8) -> Vec<u8> {
        let text: &[u8] = [
            &b"http://a.example/"[..],
            b"urn:a",
            b"",
            b"a",
            "é".as_bytes(),
            b"\xFF",
            b"x b",
            b"http://a.example/a/long/path/of/more/than/a/block/of/bytes?with=a&query=of#its",
        ][self.below(8)];
        let inside = [&b""[..], b"\n", b"\"\"", b"\r", b"\r\n", &[delimiter], b"\"\"\n\"\""];
        match self.below(12) {
            0..6 => text.to_vec(),
            6..9 => [b"\"", text, inside[self.below(7)], text, b"\""].concat(),
            9 => [b"\"\"".as_slice(), inside[self.below(7)]].concat(),
            10 => [text, b"\"", inside[self.below(7)]].concat(),
            _ => [text, inside[self.below(7)], text].concat(),
        }
    }

    /// Rows, most of which have three fields.
    pub(super) fn rows(&mut self, delimiter: u8) -> Vec<u8> {
        let mut rows = Vec::new();
        // Most texts have no odd quotes, so that the rows after them are compared, too.
        let is_usual = self.below(3) > 0;
        for _ in 0..self.below(24) {
            let fields = [3, 3, 3, 3, 1, 2, 4, 0][self.below(8)];
            for number in 0..fields {
                rows.extend((number > 0).then_some(delimiter));
                let field = self.field(delimiter);
                let is_quoted = field.starts_with(b"\"") && field.ends_with(b"\"");
                if !is_usual || is_quoted || !field.iter().any(|byte| b"\"\r\n".contains(byte)) {
                    rows.extend(field);
                }
            }
            rows.extend([&b"\n"[..], b"\n", b"\n", b"\r\n", b"\r\n"][self.below(5)]);
        }
        self.mutate(&mut rows, &[b'"', b'\n', b'\r', delimiter, b'a', 0xEF, 0]);
        rows
    }

    /// Changes some bytes of a text to some of `bytes`, or inserts these. Then cuts the text.
    fn mutate(&mut self, text: &mut Vec<u8>, bytes: &[u8]) {
        for _ in 0..self.below(8).saturating_sub(4) {
            let place = self.below(text.len() + 1);
            let byte = bytes[self.below(bytes.len())];
            if self.below(2) == 0 {
                text.insert(place, byte);
            } else if let Some(old) = text.get_mut(place) {
                *old = byte;
            }
        }
        text.truncate(text.len() - self.below(text.len() / 4 + 1));
    }

    /// Lines that `line` makes, with blank lines between them.
    fn lines(&mut self, mut line: impl FnMut(&mut Self) -> Vec<u8>, bytes: &[u8]) -> Vec<u8> {
        let mut lines = Vec::new();
        for _ in 0..self.below(24) {
            if self.below(16) > 0 {
                lines.extend(line(self));
            }
            lines.extend([&b"\n"[..], b"\n", b"\n", b"\n", b"\r\n"][self.below(5)]);
        }
        self.mutate(&mut lines, bytes);
        lines
    }

    /// A text that is an address, or is not.
    fn address(&mut self) -> &'static str {
        let texts = [
            "http://a.example/",
            "http://a.example/a/long/path/of/more/than/a/block/of/bytes?with=a&query=of#its",
            "urn:a",
            "a b",
            "-",
            "",
            "/a/b",
            "http://é.example/",
            r"http://a.example/\u00E9",
            r"\x41",
            "a<b",
            r"/\x41/",
            r#"/\" a b "c" "d"#,
        ];
        let end = [1, 3, texts.len()][self.below(3)];
        texts[self.below(end)]
    }

    /// A statement of N-Triples or N-Quads.
    fn statement(&mut self) -> Vec<u8> {
        let iri = |random: &mut Self| format!("<{}>", random.address());
        let blank = |random: &mut Self| ["_:a", "_:b.c", "_:", "_:a."][random.below(4)].to_owned();
        let literal = |random: &mut Self| {
            let long =
                "a literal of more bytes than a block has, <with> a \\\"quote\\\" in it \\\\";
            let text = ["", "a", r"\n", r#"\"a"#, r"\\", "é", long][random.below(7)];
            let after = match random.below(4) {
                0 => "@en-GB".to_owned(),
                1 => format!("^^{}", iri(random)),
                _ => String::new(),
            };
            format!("\"{text}\"{after}")
        };
        let odd = [1, 8][usize::from(self.below(4) == 0)];
        let terms = [3, 3, 3, 4, 4, 2][self.below(6)];
        let mut line = ["", "", "", " ", "# "][self.below(odd) % 5].to_owned();
        for term in 0..terms {
            line += &match (term, self.below(8)) {
                (2, 0..4) => literal(self),
                (0 | 2 | 3, 4) => blank(self),
                (2, 5) => format!("<<( {} {} {} )>>", iri(self), iri(self), iri(self)),
                (2, 6) => format!("<<( {}", iri(self)),
                _ => iri(self),
            };
            line += [" ", "\t", "", "  "][self.below(odd) % 4];
        }
        line += [".", ".", ". ", ". # a", ""][self.below(odd) % 5];
        line.into_bytes()
    }

    /// A line of an access log.
    fn request(&mut self, format: &str) -> Vec<u8> {
        let mut parts = format.split('$');
        let mut line = parts.next().unwrap().to_owned();
        for part in parts {
            let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
            let (name, after) = part.split_at(part.find(is_end).unwrap_or(part.len()));
            let value = match name {
                "request" => {
                    let method = ["GET", "GET", "GET", "POST", "CONNECT", "", "A(", "-"];
                    let target =
                        ["/a/b", "*", "/a#b", "a.example:1"][self.below(8) & self.below(4)];
                    let long = self.address().replacen("http:/", "", 1);
                    let target = if self.below(2) == 0 { target } else { &long };
                    let version = [" HTTP/1.1", " HTTP/2", "", " HTTP/1.", " "];
                    let version = version[self.below(8).saturating_sub(3)];
                    format!("{} {target}{version}", method[self.below(8)])
                }
                "request_uri" | "http_referer" => self.address().to_owned(),
                "request_method" => ["GET", "CONNECT"][self.below(2)].to_owned(),
                _ => ["-", "a", "192.0.2.1", "23/Nov/2026:13:37:00 +0000", r#"a\"b"#, r"\\"]
                    [self.below(8) % 6]
                    .repeat([1, 1, 1, self.below(70)][self.below(4)]),
            };
            line += &value;
            line += if self.below(32) > 0 { after } else { "" };
        }
        line.into_bytes()
    }
}

/// The key and the time of a line of CDXJ.
const KEY: &[u8] = b"com,example)/ 20261128 ";

/// White space of JSON, most often none.
const SPACES: [&[u8]; 10] = [b"", b"", b"", b"", b"", b"", b" ", b"\t", b"\r", b"  \t "];

impl Random {
    fn pick<'a>(&mut self, texts: &[&'a [u8]]) -> &'a [u8] {
        texts[self.below(texts.len())]
    }

    /// A value of JSON, most often: some texts are only nearly JSON.
    fn value(&mut self, depth: usize) -> Vec<u8> {
        match self.below(if depth < 3 { 12 } else { 8 }) {
            0..4 => [b"\"", self.string(), b"\""].concat(),
            4..6 => self.pick(&[b"0", b"7", b"-1.5e+10", b"1234567890", b"0.25", b"true"]).to_vec(),
            6 => self.pick(&[b"null", b"false", b"{}", b"[]", b"{ }", b"[\t]", b"\"\""]).to_vec(),
            7 if self.below(20) > 0 => b"[1, 2]".to_vec(),
            7 => {
                let wrong: &[&[u8]] =
                    &[b"01", b"1.", b"nul", b"1\x0C", b"tru\"e\"", b"", b"1 2", b"[}", b"{]"];
                self.pick(wrong).to_vec()
            }
            8 => {
                let deep = [1, 2, 5, 60, 61, 62, 63, 64, 65][self.below(9)];
                [b"[".repeat(deep), b"]".repeat(deep)].concat()
            }
            kind => {
                let (mut text, is_object) = (Vec::new(), kind > 9);
                for number in 0..self.below(6) {
                    text.extend((number > 0).then_some(b','));
                    text.extend(self.pick(&SPACES));
                    if is_object {
                        text.extend([b"\"", self.name(), b"\""].concat());
                        text.extend([self.pick(&SPACES), b":", self.pick(&SPACES)].concat());
                    }
                    text.extend(self.value(depth + 1));
                    text.extend(self.pick(&SPACES));
                }
                let (open, end) = if is_object { (b"{", b"}") } else { (b"[", b"]") };
                [open, text.as_slice(), end].concat()
            }
        }
    }

    fn string(&mut self) -> &'static [u8] {
        if self.below(40) == 0 {
            return self.pick(&[
                b"\\\"",
                b"\\\\",
                b"\\u00e9\\n",
                b"a\\/b\\\\\\\"{,",
                b"\\x",
                b"\\u12",
                b"\\ud800",
                b"\x01",
                b"\xFF",
                b"\\\"\\\\\\\"\\\\\\\\\"",
            ]);
        }
        self.pick(&[
            b"http://a.example/",
            b"urn:a",
            b"",
            b"{},:[]",
            "\u{e9}\u{20ac}".as_bytes(),
            b"x b",
            b"http://a.example/a/long/path/of/more/than/a/block/of/bytes?with=a&query=of#its",
        ])
    }

    fn name(&mut self) -> &'static [u8] {
        match self.below(80) {
            0 => self.pick(&[b"u\\u0072l", b"\\\"", b"a\\", b"url\x01", b"url\" "]),
            number if number < 10 => b"url",
            number if number < 20 => b"a",
            _ => self.pick(&[b"id", b"title", b"0", b"u", b"urls", b"", b"b", "\u{e9}".as_bytes()]),
        }
    }

    /// A line of JSON, most often an object with a string at this pointer. If `has_key`, it has other text before it.
    fn object(&mut self, pointer: &str, has_key: bool) -> Vec<u8> {
        let mut line = Vec::new();
        if has_key {
            line.extend(self.pick(&[
                KEY,
                KEY,
                KEY,
                KEY,
                b"com,example)/{a}?b={ 2026\t",
                b"com,example)/ 2026 {\"a\" ",
                b"com,example)/\"{ 2026 ",
                b"com,example)/\" {\" ",
                b"com,example)/\\ 2026 ",
                b"!meta ",
                b" ",
                b"",
            ]));
        }
        line.extend(self.pick(&SPACES));
        let members = self.below(6);
        let wanted = self.below(members + 1);
        for number in 0..members {
            line.push(if number == 0 { b'{' } else { b',' });
            if number == wanted {
                let (names, string) =
                    (pointer.replacen('/', "", 1).replace('/', "\":{\""), self.string());
                line.extend([b"\"", names.as_bytes(), b"\":\"", string, b"\""].concat());
                line.extend("}".repeat(pointer.matches('/').count() - 1).bytes());
            } else {
                line.extend([b"\"", self.name(), b"\"", self.pick(&SPACES), b":"].concat());
                line.extend(self.pick(&SPACES));
                line.extend(self.value(0));
            }
        }
        line.extend((members > 0).then_some(b'}'));
        line.extend(self.pick(&SPACES));
        line
    }
}

/// A text of a format, whose first record begins at `from`.
struct Sample {
    layout: Layout,
    from: usize,
    text: Vec<u8>,
}

/// A record by the reader of its format.
struct Read {
    at: usize,
    end: usize,
    /// The texts of its addresses; `None` if the record is wrong.
    items: Option<Vec<Vec<u8>>>,
}

impl Sample {
    fn read(&self) -> Vec<Read> {
        let Self { layout, from, text } = self;
        let (mut reads, mut at) = (Vec::new(), *from);
        while at < text.len() {
            let mut record = Record::default();
            layout.next(text, at, &mut record);
            let items = record.fields.iter().map(|field| {
                // What is not UTF-8 has no text in some formats. It is an item of a batch nevertheless, and is invalid.
                let raw = &text[field.span.clone()];
                let item = layout.item(text, &record, field);
                item.map_or_else(|_| raw.to_vec(), Cow::into_owned)
            });
            let items = items.filter(|_| !record.is_filler).collect();
            reads.push(Read {
                at,
                end: record.end,
                items: record.error.is_none().then_some(items),
            });
            at = record.end;
        }
        reads
    }
}

/// Compares the search with the reader on samples. A record that begins a text for which `is_strange` holds may be left to
/// the reader. Returns the numbers of records that are regular and that are not, and of the blocks of CSV whose masks are known.
fn compare(
    sample: impl Fn(&mut Random) -> Sample,
    is_strange: impl Fn(&Layout, &[u8], &[Vec<u8>]) -> bool,
) -> (usize, usize, usize) {
    let mut random = Random(3987);
    let mut found = Records::default();
    let (mut regular, mut others, mut known_blocks) = (0, 0, 0);
    for number in 0..20_000 {
        let sample = sample(&mut random);
        let Sample { layout, from, text } = &sample;
        let reads = sample.read();
        // For half of the samples, the masks of the fields are known.
        let (mut known, mut before) = (Known::default(), 0);
        if number % 2 == 0 {
            // The reader of blocks scans the rest of the block before apart.
            let mut cut = layout.cut();
            let start = if number % 4 == 0 { 0 } else { text.len() / 3 };
            cut.scan(&text[..start], 0);
            cut.scan_fields(text, start, &mut known);
            if known.has_masks() {
                before = start;
                let count = |part: Range<usize>| memchr_iter(b'\n', &text[part]).count() as u64;
                for range in [0..text.len(), start..text.len() - BLOCK / 2, 0..start + BLOCK / 2] {
                    assert_eq!(known.newlines(range.clone(), count), count(range));
                }
            }
        }
        known_blocks += known.blocks();
        for level in CpuLevel::available() {
            let what = || format!("{level}, {layout:?}, {}", text.escape_ascii());
            if !layout.find(level, (text, *from), &known, &mut found) {
                assert_eq!(level.name(), "scalar");
                continue;
            }
            let is_regular = |read: &&Read| found.starts.binary_search(&(read.at as u32)).is_ok();
            let parsed = level.batch(Rule::Iri).parse(found.items(text).unwrap());
            let items: Vec<_> = parsed.map(|item| item.bytes()).collect();
            let expected =
                reads.iter().filter(is_regular).flat_map(|read| read.items.as_ref().unwrap());
            assert!(expected.eq(items.iter().copied()), "{}", what());
            assert_eq!(reads.iter().filter(is_regular).count(), found.starts.len(), "{}", what());
            if let Some(pairs) = found.pairs() {
                let records = reads.iter().filter(is_regular).map(|read| read.at..read.end);
                assert!(records.eq(pairs.map(|(record, _)| record)), "{}", what());
            }
            let mut left = Vec::new();
            found
                .each(text, std::iter::empty(), |at| {
                    left.push(at);
                    Ok::<_, Infallible>(true)
                })
                .unwrap();
            for read in &reads {
                let is_left = left.binary_search(&read.at).is_ok();
                (regular, others) =
                    (regular + usize::from(is_regular(&read)), others + usize::from(is_left));
                // What is not read one by one is right. What is has a reason.
                let items = read.items.as_deref();
                let has_address = items.is_some_and(|items| !items.is_empty());
                assert!(!is_left || !is_regular(&read), "{}", what());
                assert!(is_left || items.is_some(), "{}", what());
                assert!(is_left || is_regular(&read) == has_address, "{}", what());
                let is_last = text.len() - read.end < BLOCK;
                let is_usual = |items: &[Vec<u8>]| {
                    let is_left = is_last || read.at < before;
                    !items.is_empty() && !is_left && !is_strange(layout, &text[read.at..], items)
                };
                let record = text[read.at..read.end].escape_ascii();
                assert!(!is_left || !items.is_some_and(is_usual), "{record}: {}", what());
            }
            // Some addresses are selected, and the visit breaks at each record that is visited.
            let is_selected = |item: &[u8]| item.len() % 3 == number % 3;
            let has_selected = |read: &Read| {
                is_regular(&read) && read.items.iter().flatten().any(|item| is_selected(item))
            };
            let is_visited =
                |read: &&Read| left.binary_search(&read.at).is_ok() || has_selected(read);
            let visited: Vec<usize> = reads.iter().filter(is_visited).map(|read| read.at).collect();
            for stop in 0..=visited.len() {
                let mut seen = Vec::new();
                let selected = items.iter().copied().filter(|item| is_selected(item));
                let passed = found.each(text, selected, |at| {
                    seen.push(at);
                    Ok::<_, Infallible>(seen.len() <= stop)
                });
                let last = visited.get(stop);
                let before = reads.iter().filter(|read| last.is_none_or(|last| read.at <= *last));
                let counted = before.filter(|read| is_regular(read) && !has_selected(read));
                assert_eq!(passed.unwrap() as usize, counted.count(), "{}", what());
                assert_eq!(seen, visited[..visited.len().min(stop + 1)], "{}", what());
            }
        }
    }
    (regular, others, known_blocks)
}

#[test]
fn rows_by_masks_are_rows_of_the_reader() {
    let sample = |random: &mut Random| {
        let delimiter = [b',', b';', b'\t', 0][random.below(4)];
        let (field, from) = (random.below(4) + 1, 3 * random.below(2));
        let field = Some(field.to_string());
        let args = RecordArgs { no_header: true, field, ..RecordArgs::lines(None, 1 << 20) };
        let layout = Layout::Csv(csv::Layout::new(&args, delimiter).unwrap());
        Sample { layout, from, text: [&b"\xEF\xBB\xBF"[..from], &random.rows(delimiter)].concat() }
    };
    let is_strange = |_: &_, rest: &[u8], _: &_| rest.iter().any(|byte| b"\"\r".contains(byte));
    let (regular, others, known) = compare(sample, is_strange);
    assert!(regular > 100_000 && others > 100_000 && known > 2_000, "{regular} {others} {known}");
}

#[test]
fn statements_by_masks_are_statements_of_the_reader() {
    let sample = |random: &mut Random| {
        let has_graph = random.below(2) == 0;
        let field = [None, None, None, Some("s"), Some("p"), Some("o"), Some("g")];
        let field = field[random.below(if has_graph { 7 } else { 6 })];
        let layout = Layout::NTriples(ntriples::Layout::new(field, has_graph).unwrap());
        let text = random.lines(Random::statement, b"<>\"\\ \t\n\r.#@^_:a\xEF\0");
        Sample { layout, from: 0, text }
    };
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
    let is_strange = |_: &_, rest: &[u8], _: &_| {
        let line = rest.split(|byte| *byte == b'\n').next().unwrap();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let mut iris =
            line.split(|byte| *byte == b'<').map(|part| part.split(|byte| *byte == b'>'));
        let mut pairs = line.windows(2);
        iris.any(|mut parts| parts.next().unwrap().contains(&b'\\'))
            || pairs.any(|pair| pair == b"<<" || pair.iter().all(is_blank))
            || line.first().is_some_and(is_blank)
            || line.contains(&b'\r')
            || !line.ends_with(b".")
    };
    let (regular, others, _) = compare(sample, is_strange);
    assert!(regular > 100_000 && others > 100_000, "{regular} {others}");
}

#[test]
fn lines_of_logs_by_masks_are_lines_of_the_reader() {
    let combined =
        r#"$host $ident $user [$time_local] "$request" $status $bytes "$http_referer" "$agent""#;
    let formats = [
        (combined, None),
        (combined, None),
        (combined, Some("referer")),
        ("$host; $request_method <$request_uri> $status", Some("request_uri")),
        ("> $time_local \"$request_uri", Some("request_uri")),
        ("$http_referer", Some("http_referer")),
        ("$a \"$request\" $b", None),
    ];
    let sample = |random: &mut Random| {
        let (format, field) = formats[random.below(formats.len())];
        let log_format = Some(format.to_owned());
        let args = RecordArgs { log_format, ..RecordArgs::lines(None, 1 << 20) };
        let layout = log::Layout::new(&args, field).unwrap();
        let text = random.lines(|random| random.request(format), b"\"\\ \n\r/-#*a\xEF\0;>");
        Sample { layout: Layout::Log(layout), from: 0, text }
    };
    let is_request = |layout: &_| matches!(layout, Layout::Log(log) if log.address().is_none());
    let has_version = |line: &[u8], item: &Vec<u8>| {
        let target = [item, &b" HTTP/"[..]].concat();
        line.windows(target.len()).any(|part| part == target)
    };
    let is_strange = |layout: &Layout, rest: &[u8], items: &[Vec<u8>]| {
        let line = rest.split(|byte| *byte == b'\n').next().unwrap();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let is_target = |item: &Vec<u8>| item.starts_with(b"/");
        line.iter().any(|byte| b"\\\r".contains(byte))
            || items.iter().any(|item| item.contains(&b' ') || item.contains(&b'"'))
            || layout.has_targets() && !items.iter().all(is_target)
            || line.windows(7).any(|part| part == b"CONNECT")
            || is_request(layout) && !items.iter().all(|item| has_version(line, item))
    };
    let (regular, others, _) = compare(sample, is_strange);
    assert!(regular > 100_000 && others > 100_000, "{regular} {others}");
}

#[test]
fn lines_of_json_by_masks_are_lines_of_the_reader() {
    let pointers = ["/url", "/url", "/url", "/a/url", "/a/a/url", "/a", "/0", "/a/0"];
    let sample = |random: &mut Random| {
        let (pointer, has_key) = (pointers[random.below(8)], random.below(4) == 0);
        let form = if has_key { Layout::Cdxj } else { Layout::Json };
        let bytes = b"\"\"\"\\\\\n\n{}[],: 0a\x0C\0\xE9";
        let text = random.lines(|random| random.object(pointer, has_key), bytes);
        let from = 3 * random.below(2);
        let text = [&b"\xEF\xBB\xBF"[..from], &text].concat();
        Sample { layout: form(pointer.parse().unwrap()), from, text }
    };
    let is_strange = |layout: &_, rest: &[u8], _: &_| {
        let line = rest.split(|byte| *byte == b'\n').next().unwrap();
        let (Layout::Json(pointer) | Layout::Cdxj(pointer)) = layout else { unreachable!() };
        let has_key = matches!(layout, Layout::Cdxj(_));
        let count = |text: &str| memchr::memmem::find_iter(line, text).count();
        let is_twice = |name: &str| count(&format!("\"{name}\"")) > 1;
        let has_odd_path = match pointer.member() {
            Some(name) => is_twice(name),
            None => is_twice("a") || is_twice("url") || is_twice("0") || count("[") > 0,
        };
        let is_array = line.trim_ascii().starts_with(b"[");
        let has_odd_key = has_key && !line.starts_with(KEY) && !line.starts_with(b"{\"");
        line.contains(&b'\\') || has_odd_path || is_array || has_odd_key || count("[") > 60
    };
    let (regular, others, _) = compare(sample, is_strange);
    assert!(regular > 100_000 && others > 100_000, "{regular} {others}");
}

#[test]
fn every_level_ends_rows_at_the_same_places() {
    let mut random = Random(3986);
    let mut count = 0;
    for _ in 0..20_000 {
        let text = random.rows(b',');
        let mut bit = || random.below(2) == 0;
        let before = Before { is_inside: bit(), separator: bit(), quote: bit() };
        let expected = ends(CpuLevel::best(), &text, b',', before, &mut Known::default());
        for level in CpuLevel::available().filter(|level| level.name() != "scalar") {
            let found = ends(level, &text, b',', before, &mut Known::default());
            assert_eq!(found, expected, "{level} {before:?} {}", text.escape_ascii());
            count += usize::from(found.is_some());
        }
    }
    assert!(count > 5_000, "{count}");
}
