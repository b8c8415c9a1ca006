//! The identity of files: tells whether two names, or a name and a standard stream, are the same file. Not here: what
//! follows from that, which is in `plan`.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A file, whatever its name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Identity {
    /// A file that exists.
    File(Key),
    /// A name that no file has yet: its folder, and the name in the folder.
    Name(Key, OsString),
}

#[cfg(unix)]
type Key = (u64, u64);

/// Returns the device and the number of a file on the device.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have to open the file")]
fn key(_: &Path, metadata: &Metadata) -> io::Result<Key> {
    use std::os::unix::fs::MetadataExt;

    Ok((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
type Key = std::sync::Arc<same_file::Handle>;

#[cfg(not(unix))]
fn key(path: &Path, _: &Metadata) -> io::Result<Key> {
    same_file::Handle::from_path(path).map(std::sync::Arc::new)
}

impl Identity {
    /// Returns the identity of the file with a name, or of a name that no file has. Symbolic links are followed.
    ///
    /// # Errors
    /// The folder of the name cannot be read, or links lead in a circle.
    pub(crate) fn of_name(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(metadata) => Ok(Self::File(key(path, &metadata)?)),
            // Two spellings of a new name are the same name if their folders are the same file.
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let path = target(path)?;
                let folder = folder(&path);
                let name = path.file_name().unwrap_or_default().to_owned();
                Ok(Self::Name(key(folder, &fs::metadata(folder)?)?, name))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the identity of an open file, such as a standard stream, if it is a regular file.
    #[cfg(unix)]
    pub(crate) fn of_open(file: impl std::os::fd::AsFd) -> Option<Self> {
        let file = File::from(file.as_fd().try_clone_to_owned().ok()?);
        let metadata = file.metadata().ok().filter(Metadata::is_file)?;
        key(Path::new(""), &metadata).ok().map(Self::File)
    }

    /// Returns the identity of an open file, such as a standard stream, if it is a regular file.
    #[cfg(windows)]
    pub(crate) fn of_open(file: impl std::os::windows::io::AsHandle) -> Option<Self> {
        let file = File::from(file.as_handle().try_clone_to_owned().ok()?);
        file.metadata().ok().filter(Metadata::is_file)?;
        same_file::Handle::from_file(file).ok().map(|key| Self::File(key.into()))
    }
}

/// The most links in a chain of symbolic links, as on Linux. A longer chain counts as a circle.
pub(crate) const MOST_LINKS: usize = 40;

/// Returns the name at the end of a chain of symbolic links. No file needs to have this name yet.
///
/// # Errors
/// The links lead in a circle.
// `canonicalize` needs a file at the end of the chain. Without such a file, the loop follows the links. For example,
// `a` is a link to `sub/b`, `sub/b` is a link to `c`, and `sub/c` does not exist. The way is `a`, `sub/b`, `sub/c`.
pub(crate) fn target(path: &Path) -> io::Result<PathBuf> {
    if let Ok(found) = fs::canonicalize(path) {
        return Ok(found);
    }
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = folder(&path).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("symbolic links lead in a circle"))
}

/// Returns the folder of a name.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) => Path::new("."),
        None => path,
    }
}
