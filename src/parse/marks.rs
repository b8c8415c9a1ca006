//! Many texts with a separator between them, taken apart together: bit by bit what the parser does
//! with one, and for all texts of a block at once.
//!
//! A *mark* is a bit at a place in a text, and every text has one of each kind. A mark runs through
//! the characters of a set by an addition: the carry goes through the ones, and comes to rest where
//! the set ends.
//!
//! ```text
//! text        h t t p : / / a / b \n f t p : x \n
//! start       1 . . . . . . . . . .  1 . . . . .
//! SCHEME      1 1 1 1 . . . 1 . 1 .  1 1 1 . 1 .
//! the sum     . . . . 1 . . 1 . 1 .  . . . 1 1 .
//! not SCHEME  . . . . 1 . . . . . .  . . . 1 . .    where each scheme ends
//! ```
//!
//! A text that is sure decides no branch, and does not wait for the one before it. What is
//! rare (userinfo, a port, an `IP-literal`, a triplet in a host, a character that may lie outside
//! `ucschar`) and what is wrong makes a text *unsure*: the parser is asked. Not here: the parser.
#![forbid(unsafe_code)]

use core::ops::Range;

use memchr::memchr_iter;

use super::{Parts, Rule, SchemeRule};
use crate::scan::{BLOCK, Block, CpuLevel, Job, Simd};
use crate::tables::{
    AsciiSet, COLON, END, FRAGMENT, HEXDIG, LEADS, NAME, PERCENT, QUERY, QUESTION, SCHEME,
    SCHEME_FIRST, SEGMENT_NC,
};

// A fragment may hold what a query may, so that one question answers for both.
const _: () = assert!(QUERY.bits == FRAGMENT.bits);

/// How many texts are there at most in one go.
pub(crate) const ROOM: usize = 256;

/// No further block is looked at once there are so many; a block ends 64 at most.
const ENOUGH: usize = 128;

/// No further block is looked at after so many bytes, if a text has ended: they are to be read
/// again while they are in the first-level cache.
const NEAR: usize = 1 << 14;

/// Where texts lie in a buffer, and where their marks are: offsets into the buffer, by number.
#[derive(Clone, Debug)]
pub(crate) struct Marks {
    /// Where a text ends.
    pub(crate) ends: Places,
    /// Where the characters of a scheme end.
    scheme_ends: Places,
    /// Where a plain authority ends; without one, somewhere in the first segment.
    paths: Places,
    path_ends: Places,
    query_ends: Places,
    /// The texts that the parser is to be asked about, a bit each. The others match the rule.
    pub(crate) unsure: [u64; ROOM / 64],
}

type Places = [usize; ROOM];

/// What was looked at.
#[derive(Clone, Copy)]
pub(crate) struct Looked {
    /// How many texts have ended there.
    pub(crate) count: usize,
    /// Every byte was ASCII.
    pub(crate) is_ascii: bool,
}

impl Marks {
    /// None.
    pub(crate) const NONE: Self = Self {
        ends: [0; ROOM],
        scheme_ends: [0; ROOM],
        paths: [0; ROOM],
        path_ends: [0; ROOM],
        query_ends: [0; ROOM],
        unsure: [0; ROOM / 64],
    };

    /// Finds the next texts in `buffer`, from `from` on, with all their marks. The last one ends
    /// with the buffer.
    pub(crate) fn find_all(
        &mut self,
        level: CpuLevel,
        rule: Rule,
        buffer: &[u8],
        from: usize,
        separator: u8,
    ) -> Looked {
        level.run(Find::<true> { rule, buffer, from, separator, marks: self })
    }

    /// The same, but only where the texts end and which are unsure.
    pub(crate) fn find_ends(
        &mut self,
        level: CpuLevel,
        rule: Rule,
        buffer: &[u8],
        from: usize,
        separator: u8,
    ) -> Looked {
        level.run(Find::<false> { rule, buffer, from, separator, marks: self })
    }

    /// The parts of a text that lies at `span` and is sure.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "256 entries, indexed by a byte")]
    pub(crate) fn parts(&self, buffer: &[u8], span: Range<usize>, number: u8) -> Parts {
        let Range { start, end } = span;
        let at = |places: &Places| places[usize::from(number)];
        let scheme_end = at(&self.scheme_ends);
        let has_scheme = buffer.get(scheme_end) == Some(&b':') && scheme_end < end;
        let after_scheme = if has_scheme { scheme_end + 1 } else { start };
        let text = buffer.get(after_scheme..end).unwrap_or_default();
        let has_authority = text.starts_with(b"//");
        let authority = if has_authority { after_scheme + 2 } else { after_scheme };
        let path = if has_authority { at(&self.paths) } else { after_scheme };
        let offset = |at: usize| (at - start) as u32;
        Parts {
            scheme_end: if has_scheme { offset(scheme_end) } else { 0 },
            authority: offset(authority),
            host: offset(authority),
            host_end: offset(path),
            path: offset(path),
            path_end: offset(at(&self.path_ends)),
            query_end: offset(at(&self.query_ends)),
            end: offset(end),
        }
    }
}

/// The search.
struct Find<'a, const PARTS: bool> {
    rule: Rule,
    buffer: &'a [u8],
    from: usize,
    separator: u8,
    marks: &'a mut Marks,
}

impl<const PARTS: bool> Job for Find<'_, PARTS> {
    type Output = Looked;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Looked {
        if !S::MASKS {
            return self.ends_alone();
        }
        let Self { rule, buffer, from, separator, marks } = self;
        // What ends with the buffer ends as if there were a separator.
        let is_open = buffer.last().is_some_and(|last| *last != separator);
        let len = buffer.len() + usize::from(is_open);
        let separator = AsciiSet::just(separator);
        let mut carries = Carries { start: 1, ..Carries::default() };
        let mut any_non_ascii = 0;
        let [mut count, mut scheme_ends, mut paths, mut path_ends, mut query_ends] = [0; 5];
        marks.unsure = [0; ROOM / 64];
        let whole = buffer.get(from..).unwrap_or_default().as_chunks::<BLOCK>().0;
        let mut whole = whole.iter();
        let mut at = from;
        while at < len && count < ENOUGH && (at - from < NEAR || count == 0) {
            let (block, ends) = match whole.next() {
                Some(bytes) => {
                    let block = simd.load(bytes, 0);
                    (block, block.ascii(&separator))
                }
                None => {
                    let block = simd.load(buffer, at);
                    // Zeros past the end may look like a separator.
                    let rest = buffer.len() - at;
                    let there = !(!0 << rest);
                    (block, block.ascii(&separator) & there | u64::from(is_open) << rest)
                }
            };
            any_non_ascii |= block.non_ascii();
            let step = carries.step(block, ends, rule);
            note(&mut marks.unsure, count, ends, step.unsure);
            put(&mut marks.ends, &mut count, at, ends);
            if PARTS {
                put(&mut marks.scheme_ends, &mut scheme_ends, at, step.scheme_end);
                put(&mut marks.paths, &mut paths, at, step.path);
                put(&mut marks.path_ends, &mut path_ends, at, step.path_end);
                put(&mut marks.query_ends, &mut query_ends, at, step.query_end);
            }
            at += BLOCK;
        }
        // The parser refuses what is too long, which can only be the first: after that, a text ends.
        let [first, ..] = marks.ends;
        let [word, ..] = &mut marks.unsure;
        *word |= u64::from(u32::try_from(first.saturating_sub(from)).is_err());
        Looked { count, is_ascii: any_non_ascii == 0 }
    }
}

impl<const PARTS: bool> Find<'_, PARTS> {
    /// Where texts end, for a CPU for which masks cost too much. All are unsure.
    fn ends_alone(self) -> Looked {
        let Self { buffer, from, separator, marks, .. } = self;
        let rest = buffer.get(from..).unwrap_or_default();
        let last = (buffer.last() != Some(&separator) && !rest.is_empty()).then_some(buffer.len());
        let ends = memchr_iter(separator, rest).map(|at| from + at).chain(last);
        let mut count = 0;
        for (place, end) in marks.ends.iter_mut().zip(ends).take(ENOUGH) {
            *place = end;
            count += 1;
        }
        marks.unsure = [!0; ROOM / 64];
        Looked { count, is_ascii: false }
    }
}

/// Appends the places of the bits of a block that begins at `at`.
#[inline(always)]
fn put(places: &mut Places, count: &mut usize, at: usize, mut bits: u64) {
    let mut free = *count;
    *count += bits.count_ones() as usize;
    // Always two, whether they are there or not: how many are is hard to foretell.
    while let Some(two) = places.get_mut(free..free + 2) {
        for place in two {
            *place = at + bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
        }
        if bits == 0 {
            break;
        }
        free += 2;
    }
}

/// Notes the texts in which the bits of a block lie, given how many have ended before it.
#[inline(always)]
fn note(unsure: &mut [u64; ROOM / 64], before: usize, ends: u64, mut bits: u64) {
    while bits != 0 {
        let below = bits & bits.wrapping_neg();
        let below = below - 1;
        let number = before + (ends & below).count_ones() as usize;
        if let Some(word) = unsure.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
        // More bits of this text say nothing new: they are up to its end.
        let end = ends & !below;
        bits &= !(end ^ end.wrapping_sub(1));
    }
}

/// What the texts of a block have.
struct Step {
    scheme_end: u64,
    path: u64,
    path_end: u64,
    query_end: u64,
    /// Bits in a text that is not sure.
    unsure: u64,
}

/// What goes on from one block to the next: for each mark that is moved, whether it left the block.
#[derive(Default)]
struct Carries {
    start: u64,
    scheme: u64,
    segment: u64,
    after_scheme: u64,
    one_slash: u64,
    two_slashes: u64,
    name: u64,
    path: u64,
    query: u64,
    fragment: u64,
    fragment_end: u64,
    digits: u64,
}

/// Moves marks to the next place.
#[inline(always)]
fn next(carry: &mut u64, marks: u64) -> u64 {
    let moved = marks << 1 | *carry;
    *carry = marks >> (BLOCK - 1);
    moved
}

/// Moves marks to the first place at or after theirs that is not in `set`.
#[inline(always)]
fn through(carry: &mut u64, marks: u64, set: u64) -> u64 {
    // A text has one mark: that which comes from the block before has none beside it.
    let (sum, over) = (marks | *carry).overflowing_add(set);
    *carry = u64::from(over);
    sum & !set
}

/// All bits if it is so.
#[inline(always)]
fn all(so: bool) -> u64 {
    u64::from(so).wrapping_neg()
}

impl Carries {
    /// Finds the marks of a block, of which `ends` are no part of a text.
    #[inline(always)]
    fn step<B: Block>(&mut self, block: B, ends: u64, rule: Rule) -> Step {
        let of = |set| block.ascii(set) & !ends;
        let non_ascii = block.non_ascii();
        let start = next(&mut self.start, ends);

        // A scheme begins with a letter, and ends at a colon.
        let (scheme, colon) = (of(&SCHEME), of(&COLON));
        let letter = start & of(&SCHEME_FIRST);
        let run = through(&mut self.scheme, letter, scheme);
        let has_scheme = run & colon;
        let no_scheme = run & !colon | start & !letter;
        let mut unsure = match rule.scheme() {
            SchemeRule::Required => no_scheme,
            // The first segment holds no colon then.
            other => {
                let segment = of(&SEGMENT_NC) | non_ascii;
                let segment_end = through(&mut self.segment, no_scheme, segment);
                segment_end & colon | has_scheme & all(other == SchemeRule::Absent)
            }
        };

        // Two slashes, and a plain name.
        let (name, end, query) = (of(&NAME), of(&END), of(&QUERY) | non_ascii);
        let path = query & !of(&QUESTION);
        let after_scheme = next(&mut self.after_scheme, has_scheme) | no_scheme & start;
        let slash = end & path;
        let one_slash = next(&mut self.one_slash, after_scheme & slash);
        let two_slashes = next(&mut self.two_slashes, one_slash & slash);
        let name_end = through(&mut self.name, two_slashes, name);
        unsure |= name_end & !(end | ends);

        let path_start = name_end | after_scheme & !slash | one_slash & !slash | no_scheme & !start;
        let path_end = through(&mut self.path, path_start, path);
        let query_end = through(&mut self.query, path_end, query);
        let hash = end & !query;
        let has_fragment = query_end & hash;
        let fragment = next(&mut self.fragment, has_fragment);
        let fragment_end = through(&mut self.fragment_end, fragment, query);
        unsure |= query_end & !(hash | ends) | fragment_end & !ends;
        unsure |= has_fragment & all(!rule.allows_fragment());

        let percent = of(&PERCENT);
        let digits = percent << 1 | percent << 2 | self.digits;
        self.digits = percent >> (BLOCK - 1) | percent >> (BLOCK - 2);
        unsure |= digits & !of(&HEXDIG);
        if non_ascii != 0 {
            unsure |= block.high(&LEADS) | non_ascii & all(rule.ascii_only());
        }
        Step { scheme_end: run | start & !letter, path: path_start, path_end, query_end, unsure }
    }
}
