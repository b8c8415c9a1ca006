//! A record that is not worked on: it is longer than allowed, or a quote in it is never closed. Its bytes are not in
//! memory. If they are wanted, they are in a temporary file until the turn of their block. Not here: who wants them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;

use crate::format::cut::whole_characters;
use crate::invariant::present;
use crate::io::temporary::{self, trouble};
use crate::item_error::{ItemError, Message};
use crate::output::escape;
use crate::output::json;
use crate::output::report::Place;

/// How many bytes are copied at a time.
const PART: usize = 1 << 16;

/// The longest line and the longest word that are in memory.
const LONGEST: usize = 1 << 24;

/// A record that is not worked on.
#[derive(Clone)]
pub(crate) struct Long {
    /// The line where the record begins, or where the quote is.
    pub(crate) line: u64,
    why: Why,
    file: Option<Arc<File>>,
    length: u64,
    /// The last two bytes.
    last: [u8; 2],
}

#[derive(Clone, Copy)]
enum Why {
    TooLong(usize),
    OpenQuote,
}

impl Long {
    /// Returns a record of more than `longest` bytes. If `is_wanted` is set, its bytes can be pushed.
    ///
    /// # Errors
    /// A temporary file cannot be made.
    pub(crate) fn new(longest: usize, line: u64, is_wanted: bool) -> io::Result<Self> {
        let file = is_wanted.then(temporary::file).transpose()?;
        let file = file.map(Arc::new);
        Ok(Self { line, why: Why::TooLong(longest), file, length: 0, last: [0; 2] })
    }

    /// Returns the same record with another reason: a quote in this line is never closed.
    pub(crate) fn with_open_quote(self, line: u64) -> Self {
        Self { line, why: Why::OpenQuote, ..self }
    }

    /// Tells whether this record hides records after it, because its quote is never closed.
    pub(crate) fn is_damage(&self) -> bool {
        matches!(self.why, Why::OpenQuote)
    }

    /// Appends bytes of the record.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.length += bytes.len() as u64;
        match *bytes {
            [.., before, last] => self.last = [before, last],
            [last] => self.last = [self.last[1], last],
            [] => {}
        }
        match &self.file {
            Some(file) => (&mut &**file).write_all(bytes).map_err(trouble),
            None => Ok(()),
        }
    }

    /// Tells whether its last byte ends a record.
    pub(crate) fn is_ended(&self, separator: u8) -> bool {
        self.last[1] == separator
    }

    /// Returns the error of the record.
    pub(crate) fn error(&self) -> ItemError {
        match self.why {
            Why::TooLong(longest) => {
                let message = Message::made(move |f| {
                    write!(
                        f,
                        "the record is longer than {longest} bytes; allow it with --max-record"
                    )
                });
                ItemError::whole("too-long", message, &[])
            }
            Why::OpenQuote => {
                let message = "a quote opens a field in this line and none closes it before the end of the \
                               file; the records from here on are not read";
                ItemError::whole("unbalanced-quote", message, &[])
            }
        }
    }

    /// Calls `each` with the first `length` bytes of the record, in parts that cut no character.
    ///
    /// # Errors
    /// The temporary file cannot be read, or `each` has an error.
    // A part may end inside a character. The bytes of this character are held, and begin the next part. For example,
    // with parts of 4 bytes, the bytes `abc\xC3` and `\xA9d` are given as `abc` and `éd`. At most four bytes are held,
    // so there is always room for a read. At the end of the file, the held bytes are given as they are.
    fn parts(&self, length: u64, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut file = &**file;
        file.seek(SeekFrom::Start(0)).map_err(trouble)?;
        let mut file = file.take(length);
        let (mut part, mut held) = (vec![0; PART], 0);
        loop {
            let read = file.read(present(part.get_mut(held..))).map_err(trouble)?;
            let filled = held + read;
            let bytes = present(part.get(..filled));
            let whole = if read == 0 { filled } else { whole_characters(bytes) };
            each(present(bytes.get(..whole)))?;
            if read == 0 {
                return Ok(());
            }
            part.copy_within(whole..filled, 0);
            held = filled - whole;
        }
    }

    /// Returns the record with another text in the place of each of its lines. `map` appends the text of a line, and
    /// is told whether the line is whole: a line of more than 16 MiB comes in parts, each of whole words. A word of
    /// more than 16 MiB is replaced by `replacement`. Also returns how many words are replaced.
    ///
    /// # Errors
    /// A temporary file cannot be read or written.
    // Invariant: `held` has no newline, and no byte of it was mapped. While `is_dropped` is set, it is empty.
    pub(crate) fn mapped(
        &self,
        replacement: &[u8],
        mut map: impl FnMut(&[u8], bool, &mut Vec<u8>),
    ) -> io::Result<(Self, u64)> {
        if self.file.is_none() {
            return Ok((self.clone(), 0));
        }
        let mut mapped = Self { why: self.why, ..Self::new(0, self.line, true)? };
        let (mut held, mut made) = (Vec::new(), Vec::new());
        // Whether the line is in parts, and whether the rest of a word is left out.
        let (mut is_long, mut is_dropped, mut words) = (false, false, 0);
        self.parts(self.length, |part| {
            for line in part.split_inclusive(|byte| *byte == b'\n') {
                let end = line.iter().position(ends_word).unwrap_or(line.len());
                held.extend_from_slice(
                    line.get(if is_dropped { end } else { 0 }..).unwrap_or_default(),
                );
                is_dropped &= end == line.len();
                if line.ends_with(b"\n") {
                    map(&held, !is_long, &mut made);
                    held.clear();
                    is_long = false;
                } else if held.len() > LONGEST {
                    is_long = true;
                    match held.iter().rposition(ends_word) {
                        Some(end) => {
                            map(present(held.get(..=end)), false, &mut made);
                            held.drain(..=end);
                        }
                        None => {
                            made.extend_from_slice(replacement);
                            held.clear();
                            is_dropped = true;
                            words += 1;
                        }
                    }
                }
            }
            mapped.push(&made)?;
            made.clear();
            Ok(())
        })?;
        map(&held, !is_long, &mut made);
        mapped.push(&made)?;
        Ok((mapped, words))
    }

    /// Writes the record as it is.
    ///
    /// # Errors
    /// The output cannot be written, or the temporary file cannot be read.
    pub(crate) fn write(
        &self,
        place: Place<'_>,
        terminal: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.parts(self.length, |part| match place.charset {
            Some(_) => escape::write_text(
                &mut &mut *out,
                String::from_utf8_lossy(part).as_bytes(),
                terminal,
            ),
            None => escape::write_text(&mut &mut *out, part, terminal),
        })
    }

    /// Writes the record as an object of JSON, as [`json::write_set_aside`] does with a record in memory.
    ///
    /// # Errors
    /// The output cannot be written, or the temporary file cannot be read.
    pub(crate) fn set_aside(&self, place: Place<'_>, out: &mut dyn Write) -> io::Result<()> {
        // The end of a line is not part of the record.
        let ending = match self.last {
            [b'\r', b'\n'] => 2,
            [_, b'\n'] => 1,
            _ => 0,
        };
        let length = self.length - ending;
        let (mut before, mut is_text) = (Vec::new(), true);
        json::write_set_aside(&mut before, place, b"", &self.error())?;
        // The object has the record with an empty text. The bytes of the file go between its quotes.
        let empty = b"\"record\":\"";
        let at = memchr::memmem::find(&before, empty).map_or(before.len(), |at| at + empty.len());
        let (before, after) = present(before.split_at_checked(at));
        //     before    …"record":"
        //     between   the text of the file, as it is inside a string of JSON; after it, perhaps the bytes in Base64
        //     after     "…
        //
        // The parts cut no character. So the escapes of the parts, one after another, are the escapes of the whole
        // text.
        out.write_all(before)?;
        self.parts(length, |part| {
            let text = String::from_utf8_lossy(part);
            is_text &= matches!(text, std::borrow::Cow::Borrowed(_));
            let text = json::string(&text);
            let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            out.write_all(present(inside).as_bytes())
        })?;
        // Only now it is known whether all parts are UTF-8. So the file is read a second time for the Base64. The first
        // byte of `after` is the quote that ends this field.
        if !is_text && place.charset.is_none() {
            out.write_all(b"\",\"record_base64\":\"")?;
            let mut encoder = EncoderWriter::new(&mut *out, &STANDARD);
            self.parts(length, |part| encoder.write_all(part))?;
            encoder.finish()?;
        }
        out.write_all(after)
    }
}

/// Tells whether a byte ends a word of running text.
fn ends_word(byte: &u8) -> bool {
    *byte <= b' ' || b"\"<>`\x7F".contains(byte)
}
