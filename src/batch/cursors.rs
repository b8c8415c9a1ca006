//! Parses all texts of 4 KiB at once, where a separator lies between them: finds for each text whether
//! it matches a rule, and where its components lie.
//!
//! Here: the search. Not here: the ordinary parser, which is asked about the texts that stay *unsure*
//! (`parse`), and the operations on one set of bits (`bitset`).
#![forbid(unsafe_code)]

/*
# The algorithm

The parser moves one offset through one text. Here every text has a *cursor*: a bit at a place in the
text. The cursors of 4096 bytes are one number of 4096 bits, whose lowest bit is the first byte, and
one operation moves them all. A shift moves each cursor to the next byte. An addition moves each cursor
through the characters of a set: the carry runs through the ones and comes to rest at the first byte
that is not in the set.

    text        h t t p : / / a / b \n f t p : x \n
    start       1 . . . . . . . . . .  1 . . . . .
    SCHEME      1 1 1 1 . . . 1 . 1 .  1 1 1 . 1 .
    the sum     . . . . 1 . . 1 . 1 .  . . . 1 1 .
    not SCHEME  . . . . 1 . . . . . .  . . . 1 . .    where each scheme ends

No branch depends on a text, and no text waits for the one before it. The steps are:

    read the blocks: for each set a number of 4096 bits (`Sets::read`)
    move the cursors (`Sets::cursors`):
        scheme_end = start + SCHEME, without SCHEME        the start must be a letter
        authority  = two shifts, over `//` after the colon
        path       = authority + NAME, without NAME        or where there is no `//`
        path_end   = path + PATH, without PATH             if offsets are wanted
        query_end  = path + QUERY, without QUERY           QUERY holds PATH and the `?`, too
        the end    = query_end, or a shift over `#`, + QUERY, without QUERY
    each cursor that stops where the grammar has nothing like it makes its text unsure
    if offsets are wanted: read the place of each cursor (`rows`)

PATH and QUERY mean these sets and all bytes outside ASCII. All cursors of one text:

    text        a  :  /  /  b  /  c  ?  d  #  e  \n
    start       1
    scheme_end     1
    authority               1
    path                       1
    path_end                         1
    query_end                              1
    the end                                      1

A text that is not unsure is *sure*: it matches the rule. Unsure are all texts that do not match, and
those with something rare: userinfo, a port, an `IP-literal`, a triplet or a character outside ASCII in
the host, a character that may lie outside `ucschar`. A text that does not end within the 4 KiB is unsure
and alone. The parser is asked about the unsure ones. Without SIMD, masks cost too much, and all texts
are unsure.

# Invariants

- The separator is in no set, so that no carry leaves its text: each addition moves the cursor of each
  text and nothing else.
- Each cursor rests inside its text or on the separator after it. The last text ends with the buffer as
  if a separator were there.
- Between two additions, a word depends on itself and on the word before it alone, so that each phase of
  `cursors` is one plain loop over the words.
- A sure text matches the rule, whichever level finds it; an unsure one may match.

# What was tried

Counting lines of web_ascii takes 8.7 ns a line this way (`ratios --what count` in `benches`). It took
12.2 ns with the cursors of one block after the other, and 14.7 ns with separators found first, then a
parse of each text, texts of equal length together.
*/

use memchr::memchr_iter;

use super::bitset::{BLOCKS, Bitset, Column, GROUP, ROOM};
use super::many::Spans;
use crate::parse::{At, Parts, Rule, SchemeRule, refined};
use crate::scan::{BLOCK, Block, Cpu, CpuLevel, Job, Long, Simd, slice};
use crate::tables::{
    AsciiSet, COLON, END, Eight, FRAGMENT, HEXDIG, LEADS, NAME, PATH, PERCENT, QUERY, QUESTION,
    SCHEME, SCHEME_FIRST,
};

// A fragment may hold what a query may hold, so that one set serves both.
const _: () = assert!(QUERY.bits == FRAGMENT.bits);
// One addition moves a cursor from the start of a path to the end of the query.
const _: () = assert!(PATH.bits & !QUERY.bits == 0 && QUESTION.bits & !QUERY.bits == 0);

/// A search stops after the block in which the number of texts reaches this. The block may end 64 texts,
/// and `Long::put` writes room for 64 more.
const ENOUGH: u32 = 128;
const _: () = assert!(ENOUGH as usize + 2 * BLOCK <= ROOM);

/// The texts that are searched: those in `buffer` from byte `from` on, with a separator between them.
/// The last one may end with the buffer.
#[derive(Clone, Copy)]
pub(crate) struct Texts<'a> {
    pub(crate) rule: Rule,
    pub(crate) buffer: &'a [u8],
    pub(crate) from: usize,
    pub(crate) separator: u8,
}

/// The results that a search must produce.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// Which texts are unsure; and, if any is, where all texts lie.
    Sure,
    /// Which texts are unsure, and where all texts lie.
    Spans,
    /// Which texts are unsure, where all texts lie, and the offsets of the parts of the sure ones.
    Parts,
}

/// The result of a search.
///
/// Invariants: text `i` is sure exactly if bit `i` of `unsure` is 0 and `i < len`. Bits and entries
/// past `len` mean nothing.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Where the texts lie.
    pub(crate) spans: Spans,
    /// The number of texts.
    pub(crate) len: usize,
    /// The offset in the buffer at which the last text ends.
    pub(crate) end: usize,
    /// Whether every byte that was read is ASCII; false if that was not checked.
    pub(crate) is_ascii: bool,
    /// A bit for each text about which the parser must be asked. The other texts match the rule.
    pub(crate) unsure: [u64; ROOM / 64],
    /// The offsets of the parts of the sure texts.
    pub(crate) rows: Rows,
    /// Intermediate results, which are kept because they are large.
    sets: Sets,
    cursors: Cursors,
    places: [Column; 3],
}

/// The offsets of the parts of texts, relative to the start of the text: one column for each offset, in
/// the order of [`Parts::offsets`].
#[derive(Clone, Debug)]
pub(crate) struct Rows(pub(crate) [Column; 8]);

impl Rows {
    /// The parts of a text, given its number.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "256 entries, indexed by a byte")]
    pub(crate) fn get(&self, number: u8) -> Parts {
        Parts::at(self.0.each_ref().map(|column| column[usize::from(number)]))
    }

    /// Sets the parts of a text, given its number.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "256 entries, indexed by a byte")]
    pub(crate) fn set(&mut self, number: u8, parts: Parts) {
        for (column, offset) in self.0.iter_mut().zip(parts.offsets()) {
            column[usize::from(number)] = offset;
        }
    }
}

impl Found {
    /// No text.
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

    /// Finds the next texts, from `texts.from` on. `len` is 0 if there are none.
    pub(crate) fn find(&mut self, level: CpuLevel, texts: Texts<'_>, want: Want) {
        level.run(Find { texts, want, found: self });
    }

    /// Finds where the next texts lie, at most `limit` of them, and makes all of them unsure.
    fn unsure(&mut self, texts: Texts<'_>, limit: usize) {
        let Texts { buffer, from, separator, .. } = texts;
        // After a last text without a separator, `from` is past the end.
        let rest = buffer.get(from..).unwrap_or_default();
        let last = (buffer.last() != Some(&separator) && !rest.is_empty()).then_some(rest.len());
        let ends = memchr_iter(separator, rest).chain(last).take(limit);
        self.len = self.spans.set(from, ends);
        (self.unsure, self.is_ascii) = ([!0; ROOM / 64], false);
        self.end = self.spans.hull(self.len).end;
    }
}

/// [`Found::find`] as a job.
// PERF: counting takes 8.7 ns for a line of `web_ascii` and 12.4 ns for one of `multilingual_uri`; with the
// cursors of one block after the other it took 12.2 and 20.3 ns: `ratios --what count` in `benches`.
struct Find<'a> {
    texts: Texts<'a>,
    want: Want,
    found: &'a mut Found,
}

impl Job for Find<'_> {
    type Output = ();

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S) {
        let Self { texts, want, found } = self;
        if !S::MASKS {
            // Without SIMD, masks cost more than a parse.
            return found.unsure(texts, ENOUGH as usize);
        }
        found.sets.read(simd, texts);
        let Some(last) = found.sets.ends.last() else {
            // The next text does not end within the blocks that were read, or there is none.
            return found.unsure(texts, 1);
        };
        let cursors = &mut found.cursors;
        found.sets.cursors(simd, texts.rule, want, cursors);
        let Sets { ends, non_ascii, .. } = &found.sets;
        (found.len, found.end) = (ends.count(), texts.from + last);
        found.is_ascii = non_ascii.is_empty();
        // Bits by place become bits by number of the text.
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
        // Bits become places: the end of each text, then the ends of its path and its query. Where these
        // are mostly the end of the text, only the others are written over it.
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
    /// Sets where the texts lie that begin at `from` and end at `ends`, which are relative to `from`.
    /// Returns how many they are.
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

/// Writes the offsets of the parts of the first `count` texts. `places` are the places of the cursors
/// for the ends of the texts, of their paths and of their queries, relative to the first text.
#[cfg_attr(optimized, inline(always))]
#[expect(clippy::indexing_slicing, reason = "an index into arrays of one length, below it")]
fn rows(cursors: &Cursors, places: &[Column; 3], count: usize, rows: &mut Rows) {
    let [ends, path_ends, query_ends] = places;
    let Rows([scheme_end, authority, host, host_end, path, path_end, query_end, end]) = rows;
    // A text begins after the separator that ends the one before.
    let mut starts = [0; ROOM];
    for (start, end) in starts.iter_mut().skip(1).zip(ends) {
        *start = *end + 1;
    }
    let (mut schemes, mut firsts) = ([0; ROOM], [0; ROOM]);
    // The two cursors that are in every text, relative to its start.
    for i in 0..count.min(ROOM) {
        schemes[i] = cursors.scheme_end.distance(starts[i]);
        firsts[i] = cursors.path.distance(starts[i]);
    }
    for i in 0..count.min(ROOM) {
        let start = starts[i];
        let from_start = |place: u32| place.wrapping_sub(start);
        // Without a scheme, the cursor of the scheme is at the start, or the cursor of the path is at
        // the same place.
        let (scheme, first) = (schemes[i], firsts[i]);
        let has_scheme = (scheme != 0) & (first > scheme);
        let after = if has_scheme { scheme.wrapping_add(1) } else { 0 };
        // Without an authority, the cursor of the path is at most one slash after the scheme.
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

/// The sets that are asked of every byte, in the order of [`Sets::of`].
const EIGHT: Eight = Eight::of([SCHEME, SCHEME_FIRST, COLON, NAME, END, QUERY, PATH, HEXDIG]);

/// The bytes of the texts as bits: where the texts end, and which bytes are in which set.
///
/// Invariant: the separator is in no set of `of`, and `percent` may hold it only if it is the percent
/// sign.
#[derive(Clone, Debug)]
struct Sets {
    ends: Bitset,
    non_ascii: Bitset,
    percent: Bitset,
    /// The first bytes of characters that may be outside `ucschar`, as far as masks tell.
    leads: Bitset,
    of: [Bitset; 8],
}

/// The cursors of all texts: of each kind one in each text.
#[derive(Clone, Debug)]
struct Cursors {
    /// The first byte that a scheme cannot hold; the start, if the text does not begin with a letter.
    scheme_end: Bitset,
    /// The first byte after a plain authority. Without an authority, a place inside the path from which
    /// `PATH` runs to its end: where the characters of a scheme end, or at most one slash further on.
    path: Bitset,
    /// Only if offsets are wanted.
    path_end: Bitset,
    query_end: Bitset,
    /// One bit or more in each unsure text, none in the others.
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

    /// Reads the next 4096 bytes, or fewer if enough texts end before.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "as many words as there are blocks")]
    fn read<S: Long>(&mut self, simd: S, texts: Texts<'_>) {
        let Texts { buffer, from, separator, .. } = texts;
        // After a last text without a separator, `from` is past the end.
        let mut rest = buffer.get(from..).unwrap_or_default();
        // Whether the last text has no separator after it: it ends with the buffer.
        let mut is_open = rest.last().is_some_and(|last| *last != separator);
        let mut count = 0;
        let Self { ends, non_ascii, percent, leads, of } = self;
        let (ends, non_ascii) = (ends.groups(), non_ascii.groups());
        let (percent, leads) = (percent.groups(), leads.groups());
        for group in 0..BLOCKS / GROUP {
            // The next eight blocks: in the buffer, or a copy that is padded with zeros.
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
            rest = slice::bytes(rest, len..);
            let [ends, non_ascii]: [&mut [u64; GROUP]; 2] =
                [&mut ends[group], &mut non_ascii[group]];
            // Single sets. Characters that may be outside `ucschar` are asked for only where a byte is
            // not ASCII.
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
                let mut any = 0;
                for (leads, bytes) in leads[group].iter_mut().zip(blocks) {
                    *leads = simd.load(bytes, 0).high(&LEADS);
                    any |= *leads;
                }
                if any != 0 {
                    let at = from + group * GROUP * BLOCK;
                    refine(simd, buffer, at, &mut leads[group]);
                }
            }
            if len < GROUP * BLOCK {
                cut(ends, len, is_open);
                is_open = false;
            }
            count += ends.iter().map(|word| word.count_ones()).sum::<u32>();
            if count >= ENOUGH {
                // The ends of the last blocks do not count, so that all texts fit into `ROOM`.
                for word in ends.iter_mut().rev() {
                    if count - word.count_ones() < ENOUGH {
                        break;
                    }
                    count -= word.count_ones();
                    *word = 0;
                }
                (rest, is_open) = (&[], false);
            }
            // Eight sets at once, without the separator.
            for (set, words) in of.iter_mut().zip(simd.eights(blocks, separator, &EIGHT)) {
                set.groups()[group] = words;
            }
        }
    }

    /// Moves the cursors through all texts. Between two additions there is one loop over the words.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "an index into arrays of one length, below it")]
    fn cursors<S: Long>(&self, simd: S, rule: Rule, want: Want, cursors: &mut Cursors) {
        let Self { ends: Bitset(ends), non_ascii: Bitset(non_ascii), percent, leads, of } = self;
        let [scheme, letter, colon, name, end, query, path, hexdig] =
            of.each_ref().map(|set| &set.0);
        let Cursors { scheme_end, path: path_start, path_end, query_end, unsure } = cursors;
        let [mut sum, mut no_letter, mut iquery, mut ipath, mut no_authority] = [[0; BLOCKS]; 5];

        // Scheme: it begins with a letter at the start of a text, and ends at a colon.
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
            // Without a scheme, the first segment must not hold a colon. A scheme is wrong where the rule
            // has none.
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

        // Authority: two slashes and a plain name, which ends where an authority ends. In the same loop,
        // triplets: two hexadecimal digits must follow each percent sign.
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

        // Path: it ends at the first `?` or `#`, or with the text. Only who wants offsets needs its end.
        if want == Want::Parts {
            path_end.0 = sum;
            simd.add(&mut path_end.0, &ipath);
            for i in 0..BLOCKS {
                path_end.0[i] &= !ipath[i];
            }
        }
        // Query: it ends at `#` or with the text. It may hold what a path may hold, and the `?` between them,
        // so that one addition moves through both.
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
        // Fragment: all up to the end of the text. Most chunks have none.
        if any_fragment != 0 {
            simd.add(&mut sum, &iquery);
            for i in 0..BLOCKS {
                unsure.0[i] |= sum[i] & !iquery[i] & !ends[i];
            }
        }
    }
}

/// Takes those away from the leads of a group whose characters the masks tell to be of `ucschar`. The group
/// begins at byte `at` of the buffer.
#[cfg_attr(optimized, inline(always))]
fn refine<S: Simd>(simd: S, buffer: &[u8], at: usize, leads: &mut [u64; GROUP]) {
    for (leads, at) in leads.iter_mut().zip((at..).step_by(BLOCK)) {
        if *leads != 0 {
            *leads = refined(simd.load(buffer, at), *leads, At { simd, text: buffer, at });
        }
    }
}

/// Corrects the ends of the group in which the buffer ends: zeros after the buffer may look like
/// separators, and a text without a separator ends with the buffer.
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

/// Moves the bits of a long number to the next place, word by word. Keeps the word before, whose highest
/// bit moves into the next word.
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
