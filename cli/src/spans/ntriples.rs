//! The IRIs in statements of N-Triples and N-Quads.

/*
# The algorithm

A regular statement is read from term to term. The first byte of a term says what ends it, and a mask finds that byte among
the next 64 bytes:

    <http://a.example/s> <urn:p> "a \"b\""@en <urn:g> .
    ^------------------^ ^-----^ ^-------^^-^ ^-----^ ^
    IRI to >             IRI     literal  tag IRI     end

A literal ends at a quote: each backslash before the quote takes the byte after it along. The IRIs that are wanted are the
spans.

A statement is regular if its line begins with its subject, at most one blank follows each term, and its dot is the last
byte of the line. A comment, a triple term, and an escape in an IRI are left to the reader. So is whatever is wrong.

# Invariants

- No term has a newline, so a statement never goes on in the next line.
- Blank nodes and tags are the words of the reader: a dot at the end of a word is not a part of it.
*/

use simd_iri::low::{AsciiSet, Cpu};

use super::{Lines, Span, first};

/// What ends an IRI, or makes the statement irregular.
const IRI: AsciiSet = AsciiSet::of(b">\\\n");

/// What ends a literal or a part of it, or makes the statement irregular.
const LITERAL: AsciiSet = AsciiSet::of(b"\"\\\n");

/// What follows a word, or makes the statement irregular unless it ends the line.
const WORD: AsciiSet = AsciiSet::of(b" \t<\")#\r\n");

/// Which terms of a statement are addresses.
pub(crate) struct Statements {
    /// The number of the term, from 0; `None` for every IRI, also the IRI of a datatype.
    pub(crate) wanted: Option<usize>,
    /// Whether a statement may have a graph.
    pub(crate) has_graph: bool,
}

impl Lines for Statements {
    #[inline(always)]
    fn line<S: Cpu>(
        &self,
        simd: S,
        text: &[u8],
        mut at: usize,
        spans: &mut Vec<Span>,
    ) -> Option<usize> {
        let most = if self.has_graph { 4 } else { 3 };
        let mut term = 0;
        loop {
            let byte = *text.get(at)?;
            if byte == b'.' && term >= 3 {
                return match text.get(at + 1..)? {
                    [b'\n', ..] => Some(at + 2),
                    [b'\r', b'\n', ..] => Some(at + 3),
                    _ => None,
                };
            }
            if term == most {
                return None;
            }
            match byte {
                b'<' => {
                    let is_wanted = self.wanted.is_none_or(|wanted| wanted == term);
                    at = iri(simd, text, at + 1, is_wanted, spans)?;
                }
                b'"' if term == 2 => {
                    at = literal(simd, text, at + 1)?;
                    at = match text.get(at..)? {
                        [b'^', b'^', b'<', ..] => {
                            iri(simd, text, at + 3, self.wanted.is_none(), spans)?
                        }
                        [b'@', ..] => word(simd, text, at)?,
                        _ => at,
                    };
                }
                b'_' if term != 1 && text.get(at + 1) == Some(&b':') => at = word(simd, text, at)?,
                _ => return None,
            }
            term += 1;
            at += usize::from(matches!(text.get(at), Some(b' ' | b'\t')));
        }
    }
}

/// Returns the place after the IRI whose text begins at `at`.
#[inline(always)]
fn iri<S: Cpu>(
    simd: S,
    text: &[u8],
    at: usize,
    is_wanted: bool,
    spans: &mut Vec<Span>,
) -> Option<usize> {
    let end = first(simd, text, at, &IRI)?;
    // Two brackets may begin a triple term.
    if text.get(end) != Some(&b'>') || text.get(at) == Some(&b'<') {
        return None;
    }
    if is_wanted {
        spans.push((at as u32, end as u32));
    }
    Some(end + 1)
}

/// Returns the place after the literal whose text begins at `at`.
#[inline(always)]
fn literal<S: Cpu>(simd: S, text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let end = first(simd, text, at, &LITERAL)?;
        match text.get(end..)? {
            [b'"', ..] => return Some(end + 1),
            [b'\\', escaped, ..] if *escaped != b'\n' => at = end + 2,
            _ => return None,
        }
    }
}

/// Returns the place after the word that begins at `at`.
#[inline(always)]
fn word<S: Cpu>(simd: S, text: &[u8], at: usize) -> Option<usize> {
    let end = first(simd, text, at, &WORD)?;
    Some(end - usize::from(text.get(end - 1) == Some(&b'.')))
}
