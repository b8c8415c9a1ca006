//! Many texts with a separator between them, taken apart together: bit by bit what the parser does
//! with one, and for all texts of 4 KiB at once.
//!
//! A *cursor* is a bit at a place in a text, and every text has one of each kind. All bits are one
//! long number. Cursors move to the next byte by a shift, and through the characters of a set by an
//! addition: the carry goes through the ones, and comes to rest where the set ends.
//!
//! ```text
//! text        h t t p : / / a / b \n f t p : x \n
//! start       1 . . . . . . . . . .  1 . . . . .
//! SCHEME      1 1 1 1 . . . 1 . 1 .  1 1 1 . 1 .
//! the sum     . . . . 1 . . 1 . 1 .  . . . 1 1 .
//! not SCHEME  . . . . 1 . . . . . .  . . . 1 . .    where each scheme ends
//! ```
//!
//! First the bytes are read, and become bits ([`Sets`]); then the cursors are found ([`Cursors`]), word
//! by word and without a branch; then, if they are wanted, their places ([`rows`]).
//!
//! A text that is sure decides no branch, and does not wait for the one before it. What is rare
//! (userinfo, a port, an `IP-literal`, a triplet in a host, a character that may lie outside
//! `ucschar`, more than 4 KiB) and what is wrong makes a text *unsure*: the parser is asked. Not
//! here: the parser, and what is done with the bits of one number (`bitset`).
#![forbid(unsafe_code)]

use memchr::memchr_iter;

use super::bitset::{BLOCKS, Bitset, GROUP};
use super::{Parts, Rule, SchemeRule, Spans};
use crate::scan::{BLOCK, Block, CpuLevel, Job, Simd};
use crate::tables::{
    AsciiSet, COLON, END, Eight, FRAGMENT, HEXDIG, LEADS, NAME, PATH, PERCENT, QUERY, SCHEME,
    SCHEME_FIRST,
};

// A fragment may hold what a query may, so that one question answers for both.
const _: () = assert!(QUERY.bits == FRAGMENT.bits);

/// How many texts are there at most in one go.
pub(crate) const ROOM: usize = 256;

/// Once there are so many, no further one is found. A block ends 64 at most, and the places of as
/// many are always put down.
const ENOUGH: u32 = 128;
const _: () = assert!(ENOUGH as usize + 2 * BLOCK <= ROOM);

/// A number for each text.
pub(super) type Column = [u32; ROOM];

/// The texts that are to be found: those in `buffer` from `from` on, with a separator between them.
/// The last one ends with the buffer.
#[derive(Clone, Copy)]
pub(crate) struct Texts<'a> {
    pub(crate) rule: Rule,
    pub(crate) buffer: &'a [u8],
    pub(crate) from: usize,
    pub(crate) separator: u8,
}

/// How much is to be found out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// Which texts are unsure, and where they lie if there are such.
    Sure,
    /// Also where all of them lie.
    Spans,
    /// Also the offsets of their parts.
    Parts,
}

/// What is found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Where the texts lie.
    pub(crate) spans: Spans,
    /// How many they are.
    pub(crate) len: usize,
    /// Where the last one ends.
    pub(crate) end: usize,
    /// Every byte was ASCII.
    pub(crate) is_ascii: bool,
    /// The texts that the parser is to be asked about, a bit each. The others match the rule.
    pub(crate) unsure: [u64; ROOM / 64],
    /// The offsets of those that are sure.
    pub(crate) rows: Rows,
    /// What is found on the way, kept because it is large.
    sets: Sets,
    cursors: Cursors,
    places: [Column; 3],
}

/// The offsets of the parts of texts, each from the start of its text: a column for each, in the
/// order of [`Parts::offsets`].
#[derive(Clone, Debug)]
pub(crate) struct Rows(pub(crate) [Column; 8]);

impl Rows {
    /// The parts of a text.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "256 entries, indexed by a byte")]
    pub(crate) fn get(&self, number: u8) -> Parts {
        Parts::at(self.0.each_ref().map(|column| column[usize::from(number)]))
    }

    /// Sets the parts of a text.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "256 entries, indexed by a byte")]
    pub(crate) fn set(&mut self, number: u8, parts: Parts) {
        for (column, offset) in self.0.iter_mut().zip(parts.offsets()) {
            column[usize::from(number)] = offset;
        }
    }
}

impl Found {
    /// Nothing.
    pub(crate) const NONE: Self = Self {
        spans: Spans::NONE,
        len: 0,
        end: 0,
        is_ascii: true,
        unsure: [0; ROOM / 64],
        rows: Rows([[0; ROOM]; 8]),
        sets: Sets::NONE,
        cursors: Cursors::NONE,
        places: [[0; ROOM]; 3],
    };

    /// Finds the next texts.
    pub(crate) fn find(&mut self, level: CpuLevel, texts: Texts<'_>, want: Want) {
        level.run(Find { texts, want, found: self });
    }

    /// The next texts, of which none is sure.
    fn unsure(&mut self, texts: Texts<'_>, limit: usize) {
        let Texts { buffer, from, separator, .. } = texts;
        let rest = buffer.get(from..).unwrap_or_default();
        let last = (buffer.last() != Some(&separator) && !rest.is_empty()).then_some(rest.len());
        let ends = memchr_iter(separator, rest).chain(last).take(limit);
        self.len = self.spans.set(from, ends);
        (self.unsure, self.is_ascii) = ([!0; ROOM / 64], false);
        self.end = self.spans.hull(self.len).end;
    }
}

/// The search.
// PERF: to count, 8.7 ns instead of 12.2 for a line of `web_ascii` and 12.4 instead of 20.3 for one of
// `multilingual_uri`, against the cursors of one block after the other: `ratios --what count`.
struct Find<'a> {
    texts: Texts<'a>,
    want: Want,
    found: &'a mut Found,
}

impl Job for Find<'_> {
    type Output = ();

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Simd>(self, simd: S) {
        let Self { texts, want, found } = self;
        if !S::MASKS {
            // Masks cost too much there.
            return found.unsure(texts, ENOUGH as usize);
        }
        found.sets.read(simd, texts);
        let Some(last) = found.sets.ends.last() else {
            // A text that ends further away.
            return found.unsure(texts, 1);
        };
        let cursors = &mut found.cursors;
        found.sets.cursors(simd, texts.rule, cursors);
        let Sets { ends, non_ascii, .. } = &found.sets;
        (found.len, found.end) = (ends.count(), texts.from + last);
        found.is_ascii = non_ascii.is_empty();
        let mut unsure = [0; ROOM / 64];
        cursors.unsure.each(ends, |number, _| {
            if let Some(word) = unsure.get_mut(number / 64) {
                *word |= 1 << (number % 64);
            }
        });
        found.unsure = unsure;
        if want == Want::Sure && unsure == [0; ROOM / 64] {
            return;
        }
        let places = &mut found.places;
        let [text_ends, path_ends, query_ends] = places;
        ends.put(simd, text_ends);
        let all = text_ends.iter().map(|end| *end as usize).take(found.len);
        found.spans.set(texts.from, all);
        if want == Want::Parts {
            (*path_ends, *query_ends) = (*text_ends, *text_ends);
            for (cursors, places) in
                [(&cursors.path_end, path_ends), (&cursors.query_end, query_ends)]
            {
                let others = cursors.without(ends);
                if 4 * others.count() > found.len {
                    cursors.put(simd, places);
                } else {
                    others.each(ends, |number, place| {
                        if let Some(known) = places.get_mut(number) {
                            *known = place;
                        }
                    });
                }
            }
            rows(cursors, &found.places, found.len, &mut found.rows);
        }
    }
}

impl Spans {
    /// Sets where the texts lie that begin at `from` and end at these offsets from there. Says how
    /// many they are.
    #[cfg_attr(optimized, inline(always))]
    fn set(&mut self, from: usize, ends: impl Iterator<Item = usize>) -> usize {
        let (mut next, mut count) = (from, 0);
        for ((start, end), place) in self.starts.iter_mut().zip(&mut self.ends).zip(ends) {
            (*start, *end) = (next, from + place);
            next = from + place + 1;
            count += 1;
        }
        count
    }
}

/// The offsets of the parts of the first `count` texts, of which the cursors are at `places`.
#[cfg_attr(optimized, inline(always))]
#[expect(clippy::indexing_slicing, reason = "an index into arrays of one length, below it")]
fn rows(cursors: &Cursors, places: &[Column; 3], count: usize, rows: &mut Rows) {
    let [ends, path_ends, query_ends] = places;
    let Rows([scheme_end, authority, host, host_end, path, path_end, query_end, end]) = rows;
    let mut starts = [0; ROOM];
    for (start, end) in starts.iter_mut().skip(1).zip(ends) {
        *start = *end + 1;
    }
    let (mut schemes, mut firsts) = ([0; ROOM], [0; ROOM]);
    for i in 0..count.min(ROOM) {
        schemes[i] = cursors.scheme_end.distance(starts[i]);
        firsts[i] = cursors.path.distance(starts[i]);
    }
    for i in 0..count.min(ROOM) {
        let start = starts[i];
        let from_start = |place: u32| place.wrapping_sub(start);
        // Without a scheme, the cursor is at the start, or the path has the same.
        let (scheme, first) = (schemes[i], firsts[i]);
        let has_scheme = (scheme != 0) & (first > scheme);
        let after = if has_scheme { scheme.wrapping_add(1) } else { 0 };
        // Without an authority, the path has its cursor at most one slash further on.
        let name = after.wrapping_add(2);
        let has_authority = (first >= name) & (has_scheme | (scheme == 0));
        let (name, first) = if has_authority { (name, first) } else { (after, after) };
        scheme_end[i] = if has_scheme { scheme } else { 0 };
        (authority[i], host[i], host_end[i], path[i]) = (name, name, first, first);
        path_end[i] = from_start(path_ends[i]);
        query_end[i] = from_start(query_ends[i]);
        end[i] = from_start(ends[i]);
    }
}

/// What is asked of every byte, in the order of [`Sets::of`].
const EIGHT: Eight = Eight::of([SCHEME, SCHEME_FIRST, COLON, NAME, END, QUERY, PATH, HEXDIG]);

/// The members of sets among the bytes of texts, and where the texts end.
#[derive(Clone, Debug)]
struct Sets {
    ends: Bitset,
    non_ascii: Bitset,
    percent: Bitset,
    /// The bytes of characters that may be outside `ucschar`.
    leads: Bitset,
    of: [Bitset; 8],
}

/// The cursors of texts, of each kind one a text.
#[derive(Clone, Debug)]
struct Cursors {
    /// Where the characters of a scheme end.
    scheme_end: Bitset,
    /// Where a plain authority ends; without one, somewhere in the first segment.
    path: Bitset,
    path_end: Bitset,
    query_end: Bitset,
    /// Bits in a text that is not sure.
    unsure: Bitset,
}

impl Cursors {
    const NONE: Self = Self {
        scheme_end: Bitset::ZERO,
        path: Bitset::ZERO,
        path_end: Bitset::ZERO,
        query_end: Bitset::ZERO,
        unsure: Bitset::ZERO,
    };
}

impl Sets {
    const NONE: Self = Self {
        ends: Bitset::ZERO,
        non_ascii: Bitset::ZERO,
        percent: Bitset::ZERO,
        leads: Bitset::ZERO,
        of: [Bitset::ZERO; 8],
    };

    /// Reads the next texts.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "as many words as there are blocks")]
    fn read<S: Simd>(&mut self, simd: S, texts: Texts<'_>) {
        let Texts { buffer, from, separator, .. } = texts;
        let mut rest = buffer.get(from..).unwrap_or_default();
        // What ends with the buffer ends as if there were a separator.
        let mut is_open = rest.last().is_some_and(|last| *last != separator);
        let mut count = 0;
        let Self { ends, non_ascii, percent, leads, of } = self;
        let (ends, non_ascii) = (ends.groups(), non_ascii.groups());
        let (percent, leads) = (percent.groups(), leads.groups());
        for group in 0..BLOCKS / GROUP {
            let mut padded = [[0; BLOCK]; GROUP];
            let (blocks, len) = match rest.first_chunk() {
                Some(bytes) => {
                    let bytes: &[u8; GROUP * BLOCK] = bytes;
                    (bytemuck::must_cast_ref(bytes), GROUP * BLOCK)
                }
                None => {
                    let bytes = padded.as_flattened_mut();
                    bytes.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
                    (&padded, rest.len())
                }
            };
            rest = rest.get(len..).unwrap_or_default();
            let [ends, non_ascii]: [&mut [u64; GROUP]; 2] =
                [&mut ends[group], &mut non_ascii[group]];
            let mut all = 0;
            for (i, bytes) in blocks.iter().enumerate() {
                let block = simd.load(bytes, 0);
                ends[i] = block.ascii(&AsciiSet::just(separator));
                non_ascii[i] = block.non_ascii();
                percent[group][i] = block.ascii(&PERCENT);
                all |= non_ascii[i];
            }
            leads[group] = [0; GROUP];
            if all != 0 {
                for (leads, bytes) in leads[group].iter_mut().zip(blocks) {
                    *leads = simd.load(bytes, 0).high(&LEADS);
                }
            }
            if len < GROUP * BLOCK {
                cut(ends, len, is_open);
                is_open = false;
            }
            count += ends.iter().map(|word| word.count_ones()).sum::<u32>();
            if count >= ENOUGH {
                // Of later blocks, no end counts.
                for word in ends.iter_mut().rev() {
                    if count - word.count_ones() < ENOUGH {
                        break;
                    }
                    count -= word.count_ones();
                    *word = 0;
                }
                (rest, is_open) = (&[], false);
            }
            for (set, words) in of.iter_mut().zip(simd.eights(blocks, separator, &EIGHT)) {
                set.groups()[group] = words;
            }
        }
    }

    /// Finds the cursors. What is to be done word by word between two additions is one loop.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "an index into arrays of one length, below it")]
    fn cursors<S: Simd>(&self, simd: S, rule: Rule, cursors: &mut Cursors) {
        let Self { ends: Bitset(ends), non_ascii: Bitset(non_ascii), percent, leads, of } = self;
        let [scheme, letter, colon, name, end, query, path, hexdig] =
            of.each_ref().map(|set| &set.0);
        let Cursors { scheme_end, path: path_start, path_end, query_end, unsure } = cursors;
        let [mut sum, mut no_letter, mut iquery, mut ipath, mut no_authority] = [[0; BLOCKS]; 5];

        // A scheme begins with a letter, and ends at a colon.
        let mut after_end = Next(1 << (BLOCK - 1));
        for i in 0..BLOCKS {
            let start = after_end.of(ends[i]);
            sum[i] = start & letter[i];
            no_letter[i] = start & !letter[i];
            iquery[i] = query[i] | non_ascii[i];
            ipath[i] = path[i] | non_ascii[i];
        }
        simd.add(&mut sum, scheme);
        for i in 0..BLOCKS {
            sum[i] &= !scheme[i];
            scheme_end.0[i] = sum[i] | no_letter[i];
            unsure.0[i] = leads.0[i] | if rule.ascii_only() { non_ascii[i] } else { 0 };
        }
        let has_no_scheme = |i: usize| sum[i] & !colon[i] | no_letter[i];
        if rule.scheme() == SchemeRule::Required {
            for i in 0..BLOCKS {
                unsure.0[i] |= has_no_scheme(i);
            }
        } else {
            // Without one, the first segment holds no colon.
            let [mut segment, mut segment_end] = [[0; BLOCKS]; 2];
            for i in 0..BLOCKS {
                segment[i] = ipath[i] & !colon[i] & !end[i];
                segment_end[i] = has_no_scheme(i);
            }
            simd.add(&mut segment_end, &segment);
            let is_wrong = rule.scheme() == SchemeRule::Absent;
            for i in 0..BLOCKS {
                let scheme = if is_wrong { sum[i] & colon[i] } else { 0 };
                unsure.0[i] |= segment_end[i] & !segment[i] & colon[i] | scheme;
            }
        }

        // Two slashes, and a plain name. A percent sign is followed by two digits.
        let [mut scheme_colon, mut one_slash, mut two_slashes] = [Next(0); 3];
        let [mut one_digit, mut two_digits] = [Next(0); 2];
        for i in 0..BLOCKS {
            let slash = end[i] & ipath[i];
            let after_scheme = scheme_colon.of(sum[i] & colon[i]) | no_letter[i];
            let after_slash = one_slash.of(after_scheme & slash);
            let no_colon = sum[i] & !colon[i];
            no_authority[i] = (after_scheme | after_slash) & !slash | no_colon;
            sum[i] = two_slashes.of(after_slash & slash);
            let first = one_digit.of(percent.0[i] & !ends[i]);
            unsure.0[i] |= (first | two_digits.of(first)) & !hexdig[i];
        }
        simd.add(&mut sum, name);
        for i in 0..BLOCKS {
            let name_end = sum[i] & !name[i];
            unsure.0[i] |= name_end & !end[i] & !ends[i];
            sum[i] = name_end | no_authority[i];
            path_start.0[i] = sum[i];
        }

        simd.add(&mut sum, &ipath);
        for i in 0..BLOCKS {
            path_end.0[i] = sum[i] & !ipath[i];
        }
        sum = path_end.0;
        simd.add(&mut sum, &iquery);
        let mut any_fragment = 0;
        let mut before_fragment = Next(0);
        for i in 0..BLOCKS {
            let query_ends = sum[i] & !iquery[i];
            query_end.0[i] = query_ends;
            let has_fragment = query_ends & end[i];
            any_fragment |= has_fragment;
            unsure.0[i] |= query_ends & !end[i] & !ends[i];
            unsure.0[i] |= if rule.allows_fragment() { 0 } else { has_fragment };
            sum[i] = before_fragment.of(has_fragment);
        }
        if any_fragment != 0 {
            simd.add(&mut sum, &iquery);
            for i in 0..BLOCKS {
                unsure.0[i] |= sum[i] & !iquery[i] & !ends[i];
            }
        }
    }
}

/// Cuts the ends of a group at the end of the buffer: the zeros after it may look like separators,
/// and what is open ends there.
#[cold]
fn cut(ends: &mut [u64; GROUP], len: usize, is_open: bool) {
    for (word, at) in ends.iter_mut().zip((0..).step_by(BLOCK)) {
        match len.checked_sub(at) {
            Some(rest @ 0..BLOCK) => *word = *word & !(!0 << rest) | u64::from(is_open) << rest,
            Some(_) => {}
            None => *word = 0,
        }
    }
}

/// Moves the bits of words to the next place: the word before.
#[derive(Clone, Copy)]
struct Next(u64);

impl Next {
    #[cfg_attr(optimized, inline(always))]
    fn of(&mut self, word: u64) -> u64 {
        let moved = word << 1 | self.0 >> (BLOCK - 1);
        self.0 = word;
        moved
    }
}
