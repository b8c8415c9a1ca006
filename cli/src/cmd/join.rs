//! `iri join`: prints the records of an input whose addresses another input has, or does not have.

use std::io::Write;
use std::path::PathBuf;

use crate::args::input::InputArgs;
use crate::args::records::From;
use crate::classes::collector::{Collector, Decided, Wanted};
use crate::classes::keyer::{KeyArgs, Keyer};
use crate::classes::worker::collect;
use crate::io::files::Outputs;
use crate::output::report::{self, Failure, Outcome};
use crate::pipe::Ended;

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

pub(crate) fn run(args: &JoinArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let [a, b] = args.input.files.as_slice() else {
        return Err("join: write two files; one may be - for standard input".into());
    };
    if a == b && a.as_os_str() == "-" {
        return Err("join: A and B are both standard input".into());
    }
    let keyer = Keyer::new(&args.keys)?;
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
    let limit = args.keys.limit;
    let (main, mut errors) = out.parts();
    let mut ended = collect(&b, &keyer, &mut collector, limit, false, main, errors.as_deref_mut())?;
    collector.begin();
    let rest = limit.after(ended.tally.failed);
    let from_a = match ended.is_whole() {
        true => collect(&a, &keyer, &mut collector, rest, false, main, errors)?,
        false => {
            report::print_message(format_args!(
                "B was not read to its end, so that nobody knows which records of A it has; A is not read"
            ));
            Ended::default()
        }
    };
    let Decided { kept, others } = collector.finish(out)?;
    let (records, failed) = (from_a.tally.records(), from_a.tally.failed);
    let (records_b, failed_b) = (ended.tally.records(), ended.tally.failed);
    assert_eq!(from_a.tally.made, kept + others, "no record is lost");
    let (only, both) = if args.only_a { (kept, others) } else { (others, kept) };
    out.flush()?;
    let text = format!(
        "A: {}, {only} only in A, {both} in both, {failed} failed; B: {}, {failed_b} failed",
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
    ended.add(&from_a);
    ended.summary(&text, &counts).print();
    Ok(ended.outcome())
}
