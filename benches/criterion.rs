//! Benchmarks by criterion: a group for each kind of work and corpus, with a benchmark for each library, as in
//! `parse/plain/oxiri`. `ratios` is the quick way to compare.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simd_iri_benches::{agreement, corpora, libraries, work::Work};

fn every_work(criterion: &mut Criterion) {
    let libraries = libraries::all();
    for corpus in corpora::all().expect("CORPUS names UTF-8 files") {
        agreement::check(&corpus, &libraries);
        for work in Work::ALL {
            let mut group = criterion.benchmark_group(format!("{}/{}", work.name(), corpus.name));
            group.throughput(Throughput::Elements(corpus.items.len() as u64));
            for library in &libraries {
                if let Some(job) = library.job(work, corpus.start) {
                    group.bench_function(&library.name, |bencher| {
                        bencher.iter(|| job.count(&corpus));
                    });
                }
            }
        }
    }
}

criterion_group!(benches, every_work);
criterion_main!(benches);
