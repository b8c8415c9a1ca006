//! What both policies ask about characters: scripts, marks and digits by the tables of Unicode, and the closed sets of
//! look-alikes that both browsers have.
//!
//! Not here: the rules (`chromium`, `firefox`).

/*
# The facts

The tables are searched for each character, so the answers are remembered. The bits of an answer:

    0 to 7      the script (the property Script)
    8           Identifier_Status is Allowed in Unicode 15.1 (UTS #39)
    9           a nonspacing mark
    10 to 14    the character is used in Latin, Greek or Cyrillic; in Han; Bopomofo; Hiragana; Katakana
    15          a decimal digit
    16 to 19    the value of the digit
    20          the character is used in every script

For example, U+30FC (ー) has the script Common, and is used in Hiragana and Katakana.

In Unicode 15, U+00B7 and most marks from U+0300 to U+036F are used in every script. Later versions list scripts for them
(Script_Extensions). They count for every script here, as in the browsers, so that `ж̌` stays one script.
*/

use icu_properties::{CodePointMapData, props::GeneralCategory};
use unicode_script::{Script, UnicodeScript};

use super::identifiers::is_allowed;
use simd_iri::low::Remembered;

const ALLOWED: u32 = 1 << 8;
const MARK: u32 = 1 << 9;
const WESTERN: u32 = 1 << 10;
const HAN: u32 = 1 << 11;
const BOPOMOFO: u32 = 1 << 12;
const HIRAGANA: u32 = 1 << 13;
const KATAKANA: u32 = 1 << 14;
const DIGIT: u32 = 1 << 15;
const VALUE: u32 = 16;
const EVERY: u32 = 1 << 20;
const _: () = assert!(EVERY < 1 << Remembered::BITS);

/// A character of a label, with the facts about it.
#[derive(Clone, Copy)]
pub(super) struct Letter {
    pub(super) c: char,
    facts: u32,
}

impl Letter {
    pub(super) fn of(c: char) -> Self {
        static FOUND: Remembered = Remembered::new(looked_up);
        Self { c, facts: FOUND.get(c) }
    }

    const fn has(self, fact: u32) -> bool {
        self.facts & fact != 0
    }

    /// Tells whether the property Script has this value.
    pub(super) const fn is_of(self, script: Script) -> bool {
        self.facts & 0xFF == script as u32
    }

    /// Tells whether two characters have the same script.
    pub(super) const fn is_like(self, other: Self) -> bool {
        self.facts & 0xFF == other.facts & 0xFF
    }

    /// Tells whether the character is of no script of its own: Common or Inherited.
    pub(super) const fn is_shared(self) -> bool {
        self.is_of(Script::Common) || self.is_of(Script::Inherited)
    }

    /// Tells whether Unicode allows the character in identifiers (UTS #39, section 3.1).
    pub(super) const fn is_allowed(self) -> bool {
        self.has(ALLOWED)
    }

    /// Tells whether the character is used in every script, and so does not count for any.
    pub(super) const fn is_of_every(self) -> bool {
        self.has(EVERY)
    }

    /// Tells whether the character is a nonspacing mark.
    pub(super) const fn is_mark(self) -> bool {
        self.has(MARK)
    }

    /// Tells whether the character is used in Latin, Greek or Cyrillic.
    pub(super) const fn is_western(self) -> bool {
        self.has(WESTERN)
    }

    /// Tells whether the character is used in Katakana.
    pub(super) const fn is_katakana(self) -> bool {
        self.has(KATAKANA)
    }

    /// Tells whether the character is used in Hiragana.
    pub(super) const fn is_hiragana(self) -> bool {
        self.has(HIRAGANA)
    }

    /// Tells whether the character is used in Japanese: Han, Hiragana or Katakana.
    pub(super) const fn is_japanese(self) -> bool {
        self.has(HAN | HIRAGANA | KATAKANA)
    }

    /// Tells whether the character is used in Bopomofo.
    pub(super) const fn is_bopomofo(self) -> bool {
        self.has(BOPOMOFO)
    }

    /// Returns the code point of the digit zero to whose row a decimal digit belongs.
    const fn zero(self) -> Option<u32> {
        if self.has(DIGIT) { Some(self.c as u32 - (self.facts >> VALUE & 0xF)) } else { None }
    }
}

/// The characters of a label.
#[derive(Clone, Copy)]
pub(super) struct Letters<'l>(pub(super) &'l str);

impl<'l> Letters<'l> {
    pub(super) fn iter(self) -> impl Iterator<Item = Letter> + Clone + 'l {
        self.0.chars().map(Letter::of)
    }

    /// Tells whether the label has no other character than one.
    pub(super) fn is_one(self) -> bool {
        self.0.chars().nth(1).is_none()
    }

    /// Returns each character between its neighbours.
    pub(super) fn windows(
        self,
    ) -> impl Iterator<Item = (Option<Letter>, Letter, Option<Letter>)> + 'l {
        let before = core::iter::once(None).chain(self.iter().map(Some));
        let after = self.iter().map(Some).skip(1).chain(core::iter::once(None));
        before.zip(self.iter()).zip(after).map(|((before, letter), after)| (before, letter, after))
    }
}

/// Returns the facts about a character from the tables.
fn looked_up(c: char) -> u32 {
    let categories = CodePointMapData::<GeneralCategory>::new();
    let category = categories.get(c);
    let uses = scripts_of(c);
    let fact = |is_true: bool, fact: u32| if is_true { fact } else { 0 };
    let is_used = |script| uses.is_some_and(|uses| uses.contains_script(script));
    let is_western = [Script::Latin, Script::Greek, Script::Cyrillic].into_iter().any(is_used);
    let facts = c.script() as u32
        | fact(is_allowed(c), ALLOWED)
        | fact(uses.is_none(), EVERY)
        | fact(category == GeneralCategory::NonspacingMark, MARK)
        | fact(is_western, WESTERN)
        | fact(is_used(Script::Han), HAN)
        | fact(is_used(Script::Bopomofo), BOPOMOFO)
        | fact(is_used(Script::Hiragana), HIRAGANA)
        | fact(is_used(Script::Katakana), KATAKANA);
    if category != GeneralCategory::DecimalNumber {
        return facts;
    }
    // Unicode has decimal digits in rows of ten, from zero on. A few rows follow each other directly.
    let is_digit = |number: u32| categories.get32(number) == GeneralCategory::DecimalNumber;
    let before = (0..u32::from(c)).rev().take_while(|number| is_digit(*number)).count() as u32;
    facts | DIGIT | (before % 10) << VALUE
}

/// Returns the scripts in which a character is used; `None` for every script.
pub(super) fn scripts_of(c: char) -> Option<unicode_script::ScriptExtension> {
    let uses = c.script_extension();
    let is_mark = matches!(c, '\u{300}'..='\u{36F}') && !matches!(c, '\u{342}' | '\u{345}');
    let is_every = uses.is_common() || uses.is_inherited() || is_mark || c == '·';
    (!is_every).then_some(uses)
}

/// Tells whether a label has decimal digits of different rows.
pub(super) fn has_mixed_digits(letters: Letters<'_>) -> bool {
    let mut zeros = letters.iter().filter_map(|letter| letter.zero());
    zeros.next().is_some_and(|first| zeros.any(|zero| zero != first))
}

/// Tells whether a label consists of digits of ASCII and look-alikes of digits, with at least one look-alike.
pub(super) fn is_like_digits(label: &str) -> bool {
    const LOOK_ALIKES: &str = "θ२২੨૨೩೭շзҙӡउওਤ੩૩౩ဒვპੜკ੫丩ㄐճ৪੪୫૭୨౨";
    let is_like = |c: char| !c.is_ascii() && LOOK_ALIKES.contains(c);
    label.chars().any(is_like) && label.chars().all(|c| c.is_ascii_digit() || is_like(c))
}

/// Tells whether a label has letters of a script, and each of these letters is in a row of look-alikes of Latin letters.
pub(super) fn is_like_latin(letters: Letters<'_>, script: Script, row: &str) -> bool {
    let mut of_script = letters.iter().filter(|letter| letter.is_of(script)).peekable();
    of_script.peek().is_some() && of_script.all(|letter| row.contains(letter.c))
}

/// Tells whether a top-level domain is in a list, or has a letter of a script.
pub(super) fn is_at_home(top: &str, script: Script, domains: &[&str]) -> bool {
    domains.contains(&top) || top.chars().any(|c| c.script() == script)
}

/// The top-level domains below which labels of Cyrillic letters are usual.
pub(super) const CYRILLIC_DOMAINS: &[&str] = &["bg", "by", "kz", "pyc", "ru", "su", "ua", "uz"];

/// Characters of Japanese and Chinese that look like a slash.
pub(super) const SLASHES: &str = "ノソゾン丶乀乁丿";

/// Ideographs and letters of Bopomofo that look like Latin letters or signs, in both policies.
pub(super) const LATIN_LIKE: &str = "一ㄧ丨乛七丅十〇ㄒㄚㄟㄨㄩㄈㆺㆳ工ㆲ讠丁";

/// Tells whether a letter belongs to a few top-level domains, and the label is not below one of them.
pub(super) fn is_elsewhere(c: char, top: &str) -> bool {
    match c {
        'þ' | 'ð' => !matches!(top, "is" | "fo"),
        'ə' => top != "az",
        _ => false,
    }
}

/// Tells whether the middle dot of Catalan has another place than between two l below `cat`.
pub(super) fn is_odd_dot(before: Option<Letter>, after: Option<Letter>, top: &str) -> bool {
    let is_l = |letter: Option<Letter>| letter.is_some_and(|letter| letter.c == 'l');
    top != "cat" || !is_l(before) || !is_l(after)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn digits_are_in_rows_of_ten() {
        for (c, zero) in [('7', '0'), ('९', '०'), ('০', '০'), ('\u{1D7FF}', '\u{1D7F6}')] {
            assert_eq!(Letter::of(c).zero(), Some(u32::from(zero)), "{c:?}");
        }
        let category = CodePointMapData::<GeneralCategory>::new();
        for c in '\0'..=char::MAX {
            let is_digit = category.get(c) == GeneralCategory::DecimalNumber;
            assert_eq!(Letter::of(c).zero().is_some(), is_digit, "{c:?}");
            // The digits that the compiler knows have the value that the row says.
            if let (Some(zero), Some(value)) = (Letter::of(c).zero(), c.to_digit(10)) {
                assert_eq!(u32::from(c) - zero, value, "{c:?}");
            }
        }
    }

    #[test]
    fn a_character_with_a_script_of_its_own_is_used_in_it() {
        let mut own = 0;
        for c in '\0'..=char::MAX {
            let letter = Letter::of(c);
            assert_eq!(letter.is_of_every(), scripts_of(c).is_none(), "{c:?}");
            if let (false, Some(uses)) = (letter.is_shared(), scripts_of(c)) {
                let is_used = c.script() == Script::Unknown || uses.contains_script(c.script());
                assert!(is_used, "{c:?}");
                own += 1;
            }
        }
        assert!(own > 100_000, "{own}");
    }

    #[test]
    fn the_sets_of_look_alikes_have_no_character_twice() {
        for set in [SLASHES, LATIN_LIKE] {
            let mut all: Vec<char> = set.chars().collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), set.chars().count(), "{set}");
        }
    }
}
