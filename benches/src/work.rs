//! What is compared: the start rules, the kinds of work, and the kinds of libraries.

use simd_iri::Rule;

/// The two start rules that every strict peer offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    Iri,
    IriReference,
}

impl Start {
    pub fn rule(self) -> Rule {
        match self {
            Start::Iri => Rule::Iri,
            Start::IriReference => Rule::IriReference,
        }
    }
}

/// The kinds of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// The typed value of the library, for each item.
    Parse,
    /// A yes or a no, for each item.
    Validate,
    /// The number of valid lines in a buffer of bytes.
    Count,
    /// The offsets of the components of each line of a buffer of bytes, in columns of the caller.
    Columns,
}

impl Work {
    pub const ALL: [Self; 4] = [Self::Parse, Self::Validate, Self::Count, Self::Columns];

    pub fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Validate => "validate",
            Self::Count => "count",
            Self::Columns => "columns",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Ours,
    /// The library promises the grammar of RFC 3987: its answers must equal ours.
    Strict,
    /// The library reads and repairs by the WHATWG URL Standard: only absolute references, with other answers and
    /// another result (an owned, normalized URL).
    Whatwg,
    /// No parser: counts the line feeds of a buffer, which is the least that any work can do.
    Newlines,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Strict => "strict",
            Self::Whatwg => "WHATWG",
            Self::Newlines => "newlines",
        }
    }

    /// Whether the answers are those of the grammar.
    pub fn answers(self) -> bool {
        matches!(self, Self::Ours | Self::Strict)
    }
}
