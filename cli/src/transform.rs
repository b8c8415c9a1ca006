//! The loop of the commands that make one result of each item. It prints exactly one result or one error
//! for each item, in order. Not here: how a command makes its result.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow::{self, Break, Continue};

use serde::Serialize;

use crate::args::transform::TransformArgs;
use crate::io::{input, text};
use crate::item_error::ItemError;
use crate::output::columns::{self, Columns};
use crate::output::escape::Escaped;
use crate::output::json;
use crate::output::report::{self, Outcome, Place, Remark};

/// The result of an item: it writes lines, and serializes as fields of a JSON object.
pub(crate) trait ItemOutput: Default + Serialize {
    /// Calls `write` with each line of output, without its separator.
    ///
    /// # Errors
    /// The errors of `write`.
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()>;

    /// Tells whether the place of the item is printed before each line. A reader needs it where an item
    /// may have any number of lines.
    fn has_places(&self) -> bool {
        false
    }

    /// Returns remarks for standard error, in the order of their positions.
    fn remarks(&self) -> Vec<Remark> {
        Vec::new()
    }
}

/// Writes a line of output. It is a byte string because it may be in a legacy charset.
pub(crate) type Line<'w> = dyn FnMut(&[u8]) -> io::Result<()> + 'w;

/// A result that is one line of text.
#[derive(Default, Serialize)]
pub(crate) struct Text {
    pub(crate) output: String,
}

impl ItemOutput for Text {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        write(self.output.as_bytes())
    }
}

/// Calls `make` with the columns of every item, and prints the result that `make` leaves in its second
/// argument. `names` are the names of the columns.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn run<const N: usize, T: ItemOutput>(
    args: &TransformArgs,
    names: [&'static str; N],
    out: &mut impl Write,
    mut make: impl FnMut([&[u8]; N], &mut T) -> Result<(), ItemError>,
) -> io::Result<Outcome> {
    let mut printer = Printer { args, terminal: io::stdout().is_terminal(), made: 0, failed: 0 };
    let mut made = T::default();
    let complete = input::try_for_each(&args.input, out, |out, place, item| {
        let texts = text::ill_formed(place, item).map_or_else(|| columns::split(&names, item), Err);
        match texts {
            Ok(texts) => {
                let result = make(texts, &mut made).map(|()| &made);
                printer.print(out, place, item, Columns { names: &names, texts: &texts }, result)
            }
            Err(error) => {
                let all = Columns { names: &["input"], texts: &[item] };
                printer.print::<T>(out, place, item, all, Err(error))
            }
        }
    })?;
    printer.finish(out, complete)
}

/// Prints the results, and counts them.
struct Printer<'a> {
    args: &'a TransformArgs,
    /// Whether hidden characters are escaped.
    terminal: bool,
    made: u64,
    failed: u64,
}

impl Printer<'_> {
    fn print<T: ItemOutput>(
        &mut self,
        out: &mut impl Write,
        place: Place<'_>,
        item: &[u8],
        columns: Columns<'_>,
        result: Result<&T, ItemError>,
    ) -> io::Result<ControlFlow<()>> {
        let failed = result.is_err();
        *(if failed { &mut self.failed } else { &mut self.made }) += 1;
        if failed {
            Outcome::SomeInvalid.record();
        }
        match result {
            result if self.args.json => json::write_transformed(out, place, columns, result)?,
            Ok(made) => {
                let (terminal, separator) = (self.terminal, self.args.input.separator());
                made.each_line(&mut |line| {
                    if made.has_places() {
                        write!(out, "{}:{}:1: ", place.name, place.line)?;
                    }
                    if terminal {
                        write!(out, "{}", Escaped(line))?;
                    } else {
                        out.write_all(line)?;
                    }
                    out.write_all(&[separator])
                })?;
                let remarks = made.remarks();
                if !remarks.is_empty() {
                    report::remarks_to_stderr(out, place, item, remarks)?;
                }
            }
            Err(error) => {
                if let Some(keep) = self.args.keep {
                    place.write_item(out, keep.text(item), self.terminal)?;
                    out.write_all(&[self.args.input.separator()])?;
                }
                let start = error.of.map_or(0, |name| columns.start(name));
                report::remarks_to_stderr(out, place, item, [error.within(start)])?;
            }
        }
        Ok(if failed && self.args.fail_fast { Break(()) } else { Continue(()) })
    }

    /// Prints a summary if an item failed. JSON needs none.
    fn finish(self, out: &mut impl Write, complete: bool) -> io::Result<Outcome> {
        let Self { args, made, failed, .. } = self;
        if failed > 0 && !args.json {
            out.flush()?;
            let items = report::items(made + failed);
            let stopped = if args.fail_fast { "; stopped at the first error" } else { "" };
            report::print_message(format_args!("{items}, {made} done, {failed} failed{stopped}"));
        }
        Ok(Outcome::new(complete, failed))
    }
}
