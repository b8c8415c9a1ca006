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
//! Keys are compared as texts. The hash only tells the place.

use std::collections::btree_map::{BTreeMap, Entry};
use std::collections::hash_map::HashMap;
use std::hash::BuildHasher;
use std::io;

use crate::classes::spool::Spool;

/// The bytes of memory that a key takes besides its text: its place in a table that is at least 7/16 full, its place in
/// the table of twice the size to which the table is copied, and the memory of the allocator.
const OVERHEAD: usize = 136;

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
pub(crate) struct Keys<S> {
    classes: HashMap<Box<[u8]>, Class, S>,
    /// How many bytes the keys take.
    used: usize,
    /// How many bytes the keys may take.
    room: usize,
    /// How many times the records were divided into files before.
    depth: u32,
    /// The records that were set aside, by four bits of the hash.
    files: BTreeMap<u64, Spool>,
}

impl<S: BuildHasher> Keys<S> {
    /// Returns an empty set for records that were divided `depth` times.
    pub(crate) fn new(room: usize, depth: u32, hasher: S) -> Self {
        let classes = HashMap::with_hasher(hasher);
        Self { classes, used: 0, room, depth, files: BTreeMap::new() }
    }

    /// Tells whether some record was set aside.
    pub(crate) fn is_full(&self) -> bool {
        !self.files.is_empty()
    }

    /// Looks up the key of a record. If `insert` is set, a new key is kept.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub(crate) fn see(&mut self, record: Keyed<'_>, insert: bool) -> io::Result<Seen> {
        let Keyed { number, key, bytes } = record;
        // A key in memory is counted there also after the first record was set aside. So no record of its class is in a
        // file.
        if let Some(class) = self.classes.get_mut(key) {
            class.count += 1;
            return Ok(Seen::Again(class.first));
        }
        let size = key.len() + OVERHEAD;
        // The memory takes one key, however long it is.
        let fits = self.classes.is_empty() || self.used + size <= self.room;
        if self.is_full() || (insert && !fits) {
            // Four bits of the hash by which the records of this file were not divided before; after 16 times, all
            // bits were used.
            let hash = self.classes.hasher().hash_one(key);
            let place = hash.rotate_left(4 * (self.depth % 16)) >> 60;
            let spool = match self.files.entry(place) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(Spool::new()?),
            };
            spool.push([number], [key, bytes])?;
            return Ok(Seen::Later);
        }
        if insert {
            self.used += size;
            self.classes.insert(Box::from(key), Class { first: number, count: 1 });
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
        self.classes.into_values().try_for_each(each)?;
        let depth = self.depth + 1;
        Ok(self.files.into_values().map(|spool| Aside { spool, depth }).collect())
    }
}
