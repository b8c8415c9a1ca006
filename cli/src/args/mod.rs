//! Arguments that several commands share, and the types of their values. Not here: the arguments of a
//! single command, which are in its file in `cmd`.

pub(crate) mod archive;
pub(crate) mod base;
pub(crate) mod charset;
pub(crate) mod document;
pub(crate) mod host;
pub(crate) mod input;
pub(crate) mod keep;
pub(crate) mod kind;
pub(crate) mod limit;
pub(crate) mod named;
pub(crate) mod names;
pub(crate) mod output;
pub(crate) mod pattern;
pub(crate) mod policy;
pub(crate) mod records;
pub(crate) mod repairs;
pub(crate) mod rules;
pub(crate) mod scheme;
pub(crate) mod transform;
