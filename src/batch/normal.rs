//! Finds the items of a chunk that normalization may change (RFC 3986, section 6.2.2).
//!
//! An item is in normal form for certain if it has no percent sign, no dot after a slash, no byte that may begin a
//! bidi formatting character, and no upper-case letter up to the end of its host. Cursors find these signs in all items
//! of a chunk at once. The prescan of one reference (`transform/normalize/prescan.rs`) is more exact.
#![forbid(unsafe_code)]

use super::bitset::{BLOCKS, Bitset};
use super::chunk::{Bits, Chunk};
use super::cursors::{Cursors, Next, Sets};
use crate::parse::{Parts, Rule, locate};
use crate::scan::{BLOCK, Block, CpuLevel, Long, UPPER, slice};
use crate::tables::HighSet;
use crate::transform::{BIDI_CONTROL_PAIRS, DOT};

/// Returns the items of a chunk that match the rule and have no sign of a change. It is known of sure items.
#[cfg_attr(not(optimized), inline)]
pub(super) fn items(level: CpuLevel, rule: Rule, buffer: &[u8], chunk: &Chunk) -> Bits {
    let all = Bits::below(chunk.found.len).without(chunk.null).without(chunk.ill_formed);
    let sure = chunk.sure();
    let mut normal = sure.and(Bits(chunk.found.normal));
    for number in all.without(sure) {
        let bytes = slice::bytes(buffer, chunk.found.spans.get(number));
        let is_normal = |parts: Parts| !has_sign(bytes, parts);
        normal.set(number, locate(level, rule, bytes).is_ok_and(is_normal));
    }
    normal
}

/// Tells whether a reference has a sign of a change. This is the definition for the cursors.
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

impl Sets {
    /// Returns the stop of each sure text that has no sign ([`has_sign`]). Bits of other texts mean nothing. `text` is the
    /// text of the sets, whose `cursors` were moved.
    ///
    /// A cursor runs from the start of each text to the first sign, or to the stop. Upper-case letters are signs only in a
    /// scheme and in a host; cursors that stop at them find those:
    ///
    /// ```text
    /// text                  h  T  t  p  :  /  /  b  .  C  /  D  \n
    /// start                 1
    /// first of the scheme      1                                     start + the other letters of SCHEME
    /// end of the scheme                 1                            that cursor + SCHEME: a sign if it is a colon
    /// authority                                  1
    /// first of the host                                1             authority + the other letters of NAME: a sign
    /// ```
    ///
    /// Without a colon, the text has no scheme, and the letters are those of a path. A sure text has no userinfo, and its
    /// port has no letters.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "an index into arrays of one length, below it")]
    pub(super) fn normal<S: Long>(
        &self,
        simd: S,
        text: &[u8],
        is_touching: bool,
        cursors: &Cursors,
    ) -> Bitset {
        let Self { ends: Bitset(ends), non_ascii: Bitset(non_ascii), of, .. } = self;
        let [scheme, letter, colon, name, end, _, path, triplet] = of.each_ref().map(|set| &set.0);
        let (Bitset(stops), Bitset(authority)) = (&cursors.stops, &cursors.authority);
        let [mut start, mut first, mut upper, mut others, mut signs] = [[0; BLOCKS]; 5];
        let mut after_end = Next(1 << (BLOCK - 1));
        let [mut after_slash, mut second, mut second_of_lower] = [Next(0); 3];
        for i in 0..BLOCKS {
            let block = simd.load(text, i * BLOCK);
            let letters = block.ascii(&UPPER);
            start[i] = after_end.of(ends[i]);
            first[i] = start[i] & letter[i];
            if is_touching {
                // The scheme begins with the first byte. Without a cursor, a text is not normal.
                start[i] = second_of_lower.of(first[i] & !letters);
                first[i] = second.of(first[i]);
            }
            // Neither separators nor, where texts touch, first bytes.
            upper[i] = letters & scheme[i];
            others[i] = scheme[i] & !letters;
            let dots = block.ascii(&DOT) & after_slash.of(end[i] & path[i]);
            signs[i] = triplet[i] & !scheme[i] | dots;
            if non_ascii[i] != 0 {
                for [lead, _] in &BIDI_CONTROL_PAIRS {
                    signs[i] |= block.high(lead);
                }
            }
        }
        simd.add(&mut first, &others);
        for i in 0..BLOCKS {
            first[i] &= upper[i];
        }
        simd.add(&mut first, scheme);
        let mut host = *authority;
        for i in 0..BLOCKS {
            signs[i] |= first[i] & !scheme[i] & colon[i];
            others[i] = (name[i] | non_ascii[i]) & !upper[i];
        }
        simd.add(&mut host, &others);
        for i in 0..BLOCKS {
            signs[i] |= host[i] & upper[i];
            others[i] = !(signs[i] | stops[i]);
        }
        simd.add(&mut start, &others);
        for i in 0..BLOCKS {
            start[i] &= stops[i];
        }
        Bitset(start)
    }
}
