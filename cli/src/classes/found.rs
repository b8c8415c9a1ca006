//! The result of a worker for a block: the records and their keys, or the reason why a record has no key.

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use crate::classes::keyer::Keyer;
use crate::format::{Field, Layout, Record, Room, warc};
use crate::invariant::present;
use crate::io::text;
use crate::item_error::ItemError;
use crate::output::json;
use crate::output::report::{self, Verbosity};
use crate::pipe::block::{Block, Position};
use crate::pipe::sink::Sink;

/// The capacity of a text up to which its memory is used again.
const LONG: usize = 1 << 16;

/// The records of a block.
#[derive(Default)]
pub(crate) struct Found {
    /// The place of each record, and its result.
    pub(crate) records: Vec<Entry>,
    /// The keys, one after another.
    pub(crate) keys: Vec<u8>,
    /// The text of the last key.
    pub(crate) text: String,
    /// The addresses of a document, each with the separator after it. The records of a document are these lines. The
    /// records of another block are parts of the block.
    pub(crate) lines: Option<Vec<u8>>,
    /// Whether records of an archive are equivalent only if they have one type: a request is not its response.
    pub(crate) is_typed: bool,
    /// Whether records that fail are set aside, and not reported.
    pub(crate) is_aside: bool,
    /// The name of the new field that has the count of a class, in its first record. Records that are printed as lines
    /// do not need a field.
    pub(crate) count: Option<String>,
    /// Whether the run stops after the last record.
    pub(crate) is_cut: bool,
}

/// A record of a block.
pub(crate) struct Entry {
    /// Its place, with its terminator.
    pub(crate) span: Range<usize>,
    pub(crate) fate: Fate,
    /// The place for a new field.
    pub(crate) room: Option<Room>,
}

/// The result for a record.
#[derive(Clone)]
pub(crate) enum Fate {
    /// The place and the hash of its key.
    Key(Range<usize>, u64),
    /// It does not have an address, and does not need one.
    NoAddress,
    /// It has failed. The error was reported, or the record was set aside.
    Failed,
}

impl Found {
    /// Finds the records of a block and their keys, and reports the records that fail. If `is_whole` is set, the
    /// key of a statement is all its bytes, with the keys of its addresses in the places of the addresses.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn find(
        &mut self,
        keyer: &Keyer,
        is_whole: bool,
        block: &Block,
        record: &mut Record,
        sink: &mut Sink<'_>,
    ) -> io::Result<()> {
        self.records.clear();
        self.keys.clear();
        self.lines = block.file.layout.is_document().then(Vec::new);
        let is_statement = is_whole && matches!(block.file.layout, Layout::NTriples(_));
        let mut position = block.start();
        // The work ends at the record that reaches the limit. `is_cut` tells the collector that nothing comes after it.
        self.is_cut = !block.each_while(record, sink, |record, sink| {
            if record.is_filler {
                return Ok(());
            }
            let mut finder = Finder { found: self, keyer, block, position: &mut position, sink };
            match finder.found.lines {
                Some(_) => finder.document(record),
                None => finder.record(record, is_statement),
            }
        })?;
        // The long record comes after the records of the block. If the limit is reached before it, the run does not
        // come to it.
        if let Some((place, long)) = block.long().filter(|_| !sink.is_full()) {
            sink.tally.failed += 1;
            sink.tally.kinds.note(long.error().kind);
            match self.is_aside {
                true => sink.aside_in_turn(|out| long.set_aside(place, out))?,
                false => sink.remark(place, b"", [long.error()])?,
            }
        }
        Ok(())
    }
}

/// Finds the keys of records.
struct Finder<'a, 's> {
    found: &'a mut Found,
    keyer: &'a Keyer,
    block: &'a Block,
    position: &'a mut Position,
    sink: &'a mut Sink<'s>,
}

impl Finder<'_, '_> {
    /// Finds the key of a record.
    ///
    /// The key of a record with one address is the key of the address. The key of a statement, or of a record with
    /// several addresses, has a part for each address and for the bytes before, between and after them. Each part
    /// begins with its length, so that equal keys have equal parts:
    ///
    /// ```text
    /// record   <http://A.example> <p:q> "x" .
    /// parts    <   http://a.example/   > <   p:q   > "x" .
    /// ```
    fn record(&mut self, record: &Record, is_statement: bool) -> io::Result<()> {
        let bytes = self.block.bytes();
        let start = self.found.keys.len();
        let mut has_failed = self.fails(record)?;
        let is_whole = is_statement || record.fields.len() > 1;
        let mut done = record.body.start;
        for field in &record.fields {
            if is_whole {
                self.part(present(bytes.get(done..field.span.start)));
                done = field.span.end;
            }
            let at = self.found.keys.len();
            // The length of the key is known after the key is made. So its eight bytes are reserved before the key.
            if is_whole {
                self.found.keys.extend_from_slice(&[0; 8]);
            }
            if let Err(error) = self.key(record, field) {
                let body = present(bytes.get(record.body.clone()));
                // A record is set aside only once.
                // A report is about an address, so each address has its own report. An object in the file of errors is
                // about the record.
                if !(has_failed && self.found.is_aside) {
                    self.report(field, Some(body), error)?;
                }
                has_failed = true;
            }
            if is_whole {
                let length = (self.found.keys.len() - at - 8) as u64;
                let place = self.found.keys.get_mut(at..at + 8);
                present(place).copy_from_slice(&length.to_le_bytes());
            }
        }
        if is_whole {
            self.part(present(bytes.get(done..record.body.end)));
        }
        if self.found.is_typed && matches!(self.block.file.layout, Layout::Warc(_)) {
            // The key of an address does not have a newline, so the parts stay apart.
            let body = present(bytes.get(record.body.clone()));
            for part in warc::role(body) {
                self.found.keys.push(b'\n');
                self.found.keys.extend(part.iter().map(u8::to_ascii_lowercase));
            }
        }
        let room = self.room(record, &mut has_failed)?;
        let fate = match has_failed {
            true => Fate::Failed,
            // A statement without an address has a key too: all its bytes.
            false if record.fields.is_empty() && !is_whole => Fate::NoAddress,
            false => self.fate(start),
        };
        // A record that does not need an address, and does not have one, is not counted.
        if !matches!(fate, Fate::NoAddress) {
            self.sink.tally.count(has_failed);
        }
        self.found.records.push(Entry { span: record.body.start..record.end, fate, room });
        Ok(())
    }

    /// Returns the place for the count of the class, if the count becomes a field. A record without a place for it
    /// fails.
    fn room(&mut self, record: &Record, has_failed: &mut bool) -> io::Result<Option<Room>> {
        let layout = &self.block.file.layout;
        let Some(name) = self.found.count.as_deref().filter(|_| !layout.is_lines()) else {
            return Ok(None);
        };
        match layout.room(self.block.bytes(), record, name) {
            Ok(room) => return Ok(Some(room)),
            // One error is enough for a record.
            Err(_) if *has_failed => {}
            Err(error) => {
                let body = present(self.block.bytes().get(record.body.clone()));
                self.fail(record.body.start, (body, body), error)?;
                *has_failed = true;
            }
        }
        Ok(None)
    }

    /// Finds the keys of the addresses of a document, and writes each address as a line.
    // For example, a page has the links `/x` and `/y z`, and the second link is not a reference:
    //
    //     lines      /x\n/y z\n
    //     records    0..3 with a key, 3..8 failed
    //
    // Each address counts as a record, so the limit may be reached between two addresses of the document.
    fn document(&mut self, record: &Record) -> io::Result<()> {
        self.sink.tally.failed += u64::from(self.fails(record)?);
        let (bytes, separator) = (self.block.bytes(), self.block.file.separator);
        for field in &record.fields {
            if self.sink.is_full() {
                break;
            }
            let start = self.found.keys.len();
            let raw = present(bytes.get(field.span.clone()));
            let result = self.key(record, field).and_then(|()| {
                let item = field.coding.decode(raw)?;
                match item.contains(&separator) {
                    // The output has a line for each address. This address would be two lines.
                    true => Err(ItemError::whole("separator", "it is more than one line", raw)),
                    false => Ok(item),
                }
            });
            self.sink.tally.count(result.is_err());
            let (item, fate) = match result {
                Ok(item) => (item, self.fate(start)),
                Err(error) => {
                    self.report(field, None, error)?;
                    (field.coding.decode(raw).unwrap_or_default(), Fate::Failed)
                }
            };
            let lines = self.found.lines.get_or_insert_default();
            let begin = lines.len();
            lines.extend_from_slice(&item);
            lines.push(separator);
            let span = begin..lines.len();
            self.found.records.push(Entry { span, fate, room: None });
        }
        Ok(())
    }

    /// Appends the key of an address.
    fn key(&mut self, record: &Record, field: &Field) -> Result<(), ItemError> {
        let item = self.block.file.layout.item(self.block.bytes(), record, field)?;
        if let Some(error) = text::ill_formed(self.block.file.charset, &item) {
            return Err(error);
        }
        let found = self.keyer.key(&item, &mut self.found.text, &mut self.found.keys);
        // The memory of a long text is not kept for the next key.
        if self.found.text.capacity() > LONG {
            self.found.text = String::new();
        }
        found
    }

    /// Returns the result for a record whose key begins at `start` and is the last key so far.
    fn fate(&self, start: usize) -> Fate {
        let key = start..self.found.keys.len();
        let hash = self.keyer.hash(present(self.found.keys.get(key.clone())));
        Fate::Key(key, hash)
    }

    /// Appends bytes that are not part of an address.
    fn part(&mut self, bytes: &[u8]) {
        self.found.keys.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.found.keys.extend_from_slice(bytes);
    }

    /// Reports why a record has no address, if it should have one.
    fn fails(&mut self, record: &Record) -> io::Result<bool> {
        let Some(error) = &record.error else { return Ok(false) };
        let body = present(self.block.bytes().get(record.body.clone()));
        self.fail(record.body.start, (body, body), error.clone())?;
        Ok(true)
    }

    /// Reports an address that has no key, or sets its record aside. Without a record, the address itself is the
    /// record.
    fn report(&mut self, field: &Field, record: Option<&[u8]>, error: ItemError) -> io::Result<()> {
        let raw = present(self.block.bytes().get(field.span.clone()));
        let item = field.coding.decode(raw).unwrap_or(Cow::Borrowed(raw));
        self.fail(field.span.start, (record.unwrap_or(&item), &item), error)
    }

    /// Reports an item that begins at `at`, or sets its record aside.
    fn fail(
        &mut self,
        at: usize,
        (record, item): (&[u8], &[u8]),
        error: ItemError,
    ) -> io::Result<()> {
        self.sink.tally.kinds.note(error.kind);
        // PERF: the line of an error that nobody prints is not counted.
        if !self.found.is_aside && !report::says(Verbosity::Usual) {
            return Ok(());
        }
        let place = self.block.place(self.position, at);
        match self.found.is_aside {
            true => self.sink.set_aside(|out| json::write_set_aside(out, place, record, &error)),
            false => self.sink.remark(place, item, [error]),
        }
    }
}
