//! Reading: opens files, decompresses them and converts them to UTF-8. Not here: what a record is.

pub(crate) mod archive;
pub(crate) mod compress;
pub(crate) mod decode;
pub(crate) mod gzip;
pub(crate) mod head;
pub(crate) mod input;
pub(crate) mod interrupt;
pub(crate) mod members;
pub(crate) mod output;
pub(crate) mod sniff;
pub(crate) mod text;
pub(crate) mod walk;
