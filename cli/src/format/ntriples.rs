//! The formats `nt` and `nq`: N-Triples and N-Quads, a statement a line.

use std::borrow::Cow;

use memchr::memchr;
use simd_iri::{
    document::{Document, Format},
    parser::CpuLevel,
};

use crate::format::field::{Coding, Field, Record, bytes};
use crate::format::lines;
use crate::io::text::utf8;
use crate::item_error::ItemError;
use crate::spans::ntriples::Statements;
use crate::spans::{self, Records};

/// Which terms of a statement are addresses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The number of the term, from 0; `None` for every IRI, also the IRI of a datatype.
    wanted: Option<usize>,
    /// Whether a statement may have a graph.
    has_graph: bool,
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
        Ok(Self { wanted, has_graph })
    }

    /// Returns the name of the term that is the address; `None` if every IRI is one.
    pub(crate) fn wanted(self) -> Option<&'static str> {
        ["s", "p", "o", "g"].get(self.wanted?).copied()
    }

    /// Finds the addresses of the statements from `from` on. Returns `false` if masks cannot find them.
    pub(crate) fn find(
        self,
        level: CpuLevel,
        block: &[u8],
        from: usize,
        records: &mut Records,
    ) -> bool {
        let Self { wanted, has_graph } = self;
        spans::lines(level, (block, from), &Statements { wanted, has_graph }, records)
    }

    /// Finds the statement that begins at `at`, and its addresses. A comment is not a record.
    pub(crate) fn next(self, block: &[u8], at: usize, record: &mut Record) {
        let line = lines::filled(block, at, record);
        record.is_filler |= line.trim_ascii_start().starts_with(b"#") || is_version(line);
        if record.is_filler {
            return;
        }
        if let Err((start, message)) = self.terms(line, at, record) {
            record.fields.clear();
            record.error = Some(ItemError::at("not-a-statement", message, start..line.len()));
        }
    }

    /// Finds the terms of a statement (RDF 1.2 N-Triples, section 7). Literals and names of blank nodes are passed
    /// over.
    ///
    /// `term` is the number of terms that were read, and `triples` is the number of triple terms that are open. A
    /// triple term is always an object, the third term. So three terms are read after its end, outside it as inside it,
    /// and `term` needs no stack:
    ///
    /// ```text
    /// text      <s>   <p>   <<(   <a>   <b>   <c>   )>>   .
    /// term      1     2     0     1     2     3     3     the end
    /// triples   0     0     1     1     1     1     0
    /// ```
    fn terms(
        self,
        line: &[u8],
        offset: usize,
        record: &mut Record,
    ) -> Result<(), (usize, &'static str)> {
        const OPENS: &[u8] = b"<<(";
        const CLOSES: &[u8] = b")>>";
        let (mut term, mut triples, mut at) = (0, 0_usize, 0);
        loop {
            let rest = line.get(at..).unwrap_or_default();
            at += rest.len() - rest.trim_ascii_start().len();
            let rest = rest.trim_ascii_start();
            let most = if triples == 0 && self.has_graph { 4 } else { 3 };
            let is_term = !matches!(rest.first(), None | Some(b'.' | b')'));
            if is_term && term == most {
                return Err((
                    at,
                    match most {
                        3 if triples == 0 => {
                            "a statement of N-Triples has three terms; quads need --from nq"
                        }
                        _ => "there are too many terms",
                    },
                ));
            }
            match rest.first() {
                Some(b'<') if rest.starts_with(OPENS) => {
                    if term != 2 {
                        return Err((at, "a triple term is the object of a statement"));
                    }
                    triples += 1;
                    at += OPENS.len();
                    term = 0;
                    continue;
                }
                Some(b')') if rest.starts_with(CLOSES) && triples > 0 => {
                    if term != 3 {
                        return Err((at, "a triple term has three terms"));
                    }
                    // `term` stays 3: the triple term itself is the third term outside it.
                    triples -= 1;
                    at += CLOSES.len();
                    continue;
                }
                Some(b'<') => {
                    let length = memchr(b'>', rest).ok_or((at, "a < has no > after it"))?;
                    if self.wanted.is_none_or(|wanted| wanted == term && triples == 0) {
                        let span = offset + at + 1..offset + at + length;
                        record.fields.push(Field { span, coding: Coding::NTriples });
                    }
                    at += length + 1;
                }
                Some(b'"') if term == 2 => {
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
                Some(b'"') => return Err((at, "a literal is the object of a statement")),
                Some(b'_') if term == 1 => return Err((at, "a predicate is an IRI")),
                Some(b'_') if rest.starts_with(b"_:") => at += word(rest),
                Some(b'.') if term >= 3 && triples == 0 => {
                    let rest = rest.get(1..).unwrap_or_default().trim_ascii_start();
                    let is_end = rest.is_empty() || rest.starts_with(b"#");
                    return if is_end { Ok(()) } else { Err((at + 1, "text follows the dot")) };
                }
                Some(b'.') => return Err((at, "a statement has at least three terms")),
                Some(_) => return Err((at, "no term begins with this character")),
                None => return Err((at, "the statement has no dot at its end")),
            }
            term += 1;
        }
    }
}

/// Tells whether a line says the version of RDF (RDF 1.2 N-Triples, section 2.7).
fn is_version(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"VERSION") else { return false };
    let text = rest.trim_ascii();
    let quote = text.first().filter(|byte| matches!(byte, b'"' | b'\''));
    quote.is_some_and(|quote| {
        let end = memchr(*quote, text.get(1..).unwrap_or_default());
        let after = end.and_then(|end| text.get(end + 2..)).map(<[u8]>::trim_ascii_start);
        after.is_some_and(|after| after.is_empty() || after.starts_with(b"#"))
    })
}

/// Returns the length of the rest of a literal with its closing quote.
pub(crate) fn literal(text: &[u8]) -> Option<usize> {
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

/// Returns the length of a word: a blank node or a tag of a language. A dot at its end is not a part of it.
fn word(text: &[u8]) -> usize {
    let length = text.iter().position(|byte| b" \t<\")#".contains(byte)).unwrap_or(text.len());
    let word = text.get(..length).unwrap_or_default();
    // A name may have dots inside. A dot at its end ends the statement, even without a space before it.
    if word.ends_with(b".") { length - 1 } else { length }
}

/// Returns the text between `<` and `>`.
///
/// # Errors
/// The text is not UTF-8, or an escape stands for no character.
pub(crate) fn decode(raw: &[u8]) -> Result<Cow<'_, [u8]>, ItemError> {
    Ok(bytes(Document::new(Format::NTriples).read(utf8(raw)?)?))
}

/// Returns the text of a literal with its quotes; `None` if an escape stands for no character.
pub(crate) fn decode_literal(raw: &[u8]) -> Option<Cow<'_, [u8]>> {
    let inside = raw.get(1..raw.len().checked_sub(1)?)?;
    if memchr(b'\\', inside).is_none() {
        return Some(Cow::Borrowed(inside));
    }
    let mut text = Vec::with_capacity(inside.len());
    let mut rest = inside;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte != b'\\' {
            text.push(*byte);
            continue;
        }
        let (escape, after) = after.split_first()?;
        rest = after;
        let digits = match escape {
            b'u' => 4,
            b'U' => 8,
            _ => 0,
        };
        match escape {
            b't' => text.push(b'\t'),
            b'b' => text.push(8),
            b'n' => text.push(b'\n'),
            b'r' => text.push(b'\r'),
            b'f' => text.push(12),
            b'"' | b'\'' | b'\\' => text.push(*escape),
            b'u' | b'U' => {
                let (number, after) = after.split_at_checked(digits)?;
                rest = after;
                number.iter().all(u8::is_ascii_hexdigit).then_some(())?;
                let number = u32::from_str_radix(std::str::from_utf8(number).ok()?, 16).ok()?;
                let letter = char::from_u32(number)?;
                text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => return None,
        }
    }
    Some(Cow::Owned(text))
}

/// Appends a text as a literal with its quotes.
pub(crate) fn encode_literal(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in text {
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', *byte]),
            _ => out.push(*byte),
        }
    }
    out.push(b'"');
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
