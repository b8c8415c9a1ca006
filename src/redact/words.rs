//! The references of running text that may hold a secret.
//!
//! Here: where such a reference begins and ends. Not here: links in general, whose ends depend on more than that
//! (`text::extract`). A secret is redacted to the end of its word, even if no link goes so far.

/*
A word ends at white space, at a control, at one of `"<>` and a backtick, and at punctuation of Chinese and Japanese.
Several references in one word begin with a scheme after a bracket, a comma, an apostrophe or the like. Punctuation at
the end of a reference is not part of it.

    [x](https://a/?sig=b),https://c/?sig=d.
        ^^^^^^^^^^^^^^^^  ^^^^^^^^^^^^^^^^

Only a reference with an `@`, an equals sign behind the end of a secret key, or an escape of an equals sign may hold a
secret; if references are nested, any equals sign and any triplet may. So the search begins at these bytes.

Invariant: where a reference begins and ends does not depend on the text of its secrets. So a redacted text has the same
references.
*/

use core::ops::Range;

use super::Redact;
use super::key::{Keys, escaped};
use crate::scan::{BLOCK, Block, Cpu, CpuLevel, Job, Query, find, slice};
use crate::tables::AsciiSet;

/// Returns the first reference at or after `from` that may hold a secret. Each byte is seen a few times, however many
/// references there are: `from` is the end of the last reference.
pub(super) fn next(text: &[u8], from: usize, rules: &Redact<'_>) -> Option<Range<usize>> {
    let hit = hit(text, from, rules)?;
    let mut start = hit;
    while start > from && !ends_word_before(slice::bytes(text, ..start)) {
        start -= 1;
        let begin = scheme_start(text, start).filter(|begin| *begin >= from);
        if let Some(begin) = begin {
            start = begin;
            break;
        }
    }
    let mut end = hit;
    while end < text.len() && !ends_word(slice::bytes(text, end..)) {
        let begin = scheme_start(text, end).filter(|begin| *begin > hit);
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

/// Returns the first byte at or after `from` that a reference with a secret must have. A reference does not end before
/// it, because no such byte is punctuation.
fn hit(text: &[u8], from: usize, rules: &Redact<'_>) -> Option<usize> {
    let rest = slice::bytes(text, from..);
    let Signs { key, .. } = search(rest, &Search { passes_users: false, ..Search::of(rules) });
    key.map(|hit| from + hit)
}

/// The bytes by which secrets are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Signs {
    /// Whether an `@` is before `key`, which may end user information. Always `false` if references are nested: then an
    /// `@` is `key`.
    pub(super) user: bool,
    /// The first byte that may end a secret key or begin an escape of an equals sign. If references are nested, also the
    /// first byte that a nested reference may have.
    pub(super) key: Option<usize>,
}

impl Signs {
    pub(super) const NONE: Self = Self { user: false, key: None };

    /// Returns the signs of a text.
    pub(super) fn of(text: &[u8], rules: &Redact<'_>) -> Self {
        search(text, &Search::of(rules))
    }
}

fn search(text: &[u8], wanted: &Search<'_, '_>) -> Signs {
    CpuLevel::run_best(wanted, text, |job, text| CpuLevel::best().run_wide_on(job, text))
}

/// The search for the signs of a secret, as a job.
///
/// PERF: most texts have no sign, and are read once, by masks. An equals sign counts only after what may be a secret key.
struct Search<'a, 's> {
    keys: &'a Keys<'s>,
    /// Whether references are nested.
    is_nested: bool,
    /// Whether the search goes on behind an `@`.
    passes_users: bool,
}

/// The bytes that may be a sign, without and with nested references, which may have their delimiters as triplets.
const MARKS: [AsciiSet; 2] = [AsciiSet::of(b"@=\\"), AsciiSet::of(b"@=\\%")];

impl<'a, 's> Search<'a, 's> {
    fn of(rules: &'a Redact<'s>) -> Self {
        let is_nested = rules.nested > 0;
        Self { keys: &rules.keys, is_nested, passes_users: !is_nested }
    }

    /// Tells whether the mark at an offset is the sign `key`. Sets `user` if the mark is an `@` that the search passes.
    #[inline(always)]
    fn ends_at(&self, text: &[u8], at: usize, user: &mut bool) -> bool {
        match slice::bytes(text, at..) {
            [b'@', ..] => {
                *user |= self.passes_users;
                !self.passes_users
            }
            escape @ [b'\\', ..] => matches!(escaped(escape), Some((b'=', _))),
            [b'=', ..] if !self.is_nested => self.keys.may_end(slice::bytes(text, ..at)),
            _ => true,
        }
    }
}

impl Job for &Search<'_, '_> {
    type Output = Signs;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Signs {
        let [usual, nested] = &MARKS;
        let marks = if self.is_nested { nested } else { usual };
        let (mut user, mut at) = (false, 0);
        while at < text.len() {
            if S::MASKS {
                let mut mask = simd.load(text, at).ascii(marks);
                while mask != 0 {
                    let place = at + mask.trailing_zeros() as usize;
                    if self.ends_at(text, place, &mut user) {
                        return Signs { user, key: Some(place) };
                    }
                    mask &= mask - 1;
                }
                at += BLOCK;
            } else {
                at = find(simd, text, at, Query::In(marks));
                if at < text.len() && self.ends_at(text, at, &mut user) {
                    return Signs { user, key: Some(at) };
                }
                at += 1;
            }
        }
        Signs { user, key: None }
    }
}

/// Returns the end of a replacement that begins at `length` or ends after it. A replacement may end with punctuation,
/// and is a part of the reference.
fn replaced_end(reference: &[u8], length: usize, replacement: &[u8]) -> Option<usize> {
    let mut starts = length.saturating_sub(replacement.len())..=length;
    let start = starts.find(|start| slice::bytes(reference, *start..).starts_with(replacement))?;
    Some(start + replacement.len()).filter(|end| *end > length)
}

/// Returns where the scheme begins whose colon is at `colon`, if two slashes follow and another reference may begin
/// there.
fn scheme_start(text: &[u8], colon: usize) -> Option<usize> {
    let after = slice::bytes(text, colon..);
    if !after.starts_with(b"://") && !after.starts_with(br":\/\/") {
        return None;
    }
    let before = slice::bytes(text, ..colon);
    let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let length = before.iter().rev().take_while(is_scheme).count();
    let start = colon - length;
    // These bytes are punctuation at the end of the reference before, too.
    let before = slice::bytes(text, ..start).last();
    let is_start = before.is_none_or(|byte| is_leading(*byte));
    (is_start && length > 0).then_some(start)
}

/// Tells whether the byte or the character at the start of a text ends a word.
fn ends_word(text: &[u8]) -> bool {
    match text {
        [byte, ..] if byte.is_ascii() => is_end(*byte),
        [0xE3 | 0xEF, ..] => ENDS.iter().any(|end| text.starts_with(end.as_bytes())),
        _ => false,
    }
}

/// Tells whether the byte or the character at the end of a text ends a word.
fn ends_word_before(text: &[u8]) -> bool {
    match text {
        [.., byte] if byte.is_ascii() => is_end(*byte),
        [.., 0xE3 | 0xEF, _, _] => ENDS.iter().any(|end| text.ends_with(end.as_bytes())),
        _ => false,
    }
}

/// Punctuation that ends a word although no white space follows.
const ENDS: [&str; 18] = [
    "\u{3000}", "、", "。", "〈", "〉", "《", "》", "「", "」", "『", "』", "【", "】", "！", "（",
    "）", "，", "；",
];

const fn is_end(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'"' | b'<' | b'>' | b'`' | 0x7F)
}

/// Tells whether a byte before a reference is punctuation of the text.
const fn is_leading(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b'|' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'\'' | b'*')
}

/// Tells whether a byte at the end of a reference is punctuation of the text. A backslash is there before the quote
/// that ends a string in a string.
const fn is_trailing(byte: u8) -> bool {
    matches!(
        byte,
        b'.' | b','
            | b';'
            | b':'
            | b'!'
            | b'?'
            | b'\''
            | b'('
            | b')'
            | b'['
            | b']'
            | b'{'
            | b'}'
            | b'|'
            | b'*'
            | b'\\'
    )
}

#[cfg(test)]
mod tests {
    use super::super::{Redact, SecretSet};
    use super::{CpuLevel, Search, Signs};

    /// Texts of all lengths around the ends of blocks, with a mark at each place and another behind it.
    #[test]
    fn every_kernel_finds_the_signs_that_the_scalar_kernel_finds() {
        let all = SecretSet::ALL.iter().fold(Redact::none(), |redact, set| redact.set(*set));
        let (mut keys, mut users) = (0, 0);
        for rules in [Redact::default(), all, all.nested(1)] {
            for length in (0..70).chain(125..132) {
                for (at, mark) in (0..=length).flat_map(|at| {
                    ["", "@", "=", "sig=", "page=", "\\u003d", "\\n", "%73", "é"]
                        .map(|mark| (at, mark))
                }) {
                    let mut text = "x".repeat(length);
                    text.insert_str(at, mark);
                    for text in [text.clone(), text + "&sig=@"] {
                        let mut levels = CpuLevel::available();
                        let search = Search::of(&rules);
                        let scalar =
                            levels.next().map(|level| level.run_on(&search, text.as_bytes()));
                        for level in levels {
                            let found = level.run_on(&search, text.as_bytes());
                            assert_eq!(Some(found), scalar, "{level} {text:?}");
                        }
                        assert_eq!(Some(Signs::of(text.as_bytes(), &rules)), scalar);
                        let defined = defined(&text, &rules);
                        assert_eq!(scalar, Some(defined), "{text:?}");
                        keys += usize::from(defined.key.is_some());
                        users += usize::from(defined.user);
                    }
                }
            }
        }
        assert!(keys > 10_000 && users > 100, "{keys} {users}");
    }

    /// The definition, from each byte.
    fn defined(text: &str, rules: &Redact<'_>) -> Signs {
        let is_nested = rules.nested > 0;
        let lower = |at: usize| text.get(at..).map(str::to_ascii_lowercase).unwrap_or_default();
        let is_key = |(at, byte): &(usize, u8)| match byte {
            b'@' | b'%' => is_nested,
            b'=' => is_nested || rules.keys.may_end(&text.as_bytes()[..*at]),
            b'\\' => lower(*at).starts_with("\\u003d") || lower(*at).starts_with("\\x3d"),
            _ => false,
        };
        let key = text.bytes().enumerate().find(is_key).map(|(at, _)| at);
        let before = &text.as_bytes()[..key.unwrap_or(text.len())];
        Signs { user: !is_nested && before.contains(&b'@'), key }
    }
}
