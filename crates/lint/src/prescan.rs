//! A prescan of a reference: finds in one pass of masks which checks can have a finding. Most references do not need a
//! check.

/*
# The algorithm

Most fields of a prescan are collected as masks over all blocks of 64 bytes. A field is true if its mask has a bit in
some block. Bit *i* of a mask is byte *i* of the block.

A label of the host begins at the first byte of the host, or after a dot. Shifts find these bytes:

    host           1  0  .  .  a  -  -
    label_ends           1  1             the dots
    labels         1        1  1          the first byte, and the byte after each dot
    empty_label             1             a dot where a label begins
    number         1                      a digit where a label begins
    hyphen                        1  1
    hyphens                          1    a hyphen after a hyphen

The triplet of a dot is `%2E` or `%2e`. `second` moves the mask of `2` back by one byte, and `third` moves the mask of
`E` and `e` back by two bytes. The bits of all three bytes then meet at the percent sign:

    text           a  %  2  E  b
    triplets          1
    second            1
    third             1
    encoded_dot       1

# Invariants

- A prescan may say "perhaps"; it never says a wrong "no". A percent sign in the last two bytes of a block counts as an
  encoded dot, because a digit of its triplet is in the next block.
- The shifts of `labels` and `hyphens` do not cross blocks. So a host that ends after the first block sets `number`,
  and a reference with `number` is never quiet.
- `asks_facts` is false only in `EVERYTHING`. So `EVERYTHING` never equals `NOTHING`, and all checks run.
*/

use super::rules::scheme::LONGEST_SECOND;
use super::rules::spoof::WELL_KNOWN;
use simd_iri::low::{
    AsciiSet, BLOCK, Block, Cpu, DIGIT, DOMAIN_NAME, Job, LONGEST_LABEL, SegmentDots, UPPER,
    before, below, names, scheme_and_host, slice,
};
use simd_iri::{Parts, parser::CpuLevel};

/// The percent sign.
const PERCENT: AsciiSet = AsciiSet::just(b'%');

/// The parts that a reference may have. If a field is false, the reference certainly does not have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LintPrescan {
    /// A character outside ASCII.
    pub(super) non_ascii: bool,
    /// A percent sign.
    pub(super) percent: bool,
    /// A dot that is written as a triplet.
    pub(super) encoded_dot: bool,
    /// An upper-case letter in scheme or host.
    pub(super) case: bool,
    /// A byte of a registered name (`ireg-name`) that a domain name cannot hold.
    pub(super) host: bool,
    /// An empty label in the host, except an empty last label.
    empty_label: bool,
    /// A dot after a slash, or at the start of the path.
    pub(super) dots: bool,
    /// A label of the host that begins with a digit, as in an IPv4 address; or an IP literal.
    number: bool,
    /// Two hyphens together in the host, as in `xn--`.
    hyphens: bool,
    /// Whether the checks of characters run only if the facts of the text allow a finding (`facts`).
    pub(super) asks_facts: bool,
}

/// The second digit of the triplet of a dot.
const DOT_DIGIT: AsciiSet = AsciiSet::of(b"Ee");

/// Everything is possible: every check must run.
#[cfg(any(debug_assertions, test))]
pub(super) const EVERYTHING: LintPrescan = LintPrescan {
    non_ascii: true,
    percent: true,
    encoded_dot: true,
    case: true,
    host: true,
    empty_label: true,
    dots: true,
    number: true,
    hyphens: true,
    asks_facts: false,
};

/// The reference has none of these parts.
const NOTHING: LintPrescan = LintPrescan {
    non_ascii: false,
    percent: false,
    encoded_dot: false,
    case: false,
    host: false,
    empty_label: false,
    dots: false,
    number: false,
    hyphens: false,
    asks_facts: true,
};

impl LintPrescan {
    /// Prescans a reference. One pass.
    #[inline]
    pub(super) fn at(level: CpuLevel, text: &[u8], parts: &Parts) -> Self {
        level.run_wide(LintPrescanJob { text, parts })
    }

    /// Tells whether certainly no check has a finding. It recognises the most common references: a web page with a
    /// path, or a file, without user information and without a reserved port.
    ///
    /// The checks take four to eight times as long as a parse to find nothing, and this function less time than a parse
    /// (in benches: cargo run --release --bin lint).
    #[inline]
    pub(super) fn is_quiet(self, text: &[u8], parts: &Parts) -> bool {
        !(self.percent || self.non_ascii) && self.is_quiet_besides(text, parts)
    }

    /// Tells whether certainly no check has a finding, except the checks of triplets and of characters outside ASCII.
    /// If it is true, the host has neither triplets nor characters outside ASCII, because `host` is false.
    #[inline]
    pub(super) fn is_quiet_besides(self, text: &[u8], parts: &Parts) -> bool {
        let [scheme_end, authority, host, host_end, path, path_end, query_end, _] = parts.places();
        let has_host_first = authority > scheme_end + 1 && authority == host;
        let rest = Self { percent: false, encoded_dot: false, non_ascii: false, ..self };
        if rest != NOTHING || !has_host_first || path == path_end {
            return false;
        }
        let name = slice::bytes(text, host..host_end);
        if names::is_local(name.strip_suffix(b".").unwrap_or(name)) {
            return false;
        }
        let has_port = host_end != path;
        let is_high = |digits: &[u8]| {
            let port = core::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
            port.is_some_and(|port: u16| port > WELL_KNOWN)
        };
        match text.get(..scheme_end) {
            Some(b"http" | b"https") => {
                // A short name before two slashes may be another scheme, without its colon.
                let is_short = host_end - host <= LONGEST_SECOND;
                !(is_short && text.get(path + 1) == Some(&b'/'))
                    && (1..=LONGEST_LABEL).contains(&(host_end - host))
                    && (!has_port || text.get(host_end + 1..path).is_some_and(is_high))
            }
            Some(b"file") => {
                // A colon after the first letters of the path may end another scheme. After one letter, it is that of a
                // drive.
                let end = path_end.min(path + 2 + LONGEST_SECOND);
                let letters = text.get(path + 3..end).unwrap_or_default();
                !has_port
                    && path_end == query_end
                    && text.get(path + 1) != Some(&b'/')
                    && !letters.contains(&b':')
            }
            _ => false,
        }
    }
}

/// [`LintPrescan::at`] as a job.
struct LintPrescanJob<'a> {
    text: &'a [u8],
    parts: &'a Parts,
}

impl Job for LintPrescanJob<'_> {
    type Output = LintPrescan;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> LintPrescan {
        let Self { text, parts } = self;
        let [scheme_end, _, host, host_end, path, ..] = parts.places();
        let (mut non_ascii, mut percent, mut encoded_dot) = (0, 0, 0);
        let (mut case, mut odd, mut hyphens) = (0, 0, 0);
        let is_name = text.get(host) != Some(&b'[');
        // The shifts below do not cross blocks, so the checks read a host that ends after the first block.
        let mut number = u64::from(host_end > BLOCK || !is_name);
        let mut empty_label = 0;
        let mut dots = SegmentDots::default();
        let mut at = 0;
        while at < text.len() {
            let block = simd.load(text, at);
            // Scheme and host are in the first block of most references.
            if at < host_end.max(scheme_end) {
                let in_host = before(at, host_end) & !before(at, host);
                case |= block.ascii(&UPPER) & scheme_and_host(at, [scheme_end, host, host_end]);
                odd |= if is_name { !block.ascii(&DOMAIN_NAME) & in_host } else { 0 };
                let first = in_host & !(in_host << 1);
                let label_ends = block.ascii(&AsciiSet::just(b'.')) & in_host;
                let labels = label_ends << 1 | first;
                empty_label |= label_ends & labels;
                number |= block.ascii(&DIGIT) & labels & in_host;
                let hyphen = block.ascii(&AsciiSet::just(b'-')) & in_host;
                hyphens |= hyphen & hyphen << 1;
            }
            dots.read(block);
            let triplets = block.ascii(&PERCENT);
            if triplets != 0 {
                let second = block.ascii(&AsciiSet::just(b'2')) >> 1;
                let third = block.ascii(&DOT_DIGIT) >> 2;
                // A triplet that ends in the next block may stand for a dot.
                encoded_dot |= triplets & (second & third | !below(BLOCK - 2));
            }
            percent |= triplets;
            non_ascii |= block.non_ascii();
            at += BLOCK;
        }
        LintPrescan {
            non_ascii: non_ascii != 0,
            percent: percent != 0,
            encoded_dot: encoded_dot != 0,
            case: case != 0,
            host: odd != 0,
            empty_label: empty_label != 0,
            dots: dots.is_any() || text.get(path) == Some(&b'.'),
            number: number != 0,
            hyphens: hyphens != 0,
            asks_facts: true,
        }
    }
}
