//! Replaces a span of a text by other texts.

use alloc::string::String;
use core::ops::Range;

/// Replaces a span of `text`, which ends on character boundaries, by pieces, one after the other. Allocates at most
/// once: if `text` has no room for the result.
///
/// PERF: the text after the span moves once. `String::drain` and an `insert_str` for each piece move it for each piece.
pub(crate) fn splice(text: &mut String, span: Range<usize>, pieces: &[&str]) {
    if text.get(span.clone()).is_none() {
        debug_assert!(false, "the span lies in the text, on character boundaries");
        return;
    }
    let end = span.start + pieces.iter().map(|piece| piece.len()).sum::<usize>();
    // SAFETY: at the end, the bytes are the text before the span, the pieces and the text after the span, which are
    // whole texts. They follow each other without a gap, because the last piece ends at `end`. Before that, only
    // `resize` may panic, which then has not changed the text.
    let bytes = unsafe { text.as_mut_vec() };
    let before = bytes.len();
    if end > span.end {
        bytes.resize(before + (end - span.end), 0);
    }
    bytes.copy_within(span.end..before, end);
    bytes.truncate(before - span.end + end);
    let mut at = span.start;
    for piece in pieces {
        if let Some(place) = bytes.get_mut(at..at + piece.len()) {
            place.copy_from_slice(piece.as_bytes());
        }
        at += piece.len();
    }
}
