//! Facts about characters, and about a text by those of its characters. They tell that a check can find
//! nothing, without the check.
//!
//! Each fact of a character comes from the function or the table that the check asks, and is remembered. A
//! text has a fact if one of its characters has it, as it is written or as a triplet. So a check whose fact is
//! missing has no finding, and only the other checks read the text. Not here: the checks themselves.

use super::rules::lookalikes;
#[cfg(feature = "spoof")]
use super::rules::mojibake;
use super::rules::unit::{Unit, unit};
#[cfg(all(feature = "bidi", feature = "repertoire", feature = "spoof"))]
use crate::parse::dfa::{NonAscii, non_ascii};
use crate::scan::slice;
use crate::transform::{BITS, Remembered, is_bidi_control};
#[cfg(feature = "repertoire")]
use crate::transform::{is_reordered, may_compose, oddity};

/// Facts about a character, or about the characters of a text together: a bit for each.
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
/// A character that may compose with the one before it, or that normalization form C replaces. In a text, also
/// two characters together whose order it may change.
pub(super) const COMPOSES: Facts = Facts(1 << 7);
/// A character that is written in windows-1252 as an octet that continues a character in UTF-8.
pub(super) const CONTINUES: Facts = Facts(1 << 8);
/// A character that need not be encoded, as far as it alone decides.
pub(super) const PLAIN: Facts = Facts(1 << 9);

/// A character whose order normalization may change.
const REORDERED: Facts = Facts(1 << 10);

/// The bits above the facts: a number for each script; 0 for a character of every script; [`SEVERAL`] for one
/// of several scripts.
const SCRIPT: u32 = 11;
const SEVERAL: u32 = 0xFF;
/// The bits above the script: the writing systems to which it belongs, of those with several scripts. They are
/// the Chinese, the Japanese and the Korean one (UTS #39, section 5.1).
const SYSTEMS: u32 = SCRIPT + 8;

const _: () = assert!(SYSTEMS + 3 <= BITS && SCRIPT == REORDERED.0.trailing_zeros() + 1);

impl Facts {
    /// What may be true of any text.
    pub(super) const ALL: Self = Self(u32::MAX);
    pub(super) const NONE: Self = Self(0);

    /// Returns the facts about a character. It is looked up in all tables only if it was not asked for lately.
    #[inline]
    pub(super) fn of(c: char) -> Self {
        static FOUND: Remembered = Remembered::new(|c| looked_up(c).0);
        Self(FOUND.get(c))
    }

    /// Returns the facts about the characters of a text outside ASCII, as they are written. One pass.
    pub(super) fn of_written(text: &str) -> Self {
        let (mut all, mut before) = (Self::NONE, Self::NONE);
        for c in text.chars() {
            let facts = if c.is_ascii() { Self::NONE } else { Self::of(c) };
            all = all.and(facts).and(Self::of_neighbours(before, facts));
            before = facts;
        }
        all
    }

    /// Returns the fact about two characters together.
    #[inline]
    const fn of_neighbours(before: Self, after: Self) -> Self {
        if before.has(REORDERED) && after.has(REORDERED) { COMPOSES } else { Self::NONE }
    }

    /// Tells whether one of these facts is given.
    #[inline]
    pub(super) const fn has(self, facts: Self) -> bool {
        self.0 & facts.0 != 0
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn script(self) -> u32 {
        self.0 >> SCRIPT & 0xFF
    }

    const fn systems(self) -> u32 {
        self.0 >> SYSTEMS & 0b111
    }
}

/// Returns the facts about a character from the tables.
fn looked_up(c: char) -> Facts {
    let mut facts = direction(c);
    let mut add = |fact: Facts, is_true: bool| {
        facts = if is_true { facts.and(fact) } else { facts };
    };
    let is_listed = lookalikes::is_listed(c);
    add(CONTROL, is_bidi_control(c));
    add(LISTED, is_listed);
    #[cfg(feature = "repertoire")]
    {
        add(ODD, oddity(c).is_some());
        add(COMPOSES, may_compose(c));
        add(REORDERED, is_reordered(c));
    }
    #[cfg(feature = "spoof")]
    {
        add(CONTINUES, mojibake::octet(c).is_some_and(|octet| octet & 0xC0 == 0x80));
        add(script(c), true);
    }
    #[cfg(all(feature = "bidi", feature = "repertoire", feature = "spoof"))]
    {
        let octets = &mut [0; 4];
        let is_ucschar = matches!(non_ascii(c.encode_utf8(octets).as_bytes()), NonAscii::Ucschar);
        let is_odd = is_bidi_control(c) || is_listed || oddity(c).is_some();
        add(PLAIN, !c.is_ascii() && is_ucschar && !is_odd);
    }
    facts
}

/// Returns the fact about the direction of a character.
#[cfg(feature = "bidi")]
fn direction(c: char) -> Facts {
    use unicode_bidi::{BidiClass, bidi_class};
    match bidi_class(c) {
        BidiClass::R | BidiClass::AL => RIGHT_TO_LEFT,
        BidiClass::L => LEFT_TO_RIGHT,
        BidiClass::NSM => MARK,
        BidiClass::EN | BidiClass::AN => NUMBER,
        _ => Facts::NONE,
    }
}

/// Without the tables, no direction is known, and none is asked for.
#[cfg(not(feature = "bidi"))]
fn direction(_: char) -> Facts {
    Facts::NONE
}

/// Returns the script and the writing systems of a character.
#[cfg(feature = "spoof")]
fn script(c: char) -> Facts {
    use unicode_security::mixed_script::AugmentedScriptSet;
    let scripts = AugmentedScriptSet::for_char(c);
    // A character of no script, which is unassigned or for private use, does not mix scripts.
    if scripts.is_all() || scripts.is_empty() {
        return Facts::NONE;
    }
    let mut all = scripts.base.iter();
    let script = match (all.next(), all.next()) {
        // The number of the first script is 0.
        (Some(only), None) => only as u32 + 1,
        _ => SEVERAL,
    };
    let of = |is_of: bool, bit: u32| u32::from(is_of) << (SYSTEMS + bit);
    let systems = of(scripts.hanb, 0) | of(scripts.jpan, 1) | of(scripts.kore, 2);
    Facts(script << SCRIPT | systems)
}

/// Facts about a component with all its triplets decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decoded {
    /// Those of its characters outside ASCII together.
    pub(super) facts: Facts,
    /// Those of the last character.
    last: Facts,
    /// The script of all its characters; 0 if they are of every script.
    script: u32,
    is_of_one_script: bool,
    /// The writing systems of all its characters.
    systems: u32,
}

impl Decoded {
    /// What may be true of any component.
    pub(super) const ANYTHING: Self = Self {
        facts: Facts::ALL,
        last: Facts::NONE,
        script: 0,
        is_of_one_script: false,
        systems: 0,
    };

    /// Returns the facts about a component. One pass.
    ///
    /// The digits of a triplet do not count, whether the triplet is decoded in the end or stays.
    pub(super) fn of(text: &str) -> Self {
        let mut of = Self {
            facts: Facts::NONE,
            last: Facts::NONE,
            script: 0,
            is_of_one_script: true,
            systems: 0b111,
        };
        let (bytes, mut at, mut has_letter) = (text.as_bytes(), 0, false);
        while let Some(byte) = bytes.get(at).copied() {
            match byte {
                b'%' => match unit(bytes, at) {
                    Some((Unit::Ascii(byte), _)) => {
                        has_letter |= byte.is_ascii_alphabetic();
                        at += 3;
                    }
                    Some((Unit::Character(c), count)) => {
                        of.add(c);
                        at += 3 * count;
                    }
                    Some((Unit::Overlong | Unit::Other, count)) => at += 3 * count,
                    None => at += 1,
                },
                0..=0x7F => {
                    of.last = Facts::NONE;
                    has_letter |= byte.is_ascii_alphabetic();
                    at += 1;
                }
                _ => {
                    let c = slice::text(text, at..).chars().next();
                    c.into_iter().for_each(|c| of.add(c));
                    at += c.map_or(1, char::len_utf8);
                }
            }
        }
        if has_letter {
            of.add_script(Facts::of('a'));
        }
        of
    }

    #[inline]
    fn add(&mut self, c: char) {
        let facts = Facts::of(c);
        self.facts = self.facts.and(facts).and(Facts::of_neighbours(self.last, facts));
        self.last = facts;
        self.add_script(facts);
    }

    #[inline]
    fn add_script(&mut self, facts: Facts) {
        let script = facts.script();
        if script == 0 {
            return;
        }
        self.systems &= facts.systems();
        self.is_of_one_script &= script != SEVERAL && (self.script == 0 || self.script == script);
        self.script = script;
    }

    /// Tells whether the characters are certainly of one script, or of one writing system.
    #[cfg(feature = "spoof")]
    pub(super) const fn is_certainly_of_one_script(&self) -> bool {
        self.is_of_one_script || self.systems != 0
    }
}
