//! `iri lint`. The tests of the library check findings and suggestions.

use serde_json::{Value, json};

use crate::run;

const ITEMS: &str = "http://a/b\n\
    http://0x7f.1/%7ea/../b\n\
    http://a/b|c\n\
    http://a/\u{202E}b\n\
    http://a/%E4\n\
    http:\\\\a\n";

#[test]
fn each_finding_has_its_place_and_code() {
    let run = run(&["lint"], ITEMS);
    let heads: Vec<_> = run.lines().iter().map(|line| line.split_once("]: ").unwrap().0).collect();
    let expected = [
        "<stdin>:2:8: warning[spoof.rare-ipv4",
        "<stdin>:2:8: note[spoof.internal-host",
        "<stdin>:2:14: note[preferred.dot-segments",
        "<stdin>:2:15: note[preferred.needless-encoding",
        "<stdin>:2:15: note[preferred.hex-case",
        "<stdin>:3:11: error[syntax.character-not-allowed",
        "<stdin>:4:10: error[bidi.formatting-character",
        "<stdin>:5:10: note[spoof.legacy-octets",
        "<stdin>:6:6: error[syntax.character-not-allowed",
        "<stdin>:6:6: warning[spoof.backslash",
        "<stdin>:6:7: warning[spoof.backslash",
    ];
    assert_eq!(heads, expected);
    let legacy = run.lines()[7];
    assert!(legacy.contains("; letters in windows-1252,"), "{legacy}");
    assert_eq!(run.err, "iri: 6 items, 3 errors, 3 warnings, 5 notes\n");
    assert_eq!(run.code, 1);
}

#[test]
fn only_errors_make_it_fail() {
    let password = ["lint", "-i", "http://a:b@c/", "--profile", "crawler"];
    assert_eq!(run(&password, "").code, 0);
    let denied = [&password[..], &["--deny", "spoof.password"]].concat();
    let denied = run(&denied, "");
    assert_eq!(denied.code, 1);
    assert!(denied.text().contains("error[spoof.password]"), "{}", denied.text());
    let allowed =
        [&password[..], &["--allow", "spoof.password", "--allow", "scheme.userinfo"]].concat();
    assert_eq!(run(&allowed, "").text(), "");
    assert_eq!(run(&["lint", "--deny", "bidi.nonsense"], "").code, 2);
    assert_eq!(run(&["lint", "no-such-file"], "").code, 2);
}

#[test]
fn codes_are_chosen() {
    let item = "http://a:b@0x7f.1/c/../%7e";
    let codes = |args: &[&str]| {
        let run = run(&[&["lint", "--json", "-i", item], args].concat(), "");
        let findings = run.json()[0]["findings"].as_array().unwrap().clone();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let found = findings.iter().map(|f| (text(&f["code"]), text(&f["severity"])));
        (found.collect::<Vec<_>>(), run.code)
    };
    let (all, code) = codes(&[]);
    assert!(all.len() > 4 && code == 0, "{all:?}");
    // Warnings become errors, and notes stay notes.
    let (denied, code) = codes(&["--deny", "warnings"]);
    let expected = all.iter().map(|(code, severity)| {
        let severity = if severity == "warning" { "error" } else { severity };
        (code.clone(), severity.to_owned())
    });
    assert_eq!((&denied, code), (&expected.collect(), 1));
    // One code, or all codes of a check.
    for (only, check) in [("spoof.password", "spoof.password"), ("preferred", "preferred.")] {
        let (found, _) = codes(&["--only", only]);
        let expected: Vec<_> = all.iter().filter(|(code, _)| code.starts_with(check)).collect();
        assert!(found.iter().eq(expected), "{found:?}");
        let (found, _) = codes(&["--ignore", only]);
        let expected: Vec<_> = all.iter().filter(|(code, _)| !code.starts_with(check)).collect();
        assert!(found.iter().eq(expected), "{found:?}");
    }
    let (found, code) =
        codes(&["--only", "preferred,spoof", "--ignore", "spoof", "--deny", "warnings"]);
    assert!(found.iter().all(|(code, _)| code.starts_with("preferred.")) && code == 0, "{found:?}");
    // `--only` reports a code that the profile does not report.
    let quiet = ["--profile", "json-schema"];
    assert!(codes(&quiet).0.iter().all(|(code, _)| !code.starts_with("preferred.")));
    let (found, _) = codes(&[&quiet[..], &["--only", "preferred.dot-segments"]].concat());
    assert_eq!(found, [("preferred.dot-segments".to_owned(), "warning".to_owned())]);
    let invalid = run(&["lint", "--only", "bidi", "-i", "a b"], "");
    assert_eq!(invalid.code, 1, "an item that is no reference is an error all the same");
    for flag in ["--only", "--ignore", "--deny"] {
        let unknown = run(&["lint", flag, "bidi.edges", "-i", "a"], "");
        assert_eq!(unknown.code, 2);
        assert!(unknown.err.contains("did you mean bidi.edge?"), "{}", unknown.err);
    }
}

#[test]
fn the_profile_decides_what_is_reported() {
    let severities = ["rfc", "rdf", "json-schema", "crawler", "strict"].map(|profile| {
        let run = run(&["lint", "--profile", profile, "--json", "-i", "http://A/"], "");
        run.json()[0]["findings"][0]["severity"].as_str().map(str::to_owned)
    });
    let severities = severities.each_ref().map(Option::as_deref);
    assert_eq!(severities, [Some("note"), Some("warning"), None, Some("note"), Some("warning")]);
}

#[test]
fn fixed_items_are_printed_and_other_findings_are_reported() {
    let fixed = run(&["lint", "--fix"], ITEMS);
    let lines = fixed.lines();
    assert_eq!(lines.len(), 6, "every item is there");
    assert_eq!(lines[1], "http://0x7f.1/b");
    assert_eq!(lines[3], "http://a/%E2%80%AEb");
    assert_eq!((lines[2], lines[5]), ("http://a/b|c", r"http:\\a"), "what is invalid stays");
    assert!(fixed.err.contains("<stdin>:2:8: warning[spoof.rare-ipv4]"), "{}", fixed.err);
    assert!(!fixed.err.contains("preferred."), "{}", fixed.err);
    assert_eq!(fixed.code, 1);
    let all = run(&["lint", "--fix-all", "-0", "-i", "http://0x7f.1/", "-i", "http://A"], "");
    assert_eq!(all.text(), "http://127.0.0.1/\0http://a/\0");
    assert_eq!(all.code, 0);
}

#[test]
fn json_has_an_object_for_each_item() {
    let found = run(&["lint", "--json"], ITEMS).items();
    assert_eq!(found.len(), 6);
    assert_eq!(found[0], json!({"input": "http://a/b", "valid": true, "findings": []}));
    assert_eq!(found[2]["error"]["start"], 10);
    assert_eq!(
        found[3]["findings"],
        json!([{
            "severity": "error",
            "code": "bidi.formatting-character",
            "message": "U+202E at byte 9 in a path directs the order of display; percent-encode it",
            "section": "RFC 3987, section 4.1",
            "start": 9,
            "end": 12,
            "component": "path",
            "replacement": "%E2%80%AE",
        }])
    );
    assert_eq!(found[4]["findings"][0]["charsets"][0], "windows-1252");
    let ill_formed = run(&["lint", "--json"], b"a\xFFb\n").json();
    assert_eq!(ill_formed[0]["valid"], false);
}

#[test]
fn characters_outside_ascii_stay_encoded_in_a_uri() {
    let codes = |kind| {
        let run = run(&["lint", "--json", "--as", kind, "-i", "a:%C3%A9"], "");
        run.json()[0]["findings"].as_array().unwrap().len()
    };
    assert_eq!((codes("iri"), codes("uri")), (1, 0));
}
