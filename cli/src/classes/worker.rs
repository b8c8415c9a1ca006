//! The run over the blocks of the input: workers find and look up the keys, and the collector decides in turn.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use crate::args::input::InputArgs;
use crate::args::limit::LimitArgs;
use crate::classes::collector::Collector;
use crate::classes::found::Found;
use crate::classes::keyer::Keyer;
use crate::format::Record;
use crate::io::files::Output;
use crate::pipe::{self, Beside, Ended, Options, Worker};

/// Takes all records of an input, up to a limit of failures. `replaces` tells whether the output takes the place of
/// the input. Records that fail go to the output `errors`, or are reported.
///
/// # Errors
/// The output or a temporary file cannot be written.
pub(crate) fn collect(
    input: &InputArgs,
    keyer: &Keyer,
    collector: &mut Collector,
    limit: LimitArgs,
    replaces: bool,
    out: &mut (dyn Write + Send),
    errors: Option<&mut Output>,
) -> io::Result<Ended> {
    // Without --field, the key of a statement has the keys of all its terms.
    let is_whole = input.records.field.is_none();
    let (is_aside, count) = (errors.is_some(), collector.count.clone());
    // The first record of a class is the first of the input.
    let mut input = input.clone();
    input.records.unordered = false;
    let wants_long = is_aside || collector.keeps_failed;
    // A join looks up the addresses of an archive among addresses that do not have a type.
    let is_typed = !collector.is_join();
    let (keys, blocks, insert) =
        (Arc::clone(&collector.keys), collector.blocks, collector.keeps_keys());
    // Only the worker whose turn it is takes the lock.
    let collector = Mutex::new(collector);
    // If the limit is reached in a block, `in_turn` does not call the collector and returns an error. Then the work
    // begins again with the exact limit. So the collector takes each block once, and never a record after the limit.
    let worker = || -> Worker<'_> {
        let mut record = Record::default();
        let mut found = Found { is_aside, is_typed, count: count.clone(), ..Found::default() };
        let (collector, keys) = (&collector, &keys);
        Box::new(move |block, sink| {
            found.find(keyer, is_whole, block, &mut record, sink)?;
            // The steps of a run are numbered from 0, and the blocks of all runs from 1.
            let number = blocks + sink.step() + 1;
            found.look_up(keys, (number, block.bytes()), insert, |key| keyer.hash(key));
            sink.in_turn(|out| {
                let mut collector = collector.lock().unwrap_or_else(PoisonError::into_inner);
                collector.block((number, block), &mut found, out)
            })
        })
    };
    let add = count.clone();
    let options = Options {
        limit,
        copies: true,
        add,
        wants_long,
        replaces,
        needs_order: true,
        ..Options::default()
    };
    let errors = errors.map(|errors| errors as &mut (dyn Write + Send));
    pipe::run(&input, &options, out, Beside { errors, tables: None }, &worker)
}
