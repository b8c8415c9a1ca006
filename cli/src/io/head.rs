//! Reads the beginning of a source, to recognise it. Not here: the formats that it may have.

use std::io::{self, ErrorKind, Read};

use crate::invariant::present;

/// The length of the longest beginning.
const LONGEST: usize = 10;

/// The beginning of a source.
pub(crate) struct Head {
    pub(crate) bytes: Vec<u8>,
    /// Whether the source ends after it. It may also end if this is not set.
    pub(crate) is_all: bool,
}

/// Reads while `is_part` says that the bytes are a proper part of a beginning, and at least once. It does not read again
/// after that, because at a terminal more bytes may never come. No beginning is longer than [`LONGEST`] bytes.
///
/// # Errors
/// The source cannot be read.
pub(crate) fn read(source: &mut impl Read, is_part: impl Fn(&[u8]) -> bool) -> io::Result<Head> {
    let mut bytes = Vec::new();
    while bytes.is_empty() || is_part(&bytes) {
        let mut room = [0; LONGEST];
        let room = present(room.get_mut(bytes.len()..));
        match source.read(room) {
            Ok(0) => return Ok(Head { bytes, is_all: true }),
            Ok(count) => bytes.extend_from_slice(present(room.get(..count))),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Head { bytes, is_all: false })
}
