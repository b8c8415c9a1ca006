//! Compares each rule of a component by itself with the automaton and the oracle of the rule of that name, and
//! likewise its ASCII twin of RFC 3986.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use proptest::prelude::*;
use simd_iri::{Error, component::ComponentRule};
use simd_iri_codegen::{Automaton, automaton};

use crate::cases;
use crate::support::*;

/// A component's rule, and the automata of its two names.
struct Component {
    rule: ComponentRule,
    iri: Automaton,
    uri: Automaton,
}

static COMPONENTS: LazyLock<Vec<Component>> = LazyLock::new(|| {
    let of = |name| automaton(name).unwrap();
    let rules = ComponentRule::ALL.iter().copied();
    rules.map(|rule| Component { rule, iri: of(rule.name()), uri: of(rule.uri_name()) }).collect()
});

impl Component {
    /// Asserts that the validators give the answers of the automata: as IRI and as URI.
    fn agree(&self, bytes: &[u8]) -> [bool; 2] {
        let rule = self.rule;
        let valid = [self.iri.accepts(bytes), self.uri.accepts(bytes)];
        let is = |result: Result<(), Error>| match result {
            Ok(()) => true,
            Err(error) => {
                let span = error.span();
                assert!(span.start <= span.end && span.end <= bytes.len(), "{error:?}");
                false
            }
        };
        for &level in LEVELS.iter() {
            let found = is(level.validate_bytes(rule, bytes));
            assert_eq!(found, valid[0], "{}, {}: {}", rule.name(), level.name(), show(bytes));
        }
        assert_eq!(is(rule.validate_bytes(bytes)), valid[0], "{}: {}", rule.name(), show(bytes));
        assert_eq!(
            is(rule.validate_uri_bytes(bytes)),
            valid[1],
            "{}: {}",
            rule.uri_name(),
            show(bytes)
        );
        if let Ok(text) = std::str::from_utf8(bytes) {
            let texts = [is(rule.validate(text)), is(rule.validate_uri(text))];
            assert_eq!(texts, valid, "{}: {}", rule.name(), show(bytes));
            assert_eq!(rule.parse(text), rule.validate(text).map(|()| text));
            assert_eq!(rule.is_valid(text), valid[0]);
            assert!(rule.violations(text).eq(rule.violations_bytes(bytes)));
        }
        // The violations are none exactly if the bytes match, the error of the validator first, and in order.
        assert_eq!(rule.is_valid_bytes(bytes), valid[0], "{}: {}", rule.name(), show(bytes));
        assert_eq!(
            rule.parse_bytes(bytes).map(str::as_bytes),
            rule.validate_bytes(bytes).map(|()| bytes)
        );
        let violations: Vec<Error> = rule.violations_bytes(bytes).collect();
        let first = rule.validate_bytes(bytes).err();
        assert_eq!(violations.first().copied(), first, "{}: {}", rule.name(), show(bytes));
        let mut end = 0;
        for error in violations {
            let span = error.span();
            assert!(
                end <= span.start && span.start <= span.end,
                "{rule}, {error:?}: {}",
                show(bytes)
            );
            assert!(span.end <= bytes.len(), "{rule}, {error:?}: {}", show(bytes));
            // A path is one component: no violation is in another component.
            let is_path = rule.name().contains("path") || rule.name().contains("segment");
            assert!(
                !is_path || error.component() == simd_iri::Component::Path,
                "{rule}: {}",
                show(bytes)
            );
            end = span.end;
            if let Ok(text) = std::str::from_utf8(bytes) {
                crate::violations::helps(error, text, |text| rule.violations(text).next());
            }
        }
        valid
    }

    /// The same as [`agree`](Self::agree), with the oracle too.
    fn agree_with_oracle(&self, text: &str) {
        let mut reading = ORACLE.reading(text);
        let is = [reading.is(self.rule.name()), reading.is(self.rule.uri_name())];
        assert_eq!(self.agree(text.as_bytes()), is, "{}: {text:?}", self.rule.name());
    }
}

#[test]
fn names_are_rules_of_the_two_rfcs() {
    for &rule in ComponentRule::ALL {
        let (name, twin) = (rule.name(), rule.uri_name());
        assert!(name == twin || name.strip_prefix('i') == Some(twin), "{name}, {twin}");
    }
    let names: BTreeSet<_> = ComponentRule::ALL.iter().copied().map(ComponentRule::name).collect();
    assert_eq!(names.len(), ComponentRule::ALL.len());
}

#[test]
fn every_string_of_up_to_2_over_the_classes() {
    let bytes = representatives();
    let mut texts: Vec<Vec<u8>> = vec![Vec::new()];
    texts.extend(bytes.iter().map(|&byte| vec![byte]));
    for first in 0..bytes.len() {
        strings::<2>(&bytes, first, |text| texts.push(text.to_vec()));
    }
    for component in COMPONENTS.iter() {
        for bytes in &texts {
            match std::str::from_utf8(bytes) {
                Ok(text) => component.agree_with_oracle(text),
                Err(_) => assert_eq!(component.agree(bytes), [false; 2]),
            }
        }
    }
    println!("{} strings for each of {} rules", texts.len(), COMPONENTS.len());
}

#[test]
fn every_character() {
    // The first four hold every set of characters of the grammar; the oracle is asked about these only.
    let rules = [
        ComponentRule::IregName,
        ComponentRule::IsegmentNzNc,
        ComponentRule::Iquery,
        ComponentRule::Ifragment,
        ComponentRule::Scheme,
        ComponentRule::Iauthority,
        ComponentRule::Port,
        ComponentRule::Ipath,
    ];
    let components = rules.map(component);
    let total = count_all(0x110, |chunk| {
        let from = (chunk * 0x1000) as u32;
        let characters = (from..from + 0x1000).filter_map(char::from_u32);
        characters
            .map(|character| {
                let text = character.to_string();
                let mut reading = ORACLE.reading(&text);
                for (number, component) in components.iter().enumerate() {
                    let [valid, _] = component.agree(text.as_bytes());
                    if number < 4 {
                        assert_eq!(valid, reading.is(component.rule.name()), "{character:?}");
                    }
                }
                components.len()
            })
            .sum()
    });
    println!("{total} pairs of a character and a rule");
}

#[test]
fn every_byte_at_every_offset() {
    let long =
        ["a", "%41", "é", "中/", "a:", "1", "😀"].map(|piece| piece.repeat(200 / piece.len()));
    let texts = COMPONENTS.len() * long.len();
    let total = count_all(texts * 200, |job| {
        let (text, offset) = (&long[job % long.len()], job / texts);
        let component = &COMPONENTS[job % texts / long.len()];
        let mut bytes = text.clone().into_bytes();
        if offset >= bytes.len() {
            return 0;
        }
        for byte in 0..=u8::MAX {
            bytes[offset] = byte;
            component.agree(&bytes);
        }
        256
    });
    println!("{total} inputs with a byte at an offset");
}

#[test]
fn components_of_valid_references_are_valid() {
    let mut total = 0;
    for case in cases::all().into_iter().flat_map(|file| file.cases) {
        let Some(parts) = case.components else { continue };
        let path = Some(parts.path);
        for (rules, text) in [
            (&[ComponentRule::Scheme][..], &parts.scheme),
            (&[ComponentRule::Iauthority], &parts.authority),
            (&[ComponentRule::Iuserinfo], &parts.userinfo),
            (&[ComponentRule::Ihost], &parts.host),
            (&[ComponentRule::Port], &parts.port),
            (&[ComponentRule::Ipath], &path),
            (&[ComponentRule::Iquery], &parts.query),
            (&[ComponentRule::Ifragment], &parts.fragment),
        ] {
            let Some(text) = text else { continue };
            for component in COMPONENTS.iter() {
                let [valid, _] = component.agree(text.as_bytes());
                assert!(valid || !rules.contains(&component.rule), "{}: {text:?}", case.id);
                total += 1;
            }
        }
    }
    println!("{total} components of cases");
}

#[test]
fn addresses_made_of_every_sequence_of_pieces() {
    const PIECES: [&str; 4] = ["1", ":", "::", "1.2.3.4"];
    let total = count(10, |length| {
        let numbers = PIECES.len().pow(length as u32);
        let sample = sample(numbers);
        for number in (0..numbers).step_by(sample) {
            let digits = (0..length as u32).map(|i| number / PIECES.len().pow(i) % PIECES.len());
            let text: String = digits.map(|digit| PIECES[digit]).collect();
            component(ComponentRule::Ipv6Address).agree_with_oracle(&text);
        }
        numbers.div_ceil(sample)
    });
    println!("{total} sequences of pieces of an address");
}

#[test]
fn addresses_with_one_byte_changed() {
    let hosts = cases::own().into_iter().flat_map(|file| file.cases);
    let hosts = hosts.filter_map(|case| case.components.and_then(|parts| parts.host));
    let hosts: BTreeSet<String> = hosts.filter(|host| host.is_ascii() && host.len() < 50).collect();
    let rules =
        [ComponentRule::Ihost, ComponentRule::IpLiteral, ComponentRule::Ipv4Address].map(component);
    let mut total = 0;
    for host in hosts.iter().step_by(sample(hosts.len())) {
        for at in 0..host.len() {
            let (before, after) = (&host[..at], &host[at + 1..]);
            for piece in ["", ":", "::", ".", "0", "9", "f", "g", "v", "[", "]", "%", "@"] {
                let text = format!("{before}{piece}{after}");
                rules.iter().for_each(|component| component.agree_with_oracle(&text));
                total += rules.len();
            }
        }
    }
    println!("{total} changes of {} hosts", hosts.len());
}

fn component(rule: ComponentRule) -> &'static Component {
    COMPONENTS.iter().find(|component| component.rule == rule).unwrap()
}

#[test]
fn random_inputs() {
    random(10_000, texts(), |text| {
        COMPONENTS.iter().for_each(|component| component.agree_with_oracle(&text));
        Ok(())
    });
    random(10_000, byte_strings(), |bytes| {
        for component in COMPONENTS.iter() {
            let [iri, uri] = component.agree(&bytes);
            prop_assert!(iri || !uri, "{} is narrower than its twin", component.rule.name());
        }
        Ok(())
    });
}
