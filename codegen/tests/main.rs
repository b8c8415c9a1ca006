//! Tests of the way from grammar to tables: the reader, the automata, the tables, the program; and
//! of the table of links.
#![forbid(unsafe_code)]

#[cfg(test)]
mod abnf;
#[cfg(test)]
mod automata;
#[cfg(test)]
mod links;
#[cfg(test)]
mod program;
#[cfg(test)]
mod tables;
