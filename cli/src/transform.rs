//! The loop of the commands that make one result of every item. It reports exactly one result or one
//! error for each item, in order. Not here: how a result is made, which each command knows.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow::{self, Break, Continue};

use serde::Serialize;

use crate::args::transform::TransformArgs;
use crate::io::{input, text};
use crate::item_error::ItemError;
use crate::output::columns::{Columns, cut};
use crate::output::escape::Escaped;
use crate::output::json;
use crate::output::report::{self, Outcome, Place, Remark};

/// What becomes of an item: lines of output, or, serialized, fields of a JSON object.
pub(crate) trait Made: Default + Serialize {
    /// Calls `write` with each line of output, without what ends it.
    ///
    /// # Errors
    /// Those of `write`.
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()>;

    /// Tells whether each line begins with the place of its item, as an item may have any number of lines.
    fn has_places(&self) -> bool {
        false
    }

    /// What there is to say beside a line of output, in the order of the item.
    fn remarks(&self) -> Vec<Remark> {
        Vec::new()
    }
}

/// Takes a line of output. Most are text, but the bytes of a legacy charset need not be.
pub(crate) type Line<'w> = dyn FnMut(&[u8]) -> io::Result<()> + 'w;

/// The text that becomes of an item.
#[derive(Default, Serialize)]
pub(crate) struct Text {
    pub(crate) output: String,
}

impl Made for Text {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        write(self.output.as_bytes())
    }
}

/// Calls `make` with the columns of every item, which are called `names`, and tells what it leaves in
/// its second argument.
///
/// # Errors
/// Those of `out`.
pub(crate) fn run<const N: usize, T: Made>(
    args: &TransformArgs,
    names: [&'static str; N],
    out: &mut impl Write,
    mut make: impl FnMut([&[u8]; N], &mut T) -> Result<(), ItemError>,
) -> io::Result<Outcome> {
    let mut teller = Teller { args, terminal: io::stdout().is_terminal(), made: 0, failed: 0 };
    let mut made = T::default();
    let complete = input::try_for_each(&args.input, out, |out, place, item| {
        let texts = text::ill_formed(place, item).map_or_else(|| cut(&names, item), Err);
        match texts {
            Ok(texts) => {
                let result = make(texts, &mut made).map(|()| &made);
                teller.tell(out, place, item, Columns { names: &names, texts: &texts }, result)
            }
            Err(error) => {
                let all = Columns { names: &["input"], texts: &[item] };
                teller.tell::<T>(out, place, item, all, Err(error))
            }
        }
    })?;
    teller.finish(out, complete)
}

/// Tells of the items, and counts them.
struct Teller<'a> {
    args: &'a TransformArgs,
    /// Whether hidden characters are to be spelled out.
    terminal: bool,
    made: u64,
    failed: u64,
}

impl Teller<'_> {
    fn tell<T: Made>(
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
            Outcome::SomeInvalid.note();
        }
        match result {
            result if self.args.json => json::write_made(out, place, columns, result)?,
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
                    report::aside(out, place, item, remarks)?;
                }
            }
            Err(error) => {
                if let Some(keep) = self.args.keep {
                    place.write_item(out, keep.text(item), self.terminal)?;
                    out.write_all(&[self.args.input.separator()])?;
                }
                let start = error.of.map_or(0, |name| columns.start(name));
                report::aside(out, place, item, [error.within(start)])?;
            }
        }
        Ok(if failed && self.args.fail_fast { Break(()) } else { Continue(()) })
    }

    /// Says how many there were if something failed that JSON does not tell of.
    fn finish(self, out: &mut impl Write, complete: bool) -> io::Result<Outcome> {
        let Self { args, made, failed, .. } = self;
        if failed > 0 && !args.json {
            out.flush()?;
            let items = report::items(made + failed);
            let stopped = if args.fail_fast { "; stopped there" } else { "" };
            report::complain(format_args!("{items}, {made} done, {failed} failed{stopped}"));
        }
        Ok(Outcome::new(complete, failed))
    }
}
