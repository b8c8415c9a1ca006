//! Decompresses gzip (RFC 1952): members one after another. Zeros between members and after the last are padding, as of
//! archives on tapes and of disks that are written in whole blocks. Not here: members that are decompressed at once
//! (`pieces.rs`).

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

/// A source of gzip that is decompressed.
pub(crate) struct Members<R> {
    /// The decoder of a member; `None` after the last member. At the end of its member, the decoder returns no byte,
    /// and its source is at the first byte after the member.
    member: Option<GzDecoder<Buffer<R>>>,
    /// No member is read that begins at this offset of the source or after it.
    limit: u64,
    /// The offset of the first byte after the members that were read to their ends, and after padding.
    end: u64,
}

type Buffer<R> = BufReader<Counted<R>>;

/// A source, and how many bytes of it were read.
struct Counted<R>(R, u64);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(room)?;
        self.1 += count as u64;
        Ok(count)
    }
}

impl<R: Read> Members<R> {
    pub(crate) fn new(source: R) -> Self {
        Self::before(source, u64::MAX)
    }

    /// Returns a source of the members that begin before an offset, and of the first member.
    pub(crate) fn before(source: R, limit: u64) -> Self {
        let source = BufReader::with_capacity(1 << 16, Counted(source, 0));
        Self { member: Some(GzDecoder::new(source)), limit, end: 0 }
    }

    /// Returns the offset of the first byte after the members that were read to their ends, and after padding.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }
}

impl<R: Read> Read for Members<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        // A member may be empty, and padding may come after it. So the loop goes on to the next member, until a member
        // has bytes or the source ends.
        loop {
            let Some(member) = &mut self.member else { return Ok(0) };
            let count = member.read(room)?;
            // A read into no room returns 0, and does not mean that the member has ended.
            if count > 0 || room.is_empty() {
                return Ok(count);
            }
            let source = member.get_mut();
            let is_end = pass_zeros(source)?;
            self.end = source.get_ref().1 - source.buffer().len() as u64;
            let is_last = is_end || self.end >= self.limit;
            let source = self.member.take().map(GzDecoder::into_inner);
            self.member = source.filter(|_| !is_last).map(GzDecoder::new);
        }
    }
}

/// Passes the zeros that come next in a source. Returns whether the source ends after them.
fn pass_zeros(source: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = source.fill_buf()?;
        let (length, zeros) = (bytes.len(), bytes.iter().take_while(|byte| **byte == 0).count());
        source.consume(zeros);
        if length == 0 || zeros < length {
            return Ok(length == 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(text).unwrap();
        gzip.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> (Vec<u8>, Option<ErrorKind>) {
        let mut text = Vec::new();
        let outcome = Members::new(bytes).read_to_end(&mut text);
        (text, outcome.err().map(|error| error.kind()))
    }

    /// Members with every amount of padding, cut everywhere. A cut in padding or after a member is not an error; a cut
    /// elsewhere is an error. The bytes that were read before the cut are right.
    #[test]
    fn padding_is_passed_and_nothing_else() {
        let parts = [gzip(b"first"), vec![0; 3], gzip(b""), gzip(b"second"), vec![0; 70_000]];
        let whole = parts.concat();
        assert_eq!(read(&whole), (b"firstsecond".to_vec(), None));
        let (a, b) = (parts[0].len(), parts[0].len() + 3);
        let (c, d) = (b + parts[2].len(), b + parts[2].len() + parts[3].len());
        for cut in 0..d + 5 {
            let (text, error) = read(&whole[..cut]);
            let is_whole = (a..=b).contains(&cut) || cut == c || cut >= d;
            assert_eq!(error.is_none(), is_whole, "{cut} {error:?}");
            assert!(b"firstsecond".starts_with(&text), "{cut}");
        }
        for bad in [&b"x"[..], b"\0\0x", b"\x1F\x8B", b"\0\x1F"] {
            let (text, error) = read(&[&gzip(b"first"), bad].concat());
            assert_eq!((text.as_slice(), error.is_some()), (&b"first"[..], true), "{bad:?}");
        }
        let mut damaged = gzip(b"first");
        let last = damaged.len() - 1;
        damaged[last] ^= 1;
        assert!(read(&damaged).1.is_some());
    }
}
