//! `iri extract`: finds links in running text. Not here: what a link is and where it ends, which the library decides;
//! and the output of links (`extract`).

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use encoding_rs::Encoding;
use simd_iri::IriBuf;
use simd_iri_text::{Ends, Extract, Markup, Schemes};

use crate::args::base::base;
use crate::args::charset::charset;
use crate::args::input::{Decompress, InputArgs, WalkArgs};
use crate::args::named::named;
use crate::args::names::{self, Data};
use crate::args::records::{From, RecordArgs};
use crate::args::scheme::scheme;
use crate::extract::{self, Asked, Delimiters, Direct, Printer, Text};
use crate::io::decode::{self, Sniff, Source};
use crate::io::files::Outputs;
use crate::io::input::{self, Opened, all_files};
use crate::io::interrupt;
use crate::io::sniff;
use crate::output::report::{self, Failure, Outcome, print_message};
use crate::output::summary;
use crate::pipe::Ended;
use crate::pipe::tally::Tally;

const EXAMPLES: &str = "\
Examples:
  iri extract letter.txt                           the links of a text, one a line
  iri extract --reference --unique letter.txt      the reference of each link, once
  iri extract --with-position --context log *.log  the position of each link
  iri extract --recursive --unique docs            the links of the texts and pages in a folder, once
  iri extract --schemes any --no-bare notes.txt    IRIs of any scheme, no bare host names
  iri extract --ends tight chat.txt                links beside Chinese, Japanese or Korean, without spaces
  iri extract --broken letter.txt                  texts that look like a link but are invalid, and why
  iri extract --context html --base https://a.example/ --reference page.html
                                                   the references of a page, relative ones too";

/// Find links in running text
///
/// Prints every link as it is written in the text (UTS #58). Links are IRIs with the scheme http, https
/// or mailto, host names below a registered top-level domain, and e-mail addresses. In HTML and Markdown, links are the
/// references that the markup delimits, of any scheme and relative ones too; --text adds those in the text. Bytes that
/// are not UTF-8 are never part of a link.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExtractArgs {
    /// Files to read; without one, or for -, standard input
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// One or more texts, instead of files; may be repeated
    #[arg(short, long = "item", value_name = "TEXT", num_args = 1.., conflicts_with = "files")]
    pub(super) items: Vec<OsString>,

    /// The charset of the text, such as utf-16 or windows-1252
    ///
    /// The program decodes the text first and prints UTF-8. Columns count characters; byte offsets are
    /// those of the text in UTF-8. A byte-order mark of UTF-8 or UTF-16 overrides this option. Bytes
    /// that are invalid in the charset are an error. Without this option, HTML has the charset that a
    /// meta element in its first 1024 bytes declares.
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    charset: Option<&'static Encoding>,

    /// Read the files in folders, and in the folders in them, whose names say their format
    ///
    /// Hidden files and what .gitignore lists are left out, and links are not followed. With --context, files whose names do
    /// not say a format are read too.
    #[arg(short, long, requires = "files")]
    recursive: bool,

    #[command(flatten)]
    walk: WalkArgs,

    /// The format of the text
    ///
    /// Without this option, the name of a file decides, such as page.html, notes.md or data.json; otherwise the text is
    /// plain. In data, a link ends where its string or its field ends. With
    /// --recursive, it is the format of the files whose names say none.
    #[arg(long, visible_alias = "from", value_enum)]
    context: Option<TextContext>,

    /// The schemes of links, separated by commas; or the word any. By default, http, https and mailto in text, and any
    /// scheme where the markup of HTML and Markdown delimits a reference
    #[arg(long, value_name = "SCHEMES", value_delimiter = ',', value_parser = scheme)]
    schemes: Vec<String>,

    /// Search the text that HTML and Markdown show, too, not only the references that their markup delimits
    ///
    /// Without this option, the links of HTML are the values of the attributes that hold references, such as href, src
    /// and srcset, and the links of Markdown are its destinations and autolinks.
    #[arg(long)]
    text: bool,

    /// How links in text begin and end beside prose without spaces
    #[arg(long, value_name = "WAY", default_value_t = Ends::Strict, value_parser = named([
        (Ends::Strict, "As UTS #58 says: a mark such as 。 belongs to a link if more of the link follows"),
        (
            Ends::Tight,
            "Also before 。，！“ and the like, before a bracket such as （ after ASCII, and before a CJK letter after the domain",
        ),
        (Ends::Ascii, "As tight, and before the first character outside ASCII after the host"),
    ]))]
    ends: Ends,

    /// Do not find host names and e-mail addresses without a scheme
    #[arg(long)]
    no_bare: bool,

    /// The base of relative references in HTML and Markdown
    ///
    /// A base element of HTML changes the base, wherever it stands. --json and --reference print the resolved
    /// reference.
    #[arg(long, value_name = "IRI", value_parser = base)]
    base: Option<IriBuf>,

    /// Print instead texts that look like a link but are invalid, with position and reason
    #[arg(long, conflicts_with_all = ["with_position", "reference", "mark"])]
    broken: bool,

    /// Print FILE:LINE:COLUMN: before each link; columns count characters
    #[arg(long)]
    with_position: bool,

    /// Print each link once
    #[arg(long)]
    unique: bool,

    /// Print the reference of each link, repaired as browsers do
    #[arg(long)]
    reference: bool,

    /// Print the whole text, with U+2E20 before and U+2E21 after each link
    #[arg(long, conflicts_with_all = ["with_position", "unique", "reference", "json"])]
    mark: bool,

    /// Print a JSON object for every link, one a line, with its position and its reference
    #[arg(long, conflicts_with = "with_position")]
    json: bool,

    /// The compression of the input; by default, what its name and its first bytes say
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "auto")]
    decompress: Decompress,

    /// How many threads search plain text and logs; by default, one for each core
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// The files to read, when those in folders are found.
    #[arg(skip)]
    pub(super) found: Option<Vec<PathBuf>>,
}

/// The format of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum TextContext {
    /// Text for people
    #[value(alias = "lines", alias = "text")]
    Plain,
    /// Output of programs, such as logs
    Log,
    /// JSON, a document or a value a line; also called jsonl, ndjson and har
    #[value(aliases = ["jsonl", "ndjson", "har"])]
    Json,
    /// Fields with commas between them, or semicolons if the first line has no comma
    Csv,
    /// Fields with tabs between them
    #[value(alias = "tab")]
    Tsv,
    /// YAML; also called yml
    #[value(alias = "yml")]
    Yaml,
    /// Markdown
    #[value(alias = "md")]
    Markdown,
    /// HTML: the attributes that hold references
    Html,
}

impl std::convert::From<TextContext> for Markup {
    fn from(context: TextContext) -> Self {
        match context {
            TextContext::Plain => Self::Plain,
            TextContext::Log
            | TextContext::Json
            | TextContext::Csv
            | TextContext::Tsv
            | TextContext::Yaml => Self::Log,
            TextContext::Markdown => Self::Markdown,
            TextContext::Html => Self::Html,
        }
    }
}

impl TextContext {
    /// Tells whether no link holds white space, so that a text can be searched in blocks.
    fn is_words(self) -> bool {
        matches!(self, Self::Plain | Self::Log | Self::Json | Self::Tsv)
    }

    /// Returns the delimiters that are no part of a link, if they are not white space.
    fn delimiters(self) -> Option<Delimiters> {
        match self {
            Self::Csv => Some(Delimiters::csv()),
            Self::Yaml => Some(Delimiters::yaml()),
            _ => None,
        }
    }
}

impl ExtractArgs {
    /// Returns the input. Its files are the files of `found`, if the folders were read.
    pub(super) fn input(&self) -> InputArgs {
        let records = RecordArgs::lines(self.jobs, extract::LONGEST as usize);
        let from = records.from.filter(|_| !self.recursive || self.context.is_some());
        InputArgs {
            files: self.files.clone(),
            items: self.items.clone(),
            recursive: self.recursive,
            walk: self.walk.clone(),
            charset: self.charset,
            decompress: self.decompress,
            records: RecordArgs { from, ..records },
            found: self.found.clone(),
            documents: true,
            ..InputArgs::default()
        }
    }

    /// Tells whether a file is read. A file in a folder must be text.
    pub(super) fn reads(&self, file: &Path) -> bool {
        !self.recursive
            || !matches!(names::of_file(file), Some(From::Parquet | From::Arrow | From::Warc))
    }

    /// Returns the format of a file.
    fn context(&self, file: &Path) -> TextContext {
        let named = names::of_file(file).and_then(|from| match from {
            From::Html => Some(TextContext::Html),
            From::Markdown => Some(TextContext::Markdown),
            From::Log => Some(TextContext::Log),
            From::Jsonl | From::Cdxj => Some(TextContext::Json),
            From::Csv => Some(TextContext::Csv),
            From::Tsv => Some(TextContext::Tsv),
            _ => None,
        });
        let named = named.or_else(|| match names::of_data(file)? {
            Data::Json => Some(TextContext::Json),
            Data::Yaml => Some(TextContext::Yaml),
        });
        let (first, second) =
            if self.recursive { (named, self.context) } else { (self.context, named) };
        first.or(second).unwrap_or(TextContext::Plain)
    }
}

pub(crate) fn run(args: &ExtractArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let schemes: Vec<&str> = args.schemes.iter().map(String::as_str).collect();
    let schemes = match schemes.as_slice() {
        [] => Schemes::Web,
        ["any"] => Schemes::Any,
        names => Schemes::Only(names),
    };
    let extract = Extract::new().schemes(schemes).bare(!args.no_bare);
    let extract = extract.relative(true).text(args.text).broken(args.broken).ends(args.ends);
    let &ExtractArgs { broken, with_position, unique, reference, mark, json, .. } = args;
    let terminal = out.is_terminal();
    let asked = Asked { broken, with_position, unique, reference, mark, json, terminal };
    let input = args.input();
    let files = all_files(&input)?;
    let first = args.context(files.first().map_or(Path::new("-"), |file| file));
    let is_one = files.iter().all(|file| args.context(file) == first);
    if first.is_words() && is_one && args.items.is_empty() {
        let ended = extract::blocks(&input, extract.markup(first.into()), asked, out)?;
        return summarized(&ended, out);
    }
    let mut direct = Direct { out, seen: HashSet::new(), tally: Tally::default() };
    let mut printer = Printer { asked, out: &mut direct, base: None, waiting: None };
    let read = |printer: &mut Printer<'_, _>,
                context: TextContext,
                source: Source,
                text: &mut Text<'_>| {
        printer.base.clone_from(&args.base);
        // The base element of a page may stand after links.
        let waits = context == TextContext::Html && (reference || json);
        printer.waiting = waits.then(Vec::new);
        let extract = extract.markup(context.into());
        extract::read(printer, extract, context.delimiters(), source, text)
    };
    for (item, number) in args.items.iter().zip(1..) {
        let context = args.context.unwrap_or(TextContext::Plain);
        let mut text = Text::new("<item>", number, args.charset);
        let item = input::item_bytes(item, args.charset)?.into_owned();
        read(&mut printer, context, Box::new(io::Cursor::new(item)), &mut text)??;
        if args.mark {
            printer.out.write_all(b"\n")?;
        }
    }
    let (mut complete, mut is_first) = (true, true);
    for file in &files {
        let context = args.context(file);
        let is_html = context == TextContext::Html;
        let sniff: Option<Sniff> = is_html.then_some((sniff::LENGTH, sniff::html));
        // The output so far appears before the program waits for input.
        printer.out.flush()?;
        report::flush();
        let opened = input::open(file, args.decompress, args.charset, sniff, 1);
        // Only the first input keeps its byte-order mark.
        let opened = opened.and_then(|mut opened| {
            if args.mark && !std::mem::take(&mut is_first) {
                let source = decode::without_mark(opened.input.source);
                opened.input.source =
                    source.map_err(|error| format!("{}: {error}", opened.name))?;
            }
            Ok(opened)
        });
        let Opened { name, input, .. } = match opened {
            Ok(opened) => opened,
            Err(message) => {
                print_message(format_args!("{message}"));
                Outcome::Trouble.record();
                complete = false;
                continue;
            }
        };
        let mut text = Text::new(&name, 1, input.charset);
        let ended = read(&mut printer, context, input.source, &mut text)?;
        if let Err(error) = ended {
            printer.out.flush()?;
            print_message(format_args!("{name}: {error}"));
            Outcome::Trouble.record();
            complete = false;
        }
    }
    let Direct { out, tally, .. } = direct;
    let ended = Ended { tally, complete, stopped: interrupt::has_come(), failures: u64::MAX };
    summarized(&ended, out)
}

/// Prints the summary, if it is asked for.
fn summarized(ended: &Ended, out: &mut Outputs) -> Result<Outcome, Failure> {
    if summary::is_asked() {
        out.flush()?;
        let (links, failed) = (ended.tally.made, ended.tally.failed);
        let counts = [("printed", links), ("failed", failed)];
        ended.summary(&format!("{links} printed, {failed} failed"), &counts).print();
    }
    Ok(ended.outcome())
}
