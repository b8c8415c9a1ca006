//! The order of results: the results of a block are written when the results of all blocks before it are written.

/*
# The algorithm

A turn is the right to give results. The turns of a lane have the order of its steps. `next` is the number of the step
whose turn it is:

    take(n):  work on block n; its results go to memory
              wait until next = n, or until any block may write (no order)
              give the results
              next = n + 1, and wake all workers that wait

For example, two workers, and block 0 takes longer than block 1:

    worker 1   works on 0 ············· writes 0   works on 2 ···
    worker 2   works on 1 ····· waits              writes 1   works on 3 ···

The results of the first lane go to the output, standard error and the counts; those of a later lane are held (`backlog.rs`).
When a lane ends, and it is the first, the results that the next lane holds are written, and it is the first lane.

In the first lane, a worker with results in memory does not wait: it leaves them (`Held`), and the worker that ends the turn before
them writes them. So a worker that the system stops does not stop all others. The memory of these results is bounded (`HELD`). A run
with a limit holds no results, because only the turn knows the limit.

Without an order (`--unordered`), every block has its turn at once, from the end of the first block on. That block keeps the
order, because it writes a header. What later lanes hold then is written at its end.

Large results. If the results in memory become large, the block gives them before its work is finished (`during`). It
waits for its turn, and keeps the turn until `end`, also without an order (`alone`).

The limit. The run stops after a number of records that fail. How many records may still fail is known only in the turn
of a block, when all blocks before it are counted. So the work begins without a limit:

    left = the limit - the failed records of all blocks before
    if fewer than `left` records of this block failed, write the results
    otherwise drop the results, work on the block again with the limit `left`, and write them: the run is over

# Invariants

- Each call of `take` ends the turn of its step, leaves its results, or the run is over. Otherwise the workers after it wait forever.
  The step whose turn it is never leaves its results.
- A step of the first lane waits only for the steps before it, and the worker that ends one takes the next of this lane if no
  other worker has it (`lanes.rs`). So a worker that waits with a step of a later lane, whose backlog is full, waits for an end.
- `stopped` and `failure` are set before the workers that wait are woken. So each of them sees that the run is over.
*/

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::io::interrupt;
use crate::output::report::Outcome;
use crate::pipe::backlog::Backlog;
use crate::pipe::block::{Block, Step, Work};
use crate::pipe::options::Ended;
use crate::pipe::sink::{Held, Results, Shared, Sink, Stream, Turn};

/// The most memory of results that wait for their turn without a worker, in bytes, and the most blocks.
const HELD: (usize, usize) = (8 << 20, 1 << 10);

/// What a thread does with each block: it writes its results to the sink. What it keeps from block to block is inside.
pub(crate) type Worker<'w> = Box<dyn FnMut(&Block, &mut Sink<'_>) -> io::Result<()> + 'w>;

/// The steps whose turn it is, and where their workers may write.
pub(crate) struct Turns<'o> {
    state: Mutex<State<'o>>,
    moved: Condvar,
    /// Whether the order is kept after the first block.
    stays_ordered: bool,
    /// The number of the first lane whose results are not all written.
    first: AtomicUsize,
}

struct State<'o> {
    /// The lanes whose results are not all written, by their numbers.
    lanes: BTreeMap<usize, Queue>,
    /// The number of the first of these.
    first: usize,
    /// The step that keeps its turn, if there is no order.
    alone: Option<(usize, u64)>,
    /// Whether the order is kept from here on. Up to the first block it is always kept, because that block writes a
    /// header.
    is_ordered: bool,
    shared: Shared<'o>,
    /// Whether all input could be read so far.
    complete: bool,
    /// Whether the run stopped early.
    stopped: bool,
    failure: Option<io::Error>,
    /// How many workers wait for a turn.
    waiting: usize,
    /// The memory of the results that wait, and their number.
    held: (usize, usize),
    /// Memory of results that were written.
    spare: Vec<Vec<u8>>,
}

/// The turns of a lane.
#[derive(Default)]
struct Queue {
    /// The number of the step whose turn it is.
    next: u64,
    has_ended: bool,
    /// The results, unless this is the first lane.
    backlog: Backlog,
    /// The results of steps whose turn has not come.
    held: BTreeMap<u64, Held>,
}

impl State<'_> {
    fn lane(&mut self, number: usize) -> &mut Queue {
        self.lanes.entry(number).or_default()
    }

    /// Tells whether it is the turn of a step.
    fn is_turn(&mut self, (lane, number): (usize, u64)) -> bool {
        match self.alone {
            Some(alone) => alone == (lane, number),
            None if !self.is_ordered => true,
            None => {
                let is_first = lane == self.first;
                let queue = self.lane(lane);
                queue.next == number && (is_first || !queue.backlog.is_full())
            }
        }
    }

    /// Keeps the turn of a step until its end.
    fn stay(&mut self, place: (usize, u64)) {
        if !self.is_ordered {
            self.alone = Some(place);
        }
    }

    /// Returns where the results of a lane go.
    fn results(&mut self, lane: usize) -> &mut dyn Results {
        match self.is_ordered && lane > self.first {
            true => &mut self.lane(lane).backlog,
            false => &mut self.shared,
        }
    }

    /// Takes the results of a block of the first lane whose turn has not come, if they can wait. Returns whether it has them.
    fn hold(&mut self, (lane, number): (usize, u64), sink: &mut Sink<'_>) -> bool {
        let (bytes, count) = self.held;
        let is_early = self.lanes.get(&lane).is_some_and(|queue| queue.next < number);
        let has_room = bytes < HELD.0 && count < HELD.1;
        if lane != self.first || !is_early || !has_room || self.shared.has_limit() {
            return false;
        }
        let spare = &mut self.spare;
        let Some(held) = sink.hold(|| spare.pop().unwrap_or_default()) else { return false };
        self.held = (bytes + held.memory(), count + 1);
        self.lane(lane).held.insert(number, held);
        true
    }

    /// Ends the turn of a step of a lane, and of the steps after it whose results wait.
    fn pass(&mut self, lane: usize, number: u64) -> io::Result<()> {
        self.lane(lane).next = number + 1;
        loop {
            let queue = self.lane(lane);
            let Some(held) = queue.held.remove(&queue.next) else { return Ok(()) };
            queue.next += 1;
            self.held = (self.held.0 - held.memory(), self.held.1 - 1);
            let memory = held.finish(self.results(lane))?;
            self.spare.push(memory);
        }
    }

    /// Ends the order. What lanes hold is written, because their turn no longer comes.
    fn leave_order(&mut self) -> io::Result<()> {
        self.is_ordered = false;
        std::mem::take(&mut self.lanes)
            .into_values()
            .try_for_each(|lane| lane.backlog.replay(&mut self.shared))
    }

    /// Ends a lane. If it is the first, the results that the lanes after it hold are written, up to a lane that has not
    /// ended.
    fn end_lane(&mut self, number: usize) -> io::Result<()> {
        self.lane(number).has_ended = true;
        while self.lane(self.first).has_ended {
            self.lanes.remove(&self.first);
            self.first += 1;
            let backlog = std::mem::take(&mut self.lane(self.first).backlog);
            backlog.replay(&mut self.shared)?;
        }
        Ok(())
    }
}

impl Turn for Turns<'_> {
    fn during(
        &self,
        place: (usize, u64),
        write: &mut dyn FnMut(&mut dyn Results) -> io::Result<()>,
    ) -> bool {
        let Some(mut state) = self.wait(place) else { return false };
        state.stay(place);
        if let Err(error) = write(state.results(place.0)) {
            state.failure = Some(error);
            self.moved.notify_all();
            return false;
        }
        true
    }
}

impl<'o> Turns<'o> {
    pub(crate) fn new(shared: Shared<'o>, stays_ordered: bool) -> Self {
        let state = State {
            lanes: BTreeMap::new(),
            first: 0,
            alone: None,
            is_ordered: true,
            shared,
            complete: true,
            stopped: false,
            failure: None,
            waiting: 0,
            held: (0, 0),
            spare: Vec::new(),
        };
        let (state, moved, first) = (Mutex::new(state), Condvar::new(), AtomicUsize::new(0));
        Self { state, moved, stays_ordered, first }
    }

    /// Returns the number of the first lane whose results are not all written.
    pub(crate) fn first_lane(&self) -> usize {
        self.first.load(Ordering::Acquire)
    }

    fn lock(&self) -> MutexGuard<'_, State<'o>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the turn of a step. Returns `None` if the run is over.
    // The condition reads only fields under the lock. After each change that lets a worker go on, `notify_all` is
    // called. So no worker misses its turn. All workers are woken, because only one of them has the next number.
    fn wait(&self, place: (usize, u64)) -> Option<MutexGuard<'_, State<'o>>> {
        let mut state = self.lock();
        state.waiting += 1;
        let waited = self.moved.wait_while(state, |state| {
            !state.stopped && state.failure.is_none() && !state.is_turn(place)
        });
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        (!state.stopped && state.failure.is_none()).then_some(state)
    }

    /// Tells whether no further block is wanted.
    pub(crate) fn is_over(&self) -> bool {
        let state = self.lock();
        state.stopped || state.failure.is_some()
    }

    /// Does a step, writes its results in its turn, and ends the turn. The results are collected in `memory`.
    pub(crate) fn take(&self, next: &Work, work: &mut Worker<'_>, memory: &mut Vec<u8>) {
        let place = (next.lane, next.number);
        let block = match &next.step {
            Step::Block(block) => block,
            step => {
                if let Some(mut state) = self.wait(place) {
                    let written = match step {
                        Step::Note(message) => {
                            state.results(next.lane).put(Stream::Note, message.as_bytes())
                        }
                        Step::Trouble(message) => {
                            state.complete = false;
                            state.results(next.lane).put(Stream::Trouble, message.as_bytes())
                        }
                        Step::Block(_) | Step::End => Ok(()),
                    };
                    let ended = match step {
                        Step::End if state.is_ordered => state.end_lane(next.lane),
                        _ => Ok(()),
                    };
                    self.end(state, place, written.and(ended));
                }
                return;
            }
        };
        // For example, the limit is 3, and the blocks before had 2 failures, so `left` is 1. The records of this block
        // are good, bad, good, bad. The first work does not know `left` and finds 2 failures. The second work stops
        // after the first bad record. A block with fewer failures than `left` is worked on once.
        let mut sink = Sink::new(self, place, std::mem::take(memory));
        let mut worked = work(block, &mut sink);
        // What comes with the results of some blocks needs their turn.
        let is_plain = !block.is_first && block.long.is_none() && block.file.hint.is_none();
        if self.stays_ordered && is_plain && worked.is_ok() && self.lock().hold(place, &mut sink) {
            *memory = sink.into_memory();
            return;
        }
        let Some(mut state) = self.wait(place) else { return };
        let left = state.results(next.lane).failures_left();
        if sink.needs_rerun(left) {
            // No other block has a turn meanwhile, whether there is an order or not: its failures would count against the
            // same limit.
            state.stay(place);
            drop(state);
            sink.restart(left);
            worked = work(block, &mut sink);
            let Some(again) = self.wait(place) else { return };
            state = again;
        }
        let mut written = worked.and_then(|()| sink.finish(state.results(next.lane)));
        if block.long().is_some_and(|(_, long)| long.is_damage()) {
            state.complete = false;
            Outcome::Trouble.record();
        }
        // The record that fails may be in a block before.
        if let Some(hint) = &block.file.hint {
            let message = format!("{}: {hint}", block.file.name);
            let hinted = state.results(next.lane).put(Stream::Hint, message.as_bytes());
            written = written.and(hinted);
        }
        state.stopped = state.shared.failures_left() == 0;
        if block.is_first && !self.stays_ordered {
            written = written.and_then(|()| state.leave_order());
        }
        self.end(state, place, written);
        *memory = sink.into_memory();
    }

    /// Ends a turn: the next step of the lane has it, or any step if there is no order.
    fn end(
        &self,
        mut state: MutexGuard<'_, State<'o>>,
        (lane, number): (usize, u64),
        written: io::Result<()>,
    ) {
        if let Err(error) = written {
            state.failure.get_or_insert(error);
        }
        state.alone = None;
        if state.failure.is_none() && state.is_ordered && lane >= state.first {
            if let Err(error) = state.pass(lane, number) {
                state.failure = Some(error);
            }
        }
        self.first.store(state.first, Ordering::Release);
        let is_awaited = state.waiting > 0;
        drop(state);
        if is_awaited {
            self.moved.notify_all();
        }
    }

    /// Returns the result of the run.
    ///
    /// # Errors
    /// The output could not be written.
    pub(crate) fn finish(self) -> io::Result<Ended> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let State { mut shared, complete, stopped, failure, .. } = state;
        if let Some(error) = failure {
            return Err(error);
        }
        if let Some(tables) = shared.take_tables() {
            if !tables.finish()? && complete {
                return Err(io::Error::other("there is no record, so there are no columns"));
            }
        }
        shared.finish()?;
        let stopped = stopped || interrupt::has_come();
        Ok(Ended { tally: shared.tally, complete, stopped, failures: shared.failures })
    }
}
