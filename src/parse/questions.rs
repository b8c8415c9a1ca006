//! The questions that the parser asks about a text, whatever its length and whatever the CPU.
//!
//! Not here: the answers with masks (`masked`), and without them (`walk`).

use core::ops::Range;

use crate::scan::Query;
use crate::tables::{AsciiSet, PLAIN};

/// A text seen through masks. All offsets are in bytes; "not found" is the length of the text.
pub(super) trait Questions: Copy {
    /// The first byte at or after `from` that `query` asks for. `from` is at most the length of the text.
    fn find(self, query: Query<'_>, from: usize) -> usize;

    /// [`Questions::find`] for a byte that is most likely in the first block. The answer is the same.
    #[inline(always)]
    fn find_near(self, query: Query<'_>, from: usize) -> usize {
        self.find(query, from)
    }

    /// [`Questions::find`] for a question that most texts do not need. The answer is the same.
    #[inline(always)]
    fn find_rarely(self, query: Query<'_>, from: usize) -> usize {
        self.find(query, from)
    }

    /// The members of two sets among the 64 bytes from `from` on. Bits may be missing: those of bytes after the first
    /// block, and all bits in a long text or without SIMD. `from` is at most the length of the text.
    fn members(self, one: &AsciiSet, other: &AsciiSet, from: usize) -> (u64, u64);

    /// The first wrong place in a triplet or outside ASCII, or `None` if there is none. A place is wrong if a percent
    /// sign needs a hexadecimal digit there and the digit is missing. This place may be the end of the text. The first
    /// byte of a character outside `ucschar` is wrong if `test` does not hold for its place. `test` is asked about
    /// all these bytes, and may be asked about other bytes of `LEADS`. With `ascii_only`, each byte from 0x80 up is
    /// wrong, and `test` is not asked. `query` is where `test` holds for private-use characters; `test` may be asked about
    /// them there, too.
    fn first_wrong(
        self,
        ascii_only: bool,
        query: &Range<usize>,
        test: impl Fn(usize) -> bool,
    ) -> Option<usize>;
}

/// Work on a text that is seen through masks. It is compiled once for each form of [`Questions`].
pub(super) trait Visit {
    /// The result of the work.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`.
    fn visit<M: Questions>(self, masks: M) -> Self::Output;
}

/// Tells whether `query` asks for no byte of `PLAIN`.
pub(super) const fn is_not_plain(query: Query<'_>) -> bool {
    match query {
        Query::In(set) => PLAIN.bits & set.bits == 0,
        Query::Outside(set) | Query::Foreign(set) => PLAIN.bits & !set.bits == 0,
        Query::NonAscii => true,
    }
}
