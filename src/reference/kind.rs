//! The four kinds of reference that have a type. Names only, no behaviour.

use crate::parse::Rule;

mod sealed {
    pub trait Sealed {}
}

/// What a typed reference is known to match. Sealed.
///
/// ```
/// use simd_iri::{Rule, kind::{self, Kind}};
///
/// assert_eq!(kind::Iri::RULE, Rule::Iri);
/// ```
pub trait Kind: sealed::Sealed + 'static {
    /// The rule that the whole text matches.
    const RULE: Rule;
}

/// A kind that always has a scheme. Sealed.
///
/// ```
/// use simd_iri::{View, kind::Absolute};
///
/// fn is_web<K: Absolute>(reference: View<'_, K>) -> bool {
///     matches!(reference.scheme(), "http" | "https")
/// }
/// assert!(is_web(simd_iri::iri!("http://a/")) && is_web(simd_iri::uri!("https://a/")));
/// ```
pub trait Absolute: Kind {}

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
}
impl Kind for IriReference {
    const RULE: Rule = Rule::IriReference;
}
impl Kind for Uri {
    const RULE: Rule = Rule::Uri;
}
impl Kind for UriReference {
    const RULE: Rule = Rule::UriReference;
}

impl Absolute for Iri {}
impl Absolute for Uri {}
