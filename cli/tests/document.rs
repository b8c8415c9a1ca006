//! `iri escape` and `iri unescape`. The tests of the library check the escapes of each format.

use serde_json::json;

use crate::{run, sample};

const FORMATS: [&str; 5] = ["html", "xml", "json", "css", "n-triples"];

#[test]
fn unescape_undoes_escape() {
    let references = run(&["check", "--as", "iri-reference", "--valid"], sample()).out;
    let count = references.split(|byte| *byte == b'\n').count();
    assert!(count > 10);
    for format in FORMATS {
        for document in [
            &[][..],
            &["--ascii"],
            &["--document-charset", "koi8-r"],
            &["--document-charset", "shift_jis"],
        ] {
            let escaped = run(&[&["escape", "--format", format], document].concat(), &references);
            assert_eq!((escaped.err.as_str(), escaped.code), ("", 0));
            assert!(document != ["--ascii"] || escaped.out.is_ascii());
            let back = run(&["unescape", "--format", format], &escaped.out);
            assert_eq!((back.out.as_slice(), back.err.as_str()), (references.as_slice(), ""));
        }
        // The same text in the bytes of the charset.
        let charset = ["--format", format, "--document-charset", "windows-1251"];
        let bytes = run(&[&["escape", "--bytes"], &charset[..]].concat(), &references).out;
        let back = run(&[&["unescape"], &charset[..]].concat(), &bytes);
        assert_eq!((back.out.as_slice(), back.err.as_str()), (references.as_slice(), ""));
    }
}

#[test]
fn characters_outside_the_document_charset_are_escaped() {
    let table: [(&[&str], &[u8]); 6] = [
        (&["--format", "html", "--ascii"], b"a:&#xE9;&#x434;&amp;\n"),
        (&["--format", "html"], "a:éд&amp;\n".as_bytes()),
        (&["--format", "json", "--ascii"], b"a:\\u00E9\\u0434&\n"),
        (&["--format", "plain", "--ascii"], b"a:%C3%A9%D0%B4&\n"),
        (&["--format", "xml", "--document-charset", "koi8-r"], "a:&#xE9;д&amp;\n".as_bytes()),
        (&["--format", "xml", "--document-charset", "koi8-r", "--bytes"], b"a:&#xE9;\xC4&amp;\n"),
    ];
    for (args, expected) in table {
        let found = run(&[&["escape", "-i", "a:éд&"], args].concat(), "");
        assert_eq!((found.out.as_slice(), found.err.as_str(), found.code), (expected, "", 0));
    }
}

#[test]
fn errors_in_a_document_are_reported() {
    let found = run(&["escape", "--format", "html"], "a b\nc\n");
    assert_eq!((found.text(), found.code), ("c\n", 1));
    let found = run(&["unescape", "--format", "json", "--json"], "\\ud800\n\\/\n").json();
    assert_eq!(found[0]["error"]["kind"], "bad-escape");
    assert_eq!((&found[1]["input"], &found[1]["output"]), (&json!("\\/"), &json!("/")));
    let utf8 = run(&["unescape", "--format", "css"], b"a\xFF\n");
    assert!(utf8.err.starts_with("<stdin>:1:2: error: 0xFF"), "{}", utf8.err);
    let charset = ["unescape", "--format", "css", "--document-charset", "shift_jis"];
    let found = run(&charset, b"a\xFF\n");
    assert!(found.err.contains("invalid in the charset"), "{}", found.err);
    for (wrong, named) in [("nonsense", "windows-1252"), ("utf-16", "utf-8")] {
        let found = run(&["escape", "--format", "css", "--document-charset", wrong], "");
        assert_eq!(found.code, 2);
        assert!(found.err.contains(named), "{}", found.err);
    }
    assert_eq!(run(&["escape"], "").code, 2);
    assert_eq!(run(&["escape", "--format", "css", "--bytes"], "").code, 2);
}
