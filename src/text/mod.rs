//! Arbitrary text and references: what someone wrote, typed or marked up, made a reference; and the
//! links in running text.
//!
//! Everything that is repaired is told of, with its place. Not here: what is valid (`parse`), and the
//! mapping of references that are valid (`transform`).
#![forbid(unsafe_code)]

#[cfg(all(test, feature = "extract", feature = "std"))]
mod adversarial;
#[cfg(feature = "extract")]
mod candidates;
#[cfg(feature = "extract")]
mod common;
mod context;
#[cfg(feature = "extract")]
mod detect;
mod draft;
mod encode;
#[cfg(feature = "extract")]
mod ends;
#[cfg(feature = "extract")]
mod extract;
#[cfg(feature = "extract")]
mod hosts;
#[cfg(feature = "extract")]
mod link_stream;
#[cfg(feature = "extract")]
mod link_tables;
mod prepare;
#[cfg(feature = "extract")]
mod reader;
mod repair;
#[cfg(feature = "extract")]
mod stretch;

pub use context::{Context, Profile};
#[cfg(feature = "extract")]
pub use extract::{Extract, Link, LinkKind, Links, Markup, Schemes};
#[cfg(feature = "extract")]
pub use link_stream::LinkStream;
pub use prepare::{Prepare, Prepared};
pub use repair::{Repair, RepairKind};
