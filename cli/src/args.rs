//! The arguments of `iri`, and its help. Not here: what the commands do with them.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use simd_iri::Rule;

use crate::template::Template;

/// Checks Internationalized Resource Identifiers (RFC 3987) and URIs (RFC 3986), or takes them
/// apart: one a line, from files or standard input.
#[derive(Debug, Parser)]
#[command(name = "iri", version, after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  every item is valid
  1  some item is not
  2  trouble: a file that cannot be read, wrong arguments";

const CHECK_EXAMPLES: &str = "\
Examples:
  iri check links.txt                     say which lines are no IRI, where and why
  iri check --all --as uri links.txt      every violation of each line, for plain URIs
  grep -o 'http[^ ]*' log | iri check     check what another program found
  iri check --valid links.txt > good.txt  keep the good ones";

const PARSE_EXAMPLES: &str = "\
Examples:
  echo 'http://例え.jp:80/a?b#c' | iri parse       draw where the components lie
  iri parse --json links.txt                      a JSON object for every line
  iri parse -g '{host} {path}' links.txt          a table of hosts and paths
  find . -type f -print0 | iri parse -0 --json    names that may hold a newline";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(CheckArgs),
    Parse(ParseArgs),
}

/// Say which items are invalid, where, and why
///
/// Prints FILE:LINE:COLUMN: error: MESSAGE for every invalid item, and a summary on standard
/// error. Columns count characters.
#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// What every item has to be
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = Kind::Iri)]
    pub(crate) kind: Kind,

    /// Report every violation of an item, not only its first
    #[arg(long, group = "output")]
    pub(crate) all: bool,

    /// Print the valid items instead, byte for byte
    #[arg(long, group = "output")]
    pub(crate) valid: bool,

    /// Print the invalid items instead, byte for byte
    #[arg(long, group = "output")]
    pub(crate) invalid: bool,

    /// Print how many items there are, how many are valid and how many are not, and no more
    #[arg(long, group = "output")]
    pub(crate) count: bool,
}

/// Take items apart into scheme, authority, path, query and fragment
///
/// Draws where the components of each item lie, with their byte offsets; or prints JSON, or chosen
/// components.
#[derive(Debug, clap::Args)]
#[command(after_help = PARSE_EXAMPLES)]
pub(crate) struct ParseArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// What every item has to be
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = Kind::IriReference)]
    pub(crate) kind: Kind,

    /// Print one JSON object an item, a line each, for invalid items too
    #[arg(long)]
    pub(crate) json: bool,

    /// Print chosen components of valid items, such as '{scheme} {host}'
    ///
    /// The names are input, scheme, authority, userinfo, host, host_kind, port, path, query and
    /// fragment; an absent component is empty. Write {{ and }} for braces. Invalid items are
    /// reported on standard error.
    #[arg(short, long, value_name = "TEMPLATE", conflicts_with = "json")]
    pub(crate) get: Option<Template>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// Files to read; standard input if there is none, or for -
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Items end at a NUL byte instead of a newline, those that are printed too
    #[arg(short = '0', long = "null")]
    pub(crate) null: bool,
}

impl InputArgs {
    /// The byte that ends an item.
    pub(crate) fn separator(&self) -> u8 {
        if self.null { b'\0' } else { b'\n' }
    }
}

/// What an item has to be: a start rule of the grammar.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Kind {
    /// With a scheme, perhaps with a fragment
    Iri,
    /// An iri, or relative
    IriReference,
    /// With a scheme, without a fragment
    AbsoluteIri,
    /// Without a scheme
    IrelativeRef,
    /// An iri in ASCII
    Uri,
    /// An iri-reference in ASCII
    UriReference,
    /// An absolute-iri in ASCII
    AbsoluteUri,
    /// An irelative-ref in ASCII
    RelativeRef,
}

impl From<Kind> for Rule {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Iri => Self::Iri,
            Kind::IriReference => Self::IriReference,
            Kind::AbsoluteIri => Self::AbsoluteIri,
            Kind::IrelativeRef => Self::IrelativeRef,
            Kind::Uri => Self::Uri,
            Kind::UriReference => Self::UriReference,
            Kind::AbsoluteUri => Self::AbsoluteUri,
            Kind::RelativeRef => Self::RelativeRef,
        }
    }
}
