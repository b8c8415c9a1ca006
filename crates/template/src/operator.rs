//! The operators of expressions (RFC 6570, appendix A, as a table).
#![forbid(unsafe_code)]

/// The operator of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    /// `{a}`
    Simple,
    /// `{+a}`
    Reserved,
    /// `{#a}`
    Fragment,
    /// `{.a}`
    Label,
    /// `{/a}`
    Path,
    /// `{;a}`
    Matrix,
    /// `{?a}`
    Query,
    /// `{&a}`
    Continuation,
}

impl Operator {
    /// Returns the operator that this byte is, if it is an operator.
    pub(super) const fn of(byte: u8) -> Option<Self> {
        Some(match byte {
            b'+' => Self::Reserved,
            b'#' => Self::Fragment,
            b'.' => Self::Label,
            b'/' => Self::Path,
            b';' => Self::Matrix,
            b'?' => Self::Query,
            b'&' => Self::Continuation,
            _ => return None,
        })
    }

    /// Returns the lowest level of RFC 6570 that has the operator.
    pub(super) const fn level(self) -> u8 {
        match self {
            Self::Simple => 1,
            Self::Reserved | Self::Fragment => 2,
            _ => 3,
        }
    }

    /// Returns the character before the first value.
    pub(super) const fn first(self) -> Option<u8> {
        Some(match self {
            Self::Simple | Self::Reserved => return None,
            Self::Fragment => b'#',
            Self::Label => b'.',
            Self::Path => b'/',
            Self::Matrix => b';',
            Self::Query => b'?',
            Self::Continuation => b'&',
        })
    }

    /// Returns the character between two values.
    pub(super) const fn separator(self) -> u8 {
        match self {
            Self::Simple | Self::Reserved | Self::Fragment => b',',
            Self::Label => b'.',
            Self::Path => b'/',
            Self::Matrix => b';',
            Self::Query | Self::Continuation => b'&',
        }
    }

    /// Tells whether a value has its name before it.
    pub(super) const fn is_named(self) -> bool {
        matches!(self, Self::Matrix | Self::Query | Self::Continuation)
    }

    /// Tells whether the name of an empty value has an equals sign after it.
    pub(super) const fn has_empty_equals(self) -> bool {
        matches!(self, Self::Query | Self::Continuation)
    }

    /// Tells whether values keep reserved characters and triplets.
    pub(super) const fn keeps_reserved(self) -> bool {
        matches!(self, Self::Reserved | Self::Fragment)
    }
}
