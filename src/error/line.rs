//! A line of text that is made in memory of the stack and written at once, and the form of the messages. Not here: the
//! words of the messages (`error`).
#![forbid(unsafe_code)]

use core::fmt;

/// Most messages have fewer bytes.
const ROOM: usize = 192;

/// The text of a message before it is written. A message has a dozen parts, and the formatter of the standard library
/// needs more time for one call than the parts need together.
// `append` appends each part. If the room is too small for a part, the parts before it are written, and the room is used
// again. For example, with a room of 8 bytes:
//
//     parts   `'|'`   ` at byte `   31   ` is`
//     room    `'|'`   empty         `31` `31 is`
//     written         `'|' at byte `            at the end: `31 is`
//
// Invariant: the first `length` bytes are whole parts, and so they are UTF-8.
pub(crate) struct Line<'a, 'f> {
    out: &'a mut fmt::Formatter<'f>,
    bytes: [u8; ROOM],
    length: usize,
}

impl<'a, 'f> Line<'a, 'f> {
    pub(crate) fn new(out: &'a mut fmt::Formatter<'f>) -> Self {
        Self { out, bytes: [0; ROOM], length: 0 }
    }

    /// Appends a text.
    ///
    /// # Errors
    /// The text before it cannot be written.
    pub(crate) fn text(&mut self, text: &str) -> fmt::Result {
        if self.append(text.as_bytes())? { Ok(()) } else { self.out.write_str(text) }
    }

    /// Appends a part whose bytes are UTF-8. Returns false if the part is longer than the room, and then the line is
    /// empty.
    ///
    /// # Errors
    /// The text before it cannot be written.
    // One copy for all parts. Measured: `docs/performance/notes.md`, "Size of a program that parses".
    #[inline(never)]
    fn append(&mut self, part: &[u8]) -> Result<bool, fmt::Error> {
        if part.len() > ROOM - self.length {
            self.flush()?;
        }
        let end = self.length + part.len();
        let Some(room) = self.bytes.get_mut(self.length..end) else { return Ok(false) };
        copy(part, room);
        self.length = end;
        Ok(true)
    }

    /// Appends the digits of a number. `least` is the least number of digits.
    ///
    /// # Errors
    /// The text before it cannot be written.
    // The base is a constant, so that the division is a multiplication.
    fn number<const BASE: u32>(&mut self, mut number: u32, least: usize) -> fmt::Result {
        // The greatest number has ten digits in base 10.
        let mut digits = [b'0'; 10];
        let mut first = digits.len();
        for digit in digits.iter_mut().rev() {
            *digit = match (number % BASE) as u8 {
                value @ 0..=9 => b'0' + value,
                value => b'A' - 10 + value,
            };
            number /= BASE;
            first -= 1;
            if number == 0 {
                break;
            }
        }
        let first = first.min(digits.len().saturating_sub(least));
        self.append(digits.get(first..).unwrap_or_default()).map(drop)
    }

    /// Writes the text so far.
    ///
    /// # Errors
    /// The text cannot be written.
    pub(crate) fn flush(&mut self) -> fmt::Result {
        let length = core::mem::take(&mut self.length);
        let text = self.bytes.get(..length).and_then(|bytes| core::str::from_utf8(bytes).ok());
        self.out.write_str(text.unwrap_or_default())
    }
}

/// Copies a part to a room of its length.
///
/// The two arrays may overlap. Measured: `docs/performance/notes.md`, "Short copies".
fn copy(part: &[u8], room: &mut [u8]) {
    match part.len() {
        33.. => room.copy_from_slice(part),
        16.. => copy_edges::<16>(part, room),
        8.. => copy_edges::<8>(part, room),
        4.. => copy_edges::<4>(part, room),
        _ => room.iter_mut().zip(part).for_each(|(place, byte)| *place = *byte),
    }
}

/// Copies the first and the last `N` bytes of a part of at least `N` bytes to a room of its length.
#[inline(always)]
fn copy_edges<const N: usize>(part: &[u8], room: &mut [u8]) {
    if let (Some(first), Some(start)) = (part.first_chunk::<N>(), room.first_chunk_mut()) {
        *start = *first;
    }
    if let (Some(last), Some(end)) = (part.last_chunk::<N>(), room.last_chunk_mut()) {
        *end = *last;
    }
}

/// A part of a line.
pub(crate) trait Part {
    /// Appends the part to a line.
    ///
    /// # Errors
    /// The text before it cannot be written.
    fn put(self, line: &mut Line<'_, '_>) -> fmt::Result;
}

impl Part for &str {
    fn put(self, line: &mut Line<'_, '_>) -> fmt::Result {
        line.text(self)
    }
}

/// A number in decimal digits.
impl Part for u32 {
    fn put(self, line: &mut Line<'_, '_>) -> fmt::Result {
        line.number::<10>(self, 1)
    }
}

/// A number in hexadecimal digits, and the least number of its digits.
pub(crate) struct Hex(pub(crate) u32, pub(crate) usize);

impl Part for Hex {
    fn put(self, line: &mut Line<'_, '_>) -> fmt::Result {
        let Self(number, least) = self;
        line.number::<16>(number, least)
    }
}

/// A character in a message: in quotes if it can be shown in a line, and by number if it is outside ASCII or cannot be
/// shown.
pub struct ShownChar(pub char);

impl Part for ShownChar {
    fn put(self, line: &mut Line<'_, '_>) -> fmt::Result {
        let Self(ch) = self;
        let (mut quoted, is_shown) = ([b'\''; 6], is_shown(ch));
        if is_shown {
            let length = quoted.get_mut(1..5).map_or(0, |room| ch.encode_utf8(room).len());
            line.append(quoted.get(..length + 2).unwrap_or_default())?;
            if ch.is_ascii() {
                return Ok(());
            }
        }
        line.text(if is_shown { " (U+" } else { "U+" })?;
        Hex(u32::from(ch), 4).put(line)?;
        line.text(if is_shown { ")" } else { "" })
    }
}

/// Tells whether a character can be shown in a line.
pub(super) fn is_shown(ch: char) -> bool {
    match ch {
        _ if ch.is_ascii() => !ch.is_ascii_control(),
        // Characters for private use.
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'.. => false,
        // Outside ASCII, `escape_debug` escapes the characters that cannot be shown in a line: control, format,
        // private-use, combining and unassigned characters, and white space.
        _ => ch.escape_debug().len() == 1,
    }
}

impl fmt::Display for ShownChar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line::new(f);
        Self(self.0).put(&mut line)?;
        line.flush()
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    /// Parts, written as a line.
    struct Parts<'a>(&'a [&'a str]);

    impl fmt::Display for Parts<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let Self(parts) = self;
            let mut line = Line::new(f);
            parts.iter().try_for_each(|part| part.put(&mut line))?;
            line.flush()
        }
    }

    #[test]
    fn a_line_is_its_parts() {
        let text: String = ('a'..='z').chain(['é', '例', '😀']).cycle().take(2 * ROOM).collect();
        let part = |length| {
            text.get(..(0..=length).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0))
                .unwrap_or_default()
        };
        for first in 0..ROOM + 9 {
            for second in [0, 1, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, ROOM - 1, ROOM, ROOM + 1] {
                let parts = [part(first), part(second), "|", part(first)];
                assert_eq!(format!("{}", Parts(&parts)), parts.concat(), "{first} {second}");
            }
        }
    }
}
