//! A block of input: whole records of one file, and where they are in it.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use encoding_rs::Encoding;
use memchr::{memchr, memchr_iter, memrchr};
use simd_iri::batch::Separated;

use crate::format::pages::Pages;
use crate::format::{Layout, Record};
use crate::invariant::present;
use crate::output::json;
use crate::output::report::Place;
use crate::pipe::lines::Line;
use crate::pipe::long::Long;
use crate::pipe::sink::Sink;
use crate::spans::csv::Known;

/// A step of a run, and its place in the order of the input.
pub(crate) struct Work {
    /// The number of its lane, from 0.
    pub(crate) lane: usize,
    /// The number of the step in its lane, from 0.
    pub(crate) number: u64,
    pub(crate) step: Step,
}

/// The next step of a worker.
pub(crate) enum Step {
    Block(Block),
    /// A message about the input.
    Note(String),
    /// The reason why a part of the input cannot be read.
    Trouble(String),
    /// The lane has no further step.
    End,
}

/// The data that all blocks of a file share.
#[derive(Clone)]
pub(crate) struct File {
    /// The name, safe to print.
    pub(crate) name: String,
    /// The name as a string of JSON.
    pub(crate) json_name: String,
    pub(crate) charset: Option<&'static Encoding>,
    pub(crate) layout: Layout,
    /// The byte that ends a line.
    pub(crate) separator: u8,
    /// The names of the fields, if they are wanted.
    pub(crate) names: Vec<String>,
    /// A hint about the format, if the file is read as lines because nothing says its format.
    pub(crate) hint: Option<String>,
    /// The number of ill-formed sequences in the blocks that were searched so far. Only for running text.
    pub(crate) ill_formed: Arc<AtomicU64>,
}

impl File {
    pub(crate) fn new(
        name: String,
        charset: Option<&'static Encoding>,
        layout: Layout,
        separator: u8,
        names: Vec<String>,
    ) -> Self {
        let json_name = json::string(&name);
        let (hint, ill_formed) = (None, Arc::default());
        Self { name, json_name, charset, layout, separator, names, hint, ill_formed }
    }
}

/// Whole records of a file.
pub(crate) struct Block {
    pub(crate) file: Arc<File>,
    pub(crate) buffer: Vec<u8>,
    /// The bytes of the records in the buffer. A byte-order mark and a header may come before them.
    pub(crate) range: Range<usize>,
    /// The part before the records that is copied to the output.
    pub(crate) head: Range<usize>,
    /// Whether this is the first block of the run. If names are wanted, blank blocks before it do not count.
    pub(crate) is_first: bool,
    /// Whether the file ends with this block. Only for running text.
    pub(crate) is_last: bool,
    /// The line in which the records begin.
    pub(crate) line: Line,
    /// The number of separators in the records; 0 in a block that [`Block::whole`] makes.
    pub(crate) separators: u64,
    /// The number of characters before the records in their line. Only for running text; otherwise 0.
    pub(crate) column: u64,
    /// The offset in the file of the first byte of the buffer.
    pub(crate) offset: u64,
    /// How many separators a redaction has removed from the records up to an offset, in ascending order.
    pub(crate) removed: Vec<(usize, u64)>,
    /// What is known of the fields of CSV in the buffer.
    pub(crate) known: Known,
    /// A record that is not worked on and comes after this block. In running text: the last word of this block is too
    /// long, and goes on in the next block.
    pub(crate) long: Option<Long>,
}

impl Work {
    /// Returns the step. If the links of an archive are read, its block becomes the block of these links.
    pub(crate) fn with_links(self) -> Self {
        let step = match self.step {
            Step::Block(block) => Step::Block(block.with_links()),
            step => step,
        };
        Self { step, ..self }
    }

    /// Returns the buffer of a block, for another block.
    pub(crate) fn into_buffer(self) -> Vec<u8> {
        match self.step {
            Step::Block(block) => block.buffer,
            Step::Note(_) | Step::Trouble(_) | Step::End => Vec::new(),
        }
    }
}

impl Block {
    /// Returns a block whose records are the whole buffer.
    pub(crate) fn whole(file: Arc<File>, buffer: Vec<u8>, line: Line, is_first: bool) -> Self {
        let (range, head) = (0..buffer.len(), 0..0);
        let (is_last, separators, column, offset) = (false, 0, 0, 0);
        let (removed, known, long) = (Vec::new(), Known::default(), None);
        Self {
            file,
            buffer,
            range,
            head,
            is_first,
            is_last,
            line,
            separators,
            column,
            offset,
            removed,
            known,
            long,
        }
    }

    /// Returns the block of the links in the pages of this block, if the links of an archive are read; otherwise
    /// itself.
    //     records of the archive   a page in line 1          an image in line 40   a page in line 90
    //     the new buffer           http://a/\nhttp://b/\n                          http://c/\n
    //
    // Each worker does this for its own blocks, so the pages are read in parallel. The number of the step and the long
    // record stay. The new offsets do not lead to the archive: `Pages` keeps the line of each page.
    fn with_links(self) -> Self {
        let Layout::WarcLinks(_, reading) = self.file.layout else { return self };
        let mut pages = Pages::default();
        let mut position = self.start();
        self.each(&mut Record::default(), |record| {
            if !record.is_filler {
                let line = self.place(&mut position, record.body.start).line;
                pages.add(self.bytes(), record, line, reading);
            }
        });
        let buffer = std::mem::take(&mut pages.text);
        let layout = Layout::Pages(Arc::new(pages));
        let file = Arc::new(File { layout, separator: b'\n', ..File::clone(&self.file) });
        Self { file, range: 0..buffer.len(), head: 0..0, buffer, ..self }
    }

    /// Returns the bytes up to the end of the last record.
    pub(crate) fn bytes(&self) -> &[u8] {
        present(self.buffer.get(..self.range.end))
    }

    /// Returns the lines of the block as the items of a batch, and their separator. Returns `None` if the block is not
    /// lines, or if a line has a carriage return: before the separator, it is a part of the item of a batch, but not of
    /// the line.
    pub(crate) fn lines(&self) -> Option<(Separated<'_>, u8)> {
        let Layout::Lines(separator) = self.file.layout else { return None };
        let lines = present(self.bytes().get(self.range.clone()));
        let is_plain = self.long.is_none() && memchr(b'\r', lines).is_none();
        let items = Separated::new(lines, separator).unwrap_or(Separated::lines(lines));
        is_plain.then_some((items, separator))
    }

    /// Returns the number of its lines: the last line may not have a separator.
    pub(crate) fn count_lines(&self, separator: u8) -> u64 {
        let lines = present(self.bytes().get(self.range.clone()));
        self.separators + u64::from(is_open(separator, lines))
    }

    /// Returns the offset in the block of an item of a batch, which is a part of the block.
    pub(crate) fn offset_of(&self, item: &[u8]) -> usize {
        item.as_ptr().addr() - self.buffer.as_ptr().addr()
    }

    /// Calls `each` with every record. `record` is reused.
    pub(crate) fn each(&self, record: &mut Record, mut each: impl FnMut(&Record)) {
        let bytes = self.bytes();
        let mut at = self.range.start;
        while at < bytes.len() {
            self.file.layout.next(bytes, at, record);
            at = record.end;
            each(record);
        }
    }

    /// Does what [`each`](Self::each) does, up to the record that reaches the limit of the run. Returns whether it came
    /// to the end of the block.
    ///
    /// # Errors
    /// The errors of `each`.
    pub(crate) fn each_while(
        &self,
        record: &mut Record,
        sink: &mut Sink<'_>,
        mut each: impl FnMut(&Record, &mut Sink<'_>) -> io::Result<()>,
    ) -> io::Result<bool> {
        let bytes = self.bytes();
        let mut at = self.range.start;
        while at < bytes.len() {
            self.file.layout.next(bytes, at, record);
            at = record.end;
            each(record, sink)?;
            if sink.is_full() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the record that is not worked on, and its place.
    pub(crate) fn long(&self) -> Option<(Place<'_>, &Long)> {
        let long = self.long.as_ref()?;
        let File { name, json_name, charset, .. } = &*self.file;
        Some((Place { name, json_name, line: long.line, column: 0, charset: *charset }, long))
    }

    /// Returns the position of the first record.
    pub(crate) fn start(&self) -> Position {
        Position { at: self.range.start, first: None, lines: 0, column: self.column }
    }

    /// Returns the place of the byte at `at`, and moves `position` there. `at` is not before `position`.
    pub(crate) fn place(&self, position: &mut Position, at: usize) -> Place<'_> {
        let File { name, json_name, charset, .. } = &*self.file;
        // Lines of links and rows are not lines of the file. A table has their numbers, and `position` does not move.
        if let Layout::Pages(pages) = &self.file.layout {
            return Place { name, json_name, line: pages.line(at), column: 0, charset: *charset };
        }
        if let Some(rows) = self.file.layout.rows() {
            return Place { name, json_name, line: rows.line(at), column: 0, charset: *charset };
        }
        position.advance(self.bytes(), at, self.file.separator);
        let first = *position.first.get_or_insert_with(|| self.line.number());
        let line = first + position.lines + self.removed(position.at);
        let column = position.column;
        Place { name, json_name, line, column, charset: *charset }
    }

    /// Returns how many separators a redaction has removed from the records before `at`.
    pub(crate) fn removed(&self, at: usize) -> u64 {
        let before = self.removed.partition_point(|(end, _)| *end <= at);
        let last = before.checked_sub(1).and_then(|last| self.removed.get(last));
        last.map_or(0, |(_, count)| *count)
    }
}

/// A position in a block, and its line and column. It only moves forward, so all places of a block are found
/// in linear time.
pub(crate) struct Position {
    at: usize,
    /// The line of the first record, if it was asked for.
    first: Option<u64>,
    /// How many lines end between it and the position.
    lines: u64,
    /// The number of characters before the position in its line.
    column: u64,
}

impl Position {
    // For example, the bytes are `a b\nc\nde`, and the position is at offset 2, after no line and in column 2:
    //
    //     to = 4   passed = `b\n`    1 line, column 0: the only separator is the last byte
    //     to = 7   passed = `c\nd`   2 lines, column 1: only `d` is after the last separator
    //
    // If `to` is before the position, nothing is passed, and the position stays.
    fn advance(&mut self, bytes: &[u8], to: usize, separator: u8) {
        let passed = bytes.get(self.at..to).unwrap_or_default();
        self.at = to.max(self.at);
        // PERF: from an item to the next item there is one separator, and the separator is the last byte.
        if !passed.is_empty() && memchr(separator, passed) == Some(passed.len() - 1) {
            self.lines += 1;
            self.column = 0;
            return;
        }
        let rest = match memrchr(separator, passed) {
            Some(last) => {
                self.lines += separators(separator, passed);
                self.column = 0;
                present(passed.get(last + 1..))
            }
            None => passed,
        };
        self.column += characters(rest);
    }
}

/// Returns the number of separators in some bytes.
pub(crate) fn separators(separator: u8, bytes: &[u8]) -> u64 {
    memchr_iter(separator, bytes).count() as u64
}

/// Returns the number of lines: a last line may not have a separator.
pub(crate) fn lines(separator: u8, bytes: &[u8]) -> u64 {
    separators(separator, bytes) + u64::from(is_open(separator, bytes))
}

/// Tells whether the last line has no separator.
fn is_open(separator: u8, bytes: &[u8]) -> bool {
    bytes.last().is_some_and(|last| *last != separator)
}

/// Returns the number of characters of a text in UTF-8.
pub(crate) fn characters(text: &[u8]) -> u64 {
    text.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64
}
