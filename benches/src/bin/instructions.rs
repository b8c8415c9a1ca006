//! The library alone on fixed inputs, for a tool that counts instructions:
//! `scripts/instructions` runs this under callgrind, which counts within
//! `counted` only. Nothing here is timed.
//!
//! Prints a line for each call, in the order of the calls: work, input, bytes. Parsing is counted at each CPU level,
//! all other work at the best level that the tool can run.

use std::hint::black_box;

use simd_iri::batch::{Batch, Columns, Separated, TextColumn};
use simd_iri::{Base, Compare, IriRef, Level, Normalize, ToUri, parser::CpuLevel};
use simd_iri_benches::corpora;
use simd_iri_text::{Context, Prepare, RepairSet};

/// A reference, and a buffer that is large enough for each result.
type Transform = fn(IriRef<'_>, &mut String);

const TRANSFORMS: [(&str, Transform); 4] = [
    ("to-uri", |view, buffer| {
        black_box(ToUri::new().map_into(view, buffer).is_ok());
    }),
    ("normalize", |view, buffer| {
        black_box(Normalize::syntax().map_into(view, buffer).is_ok());
    }),
    ("is-normal", |view, _| {
        black_box(view.normalize(Normalize::syntax()).is_ok_and(|normal| normal.is_borrowed()));
    }),
    ("fingerprint", |view, _| {
        black_box(Compare::new(Level::Syntax).fingerprint(view));
    }),
];

fn main() {
    // A part of what `ratios` reads, because callgrind is slow.
    for corpus in corpora::generated(1000) {
        let (rule, items) = (corpus.start.rule(), black_box(corpus.items.as_slice()));
        let bytes: usize = items.iter().map(|item| item.len()).sum();
        let done = |work: &str| println!("{work}\t{}\t{bytes}", corpus.name);
        for level in CpuLevel::available() {
            counted(|| {
                for item in items {
                    let _ = black_box(level.parse(rule, item));
                }
            });
            done(level.name());
        }
        counted(|| {
            for item in items {
                black_box(rule.is_valid(item));
            }
        });
        done("validate");
        counted(|| {
            for item in items {
                if let Ok(view) = IriRef::parse(item) {
                    black_box((view.scheme(), view.host_str(), view.path()));
                    black_box((view.query(), view.fragment()));
                }
            }
        });
        done("read");

        let valid: Vec<_> = items.iter().filter_map(|item| IriRef::parse(item).ok()).collect();
        let mut buffer = String::with_capacity(1 << 20);
        for (work, transform) in TRANSFORMS {
            counted(|| valid.iter().for_each(|view| transform(*view, &mut buffer)));
            done(work);
        }
        if let Ok(base) = Base::parse("http://example.org/over/there/here?q") {
            counted(|| {
                for view in &valid {
                    black_box(base.resolve_into(*view, &mut buffer).is_ok());
                }
            });
            done("resolve");
        }
        let prepare = Prepare::new(RepairSet::BrowserLike).context(Context::Html);
        counted(|| {
            for item in items {
                black_box(prepare.prepare(item).is_ok());
            }
        });
        done("prepare");

        let batch = Batch::new(rule);
        let lines = items.join("\n");
        counted(|| {
            black_box(batch.count(Separated::lines(lines.as_bytes())));
        });
        done("count");
        let mut columns = Columns::with_capacity(items.len());
        counted(|| batch.columns(Separated::lines(lines.as_bytes()), &mut columns));
        done("columns");
        let values = items.concat();
        let ends = items.iter().scan(0, |end, item| {
            *end += item.len() as i32;
            Some(*end)
        });
        let offsets: Vec<i32> = std::iter::once(0).chain(ends).collect();
        if let Ok(column) = TextColumn::new(&offsets, values.as_bytes()) {
            counted(|| {
                black_box(batch.count(column));
            });
            done("count-arrow");
            columns.clear();
            counted(|| batch.columns(column, &mut columns));
            done("columns-arrow");
        }
    }
}

/// Does some work on every item. The loop itself adds a few instructions for each item.
#[inline(never)]
fn counted(mut work: impl FnMut()) {
    work();
}
