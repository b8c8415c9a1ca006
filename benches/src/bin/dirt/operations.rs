//! The operations whose dearest items are searched.

use std::hint::black_box;

use simd_iri::batch::{Batch, Columns, Separated};
use simd_iri::check::{Lint, Profile};
use simd_iri::text::{Context, DisplayIri, Extract, Prepare, RepairSet};
use simd_iri::{Base, Compare, Iri, IriRef, IriRefBuf, Level, Normalize, Rule, ToIri, ToUri};

/// One operation, and what it promises.
pub struct Operation {
    pub name: &'static str,
    run: fn(&[u8]) -> bool,
    /// How many times the instructions of a plain item an item costs at most: an item of less than 4 KB, and a longer
    /// item.
    pub most: (f64, f64),
    /// Whether an item that is not ASCII is compared with a plain item that is not ASCII.
    pub by_alphabet: bool,
}

impl Operation {
    /// Runs the operation. Returns whether the operation takes the item.
    pub fn takes(&self, item: &[u8]) -> bool {
        (self.run)(item)
    }
}

const fn operation(name: &'static str, most: (f64, f64), run: fn(&[u8]) -> bool) -> Operation {
    Operation { name, run, most, by_alphabet: false }
}

/// Runs an operation on a reference. Returns false for a text that is not a reference.
fn on_view(item: &[u8], run: impl Fn(IriRef<'_>)) -> bool {
    let view = std::str::from_utf8(item).ok().and_then(|text| IriRef::parse(text).ok());
    view.map(run).is_some()
}

/// The lines of a batch: a short item many times, because a batch has costs of its own.
fn lines(item: &[u8]) -> Vec<u8> {
    [item, b"\n"].concat().repeat(1 + 16384 / item.len().max(1))
}

/// Uses a result.
fn keep<T>(result: T) {
    black_box(result);
}

pub const ALL: &[Operation] = &[
    operation("parse, with the error", (9e9, 9e9), |item| {
        black_box(Rule::Iri.parse_bytes(item).is_ok());
        true
    }),
    operation("message of an error", (9e9, 9e9), |item| {
        let error = Rule::Iri.parse_bytes(item).err();
        error.map(|error| black_box(error.to_string())).is_some()
    }),
    operation("count", (9e9, 9e9), |item| {
        if item.contains(&b'\n') {
            return false;
        }
        black_box(Batch::new(Rule::Iri).count(Separated::lines(&lines(item))));
        true
    }),
    operation("columns", (9e9, 9e9), |item| {
        if item.contains(&b'\n') {
            return false;
        }
        let mut columns = Columns::with_capacity(4);
        Batch::new(Rule::Iri).columns(Separated::lines(&lines(item)), &mut columns);
        black_box(columns);
        true
    }),
    operation("to a URI", (9e9, 9e9), |item| on_view(item, |view| keep(view.to_uri()))),
    operation("to a URI, IDNA", (9e9, 9e9), |item| {
        on_view(item, |view| keep(ToUri::new().idna(true).map(view)))
    }),
    operation("to an IRI", (9e9, 9e9), |item| on_view(item, |view| keep(ToIri::new().map(view)))),
    operation("normalize", (9e9, 9e9), |item| {
        on_view(item, |view| keep(view.normalize(Normalize::scheme())))
    }),
    operation("fingerprint", (9e9, 9e9), |item| {
        on_view(item, |view| keep(Compare::new(Level::Syntax).fingerprint(view)))
    }),
    operation("resolve", (9e9, 9e9), |item| {
        let base = Iri::parse("http://a/b/c?d").map(Base::new);
        on_view(item, |view| keep(base.as_ref().map(|base| base.resolve(view))))
    }),
    operation("set a fragment", (9e9, 9e9), |item| {
        on_view(item, |view| {
            let mut owned = IriRefBuf::from(view);
            keep((owned.set_fragment(Some("top")), owned));
        })
    }),
    operation("prepare", (9e9, 9e9), |item| {
        black_box(Prepare::new(RepairSet::BrowserLike).prepare_bytes(item).is_ok());
        true
    }),
    operation("prepare, typed", (9e9, 9e9), |item| {
        let prepare = Prepare::new(RepairSet::BrowserLike).context(Context::Typed);
        black_box(prepare.prepare_bytes(item).is_ok());
        true
    }),
    operation("extract", (9e9, 9e9), |item| {
        let text = std::str::from_utf8(item);
        text.map(|text| black_box(Extract::new().links(text).count())).is_ok()
    }),
    operation("display", (9e9, 9e9), |item| {
        on_view(item, |view| keep(DisplayIri::new().map(view)))
    }),
    Operation {
        by_alphabet: true,
        ..operation("lint", (9e9, 9e9), |item| {
            on_view(item, |view| keep(view.lint(Profile::Crawler)))
        })
    },
    Operation {
        by_alphabet: true,
        ..operation("fix", (9e9, 9e9), |item| {
            on_view(item, |view| keep(Lint::new(Profile::Crawler).fix(view)))
        })
    },
    Operation {
        by_alphabet: true,
        ..operation("interpret", (9e9, 9e9), |item| {
            let text = std::str::from_utf8(item);
            text.map(|text| black_box(simd_iri::check::charsets(text).count())).is_ok()
        })
    },
    Operation {
        by_alphabet: true,
        ..operation("skeleton", (9e9, 9e9), |item| on_view(item, |view| keep(view.skeleton())))
    },
];
