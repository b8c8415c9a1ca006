//! `iri encode` and `iri decode`.

use crate::run;

const PLACES: [&str; 9] = [
    "userinfo",
    "reg-name",
    "path",
    "segment",
    "segment-nc",
    "query",
    "query-part",
    "fragment",
    "unreserved",
];

/// An item: every byte but NUL, which ends an item, between other bytes.
fn item() -> Vec<u8> {
    let bytes = 1..=u8::MAX;
    bytes.flat_map(|byte| [byte, b'a', byte, b'%', byte, b'4', b'\n']).collect()
}

#[test]
fn decode_undoes_encode() {
    for place in PLACES {
        let encoded = run(&["encode", "-0", "--for", place], item());
        assert_eq!((encoded.err.as_str(), encoded.code), ("", 0), "{place}");
        assert!(encoded.out.is_ascii(), "{place}");
        let back = run(&["decode", "-0"], &encoded.out);
        assert_eq!((back.err.as_str(), back.code), ("", 0), "{place}");
        assert!(back.out == item(), "{place}");
    }
}

/// What is encoded for a place is that component of a reference, and changes no other component.
#[test]
fn an_encoded_value_is_its_component() {
    for (place, before, after, component) in [
        ("userinfo", "//", "@h:1/p?q#f", "userinfo"),
        ("reg-name", "//u@", ":1/p?q#f", "host"),
        ("path", "//h/", "?q#f", "path"),
        ("segment", "//h/", "?q#f", "path"),
        ("query", "//h/p?", "#f", "query"),
        ("query-part", "//h/p?a=", "#f", "query:a"),
        ("fragment", "//h/p?q#", "", "fragment"),
        ("unreserved", "//h/", "", "path"),
    ] {
        let value = "50% é/b:c@d?e#f&g=h+i[j]\"k\\l";
        let encoded = run(&["encode", "--for", place, "-i", value], "");
        let reference = format!("{before}{}{after}", encoded.text().trim_end());
        let found = run(&["parse", "-g", &format!("{{{component}}}"), "-i", &reference], "");
        let found = found.text().trim_start_matches(['/']).trim_end();
        match place {
            "query-part" => assert_eq!(found, value),
            _ => assert_eq!(found, encoded.text().trim_end(), "{place}: {reference}"),
        }
    }
}

#[test]
fn a_value_that_is_not_encoded_is_reported() {
    let found = run(&["decode", "--json"], "a%4\n%41\n%FF\n").json();
    assert_eq!(found[0]["error"]["kind"], "bad-percent-encoding");
    assert_eq!(found[0]["error"]["start"], 1);
    assert_eq!(found[1]["output"], "A");
    assert_eq!(found[2]["output_base64"], "/w==");
    // A line that is decoded stays one line, or it is an error.
    let two = run(&["decode"], "a%0Ab\nc\n");
    assert_eq!((two.text(), two.code), ("c\n", 1));
}
