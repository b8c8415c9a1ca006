//! `iri build`: builds a reference from components (RFC 3986, section 5.3).

use std::io::Write;

use simd_iri::{Builder, IriRefBuf, UriRefBuf, kind::Kind};

use crate::io::files::Outputs;
use crate::output::report::{Failure, Outcome};
use crate::recipe::setting::Setting;

const EXAMPLES: &str = "\
Examples:
  iri build scheme=https host=例え.jp 'path=/50% é'     print https://例え.jp/50%25%20é
  iri build --uri scheme=mailto path=é@a.example       print mailto:%C3%A9@a.example
  iri build path=/search 'query:=q=a%26b'              print /search?q=a%26b";

/// Build a reference from components
///
/// The components are scheme, userinfo, host, port, path, query and fragment, in any order. What a component cannot hold
/// is percent-encoded, percent signs too. With := in place of =, the text is percent-encoded already. To set components of
/// references that exist, use --set of normalize.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BuildArgs {
    /// The components
    #[arg(value_name = "COMPONENT=TEXT", required = true)]
    components: Vec<Setting>,

    /// Build a URI: characters outside ASCII are percent-encoded too
    #[arg(long)]
    uri: bool,
}

pub(crate) fn run(args: &BuildArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let built = if args.uri {
        built(UriRefBuf::builder(), &args.components)
    } else {
        built(IriRefBuf::builder(), &args.components)
    };
    let reference = built.map_err(|error| format!("build: {error}"))?;
    writeln!(out, "{reference}")?;
    Ok(Outcome::AllValid)
}

/// Builds the reference, as text.
fn built<'a, K: Kind>(
    builder: Builder<'a, K>,
    components: &'a [Setting],
) -> Result<String, simd_iri::Error> {
    let set = components.iter().fold(builder, |builder, component| component.set(builder));
    Ok(set.build()?.into_string())
}
