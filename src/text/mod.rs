//! Text and references: what someone wrote, typed or marked up, made a reference; the links in running
//! text; and references as they are best read.
//!
//! Everything that is repaired is told of, with its place. What is shown to readers is told apart by its
//! type: `DisplayIri` makes IRIs, `DisplayUts58` makes text. Not here: what is valid (`parse`), and the
//! mapping of references that are valid (`transform`).
#![forbid(unsafe_code)]

#[cfg(all(test, feature = "extract", feature = "std"))]
mod adversarial;
#[cfg(feature = "extract")]
mod broken;
#[cfg(feature = "extract")]
mod candidates;
#[cfg(feature = "extract")]
mod common;
mod context;
#[cfg(feature = "extract")]
mod detect;
#[cfg(feature = "display")]
mod display;
mod draft;
mod encode;
#[cfg(feature = "extract")]
mod ends;
#[cfg(feature = "extract")]
mod extract;
#[cfg(feature = "extract")]
mod finder;
#[cfg(feature = "extract")]
mod hosts;
#[cfg(feature = "extract")]
mod html;
#[cfg(feature = "display")]
mod labels;
#[cfg(feature = "extract")]
mod link_stream;
#[cfg(any(feature = "display", feature = "extract"))]
mod link_tables;
#[cfg(feature = "extract")]
mod markdown;
mod prepare;
#[cfg(feature = "extract")]
mod reader;
#[cfg(feature = "extract")]
mod reading;
#[cfg(feature = "extract")]
mod regions;
mod repair;
mod source;
#[cfg(feature = "extract")]
mod stretch;
#[cfg(feature = "display")]
mod uts58;

#[cfg(feature = "extract")]
pub use broken::Broken;
pub use context::{Context, Profile};
#[cfg(feature = "display")]
pub use display::DisplayIri;
#[cfg(feature = "extract")]
pub use extract::{Extract, Link, LinkKind, Links, Markup, Schemes};
#[cfg(feature = "extract")]
pub use link_stream::LinkStream;
pub use prepare::{Prepare, Prepared};
pub use repair::{Repair, RepairKind};
#[cfg(feature = "display")]
pub use uts58::DisplayUts58;
