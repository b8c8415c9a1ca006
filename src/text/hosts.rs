//! Names of hosts in running text: which characters a name goes on over, and whether it is one.
//!
//! The mapping is that of UTS #46, as the `idna` crate has it; the top-level domains are those of the
//! list of public suffixes in the crate `psl`. Not here: where a name begins.

use psl::{Psl, Type};

use super::link_tables::{Term, term};
use super::reader::{char_at, char_before};
use crate::transform::{is_bidi_control, is_domain};

/// No label has more characters.
const LONGEST_LABEL: usize = 63;

/// Tells whether a character is one of the four dots between labels.
pub(super) const fn is_dot(c: char) -> bool {
    matches!(c, '.' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
}

/// Tells whether a name goes on over a character, dots aside. Whether all of it is a name is asked for
/// later; the underscore is in names, and in none that is found without a scheme.
pub(super) fn is_in_name(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    }
    // Without a shape, and often at the edge of a word.
    let is_invisible = matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}' | '\u{FFFD}');
    term(c) == Term::Include && !is_invisible && !is_bidi_control(c)
}

/// Labels and dots without anything between them.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) start: usize,
    /// Where the name ends: before a dot at the end of the run.
    pub(super) name_end: usize,
    /// Where the run ends.
    pub(super) end: usize,
}

impl Run {
    /// The run that begins at `start`.
    pub(super) fn from(text: &str, start: usize) -> Self {
        let (mut at, mut name_end) = (start, start);
        while let Some(c) = char_at(text, at).filter(|c| is_in_name(*c) || is_dot(*c)) {
            at += c.len_utf8();
            name_end = if is_dot(c) { name_end } else { at };
        }
        // More than one dot at the end is more than a name.
        let last = char_before(text, at).map_or(0, char::len_utf8);
        name_end = if name_end + last < at { at } else { name_end };
        Self { start, name_end, end: at }
    }

    /// Where the run begins that reaches `end`, no further back than `floor`.
    pub(super) fn start_of(text: &str, end: usize, floor: usize) -> usize {
        let mut at = end;
        while at > floor
            && let Some(c) = char_before(text, at).filter(|c| is_in_name(*c) || is_dot(*c))
        {
            at -= c.len_utf8();
        }
        at
    }

    /// The name, without a dot at its end.
    pub(super) fn name<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.name_end).unwrap_or_default()
    }
}

/// Tells whether a name is one of a host: labels that UTS #46 accepts, none of them empty or with a
/// hyphen at an end.
pub(super) fn is_host(name: &str) -> bool {
    // The part of the check that needs no tables, and keeps labels short.
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && (label.len() <= LONGEST_LABEL || label.chars().count() <= LONGEST_LABEL)
    };
    name.split(is_dot).all(is_label) && (is_plain(name) || is_domain(name))
}

/// Tells whether UTS #46 has nothing to say of a name: ASCII, and no label in its ACE form.
fn is_plain(name: &str) -> bool {
    let has_ace = || {
        name.split('.').any(|label| label.get(..4).is_some_and(|p| p.eq_ignore_ascii_case("xn--")))
    };
    name.is_ascii() && !has_ace()
}

/// Tells whether a name is the name of a host below a registered top-level domain.
pub(super) fn is_registered(name: &str) -> bool {
    let tld = name.rsplit(is_dot).next().unwrap_or_default();
    tld.len() < name.len() && !name.contains('_') && is_tld(tld) && is_host(name)
}

/// Tells whether a label is a registered top-level domain.
pub(super) fn is_tld(label: &str) -> bool {
    // The longest are in ACE form.
    const LONGEST: usize = 63;
    let mut lower = [0; LONGEST];
    let Some(lower) = lower.get_mut(..label.len()) else { return false };
    lower.copy_from_slice(label.as_bytes());
    lower.make_ascii_lowercase();
    if is_listed(lower) {
        return true;
    }
    // Upper case, and wide forms.
    let is_mapped =
        |c: char| !c.is_ascii() && (c.is_uppercase() || ('\u{FF01}'..'\u{FFF0}').contains(&c));
    label.contains(is_mapped)
        && crate::transform::to_ascii(label).is_some_and(|ascii| is_listed(ascii.as_bytes()))
}

/// Tells whether the list has a rule of ICANN for this label, or for what is below it.
fn is_listed(label: &[u8]) -> bool {
    psl::List.find([label, b"-"].into_iter()).typ == Some(Type::Icann)
}
