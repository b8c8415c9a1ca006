//! The rows of a block, and where the texts of the column lie in its bytes.

use std::io;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use simd_iri_arrow::each_text;

use crate::format::columnar::Table;
use crate::format::field::{Coding, Field, Record};
use crate::invariant::present;

/// Some rows of a file.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) batch: RecordBatch,
    /// The number of the column of addresses.
    pub(crate) column: usize,
    /// For each row, the position in the block after its text and the newline that follows the text.
    ends: Vec<usize>,
    /// The rows that are null.
    nulls: Vec<usize>,
    /// The number of the first row in its file, from 1.
    first: u64,
}

impl Rows {
    /// Returns the texts of a column, each with a newline after it, and the rows.
    ///
    /// # Errors
    /// The column is neither of strings nor of bytes.
    pub(crate) fn new(
        batch: RecordBatch,
        column: usize,
        first: u64,
    ) -> Result<(Vec<u8>, Self), ArrowError> {
        let (mut bytes, mut nulls) = (Vec::new(), Vec::new());
        let mut ends = Vec::with_capacity(batch.num_rows());
        each_text(batch.column(column), |text| {
            if text.is_none() {
                nulls.push(ends.len());
            }
            bytes.extend_from_slice(text.unwrap_or_default());
            bytes.push(b'\n');
            ends.push(bytes.len());
        })?;
        Ok((bytes, Self { batch, column, ends, nulls, first }))
    }

    /// Returns the same rows with other texts in the column, and the bytes of their block.
    ///
    /// # Errors
    /// The texts have 2 GiB or more, which the type of the column does not hold.
    pub(crate) fn map(
        &self,
        block: &[u8],
        mut map: impl FnMut(&[u8]) -> Vec<u8>,
    ) -> io::Result<(Vec<u8>, Self)> {
        let mut table = Table::of_rows(self, None);
        let (mut record, mut at) = (Record::default(), 0);
        while at < block.len() {
            record.fields.clear();
            self.next(at, &mut record);
            at = record.end;
            let text = record.fields.first().map(|field| present(block.get(field.span.clone())));
            table.keep(text.map(&mut map).as_deref());
        }
        Self::new(table.finish()?, self.column, self.first).map_err(io::Error::other)
    }

    /// Finds the row that begins at `at`. A null has no address.
    pub(crate) fn next(&self, at: usize, record: &mut Record) {
        let row = self.row(at);
        record.end = self.ends.get(row).copied().unwrap_or(at + 1);
        record.body = at..record.end - 1;
        if self.nulls.binary_search(&row).is_err() {
            record.fields.push(Field { span: record.body.clone(), coding: Coding::Raw });
        }
    }

    /// Returns the number of the row with the byte at `at`, counted from 1 in its file.
    pub(crate) fn line(&self, at: usize) -> u64 {
        self.first + self.row(at) as u64
    }

    fn row(&self, at: usize) -> usize {
        self.ends.partition_point(|end| *end <= at)
    }
}
