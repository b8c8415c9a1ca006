//! Resolution of a reference relative to a base (`base`; RFC 3986, section 5.2), and the way back
//! (`relativize`).

pub(crate) mod base;
pub(crate) mod relativize;
