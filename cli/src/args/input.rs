//! The arguments that name the input.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use encoding_rs::Encoding;

use crate::args::charset::charset;
use crate::args::names;
use crate::args::pattern::pattern;
use crate::args::records::{From, RecordArgs};

#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct InputArgs {
    /// Files to read; without one, or for -, standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// One or more items, instead of files; may be repeated
    ///
    /// Only the first item after -i may begin with a hyphen. --item=TEXT is one item, whatever its text.
    #[arg(short, long = "item", value_name = "TEXT", num_args = 1.., conflicts_with = "files")]
    pub(crate) items: Vec<OsString>,

    /// Read the files in folders, and in the folders in them, whose names say their format
    ///
    /// Hidden files and what .gitignore lists are left out, and links are not followed. --from is the format of the
    /// files whose names do not say one; without it, they are left out.
    #[arg(short, long, requires = "files")]
    pub(crate) recursive: bool,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,

    /// The charset of the input, such as utf-16 or windows-1252
    ///
    /// The program decodes the input, then splits it into lines, and prints UTF-8. Columns count
    /// characters; byte offsets are those of the item in UTF-8. A byte-order mark of UTF-8 or UTF-16
    /// overrides this option. An item with bytes that are invalid in the charset is an error. Text in a
    /// charset that is not a form of Unicode is normalized to NFC (RFC 3987, section 5.3.2.2).
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub(crate) charset: Option<&'static Encoding>,

    /// The compression of the input; by default, what its name and its first bytes say
    ///
    /// A file whose name says a compression that its bytes do not have is an error: it may be cut off or damaged.
    /// none reads each file as it is.
    #[arg(
        help_heading = "Records",
        long,
        value_name = "FORMAT",
        value_enum,
        default_value = "auto"
    )]
    pub(crate) decompress: Decompress,

    /// Items end at a NUL byte instead of a newline, in the input and in the output
    #[arg(short = '0', long = "null")]
    pub(crate) null: bool,

    #[command(flatten)]
    pub(crate) records: RecordArgs,

    /// The files to read, when those in folders are found.
    #[arg(skip)]
    pub(crate) found: Option<Vec<PathBuf>>,

    /// Whether documents of data in folders are read, which have no records.
    #[arg(skip)]
    pub(crate) documents: bool,
}

/// The compression of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Decompress {
    /// As the name and the first bytes say
    #[default]
    Auto,
    /// Not compressed, whatever the name and the first bytes say
    None,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

/// Which files in folders are read.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct WalkArgs {
    /// With --recursive, read only files that match this pattern; may be repeated
    ///
    /// It is a pattern as in .gitignore: '*.csv' matches in every folder, 'a/*.csv' in the folder a.
    #[arg(help_heading = "Folders", long, value_name = "GLOB", requires = "recursive", value_parser = pattern)]
    pub(crate) include: Vec<String>,

    /// With --recursive, leave out files and folders that match this pattern; may be repeated
    #[arg(help_heading = "Folders", long, value_name = "GLOB", requires = "recursive", value_parser = pattern)]
    pub(crate) exclude: Vec<String>,

    /// With --recursive, read hidden files and folders too
    #[arg(help_heading = "Folders", long, requires = "recursive")]
    pub(crate) hidden: bool,

    /// With --recursive, read what .gitignore lists too
    #[arg(help_heading = "Folders", long, requires = "recursive")]
    pub(crate) no_ignore: bool,
}

impl InputArgs {
    /// Returns the byte that ends an item.
    pub(crate) fn separator(&self) -> u8 {
        if self.null { b'\0' } else { b'\n' }
    }

    /// Returns the name of what a command counts: of items, or of statements if each may have several addresses.
    pub(crate) fn counted(&self) -> &'static str {
        let is_statement = |file: &PathBuf| matches!(self.format(file), From::Nt | From::Nq);
        let stdin = self.files.is_empty() && self.records.from.is_some();
        let are_statements = stdin && is_statement(&PathBuf::from("-"))
            || !self.files.is_empty() && self.files.iter().all(is_statement);
        if are_statements && self.records.field.is_none() { "statement" } else { "item" }
    }

    /// Returns the format of a file: by --from, otherwise by its name, otherwise lines. In folders, the name
    /// comes first.
    pub(crate) fn format(&self, file: &Path) -> From {
        let named = names::of_file(file).filter(|_| !self.null);
        let (first, second) = match self.recursive {
            true => (named, self.records.from),
            false => (self.records.from, named),
        };
        first.or(second).unwrap_or(From::Lines)
    }
}
