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

No branch depends on a text, and no text waits for the one before it. The steps are:

    gather the texts, if no separator lies between them and they cannot be searched as they touch
    read the blocks: for each set a number of 4096 bits (`Sets::read`)
    move the cursors (`Sets::cursors`):
        scheme_end = start + SCHEME, without SCHEME        the start must be a letter
        authority  = two shifts, over `//` after the colon
        path       = authority + NAME, without NAME        or where there is no `//`
                     over a `:`, + digits, without them    only if any text has a port
    each cursor that stops where the grammar has nothing like it makes its text unsure
    each byte outside QUERY and `#`, and each second `#`, makes its text unsure
    if offsets are wanted:
        path_end   = start + all but `?` and `#`           only if any text has one
        query_end  = start + all but `#`                   only if any text has one
        read the place of each cursor (`rows`)
    if the texts in normal form are wanted: one more cursor in each text (`Sets::normal`)

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
    ends                    1           1       the last bytes
    stops       1              1           1    the first bytes, and the place after the last text
    scheme_end           1        1

`ends` tells to which text a place belongs. What is missing at the end of a text, such as the digits after the
percent sign here, is noticed on the first byte of the next: these bits (`late`) move back by one place.

*Gathered* texts are copies with a separator after each (`Gather`). They are texts like all others, but where
they end is known, not read from the bytes, and a separator inside a text ends nothing. It is in no set, and
so it makes its text unsure. As it is ASCII, the copies are UTF-8 as a whole exactly if each text is UTF-8.

# Invariants

- The separator is in no set, so that no carry leaves its text: each addition moves the cursor of each
  text and nothing else.
- Each cursor rests inside its text or on the separator after it. The last text ends with the buffer as
  if a separator were there.
- Between two additions, a word depends on itself and on the word before it alone, so that each phase of
  `cursors` is one plain loop over the words.
- A sure text matches the rule, whichever level finds it; an unsure one may match.

# What was tried

Counting lines of web_ascii takes 4.6 ns a line this way (`ratios --what count` in `benches`). It took
7.9 ns with cursors through path and query, ends counted by a load of eight words that were just stored, and
percent signs as a set of their own; 12.2 ns with the cursors of one block after the other; and 14.7 ns with
separators found first, then a parse of each text, texts of equal length together.
*/

use core::ops::Range;

use memchr::memchr_iter;

use super::bitset::{BLOCKS, Bitset, Column, GROUP, ROOM};
use super::many::Spans;
use crate::parse::{At, Parts, Rule, SchemeRule, refined};
use crate::scan::{BLOCK, Block, Cpu, CpuLevel, Job, Long, Simd, slice};
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
    /// Which texts are unsure; and, if any is, where all texts lie.
    Sure,
    /// Which texts are unsure, and where all texts lie.
    Spans,
    /// Which texts are unsure, where all texts lie, and the offsets of the parts of the sure ones.
    Parts,
    /// Which texts are unsure, where all texts lie, and which of the sure ones are in normal form for certain.
    #[cfg(feature = "alloc")]
    Normal,
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
    /// A bit for each text that the ordinary parser must read. The other texts match the rule.
    pub(crate) unsure: [u64; ROOM / 64],
    /// A bit for each sure text that has no sign of a change by normalization. Bits of unsure texts mean nothing. Only for
    /// [`Want::Normal`].
    #[cfg(feature = "alloc")]
    pub(crate) normal: [u64; ROOM / 64],
    /// The offsets of the parts of the sure texts.
    pub(crate) rows: Rows,
    /// The texts that `gather` brought together.
    gathered: Gathered,
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
        #[cfg(feature = "alloc")]
        normal: [0; ROOM / 64],
        rows: Rows([[0; ROOM]; 8]),
        gathered: Gathered::NONE,
        sets: Sets::NONE,
        cursors: Cursors::NONE,
        places: [[0; ROOM]; 3],
    };

    /// Finds the next texts, from `texts.from` on. `len` is 0 if there are none.
    pub(crate) fn find(&mut self, level: CpuLevel, texts: Texts<'_>, want: Want) {
        level.run_wide(Find {
            rule: texts.rule,
            input: Input::Separated(texts),
            want,
            found: self,
        });
    }

    /// Finds out about the first `count` texts at `spans`, which lie anywhere in `buffer`. If they do not fit into a
    /// search, or without SIMD, all are unsure.
    pub(crate) fn find_gathered(
        &mut self,
        level: CpuLevel,
        rule: Rule,
        buffer: &[u8],
        count: usize,
        want: Want,
    ) {
        (self.len, self.gathered.len) = (count, 0);
        if rule.scheme() == SchemeRule::Required && self.touch(count) {
            let rest = slice::bytes(buffer, self.spans.hull(count).start..);
            level.run_wide(Find { rule, input: Input::Touching(rest), want, found: self });
            return;
        }
        let Self { spans, gathered, places: [ends, ..], .. } = self;
        gathered.len = level.run_wide(Gather { buffer, spans, count, ends, gathered }).unwrap_or(0);
        if self.gathered.len > 0 {
            level.run_wide(Find { rule, input: Input::Gathered, want, found: self });
        } else {
            self.all_unsure();
        }
    }

    /// Sets where the first `count` texts end, relative to the first. Returns false if one of them is empty.
    fn touch(&mut self, count: usize) -> bool {
        let Self { spans, gathered, places: [places, ..], .. } = self;
        let Bitset(bits) = &mut gathered.ends;
        *bits = [0; BLOCKS];
        let Range { start: first, end } = spans.hull(count);
        if count == 0 || end.wrapping_sub(first) >= BLOCKS * BLOCK {
            return false;
        }
        // Texts touch, so that one is empty exactly if it ends where the one before ends.
        let (mut is_any_empty, mut before) = (false, 0);
        for (end, place) in spans.ends.iter().take(count).zip(places) {
            let len = end.wrapping_sub(first) as u32;
            is_any_empty |= len == before;
            let last = len.wrapping_sub(1);
            if let Some(word) = bits.get_mut(last as usize / BLOCK) {
                *word |= 1 << (last % BLOCK as u32);
            }
            (*place, before) = (len, len);
        }
        !is_any_empty
    }

    /// Makes all texts unsure.
    fn all_unsure(&mut self) {
        (self.unsure, self.is_ascii) = ([!0; ROOM / 64], false);
    }

    /// The texts that were gathered, with a separator after each; `None` if they were not.
    pub(crate) fn gathered(&self) -> Option<&[u8]> {
        self.gathered.bytes.get(..self.gathered.len).filter(|all| !all.is_empty())
    }

    /// Tells whether `count` texts of `len` bytes altogether fit into a search.
    pub(crate) const fn fits(count: usize, len: usize) -> bool {
        // `Bitset::put` stops where there is no room for a whole block.
        count <= ROOM - BLOCK && len.saturating_add(count) <= BLOCKS * BLOCK
    }

    /// Finds where the next texts lie, at most `limit` of them, and makes all of them unsure.
    fn unsure(&mut self, texts: Texts<'_>, limit: usize) {
        let Texts { buffer, from, separator, .. } = texts;
        // After a last text without a separator, `from` is past the end.
        let rest = buffer.get(from..).unwrap_or_default();
        let last = (buffer.last() != Some(&separator) && !rest.is_empty()).then_some(rest.len());
        let ends = memchr_iter(separator, rest).chain(last).take(limit);
        self.len = self.spans.set(from, ends);
        self.all_unsure();
        self.end = self.spans.hull(self.len).end;
    }
}

/// [`Found::find`] as a job.
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
    /// One after the other from here on, none of them empty. [`Found::touch`] found where they end.
    Touching(&'a [u8]),
    /// In [`Found::gathered`].
    Gathered,
}

impl Job for Find<'_> {
    type Output = ();

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) {
        let Self { rule, input, want, found } = self;
        #[cfg_attr(
            not(feature = "alloc"),
            expect(unused_variables, reason = "only the search for normal forms reads the rest")
        )]
        let (rest, is_touching) = match input {
            Input::Separated(texts) => {
                if !S::MASKS {
                    // Without SIMD, masks cost more than a parse.
                    return found.unsure(texts, ENOUGH as usize);
                }
                let Texts { buffer, from, separator, .. } = texts;
                // After a last text without a separator, `from` is past the end.
                let rest = buffer.get(from..).unwrap_or_default();
                found.sets.read(simd, rest, separator, None);
                let Some(last) = found.sets.ends.last() else {
                    // The next text does not end within the blocks that were read, or there is none.
                    return found.unsure(texts, 1);
                };
                (found.len, found.end) = (found.sets.ends.count(), from + last);
                (rest, false)
            }
            Input::Touching(_) | Input::Gathered if !S::MASKS => return found.all_unsure(),
            Input::Touching(_) | Input::Gathered => {
                let Gathered { bytes, ends, .. } = &found.gathered;
                let rest = if let Input::Touching(rest) = input { rest } else { bytes };
                found.sets.read(simd, rest, SEPARATOR, Some(ends));
                (rest, matches!(input, Input::Touching(_)))
            }
        };
        // Before the cursors take the first bytes out of the sets.
        found.is_ascii = found.sets.non_ascii.is_empty();
        let cursors = &mut found.cursors;
        found.sets.cursors(simd, rule, want, is_touching, cursors);
        let Sets { ends, .. } = &found.sets;
        // Bits by place become bits by number of the text.
        let mut unsure = [0; ROOM / 64];
        cursors.unsure.each(ends, |number, _| {
            if let Some(word) = unsure.get_mut(number / 64) {
                *word |= 1 << (number % 64);
            }
        });
        // The bits after the last text have no meaning.
        for (word, base) in unsure.iter_mut().zip((0..).step_by(64)) {
            if let rest @ 0..64 = found.len.saturating_sub(base) {
                *word &= !(!0 << rest);
            }
        }
        found.unsure = unsure;
        if want == Want::Sure && unsure == [0; ROOM / 64] {
            return;
        }
        // Bits become places: the end of each text, then the ends of its path and its query. Where these
        // are mostly the end of the text, only the others are written over it.
        let places = &mut found.places;
        let [text_ends, path_ends, query_ends] = places;
        if let Input::Separated(texts) = input {
            ends.put(simd, text_ends);
            let all = text_ends.iter().map(|end| *end as usize).take(found.len);
            found.spans.set(texts.from, all);
        }
        #[cfg(feature = "alloc")]
        if want == Want::Normal {
            let normal = found.sets.normal(simd, rest, is_touching, cursors);
            found.normal = normal.at(text_ends, found.len);
        }
        if want == Want::Parts {
            (*path_ends, *query_ends) = (*text_ends, *text_ends);
            for (ends_of, places) in
                [(&cursors.path_end, path_ends), (&cursors.query_end, query_ends)]
            {
                let others = ends_of.without(&cursors.stops);
                if 4 * others.count() > found.len {
                    ends_of.put(simd, places);
                } else {
                    others.each(ends, |number, place| {
                        if let Some(known) = places.get_mut(number) {
                            *known = place;
                        }
                    });
                }
            }
            rows(cursors, is_touching, &found.places, found.len, &mut found.rows);
            let [ends_at, ..] = &found.places;
            let Rows([_, _, _, host_end, ..]) = &mut found.rows;
            cursors.port.each(ends, |number, place| {
                let before = number.checked_sub(1).and_then(|before| ends_at.get(before));
                if let Some(known) = host_end.get_mut(number) {
                    *known = place - before.map_or(0, |end| end + u32::from(!is_touching));
                }
            });
        }
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
    /// Sets where the texts lie that begin at `from` and end at `ends`, which are relative to `from`. Returns their
    /// number.
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
fn rows(cursors: &Cursors, is_touching: bool, places: &[Column; 3], count: usize, rows: &mut Rows) {
    let [ends, path_ends, query_ends] = places;
    let Rows([scheme_end, authority, host, host_end, path, path_end, query_end, end]) = rows;
    // A text begins after the separator that ends the one before. Without separators it begins where that text ends,
    // and all its cursors are after its first byte.
    let (gap, ahead) = if is_touching { (0, 1) } else { (1, 0) };
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

/// The sets that are asked of every byte, in the order of [`Sets::of`].
const EIGHT: Eight = Eight::of([SCHEME, SCHEME_FIRST, COLON, NAME, END, QUERY, PATH, TRIPLET]);

/// The bytes of the texts as bits: where the texts end, and which bytes are in which set.
///
/// Invariant: the separator is in no set of `of`.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    /// The separator after each text; where texts touch, the last byte of each.
    pub(super) ends: Bitset,
    pub(super) non_ascii: Bitset,
    /// The first bytes of characters that masks cannot decide to be of `ucschar`.
    leads: Bitset,
    pub(super) of: [Bitset; 8],
}

/// The cursors of all texts: of each kind one in each text.
#[derive(Clone, Debug)]
pub(super) struct Cursors {
    /// The place of a cursor that has run through its whole text: on the separator, or, if texts touch, on the first
    /// byte of the next one.
    pub(super) stops: Bitset,
    /// The first byte that a scheme cannot hold; the start, if the text does not begin with a letter.
    scheme_end: Bitset,
    /// The first byte after the two slashes before each authority.
    pub(super) authority: Bitset,
    /// The colon before each port.
    port: Bitset,
    /// The first byte after a plain authority. Without an authority, a place inside the path from which
    /// `PATH` runs to its end: where the characters of a scheme end, or at most one slash further on.
    path: Bitset,
    /// The first `?` or `#` of each text, or its end. Only for [`Want::Parts`].
    path_end: Bitset,
    /// The first `#` of each text, or its end. Only for [`Want::Parts`].
    query_end: Bitset,
    /// One bit or more in each unsure text, none in the others.
    unsure: Bitset,
}

impl Cursors {
    const NONE: Self = Self {
        stops: Bitset::ZERO,
        scheme_end: Bitset::ZERO,
        authority: Bitset::ZERO,
        port: Bitset::ZERO,
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
        leads: Bitset::ZERO,
        of: [Bitset::ZERO; 8],
    };

    /// Reads the first 4096 bytes of `rest`, or fewer if enough texts end before. `known` has the ends; without it,
    /// each separator ends a text.
    #[cfg_attr(optimized, inline(always))]
    #[expect(clippy::indexing_slicing, reason = "as many words as there are blocks")]
    fn read<S: Long>(&mut self, simd: S, mut rest: &[u8], separator: u8, known: Option<&Bitset>) {
        let text = rest;
        // Whether the last text has no separator after it: it ends with the buffer.
        let mut is_open = rest.last().is_some_and(|last| *last != separator);
        let mut count = 0;
        let Self { ends: Bitset(all_ends), non_ascii, leads, of } = self;
        if let Some(Bitset(known)) = known {
            *all_ends = *known;
        }
        let all_ends: &mut [[u64; GROUP]; BLOCKS / GROUP] = bytemuck::must_cast_mut(all_ends);
        let (non_ascii, leads) = (non_ascii.groups(), leads.groups());
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
                [&mut all_ends[group], &mut non_ascii[group]];
            // Single sets. Characters that may be outside `ucschar` are asked for only where a byte is
            // not ASCII.
            let mut all = 0;
            if known.is_some() {
                for (non_ascii, bytes) in non_ascii.iter_mut().zip(blocks) {
                    *non_ascii = simd.load(bytes, 0).non_ascii();
                    all |= *non_ascii;
                }
            } else {
                // PERF: the ends are counted while they are in registers. Loading eight words that were just stored
                // one by one makes the CPU wait: 15 % of the time to count lines.
                let mut added = 0;
                for (i, bytes) in blocks.iter().enumerate() {
                    let block = simd.load(bytes, 0);
                    let word = block.ascii(&AsciiSet::just(separator));
                    added += word.count_ones();
                    (ends[i], non_ascii[i]) = (word, block.non_ascii());
                    all |= non_ascii[i];
                }
                if len < GROUP * BLOCK {
                    cut(ends, len, is_open);
                    is_open = false;
                    added = ends.iter().map(|word| word.count_ones()).sum();
                }
                count += added;
            }
            leads[group] = [0; GROUP];
            if all != 0 {
                let mut any = 0;
                for (leads, bytes) in leads[group].iter_mut().zip(blocks) {
                    *leads = simd.load(bytes, 0).high(&LEADS);
                    any |= *leads;
                }
                if any != 0 {
                    refine(simd, text, group * GROUP * BLOCK, &mut leads[group]);
                }
            }
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
    fn cursors<S: Long>(
        &mut self,
        simd: S,
        rule: Rule,
        want: Want,
        is_touching: bool,
        cursors: &mut Cursors,
    ) {
        let Self { ends: Bitset(ends), non_ascii: Bitset(non_ascii), leads, of } = self;
        let [scheme, letter, colon, name, end, query, path, triplet] =
            of.each_mut().map(|set| &mut set.0);
        let Cursors { stops, scheme_end, authority, port, path: path_start, .. } = cursors;
        let Cursors { path_end, query_end, unsure, .. } = cursors;
        let Bitset(stops) = stops;
        let [mut sum, mut no_letter, mut iname, mut no_authority, mut late] = [[0; BLOCKS]; 5];
        let (mut any_question, mut any_hash, mut any_port) = (0, 0, 0);

        // Characters: all must be in the set of a query, but for the `#`, which is in `end`.
        for i in 0..BLOCKS {
            let hash = end[i] & !query[i];
            any_hash |= hash;
            any_question |= end[i] & !path[i] & !hash;
            unsure.0[i] = leads.0[i]
                | !(query[i] | hash | non_ascii[i])
                | if rule.ascii_only() { non_ascii[i] } else { 0 }
                | if rule.allows_fragment() { 0 } else { hash };
        }
        // Scheme: it begins with a letter at the start of a text, and ends at a colon.
        let mut after_end = Next(1 << (BLOCK - 1));
        if is_touching {
            // The first byte of each text is checked here alone, and is in no set from here on.
            let mut second = Next(0);
            for i in 0..BLOCKS {
                let start = after_end.of(ends[i]);
                stops[i] = start;
                sum[i] = second.of(start & letter[i]);
                unsure.0[i] |= start & !letter[i];
                scheme[i] &= !start;
                colon[i] &= !start;
                name[i] &= !start;
                end[i] &= !start;
                triplet[i] &= !start;
                non_ascii[i] &= !start;
            }
        } else {
            for i in 0..BLOCKS {
                let start = after_end.of(ends[i]);
                stops[i] = ends[i];
                sum[i] = start & letter[i];
                no_letter[i] = start & !letter[i];
                unsure.0[i] &= !ends[i];
            }
        }
        let (scheme, colon, name, end, triplet) = (&*scheme, &*colon, &*name, &*end, &*triplet);
        simd.add(&mut sum, scheme);
        for i in 0..BLOCKS {
            sum[i] &= !scheme[i];
            scheme_end.0[i] = sum[i] | no_letter[i];
        }
        let has_no_scheme = |i: usize| sum[i] & !colon[i] | no_letter[i];
        if rule.scheme() == SchemeRule::Required {
            for (i, late) in late.iter_mut().enumerate() {
                *late = has_no_scheme(i);
            }
        } else {
            // Without a scheme, the first segment must not hold a colon. A scheme is wrong where the rule
            // has none.
            let [mut segment, mut segment_end] = [[0; BLOCKS]; 2];
            for i in 0..BLOCKS {
                segment[i] = (path[i] | non_ascii[i]) & !colon[i] & !end[i];
                segment_end[i] = has_no_scheme(i);
            }
            simd.add(&mut segment_end, &segment);
            let is_wrong = rule.scheme() == SchemeRule::Absent;
            for i in 0..BLOCKS {
                let scheme = if is_wrong { sum[i] & colon[i] } else { 0 };
                unsure.0[i] |= segment_end[i] & !segment[i] & colon[i] | scheme;
            }
        }

        // Authority: two slashes and a name, which ends where an authority ends, or at the colon before a
        // port. In the same loop, triplets: two hexadecimal digits must follow each percent sign.
        let [mut scheme_colon, mut one_slash, mut two_slashes] = [Next(0); 3];
        let [mut one_digit, mut two_digits] = [Next(0); 2];
        for i in 0..BLOCKS {
            let slash = end[i] & path[i];
            let after_scheme = scheme_colon.of(sum[i] & colon[i]) | no_letter[i];
            let after_slash = one_slash.of(after_scheme & slash);
            let no_colon = sum[i] & !colon[i];
            no_authority[i] = (after_scheme | after_slash) & !slash | no_colon;
            sum[i] = two_slashes.of(after_slash & slash);
            let percent = triplet[i] & !scheme[i];
            let hexdig = triplet[i] & scheme[i];
            let first = one_digit.of(percent);
            late[i] |= (first | two_digits.of(first & hexdig)) & !hexdig;
            iname[i] = name[i] | percent | non_ascii[i];
        }
        authority.0 = sum;
        simd.add(&mut sum, &iname);
        for i in 0..BLOCKS {
            let name_end = sum[i] & !iname[i];
            port.0[i] = name_end & colon[i];
            any_port |= port.0[i];
            unsure.0[i] |= name_end & !colon[i] & !end[i] & !stops[i];
            path_start.0[i] = name_end & !colon[i] | no_authority[i];
        }
        // Port: digits up to the end of the authority. Most chunks have none.
        if any_port != 0 {
            let mut digit = [0; BLOCKS];
            let mut before_port = Next(0);
            for i in 0..BLOCKS {
                digit[i] = triplet[i] & scheme[i] & !letter[i];
                sum[i] = before_port.of(port.0[i]);
            }
            simd.add(&mut sum, &digit);
            for i in 0..BLOCKS {
                let port_end = sum[i] & !digit[i];
                unsure.0[i] |= port_end & !end[i] & !stops[i];
                path_start.0[i] |= port_end;
            }
        }
        // A missing character at the end of a text is noticed at that end.
        if is_touching {
            let after = late.iter().skip(1).copied().chain([0]);
            for ((unsure, late), after) in unsure.0.iter_mut().zip(late).zip(after) {
                *unsure |= late >> 1 | after << (BLOCK - 1);
            }
        } else {
            unsure.0.iter_mut().zip(late).for_each(|(unsure, late)| *unsure |= late);
        }
        // Fragment: no second `#` after the first. A cursor runs from each `#` to the next one or to the end
        // of its text.
        if any_hash != 0 && rule.allows_fragment() {
            let mut others = [0; BLOCKS];
            let mut after_hash = Next(0);
            for i in 0..BLOCKS {
                let hash = end[i] & !query[i];
                sum[i] = after_hash.of(hash);
                others[i] = !(hash | stops[i]);
            }
            simd.add(&mut sum, &others);
            for i in 0..BLOCKS {
                unsure.0[i] |= sum[i] & end[i] & !query[i];
            }
        }
        if want != Want::Parts {
            return;
        }

        // Path: it ends at the first `?` or `#`, or with the text. Query: it ends at the first `#`, or with
        // the text. Neither is anywhere before the path of a sure text, so that both cursors run from the
        // start.
        (path_end.0, query_end.0) = (*stops, *stops);
        if is_touching {
            // The first text begins at its first byte, but nothing ends there.
            path_end.0[0] &= !1;
            query_end.0[0] &= !1;
        }
        let mut start = Next(1 << (BLOCK - 1));
        let mut second = Next(0);
        let mut delimiters = [0; BLOCKS];
        for i in 0..BLOCKS {
            let start = start.of(ends[i]);
            sum[i] = if is_touching { second.of(start) } else { start };
        }
        if any_question | any_hash != 0 {
            for i in 0..BLOCKS {
                delimiters[i] = end[i] & !(path[i] & query[i]) | stops[i];
            }
            run(simd, &sum, &delimiters, &mut path_end.0);
        }
        if any_hash != 0 {
            for i in 0..BLOCKS {
                delimiters[i] = end[i] & !query[i] | stops[i];
            }
            run(simd, &sum, &delimiters, &mut query_end.0);
        }
    }
}

/// Moves `from`, one cursor in each text, to the first of `stops`, which hold the end of each text.
// Not a closure: it would be compiled without the instructions of the kernel.
#[cfg_attr(optimized, inline(always))]
#[expect(clippy::indexing_slicing, reason = "an index into arrays of one length, below it")]
fn run<S: Long>(simd: S, from: &[u64; BLOCKS], stops: &[u64; BLOCKS], cursors: &mut [u64; BLOCKS]) {
    let mut others = [0; BLOCKS];
    for i in 0..BLOCKS {
        others[i] = !stops[i];
    }
    *cursors = *from;
    simd.add(cursors, &others);
    for i in 0..BLOCKS {
        cursors[i] &= stops[i];
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
pub(super) struct Next(pub(super) u64);

impl Next {
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn of(&mut self, word: u64) -> u64 {
        let moved = word << 1 | self.0 >> (BLOCK - 1);
        self.0 = word;
        moved
    }
}
