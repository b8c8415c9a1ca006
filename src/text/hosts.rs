//! Names of hosts in running text: which characters a name goes on over, and whether it is one.
//!
//! The mapping is that of UTS #46, as the `idna` crate has it; the top-level domains are those of the
//! list of public suffixes in the crate `psl`. Not here: where a name begins.

use psl::{Psl, Type};

use super::link_tables::is_letter;
use super::reader::{char_at, char_before, run_at};
use crate::tables::AsciiSet;
use crate::transform::{is_domain, to_ascii};

/// No label has more characters.
const LONGEST_LABEL: usize = 63;

/// What a name goes on over in ASCII, dots too.
pub(super) const NAME: AsciiSet =
    AsciiSet::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.");

/// Tells whether a character is one of the four dots between labels.
pub(super) const fn is_dot(c: char) -> bool {
    matches!(c, '.' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
}

/// Tells whether a name goes on over a character, dots aside. Whether all of it is a name is asked for
/// later; the underscore is in names, and in none that is found without a scheme.
#[inline]
pub(super) fn is_in_name(c: char) -> bool {
    is_letter(c) || c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
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
        let mut at = start + run_at(text, start, &NAME);
        while let Some(c) = char_at(text, at).filter(|c| is_in_name(*c) || is_dot(*c)) {
            at += c.len_utf8();
            at += run_at(text, at, &NAME);
        }
        let run = text.get(start..at).unwrap_or_default();
        // More than one dot at the end is more than a name.
        let name = run.strip_suffix(is_dot).filter(|name| !name.ends_with(is_dot)).unwrap_or(run);
        Self { start, name_end: start + name.len(), end: at }
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
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && (label.len() <= LONGEST_LABEL || label.chars().count() <= LONGEST_LABEL)
    };
    match is_plain_host(name.as_bytes()) {
        Some(is_host) => is_host,
        None => name.split(is_dot).all(is_label) && is_domain(name),
    }
}

/// The same of a name in ASCII; `None` if UTS #46 has something to say of it: what is not ASCII, or
/// looks like an ACE form.
fn is_plain_host(name: &[u8]) -> Option<bool> {
    let (mut length, mut last) = (0, b'.');
    for byte in name {
        match *byte {
            b'.' if length == 0 || last == b'-' => return Some(false),
            b'.' => length = 0,
            b'-' if length == 0 => return Some(false),
            b'-' if length == 3 && last == b'-' => return None,
            0x80.. => return None,
            _ => length += 1,
        }
        if length > LONGEST_LABEL {
            return Some(false);
        }
        last = *byte;
    }
    Some(length > 0 && last != b'-')
}

/// Tells whether a name is the name of a host below a registered top-level domain.
pub(super) fn is_registered(name: &str) -> bool {
    let tld = name.rsplit(is_dot).next().unwrap_or_default();
    tld.len() < name.len() && !name.contains('_') && is_tld(tld) && is_host(name)
}

/// Tells whether a label is a registered top-level domain.
pub(super) fn is_tld(label: &str) -> bool {
    let mut lower = [0; LONGEST_LABEL];
    let Some(lower) = lower.get_mut(..label.len()) else { return false };
    lower.copy_from_slice(label.as_bytes());
    lower.make_ascii_lowercase();
    if is_listed(lower) {
        return true;
    }
    // Upper case, and wide forms.
    let is_mapped = |c: char| match c {
        '\u{80}'..'\u{3000}' => c.is_uppercase(),
        '\u{FF01}'..'\u{FFF0}' => true,
        _ => false,
    };
    label.contains(is_mapped) && to_ascii(label).is_some_and(|ascii| is_listed(ascii.as_bytes()))
}

/// Tells whether the list has a rule of ICANN for this label, or for what is below it.
fn is_listed(label: &[u8]) -> bool {
    psl::List.find([label, b"-"].into_iter()).typ == Some(Type::Icann)
}
