//! Criterion: one reference after the other, to the typed value that each library makes of it. A group a
//! corpus, a benchmark a library; `ratios` is the quick way to see the bars.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simd_iri_benches::{
    agreement, corpora,
    libraries::{self, Work},
};

fn parse(criterion: &mut Criterion) {
    let libraries = libraries::all();
    for corpus in corpora::all().expect("CORPUS names UTF-8 files") {
        agreement::check(&corpus, &libraries);
        let mut group = criterion.benchmark_group(format!("parse/{}", corpus.name));
        group.throughput(Throughput::Elements(corpus.items.len() as u64));
        for library in &libraries {
            if let Some(job) = library.job(Work::Parse, corpus.start) {
                group.bench_function(&library.name, |bencher| {
                    bencher.iter(|| job.count(&corpus.items));
                });
            }
        }
    }
}

criterion_group!(benches, parse);
criterion_main!(benches);
