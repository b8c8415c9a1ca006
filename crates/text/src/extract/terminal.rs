//! The control sequences of terminals (ECMA-48, section 5.4; xterm): colours, titles, hyperlinks. A terminal shows none of
//! their characters, so a sequence ends a word, and a word begins after it.
//!
//! Not here: where a sequence may begin (`candidates`), and what a link is (`detect`).

/*
# What a sequence is

    ESC [ or U+009B, parameters, one final character      CSI: `ESC[1;36m`
    ESC ] or U+009D, digits, `;`, text, an end            OSC: `ESC]0;title BEL`
    ESC, characters such as `(`, one final character      `ESC(B`
    ESC and one character                                 `ESC7`

The end of an OSC is BEL, `ESC \` or U+009C. A text of an OSC that is not ended stops before the first control or white
space. No sequence goes beyond white space, because a text is searched word by word. What begins like a CSI or an OSC and
goes on otherwise is only its introducer.

OSC 8 is a hyperlink: `ESC]8;PARAMETERS;ADDRESS` and an end. Its address is a reference as a whole.

In a text that is not UTF-8, the byte 0x9B or 0x9D may be an introducer.
*/

use core::ops::Range;

use super::reader::count;
use super::region::is_white;
use simd_iri::low::slice;

pub(crate) const ESCAPE: u8 = 0x1B;
const BELL: u8 = 0x07;
/// The introducers as bytes, and the last bytes of the introducers in UTF-8. Their first byte is [`C1_LEAD`].
pub(crate) const CSI: u8 = 0x9B;
pub(crate) const OSC: u8 = 0x9D;
pub(crate) const C1_LEAD: u8 = 0xC2;
/// The last byte of U+009C.
const TERMINATOR: u8 = 0x9C;

/// A control sequence.
pub(crate) struct Sequence {
    pub(crate) end: usize,
    /// The place of the address of a hyperlink.
    pub(crate) address: Option<Range<usize>>,
}

/// Returns the sequence that begins at `start`, with ESC or with an introducer of two bytes.
pub(crate) fn sequence(text: &[u8], start: usize) -> Sequence {
    let rest = slice::bytes(text, start..);
    let found = match rest {
        [ESCAPE, b'[', ..] | [C1_LEAD, CSI, ..] => body(CSI, slice::bytes(rest, 2..)),
        [ESCAPE, b']', ..] | [C1_LEAD, OSC, ..] => body(OSC, slice::bytes(rest, 2..)),
        _ => {
            let length = other(rest);
            count(length);
            return Sequence { end: start + length, address: None };
        }
    };
    count(found.end + 2);
    let at = start + 2;
    let address = found.address.map(|place| at + place.start..at + place.end);
    Sequence { end: at + found.end, address }
}

/// Returns the length of a sequence that has no parameters.
fn other(text: &[u8]) -> usize {
    let after = slice::bytes(text, 1.min(text.len())..);
    let middle = after.iter().take_while(|byte| matches!(byte, 0x21..=0x2F)).count();
    match after.get(middle) {
        Some(0x30..=0x7E) if middle > 0 => middle + 2,
        Some(0x30..=0x5F | b'c') if middle == 0 => 2,
        _ => 1,
    }
}

/// Returns the sequence after an introducer, at the start of a text.
pub(crate) fn body(introducer: u8, text: &[u8]) -> Sequence {
    let nothing = Sequence { end: 0, address: None };
    let length = |text: &[u8], is_in: fn(&u8) -> bool| text.iter().take_while(|b| is_in(b)).count();
    if introducer == CSI {
        let parameters = length(text, |byte| matches!(byte, 0x30..=0x3F));
        let rest = slice::bytes(text, parameters..);
        let middle = length(rest, |byte| matches!(byte, 0x21..=0x2F));
        return match rest.get(middle) {
            Some(0x40..=0x7E) => Sequence { end: parameters + middle + 1, address: None },
            _ => nothing,
        };
    }
    let digits = length(text, u8::is_ascii_digit);
    if digits == 0 || text.get(digits) != Some(&b';') {
        return nothing;
    }
    let start = digits + 1;
    let (stop, end) = ends(text, start);
    let address = (slice::bytes(text, ..digits) == b"8").then(|| {
        let parameters = slice::bytes(text, start..stop).iter().position(|byte| *byte == b';')?;
        Some(start + parameters + 1..stop).filter(|place| !place.is_empty())
    });
    Sequence { end, address: address.flatten() }
}

/// Returns the offset at which the text of an OSC ends, and the offset after its end.
fn ends(text: &[u8], start: usize) -> (usize, usize) {
    let mut at = start;
    while let Some(byte) = text.get(at) {
        match (*byte, text.get(at + 1)) {
            (BELL, _) => return (at, at + 1),
            (ESCAPE, Some(b'\\')) | (C1_LEAD, Some(&TERMINATOR)) => return (at, at + 2),
            (C1_LEAD, Some(0x80..=0x9F)) => break,
            (byte, _) if is_white(byte) || byte < b' ' || byte == 0x7F => break,
            _ => at += 1,
        }
    }
    (at, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_end_where_terminals_end_them() {
        for (text, sequence_length, address) in [
            ("\u{1B}[36mhttp", 5, ""),
            ("\u{1B}[mhttp", 3, ""),
            ("\u{1B}[1;34;4mx", 9, ""),
            ("\u{1B}[?25lx", 6, ""),
            ("\u{1B}[K\u{1B}[m", 3, ""),
            ("\u{9B}36mx", 5, ""),
            // Not complete.
            ("\u{1B}[36", 2, ""),
            ("\u{1B}[36\nm", 2, ""),
            ("\u{1B}", 1, ""),
            ("\u{1B}é", 1, ""),
            ("\u{1B}h", 1, ""),
            ("\u{1B}(Bx", 3, ""),
            ("\u{1B}7x", 2, ""),
            ("\u{1B}\\x", 2, ""),
            ("\u{1B}]0;a.com\u{7}x", 10, ""),
            ("\u{1B}]0;a.com x", 9, ""),
            ("\u{1B}]0;a\u{9C}x", 7, ""),
            ("\u{1B}]0;a\u{9B}x", 5, ""),
            ("\u{1B}]L;a\u{7}x", 2, ""),
            ("\u{9D}http://a", 2, ""),
            ("\u{1B}]8;;http://a/b.\u{1B}\\x", 18, "http://a/b."),
            ("\u{1B}]8;id=1:a=b;http://a/;\u{7}x", 24, "http://a/;"),
            ("\u{9D}8;;é\u{9C}x", 9, "é"),
            ("\u{1B}]8;;http://a", 13, "http://a"),
            ("\u{1B}]8;;\u{7}x", 6, ""),
            ("\u{1B}]8;\u{7}x", 5, ""),
        ] {
            let found = sequence(text.as_bytes(), 0);
            let shown = found.address.and_then(|place| text.get(place)).unwrap_or_default();
            assert_eq!((found.end, shown), (sequence_length, address), "{text:?}");
        }
    }
}
