//! The references of running text that may hold a secret.
//!
//! Here: where such a reference begins and ends. Not here: links in general, whose ends depend on more than that
//! (`simd-iri-text`). A secret is redacted to the end of its word, even if no link goes so far.

/*
A word ends at white space, at a control, at one of `"<>` and a backtick, and at punctuation of Chinese and Japanese.
An escape of JSON for one of these ends a value and a password that was cut, and the reference with it: `\n`, `\u003c`.
Several references in one word begin with a scheme after a bracket, a comma, an apostrophe or the like. Punctuation at
the end of a reference is not part of it.

    [x](https://a/?sig=b),https://c/?sig=d.
        ^^^^^^^^^^^^^^^^  ^^^^^^^^^^^^^^^^

Only a reference with a sign of a secret (`signs`) may hold a secret. So the search begins at such a sign. A reference
does not end before it, because no sign is punctuation.

Invariant: where a reference begins and ends does not depend on the text of its secrets. So a redacted text has the same
references.
*/

use core::ops::Range;

use super::Redact;
use super::authority::{
    ENDS, Reach, after_scheme, ends_word, is_end, is_leading, is_trailing, scheme_start,
};
use super::signs::Signs;
use simd_iri::low::slice;

/// Returns the first reference at or after `from` that may hold a secret. Each byte is seen a few times, however many
/// references there are: `from` is the end of the last reference.
pub(super) fn next(text: &[u8], from: usize, rules: &Redact<'_>) -> Option<Range<usize>> {
    let hit = from + Signs::first(slice::bytes(text, from..), rules)?;
    let mut start = reference_start(text, from, hit);
    // The sign may be the colon of a scheme, and then an authority comes.
    let until = after_scheme(text, hit).and_then(|at| match Reach::of(text, at) {
        Reach::Until(end) => Some(end),
        Reach::Usual | Reach::Cut => None,
    });
    let from = until.unwrap_or(hit);
    let mut end = from;
    while end < text.len() && !ends_word(slice::bytes(text, end..)) {
        let begin = scheme_start(text, end).filter(|begin| *begin > from);
        if let Some(begin) = begin {
            end = begin;
            break;
        }
        end += 1;
    }
    // A replacement may begin with punctuation, and is a part of the reference.
    let replacement = rules.replacement.as_bytes();
    while start < hit
        && text.get(start).is_some_and(|byte| is_leading(*byte))
        && !slice::bytes(text, start..).starts_with(replacement)
    {
        start += 1;
    }
    let reference = slice::bytes(text, start..end);
    let trailing = reference.iter().rev().take_while(|byte| is_trailing(**byte)).count();
    let length = reference.len() - trailing;
    Some(start..start + replaced_end(reference, length, replacement).unwrap_or(length))
}

/// Returns where the reference begins that has a sign at `hit`, at or after `from`.
fn reference_start(text: &[u8], from: usize, hit: usize) -> usize {
    if let Some(begin) = scheme_start(text, hit).filter(|begin| *begin >= from) {
        return begin;
    }
    let mut start = hit;
    while start > from && !ends_word_before(slice::bytes(text, ..start)) {
        start -= 1;
        let begin = scheme_start(text, start).filter(|begin| *begin >= from);
        if let Some(begin) = begin {
            return begin;
        }
    }
    start
}

/// Returns the end of a replacement that begins at `length` or ends after it. A replacement may end with punctuation,
/// and is a part of the reference.
fn replaced_end(reference: &[u8], length: usize, replacement: &[u8]) -> Option<usize> {
    let mut starts = length.saturating_sub(replacement.len())..=length;
    let start = starts.find(|start| slice::bytes(reference, *start..).starts_with(replacement))?;
    Some(start + replacement.len()).filter(|end| *end > length)
}

/// Tells whether the byte or the character at the end of a text ends a word.
fn ends_word_before(text: &[u8]) -> bool {
    match text {
        [.., byte] if byte.is_ascii() => is_end(*byte),
        [.., 0xE3 | 0xEF, _, _] => ENDS.iter().any(|end| text.ends_with(end.as_bytes())),
        _ => false,
    }
}
