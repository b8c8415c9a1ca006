//! Layers of [tower] for the references in HTTP messages: targets of requests are checked and normalized by RFC 3986,
//! and the IRIs that responses have in `Location` become URIs by RFC 3987. The layers work with axum, hyper, and
//! every server that uses [`http`] 1.x. [`simd_iri`] does the work.
//!
//! | layer | what it does |
//! | --- | --- |
//! | [`CheckTarget`] | answers 400 to a request whose target does not match the grammar, and says why; or only reports it |
//! | [`NormalizeTarget`] | rewrites the target of a request in its normal form |
//! | [`UriLocation`] | makes URIs of the IRIs in `Location`, `Content-Location`, `Link` and `Refresh` of a response |
//!
//! Each layer has a method that does the same without tower: [`CheckTarget::check`], [`NormalizeTarget::normalize`],
//! [`UriLocation::map`].
//!
//! The four forms of a target (RFC 9112, section 3.2) are distinguished: `//a/b` is a path, and `example.com:443` is
//! an authority. See [`TargetForm`].
//!
//! ```
//! use http::Uri;
//! use simd_iri_tower::{CheckTarget, NormalizeTarget};
//!
//! let uri = Uri::from_static("/a|b");
//! let error = CheckTarget::new().check(&http::Method::GET, http::Version::HTTP_11, &uri);
//! assert_eq!(
//!     error.unwrap_err().to_string(),
//!     "'|' at byte 2 is not allowed in a path; write %7C"
//! );
//! let uri = Uri::from_static("/a/%2e%2e/%7eb%2fc");
//! assert_eq!(NormalizeTarget::new().normalize(&uri).unwrap(), "/~b%2Fc");
//! ```
//!
//! The crate `http` removes a fragment from a target before a layer sees it.
//!
//! [tower]: https://docs.rs/tower-service

#![forbid(unsafe_code)]

mod check;
mod location;
mod normalize;
mod target;

pub use check::{CheckFuture, CheckService, CheckTarget, Handler, Refuse, RefuseWith, Report};
pub use location::{Left, LocationFuture, LocationService, UriLocation};
pub use normalize::{NormalizeService, NormalizeTarget, RawTarget};
pub use target::TargetError;
// The form of a target, which [`TargetError::Form`] has.
pub use simd_iri::http_message::TargetForm;

// The crates whose types are in the API, so that users need not depend on the same versions.
pub use http;
pub use simd_iri;

/// The Rust of README.md, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
