//! Mappings between IRIs and URIs (RFC 3987, sections 3.1 and 3.2), with domain names (`idna`, `host`, `hostname`), fields of
//! HTTP (`field`) and legacy charsets (`charset`).

#[cfg(feature = "charset")]
pub(crate) mod charset;
#[cfg(feature = "idna")]
pub(crate) mod domains;
pub(crate) mod field;
#[cfg(feature = "idna")]
pub(crate) mod host;
#[cfg(feature = "idna")]
pub(crate) mod hostname;
#[cfg(feature = "idna")]
pub(crate) mod idna;
#[cfg(feature = "idna")]
pub(super) mod remembered_hosts;
pub(crate) mod to_iri;
pub(crate) mod to_uri;
#[cfg(feature = "idna")]
pub(crate) mod too_long;
#[cfg(feature = "idna")]
mod u_label;
