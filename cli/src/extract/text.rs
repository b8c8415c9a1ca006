//! The part of a text that is searched, and the places in it. Lines and columns are counted only up to the
//! places that are asked for.

use encoding_rs::Encoding;
use memchr::{memchr_iter, memrchr};

use crate::invariant::present;
use crate::pipe::block::characters;

/// The longest text that is searched as a whole: a word, or a document of Markdown. A longer text is searched in parts, and
/// the program reports this.
pub(crate) const LONGEST: u32 = 1 << 26;

/// The part of a text that is searched.
pub(crate) struct Text<'a> {
    /// The name of the text, safe to print.
    pub(crate) name: &'a str,
    /// The charset that the text is converted from; `None` if it is not converted.
    pub(crate) charset: Option<&'static Encoding>,
    /// The offset of the part in the text.
    pub(crate) start: u64,
    /// The place up to which lines and columns are counted.
    pub(crate) counted: u64,
    pub(crate) line: u64,
    /// The number of characters before the place in its line.
    pub(crate) column: u64,
    /// The place of the first bytes of the part that are not text, if they are not reported yet.
    pub(crate) ill_formed: Option<u64>,
}

impl<'a> Text<'a> {
    pub(crate) fn new(name: &'a str, line: u64, charset: Option<&'static Encoding>) -> Self {
        Self { name, charset, start: 0, counted: 0, line, column: 0, ill_formed: None }
    }

    /// Returns the line and the column of a place, both from 1. The place is not before the last place that was asked
    /// for. `bytes` are the bytes of the part.
    pub(crate) fn place(&mut self, bytes: &[u8], to: u64) -> (u64, u64) {
        let passed = self.between(bytes, self.counted, to);
        let rest = match memrchr(b'\n', passed) {
            Some(last) => {
                self.line += memchr_iter(b'\n', passed).count() as u64;
                self.column = 0;
                present(passed.get(last + 1..))
            }
            None => passed,
        };
        self.column += characters(rest);
        self.counted = to;
        (self.line, self.column + 1)
    }

    /// Returns the bytes of the part between two places.
    pub(crate) fn between<'b>(&self, bytes: &'b [u8], from: u64, to: u64) -> &'b [u8] {
        let offset = |place: u64| place.saturating_sub(self.start) as usize;
        present(bytes.get(offset(from)..offset(to)))
    }
}

/// Returns the number of sequences of bytes that are not UTF-8.
pub(crate) fn count_ill_formed(bytes: &[u8]) -> u64 {
    bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count() as u64
}

/// Returns the message that a part of a text was cut.
pub(crate) fn cut(name: &str, at: u64) -> String {
    format!(
        "iri: {name}: a part of the text is longer than {LONGEST} bytes and was cut at byte {at}; \
         a link there may be incomplete\n"
    )
}

/// Returns the message with the number of ill-formed sequences after the first.
pub(crate) fn further(name: &str, charset: &str, count: u64) -> String {
    format!("iri: {name}: further parts that are not {charset}: {}\n", count - 1)
}
