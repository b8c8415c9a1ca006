//! A prescan of a reference: finds in one pass of masks what may not be in normal form. Most references are in normal
//! form.
//!
//! Not here: what the callers do with the result (`rules`, `compare`).

/*
# Triplets

A triplet is in normal form if its digits are in upper case and it is not decoded. Its digits tell whether it may be
decoded:

    first digit    second digit     decoded
    4 to 7         any              perhaps: letters, `_` and `~`, but also delimiters
    2              D or E           yes: `-` and `.`
    3              0 to 9           yes: `0` to `9`
    C to F         any              perhaps, in an IRI: the first octet of a character outside ASCII, if the first
                                    digit of a triplet after it is 8 to B, as of each other octet of a character
    all others                      no

    text                  a  %  4  1  %  2  F  %  3  5
    percent                  1        1        1
    first digits                1        1        1          percent << 1
    in FIRSTS                   1                            `%41` may be decoded
    first digits of PAIRS                1        1          2 and 3
    second digits of PAIRS                           1       `%35` is decoded, and `%2F` is not

So an IRI with octets of a legacy charset, such as `caf%E9`, is found to be in normal form.
*/

use alloc::string::String;

use crate::parse::Parts;
use crate::scan::{AT_ONCE, BLOCK, Block, Cpu, CpuLevel, Job, LOWER_DIGITS, UPPER, push_ascii};
use crate::tables::{AsciiSet, DIGIT, DOT, END, PERCENT};
use crate::transform::bidi_controls::is_bidi_control;
use crate::transform::dots::has_dot_segment;
use crate::transform::prescan::{SegmentDots, scheme_and_host};
use crate::transform::triplets::BIDI_CONTROL_PAIRS;

/// The result of the prescan: what may have to change. If `bytes`, `dots` and `controls` are false, nothing has to
/// change.
#[derive(Clone, Copy)]
pub(crate) struct Prescan {
    /// There is an upper-case letter in the scheme or in the host, a lower-case digit in a triplet, or a triplet that
    /// may be decoded.
    bytes: bool,
    /// A segment begins with a dot, the path begins with a slash, and the reference has a scheme or does not need a
    /// scheme. Not all segments are read if `bytes` is true.
    dots: bool,
    /// In an IRI: the first two bytes of a bidi formatting character follow each other.
    controls: bool,
    /// There is no byte outside ASCII.
    ascii: bool,
}

impl Prescan {
    /// Scans a reference. With `is_iri`, triplets of characters outside ASCII may be decoded. One pass.
    pub(crate) fn of(text: &str, parts: &Parts, is_iri: bool) -> Self {
        CpuLevel::run_avx512(Scan { parts, is_iri }, text.as_bytes(), |_, text| {
            CpuLevel::best().run_wide(PrescanJob::<false> { text, parts, is_iri })
        })
    }

    /// The prescan of an ASCII reference in which something may have to change.
    pub(crate) const MAY_CHANGE: Self =
        Self { bytes: true, dots: true, controls: false, ascii: true };

    /// Scans a short reference, which is appended to `out` if nothing has to change.
    #[inline(always)]
    pub(crate) fn of_short(
        text: &str,
        parts: &Parts,
        is_iri: bool,
        out: Option<&mut String>,
    ) -> ShortPrescan {
        let text = text.as_bytes();
        if is_iri {
            CpuLevel::run_avx512(ShortJob::<true> { parts, out }, text, |_, _| {
                ShortPrescan::Unknown
            })
        } else {
            CpuLevel::run_avx512(ShortJob::<false> { parts, out }, text, |_, _| {
                ShortPrescan::Unknown
            })
        }
    }

    /// [`Prescan::of`] for rules that also remove dot segments without a scheme.
    pub(crate) fn with_rooted_dots(text: &str, parts: &Parts, is_iri: bool) -> Self {
        CpuLevel::best().run_wide(PrescanJob::<true> { text: text.as_bytes(), parts, is_iri })
    }

    /// Tells whether nothing has to change in this reference. `path` returns its path.
    #[inline]
    pub(crate) fn is_plain<'a>(self, text: &str, path: impl FnOnce() -> &'a str) -> bool {
        // A segment such as `.well-known` begins with a dot, and is not a dot segment.
        !(self.bytes || self.dots && has_dot_segment(path()) || self.has_controls(text))
    }

    /// Tells whether the reference is in ASCII.
    pub(crate) const fn is_ascii(self) -> bool {
        self.ascii
    }

    /// Tells whether the reference has a bidi formatting character that is not percent-encoded.
    #[inline]
    pub(crate) fn has_controls(self, text: &str) -> bool {
        // Dashes and quotation marks begin with the same two bytes as bidi formatting characters.
        self.controls && text.contains(is_bidi_control)
    }
}

/// The result of [`Prescan::of_short`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShortPrescan {
    /// The reference is in ASCII, and nothing has to change.
    Normal,
    /// The reference is in ASCII, and something may have to change.
    MayChange,
    /// The reference is not short or not in ASCII, or the CPU level does not have this job.
    Unknown,
}

/// [`Prescan::of_short`] as a job. Whether the reference is an IRI is a type parameter, so that the job fits into
/// registers.
///
/// No loop and no branch on the length, because lines change in length.
struct ShortJob<'a, const IRI: bool> {
    parts: &'a Parts,
    out: Option<&'a mut String>,
}

impl<const IRI: bool> Job for ShortJob<'_, IRI> {
    type Output = ShortPrescan;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> ShortPrescan {
        let [scheme_end, _, host, host_end, ..] = self.parts.places();
        if text.len() > AT_ONCE || host_end > BLOCK {
            return ShortPrescan::Unknown;
        }
        let blocks = [simd.load(text, 0), simd.load(text, BLOCK.min(text.len()))];
        let [first, second] = blocks;
        if first.non_ascii() | second.non_ascii() != 0 {
            return ShortPrescan::Unknown;
        }
        let upper = first.ascii(&UPPER) & scheme_and_host(0, [scheme_end, host, host_end]);
        let mut dots = SegmentDots::default();
        let dots = [dots.next(first), dots.next(second)];
        let percent = both(blocks, &PERCENT);
        if upper != 0
            || dots != [0; 2] && may_be_dot_segments(blocks, dots, text.len())
            || percent != [0; 2] && !triplets_are_normal::<_, IRI>(blocks, percent)
        {
            return ShortPrescan::MayChange;
        }
        debug_assert!(is_plain_by_blocks::<S, IRI>(simd, text, self.parts), "{text:x?}");
        let is_pushed = self.out.is_none_or(|out| push_ascii(simd, text, out));
        if is_pushed { ShortPrescan::Normal } else { ShortPrescan::Unknown }
    }
}

/// Tells whether nothing has to change in a text, by the scan of all blocks.
fn is_plain_by_blocks<S: Cpu, const IRI: bool>(simd: S, text: &[u8], parts: &Parts) -> bool {
    let scan = PrescanJob::<false> { text, parts, is_iri: IRI }.run(simd, &[]);
    core::str::from_utf8(text)
        .is_ok_and(|text| scan.is_plain(text, || text.get(parts.path()).unwrap_or_default()))
}

/// [`Prescan::of`] as a job, which begins with [`ShortJob`].
struct Scan<'a> {
    parts: &'a Parts,
    is_iri: bool,
}

impl Job for Scan<'_> {
    type Output = Prescan;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Prescan {
        let Self { parts, is_iri } = self;
        let short = if is_iri {
            ShortJob::<true> { parts, out: None }.run(simd, text)
        } else {
            ShortJob::<false> { parts, out: None }.run(simd, text)
        };
        if short == ShortPrescan::Normal {
            return Prescan { bytes: false, dots: false, controls: false, ascii: true };
        }
        simd.apart(PrescanJob::<false> { text, parts, is_iri })
    }
}

/// The members of a set in two blocks.
#[inline(always)]
fn both<B: Block>([first, second]: [B; 2], set: &AsciiSet) -> [u64; 2] {
    [first.ascii(set), second.ascii(set)]
}

/// The bits of two masks, one byte on.
#[inline(always)]
const fn next([first, second]: [u64; 2]) -> [u64; 2] {
    [first << 1, second << 1 | first >> (BLOCK - 1)]
}

/// Tells whether two masks have a bit in common with two other masks.
#[inline(always)]
const fn meet([a, b]: [u64; 2], [c, d]: [u64; 2]) -> bool {
    a & c | b & d != 0
}

/// Tells whether a dot of `dots` may begin a dot segment. Each of these dots follows a slash. It may begin a dot
/// segment if a delimiter or the end of the text follows the dot, or follows a second dot after it.
#[inline(always)]
fn may_be_dot_segments<B: Block>(blocks: [B; 2], dots: [u64; 2], length: usize) -> bool {
    let [a, b] = both(blocks, &END);
    let end = 1 << (length % BLOCK);
    let ends = if length < BLOCK { [a | end, b] } else { [a, b | end] };
    let ([c, d], [e, f]) = (next(dots), both(blocks, &DOT));
    let second_dots = [c & e, d & f];
    // If the text fills both blocks, its end is not a bit of the masks.
    let is_last = length == AT_ONCE && (dots[1] | second_dots[1]) >> (BLOCK - 1) != 0;
    meet([c, d], ends) | meet(next(second_dots), ends) | is_last
}

/// Tells whether all triplets of two blocks have upper-case digits, and none may be decoded.
#[inline(always)]
fn triplets_are_normal<B: Block, const IRI: bool>(blocks: [B; 2], percent: [u64; 2]) -> bool {
    let first_digits = next(percent);
    let second_digits = next(first_digits);
    let lower = both(blocks, &LOWER_DIGITS);
    let firsts = both(blocks, &ASCII_FIRSTS);
    if meet(first_digits, lower) | meet(second_digits, lower) | meet(first_digits, firsts) {
        return false;
    }
    let [a, b] = first_digits;
    if IRI {
        let [c, d] = both(blocks, &LEAD_FIRSTS);
        let leads = [a & c, b & d];
        if leads != [0; 2] {
            let [e, f] = both(blocks, &OTHER_FIRSTS);
            if meet(next(next(next(leads))), [a & e, b & f]) {
                return false;
            }
        }
    }
    for (first, second) in &PAIRS {
        let [c, d] = both(blocks, first);
        if meet(next([a & c, b & d]), both(blocks, second)) {
            return false;
        }
    }
    true
}

/// [`Prescan::of`] as a job. If `ROOTED`, dot segments do not need a scheme.
///
/// `ROOTED` is a type parameter, not a value. Measured: `docs/performance/notes.md`, "Normalization and mappings".
pub(crate) struct PrescanJob<'a, const ROOTED: bool> {
    pub(crate) text: &'a [u8],
    pub(crate) parts: &'a Parts,
    pub(crate) is_iri: bool,
}

/// The first digits of triplets that may stand for an unreserved ASCII character, whatever the second digit is.
const ASCII_FIRSTS: AsciiSet = AsciiSet::of(b"4567");
/// The first digits of triplets that begin a character outside ASCII.
const LEAD_FIRSTS: AsciiSet = AsciiSet::of(b"CDEFcdef");
/// The first digits of the other triplets of a character outside ASCII.
const OTHER_FIRSTS: AsciiSet = AsciiSet::of(b"89ABab");
/// The first digits of triplets that stand for an unreserved character with some second digits ([`PAIRS`]), and for a
/// space or a delimiter with other second digits.
const PAIR_FIRSTS: AsciiSet = AsciiSet::of(b"23");
/// The first and second digits of the triplets of `-` and `.`, and of the triplets of `0` to `9`.
const PAIRS: [(AsciiSet, AsciiSet); 2] =
    [(AsciiSet::just(b'2'), AsciiSet::of(b"DEde")), (AsciiSet::just(b'3'), DIGIT)];

/// Finds out, block by block, whether the first two bytes of a bidi formatting character follow each other.
#[derive(Default)]
struct Controls {
    /// The second bytes that were found, of all blocks together.
    found: u64,
    /// The first bytes at the end of the block before, for each pair of sets.
    leads_before: [u64; BIDI_CONTROL_PAIRS.len()],
}

impl Controls {
    /// Reads the next block, which has these bytes outside ASCII.
    #[inline(always)]
    fn read<B: Block>(&mut self, block: B, above: u64) {
        // A block of ASCII cannot go on with a first byte at the end of the block before: the byte after it is outside
        // ASCII.
        if above == 0 {
            return;
        }
        for ([lead, second], before) in BIDI_CONTROL_PAIRS.iter().zip(&mut self.leads_before) {
            let leads = block.high(lead);
            self.found |= (leads << 1 | *before) & block.high(second);
            *before = leads >> (BLOCK - 1);
        }
    }
}

/// Returns the upper-case letters in the scheme and in the host. `names` is where both are (`scheme_and_host`).
#[inline(always)]
fn upper<B: Block>(block: B, at: usize, names: [usize; 3]) -> u64 {
    let [_, _, host_end] = names;
    if at >= host_end {
        return 0;
    }
    let upper = block.ascii(&UPPER);
    if upper == 0 { 0 } else { upper & scheme_and_host(at, names) }
}

impl<const ROOTED: bool> Job for PrescanJob<'_, ROOTED> {
    type Output = Prescan;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> Prescan {
        let Self { text, parts, is_iri } = self;
        let [scheme_end, _, host, host_end, path, ..] = parts.places();
        let names = [scheme_end, host, host_end];
        let (mut at, mut bytes, mut non_ascii) = (0, 0, 0);
        let (mut dots, mut controls) = (SegmentDots::default(), Controls::default());
        // A loop of its own up to the first block that has a percent sign: the state that the second loop carries from
        // block to block does not fit into registers.
        while at < text.len() {
            let block = simd.load(text, at);
            let above = block.non_ascii();
            if block.ascii(&PERCENT) != 0 {
                break;
            }
            if is_iri {
                controls.read(block, above);
            }
            bytes |= upper(block, at, names);
            dots.read(block);
            non_ascii |= above;
            at += BLOCK;
        }
        // The percent signs and the first digits of leads of the block before, and the first digits of pairs at its
        // end.
        let (mut percent_before, mut leads_before, mut firsts_before) = (0, 0, [0; PAIRS.len()]);
        while at < text.len() {
            let block = simd.load(text, at);
            let above = block.non_ascii();
            non_ascii |= above;
            if is_iri {
                controls.read(block, above);
            }
            // Once something has to change, only controls and bytes outside ASCII are still searched.
            if bytes == 0 {
                bytes |= upper(block, at, names);
                dots.read(block);
                let percent = block.ascii(&PERCENT);
                if percent | percent_before != 0 {
                    let first_digits = percent << 1 | percent_before >> (BLOCK - 1);
                    let second_digits = percent << 2 | percent_before >> (BLOCK - 2);
                    bytes |= (first_digits | second_digits) & block.ascii(&LOWER_DIGITS);
                    bytes |= first_digits & block.ascii(&ASCII_FIRSTS);
                    if is_iri {
                        let leads = first_digits & block.ascii(&LEAD_FIRSTS);
                        let after = leads << 3 | leads_before >> (BLOCK - 3);
                        bytes |= after & first_digits & block.ascii(&OTHER_FIRSTS);
                        leads_before = leads;
                    }
                    let [twos, threes] = firsts_before;
                    if twos | threes | first_digits & block.ascii(&PAIR_FIRSTS) != 0 {
                        for ((first, second), before) in PAIRS.iter().zip(&mut firsts_before) {
                            let firsts = first_digits & block.ascii(first);
                            bytes |= (firsts << 1 | *before) & block.ascii(second);
                            *before = firsts >> (BLOCK - 1);
                        }
                    }
                }
                percent_before = percent;
            }
            at += BLOCK;
        }
        // Rootless paths keep their dot segments. Without `ROOTED`, relative references keep them, too.
        let is_cleaned = ROOTED || scheme_end > 0;
        let has_dots = dots.is_any() && is_cleaned && text.get(path) == Some(&b'/');
        let (bytes, controls, ascii) = (bytes != 0, controls.found != 0, non_ascii == 0);
        Prescan { bytes, dots: has_dots, controls, ascii }
    }
}
