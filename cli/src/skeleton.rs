//! `iri skeleton`: texts that are the same where references look alike (UTS #39, section 4).

use std::io::{self, Write};

use simd_iri::IriRef;

use crate::args::TransformArgs;
use crate::report::Outcome;
use crate::transform::{self, Text};

const EXAMPLES: &str = "\
Examples:
  iri skeleton -i http://ѕсоре.example/ -i http://scope.example/  print the same line twice
  iri skeleton names.txt | sort | uniq -d                         skeletons that occur twice
  iri skeleton --json names.txt                                   each item beside its skeleton";

/// Print skeletons, which are the same where references look alike
///
/// The skeleton of UTS #39: look-alikes of all scripts become one of them, and labels that begin with
/// xn-- count as what they stand for. It is for comparing only, and is no reference.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SkeletonArgs {
    #[command(flatten)]
    transform: TransformArgs,
}

pub(crate) fn run(args: &SkeletonArgs, out: &mut impl Write) -> io::Result<Outcome> {
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Text| {
        made.output = IriRef::parse_bytes(item)?.skeleton();
        Ok(())
    })
}
