//! Opens files of columns, and reads some rows at a time.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::args::output::To;
use crate::args::records::From;
use crate::format::columnar::rows::Rows;

/// The most rows of a block.
const ROWS: usize = 1 << 13;

/// The first bytes of Arrow's file format. Its stream format does not begin with them.
const ARROW: &[u8] = b"ARROW1";

/// The rows of a file, some at a time.
type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// A format of columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Parquet,
    Arrow,
}

impl Format {
    /// Returns the format of an output, if it is a format of columns.
    ///
    /// # Errors
    /// None here. Without the feature, a format of columns is an error.
    pub(crate) fn of_output(to: Option<To>) -> Result<Option<Self>, String> {
        Ok(match to {
            Some(To::Parquet) => Some(Self::Parquet),
            Some(To::Arrow) => Some(Self::Arrow),
            _ => None,
        })
    }
}

/// Where the addresses of a file are: in which format, and in which column.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    format: Format,
    column: String,
}

/// A file whose rows are read.
pub(crate) struct Opened {
    batches: Batches,
    names: Vec<String>,
    /// The number of the column of addresses.
    column: usize,
    /// The rows that are in memory and are not in a block yet.
    rest: RecordBatch,
    /// How many rows were read.
    read: u64,
    is_begun: bool,
}

impl Place {
    /// Returns the place of the addresses in files of a format.
    ///
    /// # Errors
    /// The column is missing.
    pub(crate) fn new(from: From, column: Option<&str>) -> Result<Self, String> {
        let name = from.name();
        let format = if from == From::Parquet { Format::Parquet } else { Format::Arrow };
        let column = column.ok_or_else(|| {
            format!("--from {name} needs --field with the name of a column, such as --field url")
        })?;
        Ok(Self { format, column: column.to_owned() })
    }

    /// Opens a file. Unless `is_whole` is set, the other columns of a Parquet file are not read.
    ///
    /// # Errors
    /// A message: why the file cannot be read.
    pub(crate) fn open(&self, path: &Path, is_whole: bool) -> Result<Opened, String> {
        if path.as_os_str() == "-" {
            return Err("a file of columns is not read from standard input; name it".to_owned());
        }
        let mut file = File::open(path).map_err(|error| error.to_string())?;
        if file.metadata().is_ok_and(|data| data.is_dir()) {
            return Err("this is a directory".to_owned());
        }
        let mut head = [0; ARROW.len()];
        let is_file = file.read_exact(&mut head).is_ok() && head == ARROW;
        file.rewind().map_err(|error| error.to_string())?;
        let opened = match self.format {
            Format::Parquet => parquet(file, (!is_whole).then_some(&*self.column)),
            Format::Arrow if is_file => FileReader::try_new_buffered(file, None)
                .map(|reader| (reader.schema(), Box::new(reader) as Batches)),
            Format::Arrow => StreamReader::try_new_buffered(file, None)
                .map(|reader| (reader.schema(), Box::new(reader) as Batches)),
        };
        let (schema, batches) = opened.map_err(|error| error.to_string())?;
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        let column = names.iter().position(|name| *name == self.column).ok_or_else(|| {
            let names = names.join(", ");
            format!("there is no column {}; its columns are: {names}", self.column)
        })?;
        // A file without rows has columns, too. `Rows::new` also checks that the column of addresses has texts.
        let rest = RecordBatch::new_empty(schema);
        Rows::new(rest.clone(), column, 0)
            .map_err(|error| format!("column {}: {error}", self.column))?;
        Ok(Opened { batches, names, column, rest, read: 0, is_begun: false })
    }
}

/// Opens a Parquet file. If a column is named, only that column is read.
fn parquet(file: File, column: Option<&str>) -> Result<(SchemaRef, Batches), ArrowError> {
    let mut builder = ParquetRecordBatchReaderBuilder::try_new(file)?.with_batch_size(ROWS);
    let number = column.and_then(|column| {
        builder.schema().fields().iter().position(|field| field.name() == column)
    });
    if let Some(number) = number {
        let mask = ProjectionMask::roots(builder.parquet_schema(), [number]);
        builder = builder.with_projection(mask);
    }
    let reader = builder.build()?;
    Ok((reader.schema(), Box::new(reader)))
}

impl Opened {
    /// Returns the names of the columns.
    pub(crate) fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Returns the texts and the rows of the next block; `None` at the end. A file without rows has a block, too,
    /// because it has columns.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn next(&mut self) -> io::Result<Option<(Vec<u8>, Rows)>> {
        while self.rest.num_rows() == 0 {
            match self.batches.next() {
                Some(batch) => self.rest = batch.map_err(io::Error::other)?,
                None if self.is_begun => return Ok(None),
                None => break,
            }
        }
        self.is_begun = true;
        let count = self.rest.num_rows().min(ROWS);
        let rows = self.rest.slice(0, count);
        self.rest = self.rest.slice(count, self.rest.num_rows() - count);
        let first = self.read + 1;
        self.read += count as u64;
        Rows::new(rows, self.column, first).map(Some).map_err(io::Error::other)
    }
}
