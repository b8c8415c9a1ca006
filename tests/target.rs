//! Targets of requests: a target means what it means behind an authority, whatever its form.
//!
//! The witness is the parser of references: an authority is put before a target in origin-form, and the reference is
//! parsed and normalized.

use std::cell::Cell;

use proptest::prelude::*;
use simd_iri::{
    Component, ErrorKind, Iri, IriRef, Normalize, Rule, ToUri,
    http_message::{Target, TargetForm},
};

use crate::support::*;

/// What a target is made of.
const PIECES: &[&str] = &[
    "/", "/", "//", "/.", "/..", "/./", "/%2e", "/%2E%2E/", "a", "b", ":", "@", "[", "]", "?", "?",
    "%7E", "%2f", "%", "é", "%C3%A9", "\u{202E}", "\u{E000}", "|", "\\", " ", "\t", "*", "80",
    "::1", ";=", "#",
];

/// The authority behind which the witness reads a target.
const BEFORE: &str = "http://h";

fn targets() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..8).prop_map(|pieces| pieces.concat())
}

#[test]
fn a_target_in_origin_form_is_what_it_is_behind_an_authority() {
    let (valid, total) = (Cell::new(0), Cell::new(0));
    random(200_000, targets(), |target| {
        total.set(total.get() + 1);
        let text = format!("{BEFORE}{target}");
        for (rule, parsed) in [
            (Rule::AbsoluteIri, TargetForm::Origin.parse(&target)),
            (Rule::AbsoluteUri, TargetForm::Origin.parse_uri(&target)),
        ] {
            if !target.starts_with('/') {
                let error = parsed.unwrap_err();
                assert_eq!(
                    (error.component(), error.span().start),
                    (Component::Path, 0),
                    "{target}"
                );
                continue;
            }
            match (parsed, rule.parse(&text)) {
                (Ok(Target::Origin { path, query }), Ok(parts)) => {
                    assert_eq!(path, &text[parts.path()], "{target}");
                    assert_eq!(query, parts.query().map(|query| &text[query]), "{target}");
                    valid.set(valid.get() + 1);
                }
                (Err(error), Err(behind)) => {
                    assert_eq!(error, behind.moved_back_by(BEFORE.len()), "{target}");
                    assert_eq!(error.moved_by(BEFORE.len()), behind, "{target}");
                }
                other => panic!("{target}: {other:?}"),
            }
        }
        Ok(())
    });
    println!("{} valid readings", valid.get());
    assert!(valid.get() * 20 > total.get(), "enough of the targets are valid");
}

#[test]
fn a_normal_target_means_the_same_and_is_normal() {
    let changed = Cell::new(0);
    random(200_000, targets(), |target| {
        let Ok(once) = TargetForm::Origin.normalize(&target) else {
            assert!(TargetForm::Origin.parse(&target).is_err(), "{target}");
            return Ok(());
        };
        let text = format!("{BEFORE}{target}");
        let uri = ToUri::new().map(Iri::parse(&text).unwrap()).unwrap();
        let behind = uri.view().normalize(Normalize::syntax()).unwrap();
        let behind = &behind.as_str()[BEFORE.len()..];
        let guard = if behind.starts_with("//") && !target.starts_with("//") { "/." } else { "" };
        assert_eq!(once, format!("{guard}{behind}"), "{target}");
        assert_eq!(
            TargetForm::Origin.normalize(&once).as_deref(),
            Ok(&*once),
            "{target}: twice is once"
        );
        assert!(!once.starts_with("//") || target.starts_with("//"), "{target}: {once}");
        assert!(TargetForm::Origin.parse_uri(&once).is_ok(), "{target}: {once}");
        changed.set(changed.get() + usize::from(once != *target));
        Ok(())
    });
    assert!(changed.get() > 0);
}

/// The way to a reference and back loses nothing, for texts that no grammar allows too.
#[test]
fn a_target_is_the_same_after_the_way_to_its_reference_and_back() {
    random(50_000, targets(), |target| {
        for form in TargetForm::ALL {
            let reference = form.to_reference(target.as_bytes());
            let text = std::str::from_utf8(&reference).unwrap();
            assert_eq!(form.target_of(target.as_bytes(), text), target, "{form}");
            if *form == TargetForm::Origin && target.starts_with('/') {
                assert!(!text.starts_with("//"), "{target}: no host");
                let is_reference = IriRef::parse(text).is_ok_and(|view| view.fragment().is_none());
                assert_eq!(is_reference, form.parse(&target).is_ok(), "{target}");
            }
        }
        Ok(())
    });
}

#[test]
fn a_target_in_authority_form_is_a_host_and_a_port() {
    let form = TargetForm::Authority;
    const GIVEN: &[&str] =
        &["", ":", "a:", "a:80", "[::1]:443", "[::1]", "a", "u@a:80", "é:1", "[v1.a:b]:1"];
    let given = prop::sample::select(GIVEN).prop_map(String::from);
    random(50_000, prop_oneof![targets(), given], |target| {
        let text = format!("//{target}");
        let reference = IriRef::parse(&text)
            .ok()
            .filter(|view| view.authority() == Some(&*target) && view.userinfo().is_none());
        let expected = reference.and_then(|view| Some((view.host_str()?, view.port()?)));
        let found = form.parse(&target).ok().map(|target| match target {
            Target::Authority { host, port } => (host, port),
            other => panic!("{other:?}"),
        });
        assert_eq!(found, expected, "{target}");
        assert_eq!(form.parse_uri(&target).is_ok(), expected.is_some() && target.is_ascii());
        Ok(())
    });
    let error = form.parse("example.com").unwrap_err();
    assert_eq!((error.kind(), error.span()), (ErrorKind::UnexpectedEnd, 11..11));
    assert_eq!(error.to_string(), "nothing at byte 11 where a port is required; write one");
    assert_eq!(form.normalize("EXAMPLE.com:443").unwrap(), "example.com:443");
}

#[test]
fn a_text_has_the_form_that_its_first_bytes_say() {
    random(20_000, targets(), |target| {
        let form = TargetForm::of(&target);
        assert_eq!(Target::parse(&target), form.parse(&target));
        assert!(
            Target::parse(&target).is_ok_and(|target| target.form() == form)
                || form.parse(&target).is_err()
        );
        for form in [TargetForm::Origin, TargetForm::Absolute, TargetForm::Asterisk] {
            if form.parse(&target).is_ok() {
                assert_eq!(TargetForm::of(&target), form, "{target}");
            }
        }
        assert_eq!(
            TargetForm::Absolute.parse(&target).is_ok(),
            Rule::AbsoluteIri.is_valid(&target)
        );
        assert_eq!(TargetForm::Asterisk.parse(&target).is_ok(), target == "*", "{target}");
        Ok(())
    });
    let error = TargetForm::Asterisk.parse("*a").unwrap_err();
    assert_eq!(error.span(), 1..2);
}

/// As the library for C repairs a target: no text of the target becomes a host, while it is repaired and after that.
#[test]
fn a_repaired_target_gets_no_host() {
    use simd_iri_text::{Prepare, RepairKind, RepairSet};

    let prepare = Prepare::new(RepairSet::Rdf).allow(RepairKind::IllFormed);
    let repaired = Cell::new(0);
    random(100_000, (targets(), prop::bool::ANY), |(target, is_ill_formed)| {
        let mut target = ["/", &target].concat().into_bytes();
        if is_ill_formed {
            target.push(0xFF);
        }
        let reference = TargetForm::Origin.to_reference(&target);
        let Ok(prepared) = prepare.prepare_bytes(&reference) else { return Ok(()) };
        let view = prepared.view();
        assert_eq!((view.scheme(), view.authority()), (None, None), "{}", show(&target));
        let normal = view.normalize(Normalize::request_target()).unwrap();
        for made in [view.as_str(), normal.as_str()] {
            let made = TargetForm::Origin.target_of(&target, made);
            assert!(!made.starts_with("//") || target.starts_with(b"//"), "{}", show(&target));
            assert!(made.contains('#') || TargetForm::Origin.parse(made).is_ok(), "{made}");
        }
        repaired.set(repaired.get() + usize::from(!prepared.repairs().is_empty()));
        Ok(())
    });
    assert!(repaired.get() > 0);
}
