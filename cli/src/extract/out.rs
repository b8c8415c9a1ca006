//! The output of links and of their reports.

use std::collections::HashSet;
use std::io::{self, Write};

use crate::output::report;
use crate::output::summary::Kinds;
use crate::pipe::sink::{Sink, Tally};

/// The number of links that are printed, and of errors.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) links: u64,
    pub(crate) failed: u64,
    pub(crate) kinds: Kinds,
}

impl Found {
    /// Counts an error.
    pub(crate) fn fail(&mut self, kind: &'static str) {
        self.failed += 1;
        self.kinds.note(kind);
    }
}

impl Tally for Found {
    fn add(&mut self, block: &Self) {
        self.links += block.links;
        self.failed += block.failed;
        self.kinds.add(&block.kinds);
    }

    fn failed(&self) -> u64 {
        self.failed
    }
}

/// Takes the output for links, in the order of the links.
pub(crate) trait Out: Write {
    /// Begins to print a link. Of all links with one key, only the first is printed. Returns `false` if a link with
    /// this key is known.
    fn begin(&mut self, key: Option<&str>) -> bool;

    /// Counts a link.
    fn count(&mut self);

    /// Counts an error.
    fn fail(&mut self, kind: &'static str);

    /// Writes lines for standard error.
    ///
    /// # Errors
    /// The output cannot be written.
    fn report(&mut self, lines: &[u8]) -> io::Result<()>;

    /// Writes a link as a line, and counts it.
    ///
    /// # Errors
    /// The output cannot be written.
    fn line(&mut self, text: &[u8]) -> io::Result<()> {
        self.count();
        self.write_all(text)?;
        self.write_all(b"\n")
    }
}

/// The output of a search by one thread.
pub(crate) struct Direct<W> {
    pub(crate) out: W,
    /// The keys of the links so far.
    pub(crate) seen: HashSet<String>,
    pub(crate) found: Found,
}

impl<W: Write> Write for Direct<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write> Out for Direct<W> {
    fn begin(&mut self, key: Option<&str>) -> bool {
        key.is_none_or(|key| self.seen.insert(key.to_owned()))
    }

    fn count(&mut self) {
        self.found.links += 1;
    }

    fn fail(&mut self, kind: &'static str) {
        self.found.fail(kind);
        report::Outcome::SomeInvalid.record();
    }

    fn report(&mut self, lines: &[u8]) -> io::Result<()> {
        if report::says(report::Verbosity::Usual) {
            report::lines_to_stderr(&mut self.out, lines)?;
        }
        Ok(())
    }
}

/// Links without keys go straight to the results of a block.
impl Out for Sink<'_, '_, Found> {
    fn begin(&mut self, _: Option<&str>) -> bool {
        true
    }

    fn count(&mut self) {
        self.tally.links += 1;
    }

    fn fail(&mut self, kind: &'static str) {
        self.tally.fail(kind);
    }

    fn report(&mut self, lines: &[u8]) -> io::Result<()> {
        Sink::report(self, lines)
    }

    fn line(&mut self, text: &[u8]) -> io::Result<()> {
        self.count();
        self.append(|out| {
            out.extend_from_slice(text);
            out.push(b'\n');
            Ok(())
        })
    }
}
