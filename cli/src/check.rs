//! `iri check`: which items are invalid, where and why.

use std::io::{self, IsTerminal, Write};

use simd_iri::Rule;

use crate::args::CheckArgs;
use crate::input;
use crate::report::{self, Outcome};

pub(crate) fn run(args: &CheckArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let rule = Rule::from(args.kind);
    let separator = [args.input.separator()];
    let most = if args.all { usize::MAX } else { 1 };
    let excerpt = io::stdout().is_terminal();
    let (mut valid, mut invalid) = (0_u64, 0_u64);
    let complete = input::for_each(&args.input, out, |out, place, item| {
        let print = if rule.is_valid_bytes(item) {
            valid += 1;
            args.valid
        } else {
            invalid += 1;
            if !(args.valid || args.invalid || args.count) {
                let errors = rule.violations(item).take(most);
                report::remark(out, place, item, errors, excerpt)?;
            }
            args.invalid
        };
        if print {
            out.write_all(item)?;
            out.write_all(&separator)?;
        }
        Ok(())
    })?;
    let items = report::items(valid + invalid);
    let summary = format_args!("{items}, {valid} valid, {invalid} invalid");
    if args.count {
        writeln!(out, "{summary}")?;
    } else {
        // The reports come first, if both go the same way.
        out.flush()?;
        report::complain(summary);
    }
    Ok(Outcome::new(complete, invalid))
}
