//! A base and a reference, with a line feed between them: the result of resolution is that of two peers, its offsets
//! are those of a parse, and its relative form resolves to it again. Of all references that are tried one by one, none that
//! resolves to it is shorter.
#![no_main]

use iri_string::types::{IriReferenceStr, IriStr};
use libfuzzer_sys::fuzz_target;
use simd_iri::kind::HasScheme;
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

fn resolve<K: HasScheme>(base: View<'_, K>, reference: View<'_, K::Reference>) -> String {
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

fn come_back<K: HasScheme>(base: Base<'_, K>, target: View<'_, K>) {
    for how in [Relativize::new(), Relativize::new().network_path(false).absolute_path(false)] {
        match how.relativize(base, target) {
            Ok(reference) => {
                let resolved = base.resolve(reference.view()).expect("short texts have room");
                assert_eq!(resolved.as_str(), target.as_str(), "{base:?} {reference:?}");
                let least = shortest(base, target, how == Relativize::new());
                assert!(reference.as_str().len() <= least, "{base:?} {reference:?}");
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

/// The length of the shortest reference that resolves to the target, found by trying: the target itself, and each end of
/// its path after each number of `../`, with and without dot segments before it. Without `is_any`, a path must not begin with
/// a slash. Of references with many segments, the target alone is tried.
fn shortest<K: HasScheme>(base: Base<'_, K>, target: View<'_, K>, is_any: bool) -> usize {
    let (text, parts) = (target.as_str(), target.parts());
    let mut least = text.len();
    let slashes = |path: &str| path.matches('/').count();
    let (above, below) = (slashes(base.view().path()), slashes(target.path()));
    if above * below > 100 {
        return least;
    }
    let path = target.path();
    let ends = [0].into_iter().chain(path.match_indices('/').map(|(at, _)| at + 1));
    let ends: Vec<&str> = ends.map(|at| &path[at..]).chain([""]).collect();
    let mut paths = vec![String::new(), format!("/.{path}"), path.to_owned()];
    for ups in 0..=above + 1 {
        for before in ["", "./", "/", "/./"] {
            for end in &ends {
                let path = format!("{before}{}{end}", "../".repeat(ups));
                paths.push(path.strip_suffix('/').unwrap_or(&path).to_owned());
                paths.push(path);
            }
        }
    }
    let mut tails = vec![&text[parts.path().end..]];
    tails.extend(parts.query().map(|query| &text[query.end..]));
    let mut resolved = String::new();
    let mut texts: Vec<String> = Vec::new();
    if is_any {
        texts.extend(target.authority().and(text.find(':')).map(|at| text[at + 1..].to_owned()));
    }
    let joined =
        paths.iter().flat_map(|path| tails.iter().map(move |tail| format!("{path}{tail}")));
    let keeps_guard = is_any && keeps_guard(base, target);
    texts.extend(joined.filter(|text| match text.as_bytes() {
        [b'/', ..] => is_any,
        [] | [b'?' | b'#', ..] => true,
        _ => !keeps_guard,
    }));
    for text in texts.iter().filter(|text| text.len() < least).collect::<Vec<_>>() {
        let Ok(reference) = View::<K::Reference>::parse(text) else { continue };
        let found = base.resolve_into(reference, &mut resolved).expect("short texts have room");
        if found.as_str() == target.as_str() {
            least = least.min(text.len());
        }
    }
    least
}

/// Tells whether the `/.` before two slashes of a target is written out: the folder of the base has no two slashes at
/// that place.
fn keeps_guard<K: HasScheme>(base: Base<'_, K>, target: View<'_, K>) -> bool {
    let here = View::<K::Reference>::parse(".").expect("a reference");
    let folder = base.resolve(here).expect("short texts have room");
    let has_two = folder.view().path().starts_with("/.//");
    target.authority().is_none() && target.path().starts_with("/.//") && !has_two
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
