//! Building and editing: a result has exactly the intended components, each as an independent encoder writes it, and
//! a parse finds the same offsets. A value that was written is read back unchanged.

use std::fmt::Write;
use std::net::IpAddr;

use allocation_counter::measure;
use proptest::prelude::*;
use simd_iri::kind::{self, Kind};
use simd_iri::query::{FormPair, FormPairs, Pairs};
use simd_iri::{
    Buf, Builder, Component, Error, Host, Iri, IriBuf, IriRef, IriRefBuf, Rule, UriBuf, UriRef,
    View,
    component::{ComponentRule, Encoded, Value},
    errors::FileNameError,
    iri, percent,
};

use crate::support::{ORACLE, random, texts};

/// Encodes a value as a component of a kind, character by character: characters that the rule does not have become
/// triplets, and so do percent signs and bidi formatting characters.
fn encoded(rule: Rule, component: ComponentRule, text: &str) -> String {
    let name = name(rule, component);
    let controls = "\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}";
    let mut out = String::new();
    for c in text.chars() {
        let one = c.to_string();
        if c != '%' && !controls.contains(c) && ORACLE.matches(name, &one) {
            out.push(c);
        } else {
            out.extend(one.bytes().map(|byte| format!("%{byte:02X}")));
        }
    }
    out
}

fn name(rule: Rule, component: ComponentRule) -> &'static str {
    match rule {
        Rule::Uri | Rule::UriReference => component.uri_name(),
        _ => component.name(),
    }
}

/// The components of a reference, as texts: scheme, userinfo, host, port, path, query, fragment.
type Components = [Option<String>; 7];

fn components<K: Kind>(view: View<'_, K>) -> Components {
    [
        view.as_iri_ref().scheme(),
        view.userinfo(),
        view.host_str(),
        view.port(),
        Some(view.path()),
        view.query(),
        view.fragment(),
    ]
    .map(|part| part.map(str::to_owned))
}

/// The offsets of an owner are those of a parse of its text.
fn is_whole<K: Kind>(buf: &Buf<K>) {
    let parsed = View::<K>::parse(buf.as_str());
    assert_eq!(parsed.map(View::parts), Ok(buf.view().parts()), "{buf:?}");
}

const RULES: [ComponentRule; 7] = [
    ComponentRule::Scheme,
    ComponentRule::Iuserinfo,
    ComponentRule::Ihost,
    ComponentRule::Port,
    ComponentRule::Ipath,
    ComponentRule::Iquery,
    ComponentRule::Ifragment,
];

/// The expected component, if the value is not refused.
fn value(rule: Rule, at: usize, text: &str, is_encoded: bool) -> Option<String> {
    let component = RULES[at];
    // The text of an IPv6 address gets its brackets.
    if component == ComponentRule::Ihost && ORACLE.matches("IPv6address", text) {
        return Some(format!("[{text}]"));
    }
    let is_literal = component == ComponentRule::Ihost && text.starts_with('[');
    if is_encoded || is_literal || matches!(component, ComponentRule::Scheme | ComponentRule::Port)
    {
        // After an authority, a path may begin with two slashes. No other form of a path may.
        let abempty = name(rule, ComponentRule::IpathAbempty);
        let is_valid = ORACLE.matches(name(rule, component), text)
            || component == ComponentRule::Ipath && ORACLE.matches(abempty, text);
        return is_valid.then(|| text.to_owned());
    }
    let is_host = component == ComponentRule::Ihost;
    Some(encoded(rule, if is_host { ComponentRule::IregName } else { component }, text))
}

/// The expected reference of the components, unless it is impossible.
fn together(rule: Rule, mut components: Components) -> Option<Components> {
    let [scheme, userinfo, host, port, path, ..] = &mut components;
    let path = path.get_or_insert_default();
    let needs_scheme = matches!(rule, Rule::Iri | Rule::Uri);
    let needs_host = userinfo.is_some() || port.is_some();
    let is_rootless = !path.is_empty() && !path.starts_with('/');
    if needs_scheme && scheme.is_none()
        || needs_host && host.is_none()
        || host.is_some() && is_rootless
    {
        return None;
    }
    let has_colon = path.split('/').next().is_some_and(|first| first.contains(':'));
    if host.is_none() && path.starts_with("//") {
        path.insert_str(0, "/.");
    } else if host.is_none() && scheme.is_none() && has_colon {
        path.insert_str(0, "./");
    }
    Some(components)
}

/// The input of a builder.
#[derive(Clone, Debug)]
struct Asked {
    values: Components,
    /// The values that are given as encoded.
    as_encoded: [bool; 7],
}

impl Asked {
    /// Gives a component to a builder, by its place.
    fn give<'a, K: Kind>(&'a self, at: usize, builder: Builder<'a, K>) -> Builder<'a, K> {
        let value = self.values[at].as_deref();
        let is_encoded = self.as_encoded[at];
        let text = if is_encoded { Value::from(Encoded(value)) } else { Value::from(value) };
        match RULES[at] {
            ComponentRule::Scheme => builder.scheme(value),
            ComponentRule::Iuserinfo => builder.userinfo(text),
            ComponentRule::Ihost => builder.host(text),
            ComponentRule::Port => builder.port(value.and_then(|port| port.parse().ok())),
            ComponentRule::Ipath => builder.path(text),
            ComponentRule::Iquery => builder.query(text),
            _ => builder.fragment(text),
        }
    }

    /// Sets a component, by its place.
    fn set<K: Kind>(&self, at: usize, buf: &mut Buf<K>) -> Result<(), Error> {
        let value = self.values[at].as_deref();
        let is_encoded = self.as_encoded[at];
        let text = if is_encoded { Value::from(Encoded(value)) } else { Value::from(value) };
        match RULES[at] {
            ComponentRule::Scheme => buf.set_scheme(value),
            ComponentRule::Iuserinfo => buf.set_userinfo(text),
            ComponentRule::Ihost => buf.set_host(text),
            ComponentRule::Port => buf.set_port(value.and_then(|port| port.parse().ok())),
            ComponentRule::Ipath => buf.set_path(text),
            ComponentRule::Iquery => buf.set_query(text),
            _ => buf.set_fragment(text),
        }
    }

    /// Returns a reference with a component, by its place.
    fn with<K: Kind>(&self, at: usize, view: View<'_, K>) -> Result<Buf<K>, Error> {
        let value = self.values[at].as_deref();
        let is_encoded = self.as_encoded[at];
        let text = if is_encoded { Value::from(Encoded(value)) } else { Value::from(value) };
        match RULES[at] {
            ComponentRule::Scheme => view.with_scheme(value),
            ComponentRule::Iuserinfo => view.with_userinfo(text),
            ComponentRule::Ihost => view.with_host(text),
            ComponentRule::Port => view.with_port(value.and_then(|port| port.parse().ok())),
            ComponentRule::Ipath => view.with_path(text),
            ComponentRule::Iquery => view.with_query(text),
            _ => view.with_fragment(text),
        }
    }

    /// The expected component of a value: `None` if it is refused.
    fn meant(&self, rule: Rule, at: usize) -> Option<Option<String>> {
        match &self.values[at] {
            Some(text) => value(rule, at, text, self.as_encoded[at]).map(Some),
            None => Some(None),
        }
    }
}

/// Short texts, most of which do not match.
fn values() -> impl Strategy<Value = Option<String>> {
    const PIECES: &[&str] = &[
        "a",
        "B",
        "/",
        "//",
        ":",
        "?",
        "#",
        "@",
        "[",
        "]",
        "[::1]",
        "[v1.a]",
        "%",
        "%41",
        "%c3%a9",
        "é",
        "日",
        "😀",
        "\u{E000}",
        "\u{202E}",
        "\u{FFFE}",
        " ",
        "+",
        "&",
        "=",
        ";",
        ".",
        "..",
        "\\",
        "|",
        "\0",
        "~",
        "127.0.0.1",
    ];
    let text = proptest::collection::vec(proptest::sample::select(PIECES), 0..6);
    proptest::option::weighted(0.7, text.prop_map(|pieces| pieces.concat()))
}

fn asked() -> impl Strategy<Value = Asked> {
    let schemes = [None, Some("a"), Some("http"), Some("A+1"), Some("1a"), Some(""), Some("é")];
    let scheme =
        proptest::sample::select(schemes.to_vec()).prop_map(|name| name.map(str::to_owned));
    let path = (values(), any::<bool>()).prop_map(|(path, rooted)| match path {
        Some(path) if rooted => Some(format!("/{path}")),
        path => path,
    });
    let others = [values(), values(), values(), values()];
    let port = any::<u16>().prop_map(|port| port.to_string());
    let port = proptest::option::weighted(0.3, port);
    let as_encoded = proptest::array::uniform7(prop_oneof![4 => Just(false), 1 => Just(true)]);
    (scheme, others, path, port, as_encoded).prop_map(
        |(scheme, [userinfo, host, query, fragment], path, port, as_encoded)| Asked {
            values: [scheme, userinfo, host, port, path, query, fragment],
            as_encoded,
        },
    )
}

/// Builds a reference and compares. Tells whether it is possible.
fn builds<K: Kind>(asked: &Asked) -> bool {
    let builder = (0..7).fold(Buf::<K>::builder(), |builder, at| asked.give(at, builder));
    let built = builder.build();
    let values: Option<Vec<_>> = (0..7).map(|at| asked.meant(K::RULE, at)).collect();
    let meant = values.and_then(|values| together(K::RULE, values.try_into().unwrap()));
    assert_eq!(
        built.as_ref().ok().map(|buf| components(buf.view())),
        meant,
        "{asked:?}, {built:?}, {}",
        K::RULE
    );
    let Ok(buf) = &built else { return false };
    is_whole(buf);
    assert_eq!(&Builder::from(buf.view()).build().unwrap(), buf);
    true
}

#[test]
fn what_is_built_has_the_components_that_were_meant() {
    let built = std::cell::Cell::new([0_usize; 2]);
    random(40_000, asked(), |asked| {
        for is_built in [
            builds::<kind::Iri>(&asked),
            builds::<kind::IriReference>(&asked),
            builds::<kind::Uri>(&asked),
            builds::<kind::UriReference>(&asked),
        ] {
            let mut counts = built.get();
            counts[usize::from(is_built)] += 1;
            built.set(counts);
        }
        Ok(())
    });
    let [refused, built] = built.get();
    assert!(refused > built / 20 && built > refused / 20, "{built} built, {refused} refused");
    println!("{built} built, {refused} refused");
}

/// One component changes and the others stay; or nothing changes, if the edit is impossible.
fn edits<K: Kind>(view: View<'_, K>, asked: &Asked) {
    let given = components(view);
    for at in 0..7 {
        let mut buf = Buf::from(view);
        let edited = asked.set(at, &mut buf);
        let meant = asked.meant(K::RULE, at).and_then(|value| {
            let mut meant = given.clone();
            meant[at] = value;
            together(K::RULE, meant)
        });
        assert_eq!(edited.is_ok(), meant.is_some(), "{view}, {at}, {asked:?}, {edited:?}");
        assert_eq!(components(buf.view()), meant.unwrap_or_else(|| given.clone()), "{view}, {at}");
        is_whole(&buf);
    }
}

/// A component of another reference is copied as it is written, or refused with a reason. The kinds may differ.
fn copies<K: Kind, J: Kind>(view: View<'_, K>, other: View<'_, J>) {
    let (given, copied) = (components(view), components(other));
    assert_eq!(Some(other.encoded_path()), other.encoded(Component::Path).transpose());
    for at in 0..7 {
        let mut buf = Buf::from(view);
        let set = match at {
            0 => buf.set_scheme(other.encoded(Component::Scheme)),
            1 => buf.set_userinfo(other.encoded(Component::Userinfo)),
            2 => buf.set_host(other.encoded(Component::Host)),
            4 => buf.set_path(other.encoded_path()),
            5 => buf.set_query(other.encoded_query()),
            6 => buf.set_fragment(other.encoded_fragment()),
            // A port is a number.
            _ => continue,
        };
        let is_uri = K::RULE.name().starts_with("URI");
        let fits = !is_uri || copied[at].as_deref().is_none_or(str::is_ascii);
        let mut meant = given.clone();
        meant[at] = copied[at].clone();
        let meant = fits.then_some(meant).and_then(|meant| together(K::RULE, meant));
        assert_eq!(set.is_ok(), meant.is_some(), "{view} {other} {at} {set:?}");
        assert_eq!(components(buf.view()), meant.unwrap_or_else(|| given.clone()));
        assert!(set.err().is_none_or(|error| !error.to_string().is_empty()));
        is_whole(&buf);
    }
}

/// An authority is set as a whole, or not at all.
fn authorities<K: Kind>(view: View<'_, K>, other: &str) {
    assert_eq!(view.with_authority(view.authority()).unwrap(), view);
    assert_eq!(Builder::from(view).authority(view.authority()).build().unwrap(), view);
    let mut set = Buf::from(view);
    let is_uri = K::RULE.name().starts_with("URI");
    let name = if is_uri { "authority" } else { "iauthority" };
    let has_root = matches!(view.path().as_bytes(), [] | [b'/', ..]);
    match set.set_authority(other) {
        Ok(()) => {
            is_whole(&set);
            assert!(ORACLE.matches(name, other) && has_root, "{view} {other}");
            assert_eq!(set.authority(), Some(other), "{view}");
            let [scheme, _, _, _, path, query, fragment] = components(view);
            let [set_scheme, .., set_path, set_query, set_fragment] = components(set.view());
            // Without an authority, a path may have had a dot segment in front.
            assert_eq!((scheme, query, fragment), (set_scheme, set_query, set_fragment));
            assert_eq!(path, set_path, "{view}");
        }
        Err(_) => {
            assert_eq!(set, view);
            assert!(!ORACLE.matches(name, other) || !has_root, "{view} {other}");
        }
    }
}

#[test]
fn segments_are_pushed_at_once_as_one_by_one() {
    let segments = proptest::collection::vec("[a/:.%é ]{0,3}", 0..4);
    random(20_000, (texts(), segments), |(text, segments)| {
        let Ok(given) = IriRefBuf::parse(&text) else { return Ok(()) };
        let (mut at_once, mut one_by_one) = (given.clone(), given);
        at_once.push_segments(&segments).unwrap();
        segments.iter().for_each(|segment| one_by_one.push_segment(segment).unwrap());
        is_whole(&at_once);
        assert_eq!(at_once, one_by_one, "{text} {segments:?}");
        Ok(())
    });
}

/// A pushed segment is present, and a popped segment is not.
fn pushes_and_pops<K: Kind>(view: View<'_, K>, segment: &str) {
    let mut buf = Buf::from(view);
    buf.push_segment(segment).unwrap();
    is_whole(&buf);
    let relative = view.as_iri_ref().scheme().is_none() && view.authority().is_none();
    let is_first = relative && view.path().is_empty();
    let nc = if is_first { ComponentRule::IsegmentNzNc } else { ComponentRule::Isegment };
    let pushed = encoded(K::RULE, nc, segment);
    let mut segments: Vec<String> = view.segments().map(str::to_owned).collect();
    if segments.last().is_some_and(String::is_empty) {
        segments.pop();
    }
    segments.push(pushed);
    let is_nothing = view.path().is_empty() && view.authority().is_none() && segment.is_empty();
    assert!(is_nothing || buf.view().segments().eq(segments), "{view}, {segment:?}, {buf}");

    let mut buf = Buf::from(view);
    let mut left: Vec<&str> = view.segments().collect();
    while buf.pop_segment() {
        is_whole(&buf);
        left.pop();
        let is_root = left.is_empty() && buf.view().path() == "/";
        assert!(is_root || buf.view().segments().eq(left.iter().copied()), "{view}, {buf}");
    }
    assert!(matches!(buf.view().path(), "" | "/"), "{view}, {buf}");
    let (mut given, mut popped) = (components(view), components(buf.view()));
    given[4] = None;
    popped[4] = None;
    assert_eq!(given, popped);
}

#[test]
fn what_is_edited_has_the_others_as_they_were() {
    let total = std::cell::Cell::new(0);
    random(30_000, (texts(), asked(), texts()), |(text, asked, other)| {
        let Ok(view) = IriRef::parse(&text) else { return Ok(()) };
        if let Ok(other) = IriRef::parse(&other) {
            copies(view, other);
            if let Ok(uri) = UriRef::parse(&text) {
                copies(uri, other);
                copies(other, uri);
            }
            if let Ok(iri) = Iri::parse(&text) {
                copies(iri, other);
            }
        }
        total.set(total.get() + 1);
        let segment = asked.values[6].as_deref().unwrap_or_default();
        edits(view, &asked);
        pushes_and_pops(view, segment);
        let others =
            [segment, "", "u:p@[::1]:80", "a:", "@", "%41:1", "[::1]", "é:1", "a/b", "[::1]a"];
        others.iter().for_each(|other| authorities(view, other));
        assert_eq!(Builder::from(view).build().unwrap(), text.as_str());
        if let Ok(view) = UriRef::parse(&text) {
            edits(view, &asked);
            pushes_and_pops(view, segment);
            others.iter().for_each(|other| authorities(view, other));
        }
        if let Ok(view) = Iri::parse(&text) {
            edits(view, &asked);
        }
        Ok(())
    });
    println!("{} references", total.get());
}

/// Each edit of a row of edits of one owner gives what a builder builds of the components, or the error of the builder
/// and no change. It does not matter whether the owner has room.
fn is_built_again<K: Kind>(view: View<'_, K>, asked: &[Asked], places: &[usize]) -> [usize; 2] {
    let mut counts = [0; 2];
    for room in [0, 8, 400] {
        let mut text = String::with_capacity(view.as_str().len() + room);
        text.push_str(view.as_str());
        let mut buf = Buf::<K>::try_from(text).unwrap();
        for (at, asked) in places.iter().zip(asked.iter().cycle()) {
            let before = buf.clone();
            let builder = Builder::from(before.view());
            let [_, authority, .., value] = &asked.values;
            let (edited, built) = match at {
                0..7 => {
                    let built = asked.give(*at, builder).build();
                    assert_eq!(asked.with(*at, before.view()), built, "{before} {at} {asked:?}");
                    (asked.set(*at, &mut buf), built)
                }
                7 => {
                    let authority = authority.as_deref();
                    (buf.set_authority(authority), builder.authority(authority).build())
                }
                _ => {
                    let (name, value) = ("é &", value.as_deref().unwrap_or_default());
                    let one = Buf::<K>::builder().scheme("a").query_pairs([(name, value)]);
                    let one = one.build().unwrap();
                    let given = before.query().filter(|query| !query.is_empty());
                    let all: Vec<_> = given.into_iter().chain(one.query()).collect();
                    let built = builder.query(Encoded(&*all.join("&"))).build();
                    (buf.append_query_pair(name, value), built)
                }
            };
            counts[usize::from(edited.is_ok())] += 1;
            assert_eq!(edited.map(|()| buf.clone()), built, "{before} {at} {asked:?}");
            assert!(built.is_ok() || buf == before, "{before} {at} {asked:?}");
            is_whole(&buf);
        }
    }
    counts
}

#[test]
fn an_edit_gives_what_a_builder_gives() {
    let counts = std::cell::Cell::new([0; 2]);
    let rows = proptest::collection::vec(asked(), 1..4);
    let places = proptest::collection::vec(0..9_usize, 1..8);
    random(20_000, (texts(), rows, places), |(text, asked, places)| {
        let Ok(view) = IriRef::parse(&text) else { return Ok(()) };
        let mut all = vec![is_built_again(view, &asked, &places)];
        all.extend(UriRef::parse(&text).map(|view| is_built_again(view, &asked, &places)));
        all.extend(Iri::parse(&text).map(|view| is_built_again(view, &asked, &places)));
        for [refused, edited] in all {
            let [before, done] = counts.get();
            counts.set([before + refused, done + edited]);
        }
        Ok(())
    });
    let [refused, edited] = counts.get();
    assert!(refused > edited / 50 && edited > refused, "{edited} edits, {refused} refused");
    println!("{edited} edits, {refused} refused");
}

#[test]
fn encoded_text_is_split_between_triplets() {
    const PIECES: &[&str] =
        &["%4a", "%2F", "%C3%A9", "%FF", "a", "4", "F", "/", ":", "=", "é", "?"];
    let pieces = proptest::collection::vec(proptest::sample::select(PIECES), 0..8);
    let delimiters = proptest::sample::select(&['/', ':', '=', 'a', '4', 'é', '%'][..]);
    random(20_000, (pieces, delimiters), |(pieces, delimiter)| {
        let text = format!("x:y{}#{}", pieces.concat(), pieces.concat());
        let view = IriRef::parse(&text).unwrap();
        let parts = Component::ALL.iter().filter_map(|part| view.encoded(*part).transpose());
        for encoded in parts {
            let text = encoded.as_str();
            let pieces: Vec<_> = encoded.split(delimiter).collect();
            let written: Vec<_> = pieces.iter().map(|piece| piece.as_str()).collect();
            assert_eq!(written.join(&delimiter.to_string()), text);
            // A triplet without its characters has no delimiter.
            let mut blank = text.to_owned();
            while let Some(at) = blank.find('%') {
                blank.replace_range(at..at + 3, "\0");
            }
            assert_eq!(pieces.len(), blank.split(delimiter).count(), "{text} {delimiter}");
            let halves = pieces.split_first().filter(|(_, rest)| !rest.is_empty());
            assert_eq!(
                encoded.split_once(delimiter),
                halves.map(|(first, _)| {
                    (*first, Encoded(&text[first.as_str().len() + delimiter.len_utf8()..]))
                })
            );
            // Decoding the pieces is decoding the text.
            let decoded: Vec<Vec<u8>> =
                pieces.iter().map(|piece| piece.decode().bytes().unwrap().into_owned()).collect();
            let decoded = decoded.join(delimiter.to_string().as_bytes());
            assert!(encoded.decodes_to(&decoded), "{text}");
            assert!(!encoded.decodes_to([&decoded[..], b"a"].concat()));
            assert_eq!(encoded.decodes_to(text), !text.contains('%'), "{text}");
        }
        Ok(())
    });
}

#[test]
fn an_authority_alone_has_the_parts_of_the_whole() {
    const SCHEMES: &[&str] = &["http:", "wss:", "other:", ""];
    const AUTHORITIES: &[&str] = &["//", "//u:p@", "", "/"];
    const HOSTS: &[&str] = &["[::1]", "[v1.a]", "1.2.3.4", "a", "é.%41", ""];
    const PORTS: &[&str] = &["", ":", ":81", ":99999"];
    let choices = [SCHEMES, AUTHORITIES, HOSTS, PORTS].map(proptest::sample::select);
    random(20_000, choices, |pieces| {
        let text = pieces.concat();
        let Ok(view) = IriRef::parse(&text) else { return Ok(()) };
        let Some(authority) = view.authority_ref() else {
            assert_eq!((view.authority(), view.host_and_port()), (None, None));
            return Ok(());
        };
        assert_eq!(IriRef::parse(&format!("//{}", view.authority().unwrap())), Ok(authority));
        let [_, userinfo, host, port, ..] = components(view);
        let [none, of_userinfo, of_host, of_port, path, query, fragment] = components(authority);
        assert_eq!((userinfo, host, port), (of_userinfo, of_host, of_port));
        assert_eq!((none, path.as_deref(), query, fragment), (None, Some(""), None, None));
        assert_eq!(view.with_authority(authority.authority()).unwrap(), view);

        // A connection goes to the host of the reference, and to no other.
        let found = view.host_and_port();
        assert_eq!(found.map(|(_, port)| port), view.port_or_default().filter(|_| found.is_some()));
        match (view.host().unwrap(), found) {
            (Host::Ipv4(address), Some((host, _))) => assert_eq!(host.parse(), Ok(address)),
            (Host::Ipv6(address), Some((host, _))) => assert_eq!(host.parse(), Ok(address)),
            (Host::RegName(name), Some((host, _))) => assert!(host == name && !name.is_empty()),
            (Host::IpvFuture(_) | Host::RegName(""), None) => {}
            (_, found) => assert_eq!((found, view.port_or_default()), (None, None), "{view}"),
        }
        Ok(())
    });
}

#[test]
fn an_edit_allocates_once_or_not_at_all() {
    let mut iri = IriBuf::from(iri!("http://a/b?c#d"));
    let few = measure(|| {
        iri.set_scheme("https").unwrap();
        iri.set_query(Encoded("é")).unwrap();
        iri.set_fragment("f").unwrap();
        iri.set_host("other").unwrap();
        iri.push_segment("c").unwrap();
    });
    // A copy has room for a few bytes.
    assert_eq!((few.count_total, iri.as_str()), (0, "https://other/b/c?é#f"));
    let long = "x".repeat(100);
    let grown = measure(|| iri.append_query_pair(&long, &long).unwrap());
    assert_eq!(grown.count_total, 1);
    let with = measure(|| assert!(iri.with_path("/a").unwrap().with_host(None).is_ok()));
    assert_eq!(with.count_total, 2);
    // Room is not given back, and the text grows in steps: a row of edits takes linear time.
    let pairs = measure(|| (0..1000).for_each(|_| iri.append_query_pair("a", "b").unwrap()));
    assert!(pairs.count_total < 10, "{}", pairs.count_total);
}

#[test]
fn every_octet_and_edge_in_every_component() {
    let ascii = (0..=127_u8).map(char::from);
    let edges = [ORACLE.edges("ucschar"), ORACLE.edges("iprivate")].concat();
    let mut total = 0;
    for c in ascii.chain(edges) {
        for as_encoded in [false, true] {
            for at in 1..7 {
                let mut values = [const { None }; 7];
                values[0] = Some("a".to_owned());
                values[2] = Some("h".to_owned());
                values[at] = match RULES[at] {
                    ComponentRule::Port => Some(u32::from(c).to_string()),
                    ComponentRule::Ipath => Some(format!("/{c}")),
                    _ => Some(c.to_string()),
                };
                values[3] = values[3].take().filter(|port| port.parse::<u16>().is_ok());
                let asked = Asked { values, as_encoded: [as_encoded; 7] };
                builds::<kind::Iri>(&asked);
                builds::<kind::Uri>(&asked);
                total += 1;
            }
        }
    }
    println!("{total} characters in components");
}

#[test]
fn pairs_come_back_by_both_conventions() {
    const PIECES: &[&str] = &["a", "%61", "b", "1", "é", "%c3%a9", "%FF", "+", "=", "&", "&", "&"];
    let text = || values().prop_map(Option::unwrap_or_default);
    let pairs = proptest::collection::vec((text(), text()), 0..5);
    let query = proptest::collection::vec(proptest::sample::select(PIECES), 0..16);
    random(10_000, (pairs, query), |(pairs, query)| {
        let read = |pairs: Pairs<'_>| -> Vec<(String, String)> {
            pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
        };
        let read_form = |pairs: FormPairs<'_>| -> Vec<(String, String)> {
            pairs.map(|FormPair(name, value)| (name.into_owned(), value.into_owned())).collect()
        };
        let iri = IriBuf::builder().scheme("a").query_pairs(pairs_of(&pairs)).build().unwrap();
        let uri = UriBuf::builder().scheme("a").query_pairs(pairs_of(&pairs)).build().unwrap();
        is_whole(&iri);
        is_whole(&uri);
        assert_eq!(iri!("a:?before").with_query_pairs(pairs_of(&pairs)).unwrap(), iri);
        for view in [iri.view(), uri.view().into()] {
            assert_eq!(read(view.query_pairs()), pairs, "{view}");
            for (name, _) in pairs.iter().chain([&("absent".to_owned(), String::new())]) {
                let named = pairs.iter().filter(|(of, _)| of == name);
                assert!(
                    view.query_values(name).eq(named.map(|(_, value)| value.as_str())),
                    "{view} {name}"
                );
            }
            assert_eq!(read_form(view.query_form()), pairs, "{view}");
            assert_eq!(view.query().is_none(), pairs.is_empty());
        }
        let mut form = iri.clone();
        form.set_query_form(pairs_of(&pairs)).unwrap();
        is_whole(&form);
        assert_eq!(read_form(form.query_form()), pairs, "{form}");
        assert!(!form.as_str().contains("%20"));

        // Pairs that are read and written by one convention are the same; and so is the text, if that convention wrote it.
        let mut again = iri.clone();
        again.set_query_pairs(iri.query_pairs()).unwrap();
        assert_eq!(again, iri);
        again = form.clone();
        again.set_query_pairs(form.query_form()).unwrap();
        assert_eq!(again, form);
        // The conversion of a pair of a form is spoken.
        again
            .set_query_pairs(form.query_form().map(|FormPair(name, value)| (name, value)))
            .unwrap();
        assert_eq!(again, iri);
        // For every query, the pairs that are written are those that were read.
        let given = IriRefBuf::builder().query(Encoded(&*query.concat())).build().unwrap();
        let mut other = given.clone();
        other.set_query_pairs(given.query_pairs()).unwrap();
        assert_eq!(read(other.query_pairs()), read(given.query_pairs()), "{given} {other}");
        other.set_query_pairs(given.query_form()).unwrap();
        assert_eq!(read_form(other.query_form()), read_form(given.query_form()), "{given} {other}");

        // A pair is appended after the query as it is written.
        let mut appended = iri.clone();
        for (name, value) in &pairs {
            let before = appended.clone();
            appended.append_query_pair(name, value).unwrap();
            is_whole(&appended);
            let start = before.as_str().split('#').next().unwrap().trim_end_matches('?').to_owned();
            assert!(appended.as_str().starts_with(&start), "{before} {appended}");
            let mut expected = read(before.query_pairs());
            // A pair without a name and a value is `=`, which is a pair.
            expected.push((name.clone(), value.clone()));
            assert_eq!(read(appended.query_pairs()), expected, "{before}");
        }
        // Pairs that are appended together are the pairs that are appended one by one.
        let mut together = iri.clone();
        together.append_query_pairs(&pairs).unwrap();
        is_whole(&together);
        assert_eq!(together, appended);

        // For every query, sorting and dropping move whole pairs without a change.
        let mut sorted =
            IriRefBuf::builder().query(Encoded(&*query.concat())).path("/p").build().unwrap();
        let given = sorted.clone();
        let written = |buf: &IriRefBuf| -> Vec<String> {
            let query = buf.view().query().unwrap_or_default().split('&');
            query.filter(|pair| !pair.is_empty()).map(str::to_owned).collect()
        };
        let bytes_of_name = |pair: &String| -> Vec<u8> {
            percent::decode(pair.split('=').next().unwrap()).collect()
        };
        sorted.sort_query_pairs();
        is_whole(&sorted);
        let mut expected = written(&given);
        expected.sort_by_key(bytes_of_name);
        assert_eq!(sorted.view().query(), Some(&*expected.join("&")), "{given}");
        let mut dropped = given.clone();
        dropped.drop_query_pairs(|name| name.contains('a'));
        is_whole(&dropped);
        let without = given.without_query_pairs(|name| name.contains('a'));
        assert_eq!(without, dropped);
        assert_eq!(without.is_borrowed(), given == dropped, "{given}");
        let query = given.view().query();
        let mut kept: Vec<_> = query.iter().flat_map(|query| query.split('&')).collect();
        let all = kept.len();
        kept.retain(|pair| !bytes_of_name(&pair.to_string()).contains(&b'a'));
        let is_empty = kept.len() < all && kept.iter().all(|pair| pair.is_empty());
        let expected = query.filter(|_| !is_empty).map(|_| kept.join("&"));
        assert_eq!(dropped.view().query(), expected.as_deref(), "{given}");
        assert_eq!(dropped.view().path(), "/p");
        // Retaining by name is dropping by the opposite, and retaining all changes no byte.
        let mut retained = given.clone();
        retained.retain_query_pairs(|name, _| !name.contains('a'));
        assert_eq!(retained, dropped);
        retained = given.clone();
        retained.retain_query_pairs(|_, _| true);
        assert_eq!(retained, given);
        retained.retain_query_pairs(|_, value| !value.contains('a'));
        is_whole(&retained);
        let value_has_a = |pair: &str| {
            let (_, value) = pair.split_once('=').unwrap_or_default();
            percent::decode(value).any(|byte| byte == b'a')
        };
        let mut stays: Vec<_> = given.query().iter().flat_map(|query| query.split('&')).collect();
        stays.retain(|pair| !value_has_a(pair));
        let left: Vec<_> = retained.query().iter().flat_map(|query| query.split('&')).collect();
        // If only empty pieces are left, the query is removed with them.
        assert!(
            left == stays || left.is_empty() && stays.iter().all(|pair| pair.is_empty()),
            "{given}"
        );
        // Only the pairs with a name are kept: an empty piece has none.
        let mut named = given.clone();
        named.drop_query_pairs(|name| !name.contains('a'));
        let kept: Vec<_> = query.iter().flat_map(|query| query.split('&')).collect();
        let all = kept.len();
        let kept: Vec<_> = kept
            .into_iter()
            .filter(|pair| bytes_of_name(&pair.to_string()).contains(&b'a'))
            .collect();
        let expected = query.filter(|_| !kept.is_empty() || all == 0).map(|_| kept.join("&"));
        assert_eq!(named.view().query(), expected.as_deref(), "{given}");
        Ok(())
    });
}

/// The pairs in the form that the writers take.
fn pairs_of(pairs: &[(String, String)]) -> Vec<(&str, &str)> {
    pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

#[test]
fn file_names_come_back() {
    let bytes = proptest::collection::vec(any::<u8>(), 0..12);
    random(10_000, (bytes, values()), |(mut bytes, text)| {
        bytes.insert(0, b'/');
        let iri = IriBuf::from_posix_path(&bytes);
        if bytes.contains(&0) {
            assert_eq!(iri, Err(FileNameError::Nul));
        } else {
            let (iri, uri) = (iri.unwrap(), UriBuf::from_posix_path(&bytes).unwrap());
            is_whole(&iri);
            is_whole(&uri);
            assert_eq!(iri.view().to_posix_path().as_ref(), Ok(&bytes), "{iri}");
            assert_eq!(uri.view().to_posix_path().as_ref(), Ok(&bytes), "{uri}");
            #[cfg(unix)]
            {
                use std::os::unix::ffi::OsStrExt;
                let path = std::path::Path::new(std::ffi::OsStr::from_bytes(&bytes));
                assert_eq!(IriBuf::from_file_path(path).unwrap(), iri);
                assert_eq!(iri.to_file_path().unwrap().as_os_str(), path.as_os_str());
            }
        }
        let text = text.unwrap_or_default();
        for name in [format!("C:\\{text}"), format!("\\\\server\\{text}")] {
            match IriBuf::from_windows_path(&name) {
                Ok(iri) => {
                    is_whole(&iri);
                    assert_eq!(iri.view().to_windows_path(), Ok(name.replace('/', "\\")), "{iri}");
                }
                Err(error) => assert!(text.contains('\0') && error == FileNameError::Nul, "{name}"),
            }
        }
        Ok(())
    });
}

#[test]
fn file_names_of_two_systems() {
    use FileNameError::*;
    let posix = |text: &str| IriRef::parse(text).unwrap().to_posix_path();
    for (text, expected) in [
        ("file:///a%20b", Ok("/a b")),
        ("FILE://LOCALHOST/a", Ok("/a")),
        ("file:/a", Ok("/a")),
        ("file:////a", Ok("//a")),
        ("file:///a/../b", Ok("/a/../b")),
        ("file:///a%5Cb", Ok("/a\\b")),
        ("file://u@localhost:80/x", Err(Authority)),
        ("file://@localhost/x", Err(Authority)),
        ("file://localhost:/x", Err(Authority)),
        ("file:a", Err(NotAbsolute)),
        ("file://", Err(NotAbsolute)),
        ("file://server/a", Err(Host)),
        ("file:///a%2fb", Err(Separator)),
        ("file:///a%00", Err(Nul)),
        ("file:///a?", Err(Query)),
        ("file:///a#b", Err(Query)),
        ("http:///a", Err(NotFile)),
        ("/a", Err(NotFile)),
    ] {
        assert_eq!(posix(text), expected.map(|name| name.as_bytes().to_vec()), "{text}");
    }
    let windows = |text: &str| IriRef::parse(text).unwrap().to_windows_path();
    for (text, expected) in [
        ("file:///C:/a%20b", Ok("C:\\a b")),
        ("file:/c%3A/", Ok("c:\\")),
        ("file://localhost/C:/", Ok("C:\\")),
        ("file://server/share/", Ok("\\\\server\\share\\")),
        ("file://localhost/share", Ok("\\\\localhost\\share")),
        ("file:///C:", Err(NotAbsolute)),
        ("file:///a", Err(NotAbsolute)),
        ("file:///C:/a%5Cb", Err(Separator)),
        ("file:///C:/a%2Fb", Err(Separator)),
        ("file:///C:/%FF", Err(NotUtf8)),
        ("file://%FF/a", Err(NotUtf8)),
        ("file://%3F/C:/a", Err(Host)),
        ("file://./pipe/a", Err(Host)),
        ("file://a%5Cb/c", Err(Host)),
        ("file://[::1]/c", Err(Host)),
    ] {
        assert_eq!(windows(text), expected.map(str::to_owned), "{text}");
    }
    for (name, expected) in [
        ("C:/a\\b", Ok("file:///C:/a/b")),
        ("\\\\s r\\x", Ok("file://s%20r/x")),
        ("//s/x", Ok("file://s/x")),
        ("C:", Err(NotAbsolute)),
        ("C:a", Err(NotAbsolute)),
        ("\\a", Err(NotAbsolute)),
        ("a", Err(NotAbsolute)),
        ("", Err(NotAbsolute)),
        ("é:\\", Err(NotAbsolute)),
        ("\\\\server", Err(NotAbsolute)),
        ("\\\\?\\C:\\a", Err(Host)),
        ("\\\\.\\pipe", Err(Host)),
        ("\\\\\\a", Err(Host)),
        ("\\\\[::1]\\a", Err(Host)),
        ("C:\\\0", Err(Nul)),
    ] {
        let iri = IriBuf::from_windows_path(name).map(String::from);
        assert_eq!(iri, expected.map(str::to_owned), "{name}");
    }
}

#[test]
fn origins_are_those_of_the_web() {
    let idna = true;
    for (text, expected) in [
        ("http://a", Some("http://a")),
        ("HTTP://u:p@A:0080/b?c#d", Some("http://a")),
        ("https://a:", Some("https://a")),
        ("https://a:80", Some("https://a:80")),
        ("ws://[2001:DB8:0:0::1]:81", Some("ws://[2001:db8::1]:81")),
        ("ws://[V1.A]", Some("ws://[v1.a]")),
        ("wss://127.0.0.1", Some("wss://127.0.0.1")),
        ("ftp://B%c3%bcCHER%2Eexample", idna.then_some("ftp://xn--bcher-kva.example")),
        ("https://例え.jp:443/", idna.then_some("https://xn--r8jz45g.jp")),
        ("https://xn--R8JZ45G.jp/", Some("https://xn--r8jz45g.jp")),
        ("http://１２７.0.0.1:81/", idna.then_some("http://127.0.0.1:81")),
        ("http://%41_b.example", Some("http://a_b.example")),
        ("http://é_/", None),
        ("http://a%20b/", None),
        ("http://%FF/", None),
        ("http://a:65536", None),
        ("http:///a", None),
        ("http:a", None),
        ("file://a/", None),
        ("urn:a", None),
        ("//a", None),
    ] {
        let origin = IriRef::parse(text).unwrap().origin();
        assert_eq!(origin.map(|origin| origin.to_string()).as_deref(), expected, "{text}");
    }
}

#[test]
fn a_port_is_written_or_implied() {
    random(20_000, texts(), |text| {
        let Ok(view) = IriRef::parse(&text) else { return Ok(()) };
        let written = view.port().filter(|port| !port.is_empty());
        let found = view.port_or_default();
        match (written, found) {
            (Some(written), found) => assert_eq!(found, written.parse().ok(), "{view}"),
            // Scheme-based normalization removes the implied port, and no other.
            (None, Some(implied)) => {
                let with = view.with_port(implied).unwrap();
                let normal = with.normalize(simd_iri::Normalize::none().port(true)).unwrap();
                assert_eq!(normal.view().port(), None, "{view}");
            }
            (None, None) => {}
        }
        if let Some(origin) = view.origin() {
            assert_eq!(found, Some(origin.port()), "{view}");
        }
        Ok(())
    });
}

#[test]
fn passwords_are_masked_and_nothing_else() {
    random(20_000, texts(), |text| {
        let Ok(view) = IriRef::parse(&text) else { return Ok(()) };
        let masked = view.masked().to_string();
        let mut expected = components(view);
        if let Some((user, password)) = view.userinfo().and_then(|info| info.split_once(':')) {
            let mask = if password.is_empty() { "" } else { "***" };
            expected[1] = Some(format!("{user}:{mask}"));
        }
        assert_eq!(components(IriRef::parse(&masked).unwrap()), expected);
        Ok(())
    });
    let mut line = String::with_capacity(64);
    let shown = measure(|| write!(line, "{}", iri!("a://b:c@d").masked()).unwrap());
    assert_eq!(shown.count_total, 0, "allocations");
    assert_eq!(iri!("a://b:c:d@e:1/").masked().to_string(), "a://b:***@e:1/");
    assert_eq!(format!("{:?}", iri!("a://b:c@d").masked()), "Masked(a://b:***@d)");
}

#[test]
fn registrable_domains_are_those_of_the_list() {
    for (host, expected) in [
        ("example.com", Some("example.com")),
        ("a.b.EXAMPLE.com", Some("example.com")),
        ("a.b.EXAMPLE.com.", Some("example.com")),
        ("BÜCHER.de", Some("bücher.de")),
        ("b.example.co.uk", Some("example.co.uk")),
        ("example.com.", Some("example.com")),
        ("a.食狮.公司.cn", Some("食狮.公司.cn")),
        ("a.xn--85x722f.xn--55qx5d.cn", Some("xn--85x722f.xn--55qx5d.cn")),
        ("a.b.not-on-the-list", Some("b.not-on-the-list")),
        ("www.ck", Some("www.ck")),
        ("a.b.ck", Some("a.b.ck")),
        ("com", None),
        ("co.uk", None),
        ("公司.cn", None),
        ("xn--55qx5d.cn", None),
        (".com", None),
        ("a..com", None),
        (".", None),
        ("", None),
        ("a.b%2Ecom", None),
        ("192.0.2.1", None),
        ("127.0.0.1.", None),
        ("1.2.3", None),
        ("0x7f.1", None),
        ("a.0X", None),
        ("a.09", None),
        ("a.1a", Some("a.1a")),
        ("[::1]", None),
    ] {
        let text = format!("http://{host}/");
        assert_eq!(
            IriRef::parse(&text).unwrap().registrable_domain().as_deref(),
            expected,
            "{host}"
        );
    }
    assert_eq!(iri!("urn:a").registrable_domain(), None);
}

/// The host of a reference is the host of each reference that is built with it; an address has one form.
#[test]
fn a_host_as_a_value_is_that_host() {
    let hosts = [
        "",
        "a",
        "%41%2f",
        "é",
        "127.0.0.1",
        "[::1]",
        "[1:2::]",
        "[v1.x:y]",
        "a.b-c",
        "256.0.0.1",
        "()",
    ];
    let mut addresses = 0;
    for host in hosts {
        let text = format!("http://u@{host}:1/p");
        let given = Iri::parse(&text).unwrap();
        let built = IriBuf::builder().scheme("a").host(given.host().unwrap()).build().unwrap();
        assert_eq!(built.host_str(), Some(host));
        let again = given.with_host(given.host().unwrap()).unwrap();
        assert_eq!(again, text.as_str());
        let address: IpAddr = match given.host() {
            Some(Host::Ipv4(address)) => address.into(),
            Some(Host::Ipv6(address)) => address.into(),
            _ => continue,
        };
        addresses += 1;
        // An address, and its text with and without brackets.
        let mut set = given.to_buf();
        set.set_host(address).unwrap();
        assert_eq!(set, text.as_str());
        assert_eq!(given.with_host(address.to_string()).unwrap(), text.as_str());
        assert_eq!(IriBuf::builder().scheme("a").address(address).build().unwrap(), built);
    }
    assert_eq!(addresses, 3);
}

/// Each component that is set by its name is what the method with this name sets.
#[test]
fn a_component_by_its_name_is_what_its_method_sets() {
    let given = iri!("http://u@h:1/p?q#f");
    let by_name = |component, text: Option<&'static str>| {
        Builder::from(given).component(component, text).build()
    };
    for text in [Some("a"), Some("80"), Some("%41"), Some("é/?#@:[ "), Some(""), None] {
        let builder = || Builder::from(given);
        for (component, built) in [
            (Component::Scheme, builder().scheme(text).build()),
            (Component::Authority, builder().authority(text).build()),
            (Component::Userinfo, builder().userinfo(text).build()),
            (Component::Host, builder().host(text).build()),
            (Component::Path, builder().path(text).build()),
            (Component::Query, builder().query(text).build()),
            (Component::Fragment, builder().fragment(text).build()),
            (Component::Reference, builder().build()),
        ] {
            assert_eq!(by_name(component, text), built, "{component} {text:?}");
        }
    }
    assert_eq!(by_name(Component::Port, Some("080")).unwrap(), "http://u@h:080/p?q#f");
    assert_eq!(by_name(Component::Port, Some("")).unwrap(), "http://u@h:/p?q#f");
    assert_eq!(by_name(Component::Port, None).unwrap(), "http://u@h/p?q#f");
    assert_eq!(by_name(Component::Port, Some("8O")).unwrap_err().span(), 1..2);
}

/// A name has the value that was set, once, in the place of its first pair; the other pairs stay, byte for byte.
#[test]
fn a_pair_that_is_set_is_the_only_pair_with_its_name() {
    const PIECES: &[&str] = &["a", "=", "&", "%61", "b", "%", "é", "+", "%3D", "25", "&&"];
    let pieces = proptest::collection::vec(proptest::sample::select(PIECES), 0..9);
    let names = proptest::sample::select(&["a", "b", "", "é", "=", "a&b"][..]);
    random(20_000, (pieces, names, "[a-c=&%+é ]{0,4}"), |(pieces, name, value)| {
        let Ok(given) = IriRefBuf::parse(format!("/p?{}#f", pieces.concat())) else {
            return Ok(());
        };
        let mut set = given.clone();
        set.set_query_pair(name, &value).unwrap();
        is_whole(&set);
        prop_assert_eq!((set.path(), set.fragment()), ("/p", Some("f")));
        let found = set.query_value(name);
        prop_assert_eq!(found.as_deref(), Some(value.as_str()), "{} {}", given, set);
        prop_assert_eq!(set.query_pairs().filter(|(of, _)| of == name).count(), 1);
        let place = |iri: &IriRefBuf| iri.query_pairs().position(|(of, _)| of == name);
        let last = given.query_pairs().count();
        prop_assert_eq!(place(&set), Some(place(&given).unwrap_or(last)), "{} {}", given, set);
        // The others, as they are written.
        let others = |iri: &IriRefBuf| -> Vec<String> {
            let pieces = iri.query().unwrap_or_default().split('&').map(str::to_owned);
            let is_other = |piece: &String| {
                let of = piece.split('=').next().unwrap_or_default();
                piece.is_empty() || percent::decode(of).lossy() != name
            };
            pieces.filter(is_other).collect()
        };
        if !given.query().unwrap_or_default().is_empty() {
            prop_assert_eq!(others(&set), others(&given), "{} {} {}", given, name, set);
        }
        Ok(())
    });
}

/// A password is not in the masked text, whatever makes the text not a reference.
#[test]
fn a_password_is_masked_in_a_text_that_is_refused() {
    const SECRET: &str = "s3cret";
    const PIECES: &[&str] = &["|", " ", "/", "?", "#", "%", "@", ":", "[", "é", "a", "\u{202E}"];
    let pieces = || proptest::collection::vec(proptest::sample::select(PIECES), 0..4);
    let starts = proptest::sample::select(&["http://", "FTP://", "x+y://", " http://"][..]);
    random(20_000, (starts, pieces(), pieces(), pieces()), |(start, before, after, end)| {
        let [before, after, end] = [before, after, end].map(|pieces| pieces.concat());
        let text = format!("{start}me:{before}{SECRET}{after}@h{end}");
        if IriRef::parse(&text).is_err() {
            let masked = simd_iri::masked(&text).to_string();
            prop_assert!(!masked.contains(SECRET), "{} {}", text, masked);
            prop_assert!(masked.contains("***"), "{} {}", text, masked);
        }
        Ok(())
    });
}
