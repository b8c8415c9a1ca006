//! The places where invisible characters belong: joiners, by the CONTEXTJ rules of IDNA2008 (RFC 5892,
//! appendix A.1 and A.2), and the joiners of emoji sequences (UTS #51).
//!
//! The crate `icu_properties` has the properties. Not here: what is reported about other places (`rules`).

use icu_properties::props::{
    CanonicalCombiningClass, Emoji, EmojiModifier, ExtendedPictographic, JoiningType,
};
use icu_properties::{CodePointMapData, CodePointSetData};

const NON_JOINER: char = '\u{200C}';
const JOINER: char = '\u{200D}';
/// The variation selectors that ask for the presentation as text and as an emoji.
const TEXT_STYLE: char = '\u{FE0E}';
const EMOJI_STYLE: char = '\u{FE0F}';

/// Tells whether the invisible character `c` between `before` and `after` is needed: a joiner that CONTEXTJ allows,
/// or a joiner or variation selector of an emoji sequence.
///
/// On each side, it reads the characters that are transparent to joining or belong to one emoji. They lie between
/// this joiner and the next joiner, so all calls for a text together take linear time.
pub(crate) fn is_needed(before: &str, c: char, after: &str) -> bool {
    match c {
        NON_JOINER => is_joiner_allowed(before, c, after),
        JOINER => is_joiner_allowed(before, c, after) || joins_emoji(before, after),
        TEXT_STYLE | EMOJI_STYLE => {
            // Digits, '#' and '*' are emoji only as keycaps.
            let is_emoji = |c: char| CodePointSetData::new::<Emoji>().contains(c);
            let is_keycap = after.starts_with('\u{20E3}');
            before.chars().next_back().is_some_and(|c| is_emoji(c) && (!c.is_ascii() || is_keycap))
        }
        _ => false,
    }
}

/// Tells whether CONTEXTJ allows a joiner: by the rule of RFC 5892, appendix A.1 for ZERO WIDTH NON-JOINER, and by the
/// rule of appendix A.2 for ZERO WIDTH JOINER.
fn is_joiner_allowed(before: &str, c: char, after: &str) -> bool {
    let class = CodePointMapData::<CanonicalCombiningClass>::new();
    if before.chars().next_back().is_some_and(|c| class.get(c) == CanonicalCombiningClass::Virama) {
        return true;
    }
    let types = CodePointMapData::<JoiningType>::new();
    let is_joining = |joining: &JoiningType| *joining != JoiningType::Transparent;
    let left = before.chars().rev().map(|c| types.get(c)).find(is_joining);
    let right = after.chars().map(|c| types.get(c)).find(is_joining);
    c == NON_JOINER
        && matches!(left, Some(JoiningType::LeftJoining | JoiningType::DualJoining))
        && matches!(right, Some(JoiningType::RightJoining | JoiningType::DualJoining))
}

/// Tells whether a joiner stands between two elements of an emoji sequence (UTS #51, ED-16). An element is a
/// pictograph, perhaps with a skin tone modifier or a variation selector after it.
fn joins_emoji(before: &str, after: &str) -> bool {
    let is_picture = |c: char| CodePointSetData::new::<ExtendedPictographic>().contains(c);
    let is_extension =
        |c: char| c == EMOJI_STYLE || CodePointSetData::new::<EmojiModifier>().contains(c);
    let mut element = before.chars().rev().skip_while(|c| is_extension(*c));
    element.next().is_some_and(is_picture) && after.chars().next().is_some_and(is_picture)
}
