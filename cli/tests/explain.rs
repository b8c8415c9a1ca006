//! `iri explain`: checks that it explains every code that `iri lint` prints. The tests of the library
//! check the explanations.

use std::collections::BTreeSet;

use simd_iri_lint::Code;

use crate::run;

#[test]
fn the_table_has_every_code() {
    let table = run(&["explain"], "");
    let codes: BTreeSet<_> =
        table.lines().iter().skip(1).filter_map(|line| line.split(' ').next()).collect();
    assert_eq!((table.code, table.err.as_str()), (0, ""));
    assert!(Code::ALL.iter().all(|code| codes.contains(code.name())));
    assert!(codes.contains("syntax.bad-port"));
    assert!(table.lines().iter().all(|line| line.len() <= 100 && !line.ends_with(' ')));
}

#[test]
fn each_example_has_its_code_in_lint() {
    let explained = run(&["explain", "--json"], "").json();
    let count = run(&["explain"], "").lines().len() - 1;
    assert_eq!(explained.len(), count);
    for object in &explained {
        let code = object["code"].as_str().unwrap();
        let Some(name) = code.parse::<Code>().ok().map(Code::name) else {
            assert!(code.starts_with("syntax."), "{code}");
            continue;
        };
        let lint = |text: &str| {
            run(&["lint", "--only", name, "-i", object[text].as_str().unwrap()], "").out
        };
        let (found, left) = (lint("example"), lint("fixed"));
        assert!(String::from_utf8(found).unwrap().contains(&format!("[{name}]")), "{name}");
        assert!(left.is_empty(), "{name}");
    }
}

#[test]
fn a_code_and_a_check_are_explained() {
    let found = run(&["explain", "spoof.password"], "");
    assert_eq!(found.lines()[0], "spoof.password");
    for part in
        ["rfc warning", "RFC 3986, section 7.5", "http://ann:secret@", "Remove the password"]
    {
        assert!(found.text().contains(part), "{part}: {}", found.text());
    }
    let hidden = run(&["explain", "bidi.formatting-character"], "");
    assert!(hidden.text().contains(r"\u{202e}gnp.exe"), "{}", hidden.text());
    let look_alike = run(&["explain", "spoof.mixed-script-label"], "");
    assert!(look_alike.text().contains(r"http://p\u{430}ypal.example/"), "{}", look_alike.text());
    let bidi = run(&["explain", "bidi", "--json"], "").json();
    assert!(bidi.iter().all(|object| object["code"].as_str().unwrap().starts_with("bidi.")));
    assert_eq!(bidi.len(), Code::ALL.iter().filter(|c| c.name().starts_with("bidi.")).count());
    assert_eq!(bidi[0]["severities"]["json-schema"], "error");
    assert_eq!(run(&["explain", "bad-port"], "").lines()[0], "syntax.bad-port");
    let unknown = run(&["explain", "bidi.edges"], "");
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("did you mean bidi.edge?"), "{}", unknown.err);
}
