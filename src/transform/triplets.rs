//! Triplets of a component: which of them a policy decodes, and the component without these (RFC
//! 3987, section 3.2; RFC 3986, section 6.2.2.2).
//!
//! What is not decoded is written in upper case. Not here: which components are looked at.

use alloc::string::String;

use crate::scan::dfa::{NonAscii, non_ascii};
use crate::scan::{self, BLOCK, Block, CpuLevel, Job, Simd, below, triplet_text};
use crate::tables::{HEXDIG, HighSet, LEADS, UNRESERVED};

/// Which triplets of a reference are decoded.
///
/// Whatever the policy, no triplet is decoded that is not well-formed UTF-8, that is no `ucschar`, or
/// that is a character which directs the order of display (section 4.1): U+061C, U+200E, U+200F,
/// U+202A to U+202E, U+2066 to U+2069.
///
/// ```
/// use simd_iri::{Policy, ToIri, uri};
///
/// let uri = uri!("http://a/%7Eb/%C3%A9/%20");
/// assert_eq!(ToIri::new().map(uri), "http://a/~b/é/%20");
/// let only = ToIri::new().policy(Policy::NonAsciiOnly);
/// assert_eq!(only.map(uri), "http://a/%7Eb/é/%20");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Policy {
    /// `ucschar`, and unreserved ASCII: what RFC 3987, section 3.2 lets be decoded.
    #[default]
    Default,
    /// `ucschar` and nothing of ASCII, so that mapping back gives the same text but for the case of
    /// hexadecimal digits.
    NonAsciiOnly,
}

/// What is decoded.
#[derive(Clone, Copy)]
pub(super) struct Decoding {
    /// Unreserved ASCII.
    pub(super) ascii: bool,
    /// `ucschar`.
    pub(super) ucschar: bool,
    /// `iprivate`.
    pub(super) private: bool,
}

/// How many octets are looked at together.
const RUN: usize = BLOCK;

impl Decoding {
    /// Appends a component to `out`. One pass.
    pub(super) fn push(self, component: &str, out: &mut String) {
        let [] = self.push_with(component, [], |_| self, out);
    }

    /// Appends a text to `out`, with the decoding that `at` gives for each of its places. `N` places
    /// in the text, in order and none inside a run of triplets, and what they become in `out`.
    pub(super) fn push_with<const N: usize>(
        self,
        text: &str,
        places: [u32; N],
        at: impl Fn(u32) -> Self,
        out: &mut String,
    ) -> [u32; N] {
        let (mut moved, mut settled) = (places, 0);
        let (bytes, mut done) = (text.as_bytes(), 0);
        loop {
            let rest = bytes.get(done..).unwrap_or_default();
            let next = memchr::memchr(b'%', rest).map_or(text.len(), |next| done + next);
            // Up to here, all places move by as much.
            let shift = (out.len() as u32).wrapping_sub(done as u32);
            while let Some(place) = moved.get_mut(settled).filter(|place| **place as usize <= next)
            {
                *place = place.wrapping_add(shift);
                settled += 1;
            }
            out.push_str(text.get(done..next).unwrap_or_default());
            if next == text.len() {
                return moved;
            }
            done = at(next as u32).push_run(bytes, next, out);
        }
    }

    /// Appends what the triplets stand for that begin at `start`, and tells where they end.
    fn push_run(self, bytes: &[u8], start: usize, out: &mut String) -> usize {
        let mut at = start;
        loop {
            let (mut octets, mut count) = ([0; RUN], 0);
            for place in &mut octets {
                let Some(octet) = octet(bytes, at + 3 * count) else { break };
                *place = octet;
                count += 1;
            }
            let octets = octets.get(..count).unwrap_or_default();
            let used = self.push_octets(octets, out);
            at += 3 * used;
            if count < RUN {
                return at;
            }
        }
    }

    /// Appends octets that followed one another, as characters or as triplets: all of them but, if
    /// there may be more, a character that is cut.
    fn push_octets(self, octets: &[u8], out: &mut String) -> usize {
        // Most runs are words of other scripts.
        if self.ucschar
            && let Some(text) = settled(octets)
        {
            out.push_str(text);
            return octets.len();
        }
        let mut rest = octets;
        while let Some((first, after)) = rest.split_first() {
            let length = (first.leading_ones() as usize).clamp(1, 4);
            if length > rest.len() && octets.len() == RUN {
                break;
            }
            match rest.get(..length).filter(|character| self.allows(character)) {
                Some(character) => {
                    out.push_str(str::from_utf8(character).unwrap_or_default());
                    rest = rest.get(length..).unwrap_or_default();
                }
                None => {
                    out.push_str(triplet_text(*first));
                    rest = after;
                }
            }
        }
        octets.len() - rest.len()
    }

    /// Tells whether octets, of which the first begins a character of so many, are one to be decoded.
    fn allows(self, octets: &[u8]) -> bool {
        if let [octet] = octets {
            return self.ascii && UNRESERVED.contains(*octet);
        }
        let allowed = match non_ascii(octets) {
            NonAscii::Ucschar => self.ucschar,
            NonAscii::Private => self.private,
            NonAscii::Other => false,
        };
        allowed && str::from_utf8(octets).is_ok_and(|text| !text.chars().all(is_bidi_control))
    }
}

/// The text that octets are if, without a look at each character, all of it is `ucschar` and none of
/// it directs the order of display.
fn settled(octets: &[u8]) -> Option<&str> {
    let level = CpuLevel::best();
    level.run(IsSettled(octets)).then(|| scan::utf8(level, octets)).flatten()
}

/// The question, but for whether the octets are UTF-8.
struct IsSettled<'a>(&'a [u8]);

/// The first two octets of U+061C, and of those that direct the order of display above U+2000.
const BIDI_CONTROLS: [[HighSet; 2]; 2] = [
    [HighSet::of(&[0xD8]), HighSet::of(&[0x9C])],
    [HighSet::of(&[0xE2]), HighSet::of(&[0x80, 0x81])],
];

impl Job for IsSettled<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> bool {
        if !S::MASKS || self.0.len() > BLOCK {
            return false;
        }
        let block = simd.load(self.0, 0);
        let controls = BIDI_CONTROLS.iter().fold(0, |controls, [first, second]| {
            controls | block.high(first) << 1 & block.high(second)
        });
        controls | block.high(&LEADS) == 0 && block.non_ascii() == below(self.0.len())
    }
}

/// The octet whose triplet stands at `at`.
#[inline]
pub(super) fn octet(bytes: &[u8], at: usize) -> Option<u8> {
    match bytes.get(at..at + 3)? {
        [b'%', high, low] => Some(hex(*high)? << 4 | hex(*low)?),
        _ => None,
    }
}

/// The value of a hexadecimal digit.
#[inline]
fn hex(digit: u8) -> Option<u8> {
    // The low half of a letter is 1 more than that of the digit for 0.
    HEXDIG.contains(digit).then(|| (digit & 15) + if digit > b'9' { 9 } else { 0 })
}

/// Tells whether a character directs the order in which text is displayed: those of RFC 3987, section
/// 4.1, and the ones that Unicode has added since.
pub(crate) const fn is_bidi_control(c: char) -> bool {
    matches!(
        c,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    )
}
