//! Characters that look like delimiters and are not: readers take `http://example.com∕a.evil.example/` for a path on
//! `example.com` (RFC 3987, section 8).
//!
//! Not here: letters that look like other letters (`scripts`).

/*
# The algorithm

There are three ways to be a look-alike. `check` uses the first; `check_name` uses all three.

    listed        the character is in `LIST`
    by mapping    UTS #46 maps the character to a text with a delimiter: U+2100 to `a/c`
    foreign       UTS #39 says that the character, or a character of the text to which UTS #46 maps it, looks like a
                  delimiter, and characters of another script are on both sides of it

A name is the host, or the domain of a mail address. It is judged as a resolver reads it: its triplets are decoded, and
its A-labels (`xn--`) are read as Unicode. Two passes find the look-alikes of a name:

    each character for which the name stands    the span is the character, or its triplets
    each character of the Unicode form          the span is the whole A-label
      of each A-label

`check` reads all components except the host. It skips the domains of mail addresses, because `check_name` reports
them. Characters and domains come in the order of the text, so the two lists are walked side by side, once.
*/

use super::components::{ComponentText, components};
use super::{meant, syntax};
use crate::code::Code;
use crate::finding::Reporter;
use crate::suggestion::Suggestion;
use simd_iri::low::{Known, Remembered, slice};
use simd_iri::{Component, IriRef};

/// The places where a look-alike is reported.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// The character is reported in every component, because no orthography needs it in a name.
    Everywhere,
    /// The character is reported in the authority. In other components, it is reported only between ASCII letters or
    /// digits, where a delimiter could stand. In other places it is ordinary punctuation.
    BesideAscii,
}
use Where::{BesideAscii, Everywhere};

/// Each look-alike, the delimiter that it looks like, and where it is reported. The list is closed. It has the symbols
/// among the confusables of UTS #39, the confusable punctuation that no script needs, the variants that normalization
/// form KC maps to a delimiter, and the full stops of UTS #46. Letters are not in the list: UTS #39 itself decides
/// about them (`is_foreign`).
const LIST: [(char, char, Where); 27] = [
    ('\u{2044}', '/', Everywhere),  // fraction slash: the same stroke
    ('\u{2215}', '/', Everywhere),  // division slash: the same stroke
    ('\u{2571}', '/', Everywhere),  // box drawings light diagonal: the same stroke
    ('\u{27CB}', '/', Everywhere),  // mathematical rising diagonal: the same stroke
    ('\u{29F8}', '/', Everywhere),  // big solidus: a longer stroke
    ('\u{2041}', '/', Everywhere),  // caret insertion point: confusable by UTS #39
    ('\u{FF0F}', '/', BesideAscii), // full-width solidus
    ('\u{02F8}', ':', Everywhere),  // modifier letter raised colon: a colon, higher
    ('\u{2236}', ':', Everywhere),  // ratio: the same dots
    ('\u{A789}', ':', Everywhere),  // modifier letter colon: the same dots
    ('\u{FE13}', ':', Everywhere),  // vertical form of the colon
    ('\u{FE55}', ':', Everywhere),  // small colon
    ('\u{FF1A}', ':', BesideAscii), // full-width colon
    ('\u{FE16}', '?', Everywhere),  // vertical form of the question mark
    ('\u{FE56}', '?', Everywhere),  // small question mark
    ('\u{FF1F}', '?', BesideAscii), // full-width question mark
    ('\u{22D5}', '#', Everywhere),  // equal and parallel to: the same four strokes
    ('\u{266F}', '#', BesideAscii), // music sharp: nearly the same four strokes, ordinary in names of keys
    ('\u{FE5F}', '#', Everywhere),  // small number sign
    ('\u{FF03}', '#', BesideAscii), // full-width number sign
    ('\u{FE6B}', '@', Everywhere),  // small commercial at
    ('\u{FF20}', '@', BesideAscii), // full-width commercial at
    ('\u{2024}', '.', Everywhere),  // one dot leader: the same dot
    ('\u{FE52}', '.', Everywhere),  // small full stop
    ('\u{3002}', '.', BesideAscii), // ideographic full stop: a dot to UTS #46
    ('\u{FF0E}', '.', BesideAscii), // full-width full stop: a dot to UTS #46
    ('\u{FF61}', '.', BesideAscii), // half-width ideographic full stop: a dot to UTS #46
];

/// The delimiters that a character can look like.
const DELIMITERS: &[char] = &['/', ':', '?', '#', '@', '.'];

/// Returns the entry of a character in the list.
fn entry(c: char) -> Option<(char, Where)> {
    if c.is_ascii() {
        return None;
    }
    let found = LIST.iter().find(|(listed, ..)| *listed == c);
    found.map(|(_, delimiter, place)| (*delimiter, *place))
}

/// Tells whether a character is on the list.
pub(crate) fn is_listed(c: char) -> bool {
    entry(c).is_some()
}

/// Returns the delimiter that a character looks like, wherever the character stands.
pub(crate) fn delimiter(c: char) -> Option<char> {
    let listed = entry(c).map(|(delimiter, _)| delimiter);
    listed.or_else(|| by_mapping(c)).or_else(|| by_prototype(c))
}

/// Returns the delimiter that a letter looks like by UTS #39.
fn by_prototype(c: char) -> Option<char> {
    super::skeleton::prototype(c).filter(|prototype| DELIMITERS.contains(prototype))
}

/// Returns the delimiter in the text to which UTS #46 maps a character outside ASCII. For example, it maps U+2100 to
/// `a/c`.
fn by_mapping(c: char) -> Option<char> {
    if c.is_ascii() {
        return None;
    }
    meant::mapped(c.encode_utf8(&mut [0; 4])).chars().find(|c| DELIMITERS.contains(c))
}

/// Reports the look-alikes of a reference with characters outside ASCII, except those in its host and in
/// the domain names of mail addresses. One pass.
pub(crate) fn check(iri: IriRef<'_>, scheme: Option<Known>, reporter: &mut Reporter<'_>) {
    let is_mailto = scheme == Some(Known::Mailto);
    let domains = is_mailto.then(|| syntax::mail_domains(iri)).into_iter().flatten();
    let mut domains = domains.map(|(_, span, _)| span).peekable();
    let others =
        |part: &ComponentText<'_>| part.component != Component::Host && !part.text.is_ascii();
    for part in components(iri, false).filter(others) {
        // The host is left out here, so user information is all of the authority that is read.
        let is_authority = part.component == Component::Userinfo;
        let mut before = None;
        for (at, c) in part.text.char_indices() {
            let rest = slice::text(part.text, at + c.len_utf8()..);
            let is_beside = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            // For example, the full-width colon is ordinary in `時：分` of a path. In `a：b`, it is reported.
            let place = entry(c).map(|(_, place)| place).filter(|place| {
                *place == Everywhere
                    || is_authority
                    || is_beside(before) && is_beside(rest.chars().next())
            });
            if let Some(place) = place {
                let span = part.start + at..part.start + at + c.len_utf8();
                // The domains that end before the character are passed. The next domain begins after the character or
                // holds it.
                while domains.next_if(|domain| domain.end <= span.start).is_some() {}
                let is_domain = domains.peek().is_some_and(|domain| domain.start <= span.start);
                if !is_domain {
                    let encode = (place == Everywhere).then_some(Suggestion::PercentEncode);
                    reporter.report(
                        Code::SpoofLookAlike,
                        part.component,
                        span,
                        encode,
                        u32::from(c),
                    );
                }
            }
            before = Some(c);
        }
    }
}

/// Reports the look-alikes in the name for which a host stands. The host begins at the byte offset `start`. Suggests
/// nothing, because the percent-encoded host would stand for the same name.
pub(crate) fn check_name(
    name: &str,
    component: Component,
    start: usize,
    reporter: &mut Reporter<'_>,
) {
    let mut report = |span: core::ops::Range<usize>, c: char| {
        let span = start + span.start..start + span.end;
        reporter.report(Code::SpoofLookAlike, component, span, None, u32::from(c));
    };
    // First pass: a triplet counts as its character, and its span has all triplets of the character.
    // A character outside ASCII waits until the next character is known.
    let (mut before, mut waiting) = (None, None);
    for (c, span) in meant::characters(name) {
        if let Some((other, place)) = waiting.take() {
            if is_in_name(before, other, Some(c)) {
                report(place, other);
            }
            before = Some(other);
        }
        if c.is_ascii() {
            before = Some(c);
        } else {
            waiting = Some((c, span));
        }
    }
    if let Some((last, place)) = waiting {
        if is_in_name(before, last, None) {
            report(place, last);
        }
    }
    // Second pass: the characters of an A-label are not in the text, so the finding has the span of the label.
    let mut at = 0;
    for label in name.split('.') {
        if meant::is_ace(label) {
            let shown = meant::mapped(label);
            let mut rest = shown.chars().peekable();
            let mut before = None;
            while let Some(c) = rest.next() {
                if !c.is_ascii() && is_in_name(before, c, rest.peek().copied()) {
                    report(at..at + label.len(), c);
                }
                before = Some(c);
            }
        }
        at += label.len() + 1;
    }
}

/// The answer of [`in_name`]: the character is a look-alike in the name of a host, whatever stands beside it.
const ALONE: u32 = 1 << 0;
/// The answer of [`in_name`]: the character is a look-alike between characters of another script.
const FOREIGN: u32 = 1 << 1;

/// Tells whether a character outside ASCII, between these neighbours, is a look-alike in the name of a host.
///
/// A host may have as many characters as a text, so the answers about characters are remembered.
fn is_in_name(before: Option<char>, c: char, after: Option<char>) -> bool {
    static FOUND: Remembered = Remembered::new(in_name);
    let found = FOUND.get(c);
    found & ALONE != 0 || found & FOREIGN != 0 && is_foreign(before, c, after)
}

/// Returns the ways in which a character outside ASCII is a look-alike in the name of a host.
fn in_name(c: char) -> u32 {
    if entry(c).is_some() || by_mapping(c).is_some() {
        ALONE
    } else if looks_like_delimiter(c) {
        FOREIGN
    } else {
        0
    }
}

/// Tells whether a character looks like a delimiter by UTS #39. Either the character itself looks like it, or a character
/// of the text to which UTS #46 maps it.
fn looks_like_delimiter(c: char) -> bool {
    by_prototype(c).is_some()
        || meant::mapped(c.encode_utf8(&mut [0; 4])).chars().any(|c| by_prototype(c).is_some())
}

/// Tells whether a character stands between characters of another script.
fn is_foreign(before: Option<char>, c: char, after: Option<char>) -> bool {
    let is_other = |neighbour| super::script::is_other_script(neighbour, c);
    before.is_some_and(is_other) && after.is_some_and(is_other)
}
