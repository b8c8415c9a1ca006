//! The library alone on fixed inputs, for a tool that counts instructions:
//! `scripts/instructions` runs this under callgrind, which counts within
//! `counted` only. Nothing here is timed.
//!
//! Prints a line for each call, in the order of the calls: level, input, bytes.

use std::hint::black_box;

use simd_iri::{CpuLevel, Rule};
use simd_iri_benches::corpora;

fn main() {
    // Not all that `ratios` reads: callgrind takes its time.
    for corpus in corpora::generated(1000) {
        let bytes: usize = corpus.items.iter().map(|item| item.len()).sum();
        for level in CpuLevel::available() {
            counted(level, corpus.start.rule(), black_box(&corpus.items));
            println!("{}\t{}\t{bytes}", level.name(), corpus.name);
        }
    }
}

/// Parses every item: besides it, a few instructions an item for the loop.
#[inline(never)]
fn counted(level: CpuLevel, rule: Rule, items: &[&str]) {
    for item in items {
        let _ = black_box(level.parse(rule, item));
    }
}
