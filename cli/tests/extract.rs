//! `iri extract`: what is printed of each link, where it says that it is, and that a text may be cut
//! anywhere. What is a link is asked of the cases of the library.

use std::fs;

use serde_json::{Value, json};

use super::{TempFile, run};

/// The cases of links in one context, with the schemes of UTS #58: marked texts.
fn marked(markup: Option<&str>) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/links.jsonl");
    let text = fs::read_to_string(path).unwrap();
    let cases = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let field = |case: &Value, name| case.get(name).and_then(Value::as_str).map(str::to_owned);
    let of_markup = cases.filter(|case| {
        let is_plain = case.get("schemes").or(case.get("bare")).is_none();
        is_plain && field(case, "markup").as_deref() == markup
    });
    of_markup.map(|case| field(&case, "marked").unwrap()).collect()
}

#[test]
fn marks_are_those_of_the_cases() {
    for context in ["plain", "log", "markdown", "html"] {
        let cases = marked((context != "plain").then_some(context));
        assert!(cases.len() >= 3, "{context}");
        // More than is read at a time.
        let text = (cases.join("\n") + "\n").repeat(40_000 / cases.len() / cases.len());
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
fn places_are_counted_over_the_whole_text() {
    let text = ["é\n\n  例 a.com\r\n", &"\n".repeat(300_000), "x a@b.com"].concat();
    let file = TempFile::new("extract", text);
    let run = run(&["extract", "--with-position", file.name()], "");
    let name = file.name();
    let expected = [format!("{name}:3:5: a.com"), format!("{name}:300004:3: a@b.com")];
    assert_eq!(run.lines(), expected);
}

#[test]
fn json_says_where_and_what() {
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
