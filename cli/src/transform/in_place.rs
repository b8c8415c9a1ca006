//! Writes a file anew, so that at every moment the old file or the new one is there, whole.

use std::fs;
use std::io;
use std::path::Path;

use crate::io::output::Output;

/// Calls `write` with a temporary file in the folder of a file, and puts it in the place of the file if
/// `write` returns `true`. The permissions stay. If the file is a symbolic link, its target is replaced.
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
    let temporary = tempfile::Builder::new().prefix(".iri-").tempfile_in(folder)?;
    let mut out = Output::new(temporary.reopen()?, &file)?;
    let complete = write(&mut out)?;
    let written = out.finish()?;
    if !complete {
        return Err(io::Error::other("it could not be read to its end"));
    }
    written.set_permissions(permissions)?;
    // The new bytes are on the disk before the name is theirs.
    written.sync_all()?;
    temporary.persist(&file).map_err(|error| error.error)?;
    Ok(())
}
