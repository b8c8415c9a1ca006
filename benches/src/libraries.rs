//! The libraries that are compared: ours at each CPU level, strict peers that read RFC 3987, and WHATWG URL parsers,
//! which read another language and are shown for orientation only.
//!
//! Each is called through the fastest public function that takes a borrowed `&str`. Parsing ends with a value of the
//! library's own type. Most libraries have located the components then; iref and iri-string only check the text and
//! split it later, which is an advantage for them. Validating ends with a yes or a no. `buffers.rs` has the work on a
//! whole buffer.

use std::hint::black_box;

use simd_iri::{
    Iri, IriRef, Rule,
    parser::{CpuLevel, Memo},
};

use crate::{
    buffers::{self, within},
    job::{Column, Job, Offsets},
    work::{Kind, Start, Work},
};

/// Parses one text after the other, and remembers the text before the last path.
fn with_memo(rule: Rule) -> Job {
    Job::new(
        move |corpus| {
            let mut memo = Memo::new(rule);
            corpus.items.iter().filter(|text| made(memo.parse(text))).count()
        },
        move |corpus| {
            let mut memo = Memo::new(rule);
            let mut accepts = |text| made(memo.parse(text)).then(Offsets::default);
            corpus.items.iter().map(|text| accepts(text)).collect()
        },
    )
}

pub struct Library {
    pub name: String,
    pub kind: Kind,
    jobs: Vec<(Work, Start, Job)>,
}

impl Library {
    fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self { name: name.into(), kind, jobs: Vec::new() }
    }

    /// The same, with work for the first rule or for both.
    fn with<const N: usize>(mut self, work: Work, jobs: [Job; N]) -> Self {
        let rules = [Start::Iri, Start::IriReference];
        self.jobs.extend(rules.into_iter().zip(jobs).map(|(start, job)| (work, start, job)));
        self
    }

    /// `None` if the library does not do the work or does not have the rule.
    pub fn job(&self, work: Work, start: Start) -> Option<&Job> {
        let found = self.jobs.iter().find(|(w, s, _)| (*w, *s) == (work, start));
        found.map(|(.., job)| job)
    }
}

/// The whole value must be written to memory, but need not be moved.
#[inline(always)]
fn made<T, E>(result: Result<T, E>) -> bool {
    black_box(&result).is_ok()
}

/// A row of the table: how to parse and how to validate, by the rule IRI and, if the library has it, by
/// IRI-reference.
macro_rules! library {
    ($name:expr, $kind:expr, parse: $($parse:expr),+; validate: $($validate:expr),+;) => {
        Library::new($name, $kind)
            .with(Work::Parse, [$(Job::texts($parse)),+])
            .with(Work::Validate, [$(Job::texts($validate)),+])
    };
}

/// The same, with what is needed to read a buffer: the offsets that the library returns, and how.
macro_rules! strict {
    ($name:expr, parse: $($parse:expr),+; validate: $($validate:expr),+;
        $columns:expr, $($locate:expr),+;) => {
        library! { $name, Kind::Strict, parse: $($parse),+; validate: $($validate),+; }
            .with(Work::Count, [$(buffers::count($validate)),+])
            .with(Work::Columns, [$(buffers::columns($columns, $locate)),+])
    };
}

/// Ours with the usual functions, then ours at each level and with a memo, then the peers.
pub fn all() -> Vec<Library> {
    let best = library! { "simd-iri", Kind::Ours,
        parse: |t| made(Iri::parse(t)), |t| made(IriRef::parse(t));
        validate: |t| Rule::Iri.is_valid(t), |t| Rule::IriReference.is_valid(t);
    };
    let mut libraries = vec![with_batch(best, CpuLevel::best())];
    libraries.extend(CpuLevel::available().map(at_level));
    libraries.push(
        Library::new("simd-iri/memo", Kind::Ours)
            .with(Work::Parse, [Rule::Iri, Rule::IriReference].map(with_memo)),
    );
    libraries.extend(strict_peers());
    libraries.extend(whatwg_peers());
    let newlines = || [buffers::newlines(), buffers::newlines()];
    libraries.push(
        Library::new("memchr", Kind::Newlines)
            .with(Work::Count, newlines())
            .with(Work::Columns, newlines()),
    );
    libraries
}

fn at_level(level: CpuLevel) -> Library {
    let library = library! { format!("simd-iri/{}", level.name()), Kind::Ours,
        parse: move |t| made(level.parse(Rule::Iri, t)),
            move |t| made(level.parse(Rule::IriReference, t));
        validate: move |t| level.is_valid_bytes(Rule::Iri, t.as_bytes()),
            move |t| level.is_valid_bytes(Rule::IriReference, t.as_bytes());
    };
    with_batch(library, level)
}

fn with_batch(library: Library, level: CpuLevel) -> Library {
    let rules = [Rule::Iri, Rule::IriReference];
    library
        .with(Work::Count, rules.map(|rule| buffers::count_by_batch(rule, level)))
        .with(Work::Columns, rules.map(|rule| buffers::columns_by_batch(rule, level)))
}

fn strict_peers() -> [Library; 6] {
    use Column::{Authority, End, Path, PathEnd, QueryEnd, SchemeEnd};
    use iri_string::{spec::IriSpec, types, validate};
    let all = Column::ALL;
    let no_host = [SchemeEnd, Authority, Path, PathEnd, QueryEnd, End];
    [
        strict! { "oxiri",
            parse: |t| made(oxiri::Iri::parse(t)), |t| made(oxiri::IriRef::parse(t));
            validate: |t| oxiri::Iri::parse(t).is_ok(), |t| oxiri::IriRef::parse(t).is_ok();
            no_host, |t| Some(of_oxiri(t, &oxiri::Iri::parse(t).ok()?.into())),
                |t| Some(of_oxiri(t, &oxiri::IriRef::parse(t).ok()?));
        },
        // The library does not return its components, so that only the end is written.
        strict! { "iri-rfc3987",
            parse: |t| made(iri_rfc3987::Iri::parse(t)), |t| made(iri_rfc3987::IriRef::parse(t));
            validate: |t| iri_rfc3987::Iri::parse(t).is_ok(),
                |t| iri_rfc3987::IriRef::parse(t).is_ok();
            [End], |t| made(iri_rfc3987::Iri::parse(t)).then_some([t.len() as u32]),
                |t| made(iri_rfc3987::IriRef::parse(t)).then_some([t.len() as u32]);
        },
        strict! { "fluent-uri",
            parse: |t| made(fluent_uri::Iri::parse(t)), |t| made(fluent_uri::IriRef::parse(t));
            validate: |t| fluent_uri::Iri::parse(t).is_ok(),
                |t| fluent_uri::IriRef::parse(t).is_ok();
            all, |t| Some(of_fluent(t, fluent_uri::Iri::parse(t).ok()?.into())),
                |t| Some(of_fluent(t, fluent_uri::IriRef::parse(t).ok()?));
        },
        strict! { "iri-string",
            parse: |t| made(types::IriStr::new(t)), |t| made(types::IriReferenceStr::new(t));
            validate: |t| validate::iri::<IriSpec>(t).is_ok(),
                |t| validate::iri_reference::<IriSpec>(t).is_ok();
            all, |t| Some(of_iri_string(t, types::IriStr::new(t).ok()?.as_ref())),
                |t| Some(of_iri_string(t, types::IriReferenceStr::new(t).ok()?));
        },
        strict! { "iri-rs",
            parse: |t| made(iri_rs::Iri::parse(t)), |t| made(iri_rs::IriRef::parse(t));
            validate: |t| iri_rs::Iri::parse(t).is_ok(), |t| iri_rs::IriRef::parse(t).is_ok();
            all, |t| Some(of_iri_rs(t, iri_rs::Iri::parse(t).ok()?.as_iri_ref())),
                |t| Some(of_iri_rs(t, &iri_rs::IriRef::parse(t).ok()?));
        },
        strict! { "iref",
            parse: |t| made(iref::Iri::new(t)), |t| made(iref::IriRef::new(t));
            validate: iref::Iri::validate_str, iref::IriRef::validate_str;
            all, |t| Some(of_iref(t, iref::Iri::new(t).ok()?.as_iri_ref())),
                |t| Some(of_iref(t, iref::IriRef::new(t).ok()?));
        },
    ]
}

fn whatwg_peers() -> [Library; 3] {
    [
        library! { "url", Kind::Whatwg,
            parse: |t| made(url::Url::parse(t));
            validate: |t| url::Url::parse(t).is_ok();
        },
        library! { "ada-url", Kind::Whatwg,
            parse: |t| made(ada_url::Url::parse(t, None));
            validate: |t| ada_url::Url::can_parse(t, None);
        },
        library! { "sorug", Kind::Whatwg,
            parse: |t| made(sorug::Url::parse(t));
            validate: |t| sorug::Url::parse(t).is_ok();
        },
    ]
}

// The offsets of a value in its text. The fragment is the rest after the query.

#[inline(always)]
fn of_oxiri(text: &str, iri: &oxiri::IriRef<&str>) -> [u32; 6] {
    let [scheme_end, authority, _, _, path, path_end, query_end, end] =
        within(text, iri.scheme(), iri.authority(), None, iri.path(), iri.query());
    [scheme_end, authority, path, path_end, query_end, end]
}

#[inline(always)]
fn of_fluent(text: &str, iri: fluent_uri::IriRef<&str>) -> [u32; 8] {
    let scheme = iri.scheme().map(|scheme| scheme.as_str());
    let authority = iri.authority();
    let host = authority.map(|authority| authority.host());
    let authority = authority.map(|authority| authority.as_str());
    let query = iri.query().map(|query| query.as_str());
    within(text, scheme, authority, host, iri.path().as_str(), query)
}

#[inline(always)]
fn of_iri_string(text: &str, iri: &iri_string::types::IriReferenceStr) -> [u32; 8] {
    let host = iri.authority_components().map(|authority| authority.host());
    let (scheme, authority) = (iri.scheme_str(), iri.authority_str());
    within(text, scheme, authority, host, iri.path_str(), iri.query_str())
}

#[inline(always)]
fn of_iri_rs(text: &str, iri: &iri_rs::IriRef<&str>) -> [u32; 8] {
    let host = iri.authority_parts().map(|(_, host, _)| host);
    within(text, iri.scheme(), iri.authority(), host, iri.path(), iri.query())
}

#[inline(always)]
fn of_iref(text: &str, iri: &iref::IriRef) -> [u32; 8] {
    let parts = iri.parts();
    let host = parts.authority.map(|authority| authority.parts().host.as_str());
    let scheme = parts.scheme.map(|scheme| scheme.as_str());
    let authority = parts.authority.map(|authority| authority.as_str());
    let query = parts.query.map(|query| query.as_str());
    within(text, scheme, authority, host, parts.path.as_str(), query)
}
