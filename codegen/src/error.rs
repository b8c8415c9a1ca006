//! The error type: the reason why a grammar is wrong, and the position.

use std::{fmt, sync::Arc};

/// A place in a grammar file. Line and column begin at 1; a column is a character.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The name of the file.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The reason why a grammar cannot be parsed, or a rule cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The text is not ABNF (RFC 5234, section 4).
    Syntax {
        /// The first character that does not fit.
        at: Place,
        /// The reason.
        problem: String,
    },
    /// A rule is defined twice, in two ways.
    Redefined {
        /// The second definition.
        at: Place,
        /// The first definition. It may write the name in another case.
        first: Place,
        /// The name of the rule, as the second definition writes it.
        rule: String,
    },
    /// No rule has this name.
    Undefined {
        /// Where the name is used; `None` if a caller asked for it.
        at: Option<Place>,
        /// The name.
        rule: String,
    },
    /// A rule contains itself, so that it may have no finite automaton.
    Recursive {
        /// Where the rule is used within itself.
        at: Place,
        /// The name of the rule.
        rule: String,
    },
    /// A rule exceeds a limit of the compiler: in nesting, in length when written out, or in states.
    TooLarge {
        /// The name of the rule.
        rule: String,
        /// The limit it exceeds.
        limit: String,
    },
    /// The grammar does not have a property that the tables need.
    Unfit(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Syntax { at, problem } => write!(f, "{at}: {problem}"),
            Error::Redefined { at, first, rule } => {
                write!(f, "{at}: rule {rule} differs from its definition at {first}")
            }
            Error::Undefined { at: Some(at), rule } => write!(f, "{at}: no rule {rule}"),
            Error::Undefined { at: None, rule } => write!(f, "no rule {rule}"),
            Error::Recursive { at, rule } => write!(f, "{at}: rule {rule} contains itself"),
            Error::TooLarge { rule, limit } => write!(f, "rule {rule} is too large: {limit}"),
            Error::Unfit(property) => write!(f, "the grammar is unfit for the tables: {property}"),
        }
    }
}

impl std::error::Error for Error {}
