//! `iri escape`: writes references for documents (RFC 3987, section 5.2).

use std::io;

use encoding_rs::Encoding;
use serde::Serialize;
use simd_iri::{IriRef, document::Document};

use crate::args::document::DocumentArgs;
use crate::io::files::Outputs;
use crate::output::report::{Failure, Outcome};
use crate::transform::{self, ItemOutput, Line};

const EXAMPLES: &str = "\
Examples:
  iri escape --format html -i 'http://a.example/?b&c'              print http://a.example/?b&amp;c
  iri escape --format json --ascii -i http://a.example/é           print http://a.example/\\u00E9
  iri escape --format html --document-charset koi8-r links.txt     escapes for what KOI8-R lacks
  iri escape --format xml --document-charset koi8-r --bytes links.txt > koi8.txt";

/// Write references with the escapes of a document
///
/// Prints every item as it is written in an attribute or a string of the format. The escapes of the
/// format replace the characters that the document cannot hold.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EscapeArgs {
    #[command(flatten)]
    pub(super) document: DocumentArgs,

    /// The document holds only ASCII
    #[arg(long, conflicts_with = "document_charset")]
    ascii: bool,

    /// Print the bytes of --document-charset instead of UTF-8
    #[arg(long, requires = "document_charset", conflicts_with = "json")]
    bytes: bool,
}

/// A reference in a document.
#[derive(Default, Serialize)]
struct Written {
    output: String,
    /// The charset in which the reference is printed; `None` for UTF-8.
    #[serde(skip)]
    charset: Option<&'static Encoding>,
}

impl ItemOutput for Written {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        match self.charset {
            // Every character is in the charset, because `Document` escapes the others.
            Some(charset) => write(&charset.encode(&self.output).0),
            None => write(self.output.as_bytes()),
        }
    }
}

pub(crate) fn run(args: &EscapeArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let document = Document::new(args.document.format);
    let document = match args.document.document_charset {
        Some(charset) => document.charset(charset),
        None => document.ascii(args.ascii),
    };
    let charset = args.document.document_charset.filter(|_| args.bytes);
    transform::run(&args.document.transform, out, |item, made: &mut Written| {
        let reference = IriRef::parse_bytes(item)?;
        made.output.clear();
        made.charset = charset;
        document.push_to(reference, &mut made.output);
        Ok(())
    })
}
