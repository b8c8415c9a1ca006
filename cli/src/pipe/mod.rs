//! Reads input in blocks of whole records, lets threads work on them, and puts their results in order.
//!
//! ```text
//! reader ──blocks──▶ worker 1 ─┐
//!    ▲               worker 2 ─┼─ in turn ─▶ output, standard error, counts
//!    └──── buffers ◀─────────── ┘
//! ```
//!
//! A worker takes any block, works on it, and waits until all blocks before it are written; then it
//! writes its own. So the output has the order of the input, no more blocks are in memory than there are
//! buffers, and what was read from a slow input is written at once. With one job, the same steps run one
//! after another in the main thread. Not here: where records end (`format`), and what a command does.

pub(crate) mod block;
pub(crate) mod copy;
pub(crate) mod interrupt;
pub(crate) mod reader;
pub(crate) mod sink;
pub(crate) mod turn;

use std::borrow::Cow;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select};

use crate::args::input::InputArgs;
use crate::format::{Field, Record};
use crate::invariant::present;
use crate::item_error::ItemError;
use crate::output::progress;
use crate::output::report::{self, Outcome, Place, Verbosity};
use crate::pipe::block::{Block, Work};
use crate::pipe::reader::Reader;
use crate::pipe::sink::{Shared, Sink, Tally};
use crate::pipe::turn::Turns;

/// What a run needs besides its input.
pub(crate) struct Options {
    /// After how many records that fail the run stops.
    pub(crate) failures: u64,
    /// Whether the names of the fields of each file are wanted.
    pub(crate) names: bool,
    /// Whether records must have a place for a new field.
    pub(crate) additions: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { failures: u64::MAX, names: false, additions: false }
    }
}

/// The result of a run.
pub(crate) struct Ended<T> {
    pub(crate) tally: T,
    /// Whether all input could be read.
    pub(crate) complete: bool,
    /// Whether the run stopped because of its limits.
    pub(crate) stopped: bool,
}

/// Runs `work` on each block of the input. `work` writes its results to the sink. `worker` makes what a
/// thread keeps from block to block.
///
/// `work` may run twice on a block: if the limit is reached in it, it runs again with what is left of the
/// limit, and the first result is dropped.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn run<'o, K, T: Tally>(
    input: &InputArgs,
    options: &Options,
    out: &'o mut (impl Write + Send),
    aside: Option<&'o mut (dyn Write + Send)>,
    worker: impl Fn() -> K + Sync,
    work: impl Fn(&mut K, &Block, &mut Sink<'_, 'o, T>) -> io::Result<()> + Sync,
) -> io::Result<Ended<T>> {
    let jobs = input.records.jobs.map_or_else(available, NonZeroUsize::get);
    let jobs = if input.items.is_empty() { jobs } else { 1 };
    interrupt::watch();
    let mut reader = Reader::new(input, options, jobs > 1);
    let turns = Turns::new(Shared::new(out, aside, options.failures));
    if jobs == 1 {
        let mut keep = worker();
        let mut buffer = Vec::new();
        while let Some(next) = reader.next(buffer) {
            turns.take(&next, &mut keep, &work);
            if turns.is_over() || interrupt::has_come() {
                break;
            }
            buffer = next.into_buffer();
        }
        return turns.finish();
    }
    // A block for each worker, one that waits, and one that is read.
    let buffers = jobs + 2;
    let (filled, blocks) = bounded(1);
    let (spare, emptied) = bounded(buffers);
    for _ in 0..buffers {
        let _ = spare.send(Vec::new());
    }
    let length = reader.length();
    // If the run stops early, the thread is not joined, because it may wait for input that never comes.
    thread::spawn(move || read_all(&mut reader, &emptied, &filled));
    // Nothing is sent here. The first worker that sees the end of the run drops the sender, and the
    // others, which may wait for a block, see that it is gone. An interrupt ends the run too.
    let (is_on, over) = bounded::<()>(0);
    let is_on = Mutex::new(Some(is_on));
    let (working, ended) = bounded::<()>(0);
    thread::scope(|scope| {
        if progress::is_wanted() && report::says(Verbosity::Usual) {
            scope.spawn(|| {
                progress::show(length, |time| {
                    ended.recv_timeout(time) == Err(RecvTimeoutError::Disconnected)
                })
            });
        }
        for _ in 0..jobs {
            let (blocks, spare, over) = (blocks.clone(), spare.clone(), over.clone());
            let working = working.clone();
            let (turns, is_on, worker, work) = (&turns, &is_on, &worker, &work);
            scope.spawn(move || {
                // The bar goes when the last worker does.
                let _working = working;
                let mut keep = worker();
                loop {
                    let next = select! {
                        recv(blocks) -> next => next.ok(),
                        recv(over) -> _ => None,
                        recv(interrupt::channel()) -> _ => None,
                    };
                    let Some(next) = next else { return };
                    turns.take(&next, &mut keep, work);
                    if turns.is_over() {
                        is_on.lock().unwrap_or_else(PoisonError::into_inner).take();
                        return;
                    }
                    let _ = spare.send(next.into_buffer());
                }
            });
        }
        // Only the workers hold these now, so the reader ends when they do.
        drop((blocks, spare, working));
    });
    turns.finish()
}

/// The text of a field, or its bytes and why they are no text.
pub(crate) type Item<'b> = Result<Cow<'b, [u8]>, (&'b [u8], ItemError)>;

/// Calls `each` with every address of the input and its place, and with every record that has none but
/// should.
///
/// # Errors
/// The errors of `each`, or the output cannot be written.
pub(crate) fn each_item<T: Tally>(
    input: &InputArgs,
    out: &mut (impl Write + Send),
    each: impl Fn(Place<'_>, &Item<'_>, &mut Sink<'_, '_, T>) -> io::Result<()> + Sync,
) -> io::Result<Ended<T>> {
    let work = |record: &mut Record, block: &Block, sink: &mut Sink<'_, '_, T>| {
        let bytes = block.bytes();
        let mut position = block.start();
        let mut written = Ok(());
        let _ = block.each(record, |record| {
            if let (Some(error), false) = (&record.error, record.is_filler) {
                let body = present(bytes.get(record.body.clone()));
                let place = block.place(&mut position, record.body.start);
                written = each(place, &Err((body, error.clone())), sink);
            }
            for Field { span, coding } in &record.fields {
                let raw = present(bytes.get(span.clone()));
                let item = coding.decode(raw).map_err(|error| (raw, error));
                let place = block.place(&mut position, span.start);
                written =
                    std::mem::replace(&mut written, Ok(())).and_then(|()| each(place, &item, sink));
            }
            if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        written?;
        match block.too_long() {
            Some((place, error)) => each(place, &Err((b"", error)), sink),
            None => Ok(()),
        }
    };
    run(input, &Options::default(), out, None, Record::default, work)
}

/// Fills buffers until the input or the run ends.
fn read_all(reader: &mut Reader, emptied: &Receiver<Vec<u8>>, filled: &Sender<Work>) {
    while let Ok(buffer) = emptied.recv() {
        let Some(next) = reader.next(buffer) else { return };
        if filled.send(next).is_err() {
            return;
        }
    }
}

/// Returns the number of cores.
fn available() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

impl<T> Ended<T> {
    /// Returns the outcome of a run in which some records failed.
    pub(crate) fn outcome(&self, failed: u64) -> Outcome {
        Outcome::new(self.complete, failed)
    }
}

/// Prints a message before the results of the next block.
fn note(out: &mut dyn Write, message: &str) -> io::Result<()> {
    out.flush()?;
    report::print_message(format_args!("{message}"));
    Ok(())
}
