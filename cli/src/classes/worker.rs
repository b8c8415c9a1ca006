//! The run over the blocks of the input: workers find the keys, and the collector decides in turn.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use crate::args::input::InputArgs;
use crate::classes::collector::Collector;
use crate::classes::found::{Counted, Found};
use crate::classes::keyer::Keyer;
use crate::format::Record;
use crate::io::files::Output;
use crate::pipe::{self, Beside, Ended, Options};

/// Takes all records of an input, up to a number of failures. `replaces` tells whether the output takes the place of
/// the input. Records that fail go to the output `errors`, or are reported.
///
/// # Errors
/// The output or a temporary file cannot be written.
pub(crate) fn collect(
    input: &InputArgs,
    keyer: &Keyer,
    collector: &mut Collector,
    failures: u64,
    replaces: bool,
    mut out: &mut (dyn Write + Send),
    errors: Option<&mut Output>,
) -> io::Result<Ended<Counted>> {
    // Without --field, the key of a statement has the keys of all its terms.
    let is_whole = input.records.field.is_none();
    let (is_aside, count) = (errors.is_some(), collector.count.clone());
    // The first record of a class is the first of the input.
    let mut input = input.clone();
    input.records.unordered = false;
    let wants_long = is_aside || collector.keeps_failed;
    // A join looks up the addresses of an archive among addresses that do not have a type.
    let is_typed = !collector.is_join();
    // Only the worker whose turn it is takes the lock.
    let collector = Mutex::new(collector);
    pipe::run(
        &input,
        &Options {
            failures,
            copies: true,
            add: count.clone(),
            wants_long,
            replaces,
            ..Options::default()
        },
        &mut out,
        Beside { errors: errors.map(|errors| errors as &mut (dyn Write + Send)), tables: None },
        || {
            (
                Record::default(),
                Found { is_aside, is_typed, count: count.clone(), ..Found::default() },
            )
        },
        // If the limit is reached in this block, `in_turn` does not call the collector and returns an error. Then the
        // work begins again with the exact limit. So the collector takes each block once, and never a record after the
        // limit.
        |(record, found), block, sink| {
            found.find(keyer, is_whole, block, record, sink)?;
            sink.in_turn(|out| {
                let mut collector = collector.lock().unwrap_or_else(PoisonError::into_inner);
                collector.block(block, found, out)
            })
        },
    )
}
