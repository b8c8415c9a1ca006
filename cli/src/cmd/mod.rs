//! The commands: a file for each, with its arguments, its examples and its work. Not here: what several
//! commands share.

pub(crate) mod bidi;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod display;
pub(crate) mod document;
pub(crate) mod explain;
pub(crate) mod extract;
pub(crate) mod file;
pub(crate) mod interpret;
pub(crate) mod lint;
pub(crate) mod normalize;
pub(crate) mod parse;
pub(crate) mod prepare;
pub(crate) mod relativize;
pub(crate) mod resolve;
pub(crate) mod skeleton;
pub(crate) mod to_iri;
pub(crate) mod to_uri;
