//! Finds the files below folders. Not here: how they are read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Returns the files below each folder of a list, and the files of the list, in order. Files of a folder
/// are in the order of their names. Symbolic links to folders are not followed.
///
/// # Errors
/// A folder cannot be read.
pub(crate) fn files(roots: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut pending: Vec<PathBuf> = roots.iter().rev().cloned().collect();
    while let Some(path) = pending.pop() {
        let is_root = roots.contains(&path);
        let is_folder = if is_root { path.is_dir() } else { is_folder(&path)? };
        if !is_folder {
            files.push(path);
            continue;
        }
        let entries = fs::read_dir(&path).map_err(|error| named(&path, &error))?;
        let mut names =
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
        names.sort_unstable_by(|a, b| b.cmp(a));
        pending.append(&mut names);
    }
    Ok(files)
}

fn is_folder(path: &Path) -> io::Result<bool> {
    fs::symlink_metadata(path).map(|data| data.is_dir()).map_err(|error| named(path, &error))
}

/// Returns an error with the name of its file.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", super::input::name(path)))
}
