//! Parses all texts of 4 KiB at once, with a separator between them or between copies of them: finds for each text
//! whether it matches a rule, and where its components lie.
//!
//! Here: the search. Not here: the steps of the grammar (`parse::cursor`), the ordinary parser, which reads the
//! *unsure* texts (`parse`), and the operations on one set of bits (`bitset`).
#![forbid(unsafe_code)]

/*
# The algorithm

The parser moves one offset through one text. Here every text has a *cursor*: a bit at a place in the text, which a
shift or an addition moves (`parse::cursor`). The cursors of 4096 bytes are one number of 4096 bits, whose lowest bit is
the first byte, and one operation moves them all:

    text        h t t p : / / a / b \n f t p : x \n
    start       1 . . . . . . . . . .  1 . . . . .
    SCHEME      1 1 1 1 . . . 1 . 1 .  1 1 1 . 1 .
    the sum     . . . . 1 . . 1 . 1 .  . . . 1 1 .
    not SCHEME  . . . . 1 . . . . . .  . . . 1 . .    where each scheme ends

No branch depends on a text, and no text waits for the text before it. The 4096 bits are eight *groups* of 512
(`Words`), which a kernel holds in a few registers. The steps are:

    gather the texts, if no separator is between them and they cannot be searched where they lie
    for each group: which bytes are in which set, and where texts end (`Search::read`)
    for each group, move the cursors (`Search::cursors`), from what the group before it hands on (`Before`):
        move the cursors up to the path, and find the bytes that are wrong (`head` and `wrong` of `parse::cursor`)
        if offsets are wanted:
            path_end   = start + all but `?` and `#`
            query_end  = start + all but `#`
    if the texts in normal form are wanted: for each group, move one more cursor (`Search::normal`)
    if offsets are wanted: read the place of each cursor (`rows`)

A cursor that runs to the first `?` or `#` may begin at the start, since neither is in a scheme or an authority. All
cursors of one text:

    text        a  :  /  /  b  /  c  ?  d  #  e  \n
    start       1
    scheme_end     1
    authority               1
    path                       1
    path_end                         1
    query_end                              1

A text is *sure*, *wrong* or *unsure*. A sure text matches the rule, and a wrong text does not match the rule. A text is
unsure if it has something rare: an `IP-literal`, userinfo, a character that may be outside `ucschar`. If neither
offsets nor texts in normal form are wanted, `parse::decide` reads the authority of a rare text. A text that does not
end within the 4 KiB is the only text of its search, and is unsure. The parser is asked about the unsure texts. If
offsets are wanted, the parser is also asked about the wrong texts, for their errors. Without SIMD, all texts
are unsure.

# Texts without a separator between them

The items of a column touch, some are empty, and each may hold any byte. There are two ways.

*Touching* texts are searched where they lie, if the rule requires a scheme and no text is empty. The first
byte of each text is checked alone (it must be a letter) and then removed from all sets, so that it stops
the cursors of the text before, as a separator would. The cursors of a text begin at its second byte. So each
cursor of a text is after the first byte of the text, and at most on the first byte of the next text: the
cursors of two texts do not meet.

    text        u  r  n  :  a  x  :  y  %
    stops                      1           1    the first byte of the next text
    scheme_end           1        1

The number of stops before a place is the number of its text. If a digit is missing at the end of a text, as after
the percent sign here, the stop of the text is wrong.

*Gathered* texts are copies with a separator after each (`Gather`). Their ends are known and not read from the
bytes. So a separator inside a text does not end the text. This separator is in no set, and so it makes the text
wrong. The separators are ASCII, so the copies are UTF-8 as a whole exactly if each text is UTF-8.

# Invariants

- The separator is in no set, so that no carry leaves its text: each addition moves the cursor of each
  text and nothing else.
- Each cursor rests inside its text or on its stop: the separator after the text, or the first byte of the
  next text. If the last text ends with the buffer, its stop is the place after the buffer.
- A group depends on itself and on what `Before` holds of the group before it.
- A sure text matches the rule, and a wrong text does not match it, at every level. An unsure text may match.

`docs/performance/notes.md`, "Counts and columns of a batch", has what was tried.
*/

use core::ops::Range;

use super::bitset::{BLOCKS, Bitset, ROOM};
use crate::parse::cursor::{self, Bounds, HeadBefore, HeadSets, TextBefore, TextSets};
use crate::parse::{At, Near, Rare, Rule, decide, refined};
use crate::scan::UPPER;
use crate::scan::{BLOCK, Block, GROUP, Long, Mask, Members, Simd, Words};
use crate::tables::{
    AsciiSet, COLON, DOT, END, Eight, FRAGMENT, HEXDIG, LEADS, NAME, PATH, PERCENT, QUERY,
    QUESTION, SCHEME, SCHEME_FIRST,
};
use crate::transform::BIDI_CONTROL_PAIRS;

// The digits of `TRIPLET` are in `SCHEME`, and its percent sign is not. So the mask of `SCHEME` tells them apart.
const _: () = assert!(TRIPLET.bits == HEXDIG.bits | PERCENT.bits);
const _: () = assert!(HEXDIG.bits & SCHEME.bits == HEXDIG.bits && PERCENT.bits & SCHEME.bits == 0);
// The characters of a text are checked by one set, whichever component they are in.
const _: () = assert!((SCHEME.bits | COLON.bits | NAME.bits | PATH.bits) & !QUERY.bits == 0);
const _: () = assert!(PERCENT.bits & QUERY.bits == PERCENT.bits);

// A fragment may hold what a query may hold, so that one set serves both.
const _: () = assert!(QUERY.bits == FRAGMENT.bits);
// `PATH` and `QUERY` tell the members of `END` apart: the slash is in both sets, the question mark is in `QUERY` alone,
// and the number sign is in neither set.
const _: () = assert!(PATH.bits & !QUERY.bits == 0 && QUESTION.bits & !QUERY.bits == 0);

/// A search stops after the block in which the number of texts reaches this number. Up to 64 texts may end in this
/// block, and `Long::put` needs room for 64 more.
pub(super) const ENOUGH: u32 = 128;
const _: () = assert!(ENOUGH as usize + 2 * BLOCK <= ROOM);

/// The separator of gathered texts. It is in no set, so a text that holds it is wrong.
pub(super) const SEPARATOR: u8 = b'\n';
const _: () = assert!((QUERY.bits | END.bits) >> SEPARATOR & 1 == 0);

/// The hexadecimal digits, which are in `SCHEME`, and the percent sign, which is not.
const TRIPLET: AsciiSet = HEXDIG.with(&PERCENT);

/// The sets that are asked of every byte.
const EIGHT: Eight = Eight::of([SCHEME, SCHEME_FIRST, COLON, END, NAME, QUERY, PATH, TRIPLET]);

/// The number of groups of blocks of a search.
const GROUPS: usize = BLOCKS / GROUP;

/// Which bytes of the texts are in which set.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    /// In the order of [`EIGHT`]. The separator is in none of these sets.
    of: [Bitset; 8],
    non_ascii: Bitset,
    /// The first bytes of characters for which masks cannot decide that they are of `ucschar`.
    leads: Bitset,
    /// What may be a sign of a change by normalization: upper-case letters, dots, and bytes that may begin a bidi
    /// formatting character. Only for `Want::Normal`.
    signs: [Bitset; 3],
}

impl Sets {
    pub(super) const NONE: Self = Self {
        of: [Bitset::ZERO; 8],
        non_ascii: Bitset::ZERO,
        leads: Bitset::ZERO,
        signs: [Bitset::ZERO; 3],
    };

    /// Decides about a text that has a bit in [`Cursors::unsure`] at the start of `span`. It ends at the end of `span`.
    #[inline(always)]
    pub(super) fn judge(&self, text: &[u8], span: Range<usize>) -> Rare {
        let place = span.start;
        let before = place.checked_sub(1).and_then(|before| text.get(before));
        // Outside ASCII, it is a character that may be outside `ucschar`.
        let (Some(before), Some(rest @ [0..0x80, ..])) = (before, text.get(span)) else {
            return Rare::Unsure;
        };
        let [scheme, letter, colon, _, name, _, _, triplet] = &self.of;
        let (scheme, triplet) = (scheme.window(place), triplet.window(place));
        let hexdig = triplet & scheme;
        // An IP literal does not have a name.
        let name = match rest {
            [b'[', ..] => 0,
            _ => name.window(place) | triplet & !scheme | self.non_ascii.window(place),
        };
        let (colon, digit) = (colon.window(place), hexdig & !letter.window(place));
        let near = Near { name, colon, hexdig, digit };
        decide(rest, *before, near)
    }
}

/// The cursors of all texts. A text has at most one cursor of each kind.
#[derive(Clone, Debug)]
pub(super) struct Cursors {
    /// The place of a cursor that has run through its whole text: on the separator, or, if texts touch, on the first
    /// byte of the next text.
    pub(super) stops: Bitset,
    /// One bit or more in each unsure text, and no bit in other texts.
    pub(super) unsure: Bitset,
    /// One bit or more in each text that does not match, unless the text is unsure. No bit in texts that match. Not for
    /// [`Want::Parts`]: there, texts that do not match are unsure, because the parser finds their errors.
    pub(super) wrong: Bitset,
    /// The first byte that a scheme cannot hold; the start, if the text does not begin with a letter. This field and
    /// the next four fields: only for [`Want::Parts`].
    pub(super) scheme_end: Bitset,
    /// The first byte after a plain authority. Without an authority, the start of the path, or the second byte of a
    /// path that begins with a slash. In a text that begins with a letter and has no scheme, the place of `scheme_end`.
    /// `write_offsets` tells these cases apart.
    pub(super) path: Bitset,
    /// The colon before each port.
    pub(super) port: Bitset,
    /// The first `?` or `#` of each text, or its end.
    pub(super) path_end: Bitset,
    /// The first `#` of each text, or its end.
    pub(super) query_end: Bitset,
    /// The first byte of each authority. Only for `Want::Normal`.
    authority: Bitset,
    /// The stop of each sure text without a sign of a change by normalization. Bits of other texts mean nothing. Only
    /// for `Want::Normal`.
    pub(super) normal: Bitset,
}

impl Cursors {
    pub(super) const NONE: Self = Self {
        stops: Bitset::ZERO,
        unsure: Bitset::ZERO,
        wrong: Bitset::ZERO,
        scheme_end: Bitset::ZERO,
        path: Bitset::ZERO,
        port: Bitset::ZERO,
        path_end: Bitset::ZERO,
        query_end: Bitset::ZERO,
        authority: Bitset::ZERO,
        normal: Bitset::ZERO,
    };
}

/// What lies between the texts of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// A separator. The search finds where the texts end.
    Separated,
    /// Nothing. Where the texts end is known.
    Touching,
    /// A separator. Where the texts end is known.
    Gathered,
}

impl Layout {
    /// The number of bytes between two texts.
    #[inline(always)]
    pub(super) const fn gap(self) -> u32 {
        match self {
            Self::Touching => 0,
            Self::Separated | Self::Gathered => 1,
        }
    }
}

/// The results that a search must produce.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// Which texts are unsure and which are wrong, and where the unsure texts lie.
    Sure,
    /// Which texts are unsure and which are wrong, and where all texts lie.
    Spans,
    /// Which texts are unsure or wrong, where all texts lie, and the offsets of the parts of the sure texts.
    Parts,
    /// The results of `Spans`, and which of the sure texts are in normal form for certain.
    Normal,
}

/// A search of texts. The first text begins at the start of `text`.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub(super) text: &'a [u8],
    pub(super) separator: u8,
    pub(super) rule: Rule,
    pub(super) want: Want,
    pub(super) layout: Layout,
}

/// What a search found about all texts together.
pub(super) struct Totals {
    /// [`Found::is_ascii`].
    pub(super) is_ascii: bool,
    /// [`Found::starts_are_ascii`].
    pub(super) starts_are_ascii: bool,
    /// Whether no text is unsure or wrong.
    pub(super) all_match: bool,
}

impl Search<'_> {
    /// Reads the first 4096 bytes, or fewer if enough texts end before, and moves the cursors through them.
    ///
    /// Two loops: in the first one, no group waits for another group.
    /// Measured: `docs/performance/notes.md`, "Counts and columns of a batch".
    #[inline(always)]
    pub(super) fn run<S: Long>(self, simd: S, sets: &mut Sets, cursors: &mut Cursors) -> Totals {
        let groups = if self.layout == Layout::Separated {
            self.read::<S, false>(simd, sets, &mut cursors.stops)
        } else {
            self.read::<S, true>(simd, sets, &mut cursors.stops)
        };
        let facts = if self.want == Want::Parts {
            self.walk::<S, true>(simd, groups, sets, cursors)
        } else {
            self.walk::<S, false>(simd, groups, sets, cursors)
        };
        if self.want == Want::Normal {
            self.normal(simd, groups, sets, cursors);
        }
        facts
    }

    /// Finds which bytes are in which set, and where the texts end unless that is known (`KNOWN`). Returns the number
    /// of groups with a byte of a text or its end.
    ///
    /// There are two copies, because one copy finds the separators even if it does not need them.
    /// Measured: `docs/performance/notes.md`, "Counts and columns of a batch".
    #[inline(always)]
    #[expect(
        clippy::indexing_slicing,
        reason = "the number of a group is below that of all groups"
    )]
    fn read<S: Long, const KNOWN: bool>(
        self,
        simd: S,
        sets: &mut Sets,
        stops: &mut Bitset,
    ) -> usize {
        let Self { text, separator, .. } = self;
        // Whether the last text ends with the buffer, without a separator.
        let is_open = text.last().is_some_and(|last| *last != separator);
        let end = match stops.last(simd) {
            Some(last) if KNOWN => last + 1,
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
            // Characters that may be outside `ucschar` are searched only if a byte of the group is not ASCII.
            let leads = &mut sets.leads.groups()[group];
            *leads = [0; GROUP];
            if non_ascii.any() {
                find_leads(simd, text, at, blocks, leads);
            }
            if self.want == Want::Normal {
                for (i, bytes) in blocks.iter().enumerate() {
                    for (set, found) in sets.signs.iter_mut().zip(signs(simd, bytes)) {
                        set.groups()[group][i] = found;
                    }
                }
            }
            if KNOWN {
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
                keep_enough(stop, count);
                return group + 1;
            }
        }
        groups
    }

    /// Moves the cursors through this number of groups. `PARTS` is whether the offsets of the parts are wanted.
    ///
    /// There are two copies, because the cursors of the parts need more registers than there are.
    #[inline(always)]
    #[expect(
        clippy::indexing_slicing,
        reason = "the number of a group is below that of all groups"
    )]
    fn walk<S: Long, const PARTS: bool>(
        self,
        simd: S,
        groups: usize,
        sets: &mut Sets,
        cursors: &mut Cursors,
    ) -> Totals {
        let Cursors { stops, unsure, wrong, scheme_end, path, port, path_end, query_end, .. } =
            cursors;
        let zero = simd.words(&[0; GROUP]);
        // A text starts after the stop of the text before it. For the first text, this is as if a text ended before it.
        let (stop, first) = (simd.words(&LAST_BIT), simd.words(&FIRST_BIT));
        let mut before = Before { stop, first, ..Before::none(zero) };
        let [mut all_non_ascii, mut others, mut all_starts] = [zero; 3];
        for group in 0..groups {
            let mut of = [zero; 8];
            for (of, set) in of.iter_mut().zip(&mut sets.of) {
                *of = simd.words(&set.groups()[group]);
            }
            let non_ascii = simd.words(&sets.non_ascii.groups()[group]);
            let leads = simd.words(&sets.leads.groups()[group]);
            let stop = simd.words(&stops.groups()[group]);
            let now = self.cursors::<S::Words, PARTS>(&mut before, of, non_ascii, leads, stop);
            all_non_ascii = all_non_ascii | non_ascii;
            others = others | now.unsure | now.wrong;
            all_starts = all_starts | now.foreign_start;
            if PARTS {
                unsure.groups()[group] = (now.unsure | now.wrong).masks();
            } else {
                unsure.groups()[group] = now.unsure.masks();
                wrong.groups()[group] = now.wrong.masks();
            }
            if self.want == Want::Normal {
                cursors.authority.groups()[group] = now.authority.masks();
            }
            if PARTS {
                scheme_end.groups()[group] = now.scheme_end.masks();
                path.groups()[group] = now.path.masks();
                port.groups()[group] = now.port.masks();
                path_end.groups()[group] = now.path_end.masks();
                query_end.groups()[group] = now.query_end.masks();
            }
        }
        for group in groups..GROUPS {
            for set in [&mut *stops, unsure, wrong, scheme_end, path, port, path_end, query_end] {
                set.groups()[group] = [0; GROUP];
            }
        }
        Totals {
            is_ascii: !all_non_ascii.any(),
            starts_are_ascii: self.layout == Layout::Touching && !all_starts.any(),
            all_match: !others.any(),
        }
    }

    /// Finds the texts without a sign of a change by normalization. A cursor runs from the start of each text to the
    /// first sign, or to the stop. An upper-case letter is a sign only in a scheme or in a host. Three cursors of each
    /// text find these letters:
    ///
    /// ```text
    /// text                  h  T  t  p  :  /  /  b  .  C  /  D  \n
    /// first of the scheme      1                                     the first upper-case letter
    /// end of the scheme                 1                            from there: a sign if it is a colon
    /// first of the host                                1             from the authority: a sign
    /// ```
    ///
    /// Without a colon, the text does not have a scheme, and the letters are in a path. A sure text does not have
    /// userinfo, and its port does not have letters.
    ///
    /// A fourth cursor runs from the authority to the end of the host. It is a sign if there is no slash: there is a port,
    /// or the path is empty. This sign may be on the stop.
    ///
    /// A separate loop, because counting does not need this work.
    /// Measured: `docs/performance/notes.md`, "Counts and columns of a batch".
    #[inline(always)]
    #[expect(
        clippy::indexing_slicing,
        reason = "the number of a group is below that of all groups"
    )]
    fn normal<S: Long>(self, simd: S, groups: usize, sets: &mut Sets, cursors: &mut Cursors) {
        let zero = simd.words(&[0; GROUP]);
        let (mut stop_before, mut first) = (simd.words(&LAST_BIT), simd.words(&FIRST_BIT));
        let [mut slash_before, mut letter_before, mut lower_before] = [zero; 3];
        let [mut upper_carry, mut end_carry, mut host_carry, mut root_carry, mut carry] = [zero; 5];
        for group in 0..groups {
            let mut of = [zero; 8];
            for (of, set) in of.iter_mut().zip(&mut sets.of) {
                *of = simd.words(&set.groups()[group]);
            }
            let [scheme, letter, colon, end, name, _, path, triplet] = of;
            let non_ascii = simd.words(&sets.non_ascii.groups()[group]);
            let [upper, dots, bidi] = &mut sets.signs;
            let upper = simd.words(&upper.groups()[group]);
            let dots = simd.words(&dots.groups()[group]);
            let bidi = simd.words(&bidi.groups()[group]);
            let stop = simd.words(&cursors.stops.groups()[group]);
            let authority = simd.words(&cursors.authority.groups()[group]);
            let (from, begin, others);
            if self.layout == Layout::Touching {
                // Cursors begin at the second byte. If the first byte is an upper-case letter, it is a sign, and the
                // text does not get the cursor `from`. The first byte of a text stops the cursors of the text before
                // it.
                let start = stop | first;
                first = zero;
                from = (start & !upper).next(&mut lower_before);
                (begin, others) = ((start & letter).next(&mut letter_before), !start);
            } else {
                from = stop.next(&mut stop_before);
                (begin, others) = (from & letter, !stop);
            }
            let (scheme, name) = (scheme & others, (name | non_ascii) & others);
            let upper = upper & scheme;
            let of_scheme = begin.plus_near(scheme & !upper, &mut upper_carry) & upper;
            let of_scheme = of_scheme.plus_near(scheme, &mut end_carry) & !scheme & colon & others;
            let of_host = authority.plus_near(name & !upper, &mut host_carry) & upper;
            let slash = end & path & others;
            let no_root = authority.plus_near(name, &mut root_carry) & !(name | slash);
            let after_slash = slash.next(&mut slash_before);
            let percent = triplet & !scheme & others;
            let signs = percent | dots & after_slash | bidi | of_scheme | of_host | no_root;
            let normal = from.plus(!(signs | stop), &mut carry) & stop & !no_root;
            cursors.normal.groups()[group] = normal.masks();
        }
        for group in groups..GROUPS {
            cursors.normal.groups()[group] = [0; GROUP];
        }
    }

    /// Moves the cursors through the next group of blocks.
    #[inline(always)]
    fn cursors<W: Words, const PARTS: bool>(
        self,
        before: &mut Before<W>,
        of: [W; 8],
        mut non_ascii: W,
        leads: W,
        stop: W,
    ) -> Now<W> {
        let Self { rule, .. } = self;
        let [mut scheme, letter, mut colon, mut end, mut name, query, path, mut triplet] = of;
        let zero = stop & !stop;

        // Characters: all must be in the set of a query, except the `#`, which is in `end`.
        let mut foreign = !(query | end | non_ascii);
        if rule.ascii_only() {
            foreign = foreign | non_ascii;
        }
        // A text begins after a stop, or, if texts touch, on the stop of the text before it.
        let (from, begin, no_letter, foreign_start);
        let mut wrong_start = zero;
        if self.layout == Layout::Touching {
            // Cursors begin at the second byte. Here the first byte is checked, and then removed from all sets.
            let start = stop | before.first;
            before.first = zero;
            foreign = foreign & !start;
            wrong_start = (start & !letter).next(&mut before.wrong_start);
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
            foreign = foreign & !stop;
        }
        let (hash, slash) = (end & !query, end & path);
        let (percent, hexdig) = (triplet & !scheme, triplet & scheme);
        let sets = TextSets { hash, percent, hexdig, foreign };
        let wrong = wrong_start | cursor::wrong(rule, sets, stop, &mut before.text);
        let (name, digit) = (name | percent | non_ascii, hexdig & !letter);
        let sets = HeadSets { scheme, colon, slash, end, name, digit };
        let bounds = Bounds { begin, no_letter, stop };
        let head = cursor::head(rule, sets, bounds, &mut before.head);
        let mut path_start = head.path;
        let (mut path_end, mut query_end) = (zero, zero);
        if PARTS {
            // Without an authority, there is at most one slash after the scheme.
            let after_scheme = head.scheme_colon.next(&mut before.after_colon) | no_letter;
            let after_one = (after_scheme & slash).next(&mut before.one_slash);
            path_start =
                path_start | (after_scheme | after_one) & !slash | head.scheme_end & !colon;
            // Path: it ends at the first `?` or `#`, or with the text. Query: it ends at the first `#`, or with the
            // text. A sure text does not have these delimiters before its path, so that both cursors run from the
            // start.
            let delimiters = end & !(path & query) | stop;
            path_end = from.plus(!delimiters, &mut before.path_end) & delimiters;
            let delimiters = hash | stop;
            query_end = from.plus(!delimiters, &mut before.query_end) & delimiters;
        }
        Now {
            unsure: head.rare | leads,
            wrong: wrong | head.wrong,
            scheme_end: head.scheme_end | no_letter,
            authority: head.authority,
            path: path_start,
            port: head.port,
            path_end,
            query_end,
            foreign_start,
        }
    }
}

/// The number that has only the highest bit, and the number that has only the lowest bit.
const LAST_BIT: [u64; GROUP] = [0, 0, 0, 0, 0, 0, 0, 1 << (BLOCK - 1)];
const FIRST_BIT: [u64; GROUP] = [1, 0, 0, 0, 0, 0, 0, 0];

/// What a group of blocks hands to the next group.
#[derive(Clone, Copy)]
struct Before<W> {
    /// Before the first group of touching texts, the first byte; otherwise nothing.
    first: W,
    // What the steps of the grammar hand on.
    head: HeadBefore<W>,
    text: TextBefore<W>,
    // The numbers whose highest bits move to the next group.
    stop: W,
    start: W,
    letter: W,
    wrong_start: W,
    after_colon: W,
    one_slash: W,
    // The carries of the additions.
    path_end: W,
    query_end: W,
}

/// The cursors of a group of blocks.
struct Now<W> {
    unsure: W,
    wrong: W,
    scheme_end: W,
    /// The first byte after the two slashes before each authority.
    authority: W,
    path: W,
    port: W,
    path_end: W,
    query_end: W,
    /// The first bytes of touching texts, if they are outside ASCII.
    foreign_start: W,
}

impl<W: Words> Before<W> {
    /// The state before the first group of blocks.
    #[inline(always)]
    const fn none(zero: W) -> Self {
        Self {
            first: zero,
            head: HeadBefore::none(zero),
            text: TextBefore::none(zero),
            stop: zero,
            start: zero,
            letter: zero,
            wrong_start: zero,
            after_colon: zero,
            one_slash: zero,
            path_end: zero,
            query_end: zero,
        }
    }
}

/// Finds the leads of a group for which the masks do not decide that the character is of `ucschar`. The group begins at
/// byte `at` of the text.
#[inline(always)]
fn find_leads<S: Simd>(
    simd: S,
    text: &[u8],
    at: usize,
    blocks: &[[u8; BLOCK]; GROUP],
    leads: &mut [u64; GROUP],
) {
    let mut any = 0;
    for (leads, bytes) in leads.iter_mut().zip(blocks) {
        *leads = simd.load(bytes, 0).high(&LEADS);
        any |= *leads;
    }
    if any == 0 {
        return;
    }
    for (leads, at) in leads.iter_mut().zip((at..).step_by(BLOCK)) {
        if *leads != 0 {
            *leads = refined(simd.load(text, at), *leads, At { simd, text, at });
        }
    }
}

/// Finds the signs of a block that a text may not be in normal form: upper-case letters, dots, and the leads of bidi
/// controls.
#[inline(always)]
fn signs<S: Simd>(simd: S, bytes: &[u8; BLOCK]) -> [u64; 3] {
    let block = simd.load(bytes, 0);
    let mut bidi = 0;
    if block.non_ascii() != 0 {
        for [lead, _] in &BIDI_CONTROL_PAIRS {
            bidi |= block.high(lead);
        }
    }
    [block.ascii(&UPPER), block.ascii(&DOT), bidi]
}

/// Removes the last of `count` ends of texts, so that all texts fit into `ROOM`. The last of them are in `stop`.
#[inline(always)]
fn keep_enough(stop: &mut [u64; GROUP], mut count: u32) {
    for word in stop.iter_mut().rev() {
        if count - word.count_ones() < ENOUGH {
            break;
        }
        count -= word.count_ones();
        *word = 0;
    }
}

/// The blocks of a text that is shorter than a group, with zeros after the text.
///
/// Its alignment makes the compiler align the frame of a search, so that no register of 64 bytes is stored across two
/// lines of the cache. Measured: `docs/performance/notes.md`, "Counts and columns of a batch".
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

/// Corrects the ends of the group in which the buffer ends. Zeros after the buffer may look like separators. If
/// `is_open`, the last text ends with the buffer, without a separator.
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
