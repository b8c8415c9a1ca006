//! What sites and mail filters put around links, and into queries: [`Unwrap`] takes a link out of its wrapper, and
//! [`QueryRules`] removes the pairs of a query that a list of rules names.
//!
//! ```
//! use simd_iri::iri_ref;
//! use simd_iri_rules::Unwrap;
//!
//! let wrapped = iri_ref!("https://www.google.com/url?q=https%3A%2F%2Fexample.org%2F");
//! assert_eq!(Unwrap::new().apply(wrapped).reference(), "https://example.org/");
//! ```
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod query_rules;
mod unwrap;
mod wrapped;

pub use query_rules::{Applied, QueryRules, RuleError, RuleErrorKind, RuleFormat};
pub use unwrap::{Unwrap, Unwrapped};
pub use wrapped::found::{StillWrapped, Wrapper};
