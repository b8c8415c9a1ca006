//! `iri relativize`: prints the shortest references that resolve to the items, relative to a base.

use simd_iri::{Component, Iri, Relativize, errors::DotSegment};

use crate::args::base::BaseArgs;
use crate::invariant::present;
use crate::io::files::Outputs;
use crate::item_error::{ItemError, Message};
use crate::output::report::{Failure, Outcome};
use crate::with_base;

const EXAMPLES: &str = "\
Examples:
  iri relativize --base https://a.example/b/c -i https://a.example/b/d  print d
  iri relativize --base https://a.example/ --no-network-path links.txt  keep the scheme of other hosts
  iri relativize --pairs --json crawl.tsv                               a JSON object for every line";

/// Make IRIs relative to a base
///
/// Prints the shortest reference that resolves to the item. No reference resolves to an item with dot
/// segments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RelativizeArgs {
    #[command(flatten)]
    pub(super) base: BaseArgs,

    /// Print no reference that begins with two slashes
    #[arg(long)]
    no_network_path: bool,

    /// Print no reference that begins with a single slash
    #[arg(long)]
    no_absolute_path: bool,
}

pub(crate) fn run(args: &RelativizeArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let forms =
        Relativize::new().network_path(!args.no_network_path).absolute_path(!args.no_absolute_path);
    with_base::run(&args.base, out, |base, item, made| {
        let target = Iri::parse_bytes(item)?;
        let relative =
            forms.relativize(base, target).map_err(|error| dot_segment(error, target))?;
        made.output = relative.into_string();
        Ok(())
    })
}

fn dot_segment(error: DotSegment, target: Iri<'_>) -> ItemError {
    let start = error.at();
    let segment = present(target.as_str().get(start..));
    let dots = segment.bytes().take_while(|byte| *byte == b'.').count();
    let found = ItemError::at("dot-segment", Message::other(error), start..start + dots);
    ItemError { component: Some(Component::Path.name()), ..found }
}
