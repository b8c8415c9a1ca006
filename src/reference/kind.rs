//! The four kinds of reference that have a type.

use crate::parse::Rule;

mod sealed {
    pub trait Sealed {}
}

/// The kind of a typed reference: the rule that its text matches. Sealed.
///
/// ```
/// use simd_iri::{Rule, kind::{self, Kind}};
///
/// assert_eq!(kind::Iri::RULE, Rule::Iri);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of reference",
    label = "not a kind",
    note = "the kinds are `kind::Iri`, `kind::IriReference`, `kind::Uri` and `kind::UriReference`",
    note = "a type of reference, such as `Iri<'_>` or `IriBuf`, already has its kind"
)]
pub trait Kind: sealed::Sealed + 'static {
    /// The rule that the whole text matches.
    const RULE: Rule;

    /// The kind of the URI that a reference of this kind is mapped to (RFC 3987, section 3.1).
    type Uri: Kind<Uri = Self::Uri, Iri = Self::Iri>;

    /// The kind of the IRI that a reference of this kind is mapped to (RFC 3987, section 3.2).
    type Iri: Kind<Uri = Self::Uri, Iri = Self::Iri>;
}

/// A kind that always has a scheme. Sealed.
///
/// ```
/// use simd_iri::{View, kind::HasScheme};
///
/// fn is_web<K: HasScheme>(reference: View<'_, K>) -> bool {
///     matches!(reference.scheme(), "http" | "https")
/// }
/// assert!(is_web(simd_iri::iri!("http://a/")) && is_web(simd_iri::uri!("https://a/")));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of reference that always has a scheme",
    label = "not `kind::Iri` and not `kind::Uri`",
    note = "for a base, write `Base<'_>` or `Base<'_, kind::Uri>`",
    note = "a reference that may lack a scheme converts: `Iri::try_from(reference)?`"
)]
pub trait HasScheme: Kind {
    /// The kind of the references that a base of this kind resolves.
    type Reference: Kind;
}

/// The rule `IRI`.
#[derive(Clone, Copy, Debug)]
pub enum Iri {}

/// The rule `IRI-reference`.
#[derive(Clone, Copy, Debug)]
pub enum IriReference {}

/// The rule `URI`.
#[derive(Clone, Copy, Debug)]
pub enum Uri {}

/// The rule `URI-reference`.
#[derive(Clone, Copy, Debug)]
pub enum UriReference {}

impl sealed::Sealed for Iri {}
impl sealed::Sealed for IriReference {}
impl sealed::Sealed for Uri {}
impl sealed::Sealed for UriReference {}

impl Kind for Iri {
    const RULE: Rule = Rule::Iri;
    type Uri = Uri;
    type Iri = Iri;
}
impl Kind for IriReference {
    const RULE: Rule = Rule::IriReference;
    type Uri = UriReference;
    type Iri = IriReference;
}
impl Kind for Uri {
    const RULE: Rule = Rule::Uri;
    type Uri = Uri;
    type Iri = Iri;
}
impl Kind for UriReference {
    const RULE: Rule = Rule::UriReference;
    type Uri = UriReference;
    type Iri = IriReference;
}

impl HasScheme for Iri {
    type Reference = IriReference;
}
impl HasScheme for Uri {
    type Reference = UriReference;
}
