//! Reads the beginning of a source, to recognise it. Not here: the formats that it may have.

use std::io::{self, ErrorKind, Read};

use crate::invariant::present;

/// The length of the longest beginning.
const LONGEST: usize = 8;

/// Reads while the bytes are a proper prefix of a beginning in a list. It does not read again after that, because at a
/// terminal more bytes may never come. No beginning is longer than [`LONGEST`] bytes.
///
/// # Errors
/// The source cannot be read.
pub(crate) fn read<'b>(
    source: &mut impl Read,
    beginnings: impl Iterator<Item = &'b [u8]> + Clone,
) -> io::Result<Vec<u8>> {
    let longest = beginnings.clone().map(<[u8]>::len).max().unwrap_or(0).min(LONGEST);
    let mut head = Vec::new();
    while beginnings.clone().any(|found| found.len() > head.len() && found.starts_with(&head)) {
        let mut room = [0; LONGEST];
        let room = present(room.get_mut(head.len()..longest));
        match source.read(room) {
            Ok(0) => break,
            Ok(count) => head.extend_from_slice(present(room.get(..count))),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(head)
}
