//! Searches plain text and logs in blocks, by several threads.

use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use encoding_rs::Encoding;
use simd_iri_text::{Extract, LinkStream};

use crate::args::input::InputArgs;
use crate::extract::deferred::Deferred;
use crate::extract::out::Out;
use crate::extract::printer::{Asked, Printer};
use crate::extract::text::{LONGEST, Text, count_ill_formed, cut, further};
use crate::format::Layout;
use crate::io::text::well_formed;
use crate::pipe::block::Block;
use crate::pipe::sink::Sink;
use crate::pipe::{self, Beside, Ended, Options};

/// Prints the links of plain text or of logs.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn run(
    input: &InputArgs,
    extract: Extract<'_>,
    asked: Asked,
    out: &mut (dyn Write + Send),
) -> io::Result<Ended> {
    let seen = Mutex::new(HashSet::new());
    let layout = Some(Layout::Text);
    let options = Options { layout, needs_order: asked.unique, ..Options::default() };
    let work = |block: &Block, sink: &mut Sink<'_>| {
        let text = well_formed(block.bytes());
        if text.is_err() && block.file.ill_formed.load(Ordering::Acquire) == 0 {
            // Only the first bytes of the file that are not UTF-8 are reported with their place. In the turn of this
            // block, all blocks before it have counted theirs, so it is known whether these are the first.
            sink.in_turn(|_| Ok(()))?;
        }
        if asked.unique {
            let mut found = Deferred::default();
            links(block, text, extract, asked, &mut found)?;
            let seen = |key| seen.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
            found.write(seen, sink)?;
        } else {
            links(block, text, extract, asked, sink)?;
        }
        end(block, sink)
    };
    pipe::run(input, &options, out, Beside::default(), &|| Box::new(&work))
}

/// Prints the links of a block. `text` is the result of [`utf8`].
fn links<O: Out>(
    block: &Block,
    text: Result<&str, usize>,
    extract: Extract<'_>,
    asked: Asked,
    out: &mut O,
) -> io::Result<()> {
    let file = &*block.file;
    let bytes = block.bytes();
    let start = block.offset;
    let mut place = Text {
        start,
        counted: start,
        column: block.column,
        ..Text::new(&file.name, block.line.number(), file.charset)
    };
    let end = start + bytes.len() as u64;
    let mut printer = Printer { asked, out, base: None, waiting: None };
    // A byte-order mark in the middle of the output is left out.
    let mut done = start + block.range.start as u64;
    match text {
        // PERF: the options are not asked for each link.
        Ok(found) if asked.is_plain() => {
            for link in extract.links(found) {
                printer.out.line(link.as_str().as_bytes())?;
            }
        }
        Ok(found) => {
            for link in extract.links(found) {
                let at = start + link.span().start as u64;
                printer.link(&mut place, bytes, &mut done, at, link)?;
            }
        }
        Err(valid) => {
            // If no block before this has such bytes, the first of them are reported. It is the turn of this block.
            let is_first = file.ill_formed.load(Ordering::Acquire) == 0;
            place.ill_formed = is_first.then_some(start + valid as u64);
            let mut stream = LinkStream::new(extract, LONGEST);
            let mut printed = Ok(());
            let mut each = |at: u64, link: simd_iri_text::Link<'_>| {
                if printed.is_ok() {
                    printed = printer.link(&mut place, bytes, &mut done, start + at, link);
                }
            };
            stream.push(bytes, &mut each);
            stream.finish(each);
            printed?;
            printer.not_text(&mut place, bytes, end)?;
            file.ill_formed.fetch_add(count_ill_formed(bytes), Ordering::AcqRel);
        }
    }
    printer.pass(&place, place.between(bytes, done, end))
}

/// Reports the end of a block: a word that was cut, or the end of the file.
fn end(block: &Block, sink: &mut Sink<'_>) -> io::Result<()> {
    let file = &*block.file;
    if block.long.is_some() {
        sink.fail("too-long");
        let at = block.offset + block.bytes().len() as u64;
        Out::report(sink, cut(&file.name, at).as_bytes())?;
    }
    if block.is_last {
        // In the turn of this block, all blocks before it have counted their ill-formed sequences.
        sink.in_turn(|_| Ok(()))?;
        let count = file.ill_formed.load(Ordering::Acquire);
        if count > 1 {
            let charset = file.charset.map_or("UTF-8", Encoding::name);
            Out::report(sink, further(&file.name, charset, count).as_bytes())?;
        }
    }
    Ok(())
}
