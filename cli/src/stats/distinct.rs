//! Counts distinct values: exactly if they are few, and by HyperLogLog (crate `datasketches`) if they are many.
//!
//! Values are compared by fingerprints of 64 bits. Two of 10,000 values have the same fingerprint in one
//! of 300 billion cases, so a count of at most 10,000 values is called exact.

use std::hash::{BuildHasher, Hasher};

use datasketches::common::NumStdDev;
use datasketches::hll::{HllSketch, HllType, HllUnion};
use foldhash::quality::FixedState;
use foldhash::{HashSet, HashSetExt};
use serde::Serialize;

/// The greatest number of values that is counted exactly.
const EXACT: usize = 10_000;

/// The logarithm of the number of registers: 16 KiB, and a standard error of 0.81 %.
const REGISTERS: u8 = 14;

/// Distinct values.
pub(crate) enum Distinct {
    /// Their fingerprints.
    Few(HashSet<u64>),
    Many(HllSketch),
}

/// A number of distinct values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Estimate {
    pub(crate) count: u64,
    /// The number is at least this and at most `high`, in 99.7 % of all cases.
    pub(crate) low: u64,
    pub(crate) high: u64,
    pub(crate) exact: bool,
}

impl Estimate {
    /// Returns a number that is known.
    pub(crate) const fn exact(count: u64) -> Self {
        Self { count, low: count, high: count, exact: true }
    }
}

impl Default for Distinct {
    fn default() -> Self {
        Self::Few(HashSet::new())
    }
}

impl Distinct {
    /// Adds a value.
    pub(crate) fn add(&mut self, value: &str) {
        // The state of the hasher is constant, so each run has the same result.
        let mut hasher = FixedState::default().build_hasher();
        hasher.write(value.as_bytes());
        self.add_fingerprint(hasher.finish());
    }

    // HyperLogLog keeps a register for each of 2^14 groups of hashes: the longest run of zeros that a hash of the group
    // has. Many different values make long runs. A value that comes again changes no register.
    //
    // Invariant: `Few` has at most `EXACT` fingerprints. The change to `Many` is made once, and adds the same
    // fingerprints as if the sketch had seen all values from the start.
    fn add_fingerprint(&mut self, fingerprint: u64) {
        match self {
            Self::Many(sketch) => sketch.update(fingerprint),
            Self::Few(seen) => {
                seen.insert(fingerprint);
                if seen.len() > EXACT {
                    *self = Self::Many(sketch(seen));
                }
            }
        }
    }

    /// Adds the values of another counter.
    pub(crate) fn merge(&mut self, other: &Self) {
        let sketch_of = |values: &Self| match values {
            Self::Few(seen) => sketch(seen),
            Self::Many(sketch) => sketch.clone(),
        };
        match other {
            // A value that both counters have is one value: sets and registers do not count it twice.
            Self::Few(seen) => seen.iter().for_each(|value| self.add_fingerprint(*value)),
            Self::Many(theirs) => *self = Self::Many(united(&sketch_of(self), theirs)),
        }
    }

    /// Returns the number of distinct values. It is known that there are at most `most`.
    pub(crate) fn estimate(&self, most: u64) -> Estimate {
        match self {
            Self::Few(seen) => Estimate::exact(seen.len() as u64),
            Self::Many(sketch) => {
                // The estimate of a sketch that was never united depends on the order of its values. The estimate of a
                // union depends on the registers alone, which are the same however threads divide the values.
                let sketch = united(sketch, sketch);
                let low = whole(sketch.lower_bound(NumStdDev::Three).floor());
                let high = whole(sketch.upper_bound(NumStdDev::Three).ceil());
                // More than `EXACT` fingerprints were seen before the sketch began. So no bound is smaller than that.
                let inside = |count: u64| count.max(EXACT as u64 + 1).min(most);
                let count = inside(whole(sketch.estimate().round()));
                Estimate { count, low: inside(low), high: inside(high), exact: false }
            }
        }
    }
}

/// Returns a sketch of a few values.
fn sketch(seen: &HashSet<u64>) -> HllSketch {
    let mut sketch = HllSketch::new(REGISTERS, HllType::Hll8);
    seen.iter().for_each(|fingerprint| sketch.update(fingerprint));
    sketch
}

fn united(a: &HllSketch, b: &HllSketch) -> HllSketch {
    let mut union = HllUnion::new(REGISTERS);
    union.update(a);
    union.update(b);
    union.get_result(HllType::Hll8)
}

/// Returns a number of values as an integer.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "no estimate is negative, and one that is too large is cut to the number of all values"
)]
const fn whole(estimate: f64) -> u64 {
    estimate as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl Iterator<Item = u32>) -> Distinct {
        let mut distinct = Distinct::default();
        values.for_each(|value| distinct.add(&value.to_string()));
        distinct
    }

    #[test]
    fn few_values_are_counted_exactly_and_many_within_the_bounds() {
        for count in [0, 1, 9_999, 10_000] {
            let distinct = of((0..count).chain(0..count)).estimate(u64::MAX);
            assert_eq!(distinct, Estimate::exact(u64::from(count)));
        }
        for count in [10_001, 12_345, 50_000, 300_000, 1_000_000_u32] {
            let Estimate { count: found, low, high, exact } = of(0..count).estimate(u64::MAX);
            let count = u64::from(count);
            assert!(!exact && low <= count && count <= high, "{count}: {low} to {high}");
            assert!(low <= found && found <= high && high - low < count / 10, "{found}");
        }
        assert_eq!(of(0..20_000).estimate(20_000).high, 20_000);
    }

    #[test]
    fn the_estimate_is_the_same_however_values_are_divided() {
        for count in [9_000, 15_000, 40_000] {
            let whole = of(0..count).estimate(u64::MAX);
            for threads in [2, 3, 7] {
                let mut merged = Distinct::default();
                for thread in (0..threads).rev() {
                    merged.merge(&of((0..count).filter(|value| value % threads == thread)));
                }
                assert_eq!(merged.estimate(u64::MAX), whole, "{count} {threads}");
            }
        }
    }
}
