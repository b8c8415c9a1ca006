//! The cold path: finds why an input does not match a rule, and where (RFC 3987, section 2.2; RFC 3986, section 3).
//!
//! Here: [`Violations`], which finds every reason in the order of the text, and the first reason alone ([`explain`],
//! [`explain_component`]). Not here: whether an input matches, which the parser decides without this file; and the
//! messages (`error`).
//!
//! The walk goes part by part. A part may hold the characters of one component, and ends at a delimiter that it
//! cannot hold. At that delimiter, [`Stage`] decides which part comes next. The walk never goes back: linear time, no
//! allocation, no recursion. To find the first reason alone, the walk begins at the place where the parser has found
//! that the text does not match ([`Matched`]).
#![forbid(unsafe_code)]

use core::iter::FusedIterator;
use core::ops::Range;

use super::dfa::{self, NonAscii, matches_ip_literal};
use super::rule::{ComponentRule, Rule, SchemeRule};
use crate::error::{Component, Error, ErrorKind, Note, debug_without_text};
use crate::scan::slice;
use crate::tables::{self, AsciiSet};

/// How much of an input matches, from its start on. If the whole input does not match, the parser returns this, and
/// [`explain`] does not walk the matching part again. An offset is on a character boundary. It may be inside a triplet
/// that lacks a digit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Matched {
    /// Nothing. The input may be ill-formed UTF-8.
    Nothing,
    /// The characters of a scheme before this offset. A colon does not follow them, or they do not begin with a letter.
    NoScheme(u32),
    /// All text before the authority, and the plain characters of a name with which the authority begins. The authority
    /// is from `start` to `end`.
    Authority {
        /// Whether there is an `@`.
        userinfo: bool,
        /// Whether the authority is known to be wrong. If not, the error may be after it.
        wrong: bool,
        /// After the two slashes.
        start: u32,
        /// The characters from `start` up to here are known to be plain.
        plain: u32,
        /// The end of the authority.
        end: u32,
    },
    /// All text before this offset, which is in a path, a query or a fragment, or at its end. The error is at the
    /// offset: a character, or a place where a digit of a triplet is missing.
    Part(InputPart, u32),
    /// All text before this offset, as with `InputPart`. A triplet or a character outside ASCII is at the offset and may
    /// match. The error is at the offset or after it.
    Before(InputPart, u32),
}

/// Returns the first reason why `bytes` do not match `rule`.
// The parser has found the place, and the walk begins there. Measured: `docs/performance/notes.md`, "Errors".
#[cold]
pub(crate) fn explain(rule: Rule, bytes: &[u8], known: Matched) -> Error {
    let error = at_once(rule, bytes, known).unwrap_or_else(|| by_walk(rule, bytes, known));
    debug_assert_eq!(error, first(Violations::new(rule, bytes), bytes.len()), "{known:?}");
    error
}

/// [`explain`] for bytes that may be ill-formed UTF-8.
#[cold]
pub(super) fn explain_any(rule: Rule, bytes: &[u8], known: Matched) -> Error {
    let error = by_walk(rule, bytes, known);
    debug_assert_eq!(error, first(Violations::new(rule, bytes), bytes.len()), "{known:?}");
    error
}

/// Returns the first reason that a walk from the end of the matching text finds.
fn by_walk(rule: Rule, bytes: &[u8], known: Matched) -> Error {
    let mut violations = Violations::new(rule, bytes);
    violations.skip_to(known);
    first(violations, bytes.len())
}

/// Returns the first reason if it is a frequent reason, which does not need the walk.
// Few branches, because errors come in any order. In the walk, `not_allowed` decides the same.
// Measured: `docs/performance/notes.md`, "Errors".
fn at_once(rule: Rule, bytes: &[u8], known: Matched) -> Option<Error> {
    let (part, at) = match known {
        Matched::NoScheme(end) => return in_scheme(rule, bytes, end as usize),
        Matched::Authority { userinfo: false, wrong, start, plain, end } => {
            return in_host(bytes, wrong, start as usize, plain as usize, end as usize);
        }
        Matched::Part(part, at) => (part, at as usize - in_triplet(bytes, at as usize)),
        Matched::Before(part, at) => pass(rule, bytes, part, at as usize),
        Matched::Nothing | Matched::Authority { .. } => return None,
    };
    in_part(rule, bytes, part, at)
}

/// The number of bytes in which [`in_scheme`] searches the delimiter after a scheme. The walk handles longer schemes.
const NEAR: usize = 24;

/// Returns the first reason if a delimiter is near: the scheme is missing, or a character of the scheme is wrong. `end`
/// is the offset of [`Matched::NoScheme`].
fn in_scheme(rule: Rule, bytes: &[u8], end: usize) -> Option<Error> {
    let begins = bytes.first().is_some_and(|first| tables::SCHEME_FIRST.contains(*first));
    let at = if begins { end } else { 0 };
    let rest = bytes.get(at..)?;
    let delimiter = rest.iter().take(NEAR).find(|byte| COLON_OR_END.contains(**byte))?;
    // Two cases are left to the walk: a rule that forbids a scheme, where the colon is the error; and an empty scheme.
    if rule.scheme() == SchemeRule::Absent || rest.first() == Some(&b':') {
        return None;
    }
    if *delimiter != b':' {
        return found(ErrorKind::MissingScheme, Component::Scheme, 0..0);
    }
    let (ch, end) = character(bytes, at)?;
    let error = Error::new(ErrorKind::BadScheme, Component::Scheme, at..end, ch);
    Some(error.with_note(scheme_note(rule)))
}

/// Returns the first reason if it is an IP literal, an ASCII character in a host, or the port after a plain name. The
/// offsets are those of a [`Matched::Authority`] without userinfo.
fn in_host(bytes: &[u8], wrong: bool, start: usize, plain: usize, end: usize) -> Option<Error> {
    let text = Span { at: plain, bytes: bytes.get(plain..end)? };
    let byte = text.first()?;
    if byte == b':' {
        let port = text.skip(1);
        let wrong = port.skip(port.count(|byte| tables::DIGIT.contains(byte)));
        let run = wrong.count(|byte| !tables::DIGIT.contains(byte));
        let ch = wrong.character().ok()?;
        let span = wrong.at..wrong.at + run;
        return Some(Error::new(ErrorKind::BadPort, Component::Port, span, ch.into()));
    }
    if byte == b'[' && start == plain {
        let close = text.count(|byte| byte != b']');
        if close == text.bytes.len() {
            return found(ErrorKind::UnexpectedEnd, Component::Host, end..end);
        }
        let (literal, after) = text.split(close + 1);
        // If the authority is wrong, and a port or nothing comes after the literal, the literal is wrong.
        let digits = after.skip(1).count(|byte| tables::DIGIT.contains(byte));
        let is_port = after.first() == Some(b':') && digits + 1 == after.bytes.len();
        let may_follow = after.is_empty() || is_port;
        let is_literal = !(wrong && may_follow) && matches_ip_literal(literal.bytes);
        return if is_literal { None } else { bad_ip_address(literal) };
    }
    let may_match = byte == b'%' || !byte.is_ascii() || tables::NAME.contains(byte);
    let span = plain..plain + 1;
    (!may_match).then(|| Error::new(ErrorKind::NotAllowed, Component::Host, span, byte.into()))
}

/// Passes the matching text from `at` on. `part` is the part at `at`: a path, a query or a fragment. Returns the part
/// and the offset of the first error.
fn pass(rule: Rule, bytes: &[u8], mut part: InputPart, at: usize) -> (InputPart, usize) {
    let mut rest = Span { at, bytes: slice::bytes(bytes, at..) }.skip_matching(rule, part);
    if part == InputPart::Path && rest.first() == Some(b'?') {
        part = InputPart::Query;
        rest = rest.skip(1).skip_matching(rule, part);
    }
    if part != InputPart::Fragment && rest.first() == Some(b'#') && rule.allows_fragment() {
        part = InputPart::Fragment;
        rest = rest.skip(1).skip_matching(rule, part);
    }
    (part, rest.at)
}

/// Returns the first reason if it is the triplet or the character at `at` in a path, a query or a fragment.
fn in_part(rule: Rule, bytes: &[u8], part: InputPart, at: usize) -> Option<Error> {
    let text = Span { at, bytes: bytes.get(at..)? };
    let (component, byte) = (part.component(), text.first()?);
    if byte == b'%' {
        let span = at..at + 1 + text.digits();
        return Some(Error::new(ErrorKind::BadPercentEncoding, component, span, byte.into()));
    }
    if byte.is_ascii() {
        // Outside a fragment, a number sign begins a fragment that the rule does not allow.
        let error = Error::new(ErrorKind::NotAllowed, component, at..at + 1, byte.into());
        return (byte != b'#' || part == InputPart::Fragment).then_some(error);
    }
    // If only ASCII is allowed, a whole run of characters is one violation, and the walk finds its end.
    let (ch, end) = character(bytes, at).filter(|_| !rule.ascii_only())?;
    let is_private = non_ascii(text.bytes) == NonAscii::Private;
    let kind = if is_private { ErrorKind::PrivateUse } else { ErrorKind::NotAllowed };
    Some(Error::new(kind, component, at..end, ch))
}

/// Returns the character at `at`, and where it ends. The text is well-formed, and `at` is a character boundary. Returns
/// `None` if the text has fewer than four bytes.
///
/// In the first byte of a character of `len` bytes, all bits but the highest `len` bits are part of the number of the
/// character. Each byte after the first byte has six bits of the number. The function reads four bytes, and a shift
/// then removes the bits of the bytes after the character.
// No branch on the length or on the end of the text.
fn character(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let (_, last) = bytes.split_last_chunk::<4>()?;
    let window = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()).unwrap_or(last);
    let past = (at + 4).saturating_sub(bytes.len()) as u32;
    let bits = u32::from_be_bytes(*window) << (8 * past);
    let len = bits.leading_ones().max(1);
    let first = bits >> 24 & (0xFF >> len);
    let number = first << 18 | (bits >> 16 & 0x3F) << 12 | (bits >> 8 & 0x3F) << 6 | bits & 0x3F;
    // In a byte of ASCII, all bits are part of the number.
    let number = if len == 1 { bits >> 24 } else { number >> (6 * (4 - len)) };
    Some((number, at + len as usize))
}

/// [`dfa::non_ascii`], not inlined.
#[inline(never)]
fn non_ascii(bytes: &[u8]) -> NonAscii {
    dfa::NonAscii::of(bytes)
}

/// Returns how many bytes before `at` belong to a triplet that lacks a digit at `at`.
fn in_triplet(bytes: &[u8], at: usize) -> usize {
    let is_percent = |back| at.checked_sub(back).and_then(|at| bytes.get(at)) == Some(&b'%');
    if is_percent(1) { 1 } else { 2 * usize::from(is_percent(2)) }
}

/// Returns the first reason why `bytes` do not match the rule of a component: the rule of RFC 3987, or with
/// `uri` the same rule of RFC 3986.
#[cold]
pub(crate) fn explain_component(rule: ComponentRule, uri: bool, bytes: &[u8]) -> Error {
    first(Violations::of_component(rule, uri, bytes), bytes.len())
}

/// Returns the first violation. The caller knows that there is a violation. If there is none, the error is at the end
/// of the input.
fn first(mut violations: Violations<'_>, end: usize) -> Error {
    let nothing = Error::new(ErrorKind::UnexpectedEnd, Component::Reference, end..end, 0);
    violations.next().unwrap_or(nothing)
}

/// Every reason why an input does not match a rule, in the order of the text.
///
/// [`Rule::violations`] and [`ComponentRule::violations`] make this iterator. It is empty exactly if the input matches, and
/// its first item is the error of `parse_bytes`. Offsets are in bytes of the input. The whole iteration takes
/// linear time and allocates nothing.
///
/// ```
/// use simd_iri::{ErrorKind::*, Rule};
///
/// let all = Rule::Iri.violations("http://a b:80x/%zz?|#");
/// assert!(all.map(|error| error.kind()).eq([NotAllowed, BadPort, BadPercentEncoding, NotAllowed]));
/// assert_eq!(Rule::Iri.violations("http://a/").count(), 0);
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone)]
pub struct Violations<'a> {
    /// A violation before the part that is walked. It is reported next.
    found: Option<Error>,
    /// The text that is not walked yet. Inside an authority, it ends with the authority.
    rest: Span<'a>,
    /// Inside an authority, the text after it.
    after: Span<'a>,
    /// The part that is walked; `None` between two parts.
    part: Option<InputPart>,
    /// The next stage after the part.
    next: Stage,
    /// The rule that the input should match.
    rule: Rule,
    /// Whether userinfo was found. Then an `@` in a host or a port is a second `@`.
    second_at: bool,
}

debug_without_text!([] Violations<'_>, "Violations", found, rule);

const _: () = assert!(size_of::<Violations<'_>>() <= 96);

/// What is at the start of the rest of the input, at the end of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The whole input.
    Start,
    /// The colon after a scheme.
    AfterScheme,
    /// An authority or a path: what may come after a scheme.
    Authority,
    /// The `@` after userinfo.
    AfterUserinfo,
    /// Nothing, or the colon before a port.
    AfterHost,
    /// Nothing, at the end of an authority.
    AfterPort,
    /// A colon in the first segment of a path, where it is not allowed.
    ColonInFirstSegment,
    /// Nothing, or the question mark before a query, or the number sign before a fragment.
    AfterPath,
    /// Nothing, or the number sign before a fragment.
    AfterQuery,
    /// Nothing.
    End,
}

impl Stage {
    /// The delimiters with which this stage may begin. The part before this stage ends at the first of these
    /// delimiters.
    fn delimiters(self) -> &'static AsciiSet {
        match self {
            Self::AfterScheme | Self::AfterHost | Self::ColonInFirstSegment => &tables::COLON,
            Self::AfterUserinfo => &tables::AT,
            Self::AfterPath => &MARK,
            Self::AfterQuery => &HASH,
            Self::Start | Self::Authority | Self::AfterPort | Self::End => &AsciiSet::EMPTY,
        }
    }
}

impl<'a> Violations<'a> {
    /// The violations of `rule` in `bytes`.
    pub(crate) fn new(rule: Rule, bytes: &'a [u8]) -> Self {
        // INVARIANT: all offsets below fit into 32 bits, which is what an `Error` holds.
        let (found, bytes, next) = match u32::try_from(bytes.len()) {
            Ok(_) => (None, bytes, Stage::Start),
            Err(_) => (Some(Error::too_long(u32::MAX)), &[][..], Stage::End),
        };
        Self {
            found,
            rest: Span { at: 0, bytes },
            after: Span::EMPTY,
            part: None,
            next,
            rule,
            second_at: false,
        }
    }

    /// Passes the text that is known to match.
    fn skip_to(&mut self, known: Matched) {
        match known {
            Matched::Nothing => {}
            Matched::NoScheme(end) => {
                // If the first character does not begin a scheme, it is the first error.
                if self.rest.first().is_some_and(|first| tables::SCHEME_FIRST.contains(first)) {
                    self.rest = self.rest.skip(end as usize);
                }
            }
            Matched::Authority { userinfo, start, plain, end, .. } => {
                (self.rest, self.after) = self.rest.split(end as usize);
                self.rest = self.rest.skip(plain as usize);
                self.next = if userinfo {
                    self.part = Some(InputPart::Userinfo);
                    Stage::AfterUserinfo
                } else if start < plain {
                    self.part = Some(InputPart::RegName);
                    Stage::AfterHost
                } else {
                    self.enter_host()
                };
            }
            Matched::Part(part, at) | Matched::Before(part, at) => {
                let at = at as usize;
                self.rest = self.rest.skip(at - in_triplet(self.rest.bytes, at));
                self.part = Some(part);
                self.next = match part {
                    InputPart::Path => Stage::AfterPath,
                    InputPart::Query => Stage::AfterQuery,
                    _ => Stage::End,
                };
            }
        }
    }

    /// No violation.
    pub(super) fn none() -> Self {
        Self { next: Stage::End, ..Self::new(Rule::Iri, &[]) }
    }

    /// The violations of the rule of a component. `bytes` are one component, and do not match the rule.
    pub(super) fn of_component(rule: ComponentRule, uri: bool, bytes: &'a [u8]) -> Self {
        let mut violations = Self::new(if uri { Rule::Uri } else { Rule::Iri }, bytes);
        if violations.found.is_none() {
            violations.next = violations.enter_component(rule);
        }
        violations
    }

    /// Enters the next part, and returns the stage after it.
    fn enter_next(&mut self) -> Stage {
        match self.next {
            Stage::Start => self.enter_scheme(),
            Stage::AfterScheme => {
                self.skip_delimiter();
                self.enter_authority()
            }
            Stage::Authority => self.enter_authority(),
            Stage::AfterUserinfo => {
                self.second_at = true;
                self.skip_delimiter();
                self.enter_host()
            }
            Stage::AfterHost => {
                self.skip_delimiter();
                self.walk(InputPart::Port);
                Stage::AfterPort
            }
            Stage::AfterPort => {
                self.rest = self.after;
                self.enter_path()
            }
            Stage::ColonInFirstSegment => {
                let (colon, _) = self.rest.split(1);
                self.found = found(ErrorKind::ColonInFirstSegment, Component::Path, colon.range());
                self.walk(InputPart::Path);
                // A component is the path alone: no query follows it.
                match self.rule.scheme() {
                    SchemeRule::Absent => Stage::AfterPath,
                    _ => Stage::End,
                }
            }
            Stage::AfterPath if self.rest.first() == Some(b'?') => {
                self.skip_delimiter();
                self.walk(InputPart::Query);
                Stage::AfterQuery
            }
            Stage::AfterPath | Stage::AfterQuery => self.enter_fragment(),
            Stage::End => Stage::End,
        }
    }

    /// Enters the scheme, if there is one and the rule allows it.
    fn enter_scheme(&mut self) -> Stage {
        let rule = self.rule.scheme();
        let is_empty = self.rest.first() == Some(b':');
        if rule == SchemeRule::Absent {
            self.enter_authority()
        } else if self.walk_to_colon(InputPart::Scheme) {
            if is_empty {
                let error = Error::new(ErrorKind::BadScheme, Component::Scheme, 0..0, 0);
                self.found = Some(error.with_note(scheme_note(self.rule)));
            }
            Stage::AfterScheme
        } else if rule == SchemeRule::Optional {
            self.enter_authority()
        } else {
            self.found = found(ErrorKind::MissingScheme, Component::Scheme, 0..0);
            Stage::Authority
        }
    }

    /// Enters the authority, if there is one, or else the path.
    fn enter_authority(&mut self) -> Stage {
        if !self.rest.bytes.starts_with(b"//") {
            return self.enter_path();
        }
        let authority = self.rest.skip(2);
        let name_end = authority.skip_plain(InputPart::RegName);
        let after = name_end.seek(&tables::END);
        if after.at == name_end.at {
            // Most authorities are a valid name, and the path comes next.
            self.rest = after;
            return self.enter_path();
        }
        (self.rest, _) = authority.split(after.at - authority.at);
        self.after = after;
        self.enter_userinfo()
    }

    /// Enters the userinfo, if there is one, or else the host.
    fn enter_userinfo(&mut self) -> Stage {
        if self.rest.seek(&tables::AT).is_empty() {
            return self.enter_host();
        }
        self.walk(InputPart::Userinfo);
        Stage::AfterUserinfo
    }

    /// Enters the registered name, or passes the IP literal.
    fn enter_host(&mut self) -> Stage {
        let part = if self.rest.first() == Some(b'[') {
            self.skip_ip_literal();
            InputPart::AfterIpLiteral
        } else {
            InputPart::RegName
        };
        self.walk(part);
        Stage::AfterHost
    }

    /// Passes an IP literal, and finds its error.
    fn skip_ip_literal(&mut self) {
        let close = self.rest.seek(&CLOSE);
        if close.is_empty() {
            self.found = found(ErrorKind::UnexpectedEnd, Component::Host, close.range());
            self.rest = close;
        } else {
            let (literal, rest) = self.rest.split(close.at + 1 - self.rest.at);
            if !matches_ip_literal(literal.bytes) {
                self.found = bad_ip_address(literal);
            }
            self.rest = rest;
        }
    }

    /// Enters the path.
    fn enter_path(&mut self) -> Stage {
        // If the rule forbids a scheme, the first segment must not have a colon, which would make it a scheme.
        if self.rule.scheme() == SchemeRule::Absent && self.walk_to_colon(InputPart::SegmentNc) {
            return Stage::ColonInFirstSegment;
        }
        self.walk(InputPart::Path);
        Stage::AfterPath
    }

    /// Enters the fragment, if there is one.
    fn enter_fragment(&mut self) -> Stage {
        if self.rest.is_empty() || self.rule.allows_fragment() {
            self.skip_delimiter();
            self.walk(InputPart::Fragment);
        } else {
            let fragment = self.rest.range();
            self.found = found(ErrorKind::FragmentNotAllowed, Component::Fragment, fragment);
        }
        Stage::End
    }

    /// Begins to walk a part, and passes the plain characters with which it begins.
    fn walk(&mut self, part: InputPart) {
        self.part = Some(part);
        self.rest = self.rest.skip_plain(part);
    }

    /// Begins to walk a part and returns true if the next delimiter is a colon; otherwise does nothing.
    fn walk_to_colon(&mut self, part: InputPart) -> bool {
        let rest = self.rest.skip_plain(part);
        let is_there = rest.seek(&COLON_OR_END).first() == Some(b':');
        if is_there {
            (self.part, self.rest) = (Some(part), rest);
        }
        is_there
    }

    /// Passes the delimiter with which the rest begins.
    fn skip_delimiter(&mut self) {
        self.rest = self.rest.skip(1);
    }

    /// Enters a component that is the whole input.
    fn enter_component(&mut self, rule: ComponentRule) -> Stage {
        use ComponentRule as R;
        let text = self.rest;
        let part = match rule {
            R::Scheme => InputPart::Scheme,
            R::Iuserinfo => InputPart::Userinfo,
            R::Iauthority | R::Ihost | R::IregName => InputPart::RegName,
            R::IpLiteral | R::Ipv6Address | R::IpvFuture | R::Ipv4Address => InputPart::RegName,
            R::Port => InputPart::Port,
            R::Ipath | R::IpathAbempty | R::IpathAbsolute => InputPart::Path,
            R::IpathNoscheme | R::IpathRootless | R::IpathEmpty => InputPart::Path,
            R::Isegment | R::IsegmentNz => InputPart::Segment,
            R::IsegmentNzNc => InputPart::SegmentNc,
            R::Iquery => InputPart::Query,
            R::Ifragment => InputPart::Fragment,
        };
        let (slash, bracket) = (text.first() == Some(b'/'), text.first() == Some(b'['));
        self.found = match rule {
            // The empty text does not match the rule: a character is missing.
            _ if text.is_empty() => found(ErrorKind::UnexpectedEnd, part.component(), text.range()),
            R::Iauthority => return self.enter_userinfo(),
            R::Ihost | R::IpLiteral if bracket => {
                self.skip_ip_literal();
                self.walk(InputPart::AfterIpLiteral);
                return Stage::End;
            }
            R::IpathNoscheme if self.walk_to_colon(InputPart::SegmentNc) => {
                return Stage::ColonInFirstSegment;
            }
            R::IpLiteral | R::Ipv6Address | R::IpvFuture | R::Ipv4Address => {
                // The address as a whole is the violation.
                self.found = bad_ip_address(text);
                return Stage::End;
            }
            R::IpathAbempty | R::IpathAbsolute if !slash => misplaced(text, Note::SlashFirst),
            R::IpathAbsolute if text.bytes.starts_with(b"//") => {
                misplaced(text.skip(1), Note::DoubleSlash)
            }
            R::IpathNoscheme | R::IpathRootless if slash => misplaced(text, Note::Remove),
            R::IpathEmpty => misplaced(text, Note::Remove),
            _ => None,
        };
        // A character in the wrong place is one violation, whatever it is.
        self.rest = text.skip(self.found.map_or(0, |error| error.span().end));
        self.walk(part);
        Stage::End
    }

    /// Returns the next violation in the part that is walked, or `None` at its end.
    fn next_in_part(&mut self) -> Option<Error> {
        let part = self.part?;
        let from = self.rest.skip_matching(self.rule, part);
        self.rest = from;
        match from.first() {
            Some(byte) if !self.next.delimiters().contains(byte) => {
                Some(self.not_allowed(part, from, byte))
            }
            _ => {
                self.part = None;
                None
            }
        }
    }

    /// Passes the character or the triplet at `from`, which its part does not allow, and returns the violation.
    fn not_allowed(&mut self, part: InputPart, from: Span<'a>, byte: u8) -> Error {
        if byte == b'%' && part.set(from.at).contains(byte) {
            self.rest = from.skip(1 + from.digits());
            return self.error(ErrorKind::BadPercentEncoding, part, from, byte.into());
        }
        let ch = match from.character() {
            Ok(ch) => ch,
            Err(len) => {
                self.rest = from.skip(len);
                return self.error(ErrorKind::IllFormedUtf8, part, from, byte.into());
            }
        };
        self.rest = from.skip(ch.len_utf8());
        let kind = match part {
            InputPart::Scheme => ErrorKind::BadScheme,
            _ if ch == '@' && self.second_at => ErrorKind::SecondAt,
            InputPart::Port => ErrorKind::BadPort,
            InputPart::AfterIpLiteral => ErrorKind::NotAllowed,
            _ if ch.is_ascii() => ErrorKind::NotAllowed,
            _ if self.rule.ascii_only() => ErrorKind::NonAscii,
            _ if non_ascii(from.bytes) == NonAscii::Private => ErrorKind::PrivateUse,
            _ => ErrorKind::NotAllowed,
        };
        // For two kinds, a whole run of characters is one violation.
        let second_at = self.second_at;
        match kind {
            ErrorKind::NonAscii => self.skip_run(|ch| !ch.is_ascii()),
            ErrorKind::BadPort => self.skip_run(|ch| {
                let digit = u8::try_from(ch).is_ok_and(|byte| tables::DIGIT.contains(byte));
                !(digit || second_at && ch == '@')
            }),
            _ => {}
        }
        self.error(kind, part, from, ch.into())
    }

    /// Passes the characters that belong to a run.
    fn skip_run(&mut self, belongs: impl Fn(char) -> bool) {
        while let Some(ch) = self.rest.character().ok().filter(|ch| belongs(*ch)) {
            self.rest = self.rest.skip(ch.len_utf8());
        }
    }

    /// The violation from the start of `from` to the place of the walk.
    fn error(&self, kind: ErrorKind, part: InputPart, from: Span<'a>, ch: u32) -> Error {
        let component = match kind {
            ErrorKind::SecondAt => Component::Authority,
            _ => part.component(),
        };
        let note = match (kind, part) {
            (ErrorKind::BadScheme, _) => scheme_note(self.rule),
            (ErrorKind::NotAllowed, InputPart::AfterIpLiteral) => Note::AfterIpLiteral,
            _ => Note::None,
        };
        Error::new(kind, component, from.at..self.rest.at, ch).with_note(note)
    }
}

impl Iterator for Violations<'_> {
    type Item = Error;

    fn next(&mut self) -> Option<Error> {
        loop {
            if let Some(error) = self.found.take().or_else(|| self.next_in_part()) {
                return Some(error);
            }
            if self.next == Stage::End {
                return None;
            }
            self.next = self.enter_next();
        }
    }
}

impl FusedIterator for Violations<'_> {}

/// A part of the input, by the characters that it may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InputPart {
    Scheme,
    Userinfo,
    RegName,
    /// The text between the `]` of an IP literal and the port, which must be empty.
    AfterIpLiteral,
    Port,
    Path,
    Segment,
    SegmentNc,
    Query,
    Fragment,
}

impl InputPart {
    /// The ASCII bytes that the part may hold at offset `at` of the input.
    fn set(self, at: usize) -> &'static AsciiSet {
        match self {
            Self::Scheme if at == 0 => &tables::SCHEME_FIRST,
            Self::Scheme => &tables::SCHEME,
            Self::Userinfo => &tables::USERINFO,
            Self::RegName => &tables::REG_NAME,
            Self::AfterIpLiteral => &AsciiSet::EMPTY,
            Self::Port => &tables::DIGIT,
            Self::Path => &tables::PATH,
            Self::Segment => &tables::SEGMENT,
            Self::SegmentNc => &tables::SEGMENT_NC,
            Self::Query => &tables::QUERY,
            Self::Fragment => &tables::FRAGMENT,
        }
    }

    /// The component that an error names.
    fn component(self) -> Component {
        match self {
            Self::Scheme => Component::Scheme,
            Self::Userinfo => Component::Userinfo,
            Self::RegName | Self::AfterIpLiteral => Component::Host,
            Self::Port => Component::Port,
            Self::Path | Self::Segment | Self::SegmentNc => Component::Path,
            Self::Query => Component::Query,
            Self::Fragment => Component::Fragment,
        }
    }
}

// Delimiters at which a part ends, for which the grammar has no set.
pub(super) const COLON_OR_END: AsciiSet = AsciiSet::of(b":/?#");
const MARK: AsciiSet = AsciiSet::of(b"?#");
const HASH: AsciiSet = AsciiSet::of(b"#");
const CLOSE: AsciiSet = AsciiSet::of(b"]");

/// The note for a bad scheme: where a scheme is optional, a relative path may be meant.
fn scheme_note(rule: Rule) -> Note {
    match rule.scheme() {
        SchemeRule::Optional => Note::RelativePath,
        _ => Note::None,
    }
}

/// A violation without a character and without a note.
fn found(kind: ErrorKind, component: Component, span: Range<usize>) -> Option<Error> {
    Some(Error::new(kind, component, span, 0))
}

/// The violation of a text that must be an IP literal or an address, and is not. If the text has a `%`, as a zone
/// identifier has, the hint is about `%`. Otherwise it depends on the first character of the text.
fn bad_ip_address(text: Span<'_>) -> Option<Error> {
    let first = text.first().unwrap_or_default();
    let ch = if text.bytes.contains(&b'%') { b'%' } else { first };
    Some(Error::new(ErrorKind::BadIpLiteral, Component::Host, text.range(), ch.into()))
}

/// The violation of the first character of `text`, which this form of a path does not allow there. Returns `None` if
/// the character is ill-formed UTF-8, which the walk finds.
fn misplaced(text: Span<'_>, note: Note) -> Option<Error> {
    let ch = text.character().ok()?;
    let (first, _) = text.split(ch.len_utf8());
    let error = Error::new(ErrorKind::NotAllowed, Component::Path, first.range(), ch.into());
    Some(error.with_note(note))
}

/// A stretch of the input, and the offset of the stretch in the input.
#[derive(Clone, Copy, Debug)]
struct Span<'a> {
    at: usize,
    bytes: &'a [u8],
}

impl<'a> Span<'a> {
    const EMPTY: Self = Self { at: 0, bytes: &[] };

    fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    fn first(self) -> Option<u8> {
        self.bytes.first().copied()
    }

    fn range(self) -> Range<usize> {
        self.at..self.at + self.bytes.len()
    }

    /// The first `len` bytes, or all if there are fewer; and the rest.
    fn split(self, len: usize) -> (Self, Self) {
        let (head, tail) = self.bytes.split_at_checked(len).unwrap_or((self.bytes, &[]));
        (Self { at: self.at, bytes: head }, Self { at: self.at + head.len(), bytes: tail })
    }

    /// The rest after the first `len` bytes.
    fn skip(self, len: usize) -> Self {
        self.split(len).1
    }

    /// The rest after the plain characters at the start: the ASCII characters that the part allows, without
    /// triplets.
    // Byte by byte, because the walk for the first reason begins near that reason.
    // Measured: `docs/performance/notes.md`, "Size of a program that parses".
    fn skip_plain(self, part: InputPart) -> Self {
        let set = part.set(self.at);
        self.skip(self.count(|byte| set.contains(byte) && byte != b'%'))
    }

    /// The rest after the matching text at the start: characters that the part allows, and triplets.
    fn skip_matching(mut self, rule: Rule, part: InputPart) -> Self {
        loop {
            self = self.skip_plain(part);
            let Some(byte) = self.first() else { return self };
            // A part that may hold triplets may hold each `ucschar`, too.
            let has_triplets = part.set(self.at).contains(b'%');
            let is_allowed = match byte {
                b'%' => has_triplets && self.digits() == 2,
                0x80.. if !rule.ascii_only() => match non_ascii(self.bytes) {
                    NonAscii::Ucschar => has_triplets,
                    NonAscii::Private => part == InputPart::Query,
                    NonAscii::Other => false,
                },
                _ => false,
            };
            if !is_allowed {
                return self;
            }
            self = self.skip(if byte == b'%' { 3 } else { byte.leading_ones() as usize });
        }
    }

    /// The number of digits after the percent sign at the start: at most two.
    fn digits(self) -> usize {
        let is_digit = |at| self.bytes.get(at).is_some_and(|byte| tables::HEXDIG.contains(*byte));
        if !is_digit(1) { 0 } else { 1 + usize::from(is_digit(2)) }
    }

    /// The number of bytes at the start for which `is` holds.
    fn count(self, is: impl Fn(u8) -> bool) -> usize {
        self.bytes.iter().position(|byte| !is(*byte)).unwrap_or(self.bytes.len())
    }

    /// The rest from the first of the delimiters on; empty if there is none.
    fn seek(self, delimiters: &AsciiSet) -> Self {
        self.skip(self.count(|byte| !delimiters.contains(byte)))
    }

    /// Returns the character at the start, or the length of the longest ill-formed sequence there.
    fn character(self) -> Result<char, usize> {
        if let Some(byte) = self.first().filter(u8::is_ascii) {
            return Ok(byte.into());
        }
        // A well-formed character is as long as its first byte says.
        let len = self.first().map_or(0, |first| first.leading_ones() as usize);
        if let Some(Ok(text)) = self.bytes.get(..len).map(core::str::from_utf8) {
            return text.chars().next().ok_or(0);
        }
        // No character is longer than four bytes. Reading no more keeps the walk linear.
        let window = self.bytes.get(..4).unwrap_or(self.bytes);
        let Some(chunk) = window.utf8_chunks().next() else { return Err(0) };
        chunk.valid().chars().next().ok_or(chunk.invalid().len())
    }
}
