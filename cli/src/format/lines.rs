//! The format `lines`: a record is a line, and the whole line is the address.

use memchr::memchr;

use crate::format::field::{Coding, Field, Record};

/// Finds the line that begins at `at`. A carriage return before a newline is part of the terminator.
pub(crate) fn next(separator: u8, block: &[u8], at: usize, record: &mut Record) {
    line(separator, block, at, record);
    record.fields.push(Field { span: record.body.clone(), coding: Coding::Raw });
}

/// Finds an item of the arguments, which may hold newlines.
pub(crate) fn item(block: &[u8], at: usize, record: &mut Record) {
    record.body = at..block.len() - 1;
    record.end = block.len();
    record.fields.push(Field { span: record.body.clone(), coding: Coding::Raw });
}

/// Finds the end of the line that begins at `at`.
pub(crate) fn line(separator: u8, block: &[u8], at: usize, record: &mut Record) {
    let rest = block.get(at..).unwrap_or_default();
    let (length, terminator) = match memchr(separator, rest) {
        Some(length) => (length, 1),
        None => (rest.len(), 0),
    };
    let has_return =
        separator == b'\n' && rest.get(..length).is_some_and(|line| line.ends_with(b"\r"));
    record.body = at..at + length - usize::from(has_return);
    record.end = at + length + terminator;
}

/// Finds a line of a format in which blank lines are not records. Returns the line.
pub(crate) fn filled<'b>(block: &'b [u8], at: usize, record: &mut Record) -> &'b [u8] {
    line(b'\n', block, at, record);
    let line = block.get(record.body.clone()).unwrap_or_default();
    record.is_filler = line.trim_ascii().is_empty();
    line
}
