//! A file that takes its name when it is complete. So at every moment the name holds the whole old file or the whole
//! new file.
//!
//! ```text
//! open ──▶ a file beside the name ──▶ seal: attributes, bytes on the disk ──▶ commit: the file takes the name
//!                                 └─▶ keep: NAME.partial
//!                                 └─▶ drop: nothing is left
//! ```
//!
//! On Linux, the file beside the name does not have a name until it is complete. So a program that is killed leaves no
//! part of a file behind. On other systems, a file whose name begins with `.iri-` may stay.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempPath};

use crate::io::files::attributes;
use crate::io::files::identity::{folder, target};
use crate::io::interrupt;

/// The beginning of the name that a new file has before it takes its own.
const PREFIX: &str = ".iri-";

/// A file beside its name.
pub(crate) struct Pending {
    /// The name that it takes. It is not a symbolic link.
    target: PathBuf,
    /// The file that has the name now.
    old: Option<File>,
    file: File,
    /// The name before the file takes its own; `None` where the system has files without a name.
    temporary: Option<TempPath>,
}

impl Pending {
    /// Opens a file beside a name. If the name is a symbolic link, its target is meant.
    ///
    /// # Errors
    /// The file that has the name cannot be written, or no file can be made beside it.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(io::Error::other("this names a folder"));
        }
        let target = target(path)?;
        let old = match OpenOptions::new().read(true).write(true).open(&target) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            // A file that may be written and not read has no attributes that could be copied.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                OpenOptions::new().write(true).open(&target)?;
                None
            }
            Err(error) => return Err(error),
        };
        // A new file has the mode that the user wants for new files. A replacement may hold what others must not read:
        // it gets the mode of the old file when it is complete.
        let mode = if old.is_some() { 0o600 } else { 0o666 };
        let folder = folder(&target);
        let beside = |error: io::Error| {
            let shown = folder.display();
            io::Error::new(
                error.kind(),
                format!("no file can be made in the folder {shown}: {error}"),
            )
        };
        let (file, temporary) = match unnamed(folder, mode) {
            Some(file) => (file, None),
            None => {
                let (file, name) = named(folder, mode).map_err(beside)?;
                (file, Some(name))
            }
        };
        Ok(Self { target, old, file, temporary })
    }

    /// Returns another handle of the file.
    ///
    /// # Errors
    /// The system has no more handles.
    pub(crate) fn handle(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Gives the file the owner, the mode and the extended attributes of the file that it replaces, and puts its bytes
    /// on the disk.
    ///
    /// # Errors
    /// An attribute cannot be kept, if `is_strict` is set; or the disk cannot be written.
    pub(crate) fn seal(&self, is_strict: bool) -> io::Result<()> {
        if let Some(old) = &self.old {
            let kept = attributes::keep(old, &self.file);
            if is_strict {
                kept?;
            }
        }
        self.file.sync_all()
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub(crate) fn commit(self) -> io::Result<()> {
        let target = self.target.clone();
        self.take(&target)
    }

    /// Gives the file the name of what an incomplete run made.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub(crate) fn keep(self, partial: &Path) -> io::Result<()> {
        if let Some(old) = &self.old {
            let _ = attributes::keep(old, &self.file);
        }
        self.take(partial)
    }

    /// Gives the file a name, in the place of a file that has the name.
    //     a file without a name   ──link──▶ .iri-xxxxxx ──rename──▶ the name
    //     a file with such a name                       ──rename──▶ the name
    //
    // The rename replaces an old file in one step: at each moment, the name holds the old file or the new file.
    fn take(self, path: &Path) -> io::Result<()> {
        // A signal that ended the program between the two names would leave the temporary name. So signals wait.
        interrupt::watch(true);
        let temporary = match self.temporary {
            Some(temporary) => temporary,
            // No system gives a file a name that another file has. So the file first gets a temporary name.
            None => Builder::new()
                .prefix(PREFIX)
                .make_in(folder(path), |path| link(&self.file, path))?
                .into_temp_path(),
        };
        temporary.persist(path).map_err(|error| error.error)
    }
}

/// Opens a file with a temporary name.
fn named(folder: &Path, mode: u32) -> io::Result<(File, TempPath)> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    Ok(builder.prefix(PREFIX).tempfile_in(folder)?.into_parts())
}

/// Opens a file without a name in a folder; `None` if the system or the file system does not have such files.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path, mode: u32) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};

    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = open(folder, flags, Mode::from_raw_mode(mode)).ok().map(File::from)?;
    // `link` gives the name through this path, which is missing if `/proc` is not mounted.
    fs::metadata(descriptor(&file)).is_ok().then_some(file)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path, _: u32) -> Option<File> {
    None
}

/// Gives a file without a name a name that no other file has.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};

    Ok(linkat(CWD, descriptor(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns the path of an open file.
#[cfg(target_os = "linux")]
fn descriptor(file: &File) -> String {
    use std::os::fd::AsRawFd;

    format!("/proc/self/fd/{}", file.as_raw_fd())
}
