//! Percent-encoding of values: each set keeps what its rule allows, decoding gives the value back.

use std::borrow::Cow;

use proptest::prelude::*;
use serde::Deserialize;
use simd_iri::component::ComponentRule;
use simd_iri::percent::{
    self, EncodeSet, Fragment, Path, Place, Query, QueryPart, RegName, Segment, SegmentNc,
    Unreserved, Userinfo,
};

use crate::cases;
use crate::support::{ORACLE, random};

/// Every way to encode says the same, for URIs and for IRIs; decoding gives the value back.
fn encode<S: EncodeSet>(text: &str) -> [String; 2] {
    [percent::encode::<S>(text), percent::encode_iri::<S>(text)].map(|encode| {
        let encoded = encode.to_string();
        assert_eq!(encode.clone().collect::<String>(), encoded);
        let mut pushed = String::from("before");
        encode.clone().push_to(&mut pushed);
        assert_eq!(pushed, format!("before{encoded}"));
        assert_eq!(matches!(Cow::from(encode.clone()), Cow::Borrowed(_)), encoded == text);
        assert_eq!(String::from(encode.clone()), encoded);
        assert_eq!(Cow::from(encode), encoded);
        let decode = percent::decode(&encoded);
        assert_eq!(decode.clone().utf8().unwrap(), text);
        assert_eq!(decode.clone().lossy(), text);
        assert!(decode.eq(text.bytes()));
        encoded
    })
}

#[test]
fn each_set_encodes_what_its_rule_does_not_allow() {
    fn check<S: EncodeSet>(rule: &str, but: &str, wide: &str) {
        let others = ["ucschar", "iprivate"].map(|rule| ORACLE.edges(rule)).concat();
        for c in (0..128).map(char::from).chain(others) {
            let text = c.to_string();
            let [uri, iri] = encode::<S>(&text);
            // A path may be a slash and something else.
            let matches = |rule: &str| {
                let before = if rule.contains("path") { "a" } else { "" };
                ORACLE.matches(rule, &format!("{before}{text}"))
            };
            let is_kept = matches(rule) && !but.contains(c);
            let bidi = "\u{61C}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}".contains(c);
            assert_eq!(uri == text, is_kept && c.is_ascii(), "{rule}, {c:?}: {uri}");
            let is_kept = matches(wide) && !but.contains(c) && !bidi;
            assert_eq!(iri == text, is_kept, "{rule}, {c:?}: {iri}");
        }
    }
    check::<Userinfo>("userinfo", "%", "iuserinfo");
    check::<RegName>("reg-name", "%", "ireg-name");
    check::<Path>("path-rootless", "%", "ipath-rootless");
    check::<Segment>("segment", "%", "isegment");
    check::<SegmentNc>("segment-nz-nc", "%", "isegment-nz-nc");
    check::<Query>("query", "%", "iquery");
    check::<QueryPart>("query", "%&=+;", "iquery");
    check::<Fragment>("fragment", "%", "ifragment");
    check::<Unreserved>("unreserved", "%", "iunreserved");
}

#[test]
fn random_values_become_components() {
    random(4_000, "(\\PC|[ -~\\x00é日\u{202E}\u{E000}]){0,90}", |text| {
        let each = [
            (encode::<Userinfo>(&text), ComponentRule::Iuserinfo),
            (encode::<RegName>(&text), ComponentRule::IregName),
            (encode::<Segment>(&text), ComponentRule::Isegment),
            (encode::<Query>(&text), ComponentRule::Iquery),
            (encode::<QueryPart>(&text), ComponentRule::Iquery),
            (encode::<Fragment>(&text), ComponentRule::Ifragment),
        ];
        for ([uri, iri], rule) in each {
            prop_assert!(rule.validate(&uri).is_ok() && uri.is_ascii(), "{}", uri);
            prop_assert!(rule.validate(&iri).is_ok(), "{}", iri);
        }
        Ok(())
    });
}

#[test]
fn each_place_has_its_set() {
    let text = "aZ0-._~:/?#[]@!$&'()*+,;=%é ";
    for (place, encoded) in [
        (
            Place::Unreserved,
            "aZ0-._~%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25%C3%A9%20",
        ),
        (Place::Userinfo, "aZ0-._~:%2F%3F%23%5B%5D%40!$&'()*+,;=%25%C3%A9%20"),
        (Place::RegName, "aZ0-._~%3A%2F%3F%23%5B%5D%40!$&'()*+,;=%25%C3%A9%20"),
        (Place::Path, "aZ0-._~:/%3F%23%5B%5D@!$&'()*+,;=%25%C3%A9%20"),
        (Place::Segment, "aZ0-._~:%2F%3F%23%5B%5D@!$&'()*+,;=%25%C3%A9%20"),
        (Place::SegmentNc, "aZ0-._~%3A%2F%3F%23%5B%5D@!$&'()*+,;=%25%C3%A9%20"),
        (Place::Query, "aZ0-._~:/?%23%5B%5D@!$&'()*+,;=%25%C3%A9%20"),
        (Place::QueryPart, "aZ0-._~:/?%23%5B%5D@!$%26'()*%2B,%3B%3D%25%C3%A9%20"),
        (Place::Fragment, "aZ0-._~:/?%23%5B%5D@!$&'()*+,;=%25%C3%A9%20"),
    ] {
        assert_eq!(place.encode(text), encoded, "{place}");
        assert!(matches!(place.encode("a-~"), Cow::Borrowed("a-~")), "{place}");
        assert_eq!(place.encode(b"\xFF"), "%FF", "{place}");
    }
    assert_eq!(Place::ALL.len(), 9);
}

#[test]
fn bytes_are_encoded_whatever_they_are() {
    let all: Vec<u8> = (0..=255).collect();
    let encoded = percent::encode::<Unreserved>(&all).to_string();
    assert_eq!(*percent::decode(&encoded).bytes().unwrap(), all);
    assert_eq!(percent::decode(&encoded).utf8().unwrap_err().at(), encoded.find("%80").unwrap());
}

#[test]
fn what_cannot_be_decoded() {
    for (text, at, lossy) in [
        ("a%", 1, "a%"),
        ("%4", 0, "%4"),
        ("é%zz%41", 2, "é%zzA"),
        ("%41%FF", 3, "A\u{FFFD}"),
        ("%E2%82", 0, "\u{FFFD}"),
        ("é%C3b", 2, "é\u{FFFD}b"),
    ] {
        assert_eq!(percent::decode(text).utf8().unwrap_err().at(), at, "{text}");
        assert_eq!(percent::decode(text).lossy(), lossy);
    }
}

#[derive(Deserialize)]
struct Row {
    id: String,
    context: String,
    charset: String,
    input: String,
    expected: String,
}

#[test]
#[ignore = "reads the cases of another project, which are not in this one"]
fn cases_of_another_project() {
    let files = cases::rows::<Row>(&["context", "charset", "input", "expected"]);
    for (path, rows) in files {
        let (mut total, mut others) = (0, 0);
        for Row { id, context, charset, input, expected } in &rows {
            let [uri, iri] = match context.as_str() {
                "reg_name" => encode::<RegName>(input),
                "path_segment" => encode::<Segment>(input),
                "path" => encode::<Path>(input),
                "query" => encode::<Query>(input),
                "fragment" => encode::<Fragment>(input),
                "unreserve" => encode::<Unreserved>(input),
                // A set that encodes nothing that may stand anywhere, delimiters included. It belongs to no
                // component.
                "characters" => {
                    others += 1;
                    continue;
                }
                other => panic!("{id}: {other}"),
            };
            assert_eq!(if charset == "uri" { &uri } else { &iri }, expected, "{id}");
            total += 1;
        }
        println!("{total} cases of {}, {others} of no component", path.display());
    }
}
