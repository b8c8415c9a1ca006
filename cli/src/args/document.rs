//! The arguments of the commands that read or write references in documents.

use clap::ValueEnum;
use encoding_rs::Encoding;
use simd_iri::Format;

use crate::args::charset::byte_charset;
use crate::args::transform::TransformArgs;

#[derive(Debug, clap::Args)]
pub(crate) struct DocumentArgs {
    #[command(flatten)]
    pub(crate) transform: TransformArgs,

    /// The format of the document
    #[arg(long, value_enum)]
    pub(crate) format: DocumentFormat,

    /// The charset of the document, such as windows-1252; the default is UTF-8
    #[arg(long, value_name = "LABEL", value_parser = byte_charset)]
    pub(crate) document_charset: Option<&'static Encoding>,
}

/// A format of documents.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum DocumentFormat {
    /// The value of an attribute, or text
    Html,
    /// The value of an attribute, or text
    Xml,
    /// A string
    Json,
    /// A string, or url("…")
    Css,
    /// Between < and >; also in Turtle, TriG, N-Quads and SPARQL
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
