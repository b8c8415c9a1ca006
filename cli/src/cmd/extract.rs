//! `iri extract`: finds links in running text. It reads the text in parts, in memory of a fixed size.
//!
//! Not here: what a link is and where it ends; the library decides that.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use encoding_rs::Encoding;
use simd_iri::text::Markup;
use simd_iri::text::{Extract, Link, LinkKind, LinkStream, Schemes};
use simd_iri::{Base, Error, IriBuf, IriRefBuf};

use crate::args::charset::charset;
use crate::args::scheme::scheme;
use crate::invariant::present;
use crate::io::decode::Sniff;
use crate::io::input::Opened;
use crate::io::{input, sniff};
use crate::item_error::ItemError;
use crate::output::escape::{self, Escaped};
use crate::output::json::{self, Linked};
use crate::output::report::{self, Outcome, print_message};

const EXAMPLES: &str = "\
Examples:
  iri extract letter.txt                           the links of a text, one a line
  iri extract --reference --unique letter.txt      the reference of each link, once
  iri extract --with-position --context log *.log  the position of each link
  iri extract --schemes any --no-bare notes.txt    IRIs of any scheme, no bare host names
  iri extract --broken letter.txt                  texts that look like a link but are invalid, and why
  iri extract --context html --base https://a.example/ --reference page.html
                                                   the references of a page, relative ones too";

/// Find links in running text
///
/// Prints every link as it is written in the text (UTS #58). Links are IRIs with the scheme http, https
/// or mailto, host names below a registered top-level domain, and e-mail addresses. Bytes that are not
/// UTF-8 are never part of a link.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExtractArgs {
    /// Files to read; without one, or for -, standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// One or more texts, instead of files; may be repeated
    #[arg(short, long = "item", value_name = "TEXT", num_args = 1.., conflicts_with = "files")]
    items: Vec<OsString>,

    /// The charset of the text, such as utf-16 or windows-1252
    ///
    /// The program decodes the text first and prints UTF-8. Columns count characters; byte offsets are
    /// those of the text in UTF-8. A byte-order mark of UTF-8 or UTF-16 overrides this option. Bytes
    /// that are invalid in the charset are an error. Without this option, HTML has the charset that a
    /// meta element in its first 1024 bytes declares.
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    charset: Option<&'static Encoding>,

    /// The format of the text
    #[arg(long, value_enum, default_value_t = TextContext::Plain)]
    context: TextContext,

    /// The schemes of links, separated by commas, instead of http, https and mailto; or the word any
    #[arg(long, value_name = "SCHEMES", value_delimiter = ',', value_parser = scheme)]
    schemes: Vec<String>,

    /// Do not find host names and e-mail addresses without a scheme
    #[arg(long)]
    no_bare: bool,

    /// The base of relative references in HTML and Markdown, which then count as links
    ///
    /// In HTML, relative references are the values of attributes such as href and src; a base element
    /// changes the base. In Markdown, they are the destinations of links. --json and --reference print
    /// the resolved reference.
    #[arg(long, value_name = "IRI")]
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
}

/// The format of a text.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum TextContext {
    /// Text for people
    Plain,
    /// Output of programs, such as logs and JSON
    Log,
    /// Markdown
    Markdown,
    /// HTML: attributes and text
    Html,
}

impl From<TextContext> for Markup {
    fn from(context: TextContext) -> Self {
        match context {
            TextContext::Plain => Self::Plain,
            TextContext::Log => Self::Log,
            TextContext::Markdown => Self::Markdown,
            TextContext::Html => Self::Html,
        }
    }
}

/// How many bytes are read at a time.
const CHUNK: usize = 1 << 18;

/// The longest word, or paragraph of Markdown, that is searched as a whole. A longer one is searched in
/// parts, and the program reports this.
const LONGEST: u32 = 1 << 28;

/// The characters before and after a link for `--mark`, as in the test file of UTS #58.
const MARKS: [&str; 2] = ["\u{2E20}", "\u{2E21}"];

pub(crate) fn run(args: &ExtractArgs, out: &mut (impl Write + Send)) -> io::Result<Outcome> {
    let schemes: Vec<&str> = args.schemes.iter().map(String::as_str).collect();
    let schemes = match schemes.as_slice() {
        [] => Schemes::Web,
        ["any"] => Schemes::Any,
        names => Schemes::Only(names),
    };
    let extract = Extract::new().schemes(schemes).markup(args.context.into()).bare(!args.no_bare);
    let extract = extract.relative(args.base.is_some()).broken(args.broken);
    let is_html = matches!(args.context, TextContext::Html);
    let sniff: Option<Sniff> = is_html.then_some((sniff::LENGTH, sniff::html));
    let terminal = io::stdout().is_terminal();
    let mut printer = Printer { args, out, terminal, base: None, seen: HashSet::new(), failed: 0 };
    for (item, number) in args.items.iter().zip(1..) {
        let mut text = Text::new("<item>", number, args.charset);
        let item = input::item_bytes(item, args.charset)?;
        printer.read(extract, &*item, &mut text)??;
        if args.mark {
            printer.out.write_all(b"\n")?;
        }
    }
    let mut complete = true;
    for file in input::files(&args.files).filter(|_| args.items.is_empty()) {
        // The output so far appears before the program waits for input.
        printer.out.flush()?;
        report::flush();
        let Opened { name, input, .. } = match input::open(file, args.charset, sniff, true) {
            Ok(opened) => opened,
            Err(message) => {
                print_message(format_args!("{message}"));
                Outcome::Trouble.record();
                complete = false;
                continue;
            }
        };
        let mut text = Text::new(&name, 1, input.charset);
        if let Err(error) = printer.read(extract, input.source, &mut text)? {
            printer.out.flush()?;
            print_message(format_args!("{name}: {error}"));
            Outcome::Trouble.record();
            complete = false;
        }
    }
    Ok(Outcome::new(complete, printer.failed))
}

/// The part of a text that was read and not printed yet, and its position in the text.
struct Text<'a> {
    name: &'a str,
    /// The bytes from that position on.
    rest: Vec<u8>,
    at: u64,
    line: u64,
    column: u64,
    /// The charset that the text is converted from; `None` if it is not converted.
    charset: Option<&'static Encoding>,
    /// The number of ill-formed sequences so far.
    ill_formed: u64,
}

impl<'a> Text<'a> {
    fn new(name: &'a str, line: u64, charset: Option<&'static Encoding>) -> Self {
        Self { charset, name, rest: Vec::new(), at: 0, line, column: 1, ill_formed: 0 }
    }
}

/// Prints links.
struct Printer<'a, W> {
    args: &'a ExtractArgs,
    out: &'a mut W,
    /// Whether hidden characters are escaped.
    terminal: bool,
    /// The base of relative references in the text.
    base: Option<IriBuf>,
    seen: HashSet<String>,
    /// The number of errors so far.
    failed: u64,
}

impl<W: Write> Printer<'_, W> {
    /// Reads a text and prints its links. The inner error is that of the source.
    fn read(
        &mut self,
        extract: Extract<'_>,
        mut source: impl Read,
        text: &mut Text<'_>,
    ) -> io::Result<io::Result<()>> {
        self.base.clone_from(&self.args.base);
        let mut stream = LinkStream::new(extract, LONGEST);
        let mut buffer = vec![0; CHUNK];
        let mut outcome = Ok(());
        loop {
            // The output so far appears before the program waits for more input.
            self.out.flush()?;
            report::flush();
            let piece = match source.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => present(buffer.get(..count)),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            };
            text.rest.extend_from_slice(piece);
            let mut done = 0;
            let mut printed = Ok(());
            stream.push(piece, |at, link| {
                if printed.is_ok() {
                    printed = self.link(text, &mut done, at, link);
                }
            });
            printed?;
            self.advance(text, &mut done, stream.position())?;
            text.rest.drain(..done);
        }
        let (mut done, mut printed) = (0, Ok(()));
        let cut = stream.last_cut();
        stream.finish(|at, link| {
            if printed.is_ok() {
                printed = self.link(text, &mut done, at, link);
            }
        });
        printed?;
        let end = text.at + (text.rest.len() - done) as u64;
        self.advance(text, &mut done, end)?;
        if let Some(cut) = cut {
            self.out.flush()?;
            let name = text.name;
            print_message(format_args!(
                "{name}: a part of the text is longer than {LONGEST} bytes and was cut at byte {cut}; \
                 a link there may be incomplete"
            ));
            self.failed += 1;
            Outcome::SomeInvalid.record();
        }
        if text.ill_formed > 1 {
            let (name, more) = (text.name, text.ill_formed - 1);
            let charset = text.charset.map_or("UTF-8", Encoding::name);
            self.out.flush()?;
            print_message(format_args!("{name}: further parts that are not {charset}: {more}"));
        }
        Ok(outcome)
    }

    /// Advances to the position `to`. `done` counts the bytes of the rest before the position. With
    /// `--mark`, prints the text in between.
    fn advance(&mut self, text: &mut Text<'_>, done: &mut usize, to: u64) -> io::Result<()> {
        let length = to.saturating_sub(text.at) as usize;
        let passed = present(text.rest.get(*done..*done + length));
        let here = (text.line, text.column);
        if let Err(error) = std::str::from_utf8(passed) {
            let before = present(passed.get(..error.valid_up_to()));
            let first = text.ill_formed == 0;
            text.ill_formed +=
                passed.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count() as u64;
            if first {
                self.failed += 1;
                Outcome::SomeInvalid.record();
                let message = not_text(text.name, text.charset, after(here, before));
                report::lines_to_stderr(self.out, message.as_bytes())?;
            }
        }
        (text.line, text.column) = after(here, passed);
        text.at += passed.len() as u64;
        *done += passed.len();
        if !self.args.mark {
            return Ok(());
        }
        match text.charset {
            Some(_) => {
                let passed = String::from_utf8_lossy(passed);
                escape::write_text(self.out, passed.as_bytes(), self.terminal)
            }
            None => escape::write_text(self.out, passed, self.terminal),
        }
    }

    /// Prints a link.
    fn link(
        &mut self,
        text: &mut Text<'_>,
        done: &mut usize,
        at: u64,
        link: Link<'_>,
    ) -> io::Result<()> {
        self.advance(text, done, at)?;
        let end = at + link.as_str().len() as u64;
        let Text { name, line, column, .. } = *text;
        if self.args.mark {
            let [before, after] = MARKS;
            self.out.write_all(before.as_bytes())?;
            self.advance(text, done, end)?;
            return self.out.write_all(after.as_bytes());
        }
        let is_asked = self.args.reference || self.args.json || self.args.broken || link.is_base();
        let prepared = is_asked.then(|| self.reference(link)).transpose();
        let error = match (link.broken(), &prepared) {
            (Some(reason), _) => Some(ItemError {
                kind: reason.name(),
                message: reason.to_string(),
                start: 0,
                end: link.as_str().len(),
                component: None,
                of: None,
            }),
            (None, Err(error)) => Some(ItemError::from(*error)),
            (None, Ok(_)) => None,
        };
        if self.args.broken && error.is_none() {
            return Ok(());
        }
        let reference = prepared.as_ref().ok().and_then(Option::as_ref);
        let reference = reference.filter(|_| link.broken().is_none()).map(IriRefBuf::as_str);
        let shown = if self.args.reference { reference } else { Some(link.as_str()) };
        let unique = shown.filter(|_| self.args.unique);
        if unique.is_some_and(|shown| !self.seen.insert(shown.to_owned())) {
            return Ok(());
        }
        if !self.args.broken && error.is_some() {
            self.failed += 1;
            Outcome::SomeInvalid.record();
        }
        if self.args.json {
            let (start, kind, text) = (at, link.kind().name(), link.as_str());
            let object =
                Linked { file: name, line, column, start, end, text, kind, reference, error };
            return json::write_link(self.out, &object);
        }
        if let Some(error) = error.filter(|_| is_asked) {
            let message = Escaped(error.message.as_bytes());
            if self.args.broken {
                write!(self.out, "{name}:{line}:{column}: {message}: ")?;
                escape::write(self.out, link.as_str().as_bytes(), self.terminal)?;
                return self.out.write_all(b"\n");
            }
            let line = format!("{name}:{line}:{column}: error: {message}\n");
            return report::lines_to_stderr(self.out, line.as_bytes());
        }
        if self.args.with_position {
            write!(self.out, "{name}:{line}:{column}: ")?;
        }
        escape::write(self.out, present(shown).as_bytes(), self.terminal)?;
        self.out.write_all(b"\n")
    }

    /// Returns the reference of a link. Resolves a relative reference relative to the base of the text.
    /// The link of a base element becomes the base.
    fn reference(&mut self, link: Link<'_>) -> Result<IriRefBuf, Error> {
        let mut reference = link.prepare()?.into_reference().into_buf();
        if let (LinkKind::Relative, Some(base)) = (link.kind(), &self.base) {
            reference = Base::new(base.view()).resolve(reference.view())?.into();
        }
        if link.is_base() {
            self.base = IriBuf::from_str(reference.as_str()).ok().or(self.base.take());
        }
        Ok(reference)
    }
}

/// Returns the line and the column after some text.
fn after((line, column): (u64, u64), passed: &[u8]) -> (u64, u64) {
    let lines = memchr::memchr_iter(b'\n', passed).count() as u64;
    let last = present(passed.rsplit(|byte| *byte == b'\n').next());
    let characters = last.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64;
    (line + lines, characters + if lines > 0 { 1 } else { column })
}

/// Returns the report of the first bytes of a text that are invalid in its charset. They may cut off a
/// link.
fn not_text(name: &str, charset: Option<&'static Encoding>, (line, column): (u64, u64)) -> String {
    let charset = charset.map_or("UTF-8", Encoding::name);
    format!(
        "{name}:{line}:{column}: error: the bytes here are not {charset} and are part of no link; \
         name the charset with --charset\n"
    )
}
