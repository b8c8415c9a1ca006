//! Names that are certainly too long for the DNS, before UTS #46 maps them.
//!
//! UTS #46 decodes and encodes each label with Punycode, which takes quadratic time. So a name that is too long in any
//! form is refused before: it is no domain name, and no resolver looks it up. Not here: the lengths of mapped names
//! (`idna`, `u_label`).

/*
# The algorithm

UTS #46 maps a character to nothing, or composes it with characters before it, only if the character is ignorable, a
mark, or a part of a syllable of Hangul. So each other character is at least one character of the mapped name, and at
least one byte of the name in the DNS. A composed character stands for at most four characters. So these numbers of
characters of a label, or of the whole name, are certainly too many:

    a character         counts among
    ignorable           nothing
    may be composed     all: more than four times the longest label (63) or name (254, with a dot at the end)
    any other           all, and the certain ones: more than the longest label or name
    may become a dot    the same, and a new label begins after it

For example, 64 `é` are too many in a label, and so is `xn--` with 60 bytes after it. The answer is "too long" only if
that is certain. Otherwise, the mapped name is measured.
*/

use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup};
use icu_properties::{CodePointMapData, CodePointSetData};

use super::u_label::{LONGEST_NAME, is_stable};
use crate::transform::domain_names::LONGEST_LABEL;
use crate::transform::remembered::Remembered;

/// How many characters a composed character stands for at most.
const COMPOSED: usize = 4;

/// What a character adds to the length of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Adds {
    Nothing,
    /// A part of a character: it may be composed with characters before it.
    Part,
    /// At least one character.
    One,
    /// At least one character, which may be a dot or a text with a dot.
    Dot,
}

/// The length of a name or a label so far, in characters.
#[derive(Clone, Copy, Default)]
struct NameLength {
    certain: usize,
    all: usize,
}

impl NameLength {
    const fn add(&mut self, adds: Adds) {
        match adds {
            Adds::Nothing => {}
            Adds::Part => self.all += 1,
            Adds::One | Adds::Dot => {
                self.all += 1;
                self.certain += 1;
            }
        }
    }

    const fn is_above(self, longest: usize) -> bool {
        self.certain > longest || self.all > COMPOSED * longest
    }
}

/// Tells whether a name without triplets is certainly too long for the DNS, or has a label that is. Reads at most a
/// thousand characters, besides characters that add nothing.
pub fn is_too_long(name: impl Iterator<Item = char>) -> bool {
    let (mut label, mut whole) = (NameLength::default(), NameLength::default());
    for c in name {
        let adds = adds(c);
        whole.add(adds);
        label.add(adds);
        if adds == Adds::Dot {
            label = NameLength::default();
        }
        if label.is_above(LONGEST_LABEL) || whole.is_above(LONGEST_NAME + 1) {
            return true;
        }
    }
    false
}

/// Returns what a character adds.
#[inline]
fn adds(c: char) -> Adds {
    static ANSWERS: Remembered = Remembered::new(|c| looked_up(c) as u32);
    match c {
        '.' => Adds::Dot,
        _ if c.is_ascii() => Adds::One,
        _ => {
            let number = ANSWERS.get(c);
            let all = [Adds::Nothing, Adds::Part, Adds::One, Adds::Dot];
            all.into_iter().find(|adds| *adds as u32 == number).unwrap_or(Adds::Nothing)
        }
    }
}

/// [`adds`] of a character outside ASCII, from the tables.
fn looked_up(c: char) -> Adds {
    match c {
        _ if is_stable(c) => Adds::One,
        // These may become a dot, or a text with a dot. A test computes them.
        '\u{2024}'..='\u{2026}'
        | '\u{2488}'..='\u{249B}'
        | '\u{3002}'
        | '\u{33C2}'
        | '\u{33C7}'
        | '\u{33D8}'
        | '\u{FE12}'
        | '\u{FE19}'
        | '\u{FE30}'
        | '\u{FE52}'
        | '\u{FF0E}'
        | '\u{FF61}' => Adds::Dot,
        '\u{1F100}' => Adds::Dot,
        _ if CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c) => Adds::Nothing,
        // Hangul, and characters of four bytes: there, letters are composed, too.
        '\u{1100}'..='\u{11FF}' | '\u{D7B0}'..='\u{D7FF}' | '\u{10000}'.. => Adds::Part,
        _ if GeneralCategoryGroup::Mark
            .contains(CodePointMapData::<GeneralCategory>::new().get(c)) =>
        {
            Adds::Part
        }
        _ => Adds::One,
    }
}

#[cfg(test)]
mod tests {
    use idna::AsciiDenyList;
    use idna::uts46::{DnsLength, Hyphens, Uts46};
    use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

    use super::*;

    fn mapped(text: &str) -> String {
        Uts46::new()
            .to_unicode(text.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow)
            .0
            .into_owned()
    }

    /// Each character by itself: what UTS #46 makes of it, and whether it may be composed.
    #[test]
    fn every_character_adds_at_most_what_it_becomes() {
        let mut counts = [0; 4];
        for c in '\0'..=char::MAX {
            let adds = adds(c);
            counts[adds as usize] += 1;
            // After a letter, because a label does not begin with a mark.
            let shown = mapped(&format!("a{c}"));
            assert!(!shown.contains('.') || adds == Adds::Dot, "{c:?} becomes {shown:?}");
            let is_something = shown.chars().count() > 1;
            assert!(
                is_something || matches!(adds, Adds::Nothing | Adds::Part),
                "{c:?} becomes nothing"
            );
            let is_starter = is_nfc_quick([c].into_iter()) == IsNormalized::Yes
                && unicode_normalization::char::canonical_combining_class(c) == 0;
            let first = [c].into_iter().nfd().next().unwrap_or(c);
            let stays = is_starter || is_nfc_quick([first].into_iter()) == IsNormalized::Yes;
            assert!(stays || matches!(adds, Adds::Nothing | Adds::Part), "{c:?} may be composed");
            let parts = [c].into_iter().nfd().count();
            assert!(parts <= COMPOSED, "{c:?} stands for {parts} characters");
        }
        assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
    }

    /// What is too long is refused by UTS #46, whatever the characters.
    #[test]
    fn a_name_that_is_too_long_is_no_domain_name() {
        let pieces = [
            "a",
            "a",
            "z9",
            "-",
            ".",
            "xn--",
            "é",
            "e\u{301}",
            "\u{301}",
            "\u{AD}",
            "\u{200D}",
            "日",
            "か\u{3099}",
            "한",
            "\u{1112}\u{1161}\u{11AB}",
            "。",
            "\u{2024}",
            "\u{2488}",
            "ﬃ",
            "ａ",
            "²",
            "𝐚",
            "😀",
            "א",
            "α\u{313}\u{300}\u{345}",
            "\u{16D67}\u{16D67}",
            "\u{115B9}\u{115AF}",
            "İ",
            "ß",
            "_",
        ];
        let (mut seed, mut long, mut short) = (11_u64, 0, 0);
        let mut random = move |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        for _ in 0..60_000 {
            let few = 1 + random(3);
            let chosen: Vec<&str> = (0..few).map(|_| pieces[random(pieces.len())]).collect();
            let (count, dots) = (1 + random(280), 5 + random(90));
            let mut name = String::new();
            for at in 0..count {
                name.push_str(chosen[random(few)]);
                if at % dots == dots - 1 {
                    name.push('.');
                }
            }
            let ascii = Uts46::new().to_ascii(
                name.as_bytes(),
                AsciiDenyList::EMPTY,
                Hyphens::Allow,
                DnsLength::VerifyAllowRootDot,
            );
            if is_too_long(name.chars()) {
                assert!(ascii.is_err(), "{name}");
                long += 1;
            } else {
                short += usize::from(ascii.is_ok());
            }
        }
        assert!(long > 10_000 && short > 5_000, "{long} {short}");
    }

    #[test]
    fn the_longest_names_are_not_too_long() {
        let label = "a".repeat(63);
        // 253 bytes.
        let name = [label.as_str(), &label, &label, &"a".repeat(61)].join(".");
        for (text, is_long) in [
            (label.clone(), false),
            (format!("{label}a"), true),
            (format!("{}.", name), false),
            // Perhaps the last character is a dot.
            (format!("{}a", name), false),
            (format!("{}a.", name), true),
            (format!("xn--{}", "a".repeat(59)), false),
            (format!("xn--{}", "a".repeat(60)), true),
            ("e\u{301}".repeat(63), false),
            ("e\u{301}".repeat(64), true),
            ("\u{AD}".repeat(1000), false),
            (String::new(), false),
        ] {
            assert_eq!(is_too_long(text.chars()), is_long, "{text}");
        }
    }
}
