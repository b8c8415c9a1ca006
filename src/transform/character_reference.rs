//! Character references, as HTML and XML write them: `&#233;`, `&#xE9;`, `&eacute;`.
//!
//! Every module that decodes character references uses this module. Not here: the escapes of other formats
//! (`document`).

use core::iter;

use entities::{ENTITIES, Entity};

/// The rules by which an ampersand begins a character reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CharacterReferences {
    /// The value of an attribute of HTML (HTML Standard, section 13.2.5.72 and the states after it): a
    /// name without its semicolon is text if `=`, a letter or a digit follows, as in `?a=1&copy=2`.
    HtmlAttribute,
    /// Text of HTML: a name without its semicolon may also be the start of a longer word, as in `&copyright`.
    HtmlText,
    /// XML 1.0, section 4.1: there are five names, the `x` is in lower case, and a semicolon is required.
    Xml,
}

/// A character reference: the characters for which it stands, and its length in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharacterReference {
    first: char,
    /// The second character, for the few names of HTML that stand for two characters.
    second: Option<char>,
    length: usize,
}

impl CharacterReference {
    const fn new(first: char, length: usize) -> Self {
        Self { first, second: None, length }
    }

    /// Returns the one or two characters for which it stands.
    #[inline]
    pub fn chars(self) -> impl Iterator<Item = char> {
        iter::once(self.first).chain(self.second)
    }

    /// Returns its length in bytes, with the ampersand and the semicolon.
    #[inline]
    pub const fn length(self) -> usize {
        self.length
    }
}

/// The error of a reference in XML whose number is not a character of XML (XML 1.0, section 2.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoCharacter {
    /// Its length in bytes.
    pub length: usize,
}

impl CharacterReferences {
    /// Reads the character reference at the start of a text. Returns `None` if the text does not begin with a character
    /// reference. Then an ampersand at its start is text. Linear in the reference.
    ///
    /// # Errors
    /// In XML, the number is not a character. HTML has a character for every number.
    pub fn read(self, text: &str) -> Result<Option<CharacterReference>, NoCharacter> {
        self.read_bytes(text.as_bytes())
    }

    /// [`read`](Self::read) for bytes that may not be UTF-8.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn read_bytes(self, text: &[u8]) -> Result<Option<CharacterReference>, NoCharacter> {
        let Some(rest) = text.strip_prefix(b"&") else { return Ok(None) };
        match rest.strip_prefix(b"#") {
            Some(number) => self.numeric(number),
            None if self == Self::Xml => Ok(predefined(rest)),
            None => Ok(self.named(rest)),
        }
    }

    /// Reads the rest of a numeric reference, after `&#`.
    fn numeric(self, text: &[u8]) -> Result<Option<CharacterReference>, NoCharacter> {
        let hex = text.strip_prefix(b"x");
        let hex = hex.or_else(|| text.strip_prefix(b"X").filter(|_| self != Self::Xml));
        let (digits, radix) = hex.map_or((text, 10), |digits| (digits, 16));
        // A number that is too large for `u32` saturates, and so is not the number of a character.
        let (mut number, mut count) = (0_u32, 0);
        for digit in digits.iter().map_while(|byte| char::from(*byte).to_digit(radix)) {
            number = number.saturating_mul(radix).saturating_add(digit);
            count += 1;
        }
        let is_closed = digits.get(count) == Some(&b';');
        if count == 0 || self == Self::Xml && !is_closed {
            return Ok(None);
        }
        let prefix = "&#".len() + text.len() - digits.len();
        let length = prefix + count + usize::from(is_closed);
        let c = match self {
            Self::Xml => xml_char(number).ok_or(NoCharacter { length })?,
            _ => html_char(number),
        };
        Ok(Some(CharacterReference::new(c, length)))
    }

    /// Reads the rest of a named reference of HTML, after `&`: the longest name with which the text begins.
    fn named(self, text: &[u8]) -> Option<CharacterReference> {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric();
        let word = text.iter().take(LONGEST).take_while(|byte| is_word(byte)).count();
        let next = text.get(word);
        let is_attribute = self == Self::HtmlAttribute;
        // Nothing is looked up for the ampersands of `?a=1&b=2`.
        if is_attribute && next == Some(&b'=') {
            return None;
        }
        let name_of = |length| text.get(..length).and_then(lookup);
        let closed = || predefined(text).or_else(|| name_of(word + 1));
        let closed = if next == Some(&b';') { closed() } else { None };
        let open = || {
            // In an attribute, a name that is not the whole word is text.
            let shortest = if is_attribute { word.max(1) } else { 1 };
            (shortest..=word.min(LONGEST_OPEN)).rev().find_map(name_of)
        };
        closed.or_else(open)
    }
}

/// The lengths of the longest name, and of the longest name that needs no semicolon, without the semicolon.
const LONGEST: usize = "CounterClockwiseContourIntegral".len();
const LONGEST_OPEN: usize = "Aacute".len();

/// The length of a key.
const KEY: usize = 8;

/// The key of each name of HTML. The table of names is sorted by name, without regard to case and semicolons, and so are the
/// keys. At most seven names have the same key.
///
/// A search among the names themselves would fold every name that it compares.
static KEYS: [u64; ENTITIES.len()] = {
    let mut keys = [0; ENTITIES.len()];
    let (mut rest, mut entities): (&mut [u64], &[Entity]) = (&mut keys, &ENTITIES);
    while let ([first, tail @ ..], [entity, others @ ..]) = (rest, entities) {
        *first = match entity.entity.as_bytes() {
            [b'&', name @ ..] => key(name),
            name => key(name),
        };
        (rest, entities) = (tail, others);
    }
    keys
};

/// Returns the first eight bytes of a name, in lower case and without the semicolon, as a number.
const fn key(name: &[u8]) -> u64 {
    let (mut key, mut rest, mut at) = (0, name, 0);
    while at < KEY {
        key <<= 8;
        if let [byte, tail @ ..] = rest {
            if *byte != b';' {
                key |= byte.to_ascii_lowercase() as u64;
            }
            rest = tail;
        }
        at += 1;
    }
    key
}

/// Returns the reference of a name of HTML. All names exist with a semicolon, and some also without a semicolon.
fn lookup(name: &[u8]) -> Option<CharacterReference> {
    fn name_of(entity: &Entity) -> &'static [u8] {
        let name = entity.entity.as_bytes();
        name.strip_prefix(b"&").unwrap_or(name)
    }
    let key = key(name);
    let start = KEYS.partition_point(|other| *other < key);
    let same = KEYS.iter().zip(ENTITIES.iter()).skip(start).take_while(|(other, _)| **other == key);
    let mut same = same.map(|(_, entity)| entity);
    let found = same.find(|entity| name_of(entity) == name)?;
    let mut chars = found.characters.chars();
    let (first, second) = (chars.next()?, chars.next());
    Some(CharacterReference { first, second, length: found.entity.len() })
}

/// Reads one of the five references that need no declaration in XML (XML 1.0, section 4.6).
fn predefined(text: &[u8]) -> Option<CharacterReference> {
    const NAMES: [(&str, char); 5] =
        [("amp;", '&'), ("lt;", '<'), ("gt;", '>'), ("quot;", '"'), ("apos;", '\'')];
    let (name, c) = NAMES.iter().find(|(name, _)| text.starts_with(name.as_bytes()))?;
    Some(CharacterReference::new(*c, 1 + name.len()))
}

/// Returns the character of a number in HTML (HTML Standard, section 13.2.5.80). Every number has a character.
const fn html_char(number: u32) -> char {
    /// The characters of the numbers 0x80 to 0x9F, which are the characters of these bytes in windows-1252.
    const C1: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž',
        '\u{8F}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}',
        'ž', 'Ÿ',
    ];
    match number {
        0 => char::REPLACEMENT_CHARACTER,
        #[expect(clippy::indexing_slicing, reason = "the pattern keeps the index below 32")]
        0x80..=0x9F => C1[(number - 0x80) as usize],
        _ => match char::from_u32(number) {
            Some(c) => c,
            None => char::REPLACEMENT_CHARACTER,
        },
    }
}

/// Returns the character of a number in XML, if it is a `Char` (XML 1.0, section 2.2).
fn xml_char(number: u32) -> Option<char> {
    let is_char = |c: &char| match c {
        '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' => true,
        c => *c >= '\u{10000}',
    };
    char::from_u32(number).filter(is_char)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The binary search needs a sorted table, and the search for names needs the lengths of the longest.
    #[test]
    fn the_table_is_in_order_and_every_name_is_found() {
        for entity in &ENTITIES {
            let name = entity.entity.strip_prefix('&').unwrap();
            let found = lookup(name.as_bytes()).unwrap();
            assert!(found.chars().eq(entity.characters.chars()), "{name}");
            assert_eq!(found.length(), entity.entity.len());
            let bare = name.strip_suffix(';');
            assert!(bare.unwrap_or(name).len() <= LONGEST, "{name}");
            assert!(bare.is_some() || name.len() <= LONGEST_OPEN, "{name}");
            assert!(
                bare.unwrap_or(name).bytes().all(|byte| byte.is_ascii_alphanumeric()),
                "{name}"
            );
        }
    }
}
