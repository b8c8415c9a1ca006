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
use super::{BLOCK, Block, Cpu, Job, Query, below, find};
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

/// The characters outside ASCII in a block of bytes that need not be UTF-8. A byte that is not part of a character in
/// UTF-8 is ill-formed by itself.
///
/// ```text
/// bytes         C3 A9  a  C3  b  A9  E2 82 AC
/// firsts        1                    1
/// inner            1                    1  1
/// ill-formed              1      1
/// ```
#[derive(Clone, Copy)]
pub struct Characters {
    /// The first bytes of the characters; and of those of three bytes or more, and of four bytes.
    firsts: u64,
    threes: u64,
    /// The lead bytes of four bytes, also of characters that the end of the block cuts.
    fours: u64,
    /// The bytes from 0x80.
    high: u64,
}

impl Characters {
    /// Finds the characters of a block.
    #[inline(always)]
    pub fn of<B: Block>(block: B) -> Self {
        let high = block.non_ascii();
        if high == 0 {
            return Self { firsts: 0, threes: 0, fours: 0, high };
        }
        let [leads, threes, fours] = [&UTF8_LEADS[0], &UTF8_LEADS[1], &UTF8_LEADS[2]];
        let [leads, threes, fours] = [block.high(leads), block.high(threes), block.high(fours)];
        let continuations = block.high(&UTF8_CONTINUATIONS);
        let mut wrong = leads & !(continuations >> 1)
            | threes & !(continuations >> 2)
            | fours & !(continuations >> 3);
        for (lead, not) in &UTF8_SECONDS {
            wrong |= block.high(lead) & block.high(not) >> 1;
        }
        let firsts = leads & !wrong;
        Self { firsts, threes: firsts & threes, fours, high }
    }

    /// Returns the length of the longest part of the block that is certain, although other bytes follow the block: at
    /// least 59 bytes and at most [`CERTAIN`](Self::CERTAIN). No character begins in this part and ends after it.
    pub fn certain(&self) -> usize {
        let cut = self.firsts & below(Self::CERTAIN) & !below(Self::CERTAIN - 1)
            | self.threes & below(Self::CERTAIN) & !below(Self::CERTAIN - 2)
            | self.fours & below(Self::CERTAIN) & !below(Self::CERTAIN - 3);
        Self::CERTAIN.min(cut.trailing_zeros() as usize)
    }

    /// The most bytes of a block that are certain if other bytes follow the block.
    pub const CERTAIN: usize = BLOCK - 2;

    /// The first byte of each character.
    pub const fn firsts(&self) -> u64 {
        self.firsts
    }

    /// The bytes of characters other than their first.
    pub const fn inner(&self) -> u64 {
        self.whole(self.firsts) & !self.firsts
    }

    /// The bytes of the characters whose first bytes are `firsts`.
    pub const fn whole(&self, firsts: u64) -> u64 {
        firsts | firsts << 1 | (firsts & self.threes) << 2 | (firsts & self.fours) << 3
    }

    /// The bytes that are not part of a character.
    pub const fn ill_formed(&self) -> u64 {
        self.high & !self.whole(self.firsts)
    }

    /// The bytes from 0x80.
    pub const fn high(&self) -> u64 {
        self.high
    }
}

/// Returns `bytes` as a string if they are UTF-8. Made for one text.
pub fn utf8(level: CpuLevel, bytes: &[u8]) -> Option<&str> {
    // SAFETY: `IsUtf8` just found that the bytes are UTF-8.
    level.run(IsUtf8(bytes)).then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// Returns `bytes` as a string if they are UTF-8. Made for many texts at once.
pub(crate) fn utf8_whole(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::super::{BLOCK, Cpu, CpuLevel, Job, below};
    use super::{Characters, IsUtf8};

    struct Find;

    impl Job for Find {
        type Output = Characters;

        #[inline(always)]
        fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Characters {
            Characters::of(simd.load(text, 0))
        }
    }

    /// The first bytes of the characters outside ASCII, their other bytes, and the bytes that are not UTF-8.
    fn defined(bytes: &[u8]) -> [u64; 3] {
        let (mut masks, mut at) = ([0; 3], 0);
        let mut set = |number: usize, at: usize| {
            if let (Some(mask), true) = (masks.get_mut(number), at < BLOCK) {
                *mask |= 1 << at;
            }
        };
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                for (number, at) in (at..at + c.len_utf8()).enumerate().filter(|_| !c.is_ascii()) {
                    set(usize::from(number > 0), at);
                }
                at += c.len_utf8();
            }
            (at..at + chunk.invalid().len()).for_each(|at| set(2, at));
            at += chunk.invalid().len();
        }
        masks
    }

    #[test]
    fn characters_are_those_of_the_standard_library() {
        let (mut count, mut cut) = (0, 0);
        for level in CpuLevel::available() {
            for n in 0..EDGES.len().pow(4) {
                let digits = [n, n / 22, n / 22 / 22, n / 22 / 22 / 22];
                let four = digits.map(|digit| EDGES[digit % 22]);
                // At the start, in the middle, and at the end of a block.
                let place = [0, 31, 57, 58, 59, 60, 61][n % 7];
                let mut text = vec![b'a'; place];
                text.extend_from_slice(&four);
                text.extend_from_slice(["", "é", "aé日"][n % 3].as_bytes());
                let found = level.run_wide_on(Find, &text);
                let whole = text.len() <= BLOCK;
                let certain = if whole { text.len() } else { found.certain() };
                let here = below(certain);
                let masks = [found.firsts(), found.inner(), found.ill_formed()];
                let name = level.name();
                assert_eq!(
                    masks.map(|mask| mask & here),
                    defined(&text).map(|mask| mask & here),
                    "{name} {text:x?}"
                );
                assert!(whole || (59..=Characters::CERTAIN).contains(&certain), "{text:x?}");
                // No character ends after the part that is certain.
                assert_eq!(defined(&text)[1] & !here & below(certain + 1), 0, "{name} {text:x?}");
                count += 1;
                cut += usize::from(!whole && certain < Characters::CERTAIN);
            }
        }
        assert!(cut > 1_000 && count > 200_000, "{cut} of {count}");
    }

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
