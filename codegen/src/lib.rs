//! Compiles the ABNF of RFC 3987 and RFC 3986 into the tables of `simd-iri`, when that is built.
//!
//! ```text
//! grammar/*.abnf ─▶ abnf: rules ─▶ automaton: minimal DFA over bytes ─▶ classes: byte sets
//!                                            └──────────────────────────────▶ emit: tables.rs, *.bin
//! ```
//!
//! The only place that knows which characters are allowed where, and it knows it from the RFCs' own
//! text. [`generate`] is the whole of it; [`automaton()`] is for tests and for people who want to see.
//!
//! Beside that, [`links`](links()) makes a table of Unicode's data for finding links, which the library keeps.
#![forbid(unsafe_code)]

mod abnf;
mod automaton;
mod classes;
mod emit;
mod error;
mod links;

pub use crate::{
    abnf::{Grammar, MAX_NESTING},
    automaton::Automaton,
    classes::ranges,
    emit::{Endian, File, automata_summary},
    error::{Error, Place},
    links::{LinkData, links},
};

use crate::emit::{Dfa, Tables};

/// What the library is built from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generated {
    /// `tables.rs`, and the binary tables that it takes in.
    pub files: Vec<File>,
    /// The figures of the tables, for people.
    pub summary: String,
}

/// From grammar to tables.
///
/// # Errors
/// The grammar files are part of this crate, so any [`Error`] is a defect in it.
pub fn generate(endian: Endian) -> Result<Generated, Error> {
    let grammar = grammar()?;
    let of_rule = |rule| grammar.automaton(rule);
    let (non_ascii, ucschar, iprivate) = classes::non_ascii(&grammar)?;

    let tables = Tables {
        sets: classes::ascii_sets(&grammar)?,
        leads: classes::leads(&grammar)?,
        utf8: classes::utf8()?,
        dfas: vec![
            Dfa {
                name: "NON_ASCII",
                what: "one character of `ucschar` or `iprivate`",
                automaton: non_ascii,
                accepts: vec![
                    ("NON_ASCII_UCSCHAR", "accepts a character of `ucschar`", ucschar),
                    ("NON_ASCII_IPRIVATE", "accepts a character of `iprivate`", iprivate),
                ],
            },
            Dfa::of("IPV4_ADDRESS", "`IPv4address`", of_rule("IPv4address")?),
            Dfa::of("IP_LITERAL", "`IP-literal`", of_rule("IP-literal")?),
            Dfa::of("IRI_REFERENCE", "`IRI-reference`", of_rule("IRI-reference")?),
        ],
    };
    Ok(Generated { files: emit::files(&tables, endian)?, summary: emit::summary(&tables) })
}

/// The grammar of the RFCs.
///
/// # Errors
/// As for [`generate`].
pub fn grammar() -> Result<Grammar, Error> {
    Grammar::parse(&[
        ("rfc3987.abnf", include_str!("../grammar/rfc3987.abnf")),
        ("rfc3986.abnf", include_str!("../grammar/rfc3986.abnf")),
        ("rfc5234-core.abnf", include_str!("../grammar/rfc5234-core.abnf")),
    ])
}

/// The minimal automaton of a rule of the RFCs' grammar.
///
/// # Errors
/// [`Error::Undefined`] if there is no such rule.
pub fn automaton(rule: &str) -> Result<Automaton, Error> {
    grammar()?.automaton(rule)
}
