//! Prints the links of a part of a text, in one of the forms that the arguments ask for.

use std::borrow::Cow;
use std::io::{self, Write};
use std::str::FromStr;

use encoding_rs::Encoding;
use simd_iri::{Base, Error, IriBuf, IriRefBuf};
use simd_iri_text::{Link, LinkKind};

use crate::extract::out::Out;
use crate::extract::text::Text;
use crate::item_error::{ItemError, Message};
use crate::output::escape;
use crate::output::json::{self, Linked};
use crate::output::report::{self, Verbosity};

/// The characters before and after a link for `--mark`, as in the test file of UTS #58.
const MARKS: [&str; 2] = ["\u{2E20}", "\u{2E21}"];

/// The largest number of links that wait for the base of their page.
const MOST_WAITING: usize = 1 << 22;

/// The output for each link.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(crate) struct Asked {
    pub(crate) broken: bool,
    pub(crate) with_position: bool,
    pub(crate) unique: bool,
    pub(crate) reference: bool,
    pub(crate) mark: bool,
    pub(crate) json: bool,
    /// Whether hidden characters are escaped.
    pub(crate) terminal: bool,
}

impl Asked {
    /// Tells whether each link is a line as it is written in the text.
    pub(crate) fn is_plain(self) -> bool {
        let Self { broken, with_position, unique, reference, mark, json, terminal } = self;
        !(broken || with_position || unique || reference || mark || json || terminal)
    }
}

/// Prints links.
pub(crate) struct Printer<'o, O> {
    pub(crate) asked: Asked,
    pub(crate) out: &'o mut O,
    /// The base of relative references in the text.
    pub(crate) base: Option<IriBuf>,
    /// The links that wait for the base element, which may stand anywhere in a page. `None` if no link has to wait.
    pub(crate) waiting: Option<Vec<Waiting<'static>>>,
}

/// A link and its place. Its reference is not resolved yet.
pub(crate) struct Waiting<'t> {
    text: Cow<'t, str>,
    kind: LinkKind,
    at: u64,
    line: u64,
    column: u64,
    /// The reference, if it is asked for.
    prepared: Option<Result<IriRefBuf, Error>>,
}

impl<O: Out> Printer<'_, O> {
    /// With `--mark`, prints a part of the text as it is: a link, or the text between two links.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn pass(&mut self, text: &Text<'_>, passed: &[u8]) -> io::Result<()> {
        if !self.asked.mark {
            return Ok(());
        }
        match text.charset {
            Some(_) => {
                let passed = String::from_utf8_lossy(passed);
                escape::write_text(self.out, passed.as_bytes(), self.asked.terminal)
            }
            None => escape::write_text(self.out, passed, self.asked.terminal),
        }
    }

    /// Reports the first bytes that are not text, if they come before a place. These bytes may cut off a link.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn not_text(
        &mut self,
        text: &mut Text<'_>,
        bytes: &[u8],
        before: u64,
    ) -> io::Result<()> {
        let Some(at) = text.ill_formed.filter(|at| *at < before) else { return Ok(()) };
        text.ill_formed = None;
        let (name, charset) = (text.name, text.charset.map_or("UTF-8", Encoding::name));
        let (line, column) = text.place(bytes, at);
        let message = format!(
            "{name}:{line}:{column}: error: the bytes here are not {charset} and are part of no link; \
             name the charset with --charset\n"
        );
        // This message does not belong to a link, so it is printed even if the links before it are not.
        self.out.begin(None);
        self.out.fail("ill-formed-charset");
        self.out.report(message.as_bytes())
    }

    /// Prints a link. `bytes` are the bytes of the part, `done` is the place up to which `--mark` has printed
    /// the part, and `at` is the place of the link.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn link(
        &mut self,
        text: &mut Text<'_>,
        bytes: &[u8],
        done: &mut u64,
        at: u64,
        link: Link<'_>,
    ) -> io::Result<()> {
        self.not_text(text, bytes, at)?;
        let Asked { broken, with_position, reference, mark, json, .. } = self.asked;
        let end = at + link.as_str().len() as u64;
        if mark {
            let [before, after] = MARKS;
            self.pass(text, text.between(bytes, *done, at))?;
            self.out.write_all(before.as_bytes())?;
            self.pass(text, text.between(bytes, at, end))?;
            *done = end;
            self.out.tally().made += 1;
            return self.out.write_all(after.as_bytes());
        }
        let is_asked = reference || json || broken || link.is_base();
        let prepared = is_asked.then(|| Ok(link.prepare()?.into_reference().into_owned()));
        let has_failed = link.broken().is_some() || matches!(prepared, Some(Err(_)));
        let is_placed = with_position || json || has_failed || self.waiting.is_some();
        let (line, column) = if is_placed { text.place(bytes, at) } else { (0, 0) };
        let kind = link.kind();
        let found =
            Waiting { text: Cow::Borrowed(link.as_str()), kind, at, line, column, prepared };
        if link.is_base() {
            let base = self.resolved(&found).and_then(Result::ok);
            let base = base.and_then(|base| IriBuf::from_str(base.as_str()).ok());
            self.base = base.or(self.base.take());
            self.settle(text.name)?;
        }
        match &mut self.waiting {
            Some(waiting) => {
                waiting.push(Waiting { text: Cow::Owned(found.text.into_owned()), ..found });
                // The number of links that wait is bounded. So these links do not wait for a base element any more.
                if waiting.len() >= MOST_WAITING {
                    self.settle(text.name)?;
                }
                Ok(())
            }
            None => self.print(text.name, &found),
        }
    }

    /// Prints the links that wait, relative to the base that is known so far.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn settle(&mut self, name: &str) -> io::Result<()> {
        let waiting = self.waiting.take().unwrap_or_default();
        waiting.iter().try_for_each(|link| self.print(name, link))
    }

    /// Returns the reference of a link, resolved relative to the base; `None` if no reference was asked for.
    fn resolved(&self, link: &Waiting<'_>) -> Option<Result<IriRefBuf, Error>> {
        let prepared = link.prepared.as_ref()?;
        Some(match (prepared, link.kind, &self.base) {
            (Ok(reference), LinkKind::Relative, Some(base)) => {
                Base::new(base.view()).resolve(reference.view()).map(Into::into)
            }
            (prepared, ..) => prepared.clone(),
        })
    }

    /// Prints a link whose base is known.
    fn print(&mut self, name: &str, link: &Waiting<'_>) -> io::Result<()> {
        let Asked { broken, with_position, unique, reference, json, terminal, .. } = self.asked;
        let Waiting { ref text, kind, at, line, column, .. } = *link;
        let is_asked = reference || json || broken;
        let prepared = self.resolved(link).filter(|_| is_asked).transpose();
        let broken_reason = match kind {
            LinkKind::Broken(reason) => Some(reason),
            _ => None,
        };
        let error = match (broken_reason, &prepared) {
            (Some(reason), _) => {
                Some(ItemError::whole(reason.name(), Message::other(reason), text.as_bytes()))
            }
            (None, Err(error)) => Some(ItemError::from(*error)),
            (None, Ok(_)) => None,
        };
        if broken && error.is_none() {
            return Ok(());
        }
        let resolved = prepared.as_ref().ok().and_then(Option::as_ref);
        let resolved = resolved.filter(|_| broken_reason.is_none()).map(IriRefBuf::as_str);
        let shown = if reference { resolved } else { Some(&**text) };
        if !self.out.begin(shown.filter(|_| unique)) {
            return Ok(());
        }
        match &error {
            Some(error) if !broken => self.out.fail(error.kind),
            _ => self.out.tally().made += 1,
        }
        if json {
            let (start, end, kind) = (at, at + text.len() as u64, kind.name());
            let (file, reference) = (name, resolved);
            let object = Linked { file, line, column, start, end, text, kind, reference, error };
            return json::write_link(self.out, &object);
        }
        if let Some(error) = error {
            let message = &error.message;
            let mut report = Vec::new();
            if broken {
                write!(report, "{name}:{line}:{column}: ")?;
                escape::append_shown(&mut report, message)?;
                report.extend_from_slice(b": ");
                self.out.write_all(&report)?;
                escape::write(self.out, text.as_bytes(), terminal)?;
                return self.out.write_all(b"\n");
            }
            if !report::says(Verbosity::Usual) {
                return Ok(());
            }
            write!(report, "{name}:{line}:{column}: error: ")?;
            escape::append_shown(&mut report, message)?;
            report.push(b'\n');
            return self.out.report(&report);
        }
        if with_position {
            write!(self.out, "{name}:{line}:{column}: ")?;
        }
        escape::write(self.out, shown.unwrap_or_default().as_bytes(), terminal)?;
        self.out.write_all(b"\n")
    }
}
