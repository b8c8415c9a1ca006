//! Reports what is wrong: `FILE:LINE:COLUMN: LABEL: MESSAGE`, and the place in the item under it.
//! Also the exit codes, and the way to standard error.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Stderr, Write};
use std::ops::Range;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use encoding_rs::Encoding;
use same_file::Handle;
use simd_iri::Error;

use crate::invariant::present;
use crate::item_error::ItemError;
use crate::output::escape::{self, Escaped, fitting, fitting_at_end};
use crate::output::screen;

/// How a command ended.
#[derive(Clone, Copy)]
pub(crate) enum Outcome {
    AllValid = 0,
    SomeInvalid = 1,
    Trouble = 2,
}

/// The worst outcome that was noted.
static WORST: AtomicU8 = AtomicU8::new(Outcome::AllValid as u8);

impl Outcome {
    pub(crate) fn new(complete: bool, invalid: u64) -> Self {
        match (complete, invalid) {
            (false, _) => Self::Trouble,
            (true, 0) => Self::AllValid,
            (true, _) => Self::SomeInvalid,
        }
    }

    /// Remembers a failure for the case that the command is cut off: nobody reads its output.
    pub(crate) fn note(self) {
        WORST.fetch_max(self as u8, Ordering::Relaxed);
    }

    /// The exit code of a command that was cut off: the worst outcome that was noted.
    pub(crate) fn worst() -> ExitCode {
        WORST.load(Ordering::Relaxed).into()
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome as u8)
    }
}

/// Standard error.
struct ErrorStream {
    stream: BufWriter<Stderr>,
    /// It is a terminal, where every line is seen at once.
    terminal: Option<usize>,
    /// It goes where standard output goes, and the order of the two counts.
    is_stdout: bool,
}

static STDERR: LazyLock<Mutex<ErrorStream>> = LazyLock::new(|| {
    let is_stdout =
        matches!((Handle::stdout(), Handle::stderr()), (Ok(out), Ok(err)) if out == err);
    let terminal = io::stderr().is_terminal().then(screen::stderr_width);
    let stream = BufWriter::with_capacity(1 << 16, io::stderr());
    Mutex::new(ErrorStream { stream, terminal, is_stdout })
});

fn stderr() -> MutexGuard<'static, ErrorStream> {
    STDERR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a message of the program to standard error. Standard output has been flushed.
pub(crate) fn complain(message: fmt::Arguments<'_>) {
    to_stderr(format!("iri: {message}\n").as_bytes());
}

/// Writes whole lines to standard error, so that those of other programs do not cut them. They wait
/// in a buffer where nobody sees when they come.
pub(crate) fn to_stderr(lines: &[u8]) {
    let mut stderr = stderr();
    // If it cannot be written, there is nobody left to tell.
    let _ = stderr.stream.write_all(lines);
    if stderr.terminal.is_some() || stderr.is_stdout {
        let _ = stderr.stream.flush();
    }
}

/// Writes what waits in the buffer of standard error: before input is waited for, and at the end.
pub(crate) fn flush() {
    let _ = stderr().stream.flush();
}

/// Where an item comes from.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The name of the file, fit to be shown.
    pub(crate) name: &'a str,
    /// The number of the item, from 1.
    pub(crate) line: u64,
    /// The charset that the item was decoded from, if it was.
    pub(crate) charset: Option<&'static Encoding>,
}

impl Place<'_> {
    /// Writes an item, on a terminal with what is hidden spelled out. What meant nothing in the charset is
    /// U+FFFD, as the bytes of the input are gone.
    ///
    /// # Errors
    /// Those of `out`.
    pub(crate) fn write_item(
        &self,
        out: &mut impl Write,
        item: &[u8],
        terminal: bool,
    ) -> io::Result<()> {
        match self.charset {
            Some(_) => escape::write(out, String::from_utf8_lossy(item).as_bytes(), terminal),
            None => escape::write(out, item, terminal),
        }
    }
}

/// A number of items, in words.
pub(crate) fn items(count: u64) -> String {
    format!("{count} item{}", if count == 1 { "" } else { "s" })
}

/// A remark about a part of an item.
pub(crate) struct Remark {
    /// Where, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Its severity and its code.
    pub(crate) label: String,
    pub(crate) message: String,
}

impl From<Error> for Remark {
    fn from(error: Error) -> Self {
        ItemError::from(error).into()
    }
}

impl From<ItemError> for Remark {
    fn from(error: ItemError) -> Self {
        let ItemError { start, end, message, of, .. } = error;
        let of = of.map(|of| format!("{of}: ")).unwrap_or_default();
        Self { start, end, label: "error".to_owned(), message: of + &message }
    }
}

/// Writes whole lines to standard error: through `out` if both go to the same place, which keeps the order
/// of the two without a write for each.
///
/// # Errors
/// Those of `out`.
pub(crate) fn beside(out: &mut impl Write, lines: &[u8]) -> io::Result<()> {
    let (is_terminal, is_stdout) = {
        let stderr = stderr();
        (stderr.terminal.is_some(), stderr.is_stdout)
    };
    if is_stdout {
        return out.write_all(lines);
    }
    if is_terminal {
        // What was printed before is seen before.
        out.flush()?;
    }
    to_stderr(lines);
    Ok(())
}

/// Reports what is wrong with an item to standard error, as [`beside`] does.
///
/// # Errors
/// Those of `out`.
pub(crate) fn aside(
    out: &mut impl Write,
    place: Place<'_>,
    item: &[u8],
    remarks: impl IntoIterator<Item = impl Into<Remark>>,
) -> io::Result<()> {
    let excerpt = stderr().terminal;
    let mut lines = Vec::new();
    remark(&mut lines, place, item, remarks, excerpt)?;
    beside(out, &lines)
}

/// Reports the remarks about an item in the order of their positions. If `excerpt` is set, each has an
/// excerpt of the item in so many cells of a terminal.
pub(crate) fn remark(
    out: &mut impl Write,
    place: Place<'_>,
    item: &[u8],
    remarks: impl IntoIterator<Item = impl Into<Remark>>,
    excerpt: Option<usize>,
) -> io::Result<()> {
    let Place { name, line, .. } = place;
    let (mut seen, mut column) = (0, 1);
    for remark in remarks {
        let remark: Remark = remark.into();
        // Only on from the one before, so that many in a long line take no longer.
        // An error of decoded text may lie after the end of the item.
        column += characters(item.get(seen..remark.start).unwrap_or_default());
        seen = remark.start;
        let (label, message) = (&remark.label, Escaped(remark.message.as_bytes()));
        writeln!(out, "{name}:{line}:{column}: {label}: {message}")?;
        if let Some(width) = excerpt {
            write_excerpt(out, item, remark.start..remark.end, width)?;
        }
    }
    Ok(())
}

/// Counts characters; an ill-formed sequence is one, as if it were replaced by U+FFFD.
fn characters(bytes: &[u8]) -> usize {
    let count = |chunk: std::str::Utf8Chunk<'_>| {
        chunk.valid().chars().count() + usize::from(!chunk.invalid().is_empty())
    };
    bytes.utf8_chunks().map(count).sum()
}

/// Writes the part of the item around a span of it, and carets under that, in lines of at most `width`
/// cells.
fn write_excerpt(
    out: &mut impl Write,
    item: &[u8],
    span: Range<usize>,
    width: usize,
) -> io::Result<()> {
    // Two cells of indentation, and one at either end for what is left out.
    let cells = width.saturating_sub(4);
    let (head, tail) = item.split_at_checked(span.start).unwrap_or((item, &[]));
    // Most of the line is for what comes before, as that is where the reader has come from.
    let from = head.len() - fitting_at_end(head, cells * 3 / 4);
    let shown = |from: usize, to: usize| Escaped(present(item.get(from..to)));
    let indent = shown(from, head.len()).width();
    let to = head.len() + fitting(tail, cells.saturating_sub(indent));
    let before = if from > 0 { "…" } else { "" };
    let after = if to < item.len() { "…" } else { "" };
    writeln!(out, "  {before}{}{after}", shown(from, to))?;
    let indent = before.chars().count() + indent;
    let carets = shown(head.len(), span.end.clamp(head.len(), to)).width().max(1);
    writeln!(out, "  {:indent$}{:^<carets$}", "", "")
}
