//! Reads items from files, standard input and arguments, in memory that does not grow with the input.
//!
//! An item is a run of bytes that ends at a newline or a NUL byte. `decode` converts other charsets to
//! UTF-8 before. One thread reads and finds the ends of the items, another thread processes the items.
//! Only an item that is longer than a buffer makes the buffer grow.

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
use crate::output::report::{self, Outcome, Place, complain};

/// What is read at a time stays in a second-level cache until it is parsed.
const CHUNK: usize = 1 << 18;

/// The longest item that the library takes.
const LONGEST: usize = u32::MAX as usize;

/// One batch is read while one is waiting and one is taken.
const BATCHES: usize = 3;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Calls `each` with every item; the rest as [`try_for_each`].
///
/// # Errors
/// Those of `each` and of `out`.
pub(crate) fn for_each<W: Write>(
    args: &InputArgs,
    out: &mut W,
    mut each: impl FnMut(&mut W, Place<'_>, &[u8]) -> io::Result<()>,
) -> io::Result<bool> {
    try_for_each(args, out, |out, place, item| each(out, place, item).map(Continue))
}

/// Calls `each` with every item of the arguments, or of the files in turn, until it breaks off, and
/// flushes `out` whenever it is going to wait for input. Tells whether everything could be read;
/// what could not is reported.
///
/// # Errors
/// Those of `each` and of `out`.
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
                complain(format_args!("{name}: skipped a byte-order mark"));
            }
            each_item(&mut place, out, batch.items(), &mut each)
        })?;
        match read {
            Ok(Continue(())) => {}
            Ok(Break(())) => break,
            Err(error) => {
                out.flush()?;
                match place.line {
                    0 => complain(format_args!("{name}: {error}")),
                    line => complain(format_args!("{name}: after item {line}: {error}")),
                }
                Outcome::Trouble.note();
                complete = false;
            }
        }
    }
    Ok(complete)
}

/// The files to read: standard input if there is none.
pub(crate) fn files(files: &[PathBuf]) -> impl Iterator<Item = &Path> {
    let stdin = files.is_empty().then_some(Path::new("-"));
    files.iter().map(PathBuf::as_path).chain(stdin)
}

/// The bytes of an argument, decoded if it is in a charset.
///
/// # Errors
/// None: nothing is read.
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

/// Opens a file, or standard input for `-`: its name, fit to be shown, and its text as UTF-8. If it
/// cannot be read, that is reported.
///
/// # Errors
/// Those of `out`, which is flushed before anybody waits for input.
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
                complain(format_args!("{name}: read as {charset}, as its byte-order mark says"));
            }
            Ok((name, Some(input)))
        }
        Err(error) => {
            let hint = match error.kind() {
                ErrorKind::NotFound => {
                    "; if this is an item itself and no file, write -i before it"
                }
                _ => "",
            };
            complain(format_args!("{name}: {error}{hint}"));
            Outcome::Trouble.note();
            Ok((name, None))
        }
    }
}

/// Standard input.
fn stdin() -> io::Result<Source> {
    // Where there is no handle, such as a closed one, reading says why.
    if let Ok(handle) = Handle::stdin() {
        refuse(&handle)?;
    }
    // Its own buffer is smaller than what is read here, and so passed by.
    Ok(Box::new(io::stdin()))
}

/// A file by its name.
fn regular(file: &Path) -> io::Result<Source> {
    let handle = Handle::from_file(File::open(file)?)?;
    refuse(&handle)?;
    Ok(Box::new(OpenFile(handle)))
}

/// A file that is read through its handle.
struct OpenFile(Handle);

impl Read for OpenFile {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.0.as_file_mut().read(room)
    }
}

/// Refuses what cannot be read: a directory, and a file that is written at the same time, which would
/// grow for ever as its end is read. A terminal, a pipe or a device may be both.
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

/// Calls `each` with some items that follow the one at `place`.
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

/// Calls `take` with every batch until it breaks off, while the next one is read. The inner error
/// is the reader's.
fn read_ahead<W: Write, R: Read + Send + 'static>(
    mut reader: Reader<R>,
    out: &mut W,
    mut take: impl FnMut(&mut W, &Batch) -> io::Result<ControlFlow<()>>,
) -> io::Result<io::Result<ControlFlow<()>>> {
    let (filled, batches) = sync_channel(1);
    let (emptied, spare) = channel();
    for _ in 0..BATCHES {
        // The other end is below.
        let _ = emptied.send(Batch::new(CHUNK, reader.separator));
    }
    // When nothing more is taken, it may be waiting for input that never comes, and is left to it.
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
                // After the last batch nobody wants it back.
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

/// Some whole items, and where each ends.
struct Batch {
    buffer: Vec<u8>,
    separator: u8,
    /// Where the first item begins.
    start: usize,
    /// Where the separators stand.
    ends: Vec<usize>,
    /// A byte-order mark stood before them.
    after_mark: bool,
}

impl Batch {
    fn new(size: usize, separator: u8) -> Self {
        Self { buffer: vec![0; size], separator, start: 0, ends: Vec::new(), after_mark: false }
    }

    /// The items, without their separators.
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

/// Cuts what a source gives into batches at the last separator of each read.
struct Reader<R> {
    source: R,
    separator: u8,
    /// No item may be longer, its carriage return not counted.
    longest: usize,
    /// The start of an item that the end of the last batch cut.
    rest: Vec<u8>,
    /// Nothing was handed out yet, so that a byte-order mark may stand here.
    at_start: bool,
}

impl<R: Read> Reader<R> {
    fn new(source: R, separator: u8, longest: usize) -> Self {
        Self { source, separator, longest, rest: Vec::new(), at_start: true }
    }

    /// Fills spare batches until there is no more input, or nobody takes them.
    fn read_all(&mut self, spare: &Receiver<Batch>, filled: &SyncSender<io::Result<Batch>>) {
        while let Ok(batch) = spare.recv() {
            let Some(batch) = self.fill(batch).transpose() else { return };
            let last = batch.is_err();
            if filled.send(batch).is_err() || last {
                return;
            }
        }
    }

    /// The next items, `None` after the last.
    ///
    /// # Errors
    /// Those of the source; an item that is too long, or too long for the memory there is.
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
                    // The last item has no separator: with one, it is like all others.
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

    /// The length of a byte-order mark at the start of the source, if the buffer begins there.
    fn mark(&self, buffer: &[u8], filled: usize) -> usize {
        let input = present(buffer.get(..filled));
        if self.at_start && input.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
    }

    /// Makes room for an item that does not fit into the buffer.
    #[cold]
    fn grow(&self, buffer: &mut Vec<u8>) -> io::Result<()> {
        // A byte-order mark, the item, a carriage return, a separator.
        let most = self.longest.saturating_add(BYTE_ORDER_MARK.len() + 2);
        // What a long item does not fill is little: it counts as memory of the item.
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
