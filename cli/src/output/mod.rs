//! Printing: lines, pictures, templates, JSON, and reports of errors. Not here: how items are read.

pub(crate) mod color;
pub(crate) mod columns;
pub(crate) mod diff;
pub(crate) mod escape;
pub(crate) mod json;
pub(crate) mod picture;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod screen;
pub(crate) mod secrets;
pub(crate) mod summary;
pub(crate) mod template;
