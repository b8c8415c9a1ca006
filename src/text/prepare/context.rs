//! Where a string comes from, and how much is repaired. Not here: the repairs.

use super::repair::RepairKind::{self, *};
use super::repair::Repairs;

/// Where a string comes from.
///
/// ```
/// use simd_iri::text::{Context, Prepare, Profile};
///
/// let by = |context| Prepare::new(Profile::Strict).context(context);
/// assert_eq!(by(Context::Html).text("?a&amp;b")?.view(), "?a&b");
/// assert_eq!(by(Context::Plain).text("?a&amp;b")?.view(), "?a&amp;b");
/// assert_eq!(by(Context::Typed).text("<www.example.org>")?.view(), "https://www.example.org");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Context {
    /// A field of a protocol or a file: what is a reference is one as it is.
    #[default]
    Plain,
    /// Typed or pasted by a person (RFC 3987, section 7.2): wrappers around it, no scheme.
    Typed,
    /// The value of an attribute of HTML: all character references, by name and by number, as browsers read
    /// them in attributes (HTML Standard, section 13.2.5.72 and the states after it). Other ampersands are text.
    Html,
    /// The value of an attribute of XML: references by number, and `&amp;`, `&lt;`, `&gt;`, `&quot;`,
    /// `&apos;` (XML 1.0, section 4.1). Other ampersands are text.
    Xml,
}

impl Context {
    /// What only a context of this kind lets be repaired.
    pub(crate) const fn only(self) -> &'static [RepairKind] {
        match self {
            Self::Plain => &[],
            Self::Typed => &[Wrapper, Invisible, MissingScheme],
            Self::Html | Self::Xml => &[CharacterReference],
        }
    }
}

/// How much is repaired: a set of [`RepairKind`]s. Whatever is not repaired and not allowed is an error.
/// The kinds that belong to a [`Context`] are in all of them.
///
/// | profile | repairs |
/// | --- | --- |
/// | `Strict` | `ByteOrderMark`, `Trimmed` |
/// | `Leiri` | `Space`, `Control`, `NotAllowed`, `Replacement`, `NotUcschar`, `InHost` |
/// | `BrowserLike` | all but `SpaceRemoved`, `InHost` |
/// | `Crawler` | all but `SpaceRemoved`, `InHost`; and wrappers and invisible characters in every context |
/// | `Rdf` | `Space`, `Control`, `NotAllowed`, `Replacement`, `NotUcschar`, `StrayPercent`, `SecondHash`, `Bracket` |
///
/// ```
/// use simd_iri::text::{Prepare, Profile};
///
/// let by = |profile| Prepare::new(profile).text("a b%").map(|made| made.view().to_string());
/// assert_eq!(by(Profile::Strict).unwrap_err().span(), 1..2);
/// assert_eq!(by(Profile::Leiri).unwrap_err().span(), 3..4);
/// assert_eq!(by(Profile::Rdf)?, "a%20b%25");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Profile {
    /// What the guidelines of 2011 do before parsing, and no character that is not allowed.
    #[default]
    Strict,
    /// Legacy extended IRIs, as XML had them, and the wider alphabet of the drafts before RFC 3987: what
    /// they hold beyond IRIs is percent-encoded, wherever it is. `#`, `%`, `[` and `]` are never
    /// touched.
    Leiri,
    /// What browsers make of a link.
    BrowserLike,
    /// What a crawler finds: browsers' repairs, and the wrappers of careless authors.
    Crawler,
    /// What stands where RDF has an IRI: what is not allowed is percent-encoded; nothing is left out, or
    /// taken for something else.
    Rdf,
}

impl Profile {
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
            Self::Crawler => BROWSER.and(Repairs::of(&[Wrapper, Invisible])),
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
