//! The kind that every item must be, which is a start rule of the grammar.

use clap::builder::TypedValueParser;
use simd_iri::Rule;

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

/// Tells whether a kind allows only ASCII.
pub(crate) const fn is_uri(kind: Rule) -> bool {
    matches!(kind, Rule::Uri | Rule::UriReference | Rule::AbsoluteUri | Rule::RelativeRef)
}
