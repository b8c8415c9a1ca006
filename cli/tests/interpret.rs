//! `iri interpret`. The tests of the library check what a reference may stand for.

use serde_json::json;

use crate::{TempFile, run};

#[test]
fn each_charset_that_makes_letters_has_a_line() {
    let found = run(&["interpret", "-i", "http://a.example/caf%E9"], "");
    assert_eq!(
        (found.lines()[0], found.code),
        ("<item>:1:1: windows-1252 http://a.example/café", 0)
    );
    assert!(
        found.lines().contains(&"<item>:1:1: KOI8-R http://a.example/cafИ"),
        "{}",
        found.text()
    );
    let named = run(&["interpret", "--charsets", "euc-jp,shift_jis"], "/%83A\n/a\n/%FF\n");
    assert_eq!(
        (named.text(), named.code),
        ("<stdin>:1:1: Shift_JIS /ア\n<stdin>:2:1: EUC-JP /a\n", 1)
    );
    assert!(named.err.starts_with("<stdin>:3:1: error: no charset decodes"), "{}", named.err);
    let objects = run(&["interpret", "--charsets", "utf-8", "--json"], "/caf%u00E9\n/%FF\n").json();
    let expected = json!([{"charset": "UTF-8", "output": "/café"}]);
    assert_eq!(objects[0]["interpretations"], expected);
    assert_eq!(objects[1]["error"]["kind"], "no-interpretation");
    assert_eq!(run(&["interpret", "-i", "a b"], "").code, 1);
    let unknown = run(&["interpret", "--charsets", "latin-zero"], "");
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("windows-1252"), "{}", unknown.err);
}

#[test]
fn each_line_says_which_item_it_is_about() {
    let args = ["interpret", "--charsets", "windows-1252,koi8-r", "-i", "/%E9", "/a", "/%C9"];
    let expected = [
        "<item>:1:1: windows-1252 /é",
        "<item>:1:1: KOI8-R /И",
        "<item>:2:1: windows-1252 /a",
        "<item>:3:1: windows-1252 /É",
        "<item>:3:1: KOI8-R /и",
    ];
    assert_eq!(run(&args, "").lines(), expected);
    let file = TempFile::new("to-interpret", "/a\n/%E9\n");
    let found = run(&["interpret", "--charsets", "windows-1252", file.name()], "");
    let name = file.name();
    assert_eq!(found.text(), format!("{name}:1:1: windows-1252 /a\n{name}:2:1: windows-1252 /é\n"));
}

#[test]
fn names_of_the_list_are_found() {
    let names = TempFile::new("names", "/%66iles/café\n\n/files/Имя\n");
    let items = "/files/caf%E9\n/files/caf%C3%A9\n/files/%C9%CD%D1\n/files/x%E9\n";
    let found = run(&["interpret", "--names", names.name()], items);
    let expected = ["<stdin>:1:1: windows-1252 /%66iles/café", "<stdin>:2:1: UTF-8 /%66iles/café"];
    assert_eq!((found.lines(), found.code), (expected.to_vec(), 1));
    assert!(found.err.contains("<stdin>:3:1: error: it stands for none"), "{}", found.err);
    assert!(found.err.contains("<stdin>:4:1: error: it stands for none"), "{}", found.err);
    let russian = run(&["interpret", "--names", names.name(), "-i", "/files/%C8%EC%FF"], "");
    assert_eq!(russian.text(), "<item>:1:1: windows-1251 /files/Имя\n");

    let wrong = TempFile::new("wrong-names", "a\nb c\n");
    let found = run(&["interpret", "--names", wrong.name(), "-i", "a"], "");
    assert_eq!((found.text(), found.code), ("", 2));
    assert!(found.err.contains(":2: ' ' at byte 1"), "{}", found.err);
    assert_eq!(run(&["interpret", "--names", "no-such-file", "-i", "a"], "").code, 2);
}
