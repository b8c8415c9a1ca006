//! `iri extract`: checks the output for each link and its position, and that reads may cut the text
//! anywhere. The cases of the library say what a link is.

use std::fs;

use serde_json::{Value, json};

use super::{TempFile, run};

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
        let is_closed = |case: &&String| !case.contains("<base") && !case.ends_with("⸡ b");
        let cases: Vec<_> = cases.iter().filter(is_closed).collect();
        // The text is longer than a read.
        let text = cases.iter().map(|case| format!("{case}\n\n")).collect::<String>();
        let text = text.repeat(40_000 / cases.len() / cases.len());
        let run = run(&["extract", "--mark", "--context", context], text.replace(['⸠', '⸡'], ""));
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
        ("markdown", "_example.com_", "https://example.com"),
        ("html", "<a href=\"http://example.com/a b\">", "http://example.com/a%20b"),
        ("html", "<p>http://example.com/&nbsp;next</p>", "http://example.com/"),
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
        "http://a.example/b%20c",
        "http://a.example/d/",
        "http://a.example/d/e.png",
        "mailto:a@b.com",
    ];
    assert_eq!(run(&args, page).lines(), expected);
    assert_eq!(run(&["extract", "--context", "html"], page).lines(), ["mailto:a@b.com"]);
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
