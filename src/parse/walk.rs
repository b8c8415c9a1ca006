//! A text seen without masks, for CPUs without SIMD: each question walks the text byte by
//! byte up to its answer. The plain start of the text is found once, and most questions skip it.
//!
//! Not here: the parser that asks the questions (`grammar`).
#![forbid(unsafe_code)]

use core::ops::Range;

use super::questions::{Questions, is_not_plain};
use crate::scan::{Query, Simd, as_chunks, find, slice};
use crate::tables::{AsciiSet, CHECK_CLASS, HEXDIG, NON_ASCII_CLASS, PLAIN, classes};

/// A text of any length.
///
/// Invariant: all bytes before `plain` are members of `PLAIN`.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a, S> {
    simd: S,
    text: &'a [u8],
    /// The length of the plain start: all its bytes are members of `PLAIN`. Most texts are plain, and most questions
    /// ask for other bytes.
    ///
    /// Measured: `docs/performance/notes.md`, "Without SIMD".
    plain: usize,
}

impl<'a, S: Simd> Walk<'a, S> {
    /// Finds the plain start: whole words of eight bytes, or the whole text.
    #[inline(always)]
    pub(crate) fn new(simd: S, text: &'a [u8]) -> Self {
        let (chunks, _) = as_chunks(text);
        let plain = 8 * chunks.iter().take_while(|chunk| PLAIN.contains_all(chunk)).count();
        let all = plain == 8 * chunks.len()
            && text.last_chunk().is_some_and(|chunk| PLAIN.contains_all(chunk));
        Self { simd, text, plain: if all { text.len() } else { plain } }
    }

    /// The classes of the eight bytes from `at` on. Each class is a byte of the result, and the class of the first byte
    /// is the lowest byte. Past the end of the text, a class is 0.
    #[inline(always)]
    fn classes(self, at: usize) -> u64 {
        let rest = slice::bytes(self.text, at..);
        if let Some(bytes) = rest.first_chunk() {
            classes(bytes)
        } else if let Some(bytes) = self.text.last_chunk() {
            classes(bytes) >> (64 - 8 * rest.len())
        } else {
            let mut bytes = [0; 8];
            bytes.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            classes(&bytes)
        }
    }
}

/// The bit of a class in each of the eight bytes of a word.
const CHECK: u64 = u64::from_ne_bytes([CHECK_CLASS; 8]);
const NON_ASCII: u64 = u64::from_ne_bytes([NON_ASCII_CLASS; 8]);
const HEXDIG_TO_CHECK: u32 = CHECK_CLASS.trailing_zeros() - HEXDIG.class.trailing_zeros();
const _: () = assert!(NON_ASCII >> 1 == CHECK && HEXDIG.class != 0 && PLAIN.class != 0);

impl<S: Simd> Questions for Walk<'_, S> {
    #[inline(always)]
    fn find(self, query: Query<'_>, from: usize) -> usize {
        let from = if is_not_plain(query) { from.max(self.plain) } else { from };
        find(self.simd, self.text, from, query)
    }

    #[inline(always)]
    fn members(self, _: &AsciiSet, _: &AsciiSet, _: usize) -> (u64, u64) {
        (0, 0)
    }

    #[inline(always)]
    fn first_wrong(
        self,
        ascii_only: bool,
        _: &Range<usize>,
        test: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        // The steps are those of `masked`, with eight bits for each byte. `asked` has the bytes that must be digits,
        // because of a percent sign before them.
        let mut asked = 0;
        let mut at = self.plain;
        while at < self.text.len() {
            let word = self.classes(at);
            // `CHECK` is set for percent signs and for members of `LEADS`. Only the members of `LEADS` are outside
            // ASCII.
            let (check, non_ascii) = (word & CHECK, word & NON_ASCII);
            let percent = check & !(non_ascii >> 1);
            asked |= percent << 8 | percent << 16;
            let lacking = asked & !(word << HEXDIG_TO_CHECK);
            let place = |wrong: u64| Some(at + (wrong | lacking).trailing_zeros() as usize / 8);
            if ascii_only && non_ascii != 0 {
                return place(non_ascii);
            }
            let mut leads = check ^ percent;
            while leads != 0 {
                if !test(at + leads.trailing_zeros() as usize / 8) {
                    return place(leads);
                }
                leads &= leads - 1;
            }
            if lacking != 0 {
                return place(lacking);
            }
            asked = percent >> 56 | percent >> 48;
            at += 8;
        }
        // If the text ends where a word ends, the end may cut the last triplet.
        (asked != 0).then_some(self.text.len())
    }
}
