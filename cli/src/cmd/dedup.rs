//! `iri dedup`: keeps the first record of each class of equivalent records (RFC 3987, section 5.3).

use std::collections::hash_map::RandomState;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::args::input::InputArgs;
use crate::args::records::From;
use crate::classes::collector::{Collector, Decided, Wanted};
use crate::classes::found::Counted;
use crate::classes::keyer::{KeyArgs, Keyer};
use crate::classes::worker::collect;
use crate::io::files::Outputs;
use crate::output::report::{self, Outcome};
use crate::output::summary::Summary;

const EXAMPLES: &str = "\
Examples:
  iri dedup -i http://a.example HTTP://A.EXAMPLE     keep the first of the two
  iri dedup --level scheme --count links.txt         each link once, after the size of its class
  iri dedup --from csv --field url list.csv          the rows of a table, each address once
  iri dedup --count --field url list.csv             the same, with how many rows had it in a new column
  iri dedup --recipe crawler links.txt               links, without what only tracks
  iri dedup --level skeleton --groups names.txt      names that look alike, group by group
  iri dedup --redirects moved.tsv links.txt          addresses that redirect to each other, once

Memory: --memory for keys and records that wait, the buffers of the threads, and three times the longest
record, or seven times the longest address. If the keys do not fit, they are divided among files on disk,
and the records after that wait there too. The texts of keys are compared, so that no record is lost,
whatever its hash.";

/// Print the first record of each class of equivalent records
///
/// Two records are equivalent if their addresses are, as iri compare tells. The order stays, and each
/// record is printed byte for byte. A record without an address stays; one whose address is invalid is
/// reported and left out, unless --errors or --keep says otherwise.
///
/// In nt and nq, without --field, two statements are equivalent if all their IRIs are and every other byte
/// is the same. The addresses of html, markdown and sitemap are printed one a line. In warc, two records are
/// equivalent if they have one type too, so a response stays beside its request.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DedupArgs {
    /// Print how many records each class has, with its first record
    ///
    /// In csv, tsv, jsonl and cdxj, it is a new field of the record, at its end. In lines, html, markdown, sitemap
    /// and the links of warc, which are printed one a line, it comes before the line, with a tab. The other
    /// formats have no place for it; iri normalize --to csv or --to jsonl writes their records in one that has.
    /// Nothing is printed before the end of the input.
    #[arg(long)]
    count: bool,

    /// The name of the field for --count
    #[arg(long, value_name = "NAME", default_value = "count", requires = "count")]
    add: String,

    /// Print all records, class by class, with an empty line between two classes
    ///
    /// A class of one record is printed too, as uniq --group does. Classes have the order of their first
    /// records. Blank lines and comments are left out, and nothing is printed before the end of the input.
    #[arg(long, conflicts_with = "count")]
    groups: bool,

    #[command(flatten)]
    pub(super) keys: KeyArgs,

    #[command(flatten)]
    pub(super) input: InputArgs,
}

pub(crate) fn run(args: &DedupArgs, out: &mut Outputs) -> io::Result<Outcome> {
    let keyer = match Keyer::new(&args.keys) {
        Ok(keyer) => keyer,
        Err(message) => {
            report::print_message(format_args!("{message}"));
            return Ok(Outcome::Refused);
        }
    };
    if let Some(from) = args.count.then(|| without_room(&args.input)).flatten() {
        report::print_message(format_args!(
            "dedup: {} has no place for --count; lines, csv, tsv, jsonl and cdxj have one, and iri normalize \
             with --to csv or --to jsonl writes records in such a format",
            from.name()
        ));
        return Ok(Outcome::Refused);
    }
    let wanted = match (args.count, args.groups) {
        (true, _) => Wanted::Counted,
        (_, true) => Wanted::Groups,
        _ => Wanted::First,
    };
    let (separator, terminal) = (args.input.separator(), out.is_terminal());
    let mut collector =
        Collector::new(wanted, args.keys.memory, RandomState::new(), separator, terminal);
    collector.keeps_failed = args.keys.keep.is_some();
    collector.count = args.count.then(|| args.add.clone());
    let ended = collect(&args.input, &keyer, &mut collector, out)?;
    let Decided { kept, others } = collector.finish(out)?;
    let Counted { records, failed } = ended.tally;
    assert_eq!(records, kept + others + failed, "no record is lost");
    let word = if args.groups { "different" } else { "kept" };
    let items = report::counted(records, args.input.counted());
    let plural = if others == 1 { "" } else { "s" };
    out.flush()?;
    let text = format!("{items}, {kept} {word}, {others} duplicate{plural}, {failed} failed");
    let counts = [("items", records), (word, kept), ("duplicates", others), ("failed", failed)];
    let complete = ended.complete && !ended.stopped;
    Summary { text, counts: &counts, kinds: &ended.kinds, complete }.print();
    Ok(ended.outcome(failed))
}

/// Returns a format of the input that has no place for the count of a class, if there is one.
fn without_room(input: &InputArgs) -> Option<From> {
    let has_room = |from: &From| match from {
        From::Lines | From::Html | From::Markdown | From::Sitemap | From::Xml => true,
        From::Csv | From::Tsv | From::Jsonl | From::Cdxj => true,
        From::Warc => input.records.links,
        From::Log | From::Nt | From::Nq | From::Parquet | From::Arrow => false,
    };
    let stdin = input.files.is_empty().then_some(Path::new("-"));
    let files = input.files.iter().map(PathBuf::as_path).chain(stdin);
    files.map(|file| input.format(file)).find(|from| !has_room(from))
}
