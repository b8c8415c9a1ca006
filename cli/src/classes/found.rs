//! The result of a worker for a block: the records and their keys, or the reason why a record has no key; and what the set
//! of known keys has about each key.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use memchr::memchr_iter;
use simd_iri::batch::Batch;
use simd_iri::{Normalize, Rule};

use crate::classes::keyer::Keyer;
use crate::classes::keys::{Keyed, Keys, Seen};
use crate::format::{Field, Layout, Record, Room, warc};
use crate::invariant::present;
use crate::io::text;
use crate::item_error::ItemError;
use crate::output::json;
use crate::output::report::{self, Verbosity};
use crate::pipe::block::{Block, Position};
use crate::pipe::sink::Sink;
use crate::spans::Records;

/// The capacity of a text up to which its memory is used again.
const LONG: usize = 1 << 16;

/// How many keys are fetched together.
const AHEAD: usize = 16;

/// Returns the number of a part of a block in the order of the input. `block` is the number of the block, from 1.
// The block is in the upper 32 bits, and the place in the lower 32:
//
//     0          the head of the block
//     2 i + 1    the bytes before record i, or after the last record
//     2 i + 2    record i; after all records, the long record
//
// Invariant: a number is less than 2⁶³. An input has less than 2³¹ blocks, which would be 512 TiB, and a block has less than 2³¹
// records, which would be gigabytes of blank lines in one block.
pub(crate) const fn number(block: u64, place: usize) -> u64 {
    block << 32 | place as u64
}

/// Returns the place of a record in its block.
pub(crate) const fn place_of(record: usize) -> usize {
    2 * record + 2
}

/// The records of a block.
#[derive(Default)]
pub(crate) struct Found {
    /// The place of each record, and its result.
    pub(crate) records: Vec<Entry>,
    /// The place for a new field of each record, if the count of a class becomes a field.
    pub(crate) rooms: Vec<Option<Room>>,
    /// The keys that are not their addresses, one after another.
    pub(crate) keys: Vec<u8>,
    /// The records of the last block that were found by masks.
    pub(super) regular: Records,
    /// The hashes of the keys and the numbers of their records, by the shards of the keys.
    pub(super) shards: Vec<Vec<(u64, usize)>>,
    /// Whether the answer about a record is not known yet.
    pub(crate) is_waiting: bool,
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
}

/// The key of a record, and what is known about it.
#[derive(Clone)]
pub(crate) struct Key {
    text: Range<usize>,
    /// Whether the text is a part of the block, and not of the keys.
    is_address: bool,
    pub(crate) hash: u64,
    pub(crate) seen: Seen,
}

impl Key {
    /// Returns a key that was not looked up.
    pub(crate) fn new(text: Range<usize>, is_address: bool) -> Self {
        Self { text, is_address, hash: 0, seen: Seen::Unknown }
    }

    /// Returns the text of the key, for the bytes of the block and the keys of [`Found`].
    pub(crate) fn text<'a>(&self, block: &'a [u8], keys: &'a [u8]) -> &'a [u8] {
        present(if self.is_address { block } else { keys }.get(self.text.clone()))
    }
}

/// The result for a record.
#[derive(Clone)]
pub(crate) enum Fate {
    Key(Key),
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
        self.rooms.clear();
        self.keys.clear();
        self.lines = block.file.layout.is_document().then(Vec::new);
        let is_statement = is_whole && matches!(block.file.layout, Layout::NTriples(_));
        let mut position = block.start();
        let mut regular = std::mem::take(&mut self.regular);
        let mut finder = Finder { found: self, keyer, block, position: &mut position, sink };
        // The search by masks does not find the terms of a statement, or the place for a count.
        let has_room = finder.found.count.is_some() && !block.file.layout.is_lines();
        let rule = keyer.rule().filter(|_| !is_statement && !has_room);
        let is_whole_block = match rule {
            Some(rule) => finder.regular(rule, &mut regular, record),
            None => finder.others(block.range.start, block.bytes().len(), is_statement, record),
        };
        // The work ends at the record that reaches the limit. `is_cut` tells the collector that nothing comes after it.
        self.regular = regular;
        self.is_cut = !is_whole_block?;
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

    /// Looks up the keys of the block with a number. If `insert` is set, new keys are kept. It may be called again for the same
    /// block.
    pub(crate) fn look_up(
        &mut self,
        keys: &Keys,
        (block, bytes): (u64, &[u8]),
        insert: bool,
        hash: impl Fn(&[u8]) -> u64,
    ) {
        let Self { records, keys: texts, shards, .. } = self;
        shards.iter_mut().for_each(Vec::clear);
        shards.resize_with(keys.shards(), Vec::new);
        for (at, entry) in records.iter_mut().enumerate() {
            if let Fate::Key(key) = &mut entry.fate {
                key.hash = hash(key.text(bytes, texts));
                let shard = shards.get_mut(keys.shard_of(key.hash));
                shard.into_iter().for_each(|list| list.push((key.hash, at)));
            }
        }
        let mut demoted = Vec::new();
        self.is_waiting = false;
        // PERF: no worker waits for a shard while it has another to look at, and workers begin at different shards.
        let filled = shards.iter().enumerate().filter(|(_, list)| !list.is_empty());
        let mut left: VecDeque<_> = filled.collect();
        left.rotate_left(block as usize * 19 % left.len().max(1));
        let mut tries = left.len();
        while let Some((number_of_shard, list)) = left.pop_front() {
            let shard =
                if tries > 0 { keys.try_lock(number_of_shard) } else { keys.lock(number_of_shard) };
            tries = tries.saturating_sub(1);
            let Some(mut shard) = shard else {
                left.push_back((number_of_shard, list));
                continue;
            };
            for list in list.chunks(AHEAD) {
                shard.fetch(list.iter().map(|(hash, _)| *hash));
                for (hash, at) in list {
                    let Some(Entry { fate: Fate::Key(key), .. }) = records.get_mut(*at) else {
                        continue;
                    };
                    let number = number(block, place_of(*at));
                    let keyed = Keyed { number, hash: *hash, key: key.text(bytes, texts) };
                    key.seen = shard.see(keyed, insert, &mut demoted);
                    self.is_waiting |= key.seen == Seen::Later;
                }
            }
        }
        keys.demote(&mut demoted);
    }

    /// Takes what other workers found since [`look_up`](Self::look_up), in the turn of the block: some records are not the first
    /// of their class.
    pub(crate) fn demote(&mut self, keys: &Keys, block: u64) {
        for number in keys.demoted(number(block + 1, 0)) {
            let at = (number as u32 as usize).saturating_sub(2) / 2;
            if let Some(Entry { fate: Fate::Key(key), .. }) = self.records.get_mut(at) {
                if let Seen::First(place) = key.seen {
                    key.seen = Seen::Again(place);
                }
            }
        }
    }
}

/// Returns the lines from `start` on, with and without their separators.
fn lines_of(
    bytes: &[u8],
    start: usize,
    separator: u8,
) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let lines = present(bytes.get(start..));
    let last = (!lines.is_empty() && !lines.ends_with(&[separator])).then_some(bytes.len());
    let ends = memchr_iter(separator, lines).map(move |end| start + end);
    let mut at = start;
    ends.chain(last).map(move |end| {
        let line = at..end;
        at = bytes.len().min(end + 1);
        (line.start..at, line)
    })
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
    /// Finds the keys of the records of the block. The key of an address that matches `rule` and is in normal form is the address.
    /// Only other records are read one by one. Returns whether it came to the end of the block.
    fn regular(
        &mut self,
        rule: Rule,
        regular: &mut Records,
        record: &mut Record,
    ) -> io::Result<bool> {
        let block = self.block;
        let (bytes, start) = (block.bytes(), block.range.start);
        let batch = Batch::new(rule);
        let offset = |item: &[u8]| block.offset_of(item);
        if let Some((lines, separator)) = block.lines() {
            let others = batch.not_normal(lines, Normalize::scheme()).map(offset);
            return self.pairs(lines_of(bytes, start, separator), others, record);
        }
        if block.file.layout.find(batch.level(), (bytes, start), &block.known, regular) {
            if let Some((pairs, items)) = regular.pairs().zip(regular.items(bytes)) {
                let others = batch.not_normal(items, Normalize::scheme()).map(offset);
                return self.pairs(pairs, others, record);
            }
        }
        self.others(start, bytes.len(), false, record)
    }

    /// Finds the keys of records with their addresses, and of all records between them. An address that does not begin at one of
    /// `others` is its own key. Returns whether it came to the end of the block.
    fn pairs(
        &mut self,
        pairs: impl Iterator<Item = (Range<usize>, Range<usize>)>,
        others: impl Iterator<Item = usize>,
        record: &mut Record,
    ) -> io::Result<bool> {
        let mut others = others.peekable();
        let mut at = self.block.range.start;
        for (span, text) in pairs {
            let end = span.end;
            if others.next_if_eq(&text.start).is_some() {
                if !self.others(at, end, false, record)? {
                    return Ok(false);
                }
            } else {
                if at < span.start && !self.others(at, span.start, false, record)? {
                    return Ok(false);
                }
                self.sink.tally.made += 1;
                self.found.records.push(Entry { span, fate: Fate::Key(Key::new(text, true)) });
            }
            at = end;
        }
        self.others(at, self.block.bytes().len(), false, record)
    }

    /// Finds the keys of the records from `at` to `end`, one by one. Returns whether it came to the end: the work ends at the record
    /// that reaches the limit.
    fn others(
        &mut self,
        mut at: usize,
        end: usize,
        is_statement: bool,
        record: &mut Record,
    ) -> io::Result<bool> {
        while at < end {
            self.block.file.layout.next(self.block.bytes(), at, record);
            at = record.end;
            match self.found.lines {
                _ if record.is_filler => {}
                Some(_) => self.document(record)?,
                None => self.record(record, is_statement)?,
            }
            if self.sink.is_full() {
                return Ok(false);
            }
        }
        Ok(true)
    }

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
        self.room(record, &mut has_failed)?;
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
        self.found.records.push(Entry { span: record.body.start..record.end, fate });
        Ok(())
    }

    /// Finds the place for the count of the class, if the count becomes a field. A record without a place for it
    /// fails.
    fn room(&mut self, record: &Record, has_failed: &mut bool) -> io::Result<()> {
        let layout = &self.block.file.layout;
        let Some(name) = self.found.count.as_deref().filter(|_| !layout.is_lines()) else {
            return Ok(());
        };
        let room = layout.room(self.block.bytes(), record, name);
        self.found.rooms.push(room.as_ref().ok().copied());
        match room {
            Ok(_) => {}
            // One error is enough for a record.
            Err(_) if *has_failed => {}
            Err(error) => {
                let body = present(self.block.bytes().get(record.body.clone()));
                self.fail(record.body.start, (body, body), error)?;
                *has_failed = true;
            }
        }
        Ok(())
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
            self.found.records.push(Entry { span, fate });
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
        Fate::Key(Key::new(start..self.found.keys.len(), false))
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
