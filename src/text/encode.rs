//! The last step: each character as its component allows it, or as triplets; then the text is parsed.
//!
//! Not here: what makes components of a string (`draft`).

use alloc::string::String;
use alloc::vec::Vec;

use super::draft::{Draft, Unit};
use super::repair::RepairKind;
use crate::error::{Component, Error};
use crate::parse::Rule;
use crate::reference::IriRefBuf;
use crate::scan::dfa::{NonAscii, non_ascii};
use crate::scan::triplet_text;
use crate::tables::{AsciiSet, FRAGMENT, HEXDIG, PATH, QUERY, REG_NAME, USERINFO};

/// Which component begins at which unit. Every one is there, perhaps without a unit.
#[derive(Clone, Copy)]
struct Ends {
    scheme: usize,
    userinfo: usize,
    host: usize,
    authority: usize,
    path: usize,
    query: usize,
    /// The host is in brackets.
    is_literal: bool,
}

impl Ends {
    /// Takes a string to pieces (RFC 3986, appendix B); userinfo ends at the last `@`.
    fn of(draft: &Draft) -> Self {
        let units = draft.units.as_slice();
        let find = |from: usize, stops: &[char]| {
            let stop = units.iter().skip(from).position(|unit| stops.contains(&unit.c));
            stop.map_or(units.len(), |at| from + at)
        };
        let at = |place: usize| units.get(place).map(|unit| unit.c);
        let scheme = draft.scheme_end().map_or(0, |colon| colon + 1);
        let has_authority = at(scheme) == Some('/') && at(scheme + 1) == Some('/');
        let start = if has_authority { scheme + 2 } else { scheme };
        let authority = if has_authority { find(start, &['/', '?', '#']) } else { start };
        let range = units.get(start..authority).unwrap_or_default();
        let userinfo = range.iter().rposition(|unit| unit.c == '@').map_or(start, |at| start + at);
        let is_named = at(userinfo) == Some('@') && userinfo < authority;
        let host = if is_named { userinfo + 1 } else { start };
        let range = units.get(host..authority).unwrap_or_default();
        let path = find(authority, &['?', '#']);
        let query = find(path, &['#']);
        let is_literal = range.first().is_some_and(|unit| unit.c == '[')
            && range.iter().any(|unit| unit.c == ']');
        Self { scheme, userinfo, host, authority, path, query, is_literal }
    }

    /// The component of a unit; `None` of those that are never encoded.
    fn component(&self, at: usize) -> Option<(Component, &'static AsciiSet)> {
        if at < self.scheme {
            None
        } else if at < self.userinfo {
            Some((Component::Userinfo, &USERINFO))
        } else if at < self.authority {
            (at >= self.host && !self.is_literal).then_some((Component::Host, &REG_NAME))
        } else if at < self.path {
            Some((Component::Path, &PATH))
        } else if at < self.query {
            Some((Component::Query, &QUERY))
        } else {
            Some((Component::Fragment, &FRAGMENT))
        }
    }
}

impl Draft {
    /// Puts `./` before a path whose first segment would be taken for a scheme.
    pub(super) fn mark_path(&mut self) {
        let is_end = |unit: &Unit| matches!(unit.c, ':' | '/' | '?' | '#');
        let end = self.units.iter().find(|unit| is_end(unit));
        if end.is_some_and(|unit| unit.c == ':') && self.scheme_end().is_none() {
            self.put_before(RepairKind::DotSegment, "./");
        }
    }

    /// Percent-encodes, component by component.
    pub(super) fn encode(&mut self) {
        let ends = Ends::of(self);
        let units = core::mem::take(&mut self.units);
        let mut encoded = Vec::with_capacity(units.len());
        for (at, unit) in units.iter().enumerate() {
            let is_slash = at < ends.authority && unit.c == '/';
            let is_mark = at == ends.path && unit.c == '?' || at == ends.query && unit.c == '#';
            let repair = match ends.component(at) {
                Some((component, set)) if !is_slash && !is_mark => {
                    needed(units.get(at..).unwrap_or_default(), component, set)
                }
                _ => None,
            };
            match repair {
                Some(kind) if self.repair(kind, unit.start, unit.end) => {
                    for octet in unit.c.encode_utf8(&mut [0; 4]).bytes() {
                        encoded.extend(triplet_text(octet).chars().map(|c| Unit { c, ..*unit }));
                    }
                }
                _ => encoded.push(*unit),
            }
        }
        self.units = encoded;
    }

    /// The reference.
    ///
    /// # Errors
    /// What is wrong still, with its place in the input.
    pub(super) fn finish(&self, end: usize) -> Result<IriRefBuf, Error> {
        let text: String = self.units.iter().map(|unit| unit.c).collect();
        match Rule::IriReference.parse(&text) {
            Ok(parts) => Ok(IriRefBuf::new(text, parts)),
            Err(error) => {
                let span = error.span();
                let (mut at, mut place) = (0, end..end);
                for unit in &self.units {
                    if at == span.start {
                        place = unit.start as usize..unit.start as usize;
                    }
                    if at >= span.end {
                        break;
                    }
                    if at >= span.start {
                        place.end = unit.end as usize;
                    }
                    at += unit.c.len_utf8();
                }
                Err(error.with_span(place))
            }
        }
    }
}

/// What has to be repaired of the first of these units, in a component that allows a set.
fn needed(units: &[Unit], component: Component, set: &AsciiSet) -> Option<RepairKind> {
    let c = units.first()?.c;
    let Some(byte) = u8::try_from(c).ok().filter(u8::is_ascii) else {
        let is_allowed = match non_ascii(c.encode_utf8(&mut [0; 4]).as_bytes()) {
            NonAscii::Ucschar => true,
            NonAscii::Private => component == Component::Query,
            NonAscii::Other => false,
        };
        let kind = if c == char::REPLACEMENT_CHARACTER {
            RepairKind::Replacement
        } else {
            RepairKind::NotUcschar
        };
        return (!is_allowed).then_some(kind);
    };
    if byte == b'%' {
        let is_hex = |unit: &Unit| u8::try_from(unit.c).is_ok_and(|digit| HEXDIG.contains(digit));
        let digits = units.iter().skip(1).take(2).filter(|unit| is_hex(unit)).count();
        return (digits < 2).then_some(RepairKind::StrayPercent);
    }
    if set.contains(byte) {
        return None;
    }
    match (byte, component) {
        // What ends a host, or is wrong with it.
        (b':' | b'[' | b']' | b'@', Component::Host) => None,
        (_, Component::Host) => Some(RepairKind::InHost),
        (b'@', _) => Some(RepairKind::SecondAt),
        (b'#', _) => Some(RepairKind::SecondHash),
        (b'[' | b']', _) => Some(RepairKind::Bracket),
        (b' ', _) => Some(RepairKind::Space),
        _ if byte.is_ascii_control() => Some(RepairKind::Control),
        _ => Some(RepairKind::NotAllowed),
    }
}
