//! TODO

pub(crate) mod components;
pub(crate) mod digits;
pub(crate) mod domain;
pub(crate) mod escapes;
pub(crate) mod host;
pub(crate) mod internal;
pub(crate) mod ipv4;
pub(crate) mod lookalikes;
pub(crate) mod meant;
#[cfg(feature = "spoof")]
pub(crate) mod mojibake;
pub(crate) mod preferred;
pub(crate) mod raw;
#[cfg(feature = "repertoire")]
pub(crate) mod repertoire;
pub(crate) mod scheme;
#[cfg(feature = "spoof")]
pub(crate) mod scripts;
pub(crate) mod spoof;
pub(crate) mod syntax;
pub(crate) mod unit;
