//! The characters for which masks cannot decide whether they are of `ucschar`.
//!
//! Not here: the use of the answers (`masked`, and `cursors` of the batches), and the automaton that is asked about
//! each of these characters (`dfa`).
#![forbid(unsafe_code)]

/*
Most characters outside ASCII are told by their first byte. Eight first bytes (`LEADS`) begin characters of
`ucschar` and others, among them the first bytes of U+00A0 to U+00BF, of fullwidth forms and of emoji. For
three of the eight, the second or the third byte tells nearly all characters of `ucschar`. Only the others
are asked of the automaton, one by one:

    text                       C2 A0   C2 85   F0 9F 98 80   F0 9F BF BE
    LEADS                      1       1       1             1
    C2, and next not 80 to 9F  1
    F0, and third not BF                       1
    asked one by one                   1                     1               U+0085 and U+1FFFE

The tables are read off the automaton of `ucschar` by `codegen`.

Invariants
- A byte of `LEADS` that `refined` leaves out begins a character of `ucschar`, if the text is UTF-8.
- Nothing is carried from block to block: the bytes after a block are read where they lie (`After`).
*/

use crate::scan::{BLOCK, Block, Simd};
use crate::tables::{HighSet, LEADS_REFINED};

/// A block with the bytes after it. It is not a closure, for the same reason as `Query`.
pub(crate) trait After: Copy {
    /// The bytes of the block after which, `count` bytes on, there is a member of `set`. `count` is 1 or 2.
    fn high(self, set: &HighSet, count: usize) -> u64;
}

/// A block with which the text ends.
#[derive(Clone, Copy)]
pub(super) struct End<B>(pub(super) B);

impl<B: Block> After for End<B> {
    #[inline(always)]
    fn high(self, set: &HighSet, count: usize) -> u64 {
        self.0.high(set) >> count
    }
}

/// A block, and the next one.
#[derive(Clone, Copy)]
pub(super) struct Pair<B>(pub(super) B, pub(super) B);

impl<B: Block> After for Pair<B> {
    #[inline(always)]
    fn high(self, set: &HighSet, count: usize) -> u64 {
        self.0.high(set) >> count | self.1.high(set) << (BLOCK - count)
    }
}

/// The block at an offset of a text in memory.
#[derive(Clone, Copy)]
pub(crate) struct At<'a, S> {
    pub(crate) simd: S,
    pub(crate) text: &'a [u8],
    pub(crate) at: usize,
}

impl<S: Simd> After for At<'_, S> {
    #[inline(always)]
    fn high(self, set: &HighSet, count: usize) -> u64 {
        self.simd.load(self.text, self.at + count).high(set)
    }
}

/// Returns those of `leads`, the members of `LEADS` in `block`, for which the masks cannot decide that the character
/// is of `ucschar`.
#[inline(always)]
pub(crate) fn refined<B: Block>(block: B, leads: u64, after: impl After) -> u64 {
    // Written out, because a closure or a loop would examine each set at run time.
    let [one, two, three] = &LEADS_REFINED;
    let told = told(block, one, after) | told(block, two, after) | told(block, three, after);
    leads & !told
}

/// Returns the bytes that begin a character of `ucschar`, by one entry of `LEADS_REFINED`.
#[inline(always)]
fn told<B: Block>(block: B, entry: &(HighSet, usize, HighSet), after: impl After) -> u64 {
    let (lead, count, refused) = entry;
    block.high(lead) & !after.high(refused, *count)
}
