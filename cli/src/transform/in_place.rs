//! Replaces a file so that at every moment the whole old file or the whole new one exists.

use std::fs::{self, File, Permissions};
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::io::output::Output;

/// The beginning of the name that a new file has before it replaces the old one.
const PREFIX: &str = ".iri-";

/// Calls `write` with a temporary file in the folder of a file, and puts it in the place of the file if
/// `write` returns `true`. The permissions stay. If the file is a symbolic link, its target is replaced.
///
/// Where the system has files without a name, the temporary file gets its name when it is whole. So a
/// program that is killed leaves no part of a file behind.
///
/// # Errors
/// The errors of `write`, or a file cannot be written. Then the old file is there.
pub(crate) fn replace(
    file: &Path,
    write: impl FnOnce(&mut Output) -> io::Result<bool>,
) -> io::Result<()> {
    let file = fs::canonicalize(file)?;
    let folder = file.parent().ok_or_else(|| io::Error::other("the file has no folder"))?;
    let permissions = fs::metadata(&file)?.permissions();
    if let Some(unnamed) = unnamed(folder) {
        let written = complete(Output::new(unnamed, &file)?, permissions, write)?;
        // First the file gets a temporary name: no system gives a file a name that another file has.
        let named = Builder::new().prefix(PREFIX).make_in(folder, |path| link(&written, path))?;
        named.persist(&file).map_err(|error| error.error)?;
        return Ok(());
    }
    let temporary: NamedTempFile = Builder::new().prefix(PREFIX).tempfile_in(folder)?;
    complete(Output::new(temporary.reopen()?, &file)?, permissions, write)?;
    temporary.persist(&file).map_err(|error| error.error)?;
    Ok(())
}

/// Writes all bytes of a file, and sets its permissions.
fn complete(
    mut out: Output,
    permissions: Permissions,
    write: impl FnOnce(&mut Output) -> io::Result<bool>,
) -> io::Result<File> {
    let complete = write(&mut out)?;
    let written = out.finish()?;
    if !complete {
        return Err(io::Error::other("it could not be read to its end"));
    }
    written.set_permissions(permissions)?;
    // The new bytes are on the disk before the name is theirs.
    written.sync_all()?;
    Ok(written)
}

/// Opens a file without a name in a folder; `None` if the system or the file system has none.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};

    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = open(folder, flags, Mode::RUSR | Mode::WUSR).ok().map(File::from)?;
    // The name is given through this folder of the system.
    fs::metadata(descriptor(&file)).is_ok().then_some(file)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path) -> Option<File> {
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
