//! Reads items from files and standard input, in memory that does not grow with the input.
//!
//! An item ends at a newline or a NUL byte, and is bytes: nothing here knows what is in it. Only an
//! item longer than the buffer makes the buffer grow.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use memchr::{memchr_iter, memrchr};

use crate::args::InputArgs;
use crate::escape::Escaped;
use crate::report::{Place, complain};

// PERF: what is read at a time stays in a second-level cache until it is parsed.
const CHUNK: usize = 1 << 18;

/// The longest item that the library takes.
const LONGEST: usize = u32::MAX as usize;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Calls `each` with every item of the files in turn, and flushes `out` whenever it is going to
/// wait for input. Tells whether everything could be read; what could not is reported.
///
/// # Errors
/// Those of `each` and of `out`.
pub(crate) fn for_each<W: Write>(
    args: &InputArgs,
    out: &mut W,
    mut each: impl FnMut(&mut W, Place<'_>, &[u8]) -> io::Result<()>,
) -> io::Result<bool> {
    let stdin = [Path::new("-").to_path_buf()];
    let files = if args.files.is_empty() { &stdin } else { args.files.as_slice() };
    let mut complete = true;
    for file in files {
        let is_stdin = file.as_os_str() == "-";
        let name = if is_stdin { "<stdin>".into() } else { file.to_string_lossy() };
        let name = Escaped(name.as_bytes()).to_string();
        let opened: io::Result<Box<dyn Read>> = if is_stdin {
            // Its own buffer is smaller than what is read here, and so passed by.
            Ok(Box::new(io::stdin().lock()))
        } else {
            File::open(file).map(|file| Box::new(file) as _)
        };
        let source = match opened {
            Ok(source) => source,
            Err(error) => {
                out.flush()?;
                complain(format_args!("{name}: {error}"));
                complete = false;
                continue;
            }
        };
        let mut chunks = Chunks::new(source, args.separator(), CHUNK, LONGEST);
        let mut place = Place { name: &name, line: 0 };
        loop {
            match chunks.next() {
                Ok(Some(chunk)) => {
                    if chunk.after_mark {
                        complain(format_args!("{name}: skipped a byte-order mark"));
                    }
                    for_each_in(&chunk, |item| {
                        place.line += 1;
                        each(out, place, item)
                    })?;
                    out.flush()?;
                }
                Ok(None) => break,
                Err(error) => {
                    let line = place.line;
                    complain(format_args!("{name}: after item {line}: {error}"));
                    complete = false;
                    break;
                }
            }
        }
    }
    Ok(complete)
}

/// Some whole items.
struct Chunk<'a> {
    /// The items, each with its separator.
    items: &'a [u8],
    separator: u8,
    /// A byte-order mark stood before them.
    after_mark: bool,
}

/// Calls `each` with every item of the chunk, without its separator.
#[inline]
fn for_each_in(chunk: &Chunk<'_>, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut start = 0;
    for end in memchr_iter(chunk.separator, chunk.items) {
        let item = chunk.items.get(start..end).unwrap_or_default();
        let item = match item {
            [line @ .., b'\r'] if chunk.separator == b'\n' => line,
            item => item,
        };
        each(item)?;
        start = end + 1;
    }
    Ok(())
}

/// Cuts what a source gives into chunks at the last separator of each read.
struct Chunks<R> {
    source: R,
    separator: u8,
    /// No item may be longer, its carriage return not counted.
    longest: usize,
    buffer: Vec<u8>,
    /// How many bytes of the buffer hold input.
    filled: usize,
    /// How many of those were in the last chunk.
    taken: usize,
    /// Nothing was handed out yet, so that a byte-order mark may stand here.
    at_start: bool,
}

impl<R: Read> Chunks<R> {
    fn new(source: R, separator: u8, chunk: usize, longest: usize) -> Self {
        let buffer = vec![0; chunk];
        Self { source, separator, longest, buffer, filled: 0, taken: 0, at_start: true }
    }

    /// The next chunk, `None` after the last.
    ///
    /// # Errors
    /// Those of the source; an item that is too long, or too long for the memory there is.
    fn next(&mut self) -> io::Result<Option<Chunk<'_>>> {
        // An item that the end of the last read cut is carried over.
        self.buffer.copy_within(self.taken..self.filled, 0);
        self.filled -= self.taken;
        self.taken = 0;
        while self.taken == 0 {
            if self.filled == self.buffer.len() {
                self.grow()?;
            }
            let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
            match self.source.read(room) {
                Ok(0) => {
                    if self.filled == self.mark() {
                        return Ok(None);
                    }
                    // The last item has no separator: with one, it is like all others.
                    if let Some(free) = self.buffer.get_mut(self.filled) {
                        *free = self.separator;
                    }
                    self.filled += 1;
                    self.taken = self.filled;
                }
                Ok(count) => {
                    let last = memrchr(self.separator, room.get(..count).unwrap_or_default());
                    self.taken = last.map_or(0, |last| self.filled + last + 1);
                    self.filled += count;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let mark = self.mark();
        self.at_start = false;
        let items = self.buffer.get(mark..self.taken).unwrap_or_default();
        Ok(Some(Chunk { items, separator: self.separator, after_mark: mark > 0 }))
    }

    /// The length of a byte-order mark at the start of the source, if the buffer begins there.
    fn mark(&self) -> usize {
        let input = self.buffer.get(..self.filled).unwrap_or_default();
        if self.at_start && input.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
    }

    /// Makes room for an item that does not fit into the buffer.
    #[cold]
    fn grow(&mut self) -> io::Result<()> {
        // A byte-order mark, the item, a carriage return, a separator.
        let most = self.longest.saturating_add(BYTE_ORDER_MARK.len() + 2);
        let size = self.buffer.len().saturating_mul(2).min(most);
        if size <= self.buffer.len() {
            let longest = self.longest;
            return Err(io::Error::other(format!("an item of more than {longest} bytes")));
        }
        self.buffer.try_reserve_exact(size - self.buffer.len())?;
        self.buffer.resize(size, 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a byte or a few at a time, and an interruption between them.
    struct Trickle<'a>(&'a [u8], usize, bool);

    impl Read for Trickle<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            self.2 = !self.2;
            if self.2 {
                return Err(ErrorKind::Interrupted.into());
            }
            let count = self.1.min(room.len()).min(self.0.len());
            room[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn items(input: &[u8], separator: u8, chunk: usize, step: usize) -> (Vec<Vec<u8>>, bool) {
        let mut chunks = Chunks::new(Trickle(input, step, false), separator, chunk, 100);
        let (mut items, mut marked) = (Vec::new(), false);
        while let Some(chunk) = chunks.next().unwrap() {
            marked |= chunk.after_mark;
            for_each_in(&chunk, |item| {
                items.push(item.to_vec());
                Ok(())
            })
            .unwrap();
        }
        (items, marked)
    }

    #[test]
    fn items_do_not_depend_on_where_reads_end() {
        let input = b"\xEF\xBB\xBFone\r\n\r\n\ntwo\r\r\nthree and more\n\0\xEF\xBB\xBF\nlast\r";
        let lines: &[&[u8]] =
            &[b"one", b"", b"", b"two\r", b"three and more", b"\0\xEF\xBB\xBF", b"last"];
        for chunk in 1..40 {
            for step in 1..40 {
                assert_eq!(
                    items(input, b'\n', chunk, step),
                    (lines.iter().map(|l| l.to_vec()).collect(), true)
                );
            }
        }
    }

    #[test]
    fn an_item_ends_at_the_separator_alone() {
        let (found, _) = items(b"a\nb\r\0\0c", 0, 2, 1);
        assert_eq!(found, [&b"a\nb\r"[..], b"", b"c"]);
    }

    #[test]
    fn an_empty_input_has_no_item() {
        assert_eq!(items(b"", b'\n', 4, 4), (vec![], false));
        assert_eq!(items(b"\xEF\xBB\xBF", b'\n', 4, 4).0, Vec::<Vec<u8>>::new());
        assert_eq!(items(b"\xEF\xBB\xBF\n", b'\n', 4, 4), (vec![vec![]], true));
        assert_eq!(items(b"\xEF\xBB", b'\n', 4, 4), (vec![b"\xEF\xBB".to_vec()], false));
    }

    #[test]
    fn an_item_may_be_as_long_as_the_limit() {
        let mut input = vec![b'a'; 100];
        input.extend_from_slice(b"\r\nb");
        for chunk in 1..120 {
            let mut chunks = Chunks::new(input.as_slice(), b'\n', chunk, 100);
            assert!(chunks.next().unwrap().is_some());
            let mut chunks = Chunks::new(input.as_slice(), b'\n', chunk, 90);
            assert_eq!(chunks.next().is_err(), chunk < 102);
        }
    }
}
