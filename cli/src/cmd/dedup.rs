//! `iri dedup`: keeps the first record of each class of equivalent records (RFC 3987, section 5.3).

use std::io::{self, Write};

use crate::args::input::InputArgs;
use crate::args::limit::LimitArgs;
use crate::args::records::From;
use crate::classes::collector::{Collector, Decided, Wanted};
use crate::classes::keyer::{KeyArgs, Keyer};
use crate::classes::worker::collect;
use crate::io::files::{Output, Outputs};
use crate::io::input::{files, name};
use crate::output::report::{self, Failure, Outcome};
use crate::pipe::{self, Ended};

const EXAMPLES: &str = "\
Examples:
  iri dedup -i http://a.example HTTP://A.EXAMPLE     keep the first of the two
  iri dedup --count links.txt                        each link once, after the size of its class
  iri dedup --from csv --field url list.csv          the rows of a table, each address once
  iri dedup --count --field url list.csv             the same, with how many rows had it in a new column
  iri dedup --recipe crawler links.txt               links, without what only tracks
  iri dedup --level skeleton --groups names.txt      names that look alike, group by group
  iri dedup --by archive-key=pywb links.txt          addresses that are one page in an archive, once
  iri dedup --redirects moved.tsv links.txt          addresses that redirect to each other, once
  iri dedup --in-place --backup .old links.txt       write the records that are kept back to the file

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
/// is the same. In RDF, equal IRIs have equal characters, and --recipe rdf compares so. The addresses of html,
/// markdown and sitemap are printed one a line. In warc, two records are equivalent if they have one type too,
/// so a response stays beside its request.
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

    /// Write the records that are kept back to each file
    ///
    /// Each file is read by itself, and takes the result when it is complete, as with iri normalize --in-place. A record
    /// that fails stays, unless --errors says otherwise.
    #[arg(help_heading = "Output", long, conflicts_with_all = ["count", "groups", "items", "links", "unordered"], requires = "files")]
    pub(super) in_place: bool,

    /// Keep the old file under its name and this ending, which no file may have
    #[arg(help_heading = "Output", long, value_name = "ENDING", requires = "in_place")]
    pub(super) backup: Option<String>,

    #[command(flatten)]
    pub(super) input: InputArgs,
}

pub(crate) fn run(args: &DedupArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let keyer = Keyer::new(&args.keys)?;
    if let Some(from) = args.count.then(|| without_room(&args.input)).flatten() {
        return Err(format!(
            "dedup: {} has no place for --count; lines, csv, tsv, jsonl and cdxj have one, and iri normalize \
             with --to csv or --to jsonl writes records in such a format",
            from.name()
        )
        .into());
    }
    let (limit, terminal) = (args.keys.limit, out.is_terminal());
    let (main, mut errors) = out.parts();
    let mut decided = Decided::default();
    let ended = if args.in_place {
        pipe::each_file(&args.input, limit, |file, input, limit| {
            if is_document(args.input.format(file)) {
                report::print_message(format_args!(
                    "{}: not replaced: the addresses of a document are printed one a line; use -o",
                    name(file)
                ));
                return Ok(Ended::default());
            }
            let (backup, errors) = (args.backup.as_deref(), errors.as_deref_mut());
            pipe::in_place(file, args.input.decompress, backup, |out| {
                one(args, &keyer, &input, limit, (out, false), errors, &mut decided)
            })
        })?
    } else {
        one(args, &keyer, &args.input, limit, (main, terminal), errors, &mut decided)?
    };
    let (records, failed, Decided { kept, others }) =
        (ended.tally.records(), ended.tally.failed, decided);
    assert_eq!(ended.tally.made, kept + others, "no record is lost");
    let word = if args.groups { "different" } else { "kept" };
    let items = report::counted(records, args.input.counted());
    let duplicates = report::counted(others, "duplicate");
    out.flush()?;
    let counts = [("items", records), (word, kept), ("duplicates", others), ("failed", failed)];
    let text = format!("{items}, {kept} {word}, {duplicates}, {failed} failed");
    ended.summary(&text, &counts).print();
    Ok(ended.outcome())
}

/// Keeps the first record of each class of an input, and adds how many are kept.
fn one(
    args: &DedupArgs,
    keyer: &Keyer,
    input: &InputArgs,
    limit: LimitArgs,
    (out, terminal): (&mut (dyn Write + Send), bool),
    errors: Option<&mut Output>,
    decided: &mut Decided,
) -> io::Result<Ended> {
    let wanted = match (args.count, args.groups) {
        (true, _) => Wanted::Counted,
        (_, true) => Wanted::Groups,
        _ => Wanted::First,
    };
    let mut collector = Collector::new(wanted, args.keys.memory, input.separator(), terminal);
    collector.keeps_failed = args.keys.keep.is_some() || args.in_place && errors.is_none();
    collector.count = args.count.then(|| args.add.clone());
    let ended = collect(input, keyer, &mut collector, limit, args.in_place, out, errors)?;
    let Decided { kept, others } = collector.finish(out)?;
    decided.kept += kept;
    decided.others += others;
    Ok(ended)
}

/// Tells whether the addresses of a format are printed, one a line, and not the records.
fn is_document(from: From) -> bool {
    matches!(from, From::Html | From::Markdown | From::Sitemap | From::Xml)
}

/// Returns a format of the input that has no place for the count of a class, if there is one.
fn without_room(input: &InputArgs) -> Option<From> {
    let has_room = |from: &From| match from {
        From::Html | From::Markdown | From::Sitemap | From::Xml | From::Lines => true,
        From::Csv | From::Tsv | From::Jsonl | From::Cdxj => true,
        From::Warc => input.records.links,
        From::Log | From::Nt | From::Nq | From::Parquet | From::Arrow => false,
    };
    files(&input.files).map(|file| input.format(file)).find(|from| !has_room(from))
}
