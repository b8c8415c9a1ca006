//! `iri resolve`: prints the targets of references, relative to a base.

use simd_iri::IriRef;

use crate::args::base::BaseArgs;
use crate::io::files::Outputs;
use crate::output::report::{Failure, Outcome};
use crate::recipe::Edits;
use crate::with_base;

const EXAMPLES: &str = "\
Examples:
  iri resolve --base https://a.example/b/ -i ../céu  print https://a.example/céu
  iri resolve --base https://a.example/b/ links.txt  resolve each line
  iri resolve --pairs crawl.tsv                      each line has its own base, a tab and a reference";

/// Resolve references relative to a base
///
/// Prints the target of every item (RFC 3986, section 5.2).
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ResolveArgs {
    #[command(flatten)]
    pub(super) base: BaseArgs,

    #[command(flatten)]
    pub(super) edits: Edits,

    /// Ignore the scheme of a reference if it is that of the base, as before RFC 3986
    #[arg(long)]
    lenient: bool,
}

pub(crate) fn run(args: &ResolveArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    with_base::run(&args.base, out, |base, item, made| {
        let base = base.lenient(args.lenient);
        base.resolve_into(IriRef::parse_bytes(item)?, &mut made.output)?;
        // The target may have the query of the base. So the edits apply to the target, and not to the item.
        args.edits.apply_to(&mut made.output)
    })
}
