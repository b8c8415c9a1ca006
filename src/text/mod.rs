//! Text and references: what someone wrote, typed or marked up, made a reference; the links in running
//! text; and references as they are best read.
//!
//! Everything that is repaired is told of, with its place. What is shown to readers is told apart by its
//! type: `DisplayIri` makes IRIs, `DisplayUts58` makes text. Not here: what is valid (`parse`), and the
//! mapping of references that are valid (`transform`).
#![forbid(unsafe_code)]

#[cfg(feature = "display")]
mod display;
#[cfg(feature = "extract")]
mod extract;
#[cfg(any(feature = "display", feature = "extract"))]
mod link_tables;
mod prepare;

#[cfg(feature = "display")]
pub use display::DisplayIri;
#[cfg(feature = "display")]
pub use display::uts58::DisplayUts58;
#[cfg(feature = "extract")]
pub use extract::broken::Broken;
#[cfg(feature = "extract")]
pub use extract::link_stream::LinkStream;
#[cfg(feature = "extract")]
pub use extract::{Extract, Link, LinkKind, Links, Markup, Schemes};
pub use prepare::context::{Context, Profile};
pub use prepare::repair::{Repair, RepairKind};
pub use prepare::{Prepare, Prepared};
