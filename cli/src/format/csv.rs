//! The formats `csv` and `tsv` (RFC 4180): fields with a delimiter between them, quoted if they hold a
//! delimiter, a quote or a newline.
//!
//! A field is quoted if its first byte is a quote. In a quoted field, two quotes stand for a quote, and a single quote
//! ends the quoted part. Bytes between that quote and the delimiter belong to the field, as they do for
//! the crate `csv`. In a field whose first byte is not a quote, quotes are ordinary bytes.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use memchr::{memchr, memchr3};
use simd_iri::parser::CpuLevel;

use crate::args::records::RecordArgs;
use crate::format::field::{Cell, Coding, Field, Number, Record, exists, surplus};
use crate::io::decode::BYTE_ORDER_MARK;
use crate::item_error::{ItemError, Message};
use crate::output::report::counted;
use crate::output::secrets::quote;
use crate::spans::csv::Known;
use crate::spans::{self, Records};

/// How many names a message lists, and how many characters of a name it shows.
const MOST_NAMES: usize = 50;
const LONGEST_NAME: usize = 100;

/// The message about [`Row::lone_return`].
pub(crate) const LONE_RETURN: &str = "a carriage return (CR) ends no row, and stands in a field only with quotes; \
    tr '\\r' '\\n' makes newlines of such ends";

/// The syntax of the rows, and the column of the address.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) delimiter: u8,
    pub(crate) has_header: bool,
    column: Column,
    /// The numbers of the other columns with the name of the address, in ascending order.
    twins: Vec<usize>,
    /// The number of columns; `None` before the header or the first row is read.
    columns: Option<usize>,
}

/// The column of the address.
#[derive(Clone, Debug)]
enum Column {
    /// Its name or its number as it is given, before the header is read.
    Given(String),
    /// Its number, from 0.
    Number(usize),
    /// No column is the address, because every column is read.
    All,
}

impl Layout {
    /// Returns the layout that the arguments name.
    ///
    /// # Errors
    /// The column is named but there are no names, or no column is given.
    pub(crate) fn new(args: &RecordArgs, delimiter: u8) -> Result<Self, String> {
        let has_header = !args.no_header;
        let field = args.field.as_deref();
        if field.is_none() && args.reads_all {
            let column = Column::All;
            return Ok(Self { delimiter, has_header, column, twins: Vec::new(), columns: None });
        }
        let field = field.ok_or(
            "csv and tsv need --field with the name or the number of a column; \
                 --from lines reads whole lines",
        )?;
        let column = match field.parse::<usize>() {
            Ok(0) => return Err("columns are numbered from 1".to_owned()),
            _ if has_header => Column::Given(field.to_owned()),
            Ok(number) => Column::Number(number - 1),
            Err(_) => return Err("with --no-header, --field is the number of a column".to_owned()),
        };
        Ok(Self { delimiter, has_header, column, twins: Vec::new(), columns: None })
    }

    /// Returns the number of the column, from 0, if it is among these names. No column has the number that stands for all.
    //     --field     the header has 3 columns
    //     url         the column with this name
    //     2           the second column
    //     2024        the column with this name, because no column has this number; without such a name, column 2024
    //     "2"         the column with the name 2
    pub(crate) fn number(&self, names: &[String]) -> Option<usize> {
        let field = match &self.column {
            Column::Given(field) => field,
            Column::Number(number) => return Some(*number),
            Column::All => return Some(usize::MAX),
        };
        let named = |name: &str| names.iter().position(|known| known == name);
        let Ok(number) = field.parse::<usize>() else {
            let is_numeral = |name: &&str| name.parse::<usize>().is_ok();
            let quoted = field.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            return named(quoted.filter(is_numeral).unwrap_or(field));
        };
        let name = if number > names.len() { named(field) } else { None };
        name.or(number.checked_sub(1))
    }

    /// Reads the header and finds the column in it. `added` is the name of a new column.
    ///
    /// # Errors
    /// No column has the name that is wanted, and the message lists the names; or a column has the name of the new
    /// column.
    pub(crate) fn read_header(&mut self, header: &[u8], added: Option<&str>) -> Result<(), String> {
        let names = names(header, self.delimiter);
        self.columns = Some(names.len());
        if let Some(name) = added.filter(|added| names.iter().any(|name| name == added)) {
            return Err(exists(name));
        }
        let number = self.number(&names);
        let name = number.and_then(|number| names.get(number)).filter(|name| !name.is_empty());
        let is_twin = |(other, known): &(usize, &String)| {
            Some(*other) != number && name.is_some_and(|name| name == *known)
        };
        self.twins = names.iter().enumerate().filter(is_twin).map(|(other, _)| other).collect();
        let Column::Given(name) = &self.column else { return Ok(()) };
        match number {
            Some(number) => {
                self.column = Column::Number(number);
                Ok(())
            }
            None => {
                let other = self.other_delimiter(|other| self::names(header, other).contains(name));
                let hint = Hint(other);
                // A file without a header has an item here, and perhaps a whole file in one line.
                let shown =
                    |name: &String| -> String { quote(name).chars().take(LONGEST_NAME).collect() };
                let shown = names.iter().take(MOST_NAMES).map(shown).collect::<Vec<_>>().join(", ");
                let more = if names.len() > MOST_NAMES { ", …" } else { "" };
                Err(format!("no column is called '{name}'; the columns are {shown}{more}{hint}"))
            }
        }
    }

    /// Returns the layout with the number of columns of the first row that is not blank. Returns `None`
    /// if the number is known, or if there is a header to read it from.
    pub(crate) fn counted(&self, rows: &[u8]) -> Option<Self> {
        let is_known = self.has_header || self.columns.is_some();
        let first = first_row(rows).filter(|_| !is_known)?;
        let columns = Some(Row::new(self.delimiter, rows, first).count());
        Some(Self { columns, ..self.clone() })
    }

    /// Returns the numbers of the columns that hold the address, or a text with its name; `None` if all do.
    pub(crate) fn read(&self, names: &[String]) -> Option<Vec<usize>> {
        let number = self.number(names).filter(|number| *number != usize::MAX)?;
        Some(self.twins.iter().copied().chain([number]).collect())
    }

    /// Returns another usual delimiter for which `wanted` is true, if there is one.
    fn other_delimiter(&self, wanted: impl Fn(u8) -> bool) -> Option<u8> {
        DELIMITERS.into_iter().find(|other| *other != self.delimiter && wanted(*other))
    }

    /// Returns how many fields a row lacks, compared with the header or the first row.
    ///
    /// # Errors
    /// The row has more fields.
    pub(crate) fn missing(&self, row: &[u8]) -> Result<usize, ItemError> {
        let Some(columns) = self.columns else { return Ok(0) };
        let mut fields = Row::new(self.delimiter, row, 0);
        let count = fields.by_ref().take(columns).count();
        match fields.next() {
            Some(field) => Err(surplus(field.start, Number(columns + 1))),
            None => Ok(columns - count),
        }
    }

    /// Finds the addresses of the rows from `from` on. Returns `false` if the masks of many rows cannot find them.
    pub(crate) fn find(
        &self,
        level: CpuLevel,
        (block, from): (&[u8], usize),
        known: &Known,
        records: &mut Records,
    ) -> bool {
        let Column::Number(column) = self.column else { return false };
        let end = |at| {
            let mut row = Row::new(self.delimiter, block, at);
            while row.next().is_some() {}
            row.end
        };
        spans::csv::find(level, (block, from), known, (self.delimiter, column), end, records)
    }

    /// Finds the row that begins at `at`, and the field of the address in it.
    pub(crate) fn next(&self, block: &[u8], at: usize, record: &mut Record) {
        let (Column::Number(_) | Column::All) = self.column else {
            record.body = at..block.len();
            record.end = block.len();
            let body = block.get(record.body.clone()).unwrap_or_default();
            let error = ItemError::whole("no-field", "the file has no header that was read", body);
            record.error = Some(error);
            return;
        };
        let number = match self.column {
            Column::Number(number) => number,
            _ => usize::MAX,
        };
        let mut row = Row::new(self.delimiter, block, at);
        let mut count = 0;
        let mut found = None;
        let coding = |is_alone| Coding::Csv(Cell { delimiter: self.delimiter, is_alone });
        for span in &mut row {
            if count == number {
                found = Some(span);
            } else if self.twins.binary_search(&count).is_ok() {
                record.twins.push(Field { span, coding: coding(false) });
            }
            count += 1;
        }
        record.end = row.end;
        record.body = at..row.body_end;
        record.is_filler = record.body.is_empty();
        if row.is_open {
            let message = "a quote opens a field and none closes it before the end of the file";
            let span = 0..record.body.len();
            record.error = Some(ItemError::at("unbalanced-quote", message, span));
            return;
        }
        if let Some(at) = row.lone_return {
            let start = at - record.body.start;
            let span = start..start + 1;
            record.error = Some(ItemError::at("carriage-return", LONE_RETURN, span));
            return;
        }
        match found {
            _ if number == usize::MAX => {
                record.fields.push(Field { span: record.body.clone(), coding: Coding::Record });
            }
            Some(span) => record.fields.push(Field { span, coding: coding(count == 1) }),
            None => {
                let end = record.body.len();
                let number = number + 1;
                let row = block.get(record.body.clone()).unwrap_or_default();
                let other = self.other_delimiter(|other| Row::new(other, row, 0).count() >= number);
                let message = Message::made(move |f| {
                    let (columns, hint) = (counted(count as u64, "column"), Hint(other));
                    write!(
                        f,
                        "the row has {columns}; the address should be in column {number}{hint}"
                    )
                });
                record.error = Some(ItemError::at("no-field", message, end..end));
            }
        }
    }
}

/// A hint about another delimiter that gives a row the fields that are wanted; empty if there is none.
struct Hint(Option<u8>);

impl Display for Hint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(other) => write!(f, "; with {} there is such a column", option(other)),
            None => Ok(()),
        }
    }
}

/// The delimiters that are usual.
pub(crate) const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Returns the option that sets a delimiter, as it is written in a shell.
pub(crate) fn option(delimiter: u8) -> String {
    match delimiter {
        b'\t' => "--from tsv".to_owned(),
        b',' => "--from csv".to_owned(),
        other => format!("--from csv --delimiter '{}'", char::from(other)),
    }
}

/// Returns where the first row begins: after blank lines, and after a byte-order mark.
pub(crate) fn first_row(text: &[u8]) -> Option<usize> {
    let rows = text.strip_prefix(&BYTE_ORDER_MARK).unwrap_or(text);
    let first = rows.iter().position(|byte| !b"\r\n".contains(byte))?;
    Some(text.len() - rows.len() + first)
}

/// Returns the texts of the fields of a row.
pub(crate) fn names(row: &[u8], delimiter: u8) -> Vec<String> {
    let text = |span| {
        let text = decode(row.get(span).unwrap_or_default());
        String::from_utf8_lossy(&text).into_owned()
    };
    Row::new(delimiter, row, 0).map(text).collect()
}

/// The fields of a row, with their quotes.
pub(crate) struct Row<'b> {
    delimiter: u8,
    block: &'b [u8],
    /// Where the next field begins; `None` after the last field.
    next: Option<usize>,
    /// The end of the row without its terminator. It is set after the last field.
    pub(crate) body_end: usize,
    /// The end of the row with its terminator. It is set after the last field.
    pub(crate) end: usize,
    /// Whether the block ends inside quotes.
    pub(crate) is_open: bool,
    /// The first carriage return outside quotes that no newline follows. A row of RFC 4180 has none: it is the end of a
    /// row of a file whose rows end so, and hides the rows after it.
    pub(crate) lone_return: Option<usize>,
}

impl<'b> Row<'b> {
    pub(crate) fn new(delimiter: u8, block: &'b [u8], at: usize) -> Self {
        let (is_open, lone_return) = (false, None);
        Self { delimiter, block, next: Some(at), body_end: at, end: at, is_open, lone_return }
    }
}

/// Returns the position after the quoted part of a field, whose first quote is before `at`; `None` if no quote ends it.
fn after_quotes(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr(b'"', bytes.get(at..)?)? + 1;
        if bytes.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

impl Iterator for Row<'_> {
    type Item = std::ops::Range<usize>;

    //     the field ends at    the field       `body_end`              `end`                next field
    //     a delimiter          up to it        not set yet             not set yet          after it
    //     `\n` or `\r\n`       up to it        before it              after it             none
    //     the end of block     up to the end   the end                 the end              none
    //
    // A delimiter or a newline inside quotes is passed by `after_quotes`. If no quote closes the field, the field is
    // the rest of the block.
    fn next(&mut self) -> Option<Self::Item> {
        let start = self.next.take()?;
        let is_quoted = self.block.get(start) == Some(&b'"');
        let after = if is_quoted { after_quotes(self.block, start + 1) } else { Some(start) };
        self.is_open = after.is_none();
        let mut at = after.unwrap_or(self.block.len());
        loop {
            let rest = self.block.get(at..).unwrap_or_default();
            let Some(length) = memchr3(self.delimiter, b'\n', b'\r', rest) else {
                self.body_end = self.block.len();
                self.end = self.block.len();
                return Some(start..self.block.len());
            };
            let end = at + length;
            let more = match rest.get(length..) {
                Some([b'\n', ..]) => 1,
                Some([b'\r', b'\n', ..]) => 2,
                Some([b'\r', ..]) => {
                    self.lone_return.get_or_insert(end);
                    at = end + 1;
                    continue;
                }
                _ => {
                    self.next = Some(end + 1);
                    return Some(start..end);
                }
            };
            (self.body_end, self.end) = (end, end + more);
            return Some(start..end);
        }
    }
}

/// Returns the text of a field.
pub(crate) fn decode(raw: &[u8]) -> Cow<'_, [u8]> {
    let Some(quoted) = raw.strip_prefix(b"\"") else { return Cow::Borrowed(raw) };
    // For example, in `"a""b"c` the text inside the quotes is `a""b`, and the rest is `c`. The field is `a"bc`.
    let end = after_quotes(quoted, 0);
    let (inside, rest) = quoted.split_at_checked(end.unwrap_or(quoted.len())).unwrap_or_default();
    let inside = if end.is_some() { inside.strip_suffix(b"\"").unwrap_or(inside) } else { inside };
    if rest.is_empty() && memchr(b'"', inside).is_none() {
        return Cow::Borrowed(inside);
    }
    let mut text = Vec::with_capacity(quoted.len());
    // Inside, quotes come in pairs, and the part between the two quotes of a pair is empty.
    for (number, part) in inside.split(|byte| *byte == b'"').step_by(2).enumerate() {
        text.extend(if number > 0 { &b"\""[..] } else { b"" });
        text.extend_from_slice(part);
    }
    text.extend_from_slice(rest);
    Cow::Owned(text)
}

/// Appends a field. It is quoted if it was quoted before, or if its text needs quotes.
pub(crate) fn encode(raw: &[u8], text: &[u8], cell: Cell, out: &mut Vec<u8>) {
    let needs_quotes = memchr3(cell.delimiter, b'"', b'\n', text).is_some()
        || memchr(b'\r', text).is_some()
        || cell.is_alone && text.is_empty();
    if !needs_quotes && !raw.starts_with(b"\"") {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    for part in text.split_inclusive(|byte| *byte == b'"') {
        out.extend_from_slice(part);
        if part.ends_with(b"\"") {
            out.push(b'"');
        }
    }
    out.push(b'"');
}
