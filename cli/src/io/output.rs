//! Opens files for output, and compresses their content according to their names.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use zstd::stream::write::Encoder;

use crate::args::names;
use crate::args::records::From;
use crate::io::input::name;
use crate::io::members::Members;

/// Opens a file for output.
///
/// # Errors
/// A message: why it cannot be written.
pub(crate) fn create(file: &Path) -> Result<Output, String> {
    Output::create(file).map_err(|error| format!("{}: {error}", name(file)))
}

/// A file that is written.
pub(crate) enum Output {
    Plain(File),
    Gzip(GzEncoder<File>),
    /// A web archive, with a member for each record.
    Archive(Members<File>),
    Zstd(Encoder<'static, File>),
}

impl Output {
    /// Opens a file, which is emptied if it exists.
    ///
    /// # Errors
    /// The file cannot be written.
    fn create(path: &Path) -> io::Result<Self> {
        Self::new(File::create(path)?, path)
    }

    /// Writes to an open file, with the compression of a name.
    ///
    /// # Errors
    /// There is no memory for the compression.
    pub(crate) fn new(file: File, path: &Path) -> io::Result<Self> {
        let is = |suffix| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(suffix));
        let is_archive = names::of_file(path) == Some(From::Warc);
        Ok(if is("gz") && is_archive {
            Self::Archive(Members::new(file))
        } else if is("gz") {
            Self::Gzip(GzEncoder::new(file, Compression::default()))
        } else if is("zst") {
            Self::Zstd(Encoder::new(file, 0)?)
        } else {
            Self::Plain(file)
        })
    }

    /// Writes the end of the compression, and returns the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn finish(self) -> io::Result<File> {
        match self {
            Self::Plain(file) => Ok(file),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Archive(members) => members.finish(),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(file) => file,
            Self::Gzip(encoder) => encoder,
            Self::Archive(members) => members,
            Self::Zstd(encoder) => encoder,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    /// Does not flush a compression, which would make its output longer. [`finish`](Self::finish) does.
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Gzip(_) | Self::Archive(_) | Self::Zstd(_) => Ok(()),
        }
    }
}
