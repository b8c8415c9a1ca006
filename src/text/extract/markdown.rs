//! The structure of Markdown that decides how characters are read: code, link destinations, autolinks,
//! tags, and text (CommonMark 0.31).
//!
//! Reads one paragraph at a time, since only a fenced code block continues after a blank line; a fence may
//! be indented or quoted. One pass over a paragraph, and a bounded number of searches ahead. Not here:
//! emphasis (`detect`, `ends`) and escapes (`reading`). Indented code is read as text, since only the
//! structure of lists distinguishes it from text.

use core::ops::Range;

use memchr::{memchr, memchr_iter};

use super::html::{self, Attribute, Element};
use super::reading::Reading;
use super::region::{Reference, Region};
use crate::scan::slice;

/// A fence of code: its character, and the number of these characters.
#[derive(Clone, Copy, Debug)]
struct Fence {
    mark: u8,
    length: usize,
}

/// The structure of the text at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// The fence of the code block that holds the place.
    fence: Option<Fence>,
    /// The paragraph that holds the place.
    paragraph: Option<Paragraph>,
}

/// The longest run of grave accents that can begin code; longer runs are text.
const LONGEST_RUN: usize = 16;

#[derive(Clone, Copy, Debug)]
struct Paragraph {
    end: usize,
    /// Whether the place is within a tag.
    in_tag: bool,
    /// Whether no tag that begins here ends within the paragraph.
    has_no_tags: bool,
    /// The offset of the last run of each number of grave accents, once the paragraph was searched for
    /// them.
    runs: Option<[usize; LONGEST_RUN + 1]>,
}

/// The largest number of open brackets in a destination.
const DEEPEST: usize = 32;

/// The length of the longest label of a definition.
const LONGEST_LABEL: usize = 999;

impl State {
    pub(crate) const fn new() -> Self {
        Self { fence: None, paragraph: None }
    }

    /// Returns the next region: see [`super::regions::State::next`].
    pub(crate) fn next(
        &mut self,
        text: &str,
        at: usize,
        is_whole: bool,
    ) -> Option<(Region, usize)> {
        if let Some(paragraph) = &mut self.paragraph {
            let found = paragraph.next(text, at)?;
            if found.1 >= paragraph.end {
                self.paragraph = None;
            }
            return Some(found);
        }
        if let Some(fence) = self.fence {
            let (end, is_closed) = code_end(text, at, fence, is_whole)?;
            if is_closed {
                self.fence = None;
            }
            return Some((Region::text(at..end, Reading::Literal), end));
        }
        let (end, fence) = paragraph_end(text, at, is_whole)?;
        if fence.is_some() {
            // The next region is the line of the fence itself.
            self.fence = fence;
            return Some((Region::text(at..end, Reading::Literal), end));
        }
        let paragraph = Paragraph { end, in_tag: false, has_no_tags: false, runs: None };
        self.paragraph = Some(paragraph);
        Some((Region::nothing(at), at))
    }
}

/// Returns the lines from an offset on, each with the offset of its end; without the last line if more of
/// it may follow.
fn lines(text: &str, at: usize, is_whole: bool) -> impl Iterator<Item = (&str, usize)> {
    let rest = slice::text(text, at..);
    let ends = memchr_iter(b'\n', rest.as_bytes()).map(|end| end + 1);
    let last = (is_whole && !rest.is_empty() && !rest.ends_with('\n')).then_some(rest.len());
    let mut start = 0;
    ends.chain(last).map(move |end| {
        let line = slice::text(rest, start..end);
        start = end;
        (line, at + end)
    })
}

/// Returns the fence that a line is, and the rest of the line.
fn fence_of(line: &str) -> Option<(Fence, &str)> {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let mark = line.bytes().next().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = line.bytes().take_while(|byte| *byte == mark).count();
    let after = line.get(length..)?;
    (length >= 3).then_some((Fence { mark, length }, after))
}

/// Returns the offset at which the paragraph ends. If it begins with a fence, returns the end of that line,
/// and the fence.
fn paragraph_end(text: &str, at: usize, is_whole: bool) -> Option<(usize, Option<Fence>)> {
    let mut start = at;
    for (line, end) in lines(text, at, is_whole) {
        let fence =
            fence_of(line).filter(|(fence, info)| fence.mark == b'~' || !info.contains('`'));
        match fence {
            Some((fence, _)) if start == at => return Some((end, Some(fence))),
            Some(_) => return Some((start, None)),
            None if line.trim_ascii().is_empty() => return Some((end, None)),
            None => start = end,
        }
    }
    is_whole.then_some((text.len(), None))
}

/// Returns the offset at which code ends: after the line of the closing fence, or after the last line; and
/// whether the fence was closed.
fn code_end(text: &str, at: usize, fence: Fence, is_whole: bool) -> Option<(usize, bool)> {
    let mut last = None;
    for (line, end) in lines(text, at, is_whole) {
        last = Some(end);
        let closes = |(close, after): (Fence, &str)| {
            close.mark == fence.mark
                && close.length >= fence.length
                && after.trim_ascii().is_empty()
        };
        if fence_of(line).is_some_and(closes) {
            return Some((end, true));
        }
    }
    last.map(|end| (end, false))
}

impl Paragraph {
    fn next(&mut self, text: &str, at: usize) -> Option<(Region, usize)> {
        let text = text.get(..self.end)?;
        if self.in_tag {
            return self.in_tag(text, at);
        }
        let bytes = text.as_bytes();
        let mut here = at;
        while let Some(byte) = bytes.get(here) {
            let special = match byte {
                b'\\' => {
                    here += 1 + usize::from(bytes.get(here + 1).is_some_and(u8::is_ascii));
                    continue;
                }
                b'`' => {
                    let length = run(bytes, here);
                    match self.code(bytes, here, length) {
                        // The region includes one accent on each side, before which a link in it ends.
                        Some(end) => Some((
                            Region::text(here + length - 1..end + 1, Reading::Literal),
                            end + length,
                        )),
                        None => {
                            here += length;
                            continue;
                        }
                    }
                }
                b'<' => match autolink(text, here) {
                    Some(found) => Some(found),
                    None => self.tag(text, here),
                },
                b']' if bytes.get(here + 1) == Some(&b'(') => inline_link(text, here),
                b'[' => definition(text, here),
                _ => None,
            };
            match special {
                // The text before it is the next region.
                Some(_) if here > at => break,
                Some(found) => return Some(found),
                None => here += 1,
            }
        }
        let end = here.min(bytes.len());
        self.in_tag = false;
        Some((Region::text(at..end, Reading::Markdown), end))
    }

    /// Returns the region of the tag at a place.
    fn tag(&mut self, text: &str, at: usize) -> Option<(Region, usize)> {
        if self.has_no_tags {
            return None;
        }
        let is_tag = text.get(at + 1..)?.starts_with(|c: char| c == '/' || c.is_ascii_alphabetic());
        let attributes = html::tag(text, at);
        // Otherwise every later tag would search up to the end of the paragraph again.
        self.has_no_tags = is_tag && attributes.is_none();
        self.in_tag = attributes.is_some();
        attributes.map(|at| (Region::nothing(at), at))
    }

    /// Returns the next region in a tag.
    fn in_tag(&mut self, text: &str, at: usize) -> Option<(Region, usize)> {
        match html::attribute(text, at)? {
            Attribute::End(end) => {
                self.in_tag = false;
                Some((Region::nothing(end), end))
            }
            Attribute::Value { name, span, inside, end } => {
                Some((Element::Other.value(text, name, span, inside), end))
            }
        }
    }

    /// Returns the offset of the run of grave accents that closes the run of `length` at a place.
    fn code(&mut self, bytes: &[u8], at: usize, length: usize) -> Option<usize> {
        let is_there = |last: &usize| *last > at;
        match self.runs {
            Some(runs) if !runs.get(length).is_some_and(is_there) => return None,
            None if length > LONGEST_RUN => return None,
            _ => {}
        }
        let mut runs = [0; LONGEST_RUN + 1];
        let mut here = at + length;
        while let Some(next) = memchr(b'`', bytes.get(here..)?) {
            let start = here + next;
            let found = run(bytes, start);
            if found == length {
                return Some(start);
            }
            if let Some(last) = runs.get_mut(found) {
                *last = start;
            }
            here = start + found;
        }
        self.runs = Some(runs);
        None
    }
}

/// Returns the number of grave accents at a place.
fn run(bytes: &[u8], at: usize) -> usize {
    let rest = slice::bytes(bytes, at..);
    rest.iter().take_while(|byte| **byte == b'`').count()
}

/// Returns a region with a reference in it.
fn reference(span: Range<usize>, inside: Range<usize>, reading: Reading) -> Region {
    let reference = (!inside.is_empty()).then_some(Reference { span: inside, is_base: false });
    Region { span, reading, reference }
}

/// Returns the autolink at a place (section 6.5): a scheme, and then neither white space nor `<` and `>`.
fn autolink(text: &str, at: usize) -> Option<(Region, usize)> {
    let rest = text.as_bytes().get(at + 1..)?;
    let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    let scheme = rest.iter().take(33).take_while(|byte| is_scheme(byte)).count();
    let begins = rest.first().is_some_and(u8::is_ascii_alphabetic);
    if !begins || scheme < 2 || rest.get(scheme) != Some(&b':') {
        return None;
    }
    let end =
        rest.iter().position(|byte| *byte <= b' ' || matches!(byte, b'<' | b'>' | b'\x7F'))?;
    let close = at + 1 + end;
    (text.as_bytes().get(close) == Some(&b'>'))
        .then(|| (reference(at..close + 1, at + 1..close, Reading::Literal), close + 1))
}

/// Returns the destination of the link whose text ends at a place (section 6.3).
fn inline_link(text: &str, at: usize) -> Option<(Region, usize)> {
    let start = skip_space(text, at + 2);
    let (inside, end) = destination(text, start)?;
    let after = text.as_bytes().get(skip_space(text, end))?;
    let is_link = *after == b')' || skip_space(text, end) > end && b"\"'(".contains(after);
    // The region includes the bracket on each side: links in it end there.
    is_link.then(|| (reference(at..end + 1, inside, Reading::Markdown), end))
}

/// Returns the destination of the definition at the start of a line (section 4.7).
fn definition(text: &str, at: usize) -> Option<(Region, usize)> {
    let bytes = text.as_bytes();
    let before = bytes.get(..at)?.iter().rev().take(4);
    let indent = before.take_while(|byte| **byte == b' ').count();
    let is_start = at == indent || bytes.get(at - indent - 1) == Some(&b'\n');
    // A footnote is text.
    if indent > 3 || !is_start || bytes.get(at + 1) == Some(&b'^') {
        return None;
    }
    let mut here = at + 1;
    loop {
        match bytes.get(here)? {
            b']' => break,
            b'[' => return None,
            b'\\' => here += 2,
            _ => here += 1,
        }
        if here > at + LONGEST_LABEL {
            return None;
        }
    }
    if bytes.get(here + 1) != Some(&b':') {
        return None;
    }
    let start = skip_space(text, here + 2);
    let (inside, end) = destination(text, start)?;
    let is_over = bytes.get(end).is_none_or(|byte| html::is_space(*byte));
    (is_over && !inside.is_empty()).then(|| (reference(start..end, inside, Reading::Markdown), end))
}

/// Returns the first offset at or after a place that is not white space.
fn skip_space(text: &str, at: usize) -> usize {
    let rest = slice::bytes(text.as_bytes(), at..);
    at + rest.iter().take_while(|byte| html::is_space(**byte)).count()
}

/// Returns the range of the destination that begins at a place, and the offset after its angle brackets.
fn destination(text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let bytes = text.as_bytes();
    let is_angle = bytes.get(at) == Some(&b'<');
    let start = at + usize::from(is_angle);
    let (mut here, mut depth) = (start, 0);
    loop {
        match bytes.get(here) {
            Some(b'\\') if bytes.get(here + 1).is_some_and(u8::is_ascii_punctuation) => here += 1,
            None | Some(b'\n' | b'<') if is_angle => return None,
            Some(b'>') if is_angle => return Some((start..here, here + 1)),
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
    (depth == 0).then_some((start..here, here))
}
