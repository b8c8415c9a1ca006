//! A text as symbols: a symbol is a character, and a triplet or the triplets of a character are one symbol.
#![forbid(unsafe_code)]

/*
A match compares symbols, so that spellings of the same character are equal, and no value ends inside a triplet or
inside the triplets of a character:

    text      /   a   é   %c3%a9   %41          %C3      %2f
    symbols   /   a   É   É        encoded A    octet    encoded /        É stands for "encoded U+00E9"

A character outside ASCII is the same symbol as its triplets, because a URI writes it so. `%41` is another symbol than
`A`: an expansion never changes one into the other.
*/

use alloc::vec::Vec;

use super::LITERAL;
use simd_iri::low::{NonAscii, UNRESERVED, octet, slice};

/// A symbol of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Symbol(u32);

/// Added to the number of a character that triplets stand for, or that is outside ASCII.
const ENCODED: u32 = 1 << 21;

/// Added to an octet that is not part of the UTF-8 of a character.
const OCTET: u32 = 1 << 22;

impl Symbol {
    /// Returns the symbol of an ASCII character that is not encoded.
    pub(super) const fn plain(byte: u8) -> Self {
        Self(byte as u32)
    }

    /// Returns the ASCII character if the symbol is one that is not encoded.
    pub(super) fn ascii(self) -> Option<u8> {
        u8::try_from(self.0).ok()
    }

    /// Returns the symbol that a value has after it is decoded and encoded again: an unreserved character is not encoded.
    pub(super) fn again(self) -> Self {
        let byte = self.0.checked_sub(ENCODED).and_then(|character| u8::try_from(character).ok());
        byte.filter(|byte| UNRESERVED.contains(*byte)).map_or(self, Self::plain)
    }

    /// Reads the symbol at a byte offset of a text, which is a character boundary. Returns the symbol and its length in
    /// bytes, or `None` at the end.
    pub(super) fn read(text: &str, at: usize) -> Option<(Self, usize)> {
        let bytes = text.as_bytes();
        match *bytes.get(at)? {
            b'%' => Some(match octet(bytes, at) {
                Some(first) => Self::of_triplets(bytes, at, first),
                None => (Self::plain(b'%'), 1),
            }),
            byte if byte.is_ascii() => Some((Self::plain(byte), 1)),
            _ => {
                let character = slice::text(text, at..).chars().next()?;
                Some((Self(ENCODED | u32::from(character)), character.len_utf8()))
            }
        }
    }

    /// Reads the symbol of the triplets at an offset. `first` is the octet of the first triplet.
    fn of_triplets(bytes: &[u8], at: usize, first: u8) -> (Self, usize) {
        let length = (first.leading_ones() as usize).clamp(1, 4);
        let octets = [0, 1, 2, 3].map(|number| octet(bytes, at + 3 * number).unwrap_or_default());
        let character = core::str::from_utf8(slice::bytes(&octets, ..length)).ok();
        // A triplet that is missing is no octet of a longer character, because it is read as zero.
        match character.and_then(|character| character.chars().next()) {
            Some(character) => (Self(ENCODED | u32::from(character)), 3 * length),
            None => (Self(OCTET | u32::from(first)), 3),
        }
    }
}

/// Returns the symbols of a literal of a template.
pub(super) fn literal(text: &str) -> Vec<Symbol> {
    let mut at = 0;
    core::iter::from_fn(|| {
        let (symbol, length) = Symbol::read(text, at)?;
        at += length;
        Some(symbol)
    })
    .collect()
}

/// The symbols of a text that may be an expansion.
pub(super) struct Symbols<'a> {
    pub(super) text: &'a str,
    pub(super) symbols: Vec<Symbol>,
    /// The byte offset of each symbol, and of the end.
    starts: Vec<u32>,
}

impl<'a> Symbols<'a> {
    /// Returns the symbols of a text. Returns `None` if the text has a character that no expansion has, or 4 GiB or more.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        u32::try_from(text.len()).ok()?;
        let (mut symbols, mut starts) = (Vec::new(), Vec::new());
        let (mut at, mut query, mut fragment) = (0, false, false);
        while let Some((symbol, length)) = Symbol::read(text, at) {
            let byte = slice::bytes(text.as_bytes(), at..).first().copied().unwrap_or_default();
            let is_allowed = match byte {
                b'%' => symbol != Symbol::plain(b'%'),
                byte if byte.is_ascii() => LITERAL.contains(byte),
                _ => match NonAscii::of(slice::bytes(text.as_bytes(), at..)) {
                    NonAscii::Ucschar => true,
                    NonAscii::Private => query && !fragment,
                    NonAscii::Other => false,
                },
            };
            if !is_allowed {
                return None;
            }
            query |= byte == b'?';
            fragment |= byte == b'#';
            symbols.push(symbol);
            starts.push(at as u32);
            at += length;
        }
        starts.push(at as u32);
        Some(Self { text, symbols, starts })
    }

    /// Returns the number of symbols.
    pub(super) fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Tells whether the symbol at a place is this ASCII character, not encoded.
    pub(super) fn is(&self, at: usize, byte: u8) -> bool {
        self.symbols.get(at) == Some(&Symbol::plain(byte))
    }

    /// Tells whether these symbols stand at a place.
    pub(super) fn has(&self, at: usize, symbols: &[Symbol]) -> bool {
        self.symbols.get(at..at + symbols.len()) == Some(symbols)
    }

    /// Returns the byte offset of a symbol.
    pub(super) fn byte(&self, at: usize) -> usize {
        self.starts.get(at).map_or(self.text.len(), |start| *start as usize)
    }
}
