//! Decides in the order of the input which records are printed, and prints them in that order.
//!
//! While all keys are in memory, a record is printed as it comes. After the first record that is set aside, printed
//! records go to the sorter. The sorter returns them in order, after the records that were set aside have been looked
//! up. Output that needs a whole class, such as its count, is printed at the end.

/*
# The algorithm

Each record has a number in the order of the input (`found::number`). Its class has the number of its first record. Bytes
between records have a number too. An entry of the sorter has an order of two numbers:

    wanted     printed                                    the order of the entry
    First      the first record of each class             (number, number)
    Counted    the first record of each class             (number, number); the count of the class at (number, 0)
    Groups     all records                                (class, number)
    Known      records with a key of the first input      (number, number)
    Unknown    records without a key of the first input   (number, number)

Records without an address are printed too, except by `Known`, and bytes between records except by `Groups`. Their order
is (number, number).

For example, `First`, with memory for one key, and records with the keys a b a b, here with the numbers 1 to 4:

    1: a   new           printed at once
    2: b   set aside     from here on, nothing is printed at once
    3: a   seen before   not printed
    4: b   set aside
    at the end, the file of b:   2: b is new and goes to the sorter;   4: b was seen before
    the sorter prints 2: b

# Invariants

- An entry of the sorter comes after all records that were printed at once: after the first record that is set aside, no
  record is printed at once.
- A number is less than 2⁶³. So its highest bit can say that the entry is the place of a record in the file of long
  records (`LONG`). No number is 0. So 0 can be the number of a count (`COUNT`), which comes before all records of its class.
*/

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use crate::classes::found::{Entry, Fate, Found, number, place_of};
use crate::classes::keys::{Aside, Class, Keyed, Keys, Seen};
use crate::classes::sorter::{Order, Sorter};
use crate::classes::spool;
use crate::format::Room;
use crate::invariant::present;
use crate::io::temporary;
use crate::output::escape;
use crate::pipe::block::Block;
use crate::pipe::copy::Copy;

/// Which records are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// The first of each class.
    First,
    /// The first of each class, with the number of its records.
    Counted,
    /// All, class by class.
    Groups,
    /// The records after [`Collector::begin`] whose key a record before it has.
    Known,
    /// The records after [`Collector::begin`] whose key no record before it has.
    Unknown,
}

/// The number of decided records with an address, by their decision.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Decided {
    /// The records that are the first of their class; for [`Wanted::Known`] and [`Wanted::Unknown`] the printed
    /// records. A record without an address is not counted.
    pub(crate) kept: u64,
    /// The other records with an address.
    pub(crate) others: u64,
}

/// The least memory. With less, each record would be in a file of its own.
const FLOOR: usize = 1 << 14;

/// Decides about records.
pub(crate) struct Collector {
    wanted: Wanted,
    /// The keys that are in memory, which the workers share.
    pub(crate) keys: Arc<Keys>,
    aside: Aside,
    sorter: Sorter,
    /// Half of the memory. The sorter has the other half.
    room: usize,
    /// The number of the last block, from 1.
    pub(crate) blocks: u64,
    /// Whether a record was seen.
    has_begun: bool,
    /// The keys of records up to this number are kept in the set.
    known: u64,
    decided: Decided,
    /// The byte that ends a line of the output.
    separator: u8,
    terminal: bool,
    /// Whether records that failed are printed too.
    pub(crate) keeps_failed: bool,
    /// For [`Wanted::Counted`], the name of the field with the number of records in a class.
    pub(crate) count: Option<String>,
    /// The bytes of the last record.
    bytes: Vec<u8>,
    /// The file of the records that are too long for the memory and are printed later.
    long: Option<File>,
}

impl Collector {
    pub(crate) fn new(wanted: Wanted, memory: usize, separator: u8, terminal: bool) -> Self {
        let room = memory.max(FLOOR) / 2;
        Self {
            wanted,
            keys: Arc::new(Keys::new(room)),
            aside: Aside::default(),
            sorter: Sorter::new(room),
            room,
            blocks: 0,
            has_begun: false,
            known: u64::MAX,
            decided: Decided::default(),
            separator,
            terminal,
            keeps_failed: false,
            count: None,
            bytes: Vec::new(),
            long: None,
        }
    }

    /// Ends the first input of a join. Its keys are kept, and its records are not printed. The keys of the records that
    /// follow are looked up among its keys.
    pub(crate) fn begin(&mut self) {
        self.known = number(self.blocks + 1, 0) - 1;
    }

    /// Tells whether the keys of the records that follow are kept: in a join, only those of the first input.
    pub(crate) fn keeps_keys(&self) -> bool {
        self.known == u64::MAX
    }

    /// Tells whether the records of two inputs are compared.
    pub(crate) fn is_join(&self) -> bool {
        matches!(self.wanted, Wanted::Known | Wanted::Unknown)
    }

    /// Tells whether a record is of the first input of a join, which is not printed.
    // A silent record has a number too, so that `known` can tell the two inputs apart in the files of `Aside`.
    fn is_silent(&self, number: u64) -> bool {
        self.is_join() && number <= self.known
    }

    /// Takes the records of the block with a number, which were looked up.
    ///
    /// # Errors
    /// The output or a temporary file cannot be written.
    pub(crate) fn block(
        &mut self,
        (number, block): (u64, &Block),
        found: &mut Found,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        found.demote(&self.keys, number);
        self.blocks = number;
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        let is_silent = self.is_silent(self::number(number, 0));
        // PERF: most blocks have no record that waits. Then records are copied in long runs, and silent records are passed by.
        if found.is_waiting || !is_silent && (!self.prints_now() || found.lines.is_some()) {
            self.parts((number, block), found, &mut bytes, out)?;
        } else if !is_silent {
            self.plain(block, found, &mut bytes)?;
            out.write_all(&bytes)?;
        }
        if !found.is_cut {
            self.long((number, block), place_of(found.records.len()), out)?;
        }
        // The memory of a long record is not kept.
        bytes.shrink_to(1 << 18);
        self.bytes = bytes;
        Ok(())
    }

    /// Takes the records of a block that are all printed at once or not at all. Does what [`parts`](Self::parts) does.
    fn plain(&mut self, block: &Block, found: &Found, bytes: &mut Vec<u8>) -> io::Result<()> {
        let mut copy = Copy::new(block, self.terminal, bytes)?;
        for Entry { span, fate } in &found.records {
            let is_printed = match fate {
                Fate::Failed => self.keeps_failed,
                Fate::NoAddress => self.wanted != Wanted::Known,
                Fate::Key(key) => self.keeps(key.seen),
            };
            if !is_printed {
                copy.replace(span.clone(), b"", bytes)?;
            }
        }
        match (found.is_cut, found.records.last()) {
            // The bytes after the last record are not part of the result.
            (true, Some(last)) => copy.until(last.span.end, bytes),
            (true, None) => Ok(()),
            (false, _) => copy.finish(bytes),
        }
    }

    /// Takes the records of a block one by one.
    // If the block does not have lines of its own (`Found::lines`), it is divided in the order of the text:
    //
    //     the head; for each record: the bytes before it, the record; the bytes after the last record
    //
    // For example, a block of CSV, with `Counted` and the new field `n`:
    //
    //     a\n   head       `a,n\n`
    //     x\n   record     `x,\n`, and the place 2, where the count is written later
    //     \n    between    `\n`
    //     y\n   record     `y,\n`, and the place 2
    //
    // `bytes` holds one of these parts at a time, and is empty at the start of each part.
    fn parts(
        &mut self,
        (number_of_block, block): (u64, &Block),
        found: &Found,
        bytes: &mut Vec<u8>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let number = |place| number(number_of_block, place);
        let key = |fate: &Fate| match fate {
            Fate::Key(key) => key.text(block.bytes(), &found.keys),
            Fate::NoAddress | Fate::Failed => b"",
        };
        if let Some(lines) = &found.lines {
            for (place, Entry { span, fate }) in found.records.iter().enumerate() {
                escape::write_text(bytes, present(lines.get(span.clone())), self.terminal)?;
                self.record(number(place_of(place)), (fate, key(fate)), (bytes, None), out)?;
                bytes.clear();
            }
            return Ok(());
        }
        let layout = &block.file.layout;
        let head = present(block.bytes().get(block.head.clone()));
        let named = self.count.as_ref().and_then(|name| layout.named_head(head, name));
        let head = named.as_deref().unwrap_or(head);
        let mut copy = Copy::with_head(block, head, self.terminal, bytes)?;
        self.between(number(0), bytes, true, out)?;
        let mut opening = Vec::new();
        for (place, Entry { span, fate }) in found.records.iter().enumerate() {
            copy.until(span.start, bytes)?;
            self.between(number(place_of(place) - 1), bytes, false, out)?;
            let has_key = matches!(fate, Fate::Key(..));
            // A row that failed gets the column too, without a count in it.
            let room = found.rooms.get(place).copied().flatten();
            let room = room.filter(|_| has_key || layout.is_table());
            if let Some(Room { at, missing }) = room {
                copy.until(at, bytes)?;
                opening.clear();
                self.count.iter().for_each(|name| layout.opening(name, missing, &mut opening));
                escape::write_text(bytes, &opening, self.terminal)?;
            }
            // The count is at the end of the opening, and the rest of the record comes after it.
            let at = room.map(|_| bytes.len());
            copy.until(span.end, bytes)?;
            self.record(number(place_of(place)), (fate, key(fate)), (bytes, at), out)?;
            bytes.clear();
        }
        // If the run stops in this block, the bytes after the last record are not part of the result.
        if !found.is_cut {
            copy.finish(bytes)?;
            self.between(number(place_of(found.records.len()) - 1), bytes, false, out)?;
        }
        Ok(())
    }

    /// Takes the record after a block that is too long for the memory. This record has failed.
    //     not printed        the record only takes a number
    //     printed at once    its bytes are copied from its temporary file to the output
    //     printed later      its bytes are copied to the file of long records, and the sorter gets their place
    //
    // So the whole record is never in memory. The entry of the sorter has 16 bytes: the start and the length.
    fn long(
        &mut self,
        (number_of_block, block): (u64, &Block),
        place_in_block: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let Some((place, long)) = block.long() else { return Ok(()) };
        let number = number(number_of_block, place_in_block);
        self.has_begun = true;
        if !self.keeps_failed || self.is_silent(number) {
            return Ok(());
        }
        if self.prints_now() {
            return long.write(place, self.terminal, out);
        }
        let file = match &mut self.long {
            Some(file) => file,
            none => none.insert(temporary::file()?),
        };
        let start = file.stream_position()?;
        long.write(place, self.terminal, file)?;
        if !long.is_ended(self.separator) {
            file.write_all(&[self.separator]).map_err(temporary::trouble)?;
        }
        let span = [start, file.stream_position()? - start].map(u64::to_le_bytes);
        self.sorter.push((number, number | LONG), span.as_flattened())
    }

    /// Takes bytes between records, such as blank lines, or before all records, such as a header. Clears the bytes.
    fn between(
        &mut self,
        number: u64,
        bytes: &mut Vec<u8>,
        is_head: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        // Groups have another order than the input, so bytes between records have no place there. Only the first head
        // has a place: at the start.
        let is_wanted = self.wanted != Wanted::Groups || (is_head && !self.has_begun);
        if !bytes.is_empty() && is_wanted && !self.is_silent(number) {
            if self.wanted == Wanted::Groups {
                out.write_all(bytes)?;
            } else {
                self.print((number, number), bytes, Some(out))?;
            }
        }
        bytes.clear();
        Ok(())
    }

    /// Takes a record; `text` is its key. If records are counted, the count of the class is later written into
    /// the bytes of the record at `at`. If `at` is `None`, the count is written before the record, with a tab between them.
    fn record(
        &mut self,
        number: u64,
        (fate, text): (&Fate, &[u8]),
        (bytes, at): (&mut Vec<u8>, Option<usize>),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if self.wanted == Wanted::Counted && matches!(fate, Fate::Key(..)) {
            // The place is stored after the bytes of the record until the count is known.
            let at = at.map_or(BEFORE, |at| at as u64);
            bytes.extend_from_slice(&at.to_le_bytes());
        }
        self.has_begun = true;
        match fate {
            Fate::Failed if self.keeps_failed && !self.is_silent(number) => {
                self.print((number, number), bytes, Some(out))
            }
            Fate::Failed => Ok(()),
            // No other record is equivalent to a record without an address, and it is not counted.
            Fate::NoAddress if self.is_silent(number) || self.wanted == Wanted::Known => Ok(()),
            Fate::NoAddress => self.print((number, number), bytes, Some(out)),
            Fate::Key(key) => {
                let keyed = Keyed { number, hash: key.hash, key: text };
                self.decide(keyed, key.seen, bytes, Some(out))
            }
        }
    }

    /// Decides whether a record with an address is printed, and prints it; or sets it aside.
    fn decide(
        &mut self,
        record: Keyed<'_>,
        seen: Seen,
        bytes: &[u8],
        out: Option<&mut dyn Write>,
    ) -> io::Result<()> {
        let Keyed { number, hash, .. } = record;
        if seen == Seen::Later {
            return self.aside.push(record, bytes);
        }
        if self.is_silent(number) {
            return Ok(());
        }
        let is_kept = self.keeps(seen);
        let class = match seen {
            Seen::First(place) | Seen::Again(place) if !self.prints_firsts() => {
                self.keys.count(hash, place)
            }
            _ => number,
        };
        match self.wanted {
            Wanted::Groups => self.print((class, number), bytes, out),
            _ if is_kept => self.print((number, number), bytes, out),
            _ => Ok(()),
        }
    }

    /// Tells whether a record with an address is the first of its class, or one that a join prints, and counts the decision.
    fn keeps(&mut self, seen: Seen) -> bool {
        // In a join, a key that is new is a key that the first input does not have.
        let is_first = matches!(seen, Seen::First(_) | Seen::Unknown);
        let is_kept = if self.wanted == Wanted::Known { !is_first } else { is_first };
        *(if is_kept { &mut self.decided.kept } else { &mut self.decided.others }) += 1;
        is_kept
    }

    /// Prints bytes, now if the order allows it, otherwise at the end.
    fn print(&mut self, order: Order, bytes: &[u8], out: Option<&mut dyn Write>) -> io::Result<()> {
        match out {
            Some(out) if self.prints_now() => out.write_all(bytes),
            _ => self.sorter.push(order, bytes),
        }
    }

    /// Tells whether records are printed as they come.
    fn prints_now(&self) -> bool {
        self.prints_firsts() && self.aside.is_empty()
    }

    /// Tells whether the output needs no whole class.
    fn prints_firsts(&self) -> bool {
        !matches!(self.wanted, Wanted::Counted | Wanted::Groups)
    }

    /// Looks up the records that were set aside, and prints the rest.
    ///
    /// # Errors
    /// The output or a temporary file cannot be written.
    //     files = those of the records that were set aside
    //     while there is a file:
    //         look up the records of the file, in their order, in an empty set of keys
    //         the records that do not fit go to new files, which are added
    //     merge: the sorter gives all entries in their order
    //
    // The last file is taken first, so few files exist at a time. The order of the files does not matter, because the
    // sorter has the order of the output.
    //
    // With `Counted`, the entry (number, 0) has a count, and the entry (number, number) comes directly after it and has
    // the first record of the class. A record without an address does not have a count before it.
    pub(crate) fn finish(mut self, out: &mut (impl Write + ?Sized)) -> io::Result<Decided> {
        let mut files = vec![self.close()?];
        while let Some(last) = files.last_mut() {
            let Some((spool, aside)) = last.pop() else {
                files.pop();
                continue;
            };
            // All records of a key are in one file, so the keys of the other files are not needed.
            self.keys = Arc::new(Keys::new(self.room));
            self.aside = aside;
            let mut reader = spool.into_reader()?;
            let mut texts = [Vec::new(), Vec::new()];
            while let Some([number, hash, start]) = spool::read(&mut reader, &mut texts)? {
                let [key, bytes] = &texts;
                let key = if start > 0 { present(bytes.get(..start as usize)) } else { key };
                let keyed = Keyed { number, hash, key };
                let insert = number <= self.known;
                let Some(mut shard) = self.keys.lock(self.keys.shard_of(hash)) else { continue };
                // The records come in their order, so none is demoted.
                let seen = shard.see(keyed, insert, &mut Vec::new());
                drop(shard);
                self.decide(keyed, seen, bytes, None)?;
            }
            files.push(self.close()?);
        }
        let Self { wanted, sorter, separator, decided, mut long, .. } = self;
        let (mut last_class, mut count) = (None, None);
        sorter.finish(|(class, number), bytes| {
            if wanted == Wanted::Groups {
                if last_class.replace(class).is_some_and(|last| last != class) {
                    out.write_all(&[separator])?;
                }
                // A long record ends with a separator: `long` has added it.
                if number & LONG != 0 {
                    return write_long(out, long.as_mut(), bytes);
                }
                out.write_all(bytes)?;
                // The last record of the input may have no terminator.
                return match bytes.ends_with(&[separator]) {
                    true => Ok(()),
                    false => out.write_all(&[separator]),
                };
            }
            match (<[u8; 8]>::try_from(bytes), count.take()) {
                (Ok(bytes), _) if number == COUNT => {
                    count = Some(u64::from_le_bytes(bytes));
                    Ok(())
                }
                _ if number & LONG != 0 => write_long(out, long.as_mut(), bytes),
                (_, Some(count)) => write_counted(out, bytes, count),
                (_, None) => out.write_all(bytes),
            }
        })?;
        Ok(decided)
    }

    /// Gives the counts of all classes in memory to the sorter. Returns the files of the records that were set aside.
    fn close(&mut self) -> io::Result<Aside> {
        if self.wanted == Wanted::Counted {
            let sorter = &mut self.sorter;
            self.keys.classes(|Class { first, count }| {
                sorter.push((first, COUNT), &count.to_le_bytes())
            })?;
        }
        Ok(std::mem::take(&mut self.aside))
    }
}

/// The number of the entry that has the count of a class. It is less than the numbers of all records.
const COUNT: u64 = 0;
/// In the place of a count: the count is written before the record, with a tab between them.
const BEFORE: u64 = u64::MAX;

/// The bit in the number of an entry that has the place of a record in the file of long records: its start and its
/// length.
const LONG: u64 = 1 << 63;

/// Writes a record of the file of long records.
fn write_long(
    out: &mut (impl Write + ?Sized),
    file: Option<&mut File>,
    place: &[u8],
) -> io::Result<()> {
    let (start, length) = (place.first_chunk(), place.last_chunk());
    let (Some(file), Some(start), Some(length)) = (file, start, length) else { return Ok(()) };
    file.seek(SeekFrom::Start(u64::from_le_bytes(*start))).map_err(temporary::trouble)?;
    io::copy(&mut file.take(u64::from_le_bytes(*length)), out)?;
    Ok(())
}

/// Writes a record, whose bytes end with the place for the count of its class.
fn write_counted(out: &mut (impl Write + ?Sized), bytes: &[u8], count: u64) -> io::Result<()> {
    let Some((record, at)) = bytes.split_last_chunk() else { return out.write_all(bytes) };
    let at = u64::from_le_bytes(*at);
    if at == BEFORE {
        write!(out, "{count}\t")?;
        return out.write_all(record);
    }
    // `at` was a length in memory, so it fits in `usize`.
    let (before, after) = present(record.split_at_checked(at as usize));
    out.write_all(before)?;
    write!(out, "{count}")?;
    out.write_all(after)
}

#[cfg(test)]
mod tests {
    use std::collections::hash_map::RandomState;
    use std::collections::{HashMap, HashSet};
    use std::hash::{BuildHasher, BuildHasherDefault, Hasher};

    use super::*;
    use crate::classes::found::Key;
    use crate::format::Layout;
    use crate::pipe::block::File;
    use crate::pipe::lines::Line;

    /// One of 15 hashes, with three files and five shards: almost all keys collide.
    #[derive(Default)]
    struct Colliding(u64);

    impl Hasher for Colliding {
        fn finish(&self) -> u64 {
            (self.0 % 3) << 60 | (self.0 % 5) << 32
        }

        fn write(&mut self, bytes: &[u8]) {
            self.0 += bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>();
        }
    }

    /// The keys of records. Most keys occur several times, and each third record does not have a key.
    fn keys() -> Vec<Option<String>> {
        let mut state = 1_u64;
        let mut next = || {
            // Knuth's linear congruence.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 40
        };
        let key = |n: u64| (n % 3 > 0).then(|| format!("{}{}", n % 29, "-".repeat(n as usize % 7)));
        (0..600).map(|_| key(next())).collect()
    }

    /// The expected output for these keys. For a join, the first 200 keys are known before.
    fn expected(wanted: Wanted, keys: &[Option<String>]) -> String {
        let name = |number: usize| match &keys[number] {
            Some(key) => format!("{key}:{number}\n"),
            None => format!(":{number}\n"),
        };
        let mut order: Vec<Vec<usize>> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let known: Vec<_> = keys[..200].iter().flatten().collect();
        let mut out = String::new();
        for (number, key) in keys.iter().enumerate() {
            let is_known = key.as_ref().is_some_and(|key| known.contains(&key));
            match wanted {
                Wanted::Known | Wanted::Unknown => {
                    if number >= 200 && is_known == (wanted == Wanted::Known) {
                        out.push_str(&name(number));
                    }
                    continue;
                }
                _ => {}
            }
            match key.as_ref().and_then(|key| places.get(key.as_str())) {
                Some(place) => order[*place].push(number),
                None => {
                    places.extend(key.iter().map(|key| (key.as_str(), order.len())));
                    order.push(vec![number]);
                }
            }
        }
        for (place, class) in order.iter().enumerate() {
            match wanted {
                Wanted::First => out.push_str(&name(class[0])),
                Wanted::Counted if keys[class[0]].is_some() => {
                    out.push_str(&format!("{}\t{}", class.len(), name(class[0])));
                }
                Wanted::Counted => out.push_str(&name(class[0])),
                _ => {
                    out.push_str(if place > 0 { "\n" } else { "" });
                    out.extend(class.iter().map(|number| name(*number)));
                }
            }
        }
        out
    }

    /// The blocks of records with these keys. The first record has the number `start`.
    fn blocks(start: usize, keys: &[Option<String>]) -> Vec<(Block, Found)> {
        let (layout, name) = (Layout::Lines(b'\n'), String::new());
        let file = Arc::new(File::new(name, None, layout, b'\n', Vec::new()));
        let mut blocks = Vec::new();
        let mut numbered = (start..).zip(keys).peekable();
        while numbered.peek().is_some() {
            let (mut bytes, mut found) = (Vec::new(), Found::default());
            // Blocks of up to six records, and some without a record.
            for (number, key) in numbered.by_ref().take(blocks.len() * 5 % 7) {
                let (line, at) = (bytes.len(), found.keys.len());
                let text = key.as_deref().unwrap_or_default();
                bytes.extend_from_slice(format!("{text}:{number}\n").as_bytes());
                found.keys.extend_from_slice(text.as_bytes());
                let text = Key::new(at..found.keys.len(), false);
                let fate = key.as_ref().map_or(Fate::NoAddress, |_| Fate::Key(text));
                found.records.push(Entry { span: line..bytes.len(), fate });
            }
            blocks.push((Block::whole(Arc::clone(&file), bytes, Line::Known(1), false), found));
        }
        blocks
    }

    /// The output of the collector for these keys, and whether keys did not fit. Before the turn of a block, as many other blocks as
    /// `ahead` says are looked up, some of them again. The last blocks have no turn.
    fn found<S: BuildHasher>(
        wanted: Wanted,
        (memory, shards): (usize, usize),
        hasher: S,
        keys: &[Option<String>],
        ahead: usize,
    ) -> (String, bool) {
        let mut collector = Collector::new(wanted, memory, b'\n', false);
        collector.keys = Arc::new(Keys::with_shards(collector.room, shards));
        let mut out = Vec::new();
        let mut state = 1_usize;
        for (start, part) in [(0, &keys[..200]), (200, &keys[200..])] {
            if start > 0 && collector.is_join() {
                collector.begin();
            }
            let (before, insert) = (collector.blocks, collector.keeps_keys());
            let mut blocks = blocks(start, part);
            let (turns, mut looked_up) = (blocks.len(), HashSet::new());
            if start > 0 {
                let lost = (0..60).map(|n| Some(format!("{n}{}", "-".repeat(n % 7))));
                blocks.extend(self::blocks(keys.len(), &lost.collect::<Vec<_>>()));
            }
            for next in 0..turns {
                let others = std::iter::repeat_with(|| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    next + (state >> 40) % ahead.max(1)
                });
                let others: Vec<_> = others.take(ahead).collect();
                let own = (!looked_up.contains(&next)).then_some(next);
                for at in others.into_iter().chain(own) {
                    let number = before + 1 + at as u64;
                    // Few blocks are worked on again.
                    if let Some((block, found)) =
                        blocks.get_mut(at).filter(|_| looked_up.insert(at) || at % 8 == 0)
                    {
                        let hash = |key: &[u8]| hasher.hash_one(key);
                        found.look_up(&collector.keys, (number, block.bytes()), insert, hash);
                    }
                }
                let (block, found) = &mut blocks[next];
                collector.block((before + 1 + next as u64, block), found, &mut out).unwrap();
            }
        }
        let waits = !collector.aside.is_empty();
        let Decided { kept, others } = collector.finish(&mut out).unwrap();
        let silent = if matches!(wanted, Wanted::Known | Wanted::Unknown) { 200 } else { 0 };
        // A record without an address is not counted.
        let counted = keys[silent..].iter().flatten().count();
        assert_eq!(kept + others, counted as u64);
        (String::from_utf8(out).unwrap(), waits)
    }

    /// Whatever the memory, the hashes, and the order in which blocks are looked up before their turns.
    #[test]
    fn the_result_does_not_depend_on_memory_or_hashes() {
        let keys = keys();
        for wanted in
            [Wanted::First, Wanted::Counted, Wanted::Groups, Wanted::Known, Wanted::Unknown]
        {
            let expected = expected(wanted, &keys);
            assert!(expected.lines().count() > 50, "{wanted:?}");
            for (memory, shards) in
                [(1, 1), (1, 4), (16_400, 8), (17_000, 1), (17_000, 4), (1 << 20, 1), (1 << 20, 8)]
            {
                for ahead in [0, 1, 3, 12, 400] {
                    let room = (memory, shards);
                    let random = found(wanted, room, RandomState::new(), &keys, ahead);
                    let case = format!("{wanted:?} {room:?} {ahead}");
                    assert_eq!(random, (expected.clone(), memory < 1 << 20), "{case}");
                    let colliding: BuildHasherDefault<Colliding> = BuildHasherDefault::default();
                    let colliding = found(wanted, room, colliding, &keys, ahead);
                    assert_eq!(colliding, random, "{case}");
                }
            }
        }
    }
}
