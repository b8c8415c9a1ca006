//! Values that are read from a reference: its origin, its registrable domain, its decoded segments, the port that its
//! scheme implies, the host and port of a connection, and its text with the password masked.

pub(crate) mod decoded;
#[cfg(feature = "psl")]
pub(crate) mod domain;
pub(crate) mod mask;
pub(crate) mod origin;
