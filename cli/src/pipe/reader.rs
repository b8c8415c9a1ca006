//! Reads files in turn, in blocks of whole records.
//!
//! Only a record that is longer than a block makes the buffer grow, up to the longest record that is allowed. A longer
//! record is skipped and reported. Not here: where records end, which is in `format/cut.rs`.

/*
# The algorithm

A block is a part of a file that ends at the end of a record. `Current::fill` makes the next block:

    buffer = the rest of the block before
    until the buffer has the end of a record, or the file ends:
        if the buffer is full, make it larger; if that is not allowed, skip the record
        otherwise read, and search the new bytes for ends of records
    block = the bytes up to the last end
    rest  = the bytes after it

For example, a file of lines whose reads bring `a\nbc`, `d\ne` and nothing:

    buffer       last end   block     rest
    a\nbc        2          a\n       bc
    bcd\ne       4          bcd\n     e
    e            none       e         nothing: the file has ended

A record that is too long. The buffer holds its first bytes. `skip` reads to the end of the record and drops the bytes,
or puts them into a temporary file if they are wanted (`Long`). The read that brings this end may bring more records:
they become the rest, and `whole` is the position of the last end in the rest. The block has no bytes, and its field
`long` stands for the record.

The end of a file, if its last record has no end:

    lines and the like    the bytes are the last record; it gets a separator if another file may follow
    CSV, in quotes        the bytes from the last end on are one record that is not worked on (`skip`)
    a web archive         the bytes are the last block; after it comes the error that the archive is cut off
    running text          the bytes are in the last block, which running text always has, even if it is empty

Running text has parts that end at white space. A word that does not fit into the largest buffer is cut between two
characters, and its second part begins the next block.

# Invariants

- `cut` sees each byte of a file once, in order. It keeps its state, such as an open quote, from read to read. So the
  rest is never searched again: `cut` has seen it.
- The rest begins at `offset` and in `line`.
- `failure` is returned only after all blocks that come before it.
*/

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::vec;

use memchr::memrchr;

use crate::args::input::InputArgs;
use crate::args::records::{From, RecordArgs};
use crate::format::columnar;
use crate::format::csv::{LONE_RETURN, Row};
use crate::format::cut::{self, Cut};
use crate::format::{Layout, convert, guess};
use crate::invariant::present;
use crate::io::decode::{BYTE_ORDER_MARK, Source};
use crate::io::input::{self, Opened};
use crate::io::{interrupt, sniff, walk};
use crate::output::report::{self, Verbosity};
use crate::output::secrets::quote;
use crate::pipe::block::{Block, File, Step, Work, characters, separators};
use crate::pipe::claims::{Claim, Claims, Plain, Rest};
use crate::pipe::lines::Line;
use crate::pipe::long::Long;
use crate::pipe::options::Options;
use crate::pipe::skip::Skip;
use crate::spans::csv::Known;

/// How many bytes are read at a time. They stay in the second-level cache until they are processed.
const CHUNK: usize = 1 << 18;

/// Reads the whole input, or files of it, a step at a time.
pub(crate) struct Reader {
    /// How many threads decompress a file.
    threads: usize,
    input: Arc<InputArgs>,
    items: vec::IntoIter<OsString>,
    files: vec::IntoIter<PathBuf>,
    /// Whether other readers have files that come after the files of this reader.
    is_followed: bool,
    current: Option<Current>,
    /// Steps that come before the next block.
    pending: VecDeque<Step>,
    number: u64,
    /// The number of arguments that were read as items so far.
    items_read: u64,
    /// The facts about the first file that apply to all files.
    first: Arc<First>,
}

/// The facts about the first file that apply to all files. Until its first block is read, no other file is open.
#[derive(Default)]
struct First {
    /// Whether a block was read.
    is_over: AtomicBool,
    /// Its header.
    header: OnceLock<Vec<u8>>,
    /// The names of its fields, if they are wanted.
    names: OnceLock<Vec<String>>,
    options: Options,
}

impl First {
    /// Tells whether a block was read.
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Notes that a block was read. Returns whether it is the first.
    fn end(&self) -> bool {
        !self.is_over.swap(true, Ordering::AcqRel)
    }

    /// Returns the names of the fields of a file, after it has compared them with the name of the new field.
    ///
    /// # Errors
    /// A field has the name of the new field already, or two fields have one name.
    fn checked(&self, layout: &Layout, names: Vec<String>) -> Result<Vec<String>, String> {
        if self.options.distinct {
            convert::distinct(&names)?;
        }
        convert::output_names(layout, &names, self.options.add.as_deref()).map(|_| names)
    }
}

impl Reader {
    /// Returns the reader of an input for this many workers.
    pub(crate) fn new(input: &InputArgs, options: &Options, jobs: usize) -> Self {
        let mut pending = VecDeque::new();
        let files = input::all_files(input).unwrap_or_else(|error| {
            pending.push_back(Step::Trouble(error.to_string()));
            Vec::new()
        });
        Self {
            threads: jobs / files.len().max(1),
            input: Arc::new(input.clone()),
            items: input.items.clone().into_iter(),
            files: files.into_iter(),
            is_followed: false,
            current: None,
            pending,
            number: 0,
            items_read: 0,
            first: Arc::new(First { options: options.clone(), ..First::default() }),
        }
    }

    /// Takes the next file, and returns a reader of this file. Returns `None` if no file is left.
    pub(crate) fn split(&mut self) -> Option<Self> {
        let file = self.files.next()?;
        Some(Self {
            threads: self.threads,
            input: Arc::clone(&self.input),
            items: Vec::new().into_iter(),
            files: vec![file].into_iter(),
            is_followed: self.files.len() > 0,
            current: None,
            pending: std::mem::take(&mut self.pending),
            number: 0,
            items_read: 0,
            first: Arc::clone(&self.first),
        })
    }

    /// Returns the number of files that are not open yet.
    pub(crate) fn files(&self) -> usize {
        self.files.len()
    }

    /// Tells whether a block of any file was read.
    pub(crate) fn has_begun(&self) -> bool {
        self.first.is_over()
    }

    /// Tells whether the bytes of the open file cost more than a read: they are decompressed or decoded.
    pub(crate) fn is_slow(&self) -> bool {
        self.current.as_ref().is_some_and(|current| current.is_slow)
    }

    /// Returns the number of bytes of all files; `None` if it is not known.
    pub(crate) fn length(&self) -> Option<u64> {
        let lengths = self.files.as_slice().iter().map(|file| {
            let data = std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file)?;
            Some(data.len())
        });
        lengths.sum()
    }

    /// Returns the next step; `None` at the end of the input. The block has the memory of `buffer`, unless it needs another
    /// size.
    pub(crate) fn next(&mut self, buffer: Vec<u8>) -> Option<Work> {
        let (number, step) = match self.claim() {
            Some((number, claim)) => (number, claim.read(buffer)),
            None => {
                let step = self.step(buffer)?;
                (self.take_number(), step)
            }
        };
        Some(Work { lane: 0, number, step })
    }

    /// Returns the next part of the open file and the number of its step, if workers read this file in parts. This reads
    /// nothing.
    pub(crate) fn claim(&mut self) -> Option<(u64, Claim)> {
        let is_followed = self.is_followed();
        let current = self.current.as_mut().filter(|_| self.pending.is_empty())?;
        let claim = current.claim(&self.first, is_followed)?;
        Some((self.take_number(), claim))
    }

    fn take_number(&mut self) -> u64 {
        self.number += 1;
        self.number - 1
    }

    /// Tells whether the records of another file may follow those of the open file.
    fn is_followed(&self) -> bool {
        // Without an order, any record may follow.
        self.input.records.unordered || self.files.len() > 0 || self.is_followed
    }

    /// Returns the number of steps so far.
    pub(crate) fn count(&self) -> u64 {
        self.number
    }

    // A step is, in this order: a message that waits, the next block of the open file, an argument that is an item, or
    // what comes first when the next file is opened. The loop goes on where there is no step: at the end of a file, and
    // after a file was opened. For example, the file a has one block, the file b does not exist, and the file c is
    // empty:
    //
    //     steps   block of a; trouble: b cannot be read; the end of the input
    //
    // An error of a file ends this file only. The next file is read after it.
    fn step(&mut self, mut buffer: Vec<u8>) -> Option<Step> {
        loop {
            if let Some(step) = self.pending.pop_front() {
                return Some(step);
            }
            let is_followed = self.is_followed();
            if let Some(current) = &mut self.current {
                let filled = current.fill(buffer, &self.first, is_followed);
                if interrupt::has_come() {
                    // A source also ends when a signal comes. So this may not be the end of the file.
                    return None;
                }
                match filled {
                    Ok(Some(block)) => return Some(Step::Block(block)),
                    Ok(None) => {
                        self.current = None;
                        buffer = Vec::new();
                        continue;
                    }
                    Err(error) => {
                        // `current.line` is the line of the next record. The line before it is the last line that was
                        // read.
                        let line = current.line.saturating_sub(1);
                        let after = match line {
                            0 => String::new(),
                            line => format!("after line {line}: "),
                        };
                        let message = format!("{}: {after}{error}", current.file.name);
                        self.current = None;
                        return Some(Step::Trouble(message));
                    }
                }
            }
            if let Some(item) = self.items.next() {
                return Some(self.item(&item));
            }
            let file = self.files.next()?;
            match self.open(&file) {
                Ok((current, notes)) => {
                    self.current = Some(current);
                    self.pending.extend(notes);
                }
                Err(message) => return Some(Step::Trouble(message)),
            }
        }
    }

    /// Returns the block of an argument that is an item. An item of CSV does not have a header.
    fn item(&mut self, item: &OsString) -> Step {
        self.items_read += 1;
        let (charset, separator) = (self.input.charset, self.input.separator());
        let from = self.input.records.from.unwrap_or(From::Lines);
        let args = RecordArgs { no_header: true, ..self.input.records.clone() };
        let layout = match from {
            From::Lines => Ok(Layout::Item),
            from => Layout::new(from, &args, separator),
        };
        let bytes = input::item_bytes(item, charset).map_err(|error| error.to_string());
        let (layout, bytes) = match (layout, bytes) {
            (Ok(layout), Ok(bytes)) => (layout, bytes),
            (Err(message), _) | (_, Err(message)) => return Step::Trouble(message),
        };
        let mut buffer = bytes.into_owned();
        let names = match self.first.options.names {
            true => convert::names(&layout, &buffer)
                .and_then(|names| self.first.checked(&layout, names)),
            false => Ok(Vec::new()),
        };
        let names = match names {
            Ok(names) => names,
            Err(message) => return Step::Trouble(format!("<item>: {message}")),
        };
        let file = File::new("<item>".to_owned(), charset, layout, separator, names);
        buffer.push(separator);
        let is_first = self.first.end();
        Step::Block(Block::whole(Arc::new(file), buffer, Line::Known(self.items_read), is_first))
    }

    /// Opens a file. Also returns the messages that come before its first block.
    ///
    /// # Errors
    /// A message: why the file cannot be read.
    fn open(&self, path: &Path) -> Result<(Current, Vec<Step>), String> {
        let mut from = self.input.format(path);
        if let (true, From::Xml, Some(other)) =
            (self.input.recursive, from, self.input.records.from)
        {
            // In folders, the ending of an XML file says its format only if the document is a sitemap.
            from = if walk::is_sitemap(path, &self.input) { from } else { other };
        }
        let name = input::name(path);
        let (layout, format) = match &self.first.options.layout {
            Some(layout) => (layout.clone(), "text".to_owned()),
            None => {
                let layout = Layout::new(from, &self.input.records, self.input.separator());
                (layout.map_err(|message| format!("{name}: {message}"))?, from.name())
            }
        };
        if let Layout::Columns(place) = &layout {
            return self.open_columns(path, name, place);
        }
        if self.first.options.additions && !layout.has_additions() {
            return Err(format!(
                "{name}: {format} has no place for a field; use --to csv or --to jsonl"
            ));
        }
        let refused = self.first.options.add.as_deref().and_then(|name| layout.refuses_name(name));
        refused.map_or(Ok(()), |why| Err(format!("{name}: {why}")))?;
        let (input, threads) = (&self.input, self.threads);
        let opened = input::open(path, input.decompress, input.charset, None, threads)?;
        let mut notes: Vec<Step> = opened.surprise().map(Step::Note).into_iter().collect();
        let Opened { mut input, codec, plain, .. } = opened;
        let refused = match input.charset {
            Some(charset) if self.first.options.replaces => Some(format!(
                "it is in {}, and its other bytes would change; write UTF-8 to another file with -o",
                charset.name()
            )),
            Some(_) if matches!(layout, Layout::Warc(_) | Layout::Pages(_)) => {
                Some("an archive has records in several charsets; leave out --charset".to_owned())
            }
            _ => None,
        };
        refused.map_or(Ok(()), |why| Err(format!("{name}: {why}")))?;
        if from == From::Xml {
            let head;
            let beginning = sniff::beginning(input.source, sniff::XML_LENGTH);
            (head, input.source) = beginning.map_err(|error| format!("{name}: {error}"))?;
            not_sitemap(&head).map_or(Ok(()), |why| Err(format!("{name}: {why}")))?;
        }
        if report::says(Verbosity::Verbose) {
            let codec = codec.map(|codec| format!(", {}", codec.name())).unwrap_or_default();
            let note = format!("{name}: read as {format}{codec}");
            notes.push(Step::Note(note));
        }
        let cut = layout.cut();
        let (charset, separator) = (input.charset, self.input.separator());
        let file = File::new(name, charset, layout, separator, Vec::new());
        let is_unknown =
            self.input.records.from.is_none() && matches!(file.layout, Layout::Lines(b'\n'));
        let mut current = Current::new(file, input.source, cut, self.input.records.max_record);
        current.beginning = is_unknown.then(Vec::new);
        // The bytes from an open quote on are copied to the output, even if other records that fail are left out.
        let may_have_quotes = self.first.options.copies && matches!(current.cut, Cut::Csv(_));
        current.wants_long = self.first.options.wants_long || may_have_quotes;
        current.is_slow = codec.is_some() || charset.is_some();
        let plain = plain.filter(|_| matches!(current.cut, Cut::Byte(_)));
        current.plain = plain.and_then(|file| Some((file.metadata().ok()?.len(), file)));
        Ok((current, notes))
    }

    /// Opens a file of columns.
    ///
    /// # Errors
    /// A message: why the file cannot be read, or why the command cannot use its rows.
    fn open_columns(
        &self,
        path: &Path,
        name: String,
        place: &columnar::Place,
    ) -> Result<(Current, Vec<Step>), String> {
        let refuse = |why: &str| Err(format!("{name}: {why}"));
        if self.first.options.copies {
            return refuse(
                "rows of columns are not written as text; --to parquet and --to arrow keep all columns, \
                 and --to lines writes the addresses",
            );
        }
        if self.input.charset.is_some() {
            return refuse("texts in columns are UTF-8; leave out --charset");
        }
        let columns = place.open(path, self.first.options.names);
        let columns = columns.map_err(|message| format!("{name}: {message}"))?;
        if let Some(add) =
            self.first.options.add.as_ref().filter(|add| columns.names().contains(add))
        {
            return refuse(&crate::format::exists(add));
        }
        let (charset, layout, separator) = (None, Layout::Columns(place.clone()), b'\n');
        let file = File::new(name, charset, layout, separator, columns.names());
        let mut current = Current::new(file, Box::new(io::empty()), Cut::Whole, usize::MAX);
        current.columns = Some(columns);
        Ok((current, Vec::new()))
    }
}

/// Returns the length of the byte-order mark with which some bytes begin.
fn mark(bytes: &[u8]) -> usize {
    if bytes.starts_with(&BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// Returns the reason why an XML document is not a sitemap; `None` if it is a sitemap.
fn not_sitemap(head: &[u8]) -> Option<String> {
    if sniff::is_sitemap(head) {
        return None;
    }
    let root = sniff::root_element(head).map(|name| quote(&String::from_utf8_lossy(name)));
    let root = root
        .map_or("there is no root element".to_owned(), |name| format!("it begins with <{name}>"));
    Some(format!(
        "the document is not a sitemap: {root}; --from html finds the links of a page, and iri extract those of any text"
    ))
}

/// The file that is read.
struct Current {
    file: Arc<File>,
    source: Source,
    /// The rows, if this is a file of columns. The source is empty then.
    columns: Option<columnar::Opened>,
    cut: Cut,
    /// The most bytes of a record.
    longest: usize,
    /// The bytes after the last block. `cut` has seen them.
    rest: Vec<u8>,
    /// The position of the last end of a record in the rest; 0 if the rest has none. Only after a record that was
    /// skipped.
    whole: usize,
    /// The line in which the next record begins.
    line: u64,
    /// The number of characters between the start of the line and the rest. Only for running text.
    column: u64,
    /// The offset in the file of the rest.
    offset: u64,
    is_start: bool,
    /// Whether a block had more than blank lines.
    has_records: bool,
    is_end: bool,
    /// Whether the last block of a running text was read.
    is_over: bool,
    /// The reason why the file ends early. It is returned after the blocks that come before it.
    failure: Option<io::Error>,
    /// Whether the bytes of a record that is too long are wanted.
    wants_long: bool,
    /// Whether the source decompresses or decodes.
    is_slow: bool,
    /// The length of the file and the file, if workers may read parts of it.
    plain: Option<(u64, std::fs::File)>,
    claims: Option<Claims>,
    /// The first bytes of the file, until they show a format. Only if nothing says the format.
    beginning: Option<Vec<u8>>,
}

impl Current {
    fn new(file: File, source: Source, cut: Cut, longest: usize) -> Self {
        Self {
            file: Arc::new(file),
            source,
            columns: None,
            cut,
            longest,
            rest: Vec::new(),
            whole: 0,
            line: 1,
            column: 0,
            offset: 0,
            is_start: true,
            has_records: false,
            is_end: false,
            is_over: false,
            plain: None,
            claims: None,
            beginning: None,
            failure: None,
            wants_long: false,
            is_slow: false,
        }
    }

    /// Returns the next part of the file that a worker may read. Its first block was read here, and so is its end.
    fn claim(&mut self, first: &First, is_followed: bool) -> Option<Claim> {
        // The first records say more about the file.
        let is_known = self.has_records && first.is_over() && self.beginning.is_none();
        if let Some((length, bytes)) = self.plain.take_if(|_| is_known) {
            let plain = Plain {
                file: Arc::clone(&self.file),
                bytes: Arc::new(bytes),
                length,
                longest: self.longest,
                most: self.most(),
                wants_long: self.wants_long,
                is_followed,
            };
            self.claims = Claims::new(plain, self.offset, self.line);
        }
        self.claims.as_mut()?.take()
    }

    /// Goes to the end of the file, after the parts that workers read.
    fn skip_claims(&mut self, claims: &Claims) -> io::Result<()> {
        let Rest { bytes, offset, line, source } = claims.rest()?;
        self.whole = memrchr(self.file.separator, &bytes).map_or(0, |at| at + 1);
        (self.rest, self.offset, self.line) = (bytes, offset, line);
        self.source = source.map_or_else(|| Box::new(io::empty()) as Source, |at| Box::new(at));
        Ok(())
    }

    /// Returns the next rows of a file of columns.
    ///
    /// # Errors
    /// The file cannot be read.
    fn rows(&self, columns: &mut columnar::Opened, first: &First) -> io::Result<Option<Block>> {
        let Some((buffer, rows)) = columns.next()? else { return Ok(None) };
        let layout = Layout::Rows(Arc::new(rows));
        let file = Arc::new(File { layout, ..File::clone(&self.file) });
        Ok(Some(Block::whole(file, buffer, Line::Known(1), first.end())))
    }

    /// Returns the next block. If another file follows, the last record of this file gets a separator if it has none.
    ///
    /// # Errors
    /// The source cannot be read, or there is no memory for a record.
    // The algorithm is above. The offsets in this function are in the buffer:
    //
    //     0                end                 filled              buffer.len()
    //     | whole records  | becomes the rest  | room for a read   |
    //
    // Invariants: `end <= filled <= buffer.len()`. If `long` is set in a file of records, the buffer holds no record:
    // `skip` has used it. At the end of the function, `offset`, `line` and `column` of `self` are those of the rest.
    fn fill(
        &mut self,
        mut buffer: Vec<u8>,
        first: &First,
        is_followed: bool,
    ) -> io::Result<Option<Block>> {
        if let Some(mut columns) = self.columns.take() {
            let filled = self.rows(&mut columns, first);
            self.columns = Some(columns);
            return filled;
        }
        if let Some(claims) = self.claims.take() {
            self.skip_claims(&claims)?;
        }
        let (least, most) = (CHUNK.min(self.most()), self.most().min(4 * CHUNK));
        // A buffer is too short if it is new, or if the last block of a file has cut it.
        if !(least..=most).contains(&buffer.len()) {
            // The memory of a long record is not kept.
            buffer = vec![0; least];
        }
        let mut filled = self.rest.len();
        while buffer.len() < filled {
            self.grow(&mut buffer)?;
        }
        present(buffer.get_mut(..filled)).copy_from_slice(&self.rest);
        self.rest.clear();
        let is_text = matches!(self.file.layout, Layout::Text);
        // The end of the last whole record.
        // After a record that was skipped, the rest may hold whole records. Then the block needs no read.
        let mut end = std::mem::take(&mut self.whole);
        let (mut long, mut known) = (None, Known::default());
        while end == 0 && !self.is_end {
            if filled == buffer.len() && !self.grow(&mut buffer)? {
                if is_text {
                    // The word is cut, and each part is in a block. So its bytes are not needed a second time.
                    long = Some(Long::new(self.longest, self.line, false)?);
                    end = cut::whole_characters(&buffer);
                } else {
                    long = Some(self.skip(&mut buffer, filled, is_followed, first)?);
                    filled = 0;
                }
                break;
            }
            let room = present(buffer.get_mut(filled..));
            let read = match self.source.read(room) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if is_text => {
                    self.failure = Some(error);
                    // The last word may be incomplete, and a part of a link is not a link. So the word is dropped.
                    filled = 0;
                    0
                }
                read => read?,
            };
            self.is_end = read == 0;
            let before = filled;
            filled += read;
            let ends = self.cut.scan_fields(present(buffer.get(..filled)), before, &mut known);
            end = ends.last.unwrap_or(0);
        }
        let is_open = filled > 0 && end == 0 && self.cut.open_quote().is_some();
        if self.is_end && long.is_none() && is_open {
            // The rest of the file is one record, because nothing closes the quote.
            long = Some(self.skip(&mut buffer, filled, is_followed, first)?);
            filled = 0;
        }
        if self.is_end && long.is_none() {
            // The last record may have no terminator.
            let last = filled.checked_sub(1).and_then(|last| buffer.get(last));
            self.end_of_archive();
            // A byte-order mark alone is no record.
            let is_empty = self.is_start && filled == mark(present(buffer.get(..filled)));
            let is_open = !is_empty && last.is_some_and(|last| *last != self.file.separator);
            if is_followed && !is_text && is_open {
                buffer.truncate(filled);
                buffer.push(self.file.separator);
                filled += 1;
            }
            end = filled;
        }
        // Nothing is left of the file. Now comes the error that waited for the blocks before it.
        if self.is_end && end == 0 && long.is_none() && (self.is_over || !is_text) {
            return self.failure.take().map_or(Ok(None), Err);
        }
        // A running text has a last block, even if it is empty.
        self.is_over = self.is_end;
        self.rest.extend_from_slice(present(buffer.get(end..filled)));
        let mut range = 0..end;
        let mut head = 0..0;
        let bytes = present(buffer.get(..end));
        let bytes = bytes.strip_prefix(&BYTE_ORDER_MARK).unwrap_or(bytes);
        if !self.file.layout.is_blank(bytes) {
            self.has_records = true;
            if first.options.names && self.file.names.is_empty() {
                self.read_names(bytes, first)?;
            }
            self.count_columns(bytes);
        }
        // The first block may be a short line, because the search for a compression reads a few bytes.
        if let Some(mut beginning) = self.beginning.take() {
            beginning.extend_from_slice(present(buffer.get(..end.min(guess::LENGTH))));
            let hint = guess::hint(&beginning);
            self.beginning =
                (hint.is_none() && beginning.len() < guess::ENOUGH).then_some(beginning);
            if hint.is_some() {
                self.file = Arc::new(File { hint, ..File::clone(&self.file) });
            }
        }
        if self.is_start && end > 0 {
            self.is_start = false;
            let bytes = present(buffer.get(..end));
            range.start = mark(bytes);
            // Only the first input keeps its byte-order mark: the mark of another would be in the middle of the output.
            match (first.is_over(), is_text) {
                (true, _) => head = range.start..range.start,
                // The mark of a running text is a part of its text.
                (false, true) => range.start = 0,
                (false, false) => head = 0..range.start,
            }
            // A mark alone is no header.
            if !is_text && range.start < end {
                self.read_header(bytes, &mut range, &mut head, first)?;
            }
        }
        let line = self.line + separators(self.file.separator, present(buffer.get(..range.start)));
        let (column, offset) = (self.column, self.offset);
        // In running text, a column counts the mark too.
        let records = present(buffer.get(if is_text { 0..end } else { range.clone() }));
        let count = |part| separators(self.file.separator, present(buffer.get(part)));
        let separators = match self.file.separator {
            b'\n' if known.has_masks() => known.newlines(range.clone(), count),
            separator => separators(separator, records),
        };
        self.line = line + separators;
        self.offset += end as u64;
        if is_text {
            let last = memrchr(b'\n', records).map_or(0, |last| last + 1);
            let characters = characters(present(records.get(last..)));
            self.column = characters + if last > 0 { 0 } else { column };
        }
        // Blank lines may come before the record that has the names.
        let is_named = !(first.options.names && self.file.names.is_empty());
        let is_first = is_named && first.end();
        let is_last = is_text && self.is_over;
        let whole = Block::whole(Arc::clone(&self.file), buffer, Line::Known(line), is_first);
        Ok(Some(Block { range, head, is_last, separators, column, offset, known, long, ..whole }))
    }

    /// Notes that the file ends within a record, if the file is a web archive. Other records may be missing after it.
    fn end_of_archive(&mut self) {
        if self.cut.is_cut() {
            let end = || io::Error::other("the archive ends within a record");
            self.failure.get_or_insert_with(end);
            let layout = self.file.layout.cut_off();
            self.file = Arc::new(File { layout, ..File::clone(&self.file) });
        }
    }

    /// Skips a record that is too long, or the rest of a file in which a quote is open. The first bytes of the record are in
    /// the buffer; the bytes after the record become the rest.
    ///
    /// # Errors
    /// The record is the header; or the temporary file for its bytes cannot be written.
    #[cold]
    fn skip(
        &mut self,
        buffer: &mut [u8],
        filled: usize,
        is_followed: bool,
        first: &First,
    ) -> io::Result<Long> {
        let is_start = std::mem::take(&mut self.is_start);
        let long = Long::new(self.longest, self.line, self.wants_long)?;
        // As in `fill`, only the first input keeps its byte-order mark.
        let is_dropped = is_start && first.is_over();
        let dropped = if is_dropped { mark(present(buffer.get(..filled))) } else { 0 };
        let mut skip = Skip {
            source: &mut self.source,
            cut: &mut self.cut,
            separator: self.file.separator,
            is_followed,
            offset: self.offset,
            line: self.line,
            is_end: self.is_end,
            failure: self.failure.take(),
        };
        let (long, rest) = skip.read(long, buffer, filled, dropped)?;
        let Skip { offset, line, is_end, failure, .. } = skip;
        (self.offset, self.line, self.is_end, self.failure) = (offset, line, is_end, failure);
        match rest {
            None => self.end_of_archive(),
            Some((rest, whole)) => {
                self.rest.extend_from_slice(present(buffer.get(rest)));
                self.whole = whole;
            }
        }
        let has_header = matches!(&self.file.layout, Layout::Csv(layout) if layout.has_header);
        // Without its header, the file does not say which column has the address.
        if is_start && has_header && !long.is_damage() {
            return Err(io::Error::other(format!(
                "its header is longer than {} bytes; allow it with --max-record",
                self.longest
            )));
        }
        Ok(long)
    }

    /// Reads the names of the fields, if they are wanted. All files must have the same names.
    fn read_names(&mut self, bytes: &[u8], first: &First) -> io::Result<()> {
        if !first.options.names {
            return Ok(());
        }
        let names = convert::names(&self.file.layout, bytes);
        let names = names.and_then(|names| first.checked(&self.file.layout, names));
        let names = names.map_err(io::Error::other)?;
        if *first.names.get_or_init(|| names.clone()) != names {
            return Err(io::Error::other("its fields differ from those of the first file"));
        }
        self.file = Arc::new(File { names, ..File::clone(&self.file) });
        Ok(())
    }

    /// Counts the columns of CSV without a header in the first block that is not blank.
    fn count_columns(&mut self, bytes: &[u8]) {
        let Layout::Csv(layout) = &self.file.layout else { return };
        if let Some(counted) = layout.counted(bytes) {
            self.file = Arc::new(File { layout: Layout::Csv(counted), ..File::clone(&self.file) });
        }
    }

    /// Reads the header of CSV. The header of a later file is left out of the output if it is the same.
    fn read_header(
        &mut self,
        bytes: &[u8],
        range: &mut std::ops::Range<usize>,
        head: &mut std::ops::Range<usize>,
        first: &First,
    ) -> io::Result<()> {
        let Layout::Csv(layout) = &self.file.layout else { return Ok(()) };
        if !layout.has_header {
            return Ok(());
        }
        let mut layout = layout.clone();
        let mut row = Row::new(layout.delimiter, bytes, range.start);
        while row.next().is_some() {}
        if row.lone_return.is_some() {
            return Err(io::Error::other(format!("its header: {LONE_RETURN}")));
        }
        let body = present(bytes.get(range.start..row.body_end));
        layout.read_header(body, first.options.add.as_deref()).map_err(io::Error::other)?;
        range.start = row.end;
        match first.header.get() {
            Some(first) if *first == *body => *head = 0..0,
            Some(_) => {
                let message =
                    "its columns differ from those of the first file; convert one of them";
                return Err(io::Error::other(message));
            }
            None => {
                head.end = row.end;
                first.header.get_or_init(|| body.to_vec());
            }
        }
        let layout = Layout::Csv(layout);
        self.file = Arc::new(File { layout, ..File::clone(&self.file) });
        Ok(())
    }

    /// Returns the most bytes of a buffer: a byte-order mark, the longest record, a carriage return and a newline. So a
    /// record that does not fit is too long.
    const fn most(&self) -> usize {
        self.longest.saturating_add(BYTE_ORDER_MARK.len() + 2)
    }

    /// Makes room for a record that does not fit into the buffer. Returns `false` if it is too long.
    // For example, the sizes are 256 KiB, 512 KiB, 1 MiB, 1.125 MiB, and so on, up to `most`.
    #[cold]
    fn grow(&self, buffer: &mut Vec<u8>) -> io::Result<bool> {
        // A large buffer grows by an eighth, because its unused part takes memory too.
        let more = if buffer.len() < 1 << 20 { buffer.len() } else { buffer.len() / 8 };
        let size = buffer.len().saturating_add(more).min(self.most());
        if size <= buffer.len() {
            return Ok(false);
        }
        buffer.try_reserve_exact(size - buffer.len())?;
        buffer.resize(size, 0);
        Ok(true)
    }
}
