//! `iri unescape`: reads references from documents (RFC 3987, section 6.3). Not here: links in whole
//! documents, which `extract` finds.

use std::borrow::Cow;

use simd_iri::document::Document;

use crate::args::document::DocumentArgs;
use crate::io::files::Outputs;
use crate::io::text;
use crate::output::report::{Failure, Outcome};
use crate::transform::{self, Text};

const EXAMPLES: &str = "\
Examples:
  iri unescape --format html -i 'http://a.example/?b&amp;c'        print http://a.example/?b&c
  iri unescape --format json -i 'http:\\/\\/a.example'               print http://a.example
  iri unescape --format css --document-charset windows-1252 urls.txt";

/// Read references with the escapes of a document
///
/// Prints every item with the escapes of the format decoded. The result need not be a reference; check it
/// with iri check.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct UnescapeArgs {
    #[command(flatten)]
    pub(super) document: DocumentArgs,
}

pub(crate) fn run(args: &UnescapeArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let DocumentArgs { transform, format, document_charset } = &args.document;
    let document = Document::new(*format);
    transform::run(transform, out, |item, made: &mut Text| {
        let text = match document_charset {
            None => Cow::Borrowed(text::utf8(item)?),
            Some(charset) => text::decode(charset, item)?,
        };
        made.output = document.read(&text)?.into_owned();
        Ok(())
    })
}
