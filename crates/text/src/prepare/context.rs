//! The source of a string, and the repairs that are allowed. Not here: the repairs.

use super::repair::RepairKind::{self, *};
use super::repair::Repairs;
use simd_iri::low::named;

/// The source of a string.
///
/// ```
/// use simd_iri_text::{Context, Prepare, RepairSet};
///
/// let by = |context| Prepare::new(RepairSet::Strict).context(context);
/// assert_eq!(by(Context::Html).prepare("?a&amp;b")?.view(), "?a&b");
/// assert_eq!(by(Context::Plain).prepare("?a&amp;b")?.view(), "?a&amp;b");
/// assert_eq!(by(Context::Typed).prepare("<www.example.org>")?.view(), "https://www.example.org");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Context {
    /// A field of a protocol or a file: a string that is a reference is used unchanged.
    #[default]
    Plain,
    /// Typed or pasted by a person (RFC 3987, section 7.2): it may have wrappers around it, and its scheme may be
    /// missing.
    Typed,
    /// The value of an attribute in HTML. All character references, by name and by number, are read as
    /// browsers read them in attributes (HTML Standard, section 13.2.5.72 and the states after it). Other
    /// ampersands are text.
    Html,
    /// The value of an attribute in XML. References by number, and `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;`,
    /// are read (XML 1.0, section 4.1). Other ampersands are text.
    Xml,
}

named! {
    /// Returns the name in lower case.
    "simd_iri_text::Context" Context {
        Plain = "plain",
        Typed = "typed",
        Html = "html",
        Xml = "xml",
    }
}

impl Context {
    /// Returns the repairs that are allowed only in this context.
    pub(crate) const fn only(self) -> &'static [RepairKind] {
        match self {
            Self::Plain => &[],
            Self::Typed => &[Wrapper, Invisible, MissingScheme],
            Self::Html | Self::Xml => &[CharacterReference],
        }
    }
}

/// A set of [`RepairKind`]s that are allowed. Every other invalid text is an error. All sets allow the kinds that
/// belong to a [`Context`].
///
/// | set | repairs |
/// | --- | --- |
/// | `Strict` | `ByteOrderMark`, `Trimmed` |
/// | `Leiri` | `Space`, `Control`, `NotAllowed`, `Replacement`, `NotUcschar`, `InHost` |
/// | `BrowserLike` | all but `SpaceRemoved`, `InHost` |
/// | `Crawler` | all but `SpaceRemoved`, `InHost`; and wrappers and invisible characters in every context |
/// | `Rdf` | `Space`, `Control`, `NotAllowed`, `Replacement`, `NotUcschar`, `StrayPercent`, `SecondHash`, `Bracket` |
///
/// ```
/// use simd_iri_text::{Prepare, RepairSet};
///
/// let by = |set| Prepare::new(set).prepare("a b%").map(|made| made.view().to_string());
/// assert_eq!(by(RepairSet::Strict).unwrap_err().span(), 1..2);
/// assert_eq!(by(RepairSet::Leiri).unwrap_err().span(), 3..4);
/// assert_eq!(by(RepairSet::Rdf)?, "a%20b%25");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RepairSet {
    /// The steps of the guidelines of 2011 before parsing. A character that is not allowed is an error.
    Strict,
    /// Legacy extended IRIs, as in XML, and the wider alphabet of the drafts before RFC 3987: characters
    /// that IRIs do not allow are percent-encoded in every component. `#`, `%`, `[` and `]` never change.
    Leiri,
    /// The repairs of browsers.
    BrowserLike,
    /// For crawlers: the repairs of browsers, and the wrappers of careless authors.
    Crawler,
    /// For RDF: characters that are not allowed are percent-encoded; no character is removed or replaced by another.
    Rdf,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri_text::RepairSet" RepairSet {
        Strict = "strict",
        Leiri = "leiri",
        BrowserLike = "browser-like",
        Crawler = "crawler",
        Rdf = "rdf",
    }
}

impl RepairSet {
    pub(crate) const fn repairs(self) -> Repairs {
        const BROWSER: Repairs = Repairs::of(&[
            ByteOrderMark,
            Trimmed,
            TrimmedControl,
            LineBreak,
            Space,
            FullWidth,
            SameScheme,
            Backslash,
            Slashes,
            Drive,
            SecondAt,
            StrayPercent,
            SecondHash,
            Bracket,
            NotAllowed,
            Control,
            Replacement,
            NotUcschar,
            IllFormed,
            DotSegment,
        ]);
        match self {
            Self::Strict => Repairs::of(&[ByteOrderMark, Trimmed]),
            Self::Leiri => {
                Repairs::of(&[Space, Control, NotAllowed, Replacement, NotUcschar, InHost])
            }
            Self::BrowserLike => BROWSER,
            Self::Crawler => BROWSER.or(Repairs::of(&[Wrapper, Invisible])),
            Self::Rdf => Repairs::of(&[
                Space,
                Control,
                NotAllowed,
                Replacement,
                NotUcschar,
                StrayPercent,
                SecondHash,
                Bracket,
            ]),
        }
    }
}
