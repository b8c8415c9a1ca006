//! Files: opens them, decompresses them, converts them to UTF-8, and writes them. Not here: what a record is.

pub(crate) mod archive;
pub(crate) mod at;
pub(crate) mod closed;
pub(crate) mod compress;
pub(crate) mod decode;
pub(crate) mod files;
pub(crate) mod gzip;
pub(crate) mod head;
pub(crate) mod input;
pub(crate) mod interrupt;
pub(crate) mod members;
mod pieces;
pub(crate) mod places;
pub(crate) mod sniff;
pub(crate) mod temporary;
pub(crate) mod text;
pub(crate) mod walk;
