//! Triplets → octets, names in lower case, a path without its dot segments, in one pass: what of a
//! text is the same whatever it is written as.
//!
//! Here: the walk over a text, and what a kernel writes of a block. Not here: which octets are decoded
//! where, and which characters must not come of it (`transform`).

use alloc::string::String;
use core::marker::PhantomData;
use core::mem::{self, MaybeUninit};
use core::ops::Range;

use super::segments::{DOT, Segments};
use super::triplets::PERCENT;
use super::{BLOCK, Block, CpuLevel, Job, LOWER_DIGITS, Simd, below, within};
use crate::tables::{
    self, AsciiSet, HEXDIG, HighSet, UTF8_CONTINUATIONS, UTF8_LEADS, UTF8_SECONDS,
};

/// The last digit of those that are no letters.
pub(super) const NINE: u8 = b'9';
/// The bit in which a letter differs from its other case.
pub(super) const CASE: u8 = b'A' ^ b'a';
/// How many bytes make a triplet.
const TRIPLET: usize = 3;
/// The letters that have a lower case.
pub(crate) const UPPER: AsciiSet = AsciiSet::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/// Which triplets may be decoded; constants, so that the kernels know them. Outside ASCII those of characters
/// with two or three octets.
pub(crate) trait Decodable {
    /// The octets below 0x80.
    const ASCII: AsciiSet;
    /// The octets with which characters begin that are not decoded.
    const REFUSED: HighSet;
    /// The first two octets of others that are not, by sets.
    const PAIRS: [[HighSet; 2]; 2];
}

/// What changes in a text, besides that triplets which are not decoded are written in upper case.
#[derive(Clone, Default, Debug)]
pub(crate) struct Changes {
    /// Triplets of octets below 0x80 are decoded.
    pub(crate) ascii: bool,
    /// The others are.
    pub(crate) above: bool,
    /// Where letters of ASCII come to be in lower case, those that were encoded among them: before the first of
    /// these places, and from the second to the third, the last one.
    pub(crate) lower: [usize; 3],
    /// Where dot segments go: a path that begins with a slash, or nothing.
    pub(crate) path: Range<usize>,
}

/// Appends `text` to `out`, changed. `N` places in the text, in order and none inside of a triplet or a
/// segment that goes, and what they become in `out`.
///
/// `None` if what is decoded is not UTF-8, is refused, or is a dot of the path; then nothing is appended.
/// One pass. Nothing is allocated if there is room for the text and 64 bytes.
#[inline]
pub(crate) fn rewrite<D: Decodable, const N: usize>(
    text: &str,
    changes: &Changes,
    places: &[u32; N],
    out: &mut String,
) -> Option<[u32; N]> {
    CpuLevel::best().run(Rewrite::<D, N>::of(text, changes, places, out))
}

/// [`rewrite`] as a job.
pub(crate) struct Rewrite<'a, D, const N: usize> {
    text: &'a [u8],
    changes: &'a Changes,
    places: &'a [u32; N],
    out: &'a mut String,
    of: PhantomData<D>,
}

impl<'a, D, const N: usize> Rewrite<'a, D, N> {
    /// See there.
    #[cfg_attr(optimized, inline(always))]
    pub(crate) const fn of(
        text: &'a str,
        changes: &'a Changes,
        places: &'a [u32; N],
        out: &'a mut String,
    ) -> Self {
        Self { text: text.as_bytes(), changes, places, out, of: PhantomData }
    }
}

impl<D: Decodable, const N: usize> Job for Rewrite<'_, D, N> {
    type Output = Option<[u32; N]>;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let Self { text, changes, places, out, of: _ } = self;
        let Changes { ascii, above, lower, path } = changes;
        let [first_end, second, lower_end] = *lower;
        let (first, second) = (0..first_end, second..lower_end);
        // No string while it may not be UTF-8.
        let mut bytes = mem::take(out).into_bytes();
        let start = bytes.len();
        let mut moved = [start as u32; N];
        let mut segments = Segments::of(text, path);
        // What is written is never longer than what was read, and takes a block at a time.
        bytes.reserve(text.len() + BLOCK);
        let (mut at, mut carry) = (0, Carry::default());
        while at < text.len() {
            let rest = text.get(at..).unwrap_or_default();
            let block = simd.load(rest, 0);
            // PERF: of a block of which more follow, the last bytes are only looked at, so that nothing has to be
            // known of it before the next one is loaded: 7 % less than if it ends where a character does
            // (URI to IRI of multilingual_uri; in benches: cargo run --release --bin transform).
            let length = if rest.len() > BLOCK { STEP } else { rest.len() };
            let here = below(length);
            let (mut octets, mut change) = (block, Change { done: 0, case: 0, stays: here });
            let (mut digits, mut gone) = (carry.digits, carry.gone);
            let percent = block.ascii(&tables::PERCENT);
            if percent | carry.asked | carry.digits != 0 {
                let hexdig = block.ascii(&HEXDIG);
                let triplets = percent & hexdig >> 1 & hexdig >> 2;
                octets = simd.octets(block, rest, triplets);
                if *ascii {
                    change.done = octets.ascii(&D::ASCII) & here;
                }
                if *above {
                    match characters::<D, _>(octets, here, carry.asked) {
                        Some(asked) => carry.asked = asked >> STEP,
                        None => break,
                    }
                    change.done |= octets.non_ascii() & here;
                }
                // Whether a dot makes a dot segment is not asked of triplets.
                if !path.is_empty() && octets.ascii(&DOT) & change.done & within(path, at) != 0 {
                    break;
                }
                gone |= change.done << 1 | change.done << 2;
                let kept = triplets & here & !change.done;
                digits |= kept << 1 | kept << 2;
                change.case = block.ascii(&LOWER_DIGITS) & digits;
            }
            // Names are in the first blocks of most references, and of others nowhere.
            if at < second.end {
                let upper = block.ascii(&UPPER) & !digits | octets.ascii(&UPPER) & change.done;
                change.case |= upper & (within(&first, at) | within(&second, at));
            }
            if !path.is_empty() {
                gone = segments.gone(block, at, length, gone, &mut bytes);
            }
            change.stays = here & !gone;
            (carry.digits, carry.gone) = (digits >> STEP, gone >> STEP);
            let base = bytes.len();
            let Some(room) = bytes.spare_capacity_mut().first_chunk_mut() else { break };
            let written = simd.write(block, rest, octets, change, room);
            debug_assert_eq!(written, change.stays.count_ones() as usize);
            // SAFETY: there is room for a block, and so many bytes of it were written.
            unsafe { bytes.set_len(base + written) };
            simd.follow(places, at..at + length, change.stays, base, &mut moved);
            at += length;
        }
        let is_whole = at >= text.len();
        if !is_whole {
            bytes.truncate(start);
        }
        // SAFETY: what was there is UTF-8. So is what was appended: bytes of a text, of which ASCII
        // letters have become other ones, dot segments with their slashes have gone, and triplets have
        // become ASCII, or characters that were found to be UTF-8.
        *out = unsafe { String::from_utf8_unchecked(bytes) };
        is_whole.then_some(moved)
    }
}

/// What [`Simd::follow`] does, place by place.
#[cfg_attr(optimized, inline(always))]
pub(super) fn follow(
    places: &[u32],
    block: Range<usize>,
    stays: u64,
    base: usize,
    moved: &mut [u32],
) {
    for (moved, place) in moved.iter_mut().zip(places) {
        let before = (*place as usize).wrapping_sub(block.start);
        if before <= block.len() {
            *moved = base as u32 + (stays & below(before)).count_ones();
        }
    }
}

/// What becomes of a block.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    /// Where triplets begin in whose place their octets are written.
    pub(super) done: u64,
    /// Of which letters the other case is written.
    pub(super) case: u64,
    /// What is written at all: not what follows the first byte of a triplet that is decoded.
    pub(super) stays: u64,
}

/// How many bytes are looked at again with the next block: a character of three triplets is not longer.
const SEEN: usize = 8;
/// How far it is from a block to the next one.
const STEP: usize = BLOCK - SEEN;

/// What a block means for the first bytes of the next one.
#[derive(Clone, Copy, Default)]
struct Carry {
    /// They are digits of a triplet that stays.
    digits: u64,
    /// They are left out.
    gone: u64,
    /// Triplets of continuations begin there.
    asked: u64,
}

/// Where triplets of continuations have to be in a block with an octet where its triplet begins, if the ones `here`
/// are those of UTF-8, of which so many were `asked` for before; `None` if they are not, or if one is refused
/// or begins a character of four octets.
#[cfg_attr(optimized, inline(always))]
fn characters<D: Decodable, B: Block>(octets: B, here: u64, asked: u64) -> Option<u64> {
    let above = octets.non_ascii();
    if above | asked == 0 {
        return Some(0);
    }
    let continuations = octets.high(&UTF8_CONTINUATIONS);
    let leads = octets.high(&UTF8_LEADS[0]);
    let three = octets.high(&THREE_OR_MORE);
    // What begins here is seen as a whole.
    let more = (leads & here) << TRIPLET | (three & here) << (2 * TRIPLET);
    let too_late =
        leads & here & !below(BLOCK - TRIPLET) | three & here & !below(BLOCK - 2 * TRIPLET);
    let asked = asked | more;
    let mut bad = above & !(continuations | leads) | continuations & !asked;
    bad |= octets.high(&FOUR) | octets.high(&D::REFUSED);
    let mut all_bad = bad & here | more & !continuations | too_late;
    for [first, second] in &SECONDS {
        all_bad |= (octets.high(first) & here) << TRIPLET & octets.high(second);
    }
    for [first, second] in &D::PAIRS {
        all_bad |= (octets.high(first) & here) << TRIPLET & octets.high(second);
    }
    (all_bad == 0).then_some(asked)
}

/// The leads of three octets or more, with some that are none.
const THREE_OR_MORE: HighSet = UTF8_LEADS[1].hull();
/// The same for four.
const FOUR: HighSet = UTF8_LEADS[2].hull();

/// The octets after which some continuations do not come second, where a character has three, and which.
const SECONDS: [[HighSet; 2]; 2] = {
    let [(e0, not_e0), (ed, not_ed), others @ ..] = UTF8_SECONDS;
    let mut rest: &[(HighSet, HighSet)] = &others;
    while let [(first, _), tail @ ..] = rest {
        assert!(
            first.bits & !UTF8_LEADS[2].bits == 0,
            "the others begin characters of four octets"
        );
        rest = tail;
    }
    [[e0, not_e0], [ed, not_ed]]
};

/// What [`Simd::write`] does, byte by byte.
#[cfg_attr(optimized, inline(always))]
pub(super) fn write(text: &[u8], change: Change, room: &mut [MaybeUninit<u8>; BLOCK]) -> usize {
    let Change { done, case, stays } = change;
    let block = text.get(..BLOCK).unwrap_or(text);
    let mut end = 0;
    let mut push = |bytes: &[u8]| {
        if let Some(room) = room.get_mut(end..end + bytes.len()) {
            for (room, byte) in room.iter_mut().zip(bytes) {
                room.write(*byte);
            }
            end += bytes.len();
        }
    };
    for (bytes, at) in block.chunks(8).zip((0..).step_by(8)) {
        if let (0, Ok(eight)) = ((done | case | !stays) >> at & 0xFF, <[u8; 8]>::try_from(bytes)) {
            push(&eight);
            continue;
        }
        for (byte, at) in bytes.iter().zip(at..) {
            let is = |mask: u64| mask >> at & 1 != 0;
            if is(stays) {
                let octet = octet(block, at).filter(|_| is(done)).unwrap_or(*byte);
                push(&[if is(case) { octet ^ CASE } else { octet }]);
            }
        }
    }
    end
}

/// What [`Simd::octets`] gives, byte by byte.
#[cfg_attr(optimized, inline(always))]
pub(super) fn octets(text: &[u8], triplets: u64) -> [u8; BLOCK] {
    let mut octets = [0; BLOCK];
    let mut rest = triplets;
    while rest != 0 {
        let at = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if let (Some(place), Some(octet)) = (octets.get_mut(at), octet(text, at)) {
            *place = octet;
        }
    }
    octets
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
    use alloc::vec::Vec;

    use super::super::triplets::triplet;
    use super::*;
    use crate::tables::UNRESERVED;

    /// Decodes a few octets and characters.
    struct Chosen;

    impl Decodable for Chosen {
        const ASCII: AsciiSet = UNRESERVED;
        const REFUSED: HighSet = HighSet::of(&[0xC2]);
        const PAIRS: [[HighSet; 2]; 2] = [
            [HighSet::of(&[0xD8]), HighSet::of(&[0x9C])],
            [HighSet::of(&[0xE2]), HighSet::of(&[0x80, 0x81])],
        ];
    }

    /// One byte of the result, and where in the text it comes from.
    type Byte = (u8, usize);

    /// What the documentation of [`rewrite`] says, byte by byte.
    fn expected(text: &[u8], changes: &Changes, places: [u32; 2]) -> Option<(Vec<u8>, [u32; 2])> {
        let (mut bytes, mut decoded, mut at) = (Vec::<Byte>::new(), Vec::new(), 0);
        let [first, second, last] = changes.lower;
        let is_lower = |at: usize| at < first || (second..last).contains(&at);
        while at < text.len() {
            let octet = octet(text, at);
            let decodes = |octet: &u8| {
                let has_ascii = changes.ascii && UNRESERVED.contains(*octet);
                if octet.is_ascii() { has_ascii } else { changes.above }
            };
            let (written, length) = match (octet, octet.filter(decodes)) {
                (Some(_), Some(b'.')) if changes.path.contains(&at) => return None,
                (Some(_), Some(octet)) => (vec![octet], 3),
                (Some(octet), None) => (triplet(octet).to_vec(), 3),
                (None, _) => (vec![text[at]], 1),
            };
            let is_triplet = written.len() == 3;
            for byte in &written {
                let byte =
                    if is_lower(at) && !is_triplet { byte.to_ascii_lowercase() } else { *byte };
                bytes.push((byte, at));
            }
            // Characters that are not written as triplets are ones already.
            decoded.push(if length == 3 && !is_triplet { written[0] } else { b' ' });
            at += length;
        }
        let mut rest = str::from_utf8(&decoded).ok()?.bytes().peekable();
        while let Some(octet) = rest.next() {
            let next = rest.peek().copied().unwrap_or_default();
            let is_pair = Chosen::PAIRS.iter().any(|[a, b]| a.contains(octet) && b.contains(next));
            if octet == 0xC2 || octet >= 0xF0 || is_pair {
                return None;
            }
        }
        let bytes = without_dots(&bytes, &changes.path);
        let moved = places.map(|place| {
            let before = |byte: &&Byte| byte.1 < place as usize;
            bytes.iter().filter(before).count() as u32
        });
        Some((bytes.into_iter().map(|(byte, _)| byte).collect(), moved))
    }

    /// Section 5.2.4, segment by segment.
    fn without_dots(bytes: &[Byte], path: &Range<usize>) -> Vec<Byte> {
        let (before, rest): (Vec<Byte>, Vec<Byte>) =
            bytes.iter().partition(|byte| byte.1 < path.start);
        let (inside, after): (Vec<Byte>, Vec<Byte>) =
            rest.into_iter().partition(|byte| byte.1 < path.end);
        let mut kept: Vec<Vec<Byte>> = Vec::new();
        let mut segments: Vec<Vec<Byte>> = Vec::new();
        for byte in inside {
            match segments.last_mut() {
                Some(segment) if byte.0 != b'/' => segment.push(byte),
                _ => segments.push(vec![byte]),
            }
        }
        let count = segments.len();
        for (number, segment) in segments.into_iter().enumerate() {
            let text: Vec<u8> = segment.iter().map(|byte| byte.0).collect();
            let is_up = text == b"/..";
            if is_up || text == b"/." {
                if is_up {
                    kept.pop();
                }
                if number + 1 == count {
                    kept.push(vec![segment[0]]);
                }
            } else {
                kept.push(segment);
            }
        }
        [before, kept.concat(), after].concat()
    }

    #[test]
    fn every_kernel_rewrites_as_the_definition() {
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
            "%ED%9F%BF",
            "%C2%A0",
            "%F0%90%80%80",
            "%E2%80%8E",
            "%E0%80",
            "%",
            "%4",
            "%G0",
            "0123456789abcdefGH",
            "/",
            "/.",
            "/..",
            "/...",
            "/../..",
            "/%2e",
            "/abcdefghijklmnop",
        ];
        let (mut count, mut refused) = (0, 0);
        for _ in 0..30_000 {
            let length = random() % 40;
            // Few kinds at a time, so that some are UTF-8.
            let (first, kinds) = (random() % pieces.len(), 1 + random() % 6);
            let mut piece = || pieces[(first + random() % kinds) % pieces.len()];
            let before: String = (0..length / 4).map(|_| piece()).collect();
            let path: String = (0..length).map(|_| piece()).collect();
            let after: String = (0..length / 4).map(|_| piece()).collect();
            // The places are those of the path, which neither begins nor ends inside a triplet.
            let is_cut = |text: &str| text.ends_with(['%', '4', 'G']);
            if is_cut(&before) || is_cut(&path) {
                continue;
            }
            let path = if random() % 2 == 0 { format!("/{path}") } else { String::new() };
            let text = format!("{before}{path}{after}");
            let places = [before.len(), before.len() + path.len()];
            let start = random() % 70;
            let (second, ascii) = (start + random() % 30, random() % 4 != 0);
            for above in [false, true] {
                let lower = [start, second, second + random() % 100];
                let path = places[0]..places[1];
                let changes = Changes { ascii, above, lower, path };
                let places = places.map(|place| place as u32);
                let expected = expected(text.as_bytes(), &changes, places);
                for level in CpuLevel::available() {
                    let mut out = String::from("before");
                    let job = Rewrite::<Chosen, _>::of(&text, &changes, &places, &mut out);
                    let found = level.run(job);
                    let found = found.map(|moved| (out.as_bytes()[6..].to_vec(), moved));
                    let wanted = expected.clone().map(|(text, at)| (text, at.map(|at| at + 6)));
                    assert_eq!(found, wanted, "{level:?}, {text}, {changes:?}");
                    assert!(found.is_some() || out == "before");
                    assert!(str::from_utf8(out.as_bytes()).is_ok());
                    count += 1;
                    refused += usize::from(found.is_none());
                }
            }
        }
        assert!(refused > count / 20 && refused < count / 2, "{refused} of {count}");
        println!("{count} texts rewritten, {refused} of them refused");
    }
}
