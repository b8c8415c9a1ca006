//! `iri to-uri`: maps references to URIs (RFC 3987, section 3.1).

use encoding_rs::Encoding;
use simd_iri::charset::Unmappable;
use simd_iri::{IriRef, Mapped, Rule, ToUri};

use crate::args::charset::charset;
use crate::args::host::HostForm;
use crate::args::named::named;
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::io::text::utf8;
use crate::output::report::{Failure, Outcome};
use crate::recipe::Edits;
use crate::transform::{self, Before, Text, Unchanged};

const EXAMPLES: &str = "\
Examples:
  iri to-uri -i https://a.example/céu             print https://a.example/c%C3%A9u
  iri to-uri --host idna links.txt                hosts for the DNS: xn--...
  iri to-uri --lenient --json links.txt           encode spaces too, a JSON object for every line
  iri to-uri --charset windows-1252 old-links.txt
  iri to-uri --query-charset shift_jis -i 'http://a.example/?検索'  encode as a form in Shift_JIS does
  iri to-uri --links --query-charset page crawl.warc.gz             links as a browser requests them";

/// Map references to URIs
///
/// Percent-encodes the characters outside ASCII (RFC 3987, section 3.1). Items may be relative.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ToUriArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    #[command(flatten)]
    pub(super) edits: Edits,

    /// How a host is mapped
    #[arg(long, value_enum, default_value_t = HostForm::Percent)]
    host: HostForm,

    /// Also percent-encode spaces and the other printable ASCII characters that no reference may hold
    #[arg(long)]
    lenient: bool,

    /// The charset of the document that contains the items, for the queries of http and https
    ///
    /// Characters of queries are encoded in that charset instead of UTF-8, as browsers do. The label page stands for the
    /// charset of the page of each link with --links, and for --charset otherwise.
    #[arg(long, value_name = "LABEL", value_parser = QueryCharset::parse)]
    query_charset: Option<QueryCharset>,

    /// What to do with a character that --query-charset does not have; by default error, and reference for page
    #[arg(long, requires = "query_charset", value_parser = named([
        (Unmappable::Error, "The item fails"),
        (
            Unmappable::Reference,
            "It becomes a percent-encoded character reference of HTML, as in browsers",
        ),
    ]))]
    unmappable: Option<Unmappable>,
}

/// The charset of queries.
#[derive(Clone, Copy, Debug)]
enum QueryCharset {
    /// The charset of the page of each link.
    Page,
    /// One charset for all items.
    Of(&'static Encoding),
}

impl QueryCharset {
    fn parse(label: &str) -> Result<Self, String> {
        if label == "page" { Ok(Self::Page) } else { charset(label).map(Self::Of) }
    }
}

pub(crate) fn run(args: &ToUriArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let map = match args.host {
        HostForm::Percent => ToUri::new(),
        HostForm::Idna => ToUri::new().idna(true),
    };
    let mut transform = args.transform.clone();
    let map = match args.query_charset {
        Some(QueryCharset::Of(charset)) => {
            map.query_charset(charset, args.unmappable.unwrap_or(Unmappable::Error))
        }
        Some(QueryCharset::Page) if matches!(args.unmappable, Some(Unmappable::Error)) => {
            return Err("--query-charset page does not go with --unmappable error".into());
        }
        Some(QueryCharset::Page) if transform.input.records.links => {
            transform.input.records.encodes_queries = true;
            map
        }
        Some(QueryCharset::Page) => match transform.input.charset {
            Some(charset) => map.query_charset(charset.output_encoding(), Unmappable::Reference),
            None => {
                return Err(
                    "--query-charset page needs --links, or the charset of the page as --charset"
                        .into(),
                );
            }
        },
        None => map,
    };
    // An ASCII reference is its own URI, unless its host is mapped.
    let unchanged = Unchanged::Matches { rule: Rule::IriReference, holds: <[u8]>::is_ascii };
    let is_unchanged = matches!(args.host, HostForm::Percent) && args.edits.is_empty();
    let before = Before { unchanged: is_unchanged.then_some(unchanged), hide: None };
    transform::run_after(&transform, before, out, |item, made: &mut Text| {
        if args.lenient {
            made.output = map.map_lenient(utf8(item)?)?.into_string();
            args.edits.apply_to(&mut made.output)?;
        } else {
            let edited = args.edits.apply(Mapped::Borrowed(IriRef::parse_bytes(item)?))?;
            map.map_into(edited.view(), &mut made.output)?;
        }
        Ok(())
    })
}
