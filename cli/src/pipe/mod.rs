//! Reads input in blocks of whole records, lets threads work on them, and puts their results in order.
//!
//! ```text
//! reader ──blocks──▶ worker 1 ─┐
//!    ▲               worker 2 ─┼─ in turn ─▶ output, standard error, counts
//!    └──── buffers ◀─────────── ┘
//! ```
//!
//! The reader is a thread only if it may wait, as for a pipe. The workers read regular files themselves: parts of a large file of
//! lines at once (`claims`), another plain file one worker at a time, and compressed files several at once (`lanes`).
//!
//! A worker takes the next block, works on it, waits until all blocks before it are written, and writes its results.
//! So the output has the order of the input, no more blocks are in memory than there are buffers, and the results of
//! a slow input are written at once. With one job, the same steps run one after another in the main thread. Not here:
//! where records end (`format`), and what a command does.

mod backlog;
pub(crate) mod block;
mod claims;
pub(crate) mod copy;
mod feed;
mod in_place;
mod lanes;
pub(crate) mod lines;
pub(crate) mod long;
mod options;
mod reader;
mod run;
pub(crate) mod sink;
mod skip;
pub(crate) mod tally;
mod turn;

pub(crate) use in_place::{each_file, in_place};
pub(crate) use options::{Beside, Ended, Options};
pub(crate) use run::{Item, each_item, items, run};
pub(crate) use turn::Worker;
