//! Bidi formatting characters, which change the order in which text is displayed (RFC 3987, section 4.1; UAX #9).

/// Tells whether a character is a bidi formatting character: a character that RFC 3987, section 4.1 lists, or that
/// Unicode added later.
#[inline]
pub const fn is_bidi_control(c: char) -> bool {
    matches!(
        c,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    )
}
