#![doc = include_str!("../README.md")]
//!
//! # The rooms of the crate
//!
//! ```text
//! build time   codegen/grammar/*.abnf ─▶ codegen ─▶ tables
//!                                                      │
//! run time     bytes ─▶ scan: masks of 64 bytes ─▶ parse: component offsets ─▶ reference: Iri, IriRef, Uri, UriRef
//!                       (non-ASCII spans ─▶ dfa)      └ on failure ─▶ explain: where and why
//!              reference + base ─▶ transform: resolve, relativize ─▶ reference
//!       components, or reference ─▶ transform: build, edit ─▶ reference
//!                        reference ─▶ check: findings, and a better spelling
//!                 arbitrary string ─▶ text: prepare ─▶ reference, and what was repaired
//!                     running text ─▶ text: links, each with the reference that is meant
//!              many texts ─▶ scan ─▶ parse: marks of all of them at once ─▶ batch: counts, items, columns
//! ```
//!
//! A module imports only modules before it: `tables, error → scan → parse → reference → transform → check → text → batch`.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

// In the order in which data flows; the blank lines keep the formatter from sorting them.
mod tables;

mod error;

mod scan;

mod parse;

mod reference;

#[cfg(feature = "alloc")]
mod transform;

#[cfg(feature = "alloc")]
pub mod check;

#[cfg(feature = "alloc")]
pub mod text;

pub mod batch;

#[cfg(any(feature = "http", feature = "url"))]
pub use error::ConvertError;
pub use error::{Component, Error, ErrorKind, InvalidText, UntilError};
pub use parse::{ComponentRule, Memo, Parts, Rule, Terminators, UnknownRule, Violations};
pub use reference::*;
pub use scan::CpuLevel;
#[cfg(feature = "alloc")]
pub use transform::{
    Base, BaseBuf, Builder, Compare, Document, DotSegment, Encoded, EscapeError, FileNameError,
    Format, Level, Masked, Normalize, Origin, Pairs, Policy, Relativize, ToIri, ToUri, Value,
    percent,
};
#[cfg(feature = "charset")]
pub use transform::{LegacyError, Unmappable};
#[cfg(feature = "idna")]
pub use transform::{is_hostname, is_idn_hostname};

// The crates whose types are in the API, so that nobody needs to name the same version.
#[cfg(feature = "charset")]
pub use encoding_rs;
#[cfg(feature = "http")]
pub use http;
#[cfg(feature = "url")]
pub use url;

/// An [`Iri`] from a literal, checked when it is compiled.
///
/// ```
/// use simd_iri::{Iri, iri};
///
/// const RDF: Iri<'_> = iri!("http://www.w3.org/1999/02/22-rdf-syntax-ns#");
/// assert_eq!(RDF.fragment(), Some(""));
/// ```
///
/// ```compile_fail
/// simd_iri::iri!("not an IRI");
/// ```
#[macro_export]
macro_rules! iri {
    ($text:expr $(,)?) => {
        $crate::__literal!($crate::Iri, $text, "not an IRI")
    };
}

/// An [`IriRef`] from a literal, checked when it is compiled.
///
/// ```
/// assert_eq!(simd_iri::iri_ref!("../a").path(), "../a");
/// ```
///
/// ```compile_fail
/// simd_iri::iri_ref!("1:a");
/// ```
#[macro_export]
macro_rules! iri_ref {
    ($text:expr $(,)?) => {
        $crate::__literal!($crate::IriRef, $text, "not an IRI reference")
    };
}

/// A [`Uri`] from a literal, checked when it is compiled.
///
/// ```
/// assert_eq!(simd_iri::uri!("urn:a").scheme(), "urn");
/// ```
///
/// ```compile_fail
/// simd_iri::uri!("http://a/é");
/// ```
#[macro_export]
macro_rules! uri {
    ($text:expr $(,)?) => {
        $crate::__literal!($crate::Uri, $text, "not a URI")
    };
}

/// A [`UriRef`] from a literal, checked when it is compiled.
///
/// ```
/// assert_eq!(simd_iri::uri_ref!("?a").query(), Some("a"));
/// ```
///
/// ```compile_fail
/// simd_iri::uri_ref!("é");
/// ```
#[macro_export]
macro_rules! uri_ref {
    ($text:expr $(,)?) => {
        $crate::__literal!($crate::UriRef, $text, "not a URI reference")
    };
}

/// What the four macros for literals share.
#[doc(hidden)]
#[macro_export]
macro_rules! __literal {
    ($type:ty, $text:expr, $refused:literal) => {
        const {
            match <$type>::parse_const($text) {
                Some(view) => view,
                None => panic!($refused),
            }
        }
    };
}
