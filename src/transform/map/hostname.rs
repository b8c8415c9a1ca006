//! Names of hosts by RFC 1123 and by IDNA2008 (RFC 5890 to 5893): the formats `hostname` and
//! `idn-hostname` of JSON Schema.
//!
//! IDNA2008 allows fewer characters than UTS #46, and some of them only in a context. The table of RFC 5892
//! is derived from properties of `icu_properties`. Not here: normal form C, the rule for bidirectional text
//! (RFC 5893), the joiners (CONTEXTJ) and the lengths. The crate `idna` checks them for UTS #46 in the same
//! way.

/*
# The algorithm

A name is valid if ToASCII of UTS #46 accepts the whole name (`is_name`), and if each label is valid (`is_label`):

    ASCII, not `xn--`    valid: ToASCII checks letters, digits and hyphens
    `xn--`               ToUnicode of UTS #46 accepts the label, and its Unicode form is a U-label
    any other label      ToUnicode of UTS #46 returns the label itself, and the label is a U-label

A U-label does not begin with a mark, and does not have hyphens in the third and fourth place. The derived property of
each of its characters (`property`) is PVALID, or CONTEXTJ, or CONTEXTO in a context that allows it (`is_in_context`).
For example:

    straße      `ß` is PVALID by an exception
    l·l         `·` is CONTEXTO: it may stand between two `l`, so `a·l` is not valid
    ☃           DISALLOWED, because it is neither a letter nor a digit
    Straße      UTS #46 maps `S` to `s`, so ToUnicode does not return the label itself
*/

use icu_properties::props::{
    ChangesWhenNfkcCasefolded, DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup,
    HangulSyllableType, Script,
};
use icu_properties::{CodePointMapData, CodePointSetData};
use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use crate::scan::slice;
use crate::transform::domain_names::LABEL_DOTS;

/// A length in bytes that no name exceeds: a name has at most 253 characters, of at most four bytes each.
const LONGEST: usize = 1024;

/// Tells whether `text` is the name of a host (RFC 1123, section 2.1): the format `hostname` of JSON Schema.
///
/// A name has at most 253 characters. Its labels have 1 to 63 letters, digits and hyphens, and neither begin nor end
/// with a hyphen. The name does not end with a dot. A label that begins with `xn--` must be an A-label of IDNA2008
/// (RFC 5890, section 2.3.2.1).
///
/// Linear in the text; allocates.
///
/// ```
/// use simd_iri::domain::is_hostname;
///
/// assert!(is_hostname("www.example.com") && is_hostname("xn--bcher-kva.example"));
/// assert!(!is_hostname("-a") && !is_hostname("a_b") && !is_hostname("a.") && !is_hostname("é"));
/// assert!(!is_hostname("xn--X"));
/// ```
#[must_use]
pub fn is_hostname(text: &str) -> bool {
    text.is_ascii() && is_name(text)
}

/// Tells whether `text` is the name of a host with letters of all scripts, by IDNA2008 (RFC 5890, section
/// 2.3.2.3): the format `idn-hostname` of JSON Schema.
///
/// Each label is a label that [`is_hostname`] accepts, or a U-label. No character is mapped, so a U-label with an
/// upper-case letter is not valid.
///
/// The labels are separated by `.`, or by one of the dots U+3002, U+FF0E and U+FF61 (RFC 3490, section 3.1).
/// Linear in the text; allocates.
///
/// ```
/// use simd_iri::domain::is_idn_hostname;
///
/// assert!(is_idn_hostname("例え.jp") && is_idn_hostname("straße.example"));
/// assert!(!is_idn_hostname("☃.example"), "UTS #46 allows it, and IDNA2008 does not");
/// assert!(is_idn_hostname("l·l") && !is_idn_hostname("a·l"), "only between two l");
/// ```
#[must_use]
pub fn is_idn_hostname(text: &str) -> bool {
    is_name(text)
}

/// Tells whether each label is valid in IDNA2008, and the whole name in the DNS.
fn is_name(name: &str) -> bool {
    let (deny, hyphens, length) = (AsciiDenyList::STD3, Hyphens::CheckFirstLast, DnsLength::Verify);
    name.len() <= LONGEST
        && name.split(LABEL_DOTS).all(is_label)
        && Uts46::new().to_ascii(name.as_bytes(), deny, hyphens, length).is_ok()
}

/// Tells whether a label is a U-label, the A-label of a U-label, or any other label in ASCII.
fn is_label(label: &str) -> bool {
    let is_a_label = label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"));
    if label.is_ascii() && !is_a_label {
        return true;
    }
    let (shown, result) =
        Uts46::new().to_unicode(label.as_bytes(), AsciiDenyList::STD3, Hyphens::CheckFirstLast);
    // UTS #46 maps a U-label to itself.
    let is_stable = is_a_label || shown == label;
    result.is_ok() && is_stable && !shown.is_ascii() && is_u_label(&shown)
}

/// Checks the rules of RFC 5891, section 4.2.3 for a U-label that UTS #46 does not have.
fn is_u_label(label: &str) -> bool {
    let mut characters = label.chars();
    let first = characters.next();
    let has_hyphens = characters.nth(1) == Some('-') && characters.next() == Some('-');
    let category = CodePointMapData::<GeneralCategory>::new();
    let begins_well = first.is_some_and(|c| !GeneralCategoryGroup::Mark.contains(category.get(c)));
    begins_well
        && !has_hyphens
        && label.char_indices().all(|(at, c)| match property(c) {
            // UTS #46 checks the rules of the joiners.
            Property::Valid | Property::Joiner => true,
            Property::Context => {
                let (before, after) = slice::split(label, at);
                is_in_context(before, c, slice::text(after, c.len_utf8()..), label)
            }
            Property::Disallowed => false,
        })
}

/// The derived property of a character (RFC 5892, section 2).
enum Property {
    /// PVALID
    Valid,
    /// CONTEXTJ
    Joiner,
    /// CONTEXTO
    Context,
    /// DISALLOWED or UNASSIGNED
    Disallowed,
}

/// Returns the derived property of a character, by the algorithm of RFC 5892, section 3.
fn property(c: char) -> Property {
    match c {
        // Exceptions (section 2.6).
        '\u{DF}' | '\u{3C2}' | '\u{6FD}' | '\u{6FE}' | '\u{F0B}' | '\u{3007}' => Property::Valid,
        '\u{B7}' | '\u{375}' | '\u{5F3}' | '\u{5F4}' | '\u{30FB}' => Property::Context,
        '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}' => Property::Context,
        '\u{640}' | '\u{7FA}' | '\u{302E}' | '\u{302F}' => Property::Disallowed,
        '\u{3031}'..='\u{3035}' | '\u{303B}' => Property::Disallowed,
        // LDH (section 2.5) and JoinControl (section 2.8).
        '-' | '0'..='9' | 'a'..='z' => Property::Valid,
        '\u{200C}' | '\u{200D}' => Property::Joiner,
        // IgnorableBlocks (section 2.4).
        '\u{20D0}'..='\u{20FF}' | '\u{1D100}'..='\u{1D24F}' => Property::Disallowed,
        _ if is_unstable(c) || is_old_jamo(c) || !is_letter_or_digit(c) => Property::Disallowed,
        _ => Property::Valid,
    }
}

/// Unstable and IgnorableProperties (RFC 5892, sections 2.2 and 2.3): case folding with normalization form KC changes
/// or removes the character.
fn is_unstable(c: char) -> bool {
    CodePointSetData::new::<ChangesWhenNfkcCasefolded>().contains(c)
        || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// OldHangulJamo (RFC 5892, section 2.9): a conjoining jamo, which is a part of a syllable.
fn is_old_jamo(c: char) -> bool {
    let of = CodePointMapData::<HangulSyllableType>::new().get(c);
    let old = [
        HangulSyllableType::LeadingJamo,
        HangulSyllableType::VowelJamo,
        HangulSyllableType::TrailingJamo,
    ];
    old.contains(&of)
}

/// LetterDigits (RFC 5892, section 2.1).
fn is_letter_or_digit(c: char) -> bool {
    use GeneralCategory as C;
    matches!(
        CodePointMapData::<GeneralCategory>::new().get(c),
        C::LowercaseLetter
            | C::UppercaseLetter
            | C::OtherLetter
            | C::DecimalNumber
            | C::ModifierLetter
            | C::NonspacingMark
            | C::SpacingMark
    )
}

/// Checks the CONTEXTO rule of a character between the two parts of its label (RFC 5892, appendices A.3 to A.9).
fn is_in_context(before: &str, c: char, after: &str, label: &str) -> bool {
    let script = |c: char| CodePointMapData::<Script>::new().get(c);
    match c {
        '\u{B7}' => before.ends_with('l') && after.starts_with('l'),
        '\u{375}' => after.starts_with(|c| script(c) == Script::Greek),
        '\u{5F3}' | '\u{5F4}' => before.ends_with(|c| script(c) == Script::Hebrew),
        '\u{30FB}' => {
            let scripts = [Script::Hiragana, Script::Katakana, Script::Han];
            label.contains(|c| scripts.contains(&script(c)))
        }
        '\u{660}'..='\u{669}' => !label.contains(|c| ('\u{6F0}'..='\u{6F9}').contains(&c)),
        _ => !label.contains(|c| ('\u{660}'..='\u{669}').contains(&c)),
    }
}
