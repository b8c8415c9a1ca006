//! The arguments that name the input.

use std::ffi::OsString;
use std::path::PathBuf;

use encoding_rs::Encoding;

use crate::args::charset::charset;
use crate::args::records::RecordArgs;

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// Files to read; without one, or for -, standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// One or more items, instead of files; may be repeated
    ///
    /// Only the first item after -i may begin with a hyphen. --item=TEXT is one item, whatever its text.
    #[arg(short, long = "item", value_name = "TEXT", num_args = 1.., conflicts_with = "files")]
    pub(crate) items: Vec<OsString>,

    /// Read the files in folders, and in the folders in them
    #[arg(short, long, requires = "files")]
    pub(crate) recursive: bool,

    /// The charset of the input, such as utf-16 or windows-1252
    ///
    /// The program decodes the input, then splits it into lines, and prints UTF-8. Columns count
    /// characters; byte offsets are those of the item in UTF-8. A byte-order mark of UTF-8 or UTF-16
    /// overrides this option. An item with bytes that are invalid in the charset is an error. Text in a
    /// charset that is not a form of Unicode is normalized to NFC (RFC 3987, section 5.3.2.2).
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub(crate) charset: Option<&'static Encoding>,

    /// Items end at a NUL byte instead of a newline, in the input and in the output
    #[arg(short = '0', long = "null")]
    pub(crate) null: bool,

    #[command(flatten)]
    pub(crate) records: RecordArgs,

    /// The files to read, when those in folders are found.
    #[arg(skip)]
    pub(crate) found: Option<Vec<PathBuf>>,
}

impl InputArgs {
    /// Returns the byte that ends an item.
    pub(crate) fn separator(&self) -> u8 {
        if self.null { b'\0' } else { b'\n' }
    }
}
