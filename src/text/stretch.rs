//! How far a link goes on without anything that needs a thought: a scan over blocks of 64 bytes.
//!
//! Not here: what is done where it stops (`ends`).

use super::Markup;
use super::link_tables::{Term, ascii_of, leads_but_letters};
use crate::scan::{BLOCK, Block, Job, Simd, below};
use crate::tables::{AsciiSet, HighSet};

/// Where a stretch stops, and what in it is part of a link only if something follows.
pub(super) struct Sets {
    stops: AsciiSet,
    soft: AsciiSet,
}

/// ASCII that no IRI holds (RFC 3987, section 3.1).
pub(super) const EXCLUDED: &[u8] = b"<>\"{}|\\^`";

const STOPS: &[Term] = &[Term::Hard, Term::Open, Term::Close];
const SOFT: AsciiSet = AsciiSet::of(&ascii_of(&[Term::Soft], b""));

/// The bytes with which characters begin that may need a thought. Of Cyrillic and of Han there are none.
const THOUGHT: HighSet = HighSet::of(&leads_but_letters());

/// Tells whether a stretch may begin with a byte.
pub(super) const fn goes_on(byte: u8) -> bool {
    !THOUGHT.contains(byte)
}

impl Sets {
    /// Those of a context; `strict` if what no IRI holds ends a link in plain text too.
    pub(super) const fn of(markup: Markup, strict: bool) -> &'static Self {
        match markup {
            Markup::Html => &Self::HTML,
            Markup::Markdown => &Self::MARKDOWN,
            Markup::Plain if !strict => &Self::PLAIN,
            Markup::Plain | Markup::Log => &Self::STRICT,
        }
    }

    /// Tells whether a byte of ASCII belongs to the link whatever follows.
    pub(super) fn pass(&self, byte: u8) -> bool {
        !self.stops.contains(byte) && !self.soft.contains(byte)
    }

    /// Plain text.
    const PLAIN: Self = Self { stops: AsciiSet::of(&ascii_of(STOPS, b"")), soft: SOFT };

    /// What no IRI holds stops it, and what may close a quotation.
    const STRICT: Self = Self { stops: AsciiSet::of(&ascii_of(STOPS, b"\"'`|\\^")), soft: SOFT };

    /// In Markdown emphasis may close too.
    const MARKDOWN: Self =
        Self { soft: AsciiSet::of(&ascii_of(&[Term::Soft], b"*_~")), ..Self::STRICT };

    /// In HTML characters may be referred to.
    const HTML: Self = Self { stops: AsciiSet::of(&ascii_of(STOPS, b"\"'`|\\^&")), soft: SOFT };
}

/// The stretch that begins at `from`.
pub(super) struct Stretch<'a> {
    pub(super) text: &'a [u8],
    pub(super) from: usize,
    pub(super) sets: &'a Sets,
}

impl Job for Stretch<'_> {
    /// Where it stops, which is between characters, and where the last of it ends that
    /// belongs to the link whatever follows.
    type Output = (usize, usize);

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Simd>(self, simd: S) -> (usize, usize) {
        let Self { text, from, sets } = self;
        let (mut at, mut safe) = (from, from);
        if !S::MASKS {
            for byte in text.get(from..).unwrap_or_default() {
                if THOUGHT.contains(*byte) || sets.stops.contains(*byte) {
                    break;
                }
                at += 1;
                safe = if sets.soft.contains(*byte) { safe } else { at };
            }
            return (at, safe);
        }
        while at < text.len() {
            let block = simd.load(text, at);
            let stops = block.ascii(&sets.stops) | block.high(&THOUGHT) | !below(text.len() - at);
            // All bits below the first stop; all, if there is none.
            let before = stops.wrapping_sub(1) & !stops;
            let firm = before & !block.ascii(&sets.soft);
            if firm != 0 {
                safe = at + BLOCK - firm.leading_zeros() as usize;
            }
            if stops != 0 {
                return (at + stops.trailing_zeros() as usize, safe);
            }
            at += BLOCK;
        }
        (at, safe)
    }
}
