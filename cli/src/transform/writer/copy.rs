//! A record as it is, with results in the places of its fields or in a new field.

use std::borrow::Cow;
use std::io;

use super::{Made, Scratch, Writer};
use crate::args::keep::Keep;
use crate::format::Record;
use crate::invariant::present;
use crate::pipe::copy::Copy;
use crate::pipe::sink::Sink;
use crate::transform::item::{Done, ItemOutput};

impl<const N: usize, T: ItemOutput> Writer<'_, N, T> {
    /// Writes a record unchanged, except that the results replace its fields. Returns `false` if it failed.
    pub(super) fn copy(
        &mut self,
        record: &Record,
        failed: bool,
        copy: &mut Copy<'_>,
        sink: &mut Sink<'_, '_, Done>,
    ) -> io::Result<bool> {
        let output = &self.args.output;
        let block = self.block;
        let keep = self.keep();
        if failed && keep.is_none() {
            copy.replace(record.body.start..record.end, b"", sink)?;
            return Ok(false);
        }
        let Scratch { texts, results, encoded, .. } = &mut *self.scratch;
        if let Some(name) = &output.add {
            if failed && record.error.is_some() && !block.file.layout.is_table() {
                // The places of its fields are not known, so it does not get a new field.
                return Ok(false);
            }
            encoded.clear();
            let text = match (results.first(), record.fields.first()) {
                _ if failed => Some(Vec::new()),
                (Some(Made::Other(span)), _) => Some(present(texts.get(span.clone())).to_vec()),
                (Some(Made::Same), Some(field)) => {
                    let raw = present(block.bytes().get(field.span.clone()));
                    field.coding.decode(raw).map(Cow::into_owned).ok()
                }
                // The record does not need an address, and does not have one.
                (None, _) => None,
                _ => Some(Vec::new()),
            };
            let layout = &block.file.layout;
            match layout.addition(block.bytes(), record, (name, text.as_deref()), encoded) {
                Ok(at) => copy.replace(at..at, encoded, sink)?,
                Err(_) if failed => {}
                Err(error) => {
                    if keep != Some(Keep::Input) && !self.is_kept() {
                        copy.replace(record.body.start..record.end, b"", sink)?;
                    }
                    self.scratch.error = Some(error);
                    return Ok(false);
                }
            }
            return Ok(!failed);
        }
        // If the record failed and is kept, its good results are not written: the record stays as it is, or its failed
        // fields become empty.
        for (field, made) in record.fields.iter().zip(results.iter()) {
            let raw = present(block.bytes().get(field.span.clone()));
            encoded.clear();
            match made {
                Made::Same => {}
                Made::Other(span) if !failed => {
                    field.coding.encode(raw, present(texts.get(span.clone())), encoded);
                    copy.replace(field.span.clone(), encoded, sink)?;
                }
                // The terminator is left out too.
                Made::Gone if !failed => {
                    copy.replace(field.span.start..record.end, b"", sink)?;
                }
                Made::Failed if keep == Some(Keep::Empty) => {
                    field.coding.encode(raw, b"", encoded);
                    copy.replace(field.span.clone(), encoded, sink)?;
                }
                Made::Other(_) | Made::Gone | Made::Failed => {}
            }
        }
        Ok(!failed)
    }
}
