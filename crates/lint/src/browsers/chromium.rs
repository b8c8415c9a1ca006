//! The display policy of Chromium, for one label.
//!
//! Not here: the domains that many people visit, to which Chromium compares a whole host.

/*
# The algorithm

The first rule that applies decides:

    every label             characters, restriction level, digits, marks and dots above (the check of ICU)
    letters of few domains  þ ð ə ·
    one script, and none of the marks and kana of step 4
                            look-alikes of Latin letters, look-alikes of digits; no other rule
    otherwise               look-alikes of digits, Latin letters outside ASCII, patterns of neighbours

For example, `日本ー野球` is of one script, because all its characters are used in Japanese. But U+30FC is among the kana
of step 4, and the pattern that U+30FC follows kana decides.
*/

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;
use unicode_script::Script;
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::skeleton;

use super::letters::{
    CYRILLIC_DOMAINS, LATIN_LIKE, Letter, Letters, SLASHES, has_mixed_digits, is_at_home,
    is_elsewhere, is_like_digits, is_like_latin, is_odd_dot,
};
use super::rule::DisplayRule;
use crate::rules::script::is_mixed;

/// Returns the rule by which Chromium shows the A-label of a label; `None` if Chromium shows the Unicode form. `top` is
/// the last label of the host. The label is mapped by UTS #46. Linear time, besides marks that follow each other.
pub(super) fn rule(label: &str, top: &str) -> Option<DisplayRule> {
    let letters = Letters(label);
    icu(label, letters).or_else(|| of_few_domains(letters, top)).or_else(|| {
        let has_pattern = |letter: Letter| {
            matches!(letter.c, '\u{300}'..='\u{339}' | 'へ'..='ぺ' | 'ヘ'..='ペ' | '・'..='ヾ')
        };
        if is_of_one_script(letters) && !letters.iter().any(has_pattern) {
            let is_like = is_like_latin_in_any(label, letters, top);
            return is_like
                .then_some(DisplayRule::WholeScript)
                .or_else(|| is_like_digits(label).then_some(DisplayRule::DigitLookAlike));
        }
        if is_like_digits(label) {
            return Some(DisplayRule::DigitLookAlike);
        }
        has_mixed_latin(letters).then_some(DisplayRule::MixedLatin).or_else(|| pattern(letters))
    })
}

/// Returns the rule of ICU that applies.
fn icu(label: &str, letters: Letters<'_>) -> Option<DisplayRule> {
    if !letters.iter().all(|letter| letter.is_allowed() && !is_excluded(letter.c)) {
        Some(DisplayRule::Character)
    } else if is_mixed(counted(letters).map(|letter| letter.c)) {
        Some(DisplayRule::MixedScripts)
    } else if has_mixed_digits(letters) {
        Some(DisplayRule::MixedDigits)
    } else if has_repeated_mark(label) {
        Some(DisplayRule::RepeatedMark)
    } else {
        has_hidden_dot(label).then_some(DisplayRule::DotAbove)
    }
}

/// Tells whether Chromium allows a character in hosts.
pub(crate) fn chromium_allows(c: char) -> bool {
    Letter::of(c).is_allowed() && !is_excluded(c)
}

/// Tells whether Chromium excludes a character that Unicode allows in identifiers.
const fn is_excluded(c: char) -> bool {
    matches!(
        c,
        '\u{138}' // kra, which looks like k
            | '\u{1CD}'..='\u{1DC}' // letters of Pinyin, with a caron
            | '\u{2BB}' | '\u{2BC}' | '\u{2EC}' // modifier letters that look like apostrophes and accents
            | '\u{338}' // long solidus overlay
            | '\u{58A}' | '\u{2010}' | '\u{2019}' | '\u{2027}' | '\u{30A0}' // punctuation
            | '\u{1C80}'..='\u{1C8F}' | '\u{A640}'..='\u{A69F}' // extensions of Cyrillic
            | '\u{1E00}'..='\u{1E9B}' | '\u{A720}'..='\u{A7FF}' // extensions of Latin
            | '\u{1F00}'..='\u{1FFF}' // Greek with marks
    )
}

/// The characters that count for a script.
fn counted(letters: Letters<'_>) -> impl Iterator<Item = Letter> + '_ {
    letters.iter().filter(|letter| !letter.is_of_every())
}

/// Tells whether all characters have a script or a writing system in common (UTS #39, section 5.1).
fn is_of_one_script(letters: Letters<'_>) -> bool {
    // A character that has a script of its own is used in it.
    let mut own = counted(letters);
    let is_plain = own.next().is_none_or(|first| {
        !first.is_shared()
            && !first.is_of(Script::Unknown)
            && own.all(|letter| letter.is_like(first))
    });
    if is_plain {
        return true;
    }
    let mut common = AugmentedScriptSet::default();
    counted(letters).for_each(|Letter { c, .. }| {
        common.intersect_with(AugmentedScriptSet::for_char(c));
    });
    !common.is_empty()
}

/// Tells whether a nonspacing mark stands twice among marks that follow each other in normalization form D.
fn has_repeated_mark(label: &str) -> bool {
    let is_mark = |c: &char| Letter::of(*c).is_mark();
    let mut rest = label.nfd();
    while let Some(c) = rest.next() {
        if is_mark(&c) && rest.clone().take_while(is_mark).any(|other| other == c) {
            return true;
        }
    }
    false
}

/// Tells whether a label has U+0307 on i, j, l, on one of them without its dot, or on a character that ends in a look-alike
/// of them. Marks of other combining classes may stand between. The label is
/// read in normalization form D.
fn has_hidden_dot(label: &str) -> bool {
    const DOT: char = '\u{307}';
    if !label.contains(DOT) {
        return false;
    }
    let is_lead = |c: char| matches!(c, 'i' | 'j' | 'l' | 'ı' | 'ȷ');
    let mut follows_lead = false;
    label.nfd().any(|c| {
        if c == DOT && follows_lead {
            return true;
        }
        if matches!(canonical_combining_class(c), 0 | 230) {
            follows_lead =
                is_lead(c) || skeleton(c.encode_utf8(&mut [0; 4])).last().is_some_and(is_lead);
        }
        false
    })
}

/// Returns the rule of a letter that belongs to a few top-level domains.
fn of_few_domains(letters: Letters<'_>, top: &str) -> Option<DisplayRule> {
    let is_elsewhere = |letter: Letter| is_elsewhere(letter.c, top);
    if !letters.is_one() && letters.iter().any(is_elsewhere) {
        return Some(DisplayRule::OtherDomain);
    }
    letters
        .windows()
        .any(|(before, letter, after)| letter.c == '·' && is_odd_dot(before, after, top))
        .then_some(DisplayRule::MiddleDot)
}

/// The look-alikes of Latin letters in each script, and the top-level domains below which the script is usual.
const LIKE_LATIN: [(Script, &str, &[&str]); 17] = [
    (Script::Armenian, "ագզէլհյոսւօՙ", &["am"]),
    (Script::Cyrillic, "аысԁеԍһіюкјӏорԗԛѕтԝхуъьҽпгѵѡ", CYRILLIC_DOMAINS),
    (Script::Ethiopic, "ሀሠሰስበነተከዐዕዘጠፐꬅ", &["er", "et"]),
    (Script::Georgian, "იოყძხჽჿ", &["ge"]),
    (Script::Greek, "αικνρυωηοτ", &["gr"]),
    (
        Script::Hebrew,
        "\u{5D3}\u{5D5}\u{5D7}\u{5D9}\u{5DF}\u{5E1}\u{5F0}\u{5F2}\u{5F3}\u{FB26}",
        &["il"],
    ),
    (Script::Bengali, "০৭", &[]),
    (Script::Devanagari, "ऽ०ॱ", &[]),
    (Script::Gujarati, "ડટ૦૧", &[]),
    (Script::Gurmukhi, "੦੧", &[]),
    (Script::Kannada, "ಽ೦೧", &[]),
    (Script::Malayalam, "ടഠധനറ൦", &[]),
    (Script::Oriya, "ଠ୦୮", &[]),
    (Script::Tamil, "டப௦", &[]),
    (Script::Telugu, "౦౧", &[]),
    (Script::Myanmar, "ခဂငထပဝ၀၂ၔၜ\u{1090}\u{1091}\u{1095}\u{1096}\u{1097}", &["mm"]),
    // Fonts of Linux have more look-alikes among the letters of Thai.
    (Script::Thai, "บพเแ๐", &["th"]),
];

/// Words of Cyrillic letters that look like Latin letters, and that many people use.
const WORDS: [&str; 12] = [
    "секс",
    "как",
    "коса",
    "курс",
    "парк",
    "такий",
    "укроп",
    "сахарок",
    "покраска",
    "театр",
    "астро",
    "пхукет",
];

/// Tells whether the letters of one script look like Latin letters.
fn is_like_latin_in_any(label: &str, letters: Letters<'_>, top: &str) -> bool {
    // Each row is asked once, and only if the label has a letter of its script.
    let mut asked = 0_u32;
    let is_like = |letter: Letter| {
        let mut rows = LIKE_LATIN.iter().enumerate();
        rows.find(|(_, (script, ..))| letter.is_of(*script)).is_some_and(
            |(number, (script, row, domains))| {
                let is_new = asked >> number & 1 == 0;
                asked |= 1 << number;
                is_new && is_like_latin(letters, *script, row) && !is_at_home(top, *script, domains)
            },
        )
    };
    !WORDS.contains(&label) && letters.iter().any(is_like)
}

/// Tells whether a label has a Latin letter outside ASCII, and a character of a script other than Latin, Greek and
/// Cyrillic.
fn has_mixed_latin(letters: Letters<'_>) -> bool {
    let is_western = |letter: Letter| {
        [Script::Latin, Script::Greek, Script::Cyrillic].iter().any(|script| letter.is_of(*script))
            || matches!(letter.c, '0'..='9' | '.' | '_' | '-' | '\u{300}'..='\u{339}')
    };
    let is_accented = |letter: Letter| letter.is_of(Script::Latin) && !letter.c.is_ascii();
    letters.iter().any(is_accented) && !letters.iter().all(is_western)
}

/// The look-alikes of [`LATIN_LIKE`] that Chromium has besides.
const MORE_LATIN_LIKE: &str = "丶亅二亠冖宀巛";

/// Returns the rule of a character that does not stand where it belongs.
fn pattern(letters: Letters<'_>) -> Option<DisplayRule> {
    let of_window = |(before, letter, after): (Option<Letter>, Letter, Option<Letter>)| {
        let is_foreign =
            |letter: Option<Letter>| letter.is_some_and(|letter| !letter.is_japanese());
        let follows = |is_of: fn(Letter) -> bool| before.is_some_and(is_of);
        let is_beside_other = |letter: Option<Letter>| {
            letter.is_some_and(|letter| !letter.is_japanese() && !letter.is_bopomofo())
        };
        let c = letter.c;
        if SLASHES.contains(c) && is_foreign(before) && is_foreign(after) {
            return Some(DisplayRule::SlashLike);
        }
        match c {
            'ヽ' | 'ヾ' if !follows(Letter::is_katakana) => Some(DisplayRule::IterationMark),
            'ー' if !follows(Letter::is_katakana) && !follows(Letter::is_hiragana) => {
                Some(DisplayRule::ProlongedSound)
            }
            '・' if is_foreign(before) || is_foreign(after) || after.is_none() => {
                Some(DisplayRule::KatakanaDot)
            }
            '\u{300}'..='\u{339}' if before.is_some_and(|before| before.c == 'ı') => {
                Some(DisplayRule::DotlessI)
            }
            '\u{300}'..='\u{339}' if !follows(Letter::is_western) => {
                Some(DisplayRule::MisplacedMark)
            }
            '\u{3099}' | '\u{309A}' => Some(DisplayRule::VoicingMark),
            _ if (LATIN_LIKE.contains(c) || MORE_LATIN_LIKE.contains(c))
                && (is_beside_other(before) || is_beside_other(after)) =>
            {
                Some(DisplayRule::LatinLike)
            }
            _ => None,
        }
    };
    letters.windows().find_map(of_window).or_else(|| {
        let is_odd = has_one_other(letters, 'へ'..='ぺ', Letter::is_katakana)
            || has_one_other(letters, 'ヘ'..='ペ', Letter::is_hiragana);
        is_odd.then_some(DisplayRule::KanaHe)
    })
}

/// Tells whether a label has one character of a range, not at an end, and all other characters are of the other kana.
fn has_one_other(
    letters: Letters<'_>,
    range: core::ops::RangeInclusive<char>,
    is_of: fn(Letter) -> bool,
) -> bool {
    let mut others = letters.windows().filter(|(_, letter, _)| !is_of(*letter));
    let only = others.next().filter(|_| others.next().is_none());
    only.is_some_and(|(before, letter, after)| {
        range.contains(&letter.c) && before.is_some() && after.is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_script_has_one_row_of_look_alikes() {
        let is_first = |(number, row): (usize, &(Script, &str, &[&str]))| {
            LIKE_LATIN.iter().position(|(script, ..)| *script == row.0) == Some(number)
        };
        assert!(LIKE_LATIN.iter().enumerate().all(is_first));
    }
}
