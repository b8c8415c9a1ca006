//! Writes a web archive in gzip with a member for each record (ISO 28500, annex D), so that a reader can begin at any
//! record. Not here: which outputs are such archives.
//!
//! Laws: the members, decompressed one after another, are the bytes that were written. Each member but the last is
//! exactly one record, whatever the lengths of the writes. Bytes after the last whole record are a member too.
//!
//! ```text
//! Between ──the first byte of a record──▶ Inside ──the end of the record──▶ Between
//! ```

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::io::archive::Archive;

/// A web archive that is written.
pub(crate) struct Members<W: Write> {
    archive: Archive,
    state: State<W>,
}

enum State<W: Write> {
    /// Between two records. `is_empty` tells whether no record was written before.
    Between {
        out: W,
        is_empty: bool,
    },
    Inside(Box<GzEncoder<W>>),
    /// The end of a member could not be written, and the output is lost.
    Broken,
}

impl<W: Write> Members<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { archive: Archive::default(), state: State::Between { out, is_empty: true } }
    }

    /// Ends the last member, and returns the output. An archive without a byte is an empty member, because no reader
    /// takes an empty file for gzip.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self.state {
            State::Between { out, is_empty: false } => Ok(out),
            State::Between { out, is_empty: true } => encoder(out).finish(),
            State::Inside(member) => member.finish(),
            State::Broken => Err(broken()),
        }
    }

    /// Returns the member of the record. Begins a member if there is none.
    // The output moves between the state and the encoder. While it moves, the state is `Broken`. So if the end of a
    // member cannot be written, each later write fails.
    fn member(&mut self) -> io::Result<&mut GzEncoder<W>> {
        self.state = match std::mem::replace(&mut self.state, State::Broken) {
            State::Between { out, .. } => State::Inside(Box::new(encoder(out))),
            state => state,
        };
        match &mut self.state {
            State::Inside(member) => Ok(member),
            State::Between { .. } | State::Broken => Err(broken()),
        }
    }

    /// Ends the member of the record.
    fn end(&mut self) -> io::Result<()> {
        if let State::Inside(member) = std::mem::replace(&mut self.state, State::Broken) {
            self.state = State::Between { out: member.finish()?, is_empty: false };
        }
        Ok(())
    }
}

impl<W: Write> Write for Members<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while !rest.is_empty() {
            // For example, a write has the end of a record and the beginning of the next record. The first turn ends
            // the member, and the second turn begins a member.
            let end = self.archive.end(rest);
            let (record, after) = rest.split_at(end.unwrap_or(rest.len()));
            self.member()?.write_all(record)?;
            if end.is_some() {
                self.end()?;
            }
            rest = after;
        }
        Ok(bytes.len())
    }

    /// Does nothing, because a flush makes a member longer. [`finish`](Self::finish) writes all bytes.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn encoder<W: Write>(out: W) -> GzEncoder<W> {
    GzEncoder::new(out, Compression::default())
}

fn broken() -> io::Error {
    io::Error::other("an earlier part could not be written")
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::bufread::GzDecoder;

    use super::*;

    /// Returns the texts of the members of gzip, read one by one.
    fn members(mut bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut texts = Vec::new();
        while !bytes.is_empty() {
            let mut member = GzDecoder::new(bytes);
            let mut text = Vec::new();
            member.read_to_end(&mut text).unwrap();
            texts.push(text);
            bytes = member.into_inner();
        }
        texts
    }

    fn written(bytes: &[u8], step: usize) -> Vec<Vec<u8>> {
        let mut out = Members::new(Vec::new());
        bytes.chunks(step).for_each(|part| out.write_all(part).unwrap());
        members(&out.finish().unwrap())
    }

    fn record(content: &[u8]) -> Vec<u8> {
        let length = content.len();
        let header = format!("WARC/1.1\r\nWARC-Type: x\r\ncontent-length:  {length}\r\n\r\n");
        [header.as_bytes(), content, b"\r\n\r\n"].concat()
    }

    #[test]
    fn each_record_is_a_member() {
        // A content may look like a record, and like the end of one.
        let inner = record(b"\r\n\r\n");
        let records = [record(b""), record(&inner), record(&[b'x'; 300]), record(b"\r\n\r\n")];
        let whole = records.concat();
        for step in 1..whole.len() + 1 {
            assert_eq!(written(&whole, step), records, "{step}");
            // What is cut off stays in a member of its own.
            let cut = &whole[..step];
            let found = written(cut, 7);
            assert_eq!(found.concat(), cut, "{step}");
            assert!(found.iter().zip(&records).all(|(found, record)| record.starts_with(found)));
        }
        assert_eq!(written(b"", 1), [b""]);
        assert_eq!(written(b"no archive\n\nat all", 3), [b"no archive\n\nat all"]);
    }

    #[test]
    fn an_output_that_fails_stays_failed() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::other("full"))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut out = Members::new(Full);
        assert!(out.write_all(&record(b"a")).is_err());
        assert!(out.write_all(&record(b"b")).is_err());
        assert!(out.finish().is_err());
    }
}
