//! Decodes the triplets of a component that a policy names, and keeps the others (RFC 3987, section 3.2;
//! RFC 3986, section 6.2.2.2).
//!
//! What is not decoded is written in upper case. Not here: which components are looked at.

use alloc::string::String;

use super::bidi_controls::is_bidi_control;
#[cfg(feature = "repertoire")]
use super::characters::{Oddity, oddity, starts_anew};
use crate::parse::dfa::{NonAscii, non_ascii};
use crate::scan::{BLOCK, Changes, Decodable, octet, slice, triplet_text};
#[cfg(feature = "repertoire")]
use crate::scan::{Query, encode};
use crate::tables::{AsciiSet, HighSet, LEADS, UNRESERVED};

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
    /// What [`Default`](Self::Default) decodes, but not what section 6.1 advises against: white space,
    /// characters that are not seen, unassigned or deprecated, those that normalization form KC
    /// replaces, and runs of characters that are not in form C.
    ///
    /// ```
    /// use simd_iri::{Policy, ToIri, uri};
    ///
    /// let map = ToIri::new().policy(Policy::Conservative);
    /// // A letter, a space that does not break, a ligature; and a letter with an accent of its own.
    /// assert_eq!(map.map(uri!("a:%C3%A9%C2%A0%EF%AC%81")), "a:é%C2%A0%EF%AC%81");
    /// assert_eq!(map.map(uri!("a:%CE%B1%CC%81")), "a:%CE%B1%CC%81");
    /// ```
    #[cfg(feature = "repertoire")]
    Conservative,
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
    /// Not what section 6.1 advises against.
    #[cfg(feature = "repertoire")]
    pub(super) careful: bool,
}

/// How many octets are looked at together.
const RUN: usize = BLOCK;

impl Decoding {
    /// What a policy decodes; of a URI, only ASCII.
    pub(super) fn of(policy: Policy, is_uri: bool) -> Self {
        Self {
            ascii: is_uri || policy != Policy::NonAsciiOnly,
            ucschar: !is_uri,
            private: false,
            #[cfg(feature = "repertoire")]
            careful: policy == Policy::Conservative,
        }
    }

    /// What this changes in a text, if it does not take a look at each character.
    #[inline]
    pub(super) fn changes(self) -> Option<Changes> {
        #[cfg(feature = "repertoire")]
        if self.careful && self.ucschar {
            return None;
        }
        let changes = Changes { ascii: self.ascii, above: self.ucschar, ..Changes::default() };
        (!self.private).then_some(changes)
    }

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
            let rest = slice::bytes(bytes, done..);
            let next = memchr::memchr(b'%', rest).map_or(text.len(), |next| done + next);
            // Up to here, all places move by as much.
            let shift = (out.len() as u32).wrapping_sub(done as u32);
            while let Some(place) = moved.get_mut(settled).filter(|place| **place as usize <= next)
            {
                *place = place.wrapping_add(shift);
                settled += 1;
            }
            out.push_str(slice::text(text, done..next));
            if next == text.len() {
                return moved;
            }
            done = at(next as u32).push_run(bytes, next, out);
        }
    }

    /// Appends what the triplets stand for that begin at `start`, and tells where they end.
    fn push_run(self, bytes: &[u8], start: usize, out: &mut String) -> usize {
        #[cfg(feature = "repertoire")]
        if self.careful {
            return self.push_carefully(bytes, start, out);
        }
        let mut at = start;
        loop {
            let (mut octets, mut count) = ([0; RUN], 0);
            for place in &mut octets {
                let Some(octet) = octet(bytes, at + 3 * count) else { break };
                *place = octet;
                count += 1;
            }
            let octets = slice::bytes(&octets, ..count);
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
        let mut rest = octets;
        while let Some((first, after)) = rest.split_first() {
            let length = (first.leading_ones() as usize).clamp(1, 4);
            if length > rest.len() && octets.len() == RUN {
                break;
            }
            match rest.get(..length).filter(|character| self.allows(character)) {
                Some(character) => {
                    out.push_str(core::str::from_utf8(character).unwrap_or_default());
                    rest = slice::bytes(rest, length..);
                }
                None => {
                    out.push_str(triplet_text(*first));
                    rest = after;
                }
            }
        }
        octets.len() - rest.len()
    }

    /// [`Self::push_run`], but characters outside ASCII stay encoded if something speaks against one of
    /// them, or if those that would follow one another are not in normalization form C.
    #[cfg(feature = "repertoire")]
    fn push_carefully(self, bytes: &[u8], start: usize, out: &mut String) -> usize {
        let mut at = start;
        // Where characters begin that have followed one another.
        let mut open = None;
        while let Some(first) = octet(bytes, at) {
            let length = (first.leading_ones() as usize).clamp(1, 4);
            let octets =
                [0, 1, 2, 3].map(|number| octet(bytes, at + 3 * number).unwrap_or_default());
            let character = octets.get(..length).filter(|octets| self.allows(octets));
            let c = character.and_then(|octets| core::str::from_utf8(octets).ok()?.chars().next());
            match c {
                Some(c) if c.is_ascii() => {
                    close(open.take(), true, out);
                    out.push(c);
                    at += 3;
                }
                Some(c) if may_be_seen(c) && (open.is_some() || starts_anew(c)) => {
                    open.get_or_insert(out.len());
                    out.push(c);
                    at += 3 * length;
                }
                _ => {
                    close(open.take(), true, out);
                    out.push_str(triplet_text(first));
                    at += 3;
                }
            }
        }
        let rest = slice::bytes(bytes, at..);
        let next = rest.get(..4).unwrap_or(rest).utf8_chunks().next();
        let next = next.and_then(|chunk| chunk.valid().chars().next());
        close(open, next.is_none_or(starts_anew), out);
        at
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
        allowed && core::str::from_utf8(octets).is_ok_and(|text| !text.chars().all(is_bidi_control))
    }
}

/// Tells whether nothing speaks against a character. That private use is allowed, somebody has asked for.
#[cfg(feature = "repertoire")]
fn may_be_seen(c: char) -> bool {
    matches!(oddity(c), None | Some(Oddity::Private))
}

/// Encodes the characters that `out` ends with, from `open` on, if they are not in normalization form C,
/// or if what follows would change them there.
#[cfg(feature = "repertoire")]
fn close(open: Option<usize>, is_end: bool, out: &mut String) {
    let Some(open) = open else { return };
    let run = slice::text(out, open..);
    if !is_end || !unicode_normalization::is_nfc(run) {
        let run = String::from(run);
        out.truncate(open);
        let [] = encode(run.as_bytes(), Query::NonAscii, [], out);
    }
}

/// What is decoded without a look at each character: unreserved ASCII, and `ucschar` that begin with no octet with
/// which others do, and that do not begin as those do which direct the order of display.
pub(crate) struct Certain;

impl Decodable for Certain {
    const ASCII: AsciiSet = UNRESERVED;
    const REFUSED: HighSet = LEADS;
    const PAIRS: [[HighSet; 2]; 2] = BIDI_CONTROL_PAIRS;
}

/// The first two bytes of every character for which [`is_bidi_control`] holds, and of some others: U+061C,
/// and what is from U+2000 to U+207F.
pub(super) const BIDI_CONTROL_PAIRS: [[HighSet; 2]; 2] = [
    [HighSet::of(&[0xD8]), HighSet::of(&[0x9C])],
    [HighSet::of(&[0xE2]), HighSet::of(&[0x80, 0x81])],
];
