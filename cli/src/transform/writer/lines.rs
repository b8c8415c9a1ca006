//! Writes blocks of lines: most lines are their own results, or are replaced whole.
//!
//! ```text
//! a batch of the library ──▶ the lines that may have another result ──▶ make each result, replace the line
//!                       └──▶ all other lines are copied as they are, and counted without being seen
//! ```

use std::io;
use std::ops::Range;

use simd_iri::batch::{Batch, Items, Selected, Separated};
use simd_iri::{Normalize, Rule, parser::CpuLevel};

use super::make::{fits, write_lines};
use super::{Form, Writer};
use crate::args::keep::Keep;
use crate::format::{Layout, Record};
use crate::invariant::present;
use crate::item_error::ItemError;
use crate::output::report::{self, Verbosity};
use crate::pipe::block::{File, lines as count};
use crate::spans::Records;

/// How to find the items that are their own results, without a call for each item.
#[derive(Clone, Copy)]
pub(crate) enum Unchanged {
    /// All items that match the rule, in a block for which `holds` is true.
    Matches { rule: Rule, holds: fn(&[u8]) -> bool },
    /// All items that match the rule and are in normal form by these rules.
    Normal(Rule, Normalize),
}

impl Unchanged {
    /// Returns the items of a block that may not be their own results.
    pub(super) fn others<'a, I: Items<'a>>(self, items: I) -> Selected<'a, I> {
        match self {
            Self::Matches { rule, .. } => Batch::new(rule).invalid(items),
            Self::Normal(rule, rules) => Batch::new(rule).not_normal(items, rules),
        }
    }
}

impl<'a> Writer<'a, '_> {
    /// Returns how to find the lines that are their own results, the lines, and their separator. Returns `None` if the
    /// block is not lines, or if its lines are not copied to the output as they are.
    pub(super) fn unchanged_lines(
        &self,
        form: &Form<'_>,
    ) -> Option<(Unchanged, (Separated<'a>, u8))> {
        self.unchanged(form).zip(self.block.lines())
    }

    /// Returns how to find the items of a block that are their own results, if records are copied to the output.
    fn unchanged(&self, form: &Form<'_>) -> Option<Unchanged> {
        let block = self.block;
        let holds = |unchanged: &Unchanged| match unchanged {
            Unchanged::Matches { holds, .. } => {
                holds(present(block.bytes().get(block.range.clone())))
            }
            Unchanged::Normal(..) => true,
        };
        let is_copied = matches!(form, Form::Copy(_)) && self.args().output.add.is_none();
        self.run.before.unchanged.filter(|unchanged| is_copied && holds(unchanged))
    }

    /// Finds the records of a block, unless only their reader can find them, or sees errors that the address does not have.
    /// Returns how to find those whose items are their own results.
    pub(super) fn unchanged_records(
        &self,
        form: &Form<'_>,
        found: &mut Records,
    ) -> Option<Unchanged> {
        let (block, unchanged) = (self.block, self.unchanged(form)?);
        let layout = block.file.charset.is_none().then_some(&block.file.layout)?;
        let is_found =
            layout.find(CpuLevel::best(), (block.bytes(), block.range.start), &block.known, found);
        is_found.then_some(unchanged)
    }

    /// Writes lines, most of which are their own results. Only the other lines are transformed, one by one.
    // For example, a block has the lines a, B, c, D, and the library finds B and D:
    //
    //     B, D         made one by one; `others` is 2
    //     a, c         copied with the bytes between the replaced lines
    //     made         1 or 0 for B and for D, and 4 - 2 for the other lines
    //
    // The block knows the number of its separators. The other lines are not counted one by one.
    pub(super) fn lines(
        &mut self,
        unchanged: Unchanged,
        (items, separator): (Separated<'_>, u8),
        record: &mut Record,
        mut form: Form<'_>,
    ) -> io::Result<()> {
        let block = self.block;
        let bytes = block.bytes();
        let mut others = 0;
        let is_simple = self.has_simple_records();
        for item in unchanged.others(items) {
            let start = block.offset_of(item);
            let body = start..start + item.len();
            // The last line may not have a terminator.
            let end = bytes.len().min(body.end + 1);
            others += 1;
            if !is_simple || !self.simple(body, end, &mut form)? {
                block.file.layout.next(bytes, start, record);
                self.record(record, &mut form)?;
            }
            if self.sink.is_full() {
                // The limit is reached, and the lines after `end` do not count.
                let before = present(bytes.get(block.range.start..end));
                self.sink.tally.made += count(separator, before) - others;
                if let Form::Copy(mut copy) = form {
                    copy.until(end, self.sink)?;
                }
                return Ok(());
            }
        }
        self.sink.tally.made += block.count_lines(separator) - others;
        match form {
            Form::Copy(copy) => copy.finish(self.sink),
            Form::Json | Form::Rows(_) | Form::Convert(..) => Ok(()),
        }
    }

    /// Tells whether each record is one item as it is written, nothing is added to it, and its place is not needed.
    pub(super) fn has_simple_records(&mut self) -> bool {
        let File { layout, charset, .. } = &*self.block.file;
        let is_line = matches!(layout, Layout::Lines(_)) && charset.is_none();
        let made = self.made.result();
        let needs_place = made.needs_place() || made.has_places();
        let is_single = self.made.names().len() == 1 && !self.is_hidden;
        is_single && is_line && !needs_place && self.args().output.add.is_none()
    }

    /// Writes a record that is one item. `span` is the place of the item, and `end` is the end of the record. If the
    /// result does not fit in a line, this writes nothing and returns `false`; then
    /// [`record`](Self::record) does the work.
    ///
    /// PERF: this does only a part of the steps of `record`. All steps of `record` cost half as much for a line as
    /// its normalization.
    pub(super) fn simple(
        &mut self,
        span: Range<usize>,
        end: usize,
        form: &mut Form<'_>,
    ) -> io::Result<bool> {
        let Form::Copy(copy) = form else { return Ok(false) };
        let start = span.start;
        let item = present(self.block.bytes().get(span.clone()));
        if let Err(error) = self.made.make([item, b""]) {
            self.fail_simple(span, end, error, form)?;
            return Ok(true);
        }
        let made = self.made.result();
        if !made.is_item() {
            let separator = self.block.file.separator;
            if !fits(made, &[separator]) {
                return Ok(false);
            }
            write_lines(made, item, (span, end, separator), copy, self.sink)?;
        }
        made.count(&mut self.sink.tally);
        self.sink.tally.made += 1;
        if report::says(Verbosity::Usual) {
            self.remark(start, item)?;
            self.report(end, form)?;
        }
        Ok(true)
    }
    /// Does with a record that is one item, which failed, what [`record`](Self::record) does with all records.
    fn fail_simple(
        &mut self,
        span: Range<usize>,
        end: usize,
        error: ItemError,
        form: &mut Form<'_>,
    ) -> io::Result<()> {
        let item = present(self.block.bytes().get(span.clone()));
        (self.scratch.error, self.scratch.is_noted) = (None, false);
        self.fail(span.start, item, error)?;
        match (self.keep(), &mut *form) {
            (None, Form::Copy(copy)) => copy.replace(span.start..end, b"", self.sink)?,
            (Some(Keep::Empty), Form::Copy(copy)) => copy.replace(span.clone(), b"", self.sink)?,
            _ => {}
        }
        self.sink.tally.failed += 1;
        if self.args().output.errors.is_some() {
            self.set_aside(span.start, item)?;
        }
        if self.scratch.reports.is_empty() { Ok(()) } else { self.report(end, form) }
    }
}
