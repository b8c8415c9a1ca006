//! Converts input in any charset to UTF-8: finds the charset by the byte-order mark, decodes parts of a
//! fixed size, and marks bytes that are invalid in the charset.
//!
//! Lines are split after this, so that the newlines of UTF-16 are found. Not here: what an item is.

use std::io::{self, ErrorKind, Read};

use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::invariant::present;

/// Stands for bytes that are invalid in the charset. This byte never occurs in UTF-8.
pub(crate) const ILL_FORMED: u8 = 0xFF;

/// How many bytes are decoded at a time.
const CHUNK: usize = 1 << 15;

/// Text without an ASCII delimiter is composed when there are so many bytes of it.
const LONGEST_RUN: usize = 1 << 16;

/// A byte-order mark and what it says. The longer ones come first, for one begins like another.
const MARKS: [(&[u8], Option<&Encoding>); 5] = [
    (b"\xFF\xFE\0\0", None),
    (b"\0\0\xFE\xFF", None),
    (b"\xEF\xBB\xBF", Some(UTF_8)),
    (b"\xFF\xFE", Some(UTF_16LE)),
    (b"\xFE\xFF", Some(UTF_16BE)),
];

/// Where bytes come from.
pub(crate) type Source = Box<dyn Read + Send>;

/// Input as UTF-8.
pub(crate) struct Input {
    pub(crate) source: Source,
    /// The charset that it is decoded from. `None` if the bytes are taken as they are.
    pub(crate) charset: Option<&'static Encoding>,
    /// The byte-order mark says another charset than the one that was expected.
    pub(crate) is_surprise: bool,
}

/// Finds the charset that the beginning of a text declares, of which at least so many bytes are needed.
pub(crate) type Sniff = (usize, fn(&[u8]) -> Option<&'static Encoding>);

/// Reads a source in the charset that its byte-order mark says, or else in `charset`, or else in that which
/// `sniff` finds, or else as it is. A UTF-8 byte-order mark stays in the text.
///
/// # Errors
/// Those of the source; a byte-order mark of UTF-32, which is not supported.
pub(crate) fn input(
    mut source: Source,
    charset: Option<&'static Encoding>,
    sniff: Option<Sniff>,
) -> io::Result<Input> {
    let mut head = Vec::new();
    // Stops as soon as no mark can begin like this, so that nobody waits for more than was typed.
    while MARKS.iter().any(|(mark, _)| mark.len() > head.len() && mark.starts_with(&head)) {
        let mut room = [0; 4];
        let room = present(room.get_mut(head.len()..));
        match source.read(room) {
            Ok(0) => break,
            Ok(count) => head.extend_from_slice(present(room.get(..count))),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let mark = MARKS.iter().find(|(mark, _)| head.starts_with(mark));
    let marked = match mark {
        None => None,
        Some((_, None)) => {
            return Err(io::Error::other("this is UTF-32; convert it to UTF-8"));
        }
        Some((mark, Some(marked))) => {
            // The reader of items skips the mark of UTF-8, and reports it.
            if *marked != UTF_8 {
                head.drain(..mark.len());
            }
            Some(*marked)
        }
    };
    let charset = match sniff {
        Some((length, sniff)) if marked.or(charset).is_none() => {
            let missing = length.saturating_sub(head.len()) as u64;
            source.by_ref().take(missing).read_to_end(&mut head)?;
            // UTF-8 is what is taken as it is.
            sniff(&head).filter(|charset| *charset != UTF_8)
        }
        _ => charset,
    };
    let is_surprise = marked.is_some_and(|marked| marked != charset.unwrap_or(UTF_8));
    let charset = match marked {
        Some(marked) if marked == UTF_8 && charset.is_none() => None,
        marked => marked.or(charset),
    };
    let source = io::Cursor::new(head).chain(source);
    let source: Source = match charset {
        None => Box::new(source),
        Some(charset) => Box::new(Decoder::new(source, charset)),
    };
    Ok(Input { source, charset, is_surprise })
}

/// Decodes a source.
struct Decoder<R> {
    source: R,
    decoder: encoding_rs::Decoder,
    /// The charset is a form of Unicode, whose text is taken as it is (RFC 3987, section 5.3.2.2).
    is_unicode: bool,
    raw: Vec<u8>,
    /// Decoded text that may still be composed with what follows.
    run: String,
    /// What is ready to be read, and how much of it was.
    ready: Vec<u8>,
    taken: usize,
    ended: bool,
}

impl<R: Read> Decoder<R> {
    fn new(source: R, charset: &'static Encoding) -> Self {
        Self {
            source,
            decoder: charset.new_decoder_without_bom_handling(),
            is_unicode: charset.output_encoding() == UTF_8,
            raw: vec![0; CHUNK],
            run: String::new(),
            ready: Vec::new(),
            taken: 0,
            ended: false,
        }
    }

    /// Reads and decodes the next piece. Nothing may be ready after it.
    fn fill(&mut self) -> io::Result<()> {
        let count = match self.source.read(&mut self.raw) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(()),
            count => count?,
        };
        self.ended = count == 0;
        self.ready.clear();
        self.taken = 0;
        let mut read = 0;
        loop {
            let rest = present(self.raw.get(read..count));
            let room = self.decoder.max_utf8_buffer_length_without_replacement(rest.len());
            self.run.reserve(room.unwrap_or(rest.len()));
            let (result, taken) =
                self.decoder.decode_to_string_without_replacement(rest, &mut self.run, self.ended);
            read += taken;
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => {
                    self.settle(self.run.len());
                    self.ready.push(ILL_FORMED);
                }
            }
        }
        // What follows the last delimiter may go on.
        let whole = self.run.rfind(is_delimiter).map_or(0, |at| at + 1);
        let all = self.is_unicode || self.ended || self.run.len() - whole > LONGEST_RUN;
        self.settle(if all { self.run.len() } else { whole });
        Ok(())
    }

    /// Makes the beginning of the run ready.
    fn settle(&mut self, length: usize) {
        let text = present(self.run.get(..length));
        if self.is_unicode {
            self.ready.extend_from_slice(text.as_bytes());
        } else {
            push_composed(text, &mut self.ready);
        }
        self.run.drain(..length);
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.ready.len() && !self.ended {
            self.fill()?;
        }
        let mut rest = present(self.ready.get(self.taken..));
        let count = rest.read(room)?;
        self.taken += count;
        Ok(count)
    }
}

/// Tells whether a character keeps apart what may be composed. A delimiter followed by a combining
/// character stays a delimiter.
fn is_delimiter(c: char) -> bool {
    c.is_ascii() && !c.is_ascii_alphanumeric()
}

/// Appends normalization form C of a text. A character that would become ASCII stays as it is: no
/// delimiter comes of a character that is none.
fn push_composed(text: &str, out: &mut Vec<u8>) {
    for run in text.split_inclusive(is_delimiter) {
        if is_nfc_quick(run.chars()) == IsNormalized::Yes {
            out.extend_from_slice(run.as_bytes());
            continue;
        }
        let becomes_ascii = |c: char| !c.is_ascii() && c.nfc().all(|c| c.is_ascii());
        for part in run.split_inclusive(|c| is_delimiter(c) || becomes_ascii(c)) {
            let last = part.chars().next_back().filter(|c| is_delimiter(*c) || becomes_ascii(*c));
            let composed = last.and_then(|c| part.strip_suffix(c)).unwrap_or(part).nfc();
            out.extend_from_slice(composed.chain(last).collect::<String>().as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{BIG5, EUC_JP, GB18030, ISO_2022_JP, SHIFT_JIS, WINDOWS_1258};

    use super::*;

    /// Gives so many bytes at a time.
    struct Steps<'a>(&'a [u8], usize);

    impl Read for Steps<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(room.len()).min(self.0.len());
            room[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn text_does_not_depend_on_where_reads_end() {
        let bytes =
            b"a\x81\n\x93\xFA\xCC/e\xCC=\xEC\x1B$B8@\x1B(B\xFE\xFF\x84\x31\x95\x33\0\xD8z\xE9";
        let charsets = [
            BIG5,
            EUC_JP,
            GB18030,
            ISO_2022_JP,
            SHIFT_JIS,
            WINDOWS_1258,
            UTF_8,
            UTF_16BE,
            UTF_16LE,
        ];
        for charset in charsets {
            let expected = charset.decode_without_bom_handling(bytes).0;
            for step in 1..bytes.len() + 1 {
                let mut text = Vec::new();
                Decoder::new(Steps(bytes, step), charset).read_to_end(&mut text).unwrap();
                let text = String::from_utf8_lossy(&text);
                assert!(text.nfc().eq(expected.nfc()), "{charset:?} {step} {text:?}");
            }
        }
    }

    #[test]
    fn a_line_is_not_waited_for_to_be_followed() {
        for charset in [UTF_8, SHIFT_JIS] {
            // The first read has the line, and the second would wait at a terminal.
            let mut decoder = Decoder::new(Steps(b"a\nb", 2), charset);
            let mut room = [0; 8];
            assert_eq!((decoder.read(&mut room).unwrap(), &room[..2]), (2, &b"a\n"[..]));
        }
    }
}
