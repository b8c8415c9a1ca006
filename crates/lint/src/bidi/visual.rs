//! The order in which the characters of a reference are displayed (RFC 3987, section 4.1; UAX #9).
//!
//! Not here: fonts and mirrored glyphs, which belong to the renderer, and the formatting characters around
//! a reference that give it this order (`embed`).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use unicode_bidi::{BidiInfo, Level};

use super::table::BidiTable;
use simd_iri::low::slice;
use simd_iri::{
    convert::{AsView, IntoView},
    kind::Kind,
};

/// Returns the characters in the order in which they are displayed, from left to right: the order of
/// the Unicode Bidirectional Algorithm in a left-to-right embedding, as RFC 3987, section 4.1 requires.
///
/// The result is for display and for comparing what readers see. It is not a reference. Characters such as `(` are
/// not mirrored, because the renderer mirrors glyphs. The combining marks of a right-to-left letter come before the
/// letter. Borrows the text if it is all ASCII; otherwise takes a few passes and allocations.
///
/// ```
/// use simd_iri::iri;
/// use simd_iri_lint::visual;
///
/// let iri = iri!("http://ab.אבג.ij/kl");
/// assert_eq!(visual(iri), "http://ab.גבא.ij/kl");
/// // Parts that follow one another are read from right to left together.
/// assert_eq!(visual(iri!("http://ab.אב.גד/ij")), "http://ab.דג.בא/ij");
/// ```
#[must_use]
pub fn visual<'a, K: Kind>(view: impl IntoView<'a, Kind = K>) -> Cow<'a, str> {
    let text = view.into_view().as_str();
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for (run, is_rtl) in runs(text, Level::ltr()) {
        let run = slice::text(text, run);
        if is_rtl {
            out.extend(run.chars().rev());
        } else {
            out.push_str(run);
        }
    }
    Cow::Owned(out)
}

/// Returns the byte offset in the reference of each character of [`visual`]. Sorted, they
/// are the offsets of all characters (UAX #9, rule L2).
///
/// A few passes and allocations.
///
/// ```
/// use simd_iri::iri;
/// use simd_iri_lint::{visual, visual_offsets};
///
/// let iri = iri!("a:אב/c");
/// assert_eq!(visual(iri), "a:בא/c");
/// assert_eq!(visual_offsets(iri), [0, 1, 4, 2, 6, 7]);
/// ```
#[must_use]
pub fn visual_offsets(view: impl AsView) -> Vec<usize> {
    ordered(view.as_view().as_str(), Level::ltr()).into_iter().map(|(at, _)| at).collect()
}

/// Returns the runs of a text in the order of display: the byte range of each run, and whether the run is displayed
/// backwards. Paragraphs keep their order.
pub(crate) fn runs(text: &str, base: Level) -> Vec<(Range<usize>, bool)> {
    let info = BidiInfo::new_with_data_source(&BidiTable, text, Some(base));
    let mut all = Vec::new();
    for paragraph in &info.paragraphs {
        let (levels, runs) = info.visual_runs(paragraph, paragraph.range.clone());
        all.extend(runs.into_iter().map(|run| {
            let is_rtl = levels.get(run.start).is_some_and(Level::is_rtl);
            (run, is_rtl)
        }));
    }
    all
}

/// Returns the characters of a text in the order of display, each with its byte offset in the text.
pub(crate) fn ordered(text: &str, base: Level) -> Vec<(usize, char)> {
    let mut all = Vec::new();
    for (range, is_rtl) in runs(text, base) {
        let start = range.start;
        let run = slice::text(text, range).char_indices();
        let run = run.map(|(at, c)| (start + at, c));
        if is_rtl { all.extend(run.rev()) } else { all.extend(run) }
    }
    all
}
