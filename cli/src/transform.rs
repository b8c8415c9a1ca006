//! The loop of the commands that make one result of each item. A result takes the place of its item in the
//! record, and every other byte of the record is copied. Not here: how a command makes its result.

use std::io::{self, IsTerminal, Write};
use std::ops::{ControlFlow, Range};

use serde::Serialize;

use crate::args::keep::Keep;
use crate::args::transform::TransformArgs;
use crate::format::{Coding, Field, Record};
use crate::invariant::present;
use crate::io::text;
use crate::item_error::ItemError;
use crate::output::columns::{self, Columns};
use crate::output::json;
use crate::output::report::{self, Outcome, Place, Remark};
use crate::pipe::block::{Block, Position};
use crate::pipe::copy::Copy;
use crate::pipe::sink::{Sink, Tally};
use crate::pipe::{self, Limits};

/// The result of an item: it writes lines, and serializes as fields of a JSON object.
pub(crate) trait ItemOutput: Default + Serialize + Send {
    /// Calls `write` with each line of output, without its separator.
    ///
    /// # Errors
    /// The errors of `write`.
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()>;

    /// Tells whether the place of the item is printed before each line. A reader needs it where an item
    /// may have any number of lines.
    fn has_places(&self) -> bool {
        false
    }

    /// Returns remarks for standard error, in the order of their positions.
    fn remarks(&self) -> Vec<Remark> {
        Vec::new()
    }
}

/// Writes a line of output. It is a byte string because it may be in a legacy charset.
pub(crate) type Line<'w> = dyn FnMut(&[u8]) -> io::Result<()> + 'w;

/// A result that is one line of text.
#[derive(Default, Serialize)]
pub(crate) struct Text {
    pub(crate) output: String,
}

impl ItemOutput for Text {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        write(self.output.as_bytes())
    }
}

/// How many records gave a result, and how many failed.
#[derive(Default)]
pub(crate) struct Done {
    made: u64,
    failed: u64,
}

impl Tally for Done {
    fn add(&mut self, block: &Self) {
        self.made += block.made;
        self.failed += block.failed;
    }

    fn failed(&self) -> u64 {
        self.failed
    }
}

/// Calls `make` with the columns of every item, and prints the result that `make` leaves in its second
/// argument. `names` are the names of the columns.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn run<const N: usize, T: ItemOutput>(
    args: &TransformArgs,
    names: [&'static str; N],
    out: &mut (impl Write + Send),
    make: impl Fn([&[u8]; N], &mut T) -> Result<(), ItemError> + Sync,
) -> io::Result<Outcome> {
    let terminal = io::stdout().is_terminal();
    let limits = Limits { failures: if args.fail_fast { 1 } else { u64::MAX } };
    let ended = pipe::run(
        &args.input,
        &limits,
        out,
        None,
        || (Record::default(), Scratch::default()),
        |(record, scratch), block, sink| {
            let mut writer = Writer { args, names, make: &make, block, scratch };
            writer.block(record, terminal, sink)
        },
    )?;
    let Done { made, failed } = ended.tally;
    if failed > 0 && !args.json {
        let items = report::items(made + failed);
        let stopped = if ended.stopped { "; stopped at the first error" } else { "" };
        report::print_message(format_args!("{items}, {made} done, {failed} failed{stopped}"));
    }
    Ok(ended.outcome(failed))
}

/// What a thread keeps from item to item.
#[derive(Default)]
struct Scratch<T> {
    made: T,
    /// The lines of a result, with separators between them.
    text: Vec<u8>,
    /// Lines for standard error about the record.
    reports: Vec<u8>,
    /// The texts that replace the fields of the record.
    replaced: Vec<u8>,
    /// The fields that are replaced, and the ends of their texts.
    ends: Vec<(Range<usize>, usize)>,
}

/// Writes the results of a block.
struct Writer<'a, const N: usize, T, M> {
    args: &'a TransformArgs,
    names: [&'static str; N],
    make: &'a M,
    block: &'a Block,
    scratch: &'a mut Scratch<T>,
}

/// How the result of a field compares with the field.
enum Change {
    /// The result is the text of the field.
    Same,
    /// The result is in `Scratch::text`.
    Other,
    /// There is no line of output.
    Gone,
}

impl<const N: usize, T, M> Writer<'_, N, T, M>
where
    T: ItemOutput,
    M: Fn([&[u8]; N], &mut T) -> Result<(), ItemError>,
{
    fn block(
        &mut self,
        record: &mut Record,
        terminal: bool,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        let block = self.block;
        let mut position = block.start();
        let mut copy = match self.args.json {
            true => None,
            false => Some(Copy::new(block, terminal, sink)?),
        };
        let mut written = Ok(());
        let flow = block.each(record, |record| {
            written = self.record(record, &mut position, &mut copy, sink);
            match written.is_err() || sink.is_full() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        written?;
        if flow.is_continue() {
            copy.map_or(Ok(()), |copy| copy.finish(sink))?;
        }
        if let Some((place, error)) = block.too_long() {
            sink.tally.failed += 1;
            self.fail(place, b"", error, sink)?;
            sink.report(&std::mem::take(&mut self.scratch.reports))?;
        }
        Ok(())
    }

    fn record(
        &mut self,
        record: &Record,
        position: &mut Position,
        copy: &mut Option<Copy<'_>>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        if record.is_filler {
            return Ok(());
        }
        let block = self.block;
        let bytes = block.bytes();
        let is_document = block.file.layout.is_document();
        self.scratch.replaced.clear();
        self.scratch.ends.clear();
        let body = present(bytes.get(record.body.clone()));
        let mut failed = false;
        if let Some(error) = &record.error {
            let place = block.place(position, record.body.start);
            self.fail(place, body, error.clone(), sink)?;
            failed = true;
        }
        for field in &record.fields {
            let raw = present(bytes.get(field.span.clone()));
            let change = match field.coding.decode(raw) {
                Ok(item) => {
                    let is_alone = record.fields.len() == 1 && field.coding == Coding::Raw;
                    let direct = copy.as_mut().filter(|_| is_alone);
                    self.item(&item, field, record.end, position, direct, sink)?
                }
                Err(error) => {
                    let place = block.place(position, field.span.start);
                    self.fail(place, raw, error, sink)?;
                    None
                }
            };
            match change {
                None => {
                    failed = true;
                    if is_document {
                        sink.tally.failed += 1;
                    }
                }
                Some(change) => {
                    if is_document {
                        sink.tally.made += 1;
                    }
                    if self.args.json {
                        continue;
                    }
                    let Scratch { text, replaced, ends, .. } = &mut *self.scratch;
                    match change {
                        Change::Same => {}
                        Change::Other => {
                            field.coding.encode(raw, text, replaced);
                            ends.push((field.span.clone(), replaced.len()));
                        }
                        // The terminator goes too.
                        Change::Gone => ends.push((field.span.start..record.end, replaced.len())),
                    }
                }
            }
        }
        if !is_document {
            *(if failed { &mut sink.tally.failed } else { &mut sink.tally.made }) += 1;
        }
        let Some(copy) = copy else { return Ok(()) };
        let Scratch { ends, replaced, reports, .. } = &mut *self.scratch;
        if failed && !is_document {
            match self.args.keep {
                None => copy.replace(record.body.start..record.end, b"", sink)?,
                Some(Keep::Empty) => copy.replace(record.body.clone(), b"", sink)?,
                Some(Keep::Input) => {}
            }
        } else {
            let mut from = 0;
            for (span, end) in ends {
                copy.replace(span.clone(), present(replaced.get(from..*end)), sink)?;
                from = *end;
            }
        }
        if reports.is_empty() {
            return Ok(());
        }
        // If both go to one place, the record comes before what is said about it.
        copy.until(record.end, sink)?;
        sink.report(reports)?;
        reports.clear();
        Ok(())
    }

    /// Makes the result of an item. Returns `None` if the item failed, which is reported.
    ///
    /// If `direct` is set, the record is this item alone and needs no escapes. Then its lines go straight to
    /// the output, which takes no memory for a result as long as a file.
    fn item(
        &mut self,
        item: &[u8],
        field: &Field,
        end: usize,
        position: &mut Position,
        direct: Option<&mut Copy<'_>>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<Option<Change>> {
        let block = self.block;
        let names = self.names;
        let charset = block.file.charset;
        let texts = match text::ill_formed(charset, item) {
            Some(error) => Err(error),
            None => columns::split(&names, item),
        };
        let (columns, result) = match &texts {
            Ok(texts) => {
                let result = (self.make)(*texts, &mut self.scratch.made);
                (Columns { names: &self.names, texts }, result)
            }
            Err(error) => (Columns { names: &["input"], texts: &[item] }, Err(error.clone())),
        };
        if self.args.json {
            let place = block.place(position, field.span.start);
            let failed = result.is_err();
            json::write_transformed(sink, place, columns, result.map(|()| &self.scratch.made))?;
            return Ok((!failed).then_some(Change::Same));
        }
        if let Err(error) = result {
            let start = error.of.map_or(0, |name| columns.start(name));
            let place = block.place(position, field.span.start);
            self.remark(place, item, [error.within(start)])?;
            return Ok(None);
        }
        let Scratch { made, text, .. } = &mut *self.scratch;
        text.clear();
        let mut lines = 0_usize;
        let separator = block.file.separator;
        let place = made.has_places().then(|| block.place(position, field.span.start));
        if let (None, Some(copy)) = (place, direct) {
            let span = &field.span;
            made.each_line(&mut |line| {
                lines += 1;
                if lines > 1 {
                    copy.replace(span.end..span.end, &[separator], sink)?;
                    copy.replace(span.end..span.end, line, sink)
                } else if line == item {
                    Ok(())
                } else {
                    copy.replace(span.clone(), line, sink)
                }
            })?;
            if lines == 0 {
                copy.replace(span.start..end, b"", sink)?;
            }
            let remarks = made.remarks();
            if !remarks.is_empty() {
                let place = block.place(position, span.start);
                self.remark(place, item, remarks)?;
            }
            return Ok(Some(Change::Same));
        }
        made.each_line(&mut |line| {
            if lines > 0 {
                text.push(separator);
            }
            lines += 1;
            if let Some(place) = place {
                write!(text, "{}:{}:1: ", place.name, place.line)?;
            }
            text.extend_from_slice(line);
            Ok(())
        })?;
        let change = match lines {
            0 => Change::Gone,
            _ if **text == *item => Change::Same,
            _ => Change::Other,
        };
        let remarks = made.remarks();
        if !remarks.is_empty() {
            let place = block.place(position, field.span.start);
            self.remark(place, item, remarks)?;
        }
        Ok(Some(change))
    }

    /// Says that a record failed.
    fn fail(
        &mut self,
        place: Place<'_>,
        item: &[u8],
        error: ItemError,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        if self.args.json {
            let columns = Columns { names: &["input"], texts: &[item] };
            return json::write_transformed::<T>(sink, place, columns, Err(error));
        }
        self.remark(place, item, [error])
    }

    /// Writes remarks about an item to the reports of the record.
    fn remark(
        &mut self,
        place: Place<'_>,
        item: &[u8],
        remarks: impl IntoIterator<Item = impl Into<Remark>>,
    ) -> io::Result<()> {
        report::write_remarks(&mut self.scratch.reports, place, item, remarks, report::excerpt())
    }
}
