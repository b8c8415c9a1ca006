//! TODO

pub(crate) mod relativize;
pub(crate) mod base;
