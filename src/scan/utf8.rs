//! Checks by masks whether bytes are well-formed UTF-8 (RFC 3629, section 4).
//!
//! A character is a lead byte and exactly as many continuations as the lead byte requires. Four lead bytes refuse
//! some continuations as the second byte, because the character would be overlong, a surrogate, or past U+10FFFF.
//! Both rules are shifts of masks, so that characters of two and of three bytes take the same time:
//!
//! ```text
//! bytes           a  C3 A9  E2 82 AC
//! leads of 2+        1      1
//! leads of 3+               1
//! asked                 1      1  1     leads of 2+ << 1 | leads of 3+ << 2 | leads of 4 << 3
//! continuations         1      1  1     the same: well-formed
//! ```
//!
//! Not here: which bytes are lead bytes and continuations (`tables`).

use super::level::CpuLevel;
use super::{BLOCK, Block, Cpu, Job, Query, find};
use crate::tables::{UTF8_CONTINUATIONS, UTF8_LEADS, UTF8_SECONDS};

/// Tells whether a text is UTF-8.
pub(super) struct IsUtf8<'a>(pub(super) &'a [u8]);

impl Job for IsUtf8<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> bool {
        let Self(text) = self;
        if !S::MASKS {
            return core::str::from_utf8(text).is_ok();
        }
        let mut at = find(simd, text, 0, Query::NonAscii);
        // The state from the block before, for the first bytes of this block.
        let mut carry = Utf8Carry::default();
        while at < text.len() {
            match carry.after(simd.load(text, at)) {
                Some(next) => carry = next,
                None => return false,
            }
            at += BLOCK;
        }
        // A character that the end of the text cuts requires continuations that are missing.
        carry.asked == 0
    }
}

/// The state from the last bytes of a block, for the first bytes of the next block.
#[derive(Clone, Copy, Default)]
struct Utf8Carry {
    /// The places of the next block where a continuation is required.
    asked: u64,
    /// For each entry of `UTF8_SECONDS`, whether the last byte is one of its lead bytes.
    last: [u64; UTF8_SECONDS.len()],
}

impl Utf8Carry {
    /// Checks a block, with the state from the block before. Returns the state for the next block, or `None` if this
    /// block is ill-formed.
    #[inline(always)]
    fn after<B: Block>(self, block: B) -> Option<Self> {
        let [two, three, four] =
            [block.high(&UTF8_LEADS[0]), block.high(&UTF8_LEADS[1]), block.high(&UTF8_LEADS[2])];
        let continuations = block.high(&UTF8_CONTINUATIONS);
        let asked = two << 1 | three << 2 | four << 3 | self.asked;
        // The continuations must be exactly where they are required. Every other byte from 0x80 up must be a lead byte.
        let mut bad = (asked ^ continuations) | (block.non_ascii() & !(continuations | two));
        let mut last = [0; UTF8_SECONDS.len()];
        // The lead bytes that refuse some second bytes.
        for ((lead, not), (before, last)) in
            UTF8_SECONDS.iter().zip(self.last.iter().zip(&mut last))
        {
            let leads = block.high(lead);
            bad |= (leads << 1 | before) & block.high(not);
            *last = leads >> (BLOCK - 1);
        }
        let asked = two >> (BLOCK - 1) | three >> (BLOCK - 2) | four >> (BLOCK - 3);
        (bad == 0).then_some(Self { asked, last })
    }
}

/// Returns `bytes` as a string if they are UTF-8. Made for one text.
pub(crate) fn utf8(level: CpuLevel, bytes: &[u8]) -> Option<&str> {
    // SAFETY: `IsUtf8` just found that the bytes are UTF-8.
    level.run(IsUtf8(bytes)).then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// Returns `bytes` as a string if they are UTF-8. Made for many texts at once.
pub(crate) fn utf8_whole(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::super::CpuLevel;
    use super::IsUtf8;

    /// The bytes at both ends of each range of lead bytes and continuations.
    const EDGES: [u8; 22] = [
        0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
        0xED, 0xEE, 0xEF, 0xF0, 0xF3, 0xF4, 0xF5,
    ];

    #[test]
    fn agrees_with_the_standard_library() {
        // At the borders of blocks, and with nothing, ASCII or a character after the four bytes.
        let places = [0, 1, 30, 31, 32, 60, 61, 62, 63, 64, 127];
        let ends: [&[u8]; 3] = [b"", b"a", "é".as_bytes()];
        let mut count = 0_u64;
        for level in CpuLevel::available() {
            // The scalar kernel has no blocks here, and is slow: one place is enough.
            let places = if level.name() == "scalar" { &places[..1] } else { &places[..] };
            for n in 0..EDGES.len().pow(4) {
                let digits = [n, n / 22, n / 22 / 22, n / 22 / 22 / 22];
                let four = digits.map(|digit| EDGES[digit % 22]);
                for place in places {
                    let mut text = vec![b'a'; *place];
                    text.extend_from_slice(&four);
                    text.extend_from_slice(ends[n % 3]);
                    let expected = core::str::from_utf8(&text).is_ok();
                    assert_eq!(level.run(IsUtf8(&text)), expected, "{} {text:x?}", level.name());
                    count += 1;
                }
            }
        }
        println!("{count} texts, by {:?}", CpuLevel::available().collect::<Vec<_>>());
    }
}
