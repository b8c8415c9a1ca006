//! The properties that the Unicode Bidirectional Algorithm reads: the class of a character, and the brackets that are
//! pairs (UAX #9, rules BD14 to BD16).
//!
//! They come from the crate `icu_properties`, from which the crate `idna` takes the classes for the rule of labels
//! (RFC 5893). So the lint, the order of display and the mapping of hosts know the same characters. Not here: the
//! algorithm, which is in the crate `unicode-bidi`.

use icu_properties::CodePointMapData;
use icu_properties::props::{BidiMirroringGlyph, BidiPairedBracketType};
use unicode_bidi::BidiClass;
use unicode_bidi::data_source::{BidiDataSource, BidiMatchedOpeningBracket};

/// The tables of `icu_properties`, for `unicode-bidi`.
pub(super) struct BidiTable;

/// Returns the class of a character.
pub(crate) fn class(c: char) -> BidiClass {
    CodePointMapData::<icu_properties::props::BidiClass>::new().get(c).into()
}

impl BidiDataSource for BidiTable {
    fn bidi_class(&self, c: char) -> BidiClass {
        class(c)
    }

    /// Returns the opening bracket of the pair of a bracket. Without this function, `unicode-bidi` would use its own
    /// brackets, of its own version of Unicode.
    fn bidi_matched_opening_bracket(&self, c: char) -> Option<BidiMatchedOpeningBracket> {
        let bracket = CodePointMapData::<BidiMirroringGlyph>::new().get(c);
        let (opening, is_open) = match bracket.paired_bracket_type {
            BidiPairedBracketType::Open => (c, true),
            BidiPairedBracketType::Close => (bracket.mirroring_glyph?, false),
            _ => return None,
        };
        // U+2329 and U+232A are the only brackets that are canonically equivalent to other brackets (BD16).
        let opening = if opening == '\u{2329}' { '\u{3008}' } else { opening };
        Some(BidiMatchedOpeningBracket { opening, is_open })
    }
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;
    use unicode_normalization::char::is_public_assigned;

    use super::*;

    /// A second witness: the own table of `unicode-bidi`, of an older version of Unicode. A character that is not
    /// assigned in that version has the class of its block there: L, R, AL or ET. Since then, Unicode has changed the
    /// classes of few other characters.
    #[test]
    fn the_table_of_the_other_crate_has_the_same_properties() {
        use unicode_bidi::HardcodedBidiData;

        let (mut same, mut newer, mut changed) = (0, 0, Vec::new());
        for c in ('\0'..=char::MAX).filter(|c| is_public_assigned(*c)) {
            match (class(c), HardcodedBidiData.bidi_class(c)) {
                (ours, theirs) if ours == theirs => same += 1,
                (_, BidiClass::L | BidiClass::R | BidiClass::AL | BidiClass::ET) => newer += 1,
                (ours, theirs) => changed.push((c, theirs, ours)),
            }
            let ours = BidiTable.bidi_matched_opening_bracket(c);
            let theirs = HardcodedBidiData.bidi_matched_opening_bracket(c);
            let pair = |found: BidiMatchedOpeningBracket| (found.opening, found.is_open);
            let (ours, theirs) = (ours.map(pair), theirs.map(pair));
            assert!(ours == theirs || theirs.is_none(), "{c:?}: {ours:?} and {theirs:?}");
            if let Some((opening, _)) = ours {
                assert!([opening].into_iter().nfd().eq([opening]), "{c:?}: {opening:?}");
            }
        }
        println!(
            "{same} code points are of the same class, {newer} may be new, {changed:?} changed"
        );
        assert!(newer * 100 < same && changed.len() < 10);
    }
}
