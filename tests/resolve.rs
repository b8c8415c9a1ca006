//! Resolution and its inverse: the result is that of the pseudo code of the RFC, and a relativized target resolves to
//! itself.
//!
//! The witness is section 5.2 of RFC 3986, transcribed step by step. The RFC leaves open one question, which
//! `repaired` answers as the library does: a path that begins with two slashes and has no authority.

use std::collections::HashMap;

use allocation_counter::measure;
use serde::Deserialize;
use simd_iri::kind::HasScheme;
use simd_iri::{Base, Iri, IriRef, Relativize, Uri, UriRef, View};

use crate::cases;
use crate::support::{count, count_all, random};

/// The components of a reference, `None` if undefined: appendix B of RFC 3986.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Reference {
    pub(crate) scheme: Option<String>,
    pub(crate) authority: Option<String>,
    pub(crate) path: String,
    pub(crate) query: Option<String>,
    pub(crate) fragment: Option<String>,
}

impl Reference {
    pub(crate) fn split(text: &str) -> Self {
        let own = |text: &str| text.to_owned();
        let (rest, fragment) = match text.split_once('#') {
            Some((rest, fragment)) => (rest, Some(own(fragment))),
            None => (text, None),
        };
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(own(query))),
            None => (rest, None),
        };
        let (scheme, rest) = match rest.split_once(':') {
            Some((scheme, rest)) if !scheme.is_empty() && !scheme.contains('/') => {
                (Some(own(scheme)), rest)
            }
            _ => (None, rest),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                (Some(own(&rest[..end])), own(&rest[end..]))
            }
            None => (None, own(rest)),
        };
        Self { scheme, authority, path, query, fragment }
    }

    /// Section 5.3.
    pub(crate) fn compose(&self) -> String {
        let mut result = String::new();
        if let Some(scheme) = &self.scheme {
            result += scheme;
            result += ":";
        }
        if let Some(authority) = &self.authority {
            result += "//";
            result += authority;
        }
        result += &self.path;
        if let Some(query) = &self.query {
            result += "?";
            result += query;
        }
        if let Some(fragment) = &self.fragment {
            result += "#";
            result += fragment;
        }
        result
    }

    /// A path that would become an authority begins with a dot segment.
    pub(crate) fn repaired(mut self) -> Self {
        if self.authority.is_none() && self.path.starts_with("//") {
            self.path.insert_str(0, "/.");
        }
        self
    }
}

/// Section 5.2.2.
fn transform(base: &Reference, r: &Reference, strict: bool) -> Reference {
    let mut r = r.clone();
    let mut t = Reference::default();
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    if !strict && r.scheme.as_deref().zip(base.scheme.as_deref()).is_some_and(|(a, b)| same(a, b)) {
        r.scheme = None;
    }
    if r.scheme.is_some() {
        t.scheme = r.scheme;
        t.authority = r.authority;
        t.path = remove_dot_segments(&r.path);
        t.query = r.query;
    } else {
        if r.authority.is_some() {
            t.authority = r.authority;
            t.path = remove_dot_segments(&r.path);
            t.query = r.query;
        } else {
            if r.path.is_empty() {
                t.path = base.path.clone();
                t.query = if r.query.is_some() { r.query } else { base.query.clone() };
            } else {
                t.path = if r.path.starts_with('/') {
                    remove_dot_segments(&r.path)
                } else {
                    remove_dot_segments(&merge(base, &r.path))
                };
                t.query = r.query;
            }
            t.authority = base.authority.clone();
        }
        t.scheme = base.scheme.clone();
    }
    t.fragment = r.fragment;
    t
}

/// Section 5.2.3.
fn merge(base: &Reference, path: &str) -> String {
    if base.authority.is_some() && base.path.is_empty() {
        return format!("/{path}");
    }
    let end = base.path.rfind('/').map_or(0, |last| last + 1);
    format!("{}{path}", &base.path[..end])
}

/// Section 5.2.4, step by step.
pub(crate) fn remove_dot_segments(path: &str) -> String {
    let mut input = path.to_owned();
    let mut output = String::new();
    let remove_last = |output: &mut String| output.truncate(output.rfind('/').unwrap_or(0));
    while !input.is_empty() {
        if input.starts_with("../") {
            // A
            input.drain(..3);
        } else if input.starts_with("./") {
            input.drain(..2);
        } else if input.starts_with("/./") {
            // B
            input.drain(..2);
        } else if input == "/." {
            input.truncate(1);
        } else if input.starts_with("/../") {
            // C
            input.drain(..3);
            remove_last(&mut output);
        } else if input == "/.." {
            input.truncate(1);
            remove_last(&mut output);
        } else if input == "." || input == ".." {
            // D
            input.clear();
        } else {
            // E
            let from = usize::from(input.starts_with('/'));
            let end = input[from..].find('/').map_or(input.len(), |at| from + at);
            output.extend(input.drain(..end));
        }
    }
    output
}

/// Asserts that a reference resolves as the RFC says, that the offsets are those of a parse, and that the result can
/// be relativized again. Returns the result.
fn agree<K: HasScheme>(
    base: View<'_, K>,
    reference: View<'_, K::Reference>,
    strict: bool,
) -> String {
    let expected =
        transform(&Reference::split(base.as_str()), &Reference::split(reference.as_str()), strict);
    let from = if strict { Base::new(base) } else { Base::new(base).lenient(true) };
    let what = || format!("{base:?} with {reference:?}, strict: {strict}");
    let owned = from.resolve(reference).unwrap();
    assert_eq!(owned.as_str(), expected.repaired().compose(), "{}", what());
    let mut text = String::from("before");
    let resolved = from.resolve_into(reference, &mut text).unwrap();
    assert_eq!(resolved, owned.as_str(), "{}", what());
    assert_eq!(resolved.parts(), owned.view().parts(), "{}", what());
    assert_eq!(Ok(resolved.parts()), K::RULE.parse(owned.as_str()), "{}", what());
    assert!(resolved.parts().check(resolved.as_str()), "{}", what());
    come_back(Base::new(base), resolved);
    come_back(Base::new(base), base);
    come_back(Base::new(resolved), base);
    owned.into_string()
}

/// Asserts that a relativized target resolves to itself, and that no allowed form is shorter.
fn come_back<K: HasScheme>(base: Base<'_, K>, target: View<'_, K>) {
    let all = [(true, true), (true, false), (false, true), (false, false)];
    for (network, absolute) in all {
        let how = Relativize::new().network_path(network).absolute_path(absolute);
        let what = || format!("{base:?}, {target:?}, {how:?}");
        match how.relativize(base, target) {
            Ok(reference) => {
                let resolved = base.resolve(reference.view()).unwrap();
                assert_eq!(resolved.as_str(), target.as_str(), "{}: {reference:?}", what());
                let text = reference.as_str();
                let is_network = text.starts_with("//");
                assert!(text.len() <= target.as_str().len(), "{}", what());
                assert!(network || !is_network, "{}: {text}", what());
                assert!(absolute || is_network || !text.starts_with('/'), "{}: {text}", what());
            }
            Err(error) => {
                let dots = &target.as_str()[error.at()..target.parts().path().end];
                let segment = dots.split('/').next();
                assert!(matches!(segment, Some("." | "..")), "{}: {dots}", what());
            }
        }
    }
}

#[derive(Deserialize)]
struct Row {
    id: String,
    base: String,
    reference: String,
    expected: String,
    mode: String,
}

#[test]
fn every_case() {
    for (path, rows) in cases::rows::<Row>(&["base", "reference", "expected", "mode"]) {
        for Row { id, base, reference, expected, mode } in &rows {
            let strict = match mode.as_str() {
                "strict" => true,
                "lenient" => false,
                other => panic!("{id}: mode {other}"),
            };
            let (base, reference) = (Iri::parse(base).unwrap(), IriRef::parse(reference).unwrap());
            assert_eq!(&agree(base, reference, strict), expected, "{id}");
            if let (Ok(base), Ok(reference)) =
                (Uri::parse(base.as_str()), UriRef::parse(reference.as_str()))
            {
                assert_eq!(&agree(base, reference, strict), expected, "{id}, as URIs");
            }
        }
        println!("{} cases of {}", rows.len(), path.display());
    }
}

/// All strings of so many parts.
fn strings<'a>(pieces: &'a [&'a str], len: usize) -> impl Iterator<Item = String> + 'a {
    (0..pieces.len().pow(len as u32)).map(move |number| {
        let digits = (0..len).map(|i| number / pieces.len().pow(i as u32) % pieces.len());
        digits.map(|digit| pieces[digit]).collect()
    })
}

#[test]
fn every_path_of_few_pieces() {
    // Every way in which dots, slashes, an empty segment and a colon can follow one another.
    let pieces = ["/", ".", "..", "a", ":"];
    let references: Vec<_> = (0..=5).flat_map(|len| strings(&pieces, len)).collect();
    let bases: Vec<_> = ["a:", "a://h", "a:?q", "a://h?q"]
        .iter()
        .flat_map(|base| {
            let paths = (0..=3).flat_map(|len| strings(&["/", "..", "b"], len));
            paths.map(move |path| match base.split_once('?') {
                Some((base, query)) => format!("{base}{path}?{query}"),
                None => format!("{base}{path}"),
            })
        })
        .filter(|base| Iri::parse(base).is_ok())
        .collect();
    let total = count(bases.len(), |job| {
        let base = Iri::parse(&bases[job]).unwrap();
        let mut total = 0;
        let mut shortest = HashMap::new();
        for reference in &references {
            if let Ok(reference) = IriRef::parse(reference) {
                let target = agree(base, reference, true);
                agree(base, reference, false);
                total += 2;
                let is_relative = reference.scheme().is_none() && reference.authority().is_none();
                let is_rooted = matches!(reference.path().as_bytes(), [] | [b'/', ..]);
                if is_relative && !is_rooted && keeps_guard(base, Iri::parse(&target).unwrap()) {
                    continue;
                }
                let least = shortest.entry(target).or_insert(usize::MAX);
                *least = reference.as_str().len().min(*least);
            }
        }
        // No reference of all these is shorter than the result.
        for (target, least) in shortest {
            let target = Iri::parse(&target).unwrap();
            let found = Base::new(base).relativize(target).unwrap();
            assert!(found.as_str().len() <= least, "{base:?}, {target}: {found}, one of {least}");
        }
        total
    });
    println!("{total} pairs of {} bases, library = pseudo code", bases.len());
}

/// Tells whether a relative path cannot be a form of a target: its `/.` before two slashes is written out, unless the
/// base has two slashes at that place.
fn keeps_guard(base: Iri<'_>, target: Iri<'_>) -> bool {
    let has_two = |path: &str| remove_dot_segments(path).starts_with("//");
    let directory = &base.path()[..base.path().rfind('/').map_or(0, |last| last + 1)];
    target.authority().is_none() && target.path().starts_with("/.//") && !has_two(directory)
}

#[test]
fn every_reference_of_few_characters() {
    // All references of up to six characters, and all IRIs among them as bases and as targets.
    let pieces = ["a", ":", "/", ".", "?", "#"];
    let texts: Vec<_> = (0..=6).flat_map(|len| strings(&pieces, len)).collect();
    let references: Vec<_> = texts.iter().filter_map(|text| IriRef::parse(text).ok()).collect();
    let iris: Vec<_> = texts.iter().filter_map(|text| Iri::parse(text).ok()).collect();
    let total = count_all(iris.len(), |job| {
        let iri = iris[job];
        let base = Base::new(iri);
        let relative = Relativize::new().network_path(false).absolute_path(false);
        let mut shortest: HashMap<String, &str> = HashMap::new();
        let mut shortest_relative: HashMap<String, &str> = HashMap::new();
        let mut resolved = String::new();
        // Shorter ones come first.
        for reference in &references {
            let target = base.resolve_into(*reference, &mut resolved).unwrap();
            let is_relative = reference.scheme().is_none() && reference.authority().is_none();
            let is_merged = is_relative && !matches!(reference.path().as_bytes(), [] | [b'/', ..]);
            if !reference.as_str().starts_with('/') {
                let text = target.as_str().to_owned();
                shortest_relative.entry(text).or_insert(reference.as_str());
            }
            if !(is_merged && keeps_guard(iri, target)) {
                shortest.entry(resolved.clone()).or_insert(reference.as_str());
            }
        }
        for target in &iris {
            let found = relative.relativize(base, *target).ok();
            let found = found.as_ref().map(|found| found.as_str().len());
            let least = shortest_relative.get(target.as_str()).map(|least| least.len());
            assert_eq!(found, least, "{iri:?}, {target:?}: without a slash at the start");
            match (base.relativize(*target), shortest.get(target.as_str())) {
                (Ok(found), Some(least)) => {
                    let length = found.as_str().len();
                    assert_eq!(length, least.len(), "{iri:?}, {target:?}: {found:?}, {least}");
                    base.resolve_into(found.view(), &mut resolved).unwrap();
                    assert_eq!(resolved, target.as_str(), "{iri:?}: {found:?}");
                }
                (Err(error), None) => {
                    let segment = target.as_str()[error.at()..].split(['/', '?', '#']).next();
                    assert!(matches!(segment, Some("." | "..")), "{target:?}: {error}");
                }
                (found, least) => panic!("{iri:?}, {target:?}: {found:?}, {least:?}"),
            }
        }
        iris.len()
    });
    println!("{total} pairs, of {} bases; {} references", iris.len(), references.len());
}

/// The shortest is found by enumeration, also where empty segments follow an authority; of references that are equally
/// short, the one with a relative path is given.
#[test]
fn every_path_with_empty_segments_after_an_authority() {
    let pieces = ["/", "b", ".", "..", "?", "//h", "c:"];
    let mut references: Vec<_> = (0..=5).flat_map(|len| strings(&pieces, len)).collect();
    // Climbing is long.
    let slashes = (0..=6).flat_map(|len| strings(&["/", "../", "/.", "b"], len));
    references.extend(slashes);
    references.sort_by_key(String::len);
    references.dedup();
    let bases: Vec<_> = ["a://h", "a://i", "a:", "a://h?q"]
        .iter()
        .flat_map(|base| {
            let paths = (0..=5).flat_map(|len| strings(&["/", "b"], len));
            paths.map(move |path| match base.split_once('?') {
                Some((base, query)) => format!("{base}{path}?{query}"),
                None => format!("{base}{path}"),
            })
        })
        .filter(|base| Iri::parse(base).is_ok())
        .collect();
    let total = count(bases.len(), |job| {
        let base = Iri::parse(&bases[job]).unwrap();
        let mut shortest: HashMap<String, (usize, bool)> = HashMap::new();
        let mut text = String::new();
        for reference in references.iter().filter_map(|text| IriRef::parse(text).ok()) {
            let target = Base::new(base).resolve_into(reference, &mut text).unwrap();
            let is_relative = reference.scheme().is_none() && reference.authority().is_none();
            let is_rooted = matches!(reference.path().as_bytes(), [] | [b'/', ..]);
            if is_relative && !is_rooted && keeps_guard(base, target) {
                continue;
            }
            let is_preferred = is_relative && !reference.as_str().starts_with('/');
            let length = reference.as_str().len();
            let least = shortest.entry(text.clone()).or_insert((length, false));
            least.1 |= is_preferred && least.0 == length;
        }
        let total = shortest.len();
        for (target, (least, is_preferred)) in shortest {
            let found = Base::new(base).relativize(Iri::parse(&target).unwrap()).unwrap();
            let length = found.as_str().len();
            assert!(length <= least, "{base:?}, {target}: {found}, one of {least}");
            let is_rooted = found.as_str().starts_with('/') || found.has_scheme();
            assert!(length < least || !is_preferred || !is_rooted, "{base:?}, {target}: {found}");
        }
        total
    });
    println!("{total} targets of {} bases, {} references", bases.len(), references.len());
}

#[test]
fn random_pairs() {
    let base = "[aA]:(//(u@)?[hé.]{0,2}(:8)?)?[/.aé:]{0,9}(\\?[q/?]{0,2})?(#f)?";
    let reference = "([aAb]:)?(//[hé]?(:8)?)?[/.aé:]{0,9}(\\?[q/?]{0,2})?(#f?)?";
    random(2000, (base, reference), |(base, reference)| {
        if let (Ok(base), Ok(reference)) = (Iri::parse(&base), IriRef::parse(&reference)) {
            agree(base, reference, true);
            agree(base, reference, false);
        }
        Ok(())
    });
}

#[test]
fn the_shortest_form() {
    for (base, target, expected) in [
        ("http://a/b/c/d;p?q", "http://a/b/c/d;p?q", ""),
        ("http://a/b/c/d;p?q", "http://a/b/c/d;p", "d;p"),
        ("http://a/b/c/d;p?q", "http://a/b/c/d;p?y#s", "?y#s"),
        ("http://a/b/c/d;p?q", "http://a/b/c/", "."),
        ("http://a/b/c/d;p?q", "http://a/b/", ".."),
        ("http://a/b/c/d;p?q", "http://a/b/?x", "..?x"),
        ("http://a/b/c/d;p?q", "http://a/", "/"),
        ("http://a/b/c/d;p?q", "http://a/b/c/g:h", "./g:h"),
        ("http://a/b/c/d;p?q", "http://a/b/c//g", ".//g"),
        ("http://a/b/c/d;p?q", "http://a", "//a"),
        ("http://a/b/c/d;p?q", "http://a//x", "/.//x"),
        ("http://a/b", "https://a/b", "https://a/b"),
        ("b://b/a////?a", "b://b//?", "/.//?"),
        ("http://ab/b////c", "http://ab//x", "/.//x"),
        ("http://a", "http://a/b", "b"),
        ("urn:a:b", "urn:a:c", "./a:c"),
        ("a:b/c/d", "a:x", "a:x"),
        ("a:/b/c", "a:/d", "/d"),
        ("a:b/c", "a:b/d", "d"),
        ("HTTP://a/b", "http://a/b", "http://a/b"),
        ("a:/b", "a:/.//c", "/.//c"),
        ("a:/.//b", "a:/.//c", "c"),
        ("a:/.//b", "a:/c", "/c"),
        ("a:/.//b/c", "a:/.//b/", "."),
        ("http://a/b/../c", "http://a/b/../c#f", "#f"),
        ("http://a/b/../c", "http://a/b/../c?q", "?q"),
        ("http://a/b/../c", "http://a/c", "c"),
        ("urn:a/../b", "urn:a/../b", ""),
    ] {
        let (from, to) = (Iri::parse(base).unwrap(), Iri::parse(target).unwrap());
        let found = Base::new(from).relativize(to).unwrap();
        assert_eq!(found.as_str(), expected, "{base} to {target}");
        come_back(Base::new(from), to);
    }
}

#[test]
fn nothing_is_allocated_where_there_is_room() {
    let base = Base::new(simd_iri::iri!("a:/b/./c"));
    let mut text = String::with_capacity(64);
    for (reference, expected) in
        [("d/../e", "a:/b/e"), ("..//f", "a:/.//f"), ("?g#h", "a:/b/./c?g#h")]
    {
        let reference = IriRef::parse(reference).unwrap();
        let measured = measure(|| {
            assert_eq!(base.resolve_into(reference, &mut text).unwrap(), expected);
        });
        assert_eq!(measured.count_total, 0, "{expected}");
    }
}
