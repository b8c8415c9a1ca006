//! The arguments that say where the addresses are in the input, and how the input is read.

use clap::ValueEnum;
use simd_iri::IriBuf;

/// The format of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum From {
    /// An address a line
    #[value(alias = "txt")]
    Lines,
    /// Fields with commas between them (RFC 4180)
    Csv,
    /// Fields with tabs between them, quoted as in CSV
    #[value(alias = "tab")]
    Tsv,
    /// A JSON object a line; also called ndjson and json
    #[value(aliases = ["ndjson", "json"])]
    Jsonl,
    /// A web server's access log in the common or combined format, or as --log-format says; also called combined
    #[value(aliases = ["combined", "common"])]
    Log,
    /// N-Triples
    #[value(aliases = ["ntriples", "n-triples"])]
    Nt,
    /// N-Quads
    #[value(aliases = ["nquads", "n-quads"])]
    Nq,
    /// An index of web archives: a sort key, a time and a JSON object a line
    Cdxj,
    /// A sitemap or an index of sitemaps
    Sitemap,
    /// XML: a sitemap, if the document is one
    Xml,
    /// A page: the references in its attributes
    #[value(aliases = ["htm", "xhtml"])]
    Html,
    /// Markdown: the destinations of links, and autolinks; also called md
    #[value(alias = "md")]
    Markdown,
    /// A web archive, whose target addresses are read, or with --links the links of its pages
    #[value(aliases = ["wet", "wat"])]
    Warc,
    /// A Parquet file, if the program has the feature columnar
    #[value(alias = "pq")]
    Parquet,
    /// A file or a stream in Arrow's IPC format, if the program has the feature columnar
    #[value(alias = "feather")]
    Arrow,
}

impl From {
    /// Returns the name, as an argument.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct RecordArgs {
    /// The format of the input
    ///
    /// Without this option, the name of a file decides, such as access.log.1.gz or links.csv; otherwise the
    /// input is lines. With --recursive, it is the format of the files whose names say none. gzip, zstd, bzip2
    /// and xz are decompressed (--decompress).
    #[arg(help_heading = "Records", long, value_name = "FORMAT", value_enum)]
    pub(crate) from: Option<From>,

    /// Where the address is in a record
    ///
    /// csv, tsv: the name of a column, or its number from 1. jsonl, cdxj: a JSON pointer, such as
    /// /page/url; the default of cdxj is /url. parquet, arrow: the name of a column. log: request (the default), referer, or a variable of
    /// --log-format. nt, nq: s, p, o or g; without it, every IRI.
    #[arg(help_heading = "Records", long, value_name = "FIELD")]
    pub(crate) field: Option<String>,

    /// The byte between two fields of csv
    #[arg(help_heading = "Records", long, value_name = "CHARACTER", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,

    /// The first record of csv or tsv is not a line of names
    #[arg(help_heading = "Records", long)]
    pub(crate) no_header: bool,

    /// The format of the log, in the notation of nginx: '$remote_addr [$time_local] "$request"'
    #[arg(help_heading = "Records", long, value_name = "FORMAT")]
    pub(crate) log_format: Option<String>,

    /// The site of the log: the targets of its requests are read as addresses of this site
    ///
    /// Only the scheme and the authority are used: with --site https://a.example, the target /b is
    /// https://a.example/b. Addresses that do not begin with a slash stay as they are.
    #[arg(help_heading = "Records", long, value_name = "IRI", value_parser = site)]
    pub(crate) site: Option<String>,

    /// The variable of --log-format with the host of the request, such as host
    ///
    /// The scheme is the variable scheme if the format has it, otherwise that of --site, otherwise http. A
    /// request without a host is one of --site.
    #[arg(help_heading = "Records", long, value_name = "VARIABLE")]
    pub(crate) host_field: Option<String>,

    /// Read the links of the HTML pages in warc, instead of the addresses of its records
    ///
    /// Each link is a record of its own: its reference as browsers repair it, resolved relative to the base
    /// element or to the address of the page. The charset of a page is that of its header or of a meta
    /// element, otherwise windows-1252. Chunks, gzip, deflate and zstd of HTTP are removed.
    #[arg(help_heading = "Records", long)]
    pub(crate) links: bool,

    /// With --links, whether the queries of links are encoded in the charset of their page. to-uri sets it.
    #[arg(skip)]
    pub(crate) encodes_queries: bool,

    /// Whether every field of a record is read, if --field does not name one. `redact` sets it.
    #[arg(skip)]
    pub(crate) reads_all: bool,

    /// How many threads work; by default, one for each core
    #[arg(help_heading = "Records", short, long, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,

    /// Write results as soon as they are there, in any order
    #[arg(help_heading = "Records", long)]
    pub(crate) unordered: bool,

    /// The longest record, such as 16M; a longer one is an error
    ///
    /// The end of the line does not count. A record that is longer by one to four bytes may be read.
    #[arg(help_heading = "Records", long, value_name = "SIZE", value_parser = size, default_value = "64M")]
    pub(crate) max_record: usize,
}

impl RecordArgs {
    /// Returns the arguments for lines of up to `max_record` bytes.
    pub(crate) fn lines(jobs: Option<std::num::NonZeroUsize>, max_record: usize) -> Self {
        Self { from: Some(From::Lines), jobs, max_record, ..Self::default() }
    }
}

/// Reads an address. Returns its scheme and its authority.
fn site(text: &str) -> Result<String, String> {
    let address: IriBuf = text.parse().map_err(|error: simd_iri::Error| error.to_string())?;
    let view = address.view();
    match view.authority() {
        Some(authority) => Ok(format!("{}://{authority}", view.scheme())),
        None => Err("write a scheme and a host, such as https://a.example".to_owned()),
    }
}

/// Reads the delimiter of fields: one ASCII character, or \t.
fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        br"\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !b"\"\r\n".contains(byte) => Ok(*byte),
        _ => Err(r"write one ASCII character other than a quote, or \t".to_owned()),
    }
}

/// Reads the length of a record. No item is longer than 4 GiB.
fn size(text: &str) -> Result<usize, String> {
    match bytes(text) {
        Some(bytes) if u32::try_from(bytes).is_ok() => Ok(bytes),
        _ => Err("write a number of bytes below 4G, such as 65536 or 16M".to_owned()),
    }
}

/// Reads a size of memory.
pub(crate) fn memory(text: &str) -> Result<usize, String> {
    bytes(text).ok_or_else(|| "write a number of bytes, such as 65536, 16M or 2G".to_owned())
}

/// Reads a number of bytes, with K, M or G for powers of 1024.
fn bytes(text: &str) -> Option<usize> {
    let (digits, shift) = match text.as_bytes() {
        [digits @ .., b'K' | b'k'] => (digits, 10),
        [digits @ .., b'M' | b'm'] => (digits, 20),
        [digits @ .., b'G' | b'g'] => (digits, 30),
        digits => (digits, 0),
    };
    let digits = std::str::from_utf8(digits).ok()?.parse::<usize>().ok()?;
    digits.checked_mul(1 << shift).filter(|bytes| *bytes > 0)
}
