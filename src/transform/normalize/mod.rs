//! Normal forms and comparison (RFC 3986, section 6; RFC 3987, section 5).
//!
//! `rules` writes a normal form; `prescan` finds out in one pass whether a reference is in normal form already. `key`
//! gives the bytes of a normal form without writing them, and `compare` decides equivalence by these keys.

pub(crate) mod address;
pub(crate) mod compare;
pub(crate) mod key;
pub(crate) mod prescan;
pub(crate) mod rules;
