//! Hosts in which UTS #46 changes nothing, so that only Punycode is left of ToASCII. Most hosts in Latin, Greek,
//! Cyrillic, Chinese, Japanese and Korean letters in lower case are such hosts.
//!
//! UTS #46 changes nothing in a host if each of its characters is *stable*, alone and beside any other stable
//! character:
//!
//! ```text
//! UTS #46, section 4           why it changes nothing
//!   1. map                     the character is valid, and is not mapped
//!   2. normalize               the character is normal, and composes with no character before it (NFC_QC=Yes, ccc=0)
//!   4. combining mark first    the character is not a mark
//!      joiners                 the character is not a joiner
//!      bidi                    its class is not R, AL or AN, so the rule does not apply to the host
//!      hyphens, lengths        this file checks them
//! ```
//!
//! If the answer is `None`, `idna` decides. The tests ask `idna` and the properties of Unicode about every character.
//! Not here: Punycode, which is in the crate `idna`, and all other hosts (`idna`).

/*
# The algorithm

    each character is a dot or stable (`is_stable`), and each label has no hyphen at an end, no hyphens in the third and
    fourth byte, and at least one byte; otherwise return `None`

    for each label (`push_label`): at most 63 bytes in the form for the DNS
        ASCII alone                  is copied
        otherwise                    at most 59 characters; `xn--` and its Punycode
    the whole has at most 253 bytes; otherwise the host is refused: `Some(None)`

For example, `bücher.example` becomes `xn--bcher-kva.example`. In `Bücher.example`, `B` is not stable, because UTS #46
maps it to `b`: the result is `None`.

A character of two bytes in UTF-8 has a bit in `OF_TWO_BYTES`. For `ü`, U+00FC, it is the bit 0xFC % 64 = 60 of the
number at the index 0xFC / 64 = 3. In its UTF-8, C3 BC, the first byte is 0xC0 + 3, and the second byte is 0x80 + 60.
*/

use alloc::string::String;

use idna::punycode;

use crate::transform::domain_names::LONGEST_LABEL;

/// The longest name of the DNS, in bytes (RFC 1035, section 2.3.4).
pub(crate) const LONGEST_NAME: usize = 253;

/// The bytes with which an A-label begins.
const ACE: &str = "xn--";

/// All stable characters that have two bytes in UTF-8: a number for each first byte from 0xC0 up, and a bit in it for
/// each second byte. A test computes the table.
static OF_TWO_BYTES: [u64; 32] = [
    0,
    0,
    0x88C3_5AFE_0000_0000,
    0xFFFF_FFFF_8080_0000,
    0x55A2_AAAA_AAAA_AAAA,
    0x54AA_AAAA_AAAA_A954,
    0xEE51_2D2A_4E24_3129,
    0xAA21_AAAA_B555_400F,
    0x93FA_AAAA_AAAA_AAAA,
    0xFFFF_FFFF_FFFF_AA85,
    0xFE00_FFFF_FFFF_FFFF,
    0xFFFF_FFE0_C0FF_FFFF,
    0,
    0x38AA_0000_0000_0000,
    0xFFFF_F000_0001_0000,
    0x1948_AAAA_AA80_7FFF,
    0xFFFF_0000_0000_0000,
    0xAAAA_AAAA_FFFF_FFFF,
    0xAAAA_AAAA_AAAA_A806,
    0xAAAA_AAAA_AAAA_D554,
    0xAAAA_AAAA_AAAA,
    0xFFFF_FFFF_FE00_0000,
    0xE77F,
    0,
    0xD6C0,
    0x0400_0000_0000,
    0,
    0x03FF_0200_4000_0000,
    0,
    0,
    0,
    0x03C0_0000_0000_0000,
];

/// Tells whether a character is certainly stable. The characters of three bytes are ranges in which every character is
/// stable: kana, ideographs, syllables of Hangul.
pub(super) fn is_stable(c: char) -> bool {
    let code = u32::from(c);
    match c {
        'a'..='z' | '0'..='9' | '-' => true,
        '\u{80}'..='\u{7FF}' => {
            let seconds = OF_TWO_BYTES.get(code as usize / 64).copied().unwrap_or_default();
            seconds >> (code % 64) & 1 != 0
        }
        'ぁ'..='ゖ' | 'ァ'..='ヺ' | 'ー'..='ヾ' => true,
        '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '가'..='힣' => true,
        _ => false,
    }
}

/// Tells whether UTS #46 certainly changes no character of a host: each character is stable, and no label is empty, has a
/// hyphen at an end, or has the hyphens of an A-label. Such a host is refused only if it is too long.
pub(crate) fn is_unchanged(host: &str) -> bool {
    host.as_bytes().split(|byte| *byte == b'.').all(has_plain_hyphens)
        && host.chars().all(|c| c == '.' || is_stable(c))
}

/// Tells whether a label is not empty, has no hyphen at an end, and has no hyphens in the third and fourth byte, which may
/// be those of an A-label.
fn has_plain_hyphens(label: &[u8]) -> bool {
    !matches!(label, [] | [b'-', ..] | [.., b'-'] | [_, _, b'-', b'-', ..])
}

/// Tells whether `mapped` of `idna` certainly returns a name as it is. It refuses no length and no hyphen, so only
/// A-labels matter beside the characters.
pub(super) fn is_mapped_to_itself(name: &str) -> bool {
    name.chars().all(|c| matches!(c, '.' | '_') || is_stable(c)) && !name.contains("xn--")
}

/// Returns the Unicode form of an A-label whose characters are stable. `None` if `idna` decides.
pub(super) fn of_a_label(label: &str) -> Option<String> {
    // `idna` refuses an A-label that ends with a hyphen. Letters in upper case are mapped first.
    let code = label.strip_prefix("xn--").filter(|code| !code.ends_with('-'))?;
    if label.len() > LONGEST_LABEL || !code.bytes().all(|byte| is_stable(char::from(byte))) {
        return None;
    }
    let letters = punycode::decode_to_string(code)?;
    let is_certain = !letters.is_ascii()
        && letters.chars().all(is_stable)
        && has_plain_hyphens(letters.as_bytes());
    is_certain.then_some(letters)
}

/// Returns a host in its form for the DNS, if UTS #46 certainly changes no character of it: `Some(None)` if the host is
/// too long, and `None` if `idna` decides.
// The only table of Unicode that it reads is a line of the table above. Measured: `docs/performance/notes.md`, "Hosts".
pub(crate) fn to_ascii(host: &str) -> Option<Option<String>> {
    is_unchanged(host).then(|| encoded(host))
}

/// Returns a host of stable characters in its form for the DNS, or `None` if it is too long.
fn encoded(host: &str) -> Option<String> {
    // Each character has at least one byte in the form for the DNS.
    if host.len() > 4 * LONGEST_NAME {
        return None;
    }
    let mut ascii = String::with_capacity(2 * host.len());
    for (number, label) in host.split('.').enumerate() {
        ascii.push_str(if number > 0 { "." } else { "" });
        push_label(label, &mut ascii)?;
    }
    (ascii.len() <= LONGEST_NAME).then_some(ascii)
}

/// Appends a label of stable characters in its form for the DNS.
#[inline(never)]
fn push_label(label: &str, out: &mut String) -> Option<()> {
    let start = out.len();
    if label.is_ascii() {
        out.push_str(label);
    } else {
        // Punycode takes quadratic time. It has at least one digit for each character, so a label of more characters is
        // refused before.
        if label.chars().count() > LONGEST_LABEL - ACE.len() {
            return None;
        }
        out.push_str(ACE);
        out.push_str(&punycode::encode_str(label)?);
    }
    (out.len() - start <= LONGEST_LABEL).then_some(())
}

#[cfg(test)]
mod tests {
    use icu_properties::CodePointMapData;
    use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
    use idna::AsciiDenyList;
    use idna::uts46::{DnsLength, Hyphens, Uts46};
    use unicode_bidi::BidiClass;
    use unicode_normalization::char::canonical_combining_class;
    use unicode_normalization::{IsNormalized, is_nfc_quick};

    use super::{OF_TWO_BYTES, is_stable, is_unchanged, of_a_label, to_ascii};

    /// The definition: the table at the head of the file, computed from the data of the crates.
    fn is_defined(c: char) -> bool {
        let label = c.to_string();
        let (hyphens, deny) = (Hyphens::CheckFirstLast, AsciiDenyList::STD3);
        let (mapped, valid) = Uts46::new().to_unicode(label.as_bytes(), deny, hyphens);
        let category = CodePointMapData::<GeneralCategory>::new().get(c);
        let class = unicode_bidi::bidi_class(c);
        valid.is_ok()
            && mapped == label
            && is_nfc_quick([c].into_iter()) == IsNormalized::Yes
            && canonical_combining_class(c) == 0
            && !GeneralCategoryGroup::Mark.contains(category)
            && !matches!(c, '\u{200C}' | '\u{200D}')
            && !matches!(class, BidiClass::R | BidiClass::AL | BidiClass::AN)
    }

    /// The result of `idna` for a host, by the options that the library uses.
    fn expected(host: &str) -> Option<String> {
        let (deny, hyphens) = (super::super::idna::DENIED, Hyphens::CheckFirstLast);
        let ascii =
            Uts46::new().to_ascii(host.as_bytes(), deny, hyphens, DnsLength::VerifyAllowRootDot);
        ascii.ok().map(|ascii| ascii.into_owned())
    }

    #[test]
    fn every_stable_character_is_one_by_definition() {
        let mut table = [0_u64; OF_TWO_BYTES.len()];
        let mut count = 0;
        for c in ('\u{80}'..=char::MAX).filter(|c| is_defined(*c)) {
            if let Some(seconds) = table.get_mut(c as usize / 64) {
                *seconds |= 1 << (c as u32 % 64);
            }
            count += u32::from(is_stable(c));
        }
        assert!(table == OF_TWO_BYTES, "the table is: {table:#X?}");
        let stable = ('\u{80}'..=char::MAX).filter(|c| is_stable(*c)).count();
        assert_eq!(stable, count as usize, "some are not by definition");
        println!("{count} stable characters");
    }

    #[test]
    fn a_host_of_stable_characters_becomes_what_idna_makes_of_it() {
        let all: Vec<char> = ('\u{80}'..=char::MAX).filter(|c| is_stable(*c)).collect();
        let few: Vec<char> = all.iter().copied().filter(|c| *c < '\u{250}').collect();
        let (mut seed, mut made, mut asked) = (1_u64, 0, 0);
        let mut random = move |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        let mut check = |host: &str| {
            if let Some(ascii) = to_ascii(host) {
                assert_eq!(ascii, expected(host), "{host}");
                made += 1;
            }
            if super::is_mapped_to_itself(host) {
                let (deny, hyphens) = (AsciiDenyList::EMPTY, Hyphens::Allow);
                let mapped = Uts46::new().to_unicode(host.as_bytes(), deny, hyphens).0;
                assert_eq!(mapped, host);
            }
            asked += 1;
        };
        // Each character alone, twice, and beside ASCII and another character.
        for (c, other) in all.iter().zip(all.iter().rev()) {
            for host in [format!("{c}"), format!("a{c}{c}-1.b"), format!("x.{other}é{c}")] {
                check(&host);
            }
        }
        for _ in 0..400_000 {
            let mut host = String::new();
            let longest = if random(20) == 0 { 80 } else { 12 };
            for _ in 0..random(longest) {
                host.push(match random(8) {
                    0 => ['-', '.', '.', 'Z', '_', '\u{301}', '\u{5D0}', '\u{200D}', '\u{1100}']
                        [random(9)],
                    1..=3 => b"abcxn019-"[random(9)] as char,
                    4 | 5 => few[random(few.len())],
                    _ => all[random(all.len())],
                });
            }
            check(&host);
        }
        let share = made as f64 / asked as f64;
        println!("{made} of {asked} hosts");
        assert!(share > 0.4, "{share}");
    }
    /// Labels that begin with `xn--`, by the Punycode of texts and by random digits.
    #[test]
    fn an_a_label_of_stable_characters_stands_for_what_idna_makes_of_it() {
        let all: Vec<char> = ('\u{80}'..=char::MAX).filter(|c| is_stable(*c)).collect();
        let (mut seed, mut made) = (7_u64, 0);
        let mut random = move |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        for number in 0..300_000 {
            let label = if number % 3 == 0 {
                let code = (0..random(9)).map(|_| b"abcz09-KV"[random(9)] as char);
                format!("xn--{}", code.collect::<String>())
            } else {
                let letters = (0..1 + random(14)).map(|_| match random(9) {
                    0 => ['-', 'A', '_', '\u{301}', '\u{5D0}', 'Ü', '\u{200D}'][random(7)],
                    1..=4 => b"abcxn019-"[random(9)] as char,
                    _ => all[random(all.len())],
                });
                let code = idna::punycode::encode_str(&letters.collect::<String>());
                format!("xn--{}", code.unwrap_or_default())
            };
            let Some(letters) = of_a_label(&label) else { continue };
            let (strict, loose) = (AsciiDenyList::STD3, AsciiDenyList::EMPTY);
            for (deny, hyphens) in [(strict, Hyphens::CheckFirstLast), (loose, Hyphens::Allow)] {
                let (shown, result) = Uts46::new().to_unicode(label.as_bytes(), deny, hyphens);
                assert_eq!((&*shown, result.is_ok()), (&*letters, true), "{label}");
            }
            assert!(is_unchanged(&letters), "{letters}");
            made += 1;
        }
        assert!(made > 50_000, "{made}");
    }

    /// A label is refused by the number of its characters before Punycode, and so is a host by its length.
    #[test]
    fn a_host_that_is_too_long_is_refused() {
        for (host, is_name) in [
            (format!("{}.example", "ü".repeat(50)), true),
            (format!("{}.example", "ü".repeat(60)), false),
            ("ü".repeat(65_000), false),
            ("ü.".repeat(40) + "a", expected(&("ü.".repeat(40) + "a")).is_some()),
            ("ü.".repeat(30) + "a", expected(&("ü.".repeat(30) + "a")).is_some()),
            ("日.".repeat(300) + "a", false),
            // Each character is another one, for which Punycode has the most work.
            (('\u{4E00}'..='\u{9FFF}').collect(), false),
        ] {
            let ascii = to_ascii(&host);
            assert_eq!(ascii, Some(expected(&host)), "{host}");
            assert_eq!(ascii.flatten().is_some(), is_name, "{host}");
        }
    }
}
