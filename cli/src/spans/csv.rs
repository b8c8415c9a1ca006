//! The column of the address in rows of CSV.

/*
# The algorithm

For each block of 64 bytes there are masks of quotes, delimiters, newlines and, if the text has any, carriage returns.
The parity of the quotes before a byte says whether the byte is inside quotes. The delimiters and newlines outside are
the separators of fields. `Walk` goes from separator to separator: past those before the column, to the end of the
field, to the end of the row.

    bytes        7  ,  "  a  ,  b  "  ,  c  \n
    quotes       .  .  1  .  .  .  1  .  .  .
    inside       .  .  1  1  1  1  .  .  .  .
    separators   .  1  .  .  .  .  .  1  .  1

Parity is right as long as each quote that opens a part follows a separator, or the quote that ended the part before it:
two quotes inside a field are the end of a part and the start of the next part. The first quote that is neither is *odd*.
All rows before the row of this quote are right. So the search stops, the reader reads this row, and the search begins
anew after it. It also stops after a carriage return outside quotes that no newline follows.

A row is regular if it ends with a newline, has the column, and the field is not quoted, or has two quotes, which are its
first byte and its last byte. The reader also reads the rows that do not end within whole blocks.

Whoever cuts a file into blocks of rows needs the same masks (`ends`). They are kept (`Known`), so that the search of the rows
does not make them again.

# Invariants

- Every place is below the length of the text, which is below 4 GiB.
- Between two blocks, `Walk` has passed every separator before the next block.
*/

use std::ops::Range;

use memchr::memchr;
use simd_iri::low::{AsciiSet, BLOCK, Block, Cpu, Job, as_chunks, below};
use simd_iri::parser::CpuLevel;

use super::{Records, lowest, prefix_xor};

/// Finds the rows from `from` on, where a row begins. `known` is what [`ends`] has found in this text, or nothing. `end` returns
/// where the row ends that begins at a place. Returns `false` if the rows cannot be found by masks: the CPU level has none, or
/// the text is too long.
pub(crate) fn find(
    level: CpuLevel,
    (text, from): (&[u8], usize),
    known: &Known,
    (delimiter, column): (u8, usize),
    end: impl Fn(usize) -> usize,
    records: &mut Records,
) -> bool {
    records.clear();
    let (Ok(_), Ok(column)) = (u32::try_from(text.len()), u32::try_from(column)) else {
        return false;
    };
    let has_returns = text.get(from..).is_some_and(|rows| memchr(b'\r', rows).is_some());
    let mut at = from;
    if known.has_masks() && !has_returns {
        // A row may begin before the masks. It ends in them.
        while at < known.start && at < text.len() {
            records.others.push(at as u32);
            at = end(at);
        }
        at = level.run_on(KnownRows { at, known, column, records }, text) as usize;
    }
    while at < text.len() {
        let rows = Rows { at, delimiter, column, has_returns, records };
        let Some(start) = level.run_on(rows, text) else {
            return false;
        };
        at = start as usize;
        if at < text.len() {
            records.others.push(start);
            at = end(at);
        }
    }
    true
}

/// A search from `at` on, as a job. Returns where the row begins that the reader must read, or the end of the text if
/// there is none. Returns `None` if there are no masks.
struct Rows<'r> {
    at: usize,
    delimiter: u8,
    column: u32,
    has_returns: bool,
    records: &'r mut Records,
}

impl Job for Rows<'_> {
    type Output = Option<u32>;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Option<u32> {
        if !S::MASKS {
            return None;
        }
        let Self { at, delimiter, column, has_returns, records } = self;
        let (blocks, _) = as_chunks::<u8, BLOCK>(text.get(at..).unwrap_or_default());
        let mut at = at as u32;
        let mut walk = Walk::new(at, column, 0);
        let mut state = Before { is_inside: false, separator: true, quote: false }.state();
        // Whether the last byte of the block before is a carriage return outside quotes.
        let mut lone = 0;
        for block in blocks {
            let block = simd.load(block, 0);
            let Fields { mut masks, quoted, mut odd, .. } = state.next(block, delimiter);
            if has_returns {
                let returns = block.ascii(&AsciiSet::just(b'\r')) & !quoted;
                odd |= (returns << 1 | lone) & !masks.ends;
                lone = returns >> (BLOCK - 1);
            }
            if odd != 0 {
                let right = below(odd.trailing_zeros() as usize);
                (masks.separators, masks.ends) = (masks.separators & right, masks.ends & right);
            }
            walk.pass(text, at, masks, records);
            if odd != 0 {
                break;
            }
            at += BLOCK as u32;
        }
        Some(walk.start)
    }
}

/// A search from `at` on in blocks whose masks are known, as a job. Returns where the row begins that does not end in them.
struct KnownRows<'r> {
    at: usize,
    known: &'r Known,
    column: u32,
    records: &'r mut Records,
}

impl Job for KnownRows<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Cpu>(self, _: S, text: &[u8]) -> u32 {
        let Self { at, known, column, records } = self;
        let mut walk = Walk::new(at as u32, column, 0);
        let offset = at - known.start;
        let rest = known.masks.get(offset / BLOCK..);
        let Some((first, known)) = rest.and_then(<[Masks]>::split_first) else {
            return at as u32;
        };
        // The row may begin within its block.
        let (mut start, before) = (at - offset % BLOCK, below(offset % BLOCK));
        let Masks { quotes, separators, ends } = first;
        let (quotes, separators, ends) = (quotes & !before, separators & !before, ends & !before);
        walk.pass(text, start as u32, Masks { quotes, separators, ends }, records);
        for masks in known {
            start += BLOCK;
            walk.pass(text, start as u32, *masks, records);
        }
        walk.start
    }
}

/// The state of the fields at a place of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    pub(crate) is_inside: bool,
    /// Whether the last byte is a separator.
    pub(crate) separator: bool,
    /// Whether the last byte is a quote that ends a quoted part.
    pub(crate) quote: bool,
}

/// Finds the places after the first and after the last newline outside quotes in the whole blocks of a part of a file.
/// Returns `None` if there is no such newline, if a quote is odd, or if the CPU level has no masks. `known` becomes what is
/// known of the blocks.
pub(crate) fn ends(
    level: CpuLevel,
    part: &[u8],
    delimiter: u8,
    before: Before,
    known: &mut Known,
) -> Option<(usize, usize)> {
    let Known { masks, newlines, .. } = known;
    masks.clear();
    masks.resize(part.len() / BLOCK, Masks::default());
    let counted = level.run_on(FindEnds { delimiter, before, masks }, part);
    let is_right = counted.is_some();
    *newlines = counted.unwrap_or(0);
    let place = |block: usize, bit: u32| block * BLOCK + bit as usize + 1;
    let has_end = |masks: &Masks| masks.ends != 0;
    let first = masks.iter().position(has_end).filter(|_| is_right);
    let last = masks.iter().rposition(has_end).filter(|_| is_right);
    let ends = |block: Option<usize>| block.and_then(|at| Some((at, masks.get(at)?.ends)));
    match (ends(first), ends(last)) {
        (Some((first, low)), Some((last, high))) => {
            Some((place(first, low.trailing_zeros()), place(last, high.ilog2())))
        }
        _ => {
            masks.clear();
            None
        }
    }
}

/// Finds the masks of the blocks of a part of a file, as a job. Returns the number of all newlines; `None` if the masks are not
/// right, because the CPU level has none or a quote is odd.
struct FindEnds<'m> {
    delimiter: u8,
    before: Before,
    masks: &'m mut [Masks],
}

impl Job for FindEnds<'_> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, part: &[u8]) -> Option<u64> {
        let Self { delimiter, before, masks } = self;
        let mut state = before.state();
        let (blocks, _) = as_chunks::<u8, BLOCK>(part);
        let (mut odd, mut newlines) = (0, 0);
        for (block, masks) in blocks.iter().zip(masks) {
            let fields = state.next(simd.load(block, 0), delimiter);
            odd |= fields.odd;
            newlines += u64::from(fields.newlines.count_ones());
            *masks = fields.masks;
        }
        (S::MASKS && odd == 0).then_some(newlines)
    }
}

/// What comes before a block, as masks.
struct State {
    /// All bits are set inside quotes.
    inside: u64,
    /// The lowest bit is set after a separator or a quote, where a quote may open a part.
    opens: u64,
}

/// The fields in a block, as masks.
struct Fields {
    masks: Masks,
    /// The bytes inside quotes: the first quote, and not the last.
    quoted: u64,
    /// All newlines.
    newlines: u64,
    /// The quotes that open a part although they follow neither a separator nor a quote. What comes after the first is
    /// perhaps wrong.
    odd: u64,
}

/// What is known of the blocks of a part of a text before its rows are searched.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Where the first block begins in the text.
    start: usize,
    /// The masks of the blocks, or nothing.
    masks: Vec<Masks>,
    /// The number of all newlines in the blocks.
    newlines: u64,
}

impl Known {
    /// Returns what is known of a part that begins at `start`: nothing so far.
    pub(crate) fn from(start: usize) -> Self {
        Self { start, ..Self::default() }
    }

    /// Tells whether the masks of the blocks are known.
    pub(crate) fn has_masks(&self) -> bool {
        !self.masks.is_empty()
    }

    /// Returns the number of newlines in a range that meets the blocks. `count` counts those of a small part of the text.
    //
    //     blocks         |        newlines         |
    //     range     |         result          |
    //     count      + + +                      - -
    pub(crate) fn newlines(&self, range: Range<usize>, count: impl Fn(Range<usize>) -> u64) -> u64 {
        let end = self.start + self.masks.len() * BLOCK;
        let more = count(range.start..self.start.max(range.start)) + count(end..range.end.max(end));
        let fewer = count(self.start..range.start.max(self.start)) + count(range.end.min(end)..end);
        (self.newlines + more).saturating_sub(fewer)
    }

    /// Returns the number of blocks.
    #[cfg(test)]
    pub(crate) fn blocks(&self) -> usize {
        self.masks.len()
    }
}

/// What a walk reads of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Masks {
    quotes: u64,
    /// The delimiters and newlines outside quotes.
    separators: u64,
    /// The newlines outside quotes.
    ends: u64,
}

impl Before {
    #[inline(always)]
    fn state(self) -> State {
        let inside = u64::from(self.is_inside).wrapping_neg();
        State { inside, opens: (self.separator | self.quote).into() }
    }
}

impl State {
    /// Finds the fields of a block, and goes on after it.
    #[inline(always)]
    fn next<B: Block>(&mut self, block: B, delimiter: u8) -> Fields {
        let quotes = block.ascii(&AsciiSet::just(b'"'));
        let newlines = block.ascii(&AsciiSet::just(b'\n'));
        let delimiters = block.ascii(&AsciiSet::just(delimiter));
        // Most blocks have no quotes.
        let quoted = if quotes == 0 { self.inside } else { prefix_xor(quotes) ^ self.inside };
        let ends = newlines & !quoted;
        let separators = delimiters & !quoted | ends;
        let opens = separators | quotes;
        let odd = quotes & quoted & !(opens << 1 | self.opens);
        self.inside = (quoted >> (BLOCK - 1)).wrapping_neg();
        self.opens = opens >> (BLOCK - 1);
        Fields { masks: Masks { quotes, separators, ends }, quoted, newlines, odd }
    }
}

/// A place in a row, up to which the separators were passed.
struct Walk {
    column: u32,
    /// The number of quotes before the block.
    quotes: u32,
    /// Where the row begins.
    start: u32,
    /// How many separators come before the field.
    left: u32,
    /// Where the field begins, and the number of quotes before it.
    field: (u32, u32),
    /// The span of the text of the field, unless the row is not regular.
    text: Option<(u32, u32)>,
    step: Step,
}

/// What is searched next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The start of the field.
    Field,
    /// The end of the field.
    End,
    /// The end of the row.
    Row,
}

/// The bits of a mask after `bit`.
#[inline(always)]
const fn after(mask: u64, bit: u64) -> u64 {
    mask & !(bit ^ bit.wrapping_sub(1))
}

impl Walk {
    /// The start of a row, before which there are `quotes` quotes; the number counts only if the row begins with the field.
    #[inline(always)]
    const fn new(start: u32, column: u32, quotes: u32) -> Self {
        let step = if column == 0 { Step::End } else { Step::Field };
        Self { column, quotes, start, left: column, field: (start, quotes), text: None, step }
    }

    /// Goes on to the end of a block.
    #[inline(always)]
    fn pass(&mut self, text: &[u8], at: u32, masks: Masks, records: &mut Records) {
        let Masks { quotes, mut separators, mut ends } = masks;
        loop {
            if self.step == Step::Field {
                let end = lowest(ends);
                // All delimiters of this row in the block.
                let mut here = separators & end.wrapping_sub(1);
                let count = here.count_ones();
                if count < self.left {
                    self.left -= count;
                    if end == 0 {
                        break;
                    }
                    // The row is blank, or too short.
                    (separators, ends) = (after(separators, end), ends ^ end);
                    self.end_row((at, quotes), end, records);
                    continue;
                }
                for _ in 1..self.left {
                    here &= here.wrapping_sub(1);
                }
                let last = lowest(here);
                self.field = self.place((at, quotes), last);
                self.field.0 += 1;
                separators = after(separators, last);
                self.step = Step::End;
            }
            if self.step == Step::End {
                let end = lowest(separators);
                if end == 0 {
                    break;
                }
                self.text = self.regular(text, self.place((at, quotes), end), end & ends != 0);
                self.step = Step::Row;
            }
            let end = lowest(ends);
            if end == 0 {
                break;
            }
            (separators, ends) = (after(separators, end), ends ^ end);
            self.end_row((at, quotes), end, records);
        }
        self.quotes += quotes.count_ones();
    }

    /// The place in the text of a bit of a block, and the number of quotes before it. The block begins at `at`.
    #[inline(always)]
    fn place(&self, (at, quotes): (u32, u64), bit: u64) -> (u32, u32) {
        let before = (quotes & bit.wrapping_sub(1)).count_ones();
        (at + bit.trailing_zeros(), self.quotes + before)
    }

    /// The span of the text of the field that ends at a place; `None` if the row is blank, or if the text is not a part of
    /// the field.
    #[inline(always)]
    fn regular(&self, text: &[u8], (end, quotes): (u32, u32), is_last: bool) -> Option<(u32, u32)> {
        let (start, quotes_before) = self.field;
        let is = |at: u32, byte| text.get(at as usize) == Some(&byte);
        let end = if is_last && is(end.wrapping_sub(1), b'\r') { end - 1 } else { end };
        match quotes - quotes_before {
            0 if !is_last || end > self.start => Some((start, end)),
            2 if is(end - 1, b'"') => Some((start + 1, end - 1)),
            _ => None,
        }
    }

    /// Ends a row at a newline, which is a bit of a block.
    #[inline(always)]
    fn end_row(&mut self, block: (u32, u64), end: u64, records: &mut Records) {
        let next = block.0 + end.trailing_zeros() + 1;
        match self.text {
            Some(span) => {
                records.spans.push(span);
                records.starts.push(self.start);
                records.ends.push(next);
            }
            None => records.others.push(self.start),
        }
        // Only a field that begins with the row needs the number of quotes before the row.
        let quotes = if self.column == 0 { self.place(block, end).1 } else { 0 };
        *self = Self { quotes: self.quotes, ..Self::new(next, self.column, quotes) };
    }
}
