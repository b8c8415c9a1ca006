//! What a search finds about texts: which are unsure, where they lie, and the offsets of their parts.
//!
//! Here: where the texts come from, and how bits become numbers. Not here: the search itself (`cursors`).
#![forbid(unsafe_code)]

use memchr::memchr_iter;

use super::bitset::{BLOCKS, Bitset, MOST, Places, ROOM};
use super::cursors::{Cursors, ENOUGH, Layout, SEPARATOR, Search, Sets, Want};
use super::gather::{Gather, GatherApart, Gathered, Taken};
use super::spans::Spans;
use crate::parse::{Parts, Rare, Rule, SchemeRule};
use crate::scan::{BLOCK, Cpu, CpuLevel, Job, below};

/// The texts that are searched: the texts in `buffer` from byte `from` on, with a separator between them. The last text
/// may end with the buffer, without a separator.
#[derive(Clone, Copy)]
pub(crate) struct Texts<'a> {
    pub(crate) rule: Rule,
    pub(crate) buffer: &'a [u8],
    pub(crate) from: usize,
    pub(crate) separator: u8,
}

/// The result of a search.
///
/// Invariants: text `i` is sure exactly if bit `i` of `unsure` and of `wrong` is 0 and `i < len`. Bits and entries past
/// `len` mean nothing.
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
    /// Whether texts that lie anywhere were not all copied.
    pub(crate) has_long: bool,
    /// Whether texts that touch begin with ASCII bytes, and the byte after them is ASCII; false if that was not
    /// checked.
    pub(crate) starts_are_ascii: bool,
    /// A bit for each text that the ordinary parser must read.
    pub(crate) unsure: [u64; ROOM / 64],
    /// A bit for each text that does not match the rule, unless the text is unsure. No bit with `Want::Parts`.
    pub(crate) wrong: [u64; ROOM / 64],
    /// A bit for each sure text that has no sign of a change by normalization. Bits of unsure texts mean nothing. Only
    /// for `Want::Normal`.
    pub(crate) normal: [u64; ROOM / 64],
    /// The offsets of the parts of the sure texts.
    pub(crate) rows: Rows,
    /// The place of the end of each text, relative to the first text.
    ends: Places,
    /// The texts that `gather` brought together.
    gathered: Gathered,
    /// Intermediate results, which are kept because they are large.
    sets: Sets,
    cursors: Cursors,
}

/// The offsets of the parts of texts, relative to the start of the text: one column for each offset, in
/// the order of [`Parts::offsets`].
#[derive(Clone, Debug)]
pub(crate) struct Rows(pub(crate) [Places; 8]);

impl Rows {
    /// The parts of a text, given its number.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "256 entries, indexed by a byte")]
    pub(crate) fn get(&self, number: u8) -> Parts {
        Parts::at(self.0.each_ref().map(|column| column[usize::from(number)]))
    }

    /// Sets the parts of a text, given its number.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "256 entries, indexed by a byte")]
    pub(crate) fn set(&mut self, number: u8, parts: Parts) {
        for (column, offset) in self.0.iter_mut().zip(parts.offsets()) {
            column[usize::from(number)] = offset;
        }
    }
}

impl Found {
    /// No text.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self {
            spans: Spans::NONE,
            len: 0,
            end: 0,
            is_ascii: true,
            has_long: false,
            starts_are_ascii: false,
            unsure: [0; ROOM / 64],
            wrong: [0; ROOM / 64],
            normal: [0; ROOM / 64],
            rows: Rows([[0; ROOM]; 8]),
            ends: [0; ROOM],
            gathered: Gathered::NONE,
            sets: Sets::NONE,
            cursors: Cursors::NONE,
        }
    }

    /// Finds the next texts, from `texts.from` on. If there is no text, `len` is 0.
    pub(crate) fn find(&mut self, level: CpuLevel, texts: Texts<'_>, want: Want) {
        let input = Input::Separated(texts);
        level.run_wide(FindItems { rule: texts.rule, input, want, found: self });
    }

    /// Takes as many texts as fit into a search with a separator after each, and sets `len` to their number. The texts
    /// touch. `ends` are their ends, relative to the start of the first text. Returns false if the first text does not
    /// fit.
    #[inline(always)]
    pub(crate) fn touch(&mut self, ends: impl Iterator<Item = usize>) -> bool {
        let Bitset(stops) = &mut self.cursors.stops;
        *stops = [0; BLOCKS];
        (self.len, self.gathered.len, self.starts_are_ascii) = (0, 0, false);
        let (mut at, mut word) = (0, 0);
        for end in ends.take(MOST) {
            if end + self.len >= BLOCKS * BLOCK {
                break;
            }
            // The word is kept in a register.
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

    /// Searches the texts that [`touch`](Self::touch) took. The first text begins at byte `from` of the buffer. Returns
    /// false if the texts cannot be searched where they lie: a text is empty, the rule does not require a scheme, or
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
            && level.run_wide(FindItems {
                rule,
                input: Input::Touching(buffer, from),
                want,
                found: self,
            })
    }

    /// Searches the first `len` texts at `spans`, which lie anywhere in `buffer`. If they do not fit into a search, or
    /// without SIMD, all texts are unsure.
    pub(crate) fn find_gathered(&mut self, level: CpuLevel, rule: Rule, buffer: &[u8], want: Want) {
        let Self { spans, len, ends, gathered, .. } = self;
        let bytes = level.run_wide(Gather { buffer, spans, count: *len, ends, gathered });
        self.gathered.len = bytes.unwrap_or(0);
        if self.gathered.len > 0 {
            level.run_wide(FindItems { rule, input: Input::Gathered, want, found: self });
        } else {
            self.all_unsure();
        }
    }

    /// Takes as many of `texts`, which lie anywhere, as fit into a search, and searches them. Long texts are unsure. At
    /// least one text is taken if there is a text. Sets `len`, and the lengths as spans.
    pub(crate) fn find_apart(
        &mut self,
        level: CpuLevel,
        rule: Rule,
        texts: &[Option<&[u8]>],
        want: Want,
    ) {
        let Self { spans, ends, gathered, .. } = self;
        let Spans { ends: lens, .. } = spans;
        let job = GatherApart { texts, lens, ends, gathered };
        let Some(Taken { count, bytes, long }) = level.run_wide(job) else {
            let lens = self.spans.ends.iter_mut().zip(texts).take(MOST);
            self.len = lens.map(|(len, text)| *len = text.map_or(0, <[u8]>::len)).count();
            self.gathered.len = 0;
            return self.all_unsure();
        };
        (self.len, self.gathered.len) = (count, bytes);
        level.run_wide(FindItems { rule, input: Input::Gathered, want, found: self });
        self.unsure.iter_mut().zip(long).for_each(|(unsure, long)| *unsure |= long);
        self.has_long = long != [0; ROOM / 64];
        self.is_ascii &= !self.has_long;
    }

    /// Makes all texts unsure.
    fn all_unsure(&mut self) {
        (self.unsure, self.wrong, self.is_ascii) = ([!0; ROOM / 64], [0; ROOM / 64], false);
        self.starts_are_ascii = false;
    }

    /// The gathered texts, with a separator after each; `None` if no texts were gathered.
    pub(crate) fn gathered(&self) -> Option<&[u8]> {
        Some(self.gathered.all()).filter(|all| !all.is_empty())
    }

    /// Finds where the next texts lie, at most `limit` texts, and makes all of them unsure.
    fn take_unsearched(&mut self, texts: Texts<'_>, limit: usize) {
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

/// A search as a job. Returns false if the texts touch and cannot be searched where they lie.
struct FindItems<'a> {
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
    /// In a buffer, one after the other from this byte on. [`Cursors::stops`] has their ends.
    Touching(&'a [u8], usize),
    /// In [`Found::gathered`]; [`Found::spans`] has where they are in their buffer.
    Gathered,
}

impl<'a> Job for FindItems<'a> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> bool {
        let Self { rule, input, want, found } = self;
        if !S::MASKS {
            match input {
                Input::Separated(texts) => found.take_unsearched(texts, ENOUGH as usize),
                Input::Touching(..) => return false,
                Input::Gathered => found.all_unsure(),
            }
            return true;
        }

        // The text to search, unless it was gathered, and the offset in the buffer at which it begins.
        let Found { sets, cursors, gathered, len, .. } = found;
        // After a last text without a separator, `from` is past the end.
        let rest = |buffer: &'a [u8], from| buffer.get(from..).unwrap_or_default();
        let (texts, from, separator, layout) = match input {
            Input::Separated(Texts { buffer, from, separator, .. }) => {
                (Some(rest(buffer, from)), from, separator, Layout::Separated)
            }
            Input::Touching(buffer, from) => {
                // A text is empty if it ends where the text before it ends, or where the first text begins.
                let Bitset([first, ..]) = cursors.stops;
                if cursors.stops.count() < *len || first & 1 == 1 {
                    return false;
                }
                (Some(rest(buffer, from)), from, SEPARATOR, Layout::Touching)
            }
            Input::Gathered => {
                cursors.stops = gathered.ends;
                (None, 0, SEPARATOR, Layout::Gathered)
            }
        };
        let text = texts.unwrap_or_else(|| gathered.all());
        let totals = Search { text, separator, rule, want, layout }.run(simd, sets, cursors);
        (found.is_ascii, found.starts_are_ascii) = (totals.is_ascii, totals.starts_are_ascii);
        if let Input::Separated(texts) = input {
            let Some(last) = cursors.stops.last(simd) else {
                // The next text does not end within the blocks that were read, or there is no next text.
                found.take_unsearched(texts, 1);
                return true;
            };
            (found.len, found.end) = (cursors.stops.count(), from + last);
        }

        // What the caller wants.
        (found.unsure, found.wrong) = ([0; ROOM / 64], [0; ROOM / 64]);
        if want == Want::Sure && totals.all_match {
            return true;
        }
        if matches!(want, Want::Sure | Want::Spans) {
            let lie_apart = want == Want::Sure && layout != Layout::Gathered;
            let places = lie_apart.then_some((from, layout.gap()));
            simd.apart(Decide { texts, places, found });
        } else {
            found.number_unsure(simd);
        }
        if want != Want::Parts {
            let Found { wrong, cursors: Cursors { stops, wrong: bits, .. }, .. } = found;
            bits.each(simd, stops, |number, _| set(wrong, number));
        }
        if want == Want::Sure {
            return true;
        }
        found.locate_all(simd, from, layout);
        if want == Want::Parts {
            found.write_rows(simd, layout.gap());
        }
        if want == Want::Normal {
            found.normal = found.cursors.normal.at(&found.ends, found.len);
        }
        true
    }
}

/// A job that decides about the unsure texts of a search, as far as `parse::decide` can, and finds the numbers of the
/// others. With `places`, it also finds where the unsure texts lie.
///
/// A log has many texts in a row with the same authority. The bytes of the last rare authority that matches are
/// remembered, and the same bytes are not judged again:
///
/// ```text
/// http://[2001:db8::1]:8080/a
///       ^~~~~~~~~~~~~~~~~~~~      judged: the byte before the place, up to the byte after the authority
/// http://[2001:db8::1]:8080/b
///       ^~~~~~~~~~~~~~~~~~~~      the same bytes, so the same answer
/// ```
struct Decide<'a, 'b> {
    /// The text of the search, unless it was gathered.
    texts: Option<&'a [u8]>,
    /// The offset of the first text in the buffer, and the number of bytes between two texts.
    places: Option<(usize, u32)>,
    found: &'b mut Found,
}

impl Job for Decide<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) {
        let Self { texts, places, found } = self;
        let Found { spans, len, unsure, wrong, cursors, gathered, sets, .. } = found;
        let Cursors { stops, unsure: bits, wrong: wrong_bits, .. } = cursors;
        let text = texts.unwrap_or_else(|| gathered.all());
        // The bytes of the last rare authority that matches, and the answer for them.
        let mut last = None::<(&[u8], Rare)>;
        bits.each(simd, stops, |number, place| {
            // The last text may go on after the search.
            if number >= *len {
                return;
            }
            let stop = || stops.after(place);
            let before = (place as usize).checked_sub(1);
            let from = before.and_then(|before| text.get(before..)).unwrap_or_default();
            let is_known = |known: &[u8]| {
                from.first_chunk::<4>() == known.first_chunk()
                    && from.starts_with(known)
                    && stops.window(place as usize) & below(known.len() - 1) == 0
            };
            let rare = match last {
                Some((known, rare)) if is_known(known) => rare,
                _ => {
                    let stop = stop();
                    let rare = sets.judge(text, place as usize..stop as usize);
                    if let Rare::Host { end, .. } = rare {
                        let known = from.get(..end as usize + 2).filter(|_| place + end < stop);
                        last = known.map(|known| (known, rare));
                    }
                    rare
                }
            };
            match rare {
                Rare::Unsure => {}
                Rare::Wrong => return set(wrong, number),
                Rare::Host { literal, .. } => {
                    // Elsewhere, brackets are wrong. The text keeps all other bits.
                    if let Some((open, close)) = literal {
                        wrong_bits.clear(place + open);
                        wrong_bits.clear(place + close);
                    }
                    let has_another = |end| bits.has_another(place, end);
                    if !(has_another(u32::MAX) && has_another(stop())) {
                        return;
                    }
                }
            }
            set(unsure, number);
            if let Some((from, gap)) = places {
                let start = stops.before(place).map_or(0, |stop| stop + gap);
                spans.put(number, from + start as usize..from + stop() as usize);
            }
        });
    }
}

/// The steps after a search: bits by place become bits by number, and places.
impl Found {
    /// Finds the numbers of the unsure texts. Bits after the last text have no meaning.
    #[inline(always)]
    fn number_unsure<S: Cpu>(&mut self, simd: S) {
        let Self { unsure, cursors: Cursors { stops, unsure: bits, .. }, .. } = self;
        bits.each(simd, stops, |number, _| set(unsure, number));
    }

    /// Finds where all texts lie.
    #[inline(always)]
    fn locate_all<S: Cpu>(&mut self, simd: S, from: usize, layout: Layout) {
        let Self { spans, len, ends, cursors, .. } = self;
        if layout == Layout::Separated {
            cursors.stops.put(simd, ends);
        }
        if layout != Layout::Gathered {
            let all = ends.iter().map(|end| *end as usize).take(*len);
            spans.set(from, all, layout.gap() as usize);
        }
    }

    /// Writes the offsets of the parts of all texts.
    #[inline(always)]
    fn write_rows<S: Cpu>(&mut self, simd: S, gap: u32) {
        let Self { ends, len, cursors, rows, .. } = self;
        let stops = &cursors.stops;
        // The ends of the paths and of the queries, first as places. If most of them are also the ends of texts, only
        // the other places are written over the ends of the texts.
        let Rows([.., path_ends, query_ends, _]) = rows;
        for (ends_of, places) in [(&cursors.path_end, path_ends), (&cursors.query_end, query_ends)]
        {
            *places = *ends;
            let others = ends_of.without(stops);
            if 4 * others.count() > *len {
                ends_of.put(simd, places);
            } else {
                others.each(simd, stops, |number, place| {
                    if let Some(known) = places.get_mut(number) {
                        *known = place;
                    }
                });
            }
        }
        write_offsets(cursors, gap, ends, *len, rows);
        let Rows([_, _, _, host_end, ..]) = rows;
        cursors.port.each(simd, stops, |number, place| {
            let before = number.checked_sub(1).and_then(|before| ends.get(before));
            if let Some(known) = host_end.get_mut(number) {
                *known = place - before.map_or(0, |end| end + gap);
            }
        });
    }
}

/// Adds text `number`.
#[inline(always)]
fn set(texts: &mut [u64; ROOM / 64], number: usize) {
    if let Some(word) = texts.get_mut(number / 64) {
        *word |= 1 << (number % 64);
    }
}

/// Writes the offsets of the parts of the first `count` texts. `ends` are the places of the ends of the texts, relative
/// to the first text. The columns for the ends of paths and queries have such places, too, and get offsets.
///
/// Two cursors tell whether a text has a scheme and an authority: `scheme_end` and `path`, relative to the start of the
/// text.
///
/// ```text
/// text       scheme_end  path
/// a://b/c    1           5       a scheme; an authority, because the cursor of the path is at 4 or later
/// a:b        1           2       a scheme
/// a:/b       1           3       a scheme: the cursor of the path is after the slash
/// //b/c      0           3       an authority, because the cursor of the path is at 2 or later
/// /b         0           1       the cursor of the path is after the slash
/// b/c        1           1       no scheme: the cursors are at the same place
/// ```
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "an index into arrays of one length, below it")]
fn write_offsets(cursors: &Cursors, gap: u32, ends: &Places, count: usize, rows: &mut Rows) {
    let Rows([scheme_end, authority, host, host_end, path, path_end, query_end, end]) = rows;
    // A text begins after the separator that ends the text before it. Without separators, it begins where the text
    // before it ends, and all its cursors are after its first byte.
    let ahead = 1 - gap;
    let mut starts = [0; ROOM];
    for (start, end) in starts.iter_mut().skip(1).zip(ends) {
        *start = *end + gap;
    }
    let (mut schemes, mut firsts) = ([0; ROOM], [0; ROOM]);
    // These two cursors are in every text. Their places are relative to the start of the text.
    for i in 0..count.min(ROOM) {
        schemes[i] = cursors.scheme_end.distance(starts[i] + ahead) + ahead;
        firsts[i] = cursors.path.distance(starts[i] + ahead) + ahead;
    }
    for i in 0..count.min(ROOM) {
        let start = starts[i];
        let from_start = |place: u32| place.wrapping_sub(start);
        // Without a scheme, the cursor of the scheme is at the start of the text, or at the place of the cursor of the
        // path.
        let (scheme, first) = (schemes[i], firsts[i]);
        let has_scheme = (scheme != 0) & (first > scheme);
        let after = if has_scheme { scheme.wrapping_add(1) } else { 0 };
        // Without an authority, the cursor of the path is at most one slash after the scheme.
        let name = after.wrapping_add(2);
        let has_authority = (first >= name) & (has_scheme | (scheme == 0));
        let (name, first) = if has_authority { (name, first) } else { (after, after) };
        scheme_end[i] = if has_scheme { scheme } else { 0 };
        (authority[i], host[i], host_end[i], path[i]) = (name, name, first, first);
        path_end[i] = from_start(path_end[i]);
        query_end[i] = from_start(query_end[i]);
        end[i] = from_start(ends[i]);
    }
}
