//! The texts that a reference may stand for if its triplets are in another charset than UTF-8 (RFC 3987,
//! section 7.7).
//!
//! The charsets are the charsets of `encoding_rs`. Not here: which octets are not UTF-8 (`escapes`).

/*
# The algorithm

    every violation of the text must be of a `%uHHHH`; otherwise the first other violation is the error
    replace each `%uHHHH` by its character, and parse the result
    for each charset that is a superset of ASCII:
      keep scheme and authority
      cut the rest into words, which are unreserved characters and triplets, and other characters
      copy the other characters
      decode each word that has a triplet; if a word cannot be decoded, the charset gives no meaning
      keep the meaning if no earlier charset gives the same meaning

Unreserved characters belong to a word because they may be octets of a character. In Shift_JIS, the word `%83A` is the
octets 83 41 and stands for `ア`. In windows-1252, it is the two characters `ƒA`.

A decoded character is written as itself if it is unreserved ASCII or in `ucschar`, and is not a bidi formatting
character. Otherwise it is written as the triplets of its UTF-8. So no delimiter appears or disappears.

`%uHHHH` is a code unit of UTF-16. A surrogate pair is two of them: `%uD83D%uDE00`.
*/

use alloc::string::String;
use alloc::vec::Vec;

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, IBM866, ISO_8859_2, KOI8_R, SHIFT_JIS, UTF_8,
    WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254,
    WINDOWS_1255, WINDOWS_1256,
};

use crate::error::Error;
use crate::parse::Rule;
use crate::parse::dfa::{NonAscii, non_ascii};
use crate::reference::{IriRef, IriRefBuf};
use crate::scan::{octet, slice, triplet_text};
use crate::tables::UNRESERVED;
use crate::transform::{composed, is_bidi_control};

/// The meaning of a reference in one charset.
///
/// ```
/// use simd_iri::check::interpret;
///
/// let charsets = [encoding_rs::UTF_8, encoding_rs::WINDOWS_1252];
/// let names = interpret("/%E4", &charsets)?;
/// assert_eq!(names.len(), 1);
/// assert_eq!((names[0].view().as_str(), names[0].charset()), ("/ä", encoding_rs::WINDOWS_1252));
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interpretation {
    reference: IriRefBuf,
    charset: &'static Encoding,
}

impl Interpretation {
    /// Returns the reference in Unicode.
    ///
    /// ```
    /// # use simd_iri::check::interpret;
    /// assert_eq!(interpret("%E9", &[encoding_rs::WINDOWS_1252])?[0].view(), "é");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn view(&self) -> IriRef<'_> {
        self.reference.view()
    }

    /// Returns the charset in which the reference has this meaning.
    ///
    /// ```
    /// # use simd_iri::check::interpret;
    /// let charsets = [encoding_rs::BIG5];
    /// assert_eq!(interpret("a", &charsets)?[0].charset().name(), "Big5");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn charset(&self) -> &'static Encoding {
        self.charset
    }
}

/// Returns the meanings that a reference may have: one meaning for each charset in which its path, query and
/// fragment can be decoded. A meaning that an earlier charset gives is left out. The function is for servers that match
/// the names of resources (RFC 3987, section 7.7).
///
/// In each charset, all triplets of these components are octets. Their characters are decoded as
/// [`ToIri`](crate::ToIri) does, and are in normalization form C unless the charset is UTF-8. `%uHHHH`, which no URI
/// allows, is a code unit of UTF-16 in every charset. The host does not change. A charset that is not a superset of
/// ASCII gives no meaning.
///
/// A few passes and allocations for each charset.
///
/// # Errors
/// The text is not a reference, even if each `%uHHHH` in it is replaced by its character.
///
/// ```
/// use simd_iri::check::interpret;
///
/// let charsets = [encoding_rs::UTF_8, encoding_rs::SHIFT_JIS, encoding_rs::WINDOWS_1252];
/// let names = |text| -> Result<Vec<String>, simd_iri::Error> {
///     Ok(interpret(text, &charsets)?.iter().map(|name| name.view().to_string()).collect())
/// };
/// assert_eq!(names("/%83A")?, ["/ア", "/ƒA"]);
/// assert_eq!(names("/caf%C3%A9")?, ["/café", "/cafﾃｩ", "/cafÃ©"]);
/// assert_eq!(names("/caf%u00E9")?, ["/café"]);
/// assert_eq!(names("/%u00E9 ").unwrap_err().span(), 7..8);
/// # Ok::<(), simd_iri::Error>(())
/// ```
pub fn interpret(text: &str, charsets: &[&'static Encoding]) -> Result<Vec<Interpretation>, Error> {
    // The error is at the percent sign of a `%uHHHH`. The second `%uHHHH` of a surrogate pair is found from the first.
    let is_unit = |error: &Error| {
        let at = error.span().start;
        let before = at.checked_sub(UNIT).and_then(|before| letters(text, before));
        letters(text, at).is_some() || before.is_some_and(|(_, length)| length > UNIT)
    };
    if let Some(error) = Rule::IriReference.violations(text).find(|e| !is_unit(e)) {
        return Err(error);
    }
    let text = &unescaped(text);
    let start = IriRef::parse(text)?.parts().path().start;
    let (before, rest) = slice::split(text, start);
    let mut found: Vec<Interpretation> = Vec::new();
    for &charset in charsets.iter().filter(|charset| charset.is_ascii_compatible()) {
        let mut name = String::from(before);
        if push_interpreted(rest, charset, &mut name).is_some()
            && found.iter().all(|other| other.reference.as_str() != name)
        {
            found.push(Interpretation { reference: name.parse()?, charset });
        }
    }
    Ok(found)
}

/// Returns the charsets in which a text with triplets consists of letters and ASCII. The text is, for example, the span
/// of a [`SpoofLegacy`](super::Code::SpoofLegacy).
///
/// Tries UTF-8 and the charsets that were common before it, with a few passes and allocations for each charset.
///
/// ```
/// use simd_iri::check::charsets;
///
/// let names: Vec<_> = charsets("%83A").map(|charset| charset.name()).collect();
/// assert!(names.contains(&"Shift_JIS") && names.contains(&"windows-1252"));
/// assert!(!names.contains(&"KOI8-R"));
/// ```
pub fn charsets(text: &str) -> impl Iterator<Item = &'static Encoding> {
    const COMMON: [&Encoding; 17] = [
        UTF_8,
        WINDOWS_1252,
        WINDOWS_1250,
        ISO_8859_2,
        WINDOWS_1254,
        WINDOWS_1251,
        KOI8_R,
        WINDOWS_1253,
        WINDOWS_1255,
        WINDOWS_1256,
        WINDOWS_874,
        SHIFT_JIS,
        EUC_JP,
        GB18030,
        BIG5,
        EUC_KR,
        IBM866,
    ];
    let octets = octets(text);
    COMMON.into_iter().filter(move |charset| {
        let text = charset.decode_without_bom_handling_and_without_replacement(&octets);
        text.is_some_and(|text| text.chars().all(|c| c.is_ascii() || c.is_alphabetic()))
    })
}

/// Returns the bytes of a text, with each triplet as its octet.
fn octets(text: &str) -> Vec<u8> {
    let (mut octets, mut at) = (Vec::with_capacity(text.len()), 0);
    while let Some(byte) = text.as_bytes().get(at) {
        let decoded = octet(text.as_bytes(), at);
        octets.push(decoded.unwrap_or(*byte));
        at += if decoded.is_some() { 3 } else { 1 };
    }
    octets
}

/// Appends the text after the authority, decoded from a charset; `None` if it cannot be decoded.
fn push_interpreted(text: &str, charset: &'static Encoding, out: &mut String) -> Option<()> {
    let mut rest = text;
    while !rest.is_empty() {
        // Unreserved characters and triplets may be octets of the charset. Other characters stand for themselves.
        let end = rest.bytes().position(|b| !UNRESERVED.contains(b) && b != b'%');
        let (word, after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
        push_word(word, charset, out)?;
        let next = after.bytes().position(|b| UNRESERVED.contains(b) || b == b'%');
        let (others, after) = after.split_at_checked(next.unwrap_or(after.len()))?;
        out.push_str(others);
        rest = after;
    }
    Some(())
}

/// Appends unreserved characters and triplets, decoded from a charset; `None` if they cannot be decoded.
fn push_word(word: &str, charset: &'static Encoding, out: &mut String) -> Option<()> {
    if !word.contains('%') {
        out.push_str(word);
        return Some(());
    }
    let octets = octets(word);
    let text = charset.decode_without_bom_handling_and_without_replacement(&octets)?;
    let mut decoded = String::with_capacity(text.len());
    for c in text.chars() {
        if is_letter(c) {
            decoded.push(c);
        } else if c.is_control() && !c.is_ascii() {
            // Charsets of one byte map a byte without a character to a control character.
            return None;
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                decoded.push_str(triplet_text(byte));
            }
        }
    }
    out.push_str(&if charset == UTF_8 { decoded } else { composed(&decoded) });
    Some(())
}

/// Tells whether a decoded character can be written as itself.
fn is_letter(c: char) -> bool {
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => UNRESERVED.contains(byte),
        _ => {
            let class = non_ascii(c.encode_utf8(&mut [0; 4]).as_bytes());
            matches!(class, NonAscii::Ucschar) && !is_bidi_control(c)
        }
    }
}

/// The length of `%uHHHH` in bytes.
const UNIT: usize = 6;

/// Returns the character for which `%uHHHH` at an offset stands, and the number of bytes. A surrogate pair is two
/// escapes. Returns `None` if the character cannot be written as itself.
fn letters(text: &str, at: usize) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = text.get(at..at + UNIT)?.strip_prefix("%u")?;
        let is_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_digits.then(|| u16::from_str_radix(digits, 16).ok())?
    };
    let first = unit(at)?;
    let (c, length) = match char::from_u32(first.into()) {
        Some(c) => (c, UNIT),
        None => (char::decode_utf16([first, unit(at + UNIT)?]).next()?.ok()?, 2 * UNIT),
    };
    is_letter(c).then_some((c, length))
}

/// Returns a text with each `%uHHHH` replaced by its character.
fn unescaped(text: &str) -> String {
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for (at, _) in text.match_indices("%u") {
        if let Some((c, length)) = letters(text, at).filter(|_| at >= done) {
            out.push_str(slice::text(text, done..at));
            out.push(c);
            done = at + length;
        }
    }
    out.push_str(slice::text(text, done..));
    out
}
