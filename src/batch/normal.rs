//! Finds the items of a chunk that normalization may change (RFC 3986, section 6.2.2).
//!
//! Masks of the whole chunk answer for most items. An item is in normal form for certain if it has no percent sign, no dot after a slash, no byte that may begin a bidi formatting character, and no
//! upper-case letter up to the end of its host. The prescan of
//! `transform/normalize/prescan.rs` decides about the others, one by one.
#![forbid(unsafe_code)]

use super::bitset::{BLOCKS, Bitset};
use super::chunk::{Bits, Chunk};
use crate::parse::{Rule, locate};
use crate::reference::IriRef;
use crate::scan::{BLOCK, Block, Cpu, CpuLevel, Job, UPPER, below, slice, utf8_whole};
use crate::tables::PERCENT;
use crate::transform::{BIDI_CONTROL_PAIRS, Normalize, SegmentDots};

/// Returns those of the items `which` of a chunk that the rules may change, or that do not match the rule. The parts
/// of sure items are known.
pub(super) fn others(
    (level, rule): (CpuLevel, Rule),
    rules: Normalize,
    buffer: &[u8],
    chunk: &Chunk,
    which: Bits,
) -> Bits {
    let sure = chunk.sure();
    let left =
        if rules.is_of_syntax() { which.without(normal(level, buffer, chunk)) } else { which };
    let mut others = left;
    for number in left {
        let bytes = slice::bytes(buffer, chunk.found.spans.get(number));
        let Some(text) = utf8_whole(bytes) else { continue };
        let parts = match sure.contains(number) {
            true => Ok(chunk.found.rows.get(number)),
            false => locate(level, rule, bytes),
        };
        let is_plain = |parts| rules.is_plain(IriRef::new(text, parts), !rule.ascii_only());
        if parts.is_ok_and(is_plain) {
            others.remove(number);
        }
    }
    others
}

/// Returns the sure items of a chunk that are in normal form for certain.
fn normal(level: CpuLevel, buffer: &[u8], chunk: &Chunk) -> Bits {
    let hull = chunk.found.spans.hull(chunk.found.len);
    let mut normal = Bits::NONE;
    // The items of a column may lie anywhere.
    if hull.len() > BLOCKS * BLOCK {
        return normal;
    }
    let mut signs = Signs { upper: Bitset::ZERO, others: Bitset::ZERO };
    level.run_wide(Find { text: slice::bytes(buffer, hull.clone()), signs: &mut signs });
    for number in chunk.sure() {
        let span = chunk.found.spans.get(number);
        let Some(start) = span.start.checked_sub(hull.start) else { continue };
        let [_, _, _, host_end, ..] = chunk.found.rows.get(number).places();
        let is_changed =
            signs.others.any(start, start + span.len()) | signs.upper.any(start, start + host_end);
        normal.set(number, !is_changed);
    }
    normal
}

/// Signs of a reference that is not in normal form.
struct Signs {
    /// The upper-case letters, which are signs in a scheme and in a host.
    upper: Bitset,
    others: Bitset,
}

/// A job that finds the signs in a text.
struct Find<'a> {
    text: &'a [u8],
    signs: &'a mut Signs,
}

impl Job for Find<'_> {
    type Output = ();

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S) {
        let Self { text, signs: Signs { upper, others } } = self;
        let mut dots = SegmentDots::default();
        for ((upper, others), at) in
            upper.0.iter_mut().zip(&mut others.0).zip((0..text.len()).step_by(BLOCK))
        {
            let block = simd.load(text, at);
            *upper = block.ascii(&UPPER);
            *others = block.ascii(&PERCENT) | dots.next(block);
            if block.non_ascii() != 0 {
                for [lead, _] in &BIDI_CONTROL_PAIRS {
                    *others |= block.high(lead);
                }
            }
        }
    }
}

impl Bitset {
    /// Tells whether a bit is set from the place `from` up to the place `to`, which is not before it.
    #[cfg_attr(optimized, inline(always))]
    fn any(&self, from: usize, to: usize) -> bool {
        let (first, last) = (from / BLOCK, to / BLOCK);
        let words = self.0.get(first..=last.min(BLOCKS - 1)).unwrap_or_default();
        let mut at = first * BLOCK;
        let mut found = 0;
        for word in words {
            found |= word & below(to - at) & !below(from.saturating_sub(at));
            at += BLOCK;
        }
        found != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every range of a set with a bit in each third word, bit by bit.
    #[test]
    fn ranges_hold_the_bits_that_are_in_them() {
        let places = [0, 63, 64, 200, 321, 4095];
        let mut set = Bitset::ZERO;
        for place in places {
            set.0[place / BLOCK] |= 1 << (place % BLOCK);
        }
        let ends = (0..400).chain(4000..=BLOCKS * BLOCK);
        for from in ends.clone() {
            for to in ends.clone().filter(|to| *to >= from) {
                let expected = places.iter().any(|place| (from..to).contains(place));
                assert_eq!(set.any(from, to), expected, "{from} {to}");
            }
        }
    }
}
