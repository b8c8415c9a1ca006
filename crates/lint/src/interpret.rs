//! The texts that a reference may stand for if its triplets are in another charset than UTF-8 (RFC 3987,
//! section 7.7).
//!
//! The charsets are the charsets of `encoding_rs`. Not here: which octets are not UTF-8 (`escapes`).

/*
# The algorithm

    every violation of the text must be of a `%uHHHH`; otherwise the first other violation is the error
    replace each `%uHHHH` by its character, and parse the result
    keep scheme and authority; cut the rest into words, which are unreserved characters and triplets, and other characters
    decode the triplets of each word that has one to octets, once for all charsets (`Words`)
    for each charset that is a superset of ASCII:
      copy what is not in a word with a triplet
      decode the octets of each word; if a word cannot be decoded, the charset gives no meaning
      keep the meaning if no earlier charset gives the same meaning

Unreserved characters belong to a word because they may be octets of a character. In Shift_JIS, the word `%83A` is the
octets 83 41 and stands for `ア`. In windows-1252, it is the two characters `ƒA`.

A decoded character is written as itself if it is unreserved ASCII or in `ucschar`, and is not a bidi formatting
character. Otherwise it is written as the triplets of its UTF-8. So no delimiter appears or disappears.

`%uHHHH` is a code unit of UTF-16. A surrogate pair is two of them: `%uD83D%uDE00`.

**Charsets of one byte.** The meaning of each octet is remembered (`OneByte`), so such a charset decodes with a look-up an
octet. `charsets` does not decode at all: it collects the octets beyond ASCII as a set of 128 bits, once for all charsets,
and asks about each member of the set. For the octets of `%E9t%E9`, the set has one member, E9. In the other charsets, a
text is decoded piece by piece, and the first character that is not a letter ends it.

**Facts about characters** (`facts`) are remembered too: is it a letter; is it written as itself; may normalization form C
change a text that has it. Nearly no decoded word has a character of the last kind, so nearly no word is normalized.

# Invariants

- All charsets of `OneByte::all` decode an ASCII octet to itself; the tests compare every octet of them.
- An entry of a table is never 0, so 0 marks an entry that nobody has asked for.
*/

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering};

use encoding_rs::{
    BIG5, DecoderResult, EUC_JP, EUC_KR, Encoding, GB18030, IBM866, ISO_8859_2, KOI8_R, SHIFT_JIS,
    UTF_8, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254,
    WINDOWS_1255, WINDOWS_1256,
};

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, is_nfc_quick};

use simd_iri::low::{
    NonAscii, Remembered, UNRESERVED, buf_of, composed, is_bidi_control, octet, slice, triplet_text,
};
use simd_iri::{Error, IriRef, IriRefBuf, Rule};

/// The meaning of a reference in one charset.
///
/// ```
/// use simd_iri_lint::interpret;
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
    /// # use simd_iri_lint::interpret;
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
    /// # use simd_iri_lint::interpret;
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
/// [`ToIri`](simd_iri::ToIri) does, and are in normalization form C unless the charset is UTF-8. `%uHHHH`, which no URI
/// allows, is a code unit of UTF-16 in every charset. The host does not change. A charset that is not a superset of
/// ASCII gives no meaning.
///
/// One pass, a pass over the words with triplets for each charset, and a few allocations for each meaning.
///
/// # Errors
/// The text is not a reference, even if each `%uHHHH` in it is replaced by its character.
///
/// ```
/// use simd_iri_lint::interpret;
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
    // A reference does not have a `%uHHHH`.
    let (text, parts) = match Rule::IriReference.parse(text) {
        Ok(parts) => (Cow::Borrowed(text), parts),
        Err(_) => {
            // The error is at the percent sign of a `%uHHHH`. The second `%uHHHH` of a surrogate pair is found from the
            // first.
            let is_unit = |error: &Error| {
                let at = error.span().start;
                let before = at.checked_sub(UNIT).and_then(|before| letters(text, before));
                letters(text, at).is_some() || before.is_some_and(|(_, length)| length > UNIT)
            };
            if let Some(error) = Rule::IriReference.violations(text).find(|e| !is_unit(e)) {
                return Err(error);
            }
            let text = unescaped(text);
            let parts = Rule::IriReference.parse(&text)?;
            (Cow::Owned(text), parts)
        }
    };
    let words = Words::of(&text, parts.path().start);
    let mut found: Vec<Interpretation> = Vec::new();
    let mut name = String::new();
    for &charset in charsets.iter().filter(|charset| charset.is_ascii_compatible()) {
        name.clear();
        name.reserve(text.len());
        if words.push_interpreted(charset, &mut name).is_some()
            && found.iter().all(|other| other.reference.as_str() != name)
        {
            let parts = if name == text { parts } else { Rule::IriReference.parse(&name)? };
            found.push(Interpretation { reference: buf_of(mem::take(&mut name), parts), charset });
        }
        if words.octets.is_ascii() {
            // ASCII is ASCII in each of these charsets, so every charset gives the same meaning.
            break;
        }
    }
    Ok(found)
}

/// Returns the charsets in which a text with triplets consists of letters and ASCII. The text is, for example, the span
/// of a [`SpoofLegacy`](super::Code::SpoofLegacy).
///
/// Tries UTF-8 and the charsets that were common before it: one pass, and at most one more pass for each charset of
/// several bytes.
///
/// ```
/// use simd_iri_lint::charsets;
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
    let mut octets = Vec::new();
    if !(text.is_ascii() && memchr::memchr(b'%', text.as_bytes()).is_none()) {
        push_octets(text, &mut octets);
    }
    // ASCII before the first other octet is ASCII in every charset.
    octets.drain(..octets.iter().take_while(|octet| octet.is_ascii()).count());
    let high = octets.iter().filter(|octet| !octet.is_ascii());
    let high: u128 = high.fold(0, |all, octet| all | 1 << (octet & 0x7F));
    COMMON.into_iter().filter(move |charset| {
        high == 0
            || match OneByte::of(charset) {
                Some(table) => table.has_letters(high),
                None => has_letters(&octets, charset),
            }
    })
}

/// Tells whether all octets are letters and ASCII in a charset.
fn has_letters(octets: &[u8], charset: &'static Encoding) -> bool {
    let is_like = |text: &str| text.chars().all(|c| c.is_ascii() || facts(c) & LETTER != 0);
    if charset == UTF_8 {
        return core::str::from_utf8(octets).is_ok_and(is_like);
    }
    let mut decoder = charset.new_decoder_without_bom_handling();
    let (mut rest, mut piece) = (octets, [0; 1024]);
    loop {
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(rest, &mut piece, true);
        let text = core::str::from_utf8(slice::bytes(&piece, ..written));
        if !text.is_ok_and(is_like) {
            return false;
        }
        match result {
            DecoderResult::InputEmpty => return true,
            DecoderResult::OutputFull => rest = slice::bytes(rest, read..),
            DecoderResult::Malformed(..) => return false,
        }
    }
}

/// Appends the bytes of a text, with each triplet as its octet.
fn push_octets(text: &str, octets: &mut Vec<u8>) {
    octets.reserve(text.len());
    let (bytes, mut at) = (text.as_bytes(), 0);
    while let Some(byte) = bytes.get(at) {
        let decoded = if *byte == b'%' { octet(bytes, at) } else { None };
        octets.push(decoded.unwrap_or(*byte));
        at += if decoded.is_some() { 3 } else { 1 };
    }
}

/// The words with triplets of a reference after its authority.
struct Words<'a> {
    text: &'a str,
    /// The octets of all words, one word after the other.
    octets: Vec<u8>,
    /// For each word its bytes in the text, and the end of its octets.
    words: Vec<(Range<usize>, usize)>,
}

impl<'a> Words<'a> {
    /// Finds the words at or after an offset. One pass.
    fn of(text: &'a str, start: usize) -> Self {
        // Unreserved characters and triplets may be octets of the charset. Other characters stand for themselves.
        let bytes = text.as_bytes();
        let is_other = |byte: &u8| !UNRESERVED.contains(*byte) && *byte != b'%';
        let (mut octets, mut words, mut at) = (Vec::new(), Vec::new(), start);
        while let Some(length) = memchr::memchr(b'%', slice::bytes(bytes, at..)) {
            let before = slice::bytes(bytes, at..at + length);
            let first =
                at + length - before.iter().rev().take_while(|byte| !is_other(byte)).count();
            let rest = slice::bytes(bytes, at + length..);
            let end = at + length + rest.iter().position(is_other).unwrap_or(rest.len());
            push_octets(slice::text(text, first..end), &mut octets);
            words.push((first..end, octets.len()));
            at = end;
        }
        Self { text, octets, words }
    }

    /// Appends the text with its words decoded from a charset; `None` if a word cannot be decoded.
    fn push_interpreted(&self, charset: &'static Encoding, out: &mut String) -> Option<()> {
        let table = OneByte::of(charset);
        let (mut done, mut start) = (0, 0);
        for (word, end) in &self.words {
            out.push_str(slice::text(self.text, done..word.start));
            let octets = slice::bytes(&self.octets, start..*end);
            match table {
                Some(table) => {
                    push_word(octets.iter().map(|octet| table.get(*octet)), charset, out)?
                }
                None => {
                    let text =
                        charset.decode_without_bom_handling_and_without_replacement(octets)?;
                    push_word(text.chars().map(|c| facts(c) | u32::from(c)), charset, out)?;
                }
            }
            (done, start) = (word.end, *end);
        }
        out.push_str(slice::text(self.text, done..));
        Some(())
    }
}

/// Appends decoded characters with their facts. Returns `None` for a control character outside ASCII: charsets of one
/// byte map a byte without a character to it.
fn push_word(
    characters: impl Iterator<Item = u32>,
    charset: &'static Encoding,
    out: &mut String,
) -> Option<()> {
    let (start, mut all) = (out.len(), 0);
    for found in characters {
        all |= found;
        // An octet without a character has no code point.
        let c = char::from_u32(found & CODE).filter(|_| found & FAILS == 0)?;
        if found & ITSELF != 0 {
            out.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                out.push_str(triplet_text(byte));
            }
        }
    }
    if all & COMPOSES != 0 && charset != UTF_8 {
        let word = composed(slice::text(out, start..));
        out.truncate(start);
        out.push_str(&word);
    }
    Some(())
}

/// The bits of a code point in a number with facts.
const CODE: u32 = 0x1F_FFFF;
/// The character is alphabetic.
const LETTER: u32 = 1 << 21;
/// The character can be written as itself.
const ITSELF: u32 = 1 << 22;
/// Normalization form C may change a text that has the character.
const COMPOSES: u32 = 1 << 23;
/// The character is a control character outside ASCII, or the octet has no character.
const FAILS: u32 = 1 << 24;
/// The entry of a table is known.
const KNOWN: u32 = 1 << 25;

/// Returns the facts about a character.
#[inline]
fn facts(c: char) -> u32 {
    static FOUND: Remembered = Remembered::new(|c| {
        let may_change =
            is_nfc_quick([c].into_iter()) != IsNormalized::Yes || canonical_combining_class(c) != 0;
        let fact = |is_true: bool, fact: u32| if is_true { fact >> FACTS } else { 0 };
        fact(c.is_alphabetic(), LETTER)
            | fact(is_letter(c), ITSELF)
            | fact(may_change, COMPOSES)
            | fact(c.is_control() && !c.is_ascii(), FAILS)
    });
    FOUND.get(c) << FACTS
}

/// The number of bits below the facts.
const FACTS: u32 = 21;

/// The meanings of the octets of a charset of one byte: each is a character and its facts.
struct OneByte {
    charset: &'static Encoding,
    octets: [AtomicU32; 256],
}

impl OneByte {
    /// The charsets of one byte that [`charsets`] tries.
    fn all() -> &'static [Self; 11] {
        const fn of(charset: &'static Encoding) -> OneByte {
            OneByte { charset, octets: [const { AtomicU32::new(0) }; 256] }
        }
        static ALL: [OneByte; 11] = [
            of(WINDOWS_1252),
            of(WINDOWS_1250),
            of(ISO_8859_2),
            of(WINDOWS_1254),
            of(WINDOWS_1251),
            of(KOI8_R),
            of(WINDOWS_1253),
            of(WINDOWS_1255),
            of(WINDOWS_1256),
            of(WINDOWS_874),
            of(IBM866),
        ];
        &ALL
    }

    /// Returns the table of a charset, if it has one.
    fn of(charset: &'static Encoding) -> Option<&'static Self> {
        Self::all().iter().find(|table| table.charset == charset)
    }

    /// Returns the meaning of an octet.
    #[inline]
    fn get(&self, octet: u8) -> u32 {
        let Some(entry) = self.octets.get(usize::from(octet)) else { return FAILS };
        match entry.load(Ordering::Relaxed) {
            0 => self.ask(octet, entry),
            known => known,
        }
    }

    /// Decodes an octet, and remembers its meaning.
    #[cold]
    fn ask(&self, octet: u8, entry: &AtomicU32) -> u32 {
        let octets = &[octet];
        let text = self.charset.decode_without_bom_handling_and_without_replacement(octets);
        let c = text.as_deref().and_then(|text| text.chars().next());
        let found = c.map_or(FAILS, |c| facts(c) | u32::from(c)) | KNOWN;
        entry.store(found, Ordering::Relaxed);
        found
    }

    /// Tells whether the octets beyond ASCII are letters. Bit *i* of the set is the octet 0x80 + *i*.
    fn has_letters(&self, mut set: u128) -> bool {
        while set != 0 {
            let octet = 0x80 + set.trailing_zeros() as u8;
            let found = self.get(octet);
            // An octet without a character is not a letter either.
            if found & LETTER == 0 {
                return false;
            }
            set &= set - 1;
        }
        true
    }
}

/// Tells whether a decoded character can be written as itself.
fn is_letter(c: char) -> bool {
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => UNRESERVED.contains(byte),
        _ => {
            let class = NonAscii::of(c.encode_utf8(&mut [0; 4]).as_bytes());
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

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn an_octet_means_what_its_charset_says() {
        for table in OneByte::all() {
            assert!(table.charset.is_single_byte() && table.charset.is_ascii_compatible());
            for octet in 0..=u8::MAX {
                let octets = &[octet];
                let text =
                    table.charset.decode_without_bom_handling_and_without_replacement(octets);
                let c = text.as_deref().and_then(|text| text.chars().next());
                assert!(!octet.is_ascii() || c == Some(char::from(octet)));
                // Once to ask, once to remember.
                for _ in 0..2 {
                    let found = table.get(octet);
                    let name = format!("{} {octet:02X} {c:?}", table.charset.name());
                    let is_one = |c: char| found & CODE == u32::from(c);
                    assert!(c.is_none() || c.is_some_and(is_one), "{name}");
                    assert_eq!(found & LETTER != 0, c.is_some_and(char::is_alphabetic), "{name}");
                    assert_eq!(found & ITSELF != 0, c.is_some_and(is_letter), "{name}");
                    let fails = c.is_none_or(|c| c.is_control() && !c.is_ascii());
                    assert_eq!(found & FAILS != 0, fails, "{name}");
                }
            }
        }
    }
}
