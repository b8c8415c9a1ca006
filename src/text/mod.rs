//! Arbitrary text and references: what someone wrote, typed or marked up, made a reference.
//!
//! Everything that is repaired is told of, with its place. Not here: what is valid (`parse`), and the
//! mapping of references that are valid (`transform`).
#![forbid(unsafe_code)]

mod context;
mod draft;
mod encode;
mod link_tables;
mod prepare;
mod repair;

pub use context::{Context, Profile};
pub use prepare::{Prepare, Prepared};
pub use repair::{Repair, RepairKind};
