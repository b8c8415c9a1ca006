//! Opens files, standard input and arguments. Not here: where items end.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use encoding_rs::Encoding;

use crate::args::input::{Decompress, InputArgs};
#[cfg(unix)]
use crate::io::closed;
use crate::io::compress::{self, Codec, Expected};
use crate::io::decode::{self, Input, Sniff, Source};
use crate::io::files::descriptor;
#[cfg(unix)]
use crate::io::interrupt;
use crate::io::pieces::Pieces;
use crate::io::walk;
use crate::output::progress;
use crate::output::report::{self, Verbosity};
use crate::output::secrets::quote;

/// Returns the files to read: standard input if no file is named.
pub(crate) fn files(files: &[PathBuf]) -> impl Iterator<Item = &Path> {
    let stdin = files.is_empty().then_some(Path::new("-"));
    files.iter().map(PathBuf::as_path).chain(stdin)
}

/// Returns the files of the arguments, with `--recursive` also the files in folders; standard input if no file is
/// named.
///
/// # Errors
/// A folder cannot be read.
pub(crate) fn all_files(args: &InputArgs) -> io::Result<Vec<PathBuf>> {
    if let Some(found) = &args.found {
        return Ok(found.clone());
    }
    match (args.items.is_empty(), args.recursive) {
        (false, _) => Ok(Vec::new()),
        (true, false) => Ok(files(&args.files).map(PathBuf::from).collect()),
        (true, true) => {
            let found = walk::files(args)?;
            if let Some(message) = walk::unknown(&found).filter(|_| report::says(Verbosity::Usual))
            {
                report::print_message(format_args!("{message}"));
            }
            Ok(found.files)
        }
    }
}

/// Returns the bytes of an argument, in UTF-8 if a charset is given.
///
/// # Errors
/// The item begins with a byte-order mark of UTF-32.
pub(crate) fn item_bytes<'a>(
    item: &'a OsStr,
    charset: Option<&'static Encoding>,
) -> io::Result<Cow<'a, [u8]>> {
    let bytes = item.as_encoded_bytes();
    if charset.is_none() {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut decoded = Vec::new();
    let source = Box::new(io::Cursor::new(bytes.to_vec()));
    decode::input(source, charset, None)?.source.read_to_end(&mut decoded)?;
    Ok(Cow::Owned(decoded))
}

/// An input that is open.
pub(crate) struct Opened {
    /// The name, safe to print.
    pub(crate) name: String,
    pub(crate) input: Input,
    pub(crate) codec: Option<Codec>,
    /// The file, if it is a regular file with a name of its own, and the input has its bytes as they are.
    pub(crate) plain: Option<File>,
}

impl Opened {
    /// Returns a note for the user about the charset.
    pub(crate) fn surprise(&self) -> Option<String> {
        let charset = self.input.charset.filter(|_| self.input.is_surprise)?.name();
        Some(format!("{}: read as {charset} because of its byte-order mark", self.name))
    }
}

/// Returns the name of a file, safe to print.
pub(crate) fn name(file: &Path) -> String {
    match file.as_os_str() == "-" {
        true => "<stdin>".to_owned(),
        false => quote(&file.to_string_lossy()),
    }
}

/// Opens a file, or standard input for `-`, as UTF-8 without compression, which `choice` names. If `threads` is above 1, so
/// many threads decompress the members of gzip.
///
/// # Errors
/// A message: why the file cannot be read.
pub(crate) fn open(
    path: &Path,
    choice: Decompress,
    charset: Option<&'static Encoding>,
    sniff: Option<Sniff>,
    threads: usize,
) -> Result<Opened, String> {
    let name = name(path);
    let is_stdin = path.as_os_str() == "-";
    let source = if is_stdin { stdin().map(|stdin| (stdin, None)) } else { open_file(path) };
    let decompressed = source.and_then(|(source, file)| {
        let (source, codec) = compress::input(source, Expected::of(path, choice))?;
        match (codec, file) {
            (Some(Codec::Gzip), Some(file)) if threads > 1 => {
                Ok((Box::new(Pieces::new(file, threads)) as Source, codec, None))
            }
            (None, plain) => Ok((source, None, plain)),
            _ => Ok((source, codec, None)),
        }
    });
    let opened = decompressed.and_then(|(source, codec, plain)| {
        let input = decode::input(source, charset, sniff)?;
        let plain = plain.filter(|_| input.charset.is_none());
        Ok((input, codec, plain))
    });
    match opened {
        Ok((input, codec, plain)) => Ok(Opened { name, input, codec, plain }),
        Err(error) => {
            let hint = match error.kind() {
                ErrorKind::NotFound => "; if it is an item and not a file, write -i before it",
                ErrorKind::Unsupported => "; --decompress none reads the file as it is",
                _ => "",
            };
            Err(format!("{}: {error}{hint}", name))
        }
    }
}

/// Returns standard input.
#[cfg(not(unix))]
fn stdin() -> io::Result<Source> {
    // The buffer of the standard library is smaller than a read here, so the bytes do not pass through it.
    Ok(Box::new(io::stdin()))
}

/// Returns standard input. It has no buffer of the standard library, which would hide whether bytes are available.
#[cfg(unix)]
fn stdin() -> io::Result<Source> {
    if closed::was(0) {
        return Err(rustix::io::Errno::BADF.into());
    }
    Ok(Box::new(Waiting(io::stdin())))
}

/// Opens a file. A regular file that has a name of its own is also returned as it is.
fn open_file(path: &Path) -> io::Result<(Source, Option<File>)> {
    let descriptor = descriptor::of_name(path);
    if let Some(open) = &descriptor {
        open.check()?;
    }
    let file = open_now(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::other("this is a directory"));
    }
    #[cfg(unix)]
    if !metadata.is_file() {
        return Ok((Box::new(Waiting(file)), None));
    }
    // The bytes of a descriptor may begin at any offset of its file.
    let copy = if descriptor.is_none() { Some(file.try_clone()?) } else { None };
    Ok((Box::new(Regular(file)), copy))
}

/// Opens a file. A named pipe without a writer is opened, too: [`Waiting`] waits for the writer, and sees a signal.
#[cfg(target_os = "linux")]
fn open_now(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::FileTypeExt;

    use rustix::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl, open};

    if !std::fs::metadata(path)?.file_type().is_fifo() {
        return File::open(path);
    }
    let pipe = open(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?;
    fcntl_setfl(&pipe, fcntl_getfl(&pipe)? - OFlags::NONBLOCK)?;
    Ok(pipe.into())
}

#[cfg(not(target_os = "linux"))]
fn open_now(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// A file whose bytes may come late or never, such as a pipe. It ends when a signal comes.
#[cfg(unix)]
struct Waiting<F>(F);

#[cfg(unix)]
impl<F: std::os::fd::AsFd> Read for Waiting<F> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};

        /// How long a signal waits at most until it is seen: 200 ms.
        const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
        // A signal looks like the end of the file here. So the reader of blocks asks for a signal after each block, and
        // drops the block: its last record may be cut.
        while !interrupt::has_come() {
            match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&PAUSE)) {
                // Nothing is there, or another signal came.
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                // If waiting is impossible, the next read returns the reason.
                _ => return Ok(rustix::io::read(&self.0, room)?),
            }
        }
        Ok(0)
    }
}

/// A regular file, whose bytes count for the progress.
struct Regular(File);

impl Read for Regular {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(room)?;
        progress::add(count as u64);
        Ok(count)
    }
}
