//! `iri file`: converts names of files to `file` IRIs, and back (RFC 8089; RFC 3987, section 7.4). It
//! opens only its input, and not the files of these names.

use clap::ValueEnum;
use encoding_rs::Encoding;
use simd_iri::{IriBuf, IriRef, errors::FileNameError};

use crate::args::charset::byte_charset;
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::io::text;
use crate::item_error::{ItemError, Message};
use crate::output::report::{Failure, Outcome};
use crate::transform::{self, Bytes};

const EXAMPLES: &str = "\
Examples:
  iri file -i '/home/ann/a b.txt'                    print file:///home/ann/a%20b.txt
  find \"$PWD\" -print0 | iri file -0                  an IRI for every file
  iri file --system windows -i 'C:\\a\\b.txt'          print file:///C:/a/b.txt
  iri file --to-name -i file:///home/ann/a%20b.txt   print /home/ann/a b.txt
  iri file --name-charset windows-1252 names.txt     names on an old disk";

/// Turn absolute file names into file IRIs, or back
///
/// Every item is a file name. It may hold any byte except a newline; with -0, a newline too. Bytes that
/// are not UTF-8 become triplets, unless --name-charset names their charset.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FileArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    /// Turn file IRIs into file names
    #[arg(long)]
    to_name: bool,

    /// The system of the names
    #[arg(long, value_enum, default_value_t = System::Posix)]
    system: System,

    /// The charset of the names, such as windows-1252; the default is UTF-8
    #[arg(long, value_name = "LABEL", value_parser = byte_charset)]
    name_charset: Option<&'static Encoding>,
}

/// The system whose file names are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum System {
    /// Linux, macOS and similar systems: bytes that begin with a slash
    Posix,
    /// Windows: text that begins with a drive or a server
    Windows,
}

pub(crate) fn run(args: &FileArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    transform::run(&args.transform, out, |item, made: &mut Bytes| {
        made.output = if args.to_name { args.name(item)? } else { args.iri(item)? };
        Ok(())
    })
}

impl FileArgs {
    /// Returns the IRI of a name.
    fn iri(&self, name: &[u8]) -> Result<Vec<u8>, ItemError> {
        let iri = match self.name_charset {
            None => self.iri_of(name),
            Some(charset) => {
                let iri = self.iri_of(text::decode(charset, name)?.as_bytes());
                // Text from a charset that is not a form of Unicode is normalized (RFC 3987, section
                // 3.1).
                iri.map(|iri| IriBuf::from_typed(iri.as_str()).unwrap_or(iri))
            }
        };
        let iri = iri.map_err(|error| not_file(error, name))?;
        Ok(iri.into_string().into_bytes())
    }

    /// Returns the IRI of a name in UTF-8, or in no known charset.
    fn iri_of(&self, name: &[u8]) -> Result<IriBuf, FileNameError> {
        match self.system {
            System::Posix => IriBuf::from_posix_path(name),
            System::Windows => {
                let name = std::str::from_utf8(name).map_err(|_| FileNameError::NotUtf8)?;
                IriBuf::from_windows_path(name)
            }
        }
    }

    /// Returns the name of an IRI.
    fn name(&self, iri: &[u8]) -> Result<Vec<u8>, ItemError> {
        let view = IriRef::parse_bytes(iri)?;
        let name = match self.system {
            System::Posix => view.to_posix_path(),
            System::Windows => view.to_windows_path().map(String::into_bytes),
        };
        let name = name.map_err(|error| not_file(error, iri))?;
        let Some(charset) = self.name_charset else { return Ok(name) };
        let Ok(text) = std::str::from_utf8(&name) else {
            return Err(not_file(FileNameError::NotUtf8, iri));
        };
        match charset.encode(text) {
            (encoded, _, false) => Ok(encoded.into_owned()),
            _ => {
                let message =
                    "the charset does not have a character of the name; name another charset";
                Err(ItemError::whole("unmappable-character", message, iri))
            }
        }
    }
}

/// Returns the error of an item that has no IRI or no name.
fn not_file(error: FileNameError, item: &[u8]) -> ItemError {
    ItemError::whole(kind(error), Message::other(error), item)
}

/// Returns the name of an error in JSON.
fn kind(error: FileNameError) -> &'static str {
    match error {
        FileNameError::NotFile => "not-file",
        FileNameError::NotAbsolute => "not-absolute",
        FileNameError::Nul => "nul",
        FileNameError::Separator => "encoded-separator",
        FileNameError::Host => "host",
        FileNameError::Query => "query-or-fragment",
        FileNameError::NotUtf8 => "not-utf8",
        FileNameError::TooLong => "too-long",
        _ => "file-name",
    }
}
