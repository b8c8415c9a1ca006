//! Links in running text (UTS #58; RFC 3987, section 7.3).
//!
//! Here: what can be asked for, and what is found. Not here: where a link may be (`candidates`), and
//! whether it is one (`detect`).

#[cfg(all(test, feature = "extract", feature = "std"))]
pub(crate) mod adversarial;
#[cfg(feature = "extract")]
pub(crate) mod broken;
#[cfg(feature = "extract")]
pub(crate) mod candidates;
#[cfg(feature = "extract")]
pub(crate) mod common;
#[cfg(feature = "extract")]
pub(crate) mod detect;
#[cfg(feature = "extract")]
pub(crate) mod ends;
#[cfg(feature = "extract")]
pub(crate) mod finder;
#[cfg(feature = "extract")]
pub(crate) mod hosts;
#[cfg(feature = "extract")]
pub(crate) mod html;
#[cfg(feature = "extract")]
pub(crate) mod link_stream;
#[cfg(feature = "extract")]
pub(crate) mod markdown;
#[cfg(feature = "extract")]
pub(crate) mod reader;
#[cfg(feature = "extract")]
pub(crate) mod reading;
#[cfg(feature = "extract")]
pub(crate) mod region;
pub(crate) mod regions;
#[cfg(feature = "extract")]
pub(crate) mod stretch;

use alloc::borrow::Cow;
use core::iter::FusedIterator;
use core::ops::Range;

use super::{Prepare, Prepared, Profile};
use crate::error::Error;
use crate::scan::CpuLevel;
use broken::Broken;
use candidates::Wanted;
use finder::{Finder, Progress};
use reading::Reading;
use stretch::LinkSets;

/// How links are found in running text.
///
/// Without further ado they are those of UTS #58: what begins with `http://`, `https://` or `mailto:`,
/// names of hosts below a registered top-level domain, and addresses of e-mail. Marks that direct
/// the order of display are never at the end of a link, for no IRI holds them (RFC 3987, section 4.1), and
/// neither is an ellipsis (U+2026); in this alone they differ.
///
/// ```
/// use simd_iri::text::Extract;
///
/// let text = "See http://例え.jp/(a), example.com/b?c. Or ask ann@example.org!";
/// let links = Extract::new().links(text);
/// assert!(links.map(|link| link.as_str()).eq(["http://例え.jp/(a)", "example.com/b?c", "ann@example.org"]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Extract<'s> {
    pub(super) schemes: Schemes<'s>,
    pub(super) markup: Markup,
    pub(super) level: CpuLevel,
    pub(super) relative: bool,
    pub(super) broken: bool,
    bare: bool,
}

/// Which schemes links may have.
///
/// Of `http` and `https` they are as UTS #58 has them: no userinfo. Of `mailto` they end after the
/// address and its header fields. Of all others they are what IRIs are made of (RFC 3987, section 7.3).
///
/// ```
/// use simd_iri::text::{Extract, Schemes};
///
/// let found = |schemes| {
///     let links = Extract::new().schemes(schemes).links("ftp://a.example/b, urn:isbn:0451450523; C:/d");
///     links.map(|link| link.as_str()).collect::<Vec<_>>()
/// };
/// assert_eq!(found(Schemes::Any), ["ftp://a.example/b", "urn:isbn:0451450523"]);
/// assert_eq!(found(Schemes::Only(&["urn"])), ["urn:isbn:0451450523"]);
/// assert!(found(Schemes::Web).is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Schemes<'s> {
    /// `http`, `https` and `mailto`.
    #[default]
    Web,
    /// These, in any case.
    Only(&'s [&'s str]),
    /// All of two characters or more, known or not: also what is before any other colon within a word.
    Any,
}

/// What a text is written in. This says how its characters are read, and how a link may end.
///
/// The span of a link is that of the source. Its reference is what the source means: escapes of the format are
/// read first, by the rules of the place where they are.
///
/// | markup | escapes | what is a reference as a whole |
/// | --- | --- | --- |
/// | plain text | none | |
/// | log | those of strings of JSON (RFC 8259, section 7), `\u` and `\U` of N-Triples | |
/// | Markdown | backslashes and character references (CommonMark 0.31, sections 2.4 and 2.5), not in code, autolinks and tags | destinations of links and of definitions, autolinks, attributes as in HTML |
/// | HTML | character references, by the rules for text and for attributes; none in scripts, styles and comments | the values of attributes such as `href` and `src` |
///
/// In all but plain text, a link that is right after `"`, `'` or a grave accent goes up to the next one of
/// these, and ASCII that no IRI holds ends it: `<`, `>`, `"`, `{`, `}`, `|`, `\`, `^` and the grave
/// accent. There, an address has none of `'`, `=`, `/`, `?`, `&` and `#` before the at sign.
///
/// ```
/// use simd_iri::text::{Extract, Markup};
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
    /// Text for people: by UTS #58 alone.
    #[default]
    Plain,
    /// Lines that programs write, JSON, N-Triples and the like; a link right after `<` goes up to `>`.
    Log,
    /// Markdown; `*`, `_` and `~` at the end of a link in its text do not belong to the link.
    Markdown,
    /// HTML: values of attributes, and what is between tags.
    Html,
}

impl<'s> Extract<'s> {
    /// The links of UTS #58 in plain text.
    ///
    /// ```
    /// # use simd_iri::text::Extract;
    /// assert_eq!(Extract::new().links("no link.").count(), 0);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        let (schemes, markup, level) = (Schemes::Web, Markup::Plain, CpuLevel::best());
        Self { schemes, markup, level, relative: false, broken: false, bare: true }
    }

    /// Which schemes links may have.
    ///
    /// ```
    /// # use simd_iri::text::{Extract, Schemes};
    /// let extract = Extract::new().schemes(Schemes::Only(&["tel"]));
    /// assert_eq!(extract.links("Call TEL:+15550100.").next().unwrap().as_str(), "TEL:+15550100");
    /// ```
    #[must_use]
    pub const fn schemes(self, schemes: Schemes<'s>) -> Self {
        Self { schemes, ..self }
    }

    /// What the text is written in.
    ///
    /// ```
    /// # use simd_iri::text::{Extract, Markup};
    /// let extract = Extract::new().markup(Markup::Log);
    /// assert_eq!(extract.links("from=ann@example.org").next().unwrap().as_str(), "ann@example.org");
    /// ```
    #[must_use]
    pub const fn markup(self, markup: Markup) -> Self {
        Self { markup, ..self }
    }

    /// Whether names of hosts and addresses of e-mail without a scheme are links; they are, unless this
    /// says otherwise.
    ///
    /// ```
    /// # use simd_iri::text::Extract;
    /// assert_eq!(Extract::new().links("run main.rs").count(), 1); // a country
    /// assert_eq!(Extract::new().bare(false).links("run main.rs").count(), 0);
    /// ```
    #[must_use]
    pub const fn bare(self, bare: bool) -> Self {
        Self { bare, ..self }
    }

    /// Whether relative references are links, where the markup says that something is a reference: attributes
    /// such as `href` and `src` of HTML, and destinations of Markdown. They are not, unless this says so; after
    /// `<base href>` with a scheme they are.
    ///
    /// ```
    /// use simd_iri::text::{Extract, LinkKind, Markup};
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

    /// Whether to give out also what looks like a link and is none, each with its reason: see
    /// [`Link::broken`]. The links themselves are the same.
    ///
    /// ```
    /// # use simd_iri::text::{Broken, Extract};
    /// let text = "http://a@example.com/ b.com";
    /// let found: Vec<_> = Extract::new().broken(true).links(text).map(|link| link.broken()).collect();
    /// assert_eq!(found, [Some(Broken::Userinfo), None]);
    /// ```
    #[must_use]
    pub const fn broken(self, broken: bool) -> Self {
        Self { broken, ..self }
    }

    /// The same at a chosen level of the CPU.
    ///
    /// ```
    /// # use simd_iri::{CpuLevel, text::Extract};
    /// for level in CpuLevel::available() {
    ///     assert_eq!(Extract::new().at_level(level).links("see example.com").count(), 1);
    /// }
    /// ```
    #[must_use]
    pub const fn at_level(self, level: CpuLevel) -> Self {
        Self { level, ..self }
    }

    /// The links of a text, in order.
    ///
    /// One pass finds where links may be; there, no character is read more than a few times, whatever
    /// the text is. Allocates for brackets within a link, for names outside ASCII, and for what a word with
    /// escapes means.
    ///
    /// ```
    /// # use simd_iri::text::Extract;
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

    pub(super) fn wanted(self) -> Wanted {
        // Where not all schemes are wanted, http may not be.
        let common = match self.schemes {
            Schemes::Web | Schemes::Any => Some(LinkSets::of(self.markup, false)),
            Schemes::Only(_) => None,
        };
        Wanted { schemes: self.schemes != Schemes::Web, bare: self.bare, common }
    }
}

impl Default for Extract<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// The links of a text: see [`Extract::links`].
///
/// ```
/// # use simd_iri::text::Extract;
/// assert_eq!(Extract::new().links("a.example b.com c.org").count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Links<'a> {
    finder: Finder<'a>,
}

impl<'a> Iterator for Links<'a> {
    type Item = Link<'a>;

    fn next(&mut self) -> Option<Link<'a>> {
        self.finder.next()
    }
}

impl FusedIterator for Links<'_> {}

/// A link: where it is in a text, and what it refers to.
///
/// ```
/// use simd_iri::text::{Extract, LinkKind};
///
/// let link = Extract::new().links("(www.example.org/a[b])").next().unwrap();
/// assert_eq!((link.as_str(), link.span()), ("www.example.org/a[b]", 1..21));
/// assert_eq!(link.kind(), LinkKind::Domain);
/// assert_eq!(link.prepare()?.view(), "https://www.example.org/a%5Bb%5D");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Link<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) kind: LinkKind,
    pub(super) reading: Reading,
    pub(super) is_base: bool,
}

/// What a link is written as.
///
/// ```
/// use simd_iri::text::{Extract, LinkKind};
///
/// let links = Extract::new().links("http://a.com b.com c@d.com");
/// assert!(links.map(|link| link.kind()).eq([LinkKind::Iri, LinkKind::Domain, LinkKind::Email]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LinkKind {
    /// An IRI with its scheme.
    Iri,
    /// The name of a host, perhaps with port, path, query and fragment.
    Domain,
    /// An address of e-mail.
    Email,
    /// A reference without a scheme, in a place of the markup where references are.
    Relative,
    /// No link, but it looks like one.
    Broken(Broken),
}

impl LinkKind {
    /// A stable name, for machine-readable output.
    ///
    /// ```
    /// # use simd_iri::text::LinkKind;
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

impl<'a> Link<'a> {
    /// The link as it is written in the source, with the escapes of its markup.
    ///
    /// ```
    /// # use simd_iri::text::Extract;
    /// assert_eq!(Extract::new().links("(a.com)").next().unwrap().as_str(), "a.com");
    /// ```
    #[must_use]
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// What the source means: the link without the escapes of its markup; borrowed if it has none. One pass.
    ///
    /// ```
    /// # use simd_iri::text::{Extract, Markup};
    /// let record = r#"{"at":"http:\/\/a.example\/caf\u00e9"}"#;
    /// let link = Extract::new().markup(Markup::Log).links(record).next().unwrap();
    /// assert_eq!(link.as_str(), r"http:\/\/a.example\/caf\u00e9");
    /// assert_eq!(link.meaning(), "http://a.example/café");
    /// ```
    #[must_use]
    pub fn meaning(&self) -> Cow<'a, str> {
        self.reading.meaning(self.text)
    }

    /// Why it is no link, if it only looks like one; this is `None` unless [`Extract::broken`] was asked for.
    ///
    /// ```
    /// # use simd_iri::text::{Broken, Extract};
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

    /// Tells whether it is the base of the relative references of its document: the `href` of the first
    /// element `base` of HTML.
    ///
    /// ```
    /// # use simd_iri::text::{Extract, Markup};
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

    /// Where it is in the text: byte offsets, the end excluded.
    ///
    /// ```
    /// # use simd_iri::text::Extract;
    /// assert_eq!(Extract::new().links("(a.com)").next().unwrap().span(), 1..6);
    /// ```
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// What it is written as.
    ///
    /// ```
    /// # use simd_iri::text::{Extract, LinkKind};
    /// let mut links = Extract::new().links("mailto:ann@example.org");
    /// assert_eq!(links.next().unwrap().kind(), LinkKind::Iri);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> LinkKind {
        self.kind
    }

    /// The reference that is meant, with what browsers repair repaired ([`Profile::BrowserLike`]):
    /// a domain gets `https://`, an address `mailto:`. A relative reference stays relative; a
    /// [`Base`](crate::Base) resolves it. Places of repairs and errors are those in the link as it is written.
    /// The cost is that of [`Prepare::text`].
    ///
    /// # Errors
    /// What is wrong and was not repaired, such as a host with triplets that are none.
    ///
    /// ```
    /// # use simd_iri::text::Extract;
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
        let prepare = Prepare::new(Profile::BrowserLike);
        match self.kind {
            LinkKind::Iri | LinkKind::Relative | LinkKind::Broken(_) => prepare.text(text),
            LinkKind::Domain => prepare.domain(text),
            LinkKind::Email => prepare.address(text),
        }
    }
}
