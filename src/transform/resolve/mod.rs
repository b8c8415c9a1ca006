//! TODO

pub(crate) mod base;
pub(crate) mod relativize;
