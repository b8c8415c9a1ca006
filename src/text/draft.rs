//! A string on its way to a reference: its characters, each with the place in the input that it comes
//! from, and what was repaired so far. The steps up to where components can be told apart.
//!
//! Not here: what becomes of characters within a component (`encode`). Each step is one pass.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::repair::{Repair, RepairKind, Repairs};
use crate::error::{Component, Error, ErrorKind};
use crate::scan::dfa::matches_ip_literal;
use crate::scan::triplet_text;
use crate::tables::{SCHEME, SCHEME_FIRST};
use crate::transform::{CharacterReference, CharacterReferences, Known, is_bidi_control};

/// A character, and where in the input it comes from.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) c: char,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The string so far.
pub(super) struct Draft {
    pub(super) units: Vec<Unit>,
    pub(super) repairs: Vec<Repair>,
    pub(super) allowed: Repairs,
}

/// ASCII white space, as the guidelines have it.
pub(super) const fn is_white(c: char) -> bool {
    matches!(c, ' ' | '\r' | '\n' | '\t')
}

/// The characters that a text is wrapped in.
const PAIRS: [(char, char); 6] =
    [('<', '>'), ('"', '"'), ('\'', '\''), ('\u{201C}', '\u{201D}'), ('«', '»'), ('‹', '›')];

impl Draft {
    pub(super) const fn new(allowed: Repairs) -> Self {
        Self { units: Vec::new(), repairs: Vec::new(), allowed }
    }

    /// Tells whether something may be repaired, and records it.
    pub(super) fn repair(&mut self, kind: RepairKind, start: u32, end: u32) -> bool {
        let allowed = self.allowed.contains(kind);
        if allowed {
            self.repairs.push(Repair::new(kind, start, end));
        }
        allowed
    }

    /// Appends text that begins at `start` of the input.
    pub(super) fn push_text(&mut self, text: &str, start: usize) {
        self.units.extend(text.char_indices().map(|(at, c)| {
            let start = start + at;
            Unit { c, start: start as u32, end: (start + c.len_utf8()) as u32 }
        }));
    }

    /// Appends a byte that is no text.
    ///
    /// # Errors
    /// It may not be repaired.
    pub(super) fn push_octet(&mut self, octet: u8, at: usize) -> Result<(), Error> {
        let (start, end) = (at as u32, at as u32 + 1);
        if !self.repair(RepairKind::IllFormed, start, end) {
            let kind = ErrorKind::IllFormedUtf8;
            return Err(Error::new(kind, Component::Reference, at..at + 1, octet.into()));
        }
        self.units.extend(triplet_text(octet).chars().map(|c| Unit { c, start, end }));
        Ok(())
    }

    /// Appends text in which characters may be referred to.
    ///
    /// # Errors
    /// A character reference of XML that stands for no character.
    pub(super) fn push_marked_up(
        &mut self,
        text: &str,
        start: usize,
        references: CharacterReferences,
    ) -> Result<(), Error> {
        let (mut rest, mut at) = (text, start);
        let is_read = self.allowed.contains(RepairKind::CharacterReference);
        while let Some(next) = memchr::memchr(b'&', rest.as_bytes()).filter(|_| is_read) {
            let (before, marked) = rest.split_at_checked(next).unwrap_or_default();
            self.push_text(before, at);
            at += next;
            let reference = references.read(marked).map_err(|none| {
                let span = at..at + none.length;
                Error::new(ErrorKind::BadCharacterReference, Component::Reference, span, 0)
            })?;
            let length = reference.map_or(1, CharacterReference::length);
            let (start, end) = (at as u32, (at + length) as u32);
            match reference {
                Some(reference) => {
                    self.repair(RepairKind::CharacterReference, start, end);
                    self.units.extend(reference.chars().map(|c| Unit { c, start, end }));
                }
                None => self.units.push(Unit { c: '&', start, end }),
            }
            at += length;
            rest = marked.get(length..).unwrap_or_default();
        }
        self.push_text(rest, at);
        Ok(())
    }

    /// Leaves out so many units at the start and at the end.
    fn cut(&mut self, kind: RepairKind, front: usize, back: usize) {
        let length = self.units.len();
        for cut in [self.units.get(..front), self.units.get(length.saturating_sub(back)..)] {
            if let Some([first, .., last] | [first @ last]) = cut {
                self.repairs.push(Repair::new(kind, first.start, last.end));
            }
        }
        self.units.truncate(length.saturating_sub(back));
        self.units.drain(..front.min(self.units.len()));
    }

    /// Leaves out at either end what is of a kind.
    pub(super) fn trim(&mut self, kind: RepairKind, is_cut: impl Fn(char) -> bool) {
        if self.allowed.contains(kind) {
            let front = self.units.iter().take_while(|unit| is_cut(unit.c)).count();
            let rest = self.units.iter().skip(front);
            let back = rest.rev().take_while(|unit| is_cut(unit.c)).count();
            self.cut(kind, front, back);
        }
    }

    /// A byte-order mark at the start.
    pub(super) fn remove_mark(&mut self) {
        let is_marked = self.units.first().is_some_and(|unit| unit.c == '\u{FEFF}');
        if is_marked && self.allowed.contains(RepairKind::ByteOrderMark) {
            self.cut(RepairKind::ByteOrderMark, 1, 0);
        }
    }

    /// White space at either end, and invisible characters.
    pub(super) fn trim_ends(&mut self) {
        self.trim(RepairKind::Trimmed, is_white);
        self.trim(RepairKind::Invisible, |c| {
            is_bidi_control(c) || matches!(c, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
        });
        self.trim(RepairKind::Trimmed, is_white);
    }

    /// Wrappers: one within another, such as `<URL:…>`.
    pub(super) fn unwrap(&mut self) {
        if !self.allowed.contains(RepairKind::Wrapper) {
            return;
        }
        for _ in 0..2 {
            if let [first, .., last] = self.units.as_slice()
                && PAIRS.contains(&(first.c, last.c))
            {
                self.cut(RepairKind::Wrapper, 1, 1);
                self.trim_ends();
            }
            let prefix = self.units.iter().take(4).map(|unit| unit.c.to_ascii_lowercase());
            if prefix.eq("url:".chars()) {
                self.cut(RepairKind::Wrapper, 4, 0);
                self.trim_ends();
            }
        }
    }

    /// White space inside that is left out.
    pub(super) fn remove_white_space(&mut self) {
        let is_break = |c| is_white(c) && c != ' ';
        if !self.units.iter().any(|unit| is_white(unit.c)) {
            return;
        }
        let units = core::mem::take(&mut self.units);
        let mut rest = units.as_slice();
        while let Some((unit, after)) = rest.split_first() {
            if !is_white(unit.c) {
                self.units.push(*unit);
                rest = after;
                continue;
            }
            let length = rest.iter().take_while(|unit| is_white(unit.c)).count();
            let (run, after) = rest.split_at_checked(length).unwrap_or_default();
            rest = after;
            let Some(last) = run.last() else { break };
            // What belongs to a line break (RFC 3986, appendix C).
            let is_typed = self.allowed.contains(RepairKind::Wrapper);
            let is_broken = run.iter().any(|unit| is_break(unit.c));
            if is_broken && is_typed && self.repair(RepairKind::LineBreak, unit.start, last.end) {
                continue;
            }
            for unit in run {
                let kind = match is_break(unit.c) {
                    true => RepairKind::LineBreak,
                    false => RepairKind::SpaceRemoved,
                };
                if !self.repair(kind, unit.start, unit.end) {
                    self.units.push(*unit);
                }
            }
        }
    }

    /// Full-width ASCII up to the end of the authority.
    pub(super) fn narrow(&mut self) {
        if !self.allowed.contains(RepairKind::FullWidth) {
            return;
        }
        let narrow = |c| match c {
            '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
            '\u{3002}' => '.',
            _ => c,
        };
        // Without a scheme or two slashes there is no authority, and a path may hold such characters.
        let mut narrowed = self.units.iter().map(|unit| narrow(unit.c));
        let scheme = self.units.iter().position(|unit| narrow(unit.c) == ':').unwrap_or(0);
        let is_scheme = narrowed
            .by_ref()
            .take(scheme)
            .all(|c| u8::try_from(c).is_ok_and(|c| SCHEME.contains(c)));
        let after = if is_scheme && scheme > 0 { scheme + 1 } else { 0 };
        let is_slash = |unit: &Unit| matches!(narrow(unit.c), '/' | '\\');
        let slashes = self.units.iter().skip(after).take_while(|unit| is_slash(unit)).count();
        let typed = after == 0 && slashes == 0 && self.allowed.contains(RepairKind::MissingScheme);
        let mut end = after;
        if slashes >= 2 || typed {
            let rest = self.units.iter().skip(after + slashes);
            let is_end = |unit: &&Unit| !matches!(narrow(unit.c), '/' | '\\' | '?' | '#');
            end = after + slashes + rest.take_while(is_end).count();
            // The delimiter after it may have been typed so too.
            end += usize::from(end < self.units.len());
        }
        let mut repairs = Vec::new();
        for unit in self.units.iter_mut().take(end) {
            if narrow(unit.c) != unit.c {
                unit.c = narrow(unit.c);
                repairs.push(Repair::new(RepairKind::FullWidth, unit.start, unit.end));
            }
        }
        self.repairs.append(&mut repairs);
    }

    /// Where the colon of the scheme is, if there is one.
    pub(super) fn scheme_end(&self) -> Option<usize> {
        let is_end = |unit: &Unit| matches!(unit.c, ':' | '/' | '?' | '#');
        let end = self.units.iter().position(is_end)?;
        let mut scheme = self.units.iter().take(end).map(|unit| u8::try_from(unit.c).ok());
        let begins = self.units.first().and_then(|unit| u8::try_from(unit.c).ok());
        let is_scheme = self.units.get(end)?.c == ':'
            && begins.is_some_and(|first| SCHEME_FIRST.contains(first))
            && scheme.all(|byte| byte.is_some_and(|byte| SCHEME.contains(byte)));
        is_scheme.then_some(end)
    }

    /// The scheme, if there is one.
    pub(super) fn scheme(&self) -> Option<String> {
        let end = self.scheme_end()?;
        Some(self.units.iter().take(end).map(|unit| unit.c).collect())
    }

    /// Puts text before everything else.
    pub(super) fn put_before(&mut self, kind: RepairKind, text: &str) {
        let at = self.units.first().map_or(0, |unit| unit.start);
        if self.repair(kind, at, at) {
            let units = text.chars().map(|c| Unit { c, start: at, end: at });
            self.units.splice(0..0, units);
        }
    }

    /// What has a meaning in URIs and none in an address of e-mail, as triplets. No repair by itself: with
    /// the scheme that is missing, it is how the address is written.
    #[cfg(feature = "extract")]
    pub(super) fn encode_delimiters(&mut self) {
        let encoded = |unit: &Unit| match u8::try_from(unit.c) {
            Ok(octet @ (b'%' | b'/' | b'?' | b'#' | b'&' | b';' | b'=')) => Some(octet),
            _ => None,
        };
        let units = core::mem::take(&mut self.units);
        for unit in units {
            match encoded(&unit) {
                Some(octet) => {
                    let triplet = triplet_text(octet).chars();
                    self.units.extend(triplet.map(|c| Unit { c, ..unit }));
                }
                None => self.units.push(unit),
            }
        }
    }

    /// A scheme, for what a person would not write one before: this one for hosts.
    pub(super) fn add_scheme(&mut self, scheme: &str) {
        if !self.allowed.contains(RepairKind::MissingScheme) {
            return;
        }
        let is_end = |unit: &&Unit| !matches!(unit.c, '/' | '\\' | '?' | '#');
        let host: String = self.units.iter().take_while(is_end).map(|unit| unit.c).collect();
        let slashes = self.units.iter().take_while(|unit| matches!(unit.c, '/' | '\\')).count();
        if slashes == 2 {
            self.put_before(RepairKind::MissingScheme, &format!("{scheme}:"));
        } else if let Some((local, domain)) = host.split_once('@') {
            if !local.is_empty() && !local.contains(':') && has_dot(domain) {
                self.put_before(RepairKind::MissingScheme, "mailto:");
            }
        } else {
            // The last colon, but not one of an address in brackets.
            let (name, port) = match host.rsplit_once(':') {
                Some((name, port)) if !port.ends_with(']') => (name, port),
                _ => (host.as_str(), "80"),
            };
            let is_port = (1..6).contains(&port.len()) && port.bytes().all(|c| c.is_ascii_digit());
            // Three dots are no name, and `a:1` is a scheme.
            let is_name = has_dot(name) || name.eq_ignore_ascii_case("localhost");
            let is_host = is_name && !name.contains(':');
            if is_port && (is_host || matches_ip_literal(name.as_bytes())) {
                self.put_before(RepairKind::MissingScheme, &format!("{scheme}://"));
            }
        }
    }

    /// Backslashes before query and fragment, and the slashes after the scheme.
    pub(super) fn turn_slashes(&mut self) {
        let known = self.scheme().map(|name| Known::of(&name));
        let has_names = |known: Known| known.port().is_some();
        let is_file = known == Some(Some(Known::File));
        let is_special = known.is_none_or(|known| known.is_some_and(has_names)) || is_file;
        if is_special && self.allowed.contains(RepairKind::Backslash) {
            let is_end = |unit: &&mut Unit| !matches!(unit.c, '?' | '#');
            for unit in self.units.iter_mut().take_while(is_end) {
                if unit.c == '\\' {
                    unit.c = '/';
                    self.repairs.push(Repair::new(RepairKind::Backslash, unit.start, unit.end));
                }
            }
        }
        let is_remote = known.flatten().is_some_and(has_names);
        let Some(end) = self.scheme_end().filter(|_| is_remote) else { return };
        let slashes = self.units.iter().skip(end + 1).take_while(|unit| unit.c == '/').count();
        let run = self.units.get(end + 1..end + 1 + slashes);
        if let Some([first, .., last] | [first @ last]) = run
            && slashes != 2
        {
            let (start, stop) = (first.start, last.end);
            if self.repair(RepairKind::Slashes, start, stop) {
                let two = [Unit { c: '/', start, end: stop }; 2];
                self.units.splice(end + 1..end + 1 + slashes, two);
            }
        }
    }
}

/// Tells whether a text is labels with dots between them.
fn has_dot(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name.contains('.') && !name.contains(' ') && name.split('.').all(|label| !label.is_empty())
}
