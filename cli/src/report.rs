//! Tells of violations: `FILE:LINE:COLUMN: error: MESSAGE`, and the place in the item under it.
//! Also the exit codes, and the way to standard error.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use simd_iri::Error;

use crate::escape::Escaped;

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

/// Reports violations of an item, in the order of their places, each with the part of the item
/// that shows it if `excerpt` is set.
pub(crate) fn violations(
    out: &mut impl Write,
    place: Place<'_>,
    item: &[u8],
    errors: impl IntoIterator<Item = Error>,
    excerpt: bool,
) -> io::Result<()> {
    let Place { name, line } = place;
    let (mut seen, mut column) = (0, 1);
    for error in errors {
        // Only on from the violation before, so that many in a long line take no longer.
        let start = error.span().start;
        column += characters(item.get(seen..start).unwrap_or_default());
        seen = start;
        let message = error.to_string();
        let message = Escaped(message.as_bytes());
        writeln!(out, "{name}:{line}:{column}: error: {message}")?;
        if excerpt {
            write_excerpt(out, item, &error)?;
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

/// How many bytes of an item an excerpt shows, and how many of them before the violation.
const EXCERPT: usize = 74;
const EXCERPT_BEFORE: usize = 54;

/// Writes the part of the item around the violation, and carets under the violation.
fn write_excerpt(out: &mut impl Write, item: &[u8], error: &Error) -> io::Result<()> {
    let span = error.span();
    let from = boundary(item, span.start.saturating_sub(EXCERPT_BEFORE));
    let to = boundary(item, from.saturating_add(EXCERPT)).max(span.start);
    let part = |from: usize, to: usize| Escaped(item.get(from..to).unwrap_or_default());
    let before = if from > 0 { "…" } else { "" };
    let after = if to < item.len() { "…" } else { "" };
    writeln!(out, "  {before}{}{after}", part(from, to))?;
    let indent = before.chars().count() + part(from, span.start).width();
    let carets = part(span.start, span.end.min(to)).width().max(1);
    writeln!(out, "  {:indent$}{:^<carets$}", "", "")
}

/// The first character boundary at or after `at`.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let inside = |byte: &u8| byte & 0xC0 == 0x80;
    (at + rest.iter().take_while(|byte| inside(byte)).count()).min(bytes.len())
}
