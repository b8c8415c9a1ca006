//! The characters of an input with their offsets: text, character references, and bytes that are not UTF-8.
//! Not here: their repair.
//!
//! Nothing is stored: a source is a range of the input, which is read again whenever a step needs it. So an
//! input of any size needs no memory besides itself and its result.

/*
# The algorithm

`Rest::next` returns the next character with its place in the input (`SourceUnit`):

    a character waits in `later`       that character, with the place of the character before it (`last`)
    `&` begins a character reference   the first character of the reference; a second character waits in `later`
    ASCII, or a character in UTF-8     that character
    any other byte                     the `%` of its triplet; the two digits wait in `later`

For example, for an attribute of HTML:

    input    a     &amp;   E9                        the byte E9 is not UTF-8
    c        a     &       %      E      9
    place    0..1  1..6    6..7   6..7   6..7
    origin         CharacterReference
                           IllFormed

`Rest::back` reads the last character. The input is read from its end: up to four bytes back for a character in UTF-8,
or back to the last ampersand for a character reference.

# Invariants

- All characters of a reference or of a byte have the same place. Only the first of them has an origin, so a repair is
  recorded once.
- `ordinary` and `ordinary_run` return nothing while a character waits in `later`.
*/

use super::repair::RepairKind;
use simd_iri::low::{AsciiSet, CharacterReferences, UNRESERVED, prefix, slice, triplet_text};

/// A character, and the range of the input from which it comes.
#[derive(Clone, Copy)]
pub(crate) struct SourceUnit {
    pub(crate) c: char,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The repair that made the character from the text at its place. If that text became several characters, only
    /// the first of them has an origin.
    pub(crate) origin: Option<RepairKind>,
}

/// Bytes that no step changes in any component, except in an e-mail address: unreserved characters, `:`, `/`,
/// and the `sub-delims` other than `&`.
const ORDINARY: AsciiSet = UNRESERVED.with(&AsciiSet::of(b"!$'()*+,;=:/"));

/// Bytes that no step before `encode` changes: all ASCII but white space, which may be removed, `&`, which may begin a
/// character reference, `\`, which may become a slash, and `|`, which may become a colon.
pub(super) const STEADY: AsciiSet = AsciiSet::of(b" \t\r\n&\\|").others();

/// Bytes that no step before `encode` changes if their place does not matter, other than `?`, `#` and slashes.
pub(super) const INERT: AsciiSet = AsciiSet::of(b" \t\r\n&\\/?#").others();

/// [`INERT`] bytes, and slashes.
pub(super) const INERT_BEFORE_QUERY: AsciiSet = AsciiSet::of(b" \t\r\n&?#").others();

/// [`INERT`] bytes that do not delimit anything in an authority.
pub(super) const INERT_IN_AUTHORITY: AsciiSet = AsciiSet::of(b" \t\r\n&\\/?#@[]").others();

/// [`INERT`] bytes other than the colon.
pub(super) const INERT_IN_SEGMENT: AsciiSet = AsciiSet::of(b" \t\r\n&\\/?#:").others();

/// How many bytes are compared one by one before a kernel is asked about the others.
const AT_FIRST: usize = 12;

/// The rest of the input.
#[derive(Clone)]
pub(crate) struct Rest<'a> {
    bytes: &'a [u8],
    references: Option<CharacterReferences>,
    /// The offset of `bytes` in the input of the caller.
    offset: usize,
    at: usize,
    end: usize,
    /// Characters that come next, at the same place as the last character.
    later: [Option<char>; 2],
    /// The place of these characters.
    last: (u32, u32),
}

impl<'a> Rest<'a> {
    /// Returns a source of bytes that begin at `offset` of an input of less than 4 GiB.
    pub(crate) const fn new(
        bytes: &'a [u8],
        offset: usize,
        references: Option<CharacterReferences>,
    ) -> Self {
        let (later, last) = ([None; 2], (0, 0));
        Self { bytes, references, offset, at: 0, end: bytes.len(), later, last }
    }

    /// Returns the offset in the input at which the range begins.
    pub(crate) const fn start(&self) -> u32 {
        (self.offset + self.at) as u32
    }

    /// Returns the offset in the input at which the range ends.
    pub(crate) const fn end(&self) -> u32 {
        (self.offset + self.end) as u32
    }

    /// Tells whether the input is HTML.
    pub(crate) fn is_html(&self) -> bool {
        self.references.is_some_and(|references| references != CharacterReferences::Xml)
    }

    /// Returns how character references are read, or `None` if they are text.
    pub(crate) const fn references(&self) -> Option<CharacterReferences> {
        self.references
    }

    /// Removes everything before an offset of the input.
    pub(crate) const fn begin_at(&mut self, place: u32) {
        self.at = place as usize - self.offset;
    }

    /// Removes everything from an offset of the input on.
    pub(crate) const fn end_at(&mut self, place: u32) {
        self.end = place as usize - self.offset;
    }

    /// Returns the bytes of the rest.
    pub(crate) fn rest(&self) -> &'a [u8] {
        slice::bytes(self.bytes, self.at..self.end)
    }

    /// Returns the next character if it is a steady byte ([`STEADY`]).
    #[inline]
    pub(crate) fn steady(&mut self) -> Option<SourceUnit> {
        let byte = *self.rest().first()?;
        if self.later[0].is_some() || !STEADY.contains(byte) {
            return None;
        }
        let unit = self.one(byte, self.at);
        self.at += 1;
        Some(unit)
    }

    /// Returns the rest before the offset `limit` of the input. Returns nothing if the next character is not that of the
    /// next byte.
    pub(crate) fn rest_until(&self, limit: u32) -> &'a [u8] {
        if self.later[0].is_some() {
            return &[];
        }
        let rest = self.rest();
        let room = limit.saturating_sub(self.start()) as usize;
        rest.get(..room).unwrap_or(rest)
    }

    /// Returns the ordinary bytes ([`ORDINARY`]) that come next, before the offset `limit` of the input.
    pub(crate) fn ordinary_run(&mut self, limit: u32) -> &'a [u8] {
        self.run_of(&ORDINARY, limit)
    }

    /// Returns the members of `set` that come next, before the offset `limit` of the input. No step may change them.
    pub(super) fn run_of(&mut self, set: &AsciiSet, limit: u32) -> &'a [u8] {
        let rest = self.rest_until(limit);
        if rest.is_empty() {
            return &[];
        }
        let mut length = rest.iter().take(AT_FIRST).take_while(|byte| set.contains(**byte)).count();
        if length == AT_FIRST {
            length += prefix(slice::bytes(rest, AT_FIRST..), set);
        }
        let run = slice::bytes(rest, ..length);
        self.at += run.len();
        run
    }

    /// Returns the first character. If the first reference stands for several characters, returns the first of them.
    pub(crate) fn front(&self) -> Option<SourceUnit> {
        match self.rest().first() {
            Some(byte) if byte.is_ascii() && *byte != b'&' => Some(self.one(*byte, self.at)),
            _ => self.clone().next(),
        }
    }

    /// Returns the unit of a byte that is a character, at `at`.
    fn one(&self, byte: u8, at: usize) -> SourceUnit {
        let start = (self.offset + at) as u32;
        SourceUnit { c: char::from(byte), start, end: start + 1, origin: None }
    }

    /// Returns the last character. If the last bytes become several characters, returns the first of them.
    pub(crate) fn back(&self) -> Option<SourceUnit> {
        let rest = self.rest();
        let last = *rest.last()?;
        if last.is_ascii_control() || last == b' ' {
            return Some(self.one(last, self.end - 1));
        }
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
            // A reference has one ampersand, at its start. So only the last ampersand can begin a reference
            // that ends here.
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

impl Iterator for Rest<'_> {
    type Item = SourceUnit;

    #[inline]
    fn next(&mut self) -> Option<SourceUnit> {
        if let [Some(c), after] = self.later {
            self.later = [after, None];
            let (start, end) = self.last;
            return Some(SourceUnit { c, start, end, origin: None });
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
        Some(SourceUnit { c, start, end: self.start(), origin })
    }
}

/// Returns the character at the start of bytes, or `None` if they do not begin with UTF-8.
#[inline]
pub(super) fn first_char(bytes: &[u8]) -> Option<char> {
    let (first, rest) = bytes.split_first()?;
    let length = match first.leading_ones() {
        0 => 1,
        ones @ 2..=4 => ones as usize,
        _ => return None,
    };
    let mut number = u32::from(*first) & (0x7F_u32 >> first.leading_ones());
    for byte in rest.get(..length - 1)? {
        if byte.leading_ones() != 1 {
            return None;
        }
        number = number << 6 | u32::from(byte & 0x3F);
    }
    // A form that is too long is not UTF-8.
    char::from_u32(number).filter(|c| c.len_utf8() == length)
}
