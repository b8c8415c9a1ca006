//! The lines of a text.
//!
//! Not here: `batch` of the library. It would make the smallest module larger by more than a third, and most of the time of a
//! call is in the copy of the text.

use simd_iri::Rule;

use crate::utf16;

/// The first offset of a line that does not match.
const REFUSED: u32 = u32::MAX;

/// Counts the lines, and those that match a rule.
pub(crate) fn count(rule: Rule, text: &str) -> (u32, u32) {
    let (mut lines, mut valid) = (0, 0);
    for line in text.lines() {
        lines += 1;
        valid += u32::from(rule.parse(line).is_ok());
    }
    (lines, valid)
}

/// Writes a row of nine numbers of 32 bits for each line: where the line begins in UTF-16, and the offsets of its
/// components, counted from there, as in [`utf16::of_parts`]. The row of a line that does not match has the length of the
/// line at its end, and [`REFUSED`] before. Returns the number of lines.
pub(crate) fn write(rule: Rule, text: &str, out: &mut Vec<u8>) -> usize {
    let (mut lines, mut rest, mut unit) = (0, text, 0);
    while let Some(line) = rest.lines().next() {
        let row = match rule.parse(line) {
            Ok(parts) => utf16::offsets(line.as_bytes(), utf16::of_parts(&parts)),
            Err(_) => [REFUSED, 0, 0, 0, 0, 0, 0, utf16::length(line.as_bytes())],
        };
        out.extend([unit].iter().chain(&row).flat_map(|number| number.to_le_bytes()));
        let [.., units] = row;
        let after = rest.get(line.len()..).unwrap_or_default();
        rest = after.strip_prefix("\r\n").or(after.strip_prefix('\n')).unwrap_or_default();
        (lines, unit) = (lines + 1, unit + units + (after.len() - rest.len()) as u32);
    }
    lines
}
