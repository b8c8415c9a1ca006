//! The operations whose dearest items are searched.

use std::hint::black_box;
use std::sync::LazyLock;

use simd_iri::batch::{Batch, Columns, Separated};
use simd_iri::{Base, Compare, Iri, IriRef, IriRefBuf, Level, Normalize, Rule, ToIri, ToUri};
use simd_iri_judge::Policy;
use simd_iri_lint::DisplayIri;
use simd_iri_lint::{Lint, Profile};
use simd_iri_redact::{Redact, RedactPart, SecretSet};
use simd_iri_rules::Unwrap;
use simd_iri_text::{Context, Extract, Prepare, RepairSet};

/// One operation, and what it promises.
pub struct Operation {
    pub name: &'static str,
    run: fn(&[u8]) -> bool,
    /// How many times the instructions of a plain item an item costs at most: an item of less than 4 KB, and a longer
    /// item.
    pub most: (f64, f64),
    /// Whether an item that is not ASCII is compared with a plain item that is not ASCII.
    pub by_alphabet: bool,
    /// Whether the operation takes a short item as many lines, because a batch has costs of its own.
    is_batch: bool,
}

impl Operation {
    /// How many times the operation takes an item with this length.
    pub fn times(&self, length: usize) -> usize {
        if self.is_batch { lines(length) } else { 1 }
    }

    /// Runs the operation. Returns whether the operation takes the item.
    pub fn takes(&self, item: &[u8]) -> bool {
        (self.run)(item)
    }
}

const fn operation(name: &'static str, most: (f64, f64), run: fn(&[u8]) -> bool) -> Operation {
    Operation { name, run, most, by_alphabet: false, is_batch: false }
}

/// Runs an operation on a reference. Returns false for a text that is not a reference.
fn on_view(item: &[u8], run: impl Fn(IriRef<'_>)) -> bool {
    let view = std::str::from_utf8(item).ok().and_then(|text| IriRef::parse(text).ok());
    view.map(run).is_some()
}

/// How many lines of a batch an item with this length becomes.
const fn lines(length: usize) -> usize {
    1 + 16384 / (length + 1)
}

/// Runs an operation on a batch of lines. Returns false for an item that is more than one line.
fn on_lines(item: &[u8], run: impl Fn(Separated<'_>)) -> bool {
    let is_line = !item.contains(&b'\n');
    if is_line {
        run(Separated::lines(&[item, b"\n"].concat().repeat(lines(item.len()))));
    }
    is_line
}

/// All sets of secrets, in running text.
static ALL_SECRETS: LazyLock<Redact<'static>> = LazyLock::new(|| {
    let all = SecretSet::ALL.iter().fold(Redact::none(), |redact, set| redact.set(*set));
    all.part(RedactPart::Text)
});
static PUBLIC_WEB: LazyLock<Policy> = LazyLock::new(Policy::public_web);

/// Uses a result.
fn keep<T>(result: T) {
    black_box(result);
}

pub const ALL: &[Operation] = &[
    operation("parse, with the error", (60.0, 120.0), |item| {
        black_box(Rule::Iri.parse_bytes(item).is_ok());
        true
    }),
    operation("message of an error", (50.0, 100.0), |item| {
        let error = Rule::Iri.parse_bytes(item).err();
        error.map(|error| black_box(error.to_string())).is_some()
    }),
    Operation {
        is_batch: true,
        ..operation("count", (8.0, 4.0), |item| {
            on_lines(item, |lines| keep(Batch::new(Rule::Iri).count(lines)))
        })
    },
    Operation {
        is_batch: true,
        ..operation("columns", (12.0, 20.0), |item| {
            on_lines(item, |lines| {
                let mut columns = Columns::with_capacity(256);
                Batch::new(Rule::Iri).columns(lines, &mut columns);
                keep(columns);
            })
        })
    },
    operation("to a URI", (25.0, 40.0), |item| on_view(item, |view| keep(view.to_uri()))),
    operation("to a URI, IDNA", (65.0, 20.0), |item| {
        on_view(item, |view| keep(ToUri::new().idna(true).map(view)))
    }),
    operation("to an IRI", (50.0, 80.0), |item| on_view(item, |view| keep(ToIri::new().map(view)))),
    operation("normalize", (110.0, 130.0), |item| {
        on_view(item, |view| keep(view.normalize(Normalize::scheme())))
    }),
    operation("fingerprint", (65.0, 100.0), |item| {
        on_view(item, |view| keep(Compare::new(Level::Syntax).fingerprint(view)))
    }),
    operation("resolve", (40.0, 50.0), |item| {
        let base = Iri::parse("http://a/b/c?d").map(Base::new);
        on_view(item, |view| keep(base.as_ref().map(|base| base.resolve(view))))
    }),
    operation("set a fragment", (12.0, 13.0), |item| {
        on_view(item, |view| {
            let mut owned = IriRefBuf::from(view);
            keep((owned.set_fragment(Some("top")), owned));
        })
    }),
    operation("prepare", (420.0, 700.0), |item| {
        black_box(Prepare::new(RepairSet::BrowserLike).prepare_bytes(item).is_ok());
        true
    }),
    operation("prepare, typed", (600.0, 1250.0), |item| {
        let prepare = Prepare::new(RepairSet::BrowserLike).context(Context::Typed);
        black_box(prepare.prepare_bytes(item).is_ok());
        true
    }),
    operation("extract", (190.0, 360.0), |item| {
        let text = std::str::from_utf8(item);
        text.map(|text| black_box(Extract::new().links(text).count())).is_ok()
    }),
    operation("redact", (60.0, 80.0), |item| {
        black_box(Redact::default().redact_bytes(item));
        true
    }),
    operation("redact text, all sets", (250.0, 250.0), |item| {
        black_box(ALL_SECRETS.redact_bytes(item));
        true
    }),
    operation("unwrap", (45.0, 60.0), |item| {
        on_view(item, |view| keep(Unwrap::new().levels(5).apply(view)))
    }),
    operation("judge", (10.0, 8.0), |item| {
        black_box(PUBLIC_WEB.judge_bytes(item));
        true
    }),
    operation("display", (190.0, 160.0), |item| {
        on_view(item, |view| keep(DisplayIri::new().map(view)))
    }),
    Operation {
        by_alphabet: true,
        ..operation("lint", (260.0, 330.0), |item| {
            on_view(item, |view| keep(simd_iri_lint::lint(view, Profile::Crawler)))
        })
    },
    Operation {
        by_alphabet: true,
        ..operation("fix", (620.0, 450.0), |item| {
            on_view(item, |view| keep(Lint::new(Profile::Crawler).fix(view)))
        })
    },
    Operation {
        by_alphabet: true,
        ..operation("interpret", (240.0, 330.0), |item| {
            let text = std::str::from_utf8(item);
            text.map(|text| black_box(simd_iri_lint::charsets(text).count())).is_ok()
        })
    },
    Operation {
        by_alphabet: true,
        ..operation("skeleton", (7.0, 7.0), |item| {
            on_view(item, |view| keep(simd_iri_lint::skeleton(view)))
        })
    },
];
