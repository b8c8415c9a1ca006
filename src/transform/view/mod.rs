//! TODO

#[cfg(feature = "psl")]
pub(crate) mod domain;
pub(crate) mod mask;
pub(crate) mod origin;
