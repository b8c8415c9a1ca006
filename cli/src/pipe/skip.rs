//! Reads to the end of a record that is not worked on, without its bytes in memory.

use std::io::{self, ErrorKind, Read};
use std::ops::Range;

use crate::format::cut::Cut;
use crate::invariant::present;
use crate::pipe::block::separators;
use crate::pipe::long::Long;

/// The place in a buffer of the bytes after a record, and the end of the last record in these bytes.
pub(crate) type Rest = (Range<usize>, usize);

/// A record whose first bytes are in a buffer.
pub(crate) struct Skip<'s> {
    pub(crate) source: &'s mut dyn Read,
    /// It has seen the bytes in the buffer.
    pub(crate) cut: &'s mut Cut,
    pub(crate) separator: u8,
    /// Whether another record may follow, so that this record gets a separator if it has none.
    pub(crate) is_followed: bool,
    /// Where the record begins.
    pub(crate) offset: u64,
    pub(crate) line: u64,
    /// Whether the source has ended.
    pub(crate) is_end: bool,
    /// The reason why the source ended early.
    pub(crate) failure: Option<io::Error>,
}

impl Skip<'_> {
    /// Reads to the end of the record, or of the file in which a quote is open. The first bytes of the record are the first
    /// `filled` bytes of the buffer; the first `dropped` bytes are not part of it. After this, the offset and the line are
    /// those of the next record. Returns the record, the place of the bytes after it in the buffer, and the end of the last
    /// record in these bytes.
    ///
    /// # Errors
    /// The temporary file for its bytes cannot be written.
    //     part = the first bytes of the record, which are in the buffer
    //     loop:
    //         push the part to the record, and count its lines
    //         if the record has ended, or the file has ended: stop
    //         read; part = the new bytes up to the first end of a record, rest = the new bytes after it
    //
    // For example, the buffer is full with `abcdef`, and the reads bring `gh` and `i\nj\nk`. The record is
    // `abcdefghi\n`. The rest is `j\nk`, and its last record ends at 2.
    //
    // Invariant: the buffer does not grow, so the memory does not depend on the length of the record.
    #[cold]
    pub(crate) fn read(
        &mut self,
        mut long: Long,
        buffer: &mut [u8],
        filled: usize,
        mut dropped: usize,
    ) -> io::Result<(Long, Option<Rest>)> {
        let separator = self.separator;
        // `quote` is the line of the last quote that was open.
        let (mut part, mut rest, mut quote) = (filled, None, self.line);
        loop {
            let bytes = present(buffer.get(..part));
            // The open quote may be in this part, in a part before it, or after the record. Only a quote in this part
            // changes `quote`.
            let opened = self.cut.open_quote();
            if let Some(opened) = opened.and_then(|opened| opened.checked_sub(self.offset)) {
                let before = usize::try_from(opened).ok().and_then(|opened| bytes.get(..opened));
                quote = before.map_or(quote, |before| self.line + separators(separator, before));
            }
            long.push(present(bytes.get(std::mem::take(&mut dropped)..)))?;
            self.line += separators(separator, bytes);
            self.offset += part as u64;
            if rest.is_some() || self.is_end {
                break;
            }
            let read = match self.source.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {
                    part = 0;
                    continue;
                }
                Err(error) => {
                    // The error of the source comes after the error of the record.
                    self.failure = Some(error);
                    0
                }
                Ok(read) => read,
            };
            self.is_end = read == 0;
            let ends = self.cut.scan(present(buffer.get(..read)), 0);
            part = ends.first.unwrap_or(read);
            rest = ends.first.map(|first| (first..read, ends.last.map_or(0, |last| last - first)));
        }
        if rest.is_none() && self.is_followed && !long.is_ended(separator) {
            long.push(&[separator])?;
        }
        let has_open_quote = self.is_end && self.cut.open_quote().is_some();
        Ok((if has_open_quote { long.with_open_quote(quote) } else { long }, rest))
    }
}
