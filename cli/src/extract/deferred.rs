//! The links of a block that waits for its turn. Only in its turn, it is known which links earlier blocks have printed.
//!
//! The lines of all links are in one buffer, and each link knows the end of its lines. For example, two links and a
//! report about the second link:
//!
//! ```text
//! out       http://a.example/\n http://b.example/\n
//! reports                       report\n
//! ends      (18, 0)             (36, 7)
//! ```

use std::collections::HashSet;
use std::io::{self, Write};

use crate::extract::out::Out;
use crate::invariant::present;
use crate::pipe::sink::Sink;
use crate::pipe::tally::Tally;

/// The output for the links of a block, link by link.
#[derive(Default)]
pub(crate) struct Deferred {
    out: Vec<u8>,
    reports: Vec<u8>,
    /// The links before the last.
    links: Vec<Waiting>,
    last: Waiting,
    /// The keys of the links in this block.
    known: HashSet<String>,
}

/// A link, or something else that is printed before the next link.
#[derive(Default)]
struct Waiting {
    key: Option<String>,
    /// Where its lines end in the output and in the reports.
    ends: (usize, usize),
    tally: Tally,
}

impl Deferred {
    /// Waits for the turn of the block, and writes the links that no earlier block has. `seen` takes a key, and tells
    /// whether it is new.
    ///
    /// # Errors
    /// The errors of [`Sink::in_turn`].
    pub(crate) fn write(
        self,
        seen: impl Fn(String) -> bool,
        sink: &mut Sink<'_>,
    ) -> io::Result<()> {
        sink.in_turn(|_| Ok(()))?;
        let (mut out, mut reports) = (0, 0);
        for Waiting { key, ends, tally } in self.links.into_iter().chain([self.last]) {
            let lines = present(self.out.get(out..ends.0));
            let about = present(self.reports.get(reports..ends.1));
            (out, reports) = ends;
            if key.is_none_or(&seen) {
                sink.tally.add(&tally);
                sink.write_all(lines)?;
                sink.report(about)?;
            }
        }
        Ok(())
    }
}

impl Write for Deferred {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.extend_from_slice(bytes);
        self.last.ends.0 = self.out.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Out for Deferred {
    fn begin(&mut self, key: Option<&str>) -> bool {
        if key.is_some_and(|key| self.known.contains(key)) {
            return false;
        }
        self.known.extend(key.map(str::to_owned));
        let ends = (self.out.len(), self.reports.len());
        let link = Waiting { key: key.map(str::to_owned), ends, ..Waiting::default() };
        self.links.push(std::mem::replace(&mut self.last, link));
        true
    }

    fn tally(&mut self) -> &mut Tally {
        &mut self.last.tally
    }

    fn report(&mut self, lines: &[u8]) -> io::Result<()> {
        self.reports.extend_from_slice(lines);
        self.last.ends.1 = self.reports.len();
        Ok(())
    }
}
