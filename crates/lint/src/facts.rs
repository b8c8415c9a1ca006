//! Facts about characters and about texts. They show before a check runs that the check has no finding.
//!
//! Each fact of a character comes from the function or the table that the check uses, and is remembered. If a text does
//! not have the fact of a check, the check has no finding and does not run. Not here: the checks themselves.

/*
# The algorithm

A check of characters asks tables of Unicode about each character, and finds nothing in most texts. The facts of a
character are bits of one number, so the facts of a text cost one look at each character:

    Facts::of(c)         the facts of a character, from a memory of some thousand characters
    Facts::of_written    the facts of the characters outside ASCII of a reference, as they are written; for `lint`
    DecodedFacts::of          the facts of a component, as if all its triplets were decoded; for `escapes`

The bits of a number:

    0 to 11     a fact each
    12 to 19    the script: 0 for every script, otherwise its number; from `SEVERAL` on for several scripts
    20 to 22    the writing systems: Chinese, Japanese, Korean

A text has the facts of all its characters together. Two facts also depend on the character before (`CharacterRow::add`):

    CONTINUES   c has CONTINUES, and the character before has BEGINS
    COMPOSES    c has COMPOSES, and c is REORDERED or does not stay after the character before;
                or c and the character before are both REORDERED

For example, `Ã` is the octet 0xC3 in windows-1252 and has BEGINS; `©` is the octet 0xA9 and has CONTINUES. The text
`cafÃ©` has CONTINUES, and the check for mojibake runs. The text `©Ã` does not have CONTINUES, and the check does not
run.

# Invariants

- A fact may be set although its check has no finding. If a check has a finding, its fact is set.
- A character that is remembered has the same facts as the tables give (`looked_up`).
- An answer fits in the `BITS` bits of a remembered answer: the assertion below `SYSTEMS` says so.
*/

use super::composition::stays_after;
use super::rules::lookalikes;
use super::rules::unit::{Unit, unit};
use super::rules::{mojibake, script::Scripts};
use simd_iri::low::{
    NonAscii, Oddity, Remembered, UNRESERVED, is_bidi_control, is_reordered, may_compose, slice,
};

/// Facts about a character, or about the characters of a text together: a bit for each fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Facts(u32);

/// A bidi formatting character.
pub(super) const CONTROL: Facts = Facts(1 << 0);
/// A character of the list of look-alikes.
pub(super) const LISTED: Facts = Facts(1 << 1);
/// A character that runs from right to left.
pub(super) const RIGHT_TO_LEFT: Facts = Facts(1 << 2);
/// A character that runs from left to right.
pub(super) const LEFT_TO_RIGHT: Facts = Facts(1 << 3);
/// A mark without a direction of its own.
pub(super) const MARK: Facts = Facts(1 << 4);
/// A digit, by its direction.
pub(super) const NUMBER: Facts = Facts(1 << 5);
/// A character with a reason not to write it as itself.
pub(super) const ODD: Facts = Facts(1 << 6);
/// A character that may compose with the character before it, or that normalization form C replaces.
///
/// In a text: normalization form C may change the text. See [`CharacterRow::add`].
pub(super) const COMPOSES: Facts = Facts(1 << 7);
/// A character whose octet in windows-1252 continues a character in UTF-8.
///
/// In a text: a character whose octet continues a character stands after a character whose octet begins a character.
pub(super) const CONTINUES: Facts = Facts(1 << 8);
/// A character outside ASCII that can be written as itself, as far as the character alone decides.
pub(super) const PLAIN: Facts = Facts(1 << 9);

/// A character whose order normalization may change.
const REORDERED: Facts = Facts(1 << 10);
/// A character whose octet in windows-1252 begins a character in UTF-8.
const BEGINS: Facts = Facts(1 << 11);

/// The lowest bit of the script, above the facts. A script is a number from 1. A character of every script has 0, and a
/// character of several scripts has [`SEVERAL`] or the number after it.
const SCRIPT: u32 = 12;
const SEVERAL: u32 = 0xFE;
/// The lowest bit of the writing systems, above the script. A bit says that the character belongs to the Chinese, the
/// Japanese or the Korean writing system. Each of these systems has several scripts (UTS #39, section 5.1). The bit above them
/// says that the character is of no script, and no check of facts asks for it.
const SYSTEMS: u32 = SCRIPT + 8;

const _: () = assert!(SYSTEMS + 3 <= Remembered::BITS && SCRIPT == BEGINS.0.trailing_zeros() + 1);
const _: () = {
    use super::rules::script;
    assert!(
        SCRIPT + script::SYSTEMS == SYSTEMS && SCRIPT + script::SCRIPT_BITS <= Remembered::BITS
    );
};

impl Facts {
    /// The facts of any text: everything is possible.
    pub(super) const ALL: Self = Self(u32::MAX);
    pub(super) const NONE: Self = Self(0);

    /// Returns the facts about a character. Asks the tables only if the character is not remembered.
    #[inline]
    pub(super) fn of(c: char) -> Self {
        static FOUND: Remembered = Remembered::new(|c| looked_up(c).0);
        Self(FOUND.get(c))
    }

    /// Returns the facts about the characters of a text outside ASCII, as they are written. One pass.
    pub(super) fn of_written(text: &str) -> Self {
        let mut row = CharacterRow::default();
        // The character before the first character may be any ASCII character. Only marks with REORDERED compose with
        // ASCII, and `CharacterRow::add` counts these marks after every character.
        let mut before = '/';
        let first = text.bytes().take_while(u8::is_ascii).count();
        for c in slice::text(text, first..).chars() {
            if !c.is_ascii() {
                row.add(before, c, Self::of(c));
            } else {
                row.before = Self::NONE;
            }
            before = c;
        }
        row.facts
    }

    /// Tells whether at least one of these facts is set.
    #[inline]
    pub(super) const fn has(self, facts: Self) -> bool {
        self.0 & facts.0 != 0
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn without(self, facts: Self) -> Self {
        Self(self.0 & !facts.0)
    }

    const fn script(self) -> u32 {
        self.0 >> SCRIPT & 0xFF
    }

    /// Tells whether the script is Latin alone.
    const fn is_latin(self) -> bool {
        self.script() == unicode_script::Script::Latin as u32 + 1
    }

    const fn systems(self) -> u32 {
        self.0 >> SYSTEMS & 0b111
    }
}

/// Returns the facts about a character from the tables.
fn looked_up(c: char) -> Facts {
    let mut facts = direction(c);
    let mut add = |fact: Facts, is_true: bool| {
        facts = if is_true { facts.or(fact) } else { facts };
    };
    let is_listed = lookalikes::is_listed(c);
    add(CONTROL, is_bidi_control(c));
    add(LISTED, is_listed);
    {
        add(ODD, Oddity::of(c).is_some());
        add(COMPOSES, may_compose(c));
        add(REORDERED, is_reordered(c));
    }
    {
        let octet = mojibake::octet(c);
        add(CONTINUES, octet.is_some_and(|octet| octet & 0xC0 == 0x80));
        add(BEGINS, octet.is_some_and(|octet| octet & 0xC0 == 0xC0));
        add(script(c), true);
    }
    {
        let octets = &mut [0; 4];
        let is_ucschar =
            matches!(NonAscii::of(c.encode_utf8(octets).as_bytes()), NonAscii::Ucschar);
        let is_odd = is_bidi_control(c) || is_listed || Oddity::of(c).is_some();
        add(PLAIN, !c.is_ascii() && is_ucschar && !is_odd);
    }
    facts
}

/// Returns the fact about the direction of a character.
fn direction(c: char) -> Facts {
    use unicode_bidi::BidiClass;

    use super::bidi::table::class;
    match class(c) {
        BidiClass::R | BidiClass::AL => RIGHT_TO_LEFT,
        BidiClass::L => LEFT_TO_RIGHT,
        BidiClass::NSM => MARK,
        BidiClass::EN | BidiClass::AN => NUMBER,
        _ => Facts::NONE,
    }
}

/// Returns the script and the writing systems of a character.
fn script(c: char) -> Facts {
    Facts(Scripts::of(c).bits() << SCRIPT)
}

/// The facts about characters that follow one another.
struct CharacterRow {
    /// The facts of all characters together.
    facts: Facts,
    /// The facts of the last character.
    before: Facts,
}

impl Default for CharacterRow {
    fn default() -> Self {
        Self { facts: Facts::NONE, before: Facts::NONE }
    }
}

impl CharacterRow {
    /// Adds a character outside ASCII with its facts. `before` is the character before it in the text that a check
    /// reads. If that character is not known, `before` is any character.
    // CONTINUES and COMPOSES also depend on the character before, so they are left out first and added again if they
    // count. The other facts count for each character alone.
    #[inline]
    fn add(&mut self, before: char, c: char, facts: Facts) {
        let mut seen = facts.without(CONTINUES.or(COMPOSES));
        if facts.has(CONTINUES) && self.before.has(BEGINS) {
            seen = seen.or(CONTINUES);
        }
        let is_reordered = facts.has(REORDERED);
        if facts.has(COMPOSES) && (is_reordered || !stays_after(before, c))
            || is_reordered && self.before.has(REORDERED)
        {
            seen = seen.or(COMPOSES);
        }
        self.facts = self.facts.or(seen);
        self.before = facts;
    }
}

/// Facts about a component, as if all its triplets were decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct DecodedFacts {
    /// The facts of its characters outside ASCII together.
    pub(super) facts: Facts,
    /// Whether each triplet is part of a character that can be written as itself.
    pub(super) is_plain: bool,
    /// Whether a triplet stands for an ASCII character.
    pub(super) has_ascii: bool,
    /// The script of the last character that has a script; 0 if there is no character with a script.
    script: u32,
    /// Whether all characters that have a script have the same script, and only that script.
    is_of_one_script: bool,
    /// The writing systems that all characters have in common, Latin letters left out.
    systems: u32,
    /// Whether the component holds an ASCII letter that is not a digit of a triplet.
    has_letter: bool,
    /// The first character, and the last character that is not a mark without a direction.
    edges: Option<[char; 2]>,
}

impl DecodedFacts {
    /// The facts of any component: everything is possible.
    pub(super) const ANYTHING: Self = Self {
        facts: Facts::ALL,
        is_plain: false,
        has_ascii: true,
        script: 0,
        is_of_one_script: false,
        systems: 0,
        has_letter: true,
        edges: None,
    };

    /// Returns the facts about a component. One pass.
    ///
    /// The digits of a triplet do not count, even if the triplet is not decoded later.
    pub(super) fn of(text: &str) -> Self {
        let mut of = Self {
            facts: Facts::NONE,
            is_plain: true,
            has_ascii: false,
            script: 0,
            is_of_one_script: true,
            systems: 0b111,
            has_letter: false,
            edges: None,
        };
        //     at a byte                        counts as                            moves by
        //     `%`, triplets of a character     this character                       3 for each octet
        //     `%`, a triplet of ASCII          this ASCII character                 3
        //     `%`, other octets                nothing; the text is not plain       3 for each octet
        //     `%`, no triplet                  nothing; the text is not plain       1
        //     another ASCII character          this character                       1
        //     the start of a character         this character                       its length
        //
        // After a triplet of ASCII, `row.before` stays: the text may get a fact too many, and never a fact too few.
        let (bytes, mut at, mut row, mut before) =
            (text.as_bytes(), 0, CharacterRow::default(), '/');
        while let Some(byte) = bytes.get(at).copied() {
            match byte {
                b'%' => match unit(bytes, at) {
                    Some((Unit::Character(c), count)) => {
                        let facts = of.add(&mut row, before, c);
                        of.is_plain &= facts.has(PLAIN);
                        before = c;
                        at += 3 * count;
                    }
                    Some((Unit::Ascii(byte), _)) => {
                        of.is_plain &= UNRESERVED.contains(byte);
                        of.has_ascii = true;
                        before = char::from(byte);
                        of.add_ascii(byte);
                        at += 3;
                    }
                    Some((Unit::Overlong | Unit::Other, count)) => {
                        of.is_plain = false;
                        at += 3 * count;
                    }
                    None => {
                        of.is_plain = false;
                        at += 1;
                    }
                },
                0..=0x7F => {
                    row.before = Facts::NONE;
                    before = char::from(byte);
                    of.add_ascii(byte);
                    at += 1;
                }
                _ => {
                    let c = slice::text(text, at..).chars().next().unwrap_or_default();
                    of.add(&mut row, before, c);
                    before = c;
                    at += c.len_utf8();
                }
            }
        }
        if of.has_letter {
            // All ASCII letters have one script, so one look-up for all of them is enough.
            of.add_script(Facts::of('a'));
        }
        of.facts = row.facts;
        of
    }

    #[inline]
    fn add_ascii(&mut self, byte: u8) {
        self.has_letter |= byte.is_ascii_alphabetic();
        self.add_edge(char::from(byte));
    }

    /// Adds a character outside ASCII, and returns its facts.
    #[inline]
    fn add(&mut self, row: &mut CharacterRow, before: char, c: char) -> Facts {
        let facts = Facts::of(c);
        row.add(before, c, facts);
        // A mark is displayed on the character before it. So `ש` with a mark ends with `ש`.
        if !facts.has(MARK) || self.edges.is_none() {
            self.add_edge(c);
        }
        self.add_script(facts);
        facts
    }

    #[inline]
    fn add_edge(&mut self, c: char) {
        self.edges = Some([self.edges.map_or(c, |[first, _]| first), c]);
    }

    #[inline]
    fn add_script(&mut self, facts: Facts) {
        let script = facts.script();
        if script == 0 {
            return;
        }
        self.is_of_one_script &= script < SEVERAL && (self.script == 0 || self.script == script);
        self.script = script;
        if !facts.is_latin() {
            self.systems &= facts.systems();
        }
    }

    /// Tells whether the characters are certainly of one script, or of one writing system with or without Latin
    /// letters (UTS #39, section 5.2).
    ///
    /// For example, `日` belongs to all three writing systems, and `か` belongs to the Japanese writing system. The two
    /// have one system in common, so `a日か` is certainly not mixed.
    pub(super) const fn is_certainly_of_one_script(&self) -> bool {
        self.is_of_one_script || self.systems != 0
    }

    /// Tells whether the decoded component certainly keeps the rules of RFC 3987 for directions.
    ///
    /// A component with right-to-left characters keeps the rules if it begins and ends with a right-to-left character
    /// and does not hold a left-to-right character. A triplet that is not decoded has letters and digits, so every
    /// triplet must be of a character that can be written as itself (`is_plain`).
    pub(super) fn certainly_keeps_directions(&self) -> bool {
        let is_rtl = |c: &char| Facts::of(*c).has(RIGHT_TO_LEFT);
        !self.facts.has(RIGHT_TO_LEFT)
            || self.is_plain
                && !self.has_letter
                && !self.facts.has(LEFT_TO_RIGHT.or(CONTROL))
                && self.edges.is_some_and(|edges| edges.iter().all(is_rtl))
    }
}
