//! Many texts, parsed one after the other; texts of about the same length follow one another.
//!
//! Not here: where the texts come from (`found`, `batch`), and the use of the results.
#![forbid(unsafe_code)]

use super::bitset::ROOM;
use super::chunk::ItemBytes;
use super::spans::Spans;
use crate::parse::Rule;
use crate::scan::{BLOCK, Block, Cpu, CpuLevel, Job, as_chunks};
use crate::tables::AsciiSet;

/// From this number of texts on, sorting them by length saves time.
const MANY: u32 = 16;

/// Parses the texts, and keeps the results.
pub(crate) trait Sink {
    /// Parses text `number`. Implementations are `#[inline(always)]`.
    fn take(&mut self, number: u8, level: CpuLevel, rule: Rule, text: &[u8]);
}

/// Parses the texts of `bytes` at `spans` whose bits are set in `which`. The texts are well-formed UTF-8.
///
/// If many of 64 texts are parsed, texts of about the same length come one after the other, because the parser branches
/// on the length.
pub(crate) fn parse_many<K: Sink>(
    level: CpuLevel,
    rule: Rule,
    bytes: &ItemBytes<'_>,
    spans: &Spans,
    which: [u64; ROOM / 64],
    sink: &mut K,
) {
    let (starts, ends) = (as_chunks(&spans.starts).0, as_chunks(&spans.ends).0);
    for (((starts, ends), which), base) in starts.iter().zip(ends).zip(which).zip((0..).step_by(64))
    {
        let classes = match which.count_ones() {
            0 => continue,
            1..MANY => [!0, 0, 0],
            _ => classes(level, starts, ends),
        };
        for class in classes {
            let mut left = which & class;
            while left != 0 {
                let number = base + left.trailing_zeros() as u8;
                left &= left - 1;
                sink.take(number, level, rule, bytes.of(spans, number));
            }
        }
    }
}

/// [`LengthClasses`] at a level. Not generic, so that the kernels are compiled in this crate.
fn classes(level: CpuLevel, starts: &[usize; BLOCK], ends: &[usize; BLOCK]) -> [u64; 3] {
    level.run(LengthClasses { starts, ends })
}

/// A job that finds which of 64 texts have fewer than 64 bytes, which have 64 to 127, and which have more.
struct LengthClasses<'a> {
    starts: &'a [usize; BLOCK],
    ends: &'a [usize; BLOCK],
}

impl Job for LengthClasses<'_> {
    type Output = [u64; 3];

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> [u64; 3] {
        let mut blocks = [0; BLOCK];
        for (blocks, (start, end)) in blocks.iter_mut().zip(self.starts.iter().zip(self.ends)) {
            *blocks = (end.wrapping_sub(*start) / BLOCK).min(2) as u8;
        }
        let blocks = simd.load(&blocks, 0);
        let (one, two) = (blocks.ascii(&AsciiSet::just(0)), blocks.ascii(&AsciiSet::just(1)));
        [one, two, !(one | two)]
    }
}
