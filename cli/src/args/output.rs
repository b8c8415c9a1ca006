//! The arguments that say where output goes and in which format.

use std::path::PathBuf;

use clap::ValueEnum;

/// The format of the output, if it is not the format of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum To {
    /// The result alone, one a line
    Lines,
    /// Fields with commas between them
    Csv,
    /// Fields with tabs between them
    Tsv,
    /// A JSON object a line
    Jsonl,
    /// A Parquet file
    Parquet,
    /// A file in Arrow's IPC format
    Arrow,
}

impl To {
    /// Tells whether the output holds nothing but UTF-8, and each name of a field once.
    pub(crate) const fn is_typed(self) -> bool {
        match self {
            Self::Lines | Self::Csv | Self::Tsv => false,
            Self::Jsonl | Self::Parquet | Self::Arrow => true,
        }
    }
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// Write the result to a new field of the record, instead of in the place of the address
    #[arg(help_heading = "Output", long, value_name = "NAME", conflicts_with = "json")]
    pub(crate) add: Option<String>,

    /// The format of the output; by default, records keep theirs
    ///
    /// From csv, tsv, jsonl and log, the fields of the record become fields of the output. From the other
    /// formats, the address is the only field, and its name is iri.
    #[arg(
        help_heading = "Output",
        long,
        value_name = "FORMAT",
        value_enum,
        conflicts_with = "json"
    )]
    pub(crate) to: Option<To>,

    /// Write the result back to each file
    ///
    /// The result takes the place of the file when it is complete. The owner, the mode and the extended attributes stay,
    /// a compressed file is compressed again, and a symbolic link stays one. A record that fails stays as it is, unless
    /// --errors has it instead; --keep empty empties its address. A file stays as it is if it cannot be read to its end,
    /// if another program changes it during the run, if the run stops early, if it is not in UTF-8, or if it has several
    /// names (hard links).
    #[arg(help_heading = "Output", long, conflicts_with_all = ["json", "items", "links", "to", "unordered"], requires = "files")]
    pub(crate) in_place: bool,

    /// Print what --in-place would change, as a diff, and change no file
    ///
    /// Of a file of columns, the diff has the addresses of the rows that would change, with their numbers.
    #[arg(help_heading = "Output", long, requires = "in_place", conflicts_with = "backup")]
    pub(crate) dry_run: bool,

    /// Keep the old file under its name and this ending, which no file may have
    #[arg(help_heading = "Output", long, value_name = "ENDING", requires = "in_place")]
    pub(crate) backup: Option<String>,

    /// Write records that fail to this file, instead of a report to standard error
    ///
    /// Each is a JSON object with the record, its place and its error. They are left out of the output, unless --keep says
    /// otherwise.
    #[arg(help_heading = "Output", long, value_name = "FILE", conflicts_with = "json")]
    pub(crate) errors: Option<PathBuf>,
}
