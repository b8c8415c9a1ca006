//! The order of results: a worker writes the results of its block when the results of all blocks before it are
//! written.

/*
# The algorithm

A turn is the right to use the output, standard error and the counts. The turns have the order of the input. `next` is
the number of the block whose turn it is:

    take(n):  work on block n; its results go to memory
              wait until next = n, or until any block may write (next = None)
              write the results
              next = n + 1, and wake all workers that wait

For example, two workers, and block 0 takes longer than block 1:

    worker 1   works on 0 ············· writes 0   works on 2 ···
    worker 2   works on 1 ····· waits              writes 1   works on 3 ···

Without an order (`--unordered`), `next` is `None` from the end of the first block on. That block keeps the order,
because it writes a header.

Large results. If the results in memory become large, the block writes them before its work is finished (`during`). It
waits for its turn, sets `next` to its own number, and so keeps the turn until `end`, also without an order.

The limit. The run stops after a number of records that fail. How many records may still fail is known only in the turn
of a block, when all blocks before it are counted. So the work begins without a limit:

    left = the limit - the failed records of all blocks before
    if fewer than `left` records of this block failed, write the results
    otherwise drop the results, work on the block again with the limit `left`, and write them: the run is over

# Invariants

- Each call of `take` ends the turn of its step, or the run is over. Otherwise the workers after it wait forever.
- `stopped` and `failure` are set before the workers that wait are woken. So each of them sees that the run is over.
*/

use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::io::interrupt;
use crate::output::report::{self, Outcome, Verbosity};
use crate::pipe::block::{Block, Step, Work};
use crate::pipe::options::Ended;
use crate::pipe::sink::{Shared, Sink, Turn};

/// What a thread does with each block: it writes its results to the sink. What it keeps from block to block is inside.
pub(crate) type Worker<'w> = Box<dyn FnMut(&Block, &mut Sink<'_>) -> io::Result<()> + 'w>;

/// The block whose turn it is, and the output that its worker may use.
pub(crate) struct Turns<'o> {
    state: Mutex<State<'o>>,
    moved: Condvar,
    /// Whether the order is kept after the first block.
    stays_ordered: bool,
}

struct State<'o> {
    /// The number of the block whose turn it is; `None` if any block may write.
    next: Option<u64>,
    /// Whether the order is kept from here on. Up to the first block it is always kept, because that block writes a
    /// header.
    is_ordered: bool,
    shared: Shared<'o>,
    /// Whether all input could be read so far.
    complete: bool,
    /// Whether the run stopped early.
    stopped: bool,
    /// Whether a hint about the format was printed. One hint is enough.
    has_hinted: bool,
    failure: Option<io::Error>,
}

impl Turn for Turns<'_> {
    fn during(
        &self,
        number: u64,
        write: &mut dyn FnMut(&mut Shared<'_>) -> io::Result<()>,
    ) -> bool {
        let Some(mut state) = self.wait(number) else { return false };
        // Without an order, `next` was `None`. Now all other blocks wait until this block calls `end`.
        state.next = Some(number);
        if let Err(error) = write(&mut state.shared) {
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
            next: Some(0),
            is_ordered: true,
            shared,
            complete: true,
            stopped: false,
            has_hinted: false,
            failure: None,
        };
        Self { state: Mutex::new(state), moved: Condvar::new(), stays_ordered }
    }

    fn lock(&self) -> MutexGuard<'_, State<'o>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the turn of a block. Returns `None` if the run is over.
    // The condition reads only fields under the lock. After each change that lets a worker go on, `notify_all` is
    // called. So no worker misses its turn. All workers are woken, because only one of them has the next number.
    fn wait(&self, number: u64) -> Option<MutexGuard<'_, State<'o>>> {
        let state = self.moved.wait_while(self.lock(), |state| {
            state.next.is_some_and(|next| next != number)
                && !state.stopped
                && state.failure.is_none()
        });
        let state = state.unwrap_or_else(PoisonError::into_inner);
        (!state.stopped && state.failure.is_none()).then_some(state)
    }

    /// Tells whether no further block is wanted.
    pub(crate) fn is_over(&self) -> bool {
        let state = self.lock();
        state.stopped || state.failure.is_some()
    }

    /// Does a step, writes its results in its turn, and ends the turn. The results are collected in `memory`.
    pub(crate) fn take(&self, next: &Work, work: &mut Worker<'_>, memory: &mut Vec<u8>) {
        let block = match &next.step {
            Step::Block(block) => block,
            Step::Note(message) | Step::Trouble(message) => {
                let is_trouble = matches!(next.step, Step::Trouble(_));
                if let Some(mut state) = self.wait(next.number) {
                    state.complete &= !is_trouble;
                    if is_trouble {
                        Outcome::Trouble.record();
                    }
                    let written = note(state.shared.out, message);
                    self.end(state, written);
                }
                return;
            }
        };
        // For example, the limit is 3, and the blocks before had 2 failures, so `left` is 1. The records of this block
        // are good, bad, good, bad. The first work does not know `left` and finds 2 failures. The second work stops
        // after the first bad record. A block with fewer failures than `left` is worked on once.
        let mut sink = Sink::new(self, next.number, std::mem::take(memory));
        let mut worked = work(block, &mut sink);
        let Some(mut state) = self.wait(next.number) else { return };
        let left = state.shared.failures_left();
        if sink.needs_rerun(left) {
            // No other block has a turn meanwhile, whether there is an order or not: its failures would count against the
            // same limit.
            state.next = Some(next.number);
            drop(state);
            sink.restart(left);
            worked = work(block, &mut sink);
            let Some(again) = self.wait(next.number) else { return };
            state = again;
        }
        let mut written = worked.and_then(|()| sink.finish(&mut state.shared));
        if block.long().is_some_and(|(_, long)| long.is_damage()) {
            state.complete = false;
            Outcome::Trouble.record();
        }
        // `finish` has added the failures of this block to the shared counts. The record that fails may be in a block before.
        let hint = block.file.hint.as_ref().filter(|_| state.shared.tally.failed() > 0);
        if let Some(hint) = hint.filter(|_| !state.has_hinted && report::says(Verbosity::Usual)) {
            state.has_hinted = true;
            let message = format!("{}: {hint}", block.file.name);
            written = written.and_then(|()| note(state.shared.out, &message));
        }
        state.stopped = state.shared.failures_left() == 0;
        state.is_ordered &= self.stays_ordered || !block.is_first;
        self.end(state, written);
        *memory = sink.into_memory();
    }

    /// Ends a turn: the next block has it, or any block if there is no order.
    fn end(&self, mut state: MutexGuard<'_, State<'o>>, written: io::Result<()>) {
        if let Err(error) = written {
            state.failure.get_or_insert(error);
        }
        // Without an order, `next` becomes `None`, also if a block with large results has set it.
        state.next = state.next.filter(|_| state.is_ordered).map(|next| next + 1);
        drop(state);
        self.moved.notify_all();
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
        shared.flush()?;
        let stopped = stopped || interrupt::has_come();
        Ok(Ended { tally: shared.tally, complete, stopped, failures: shared.failures })
    }
}

/// Prints a message before the results of the next block.
fn note(out: &mut dyn Write, message: &str) -> io::Result<()> {
    out.flush()?;
    report::print_message(format_args!("{message}"));
    Ok(())
}
