//! What a reference tells without becoming another one: its origin, its registrable domain, and the reference
//! with its password masked.

#[cfg(feature = "psl")]
pub(crate) mod domain;
pub(crate) mod mask;
pub(crate) mod origin;
