//! Replaces a span of a text by other texts.

use alloc::string::String;
use core::ops::Range;
use core::ptr;

/// Replaces a span of `text`, which ends on character boundaries, by pieces, one after the other. Allocates at most
/// once: if `text` has no room for the result. The length of the result fits into a `usize`.
///
/// The text after the span moves once. Measured: `docs/performance/notes.md`, "Edits".
#[inline]
pub(crate) fn splice(text: &mut String, span: Range<usize>, pieces: &[&str]) {
    let end = span.start as u64 + pieces.iter().map(|piece| piece.len() as u64).sum::<u64>();
    let (Some(_), Ok(end)) = (text.get(span.clone()), usize::try_from(end)) else {
        debug_assert!(false, "the span is a part of the text, and the result is not too long");
        return;
    };
    if end > span.end {
        text.reserve(end - span.end);
    }
    let after = text.len() - span.end;
    // SAFETY: `get` found that the span lies in the text. There is room for the text before the span, the pieces and the
    // text after the span. At the end, they follow each other without a gap, because the last piece ends at `end`, and
    // they are whole texts. Until then, nothing panics. A piece is not a part of `text`, which is borrowed mutably.
    unsafe {
        let bytes = text.as_mut_vec();
        let start = bytes.as_mut_ptr();
        if after > 0 {
            ptr::copy(start.add(span.end), start.add(end), after);
        }
        let mut at = start.add(span.start);
        for piece in pieces {
            ptr::copy_nonoverlapping(piece.as_ptr(), at, piece.len());
            at = at.add(piece.len());
        }
        bytes.set_len(end + after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splice_does_what_replace_range_does() {
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        let letters = ["", "a", "é", "日本", "0123456789abcdef"];
        let [mut grown, mut shrunk] = [0; 2];
        for _ in 0..20_000 {
            let mut text =
                |pieces: usize| (0..pieces).map(|_| letters[random(5)]).collect::<String>();
            let (before, replaced, after) = (text(6), text(3), text(6));
            let pieces = [text(1), text(2), text(1)];
            let mut given = String::with_capacity(random(300));
            given.push_str(&[before.as_str(), &replaced, &after].concat());
            let span = before.len()..before.len() + replaced.len();
            let mut expected = given.clone();
            expected.replace_range(span.clone(), &pieces.concat());
            grown += usize::from(expected.len() > given.len());
            shrunk += usize::from(expected.len() < given.len());
            splice(&mut given, span, &pieces.each_ref().map(|piece| piece.as_str()));
            assert_eq!(given, expected);
        }
        assert!(grown > 1000 && shrunk > 1000, "{grown} {shrunk}");
    }
}
