//! `iri extract`: checks the output for each link and its position, and that reads may cut the text
//! anywhere. The cases of the library say what a link is.

use std::fs;
use std::io::{Read, Write};
use std::thread;

use serde_json::{Value, json};

use super::pages::gzip;
use super::{Run, TempFile, iri, run};

/// Returns the cases of links in one context, with the schemes of UTS #58: texts in which links are
/// marked.
fn marked(markup: Option<&str>) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/links.jsonl");
    let text = fs::read_to_string(path).unwrap();
    let cases = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let field = |case: &Value, name| case.get(name).and_then(Value::as_str).map(str::to_owned);
    let of_markup = cases.filter(|case| {
        let options = ["schemes", "bare", "relative"];
        let is_plain = options.into_iter().all(|option| case.get(option).is_none());
        is_plain && field(case, "markup").as_deref() == markup
    });
    of_markup.map(|case| field(&case, "marked").unwrap()).collect()
}

#[test]
fn marks_are_those_of_the_cases() {
    for context in ["plain", "log", "markdown", "html"] {
        let cases = marked((context != "plain").then_some(context));
        assert!(cases.len() >= 3, "{context}");
        // In HTML and Markdown, an open element or a base of one case would change the next case.
        // A second definition of a label counts for nothing.
        let is_closed = |case: &&String| {
            !case.contains("<base") && !case.ends_with(" b") && !case.contains("]:")
        };
        let cases: Vec<_> = cases.iter().filter(is_closed).collect();
        // The text is longer than a read.
        let text = cases.iter().map(|case| format!("{case}\n\n")).collect::<String>();
        let text = text.repeat(40_000 / cases.len() / cases.len());
        let run = run(
            &["extract", "--mark", "--text", "--context", context],
            text.replace(['⸠', '⸡'], ""),
        );
        assert!(run.text() == text, "{context}");
        assert_eq!((run.err.as_str(), run.code), ("", 0));
    }
}

#[test]
fn links_are_printed_as_they_are_written() {
    let input = "See HTTP://a.example/[b], or\nb.com. See b.com!\n";
    assert_eq!(run(&["extract"], input).lines(), ["HTTP://a.example/[b]", "b.com", "b.com"]);
    assert_eq!(run(&["extract", "--unique"], input).lines(), ["HTTP://a.example/[b]", "b.com"]);
    let references = run(&["extract", "--reference", "-"], input);
    assert_eq!(references.lines()[..2], ["HTTP://a.example/%5Bb%5D", "https://b.com"]);
    let items = run(&["extract", "--with-position", "-i", "é a.com", "-i", "b.com"], "");
    assert_eq!(items.lines(), ["<item>:1:3: a.com", "<item>:2:1: b.com"]);
}

#[test]
fn positions_count_over_the_whole_text() {
    let text = ["é\n\n  例 a.com\r\n", &"\n".repeat(300_000), "x a@b.com"].concat();
    let file = TempFile::new("extract", text);
    let run = run(&["extract", "--with-position", file.name()], "");
    let name = file.name();
    let expected = [format!("{name}:3:5: a.com"), format!("{name}:300004:3: a@b.com")];
    assert_eq!(run.lines(), expected);
}

#[test]
fn json_has_the_position_and_the_link() {
    let run = run(&["extract", "--json"], b"\xFFx\nb.com/|, http://[::1]");
    assert_eq!(
        run.json(),
        [
            json!({"file": "<stdin>", "line": 2, "column": 1, "start": 3, "end": 10, "text": "b.com/|",
                   "kind": "domain", "reference": "https://b.com/%7C"}),
            json!({"file": "<stdin>", "line": 2, "column": 10, "start": 12, "end": 24,
                   "text": "http://[::1]", "kind": "iri", "reference": "http://[::1]"}),
        ]
    );
}

#[test]
fn schemes_are_chosen() {
    let input = "urn:a http://b.com ftp://c d.com";
    assert_eq!(
        run(&["extract", "--schemes", "urn,FTP"], input).lines(),
        ["urn:a", "ftp://c", "d.com"]
    );
    let any = run(&["extract", "--schemes", "any", "--no-bare"], input);
    assert_eq!(any.lines(), ["urn:a", "http://b.com", "ftp://c"]);
    assert_eq!(run(&["extract", "--schemes", "a b"], "").code, 2);
}

#[test]
fn ends_are_chosen() {
    let input = "请看https://example.com/中，b.com。";
    assert_eq!(run(&["extract"], input).lines(), Vec::<String>::new());
    let strict = run(&["extract", "--ends", "strict"], input);
    assert_eq!(strict.out, run(&["extract"], input).out);
    let found = |ends| run(&["extract", "--ends", ends], input);
    assert_eq!(found("tight").lines(), ["https://example.com/中", "b.com"]);
    assert_eq!(found("ascii").lines(), ["https://example.com/", "b.com"]);
    assert_eq!(found("loose").code, 2);
    let markdown = run(&["extract", "--context", "markdown", "--text", "--ends", "tight"], input);
    assert_eq!(markdown.lines(), ["https://example.com/中", "b.com"]);
}

#[test]
fn a_file_that_cannot_be_read_is_trouble() {
    let run = run(&["extract", "no-such-file", "-"], "a.com");
    assert_eq!((run.lines(), run.code), (vec!["a.com"], 2));
    assert!(run.err.starts_with("iri: no-such-file: "), "{}", run.err);
}

#[test]
fn references_are_decoded_from_the_source() {
    for (context, text, reference) in [
        ("log", r#"{"u":"http:\/\/example.com\/a\u00e9\u0026b"}"#, "http://example.com/aé&b"),
        ("log", r"<http://example.com/\U000000e9>", "http://example.com/é"),
        ("markdown", r"[a](http://example.com/a\_b?x&amp;y)", "http://example.com/a_b?x&y"),
        ("markdown", "[a](<http://example.com/a b>)", "http://example.com/a%20b"),
        ("html", "<a href=\"http://example.com/a b\">", "http://example.com/a%20b"),
        ("html", "<p style=\"x:url(&quot;/a\\62 &quot;)\">", "/ab"),
        ("plain", "visit example.com... and", "https://example.com"),
    ] {
        let run = run(&["extract", "--context", context, "--reference", "-i", text], "");
        assert_eq!((run.lines(), run.code), (vec![reference], 0), "{text}");
    }
}

#[test]
fn relative_references_are_resolved() {
    let page = "<a href='b c'>x</a><base href='/d/'><img src=e.png><a href='mailto:a@b.com'>";
    let args = ["extract", "--context", "html", "--base", "http://a.example/", "--reference"];
    let expected = [
        "http://a.example/d/b%20c",
        "http://a.example/d/",
        "http://a.example/d/e.png",
        "mailto:a@b.com",
    ];
    assert_eq!(run(&args, page).lines(), expected);
    let found = run(&["extract", "--context", "html"], page);
    assert_eq!(found.lines(), ["b c", "/d/", "e.png", "mailto:a@b.com"]);
    // A base in a template, in a comment and in SVG is none.
    let page = "<a href=a><template><base href=/b/></template><!--<base href=/c/>--><svg><base href=/d/></svg>\
                <base target=x><base href=/e/><base href=/f/>";
    let found = run(&args, page);
    assert_eq!(found.lines()[0], "http://a.example/e/a");
    let page = "<base href=http://a.example/d/><a href=e>";
    let found = run(&["extract", "--context", "html", "--reference"], page);
    assert_eq!(found.lines(), ["http://a.example/d/", "http://a.example/d/e"]);
}

#[test]
fn broken_links_are_listed_with_their_reason() {
    let text = "see\nhttp://-a.example/ a.com xhttp://b.com/ http://c.com:1/%%\n";
    let found = run(&["extract", "--broken"], text);
    let expected = [
        "<stdin>:2:1: the host is neither a domain name nor an IP literal: http://-a.example",
        "<stdin>:2:26: the scheme is the end of a longer word: xhttp://b.com",
    ];
    assert_eq!((found.lines(), found.code), (expected.to_vec(), 0));
    let found = run(&["extract", "--broken", "--json"], "ann@localhost");
    let [object] = found.json().try_into().unwrap();
    assert_eq!(
        (&object["kind"], &object["error"]["kind"]),
        (&json!("broken"), &json!("unregistered"))
    );
}

#[test]
fn the_charset_of_html_is_found() {
    let (page, ..) = encoding_rs::WINDOWS_1251
        .encode("<meta charset=windows-1251><a href='http://пример.example/д'>");
    let file = TempFile::new("charset", page.as_ref());
    let found = run(&["extract", "--context", "html", file.name()], "");
    assert_eq!((found.lines(), found.code), (vec!["http://пример.example/д"], 0));
    // No charset is declared: an error with its position.
    let found = run(&["extract", "--context", "html"], b"<a href='http://a.example/\xE4'>");
    assert_eq!(found.code, 1);
    assert!(found.err.starts_with("<stdin>:1:27: error: "), "{}", found.err);
}

#[test]
fn long_links_are_whole() {
    let link = format!("http://a.example/{}", "b".repeat(3 << 20));
    let found = run(&["extract"], format!("see {link} and a.com"));
    assert_eq!(found.lines(), [link.as_str(), "a.com"]);
}

/// Runs `iri` and gives it the input in parts of a few bytes, so that its blocks are as small.
fn run_in_parts(args: &[&str], input: &[u8], part: usize) -> Run {
    let mut child = iri(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = thread::spawn(move || {
        for part in input.chunks(part) {
            stdin.write_all(part).unwrap();
            thread::yield_now();
        }
    });
    let (mut out, mut err) = (Vec::new(), String::new());
    let mut stderr = child.stderr.take().unwrap();
    let errors = thread::spawn(move || stderr.read_to_string(&mut err).map(|_| err).unwrap());
    child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    writer.join().unwrap();
    let code = child.wait().unwrap().code().unwrap();
    Run { out, err: errors.join().unwrap(), code }
}

/// Returns texts with links, errors and bytes that are not text, at random, and the cases.
fn texts() -> [Vec<u8>; 3] {
    let mut text = Vec::new();
    let pieces: [&[u8]; 16] = [
        b"http://a.example/ ",
        b"b.com\n",
        "例 c.com/é".as_bytes(),
        b" http://-a.example/ ",
        b"\r\n",
        b"\t",
        b"http://a.example/%%|x ",
        b"\xFF",
        b"\xE4\xB8 d.org\n",
        b"x",
        "é".as_bytes(),
        b"see http",
        b"://e.com/f",
        b" ann@example.org,",
        b"\\u0041.com ",
        b"http://f.com/\xC3\xA9\xC3 ",
    ];
    let mut state = 1_u64;
    for _ in 0..3000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let next = (state >> 33) as usize % pieces.len();
        text.extend(pieces.iter().skip(next).take(1).copied().flatten());
    }
    let cases = marked(None).join("\n").replace(['⸠', '⸡'], "");
    [text, cases.into_bytes(), Vec::new()]
}

/// Blocks end anywhere after white space, and several threads search them: the links, their places and the
/// errors are those of one thread that reads the whole text.
#[test]
fn neither_threads_nor_blocks_change_the_output() {
    for text in texts() {
        for context in ["plain", "log"] {
            for options in [
                &[][..],
                &["--with-position"],
                &["--json"],
                &["--broken"],
                &["--unique", "--reference"],
                &["--unique", "--with-position"],
                &["--mark"],
                &["--schemes", "any", "--reference"],
            ] {
                let args =
                    |jobs| [&["extract", "--context", context, "-j", jobs], options].concat();
                let expected = run(&args("1"), &text);
                for (jobs, part) in [("1", 7), ("3", 1), ("3", 50), ("2", 100_000)] {
                    let found = run_in_parts(&args(jobs), &text, part);
                    assert!(found.out == expected.out, "{options:?} {jobs} {part}");
                    assert_eq!(found.err, expected.err, "{options:?} {jobs} {part}");
                    assert_eq!(found.code, expected.code, "{options:?} {jobs} {part}");
                }
            }
        }
    }
}

/// The summary counts the links that are printed and the errors that are reported, in blocks and in a stream.
#[test]
fn the_summary_counts_what_is_printed() {
    let mut failures = 0;
    let of_markup = "<a href='http://[x'> [b](http://[y) <http://[z>\n\n".repeat(20);
    for text in texts().into_iter().chain([of_markup.into_bytes()]) {
        for context in ["plain", "log", "markdown", "html"] {
            for options in [
                &[][..],
                &["--json"],
                &["--broken"],
                &["--reference"],
                &["--unique", "--reference"],
                &["--mark"],
            ] {
                let args = [&["extract", "--text", "--context", context], options].concat();
                let full = run(&args, &text);
                let counted = run(&[&args[..], &["-q", "--summary", "json"]].concat(), &text);
                assert_eq!((counted.out, counted.code), (full.out.clone(), full.code));
                let summary: Value = serde_json::from_str(&counted.err).unwrap();
                let number = |name: &str| summary[name].as_u64().unwrap() as usize;
                // An object may have an error.
                let objects = if options == ["--json"] { full.json() } else { Vec::new() };
                let of_objects = objects.iter().filter(|link| !link["error"].is_null()).count();
                let printed = match options {
                    ["--mark"] => String::from_utf8_lossy(&full.out).matches('⸠').count(),
                    _ => full.out.split(|&byte| byte == b'\n').count() - 1 - of_objects,
                };
                let failed = of_objects + full.err.matches(": error: ").count();
                let expected = (printed, failed);
                assert_eq!((number("printed"), number("failed")), expected, "{args:?}");
                let kinds = summary["kinds"].as_object().unwrap().values();
                assert_eq!(kinds.filter_map(Value::as_u64).sum::<u64>() as usize, failed);
                failures += failed;
                let words = run(&[&args[..], &["-q", "-v"]].concat(), &text);
                assert_eq!(words.err, format!("iri: {printed} printed, {failed} failed\n"));
            }
        }
    }
    assert!(failures > 100, "{failures}");
}

/// The stream of one thread, which searches items, gives the same output as blocks.
#[test]
fn items_and_files_have_the_same_links() {
    let text = "See http://a.example/%%, b.com\n é c.com http://-a.example/ d.com".repeat(50);
    for options in [&["--json"][..], &["--broken"], &["--unique"], &["--mark"], &["--reference"]] {
        let file = run(&[&["extract"], options].concat(), &text);
        let item = run(&[&["extract"], options, &["-i", &text]].concat(), "");
        let (file, item) = (file.text(), item.text().replace("<item>", "<stdin>"));
        let end = if options == ["--mark"] { "\n" } else { "" };
        assert_eq!(file.to_owned() + end, item, "{options:?}");
    }
}

/// Each file has its own lines, and its own report of bytes that are not text.
#[test]
fn files_are_counted_by_themselves() {
    let one = TempFile::new("extract-one", b"a.com\n\xFF b.com\xFE");
    let two = TempFile::new("extract-two", b"\xEF\xBB\xBFc.com\n\nd.com \xFF\xFF\xFF");
    let (a, b) = (one.name(), two.name());
    for jobs in ["1", "2"] {
        let found = run(&["extract", "--with-position", "-j", jobs, a, "no-such-file", b], "");
        let expected =
            [(a, 1, 1, "a.com"), (a, 2, 3, "b.com"), (b, 1, 2, "c.com"), (b, 3, 1, "d.com")]
                .map(|(file, line, column, link)| format!("{file}:{line}:{column}: {link}"));
        assert_eq!(found.lines(), expected);
        let errors: Vec<&str> = found.err.lines().collect();
        assert!(errors[0].starts_with(&format!("{a}:2:1: error: the bytes here are not UTF-8")));
        assert_eq!(errors[1], format!("iri: {a}: further parts that are not UTF-8: 1"));
        assert!(errors[2].starts_with("iri: no-such-file: "));
        assert!(errors[3].starts_with(&format!("{b}:3:7: error: ")), "{}", found.err);
        assert_eq!(errors[4], format!("iri: {b}: further parts that are not UTF-8: 2"));
        assert_eq!((errors.len(), found.code), (5, 2));
        // If a text has no newline at its end, none is printed.
        let marked = run(&["extract", "--mark", "-j", jobs, a, a], "");
        assert_eq!(
            marked.out,
            b"\xE2\xB8\xA0a.com\xE2\xB8\xA1\n\xFF \xE2\xB8\xA0b.com\xE2\xB8\xA1\xFE".repeat(2)
        );
    }
}

/// The bytes before an error are searched, and the error is reported after their links.
#[test]
fn a_text_that_breaks_off_has_its_links() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let mut text = String::new();
    for number in 0..20_000 {
        text.push_str(&format!("http://a.example/{number} b{}.com\n", number * number));
    }
    packed.write_all(text.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let file = TempFile::new("extract-cut.gz", &packed[..packed.len() / 2]);
    let (one, two) = (
        run(&["extract", "-j", "1", file.name()], ""),
        run(&["extract", "-j", "2", file.name()], ""),
    );
    assert!(one.lines().len() > 1000 && one.code == 2, "{}", one.err);
    assert_eq!((one.out, one.err, one.code), (two.out, two.err, two.code));
}

/// `iri extract` and `--from` have one reader: the same addresses, decoded alike, wherever they stand.
#[test]
fn extract_and_records_have_the_same_addresses() {
    let table = [
        (
            "html",
            "a http://no.example/ <a title=http://no.example/ href='ftp://a/?b&amp;c'>x</a> <script>'http://no/'</script>\
             <!-- http://no/ --><img srcset='d 1x,e 2x' src=/f&copy=g HREF=h href=no><meta content='1;url=i' http-equiv=refresh>\
             <p style=\"x:url('j\\6b')\"><form action=urn:l><a href=tel:+1><base href=m><style>url(no)</style>",
            &["ftp://a/?b&c", "d", "e", "/f&copy=g", "h", "i", "jk", "urn:l", "tel:+1", "m"][..],
        ),
        (
            "markdown",
            "[a](ftp://a/\\_b?c&amp;d) ![e](<f\\>g> 't') `[no](http://no/)` <urn:h> [i]\n\n    [no](http://no/)\n\n[i]: /j\n\
             http://no.example/ <a href='k&amp;l'>\n\n> - ~~~\n>   [no](http://no/)\n",
            &["ftp://a/_b?c&d", "f>g", "urn:h", "/j", "k&l"][..],
        ),
    ];
    for (format, text, expected) in table {
        let found = run(&["extract", "--context", format, "--json"], text);
        let source: Vec<_> = found.json().iter().map(|link| link["text"].clone()).collect();
        assert_eq!((source.len(), found.code), (expected.len(), 0), "{}", found.err);
        let records = run(&["prepare", "--from", format, "--to", "lines"], text);
        let repaired: Vec<_> = expected.iter().map(|item| item.replace('>', "%3E")).collect();
        assert_eq!(records.lines(), repaired, "{}", records.err);
    }
}

/// The text of a page is searched only if that is asked for, and never what the page does not show.
#[test]
fn text_is_searched_only_with_text() {
    let page = "a.com <b title='b.com'>http://c.com/</b><script>d.com</script><title>e.com</title>\
                <textarea>f.com</textarea><!-- g.com --><template>h.com</template><a href=i>j.com</a>";
    assert_eq!(run(&["extract", "--context", "html"], page).lines(), ["i"]);
    let found = run(&["extract", "--context", "html", "--text"], page);
    assert_eq!(found.lines(), ["a.com", "http://c.com/", "i", "j.com"]);
    let text = "a.com `b.com` [c.com](d)\n\n    e.com\n";
    assert_eq!(run(&["extract", "--context", "markdown"], text).lines(), ["d"]);
    let found = run(&["extract", "--context", "markdown", "--text"], text);
    assert_eq!(found.lines(), ["a.com", "c.com", "d"]);
}

/// The addresses that documents of data hold below. In a string of its own, each is whole.
const IN_DATA: [&str; 8] = [
    "https://a.com/x",
    "http://b.com/y?a=1&b=2",
    "https://c.com/z,1;2",
    "https://d.com/é/(e)",
    "http://e.com/it's",
    "https://f.com:8080/#g.",
    "http://[::1]/h!",
    "https://i.com/j?k=http://l.com/m",
];

/// Text as a string of JSON, with the escapes that writers choose.
fn json_string(text: &str, style: usize) -> String {
    let plain = serde_json::to_string(text).unwrap();
    match style {
        0 => plain,
        1 => plain.replace('/', "\\/"),
        2 => plain.replace('&', "\\u0026").replace('é', "\\u00e9"),
        _ => plain.replace('/', "\\u002F").replace(':', "\\u003a").replace('\n', "\\u000a"),
    }
}

/// Each format ends a string by itself, and the name of the file says the format.
#[test]
fn the_links_of_data_end_where_their_strings_end() {
    let strings = |style, around: &dyn Fn(&str) -> String| -> Vec<String> {
        IN_DATA.iter().map(|address| json_string(&around(address), style)).collect()
    };
    let same = |text: &str| text.to_owned();
    let lines = |text: &str| format!("see\n{text}\nnext");
    let mut documents: Vec<(&str, String)> = Vec::new();
    for style in 0..4 {
        for names in [["x.json", "x.jsonl"], ["x.har", "X.NDJSON"]] {
            let whole = strings(style, &same);
            documents.push((names[0], format!("[{}]", whole.join(","))));
            documents.push((names[0], format!("{{\"u\":{}}}\n", whole.join(",\"v\":"))));
            documents.push((names[0], format!("[\n  {}\n]\n", whole.join(",\n  "))));
            let rows =
                whole.iter().map(|string| format!("{{\"n\":1,\"u\":{string},\"x\":null}}\n"));
            documents.push((names[1], rows.collect()));
        }
        documents.push(("x.yaml", format!("- {}\n", strings(style, &same).join("\n- "))));
        documents.push(("x.yml", format!("a: [{}]\n", strings(style, &same).join(","))));
        documents.push(("x.yml", format!("{{u: {}}}\n", strings(style, &same).join(", v: "))));
    }
    let quoted = |delimiter: &str| {
        let fields: Vec<String> = IN_DATA.iter().map(|address| format!("\"{address}\"")).collect();
        format!("{}\n1,2\n", fields.join(delimiter))
    };
    documents.push(("x.csv", quoted(",")));
    documents.push(("x.csv", format!("a;b\n{}", quoted(";"))));
    documents.push(("x.tsv", quoted("\t")));
    documents.push(("x.tsv", quoted("\n")));
    documents.push(("x.csv", format!("\"n\",\"u\"\n{}", quoted(",x,"))));
    for (name, document) in &documents {
        for suffix in ["", ".gz"] {
            let bytes = match suffix {
                "" => document.clone().into_bytes(),
                _ => gzip(document.as_bytes()),
            };
            let file = TempFile::new(&format!("data-{name}{suffix}"), bytes);
            let found = run(&["extract", "--reference", file.name()], "");
            assert_eq!((found.lines(), found.code), (IN_DATA.to_vec(), 0), "{name} {document}");
        }
    }
    // In a string with other text, a link ends as in text, and an escape ends the word before it.
    let ends = ["https://f.com:8080/#g", "http://[::1]/h"];
    let inside: Vec<&str> = IN_DATA
        .iter()
        .map(|address| ends.into_iter().find(|end| address.starts_with(end)).unwrap_or(*address))
        .collect();
    for style in 0..4 {
        let file =
            TempFile::new("data-text.jsonl", format!("[{}]", strings(style, &lines).join(",")));
        let found = run(&["extract", "--reference", file.name()], "");
        assert_eq!(found.lines(), inside, "{style}");
    }
    // Fields without quotes, and lists of YAML in one line: a comma is no part of them.
    let bare = ["https://c.com/z", "https://d.com/w?a=b", "http://e.com"];
    for (name, document) in [
        ("x.csv", format!("1,{}\n", bare.join(","))),
        ("x.csv", format!("a;b;c\n{}\n", bare.join(";"))),
        ("x.tsv", bare.join("\t")),
        ("x.yaml", format!("a: [{}]\n", bare.join(","))),
        ("x.yml", format!("- {{b: {}}}\n", bare.join(",c: "))),
    ] {
        let file = TempFile::new(&format!("data-{name}"), &document);
        assert_eq!(run(&["extract", file.name()], "").lines(), bare, "{document}");
        let context = name.rsplit('.').next().unwrap();
        let args = ["extract", "--context", context];
        assert_eq!(run(&args, document.as_str()).lines(), bare, "{document}");
        let marked = run(&["extract", "--mark", file.name()], "");
        assert_eq!(marked.text().replace(['⸠', '⸡'], ""), document);
    }
    // Plain text is that of UTS #58.
    let file = TempFile::new("data-x.txt", "[\"https://wezterm.org/\",\"a\"]");
    assert_eq!(run(&["extract", file.name()], "").text(), "https://wezterm.org/\",\"a\n");
}

/// What a program writes for a terminal: colours, titles and hyperlinks.
#[test]
fn links_of_terminals_are_found() {
    for (text, expected) in [
        ("\u{1B}[36mhttp://localhost:5173/\u{1B}[39m\n", &["http://localhost:5173/"][..]),
        ("\u{1B}[36mwww.a.com\u{1B}[0m \u{1B}[32mann@a.com\u{1B}[0m", &["www.a.com", "ann@a.com"]),
        (
            "\u{1B}]8;;http://a.com/b.\u{1B}\\http://c.com\u{1B}]8;;\u{1B}\\",
            &["http://a.com/b.", "http://c.com"],
        ),
    ] {
        let legacy = text.replace("\u{1B}[", "\u{9B}").replace("\u{1B}]", "\u{9D}");
        for context in ["plain", "log", "json", "yaml"] {
            let args = ["extract", "--context", context];
            assert_eq!(run(&args, text).lines(), expected, "{context} {text:?}");
            assert_eq!(run(&args, legacy.as_str()).lines(), expected, "{context} {legacy:?}");
            // The controls as bytes: the text is not UTF-8, and the address of a hyperlink is text.
            let bytes: Vec<u8> = legacy.chars().map(|c| c as u8).collect();
            let text: Vec<_> = expected.iter().map(|link| link.trim_end_matches('.')).collect();
            assert_eq!(run(&args, bytes).lines(), text, "{context} {legacy:?}");
        }
    }
}
