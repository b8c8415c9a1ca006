//! The run: threads that take blocks, and the same steps without threads. Not here: whose turn it is to
//! write.

use std::borrow::Cow;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crossbeam_channel::{RecvTimeoutError, bounded};

use crate::args::input::InputArgs;
use crate::format::Record;
use crate::invariant::present;
use crate::io::interrupt::{self, Patience};
use crate::item_error::ItemError;
use crate::output::progress;
use crate::output::report::{self, Place, Verbosity};
use crate::pipe::block::{Block, Work};
use crate::pipe::feed::Feed;
use crate::pipe::lanes::Lanes;
use crate::pipe::options::{Beside, Ended, Options};
use crate::pipe::reader::Reader;
use crate::pipe::sink::{Shared, Sink};
use crate::pipe::turn::{Turns, Worker};

/// Works on each block of the input. `worker` makes the worker of a thread.
///
/// A worker may see a block twice: if the limit of the run is reached in the block, the results are dropped, and
/// the work is done again with the number of records that may still fail (`turn.rs`).
///
/// # Errors
/// The output cannot be written.
pub(crate) fn run<'o, 'w>(
    input: &InputArgs,
    options: &Options,
    out: &'o mut (dyn Write + Send),
    beside: Beside<'o>,
    worker: &(dyn Fn() -> Worker<'w> + Sync),
) -> io::Result<Ended> {
    let jobs = input.records.jobs.map_or_else(available, NonZeroUsize::get);
    let jobs = if input.items.is_empty() { jobs } else { 1 };
    interrupt::watch(false);
    let mut reader = Reader::new(input, options, jobs);
    // The results of later files wait in memory. A table cannot wait, and a limit is known only in its turn.
    let has_limit = options.limit.failures() != u64::MAX;
    let may_split = !has_limit && !options.needs_order && beside.tables.is_none();
    // Counts need no order, but messages about several files have the order of the files.
    let needs_none = options.only_counts && !(may_split && reader.files() > 1);
    let is_ordered = !(input.records.unordered || needs_none);
    let turns = Turns::new(Shared::new(out, beside, options.limit.failures()), is_ordered);
    // The threads of a run, and what ends each thread:
    //
    //     worker   `feed.next` has no step: the input has ended, a signal came, `over` is closed; or the run is over
    //     reader   the input has ended, a signal came, or no worker holds the channels of the feed any more
    //     this     `ended` is closed: the last worker has ended. It shows the progress, and looks for signals
    //
    // The results are in order because each step has a number, and `turns` lets the numbers write one after another.
    // With one job, this loop is the reader and the worker, and no number waits.
    if jobs == 1 {
        let (mut work, mut buffer, mut memory) = (worker(), Vec::new(), Vec::new());
        while let Some(next) = reader.next(buffer).map(Work::with_links) {
            turns.take(&next, &mut work, &mut memory);
            if turns.is_over() || interrupt::has_come() {
                break;
            }
            buffer = next.into_buffer();
        }
        return turns.finish();
    }
    let length = reader.length();
    let feed = match length {
        Some(_) => Feed::own(Lanes::new(reader, may_split, is_ordered)),
        None => Feed::thread(reader, jobs),
    };
    // Nothing is sent to these channels: they only close. The first worker that sees that the run is over drops
    // `is_on`; then `over` is closed, and workers that wait for a block end. `ended` is closed when the last worker
    // has dropped `working`.
    let (is_on, over) = bounded::<()>(0);
    let is_on = Mutex::new(Some(is_on));
    let (working, ended) = bounded::<()>(0);
    thread::scope(|scope| {
        let mut started = 0;
        for number in 0..jobs {
            let (mut feed, over, working) = (feed.clone(), over.clone(), working.clone());
            let (turns, is_on) = (&turns, &is_on);
            let run = move || {
                // This thread ends its wait when the last worker ends.
                let _working = working;
                let (mut work, mut memory) = (worker(), Vec::new());
                while let Some(next) = feed.next(&over, turns).map(Work::with_links) {
                    turns.take(&next, &mut work, &mut memory);
                    if turns.is_over() {
                        is_on.lock().unwrap_or_else(PoisonError::into_inner).take();
                        feed.stop();
                        return;
                    }
                    feed.give_back(next);
                }
            };
            // Without a single thread, this thread does the work. Otherwise those that started do.
            match thread::Builder::new().spawn_scoped(scope, run.clone()) {
                Ok(_) => started += 1,
                Err(_) if started == 0 && number + 1 == jobs => run(),
                Err(_) => {}
            }
        }
        // Now only the workers hold copies. So the thread that reads ends when the workers end, and the wait too.
        drop((feed, working));
        let patience = Patience::default();
        let wait = |time| {
            patience.look();
            ended.recv_timeout(time) == Err(RecvTimeoutError::Disconnected)
        };
        if progress::is_wanted() && report::says(Verbosity::Usual) {
            progress::show(length, wait);
        } else {
            while !wait(interrupt::LOOK) {}
        }
    });
    turns.finish()
}

/// The text of a field; or its bytes, and the reason why they are not text.
pub(crate) type Item<'b> = Result<Cow<'b, [u8]>, (&'b [u8], ItemError)>;

/// Returns a worker that calls `each` with every address of a block and its place, and with every record that does not
/// have an address but should.
pub(crate) fn items<'w>(
    each: impl Fn(Place<'_>, &Item<'_>, &mut Sink<'_>) -> io::Result<()> + 'w,
) -> Worker<'w> {
    let mut record = Record::default();
    Box::new(move |block, sink| each_item(&mut record, block, sink, &each))
}

/// Does what the worker of [`items`] does with a block.
///
/// # Errors
/// The errors of `each`.
pub(crate) fn each_item(
    record: &mut Record,
    block: &Block,
    sink: &mut Sink<'_>,
    each: impl Fn(Place<'_>, &Item<'_>, &mut Sink<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let bytes = block.bytes();
    let mut position = block.start();
    block.each_while(record, sink, |record, sink| {
        // A record with an error may have fields too, such as a document. The error comes before the fields.
        if let (Some(error), false) = (&record.error, record.is_filler) {
            let body = present(bytes.get(record.body.clone()));
            let place = block.place(&mut position, record.body.start);
            each(place, &Err((body, error.clone())), sink)?;
        }
        for field in &record.fields {
            if sink.is_full() {
                break;
            }
            let raw = present(bytes.get(field.span.clone()));
            let item = block.file.layout.item(bytes, record, field);
            let place = block.place(&mut position, field.span.start);
            each(place, &item.map_err(|error| (raw, error)), sink)?;
        }
        Ok(())
    })?;
    match block.long() {
        Some((place, long)) if !sink.is_full() => each(place, &Err((b"", long.error())), sink),
        _ => Ok(()),
    }
}

/// Returns the number of cores.
fn available() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
