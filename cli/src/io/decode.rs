//! Converts input in any charset to UTF-8. It finds the charset by the byte-order mark, decodes parts of
//! a fixed size, and marks bytes that are invalid in the charset.
//!
//! The input is split into items only after this, because the newlines of UTF-16 are not single bytes.
//! Not here: what an item is.

use std::io::{self, ErrorKind, Read};

use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::invariant::present;
use crate::io::head;

/// The byte that replaces bytes that are invalid in the charset. It never occurs in UTF-8.
pub(crate) const ILL_FORMED: u8 = 0xFF;

/// How many bytes are decoded at a time.
const CHUNK: usize = 1 << 15;

/// A longer text without an ASCII delimiter is normalized to NFC in parts.
const LONGEST_RUN: usize = 1 << 16;

/// The byte-order mark of UTF-8.
pub(crate) const BYTE_ORDER_MARK: [u8; 3] = *b"\xEF\xBB\xBF";

/// Each byte-order mark and its charset; `None` is UTF-32. Longer marks come first, because the mark of
/// UTF-32 begins with the mark of UTF-16.
const MARKS: [(&[u8], Option<&Encoding>); 5] = [
    (b"\xFF\xFE\0\0", None),
    (b"\0\0\xFE\xFF", None),
    (&BYTE_ORDER_MARK, Some(UTF_8)),
    (b"\xFF\xFE", Some(UTF_16LE)),
    (b"\xFE\xFF", Some(UTF_16BE)),
];

/// A source of bytes.
pub(crate) type Source = Box<dyn Read + Send>;

/// Input as UTF-8.
pub(crate) struct Input {
    pub(crate) source: Source,
    /// The charset of the source; `None` if the bytes are not converted.
    pub(crate) charset: Option<&'static Encoding>,
    /// Whether the byte-order mark names another charset than the expected one.
    pub(crate) is_surprise: bool,
}

/// The number of bytes at the beginning that are read, and a function that finds the charset that they declare.
pub(crate) type Sniff = (usize, fn(&[u8]) -> Option<&'static Encoding>);

/// Converts a source to UTF-8. The byte-order mark decides the charset; without a mark, `charset`; without both, the
/// charset that `sniff` finds. Without a charset, the bytes are not converted. A UTF-8 byte-order
/// mark stays in the text.
///
/// # Errors
/// The source cannot be read, or it has a byte-order mark of UTF-32, which is not supported.
// For example (`-` means that there is none):
//
//     mark     charset   sniffed   result                      surprise
//     UTF-8    -         -         not converted               no
//     UTF-8    KOI8-R    -         UTF-8, which is checked     yes
//     UTF-16   -         -         UTF-16                      yes
//     -        KOI8-R    -         KOI8-R                      no
//     -        -         KOI8-R    KOI8-R                      no
pub(crate) fn input(
    mut source: Source,
    charset: Option<&'static Encoding>,
    sniff: Option<Sniff>,
) -> io::Result<Input> {
    let is_part = |head: &[u8]| {
        MARKS.iter().any(|(mark, _)| head.len() < mark.len() && mark.starts_with(head))
    };
    let mut head = head::read(&mut source, is_part)?.bytes;
    let mark = MARKS.iter().find(|(mark, _)| head.starts_with(mark));
    let marked = match mark {
        None => None,
        Some((_, None)) => {
            return Err(io::Error::other("this is UTF-32; convert it to UTF-8"));
        }
        Some((mark, Some(marked))) => {
            // The mark of UTF-8 stays in the text: the reader of blocks puts it before the first record.
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
            // UTF-8 is not converted.
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

/// Returns a source in UTF-8 without its byte-order mark.
///
/// # Errors
/// The source cannot be read.
pub(crate) fn without_mark(mut source: Source) -> io::Result<Source> {
    let is_part =
        |head: &[u8]| head.len() < BYTE_ORDER_MARK.len() && BYTE_ORDER_MARK.starts_with(head);
    let mut head = head::read(&mut source, is_part)?.bytes;
    if head.starts_with(&BYTE_ORDER_MARK) {
        head.drain(..BYTE_ORDER_MARK.len());
    }
    Ok(Box::new(io::Cursor::new(head).chain(source)))
}

/// Decodes a source.
///
/// ```text
/// bytes of the source ──decode──▶ run ──NFC──▶ ready ──▶ the reader
/// ```
///
/// NFC may compose the end of the run with the next characters, but not across a delimiter. So the run is converted up
/// to its last delimiter. For example, a part in windows-1258 ends with `/e`, and the next part begins with an accent,
/// U+0301. The slash is converted at once, `e` stays in the run, and after the next part `é` is converted.
struct Decoder<R> {
    source: R,
    decoder: encoding_rs::Decoder,
    /// Whether the charset is a form of Unicode, whose text is not normalized (RFC 3987, section
    /// 5.3.2.2).
    is_unicode: bool,
    raw: Vec<u8>,
    /// Decoded text that is not normalized yet.
    run: String,
    /// The converted bytes.
    ready: Vec<u8>,
    /// How many of the converted bytes were read.
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

    /// Reads and decodes the next part. There may be no converted bytes after it.
    //     read a part, and decode it to the end of the run
    //     at bytes that are invalid: convert the whole run, and add `ILL_FORMED`
    //     at the end of the part: convert the run up to its last delimiter
    //         or the whole run, if nothing can be composed with it, or if it is too long
    //
    // Invariants: the run begins after a delimiter, after invalid bytes or after a run that was too long. It has at
    // most `LONGEST_RUN` bytes and the text of a part.
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
                // Nothing is composed across invalid bytes.
                DecoderResult::Malformed(..) => {
                    self.convert(self.run.len());
                    self.ready.push(ILL_FORMED);
                }
            }
        }
        // NFC may compose the text after the last delimiter with the next characters.
        let whole = self.run.rfind(is_delimiter).map_or(0, |at| at + 1);
        let all = self.is_unicode || self.ended || self.run.len() - whole > LONGEST_RUN;
        self.convert(if all { self.run.len() } else { whole });
        Ok(())
    }

    /// Moves the first `length` bytes of the run to the converted bytes.
    fn convert(&mut self, length: usize) {
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

/// Tells whether a character is a delimiter: the texts before and after it are normalized separately. So a delimiter
/// stays a delimiter, even before a combining character.
fn is_delimiter(c: char) -> bool {
    c.is_ascii() && !c.is_ascii_alphanumeric()
}

/// Appends the NFC of a text. A character whose NFC is ASCII stays as it is, because it could become a
/// delimiter: the NFC of U+037E is `;`.
// For example, the run `e` U+0301 U+037E becomes `é` U+037E: the text before the last character of a part is composed,
// and the last character stays.
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

    /// A source that returns this many bytes at a time.
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
    fn a_line_is_converted_before_the_next_one_is_read() {
        for charset in [UTF_8, SHIFT_JIS] {
            // The first read returns the line. At a terminal, a second read would wait.
            let mut decoder = Decoder::new(Steps(b"a\nb", 2), charset);
            let mut room = [0; 8];
            assert_eq!((decoder.read(&mut room).unwrap(), &room[..2]), (2, &b"a\n"[..]));
        }
    }
}
