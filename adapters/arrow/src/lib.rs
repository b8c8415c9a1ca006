//! Kernels over Apache Arrow arrays of Internationalized Resource Identifiers (RFC 3987) and URIs (RFC 3986).
//!
//! ```
//! use arrow_array::{Array, StringArray};
//! use arrow_array::cast::AsArray;
//! use simd_iri_arrow::{Component, Rule, component, error, is_valid};
//!
//! let urls = StringArray::from(vec![Some("http://例え.jp/a?b"), Some("a|b"), None]);
//! assert_eq!(is_valid(&urls, Rule::Iri)?, vec![Some(true), Some(false), None].into());
//! let hosts = component(&urls, Rule::Iri, Component::Host)?;
//! assert_eq!(hosts.iter().collect::<Vec<_>>(), [Some("例え.jp"), None, None]);
//! let messages = error(&urls, Rule::Iri)?;
//! let messages = messages.column_by_name("message").unwrap().as_string_view();
//! assert_eq!(messages.value(1), "no scheme at byte 0; begin with one, such as \"https:\"");
//! # Ok::<(), arrow_schema::ArrowError>(())
//! ```
//!
//! # Input
//! Arrays of `Utf8`, `LargeUtf8`, `Utf8View`, `Binary`, `LargeBinary` and `BinaryView`, with nulls, as slices, and
//! beyond 2 GiB; and dictionaries of these: a kernel runs once for each value of the dictionary. Bytes that are not
//! UTF-8 are an invalid row. Other types are an error.
//!
//! # Output
//! Every result has a row for each row of the input. A null row gives null. A row that does not match the [`Rule`]
//! gives null in every column, and [`error`] says why. An absent component is null, and an empty component is an empty
//! string: the query of `a:b?` is empty, and the query of `a:b` is null.
//!
//! Texts are `Utf8View` arrays that refer to the buffers of the input. Only changed texts are written to a new
//! buffer. Arrow keeps texts of 12 bytes and less in the view itself. [`without_views`] copies a result for engines
//! that do not know views, and [`with_text_type`] chooses the type.
//!
//! Offsets are in bytes of UTF-8, relative to the start of the row. All kernels take linear time.

mod archive;
mod components;
mod errors;
mod extract;
mod input;
mod judge;
mod lint;
mod lists;
mod percent;
mod redact;
mod template;
mod text_type;
mod texts;
mod transform;
mod validity;
mod views;

pub use archive::archive_key;
pub use components::{Component, component, parse, parse_type};
pub use errors::{error, violations};
pub use extract::{extract, link_type};
pub use judge::{judge, judge_type};
pub use lint::{fix, lint};
pub use percent::{percent_decode, percent_encode};
pub use redact::redact;
pub use simd_iri::Rule;
pub use template::{template_map, template_match};
pub use text_type::{TextType, text_length, with_text_type, without_views};
pub use texts::each_text;
pub use transform::{
    apply_query_rules, display, display_in_text, display_rule, drop_query_pairs, fingerprint, key,
    masked, normalize, origin, prepare, query_value, registrable_domain, relativize, resolve,
    skeleton, to_iri, to_uri, unwrap,
};
pub use validity::{is_hostname, is_idn_hostname, is_valid};

/// The example of README.md, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
