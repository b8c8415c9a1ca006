//! What of a reference is not in normal form: a scan that says for most that nothing is.
//!
//! Not here: what is done about it (`normalize`, `compare`).

use super::dots::has_dot_segment;
use crate::parse::Parts;
use crate::scan::{BLOCK, Block, CpuLevel, Job, LOWER_DIGITS, Simd, below};
use crate::tables::{AsciiSet, PERCENT};

/// What may have to change. What is not set need not, for certain.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// A letter of scheme or host.
    pub(super) case: bool,
    /// A digit of a triplet, or what begins with the percent sign at the end of the text.
    pub(super) digits: bool,
    /// A triplet that may be decoded.
    pub(super) triplets: bool,
    /// A dot at the start of a segment, after a scheme.
    pub(super) dots: bool,
}

impl Look {
    /// Looks at a reference, whose triplets stand for characters of an IRI or of a URI. One pass.
    #[inline]
    pub(super) fn at(text: &str, parts: &Parts, is_iri: bool) -> Self {
        CpuLevel::best().run(LookAt { text: text.as_bytes(), parts, is_iri })
    }

    /// Tells whether nothing is to change in a reference with this path.
    #[inline]
    pub(super) fn is_plain(self, path: &str) -> bool {
        // Names that begin with a dot are not that rare.
        !(self.case || self.digits || self.triplets || self.dots && has_dot_segment(path))
    }
}

/// [`Look::at`] as a job.
pub(super) struct LookAt<'a> {
    pub(super) text: &'a [u8],
    pub(super) parts: &'a Parts,
    pub(super) is_iri: bool,
}

const UPPER: AsciiSet = AsciiSet::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ");
/// With these a triplet begins that may stand for unreserved ASCII.
const ASCII_FIRSTS: AsciiSet = AsciiSet::of(b"234567");
/// With these one that may stand for that or for a character outside ASCII.
const FIRSTS: AsciiSet = AsciiSet::of(b"234567CDEFcdef");

impl Job for LookAt<'_> {
    type Output = Look;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Simd>(self, simd: S) -> Look {
        let Self { text, parts, is_iri } = self;
        let [scheme_end, _, host, host_end, path, ..] = parts.offsets().map(|at| at as usize);
        let firsts = if is_iri { &FIRSTS } else { &ASCII_FIRSTS };
        let (mut case, mut digits, mut triplets) = (0, 0, 0);
        // The path of a URN begins without a slash.
        let mut dots = u64::from(text.get(path) == Some(&b'.'));
        // The slashes and percent signs of the block before.
        let (mut slashes_before, mut percent_before) = (0, 0);
        let mut at = 0;
        while at < text.len() {
            let block = simd.load(text, at);
            // Both are in the first block of most references.
            if at < host_end {
                let before = |place: usize| below(place.saturating_sub(at));
                let names = before(scheme_end) | before(host_end) & !before(host);
                case |= block.ascii(&UPPER) & names;
            }
            let slashes = block.ascii(&AsciiSet::just(b'/'));
            let starts = slashes << 1 | slashes_before >> (BLOCK - 1);
            dots |= block.ascii(&AsciiSet::just(b'.')) & starts;
            let percent = block.ascii(&PERCENT);
            if percent | percent_before != 0 {
                let first_digits = percent << 1 | percent_before >> (BLOCK - 1);
                let second_digits = percent << 2 | percent_before >> (BLOCK - 2);
                digits |= (first_digits | second_digits) & block.ascii(&LOWER_DIGITS);
                triplets |= first_digits & block.ascii(firsts);
            }
            (slashes_before, percent_before) = (slashes, percent);
            at += BLOCK;
        }
        Look {
            case: case != 0,
            digits: digits != 0,
            triplets: triplets != 0,
            // Relative references keep their dot segments.
            dots: dots != 0 && scheme_end > 0,
        }
    }
}
