//! TODO

#[cfg(feature = "charset")]
pub(crate) mod charset;
#[cfg(feature = "idna")]
pub(crate) mod hostname;
#[cfg(feature = "idna")]
pub(crate) mod idna;
pub(crate) mod to_iri;
pub(crate) mod to_uri;
