//! Measures the time for each byte of a text of 64 MB, divided by that of a text of 16 MB. The texts are those that
//! would show time that is not linear.
//!
//! `linear`

use std::{hint::black_box, time::Instant};

use simd_iri::{Base, Compare, Iri, IriRef, Level, Normalize, ToIri, ToUri};
use simd_iri_lint::{Lint, Profile};

const SMALL: usize = 16 << 20;
const LARGE: usize = 64 << 20;

/// The work on a reference, which writes into a buffer that is large enough.
type Work = fn(IriRef<'_>, &mut String);

const WORKS: [(&str, Work); 8] = [
    ("parse", |view, _| {
        black_box(IriRef::parse(view.as_str()).is_ok());
    }),
    ("to URI", |view, buffer| {
        black_box(ToUri::new().map_into(view, buffer).is_ok());
    }),
    ("to URI, IDNA", |view, buffer| {
        black_box(ToUri::new().idna(true).map_into(view, buffer).is_ok());
    }),
    ("to IRI", |view, buffer| {
        black_box(ToIri::new().map_into(view, buffer));
    }),
    ("normalize", |view, buffer| {
        black_box(Normalize::scheme().map_into(view, buffer).is_ok());
    }),
    ("fingerprint", |view, _| {
        black_box(Compare::new(Level::Scheme).fingerprint(view));
    }),
    ("resolve", |view, buffer| {
        let relative = IriRef::parse(&view.as_str()[view.parts().path().start..]);
        let base = Iri::parse("http://a/b/c").ok().map(Base::new);
        if let (Ok(relative), Some(base)) = (relative, base) {
            black_box(base.resolve_into(relative, buffer).is_ok());
        }
    }),
    ("lint", |view, _| {
        let mut found = 0;
        Lint::new(Profile::Rfc).each(view, |_| found += 1);
        black_box(found);
    }),
];

fn main() {
    let inputs: [(&str, &str, &str); 5] = [
        ("http://a/", "../", ""),
        ("http://a/", "%C3%A9", ""),
        ("http://a/", "a/", ""),
        ("http://", "a.", "a/b"),
        ("http://", "é.", "a/b"),
    ];
    println!("{:<22} {:<14} {:>9} {:>9} {:>6}", "", "", "16 MB", "64 MB", "");
    for (before, piece, after) in inputs {
        let text = |size: usize| format!("{before}{}{after}", piece.repeat(size / piece.len()));
        let texts = [text(SMALL), text(LARGE)];
        for (name, work) in WORKS {
            let [small, large] = texts.each_ref().map(|text| per_byte(text, work));
            let ratio = large / small;
            let what = format!("{before}{piece}…{after}");
            println!("{what:<22} {name:<14} {small:>6.3} ns {large:>6.3} ns {ratio:>6.2}");
        }
    }
}

/// Nanoseconds for each byte: the lowest of a few runs.
fn per_byte(text: &str, work: Work) -> f64 {
    let Ok(view) = IriRef::parse(text) else { return f64::NAN };
    let mut buffer = String::with_capacity(3 * text.len() + 128);
    let times = (0..5).map(|_| {
        let start = Instant::now();
        work(view, &mut buffer);
        start.elapsed().as_nanos() as f64 / text.len() as f64
    });
    times.fold(f64::INFINITY, f64::min)
}
