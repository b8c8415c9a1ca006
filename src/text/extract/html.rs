//! The structure of HTML that decides how characters are read: text, attribute values, and the rest (HTML
//! standard, section 13.2.5, tokenization).
//!
//! One pass that never goes back: a tag is read attribute by attribute. Not here: the tree of elements, and
//! character references (`reading`).

use core::ops::Range;

use memchr::{memchr, memchr_iter};

use super::reading::Reading;
use super::region::{Reference, Region, words_end};
use crate::scan::slice;

/// The construct of which the next byte is a part.
#[derive(Clone, Copy, Debug)]
pub(crate) enum State {
    /// Text between tags.
    Data,
    /// A comment.
    Comment,
    /// A document type or a processing instruction, which is skipped up to the next `>`.
    Declaration,
    /// An element whose text has no tags: it ends at its end tag.
    Within(Raw),
    /// The inside of a tag, after its name or after an attribute.
    Tag(Element),
}

/// An element whose text has no tags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw {
    name: &'static str,
    reading: Reading,
}

/// The kinds of elements that differ for the search.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Element {
    Base,
    Object,
    Raw(Raw),
    Other,
}

/// Elements whose text has no tags, with and without character references.
const RAW: [(&str, Reading); 8] = [
    ("title", Reading::HtmlText),
    ("textarea", Reading::HtmlText),
    ("script", Reading::Literal),
    ("style", Reading::Literal),
    ("xmp", Reading::Literal),
    ("iframe", Reading::Literal),
    ("noembed", Reading::Literal),
    ("noframes", Reading::Literal),
];

/// Attributes whose value is a reference, by the index of the HTML standard, and those of older standards.
/// The attribute `data` is one only in `object`.
const REFERENCES: [&str; 13] = [
    "action",
    "background",
    "cite",
    "classid",
    "codebase",
    "formaction",
    "href",
    "itemid",
    "longdesc",
    "manifest",
    "poster",
    "src",
    "xlink:href",
];

/// Tells whether a byte is white space in HTML.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b'\x0C')
}

impl Element {
    fn of(name: &str) -> Self {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if let Some((name, reading)) = RAW.into_iter().find(|(known, _)| is(known)) {
            return Self::Raw(Raw { name, reading });
        }
        match name {
            _ if is("base") => Self::Base,
            _ if is("object") => Self::Object,
            _ => Self::Other,
        }
    }

    /// Returns the region of an attribute value: running text, or a reference.
    pub(crate) fn value(
        self,
        text: &str,
        name: Range<usize>,
        span: Range<usize>,
        inside: Range<usize>,
    ) -> Region {
        let name = slice::text(text, name);
        let reference = self.reference(name, trimmed(text, inside));
        Region { span, reading: Reading::HtmlAttribute, reference }
    }

    fn reference(self, name: &str, span: Range<usize>) -> Option<Reference> {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let is_data = matches!(self, Self::Object) && is("data");
        let is_base = matches!(self, Self::Base) && is("href");
        let is_reference = is_data || REFERENCES.into_iter().any(is);
        (is_reference && !span.is_empty()).then_some(Reference { span, is_base })
    }
}

impl State {
    /// Returns the next region: see [`super::regions::State::next`].
    pub(crate) fn next(
        &mut self,
        text: &str,
        at: usize,
        is_whole: bool,
    ) -> Option<(Region, usize)> {
        let rest = text.get(at..)?;
        match *self {
            Self::Data => self.data(text, at, is_whole),
            Self::Comment => {
                let ends = memchr_iter(b'>', rest.as_bytes());
                let ends = ends.filter_map(|end| {
                    let comment = rest.get(..end)?;
                    let inside = comment.strip_suffix("--").or(comment.strip_suffix("--!"))?;
                    Some((inside.len(), end + 1))
                });
                self.until(ends, text, at, Reading::Literal, is_whole)
            }
            Self::Declaration => {
                let ends = memchr(b'>', rest.as_bytes()).map(|end| (end, end + 1));
                self.until(ends.into_iter(), text, at, Reading::Literal, is_whole)
            }
            Self::Within(Raw { name, reading }) => {
                let is_tag = |tag: &usize| {
                    let inside = rest.get(*tag..).and_then(|tag| tag.strip_prefix("</"));
                    let (found, after) =
                        match inside.and_then(|tag| tag.split_at_checked(name.len())) {
                            Some((found, after)) => (found, after.bytes().next()),
                            None => return false,
                        };
                    let is_over = after.is_some_and(|byte| is_space(byte) || b"/>".contains(&byte));
                    found.eq_ignore_ascii_case(name) && is_over
                };
                let mut tags =
                    memchr_iter(b'<', rest.as_bytes()).filter(is_tag).map(|end| (end, end));
                self.until(tags.next().into_iter(), text, at, reading, is_whole)
            }
            Self::Tag(element) => match attribute(text, at) {
                Some(Attribute::End(end)) => {
                    *self = match element {
                        Element::Raw(raw) => Self::Within(raw),
                        _ => Self::Data,
                    };
                    Some((Region::nothing(end), end))
                }
                Some(Attribute::Value { name, span, inside, end }) => {
                    Some((element.value(text, name, span, inside), end))
                }
                // A tag that does not end is text, so that its links are found.
                None if is_whole => self.rest(text, at),
                None => None,
            },
        }
    }

    /// Returns the rest of the text as a region.
    fn rest(&mut self, text: &str, at: usize) -> Option<(Region, usize)> {
        *self = Self::Data;
        Some((Region::text(at..text.len(), Reading::HtmlText), text.len()))
    }

    /// Returns the region before the first of some ends, after which there is text again; or the words
    /// before the end of the text, if no end is there yet.
    fn until(
        &mut self,
        mut ends: impl Iterator<Item = (usize, usize)>,
        text: &str,
        at: usize,
        reading: Reading,
        is_whole: bool,
    ) -> Option<(Region, usize)> {
        if let Some((end, next)) = ends.next() {
            *self = Self::Data;
            return Some((Region::text(at..at + end, reading), at + next));
        }
        let end = words_end(text, at, is_whole)?;
        Some((Region::text(at..end, reading), end))
    }

    fn data(&mut self, text: &str, at: usize, is_whole: bool) -> Option<(Region, usize)> {
        let rest = text.get(at..)?.as_bytes();
        // Tells whether a tag begins at a place; `None` if more of the text is needed.
        let begins = |tag: usize| {
            let after = slice::bytes(rest, tag + 1..);
            let first = after.first();
            if !first.is_some_and(|byte| byte.is_ascii_alphabetic() || b"/!?".contains(byte)) {
                return Some(false);
            }
            is_bracketed(after, is_whole).map(|is_bracketed| !is_bracketed)
        };
        let mut candidates = memchr_iter(b'<', rest).map(|tag| (tag, begins(tag)));
        let Some((tag, is_tag)) = candidates.find(|(_, is_tag)| *is_tag != Some(false)) else {
            let end = words_end(text, at, is_whole)?;
            return Some((Region::text(at..end, Reading::HtmlText), end));
        };
        if is_tag.is_none() {
            let end = words_end(text.get(..at + tag)?, at, false)?;
            return Some((Region::text(at..end, Reading::HtmlText), end));
        }
        if tag > 0 {
            return Some((Region::text(at..at + tag, Reading::HtmlText), at + tag));
        }
        let is_cut =
            |whole: &[u8]| !is_whole && rest.len() < whole.len() && whole.starts_with(rest);
        let name = match rest {
            _ if is_cut(b"<!--") => return None,
            // In `<!-->`, the same dashes begin and end the comment.
            [_, b'!', b'-', b'-', ..] => {
                *self = Self::Comment;
                return Some((Region::nothing(at + 2), at + 2));
            }
            [_, b'/', letter, ..] if letter.is_ascii_alphabetic() => at + 2,
            [_, b'/'] if !is_whole => return None,
            [_, letter, ..] if letter.is_ascii_alphabetic() => at + 1,
            _ => {
                *self = Self::Declaration;
                return Some((Region::nothing(at + 2), at + 2));
            }
        };
        let after = text.get(name..)?;
        match after.bytes().position(|byte| is_space(byte) || b"/>".contains(&byte)) {
            Some(length) => {
                // The attributes of an end tag mean nothing, and text follows it.
                let is_start = name == at + 1;
                let element =
                    if is_start { Element::of(after.get(..length)?) } else { Element::Other };
                *self = Self::Tag(element);
                Some((Region::nothing(name + length), name + length))
            }
            None if is_whole => self.rest(text, at),
            None => None,
        }
    }
}

/// Tells whether an IRI or an address follows `<`, not the name of a tag; `None` if more of the text is
/// needed. In the standard it would be a tag, but no element has such a name, and authors write
/// `<http://a.example/>`.
fn is_bracketed(after: &[u8], is_whole: bool) -> Option<bool> {
    const LONGEST: usize = 64;
    let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+.-_".contains(byte);
    let length = after.iter().take(LONGEST).take_while(is_in).count();
    let rest = slice::bytes(after, length..);
    let is_cut = !is_whole && rest.len() < 3 && b"://".starts_with(rest);
    if length > 0 && length < LONGEST && is_cut {
        return None;
    }
    Some(length > 0 && (rest.starts_with(b"@") || rest.starts_with(b"://")))
}

/// The next thing in a tag.
pub(crate) enum Attribute {
    /// The end of the tag.
    End(usize),
    /// An attribute: the range of its name, the ranges of its value with and without quotes, and the offset
    /// at which it ends.
    Value { name: Range<usize>, span: Range<usize>, inside: Range<usize>, end: usize },
}

/// Returns the next thing in a tag, or `None` if the text ends before.
pub(crate) fn attribute(text: &str, at: usize) -> Option<Attribute> {
    let bytes = text.as_bytes();
    let skip = |from: usize, is_skipped: &dyn Fn(u8) -> bool| {
        let rest = bytes.get(from..)?;
        rest.iter().position(|byte| !is_skipped(*byte)).map(|length| from + length)
    };
    let start = skip(at, &|byte| is_space(byte) || byte == b'/')?;
    if bytes.get(start) == Some(&b'>') {
        return Some(Attribute::End(start + 1));
    }
    // An equals sign at the start of a name belongs to the name.
    let name_end = skip(start + 1, &|byte| !is_space(byte) && !b"/>=".contains(&byte))?;
    let name = start..name_end;
    let equals = skip(name_end, &is_space)?;
    if bytes.get(equals) != Some(&b'=') {
        return Some(Attribute::Value {
            name,
            span: equals..equals,
            inside: equals..equals,
            end: equals,
        });
    }
    let value = skip(equals + 1, &is_space)?;
    match bytes.get(value)? {
        quote @ (b'"' | b'\'') => {
            let length = memchr(*quote, bytes.get(value + 1..)?)?;
            let end = value + 1 + length + 1;
            Some(Attribute::Value { name, span: value..end, inside: value + 1..end - 1, end })
        }
        _ => {
            let end = skip(value, &|byte| !is_space(byte) && byte != b'>')?;
            Some(Attribute::Value { name, span: value..end, inside: value..end, end })
        }
    }
}

/// Returns a range without the white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = slice::text(text, range.clone());
    let is_space = |c: char| u8::try_from(c).is_ok_and(is_space);
    let start = range.start + (inside.len() - inside.trim_start_matches(is_space).len());
    let length = inside.trim_matches(is_space).len();
    start..start + length
}

/// Returns the offset at which the attributes of the tag with `<` at a place begin, or `None` if no tag
/// begins there, or if the tag does not end. The name of a tag is letters, digits and hyphens (CommonMark
/// 0.31, section 6.6).
pub(crate) fn tag(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?.strip_prefix('<')?;
    let name = rest.strip_prefix('/').unwrap_or(rest);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let length = name.bytes().position(|byte| !byte.is_ascii_alphanumeric() && byte != b'-')?;
    if !name.as_bytes().get(length).is_some_and(|byte| is_space(*byte) || b"/>".contains(byte)) {
        return None;
    }
    let start = text.len() - name.len() + length;
    let mut end = start;
    loop {
        match attribute(text, end)? {
            Attribute::End(_) => return Some(start),
            Attribute::Value { end: next, .. } => end = next,
        }
    }
}
