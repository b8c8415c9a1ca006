//! `iri file`. The tests of the library check which names have an IRI.

use serde_json::json;

use crate::run;

#[test]
fn names_survive_the_round_trip() {
    let posix: &[u8] = b"/a b\0/home/\xC3\xA9/100%?#\0/new\nline\0/\xE9\xFF\0/..\0";
    let iris = run(&["file", "-0"], posix);
    assert_eq!((iris.err.as_str(), iris.code), ("", 0));
    assert!(iris.text().starts_with("file:///a%20b\0file:///home/é/100%25%3F%23\0"));
    assert_eq!(run(&["file", "-0", "--to-name"], &iris.out).out, posix);

    let windows = "C:\\a\\é 1.txt\n\\\\server\\share\\x%\n";
    let iris = run(&["file", "--system", "windows"], windows);
    assert_eq!(iris.text(), "file:///C:/a/é%201.txt\nfile://server/share/x%25\n");
    let back = run(&["file", "--system", "windows", "--to-name"], &iris.out);
    assert_eq!((back.text(), back.code), (windows, 0));

    let legacy: &[u8] = b"/\xE9/\x80\n/plain\n";
    let charset = ["file", "--name-charset", "windows-1252"];
    let iris = run(&charset, legacy);
    assert_eq!(iris.text(), "file:///é/€\nfile:///plain\n");
    assert_eq!(run(&[&charset[..], &["--to-name"]].concat(), &iris.out).out, legacy);
}

#[test]
fn an_item_without_a_name_or_an_iri_is_reported() {
    let table: [(&[&str], &[u8], &str); 9] = [
        (&[], b"a", "not-absolute"),
        (&["--system", "windows"], b"/a", "not-absolute"),
        (&["--system", "windows"], b"C:\\\xFF", "not-utf8"),
        (&["--name-charset", "shift_jis"], b"/\xFF", "ill-formed-charset"),
        (&["--to-name"], b"http://a/", "not-file"),
        (&["--to-name"], b"file:///a%2Fb", "encoded-separator"),
        (&["--to-name"], b"file://host/a", "host"),
        (&["--to-name"], b"file:///a?b", "query-or-fragment"),
        (
            &["--to-name", "--name-charset", "koi8-r"],
            "file:///é".as_bytes(),
            "unmappable-character",
        ),
    ];
    for (args, item, kind) in table {
        let args = [&["file"], args].concat();
        let found = run(&[&args[..], &["--json"]].concat(), item).json();
        assert_eq!(found[0]["error"]["kind"], kind, "{args:?}");
        let found = run(&args, item);
        assert_eq!((found.text(), found.code), ("", 1));
        assert!(found.err.starts_with("<stdin>:1:1: error: "), "{}", found.err);
        assert!(found.err.ends_with("iri: 1 item, 0 done, 1 failed\n"), "{}", found.err);
    }
    assert_eq!(run(&["file", "--name-charset", "utf-16"], "").code, 2);
}

#[test]
fn a_name_that_is_not_utf8_has_its_bytes_in_json() {
    let found = run(&["file", "--json", "--to-name", "-i", "file:///%E9"], "").json();
    let (input, output) = ("file:///%E9", "/\u{FFFD}");
    let expected = json!({"file": "<item>", "line": 1, "input": input, "output": output, "output_base64": "L+k="});
    assert_eq!(found, [expected]);
}
