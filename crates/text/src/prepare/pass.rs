//! Passes over characters by masks, for the steps that only search.
//!
//! Not here: what the steps search (`annotated`, `encode`), and what becomes of the characters (`runs`).

/*
# The algorithm

`Units::pass_with` goes over the bytes of the input in blocks of 64. In a block, each byte is one of these:

    a member of `set`, or of a character outside ASCII    passed
    not UTF-8                                             passed: it is the three characters of a triplet
    white space                                           passed: it is no character, or one
    white space of which other blocks decide              `white` (`runs`) passes the whole run
    `&` where character references are read               passed if it is text, otherwise the end
    full-width, and becomes ASCII                         passed if the ASCII is a member of `set`, otherwise the end
    `\` and `|`                                           the end: a step may change it
    any other ASCII                                       the caller takes it and goes on, or it is the end

For example, with the set of what delimits nothing in an authority, and with the repairs of browsers:

    input        a  \t b  @  C3 c  d  /  e
    removed         1                             one character less
    ill-formed               1                    two characters more
    taken                 @           /           the caller ends at the slash, after 9 characters

# Invariants

- What is passed is exactly what `step` returns. So a place where a pass ends early costs time, and changes nothing.
- A block is asked once, whatever is in it. So the time is linear, and the dearest text costs as much as a few blocks.
*/

use super::annotated::{Units, narrow};
use super::repair::Record;
use super::runs::{AMPERSAND, Length, SPACE, Special, White, wide_firsts};
use super::source::{STEADY, first_char};
use simd_iri::low::{AsciiSet, BLOCK, Block, Characters, Cpu, Job, below, slice};
use simd_iri::{Component, parser::CpuLevel};

/// What a block asks of its kernel.
struct Masks {
    breaks: u64,
    spaces: u64,
    ampersands: u64,
    /// ASCII outside the set.
    others: u64,
    /// The bytes with which full-width ASCII begins.
    wide: u64,
    characters: Characters,
}

/// A job that computes the masks of the first block of its text.
struct FindMasks<'a>(&'a AsciiSet);

impl Job for FindMasks<'_> {
    type Output = Masks;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Masks {
        let block = simd.load(text, 0);
        let characters = Characters::of(block);
        let wide = if characters.high() == 0 { 0 } else { wide_firsts(block) };
        Masks {
            breaks: block.ascii(&AsciiSet::BREAKS),
            spaces: block.ascii(&SPACE),
            ampersands: block.ascii(&AMPERSAND),
            others: block.foreign(self.0),
            wide,
            characters,
        }
    }
}

/// Tells whether a byte is white space, an ampersand, or part of a character outside ASCII.
const fn is_for_masks(byte: u8) -> bool {
    !byte.is_ascii() || matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'&')
}

impl Units<'_> {
    /// Passes over characters that are members of `set`, as they are or after they become ASCII, over white space, over
    /// ampersands that are text, over characters outside ASCII that stay, and over bytes that are not UTF-8. Returns the
    /// number of the characters. No step may change a member of `set`.
    pub(super) fn pass(&mut self, set: &AsciiSet) -> usize {
        self.pass_with(set, |_, _| false)
    }

    /// [`pass`](Self::pass), which calls `take` with each other ASCII character that no step changes, and with the number
    /// of characters since the last call. If `take` returns true, the character is passed. Returns the number of characters
    /// since the last call.
    pub(super) fn pass_with(
        &mut self,
        set: &AsciiSet,
        mut take: impl FnMut(usize, u8) -> bool,
    ) -> usize {
        let mut count = 0;
        loop {
            let limit = self.limit();
            count += self.source.run_of(set, limit).len();
            let length = self.source.rest_until(limit).len();
            let (start, rest) = (self.source.start(), self.source.rest());
            if length == 0 || !rest.first().is_some_and(|byte| is_for_masks(*byte)) {
                return count;
            }
            let masks = CpuLevel::best().run_wide_on(FindMasks(set), rest);
            let is_cut = rest.len() > BLOCK && length >= Characters::CERTAIN;
            let usable = if is_cut { masks.characters.certain() } else { length.min(BLOCK) };
            let references = self.source.references();
            let ampersands = if references.is_some() { masks.ampersands } else { 0 };
            let White { removed, undecided, .. } = if self.annotated.is_script() {
                White::default()
            } else {
                self.white_of(masks.breaks, masks.spaces, ampersands, usable)
            };
            let white = masks.breaks | masks.spaces;
            let mut stops = masks.others & !(white | masks.ampersands) | undecided | ampersands;
            stops |= self.narrowed_other(rest, masks.wide & masks.characters.firsts(), set);
            // Each character has one of these bytes, and a byte that is not UTF-8 is two characters more.
            let bytes = !(removed | masks.characters.inner());
            let ill_formed = masks.characters.ill_formed();
            let characters = |from: usize, to: usize| {
                let here = below(to) & !below(from);
                ((bytes & here).count_ones() + 2 * (ill_formed & here).count_ones()) as usize
            };
            let (mut at, mut from) = (0, 0);
            loop {
                let stop = stops & !below(at);
                at = usable.min(stop.trailing_zeros() as usize);
                let byte = rest.get(at).copied().filter(|_| at < usable);
                let Some(byte) = byte else { break };
                if ampersands >> at & 1 == 1 {
                    let tail = slice::bytes(rest, at..);
                    if references.is_some_and(|all| all.read_bytes(tail) == Ok(None)) {
                        stops &= !(1 << at);
                        continue;
                    }
                } else if undecided >> at & 1 == 1 {
                    count += characters(from, at);
                    self.source.begin_at(start + at as u32);
                    let (sink, record) = (&mut Length(0), &mut Record::off());
                    let allowed = self.annotated.allowed;
                    match self.white(Component::Host, allowed, usize::MAX, record, sink) {
                        Special::Done(more, place) => {
                            count += more;
                            at = (place - start) as usize;
                            from = at;
                            self.source.begin_at(place);
                        }
                        Special::Step => return count,
                    }
                    if at >= usable {
                        break;
                    }
                    continue;
                } else if STEADY.contains(byte) && take(count + characters(from, at), byte) {
                    (count, from) = (0, at + 1);
                    at += 1;
                    continue;
                }
                self.source.begin_at(start + at as u32);
                return count + characters(from, at);
            }
            count += characters(from, at);
            self.source.begin_at(start + at as u32);
        }
    }

    /// Returns the first bytes, among `wide`, of the characters of a block that become ASCII outside a set.
    fn narrowed_other(&self, block: &[u8], wide: u64, set: &AsciiSet) -> u64 {
        let until = self.annotated.narrow_until.saturating_sub(self.source.start()) as usize;
        let (mut rest, mut others) = (wide & below(until), 0);
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let c = first_char(slice::bytes(block, at..)).map(narrow);
            let is_other = c.is_some_and(|c| c.is_ascii() && !set.contains(c as u8));
            others |= u64::from(is_other) << at;
        }
        others
    }
}
