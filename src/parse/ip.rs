//! IP literals by masks: masks accept most IPv6 addresses at once, and not byte by byte.
//!
//! Not here: the definition, which is the automaton of `IP-literal` (`dfa`). It decides about all texts that the
//! masks do not accept, and the tests compare the masks with it.
#![forbid(unsafe_code)]

/*
An address without an IPv4 address at its end has groups of one to four digits, with colons between the groups. `::`
stands at most once, in place of one group or more. Each condition is a few operations on two masks:

    text      2 0 0 1 : d b 8 : : f f
    hexdig    1 1 1 1 . 1 1 1 . . 1 1
    colon     . . . . 1 . . . 1 1 . .
    begins    1 . . . . 1 . . . . 1 .    a digit, and no digit before it: the groups are counted
    double    . . . . . . . . 1 . . .    a colon, and a colon after it: at most one, and so no `:::`
    fives     . . . . . . . . . . . .    a digit, and four digits after it: none

Without `::` there are eight groups, and with `::` at most seven. A colon at an edge of the address must belong to `::`.
If a text of digits and colons does not meet these conditions, it is not an address. The automaton is not asked.
*/

use super::dfa;

/// The length of the longest address without an IPv4 address: eight groups of four digits, and seven colons.
const LONGEST: usize = 8 * 4 + 7;

/// Tells whether `literal`, which begins with a bracket, is an `IP-literal`. The masks are the hexadecimal digits and
/// the colons of the 64 bytes after the bracket. Bits may be missing.
// One function for all levels and lengths of a text.
#[inline(never)]
pub(super) fn is_literal(literal: &[u8], (hexdig, colon): (u64, u64)) -> bool {
    is_plain_address(literal, hexdig, colon).unwrap_or_else(|| dfa::matches_ip_literal(literal))
}

/// Tells whether `literal` is an `IPv6address` in brackets, without an IPv4 address at its end. Returns `None` if only
/// the automaton can tell: if the literal has a byte that is not a digit or a colon, if a bit of the masks is missing,
/// or if the literal is long. Ignores the bits of the masks after the address.
#[inline]
fn is_plain_address(literal: &[u8], hexdig: u64, colon: u64) -> Option<bool> {
    let [_, address @ .., b']'] = literal else { return None };
    if address.len() > LONGEST {
        return None;
    }
    let all = !(!0 << address.len());
    let (hexdig, colon) = (hexdig & all, colon & all);
    if hexdig | colon != all {
        return None;
    }
    let begins = hexdig & !(hexdig << 1);
    let double = colon & colon >> 1;
    let pairs = hexdig & hexdig >> 1;
    let fives = pairs & pairs >> 2 & hexdig >> 4;
    // The edges: the first byte and the last byte.
    let edges = all & !(all << 1) | all & !(all >> 1);
    let single = colon & !(double | double << 1);
    let groups = begins.count_ones();
    let is_address = fives | double & double.wrapping_sub(1) | single & edges == 0
        && if double == 0 { groups == 8 } else { groups < 8 };
    Some(is_address)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The masks of the bytes after the bracket of `literal`.
    fn masks(literal: &[u8]) -> (u64, u64) {
        let mask = |is_member: fn(&u8) -> bool| {
            let bytes = literal.iter().skip(1).take(64).enumerate();
            bytes.fold(0, |mask, (at, byte)| mask | u64::from(is_member(byte)) << at)
        };
        (mask(u8::is_ascii_hexdigit), mask(|byte| *byte == b':'))
    }

    /// Asserts that the masks give the answer of the automaton for a text in brackets of digits and colons only, if it
    /// is not long. For all other texts, they must not answer.
    fn assert_agrees(content: &[u8]) -> bool {
        let literal = [b"[", content, b"]"].concat();
        let (hexdig, colon) = masks(&literal);
        let is_address = dfa::matches_ip_literal(&literal);
        let is_plain = content.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b':');
        let told = is_plain_address(&literal, hexdig, colon);
        let expected = (is_plain && content.len() <= 39).then_some(is_address);
        assert_eq!(told, expected, "{}", content.escape_ascii());
        assert_eq!(is_literal(&literal, (hexdig, colon)), is_address, "{}", content.escape_ascii());
        // Masks with bits after the content, and no masks.
        let more = if content.len() < 64 { !0 << content.len() } else { 0 };
        assert_eq!(is_literal(&literal, (hexdig | more, colon | more)), is_address);
        assert_eq!(is_literal(&literal, (0, 0)), is_address);
        told == Some(true)
    }

    /// Asserts agreement on all texts of `letters` up to a length. Returns how many are addresses.
    fn assert_all_agree(letters: &[&[u8]], longest: usize) -> usize {
        let mut addresses = 0;
        let mut texts = vec![vec![]];
        for _ in 0..=longest {
            addresses += texts.iter().filter(|text| assert_agrees(text)).count();
            let longer = texts.iter().flat_map(|text| {
                letters.iter().map(move |letter| [text.as_slice(), letter].concat())
            });
            texts = longer.collect();
        }
        addresses
    }

    #[test]
    fn short_texts_are_what_the_automaton_says() {
        // Nine groups and eight colons need 17 letters; groups of five digits, fewer.
        assert!(assert_all_agree(&[b"1", b":"], 17) > 1000);
        assert!(assert_all_agree(&[b"F", b":", b".", b"v", b"]"], 6) > 10);
        assert!(assert_all_agree(&[b"a:", b":", b"0000", b"b"], 8) > 1000);
    }

    #[test]
    fn addresses_with_a_change_are_what_the_automaton_says() {
        // Every change of one or two bytes to other bytes that matter, in addresses of every form.
        let full: &[u8] = b"2001:db8:85a3:1234:5678:8a2e:0370:7334";
        let forms: [&[u8]; 8] = [
            full,
            b"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            b"::ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            b"1:2:3:4:5:6:7::",
            b"1::8",
            b"::",
            b"1:2:3:4:5:6:1.2.3.4",
            b"v1.a:b",
        ];
        let letters = b":0fG.%[]\0\x80";
        let mut changed: Vec<Vec<u8>> = forms.iter().map(|form| form.to_vec()).collect();
        for _ in 0..2 {
            let mut next = vec![];
            for text in &changed {
                assert_agrees(text);
                for at in 0..=text.len() {
                    for letter in letters {
                        next.push([&text[..at], &[*letter], &text[at..]].concat());
                        if at < text.len() {
                            next.push([&text[..at], &[*letter], &text[at + 1..]].concat());
                        }
                    }
                    if at < text.len() {
                        next.push([&text[..at], &text[at + 1..]].concat());
                    }
                }
            }
            next.sort();
            next.dedup();
            changed = next;
        }
        changed.iter().for_each(|text| {
            assert_agrees(text);
        });
    }

    #[test]
    fn each_length_has_its_masks() {
        // Longer than an address, and longer than a mask.
        for len in 0..140 {
            for text in [vec![b':'; len], vec![b'1'; len], b"1:".repeat(len), b":1".repeat(len)] {
                assert_agrees(&text);
            }
        }
    }
}
