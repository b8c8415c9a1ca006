//! A row of a file of columns, with its result.

use std::io::{self, Write};

use super::{Made, Scratch, Writer};
use crate::args::keep::Keep;
use crate::format::Record;
use crate::format::columnar::Table;
use crate::invariant::present;
use crate::output::escape;
use crate::pipe::sink::Sink;
use crate::transform::item::{Done, ItemOutput};

impl<const N: usize, T: ItemOutput> Writer<'_, N, T> {
    /// Writes a row of columns with its result. If an item fails, its place has a null or the item, or the row is left
    /// out. If a result has no line, the row is left out.
    pub(super) fn row(
        &self,
        record: &Record,
        failed: bool,
        table: &mut Table<'_>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<()> {
        let Scratch { texts, results, .. } = &*self.scratch;
        let item = || present(self.block.bytes().get(record.body.clone()));
        let is_null = results.is_empty();
        // `None`: the row is left out. `Some(None)`: the place has a null. `Some(Some(text))`: the place has the text.
        let new = match (results.first(), self.keep()) {
            // A null does not have a result, and stays.
            (None, _) if !failed => Some(None),
            (Some(Made::Same), _) => Some(Some(item())),
            (Some(Made::Other(span)), _) => Some(texts.get(span.clone())),
            (Some(Made::Failed), Some(Keep::Input)) => Some(Some(item())),
            (Some(Made::Failed), Some(Keep::Empty)) => Some(None),
            _ => None,
        };
        match new {
            Some(text) => table.keep(text),
            None => table.leave_out(),
        }
        if self.args.output.dry_run && !is_null && new != Some(Some(item())) {
            let row = self.block.place(&mut self.block.start(), record.body.start).line;
            writeln!(sink, "@@ row {row} @@")?;
            for (mark, text) in [("-", Some(item())), ("+", new.flatten())] {
                let Some(text) = text else { continue };
                sink.write_all(mark.as_bytes())?;
                escape::write_text(sink, text, self.terminal)?;
                sink.write_all(b"\n")?;
            }
        }
        Ok(())
    }
}
