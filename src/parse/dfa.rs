//! Questions to the generated automata, which walk a text byte by byte.
//!
//! Not here: the automata (`tables`), and the places of a text at which they are asked (`parse`).
#![forbid(unsafe_code)]

use crate::tables;

/// How the grammar classifies a character outside ASCII.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NonAscii {
    /// A `ucschar`.
    Ucschar,
    /// An `iprivate`.
    Private,
    /// Neither, or not well-formed UTF-8.
    Other,
}

impl NonAscii {
    /// Classifies the character at the start of `bytes`.
    ///
    /// The walk always reads four bytes, the length of the longest character, without a branch on the length. The bytes
    /// after the character do not change the result, because no accepting state follows an accepting state.
    #[inline]
    pub fn of(bytes: &[u8]) -> Self {
        let byte = |at| bytes.get(at).copied().unwrap_or_default();
        let one = tables::NON_ASCII.next(tables::NON_ASCII.start, byte(0));
        let two = tables::NON_ASCII.next(one, byte(1));
        let three = tables::NON_ASCII.next(two, byte(2));
        let four = tables::NON_ASCII.next(three, byte(3));
        // The accepting states have the largest numbers, and from each of them every byte leads to state 0.
        match two.max(three).max(four) {
            tables::NON_ASCII_UCSCHAR => Self::Ucschar,
            tables::NON_ASCII_IPRIVATE => Self::Private,
            _ => Self::Other,
        }
    }
}

/// Tells whether `bytes` are an `IP-literal`, with its brackets.
// One function for all levels and lengths of a text.
#[inline(never)]
pub fn matches_ip_literal(bytes: &[u8]) -> bool {
    tables::IP_LITERAL.accepts(bytes)
}

/// Tells whether `bytes` are an `IP-literal` after brackets are put around them.
pub(crate) fn matches_ip_literal_content(bytes: &[u8]) -> bool {
    let dfa = &tables::IP_LITERAL;
    let state = dfa.walk(dfa.walk(dfa.start, b"["), bytes);
    dfa.walk(state, b"]") >= dfa.first_accept
}

/// Tells whether `bytes` are an `IPv4address`.
pub(crate) fn matches_ipv4_address(bytes: &[u8]) -> bool {
    tables::IPV4_ADDRESS.accepts(bytes)
}

/// Returns the length of the longest start of `bytes` that is the start of some `IRI-reference`.
pub(crate) const fn alive_iri_reference(bytes: &[u8]) -> usize {
    let dfa = &tables::IRI_REFERENCE;
    let (mut state, mut rest) = (dfa.start, bytes);
    while let [byte, tail @ ..] = rest {
        state = dfa.next(state, *byte);
        if state == 0 {
            break;
        }
        rest = tail;
    }
    bytes.len() - rest.len()
}

/// Tells whether `bytes` are an `IRI-reference`. It is a `const fn`, for constants in source code.
pub(crate) const fn matches_iri_reference(bytes: &[u8]) -> bool {
    tables::IRI_REFERENCE.accepts(bytes)
}
