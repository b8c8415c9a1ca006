//! Links in running text (UTS #58; RFC 3987, section 7.3).
//!
//! Here: the options of a search, and its results. Not here: where a link may be (`candidates`), and
//! whether it is one (`detect`).

#[cfg(test)]
pub(crate) mod adversarial;
pub(crate) mod attributes;
pub(crate) mod broken;
pub(crate) mod candidates;
pub(crate) mod common;
pub(crate) mod detect;
pub(crate) mod ends;
pub(crate) mod escapes;
pub(crate) mod finder;
pub(crate) mod foreign;
pub(crate) mod hosts;
pub(crate) mod html;
pub(crate) mod inside;
pub(crate) mod link_stream;
pub(crate) mod markdown;
pub(crate) mod prose;
pub(crate) mod reader;
pub(crate) mod reading;
pub(crate) mod region;
pub(crate) mod regions;
pub(crate) mod stretch;
pub(crate) mod terminal;
pub(crate) mod values;

use alloc::borrow::Cow;
use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

use super::{Prepare, Prepared, RepairSet};
use broken::Broken;
use candidates::Wanted;
use escapes::Escapes;
use finder::{Finder, Progress};
use reading::Reading;
use simd_iri::low::{debug_without_text, named};
use simd_iri::{Error, parser::CpuLevel};
use stretch::LinkSets;

/// How links are found in running text.
///
/// Without options, a search finds the links of UTS #58: text that begins with `http://`, `https://` or
/// `mailto:`, names of hosts with a registered top-level domain, and e-mail addresses. Unlike in UTS #58, a link
/// does not end with a bidi formatting character, which no IRI may hold (RFC 3987, section 4.1), or with an
/// ellipsis (U+2026).
///
/// ```
/// use simd_iri_text::Extract;
///
/// let text = "See http://例え.jp/(a), example.com/b?c. Or ask ann@example.org!";
/// let links = Extract::new().links(text);
/// assert!(links.map(|link| link.as_str()).eq(["http://例え.jp/(a)", "example.com/b?c", "ann@example.org"]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Extract<'s> {
    pub(super) schemes: Schemes<'s>,
    pub(super) markup: Markup,
    pub(super) ends: Ends,
    pub(super) level: CpuLevel,
    pub(super) relative: bool,
    pub(super) broken: bool,
    bare: bool,
    text: bool,
}

/// The schemes that links may have.
///
/// By default, links in running text have the schemes of the web. A reference that the markup delimits, such as the
/// value of an attribute of HTML, may have any scheme.
///
/// Links of `http` and `https` follow UTS #58: they have no user information. Links of `mailto` end after
/// the address and its header fields. Links of all other schemes end where an IRI ends (RFC 3987, section
/// 7.3).
///
/// ```
/// use simd_iri_text::{Extract, Schemes};
///
/// let found = |schemes| {
///     let links = Extract::new().schemes(schemes).links("ftp://a.example/b, urn:isbn:0451450523; C:/d");
///     links.map(|link| link.as_str()).collect::<Vec<_>>()
/// };
/// assert_eq!(found(Schemes::Any), ["ftp://a.example/b", "urn:isbn:0451450523"]);
/// assert_eq!(found(Schemes::Only(&["urn"])), ["urn:isbn:0451450523"]);
/// assert!(found(Schemes::Web).is_empty());
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Schemes<'s> {
    /// `http`, `https` and `mailto`.
    #[default]
    Web,
    /// These schemes, in any case of letters.
    Only(&'s [&'s str]),
    /// All schemes of two or more characters, known or not. Then any other word before a colon is a scheme
    /// too.
    Any,
}

/// The format of a text. It decides how characters are read, and how a link may end.
///
/// The span of a link is in the source. Its reference is the meaning of the source: the escapes of the
/// format are read first, by the rules of the place where they are.
///
/// | markup | escapes | references as a whole |
/// | --- | --- | --- |
/// | plain text | none | |
/// | log | those of JSON strings (RFC 8259, section 7), `\u` and `\U` of N-Triples | |
/// | Markdown | backslashes and character references (CommonMark 0.31, sections 2.4 and 2.5), not in autolinks and tags | destinations of links and of definitions, autolinks, attributes as in HTML |
/// | HTML | character references, by the rules for text and for attributes; those of CSS in `style` | in attributes such as `href`, `src` and `srcset` |
///
/// Code in Markdown, and scripts, styles, comments and titles in HTML, have no links.
///
/// In all formats but plain text, a link right after `"`, `'` or a grave accent ends before the next such
/// character. In these formats, ASCII that no IRI holds ends every link (`<`, `>`, `"`, `{`, `}`, `|`, `\`,
/// `^` and the grave accent), and the local part of an address has none of `'`, `=`, `/`, `?`, `&` and `#`.
///
/// ```
/// use simd_iri_text::{Extract, Markup};
///
/// let first = |markup, text| Extract::new().markup(markup).links(text).next().unwrap().as_str();
/// let record = r#"{"from":"http://a.example/?","to":"http://b.example/"}"#;
/// assert_eq!(first(Markup::Log, record), "http://a.example/?");
/// assert_eq!(first(Markup::Markdown, "**http://a.example/**"), "http://a.example/");
/// assert_eq!(first(Markup::Markdown, "<http://a.example/b.>"), "http://a.example/b.");
/// let html = r#"<a href="http://a.example/?b&amp;c">"#;
/// assert_eq!(first(Markup::Html, html), "http://a.example/?b&amp;c");
/// // Between quotes, but in plain text both may belong to it.
/// assert_eq!(first(Markup::Plain, r#""http://a.example/","b""#), r#"http://a.example/","b"#);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Markup {
    /// Text for readers: UTS #58 alone.
    #[default]
    Plain,
    /// Lines that programs write, JSON, N-Triples and the like. A link right after `<` ends before `>`.
    Log,
    /// Markdown. `*`, `_` and `~` at the end of a link in its text do not belong to the link.
    Markdown,
    /// HTML: the values of attributes, and the text between tags.
    Html,
}

named! {
    /// Returns the name in lower case.
    "simd_iri_text::Markup" Markup {
        Plain = "plain",
        Log = "log",
        Markdown = "markdown",
        Html = "html",
    }
}

/// How links in running text begin and end beside prose without spaces, as Chinese, Japanese and Korean are written.
///
/// | way | a link begins with its scheme | a link ends |
/// | --- | --- | --- |
/// | strict | not inside a word | where UTS #58 says |
/// | tight | after all but an ASCII letter, a digit, `+`, `-` and `.` | also before a mark such as `。`, `，`, `！` or `“`, before a bracket such as `（` that is not part of a title, and before a CJK letter right after the top-level domain |
/// | ASCII | as tight | as tight, and before the first character outside ASCII after the host |
///
/// From the same start, a link of a later way is never longer than a link of an earlier way. A link in ASCII, such as a
/// percent-encoded link, is the same in each. With tight, a title with such a mark in it, such as `/wiki/君の名は。`,
/// loses its end. A reference that the markup delimits is whole in each way, and so is a link right after `<`.
///
/// ```
/// use simd_iri_text::{Ends, Extract};
///
/// let text = "请看http://a.example/苹果（公司）！还有http://b.com、http://c.example/d了解";
/// let found = |ends| Extract::new().ends(ends).links(text).map(|link| link.as_str()).collect::<Vec<_>>();
/// assert!(found(Ends::Strict).is_empty());
/// let tight = ["http://a.example/苹果（公司）", "http://b.com", "http://c.example/d了解"];
/// assert_eq!(found(Ends::Tight), tight);
/// assert_eq!(found(Ends::Ascii), ["http://a.example/", "http://b.com", "http://c.example/d"]);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ends {
    /// UTS #58, in every script.
    #[default]
    Strict,
    /// For chat, terminals and the Markdown of language models, where writers put no space around a link.
    Tight,
    /// For text whose links are made by programs, and so percent-encoded.
    Ascii,
}

named! {
    /// Returns the name in lower case.
    "simd_iri_text::Ends" Ends {
        Strict = "strict",
        Tight = "tight",
        Ascii = "ascii",
    }
}

impl<'s> Extract<'s> {
    /// Returns a search for the links of UTS #58 in plain text.
    ///
    /// ```
    /// # use simd_iri_text::Extract;
    /// assert_eq!(Extract::new().links("no link.").count(), 0);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self {
            schemes: Schemes::Web,
            markup: Markup::Plain,
            ends: Ends::Strict,
            level: CpuLevel::best(),
            relative: false,
            broken: false,
            bare: true,
            text: true,
        }
    }

    /// Sets the schemes that links may have. The default is [`Schemes::Web`].
    ///
    /// ```
    /// # use simd_iri_text::{Extract, Schemes};
    /// let extract = Extract::new().schemes(Schemes::Only(&["tel"]));
    /// assert_eq!(extract.links("Call TEL:+15550100.").next().unwrap().as_str(), "TEL:+15550100");
    /// ```
    #[must_use]
    pub const fn schemes(self, schemes: Schemes<'s>) -> Self {
        Self { schemes, ..self }
    }

    /// Sets the format of the text.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, Markup};
    /// let extract = Extract::new().markup(Markup::Log);
    /// assert_eq!(extract.links("from=ann@example.org").next().unwrap().as_str(), "ann@example.org");
    /// ```
    #[must_use]
    pub const fn markup(self, markup: Markup) -> Self {
        Self { markup, ..self }
    }

    /// Sets how links in running text begin and end beside prose without spaces. The default is [`Ends::Strict`].
    ///
    /// ```
    /// # use simd_iri_text::{Ends, Extract};
    /// let extract = Extract::new().ends(Ends::Tight);
    /// let links = extract.links("見る→http://a.example/b。http://c.example（説明）");
    /// assert!(links.map(|link| link.span()).eq([9..27, 30..46]));
    /// ```
    #[must_use]
    pub const fn ends(self, ends: Ends) -> Self {
        Self { ends, ..self }
    }

    /// Sets whether names of hosts and e-mail addresses without a scheme are links. The default is true.
    ///
    /// ```
    /// # use simd_iri_text::Extract;
    /// assert_eq!(Extract::new().links("run main.rs").count(), 1); // a country
    /// assert_eq!(Extract::new().bare(false).links("run main.rs").count(), 0);
    /// ```
    #[must_use]
    pub const fn bare(self, bare: bool) -> Self {
        Self { bare, ..self }
    }

    /// Sets whether links are searched for in the text that HTML and Markdown show. If not, only the references that
    /// the markup delimits are links. The default is true. Other formats have nothing but text.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, Markup};
    /// let html = Extract::new().markup(Markup::Html);
    /// let page = "<a href='http://a.example/'>see b.com</a>";
    /// assert_eq!(html.links(page).count(), 2);
    /// assert_eq!(html.text(false).links(page).count(), 1);
    /// ```
    #[must_use]
    pub const fn text(self, text: bool) -> Self {
        Self { text, ..self }
    }

    /// Tells whether links are searched for in the text of the format.
    pub(super) const fn shows_text(self) -> bool {
        self.text || matches!(self.markup, Markup::Plain | Markup::Log)
    }

    /// Sets whether relative references are links where the markup delimits a reference: in attributes such as
    /// `href` and `src` in HTML, and in destinations in Markdown. The default is false. After a `<base href>`
    /// with a scheme, relative references are always links.
    ///
    /// ```
    /// use simd_iri_text::{Extract, LinkKind, Markup};
    ///
    /// let html = Extract::new().markup(Markup::Html).relative(true);
    /// let link = html.links("<a href='../a b'>see b.com</a>").next().unwrap();
    /// assert_eq!((link.kind(), link.prepare()?.view().as_str()), (LinkKind::Relative, "../a%20b"));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn relative(self, relative: bool) -> Self {
        Self { relative, ..self }
    }

    /// Sets whether text that only looks like a link is reported too. [`Link::broken`] returns the reason why it
    /// is not a link. The links themselves do not change.
    ///
    /// ```
    /// # use simd_iri_text::{Broken, Extract};
    /// let text = "http://a@example.com/ b.com";
    /// let found: Vec<_> = Extract::new().broken(true).links(text).map(|link| link.broken()).collect();
    /// assert_eq!(found, [Some(Broken::Userinfo), None]);
    /// ```
    #[must_use]
    pub const fn broken(self, broken: bool) -> Self {
        Self { broken, ..self }
    }

    /// Returns the links of a text, in order.
    ///
    /// One pass finds the places where links may be; there, every character is read at most a fixed number
    /// of times, in any text. Allocates for brackets within a link, for names outside ASCII, and for the
    /// meaning of words with escapes.
    ///
    /// ```
    /// # use simd_iri_text::Extract;
    /// let mut links = Extract::new().links("a http://b.example/ c");
    /// assert_eq!(links.next().unwrap().span(), 2..19);
    /// assert!(links.next().is_none());
    /// ```
    pub fn links<'a>(self, text: &'a str) -> Links<'a>
    where
        's: 'a,
    {
        Links { finder: Finder::new(text, self, Progress::new(self), true) }
    }

    /// Returns the extraction at a level, for tests and benchmarks.
    ///
    /// ```
    /// # use simd_iri::parser::CpuLevel;
    /// # use simd_iri_text::Extract;
    /// for level in CpuLevel::available() {
    ///     assert_eq!(Extract::new().at(level).links("see example.com").count(), 1);
    /// }
    /// ```
    #[must_use]
    pub const fn at(self, level: CpuLevel) -> Self {
        Self { level, ..self }
    }

    pub(super) fn wanted(self) -> Wanted {
        // With `Only`, links of `http` may not be wanted.
        let common = match self.schemes {
            Schemes::Web | Schemes::Any => Some(LinkSets::of(self.markup, false)),
            Schemes::Only(_) => None,
        };
        let schemes = self.schemes != Schemes::Web;
        Wanted { schemes, bare: self.bare, common, ends: self.ends }
    }
}

impl Default for Extract<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// The iterator over the links of a text. [`Extract::links`] makes it.
///
/// ```
/// # use simd_iri_text::Extract;
/// assert_eq!(Extract::new().links("a.example b.com c.org").count(), 2);
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone)]
pub struct Links<'a> {
    finder: Finder<'a>,
}

debug_without_text!([] Links<'_>, "Links");

impl<'a> Iterator for Links<'a> {
    type Item = Link<'a>;

    fn next(&mut self) -> Option<Link<'a>> {
        self.finder.next()
    }
}

impl FusedIterator for Links<'_> {}

/// A link: its place in a text, and the reference that it means.
///
/// ```
/// use simd_iri_text::{Extract, LinkKind};
///
/// let link = Extract::new().links("(www.example.org/a[b])").next().unwrap();
/// assert_eq!((link.as_str(), link.span()), ("www.example.org/a[b]", 1..21));
/// assert_eq!(link.kind(), LinkKind::Domain);
/// assert_eq!(link.prepare()?.view(), "https://www.example.org/a%5Bb%5D");
/// # Ok::<(), simd_iri::Error>(())
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Link<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) kind: LinkKind,
    pub(super) reading: Reading,
    pub(super) escapes: Option<Escapes>,
    pub(super) is_base: bool,
}

debug_without_text!([] Link<'_>, "Link", start, kind, is_base);

/// The form of a link.
///
/// ```
/// use simd_iri_text::{Extract, LinkKind};
///
/// let links = Extract::new().links("http://a.com b.com c@d.com");
/// assert!(links.map(|link| link.kind()).eq([LinkKind::Iri, LinkKind::Domain, LinkKind::Email]));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LinkKind {
    /// An IRI, with its scheme.
    Iri,
    /// The name of a host, perhaps with port, path, query and fragment.
    Domain,
    /// An e-mail address.
    Email,
    /// A relative reference, where the markup has a reference.
    Relative,
    /// Text that looks like a link and is not a link.
    Broken(Broken),
}

impl LinkKind {
    /// Returns a stable name, for machine-readable output.
    ///
    /// ```
    /// # use simd_iri_text::LinkKind;
    /// assert_eq!(LinkKind::Email.name(), "email");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Iri => "iri",
            Self::Domain => "domain",
            Self::Email => "email",
            Self::Relative => "relative",
            Self::Broken(_) => "broken",
        }
    }
}

named!(@serialize LinkKind);

impl fmt::Display for LinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl<'a> Link<'a> {
    /// Returns the link as it is written in the source, with the escapes of its markup.
    ///
    /// ```
    /// # use simd_iri_text::Extract;
    /// assert_eq!(Extract::new().links("(a.com)").next().unwrap().as_str(), "a.com");
    /// ```
    #[must_use]
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// Returns the meaning of the source: the link without the escapes of its markup. Borrows a link
    /// without escapes. One pass.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, Markup};
    /// let record = r#"{"at":"http:\/\/a.example\/caf\u00e9"}"#;
    /// let link = Extract::new().markup(Markup::Log).links(record).next().unwrap();
    /// assert_eq!(link.as_str(), r"http:\/\/a.example\/caf\u00e9");
    /// assert_eq!(link.meaning(), "http://a.example/café");
    /// ```
    #[must_use]
    pub fn meaning(&self) -> Cow<'a, str> {
        self.reading.meaning(self.text)
    }

    /// Returns the escapes of the place of the link, for another reference that is written there; `None` for a link in
    /// running text, whose end depends on the text after it.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, Markup};
    /// let link = Extract::new().markup(Markup::Markdown).links("[a](http://b/(c))").next().unwrap();
    /// let written = link.escapes().unwrap().write(link.as_str(), "http://b/)");
    /// assert_eq!(written, r"http://b/\)");
    /// ```
    #[must_use]
    pub const fn escapes(&self) -> Option<Escapes> {
        self.escapes
    }

    /// Returns the reason why the text is not a link, if it only looks like a link. Returns `None` without
    /// [`Extract::broken`].
    ///
    /// ```
    /// # use simd_iri_text::{Broken, Extract};
    /// let link = Extract::new().broken(true).links("http:/a").next().unwrap();
    /// assert_eq!(link.broken(), Some(Broken::Slashes));
    /// ```
    #[must_use]
    pub const fn broken(&self) -> Option<Broken> {
        match self.kind {
            LinkKind::Broken(reason) => Some(reason),
            _ => None,
        }
    }

    /// Tells whether the link is the base of the relative references of its document: the `href` of the
    /// first element `base` in HTML.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, Markup};
    /// let html = Extract::new().markup(Markup::Html);
    /// let text = "<base href=http://a.example/b/><a href=c>";
    /// assert!(html.links(text).map(|link| (link.as_str(), link.is_base())).eq([
    ///     ("http://a.example/b/", true),
    ///     ("c", false),
    /// ]));
    /// ```
    #[must_use]
    pub const fn is_base(&self) -> bool {
        self.is_base
    }

    /// Tells whether the link is in an attribute `style` of HTML. Browsers encode the query of such a link in UTF-8, and
    /// the queries of other links in the charset of the document.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, Markup};
    /// let html = Extract::new().markup(Markup::Html).relative(true);
    /// let text = "<p style='background: url(/a)'><a href=/b>";
    /// assert!(html.links(text).map(|link| (link.as_str(), link.is_in_style())).eq([
    ///     ("/a", true),
    ///     ("/b", false),
    /// ]));
    /// ```
    #[must_use]
    pub const fn is_in_style(&self) -> bool {
        matches!(self.reading, Reading::HtmlStyle)
    }

    /// Returns the byte offsets of the link in the text.
    ///
    /// ```
    /// # use simd_iri_text::Extract;
    /// assert_eq!(Extract::new().links("(a.com)").next().unwrap().span(), 1..6);
    /// ```
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// Returns the form of the link.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, LinkKind};
    /// let mut links = Extract::new().links("mailto:ann@example.org");
    /// assert_eq!(links.next().unwrap().kind(), LinkKind::Iri);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> LinkKind {
        self.kind
    }

    /// Returns the reference that the link means, with the repairs of browsers ([`RepairSet::BrowserLike`]):
    /// a domain gets `https://`, an address `mailto:`. A relative reference stays relative; a
    /// [`Base`](simd_iri::Base) resolves it. Offsets of repairs and errors are in the link as it is written.
    /// Does the work of [`Prepare::prepare`].
    ///
    /// # Errors
    /// The first violation that was not repaired, such as a percent sign without hexadecimal digits in the
    /// host.
    ///
    /// ```
    /// # use simd_iri_text::Extract;
    /// let prepared = |text| Extract::new().links(text).next().unwrap().prepare().map(|made| made.view().to_string());
    /// assert_eq!(prepared("http://a.com/b|c")?, "http://a.com/b%7Cc");
    /// assert_eq!(prepared("例え。com/")?, "https://例え.com/");
    /// assert_eq!(prepared("50%?@example.com")?, "mailto:50%25%3F@example.com");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn prepare(&self) -> Result<Prepared<'a>, Error> {
        match self.meaning() {
            Cow::Borrowed(text) => self.prepare_meaning(text),
            Cow::Owned(text) => match self.prepare_meaning(&text) {
                Ok(prepared) => {
                    Ok(prepared.moved(|spans| self.reading.to_source(self.text, spans)))
                }
                Err(error) => {
                    let mut span = [error.span()];
                    self.reading.to_source(self.text, &mut span);
                    let [span] = span;
                    Err(error.with_span(span))
                }
            },
        }
    }

    fn prepare_meaning<'m>(&self, text: &'m str) -> Result<Prepared<'m>, Error> {
        let prepare = Prepare::new(RepairSet::BrowserLike);
        match self.kind {
            LinkKind::Iri | LinkKind::Relative | LinkKind::Broken(_) => prepare.prepare(text),
            LinkKind::Domain => prepare.domain(text),
            LinkKind::Email => prepare.address(text),
        }
    }
}
