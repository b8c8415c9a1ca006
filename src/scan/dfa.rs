//! The walk over the generated automata.

use crate::tables;

/// What a character outside ASCII is to the grammar.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NonAscii {
    /// A `ucschar`.
    Ucschar,
    /// An `iprivate`.
    Private,
    /// Neither, or not well-formed UTF-8.
    Other,
}

/// Tells what the character at the start of `bytes` is, and in how many bytes.
#[inline]
pub(crate) fn non_ascii(bytes: &[u8]) -> NonAscii {
    let mut state = tables::NON_ASCII.start;
    for byte in bytes {
        state = tables::NON_ASCII.next(state, *byte);
        match state {
            tables::NON_ASCII_UCSCHAR => return NonAscii::Ucschar,
            tables::NON_ASCII_IPRIVATE => return NonAscii::Private,
            0 => break,
            _ => {}
        }
    }
    NonAscii::Other
}

/// Tells whether `bytes` are an `IP-literal`, brackets and all.
pub(crate) fn matches_ip_literal(bytes: &[u8]) -> bool {
    tables::IP_LITERAL.accepts(bytes)
}

/// Tells whether `bytes` in brackets are an `IP-literal`.
pub(crate) fn matches_ip_literal_content(bytes: &[u8]) -> bool {
    let dfa = &tables::IP_LITERAL;
    let state = dfa.walk(dfa.walk(dfa.start, b"["), bytes);
    dfa.walk(state, b"]") >= dfa.first_accept
}

/// Tells whether `bytes` are an `IPv4address`.
pub(crate) fn matches_ipv4_address(bytes: &[u8]) -> bool {
    tables::IPV4_ADDRESS.accepts(bytes)
}

/// Tells whether `bytes` are an `IRI-reference`, when a constant is evaluated.
pub(crate) const fn matches_iri_reference(bytes: &[u8]) -> bool {
    tables::IRI_REFERENCE.accepts(bytes)
}
