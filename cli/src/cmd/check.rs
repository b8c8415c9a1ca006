//! `iri check`: reports which items are invalid, with position and reason.

use std::io::{self, IsTerminal, Write};

use simd_iri::Rule;

use crate::args::input::InputArgs;
use crate::args::kind::Kind;
use crate::io::{input, text};
use crate::output::report::{self, Outcome};
use crate::output::screen;

const EXAMPLES: &str = "\
Examples:
  iri check links.txt                     report the lines that are not IRIs
  iri check --all --as uri links.txt      every violation of each line, for plain URIs
  grep -o 'http[^ ]*' log | iri check     check what another program found
  iri check --valid links.txt > good.txt  keep the good ones
  iri check --charset utf-16 export.txt   check a file that is not UTF-8
  iri check -i a.test http://a.test       check two items instead of a file";

/// Report invalid items, with position and reason
///
/// Prints FILE:LINE:COLUMN: error: MESSAGE for every invalid item, and a summary on standard
/// error. Columns count characters.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    input: InputArgs,

    /// The kind that every item must be
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = Kind::Iri)]
    kind: Kind,

    /// Report every violation of an item, not only its first
    #[arg(long, group = "output")]
    all: bool,

    /// Print the valid items instead, byte for byte
    #[arg(long, group = "output")]
    valid: bool,

    /// Print the invalid items instead, byte for byte
    #[arg(long, group = "output")]
    invalid: bool,

    /// Print only the number of items, of valid items and of invalid items
    #[arg(long, group = "output")]
    count: bool,
}

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
            Outcome::SomeInvalid.record();
            if !(args.valid || args.invalid || args.count) {
                match text::ill_formed(place, item) {
                    Some(error) => report::write_remarks(out, place, item, [error], excerpt)?,
                    None => {
                        let errors = rule.violations(item).take(most);
                        report::write_remarks(out, place, item, errors, excerpt)?;
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
        // The reports come before the summary, even if both go to the same file.
        out.flush()?;
        report::print_message(format_args!("{summary}"));
    }
    Ok(Outcome::new(complete, invalid))
}
