//! Addresses and names that are not of the public internet, and the notations of IPv4 addresses. `check` and `judge`
//! share these tables.
//!
//! Not here: what a check or a policy says about such a host.
#![forbid(unsafe_code)]

pub(crate) mod addresses;
pub(crate) mod ipv4;
pub(crate) mod names;
#[cfg_attr(not(feature = "judge"), expect(unreachable_pub, reason = "`judge` exports the types"))]
pub(crate) mod range;
