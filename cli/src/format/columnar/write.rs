//! Writes tables to one file of columns.

use std::io::{self, Write};

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use crate::format::columnar::read::Format;

/// The most bytes of a row group, which is in memory until it is written.
const ROW_GROUP: usize = 1 << 26;

type Out<'o> = &'o mut (dyn Write + Send);

/// A file of columns that is written. Its columns are the columns of the first table.
pub(crate) struct Tables<'o> {
    format: Format,
    /// The output, until the first table begins the file.
    out: Option<Out<'o>>,
    file: Option<(SchemaRef, File<'o>)>,
}

enum File<'o> {
    Parquet(Box<ArrowWriter<Out<'o>>>),
    Arrow(Box<FileWriter<Out<'o>>>),
}

impl<'o> Tables<'o> {
    pub(crate) fn new(format: Format, out: Out<'o>) -> Self {
        Self { format, out: Some(out), file: None }
    }

    /// Writes the next table.
    ///
    /// # Errors
    /// The table has other columns than the first table, or the output cannot be written.
    pub(crate) fn write(&mut self, table: &RecordBatch) -> io::Result<()> {
        if let Some(out) = self.out.take() {
            let file = File::begin(self.format, table.schema(), out)?;
            self.file = Some((table.schema(), file));
        }
        let Some((schema, file)) = &mut self.file else { return Ok(()) };
        if schema.fields() != table.schema_ref().fields() {
            let message = "a file has other columns than the first, or columns of other types";
            return Err(io::Error::other(message));
        }
        file.write(table)
    }

    /// Writes the end of the file. Returns `false` if there was no table, and so no file.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn finish(self) -> io::Result<bool> {
        let Some((_, file)) = self.file else { return Ok(false) };
        file.finish()?;
        Ok(true)
    }
}

impl<'o> File<'o> {
    fn begin(format: Format, schema: SchemaRef, out: Out<'o>) -> io::Result<Self> {
        Ok(match format {
            Format::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_max_row_group_bytes(Some(ROW_GROUP))
                    .build();
                let writer =
                    ArrowWriter::try_new(out, schema, Some(properties)).map_err(of_parquet)?;
                Self::Parquet(Box::new(writer))
            }
            Format::Arrow => {
                Self::Arrow(Box::new(FileWriter::try_new(out, &schema).map_err(of_arrow)?))
            }
        })
    }

    fn write(&mut self, table: &RecordBatch) -> io::Result<()> {
        match self {
            Self::Parquet(writer) => writer.write(table).map_err(of_parquet),
            Self::Arrow(writer) => writer.write(table).map_err(of_arrow),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Parquet(writer) => {
                writer.close().map_err(of_parquet)?;
            }
            Self::Arrow(mut writer) => writer.finish().map_err(of_arrow)?,
        }
        Ok(())
    }
}

/// Returns the error of the output that caused an error of the crate, if there is one.
fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(cause) => io::Error::other(cause),
        },
        error => io::Error::other(error),
    }
}

/// Returns the error of the output that caused an error of the crate, if there is one.
fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        error => io::Error::other(error),
    }
}
