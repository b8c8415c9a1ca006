//! Tests of the way from grammar to tables: the reader, the automata, the tables, the program.
#![forbid(unsafe_code)]

#[cfg(test)]
mod abnf;
#[cfg(test)]
mod automata;
#[cfg(test)]
mod program;
#[cfg(test)]
mod tables;
