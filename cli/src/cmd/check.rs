//! `iri check`: which items are invalid, where and why.

use std::io::{self, IsTerminal, Write};

use simd_iri::Rule;

use crate::args::CheckArgs;
use crate::io::input;
use crate::output::report::{self, Outcome};
use crate::output::screen;

pub(crate) fn run(args: &CheckArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let rule = Rule::from(args.kind);
    let separator = [args.input.separator()];
    let most = if args.all { usize::MAX } else { 1 };
    let terminal = io::stdout().is_terminal();
    let excerpt = terminal.then(screen::stdout_width);
    let (mut valid, mut invalid) = (0_u64, 0_u64);
    let complete = input::for_each(&args.input, out, |out, place, item| {
        let print = if rule.is_valid_bytes(item) {
            valid += 1;
            args.valid
        } else {
            invalid += 1;
            Outcome::SomeInvalid.note();
            if !(args.valid || args.invalid || args.count) {
                match place.ill_formed(item) {
                    Some(fault) => report::remark(out, place, item, [fault], excerpt)?,
                    None => {
                        let errors = rule.violations(item).take(most);
                        report::remark(out, place, item, errors, excerpt)?;
                    }
                }
            }
            args.invalid
        };
        if print {
            place.write_item(out, item, terminal)?;
            out.write_all(&separator)?;
        }
        Ok(())
    })?;
    let (items, kind) = (report::items(valid + invalid), args.kind.name());
    let summary = format!("{items}, {valid} valid, {invalid} invalid as {kind}");
    if args.count {
        writeln!(out, "{summary}")?;
    } else {
        // The reports come first, if both go the same way.
        out.flush()?;
        report::complain(format_args!("{summary}"));
    }
    Ok(Outcome::new(complete, invalid))
}
