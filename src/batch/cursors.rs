//! Parses all texts of 4 KiB at once, with a separator between them or between copies of them: finds for each text
//! whether it matches a rule, and where its components lie.
//!
//! Here: the search. Not here: the ordinary parser, which reads the texts that stay *unsure* (`parse`), and the
//! operations on one set of bits (`bitset`).
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

No branch depends on a text, and no text waits for the one before it. The 4096 bits are eight *groups* of 512
(`Words`), which a kernel holds in a few registers. The steps are:

    gather the texts, if no separator lies between them and they cannot be searched as they touch
    for each group: which bytes are in which set, and where texts end (`Search::read`)
    for each group, move the cursors (`Search::cursors`):
        scheme_end = start + SCHEME, without SCHEME        the start must be a letter
        authority  = scheme_end moved by 3, if it is a colon and `//` follows
        path       = authority + NAME, without NAME        or where there is no `//`
                     over a `:`, + digits, without them    only if the group has a port
        each cursor that stops where the grammar has nothing like it makes its text unsure
        each byte outside QUERY and `#`, and each second `#`, makes its text unsure
        if offsets are wanted:
            path_end   = start + all but `?` and `#`
            query_end  = start + all but `#`
        hand the highest bits and the carries to the next group (`Before`)
    if offsets are wanted: read the place of each cursor (`rows`)

No cursor runs through path, query and fragment to find out whether a text matches: after the authority, any
text of QUERY with at most one `#` is a path, a query and a fragment, and so one test of all bytes is enough.
A cursor that runs to the first `?` or `#` may begin at the start, since neither is in a scheme or an
authority.

NAME and QUERY mean these sets, triplets and all bytes outside ASCII. All cursors of one text:

    text        a  :  /  /  b  /  c  ?  d  #  e  \n
    start       1
    scheme_end     1
    authority               1
    path                       1
    path_end                         1
    query_end                              1

A text that is not unsure is *sure*: it matches the rule. Unsure are all texts that do not match, and
those with something rare: userinfo, an `IP-literal`, a character that may lie outside `ucschar`. A text that
does not end within the 4 KiB is unsure and alone. The parser is asked about the unsure ones. Without SIMD,
masks cost too much, and all texts are unsure.

# Texts without a separator between them

The items of a column touch, some are empty, and each may hold any byte. There are two ways.

*Touching* texts are searched where they lie, if the rule requires a scheme and no text is empty. The first
byte of each text is checked alone (it must be a letter) and then removed from all sets, so that it stops
the cursors of the text before, as a separator would. The cursors of a text begin at its second byte. So all
cursors of a text are after its first byte and at most on the first byte of the next: no two meet.

    text        u  r  n  :  a  x  :  y  %
    stops                      1           1    the first byte of the next text
    scheme_end           1        1

The number of stops before a place is the number of its text. What is missing at the end of a text, such as the
digits after the percent sign here, is noticed on its stop.

*Gathered* texts are copies with a separator after each (`Gather`). They are texts like all others, but where
they end is known, not read from the bytes, and a separator inside a text ends nothing. It is in no set, and
so it makes its text unsure. As it is ASCII, the copies are UTF-8 as a whole exactly if each text is UTF-8.

# Invariants

- The separator is in no set, so that no carry leaves its text: each addition moves the cursor of each
  text and nothing else.
- Each cursor rests inside its text or on its stop: the separator after it, or the first byte of the next
  text. The last text ends with the buffer as if a separator were there.
- A group depends on itself and on what `Before` holds of the group before it.
- A sure text matches the rule, whichever level finds it; an unsure one may match.

# What was tried

Counting lines of web_ascii takes 2.1 ns a line this way with AVX-512 (`ratios --what count` in `benches`). It took

- 3.8 ns with a loop over all 64 words between two additions, which loads and stores every intermediate result;
- 3.0 ns with one loop that reads a group and then moves its cursors: a group waits for the one before it then, and
  the CPU does not see far enough ahead to begin the next one;
- 20 % longer when the compiler put registers of 64 bytes on a stack that was not aligned (`Padded`);
- 7.9 ns with cursors through path and query, on an older CPU, where the loops over 64 words took 4.6 ns; 12.2 ns
  with the cursors of one block after the other; and 14.7 ns with separators found first, then a parse of each text.

With AVX2, the groups take 4 to 12 % fewer instructions than the loops over 64 words for plain texts, and up to 4 %
more where most texts have a port or are unsure.
*/

use core::ops::Range;

use memchr::memchr_iter;

use super::bitset::{BLOCKS, Bitset, Column, ROOM};
use super::many::Spans;
use crate::parse::{At, Parts, Rule, SchemeRule, refined};
use crate::scan::{BLOCK, Block, Cpu, CpuLevel, GROUP, Job, Long, Members, Simd, Words};
use crate::tables::{
    AsciiSet, COLON, END, Eight, FRAGMENT, HEXDIG, LEADS, NAME, PATH, PERCENT, QUERY, QUESTION,
    SCHEME, SCHEME_FIRST,
};

// `SCHEME` splits `TRIPLET` into its members: the digits are in it, the percent sign is not.
const _: () = assert!(TRIPLET.bits == HEXDIG.bits | PERCENT.bits);
const _: () = assert!(HEXDIG.bits & SCHEME.bits == HEXDIG.bits && PERCENT.bits & SCHEME.bits == 0);
// The characters of a text are checked by one set, whichever component they are in.
const _: () = assert!((SCHEME.bits | COLON.bits | NAME.bits | PATH.bits) & !QUERY.bits == 0);
const _: () = assert!(PERCENT.bits & QUERY.bits == PERCENT.bits);

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
    /// Which texts are unsure, and where those lie.
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
    /// Whether texts that touch begin with ASCII bytes, and the byte after them is ASCII; false if that was not checked.
    pub(crate) starts_are_ascii: bool,
    /// A bit for each text that the ordinary parser must read. The other texts match the rule.
    pub(crate) unsure: [u64; ROOM / 64],
    /// The offsets of the parts of the sure texts.
    pub(crate) rows: Rows,
    /// The place of the end of each text, relative to the first text.
    ends: Column,
    /// The texts that `gather` brought together.
    gathered: Gathered,
    /// Intermediate results, which are kept because they are large.
    sets: Sets,
    cursors: Cursors,
    places: [Column; 2],
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
        starts_are_ascii: false,
        unsure: [0; ROOM / 64],
        rows: Rows([[0; ROOM]; 8]),
        ends: [0; ROOM],
        gathered: Gathered::NONE,
        sets: Sets::NONE,
        cursors: Cursors::NONE,
        places: [[0; ROOM]; 2],
    };

    /// Finds the next texts, from `texts.from` on. `len` is 0 if there are none.
    pub(crate) fn find(&mut self, level: CpuLevel, texts: Texts<'_>, want: Want) {
        let input = Input::Separated(texts);
        level.run_wide(Find { rule: texts.rule, input, want, found: self });
    }

    /// Takes as many texts as fit into a search with a separator after each; a single one that does not fit. The texts
    /// touch, and `ends` has where each ends, relative to the first. Returns whether they fit.
    #[cfg_attr(optimized, inline(always))]
    pub(crate) fn touch(&mut self, ends: impl Iterator<Item = usize>) -> bool {
        let Bitset(stops) = &mut self.cursors.stops;
        *stops = [0; BLOCKS];
        (self.len, self.gathered.len, self.starts_are_ascii) = (0, 0, false);
        let (mut at, mut word) = (0, 0);
        // `Bitset::put` stops where there is no room for a whole block.
        for end in ends.take(ROOM - BLOCK) {
            if end + self.len >= BLOCKS * BLOCK {
                break;
            }
            // PERF: the word is kept in a register: to read what was just stored takes longer than the rest.
            let next = end / BLOCK;
            word = if next == at { word } else { 0 } | 1_u64 << (end % BLOCK);
            at = next;
            if let (Some(stop), Some(place)) = (stops.get_mut(at), self.ends.get_mut(self.len)) {
                (*stop, *place) = (word, end as u32);
            }
            self.len += 1;
        }
        self.len > 0
    }

    /// Finds out about the texts that [`touch`](Self::touch) took. The first one begins at byte `from` of the buffer.
    /// Returns false if they cannot be searched as they lie: one of them is empty, the rule does not require a scheme, or
    /// there is no SIMD.
    pub(crate) fn find_touching(
        &mut self,
        level: CpuLevel,
        rule: Rule,
        buffer: &[u8],
        from: usize,
        want: Want,
    ) -> bool {
        rule.scheme() == SchemeRule::Required
            && level.run_wide(Find {
                rule,
                input: Input::Touching(buffer, from),
                want,
                found: self,
            })
    }

    /// Finds out about the first `len` texts at `spans`, which lie anywhere in `buffer`. If they do not fit into a
    /// search, or without SIMD, all are unsure.
    pub(crate) fn find_gathered(&mut self, level: CpuLevel, rule: Rule, buffer: &[u8], want: Want) {
        let Self { spans, len, ends, gathered, .. } = self;
        let bytes = level.run_wide(Gather { buffer, spans, count: *len, ends, gathered });
        self.gathered.len = bytes.unwrap_or(0);
        if self.gathered.len > 0 {
            level.run_wide(Find { rule, input: Input::Gathered, want, found: self });
        } else {
            self.all_unsure();
        }
    }

    /// Makes all texts unsure.
    fn all_unsure(&mut self) {
        (self.unsure, self.is_ascii) = ([!0; ROOM / 64], false);
        self.starts_are_ascii = false;
    }

    /// The texts that were gathered, with a separator after each; `None` if they were not.
    pub(crate) fn gathered(&self) -> Option<&[u8]> {
        self.gathered.bytes.get(..self.gathered.len).filter(|all| !all.is_empty())
    }

    /// Finds where the next texts lie, at most `limit` of them, and makes all of them unsure.
    fn unsure(&mut self, texts: Texts<'_>, limit: usize) {
        let Texts { buffer, from, separator, .. } = texts;
        // After a last text without a separator, `from` is past the end.
        let rest = buffer.get(from..).unwrap_or_default();
        let last = (buffer.last() != Some(&separator) && !rest.is_empty()).then_some(rest.len());
        let ends = memchr_iter(separator, rest).chain(last).take(limit);
        self.len = self.spans.set(from, ends, 1);
        self.all_unsure();
        self.end = self.spans.hull(self.len).end;
    }
}

/// A search as a job. Returns whether it was made.
struct Find<'a> {
    rule: Rule,
    input: Input<'a>,
    want: Want,
    found: &'a mut Found,
}

/// Where the texts of a search lie.
#[derive(Clone, Copy)]
enum Input<'a> {
    /// In a buffer, with a separator between them.
    Separated(Texts<'a>),
    /// In a buffer, one after the other from this byte on. [`Cursors::stops`] has where each ends.
    Touching(&'a [u8], usize),
    /// In [`Found::gathered`]; [`Found::spans`] has where they are in their buffer.
    Gathered,
}

/// What lies between the texts of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// A separator, which is found.
    Separated,
    /// Nothing. Where the texts end is known.
    Touching,
    /// A separator. Where the texts end is known.
    Gathered,
}

impl Layout {
    /// The number of bytes between two texts.
    #[cfg_attr(optimized, inline(always))]
    const fn gap(self) -> u32 {
        match self {
            Self::Touching => 0,
            Self::Separated | Self::Gathered => 1,
        }
    }
}

impl Input<'_> {
    /// What lies between the texts.
    #[cfg_attr(optimized, inline(always))]
    const fn layout(self) -> Layout {
        match self {
            Self::Separated(_) => Layout::Separated,
            Self::Touching(..) => Layout::Touching,
            Self::Gathered => Layout::Gathered,
        }
    }
}

impl<'a> Job for Find<'a> {
    type Output = bool;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> bool {
        let Self { rule, input, want, found } = self;
        if !S::MASKS {
            // Without SIMD, masks cost more than a parse.
            match input {
                Input::Separated(texts) => found.unsure(texts, ENOUGH as usize),
                Input::Touching(..) => return false,
                Input::Gathered => found.all_unsure(),
            }
            return true;
        }
        let Found { sets, cursors, gathered, len, .. } = found;
        // After a last text without a separator, `from` is past the end.
        let rest = |buffer: &'a [u8], from| buffer.get(from..).unwrap_or_default();
        let (text, from, separator) = match input {
            Input::Separated(Texts { buffer, from, separator, .. }) => {
                (rest(buffer, from), from, separator)
            }
            Input::Touching(buffer, from) => {
                // A text is empty if it ends where the one before ends, or where the first begins.
                let Bitset([first, ..]) = cursors.stops;
                if cursors.stops.count() < *len || first & 1 == 1 {
                    return false;
                }
                (rest(buffer, from), from, SEPARATOR)
            }
            Input::Gathered => {
                cursors.stops = gathered.ends;
                (gathered.bytes.get(..gathered.len).unwrap_or_default(), 0, SEPARATOR)
            }
        };
        let layout = input.layout();
        let search = Search { text, separator, rule, want, layout };
        let facts = search.run(simd, sets, cursors);
        (found.is_ascii, found.starts_are_ascii) = (facts.is_ascii, facts.starts_are_ascii);
        let stops = &cursors.stops;
        if let Input::Separated(texts) = input {
            let Some(last) = stops.last(simd) else {
                // The next text does not end within the blocks that were read, or there is none.
                found.unsure(texts, 1);
                return true;
            };
            (found.len, found.end) = (stops.count(), from + last);
        }
        found.unsure = [0; ROOM / 64];
        if want == Want::Sure && facts.is_sure {
            return true;
        }
        // Bits by place become bits by number of the text. Those after the last text have no meaning.
        let (len, gap) = (found.len, layout.gap());
        let Found { spans, unsure, .. } = found;
        cursors.unsure.each(simd, stops, |number, place| {
            let (Some(word), true) = (unsure.get_mut(number / 64), number < len) else { return };
            *word |= 1 << (number % 64);
            if want == Want::Sure && layout != Layout::Gathered {
                let start = stops.before(place).map_or(0, |stop| stop + gap);
                spans.put(number, from + start as usize..from + stops.after(place) as usize);
            }
        });
        if want == Want::Sure {
            return true;
        }
        if layout == Layout::Separated {
            stops.put(simd, &mut found.ends);
        }
        if layout != Layout::Gathered {
            let all = found.ends.iter().map(|end| *end as usize).take(len);
            spans.set(from, all, gap as usize);
        }
        // Bits become places: the end of each text, then the ends of its path and its query. Where these
        // are mostly the end of the text, only the others are written over it.
        if want == Want::Parts {
            let [path_ends, query_ends] = &mut found.places;
            (*path_ends, *query_ends) = (found.ends, found.ends);
            for (ends_of, places) in
                [(&cursors.path_end, path_ends), (&cursors.query_end, query_ends)]
            {
                let others = ends_of.without(stops);
                if 4 * others.count() > len {
                    ends_of.put(simd, places);
                } else {
                    others.each(simd, stops, |number, place| {
                        if let Some(known) = places.get_mut(number) {
                            *known = place;
                        }
                    });
                }
            }
            let places = [&found.ends, &found.places[0], &found.places[1]];
            rows(cursors, gap, places, len, &mut found.rows);
            let Rows([_, _, _, host_end, ..]) = &mut found.rows;
            let ends = &found.ends;
            cursors.port.each(simd, stops, |number, place| {
                let before = number.checked_sub(1).and_then(|before| ends.get(before));
                if let Some(known) = host_end.get_mut(number) {
                    *known = place - before.map_or(0, |end| end + gap);
                }
            });
        }
        true
    }
}

/// The separator of texts that are gathered. It is in no set, so that a text that holds it is unsure.
const SEPARATOR: u8 = b'\n';
const _: () = assert!((QUERY.bits | END.bits) >> SEPARATOR & 1 == 0);

/// The number of bytes that are copied for each text, whatever its length.
const COPIED: usize = 2 * BLOCK;

/// Texts that were brought together, with a separator after each.
#[derive(Clone, Debug)]
struct Gathered {
    /// The bytes, and room for a copy that is longer than the last text.
    bytes: [u8; BLOCKS * BLOCK + COPIED],
    /// Where the texts end.
    ends: Bitset,
    /// The number of bytes, with the separators; 0 if the texts could not be brought together.
    len: usize,
}

impl Gathered {
    /// No text.
    const NONE: Self = Self { bytes: [0; BLOCKS * BLOCK + COPIED], ends: Bitset::ZERO, len: 0 };
}

/// A job that copies texts that touch or lie apart, with a separator after each. Returns the
/// number of bytes, or `None` if there is no text, without SIMD, or if they do not fit.
///
/// A text is copied as 128 bytes whatever its length, which are a few loads and stores without a branch, and the next
/// text overwrites the bytes after the end:
///
/// ```text
/// values   u r n : a u r n : b c h t t p
/// first    u r n : a u r n : b ...
///          u r n : a \n                     the separator
/// second   u r n : a \n u r n : b c h t ...
/// ```
// PERF: copying so many bytes costs less than a call of `memcpy`, which branches on the length, and less than finding
// the separators.
struct Gather<'a> {
    buffer: &'a [u8],
    spans: &'a Spans,
    count: usize,
    /// The place of the end of each text.
    ends: &'a mut Column,
    gathered: &'a mut Gathered,
}

impl Job for Gather<'_> {
    type Output = Option<usize>;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, _: S, _: &[u8]) -> Option<usize> {
        let Self { buffer, spans: Spans { starts, ends: stops }, count, ends, gathered } = self;
        if !S::MASKS || count == 0 {
            return None;
        }
        let Gathered { bytes, ends: Bitset(bits), .. } = gathered;
        *bits = [0; BLOCKS];
        let mut at = 0;
        for ((start, stop), end) in starts.iter().zip(stops).zip(ends).take(count) {
            let rest = buffer.get(*start..)?;
            let len = stop.wrapping_sub(*start);
            let (from, to) = (rest.first_chunk::<COPIED>(), bytes.get_mut(at..)?);
            match (from, to.first_chunk_mut::<COPIED>()) {
                (Some(from), Some(to)) if len <= COPIED => *to = *from,
                _ => to.get_mut(..len)?.copy_from_slice(rest.get(..len)?),
            }
            at += len;
            *end = at as u32;
            *bytes.get_mut(at)? = SEPARATOR;
            *bits.get_mut(at / BLOCK)? |= 1 << (at % BLOCK);
            at += 1;
        }
        Some(at)
    }
}

impl Spans {
    /// Sets where the text with a number lies.
    #[cfg_attr(optimized, inline(always))]
    fn put(&mut self, number: usize, span: Range<usize>) {
        if let (Some(start), Some(end)) = (self.starts.get_mut(number), self.ends.get_mut(number)) {
            (*start, *end) = (span.start, span.end);
        }
    }

    /// Sets where the texts lie that begin at `from` and end at `ends`, which are relative to `from`, with `gap` bytes
    /// between them. Returns their number.
    #[cfg_attr(optimized, inline(always))]
    fn set(&mut self, from: usize, ends: impl Iterator<Item = usize>, gap: usize) -> usize {
        let count = self.ends.iter_mut().zip(ends).map(|(end, place)| *end = from + place).count();
        let [first, starts @ ..] = &mut self.starts;
        *first = from;
        starts.iter_mut().zip(&self.ends).for_each(|(start, end)| *start = end.wrapping_add(gap));
        count
    }
}

/// Writes the offsets of the parts of the first `count` texts. `places` are the places of the cursors
/// for the ends of the texts, of their paths and of their queries, relative to the first text.
#[cfg_attr(optimized, inline(always))]
#[expect(clippy::indexing_slicing, reason = "an index into arrays of one length, below it")]
fn rows(cursors: &Cursors, gap: u32, places: [&Column; 3], count: usize, rows: &mut Rows) {
    let [ends, path_ends, query_ends] = places;
    let Rows([scheme_end, authority, host, host_end, path, path_end, query_end, end]) = rows;
    // A text begins after the separator that ends the one before. Without separators it begins where that text ends,
    // and all its cursors are after its first byte.
    let ahead = 1 - gap;
    let mut starts = [0; ROOM];
    for (start, end) in starts.iter_mut().skip(1).zip(ends) {
        *start = *end + gap;
    }
    let (mut schemes, mut firsts) = ([0; ROOM], [0; ROOM]);
    // The two cursors that are in every text, relative to its start.
    for i in 0..count.min(ROOM) {
        schemes[i] = cursors.scheme_end.distance(starts[i] + ahead) + ahead;
        firsts[i] = cursors.path.distance(starts[i] + ahead) + ahead;
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

/// The hexadecimal digits, which are in `SCHEME`, and the percent sign, which is not.
const TRIPLET: AsciiSet = AsciiSet::of(b"%0123456789ABCDEFabcdef");

/// The sets that are asked of every byte.
const EIGHT: Eight = Eight::of([SCHEME, SCHEME_FIRST, COLON, END, NAME, QUERY, PATH, TRIPLET]);

/// The number of groups of blocks of a search.
const GROUPS: usize = BLOCKS / GROUP;

/// Which bytes of the texts are in which set.
#[derive(Clone, Debug)]
struct Sets {
    /// In the order of [`EIGHT`]. The separator is in none.
    of: [Bitset; 8],
    non_ascii: Bitset,
    /// The first bytes of characters that masks cannot decide to be of `ucschar`.
    leads: Bitset,
}

impl Sets {
    const NONE: Self = Self { of: [Bitset::ZERO; 8], non_ascii: Bitset::ZERO, leads: Bitset::ZERO };
}

/// The cursors of all texts: of each kind one in each text.
#[derive(Clone, Debug)]
struct Cursors {
    /// The place of a cursor that has run through its whole text: on the separator, or, if texts touch, on the first
    /// byte of the next one.
    stops: Bitset,
    /// One bit or more in each unsure text, none in the others.
    unsure: Bitset,
    /// The first byte that a scheme cannot hold; the start, if the text does not begin with a letter. This and all that
    /// follow: only for [`Want::Parts`].
    scheme_end: Bitset,
    /// The first byte after a plain authority. Without an authority, a place inside the path from which
    /// `PATH` runs to its end: where the characters of a scheme end, or at most one slash further on.
    path: Bitset,
    /// The colon before each port.
    port: Bitset,
    /// The first `?` or `#` of each text, or its end.
    path_end: Bitset,
    /// The first `#` of each text, or its end.
    query_end: Bitset,
}

impl Cursors {
    const NONE: Self = Self {
        stops: Bitset::ZERO,
        unsure: Bitset::ZERO,
        scheme_end: Bitset::ZERO,
        path: Bitset::ZERO,
        port: Bitset::ZERO,
        path_end: Bitset::ZERO,
        query_end: Bitset::ZERO,
    };
}

/// A search of texts, of which the first one begins with `text`.
#[derive(Clone, Copy)]
struct Search<'a> {
    text: &'a [u8],
    separator: u8,
    rule: Rule,
    want: Want,
    layout: Layout,
}

/// What a search found about all texts together.
struct Facts {
    /// [`Found::is_ascii`].
    is_ascii: bool,
    /// [`Found::starts_are_ascii`].
    starts_are_ascii: bool,
    /// Whether no text is unsure.
    is_sure: bool,
}

impl Search<'_> {
    /// Reads the first 4096 bytes, or fewer if enough texts end before, and moves the cursors through them.
    ///
    /// PERF: two loops, because no group waits for another one in the first.
    #[cfg_attr(optimized, inline(always))]
    fn run<S: Long>(self, simd: S, sets: &mut Sets, cursors: &mut Cursors) -> Facts {
        let groups = self.read(simd, sets, &mut cursors.stops);
        self.walk(simd, groups, sets, cursors)
    }

    /// Finds which bytes are in which set, and where the texts end if that is not known. Returns the number of groups
    /// with a byte of a text or its end.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "as many words as there are blocks")]
    fn read<S: Long>(self, simd: S, sets: &mut Sets, stops: &mut Bitset) -> usize {
        let Self { text, separator, layout, .. } = self;
        let is_known = layout != Layout::Separated;
        // Whether the last text ends with the buffer, without a separator.
        let is_open = text.last().is_some_and(|last| *last != separator);
        let end = match stops.last(simd) {
            Some(last) if is_known => last + 1,
            _ => text.len() + usize::from(is_open),
        };
        let groups = end.div_ceil(GROUP * BLOCK).min(GROUPS);
        let mut count = 0;
        let mut short;
        for group in 0..groups {
            let at = group * GROUP * BLOCK;
            // The next eight blocks: in the buffer, or a copy that is padded with zeros.
            let rest = text.get(at..).unwrap_or_default();
            let blocks = match rest.first_chunk::<{ GROUP * BLOCK }>() {
                Some(bytes) => bytemuck::must_cast_ref(bytes),
                None => {
                    short = Padded::of(rest);
                    &short.0
                }
            };
            let Members { of, separators, non_ascii } = simd.members(blocks, separator, &EIGHT);
            for (set, of) in sets.of.iter_mut().zip(of) {
                set.groups()[group] = of.masks();
            }
            sets.non_ascii.groups()[group] = non_ascii.masks();
            // Characters that may be outside `ucschar` are asked for only where a byte is not ASCII.
            let leads = &mut sets.leads.groups()[group];
            *leads = [0; GROUP];
            if non_ascii.any() {
                let mut any = 0;
                for (leads, bytes) in leads.iter_mut().zip(blocks) {
                    *leads = simd.load(bytes, 0).high(&LEADS);
                    any |= *leads;
                }
                if any != 0 {
                    refine(simd, text, at, leads);
                }
            }
            if is_known {
                continue;
            }
            let stop = &mut stops.groups()[group];
            *stop = separators.masks();
            let mut added = separators.count();
            if rest.len() < GROUP * BLOCK {
                cut(stop, rest.len(), is_open);
                added = stop.iter().map(|word| word.count_ones()).sum();
            }
            count += added;
            if count >= ENOUGH {
                // The ends of the last blocks do not count, so that all texts fit into `ROOM`.
                for word in stop.iter_mut().rev() {
                    if count - word.count_ones() < ENOUGH {
                        break;
                    }
                    count -= word.count_ones();
                    *word = 0;
                }
                return group + 1;
            }
        }
        groups
    }

    /// Moves the cursors through this number of groups.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "as many words as there are blocks")]
    fn walk<S: Long>(
        self,
        simd: S,
        groups: usize,
        sets: &mut Sets,
        cursors: &mut Cursors,
    ) -> Facts {
        let Cursors { stops, unsure, scheme_end, path, port, path_end, query_end } = cursors;
        let zero = simd.words(&[0; GROUP]);
        // The start of a text is after the stop of the one before it, as if one were before the first.
        let (stop, first) = (simd.words(&LAST_BIT), simd.words(&FIRST_BIT));
        let mut before = Before { stop, first, ..Before::none(zero) };
        let [mut all_non_ascii, mut all_unsure, mut all_starts] = [zero; 3];
        for group in 0..groups {
            let mut of = [zero; 8];
            for (of, set) in of.iter_mut().zip(&mut sets.of) {
                *of = simd.words(&set.groups()[group]);
            }
            let non_ascii = simd.words(&sets.non_ascii.groups()[group]);
            let leads = simd.words(&sets.leads.groups()[group]);
            let stop = simd.words(&stops.groups()[group]);
            let now = self.cursors(&mut before, of, non_ascii, leads, stop);
            all_non_ascii = all_non_ascii | non_ascii;
            (all_unsure, all_starts) = (all_unsure | now.unsure, all_starts | now.foreign_start);
            unsure.groups()[group] = now.unsure.masks();
            if self.want == Want::Parts {
                scheme_end.groups()[group] = now.scheme_end.masks();
                path.groups()[group] = now.path.masks();
                port.groups()[group] = now.port.masks();
                path_end.groups()[group] = now.path_end.masks();
                query_end.groups()[group] = now.query_end.masks();
            }
        }
        for group in groups..GROUPS {
            for set in [&mut *stops, unsure, scheme_end, path, port, path_end, query_end] {
                set.groups()[group] = [0; GROUP];
            }
        }
        Facts {
            is_ascii: !all_non_ascii.any(),
            starts_are_ascii: self.layout == Layout::Touching && !all_starts.any(),
            is_sure: !all_unsure.any(),
        }
    }

    /// Moves the cursors through the next group of blocks.
    #[cfg_attr(optimized, inline(always))]
    fn cursors<W: Words>(
        self,
        before: &mut Before<W>,
        of: [W; 8],
        mut non_ascii: W,
        leads: W,
        stop: W,
    ) -> Now<W> {
        let Self { rule, want, .. } = self;
        let [mut scheme, letter, mut colon, mut end, mut name, query, path, mut triplet] = of;
        let zero = stop & !stop;

        // Characters: all must be in the set of a query, but for the `#`, which is in `end`.
        let hash = end & !query;
        let mut unsure = !(query | hash | non_ascii) | leads;
        if rule.ascii_only() {
            unsure = unsure | non_ascii;
        }
        if !rule.allows_fragment() {
            unsure = unsure | hash;
        }
        // Scheme: it begins with a letter at the start of a text, and ends at a colon.
        let (from, begin, no_letter, foreign_start);
        if self.layout == Layout::Touching {
            // Cursors begin at the second byte. The first byte is checked here alone, and is in no set from here on.
            let start = stop | before.first;
            before.first = zero;
            unsure = unsure & !start | (start & !letter).next(&mut before.no_letter);
            (from, begin) =
                (start.next(&mut before.start), (start & letter).next(&mut before.letter));
            (no_letter, foreign_start) = (zero, start & non_ascii);
            for set in [&mut scheme, &mut colon, &mut end, &mut name, &mut triplet, &mut non_ascii]
            {
                *set = *set & !start;
            }
        } else {
            from = stop.next(&mut before.stop);
            (begin, no_letter, foreign_start) = (from & letter, from & !letter, zero);
            unsure = unsure & !stop;
        }
        let sum = begin.plus_near(scheme, &mut before.scheme_end) & !scheme;
        let scheme_end = sum | no_letter;
        let (scheme_colon, no_scheme) = (sum & colon, sum & !colon | no_letter);
        if rule.scheme() == SchemeRule::Required {
            unsure = unsure | no_scheme;
        } else {
            // Without a scheme, the first segment must not hold a colon. A scheme is wrong where the rule
            // has none.
            let segment = (path | non_ascii) & !colon & !end;
            let segment_end = no_scheme.plus(segment, &mut before.segment_end) & !segment;
            unsure = unsure | segment_end & colon;
            if rule.scheme() == SchemeRule::Absent {
                unsure = unsure | scheme_colon;
            }
        }

        // Authority: two slashes and a name, which ends where an authority ends, or at the colon before a port.
        let slash = end & path;
        let after_slash = slash.next(&mut before.slash);
        let after_slashes = (after_slash & slash).next(&mut before.two_slashes);
        let mut authority = scheme_colon.ahead::<3>(&mut before.colon);
        if rule.scheme() != SchemeRule::Required {
            authority = authority | no_letter.ahead::<2>(&mut before.no_letter);
        }
        let authority = authority & after_slashes;
        // Triplets: two hexadecimal digits must follow each percent sign.
        let (percent, hexdig) = (triplet & !scheme, triplet & scheme);
        let digit = percent.next(&mut before.percent);
        let second = (digit & hexdig).next(&mut before.digit);
        unsure = unsure | (digit | second) & !hexdig;
        let iname = name | percent | non_ascii;
        let name_end = authority.plus_near(iname, &mut before.name_end) & !iname;
        let port = name_end & colon;
        unsure = unsure | name_end & !colon & !end & !stop;
        let mut path_start = name_end & !colon;
        // Port: digits up to the end of the authority. Most groups have none.
        let after_port = port.next(&mut before.port);
        if (after_port | before.port_end).any() {
            let digit = hexdig & !letter;
            let port_end = after_port.plus_near(digit, &mut before.port_end) & !digit;
            unsure = unsure | port_end & !end & !stop;
            path_start = path_start | port_end;
        }
        // Fragment: no second `#` after the first. A cursor runs from each `#` to the next one or to the end
        // of its text.
        let hash = end & !query;
        let after_hash = hash.next(&mut before.hash);
        if rule.allows_fragment() && (after_hash | before.fragment_end).any() {
            let others = !(hash | stop);
            unsure = unsure | after_hash.plus(others, &mut before.fragment_end) & hash;
        }
        let (mut path_end, mut query_end) = (zero, zero);
        if want == Want::Parts {
            // Without an authority, there is no slash after the scheme, or only one.
            let after_scheme = scheme_colon.next(&mut before.after_colon) | no_letter;
            let after_one = (after_scheme & slash).next(&mut before.one_slash);
            path_start = path_start | (after_scheme | after_one) & !slash | sum & !colon;
            // Path: it ends at the first `?` or `#`, or with the text. Query: it ends at the first `#`, or with the text.
            // Neither is anywhere before the path of a sure text, so that both cursors run from the start.
            let delimiters = end & !(path & query) | stop;
            path_end = from.plus(!delimiters, &mut before.path_end) & delimiters;
            let delimiters = hash | stop;
            query_end = from.plus(!delimiters, &mut before.query_end) & delimiters;
        }
        Now { unsure, scheme_end, path: path_start, port, path_end, query_end, foreign_start }
    }
}

/// The number that has only the highest bit, and the one that has only the lowest bit.
const LAST_BIT: [u64; GROUP] = [0, 0, 0, 0, 0, 0, 0, 1 << (BLOCK - 1)];
const FIRST_BIT: [u64; GROUP] = [1, 0, 0, 0, 0, 0, 0, 0];

/// What a group of blocks hands to the next one.
#[derive(Clone, Copy)]
struct Before<W> {
    /// The first byte, before the first group of texts that touch.
    first: W,
    // The numbers whose highest bits move to the next group.
    stop: W,
    start: W,
    letter: W,
    no_letter: W,
    colon: W,
    slash: W,
    two_slashes: W,
    percent: W,
    digit: W,
    port: W,
    hash: W,
    after_colon: W,
    one_slash: W,
    // The carries of the additions.
    scheme_end: W,
    segment_end: W,
    name_end: W,
    port_end: W,
    fragment_end: W,
    path_end: W,
    query_end: W,
}

/// The cursors of a group of blocks.
struct Now<W> {
    unsure: W,
    scheme_end: W,
    path: W,
    port: W,
    path_end: W,
    query_end: W,
    /// The bytes outside ASCII at which a text begins that touches the one before it.
    foreign_start: W,
}

impl<W: Words> Before<W> {
    /// Nothing is handed on.
    #[cfg_attr(optimized, inline(always))]
    const fn none(zero: W) -> Self {
        Self {
            first: zero,
            stop: zero,
            start: zero,
            letter: zero,
            no_letter: zero,
            colon: zero,
            slash: zero,
            two_slashes: zero,
            percent: zero,
            digit: zero,
            port: zero,
            hash: zero,
            after_colon: zero,
            one_slash: zero,
            scheme_end: zero,
            segment_end: zero,
            name_end: zero,
            port_end: zero,
            fragment_end: zero,
            path_end: zero,
            query_end: zero,
        }
    }
}

/// Removes those leads of a group that begin characters of `ucschar` by the masks. The group begins at byte `at` of
/// the text.
#[cfg_attr(optimized, inline(always))]
fn refine<S: Simd>(simd: S, text: &[u8], at: usize, leads: &mut [u64; GROUP]) {
    for (leads, at) in leads.iter_mut().zip((at..).step_by(BLOCK)) {
        if *leads != 0 {
            *leads = refined(simd.load(text, at), *leads, At { simd, text, at });
        }
    }
}

/// The blocks of a text that is shorter than a group, with zeros after it.
///
/// PERF: its alignment makes the compiler align the frame of a search, so that no register of 64 bytes is stored across
/// two lines of the cache.
#[repr(align(64))]
struct Padded([[u8; BLOCK]; GROUP]);

impl Padded {
    #[cold]
    fn of(text: &[u8]) -> Self {
        let mut blocks = [[0; BLOCK]; GROUP];
        blocks.as_flattened_mut().iter_mut().zip(text).for_each(|(to, from)| *to = *from);
        Self(blocks)
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
