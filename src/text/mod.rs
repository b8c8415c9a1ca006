//! Text and references: what someone wrote, typed or marked up, made a reference; and references as
//! they are best read.
//!
//! Everything that is repaired is told of, with its place. What is shown to readers is told apart by its
//! type: [`DisplayIri`] makes IRIs, [`DisplayUts58`] makes text. Not here: what is valid (`parse`), and
//! the mapping of references that are valid (`transform`).
#![forbid(unsafe_code)]

mod context;
#[cfg(feature = "display")]
mod display;
mod draft;
mod encode;
#[cfg(feature = "display")]
mod labels;
#[cfg(feature = "display")]
mod link_tables;
mod prepare;
mod repair;
#[cfg(feature = "display")]
mod uts58;

pub use context::{Context, Profile};
#[cfg(feature = "display")]
pub use display::DisplayIri;
pub use prepare::{Prepare, Prepared};
pub use repair::{Repair, RepairKind};
#[cfg(feature = "display")]
pub use uts58::DisplayUts58;
