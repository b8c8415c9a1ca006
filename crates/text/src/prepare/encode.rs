//! The last step of `prepare`: writes each character as itself if its component allows it, otherwise as
//! triplets. Then it parses the text.
//!
//! Not here: the steps before this step (`annotated`).

/*
# The algorithm

Two passes over the characters of the annotated text. Both count characters, not bytes:

    `PartEnds::of`   finds the numbers of the characters at which scheme, user information, host and authority end
    `encode`     knows by these numbers the component of each character at the start. After the authority, the first
                 `?` begins the query, and the first `#` begins the fragment. For each character, `needed` tells which
                 repair its component needs:
                     none, or a repair that is not allowed    write the character
                     a repair that is allowed                 write the triplets of the character
                 Before each such character, `encode_runs` (`runs`) does the same for all bytes that it can treat at once

The parser then finds what is not repaired. It reports an offset of the result. If nothing was repaired, that is an offset
of the input. Otherwise a further pass of `encode` finds the part of the input that made the byte at this offset.

For example:

    characters   http://u@v@[::1]:80/a b
    PartEnds         start 7, userinfo 10, host 11, authority 19, is_literal
    result       http://u%40v@[::1]:80/a%20b

The last `@` of the authority ends the user information, so the first `@` becomes a triplet. In a literal, nothing is
encoded.

# Invariants

- Both passes read the same characters (`Units`), so a number means the same character in both.
- Ordinary bytes are allowed in every component, so runs of them are copied.
- What `encode_runs` gives to the sink and to the record is what the steps would give, in the same order. So a place where
  it stops early costs time, and changes nothing.
*/

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::annotated::{Annotated, Units};
use super::needed::{foreign, wide};
use super::repair::{Record, RepairKind};
use super::runs::{IN_COMPONENT, Length, Sink, Sought};
use super::source::{INERT_IN_AUTHORITY, INERT_IN_SEGMENT};
use simd_iri::low::{AsciiSet, ascii_of, buf_of, debug_without_text, slice, triplet_text};
use simd_iri::{Component, Error, IriRefBuf, Rule};

/// The numbers of the characters at which the parts of the start of a string end. A part that is absent is
/// empty.
#[derive(Clone, Copy)]
struct PartEnds {
    /// After the two slashes, or after the scheme if there is no authority.
    start: usize,
    userinfo: usize,
    host: usize,
    authority: usize,
    /// Whether the host is in brackets.
    is_literal: bool,
}

impl PartEnds {
    /// Divides the start of a string (RFC 3986, appendix B). User information ends at the last `@`.
    fn of(annotated: &Annotated) -> Self {
        let found = annotated.scheme();
        let scheme = found.as_ref().map_or(0, |scheme| scheme.length);
        let mut rest = annotated.units_after(found.as_ref());
        let has_authority = rest.by_ref().take(2).filter(|unit| unit.c == '/').count() == 2;
        let start = if has_authority { scheme + 2 } else { scheme };
        let mut ends =
            Self { start, userinfo: start, host: start, authority: start, is_literal: false };
        if !has_authority {
            return ends;
        }
        let mut is_bracketed = false;
        let mut take = |c: char, ends: &mut Self| {
            match c {
                '/' | '?' | '#' => return false,
                '@' => {
                    (ends.userinfo, ends.host) = (ends.authority, ends.authority + 1);
                    (is_bracketed, ends.is_literal) = (false, false);
                }
                '[' if ends.authority == ends.host => is_bracketed = true,
                ']' => ends.is_literal = is_bracketed,
                _ => {}
            }
            ends.authority += 1;
            true
        };
        'authority: loop {
            // A byte that no step changes is a character.
            for byte in rest.steady(usize::MAX) {
                if !take(char::from(*byte), &mut ends) {
                    break 'authority;
                }
            }
            let mut is_ended = false;
            let passed = rest.pass_with(&INERT_IN_AUTHORITY, |before, byte| {
                let mut taken = Self { authority: ends.authority + before, ..ends };
                is_ended = !take(char::from(byte), &mut taken);
                if !is_ended {
                    ends = taken;
                }
                !is_ended
            });
            ends.authority += passed;
            if is_ended || !rest.next().is_some_and(|unit| take(unit.c, &mut ends)) {
                break;
            }
        }
        ends
    }

    /// Returns the component of the character with a number and the ASCII that it allows, and how many characters are
    /// certainly in this component. `after` is the component if the authority ends before the character. Returns `None`
    /// for a character that never becomes a triplet.
    fn component(
        &self,
        at: usize,
        after: Component,
    ) -> (Option<(Component, &'static AsciiSet)>, usize) {
        if at >= self.authority {
            return (Some((after, ascii_of(after))), usize::MAX);
        }
        let of = |component| (component, ascii_of(component));
        match at {
            _ if at < self.start => (None, 0),
            _ if at < self.userinfo => (Some(of(Component::Userinfo)), self.userinfo - at),
            _ if at < self.host || self.is_literal => (None, 0),
            _ => (Some(of(Component::Host)), self.authority - at),
        }
    }
}

impl Annotated<'_> {
    /// Puts `./` before a path whose first segment would look like a scheme.
    pub(crate) fn mark_path(&mut self) {
        // The scheme is checked first, because it is read from the bytes of the input.
        if self.scheme().is_some() {
            return;
        }
        let mut units = self.units();
        let end = loop {
            units.pass(&INERT_IN_SEGMENT);
            match units.next() {
                Some(unit) if !matches!(unit.c, ':' | '/' | '?' | '#') => {}
                end => break end,
            }
        };
        if end.is_some_and(|unit| unit.c == ':') {
            self.put_before(RepairKind::DotSegment, "./");
        }
    }

    /// Percent-encodes, component by component. Gives each piece of the result to `sink`.
    fn encode<S: Sink>(&self, record: &mut Record, sink: &mut S) {
        let ends = PartEnds::of(self);
        let mut units = self.units();
        let (mut at, mut after) = (0, Component::Path);
        // Every component allows ordinary characters.
        let (run, start) = units.run();
        if !run.is_empty() {
            at = run.len();
            sink.same(core::str::from_utf8(run).unwrap_or_default(), start);
        }
        loop {
            // `step` for each character gives the same result.
            let (component, room) = ends.component(at, after);
            if let Some((component, set)) = component {
                let allowed = self.allowed;
                at = at
                    .saturating_add(units.encode_runs(component, set, room, allowed, record, sink));
            } else if ends.is_literal && at >= ends.host {
                // In a literal, nothing is encoded but what is not UTF-8.
                let (host, room) = (Component::Host, ends.authority - at);
                let allowed = self.allowed.but(IN_COMPONENT);
                at += units.encode_runs(host, &EVERY, room, allowed, record, sink);
            }
            let Some(unit) = units.step(record) else { break };
            let (component, _) = ends.component(at, after);
            match (after, unit.c) {
                _ if at < ends.authority => {}
                (Component::Path, '?') => after = Component::Query,
                (Component::Path | Component::Query, '#') => after = Component::Fragment,
                _ => {}
            }
            let is_delimiter = unit.c == '/' && at < ends.authority
                || at >= ends.authority
                    && component.is_none_or(|(component, _)| component != after);
            at = at.saturating_add(1);
            let component = component.filter(|_| !is_delimiter);
            match component.and_then(|(component, set)| needed(unit.c, &units, component, set)) {
                Some(kind) if self.allowed.contains(kind) && !self.is_script() => {
                    record.push(kind, unit.start, unit.end);
                    for octet in unit.c.encode_utf8(&mut [0; 4]).bytes() {
                        sink.unit(triplet_text(octet), unit.start, unit.end);
                    }
                }
                _ => sink.unit(unit.c.encode_utf8(&mut [0; 4]), unit.start, unit.end),
            }
        }
    }

    /// Returns what changes in the input, `given`, after all steps.
    pub(crate) fn replacements(&self, given: &str) -> Vec<Replacement> {
        let mut changes = StringChanges { given, list: Vec::new(), done: 0 };
        self.encode(&mut Record::off(), &mut changes);
        changes.remove_until(given.len());
        changes.list
    }

    /// Returns the reference.
    ///
    /// # Errors
    /// The first violation that was not repaired, with its place in the input.
    pub(crate) fn finish(&mut self, end: usize) -> Result<IriRefBuf, Error> {
        // A string that grows is copied. For a long string, another pass counts the length first.
        let mut length = Length(self.length() + FEW);
        if length.0 > 1 << 20 {
            length.0 = 0;
            self.encode(&mut Record::off(), &mut length);
        }
        let mut text = String::with_capacity(length.0);
        let mut record = core::mem::replace(&mut self.record, Record::off());
        self.encode(&mut record, &mut text);
        self.record = record;
        match Rule::IriReference.parse(&text) {
            Ok(parts) => Ok(buf_of(text, parts)),
            // Without a repair, the result is the rest of the input.
            Err(error) if self.record.is_empty() => {
                let (span, start) = (error.span(), self.source.start() as usize);
                Err(error.with_span(start + span.start..start + span.end))
            }
            Err(error) => {
                // No position was stored: the same pass finds it again.
                let mut sought = Sought { span: error.span(), at: 0, place: end..end };
                self.encode(&mut Record::off(), &mut sought);
                Err(error.with_span(sought.place))
            }
        }
    }
}

/// All ASCII.
const EVERY: AsciiSet = AsciiSet::of(b"").others();

/// The number of bytes by which a string usually grows: a few triplets.
const FEW: usize = 8;

/// A change of a string: the bytes to replace, and the text to put in their place. [`Prepare::replacements`] makes it.
///
/// ```
/// use simd_iri_text::{Prepare, RepairSet};
///
/// let all = Prepare::new(RepairSet::BrowserLike).replacements(" a:b c")?;
/// assert_eq!((all[0].span(), all[0].as_str()), (0..1, ""));
/// assert_eq!((all[1].span(), all[1].as_str()), (4..5, "%20"));
/// # Ok::<(), simd_iri::Error>(())
/// ```
///
/// `Debug` does not write the text, which may hold a password.
///
/// [`Prepare::replacements`]: super::Prepare::replacements
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Replacement {
    start: usize,
    end: usize,
    text: String,
}

debug_without_text!([] Replacement, "Replacement", start, end);

impl Replacement {
    /// Returns the bytes to replace: byte offsets in the string, on character boundaries. An empty range inserts.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// assert_eq!(Prepare::new(RepairSet::Leiri).replacements("a b")?[0].span(), 1..2);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the new text. It is empty if the bytes are to be removed.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// assert_eq!(Prepare::new(RepairSet::Leiri).replacements("a b")?[0].as_str(), "%20");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// The changes of a string, in its order.
///
/// The result comes piece by piece, and each piece has its place in the string. With the place of the piece before it,
/// there are three cases. For example, ` /a b` becomes `/a%20b`:
///
/// ```text
/// piece  place  before it    the case
/// /a     1..3   0            text is left out: 0..1 is removed, and the piece is the text at its place: it stays
/// %20    3..4   3            the piece is not the text at its place: it is put there
/// b      4..5   4            the piece stays
/// ```
///
/// A second piece at the same place, such as the second triplet of a character, is inserted after it. StringChanges that touch
/// each other are one change.
struct StringChanges<'t> {
    given: &'t str,
    list: Vec<Replacement>,
    /// The end of the text that the pieces so far are in the place of.
    done: usize,
}

/// The largest number of changes. The last of them reaches to the end of the string if there would be more.
const MOST: usize = 1_000;

impl Sink for StringChanges<'_> {
    fn same(&mut self, text: &str, start: u32) {
        self.push(text, start as usize, start as usize + text.len());
    }

    fn unit(&mut self, piece: &str, start: u32, end: u32) {
        self.push(piece, start as usize, end as usize);
    }
}

impl StringChanges<'_> {
    /// Takes the next piece, whose place is `start..end`.
    fn push(&mut self, piece: &str, start: usize, end: usize) {
        self.remove_until(start);
        let is_first = start == self.done;
        if is_first && self.given.get(start..end) == Some(piece) {
            self.keep_until(end);
        } else {
            let end = end.max(self.done);
            self.change(end, piece);
        }
    }

    /// Removes the text before a place.
    fn remove_until(&mut self, start: usize) {
        if start > self.done {
            self.change(start, "");
        }
    }

    /// Keeps the text before a place.
    fn keep_until(&mut self, end: usize) {
        let is_last = self.list.len() == MOST;
        if let (Some(last), true) = (self.list.last_mut(), is_last) {
            last.text.push_str(slice::text(self.given, self.done..end));
            last.end = end;
        }
        self.done = end;
    }

    /// Puts a piece in the place of the text before `end`.
    fn change(&mut self, end: usize, piece: &str) {
        match self.list.last_mut().filter(|last| last.end == self.done) {
            Some(last) => {
                last.text.push_str(piece);
                last.end = end;
            }
            None => self.list.push(Replacement { start: self.done, end, text: piece.into() }),
        }
        self.done = end;
    }
}

/// Returns the kind of repair that a character needs in a component that allows a set of ASCII; `None` if it
/// needs no repair. `rest` follows the character.
#[inline]
fn needed(c: char, rest: &Units, component: Component, set: &AsciiSet) -> Option<RepairKind> {
    let Some(byte) = u8::try_from(c).ok().filter(u8::is_ascii) else {
        return wide(c.encode_utf8(&mut [0; 4]).as_bytes(), component);
    };
    if byte == b'%' {
        return (!rest.begin_with_digits(2)).then_some(RepairKind::StrayPercent);
    }
    if set.contains(byte) { None } else { foreign(byte, component) }
}
