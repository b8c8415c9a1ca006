//! The source of blocks for the workers: the workers read in turn, or another thread reads.

use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, select};

use crate::io::interrupt;
use crate::pipe::block::{Step, Work};
use crate::pipe::lanes::Lanes;
use crate::pipe::reader::Reader;
use crate::pipe::turn::Turns;

/// The source of the blocks of a worker.
#[derive(Clone)]
pub(crate) enum Feed {
    /// The worker reads. Each worker keeps its own buffer.
    ///
    /// PERF: a block is in the cache of the core that works on it, and no thread wakes another for it.
    Own(Arc<Lanes>, Vec<u8>),
    /// A thread reads, and takes the buffers back.
    Thread(Receiver<Work>, Sender<Vec<u8>>),
}

impl Feed {
    /// Returns the feed of workers that read `lanes`.
    pub(crate) fn own(lanes: Lanes) -> Self {
        Self::Own(Arc::new(lanes), Vec::new())
    }

    /// Returns the feed of a number of workers for which a thread reads, because a read may wait for input that never
    /// comes. The thread is not joined, so that the run can end without it.
    pub(crate) fn thread(reader: Reader, jobs: usize) -> Self {
        // A buffer for the block of each worker, for a block that waits, and for a block that is read.
        let buffers = jobs + 2;
        let (filled, blocks) = bounded(1);
        // Each step takes one buffer from the channel, and gives at most one buffer back. So the channel is never full,
        // and a worker never waits for it. If all buffers are in use, the reader waits: this bounds the memory.
        let (spare, emptied) = bounded(buffers);
        for _ in 0..buffers {
            let _ = spare.send(Vec::new());
        }
        // The reader goes to the thread when the thread is there. If the system makes none, the workers read.
        let (sender, receiver) = bounded::<Reader>(1);
        let reading = move || {
            if let Ok(mut reader) = receiver.recv() {
                read_all(&mut reader, &emptied, &filled);
            }
        };
        if thread::Builder::new().spawn(reading).is_err() {
            return Self::own(Lanes::new(reader, false, true));
        }
        let _ = sender.send(reader);
        Self::Thread(blocks, spare)
    }

    /// Returns the next step; `None` at the end of the input, after an interrupt, or when `over` has no sender any
    /// more.
    pub(crate) fn next(&mut self, over: &Receiver<()>, turns: &Turns<'_>) -> Option<Work> {
        match self {
            Self::Own(lanes, buffer) => lanes.next(std::mem::take(buffer), turns),
            Self::Thread(blocks, _) => loop {
                select! {
                    recv(blocks) -> next => return next.ok(),
                    recv(over) -> _ => return None,
                    default(interrupt::LOOK) => {}
                }
                if interrupt::has_come() {
                    return None;
                }
            },
        }
    }

    /// Takes the buffer of a step that is done.
    pub(crate) fn give_back(&mut self, done: Work) {
        match self {
            Self::Own(lanes, own) => {
                if matches!(done.step, Step::End) {
                    lanes.wake();
                }
                *own = done.into_buffer();
            }
            Self::Thread(_, spare) => {
                let _ = spare.send(done.into_buffer());
            }
        }
    }

    /// Ends the waits of the other workers, because the run is over.
    pub(crate) fn stop(&self) {
        if let Self::Own(lanes, _) = self {
            lanes.stop();
        }
    }
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
