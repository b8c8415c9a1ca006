//! A line of text that is made in memory of the stack and written at once, and the form of the messages. Not here: the
//! words of the messages (`error`).
#![forbid(unsafe_code)]

use core::fmt;

/// Most messages have fewer bytes.
const ROOM: usize = 192;

/// The text of a message before it is written. A message has a dozen parts, and the formatter of the standard library
/// needs more time for one call than the parts need together.
// `text` appends each part. If the room is too small for a part, the parts before it are written, and the room is used
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
    // PERF: one copy for all parts. Inlined, it is 6.5 KB of each program that parses and prints the error.
    #[inline(never)]
    pub(crate) fn text(&mut self, text: &str) -> fmt::Result {
        if text.len() > ROOM - self.length {
            self.flush()?;
        }
        let end = self.length + text.len();
        match self.bytes.get_mut(self.length..end) {
            Some(room) => {
                room.copy_from_slice(text.as_bytes());
                self.length = end;
                Ok(())
            }
            None => self.out.write_str(text),
        }
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
        let digits = digits.get(first..).and_then(|digits| core::str::from_utf8(digits).ok());
        self.text(digits.unwrap_or_default())
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
pub(crate) struct Shown(pub(crate) char);

impl Part for Shown {
    fn put(self, line: &mut Line<'_, '_>) -> fmt::Result {
        let Self(ch) = self;
        let (mut quoted, is_shown) = ([b'\''; 6], is_shown(ch));
        if is_shown {
            let length = quoted.get_mut(1..5).map_or(0, |room| ch.encode_utf8(room).len());
            let quoted = quoted.get(..length + 2).and_then(|text| core::str::from_utf8(text).ok());
            line.text(quoted.unwrap_or_default())?;
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
fn is_shown(ch: char) -> bool {
    match ch {
        _ if ch.is_ascii() => !ch.is_ascii_control(),
        // PERF: the search below is the longest for these characters, which are for private use.
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'.. => false,
        // Outside ASCII, `escape_debug` escapes the characters that cannot be shown in a line: control, format,
        // private-use, combining and unassigned characters, and white space.
        _ => ch.escape_debug().len() == 1,
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line::new(f);
        Self(self.0).put(&mut line)?;
        line.flush()
    }
}
