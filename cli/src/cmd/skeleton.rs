//! `iri skeleton`: prints texts that are equal for references that look alike (UTS #39, section 4).

use simd_iri::IriRef;

use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::output::report::{Failure, Outcome};
use crate::transform::{self, Text};

const EXAMPLES: &str = "\
Examples:
  iri skeleton -i http://ѕсоре.example/ -i http://scope.example/  print the same line twice
  iri skeleton names.txt | sort | uniq -d                         skeletons that occur twice
  iri skeleton --json names.txt                                   each item with its skeleton";

/// Print skeletons, which are equal for references that look alike
///
/// Prints the skeleton of UTS #39, in which look-alikes of all scripts become the same character. Labels
/// that begin with xn-- are decoded first. A skeleton is for comparison only; it is not a reference.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SkeletonArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,
}

pub(crate) fn run(args: &SkeletonArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    transform::run(&args.transform, out, |item, made: &mut Text| {
        made.output = simd_iri_lint::skeleton(IriRef::parse_bytes(item)?);
        Ok(())
    })
}
