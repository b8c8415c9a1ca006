//! Finds the addresses in the records of a format, and writes others in their place. Each format has a
//! file that knows its syntax. Not here: how input is read, and what happens to an address.
//!
//! A format separates *records*: lines, rows, objects. A *field* is the place of an address in it. Every other byte
//! of a record is copied, so a command that changes no address changes no byte.

#[cfg(test)]
mod agreement;
pub(crate) mod cdxj;
mod coding;
pub(crate) mod columnar;
pub(crate) mod convert;
pub(crate) mod csv;
pub(crate) mod cut;
mod field;
pub(crate) mod guess;
pub(crate) mod json;
mod layout;
pub(crate) mod lines;
pub(crate) mod links;
pub(crate) mod log;
pub(crate) mod ntriples;
pub(crate) mod pages;
pub(crate) mod sitemap;
pub(crate) mod warc;

pub(crate) use field::{Cell, Coding, Field, Record, Value, exists};
pub(crate) use layout::{Layout, Room};
