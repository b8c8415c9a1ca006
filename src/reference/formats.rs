//! The formats `iri`, `iri-reference`, `uri` and `uri-reference` of JSON Schema (draft 2020-12, section
//! 7.3.5), a function for each.

use crate::parse::Rule;

/// Tells whether `text` is an IRI (RFC 3987): the format `iri` of JSON Schema. Linear, no allocation.
///
/// ```
/// assert!(simd_iri::is_iri("http://a/é") && !simd_iri::is_iri("/é"));
/// ```
#[must_use]
pub fn is_iri(text: &str) -> bool {
    Rule::Iri.is_valid(text)
}

/// Tells whether `text` is an IRI reference (RFC 3987): the format `iri-reference` of JSON Schema. Linear,
/// no allocation.
///
/// ```
/// assert!(simd_iri::is_iri_reference("/é") && !simd_iri::is_iri_reference("\\é"));
/// ```
#[must_use]
pub fn is_iri_reference(text: &str) -> bool {
    Rule::IriReference.is_valid(text)
}

/// Tells whether `text` is a URI (RFC 3986): the format `uri` of JSON Schema. Linear, no allocation.
///
/// ```
/// assert!(simd_iri::is_uri("http://a/%C3%A9") && !simd_iri::is_uri("http://a/é"));
/// ```
#[must_use]
pub fn is_uri(text: &str) -> bool {
    Rule::Uri.is_valid(text)
}

/// Tells whether `text` is a URI reference (RFC 3986): the format `uri-reference` of JSON Schema. Linear, no
/// allocation.
///
/// ```
/// assert!(simd_iri::is_uri_reference("../a") && !simd_iri::is_uri_reference("../é"));
/// ```
#[must_use]
pub fn is_uri_reference(text: &str) -> bool {
    Rule::UriReference.is_valid(text)
}
