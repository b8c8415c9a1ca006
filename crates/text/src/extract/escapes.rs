//! How the markup writes a reference at its place, and how a reader of the format understands it. Not here: where the
//! references are (`html`, `markdown`), and what each escape means (`reading`).

use alloc::borrow::Cow;
use alloc::string::String;

use super::reading::Reading;
use simd_iri::low::{CharacterReferences, triplet_text};

/// The largest number of open parentheses in a destination.
const DEEPEST: usize = 32;

/// What is around a reference. Its characters cannot be in the reference as they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Surroundings {
    /// The value of an attribute of HTML, with its quote.
    Attribute(Option<u8>, Within),
    /// A destination of Markdown.
    Destination,
    /// A destination of Markdown between `<` and `>`.
    Angle,
    /// An autolink of Markdown, in which there are no escapes.
    Autolink,
    /// An autolink of Markdown that is an e-mail address.
    Mail,
}

/// What is around a reference inside the value of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Within {
    /// Nothing.
    Whole,
    /// White space.
    Words,
    /// White space or commas.
    List,
    /// The time of a refresh, before the reference.
    Refresh,
    /// The quote of a refresh.
    Quotes(u8),
    /// The parentheses of `url()`.
    Url,
    /// The quotes of a string of CSS.
    String(u8),
}

/// The escapes of the place of a link that the markup delimits: an attribute of HTML or a destination of Markdown.
/// [`Link::escapes`](super::Link::escapes) returns it.
///
/// ```
/// use simd_iri_text::{Extract, Markup};
///
/// let page = "<a href='HTTP://a.example/?b&amp;c'>";
/// let link = Extract::new().markup(Markup::Html).links(page).next().unwrap();
/// let escapes = link.escapes().unwrap();
/// assert_eq!(escapes.read(link.as_str()), "HTTP://a.example/?b&c");
/// assert_eq!(escapes.write(link.as_str(), "http://a.example/?b&c='"), "http://a.example/?b&amp;c=&#39;");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Escapes {
    reading: Reading,
    bounds: Surroundings,
}

impl Escapes {
    pub(crate) const fn new(reading: Reading, bounds: Surroundings) -> Self {
        Self { reading, bounds }
    }

    /// Tells whether the place holds an e-mail address without its scheme.
    pub(crate) const fn is_mail(self) -> bool {
        matches!(self.bounds, Surroundings::Mail)
    }

    pub(crate) const fn reading(self) -> Reading {
        self.reading
    }

    /// Returns the escapes of a reference that has `within` around it in the value of its attribute.
    pub(crate) const fn within(self, within: Within) -> Self {
        match self.bounds {
            Surroundings::Attribute(quote, _) => {
                Self { bounds: Surroundings::Attribute(quote, within), ..self }
            }
            _ => self,
        }
    }

    /// Returns what a text at this place means, without its escapes. Borrows a text without escapes. One pass.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, Markup};
    /// let link = Extract::new().markup(Markup::Markdown).links(r"[a](http://b/\_)").next().unwrap();
    /// assert_eq!(link.escapes().unwrap().read(r"http://b/\*&amp;"), "http://b/*&");
    /// ```
    #[must_use]
    pub fn read(self, source: &str) -> Cow<'_, str> {
        match self.bounds {
            Surroundings::Mail => Cow::Owned([MAILTO, source].concat()),
            _ => self.reading.meaning(source),
        }
    }

    /// Returns a text as it is written at this place instead of `source`. A source that means the text stays as it is.
    /// Otherwise only characters that would be misread are escaped; if `source` has `&amp;`, all ampersands too. A
    /// character that no escape can express, such as a space in an autolink, is percent-encoded. One pass; allocates
    /// the result.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, Markup};
    /// let link = Extract::new().markup(Markup::Html).links("<a href=http://b/?c>").next().unwrap();
    /// let escapes = link.escapes().unwrap();
    /// assert_eq!(escapes.write("http://b/?c", "http://b/?c&d&copy;>"), "http://b/?c&d&amp;copy;&gt;");
    /// assert_eq!(escapes.write("http://b/?&#x63;", "http://b/?c"), "http://b/?&#x63;");
    /// ```
    #[must_use]
    pub fn write(self, source: &str, text: &str) -> String {
        if self.read(source) == text {
            return source.into();
        }
        let all = source.contains("&amp;");
        match self.bounds {
            Surroundings::Attribute(quote, within) => {
                attribute(&inside(text, within), quote, all, source)
            }
            Surroundings::Destination => destination(text, all),
            Surroundings::Angle => angle(text, all),
            Surroundings::Autolink => autolink(text),
            // An e-mail address is written without its scheme. Another reference becomes an ordinary autolink.
            Surroundings::Mail => autolink(text.strip_prefix(MAILTO).unwrap_or(text)),
        }
    }
}

/// The scheme of an e-mail address.
const MAILTO: &str = "mailto:";

/// Returns a text as an autolink of Markdown.
fn autolink(text: &str) -> String {
    percent_encoded(text, |c, _| c <= ' ' || matches!(c, '<' | '>' | '\x7F'))
}

/// Returns a text in which some characters of ASCII are percent-encoded. `is_escaped` gets a character and its offset.
fn percent_encoded(text: &str, is_escaped: impl Fn(char, usize) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match u8::try_from(c) {
            Ok(byte) if byte < 0x80 && is_escaped(c, at) => out.push_str(triplet_text(byte)),
            _ => out.push(c),
        }
    }
    out
}

/// Returns a text as it is written inside the value of an attribute.
fn inside(text: &str, within: Within) -> Cow<'_, str> {
    let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0C');
    let written = match within {
        Within::Whole => return Cow::Borrowed(text),
        Within::Words => percent_encoded(text, |c, _| is_space(c)),
        Within::List => {
            let first = text.len() - text.trim_start_matches(',').len();
            let last = text.trim_end_matches(',').len();
            let is_end = |at: usize| at < first || at >= last;
            percent_encoded(text, |c, at| is_space(c) || c == ',' && is_end(at))
        }
        // A quote at the start would not belong to the reference.
        Within::Refresh => percent_encoded(text, |c, at| at == 0 && matches!(c, '"' | '\'')),
        Within::Quotes(quote) => percent_encoded(text, |c, _| c == char::from(quote)),
        Within::Url => css(text, |c| {
            is_space(c) || c.is_ascii_control() || matches!(c, '"' | '\'' | '(' | ')' | '\\')
        }),
        Within::String(quote) => {
            css(text, |c| c == char::from(quote) || c == '\\' || c.is_ascii_control())
        }
    };
    Cow::Owned(written)
}

/// Returns a text in which some characters have a backslash before them, or are percent-encoded if they are controls.
fn css(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match u8::try_from(c) {
            Ok(byte) if is_escaped(c) && byte.is_ascii_control() => {
                out.push_str(triplet_text(byte))
            }
            _ if is_escaped(c) => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

/// Returns a text as an attribute of HTML with a quote. `all` tells whether all ampersands are escaped.
fn attribute(text: &str, quote: Option<u8>, all: bool, source: &str) -> String {
    if text.is_empty() && quote.is_none() {
        // Without these quotes, the next attribute would be the value.
        return "\"\"".into();
    }
    // `&copy=` is text. But if the equals sign is written as `&#61;`, then `&copy` is a character reference.
    let all = all || quote.is_none() && text.contains('=') && !source.contains('=');
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default();
        match (c, quote) {
            ('&', _) if all || is_reference(rest) => out.push_str("&amp;"),
            ('"', Some(b'"')) => out.push_str("&quot;"),
            ('\'', Some(b'\'')) => out.push_str("&#39;"),
            // In a value without quotes, CommonMark does not allow these characters, and in HTML they are errors.
            ('"', None) => out.push_str("&quot;"),
            ('\'', None) => out.push_str("&#39;"),
            ('<', None) => out.push_str("&lt;"),
            ('`', None) => out.push_str("&#96;"),
            ('=', None) if !source.contains('=') => out.push_str("&#61;"),
            ('>', None) => out.push_str("&gt;"),
            (' ', None) => out.push_str("&#32;"),
            ('\t', None) => out.push_str("&#9;"),
            ('\n', None) => out.push_str("&#10;"),
            ('\x0C', None) => out.push_str("&#12;"),
            ('\r', _) => out.push_str("&#13;"),
            _ => out.push(c),
        }
    }
    out
}

/// Tells whether a text begins with what an attribute of HTML reads as a character reference.
fn is_reference(text: &str) -> bool {
    matches!(CharacterReferences::HtmlAttribute.read(text), Ok(Some(_)))
}

/// Appends a character of a destination of Markdown. Escapes a backslash before punctuation, and an ampersand that
/// begins a character reference, because they would be read as escapes.
fn push_marked(c: char, rest: &str, all: bool, out: &mut String) {
    match c {
        '&' if all => out.push_str("&amp;"),
        '&' if is_reference(rest) => out.push_str("&amp;"),
        '\\' if rest.chars().nth(1).is_none_or(|next| next.is_ascii_punctuation()) => {
            out.push_str("\\\\");
        }
        c if c.is_ascii_control() => {
            out.push_str(triplet_text(u8::try_from(c).unwrap_or_default()));
        }
        c => out.push(c),
    }
}

/// Returns a text as a destination of Markdown (CommonMark, section 6.3).
fn destination(text: &str, all: bool) -> String {
    let depth = text.chars().try_fold(0_usize, |depth, c| match c {
        '(' => (depth < DEEPEST).then_some(depth + 1),
        ')' => depth.checked_sub(1),
        _ => Some(depth),
    });
    let is_balanced = depth == Some(0);
    if text.is_empty() || text.contains(' ') {
        return ["<", &angle(text, all), ">"].concat();
    }
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if matches!(c, '(' | ')') && !is_balanced || c == '<' && at == 0 {
            out.push('\\');
        }
        push_marked(c, text.get(at..).unwrap_or_default(), all, &mut out);
    }
    out
}

/// Returns a text as a destination of Markdown between `<` and `>`.
fn angle(text: &str, all: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if matches!(c, '<' | '>') {
            out.push('\\');
        }
        push_marked(c, text.get(at..).unwrap_or_default(), all, &mut out);
    }
    out
}
