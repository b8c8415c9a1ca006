//! Files that are open already and have names: `/dev/stdout`, `/dev/fd/3`, `/proc/self/fd/3`, and links to them. Not here:
//! whether such a file may be written, which the plan decides.
//!
//! The law: what goes to such a name is written to the open file itself, as if the program had written to the descriptor.
//! So it comes after what the shell wrote, in the mode in which the shell opened the file, and what the shell writes
//! later comes after it. The file keeps its name and its other bytes.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::io::closed;
use crate::io::files::identity::{MOST_LINKS, folder};

/// An open file that has a name.
pub(crate) struct Descriptor {
    /// Its name in the table of a process.
    path: PathBuf,
    pub(crate) number: u32,
    /// Whether the table is that of this program.
    is_own: bool,
}

/// The names of the standard streams, also where nothing is mounted at `/proc`.
const STREAMS: [&str; 3] = ["/dev/stdin", "/dev/stdout", "/dev/stderr"];

/// Returns the open file that a name means, through links; `None` if the name means a file in a folder.
// For example, `log` is a link to `/dev/stdout`, which is a link to `/proc/self/fd/1`. The way is `log`, `/dev/stdout`.
// The last step is not made: `/proc/self/fd/1` leads to the name that the open file once had.
pub(crate) fn of_name(path: &Path) -> Option<Descriptor> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return None;
        }
        if let Some(number) = STREAMS.iter().position(|stream| path == Path::new(stream)) {
            let number = u32::try_from(number).ok()?;
            return Some(Descriptor { path, number, is_own: true });
        }
        if let Some((number, is_own)) = entry(&path) {
            return Some(Descriptor { path, number, is_own });
        }
        path = folder(&path).join(fs::read_link(&path).ok()?);
    }
    None
}

/// Returns the number of an open file and whether it is one of this program, if the name is in a table of open files.
fn entry(path: &Path) -> Option<(u32, bool)> {
    let digits = path.file_name()?.to_str()?;
    let number = digits.parse().ok().filter(|number: &u32| number.to_string() == digits)?;
    let table = folder(path);
    if table == Path::new("/dev/fd") {
        return Some((number, true));
    }
    let table = fs::canonicalize(table).ok()?;
    let process = fs::canonicalize("/proc/self").ok()?;
    let is_table = table.starts_with("/proc") && table.ends_with("fd");
    is_table.then(|| (number, table.starts_with(process)))
}

impl Descriptor {
    /// Tells whether this is a standard stream of this program.
    pub(crate) fn is_stream(&self) -> bool {
        self.is_own && self.number < 3
    }

    /// Checks that the file is open.
    ///
    /// # Errors
    /// It is not open.
    pub(crate) fn check(&self) -> io::Result<()> {
        let is_open = match self.is_stream() {
            true => !closed::was(self.number),
            false => fs::symlink_metadata(&self.path).is_ok(),
        };
        match is_open {
            true => Ok(()),
            false => Err(io::Error::other("Bad file descriptor: it is not open")),
        }
    }

    /// Returns another handle of the open file: its position and its mode are those of the descriptor.
    ///
    /// # Errors
    /// The file is not open for writing, or the system does not share it.
    pub(crate) fn open(&self) -> io::Result<File> {
        self.check()?;
        let file = self.share()?;
        #[cfg(unix)]
        check_writable(&file)?;
        Ok(file)
    }

    #[cfg(unix)]
    fn share(&self) -> io::Result<File> {
        use std::os::fd::AsFd;

        let shared = match self.number {
            _ if !self.is_stream() => return self.share_other(),
            0 => io::stdin().as_fd().try_clone_to_owned(),
            1 => io::stdout().as_fd().try_clone_to_owned(),
            _ => io::stderr().as_fd().try_clone_to_owned(),
        };
        shared.map(File::from)
    }

    /// Takes a handle from the table of a process. If the system forbids this, as some containers do, opens the file anew:
    /// that is the same for a pipe, for a device, and for a file to whose end each write goes.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn share_other(&self) -> io::Result<File> {
        use rustix::fs::OFlags;
        use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};

        let table = fs::canonicalize(folder(&self.path))?;
        let other = || {
            let number = table.components().nth(2)?.as_os_str().to_str()?.parse().ok()?;
            Pid::from_raw(number)
        };
        let process = if self.is_own { Some(getpid()) } else { other() };
        let number = i32::try_from(self.number).map_err(io::Error::other)?;
        let shared = process.and_then(|process| {
            let process = pidfd_open(process, PidfdFlags::empty()).ok()?;
            pidfd_getfd(process, number, PidfdGetfdFlags::empty()).ok()
        });
        if let Some(shared) = shared {
            return Ok(shared.into());
        }
        let about = fs::read_to_string(folder(&table).join("fdinfo").join(number.to_string()))?;
        let flags = about.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
        let is_append =
            flags.is_some_and(|flags| OFlags::from_bits_retain(flags).contains(OFlags::APPEND));
        if fs::metadata(&self.path)?.is_file() && !is_append {
            return Err(io::Error::other(
                "the system does not share this open file; open it for appending, as in 3>>FILE",
            ));
        }
        OpenOptions::new().append(true).open(&self.path)
    }

    /// Opens the name. On these systems, this is another handle of the open file.
    #[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
    fn share_other(&self) -> io::Result<File> {
        OpenOptions::new().write(true).open(&self.path)
    }

    #[cfg(not(unix))]
    fn share(&self) -> io::Result<File> {
        OpenOptions::new().write(true).open(&self.path)
    }
}

/// Checks that a file is open for writing.
///
/// # Errors
/// It is open for reading alone.
#[cfg(unix)]
fn check_writable(file: &File) -> io::Result<()> {
    use rustix::fs::{OFlags, fcntl_getfl};

    match fcntl_getfl(file)? & OFlags::RWMODE {
        OFlags::WRONLY | OFlags::RDWR => Ok(()),
        _ => Err(io::Error::other("Bad file descriptor: it is open for reading alone")),
    }
}

/// A handle of standard output.
// On Windows, the standard library converts the text for a terminal.
#[cfg(unix)]
pub(crate) type Stdout = File;
#[cfg(not(unix))]
pub(crate) type Stdout = io::Stdout;

/// Returns standard output. The standard library would say that each byte was written, even if the stream is closed.
///
/// # Errors
/// The stream is closed, or open for reading alone.
#[cfg(unix)]
pub(crate) fn stdout() -> io::Result<Stdout> {
    Descriptor { path: PathBuf::from(STREAMS[1]), number: 1, is_own: true }.open()
}

#[cfg(not(unix))]
pub(crate) fn stdout() -> io::Result<Stdout> {
    Ok(io::stdout())
}
