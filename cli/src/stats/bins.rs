//! Histograms of numbers. Not here: what the numbers are.

use serde::Serialize;

/// How numbers are put into bins.
#[derive(Clone, Copy)]
pub(crate) enum Scale {
    /// A bin for each number up to this, and a bin for all greater numbers.
    Each(u32),
    /// A bin for 0, and a bin from each power of two to the next: 1, 2 to 3, 4 to 7.
    PowersOfTwo,
}

/// A histogram.
pub(crate) struct Bins {
    scale: Scale,
    counts: [u64; 65],
    least: u64,
    greatest: u64,
    sum: u128,
}

/// A bin that is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Bin {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) count: u64,
}

/// What a histogram shows.
#[derive(Debug, Serialize)]
pub(crate) struct Spread {
    /// The least number that was added.
    pub(crate) least: u64,
    pub(crate) greatest: u64,
    pub(crate) mean: f64,
    /// The bins from the first to the last that is not empty.
    pub(crate) bins: Vec<Bin>,
}

impl Bins {
    pub(crate) fn new(scale: Scale) -> Self {
        Self { scale, counts: [0; 65], least: u64::MAX, greatest: 0, sum: 0 }
    }

    /// Adds a number.
    pub(crate) fn add(&mut self, number: u64) {
        // For example, `Each(2)` puts 0, 1 and 2 into the bins 0, 1 and 2, and all greater numbers into bin 3.
        // `PowersOfTwo` puts 0 into bin 0, 1 into bin 1, 2 and 3 into bin 2: the number of the bin is the number of
        // binary digits.
        let bin = match self.scale {
            Scale::Each(most) => number.min(u64::from(most) + 1),
            Scale::PowersOfTwo => u64::from(u64::BITS - number.leading_zeros()),
        };
        let counter = usize::try_from(bin).ok().and_then(|bin| self.counts.get_mut(bin));
        if let Some(counter) = counter {
            *counter += 1;
        }
        self.least = self.least.min(number);
        self.greatest = self.greatest.max(number);
        self.sum += u128::from(number);
    }

    /// Adds the numbers of another histogram with the same scale.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
        self.sum += other.sum;
    }

    /// Returns what is shown; `None` if no number was added.
    #[expect(clippy::cast_precision_loss, reason = "a mean is shown with one decimal")]
    pub(crate) fn spread(&self) -> Option<Spread> {
        let number: u64 = self.counts.iter().sum();
        let (least, greatest) = (self.least, self.greatest);
        let number_of_bins = match self.scale {
            Scale::Each(most) => most as usize + 2,
            Scale::PowersOfTwo => self.counts.len(),
        };
        let bins = (0_u32..).zip(self.counts).take(number_of_bins).map(|(bin, count)| {
            let (from, to) = match (self.scale, bin) {
                (Scale::Each(most), _) if bin > most => (u64::from(bin), greatest),
                (Scale::Each(_), _) => (u64::from(bin), u64::from(bin)),
                (Scale::PowersOfTwo, 0) => (0, 0),
                (Scale::PowersOfTwo, _) => {
                    let from = 1 << (bin - 1);
                    (from, from + (from - 1))
                }
            };
            Bin { from, to, count }
        });
        // The last bin of `Each` ends at `greatest`. If no number is in it, it begins after `greatest`, and is left
        // out.
        let shown = bins.filter(|bin| bin.to >= least && bin.from <= greatest);
        (number > 0).then(|| {
            let mean = (self.sum as f64 / number as f64 * 10.0).round() / 10.0;
            Spread { least, greatest, mean, bins: shown.collect() }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(scale: Scale, numbers: &[u64]) -> Bins {
        let mut bins = Bins::new(scale);
        numbers.iter().for_each(|number| bins.add(*number));
        bins
    }

    #[test]
    fn numbers_are_in_the_bins_that_hold_them() {
        let bin = |from, to, count| Bin { from, to, count };
        let spread = of(Scale::PowersOfTwo, &[1, 4, 7, 8]).spread().unwrap();
        assert_eq!(spread.bins, [bin(1, 1, 1), bin(2, 3, 0), bin(4, 7, 2), bin(8, 15, 1)]);
        assert_eq!((spread.least, spread.greatest, spread.mean), (1, 8, 5.0));
        let spread = of(Scale::Each(2), &[1, 2, 2, 3, 9]).spread().unwrap();
        assert_eq!(spread.bins, [bin(1, 1, 1), bin(2, 2, 2), bin(3, 9, 2)]);
        let extremes = of(Scale::PowersOfTwo, &[0, u64::MAX]).spread().unwrap();
        assert_eq!(extremes.bins.len(), 65);
        assert_eq!(extremes.bins.last(), Some(&bin(1 << 63, u64::MAX, 1)));
        assert!(of(Scale::Each(2), &[]).spread().is_none());
    }

    #[test]
    fn merging_is_adding() {
        let mut bins = of(Scale::PowersOfTwo, &[3, 40]);
        bins.merge(&of(Scale::PowersOfTwo, &[]));
        bins.merge(&of(Scale::PowersOfTwo, &[0, 41]));
        let whole = of(Scale::PowersOfTwo, &[3, 40, 0, 41]).spread().unwrap();
        assert_eq!(format!("{:?}", bins.spread().unwrap()), format!("{whole:?}"));
    }
}
