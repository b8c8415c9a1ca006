//! The formats `nt` and `nq`: N-Triples and N-Quads, a statement a line.

use memchr::memchr;

use crate::format::field::{Coding, Field, Record};
use crate::format::lines;
use crate::item_error::ItemError;

/// Which terms of a statement are addresses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The number of the term, from 0; `None` for every IRI, that of a datatype too.
    wanted: Option<usize>,
}

impl Layout {
    /// Returns the layout of a field.
    ///
    /// # Errors
    /// No term has that name.
    pub(crate) fn new(field: Option<&str>, has_graph: bool) -> Result<Self, String> {
        let wanted = match field {
            None => None,
            Some("s") => Some(0),
            Some("p") => Some(1),
            Some("o") => Some(2),
            Some("g") if has_graph => Some(3),
            Some("g") => {
                return Err("a statement of N-Triples has no graph; use --from nq".to_owned());
            }
            Some(name) => {
                return Err(format!("no term is called '{name}'; the names are s, p, o and g"));
            }
        };
        Ok(Self { wanted })
    }

    /// Finds the statement that begins at `at`, and its addresses. A comment is no record.
    pub(crate) fn next(self, block: &[u8], at: usize, record: &mut Record) {
        let line = lines::filled(block, at, record);
        record.is_filler |= line.trim_ascii_start().starts_with(b"#");
        if record.is_filler {
            return;
        }
        if let Err((start, message)) = self.terms(line, at, record) {
            record.fields.clear();
            let (kind, end) = ("not-a-statement", line.len());
            let message = message.to_owned();
            record.error = Some(ItemError { kind, message, start, end, component: None, of: None });
        }
    }

    /// Finds the terms of a statement. Literals and names of blank nodes are passed over.
    fn terms(
        self,
        line: &[u8],
        offset: usize,
        record: &mut Record,
    ) -> Result<(), (usize, &'static str)> {
        let mut term = 0;
        let mut at = 0;
        loop {
            let rest = line.get(at..).unwrap_or_default();
            let space = rest.len() - rest.trim_ascii_start().len();
            at += space;
            let rest = rest.get(space..).unwrap_or_default();
            match rest.first() {
                Some(b'<') => {
                    let length = memchr(b'>', rest).ok_or((at, "a < has no > after it"))?;
                    if self.wanted.is_none_or(|wanted| wanted == term) {
                        let span = offset + at + 1..offset + at + length;
                        record.fields.push(Field { span, coding: Coding::NTriples });
                    }
                    at += length + 1;
                }
                Some(b'"') => {
                    at += 1 + literal(rest.get(1..).unwrap_or_default())
                        .ok_or((at, "a quote opens a literal and none closes it"))?;
                    let after = line.get(at..).unwrap_or_default();
                    if let Some(datatype) = after.strip_prefix(b"^^<") {
                        let length = memchr(b'>', datatype).ok_or((at, "a < has no > after it"))?;
                        if self.wanted.is_none() {
                            let span = offset + at + 3..offset + at + 3 + length;
                            record.fields.push(Field { span, coding: Coding::NTriples });
                        }
                        at += length + 4;
                    } else if after.starts_with(b"@") {
                        at += word(after);
                    }
                }
                Some(b'_') => at += word(rest),
                Some(b'.') if term >= 3 => {
                    let rest = rest.get(1..).unwrap_or_default().trim_ascii_start();
                    let is_end = rest.is_empty() || rest.starts_with(b"#");
                    return if is_end { Ok(()) } else { Err((at + 1, "text follows the dot")) };
                }
                Some(_) => return Err((at, "no term begins with this character")),
                None => return Err((at, "the statement has no dot at its end")),
            }
            term += 1;
            if term > 4 {
                return Err((at, "the statement has too many terms"));
            }
        }
    }
}

/// Returns the length of the rest of a literal with its closing quote.
fn literal(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        let found = memchr::memchr2(b'"', b'\\', rest)?;
        if rest.get(found) == Some(&b'"') {
            return Some(at + found + 1);
        }
        at += found + 2;
    }
}

/// Returns the length of a word, which a space, a tab, or a dot at the end of the line ends.
fn word(text: &[u8]) -> usize {
    let length = text.iter().position(|byte| b" \t<\"".contains(byte)).unwrap_or(text.len());
    let word = text.get(..length).unwrap_or_default();
    // The last dot ends the statement, even without a space before it.
    if word.ends_with(b".") { length - 1 } else { length }
}

/// Appends a text for the place between `<` and `>`. The characters that the grammar excludes there
/// become escapes (RDF 1.1 N-Triples, rule `IRIREF`).
pub(crate) fn encode(text: &[u8], out: &mut Vec<u8>) {
    for byte in text {
        match byte {
            0..=0x20 | b'<' | b'>' | b'"' | b'{' | b'}' | b'|' | b'^' | b'`' | b'\\' => {
                out.extend_from_slice(format!("\\u{byte:04X}").as_bytes());
            }
            _ => out.push(*byte),
        }
    }
}
