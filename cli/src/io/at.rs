//! A file that several threads read at offsets of their own.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
#[cfg(unix)]
use std::os::unix::fs::FileExt;
#[cfg(windows)]
use std::os::windows::fs::FileExt;
use std::sync::Arc;

use crate::invariant::present;
use crate::output::progress;

/// A file from an offset on.
pub(crate) struct At {
    pub(crate) file: Arc<File>,
    pub(crate) offset: u64,
    /// Whether the bytes count for the progress.
    pub(crate) counts: bool,
}

impl At {
    /// Fills `room` from `filled` on, up to the end of the file. Returns how much of it is filled then.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn fill(&mut self, room: &mut [u8], mut filled: usize) -> io::Result<usize> {
        while filled < room.len() {
            match self.read(present(room.get_mut(filled..))) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

impl Read for At {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let count = self.file.read_at(room, self.offset)?;
        #[cfg(windows)]
        let count = self.file.seek_read(room, self.offset)?;
        self.offset += count as u64;
        if self.counts {
            progress::add(count as u64);
        }
        Ok(count)
    }
}
