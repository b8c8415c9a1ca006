//! Reports errors and findings as `FILE:LINE:COLUMN: LABEL: MESSAGE`, with an excerpt of the item under
//! the line. Also the exit codes, and writing to standard error.

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
use crate::item_error::{ItemError, Message};
use crate::output::escape::{self, Escaped, fitting, fitting_at_end};
use crate::output::{color, progress, screen, secrets};

/// The outcome of a command.
#[derive(Clone, Copy)]
pub(crate) enum Outcome {
    AllValid,
    SomeInvalid,
    /// The run stopped before the end of the input, as an option says.
    Stopped,
    /// A part of the input cannot be read.
    Trouble,
    /// The arguments are wrong. Nothing was read.
    Refused,
    /// An output cannot be written.
    Unwritten,
}

/// Why a command has no outcome.
pub(crate) enum Failure {
    /// The arguments are wrong. Nothing was read.
    Refused(String),
    /// An output cannot be written.
    Unwritten(io::Error),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Refused(message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        Self::Refused(message.to_owned())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Unwritten(error)
    }
}

/// The worst outcome so far.
static WORST: AtomicU8 = AtomicU8::new(Outcome::AllValid.code());

impl Outcome {
    /// Returns the outcome of a run. `complete` tells whether all input that was wanted could be read, and `stopped`
    /// tells whether the run stopped before the end of the input.
    pub(crate) fn new(complete: bool, stopped: bool, invalid: u64) -> Self {
        match (complete, stopped, invalid) {
            (false, ..) => Self::Trouble,
            (true, true, _) => Self::Stopped,
            (true, false, 0) => Self::AllValid,
            (true, false, _) => Self::SomeInvalid,
        }
    }

    /// Tells whether the whole input was read, so that files can get their names.
    pub(crate) const fn is_complete(self) -> bool {
        matches!(self, Self::AllValid | Self::SomeInvalid)
    }

    /// Returns the exit code.
    const fn code(self) -> u8 {
        match self {
            Self::AllValid => 0,
            Self::SomeInvalid | Self::Stopped => 1,
            Self::Trouble | Self::Refused | Self::Unwritten => 2,
        }
    }

    /// Records a failure. It decides the exit code if the reader closes the output before the command ends.
    pub(crate) fn record(self) {
        WORST.fetch_max(self.code(), Ordering::Relaxed);
    }

    /// Returns the exit code of a command whose output was closed early: the worst outcome so far.
    pub(crate) fn worst() -> ExitCode {
        WORST.load(Ordering::Relaxed).into()
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome.code())
    }
}

/// The amount of messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    Quiet = 0,
    /// The summary alone.
    Summary = 1,
    Usual = 2,
    Verbose = 3,
}

static VERBOSITY: AtomicU8 = AtomicU8::new(Verbosity::Usual as u8);

/// Sets the amount of messages.
pub(crate) fn set_verbosity(verbosity: Verbosity) {
    VERBOSITY.store(verbosity as u8, Ordering::Relaxed);
}

/// Tells whether the program prints at least so many messages.
pub(crate) fn says(verbosity: Verbosity) -> bool {
    VERBOSITY.load(Ordering::Relaxed) >= verbosity as u8
}

/// Standard error.
struct ErrorStream {
    stream: Mutex<BufWriter<Stderr>>,
    /// The width of the terminal, if it is one. Then every line is written at once.
    terminal: Option<usize>,
    /// Whether it is the same file as standard output. Then the order of the lines of both streams counts.
    is_stdout: bool,
}

static STDERR: LazyLock<ErrorStream> = LazyLock::new(|| {
    let is_stdout =
        matches!((Handle::stdout(), Handle::stderr()), (Ok(out), Ok(err)) if out == err);
    let terminal = io::stderr().is_terminal().then(screen::stderr_width);
    let stream = Mutex::new(BufWriter::with_capacity(1 << 16, io::stderr()));
    ErrorStream { stream, terminal, is_stdout }
});

/// Takes the lock of standard error. Threads that make messages do not need it.
fn stderr() -> MutexGuard<'static, BufWriter<Stderr>> {
    STDERR.stream.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a message of the program to standard error. What it quotes has no secret, and no character that is not seen. The
/// caller has flushed standard output.
pub(crate) fn print_message(message: fmt::Arguments<'_>) {
    let message = secrets::message(&message.to_string());
    to_stderr(format!("iri: {message}\n").as_bytes());
}

/// Writes whole lines to standard error, so that lines of other programs do not come in between. They are
/// buffered unless standard error is a terminal or the same file as standard output.
pub(crate) fn to_stderr(lines: &[u8]) {
    let mut stderr = stderr();
    progress::hidden(|| {
        // If standard error cannot be written, the program cannot report this.
        let _ = stderr.write_all(lines);
        if STDERR.terminal.is_some() || STDERR.is_stdout {
            let _ = stderr.flush();
        }
    });
}

/// Flushes standard error. This happens before the program waits for input, and at the end.
pub(crate) fn flush() {
    let _ = stderr().flush();
}

/// The place of an item.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The name of the file, safe to print.
    pub(crate) name: &'a str,
    /// The name as a string of JSON.
    pub(crate) json_name: &'a str,
    /// The number of the item, from 1.
    pub(crate) line: u64,
    /// The number of characters before the item in its line.
    pub(crate) column: u64,
    /// The charset that the item was converted from; `None` if it was not converted.
    pub(crate) charset: Option<&'static Encoding>,
}

impl Place<'_> {
    /// Writes an item, on a terminal with hidden characters escaped. Bytes that were invalid in the
    /// charset are written as U+FFFD.
    ///
    /// # Errors
    /// The output cannot be written.
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

/// Returns a number of things with their name, for a summary.
pub(crate) fn counted(count: u64, name: &str) -> String {
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}

/// A remark about a part of an item.
pub(crate) struct Remark {
    /// The first byte of the part.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) label: Label,
    /// The name of the column that the message is about, if the item was split into columns.
    pub(crate) of: Option<&'static str>,
    pub(crate) message: Message,
}

/// A severity and, in brackets, a code: `error[syntax.bad-port]`.
#[derive(Clone, Copy)]
pub(crate) struct Label {
    pub(crate) severity: &'static str,
    /// The text before the code in the brackets.
    pub(crate) check: &'static str,
    /// The code; empty if there is none, so that there are no brackets either.
    pub(crate) code: &'static str,
}

impl Label {
    /// An error without a code.
    const ERROR: Self = Self { severity: "error", check: "", code: "" };
}

impl From<Error> for Remark {
    fn from(error: Error) -> Self {
        ItemError::from(error).into()
    }
}

impl From<ItemError> for Remark {
    fn from(error: ItemError) -> Self {
        let ItemError { start, end, message, of, .. } = error;
        Self { start, end, label: Label::ERROR, of, message }
    }
}

/// Writes whole lines to standard error. If it is the same file as standard output, writes them to `out`,
/// which keeps the order without a flush for each line.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn lines_to_stderr(out: &mut (impl Write + ?Sized), lines: &[u8]) -> io::Result<()> {
    if is_stdout() {
        return out.write_all(lines);
    }
    if terminal_width().is_some() {
        // The output so far appears before these lines.
        out.flush()?;
    }
    to_stderr(lines);
    Ok(())
}

/// Tells whether standard error is the same file as the output of the command.
pub(crate) fn is_stdout() -> bool {
    !screen::is_apart() && STDERR.is_stdout
}

/// The form of remarks.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    /// The width of an excerpt of the item under each remark; `None` if there is none.
    pub(crate) excerpt: Option<usize>,
    /// Whether labels have colors.
    pub(crate) color: bool,
}

impl Style {
    /// Returns the form for a terminal of some width or, without one, for a file.
    pub(crate) fn new(terminal: Option<usize>) -> Self {
        Self { excerpt: terminal, color: color::is_on(terminal.is_some()) }
    }

    /// Returns the form for standard error.
    pub(crate) fn stderr() -> Self {
        Self::new(terminal_width())
    }
}

/// Returns the width of the terminal at standard error; `None` if it is not a terminal.
fn terminal_width() -> Option<usize> {
    STDERR.terminal
}

/// Writes the remarks about an item, which are in the order of their positions.
pub(crate) struct Remarks<'a> {
    pub(crate) place: Place<'a>,
    pub(crate) item: &'a [u8],
    style: Style,
    /// The end of the bytes of the item that are counted in `column`.
    seen: usize,
    column: u64,
}

impl<'a> Remarks<'a> {
    pub(crate) fn new(place: Place<'a>, item: &'a [u8], style: Style) -> Self {
        Self { place, item, style, seen: 0, column: place.column + 1 }
    }

    /// Appends the next remark, which may have an excerpt of the item.
    pub(crate) fn append(&mut self, out: &mut Vec<u8>, remark: &Remark) -> io::Result<()> {
        let Remark { start, end, label, of, message } = remark;
        self.append_parts(out, *start..*end, *label, *of, message)
    }

    /// [`append`](Self::append) for an error.
    pub(crate) fn append_error(&mut self, out: &mut Vec<u8>, error: &ItemError) -> io::Result<()> {
        let ItemError { start, end, message, of, .. } = error;
        self.append_parts(out, *start..*end, Label::ERROR, *of, message)
    }

    /// Appends a remark, given as its parts.
    ///
    /// PERF: a remark has a dozen parts. To append a part to memory costs half as much as to write it.
    fn append_parts(
        &mut self,
        out: &mut Vec<u8>,
        span: Range<usize>,
        label: Label,
        of: Option<&'static str>,
        message: &Message,
    ) -> io::Result<()> {
        let Self { place: Place { name, line, .. }, item, style, .. } = *self;
        // The column is counted from the last remark, so that the time is linear in the length of the item. An error
        // of decoded text may lie after the end of the item.
        self.column += characters(item.get(self.seen..span.start).unwrap_or_default()) as u64;
        self.seen = span.start;
        let (on, off) = color::of_severity(label.severity, style.color);
        let (mut line_number, mut column_number) = (itoa::Buffer::new(), itoa::Buffer::new());
        let (line, column) = (line_number.format(line), column_number.format(self.column));
        let Label { severity, check, code } = label;
        // PERF: formatting takes twice as long as appending these parts.
        for part in [name, ":", line, ":", column, ": ", on, severity] {
            out.extend_from_slice(part.as_bytes());
        }
        if !code.is_empty() {
            for part in ["[", check, code, "]"] {
                out.extend_from_slice(part.as_bytes());
            }
        }
        for part in [off, ": "] {
            out.extend_from_slice(part.as_bytes());
        }
        for part in of.iter().flat_map(|of| [of, ": "]) {
            out.extend_from_slice(part.as_bytes());
        }
        escape::append_shown(out, message)?;
        out.push(b'\n');
        match style.excerpt {
            Some(width) => write_excerpt(out, item, span, width),
            None => Ok(()),
        }
    }
}

/// Appends the remarks about an item, which are in the order of their positions. Each may have an excerpt of the item.
pub(crate) fn append_remarks(
    out: &mut Vec<u8>,
    place: Place<'_>,
    item: &[u8],
    remarks: impl IntoIterator<Item = impl Into<Remark>>,
    style: Style,
) -> io::Result<()> {
    let mut all = Remarks::new(place, item, style);
    remarks.into_iter().try_for_each(|remark| all.append(out, &remark.into()))
}

/// Counts characters. An ill-formed sequence counts as one, as if it were replaced by U+FFFD.
fn characters(bytes: &[u8]) -> usize {
    // PERF: most items are ASCII, where this takes a tenth of the instructions.
    if bytes.is_ascii() {
        return bytes.len();
    }
    let count = |chunk: std::str::Utf8Chunk<'_>| {
        chunk.valid().chars().count() + usize::from(!chunk.invalid().is_empty())
    };
    bytes.utf8_chunks().map(count).sum()
}

/// Writes the part of the item around a span, and carets under the span, in lines of at most `width`
/// cells.
fn write_excerpt(
    out: &mut Vec<u8>,
    item: &[u8],
    span: Range<usize>,
    width: usize,
) -> io::Result<()> {
    // Two cells are for indentation, and one at each end is for an ellipsis.
    let cells = width.saturating_sub(4);
    let (head, tail) = item.split_at_checked(span.start).unwrap_or((item, &[]));
    // Three quarters of the line are for the text before the error.
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
