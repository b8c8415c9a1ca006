//! Two references, with a line feed between them: the laws of mapping, normalizing, comparing,
//! percent-encoding and building.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_iri::kind::Kind;
use simd_iri::percent::{self, Segment};
use simd_iri::{
    Builder, Compare, DecodePolicy, Iri, IriRef, Level, Normalize, Rule, ToIri, ToUri, Uri, UriRef,
    View,
};

const BIDI_CONTROLS: [char; 12] = [
    '\u{61C}', '\u{200E}', '\u{200F}', '\u{202A}', '\u{202B}', '\u{202C}', '\u{202D}', '\u{202E}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

fuzz_target!(|text: &str| {
    let (a, b) = text.split_once('\n').unwrap_or((text, ""));
    for value in [a, b] {
        for encoded in [percent::encode::<Segment>(value), percent::encode_iri::<Segment>(value)] {
            let encoded = encoded.to_string();
            assert_eq!(percent::decode(&encoded).utf8().as_deref(), Ok(value));
        }
        let _ = percent::decode(value).lossy();
    }
    let (Ok(a), Ok(b)) = (IriRef::parse(a), IriRef::parse(b)) else { return };
    for view in [a, b] {
        obey(view);
        let text = view.as_str();
        let _ = UriRef::parse(text).map(obey);
        let _ = Iri::parse(text).map(obey);
        let _ = Uri::parse(text).map(obey);
    }
    for level in [Level::Simple, Level::Syntax, Level::Scheme] {
        let by = Compare::new(level);
        let keys = (by.key(a).expect("room"), by.key(b).expect("room"));
        assert_eq!(by.order(a, b), keys.0.cmp(&keys.1), "{a} {b}");
        assert_eq!(by.fingerprint(a) == by.fingerprint(b), keys.0 == keys.1, "{a} {b}");
    }
});

/// The result is of its kind, and its offsets are those of a parse.
fn is_whole<K: Kind>(view: View<'_, K>) {
    assert_eq!(K::RULE.parse(view.as_str()), Ok(view.parts()), "{view}");
}

/// The number of each bidi control in a text.
fn bidi_controls(text: &str) -> usize {
    text.matches(BIDI_CONTROLS).count()
}

/// A few sets of rules that the text chooses.
fn any_rules(text: &str) -> impl Iterator<Item = Normalize> {
    let mut state = text.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    });
    (0..3).map(move |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let on = |bit: u32| state >> (32 + bit) & 1 == 1;
        let rules = Normalize::none().case(on(0)).percent_encoding(on(1)).dot_segments(on(2));
        let rules = rules.port(on(3)).empty_path(on(4)).file_localhost(on(5)).ipv6(on(6));
        let rules = rules.urn(on(7)).mailto(on(8)).idna(on(9));
        let rules = rules.rootless_dots(on(10)).rooted_dots(on(11));
        rules.policy(match state >> 62 {
            0 => DecodePolicy::NonAsciiOnly,
            1 => DecodePolicy::Conservative,
            _ => DecodePolicy::Default,
        })
    })
}

fn obey<K: Kind>(view: View<'_, K>) {
    let built = Builder::from(view).build().expect("what was parsed can be built");
    assert_eq!(built.as_str(), view.as_str());

    let uri = view.to_uri().expect("short texts have room");
    is_whole(uri.view());
    assert!(Rule::UriReference.is_valid(uri.as_str()), "{uri}");
    assert!(uri.view().to_uri().expect("room").is_borrowed(), "{uri}");
    assert_eq!(uri.is_borrowed(), view.as_str().is_ascii());

    for policy in [DecodePolicy::Default, DecodePolicy::NonAsciiOnly, DecodePolicy::Conservative] {
        let map = ToIri::new().policy(policy);
        let iri = map.map(view);
        is_whole(iri.view());
        assert!(map.map(iri.view()).is_borrowed(), "{iri}");
        assert!(bidi_controls(iri.as_str()) <= bidi_controls(view.as_str()), "{iri}");
        let back = iri.view().to_uri().expect("room");
        // The case of digits and unreserved ASCII may differ, and normalization removes these differences.
        let only = Normalize::none().percent_encoding(true);
        let normal = |uri: View<'_, K::Uri>| uri.normalize(only).expect("room").into_owned();
        assert_eq!(normal(back.view()), normal(uri.view()), "{view}");
    }

    for (level, rules) in
        [(Level::Syntax, Normalize::syntax()), (Level::Scheme, Normalize::scheme())]
    {
        let normal = view.normalize(rules).expect("room");
        is_whole(normal.view());
        assert!(normal.view().normalize(rules).expect("room").is_borrowed(), "{normal}");
        assert_eq!(bidi_controls(normal.as_str()), 0, "{normal}");
        // A rootless path has as many segments as before.
        let slashes = |text: &str| text.bytes().filter(|byte| *byte == b'/').count();
        let (before, after) = (view.path(), normal.view().path().to_owned());
        assert!(before.starts_with('/') || before.is_empty() || slashes(before) == slashes(&after));
        let by = Compare::new(level);
        assert!(by.equivalent(view, normal.view()) && by.equivalent(normal.view(), uri.view()));
        assert_eq!(by.key(view), by.key(normal.view()));
        assert_eq!(by.fingerprint(view), by.fingerprint(uri.view()));
    }

    // Any rules are idempotent and stay in their class, with any policy for triplets.
    for rules in any_rules(view.as_str()) {
        let normal = view.normalize(rules).expect("room");
        is_whole(normal.view());
        assert!(normal.view().normalize(rules).expect("room").is_borrowed(), "{rules:?} {view}");
        assert!(Compare::by(rules).equivalent(view, normal.view()), "{rules:?} {view} {normal}");
    }
    for policy in [DecodePolicy::Default, DecodePolicy::NonAsciiOnly, DecodePolicy::Conservative] {
        for (level, rules) in
            [(Level::Syntax, Normalize::syntax()), (Level::Scheme, Normalize::scheme())]
        {
            let normal = view.normalize(rules.policy(policy)).expect("room");
            let by = Compare::new(level);
            assert!(by.equivalent(view, normal.view()), "{policy:?} {view} {normal}");
        }
    }

    // All rules together are idempotent, and so is the mapping of hosts to their Unicode forms.
    let all = Normalize::scheme()
        .rootless_dots(true)
        .rooted_dots(true)
        .file_localhost(true)
        .ipv6(true)
        .urn(true)
        .mailto(true)
        .idna(true);
    let normal = view.normalize(all).expect("room");
    is_whole(normal.view());
    assert!(normal.view().normalize(all).expect("room").is_borrowed(), "{view} {normal}");
    let by = Compare::by(all);
    assert!(by.equivalent(view, normal.view()), "{view} {normal}");
    let people = ToIri::new().idna(true);
    let shown = people.map(view);
    is_whole(shown.view());
    assert!(people.map(shown.view()).is_borrowed(), "{view} {shown}");
    if let Ok(named) = ToUri::new().idna(true).map(view) {
        let again = ToUri::new().idna(true).map(named.view()).expect("a name is one again");
        assert!(again.is_borrowed(), "{view} {named}");
    }
}
