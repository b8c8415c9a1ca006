//! `iri archive-key`: the keys by which web archives find addresses. Not here: the index of an archive (`cdxj`).

use std::io;

use clap::ValueEnum;
use serde::Serialize;
use simd_iri_archive::{Keys, Profile, Scope, Www};

use crate::args::archive::profile;
use crate::args::named::named;
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::io::text::utf8;
use crate::item_error::ItemError;
use crate::output::report::{Failure, Outcome};
use crate::transform::{self, ItemOutput, Line};

const EXAMPLES: &str = "\
Examples:
  iri archive-key -i https://www.a.example/B/            print example,a)/b
  iri archive-key --profile heritrix seeds.txt           SURTs for the scope of a crawl
  iri archive-key --range domain -i http://a.example/    where the keys of a domain begin and end in an index
  iri archive-key --add key --field url list.csv         the table with a new column of keys
  iri archive-key --www keep --with slash links.txt      keys that keep www and the slash at the end

Keys sort by bytes: LC_ALL=C sort.";

/// Print the keys by which web archives find addresses
///
/// An item is any text. A text that the profile rejects is its own key, as in the indexes of the tools; in JSON,
/// rejected is true then. The keys of iri compare are other keys.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ArchiveKeyArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    /// The tool whose keys are made
    #[arg(long, value_name = "PROFILE", value_parser = profile(), default_value = "pywb")]
    profile: Profile,

    /// Print where the keys of a search begin and end in a sorted index, with a tab between
    ///
    /// The end is not in the range. In JSON, they are output and end.
    #[arg(long, value_name = "SCOPE", value_parser = named([
        (Scope::Exact, "The address alone"),
        (Scope::Prefix, "The addresses that begin with the address"),
        (Scope::Host, "The addresses of the host"),
        (Scope::Domain, "The addresses of the host and of the names below it"),
    ]))]
    range: Option<Scope>,

    /// How often www. is stripped from the front of a host; by default as the profile does
    #[arg(long, value_name = "TIMES", value_parser = named([
        (Www::All, "As often as it is there"),
        (Www::One, "Once"),
        (Www::Keep, "Never"),
    ]))]
    www: Option<Www>,

    /// What keys have or do, unlike those of the profile; may be repeated
    #[arg(long, value_name = "PART", value_enum, value_delimiter = ',')]
    with: Vec<Part>,

    /// What keys do not have or do, unlike those of the profile; may be repeated
    #[arg(long, value_name = "PART", value_enum, value_delimiter = ',')]
    without: Vec<Part>,
}

/// A part of a key, or a step to a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Part {
    /// The slash at the end of a path
    Slash,
    /// The ids of sessions
    SessionIds,
    /// The pairs of a query in order
    Sort,
    /// Lower case
    Case,
    /// The scheme
    Scheme,
    /// A comma after the last label of the host
    Comma,
    /// The numbers of an IPv4 address in reverse
    ReverseIp,
    /// The canonical address of urlcanon's aggressive rules
    Aggressive,
}

impl Part {
    /// Sets whether keys have the part.
    fn set(self, keys: Keys, has_it: bool) -> Keys {
        match self {
            Self::Slash => keys.slash(has_it),
            Self::SessionIds => keys.session_ids(has_it),
            Self::Sort => keys.sort(has_it),
            Self::Case => keys.case(has_it),
            Self::Scheme => keys.scheme(has_it),
            Self::Comma => keys.comma(has_it),
            Self::ReverseIp => keys.reverse_ip(has_it),
            Self::Aggressive => keys.aggressive(has_it),
        }
    }
}

/// A key, or the range of a search.
#[derive(Default, Serialize)]
struct Made {
    output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    rejected: bool,
}

impl ItemOutput for Made {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        match &self.end {
            Some(end) => write([self.output.as_bytes(), b"\t", end.as_bytes()].concat().as_slice()),
            None => write(self.output.as_bytes()),
        }
    }
}

pub(crate) fn run(args: &ArchiveKeyArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let keys = Keys::new(args.profile);
    let keys = args.www.map_or(keys, |www| keys.www(www));
    let keys = args.with.iter().fold(keys, |keys, part| part.set(keys, true));
    let keys = args.without.iter().fold(keys, |keys, part| part.set(keys, false));
    transform::run(&args.transform, out, |item, made: &mut Made| {
        let text = utf8(item)?;
        match args.range {
            None => made.rejected = !keys.key_into(text, &mut made.output),
            Some(scope) => {
                let range = keys.range(text, scope).ok_or_else(|| {
                    let message =
                        "the key has no host; write an address with a host, or --range exact";
                    ItemError::whole("no-host", message, item)
                })?;
                made.output = range.start().to_owned();
                made.end = Some(range.end().to_owned());
            }
        }
        Ok(())
    })
}
