//! Reads items from files, standard input and arguments. Memory does not grow with the input.
//!
//! An item ends at a newline or a NUL byte. `decode` converts other charsets to UTF-8 first. One thread
//! reads and finds the ends of the items; another processes the items. Only an item that is longer than a
//! buffer makes the buffer grow.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, channel, sync_channel};
use std::thread;

use encoding_rs::Encoding;
use memchr::{memchr_iter, memrchr};
use same_file::Handle;

use crate::args::input::InputArgs;
use crate::invariant::present;
use crate::io::decode::{self, Input, Sniff, Source};
use crate::output::escape::Escaped;
use crate::output::report::{self, Outcome, Place, print_message};

/// How many bytes are read at a time. They stay in the second-level cache until they are parsed.
const CHUNK: usize = 1 << 18;

/// The longest item that the library takes.
const LONGEST: usize = u32::MAX as usize;

/// How many batches there are: one is read, one waits, and one is processed.
const BATCHES: usize = 3;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Calls `each` with every item, as [`try_for_each`] does, but never stops early.
///
/// # Errors
/// The errors of `each`, or the output cannot be written.
pub(crate) fn for_each<W: Write>(
    args: &InputArgs,
    out: &mut W,
    mut each: impl FnMut(&mut W, Place<'_>, &[u8]) -> io::Result<()>,
) -> io::Result<bool> {
    try_for_each(args, out, |out, place, item| each(out, place, item).map(Continue))
}

/// Calls `each` with every item of the arguments, or of the files in turn, until `each` breaks. Flushes
/// `out` before it waits for input. Reports what it cannot read, and returns whether it could read
/// everything.
///
/// # Errors
/// The errors of `each`, or the output cannot be written.
pub(crate) fn try_for_each<W: Write>(
    args: &InputArgs,
    out: &mut W,
    mut each: impl FnMut(&mut W, Place<'_>, &[u8]) -> io::Result<ControlFlow<()>>,
) -> io::Result<bool> {
    if !args.items.is_empty() {
        let items = args.items.iter().map(|item| item_bytes(item, args.charset));
        let items = items.collect::<io::Result<Vec<_>>>()?;
        let mut place = Place { name: "<item>", line: 0, charset: args.charset };
        return each_item(&mut place, out, items.iter().map(|i| &**i), &mut each).map(|_| true);
    }
    let mut complete = true;
    for file in files(&args.files) {
        let (name, input) = open(file, args.charset, None, out)?;
        let Some(Input { source, charset, .. }) = input else {
            complete = false;
            continue;
        };
        let reader = Reader::new(source, args.separator(), LONGEST);
        let mut place = Place { name: &name, line: 0, charset };
        let read = read_ahead(reader, out, |out, batch| {
            if batch.after_mark {
                print_message(format_args!("{name}: skipped a byte-order mark"));
            }
            each_item(&mut place, out, batch.items(), &mut each)
        })?;
        match read {
            Ok(Continue(())) => {}
            Ok(Break(())) => break,
            Err(error) => {
                out.flush()?;
                match place.line {
                    0 => print_message(format_args!("{name}: {error}")),
                    line => print_message(format_args!("{name}: after item {line}: {error}")),
                }
                Outcome::Trouble.record();
                complete = false;
            }
        }
    }
    Ok(complete)
}

/// Returns the files to read: standard input if no file is named.
pub(crate) fn files(files: &[PathBuf]) -> impl Iterator<Item = &Path> {
    let stdin = files.is_empty().then_some(Path::new("-"));
    files.iter().map(PathBuf::as_path).chain(stdin)
}

/// Returns the bytes of an argument, in UTF-8 if a charset is given.
///
/// # Errors
/// Those of decoding: a byte-order mark of UTF-32.
pub(crate) fn item_bytes<'a>(
    item: &'a OsStr,
    charset: Option<&'static Encoding>,
) -> io::Result<Cow<'a, [u8]>> {
    let bytes = item.as_encoded_bytes();
    if charset.is_none() {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut decoded = Vec::new();
    let source = Box::new(io::Cursor::new(bytes.to_vec()));
    decode::input(source, charset, None)?.source.read_to_end(&mut decoded)?;
    Ok(Cow::Owned(decoded))
}

/// Opens a file, or standard input for `-`. Returns its name, safe to print, and its text in UTF-8. If it
/// cannot be read, reports this and returns `None`.
///
/// # Errors
/// The output cannot be written. It is flushed before the program waits for input.
pub(crate) fn open(
    file: &Path,
    charset: Option<&'static Encoding>,
    sniff: Option<Sniff>,
    out: &mut impl Write,
) -> io::Result<(String, Option<Input>)> {
    let is_stdin = file.as_os_str() == "-";
    let name = match is_stdin {
        true => "<stdin>".to_owned(),
        false => Escaped(file.to_string_lossy().as_bytes()).to_string(),
    };
    out.flush()?;
    report::flush();
    let source = if is_stdin { stdin() } else { regular(file) };
    match source.and_then(|source| decode::input(source, charset, sniff)) {
        Ok(input) => {
            if let (Some(charset), true) = (input.charset, input.is_surprise) {
                let charset = charset.name();
                print_message(format_args!(
                    "{name}: read as {charset} because of its byte-order mark"
                ));
            }
            Ok((name, Some(input)))
        }
        Err(error) => {
            let hint = match error.kind() {
                ErrorKind::NotFound => "; if it is an item and not a file, write -i before it",
                _ => "",
            };
            print_message(format_args!("{name}: {error}{hint}"));
            Outcome::Trouble.record();
            Ok((name, None))
        }
    }
}

/// Opens standard input.
fn stdin() -> io::Result<Source> {
    // If there is no handle, for example because standard input is closed, reading returns the error.
    if let Ok(handle) = Handle::stdin() {
        refuse(&handle)?;
    }
    // Its buffer is smaller than a read here, so the bytes do not pass through it.
    Ok(Box::new(io::stdin()))
}

/// Opens a file.
fn regular(file: &Path) -> io::Result<Source> {
    let handle = Handle::from_file(File::open(file)?)?;
    refuse(&handle)?;
    Ok(Box::new(OpenFile(handle)))
}

/// A file that is read by its handle.
struct OpenFile(Handle);

impl Read for OpenFile {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.0.as_file_mut().read(room)
    }
}

/// Refuses a directory, and a file that is also the output: it would grow while it is read, without end.
/// A terminal, a pipe or a device may be both input and output.
fn refuse(input: &Handle) -> io::Result<()> {
    let metadata = input.as_file().metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::other("this is a directory"));
    }
    let is_output = |output: io::Result<Handle>| output.is_ok_and(|output| output == *input);
    if metadata.is_file() && (is_output(Handle::stdout()) || is_output(Handle::stderr())) {
        return Err(io::Error::other("this file is both input and output"));
    }
    Ok(())
}

/// Calls `each` with some items, the first of which follows the item at `place`.
fn each_item<'a, W: Write>(
    place: &mut Place<'_>,
    out: &mut W,
    items: impl Iterator<Item = &'a [u8]>,
    each: &mut impl FnMut(&mut W, Place<'_>, &[u8]) -> io::Result<ControlFlow<()>>,
) -> io::Result<ControlFlow<()>> {
    for item in items {
        place.line += 1;
        if each(out, *place, item)?.is_break() {
            return Ok(Break(()));
        }
    }
    Ok(Continue(()))
}

/// Calls `take` with every batch until `take` breaks, while another thread reads the next batch. The
/// inner error is that of the reader.
fn read_ahead<W: Write, R: Read + Send + 'static>(
    mut reader: Reader<R>,
    out: &mut W,
    mut take: impl FnMut(&mut W, &Batch) -> io::Result<ControlFlow<()>>,
) -> io::Result<io::Result<ControlFlow<()>>> {
    let (filled, batches) = sync_channel(1);
    let (emptied, spare) = channel();
    for _ in 0..BATCHES {
        // This cannot fail: `spare` is still there.
        let _ = emptied.send(Batch::new(CHUNK, reader.separator));
    }
    // If `take` breaks, the thread is not joined, because it may wait for input that never comes.
    let reading = thread::spawn(move || reader.read_all(&spare, &filled));
    loop {
        let batch = match batches.try_recv() {
            Err(TryRecvError::Empty) => {
                out.flush()?;
                report::flush();
                batches.recv().ok()
            }
            batch => batch.ok(),
        };
        match batch {
            Some(Ok(batch)) => {
                if take(out, &batch)?.is_break() {
                    return Ok(Ok(Break(())));
                }
                // After the last batch, the reader has ended and this fails.
                let _ = emptied.send(batch);
            }
            Some(Err(error)) => return Ok(Err(error)),
            None => {
                let ended = reading.join().map_err(|_| io::Error::other("the reader failed"));
                return Ok(ended.map(Continue));
            }
        }
    }
}

/// Some whole items, and the end of each.
struct Batch {
    buffer: Vec<u8>,
    separator: u8,
    /// The first byte of the first item.
    start: usize,
    /// The positions of the separators.
    ends: Vec<usize>,
    /// Whether a byte-order mark was before them.
    after_mark: bool,
}

impl Batch {
    fn new(size: usize, separator: u8) -> Self {
        Self { buffer: vec![0; size], separator, start: 0, ends: Vec::new(), after_mark: false }
    }

    /// Returns the items, without their separators.
    fn items(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = self.start;
        self.ends.iter().map(move |&end| {
            let item = present(self.buffer.get(start..end));
            start = end + 1;
            match item {
                [line @ .., b'\r'] if self.separator == b'\n' => line,
                item => item,
            }
        })
    }
}

/// Splits a source into batches, at the last separator of each read.
struct Reader<R> {
    source: R,
    separator: u8,
    /// The most bytes of an item, without a carriage return.
    longest: usize,
    /// The beginning of the item that the end of the last batch cut.
    rest: Vec<u8>,
    /// Whether no batch was returned yet, so that a byte-order mark may follow.
    at_start: bool,
}

impl<R: Read> Reader<R> {
    fn new(source: R, separator: u8, longest: usize) -> Self {
        Self { source, separator, longest, rest: Vec::new(), at_start: true }
    }

    /// Fills spare batches until the input ends, or the other thread takes no more.
    fn read_all(&mut self, spare: &Receiver<Batch>, filled: &SyncSender<io::Result<Batch>>) {
        while let Ok(batch) = spare.recv() {
            let Some(batch) = self.fill(batch).transpose() else { return };
            let last = batch.is_err();
            if filled.send(batch).is_err() || last {
                return;
            }
        }
    }

    /// Returns the next items; `None` after the last.
    ///
    /// # Errors
    /// The source cannot be read, or an item is too long for the library or for memory.
    fn fill(&mut self, mut batch: Batch) -> io::Result<Option<Batch>> {
        let buffer = &mut batch.buffer;
        let mut filled = self.rest.len();
        let mut taken = 0;
        while buffer.len() < filled {
            self.grow(buffer)?;
        }
        if let Some(front) = buffer.get_mut(..filled) {
            front.copy_from_slice(&self.rest);
        }
        while taken == 0 {
            if filled == buffer.len() {
                self.grow(buffer)?;
            }
            let room = present(buffer.get_mut(filled..));
            match self.source.read(room) {
                Ok(0) => {
                    if filled == self.mark(buffer, filled) {
                        return Ok(None);
                    }
                    // The last item has no separator. With one, it is like all others.
                    if let Some(free) = buffer.get_mut(filled) {
                        *free = self.separator;
                    }
                    filled += 1;
                    taken = filled;
                }
                Ok(count) => {
                    let last = memrchr(self.separator, present(room.get(..count)));
                    taken = last.map_or(0, |last| filled + last + 1);
                    filled += count;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.rest.clear();
        self.rest.extend_from_slice(present(buffer.get(taken..filled)));
        batch.start = self.mark(buffer, filled);
        batch.after_mark = batch.start > 0;
        self.at_start = false;
        let items = present(buffer.get(..taken));
        batch.ends.clear();
        batch.ends.extend(memchr_iter(self.separator, items));
        Ok(Some(batch))
    }

    /// Returns the length of the byte-order mark if the buffer begins with one at the start of the
    /// source.
    fn mark(&self, buffer: &[u8], filled: usize) -> usize {
        let input = present(buffer.get(..filled));
        if self.at_start && input.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
    }

    /// Makes room for an item that does not fit into the buffer.
    #[cold]
    fn grow(&self, buffer: &mut Vec<u8>) -> io::Result<()> {
        // A byte-order mark, the item, a carriage return, a separator.
        let most = self.longest.saturating_add(BYTE_ORDER_MARK.len() + 2);
        // A large buffer grows by an eighth, because the unused part is memory too.
        let more = if buffer.len() < 1 << 20 { buffer.len() } else { buffer.len() / 8 };
        let size = buffer.len().saturating_add(more).min(most);
        if size <= buffer.len() {
            let longest = self.longest;
            return Err(io::Error::other(format!("an item of more than {longest} bytes")));
        }
        buffer.try_reserve_exact(size - buffer.len())?;
        buffer.resize(size, 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that returns a few bytes at a time, with an interruption before each.
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
        let mut reader = Reader::new(Trickle(input, step, false), separator, 100);
        let (mut items, mut marked) = (Vec::new(), false);
        while let Some(batch) = reader.fill(Batch::new(chunk, separator)).unwrap() {
            marked |= batch.after_mark;
            items.extend(batch.items().map(<[u8]>::to_vec));
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
            let fill = |longest| {
                Reader::new(input.as_slice(), b'\n', longest).fill(Batch::new(chunk, b'\n'))
            };
            assert!(fill(100).unwrap().is_some());
            assert_eq!(fill(90).is_err(), chunk < 102);
        }
    }
}
