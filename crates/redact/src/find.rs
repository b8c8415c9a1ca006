//! Finds the secrets of a text in one pass.
//!
//! Here: where the parts of a text begin and end, if it is a reference or not. Not here: which keys are secret (`key`),
//! and what is written in the place of a secret (`mod`).

/*
The parts have the delimiters of RFC 3986, appendix B, which exist in every text:

    jdbc:https://user:password@host/path;jsessionid=x?key=value&key=value#key=value
    head         userinfo      host path                query                fragment

A secret is where one of the readers of the text finds it. So the head is read in these ways:

- as the RFC does: `//` at the start or after a colon
- as browsers do: after the schemes `http`, `https`, `ws`, `wss` and `ftp`, any number of slashes and backslashes,
  with tabs and line breaks among them
- as JSON with escaped slashes: `:\/\/`

A password may hold a delimiter that its writer did not encode: `//u:p/w@h`. If what follows the last `@` before the
delimiter is not a host with a port, the userinfo ends at the next `@` with a host behind it. `//h:80/@u` has a port.

Invariant: the ranges ascend, do not overlap, and begin and end beside an ASCII character or at an end of the text. A
range whose text is what would be written in its place is left out, so that a redacted text has no ranges.
*/

use memchr::{memchr, memchr_iter, memchr2, memchr3, memrchr};

use super::authority::{self, after_scheme};
use super::key;
use super::signs::Signs;
use super::words;
use super::{Reason, Redact, RedactPart, RedactUserinfo, Redaction, SecretSet, Written};
use simd_iri::low::{AsciiSet, debug_without_text, slice};

/// The secrets of a text. [`Redact::redactions`] returns it.
#[derive(Clone)]
pub struct Redactions<'s, 't> {
    rules: Redact<'s>,
    /// The text.
    all: &'t [u8],
    /// The reference that is read. It begins at the offset `start`. In running text, other references come after it.
    bytes: &'t [u8],
    start: usize,
    phase: Phase,
    /// The bytes before this offset have been read.
    at: usize,
    /// The end of the path, once it is known; and of the query or of the fragment, in these phases.
    end: usize,
    /// The end of the last pair that was read. It may hold several pairs, if they are separated as in JSON.
    pair_end: usize,
    /// The end of the authority. No segment of the path begins before it.
    host_end: usize,
    /// The signs of a secret in the reference.
    signs: Signs,
}

debug_without_text!(['s] Redactions<'s, '_>, "Redactions", rules, at);

/// The part of the text that is read next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Start,
    Authority(AuthorityRules),
    Path,
    Query,
    Fragment,
    End,
}

/// How an authority is read.
#[derive(Clone, Copy, PartialEq, Eq)]
struct AuthorityRules {
    /// Whether slashes before it are skipped, as browsers do.
    skips: bool,
    /// Whether a backslash ends it.
    backslash_ends: bool,
}

/// Schemes after which browsers read an authority, whatever slashes follow.
const SPECIAL: [&[u8]; 5] = [b"https", b"http", b"wss", b"ws", b"ftp"];
/// Schemes whose references have no secrets. Their addresses and programs are not changed.
const OPAQUE: [&[u8]; 3] = [b"mailto", b"tel", b"javascript"];

impl<'s, 't> Redactions<'s, 't> {
    /// Returns the secrets of a text. Returns `None` if a text has no sign of a secret, and is not read for another reason.
    pub(super) fn of(rules: &Redact<'s>, all: &'t [u8]) -> Option<Self> {
        if rules.part == RedactPart::Text {
            return Some(Self::new(rules, all, &[], Phase::End, Signs::NONE));
        }
        let signs = Signs::of(all, rules);
        if signs.is_none() && !rules.keeps_no_data {
            return None;
        }
        Some(Self::new(rules, all, all, Phase::Start, signs))
    }

    /// Returns the secrets of a text that has none.
    pub(super) const fn none(rules: &Redact<'s>) -> Self {
        Self::new(rules, &[], &[], Phase::End, Signs::NONE)
    }

    const fn new(
        rules: &Redact<'s>,
        all: &'t [u8],
        bytes: &'t [u8],
        phase: Phase,
        signs: Signs,
    ) -> Self {
        let (start, at, end, pair_end, host_end) = (0, 0, 0, 0, 0);
        let rules = *rules;
        Self { rules, all, bytes, start, phase, at, end, pair_end, host_end, signs }
    }

    /// Moves to the next reference of running text. Returns `false` if there is none.
    fn next_reference(&mut self) -> bool {
        let from = self.start + self.bytes.len();
        let Some(range) = words::next(self.all, from, &self.rules) else {
            // The next call finds nothing either.
            (self.start, self.bytes) = (self.all.len(), &[]);
            return false;
        };
        self.start = range.start;
        self.bytes = slice::bytes(self.all, range);
        (self.phase, self.at, self.end) = (Phase::Start, 0, 0);
        (self.pair_end, self.host_end) = (0, 0);
        self.signs = Signs::of(self.bytes, &self.rules);
        true
    }

    /// Reads what is before the path, and finds the secret in it.
    fn start(&mut self) -> Option<Redaction<'s>> {
        let Self { ref rules, bytes, signs, .. } = *self;
        self.phase = self.after_authority();
        match rules.part {
            RedactPart::Query if signs.key.is_none() => return None,
            RedactPart::Query => {
                let start = usize::from(bytes.starts_with(b"?"));
                (self.phase, self.end) = (Phase::Query, bytes.len());
                self.at = self.first_pair(start, self.end);
                return None;
            }
            RedactPart::Target if bytes.starts_with(b"/") => return None,
            _ => {}
        }
        // The path begins at the same place with and without user information.
        let is_text = rules.part == RedactPart::Text;
        let has_host = signs.user || is_text || rules.levels() > 0 || rules.has_session_ids();
        let usual = [&b"https:"[..], b"http:"].into_iter().find(|usual| {
            let rest = bytes.strip_prefix(*usual);
            rest.is_some_and(|rest| rest.starts_with(b"//"))
        });
        if let Some(usual) = usual {
            if has_host {
                let authority = AuthorityRules { skips: true, backslash_ends: rules.whatwg };
                (self.phase, self.at) = (Phase::Authority(authority), usual.len());
            }
            return None;
        }
        let head_end = if signs.backslash {
            // A single backslash begins an escape of JSON: `\nhttps://`.
            let is_slash = |byte: Option<&u8>| matches!(byte, Some(b'/' | b'\\'));
            let is_delimiter = |(at, byte): (usize, &u8)| match byte {
                b'/' | b'?' | b'#' => true,
                b'\\' => is_slash(bytes.get(at + 1)),
                _ => false,
            };
            bytes.iter().enumerate().position(is_delimiter)
        } else {
            memchr3(b'/', b'?', b'#', bytes)
        };
        let head_end = head_end.unwrap_or(bytes.len());
        let colon = memchr(b':', slice::bytes(bytes, ..head_end));
        let scheme = slice::bytes(bytes, ..colon.unwrap_or(0));
        let is_scheme = |known: &&[u8]| is_same_scheme(scheme, known);
        if OPAQUE.iter().any(is_scheme) {
            self.phase = Phase::End;
            return None;
        }
        if rules.keeps_no_data && rules.part != RedactPart::Text && is_scheme(&&b"data"[..]) {
            self.phase = Phase::End;
            return self.data();
        }
        if !has_host {
            return None;
        }
        let after_scheme = colon.map(|colon| colon + 1).filter(|_| SPECIAL.iter().any(is_scheme));
        if let Some(after_scheme) = after_scheme {
            let authority = AuthorityRules { skips: true, backslash_ends: rules.whatwg };
            (self.phase, self.at) = (Phase::Authority(authority), after_scheme);
        } else if let Some((start, backslash_ends)) = self.authority_start(head_end).or_else(|| {
            // Two backslashes may be an escape of JSON in JSON: `\\nhttps://`.
            bytes.get(head_end).filter(|byte| **byte == b'\\')?;
            let ends = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
            let end = bytes.iter().position(ends)?;
            let is_escaped = slice::bytes(bytes, ..end).ends_with(b"\\");
            self.authority_start(end - usize::from(is_escaped))
        }) {
            let authority = AuthorityRules { skips: false, backslash_ends };
            (self.phase, self.at) = (Phase::Authority(authority), start);
        }
        None
    }

    /// Returns the part that is read after the authority: none, if only the authority can have a secret.
    const fn after_authority(&self) -> Phase {
        if self.signs.key.is_some() { Phase::Path } else { Phase::End }
    }

    /// Returns where the authority begins that has no scheme or a scheme that browsers do not know, and whether a
    /// backslash ends it.
    fn authority_start(&self, head_end: usize) -> Option<(usize, bool)> {
        let head = slice::bytes(self.bytes, ..head_end);
        let has_scheme = head.ends_with(b":");
        if !has_scheme && !head.iter().all(|byte| *byte <= b' ') {
            return None;
        }
        let is_browser = self.rules.whatwg && !has_scheme;
        match slice::bytes(self.bytes, head_end..) {
            [b'/', b'/', ..] => Some((head_end + 2, is_browser)),
            [b'\\', b'/', b'\\', b'/', ..] => Some((head_end + 4, true)),
            [b'/' | b'\\', b'/' | b'\\', ..] if is_browser => Some((head_end + 2, true)),
            _ => None,
        }
    }

    /// Finds the userinfo of the authority.
    // A userinfo that is dropped may have another behind it: `http://u@//v@h` without the first is `http:////v@h`,
    // which is read as `http://v@h`. So the authority is read again.
    fn authority(&mut self, authority: AuthorityRules) -> Option<Redaction<'s>> {
        let AuthorityRules { skips, mut backslash_ends } = authority;
        if skips {
            let is_skipped =
                |byte: &&u8| matches!(byte, b'/' | b'\\') || AsciiSet::BREAKS.contains(**byte);
            let rest = slice::bytes(self.bytes, self.at..);
            let skipped = rest.iter().take_while(is_skipped).count();
            backslash_ends |= memchr(b'\\', slice::bytes(rest, ..skipped)).is_some();
            self.at += skipped;
        }
        let ends =
            |byte: &u8| matches!(byte, b'/' | b'?' | b'#') || (backslash_ends && *byte == b'\\');
        let start = self.at;
        let mut found = self.userinfo(ends, true);
        if found.is_none() {
            match self.password(start) {
                authority::Reach::Usual => {}
                authority::Reach::Cut => {
                    self.phase = Phase::End;
                    let length = self.bytes.len();
                    let end = self.end_word(start, length).unwrap_or(length);
                    return self.user(start, end, 0);
                }
                authority::Reach::Until(end) => {
                    let rest = slice::bytes(self.bytes, end..);
                    self.at = last_sign(rest, ends, true).map_or(end, |sign| end + sign + 1);
                    found = self.user(start, self.at - 1, 1);
                }
            }
        }
        match &found {
            Some(found) if self.rules.userinfo == RedactUserinfo::Drop => {
                self.phase = Phase::Authority(AuthorityRules { skips, backslash_ends });
                self.at = found.end;
            }
            _ => {
                self.phase = self.after_authority();
                if self.phase == Phase::Path {
                    let host = slice::bytes(self.bytes, self.at..);
                    self.host_end = self.at + host.iter().position(ends).unwrap_or(host.len());
                }
            }
        }
        found
    }

    /// Finds the userinfo of the authority that begins here, and moves to the host. `ends` tells which bytes end an
    /// authority, and `may_hold_ends` whether a password may hold them.
    fn userinfo(
        &mut self,
        ends: impl Fn(&u8) -> bool,
        may_hold_ends: bool,
    ) -> Option<Redaction<'s>> {
        let start = self.at;
        let rest = slice::bytes(self.bytes, start..);
        let sign = last_sign(rest, ends, may_hold_ends)?;
        let (userinfo, end) = (slice::bytes(rest, ..sign), start + sign);
        self.at = end + 1;
        if userinfo.is_empty() { None } else { self.user(start, end, 1) }
    }

    /// Ends the reference at the first escape between two offsets that stands for the end of a word. Another reference may
    /// begin behind the escape.
    fn end_word(&mut self, start: usize, end: usize) -> Option<usize> {
        let (end, next) = authority::escaped_end(slice::bytes(self.bytes, start..end))?;
        let (end, next) = (start + end, start + next);
        self.bytes = slice::bytes(self.bytes, ..next);
        self.end = end.min(self.end);
        Some(end)
    }

    /// Reads the authority that begins at an offset of running text as a user and a password without a host.
    fn password(&self, at: usize) -> authority::Reach {
        let has_scheme = |length| {
            at.checked_sub(length).and_then(|colon| after_scheme(self.bytes, colon)) == Some(at)
        };
        // Without a user that is dropped, the text behind it would be read so.
        let begins =
            || has_scheme(3) || has_scheme(5) || slice::bytes(self.bytes, ..at).ends_with(b"@");
        if self.rules.part == RedactPart::Text && begins() {
            authority::Reach::of(self.bytes, at)
        } else {
            authority::Reach::Usual
        }
    }

    /// Returns the redaction of the user information between two offsets, with `sign` bytes behind it: the `@`.
    fn user(&self, start: usize, end: usize, sign: usize) -> Option<Redaction<'s>> {
        let colon = memchr(b':', slice::bytes(self.bytes, start..end));
        let (start, end, written) = match (self.rules.userinfo, colon) {
            (RedactUserinfo::Shape, None) => (start, end, Written::Once),
            (RedactUserinfo::Shape, Some(_)) | (RedactUserinfo::Both, _) => {
                (start, end, Written::Twice)
            }
            (RedactUserinfo::Password, None) => return None,
            (RedactUserinfo::Password, Some(colon)) => (start + colon + 1, end, Written::Once),
            (RedactUserinfo::Drop, _) => (start, end + sign, Written::Nothing),
        };
        self.redaction(Reason::Userinfo, start, end, written)
    }

    /// Finds the data of a `data:` reference.
    fn data(&self) -> Option<Redaction<'s>> {
        let start = memchr(b',', self.bytes)? + 1;
        let length = self.bytes.len() - start;
        if length == 0 {
            return None;
        }
        self.redaction(Reason::Data, start, self.bytes.len(), Written::Length(length))
    }

    /// Finds the next secret of the path, or moves to the part after the path.
    fn path(&mut self) -> Option<Redaction<'s>> {
        // The end is found once, so that a path with many secrets takes linear time.
        if self.end == 0 {
            let rest = slice::bytes(self.bytes, self.at..);
            self.end = memchr2(b'?', b'#', rest).map_or(self.bytes.len(), |end| self.at + end);
        }
        let end = self.end;
        let (session_ids, nested) = (self.rules.has_session_ids(), self.rules.levels() > 0);
        while self.at < end && (session_ids || nested) {
            let is_host = self.at < self.host_end;
            if nested && !is_host && slice::bytes(self.bytes, ..self.at).ends_with(b"://") {
                let found = self.userinfo(|byte| matches!(byte, b'/' | b'?' | b'#'), false);
                if found.is_some() {
                    return found;
                }
            }
            let start = self.at;
            let rest = slice::bytes(self.bytes, start..if is_host { self.host_end } else { end });
            let before = slice::bytes(self.bytes, ..start);
            let length = memchr2(b'/', b';', rest).unwrap_or(rest.len());
            let piece = slice::bytes(rest, ..length);
            self.at = (start + length + 1).min(end);
            if session_ids && before.ends_with(b";") {
                if let Some(found) = self.session_id(start, piece) {
                    return Some(found);
                }
            }
            if nested && self.holds_secret(piece) {
                let found = self.redaction(Reason::Nested, start, start + length, Written::Once);
                if found.is_some() {
                    return found;
                }
            }
        }
        match self.bytes.get(end) {
            Some(b'?') => {
                let query = slice::bytes(self.bytes, end + 1..);
                let is_end = |at: &usize| self.rules.keys.raw || !key::is_ampersand(query, *at);
                let next = memchr_iter(b'#', query).find(is_end);
                self.end = next.map_or(self.bytes.len(), |next| end + 1 + next);
                (self.phase, self.at) = (Phase::Query, self.first_pair(end + 1, self.end));
            }
            Some(_) => self.enter_fragment(end + 1),
            None => self.phase = Phase::End,
        }
        None
    }

    /// Finds the value of a session parameter of a segment. `piece` is the parameter, and begins at `start`.
    fn session_id(&self, start: usize, piece: &[u8]) -> Option<Redaction<'s>> {
        let equals = memchr(b'=', piece)?;
        let name = slice::bytes(piece, ..equals);
        let is_name = |name: &[u8]| name.eq_ignore_ascii_case(key::SESSION_ID.as_bytes());
        let is_read = || !self.rules.keys.raw && is_name(&key::decode(name, false));
        if !is_name(name) && !is_read() {
            return None;
        }
        let set = Some(SecretSet::Common).filter(|set| self.rules.keys.sets.has(*set));
        let (start, end) = (start + equals + 1, start + piece.len());
        let found = self.redaction(Reason::SessionId, start, end, Written::Once)?;
        Some(Redaction { key: (start - 1 - name.len(), start - 1), set, ..found })
    }

    fn enter_fragment(&mut self, start: usize) {
        let phase = if self.rules.has_fragment() { Phase::Fragment } else { Phase::End };
        let end = self.bytes.len();
        (self.phase, self.at, self.end) = (phase, self.first_pair(start, end), end);
    }

    /// Returns where the first pair begins that may have a secret, of the pairs between two offsets.
    ///
    /// The pairs before the sign of a secret are not read. Where a pair may end with an escape, all are read.
    fn first_pair(&self, start: usize, end: usize) -> usize {
        let Some(key) = self.signs.key.filter(|_| !self.signs.backslash) else { return start };
        let before = slice::bytes(self.bytes, start..key.min(end).max(start));
        let ends = |byte: &u8| *byte == b'&' || (*byte == b';' && self.rules.semicolons);
        before.iter().rposition(ends).map_or(start, |end| start + end + 1)
    }

    /// Finds the next secret among the pairs of the query or of the fragment.
    //
    // for each pair:
    //     the key is the text before the first `=`, or an escape of it; a pair without `=` has no value
    //     if the key is secret, or the value is a reference with a secret: the whole value is replaced
    //     an escape of `&`, such as `\u0026`, in the value of another key is the ampersand before the next pair; in running
    //     text, also in the value of a secret key
    fn pair(&mut self) -> Option<Redaction<'s>> {
        let rules = self.rules;
        while self.at < self.end {
            let start = self.at;
            let rest = slice::bytes(self.bytes, start..self.end);
            let key::FirstKey { length, delimiter, has_value, class } =
                key::first(rest, rules.semicolons, rules.keys.raw);
            self.at = start + length + delimiter;
            if !has_value {
                continue;
            }
            let key = slice::bytes(rest, ..length);
            if self.at > self.pair_end {
                let value = slice::bytes(self.bytes, self.at..self.end);
                self.pair_end = self.at + key::value_length(value, rules.semicolons);
            }
            let (value_start, mut value_end) = (self.at, self.pair_end);
            self.at = value_end + 1;
            let is_fragment = self.phase == Phase::Fragment;
            let source = rules.keys.find(key, class).or_else(|| {
                // In a fragment, a path or a query may come before the first key: `#/path?access_token=x`.
                let before = |byte: &u8| matches!(byte, b'?' | b'/' | b'!' | b'#');
                let tail = key.iter().rposition(before).filter(|_| is_fragment)?;
                rules.keys.find(slice::bytes(key, tail + 1..), class)
            });
            let is_text = rules.part == RedactPart::Text;
            if self.signs.backslash && !rules.keys.raw && (is_text || source.is_none()) {
                let value = slice::bytes(self.bytes, value_start..value_end);
                if let Some((end, next)) = key::escaped_ampersand(value) {
                    (value_end, self.at) = (value_start + end, value_start + next);
                }
                if is_text {
                    value_end = self.end_word(value_start, value_end).unwrap_or(value_end);
                }
            }
            let found = if let Some(source) = source {
                let reason = if is_fragment { Reason::FragmentKey } else { Reason::QueryKey };
                let found = self.redaction(reason, value_start, value_end, Written::Once);
                found.map(|found| Redaction { set: source.set(), ..found })
            } else {
                let value = slice::bytes(self.bytes, value_start..value_end);
                let is_nested = rules.levels() > 0 && self.holds_secret(value);
                is_nested
                    .then(|| self.redaction(Reason::Nested, value_start, value_end, Written::Once))
                    .flatten()
            };
            if let Some(found) = found {
                return Some(Redaction { key: (start, start + length), ..found });
            }
        }
        match self.phase {
            Phase::Query if self.end < self.bytes.len() => self.enter_fragment(self.end + 1),
            _ => self.phase = Phase::End,
        }
        None
    }

    /// Tells whether a value is a reference with a secret, once its triplets are decoded.
    fn holds_secret(&self, value: &[u8]) -> bool {
        if memchr3(b'%', b'=', b'@', value).is_none() {
            return false;
        }
        // The depth of the calls is bounded by the number of levels, which is at most `MOST_LEVELS`.
        let part = RedactPart::Reference;
        let rules = Redact { nested: Some(self.rules.levels() - 1), part, ..self.rules };
        let value = key::decode(value, false);
        Redactions::of(&rules, &value).is_some_and(|mut found| found.next().is_some())
    }

    /// Returns the redaction of a range, unless the range is redacted already.
    fn redaction(
        &self,
        reason: Reason,
        start: usize,
        end: usize,
        written: Written,
    ) -> Option<Redaction<'s>> {
        let replacement = self.rules.replacement;
        let old = slice::bytes(self.bytes, start..end);
        let is_done = match written {
            Written::Once => old == replacement.as_bytes(),
            Written::Twice => {
                let second = old.strip_prefix(replacement.as_bytes());
                second.and_then(|rest| rest.strip_prefix(b":")) == Some(replacement.as_bytes())
            }
            Written::Nothing => false,
            Written::Length(_) => {
                let rest = old.strip_prefix(replacement.as_bytes());
                let digits = rest.and_then(|rest| rest.strip_prefix(b"(")?.strip_suffix(b")"));
                digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
            }
        };
        let key = (start, start);
        (!is_done).then_some(Redaction { start, end, key, reason, set: None, written, replacement })
    }
}

impl<'s> Iterator for Redactions<'s, '_> {
    type Item = Redaction<'s>;

    fn next(&mut self) -> Option<Redaction<'s>> {
        loop {
            let found = match self.phase {
                Phase::Start => self.start(),
                Phase::Authority(authority) => self.authority(authority),
                Phase::Path => self.path(),
                Phase::Query | Phase::Fragment => self.pair(),
                Phase::End if self.rules.part == RedactPart::Text => {
                    if !self.next_reference() {
                        return None;
                    }
                    None
                }
                Phase::End => return None,
            };
            if let Some(found) = found {
                return Some(found.moved(self.start));
            }
        }
    }
}

impl core::iter::FusedIterator for Redactions<'_, '_> {}

/// Tells whether a text is a scheme, as browsers read it: without the case of letters, without controls and spaces
/// before it, and without tabs and line breaks in it.
fn is_same_scheme(text: &[u8], scheme: &[u8]) -> bool {
    let may_begin = |byte: &u8| *byte <= b' ' || scheme.first() == Some(&byte.to_ascii_lowercase());
    if !text.first().is_some_and(may_begin) {
        return false;
    }
    let read = text.iter().skip_while(|byte| **byte <= b' ');
    let read = read.filter(|byte| !AsciiSet::BREAKS.contains(**byte));
    read.map(u8::to_ascii_lowercase).eq(scheme.iter().copied())
}

/// Returns where the user information ends in a text that begins with an authority: at the last `@` before the first
/// byte that ends the authority. If the text behind it is not a host, the password holds such a byte, and ends further
/// on.
//
// For example, `u:p/w@h/@x`:
//
//     u:p     no `@`, and `p` is not a port: look for an `@` behind it
//     @h      `h` is a host: the user information ends here
fn last_sign(text: &[u8], ends: impl Fn(&u8) -> bool, may_hold_ends: bool) -> Option<usize> {
    let (mut from, mut sign) = (0, None);
    loop {
        let rest = slice::bytes(text, from..);
        let end = rest.iter().position(&ends).map_or(text.len(), |end| from + end);
        sign = memrchr(b'@', slice::bytes(text, from..end)).map(|sign| from + sign).or(sign);
        let host = slice::bytes(text, sign.map_or(0, |sign| sign + 1)..end);
        if !may_hold_ends || has_port(host) {
            return sign;
        }
        match memchr(b'@', slice::bytes(text, end..)) {
            Some(next) => from = end + next,
            None => return sign,
        }
    }
}

/// Tells whether the end of an authority is a host, with or without a port: nothing in it can be a user and the first
/// part of a password.
fn has_port(host: &[u8]) -> bool {
    let address = host.strip_prefix(b"[").and_then(|rest| Some((rest, memchr(b']', rest)?)));
    let port = match address {
        Some((rest, end)) => match slice::bytes(rest, end + 1..) {
            [] => return true,
            [b':', port @ ..] => port,
            _ => return false,
        },
        None => match memrchr(b':', host) {
            Some(colon) => slice::bytes(host, colon + 1..),
            None => return true,
        },
    };
    port.iter().all(u8::is_ascii_digit)
}
