//! The scripts and writing systems of a character, as one number, and whether a text mixes scripts (UTS #39).
//!
//! Not here: what is reported about them (`scripts`).

/*
# The algorithm

The tables of `unicode-script` are searched for each character, so the answers are remembered (`of`). The bits of an
answer:

    0 to 7      the script: 0 for every script or for none, otherwise its number; `SEVERAL` or `SEVERAL_LATIN` for
                several scripts
    8 to 10     the writing systems: Chinese, Japanese, Korean
    11          the character is of no script: it is not assigned, or for private use

A text is mixed if its characters have neither a script nor a writing system in common (`is_mixed`):

    for each character that has scripts:
      two different scripts, each the only script of its character    no script in common
      several scripts                                                 intersect the sets of `unicode-script`
      not a Latin letter                                              intersect the writing systems

For example, `p` and `а` (Cyrillic) have two scripts, and `а` has no writing system: the text is mixed.

# Invariants

- A set of scripts only shrinks. As soon as nothing is in common, the rest of the text is not read.
- A character of several scripts costs a look at the tables only while the set has a script.
*/

use unicode_script::{Script, ScriptExtension};
use unicode_security::mixed_script::AugmentedScriptSet;

use simd_iri::low::Remembered;

/// The scripts and writing systems of a character.
#[derive(Clone, Copy)]
pub(crate) struct Scripts(u32);

const SEVERAL_LATIN: u32 = 0xFE;
const SEVERAL: u32 = 0xFF;
const LATIN: u32 = Script::Latin as u32 + 1;
/// The lowest bit of the writing systems.
pub(crate) const SYSTEMS: u32 = 8;

/// The bit of a character of no script.
const UNKNOWN: u32 = 1 << (SYSTEMS + 3);

/// The number of bits of [`Scripts::bits`].
pub(crate) const SCRIPT_BITS: u32 = SYSTEMS + 4;

impl Scripts {
    /// Returns the scripts of a character. Asks the tables only if the character is not remembered.
    #[inline]
    pub(crate) fn of(c: char) -> Self {
        static FOUND: Remembered = Remembered::new(looked_up);
        Self(FOUND.get(c))
    }

    /// Returns the number of the script and, above it, the writing systems and the bit of a character of no script.
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// Returns the script; 0 for every script or none.
    const fn script(self) -> u32 {
        self.0 & 0xFF
    }

    /// Tells whether the character is a Latin letter, perhaps of other scripts too.
    pub(crate) const fn has_latin(self) -> bool {
        matches!(self.script(), LATIN | SEVERAL_LATIN)
    }

    /// Returns the script or the mark of several scripts; `None` for every script or none.
    const fn only(self) -> Option<u32> {
        match self.script() {
            0 => None,
            script => Some(script),
        }
    }

    const fn systems(self) -> u32 {
        self.0 >> SYSTEMS & 0b111
    }

    /// Tells whether the character is of no script: it is not assigned, or for private use.
    pub(crate) const fn is_unknown(self) -> bool {
        self.0 & UNKNOWN != 0
    }
}

/// Returns the scripts of a character from the tables.
fn looked_up(c: char) -> u32 {
    let scripts = AugmentedScriptSet::for_char(c);
    // A character of every script or of no script does not mix scripts.
    if scripts.is_empty() {
        return UNKNOWN;
    }
    if scripts.is_all() {
        return 0;
    }
    let mut all = scripts.base.iter();
    let script = match (all.next(), all.next()) {
        // The number of the first script is 0.
        (Some(only), None) => only as u32 + 1,
        _ if scripts.base.contains_script(Script::Latin) => SEVERAL_LATIN,
        _ => SEVERAL,
    };
    let of = |is_of: bool, bit: u32| u32::from(is_of) << (SYSTEMS + bit);
    script | of(scripts.hanb, 0) | of(scripts.jpan, 1) | of(scripts.kore, 2)
}

/// Tells whether a text is not *highly restrictive* (UTS #39, section 5.2): it has characters of more than
/// one script, except for Latin with the scripts of Chinese, Japanese or Korean.
///
/// A character may belong to several scripts and writing systems. The text is not mixed if all characters have a script
/// in common, or if all characters except Latin letters have Chinese, Japanese or Korean in common (`systems`):
///
/// ```text
/// a Latin, é Latin                 in common: Latin      not mixed
/// a Latin, 日 Han, か Hiragana     in common: nothing    systems: Japanese    not mixed
/// p Latin, а Cyrillic              in common: nothing    systems: nothing     mixed
/// ```
pub(crate) fn is_mixed(characters: impl Iterator<Item = char>) -> bool {
    // The first character with one script, and its script; and the scripts that all other characters have in common.
    let mut one: Option<(char, u32)> = None;
    let mut several: Option<ScriptExtension> = None;
    let (mut has_none, mut systems) = (false, 0b111);
    for c in characters {
        let scripts = Scripts::of(c);
        let Some(script) = scripts.only() else { continue };
        if !scripts.has_latin() {
            systems &= scripts.systems();
        }
        if !has_none {
            if script < SEVERAL_LATIN {
                has_none = one.get_or_insert((c, script)).1 != script;
            } else {
                let base = AugmentedScriptSet::for_char(c).base;
                let common = several.map_or(base, |several| several.intersection(base));
                has_none = common.is_empty();
                several = Some(common);
            }
        }
        if has_none && systems == 0 {
            return true;
        }
    }
    if let (Some((c, _)), Some(several), false) = (one, several, has_none) {
        let base = AugmentedScriptSet::for_char(c).base;
        has_none = base.intersection(several).is_empty();
    }
    has_none && systems == 0
}

/// Tells whether the neighbour of a character outside ASCII is of another script. An ASCII letter or digit counts as a
/// character of another script, unless the character outside ASCII is of the Latin script.
pub(crate) fn is_other_script(neighbour: char, c: char) -> bool {
    let [of, beside] = [c, neighbour].map(Scripts::of);
    if neighbour.is_ascii_alphanumeric() && !of.has_latin() {
        return true;
    }
    if let (Some(1..SEVERAL_LATIN), Some(1..SEVERAL_LATIN)) = (of.only(), beside.only()) {
        return of.script() != beside.script() && of.systems() & beside.systems() == 0;
    }
    let mut scripts = AugmentedScriptSet::for_char(c);
    scripts.intersect_with(AugmentedScriptSet::for_char(neighbour));
    scripts.is_empty()
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    /// The definitions, by the sets of `unicode-security`.
    fn is_mixed_by_definition(characters: impl Iterator<Item = char>) -> bool {
        let (mut all, mut beside_latin) =
            (AugmentedScriptSet::default(), AugmentedScriptSet::default());
        for scripts in characters.map(AugmentedScriptSet::for_char) {
            // Unassigned and private-use characters have codes of their own.
            if scripts.is_empty() {
                continue;
            }
            all.intersect_with(scripts);
            if !scripts.base.contains_script(Script::Latin) {
                beside_latin.intersect_with(scripts);
            }
        }
        all.is_empty() && !(beside_latin.hanb || beside_latin.jpan || beside_latin.kore)
    }

    fn is_other_by_definition(neighbour: char, c: char) -> bool {
        let mut scripts = AugmentedScriptSet::for_char(c);
        // A character of every script contains Latin too, but it is not a Latin letter.
        let is_of_any = scripts.is_all();
        let is_latin = !is_of_any && scripts.base.contains_script(Script::Latin);
        scripts.intersect_with(AugmentedScriptSet::for_char(neighbour));
        scripts.is_empty() || neighbour.is_ascii_alphanumeric() && !is_latin
    }

    #[test]
    fn a_character_is_unknown_if_its_script_is() {
        use unicode_script::UnicodeScript;
        for c in '\0'..=char::MAX {
            assert_eq!(Scripts::of(c).is_unknown(), c.script() == Script::Unknown, "{c:?}");
        }
    }

    #[test]
    fn texts_of_one_character_for_each_set_of_scripts() {
        // A character for each set of scripts, and ASCII.
        let mut all: Vec<char> = vec!['a', '1', '-', '%'];
        let mut seen: Vec<AugmentedScriptSet> = Vec::new();
        for c in ('\u{80}'..=char::MAX).filter(|c| u32::from(*c) < 0x2_0000) {
            let scripts = AugmentedScriptSet::for_char(c);
            if !seen.contains(&scripts) {
                seen.push(scripts);
                all.push(c);
            }
        }
        let mut mixed = 0;
        for first in &all {
            for second in &all {
                let other = is_other_by_definition(*first, *second);
                assert_eq!(is_other_script(*first, *second), other, "{first:?} {second:?}");
                for third in
                    ['a', '日', 'か', '\u{3164}', '한', 'ㄅ', 'а', '\u{1CD0}', '\u{964}', '\u{363}']
                {
                    let text = [*first, *second, third];
                    let expected = is_mixed_by_definition(text.into_iter());
                    assert_eq!(is_mixed(text.into_iter()), expected, "{text:?}");
                    mixed += usize::from(expected);
                }
            }
        }
        assert!(mixed > 10_000 && all.len() > 200, "{mixed} {}", all.len());
    }
}
