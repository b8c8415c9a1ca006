//! The promises of the types to a caller besides their answers: sizes, marker traits, and that nothing allocates
//! before an answer.

use std::collections::BTreeSet;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::thread;

use allocation_counter::measure;
use simd_iri::query::{FormPairs, Pairs};
use simd_iri::{
    Builder, Compare, Component, Error, ErrorKind, Host, Iri, IriBuf, IriRef, IriRefBuf, Level,
    Masked, Normalize, Origin, Parts, Rule, Uri, UriBuf, UriRef, UriRefBuf,
    component::{ComponentRule, Encoded, PathForm, Segments, Value},
    errors::FileNameError,
    kind,
    parser::{CpuLevel, Terminators, Violations},
    thin::{IriArc, IriBox, IriRefArc, IriRefBox, IriRefStr, IriStr, UriRefStr, UriStr},
};

use crate::cases;
use crate::support::*;

#[test]
#[cfg(target_pointer_width = "64")]
fn values_are_as_small_as_promised() {
    assert!(size_of::<Iri<'_>>() <= 48);
    assert_eq!(size_of::<Parts>(), 32);
    assert!(size_of::<Error>() <= 16);
    assert_eq!(size_of::<Result<(), Error>>(), 16, "an error leaves room for none");
    assert_eq!(size_of::<IriStr<'_>>(), 16);
    assert_eq!(size_of::<IriBox>(), 16);
    assert_eq!(size_of::<IriArc>(), 16);
    assert_eq!(size_of::<Option<IriBox>>(), 16);
}

#[test]
fn values_can_be_copied_compared_and_sent() {
    fn value<T: Copy + Eq + Hash + Debug + Send + Sync + Unpin + 'static>() {}
    fn reference<T: Ord + Eq + Hash + Debug + Display + Clone + Send + Sync + Unpin>() {}
    fn copy<T: Copy>() {}
    fn walk<T: Iterator + Clone + Debug + Send + Sync>() {}
    value::<Error>();
    value::<ErrorKind>();
    value::<Component>();
    value::<CpuLevel>();
    value::<Rule>();
    value::<ComponentRule>();
    value::<PathForm>();
    value::<Host<'static>>();
    value::<FileNameError>();
    value::<Encoded<&'static str>>();
    copy::<Parts>();
    copy::<Terminators>();
    reference::<Iri<'_>>();
    reference::<IriRef<'_>>();
    reference::<Uri<'_>>();
    reference::<UriRef<'_>>();
    reference::<IriBuf>();
    reference::<IriRefBuf>();
    reference::<UriBuf>();
    reference::<UriRefBuf>();
    reference::<IriStr<'_>>();
    reference::<IriRefStr<'_>>();
    reference::<UriStr<'_>>();
    reference::<UriRefStr<'_>>();
    reference::<IriBox>();
    reference::<IriRefBox>();
    reference::<IriArc>();
    reference::<IriRefArc>();
    copy::<Iri<'_>>();
    copy::<IriStr<'_>>();
    walk::<Violations<'_>>();
    walk::<Segments<'_>>();
    walk::<Pairs<'_>>();
    walk::<FormPairs<'_>>();
    copy::<Masked<'_>>();
    fn plain<T: Clone + Debug + Send + Sync + Unpin>() {}
    plain::<Builder<'_, kind::Iri>>();
    plain::<Origin>();
    plain::<Value<'static>>();
    fn error<T: std::error::Error + Send + Sync + 'static>() {}
    error::<Error>();
    error::<FileNameError>();
}

#[test]
fn nothing_allocates_to_parse_validate_or_explain() {
    let cases: Vec<_> = cases::all().into_iter().flat_map(|file| file.cases).collect();
    let stop = Terminators::new(b">").unwrap();
    LEVELS.iter().for_each(|_| ());
    let answers = measure(|| {
        for case in &cases {
            let bytes = &case.input[..];
            for &level in LEVELS.iter() {
                let _ = level.parse_bytes(case.rule, bytes);
                let _ = level.is_valid_bytes(case.rule, bytes);
                for &rule in ComponentRule::ALL {
                    let _ = level.validate_bytes(rule, bytes);
                }
            }
            case.rule.violations_bytes(bytes).for_each(drop);
            let _ = Iri::parse_bytes(bytes);
            let Some(text) = case.text() else { continue };
            let _ = IriRef::parse_until(text, stop);
            if let Ok(reference) = IriRef::parse_as(case.rule, text) {
                let _ = reference.host();
                let _ = reference.port_u16();
                reference.segments().for_each(drop);
                let _ = IriRefStr::from(reference).view();
                let _ = IriRef::parse_const(text);
            }
        }
    });
    assert_eq!(answers.count_total, 0, "allocations");
    let counted = measure(|| drop(std::hint::black_box(IriBuf::from(simd_iri::iri!("a:")))));
    assert_eq!(counted.count_total, 1, "what allocates is counted");
    println!("{} cases without an allocation", cases.len());
}

/// Asserts the laws of the names of each type: a value comes back from its name in any case, no two values have the same
/// name, and serde writes and reads the name. Returns the names of the types.
macro_rules! names_come_back {
    ($($(#[$has:meta])? $($path:ident)::+;)+) => {{
        let mut types = BTreeSet::new();
        $($(#[$has])? {
            use $($path)::+ as Type;
            let name = stringify!($($path)::+).rsplit(':').next().unwrap().trim();
            types.insert(name);
            let mut seen = BTreeSet::new();
            for value in Type::ALL {
                let name = value.name();
                assert!(seen.insert(name.to_lowercase()), "{name}");
                for text in [name.to_owned(), name.to_lowercase(), name.to_uppercase()] {
                    assert_eq!(text.parse(), Ok(*value));
                }
                {
                    let json = serde_json::to_string(value).unwrap();
                    assert_eq!(json, format!("\"{name}\""));
                    assert_eq!(serde_json::from_str::<Type>(&json).unwrap(), *value);
                }
            }
            for text in ["", " ", "nonsense", Type::ALL[0].name().trim_end_matches(char::is_alphanumeric)] {
                let error = text.parse::<Type>().unwrap_err();
                assert_eq!(error.names().len(), Type::ALL.len());
                assert!(error.to_string().contains(name), "{error}");
                assert!(serde_json::from_str::<Type>(&format!("{text:?}")).is_err());
            }
        })+
        types
    }};
}

/// `Display` writes the name.
macro_rules! names_are_displayed {
    ($($(#[$has:meta])? $($path:ident)::+;)+) => {$(
        $(#[$has])?
        for value in $($path)::+::ALL {
            assert_eq!(format!("{value} {value:>30}"), format!("{0} {0:>30}", value.name()));
        }
    )+};
}

#[test]
fn every_enum_with_names_is_read_by_name() {
    macro_rules! displayed {
        ($make:ident $($more:tt)*) => {
            $make! {
                simd_iri::Component;
                simd_iri::component::ComponentRule;
                simd_iri::ErrorKind;
                simd_iri::http_message::Field;
                simd_iri::document::Format;
                simd_iri::Level;
                simd_iri::component::PathForm;
                simd_iri::DecodePolicy;
                simd_iri::Rule;
                simd_iri::percent::Place;
                simd_iri::http_message::TargetForm;
                simd_iri_archive::Profile;
                simd_iri_archive::Scope;
                simd_iri_archive::Www;
                simd_iri::charset::Unmappable;
                simd_iri_lint::Code;
                simd_iri_lint::Profile;
                simd_iri_lint::Severity;
                simd_iri_lint::DisplayPolicy;
                simd_iri_lint::DisplayRule;
                simd_iri_lint::Direction;
                simd_iri_lint::Marks;
                simd_iri_judge::Decision;
                simd_iri_judge::ReasonKind;
                simd_iri_rules::RuleErrorKind;
                simd_iri_rules::RuleFormat;
                simd_iri_redact::Reason;
                simd_iri_redact::RedactPart;
                simd_iri_redact::RedactUserinfo;
                simd_iri_redact::SecretSet;
                simd_iri_rules::StillWrapped;
                simd_iri_rules::Wrapper;
                simd_iri_text::Context;
                simd_iri_text::RepairKind;
                simd_iri_text::RepairSet;
                simd_iri_text::Ends;
                simd_iri_text::Markup;
                $($more)*
            }
        };
    }
    displayed!(names_are_displayed);
    let types = displayed! { names_come_back simd_iri_text::Broken; };
    // No call of `named!` is missing.
    assert_eq!(types, named_types());
    println!("{} types: {types:?}", types.len());
}

/// The types for which the sources call `named!`.
fn named_types() -> BTreeSet<&'static str> {
    let mut types = BTreeSet::new();
    let mut pending =
        Vec::from(["src", "crates"].map(|folder| std::path::Path::new(crate::ROOT).join(folder)));
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if !path.ends_with("error/name.rs") {
            let source: &str = std::fs::read_to_string(&path).unwrap().leak();
            for call in source.split("named!").skip(1) {
                let name = match call.split_once("@text ").or_else(|| call.split_once("@parse ")) {
                    Some(("(", rest)) => rest.split(',').next(),
                    // `"path" Type {`
                    _ if call.starts_with(" {") => {
                        call.split_once('"').and_then(|(_, rest)| rest.split(['"', '{']).nth(1))
                    }
                    _ => None,
                };
                types.extend(name.map(str::trim));
            }
        }
    }
    types
}

#[test]
fn defaults_are_the_usual_options() {
    assert_eq!(Level::default().rules(), Normalize::default());
    assert_eq!(Compare::default(), Compare::new(Level::default()));
    {
        use simd_iri_lint::{Lint, Profile};
        assert_eq!(Lint::default(), Lint::new(Profile::Rfc));
    }
}

#[test]
fn a_small_stack_is_enough() {
    // Also holds without optimization, where inlined functions keep memory for each of their values.
    let small = thread::Builder::new().stack_size(256 << 10);
    let text = format!("http://u@[::1]:80/{}?é#", "a/".repeat(100));
    let asked = small.spawn(move || {
        for &level in LEVELS.iter() {
            assert!(level.parse_bytes(Rule::Iri, text.as_bytes()).is_ok());
            assert!(Rule::Iri.violations("a:|%<").count() > 1);
            assert!(level.validate_bytes(ComponentRule::Iquery, text.as_bytes()).is_err());
        }
        let iri = Iri::parse(&text).unwrap();
        assert!(iri.to_uri().unwrap().as_str().is_ascii());
        assert!(Rule::Iri.is_valid(iri.normalize(Normalize::scheme()).unwrap().as_str()));
    });
    asked.unwrap().join().unwrap();
}

#[test]
fn the_page_of_the_registry_has_the_rust_of_the_readme() {
    let rust = |page: &'static str| page.split("```").find_map(|part| part.strip_prefix("rust\n"));
    let found = rust(include_str!("../src/README.md"));
    assert!(found.is_some() && found == rust(include_str!("../README.md")));
}
