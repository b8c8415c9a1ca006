//! The keys by which web archives find an address: CDX keys and SURTs (Sort-friendly URI Reordering Transforms).
//!
//! A key puts the labels of the host in reverse, so that the addresses of a domain stand together in a sorted index:
//!
//! ```
//! use simd_iri_archive::{Keys, Profile, Scope, key};
//!
//! let key_of_page = key("https://www.Example.com/a/?c=1&b=2#top", Profile::Pywb);
//! assert_eq!(key_of_page.as_str(), "com,example)/a?b=2&c=1");
//! assert!(!key_of_page.is_rejected());
//!
//! // Which keys of a sorted index are those of a domain and its subdomains?
//! let range = Keys::new(Profile::Pywb).range("http://example.com/", Scope::Domain).unwrap();
//! assert_eq!((range.start(), range.end()), ("com,example)/", "com,example-"));
//! assert!(range.contains("com,example,news)/") && range.contains(key_of_page.as_str()));
//! assert!(!range.contains("com,example2)/"));
//! ```
//!
//! A key is for archives alone. It is not a reference, and two addresses with one key need not be equivalent by RFC
//! 3986: keys decode delimiters, and fold the case of paths. To compare references, use
//! [`Compare`](simd_iri::Compare). Keys sort by bytes, as `LC_ALL=C sort` does, which is the order of `str` in Rust.
//!
//! Not here: what is valid (`parse`) and the normal form of RFC 3986 (the engine), whose functions are not used: a key
//! follows the tool that made the index.
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod aggressive;
mod cdx;
mod escape;
mod host;
mod keys;
mod neighbours;
mod options;
mod parts;
mod path;
mod query;
mod range;
mod surt;

pub use aggressive::aggressive;
pub use keys::{Key, Keys, key};
pub use options::{Profile, Www};
pub use range::{KeyRange, Scope};
