//! The results of a lane whose turn has not come. A small amount is in memory, more is in a temporary file. If the file cannot
//! be written, the lane is full: its workers wait for their turn. Not here: when the turn comes (`turn.rs`).
//!
//! Law: after `replay`, the output, standard error, the output of the records that fail, and the counts are as if each
//! result had gone there at once.

use std::io::{self, BufRead, Read, Seek, Write};

use tempfile::SpooledTempFile;

use crate::format::columnar::Batch;
use crate::invariant::present;
use crate::io::temporary::trouble;
use crate::pipe::sink::{Results, Stream};
use crate::pipe::tally::Tally;

/// How many bytes of results of a lane are in memory.
const MEMORY: usize = 1 << 20;

/// The results of a lane, in their order.
//
//     the file   the number of a stream, the length, the bytes; and so on
//
// Invariant: the first `end` bytes of the file, and then `rest`, are whole entries.
pub(crate) struct Backlog {
    file: SpooledTempFile,
    end: u64,
    /// The entries from the first on that could not be written to the file.
    rest: Vec<u8>,
    tally: Tally,
}

impl Default for Backlog {
    fn default() -> Self {
        let (file, rest) = (SpooledTempFile::new(MEMORY), Vec::new());
        Self { file, end: 0, rest, tally: Tally::default() }
    }
}

impl Backlog {
    /// Tells whether the results of further blocks have no place here.
    pub(crate) fn is_full(&self) -> bool {
        !self.rest.is_empty()
    }

    /// Gives all results to others.
    ///
    /// # Errors
    /// The temporary file cannot be read, or the errors of the others.
    pub(crate) fn replay(mut self, results: &mut dyn Results) -> io::Result<()> {
        if self.tally.failed() > 0 {
            results.note_failures();
        }
        self.file.rewind().map_err(trouble)?;
        let entries = self.file.take(self.end).chain(&*self.rest);
        let mut file = io::BufReader::new(entries);
        let mut part = Vec::new();
        loop {
            let mut head = [0; 9];
            if file.fill_buf().map_err(trouble)?.is_empty() {
                break;
            }
            file.read_exact(&mut head).map_err(trouble)?;
            let [number, length @ ..] = head;
            let stream = Stream::numbered(number);
            let length = usize::try_from(u64::from_le_bytes(length)).map_err(io::Error::other)?;
            part.resize(length, 0);
            file.read_exact(&mut part).map_err(trouble)?;
            // In one piece: the bytes of a compressed output depend on the lengths of the writes.
            results.put(stream, &part)?;
        }
        results.add(&self.tally);
        Ok(())
    }
}

impl Results for Backlog {
    fn put(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() && stream != Stream::Flush {
            return Ok(());
        }
        // The counts of this lane are added only after its results are replayed.
        let is_sure = stream == Stream::Hint && self.tally.failed() > 0;
        let stream = if is_sure { Stream::SureHint } else { stream };
        let mut head = [stream as u8; 9];
        present(head.get_mut(1..)).copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        if !self.is_full() {
            let written = self.file.write_all(&head).and_then(|()| self.file.write_all(bytes));
            if written.is_ok() {
                self.end += (head.len() + bytes.len()) as u64;
                return Ok(());
            }
        }
        self.rest.extend_from_slice(&head);
        self.rest.extend_from_slice(bytes);
        Ok(())
    }

    fn note_failures(&mut self) {}

    /// Tables are never held: an input that is written as tables has one lane.
    fn put_table(&mut self, _: &Batch) -> io::Result<()> {
        debug_assert!(false, "an invariant is broken");
        Ok(())
    }

    fn add(&mut self, tally: &Tally) {
        self.tally.add(tally);
    }

    /// An input with a limit has one lane.
    fn failures_left(&self) -> u64 {
        u64::MAX
    }
}
