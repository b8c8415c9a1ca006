//! References in documents (RFC 3987, sections 6.3 and 5.2): writes them with the escapes of a format for characters
//! that the document cannot hold, and reads them back.
//!
//! Not here: the quotes around a reference in a document, and the conversion of text to a charset.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write};

#[cfg(feature = "charset")]
use encoding_rs::{EncoderResult, Encoding};

use super::character_reference::CharacterReferences;
use crate::error::named;
use crate::reference::AsView;
use crate::scan::{slice, triplet_text};

/// A format of documents, which has its own escapes for characters that a document cannot hold.
///
/// ```
/// use simd_iri::{document::{Document, Format::*}, iri};
///
/// let iri = iri!("http://a/é😀?b&c='d'");
/// for (format, written) in [
///     (Html, "http://a/&#xE9;&#x1F600;?b&amp;c=&#x27;d&#x27;"),
///     (Xml, "http://a/&#xE9;&#x1F600;?b&amp;c=&#x27;d&#x27;"),
///     (Json, r"http://a/\u00E9\uD83D\uDE00?b&c='d'"),
///     (Css, r"http://a/\E9 \1F600 ?b&c=\27 d\27 "),
///     (NTriples, r"http://a/\u00E9\U0001F600?b&c='d'"),
///     (Plain, "http://a/%C3%A9%F0%9F%98%80?b&c='d'"),
/// ] {
///     let document = Document::new(format).ascii(true);
///     assert_eq!(document.write(iri), written);
///     assert_eq!(document.read(written)? == iri.as_str(), format != Plain);
/// }
/// # Ok::<(), simd_iri::document::EscapeError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// HTML: character references, in text and in attributes with single or double quotes.
    Html,
    /// XML: character references, in text and in attributes with single or double quotes.
    Xml,
    /// JSON: escapes such as `\u00E9`, in a string.
    Json,
    /// CSS: escapes such as `\E9 `, in a string or in `url("…")`.
    Css,
    /// N-Triples, N-Quads, Turtle, TriG and SPARQL: escapes such as `\u00E9`, between `<` and `>`.
    NTriples,
    /// A format without escapes: characters that it cannot hold are percent-encoded, as in a URI.
    Plain,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri::document::Format" Format {
        Html = "html",
        Xml = "xml",
        Json = "json",
        Css = "css",
        NTriples = "n-triples",
        Plain = "plain",
    }
}

/// The characters that a document can hold.
#[derive(Clone, Copy, Debug)]
enum Holds {
    Unicode,
    Ascii,
    /// A charset, and [`has_character`], which no other program needs.
    #[cfg(feature = "charset")]
    Charset(&'static Encoding, fn(&'static Encoding, char) -> bool),
}

/// Tells whether a charset has a character.
#[cfg(feature = "charset")]
fn has_character(charset: &'static Encoding, c: char) -> bool {
    let (mut utf8, mut room) = ([0; 4], [0; 32]);
    let (result, ..) = charset.new_encoder().encode_from_utf8_without_replacement(
        c.encode_utf8(&mut utf8),
        &mut room,
        true,
    );
    result == EncoderResult::InputEmpty
}

/// A document into which references are written and from which they are read: its format, and the characters that it
/// can hold. It has no `Default`, because a wrong format writes a wrong document.
///
/// ```
/// use simd_iri::{IriBuf, document::{Document, Format}};
///
/// let document = Document::new(Format::Html);
/// let iri = IriBuf::try_from(document.read("http://a/?b&amp;c&#233;").unwrap().into_owned()).unwrap();
/// assert_eq!(iri, "http://a/?b&cé");
/// assert_eq!(document.write(iri.view()), "http://a/?b&amp;cé");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Document {
    format: Format,
    holds: Holds,
}

impl Document {
    /// Creates a document that can hold all characters of Unicode.
    ///
    /// ```
    /// # use simd_iri::{document::{Document, Format}, iri};
    /// assert_eq!(Document::new(Format::Json).write(iri!("a:é")), "a:é");
    /// ```
    #[must_use]
    pub const fn new(format: Format) -> Self {
        Self { format, holds: Holds::Unicode }
    }

    /// Creates a document in HTML: [`Document::new`] with [`Format::Html`].
    ///
    /// ```
    /// # use simd_iri::{document::{Document, Format}, iri};
    /// let iri = iri!("http://a/é?b&c");
    /// assert_eq!(Document::html().write(iri), Document::new(Format::Html).write(iri));
    /// ```
    #[must_use]
    pub const fn html() -> Self {
        Self::new(Format::Html)
    }

    /// Creates a document in XML: [`Document::new`] with [`Format::Xml`].
    ///
    /// ```
    /// # use simd_iri::{document::{Document, Format}, iri};
    /// let iri = iri!("http://a/é?b&c");
    /// assert_eq!(Document::xml().write(iri), Document::new(Format::Xml).write(iri));
    /// ```
    #[must_use]
    pub const fn xml() -> Self {
        Self::new(Format::Xml)
    }

    /// Creates a document in JSON: [`Document::new`] with [`Format::Json`].
    ///
    /// ```
    /// # use simd_iri::{document::{Document, Format}, iri};
    /// let iri = iri!("http://a/é?b&c");
    /// assert_eq!(Document::json().write(iri), Document::new(Format::Json).write(iri));
    /// ```
    #[must_use]
    pub const fn json() -> Self {
        Self::new(Format::Json)
    }

    /// Creates a document in CSS: [`Document::new`] with [`Format::Css`].
    ///
    /// ```
    /// # use simd_iri::{document::{Document, Format}, iri};
    /// let iri = iri!("http://a/é?b&c");
    /// assert_eq!(Document::css().write(iri), Document::new(Format::Css).write(iri));
    /// ```
    #[must_use]
    pub const fn css() -> Self {
        Self::new(Format::Css)
    }

    /// Creates a document in N-Triples, N-Quads, Turtle, TriG or SPARQL: [`Document::new`] with [`Format::NTriples`].
    ///
    /// ```
    /// # use simd_iri::{document::{Document, Format}, iri};
    /// let iri = iri!("http://a/é?b&c");
    /// assert_eq!(Document::n_triples().write(iri), Document::new(Format::NTriples).write(iri));
    /// ```
    #[must_use]
    pub const fn n_triples() -> Self {
        Self::new(Format::NTriples)
    }

    /// Creates a document in a format without escapes: [`Document::new`] with [`Format::Plain`].
    ///
    /// ```
    /// # use simd_iri::{document::{Document, Format}, iri};
    /// let iri = iri!("http://a/é?b&c");
    /// assert_eq!(Document::plain().write(iri), Document::new(Format::Plain).write(iri));
    /// ```
    #[must_use]
    pub const fn plain() -> Self {
        Self::new(Format::Plain)
    }

    /// Sets whether the document holds only ASCII: other characters are escaped.
    ///
    /// ```
    /// # use simd_iri::{document::{Document, Format}, iri};
    /// assert_eq!(Document::new(Format::Json).ascii(true).write(iri!("a:é")), r"a:\u00E9");
    /// ```
    #[must_use]
    pub const fn ascii(self, on: bool) -> Self {
        Self { holds: if on { Holds::Ascii } else { Holds::Unicode }, ..self }
    }

    /// Restricts the document to the characters of a legacy charset: other characters are escaped. The methods still
    /// write and read text, not bytes of the charset.
    ///
    /// ```
    /// # use simd_iri::{document::{Document, Format}, iri};
    /// let document = Document::new(Format::Html).charset(encoding_rs::WINDOWS_1252);
    /// assert_eq!(document.write(iri!("a:éα")), "a:é&#x3B1;");
    /// ```
    #[cfg(feature = "charset")]
    #[must_use]
    pub const fn charset(self, charset: &'static Encoding) -> Self {
        Self { holds: Holds::Charset(charset, has_character), ..self }
    }

    /// Returns a reference as it is written in this document. One pass; allocates the result.
    ///
    /// ```
    /// # use simd_iri::{document::{Document, Format}, iri};
    /// assert_eq!(Document::new(Format::Xml).write(iri!("a:b&c")), "a:b&amp;c");
    /// ```
    #[must_use]
    pub fn write(self, view: impl AsView) -> String {
        let view = view.as_view();
        let mut text = String::with_capacity(view.as_str().len());
        self.push_to(view, &mut text);
        text
    }

    /// Appends a reference to `text`, as it is written in this document. One pass.
    ///
    /// ```
    /// # use simd_iri::{document::{Document, Format}, iri};
    /// let mut text = String::from("<a href='");
    /// Document::new(Format::Html).push_to(iri!("a:'"), &mut text);
    /// assert_eq!(text, "<a href='a:&#x27;");
    /// ```
    pub fn push_to(self, view: impl AsView, text: &mut String) {
        let view = view.as_view();
        for c in view.as_str().chars() {
            match (self.format, c) {
                (Format::Html | Format::Xml, '&') => text.push_str("&amp;"),
                (Format::Html | Format::Xml | Format::Css, '\'') => self.escape(c, text),
                _ if self.holds(c) => text.push(c),
                _ => self.escape(c, text),
            }
        }
    }

    /// Tells whether the document can hold a character.
    fn holds(self, c: char) -> bool {
        match self.holds {
            Holds::Unicode => true,
            Holds::Ascii => c.is_ascii(),
            #[cfg(feature = "charset")]
            Holds::Charset(charset, has) => c.is_ascii() || has(charset, c),
        }
    }

    /// Appends the escape of a character.
    fn escape(self, c: char, text: &mut String) {
        let (number, mut units, mut octets) = (u32::from(c), [0; 2], [0; 4]);
        // Writing to a string never fails.
        let _ = match self.format {
            Format::Html | Format::Xml => write!(text, "&#x{number:X};"),
            // The space ends the digits, and is part of the escape.
            Format::Css => write!(text, "\\{number:X} "),
            Format::NTriples if number > 0xFFFF => write!(text, "\\U{number:08X}"),
            Format::NTriples | Format::Json => {
                let mut units = c.encode_utf16(&mut units).iter();
                units.try_for_each(|unit| write!(text, "\\u{unit:04X}"))
            }
            Format::Plain => {
                let octets = c.encode_utf8(&mut octets).bytes();
                octets.for_each(|octet| text.push_str(triplet_text(octet)));
                Ok(())
            }
        };
    }

    /// Returns a text of this document with its escapes decoded, for a parser of references. It is borrowed if there is
    /// no escape. One pass.
    ///
    /// In HTML, all character references are decoded, by the rules for attributes (HTML Standard, section 13.2.5.72 and
    /// the states after it), so that `&copy=1` stays. In XML, numeric references are decoded, and `&amp;`, `&lt;`,
    /// `&gt;`, `&quot;` and `&apos;` (XML 1.0, section 4.1). Other ampersands stay. Triplets are not escapes, and stay.
    ///
    /// # Errors
    /// An escape stands for no character. HTML has no such escapes.
    ///
    /// ```
    /// # use simd_iri::document::{Document, Format};
    /// assert_eq!(Document::new(Format::Html).read("a:ros&eacute;?b&copy=1&#xe9;")?, "a:rosé?b&copy=1é");
    /// assert_eq!(Document::new(Format::Json).read(r"a:\/\ud83d\ude00")?, "a:/😀");
    /// assert_eq!(Document::new(Format::Json).read(r"a:\ud83d").unwrap_err().at(), 2);
    /// # Ok::<(), simd_iri::document::EscapeError>(())
    /// ```
    pub fn read(self, text: &str) -> Result<Cow<'_, str>, EscapeError> {
        let mark = match self.format {
            Format::Html | Format::Xml => b'&',
            Format::Json | Format::Css | Format::NTriples => b'\\',
            Format::Plain => return Ok(Cow::Borrowed(text)),
        };
        if memchr::memchr(mark, text.as_bytes()).is_none() {
            return Ok(Cow::Borrowed(text));
        }
        let (mut out, mut rest) = (String::with_capacity(text.len()), text);
        while let Some(at) = memchr::memchr(mark, rest.as_bytes()) {
            let (before, escape) = slice::split(rest, at);
            out.push_str(before);
            let length = match self.format {
                Format::Html => push(CharacterReferences::HtmlAttribute, escape, &mut out),
                Format::Xml => push(CharacterReferences::Xml, escape, &mut out),
                Format::Css => push_one(css(escape), &mut out),
                format => push_one(unicode(escape, format), &mut out),
            };
            let at = text.len() - escape.len();
            rest = slice::text(escape, length.ok_or(EscapeError { at })?..);
        }
        out.push_str(rest);
        Ok(Cow::Owned(out))
    }
}

/// The character for which an escape stands, and the length of the escape in bytes; `None` if the escape is not valid.
/// An escaped line break of CSS stands for no character.
type Read = Option<(Option<char>, usize)>;

/// Appends the characters of the character reference at the start of `text`, or the ampersand if there is no reference.
/// Returns the number of bytes that it read; `None` if the reference stands for no character.
fn push(references: CharacterReferences, text: &str, out: &mut String) -> Option<usize> {
    let Some(reference) = references.read(text).ok()? else {
        out.push('&');
        return Some(1);
    };
    out.extend(reference.chars());
    Some(reference.length())
}

/// Appends the character of an escape. Returns the length of the escape in bytes.
fn push_one(read: Read, out: &mut String) -> Option<usize> {
    let (c, length) = read?;
    out.extend(c);
    Some(length)
}

/// Reads an escape of JSON or of N-Triples at the start of `text`. Only JSON has pairs of surrogates.
fn unicode(text: &str, format: Format) -> Read {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok().filter(|_| is_hex(digits))
    };
    let is_json = format == Format::Json;
    let single = match text.as_bytes().get(1)? {
        b'u' => {
            let units = [unit(0)?, unit(6).filter(|_| is_json).unwrap_or_default()];
            let c = char::decode_utf16(units).next()?.ok()?;
            return Some((Some(c), 6 * c.len_utf16()));
        }
        b'U' if !is_json => return Some((Some(char_of(text.get(2..10)?, 16)?), 10)),
        b'b' if is_json => '\u{8}',
        b'f' if is_json => '\u{C}',
        b'n' if is_json => '\n',
        b'r' if is_json => '\r',
        b't' if is_json => '\t',
        same @ (b'"' | b'\\' | b'/') if is_json => char::from(*same),
        _ => return None,
    };
    Some((Some(single), 2))
}

/// Reads an escape of CSS at the start of `text`: a backslash and up to six digits with a white space, or a backslash
/// and any other character.
fn css(text: &str) -> Read {
    let rest = text.get(1..)?;
    let count = rest.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    if count == 0 {
        let c = rest.chars().next()?;
        return Some(((c != '\n').then_some(c), 1 + c.len_utf8()));
    }
    let c = char_of(rest.get(..count)?, 16)?;
    let space = usize::from(matches!(rest.as_bytes().get(count), Some(b' ' | b'\t' | b'\n')));
    Some((Some(c), 1 + count + space))
}

/// Tells whether a text has hexadecimal digits only. `from_str_radix` would also accept a sign.
fn is_hex(digits: &str) -> bool {
    digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// Returns the character with this number. `None` for NUL, which no format allows as an escape.
fn char_of(digits: &str, radix: u32) -> Option<char> {
    let number = u32::from_str_radix(digits, radix).ok().filter(|_| is_hex(digits))?;
    char::from_u32(number).filter(|c| *c != '\0')
}

/// The error of [`Document::read`]: an escape stands for no character.
///
/// ```
/// use simd_iri::document::{Document, Format};
///
/// let error = Document::new(Format::Xml).read("a&#xD800;").unwrap_err();
/// assert_eq!(error.to_string(), "the escape at byte 1 stands for no character; correct it");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EscapeError {
    at: usize,
}

impl EscapeError {
    /// Returns the byte offset in the text at which the escape begins.
    ///
    /// ```
    /// # use simd_iri::document::{Document, Format};
    /// assert_eq!(Document::new(Format::Css).read(r"ab\110000").unwrap_err().at(), 2);
    /// ```
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }
}

impl fmt::Display for EscapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the escape at byte {} stands for no character; correct it", self.at)
    }
}

impl core::error::Error for EscapeError {}
