//! Looks for slashes and dots in a path with the masks of a block: where the last slash is, and whether there may be a
//! dot segment. Not here: dot segments themselves (`dots`).

use alloc::string::String;

use crate::scan::{BLOCK, Block, Cpu, CpuLevel, Job, PushBoth, slice};
use crate::tables::{DOT, SLASH};

/// Returns the offset, at or after `from`, of the first dot that follows a slash or begins the text. Returns the length
/// of the text if there is no such dot.
pub(crate) fn dot_after_slash(text: &[u8], from: usize) -> usize {
    CpuLevel::run_best(DotAfterSlash { from }, text, |job, text| {
        CpuLevel::best().run_wide_on(job, text)
    })
}

/// [`dot_after_slash`] as a job.
struct DotAfterSlash {
    from: usize,
}

impl Job for DotAfterSlash {
    type Output = usize;

    #[inline(always)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slashes {
    /// The offset of the last slash.
    pub(crate) last: Option<usize>,
    /// Whether a dot follows a slash or begins the path. If not, there is no dot segment.
    pub(crate) has_dot: bool,
}

/// Returns where the last slash of a path is, and whether there may be a dot segment, in one pass.
pub(crate) fn slashes(path: &[u8]) -> Slashes {
    CpuLevel::best().run_wide(InPath(path))
}

/// [`slashes`] as a job.
struct InPath<'a>(&'a [u8]);

impl Job for InPath<'_> {
    type Output = Slashes;

    #[inline(always)]
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

/// Appends two texts to `out`, one after the other. Appends nothing if the path has a dot at its start or after a
/// slash: the path is the first `path` bytes of the second text. Returns whether it did. Allocates nothing if `out` has
/// room for both texts.
///
/// One job, not two. Measured: `docs/performance/notes.md`, "Resolution".
pub(crate) fn push_dotless(first: &str, second: &str, path: usize, out: &mut String) -> bool {
    CpuLevel::run_best(PushDotless { first, path, out }, second.as_bytes(), |job, second| {
        CpuLevel::best().run_wide_on(job, second)
    })
}

/// [`push_dotless`] as a job. The second text is the text of the job, and is UTF-8.
struct PushDotless<'a> {
    first: &'a str,
    path: usize,
    out: &'a mut String,
}

impl Job for PushDotless<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, second: &[u8]) -> bool {
        let Self { first, path, out } = self;
        let path = slice::bytes(second, ..path);
        let is_dotless = DotAfterSlash { from: 0 }.run(simd, path) == path.len();
        if is_dotless {
            PushBoth { first, out }.run(simd, second);
        }
        is_dotless
    }
}

#[cfg(test)]
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
                    }
                }
            }
        }
    }

    #[test]
    fn every_kernel_looks_for_dots_in_the_path_alone() {
        for length in (0..4 * BLOCK).chain([1000, 5000]) {
            for (start, dot) in
                [(".", true), ("/.", true), ("a.", false), ("/a", false), ("", false)]
            {
                let path = format!("{start}{}", "é/b".repeat(length / 4));
                for (end, last) in [("/.", true), ("x.", false)] {
                    let path = format!("{path}{end}");
                    let second = format!("{path}?/.");
                    for level in CpuLevel::available() {
                        for room in [0, 20_000] {
                            let mut out = String::with_capacity(room);
                            let job = PushDotless { first: "é", path: path.len(), out: &mut out };
                            let pushed = level.run_on(job, second.as_bytes());
                            assert_eq!(pushed, !dot && !last, "{level:?} {second}");
                            let expected =
                                if pushed { format!("é{second}") } else { String::new() };
                            assert_eq!(out, expected, "{level:?}");
                        }
                    }
                }
            }
        }
    }
}
