//! Values that are read from a reference: its origin, its registrable domain, and its text with the password
//! masked.

#[cfg(feature = "psl")]
pub(crate) mod domain;
pub(crate) mod mask;
pub(crate) mod origin;
