//! The form of a message: a text with the names of values in braces, which the compiler cuts into parts.
//!
//! Not here: the words of the messages (`error`), and the line to which the parts are appended (`line`).
#![forbid(unsafe_code)]

/*
A part is a value or a text. The part of a value is one byte, its place in `MessageValue::ALL`. The part of a text is a byte
with the length of the text, to which the number of values is added, and then the text:

    message   '%' at byte {at} in {name}
    parts     18 `'%' at byte `  1  10 ` in `  3

So a message is a text in the program, and not instructions that append its parts. To write a message, nobody searches
for braces.
*/

/// A message as its parts.
#[derive(Clone, Copy)]
pub(crate) struct MessageTemplate(&'static str);

/// A value in a message.
#[derive(Clone, Copy)]
pub(crate) enum MessageValue {
    /// `{shown}`: the character.
    Shown,
    /// `{at}`: the byte offset.
    At,
    /// `{article}`: the article of the component.
    Article,
    /// `{name}`: the name of the component.
    Name,
    /// `{octet}`: the byte that is not UTF-8, in hexadecimal digits.
    Octet,
    /// `{edit}`: the new text of the correction.
    Edit,
}

/// The number of values.
const VALUES: usize = MessageValue::ALL.len();

impl MessageValue {
    const ALL: [Self; 6] =
        [Self::Shown, Self::At, Self::Article, Self::Name, Self::Octet, Self::Edit];

    /// Returns the value with this name in braces. No other name compiles.
    const fn named(name: &[u8]) -> Self {
        match name {
            b"{shown}" => Self::Shown,
            b"{at}" => Self::At,
            b"{article}" => Self::Article,
            b"{name}" => Self::Name,
            b"{octet}" => Self::Octet,
            _ => {
                assert!(matches!(name, b"{edit}"), "an unknown name");
                Self::Edit
            }
        }
    }
}

/// A part of a message.
pub(crate) enum Piece {
    Value(MessageValue),
    Text(&'static str),
}

/// Makes a [`MessageTemplate`] of a message.
macro_rules! template {
    ($message:literal) => {{
        const LENGTH: usize = $crate::error::template::cut::<0>($message).1;
        const PARTS: [u8; LENGTH] = $crate::error::template::cut($message).0;
        const TEMPLATE: $crate::error::template::MessageTemplate =
            $crate::error::template::MessageTemplate::of(&PARTS);
        TEMPLATE
    }};
}
pub(crate) use template;

/// Returns the first `N` bytes of the parts of a message, and the number of all bytes.
pub(crate) const fn cut<const N: usize>(message: &str) -> ([u8; N], usize) {
    let (mut parts, mut length) = ([0; N], 0);
    let mut rest = message.as_bytes();
    while let [brace, ..] = rest {
        let is_value = *brace == b'{';
        let (part, tail) = rest.split_at(end_of_part(rest));
        let first = if is_value { MessageValue::named(part) as usize } else { VALUES + part.len() };
        assert!(first < 128, "a text of a message is too long");
        length = put(&mut parts, length, first as u8);
        let mut text: &[u8] = if is_value { &[] } else { part };
        while let [byte, tail @ ..] = text {
            length = put(&mut parts, length, *byte);
            text = tail;
        }
        rest = tail;
    }
    (parts, length)
}

/// Returns the length of the value or the text at the start of a message.
#[expect(clippy::indexing_slicing, reason = "indices below the length, in the compiler")]
const fn end_of_part(message: &[u8]) -> usize {
    let is_value = message[0] == b'{';
    let mut end = 1;
    while end < message.len()
        && if is_value { message[end - 1] != b'}' } else { message[end] != b'{' }
    {
        end += 1;
    }
    end
}

/// Writes a byte if there is room, and returns the place after it.
#[expect(clippy::indexing_slicing, reason = "an index below the length, in the compiler")]
const fn put(parts: &mut [u8], at: usize, byte: u8) -> usize {
    if at < parts.len() {
        parts[at] = byte;
    }
    at + 1
}

impl MessageTemplate {
    /// Returns the message with these parts, which [`cut`] has made.
    pub(crate) const fn of(parts: &'static [u8]) -> Self {
        match core::str::from_utf8(parts) {
            Ok(parts) => Self(parts),
            Err(_) => Self(""),
        }
    }
}

/// The parts in their order.
impl Iterator for MessageTemplate {
    type Item = Piece;

    #[inline]
    fn next(&mut self) -> Option<Piece> {
        let first = usize::from(*self.0.as_bytes().first()?);
        let rest = self.0.get(1..)?;
        if let Some(value) = MessageValue::ALL.get(first) {
            self.0 = rest;
            return Some(Piece::Value(*value));
        }
        let (text, rest) = rest.split_at_checked(first - VALUES)?;
        self.0 = rest;
        Some(Piece::Text(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_cuts_a_message() {
        let MessageTemplate(parts) = template!("'%' at byte {at} in {name}");
        assert_eq!(parts, "\u{12}'%' at byte \u{1}\u{A} in \u{3}");
        let MessageTemplate(parts) = template!("{shown}{edit}é");
        assert_eq!(parts, "\0\u{5}\u{8}é");
        assert!(template!("").next().is_none());
    }

    #[test]
    fn the_parts_are_the_message() {
        let whole = template!("{octet}: é {article} {name}, {at}").map(|piece| match piece {
            Piece::Text(text) => text.to_owned(),
            Piece::Value(value) => format!("<{}>", value as u8),
        });
        assert_eq!(whole.collect::<String>(), "<4>: é <2> <3>, <1>");
    }
}
