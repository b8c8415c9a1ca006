//! Character references, as HTML and XML write them: `&#233;`, `&#xE9;`, `&eacute;`.
//!
//! Every module that reads a document reads them here. Not here: the escapes of other formats
//! (`document`), and what becomes of the characters.

use core::iter;

use entities::ENTITIES;

/// Which rules apply to an ampersand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CharacterReferences {
    /// The value of an attribute of HTML (HTML Standard, section 13.2.5.72 and the states after it): a
    /// name without its semicolon is text if `=`, a letter or a digit follows, as in `?a=1&copy=2`.
    HtmlAttribute,
    /// Text of HTML: the name may also be the beginning of a longer word, as in `&copyright`. Only links in
    /// running text are read so.
    #[cfg(feature = "extract")]
    HtmlText,
    /// XML 1.0, section 4.1: five names, a lower-case `x`, always a semicolon.
    Xml,
}

/// A character reference: what it stands for, and how many bytes of the document it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CharacterReference {
    first: char,
    /// A few names of HTML stand for two characters.
    second: Option<char>,
    length: usize,
}

impl CharacterReference {
    const fn new(first: char, length: usize) -> Self {
        Self { first, second: None, length }
    }

    /// The one or two characters that it stands for.
    pub(crate) fn chars(self) -> impl Iterator<Item = char> {
        iter::once(self.first).chain(self.second)
    }

    /// Its length in bytes of the document, with the ampersand and the semicolon.
    pub(crate) const fn length(self) -> usize {
        self.length
    }
}

/// A reference of XML to a number that is no character of XML (XML 1.0, section 2.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NoCharacter {
    /// Its length in bytes.
    pub(crate) length: usize,
}

impl CharacterReferences {
    /// Reads the reference at the start of a text; `None` if there is none, so that the ampersand is
    /// text. Reads at most the reference, and digits once.
    ///
    /// # Errors
    /// In XML, a number that is no character. HTML has a character for every number.
    pub(crate) fn read(self, text: &str) -> Result<Option<CharacterReference>, NoCharacter> {
        let Some(rest) = text.strip_prefix('&') else { return Ok(None) };
        match rest.strip_prefix('#') {
            Some(number) => self.numeric(number),
            None if self == Self::Xml => Ok(predefined(rest)),
            None => Ok(self.named(rest)),
        }
    }

    /// The rest of a numeric reference, after `&#`.
    fn numeric(self, text: &str) -> Result<Option<CharacterReference>, NoCharacter> {
        let hex = text.strip_prefix('x');
        let hex = hex.or_else(|| text.strip_prefix('X').filter(|_| self != Self::Xml));
        let (digits, radix) = hex.map_or((text, 10), |digits| (digits, 16));
        // A number that is too large stays too large, however many digits follow.
        let (mut number, mut count) = (0_u32, 0);
        for digit in digits.chars().map_while(|c| c.to_digit(radix)) {
            number = number.saturating_mul(radix).saturating_add(digit);
            count += 1;
        }
        let is_closed = digits.as_bytes().get(count) == Some(&b';');
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

    /// The rest of a named reference of HTML, after `&`: the longest name that the text begins with.
    fn named(self, text: &str) -> Option<CharacterReference> {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric();
        let word = text.bytes().take(LONGEST).take_while(is_word).count();
        let closed = text.get(..=word).filter(|name| name.ends_with(';')).and_then(lookup);
        let open = || {
            let longest = word.min(LONGEST_OPEN);
            let (name, found) = (1..=longest).rev().find_map(|length| {
                let name = text.get(..length)?;
                Some((name, lookup(name)?))
            })?;
            let next = text.as_bytes().get(name.len());
            let is_text = self == Self::HtmlAttribute
                && next.is_some_and(|next| *next == b'=' || is_word(next));
            (!is_text).then_some(found)
        };
        closed.or_else(open)
    }
}

/// The length of the longest name, and of the longest of those that need no semicolon.
const LONGEST: usize = "CounterClockwiseContourIntegral".len();
const LONGEST_OPEN: usize = "Aacute".len();

/// The reference of a name of HTML. Some names come with and without a semicolon, others only with one.
fn lookup(name: &str) -> Option<CharacterReference> {
    // The table is in the order of names without regard to case and semicolons.
    let folded = |name: &'static str| {
        let name = name.strip_prefix('&').unwrap_or(name);
        name.strip_suffix(';').unwrap_or(name).bytes().map(|byte| byte.to_ascii_lowercase())
    };
    let wanted = name.strip_suffix(';').unwrap_or(name);
    let wanted = || wanted.bytes().map(|byte| byte.to_ascii_lowercase());
    let start = ENTITIES.partition_point(|entity| folded(entity.entity).lt(wanted()));
    let same = ENTITIES.iter().skip(start).take_while(|entity| folded(entity.entity).eq(wanted()));
    let found = same.into_iter().find(|entity| entity.entity.strip_prefix('&') == Some(name))?;
    let mut chars = found.characters.chars();
    let (first, second) = (chars.next()?, chars.next());
    Some(CharacterReference { first, second, length: found.entity.len() })
}

/// One of the five references that XML has without a declaration (XML 1.0, section 4.6).
fn predefined(text: &str) -> Option<CharacterReference> {
    const NAMES: [(&str, char); 5] =
        [("amp;", '&'), ("lt;", '<'), ("gt;", '>'), ("quot;", '"'), ("apos;", '\'')];
    let (name, c) = NAMES.iter().find(|(name, _)| text.starts_with(name))?;
    Some(CharacterReference::new(*c, 1 + name.len()))
}

/// The character of a number in HTML (HTML Standard, section 13.2.5.80). Every number has one.
const fn html_char(number: u32) -> char {
    /// What 0x80 to 0x9F stand for: the characters of windows-1252.
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

/// The character of a number in XML (XML 1.0, section 2.2, `Char`).
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

    /// The search halves the table, so the table has to be in order; and the two lengths bound the
    /// names that are looked for.
    #[test]
    fn the_table_is_in_order_and_every_name_is_found() {
        for entity in &ENTITIES {
            let name = entity.entity.strip_prefix('&').unwrap();
            let found = lookup(name).unwrap();
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
