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

/// Returns the items of a chunk that match the rule and have no sign of a change. The signs of sure items are known.
#[cfg_attr(not(optimized), inline)]
pub(super) fn items(level: CpuLevel, rule: Rule, buffer: &[u8], chunk: &Chunk) -> Bits {
    let all = Bits::below(chunk.found.len).without(chunk.null).without(chunk.ill_formed);
    let sure = chunk.sure();
    let mut normal = sure.without(Bits(chunk.found.signs));
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
    /// Returns one bit or more in each sure text with a sign ([`has_sign`]), and none in the other sure texts. `text` is the
    /// text of the sets, whose `cursors` were moved.
    ///
    /// Upper-case letters are signs only in a scheme and in a host. A cursor that stops at such a letter finds them:
    ///
    /// ```text
    /// text                  h  T  t  p  :  /  /  b  .  C  /  D  \n
    /// start                 1
    /// first in the scheme      1                                     start + the lower-case letters of SCHEME
    /// end of the scheme                 1                            that cursor + SCHEME; a sign where it is a colon
    /// authority                                  1
    /// first in the host                                1             authority + NAME without upper-case letters
    /// ```
    ///
    /// Without a colon, the text has no scheme, and the letters are those of a path. A sure text has no userinfo, and its
    /// port has no letters.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "an index into arrays of one length, below it")]
    pub(super) fn signs<S: Long>(
        &self,
        simd: S,
        text: &[u8],
        is_touching: bool,
        cursors: &Cursors,
    ) -> Bitset {
        let Self { ends: Bitset(ends), non_ascii: Bitset(non_ascii), of, .. } = self;
        let [scheme, letter, colon, name, end, _, path, triplet] = of.each_ref().map(|set| &set.0);
        let (Bitset(stops), Bitset(authority)) = (&cursors.stops, &cursors.authority);
        let [mut signs, mut upper, mut first, mut lower] = [[0; BLOCKS]; 4];
        let (mut after_end, mut second, mut after_slash) =
            (Next(1 << (BLOCK - 1)), Next(0), Next(0));
        for i in 0..BLOCKS {
            let block = simd.load(text, i * BLOCK);
            let letters = block.ascii(&UPPER);
            // Neither separators nor, where texts touch, first bytes.
            upper[i] = letters & scheme[i];
            lower[i] = scheme[i] & !upper[i];
            let slash = end[i] & path[i];
            signs[i] = triplet[i] & !scheme[i] | block.ascii(&DOT) & after_slash.of(slash);
            let start = after_end.of(ends[i]);
            first[i] = if is_touching {
                // A text that touches others has a scheme, which begins with its first byte.
                signs[i] |= letters & stops[i];
                second.of(start & letter[i])
            } else {
                start & letter[i]
            };
            if non_ascii[i] != 0 {
                for [lead, _] in &BIDI_CONTROL_PAIRS {
                    signs[i] |= block.high(lead);
                }
            }
        }
        simd.add(&mut first, &lower);
        for i in 0..BLOCKS {
            first[i] &= upper[i];
        }
        simd.add(&mut first, scheme);
        let mut host = *authority;
        for i in 0..BLOCKS {
            signs[i] |= first[i] & !scheme[i] & colon[i];
            lower[i] = (name[i] | non_ascii[i]) & !upper[i];
        }
        simd.add(&mut host, &lower);
        for i in 0..BLOCKS {
            signs[i] |= host[i] & upper[i];
        }
        Bitset(signs)
    }
}
