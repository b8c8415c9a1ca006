//! The owner, the mode and the extended attributes of a file, which its replacement gets too.

use std::fs::{File, Metadata};
use std::io;

/// Gives a file the owner, the mode and the extended attributes of another file.
///
/// # Errors
/// A message: what cannot be kept.
#[cfg(unix)]
pub(crate) fn keep(old: &File, new: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let named = |what: &str, error: io::Error| {
        io::Error::new(error.kind(), format!("its {what} cannot be kept: {error}"))
    };
    let (of_old, of_new) = (old.metadata()?, new.metadata()?);
    if (of_old.uid(), of_old.gid()) != (of_new.uid(), of_new.gid()) {
        fchown(new, Some(of_old.uid()), Some(of_old.gid()))
            .map_err(|error| named("owner", error))?;
    }
    extended(old, new).map_err(|error| named("extended attributes", error))?;
    // The mode is set after the owner, because a change of the owner clears bits of the mode.
    new.set_permissions(of_old.permissions()).map_err(|error| named("mode", error))
}

#[cfg(not(unix))]
pub(crate) fn keep(old: &File, new: &File) -> io::Result<()> {
    new.set_permissions(old.metadata()?.permissions())
}

/// Copies the extended attributes, such as access control lists.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn extended(old: &File, new: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    use rustix::io::Errno;

    let names = match whole(|room| flistxattr(old, room)) {
        // The file system does not have extended attributes.
        Err(Errno::OPNOTSUPP) => return Ok(()),
        names => names?,
    };
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let value = whole(|room| fgetxattr(old, name, room))?;
        // The system may have set the attribute already, such as a security label.
        if whole(|room| fgetxattr(new, name, room)).is_ok_and(|set| set == value) {
            continue;
        }
        fsetxattr(new, name, &value, XattrFlags::empty())?;
    }
    Ok(())
}

/// Returns all bytes that `read` gives, in a buffer that grows until they fit.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn whole(
    mut read: impl FnMut(&mut [u8]) -> rustix::io::Result<usize>,
) -> rustix::io::Result<Vec<u8>> {
    let mut bytes = vec![0; 256];
    loop {
        match read(&mut bytes) {
            Ok(length) => {
                bytes.truncate(length);
                return Ok(bytes);
            }
            Err(rustix::io::Errno::RANGE) => bytes.resize(2 * bytes.len(), 0),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "macos"))))]
#[expect(clippy::unnecessary_wraps, reason = "other systems have extended attributes")]
fn extended(_: &File, _: &File) -> io::Result<()> {
    Ok(())
}

/// The properties of a file that tell whether it has changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Snapshot {
    /// The file and its length.
    file: [u64; 3],
    /// When its bytes were changed.
    modified: [i64; 2],
    /// When anything of it was changed, such as a name. It moves even if a program sets `modified` back.
    changed: [i64; 2],
}

impl Snapshot {
    /// Returns the identity, the length and the times of a file.
    #[cfg(unix)]
    pub(crate) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;

        Self {
            file: [metadata.dev(), metadata.ino(), metadata.len()],
            modified: [metadata.mtime(), metadata.mtime_nsec()],
            changed: [metadata.ctime(), metadata.ctime_nsec()],
        }
    }

    /// Returns the length and the time of a file.
    #[cfg(not(unix))]
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        let since = modified.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        let since = since.unwrap_or_default();
        let modified = [i64::try_from(since.as_secs()).unwrap_or(0), since.subsec_nanos().into()];
        Self { file: [metadata.len(), 0, 0], modified, changed: [0; 2] }
    }

    /// Tells whether these are two looks at one file whose bytes did not change. Its names may have changed.
    pub(crate) fn has_bytes_of(&self, other: &Self) -> bool {
        (self.file, self.modified) == (other.file, other.modified)
    }

    /// Tells whether these are two looks at one file, whatever its bytes.
    pub(crate) fn is_file_of(&self, other: &Self) -> bool {
        !cfg!(unix) || self.file.first_chunk::<2>() == other.file.first_chunk::<2>()
    }
}
