//! A base and a reference, with a line feed between them: the result of resolution is that of two peers, its offsets
//! are those of a parse, and its relative form resolves to it again.
#![no_main]

use iri_string::types::{IriReferenceStr, IriStr};
use libfuzzer_sys::fuzz_target;
use simd_iri::kind::Absolute;
use simd_iri::{Base, Iri, IriRef, Relativize, Uri, UriRef, View};

fuzz_target!(|text: &str| {
    let Some((base, reference)) = text.split_once('\n') else { return };
    if let (Ok(base), Ok(reference)) = (Iri::parse(base), IriRef::parse(reference)) {
        let resolved = resolve(base, reference);
        peers(base.as_str(), reference.as_str(), &resolved);
    }
    if let (Ok(base), Ok(reference)) = (Uri::parse(base), UriRef::parse(reference)) {
        resolve(base, reference);
    }
});

fn resolve<K: Absolute>(base: View<'_, K>, reference: View<'_, K::Reference>) -> String {
    for from in [Base::new(base).lenient(true), Base::new(base)] {
        let mut text = String::from("before");
        let resolved = from.resolve_into(reference, &mut text).expect("short texts have room");
        assert_eq!(
            K::RULE.parse(resolved.as_str()),
            Ok(resolved.parts()),
            "{base:?} {reference:?}"
        );
        assert!(resolved.parts().check(resolved.as_str()));
        come_back(Base::new(base), resolved);
        come_back(Base::new(resolved), base);
    }
    Base::new(base).resolve(reference).expect("short texts have room").into_string()
}

fn come_back<K: Absolute>(base: Base<'_, K>, target: View<'_, K>) {
    for how in [Relativize::new(), Relativize::new().network_path(false).absolute_path(false)] {
        match how.relativize(base, target) {
            Ok(reference) => {
                let resolved = base.resolve(reference.view()).expect("short texts have room");
                assert_eq!(resolved.as_str(), target.as_str(), "{base:?} {reference:?}");
                assert!(
                    reference.as_str().len() <= target.as_str().len(),
                    "{base:?} {reference:?}"
                );
            }
            // In this case the target does not resolve to itself.
            Err(error) => {
                let whole = target.as_iri_ref();
                let text = Iri::parse(base.view().as_str()).expect("an IRI");
                let resolved = Base::new(text).resolve(whole).expect("room");
                assert_ne!(resolved.as_str(), target.as_str(), "{base:?}");
                assert!(target.as_str()[error.at()..].starts_with('.'), "{base:?} {target:?}");
            }
        }
    }
}

/// The peers decide what the RFC leaves open in another way: a path that begins with two slashes and has no
/// authority.
fn peers(base: &str, reference: &str, resolved: &str) {
    if resolved.contains(":/.//") {
        return;
    }
    let (Ok(from), Ok(to)) = (oxiri::Iri::parse(base), oxiri::IriRef::parse(reference)) else {
        panic!("oxiri refuses {base} or {reference}");
    };
    let mut text = String::new();
    if from.resolve_into(&to, &mut text).is_ok() {
        assert_eq!(text, resolved, "oxiri: {base} {reference}");
    }
    // The peer reads an encoded dot as a dot, which section 5.2.4 does not.
    if [base, reference].iter().any(|text| text.to_ascii_lowercase().contains("%2e")) {
        return;
    }
    let (Ok(from), Ok(to)) = (IriStr::new(base), IriReferenceStr::new(reference)) else {
        panic!("iri-string refuses {base} or {reference}");
    };
    let text = to.resolve_against(from.to_absolute()).to_string();
    assert_eq!(text, resolved, "iri-string: {base} {reference}");
}
