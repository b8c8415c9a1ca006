//! Copies the bytes of a block to the output, and replaces some of them by other texts.

use std::io::{self, Write};
use std::ops::Range;

use crate::invariant::present;
use crate::output::escape;
use crate::pipe::block::Block;

/// The part of a block that is copied so far. Bytes that are not replaced are copied in runs that are as long as
/// possible.
pub(crate) struct Copy<'b> {
    bytes: &'b [u8],
    /// The bytes up to here are in the output, or are left out.
    done: usize,
    /// Whether hidden characters are escaped.
    terminal: bool,
    /// Whether bytes that were invalid in the charset of the file become U+FFFD.
    is_converted: bool,
}

impl<'b> Copy<'b> {
    /// Begins with the bytes before the records of a block.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn new(block: &'b Block, terminal: bool, out: &mut impl Write) -> io::Result<Self> {
        let head = present(block.bytes().get(block.head.clone()));
        Self::with_head(block, head, terminal, out)
    }

    /// Begins with another text before the records.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn with_head(
        block: &'b Block,
        head: &[u8],
        terminal: bool,
        out: &mut impl Write,
    ) -> io::Result<Self> {
        escape::write_text(out, head, terminal)?;
        let (bytes, done) = (block.bytes(), block.range.start);
        Ok(Self { bytes, done, terminal, is_converted: block.file.charset.is_some() })
    }

    /// Copies the bytes before `at`.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn until(&mut self, at: usize, out: &mut impl Write) -> io::Result<()> {
        let bytes = present(self.bytes.get(self.done..at));
        self.done = at;
        if self.is_converted && std::str::from_utf8(bytes).is_err() {
            let text = String::from_utf8_lossy(bytes);
            return escape::write_text(out, text.as_bytes(), self.terminal);
        }
        escape::write_text(out, bytes, self.terminal)
    }

    /// Writes a text instead of some bytes, after the bytes before them.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn replace(
        &mut self,
        span: Range<usize>,
        text: &[u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        self.until(span.start, out)?;
        self.done = span.end;
        escape::write_text(out, text, self.terminal)
    }

    /// Copies the bytes of a span, and leaves out the bytes before it that are not copied yet.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn only(&mut self, span: Range<usize>, out: &mut impl Write) -> io::Result<()> {
        self.done = span.start;
        self.until(span.end, out)
    }

    /// Copies the rest.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn finish(mut self, out: &mut impl Write) -> io::Result<()> {
        self.until(self.bytes.len(), out)
    }
}
