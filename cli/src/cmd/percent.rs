//! `iri encode` and `iri decode`: percent-encode and percent-decode values (RFC 3986, section 2.1). Not here: whole
//! references, which `to-uri`, `to-iri` and `prepare` encode and decode.

use std::io;

use clap::ValueEnum;
use simd_iri::percent::{
    self, Fragment, Path, Query, QueryPart, RegName, Segment, Unreserved, Userinfo,
};

use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::io::text::utf8;
use crate::item_error::ItemError;
use crate::output::report::Outcome;
use crate::transform::{self, Bytes, Text};

/// Percent-encode values, for a place in a URI
///
/// Encodes every byte that the place cannot hold, and every percent sign.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  iri encode -i '50% é/b'                           print 50%25%20%C3%A9%2Fb
  iri encode --for value -i 'a&b=c'                 print a%26b%3Dc
  iri encode --field name --add encoded list.csv    the encoded names, in a new column")]
pub(crate) struct EncodeArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    /// The place of the value
    #[arg(long = "for", value_name = "PLACE", value_enum, default_value_t = Place::Segment)]
    place: Place,
}

/// Percent-decode values
///
/// Decodes every triplet. What is decoded need not be UTF-8. Decode components, and not whole references: in a decoded
/// reference, a slash that was %2F is a delimiter.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  iri decode -i 50%25%20%C3%A9%2Fb                  print 50% é/b
  iri parse -g '{path}' links.txt | iri decode      the decoded paths")]
pub(crate) struct DecodeArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,
}

/// A place in a URI that can hold a value.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Place {
    /// Any: only letters, digits and - . _ ~ stay
    Any,
    /// User information; colons stay
    Userinfo,
    /// A host that is a name
    Host,
    /// A path; slashes stay
    Path,
    /// A segment of a path
    Segment,
    /// A query; & and = stay
    Query,
    /// A name or a value of a pair in a query
    Value,
    /// A fragment
    Fragment,
}

pub(crate) fn encode(args: &EncodeArgs, out: &mut Outputs) -> io::Result<Outcome> {
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Text| {
        made.output = match args.place {
            Place::Any => percent::encode::<Unreserved>(item).to_string(),
            Place::Userinfo => percent::encode::<Userinfo>(item).to_string(),
            Place::Host => percent::encode::<RegName>(item).to_string(),
            Place::Path => percent::encode::<Path>(item).to_string(),
            Place::Segment => percent::encode::<Segment>(item).to_string(),
            Place::Query => percent::encode::<Query>(item).to_string(),
            Place::Value => percent::encode::<QueryPart>(item).to_string(),
            Place::Fragment => percent::encode::<Fragment>(item).to_string(),
        };
        Ok(())
    })
}

pub(crate) fn decode(args: &DecodeArgs, out: &mut Outputs) -> io::Result<Outcome> {
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Bytes| {
        let decoded = percent::decode(utf8(item)?).bytes().map_err(|error| {
            let whole = ItemError::whole("bad-percent-encoding", &error.to_string(), item);
            ItemError { start: error.at(), ..whole }
        })?;
        made.output = decoded.into_owned();
        Ok(())
    })
}
