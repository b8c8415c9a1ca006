//! Finds the links of running text, and prints them: from a stream of bytes, or from blocks of several
//! threads. Not here: the arguments, and what a link is, which the library decides.
//!
//! In plain text and logs no link holds white space, and what comes after white space does not depend on
//! what comes before it. So a block that ends with white space is searched by itself. HTML and Markdown have
//! a structure that begins anywhere; they are searched as a stream, by one thread.

mod blocks;
mod deferred;
mod out;
mod printer;
mod stream;
mod text;

pub(crate) use blocks::run as blocks;
pub(crate) use out::Direct;
pub(crate) use printer::{Asked, Printer};
pub(crate) use stream::read;
pub(crate) use text::{LONGEST, Text};
