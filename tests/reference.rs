//! The laws of the typed references: all ways to make one agree, all of them are their text, the components join to
//! the text again, and a text that is too long is refused at once.
//!
//! Not here: which texts are valid, which `suite` and `exhaustive` show.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::Arc;
#[cfg(target_pointer_width = "64")]
use std::time::{Duration, Instant};

use proptest::prelude::*;
use simd_iri::kind::{self, Kind};
use simd_iri::{
    Buf, Component, Error, Host, Iri, IriRef, IriRefBuf, Rule, Uri, UriRef, View,
    component::{ComponentRule, PathForm},
    iri, iri_ref,
    parser::Terminators,
    percent,
    thin::Checked,
    uri, uri_ref,
};

use crate::cases;
use crate::support::*;

type Thin<'a, K> = Checked<&'a str, K>;
type Boxed<K> = Checked<Box<str>, K>;
type Shared<K> = Checked<Arc<str>, K>;

/// Every text of the cases, once.
fn texts_of_cases() -> BTreeSet<String> {
    let cases = cases::all().into_iter().flat_map(|file| file.cases);
    cases.filter_map(|case| String::from_utf8(case.input).ok()).collect()
}

/// Every way to make a reference of a kind gives the same reference.
fn all_ways_agree<K: Kind>(text: &str) {
    let bytes = text.as_bytes();
    let result = View::<K>::parse(text);
    assert_eq!(result.map(View::parts), K::RULE.parse(text));
    assert_eq!(View::parse_bytes(bytes), result);
    assert_eq!(View::try_from(text), result);
    assert_eq!(View::try_from(bytes), result);
    assert_eq!(View::parse_const(text), result.ok(), "{text:?}");
    for &level in LEVELS.iter() {
        assert_eq!(level.parse(K::RULE, text), result.map(View::parts));
    }
    assert_eq!(text.parse().map(|buf: Buf<K>| buf.view().parts()), result.map(View::parts));
    assert_eq!(Thin::<K>::parse(text).map(|thin| thin.view().parts()), result.map(View::parts));
    assert_eq!(Thin::<K>::try_from(text), Thin::parse(text));
    match result {
        Ok(view) => is_its_text(view),
        Err(error) => {
            // The reason that the compiler prints for a literal is text of ASCII, and its place is in the text.
            let refusal = View::<K>::__refusal(text);
            assert!(refusal.as_str().starts_with("not a") && refusal.as_str().is_ascii());
            let place = refusal
                .as_str()
                .split_once(" at byte ")
                .map(|(_, place)| place.split(' ').next().unwrap().parse::<usize>().unwrap());
            assert!(
                place.is_none_or(|at| at < text.len() && text.is_char_boundary(at)),
                "{text:?}"
            );
            let owned = || text.to_owned();
            let refused = Buf::<K>::try_from(owned()).unwrap_err();
            assert_eq!((refused.error(), &*refused.into_text()), (error, text));
            let refused = Boxed::<K>::try_from(owned()).unwrap_err();
            assert_eq!((refused.error(), &*refused.into_text()), (error, text));
            let refused = Shared::<K>::try_from(Arc::from(text)).unwrap_err();
            assert_eq!((refused.error(), &*refused.into_text()), (error, text));
        }
    }
}

/// A reference of any type gives the view it was made from, and displays, borrows and hashes as its text.
fn is_its_text<K: Kind>(view: View<'_, K>) {
    let text = view.as_str();
    let buf = Buf::<K>::try_from(text.to_owned()).unwrap();
    let thin = Thin::from(view);
    let boxed = Boxed::<K>::try_from(text.to_owned()).unwrap();
    let shared = Shared::<K>::try_from(Arc::from(text)).unwrap();
    // The components are slices of the text, in order, and each is inside the authority or after the one before it.
    let parts = view.parts();
    let mut listed = Vec::new();
    for (component, range) in parts.iter() {
        assert_eq!(parts.get(component), Some(range.clone()));
        assert_eq!(view.component(component), Some(&text[range.clone()]));
        listed.push((range.start, range.end, component));
    }
    assert!(listed.windows(2).all(|pair| {
        let inside = pair[0].2 == Component::Authority && pair[1].1 <= pair[0].1;
        inside || pair[0].1 <= pair[1].0
    }));
    let absent = Component::ALL.iter().filter(|component| parts.get(**component).is_none());
    assert_eq!(listed.len() + absent.count() + 1, Component::ALL.len());
    assert_eq!(view.component(Component::Reference), Some(text));
    let before = text.split('#').next().unwrap();
    assert_eq!(Ok(view.without_fragment()), View::<K>::parse(before));
    assert_eq!(view.without_fragment().parts(), View::<K>::parse(before).unwrap().parts());
    assert_eq!((view.len(), view.is_empty()), (text.len(), text.is_empty()));
    assert_eq!(view.as_checked(), view.to_buf());
    let decoded: String = view.decoded_segments().collect::<Vec<_>>().join("/");
    let path = view.path().strip_prefix('/').unwrap_or(view.path());
    // A character may not be divided by a slash, so that segments and path are decoded alike.
    assert_eq!(decoded, percent::decode(path).lossy());
    let others = [
        view.as_iri_ref().parts(),
        Buf::from(view).view().parts(),
        buf.view().parts(),
        thin.into_view().parts(),
        boxed.view().parts(),
        Boxed::from(view).view().parts(),
        shared.view().parts(),
        Shared::from(view).view().parts(),
    ];
    assert!(others.into_iter().all(|parts| parts == view.parts()), "{text:?}");
    borrows(&view, text);
    borrows(&buf, text);
    borrows(&thin, text);
    borrows(&boxed, text);
    borrows(&shared, text);
    assert_eq!(buf.clone(), buf);
    assert_eq!(String::from(buf.clone()), buf.into_string());
    assert_eq!((thin.into_text(), &*boxed.into_text(), &*shared.into_text()), (text, text, text));
}

fn borrows<T>(reference: &T, text: &str)
where
    T: AsRef<str> + Borrow<str> + Hash + ToString + PartialEq<str>,
{
    let hasher = RandomState::new();
    let borrowed: &str = reference.borrow();
    assert_eq!((reference.as_ref(), borrowed, &*reference.to_string()), (text, text, text));
    assert_eq!(hasher.hash_one(reference), hasher.hash_one(text));
    assert!(*reference == *text);
}

#[test]
fn all_ways_to_a_reference_agree() {
    let cases: Vec<_> = texts_of_cases().into_iter().collect();
    let total = count(cases.len(), |job| {
        all_ways_agree::<kind::Iri>(&cases[job]);
        all_ways_agree::<kind::IriReference>(&cases[job]);
        all_ways_agree::<kind::Uri>(&cases[job]);
        all_ways_agree::<kind::UriReference>(&cases[job]);
        4
    });
    println!("{total} pairs of a text and a type");
    random(10_000, texts(), |text| {
        all_ways_agree::<kind::Iri>(&text);
        all_ways_agree::<kind::UriReference>(&text);
        Ok(())
    });
}

#[test]
fn bytes_that_are_no_text_are_refused_as_the_rule_refuses_them() {
    random(10_000, byte_strings(), |bytes| {
        let refused = IriRef::parse_bytes(&bytes).map(View::parts);
        prop_assert_eq!(refused, Rule::IriReference.parse_bytes(&bytes));
        Ok(())
    });
}

#[test]
fn literals_are_what_parse_finds() {
    macro_rules! literals {
        ($type:ident, $macro:ident: $($text:literal),+ $(,)?) => {$(
            const VIEW: $type<'static> = $macro!($text);
            assert_eq!(VIEW, $type::parse($text).unwrap());
            assert_eq!(VIEW.parts(), $type::parse($text).unwrap().parts());
        )+};
    }
    {
        literals!(Iri, iri: "https://u:p@例え.jp:8042/a/b?q=\u{E000}#f");
    }
    {
        literals!(IriRef, iri_ref: "//[v1.x]:/../é?#");
    }
    {
        literals!(Uri, uri: "urn:%C3%A9");
    }
    {
        literals!(UriRef, uri_ref: "");
    }
}

/// The text put together from its components, as RFC 3986, section 5.3, does.
fn rejoined(reference: IriRef<'_>) -> String {
    let mut text = String::new();
    if let Some(scheme) = reference.scheme() {
        text += scheme;
        text += ":";
    }
    if let Some(host) = reference.host_str() {
        text += "//";
        let before = text.len();
        if let Some(user) = reference.user() {
            text += user;
            if let Some(password) = reference.password() {
                text += ":";
                text += password;
            }
            assert_eq!(reference.userinfo(), Some(&text[before..]));
            text += "@";
        }
        text += host;
        if let Some(port) = reference.port() {
            text += ":";
            text += port;
        }
        assert_eq!(reference.authority(), Some(&text[before..]));
    }
    text += reference.path();
    if let Some(query) = reference.query() {
        text += "?";
        text += query;
    }
    if let Some(fragment) = reference.fragment() {
        text += "#";
        text += fragment;
    }
    text
}

/// The laws of the components of any reference.
fn components_fit(reference: IriRef<'_>) {
    let text = reference.as_str();
    assert!(reference.parts().check(text), "{text:?}");
    assert_eq!(rejoined(reference), text);

    let path = reference.path();
    let form = match reference.path_form() {
        PathForm::Abempty => ComponentRule::IpathAbempty,
        PathForm::Absolute => ComponentRule::IpathAbsolute,
        PathForm::Noscheme => ComponentRule::IpathNoscheme,
        PathForm::Rootless => ComponentRule::IpathRootless,
        PathForm::Empty => ComponentRule::IpathEmpty,
    };
    assert_eq!(form.validate(path), Ok(()), "{text:?}");
    let segments: Vec<_> = reference.segments().collect();
    let root = if path.starts_with('/') { "/" } else { "" };
    assert_eq!(format!("{root}{}", segments.join("/")), path);
    assert_eq!(segments.is_empty(), path.is_empty());
    assert!(reference.segments().rev().eq(segments.into_iter().rev()));

    let number = reference.port().map(|port| port.trim_start_matches('0')).map(|digits| {
        let value = digits.bytes().take(6).fold(0, |n, digit| n * 10 + u32::from(digit - b'0'));
        u16::try_from(value).ok()
    });
    let empty = reference.port() == Some("");
    assert_eq!(reference.port_u16(), number.flatten().filter(|_| !empty), "{text:?}");

    let rule = match reference.host() {
        None => return assert_eq!(reference.host_str(), None),
        Some(Host::Ipv4(_)) => ComponentRule::Ipv4Address,
        Some(Host::Ipv6(_)) => ComponentRule::Ipv6Address,
        Some(Host::IpvFuture(_)) => ComponentRule::IpvFuture,
        Some(Host::RegName(_)) => ComponentRule::IregName,
    };
    let host = reference.host_str().unwrap_or_default();
    let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    assert_eq!(rule.validate(inside.unwrap_or(host)), Ok(()), "{text:?}");
    let name = rule == ComponentRule::IregName;
    let v4 = ComponentRule::Ipv4Address.validate(host).is_ok();
    assert!(!(name && v4), "first match wins: {text:?}");

    let absolute = Rule::AbsoluteIri.is_valid(text);
    assert_eq!(reference.is_absolute(), absolute, "{text:?}");
}

#[test]
fn components_join_to_the_text() {
    let mut total = 0;
    for text in texts_of_cases() {
        if let Ok(reference) = IriRef::parse(&text) {
            components_fit(reference);
            total += 1;
        }
    }
    for (_, carrier) in carriers() {
        let prefixes =
            carrier.char_indices().filter_map(|(end, _)| IriRef::parse(&carrier[..end]).ok());
        total += prefixes.map(components_fit).count();
    }
    println!("{total} references");
    random(20_000, texts(), |text| {
        if let Ok(reference) = IriRef::parse(&text) {
            components_fit(reference);
        }
        Ok(())
    });
}

#[test]
fn parts_of_another_text_are_not_those_of_this_one() {
    let texts = [
        "",
        "a:",
        "a:b",
        "//a",
        "//a:",
        "//a@",
        "//a@b",
        "//[::1]",
        "//[::1]:1",
        "/a",
        "a",
        "?",
        "#",
        "?#",
        "a?b",
        "a#b",
        "a:/b",
        "a://b",
        "é:",
    ];
    for (text, other) in texts.iter().flat_map(|text| texts.map(|other| (*text, other))) {
        let (Ok(own), Ok(parts)) = (IriRef::parse(text), Rule::IriReference.parse(other)) else {
            continue;
        };
        assert_eq!(parts.check(text), parts == own.parts(), "{other:?} for {text:?}");
    }
}

#[test]
fn addresses_have_their_values() {
    for (text, value) in [
        ("//127.0.0.1", Host::Ipv4([127, 0, 0, 1].into())),
        ("//[2001:db8::7]", Host::Ipv6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 7].into())),
        ("//[::FFFF:1.2.3.4]", Host::Ipv6([0, 0, 0, 0, 0, 0xFFFF, 0x102, 0x304].into())),
        ("//[vF.a:b]", Host::IpvFuture("vF.a:b")),
        ("//127.0.0.01", Host::RegName("127.0.0.01")),
        ("//", Host::RegName("")),
    ] {
        assert_eq!(IriRef::parse(text).unwrap().host(), Some(value));
    }
}

#[test]
fn equality_order_and_hash_are_those_of_the_text() {
    let texts: Vec<_> = texts_of_cases().into_iter().filter(|text| text.len() < 200).collect();
    let mut views: Vec<_> = texts.iter().filter_map(|text| IriRef::parse(text).ok()).collect();
    views.extend(
        ["%7Ea", "~a", "A", "a", "%7ea", "http://a", "http://a/", "HTTP://a"]
            .map(|text| IriRef::parse(text).unwrap()),
    );
    for a in &views {
        for b in views.iter().step_by(7).chain(&views[views.len() - 8..]) {
            let (x, y) = (a.as_str(), b.as_str());
            assert_eq!((a == b, a.cmp(b)), (x == y, x.cmp(y)), "{x:?} {y:?}");
            assert_eq!((a == b, a.partial_cmp(b)), (a.cmp(b) == Ordering::Equal, Some(x.cmp(y))));
        }
    }
    let set: std::collections::HashSet<IriRefBuf> = views.iter().map(|&view| view.into()).collect();
    assert!(views.iter().all(|view| set.contains(view.as_str())));
    assert_eq!(set.len(), views.iter().map(|view| view.as_str()).collect::<BTreeSet<_>>().len());
}

type Every<'a, K> = (View<'a, K>, Buf<K>, Thin<'a, K>, Boxed<K>, Shared<K>);

fn every_type<K: Kind>(text: &str) -> Result<Every<'_, K>, Error> {
    let view = View::parse(text)?;
    Ok((view, view.into(), view.into(), view.into(), view.into()))
}

/// A text that matches a kind also matches a wider one. The conversion keeps the text and its parts.
fn widens<A: Kind, B: Kind>(text: &str)
where
    for<'a> View<'a, B>: From<View<'a, A>>,
    for<'a> Thin<'a, B>: From<Thin<'a, A>>,
    Buf<B>: From<Buf<A>>,
    Boxed<B>: From<Boxed<A>>,
    Shared<B>: From<Shared<A>>,
{
    let Ok((view, buf, thin, boxed, shared)) = every_type::<A>(text) else { return };
    let wide = View::<B>::parse(text).unwrap();
    for found in [
        View::<B>::from(view),
        Buf::<B>::from(buf).view(),
        Thin::<B>::from(thin).view(),
        Boxed::<B>::from(boxed).view(),
        Shared::<B>::from(shared).view(),
    ] {
        assert_eq!((found, found.parts()), (wide, wide.parts()));
    }
}

#[test]
fn a_reference_is_one_of_a_wider_kind() {
    for text in texts_of_cases() {
        widens::<kind::Iri, kind::IriReference>(&text);
        widens::<kind::Uri, kind::Iri>(&text);
        widens::<kind::Uri, kind::UriReference>(&text);
        widens::<kind::Uri, kind::IriReference>(&text);
        widens::<kind::UriReference, kind::IriReference>(&text);
    }
}

/// `parse_until` gives the answer of `parse` for the text before the first terminator.
fn stops_at(text: &str, stop: &[u8]) {
    let end = text.bytes().position(|byte| stop.contains(&byte)).unwrap_or(text.len());
    let expected = IriRef::parse(&text[..end]).map(|view| (view, view.parts(), &text[end..]));
    let found = IriRef::parse_until(text, Terminators::new(stop).unwrap());
    let found = found.map_err(|refused| refused.error());
    assert_eq!(found.map(|(view, rest)| (view, view.parts(), rest)), expected, "{text:?}");
}

#[test]
fn a_parse_stops_at_any_terminator() {
    for byte in 0..=u8::MAX {
        assert_eq!(Terminators::new(&[b'>', byte]).is_some(), byte.is_ascii());
    }
    let texts = texts_of_cases();
    for text in texts.iter().filter(|text| text.len() < 200) {
        for byte in 0..0x80 {
            stops_at(text, &[byte]);
        }
        stops_at(text, b" \t\r\n<>\"");
        stops_at(text, b"");
    }
    for (_, carrier) in carriers() {
        for offset in (0..=200).filter(|&offset| carrier.is_char_boundary(offset)) {
            for stop in ["> .", ">", "\0", "\u{7F}|>"] {
                let text = format!("{}{stop}{}", &carrier[..offset], &carrier[offset..]);
                stops_at(&text, stop.as_bytes());
            }
        }
    }
    println!("{} texts for each of 128 terminators", texts.len());
}

/// Offsets have 32 bits. The zeros take no memory, because a page that is only read is never allocated.
#[test]
#[cfg(target_pointer_width = "64")]
fn lengths_about_2_to_the_31_and_32() {
    const LIMIT: usize = u32::MAX as usize;
    let mut bytes = vec![0; LIMIT + 1];
    for &level in LEVELS.iter() {
        for &rule in Rule::ALL {
            too_long(|| level.parse_bytes(rule, &bytes).err());
            assert!(!level.is_valid_bytes(rule, &bytes));
        }
        for &rule in ComponentRule::ALL {
            too_long(|| level.validate_bytes(rule, &bytes).err());
        }
    }
    for &rule in Rule::ALL {
        too_long(|| rule.violations_bytes(&bytes).next());
        assert_eq!(rule.violations_bytes(&bytes).count(), 1);
    }
    too_long(|| Iri::parse_bytes(&bytes).err());

    // With one byte less, the text is not too long, only wrong.
    bytes[..5].copy_from_slice(b"a:\0?#");
    for length in [(1 << 31) - 1, 1 << 31, (1 << 31) + 1, LIMIT] {
        let error = Rule::Iri.parse_bytes(&bytes[..length]).unwrap_err();
        assert_eq!((error.kind(), error.span()), (simd_iri::ErrorKind::NotAllowed, 2..3));
    }
}

/// Asserts that an input is refused as too long without a pass over all of it. A pass would take longer. One quick
/// attempt of three is enough.
#[cfg(target_pointer_width = "64")]
fn too_long(refuse: impl Fn() -> Option<Error>) {
    let attempts = [(); 3].map(|()| {
        let begin = Instant::now();
        assert_eq!(refuse().map(Error::kind), Some(simd_iri::ErrorKind::TooLong));
        begin.elapsed()
    });
    let quickest = attempts.into_iter().min().unwrap_or_default();
    assert!(quickest < Duration::from_millis(20), "{quickest:?} to refuse what is too long");
}

mod serde {
    use super::*;

    /// A reference is its text in JSON, and is checked when it is read.
    fn round_trip<'a, T>(json: &'a str, valid: bool)
    where
        T: ::serde::Serialize + ::serde::Deserialize<'a>,
    {
        match serde_json::from_str::<T>(json) {
            Ok(reference) => {
                assert!(valid, "{json}");
                assert_eq!(serde_json::to_string(&reference).unwrap(), json);
            }
            Err(error) => assert!(!valid, "{json}: {error}"),
        }
    }

    fn every_type<K: Kind>(text: &str) {
        let json = serde_json::to_string(text).unwrap();
        let valid = K::RULE.is_valid(text);
        // A text with escapes of JSON cannot be borrowed. JSON escapes no character of a valid reference.
        round_trip::<View<'_, K>>(&json, valid);
        round_trip::<Thin<'_, K>>(&json, valid);
        round_trip::<Buf<K>>(&json, valid);
        round_trip::<Boxed<K>>(&json, valid);
        round_trip::<Shared<K>>(&json, valid);
    }

    #[test]
    fn references_are_their_text() {
        for text in texts_of_cases() {
            every_type::<kind::Iri>(&text);
            every_type::<kind::IriReference>(&text);
            every_type::<kind::Uri>(&text);
            every_type::<kind::UriReference>(&text);
        }
    }

    /// The results of a lint, a repair, a parse and a batch are serialized as their parts.
    #[test]
    fn results_are_structs() {
        use serde_json::{json, to_value};
        use simd_iri::batch::{Batch, Columns, Separated};
        use simd_iri::{Iri, Level, Rule};
        use simd_iri_lint::Profile;
        use simd_iri_text::{Prepare, RepairSet};

        let iri = Iri::parse("http://a/\u{200E}?b").unwrap();
        let report = to_value(simd_iri_lint::lint(iri, Profile::Rfc)).unwrap();
        assert_eq!(report[0]["code"], "bidi.formatting-character");
        assert_eq!((&report[0]["start"], &report[0]["end"]), (&json!(9), &json!(12)));
        assert_eq!(report[0]["suggestion"], "percent-encode it");
        let parts = to_value(iri.parts()).unwrap();
        assert_eq!(
            (&parts["query"], &parts["port"]),
            (&json!({ "start": 13, "end": 14 }), &json!(null))
        );
        let prepared = Prepare::new(RepairSet::Leiri).prepare("a b").unwrap();
        let repairs = to_value(prepared.repairs()).unwrap();
        assert_eq!(repairs[0]["kind"], "space");
        assert_eq!(to_value(iri.origin()).unwrap(), "http://a");
        assert_eq!(to_value((Level::Syntax, Rule::Iri)).unwrap(), json!(["syntax", "IRI"]));
        let (batch, lines) = (Batch::new(Rule::Iri), Separated::lines(b"a:b\nc"));
        let count = to_value(batch.count(lines)).unwrap();
        assert_eq!(count, json!({ "items": 2, "valid": 1, "null": 0, "invalid": 1 }));
        let mut columns = Columns::new();
        batch.columns(lines, &mut columns);
        let columns = to_value(&columns).unwrap();
        assert_eq!(
            (&columns["starts"], &columns["errors"][0][1]["code"]),
            (&json!([0, 4]), &json!("missing-scheme"))
        );
    }
}

#[test]
fn a_refused_literal_has_a_reason_and_a_place() {
    for (text, reason) in [
        ("not an iri", "not an IRI: ' ' at byte 3 is not allowed there"),
        ("/a", "not an IRI: it has no scheme; begin with a scheme, such as \"https:\""),
        ("http://a/%zz", "not an IRI: '%' at byte 9 is not followed by two hexadecimal digits"),
        ("http://a/%4z", "not an IRI: '%' at byte 9 is not followed by two hexadecimal digits"),
        ("http://a/%4", "not an IRI: it ends within a triplet or an IP literal"),
        ("http://[::1", "not an IRI: it ends within a triplet or an IP literal"),
        ("http://a/é\u{E000}", "not an IRI: the character at byte 11 is not allowed there"),
    ] {
        assert_eq!(Iri::__refusal(text).as_str(), reason);
    }
    let not_ascii = "not a URI: the character at byte 9 is not ASCII";
    assert_eq!(Uri::__refusal("http://a/é").as_str(), not_ascii);
    let long = format!("http://a/{}|", "a".repeat(100_000));
    assert!(Iri::__refusal(&long).as_str().contains("'|' at byte 100009 "));
}
