//! The kind that every item must be, which is a start rule of the grammar.

use clap::builder::TypedValueParser;
use simd_iri::{Error, IriRef, Rule};

use crate::args::named::named;

/// Reads the kind that every item must be.
pub(crate) fn kind() -> impl TypedValueParser<Value = Rule> {
    named([
        (Rule::Iri, "Has a scheme; may have a fragment"),
        (Rule::IriReference, "An iri, or a text that is relative to an iri"),
        (Rule::AbsoluteIri, "Has a scheme and no fragment"),
        (Rule::IrelativeRef, "Has no scheme"),
        (Rule::Uri, "An iri in ASCII"),
        (Rule::UriReference, "An iri-reference in ASCII"),
        (Rule::AbsoluteUri, "An absolute-iri in ASCII"),
        (Rule::RelativeRef, "An irelative-ref in ASCII"),
    ])
}

/// Returns the name of a kind, for messages.
pub(crate) const fn name(kind: Rule) -> &'static str {
    match kind {
        Rule::Iri => "IRI",
        Rule::IriReference => "IRI reference",
        Rule::AbsoluteIri => "absolute IRI",
        Rule::IrelativeRef => "relative IRI reference",
        Rule::Uri => "URI",
        Rule::UriReference => "URI reference",
        Rule::AbsoluteUri => "absolute URI",
        Rule::RelativeRef => "relative URI reference",
    }
}

/// Parses an item of a kind. Every kind is an IRI reference.
///
/// # Errors
/// The item is not of this kind.
pub(crate) fn parse(kind: Rule, item: &[u8]) -> Result<IriRef<'_>, Error> {
    if kind == Rule::IriReference {
        return IriRef::parse_bytes(item);
    }
    // Bytes that are not UTF-8 match no rule, so the empty text is never used.
    let text = std::str::from_utf8(item).or_else(|_| kind.parse_bytes(item).map(|_| ""))?;
    IriRef::parse_as(kind, text)
}

/// Tells whether a kind allows only ASCII.
pub(crate) const fn is_uri(kind: Rule) -> bool {
    matches!(kind, Rule::Uri | Rule::UriReference | Rule::AbsoluteUri | Rule::RelativeRef)
}
