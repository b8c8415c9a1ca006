//! Sorts entries that may not fit into memory: by class, then by number.
//!
//! Entries are gathered in memory. When the memory is full, they are sorted and written to a file as a *run*. At the
//! end, all runs are merged: a heap has the order of the first entry of each run, and gives the least of them.
//!
//! Each run that is merged needs a buffer. So that many runs need no more memory than few, runs of one level are merged
//! into one run of the next level as soon as there are [`Sorter::fan`] of them:
//!
//! ```text
//! level 0   run run run … ──merge──▶ one run of level 1
//! level 1   run run …     ──merge──▶ one run of level 2
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom};

use crate::classes::spool;
use crate::invariant::present;
use crate::io::temporary;

/// The order of an entry: its class, then its number.
pub(crate) type Order = (u64, u64);

/// The least number of bytes that are read of a run at a time.
const LEAST: usize = 1 << 12;
/// The greatest number of bytes that are read of a run at a time.
const MOST: usize = 1 << 16;
/// The least number of runs of a level that are merged.
const LEAST_RUNS: usize = 16;

/// Entries, sorted or not yet.
pub(crate) struct Sorter {
    /// How many bytes of memory the entries may take.
    room: usize,
    /// The entries in memory: the order of each, and the end of its bytes.
    entries: Vec<(Order, usize)>,
    /// The bytes of the entries in memory, one entry after another.
    bytes: Vec<u8>,
    levels: Vec<Level>,
}

/// Runs of one level.
struct Level {
    /// The runs, one after another.
    file: BufWriter<File>,
    /// The end of each run in the file.
    ends: Vec<u64>,
}

impl Level {
    fn new() -> io::Result<Self> {
        Ok(Self { file: BufWriter::with_capacity(MOST, temporary::file()?), ends: Vec::new() })
    }

    /// Ends a run.
    fn end(&mut self) -> io::Result<()> {
        self.ends.push(self.file.stream_position()?);
        Ok(())
    }
}

impl Sorter {
    pub(crate) fn new(room: usize) -> Self {
        Self { room, entries: Vec::new(), bytes: Vec::new(), levels: Vec::new() }
    }

    /// How many runs of a level are merged into one: as many as have a buffer in the room.
    fn fan(&self) -> usize {
        (self.room / LEAST).max(LEAST_RUNS)
    }

    /// Adds an entry. No two entries have the same order.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    // For example, with room for two entries, the orders 3 1 2 5 4 make three runs:
    //
    //     runs     1 3 | 2 5 | 4
    //     heap     1 2 4      the least order of each run
    //     output   1, and 3 takes its place in the heap; 2, and 5 takes its place; 3; 4; 5
    //
    // Invariant: if an entry is longer than the room, it is alone in memory.
    pub(crate) fn push(&mut self, order: Order, bytes: &[u8]) -> io::Result<()> {
        let used = self.bytes.len() + self.entries.len() * size_of::<(Order, usize)>();
        // Buffers that grow take up to twice their content.
        if !self.entries.is_empty() && 2 * (used + bytes.len()) > self.room {
            self.flush()?;
        }
        self.bytes.extend_from_slice(bytes);
        self.entries.push((order, self.bytes.len()));
        Ok(())
    }

    /// Calls `each` with the entries in memory, sorted, and forgets them.
    fn drain(&mut self, mut each: impl FnMut(Order, &[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut start = 0;
        let mut spans: Vec<_> = self
            .entries
            .drain(..)
            .map(|(order, end)| (order, std::mem::replace(&mut start, end)..end))
            .collect();
        spans.sort_unstable_by_key(|(order, _)| *order);
        for (order, span) in spans {
            each(order, present(self.bytes.get(span)))?;
        }
        self.bytes.clear();
        Ok(())
    }

    /// Writes a run.
    fn flush(&mut self) -> io::Result<()> {
        let mut level = match self.levels.is_empty() {
            true => Level::new()?,
            false => self.levels.swap_remove(0),
        };
        self.drain(|(class, number), bytes| {
            spool::push(&mut level.file, [class, number], [bytes]).map_err(temporary::trouble)
        })?;
        level.end()?;
        self.levels.push(level);
        let last = self.levels.len() - 1;
        self.levels.swap(0, last);
        self.settle()?;
        // If an entry was longer than the room, its memory is given back.
        self.bytes.shrink_to(self.room);
        Ok(())
    }

    /// Merges the runs of each level that has enough of them.
    // For example, with a fan of two:
    //
    //     level 0   A B      merged: AB is a run of level 1, and level 0 is empty
    //     level 1   CD AB    merged: CDAB is a run of level 2
    fn settle(&mut self) -> io::Result<()> {
        let (fan, mut number) = (self.fan(), 0);
        while self.levels.get(number).is_some_and(|level| level.ends.len() >= fan) {
            if number + 1 == self.levels.len() {
                self.levels.push(Level::new()?);
            }
            let [full, next] = present(self.levels.get_mut(number..number + 2)) else { break };
            let full = std::mem::replace(full, Level::new()?);
            merge(vec![full], self.room, |(class, record), bytes| {
                spool::push(&mut next.file, [class, record], [bytes]).map_err(temporary::trouble)
            })?;
            next.end()?;
            number += 1;
        }
        Ok(())
    }

    /// Calls `each` with all entries, sorted.
    ///
    /// # Errors
    /// The errors of `each`, and of the temporary file.
    pub(crate) fn finish(
        mut self,
        each: impl FnMut(Order, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        // All entries fit into memory, and no file is made.
        if self.levels.is_empty() {
            return self.drain(each);
        }
        self.flush()?;
        merge(self.levels, self.room, each)
    }
}

/// Calls `each` with the entries of all runs, sorted.
fn merge(
    levels: Vec<Level>,
    room: usize,
    mut each: impl FnMut(Order, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut files = Vec::new();
    for Level { file, ends } in levels {
        files.push((
            file.into_inner().map_err(|error| temporary::trouble(error.into_error()))?,
            ends,
        ));
    }
    // The buffers of all runs together take the room that the entries had; with very many runs, `LEAST` for each run.
    let count = files.iter().map(|(_, ends)| ends.len()).sum::<usize>();
    let buffer = (room / count.max(1)).clamp(LEAST, MOST);
    let mut runs = Vec::new();
    for (file, ends) in &files {
        let mut start = 0;
        runs.extend(ends.iter().map(|end| {
            let run = Run { at: std::mem::replace(&mut start, *end), end: *end, file };
            (BufReader::with_capacity(buffer, run), [Vec::new()])
        }));
    }
    // For each run that is not at its end: the bytes of its next entry are in `runs`, and the order is in the heap.
    let mut heap = BinaryHeap::new();
    for (number, (run, text)) in runs.iter_mut().enumerate() {
        let next = spool::read(run, text)?;
        heap.extend(next.map(|order: [u64; 2]| Reverse((order, number))));
    }
    while let Some(Reverse(([class, record], number))) = heap.pop() {
        let Some((run, text)) = runs.get_mut(number) else { continue };
        let [bytes] = &*text;
        each((class, record), bytes)?;
        let next = spool::read(run, text)?;
        // At the end of a run, `next` is `None`, and the heap has one run less.
        heap.extend(next.map(|order: [u64; 2]| Reverse((order, number))));
    }
    Ok(())
}

/// The rest of a run. All runs share the position of the file, so each read sets it.
struct Run<'f> {
    at: u64,
    end: u64,
    file: &'f File,
}

impl Read for Run<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file;
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.take(self.end - self.at).read(room)?;
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_whatever_the_room() {
        // Numbers that jump: 7919 is prime to 1000.
        let orders: Vec<Order> = (0..1000).map(|n| (n * 7919 % 1000 / 3, n)).collect();
        let mut expected: Vec<_> =
            orders.iter().map(|order| (*order, vec![b'x'; order.1 as usize % 50])).collect();
        expected.sort();
        for room in [0, 100, 5_000, 1 << 20] {
            let mut sorter = Sorter::new(room);
            for order in &orders {
                sorter.push(*order, &vec![b'x'; order.1 as usize % 50]).unwrap();
            }
            assert_eq!(!sorter.levels.is_empty(), room < 1 << 20);
            // The number of runs, each of which needs a buffer, does not grow with the entries.
            assert!(sorter.levels.len() < 4);
            assert!(sorter.levels.iter().all(|level| level.ends.len() < sorter.fan()));
            let mut found = Vec::new();
            let push = |order, bytes: &[u8]| {
                found.push((order, bytes.to_vec()));
                Ok(())
            };
            sorter.finish(push).unwrap();
            assert_eq!(found, expected, "{room}");
        }
        Sorter::new(0).finish(|_, _| Err(io::Error::other("no entry"))).unwrap();
    }
}
