//! Finds the links of running text, and prints them: from a stream of bytes, or from blocks that several
//! threads search. Not here: the arguments, and what a link is, which the library decides.
//!
//! In plain text and logs, no link holds white space, and the text after white space does not depend on the text
//! before it. So each block that ends with white space can be searched alone. HTML and Markdown have structures that
//! may begin anywhere; they are searched as a stream, by one thread.

mod blocks;
mod data;
mod deferred;
mod out;
mod printer;
mod stream;
mod text;

pub(crate) use blocks::run as blocks;
pub(crate) use data::Delimiters;
pub(crate) use out::Direct;
pub(crate) use printer::{Asked, Printer};
pub(crate) use stream::read;
pub(crate) use text::{LONGEST, Text};
