//! The display policy of Firefox, for one label.
//!
//! Not here: the preferences of Firefox, of which the policy has the values that a new profile has.

/*
# The algorithm

One pass over the label. Each character is asked every rule in turn, and the first rule that applies decides. The pass
knows the last script that is not Common or Inherited (`last`), the scripts so far (`seen`), and the last character that is
not a mark (`base`). At the end of the label, the rules for look-alikes of digits and of Latin letters are asked.

For example, in `日本ー野球` the last script before U+30FC is Han, so that the rule for U+30FC decides.
*/

use unicode_script::Script;

use super::identifiers::is_in;
use super::letters::{
    CYRILLIC_DOMAINS, LATIN_LIKE, Letter, Letters, SLASHES, has_mixed_digits, is_at_home,
    is_elsewhere, is_like_digits, is_like_latin, is_odd_dot, scripts_of,
};
use super::rule::DisplayRule;

/// Returns the rule by which Firefox shows the A-label of a label; `None` if Firefox shows the Unicode form. `top` is the
/// last label of the host. The label is mapped by UTS #46. Linear time.
pub(super) fn rule(label: &str, top: &str) -> Option<DisplayRule> {
    let letters = Letters(label);
    if letters.iter().any(|letter| is_blocked(letter.c)) {
        return Some(DisplayRule::Character);
    }
    let (mut last, mut seen, mut base) = (None, Systems::default(), '\0');
    for (before, letter, after) in letters.windows() {
        let place = Around { before, after, last, base, is_alone: letters.is_one() };
        let is_new = !letter.is_shared() && !last.is_some_and(|last: Letter| last.is_like(letter));
        if !letter.is_allowed() {
            return Some(DisplayRule::Character);
        }
        if is_new && !seen.add(letter) {
            return Some(DisplayRule::MixedScripts);
        }
        if let Some(rule) = of_character(letter, place, top) {
            return Some(rule);
        }
        if !letter.is_shared() {
            last = Some(letter);
        }
        if !letter.is_mark() {
            base = letter.c;
        }
    }
    at_end(label, letters, top)
}

/// The scripts of the characters that are read, as far as Firefox tells them apart.
#[derive(Default)]
struct Systems {
    /// A bit for each script of [`SCRIPTS`], or [`OTHER`].
    bits: u16,
}

/// The scripts that Firefox tells apart.
const SCRIPTS: [Script; 8] = [
    Script::Latin,
    Script::Han,
    Script::Bopomofo,
    Script::Hangul,
    Script::Hiragana,
    Script::Katakana,
    Script::Cyrillic,
    Script::Greek,
];
const OTHER: u16 = 1 << SCRIPTS.len();
/// The scripts of [`SCRIPTS`] that may stand together: Latin and Han with Bopomofo; with Hangul; with both kana.
const TOGETHER: [u16; 3] = [0b0000_0111, 0b0000_1011, 0b0011_0011];

impl Systems {
    /// Adds the script of a character that follows a character of another script. Tells whether the scripts may stand
    /// together.
    fn add(&mut self, letter: Letter) -> bool {
        let place = SCRIPTS.iter().position(|script| letter.is_of(*script));
        let bit = place.map_or(OTHER, |place| 1 << place);
        // A second character of another script is of a third one.
        let is_first = self.bits == 0;
        self.bits |= bit;
        is_first
            || bit != OTHER
                && (self.bits == bit || TOGETHER.iter().any(|set| self.bits & !set == 0))
    }
}

/// What stands around a character.
#[derive(Clone, Copy)]
struct Around {
    before: Option<Letter>,
    after: Option<Letter>,
    /// The last character before that has a script of its own.
    last: Option<Letter>,
    /// The last character before that is not a mark.
    base: char,
    /// The label has no other character.
    is_alone: bool,
}

/// Returns the rule of a character that does not stand where it belongs.
fn of_character(letter: Letter, place: Around, top: &str) -> Option<DisplayRule> {
    let Around { before, after, last, base, is_alone } = place;
    let is_of_any = |letter: Option<Letter>, scripts: &[Script]| {
        letter.is_some_and(|letter| scripts.iter().any(|script| letter.is_of(*script)))
    };
    let follows = |scripts: &[Script]| is_of_any(last, scripts);
    let is_beside = |script: Script| follows(&[script]) || is_of_any(after, &[script]);
    let is_asian = |letter: Option<Letter>| {
        is_of_any(letter, &[Script::Han, Script::Hiragana, Script::Katakana])
    };
    let is_beside_other = |letter: Option<Letter>| {
        letter.is_some_and(|letter| !letter.c.is_ascii_digit())
            && !is_asian(letter)
            && !is_of_any(letter, &[Script::Bopomofo])
    };
    let c = letter.c;
    match c {
        'ー' if !follows(&[Script::Hiragana, Script::Katakana]) => {
            return Some(DisplayRule::ProlongedSound);
        }
        'へ'..='ぺ' if is_beside(Script::Katakana) => return Some(DisplayRule::KanaHe),
        'ヘ'..='ペ' if is_beside(Script::Hiragana) => return Some(DisplayRule::KanaHe),
        'ヽ' | 'ヾ' if !follows(&[Script::Katakana]) => return Some(DisplayRule::IterationMark),
        '・' if is_beside(Script::Latin) => return Some(DisplayRule::KatakanaDot),
        '\u{300}'..='\u{339}' if !follows(&[Script::Latin, Script::Greek, Script::Cyrillic]) => {
            return Some(DisplayRule::MisplacedMark);
        }
        '\u{307}' if before.is_some_and(|before| matches!(before.c, 'i' | 'j' | 'l')) => {
            return Some(DisplayRule::DotAbove);
        }
        '·' if is_odd_dot(before, after, top) => return Some(DisplayRule::MiddleDot),
        '\u{2BB}' | '\u{2BC}' => return Some(DisplayRule::Character),
        '\u{300}'..='\u{314}' | '\u{31A}' if base == 'ı' => return Some(DisplayRule::DotlessI),
        _ if is_elsewhere(c, top) => return Some(DisplayRule::OtherDomain),
        _ => {}
    }
    if SLASHES.contains(c) && !is_alone && !is_asian(before) && !is_asian(after) {
        return Some(DisplayRule::SlashLike);
    }
    if LATIN_LIKE.contains(c) && (is_beside_other(before) || is_beside_other(after)) {
        return Some(DisplayRule::LatinLike);
    }
    if letter.is_mark() {
        if before.is_some_and(|before| before.c == c) {
            return Some(DisplayRule::RepeatedMark);
        }
        let is_misplaced = scripts_of(c)
            .zip(last)
            .is_some_and(|(scripts, last)| !scripts.iter().any(|script| last.is_of(script)));
        return is_misplaced.then_some(DisplayRule::MisplacedMark);
    }
    None
}

/// Returns the rule that applies to a whole label.
fn at_end(label: &str, letters: Letters<'_>, top: &str) -> Option<DisplayRule> {
    // The look-alikes of Chromium, without т and with м.
    const CYRILLIC: &str = "аысԁеԍһіюкјӏорԗԛѕмԝхуъьҽпгѵѡ";
    // Fonts of Linux have more look-alikes among the letters of Thai.
    const THAI: &str = "บพฟรเแ๐";
    if has_mixed_digits(letters) {
        return Some(DisplayRule::MixedDigits);
    }
    if is_like_digits(label) {
        return Some(DisplayRule::DigitLookAlike);
    }
    let is_like = |script, row, domains| {
        is_like_latin(letters, script, row) && !is_at_home(top, script, domains)
    };
    (is_like(Script::Cyrillic, CYRILLIC, CYRILLIC_DOMAINS) || is_like(Script::Thai, THAI, &["th"]))
        .then_some(DisplayRule::WholeScript)
}

/// The characters that Firefox blocks, as ranges, lowest first.
const BLOCKED: [(u32, u32); 54] = [
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0xBC, 0xBE),
    (0x138, 0x138),
    (0x1C3, 0x1C3),
    (0x2D0, 0x2D0),
    (0x337, 0x338),
    (0x589, 0x58A),
    (0x5C3, 0x5C3),
    (0x5F4, 0x5F4),
    (0x609, 0x60A),
    (0x66A, 0x66A),
    (0x6D4, 0x6D4),
    (0x701, 0x704),
    (0x115F, 0x1160),
    (0x1735, 0x1735),
    (0x2000, 0x200B),
    (0x200E, 0x2010),
    (0x2019, 0x2019),
    (0x2024, 0x2024),
    (0x2027, 0x202F),
    (0x2039, 0x203A),
    (0x2041, 0x2041),
    (0x2044, 0x2044),
    (0x2052, 0x2052),
    (0x205F, 0x205F),
    (0x2153, 0x215F),
    (0x2215, 0x2215),
    (0x2236, 0x2236),
    (0x23AE, 0x23AE),
    (0x2571, 0x2571),
    (0x29F6, 0x29F6),
    (0x29F8, 0x29F8),
    (0x2AFB, 0x2AFB),
    (0x2AFD, 0x2AFD),
    (0x2FF0, 0x2FFB),
    (0x3000, 0x3000),
    (0x3002, 0x3002),
    (0x3014, 0x3015),
    (0x3033, 0x3033),
    (0x30A0, 0x30A0),
    (0x3164, 0x3164),
    (0x321D, 0x321E),
    (0x33AE, 0x33AF),
    (0x33C6, 0x33C6),
    (0x33DF, 0x33DF),
    (0xFE14, 0xFE15),
    (0xFE3F, 0xFE3F),
    (0xFE5D, 0xFE5E),
    (0xFEFF, 0xFEFF),
    (0xFF0E, 0xFF0F),
    (0xFF61, 0xFF61),
    (0xFFA0, 0xFFA0),
    (0xFFF9, 0xFFFD),
];

/// Tells whether Firefox blocks a character.
fn is_blocked(c: char) -> bool {
    is_in(&BLOCKED, c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blocked_ranges_are_in_order() {
        assert!(BLOCKED.iter().all(|(first, last)| first <= last));
        assert!(BLOCKED.windows(2).all(|pair| pair[0].1 < pair[1].0));
        for (c, expected) in [(' ', true), ('a', false), ('\u{2008}', true), ('\u{200C}', false)] {
            assert_eq!(is_blocked(c), expected, "{c:?}");
        }
    }
}
