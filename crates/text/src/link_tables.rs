//! The properties that UTS #58 gives to a character: whether a link can end at it, which bracket it closes,
//! and whether an e-mail address can contain it.
//!
//! Here: reading the table. Not here: the table (`data`), which `codegen` makes.

mod data;

pub(crate) use data::UNICODE_VERSION;
use data::{BRACKETS, CHANGES};

use simd_iri::low::is_bidi_control;

/// The role of a character at the end of a link (the property Link_Term).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// It belongs to the link.
    Include,
    /// It ends the link.
    Hard,
    /// It belongs to the link if a character after it belongs to the link.
    Soft,
    /// It belongs to the link if it closes a bracket that was opened in it.
    Close,
    /// It opens a bracket.
    Open,
}

/// The largest number of brackets that can be open in a link. A further opening bracket ends the link.
pub const DEEPEST: usize = 128;

/// The number of code points that share an entry of `FIRST`.
const PAGE: u32 = 256;

/// For each page, the index of the last change at or before its first code point. So a search reads only the
/// changes of one page.
static FIRST: [u16; (char::MAX as u32 / PAGE) as usize + 2] = {
    let mut first = [0; (char::MAX as u32 / PAGE) as usize + 2];
    let (mut page, mut change) = (0, 0);
    #[expect(clippy::indexing_slicing, reason = "indices below the lengths")]
    while page < first.len() {
        while change + 1 < CHANGES.len() && CHANGES[change + 1] >> 4 <= page as u32 * PAGE {
            change += 1;
        }
        first[page] = change as u16;
        page += 1;
    }
    first
};

/// The number of code points whose properties have an entry of their own: alphabets and kana.
const NEAR: usize = 0x3400;

/// The bit of characters that are Include but not part of a word: invisible characters, bidi formatting
/// characters, and the ellipsis. All these characters are below `NEAR`, except for U+FEFF and U+FFFD.
const APART: u8 = 16;

/// The bit of characters that are invisible: [`is_invisible`].
const UNSEEN: u8 = 32;

/// The properties of the code points below `NEAR`, with the bits `APART` and `UNSEEN`.
static DIRECT: [u8; NEAR] = {
    let mut direct = [0; NEAR];
    let (mut c, mut change) = (0, 0);
    #[expect(clippy::indexing_slicing, reason = "indices below the lengths")]
    while c < direct.len() {
        while CHANGES[change + 1] >> 4 <= c as u32 {
            change += 1;
        }
        let (is_apart, is_unseen) = match char::from_u32(c as u32) {
            Some(c) => (
                is_bidi_control(c) || matches!(c, '\u{200B}' | '\u{2026}' | '\u{2060}'),
                is_invisible(c),
            ),
            None => (false, false),
        };
        let (apart, unseen) =
            (if is_apart { APART } else { 0 }, if is_unseen { UNSEEN } else { 0 });
        direct[c] = (CHANGES[change] & 15) as u8 | apart | unseen;
        c += 1;
    }
    direct
};

/// Returns the ASCII characters that have one of the roles `terms` or are in `more`. 0xFF stands for no
/// character.
pub const fn ascii_of(terms: &[Term], more: &[u8]) -> [u8; 128] {
    let mut members = [0xFF; 128];
    let mut c = 0;
    #[expect(clippy::indexing_slicing, reason = "indices below the lengths")]
    while c < members.len() {
        let mut rest = terms;
        while let [first, tail @ ..] = rest {
            if *first as u8 == DIRECT[c] & 7 {
                members[c] = c as u8;
            }
            rest = tail;
        }
        let mut rest = more;
        while let [first, tail @ ..] = rest {
            if *first as usize == c {
                members[c] = *first;
            }
            rest = tail;
        }
        c += 1;
    }
    members
}

/// Returns the first bytes of UTF-8 that need a closer test. A first byte is left out if all characters that
/// begin with it belong to every link. 0 stands for no byte. Bidi formatting characters are not tested here,
/// because they share their first bytes with punctuation.
pub const fn leads_but_letters() -> [u8; 64] {
    let mut leads = [0; 64];
    let (mut lead, mut change) = (0xC0, 0);
    #[expect(clippy::indexing_slicing, reason = "indices below the lengths")]
    while lead <= 0xFF {
        let (first, count) = match lead {
            0xC2..=0xDF => ((lead & 0x1F) << 6, 1 << 6),
            // The first code points of this range have two bytes.
            0xE0 => (0x800, 0x800),
            0xE1..=0xEF => ((lead & 0x0F) << 12, 1 << 12),
            0xF0 => (0x1_0000, 0x3_0000),
            _ => (0, 0),
        };
        while change + 1 < CHANGES.len() && CHANGES[change + 1] >> 4 <= first {
            change += 1;
        }
        // The first byte is safe if all its code points are Include. The bit of Link_Email does not matter.
        let mut next = change;
        while next < CHANGES.len() && CHANGES[next] >> 4 < first + count && CHANGES[next] & 7 == 0 {
            next += 1;
        }
        let is_safe = count > 0 && (next == CHANGES.len() || CHANGES[next] >> 4 >= first + count);
        if !is_safe {
            leads[lead as usize - 0xC0] = lead as u8;
        }
        lead += 1;
    }
    leads
}

/// Returns the properties of a character.
#[inline]
fn properties(c: char) -> u8 {
    match DIRECT.get(c as usize) {
        Some(properties) => *properties,
        None => beyond(c),
    }
}

/// Returns the properties of a character from `NEAR` on.
fn beyond(c: char) -> u8 {
    let c = u32::from(c);
    let page = (c / PAGE) as usize;
    let first = |page: usize| FIRST.get(page).map_or(0, |first| usize::from(*first));
    let changes = CHANGES.get(first(page)..=first(page + 1)).unwrap_or_default();
    // In most pages the properties do not change.
    let after = match changes {
        [_] => 1,
        _ => changes.partition_point(|change| change >> 4 <= c),
    };
    let change = after.checked_sub(1).and_then(|last| changes.get(last));
    change.map_or(0, |change| (change & 15) as u8)
}

/// Returns the role of a character at the end of a link (UTS #58, Link_Term).
#[inline]
pub fn term(c: char) -> Term {
    match properties(c) & 7 {
        // The ellipsis after a link is punctuation, as three full stops are. UTS #58 does not say so.
        0 if c == '\u{2026}' => Term::Soft,
        0 => Term::Include,
        2 => Term::Soft,
        3 => Term::Close,
        4 => Term::Open,
        _ => Term::Hard,
    }
}

/// Tells whether a character outside ASCII belongs to every link and may be in a name. Bidi formatting
/// characters, the invisible characters that are often at the edge of a word, and the ellipsis do not.
#[inline]
pub fn is_letter(c: char) -> bool {
    match DIRECT.get(c as usize) {
        Some(properties) => c > '\x7F' && properties & (7 | APART) == Term::Include as u8,
        None => beyond(c) & 7 == Term::Include as u8 && !matches!(c, '\u{FEFF}' | '\u{FFFD}'),
    }
}

/// Tells whether a character outside ASCII belongs to every link, whatever follows: a letter that is visible.
#[inline]
pub fn is_visible_letter(c: char) -> bool {
    match DIRECT.get(c as usize) {
        Some(properties) => c > '\x7F' && properties & (7 | APART | UNSEEN) == Term::Include as u8,
        None => is_letter(c) && !is_invisible(c),
    }
}

/// Tells whether a character is invisible: `Default_Ignorable_Code_Point`. A reader does not see whether it is a part of
/// what is before it.
#[rustfmt::skip]
pub const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Returns the bracket that a closing bracket closes (UTS #58, Link_Bracket).
pub fn opening(close: char) -> Option<char> {
    let at = BRACKETS.binary_search_by_key(&close, |(close, _)| *close).ok()?;
    BRACKETS.get(at).map(|(_, open)| *open)
}

/// Tells whether the local part of an e-mail address can hold a character (UTS #58, Link_Email).
#[inline]
pub fn is_email(c: char) -> bool {
    properties(c) & 8 != 0
}

#[cfg(test)]
mod tests {
    use icu_properties::props::BinaryProperty;

    use super::*;

    /// The table, read from its start to its end.
    #[test]
    fn every_character_is_found() {
        let mut changes = CHANGES.iter().peekable();
        let mut expected = 0;
        for c in '\0'..=char::MAX {
            while let Some(change) = changes.next_if(|change| **change >> 4 <= u32::from(c)) {
                expected = (change & 15) as u8;
            }
            assert_eq!(properties(c) & 15, expected, "{c:?}");
            if is_bidi_control(c) || c.is_ascii() || expected & 7 != 0 {
                assert!(!is_letter(c), "{c:?}");
            } else {
                let is_apart =
                    matches!(c, '\u{200B}' | '\u{2026}' | '\u{2060}' | '\u{FEFF}' | '\u{FFFD}');
                assert_eq!(is_letter(c), !is_apart, "{c:?}");
                assert_eq!(is_visible_letter(c), !is_apart && !is_invisible(c), "{c:?}");
            }
            {
                let ignored = icu_properties::props::DefaultIgnorableCodePoint::for_char(c);
                assert_eq!(is_invisible(c), ignored, "{c:?}");
            }
        }
        assert_eq!(changes.next(), None);
    }

    #[test]
    fn characters_that_begin_with_the_other_bytes_are_letters() {
        let leads = leads_but_letters();
        let mut passed = 0;
        for c in '\u{80}'..=char::MAX {
            let mut bytes = [0; 4];
            if !leads.contains(&c.encode_utf8(&mut bytes).as_bytes()[0]) {
                assert!(term(c) == Term::Include && !is_bidi_control(c), "{c:?}");
                assert!(!is_invisible(c), "{c:?}");
                passed += 1;
            }
        }
        assert!(passed > 25_000, "{passed}");
        assert!("яДé中".bytes().filter(|byte| *byte >= 0xC0).all(|byte| !leads.contains(&byte)));
    }

    #[test]
    fn a_few_characters() {
        for (text, expected) in [
            ("aé中%/#=\u{202A}\u{FFFD}", Term::Include),
            (" \n\0\u{3000}\u{E000}", Term::Hard),
            (".,!?'\":;。、⸠…", Term::Soft),
            ("([{<「", Term::Open),
            (")]}>」", Term::Close),
        ] {
            assert!(text.chars().all(|c| term(c) == expected), "{text}");
        }
        assert_eq!((opening(')'), opening('」'), opening('a')), (Some('('), Some('「'), None));
        assert!("aß!{.中".chars().all(is_email) && !"@:\" ,(".chars().any(is_email));
    }
}
