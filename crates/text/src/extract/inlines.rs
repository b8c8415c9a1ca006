//! The inline structure of a leaf of Markdown that decides where destinations are: code, autolinks, raw HTML, and the
//! brackets of links and images (CommonMark 0.31, sections 6.1 and 6.3 to 6.6). Also link labels, destinations, titles
//! and definitions (section 4.7), which blocks need too.
//!
//! Not here: emphasis, because no destination depends on it.

/*
# The algorithm

One pass over the content of a leaf. `Inlines::next` returns the next part that is not text, with its range:

    `\`        pass over the escaped character
    a run of   code, if another run of the same length follows: it ends there. `runs` has all runs, sorted by length
    `` ` ``    and then by offset, so a binary search finds the next run of the same length
    `<`        an autolink, or raw HTML
    `[` `![`   push the bracket onto the stack `brackets`
    `]`        pop the last bracket. It opens a link or an image if after the `]` there is
                 a destination   (c "title")
                 a known label   [label], or [] or nothing: then the text between the brackets is the label

A link contains no link. So after a link, no bracket that is still open can open a link: `inactive` becomes the length
of the stack. Such a bracket still pairs with its `]`. An image may contain links, and a link may contain images.

For example:

    [a ![b](c) d](e) <ab:c> `[x](y)` \[h](i)
    [                                           is pushed
       ![                                       is pushed
          ](c)                                  pops `![`: an image with the destination c
               ](e)                             pops `[`: a link with the destination e
                    <ab:c>                      an autolink
                            `[x](y)`            code
                                     \[         an escape, so `[` is not pushed
                                        ]       the stack is empty: text, and so is `(i)`

# Invariants

- Items ascend and do not overlap. All other parts of the content are text.
- `inactive` is at most the length of the stack. A bracket below it opens no link.
- A search for an end of raw HTML that does not exist is remembered (`missing`), and does not run again.
*/

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::memmem;

use super::escapes::{DEEPEST, Escapes, Surroundings};
use super::html::is_space;
use super::reading::Reading;
use simd_iri::low::{SCHEME, is_scheme, slice};

/// The length of the longest label in characters.
const LONGEST_REFERENCE_LABEL: usize = 999;

/// A part of the content that is not text.
#[derive(Debug)]
pub(crate) enum Inline {
    /// Code, a title, or brackets.
    Nothing,
    Html,
    /// A destination or an autolink: its range, and how it is written.
    Link(Range<usize>, Escapes),
}

/// A bracket that may open a link or an image.
struct Bracket {
    is_image: bool,
    /// The offset after the bracket.
    at: usize,
    /// Whether another bracket opens after it. Then the text after the bracket is not a label.
    has_inner: bool,
}

/// The items of a content, in order.
pub(crate) struct Inlines<'a> {
    content: &'a str,
    labels: &'a BTreeSet<String>,
    at: usize,
    brackets: Vec<Bracket>,
    /// The number of brackets, from the bottom of the stack on, that no longer open a link.
    inactive: usize,
    /// The runs of grave accents: their lengths and offsets, sorted.
    runs: Vec<(usize, usize)>,
    /// Which ends of raw HTML are known to be missing.
    missing: [bool; ENDS.len()],
}

/// The starts and ends of raw HTML other than tags.
const ENDS: [(&str, &str); 4] = [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">")];

impl<'a> Inlines<'a> {
    pub(crate) fn new(content: &'a str, labels: &'a BTreeSet<String>) -> Self {
        let mut runs = Vec::new();
        let mut at = 0;
        let bytes = content.as_bytes();
        while let Some(next) = memchr::memchr(b'`', slice::bytes(bytes, at..)) {
            let length = run(bytes, at + next);
            runs.push((length, at + next));
            at += next + length;
        }
        runs.sort_unstable();
        let missing = [false; ENDS.len()];
        Self { content, labels, at: 0, brackets: Vec::new(), inactive: 0, runs, missing }
    }

    /// Returns the next item and its span, which is not text.
    pub(crate) fn next(&mut self) -> Option<(Range<usize>, Inline)> {
        let bytes = self.content.as_bytes();
        loop {
            let at = self.at;
            self.at += 1;
            match bytes.get(at)? {
                b'\\' => self.at += usize::from(bytes.get(at + 1).is_some_and(u8::is_ascii)),
                b'`' => {
                    let length = run(bytes, at);
                    self.at = at + length;
                    let closes = self.runs.partition_point(|found| *found <= (length, at));
                    if let Some((same, close)) = self.runs.get(closes).copied() {
                        if same == length {
                            self.at = close + length;
                            return Some((at..self.at, Inline::Nothing));
                        }
                    }
                }
                b'<' => {
                    if let Some((inside, escapes)) = autolink(self.content, at) {
                        self.at = inside.end + 1;
                        return Some((at..self.at, Inline::Link(inside, escapes)));
                    }
                    if let Some(end) = self.html(at) {
                        self.at = end;
                        return Some((at..end, Inline::Html));
                    }
                }
                b'!' if bytes.get(at + 1) == Some(&b'[') => {
                    self.at += 1;
                    self.open(true);
                }
                b'[' => self.open(false),
                b']' => {
                    if let Some(found) = self.close(at) {
                        return Some(found);
                    }
                }
                _ => {}
            }
        }
    }

    fn open(&mut self, is_image: bool) {
        if let Some(last) = self.brackets.last_mut() {
            last.has_inner = true;
        }
        self.brackets.push(Bracket { is_image, at: self.at, has_inner: false });
    }

    /// Closes the last bracket at the `]` at `at`. Makes a link or an image, if a destination or a known label follows.
    fn close(&mut self, at: usize) -> Option<(Range<usize>, Inline)> {
        let bytes = self.content.as_bytes();
        let Bracket { is_image, at: start, has_inner } = self.brackets.pop()?;
        let is_active = is_image || self.brackets.len() >= self.inactive;
        self.inactive = self.inactive.min(self.brackets.len());
        if !is_active {
            return None;
        }
        let inline = inline_link(self.content, at);
        let (end, item) = match inline {
            Some((Some((inside, escapes)), end)) => (end, Inline::Link(inside, escapes)),
            Some((None, end)) => (end, Inline::Nothing),
            None => {
                let text = start..at;
                let (name, end) = match label(bytes, at + 1) {
                    Ok(end) => (at + 2..end - 1, end),
                    // `[]` says that the text is the label.
                    Err(_) if has_inner => return None,
                    Err(_) if bytes.get(at + 1..at + 3) == Some(b"[]") => (text, at + 3),
                    Err(_) => (text, at + 1),
                };
                let name = self.content.get(name)?;
                if name.len() > 4 * LONGEST_REFERENCE_LABEL || !self.labels.contains(&normal(name))
                {
                    return None;
                }
                (end, Inline::Nothing)
            }
        };
        if !is_image {
            self.inactive = self.brackets.len();
        }
        self.at = end;
        Some((at..end, item))
    }

    /// Returns the end of the raw HTML that begins at a place (section 6.6).
    fn html(&mut self, at: usize) -> Option<usize> {
        let rest = self.content.get(at..)?;
        if let Some(length) = tag(rest) {
            return Some(at + length);
        }
        let is_of = |(start, _): &(&str, &str)| rest.starts_with(start);
        let number = ENDS.iter().position(is_of)?;
        let (start, end) = ENDS.get(number)?;
        let inside = rest.get(start.len()..)?;
        if *start == "<!--" {
            // `<!-->` and `<!--->` are whole comments.
            if let Some(end) = [">", "->"].into_iter().find(|end| inside.starts_with(end)) {
                return Some(at + start.len() + end.len());
            }
        }
        if *start == "<!" && !inside.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let missing = self.missing.get_mut(number)?;
        if *missing {
            return None;
        }
        let found = memmem::find(inside.as_bytes(), end.as_bytes());
        *missing = found.is_none();
        Some(at + start.len() + found? + end.len())
    }
}

/// Returns the number of grave accents at a place.
fn run(bytes: &[u8], at: usize) -> usize {
    let rest = slice::bytes(bytes, at..);
    rest.iter().take_while(|byte| **byte == b'`').count()
}

/// Returns the first offset at or after a place that is not white space.
fn skip_space(bytes: &[u8], at: usize) -> usize {
    let rest = slice::bytes(bytes, at..);
    at + rest.iter().take_while(|byte| is_space(**byte)).count()
}

/// Returns the length of the open or closing tag at the start of a text (section 6.6).
pub(crate) fn tag(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let run = |from: usize, is_in: &dyn Fn(u8) -> bool| {
        let rest = slice::bytes(bytes, from..);
        from + rest.iter().take_while(|byte| is_in(**byte)).count()
    };
    let is_closing = bytes.get(1) == Some(&b'/');
    let name = 1 + usize::from(is_closing);
    if bytes.first() != Some(&b'<') || !bytes.get(name)?.is_ascii_alphabetic() {
        return None;
    }
    let mut at = run(name, &|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    loop {
        let space = skip_space(bytes, at);
        match bytes.get(space)? {
            b'>' => return Some(space + 1),
            b'/' if !is_closing => {
                return (bytes.get(space + 1) == Some(&b'>')).then_some(space + 2);
            }
            byte if space > at && !is_closing && is_name_start(*byte) => {}
            _ => return None,
        }
        at = run(space, &|byte| {
            is_name_start(byte) || byte.is_ascii_digit() || b".-".contains(&byte)
        });
        let equals = skip_space(bytes, at);
        if bytes.get(equals) != Some(&b'=') {
            continue;
        }
        let value = skip_space(bytes, equals + 1);
        at = match bytes.get(value)? {
            quote @ (b'"' | b'\'') => {
                let inside = slice::bytes(bytes, value + 1..);
                value + 1 + memchr::memchr(*quote, inside)? + 1
            }
            _ => run(value, &|byte| !is_space(byte) && !b"\"'=<>`".contains(&byte)),
        };
        if at == value {
            return None;
        }
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || b"_:".contains(&byte)
}

/// Returns the inside of the autolink at a place (section 6.5): an e-mail address; or a scheme and a text without
/// controls, spaces, `<` and `>`.
fn autolink(text: &str, at: usize) -> Option<(Range<usize>, Escapes)> {
    let rest = text.as_bytes().get(at + 1..)?;
    let is_end = |byte: &u8| byte.is_ascii_control() || b" <>".contains(byte);
    let length = rest.iter().position(is_end)?;
    if rest.get(length) != Some(&b'>') {
        return None;
    }
    let inside = slice::bytes(rest, ..length);
    let scheme = inside.iter().take(33).take_while(|byte| SCHEME.contains(**byte)).count();
    let is_iri = is_scheme(slice::bytes(inside, ..scheme))
        && (2..=32).contains(&scheme)
        && inside.get(scheme) == Some(&b':');
    let bounds = match is_iri {
        true => Surroundings::Autolink,
        false if is_address(inside) => Surroundings::Mail,
        false => return None,
    };
    Some((at + 1..at + 1 + length, Escapes::new(Reading::Literal, bounds)))
}

/// Tells whether a text is an e-mail address, as HTML defines it.
fn is_address(text: &[u8]) -> bool {
    let Some(sign) = memchr::memchr(b'@', text) else { return false };
    let (local, domain) = (slice::bytes(text, ..sign), slice::bytes(text, sign + 1..));
    let is_local =
        |byte: &u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(byte);
    let is_label = |label: &[u8]| {
        let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        label.len() <= 63
            && is_end(label.first())
            && is_end(label.last())
            && label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    };
    !local.is_empty()
        && local.iter().all(is_local)
        && domain.split(|byte| *byte == b'.').all(is_label)
}

/// The place of a destination and how it is written, or `None` for an empty destination.
type Destination = Option<(Range<usize>, Escapes)>;

/// Returns the destination and the end of the link whose text ends at a place (section 6.3).
fn inline_link(text: &str, at: usize) -> Option<(Destination, usize)> {
    let bytes = text.as_bytes();
    if bytes.get(at + 1) != Some(&b'(') {
        return None;
    }
    let start = skip_space(bytes, at + 2);
    let (found, end) = destination(bytes, start)?;
    let after = skip_space(bytes, end);
    let after = match bytes.get(after)? {
        b'"' | b'\'' | b'(' if after > end => skip_space(bytes, title(bytes, after)?),
        _ => after,
    };
    (bytes.get(after) == Some(&b')')).then_some((found, after + 1))
}

/// A definition of a link.
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) destination: Destination,
    /// The offset after the line on which the definition ends.
    pub(crate) end: usize,
}

/// Returns the definition at a place of the content of a paragraph (section 4.7).
pub(crate) fn definition(text: &str, at: usize) -> Option<Definition> {
    let bytes = text.as_bytes();
    let end = label(bytes, at).ok()?;
    let name = normal(text.get(at + 1..end - 1)?);
    if bytes.get(end) != Some(&b':') {
        return None;
    }
    let start = skip_space(bytes, end + 1);
    let (found, end) = destination(bytes, start)?;
    if end == start {
        return None;
    }
    let line_end = |at: usize| {
        let rest = slice::bytes(bytes, at..);
        let space = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        match rest.get(space..) {
            None | Some([]) => Some(bytes.len()),
            Some([b'\r', b'\n', ..]) => Some(at + space + 2),
            Some([b'\n' | b'\r', ..]) => Some(at + space + 1),
            Some(_) => None,
        }
    };
    let after = skip_space(bytes, end);
    let titled = match bytes.get(after) {
        Some(b'"' | b'\'' | b'(') if after > end => title(bytes, after).and_then(line_end),
        _ => None,
    };
    let end = titled.or_else(|| line_end(end))?;
    Some(Definition { name, destination: found, end })
}

/// Returns the end of the label at a place, after its brackets.
///
/// # Errors
/// No label is at the place.
fn label(bytes: &[u8], at: usize) -> Result<usize, ()> {
    if bytes.get(at) != Some(&b'[') {
        return Err(());
    }
    let (mut here, mut count, mut is_blank) = (at + 1, 0, true);
    loop {
        let byte = *bytes.get(here).ok_or(())?;
        is_blank &= is_space(byte) || byte == b']';
        count += usize::from(byte & 0xC0 != 0x80);
        match byte {
            b']' if is_blank => return Err(()),
            b']' => return Ok(here + 1),
            b'[' => return Err(()),
            b'\\' if bytes.get(here + 1).is_some_and(u8::is_ascii_punctuation) => {
                here += 1;
                count += 1;
            }
            _ => {}
        }
        here += 1;
        if count > LONGEST_REFERENCE_LABEL {
            return Err(());
        }
    }
}

/// Returns the form of a label in which labels are compared: white space and the case of letters do not matter.
fn normal(label: &str) -> String {
    let mut name = String::with_capacity(label.len());
    for word in label.split([' ', '\t', '\n', '\r', '\x0C']).filter(|word| !word.is_empty()) {
        if !name.is_empty() {
            name.push(' ');
        }
        // Case folding: some small letters have capitals of two letters, and these capitals have small letters.
        let folded = word.chars().flat_map(char::to_lowercase).flat_map(char::to_uppercase);
        name.extend(folded.flat_map(char::to_lowercase));
    }
    name
}

/// Returns the end of the title that begins at a place.
fn title(bytes: &[u8], at: usize) -> Option<usize> {
    let open = *bytes.get(at)?;
    let close = if open == b'(' { b')' } else { open };
    let mut here = at + 1;
    loop {
        match *bytes.get(here)? {
            b'\\' if bytes.get(here + 1).is_some_and(u8::is_ascii_punctuation) => here += 1,
            byte if byte == close => return Some(here + 1),
            b'(' if open == b'(' => return None,
            _ => {}
        }
        here += 1;
    }
}

/// Returns the destination that begins at a place, and the offset after it. The destination may be empty.
fn destination(bytes: &[u8], at: usize) -> Option<(Destination, usize)> {
    let is_angle = bytes.get(at) == Some(&b'<');
    let bounds = if is_angle { Surroundings::Angle } else { Surroundings::Destination };
    let found = |span: Range<usize>| {
        (!span.is_empty()).then_some((span, Escapes::new(Reading::Markdown, bounds)))
    };
    let start = at + usize::from(is_angle);
    let (mut here, mut depth) = (start, 0);
    loop {
        match bytes.get(here) {
            Some(b'\\') if bytes.get(here + 1).is_some_and(u8::is_ascii_punctuation) => here += 1,
            None | Some(b'\n' | b'\r' | b'<') if is_angle => return None,
            Some(b'>') if is_angle => return Some((found(start..here), here + 1)),
            Some(_) if is_angle => {}
            None | Some(..=b' ' | b'\x7F') => break,
            Some(b'(') if depth == DEEPEST => return None,
            Some(b'(') => depth += 1,
            Some(b')') if depth == 0 => break,
            Some(b')') => depth -= 1,
            Some(_) => {}
        }
        here += 1;
    }
    (depth == 0).then_some((found(start..here), here))
}
