//! Decides in the order of the input which records are printed, and prints them in that order.
//!
//! While all keys are in memory, a record is printed as it comes. After the first record that is set aside, printed
//! records go to the sorter. The sorter returns them in order, after the records that were set aside have been looked
//! up. Output that needs a whole class, such as its count, is printed at the end.

/*
# The algorithm

Each record has a number, from 1, in the order of the input. Its class has the number of its first record. Bytes between
records have a number too. An entry of the sorter has an order of two numbers:

    wanted     printed                                    the order of the entry
    First      the first record of each class             (number, number)
    Counted    the first record of each class             (number, number); the count of the class at (number, 0)
    Groups     all records                                (class, number)
    Known      records with a key of the first input      (number, number)
    Unknown    records without a key of the first input   (number, number)

Records without an address are printed too, except by `Known`, and bytes between records except by `Groups`. Their order
is (number, number).

For example, `First`, with memory for one key, and records with the keys a b a b:

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
  records (`LONG`), and 0 can be the number of a count (`COUNT`), which comes before all records of its class.
*/

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::classes::found::{Entry, Fate, Found};
use crate::classes::keys::{Aside, Keyed, Keys, Seen};
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

/// How many keys are fetched together.
const AHEAD: usize = 16;

/// Decides about records.
pub(crate) struct Collector {
    wanted: Wanted,
    keys: Keys,
    sorter: Sorter,
    /// Half of the memory. The sorter has the other half.
    room: usize,
    /// The number of the last record, from 1.
    number: u64,
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
            keys: Keys::new(room, 0),
            sorter: Sorter::new(room),
            room,
            number: 0,
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
        self.known = self.number;
    }

    /// Tells whether the records of two inputs are compared.
    pub(crate) fn is_join(&self) -> bool {
        matches!(self.wanted, Wanted::Known | Wanted::Unknown)
    }

    /// Tells whether a record is of the first input of a join, which is not printed.
    // For example, the first input has three records. Records 1 to 3 are silent, and record 4 is the first record that
    // may be printed. A silent record has a number too, so that `known` can tell the two inputs apart in the files of
    // `Keys`.
    fn is_silent(&self, number: u64) -> bool {
        self.is_join() && number <= self.known
    }

    /// Takes the records of a block.
    ///
    /// # Errors
    /// The output or a temporary file cannot be written.
    // If the block does not have lines of its own (`Found::lines`), it is divided in the order of the text:
    //
    //     the head; for each record: the bytes before it, the record; the bytes after the last record; a long record
    //
    // For example, a block of CSV, with `Counted` and the new field `n`:
    //
    //     a\n   head       `a,n\n`
    //     x\n   record     `x,\n`, and the place 2, where the count is written later
    //     \n    between    `\n`
    //     y\n   record     `y,\n`, and the place 2
    //
    // `bytes` holds one of these parts at a time, and is empty at the start of each part.
    pub(crate) fn block(
        &mut self,
        block: &Block,
        found: &Found,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        if let Some(lines) = &found.lines {
            for (at, Entry { span, fate, .. }) in found.records.iter().enumerate() {
                self.fetch(at, found);
                escape::write_text(&mut bytes, present(lines.get(span.clone())), self.terminal)?;
                self.record(fate.clone(), found, &mut bytes, None, out)?;
                bytes.clear();
            }
        } else {
            let layout = &block.file.layout;
            let head = present(block.bytes().get(block.head.clone()));
            let named = self.count.as_ref().and_then(|name| layout.named_head(head, name));
            let head = named.as_deref().unwrap_or(head);
            let mut copy = Copy::with_head(block, head, self.terminal, &mut bytes)?;
            self.between(&mut bytes, true, out)?;
            let mut opening = Vec::new();
            for (at, Entry { span, fate, room }) in found.records.iter().enumerate() {
                self.fetch(at, found);
                copy.until(span.start, &mut bytes)?;
                self.between(&mut bytes, false, out)?;
                let has_key = matches!(fate, Fate::Key(..));
                // A row that failed gets the column too, without a count in it.
                let room = room.filter(|_| has_key || layout.is_table());
                if let Some(Room { at, missing }) = room {
                    copy.until(at, &mut bytes)?;
                    opening.clear();
                    self.count.iter().for_each(|name| layout.opening(name, missing, &mut opening));
                    escape::write_text(&mut bytes, &opening, self.terminal)?;
                }
                // The count is at the end of the opening, and the rest of the record comes after it.
                let at = room.map(|_| bytes.len());
                copy.until(span.end, &mut bytes)?;
                self.record(fate.clone(), found, &mut bytes, at, out)?;
                bytes.clear();
            }
            // If the run stops in this block, the bytes after the last record are not part of the result.
            if !found.is_cut {
                copy.finish(&mut bytes)?;
                self.between(&mut bytes, false, out)?;
            }
        }
        if !found.is_cut {
            self.long(block, out)?;
        }
        // The memory of a long record is not kept.
        bytes.shrink_to(1 << 16);
        self.bytes = bytes;
        Ok(())
    }

    /// Fetches what the table has about the keys of the records from `at` on, once for each [`AHEAD`] records.
    fn fetch(&self, at: usize, found: &Found) {
        if at % AHEAD == 0 {
            let records = found.records.iter().skip(at).take(AHEAD);
            self.keys.fetch(records.filter_map(|entry| match entry.fate {
                Fate::Key(_, hash) => Some(hash),
                Fate::NoAddress | Fate::Failed => None,
            }));
        }
    }

    /// Takes the record after a block that is too long for the memory. This record has failed.
    //     not printed        the record only takes a number
    //     printed at once    its bytes are copied from its temporary file to the output
    //     printed later      its bytes are copied to the file of long records, and the sorter gets their place
    //
    // So the whole record is never in memory. The entry of the sorter has 16 bytes: the start and the length.
    fn long(&mut self, block: &Block, out: &mut dyn Write) -> io::Result<()> {
        let Some((place, long)) = block.long() else { return Ok(()) };
        self.number += 1;
        let number = self.number;
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
        bytes: &mut Vec<u8>,
        is_head: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        // Groups have another order than the input, so bytes between records have no place there. Only the first head
        // has a place: at the start.
        let is_wanted = self.wanted != Wanted::Groups || (is_head && self.number == 0);
        if !bytes.is_empty() && is_wanted && !self.is_silent(self.number + 1) {
            if self.wanted == Wanted::Groups {
                out.write_all(bytes)?;
            } else {
                self.number += 1;
                self.print((self.number, self.number), bytes, Some(out))?;
            }
        }
        bytes.clear();
        Ok(())
    }

    /// Takes a record. If records are counted, the count of the class is later written into the bytes of the record at
    /// `at`. If `at` is `None`, the count is written before the record, with a tab between them.
    fn record(
        &mut self,
        fate: Fate,
        found: &Found,
        bytes: &mut Vec<u8>,
        at: Option<usize>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if self.wanted == Wanted::Counted && matches!(fate, Fate::Key(..)) {
            // The place is stored after the bytes of the record until the count is known.
            let at = at.map_or(BEFORE, |at| at as u64);
            bytes.extend_from_slice(&at.to_le_bytes());
        }
        self.number += 1;
        let number = self.number;
        match fate {
            Fate::Failed if self.keeps_failed && !self.is_silent(number) => {
                self.print((number, number), bytes, Some(out))
            }
            Fate::Failed => Ok(()),
            // No other record is equivalent to a record without an address, and it is not counted.
            Fate::NoAddress if self.is_silent(number) || self.wanted == Wanted::Known => Ok(()),
            Fate::NoAddress => self.print((number, number), bytes, Some(out)),
            Fate::Key(key, hash) => {
                let key = present(found.keys.get(key));
                // In a join, only the keys of the first input are kept. The keys of the second input are only looked
                // up. Without a join, `known` is the greatest number, so all keys are kept.
                let seen =
                    self.keys.see(Keyed { number, hash, key, bytes }, number <= self.known)?;
                self.decide(seen, number, bytes, Some(out))
            }
        }
    }

    /// Decides whether a record with an address is printed, and prints it.
    fn decide(
        &mut self,
        seen: Seen,
        number: u64,
        bytes: &[u8],
        out: Option<&mut dyn Write>,
    ) -> io::Result<()> {
        if self.is_silent(number) || seen == Seen::Later {
            return Ok(());
        }
        let first = match seen {
            Seen::Again(first) => first,
            Seen::First | Seen::Later => number,
        };
        // In a join, a key that is new is a key that the first input does not have.
        let is_first = seen == Seen::First;
        let is_kept = if self.wanted == Wanted::Known { !is_first } else { is_first };
        *(if is_kept { &mut self.decided.kept } else { &mut self.decided.others }) += 1;
        match self.wanted {
            Wanted::Groups => self.print((first, number), bytes, out),
            _ if is_kept => self.print((number, number), bytes, out),
            _ => Ok(()),
        }
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
        !matches!(self.wanted, Wanted::Counted | Wanted::Groups) && !self.keys.is_full()
    }

    /// Looks up the records that were set aside, and prints the rest.
    ///
    /// # Errors
    /// The output or a temporary file cannot be written.
    //     aside = the files of the records that were set aside
    //     while aside has a file:
    //         look up the records of the file, in their order, in an empty set of keys
    //         the records that do not fit go to new files, which are added to aside
    //     merge: the sorter gives all entries in their order
    //
    // The last file is taken first, so few files exist at a time. The order of the files does not matter, because the
    // sorter has the order of the output.
    //
    // With `Counted`, the entry (number, 0) has a count, and the entry (number, number) comes directly after it and has
    // the first record of the class. A record without an address does not have a count before it.
    pub(crate) fn finish(mut self, out: &mut (impl Write + ?Sized)) -> io::Result<Decided> {
        let keys = std::mem::replace(&mut self.keys, Keys::new(0, 0));
        let mut aside = self.close(keys)?;
        while let Some(Aside { spool, depth }) = aside.pop() {
            // All records of a key are in one file, so the keys of the other files are not needed.
            let mut keys = Keys::new(self.room, depth);
            let mut reader = spool.into_reader()?;
            let mut texts = [Vec::new(), Vec::new()];
            while let Some([number, hash]) = spool::read(&mut reader, &mut texts)? {
                let [key, bytes] = &texts;
                let seen = keys.see(Keyed { number, hash, key, bytes }, number <= self.known)?;
                self.decide(seen, number, bytes, None)?;
            }
            aside.extend(self.close(keys)?);
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

    /// Ends a set of keys, and gives the counts of its classes to the sorter. Returns the files of the records that
    /// were set aside.
    fn close(&mut self, keys: Keys) -> io::Result<Vec<Aside>> {
        let (is_counted, sorter) = (self.wanted == Wanted::Counted, &mut self.sorter);
        keys.finish(|class| match is_counted {
            true => sorter.push((class.first, COUNT), &class.count.to_le_bytes()),
            false => Ok(()),
        })
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
    use std::collections::HashMap;
    use std::collections::hash_map::RandomState;
    use std::hash::{BuildHasher, BuildHasherDefault, Hasher};

    use super::*;

    /// A hash of 0, 1 or 2: almost all keys collide.
    #[derive(Default)]
    struct Colliding(u64);

    impl Hasher for Colliding {
        fn finish(&self) -> u64 {
            (self.0 % 3) << 60
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

    /// The output of the collector for these keys, and the number of files that it made for keys that did not fit.
    fn found<S: BuildHasher>(
        wanted: Wanted,
        memory: usize,
        hasher: S,
        keys: &[Option<String>],
    ) -> (String, usize) {
        let mut collector = Collector::new(wanted, memory, b'\n', false);
        let (mut out, mut files) = (Vec::new(), 0);
        for (number, key) in keys.iter().enumerate() {
            if number == 200 && matches!(wanted, Wanted::Known | Wanted::Unknown) {
                collector.begin();
            }
            let text = key.clone().unwrap_or_default();
            let keyed = |key: &String| Fate::Key(0..key.len(), hasher.hash_one(key.as_bytes()));
            let fate = key.as_ref().map_or(Fate::NoAddress, keyed);
            let found = Found { keys: text.clone().into_bytes(), ..Found::default() };
            let mut bytes = format!("{text}:{number}\n").into_bytes();
            collector.record(fate, &found, &mut bytes, None, &mut out).unwrap();
            files = usize::from(collector.keys.is_full());
        }
        let Decided { kept, others } = collector.finish(&mut out).unwrap();
        let silent = if matches!(wanted, Wanted::Known | Wanted::Unknown) { 200 } else { 0 };
        // A record without an address is not counted.
        let counted = keys[silent..].iter().flatten().count();
        assert_eq!(kept + others, counted as u64);
        (String::from_utf8(out).unwrap(), files)
    }

    #[test]
    fn the_result_does_not_depend_on_memory_or_hashes() {
        let keys = keys();
        for wanted in
            [Wanted::First, Wanted::Counted, Wanted::Groups, Wanted::Known, Wanted::Unknown]
        {
            let expected = expected(wanted, &keys);
            assert!(expected.lines().count() > 50, "{wanted:?}");
            for memory in [1, 1_000, 5_000, 20_000, 1 << 20] {
                let random = found(wanted, memory, RandomState::new(), &keys);
                assert_eq!(random, (expected.clone(), usize::from(memory < 1 << 20)), "{memory}");
                let colliding: BuildHasherDefault<Colliding> = BuildHasherDefault::default();
                let colliding = found(wanted, memory, colliding, &keys);
                assert_eq!(colliding, random, "{wanted:?} {memory}");
            }
        }
    }
}
