//! The table that a worker makes from a block: its rows with another column, or texts as columns.

use std::io;
use std::sync::Arc;

use arrow_array::builder::LargeBinaryBuilder;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, LargeBinaryArray,
    LargeStringArray, RecordBatch, StringArray,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use arrow_select::filter::filter_record_batch;

use crate::format::columnar::read::Format;
use crate::format::columnar::rows::Rows;
use crate::format::field::Value;

/// The treatment of the records of a block.
pub(crate) enum Table<'b> {
    /// The rows of a file of columns. For each row that is kept, there is a text that replaces the address or, if
    /// there is a name, fills a new column.
    Rows { rows: &'b Rows, added: Option<&'b str>, kept: Vec<bool>, texts: LargeBinaryBuilder },
    /// Records of another format. Every column is text.
    Texts { names: Vec<String>, columns: Vec<LargeBinaryBuilder> },
}

impl<'b> Table<'b> {
    /// Returns a table of the rows of a block.
    pub(crate) fn of_rows(rows: &'b Rows, added: Option<&'b str>) -> Self {
        Self::Rows { rows, added, kept: Vec::new(), texts: LargeBinaryBuilder::new() }
    }

    /// Returns a table with columns of these names. It is the same for every format.
    pub(crate) fn of_texts(_: Format, names: Vec<String>) -> Self {
        let columns = names.iter().map(|_| LargeBinaryBuilder::new()).collect();
        Self::Texts { names, columns }
    }

    /// Keeps the next row, with a text; `None` is null.
    pub(crate) fn keep(&mut self, text: Option<&[u8]>) {
        if let Self::Rows { kept, texts, .. } = self {
            kept.push(true);
            texts.append_option(text);
        }
    }

    /// Leaves out the next row.
    pub(crate) fn leave_out(&mut self) {
        if let Self::Rows { kept, .. } = self {
            kept.push(false);
        }
    }

    /// Adds a record of another format, whose fields are UTF-8. `result` is the text of the address, if it has one, and
    /// the number of its column. A null of JSON is null.
    pub(crate) fn add(&mut self, values: &[Value<'_>], (result, place): (Option<&[u8]>, usize)) {
        let Self::Texts { columns, .. } = self else { return };
        for (number, column) in columns.iter_mut().enumerate() {
            let is_null =
                |value: &&Value<'_>| matches!(value, Value::Absent | Value::Json(b"null"));
            let value = values.get(number).filter(|value| !is_null(value)).map(Value::text);
            column.append_option(if number == place { result } else { value });
        }
    }

    /// Returns the table.
    ///
    /// # Errors
    /// The texts of a column have 2 GiB or more, which its type does not hold.
    pub(crate) fn finish(self) -> io::Result<RecordBatch> {
        let made = match self {
            Self::Rows { rows, added, kept, texts } => of_rows(rows, added, kept, texts),
            Self::Texts { names, columns } => of_texts(names, columns),
        };
        made.map_err(io::Error::other)
    }
}

fn of_rows(
    rows: &Rows,
    added: Option<&str>,
    kept: Vec<bool>,
    mut texts: LargeBinaryBuilder,
) -> Result<RecordBatch, ArrowError> {
    // At the limit of failures the work ends, and the rows after it are not in `kept`.
    let batch = rows.batch.slice(0, kept.len());
    let batch = filter_record_batch(&batch, &BooleanArray::from(kept))?;
    let (schema, mut columns, _) = batch.into_parts();
    let mut fields = schema.fields().to_vec();
    let texts = texts.finish();
    match (added, fields.get_mut(rows.column), columns.get_mut(rows.column)) {
        (None, Some(field), Some(column)) => {
            *column = of_type(field.data_type(), texts)?;
            // Any field may be null, so that all blocks have one schema.
            let text = Field::clone(field).with_data_type(column.data_type().clone());
            *field = Arc::new(text.with_nullable(true));
        }
        (added, _, _) => {
            columns.push(of_type(&DataType::Utf8, texts)?);
            fields.push(Arc::new(Field::new(added.unwrap_or_default(), DataType::Utf8, true)));
        }
    }
    let schema = Schema::new_with_metadata(fields, schema.metadata().clone());
    RecordBatch::try_new(Arc::new(schema), columns)
}

fn of_texts(
    names: Vec<String>,
    columns: Vec<LargeBinaryBuilder>,
) -> Result<RecordBatch, ArrowError> {
    let columns = columns.into_iter().map(|mut column| of_type(&DataType::Utf8, column.finish()));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let fields: Vec<_> =
        names.into_iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

/// Returns texts in an array of the type of their column. A dictionary becomes the type of its values.
fn of_type(kind: &DataType, texts: LargeBinaryArray) -> Result<ArrayRef, ArrowError> {
    let short = |texts: LargeBinaryArray| match i32::try_from(texts.value_data().len()) {
        Ok(_) => Ok(texts.iter().collect::<BinaryArray>()),
        Err(_) => Err(ArrowError::OffsetOverflowError(texts.value_data().len())),
    };
    Ok(match kind {
        DataType::Dictionary(_, values) => return of_type(values, texts),
        DataType::LargeBinary => Arc::new(texts),
        DataType::Binary => Arc::new(short(texts)?),
        DataType::BinaryView => Arc::new(texts.iter().collect::<BinaryViewArray>()),
        DataType::LargeUtf8 => Arc::new(LargeStringArray::try_from_binary(texts)?),
        DataType::Utf8View => Arc::new(texts.iter().collect::<BinaryViewArray>().to_string_view()?),
        _ => Arc::new(StringArray::try_from_binary(short(texts)?)?),
    })
}
