//! Tells what is wrong: `FILE:LINE:COLUMN: LABEL: MESSAGE`, and the place in the item under it.
//! Also the exit codes, and the way to standard error.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::process::ExitCode;

use simd_iri::Error;

use crate::escape::Escaped;
use crate::fault::Fault;

/// How a command ended.
#[derive(Clone, Copy)]
pub(crate) enum Outcome {
    AllValid = 0,
    SomeInvalid = 1,
    Trouble = 2,
}

impl Outcome {
    pub(crate) fn new(complete: bool, invalid: u64) -> Self {
        match (complete, invalid) {
            (false, _) => Self::Trouble,
            (true, 0) => Self::AllValid,
            (true, _) => Self::SomeInvalid,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome as u8)
    }
}

/// Writes a message of the program to standard error.
pub(crate) fn complain(message: fmt::Arguments<'_>) {
    to_stderr(format!("iri: {message}\n").as_bytes());
}

/// Writes whole lines to standard error at once, so that those of other programs do not cut them.
pub(crate) fn to_stderr(lines: &[u8]) {
    // There is nobody left to tell if this fails.
    let _ = io::stderr().write_all(lines);
}

/// Where an item comes from.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The name of the file, fit to be shown.
    pub(crate) name: &'a str,
    /// The number of the item, from 1.
    pub(crate) line: u64,
}

/// So many items, in words.
pub(crate) fn items(count: u64) -> String {
    format!("{count} item{}", if count == 1 { "" } else { "s" })
}

/// What is said of a part of an item.
pub(crate) struct Remark {
    /// Where, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// How grave it is, and what it is called.
    pub(crate) label: String,
    pub(crate) message: String,
}

impl From<Error> for Remark {
    fn from(error: Error) -> Self {
        Fault::from(error).into()
    }
}

impl From<Fault> for Remark {
    fn from(fault: Fault) -> Self {
        let Fault { start, end, message, of, .. } = fault;
        let of = of.map(|of| format!("{of}: ")).unwrap_or_default();
        Self { start, end, label: "error".to_owned(), message: of + &message }
    }
}

/// Reports what is wrong with an item to standard error.
///
/// # Errors
/// Those of `out`, to which nothing is written.
pub(crate) fn aside(
    out: &mut impl Write,
    place: Place<'_>,
    item: &[u8],
    remarks: impl IntoIterator<Item = impl Into<Remark>>,
) -> io::Result<()> {
    // What was printed before comes first, if both go the same way.
    out.flush()?;
    let mut lines = Vec::new();
    remark(&mut lines, place, item, remarks, io::stderr().is_terminal())?;
    to_stderr(&lines);
    Ok(())
}

/// Reports what there is to say of an item, in the order of the places, each with the part of the item
/// that shows it if `excerpt` is set.
pub(crate) fn remark(
    out: &mut impl Write,
    place: Place<'_>,
    item: &[u8],
    remarks: impl IntoIterator<Item = impl Into<Remark>>,
    excerpt: bool,
) -> io::Result<()> {
    let Place { name, line } = place;
    let (mut seen, mut column) = (0, 1);
    for remark in remarks {
        let remark: Remark = remark.into();
        // Only on from the one before, so that many in a long line take no longer.
        column += characters(item.get(seen..remark.start).unwrap_or_default());
        seen = remark.start;
        let (label, message) = (&remark.label, Escaped(remark.message.as_bytes()));
        writeln!(out, "{name}:{line}:{column}: {label}: {message}")?;
        if excerpt {
            write_excerpt(out, item, remark.start..remark.end)?;
        }
    }
    Ok(())
}

/// Counts characters; an ill-formed sequence is one, as if it were replaced by U+FFFD.
fn characters(bytes: &[u8]) -> usize {
    let count = |chunk: std::str::Utf8Chunk<'_>| {
        chunk.valid().chars().count() + usize::from(!chunk.invalid().is_empty())
    };
    bytes.utf8_chunks().map(count).sum()
}

/// How many bytes of an item an excerpt shows, and how many of them before what is wrong.
const EXCERPT: usize = 74;
const EXCERPT_BEFORE: usize = 54;

/// Writes the part of the item around a span of it, and carets under that.
fn write_excerpt(out: &mut impl Write, item: &[u8], span: Range<usize>) -> io::Result<()> {
    let Range { start, end } = span;
    let from = boundary(item, start.saturating_sub(EXCERPT_BEFORE));
    let to = boundary(item, from.saturating_add(EXCERPT)).max(start);
    let part = |from: usize, to: usize| Escaped(item.get(from..to).unwrap_or_default());
    let before = if from > 0 { "…" } else { "" };
    let after = if to < item.len() { "…" } else { "" };
    writeln!(out, "  {before}{}{after}", part(from, to))?;
    let indent = before.chars().count() + part(from, start).width();
    let carets = part(start, end.min(to)).width().max(1);
    writeln!(out, "  {:indent$}{:^<carets$}", "", "")
}

/// The first character boundary at or after `at`.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let inside = |byte: &u8| byte & 0xC0 == 0x80;
    (at + rest.iter().take_while(|byte| inside(byte)).count()).min(bytes.len())
}
