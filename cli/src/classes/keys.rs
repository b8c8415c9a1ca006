//! The set of known keys, which all workers share. Keys that do not fit into memory are set aside in files, by their hash,
//! and are looked up when the memory is free again.
//!
//! Keys are compared as texts. The hash only tells the place. A worker has hashed the key before: the hash comes with
//! the record, also from a file.

/*
# The algorithm

The set is divided into shards by bits of the hash, each behind a lock. A worker looks up all keys of its block before the
turn of the block, shard by shard. Each record has a number in the order of the input, and each key has the number of its
first record:

    look up the key of record n:
        in memory, first = n     the record is the first: its block is worked on again
        in memory, first < n     it was seen before
        in memory, first > n     a later block was faster: first = n, and the record that was the first is `demoted`
        not there, memory full   it is set aside: in its turn, its record goes to the file of its hash
        not there                it is new: it goes to memory

In the turn of a block, all keys of the blocks before it were looked up. So a record is the first of its class if it was the
first when it was looked up and was not demoted since. For example, two workers, and the key `a` in the blocks 1 and 2:

    worker 2   looks up `a` of block 2: new, first = 2
    worker 1   looks up `a` of block 1: first = 1, and 2 is demoted
    worker 1   block 1 has its turn: `a` is printed
    worker 2   block 2 has its turn: it takes its demoted records, and `a` is not printed

# Invariants

- After the first key that does not fit, memory takes no new key: `is_full` is never cleared, and is read and set under the lock
  of the shard of the key. So a key is either in memory, from before that moment, or all its records are set aside, in their order,
  in one file. Each file is read like the input, with an empty memory. It takes at least one key, so the work ends even if all
  hashes are equal.
- A look-up that is repeated, or whose block never has a turn, changes no answer: `first` is the least number, and records are
  counted only in the turn of their block.
*/

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::classes::spool::Spool;
use crate::invariant::present;

/// The bytes of memory that a key takes besides its text: its slot of 16 bytes in a table that is at least 3/8 full, its slot
/// in the table of half the size from which the table is copied, and the head of its text.
const OVERHEAD: usize = 88;

/// The most shards. Threads rarely wait for one of so many.
const MOST_SHARDS: usize = 64;
/// The least memory of a shard, of which a piece for texts is a small part.
const LEAST_SHARD: usize = 1 << 18;

/// The classes and the texts of their keys, in pieces of memory that do not move. A text that grows would be copied again and
/// again.
// Each text comes after its head, in one piece: the number of the first record of the class, the number of its records, and
// the length of the text. A place has the number of the piece, from 1, in its upper 32 bits and the offset in the piece in its
// lower 32 bits. For example, with pieces of 64 bytes and a longest text of 8 bytes, and heads of 24 bytes:
//
//     piece 1   head `abc`   head `12345678`   5 bytes that are not used, because 24 + 4 bytes do not fit
//     piece 2   head `defg`
//     piece 3   head and 20 bytes of a long text alone
//
// Invariants: a piece never grows beyond its capacity; the last piece that is not a long text alone is `open`.
#[derive(Default)]
struct Texts {
    pieces: Vec<Vec<u8>>,
    /// The number of the piece that takes the next text.
    open: Option<usize>,
}

/// How many bytes a piece has.
const PIECE: usize = 1 << 16;
/// A text of more bytes has a piece of its own. So at most an eighth of a piece is not used.
const LONGEST: usize = PIECE / 8;
/// The bytes before a text.
const HEAD: usize = 3 * size_of::<u64>();

impl Texts {
    /// Keeps a text, and the class whose only record has the number `first` and is not counted. Returns the place of the text,
    /// and the number of bytes that become unused.
    fn push(&mut self, first: u64, text: &[u8]) -> (u64, usize) {
        let size = HEAD + text.len();
        let is_long = text.len() > LONGEST;
        let mut unused = 0;
        let room = self.open.and_then(|open| self.pieces.get(open));
        let room = room.map_or(0, |piece| piece.capacity() - piece.len());
        let number = match self.open.filter(|_| !is_long && size <= room) {
            Some(open) => open,
            None => {
                let number = self.pieces.len();
                self.pieces.push(Vec::with_capacity(if is_long { size } else { PIECE }));
                if !is_long {
                    unused = room;
                    self.open = Some(number);
                }
                number
            }
        };
        let Some(piece) = self.pieces.get_mut(number) else { return (0, 0) };
        let place = (number as u64 + 1) << 32 | piece.len() as u64;
        let head = [first, 0, text.len() as u64].map(u64::to_le_bytes);
        piece.extend_from_slice(head.as_flattened());
        piece.extend_from_slice(text);
        (place, unused)
    }

    /// Returns the bytes from a place on.
    fn from(&self, place: u64) -> Option<&[u8]> {
        let (number, offset) = parts(place);
        self.pieces.get(number)?.get(offset..)
    }

    /// Tells whether a text is at a place.
    fn is_at(&self, place: u64, text: &[u8]) -> bool {
        let Some((head, rest)) = self.from(place).and_then(<[u8]>::split_first_chunk::<HEAD>)
        else {
            return false;
        };
        let length = head.last_chunk().map(|length| u64::from_le_bytes(*length));
        length == Some(text.len() as u64) && rest.get(..text.len()) == Some(text)
    }

    /// Returns the class of the text at a place.
    fn class(&self, place: u64) -> Class {
        let number = |at| {
            let bytes = self.from(place).and_then(|text| text.get(at..)?.first_chunk());
            present(bytes.map(|bytes| u64::from_le_bytes(*bytes)))
        };
        Class { first: number(0), count: number(8) }
    }

    /// Sets the class of the text at a place.
    fn set_class(&mut self, place: u64, Class { first, count }: Class) {
        let (number, at) = parts(place);
        let piece = self.pieces.get_mut(number);
        if let Some(class) = piece.and_then(|piece| piece.get_mut(at..at + 16)) {
            class.copy_from_slice([first, count].map(u64::to_le_bytes).as_flattened());
        }
    }
}

/// Returns the parts of a place: the number of the piece, from 0, and the offset in the piece.
const fn parts(place: u64) -> (usize, usize) {
    ((place >> 32).saturating_sub(1) as usize, place as u32 as usize)
}

/// The places of texts, by their hashes: an open table, whose length is a power of two.
//
// A slot has a hash and a place, or the place 0 if it is free. The search for a hash begins at the slot that its lower bits name,
// and ends at a free slot. At least a quarter of the slots is free.
//
// PERF: the search reads one part of memory, and `first` reads it without a jump.
#[derive(Default)]
struct Table {
    slots: Vec<[u64; 2]>,
    /// The number of slots that are not free.
    count: usize,
}

impl Table {
    /// Returns the hash in the slot at which the search for a hash begins.
    fn first(&self, hash: u64) -> u64 {
        let at = hash as usize & self.slots.len().wrapping_sub(1);
        self.slots.get(at).map_or(0, |[hash, _]| *hash)
    }

    /// Returns the place of a text with a hash for which `is_same` holds.
    fn find(&self, hash: u64, is_same: impl Fn(u64) -> bool) -> Option<u64> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        loop {
            let [found, place] = *self.slots.get(at)?;
            if place == 0 {
                return None;
            }
            if found == hash && is_same(place) {
                return Some(place);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a place, which is not 0.
    fn insert(&mut self, hash: u64, place: u64) {
        if 4 * (self.count + 1) > 3 * self.slots.len() {
            let length = (2 * self.slots.len()).max(16);
            let old = std::mem::replace(&mut self.slots, vec![[0; 2]; length]);
            old.into_iter().filter(|[_, place]| *place > 0).for_each(|slot| self.put(slot));
        }
        self.put([hash, place]);
        self.count += 1;
    }

    /// Fills the first free slot for a hash.
    fn put(&mut self, slot: [u64; 2]) {
        let mask = self.slots.len() - 1;
        let mut at = slot[0] as usize & mask;
        while let Some(free) = self.slots.get_mut(at) {
            if free[1] == 0 {
                *free = slot;
                return;
            }
            at = (at + 1) & mask;
        }
    }
}

/// A class of records with one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    /// The number of its first record.
    pub(crate) first: u64,
    /// How many of its records had their turn.
    pub(crate) count: u64,
}

/// The result of a look-up. A key in memory has the place of its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// No record before it has the key, so far.
    First(u64),
    /// A record before it has the key.
    Again(u64),
    /// The key is not known, and is not kept.
    Unknown,
    /// The answer is not known yet. The record is set aside.
    Later,
}

/// A record, and its key.
#[derive(Clone, Copy)]
pub(crate) struct Keyed<'a> {
    /// The number of the record in the order of the input.
    pub(crate) number: u64,
    pub(crate) hash: u64,
    pub(crate) key: &'a [u8],
}

/// The known keys.
pub(crate) struct Keys {
    /// Their number is a power of two.
    shards: Vec<Mutex<Shard>>,
    /// How many bytes the shards may fill.
    used: AtomicUsize,
    /// How many bytes all keys may take.
    room: usize,
    is_full: AtomicBool,
    /// The numbers of records that were first and are not. They wait for the turn of their block.
    demoted: Mutex<BTreeSet<u64>>,
}

/// The keys with the same bits of their hashes.
#[derive(Default)]
struct Shard {
    table: Table,
    texts: Texts,
    /// How many bytes it may still fill. If bytes of a piece become unused, it may have filled too many.
    room: isize,
}

impl Keys {
    /// Returns an empty set that takes a number of bytes.
    pub(crate) fn new(room: usize) -> Self {
        Self::with_shards(room, 1 << (room / LEAST_SHARD).clamp(1, MOST_SHARDS).ilog2())
    }

    /// Returns an empty set with a number of shards, which is a power of two.
    pub(super) fn with_shards(room: usize, count: usize) -> Self {
        Self {
            shards: std::iter::repeat_with(Mutex::default).take(count).collect(),
            used: AtomicUsize::new(0),
            room,
            is_full: AtomicBool::new(false),
            demoted: Mutex::default(),
        }
    }

    /// Returns the number of shards.
    pub(crate) fn shards(&self) -> usize {
        self.shards.len()
    }

    /// Returns the number of the shard of a hash.
    // The table of a shard uses the lowest bits, and the files use the highest.
    pub(crate) fn shard_of(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.shards.len() - 1)
    }

    /// Locks a shard, unless another worker has the lock.
    pub(crate) fn try_lock(&self, number: usize) -> Option<Locked<'_>> {
        let shard = self.shards.get(number)?.try_lock().ok()?;
        Some(Locked { keys: self, shard })
    }

    /// Locks a shard. `None` if there is none with this number.
    pub(crate) fn lock(&self, number: usize) -> Option<Locked<'_>> {
        let shard = self.shards.get(number)?.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Locked { keys: self, shard })
    }

    /// Counts a record whose key is in memory, in the turn of its block. Returns the number of the first record of its class.
    pub(crate) fn count(&self, hash: u64, place: u64) -> u64 {
        let Some(mut locked) = self.lock(self.shard_of(hash)) else { return 0 };
        let Class { first, count } = locked.shard.texts.class(place);
        locked.shard.texts.set_class(place, Class { first, count: count + 1 });
        first
    }

    /// Notes records that are not first any more.
    pub(crate) fn demote(&self, numbers: &mut Vec<u64>) {
        if !numbers.is_empty() {
            self.lock_demoted().extend(numbers.drain(..));
        }
    }

    /// Returns the noted records with numbers below `end`, and forgets them. It is called in the turn of their block.
    pub(crate) fn demoted(&self, end: u64) -> BTreeSet<u64> {
        let mut demoted = self.lock_demoted();
        let later = demoted.split_off(&end);
        std::mem::replace(&mut demoted, later)
    }

    fn lock_demoted(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.demoted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `each` with every class in memory, in any order. If no record of a class had its turn, the number of the
    /// class is greater than those of all records that had.
    ///
    /// # Errors
    /// The errors of `each`.
    pub(crate) fn classes(&self, mut each: impl FnMut(Class) -> io::Result<()>) -> io::Result<()> {
        for shard in &self.shards {
            let Shard { table, texts, .. } = &*shard.lock().unwrap_or_else(PoisonError::into_inner);
            let places = table.slots.iter().filter(|[_, place]| *place > 0);
            places.map(|[_, place]| texts.class(*place)).try_for_each(&mut each)?;
        }
        Ok(())
    }

    /// Takes bytes for a shard, if the memory has them. It has them for one key, however long it is.
    fn reserve(&self, bytes: usize) -> bool {
        let reserved = |used| (used == 0 || used + bytes <= self.room).then_some(used + bytes);
        self.used.fetch_update(Relaxed, Relaxed, reserved).is_ok()
    }
}

/// A shard that no other worker reads.
pub(crate) struct Locked<'k> {
    keys: &'k Keys,
    shard: MutexGuard<'k, Shard>,
}

impl Locked<'_> {
    /// Reads what [`see`](Self::see) will read of the keys with some hashes.
    // PERF: each part of a large table is far from the CPU. The CPU reads the slots of all hashes at a time, and then the texts,
    // because no hash waits for the answer about another hash.
    pub(crate) fn fetch(&self, hashes: impl Iterator<Item = u64> + Clone) {
        let Shard { table, texts, .. } = &*self.shard;
        std::hint::black_box(hashes.clone().fold(0, |all, hash| all ^ table.first(hash)));
        for hash in hashes {
            let place = table.find(hash, |_| true);
            std::hint::black_box(place.and_then(|place| texts.from(place)?.first().copied()));
        }
    }

    /// Looks up the key of a record. If `insert` is set, a new key is kept. If a later record was the first until now, its number
    /// is added to `demoted`.
    pub(crate) fn see(&mut self, record: Keyed<'_>, insert: bool, demoted: &mut Vec<u64>) -> Seen {
        let Keyed { number, hash, key } = record;
        let Self { keys, shard } = self;
        let Shard { table, texts, room } = &mut **shard;
        if let Some(place) = table.find(hash, |place| texts.is_at(place, key)) {
            let Class { first, count } = texts.class(place);
            if first < number {
                return Seen::Again(place);
            }
            if first > number {
                texts.set_class(place, Class { first: number, count });
                demoted.push(first);
            }
            return Seen::First(place);
        }
        if keys.is_full.load(Relaxed) {
            return Seen::Later;
        }
        if !insert {
            return Seen::Unknown;
        }
        let size = (key.len() + OVERHEAD) as isize;
        if *room < size {
            // PERF: many keys share a reservation, so that few threads write `used` at a time.
            let portion = PIECE.min(keys.room / keys.shards.len() / 16);
            let bytes = portion.max((size - *room) as usize);
            if !keys.reserve(bytes) {
                keys.is_full.store(true, Relaxed);
                return Seen::Later;
            }
            *room += bytes as isize;
        }
        let (place, unused) = texts.push(number, key);
        *room -= size + unused as isize;
        table.insert(hash, place);
        Seen::First(place)
    }
}

/// Records that were set aside, in files by four bits of the hash.
#[derive(Default)]
pub(crate) struct Aside {
    files: BTreeMap<u64, Spool>,
    /// How many times the records were divided into files before.
    depth: u32,
}

impl Aside {
    /// Tells whether no record was set aside.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Sets a record aside.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub(crate) fn push(&mut self, record: Keyed<'_>, bytes: &[u8]) -> io::Result<()> {
        let Keyed { number, hash, key } = record;
        // Four bits by which the records of this file were not divided before; after 16 times, all bits were used.
        let place = hash.rotate_left(4 * (self.depth % 16)) >> 60;
        let spool = match self.files.entry(place) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(Spool::new()?),
        };
        // PERF: the key of a line is often the line, and is written once.
        let start = if bytes.starts_with(key) { key.len() } else { 0 };
        spool.push([number, hash, start as u64], [if start > 0 { b"" } else { key }, bytes])
    }

    /// Returns the last of the files, and where records of this file are set aside.
    pub(crate) fn pop(&mut self) -> Option<(Spool, Self)> {
        let (_, spool) = self.files.pop_last()?;
        Some((spool, Self { files: BTreeMap::new(), depth: self.depth + 1 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_at_its_place_and_no_other_text_is_there() {
        let lengths = [0, 1, 7, 8, 60, 300, LONGEST - 1, LONGEST, LONGEST + 1, PIECE, 3 * PIECE];
        let mut texts = Texts::default();
        let (mut kept, mut state) = (Vec::new(), 1_u64);
        let (mut used, mut wasted) = (0, 0);
        for number in 0..3_000_u64 {
            // Knuth's linear congruence. Long texts are rare.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let kinds = if number % 50 == 0 { lengths.len() } else { 6 };
            let length = lengths[(state >> 33) as usize % kinds];
            let text: Vec<u8> = number.to_le_bytes().into_iter().cycle().take(length).collect();
            let (place, unused) = texts.push(number, &text);
            (used, wasted) = (used + HEAD + length, wasted + unused);
            assert!(unused <= LONGEST + HEAD);
            kept.push((place, text));
        }
        for (place, text) in &kept {
            assert!(texts.is_at(*place, text));
            let longer = [&**text, b"x"].concat();
            assert!(!texts.is_at(*place, &longer));
            if let Some((last, shorter)) = text.split_last() {
                assert!(!texts.is_at(*place, shorter));
                assert!(!texts.is_at(*place, &[shorter, &[last ^ 1]].concat()));
            }
        }
        // All memory is a text or is counted as unused, except the rest of the open piece.
        let memory: usize = texts.pieces.iter().map(Vec::capacity).sum();
        let open = texts.open.map_or(0, |open| PIECE - texts.pieces[open].len());
        assert_eq!(memory, used + wasted + open);
        assert!(texts.pieces.len() > 20, "{}", texts.pieces.len());
    }
}
