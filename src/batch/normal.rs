//! Finds the items of a chunk that normalization may change (RFC 3986, section 6.2.2).
//!
//! An item is in normal form for certain if it has no percent sign, no dot after a slash, no byte that may begin a
//! bidi formatting character, and no upper-case letter up to the end of its host. Masks find these signs in all items
//! of a chunk at once. The prescan of one reference (`transform/normalize/prescan.rs`) is more exact.
#![forbid(unsafe_code)]

use super::bitset::{BLOCKS, Bitset};
use super::chunk::{Bits, Chunk};
use crate::parse::{Parts, Rule, locate};
use crate::scan::{BLOCK, Block, Cpu, CpuLevel, Job, UPPER, below, slice};
use crate::tables::{HighSet, PERCENT};
use crate::transform::{BIDI_CONTROL_PAIRS, SegmentDots};

/// Returns the items of a chunk that match the rule and have no sign of a change. The parts of sure items are known.
#[cfg_attr(not(optimized), inline)]
pub(super) fn items(level: CpuLevel, rule: Rule, buffer: &[u8], chunk: &Chunk) -> Bits {
    let hull = chunk.found.spans.hull(chunk.found.len);
    let all = Bits::below(chunk.found.len).without(chunk.null).without(chunk.ill_formed);
    // The items of a column may lie anywhere.
    let is_near = hull.len() <= BLOCKS * BLOCK;
    let sure = if is_near { chunk.sure() } else { Bits::NONE };
    let mut normal = Bits::NONE;
    if !sure.is_empty() {
        let mut signs = Signs { upper: Bitset::ZERO, others: Bitset::ZERO };
        level.run_wide(Find { text: slice::bytes(buffer, hull.clone()), signs: &mut signs });
        for number in sure {
            let span = chunk.found.spans.get(number);
            let Some(start) = span.start.checked_sub(hull.start) else { continue };
            let [_, _, _, host_end, ..] = chunk.found.rows.get(number).places();
            // A dot at the start of the item follows a byte outside the item, which may be a slash.
            let first = buffer.get(span.start).filter(|_| !span.is_empty());
            let has_sign = first.is_some_and(|first| is_sign(*first))
                | signs.others.any(start + usize::from(first.is_some()), start + span.len())
                | signs.upper.any(start, start + host_end);
            normal.set(number, !has_sign);
        }
    }
    for number in all.without(sure) {
        let bytes = slice::bytes(buffer, chunk.found.spans.get(number));
        let is_normal = |parts: Parts| !has_sign(bytes, parts);
        normal.set(number, locate(level, rule, bytes).is_ok_and(is_normal));
    }
    normal
}

/// Tells whether a reference has a sign of a change. This is the definition for the masks.
fn has_sign(text: &[u8], parts: Parts) -> bool {
    let [_, _, _, host_end, ..] = parts.places();
    let mut before = None;
    text.iter().enumerate().any(|(at, byte)| {
        let is_dot = *byte == b'.' && before == Some(b'/');
        before = Some(*byte);
        is_dot || is_sign(*byte) || at < host_end && byte.is_ascii_uppercase()
    })
}

/// Tells whether a byte is a sign wherever it stands: a percent sign, or one that may begin a bidi formatting character.
fn is_sign(byte: u8) -> bool {
    let is_in = |set: &HighSet| set.bits >> (byte & 0x7F) & 1 == 1;
    byte == b'%' || !byte.is_ascii() && BIDI_CONTROL_PAIRS.iter().any(|[lead, _]| is_in(lead))
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
    fn run<S: Cpu>(self, simd: S, _: &[u8]) {
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
