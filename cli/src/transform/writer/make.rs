//! Makes the result of an item, and reports an item that has no result.

use std::io;
use std::ops::Range;

use memchr::memchr;

use super::{Made, Writer};
use crate::args::output::{OutputArgs, To};
use crate::format::{Coding, Field, Layout};
use crate::io::text;
use crate::item_error::ItemError;
use crate::output::columns::{self, Columns};
use crate::output::json;
use crate::output::report::{self, Place, Style, Verbosity};
use crate::pipe::block::File;
use crate::pipe::copy::Copy;
use crate::pipe::sink::Sink;
use crate::transform::item::ItemOutput;

impl<'a> Writer<'a, '_> {
    /// Makes the result of an item. An item that fails is reported.
    ///
    /// If `direct` is set, the record is this item alone and needs no escapes. Then the lines of the result go straight
    /// to the output, so that a result as long as a file takes no memory.
    pub(super) fn item(
        &mut self,
        item: &[u8],
        field: &Field,
        end: usize,
        direct: Option<&mut Copy<'_>>,
    ) -> io::Result<Made> {
        let (block, names) = (self.block, self.made.names());
        let texts = match text::ill_formed(block.file.charset, item) {
            Some(error) => Err(error),
            None => columns::split(names, item),
        };
        let (columns, result) = match &texts {
            Ok(texts) => {
                if self.made.result().needs_place() {
                    let place = self.place(field.span.start);
                    self.made.result().at(place);
                }
                let result = self.make(*texts);
                (Columns { names, texts }, result)
            }
            Err(error) => (Columns { names: &["input"], texts: &[item] }, Err(error.clone())),
        };
        // A result that would end its place is an error too. For example, a decoded address with a newline would be two
        // lines.
        let result = result.and_then(|()| {
            let (ends, needs_text) = (self.line_ends(field), self.is_text(field));
            let made = self.made.result();
            made.complete(item);
            if !fits(made, ends) {
                return Err(ItemError::lines(item));
            }
            if needs_text && !is_text(made) {
                let message =
                    "the result is not UTF-8, and the format has no place for other bytes";
                return Err(ItemError::whole("not-utf-8", message, item));
            }
            Ok(())
        });
        if self.args().json {
            let place = self.place(field.span.start);
            return match result {
                Ok(()) => {
                    self.made.write_json(self.sink, place, columns)?;
                    Ok(Made::Same)
                }
                Err(error) => {
                    self.note(&error);
                    json::write_transformed::<()>(self.sink, place, columns, Err(error))?;
                    Ok(Made::Failed)
                }
            };
        }
        // The offsets of the error are in its column. `start` moves them to the item.
        if let Err(error) = result {
            let start = error.of.map_or(0, |name| columns.start(name));
            self.fail(field.span.start, item, error.within(start))?;
            return Ok(Made::Failed);
        }
        let mut lines = 0_usize;
        let (span, separator) = (&field.span, block.file.separator);
        let place = self.made.result().has_places().then(|| self.place(span.start));
        let (made, texts) = (self.made.result(), &mut self.scratch.texts);
        // The lines are in the output already, so there is nothing to replace later: `Same`.
        let result = if let (None, Some(copy)) = (place, direct) {
            write_lines(made, item, (span.clone(), end, separator), copy, self.sink)?;
            Made::Same
        } else {
            let start = texts.len();
            // PERF: the text is made once for all lines, and formatting takes longer.
            let before = place.map(|Place { name, line, .. }| {
                [name, ":", itoa::Buffer::new().format(line), ":1: "].concat()
            });
            made.each_line(&mut |line| {
                if lines > 0 {
                    texts.push(separator);
                }
                lines += 1;
                texts.extend_from_slice(before.as_deref().unwrap_or_default().as_bytes());
                texts.extend_from_slice(line);
                Ok(())
            })?;
            match lines {
                0 => Made::Gone,
                // The text stays in `texts`, and no field uses it.
                _ if texts.get(start..) == Some(item) && !block.file.layout.changes_items() => {
                    Made::Same
                }
                _ => Made::Other(start..texts.len()),
            }
        };
        self.made.result().count(&mut self.sink.tally);
        if report::says(Verbosity::Usual) {
            self.remark(span.start, item)?;
        }
        Ok(result)
    }

    /// Returns the bytes that a result must not hold, because they would end its place: a line, or a field of the
    /// header of WARC.
    pub(super) fn line_ends(&self, field: &Field) -> &'a [u8] {
        let File { layout, separator, .. } = &*self.block.file;
        let OutputArgs { to, add, .. } = &self.args().output;
        let is_copied = to.is_none() && add.is_none() && field.coding == Coding::Raw;
        match to {
            _ if self.args().json => &[],
            Some(To::Lines) => std::slice::from_ref(separator),
            _ if is_copied && matches!(layout, Layout::Warc(_)) => b"\r\n",
            _ if is_copied => std::slice::from_ref(separator),
            _ => &[],
        }
    }

    /// Tells whether the place of a result holds nothing but UTF-8.
    fn is_text(&self, field: &Field) -> bool {
        let OutputArgs { to, add, .. } = &self.args().output;
        match (to, add) {
            // An object of `--json` has other bytes in Base64.
            _ if self.args().json => false,
            (Some(to), _) => to.is_typed(),
            (None, Some(_)) => !self.block.file.layout.is_table(),
            (None, None) => field.coding.is_text(),
        }
    }

    /// Counts the error of a record, or of an address that is its own record. Of several errors of a record, only the
    /// first is counted.
    fn note(&mut self, error: &ItemError) {
        let is_noted = std::mem::replace(&mut self.scratch.is_noted, true);
        if !is_noted || self.block.file.layout.is_document() {
            self.sink.tally.kinds.note(error.kind);
        }
    }

    /// Reports that an item at a byte of the block failed. With `--errors`, notes the error instead, so that the record
    /// is set aside.
    pub(super) fn fail(&mut self, at: usize, item: &[u8], error: ItemError) -> io::Result<()> {
        self.fail_at(|writer| writer.place(at), item, error)
    }

    /// Does what [`fail`](Self::fail) does.
    ///
    /// PERF: the place is found and the message is made only if somebody gets them.
    pub(super) fn fail_at(
        &mut self,
        place: impl FnOnce(&mut Self) -> Place<'a>,
        item: &[u8],
        error: ItemError,
    ) -> io::Result<()> {
        self.note(&error);
        if self.args().json {
            let (place, columns) = (place(self), Columns { names: &["input"], texts: &[item] });
            return json::write_transformed::<()>(self.sink, place, columns, Err(error));
        }
        let mut remarks = self.made.result().failure(item, &error, &mut self.sink.tally);
        let is_aside = self.args().output.errors.is_some();
        if is_aside && self.block.file.layout.is_document() {
            // An address of a document is its own record.
            let place = place(self);
            return self.sink.set_aside(|out| json::write_set_aside(out, place, item, &error));
        }
        if !is_aside && report::says(Verbosity::Usual) {
            if remarks.is_empty() {
                remarks.push(error.clone().into());
            }
            let (place, reports) = (place(self), &mut self.scratch.reports);
            report::append_remarks(reports, place, item, remarks, Style::stderr())?;
        }
        self.scratch.error.get_or_insert(error);
        Ok(())
    }

    /// Writes the remarks about a result to the reports of the record. `start` is where the item begins.
    pub(super) fn remark(&mut self, start: usize, item: &[u8]) -> io::Result<()> {
        let remarks = self.made.result().remarks(item);
        if remarks.is_empty() {
            return Ok(());
        }
        let place = self.place(start);
        let (text, reports) = (self.made.result().remarked(item), &mut self.scratch.reports);
        report::append_remarks(reports, place, text, remarks, Style::stderr())
    }
}

/// Tells whether no line of a result holds a byte of `ends`, which would end the place of the line.
pub(super) fn fits(made: &dyn ItemOutput, ends: &[u8]) -> bool {
    let written = made.each_line(&mut |line| {
        let has_end = ends.iter().any(|end| memchr(*end, line).is_some());
        if has_end { Err(io::ErrorKind::InvalidData.into()) } else { Ok(()) }
    });
    written.is_ok()
}

/// Tells whether each line of a result is UTF-8.
fn is_text(made: &dyn ItemOutput) -> bool {
    let written = made.each_line(&mut |line| match std::str::from_utf8(line) {
        Ok(_) => Ok(()),
        Err(_) => Err(io::ErrorKind::InvalidData.into()),
    });
    written.is_ok()
}

/// Writes the lines of a result in the place of an item. `span` is the place of the item, and `end` is the end of its
/// record. If the result has no line, the terminator of the record is left out too.
// For example, `copy` is at the start of the record `<a>\n`, and the item is `<a>`:
//
//     lines          output
//     b              b\n
//     b, c           b\nc\n: the second line is added at the end of the item, before the terminator of the record
//     none           nothing, also no terminator
//     <a>            <a>\n: nothing is replaced
//
// Invariant: the places of the calls of `copy` ascend.
pub(super) fn write_lines(
    made: &dyn ItemOutput,
    item: &[u8],
    (span, end, separator): (Range<usize>, usize, u8),
    copy: &mut Copy<'_>,
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    let mut lines = 0_usize;
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
    if lines == 0 { copy.replace(span.start..end, b"", sink) } else { Ok(()) }
}
