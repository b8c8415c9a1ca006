//! Wrapped links: which links are wrapped (`wrappers`), how a target is written (`decode`), and what is found (`found`).
//!
//! Not here: levels of wrappers (`unwrap`), and wrappers of files (`query_rules`).

pub(super) mod decode;
pub(super) mod found;
pub(super) mod wrappers;
