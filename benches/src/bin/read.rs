//! Measures what users do right after parsing: read the five components (scheme, authority, path, query, fragment),
//! read the host, or get the error. Prints the time of the fastest strict peer divided by ours. Items for which the
//! libraries give different answers are not measured, and their number is printed.
//!
//! | work | what is timed |
//! | --- | --- |
//! | `components` | parse by `.ok()`, and read the five components as `&str` |
//! | `components, ?` | the same in a function that returns a `Result`; ours alone |
//! | `host` | parse, and read host and path as `&str` |
//! | `error` | parse items that are invalid, and get the error by value |
//!
//! `read [FILTER] [--rounds N]`; `FILTER` is a part of a corpus name, `CORPUS` adds real files.

use std::{env, error::Error, hint::black_box, time::Instant};

use simd_iri_benches::corpora::{self, Corpus};
use simd_iri_benches::median::time;
use simd_iri_benches::work::Start;

/// A number that says what was read of an item, or `None` if it is invalid.
type Answer = Option<u64>;

/// Does the work on items, and combines the answers.
type All = dyn Fn(&[&'static str]) -> u64;

/// A library that does one work on items.
struct Library {
    name: &'static str,
    /// The answer for an item.
    answer: Box<dyn Fn(&'static str) -> Answer>,
    /// Does the work on all items in one call, so that no call is measured.
    all: Box<All>,
}

fn library(name: &'static str, read: impl Fn(&'static str) -> Answer + Copy + 'static) -> Library {
    let all = move |items: &[&'static str]| {
        items.iter().map(|item| read(black_box(item)).unwrap_or(1)).fold(0, u64::wrapping_add)
    };
    Library { name, answer: Box::new(read), all: Box::new(all) }
}

/// Combines the lengths of components: an absent one is not an empty one.
#[inline(always)]
fn sum(parts: [Option<&str>; 5]) -> u64 {
    let length = |part: Option<&str>| part.map_or(0, |part| part.len() as u64 + 1);
    let [scheme, authority, path, query, fragment] = parts.map(length);
    scheme + (authority << 8) + (path << 20) + (query << 36) + (fragment << 50)
}

/// The reader of five components, for a type of ours.
macro_rules! ours {
    ($type:ident) => {
        |text| {
            let iri = simd_iri::$type::parse(text).ok()?;
            let (scheme, path) = (iri.scheme_opt(), Some(iri.path()));
            Some(sum([scheme, iri.authority(), path, iri.query(), iri.fragment()]))
        }
    };
}

macro_rules! ours_by_question_mark {
    ($type:ident) => {{
        fn read(text: &str) -> Result<u64, simd_iri::Error> {
            let iri = simd_iri::$type::parse(text)?;
            let (scheme, path) = (iri.scheme_opt(), Some(iri.path()));
            Ok(sum([scheme, iri.authority(), path, iri.query(), iri.fragment()]))
        }
        |text| read(text).ok()
    }};
}

/// The reader of five components, for a type of a peer.
macro_rules! of_oxiri {
    ($type:ident) => {
        |text| {
            let iri: oxiri::IriRef<&str> = oxiri::$type::parse(text).ok()?.into();
            let (scheme, path) = (iri.scheme(), Some(iri.path()));
            Some(sum([scheme, iri.authority(), path, iri.query(), iri.fragment()]))
        }
    };
}

macro_rules! of_fluent {
    ($type:ident) => {
        |text| {
            let iri: fluent_uri::IriRef<&str> = fluent_uri::$type::parse(text).ok()?.into();
            let authority = iri.authority().map(|authority| authority.as_str());
            let (scheme, path) =
                (iri.scheme().map(|scheme| scheme.as_str()), Some(iri.path().as_str()));
            let query = iri.query().map(|query| query.as_str());
            Some(sum([scheme, authority, path, query, iri.fragment().map(|part| part.as_str())]))
        }
    };
}

macro_rules! of_iri_string {
    ($type:ident) => {
        |text| {
            let iri: &iri_string::types::IriReferenceStr =
                iri_string::types::$type::new(text).ok()?.as_ref();
            let (scheme, path) = (iri.scheme_str(), Some(iri.path_str()));
            let fragment = iri.fragment().map(|fragment| fragment.as_str());
            Some(sum([scheme, iri.authority_str(), path, iri.query_str(), fragment]))
        }
    };
}

macro_rules! of_iri_rs {
    ($type:ident) => {
        |text| {
            let iri = iri_rs::$type::parse(text).ok()?;
            let iri = iri.as_iri_ref();
            let (scheme, path) = (iri.scheme(), Some(iri.path()));
            Some(sum([scheme, iri.authority(), path, iri.query(), iri.fragment()]))
        }
    };
}

fn components(start: Start) -> Vec<Library> {
    if start == Start::Iri {
        vec![
            library("simd-iri", ours!(Iri)),
            library("oxiri", of_oxiri!(Iri)),
            library("fluent-uri", of_fluent!(Iri)),
            library("iri-string", of_iri_string!(IriStr)),
            library("iri-rs", of_iri_rs!(Iri)),
            library("simd-iri, ?", ours_by_question_mark!(Iri)),
        ]
    } else {
        vec![
            library("simd-iri", ours!(IriRef)),
            library("oxiri", of_oxiri!(IriRef)),
            library("fluent-uri", of_fluent!(IriRef)),
            library("iri-string", of_iri_string!(IriReferenceStr)),
            library("iri-rs", |text| {
                let iri = iri_rs::IriRef::parse(text).ok()?;
                let (scheme, path) = (iri.scheme(), Some(iri.path()));
                Some(sum([scheme, iri.authority(), path, iri.query(), iri.fragment()]))
            }),
            library("simd-iri, ?", ours_by_question_mark!(IriRef)),
        ]
    }
}

/// Host and path of references.
fn hosts() -> Vec<Library> {
    vec![
        library("simd-iri", |text| {
            let iri = simd_iri::IriRef::parse(text).ok()?;
            Some(sum([iri.host_str(), Some(iri.path()), None, None, None]))
        }),
        library("fluent-uri", |text| {
            let iri = fluent_uri::IriRef::parse(text).ok()?;
            let host = iri.authority().map(|authority| authority.host());
            Some(sum([host, Some(iri.path().as_str()), None, None, None]))
        }),
        library("iri-string", |text| {
            let iri = iri_string::types::IriReferenceStr::new(text).ok()?;
            let host = iri.authority_components().map(|authority| authority.host());
            Some(sum([host, Some(iri.path_str()), None, None, None]))
        }),
        library("iri-rs", |text| {
            let iri = iri_rs::IriRef::parse(text).ok()?;
            let host = iri.authority_parts().map(|(_, host, _)| host);
            Some(sum([host, Some(iri.path()), None, None, None]))
        }),
    ]
}

/// The error by value, which has the position if the library reports one.
fn errors() -> Vec<Library> {
    vec![
        library("simd-iri", |text| {
            black_box(simd_iri::Iri::parse(text).err()?);
            Some(0)
        }),
        library("oxiri", |text| {
            black_box(oxiri::Iri::parse(text).err()?);
            Some(0)
        }),
        library("fluent-uri", |text| {
            black_box(fluent_uri::Iri::parse(text).err()?);
            Some(0)
        }),
        library("iri-rfc3987", |text| {
            black_box(iri_rfc3987::Iri::parse(text).err()?);
            Some(0)
        }),
        library("iri-string", |text| {
            black_box(iri_string::types::IriStr::new(text).err()?);
            Some(0)
        }),
        library("iri-rs", |text| {
            black_box(iri_rs::Iri::parse(text).err()?);
            Some(0)
        }),
    ]
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut filter, mut rounds) = (String::new(), 15);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => rounds = arguments.next().ok_or("--rounds needs a number")?.parse()?,
            option if option.starts_with('-') => return Err(format!("no option {option}").into()),
            _ => filter = argument,
        }
    }
    for corpus in corpora::all()?.iter().filter(|corpus| corpus.name.contains(&filter)) {
        if corpus.name == "malformed" {
            compare(corpus, "error", &errors(), rounds);
        } else {
            compare(corpus, "components", &components(corpus.start), rounds);
            compare(corpus, "host", &hosts(), rounds);
        }
    }
    Ok(())
}

/// Measures libraries on one work. The first library is ours.
fn compare(corpus: &Corpus, work: &str, libraries: &[Library], rounds: usize) {
    let answered = |item: &&&'static str| {
        let mut answers = libraries.iter().map(|library| (library.answer)(item));
        let first = answers.next();
        first.is_some_and(|first| first.is_some() && answers.all(|answer| answer == first))
    };
    let items: Vec<_> = corpus.items.iter().filter(answered).copied().collect();
    let left_out = corpus.items.len() - items.len();
    println!("\n{}: {work}, {} items, {left_out} left out", corpus.name, items.len());
    let mut times = vec![Vec::new(); libraries.len()];
    for round in 0..rounds {
        for turn in 0..libraries.len() {
            let number = (round + turn) % libraries.len();
            let start = Instant::now();
            black_box((libraries[number].all)(black_box(&items)));
            times[number].push(start.elapsed().as_nanos() as f64 / items.len() as f64);
        }
    }
    let medians: Vec<_> = times.iter().map(|rounds| time(rounds)).collect();
    for (library, time) in libraries.iter().zip(&medians) {
        println!("  {:<12} {time:>9.2} ns/item {:>6.2}", library.name, time / medians[0]);
    }
    let is_peer = |(library, _): &(&Library, &f64)| !library.name.starts_with("simd-iri");
    let peers = libraries.iter().zip(&medians).filter(is_peer);
    if let Some((peer, time)) = peers.min_by(|(_, a), (_, b)| a.total_cmp(b)) {
        println!(
            "  fastest strict peer: {}, {:.2} times the time of ours",
            peer.name,
            time / medians[0]
        );
    }
}
