//! Finds the end of a name of a host in running text, and decides whether it is one.
//!
//! The crate `idna` applies UTS #46. The engine has the public suffix list, which has the top-level
//! domains. IP literals are here too. Not here: where a name begins.

use memchr::memchr;

use super::reader::{char_at, char_before, run_at};
use crate::Markup;
use crate::link_tables::{is_invisible, is_letter};
use simd_iri::low::{
    AsciiSet, DOMAIN_NAME, LABEL_DOTS, LONGEST_LABEL, is_domain, is_listed, matches_ip_literal,
    slice, to_ascii,
};

/// The length in bytes that IP literals in real text do not exceed.
const LONGEST_LITERAL: usize = 64;

/// Tells whether a character may be in a label. Whether the whole is a name is decided later: a label may
/// hold an underscore, but then the name is a link only after a scheme.
#[inline]
pub(crate) fn is_in_name(c: char) -> bool {
    is_letter(c) || c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

/// The ASCII that a label may hold.
const LABEL: AsciiSet = DOMAIN_NAME.without(&AsciiSet::just(b'.'));

/// The number of dots in an ellipsis, which is not part of a name.
const ELLIPSIS: usize = 3;

/// A run of labels and dots.
#[derive(Clone, Copy)]
pub(crate) struct LabelRun {
    pub(crate) start: usize,
    /// The offset at which the name ends: before a dot at the end of the run.
    pub(crate) name_end: usize,
    /// The offset at which the run ends.
    pub(crate) end: usize,
}

impl LabelRun {
    /// Returns the run that begins at `start`. It does not include an ellipsis, or invisible characters at its end; in
    /// Markdown, it does not include underscores at its end, which are emphasis.
    pub(crate) fn from(text: &str, start: usize, markup: Markup) -> Self {
        // The number of dots right before `at`, and the end of the label before these dots.
        let (mut at, mut dots, mut labels_end) = (start, 0, start);
        loop {
            let length = run_at(text, at, &LABEL);
            if length > 0 {
                at += length;
                (labels_end, dots) = (at, 0);
            }
            match char_at(text, at) {
                Some(c) if LABEL_DOTS.contains(&c) => {
                    dots += 1;
                    at += c.len_utf8();
                }
                Some(c) if is_in_name(c) => {
                    at += c.len_utf8();
                    (labels_end, dots) = (at, 0);
                }
                _ => break,
            }
            if dots == ELLIPSIS {
                break;
            }
        }
        let goes_on = matches!(text.as_bytes().get(at), Some(b'/' | b'?' | b'#' | b':' | b'@'));
        let (name_end, end) = match dots {
            0 => (labels_end, labels_end),
            1 => (labels_end, at),
            // An empty label makes the name invalid.
            2 if goes_on => (at, at),
            // The text after these dots does not belong to the name.
            _ => (labels_end, labels_end),
        };
        let labels = slice::text(text, start..labels_end);
        if !goes_on && labels.ends_with(is_invisible) {
            let end = start + labels.trim_end_matches(is_invisible).len();
            return Self { start, name_end: end, end };
        }
        let name = labels.trim_end_matches('_');
        if markup == Markup::Markdown && name.len() < labels.len() {
            let end = start + name.len();
            return Self { start, name_end: end, end };
        }
        Self { start, name_end, end }
    }

    /// Returns the offset at which the run before `end` begins, at or after `floor`. `belongs` tells whether a character
    /// that ends at an offset may be part of the run.
    pub(crate) fn start_of(
        text: &str,
        end: usize,
        floor: usize,
        markup: Markup,
        belongs: impl Fn(char, usize) -> bool,
    ) -> usize {
        // The number of dots right after `at`, and the start of the label after these dots.
        let (mut at, mut dots, mut start) = (end, 0, end);
        while let Some(c) =
            char_before(text, at).filter(|c| is_in_name(*c) || LABEL_DOTS.contains(c))
        {
            if at <= floor || dots >= ELLIPSIS || !belongs(c, at) {
                break;
            }
            at -= c.len_utf8();
            if LABEL_DOTS.contains(&c) {
                dots += 1;
            } else {
                (dots, start) = (0, at);
            }
        }
        let start = if dots < ELLIPSIS { at } else { start };
        let run = slice::text(text, start..end);
        let is_outside = |c| markup == Markup::Markdown && c == '_' || is_invisible(c);
        end - run.trim_start_matches(is_outside).len()
    }

    /// Returns the name, without a dot at its end.
    pub(crate) fn name<'a>(&self, text: &'a str) -> &'a str {
        slice::text(text, self.start..self.name_end)
    }
}

/// Tells whether a name is the name of a host: UTS #46 accepts its labels, no label is empty, and no label has
/// a hyphen at an end.
pub(crate) fn is_host(name: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && (label.len() <= LONGEST_LABEL || label.chars().count() <= LONGEST_LABEL)
    };
    match is_plain_host(name.as_bytes()) {
        Some(is_host) => is_host,
        None => is_plain_name(name) || name.split(LABEL_DOTS).all(is_label) && is_domain(name),
    }
}

/// [`is_host`] for a name in ASCII. Returns `None` if UTS #46 must decide: the name has characters outside
/// ASCII, or a label that looks like an A-label.
fn is_plain_host(name: &[u8]) -> Option<bool> {
    let (mut length, mut last) = (0, b'.');
    for byte in name {
        match *byte {
            b'.' if length == 0 || last == b'-' => return Some(false),
            b'.' => length = 0,
            b'-' if length == 0 => return Some(false),
            b'-' if length == 3 && last == b'-' => return None,
            0x80.. => return None,
            _ => length += 1,
        }
        if length > LONGEST_LABEL {
            return Some(false);
        }
        last = *byte;
    }
    Some(length > 0 && last != b'-')
}

/// The roles that characters have in labels by UTS #46.
mod kind {
    pub(crate) const LETTER: u8 = 1;
    /// A letter that is written from right to left.
    pub(crate) const RIGHT_TO_LEFT: u8 = 2;
    /// A character that may be in a label, but not at its start.
    pub(crate) const INNER: u8 = 4;
    /// A character that needs the full rules.
    pub(crate) const OTHER: u8 = 8;

    /// Returns the role of a character. Knows the letters that most names consist of.
    pub(crate) const fn of(c: char) -> u8 {
        match c {
            'a'..='z' | 'A'..='Z' => LETTER,
            '0'..='9' | '-' => INNER,
            // Latin letters that need no further rule; Greek, Cyrillic, Armenian.
            'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ľ' | 'Ł'..='ň' | 'Ŋ'..='ſ' => LETTER,
            'Α'..='Ρ' | 'Σ'..='Ω' | 'ά'..='ώ' => LETTER,
            'Ѐ'..='ҁ' | 'Ҋ'..='ԯ' | 'ա'..='ֆ' => LETTER,
            // Hebrew and Arabic.
            'א'..='ת' | 'ء'..='غ' | 'ف'..='ي' | 'ٹ'..='ۓ' => RIGHT_TO_LEFT,
            // Devanagari and Thai, whose vowels are combining marks.
            'ऄ'..='ह' | 'ก'..='ะ' | 'เ'..='ไ' => LETTER,
            '\u{900}'..='\u{903}' | '\u{93A}'..='\u{94D}' => INNER,
            '\u{E31}'..='\u{E32}' | '\u{E34}'..='\u{E3A}' | '\u{E47}'..='\u{E4E}' => INNER,
            // Georgian, kana, Han, Hangul.
            'ა'..='ჺ' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | 'ー' => LETTER,
            '一'..='鿼' | '가'..='힣' | '𠀀'..='𪛖' => LETTER,
            _ => OTHER,
        }
    }
}

/// The roles of the characters of alphabets.
static KINDS: [u8; 0x3400] = {
    let mut kinds = [0; 0x3400];
    let mut c = 0;
    #[expect(clippy::indexing_slicing, reason = "indices below the length")]
    while c < kinds.len() {
        kinds[c] = match char::from_u32(c as u32) {
            Some(c) => kind::of(c),
            None => kind::OTHER,
        };
        c += 1;
    }
    kinds
};

/// Tells whether a name is so plain that UTS #46 certainly accepts it. UTS #46 accepts many other names
/// too.
// PERF: text with links to hosts in other scripts: 0.1 to 0.4 GB/s
// (in benches: cargo run --release --bin extract).
fn is_plain_name(name: &str) -> bool {
    // Each character of a label becomes at most five characters of its A-label.
    const LONGEST: usize = 64;
    const LONGEST_PLAIN: usize = 10;
    // The roles in all labels, the roles in this label, and its length.
    let (mut all, mut kinds, mut length) = (0, 0_u8, 0);
    let (mut is_mixed, mut last) = (false, '.');
    for c in name.chars().chain(['.']) {
        if LABEL_DOTS.contains(&c) {
            if length == 0 || last == '-' {
                return false;
            }
            is_mixed |= kinds.count_ones() > 1;
            all |= kinds;
            (kinds, length) = (0, 0);
        } else {
            let kind = KINDS.get(c as usize).copied().unwrap_or_else(|| kind::of(c));
            let is_amiss = length == 0 && kind == kind::INNER || c == '-' && last == '-';
            length += 1;
            if is_amiss || kind == kind::OTHER || length > LONGEST_PLAIN {
                return false;
            }
            kinds |= kind;
        }
        last = c;
    }
    // If one label is written from right to left, the rules of RFC 5893 apply to all labels.
    name.len() <= LONGEST && !(all & kind::RIGHT_TO_LEFT != 0 && is_mixed)
}

/// Returns the end of the IP literal that begins at `start`, or `None` if no IP literal begins there.
pub(crate) fn ip_literal_end(text: &[u8], start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    let end = memchr(b']', rest.get(..LONGEST_LITERAL).unwrap_or(rest))? + 1;
    rest.get(..end).is_some_and(matches_ip_literal).then_some(start + end)
}

/// Tells whether a name is the name of a host with a registered top-level domain.
pub(crate) fn is_registered(name: &str) -> bool {
    let tld = name.rsplit(LABEL_DOTS).next().unwrap_or_default();
    tld.len() < name.len() && !name.contains('_') && is_tld(tld) && is_host(name)
}

/// Tells whether a label is a registered top-level domain.
pub(crate) fn is_tld(label: &str) -> bool {
    let mut lower = [0; LONGEST_LABEL];
    let Some(lower) = lower.get_mut(..label.len()) else { return false };
    lower.copy_from_slice(label.as_bytes());
    lower.make_ascii_lowercase();
    if is_listed(lower) {
        return true;
    }
    // Upper case and full-width letters, which UTS #46 maps.
    let is_mapped = |c: char| match c {
        '\u{80}'..'\u{3000}' => c.is_uppercase(),
        '\u{FF01}'..'\u{FFF0}' => true,
        _ => false,
    };
    label.contains(is_mapped) && to_ascii(label).is_some_and(|ascii| is_listed(ascii.as_bytes()))
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn plain_names_are_domains() {
        let characters = |of: u8| ('\0'..=char::MAX).filter(move |c| kind::of(*c) == of);
        let letters: Vec<char> = characters(kind::LETTER).collect();
        // Letters of alphabets are chosen more often, since Han and Hangul have so many more.
        let near: Vec<char> = letters.iter().copied().filter(|c| *c < '\u{3400}').collect();
        let right_to_left: Vec<char> = characters(kind::RIGHT_TO_LEFT).collect();
        let inner: Vec<char> = characters(kind::INNER).collect();
        for &c in letters.iter().chain(&right_to_left) {
            assert!(is_domain(&String::from(c)), "{c:?}");
        }
        for &c in &inner {
            assert!(is_domain(&String::from_iter(['a', c, 'a'])), "{c:?}");
            assert!(!is_plain_name(&String::from_iter([c, 'a'])), "{c:?}");
        }
        let (mut state, mut plain) = (1_u64, 0);
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..200_000 {
            let mut name = String::new();
            for _ in 0..1 + random(12) {
                let set = match random(12) {
                    0 => &inner,
                    1 => &right_to_left,
                    2 => &Vec::from(['.', '\u{3002}', 'x', 'n', '-', '1']),
                    3..8 => &near,
                    _ => &letters,
                };
                name.push(set[random(set.len())]);
            }
            if is_plain_name(&name) {
                assert!(is_domain(&name), "{name}");
                plain += 1;
            }
        }
        assert!(plain > 60_000, "{plain}");
        for (name, expected) in [
            ("пример.example", true),
            ("हिन्दी.भारत", true),
            ("דוגמה.com", true),
            // A digit begins a label of a name that has a right-to-left label.
            ("דוגמה.1a", false),
            ("xn--e1a", false),
            ("é..com", false),
            ("é-.com", false),
            ("ab\u{200D}c", false),
        ] {
            assert_eq!(is_plain_name(name), expected, "{name}");
        }
    }
}
