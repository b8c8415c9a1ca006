//! The set of known keys. Keys that do not fit into memory are set aside in files, by their hash, and are looked up
//! when the memory is free again.
//!
//! ```text
//! look up a key:
//!     in memory                      it was seen before
//!     not there, nothing set aside   it is new: it goes to memory if there is room
//!     otherwise                      it is set aside, with its record, in the file of its hash
//! ```
//!
//! After the first entry that is set aside, memory takes no new key. So a key is either in memory, from
//! before that entry, or all its entries are in one file, in their order. Each file is read like the input,
//! with an empty memory. It takes at least one key, so the work ends even if all hashes are equal.
//!
//! For example, memory for two keys, and records with the keys a b c a d c:
//!
//! ```text
//! the input            a: new   b: new   c: set aside   a: seen before   d: set aside   c: set aside
//! the file of c and d  c: new   d: new   c: seen before
//! ```
//!
//! Keys are compared as texts. The hash only tells the place. A worker has hashed the key before: the hash comes with
//! the record, also from a file.

use std::collections::btree_map::{BTreeMap, Entry};
use std::io;

use hashbrown::HashTable;

use crate::classes::spool::Spool;

/// The bytes of memory that a key takes besides its text: its place of 33 bytes in a table that is at least 7/16 full,
/// its place in the table of twice the size to which the table is copied, and its length in the texts.
const OVERHEAD: usize = 136;

/// The texts of the keys, in pieces of memory that do not move. A text that grows would be copied again and again.
// Each text comes after its length, in one piece. A place has the number of the piece in its upper 32 bits and the
// offset in the piece in its lower 32 bits. For example, with pieces of 32 bytes and a longest text of 8 bytes:
//
//     piece 0   3 `abc`   8 `12345678`   5 bytes that are not used, because 8 + 4 bytes do not fit
//     piece 1   4 `defg`
//     piece 2   20 bytes of a long text alone
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
/// The bytes of the length before a text.
const LENGTH: usize = size_of::<u64>();

impl Texts {
    /// Keeps a text. Returns its place, and the number of bytes that become unused.
    fn push(&mut self, text: &[u8]) -> (u64, usize) {
        let size = LENGTH + text.len();
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
        let place = (number as u64) << 32 | piece.len() as u64;
        piece.extend_from_slice(&(text.len() as u64).to_le_bytes());
        piece.extend_from_slice(text);
        (place, unused)
    }

    /// Returns the bytes from a place on.
    fn from(&self, place: u64) -> Option<&[u8]> {
        let piece = usize::try_from(place >> 32).ok().and_then(|number| self.pieces.get(number));
        piece.and_then(|piece| piece.get((place & u64::from(u32::MAX)) as usize..))
    }

    /// Tells whether a text is at a place.
    fn is_at(&self, place: u64, text: &[u8]) -> bool {
        let rest = self.from(place);
        let Some((length, rest)) = rest.and_then(<[u8]>::split_first_chunk) else { return false };
        u64::from_le_bytes(*length) == text.len() as u64 && rest.get(..text.len()) == Some(text)
    }
}

/// A key in memory.
struct Kept {
    hash: u64,
    /// The place of its text.
    place: u64,
    class: Class,
}

/// A class of records with one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    /// The number of its first record, counted in the input.
    pub(crate) first: u64,
    /// How many records it has.
    pub(crate) count: u64,
}

/// The result of a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The key is new.
    First,
    /// The first record of the class has this number.
    Again(u64),
    /// The answer is not known yet. The record is set aside.
    Later,
}

/// A record and its key.
#[derive(Clone, Copy)]
pub(crate) struct Keyed<'a> {
    /// The number of the record. It is greater than the numbers of all records before it.
    pub(crate) number: u64,
    pub(crate) hash: u64,
    pub(crate) key: &'a [u8],
    pub(crate) bytes: &'a [u8],
}

/// A file of records that were set aside.
pub(crate) struct Aside {
    pub(crate) spool: Spool,
    /// How many times its records were divided into files.
    pub(crate) depth: u32,
}

/// The known keys.
pub(crate) struct Keys {
    table: HashTable<Kept>,
    texts: Texts,
    /// How many bytes the keys take.
    used: usize,
    /// How many bytes the keys may take.
    room: usize,
    /// How many times the records were divided into files before.
    depth: u32,
    /// The records that were set aside, by four bits of the hash.
    files: BTreeMap<u64, Spool>,
}

impl Keys {
    /// Returns an empty set for records that were divided `depth` times.
    pub(crate) fn new(room: usize, depth: u32) -> Self {
        let (table, texts, files) = (HashTable::new(), Texts::default(), BTreeMap::new());
        Self { table, texts, used: 0, room, depth, files }
    }

    /// Tells whether some record was set aside.
    pub(crate) fn is_full(&self) -> bool {
        !self.files.is_empty()
    }

    /// Reads what [`see`](Self::see) will read of the keys with some hashes.
    // PERF: each part of a large table is far from the CPU. The CPU reads the parts for several hashes at a time, because
    // no hash waits for the answer about another hash.
    pub(crate) fn fetch(&self, hashes: impl Iterator<Item = u64>) {
        for hash in hashes {
            let kept = self.table.find(hash, |kept| kept.hash == hash);
            std::hint::black_box(
                kept.and_then(|kept| self.texts.from(kept.place)?.first().copied()),
            );
        }
    }

    /// Looks up the key of a record. If `insert` is set, a new key is kept.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub(crate) fn see(&mut self, record: Keyed<'_>, insert: bool) -> io::Result<Seen> {
        let Keyed { number, hash, key, bytes } = record;
        // A key in memory is counted there also after the first record was set aside. So no record of its class is in a
        // file.
        let Self { table, texts, .. } = self;
        let is_same = |kept: &Kept| kept.hash == hash && texts.is_at(kept.place, key);
        if let Some(Kept { class, .. }) = table.find_mut(hash, is_same) {
            class.count += 1;
            return Ok(Seen::Again(class.first));
        }
        let size = key.len() + OVERHEAD;
        // The memory takes one key, however long it is.
        let fits = self.table.is_empty() || self.used + size <= self.room;
        if self.is_full() || (insert && !fits) {
            // Four bits of the hash by which the records of this file were not divided before; after 16 times, all
            // bits were used.
            let place = hash.rotate_left(4 * (self.depth % 16)) >> 60;
            let spool = match self.files.entry(place) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(Spool::new()?),
            };
            spool.push([number, hash], [key, bytes])?;
            return Ok(Seen::Later);
        }
        if insert {
            let (place, unused) = self.texts.push(key);
            self.used += size + unused;
            let class = Class { first: number, count: 1 };
            self.table.insert_unique(hash, Kept { hash, place, class }, |kept| kept.hash);
        }
        Ok(Seen::First)
    }

    /// Calls `each` with every class in memory, in any order, and returns the files of the records that were set
    /// aside.
    ///
    /// # Errors
    /// The errors of `each`.
    pub(crate) fn finish(
        self,
        each: impl FnMut(Class) -> io::Result<()>,
    ) -> io::Result<Vec<Aside>> {
        self.table.into_iter().map(|kept| kept.class).try_for_each(each)?;
        let depth = self.depth + 1;
        Ok(self.files.into_values().map(|spool| Aside { spool, depth }).collect())
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
            let (place, unused) = texts.push(&text);
            (used, wasted) = (used + LENGTH + length, wasted + unused);
            assert!(unused <= LONGEST + LENGTH);
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
