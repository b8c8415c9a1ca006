//! The readers of the input: one for all files, or one for each file. Not here: where the results of a later file wait
//! (`turn.rs`, `backlog.rs`).

/*
# The algorithm

A lane is a reader, and the results of its blocks in order. A worker takes the reader of a lane, reads a block, gives the
reader back, and works on the block:

    for each open lane, in the order of the files:
        if its reader is free: take a part of its file (`claims.rs`), or the reader
        if its bytes are cheap to read, and the output has an order: stop, because the reader is soon free
    if no reader is free, and every open lane is slow: open a lane for the next file
    otherwise wait until a reader is given back

A lane is slow if its file is decompressed or decoded. So a plain file is read by all workers before the next file is
opened, and of 16 compressed files 16 workers decompress one each.

For example, two workers, a.gz with two blocks and b.gz with one block:

    worker 1   reads a0   works   reads a1    works            takes the end of a
    worker 2              opens b, reads b0   works on b0: its results are held until a has ended

# Invariants

- The lanes in `open` are in the order of the files. A reader is in its lane, or a worker reads with it.
- Until the first block of the input is read, at most one lane is open: it decides the header, and the order begins.
- At most `MOST` lanes have results that are not written, so the memory of the results is bounded.
- Each lane gives [`Step::End`] once, after all its blocks.
*/

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::io::interrupt;
use crate::pipe::block::{Step, Work};
use crate::pipe::claims::Claim;
use crate::pipe::reader::Reader;
use crate::pipe::turn::Turns;

/// The most lanes that have results which are not written. Each may hold a file that is open.
const MOST: usize = 64;

/// The readers of the input.
pub(crate) struct Lanes {
    state: Mutex<Open>,
    /// A reader was given back, the results of a lane were written, or the run is over.
    moved: Condvar,
    is_ordered: bool,
}

struct Open {
    open: Vec<Lane>,
    /// The files that no lane has.
    rest: Option<Reader>,
    /// How many lanes were opened.
    count: usize,
    /// Whether no further step is wanted.
    is_over: bool,
}

struct Lane {
    number: usize,
    /// `None` while a worker reads with it.
    reader: Option<Box<Reader>>,
    is_slow: bool,
}

/// What a worker reads next, and the number of its lane.
enum Taken {
    Reader(usize, Box<Reader>),
    /// A part of a file, and the number of its step. The reader stays in its lane.
    Claim(usize, u64, Claim),
}

impl Lanes {
    /// Returns the lanes of an input. If `may_split` is set, each file has its own lane. `is_ordered` tells whether the
    /// results of a lane wait for those of the lanes before.
    pub(crate) fn new(reader: Reader, may_split: bool, is_ordered: bool) -> Self {
        let mut state = Open { open: Vec::new(), rest: None, count: 0, is_over: false };
        if may_split && reader.files() > 1 {
            state.rest = Some(reader);
        } else {
            state.open.push(Lane { number: 0, reader: Some(Box::new(reader)), is_slow: false });
            state.count = 1;
        }
        Self { state: Mutex::new(state), moved: Condvar::new(), is_ordered }
    }

    /// Returns the next step of any lane; `None` at the end of the input, after an interrupt, or after [`stop`](Self::stop).
    pub(crate) fn next(&self, buffer: Vec<u8>, turns: &Turns<'_>) -> Option<Work> {
        let (lane, mut reader) = match self.take(turns)? {
            Taken::Reader(lane, reader) => (lane, reader),
            Taken::Claim(lane, number, claim) => {
                return Some(Work { lane, number, step: claim.read(buffer) });
            }
        };
        let next = reader.next(buffer);
        // A reader also ends when a signal comes. Then its lane has no end.
        let is_interrupted = next.is_none() && interrupt::has_come();
        let mut state = self.lock();
        let at = state.open.iter().position(|open| open.number == lane);
        let work = match next {
            Some(work) => {
                if let Some(open) = at.and_then(|at| state.open.get_mut(at)) {
                    (open.is_slow, open.reader) = (reader.is_slow(), Some(reader));
                }
                Some(Work { lane, ..work })
            }
            None => {
                at.map(|at| state.open.remove(at));
                let number = reader.count();
                (!is_interrupted).then_some(Work { lane, number, step: Step::End })
            }
        };
        drop(state);
        self.wake();
        work
    }

    /// Takes a part of a file, or the reader of a lane.
    fn take(&self, turns: &Turns<'_>) -> Option<Taken> {
        let mut state = self.lock();
        loop {
            // Asked before the reader gives a step its number: if a step were dropped, the step after it would wait for a
            // turn that never comes.
            if interrupt::has_come() || state.is_over {
                return None;
            }
            let mut is_blocked = false;
            for lane in &mut state.open {
                let claim = lane.reader.as_mut().and_then(|reader| reader.claim());
                if let Some((number, claim)) = claim {
                    return Some(Taken::Claim(lane.number, number, claim));
                }
                if let Some(reader) = lane.reader.take() {
                    return Some(Taken::Reader(lane.number, reader));
                }
                is_blocked |= self.is_ordered && !lane.is_slow;
                if is_blocked {
                    break;
                }
            }
            let Open { open, rest, count, .. } = &mut *state;
            let is_held = self.is_ordered && *count - turns.first_lane() >= MOST;
            let has_begun = open.is_empty() || rest.as_ref().is_some_and(Reader::has_begun);
            if !is_blocked && !is_held && has_begun {
                let reader = rest.as_mut().and_then(Reader::split);
                if let Some(reader) = reader {
                    let number = *count;
                    *count += 1;
                    open.push(Lane { number, reader: None, is_slow: false });
                    return Some(Taken::Reader(number, Box::new(reader)));
                }
                if open.is_empty() {
                    return None;
                }
            }
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Wakes the workers that wait for a reader, or for the results of a lane to be written.
    pub(crate) fn wake(&self) {
        self.moved.notify_all();
    }

    /// Ends the waits of all workers.
    pub(crate) fn stop(&self) {
        self.lock().is_over = true;
        self.wake();
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
