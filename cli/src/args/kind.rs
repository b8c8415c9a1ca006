//! The kind that every item must be.

use clap::ValueEnum;
use simd_iri::{Error, IriRef, Rule};

/// The kind that every item must be: a start rule of the grammar.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Kind {
    /// Has a scheme; may have a fragment
    Iri,
    /// An iri, or a reference relative to one
    IriReference,
    /// Has a scheme and no fragment
    AbsoluteIri,
    /// Has no scheme
    IrelativeRef,
    /// An iri in ASCII
    Uri,
    /// An iri-reference in ASCII
    UriReference,
    /// An absolute-iri in ASCII
    AbsoluteUri,
    /// An irelative-ref in ASCII
    RelativeRef,
}

impl Kind {
    /// Returns the name of the kind, for messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Iri => "IRI",
            Self::IriReference => "IRI reference",
            Self::AbsoluteIri => "absolute IRI",
            Self::IrelativeRef => "relative IRI reference",
            Self::Uri => "URI",
            Self::UriReference => "URI reference",
            Self::AbsoluteUri => "absolute URI",
            Self::RelativeRef => "relative URI reference",
        }
    }

    /// Parses an item of this kind. Every kind is an IRI reference.
    ///
    /// # Errors
    /// The item is not of this kind.
    pub(crate) fn parse(self, item: &[u8]) -> Result<IriRef<'_>, Error> {
        if self == Self::IriReference {
            return IriRef::parse_bytes(item);
        }
        let rule = Rule::from(self);
        // Bytes that are not UTF-8 match no rule, so the empty text is never used.
        let text = std::str::from_utf8(item).or_else(|_| rule.parse_bytes(item).map(|_| ""))?;
        IriRef::parse_as(rule, text)
    }

    /// Tells whether only ASCII is allowed.
    pub(crate) const fn is_uri(self) -> bool {
        matches!(self, Self::Uri | Self::UriReference | Self::AbsoluteUri | Self::RelativeRef)
    }
}

impl From<Kind> for Rule {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Iri => Self::Iri,
            Kind::IriReference => Self::IriReference,
            Kind::AbsoluteIri => Self::AbsoluteIri,
            Kind::IrelativeRef => Self::IrelativeRef,
            Kind::Uri => Self::Uri,
            Kind::UriReference => Self::UriReference,
            Kind::AbsoluteUri => Self::AbsoluteUri,
            Kind::RelativeRef => Self::RelativeRef,
        }
    }
}
