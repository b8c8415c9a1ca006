//! The characters for which masks cannot decide whether they are of `ucschar`.
//!
//! Not here: the use of the answers (`masked`, and `cursors` of the batches), and the automaton that is asked about
//! each of these characters (`dfa`).
#![forbid(unsafe_code)]

/*
For most characters outside ASCII, the first byte shows that they are of `ucschar`. Eight first bytes (`LEADS`) do
not: they can begin a character outside `ucschar`. Among them are the first bytes of U+00A0 to U+00BF, of fullwidth
forms and of emoji. For three of the eight, the second or the third byte shows it for nearly all characters of
`ucschar`. The automaton is asked about each of the remaining characters:

    text                       C2 A0   C2 85   F0 9F 98 80   F0 9F BF BE
    LEADS                      1       1       1             1
    C2, and next not 80 to 9F  1
    F0, and third not BF                       1
    the automaton is asked             1                     1               U+0085 and U+1FFFE

Where private-use characters are allowed, in a query, the masks decide about nearly all of them in the same way
(`LEADS_PRIVATE`). `codegen` reads the tables off the automata of `ucschar` and of `iprivate`.

Invariants
- A byte of `LEADS` that `refined` leaves out begins a character of `ucschar`, if the text is UTF-8. A byte that
  `private` returns begins a character of `iprivate`.
- Nothing is carried from block to block: `After` reads the bytes after a block.
*/

use crate::scan::{BLOCK, Block, Simd};
use crate::tables::{HighSet, LEADS_PRIVATE, LEADS_REFINED};

/// A block with the bytes after it. It is not a closure, for the same reason as `Query`.
pub(crate) trait After: Copy {
    /// Bit *i* tells whether the byte `count` bytes after byte *i* of the block is a member of `set`. `count` is 1 or
    /// 2.
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

/// A block, and the next block.
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
pub struct At<'a, S> {
    /// The family of the CPU.
    pub simd: S,
    /// The whole text.
    pub text: &'a [u8],
    /// The offset of the block.
    pub at: usize,
}

impl<S: Simd> After for At<'_, S> {
    #[inline(always)]
    fn high(self, set: &HighSet, count: usize) -> u64 {
        self.simd.load(self.text, self.at + count).high(set)
    }
}

/// Returns the bits of `leads` for which the masks cannot decide that the character is of `ucschar`. `leads` are the
/// members of `LEADS` in `block`.
#[inline(always)]
pub fn refined<B: Block>(block: B, leads: u64, after: impl After) -> u64 {
    // Written out, because a closure or a loop would examine each set at run time.
    let [one, two, three] = &LEADS_REFINED;
    let told = told(block, one, after) | told(block, two, after) | told(block, three, after);
    leads & !told
}

/// Returns the bytes of `block` for which the masks decide that the character is of `iprivate`.
#[inline(always)]
pub fn private<B: Block>(block: B, after: impl After) -> u64 {
    let [one, two, three, four] = &LEADS_PRIVATE;
    let (one, two) = (told(block, one, after), told(block, two, after));
    one | two | told(block, three, after) | told(block, four, after)
}

/// Returns the bytes that begin a character of a rule, by one entry of `LEADS_REFINED` or `LEADS_PRIVATE`.
#[inline(always)]
fn told<B: Block>(block: B, entry: &(HighSet, usize, HighSet), after: impl After) -> u64 {
    let (lead, count, refused) = entry;
    block.high(lead) & !after.high(refused, *count)
}
