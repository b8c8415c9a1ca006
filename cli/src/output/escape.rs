//! Makes text safe to print: escapes characters that would change how a terminal or a reader sees the
//! text around them.

use std::fmt;
use std::io::{self, Write};

use memchr::memchr2;
use simd_iri::IriRef;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::invariant::present;

/// Tells whether a character is hidden: a control, a character that changes the direction of the text
/// around it, or a line or paragraph separator.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Tells whether a character is not seen: a hidden character, or one that has no glyph
/// (`Default_Ignorable_Code_Point`). A message has its escape; an item may need it, as emoji need joiners.
pub(crate) fn is_unseen(c: char) -> bool {
    is_hidden(c)
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
            | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}')
}

/// Tells whether a text holds a hidden character.
pub(crate) fn hides(text: &str) -> bool {
    may_hide(text.as_bytes()) && text.chars().any(is_hidden)
}

/// Tells whether a text holds a byte that begins a hidden character.
///
/// PERF: hardly any text has such a byte, and a search for these bytes is much faster than a question about each
/// character. The loop has no early exit, so the compiler vectorizes it.
fn may_hide(text: &[u8]) -> bool {
    let begins_hidden = |byte: u8| matches!(byte, 0..=0x1F | 0x7F | 0xC2 | 0xD8 | 0xE2);
    text.iter().fold(false, |found, byte| found | begins_hidden(*byte))
}

/// Tells whether a reference holds a hidden character. The only hidden characters that it can hold are the marks that
/// change a direction. They begin with one of three pairs of bytes: D8 9C, E2 80 or E2 81.
pub(crate) fn reference_hides(iri: IriRef<'_>) -> bool {
    let text = iri.as_str();
    let begins_mark = |first: u8, second: u8| {
        (first == 0xD8) & (second == 0x9C) | (first == 0xE2) & (second & 0xFE == 0x80)
    };
    let pairs = text.bytes().zip(text.bytes().skip(1));
    memchr2(0xD8, 0xE2, text.as_bytes()).is_some()
        && pairs.fold(false, |found, (first, second)| found | begins_mark(first, second))
        && text.chars().any(is_hidden)
}

/// Splits a text into runs without hidden characters. With each run comes the hidden character after it, if there
/// is one.
pub(crate) fn runs(text: &str) -> impl Iterator<Item = (&str, Option<char>)> {
    text.split_inclusive(is_hidden).map(|run| {
        let hidden = run.chars().next_back().filter(|c| is_hidden(*c));
        (hidden.and_then(|c| run.strip_suffix(c)).unwrap_or(run), hidden)
    })
}

/// Displays bytes as text: hidden characters as `\u{202e}`, and bytes that are not UTF-8 as `\xFF`.
pub(crate) struct Escaped<'a>(pub(crate) &'a [u8]);

impl Escaped<'_> {
    /// Returns the width of the text in cells of a terminal.
    pub(crate) fn width(&self) -> usize {
        match std::str::from_utf8(self.0) {
            Ok(text) if !hides(text) => text.width(),
            _ => self.to_string().width(),
        }
    }

    /// Appends the text as it is displayed.
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        match std::str::from_utf8(self.0) {
            Ok(text) if !hides(text) => out.extend_from_slice(self.0),
            _ => {
                let written = write!(out, "{self}");
                debug_assert!(written.is_ok(), "a vector takes all bytes");
            }
        }
    }
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for (plain, hidden) in runs(chunk.valid()) {
                f.write_str(plain)?;
                if let Some(hidden) = hidden {
                    write!(f, "{}", hidden.escape_unicode())?;
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02X}")?;
            }
        }
        Ok(())
    }
}

/// Appends a message with hidden characters escaped.
///
/// PERF: a message has many pieces, and they are searched together.
pub(crate) fn append_shown(out: &mut Vec<u8>, message: &impl fmt::Display) -> io::Result<()> {
    let start = out.len();
    write!(out, "{message}")?;
    let text = present(out.get(start..));
    if may_hide(text) {
        let shown = Escaped(text).to_string();
        out.truncate(start);
        out.extend_from_slice(shown.as_bytes());
    }
    Ok(())
}

/// Writes bytes unchanged, or, on a terminal, with hidden characters escaped.
pub(crate) fn write(out: &mut impl Write, bytes: &[u8], terminal: bool) -> io::Result<()> {
    if terminal { write!(out, "{}", Escaped(bytes)) } else { out.write_all(bytes) }
}

/// Writes running text as [`write()`] does, but does not escape tabs and newlines.
pub(crate) fn write_text(out: &mut impl Write, bytes: &[u8], terminal: bool) -> io::Result<()> {
    if !terminal {
        return out.write_all(bytes);
    }
    let mut rest = bytes;
    while let Some(at) = memchr2(b'\n', b'\t', rest) {
        let (text, after) = rest.split_at_checked(at).unwrap_or((rest, &[]));
        let (kept, after) = after.split_at_checked(1).unwrap_or((after, &[]));
        let line = text.strip_suffix(b"\r").filter(|_| kept == b"\n");
        write!(out, "{}", Escaped(line.unwrap_or(text)))?;
        out.write_all(kept)?;
        rest = after;
    }
    write!(out, "{}", Escaped(rest))
}

/// Returns the length of the longest beginning, of whole characters, that fits in some cells.
pub(crate) fn fitting(bytes: &[u8], cells: usize) -> usize {
    let (mut used, mut length) = (0, 0);
    // Only a window is read, because the text may have a million characters.
    for (bytes, width) in widths(window(bytes, cells)) {
        used += width;
        if used > cells {
            break;
        }
        length += bytes;
    }
    length
}

/// Returns the length of the longest end, of whole characters, that fits in some cells.
pub(crate) fn fitting_at_end(bytes: &[u8], cells: usize) -> usize {
    // The window begins with a whole character.
    let least = bytes.len().saturating_sub(most_bytes(cells));
    let window = present(bytes.get(boundary(bytes, least)..));
    let mut used: usize = widths(window).map(|(_, width)| width).sum();
    let mut length = window.len();
    for (bytes, width) in widths(window) {
        if used <= cells {
            break;
        }
        used -= width;
        length -= bytes;
    }
    length
}

/// Returns how many bytes an excerpt has at most. The limit is for characters that take no cell.
fn most_bytes(cells: usize) -> usize {
    cells.saturating_mul(8)
}

/// Returns the beginning of a text that is read to fill some cells.
fn window(bytes: &[u8], cells: usize) -> &[u8] {
    let end = most_bytes(cells);
    bytes.get(..boundary(bytes, end)).unwrap_or(bytes)
}

/// Returns the first character boundary at or after `at`.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let inside = bytes.iter().skip(at).take_while(|byte| **byte & 0xC0 == 0x80);
    (at + inside.take(3).count()).min(bytes.len())
}

/// Returns the length in bytes and the width in cells of each character, and of each byte that is not
/// UTF-8.
fn widths(bytes: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().chars().map(|c| (c.len_utf8(), cells(c)));
        valid.chain(chunk.invalid().iter().map(|_| (1, "\\xFF".len())))
    })
}

/// Returns how many cells a character takes at most. In a text it may take fewer, because emoji join.
fn cells(c: char) -> usize {
    match c {
        c if is_hidden(c) => c.escape_unicode().count(),
        // A variation selector can widen the character before it.
        '\u{FE0F}' => 1,
        c => c.width().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_character_is_found_in_every_text_and_in_every_reference() {
        for c in '\0'..=char::MAX {
            let text = format!("http://a/é{c}b");
            assert_eq!(hides(&text), is_hidden(c), "{c:?}");
            assert!(!is_hidden(c) || c.len_utf16() == 1, "JSON has one escape for {c:?}");
            if let Ok(iri) = IriRef::parse(&text) {
                assert_eq!(reference_hides(iri), is_hidden(c), "{c:?}");
            }
        }
    }

    #[test]
    fn hidden_characters_are_escaped() {
        let shown = Escaped(b"a\x07\t\xE2\x80\xAEb\xC2\x85\xFF\xE2\x82c").to_string();
        assert_eq!(shown, r"a\u{7}\u{9}\u{202e}b\u{85}\xFF\xE2\x82c");
        assert_eq!(Escaped("céu 例え \u{200D}".as_bytes()).to_string(), "céu 例え \u{200D}");
    }

    #[test]
    fn width_is_what_is_shown() {
        assert_eq!(Escaped("例え\n".as_bytes()).width(), 4 + 5);
    }

    #[test]
    fn what_fits_is_no_wider_than_its_cells() {
        let pieces = ["a", "例", "\u{301}", "\u{7}", "❤\u{FE0F}", "👩\u{200D}👧", "é", "🇩🇪"];
        let mut state = 1_u64;
        for _ in 0..5_000 {
            let mut text = Vec::new();
            for _ in 0..12 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                match (state >> 33) as usize % (pieces.len() + 1) {
                    0 => text.push(0xE2),
                    n => text.extend_from_slice(pieces[n - 1].as_bytes()),
                }
            }
            for cells in 0..20 {
                let head = &text[..fitting(&text, cells)];
                let tail = &text[text.len() - fitting_at_end(&text, cells)..];
                for part in [head, tail] {
                    assert!(Escaped(part).width() <= cells, "{cells} {part:?}");
                }
            }
            assert_eq!(fitting(&text, 1_000), text.len());
            assert_eq!(fitting_at_end(&text, 1_000), text.len());
        }
    }

    #[test]
    fn text_keeps_its_lines() {
        let mut shown = Vec::new();
        write_text(&mut shown, b"a\tb\r\nc\rd\x1B\n", true).unwrap();
        assert_eq!(shown, b"a\tb\nc\\u{d}d\\u{1b}\n");
    }
}
