//! The output of links and of their reports.

use std::collections::HashSet;
use std::io::{self, Write};

use crate::output::report;
use crate::pipe::sink::{Failed, Sink};

/// Takes the output for links, in the order of the links.
pub(crate) trait Out: Write {
    /// Begins to print a link, which is printed once if it has a key. Returns `false` if a link with this
    /// key is known.
    fn begin(&mut self, key: Option<&str>) -> bool;

    /// Counts an error.
    fn fail(&mut self);

    /// Writes lines for standard error.
    ///
    /// # Errors
    /// The output cannot be written.
    fn report(&mut self, lines: &[u8]) -> io::Result<()>;

    /// Writes a line of output.
    ///
    /// # Errors
    /// The output cannot be written.
    fn line(&mut self, text: &[u8]) -> io::Result<()> {
        self.write_all(text)?;
        self.write_all(b"\n")
    }
}

/// The output of a search by one thread.
pub(crate) struct Direct<W> {
    pub(crate) out: W,
    /// The keys so far.
    pub(crate) seen: HashSet<String>,
    /// The number of errors so far.
    pub(crate) failed: u64,
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

    fn fail(&mut self) {
        self.failed += 1;
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
impl Out for Sink<'_, '_, Failed> {
    fn begin(&mut self, _: Option<&str>) -> bool {
        true
    }

    fn fail(&mut self) {
        self.tally.0 += 1;
    }

    fn report(&mut self, lines: &[u8]) -> io::Result<()> {
        Sink::report(self, lines)
    }

    fn line(&mut self, text: &[u8]) -> io::Result<()> {
        self.append(|out| {
            out.extend_from_slice(text);
            out.push(b'\n');
            Ok(())
        })
    }
}
