//! A string on its way to a reference: the rest of the input, and the repairs in it. Here are the steps before the
//! components are known.
//!
//! Not here: the order of the steps (`Prepare::made`), and the repair of characters within a component (`encode`).

/*
# The algorithm

A step writes nothing, so no step needs a copy of the string. It reads the characters as the steps before it left them,
and notes what changes in a field. `Units` returns the characters with all changes that the fields note:

    step           notes
    trim_marks     a smaller range of the input (`source`)
    unwrap         a smaller range of the input (`source`)
    find_script    that nothing inside changes (`is_script`); then of the steps after it only `finish` runs
    narrow         before which offset full-width ASCII becomes ASCII (`narrow_until`)
    add_scheme     a text in front (`before`)
    drop_scheme    a smaller range (`source`), and that no scheme is in it (`is_relative`)
    turn_slashes   before which offset backslashes become slashes (`turn_until`), other slashes in the place of those
                   after the scheme (`replaced`, `replacement`), and the bar of a drive (`bar`)
    mark_path      `./` in front (`before`), in `encode`

For example, with the repairs of browsers:

    input           " http:\a/b|c"          12 bytes
    trim_marks      source        1..12     without the space
    narrow          narrow_until  9         after the slash that ends the authority
    turn_slashes    turn_until    12        there is no `?` and no `#`
                    replaced      6..7      by "//", because one slash is after the scheme
    Units           http://a/b|c            both slashes come from the bytes 6..7
    finish          http://a/b%7Cc          (`encode`)

`Units::step` returns the first of: a character of `queue` (the text in front, a replacement, or a triplet); an ordinary
byte of the input, which no step changes; a rare character (`step_rare`), after the changes in the order in which they
stand there.

# Invariants

- Each character has its place in the input (`SourceUnit`). All offsets are offsets of the input, so they stay valid when a
  later step changes something.
- The order of the steps matters, because each step reads what the steps before it made.
- Each step is one pass. It uses no memory besides the fields, except for `add_scheme`, which copies the host.
- A pass that only searches does not ask for each character: `pass`, `pass_slashes` and `query_or_fragment` go over bytes
  that are characters of their own and that the search does not seek. They stop at what a step may change.
- `known_scheme` is the answer of `find_scheme`, or `None`. Every step that changes what is before the first delimiter
  forgets it.
*/

use alloc::format;
use alloc::string::String;
use core::cell::Cell;
use core::ops::Range;
use core::str::Chars;

use super::repair::{Record, RepairKind, Repairs};
use super::source::{INERT, INERT_BEFORE_QUERY, Rest, STEADY, SourceUnit, first_char};
use simd_iri::low::{
    CharacterReferences, Known, SCHEME, SCHEME_FIRST, UNRESERVED, is_bidi_control,
    matches_ip_literal, octet, slice, triplet_text,
};
use simd_iri::{Component, Error, ErrorKind};

/// A range of the input, with the changes that the steps have noted.
pub(crate) struct Annotated<'a> {
    pub(super) source: Rest<'a>,
    pub(crate) allowed: Repairs,
    pub(crate) record: Record,
    /// The text that is put before the range.
    before: String,
    /// Before this offset, full-width ASCII becomes ASCII.
    pub(super) narrow_until: u32,
    /// Before this offset, backslashes become slashes.
    pub(super) turn_until: u32,
    /// The range of the slashes that `replacement` replaces. It is empty if `replacement` is inserted.
    replaced: Range<u32>,
    replacement: &'static str,
    /// The offset of the bar after a drive letter, which becomes a colon.
    bar: Option<u32>,
    /// Whether delimiters become triplets, as in an e-mail address.
    is_address: bool,
    /// Whether the start is not a scheme, even if it looks like a scheme, because the scheme before it was removed.
    is_relative: bool,
    /// Whether the text is a script, in which nothing is repaired.
    is_script: bool,
    /// The answer of `scheme_alike`, until a change of another field may change it.
    known_scheme: Cell<Option<Option<Scheme>>>,
}

/// The scheme of an annotated text.
#[derive(Clone, Copy)]
pub(crate) struct Scheme {
    /// The first characters of the name. They are enough for every scheme that is compared.
    name: [u8; 16],
    /// The number of characters, with the colon.
    pub(crate) length: usize,
    /// The offset after its colon.
    end: u32,
}

/// Tells whether a character is white space that may be removed inside the text (guidelines, section 4).
const fn is_white(c: char) -> bool {
    matches!(c, ' ' | '\r' | '\n' | '\t')
}

/// The pairs of characters that wrap a text.
pub(super) const PAIRS: [(char, char); 6] =
    [('<', '>'), ('"', '"'), ('\'', '\''), ('\u{201C}', '\u{201D}'), ('«', '»'), ('‹', '›')];

/// Returns the known scheme with this name, if browsers repair the slashes after it (URL Standard, section
/// 3.1).
fn special(name: &str) -> Option<Known> {
    Known::of(name).filter(|known| known.port().is_some() || *known == Known::File)
}

/// Tells whether browsers repair the slashes after a scheme.
pub(crate) fn is_special(name: &str) -> bool {
    special(name).is_some()
}

/// Tells whether a character is invisible, so that it may be removed at an end.
pub(super) const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}') || is_bidi_control(c)
}

/// Returns the kind that is later in the list of kinds.
fn rarer(found: Option<RepairKind>, kind: RepairKind) -> RepairKind {
    found.filter(|found| *found as u8 > kind as u8).unwrap_or(kind)
}

/// The first bytes of the ideographic full stop and of full-width ASCII, in UTF-8.
const WIDE_LEADS: [u8; 2] = [0xE3, 0xEF];

/// Returns the ASCII character for a full-width character or for the ideographic full stop, and any other
/// character as it is.
pub(super) fn narrow(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{3002}' => '.',
        _ => c,
    }
}

impl<'a> Annotated<'a> {
    pub(crate) const fn new(source: Rest<'a>, allowed: Repairs) -> Self {
        Self {
            source,
            allowed,
            record: Record::new(),
            before: String::new(),
            narrow_until: 0,
            turn_until: 0,
            replaced: 0..0,
            replacement: "",
            bar: None,
            is_address: false,
            is_relative: false,
            is_script: false,
            known_scheme: Cell::new(None),
        }
    }

    /// Checks that every character reference of XML stands for a character of XML.
    ///
    /// # Errors
    /// The first reference that does not stand for a character of XML.
    pub(crate) fn checked(self, bytes: &[u8], start: usize) -> Result<Self, Error> {
        // HTML has a character for every number.
        if let Some(references @ CharacterReferences::Xml) = self.source.references() {
            for at in memchr::memchr_iter(b'&', bytes) {
                references.read_bytes(slice::bytes(bytes, at..)).map_err(|none| {
                    let span = start + at..start + at + none.length;
                    Error::new(ErrorKind::BadCharacterReference, Component::Reference, span, 0)
                })?;
            }
        }
        Ok(self)
    }

    /// Tells whether a repair is allowed, and records it if so.
    fn repair(&mut self, kind: RepairKind, start: u32, end: u32) -> bool {
        let allowed = self.allowed.contains(kind);
        if allowed {
            self.record.push(kind, start, end);
        }
        allowed
    }

    /// Returns the characters with all changes that are noted.
    pub(crate) fn units(&self) -> Units<'_> {
        let place = SourceUnit {
            c: '\0',
            start: self.source.start(),
            end: self.source.start(),
            origin: None,
        };
        Units {
            annotated: self,
            source: self.source.clone(),
            queue: self.before.chars(),
            queued: place,
            held: None,
            is_replaced: self.replacement.is_empty(),
            run_end: 0,
            is_run_dropped: false,
        }
    }

    /// Returns the number of bytes of the rest of the input.
    pub(crate) const fn length(&self) -> usize {
        self.source.end() as usize - self.source.start() as usize
    }

    /// Returns the kind of repair that removes a character at an end, or `None` if it stays.
    fn trimmed(&self, c: char) -> Option<RepairKind> {
        let kind = match c {
            '\u{C}' if self.source.is_html() => RepairKind::Trimmed,
            _ if is_white(c) && self.allowed.contains(RepairKind::Trimmed) => RepairKind::Trimmed,
            // What is removed inside is removed at an end, too.
            ' ' => RepairKind::SpaceRemoved,
            _ if is_white(c) => RepairKind::LineBreak,
            '\0'..='\u{1F}' => RepairKind::TrimmedControl,
            _ if is_invisible(c) => RepairKind::Invisible,
            _ => return None,
        };
        self.allowed.contains(kind).then_some(kind)
    }

    /// Returns the kind of repair that removes white space or a control at an end.
    fn trimmed_byte(&self, byte: u8) -> Option<RepairKind> {
        if byte > b' ' { None } else { self.trimmed(char::from(byte)) }
    }

    /// Removes byte-order marks at the start, and what is trimmed at both ends. Another mark may follow white space.
    pub(crate) fn trim_marks(&mut self) {
        self.remove_marks();
        self.trim_ends();
        while self.remove_marks() {
            self.trim_ends();
        }
    }

    /// Removes byte-order marks at the start. Joined files may leave several. Returns whether a mark was removed.
    fn remove_marks(&mut self) -> bool {
        let mut is_removed = false;
        while let Some(unit) = self.source.front().filter(|unit| unit.c == '\u{FEFF}') {
            if !self.repair(RepairKind::ByteOrderMark, unit.start, unit.end) {
                break;
            }
            self.source.begin_at(unit.end);
            is_removed = true;
        }
        is_removed
    }

    /// Returns a unit at an end and the kind of the repair that removes it, or `None` if it stays.
    fn with_kind(&self, unit: Option<SourceUnit>) -> Option<(SourceUnit, RepairKind)> {
        let unit = unit?;
        Some((unit, self.trimmed(unit.c)?))
    }

    /// Removes white space, controls and invisible characters at both ends. At each end, all removed
    /// characters are one repair. Its kind is the kind of the rarest of these characters.
    fn trim_ends(&mut self) {
        let mut found = None;
        let (start, end) = (self.source.start(), self.source.end());
        // White space and controls are the bytes at their place, also where character references are read.
        let rest = self.source.rest();
        let mut count = 0;
        while let Some(kind) = rest.get(count).and_then(|byte| self.trimmed_byte(*byte)) {
            found = Some(rarer(found, kind));
            count += 1;
        }
        self.source.begin_at(start + count as u32);
        while let Some((unit, kind)) = self.with_kind(self.source.front()) {
            found = Some(rarer(found, kind));
            self.source.begin_at(unit.end);
        }
        if let Some(kind) = found.take() {
            self.record.push(kind, start, self.source.start());
        }
        let mut rest = self.source.rest();
        while let Some((byte, before)) = rest.split_last() {
            let Some(kind) = self.trimmed_byte(*byte) else { break };
            found = Some(rarer(found, kind));
            rest = before;
        }
        self.source.end_at(self.source.start() + rest.len() as u32);
        while let Some((unit, kind)) = self.with_kind(self.source.back()) {
            found = Some(rarer(found, kind));
            self.source.end_at(unit.start);
        }
        if let Some(kind) = found {
            self.record.push(kind, self.source.end(), end);
        }
    }

    /// Removes wrappers, also a wrapper within a wrapper, such as `<URL:…>`, and what is trimmed inside them.
    pub(crate) fn unwrap(&mut self) {
        if !self.allowed.contains(RepairKind::Wrapper) {
            return;
        }
        let mut start = None;
        // Each turn removes something at the start.
        while start.replace(self.source.start()) != Some(self.source.start()) {
            let ends = self.source.front().zip(self.source.back());
            let is_pair = |(first, last): &(SourceUnit, SourceUnit)| {
                first.start < last.start && PAIRS.contains(&(first.c, last.c))
            };
            if let Some((first, last)) = ends.filter(is_pair) {
                self.record.push(RepairKind::Wrapper, first.start, first.end);
                self.record.push(RepairKind::Wrapper, last.start, last.end);
                self.source.begin_at(first.end);
                self.source.end_at(last.start);
                self.trim_marks();
            }
            if let Some(end) = self.end_of_url_prefix() {
                self.record.push(RepairKind::Wrapper, self.source.start(), end);
                self.source.begin_at(end);
                self.trim_marks();
            }
        }
    }

    /// Returns the offset after `url:` at the start, in any case. A line break in it and full-width letters, which
    /// later steps repair, do not matter.
    fn end_of_url_prefix(&self) -> Option<u32> {
        let is_wide = self.allowed.contains(RepairKind::FullWidth);
        let (mut units, mut end) = (self.units(), None);
        for expected in "url:".chars() {
            let unit = units.next()?;
            let c = if is_wide { narrow(unit.c) } else { unit.c };
            if c.to_ascii_lowercase() != expected {
                return None;
            }
            end = Some(unit.end);
        }
        end
    }

    /// Finds out whether the string is a script, which must not change, and returns the answer.
    pub(crate) fn find_script(&mut self) -> bool {
        // White space inside the scheme is not skipped here.
        self.is_script = true;
        self.is_script = self.scheme().is_some_and(|scheme| scheme.is("javascript"));
        self.known_scheme.set(None);
        self.is_script
    }

    pub(crate) const fn is_script(&self) -> bool {
        self.is_script
    }

    /// Notes that full-width ASCII up to the end of the authority becomes ASCII. `base` is the scheme of the base, and
    /// `added` is the scheme that a later step adds to typed text.
    pub(crate) fn narrow(&mut self, added: &str, base: Option<&str>) {
        if !self.allowed.contains(RepairKind::FullWidth) {
            return;
        }
        // Every full-width character begins with one of these bytes.
        let [first, second] = WIDE_LEADS;
        let rest = self.source.rest();
        let may_be_wide = match self.source.references() {
            None => memchr::memchr2(first, second, rest),
            // A character reference may stand for any character.
            Some(_) => memchr::memchr3(first, second, b'&', rest),
        };
        if may_be_wide.is_none() {
            return;
        }
        // For this search, all characters count as ASCII.
        self.narrow_until = u32::MAX;
        // If this finds no scheme, fewer characters that count as ASCII do not make one.
        self.known_scheme.set(None);
        let scheme = self.scheme_alike();
        // Without a scheme or two slashes there is no authority, and a path may hold full-width characters.
        let mut end = scheme.as_ref().map_or(0, |scheme| scheme.end);
        let own = scheme.as_ref().map(Scheme::name).or(base).map(special);
        let mut rest = self.units_after(scheme.as_ref());
        let start = rest.clone();
        let mut slashes = rest.pass_slashes(self.turns(own.is_none_or(|known| known.is_some())));
        let is_typed = scheme.is_none() && self.allowed.contains(RepairKind::MissingScheme);
        // Two slashes in typed text come after the scheme that is added.
        let own = if is_typed && slashes == 2 {
            let own = special(added);
            rest = start;
            slashes = rest.pass_slashes(self.turns(own.is_some()));
            Some(own)
        } else {
            own
        };
        let is_slash = self.slashes(own.is_none_or(|known| known.is_some()));
        // Browsers read more than two slashes as two, if the scheme has a host.
        let is_remote = own.is_none_or(|known| known.is_some_and(|known| known != Known::File));
        // One slash becomes two.
        let is_short = slashes == 1
            && is_remote
            && scheme.is_some()
            && self.allowed.contains(RepairKind::Slashes);
        if slashes == 2 || slashes > 2 && is_remote || is_short || slashes == 0 && is_typed {
            // The delimiter after the authority may be full-width too.
            end = rest.delimiter(is_slash).unwrap_or(self.source.end());
        } else if is_typed && slashes > 0 {
            // The path begins with these slashes, and is not the name of a host.
            end = rest.source.start();
        }
        self.narrow_until = end;
    }

    /// Tells whether backslashes become slashes later. `is_special` tells whether browsers turn backslashes after this
    /// scheme, or whether there is no scheme.
    const fn turns(&self, is_special: bool) -> bool {
        is_special && self.allowed.contains(RepairKind::Backslash)
    }

    /// Returns the test for a slash, or for a backslash that becomes a slash later. `is_special` tells whether browsers
    /// turn backslashes after this scheme, or whether there is no scheme.
    fn slashes(&self, is_special: bool) -> impl Fn(&SourceUnit) -> bool + use<> {
        let turns = self.turns(is_special);
        move |unit| unit.c == '/' || turns && unit.c == '\\'
    }

    /// Returns the start of the string if it looks like a scheme: characters that a scheme may hold, and a
    /// colon.
    ///
    /// The answer is remembered until a step changes what decides it.
    fn scheme_alike(&self) -> Option<Scheme> {
        if let Some(found) = self.known_scheme.get() {
            return found;
        }
        let found = self.find_scheme();
        self.known_scheme.set(Some(found));
        found
    }

    /// [`scheme_alike`](Self::scheme_alike), which is not remembered.
    fn find_scheme(&self) -> Option<Scheme> {
        let (mut units, mut name, mut length) = (self.units(), [0; 16], 1);
        let is_replaced =
            !self.replacement.is_empty() && self.replaced.start <= self.source.start();
        if !is_replaced && self.before.is_empty() {
            // The start is read from the bytes of the input.
            let start = units.source.start();
            let begun = units.source.run_of(&SCHEME, units.limit());
            length += begun.len();
            name.iter_mut().zip(begun).for_each(|(to, from)| *to = *from);
            if let (Some(b':'), true) = (units.source.rest().first(), length > 1) {
                return Some(Scheme { name, length, end: start + length as u32 });
            }
        }
        loop {
            let unit = units.next()?;
            match u8::try_from(unit.c) {
                Ok(b':') if length > 1 => return Some(Scheme { name, length, end: unit.end }),
                Ok(byte) if SCHEME.contains(byte) => {
                    if let Some(place) = name.get_mut(length - 1) {
                        *place = byte;
                    }
                    length += 1;
                }
                _ => return None,
            }
        }
    }

    /// Returns the characters after the scheme.
    pub(crate) fn units_after(&self, scheme: Option<&Scheme>) -> Units<'_> {
        let mut units = self.units();
        let Some(scheme) = scheme else { return units };
        let bytes = (scheme.end - self.source.start()) as usize;
        if self.before.is_empty() && scheme.length == bytes {
            // Each character is a byte of the input.
            units.source.begin_at(scheme.end);
        } else {
            units.by_ref().take(scheme.length).for_each(drop);
        }
        units
    }

    /// Returns the scheme, or `None` if there is no scheme.
    pub(crate) fn scheme(&self) -> Option<Scheme> {
        let is_begun = |scheme: &Scheme| {
            scheme.name.first().is_some_and(|first| SCHEME_FIRST.contains(*first))
        };
        self.scheme_alike().filter(|_| !self.is_relative).filter(is_begun)
    }

    /// Puts a text before everything else.
    pub(crate) fn put_before(&mut self, kind: RepairKind, text: &str) {
        let at = self.source.start();
        if self.repair(kind, at, at) {
            self.before.insert_str(0, text);
            self.known_scheme.set(None);
        }
    }

    /// Makes delimiters of URIs triplets, because they have no meaning in an e-mail address. This is not a
    /// repair of its own: it belongs to the repair that adds the missing scheme.
    pub(crate) const fn encode_delimiters(&mut self) {
        self.is_address = true;
    }

    /// Adds the missing scheme of typed text: `mailto` before an address, `scheme` before a host. `base` is the scheme
    /// of the base.
    pub(crate) fn add_scheme(&mut self, scheme: &str, base: Option<&str>) {
        if !self.allowed.contains(RepairKind::MissingScheme) {
            return;
        }
        let is_slash = self.slashes(base.is_none_or(is_special));
        let slashes = self.units().pass_slashes(self.turns(base.is_none_or(is_special)));
        if slashes == 2 {
            return self.put_before(RepairKind::MissingScheme, &format!("{scheme}:"));
        }
        let is_end = |unit: &SourceUnit| is_slash(unit) || matches!(unit.c, '?' | '#');
        let (mut host, mut units) = (String::new(), self.units());
        let delimiter = loop {
            units.push_steady(&mut host);
            match units.next() {
                Some(unit) if !is_end(&unit) => host.push(unit.c),
                delimiter => break delimiter,
            }
        };
        if let Some((local, domain)) = host.split_once('@') {
            // `git@host:path`, `ann@host:8080`, `ann@host/inbox` and `a@b@c` name accounts on hosts. They have no scheme
            // that is known, and are no e-mail addresses (RFC 5322, section 3.4.1).
            let is_address = !local.is_empty()
                && !local.contains(':')
                && !domain.contains([':', '@'])
                && delimiter.is_none_or(|delimiter| !is_slash(&delimiter));
            if is_address && has_dot(domain) {
                self.put_before(RepairKind::MissingScheme, "mailto:");
            }
        } else {
            // The last colon begins the port, unless it is inside an IP literal.
            let (name, port) = match host.rsplit_once(':') {
                Some((name, port)) if !port.ends_with(']') => (name, port),
                _ => (host.as_str(), "80"),
            };
            let is_port = (1..6).contains(&port.len()) && port.bytes().all(|c| c.is_ascii_digit());
            // `...` is not a name, and `a:1` has a scheme.
            let is_name = has_dot(name) || name.eq_ignore_ascii_case("localhost");
            // A backslash would be a slash after the scheme.
            let is_host = is_name && !name.contains([':', '\\']) && !hides_delimiter(name);
            if is_port && (is_host || matches_ip_literal(name.as_bytes())) {
                self.put_before(RepairKind::MissingScheme, &format!("{scheme}://"));
            }
        }
    }

    /// Removes the scheme if it is the scheme of the base and no authority follows. The rest is relative to the
    /// base.
    pub(crate) fn drop_scheme(&mut self, base: &str) {
        let Some(scheme) = self.scheme().filter(|scheme| is_special(base) && scheme.is(base))
        else {
            return;
        };
        let rest = self.units_after(Some(&scheme));
        let slashes = rest.take(2).take_while(self.slashes(true)).count();
        let start = self.source.start();
        if slashes < 2
            && self.before.is_empty()
            && self.repair(RepairKind::SameScheme, start, scheme.end)
        {
            self.source.begin_at(scheme.end);
            self.is_relative = true;
            self.known_scheme.set(None);
        }
    }

    /// Repairs backslashes before query and fragment, the number of slashes after the scheme, and the bar
    /// after a drive letter. `base` is the scheme of the base.
    pub(crate) fn turn_slashes(&mut self, base: Option<&str>) {
        let scheme = self.scheme();
        let known = match &scheme {
            Some(scheme) => special(scheme.name()),
            None => base.map_or(Some(Known::Http), special),
        };
        let Some(known) = known else { return };
        if self.allowed.contains(RepairKind::Backslash) {
            let end = self.units().query_or_fragment();
            self.turn_until = end.unwrap_or(self.source.end());
        }
        if known == Known::File {
            return self.turn_bar(scheme.as_ref());
        }
        let mut units = self.units_after(scheme.as_ref());
        let first = units.clone().next().filter(|unit| unit.c == '/');
        if let Some(first) = first {
            // All backslashes here become slashes.
            let count = units.pass_slashes(self.allowed.contains(RepairKind::Backslash));
            let end = units.source.start();
            // The scheme of the base will be before the slashes. One slash begins a path there.
            let is_wrong = if scheme.is_some() { count != 2 } else { count > 2 && base.is_some() };
            if is_wrong && self.repair(RepairKind::Slashes, first.start, end) {
                self.replaced = first.start..end;
                self.replacement = "//";
                self.known_scheme.set(None);
            }
        }
    }

    /// Repairs a Windows drive in a reference to a file: puts a colon after the letter, and an empty host before
    /// the drive unless there is a host.
    fn turn_bar(&mut self, scheme: Option<&Scheme>) {
        let mut rest = self.units_after(scheme).peekable();
        let start = rest.peek().map_or(0, |unit| unit.start);
        let mut slashes = 0;
        while rest.next_if(|unit| unit.c == '/').is_some() {
            slashes += 1;
        }
        let mut found = drive(rest.clone());
        let has_host = found.is_none() && slashes == 2;
        if has_host {
            // The drive may be the first segment after a host.
            let mut path = rest.skip_while(|unit| !matches!(unit.c, '/' | '?' | '#'));
            found = path.next().filter(|unit| unit.c == '/').and_then(|_| drive(path));
        }
        let Some((letter, bar)) = found.filter(|_| slashes <= 3) else { return };
        // A single slash without a scheme is enough: the host of the base stays.
        let is_rooted = has_host || slashes == 3 || scheme.is_none() && slashes == 1;
        let (is_bar, from, to, at) = (bar.c == '|', letter.start, bar.end, bar.start);
        if (is_bar || !is_rooted) && self.repair(RepairKind::Drive, from, to) {
            self.bar = is_bar.then_some(at);
            self.known_scheme.set(None);
            if !is_rooted {
                (self.replaced, self.replacement) = (start..from, "///");
            }
        }
    }
}

impl Scheme {
    /// Returns the first 16 characters of the scheme, or the whole scheme if it is shorter.
    fn name(&self) -> &str {
        let length = self.name.len().min(self.length - 1);
        core::str::from_utf8(slice::bytes(&self.name, ..length)).unwrap_or_default()
    }

    /// Tells whether the scheme has this name of at most 16 characters, in any case.
    fn is(&self, name: &str) -> bool {
        self.name().eq_ignore_ascii_case(name) && self.length == name.len() + 1
    }
}

/// Returns the letter of a drive and the character after it, if `units` begin with a drive.
fn drive(mut units: impl Iterator<Item = SourceUnit>) -> Option<(SourceUnit, SourceUnit)> {
    let (letter, bar, after) = (units.next()?, units.next()?, units.next());
    let is_drive = letter.c.is_ascii_alphabetic()
        && matches!(bar.c, '|' | ':')
        && after.is_none_or(|unit| matches!(unit.c, '/' | '?' | '#'));
    is_drive.then_some((letter, bar))
}

/// Tells whether `name` has a triplet of an ASCII character that no name of a host has, such as an encoded backslash.
fn hides_delimiter(name: &str) -> bool {
    name.match_indices('%').any(|(at, _)| {
        octet(name.as_bytes(), at)
            .is_some_and(|octet| octet.is_ascii() && !UNRESERVED.contains(octet))
    })
}

/// Tells whether a text is labels with dots between them.
fn has_dot(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name.contains('.')
        && !name.contains(' ')
        && !name.contains("%20")
        && name.split('.').all(|label| !label.is_empty())
}

/// The characters of an annotated text, in one pass.
#[derive(Clone)]
pub(crate) struct Units<'d> {
    pub(super) annotated: &'d Annotated<'d>,
    pub(super) source: Rest<'d>,
    /// The characters that come next, and the place of all of them in the input.
    queue: Chars<'d>,
    queued: SourceUnit,
    /// A character that was read from the input, and comes after the queue.
    held: Option<SourceUnit>,
    /// Whether the replacement was put into the queue.
    is_replaced: bool,
    /// The end of the run of white space that was examined last; and whether the whole run is removed.
    pub(super) run_end: u32,
    pub(super) is_run_dropped: bool,
}

impl<'d> Units<'d> {
    /// Returns the next character, and records its repairs.
    #[inline]
    pub(crate) fn step(&mut self, record: &mut Record) -> Option<SourceUnit> {
        if let Some(c) = self.queue.next() {
            return Some(SourceUnit { c, ..self.queued });
        }
        // Only with a replacement, a character may be held back.
        if self.annotated.replacement.is_empty() && !self.annotated.is_address {
            if let Some(unit) = self.source.steady() {
                return Some(unit);
            }
        }
        self.step_rare(record)
    }

    /// Returns the ordinary bytes that come next, and the offset of the first of them. No step changes these
    /// bytes or puts anything between them. Returns no bytes if the next character may be changed.
    #[inline]
    pub(crate) fn run(&mut self) -> (&'d [u8], u32) {
        let start = self.source.start();
        (self.source.ordinary_run(self.limit()), start)
    }

    /// Appends the characters that come next, as `step` returns them, up to one that may end a host or that depends on its
    /// place.
    ///
    /// `step` for each character gives the same result.
    fn push_steady(&mut self, out: &mut String) {
        loop {
            let run = self.source.run_of(&INERT, self.limit());
            out.push_str(core::str::from_utf8(run).unwrap_or_default());
            let (start, rest) = (self.source.start(), self.source.rest_until(self.limit()));
            let narrow = self.annotated.narrow_until.saturating_sub(start) as usize;
            let mut at = 0;
            while let Some(byte) = rest.get(at) {
                let (c, length) = match first_char(slice::bytes(rest, at..)) {
                    Some(c) if at < narrow => (self::narrow(c), c.len_utf8()),
                    Some(c) => (c, c.len_utf8()),
                    None => {
                        out.push_str(triplet_text(*byte));
                        at += 1;
                        continue;
                    }
                };
                if u8::try_from(c).is_ok_and(|byte| byte.is_ascii() && !INERT.contains(byte)) {
                    break;
                }
                out.push(c);
                at += length;
            }
            self.source.begin_at(start + at as u32);
            let is_white = rest.get(at).is_some_and(|byte| is_white(char::from(*byte)));
            if !is_white || !self.push_white(out) {
                return;
            }
        }
    }

    /// Returns at most `most` bytes that come next and that no step changes.
    pub(super) fn steady(&mut self, most: usize) -> &'d [u8] {
        let end = (self.source.start() as usize).saturating_add(most);
        let limit = self.limit().min(u32::try_from(end).unwrap_or(u32::MAX));
        self.source.run_of(&STEADY, limit)
    }

    /// Passes over slashes, and over backslashes if they become slashes. Returns their number.
    fn pass_slashes(&mut self, turns: bool) -> usize {
        let mut count = 0;
        loop {
            let rest = self.source.rest_until(self.limit());
            let is_slash = |byte: &&u8| **byte == b'/' || turns && **byte == b'\\';
            let run = rest.iter().take_while(is_slash).count();
            self.source.begin_at(self.source.start() + run as u32);
            count += run;
            // A byte that no step changes ends the slashes.
            if rest.get(run).is_some_and(|byte| STEADY.contains(*byte)) {
                return count;
            }
            let mut next = self.clone();
            match next.next() {
                Some(unit) if unit.c == '/' || turns && unit.c == '\\' => *self = next,
                _ => return count,
            }
            count += 1;
        }
    }

    /// Returns the offset in the input before which the next characters are those of the next bytes: nothing is put
    /// between them, and none of them is replaced because of its place. It is zero if that is not so for the next byte.
    pub(super) fn limit(&self) -> u32 {
        let Annotated { replaced, replacement, .. } = self.annotated;
        let start = self.source.start();
        if self.held.is_some() || !self.queue.as_str().is_empty() || self.annotated.is_address {
            return 0;
        }
        let limit = self.annotated.bar.filter(|bar| *bar >= start).unwrap_or(u32::MAX);
        match (replacement.is_empty(), self.is_replaced) {
            (true, _) => limit,
            (_, false) => limit.min(replaced.start),
            (_, true) if start < replaced.end => 0,
            _ => limit,
        }
    }

    /// Returns the offset in the input after the next slash, question mark or number sign.
    fn delimiter(&mut self, is_slash: impl Fn(&SourceUnit) -> bool) -> Option<u32> {
        loop {
            self.pass(&INERT);
            let unit = self.next()?;
            if is_slash(&unit) || matches!(unit.c, '?' | '#') {
                return Some(unit.end);
            }
        }
    }

    /// Returns the place of the first question mark or number sign.
    ///
    /// Only these bytes, character references, and full-width characters become one.
    fn query_or_fragment(&mut self) -> Option<u32> {
        let narrow_until = self.annotated.narrow_until;
        let is_ascii = self.source.rest_until(narrow_until).is_ascii();
        loop {
            if (is_ascii || self.source.start() >= narrow_until) && self.limit() == u32::MAX {
                let rest = self.source.rest_until(u32::MAX);
                let found = match self.source.references() {
                    None => memchr::memchr2(b'?', b'#', rest),
                    Some(_) => memchr::memchr3(b'?', b'#', b'&', rest),
                };
                if !rest.is_empty() {
                    self.source.begin_at(self.source.start() + found? as u32);
                }
            } else {
                // Backslashes become slashes only after this search.
                self.pass(&INERT_BEFORE_QUERY);
            }
            let unit = self.next()?;
            if matches!(unit.c, '?' | '#') {
                return Some(unit.start);
            }
        }
    }

    /// [`step`](Self::step) for a character that may be changed.
    #[inline(never)]
    fn step_rare(&mut self, record: &mut Record) -> Option<SourceUnit> {
        let annotated = self.annotated;
        loop {
            let mut unit = match self.held.take() {
                Some(unit) => unit,
                None => self.source.next()?,
            };
            if let Some(kind) = unit.origin.take() {
                record.push(kind, unit.start, unit.end);
            }
            if annotated.is_script {
                return Some(unit);
            }
            if is_white(unit.c) && self.is_dropped(unit, record) {
                continue;
            }
            if !annotated.replacement.is_empty() {
                if !self.is_replaced && unit.start >= annotated.replaced.start {
                    self.is_replaced = true;
                    let (start, end) = (annotated.replaced.start, annotated.replaced.end);
                    self.queued = SourceUnit { start, end, ..unit };
                    self.queue = annotated.replacement.chars();
                    self.held = Some(unit);
                    return self.queue.next().map(|c| SourceUnit { c, ..self.queued });
                }
                if annotated.replaced.contains(&unit.start) {
                    // The slashes after this character.
                    let rest = self.source.rest_until(annotated.replaced.end);
                    let slashes =
                        rest.iter().take_while(|byte| matches!(byte, b'/' | b'\\')).count();
                    let place = self.source.start();
                    self.source.begin_at(place + slashes as u32);
                    // A backslash among the slashes is a repair of its own.
                    if unit.c == '\\' {
                        record.push(RepairKind::Backslash, unit.start, unit.end);
                    }
                    for (byte, at) in rest.iter().zip(place..).take(slashes) {
                        if *byte == b'\\' {
                            record.push(RepairKind::Backslash, at, at + 1);
                        }
                    }
                    continue;
                }
            }
            if let (true, Ok(octet @ (b'%' | b'/' | b'?' | b'#' | b'&' | b';' | b'='))) =
                (annotated.is_address, u8::try_from(unit.c))
            {
                (self.queue, self.queued) = (triplet_text(octet).chars(), unit);
                return self.queue.next().map(|c| SourceUnit { c, ..unit });
            }
            if unit.start < annotated.narrow_until && narrow(unit.c) != unit.c {
                unit.c = narrow(unit.c);
                record.push(RepairKind::FullWidth, unit.start, unit.end);
            }
            if unit.c == '\\' && unit.start < annotated.turn_until {
                unit.c = '/';
                record.push(RepairKind::Backslash, unit.start, unit.end);
            }
            if annotated.bar == Some(unit.start) {
                unit.c = ':';
            }
            return Some(unit);
        }
    }

    /// Tells whether white space is removed, and records it if so.
    fn is_dropped(&mut self, unit: SourceUnit, record: &mut Record) -> bool {
        let is_break = |c: char| c != ' ';
        let allowed = self.annotated.allowed;
        if unit.start >= self.run_end {
            // In typed text, the spaces around a line break belong to the line break (RFC 3986, appendix C).
            self.run_end = unit.end;
            let mut is_broken = is_break(unit.c);
            if allowed.contains(RepairKind::Wrapper) && allowed.contains(RepairKind::LineBreak) {
                for next in self.source.clone().take_while(|next| is_white(next.c)) {
                    self.run_end = next.end;
                    is_broken |= is_break(next.c);
                }
                self.is_run_dropped = is_broken;
            }
            if self.is_run_dropped {
                record.push(RepairKind::LineBreak, unit.start, self.run_end);
            }
        }
        let kind = if is_break(unit.c) { RepairKind::LineBreak } else { RepairKind::SpaceRemoved };
        if !self.is_run_dropped && allowed.contains(kind) {
            record.push(kind, unit.start, unit.end);
        }
        self.is_run_dropped || allowed.contains(kind)
    }
}

impl Iterator for Units<'_> {
    type Item = SourceUnit;

    #[inline]
    fn next(&mut self) -> Option<SourceUnit> {
        self.step(&mut Record::off())
    }
}

#[cfg(test)]
mod tests {
    use super::hides_delimiter;

    /// A triplet has two hexadecimal digits (RFC 3986, section 2.1), and a sign is none, as in `%+1`.
    #[test]
    fn only_two_digits_hide_a_delimiter() {
        let mut hidden = 0;
        for high in 0..128_u8 {
            for low in 0..128_u8 {
                let name = format!("a%{}{}z", char::from(high), char::from(low));
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let octet = digit(high).zip(digit(low)).map(|(high, low)| high * 16 + low);
                let expected = octet.and_then(char::from_u32).is_some_and(|c| {
                    c.is_ascii() && !c.is_ascii_alphanumeric() && !"-._~".contains(c)
                });
                assert_eq!(hides_delimiter(&name), expected, "{name:?}");
                hidden += u32::from(expected);
            }
        }
        assert!(hidden > 60, "{hidden}");
    }
}
