//! The common link, seen in masks alone: a plain host after `http://` or `https://`, and nothing that needs
//! a thought up to the white space after it. The way of `detect` finds the same, step by step.

use super::hosts::NAME;
use super::stretch::{Sets, Stretch};
use crate::scan::{BLOCK, Block, Job, Simd, below};
use crate::tables::AsciiSet;

/// The link whose host begins at `host`.
pub(super) struct Common<'a> {
    pub(super) text: &'a [u8],
    pub(super) host: usize,
    pub(super) sets: &'a Sets,
}

const DOT: AsciiSet = AsciiSet::just(b'.');
const HYPHEN: AsciiSet = AsciiSet::just(b'-');

impl Job for Common<'_> {
    /// Where it ends; `None` if this is no common link.
    type Output = Option<usize>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<usize> {
        let Self { text, host, sets } = self;
        if !S::MASKS || host >= text.len() {
            return None;
        }
        let block = simd.load(text, host);
        let name = block.ascii(&NAME);
        let length = (!name).trailing_zeros() as usize;
        if length == 0 || length == BLOCK {
            return None;
        }
        let inside = below(length);
        let (dots, hyphens) = (block.ascii(&DOT) & inside, block.ascii(&HYPHEN) & inside);
        let first = dots << 1 | 1;
        let last = dots >> 1 | 1 << (length - 1);
        // An empty label, a hyphen at an end of one, or two together, as in ACE forms.
        if (first | last) & (dots | hyphens) & inside != 0 || hyphens & hyphens << 1 != 0 {
            return None;
        }
        let end = host + length;
        let is_over = |at: usize| text.get(at).is_none_or(|byte| *byte <= b' ');
        if is_over(end) {
            return Some(end);
        }
        if text.get(end) != Some(&b'/') {
            return None;
        }
        let (stop, safe) = Stretch { text, from: end, sets }.run(simd);
        is_over(stop).then_some(safe)
    }
}
