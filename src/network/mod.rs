//! Addresses and names that are not of the public internet, and the notations of IPv4 addresses. `simd-iri-lint` and `judge`
//! share these tables.
//!
//! Not here: what a check or a policy says about such a host.
#![forbid(unsafe_code)]

pub mod addresses;
pub mod ipv4;
pub mod names;
pub mod range;
