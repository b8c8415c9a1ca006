//! Mapping, normalization and comparison: the results are those of plain transcriptions of the RFCs, and the laws
//! hold that make them safe to use.
//!
//! The witnesses work on the text alone, component by component, with the standard library. They use no code of the
//! library.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;

use allocation_counter::measure;
use proptest::prelude::*;
use serde::Deserialize;
use simd_iri::kind::Kind;
use simd_iri::{
    Compare, DecodePolicy, Iri, IriRef, Level, Normalize, Rule, ToIri, ToUri, Uri, UriRef, View,
};

use crate::cases;
use crate::resolve::{Reference, remove_dot_segments};
use crate::support::{ORACLE, random, sample, texts};

/// Section 3.1 of RFC 3987, step 2.
fn mapped_to_uri(text: &str) -> String {
    let mut uri = String::new();
    for c in text.chars() {
        if c.is_ascii() {
            uri.push(c);
        } else {
            uri.extend(c.to_string().bytes().map(|byte| format!("%{byte:02X}")));
        }
    }
    uri
}

/// The bidi formatting characters.
const BIDI_CONTROLS: &str = "\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}";

/// The characters that a witness decodes.
#[derive(Clone, Copy)]
struct Decoded {
    ascii: bool,
    ucschar: bool,
    private: bool,
}

impl Decoded {
    fn allows(self, c: char) -> bool {
        let text = c.to_string();
        if c.is_ascii() {
            self.ascii && (c.is_ascii_alphanumeric() || "-._~".contains(c))
        } else {
            self.ucschar && ORACLE.matches("ucschar", &text) && !BIDI_CONTROLS.contains(c)
                || self.private && ORACLE.matches("iprivate", &text)
        }
    }

    /// A component with its triplets decoded. All octets of a run of triplets are decoded together.
    fn decode(self, text: &str) -> String {
        let (mut out, mut rest) = (String::new(), text);
        while !rest.is_empty() {
            let mut run = Vec::new();
            while let Some(digits) = rest.strip_prefix('%').and_then(|rest| rest.get(..2)) {
                run.push(u8::from_str_radix(digits, 16).unwrap());
                rest = &rest[3..];
            }
            for chunk in run.utf8_chunks() {
                for c in chunk.valid().chars() {
                    if self.allows(c) {
                        out.push(c);
                    } else {
                        out.extend(c.to_string().bytes().map(|byte| format!("%{byte:02X}")));
                    }
                }
                out.extend(chunk.invalid().iter().map(|byte| format!("%{byte:02X}")));
            }
            if let Some(c) = rest.chars().next() {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
        out
    }
}

/// Changes each component of a text.
fn changed(text: &str, change: impl Fn(&str, &str) -> String) -> String {
    let mut reference = Reference::split(text);
    reference.authority = reference.authority.map(|authority| {
        let (userinfo, rest) = match authority.split_once('@') {
            Some((userinfo, rest)) => (Some(userinfo), rest),
            None => (None, authority.as_str()),
        };
        let port = rest.rfind(':').filter(|colon| !rest[*colon..].contains(']'));
        let (host, port) = rest.split_at(port.unwrap_or(rest.len()));
        let userinfo = userinfo.map(|userinfo| change("userinfo", userinfo) + "@");
        userinfo.unwrap_or_default() + &change("host", host) + &change("port", port)
    });
    reference.scheme = reference.scheme.map(|scheme| change("scheme", &scheme));
    reference.path = change("path", &reference.path);
    reference.query = reference.query.map(|query| change("query", &query));
    reference.fragment = reference.fragment.map(|fragment| change("fragment", &fragment));
    reference.compose()
}

/// Section 3.2 of RFC 3987.
fn mapped_to_iri(text: &str, policy: DecodePolicy, private: bool) -> String {
    changed(text, |name, value| {
        let private = private && name == "query";
        Decoded { ascii: policy == DecodePolicy::Default, ucschar: true, private }.decode(value)
    })
}

/// Sections 6.2.2 and 6.2.3 of RFC 3986, and 5.3.2 of RFC 3987.
fn normalized(text: &str, is_iri: bool, level: Level) -> String {
    let decoded = Decoded { ascii: true, ucschar: is_iri, private: false };
    // Bidi formatting characters are encoded, whether they are written as themselves or as triplets.
    let encoded: String = text
        .chars()
        .map(|c| if BIDI_CONTROLS.contains(c) { mapped_to_uri(&c.to_string()) } else { c.into() })
        .collect();
    let text = encoded.as_str();
    let lower = |text: &str| {
        let mut out = String::new();
        for (i, piece) in text.split('%').enumerate() {
            let (digits, rest) = piece.split_at(if i == 0 { 0 } else { 2 });
            out += if i == 0 { "" } else { "%" };
            out += digits;
            out += &rest.to_ascii_lowercase();
        }
        out
    };
    let text = changed(text, |name, value| match name {
        "scheme" => value.to_ascii_lowercase(),
        "port" => value.to_owned(),
        "host" => lower(&decoded.decode(value)),
        _ => decoded.decode(value),
    });
    let mut reference = Reference::split(&text);
    if reference.scheme.is_some() && reference.path.starts_with('/') {
        reference.path = remove_dot_segments(&reference.path);
    }
    if level == Level::Scheme {
        let default = match reference.scheme.as_deref() {
            Some("http" | "ws") => ":80",
            Some("https" | "wss") => ":443",
            Some("ftp") => ":21",
            _ => ":",
        };
        if let Some(authority) = &mut reference.authority {
            if reference.path.is_empty() && default != ":" {
                reference.path.push('/');
            }
            let host = authority.rfind(':').filter(|colon| !authority[*colon..].contains(']'));
            let port = host.map(|colon| authority.split_off(colon)).unwrap_or_default();
            // A port without its leading zeros is the same number.
            let port = match port.strip_prefix(':').map(|digits| digits.trim_start_matches('0')) {
                Some("") if port.len() > 1 => ":0".to_owned(),
                Some("") => port,
                Some(digits) => format!(":{digits}"),
                None => port,
            };
            if port != ":" && port != default {
                authority.push_str(&port);
            }
        }
    }
    reference.repaired().compose()
}

/// The parts of a view are those of a parse of its text.
fn is_whole<K: Kind>(view: View<'_, K>) -> &str {
    let parsed = View::<K>::parse(view.as_str());
    assert_eq!(parsed.map(View::parts), Ok(view.parts()), "{view:?}");
    view.as_str()
}

/// Every law of mapping, normalizing and comparing, for one reference.
fn obeys<K: Kind>(view: View<'_, K>) {
    let text = view.as_str();
    let mut buffer = String::new();

    let uri = view.to_uri().unwrap();
    assert_eq!(is_whole(uri.view()), mapped_to_uri(text), "{text}");
    assert_eq!(uri.is_borrowed(), text.is_ascii(), "{text}");
    assert!(uri.view().to_uri().unwrap().is_borrowed(), "idempotent: {text}");
    assert_eq!(ToUri::new().map_into(view, &mut buffer).unwrap(), uri.view());
    assert!(UriRef::parse(uri.as_str()).is_ok());

    for (policy, private) in [
        (DecodePolicy::Default, false),
        (DecodePolicy::Default, true),
        (DecodePolicy::NonAsciiOnly, false),
    ] {
        let map = ToIri::new().policy(policy).private(private);
        let iri = map.map(view);
        assert_eq!(is_whole(iri.view()), mapped_to_iri(text, policy, private), "{text}");
        assert_eq!(iri.is_borrowed(), iri.as_str() == text);
        assert_eq!(map.map_into(view, &mut buffer), iri.view());
        // Decoding is complete, except for triplets that decoding creates: `%25` is not decoded.
        assert!(map.map(iri.view()).is_borrowed(), "idempotent: {text}");
        // The way back, with the exceptions of section 3.2: unreserved ASCII and the case of digits.
        let ascii = policy == DecodePolicy::Default;
        let only = Decoded { ascii, ucschar: false, private: false };
        let back = changed(&mapped_to_uri(text), |_, value| only.decode(value));
        assert_eq!(iri.view().to_uri().unwrap(), back.as_str(), "{text}");
        same_components(view, iri.view());
    }

    is_conservative(view);

    for (level, rules) in
        [(Level::Syntax, Normalize::syntax()), (Level::Scheme, Normalize::scheme())]
    {
        let is_iri = matches!(K::RULE, Rule::Iri | Rule::IriReference);
        let normal = view.normalize(rules).unwrap();
        assert_eq!(is_whole(normal.view()), normalized(text, is_iri, level), "{text}, {level:?}");
        assert_eq!(normal.is_borrowed(), normal.as_str() == text);
        assert!(normal.view().normalize(rules).unwrap().is_borrowed(), "idempotent: {text}");
        assert_eq!(rules.map_into(view, &mut buffer).unwrap(), normal.view());
        // The key is that of the normal form, and is equal to the key that is never written down.
        let by = Compare::new(level);
        let key = by.key(view).unwrap();
        assert_eq!(key, normalized(&mapped_to_uri(text), false, level));
        assert_eq!(by.key(normal.view()).unwrap(), key, "{text}");
        let key = UriRef::parse(&key).unwrap();
        for other in [normal.view().as_iri_ref(), key.as_iri_ref(), uri.view().as_iri_ref()] {
            assert!(by.equivalent(view, other) && by.equivalent(other, view), "{text}, {other}");
            assert_eq!(by.fingerprint(view), by.fingerprint(other), "{text}, {other}");
            assert_eq!(hashed(by, view), hashed(by, other), "{text}, {other}");
        }
    }
}

/// The laws of the policy that keeps the characters that RFC 3987, section 6.1, advises not to use.
fn is_conservative<K: Kind>(view: View<'_, K>) {
    let map = ToIri::new().policy(DecodePolicy::Conservative);
    let iri = map.map(view);
    let text = is_whole(iri.view());
    assert!(map.map(iri.view()).is_borrowed(), "idempotent: {view}");
    same_components(view, iri.view());
    // It decodes nothing that the default policy keeps, and decodes all ASCII that the default policy decodes.
    assert_eq!(ToIri::new().map(iri.view()), view.to_iri().as_str(), "{view}");
    let default = view.to_iri();
    assert_eq!(iri.view().to_uri().unwrap().as_str(), default.view().to_uri().unwrap().as_str());
    if view.as_str().is_ascii() {
        assert!(unicode_normalization::is_nfkc(text), "{view}, {text}");
        assert!(!text.contains(char::is_whitespace), "{view}, {text}");
    }
}

#[test]
fn what_a_conservative_policy_decodes() {
    let map = ToIri::new().policy(DecodePolicy::Conservative);
    for (uri, iri) in [
        ("a:%C3%A9%7e%2f", "a:é~%2F"),
        // A syllable with a vowel sign, and one of Hangul as one letter and as two.
        ("a:%E0%A4%A8%E0%A4%BF", "a:नि"),
        ("a:%ED%95%9C", "a:한"),
        ("a:%E1%84%92%E1%85%A1", "a:%E1%84%92%E1%85%A1"),
        // An accent by itself, after a letter in a triplet, after one as itself, and before one.
        ("a:%CC%81", "a:%CC%81"),
        ("a:%65%CC%81", "a:e%CC%81"),
        ("a:é%CC%81", "a:é%CC%81"),
        ("a:%CE%B1\u{301}", "a:%CE%B1\u{301}"),
        ("a:%C3%A9\u{301}", "a:%C3%A9\u{301}"),
        ("a:%CE%B1b", "a:αb"),
        // Spaces, invisible and unassigned characters, look-alikes, and the characters between them.
        ("a:%C3%A9%C2%A0%C3%A9%E2%80%8D%C3%A9", "a:é%C2%A0é%E2%80%8Dé"),
        ("a:%CD%B8%EF%BC%A1%E2%84%AA", "a:%CD%B8%EF%BC%A1%E2%84%AA"),
        // Not UTF-8, and a character that is cut.
        ("a:%C3%28%C3%A9%C3", "a:%C3%28é%C3"),
    ] {
        let given = IriRef::parse(uri).unwrap();
        assert_eq!(map.map(given), iri, "{uri}");
        let rules = Normalize::syntax().policy(DecodePolicy::Conservative);
        assert_eq!(given.normalize(rules).unwrap(), iri, "{uri}");
    }
    let private = map.private(true).map(IriRef::parse("?%EE%80%80").unwrap());
    assert_eq!(private.as_str(), "?\u{E000}");
}

fn hashed<K: Kind>(by: Compare, view: View<'_, K>) -> u64 {
    let mut state = DefaultHasher::new();
    by.hash(view, &mut state);
    state.finish()
}

/// The components are the same, with as many segments.
fn same_components<K: Kind, L: Kind>(a: View<'_, K>, b: View<'_, L>) {
    let shape = |view: IriRef<'_>| {
        let there =
            [view.scheme(), view.authority(), view.userinfo(), view.query(), view.fragment()];
        (
            there.map(|part| part.is_some()),
            view.segments().count(),
            view.parts().port().map(|p| p.len()),
        )
    };
    assert_eq!(shape(a.as_iri_ref()), shape(b.as_iri_ref()), "{a}, {b}");
}

/// Compares two references at every level, and expects the answer of their keys.
fn compare<K: Kind, L: Kind>(a: View<'_, K>, b: View<'_, L>) {
    for level in [Level::Simple, Level::Syntax, Level::Scheme] {
        for by in [Compare::new(level), Compare::new(level).fragment(false)] {
            let keys = (by.key(a).unwrap(), by.key(b).unwrap());
            let mut text = "the key before".to_owned();
            by.key_into(a, &mut text).unwrap();
            assert_eq!(text, keys.0, "{a}");
            let order = keys.0.cmp(&keys.1);
            assert_eq!(by.order(a, b), order, "{a}, {b}, {keys:?}");
            assert_eq!(by.equivalent(a, b), order.is_eq());
            assert_eq!(by.fingerprint(a) == by.fingerprint(b), order.is_eq(), "{a}, {b}");
        }
    }
}

/// As an IRI and as a URI, if it is one.
fn obeys_as_each(text: &str) -> usize {
    let Ok(reference) = IriRef::parse(text) else { return 0 };
    obeys(reference);
    // No port has a leading zero, whatever the scheme.
    let normal = reference.normalize(Level::Scheme).unwrap();
    let port = normal.view().port().unwrap_or("1");
    assert!(port == "0" || !port.is_empty() && !port.starts_with('0'), "{text}: {normal}");
    if let Ok(reference) = UriRef::parse(text) {
        obeys(reference);
    }
    if let Ok(iri) = Iri::parse(text) {
        obeys(iri);
    }
    if let Ok(uri) = Uri::parse(text) {
        obeys(uri);
    }
    1
}

/// Parts for which transforms must make a decision.
fn pieces() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "%41",
        "%2e",
        "%2E",
        ".",
        "..",
        "/",
        "//",
        "%7e",
        "%c3%a9",
        "%C3%A9",
        "é",
        "%C3",
        "%a9",
        "%E2%80%AE",
        "\u{202E}",
        "\u{61C}",
        "\u{2067}",
        "\u{2019}",
        "%EE%80%80",
        "%F3%A0%84%80",
        "%C2%80",
        "%C2%A0",
        "%2F",
        "%25",
        "A",
        "a",
        "b",
        ":",
        "?",
        "#",
        "%E3%81%82",
        "%ED%A0%80",
        "%C0%AF",
        "日",
        "%F0%9F%98%80",
        "%f4%90",
        "%D9%84",
        "%D8%9C",
        "-",
        "~",
        "x=1&y",
    ];
    let heads = &[
        "",
        "a:",
        "A:",
        "http:",
        "data:,",
        "urn:x:",
        "a://h:00",
        "a://h:007",
        "HTTP://H",
        "http://h:80",
        "https://H%41é:443",
        "ftp://u%40@h:021",
        "ws://h:",
        "a://h:80",
        "//H:80",
        "file://localhost",
        "//",
        "http://[2001:DB8::1]:80",
        "http://[vA.B]:",
    ][..];
    let head = proptest::sample::select(heads);
    let tail = proptest::collection::vec(proptest::sample::select(PIECES), 0..10);
    let pad = prop_oneof![3 => Just(0_usize), 1 => 0..140_usize];
    (head, tail, pad).prop_map(|(head, tail, pad)| {
        let slash = if head.contains("//") && !tail.is_empty() { "/" } else { "" };
        format!("{head}{slash}{}{}", "x".repeat(pad), tail.concat())
    })
}

#[test]
fn random_references_obey_every_law() {
    random(12_000, pieces(), |text| {
        obeys_as_each(&text);
        Ok(())
    });
    random(6_000, texts(), |text| {
        obeys_as_each(&text);
        Ok(())
    });
}

#[test]
fn random_references_are_compared_by_their_keys() {
    random(12_000, (pieces(), pieces()), |(a, b)| {
        if let (Ok(a), Ok(b)) = (IriRef::parse(&a), IriRef::parse(&b)) {
            compare(a, b);
            // Most of those are different. These are nearly equal.
            let normal = a.normalize(Normalize::scheme()).unwrap();
            compare(a, normal.view());
            compare(b, a.to_uri().unwrap().view());
        }
        Ok(())
    });
}

#[test]
fn every_octet_as_a_triplet_in_every_component() {
    let step = sample(256);
    let mut total = 0;
    for octet in (0..=255_u8).step_by(step) {
        for other in [0, 0x41, 0x7F, 0x80, 0xA0, 0xBF, 0xE9] {
            let (upper, lower) =
                (format!("%{octet:02X}%{other:02X}"), format!("%{octet:02x}%{other:02x}"));
            for triplets in [upper, lower] {
                for carrier in
                    ["a:_", "http://_/", "http://_@h/", "a:/_/..", "?_", "#_", "_", "//_:80"]
                {
                    total += obeys_as_each(&carrier.replace('_', &triplets));
                }
            }
        }
    }
    println!("{total} references");
}

#[test]
fn every_character_at_the_edge_of_a_range_as_triplets() {
    let edges = [ORACLE.edges("ucschar"), ORACLE.edges("iprivate")].concat();
    let controls = "\u{61B}\u{61C}\u{61D}\u{200D}\u{200E}\u{200F}\u{2010}\u{2029}\u{202A}\u{202E}\u{202F}\u{2065}\u{2066}\u{2069}\u{206A}";
    let mut total = 0;
    for c in edges.into_iter().chain(controls.chars()) {
        let triplets = mapped_to_uri(&c.to_string());
        for carrier in ["http://a_/", "//_@h", "a:/_/b", "?_", "#_"] {
            total += obeys_as_each(&carrier.replace('_', &triplets));
            total += obeys_as_each(&carrier.replace('_', &c.to_string()));
        }
    }
    println!("{total} references");
}

#[derive(Deserialize)]
struct Mapped {
    id: String,
    input: String,
    /// Not for an input that another convention refuses.
    expected: Option<String>,
    options: Option<Options>,
    ladder: Option<String>,
    level: Option<String>,
    pct: Option<String>,
}

#[derive(Deserialize)]
struct Options {
    host: Option<String>,
}

/// Every change is found at each border of blocks of 64 bytes, and of steps of 56.
#[test]
fn one_thing_to_change_at_every_offset_of_a_block() {
    let things = [
        "%2D",
        "%2e",
        "%30",
        "%39",
        "%41",
        "%7E",
        "%2f",
        "%3a",
        "%c3",
        "%E9",
        "%E9/%A9",
        "%93%FA",
        "%E9%C3%A9",
        "%C3%A9",
        "%e3%81%82",
        "%E2%80%8E",
        "%F0%9F%98%80",
        "%20",
        "A",
        "é",
        "/.",
        "/..",
        "/./",
        "/../",
        "/%2E/",
        "/.a",
        "/...",
    ];
    let mut count = 0;
    // Texts of up to 64 bytes, and of up to 128, are searched at once.
    for offset in (41..=57).chain(97..=120) {
        for thing in things {
            let fill = "x".repeat(offset);
            for text in [
                format!("http://a/{fill}{thing}"),
                format!("http://a/{fill}{thing}/b?c#d"),
                format!("http://a/{fill}/b{thing}b?{thing}b"),
                format!("http://{fill}{}/b", thing.trim_start_matches('/')),
            ] {
                count += obeys_as_each(&text);
            }
        }
    }
    println!("{count} references with one thing to change");
}

#[test]
fn every_case_of_iri_to_uri() {
    for (path, rows) in cases::rows::<Mapped>(&["id", "input", "expected", "options"]) {
        let mut total = 0;
        for Mapped { id, input, expected, options, .. } in &rows {
            if options.as_ref().is_some_and(|options| options.host.as_deref() == Some("percent")) {
                let reference = IriRef::parse(input).unwrap();
                let expected = expected.as_deref().unwrap();
                assert_eq!(is_whole(reference.to_uri().unwrap().view()), expected, "{id}");
                obeys_as_each(input);
                total += 1;
            }
        }
        println!("{total} of {} cases of {}", rows.len(), path.display());
    }
}

#[test]
fn every_case_of_uri_to_iri() {
    for (path, rows) in cases::rows::<Mapped>(&["id", "input", "expected"]) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if name != "from-uri.jsonl" && !name.contains("to_iri") {
            continue;
        }
        for Mapped { id, input, expected, .. } in &rows {
            let reference = UriRef::parse(input).unwrap();
            let expected = expected.as_deref().unwrap();
            assert_eq!(is_whole(reference.to_iri().view()), expected, "{id}");
            obeys_as_each(input);
        }
        println!("{} cases of {}", rows.len(), path.display());
    }
}

#[test]
fn every_case_of_normalization() {
    for (path, rows) in cases::rows::<Mapped>(&["id", "input", "expected", "pct"]) {
        for Mapped { id, input, expected, ladder, level, pct, .. } in &rows {
            // This shared case was made before it was decided that `a://h:00/` is `a://h:0/`, whatever the scheme.
            if id == "generated-norm-815be644f1" {
                continue;
            }
            let rules = match ladder.as_deref().or(level.as_deref()) {
                Some("syntax") => Normalize::syntax(),
                Some("scheme") => Normalize::scheme(),
                other => panic!("{id}: level {other:?}"),
            };
            let (iri, uri) = (IriRef::parse(input).unwrap(), UriRef::parse(input));
            let (pct, expected) = (pct.as_deref().unwrap(), expected.as_deref().unwrap());
            if pct != "unreserved" {
                assert_eq!(iri.normalize(rules).unwrap(), expected, "{id}");
            }
            // A case about unreserved ASCII only is one about URIs.
            match uri {
                Ok(uri) if pct != "iunreserved" => {
                    assert_eq!(uri.normalize(rules).unwrap(), expected, "{id}, as a URI");
                }
                _ => assert!(pct != "unreserved", "{id}: not run"),
            }
            obeys_as_each(input);
        }
        println!("{} cases of {}", rows.len(), path.display());
    }
}

#[derive(Deserialize)]
struct Pair {
    id: String,
    a: String,
    b: String,
    /// The level of the comparison. The shared cases have it in `level`.
    ladder: Option<String>,
    level: String,
    equal: bool,
    may: Option<bool>,
}

#[test]
fn every_case_of_equivalence() {
    for (path, rows) in cases::rows::<Pair>(&["a", "b", "equal"]) {
        let mut total = 0;
        for Pair { id, a, b, ladder, level, equal, may } in &rows {
            let is_allowed = may.is_some() || level == "may";
            let level = ladder.as_ref().unwrap_or(level);
            let level = [Level::Simple, Level::Syntax, Level::Scheme]
                .into_iter()
                .find(|known| known.name() == level)
                .unwrap();
            let (a, b) = (IriRef::parse(a).unwrap(), IriRef::parse(b).unwrap());
            compare(a, b);
            // The equivalences that the RFC merely allows need IDNA, which no level up to that of schemes has.
            if !is_allowed {
                assert_eq!(a.is_equivalent(b, level), *equal, "{id}");
                total += 1;
            }
        }
        println!("{total} of {} cases of {}", rows.len(), path.display());
    }
}

#[test]
fn rules_by_themselves() {
    let none = Normalize::none();
    for (rules, input, expected) in [
        (none.case(true), "HTTP://User@EXAMPLE.com:80/A", "http://User@example.com:80/A"),
        (none.case(true), "a://H%C3%89É", "a://h%C3%89É"),
        (none.percent_encoding(true), "A://H%41/%2e%2e/%3a", "A://HA/../%3A"),
        (none.dot_segments(true), "A://H/b/%2e%2e/../c", "A://H/b/c"),
        (none.port(true), "http://a:80?", "http://a?"),
        (none.port(true), "http://a:080/", "http://a/"),
        (none.port(true), "http://a:8080/", "http://a:8080/"),
        (none.port(true), "http://a:00/", "http://a:0/"),
        (none.port(true), "http://a:0/", "http://a:0/"),
        (none.port(true), "other://a:00/", "other://a:0/"),
        (none.port(true), "other://a:000", "other://a:0"),
        (none.port(true), "//a:00/", "//a:0/"),
        (none.port(true), "other://a:0081/", "other://a:81/"),
        (none.port(true), "//a:0081/", "//a:81/"),
        (none.port(true), "LDAP://a:0389/", "LDAP://a/"),
        (none.port(true), "coap://a:5683", "coap://a"),
        (none.port(true), "sip:a@b:5060", "sip:a@b:5060"),
        (none.dot_segments(true), "urn:example:a/../b", "urn:example:a/../b"),
        (none.dot_segments(true), "tag:a.b,2020:x/../../y", "tag:a.b,2020:x/../../y"),
        (none.dot_segments(true), "a:./../b/.", "a:./../b/."),
        (none.dot_segments(true), "a:/./../b/.", "a:/b/"),
        (none.rootless_dots(true), "a:b/../c", "a:b/../c"),
        (none.dot_segments(true).rootless_dots(true), "a:./../b/.", "a:b/"),
        (none.dot_segments(true).rootless_dots(true), "a:b/..//c", "a:/.//c"),
        (Normalize::syntax().rootless_dots(true), "a:b/%2e%2E/c", "a:/c"),
        (Normalize::syntax().rootless_dots(true), "b/../c", "b/../c"),
        (none.rooted_dots(true), "/b/../c", "/b/../c"),
        (none.dot_segments(true).rooted_dots(true), "/b/../c?../d", "/c?../d"),
        (none.dot_segments(true).rooted_dots(true), "/b/%2e%2e/../c", "/b/c"),
        (none.dot_segments(true).rooted_dots(true), "/../.././c/..", "/"),
        (Normalize::syntax().rooted_dots(true), "/b/%2e%2E/c%2f%41", "/c%2FA"),
        (Normalize::syntax().rooted_dots(true), "/b/..//c", "/.//c"),
        (Normalize::syntax().rooted_dots(true), "/.//b/c/../d", "/.//b/d"),
        (Normalize::syntax().rooted_dots(true), "//H/b/..//c", "//h//c"),
        (Normalize::syntax().rooted_dots(true), "b/../c", "b/../c"),
        (Normalize::syntax().rooted_dots(true).rootless_dots(true), "b/../c", "b/../c"),
        (Normalize::syntax().rooted_dots(true), "data:,a/../b", "data:,a/../b"),
        (Normalize::syntax().rooted_dots(true), "/.well-known/a", "/.well-known/a"),
        (
            none.percent_encoding(true),
            "a:\u{202E}%e2%80%8e\u{2019}",
            "a:%E2%80%AE%E2%80%8E\u{2019}",
        ),
        (none.case(true), "a:\u{202E}", "a:\u{202E}"),
        (none.port(true), "//a:", "//a"),
        (none.port(true), "//a:80", "//a:80"),
        (none.empty_path(true), "wss://a#b", "wss://a/#b"),
        (none.empty_path(true), "other://a#b", "other://a#b"),
        (none.empty_path(true), "http:", "http:"),
        (none.file_localhost(true), "file://LocalHost/a", "file:///a"),
        (none.file_localhost(true), "http://localhost/a", "http://localhost/a"),
        (none.ipv6(true), "//[1:0:0:0:0:0:0:A]", "//[1::a]"),
        (none.ipv6(true), "//[::FFFF:1.2.3.4]", "//[::ffff:1.2.3.4]"),
        (none.ipv6(true), "//[1:0:0:2:0:0:0:3]", "//[1:0:0:2::3]"),
        (none.ipv6(true), "//[vF.A]", "//[vF.A]"),
        (none.ipv6(true), "//[64:FF9B::102:304]", "//[64:ff9b::1.2.3.4]"),
        (none.ipv6(true), "//[64:ff9b::1.2.3.4]", "//[64:ff9b::1.2.3.4]"),
        (none.ipv6(true), "//[64:ff9b:1::1.2.3.4]", "//[64:ff9b:1::102:304]"),
        (none.ipv6(true), "//[::ffff:0:102:304]", "//[::ffff:0:1.2.3.4]"),
        (none.ipv6(true), "//[::1.2.3.4]", "//[::102:304]"),
        (none.urn(true), "URN:ISBN:A%61%2f", "urn:isbn:A%61%2F"),
        (
            Normalize::syntax().urn(true),
            "urn:ISBN:%61%2f?+%7er?=q#f%2e",
            "urn:isbn:%61%2F?+%7Er?=q#f%2E",
        ),
        (Normalize::syntax().urn(true), "urn:ISBN:a?q#f", "urn:isbn:a?q#f"),
        (Normalize::syntax().urn(true), "urn:example:a/../b", "urn:example:a/../b"),
        (
            Normalize::syntax().urn(true).rootless_dots(true),
            "urn:example:a/../b",
            "urn:example:a/../b",
        ),
        (Normalize::syntax().urn(true), "tag:ISBN:a#f", "tag:ISBN:a#f"),
        (none.mailto(true), "mailto:A@B,C@D%41", "mailto:A@b,C@d%41"),
        (none.mailto(true), "mailto:?to=A@B", "mailto:?to=A@B"),
        (none.mailto(true), "mailto:%22a@B%22@C.D", "mailto:%22a@B%22@c.d"),
        (none.mailto(true), "mailto:%22a,X@B%22@C.D,E@F", "mailto:%22a,X@B%22@c.d,E@f"),
        (none.mailto(true), "mailto:a@B%22,C%22,D@E", "mailto:a@b%22,c%22,D@e"),
        (none.mailto(true), "mailto:%22a%5C%22X@B%22@C", "mailto:%22a%5C%22X@B%22@c"),
        (none.mailto(true), "mailto:A@B@C%C3", "mailto:A@B@c%C3"),
        (none.mailto(true), "mailto:A%40B.C,%22A@B", "mailto:A%40B.C,%22A@B"),
        (none.mailto(true), "mailto:A,B", "mailto:A,B"),
        (none.file_localhost(true), "file://u@localhost:80/x", "file://u@localhost:80/x"),
        (none.file_localhost(true), "file://@localhost/x", "file://@localhost/x"),
        (none.file_localhost(true), "file://localhost:/x", "file://localhost:/x"),
        (none.file_localhost(true).port(true), "file://localhost:/x", "file:///x"),
    ] {
        let reference = IriRef::parse(input).unwrap();
        let normal = reference.normalize(rules).unwrap();
        assert_eq!(is_whole(normal.view()), expected, "{input}");
        assert!(normal.view().normalize(rules).unwrap().is_borrowed(), "idempotent: {input}");
    }
}

/// Whatever a policy decodes, the normal form is equivalent: its key is the same. A dot may be written as a triplet, and
/// is a dot for the key.
#[test]
fn a_normal_form_by_any_policy_is_equivalent() {
    const PIECES: &[&str] = &[
        "/", "/", "a", ".", "..", "%2E", "%2e.", "%7E", "%C3%A9", "é", "%2F", "?", ":80", ":00",
        "A",
    ];
    let paths = proptest::collection::vec(proptest::sample::select(PIECES), 0..12);
    let heads =
        proptest::sample::select(&["http://h", "a://H", "a:", "urn:a:", "", "HTTP://h:080"][..]);
    let policies = [DecodePolicy::Default, DecodePolicy::NonAsciiOnly];
    let policies = [policies[0], policies[1], DecodePolicy::Conservative];
    random(30_000, (heads, paths), |(head, paths)| {
        let text = format!("{head}{}", paths.concat());
        let Ok(given) = IriRef::parse(&text) else { return Ok(()) };
        for policy in policies {
            for (rules, level) in
                [(Normalize::syntax(), Level::Syntax), (Normalize::scheme(), Level::Scheme)]
            {
                let rules = rules.policy(policy);
                let normal = given.normalize(rules).unwrap();
                let compare = Compare::new(level);
                prop_assert!(
                    compare.equivalent(given, normal.view()),
                    "{text}: {normal}, {policy:?}"
                );
                prop_assert_eq!(compare.fingerprint(given), compare.fingerprint(normal.view()));
                prop_assert!(
                    normal.view().normalize(rules).unwrap().is_borrowed(),
                    "{text}: {normal}"
                );
            }
        }
        Ok(())
    });
    let only = Normalize::syntax().policy(DecodePolicy::NonAsciiOnly);
    for (given, expected) in [
        ("http://h/b/%2E/../A", "http://h/A"),
        ("http://h/%2e%2E/%7Ea", "http://h/%7Ea"),
        ("http://h/a%2E", "http://h/a%2E"),
    ] {
        assert_eq!(IriRef::parse(given).unwrap().normalize(only).unwrap(), expected);
    }
}

/// RFC 8141, section 3.2, has these groups of equivalent URNs. No two URNs of different groups are equivalent.
#[test]
fn urns_are_compared_by_rfc_8141() {
    let groups = [
        &[
            "urn:example:a123,z456",
            "URN:example:a123,z456",
            "urn:EXAMPLE:a123,z456",
            "urn:example:a123,z456?+abc",
            "urn:example:a123,z456?=xyz",
            "urn:example:a123,z456#789",
            "urn:example:a123,z456?+%7e?=b#c",
        ][..],
        &["urn:example:a123,z456/foo"],
        &["urn:example:a123,z456/bar"],
        &["urn:example:a123,z456/./foo"],
        &["urn:example:a123,z456/baz"],
        &["urn:example:a123%2Cz456", "URN:EXAMPLE:a123%2cz456"],
        &["urn:example:A123,z456"],
        &["urn:example:a123,Z456"],
        &["urn:example:%D0%B0123,z456", "urn:example:а123,z456", "urn:example:%d0%b0123,z456#x"],
        &["urn:example:%61123,z456"],
    ];
    let by = Compare::by(Normalize::scheme().urn(true));
    let all = || {
        groups
            .iter()
            .enumerate()
            .flat_map(|(number, group)| group.iter().map(move |urn| (number, *urn)))
    };
    for ((a_group, a), (b_group, b)) in all().flat_map(|a| all().map(move |b| (a, b))) {
        let (a, b) = (Iri::parse(a).unwrap(), Iri::parse(b).unwrap());
        assert_eq!(by.equivalent(a, b), a_group == b_group, "{a} {b}");
        assert_eq!(by.fingerprint(a) == by.fingerprint(b), a_group == b_group, "{a} {b}");
    }
}

#[test]
fn nothing_is_allocated_where_there_is_room() {
    let (a, b) =
        (simd_iri::iri!("HTTP://A/b/../%7e/é?q"), simd_iri::iri!("http://a:80/~/%C3%A9?q"));
    let without_dots = simd_iri::iri!("HTTP://A/%7e/é?q");
    let mut text = String::with_capacity(512);
    let measured = measure(|| {
        ToUri::new().map_into(a, &mut text).unwrap();
        ToIri::new().map_into(b, &mut text);
        Normalize::scheme().map_into(a, &mut text).unwrap();
        for level in [Level::Simple, Level::Syntax, Level::Scheme] {
            let by = Compare::new(level);
            assert_eq!(by.equivalent(without_dots, b), level == Level::Scheme);
            let same = by.fingerprint(without_dots) == by.fingerprint(b);
            assert_eq!(same, level == Level::Scheme);
        }
    });
    assert_eq!(measured.count_total, 0);
    // A path with dot segments is written, which is one allocation.
    let measured = measure(|| assert!(Compare::new(Level::Scheme).equivalent(a, b)));
    assert_eq!(measured.count_total, 1);
}

#[test]
fn long_texts_are_transformed_as_short_ones_are() {
    // More segments than are remembered, and more bytes than a block has.
    for path in ["../", "a/", "%C3%A9", "%2e/", "é", "a/b/../", "//", "./a/../../"] {
        for times in [1, 7, 21, 64, 1000, 5000] {
            let path = path.repeat(times);
            for text in [format!("http://h/{path}"), format!("a:{path}"), format!("a:/b{path}")] {
                assert!(obeys_as_each(&text) == 1 || text.starts_with("a:/"), "{text}");
            }
        }
    }
}

#[test]
fn mistakes_of_the_field() {
    // Characters that two normalizers decode and that must stay encoded: a bidi control, a private-use character.
    for (input, expected) in [
        ("http://a/%E2%80%AE", "http://a/%E2%80%AE"),
        ("http://a/?%EE%80%80", "http://a/?%EE%80%80"),
        ("http://a/%c0%af", "http://a/%C0%AF"),
        // Both rules of the scheme, or neither of them.
        ("http://a", "http://a/"),
        ("http://a:80", "http://a/"),
        // A dot segment that is encoded is one after decoding.
        ("http://a/b/%2e%2E/c", "http://a/c"),
        ("a:/b/..//c", "a:/.//c"),
        ("http://a/.well-known/b", "http://a/.well-known/b"),
        // An empty query or fragment is not an absent one.
        ("http://a/?", "http://a/?"),
        ("http://a/#", "http://a/#"),
    ] {
        let iri = Iri::parse(input).unwrap();
        assert_eq!(iri.normalize(Normalize::scheme()).unwrap(), expected);
        obeys_as_each(input);
    }
    // Equivalence, order and hash agree.
    let (a, b) = (simd_iri::iri!("http://a/%7Ea"), simd_iri::iri!("http://a/~a"));
    assert!(Compare::new(Level::Syntax).order(a, b).is_eq());
    compare(a, b);
    assert!(simd_iri::iri!("http://A/").is_equivalent(simd_iri::iri!("http://a/"), Level::Syntax));
}
