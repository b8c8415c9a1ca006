//! Automata → byte sets: as bits, as tables for byte shuffles, and as one table of classes, with a bit for each set
//! that the parser asks for in every text.
//!
//! Every set is computed from the automaton of a rule, except the sets of delimiters, because the grammar does not name
//! each delimiter. All delimiters together must be gen-delims. Not here: how a set is printed (`emit`).

use std::fmt;

use crate::{
    abnf::Grammar,
    automaton::Automaton,
    error::Error,
    expression::{characters, expression},
};

/// The source of a set.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// Some of gen-delims.
    Delimiters(&'static str),
    /// The characters in the texts of a rule.
    Alphabet(&'static str),
    /// The characters with which a text of a rule may begin.
    First(&'static str),
    /// The ASCII characters in the texts of a rule of RFC 3987. The twin of the rule in RFC 3986 must have the same
    /// ASCII characters.
    Component(&'static str, &'static str),
    /// The set of [`Component`](Self::Component) without the percent sign.
    Plain(&'static str, &'static str),
}

use Source::{Alphabet, Component, Delimiters, First, Plain};

/// The number of hot sets. The first sets of [`SETS`] are hot: each has a bit in the table of classes.
const HOT: usize = 6;

/// The bit for the bytes after which the next bytes have to be checked.
pub(crate) const CHECK: u8 = 1 << HOT;

/// The bit for every byte from 0x80 up.
pub(crate) const NON_ASCII: u8 = 1 << (HOT + 1);

const SETS: [(&str, Source); 22] = [
    ("SCHEME", Alphabet("scheme")),
    ("NAME", Plain("ireg-name", "reg-name")),
    ("QUERY", Component("iquery", "query")),
    ("END", Delimiters("/?#")),
    ("HEXDIG", Alphabet("HEXDIG")),
    ("PLAIN", Plain("ipath", "path")),
    ("SCHEME_FIRST", First("scheme")),
    ("DIGIT", Alphabet("DIGIT")),
    ("PERCENT", First("pct-encoded")),
    ("COLON", Delimiters(":")),
    ("SLASH", Delimiters("/")),
    ("QUESTION", Delimiters("?")),
    ("AT", Delimiters("@")),
    ("BRACKETS", Delimiters("[]")),
    ("REG_NAME", Component("ireg-name", "reg-name")),
    ("USERINFO", Component("iuserinfo", "userinfo")),
    ("PATH", Component("ipath", "path")),
    ("SEGMENT", Component("isegment", "segment")),
    ("SEGMENT_NC", Component("isegment-nz-nc", "segment-nz-nc")),
    ("FRAGMENT", Component("ifragment", "fragment")),
    ("UNRESERVED", Alphabet("unreserved")),
    ("RESERVED", Alphabet("reserved")),
];

/// A named set of ASCII bytes.
pub(crate) struct AsciiSet {
    pub(crate) name: &'static str,
    pub(crate) source: Source,
    /// Bit `b` is set if byte `b` is a member.
    pub(crate) bits: u128,
    /// The bit of the table of classes for the members of this set; 0 if the set does not have a bit.
    pub(crate) class: u8,
}

/// What is read off the automaton of a rule.
#[derive(Clone, Copy)]
struct Letters {
    rule: &'static str,
    /// The ASCII characters in the texts of the rule.
    alphabet: u128,
    /// The ASCII characters with which a text of the rule may begin.
    first: u128,
}

/// The rules from which sets are read. Several sets may be read from the same rule.
struct Known<'g> {
    grammar: &'g Grammar,
    letters: Vec<Letters>,
}

impl Known<'_> {
    fn of(&mut self, rule: &'static str) -> Result<Letters, Error> {
        if let Some(known) = self.letters.iter().find(|known| known.rule == rule) {
            return Ok(*known);
        }
        let automaton = self.grammar.automaton(rule)?;
        let (alphabet, first) = (ascii(automaton.alphabet()), ascii(automaton.first()));
        let letters = Letters { rule, alphabet, first };
        self.letters.push(letters);
        Ok(letters)
    }

    /// Returns the alphabet of a rule. Its twin must have the same alphabet.
    fn component(&mut self, rule: &'static str, twin: &'static str) -> Result<u128, Error> {
        let bits = self.of(rule)?.alphabet;
        require(bits == self.of(twin)?.alphabet, format!("{rule} and {twin} differ within ASCII"))?;
        Ok(bits)
    }
}

/// Returns the ASCII sets that the library uses.
pub(crate) fn ascii_sets(grammar: &Grammar) -> Result<Vec<AsciiSet>, Error> {
    let mut known = Known { grammar, letters: Vec::new() };
    let mut delimiters = 0;
    let mut sets = Vec::new();
    for (name, source) in SETS {
        let bits = match source {
            Delimiters(text) => {
                let bits = text.bytes().fold(0, |bits, byte| bits | 1 << byte);
                delimiters |= bits;
                bits
            }
            Alphabet(rule) => known.of(rule)?.alphabet,
            First(rule) => known.of(rule)?.first,
            Component(rule, twin) => known.component(rule, twin)?,
            Plain(rule, twin) => known.component(rule, twin)? & !known.of("pct-encoded")?.first,
        };
        sets.push(AsciiSet { name, source, bits, class: 0 });
    }
    let gen_delims = known.of("gen-delims")?.alphabet;
    require(delimiters == gen_delims, "a delimiter is not of gen-delims, or lacking")?;
    let hot: Vec<u128> = sets.iter().take(HOT).map(|set| set.bits).collect();
    for set in &mut sets {
        set.class = hot.iter().position(|bits| *bits == set.bits).map_or(0, |hot| 1 << hot);
    }
    Ok(sets)
}

/// Returns the class of each byte: a bit for each hot set; a bit for the percent sign and `leads`, after which the next
/// bytes have to be checked; and a bit for bytes from 0x80 up.
pub(crate) fn class_table(sets: &[AsciiSet], leads: u128) -> [u8; 256] {
    let percent = sets.iter().find(|set| set.name == "PERCENT").map_or(0, |set| set.bits);
    std::array::from_fn(|byte| {
        let has = |bits: u128| bits >> (byte % 128) & 1 == 1;
        if byte < 128 {
            let hot = sets.iter().take(HOT).filter(|set| has(set.bits));
            hot.fold(if has(percent) { CHECK } else { 0 }, |class, set| class | set.class)
        } else {
            NON_ASCII | if has(leads) { CHECK } else { 0 }
        }
    })
}

/// The bytes that decide whether a character is outside ucschar: bit `b - 0x80` for byte `b`.
pub(crate) struct Leads {
    /// The lead bytes of UTF-8 that begin some character outside ucschar.
    pub(crate) all: u128,
    /// The conditions on the bytes after some of these lead bytes.
    pub(crate) refined: Vec<Refined>,
    /// The conditions on the bytes after the lead bytes of iprivate. If a condition holds, the character is of
    /// iprivate.
    pub(crate) private: Vec<Refined>,
}

/// A lead byte, and a later byte that decides for most characters of a rule that begin with the lead byte.
pub(crate) struct Refined {
    pub(crate) lead: u8,
    /// The distance of the later byte from the lead byte.
    pub(crate) after: usize,
    /// The values of the later byte in some character outside the rule: bit `b - 0x80` for byte `b`. If the later byte
    /// has another value, the character is of the rule.
    pub(crate) refused: u128,
}

/// The lead bytes that are refined: the lead bytes of U+0080 to U+00BF, U+F000 to U+FFFF and U+10000 to U+3FFFF. The
/// other bytes of LEADS begin private-use characters, and the planes 4 to 16, whose characters are rare in texts. To
/// refine these bytes, too, would only make the masks cost more.
const REFINED: [u8; 3] = [0xC2, 0xEF, 0xF0];

/// The lead bytes of private-use characters: of U+E000 to U+EFFF, U+F000 to U+FFFF, and of the planes 15 and 16.
const PRIVATE: [u8; 4] = [0xEE, 0xEF, 0xF3, 0xF4];

/// Reads the lead bytes off the automata of ucschar, of iprivate and of all characters outside ASCII.
pub(crate) fn leads(grammar: &Grammar) -> Result<Leads, Error> {
    let ucschar = Outside::of(grammar, "ucschar")?;
    let iprivate = Outside::of(grammar, "iprivate")?;
    Ok(Leads {
        all: ucschar.refused(&[ucschar.both.start()]),
        refined: REFINED.into_iter().map(|lead| ucschar.refined(lead)).collect(),
        private: PRIVATE.into_iter().map(|lead| iprivate.refined(lead)).collect(),
    })
}

/// The characters outside ASCII that a rule does not match.
struct Outside {
    /// The automaton of the rule and of all characters outside ASCII.
    both: Automaton,
    /// Whether each state may lead to a character outside the rule.
    towards: Vec<bool>,
}

impl Outside {
    fn of(grammar: &Grammar, rule: &'static str) -> Result<Self, Error> {
        const ANY: u8 = 0b10;
        let any = characters([('\u{80}', char::MAX)]);
        let both = Automaton::of(rule, &[expression(grammar, rule)?, any])?;
        let towards = both.towards(both.accepting(ANY));
        Ok(Self { both, towards })
    }

    /// The bytes after which some state of `from` may still lead to a character outside the rule.
    fn refused(&self, from: &[usize]) -> u128 {
        let refuses = |byte: &u8| {
            let leads =
                |&state: &usize| self.towards.get(self.both.next(state, *byte)) == Some(&true);
            from.iter().any(leads)
        };
        (0x80..=u8::MAX).filter(refuses).fold(0, |bits, byte| bits | 1_u128 << (byte - 0x80))
    }

    /// The condition on a byte after `lead` that decides for the most characters.
    fn refined(&self, lead: u8) -> Refined {
        let second = self.both.next(self.both.start(), lead);
        let third: Vec<usize> = (0x80..=u8::MAX).map(|byte| self.both.next(second, byte)).collect();
        let mut best = (1, self.refused(&[second]));
        // The third byte decides nothing if a character has ended before it.
        if !third.iter().any(|&state| self.both.is_accepting(state)) {
            let third = (2, self.refused(&third));
            if third.1.count_ones() < best.1.count_ones() {
                best = third;
            }
        }
        let (after, refused) = best;
        Refined { lead, after, refused }
    }
}

/// The bytes from 0x80 up of well-formed UTF-8, by their role: bit `b - 0x80` for byte `b`.
pub(crate) struct Utf8 {
    /// The lead bytes of characters of at least two, three and four bytes.
    pub(crate) leads: [u128; 3],
    /// The bytes that follow a lead byte.
    pub(crate) continuations: u128,
    /// The lead bytes that not every continuation may follow, each with the continuations that must not follow it.
    pub(crate) seconds: Vec<(u128, u128)>,
}

/// Computes the bytes of UTF-8 from the automaton of a character outside ASCII.
pub(crate) fn utf8() -> Result<Utf8, Error> {
    let automaton = Automaton::of("UTF-8", &[characters([('\u{80}', char::MAX)])])?;
    let followers = |state| {
        let live = |&byte: &u8| automaton.next(state, byte) != 0;
        (0x80..=u8::MAX).filter(live).fold(0, |bits, byte| bits | 1_u128 << (byte - 0x80))
    };
    let first = followers(automaton.start());
    let mut utf8 = Utf8 { leads: [0; 3], continuations: 0, seconds: Vec::new() };
    for lead in bytes_of(first, 0x80) {
        let mut state = automaton.next(automaton.start(), lead);
        for leads in &mut utf8.leads {
            if automaton.is_accepting(state) {
                break;
            }
            *leads |= 1 << (lead - 0x80);
            utf8.continuations |= followers(state);
            let next = bytes_of(followers(state), 0x80).next().unwrap_or_default();
            state = automaton.next(state, next);
        }
        require(automaton.is_accepting(state), "a character has more than four bytes")?;
    }
    for lead in bytes_of(first, 0x80) {
        let second = followers(automaton.next(automaton.start(), lead));
        if second != utf8.continuations {
            utf8.seconds.push((1 << (lead - 0x80), utf8.continuations & !second));
        }
    }
    Ok(utf8)
}

/// Returns the automaton of one character of ucschar or iprivate, and the states that accept ucschar and iprivate.
pub(crate) fn non_ascii(grammar: &Grammar) -> Result<(Automaton, usize, usize), Error> {
    let rules = [expression(grammar, "ucschar")?, expression(grammar, "iprivate")?];
    let automaton = Automaton::of("non-ASCII", &rules)?;
    let (ucschar, iprivate) = (automaton.accepting(0b01).next(), automaton.accepting(0b10).next());
    match (ucschar, iprivate) {
        // No other state accepts, so that each rule has one accepting state and no state accepts both.
        (Some(ucschar), Some(iprivate)) if automaton.first_accept() + 2 == automaton.states() => {
            Ok((automaton, ucschar, iprivate))
        }
        _ => Err(Error::Unfit("ucschar and iprivate do not end in a state each".to_owned())),
    }
}

/// Returns the form of a set for a byte shuffle: bit `hi` of entry `lo` is bit `hi << 4 | lo` of the set.
pub(crate) fn nibbles(bits: u128) -> [u8; 16] {
    std::array::from_fn(|lo| {
        (0..8).fold(0, |entry, hi| entry | ((bits >> (hi << 4 | lo) & 1) as u8) << hi)
    })
}

/// Returns the only member of a set, if it has exactly one.
pub(crate) fn only(bits: u128) -> Option<u8> {
    (bits.count_ones() == 1).then(|| bits.trailing_zeros() as u8)
}

fn ascii(bytes: [bool; 256]) -> u128 {
    bits(bytes.iter().take(128))
}

fn bits<'a>(members: impl Iterator<Item = &'a bool>) -> u128 {
    members.enumerate().fold(0, |bits, (i, &member)| bits | u128::from(member) << i)
}

/// Returns the bytes of a set whose bit 0 stands for byte `base`.
pub(crate) fn bytes_of(bits: u128, base: u8) -> impl Iterator<Item = u8> {
    (0..128).filter(move |i| bits >> i & 1 == 1).map(move |i| base + i)
}

/// Writes ascending bytes as ranges for people: visible ASCII in quotes, the rest in hexadecimal.
pub fn ranges(bytes: impl IntoIterator<Item = u8>) -> String {
    let mut ranges: Vec<(u8, u8)> = Vec::new();
    for byte in bytes {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(byte) => *last = byte,
            _ => ranges.push((byte, byte)),
        }
    }
    let show = |byte: u8| match byte {
        b'!'..=b'~' => format!("'{}'", char::from(byte)),
        _ => format!("{byte:02X}"),
    };
    let show_range = |(first, last)| match first == last {
        true => show(first),
        false => format!("{}-{}", show(first), show(last)),
    };
    ranges.into_iter().map(show_range).collect::<Vec<_>>().join(" ")
}

pub(crate) fn require(holds: bool, otherwise: impl Into<String>) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(Error::Unfit(otherwise.into())) }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Delimiters(text) => write!(f, "{text} of gen-delims"),
            Alphabet(rule) => write!(f, "alphabet({rule})"),
            First(rule) => write!(f, "first({rule})"),
            Component(rule, _) => write!(f, "alphabet({rule}) within ASCII"),
            Plain(rule, _) => write!(f, "alphabet({rule}) within ASCII, no %"),
        }
    }
}
