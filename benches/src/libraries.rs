//! The libraries that are compared: ours at each CPU level, strict peers that
//! read RFC 3987, and WHATWG URL parsers, which read another language and are
//! only shown for orientation.
//!
//! Each is called through the fastest public function that takes a borrowed
//! `&str`. To parse is to have a value of the library's own type: most have
//! then located the components; iref and iri-string check the text only and
//! split it when asked, which is counted in their favour. To validate is to
//! have a yes or a no.

use std::hint::black_box;

use simd_iri::{CpuLevel, Iri, IriRef, Rule};

/// The two start rules that every strict peer offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    Iri,
    IriReference,
}

impl Start {
    pub fn name(self) -> &'static str {
        match self {
            Start::Iri => "IRI",
            Start::IriReference => "IRI-reference",
        }
    }
}

/// What is asked of a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    Parse,
    Validate,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Ours,
    /// Promises the grammar of RFC 3987: its answers must equal ours.
    Strict,
    /// Reads and repairs what the WHATWG URL Standard says: only absolute
    /// references, other answers, another result (an owned, normalized URL).
    Whatwg,
}

/// One library's way to do one kind of work by one rule.
pub struct Job {
    one: Box<dyn Fn(&str) -> bool>,
    all: Box<CountAccepted>,
}

type CountAccepted = dyn Fn(&[&str]) -> usize;

impl Job {
    /// Compiled twice, so that the loop over a corpus holds the library's code
    /// and no call through a pointer.
    fn new(accepts: impl Fn(&str) -> bool + Copy + 'static) -> Self {
        let count = move |items: &[&str]| items.iter().filter(|text| accepts(text)).count();
        Self { one: Box::new(accepts), all: Box::new(count) }
    }

    pub fn accepts(&self, text: &str) -> bool {
        (self.one)(text)
    }

    /// How many of the items are accepted. This is what is timed.
    pub fn count(&self, items: &[&str]) -> usize {
        (self.all)(items)
    }
}

pub struct Library {
    pub name: String,
    pub kind: Kind,
    parse: [Option<Job>; 2],
    validate: [Option<Job>; 2],
}

impl Library {
    /// `None` if the library does not have the rule.
    pub fn job(&self, work: Work, start: Start) -> Option<&Job> {
        let [iri, iri_reference] = match work {
            Work::Parse => &self.parse,
            Work::Validate => &self.validate,
        };
        match start {
            Start::Iri => iri.as_ref(),
            Start::IriReference => iri_reference.as_ref(),
        }
    }
}

/// The whole value must exist in memory, and nobody is asked to move it.
#[inline(always)]
fn made<T, E>(result: Result<T, E>) -> bool {
    black_box(&result).is_ok()
}

/// A row of the table: how to parse and how to validate, each as IRI and, if
/// the library has it, as IRI-reference.
macro_rules! library {
    ($name:expr, $kind:expr, parse: $($parse:expr),+; validate: $($validate:expr),+;) => {
        Library {
            name: $name.into(),
            kind: $kind,
            parse: by_rule([$(Job::new($parse)),+]),
            validate: by_rule([$(Job::new($validate)),+]),
        }
    };
}

fn by_rule<const N: usize>(jobs: [Job; N]) -> [Option<Job>; 2] {
    let mut jobs = jobs.into_iter();
    [jobs.next(), jobs.next()]
}

/// Ours as everyone calls it, then ours at each level, then the peers.
pub fn all() -> Vec<Library> {
    let mut libraries = vec![library! { "simd-iri", Kind::Ours,
        parse: |t| made(Iri::parse(t)), |t| made(IriRef::parse(t));
        validate: |t| Rule::Iri.is_valid(t), |t| Rule::IriReference.is_valid(t);
    }];
    libraries.extend(CpuLevel::available().map(at_level));
    libraries.extend(strict_peers());
    libraries.extend(whatwg_peers());
    libraries
}

fn at_level(level: CpuLevel) -> Library {
    library! { format!("simd-iri/{}", level.name()), Kind::Ours,
        parse: move |t| made(Iri::parse_at(level, t)), move |t| made(IriRef::parse_at(level, t));
        validate: move |t| Rule::Iri.is_valid_bytes_at(level, t.as_bytes()),
            move |t| Rule::IriReference.is_valid_bytes_at(level, t.as_bytes());
    }
}

fn strict_peers() -> [Library; 6] {
    use iri_string::{spec::IriSpec, types, validate};
    [
        library! { "oxiri", Kind::Strict,
            parse: |t| made(oxiri::Iri::parse(t)), |t| made(oxiri::IriRef::parse(t));
            validate: |t| oxiri::Iri::parse(t).is_ok(), |t| oxiri::IriRef::parse(t).is_ok();
        },
        library! { "iri-rfc3987", Kind::Strict,
            parse: |t| made(iri_rfc3987::Iri::parse(t)), |t| made(iri_rfc3987::IriRef::parse(t));
            validate: |t| iri_rfc3987::Iri::parse(t).is_ok(),
                |t| iri_rfc3987::IriRef::parse(t).is_ok();
        },
        library! { "fluent-uri", Kind::Strict,
            parse: |t| made(fluent_uri::Iri::parse(t)), |t| made(fluent_uri::IriRef::parse(t));
            validate: |t| fluent_uri::Iri::parse(t).is_ok(),
                |t| fluent_uri::IriRef::parse(t).is_ok();
        },
        library! { "iri-string", Kind::Strict,
            parse: |t| made(types::IriStr::new(t)), |t| made(types::IriReferenceStr::new(t));
            validate: |t| validate::iri::<IriSpec>(t).is_ok(),
                |t| validate::iri_reference::<IriSpec>(t).is_ok();
        },
        library! { "iri-rs", Kind::Strict,
            parse: |t| made(iri_rs::Iri::parse(t)), |t| made(iri_rs::IriRef::parse(t));
            validate: |t| iri_rs::Iri::parse(t).is_ok(), |t| iri_rs::IriRef::parse(t).is_ok();
        },
        library! { "iref", Kind::Strict,
            parse: |t| made(iref::Iri::new(t)), |t| made(iref::IriRef::new(t));
            validate: iref::Iri::validate_str, iref::IriRef::validate_str;
        },
    ]
}

fn whatwg_peers() -> [Library; 2] {
    [
        library! { "url", Kind::Whatwg,
            parse: |t| made(url::Url::parse(t));
            validate: |t| url::Url::parse(t).is_ok();
        },
        library! { "ada-url", Kind::Whatwg,
            parse: |t| made(ada_url::Url::parse(t, None));
            validate: |t| ada_url::Url::can_parse(t, None);
        },
    ]
}
