//! Any bytes, as each of the eight start rules: the library gives the answer of the grammar, through each of its
//! entry points.
//!
//! The witness is the automaton of the whole rule, which codegen makes of the ABNF and which is not part of the
//! library (RFC 3987, section 2.2; RFC 3986, appendix A). Not here: other libraries (`vs_peers`).
#![no_main]

use std::{ops::Range, sync::LazyLock};

use libfuzzer_sys::fuzz_target;
use simd_iri::{
    Error, Host, IriRef, Parts, Rule, View,
    component::{ComponentRule, PathForm},
    kind,
    parser::{CpuLevel, Terminators},
    thin::Checked,
};
use simd_iri_codegen::{Automaton, automaton};

/// In the order of [`Rule::ALL`]: `IRI-reference` is the second.
static RULES: LazyLock<Vec<(Rule, Automaton)>> = LazyLock::new(|| {
    Rule::ALL.iter().map(|&rule| (rule, automaton(rule.name()).unwrap())).collect()
});

/// The rule for a component, its automaton, and that of its twin in RFC 3986.
static COMPONENTS: LazyLock<Vec<(ComponentRule, Automaton, Automaton)>> = LazyLock::new(|| {
    let of = |rule: ComponentRule| {
        (rule, automaton(rule.name()).unwrap(), automaton(rule.uri_name()).unwrap())
    };
    ComponentRule::ALL.iter().copied().map(of).collect()
});

static LEVELS: LazyLock<Vec<CpuLevel>> = LazyLock::new(|| CpuLevel::available().collect());

fuzz_target!(
    init: {
        assert_eq!(RULES[1].0, Rule::IriReference);
        let names: Vec<_> = LEVELS.iter().map(|level| level.name()).collect();
        eprintln!("levels: {}; automata: {}", names.join(", "), RULES.len() + COMPONENTS.len());
    },
    |bytes: &[u8]| {
        let reference = at_every_level(&RULES[1], bytes);
        if let Ok(parts) = reference {
            components(parts, std::str::from_utf8(bytes).unwrap());
        }
        for with_automaton in &*RULES {
            let rule = with_automaton.0;
            let answer = at_every_level(with_automaton, bytes);
            match answer {
                // Every text that matches a rule is an `IRI-reference`.
                Ok(_) => assert_eq!(answer, reference, "{rule}"),
                Err(error) => is_sound(error, bytes),
            }
            violations(rule, answer.err(), bytes);
            if let Ok(text) = std::str::from_utf8(bytes) {
                assert_eq!(rule.parse(text), answer, "{rule}");
                assert_eq!(rule.is_valid(text), answer.is_ok(), "{rule}");
            }
        }
        every_component(bytes);
        if let Ok(text) = std::str::from_utf8(bytes) {
            // With a scheme and without, within ASCII and beyond it.
            every_way_in::<kind::Iri>(text);
            every_way_in::<kind::UriReference>(text);
            as_a_literal::<kind::Iri>(text);
            as_a_literal::<kind::IriReference>(text);
            as_a_literal::<kind::Uri>(text);
            as_a_literal::<kind::UriReference>(text);
            until_a_terminator(text);
        }
        // The same with an offset, so that every byte lies across the border of a block at some time.
        let before = vec![b'x'; 17 * bytes.len() % 131];
        let _ = at_every_level(&RULES[1], &[before.as_slice(), bytes].concat());
    }
);

/// All levels give the answer of the automaton, with the same offsets or the same error.
fn at_every_level((rule, automaton): &(Rule, Automaton), bytes: &[u8]) -> Result<Parts, Error> {
    let answer = rule.parse_bytes(bytes);
    assert_eq!(answer.is_ok(), automaton.accepts(bytes), "{rule}");
    for &level in &*LEVELS {
        assert_eq!(level.parse_bytes(*rule, bytes), answer, "{rule}, {}", level.name());
        let valid = level.is_valid_bytes(*rule, bytes);
        assert_eq!(valid, answer.is_ok(), "{rule}, {}", level.name());
    }
    answer
}

/// All violations: none of a valid text; otherwise that of the parse first. They are in order and do not overlap,
/// inside the text and on character boundaries.
fn violations(rule: Rule, first: Option<Error>, bytes: &[u8]) {
    let all: Vec<Error> = rule.violations_bytes(bytes).collect();
    assert_eq!(all.first().copied(), first, "{rule}");
    for pair in all.windows(2) {
        assert!(pair[0].span().end <= pair[1].span().start, "{rule}: {pair:?}");
    }
    for error in &all {
        lies_inside(*error, bytes);
    }
}

fn lies_inside(error: Error, bytes: &[u8]) {
    let span = error.span();
    assert!(bytes.get(span.clone()).is_some(), "{error:?}");
    if let Ok(text) = std::str::from_utf8(bytes) {
        assert!(text.get(span).is_some(), "{error:?}");
    }
}

/// An error lies inside the input, and its message can be printed on a terminal for every input.
fn is_sound(error: Error, bytes: &[u8]) {
    lies_inside(error, bytes);
    let message = error.to_string();
    let bidi = ['\u{61C}', '\u{200E}', '\u{200F}'];
    let hidden = |c: char| {
        c.is_control()
            || bidi.contains(&c)
            || matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!message.is_empty() && !message.contains(hidden), "{message:?}");
}

/// The offsets are in order and on character boundaries. They cut the text into components that match their own rules
/// and join to the text again.
fn components(parts: Parts, text: &str) {
    assert!(parts.check(text), "{parts:?}");
    let slice = |range: Range<usize>| text.get(range).unwrap();
    let [scheme, authority, userinfo, host, port, query, fragment] = [
        parts.scheme(),
        parts.authority(),
        parts.userinfo(),
        parts.host(),
        parts.port(),
        parts.query(),
        parts.fragment(),
    ]
    .map(|range| range.map(slice));
    let path = slice(parts.path());

    let mut rejoined = String::new();
    let mut add = |before: &str, part: Option<&str>, after: &str| {
        if let Some(part) = part {
            rejoined.extend([before, part, after]);
        }
    };
    add("", scheme, ":");
    add("", authority.map(|_| ""), "//");
    add("", userinfo, "@");
    add("", host, "");
    add(":", port, "");
    add("", Some(path), "");
    add("?", query, "");
    add("#", fragment, "");
    assert_eq!(rejoined, text);

    for (rule, part) in [
        (ComponentRule::Scheme, scheme),
        (ComponentRule::Iauthority, authority),
        (ComponentRule::Iuserinfo, userinfo),
        (ComponentRule::Ihost, host),
        (ComponentRule::Port, port),
        (ComponentRule::Ipath, Some(path)),
        (ComponentRule::Iquery, query),
        (ComponentRule::Ifragment, fragment),
    ] {
        assert_eq!(part.map_or(Ok(()), |part| rule.validate(part)), Ok(()), "{rule:?}");
    }
}

/// Every way to make a typed reference of a text gives the same reference, or the same error.
fn every_way_in<K: kind::Kind>(text: &str) {
    let parsed = View::<K>::parse(text);
    assert_eq!(parsed.map(View::parts), K::RULE.parse(text));
    assert_eq!(View::<K>::parse_bytes(text.as_bytes()), parsed);
    for &level in &*LEVELS {
        let parts = parsed.map(View::parts);
        assert_eq!(level.parse(K::RULE, text), parts, "{}", level.name());
    }
    let checked = Checked::<&str, K>::parse(text);
    assert_eq!(checked.map(|thin| thin.view().parts()), parsed.map(View::parts), "Checked");

    match parsed {
        Ok(view) => accessors(view.as_iri_ref()),
        Err(error) => {
            let refused = Checked::<Box<str>, K>::try_from(text.to_owned()).unwrap_err();
            assert_eq!((refused.error(), refused.into_text().as_str()), (error, text));
        }
    }
}

fn as_a_literal<K: kind::Kind>(text: &str) {
    let view = View::<K>::parse_const(text);
    assert_eq!(view.map(View::parts), K::RULE.parse(text).ok(), "{}", K::RULE);
}

fn until_a_terminator(text: &str) {
    // The terminators of RDF, a delimiter of the grammar, and the last character of the text.
    let tail = text.as_bytes().get(text.len().saturating_sub(2)..).unwrap_or_default();
    for stops in [&b"> \"\t\r\n"[..], &b"/"[..], tail] {
        let Some(stop) = Terminators::new(stops) else {
            assert!(!stops.is_ascii());
            continue;
        };
        let end = text.bytes().position(|byte| stops.contains(&byte)).unwrap_or(text.len());
        let (reference, rest) = text.split_at(end);
        let expected =
            IriRef::parse(reference).map(|view| (view, rest)).map_err(|error| (error, end));
        let found = IriRef::parse_until(text, stop).map_err(|error| (error.error(), error.end()));
        assert_eq!(found, expected, "{stops:?}");
    }
}

/// Compares the values of the components with their text.
fn accessors(view: IriRef<'_>) {
    match view.host() {
        None => assert_eq!(view.authority(), None),
        Some(host) => {
            let text = view.host_str().unwrap();
            match host {
                Host::RegName(name) => assert_eq!(name, text),
                Host::Ipv4(address) => assert_eq!(address.to_string(), text),
                Host::IpvFuture(literal) => assert_eq!(format!("[{literal}]"), text),
                Host::Ipv6(address) => {
                    let literal = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
                    assert_eq!(literal.unwrap().parse(), Ok(address));
                }
            }
            let rule = match host {
                Host::RegName(_) => ComponentRule::IregName,
                Host::Ipv4(_) => ComponentRule::Ipv4Address,
                Host::Ipv6(_) | Host::IpvFuture(_) => ComponentRule::IpLiteral,
            };
            assert_eq!(rule.validate(text), Ok(()));
        }
    }
    let joined = [view.user(), view.password()].into_iter().flatten().collect::<Vec<_>>().join(":");
    assert_eq!(joined, view.userinfo().unwrap_or_default());
    let digits = view.port().map(|port| port.trim_start_matches('0'));
    if let Some(number) = view.port_u16().filter(|number| *number > 0) {
        assert_eq!(Some(number.to_string().as_str()), digits);
    }

    let form = match view.path_form() {
        PathForm::Abempty => ComponentRule::IpathAbempty,
        PathForm::Absolute => ComponentRule::IpathAbsolute,
        PathForm::Noscheme => ComponentRule::IpathNoscheme,
        PathForm::Rootless => ComponentRule::IpathRootless,
        PathForm::Empty => ComponentRule::IpathEmpty,
    };
    assert_eq!(form.validate(view.path()), Ok(()), "{form:?}");
    let segments: Vec<&str> = view.segments().collect();
    let slash = if view.path().starts_with('/') { "/" } else { "" };
    assert_eq!(format!("{slash}{}", segments.join("/")), view.path());
    assert!(view.segments().rev().eq(segments.into_iter().rev()));

    assert_eq!(view.is_absolute(), view.scheme().is_some() && view.fragment().is_none());
}

fn every_component(bytes: &[u8]) {
    for (rule, automaton, twin) in &*COMPONENTS {
        let answer = rule.validate_bytes(bytes);
        assert_eq!(answer.is_ok(), automaton.accepts(bytes), "{rule:?}");
        for &level in &*LEVELS {
            assert_eq!(level.validate_bytes(*rule, bytes), answer, "{rule:?}, {}", level.name());
        }
        let of_twin = rule.validate_uri_bytes(bytes);
        assert_eq!(of_twin.is_ok(), twin.accepts(bytes), "{}", rule.uri_name());
        for error in [answer, of_twin].into_iter().filter_map(Result::err) {
            is_sound(error, bytes);
        }
    }
}
