//! `iri join`: prints the records of an input whose addresses another input has, or does not have.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::args::input::InputArgs;
use crate::args::records::From;
use crate::classes::collector::{Collector, Decided, Wanted};
use crate::classes::found::Counted;
use crate::classes::keyer::{KeyArgs, Keyer};
use crate::classes::worker::collect;
use crate::io::files::Outputs;
use crate::output::report::{self, Outcome};
use crate::output::summary::Summary;
use crate::pipe::{self, Ended};

const EXAMPLES: &str = "\
Examples:
  iri join new.txt seen.txt --only-a                 the links that were not seen before
  iri join crawl.csv --field url seen.txt --from-b lines    the rows whose address was seen before
  iri join --base http://a.example/ access.log known.csv --from-b csv --field-b url
                                                     the requests of addresses in a table
  iri join --by archive-key=wayback links.txt seen.txt       the links that are in an archive

Memory: as of iri dedup. Only the keys of B are kept, so let B be the smaller input.";

/// Print the records of A whose address B has
///
/// Two addresses are the same if iri dedup would keep one of them. The order of A stays, and each record is
/// printed byte for byte. Records with invalid addresses are reported and left out. For the records of B,
/// write B before A.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, override_usage = "iri join [OPTIONS] A B")]
pub(crate) struct JoinArgs {
    /// Print the records of A whose address B has; the default
    #[arg(long)]
    both: bool,

    /// Print the records of A whose address B does not have, and those without an address
    #[arg(long, conflicts_with = "both")]
    only_a: bool,

    /// The format of B, if it is not that of A
    #[arg(long, value_name = "FORMAT", value_enum)]
    from_b: Option<From>,

    /// Where the address is in a record of B, if it is not where it is in A
    #[arg(long, value_name = "FIELD")]
    field_b: Option<String>,

    #[command(flatten)]
    pub(super) keys: KeyArgs,

    #[command(flatten)]
    pub(super) input: InputArgs,
}

pub(crate) fn run(args: &JoinArgs, out: &mut Outputs) -> io::Result<Outcome> {
    let trouble = |message: &str| {
        report::print_message(format_args!("{message}"));
        Ok(Outcome::Refused)
    };
    let [a, b] = args.input.files.as_slice() else {
        return trouble("join: write two files; one may be - for standard input");
    };
    if a == b && a.as_os_str() == "-" {
        return trouble("join: A and B are both standard input");
    }
    let keyer = match Keyer::new(&args.keys) {
        Ok(keyer) => keyer,
        Err(message) => return trouble(&message),
    };
    let input = |file| InputArgs { found: Some(vec![PathBuf::clone(file)]), ..args.input.clone() };
    let (a, mut b) = (input(a), input(b));
    if args.from_b.is_some() || args.field_b.is_some() {
        b.records.from = args.from_b.or(b.records.from);
        b.records.field.clone_from(&args.field_b);
        b.records.links &= matches!(b.records.from, None | Some(From::Warc));
    }
    let wanted = if args.only_a { Wanted::Unknown } else { Wanted::Known };
    let (separator, terminal) = (a.separator(), out.is_terminal());
    let mut collector = Collector::new(wanted, args.keys.memory, separator, terminal);
    collector.keeps_failed = args.keys.keep.is_some();
    let failures = args.keys.limit.failures();
    let (main, mut errors) = out.parts();
    let from_b = collect(&b, &keyer, &mut collector, failures, false, main, errors.as_deref_mut())?;
    collector.begin();
    let rest = args.keys.limit.after(from_b.tally.failed).failures();
    // If B was not read to its end, it is not known which records are only in A.
    let is_whole = from_b.complete && !from_b.stopped;
    let from_a = match is_whole {
        true => collect(&a, &keyer, &mut collector, rest, false, main, errors)?,
        false => {
            report::print_message(format_args!(
                "B was not read to its end, so that nobody knows which records of A it has; A is not read"
            ));
            Ended::default()
        }
    };
    let Decided { kept, others } = collector.finish(out)?;
    let Counted { records, failed } = from_a.tally;
    assert_eq!(records, kept + others + failed, "no record is lost");
    let (only, both) = if args.only_a { (kept, others) } else { (others, kept) };
    let failed_b = from_b.tally.failed;
    out.flush()?;
    let records_b = from_b.tally.records;
    let stopped = pipe::stopped(from_a.stopped || from_b.stopped, failures);
    let text = format!(
        "A: {}, {only} only in A, {both} in both, {failed} failed; B: {}, {failed_b} failed{stopped}",
        report::counted(records, a.counted()),
        report::counted(records_b, b.counted()),
    );
    let counts = [
        ("items", records),
        ("only_in_a", only),
        ("in_both", both),
        ("failed", failed),
        ("items_b", records_b),
        ("failed_b", failed_b),
    ];
    let (is_complete, is_stopped) =
        (from_a.complete && from_b.complete, from_a.stopped || from_b.stopped);
    let mut kinds = from_a.kinds;
    kinds.add(&from_b.kinds);
    Summary { text, counts: &counts, kinds: &kinds, complete: is_complete && !is_stopped }.print();
    Ok(Outcome::new(is_complete, is_stopped, failed + failed_b))
}
