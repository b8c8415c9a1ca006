//! A file that takes its name when it is complete. So at every moment the name holds the whole old file or the whole
//! new file.
//!
//! ```text
//! open ──▶ a file beside the name ──▶ seal: attributes, bytes on the disk ──▶ place: the file takes the name
//!                                 └─▶ keep: NAME.partial                     ├─▶ finish: the old file is deleted
//!                                 └─▶ drop: nothing is left                  └─▶ undo: the old file has its name again
//! ```
//!
//! On Linux, the file beside the name does not have a name until it is complete. So a program that is killed before that
//! leaves no part of a file behind. On other systems, and in the moment between `place` and `finish`, a file whose name
//! begins with `.iri-` may stay.
//!
//! The old file is locked from `open` to `finish`, so that another run that replaces it is refused, and not lost. The lock
//! goes with the process. It is a lock of `flock`: programs that do not ask for it are not hindered. What such a program
//! did in the meantime is seen by `place`, because the old file comes out in the step in which the new file takes the
//! name (`exchange`).

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempPath};

use crate::io::files::attributes::{self, Snapshot};
use crate::io::files::identity::{folder, target};
use crate::io::interrupt;

/// The beginning of the name that a new file has before it takes its own.
const PREFIX: &str = ".iri-";

/// A file beside its name.
pub(crate) struct Pending {
    /// The name that it takes. It is not a symbolic link.
    target: PathBuf,
    /// The file that has the name now.
    old: Option<Old>,
    file: File,
    /// The name before the file takes its own; `None` where the system has files without a name.
    temporary: Option<TempPath>,
    /// What became of the old file when the new file took its name.
    displaced: Displaced,
    /// The new file when it was complete.
    sealed: Option<Snapshot>,
}

/// What became of the old file.
enum Displaced {
    /// There is none, or it still has the name.
    Nothing,
    /// It has this name.
    Name(TempPath),
    /// It is gone.
    Lost,
}

/// The file that has the name, locked.
struct Old {
    file: File,
    /// A file that may be written and not read has no attributes that could be copied.
    is_readable: bool,
    snapshot: Snapshot,
}

/// What may have happened to the old file before the new file takes its name.
#[derive(Clone, Copy)]
pub(crate) enum Wanted {
    /// The file is the same. Its bytes do not matter, because they are replaced in any case.
    File,
    /// The bytes are the same, because the new file was made of them.
    Bytes(Snapshot),
}

impl Pending {
    /// Opens a file beside a name. If the name is a symbolic link, its target is meant.
    ///
    /// # Errors
    /// The file that has the name cannot be written or replaced, another run writes it, or no file can be made beside it.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(io::Error::other("this names a folder"));
        }
        let target = target(path)?;
        let old = Old::open(&target)?;
        if let Some(old) = &old {
            check_replaceable(&target, &old.file.metadata()?)?;
        }
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
        Ok(Self { target, old, file, temporary, displaced: Displaced::Nothing, sealed: None })
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
        if let Some(Old { file, is_readable: true, .. }) = &self.old {
            let kept = attributes::keep(file, &self.file);
            if is_strict {
                kept?;
            }
        }
        self.file.sync_all()
    }

    /// Gives the file its name. After an error, the name has what it had before.
    ///
    /// # Errors
    /// The name cannot be taken, or another program gave it to another file.
    // The ways to the name, in the order in which they are tried:
    //
    //     no old file   the name is new: the system makes it only if no file has it
    //     exchange      the two files exchange their names in one step. So the file that comes out is the file that had
    //                   the name last, and nothing that another program did before is lost
    //     rename        where the file system has no exchange: the old file gets a second name, and the new file takes the
    //                   name. A file that another program puts there between these two steps is lost
    pub(crate) fn place(&mut self, wanted: Wanted) -> io::Result<()> {
        // A signal that ended the program between two names would leave the temporary name. So signals wait.
        interrupt::watch(true);
        self.sealed = Some(Snapshot::of(&self.file.metadata()?));
        if self.old.is_none() {
            return self.place_new();
        }
        let temporary = self.temporary()?;
        match exchange(&temporary, &self.target) {
            Ok(()) => self.displaced = Displaced::Name(temporary),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.temporary = Some(temporary);
                return match wanted {
                    Wanted::File => self.place_new(),
                    Wanted::Bytes(_) => Err(io::Error::other("another program removed it")),
                };
            }
            Err(error) if has_no_exchange(&error) => {
                if let Err(error) = self.check(&self.target, wanted) {
                    self.temporary = Some(temporary);
                    return Err(error);
                }
                let second = second_name(&self.target);
                temporary.persist(&self.target).map_err(|error| {
                    self.temporary = Some(error.path);
                    error.error
                })?;
                self.displaced = second.map_or(Displaced::Lost, Displaced::Name);
            }
            Err(error) => {
                self.temporary = Some(temporary);
                return Err(error);
            }
        }
        let found = match &self.displaced {
            Displaced::Name(old) => self.check(old, wanted),
            _ => Ok(()),
        };
        found.or_else(|error| self.undo().and(Err(error)))
    }

    /// Gives the file a name that no file has.
    fn place_new(&mut self) -> io::Result<()> {
        let placed = match self.temporary.take() {
            None => link(&self.file, &self.target),
            Some(temporary) => temporary.persist_noclobber(&self.target).map_err(|error| {
                self.temporary = Some(error.path);
                error.error
            }),
        };
        placed.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                io::Error::other("another program made this file during the run")
            }
            _ => error,
        })
    }

    /// Checks that the file with a name is the old file.
    ///
    /// # Errors
    /// It is another file, or has other bytes.
    fn check(&self, path: &Path, wanted: Wanted) -> io::Result<()> {
        let found = Snapshot::of(&fs::symlink_metadata(path)?);
        match (wanted, &self.old) {
            (Wanted::Bytes(snapshot), _) if !found.has_bytes_of(&snapshot) => Err(changed()),
            (Wanted::File, Some(old)) if !found.is_file_of(&old.snapshot) => {
                Err(io::Error::other("another program put another file there during the run"))
            }
            _ => Ok(()),
        }
    }

    /// Gives the old file its name again, after [`place`](Self::place). Then the new file has a temporary name.
    ///
    /// # Errors
    /// A message: where the two files are.
    // Another program may have written to the new file while it had the name. Then the file that comes out is not deleted.
    pub(crate) fn undo(&mut self) -> io::Result<()> {
        let new = match std::mem::replace(&mut self.displaced, Displaced::Nothing) {
            Displaced::Nothing => {
                temporary(folder(&self.target), |name| fs::rename(&self.target, name))?
            }
            Displaced::Lost => {
                let text =
                    "the new file has the name, because the file system cannot keep the old file";
                return Err(io::Error::other(text));
            }
            Displaced::Name(old) => match self.swap_back(old) {
                Ok(new) => new,
                Err((old, error)) => {
                    let kept = old.keep().map_err(|error| error.error)?;
                    let text = format!("the old file is now {}: {error}", kept.display());
                    return Err(io::Error::other(text));
                }
            },
        };
        let found = Snapshot::of(&fs::symlink_metadata(&new)?);
        if !self.sealed.is_some_and(|sealed| found.has_bytes_of(&sealed)) {
            let kept = new.keep().map_err(|error| error.error)?;
            return Err(io::Error::other(format!(
                "another program changed it; what it wrote to the new file is in {}",
                kept.display()
            )));
        }
        self.temporary = Some(new);
        Ok(())
    }

    /// Puts the old file in the place of the new one. Returns the name that the new file has now.
    fn swap_back(&self, old: TempPath) -> Result<TempPath, (TempPath, io::Error)> {
        match exchange(&old, &self.target) {
            Ok(()) => Ok(old),
            Err(error) if has_no_exchange(&error) => match second_name(&self.target) {
                Ok(new) => match old.persist(&self.target) {
                    Ok(()) => Ok(new),
                    Err(error) => Err((error.path, error.error)),
                },
                Err(error) => Err((old, error)),
            },
            Err(error) => Err((old, error)),
        }
    }

    /// Ends a replacement: the old file is deleted.
    pub(crate) fn finish(self) {
        // A temporary name is deleted when it is dropped. What cannot be deleted does no harm.
        drop(self);
    }

    /// Gives the file the name of what an incomplete run made.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub(crate) fn keep(mut self, partial: &Path) -> io::Result<()> {
        interrupt::watch(true);
        if let Some(Old { file, is_readable: true, .. }) = &self.old {
            let _ = attributes::keep(file, &self.file);
        }
        self.temporary()?.persist(partial).map_err(|error| error.error)
    }

    /// Returns the temporary name of the file.
    ///
    /// # Errors
    /// The folder cannot be written.
    fn temporary(&mut self) -> io::Result<TempPath> {
        match self.temporary.take() {
            Some(temporary) => Ok(temporary),
            None => temporary(folder(&self.target), |path| link(&self.file, path)),
        }
    }
}

impl Old {
    /// Opens and locks the file that has a name; `None` if no file has it.
    ///
    /// # Errors
    /// The file cannot be written, or is locked.
    fn open(target: &Path) -> io::Result<Option<Self>> {
        loop {
            let (file, is_readable) = match OpenOptions::new().read(true).write(true).open(target) {
                Ok(file) => (file, true),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    (OpenOptions::new().write(true).open(target)?, false)
                }
                Err(error) => return Err(error),
            };
            lock(&file)?;
            let snapshot = Snapshot::of(&file.metadata()?);
            // Another run may have replaced the file before it was locked. Then the lock is of a file without a name.
            let found = fs::metadata(target).map(|found| Snapshot::of(&found));
            if found.is_ok_and(|found| found.is_file_of(&snapshot)) {
                return Ok(Some(Self { file, is_readable, snapshot }));
            }
        }
    }
}

/// The error of a file that has other bytes than at the start.
pub(crate) fn changed() -> io::Error {
    io::Error::other("another program changed it during the run")
}

/// Locks a file for other runs.
///
/// # Errors
/// It is locked.
#[cfg(unix)]
fn lock(file: &File) -> io::Result<()> {
    use rustix::fs::{FlockOperation, flock};

    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => Err(io::Error::other(
            "another run of iri writes this file, or another program has locked it",
        )),
        // Not every file system has locks.
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "other systems have locks")]
fn lock(_: &File) -> io::Result<()> {
    Ok(())
}

/// Checks what can be known before the run: that another file can take the name of a file.
///
/// # Errors
/// The reason why none can.
#[cfg(unix)]
fn check_replaceable(path: &Path, file: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;

    if is_mounted(path) {
        return Err(io::Error::other(
            "this file is mounted, so no other file can take its name; mount its folder instead, or write to \
             standard output and redirect it, as in -o - >FILE",
        ));
    }
    let user = rustix::process::geteuid();
    let folder = fs::metadata(folder(path))?;
    let is_sticky = folder.mode() & 0o1000 != 0;
    if is_sticky && !user.is_root() && ![file.uid(), folder.uid()].contains(&user.as_raw()) {
        return Err(io::Error::other(
            "in this folder, only the owner of the file can replace it (sticky bit)",
        ));
    }
    Ok(())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "other systems know more")]
fn check_replaceable(_: &Path, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Tells whether a file is mounted, such as a volume of a container that is one file.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn is_mounted(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};

    let found = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::empty());
    found.is_ok_and(|found| {
        (found.stx_attributes & found.stx_attributes_mask).contains(StatxAttributes::MOUNT_ROOT)
    })
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
fn is_mounted(_: &Path) -> bool {
    false
}

/// Exchanges the names of two files in one step.
///
/// # Errors
/// The system or the file system cannot do it, or a file is not there.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Tells whether an error says that the system or the file system cannot exchange names.
fn has_no_exchange(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}

/// Gives a file a second name, which is temporary.
///
/// # Errors
/// The file system has no hard links, or the folder cannot be written.
fn second_name(path: &Path) -> io::Result<TempPath> {
    temporary(folder(path), |name| fs::hard_link(path, name))
}

/// Makes a temporary name in a folder.
///
/// # Errors
/// The errors of `make`.
fn temporary(folder: &Path, make: impl FnMut(&Path) -> io::Result<()>) -> io::Result<TempPath> {
    Ok(Builder::new().prefix(PREFIX).make_in(folder, make)?.into_temp_path())
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
