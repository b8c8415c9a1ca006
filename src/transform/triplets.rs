//! Decodes the triplets that a policy allows, and writes all other triplets in upper case (RFC 3987, section 3.2;
//! RFC 3986, section 6.2.2.2).
//!
//! Not here: the choice of the components.

/*
# The algorithm

A *run* is a sequence of triplets with nothing between them. The octets of a character lie in one run. A *row* is a
sequence of decoded characters in the result.

    `push_with`        copies the text up to the next `%`, appends the run there, and goes on after the run
    `push_run`         reads the octets of a run, up to 64 at once
    `push_octets`      the first octet tells how many octets its character has, 1 to 4:
                           they are a character that `allows` accepts    append the character
                           otherwise                                     append the triplet of the first octet
    `push_carefully`   does the work of the last two functions for `careful`. A character with an oddity stays encoded.
                       A row that is not in normalization form C is percent-encoded again

For example, with `DecodePolicy::Default`:

    text     a   %C3%A9   %2f   %ff   %7E
    octets       C3 A9    2F    FF    7E
    result   a   é        %2F   %FF   ~

The octet 2F stays, because `/` is reserved. FF stays, because it does not begin UTF-8.

Masks do the same in one pass (`rewrite_certain`), if the first octet of each character tells that it is allowed.
`changes` tells whether they may be asked. Where they are not sure, they return `None`, and `push_with` decides.

# Invariants

- If `push_run` reads 64 octets, more may follow. Then `push_octets` leaves a character that is cut at the end.
- The result is not longer than the text.
- `push_with` also moves offsets. They ascend, and none is inside a run, so each moves with the text that is copied.
*/

use alloc::string::String;

use super::bidi_controls::is_bidi_control;
#[cfg(feature = "charset")]
use super::characters::{Oddity, starts_anew};
use crate::error::named;
use crate::parse::dfa::NonAscii;
use crate::scan::{BLOCK, Changes, Decodable, octet, rewrite, slice, triplet_text};
use crate::tables::{AsciiSet, HighSet, LEADS, UNRESERVED};

/// The choice of the triplets of a reference that are decoded.
///
/// No policy decodes triplets that are not well-formed UTF-8, or that stand for a character outside ASCII that is not a
/// `ucschar`, or for a bidi formatting character (RFC 3987, section 4.1): U+061C, U+200E, U+200F, U+202A to U+202E,
/// U+2066 to U+2069.
///
/// ```
/// use simd_iri::{DecodePolicy, ToIri, uri};
///
/// let uri = uri!("http://a/%7Eb/%C3%A9/%20");
/// assert_eq!(ToIri::new().map(uri), "http://a/~b/é/%20");
/// let only = ToIri::new().policy(DecodePolicy::NonAsciiOnly);
/// assert_eq!(only.map(uri), "http://a/%7Eb/é/%20");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DecodePolicy {
    /// Decodes `ucschar` and unreserved ASCII characters: all that RFC 3987, section 3.2 allows.
    #[default]
    Default,
    /// Decodes `ucschar` and no ASCII character. Mapping the result to a URI gives the same text again, except for the
    /// case of hexadecimal digits.
    NonAsciiOnly,
    /// Decodes what [`Default`](Self::Default) decodes, except characters that RFC 3987, section 6.1 advises not to
    /// use: white space; characters that are invisible, unassigned, deprecated, or replaced by normalization form KC;
    /// and runs of characters that are not in normalization form C.
    ///
    /// ```
    /// use simd_iri::{DecodePolicy, ToIri, uri};
    ///
    /// let map = ToIri::new().policy(DecodePolicy::Conservative);
    /// // A letter, a no-break space and a ligature; a letter with a combining accent.
    /// assert_eq!(map.map(uri!("a:%C3%A9%C2%A0%EF%AC%81")), "a:é%C2%A0%EF%AC%81");
    /// assert_eq!(map.map(uri!("a:%CE%B1%CC%81")), "a:%CE%B1%CC%81");
    /// ```
    Conservative,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri::DecodePolicy" DecodePolicy {
        Default = "default",
        NonAsciiOnly = "non-ascii-only",
        Conservative = "conservative",
    }
}

/// The classes of characters whose triplets are decoded.
#[derive(Clone, Copy)]
pub(super) struct Decoding {
    /// Unreserved ASCII.
    pub(super) ascii: bool,
    /// `ucschar`.
    pub(super) ucschar: bool,
    /// `iprivate`.
    pub(super) private: bool,
    /// Characters that RFC 3987, section 6.1 advises not to use stay encoded.
    #[cfg(feature = "charset")]
    pub(super) careful: bool,
}

/// The number of octets of a run that are decoded at once.
const RUN: usize = BLOCK;

impl Decoding {
    /// Returns the classes that a policy decodes. In a URI, only unreserved ASCII is decoded.
    pub(crate) fn of(policy: DecodePolicy, is_uri: bool) -> Self {
        Self {
            ascii: is_uri || policy != DecodePolicy::NonAsciiOnly,
            ucschar: !is_uri,
            private: false,
            #[cfg(feature = "charset")]
            careful: policy == DecodePolicy::Conservative,
        }
    }

    /// Returns the decoding as changes for [`rewrite`](crate::scan::rewrite). Returns `None` if each character has to
    /// be examined.
    #[inline]
    pub(super) fn changes(self) -> Option<Changes> {
        #[cfg(feature = "charset")]
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

    /// Appends a text to `out`. Each run of triplets is decoded by the rules that `at` returns for its byte offset.
    ///
    /// Returns the offsets in `out` of `N` places in the text. The places ascend, and none is inside a run of triplets.
    pub(super) fn push_with<const N: usize>(
        self,
        text: &str,
        places: [u32; N],
        at: impl Fn(u32) -> Self,
        out: &mut String,
    ) -> [u32; N] {
        let (mut moved, mut done_places) = (places, 0);
        let (bytes, mut done) = (text.as_bytes(), 0);
        loop {
            let rest = slice::bytes(bytes, done..);
            let next = memchr::memchr(b'%', rest).map_or(text.len(), |next| done + next);
            // All places up to `next` move by the same number of bytes.
            let shift = (out.len() as u32).wrapping_sub(done as u32);
            while let Some(place) =
                moved.get_mut(done_places).filter(|place| **place as usize <= next)
            {
                *place = place.wrapping_add(shift);
                done_places += 1;
            }
            out.push_str(slice::text(text, done..next));
            if next == text.len() {
                return moved;
            }
            done = at(next as u32).push_run(bytes, next, out);
        }
    }

    /// Appends the run of triplets at `start`, decoded where that is allowed. Returns the offset of its end.
    fn push_run(self, bytes: &[u8], start: usize, out: &mut String) -> usize {
        #[cfg(feature = "charset")]
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

    /// Appends the octets of a run as characters or as triplets, and returns the number of octets that it appended. If
    /// more octets may follow, a character that is cut at the end is left for the next call.
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

    /// [`Self::push_run`] for `careful`: a character outside ASCII stays encoded if there is a reason not to write it
    /// ([`Oddity::of`]), or if the row of decoded characters around it is not in normalization form C.
    #[cfg(feature = "charset")]
    fn push_carefully(self, bytes: &[u8], start: usize, out: &mut String) -> usize {
        let mut at = start;
        // The offset in `out` of the row of decoded characters at the end of `out`.
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

    /// Tells whether these octets are one character that is decoded. The first octet decides how many octets there are.
    fn allows(self, octets: &[u8]) -> bool {
        if let [octet] = octets {
            return self.ascii && UNRESERVED.contains(*octet);
        }
        let allowed = match NonAscii::of(octets) {
            NonAscii::Ucschar => self.ucschar,
            NonAscii::Private => self.private,
            NonAscii::Other => false,
        };
        allowed && core::str::from_utf8(octets).is_ok_and(|text| !text.chars().all(is_bidi_control))
    }
}

/// Appends a component, with the triplets decoded that [`DecodePolicy::Default`] decodes. One pass.
pub fn push_as_iri(component: &str, out: &mut String) {
    Decoding::of(DecodePolicy::Default, false).push(component, out);
}

/// Appends a text, with the letters of its triplets in upper case. One pass.
pub fn push_upper_triplets(text: &str, out: &mut String) {
    rewrite::<Certain, 0>(text, &Changes::default(), &[], out);
}

/// Tells whether a character may be written as itself. Private-use characters may, because they are decoded only if the
/// caller asks for them.
#[cfg(feature = "charset")]
fn may_be_seen(c: char) -> bool {
    matches!(Oddity::of(c), None | Some(Oddity::Private))
}

/// Ends the row of decoded characters that begins at `open` in `out`. Percent-encodes the row if it is not in
/// normalization form C, or if it may compose with the next character (`is_end` is false).
#[cfg(feature = "charset")]
fn close(open: Option<usize>, is_end: bool, out: &mut String) {
    let Some(open) = open else { return };
    let run = slice::text(out, open..);
    if !is_end || !unicode_normalization::is_nfc(run) {
        let run = String::from(run);
        out.truncate(open);
        crate::scan::encode(run.as_bytes(), crate::scan::Query::NonAscii, out);
    }
}

/// The characters that masks decode: unreserved ASCII characters, and characters whose first octet is outside `LEADS`.
/// All of the latter are `ucschar`. Bidi formatting characters stay encoded.
pub(super) struct Certain;

/// [`rewrite()`] of [`Certain`] characters. Not generic, so that the kernels are compiled in this crate.
pub(crate) fn rewrite_certain(
    text: &str,
    changes: &Changes,
    places: &[u32; 8],
    out: &mut String,
) -> Option<[u32; 8]> {
    rewrite::<Certain, 8>(text, changes, places, out)
}

impl Decodable for Certain {
    const ASCII: AsciiSet = UNRESERVED;
    const REFUSED: HighSet = LEADS;
    const PAIR: [HighSet; 2] = BIDI_CONTROL_PAIRS[0];
    const TRIPLES: (HighSet, [[HighSet; 2]; 2]) = (
        HighSet::of(&[0xE2]),
        [
            [HighSet::of(&[0x80]), HighSet::of(&[0x8E, 0x8F, 0xAA, 0xAB, 0xAC, 0xAD, 0xAE])],
            [HighSet::of(&[0x81]), HighSet::of(&[0xA6, 0xA7, 0xA8, 0xA9])],
        ],
    );
}

/// The first two bytes of all characters for which [`is_bidi_control`] holds. They also begin other characters, such as
/// U+0600 to U+063F and U+2000 to U+207F.
pub(crate) const BIDI_CONTROL_PAIRS: [[HighSet; 2]; 2] = [
    [HighSet::of(&[0xD8]), HighSet::of(&[0x9C])],
    [HighSet::of(&[0xE2]), HighSet::of(&[0x80, 0x81])],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{CpuLevel, Query, Rewrite, encode};

    /// At every level, each character is judged in one pass exactly if its first octet is outside `LEADS`, and decoded
    /// if it is allowed. In the middle of a text, it is in two blocks.
    #[test]
    fn certain_characters_are_those_that_are_allowed() {
        let all = Decoding::of(DecodePolicy::Default, false);
        let changes = all.changes().unwrap();
        for c in ('\u{80}'..='\u{FFFF}').step_by(if cfg!(miri) { 997 } else { 1 }) {
            let mut octets = [0; 4];
            let character = c.encode_utf8(&mut octets);
            let is_certain = !LEADS.contains(character.as_bytes()[0]);
            let is_decoded = all.allows(character.as_bytes());
            for before in [2, 54] {
                let (mut text, before) = (String::new(), "a".repeat(before));
                text.push_str(&before);
                encode(character.as_bytes(), Query::NonAscii, &mut text);
                for level in CpuLevel::available() {
                    let mut out = String::new();
                    let job = Rewrite::<Certain, 0>::of(&text, &changes, &[], &mut out);
                    assert_eq!(level.run_wide(job).is_some(), is_certain, "{c:?}");
                    let expected = if is_decoded { format!("{before}{c}") } else { text.clone() };
                    assert!(!is_certain || out == expected, "{c:?}");
                }
            }
        }
    }
}
