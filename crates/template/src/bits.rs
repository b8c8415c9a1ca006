//! A bit for each place of a text, in words of 64 bits.
#![forbid(unsafe_code)]

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// The number of bits of a word.
const WORD: usize = u64::BITS as usize;

/// A bit for each place. A place beyond the last word has no bit.
#[derive(Clone)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// Returns bits of which none is set, for the places before `length`.
    pub(super) fn new(length: usize) -> Self {
        Self(vec![0; length.div_ceil(WORD)])
    }

    pub(super) fn set(&mut self, at: usize) {
        if let Some(word) = self.0.get_mut(at / WORD) {
            *word |= 1 << (at % WORD);
        }
    }

    pub(super) fn has(&self, at: usize) -> bool {
        self.word(at / WORD) >> (at % WORD) & 1 == 1
    }

    /// Returns the number of words.
    pub(super) fn words(&self) -> usize {
        self.0.len()
    }

    pub(super) fn word(&self, number: usize) -> u64 {
        self.0.get(number).copied().unwrap_or_default()
    }

    /// Returns the word in which a bit is set if the bit after it is set here.
    pub(super) fn before(&self, number: usize) -> u64 {
        self.word(number) >> 1 | self.word(number + 1) << (WORD - 1)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Returns the first and the last place with a bit.
    pub(super) fn ends(&self) -> Option<(usize, usize)> {
        let first = self.0.iter().position(|word| *word != 0)?;
        let last = self.0.iter().rposition(|word| *word != 0)?;
        let at = |number: usize, bit: u32| number * WORD + bit as usize;
        Some((
            at(first, self.word(first).trailing_zeros()),
            at(last, u64::BITS - 1 - self.word(last).leading_zeros()),
        ))
    }

    /// Returns as many words of bits, which are computed from the highest down.
    pub(super) fn made_down(&self, mut word: impl FnMut(usize) -> u64) -> Self {
        let mut bits = vec![0; self.0.len()];
        bits.iter_mut().enumerate().rev().for_each(|(number, bits)| *bits = word(number));
        Self(bits)
    }

    /// Returns the places with a bit in `words`, from the last to the first.
    pub(super) fn places(&self, words: impl Fn(usize) -> u64) -> impl Iterator<Item = usize> {
        (0..self.0.len()).rev().flat_map(move |number| {
            let mut word = words(number);
            core::iter::from_fn(move || {
                let bit = word.checked_ilog2()?;
                word &= !(1 << bit);
                Some(number * WORD + bit as usize)
            })
        })
    }
}

/// Returns the first place from `from` on without a bit in `words`.
pub(super) fn first_clear(words: impl Fn(usize) -> u64, from: usize) -> usize {
    let mut number = from / WORD;
    let mut clear = !words(number) >> (from % WORD) << (from % WORD);
    while clear == 0 {
        number += 1;
        clear = !words(number);
    }
    number * WORD + clear.trailing_zeros() as usize
}

/// Tells whether each place of a range has a bit in `words`. Reads the words of the range alone.
pub(super) fn is_set(words: impl Fn(usize) -> u64, range: &Range<usize>) -> bool {
    let words = |number| if number * WORD < range.end { words(number) } else { 0 };
    first_clear(words, range.start) >= range.end
}

/// Returns the last place from `from` to `to`, both included, with a bit in `words`.
pub(super) fn last_set(words: impl Fn(usize) -> u64, from: usize, to: usize) -> Option<usize> {
    let mut number = to / WORD;
    let mut set = words(number) & (u64::MAX >> (WORD - 1 - to % WORD));
    loop {
        if let Some(bit) = set.checked_ilog2() {
            return Some(number * WORD + bit as usize).filter(|place| *place >= from);
        }
        if number <= from / WORD {
            return None;
        }
        number -= 1;
        set = words(number);
    }
}

/// Returns `ends`, and the bits below each end that a row of bits of `run` joins to it. `carry` tells whether the lowest
/// bit of the next word is in its result.
///
/// ```text
/// bit     7 6 5 4 3 2 1 0
/// ends    . 1 . . . . 1 .
/// run     . 1 1 1 . 1 . 1
/// result  . 1 1 1 . . 1 1
/// ```
pub(super) fn smear(ends: u64, mut run: u64, carry: bool) -> u64 {
    let mut result = ends | u64::from(carry) << (WORD - 1) & run;
    for shift in [1, 2, 4, 8, 16, 32] {
        result |= result >> shift & run;
        run &= run >> shift;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smear_is_what_single_steps_give() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            seed ^ seed >> 29
        };
        for _ in 0..10_000 {
            let (ends, run, carry) =
                (random() & random() & random(), random() | random(), random() & 1 == 1);
            let mut expected = ends;
            let mut after = carry;
            for bit in (0..64).rev() {
                if after && run >> bit & 1 == 1 {
                    expected |= 1 << bit;
                }
                after = expected >> bit & 1 == 1;
            }
            assert_eq!(smear(ends, run, carry), expected, "{ends:b} {run:b} {carry}");
        }
    }

    #[test]
    fn places_are_found_across_words() {
        let mut bits = Bits::new(200);
        for place in [0, 63, 64, 130, 199] {
            bits.set(place);
        }
        assert!(bits.places(|word| bits.word(word)).eq([199, 130, 64, 63, 0]));
        assert_eq!(bits.ends(), Some((0, 199)));
        assert_eq!(first_clear(|word| bits.word(word), 63), 65);
        assert_eq!(last_set(|word| bits.word(word), 64, 129), Some(64));
        assert_eq!(last_set(|word| bits.word(word), 65, 129), None);
        assert_eq!(bits.before(0), 1 << 62 | 1 << 63);
    }
}
