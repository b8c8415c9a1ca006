//! Triplets → octets, and letters of names in lower case, in one pass: what of a text is the same
//! whatever it is written as.
//!
//! Here: the definition, which is what `Simd::settle` must equal, and the walk over a text. Not here:
//! which octets are decoded where, and which characters must not come of it (`transform`).

use alloc::string::String;
use core::mem::{self, MaybeUninit};
use core::ops::Range;

use super::triplets::{PERCENT, triplet};
use super::utf8::IsUtf8;
use super::{BLOCK, CpuLevel, Job, Simd, below};
use crate::tables::{AsciiSet, HEXDIG};

/// The last digit of those that are no letters.
pub(super) const NINE: u8 = b'9';
/// The first letter of upper case.
#[cfg(target_arch = "x86_64")]
pub(super) const UPPER_A: u8 = b'A';
/// The bit in which a letter differs from its other case.
#[cfg(target_arch = "x86_64")]
pub(super) const CASE: u8 = UPPER_A ^ b'a';

/// Which triplets are decoded. The others are written in upper case.
#[derive(Clone, Copy)]
pub(crate) struct Decoded {
    /// Those of these octets.
    pub(crate) ascii: AsciiSet,
    /// Those of octets from 0x80 up.
    pub(crate) above: bool,
}

impl Decoded {
    /// Tells whether the triplet of an octet is decoded.
    #[cfg_attr(optimized, inline(always))]
    const fn has(&self, octet: u8) -> bool {
        if octet.is_ascii() { self.ascii.contains(octet) } else { self.above }
    }
}

/// Appends `text` to `out`, with its triplets decoded or in upper case, and with the letters of ASCII
/// in `lower` in lower case, those that were encoded among them. `N` places in the text, none inside
/// of a triplet, and what they become in `out`; and whether a triplet was decoded.
///
/// `None` if what was decoded is not UTF-8; then nothing is appended. One pass, and one over the
/// result if `decoded.above`. Nothing is allocated if there is room for the text and 64 bytes.
#[inline]
pub(crate) fn settle<const N: usize>(
    text: &str,
    decoded: Decoded,
    lower: [Range<usize>; 2],
    places: [u32; N],
    out: &mut String,
) -> Option<([u32; N], bool)> {
    CpuLevel::best().run(Settle { text: text.as_bytes(), decoded, lower, places, out })
}

/// The walk.
struct Settle<'a, const N: usize> {
    text: &'a [u8],
    decoded: Decoded,
    lower: [Range<usize>; 2],
    places: [u32; N],
    out: &'a mut String,
}

impl<const N: usize> Job for Settle<'_, N> {
    type Output = Option<([u32; N], bool)>;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let Self { text, decoded, lower, places, out } = self;
        // No string while it may not be UTF-8.
        let mut bytes = mem::take(out).into_bytes();
        let start = bytes.len();
        let mut moved = places.map(|place| place + start as u32);
        let (mut at, mut is_decoded) = (0, false);
        let lower_end = lower.iter().fold(0, |end, range| end.max(range.end));
        while at < text.len() {
            let block = uncut(text.get(at..).unwrap_or_default());
            // Names are in the first blocks of most references, and of others nowhere.
            let lower = if at < lower_end { lower_in(&lower, at) } else { 0 };
            bytes.reserve(BLOCK);
            let Some(room) = bytes.spare_capacity_mut().first_chunk_mut() else { break };
            let (written, triplets) = simd.settle(block, lower, &decoded, room);
            // SAFETY: there is room for a block, and so many bytes of it were written.
            unsafe { bytes.set_len(bytes.len() + written) };
            if triplets != 0 {
                is_decoded = true;
                for (moved, place) in moved.iter_mut().zip(places) {
                    let before = (place as usize).saturating_sub(at);
                    *moved -= 2 * (triplets & below(before)).count_ones();
                }
            }
            at += block.len();
        }
        let result = bytes.get(start..).unwrap_or_default();
        let is_utf8 = !(decoded.above && is_decoded) || IsUtf8(result).run(simd);
        if !is_utf8 {
            bytes.truncate(start);
        }
        // SAFETY: what was there is UTF-8. So is what was appended, or it was looked at: bytes of a
        // text, of which triplets have become ASCII and ASCII letters other ones.
        *out = unsafe { String::from_utf8_unchecked(bytes) };
        is_utf8.then_some((moved, is_decoded))
    }
}

/// What of the block at `at` is in a range.
#[cfg_attr(optimized, inline(always))]
fn lower_in(ranges: &[Range<usize>; 2], at: usize) -> u64 {
    ranges.iter().fold(0, |all, range| {
        let [start, end] = [range.start, range.end].map(|place| place.saturating_sub(at));
        all | below(end) & !below(start)
    })
}

/// The first block of a text, or less, so that no triplet is cut.
#[cfg_attr(optimized, inline(always))]
fn uncut(text: &[u8]) -> &[u8] {
    let Some((block, [_, ..])) = text.split_at_checked(BLOCK) else { return text };
    let cut = match block {
        [.., PERCENT, _] => 2,
        [.., PERCENT] => 1,
        _ => 0,
    };
    block.get(..BLOCK - cut).unwrap_or_default()
}

/// What `Simd::settle` does, byte by byte.
#[cfg_attr(optimized, inline(always))]
pub(super) fn settled(
    block: &[u8],
    lower: u64,
    decoded: &Decoded,
    room: &mut [MaybeUninit<u8>; BLOCK],
) -> (usize, u64) {
    let (mut at, mut end, mut triplets) = (0, 0, 0);
    let mut push = |bytes: &[u8]| {
        if let Some(room) = room.get_mut(end..end + bytes.len()) {
            for (room, byte) in room.iter_mut().zip(bytes) {
                room.write(*byte);
            }
            end += bytes.len();
        }
    };
    while let Some(byte) = block.get(at) {
        let eight = block.get(at..).and_then(<[u8]>::first_chunk::<8>);
        let is_lower = lower >> at & 1 != 0;
        match (eight, octet(block, at)) {
            (Some(eight), _) if lower >> at & 0xFF == 0 && !eight.contains(&PERCENT) => {
                push(eight);
                at += eight.len();
            }
            (_, Some(octet)) if decoded.has(octet) => {
                triplets |= 1 << at;
                push(&[if is_lower { octet.to_ascii_lowercase() } else { octet }]);
                at += 3;
            }
            (_, Some(octet)) => {
                push(&triplet(octet));
                at += 3;
            }
            (_, None) => {
                push(&[if is_lower { byte.to_ascii_lowercase() } else { *byte }]);
                at += 1;
            }
        }
    }
    (end, triplets)
}

/// The octet whose triplet stands at `at`.
#[inline]
pub(crate) fn octet(bytes: &[u8], at: usize) -> Option<u8> {
    match bytes.get(at..at + 3)? {
        [PERCENT, high, low] => Some(hex(*high)? << 4 | hex(*low)?),
        _ => None,
    }
}

/// The value of a hexadecimal digit.
#[inline]
fn hex(digit: u8) -> Option<u8> {
    // The low half of a letter is 1 more than that of the digit for 0.
    HEXDIG.contains(digit).then(|| (digit & 15) + if digit > NINE { 9 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::UNRESERVED;

    /// What the documentation of [`settle`] says, character by character.
    fn expected(
        text: &str,
        decoded: Decoded,
        lower: &[Range<usize>],
        place: usize,
    ) -> Option<(String, u32, bool)> {
        let (mut result, mut moved, mut at) = (b"before".to_vec(), 0, 0);
        let mut is_decoded = false;
        while at < text.len() {
            if at == place {
                moved = result.len();
            }
            let digits = text.get(at + 1..at + 3).filter(|_| text.as_bytes()[at] == b'%');
            let is_digits = |digits: &&str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            let octet = digits.filter(is_digits);
            let octet = octet.map(|digits| u8::from_str_radix(digits, 16).unwrap());
            let mut byte = octet.unwrap_or(text.as_bytes()[at]);
            if octet.is_some() && !decoded.has(byte) {
                result.extend_from_slice(format!("%{byte:02X}").as_bytes());
                at += 3;
                continue;
            }
            if lower.iter().any(|range| range.contains(&at)) {
                byte.make_ascii_lowercase();
            }
            result.push(byte);
            is_decoded |= octet.is_some();
            at += if octet.is_some() { 3 } else { 1 };
        }
        if place >= text.len() {
            moved = result.len();
        }
        Some((String::from_utf8(result).ok()?, moved as u32, is_decoded))
    }

    #[test]
    fn every_kernel_settles_as_the_definition() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize
        };
        let pieces = [
            "a",
            "Z",
            "é",
            "ab/C.d",
            "%41",
            "%7e",
            "%2f",
            "%C3%A9",
            "%c3",
            "%a9",
            "%E3%81%82",
            "%",
            "%4",
            "%G0",
            "0123456789abcdefGH",
        ];
        let (mut count, mut refused) = (0, 0);
        for _ in 0..20_000 {
            let length = random() % 40;
            // Few kinds at a time, so that some are UTF-8.
            let (first, kinds) = (random() % pieces.len(), 1 + random() % pieces.len());
            let piece = |number: usize| pieces[(first + number % kinds) % pieces.len()];
            let text: Vec<&str> = (0..length).map(|_| piece(random())).collect();
            let place = text.iter().take(random() % (length + 1)).map(|piece| piece.len()).sum();
            let text = text.concat();
            // What precedes may make a triplet of which the place is the inside.
            let cut = [1, 2].into_iter().any(|back| {
                usize::checked_sub(place, back)
                    .is_some_and(|at| octet(text.as_bytes(), at).is_some())
            });
            if cut {
                continue;
            }
            let start = random() % 70;
            let lower = [0..start, start + random() % 30..start + 30 + random() % 100];
            for decoded in [
                Decoded { ascii: UNRESERVED, above: false },
                Decoded { ascii: UNRESERVED, above: true },
                Decoded { ascii: AsciiSet::EMPTY, above: true },
            ] {
                let expected = expected(&text, decoded, &lower, place);
                for level in CpuLevel::available() {
                    let mut out = String::from("before");
                    let (text, places) = (text.as_bytes(), [place as u32]);
                    let (lower, job_out) = (lower.clone(), &mut out);
                    let found = level.run(Settle { text, decoded, lower, places, out: job_out });
                    let found = found.map(|([moved], some)| (out.clone(), moved, some));
                    assert_eq!(found, expected, "{level:?}, {}", text.escape_ascii());
                    assert!(found.is_some() || out == "before");
                    count += 1;
                    refused += usize::from(found.is_none());
                }
            }
        }
        assert!(refused > 0 && refused < count / 2);
        println!("{count} texts settled, {refused} of them refused");
    }
}
