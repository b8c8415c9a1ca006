//! Compiles the ABNF of RFC 3987 and RFC 3986 into the tables of `simd-iri`. Its build script calls [`generate`].
//!
//! ```text
//! grammar/*.abnf ─▶ abnf: rules ─▶ automaton: minimal DFA over bytes ─▶ classes: byte sets
//!                                            └──────────────────────────────▶ emit: tables.rs, *.bin
//! ```
//!
//! Only this crate knows which characters are allowed in which component, and it reads this from the text of the RFCs.
//! [`automaton()`] is for tests, and for people who want to read an automaton.
//!
//! [`links`](links()) writes the table of Unicode data that the library uses to find links. This table is part of the
//! library's source, and is not made at build time.
#![forbid(unsafe_code)]

mod abnf;
mod automaton;
mod classes;
mod emit;
mod error;
mod expression;
#[cfg(feature = "links")]
mod links;
mod nfa;

#[cfg(feature = "links")]
pub use crate::links::{LinkData, links};
pub use crate::{
    abnf::{Grammar, MAX_NESTING},
    automaton::Automaton,
    classes::ranges,
    emit::{Endian, File, automata_summary},
    error::{Error, Place},
};

use crate::emit::{Dfa, Tables};

/// The generated tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generated {
    /// `tables.rs`, and the binary tables that it includes.
    pub files: Vec<File>,
    /// The sizes and members of the tables, for people and for a test.
    pub summary: String,
}

/// Compiles the grammar of the RFCs into the tables for a target with this byte order.
///
/// # Errors
/// The grammar files are part of this crate, so any [`Error`] is a defect of this crate.
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

/// Parses the grammar of the RFCs.
///
/// # Errors
/// The grammar files are part of this crate, so any [`Error`] is a defect of this crate.
pub fn grammar() -> Result<Grammar, Error> {
    Grammar::parse(&[
        ("rfc3987.abnf", include_str!("../grammar/rfc3987.abnf")),
        ("rfc3986.abnf", include_str!("../grammar/rfc3986.abnf")),
        ("rfc5234-core.abnf", include_str!("../grammar/rfc5234-core.abnf")),
    ])
}

/// Returns the minimal automaton of a rule in the grammar of the RFCs.
///
/// # Errors
/// [`Error::Undefined`] if there is no such rule.
pub fn automaton(rule: &str) -> Result<Automaton, Error> {
    grammar()?.automaton(rule)
}
