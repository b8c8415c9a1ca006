//! What there is in a reference that a check may have to say something about: a scan that says for
//! most that there is nothing.

use crate::parse::Parts;
use crate::scan::{BLOCK, Block, CpuLevel, Job, Simd, below};
use crate::tables::{AsciiSet, PERCENT};

/// What may be there. What is not set is not there, for certain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glance {
    /// A character outside ASCII.
    pub(super) non_ascii: bool,
    /// A triplet.
    pub(super) percent: bool,
    /// An upper-case letter of scheme or host.
    pub(super) case: bool,
    /// A byte of the host that no domain name holds.
    pub(super) host: bool,
    /// A dot after a slash, or at the start of the path.
    pub(super) dots: bool,
}

impl Glance {
    /// Looks at a reference. One pass.
    #[inline]
    pub(super) fn at(text: &str, parts: &Parts) -> Self {
        CpuLevel::best().run(GlanceAt { text: text.as_bytes(), parts })
    }
}

/// The scan.
struct GlanceAt<'a> {
    text: &'a [u8],
    parts: &'a Parts,
}

const UPPER: AsciiSet = AsciiSet::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ");
/// What the names of the DNS are made of, and the underscore that some of them have.
const NAME: AsciiSet =
    AsciiSet::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._");

impl Job for GlanceAt<'_> {
    type Output = Glance;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Glance {
        let Self { text, parts } = self;
        let [scheme_end, _, host, host_end, path, ..] = parts.offsets().map(|at| at as usize);
        let (mut non_ascii, mut percent) = (0, 0);
        let (mut case, mut odd) = (0, 0);
        let mut dots = u64::from(text.get(path) == Some(&b'.'));
        // The slashes of the block before.
        let mut slashes_before = 0;
        let mut at = 0;
        while at < text.len() {
            let block = simd.load(text, at);
            // Both are in the first block of most references.
            if at < host_end.max(scheme_end) {
                let before = |place: usize| below(place.saturating_sub(at));
                let in_host = before(host_end) & !before(host);
                case |= block.ascii(&UPPER) & (before(scheme_end) | in_host);
                odd |= !block.ascii(&NAME) & in_host;
            }
            let slashes = block.ascii(&AsciiSet::just(b'/'));
            let starts = slashes << 1 | slashes_before >> (BLOCK - 1);
            dots |= block.ascii(&AsciiSet::just(b'.')) & starts;
            slashes_before = slashes;
            percent |= block.ascii(&PERCENT);
            non_ascii |= block.non_ascii();
            at += BLOCK;
        }
        Glance {
            non_ascii: non_ascii != 0,
            percent: percent != 0,
            case: case != 0,
            host: odd != 0,
            dots: dots != 0,
        }
    }
}
