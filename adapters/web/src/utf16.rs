//! Strings of JavaScript: their units in UTF-8, and offsets in units.

use core::ops::Range;

use simd_iri::Parts;

/// The units of ASCII that are narrowed at once.
const BLOCK: usize = 16;

/// Writes units of UTF-16 as UTF-8 into `out`, and returns the number of bytes. Half of a surrogate pair becomes U+FFFD, as
/// in each interface of the web that takes a string.
pub(crate) fn narrow(units: &[u16], out: &mut [u8]) -> usize {
    let mut length = 0;
    let mut blocks = units.chunks_exact(BLOCK);
    let mut rest = units;
    for (block, place) in blocks.by_ref().zip(out.chunks_exact_mut(BLOCK)) {
        if block.iter().fold(0, |all, unit| all | unit) >= 0x80 {
            break;
        }
        place.iter_mut().zip(block).for_each(|(byte, unit)| *byte = *unit as u8);
        length += BLOCK;
        rest = rest.get(BLOCK..).unwrap_or_default();
    }
    for read in char::decode_utf16(rest.iter().copied()) {
        let character = read.unwrap_or(char::REPLACEMENT_CHARACTER);
        let Some(place) = out.get_mut(length..length + character.len_utf8()) else { break };
        character.encode_utf8(place);
        length += character.len_utf8();
    }
    length
}

/// Returns offsets into UTF-8 as offsets into the same text in UTF-16. The offsets ascend, and each is between two
/// characters. One pass over the text from the first eight bytes that are not ASCII.
// A unit begins at each byte that does not continue a character, and a second one at each lead byte of four:
//
//     text       a   C3 A9   F0 9F 98 80   b
//     units      1   1       2             1
//     UTF-8      0   1       3             7
//     UTF-16     0   1       2             4
pub(crate) fn offsets<const N: usize>(text: &[u8], mut offsets: [u32; N]) -> [u32; N] {
    let ascii = 8 * text.chunks_exact(8).take_while(|word| word.is_ascii()).count();
    let (mut at, mut units) = (ascii as u32, ascii as u32);
    for offset in &mut offsets {
        if *offset > at {
            units += length(text.get(at as usize..*offset as usize).unwrap_or_default());
            at = *offset;
        }
        if *offset == at {
            *offset = units;
        }
    }
    offsets
}

/// Returns a range of UTF-8 as a range of the same text in UTF-16.
pub(crate) fn range(text: &[u8], range: Range<usize>) -> [u32; 2] {
    offsets(text, [range.start as u32, range.end as u32])
}

/// Returns the number of units of a text in UTF-8.
// PERF: eight bytes at once. In the bit 0 of each byte of a word, `continues` has the bytes 10xxxxxx, and `four` has the bytes
// 1111xxxx.
pub(crate) fn length(text: &[u8]) -> u32 {
    const ONES: u64 = u64::MAX / 0xFF;
    let mut units = text.len() as u32;
    let mut words = text.chunks_exact(8);
    let mut add = |word: u64| {
        let continues = (word >> 7) & !(word >> 6) & ONES;
        let four = (word >> 7) & (word >> 6) & (word >> 5) & (word >> 4) & ONES;
        units = units + four.count_ones() - continues.count_ones();
    };
    words
        .by_ref()
        .filter_map(|word| word.try_into().ok())
        .map(u64::from_le_bytes)
        .for_each(&mut add);
    // The bytes that are not there are ASCII here.
    let rest = words.remainder().iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    add(rest);
    units
}

/// Returns where components begin and end: the end of the scheme, the starts of the authority and of the host, the end
/// of the host, the start and the end of the path, the end of the query, and the end. They ascend. An absent component
/// has no delimiter between its offsets.
pub(crate) fn of_parts(parts: &Parts) -> [u32; 8] {
    let scheme_end = parts.scheme().map_or(0, |scheme| scheme.end);
    let path = parts.path();
    let authority = parts.authority().map_or(path.start, |authority| authority.start);
    let host = parts.host().unwrap_or(path.start..path.start);
    let query_end = parts.query().map_or(path.end, |query| query.end);
    let end = parts.fragment().map_or(query_end, |fragment| fragment.end);
    [scheme_end, authority, host.start, host.end, path.start, path.end, query_end, end]
        .map(|offset| offset as u32)
}

/// The offsets of a text in UTF-16, for offsets in any order.
#[cfg(feature = "check")]
pub(crate) struct Offsets {
    /// The number of units before each byte, if the text is not ASCII.
    before: Option<Vec<u32>>,
}

#[cfg(feature = "check")]
impl Offsets {
    pub(crate) fn of(text: &[u8]) -> Self {
        let before = (!text.is_ascii()).then(|| {
            let mut units = 0;
            let starts = text.iter().map(|byte| {
                let before = units;
                units += length(&[*byte]);
                before
            });
            let mut before: Vec<u32> = starts.collect();
            before.push(units);
            before
        });
        Self { before }
    }

    /// Returns a range of UTF-8 as the start and the end in UTF-16.
    pub(crate) fn range(&self, range: Range<usize>) -> [u32; 2] {
        [range.start, range.end].map(|at| match &self.before {
            None => at as u32,
            Some(before) => before.get(at).or(before.last()).copied().unwrap_or(0),
        })
    }
}
