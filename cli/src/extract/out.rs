//! The output of links and of their reports.

use std::collections::HashSet;
use std::io::{self, Write};

use crate::output::report;
use crate::pipe::sink::Sink;
use crate::pipe::tally::Tally;

/// Takes the output for links, in the order of the links.
pub(crate) trait Out: Write {
    /// Begins to print a link. Of all links with one key, only the first is printed. Returns `false` if a link with
    /// this key is known.
    fn begin(&mut self, key: Option<&str>) -> bool;

    /// Returns the counts: `made` is the number of links that are printed.
    fn tally(&mut self) -> &mut Tally;

    /// Counts an error.
    fn fail(&mut self, kind: &'static str) {
        self.tally().failed += 1;
        self.tally().kinds.note(kind);
    }

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
        self.tally().made += 1;
        self.write_all(text)?;
        self.write_all(b"\n")
    }
}

/// The output of a search by one thread.
pub(crate) struct Direct<W> {
    pub(crate) out: W,
    /// The keys of the links so far.
    pub(crate) seen: HashSet<String>,
    pub(crate) tally: Tally,
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

    fn tally(&mut self) -> &mut Tally {
        &mut self.tally
    }

    fn fail(&mut self, kind: &'static str) {
        self.tally.failed += 1;
        self.tally.kinds.note(kind);
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
impl Out for Sink<'_> {
    fn begin(&mut self, _: Option<&str>) -> bool {
        true
    }

    fn tally(&mut self) -> &mut Tally {
        &mut self.tally
    }

    fn report(&mut self, lines: &[u8]) -> io::Result<()> {
        Sink::report(self, lines)
    }

    fn line(&mut self, text: &[u8]) -> io::Result<()> {
        self.tally().made += 1;
        self.append(|out| {
            out.extend_from_slice(text);
            out.push(b'\n');
            Ok(())
        })
    }
}
