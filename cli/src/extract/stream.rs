//! Searches a text that is read in parts, in memory of a fixed size.

use std::io::{self, ErrorKind, Read};

use encoding_rs::Encoding;
use simd_iri_text::{Extract, LinkStream};

use crate::extract::data::Delimiters;
use crate::extract::out::Out;
use crate::extract::printer::Printer;
use crate::extract::text::{LONGEST, Text, count_ill_formed, cut, further};
use crate::invariant::present;
use crate::output::report;

/// How many bytes are read at a time.
const CHUNK: usize = 1 << 18;

/// Reads a text and prints its links. `delimiters` are those of its format, which are no part of a link. The inner error is
/// the error of the source.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn read<O: Out>(
    printer: &mut Printer<'_, O>,
    extract: Extract<'_>,
    mut delimiters: Option<Delimiters>,
    mut source: impl Read,
    text: &mut Text<'_>,
) -> io::Result<io::Result<()>> {
    let mut stream = LinkStream::new(extract, LONGEST);
    let mut buffer = vec![0; CHUNK];
    // The bytes that were read and not printed yet.
    let mut rest: Vec<u8> = Vec::new();
    let mut ill_formed = 0;
    let mut outcome = Ok(());
    loop {
        // The output so far appears before the program waits for more input.
        printer.out.flush()?;
        report::flush();
        let piece = match source.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => present(buffer.get(..count)),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                outcome = Err(error);
                break;
            }
        };
        rest.extend_from_slice(piece);
        if ill_formed == 0 {
            text.ill_formed = first_ill_formed(text, &rest, false);
        }
        let (mut done, mut printed) = (text.start, Ok(()));
        let hidden = delimiters.as_mut().map(|delimiters| delimiters.hidden(piece));
        stream.push(hidden.as_deref().unwrap_or(piece), |at, link| {
            if printed.is_ok() {
                printed = printer.link(text, &rest, &mut done, at, link);
            }
        });
        printed?;
        let end = stream.position();
        ill_formed += pass(printer, text, &rest, done, end)?;
        rest.drain(..(end - text.start) as usize);
        text.start = end;
    }
    // If the source cannot be read to its end, the rest may end within a link. A part of a link is not a link, so the
    // rest is not searched.
    if outcome.is_ok() {
        ill_formed += finish(printer, stream, text, &rest, ill_formed == 0)?;
    }
    printer.settle(text.name)?;
    if ill_formed > 1 {
        let charset = text.charset.map_or("UTF-8", Encoding::name);
        printer.out.report(further(text.name, charset, ill_formed).as_bytes())?;
    }
    Ok(outcome)
}

/// Ends the search. Returns the number of ill-formed sequences in the rest of the text.
fn finish<O: Out>(
    printer: &mut Printer<'_, O>,
    stream: LinkStream<'_>,
    text: &mut Text<'_>,
    rest: &[u8],
    is_well_formed: bool,
) -> io::Result<u64> {
    if is_well_formed {
        text.ill_formed = first_ill_formed(text, rest, true);
    }
    let (mut done, mut printed) = (text.start, Ok(()));
    let was_cut = stream.last_cut();
    stream.finish(|at, link| {
        if printed.is_ok() {
            printed = printer.link(text, rest, &mut done, at, link);
        }
    });
    printed?;
    let end = text.start + rest.len() as u64;
    let ill_formed = pass(printer, text, rest, done, end)?;
    if let Some(at) = was_cut {
        printer.out.fail("too-long");
        printer.out.report(cut(text.name, at).as_bytes())?;
    }
    Ok(ill_formed)
}

/// Ends the search up to a place. Returns the number of ill-formed sequences before it.
fn pass<O: Out>(
    printer: &mut Printer<'_, O>,
    text: &mut Text<'_>,
    rest: &[u8],
    done: u64,
    end: u64,
) -> io::Result<u64> {
    printer.not_text(text, rest, end)?;
    printer.pass(text, text.between(rest, done, end))?;
    text.place(rest, end);
    Ok(count_ill_formed(text.between(rest, text.start, end)))
}

/// Returns the place of the first bytes that are not UTF-8. If `is_whole` is not set, the rest of a character that is
/// cut off at the end may follow.
fn first_ill_formed(text: &Text<'_>, rest: &[u8], is_whole: bool) -> Option<u64> {
    let error = std::str::from_utf8(rest).err()?;
    let is_certain = is_whole || error.error_len().is_some();
    is_certain.then(|| text.start + error.valid_up_to() as u64)
}
