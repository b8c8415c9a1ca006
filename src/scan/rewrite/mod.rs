//! Rewrites a text in one pass: decodes percent-encoded triplets, puts the digits of the other triplets
//! in upper case and names in lower case, and removes the dot segments of a path.
//!
//! Here: the walk over the blocks of a text. Not here: the output of a kernel for each block (`ops::rewrite`);
//! which octets are decoded, and which decoded characters are refused (`transform`); which bytes belong to dot
//! segments (`dot_segments`).

mod dot_segments;

/*
# The algorithm

The walk never edits the text. For each block it computes masks of the *given* text, one bit a byte,
and one compression writes the bytes that stay:

    for each block of the text, 56 bytes after the block before:
        triplets = the `%` that two hexadecimal digits follow
        octets   = the value of each triplet, at the byte where the `%` is
        done     = the triplets that are decoded: their octet is written in place of the `%`
        gone     = the two digits of each decoded triplet, and the bytes of dot segments
        digits   = the two digits of each triplet that is kept
        case     = the letters among `digits` in lower case, and the letters of names in upper case
        stays    = all bytes of this step that are not gone
        write the bytes of `stays`: a byte of `done` from `octets`, a byte of `case` in the other case
        move each place in this block: its new offset is the number of bytes of `stays` before it

One block of 14 bytes. ASCII triplets are decoded if they are unreserved, the scheme is in lower case,
and the path begins at its first slash:

    text      H  :  /  %  7  e  /  %  c  3  /  .  /  b
    triplets           1           1
    octets             ~           C3
    done               1
    digits                            1  1
    case      1                       1
    gone                  1  1                 1  1
    stays     1  1  1  1        1  1  1  1  1        1
    written   h  :  /  ~        /  %  C  3  /        b        = "h:/~/%C3/b"

# Blocks overlap

A block has 64 bytes, and the next block begins 56 bytes after its start (`STEP`). The last 8 bytes of a block
(`SEEN`) are only read. A character of three triplets has 9 bytes. So if it begins in the first 56 bytes, all of it
lies in the block. Three masks (`Carry`) say what a block means for the first bytes of the next block. They are masks
of the block, shifted by 56.

# Invariants

- The output is never longer than the input: a triplet becomes one byte or three, and every other byte becomes
  at most one byte. So one reservation for the text and one block is enough.
- A decoded octet from 0x80 up is part of a whole, well-formed character:
  `characters` finds them at the places of their triplets, 3 bytes apart. So the result is UTF-8.
  While the walk runs, the bytes may not be UTF-8, and they are not a string.
- A place is not inside a triplet, and not inside a segment that is removed.
- The walk gives up, and the caller takes a slower way, if a character has four octets or a first octet that
  `Decodable` refuses. It also gives up if a dot in the path is written as a triplet, because `dot_segments` reads the
  dots of the given text.

`docs/performance/notes.md`, "Normalization and mappings", has what was tried.
*/

use alloc::string::String;
use core::marker::PhantomData;
use core::mem;
use core::ops::Range;

use super::ops::encode::LOWER_DIGITS;
use super::ops::rewrite::Change;
use super::{BLOCK, Block, Cpu, CpuLevel, Job, below, slice, within};
use crate::tables::{
    self, AsciiSet, DOT, HEXDIG, HighSet, UTF8_CONTINUATIONS, UTF8_LEADS, UTF8_SECONDS,
};
use dot_segments::PathBlocks;

/// The length of a triplet in bytes.
const TRIPLET: usize = 3;
/// The ASCII letters in upper case.
pub const UPPER: AsciiSet = AsciiSet::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/// The triplets that may be decoded. The sets are constants, so that the compiler puts them into the kernels. Outside
/// ASCII, only characters of two or three octets are decoded.
pub(crate) trait Decodable {
    /// The octets below 0x80 that are decoded.
    const ASCII: AsciiSet;
    /// The first octets of characters that are refused: a text with one of them is not rewritten.
    const REFUSED: HighSet;
    /// Characters of two octets that are refused: the first octet is in the first set, and the second octet in the
    /// second set.
    const PAIR: [HighSet; 2];
    /// Characters of three octets that are refused: the first octet is in the first set, and the second octet and the
    /// third octet are in the two sets of a pair.
    const TRIPLES: (HighSet, [[HighSet; 2]; 2]);
}

/// The changes to a text. Triplets that are not decoded always get digits in upper case.
#[derive(Clone, Default, Debug)]
pub(crate) struct Changes {
    /// Triplets of octets below 0x80 are decoded, if the octet is in [`Decodable::ASCII`].
    pub(crate) ascii: bool,
    /// Triplets of octets from 0x80 up are decoded.
    pub(crate) above: bool,
    /// The places where ASCII letters, also decoded letters, become lower case: before the first of these byte offsets,
    /// and from the second offset to the third offset. The third offset is the largest.
    pub(crate) lower: [usize; 3],
    /// The path whose dot segments are removed. It is empty, or begins with a slash.
    pub(crate) path: Range<usize>,
}

impl Changes {
    /// Returns the bytes `here` whose triplets are decoded, in a block at the offset `at`. `octets` has the octet of each
    /// triplet at its percent sign. `carry` has the bytes that the block before decides, and gets those that this block
    /// decides for the next one. Returns `None` if the walk ends.
    #[inline(always)]
    fn decoded<D: Decodable, B: Block>(
        &self,
        octets: B,
        here: u64,
        at: usize,
        carry: &mut u64,
    ) -> Option<u64> {
        let mut done = 0;
        if self.ascii {
            done = octets.ascii(&D::ASCII) & here;
        }
        if self.above {
            let decoded = characters::<D, _>(octets, here, *carry)?;
            *carry = decoded >> STEP;
            done |= decoded & here;
        }
        // `dot_segments` reads only the dots of the text, so an encoded dot in the path ends the walk.
        let in_path =
            !self.path.is_empty() && octets.ascii(&DOT) & done & within(&self.path, at) != 0;
        (!in_path).then_some(done)
    }
}

/// Appends `text` to `out` with these changes, and returns the offsets in `out` of `N` places in the text. The places
/// ascend. A place is not inside a triplet, and not inside a segment that is removed.
///
/// Triplets that are not well-formed UTF-8, or that stand for a refused character, stay. Returns `None` and appends
/// nothing if a character has four octets or a refused first octet, or if a decoded octet is a dot of the path. One
/// pass. Allocates nothing if `out` has room for the text and 64 bytes.
#[inline]
pub(crate) fn rewrite<D: Decodable, const N: usize>(
    text: &str,
    changes: &Changes,
    places: &[u32; N],
    out: &mut String,
) -> Option<[u32; N]> {
    CpuLevel::best().run_wide(Rewrite::<D, N>::of(text, changes, places, out))
}

/// [`rewrite()`] as a job, for callers that already run inside a kernel.
pub(crate) struct Rewrite<'a, D, const N: usize> {
    text: &'a [u8],
    changes: &'a Changes,
    places: &'a [u32; N],
    out: &'a mut String,
    of: PhantomData<D>,
}

impl<'a, D, const N: usize> Rewrite<'a, D, N> {
    /// The job with the arguments of [`rewrite()`].
    #[inline(always)]
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

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> Self::Output {
        let Self { text, changes, places, out, of: _ } = self;
        let Changes { lower, path, .. } = changes;
        let [first_end, second, lower_end] = *lower;
        let (first, second) = (0..first_end, second..lower_end);
        // While the bytes may not be UTF-8, they are a vector and not a string. If the walk panics,
        // `out` is empty.
        let mut bytes = mem::take(out).into_bytes();
        let start = bytes.len();
        let mut moved = [start as u32; N];
        let mut segments = PathBlocks::of(text, path);
        // The result is never longer than the text. Each step needs room for a whole block.
        bytes.reserve(text.len() + BLOCK);
        let (mut at, mut carry) = (0, Carry::default());
        while at < text.len() {
            let rest = slice::bytes(text, at..);
            let block = simd.load(rest, 0);
            // The step is constant, so that the next load does not wait for this block.
            // Measured: `docs/performance/notes.md`, "Normalization and mappings".
            let length = if rest.len() > BLOCK { STEP } else { rest.len() };
            let here = below(length);
            let (mut octets, mut change) = (block, Change { done: 0, case: 0, stays: here });
            let (mut digits, mut gone) = (carry.digits, carry.gone);
            // Phase 1: triplets. Most blocks do not have triplets, and skip this phase by one branch.
            let percent = block.ascii(&tables::PERCENT);
            if percent | carry.decoded | carry.digits != 0 {
                let hexdig = block.ascii(&HEXDIG);
                let triplets = percent & hexdig >> 1 & hexdig >> 2;
                // If octets from 0x80 up are not decoded, the first digits show that most triplets stay.
                // Measured: `docs/performance/notes.md`, "Normalization and mappings".
                if changes.above || triplets << 1 & block.ascii(&Firsts::<D>::SET) != 0 {
                    octets = simd.octets(block, rest, triplets);
                    let Some(done) = changes.decoded::<D, _>(octets, here, at, &mut carry.decoded)
                    else {
                        break;
                    };
                    change.done = done;
                    gone |= done << 1 | done << 2;
                }
                let kept = triplets & here & !change.done;
                digits |= kept << 1 | kept << 2;
                change.case = block.ascii(&LOWER_DIGITS) & digits;
            }
            // Phase 2: letters of names, which lie in the first blocks of a reference.
            if at < second.end {
                let upper = block.ascii(&UPPER) & !digits | octets.ascii(&UPPER) & change.done;
                change.case |= upper & (within(&first, at) | within(&second, at));
            }
            // Phase 3: dot segments. A `..` may also shorten `bytes`, which are written already.
            if !path.is_empty() {
                gone = segments.gone(block, at, length, gone, &mut bytes);
            }
            change.stays = here & !gone;
            (carry.digits, carry.gone) = (digits >> STEP, gone >> STEP);
            // Phase 4: write the bytes that stay, and move the places of this block.
            let base = bytes.len();
            let Some(room) = bytes.spare_capacity_mut().first_chunk_mut() else { break };
            let written = simd.write(block, rest, octets, change, room);
            debug_assert_eq!(written, change.stays.count_ones() as usize);
            // SAFETY: `room` is a block of spare capacity, of which the kernel wrote the first
            // `written` bytes.
            unsafe { bytes.set_len(base + written) };
            simd.follow(places, at..at + length, change.stays, base, &mut moved);
            at += length;
        }
        let is_whole = at >= text.len();
        if !is_whole {
            bytes.truncate(start);
        }
        // SAFETY: the bytes before `start` were a string. The appended bytes are those of a string, in
        // which ASCII letters became other ASCII letters, dot segments went with their slashes, and
        // triplets became ASCII or characters that `characters` found to be UTF-8.
        *out = unsafe { String::from_utf8_unchecked(bytes) };
        is_whole.then_some(moved)
    }
}

/// The first digits of the triplets of octets below 0x80 that are decoded.
struct Firsts<D>(PhantomData<D>);

impl<D: Decodable> Firsts<D> {
    const SET: AsciiSet = {
        // A byte outside ASCII is not a member of the set.
        let mut digits = [0xFF; 0x80];
        let mut rest: &mut [u8] = &mut digits;
        let mut octet = 0;
        while let [digit, tail @ ..] = rest {
            if D::ASCII.contains(octet) {
                *digit = b'0' + (octet >> 4);
            }
            (rest, octet) = (tail, octet + 1);
        }
        AsciiSet::of(&digits)
    };
}

/// The number of bytes at the end of a block that are only read, and belong to the next block. A character of three
/// triplets has one byte more.
const SEEN: usize = 8;
/// The distance from the start of a block to the start of the next block.
const STEP: usize = BLOCK - SEEN;

/// The state from a block for the first bytes of the next block.
#[derive(Clone, Copy, Default)]
struct Carry {
    /// The digits of a triplet that is kept.
    digits: u64,
    /// The bytes that are not written.
    gone: u64,
    /// The first bytes of the triplets of a character that is decoded.
    decoded: u64,
}

/// Returns the octets from 0x80 up that are decoded: those of well-formed characters that are not refused. Each octet
/// stands where its triplet begins, so that the octets of a character are 3 bytes apart.
///
/// Judges the characters that begin `here`. `decoded` are the octets of a character that began in the block before. Of
/// the result, the octets after `here` are for the next block. Returns `None` if a character has four octets or a
/// refused first octet: then each character has to be examined.
///
/// ```text
/// text                  %  C  3  %  A  9  /  %  E  9  %  2  F      é, then an octet of a legacy charset
/// leads                 1                    1
/// continuations                  1
/// continuations >> 3    1                                          `C3` has what it needs, and `E9` has not
/// decoded               1        1
/// ```
#[inline(always)]
fn characters<D: Decodable, B: Block>(octets: B, here: u64, decoded: u64) -> Option<u64> {
    if octets.non_ascii() | decoded == 0 {
        return Some(0);
    }
    // All octets of a character that begins `here` are in this block. If the end of the last block cuts a character,
    // the masks have no bit for its continuations.
    let next = octets.high(&UTF8_CONTINUATIONS) >> TRIPLET;
    let leads = octets.high(&UTF8_LEADS[0]) & here & next;
    if leads & (octets.high(&FOUR) | octets.high(&D::REFUSED)) != 0 {
        return None;
    }
    let three = octets.high(&THREE_OR_MORE);
    let mut wrong = three & !(next >> TRIPLET);
    // Pairs with which no character may begin: overlong forms, surrogates, and refused characters.
    // Not a chain of iterators, which is a loop over tables.
    for pair in &SECONDS {
        wrong |= begin_pair(octets, pair);
    }
    wrong |= begin_pair(octets, &D::PAIR);
    // The octet also begins dashes and quotation marks, so the second and the third octet decide.
    let (first, others) = &D::TRIPLES;
    let firsts = octets.high(first) & leads;
    if firsts != 0 {
        for [second, third] in others {
            let thirds = octets.high(third) >> TRIPLET;
            wrong |= firsts & (octets.high(second) & thirds) >> TRIPLET;
        }
    }
    let leads = leads & !wrong;
    Some(decoded | leads | leads << TRIPLET | (leads & three) << (2 * TRIPLET))
}

/// Returns the octets that begin a pair: a member of the first set, and a member of the second set in the triplet
/// after it.
#[inline(always)]
fn begin_pair<B: Block>(octets: B, [first, second]: &[HighSet; 2]) -> u64 {
    octets.high(first) & octets.high(second) >> TRIPLET
}

/// The lead bytes of characters of three octets or more. The hull also holds bytes that are not lead bytes: these are
/// errors anyway.
const THREE_OR_MORE: HighSet = UTF8_LEADS[1].hull();
/// The lead bytes of characters of four octets, also as a hull.
const FOUR: HighSet = UTF8_LEADS[2].hull();

/// For characters of three octets: the first octets that refuse some second octets, and these second octets.
/// E0 refuses overlong forms, ED refuses surrogates.
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

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::scan::ops::encode::triplet;
    use crate::scan::ops::rewrite::octet;
    use crate::tables::UNRESERVED;

    /// Decodes some octets and refuses some characters.
    struct Chosen;

    impl Decodable for Chosen {
        const ASCII: AsciiSet = UNRESERVED;
        const REFUSED: HighSet = HighSet::of(&[0xC2]);
        const PAIR: [HighSet; 2] = [HighSet::of(&[0xD8]), HighSet::of(&[0x9C])];
        const TRIPLES: (HighSet, [[HighSet; 2]; 2]) = (
            HighSet::of(&[0xE2]),
            [
                [HighSet::of(&[0x80]), HighSet::of(&[0x8E, 0x8F])],
                [HighSet::of(&[0x81]), HighSet::of(&[0xA6])],
            ],
        );
    }

    /// A byte of the result, and the offset in the text that it comes from.
    type Byte = (u8, usize);

    /// The definition: what the documentation of [`rewrite()`] says, byte by byte.
    fn expected(text: &[u8], changes: &Changes, places: [u32; 2]) -> Option<(Vec<u8>, [u32; 2])> {
        let (mut bytes, mut at) = (Vec::<Byte>::new(), 0);
        // The end of the last character outside ASCII that is decoded.
        let mut character_end = 0;
        let [first, second, last] = changes.lower;
        let is_lower = |at: usize| at < first || (second..last).contains(&at);
        while at < text.len() {
            let given = octet(text, at);
            if let Some(lead @ 0xC2..=0xF4) = given.filter(|_| changes.above) {
                let length = lead.leading_ones() as usize;
                let octets: Vec<u8> =
                    (0..length).map_while(|number| octet(text, at + 3 * number)).collect();
                let goes_on = matches!(octets.get(1), Some(0x80..=0xBF));
                if goes_on && matches!(lead, 0xC2 | 0xF0..) {
                    return None;
                }
                let c = str::from_utf8(&octets).ok().and_then(|text| text.chars().next());
                let refused = ['\u{61C}', '\u{200E}', '\u{200F}', '\u{2066}'];
                if c.is_some_and(|c| !refused.contains(&c)) {
                    character_end = at + 3 * length;
                }
            }
            let decodes = |octet: &u8| {
                let has_ascii = changes.ascii && UNRESERVED.contains(*octet);
                if octet.is_ascii() { has_ascii } else { at < character_end }
            };
            let (written, length) = match (given, given.filter(decodes)) {
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
            at += length;
        }
        let bytes = without_dots(&bytes, &changes.path);
        let moved = places.map(|place| {
            let before = |byte: &&Byte| byte.1 < place as usize;
            bytes.iter().filter(before).count() as u32
        });
        Some((bytes.into_iter().map(|(byte, _)| byte).collect(), moved))
    }

    /// RFC 3986, section 5.2.4, segment by segment.
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
    fn the_worked_example_of_this_file() {
        let text = "H:/%7e/%c3/./b";
        let changes = Changes { ascii: true, above: false, lower: [1, 1, 1], path: 2..14 };
        for level in CpuLevel::available() {
            let mut out = String::new();
            let job = Rewrite::<Chosen, _>::of(text, &changes, &[2, 14], &mut out);
            assert_eq!((level.run_wide(job), out.as_str()), (Some([2, 10]), "h:/~/%C3/b"));
        }
    }

    #[test]
    fn every_kernel_rewrites_as_the_definition() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize
        };
        let parts = [
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
            "%D8%9C",
            "%E2%80%8E",
            "%E2%80%93",
            "%E2%81%A6",
            "%E0%80",
            "%E9",
            "%FF",
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
            // Few kinds of parts at a time, so that some texts are UTF-8.
            let (first, kinds) = (random() % parts.len(), 1 + random() % 6);
            let mut part = || parts[(first + random() % kinds) % parts.len()];
            let before: String = (0..length / 4).map(|_| part()).collect();
            let path: String = (0..length).map(|_| part()).collect();
            let after: String = (0..length / 4).map(|_| part()).collect();
            // The places are the start and the end of the path, which are not inside a triplet.
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
                    let found = level.run_wide(job);
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
