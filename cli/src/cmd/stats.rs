//! `iri stats`: counts the parts of addresses, and prints the counts as a table, as JSON and as a page.

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use simd_iri::{IriBuf, Rule};

use crate::args::base::base;
use crate::args::input::InputArgs;
use crate::args::kind;
use crate::io::files::Outputs;
use crate::output::report::{Failure, Outcome};
use crate::output::secrets::quote;
use crate::output::{json, screen};
use crate::pipe::{self, Beside, Options, Worker};
use crate::recipe::{Recipe, RecipeArgs};
use crate::stats::counters::{Counters, Totals};
use crate::stats::summary::Summary;
use crate::stats::{page, table};

const EXAMPLES: &str = "\
Examples:
  iri stats links.txt                           tables with bars
  iri stats access.log.gz --html report.html    also a page to show to others
  iri stats --json --top 100 links.csv --field url | jq .hosts.top
  iri stats --base https://a.example/ access.log   targets of requests, as addresses of a host
  iri stats --recipe crawler links.txt          what a recipe makes of the addresses
  iri stats --from warc --as iri crawl.warc.gz  relative references are errors";

/// Count schemes, hosts, domains, ports, query names, scripts, lengths and errors
///
/// Hosts are counted in the form in which iri display shows them, in lower case. Query names are
/// decoded. A length is that of the address in UTF-8; a path depth is the number of segments that
/// are not empty.
///
/// The memory is bounded. A list is exact as long as it has at most 32,768 different keys, and the
/// number of distinct items up to 10,000. Beyond, the output says how large the error is, and a
/// list has no key that may be rarer than one that was dropped. Keys of more than 256 bytes are
/// counted by their beginning.
///
/// Invalid items are a part of the result: the exit code is 0 if all input was counted.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatsArgs {
    /// The kind that every item must be
    #[arg(long = "as", value_name = "KIND", value_parser = kind::kind(), default_value = "iri-reference")]
    kind: Rule,

    /// How many of the most frequent keys to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    /// Print a JSON object instead of tables
    #[arg(long)]
    json: bool,

    /// Also write a page with charts to this file; the page loads nothing and has no script
    ///
    /// A file that exists is replaced only if it is such a page, or empty.
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,

    /// Resolve every reference relative to this base first
    #[arg(long, value_name = "IRI", value_parser = base, conflicts_with = "recipe")]
    base: Option<IriBuf>,

    #[command(flatten)]
    pub(super) recipe: RecipeArgs,

    #[command(flatten)]
    pub(super) input: InputArgs,
}

pub(crate) fn run(args: &StatsArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let totals = Mutex::new(Totals::default());
    let rule = args.kind;
    let with_base = args.base.clone().map(|base| Recipe { base: Some(base), ..Recipe::default() });
    let recipe = args.recipe.recipe.as_ref().or(with_base.as_ref());
    let worker = || -> Worker<'_> {
        let mut counters = Counters::new(rule, recipe, &totals);
        Box::new(move |block, sink| {
            sink.tally.failed += counters.add(block);
            Ok(())
        })
    };
    let ended = pipe::run(&args.input, &Options::default(), out, Beside::default(), &worker)?;
    let totals = totals.into_inner().unwrap_or_else(PoisonError::into_inner);
    let source = source(&args.input);
    let summary = Summary::new(source, kind::name(args.kind), ended.complete, totals, args.top);
    if args.json {
        json::write(out, &summary)?;
    } else {
        table::write(out, &summary, screen::stdout_width())?;
    }
    if let Some(page) = out.pages.first_mut() {
        page.write_all(page::page(&summary).as_bytes())?;
    }
    // Invalid items are counted: they are what the command was asked for.
    Ok(Outcome::new(ended.complete, ended.stopped, 0))
}

/// Returns the name of the input, safe to print.
fn source(input: &InputArgs) -> String {
    match &input.files[..] {
        _ if !input.items.is_empty() => "arguments".to_owned(),
        [] => "standard input".to_owned(),
        [file] if file.as_os_str() == "-" => "standard input".to_owned(),
        [file] => {
            let name = file.file_name().unwrap_or(file.as_os_str());
            quote(&name.to_string_lossy())
        }
        files => format!("{} files", files.len()),
    }
}
