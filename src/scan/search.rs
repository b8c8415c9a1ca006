//! Searches in a text for the first byte that a question asks for: block by block, or without SIMD byte by byte
//! (`words`).

use super::kernel::BLOCK;
use super::kernel::{Block, Query, Simd, as_chunks};
use super::level::{Cpu, CpuLevel, Job};
use super::words;
use crate::tables::AsciiSet;
#[cfg(feature = "alloc")]
use crate::tables::SLASH;

/// The full stop, of which dot segments consist.
#[cfg(feature = "alloc")]
pub(super) const DOT: AsciiSet = AsciiSet::just(b'.');

/// Returns the offset of the first byte of `text` at or after `from` that `query` asks for, or the length of the
/// text if there is none.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn find<S: Simd>(simd: S, text: &[u8], from: usize, query: Query<'_>) -> usize {
    if !S::MASKS {
        return words::find(text, from, query);
    }
    let mut at = from;
    while at < text.len() {
        let mask = simd.load(text, at).ask(query);
        if mask != 0 {
            return text.len().min(at + mask.trailing_zeros() as usize);
        }
        at += BLOCK;
    }
    text.len()
}

/// [`find`] as a separate function in each kernel, for a parser that asks many questions.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn find_apart<S: Cpu>(simd: S, text: &[u8], from: usize, query: Query<'_>) -> usize {
    simd.apart(Find { text, from, query })
}

/// [`find`] as a job.
struct Find<'a> {
    text: &'a [u8],
    from: usize,
    query: Query<'a>,
}

impl Job for Find<'_> {
    type Output = usize;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> usize {
        find(simd, self.text, self.from, self.query)
    }
}

/// Tells whether all bytes of `text` are ASCII.
///
/// PERF: `str::is_ascii` takes 15 to 17 ns for references of changing length, because it predicts a branch for the
/// bytes before and after its aligned words wrongly; this takes 3 ns.
pub(crate) fn is_ascii(text: &str) -> bool {
    CpuLevel::run_best(IsAscii, text.as_bytes(), |job, text| CpuLevel::best().run_on(job, text))
}

/// [`is_ascii`] as a job.
struct IsAscii;

impl Job for IsAscii {
    type Output = bool;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> bool {
        is_ascii_in(simd, text)
    }
}

/// [`is_ascii`] with a kernel.
#[cfg_attr(optimized, inline(always))]
pub(super) fn is_ascii_in<S: Simd>(simd: S, mut text: &[u8]) -> bool {
    // PERF: for a long text, one branch for four blocks.
    if S::MASKS {
        let (fours, rest) = as_chunks::<u8, { 4 * BLOCK }>(text);
        for four in fours {
            let mut above = 0;
            for at in [0, BLOCK, 2 * BLOCK, 3 * BLOCK] {
                above |= simd.load(four, at).non_ascii();
            }
            if above != 0 {
                return false;
            }
        }
        text = rest;
    }
    find(simd, text, 0, Query::NonAscii) == text.len()
}

/// Returns the offset of the first member of `set` in `text`, or the length of the text if there is none.
pub(crate) fn position(text: &[u8], set: &AsciiSet) -> usize {
    CpuLevel::best().run_wide(Position { text, set })
}

/// [`position`] as a job.
struct Position<'a> {
    text: &'a [u8],
    set: &'a AsciiSet,
}

impl Job for Position<'_> {
    type Output = usize;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> usize {
        find(simd, self.text, 0, Query::In(self.set))
    }
}

/// Returns the first offset at or after `from` at which a dot follows a slash or begins the text, or the length of the
/// text if there is none.
#[cfg(feature = "alloc")]
pub(crate) fn dot_after_slash(text: &[u8], from: usize) -> usize {
    CpuLevel::run_best(DotAfterSlash { from }, text, |job, text| {
        CpuLevel::best().run_wide_on(job, text)
    })
}

/// [`dot_after_slash`] as a job.
#[cfg(feature = "alloc")]
pub(super) struct DotAfterSlash {
    pub(super) from: usize,
}

#[cfg(feature = "alloc")]
impl Job for DotAfterSlash {
    type Output = usize;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> usize {
        let Self { from } = self;
        let is_before = |at: usize| at.checked_sub(1).is_none_or(|at| text.get(at) == Some(&b'/'));
        let mut at = from;
        if !S::MASKS {
            while at < text.len() && !(text.get(at) == Some(&b'.') && is_before(at)) {
                at += 1;
            }
            return at.min(text.len());
        }
        let mut before = u64::from(is_before(at));
        while at < text.len() {
            let block = simd.load(text, at);
            let slashes = block.ascii(&SLASH);
            let found = (slashes << 1 | before) & block.ascii(&DOT);
            if found != 0 {
                return at + found.trailing_zeros() as usize;
            }
            before = slashes >> (BLOCK - 1);
            at += BLOCK;
        }
        text.len()
    }
}

/// The result of [`slashes`] for a path.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slashes {
    /// The offset of the last slash.
    pub(crate) last: Option<usize>,
    /// A dot follows a slash, or begins the path. Otherwise there is no dot segment.
    pub(crate) has_dot: bool,
}

/// Returns where the last slash of a path is, and whether there may be a dot segment. One pass: two searches cost twice
/// as much, and `str::rfind` was a quarter of the time to resolve a reference.
#[cfg(feature = "alloc")]
pub(crate) fn slashes(path: &[u8]) -> Slashes {
    CpuLevel::best().run_wide(InPath(path))
}

/// [`slashes`] as a job.
#[cfg(feature = "alloc")]
struct InPath<'a>(&'a [u8]);

#[cfg(feature = "alloc")]
impl Job for InPath<'_> {
    type Output = Slashes;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> Slashes {
        let Self(path) = self;
        if !S::MASKS {
            let has_dot = DotAfterSlash { from: 0 }.run(simd, path) < path.len();
            return Slashes { last: memchr::memrchr(b'/', path), has_dot };
        }
        let (mut last, mut dots, mut before, mut at) = (None, 0, 1_u64, 0);
        while at < path.len() {
            let block = simd.load(path, at);
            let slashes = block.ascii(&SLASH);
            dots |= (slashes << 1 | before) & block.ascii(&DOT);
            if slashes != 0 {
                last = Some(at + BLOCK - 1 - slashes.leading_zeros() as usize);
            }
            before = slashes >> (BLOCK - 1);
            at += BLOCK;
        }
        Slashes { last, has_dot: dots != 0 }
    }
}

/// Returns the number of bytes at the start of `text` that are members of `set`.
#[cfg(feature = "alloc")]
pub(crate) fn prefix(text: &[u8], set: &AsciiSet) -> usize {
    CpuLevel::best().run_wide(Prefix { text, set })
}

/// [`prefix`] as a job.
#[cfg(feature = "alloc")]
struct Prefix<'a> {
    text: &'a [u8],
    set: &'a AsciiSet,
}

#[cfg(feature = "alloc")]
impl Job for Prefix<'_> {
    type Output = usize;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> usize {
        find(simd, self.text, 0, Query::Outside(self.set))
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;

    /// Every pattern of four kinds of bytes, at the places around the ends of blocks.
    #[test]
    fn every_kernel_finds_slashes_and_dots_as_defined() {
        let kinds = [b'/', b'.', b'a', 0xC3];
        for length in (0..24_usize).chain(30..36).chain(60..70).chain(124..132) {
            for pattern in 0..256_usize {
                for start in [0, length / 2, length.saturating_sub(4)] {
                    let mut text = vec![b'b'; length];
                    for (number, byte) in text.iter_mut().skip(start).take(4).enumerate() {
                        *byte = kinds[pattern >> (2 * number) & 3];
                    }
                    let begins = |at: usize| at == 0 || text[at - 1] == b'/';
                    let is_dot = |at: &usize| text[*at] == b'.' && begins(*at);
                    let last = text.iter().rposition(|byte| *byte == b'/');
                    let dot = (0..length).find(is_dot);
                    let expected = Slashes { last, has_dot: dot.is_some() };
                    for level in CpuLevel::available() {
                        assert_eq!(level.run_wide(InPath(&text)), expected, "{level} {text:?}");
                        let found = level.run_wide_on(DotAfterSlash { from: 0 }, &text);
                        assert_eq!(found, dot.unwrap_or(length), "{level} {text:?}");
                        assert_eq!(
                            level.run_on(IsAscii, &text),
                            text.is_ascii(),
                            "{level} {text:?}"
                        );
                        let long = [&[b'a'; 300], text.as_slice()].concat();
                        assert_eq!(
                            level.run_on(IsAscii, &long),
                            text.is_ascii(),
                            "{level} {text:?}"
                        );
                    }
                }
            }
        }
    }
}
