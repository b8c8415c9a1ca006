//! `iri extract`: the links of running text, which is read in pieces; what is kept of it does not grow.
//!
//! Not here: what a link is, and where it ends.

use std::collections::HashSet;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};

use encoding_rs::Encoding;
use simd_iri::text::{Extract, Link, LinkStream, Schemes};

use crate::args::ExtractArgs;
use crate::escape::{self, Escaped};
use crate::input;
use crate::json::{self, Linked};
use crate::report::{self, Outcome, complain, to_stderr};

/// How much is read at a time.
const CHUNK: usize = 1 << 18;

/// A word of more bytes is looked at in parts.
const LONGEST_WORD: u32 = 1 << 20;

/// Before and after a link, as the test file of UTS #58 has them.
const MARKS: [&str; 2] = ["\u{2E20}", "\u{2E21}"];

pub(crate) fn run(args: &ExtractArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let schemes: Vec<&str> = args.schemes.iter().map(String::as_str).collect();
    let schemes = match schemes.as_slice() {
        [] => Schemes::Web,
        ["any"] => Schemes::Any,
        names => Schemes::Only(names),
    };
    let extract = Extract::new().schemes(schemes).markup(args.context.into()).bare(!args.no_bare);
    let terminal = io::stdout().is_terminal();
    let mut printer = Printer { args, out, terminal, seen: HashSet::new(), failed: 0 };
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
        let (name, input) = input::open(file, args.charset, printer.out)?;
        let Some(input) = input else {
            complete = false;
            continue;
        };
        let mut text = Text::new(&name, 1, input.charset);
        if let Err(error) = printer.read(extract, input.source, &mut text)? {
            printer.out.flush()?;
            complain(format_args!("{name}: {error}"));
            Outcome::Trouble.note();
            complete = false;
        }
    }
    Ok(Outcome::new(complete, printer.failed))
}

/// A text as far as it was read, and a place in it, before which everything is done.
struct Text<'a> {
    name: &'a str,
    /// The bytes from that place on.
    rest: Vec<u8>,
    at: u64,
    line: u64,
    column: u64,
    /// The charset that it is decoded from, if it is.
    charset: Option<&'static Encoding>,
    /// How many places were not UTF-8.
    ill_formed: u64,
}

impl<'a> Text<'a> {
    fn new(name: &'a str, line: u64, charset: Option<&'static Encoding>) -> Self {
        Self { charset, name, rest: Vec::new(), at: 0, line, column: 1, ill_formed: 0 }
    }
}

/// What is printed, and what was.
struct Printer<'a, W> {
    args: &'a ExtractArgs,
    out: &'a mut W,
    /// Whether hidden characters are to be spelled out.
    terminal: bool,
    seen: HashSet<String>,
    /// Of how many links there is no reference.
    failed: u64,
}

impl<W: Write> Printer<'_, W> {
    /// Reads a text and prints its links. The inner error is the reader's.
    fn read(
        &mut self,
        extract: Extract<'_>,
        mut source: impl Read,
        text: &mut Text<'_>,
    ) -> io::Result<io::Result<()>> {
        let mut stream = LinkStream::new(extract, LONGEST_WORD);
        let mut buffer = vec![0; CHUNK];
        let mut outcome = Ok(());
        loop {
            // Whoever waits for more input has seen what came of the input before.
            self.out.flush()?;
            report::flush();
            let piece = match source.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => buffer.get(..count).unwrap_or_default(),
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
        stream.finish(|at, link| {
            if printed.is_ok() {
                printed = self.link(text, &mut done, at, link);
            }
        });
        printed?;
        let end = text.at + (text.rest.len() - done) as u64;
        self.advance(text, &mut done, end)?;
        if text.ill_formed > 1 {
            let (name, more) = (text.name, text.ill_formed - 1);
            let charset = text.charset.map_or("UTF-8", Encoding::name);
            self.out.flush()?;
            complain(format_args!("{name}: {more} more times, the bytes are not {charset}"));
        }
        Ok(outcome)
    }

    /// Goes on to a place, `done` bytes of the rest having been passed, and prints what is passed if all
    /// of the text is printed.
    fn advance(&mut self, text: &mut Text<'_>, done: &mut usize, to: u64) -> io::Result<()> {
        let length = to.saturating_sub(text.at) as usize;
        let passed = text.rest.get(*done..*done + length).unwrap_or_default();
        let here = (text.line, text.column);
        if let Err(error) = str::from_utf8(passed) {
            let before = passed.get(..error.valid_up_to()).unwrap_or_default();
            let first = text.ill_formed == 0;
            text.ill_formed +=
                passed.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count() as u64;
            if first {
                self.failed += 1;
                Outcome::SomeInvalid.note();
                let message = not_text(text.name, text.charset, after(here, before));
                report::beside(self.out, message.as_bytes())?;
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
        let prepared = (self.args.reference || self.args.json).then(|| link.prepare()).transpose();
        let reference = prepared.as_ref().ok().and_then(Option::as_ref);
        let reference = reference.map(|prepared| prepared.view().as_str());
        let shown = if self.args.reference { reference } else { Some(link.as_str()) };
        if self.args.unique
            && let Some(shown) = shown
            && !self.seen.insert(shown.to_owned())
        {
            return Ok(());
        }
        if prepared.is_err() {
            self.failed += 1;
            Outcome::SomeInvalid.note();
        }
        if self.args.json {
            let (start, kind, error) = (at, link.kind().name(), prepared.as_ref().err().copied());
            let text = link.as_str();
            let error = error.map(Into::into);
            let object =
                Linked { file: name, line, column, start, end, text, kind, reference, error };
            return json::write_link(self.out, &object);
        }
        if let Err(error) = &prepared {
            self.out.flush()?;
            let message = error.to_string();
            let message = Escaped(message.as_bytes());
            to_stderr(format!("{name}:{line}:{column}: error: {message}\n").as_bytes());
            return Ok(());
        }
        if self.args.with_position {
            write!(self.out, "{name}:{line}:{column}: ")?;
        }
        escape::write(self.out, shown.unwrap_or_default().as_bytes(), self.terminal)?;
        self.out.write_all(b"\n")
    }
}

/// The line and the column after some text.
fn after((line, column): (u64, u64), passed: &[u8]) -> (u64, u64) {
    let lines = memchr::memchr_iter(b'\n', passed).count() as u64;
    let last = passed.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let characters = last.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64;
    (line + lines, characters + if lines > 0 { 1 } else { column })
}

/// What is said of the first bytes of a text that are not in its charset, for they may cut off a link.
fn not_text(name: &str, charset: Option<&'static Encoding>, (line, column): (u64, u64)) -> String {
    let charset = charset.map_or("UTF-8", Encoding::name);
    format!(
        "{name}:{line}:{column}: error: the bytes here are not {charset}, and no link holds them; \
         name the charset with --charset\n"
    )
}
