//! Reads the records of a web archive with their places in its file, where an index needs the bytes as they are stored.
//! Where a record begins and ends, and what is not a record, `archive` says, as for all other commands. Not here: what a
//! record holds (`format`), and the records as items of other commands, whose places in the file are not known.
//!
//! ```text
//! gzip        ┌ member ┐┌ member ┐┌ …     each member is a record: the place of a record is that of its member
//! not gzip    record, two line breaks, …  the length of a record is without the line breaks
//! ```

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use flate2::bufread::GzDecoder;

use crate::args::input::Decompress;
use crate::invariant::present;
use crate::io::archive::{Archive, BEGIN, Event, Fault, next_start};
use crate::io::compress::{self, Codec, Expected};
use crate::io::decode::BYTE_ORDER_MARK;

/// How many bytes of a record are kept: its header, and the header of HTTP in it.
const HEAD: usize = 1 << 20;
/// How many bytes are read at a time.
const PART: usize = 1 << 16;
/// How many of the last bytes are kept, where a record may begin that a wrong length has hidden.
const WINDOW: usize = 1 << 20;

/// A record with its place, or what is no record.
pub(crate) struct Placed<'a> {
    /// Where it begins in the file, in bytes.
    pub(crate) offset: u64,
    /// The first bytes of the record, and how many bytes of the file it has.
    pub(crate) record: Result<(&'a [u8], u64), Fault>,
}

/// Calls `each` with every record of a file, or of standard input for `-`, and with everything that is no record.
///
/// # Errors
/// The file cannot be read, it ends within a record, or a member has several records; and the errors of `each`.
pub(crate) fn each_record(
    file: &Path,
    mut each: impl FnMut(Placed<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut source: Box<dyn Read> = match file.as_os_str() == "-" {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(file)?),
    };
    let expected = Expected::of(file, Decompress::Auto);
    let (head, codec) = compress::recognize(&mut source, expected)?;
    let source = Cursor::new(head).chain(source);
    match codec {
        None => plain(source, &mut each),
        Some(Codec::Gzip) => members(source, &mut each),
        Some(codec) => Err(io::Error::other(format!(
            "this is {}; an index has places in gzip and in archives that are not compressed",
            codec.name()
        ))),
    }
}

/// The last bytes of a source, and the place in them.
struct Window<R> {
    source: R,
    bytes: Vec<u8>,
    /// The place, in `bytes`.
    at: usize,
    /// The offset of `bytes` in the source.
    offset: u64,
}

impl<R: Read> Window<R> {
    /// Returns the bytes from the place on. There are none at the end of the source.
    fn rest(&mut self) -> io::Result<&[u8]> {
        if self.at == self.bytes.len() {
            if self.at > 2 * WINDOW {
                self.bytes.drain(..WINDOW);
                self.at -= WINDOW;
                self.offset += WINDOW as u64;
            }
            self.source.by_ref().take(PART as u64).read_to_end(&mut self.bytes)?;
        }
        Ok(present(self.bytes.get(self.at..)))
    }

    /// The offset of the place in the source.
    fn place(&self) -> u64 {
        self.offset + self.at as u64
    }

    /// Goes back to the first line after an offset that may begin a record. Returns whether there is one in the window.
    fn go_back(&mut self, to: u64) -> bool {
        let start = usize::try_from(to.saturating_sub(self.offset)).unwrap_or(self.at);
        let passed = self.bytes.get(start..self.at).unwrap_or_default();
        let Some(next) = next_start(passed) else { return false };
        self.at = start + next;
        true
    }
}

/// Keeps the first bytes of a record.
fn keep(head: &mut Vec<u8>, part: &[u8]) {
    let room = HEAD.saturating_sub(head.len()).min(part.len());
    head.extend_from_slice(part.get(..room).unwrap_or_default());
}

/// Reads an archive that is not compressed.
// `offset` is where the record begins. After a fault, no place before `from` can begin a record: it is the end of the
// header, or of the record before.
//
// Cost: each byte is read once. A fault goes back to the next line that may begin a record, and nothing before this line
// is looked at again; a content is passed in one step.
fn plain(source: impl Read, each: &mut impl FnMut(Placed<'_>) -> io::Result<()>) -> io::Result<()> {
    let mut window = Window { source, bytes: Vec::new(), at: 0, offset: 0 };
    if window.rest()?.starts_with(&BYTE_ORDER_MARK) {
        window.at = BYTE_ORDER_MARK.len();
    }
    let (mut archive, mut head) = (Archive::default(), Vec::new());
    let (mut offset, mut from) = (window.place(), window.place());
    loop {
        let rest = window.rest()?;
        let is_end = rest.is_empty();
        let (passed, event) = archive.step(rest);
        keep(&mut head, rest.get(..passed).unwrap_or_default());
        window.at += passed;
        match event {
            None if is_end => break,
            None => {}
            Some(Event::Begin) => {
                offset = window.place() - BEGIN.len() as u64;
                (head, from) = (BEGIN.to_vec(), offset);
            }
            // The newline at the end of the header may come before the next record.
            Some(Event::Header) => from = window.place() - 1,
            Some(Event::End(breaks)) => {
                let length = window.place() - offset - breaks as u64;
                each(Placed { offset, record: Ok((&head, length)) })?;
                (offset, from) = (window.place(), window.place());
            }
            Some(Event::Fault(fault)) => {
                each(Placed { offset, record: Err(fault) })?;
                if window.go_back(from) {
                    archive = Archive::default();
                    from = window.place();
                }
            }
        }
    }
    if archive.is_open() { Err(wrong("the archive ends within a record", offset)) } else { Ok(()) }
}

/// A source that counts the bytes which were read.
struct Counted<R> {
    source: BufReader<R>,
    at: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(room)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.at += count as u64;
        self.source.consume(count);
    }
}

/// Reads an archive whose records are members of gzip.
fn members(
    source: impl Read,
    each: &mut impl FnMut(Placed<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut source = Counted { source: BufReader::with_capacity(PART, source), at: 0 };
    let (mut head, mut room) = (Vec::new(), vec![0; PART]);
    loop {
        // Zeros after a member are padding.
        let part = source.fill_buf()?;
        let zeros = part.iter().take_while(|byte| **byte == 0).count();
        match part.len() {
            0 => return Ok(()),
            length => {
                source.consume(zeros);
                if zeros == length {
                    continue;
                }
            }
        }
        let offset = source.at;
        head.clear();
        let fault = member(&mut GzDecoder::new(&mut source), offset, &mut head, &mut room)?;
        let length = source.at - offset;
        match fault {
            // An archive without a record is an empty member.
            None if head.is_empty() => {}
            None => each(Placed { offset, record: Ok((&head, length)) })?,
            Some(fault) => each(Placed { offset, record: Err(fault) })?,
        }
    }
}

/// Reads a member to its end, which must be one record. Returns what is wrong.
///
/// # Errors
/// The member cannot be decompressed, or it has several records.
fn member(
    member: &mut impl Read,
    offset: u64,
    head: &mut Vec<u8>,
    room: &mut [u8],
) -> io::Result<Option<Fault>> {
    let (mut archive, mut has_ended, mut fault) = (Archive::default(), false, None);
    loop {
        let count = member.read(room).map_err(|error| {
            io::Error::new(error.kind(), format!("the member at byte {offset}: {error}"))
        })?;
        let part = room.get(..count).unwrap_or_default();
        if part.is_empty() {
            break;
        }
        keep(head, part);
        let mut rest = part;
        // After a fault, the rest of the member is no record either. It is read for its checksum.
        while fault.is_none() {
            let (passed, event) = archive.step(rest);
            rest = rest.get(passed..).unwrap_or_default();
            match event {
                None => break,
                Some(Event::Begin) if has_ended => return Err(several(offset)),
                Some(Event::Begin | Event::Header) => {}
                Some(Event::End(_)) => has_ended = true,
                Some(Event::Fault(found)) => fault = Some(found),
            }
        }
    }
    let is_open = archive.is_open() || !head.is_empty() && !has_ended;
    Ok(fault.or(is_open.then_some(Fault::WrongLength)))
}

fn wrong(message: &str, offset: u64) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{message}, at byte {offset}"))
}

fn several(offset: u64) -> io::Error {
    wrong(
        "a member has several records; iri normalize -o NAME.warc.gz writes a member for each record",
        offset,
    )
}
