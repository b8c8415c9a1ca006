//! A prescan of a string that is already a reference: finds out whether no step of `prepare` changes it. Most
//! links of a page are references that no step changes.
//!
//! Not here: the steps (`annotated`, `encode`).
//!
//! ```text
//! a reference has no          so these steps do nothing
//!   control, space            removing and encoding of white space and controls; at the ends too
//!   \ | < > " { } ^ `         backslashes, drives with a bar, `NotAllowed`
//!   stray % [ ] #, second @   `StrayPercent`, `Bracket`, `SecondHash`, `SecondAt`
//!   first segment with `:`    `DotSegment`
//! a reference may have        so the prescan looks for
//!   &                         may begin a character reference, in HTML and XML
//!   one slash or three        after a scheme, or at the start with a base: `Slashes`, `Drive`
//!   `file:` with a port       is perhaps a drive, as in `file://c:/`
//!   no scheme                 `MissingScheme`, in typed text
//!   U+FF01 and others         `FullWidth`
//!   what wraps, is invisible  at the ends
//! ```
//!
//! An answer of `true` is certain. If an answer of `false` is wrong, the steps run and change nothing.
//! In debug builds, the steps run after each `true`, and the results are compared (`Prepare::part`).

use super::annotated::{PAIRS, is_invisible};
use super::repair::{RepairKind, Repairs};
use simd_iri::low::{AsciiSet, BLOCK, Block, CharacterReferences, Cpu, HighSet, Job, slice};
use simd_iri::{IriRef, parser::CpuLevel};

/// The settings of a preparation that concern references.
#[derive(Clone, Copy)]
pub(super) struct Settings<'s> {
    pub(super) allowed: Repairs,
    /// How character references are read, or `None` if they are text.
    pub(super) references: Option<CharacterReferences>,
    /// The scheme of the base.
    pub(super) base: Option<&'s str>,
}

impl Settings<'_> {
    /// Tells whether certainly no step changes the reference. Does not ask whether the scheme of the base is
    /// removed. One pass.
    #[inline]
    pub(super) fn is_clean(self, view: IriRef<'_>) -> bool {
        let bytes = view.as_str().as_bytes();
        if !self.has_clean_slashes(view) || !self.has_clean_ends(view.as_str()) {
            return false;
        }
        let references = self.references;
        let found = CpuLevel::best().run_wide(FindSigns { text: bytes, references });
        !(found.reference || found.wide && self.allowed.contains(RepairKind::FullWidth))
    }

    /// Tells whether no step changes the scheme, the slashes after it, or a drive.
    #[inline]
    fn has_clean_slashes(self, view: IriRef<'_>) -> bool {
        let [scheme_end, _, _, host_end, path, ..] = view.parts().places();
        let text = view.as_str().as_bytes();
        let scheme = match slice::bytes(text, ..scheme_end) {
            [] => None,
            scheme => Some(scheme),
        };
        let base = self.base.map(str::as_bytes);
        let is_file = scheme.or(base).is_some_and(|name| name.eq_ignore_ascii_case(b"file"));
        // A drive looks like a host with an empty port.
        let has_port = host_end < path;
        if scheme.is_none() {
            let has_slashes = base.is_some() && text.starts_with(b"///");
            let may_lack_scheme = self.allowed.contains(RepairKind::MissingScheme);
            return !(may_lack_scheme || is_file && has_port || has_slashes);
        }
        let has_authority = match slice::bytes(text, scheme_end + 1..) {
            [b'/', b'/', b'/', ..] if !is_file => return false,
            [b'/', b'/', ..] => true,
            [b'/', ..] => return false,
            _ => false,
        };
        if is_file {
            return has_authority && !has_port;
        }
        // `a.example:80` has a scheme, and is a host and a port in typed text.
        has_authority || !self.allowed.contains(RepairKind::MissingScheme)
    }

    /// Tells whether nothing is removed at the ends.
    #[inline]
    fn has_clean_ends(self, text: &str) -> bool {
        let mut chars = text.chars();
        let (Some(first), last) = (chars.next(), chars.next_back()) else { return true };
        if is_invisible(first) || last.is_some_and(is_invisible) {
            return false;
        }
        !self.allowed.contains(RepairKind::Wrapper)
            || PAIRS.iter().all(|(start, _)| *start != first)
                && !text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("url:"))
    }
}

/// The signs that a step may change a text. If a field is false, the text certainly does not have that sign.
#[derive(Clone, Copy)]
struct ChangeSigns {
    /// A character reference, or an error in a character reference.
    reference: bool,
    /// A character from U+3000 to U+303F or from U+FF00 to U+FF7F: full-width ASCII and the ideographic full
    /// stop are among them.
    wide: bool,
}

/// A job that reads a text once.
struct FindSigns<'a> {
    text: &'a [u8],
    references: Option<CharacterReferences>,
}

const AMPERSAND: AsciiSet = AsciiSet::just(b'&');
/// The first and second bytes of characters that may become ASCII.
const WIDE: [(HighSet, HighSet); 2] = [
    (HighSet::of(&[0xE3]), HighSet::of(&[0x80])),
    (HighSet::of(&[0xEF]), HighSet::of(&[0xBC, 0xBD])),
];

impl Job for FindSigns<'_> {
    type Output = ChangeSigns;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> ChangeSigns {
        let (mut reference, mut wide) = (false, 0);
        // The first bytes at the end of the block before.
        let mut before = [0; WIDE.len()];
        let mut at = 0;
        while at < self.text.len() {
            let block = simd.load(self.text, at);
            if let Some(references) = self.references {
                let mut ampersands = block.ascii(&AMPERSAND);
                while ampersands != 0 {
                    let place = at + ampersands.trailing_zeros() as usize;
                    reference |=
                        references.read_bytes(slice::bytes(self.text, place..)) != Ok(None);
                    ampersands &= ampersands - 1;
                }
            }
            if block.non_ascii() != 0 {
                for ((first, second), before) in WIDE.iter().zip(&mut before) {
                    let firsts = block.high(first);
                    wide |= (firsts << 1 | *before) & block.high(second);
                    *before = firsts >> (BLOCK - 1);
                }
            }
            at += BLOCK;
        }
        ChangeSigns { reference, wide: wide != 0 }
    }
}
