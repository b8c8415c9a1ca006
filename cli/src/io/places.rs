//! Reads the records of a web archive with their places in its file, where an index needs the bytes as they are stored.
//! Not here: what a record holds (`format`), and the records as items of other commands, whose places in the file are
//! not known.
//!
//! ```text
//! gzip        ┌ member ┐┌ member ┐┌ …     each member is a record: the place of a record is that of its member
//! not gzip    record, two line breaks, …  the length of a record is without the line breaks
//! ```

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::GzDecoder;

use crate::io::archive::Archive;

/// How many bytes of a record are kept: its header, and the header of HTTP in it.
const HEAD: usize = 1 << 20;
/// How many bytes are read at a time.
const PART: usize = 1 << 16;
/// The line breaks after a record.
const BREAKS: u64 = 4;

/// A record with its place.
pub(crate) struct Placed<'a> {
    /// The first bytes of the record.
    pub(crate) head: &'a [u8],
    /// Where the record begins in the file, in bytes.
    pub(crate) offset: u64,
    /// How many bytes of the file it has.
    pub(crate) length: u64,
}

/// Calls `each` with every record of a file, or of standard input for `-`.
///
/// # Errors
/// The file cannot be read, a record has no end, or a member has several records; and the errors of `each`.
pub(crate) fn each_record(
    file: &Path,
    mut each: impl FnMut(Placed<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let source: Box<dyn Read> = match file.as_os_str() == "-" {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(file)?),
    };
    let mut source = Counted { source: BufReader::with_capacity(PART, source), at: 0 };
    if source.fill_buf()?.starts_with(b"\x1F\x8B") {
        members(&mut source, &mut each)
    } else {
        plain(&mut source, &mut each)
    }
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

/// Keeps the first bytes of a record.
fn keep(head: &mut Vec<u8>, part: &[u8]) {
    let room = HEAD.saturating_sub(head.len()).min(part.len());
    head.extend_from_slice(part.get(..room).unwrap_or_default());
}

/// Reads an archive that is not compressed.
fn plain<R: Read>(
    source: &mut Counted<R>,
    each: &mut impl FnMut(Placed<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut head = Vec::new();
    loop {
        let (offset, mut archive) = (source.at, Archive::default());
        head.clear();
        let is_whole = loop {
            let part = source.fill_buf()?;
            if part.is_empty() {
                break false;
            }
            let end = archive.end(part);
            let taken = end.unwrap_or(part.len());
            keep(&mut head, part.get(..taken).unwrap_or_default());
            source.consume(taken);
            if end.is_some() {
                break true;
            }
        };
        match is_whole {
            true => {
                let length = source.at - offset - BREAKS;
                each(Placed { head: &head, offset, length })?;
            }
            false if head.trim_ascii().is_empty() => return Ok(()),
            false => return Err(wrong("the record has no end", offset)),
        }
    }
}

/// Reads an archive whose records are members of gzip.
fn members<R: Read>(
    source: &mut Counted<R>,
    each: &mut impl FnMut(Placed<'_>) -> io::Result<()>,
) -> io::Result<()> {
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
        let (offset, mut archive) = (source.at, Archive::default());
        head.clear();
        let mut is_whole = false;
        let mut member = GzDecoder::new(&mut *source);
        loop {
            let count = member.read(&mut room).map_err(|error| {
                io::Error::new(error.kind(), format!("the member at byte {offset}: {error}"))
            })?;
            let part = room.get(..count).unwrap_or_default();
            if part.is_empty() {
                break;
            }
            if is_whole {
                return Err(several(offset));
            }
            let end = archive.end(part);
            keep(&mut head, part.get(..end.unwrap_or(count)).unwrap_or_default());
            is_whole = end.is_some();
            if end.is_some_and(|end| end < count) {
                return Err(several(offset));
            }
        }
        let length = source.at - offset;
        match is_whole {
            true => each(Placed { head: &head, offset, length })?,
            // An archive without a record is an empty member.
            false if head.is_empty() => {}
            false => return Err(wrong("the record has no end", offset)),
        }
    }
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
