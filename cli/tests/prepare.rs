//! `iri prepare` and `iri display`: checks their output and their remarks, and that no item is lost. The
//! tests of the library check the results.

use serde_json::{Value, json};

use super::{TempFile, run};

#[test]
fn each_profile_and_context_makes_its_reference() {
    let table: &[(&[&str], &[u8], &str)] = &[
        (&[], b" http:\\\\a/b c\t", "http://a/b%20c"),
        (&[], b"/c\xE9u", "/c%E9u"),
        (&["--profile", "strict"], b"\ta\t", "a"),
        (&["--profile", "leiri"], b" a\xEF\xBF\xBD", "%20a%EF%BF%BD"),
        (&["--profile", "crawler"], b"<a>", "a"),
        (&["--profile", "rdf"], b"a#b#[", "a#b%23%5B"),
        (&["--context", "typed"], b"www.a.example", "https://www.a.example"),
        (&["--context", "typed", "--scheme", "ftp"], b"//a", "ftp://a"),
        (&["--context", "typed", "--scheme", "ftp"], b"me@a.example", "mailto:me@a.example"),
        (&["--context", "html"], b"?a&amp;b&copy=1", "?a&b&copy=1"),
        (&["--context", "xml"], b"a&#xE9;", "aé"),
        (&["--charset", "latin1"], b"/\xE9|", "/é%7C"),
        (&["--explain"], b"a", "a"),
        (&["--spaces", "remove"], b"http://a/b c", "http://a/bc"),
        (&["--spaces", "encode", "--profile", "strict"], b"a b", "a%20b"),
        (&["--split"], b" a|b\t\xC3\xA9  c ", "a%7Cb\né\nc"),
        (
            &["--split", "--context", "typed"],
            b"<a.example> b@c.example",
            "https://a.example\nmailto:b@c.example",
        ),
        (&["--base", "http://a/b/c"], b"d e", "http://a/b/d%20e"),
        (&["--base", "http://a/b/c"], b"http:/foo", "http://a/foo"),
    ];
    for (options, item, expected) in table {
        let found = run(&[&["prepare"], *options].concat(), [item, &b"\n"[..]].concat());
        let expected = format!("{expected}\n");
        assert_eq!(
            (found.text(), found.err.as_str(), found.code),
            (expected.as_str(), "", 0),
            "{options:?}"
        );
    }
    for options in [
        &["--scheme", "a b"][..],
        &["--charset", "no-such"],
        &["--base", "no-scheme"],
        &["--profile=x"],
        &["--explain", "--json"],
    ] {
        let found = run(&[&["prepare"], options].concat(), "a\n");
        assert_eq!((found.text(), found.code), ("", 2), "{options:?}");
    }
}

#[test]
fn each_repair_is_explained() {
    let input = "é /b|\nok\na b\n//a b/\n";
    let found = run(&["prepare", "--explain", "--profile", "rdf"], input);
    assert_eq!((found.text(), found.code), ("é%20/b%7C\nok\na%20b\n", 1), "{}", found.err);
    let expected = "\
<stdin>:1:2: note[space]: bytes 2..3: a space was percent-encoded
<stdin>:1:5: note[not-allowed]: bytes 5..6: a character that is not allowed was percent-encoded
<stdin>:3:2: note[space]: bytes 1..2: a space was percent-encoded
<stdin>:4:4: error: ' ' at byte 3 is not allowed in a host; remove it
iri: 4 items, 3 done, 1 failed
";
    assert_eq!(found.err, expected);
}

#[test]
fn strings_of_an_item_are_prepared_one_by_one() {
    let found = run(&["prepare", "--split", "--explain"], "a|b c\n\nd //e:f/\ng\n");
    let expected = "\
<stdin>:1:2: note[not-allowed]: bytes 1..2: a character that is not allowed was percent-encoded
<stdin>:3:7: error: 'f' at byte 6 is not allowed in a port; write digits alone
iri: 4 items, 3 done, 1 failed
";
    assert_eq!((found.text(), found.err.as_str()), ("a%7Cb\nc\ng\n", expected));
    let objects = run(&["prepare", "--split", "--json"], "a|b c\n \n").json();
    let outputs = &objects[0]["outputs"];
    assert_eq!((&outputs[0]["output"], &outputs[1]["output"]), (&json!("a%7Cb"), &json!("c")));
    assert_eq!(outputs[0]["repairs"][0]["code"], "not-allowed");
    assert_eq!(objects[1]["outputs"], json!([]));
    let kept = run(&["prepare", "--spaces", "keep", "-i", "a b"], "");
    assert_eq!((kept.text(), kept.code), ("", 1));
    assert!(kept.err.contains("' ' at byte 1 is not allowed"), "{}", kept.err);
    assert_eq!(run(&["prepare", "--split", "--charset", "utf-8"], "").code, 2);
}

#[test]
fn repairs_are_fields_of_json() {
    // White space is removed at both ends first, so the repairs are not made in the order of their
    // positions.
    let objects = run(&["prepare", "--json"], " a b \na\n//a b\n").items();
    let repair = |code: &str, message: &str, start: u64, end: u64| {
        let message = format!("bytes {start}..{end}: {message}");
        json!({"code": code, "message": message, "start": start, "end": end})
    };
    let trimmed = "white space at an end was left out";
    assert_eq!(
        objects[0],
        json!({"input": " a b ", "output": "a%20b", "repairs": [
            repair("trimmed", trimmed, 0, 1),
            repair("space", "a space was percent-encoded", 2, 3),
            repair("trimmed", trimmed, 4, 5),
        ]})
    );
    assert_eq!(objects[1], json!({"input": "a", "output": "a", "repairs": []}));
    assert_eq!((&objects[2]["output"], &objects[2]["error"]["start"]), (&Value::Null, &json!(3)));
    assert_eq!(objects.len(), 3);
}

#[test]
fn each_form_is_printed() {
    let iri = "https://xn--bcher-kva.example/%C3%A9%20%22%E2%80%AE.";
    let table: &[(&[&str], &str)] = &[
        (&[], "https://bücher.example/é%20%22%E2%80%AE."),
        (&["--form", "iri"], "https://bücher.example/é%20%22%E2%80%AE."),
        (&["--form", "uts58"], "https://bücher.example/é%20\"%E2%80%AE%2E"),
        (&["--form", "uts58", "--medial"], "https://bücher.example/é%20\"%E2%80%AE."),
    ];
    for (options, expected) in table {
        let args = [&["display"], *options].concat();
        let found = run(&args, format!("{iri}\n"));
        let line = format!("{expected}\n");
        assert_eq!((found.text(), found.err.as_str(), found.code), (line.as_str(), "", 0));
        let objects = run(&[&args[..], &["--json"]].concat(), format!("{iri}\n|\n")).items();
        assert_eq!(objects[0], json!({"input": iri, "output": expected}));
        assert_eq!(objects[1]["error"]["kind"], "character-not-allowed");
    }
    let found = run(&["display"], &b"a\n\xFF|\nb\n"[..]);
    assert_eq!((found.text(), found.code), ("a\nb\n", 1));
    assert!(found.err.ends_with("iri: 3 items, 2 done, 1 failed\n"), "{}", found.err);
    let found = run(&["display", "--medial"], "a\n");
    assert_eq!((found.text(), found.code), ("", 2));
    assert!(found.err.contains("--form uts58"), "{}", found.err);
}

#[test]
fn no_item_is_lost() {
    let kinds: [&[u8]; 6] = [b"c", b"", b"a|b ", b"\xFF", "é?ü".as_bytes(), b"//a b"];
    let items: Vec<&[u8]> = kinds.into_iter().cycle().take(6_000).collect();
    let file = TempFile::new("prepare", items.join(&b'\n'));
    for (command, bad) in [("prepare", 1_000), ("display", 3_000)] {
        let found = run(&[command, file.name()], "");
        assert_eq!((found.lines().len(), found.code), (items.len() - bad, 1), "{command}");
        assert_eq!(found.err.lines().filter(|line| line.contains(": error: ")).count(), bad);
        let good = items.len() - bad;
        let summary = format!("iri: {} items, {good} done, {bad} failed\n", items.len());
        assert!(found.err.ends_with(&summary));
        let objects = run(&[command, "--json", file.name()], "").json();
        assert_eq!(objects.len(), items.len());
        for (object, item) in objects.iter().zip(&items) {
            assert_eq!(object["input"], *String::from_utf8_lossy(item));
            assert_ne!(object["output"].is_null(), object["error"].is_null(), "{object}");
        }
    }
}
