//! Temporary files of entries: a few numbers and a few texts each.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};

use crate::io::temporary::{file, trouble};

/// How many bytes are written or read at a time.
const BUFFER: usize = 1 << 14;

/// A file of entries that is written, and then read once.
pub(crate) struct Spool {
    file: BufWriter<File>,
}

impl Spool {
    /// Makes an empty file.
    ///
    /// # Errors
    /// The file cannot be made.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { file: BufWriter::with_capacity(BUFFER, file()?) })
    }

    /// Appends an entry.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn push<const N: usize, const T: usize>(
        &mut self,
        numbers: [u64; N],
        texts: [&[u8]; T],
    ) -> io::Result<()> {
        push(&mut self.file, numbers, texts).map_err(trouble)
    }

    /// Returns the file, to be read from its start.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn into_reader(self) -> io::Result<BufReader<File>> {
        let mut file = self.file.into_inner().map_err(|error| trouble(error.into_error()))?;
        file.seek(SeekFrom::Start(0))?;
        Ok(BufReader::with_capacity(BUFFER, file))
    }
}

/// Writes an entry: its numbers, the lengths of its texts, and its texts.
///
/// # Errors
/// The errors of `out`.
// For example, the number 7 and the texts `a` and `bc` are 27 bytes: three times eight bytes with 7, 1 and 2, and then
// `abc`. The reader knows how many numbers and texts an entry has: these counts are not in the file.
pub(crate) fn push<const N: usize, const T: usize>(
    out: &mut impl Write,
    numbers: [u64; N],
    texts: [&[u8]; T],
) -> io::Result<()> {
    for number in numbers.into_iter().chain(texts.iter().map(|text| text.len() as u64)) {
        out.write_all(&number.to_le_bytes())?;
    }
    texts.iter().try_for_each(|text| out.write_all(text))
}

/// Reads an entry, and puts its texts into `texts`. Returns `None` at the end of the file.
///
/// # Errors
/// The file cannot be read, or ends within an entry.
pub(crate) fn read<const N: usize, const T: usize>(
    from: &mut impl Read,
    texts: &mut [Vec<u8>; T],
) -> io::Result<Option<[u64; N]>> {
    let mut numbers = [0; N];
    for (place, number) in numbers.iter_mut().enumerate() {
        match read_number(from) {
            Ok(read) => *number = read,
            // The file may end before the first number of an entry, and nowhere else. An end inside the first number
            // counts as the end too: only this program writes the file.
            Err(error) if place == 0 && error.kind() == ErrorKind::UnexpectedEof => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        }
    }
    let mut lengths = [0; T];
    for length in &mut lengths {
        *length = usize::try_from(read_number(from)?).map_err(io::Error::other)?;
    }
    for (text, length) in texts.iter_mut().zip(lengths) {
        text.resize(length, 0);
        from.read_exact(text)?;
    }
    Ok(Some(numbers))
}

fn read_number(from: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let mut spool = Spool::new().unwrap();
        spool.push([1, u64::MAX], [b"a".as_slice(), b""]).unwrap();
        let long = vec![7; 3 * BUFFER];
        spool.push([2, 0], [b"".as_slice(), &long]).unwrap();
        let mut reader = spool.into_reader().unwrap();
        let mut texts = [Vec::new(), Vec::new()];
        assert_eq!(read(&mut reader, &mut texts).unwrap(), Some([1, u64::MAX]));
        assert_eq!(texts, [b"a".to_vec(), Vec::new()]);
        assert_eq!(read(&mut reader, &mut texts).unwrap(), Some([2, 0]));
        assert_eq!(texts, [Vec::new(), long]);
        assert_eq!(read::<2, 2>(&mut reader, &mut texts).unwrap(), None);
    }

    #[test]
    fn an_entry_that_is_cut_is_an_error() {
        let mut bytes = Vec::new();
        push(&mut bytes, [1], [b"abc"]).unwrap();
        for length in 8..bytes.len() {
            let cut = bytes.get(..length).unwrap();
            assert!(read::<1, 1>(&mut &*cut, &mut [Vec::new()]).is_err(), "{length}");
        }
    }
}
