//! Reading: opens files, converts them to UTF-8, and splits them into items. Not here: what is printed.

pub(crate) mod decode;
pub(crate) mod input;
pub(crate) mod sniff;
pub(crate) mod text;
