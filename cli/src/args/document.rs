//! The arguments of the commands that read or write references in documents.

use clap::builder::TypedValueParser;
use encoding_rs::Encoding;
use simd_iri::document::Format;

use crate::args::charset::byte_charset;
use crate::args::named::named;
use crate::args::transform::TransformArgs;

#[derive(Debug, clap::Args)]
pub(crate) struct DocumentArgs {
    #[command(flatten)]
    pub(crate) transform: TransformArgs,

    /// The format of the document
    #[arg(long, value_parser = format())]
    pub(crate) format: Format,

    /// The charset of the document, such as windows-1252; the default is UTF-8
    #[arg(long, value_name = "LABEL", value_parser = byte_charset)]
    pub(crate) document_charset: Option<&'static Encoding>,
}

/// Reads a format of documents.
pub(crate) fn format() -> impl TypedValueParser<Value = Format> {
    named([
        (Format::Html, "The value of an attribute, or text"),
        (Format::Xml, "The value of an attribute, or text"),
        (Format::Json, "A string"),
        (Format::Css, "A string, or url(\"…\")"),
        (Format::NTriples, "Between < and >; also in Turtle, TriG, N-Quads and SPARQL"),
        (
            Format::Plain,
            "A format without escapes: characters that it cannot hold are percent-encoded",
        ),
    ])
}
