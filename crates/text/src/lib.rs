//! Text and references: [`Prepare`] makes references from strings that people write, and [`Extract`] finds links in running
//! text (UTS #58).
//!
//! Every repair is reported with its position. Not here: what is valid, and the mapping of valid references, which are the
//! engine's (`simd-iri`).
//!
//! ```
//! use simd_iri_text::{Context, Extract, Prepare, RepairSet};
//!
//! let typed = Prepare::new(RepairSet::BrowserLike).context(Context::Typed);
//! assert_eq!(typed.prepare("例え.jp/a b")?.into_owned(), "https://例え.jp/a%20b");
//! let mut links = Extract::new().links("see example.com/a, or not");
//! assert_eq!(links.next().map(|link| link.span()), Some(4..17));
//! # Ok::<(), simd_iri::Error>(())
//! ```
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod extract;
// `simd-iri-lint` displays references by the same tables.
#[doc(hidden)]
pub mod link_tables;
mod prepare;
#[cfg(feature = "serde")]
mod serde;

use simd_iri::versions::DataTable;

pub use extract::{
    Ends, Extract, Link, LinkKind, Links, Markup, Schemes, broken::Broken, escapes::Escapes,
    link_stream::LinkStream,
};
pub use prepare::{
    Prepare, Prepared,
    context::{Context, RepairSet},
    encode::Replacement,
    repair::{Repair, RepairKind},
};

/// The properties of UTS #58, which say where a link in text ends.
///
/// ```
/// assert_eq!(simd_iri_text::LINKS.version().to_string(), "18.0.0");
/// ```
pub const LINKS: DataTable = DataTable::new("link", || link_tables::UNICODE_VERSION.into());
