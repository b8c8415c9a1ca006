//! Temporary files. They have no name, so that no file stays behind, even if the program is killed.

use std::fs::File;
use std::io::{Error, Result};

/// Returns a new temporary file.
///
/// # Errors
/// The file cannot be made.
pub(crate) fn file() -> Result<File> {
    tempfile::tempfile().map_err(trouble)
}

/// Adds to an error that a temporary file is its cause, and the folder of the file.
pub(crate) fn trouble(error: Error) -> Error {
    let folder = std::env::temp_dir();
    Error::new(error.kind(), format!("a temporary file in {}: {error}", folder.display()))
}
