//! `iri escape` and `iri unescape`: references as they stand in documents (RFC 3987, sections 5.2 and 6.3).
//! Not here: links in whole documents, which `extract` finds.

use std::io::{self, Write};

use clap::ValueEnum;
use encoding_rs::Encoding;
use serde::Serialize;
use simd_iri::{Document, EscapeError, Format, IriRef};

use crate::args::charset::byte_charset;
use crate::args::transform::TransformArgs;
use crate::cmd::to_uri::utf8;
use crate::fault::Fault;
use crate::output::report::Outcome;
use crate::transform::{self, Line, Made, Text};

const ESCAPE_EXAMPLES: &str = "\
Examples:
  iri escape --format html -i 'http://a.example/?b&c'              print http://a.example/?b&amp;c
  iri escape --format json --ascii -i http://a.example/é           print http://a.example/\\u00E9
  iri escape --format html --document-charset koi8-r links.txt     escapes for what KOI8-R lacks
  iri escape --format xml --document-charset koi8-r --bytes links.txt > koi8.txt";

const UNESCAPE_EXAMPLES: &str = "\
Examples:
  iri unescape --format html -i 'http://a.example/?b&amp;c'        print http://a.example/?b&c
  iri unescape --format json -i 'http:\\/\\/a.example'               print http://a.example
  iri unescape --format css --document-charset windows-1252 urls.txt";

/// Write references with the escapes of a document
///
/// Prints every item as an attribute or a string of the format holds it. The format's escapes replace
/// the characters that the document cannot hold.
#[derive(Debug, clap::Args)]
#[command(after_help = ESCAPE_EXAMPLES)]
pub(crate) struct EscapeArgs {
    #[command(flatten)]
    transform: TransformArgs,

    /// The format of the document
    #[arg(long, value_enum)]
    format: DocumentFormat,

    /// The document holds only ASCII
    #[arg(long, conflicts_with = "document_charset")]
    ascii: bool,

    /// The charset of the document, such as windows-1252; the default is UTF-8
    #[arg(long, value_name = "LABEL", value_parser = byte_charset)]
    document_charset: Option<&'static Encoding>,

    /// Print the bytes of --document-charset instead of UTF-8
    #[arg(long, requires = "document_charset", conflicts_with = "json")]
    bytes: bool,
}

/// Read references with the escapes of a document
///
/// Prints every item with the escapes of the format decoded. The result need not be a reference; iri
/// check checks it.
#[derive(Debug, clap::Args)]
#[command(after_help = UNESCAPE_EXAMPLES)]
pub(crate) struct UnescapeArgs {
    #[command(flatten)]
    transform: TransformArgs,

    /// The format of the document
    #[arg(long, value_enum)]
    format: DocumentFormat,

    /// The charset of the document, such as windows-1252; the default is UTF-8
    #[arg(long, value_name = "LABEL", value_parser = byte_charset)]
    document_charset: Option<&'static Encoding>,
}

/// A format of documents.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DocumentFormat {
    /// The value of an attribute, or text
    Html,
    /// The value of an attribute, or text
    Xml,
    /// A string
    Json,
    /// A string, or url("…")
    Css,
    /// Between < and >, in Turtle, TriG, N-Quads and SPARQL too
    NTriples,
    /// A format without escapes: characters that it cannot hold are percent-encoded
    Plain,
}

impl From<DocumentFormat> for Format {
    fn from(format: DocumentFormat) -> Self {
        match format {
            DocumentFormat::Html => Self::Html,
            DocumentFormat::Xml => Self::Xml,
            DocumentFormat::Json => Self::Json,
            DocumentFormat::Css => Self::Css,
            DocumentFormat::NTriples => Self::NTriples,
            DocumentFormat::Plain => Self::Plain,
        }
    }
}

/// A reference in a document.
#[derive(Default, Serialize)]
struct Written {
    output: String,
    /// What it is printed in, if not in UTF-8.
    #[serde(skip)]
    charset: Option<&'static Encoding>,
}

impl Made for Written {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        match self.charset {
            // All that was written is in the charset.
            Some(charset) => write(&charset.encode(&self.output).0),
            None => write(self.output.as_bytes()),
        }
    }
}

pub(crate) fn escape(args: &EscapeArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let document = Document::new(args.format.into());
    let document = match args.document_charset {
        Some(charset) => document.charset(charset),
        None if args.ascii => document.ascii(),
        None => document,
    };
    let charset = args.document_charset.filter(|_| args.bytes);
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Written| {
        let reference = IriRef::parse_bytes(item)?;
        made.output.clear();
        made.charset = charset;
        document.write_into(reference, &mut made.output);
        Ok(())
    })
}

pub(crate) fn unescape(args: &UnescapeArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let document = Document::new(args.format.into());
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Text| {
        made.output.clear();
        let read = match args.document_charset {
            None => document.read(utf8(item)?).map(|text| made.output.push_str(&text)),
            Some(charset) => {
                let text = charset.decode_without_bom_handling_and_without_replacement(item);
                let Some(text) = text else {
                    let message = "the bytes are invalid in the charset; name another charset";
                    return Err(Fault::whole("ill-formed-charset", message, item));
                };
                document.read(&text).map(|text| made.output.push_str(&text))
            }
        };
        read.map_err(bad_escape)
    })
}

/// An escape that stands for nothing. Its place is that in the text.
fn bad_escape(error: EscapeError) -> Fault {
    let (start, message) = (error.at(), error.to_string());
    Fault { kind: "bad-escape", message, start, end: start + 1, component: None, of: None }
}
