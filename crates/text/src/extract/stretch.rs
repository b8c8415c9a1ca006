//! A prescan of a link: finds by masks, in blocks of 64 bytes, how far the link continues with plain
//! characters.
//!
//! Not here: the decision at the place where it stops (`ends`).

use super::reader::count;
use crate::Ends;
use crate::Markup;
use crate::link_tables::{Term, ascii_of, leads_but_letters};
use simd_iri::low::{AsciiSet, BLOCK, Block, Cpu, DISALLOWED, HighSet, Job, below, slice};

/// The ASCII at which a stretch stops, and the ASCII that belongs to a link only if more of the link follows.
pub(crate) struct LinkSets {
    stops: AsciiSet,
    soft: AsciiSet,
}

const STOPS: &[Term] = &[Term::Hard, Term::Open, Term::Close];
const SOFT: AsciiSet = AsciiSet::of(&ascii_of(&[Term::Soft], b""));

/// The first bytes of characters that need a closer test. No Cyrillic or Han character begins with such a byte.
const DOUBTFUL: HighSet = HighSet::of(&leads_but_letters());

impl LinkSets {
    /// Returns the sets of a markup. With `strict`, ASCII that no IRI holds ends a link in plain text too.
    pub(crate) const fn of(markup: Markup, strict: bool) -> &'static Self {
        match markup {
            Markup::Markdown => &Self::MARKDOWN,
            Markup::Plain if !strict => &Self::PLAIN,
            Markup::Plain | Markup::Log | Markup::Html => &Self::STRICT,
        }
    }

    /// The sets of plain text.
    const PLAIN: Self = Self { stops: AsciiSet::of(&ascii_of(STOPS, b"")), soft: SOFT };

    /// The sets of logs and HTML, and of links whose end follows the rules of IRIs. A stretch also stops at
    /// ASCII that no IRI holds, and at characters that may close a quotation.
    const STRICT: Self = Self { stops: AsciiSet::of(&ascii_of(STOPS, b"\"'`|\\^")), soft: SOFT };

    /// The sets of Markdown, where characters of emphasis belong to a link only if more of the link follows.
    const MARKDOWN: Self =
        Self { soft: AsciiSet::of(&ascii_of(&[Term::Soft], b"*_~")), ..Self::STRICT };
}

// No IRI holds a byte of `DISALLOWED`.
const _: () = assert!(DISALLOWED.bits & !LinkSets::STRICT.stops.bits == 0);

/// A job that reads the stretch of plain characters that begins at `from`.
///
/// For example, for a link in plain text before `)`:
///
/// ```text
/// text     / a . b . )
/// stops    0 0 0 0 0 1    the stretch ends before the lowest bit
/// soft     0 0 1 0 1 0
/// firm     1 1 0 1 0 0    before the stop, and not soft: the highest bit is the last byte that certainly belongs
/// ```
///
/// The output is (5, 4): the stretch stops at 5, and the link has at least the first 4 bytes.
pub(crate) struct Stretch<'a> {
    pub(crate) text: &'a str,
    pub(crate) from: usize,
    pub(crate) sets: &'a LinkSets,
    pub(crate) ends: Ends,
}

impl Job for Stretch<'_> {
    /// The offset at which the stretch stops, between characters; and the offset up to which it belongs to the
    /// link, whatever follows.
    type Output = (usize, usize);

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> (usize, usize) {
        let Self { text, from, sets, ends } = self;
        let (mut at, mut safe) = (from, from);
        if !S::MASKS {
            return self.walk();
        }
        let bytes = text.as_bytes();
        while at < bytes.len() {
            let block = simd.load(bytes, at);
            let mut stops = block.ascii(&sets.stops) | !below(bytes.len() - at);
            if ends == Ends::Ascii {
                stops |= block.non_ascii();
            }
            // PERF: a doubtful character that belongs to the link does not end the stretch: the next stretch would
            // wait for the length of this stretch. Links to pages in many languages are 1.2 times as fast (in benches:
            // cargo run --release --bin extract).
            let mut doubtful = block.high(&DOUBTFUL) & before(stops);
            while doubtful != 0 {
                count(1);
                if !self.passes(at + doubtful.trailing_zeros() as usize) {
                    stops |= doubtful & doubtful.wrapping_neg();
                    break;
                }
                doubtful &= doubtful - 1;
            }
            let firm = before(stops) & !block.ascii(&sets.soft);
            if firm != 0 {
                safe = at + BLOCK - firm.leading_zeros() as usize;
            }
            if stops != 0 {
                at += stops.trailing_zeros() as usize;
                break;
            }
            at += BLOCK;
        }
        count(at - from);
        (at, safe)
    }
}

impl Stretch<'_> {
    /// Tells whether the character at an offset belongs to every link.
    #[inline]
    fn passes(&self, at: usize) -> bool {
        let c = self.text.get(at..).and_then(|rest| rest.chars().next());
        c.is_some_and(|c| self.ends.passes(c))
    }

    /// [`Stretch`] without masks: reads character by character.
    fn walk(&self) -> (usize, usize) {
        let Self { text, from, sets, ends } = *self;
        let (mut at, mut safe) = (from, from);
        for c in slice::text(text, from..).chars() {
            let is_soft = match u8::try_from(c) {
                Ok(byte) if byte.is_ascii() && !sets.stops.contains(byte) => {
                    sets.soft.contains(byte)
                }
                _ if ends.passes(c) => false,
                _ => break,
            };
            at += c.len_utf8();
            safe = if is_soft { safe } else { at };
        }
        count(at - from);
        (at, safe)
    }
}

/// Returns the bits below the lowest bit of a mask; all bits if the mask is 0.
const fn before(mask: u64) -> u64 {
    mask.wrapping_sub(1) & !mask
}
