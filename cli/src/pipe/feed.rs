//! The source of blocks for the workers: the workers read in turn, or another thread reads.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, select};

use crate::io::interrupt;
use crate::pipe::block::Work;
use crate::pipe::reader::Reader;

/// The source of the blocks of a worker.
#[derive(Clone)]
pub(crate) enum Feed {
    /// The worker reads, one worker at a time. Each worker keeps its own buffer.
    ///
    /// PERF: a block is in the cache of the core that works on it, and no thread wakes another for it.
    Own(Arc<Mutex<Reader>>, Vec<u8>),
    /// A thread reads, and takes the buffers back.
    Thread(Receiver<Work>, Sender<Vec<u8>>),
}

impl Feed {
    /// Returns the feed of a number of workers. If `is_ready` is not set, a thread reads, because a read may wait for
    /// input that never comes. The thread is not joined, so that the run can end without it.
    pub(crate) fn new(reader: Reader, jobs: usize, is_ready: bool) -> Self {
        if is_ready {
            return Self::Own(Arc::new(Mutex::new(reader)), Vec::new());
        }
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
            return Self::Own(Arc::new(Mutex::new(reader)), Vec::new());
        }
        let _ = sender.send(reader);
        Self::Thread(blocks, spare)
    }

    /// Returns the next step; `None` at the end of the input, after an interrupt, or when `over` has no sender any
    /// more.
    pub(crate) fn next(&mut self, over: &Receiver<()>) -> Option<Work> {
        match self {
            Self::Own(reader, buffer) => {
                // Asked before the reader gives a step its number: if a step were dropped, the step after it would wait for
                // a turn that never comes.
                if interrupt::has_come() {
                    return None;
                }
                let buffer = std::mem::take(buffer);
                reader.lock().unwrap_or_else(PoisonError::into_inner).next(buffer)
            }
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

    /// Takes the buffer of a block that is done.
    pub(crate) fn give_back(&mut self, buffer: Vec<u8>) {
        match self {
            Self::Own(_, own) => *own = buffer,
            Self::Thread(_, spare) => {
                let _ = spare.send(buffer);
            }
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
