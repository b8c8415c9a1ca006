//! Replaces an input by its result. Not here: the result.
//!
//! The law: the file holds its old bytes or the complete new bytes; its owner, mode and extended attributes stay; and
//! no byte is lost that another program wrote to the name before the file was replaced. The order of the steps makes it
//! so:
//!
//! ```text
//! lock      another run that replaces this file is refused
//! write     the new bytes go to a pending file, which does not have the name yet
//! seal      the pending file gets the attributes, and its bytes are on the disk
//! compare   if the old file has changed since the start, the run stops and the old file stays
//! backup    a second name for the old file (a hard link), if it is wanted
//! place     the two files exchange their names. The old file is compared again, and if it has changed since, they
//!           exchange their names again
//! finish    the old file is deleted
//! ```
//!
//! A program that opened the old file before, and writes to it after `place`, writes to a file without a name.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::args::input::Decompress;
use crate::io::compress::{self, Expected};
use crate::io::files::attributes::Snapshot;
use crate::io::files::descriptor;
use crate::io::files::encode;
use crate::io::files::identity::target;
use crate::io::files::output::Output;
use crate::io::files::pending::{Pending, Wanted, changed};
use crate::io::input::name;
use crate::io::interrupt;
use crate::output::screen;

/// Calls `write` with an output, and puts what it writes in the place of a file if `write` returns `true`. If the file
/// is a symbolic link, its target is replaced. A compressed file is compressed again in its own format. The old file
/// stays under its name and the ending `backup`, if there is one.
///
/// # Errors
/// The reason why the file is not replaced. The old file keeps its name.
pub(crate) fn replace(
    file: &Path,
    choice: Decompress,
    backup: Option<&str>,
    write: impl FnOnce(&mut Output) -> io::Result<bool>,
) -> io::Result<()> {
    // The output is a file, so reports go to standard error alone.
    screen::set_apart();
    let path = check_replaceable(file)?;
    let pending = Pending::open(&path)?;
    let snapshot = still(&path)?;
    let expected = Expected::of(file, choice);
    let (_, codec) = compress::recognize(&mut File::open(&path)?, expected)?;
    let kept = backup.map(|ending| backup_name(file, ending));
    if let Some(kept) = kept.as_ref().filter(|kept| fs::symlink_metadata(kept).is_ok()) {
        return Err(exists(kept));
    }
    let mut output = Output::of_pending(pending, codec, "")?;
    let is_complete = write(&mut output)?;
    let (written, mut output) = output.end();
    written?;
    if !is_complete {
        let why = match interrupt::has_come() {
            true => "the run was interrupted",
            false => "the run ended before the end of the file",
        };
        return Err(io::Error::other(why));
    }
    output.seal(true)?;
    let now = fs::metadata(&path)?;
    check(&now)?;
    if Snapshot::of(&now) != snapshot {
        return Err(changed());
    }
    if let Some(kept) = &kept {
        // The system makes the link only if no file has the name of the backup.
        fs::hard_link(&path, kept).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists(kept),
            kind => io::Error::new(kind, format!("no backup: {}: {error}", name(kept))),
        })?;
    }
    output.place(Wanted::Bytes(snapshot)).inspect_err(|_| {
        // The old file still has its name, and does not need the name of the backup.
        if let Some(kept) = &kept {
            let _ = fs::remove_file(kept);
        }
    })?;
    output.finish();
    Ok(())
}

/// How often the clock of a file system moves, at least.
const TICK: Duration = Duration::from_millis(20);

/// Returns what tells whether a file has changed. If it was written just now, waits until its clock has moved, because a
/// later change would have the same time.
fn still(path: &Path) -> io::Result<Snapshot> {
    let mut metadata = fs::metadata(path)?;
    if metadata.modified().ok().and_then(|at| at.elapsed().ok()).is_some_and(|age| age < TICK) {
        thread::sleep(TICK);
        metadata = fs::metadata(path)?;
    }
    check(&metadata)?;
    Ok(Snapshot::of(&metadata))
}

/// Finds the file that a name leads to.
///
/// # Errors
/// The reason why the file cannot be replaced.
pub(crate) fn check_replaceable(file: &Path) -> io::Result<PathBuf> {
    if file.as_os_str() == "-" {
        return Err(io::Error::other("standard input has no name"));
    }
    if descriptor::of_name(file).is_some() {
        return Err(io::Error::other("an open file cannot be replaced; give the name of the file"));
    }
    let path = target(file)?;
    check(&fs::metadata(&path)?)?;
    // The name refuses a compression that cannot be written.
    encode::of_name(&path).map_err(io::Error::other)?;
    Ok(path)
}

/// Checks that a file can be replaced: it is regular and has one name.
fn check(metadata: &Metadata) -> io::Result<()> {
    if !metadata.is_file() {
        return Err(io::Error::other("this is not a regular file"));
    }
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(metadata) > 1 {
        return Err(io::Error::other(
            "it has several names (hard links), and the other names would keep the old file; \
             write to another file with -o",
        ));
    }
    Ok(())
}

fn exists(backup: &Path) -> io::Error {
    io::Error::other(format!("the backup {} exists", name(backup)))
}

/// Returns the name under which the old file stays.
pub(crate) fn backup_name(file: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(ending);
    PathBuf::from(name)
}
