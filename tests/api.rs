//! The promises of the types to a caller besides their answers: sizes, marker traits, and that nothing allocates
//! before an answer.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::thread;

use allocation_counter::measure;
use simd_iri::{
    Builder, Component, ComponentRule, CpuLevel, Encoded, Error, ErrorKind, FileNameError, Host,
    Iri, IriArc, IriBox, IriBuf, IriRef, IriRefArc, IriRefBox, IriRefBuf, IriRefStr, IriStr,
    Masked, Normalize, Origin, Pairs, Parts, PathForm, Rule, Segments, Terminators, Uri, UriBuf,
    UriRef, UriRefBuf, UriRefStr, UriStr, Value, Violations, kind,
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
            case.rule.violations(bytes).for_each(drop);
            let _ = Iri::parse_bytes(bytes);
            let Some(text) = case.text() else { continue };
            let _ = IriRef::parse_until(text, &stop);
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

#[test]
fn names_of_rules_are_read_in_any_case() {
    for &rule in Rule::ALL {
        let name = rule.name();
        for name in [name.to_owned(), name.to_lowercase(), name.to_uppercase()] {
            assert_eq!(name.parse(), Ok(rule));
        }
    }
    for name in ["", "url", "iri ", "iri_reference", "authority"] {
        assert!(name.parse::<Rule>().is_err(), "{name:?}");
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
            assert!(Rule::Iri.violations(b"a:|%<").count() > 1);
            assert!(level.validate_bytes(ComponentRule::Iquery, text.as_bytes()).is_err());
        }
        let iri = Iri::parse(&text).unwrap();
        assert!(iri.to_uri().unwrap().as_str().is_ascii());
        assert!(Rule::Iri.is_valid(iri.normalize(Normalize::scheme()).unwrap().as_str()));
    });
    asked.unwrap().join().unwrap();
}
