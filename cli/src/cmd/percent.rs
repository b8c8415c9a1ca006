//! `iri encode` and `iri decode`: percent-encode and percent-decode values (RFC 3986, section 2.1). Not here: whole
//! references, which `to-uri`, `to-iri` and `prepare` encode and decode.

use clap::builder::TypedValueParser;
use simd_iri::percent::{self, Place};

use crate::args::named::named;
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::io::text::utf8;
use crate::item_error::{ItemError, Message};
use crate::output::report::{Failure, Outcome};
use crate::transform::{self, Bytes, Text};

/// Percent-encode values, for a place in a URI
///
/// Encodes every byte that the place cannot hold, and every percent sign.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  iri encode -i '50% é/b'                           print 50%25%20%C3%A9%2Fb
  iri encode --for query-part -i 'a&b=c'            print a%26b%3Dc
  iri encode --field name --add encoded list.csv    the encoded names, in a new column")]
pub(crate) struct EncodeArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    /// The place of the value
    #[arg(long = "for", value_name = "PLACE", value_parser = places(), default_value_t = Place::Segment)]
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

/// The places, with their helps.
fn places() -> impl TypedValueParser<Value = Place> {
    named([
        (Place::Unreserved, "Any component: only letters, digits and - . _ ~ stay"),
        (Place::Userinfo, "User information; colons stay"),
        (Place::RegName, "A host that is a name"),
        (Place::Path, "A path; slashes stay"),
        (Place::Segment, "A segment of a path"),
        (Place::SegmentNc, "A first segment of a relative path; colons do not stay"),
        (Place::Query, "A query; & and = stay"),
        (Place::QueryPart, "A name or a value of a pair in a query"),
        (Place::Fragment, "A fragment"),
    ])
}

pub(crate) fn encode(args: &EncodeArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    transform::run(&args.transform, out, |item, made: &mut Text| {
        made.output = args.place.encode(item).into_owned();
        Ok(())
    })
}

pub(crate) fn decode(args: &DecodeArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    transform::run(&args.transform, out, |item, made: &mut Bytes| {
        let decoded = percent::decode(utf8(item)?).bytes().map_err(|error| {
            let start = error.at();
            let whole = ItemError::whole("bad-percent-encoding", Message::other(error), item);
            ItemError { start, ..whole }
        })?;
        made.output = decoded.into_owned();
        Ok(())
    })
}
