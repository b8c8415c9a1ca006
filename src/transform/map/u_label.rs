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

    for each character of the host:
        `.`                          end the label (`push_label`)
        stable (`is_stable`)         go on
        any other character          return `None`
    end the last label; the whole has at most 253 bytes

    push_label: no hyphen at an end, no hyphens in the third and fourth byte, and 1 to 63 bytes in the form for the DNS
        ASCII alone                  is copied
        otherwise                    `xn--` and its Punycode

For example, `bücher.example` becomes `xn--bcher-kva.example`. In `Bücher.example`, `B` is not stable, because UTS #46
maps it to `b`: the result is `None`.

A character of two bytes in UTF-8 has a bit in `OF_TWO_BYTES`. For `ü`, U+00FC, it is the bit 0xFC % 64 = 60 of the
number at the index 0xFC / 64 = 3. In its UTF-8, C3 BC, the first byte is 0xC0 + 3, and the second byte is 0x80 + 60.
*/

use alloc::string::String;

use idna::punycode;

use crate::scan::slice;

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
fn is_stable(c: char) -> bool {
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

/// Returns a host in its form for the DNS, if UTS #46 certainly changes no character of it.
// PERF: a `Location` with `bücher.example` takes 3,200 instructions through C in place of 5,800 (callgrind, AVX2). The
// only table of Unicode that it reads is a line of the table above.
pub(super) fn to_ascii(host: &str) -> Option<String> {
    let mut ascii = String::with_capacity(2 * host.len());
    let (mut start, mut is_ascii) = (0, true);
    for (at, c) in host.char_indices() {
        if c == '.' {
            push_label(slice::text(host, start..at), is_ascii, &mut ascii)?;
            ascii.push('.');
            (start, is_ascii) = (at + 1, true);
        } else if is_stable(c) {
            is_ascii &= c.is_ascii();
        } else {
            return None;
        }
    }
    push_label(slice::text(host, start..), is_ascii, &mut ascii)?;
    (ascii.len() <= 253).then_some(ascii)
}

/// Appends a label of stable characters in its form for the DNS.
#[inline(never)]
fn push_label(label: &str, is_ascii: bool, out: &mut String) -> Option<()> {
    let bytes = label.as_bytes();
    let has_hyphen = bytes.starts_with(b"-") || bytes.ends_with(b"-");
    // A label with hyphens in the third and fourth byte may be an A-label.
    if has_hyphen || bytes.get(2..4) == Some(b"--") {
        return None;
    }
    let start = out.len();
    if is_ascii {
        out.push_str(label);
    } else {
        out.push_str("xn--");
        out.push_str(&punycode::encode_str(label)?);
    }
    matches!(out.len() - start, 1..=63).then_some(())
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

    use super::{OF_TWO_BYTES, is_stable, to_ascii};

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
            let ascii = to_ascii(host);
            if ascii.is_some() {
                assert_eq!(ascii, expected(host), "{host}");
                made += 1;
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
}
