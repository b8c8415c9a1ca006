//! An output: standard output, a device or a pipe with a name, or a file that takes its name when it is complete. Not
//! here: whether it may be written, which the plan decides.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::io::compress::Codec;
use crate::io::files::descriptor::{self, Stdout};
use crate::io::files::encode::{self, Encoder};
use crate::io::files::pending::{Pending, Wanted};
use crate::io::files::plan::{Named, is_stdout, partial_name};
use crate::io::input::name;

/// An output that an option names.
pub(crate) struct Output {
    /// The name, safe to print, for messages; empty if their writer adds it.
    name: String,
    encoder: Encoder<Raw>,
    /// The file, if it takes its name when it is complete.
    pending: Option<Pending>,
    /// The name that the file takes if the run is incomplete; `None` if it is deleted then.
    partial: Option<PathBuf>,
    /// Whether anything was written.
    has_bytes: bool,
}

/// Where bytes go.
// `Closing` becomes `Closed` when the reader of standard output has stopped. Then bytes are dropped without an error.
// For example, `iri check --errors bad.json | head` completes bad.json.
pub(crate) enum Raw {
    File(File),
    Stdout(Stdout),
    /// Standard output, whose reader may stop before the other outputs are complete.
    Closing(Stdout),
    Closed,
    /// Standard output that cannot be opened, with the reason.
    Unopened(String),
}

impl Output {
    /// Opens the output that an option names.
    ///
    /// # Errors
    /// A message: why it cannot be written.
    pub(crate) fn open(named: &Named) -> Result<Self, String> {
        let Named { path, has_partial, .. } = named;
        let shown = name(path);
        let opened = || -> io::Result<Self> {
            if is_stdout(path) {
                return Self::direct(Raw::stdout(), "standard output");
            }
            if let Some(open) = descriptor::of_name(path) {
                return Self::direct(Raw::File(open.open()?), &shown);
            }
            let codec = encode::of_name(path).map_err(io::Error::other)?;
            let is_regular =
                fs::metadata(path).map_or(true, |found| found.is_file() || found.is_dir());
            if !is_regular {
                // This waits until a named pipe has a reader. The ending of a name compresses regular files only.
                let file = OpenOptions::new().write(true).open(path)?;
                return Self::direct(Raw::File(file), &shown);
            }
            let pending = Pending::open(path)?;
            let mut output = Self::of_pending(pending, codec, &shown)?;
            output.partial = has_partial.then(|| partial_name(path));
            Ok(output)
        };
        opened().map_err(|error| format!("{shown}: {error}"))
    }

    /// Returns an output to a file that takes its name when it is complete.
    ///
    /// # Errors
    /// There is no memory for the compression, or the system has no more handles of files.
    pub(crate) fn of_pending(
        pending: Pending,
        codec: Option<Codec>,
        name: &str,
    ) -> io::Result<Self> {
        let encoder = Encoder::new(Raw::File(pending.handle()?), codec)?;
        Ok(Self {
            name: name.to_owned(),
            encoder,
            pending: Some(pending),
            partial: None,
            has_bytes: false,
        })
    }

    fn direct(raw: Raw, name: &str) -> io::Result<Self> {
        let encoder = Encoder::new(raw, None)?;
        Ok(Self { name: name.to_owned(), encoder, pending: None, partial: None, has_bytes: false })
    }

    /// Writes the end of the compression. All bytes are in the file after that.
    ///
    /// # Errors
    /// The output cannot be written.
    // The result and the file are returned apart: even if the end cannot be written, the file may get its partial name.
    pub(crate) fn end(self) -> (io::Result<()>, Ended) {
        let Self { name, encoder, pending, partial, has_bytes } = self;
        let written = encoder.finish().map_err(|error| of(&name, error));
        (written, Ended { name, pending, partial, has_bytes })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.has_bytes |= !bytes.is_empty();
        self.encoder.write(bytes).map_err(|error| of(&self.name, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush().map_err(|error| of(&self.name, error))
    }
}

/// Returns an error with the name of the output.
fn of(name: &str, error: io::Error) -> io::Error {
    match error.kind() {
        // An error of kind `BrokenPipe` ends the run without a message, because the reader of standard output has
        // stopped. Here it is an error like others.
        ErrorKind::BrokenPipe => io::Error::other(format!("{name}: {error}")),
        _ if name.is_empty() => error,
        kind => io::Error::new(kind, format!("{name}: {error}")),
    }
}

/// An output to which nothing more is written.
pub(crate) struct Ended {
    /// The name, safe to print.
    pub(crate) name: String,
    pending: Option<Pending>,
    partial: Option<PathBuf>,
    has_bytes: bool,
}

impl Ended {
    /// Tells whether this is a file that does not have its name yet.
    pub(crate) fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Prepares a file for its name.
    ///
    /// # Errors
    /// A message: what failed. If `is_strict` is set, an attribute that cannot be kept is an error.
    pub(crate) fn seal(&self, is_strict: bool) -> io::Result<()> {
        self.pending.as_ref().map_or(Ok(()), |pending| pending.seal(is_strict))
    }

    /// Gives a file its name. After an error, the name has what it had before.
    ///
    /// # Errors
    /// The name cannot be taken, or another program gave it to another file.
    pub(crate) fn place(&mut self, wanted: Wanted) -> io::Result<()> {
        self.pending.as_mut().map_or(Ok(()), |pending| pending.place(wanted))
    }

    /// Takes the name from a file, and gives it to the old file again.
    ///
    /// # Errors
    /// A message: where the two files are.
    pub(crate) fn undo(&mut self) -> io::Result<()> {
        self.pending.as_mut().map_or(Ok(()), Pending::undo)
    }

    /// Ends a replacement.
    pub(crate) fn finish(self) {
        if let Some(pending) = self.pending {
            pending.finish();
        }
    }

    /// Keeps what an incomplete run made under its partial name, if the output has such a name and anything was made.
    /// Returns this name, safe to print.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub(crate) fn keep(self) -> io::Result<Option<String>> {
        let partial = self.partial.filter(|_| self.has_bytes);
        let (Some(pending), Some(partial)) = (self.pending, partial) else { return Ok(None) };
        let shown = name(Path::new(&partial));
        pending.keep(&partial).map_err(|error| of(&shown, error))?;
        Ok(Some(shown))
    }
}

impl Raw {
    /// Returns standard output.
    pub(crate) fn stdout() -> Self {
        match descriptor::stdout() {
            Ok(out) => Self::Stdout(out),
            Err(error) => Self::Unopened(format!("standard output: {error}")),
        }
    }

    /// Returns standard output, whose reader may stop early.
    pub(crate) fn closing_stdout() -> Self {
        match Self::stdout() {
            Self::Stdout(out) => Self::Closing(out),
            other => other,
        }
    }
}

impl Write for Raw {
    // A write to `Closed` says that all bytes were taken, so that the run goes on to its end.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stdout(out) => out.write(bytes),
            Self::Closing(out) => match out.write(bytes) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                    *self = Self::Closed;
                    Ok(bytes.len())
                }
                written => written,
            },
            Self::Closed => Ok(bytes.len()),
            Self::Unopened(why) => Err(io::Error::other(why.clone())),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stdout(out) => out.flush(),
            Self::Closing(out) => match out.flush() {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                    *self = Self::Closed;
                    Ok(())
                }
                flushed => flushed,
            },
            Self::Closed | Self::Unopened(_) => Ok(()),
        }
    }
}
