//! The characters of an input with their positions: text, character references, and bytes that are not
//! UTF-8. Not here: their repair.
//!
//! Nothing is stored: a source is a range of the input, which is read again as often as a step needs it. So an
//! input of any size costs no memory beside itself and its result.

use super::repair::RepairKind;
use crate::scan::{slice, triplet_text};
use crate::transform::CharacterReferences;

/// A character, and where in the input it comes from.
#[derive(Clone, Copy)]
pub(crate) struct Unit {
    pub(crate) c: char,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// What the input has there instead of the character. Of several characters only the first says so.
    pub(crate) origin: Option<RepairKind>,
}

/// A range of the input that is still to be read.
#[derive(Clone)]
pub(crate) struct Source<'a> {
    bytes: &'a [u8],
    references: Option<CharacterReferences>,
    /// Where `bytes` begin in the input of the caller.
    offset: usize,
    at: usize,
    end: usize,
    /// Characters that are to come of what was read last.
    later: [Option<char>; 2],
    last: (u32, u32),
}

impl<'a> Source<'a> {
    /// Bytes that begin at `offset` of an input of less than 4 GiB.
    pub(crate) const fn new(
        bytes: &'a [u8],
        offset: usize,
        references: Option<CharacterReferences>,
    ) -> Self {
        let (later, last) = ([None; 2], (0, 0));
        Self { bytes, references, offset, at: 0, end: bytes.len(), later, last }
    }

    /// Where the range begins in the input.
    pub(crate) const fn start(&self) -> u32 {
        (self.offset + self.at) as u32
    }

    /// Where the range ends in the input.
    pub(crate) const fn end(&self) -> u32 {
        (self.offset + self.end) as u32
    }

    /// Tells whether the input is HTML.
    pub(crate) fn is_html(&self) -> bool {
        self.references.is_some_and(|references| references != CharacterReferences::Xml)
    }

    /// How character references are read.
    pub(crate) const fn references(&self) -> Option<CharacterReferences> {
        self.references
    }

    /// Leaves out what comes before a place.
    pub(crate) const fn begin_at(&mut self, place: u32) {
        self.at = place as usize - self.offset;
    }

    /// Leaves out what comes from a place on.
    pub(crate) const fn end_at(&mut self, place: u32) {
        self.end = place as usize - self.offset;
    }

    fn rest(&self) -> &'a [u8] {
        slice::bytes(self.bytes, self.at..self.end)
    }

    /// The first character. Of those that become several, the first of them.
    pub(crate) fn front(&self) -> Option<Unit> {
        self.clone().next()
    }

    /// The last character. Of bytes that become several characters, the first of them.
    pub(crate) fn back(&self) -> Option<Unit> {
        let rest = self.rest();
        let last = *rest.last()?;
        let mut length = 1;
        if !last.is_ascii() {
            let is_char = |n: &usize| {
                let tail = rest.len().checked_sub(*n).and_then(|from| rest.get(from..));
                tail.is_some_and(|tail| core::str::from_utf8(tail).is_ok())
            };
            length = (2..=4).find(is_char).unwrap_or(1);
        } else if let (Some(references), true) =
            (self.references, last == b';' || last.is_ascii_alphanumeric())
        {
            // A reference has one ampersand, at its start; so only the last can begin one that ends here.
            let tail =
                memchr::memrchr(b'&', rest).and_then(|at| rest.get(at..)).unwrap_or_default();
            let reference = references.read_bytes(tail).ok().flatten();
            let is_last = reference.is_some_and(|reference| reference.length() == tail.len());
            length = if is_last { tail.len() } else { 1 };
        }
        let mut unit = self.clone();
        unit.at = self.end - length;
        unit.next()
    }
}

impl Iterator for Source<'_> {
    type Item = Unit;

    #[inline]
    fn next(&mut self) -> Option<Unit> {
        if let [Some(c), after] = self.later {
            self.later = [after, None];
            let (start, end) = self.last;
            return Some(Unit { c, start, end, origin: None });
        }
        let rest = self.rest();
        let byte = *rest.first()?;
        let references = self.references.filter(|_| byte == b'&');
        let reference = references.and_then(|all| all.read_bytes(rest).ok().flatten());
        let (c, length, origin) = if let Some(reference) = reference {
            let mut chars = reference.chars();
            let first = chars.next()?;
            self.later = [chars.next(), None];
            (first, reference.length(), Some(RepairKind::CharacterReference))
        } else if byte.is_ascii() {
            (char::from(byte), 1, None)
        } else if let Some(c) = first_char(rest) {
            (c, c.len_utf8(), None)
        } else {
            let mut triplet = triplet_text(byte).chars();
            let first = triplet.next()?;
            self.later = [triplet.next(), triplet.next()];
            (first, 1, Some(RepairKind::IllFormed))
        };
        let start = self.start();
        self.at += length;
        self.last = (start, self.start());
        Some(Unit { c, start, end: self.start(), origin })
    }
}

/// The character at the start of bytes; `None` if they do not begin with UTF-8.
fn first_char(bytes: &[u8]) -> Option<char> {
    let chunk = bytes.get(..bytes.len().min(4))?.utf8_chunks().next()?;
    chunk.valid().chars().next()
}
