//! The most frequent keys of a stream, in a bounded memory: the sketch of Misra and Gries. Not here: what
//! the keys are.
//!
//! A table holds a counter for each key. When the table is full, it subtracts the median counter from all
//! counters, and drops the keys whose counters are not greater than the median:
//!
//! ```text
//! a:9 b:5 c:3 d:1 e:1   is full, and its median is 3
//! a:6 b:2               a and b are now counted 3 too low, and no dropped key had more than 3
//! ```
//!
//! So a counter is never too high, and it is too low by at most the sum of all medians that were subtracted, which is
//! `error`. Each median is subtracted from at least half of the counters of a full table, so `error` is at most the sum
//! of all counts times `2 / ROOM`. A key whose counter is not greater than `error` may be rarer than a key that was
//! dropped, so it is not called frequent. A table that was never full is exact. The sketch Space-Saving has the same
//! guarantee, but needs the keys in the order of their counts all the time.

use foldhash::HashMap;

use crate::invariant::present;

/// How many keys a table holds. Below this number of keys, counts are exact.
pub(crate) const ROOM: usize = 1 << 15;

/// The longest key in bytes. Longer keys are counted by their beginning.
const LONGEST: usize = 256;

/// Counts by key.
#[derive(Default)]
pub(crate) struct Top {
    counts: HashMap<Box<str>, u64>,
    /// The sum of all counts that were added.
    total: u64,
    /// The most by which each count may be too low.
    error: u64,
    /// Whether some key was cut. A key that was cut may stand for several keys.
    is_cut: bool,
}

/// The most frequent keys of a table.
pub(crate) struct Ranking {
    /// The most frequent keys and their counts, the greatest first. No key that was dropped is more frequent.
    pub(crate) first: Vec<(Box<str>, u64)>,
    /// The number of different keys, if it is known.
    pub(crate) keys: Option<usize>,
    pub(crate) total: u64,
    pub(crate) error: u64,
}

impl Top {
    /// Adds to the count of a key.
    pub(crate) fn add(&mut self, key: &str, count: u64) {
        self.total += count;
        // A known key needs no new memory. A key that is too long is shortened below.
        if let Some(counter) = self.counts.get_mut(key) {
            *counter += count;
            return;
        }
        self.is_cut |= key.len() > LONGEST;
        *self.counts.entry(shortened(key)).or_default() += count;
        // The table may have one key more than `ROOM` for a moment. After `halve`, it has at most half of the keys.
        if self.counts.len() > ROOM {
            self.halve();
        }
    }

    /// Subtracts the median of the counters, and drops the keys whose counters become 0.
    // The key that was just added takes part: if its counter is not greater than the median, it is dropped at once.
    //
    // Invariant: for each key, the counter is at most the true count, and the true count is at most the counter and
    // `error`. A dropped key has the counter 0, so its true count is at most `error`.
    //
    // PERF: `select_nth_unstable` takes linear time, and at least half of the counters go. So the time for each new key
    // is constant on average.
    fn halve(&mut self) {
        let mut counts: Vec<u64> = self.counts.values().copied().collect();
        let middle = counts.len() / 2;
        let (_, median, _) = counts.select_nth_unstable(middle);
        let median = *median;
        self.counts.retain(|_, count| {
            *count = count.saturating_sub(median);
            *count > 0
        });
        self.error += median;
    }

    /// Returns the most frequent keys. Keys with the same count are in the order of their characters.
    pub(crate) fn ranking(self, most: usize) -> Ranking {
        let Self { counts, total, error, is_cut } = self;
        // Without an error, no key with a count was dropped. A key that was cut may be several keys.
        let keys = (error == 0 && !is_cut).then_some(counts.len());
        // A dropped key may have any true count up to `error`. Only a greater counter is certainly more frequent.
        let mut first: Vec<_> = counts.into_iter().filter(|(_, count)| *count > error).collect();
        first
            .sort_unstable_by(|(key, count), (other, least)| least.cmp(count).then(key.cmp(other)));
        first.truncate(most);
        Ranking { first, keys, total, error }
    }
}

/// Returns a key that is short enough.
fn shortened(key: &str) -> Box<str> {
    match beginning(key, LONGEST) {
        whole if whole.len() == key.len() => whole.into(),
        beginning => format!("{beginning}…").into(),
    }
}

/// Returns the longest beginning of a text, of whole characters, that has at most `most` bytes.
pub(crate) fn beginning(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    present((0..=most).rev().find_map(|end| text.get(..end)))
}

#[cfg(test)]
mod tests {
    use foldhash::HashMapExt;

    use super::*;

    #[test]
    fn counts_are_exact_until_the_table_is_full() {
        let mut top = Top::default();
        for round in 0..3 {
            for key in 0..ROOM {
                top.add(&key.to_string(), u64::from(key % 2 == round % 2));
            }
        }
        let Ranking { first, keys, total, error } = top.ranking(3);
        let key = |key: &str| (key.into(), 2);
        assert_eq!(first, [key("0"), key("10"), key("100")]);
        assert_eq!((keys, total, error), (Some(ROOM), 3 * ROOM as u64 / 2, 0));
    }

    #[test]
    fn the_error_is_what_is_stated_and_bounded() {
        let mut top = Top::default();
        let mut truth = HashMap::<String, u64>::new();
        let mut state = 1_u64;
        for _ in 0..1_000_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // The number of zeros makes some keys frequent and most rare.
            let random = state >> 20;
            let key = match random.trailing_zeros() {
                zeros @ 1.. => zeros.to_string(),
                0 => random.to_string(),
            };
            top.add(&key, 1);
            *truth.entry(key).or_default() += 1;
        }
        let Ranking { first, keys, total, error } = top.ranking(5);
        assert!(truth.len() > 10 * ROOM && keys.is_none(), "{}", truth.len());
        assert_eq!(total, 1_000_000);
        assert!(error > 0 && error <= 2 * total / ROOM as u64, "{error}");
        assert_eq!(
            first.iter().map(|(key, _)| &**key).collect::<Vec<_>>(),
            ["1", "2", "3", "4", "5"]
        );
        for (key, count) in first {
            let true_count = *truth.get(&*key).unwrap();
            assert!(
                count <= true_count && true_count <= count + error,
                "{key}: {count} {true_count}"
            );
        }
    }

    #[test]
    fn long_keys_are_cut_between_characters() {
        let mut top = Top::default();
        for end in ["a", "b"] {
            top.add(&format!("x{}{end}", "é".repeat(200)), 1);
        }
        let Ranking { first, total, keys, .. } = top.ranking(9);
        assert_eq!(keys, None);
        assert_eq!((first, total), (vec![(format!("x{}…", "é".repeat(127)).into(), 2)], 2));
    }
}
