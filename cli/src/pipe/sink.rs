//! The results of a block. They are in memory at first, and go straight to the output when they become large. Not
//! here: whose turn it is, and what the limit does (`turn.rs`).

use std::io::{self, Write};

use crate::format::columnar::{Batch, Tables};
use crate::output::report::{self, Outcome, Place, Remark, Style, Verbosity};
use crate::pipe::options::Beside;
use crate::pipe::tally::Tally;

/// A stream of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stream {
    Output,
    /// Lines for standard error.
    Reports,
    /// Records that are set aside.
    Aside,
    /// A message.
    Note,
    /// The reason why a part of the input cannot be read.
    Trouble,
    /// A message that is printed once, if a record has failed.
    Hint,
    /// The same, and a record has failed.
    SureHint,
    /// No bytes: what was put becomes visible. A compressed output has a mark there.
    Flush,
}

impl Stream {
    /// Returns the stream whose number this is.
    pub(crate) const fn numbered(number: u8) -> Self {
        match number {
            0 => Self::Output,
            1 => Self::Reports,
            2 => Self::Aside,
            3 => Self::Note,
            4 => Self::Trouble,
            5 => Self::Hint,
            6 => Self::SureHint,
            _ => Self::Flush,
        }
    }
}

/// Takes the results of blocks.
pub(crate) trait Results {
    /// Takes the next bytes of a stream.
    ///
    /// # Errors
    /// They cannot be written.
    fn put(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()>;

    /// Notes that records have failed, before their results are put.
    fn note_failures(&mut self);

    /// Takes the table of a block.
    ///
    /// # Errors
    /// It cannot be written.
    fn put_table(&mut self, table: &Batch) -> io::Result<()>;

    /// Adds the counts of a block.
    fn add(&mut self, tally: &Tally);

    /// Returns how many more records may fail.
    fn failures_left(&self) -> u64;
}

/// A stream as an output.
struct StreamWriter<'r>(&'r mut dyn Results, Stream);

impl Write for StreamWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.put(self.1, bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.put(Stream::Flush, b"")
    }
}

/// The destination of the lane whose turn it is.
pub(crate) struct Shared<'o> {
    out: &'o mut (dyn Write + Send),
    beside: Beside<'o>,
    pub(crate) tally: Tally,
    /// The run stops after this many records that fail.
    pub(crate) failures: u64,
    /// Whether a hint was printed. One hint is enough.
    has_hinted: bool,
}

impl<'o> Shared<'o> {
    pub(crate) fn new(out: &'o mut (dyn Write + Send), beside: Beside<'o>, failures: u64) -> Self {
        Self { out, beside, tally: Tally::default(), failures, has_hinted: false }
    }

    /// Tells whether the run stops after a number of records that fail.
    pub(crate) fn has_limit(&self) -> bool {
        self.failures != u64::MAX
    }

    /// Returns the file of tables. Its end is not written yet.
    pub(crate) fn take_tables(&mut self) -> Option<Tables<'o>> {
        self.beside.tables.take()
    }

    /// Makes all results visible.
    ///
    /// # Errors
    /// An output cannot be written.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.out.flush()?;
        if let Some(errors) = &mut self.beside.errors {
            errors.flush()?;
        }
        report::flush();
        Ok(())
    }

    /// Prints a message after the results so far.
    fn note(&mut self, message: &[u8]) -> io::Result<()> {
        self.out.flush()?;
        report::print_message(format_args!("{}", String::from_utf8_lossy(message)));
        Ok(())
    }
}

impl Results for Shared<'_> {
    fn put(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        match stream {
            Stream::Output => self.out.write_all(bytes),
            Stream::Reports if bytes.is_empty() => Ok(()),
            Stream::Reports => report::lines_to_stderr(self.out, bytes),
            Stream::Aside => match &mut self.beside.errors {
                Some(errors) => errors.write_all(bytes),
                None => Ok(()),
            },
            Stream::Note => self.note(bytes),
            Stream::Trouble => {
                Outcome::Trouble.record();
                self.note(bytes)
            }
            Stream::Flush => self.out.flush(),
            Stream::Hint if self.tally.failed() == 0 => Ok(()),
            Stream::Hint | Stream::SureHint => {
                let is_wanted = !self.has_hinted && report::says(Verbosity::Usual);
                self.has_hinted |= is_wanted;
                if is_wanted { self.note(bytes) } else { Ok(()) }
            }
        }
    }

    fn note_failures(&mut self) {
        // If the reader of the output has stopped, the next write ends the run, and the exit code is the worst outcome
        // so far.
        Outcome::SomeInvalid.record();
    }

    fn put_table(&mut self, table: &Batch) -> io::Result<()> {
        self.beside.tables.as_mut().map_or(Ok(()), |tables| tables.write(table))
    }

    fn add(&mut self, tally: &Tally) {
        self.tally.add(tally);
    }

    fn failures_left(&self) -> u64 {
        self.failures.saturating_sub(self.tally.failed())
    }
}

/// Lets a block write when the blocks before it are written.
pub(crate) trait Turn {
    /// Waits for the turn of a block, and calls `write` once. The turn goes on. Returns `false` if the run is over.
    fn during(
        &self,
        place: (usize, u64),
        write: &mut dyn FnMut(&mut dyn Results) -> io::Result<()>,
    ) -> bool;
}

/// How many bytes of results stay in memory. A block that has more waits for its turn and writes them, before its work
/// is finished.
const LARGE: usize = 1 << 22;

/// The results of a block.
// The results leave the memory in one of three ways:
//
//     at the end of the work        `finish`: in its turn, the block writes the results and adds its counts
//     the same, before its turn     `hold`: the worker of an earlier block writes the results in their turn
//     before the end of the work    `put_in_turn`: the block waits for its turn, writes, and keeps the turn
//
// Invariants:
// - Results leave the memory only if it is certain that the block is not worked on again. So nothing is written twice.
// - The counts of a block go to `Shared` only in `finish`. So `failures_left` never counts the failures of this block.
pub(crate) struct Sink<'t> {
    turns: &'t dyn Turn,
    /// The numbers of its lane and of its step.
    place: (usize, u64),
    out: Vec<u8>,
    reports: Vec<u8>,
    aside: Vec<u8>,
    table: Option<Batch>,
    pub(crate) tally: Tally,
    /// How many records of this block may fail; the largest number until the turn of the block.
    left: u64,
    /// Whether `left` is known.
    is_exact: bool,
}

impl<'t> Sink<'t> {
    /// Returns the sink of a block. `memory` is empty, and its capacity is used for the results.
    pub(crate) fn new(turns: &'t dyn Turn, place: (usize, u64), memory: Vec<u8>) -> Self {
        let (out, reports, aside, table) = (memory, Vec::new(), Vec::new(), None);
        let (tally, left, is_exact) = (Tally::default(), u64::MAX, false);
        Self { turns, place, out, reports, aside, table, tally, left, is_exact }
    }

    /// Returns the number of the step of the block in its lane, from 0.
    pub(crate) fn step(&self) -> u64 {
        self.place.1
    }

    /// Tells whether the limit of the run is reached. Then no further record is wanted.
    pub(crate) fn is_full(&self) -> bool {
        self.tally.failed() >= self.left
    }

    /// Tells whether the limit is reached in this block, whose work did not know the limit. Then the results may hold
    /// records after the last record that may fail.
    pub(crate) fn needs_rerun(&self, left: u64) -> bool {
        !self.is_exact && self.tally.failed() >= left
    }

    /// Drops the results, and sets the number of records of this block that may fail.
    pub(crate) fn restart(&mut self, left: u64) {
        self.out.clear();
        self.reports.clear();
        self.aside.clear();
        self.table = None;
        self.tally = Tally::default();
        (self.left, self.is_exact) = (left, true);
    }

    /// Appends to the output. This is faster than many small writes.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn append(
        &mut self,
        append: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        append(&mut self.out)?;
        self.relieve()
    }

    /// Writes lines for standard error. If standard error is the same file as the output, the lines are in the order
    /// of the results.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn report(&mut self, lines: &[u8]) -> io::Result<()> {
        if !report::says(Verbosity::Usual) {
            return Ok(());
        }
        if report::is_stdout() {
            return self.write_all(lines);
        }
        self.reports.extend_from_slice(lines);
        self.relieve()
    }

    /// Reports remarks about an item, in the order of their positions.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn remark(
        &mut self,
        place: Place<'_>,
        item: &[u8],
        remarks: impl IntoIterator<Item = impl Into<Remark>>,
    ) -> io::Result<()> {
        if !report::says(Verbosity::Usual) {
            return Ok(());
        }
        let out = if report::is_stdout() { &mut self.out } else { &mut self.reports };
        report::append_remarks(out, place, item, remarks, Style::stderr())?;
        self.relieve()
    }

    /// Sets a record aside.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn set_aside(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        write(&mut self.aside)?;
        self.relieve()
    }

    /// Sets the table that the block writes to a file of columns.
    pub(crate) fn set_table(&mut self, table: Batch) {
        self.table = Some(table);
    }

    /// Writes the results in memory to the output if they are large.
    fn relieve(&mut self) -> io::Result<()> {
        if self.out.len() + self.reports.len() + self.aside.len() < LARGE {
            return Ok(());
        }
        self.pass(&[])
    }

    /// Waits for the turn, and writes the results in memory, then `more`.
    ///
    /// # Errors
    /// The errors of [`Sink::in_turn`].
    fn pass(&mut self, more: &[u8]) -> io::Result<()> {
        self.in_turn(|out| out.write_all(more))
    }

    /// Waits for the turn, writes the results in memory, and calls `write` with the output. Calls for
    /// several blocks come in the order of the input.
    ///
    /// # Errors
    /// The error of `write`; or the run is over; or its limit is reached in this block, and the work is done
    /// again.
    pub(crate) fn in_turn(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        self.put_in_turn(|results| write(&mut StreamWriter(results, Stream::Output)))
    }

    /// Does what [`in_turn`](Self::in_turn) does, with the output of records that are set aside, if there is one.
    ///
    /// # Errors
    /// The errors of [`in_turn`](Self::in_turn).
    pub(crate) fn aside_in_turn(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        self.put_in_turn(|results| write(&mut StreamWriter(results, Stream::Aside)))
    }

    // Writes the results in memory before the work is finished, and then what `write` writes:
    //
    //     wait for the turn
    //     if the limit is not known yet:
    //         if the failures in memory reach the limit: write nothing, return an error; `take` begins the work again
    //         otherwise: the limit is known from here on
    //     write the results in memory, then call `write`
    //
    // For example, three records may fail, and two failed in the blocks before. Then `left` is 1. If a record of this
    // block has failed already, the results may hold records after it. So the work begins again, and ends at this
    // record.
    fn put_in_turn(
        &mut self,
        write: impl FnOnce(&mut dyn Results) -> io::Result<()>,
    ) -> io::Result<()> {
        let turns = self.turns;
        let mut write = Some(write);
        let is_on = turns.during(self.place, &mut |results| {
            if !self.is_exact {
                let left = results.failures_left();
                if self.needs_rerun(left) {
                    // An error here would end the run. The caller sees that `is_exact` is not set.
                    return Ok(());
                }
                (self.left, self.is_exact) = (left, true);
            }
            self.drain(results)?;
            // `during` calls this once.
            write.take().map_or(Ok(()), |write| write(results))
        });
        // The error only ends the work. `Turns::take` drops it: either the run is over, or the work begins again.
        if is_on && self.is_exact { Ok(()) } else { Err(io::Error::other("the block is dropped")) }
    }

    /// Writes the results in memory, and clears the memory.
    fn drain(&mut self, results: &mut dyn Results) -> io::Result<()> {
        put_all(results, &self.tally, [&self.out, &self.reports, &self.aside])?;
        if let Some(table) = self.table.take() {
            results.put_table(&table)?;
        }
        self.out.clear();
        self.reports.clear();
        self.aside.clear();
        Ok(())
    }

    /// Takes the results out of the sink, which gets other memory, so that they can be written later. Returns `None` if they
    /// cannot wait: the block has its turn already, or they are a table.
    pub(crate) fn hold(&mut self, memory: impl FnOnce() -> Vec<u8>) -> Option<Held> {
        if self.is_exact || self.table.is_some() {
            return None;
        }
        Some(Held {
            out: std::mem::replace(&mut self.out, memory()),
            reports: std::mem::take(&mut self.reports),
            aside: std::mem::take(&mut self.aside),
            tally: std::mem::take(&mut self.tally),
        })
    }

    /// Writes the results in their turn. The sink is not used after that.
    pub(crate) fn finish(&mut self, results: &mut dyn Results) -> io::Result<()> {
        self.drain(results)?;
        end_block(results, &self.tally)
    }

    /// Returns the memory of the results, for another block.
    ///
    /// PERF: if each block allocates its memory anew, the memory goes back to the system between two blocks, and each
    /// of its pages costs a page fault.
    pub(crate) fn into_memory(mut self) -> Vec<u8> {
        self.out.clear();
        if self.out.capacity() > LARGE { Vec::new() } else { self.out }
    }
}

/// The results of a block whose worker has gone on.
pub(crate) struct Held {
    out: Vec<u8>,
    reports: Vec<u8>,
    aside: Vec<u8>,
    tally: Tally,
}

impl Held {
    /// Returns the memory of the results, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.out.capacity() + self.reports.capacity() + self.aside.capacity()
    }

    /// Does what [`Sink::finish`] does. Returns the memory of the results, for another block.
    pub(crate) fn finish(mut self, results: &mut dyn Results) -> io::Result<Vec<u8>> {
        put_all(results, &self.tally, [&self.out, &self.reports, &self.aside])?;
        end_block(results, &self.tally)?;
        self.out.clear();
        Ok(self.out)
    }
}

/// Writes the bytes of a block: its output, its reports, and the records that it sets aside.
fn put_all(results: &mut dyn Results, tally: &Tally, bytes: [&[u8]; 3]) -> io::Result<()> {
    if tally.failed() > 0 {
        results.note_failures();
    }
    let [out, reports, aside] = bytes;
    results.put(Stream::Output, out)?;
    results.put(Stream::Reports, reports)?;
    results.put(Stream::Aside, aside)
}

/// Adds the counts of a block, after its bytes.
fn end_block(results: &mut dyn Results, tally: &Tally) -> io::Result<()> {
    results.add(tally);
    // The output is flushed after each block, because more input may come late or never.
    results.put(Stream::Flush, b"")
}

impl Write for Sink<'_> {
    // Bytes that do not fit are not copied: they go straight to the output, after the results in memory.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.out.len() + bytes.len() < LARGE {
            self.out.extend_from_slice(bytes);
        } else {
            self.pass(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
