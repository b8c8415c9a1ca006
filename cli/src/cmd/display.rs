//! `iri display`: prints references as people read them best (RFC 3987, section 7.6; UTS #58).

use std::io;

use clap::ValueEnum;
use simd_iri::IriRef;
use simd_iri::text::{DisplayIri, DisplayUts58};

use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::output::report::{self, Outcome};
use crate::transform::{self, Text};

const EXAMPLES: &str = "\
Examples:
  iri display -i https://xn--bcher-kva.example/%C3%A9%20  print https://bücher.example/é%20
  iri display --form uts58 -i https://a.example/%5B1%5D.  print https://a.example/[1]%2E";

/// Print references as people read them best
///
/// Prints IRIs, or with --form uts58 text that need not be an IRI. Invisible characters are
/// percent-encoded.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DisplayArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    /// The form of the output
    #[arg(long, value_enum, default_value_t = Form::Iri)]
    form: Form,

    /// With --form uts58: more text of the link follows, so do not escape the last character
    #[arg(long)]
    medial: bool,
}

/// The form in which a reference is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Form {
    /// The most readable IRI
    Iri,
    /// Text with as few escapes as link detection by UTS #58 allows
    Uts58,
}

pub(crate) fn run(args: &DisplayArgs, out: &mut Outputs) -> io::Result<Outcome> {
    if args.medial && args.form == Form::Iri {
        report::print_message(format_args!("display: --medial needs --form uts58"));
        return Ok(Outcome::Refused);
    }
    let (iri, text) = (DisplayIri::new(), DisplayUts58::new().medial(args.medial));
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Text| {
        let reference = IriRef::parse_bytes(item)?;
        match args.form {
            Form::Iri => made.set(iri.map(reference)?, true),
            Form::Uts58 => text.map_into(reference, &mut made.output),
        }
        Ok(())
    })
}
